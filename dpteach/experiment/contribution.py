"""Nobody is in all the databases: fewer rounds count (HBW, section V-A).

If a person is in at most m of the k databases, two possible membership vectors differ in at most m places when one of
them is 00...0 ("unbounded": somewhere against nowhere), and in at most 2m otherwise ("bounded": which databases?).
Whatever theorem composes the rounds in which they differ gives a guarantee; the worst such set of rounds counts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import checks
from ..composition import THEOREMS, Composed, Guarantees, basic, compose_by, listed
from ..curve import WorstCase
from ..guarantee import Guarantee, as_groups
from ..numerics.rounding import total
from ..optimum import MOST_LOSSES, Optimum, optimal
from ..table import Table

MOST_SUBSETS = 400  # candidates for the worst subset that are compared one by one
MOST_WORK = 2**25  # losses in the compositions of all candidates together; more would take minutes
MOST_NAMED = 6  # different guarantees in the name of a candidate
NEIGHBOURS = ("unbounded", "bounded")


class WorstSet(WorstCase):
    """The curve of the worst of several sets of rounds, each of them composed optimally.

    At every delta it is the largest epsilon, and conversely. The sets have names, and `sets` holds their guarantees.
    """

    def __init__(self, sets: dict[str, Counter[Guarantee]]):
        self.sets = sets

    @cached_property
    def comparisons(self) -> dict[str, Optimum]:
        """The optimal composition of each set, computed when a curve is asked for: the theorems do without it."""
        return {name: optimal(chosen) for name, chosen in self.sets.items()}

    def by(self, theorem: str, delta: float | None = None) -> Composed:
        """Return the guarantee by a theorem, or "optimal", at a total of delta; basic composition needs no delta.

        Its epsilon is the largest of all sets, its branch the name of that set, and its delta the largest one.
        """
        if not self.sets:
            raise ValueError("the worst set needs at least one set of rounds, and there is none")
        composed = self._composed(theorem, delta)
        worst = max(composed, key=lambda name: tuple(composed[name]))
        largest = max(guarantee.delta for guarantee in composed.values())
        return Composed(composed[worst].epsilon, largest, theorem, worst)

    def worst_name(self, delta: float | None, theorem: str = "optimal") -> str:
        """Return the name of the worst set at delta."""
        return self.by(theorem, delta).branch

    def worst_set(self, delta: float | None, theorem: str = "optimal") -> list[Guarantee]:
        """Return the guarantees of the worst set at delta."""
        return list(self.sets[self.worst_name(delta, theorem)].elements())

    def _composed(self, theorem: str, delta: float | None) -> dict[str, Composed]:
        return {name: compose_by(theorem, chosen, delta) for name, chosen in self.sets.items()}


class Contribution(WorstSet):
    """The worst subset of `rounds` of the k rounds, with the classic and the parallel answer beside it.

    `tight` is false where there were too many candidates for the worst subset: the bound then combines the largest
    epsilons with the largest deltas, which is safe but may be more than any subset loses.
    """

    def __init__(self, guarantees: Counter[Guarantee], rounds: int, neighbours: str):
        self.guarantees = guarantees
        self.rounds = rounds
        self.neighbours = neighbours
        candidates = _candidates(guarantees, rounds)
        self.tight = candidates is not None
        subsets = candidates if self.tight else [_largest_of_each(guarantees, rounds)]
        super().__init__(dict(zip(_names(subsets), subsets, strict=True)))

    def classic(self, theorem: str = "optimal", delta: float | None = None) -> Composed:
        """Return what composing all k rounds gives."""
        return compose_by(theorem, self.guarantees, delta)

    def parallel(self, sharp: bool = False) -> Composed:
        """Return what parallel composition gives for the merged databases (HBW, section V-A1): rounds * max eps_i.

        With `sharp` it is the sum of the largest eps_i, which the proof gives as well. It is for pure guarantees.
        """
        if not self._are_pure:
            raise ValueError(
                "parallel composition is for pure guarantees (delta = 0), and some of these have delta > 0"
            )
        if not sharp:
            return Composed(total([self._largest_epsilon], [self.rounds], +1), 0, "parallel")
        top = basic(_largest_of_each(self.guarantees, self.rounds))
        return Composed(top.epsilon, 0, "parallel, sharp")

    @property
    def _are_pure(self) -> bool:
        return all(guarantee.delta == 0 for guarantee in self.guarantees)

    @property
    def _largest_epsilon(self) -> float:
        return max(guarantee.epsilon for guarantee in self.guarantees)

    def table(self, delta: float) -> Table:
        """Compare the epsilons of the classic experiment, this bound and parallel composition at a total of delta."""
        rows = []
        for name in (*THEOREMS, "optimal"):
            rows.append((name, self.classic(name, delta).epsilon, self.by(name, delta).epsilon))
        if self._are_pure:
            everywhere = total([self._largest_epsilon], [self.guarantees.total()], +1)
            rows.append(("parallel", everywhere, self.parallel().epsilon))
        return Table(rows, ["theorem", "all rounds", f"{self.rounds} rounds"])


def contribution_bound(
    guarantees: Guarantees, at_most: int, neighbours: str = "unbounded", k: int | None = None
) -> Contribution:
    """Bound what k releases tell about a person who is in at most `at_most` of the databases (HBW, section V-A).

    "unbounded" compares somewhere with nowhere: min(k, at_most) rounds count. "bounded" compares any two membership
    patterns of the same records: min(k, 2 at_most). If every database has its own guarantee, they may be asked in any
    order. If guarantees belong to rounds and some are incomparable (a larger eps here, a larger delta there), which
    database is asked in which round must be fixed beforehand.

    >>> hospitals = contribution_bound(Guarantee(0.01), at_most=365, k=1000)
    >>> f"{hospitals.epsilon(1e-6):.6f}"
    '0.790113'
    """
    counted = _counted(guarantees, k)
    rounds = counted.total()
    if not rounds:
        raise ValueError("guarantees must hold at least one guarantee")
    at_most = checks.count("at_most", at_most, low=1)
    if at_most > rounds:
        raise ValueError(f"at_most must be at most the number of databases, {rounds}, not {at_most}")
    checks.choice("neighbours", neighbours, NEIGHBOURS)
    differing = at_most if neighbours == "unbounded" else 2 * at_most
    return Contribution(counted, min(rounds, differing), neighbours)


def column_bound(
    common: Guarantees, free: Guarantees, paid: Guarantees, neighbours: str = "unbounded", known_user: bool = False
) -> WorstSet:
    """Bound what queries on columns tell when no user fills them all (HBW, section V-A, Example 3, corrected).

    Everybody fills the `common` columns, free users also the `free` ones, paying users the `paid` ones. "unbounded"
    compares each kind of user with nobody; "bounded" any two of the three, or only free with paying users if the
    target is known to be a user.
    """
    checks.choice("neighbours", neighbours, NEIGHBOURS)
    if checks.truth("known_user", known_user) and neighbours == "unbounded":
        raise ValueError("known_user must be False for unbounded neighbours, which compare a user with nobody")
    common = _counted(common)
    free = _counted(free)
    paid = _counted(paid)
    sets = {}
    if not known_user:
        sets["free user or nobody"] = common + free
        sets["paying user or nobody"] = common + paid
    if neighbours == "bounded":
        sets["free or paying user"] = free + paid
    return WorstSet(sets)


def _counted(guarantees: Guarantees, k: int | None = None) -> Counter[Guarantee]:
    """Return how often each guarantee occurs."""
    return Counter({guarantee: count for guarantee, count in as_groups(listed(guarantees), k) if count})


# ------------------------------------------------------------------------------------------ the worst subset


@dataclass(frozen=True)
class Choice:
    """What is taken of the first groups, the largest epsilons; `needed` rounds of the others still have to be.

    `left_out` is the largest delta among those that were not taken; whoever has no more than that is smaller in both
    numbers, and must not be taken either.
    """

    taken: tuple[tuple[Guarantee, int], ...]
    place: int
    needed: int
    left_out: float

    def take(self, guarantee: Guarantee, number: int, count: int) -> Choice:
        """Take a number of the rounds of the next group, which has `count`."""
        taken = (*self.taken, (guarantee, number)) if number else self.taken
        left_out = self.left_out if number == count else max(self.left_out, guarantee.delta)
        return Choice(taken, self.place + 1, self.needed - number, left_out)


def _candidates(guarantees: Counter[Guarantee], n: int) -> list[Counter[Guarantee]] | None:
    """Return the subsets of n rounds of which one is worst; None if there are too many, or too many to compose.

    A guarantee is never used while a larger one (in both numbers) is left out. If all are ordered, this leaves the n
    largest; otherwise the worst subset depends on delta, and all such choices are candidates.
    """
    found = []
    work = 0
    for subset in _choices(guarantees, n):
        found.append(subset)
        work += min(math.prod(count + 1 for count in subset.values()), MOST_LOSSES)
        if len(found) > MOST_SUBSETS or (work > MOST_WORK and len(found) > 1):
            return None
    return found


def _choices(guarantees: Counter[Guarantee], n: int) -> Iterator[Counter[Guarantee]]:
    """Yield the subsets of n rounds in which a larger guarantee comes before all that it dominates.

    A walk through the tree of choices, one group after the other. As long as the other groups have room for what is
    needed, there is a subset to be found; so no way is a dead end.
    """
    ordered = sorted(guarantees.items(), key=lambda item: (-item[0].epsilon, -item[0].delta))
    deltas = np.array([g.delta for g, _ in ordered])
    counts = np.array([count for _, count in ordered])
    waiting = [Choice((), place=0, needed=n, left_out=-math.inf)]
    while waiting:
        choice = waiting.pop()
        if choice.needed == 0:
            yield Counter(dict(choice.taken))
            continue
        guarantee, count = ordered[choice.place]
        for number in _numbers(choice, guarantee, count):
            further = choice.take(guarantee, number, count)
            room = counts[further.place :][deltas[further.place :] > further.left_out]
            if room.sum() >= further.needed:
                waiting.append(further)


def _numbers(choice: Choice, guarantee: Guarantee, count: int) -> range:
    """Return how many rounds of a group may be taken, fewest first; not more ways than anybody will look at."""
    if guarantee.delta <= choice.left_out:
        return range(1)
    most = min(count, choice.needed)
    return range(max(0, most - MOST_SUBSETS), most + 1)


def _largest_of_each(guarantees: Counter[Guarantee], n: int) -> Counter[Guarantee]:
    """Return n guarantees that no subset exceeds: the largest epsilons with the largest deltas."""
    everyone = list(guarantees.elements())
    eps = sorted((g.epsilon for g in everyone), reverse=True)[:n]
    deltas = sorted((g.delta for g in everyone), reverse=True)[:n]
    both = Counter(zip(eps, deltas, strict=True))
    return Counter({Guarantee(*numbers): count for numbers, count in both.items()})


# ------------------------------------------------------------------------------------------------------- names


def _names(subsets: list[Counter[Guarantee]]) -> list[str]:
    """Describe each subset, with as many digits as it takes to tell them apart; long ones get a number."""
    for digits in (6, 17):
        names = [_describe(subset, digits) for subset in subsets]
        if len(set(names)) == len(subsets):
            return names
    return [f"{name} (candidate {i})" for i, name in enumerate(names, start=1)]


def _describe(subset: Counter[Guarantee], digits: int) -> str:
    """Return a subset as text, the first guarantees of a long one."""
    first = list(subset.items())[:MOST_NAMED]
    shown = [f"{n} x ({g.epsilon:.{digits}g}, {g.delta:.{digits}g})" for g, n in first]
    more = len(subset) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
