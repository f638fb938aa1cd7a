"""The guarantee: the promise (epsilon, delta), which is at the same time the curve of its worst pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from . import checks
from .pair import Pair


class Parameter(float):
    """A number of a guarantee that can also be called, to ask the guarantee's curve."""

    def __new__(cls, value: float, ask):
        number = super().__new__(cls, value)
        number._ask = ask
        return number

    def __call__(self, *args, **kwargs):
        return self._ask(*args, **kwargs)

    def __reduce__(self):
        return float, (float(self),)


class Guarantee:
    """The promise of (epsilon, delta)-differential privacy.

    `g.epsilon` and `g.delta` are its two numbers. A guarantee is a curve too: `g.delta(eps)` is the smallest delta
    that it promises at another eps, `g.epsilon(delta)` the smallest eps at another delta. They are those of the
    worst pair allowed by the promise (KOV, section 3.2), rounded up; nothing more can be deduced from the promise.

    >>> eps, delta = Guarantee(1, 1e-6)
    >>> round(Guarantee(1, 0).delta(0), 12)  # the total variation distance, tanh(1/2)
    0.46211715726
    """

    def __init__(self, epsilon, delta=0):
        self._epsilon = checks.scalar("epsilon", epsilon, low=0)
        self._delta = checks.scalar("delta", delta, low=0, high=1)

    @property
    def epsilon(self) -> Parameter:
        """The promised epsilon; called with a delta, the epsilon promised there."""
        return Parameter(self._epsilon, self._epsilon_at)

    @property
    def delta(self) -> Parameter:
        """The promised delta; called with an eps, the delta promised there."""
        return Parameter(self._delta, self._delta_at)

    @cached_property
    def worst_pair(self) -> Pair:
        """The pair that loses as much as the guarantee allows: randomized response that fails openly."""
        return worst_pair(self._epsilon, self._delta)

    @cached_property
    def _curve(self):
        from .optimal import optimal  # which is built on guarantees

        return optimal(self)

    def _epsilon_at(self, delta):
        return self._curve.epsilon(delta)

    def _delta_at(self, eps):
        return self._curve.delta(eps)

    def tradeoff(self, alpha):
        """Smallest type II error of any test with type I error at most alpha against the worst pair."""
        return self.worst_pair.tradeoff(alpha)

    def region(self) -> np.ndarray:
        """Return the vertices of the privacy region R(epsilon, delta), both halves (KOV, eq. 2, Figure 1)."""
        return self.worst_pair.region()

    def __iter__(self) -> Iterator[float]:
        return iter((self._epsilon, self._delta))

    def __eq__(self, other) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Guarantee) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Guarantee(epsilon={self._epsilon:.10g}, delta={self._delta:.10g})"


def worst_pair(eps: float, delta: float) -> Pair:
    """Return the pair that every (eps, delta)-DP pair can be simulated from (KOV, section 3.2)."""
    likely, unlikely = 1 / (1 + np.exp(-eps)), np.exp(-eps) / (1 + np.exp(-eps))
    p = np.array([delta, (1 - delta) * likely, (1 - delta) * unlikely, 0.0])
    loss = np.array([np.inf, eps, -eps, -np.inf])
    used = [0, 1, 2, 3] if delta > 0 else [1, 2]
    return Pair._of(p[used], p[::-1][used], loss[used])


def as_groups(guarantees, k=None) -> list[tuple[Guarantee, int]]:
    """Return the distinct guarantees with their multiplicities: one guarantee k times, or a list."""
    if isinstance(guarantees, Guarantee):
        return [(guarantees, 1 if k is None else checks.count("k", k))]
    listed = list(guarantees) if np.iterable(guarantees) and not isinstance(guarantees, str) else [guarantees]
    for guarantee in listed:
        if not isinstance(guarantee, Guarantee):
            raise ValueError(f"guarantees must be a Guarantee or a list of them, not {checks.shorten(guarantee)}")
    if k is not None:
        raise ValueError(f"k must be left out when a list of guarantees is given, not {checks.shorten(k)}")
    return list(Counter(listed).items())
