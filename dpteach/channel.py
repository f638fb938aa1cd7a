"""The channel: a law of outputs for every database. This is what a mechanism is, whatever it computes.

Two databases make a pair. A relation of neighbours makes a worst case over pairs, and that is a curve like any other:
it is what "the mechanism is (eps, delta)-DP" is about.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np

from . import checks
from .curve import WorstCase
from .numerics.rounding import TINY
from .numerics.side import Error
from .pair import Pair, _array

__all__ = ["Channel", "differ_in_one"]

MOST_CELLS = 2**21  # databases times outputs: what a student's machine tabulates in seconds

Law = Mapping[Hashable, Fraction | float]
Relation = Callable[[Hashable, Hashable], bool]
Neighbours = Relation | Iterable[tuple[Any, ...]] | None


class Channel:
    """A law for every database: `laws` maps each database to {output: probability}.

    Outputs that never happen are left out. Fractions give exact answers; floats are taken for the numbers that they
    are, and what is computed from them is rounded to the safe side.

    >>> third = Fraction(1, 3)
    >>> coin = Channel({0: {"heads": third, "tails": 2 * third}, 1: {"heads": 2 * third, "tails": third}})
    >>> (coin @ coin).worst().ratio()
    Fraction(4, 1)
    """

    def __init__(self, laws: Mapping[Hashable, Law], name: str = "laws"):
        checked = _checked(laws, name)
        some_exact = any(map(_is_exact, checked.values()))
        self._set(checked, Error(units=1 if some_exact else 0))  # a fraction may have to become a float

    def _set(self, laws: dict, error: Error) -> None:
        self.laws: dict[Any, Any] = {D: _possible(law) for D, law in laws.items()}
        self.error = error

    @classmethod
    def _of(cls, laws: dict, error: Error) -> Channel:
        """Make a channel of what is known to be laws, computed with so much rounding."""
        channel = Channel.__new__(Channel)
        channel._set(laws, error)
        return channel

    def _like(self, laws: dict, error: Error) -> Channel:
        """Return a channel of the same kind, of what is known to be laws."""
        return Channel._of(laws, error)

    def __repr__(self) -> str:
        return f"<Channel of {len(self.outputs)} outputs on {len(self.laws)} databases>"

    # ------------------------------------------------------------------------------------------- what it holds

    @property
    def databases(self) -> list[Any]:
        """The databases, in their order."""
        return list(self.laws)

    @cached_property
    def outputs(self) -> list[Any]:
        """All outputs that can happen on some database."""
        return list(dict.fromkeys(chain.from_iterable(self.laws.values())))

    @cached_property
    def exact(self) -> bool:
        """Whether all probabilities are whole numbers or fractions."""
        return all(map(_is_exact, self.laws.values()))

    def law(self, D: Hashable) -> dict[Any, Any]:
        """Return the law of the output on a database."""
        return dict(self.laws[self._known(D)])

    def pair(self, D: Hashable, E: Hashable) -> Pair:
        """Return the laws on two databases as a pair. Databases with the same laws have the same pair."""
        D = self._known(D)
        E = self._known(E)
        place = self._place(D, E)
        if place not in self._pairs:
            error = None if self.exact else self.error
            self._pairs[place] = as_pair(self.laws[D], self.laws[E], error)
        return self._pairs[place]

    def _place(self, D: Hashable, E: Hashable) -> tuple[int, int]:
        """Return where the pair of two databases is kept: under the numbers of their laws."""
        return self._number[D], self._number[E]

    @cached_property
    def _number(self) -> dict:
        """The number of each database's law among the different ones."""
        different: dict = {}
        numbers = {}
        for D, law in self.laws.items():
            cells = frozenset(law.items())
            numbers[D] = different.setdefault(cells, len(different))
        return numbers

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], Pair]:
        """The pairs made so far, by the numbers of their laws."""
        return {}

    def _check_comparisons(self, pairs: Iterable[tuple]) -> None:
        """Refuse to compare so many different laws that their pairs would not fit into a student's machine."""
        sizes = {self._place(D, E): len(self.laws[D]) for D, E in pairs}
        check_size("comparisons between databases", sum(sizes.values()))

    def worst(self, neighbours: Neighbours = None) -> WorstCase:
        """Return the worst case over all neighbours: a relation, or a list of pairs of databases.

        Left out, tuples are neighbours if they differ in one entry, and other databases always.
        """
        pairs = neighbour_pairs(self.databases, neighbours)
        return WorstCase({(D, E): self.pair(D, E) for D, E in pairs})

    # ------------------------------------------------------------------------------------- making others of it

    __array_ufunc__ = None  # NumPy leaves array @ channel to us

    def __matmul__(self, other: Channel) -> Channel:
        """Run both independently on the same database, and see both outputs."""
        return self.adaptively(lambda _: other)

    def __rmatmul__(self, other: object) -> Channel:
        """Refuse what is no channel on the left of @."""
        raise ValueError(f"other must be a channel on the same databases, not {checks.shorten(other)}")

    def adaptively(self, second: Callable[[Hashable], Channel]) -> Channel:
        """See the output y, then the output of the channel second(y) on the same database."""
        ask = checks.function("second", second)
        channels = {y: self._on_the_same_databases(ask(y)) for y in self.outputs}
        follow = {D: {y: channels[y].laws[D] for y in law} for D, law in self.laws.items()}
        sizes = [_number_of_cells(laws.values()) for laws in follow.values()]
        check_size("the product", sum(sizes))
        laws = {D: joint_law(law, follow[D]) for D, law in self.laws.items()}
        units = max(channel.error.units for channel in channels.values())
        mass = max(channel.error.mass for channel in channels.values())
        underflow = TINY * max(sizes)
        return self._like(laws, self._more_error(units + 1, mass + underflow))

    def then(self, kernel: Callable[..., Any] | Mapping[Any, Any]) -> Channel:
        """Post-process: replace the output y by kernel(y), an output or a law {output: probability}."""
        ask = checks.function("kernel", kernel)
        return self._then({y: as_law("kernel", ask(y)) for y in self.outputs})

    def _then(self, replaced: Mapping[Hashable, Law]) -> Channel:
        """Post-process with what is known to be a law for each output."""
        sizes = {D: _number_of_cells(replaced[y] for y in law) for D, law in self.laws.items()}
        check_size("the kernel", sum(sizes.values()))
        laws = {D: _replaced(law, replaced) for D, law in self.laws.items()}
        added_up = max(sizes[D] - len(law) for D, law in laws.items())
        if all(_is_sure(law) for law in replaced.values()):
            return self._like(laws, self._more_error(added_up, 0.0))
        underflow = TINY * max(sizes.values())
        return self._like(laws, self._more_error(added_up + 2, underflow))

    def after(self, f: Callable[..., Any] | Mapping[Any, Any], databases: Iterable[Hashable]) -> Channel:
        """Preprocess: the law on a database D is that of f(D), on another set of databases."""
        ask = checks.function("f", f)
        names = checks.names("databases", databases)
        laws = {D: self.laws[self._known(ask(D))] for D in names}
        check_size("databases", _number_of_cells(laws.values()))
        return self._like(laws, self.error)

    def given(self, event: Iterable[Hashable] | Callable[[Hashable], bool]) -> Channel:
        """Condition on an event, a set of outputs; databases on which it is impossible have no law any more."""
        chosen = filter(event, self.outputs) if callable(event) else checks.names("event", event)
        inside = set(chosen)
        split = self.given_each(lambda y: y in inside)
        laws = {D: law for (D, happens), law in split.laws.items() if happens}
        if not laws:
            raise ValueError(f"event must be possible on some database, not {checks.shorten(event)}")
        return self._like(laws, split.error)

    def given_each(self, part: Callable[[Hashable], Hashable]) -> Channel:
        """Condition on each value of part(y): the law on (D, value), wherever that value is possible."""
        parts = self._split(checks.function("part", part))
        if len(parts) == len(self.laws):  # every database knows the value beforehand
            return Channel._of(parts, self.error)
        laws = {place: normalized(cells) for place, cells in parts.items()}
        rarest = min(sum(cells.values()) for cells in parts.values())
        units = 2 * self.error.units + self._most_outputs + 2  # of a quotient, and of the sum below the bar
        mass = self.error.mass + TINY * self._most_outputs
        grown = mass / float(rarest) if float(rarest) > 0 else math.inf  # a fraction may be too small for a float
        return Channel._of(laws, Error(units, mass=grown))

    def _split(self, part: Callable[[Hashable], Hashable]) -> dict:
        """Return the cells of each database with each value of part(y), under the name (D, value)."""
        parts: dict = {}
        for D, law in self.laws.items():
            for y, weight in law.items():
                cells = parts.setdefault((D, checks.hashable("the values of part", part(y))), {})
                cells[y] = weight
        return parts

    def _on_the_same_databases(self, other: Channel) -> Channel:
        is_channel = isinstance(other, Channel)
        if not is_channel or other.laws.keys() != self.laws.keys():
            raise ValueError(f"the second channel must be on the databases of the first, not {checks.shorten(other)}")
        return other

    def _more_error(self, units: float, mass: float) -> Error:
        """Return the error after operations that add so many units of rounding."""
        return Error(self.error.units + units, mass=self.error.mass + mass)

    @property
    def _most_outputs(self) -> int:
        return max(map(len, self.laws.values()))

    def _known(self, D: Hashable) -> Hashable:
        if not checks.is_among(D, self.laws):
            raise ValueError(f"database must be one of the {len(self.laws)} of the channel, not {checks.shorten(D)}")
        return D


# --------------------------------------------------------------------------------------------------------- laws


def as_pair(p: Law, q: Law, error: Error | None = None) -> Pair:
    """Return two laws as a pair over the outputs of either; `error` says how far floats may be off."""
    names = list(dict.fromkeys([*p, *q]))
    p_of_each = _array(p.get(y, 0) for y in names)
    q_of_each = _array(q.get(y, 0) for y in names)
    is_known = error is None or error.units == 0
    return Pair._of(p_of_each, q_of_each, names=names, error=None if is_known else error)


def as_law(name: str, value: Hashable | Law) -> dict[Any, Any]:
    """Return a law given as a dictionary, or the law of a sure value."""
    if isinstance(value, Mapping):
        weights = checks.law(name, value.values())
        return dict(zip(value, weights.tolist(), strict=True))
    return {checks.hashable(name, value): Fraction(1)}


def summed(cells: Iterable[tuple[Hashable, Fraction | float]]) -> dict[Any, Any]:
    """Add up the weights of equal outputs."""
    total: dict = {}
    for output, weight in cells:
        total[output] = total.get(output, 0) + weight
    return total


def _is_exact(law: Law) -> bool:
    return all(map(checks.is_exact, law.values()))


def _is_sure(law: Law) -> bool:
    """Say whether a law has only one outcome, which needs no arithmetic."""
    return all(weight == 1 for weight in law.values())


def _possible(law: dict) -> dict:
    """Leave out what never happens."""
    if all(law.values()):
        return law
    return {y: weight for y, weight in law.items() if weight}


def normalized(cells: Law) -> dict[Any, Any]:
    """Return the law that is proportional to these weights."""
    share = sum(cells.values())
    return {y: weight / share for y, weight in cells.items()}


def joint_law(law: Law, follow: Mapping[Hashable, Law]) -> dict[Any, Any]:
    """Return the law of (y, z): y by one law, then z by the law that follows y."""
    joint = {}
    for y, weight in law.items():
        for z, share in follow[y].items():
            joint[y, z] = weight * share
    return joint


def _replaced(law: Law, replaced: Mapping[Hashable, Law]) -> dict:
    """Return the law of z: y by one law, then z in its place."""
    total: dict = {}
    for y, weight in law.items():
        for z, share in replaced[y].items():
            part = weight if share == 1 else weight * share
            total[z] = total.get(z, 0) + part
    return total


def _number_of_cells(laws: Iterable[Law]) -> int:
    return sum(map(len, laws))


def _checked(laws: Mapping[Hashable, Law], name: str) -> dict:
    is_table = isinstance(laws, Mapping) and all(isinstance(law, Mapping) for law in laws.values())
    if not is_table or not laws:
        raise ValueError(f"{name} must map databases to laws {{output: probability}}, not {checks.shorten(laws)}")
    check_size(name, _number_of_cells(laws.values()))
    return {D: as_law(f"{name}[{D!r}]", law) for D, law in laws.items()}


def check_size(what: str, cells: int) -> None:
    """Refuse a table too large for a student's machine, before it is made."""
    if cells > MOST_CELLS:
        raise ValueError(f"{what} must make a table of at most {MOST_CELLS} cells, not {cells}")


# --------------------------------------------------------------------------------------------------- neighbours


def differ_in_one(D: Hashable, E: Hashable) -> bool:
    """Say whether two databases are neighbours: tuples that differ in exactly one entry, other databases always."""
    if not (isinstance(D, tuple) and isinstance(E, tuple)):
        return checks.hashable("D", D) != checks.hashable("E", E)
    if len(D) != len(E):
        return False
    return sum(a != b for a, b in zip(D, E, strict=True)) == 1


def neighbour_pairs(databases: Iterable[Hashable], neighbours: Neighbours = None) -> list[tuple[Any, ...]]:
    """Return each neighbouring pair of databases once."""
    if neighbours is None or callable(neighbours):
        related = neighbours or differ_in_one
        return [(D, E) for D, E in combinations(databases, 2) if related(D, E) or related(E, D)]
    known = dict.fromkeys(databases)
    once: dict = {}
    for listed in neighbours if np.iterable(neighbours) else [neighbours]:
        pair = _two_databases(listed, known)
        once.setdefault(frozenset(pair), pair)
    return list(once.values())


def _two_databases(listed, known: Mapping) -> tuple:
    is_pair = isinstance(listed, tuple | list) and len(listed) == 2
    is_known = is_pair and all(checks.is_among(D, known) for D in listed)
    if not is_known or listed[0] == listed[1]:
        raise ValueError(
            f"neighbours must be pairs of two different databases of the list, not {checks.shorten(listed)}"
        )
    return tuple(listed)


def next_to(databases: Iterable[Hashable], pairs: Iterable[tuple[Any, ...]]) -> dict[Hashable, list[Any]]:
    """Return the list of each database's neighbours; pairs with a database that is not listed do not count."""
    beside: dict = {D: [] for D in databases}
    for D, E in pairs:
        if D in beside and E in beside:
            beside[D].append(E)
            beside[E].append(D)
    return beside


def shortest_paths(start: Hashable, beside: Mapping[Hashable, Iterable[Hashable]]) -> dict[Hashable, tuple[Any, ...]]:
    """Return a shortest path from `start` to all that can be reached, one step at a time (breadth first)."""
    paths = {start: (start,)}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in beside[here]:
            if there not in paths:
                paths[there] = (*paths[here], there)
                waiting.append(there)
    return paths
