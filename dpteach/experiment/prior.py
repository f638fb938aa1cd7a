r"""An adversary who knows little: nowhere, or in at least one database with all possibilities equally likely?

The uniform law on all vectors tosses a fair coin for every database. So each round is the mechanism on a *subsampled*
database, and ignorance helps as subsampling does (HBW, section V-B). Leaving out 00...0 is what makes it interesting.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

from .. import checks
from ..composition import Guarantees, compose_by
from ..guarantee import Guarantee, as_groups
from ..pair import DIRECTIONS, Pair
from ..rounding import UNIT, up
from .contribution import expand
from .exact import HypothesisCurve, hypothesis_dp
from .hypothesis import Hypothesis
from .matching import Recipe

HALF = Fraction(1, 2)


def subsampled(mechanism: Guarantee | Pair, rate=HALF, direction: str = "both") -> Guarantee | Pair:
    r"""Return what is left when the person's record is used only with probability `rate`.

    For a `Pair` (without, with the record) it is the pair (P, (1 - rate) P + rate Q). For a guarantee with x = e^eps:
    e^eps' = 1 + rate (x - 1) and delta' = rate delta, which bounds the sampled law by the other ("qp"); the other
    direction ("pq") is better, e^-eps' = 1 - rate + rate / x and delta' = rate delta e^eps' / x. "both" returns the
    larger one.

    >>> subsampled(Guarantee(math.log(3), 0.1))
    Guarantee(epsilon=0.6931471806, delta=0.05)
    """
    checks.choice("direction", direction, DIRECTIONS)
    checks.scalar("rate", rate, low=0, high=1)
    if isinstance(mechanism, Pair):
        rate = Fraction(rate) if mechanism.exact and checks.is_exact(rate) else float(rate)
        p, q = (law if mechanism.exact else law.astype(float) for law in (mechanism.p, mechanism.q))
        return Pair(list(p), list((1 - rate) * p + rate * q), outcomes=mechanism.outcomes)
    if not isinstance(mechanism, Guarantee):
        raise ValueError(f"mechanism must be a Guarantee or a Pair, not {checks.shorten(mechanism)}")
    eps, delta, q = float(mechanism.epsilon), float(mechanism.delta), float(rate)
    if q in (0, 1):
        return Guarantee(q * eps, q * delta) if q else Guarantee(0)
    if direction == "pq":
        kept = up(-_log_mixture(q, -eps))
        return Guarantee(kept, min(up(q * delta * math.exp(kept - eps)), 1.0))
    return Guarantee(up(_log_mixture(q, eps)), delta / 2 if q == 0.5 else min(up(q * delta), 1.0))


def _log_mixture(rate: float, loss: float) -> float:
    """Return log(1 - rate + rate e^loss)."""
    if loss > 1:  # nothing here may overflow
        return float(np.logaddexp(math.log1p(-rate), math.log(rate) + loss))
    added = rate * math.expm1(loss)
    return math.log1p(added) if added > -0.5 else math.log(1 - rate + rate * math.exp(loss))


def uniform_prior(guarantees: Guarantees, k: int | None = None) -> UniformPrior:
    """Return all that is known about nowhere against the uniform law on all other vectors (HBW, Theorem 3)."""
    listed = expand(as_groups_in_order(guarantees, k))
    if not listed:
        raise ValueError("guarantees must hold at least one guarantee")
    return UniformPrior(listed)


def as_groups_in_order(guarantees: Guarantees, k: int | None) -> list[tuple[Guarantee, int]]:
    """Return the guarantees in their order, which matters in Theorem 3."""
    if k is not None or isinstance(guarantees, Guarantee):
        return as_groups(guarantees, k)
    guarantees = list(guarantees) if np.iterable(guarantees) and not isinstance(guarantees, str) else guarantees
    as_groups(guarantees)
    return [(g, 1) for g in guarantees]


class UniformPrior:
    """The bounds of HBW for 00...0 against the uniform law on all other vectors, and the exact value.

    Theorem 3 and Corollary 6 come as a `Recipe`: `valid` says in which direction they hold ("pq" bounds nowhere by
    somewhere), and `corrected` repairs them.
    """

    def __init__(self, guarantees: list[Guarantee]):
        self.guarantees, self.k = guarantees, len(guarantees)
        self.halved = [subsampled(g) for g in guarantees]

    @cached_property
    def exact(self) -> HypothesisCurve:
        """The exact curve; "pq" bounds nowhere by somewhere, "qp" somewhere by nowhere."""
        zero, nonzero = Hypothesis.point([0] * self.k), Hypothesis.nonzero(self.k)
        equal = len(set(self.guarantees)) == 1
        return hypothesis_dp(self.guarantees[0] if equal else self.guarantees, zero, nonzero)

    @property
    def weights(self) -> list[Fraction]:
        """The probability that round i is the first with the record, 2^(k-i) / (2^k - 1)."""
        return [Fraction(2 ** (self.k - i), 2**self.k - 1) for i in range(1, self.k + 1)]

    def theorem_3(self, theorem: str = "basic", delta: float | None = None) -> Recipe:
        """Condition on the first round with the record: compose it with the subsampled rounds after it (Theorem 3)."""
        rest = range(self.k)
        told = [compose_by(theorem, [self.guarantees[i], *self.halved[i + 1 :]], delta) for i in rest]
        return Recipe(self.weights, told, point=0)

    def corollary_6(self, theorem: str = "basic", delta: float | None = None) -> Recipe:
        """As Theorem 3, the first round with the record added by basic composition (Corollary 6)."""
        told = []
        for i, first in enumerate(self.guarantees):
            rest = compose_by(theorem, self.halved[i + 1 :], delta) if i + 1 < self.k else Guarantee(0)
            told.append(Guarantee(first.epsilon + rest.epsilon, min(first.delta + rest.delta, 1.0)))
        return Recipe(self.weights, told, point=0)

    def corollary_7(self) -> Guarantee:
        """Closed form for equal guarantees (Corollary 7), with x = e^eps'.

        e^eps = ((1 + x)^k - 1) / (2^k - 1),  delta = k delta' 2^(k-1) / (2^k - 1).
        """
        if len(set(self.guarantees)) != 1:
            raise ValueError(
                "guarantees must be equal for Corollary 7; use theorem_3 or corollary_6 for different ones"
            )
        (eps, delta), k = self.guarantees[0], self.k
        return Guarantee(up(uniform_epsilon(eps, k)), min(up(k * delta / 2 / -math.expm1(-k * math.log(2))), 1.0))

    def by_subsampling(self, theorem: str = "basic", delta: float | None = None) -> tuple[Guarantee, Guarantee]:
        r"""Return the bounds of somewhere by nowhere and of nowhere by somewhere, without Theorem 3.

        The subsampled rounds compose to (a, d). Take 00...0 out of the uniform law; with A = e^a and N = 2^k that is
        e^eps = (N A - 1) / (N - 1), delta = N d / (N - 1) one way, and
        e^eps = A (N - 1) / (N - A), delta = N d / (N - A) the other way, as long as A < N.
        """
        forward = compose_by(theorem, self.halved, delta)
        one_way = "pq" if theorem == "basic" else "both"  # the other theorems need their guarantees in both directions
        backward = compose_by(theorem, [subsampled(g, direction=one_way) for g in self.guarantees], delta)
        share, a, log_n = 2.0**-self.k, float(backward.epsilon), self.k * math.log(2)
        one = _removed(float(forward.epsilon), share), float(forward.delta) / (1 - share)
        left = -math.expm1(min(a - log_n, 0.0)) - 4 * UNIT * (a + log_n)  # 1 - A / N, rounded down
        two = (_taken(a, share, left), float(backward.delta) / left) if left > 0 else (math.inf, 1.0)
        return tuple(Guarantee(up(eps), min(up(d), 1.0)) for eps, d in (one, two))


def uniform_epsilon(eps: float, k: int) -> float:
    """Return log(((1 + e^eps)^k - 1) / (2^k - 1)) (HBW, eq. 4)."""
    if eps == math.inf:
        return math.inf
    return _removed(k * _log_mixture(0.5, eps), 2.0**-k)


def _removed(a: float, share: float) -> float:
    """Return log((e^a - share) / (1 - share)): what is left of a mixture without its part at 00...0."""
    if a < 1:
        return math.log1p(math.expm1(a) / (1 - share))
    return a + math.log1p(-share * math.exp(-a)) - math.log1p(-share)


def _taken(a: float, share: float, left: float) -> float:
    """Return log(e^a (1 - share) / left) for left = 1 - share e^a."""
    if a < 1:
        return math.log1p(math.expm1(a) / left)
    return a + math.log1p(-share) - math.log(left)
