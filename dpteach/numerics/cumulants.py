"""The cumulants of a sum of coins: where its mass lies, under which tilt, and how fast it falls beyond.

They choose the tilt, the width and the ends of a grid. They certify nothing: a bad choice makes a bracket wide, never
wrong. So neighbours among very many coins may be taken for equal.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .rounding import total
from .search import first_true

SAMPLE = 1024  # groups of coins that are told apart
LEAVING = 35.0  # the mass beyond a grid's ends is about e^-35
LESS = 1.0  # a little less tilt than the best one is as good, and does not run after single losses
UNSEEN = 1e-14  # coins that are smaller than this share of the mean one do not show
NEARLY_ALL = 1 - 1e-12  # of the largest loss
LARGEST_ARGUMENT = 300.0  # of cosh, whose square is still a float


class Cumulants:
    """The cumulant generating function of the loss, K(t) = log E_P e^(t loss), of independent coins."""

    def __init__(self, coins: dict[float, int]):
        sizes = np.sort(list(coins))
        counts = np.array([coins[eps] for eps in sizes.tolist()], dtype=float)
        starts = _starts_of_groups(len(sizes))
        self.count = np.add.reduceat(counts, starts)
        self.eps = np.add.reduceat(sizes * counts, starts) / self.count
        self.largest = total(list(coins), list(coins.values()), +1)
        self.least = -self.largest
        self.least_sum = total(list(coins), list(coins.values()), -1)
        self.steepest = self._steepest_tilt(len(coins))
        self.most_tilt = self._most_tilt()

    def _steepest_tilt(self, number: int) -> float:
        """Return a tilt under which nearly all mass is on the largest loss."""
        smallest = max(self.eps.min(), UNSEEN * self.largest / number)
        return _first(lambda t: self.mean(t) >= NEARLY_ALL * self.largest, 40 / smallest)

    def _most_tilt(self) -> float:
        """Return the tilt from which on only the largest loss is interesting."""
        log_top = -float(np.sum(self.count * np.log1p(np.exp(-self.eps))))  # log P(largest loss)
        return _first(lambda t: self.log_chance(t) <= log_top + LESS, self.steepest)

    def K(self, t: float) -> float:
        """Return sum log(cosh((t + 1/2) eps) / cosh(eps / 2))."""
        grown = _log_cosh((t + 0.5) * self.eps)
        before = _log_cosh(0.5 * self.eps)
        return float(self.count @ (grown - before))

    def mean(self, t: float) -> float:
        """Return K'(t), the mean loss under the law tilted by e^(t loss)."""
        means = self.eps * np.tanh((t + 0.5) * self.eps)
        return float(self.count @ means)

    def sigma(self, t: float) -> float:
        """Return the standard deviation of the loss under the tilted law."""
        argument = np.minimum((t + 0.5) * self.eps, LARGEST_ARGUMENT)
        deviations = self.eps / np.cosh(argument)
        return float(np.sqrt(self.count @ deviations**2))

    def log_chance(self, t: float) -> float:
        """Return K(t) - t K'(t), by Chernoff's inequality a bound of log P(loss >= K'(t))."""
        return self.K(t) - t * self.mean(t)

    def tilt(self, eps: float) -> float:
        """Return the t >= 0 under which the mean loss is eps; 0 if eps is below the mean already."""
        return _first(lambda t: self.mean(t) >= eps, self.most_tilt)

    def epsilon(self, delta: float) -> float:
        """Guess epsilon(delta) by a saddle-point approximation: only to choose a tilt."""

        def small_enough(t: float) -> bool:
            spread = 2.5 * self.sigma(t) * t * (1 + t)
            log_delta = self.log_chance(t) - np.log1p(spread)
            return log_delta <= np.log(delta) + LESS

        return self.mean(_first(small_enough, self.most_tilt))

    def slope(self, tilt: float, sign: int, most: float) -> float:
        """Return about the s of that sign for which Chernoff's inequality bounds the tilted law best.

        P(loss beyond K'(tilt + s)) <= e^(K(tilt + s) - K(tilt) - s K'(tilt + s)), and this should be e^-LEAVING.
        """

        def rare(size: float) -> bool:
            s = sign * size
            log_mass = self.K(tilt + s) - self.K(tilt) - s * self.mean(tilt + s)
            return log_mass <= -LEAVING

        return sign * _first(rare, most)

    def end(self, tilt: float, slope: float) -> float:
        """Return the loss beyond which the tilted law has mass e^-LEAVING, by Chernoff's inequality with this slope."""
        log_moment = self.K(tilt + slope) - self.K(tilt)
        return (log_moment + LEAVING) / slope


def _starts_of_groups(number: int) -> np.ndarray:
    """Return where each of at most SAMPLE groups of neighbouring coins begins."""
    evenly = np.linspace(0, number, SAMPLE, endpoint=False)
    return np.unique(evenly.astype(int))


def _first(holds: Callable[[float], bool], most: float) -> float:
    """Return about where a statement becomes true in [0, most]."""
    return first_true(holds, 0.0, most, rtol=1e-9)


def _log_cosh(x: np.ndarray) -> np.ndarray:
    size = np.abs(x)
    return size + np.log1p(np.exp(-2 * size)) - np.log(2)
