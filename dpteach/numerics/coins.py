"""Coins: the privacy loss of randomized response, once, k times, and in combination.

A coin of bias e^eps : 1 has loss +eps or -eps; under P the loss is +eps with probability 1 / (1 + e^-eps). The loss of
k coins is (k - 2i) eps if i of them fall on the wrong side, which is binomial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Context, Decimal

import numpy as np

from .rounding import PAIRWISE, exact_product, exact_sum

DIGITS = Context(prec=40)  # for the digits of e^-eps that a float has not
SCALE = 2.0**600  # weights are kept multiplied by this, so that the rarest losses do not underflow
REACH = 20.5  # times sqrt(k): by Hoeffding's inequality the mass further out is nothing, even to the smallest float
STEP = 3  # units of rounding that a weight gains from its neighbour: a quotient and two products
ONCE = 6  # units that every weight gains once: the missing digits of e^-eps (4), and two products to divide by the sum


@dataclass(frozen=True)
class LossLaw:
    """Losses with their probabilities under P.

    `low` holds further digits of the losses; `weights` are SCALE times the probabilities, and `doubt` is their relative
    error in units of rounding.
    """

    losses: np.ndarray
    low: np.ndarray
    weights: np.ndarray
    doubt: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """The probabilities of the losses under P."""
        return self.weights / SCALE

    @property
    def log_probabilities(self) -> np.ndarray:
        """Their logarithms, also of those that are too small for a float."""
        with np.errstate(divide="ignore"):
            return np.log(self.weights) - math.log(SCALE)

    def __matmul__(self, other: LossLaw) -> LossLaw:
        """Return the law of the sum of two independent losses."""
        total, rest = exact_sum(self.losses[:, None], other.losses[None, :])
        low = rest + self.low[:, None] + other.low
        weights = np.multiply.outer(self.weights / SCALE**0.5, other.weights / SCALE**0.5)
        doubt = np.add.outer(self.doubt, other.doubt + 1)
        return LossLaw(total.ravel(), low.ravel(), weights.ravel(), doubt.ravel())

    def merged(self) -> LossLaw:
        """Return the same law, the largest loss first, with equal losses in one."""
        losses, low = exact_sum(self.losses, self.low)
        order = np.lexsort((-low, -losses))
        losses = losses[order]
        low = low[order]
        is_new = np.append(True, (np.diff(losses) != 0) | (np.diff(low) != 0))
        starts = np.flatnonzero(is_new)
        weights = np.add.reduceat(self.weights[order], starts)
        how_many = np.diff(np.append(starts, len(losses)))
        doubt = np.maximum.reduceat(self.doubt[order], starts) + (how_many - 1)
        return LossLaw(losses[starts], low[starts], weights, doubt)


def coin_law(eps: float, k: int) -> LossLaw:
    """Return the law of the loss of k equal coins: the binomial weights, without gamma functions.

    The weights follow from their ratios w[i+1] / w[i] = (k - i) / (i + 1) e^-eps, from the largest one outward, and
    are divided by their sum. `doubt` counts the roundings, those of the sum included.
    """
    odds, bias = _rounded_odds(eps)
    least, mode, largest = wrong_sides(eps, k)
    i = np.arange(float(least), largest + 1.0)
    up = np.arange(float(mode), float(largest))
    down = np.arange(float(mode), float(least), -1.0)
    rising = np.cumprod(np.concatenate([[SCALE], (k - up) / (up + 1) * odds]))
    falling = np.cumprod(np.concatenate([[SCALE], down / (k - down + 1) / odds]))
    steps = i - mode
    weights = np.concatenate([falling[:0:-1], rising]) * (1 + steps * bias)
    doubt = STEP * np.abs(steps) + ONCE
    total = weights.sum()
    doubt_of_total = (weights * doubt).sum() / total + np.log2(len(i)) + PAIRWISE
    if least > 0:  # the largest loss is too rare for a float, but possible
        i = np.append(0.0, i)
        weights = np.append(0.0, weights)
        doubt = np.append(0.0, doubt)
    losses, low = exact_product(k - 2 * i, eps)
    return LossLaw(losses, low, weights * (SCALE / total), doubt + doubt_of_total)


def wrong_sides(eps: float, k: int) -> tuple[int, int, int]:
    """Return the least, the likeliest and the largest likely number of coins on the wrong side."""
    mode = math.floor((k + 1) * math.exp(-eps) / (1 + math.exp(-eps)))
    reach = math.ceil(REACH * math.sqrt(k)) + 1
    return max(0, mode - reach), mode, min(k, mode + reach)


def number_of_losses(eps: float, k: int) -> int:
    """Return how many different losses `coin_law` keeps."""
    least, _, largest = wrong_sides(eps, k)
    return largest - least + 1 + (least > 0)


def _rounded_odds(eps: float) -> tuple[float, float]:
    """Return e^-eps as a float, and by which factor minus one it is too small."""
    odds = float(np.exp(-eps))
    if odds == 0:
        return 0.0, 0.0
    exact = DIGITS.divide(DIGITS.exp(Decimal(-eps)), Decimal(odds))
    return odds, float(DIGITS.subtract(exact, 1))
