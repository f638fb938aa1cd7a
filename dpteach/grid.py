r"""A certified bracket for the optimal composition of many different guarantees.

Adding up 2^n losses one by one is hopeless, but losses on a common grid can be added by convolution.
Two ways to reach a grid of width h give the two ends:

- Upper end: share every loss between its two grid neighbours so that both P and Q keep their mass. The new pair
  dominates the old one ("connect the dots"), so its delta is never smaller; the error is of order h^2.
- Lower end: an adversary may round what it sees. Whatever event E it then bets on proves delta >= P(E) - e^eps Q(E).
  Again the error is of order h^2: a test is a certificate.

Twelve or so coins are first combined exactly into a *block*, so that few roundings add up. The laws are tilted by
e^(tau loss) until the interesting losses are the likely ones (Cramér), which keeps the rounding errors of the fast
Fourier transform small against the result however small delta is. These errors, and the mass that leaves the grid, are
bounded and added on the safe side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .coins import LossLaw, coin_law
from .loss import PrivacyLoss
from .rounding import TINY, UNIT, total

BLOCK, ALL_BLOCKS = 2**12, 2**22  # how many losses one block, and all of them together, may have
FIRST_POINTS, MOST_POINTS = 2**14, 2**21  # grid sizes that are tried
LEAVING = 40.0  # the mass beyond a grid's ends is about e^-40
NEAR = 3.0  # a grid serves questions up to this many standard deviations from its centre


class GridBracket:
    """Lower and upper ends of delta' and its inverse for coins of many different biases."""

    def __init__(self, coins: dict[float, int], rtol: float):
        self.coins, self.rtol = coins, rtol
        self.cumulants = Cumulants(coins)
        self.grids: list[TiltedGrid] = []

    @cached_property
    def blocks(self) -> list[LossLaw]:
        """The coins in blocks, each of a few thousand losses at most."""
        blocks: list[LossLaw] = []
        most = min(BLOCK, ALL_BLOCKS // len(self.coins))
        for law in (coin_law(eps, k) for eps, k in sorted(self.coins.items())):
            if blocks and len(blocks[-1].losses) * len(law.losses) <= most:
                blocks[-1] = blocks[-1] @ law
            else:
                blocks.append(law)
        return blocks

    def delta(self, eps: np.ndarray, rounding: int, rtol=None) -> np.ndarray:
        """Return the lower (rounding -1) or upper (+1) end of delta' at eps."""
        return np.vectorize(lambda e: self._delta(float(e), rtol)[(rounding + 1) // 2], otypes=[float])(eps)

    def epsilon(self, delta: np.ndarray, rounding: int, rtol=None) -> np.ndarray:
        """Return the lower or upper end of eps at delta'."""
        return np.vectorize(lambda d: self._epsilon(float(d), rtol)[(rounding + 1) // 2], otypes=[float])(delta)

    def _delta(self, eps: float, rtol) -> tuple[float, float]:
        if eps >= self.cumulants.largest:
            return 0.0, 0.0
        return self._narrow(lambda grid: (grid.lower_delta(eps), grid.upper_delta(eps)), eps, rtol, 1e-300)

    def _epsilon(self, delta: float, rtol) -> tuple[float, float]:
        if delta == 0:
            return tuple(total(list(self.coins), list(self.coins.values()), rounding) for rounding in (-1, +1))
        about = self.cumulants.epsilon(delta)
        return self._narrow(lambda grid: grid.epsilons(delta), about, rtol, 1e-2 * self.cumulants.sigma(0.0))

    def _narrow(self, ask: Callable, about: float, rtol, scale: float) -> tuple[float, float]:
        """Ask finer and finer grids until the bracket is narrow enough; its width falls like 1 / points^2."""
        rtol, points, low, high = rtol or self.rtol, FIRST_POINTS, 0.0, np.inf
        while True:
            grid = self._grid(about, points)
            new_low, new_high = ask(grid)
            low, high = max(low, new_low), min(high, new_high)
            excess = (high - low) / (rtol * max(high, scale))
            if not excess > 1 or grid.points >= MOST_POINTS:
                return low, high
            points = _fast_size(grid.points * np.clip(1.2 * np.sqrt(excess), 1.5, 64))

    def _grid(self, about: float, points: int) -> TiltedGrid:
        """Return a grid of at least that many points centred near `about`: the finest one made before, or a new one."""
        fitting = [grid for grid in self.grids if grid.points >= points and grid.serves(about)]
        if not fitting:
            self.grids.append(TiltedGrid(self.blocks, self.cumulants, about, points))
        return max(fitting, key=lambda grid: grid.points) if fitting else self.grids[-1]

    def whole_law(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the losses and probabilities under P of a pair that dominates the composition."""
        law = self._grid(0.0, 2 * FIRST_POINTS).upper
        return law.losses, law.weights


class Cumulants:
    """The cumulant generating function of the loss, K(t) = log E_P e^(t loss), of independent coins."""

    def __init__(self, coins: dict[float, int]):
        self.eps, self.count = np.array(list(coins)), np.array(list(coins.values()), dtype=float)
        self.largest = total(list(coins), list(coins.values()), +1)
        smallest = max(self.eps.min(), 1e-14 * self.largest / len(coins))  # smaller ones do not show
        self.most_tilt = _root(lambda t: self.mean(t) - (1 - 1e-12) * self.largest, 40 / smallest)

    def K(self, t: float) -> float:
        """Return sum log(cosh((t + 1/2) eps) / cosh(eps / 2))."""
        return float(self.count @ (_log_cosh((t + 0.5) * self.eps) - _log_cosh(0.5 * self.eps)))

    def mean(self, t: float) -> float:
        """Return K'(t), the mean loss under the law tilted by e^(t loss)."""
        return float(self.count @ (self.eps * np.tanh((t + 0.5) * self.eps)))

    def sigma(self, t: float) -> float:
        """Return the standard deviation of the loss under the tilted law."""
        return float(np.sqrt(self.count @ (self.eps / np.cosh(np.minimum((t + 0.5) * self.eps, 300))) ** 2))

    def tilt(self, eps: float) -> float:
        """Return the t >= 0 under which the mean loss is eps; 0 if eps is below the mean already."""
        return _root(lambda t: self.mean(t) - eps, self.most_tilt)

    def likely_range(self, tilt: float) -> tuple[tuple[float, float], np.ndarray]:
        """Return where nearly all of the tilted law lies, and the slopes with which Chernoff's inequality shows it.

        P(loss beyond K'(t + s)) <= e^(K(t + s) - K(t) - s K'(t + s)); s is chosen to make this e^-LEAVING. If no s
        is large enough, the extreme losses themselves are likely, and the range reaches a little beyond them.
        """

        def log_chance(slope: float) -> float:
            return self.K(tilt + slope) - self.K(tilt) - slope * self.mean(tilt + slope)

        most = 2 * self.most_tilt + 1  # so far from any tilt the mean is near the least, or the largest, loss
        slopes = [sign * _root(lambda s, sign=sign: -LEAVING - log_chance(sign * s), most) for sign in (-1, 1)]
        ends = [self.mean(tilt + s) for s in slopes]
        margin = 0.05 * (ends[1] - ends[0]) + 1e-9 * self.largest
        return (ends[0] - margin, ends[1] + margin), np.array(slopes)

    def epsilon(self, delta: float) -> float:
        """Guess epsilon(delta) by a saddle-point approximation: only to choose a tilt."""

        def too_small(t: float) -> float:
            log_delta = self.K(t) - t * self.mean(t) - np.log1p(2.5 * self.sigma(t) * t * (1 + t))
            return np.log(delta) - log_delta

        return self.mean(_root(too_small, self.most_tilt))


def _fast_size(points: float) -> int:
    """Return a grid size, at least `points`, of which the fast Fourier transform is fast."""
    from scipy.fft import next_fast_len

    return next_fast_len(min(MOST_POINTS, int(points)), real=True)


def _root(increasing: Callable[[float], float], most: float) -> float:
    """Return about where an increasing function crosses zero in [0, most]."""
    low, high = 0.0, most
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if increasing(middle) > 0 else (middle, high)
    return low


def _log_cosh(x: np.ndarray) -> np.ndarray:
    return np.logaddexp(x, -x) - np.log(2)


@dataclass
class GridLaw:
    """A tilted law on the grid points first, first + 1, ...

    The untilted probability of point j is e^(log_mass - tilt h j) times its weight. `error` bounds the Euclidean
    norm of the weights' errors; `support` holds the first and last point that are possible, `log_moments` what
    Chernoff's inequality needs to bound the mass off the grid; `astray` is what all this can add to a tail.
    """

    first: int
    weights: np.ndarray
    log_mass: float
    support: np.ndarray
    log_moments: np.ndarray
    error: float = 0.0
    astray: float = 0.0


class TiltedGrid:
    """One grid, one tilt: the dominating law for upper ends, and the rounding adversary for lower ends."""

    def __init__(self, blocks: list[LossLaw], cumulants: Cumulants, about: float, points: int):
        self.blocks, self.points, self.largest = blocks, points, cumulants.largest
        self.tilt = cumulants.tilt(about)
        self.centre, self.sigma = cumulants.mean(self.tilt), cumulants.sigma(self.tilt)
        (low, high), self.slopes = cumulants.likely_range(self.tilt)
        self.h = (high - low) / points
        start = round(low / self.h)
        self.ends = np.array([start, start + points - 1])
        size = len(blocks) * (1 + max(np.abs(b.losses).max() for b in blocks)) + cumulants.count.sum()
        self.doubt = 64 * UNIT * (size + abs(cumulants.K(self.tilt)) + (1 + self.tilt) * (1 + max(-low, high)))

    def serves(self, about: float) -> bool:
        """Say whether questions near that loss are answered well by this grid."""
        return abs(about - self.centre) <= NEAR * self.sigma or (self.tilt == 0 and about < self.centre)

    # ---------------------------------------------------------------------------------------------- upper ends

    @cached_property
    def _dominating(self) -> GridLaw:
        """The tilted law of the pair that dominates the composition."""
        return self._convolve([self._connect_dots(block) for block in self.blocks], self.tilt)

    @cached_property
    def upper(self) -> PrivacyLoss:
        """The dominating law, its weights rounded up."""
        law = self._dominating
        j = law.first + np.arange(len(law.weights))
        log_factor = np.minimum(law.log_mass - self.tilt * self.h * j, 700.0)
        weights = np.minimum(np.exp(log_factor) * np.maximum(law.weights, 0) * (1 + self.doubt), 1.0)
        return PrivacyLoss((self.h * j)[::-1], weights[::-1], doubt=8.0)

    def _astray_above(self, eps: float) -> float:
        """Bound what errors and mass off the grid can add to delta(eps)."""
        law = self._dominating
        return law.astray * np.exp(min(law.log_mass - self.tilt * eps + self.doubt, 700.0))

    def upper_delta(self, eps: float) -> float:
        """Return an upper end of delta'(eps)."""
        told = float(self.upper.delta(np.float64(eps), +1)) + self._astray_above(eps) * (1 + self.doubt)
        return min(1.0, max(told, TINY))

    def epsilons(self, delta: float) -> tuple[float, float]:
        """Return the two ends of eps at delta'; the lower one bounds what has left the grid for the upper one."""
        low = self.lower_epsilon(delta)
        spare = (delta - self._astray_above(low)) * (1 - self.doubt)
        high = float(self.upper.epsilon(np.float64(spare), +1)) if spare > 0 else self.largest
        return low, max(low, min(high, self.largest))

    # ---------------------------------------------------------------------------------------------- lower ends

    @cached_property
    def _events(self) -> tuple[np.ndarray, np.ndarray]:
        """For every threshold: P(rounded loss >= threshold) from below, e^centre Q(...) from above."""
        P = self._convolve([self._round(block, 0) for block in self.blocks], self.tilt)
        Q = self._convolve([self._round(block, 1) for block in self.blocks], self.tilt + 1)
        first, last = max(P.first, Q.first), min(P.first + len(P.weights), Q.first + len(Q.weights))
        j = np.arange(first, last)
        return self._tail(P, j, self.tilt, 0.0, -1), self._tail(Q, j, self.tilt + 1, self.centre, +1)

    def _tail(self, law: GridLaw, j: np.ndarray, tilt: float, log_scale: float, rounding: int) -> np.ndarray:
        """Return sums of probabilities from each grid point upward, rounded to the safe side."""
        factor = np.exp(np.clip(law.log_mass + log_scale - tilt * self.h * j, -745.0, 700.0))
        tail = np.cumsum((factor * np.maximum(law.weights[j - law.first], 0.0))[::-1])[::-1]
        slack = 1 + rounding * (self.doubt + len(j) * UNIT)
        return np.maximum((tail + rounding * law.astray * factor) * slack, TINY if rounding > 0 else 0.0)

    def lower_delta(self, eps: float) -> float:
        """Return the best of the events' certificates P(E) - e^eps Q(E)."""
        P, Q = self._events
        with np.errstate(over="ignore"):
            return max(0.0, float(np.max(P - np.exp(eps - self.centre) * Q)) * (1 - 8 * UNIT))

    def lower_epsilon(self, delta: float) -> float:
        """Return the best of the events' certificates log((P(E) - delta) / Q(E))."""
        P, Q = self._events
        best = float(np.max((P - delta) / Q)) * (1 - 8 * UNIT)
        return max(0.0, (self.centre + np.log(best)) * (1 - 8 * UNIT)) if best > 0 else 0.0

    # -------------------------------------------------------------------------------------- from blocks to grid

    def _connect_dots(self, block: LossLaw) -> GridLaw:
        """Share each loss between its grid neighbours a < b: P and Q = e^-loss P keep their mass."""
        a = np.floor(block.losses / self.h)
        beyond = np.clip(block.losses - a * self.h, 0.0, self.h)
        share = np.expm1(-beyond) / np.expm1(-self.h)
        j = np.concatenate([a, a + 1]).astype(int)
        with np.errstate(divide="ignore"):
            log_shares = np.log(np.concatenate([1 - share, share]))
        return self._tilted(j, np.tile(block.log_probabilities, 2) + log_shares, self.tilt)

    def _round(self, block: LossLaw, hypothesis: int) -> GridLaw:
        """Round each loss to the grid, under P (hypothesis 0) or Q (1)."""
        j = np.rint(block.losses / self.h).astype(int)
        return self._tilted(j, block.log_probabilities - hypothesis * block.losses, self.tilt + hypothesis)

    def _tilted(self, j: np.ndarray, log_weights: np.ndarray, tilt: float) -> GridLaw:
        """Weigh grid point j by e^(tilt h j), normalise, and wrap it round the circle if it is wider than that."""
        j, log_weights = j[log_weights > -np.inf], log_weights[log_weights > -np.inf]
        log_weights = log_weights + tilt * self.h * j
        top = log_weights.max()
        weights = np.exp(log_weights - top)
        total, first = weights.sum(), int(j.min())
        wide = self.points if j.max() - first >= self.points else 0
        law = np.bincount((j - first) % self.points, weights=weights / total, minlength=wide)
        log_moments = np.array([_log_mean_exp(weights / total, slope * self.h * j) for slope in self.slopes])
        return GridLaw(first, law, float(np.log(total) + top), np.array([first, j.max()]), log_moments)

    def _convolve(self, laws: list[GridLaw], tilt: float) -> GridLaw:
        """Add independent losses: convolve pairwise on a circle of `points` points, and unroll it at the end."""
        while len(laws) > 1:
            pairs = [self._added(*laws[i : i + 2]) for i in range(0, len(laws) - 1, 2)]
            laws = pairs + laws[len(laws) // 2 * 2 :]
        (law,) = laws
        law.astray = law.error * np.sqrt(min(self.points, 1 + 1 / max(2 * tilt * self.h, UNIT)))
        beyond = np.array([law.support[0] < self.ends[0], law.support[1] > self.ends[1]])
        if len(law.weights) == self.points:  # it may have gone round the circle
            law.weights = np.roll(law.weights, (law.first - self.ends[0]) % self.points)
            law.first = self.ends[0]
            law.astray += (
                1.01 * np.exp(np.minimum(law.log_moments - self.slopes * self.h * self.ends, 0.0))[beyond].sum()
            )
        return law

    def _added(self, one: GridLaw, two: GridLaw) -> GridLaw:
        """Convolve two laws by the fast Fourier transform, with its error bound (Higham, Theorem 24.2)."""
        from scipy.fft import irfft, rfft

        a, b = one.weights, two.weights
        size = min(self.points, _fast_size(len(a) + len(b) - 1))
        weights = irfft(rfft(a, size) * rfft(b, size), size)[: min(size, len(a) + len(b) - 1)]
        norms = 1.01 * np.sqrt(a.max() * b.max())  # the Euclidean norm of a law is at most the root of its maximum
        rounding = 24 * UNIT * np.log2(size + 1) * norms
        return GridLaw(
            one.first + two.first,
            weights,
            one.log_mass + two.log_mass,
            one.support + two.support,
            one.log_moments + two.log_moments,
            1.01 * (one.error + two.error) + rounding,
        )


def _log_mean_exp(weights: np.ndarray, exponent: np.ndarray) -> float:
    """Return log sum weights e^exponent."""
    likely = weights > 0
    top = exponent[likely].max()
    return float(np.log(np.sum(weights[likely] * np.exp(exponent[likely] - top))) + top)
