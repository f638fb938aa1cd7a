"""Nobody is in all the databases: fewer rounds count (HBW, section V-A).

If a person is in at most m of the k databases, two possible membership vectors differ in at most m places when one of
them is 00...0 ("unbounded": somewhere against nowhere), and in at most 2m otherwise ("bounded": which databases?).
Whatever theorem composes the rounds in which they differ gives a guarantee; the worst such set of rounds counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from .. import checks
from ..composition import THEOREMS, Composed, Guarantees, compose_by, listed
from ..guarantee import Guarantee, as_groups
from ..optimal import optimal
from ..rounding import total
from ..table import Table

MOST_SUBSETS = 400  # candidates for the worst subset that are compared one by one
NEIGHBOURS = ("unbounded", "bounded")

Groups = tuple[tuple[Guarantee, int], ...]


class WorstOf:
    """The curve of the worst of several compositions: at every delta the largest epsilon, and conversely."""

    def __init__(self, sets: dict[str, Iterable[Guarantee]]):
        self.sets = {name: tuple(as_groups(list(chosen))) for name, chosen in sets.items()}

    @cached_property
    def _curves(self) -> dict:
        return {name: optimal(expand(groups)) for name, groups in self.sets.items()}

    def epsilon(self, delta):
        """Smallest eps at delta for the worst set of rounds, by optimal composition, rounded up."""
        return checks.plain(np.max([curve.epsilon(delta) for curve in self._curves.values()], axis=0))

    def delta(self, eps):
        """Smallest delta at eps for the worst set of rounds, by optimal composition, rounded up."""
        return checks.plain(np.max([curve.delta(eps) for curve in self._curves.values()], axis=0))

    def by(self, theorem: str, delta: float | None = None) -> Composed:
        """Return the guarantee by a theorem, or "optimal", at a total of delta; basic composition needs no delta."""
        return self._told(theorem, delta)[1]

    def worst(self, delta: float | None, theorem: str = "optimal") -> str:
        """Return the name of the worst set at delta."""
        return self._told(theorem, delta)[0]

    def worst_set(self, delta: float | None, theorem: str = "optimal") -> list[Guarantee]:
        """Return the guarantees of the worst set at delta."""
        return expand(self.sets[self.worst(delta, theorem)])

    def _told(self, theorem: str, delta) -> tuple[str, Composed]:
        told = {name: compose_by(theorem, expand(groups), delta) for name, groups in self.sets.items()}
        name = max(told, key=lambda n: (float(told[n].epsilon), float(told[n].delta)))
        largest = max(float(g.delta) for g in told.values())
        return name, Composed(float(told[name].epsilon), largest, theorem, name)


class Contribution(WorstOf):
    """The worst subset of `rounds` of the k rounds, with the classic and the parallel answer beside it.

    `tight` is false where there were too many candidates for the worst subset: the bound then combines the largest
    epsilons with the largest deltas, which is safe but may be more than any subset loses.
    """

    def __init__(self, groups: Groups, rounds: int, neighbours: str):
        self.guarantees, self.rounds, self.neighbours = groups, rounds, neighbours
        subsets = _worst_candidates(groups, rounds)
        self.tight = len(subsets) <= MOST_SUBSETS
        subsets = subsets if self.tight else [_largest_of_each(groups, rounds)]
        super().__init__({name: expand(subset) for name, subset in zip(_names(subsets), subsets, strict=True)})

    def classic(self, theorem: str = "optimal", delta: float | None = None) -> Composed:
        """Return what composing all k rounds gives."""
        return compose_by(theorem, expand(self.guarantees), delta)

    def parallel(self, sharp: bool = False) -> Composed:
        """Return what parallel composition gives for the merged databases (HBW, section V-A1): rounds * max eps_i.

        With `sharp` it is the sum of the largest eps_i, which the proof gives as well. It is for pure guarantees.
        """
        if any(g.delta > 0 for g, _ in self.guarantees):
            raise ValueError(
                "parallel composition is for pure guarantees (delta = 0), and some of these have delta > 0"
            )
        eps = [float(g.epsilon) for g, _ in self.guarantees]
        if not sharp:
            return Composed(total([max(eps)], [self.rounds], +1), 0, "parallel")
        top = sorted(expand(self.guarantees), key=lambda g: -g.epsilon)[: self.rounds]
        return Composed(total([float(g.epsilon) for g in top], [1] * len(top), +1), 0, "parallel, sharp")

    def table(self, delta: float) -> Table:
        """Compare the epsilons of the classic experiment, this bound and parallel composition at a total of delta."""
        rows = [
            (name, float(self.classic(name, delta).epsilon), float(self.by(name, delta).epsilon))
            for name in (*THEOREMS, "optimal")
        ]
        if not any(g.delta > 0 for g, _ in self.guarantees):
            everyone = Contribution(self.guarantees, sum(c for _, c in self.guarantees), self.neighbours)
            rows.append(("parallel", float(everyone.parallel().epsilon), float(self.parallel().epsilon)))
        return Table(rows, ["theorem", "all rounds", f"{self.rounds} rounds"])


def contribution_bound(
    guarantees: Guarantees, at_most: int, neighbours: str = "unbounded", k: int | None = None
) -> Contribution:
    """Bound what k releases tell about a person who is in at most `at_most` of the databases (HBW, section V-A).

    "unbounded" compares somewhere with nowhere: min(k, at_most) rounds count. "bounded" compares any two membership
    patterns of the same records: min(k, 2 at_most). Which database is asked in which round must be fixed beforehand.

    >>> hospitals = contribution_bound(Guarantee(0.01), at_most=365, k=1000)
    >>> f"{hospitals.epsilon(1e-6):.6f}"
    '0.790113'
    """
    groups = tuple((g, count) for g, count in as_groups(listed(guarantees), k) if count)
    rounds = sum(count for _, count in groups)
    if not rounds:
        raise ValueError("guarantees must hold at least one guarantee")
    at_most = checks.count("at_most", at_most, low=1)
    if at_most > rounds:
        raise ValueError(f"at_most must be at most the number of databases, {rounds}, not {at_most}")
    factor = 1 + NEIGHBOURS.index(checks.choice("neighbours", neighbours, NEIGHBOURS))
    return Contribution(groups, min(rounds, factor * at_most), neighbours)


def column_bound(
    common: Guarantees, free: Guarantees, paid: Guarantees, neighbours: str = "unbounded", known_user: bool = False
) -> WorstOf:
    """Bound what queries on columns tell when no user fills them all (HBW, section V-A, Example 3, corrected).

    Everybody fills the `common` columns, free users also the `free` ones, paying users the `paid` ones. "unbounded"
    compares each kind of user with nobody; "bounded" any two of the three, or only free with paying users if the
    target is known to be a user.
    """
    checks.choice("neighbours", neighbours, NEIGHBOURS)
    common, free, paid = (expand(as_groups(listed(part))) for part in (common, free, paid))
    sets = {"free user or nobody": common + free, "paying user or nobody": common + paid}
    if neighbours == "bounded":
        sets = ({} if known_user else sets) | {"free or paying user": free + paid}
    elif known_user:
        raise ValueError("known_user must be False for unbounded neighbours, which compare a user with nobody")
    return WorstOf(sets)


# ------------------------------------------------------------------------------------------ the worst subset


def _worst_candidates(groups: Groups, n: int) -> list[Groups]:
    """Return the subsets of n rounds of which one is worst, at most one more than MOST_SUBSETS of them.

    A guarantee is never used while a larger one (in both numbers) is left out. If all are ordered, this leaves the n
    largest; otherwise the worst subset depends on delta, and all such choices are candidates.
    """
    ordered = sorted(groups, key=lambda item: (-item[0].epsilon, -item[0].delta))
    found = []
    for counts in _choices(ordered, n, []):
        found.append(tuple((g, c) for (g, _), c in zip(ordered, counts, strict=True) if c))
        if len(found) > MOST_SUBSETS:
            break
    return found


def _choices(groups: list, n: int, chosen: list[int]) -> Iterator[list[int]]:
    """Yield how many of each guarantee to take; a larger guarantee comes before all that it dominates."""
    if len(chosen) == len(groups):
        if n == 0:
            yield chosen
        return
    g, count = groups[len(chosen)]
    larger_left = any(
        taken < most and g.epsilon <= other.epsilon and g.delta <= other.delta
        for (other, most), taken in zip(groups, chosen, strict=False)
    )
    room = sum(c for _, c in groups[len(chosen) + 1 :])
    for take in range(min(n, 0 if larger_left else count), max(n - room, 0) - 1, -1):
        yield from _choices(groups, n - take, [*chosen, take])


def _largest_of_each(groups: Groups, n: int) -> Groups:
    """Return n guarantees that no subset exceeds: the largest epsilons with the largest deltas."""
    everyone = expand(groups)
    eps = sorted((float(g.epsilon) for g in everyone), reverse=True)[:n]
    deltas = sorted((float(g.delta) for g in everyone), reverse=True)[:n]
    return tuple(as_groups([Guarantee(e, d) for e, d in zip(eps, deltas, strict=True)]))


def expand(groups: Iterable[tuple[Guarantee, int]]) -> list[Guarantee]:
    """Return the guarantees one by one."""
    return [g for g, count in groups for _ in range(count)]


def _names(subsets: list[Groups]) -> list[str]:
    """Describe each subset, with as many digits as it takes to tell them apart."""
    for digits in (6, 17):
        names = [_describe(groups, digits) for groups in subsets]
        if len(set(names)) == len(subsets):
            break
    return names


def _describe(groups: Groups, digits: int) -> str:
    return ", ".join(f"{n} x ({float(g.epsilon):.{digits}g}, {float(g.delta):.{digits}g})" for g, n in groups)
