"""The guarantee: the promise of (epsilon, delta)-differential privacy, two numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from . import checks
from .annotations import Number, Numbers
from .numerics.rounding import FUNCTION, SMALLEST_PLAIN, TINY
from .numerics.side import Error
from .pair import Pair

__all__ = ["Guarantee"]

LARGEST_EPS = 700.0  # e^700 is still a float


class Guarantee:
    """The promise of (epsilon, delta)-differential privacy.

    `g.epsilon` and `g.delta` are its two numbers. It has a curve, `g.curve`: that of the worst pair which the promise
    allows (KOV, section 3.2). `g.curve.delta(eps)` is what it promises at another eps; nothing more can be deduced.

    >>> eps, delta = Guarantee(1, 1e-6)
    >>> round(Guarantee(1, 0).curve.delta(0), 12)  # the total variation distance, tanh(1/2)
    0.46211715726
    """

    def __init__(self, epsilon: Number, delta: Number = 0):
        self.epsilon = checks.scalar("epsilon", epsilon, low=0)
        self.delta = checks.scalar("delta", delta, low=0, high=1)

    @cached_property
    def curve(self) -> Pair:
        """The pair that loses as much as the guarantee allows: randomized response that fails openly."""
        return worst_pair(self.epsilon, self.delta)

    @property
    def equal_errors(self) -> float:
        """The least error that a tester can have both ways at once, (1 - delta) / (1 + e^eps) (KOV, Figure 1)."""
        odds = math.exp(-self.epsilon)
        return (1 - self.delta) * odds / (1 + odds)

    @property
    def log_equal_errors(self) -> float:
        """The logarithm of `equal_errors`, which may be too small for a float."""
        if self.delta == 1:
            return -math.inf
        return math.log1p(-self.delta) - self.epsilon - math.log1p(math.exp(-self.epsilon))

    def __iter__(self) -> Iterator[float]:
        return iter((self.epsilon, self.delta))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Guarantee) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Guarantee(epsilon={self.epsilon:.10g}, delta={self.delta:.10g})"


def worst_pair(eps: float, delta: float) -> Pair:
    """Return the pair that every (eps, delta)-DP pair can be simulated from (KOV, section 3.2).

    Its probabilities are off by a function, a sum, a quotient, a difference and a product; e^-eps may underflow.

    >>> worst_pair(0.0, 0.5)
    Pair(p=[0.5, 0.25, 0.25, 0], q=[0, 0.25, 0.25, 0.5])
    """
    odds = np.exp(-eps)
    likely = 1 / (1 + odds)
    unlikely = odds / (1 + odds)
    p = np.array([delta, (1 - delta) * likely, (1 - delta) * unlikely, 0.0])
    loss = np.array([np.inf, eps, -eps, -np.inf])
    used = [0, 1, 2, 3] if delta > 0 else [1, 2]
    mass = 2 * TINY if odds < SMALLEST_PLAIN else 0.0
    error = Error(units=FUNCTION + 4, mass=mass, certain=0)
    return Pair._of(p[used], p[::-1][used], loss[used], error=error)


def likelier(p: Number, ratio: Number, delta: Number) -> Number:
    """Return the largest probability that an event of probability p may have on a neighbour, by (log ratio, delta).

    It is min(ratio p + delta, 1 - (1 - delta - p) / ratio, 1) (KOV, eq. 2). Which of them is the least can be seen from
    p; the second would lose the digits of a small answer in floats.
    """
    if p * (1 + ratio) <= 1 - delta:
        return ratio * p + delta
    opposite = (1 - delta - p) / ratio
    return 1 - max(opposite, 0 * p)


def least_error(eps: Numbers, delta: Numbers, other: Numbers) -> np.ndarray:
    """Return the least error of a tester whose other error is given, by (eps, delta); all may be arrays.

    It is max(1 - delta - e^eps other, e^-eps (1 - delta - other), 0) (KOV, eq. 2). Beyond LARGEST_EPS the first line
    is as good as upright; e^eps would be infinite.
    """
    kept = 1 - delta
    steep = kept - np.exp(np.minimum(eps, LARGEST_EPS)) * other
    flat = np.exp(-eps) * (kept - other)
    return np.maximum(np.maximum(steep, flat), 0.0)


def as_groups(guarantees: Any, k: int | None = None) -> list[tuple[Guarantee, int]]:
    """Return the distinct guarantees with their multiplicities: one guarantee k times, a list, or a `Counter`."""
    if isinstance(guarantees, Guarantee):
        return [(guarantees, 1 if k is None else checks.count("k", k))]
    if isinstance(guarantees, Counter) and k is None:
        return list(guarantees.items())
    listed = list(guarantees) if np.iterable(guarantees) and not isinstance(guarantees, str) else [guarantees]
    different = {id(guarantee): guarantee for guarantee in listed}  # a million equal ones are often one object
    for guarantee in different.values():
        if not isinstance(guarantee, Guarantee):
            raise ValueError(f"guarantees must be a Guarantee or a list of them, not {checks.shorten(guarantee)}")
    if k is not None:
        raise ValueError(f"k must be left out when a list of guarantees is given, not {checks.shorten(k)}")
    times = Counter(map(id, listed))
    groups: Counter[Guarantee] = Counter()
    for name, guarantee in different.items():
        groups[guarantee] += times[name]
    return list(groups.items())
