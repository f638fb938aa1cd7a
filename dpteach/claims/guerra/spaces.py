"""What the files on GMPS, sections II and III, share: small classes of databases, spaces, and what is compared."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import numpy as np

from ...granularity import (
    DatabaseClass,
    Granularity,
    NeighbourSpace,
    PrivacySpace,
)
from ...notions import (
    FiniteMechanism,
)
from ..reference import granularity as by_hand

INF, HALF = math.inf, Fraction(1, 2)
UP_TO_3 = DatabaseClass.multisets("ab", at_most=3)  # the ten databases of most examples
UP_TO_2 = DatabaseClass.multisets("ab", at_most=2)


def agrees(space: PrivacySpace, d: by_hand.Distances) -> bool:
    """Say whether all distances of a space are those found by hand."""
    listed = list(enumerate(space.databases))
    return all(space.matrix[i, j] == d[D, E] for (i, D), (j, E) in product(listed, repeat=2))


def same_laws(mechanism: FiniteMechanism, laws: by_hand.Laws) -> bool:
    """Say whether a mechanism has the laws found by hand (outputs that never occur do not count)."""
    possible = lambda law: {y: p for y, p in law.items() if p}  # noqa: E731
    return all(possible(mechanism.law(D)) == possible(laws[D]) for D in mechanism.cls)


def attains(mechanism: FiniteMechanism, space: PrivacySpace, base: int = 2) -> bool:
    """Say whether e^eps = base^d at all pairs."""
    expected = [[by_hand.power(base, d) for d in row] for row in space.matrix.tolist()]
    return mechanism.ratios.tolist() == expected


def graph(pairs: Iterable[tuple[int, int]], size: int, name: str = "random") -> NeighbourSpace:
    """Return the databases 0, ..., size - 1 with the given neighbours."""
    return Granularity(pairs, name).on(range(size))


def metric_space(d: by_hand.Distances, size: int) -> PrivacySpace:
    """Return the databases 0, ..., size - 1 with the given distances."""
    return PrivacySpace(range(size), lambda x, y: d[x, y])


def neighbours_of(space: NeighbourSpace) -> set[frozenset]:
    """Return the neighbouring pairs of a space as sets of two."""
    return {frozenset(pair) for pair in space.neighbouring_pairs}


def restrict(D: Iterable, block: Iterable) -> tuple:
    """Return the records of a multiset that belong to a block."""
    return tuple(Counter({x: n for x, n in Counter(D).items() if x in block}).elements())


def refused(ask: Callable) -> bool:
    """Say whether the library refuses a question."""
    try:
        ask()
    except ValueError:
        return True
    return False


def as_function(space: PrivacySpace) -> Callable:
    """Return the distance of a space as a function of two databases."""
    return lambda x, y: space.matrix[x, y].item()


def random_function(rng: np.random.Generator, size: int, values: int) -> Callable[[int], int]:
    """Draw a function from 0, ..., size - 1 to 0, ..., values - 1."""
    table = rng.integers(0, values, size).tolist()
    return lambda x: table[x]
