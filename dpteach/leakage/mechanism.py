"""The leaky mechanism: a mechanism and a leak that share their coins (LPR, Definition 2)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product

import numpy as np

from .. import checks
from ..pair import Pair
from ..table import show
from ..worst_case import WorstCase
from .notions import DistanceScaled, Independence
from .report import Report, Witness
from .tables import (
    ANYTHING,
    Law,
    Neighbours,
    as_function,
    as_law,
    check_size,
    checked_databases,
    checked_table,
    is_among,
    neighbour_pairs,
    pair_of,
    product_law,
    same_law,
    summed,
    sure_or_law,
)

NULL = "null"  # what Definition 15 and Algorithm 1 answer where a leaked value is impossible


class LeakyMechanism(WorstCase):
    """A mechanism and a leak: `table[x][o, m]` is the probability that database x leaks o and prints m.

    `neighbours` is a relation or a list of pairs of databases; left out, tuples are neighbours if they differ in one
    entry, and other databases always. Whole numbers and fractions give exact answers.

    >>> pad = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: x ^ r, leak=lambda x, r: r)
    >>> pad.without_leak().delta(ratio=1), pad.delta(ratio=1)
    (Fraction(0, 1), Fraction(1, 1))
    """

    def __init__(self, table: Mapping[Hashable, Law], neighbours: Neighbours = None):
        self._set(checked_table(table), neighbour_pairs(list(table), neighbours))

    def _set(self, joint: dict, neighbours: list) -> None:
        self.joint, self.databases, self.neighbours = joint, list(joint), neighbours
        self.leaks = list(dict.fromkeys(o for cells in self.joint.values() for o, _ in cells))
        self.outputs = list(dict.fromkeys(m for cells in self.joint.values() for _, m in cells))

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
        databases, coins = checked_databases(databases), as_law("randomness", randomness)
        check_size("databases and randomness", len(databases) * len(coins))
        mechanism, leak = as_function("mechanism", mechanism), as_function("leak", leak or _nothing)
        table = {x: summed(((leak(x, r), mechanism(x, r)), w) for r, w in coins.items()) for x in databases}
        return LeakyMechanism(table, neighbours)

    @classmethod
    def from_joint(cls, table: Mapping[Hashable, Law], neighbours: Neighbours = None) -> LeakyMechanism:
        """Take the joint laws themselves: {database: {(leaked value, output): probability}}."""
        return LeakyMechanism(table, neighbours)

    @classmethod
    def from_laws(
        cls, databases: Iterable[Hashable], leak: Callable, mechanism: Callable, neighbours: Neighbours = None
    ) -> LeakyMechanism:
        """First leak, then answer with fresh coins: leak(x) and mechanism(x, o) return {value: probability}.

        A value in place of a law is sure. A mechanism that ignores o is perfectly independent of its leak.
        """
        table, leak, mechanism = {}, as_function("leak", leak), as_function("mechanism", mechanism)
        for x in checked_databases(databases):
            shares = sure_or_law("leak", leak(x))
            laws = {o: sure_or_law("mechanism", mechanism(x, o)) for o in shares}
            table[x] = {(o, m): shares[o] * weight for o, law in laws.items() for m, weight in law.items()}
        return LeakyMechanism(table, neighbours)

    def __repr__(self) -> str:
        sizes = (len(self.databases), len(self.neighbours), len(self.leaks), len(self.outputs))
        words = ("databases", "neighbouring pairs", "leaked values", "outputs")
        return f"<{type(self).__name__}: {', '.join(f'{n} {word}' for n, word in zip(sizes, words, strict=True))}>"

    # --------------------------------------------------------------------------------------------------- its laws

    @cached_property
    def exact(self) -> bool:
        """Whether all probabilities are whole numbers or fractions."""
        return all(checks.is_exact(weight) for cells in self.joint.values() for weight in cells.values())

    @cached_property
    def _by_leak(self) -> dict:
        """The weights, split by database and leaked value: _by_leak[x][o][m]."""
        split: dict = {x: {} for x in self.databases}
        for x, cells in self.joint.items():
            for (o, m), weight in cells.items():
                split[x].setdefault(o, {})[m] = weight
        return split

    def leak_law(self, x: Hashable) -> dict:
        """Return the law of the leaked value at database x."""
        return dict(self._leak_laws[self._known(x)])

    @cached_property
    def _leak_laws(self) -> dict:
        return {x: {o: sum(w.values()) for o, w in leaks.items()} for x, leaks in self._by_leak.items()}

    def law(self, x: Hashable, o: Hashable = ANYTHING) -> dict:
        """Return the law of the output at database x, given the leaked value o if one is named."""
        if o is ANYTHING:
            return summed((m, weight) for (_, m), weight in self.joint[self._known(x)].items())
        weights = self._leaked_at(x, o)
        total = sum(weights.values())
        return {m: weight / total for m, weight in weights.items()}

    def shared_leaks(self, x0: Hashable, x1: Hashable) -> list:
        """Return the values that both databases can leak."""
        return [o for o in self._at(x0) if o in self._at(x1)]

    def can_share(self, x0: Hashable, x1: Hashable, o: Hashable) -> bool:
        """Say whether both databases can leak o."""
        return self._known_leak(o) in self._at(x0) and o in self._at(x1)

    def conditioned(self, x0: Hashable, x1: Hashable, o: Hashable = None) -> Pair:
        """Return the pair that an adversary faces who knows the leaked value: M(x0) | o against M(x1) | o."""
        for x in (x0, x1):
            self._leaked_at(x, o)
        return self._pair(x0, x1, o)

    def posterior(self, leak=ANYTHING, output=ANYTHING, prior: Law | None = None) -> dict:
        """Return Pr[database | what was seen], by Bayes' rule from a prior (uniform, unless given)."""
        prior = as_law("prior", self.databases if prior is None else prior)
        seen = {x: share * self._probability(self._known(x), leak, output) for x, share in prior.items()}
        total = sum(seen.values())
        if not total > 0:
            raise ValueError(f"leak and output must be possible together, not {leak!r} and {output!r}")
        return {x: weight / total for x, weight in seen.items()}

    def _probability(self, x, leak, output):
        cells = self.joint[x].items()
        return sum(weight for (o, m), weight in cells if leak in (ANYTHING, o) and output in (ANYTHING, m))

    # ----------------------------------------------------------------------- bounded leakage, and what it leaves out

    @cached_property
    def comparisons(self) -> dict:
        """The pairs of Definition 2, named (x, x', o): neighbours, given a value that both can leak."""
        return self._compared(self.neighbours)

    def _compared(self, pairs: Iterable[tuple]) -> dict:
        names = [(x, y, o) for x, y in pairs for o in self.shared_leaks(x, y)]
        different = {(id(self._given[x, o]), id(self._given[y, o])): len(self._given[x, o]) for x, y, o in names}
        check_size("comparisons between databases", sum(different.values()))
        return {name: self._pair(*name) for name in names}

    def _pair(self, x: Hashable, y: Hashable, o: Hashable) -> Pair:
        p, q = self._given[x, o], self._given[y, o]
        return self._pairs.get((id(p), id(q))) or self._pairs.setdefault((id(p), id(q)), pair_of(p, q))

    @cached_property
    def _given(self) -> dict:
        """The laws M(x) | o, named (x, o). Equal laws are one object, so that equal pairs are compared only once."""
        laws = {(x, o): self.law(x, o) for x in self.databases for o in self._by_leak[x]}
        one: dict = {}
        return {place: one.setdefault(frozenset(law.items()), law) for place, law in laws.items()}

    @cached_property
    def _pairs(self) -> dict:
        """The pairs made so far, by the identity of their two laws."""
        return {}

    def given(self, o: Hashable) -> WorstCase:
        """Return the worst case where o leaked, all neighbours that can leak it compared."""
        self._known_leak(o)
        return WorstCase({name: pair for name, pair in self.comparisons.items() if name[2] == o})

    def by_neighbours(self, eps=None, *, ratio=None) -> dict:
        """Return the delta of every neighbouring pair of databases on its own, vacuous ones included."""
        families: dict = {pair: {} for pair in self.neighbours}
        for (x, y, o), pair in self.comparisons.items():
            families[x, y][o] = pair
        return {pair: WorstCase(family).delta(eps, ratio=ratio) for pair, family in families.items()}

    @cached_property
    def vacuous_pairs(self) -> list:
        """The neighbours that never leak the same value: about them Definition 2 says nothing."""
        return [(x, y) for x, y in self.neighbours if not self.shared_leaks(x, y)]

    def covered(self, x0: Hashable, x1: Hashable):
        """Return the probability that database x0 leaks a value that x1 can leak too."""
        law = self._leak_laws[self._known(x0)]
        return sum((law[o] for o in self.shared_leaks(x0, x1)), Fraction(0))

    @cached_property
    def coverage(self):
        """The share of the leak probability on which Definition 2 says anything, on average over the neighbours."""
        shares = [self.covered(*pair) for x, y in self.neighbours for pair in ((x, y), (y, x))]
        return sum(shares, Fraction(0)) / max(len(shares), 1)

    def witness(self, eps=None, *, ratio=None) -> Witness | None:
        """Return the databases, the leaked value and the outputs that show delta(eps); None if it is vacuous."""
        if self.vacuous:
            return None
        (x, y, o), pair = self.worst(eps, ratio=ratio)
        return Witness.of(x, y, o, pair, eps=eps, ratio=ratio)

    def worst(self, eps=None, *, ratio=None) -> tuple[tuple, Pair]:
        """Return (x, x', o) and its pair where M(x) | o against M(x') | o shows delta(eps)."""
        (x, y, o), pair = super().worst(eps, ratio=ratio)
        turned = pair is not self.comparisons[x, y, o]
        return ((y, x, o) if turned else (x, y, o)), pair

    def report(self, eps=None, *, ratio=None) -> Report:
        """Return delta(eps) with everything that must stand beside it."""
        at = dict(eps=eps, ratio=ratio)
        return Report(
            delta=self.delta(**at),
            at=f"eps = {checks.scalar('eps', eps):.6g}" if ratio is None else f"e^eps = {show(ratio)}",
            witness=self.witness(**at),
            coverage=self.coverage,
            neighbours=len(self.neighbours),
            vacuous_pairs=tuple(self.vacuous_pairs),
            scaled=self.scaled().delta(**at),
            plain=self.without_leak().delta(**at),
            released=self.released().delta(**at),
        )

    def scaled(self) -> DistanceScaled:
        """Return the stronger notion of Remark 19: any two databases that share a leaked value, by their distance."""
        return DistanceScaled(self._compared(combinations(self.databases, 2)), self.distance)

    def independence(self) -> Independence:
        """Return how far the output depends on the leak: the exact trade-off of (eps', delta') in Definition 8."""
        laws = {x: self.law(x) for x in self.databases}
        places = [(x, o) for x in self.databases for o in self._by_leak[x]]
        return Independence({(x, o): pair_of(self.law(x, o), laws[x]) for x, o in places})

    # --------------------------------------------------------------------------- making further mechanisms of it

    def _with(self, cells: Mapping[Hashable, Iterable[tuple]]) -> LeakyMechanism:
        """Return another mechanism on the same databases, from lists of ((leak, output), weight)."""
        sums = {x: summed(listed) for x, listed in cells.items()}
        other = LeakyMechanism.__new__(LeakyMechanism)  # laws made of laws need no check
        other._set({x: {c: w for c, w in law.items() if w > 0} for x, law in sums.items()}, self.neighbours)
        return other

    def _relabel(self, rename: Callable) -> LeakyMechanism:
        return self._with({x: [(rename(o, m), w) for (o, m), w in cells.items()] for x, cells in self.joint.items()})

    def coarsen(self, leak_map: Callable[[Hashable], Hashable] | Mapping) -> LeakyMechanism:
        """Leak only leak_map(o). Neither more nor less privacy follows: bLDP is not monotone in the leak."""
        rename = as_function("leak_map", leak_map)
        return self._relabel(lambda o, m: (rename(o), m))

    def without_leak(self) -> LeakyMechanism:
        """Forget the leak: with a constant one, bLDP is plain DP (Remark 25)."""
        return self.coarsen(_nothing)

    def reveal(self) -> LeakyMechanism:
        """Append the leak to the output, M || P; bLDP stays as it is (Theorem 12)."""
        return self._relabel(lambda o, m: (o, (m, o)))

    def released(self) -> LeakyMechanism:
        """Release the leak with the output and condition on nothing: the plain DP of M || P."""
        return self.reveal().without_leak()

    def swapped(self) -> LeakyMechanism:
        """Exchange the roles of output and leak; `.swapped().without_leak()` is the leak as a mechanism."""
        return self._relabel(lambda o, m: (m, o))

    def leaking_itself(self) -> LeakyMechanism:
        """Leak the output itself, (M, M): perfect bLDP whatever M is (Example 3)."""
        return self._relabel(lambda o, m: (m, m))

    def then(self, kernel: Callable | Mapping) -> LeakyMechanism:
        """Post-process with fresh coins (Theorem 11): kernel(m) is the new output, or {output: probability}.

        A kernel that reads the leak as well is `.reveal().then(kernel)`. One that reads the coins r again is no
        post-processing, and cannot be written this way.
        """
        ask = as_function("kernel", kernel)
        laws = {m: sure_or_law("kernel", ask(m)) for m in self.outputs}
        return self._with(
            {
                x: [((o, n), w * v) for (o, m), w in cells.items() for n, v in laws[m].items()]
                for x, cells in self.joint.items()
            }
        )

    def compose(self, others: LeakyMechanism | Iterable[LeakyMechanism]) -> LeakyMechanism:
        """Run all with fresh coins each: outputs and leaks stand side by side in tuples (Theorem 26)."""
        family = self._family(others)
        largest = math.prod(max(map(len, mechanism.joint.values())) for mechanism in family)
        check_size("others", len(self.databases) * largest)
        return self._with({x: _side_by_side([m.joint[x] for m in family]) for x in self.databases})

    def mixture(
        self, weights: Sequence | Callable, others: LeakyMechanism | Iterable[LeakyMechanism]
    ) -> LeakyMechanism:
        """Run one of several mechanisms with the same leak, chosen by a coin of its own (Lemma 10).

        The weights are a list, or a function of the leaked value that returns one. They may depend neither on the
        database nor on the coins r, which the printed condition Pr[M = M_i] = a_i would allow, wrongly.
        """
        family, choose = self._family(others), weights if callable(weights) else lambda o: weights
        for x, other in product(self.databases, family):
            if not same_law(self.leak_law(x), other.leak_law(x)):
                raise ValueError(f"others must leak as the first mechanism does, not differently at database {x!r}")
        shares = {o: _shares(choose(o), len(family)) for o in self.leaks}
        return self._with(
            {
                x: [((o, m), w * shares[o][i]) for i, part in enumerate(family) for (o, m), w in part.joint[x].items()]
                for x in self.databases
            }
        )

    def _family(self, others) -> list[LeakyMechanism]:
        """Return this mechanism and the others, if all have the same databases and neighbours."""
        family = [self, *listed_mechanisms("others", others)]
        for other in family:
            if set(other.databases) != set(self.databases) or other._edges != self._edges:
                raise ValueError(f"others must have the databases and neighbours of the first, not those of {other!r}")
        return family

    def reduction(self, x0: Hashable, x1: Hashable, o: Hashable = None) -> LeakyMechanism:
        """Return the DP reduction mechanism (Definition 15): M(x0) | o at x0, M(x1) | o at every other database."""
        if not self.can_share(x0, x1, o):
            return self._with({x: [((None, NULL), Fraction(1))] for x in self.databases})
        at = {x: self.law(x0 if x == x0 else x1, o) for x in self.databases}
        return self._with({x: [((None, m), weight) for m, weight in law.items()] for x, law in at.items()})

    # ----------------------------------------------------------------------------------------------------- groups

    @cached_property
    def _edges(self) -> set[frozenset]:
        return {frozenset(pair) for pair in self.neighbours}

    @cached_property
    def _adjacent(self) -> dict:
        beside: dict = {x: [] for x in self.databases}
        for x, y in self.neighbours:
            beside[x].append(y)
            beside[y].append(x)
        return beside

    def are_neighbours(self, x0: Hashable, x1: Hashable) -> bool:
        """Say whether two databases are neighbours."""
        return frozenset((self._known(x0), self._known(x1))) in self._edges

    def distance(self, x0: Hashable, x1: Hashable) -> int | float:
        """Return the number of steps between neighbours from x0 to x1 (Definition 20); inf if there is no path."""
        return self._steps(self._known(x0)).get(self._known(x1), math.inf)

    @cached_property
    def _steps(self) -> Callable[[Hashable], dict]:
        return cache(lambda x: {y: len(path) - 1 for y, path in self._paths(x, self.databases).items()})

    def group_paths(self, o: Hashable = None) -> dict:
        """Return the shortest non-zero paths for o (Definition 21): {(x, x'): (x, ..., x')}, every database leaks o.

        Theorem 22 holds along them, with the length of the path (`bounds.group_bound`), which may exceed the distance.
        """
        self._known_leak(o)
        inside = [x for x in self.databases if o in self._by_leak[x]]
        return {(x, y): path for x in inside for y, path in self._paths(x, inside).items() if x != y}

    def _paths(self, start: Hashable, inside: Iterable[Hashable]) -> dict:
        """Return the shortest paths from `start` that stay inside, breadth first."""
        paths, waiting, allowed = {start: (start,)}, deque([start]), set(inside)
        while waiting:
            x = waiting.popleft()
            for y in self._adjacent[x]:
                if y in allowed and y not in paths:
                    paths[y] = (*paths[x], y)
                    waiting.append(y)
        return paths

    # ------------------------------------------------------------------------------------------ what may be asked

    def _known(self, x: Hashable) -> Hashable:
        if not is_among(x, self.joint):
            raise ValueError(f"x must be one of the {len(self.databases)} databases, not {x!r}")
        return x

    def _at(self, x: Hashable) -> dict:
        return self._by_leak[self._known(x)]

    def _leaked_at(self, x: Hashable, o: Hashable) -> dict:
        if self._known_leak(o) not in self._at(x):
            raise ValueError(f"o must be a value that database {x!r} can leak, not {o!r}")
        return self._by_leak[x][o]

    def _known_leak(self, o: Hashable) -> Hashable:
        if o not in self.leaks:
            raise ValueError(f"o must be a value that can leak, one of {checks.shorten(self.leaks)}, not {o!r}")
        return o


# ------------------------------------------------------------------------------------------------- one step each


def _nothing(*_) -> None:
    """The constant leak."""


def _side_by_side(factors: Sequence[Law]) -> list[tuple]:
    """Return the cells of independent mechanisms: their leaks in one tuple, their outputs in another."""
    return [(tuple(zip(*cells, strict=True)), weight) for cells, weight in product_law(*factors).items()]


def _shares(weights, number: int) -> np.ndarray:
    shares = checks.law("weights", weights)
    if len(shares) != number:
        raise ValueError(f"weights must have one entry for each of the {number} mechanisms, not {len(shares)}")
    return shares


def listed_mechanisms(name: str, given) -> list[LeakyMechanism]:
    """Return one leaky mechanism or several as a list."""
    listed = [given] if isinstance(given, LeakyMechanism) or not np.iterable(given) else list(given)
    if not listed or not all(isinstance(m, LeakyMechanism) for m in listed):
        raise ValueError(f"{name} must be a LeakyMechanism or a list of them, not {checks.shorten(given)}")
    return listed
