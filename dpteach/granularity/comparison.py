"""Comparing spaces: how far a granularity's steps reach in another one's, and how far a map spreads databases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import checks
from .databases import DatabaseClass
from .extended import as_matrix, closure, least_factor, whole
from .granularities import Granularity
from .space import NeighbourSpace, PrivacySpace, as_class, as_space


def dist(g1: Granularity, g2: Granularity, cls: DatabaseClass | Iterable[Any]) -> int | float:
    """Return the most g1-steps that one g2-step can take: max of d^g1 over g2-neighbours (section III-A).

    If it is k, then every g1 eps-DP mechanism is g2 (k eps)-DP (Proposition A.3). It depends on the class.

    >>> from .granularities import bounded, unbounded
    >>> dist(unbounded, bounded, DatabaseClass.multisets("ab", at_most=3))
    2
    """
    cls = as_class(cls)
    one = as_granularity("g1", g1).on(cls)
    two = as_granularity("g2", g2).on(cls)
    return sensitivity(None, two, one)


def sensitivity(
    f: Callable[..., Any] | None, space1: PrivacySpace, space2: PrivacySpace | Callable[..., Any]
) -> int | float:
    """Return the least c with d2(f(D), f(D')) <= c d1(D, D') wherever d1 is finite (Definition III.5).

    `f=None` is the identity, whose sensitivity from G1 to G2 is dist(G2, G1). `space2` is a privacy space, or a
    function that gives the distance of two values of f.
    """
    databases = as_space("space1", space1).databases
    images = databases if f is None else list(map(checks.function("f", f), databases))
    spread = _distances(space2, images)
    if isinstance(space1, NeighbourSpace) and isinstance(space2, NeighbourSpace):
        i, j = space1.edges.T  # numbers of steps satisfy the triangle inequality, which does the rest
        return whole(np.max(spread[i, j], initial=0.0))
    return whole(least_factor(spread, space1.matrix))


def _distances(space: PrivacySpace | Callable, images: list) -> np.ndarray:
    if not isinstance(space, PrivacySpace) and callable(space):
        return as_matrix([[space(x, y) for y in images] for x in images], len(images))
    return as_space("space2", space).matrix_at(images)


def as_granularity(name: str, given: Any) -> Granularity:
    """Return a granularity, or say that one is needed."""
    if not isinstance(given, Granularity):
        raise ValueError(f"{name} must be a Granularity such as unbounded, not {checks.shorten(given)}")
    return given


# ----------------------------------------------------------------------------------------------- what depends on f(D)


@dataclass(frozen=True, eq=False)
class MinimumPrivacy:
    """What a d-private mechanism that only looks at f(D) promises (Proposition IV.10), and the best that follows.

    `raw` is d^f(D, D') = min of d over all databases with the same values of f. It is valid, but it need not satisfy
    the triangle inequality; `closure` does, is valid too, never larger, and attained by some mechanism.
    """

    space: PrivacySpace
    labels: np.ndarray
    between: np.ndarray

    @cached_property
    def raw(self) -> PrivacySpace:
        """The paper's d^f on the class."""
        return self._spread(self.between)

    @cached_property
    def closure(self) -> PrivacySpace:
        """The metric closure of d^f on the class."""
        return self._spread(closure(self.between))

    def _spread(self, between: np.ndarray) -> PrivacySpace:
        return PrivacySpace(self.space.cls, between[np.ix_(self.labels, self.labels)])


def minimum_privacy(space: PrivacySpace, f: Callable[..., Any]) -> MinimumPrivacy:
    """Return d^f and its metric closure: what is left of the distances when only f(D) is looked at.

    >>> from .granularities import unbounded
    >>> counts = unbounded.on(DatabaseClass.multisets("a", at_most=8))
    >>> least = minimum_privacy(counts, lambda D: len(D) // 3)
    >>> least.raw.distance("", "a" * 8), least.closure.distance("", "a" * 8)
    (4, 2)
    """
    labels = fibres(f, as_space("space", space).cls)
    return MinimumPrivacy(space, labels, _least_between(space.matrix, labels))


def fibres(f: Callable[..., Any], cls: DatabaseClass) -> np.ndarray:
    """Number the values of f, and return the number of each database's value."""
    ask = checks.function("f", f)
    numbers: dict = {}
    labels = []
    for D in cls:
        value = checks.hashable("the values of f", ask(D))
        labels.append(numbers.setdefault(value, len(numbers)))
    return np.array(labels, dtype=int)


def _least_between(matrix: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the least entry of each block of rows with label a and columns with label b."""
    order = np.argsort(labels, kind="stable")
    sorted_matrix = matrix[np.ix_(order, order)]
    number = labels.max(initial=-1) + 1
    starts = np.searchsorted(labels[order], np.arange(number))
    rows = np.minimum.reduceat(sorted_matrix, starts, axis=0)
    return np.minimum.reduceat(rows, starts, axis=1)
