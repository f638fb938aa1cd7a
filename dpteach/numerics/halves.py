r"""Two halves: the optimum of some thirty coins with all its digits, although they have a billion sums.

The coins are split into two halves, each of which has few losses. Whoever knows the loss x of the first half asks the
second one for the rest, so

    delta(eps) = sum over the losses x of the first half of P(x) delta_2(eps - x),

and delta_2 at any place is one look into a sorted list. All terms are positive: no digits are lost. This is how sums
over subsets have been found since Horowitz and Sahni (1974).
"""

from __future__ import annotations

import numpy as np

from .coins import BEYOND_LOW, SCALE, LossLaw, coin_law, law_of_coins, number_of_losses
from .grid import GridBracket
from .loss import STEP, PrivacyLoss
from .rounding import PAIRWISE, TINY, UNIT, exact_sum, outward, total
from .search import SAME, inverse

MOST_IN_A_HALF = 2**17  # losses
MOST_DIFFERENT = 100  # coins; more of them only fit if nearly all of their sums agree, which is not worth a try
HALF_SCALE = SCALE**0.5  # of the weights of one half, so that their product has SCALE
TERM = 8  # units of one term P(x) (S + T growth): three products and a sum


def two_halves(coins: dict[float, int]) -> tuple[LossLaw, LossLaw] | None:
    """Deal the coins out to two laws, the next one always to the smaller; None if they grow too large."""
    if len(coins) > MOST_DIFFERENT:
        return None
    halves = [law_of_coins({}), law_of_coins({})]
    for eps, k in sorted(coins.items()):
        halves.sort(key=lambda law: len(law.losses))
        if len(halves[0].losses) * number_of_losses(eps, k) > 4 * MOST_IN_A_HALF:
            return None
        halves[0] = (halves[0] @ coin_law(eps, k)).merged()
        if len(halves[0].losses) > MOST_IN_A_HALF:
            return None
    return halves[0], halves[1]


class HalvesCurve:
    """The optimum for coins in two halves; exact up to the rounding that it accounts for."""

    reached = True  # it is as narrow as floats are

    def __init__(self, coins: dict[float, int], halves: tuple[LossLaw, LossLaw]):
        self.coins = coins
        self.largest = total(list(coins), list(coins.values()), +1)
        first, second = sorted(halves, key=lambda law: len(law.losses))
        self.first = first
        self.second = PrivacyLoss(
            second.losses, second.weights / HALF_SCALE, low=second.low, doubt=second.doubt, scale=HALF_SCALE
        )
        of_difference = BEYOND_LOW * self.largest
        self.beyond = first.beyond + second.beyond + of_difference
        of_sum = np.log2(len(first.losses)) + PAIRWISE
        self.error = UNIT * (first.doubt.max() + TERM + of_sum)

    def delta(self, eps: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower (rounding -1) or upper (+1) end of delta' at eps."""
        return np.vectorize(self._delta, otypes=[float])(eps, rounding)

    def epsilon(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower or upper end of eps at delta'."""
        return np.vectorize(self._epsilon, otypes=[float])(delta, rounding)

    def whole_law(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the losses, the largest first, and probabilities under P of a pair that dominates the composition."""
        return GridBracket(self.coins, rtol=1.0).whole_law()

    def _epsilon(self, delta: float, rounding: int) -> float:
        if delta == 0:
            return self.largest
        return inverse(self._delta, delta, (0.0, self.largest), rounding, rtol=SAME)

    def _delta(self, eps: float, rounding: int) -> float:
        if eps >= self.largest:
            return 0.0
        at, low = self._left_over(eps, -rounding * self.beyond)
        weights = self.first.weights / HALF_SCALE
        mass = np.sum(weights * self._gains(at, low, rounding))
        scaled_end = outward(mass, rounding, self.error * mass)
        end = float(outward(scaled_end / SCALE, rounding))
        return max(end, TINY) if rounding > 0 else end

    def _left_over(self, eps: float, shift: float) -> tuple[np.ndarray, np.ndarray]:
        """Return eps + shift - x for every loss x of the first half, with its low digits."""
        high, rest = exact_sum(np.float64(eps), -self.first.losses)
        return exact_sum(high, rest + (shift - self.first.low))

    def _gains(self, at: np.ndarray, low: np.ndarray, rounding: int) -> np.ndarray:
        """Return delta_2 at `at` + `low`, times its scale: S + T (1 - e^(at - loss)) for the next loss above."""
        second = self.second
        next_above = np.searchsorted(-second.losses, -at, side="right") - 1
        while True:
            beside = (at - second.losses[next_above]) + (low - second.low[next_above])
            not_above = (next_above >= 0) & (beside >= 0)  # equal but for the low digits
            if not not_above.any():
                break
            next_above = next_above - not_above
        growth = -np.expm1(np.minimum(beside, 0.0)) * (1 + STEP * UNIT * rounding)
        sums = second.sums(rounding)
        gains = sums.S[next_above] + sums.T[next_above] * growth
        return np.where(next_above >= 0, gains, 0.0)
