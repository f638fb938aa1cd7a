"""One direction of a pair: how far its numbers may be off, and answers that are on the safe side all the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..curve import Curve
from .loss import PrivacyLoss
from .rounding import FUNCTION, TINY, UNIT, float_to, next_float, total

if TYPE_CHECKING:
    from ..pair import Pair

LARGEST_EXPONENT = 709.0  # of e, in floats


@dataclass(frozen=True)
class Error:
    """How far the numbers of a pair may be from the truth, after all the rounding that made them.

    Every probability is right up to `units` units of rounding (relatively), every finite loss up to `loss`, and the
    probabilities that became too small for a float add up to at most `mass`. Outcomes that only one of the two laws
    admits may be known better: up to `certain` units.
    """

    units: float = 0.0
    loss: float = 0.0
    mass: float = 0.0
    certain: float | None = None

    @property
    def certain_units(self) -> float:
        """Units of rounding in the probability of an outcome that only one of the two laws admits."""
        return self.units if self.certain is None else self.certain


class Side(Curve):
    """One direction, P against Q: the law of the privacy loss log(P/Q) under P, with all errors on the safe side.

    Where Q is impossible the loss is infinite, and P's mass there counts in full. If the losses are known up to an
    error, delta(eps) lies between its computed values at eps + error and eps - error, because it falls in eps.
    `of` names the pair, if there is one that can answer in fractions. Outcomes of probability `tail` may have been left
    out; they count as lost. From `largest` on, delta is 0.
    """

    def __init__(
        self,
        p: np.ndarray,
        losses: np.ndarray,
        error: Error,
        of: Pair | None = None,
        tail: float = 0.0,
        largest: float = math.inf,
    ):
        harmful = np.isfinite(losses) & (losses > -2 * error.loss)  # no eps >= 0 is exceeded by the others
        self._certain = p[np.isposinf(losses)].tolist()
        self._loss = PrivacyLoss(losses[harmful], p[harmful].astype(float), doubt=error.units)
        self._error = error
        self._pair = of
        self._tail = tail
        self._largest = largest

    @property
    def exact(self) -> bool:
        """Whether the laws are fractions."""
        return self._pair is not None and self._pair.exact

    def _delta_at(self, eps, rounding):
        finite = self._loss.delta(self._safe_eps(eps, rounding), rounding)
        finite = np.where(finite > 0, np.maximum(finite + rounding * self._error.mass, 0.0), 0.0)
        certain = self._certain_end(rounding)
        either = np.where(finite > 0, np.nextafter(certain + finite, rounding * np.inf), certain)
        if rounding < 0 and certain > 0 and self._error.mass > 0:  # perhaps only too rare for a float under Q
            rare = np.exp(np.minimum(eps, LARGEST_EXPONENT)) * self._error.mass
            either = next_float(np.maximum(either - 2 * rare, 0.0), -1)
        if np.any(eps == 0):
            either = np.where(eps == 0, self._at_zero(either, rounding), either)
        beyond = (eps >= self._largest) & (self._largest < np.inf)
        return np.where(beyond, 0.0, np.clip(either, 0.0, 1.0))

    def _epsilon_at(self, delta, rounding):
        eps = self._loss.epsilon(self._spare(delta, rounding), rounding)
        if self._error.loss > 0:
            moved = np.nextafter(eps + rounding * self._error.loss, rounding * np.inf)
            eps = np.where(np.isinf(eps), eps, np.maximum(moved, 0.0))
        if rounding < 0 and self._error.mass > 0:
            eps = np.where(np.isinf(eps), self._least_infinite(delta), eps)
        if np.any((eps > 0) & (eps < 1e-6)):  # perhaps only by the errors of logarithms
            eps = np.where(delta < self._at_zero(1.0, rounding), eps, 0.0)
        return np.minimum(eps, self._largest)

    def _safe_eps(self, eps: np.ndarray, rounding: int) -> np.ndarray:
        """Return eps, moved by what the losses may be off."""
        if self._error.loss == 0:
            return eps
        return np.nextafter(eps - rounding * self._error.loss, -rounding * np.inf)

    def _least_infinite(self, delta: np.ndarray) -> np.ndarray:
        """Return a loss that even those have which seem infinite because Q may have become too small for a float."""
        above = np.maximum(self._certain_end(-1) - delta, TINY)
        largest = np.log(above) - np.log(2 * self._error.mass)
        return np.maximum(largest * (1 - 2 * FUNCTION * UNIT), 0.0)

    def _spare(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return what delta leaves for the finite losses, the less the safer; negative if it leaves nothing."""
        certain = self._certain_end(rounding)
        spare = delta - certain
        lost = rounding * self._error.mass
        if certain == lost == 0:
            return spare
        moved = np.maximum(np.nextafter(spare - lost, -rounding * np.inf), 0.0)
        return np.where(spare > 0, moved, spare)

    def _certain_end(self, rounding: int) -> float:
        """Return an end of the probability under P of what is impossible under Q, or was left out."""
        if self.exact:
            return float_to(sum(self._certain, Fraction(0)), rounding)
        mass = total(self._certain, [1] * len(self._certain), rounding)
        units = self._error.certain_units
        mass = mass * (1 + rounding * (units + 1) * UNIT) if units else mass
        missing = self._tail + (self._error.mass if self._certain else 0.0)
        if rounding > 0:
            return float(np.nextafter(mass + missing, np.inf)) if missing else mass
        return max(mass - self._error.mass, 0.0)

    def _at_zero(self, otherwise, rounding: int):
        """Return an end of delta(0) without any error of logarithms, if it is known."""
        known = None if self._pair is None else self._pair._known_variation
        return otherwise if known is None else known[rounding]

    def _exact_delta(self, ratio):
        return self._pair._excess(ratio)

    def _exact_ratio(self, delta):
        return self._pair._steepest(delta)
