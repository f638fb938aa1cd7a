"""A certified bracket for the composition of different mechanisms, each of them many times.

It is the grid of `grid.py`, for any finite laws in the place of coins: from above with laws that dominate each
mechanism, from below with laws that it dominates (`laws.py`). A mechanism that is used k times is transformed once, and
its transform raised to the power of k. `README.md`, section 15, derives the constants.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .blocks import Sheet
from .coins import law_of_coins
from .cumulants import SAMPLE, Cumulants, _first
from .grid import (
    FIRST_POINTS,
    OF_BLOCK,
    OF_LOSS,
    OF_MASS,
    PLACE,
    Answer,
    GridBracket,
    GridLaw,
    Placed,
    TiltedGrid,
    _log_sum_exp,
)
from .laws import TwoLaws
from .rounding import UNIT, largest_size, total
from .transform import Transform

NEARLY_ALL = 1 - 1e-6  # of the largest loss: where the tilt ends
MOST_ROOM = 2**10  # answers for which a grid has room to be rounded beyond the largest loss; a choice, not a bound
STEEPEST = 1e9  # tilt, over the standard deviation of all losses


class Part(NamedTuple):
    """A mechanism that is used `count` times: laws that lose a little more, and a little less."""

    above: TwoLaws
    below: TwoLaws
    count: int

    @property
    def reversed(self) -> Part:
        """Swap the two laws."""
        return Part(self.above.reversed, self.below.reversed, self.count)


class Parts:
    """All mechanisms of a release, one direction of them: what a `TiltedGrid` wants to know about its blocks."""

    def __init__(self, parts: list[Part]):
        self.parts = parts
        self.counts = [part.count for part in parts]
        self.sheets = [_sheet(part.above) for part in parts]
        self.seen = [_sheet(part.below) for part in parts]
        self.number = min(sum(self.counts), MOST_ROOM)
        self.cumulants = LawCumulants(parts)

    def added_up(self, of: Callable[[Part], float]) -> float:
        """Return the sum over all mechanisms, each as often as it is used."""
        return float(sum(part.count * of(part) for part in self.parts))


def _sheet(laws: TwoLaws) -> Sheet:
    return Sheet(laws.losses[None, :], laws.log_p[None, :])


class LawCumulants(Cumulants):
    """The cumulants of a sum of losses; of each mechanism at most SAMPLE losses are told apart."""

    def __init__(self, parts: list[Part]):
        self.count = np.array([part.count for part in parts], dtype=float)
        rows = [_sampled(part.above) for part in parts]
        self.losses, self.log_p = (np.stack(table) for table in zip(*rows, strict=True))
        most = [float(part.above.losses.max()) for part in parts]
        off = sum(part.count * (part.above.off + part.below.off) for part in parts)
        counts = [part.count for part in parts]
        self.largest = max(total(most, counts, +1) + 2 * off, 0.0)
        self.least = -total([-float(part.above.losses.min()) for part in parts], counts, +1)
        self.least_sum = max(total([float(part.below.losses.max()) for part in parts], counts, -1) - 2 * off, 0.0)
        self.steepest = _first(lambda t: self.mean(t) >= NEARLY_ALL * self.largest, STEEPEST / self.sigma(0.0))
        self.most_tilt = _first(lambda t: self.log_chance(t) <= self._log_top + 1.0, self.steepest)

    @property
    def _log_top(self) -> float:
        """The logarithm of the probability of the largest loss."""
        top = np.argmax(self.losses, axis=1)[:, None]
        return float(self.count @ np.take_along_axis(self.log_p, top, axis=1)[:, 0])

    def K(self, t: float) -> float:
        """Return the sum of the log E e^(t loss)."""
        return float(self.count @ _log_sum_exp(self.log_p + t * self.losses))

    def sizes(self, t: float) -> float:
        """Return the sum of their absolute values."""
        return float(self.count @ np.abs(_log_sum_exp(self.log_p + t * self.losses)))

    def _shares(self, t: float) -> np.ndarray:
        exponent = self.log_p + t * self.losses
        return np.exp(exponent - _log_sum_exp(exponent)[:, None])

    def mean(self, t: float) -> float:
        """Return K'(t), the mean loss under the tilted law."""
        return float(self.count @ np.sum(self._shares(t) * self.losses, axis=1))

    def sigma(self, t: float) -> float:
        """Return the standard deviation of the loss under the tilted law."""
        shares = self._shares(t)
        mean = np.sum(shares * self.losses, axis=1, keepdims=True)
        return float(np.sqrt(self.count @ np.sum(shares * (self.losses - mean) ** 2, axis=1)))


def _sampled(laws: TwoLaws) -> tuple[np.ndarray, np.ndarray]:
    """Return at most SAMPLE losses with the logarithms of their chances, neighbours in one; rows are filled up."""
    order = np.argsort(laws.losses)
    groups = np.array_split(order, min(SAMPLE, len(order)))
    starts = np.cumsum([0, *map(len, groups[:-1])])
    chances = np.exp(np.maximum(laws.log_p[order], -700.0))
    sums = np.add.reduceat(chances, starts)
    losses = np.add.reduceat(chances * laws.losses[order], starts) / sums
    losses[-1] = laws.losses.max()
    fill = SAMPLE - len(sums)
    return np.append(losses, np.full(fill, losses[0])), np.append(np.log(sums), np.full(fill, -np.inf))


class ReleaseGrid(TiltedGrid):
    """One grid, one tilt, for a release."""

    def __init__(self, parts: Parts, about: float, points: int):
        super().__init__(law_of_coins({}), parts, parts.cumulants, about, points)

    def _bound_errors(self) -> None:
        """Bound the relative error of all weights, and by how much a loss may be off its place."""
        parts = self.small
        reach = max(-self.first, self.first + self.points) * self.h
        steep = OF_LOSS * (1 + self.tilt)

        def of_one(part: Part) -> float:
            laws = [part.above, part.below]
            of_chances = max(law.units + 4 * largest_size(law.log_p) + 2 * self._together(law) for law in laws)
            return of_chances + OF_BLOCK + steep * (max(law.size for law in laws) + self.h)

        of_mass = OF_MASS * parts.cumulants.sizes(self.tilt)
        self.relative_error = UNIT * (parts.added_up(of_one) + steep * (reach + self.largest) + of_mass)
        rounded = parts.added_up(lambda part: max(part.above.size, part.below.size) + self.h)
        off = parts.added_up(lambda part: max(part.above.off, part.below.off))
        self.shift = PLACE * UNIT * (self.largest + reach + rounded) + off

    def _together(self, laws: TwoLaws) -> int:
        """Return how many losses come to one point of the grid at most, two neighbours of each counted."""
        j = np.floor(laws.losses / self.h).astype(np.int64)
        _, how_many = np.unique(j, return_counts=True)
        return 2 * int(how_many.max()) + 2

    @property
    def _seen(self) -> list[Sheet]:
        return self.small.seen

    def _composed(self, placed: list[Placed], tilt: float) -> GridLaw:
        """Add the losses of all mechanisms, each as often as it is used: raise their transforms to powers."""
        product = Transform(self.points)
        log_mass = 0.0
        log_moments = np.zeros(2)
        ends = np.zeros(2)
        for (j, log_weights), count in zip(placed, self.small.counts, strict=True):
            log_tilted = log_weights + tilt * self.h * j
            log_sum = _log_sum_exp(log_tilted)
            log_tilted = log_tilted - log_sum
            product.multiply_power(j[0].astype(np.int64), np.exp(log_tilted[0]), count)
            log_mass += count * float(log_sum[0])
            log_moments += [count * float(_log_sum_exp(log_tilted + slope * self.h * j)[0]) for slope in self.slopes]
            ends += count * j.min(), count * j.max()
        weights = product.law(self.first)
        stray = product.error * self._cauchy_schwarz(tilt)
        return GridLaw(weights, log_mass, stray + self._mass_off(ends, log_moments))


class ReleaseBracket(GridBracket):
    """Lower and upper ends of delta and its inverse in one direction, for what both laws admit."""

    def __init__(self, parts: list[Part], rtol: float):
        self.parts = Parts(parts)
        self.rtol = rtol
        self.all = self.parts.cumulants
        self.answers: dict[tuple[str, float], Answer] = {}
        self.grids: list[TiltedGrid] = []

    def _new_grid(self, about: float, points: int) -> TiltedGrid:
        return ReleaseGrid(self.parts, about, points)

    @cached_property
    def coarse(self) -> ReleaseGrid:
        """One grid for many questions, such as a picture asks."""
        return ReleaseGrid(self.parts, about=0.0, points=4 * FIRST_POINTS)

    def quick_delta(self, eps: np.ndarray) -> np.ndarray:
        """Return upper ends of delta, from one grid: certified, but not as narrow as was asked for."""
        least = self.coarse._upper_delta(eps)
        return np.where(eps >= self.all.largest, 0.0, least * (1 + 4 * UNIT))
