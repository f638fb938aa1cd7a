"""Coins: the privacy loss of randomized response, once, k times, and in combination.

A coin of bias e^eps : 1 has loss +eps or -eps; under P the loss is +eps with probability 1 / (1 + e^-eps). The loss of
k coins is (k - 2i) eps if i of them fall on the wrong side, which is binomial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import reduce
from operator import matmul
from typing import NamedTuple

import numpy as np

from .rounding import PAIRWISE, SMALLEST_PLAIN, exact_product, exact_sum

DIGITS = Context(prec=40)  # for the digits of e^-eps that a float has not
SCALE = 2.0**600  # weights are kept multiplied by this, so that the rarest losses do not underflow
REACH = 20.5  # times sqrt(k): by Hoeffding's inequality the mass further out is nothing, even to the smallest float
BEYOND_LOW = 2.0**-103  # what a sum of losses may lack beyond `losses` and `low`, as a part of the largest one
STEP = 3  # units of rounding that a weight gains from its neighbour: a quotient and two products
ONCE = 6  # units that every weight gains once: the missing digits of e^-eps (4), and two products to divide by the sum


@dataclass(frozen=True)
class LossLaw:
    """Losses with their probabilities under P.

    `low` holds further digits of the losses, and `beyond` bounds what is still missing; `weights` are SCALE times the
    probabilities, and `doubt` is their relative error in units of rounding.
    """

    losses: np.ndarray
    low: np.ndarray
    weights: np.ndarray
    doubt: np.ndarray
    beyond: float = 0.0

    @property
    def largest(self) -> float:
        """The largest loss, without its sign."""
        return float(np.max(np.abs(self.losses)))

    @property
    def probabilities(self) -> np.ndarray:
        """The probabilities of the losses under P."""
        return self.weights / SCALE

    @property
    def log_probabilities(self) -> np.ndarray:
        """Their logarithms, also of those that are too small for a float; at most 8 units of their size off."""
        p = self.probabilities
        with np.errstate(divide="ignore"):
            return np.where(p > SMALLEST_PLAIN, np.log(p), np.log(self.weights) - math.log(SCALE))

    def __matmul__(self, other: LossLaw) -> LossLaw:
        """Return the law of the sum of two independent losses."""
        losses, rest = exact_sum(self.losses[:, None], other.losses)
        low = rest + self.low[:, None] + other.low
        root = SCALE**0.5
        weights = np.multiply.outer(self.weights / root, other.weights / root)
        doubt = np.add.outer(self.doubt, other.doubt + 1)
        beyond = self.beyond + other.beyond
        if self.low.any() or other.low.any():  # else `low` is the rest of one sum, and exact
            beyond += BEYOND_LOW * (self.largest + other.largest)
        return LossLaw(losses.ravel(), low.ravel(), weights.ravel(), doubt.ravel(), beyond)

    def merged(self) -> LossLaw:
        """Return the same law, the largest loss first, with equal losses in one."""
        losses, low = exact_sum(self.losses, self.low)
        order = np.lexsort((-low, -losses))
        losses = losses[order]
        low = low[order]
        differs = (np.diff(losses) != 0) | (np.diff(low) != 0)
        starts = np.flatnonzero(np.append(True, differs))
        weights = np.add.reduceat(self.weights[order], starts)
        how_many = np.diff(np.append(starts, len(losses)))
        doubt = np.maximum.reduceat(self.doubt[order], starts) + (how_many - 1)
        return LossLaw(losses[starts], low[starts], weights, doubt, self.beyond)


def law_of_coins(coins: dict[float, int]) -> LossLaw:
    """Return the law of the sum of all losses, given how many coins there are of each size."""
    laws = [coin_law(eps, k) for eps, k in coins.items()]
    return reduce(matmul, laws) if laws else coin_law(0.0, 0)


class WrongSides(NamedTuple):
    """Likely numbers of coins on the wrong side: the least, the likeliest and the largest."""

    least: int
    mode: int
    largest: int

    @property
    def numbers(self) -> np.ndarray:
        """All numbers from the least to the largest."""
        return np.arange(float(self.least), self.largest + 1.0)


def wrong_sides(eps: float, k: int) -> WrongSides:
    """Return how many of k coins are likely to fall on the wrong side."""
    odds = math.exp(-eps)
    mode = math.floor((k + 1) * odds / (1 + odds))
    reach = math.ceil(REACH * math.sqrt(k)) + 1
    return WrongSides(max(0, mode - reach), mode, min(k, mode + reach))


def number_of_losses(eps: float, k: int) -> int:
    """Return how many different losses `coin_law` keeps."""
    sides = wrong_sides(eps, k)
    is_cut_off = sides.least > 0
    return sides.largest - sides.least + 1 + is_cut_off


def coin_law(eps: float, k: int) -> LossLaw:
    """Return the law of the loss of k equal coins: the binomial weights, without gamma functions.

    They are divided by their sum. `doubt` counts the roundings, those of the sum included.
    """
    sides = wrong_sides(eps, k)
    numbers = sides.numbers
    steps = numbers - sides.mode
    weights = _binomial_weights(eps, k, sides)
    total = weights.sum()
    doubt = STEP * np.abs(steps) + ONCE
    doubt_of_total = (weights * doubt).sum() / total + np.log2(len(numbers)) + PAIRWISE
    if sides.least > 0:  # the largest loss is too rare for a float, but possible
        numbers = np.append(0.0, numbers)
        weights = np.append(0.0, weights)
        doubt = np.append(0.0, doubt)
    losses, low = exact_product(k - 2 * numbers, eps)
    return LossLaw(losses, low, weights * (SCALE / total), doubt + doubt_of_total)


def _binomial_weights(eps: float, k: int, sides: WrongSides) -> np.ndarray:
    """Return weights in the proportions w[i+1] / w[i] = (k - i) / (i + 1) e^-eps, from the largest one outward."""
    odds = RoundedOdds.of(eps)
    up = np.arange(float(sides.mode), float(sides.largest))
    down = np.arange(float(sides.mode), float(sides.least), -1.0)
    to_next = (k - up) / (up + 1) * odds.value
    to_last = down / (k - down + 1) / odds.value
    rising = np.cumprod(np.concatenate([[SCALE], to_next]))
    falling = np.cumprod(np.concatenate([[SCALE], to_last]))
    weights = np.concatenate([falling[:0:-1], rising])
    return weights * (1 + (sides.numbers - sides.mode) * odds.lacking)


class RoundedOdds(NamedTuple):
    """e^-eps as a float, and by which factor minus one that is too small."""

    value: float
    lacking: float

    @classmethod
    def of(cls, eps: float) -> RoundedOdds:
        """Compare the float with forty decimal digits."""
        odds = float(np.exp(-eps))
        if odds == 0:
            return cls(0.0, 0.0)
        quotient = DIGITS.divide(DIGITS.exp(Decimal(-eps)), Decimal(odds))
        return cls(odds, float(DIGITS.subtract(quotient, 1)))


def binomials(k: int) -> list[int]:
    """Return C(k, 0), ..., C(k, k)."""
    ways = [1]
    for i in range(k):
        ways.append(ways[-1] * (k - i) // (i + 1))
    return ways
