r"""A certified bracket for the optimal composition of many different guarantees.

Adding up 2^n losses one by one is hopeless, but losses on a common grid of width h can be added by multiplying their
Fourier transforms. Two ways to reach the grid give the two ends:

- Upper end: share every loss between its two grid neighbours so that both P and Q keep their mass. The new pair
  dominates the old one ("connect the dots"), so its delta is never smaller; the error is of order h^2.
- Lower end: an adversary may round what it sees. Whatever event E it then bets on proves delta >= P(E) - e^eps Q(E).
  Again the error is of order h^2: a test is a certificate.

Four things keep the two ends close:

- The largest coins, whose losses a grid would smear, are left off it. They are combined exactly, and whoever knows
  their loss x asks the grid at eps - x (as in `dpteach.numerics.halves`).
- A few coins at a time are combined exactly into a *block* before they are rounded, so that few roundings add up.
- The laws are tilted by e^(tilt loss) until the interesting losses are the likely ones (Cramér), which keeps the
  rounding errors of the Fourier transform small against the result, however small delta is.
- The transform of many coins is nothing at nearly all frequencies. As soon as a product is, it is left out.

All errors, and the mass that leaves the grid, are bounded and added on the safe side: `README.md`, beside this file,
derives each constant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import matmul

import numpy as np

from .coins import SCALE, LossLaw, coin_law, number_of_losses
from .loss import PrivacyLoss
from .rounding import FUNCTION, PAIRWISE, TINY, UNIT, total
from .search import first_true, inverse

MOST_LARGE = 2**10  # losses that the coins which are left off the grid may have
LONE = 8.0  # a coin is lone, and left off if possible, if it is larger than that many standard deviations of the rest
MOST_LONE = 2**14  # losses that lone coins may have
LARGEST_BLOCK = 12  # coins
BLOCK = 2**LARGEST_BLOCK  # losses that one block may have
ALL_BLOCKS = 2**20  # losses that all blocks together may have
FEW = 4  # so many equal coins are taken for different ones
FIRST_POINTS, MOST_POINTS = 2**14, 2**21  # grid sizes that are tried
LEAVING = 35.0  # the mass beyond a grid's ends is about e^-35
LESS = 1.0  # a little less tilt than the best one is as good, and does not run after single losses
NEAR = 3.0  # a grid serves questions up to this many standard deviations from its centre
WIDE = 7.0  # where the search for a lower end begins, in standard deviations below the centre
NOTHING = 1e-14  # a frequency at which the transform is smaller is left out
MIXED = 8  # so many of the first blocks are made of coins of all sizes, which leave few frequencies
AT_ONCE = 2**6  # blocks that are multiplied before looking again what is left, and then twice as many
RENEWED = 16  # powers of a root of unity are computed afresh after so many products
SAMPLE = 1024  # groups of coins from which the tilt and the ends of the grid are estimated
LOG_RANGE = 700.0  # e^700 and e^-700 are still floats

# In units of rounding, derived in README.md
ROOT = 4 * FUNCTION  # a root of unity: the rounded angle, at most 2 pi, and two functions
COMPLEX = 3  # a product of complex numbers
LEVEL = 8  # one level of the fast Fourier transform (Higham, Theorem 24.2)
WEIGHT = 6 * FUNCTION  # all weights on the grid together, for each unit in the size of their logarithms
PLACE = 32  # a loss of a block, as a part of the sum of its coins


@dataclass(frozen=True)
class Answer:
    """The two ends of an answer, and whether they are as close as was asked for."""

    low: float
    high: float
    reached: bool


class GridBracket:
    """Lower and upper ends of delta' and its inverse for coins of many different biases.

    `answers` remembers every question. Where the finest grid was not fine enough, the answer's `reached` is False:
    its two ends still hold, but lie further apart than `rtol`.
    """

    def __init__(self, coins: dict[float, int], rtol: float):
        self.coins = coins
        self.rtol = rtol
        self.all = Cumulants(coins)
        self.answers: dict[tuple[str, float], Answer] = {}
        self.grids: list[TiltedGrid] = []

    @property
    def reached(self) -> bool:
        """Whether all answers so far were as narrow as was asked for."""
        return all(answer.reached for answer in self.answers.values())

    def delta(self, eps: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower (rounding -1) or upper (+1) end of delta' at eps."""
        return np.vectorize(lambda at: self._end("delta", float(at), rounding), otypes=[float])(eps)

    def epsilon(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower or upper end of eps at delta'."""
        return np.vectorize(lambda at: self._end("epsilon", float(at), rounding), otypes=[float])(delta)

    def _end(self, what: str, at: float, rounding: int) -> float:
        if (what, at) not in self.answers:
            self.answers[what, at] = self._delta(at) if what == "delta" else self._epsilon(at)
        answer = self.answers[what, at]
        return answer.high if rounding > 0 else answer.low

    def _delta(self, eps: float) -> Answer:
        if eps >= self.all.largest:
            return Answer(0.0, 0.0, reached=True)

        def ends(grid: TiltedGrid) -> tuple[float, float]:
            return grid.delta(eps, -1), grid.delta(eps, +1)

        return self._narrow(ends, about=eps, least=TINY / UNIT)

    def _epsilon(self, delta: float) -> Answer:
        if delta == 0:
            return Answer(self.all.least_sum, self.all.largest, reached=True)

        def ends(grid: TiltedGrid) -> tuple[float, float]:
            return grid.epsilon(delta, -1), grid.epsilon(delta, +1)

        return self._narrow(ends, about=self.all.epsilon(delta), least=1e-2 * self.all.sigma(0.0))

    def _narrow(self, ends: Callable[[TiltedGrid], tuple[float, float]], about: float, least: float) -> Answer:
        """Ask finer and finer grids until the bracket is narrow enough; its width falls like 1 / points^2.

        Narrow is relative to the answer, or to the `least` that counts.
        """
        points = FIRST_POINTS
        low, high = 0.0, np.inf
        while True:
            grid = self._grid(about, points)
            new_low, new_high = ends(grid)
            low = max(low, new_low)
            high = min(high, new_high)
            excess = (high - low) / (self.rtol * max(high, least))
            if not excess > 1 or grid.points >= MOST_POINTS:
                return Answer(low, max(low, high), reached=not excess > 1)
            points = _fast_size(grid.points * np.clip(1.2 * np.sqrt(excess), 1.5, 64))

    def _grid(self, about: float, points: int) -> TiltedGrid:
        """Return a grid of at least that many points centred near `about`: the finest one made before, or a new one."""
        fitting = [grid for grid in self.grids if grid.points >= points and grid.serves(about)]
        if fitting:
            return max(fitting, key=lambda grid: grid.points)
        large, small = self._split
        grid = TiltedGrid(large, small, self.all, about, points)
        self.grids.append(grid)
        return grid

    @cached_property
    def _split(self) -> tuple[LossLaw, Blocks]:
        """The law of the large coins, and the blocks of the others."""
        large = large_coins(self.coins)
        small = {eps: k for eps, k in self.coins.items() if eps not in large}
        laws = [coin_law(eps, k) for eps, k in large.items()] or [coin_law(0.0, 0)]
        return reduce(matmul, laws), Blocks(small)

    def whole_law(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the losses, the largest first, and probabilities under P of a pair that dominates the composition."""
        nothing = coin_law(0.0, 0)
        law = TiltedGrid(nothing, Blocks(self.coins), self.all, 0.0, 2 * FIRST_POINTS).upper
        return law.losses, law.weights


def large_coins(coins: dict[float, int]) -> dict[float, int]:
    """Return the largest coins that are left off the grid: as many as are cheap, more if they are lone."""
    chosen: dict[float, int] = {}
    losses = 1
    rest = sum(k * eps**2 for eps, k in coins.items())
    for eps, k in sorted(coins.items(), reverse=True)[:-1]:
        losses *= number_of_losses(eps, k)
        rest = max(rest - k * eps**2, 0.0)
        lone = eps > LONE * np.sqrt(rest)
        if losses > (MOST_LONE if lone else MOST_LARGE):
            break
        chosen[eps] = k
    return chosen


def _fast_size(points: float) -> int:
    """Return a grid size, at least `points`, of which the fast Fourier transform is fast."""
    from scipy.fft import next_fast_len

    return next_fast_len(min(MOST_POINTS, int(points)), real=True)


# -------------------------------------------------------------------------------------------- the law as a whole


class Cumulants:
    """The cumulant generating function of the loss, K(t) = log E_P e^(t loss), of independent coins.

    It chooses the tilt, the width and the ends of a grid, and certifies nothing: of very many coins, neighbours are
    taken for equal.
    """

    def __init__(self, coins: dict[float, int]):
        eps = np.sort(list(coins))
        self.eps, self.count = _grouped(eps, np.array([coins[e] for e in eps.tolist()], dtype=float))
        self.largest = total(list(coins), list(coins.values()), +1)
        self.least_sum = total(list(coins), list(coins.values()), -1)
        smallest = max(self.eps.min(), 1e-14 * self.largest / len(coins))  # smaller ones do not show
        self.steepest = _first(lambda t: self.mean(t) >= (1 - 1e-12) * self.largest, 40 / smallest)
        log_top = -float(np.sum(self.count * np.log1p(np.exp(-self.eps))))  # log P(largest loss)
        self.most_tilt = _first(lambda t: self.log_chance(t) <= log_top + LESS, self.steepest)

    def K(self, t: float) -> float:
        """Return sum log(cosh((t + 1/2) eps) / cosh(eps / 2))."""
        return float(self.count @ (_log_cosh((t + 0.5) * self.eps) - _log_cosh(0.5 * self.eps)))

    def mean(self, t: float) -> float:
        """Return K'(t), the mean loss under the law tilted by e^(t loss)."""
        return float(self.count @ (self.eps * np.tanh((t + 0.5) * self.eps)))

    def sigma(self, t: float) -> float:
        """Return the standard deviation of the loss under the tilted law."""
        return float(np.sqrt(self.count @ (self.eps / np.cosh(np.minimum((t + 0.5) * self.eps, 300))) ** 2))

    def log_chance(self, t: float) -> float:
        """Return K(t) - t K'(t), by Chernoff's inequality a bound of log P(loss >= K'(t))."""
        return self.K(t) - t * self.mean(t)

    def tilt(self, eps: float) -> float:
        """Return the t >= 0 under which the mean loss is eps; 0 if eps is below the mean already."""
        return _first(lambda t: self.mean(t) >= eps, self.most_tilt)

    def epsilon(self, delta: float) -> float:
        """Guess epsilon(delta) by a saddle-point approximation: only to choose a tilt."""

        def small_enough(t: float) -> bool:
            log_delta = self.log_chance(t) - np.log1p(2.5 * self.sigma(t) * t * (1 + t))
            return log_delta <= np.log(delta) + LESS

        return self.mean(_first(small_enough, self.most_tilt))

    def slope(self, tilt: float, sign: int, most: float) -> float:
        """Return about the s of that sign for which Chernoff's inequality bounds the tilted law best.

        P(loss beyond K'(tilt + s)) <= e^(K(tilt + s) - K(tilt) - s K'(tilt + s)), and this should be e^-LEAVING.
        """

        def rare(s: float) -> bool:
            beyond = self.mean(tilt + sign * s)
            return self.K(tilt + sign * s) - self.K(tilt) - sign * s * beyond <= -LEAVING

        return sign * _first(rare, most)

    def end(self, tilt: float, slope: float) -> float:
        """Return the loss beyond which the tilted law has mass e^-LEAVING, by Chernoff's inequality with this slope."""
        return (self.K(tilt + slope) - self.K(tilt) + LEAVING) / slope


def _grouped(eps: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return at most SAMPLE groups of neighbouring coins with their mean sizes."""
    starts = np.unique(np.linspace(0, len(eps), SAMPLE, endpoint=False).astype(int))
    counts = np.add.reduceat(count, starts)
    return np.add.reduceat(eps * count, starts) / counts, counts


def _first(holds: Callable[[float], bool], most: float) -> float:
    """Return about where a statement becomes true in [0, most]."""
    return first_true(holds, 0.0, most, rtol=1e-9)


def _log_cosh(x: np.ndarray) -> np.ndarray:
    return np.abs(x) + np.log1p(np.exp(-2 * np.abs(x))) - np.log(2)


# ------------------------------------------------------------------------------------------------------- blocks


@dataclass(frozen=True)
class Sheet:
    """Blocks with equally many losses, a row each: their losses, and the logarithms of their chances under P."""

    losses: np.ndarray
    log_p: np.ndarray


class Blocks:
    """Coins, a few at a time combined exactly."""

    def __init__(self, coins: dict[float, int]):
        self.coins = coins
        self.cumulants = Cumulants(coins)
        single = [eps for eps, k in coins.items() if k <= FEW for _ in range(k)]
        equal = {eps: k for eps, k in coins.items() if k > FEW}
        most = max(min(BLOCK, ALL_BLOCKS // len(coins)), 2)
        self.sheets = [*_sheets_of_single_coins(np.sort(single), most), *_sheets_of_equal_coins(equal, most)]
        self.number = sum(len(sheet.losses) for sheet in self.sheets)


def _sheets_of_single_coins(eps: np.ndarray, most: int) -> Iterator[Sheet]:
    """Combine coins of similar size, `most` losses to a block; what is left over makes a sheet of its own."""
    size = max(g for g in range(1, LARGEST_BLOCK + 1) if 2**g <= most)
    if size < LARGEST_BLOCK:
        mixed = np.linspace(0, len(eps) - 1, MIXED * LARGEST_BLOCK).astype(int)
        yield _all_signs(eps[mixed].reshape(LARGEST_BLOCK, MIXED).T)
        eps = np.delete(eps, mixed)
    whole = len(eps) // size * size
    if whole:
        yield _all_signs(eps[:whole].reshape(-1, size))
    if whole < len(eps):
        yield _all_signs(eps[None, whole:])


def _all_signs(eps: np.ndarray) -> Sheet:
    """Return the sums of all signs of the coins in a row; P(loss) = e^((loss - sum eps) / 2) prod 1 / (1 + e^-eps)."""
    size = eps.shape[1]
    signs = 1.0 - 2.0 * (np.arange(2**size) >> np.arange(size)[:, None] & 1)
    losses = eps @ signs
    log_likeliest = -np.log1p(np.exp(-eps)).sum(axis=1, keepdims=True)
    return Sheet(losses, log_likeliest + (losses - eps.sum(axis=1, keepdims=True)) / 2)


def _sheets_of_equal_coins(equal: dict[float, int], most: int) -> Iterator[Sheet]:
    """Combine the laws of equal coins, and put those of the same size onto one sheet."""
    blocks: list[LossLaw] = []
    for eps, k in sorted(equal.items()):
        law = coin_law(eps, k)
        if blocks and len(blocks[-1].losses) * len(law.losses) <= most:
            blocks[-1] = blocks[-1] @ law
        else:
            blocks.append(law)
    by_size: dict[int, list[LossLaw]] = defaultdict(list)
    for block in blocks:
        by_size[len(block.losses)].append(block)
    for laws in by_size.values():
        yield Sheet(np.array([law.losses for law in laws]), np.array([law.log_probabilities for law in laws]))


# -------------------------------------------------------------------------------------------- one grid, one tilt


@dataclass
class GridLaw:
    """A tilted law on the grid points first, first + 1, ...

    The untilted probability of point j is e^(log_mass - tilt h j) times its weight. `astray` bounds what errors of the
    weights, and mass off the grid, can add to a sum of e^(-tilt h (j - first)) weights[j] from any point on.
    """

    weights: np.ndarray
    log_mass: float
    astray: float


class TiltedGrid:
    """One grid, one tilt: the dominating law for upper ends, and the rounding adversary for lower ends.

    The large coins stay off it; `large` is their law.
    """

    def __init__(self, large: LossLaw, small: Blocks, everything: Cumulants, about: float, points: int):
        self.large = large
        self.small = small
        self.largest = everything.largest
        self.tilt = everything.tilt(about)
        self.centre = everything.mean(self.tilt)
        self.sigma = everything.sigma(self.tilt)
        self._lay_out(max(points, _fast_size(8 * small.number)))
        reach = max(-self.first, self.first + self.points) * self.h
        sizes = small.number + abs(small.cumulants.K(self.tilt)) + (1 + self.tilt) * (reach + small.cumulants.largest)
        self.relative_error = WEIGHT * UNIT * (2 * small.cumulants.count.sum() + sizes)
        self.shift = PLACE * UNIT * (self.largest + reach + small.number * self.h)

    def _lay_out(self, points: int) -> None:
        """Choose width and ends of the grid, and the slopes of Chernoff's inequality that bound what lies beyond."""
        law = self.small.cumulants
        steepest = 2 * law.steepest + 1  # so far from any tilt the mean is near the least, or the largest, loss
        slopes = [law.slope(self.tilt, sign, steepest) for sign in (-1, +1)]
        width = law.end(self.tilt, slopes[1]) - law.end(self.tilt, slopes[0])
        flat = points / width  # a steeper slope would see the rounding to the grid
        self.slopes = np.clip(slopes, -flat, flat)
        low, high = (law.end(self.tilt, slope) for slope in self.slopes)
        room = self.small.number + 2  # each block may reach a grid point further than its losses
        low = max(low, -law.largest)
        high = min(high, law.largest)
        self.points = points
        self.h = (high - low) / (points - 2 * room)
        self.first = int(np.floor(low / self.h)) - room

    def serves(self, about: float) -> bool:
        """Say whether questions near that loss are answered well by this grid."""
        return abs(about - self.centre) <= NEAR * self.sigma or (self.tilt == 0 and about < self.centre)

    # ------------------------------------------------------------------------------------------- the two questions

    def delta(self, eps: float, rounding: int) -> float:
        """Return an end of delta'(eps): the sum of P(x) delta_small(eps - x) over the losses x of the large coins."""
        at = eps - self.large.losses
        of_small = self._upper_delta(at) if rounding > 0 else self._lower_delta(at)
        sum_error = UNIT * (self.large.doubt.max() + np.log2(len(at)) + PAIRWISE + FUNCTION)
        mass = float(np.sum(self.large.weights * of_small)) * (1 + rounding * sum_error)
        end = float(np.nextafter(mass / SCALE, rounding * np.inf))
        return min(1.0, max(end, TINY)) if rounding > 0 else max(0.0, end)

    def epsilon(self, delta: float, rounding: int) -> float:
        """Return an end of eps at delta'."""
        low = 0.0 if rounding > 0 else self._below(delta)
        return min(inverse(self.delta, delta, (low, self.largest), rounding), self.largest)

    def _below(self, delta: float) -> float:
        """Return an eps that is certainly too small: not too far from the centre, where a tilted grid knows little."""
        width = WIDE * self.sigma
        while width < self.centre and self.delta(self.centre - width, -1) <= delta:
            width *= 4
        return max(self.centre - width, 0.0)

    # ---------------------------------------------------------------------------------------------- upper ends

    @cached_property
    def _dominating(self) -> GridLaw:
        """The tilted law of the pair that dominates the composition of the small coins."""
        return self._composed([self._connect_dots(sheet) for sheet in self.small.sheets], self.tilt)

    @cached_property
    def upper(self) -> PrivacyLoss:
        """The dominating law, its weights rounded up."""
        law = self._dominating
        weights = np.minimum(self._factor(law, self.tilt) * np.maximum(law.weights, 0) * (1 + self.relative_error), 1.0)
        losses = self.h * self._points
        return PrivacyLoss(losses[::-1], weights[::-1], doubt=FUNCTION + 4)

    def _upper_delta(self, at: np.ndarray) -> np.ndarray:
        """Return upper ends of the small coins' delta, which errors and mass off the grid may add to."""
        at = at - self.shift
        log_astray = self._dominating.log_mass - self.tilt * at + self.relative_error
        astray = self._dominating.astray * np.exp(np.minimum(log_astray, LOG_RANGE))
        return np.minimum(self.upper.delta(at, +1) + astray * (1 + FUNCTION * UNIT), 1.0)

    def _connect_dots(self, sheet: Sheet) -> tuple[np.ndarray, np.ndarray]:
        """Share each loss between its grid neighbours a < b: P and Q = e^-loss P keep their mass."""
        a = np.floor(sheet.losses / self.h)
        beyond = np.clip(sheet.losses - a * self.h, 0.0, self.h)
        share = np.expm1(-beyond) / np.expm1(-self.h)
        with np.errstate(divide="ignore"):
            log_p_at_a = sheet.log_p + np.log1p(-share)
            log_p_at_b = sheet.log_p + np.log(share)
        return np.concatenate([a, a + 1], axis=1), np.concatenate([log_p_at_a, log_p_at_b], axis=1)

    # ---------------------------------------------------------------------------------------------- lower ends

    @cached_property
    def _events(self) -> tuple[np.ndarray, np.ndarray]:
        """For every threshold: P(rounded loss >= threshold) from below, e^centre Q(...) from above."""
        P = self._composed([self._round(sheet, 0) for sheet in self.small.sheets], self.tilt)
        Q = self._composed([self._round(sheet, 1) for sheet in self.small.sheets], self.tilt + 1)
        return self._tail(P, self.tilt, 0.0, -1), self._tail(Q, self.tilt + 1, self.centre, +1)

    def _round(self, sheet: Sheet, hypothesis: int) -> tuple[np.ndarray, np.ndarray]:
        """Round each loss to the grid, under P (hypothesis 0) or Q (1)."""
        return np.rint(sheet.losses / self.h), sheet.log_p - hypothesis * sheet.losses

    def _tail(self, law: GridLaw, tilt: float, log_scale: float, rounding: int) -> np.ndarray:
        """Return sums of probabilities from each grid point upward, rounded to the safe side."""
        factor = self._factor(law, tilt, log_scale)
        tail = np.cumsum((factor * np.maximum(law.weights, 0.0))[::-1])[::-1]
        error = self.relative_error + (self.points + FUNCTION) * UNIT
        return np.maximum((tail + rounding * law.astray * factor) * (1 + rounding * error), TINY if rounding > 0 else 0)

    def _lower_delta(self, at: np.ndarray) -> np.ndarray:
        """Return the best of four events' certificates P(E) - e^eps Q(E): three thresholds near eps, and E = all."""
        P, Q = self._events
        at = at + self.shift
        nearest = np.rint(at / self.h) - self.first
        ratio = np.exp(np.minimum(at - self.centre, LOG_RANGE)) * (1 + 2 * FUNCTION * UNIT)
        best = -np.expm1(np.minimum(at, 0.0))
        for threshold in (nearest - 1, nearest, nearest + 1):
            event = np.clip(threshold, 0, self.points - 1).astype(int)
            best = np.maximum(best, P[event] - ratio * Q[event])
        return best * (1 - 2 * FUNCTION * UNIT)

    # -------------------------------------------------------------------------------------- from blocks to the grid

    @property
    def _points(self) -> np.ndarray:
        return self.first + np.arange(self.points)

    def _factor(self, law: GridLaw, tilt: float, log_scale: float = 0.0) -> np.ndarray:
        """Return e^(log_mass - tilt h j), which takes the tilt back."""
        return np.exp(np.clip(law.log_mass + log_scale - tilt * self.h * self._points, -745.0, LOG_RANGE))

    def _composed(self, rounded: list[tuple[np.ndarray, np.ndarray]], tilt: float) -> GridLaw:
        """Add the losses of all blocks: multiply their transforms on a circle of `points` points, and go back."""
        product = Transform(self.points)
        log_mass = 0.0
        log_moments = np.zeros(2)
        ends = np.zeros(2)
        for j, log_weights in rounded:
            log_tilted = log_weights + tilt * self.h * j
            log_sums = _log_sum_exp(log_tilted)
            log_tilted -= log_sums[:, None]
            product.multiply(j.astype(np.int64), np.exp(log_tilted))
            log_mass += float(np.sum(log_sums))
            log_moments += [np.sum(_log_sum_exp(log_tilted + slope * self.h * j)) for slope in self.slopes]
            ends += np.sum(j.min(axis=1)), np.sum(j.max(axis=1))
        weights = product.law(self.first)
        astray = product.error * np.sqrt(min(self.points, 1 + 1 / max(2 * tilt * self.h, UNIT)))
        return GridLaw(weights, log_mass, astray + self._mass_off(ends, log_moments))

    def _mass_off(self, ends: np.ndarray, log_moments: np.ndarray) -> float:
        """Bound the mass beyond each end of the grid that the law reaches, by Chernoff's inequality."""
        grid_ends = np.array([self.first, self.first + self.points - 1])
        beyond = np.array([ends[0] < grid_ends[0], ends[1] > grid_ends[1]])
        log_mass = np.minimum(log_moments - self.slopes * self.h * grid_ends, 0.0)
        return 1.01 * float(np.sum(np.exp(log_mass)[beyond]))


class Transform:
    """A product of Fourier transforms on a circle of `points` points, at the frequencies where it is not yet nothing.

    `error` bounds the Euclidean norm of the error of the law that it is the transform of.
    """

    def __init__(self, points: int):
        self.points = points
        self.frequencies = np.arange(points // 2 + 1)
        self.values = np.ones(len(self.frequencies), dtype=complex)
        self.error = NOTHING

    def multiply(self, j: np.ndarray, weights: np.ndarray) -> None:
        """Multiply by the transforms of blocks: in each row, whole numbers j and weights that sum to 1."""
        done = 0
        while done < len(j):
            if len(self.frequencies) * j.shape[1] > 2 * self.points:
                self._times(self._fast(j[done], weights[done]))
                done += 1
            else:
                some = slice(done, done + max(AT_ONCE, done))
                self._times(self._direct(j[some], weights[some]))
                done = some.stop

    def _times(self, transform: np.ndarray) -> None:
        """Multiply, and drop the frequencies at which nothing is left."""
        self.values *= transform
        alive = np.abs(self.values) > NOTHING
        if alive.sum() < 0.9 * len(alive):
            self.frequencies = self.frequencies[alive]
            self.values = self.values[alive]

    def _fast(self, j: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the transform of one row by the fast Fourier transform."""
        from scipy.fft import rfft

        law = np.bincount(j % self.points, weights=weights, minlength=self.points)
        self.error += self._of_a_transform(law)
        return rfft(law)[self.frequencies]

    def _direct(self, j: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the product of the transforms of some rows, from their definition."""
        weights = weights.astype(complex)
        root = self._power(j, 1)
        products = np.empty(len(self.frequencies), dtype=complex)
        previous, renewed = -1, -RENEWED
        for n, frequency in enumerate(self.frequencies):
            if frequency == previous + 1 and n < renewed + RENEWED:
                power *= root  # noqa: F821, which the first turn defines
            else:
                power = self._power(j, frequency)
                renewed = n
            products[n] = np.prod(np.einsum("ij,ij->i", weights, power))
            previous = frequency
        of_power = (ROOT + COMPLEX) * RENEWED
        of_one = UNIT * (of_power + j.shape[1] + 2 * COMPLEX)
        self.error += len(j) * of_one * np.sqrt(2 * len(self.frequencies) / self.points)
        return products

    def _power(self, j: np.ndarray, frequency: int) -> np.ndarray:
        """Return e^(-2 pi i j frequency / points), of which only the part of a turn that is left matters."""
        return self.roots[j * frequency % self.points]

    @cached_property
    def roots(self) -> np.ndarray:
        """The roots of unity e^(-2 pi i n / points)."""
        return np.exp(-2j * np.pi / self.points * np.arange(self.points))

    def _of_a_transform(self, law: np.ndarray) -> float:
        """Bound the error of a fast Fourier transform; a law's Euclidean norm is at most the root of its maximum."""
        norm = np.sqrt(1.01 * np.abs(law).max())
        return UNIT * (LEVEL * np.log2(self.points) + 4) * norm

    def law(self, first: int) -> np.ndarray:
        """Transform back; return the weights from the grid point `first` on."""
        from scipy.fft import irfft

        spectrum = np.zeros(self.points // 2 + 1, dtype=complex)
        spectrum[self.frequencies] = self.values
        weights = irfft(spectrum, self.points)
        self.error += self._of_a_transform(weights)
        return np.roll(weights, -(first % self.points))


def _log_sum_exp(x: np.ndarray) -> np.ndarray:
    """Return log sum e^x of each row."""
    top = x.max(axis=1)
    return top + np.log(np.sum(np.exp(x - top[:, None]), axis=1))
