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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .blocks import Blocks, Sheet
from .coins import SCALE, LossLaw, law_of_coins, number_of_losses
from .cumulants import Cumulants
from .loss import PrivacyLoss
from .rounding import FUNCTION, PAIRWISE, TINY, UNIT
from .search import SAME, inverse
from .transform import Transform

MOST_LARGE = 2**10  # losses that the coins which are left off the grid may have
LONE = 8.0  # a coin is lone, and left off if possible, if it is larger than that many standard deviations of the rest
MOST_LONE = 2**14  # losses that lone coins may have
FIRST_POINTS = 2**14  # of the first grid that is tried
MOST_POINTS = 2**21  # of the last
NEAR = 3.0  # a grid serves questions up to this many standard deviations from its centre
WIDE = 7.0  # where the search for a lower end begins, in standard deviations below the centre
LOG_RANGE = 700.0  # e^700 and e^-700 are still floats
UNDERFLOW = (
    2 * TINY
)  # what a weight may lose where it, or the factor that takes its tilt back, is too small for a float

# In units of rounding, derived in README.md
OF_COIN = 16  # in a weight's logarithm: its part of the chance of a block
OF_BLOCK = 272  # its share, and e^x
OF_LOSS = 16  # for each unit of the largest loss, and of the tilt times it
OF_MASS = 48  # for each unit of K(tilt), which is taken out and put back
PLACE = 32  # a loss of a block, as a part of the sum of its coins


@dataclass(frozen=True)
class Answer:
    """The two ends of an answer, and whether they are as close as was asked for."""

    low: float
    high: float
    reached: bool

    def end(self, rounding: int) -> float:
        """Return the upper (+1) or the lower (-1) end."""
        return self.high if rounding > 0 else self.low


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
        return _each(lambda at: self._answer("delta", at).end(rounding), eps)

    def epsilon(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower or upper end of eps at delta'."""
        return _each(lambda at: self._answer("epsilon", at).end(rounding), delta)

    def _answer(self, question: str, at: float) -> Answer:
        if (question, at) not in self.answers:
            ask = self._delta if question == "delta" else self._epsilon
            self.answers[question, at] = ask(at)
        return self.answers[question, at]

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

        guess = self.all.epsilon(delta)
        return self._narrow(ends, about=guess, least=1e-2 * self.all.sigma(0.0))

    def _narrow(self, ends: Callable[[TiltedGrid], tuple[float, float]], about: float, least: float) -> Answer:
        """Ask finer and finer grids until the bracket is narrow enough; its width falls like 1 / points^2.

        Narrow is relative to the answer, or to the `least` that counts.
        """
        points = FIRST_POINTS
        low = 0.0
        high = np.inf
        while True:
            grid = self._grid(about, points)
            new_low, new_high = ends(grid)
            low = max(low, new_low)
            high = min(high, new_high)
            excess = (high - low) / (self.rtol * max(high, least))
            if not excess > 1 or grid.points >= MOST_POINTS:
                return Answer(low, max(low, high), reached=not excess > 1)
            finer = np.clip(1.2 * np.sqrt(excess), 1.5, 64)
            points = _fast_size(grid.points * finer)

    def _grid(self, about: float, points: int) -> TiltedGrid:
        """Return a grid of at least that many points centred near `about`: the finest one made before, or a new one."""
        fitting = [grid for grid in self.grids if grid.points >= points and grid.serves(about)]
        if fitting:
            return max(fitting, key=lambda grid: grid.points)
        grid = self._new_grid(about, points)
        self.grids.append(grid)
        return grid

    def _new_grid(self, about: float, points: int) -> TiltedGrid:
        return TiltedGrid(self._large, self._small, self.all, about, points)

    @cached_property
    def _large_coins(self) -> dict[float, int]:
        return large_coins(self.coins)

    @cached_property
    def _large(self) -> LossLaw:
        """The law of the large coins, which are left off the grid."""
        return law_of_coins(self._large_coins)

    @cached_property
    def _small(self) -> Blocks:
        """The blocks of the others."""
        small = {eps: k for eps, k in self.coins.items() if eps not in self._large_coins}
        return Blocks(small)

    def whole_law(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the losses, the largest first, and probabilities under P of a pair that dominates the composition."""
        grid = TiltedGrid(law_of_coins({}), Blocks(self.coins), self.all, about=0.0, points=2 * FIRST_POINTS)
        return grid.upper.losses, grid.upper.weights


def large_coins(coins: dict[float, int]) -> dict[float, int]:
    """Return the largest coins that are left off the grid: as many as are cheap, more if they are lone."""
    chosen: dict[float, int] = {}
    losses = 1
    rest = sum(k * eps**2 for eps, k in coins.items())
    for eps, k in sorted(coins.items(), reverse=True)[:-1]:
        losses *= number_of_losses(eps, k)
        rest = max(rest - k * eps**2, 0.0)
        is_lone = eps > LONE * np.sqrt(rest)
        most = MOST_LONE if is_lone else MOST_LARGE
        if losses > most:
            break
        chosen[eps] = k
    return chosen


def _fast_size(points: float) -> int:
    """Return a grid size, at least `points`, of which the fast Fourier transform is fast."""
    from scipy.fft import next_fast_len

    return next_fast_len(min(MOST_POINTS, int(points)), real=True)


def _each(ask: Callable[[float], float], values: np.ndarray) -> np.ndarray:
    """Ask for each entry of an array."""
    return np.vectorize(lambda value: ask(float(value)), otypes=[float])(values)


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


class Placed(NamedTuple):
    """Blocks on the grid, a row each: whole numbers of grid points, and the logarithms of their weights."""

    j: np.ndarray
    log_weights: np.ndarray


class Events(NamedTuple):
    """For every threshold: P(rounded loss >= threshold) from below, and e^centre Q(...) from above."""

    P: np.ndarray
    Q: np.ndarray


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
        self._bound_errors()

    def _lay_out(self, points: int) -> None:
        """Choose width and ends of the grid, and the slopes of Chernoff's inequality that bound what lies beyond."""
        law = self.small.cumulants
        steepest = 2 * law.steepest + 1  # so far from any tilt the mean is near the least, or the largest, loss
        down = law.slope(self.tilt, -1, steepest)
        up = law.slope(self.tilt, +1, steepest)
        width = law.end(self.tilt, up) - law.end(self.tilt, down)
        flat = points / width  # a steeper slope would see the rounding to the grid
        self.slopes = np.clip([down, up], -flat, flat)
        low = max(law.end(self.tilt, self.slopes[0]), law.least)
        high = min(law.end(self.tilt, self.slopes[1]), law.largest)
        room = self.small.number + 2  # each block may reach a grid point further than its losses
        self.points = points
        self.h = (high - low) / (points - 2 * room)
        self.first = int(np.floor(low / self.h)) - room

    def _bound_errors(self) -> None:
        """Bound the relative error of all weights, and by how much a loss may be off its place."""
        law = self.small.cumulants
        reach = max(-self.first, self.first + self.points) * self.h
        of_chances = OF_COIN * law.count.sum() + OF_BLOCK * self.small.number
        of_losses = OF_LOSS * (1 + self.tilt) * (reach + law.largest)
        of_mass = OF_MASS * abs(law.K(self.tilt))
        added_up = 2 * self.small.losses  # at one point of the grid, at most
        self.relative_error = UNIT * (of_chances + of_losses + of_mass + added_up)
        self.shift = PLACE * UNIT * (self.largest + reach + self.small.number * self.h)

    def serves(self, about: float) -> bool:
        """Say whether questions near that loss are answered well by this grid."""
        is_near = abs(about - self.centre) <= NEAR * self.sigma
        return is_near or (self.tilt == 0 and about < self.centre)

    # ------------------------------------------------------------------------------------------- the two questions

    def delta(self, eps: float, rounding: int) -> float:
        """Return an end of delta'(eps): the sum of P(x) delta_small(eps - x) over the losses x of the large coins."""
        at = eps - self.large.losses
        of_small = self._upper_delta(at) if rounding > 0 else self._lower_delta(at)
        of_sum = np.log2(len(at)) + PAIRWISE
        error = UNIT * (self.large.doubt.max() + of_sum + FUNCTION)
        mass = float(np.sum(self.large.weights * of_small)) * (1 + rounding * error)
        end = float(np.nextafter(mass / SCALE, rounding * np.inf))
        return min(1.0, max(end, TINY)) if rounding > 0 else max(0.0, end)

    def epsilon(self, delta: float, rounding: int) -> float:
        """Return an end of eps at delta'."""
        low = 0.0 if rounding > 0 else self._below(delta)
        found = inverse(self.delta, delta, (low, self.largest), rounding, rtol=SAME)
        return min(float(found), self.largest)

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
        weights = self._factor(law, self.tilt) * np.maximum(law.weights, 0) * (1 + self.relative_error)
        weights = np.minimum(weights + UNDERFLOW, 1.0)
        losses = self.h * self._points
        return PrivacyLoss(losses[::-1], weights[::-1], doubt=FUNCTION + 4)

    def _upper_delta(self, at: np.ndarray) -> np.ndarray:
        """Return upper ends of the small coins' delta, which errors and mass off the grid may add to."""
        at = at - self.shift
        log_astray = self._dominating.log_mass - self.tilt * at + self.relative_error
        astray = self._dominating.astray * np.exp(np.minimum(log_astray, LOG_RANGE))
        return np.minimum(self.upper.delta(at, +1) + astray * (1 + FUNCTION * UNIT), 1.0)

    def _connect_dots(self, sheet: Sheet) -> Placed:
        """Share each loss between its grid neighbours a < b: P and Q = e^-loss P keep their mass."""
        a = np.floor(sheet.losses / self.h)
        beyond = np.clip(sheet.losses - a * self.h, 0.0, self.h)
        share = np.expm1(-beyond) / np.expm1(-self.h)
        with np.errstate(divide="ignore"):
            log_p_at_a = sheet.log_p + np.log1p(-share)
            log_p_at_b = sheet.log_p + np.log(share)
        both = np.concatenate([a, a + 1], axis=1)
        return Placed(both, np.concatenate([log_p_at_a, log_p_at_b], axis=1))

    # ---------------------------------------------------------------------------------------------- lower ends

    @property
    def _seen(self) -> list[Sheet]:
        """The blocks whose losses the adversary sees."""
        return self.small.sheets

    @cached_property
    def _events(self) -> Events:
        """What an adversary who rounds its losses may bet on."""
        under_p = [self._round(sheet, 0) for sheet in self._seen]
        under_q = [self._round(sheet, 1) for sheet in self._seen]
        P = self._composed(under_p, self.tilt)
        Q = self._composed(under_q, self.tilt + 1)
        return Events(
            self._tail(P, self.tilt, log_scale=0.0, rounding=-1),
            self._tail(Q, self.tilt + 1, log_scale=self.centre, rounding=+1),
        )

    def _round(self, sheet: Sheet, hypothesis: int) -> Placed:
        """Round each loss to the grid, under P (hypothesis 0) or Q (1)."""
        nearest = np.rint(sheet.losses / self.h)
        return Placed(nearest, sheet.log_p - hypothesis * sheet.losses)

    def _tail(self, law: GridLaw, tilt: float, log_scale: float, rounding: int) -> np.ndarray:
        """Return sums of probabilities from each grid point upward, rounded to the safe side."""
        factor = self._factor(law, tilt, log_scale)
        probabilities = factor * np.maximum(law.weights, 0.0)
        tail = np.cumsum(probabilities[::-1])[::-1]
        error = self.relative_error + (self.points + FUNCTION) * UNIT
        stray = law.astray * factor + UNDERFLOW * self.points
        moved = (tail + rounding * stray) * (1 + rounding * error)
        return np.maximum(moved, TINY if rounding > 0 else 0)

    def _lower_delta(self, at: np.ndarray) -> np.ndarray:
        """Return the best of four events' certificates P(E) - e^eps Q(E): three thresholds near eps, and E = all."""
        at = at + self.shift
        nearest = np.rint(at / self.h) - self.first
        ratio = np.exp(np.minimum(at - self.centre, LOG_RANGE)) * (1 + 2 * FUNCTION * UNIT)
        best = -np.expm1(np.minimum(at, 0.0))
        for threshold in (nearest - 1, nearest, nearest + 1):
            event = np.clip(threshold, 0, self.points - 1).astype(int)
            shown = self._events.P[event] - ratio * self._events.Q[event]
            best = np.maximum(best, shown)
        return best * (1 - 2 * FUNCTION * UNIT)

    # -------------------------------------------------------------------------------------- from blocks to the grid

    @property
    def _points(self) -> np.ndarray:
        return self.first + np.arange(self.points)

    def _factor(self, law: GridLaw, tilt: float, log_scale: float = 0.0) -> np.ndarray:
        """Return e^(log_mass - tilt h j), which takes the tilt back."""
        exponent = law.log_mass + log_scale - tilt * self.h * self._points
        return np.exp(np.clip(exponent, -745.0, LOG_RANGE))

    def _composed(self, placed: list[Placed], tilt: float) -> GridLaw:
        """Add the losses of all blocks: multiply their transforms on a circle of `points` points, and go back."""
        product = Transform(self.points)
        log_mass = 0.0
        log_moments = np.zeros(2)
        ends = np.zeros(2)
        for j, log_weights in placed:
            log_tilted = log_weights + tilt * self.h * j
            log_sums = _log_sum_exp(log_tilted)
            log_tilted -= log_sums[:, None]
            product.multiply(j.astype(np.int64), np.exp(log_tilted))
            log_mass += float(np.sum(log_sums))
            log_moments += [np.sum(_log_sum_exp(log_tilted + slope * self.h * j)) for slope in self.slopes]
            ends += np.sum(j.min(axis=1)), np.sum(j.max(axis=1))
        weights = product.law(self.first)
        stray = product.error * self._cauchy_schwarz(tilt)
        return GridLaw(weights, log_mass, stray + self._mass_off(ends, log_moments))

    def _cauchy_schwarz(self, tilt: float) -> float:
        """Return the norm of e^(-tilt h i) for i = 0, 1, ..., by which an error's norm bounds the error of a tail."""
        falling = 1 + 1 / max(2 * tilt * self.h, UNIT)
        return np.sqrt(min(self.points, falling))

    def _mass_off(self, ends: np.ndarray, log_moments: np.ndarray) -> float:
        """Bound the mass beyond each end of the grid that the law reaches, by Chernoff's inequality."""
        last = self.first + self.points - 1
        grid_ends = np.array([self.first, last])
        is_beyond = np.array([ends[0] < self.first, ends[1] > last])
        log_mass = log_moments - self.slopes * self.h * grid_ends
        mass = np.exp(np.minimum(log_mass, 0.0))
        return 1.01 * float(np.sum(mass[is_beyond]))


def _log_sum_exp(x: np.ndarray) -> np.ndarray:
    """Return log sum e^x of each row."""
    top = x.max(axis=1)
    shares = np.exp(x - top[:, None])
    return top + np.log(np.sum(shares, axis=1))
