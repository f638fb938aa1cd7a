r"""00...0 against the uniform law on all other vectors, for equal pure guarantees: a sum over binomial weights.

With x = e^eps, a view with m ones has probability p_m = x^(k-m) / (1+x)^k under 00...0. All vectors together make
every view equally likely, so that under the others it has probability (1 - p_m) / (2^k - 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.coins import SCALE, coin_law, wrong_sides
from ..numerics.rounding import FUNCTION
from .hypothesis import Hypothesis
from .rounds import Sequence
from .view_laws import ViewLaws


def zero_or_not(rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> ViewLaws | None:
    """Return the laws of the view, if one hypothesis is 00...0 and the other the rest, for equal pure guarantees."""
    mechanism = rounds.only
    if mechanism is None or not mechanism.is_pure or not 0 < mechanism.given.epsilon < math.inf:
        return None
    eps = mechanism.given.epsilon
    if h0.is_zero and h1.is_nonzero:
        return closed_form(eps, h0.k)
    if h1.is_zero and h0.is_nonzero:
        laws = closed_form(eps, h0.k)
        return ViewLaws(laws.q, laws.p, -laws.losses, laws.units)
    return None


def closed_form(eps: float, k: int) -> ViewLaws:
    """Return the laws of the number m of ones under 00...0 and under the uniform law on all other vectors."""
    biased = Binomial.of(eps, k)
    fair = Binomial.of(0.0, k)
    m = np.union1d(np.union1d(biased.numbers, fair.numbers), [0, k])
    log_p = -k * math.log1p(math.exp(-eps)) - m * eps
    others = -np.expm1(log_p)  # 1 - p_m
    all_but_zero = -math.expm1(-k * math.log(2))  # 1 - 2^-k
    log_over = k * math.log1p(math.expm1(-eps) / 2) + m * eps  # the logarithm of 1 / (2^k p_m)
    losses = -(log_over + np.log(others) - math.log(all_but_zero))
    nonzero = fair.at(m) * others / all_but_zero
    return ViewLaws(biased.at(m), nonzero, losses, max(biased.units, fair.units) + _units_of_losses(eps, k))


def _units_of_losses(eps: float, k: int) -> float:
    """Return how far the losses may be off: two products of at most k eps and their sum, two functions in each.

    1 - p_m is off by three functions and three operations, relatively: d log(1 - e^y) / d log |y| is between -1 and 1.
    Its logarithm is at least -eps - log 2, because p_m <= 1 / (1 + e^-eps). 1 - 2^-k is off by a function and two
    operations; a product and a quotient follow.
    """
    products = (2 * FUNCTION + 3) * k * eps
    differences = 4 * FUNCTION + 7
    logarithms = (FUNCTION + 2) * (eps + 1)
    return products + differences + logarithms


@dataclass(frozen=True)
class Binomial:
    """How many of k coins fall on the wrong side: numbers in a row, their probabilities, and the error of these."""

    numbers: np.ndarray
    probabilities: np.ndarray
    units: float

    @classmethod
    def of(cls, eps: float, k: int) -> Binomial:
        """Return the law for coins of bias e^eps : 1; what is left out is rarer than the smallest float."""
        law = coin_law(eps, k)
        numbers = wrong_sides(eps, k).numbers
        listed = law.weights[-len(numbers) :]  # coin_law may list the largest loss before, too rare for a float
        return cls(numbers, listed / SCALE, float(np.max(law.doubt)))

    def at(self, numbers: np.ndarray) -> np.ndarray:
        """Return the probabilities of these numbers, zero where they were left out."""
        wide = np.zeros(len(numbers))
        wide[np.searchsorted(numbers, self.numbers)] = self.probabilities
        return wide
