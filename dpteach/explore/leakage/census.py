"""A small town and its census: what is published, what that promises, and how sure it can make a neighbour."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from ...channel import as_pair, differ_in_one
from ...curve import VACUOUS
from ...leakage.examples import INVARIANTS, truncated_geometric, truthful

Town = tuple[tuple[str, int], ...]
Ratio = Fraction | float

RECORDS = tuple(product("AB", (0, 1)))  # a block and a flag
BLOCK = 0  # where they stand in a record
FLAG = 1
COUNTS = "noisy flag counts of A and B"
ANSWERS = "every flag, by a noisy answer"
FLAG_CHANGES = "flag changes"
BLOCK_CHANGES = "block changes"
BOTH_CHANGE = "both change"
KINDS = (FLAG_CHANGES, BLOCK_CHANGES, BOTH_CHANGE)


@dataclass(frozen=True)
class Census:
    """What is asked of a town: how many people, what is released with noise, and what leaks."""

    people: int
    release: str
    ratio: Fraction
    invariants: tuple[str, ...]
    sums: bool  # whether the sum of each flag and the next one, modulo 2, leaks
    blurred: bool  # whether the leak is noisy

    @property
    def towns(self) -> list[Town]:
        """All towns; the first person, Anna, changes slowest."""
        return list(product(RECORDS, repeat=self.people))

    @property
    def released(self) -> list[Published]:
        """The numbers that are released with noise."""
        functions = [INVARIANTS["flags in A"], INVARIANTS["flags in B"]]
        if self.release == ANSWERS:
            functions = [flag_of(i) for i in range(self.people)]
        return [self._published(function, self.ratio) for function in functions]

    @property
    def leaks(self) -> list[Published]:
        """The numbers that leak."""
        functions = [INVARIANTS[name] for name in self.invariants]
        if self.sums:
            functions += [sum_with_next(i) for i in range(self.people - 1)]
        return [self._published(function, self.ratio if self.blurred else None) for function in functions]

    def _published(self, statistic: Callable[[Town], int], ratio: Fraction | None) -> Published:
        return Published(statistic, max(map(statistic, self.towns)), ratio)


def flag_of(i: int) -> Callable[[Town], int]:
    """Return the function that reads the flag of person i."""
    return lambda town: town[i][FLAG]


def sum_with_next(i: int) -> Callable[[Town], int]:
    """Return the function that adds the flags of persons i and i + 1, modulo 2."""
    return lambda town: town[i][FLAG] ^ town[i + 1][FLAG]


@dataclass(frozen=True)
class Published:
    """A number that is published: a function of the town, its largest value, and the e^eps of its noise, if any."""

    statistic: Callable[[Town], int]
    top: int
    ratio: Fraction | None

    def law(self, town: Town) -> dict[int, Fraction]:
        """Return the law of what is printed about a town."""
        return printed(self.statistic(town), self.top, self.ratio)

    def apart(self, x: Town, y: Town) -> Ratio:
        """Return how much likelier town x makes what is printed than town y does, at most."""
        return largest_ratio(self.statistic(x), self.statistic(y), self.top, self.ratio)


@lru_cache(maxsize=512)
def printed(value: int, top: int, ratio: Fraction | None) -> dict[int, Fraction]:
    """Return the law of a published number between 0 and `top`; a bit is told by randomized response."""
    if ratio is None:
        return {value: Fraction(1)}
    return truthful(value, ratio) if top == 1 else truncated_geometric(value, top, ratio)


@lru_cache(maxsize=4096)
def largest_ratio(value: int, other: int, top: int, ratio: Fraction | None) -> Ratio:
    """Return how much likelier one value makes what is printed than another one does, at most."""
    return as_pair(printed(value, top, ratio), printed(other, top, ratio)).ratio(0, "pq")


# --------------------------------------------------------------------------------------------------- what is promised


class Promise(NamedTuple):
    """Of one kind of neighbours: how many are covered, of how many, and the largest e^eps by the three notions."""

    covered: int
    neighbours: int
    given: Ratio
    alone: Ratio
    both: Ratio

    @property
    def by_notion(self) -> tuple:
        """The three e^eps: given the leak, of the release alone, of release and leak."""
        return self.given, self.alone, self.both


class Compared(NamedTuple):
    """Of two neighbours: e^eps of the release, of release and leak, and whether both can leak the same value."""

    alone: Ratio
    both: Ratio
    share_a_leak: bool


@lru_cache(maxsize=128)
def promised(census: Census) -> dict[str, Promise]:
    """Return for each kind of neighbours: how many are covered, of how many, and e^eps by the three notions.

    All noise is independent, so that the largest ratios multiply; and the leak does not change the law of the release,
    so that bounded leakage is the DP of the release on the neighbours that can share a leaked value (Lemma 7).
    """
    released = census.released
    leaks = census.leaks
    found: dict[str, list[Compared]] = {kind: [] for kind in KINDS}
    for x, y in combinations(census.towns, 2):
        if differ_in_one(x, y):
            found[kind_of(x, y)].append(compared(released, leaks, x, y))
    return {kind: summary(neighbours) for kind, neighbours in found.items()}


def compared(released: list[Published], leaks: list[Published], x: Town, y: Town) -> Compared:
    """Compare two neighbouring towns, both ways."""
    release = largest(released, x, y)
    release_back = largest(released, y, x)
    leak = largest(leaks, x, y)
    leak_back = largest(leaks, y, x)
    return Compared(
        alone=max(release, release_back),
        both=max(release * leak, release_back * leak_back),
        share_a_leak=max(leak, leak_back) < math.inf,
    )


def largest(numbers: list[Published], x: Town, y: Town) -> Ratio:
    """Return how much likelier town x makes anything in the published numbers than town y does, at most."""
    return math.prod((number.apart(x, y) for number in numbers), start=Fraction(1))


def kind_of(x: Town, y: Town) -> str:
    """Say what differs in the one record in which two towns differ."""
    ((one, other),) = ((a, b) for a, b in zip(x, y, strict=True) if a != b)
    if one[BLOCK] == other[BLOCK]:
        return FLAG_CHANGES
    return BLOCK_CHANGES if one[FLAG] == other[FLAG] else BOTH_CHANGE


def summary(neighbours: list[Compared]) -> Promise:
    """Return how many pairs are covered, of how many, and the largest e^eps given the leak, without it, and of both."""
    covered = [pair.alone for pair in neighbours if pair.share_a_leak]
    return Promise(
        covered=len(covered),
        neighbours=len(neighbours),
        given=max(covered, default=VACUOUS),
        alone=max(pair.alone for pair in neighbours),
        both=max(pair.both for pair in neighbours),
    )


# ---------------------------------------------------------------------------------------------------- what is learned


@lru_cache(maxsize=128)
def learned(census: Census, insider: bool) -> dict[str, list[Fraction]]:
    """Return how sure one can be, at best, of Anna's flag and block: from nothing, the leak, the release and both."""
    released = [law_table(number, census.towns) for number in census.released]
    leaks = [law_table(number, census.towns) for number in census.leaks]
    views = [[], leaks, released, leaks + released]
    return {
        "flag": [surest(view, FLAG, insider) for view in views],
        "block": [surest(view, BLOCK, insider) for view in views],
    }


def law_table(number: Published, towns: list[Town]) -> np.ndarray:
    """Return the law of one published number as a table: a row for each town, a column for each value."""
    values = range(number.top + 1)
    rows = [[number.law(town).get(value, Fraction(0)) for value in values] for town in towns]
    return np.array(rows, dtype=object)


def surest(view: list[np.ndarray], part: int, insider: bool) -> Fraction:
    """Return the largest posterior probability of a value of Anna's record, over all that can be seen.

    All towns are equally likely before; an insider knows the records of the others. The best view is found in floats,
    and the probability is then computed in fractions.
    """
    if not view:
        return Fraction(1, 2)
    others, column = most_telling(view, part, insider)
    values = np.unravel_index(column, [table.shape[1] for table in view])
    seen = [table[:, [value]] for table, value in zip(view, values, strict=True)]
    chances = by_record(reduce(side_by_side, seen), insider)[:, others, 0]
    chance = chances[has_first_value(part)].sum() / chances.sum()
    return max(chance, 1 - chance)


def most_telling(view: list[np.ndarray], part: int, insider: bool) -> tuple[int, int]:
    """Return which records of the others and which column of the view make one surest, found in floats."""
    seen = reduce(side_by_side, [table.astype(float) for table in view])
    chances = by_record(seen, insider)
    total = chances.sum(axis=0)
    first = chances[has_first_value(part)].sum(axis=0)
    possible = total > 0
    lead = np.abs(2 * first - total) / np.where(possible, total, 1)
    return np.unravel_index(np.argmax(np.where(possible, lead, -1)), lead.shape)


def by_record(seen: np.ndarray, insider: bool) -> np.ndarray:
    """Return chances by Anna's record, the others' records (if they are known) and what is seen."""
    chances = seen.reshape(len(RECORDS), -1, seen.shape[1])
    return chances if insider else chances.sum(axis=1, keepdims=True)


def has_first_value(part: int) -> np.ndarray:
    """Say which records have the first value of a part: block A, or flag 0."""
    return np.array([record[part] == RECORDS[0][part] for record in RECORDS])


def side_by_side(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the laws of two independent numbers, seen together."""
    return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)
