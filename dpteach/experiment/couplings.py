"""Bounds by matching that hold for any two hypotheses, where the paper's recipe does not."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from ..guarantee import Guarantee
from ..numerics.rounding import FUNCTION, UNIT, up
from ..table import Table
from .hypothesis import Hypothesis, check_two
from .matching import Price, scaled
from .recipe import log_mean, mean
from .rounds import Rounds, Sequence
from .transport import Margins

LARGEST_EXPONENT = 700.0  # e^this is a float


@dataclass(frozen=True)
class CouplingBounds:
    """Bounds that hold for any two hypotheses, in both directions.

    - bottleneck: the largest matched eps_i, made as small as a matching can make it.
    - conditional: in each direction the smaller of two bounds, the largest mean of e^eps_i given the vector on the
      right, and 1 / the smallest mean of e^-eps_i given the vector on the left.
    - product: the mean of e^eps over all pairs of vectors, drawn independently.
    """

    bottleneck: Guarantee
    conditional: Guarantee
    product: Guarantee

    def table(self) -> Table:
        """Return the bounds as a table."""
        rows = []
        for name, bound in vars(self).items():
            ratio = math.exp(min(bound.epsilon, LARGEST_EXPONENT))
            rows.append((name, bound.epsilon, ratio, bound.delta))
        return Table(rows, ["bound", "epsilon", "e^epsilon", "delta"])


def coupling_bounds(
    guarantees: Rounds, h0: Hypothesis, h1: Hypothesis, theorem: str = "basic", delta: float | None = None
) -> CouplingBounds:
    """Return the bounds by matching that hold for any two hypotheses; the best matchings are linear programs."""
    rounds = Sequence(guarantees, check_two(h0, h1))
    margins = Margins.of(h0.law.values(), h1.law.values())
    pairs = VectorPairs.of(margins, Price(rounds, theorem, delta).table(h0, h1))
    bottleneck = pairs.bottleneck()
    if bottleneck.epsilon == math.inf:
        return CouplingBounds(bottleneck, bottleneck, pairs.product())
    forth = _best([pairs.arithmetic(), pairs.harmonic(), bottleneck])
    back = _best([pairs.swapped().arithmetic(), pairs.swapped().harmonic(), bottleneck])
    return CouplingBounds(bottleneck, _weaker(forth, back), pairs.product())


@dataclass(frozen=True)
class VectorPairs:
    """All pairs of vectors with what they cost, eps and delta, and the laws that a coupling of them joins."""

    margins: Margins
    eps: np.ndarray
    delta: np.ndarray

    @classmethod
    def of(cls, margins: Margins, prices: list[list[Guarantee]]) -> VectorPairs:
        """Return the pairs with these prices."""
        eps = np.array([[price.epsilon for price in row] for row in prices])
        delta = np.array([[price.delta for price in row] for row in prices])
        return cls(margins, eps, delta)

    def swapped(self) -> VectorPairs:
        """Return the same pairs seen from the second hypothesis."""
        return VectorPairs(self.margins.swapped(), self.eps.T, self.delta.T)

    def bottleneck(self) -> Guarantee:
        """Return the least eps such that pairs up to it can carry all the weight."""
        values = np.unique(self.eps)
        least = values[bisect_left(values[:-1], True, key=self._carries_all)]
        coupling = self._below(least)
        return Guarantee(least, self._mean_delta(coupling))

    def _carries_all(self, eps: float) -> bool:
        """Say whether the pairs that cost at most eps can carry all the weight."""
        dear = self.eps > eps
        return not any(self._below(eps)[dear])

    def _below(self, eps: float) -> np.ndarray:
        """Return the coupling that puts as much weight as possible on the pairs that cost at most eps."""
        dear = self.eps > eps
        return self.margins.cheapest(dear.astype(float))

    def _mean_delta(self, coupling: np.ndarray) -> float:
        return min(mean(coupling.ravel(), self.delta.ravel()), 1.0)

    def arithmetic(self) -> Guarantee:
        """Return the least max over b1 of the mean of e^eps given b1; delta is its mean."""
        coupling = self.margins.least_largest_mean(scaled(self.eps))
        columns = zip(coupling.T, self.margins.columns, self.eps.T, strict=True)
        means = [log_mean(weights / total, eps) for weights, total, eps in columns]
        return Guarantee(max(means), self._mean_delta(coupling))

    def harmonic(self) -> Guarantee:
        """Return the least 1 / min over b0 of the mean of e^-eps given b0, with its delta."""
        coupling = self.margins.swapped().least_largest_mean(-scaled(self.eps, -1).T).T
        rows = zip(coupling, self.margins.rows, self.eps, strict=True)
        means = [log_mean(weights / total, -eps, rounding=-1) for weights, total, eps in rows]
        eps = -min(means)
        if eps == math.inf:
            return Guarantee(math.inf, 1.0)
        grown = np.exp(np.minimum(eps - self.eps, LARGEST_EXPONENT)) * self.delta
        delta = mean(coupling.ravel(), grown.ravel())
        error = UNIT * (eps + 2 * FUNCTION)  # of the difference, and of exp
        return Guarantee(eps, min(up(delta * (1 + error)), 1.0))

    def product(self) -> Guarantee:
        """Return the mean of e^eps over independent vectors, with the largest delta."""
        weights = self.margins.independent()
        return Guarantee(log_mean(weights.ravel(), self.eps.ravel()), np.max(self.delta))


def _best(bounds: list[Guarantee]) -> Guarantee:
    """Return the bound with the least epsilon among those that promise anything."""
    return min(bounds, key=lambda bound: (bound.delta >= 1, bound.epsilon, bound.delta))


def _weaker(one: Guarantee, two: Guarantee) -> Guarantee:
    """Return a guarantee that is weaker than both."""
    return Guarantee(max(one.epsilon, two.epsilon), max(one.delta, two.delta))
