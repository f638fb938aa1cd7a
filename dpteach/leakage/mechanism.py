"""The leaky mechanism: a mechanism and a leak that share their coins (LPR, Definition 2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from .. import checks
from ..annotations import Number
from ..channel import Channel, Law, Neighbours, as_law, as_pair, check_size, joint_law, neighbour_pairs, summed
from ..curve import WorstCase
from ..numerics.rounding import TINY
from ..numerics.side import Error
from ..pair import Pair
from ..table import show
from .groups import Groups
from .making import Making
from .notions import DistanceScaled, Independence
from .report import Report, Witness
from .tables import checked_databases, joint_channel, uniform_or_law


class LeakyMechanism(Making, Groups, WorstCase):
    """A mechanism and a leak: `table[x][o, m]` is the probability that database x leaks o and prints m.

    `neighbours` is a relation or a list of pairs of databases; left out, tuples are neighbours if they differ in one
    entry, and other databases always. Whole numbers and fractions give exact answers.

    It is the worst case over the pairs of Definition 2. Its laws are in `joint`, what can be made of it in `making`,
    distances and paths in `groups`.

    >>> pad = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: x ^ r, leak=lambda x, r: r)
    >>> pad.without_leak().delta(ratio=1), pad.delta(ratio=1)
    (Fraction(0, 1), Fraction(1, 1))
    """

    def __init__(self, table: Mapping[Hashable, Law], neighbours: Neighbours = None):
        self._set(joint_channel(table), neighbour_pairs(list(table), neighbours))

    @classmethod
    def _of(cls, channel: Channel, neighbours: list[tuple]) -> LeakyMechanism:
        """Make a mechanism of what is known to be a channel of (leaked value, output)."""
        mechanism = LeakyMechanism.__new__(LeakyMechanism)
        mechanism._set(channel, neighbours)
        return mechanism

    def _made(self, channel: Channel) -> LeakyMechanism:
        return LeakyMechanism._of(channel, self.neighbours)

    @classmethod
    def from_joint(cls, table: Mapping[Hashable, Law], neighbours: Neighbours = None) -> LeakyMechanism:
        """Take the joint laws themselves: {database: {(leaked value, output): probability}}."""
        return LeakyMechanism(table, neighbours)

    @classmethod
    def from_functions(
        cls,
        databases: Iterable[Hashable],
        randomness: Iterable[Hashable] | Law,
        mechanism: Callable[[Hashable, Hashable], Hashable],
        leak: Callable[[Hashable, Hashable], Hashable] | None = None,
        neighbours: Neighbours = None,
    ) -> LeakyMechanism:
        """Tabulate mechanism(x, r) and leak(x, r) over all coins r: a list (equally likely) or {r: probability}."""
        databases = checked_databases(databases)
        coins = uniform_or_law("randomness", randomness)
        check_size("databases and randomness", len(databases) * len(coins))
        mechanism = checks.function("mechanism", mechanism)
        leak = checks.function("leak", _nothing if leak is None else leak)
        laws = {x: summed(_cells(x, coins, mechanism, leak)) for x in databases}
        channel = Channel._of(laws, Error(units=len(coins)))
        return LeakyMechanism._of(channel, neighbour_pairs(databases, neighbours))

    @classmethod
    def from_laws(
        cls,
        databases: Iterable[Hashable],
        leak: Callable[..., Any],
        mechanism: Callable[..., Any],
        neighbours: Neighbours = None,
    ) -> LeakyMechanism:
        """First leak, then answer with fresh coins: leak(x) and mechanism(x, o) return {value: probability}.

        A value in place of a law is sure. A mechanism that ignores o is perfectly independent of its leak.
        """
        databases = checked_databases(databases)
        leak = checks.function("leak", leak)
        mechanism = checks.function("mechanism", mechanism)
        laws = {}
        for x in databases:
            shares = as_law("leak", leak(x))
            answers = {o: as_law("mechanism", mechanism(x, o)) for o in shares}
            laws[x] = joint_law(shares, answers)
        underflow = TINY * max(map(len, laws.values()))
        channel = Channel._of(laws, Error(units=3, mass=underflow))
        return LeakyMechanism._of(channel, neighbour_pairs(databases, neighbours))

    def __repr__(self) -> str:
        sizes = [
            f"{len(self.databases)} databases",
            f"{len(self.neighbours)} neighbouring pairs",
            f"{len(self.leaks)} leaked values",
            f"{len(self.outputs)} outputs",
        ]
        return f"<{type(self).__name__}: {', '.join(sizes)}>"

    # ------------------------------------------------------------------------------------------ bounded leakage

    @cached_property
    def comparisons(self) -> dict[Any, Any]:
        """The pairs of Definition 2, named (x, x', o): neighbours, given a value that both can leak."""
        return self._compared(self.neighbours)

    def _compared(self, pairs: Iterable[tuple]) -> dict:
        places = {(x, y, o): ((x, o), (y, o)) for x, y in pairs for o in self.shared_leaks(x, y)}
        self.given_leak._check_comparisons(places.values())
        return {name: self.given_leak.pair(*place) for name, place in places.items()}

    def given(self, o: Hashable) -> WorstCase:
        """Return the worst case where o leaked, all neighbours that can leak it compared."""
        self._known_leak(o)
        compared = {(x, y, leaked): pair for (x, y, leaked), pair in self.comparisons.items() if leaked == o}
        return WorstCase(compared)

    def by_neighbours(self, eps: Number | None = None, *, ratio: Number | None = None) -> dict[Any, Any]:
        """Return the delta of every neighbouring pair of databases on its own, vacuous ones included."""
        families: dict = {two: {} for two in self.neighbours}
        for (x, y, o), pair in self.comparisons.items():
            families[x, y][o] = pair
        return {two: WorstCase(family).delta(eps, ratio=ratio) for two, family in families.items()}

    def worst(self, eps: Number | None = None, *, ratio: Number | None = None) -> tuple[tuple[Any, ...], Pair]:
        """Return (x, x', o) and its pair where M(x) | o against M(x') | o shows delta(eps)."""
        name, pair = super().worst(eps, ratio=ratio)
        if pair is self.comparisons[name]:
            return name, pair
        x, y, o = name
        return (y, x, o), pair

    def witness(self, eps: Number | None = None, *, ratio: Number | None = None) -> Witness | None:
        """Return the databases, the leaked value and the outputs that show delta(eps); None if it is vacuous."""
        if self.vacuous:
            return None
        name, pair = self.worst(eps, ratio=ratio)
        return Witness.of(*name, pair, eps=eps, ratio=ratio)

    # ------------------------------------------------------------------------------------ and what it leaves out

    @cached_property
    def vacuous_pairs(self) -> list[Any]:
        """The neighbours that never leak the same value: about them Definition 2 says nothing."""
        return [(x, y) for x, y in self.neighbours if not self.shared_leaks(x, y)]

    def covered(self, x0: Hashable, x1: Hashable) -> Number:
        """Return the probability that database x0 leaks a value that x1 can leak too."""
        law = self.leak.laws[self._known(x0)]
        shared = [law[o] for o in self.shared_leaks(x0, x1)]
        return sum(shared, Fraction(0))

    @cached_property
    def coverage(self) -> Number:
        """The share of the leak probability on which Definition 2 says anything, on average over the neighbours."""
        shares = self._shares_compared()
        return sum(shares, Fraction(0)) / max(len(shares), 1)

    @cached_property
    def worst_coverage(self) -> Number:
        """The smallest such share of all neighbours: someone's data may be left out while the average looks fine."""
        return min(self._shares_compared(), default=Fraction(0))

    def _shares_compared(self) -> list:
        """Return how much of the leak is compared, for neighbours in both orders."""
        forth = [self.covered(x, y) for x, y in self.neighbours]
        back = [self.covered(y, x) for x, y in self.neighbours]
        return forth + back

    def report(self, eps: Number | None = None, *, ratio: Number | None = None) -> Report:
        """Return delta(eps) with everything that must stand beside it."""
        return Report(
            delta=self.delta(eps, ratio=ratio),
            at=f"eps = {checks.scalar('eps', eps):.6g}" if ratio is None else f"e^eps = {show(ratio)}",
            witness=self.witness(eps, ratio=ratio),
            coverage=self.coverage,
            worst_coverage=self.worst_coverage,
            neighbours=len(self.neighbours),
            vacuous_pairs=tuple(self.vacuous_pairs),
            scaled=self.scaled().delta(eps, ratio=ratio),
            plain=self.without_leak().delta(eps, ratio=ratio),
            released=self.released().delta(eps, ratio=ratio),
        )

    # ------------------------------------------------------------------------------------------- two other notions

    def scaled(self) -> DistanceScaled:
        """Return the stronger notion of Remark 19: any two databases that share a leaked value, by their distance."""
        compared = self._compared(combinations(self.databases, 2))
        return DistanceScaled(compared, self.distance)

    def independence(self) -> Independence:
        """Return how far the output depends on the leak: the exact trade-off of (eps', delta') in Definition 8."""
        error = None if self.exact else _larger(self.given_leak.error, self.output.error)
        pairs = {}
        for (x, o), law in self.given_leak.laws.items():
            pairs[x, o] = as_pair(law, self.output.laws[x], error)
        return Independence(pairs)


def _larger(one: Error, two: Error) -> Error:
    return Error(max(one.units, two.units), mass=max(one.mass, two.mass))


def _nothing(*_) -> None:
    """The constant leak."""


def _cells(x: Hashable, coins: Law, mechanism: Callable, leak: Callable) -> Iterable[tuple]:
    """Yield what database x leaks and prints for every coin, with its probability."""
    for r, weight in coins.items():
        cell = leak(x, r), mechanism(x, r)
        yield checks.hashable("leaks and outputs", cell), weight
