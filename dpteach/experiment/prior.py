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
from ..composition import THEOREMS, Composed, Guarantees, basic, compose_by
from ..curve import FORTH
from ..guarantee import Guarantee, as_groups
from ..numerics.rounding import FUNCTION, TINY, UNIT, up
from .exact import HypothesisCurve, hypothesis_dp
from .hypothesis import Hypothesis
from .recipe import Recipe
from .sampling import log_mixture, subsampled

MOST_ROUNDS = 10**7  # which are listed, for their order matters
MOST_CONDITIONED = 2000  # rounds of Theorem 3, which composes k times: more would take minutes


def uniform_prior(guarantees: Guarantees, k: int | None = None) -> UniformPrior:
    """Return all that is known about nowhere against the uniform law on all other vectors (HBW, Theorem 3)."""
    listed = _in_order(guarantees, k)
    if not listed:
        raise ValueError("guarantees must hold at least one guarantee")
    return UniformPrior(listed)


def _in_order(guarantees: Guarantees, k: int | None) -> list[Guarantee]:
    """Return the guarantees in their order, which matters in Theorem 3."""
    if k is not None or isinstance(guarantees, Guarantee):
        _check_listed(checks.count("k", 1 if k is None else k))
        return [g for g, count in as_groups(guarantees, k) for _ in range(count)]
    listed = list(guarantees) if np.iterable(guarantees) and not isinstance(guarantees, str) else guarantees
    as_groups(listed)  # refuses what is no list of guarantees
    return listed


def _check_listed(k: int) -> None:
    """Refuse more rounds than can be listed one by one."""
    if k > MOST_ROUNDS:
        raise ValueError(f"k must be at most {MOST_ROUNDS} for a list of all rounds, not {k}")


class UniformPrior:
    """The bounds of HBW for 00...0 against the uniform law on all other vectors, and the exact value.

    Theorem 3 and Corollary 6 come as a `Recipe`: `valid` says in which direction they hold ("pq" bounds nowhere by
    somewhere), and `corrected` repairs them.
    """

    def __init__(self, guarantees: list[Guarantee]):
        self.guarantees = guarantees
        self.k = len(guarantees)
        self.halved = self._subsampled()

    def _subsampled(self, direction: str = "both") -> list[Guarantee]:
        """Return the guarantees of the rounds when a fair coin decides whether the record is used."""
        different = {id(guarantee): guarantee for guarantee in self.guarantees}
        made = {name: subsampled(guarantee, direction=direction) for name, guarantee in different.items()}
        return [made[id(guarantee)] for guarantee in self.guarantees]

    @cached_property
    def _only(self) -> Guarantee | None:
        """The guarantee of all rounds, if it is the same in all of them."""
        different = {id(guarantee): guarantee for guarantee in self.guarantees}
        return self.guarantees[0] if len(set(different.values())) == 1 else None

    @cached_property
    def exact(self) -> HypothesisCurve:
        """The exact curve; "pq" bounds nowhere by somewhere, "qp" somewhere by nowhere."""
        zero = Hypothesis.point([0] * self.k)
        nonzero = Hypothesis.nonzero(self.k)
        return hypothesis_dp(self._only or self.guarantees, zero, nonzero)

    @property
    def weights(self) -> list[Fraction]:
        """The probability that round i is the first with the record, 2^(k-i) / (2^k - 1)."""
        self._check_rounds("weights")
        return [Fraction(2 ** (self.k - i), 2**self.k - 1) for i in range(1, self.k + 1)]

    def _check_rounds(self, name: str) -> None:
        if self.k > MOST_CONDITIONED:
            raise ValueError(
                f"{name} needs at most {MOST_CONDITIONED} rounds, because it looks at each of them as the first one, "
                f"not {self.k}; use exact, by_subsampling or corollary_7"
            )

    def theorem_3(self, theorem: str = "basic", delta: float | None = None) -> Recipe:
        """Condition on the first round with the record: compose it with the subsampled rounds after it (Theorem 3)."""
        self._check_rounds("theorem_3")
        parts = []
        for i, first in enumerate(self.guarantees):
            later = self.halved[i + 1 :]
            parts.append(compose_by(theorem, [first, *later], delta))
        return Recipe(self.weights, parts, point=0)

    def corollary_6(self, theorem: str = "basic", delta: float | None = None) -> Recipe:
        """As Theorem 3, the first round with the record added by basic composition (Corollary 6)."""
        self._check_rounds("corollary_6")
        parts = []
        for i, first in enumerate(self.guarantees):
            later = self.halved[i + 1 :]
            rest = compose_by(theorem, later, delta) if later else Guarantee(0)
            parts.append(basic([first, rest]))
        return Recipe(self.weights, parts, point=0)

    def corollary_7(self) -> Guarantee:
        """Closed form for equal guarantees (Corollary 7), with x = e^eps'.

        e^eps = ((1 + x)^k - 1) / (2^k - 1),  delta = k delta' 2^(k-1) / (2^k - 1).
        """
        if self._only is None:
            raise ValueError(
                "guarantees must be equal for Corollary 7; use theorem_3 or corollary_6 for different ones"
            )
        others = -2 * math.expm1(-self.k * math.log(2))  # 2 (1 - 2^-k)
        underflow = TINY if self._only.delta else 0.0
        delta = up(self.k * self._only.delta / others + underflow)
        eps = up(up(uniform_epsilon(self._only.epsilon, self.k)))  # two formulas, one of the other
        return Guarantee(eps, min(delta, 1.0))

    def by_subsampling(self, theorem: str = "basic", delta: float | None = None) -> tuple[Guarantee, Guarantee]:
        r"""Return the bounds of somewhere by nowhere and of nowhere by somewhere, without Theorem 3.

        The subsampled rounds compose to (a, d). Take 00...0 out of the uniform law; with A = e^a and N = 2^k that is
        e^eps = (N A - 1) / (N - 1), delta = N d / (N - 1) one way, and
        e^eps = A (N - 1) / (N - A), delta = N d / (N - A) the other way, as long as A < N.
        """
        checks.choice("theorem", theorem, (*THEOREMS, "optimal"))
        one_way = FORTH if theorem == "basic" else "both"  # the other theorems need their guarantees both ways
        forth = compose_by(theorem, self.halved, delta)
        back = compose_by(theorem, self._subsampled(one_way), delta)
        return self._somewhere_by_nowhere(forth), self._nowhere_by_somewhere(back)

    def _somewhere_by_nowhere(self, composed: Composed) -> Guarantee:
        share = 2.0**-self.k
        delta = up(composed.delta / (1 - share))
        return Guarantee(up(_stretched(composed.epsilon, 1 - share)), min(delta, 1.0))

    def _nowhere_by_somewhere(self, composed: Composed) -> Guarantee:
        a = composed.epsilon
        log_n = self.k * math.log(2)
        left = -math.expm1(min(a - log_n, 0.0))  # 1 - A / N
        left -= UNIT * (4 * (a + log_n) + FUNCTION + 1)  # rounded down
        if left <= 0:
            return Guarantee(math.inf, 1.0)
        delta = up(composed.delta / left)
        return Guarantee(up(_stretched(a, left)), min(delta, 1.0))


def uniform_epsilon(eps: float, k: int) -> float:
    """Return log(((1 + e^eps)^k - 1) / (2^k - 1)) (HBW, eq. 4)."""
    if eps == math.inf:
        return math.inf
    return _stretched(k * log_mixture(0.5, eps), 1 - 2.0**-k)


def _stretched(a: float, share: float) -> float:
    """Return log(1 + (e^a - 1) / share): what is left of a mixture when all of it but a share is taken away.

    With share = 1 - s it is log((e^a - s) / (1 - s)), with share = 1 - s e^a it is log(e^a (1 - s) / (1 - s e^a)).
    """
    if a < 1:
        return math.log1p(math.expm1(a) / share)
    return a + math.log1p((share - 1) * math.exp(-a)) - math.log(share)
