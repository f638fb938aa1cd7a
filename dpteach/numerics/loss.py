r"""The privacy loss of one pair in one direction, and the two questions one asks about it.

The privacy loss of an outcome y is the log-likelihood ratio $\ell(y) = \log(P(y)/Q(y))$. Its law under P is all
that matters for privacy in that direction:

    delta(eps) = sum over the outcomes with loss > eps of P(y) (1 - e^(eps - loss(y))).

Read from the largest loss downward, the sum obeys a recurrence with positive terms only, so it loses no digits
even where delta is 1e-300; and between two neighbouring losses it is linear in e^eps, so that `epsilon(delta)`
needs no search by bisection.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .rounding import FUNCTION, TINY, UNIT, next_float, outward

STEP = FUNCTION + 4  # units: a function, the two of its argument, a product and a sum


class Sums(NamedTuple):
    """S[i], which is delta at the loss i, and T[i], by which delta grows from there on; both times the scale."""

    S: np.ndarray
    T: np.ndarray


class PrivacyLoss:
    """The law of the privacy loss under P, as far as it is finite: losses with their probabilities.

    `doubt` says by how many units of rounding each weight may be off. The two sums then carry a running error
    bound (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.3), and the queries can round
    outward: `rounding=+1` never reports less than the truth, `rounding=-1` never more, `0` is the nearest.
    `low` holds the digits of the losses that did not fit into `losses`, and `beyond` bounds what is missing all the
    same. The weights are the probabilities times `scale`, a power of two that keeps them away from underflow.
    """

    def __init__(self, losses, weights, *, low=None, doubt=0.0, beyond: float = 0.0, scale: float = 1.0):
        low = np.zeros(len(losses)) if low is None else low
        doubt = np.broadcast_to(doubt, losses.shape)
        both = losses + low
        low = low - (both - losses)  # what this sum has rounded away, at most half a unit
        order = slice(None) if _fall(both, low) else np.lexsort((-low, -both))
        self.losses = both[order]
        self.low = low[order]
        self.weights = weights[order]
        self.beyond = beyond
        self.scale = scale
        self._sum_up(doubt[order])

    def _sum_up(self, doubt: np.ndarray) -> None:
        """Prepare S[i] = delta at losses[i], and T[i], which gives delta from there to losses[i+1].

        T[i] = sum_{j <= i} w[j] e^(losses[i] - losses[j]),  S[i+1] = S[i] + (1 - e^-gap) T[i].
        """
        gap = -np.diff(self.losses) - np.diff(self.low)
        below_zero = np.maximum(self.losses[-1:], 0.0) + 1.0
        self.gap = np.append(gap, below_zero)
        decay = np.exp(-gap)
        rise = -np.expm1(-gap)
        T = discounted_sums(self.weights, decay)
        risen = rise * T[:-1]
        S = _after_nothing(np.cumsum(risen), len(T))
        kept = (STEP + 2 * gap) * decay * T[:-1]
        of_terms = (doubt + 1) * self.weights + _after_nothing(kept, len(T))
        underflow = TINY * len(T)
        T_error = UNIT * discounted_sums(of_terms, decay) + underflow
        of_steps = rise * (T_error[:-1] + STEP * UNIT * T[:-1]) + UNIT * S[1:]
        S_error = _after_nothing(np.cumsum(of_steps) + underflow, len(T))
        self._nearest = Sums(S, T)
        self._error = Sums(S_error, T_error)

    @cached_property
    def _sums_above(self) -> Sums:
        return self._moved(+1)

    @cached_property
    def _sums_below(self) -> Sums:
        return self._moved(-1)

    def _moved(self, rounding: int) -> Sums:
        """Return the sums, moved by their error bounds; S still rises and T is not negative."""
        S = self._nearest.S + rounding * self._error.S
        T = self._nearest.T + rounding * self._error.T
        return Sums(np.maximum.accumulate(S), np.maximum(T, 0.0))

    def sums(self, rounding: int) -> Sums:
        """Return S and T, never below the truth (+1), never above it (-1), or next to it (0)."""
        if rounding == 0:
            return self._nearest
        return self._sums_above if rounding > 0 else self._sums_below

    # ---------------------------------------------------------------------------------------- the two questions

    def delta(self, eps: np.ndarray, rounding: int = 0) -> np.ndarray:
        """Return the sum of P(y) (1 - e^(eps - loss)) over the losses above eps."""
        if not len(self.losses):
            return np.zeros(np.shape(eps))
        shift = -rounding * self.beyond
        last = np.searchsorted(-self.losses, -(eps + shift), side="right") - 1
        above = self._above(eps, last, shift)
        while np.any(above >= 0):  # losses equal to eps but for their low digits may lie below it
            last = last - (above >= 0)
            above = self._above(eps, last, shift)
        gain = -np.expm1(above) * (1 + STEP * UNIT * rounding)
        sums = self.sums(rounding)
        scaled = np.where(last >= 0, sums.S[last] + sums.T[last] * gain, 0.0)
        delta = outward(scaled, rounding) / self.scale
        if rounding > 0:
            delta = np.maximum(delta, TINY * (last >= 0))  # too small for a float, but not zero
        return next_float(delta, rounding)

    def _above(self, eps: np.ndarray, index: np.ndarray, shift: float) -> np.ndarray:
        """Return eps + shift - losses[index], with all digits; -inf above the largest loss."""
        difference = (eps - self.losses[index]) + (shift - self.low[index])
        return np.where(index < 0, -np.inf, difference)

    def epsilon(self, delta: np.ndarray, rounding: int = 0) -> np.ndarray:
        """Return the smallest eps >= 0 with delta(eps) <= delta; infinity for a negative delta."""
        spare = np.asarray(delta) * self.scale
        if not len(self.losses):
            return np.where(spare < 0, np.inf, 0.0)
        largest = self._largest(rounding)
        eps = np.minimum(self._reached(spare, rounding), largest)
        return np.where(spare > 0, eps, np.where(spare < 0, np.inf, largest))

    def _reached(self, spare: np.ndarray, rounding: int) -> np.ndarray:
        """Return the eps at which the sum reaches `spare`: between two losses it is linear in e^eps."""
        sums = self.sums(rounding)
        at = np.searchsorted(sums.S, np.maximum(spare, 0.0), side="right") - 1
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            fallen = (spare - sums.S[at]) / sums.T[at] * (1 - 4 * UNIT * rounding)
            step = np.log1p(-np.clip(fallen, 0.0, 1.0))
        step = np.maximum(step, -self.gap[at])
        error = STEP * UNIT * np.abs(step) + self.beyond
        return outward(self.losses[at] + (self.low[at] + step), rounding, error)

    def _largest(self, rounding: int) -> float:
        """Return the largest loss, or 0; its low digits decide whether it must be rounded."""
        largest = self.losses[0]
        if self.low[0] * rounding + self.beyond > 0:
            largest = np.nextafter(largest, rounding * np.inf)
        return max(largest, 0.0)


def discounted_sums(terms: np.ndarray, decay: np.ndarray) -> np.ndarray:
    """Return t with t[0] = terms[0] and t[i] = terms[i] + decay[i-1] t[i-1]."""
    from scipy.linalg.blas import dtbsv  # here, because importing scipy.linalg takes longer than all of dpteach

    band = np.ones((2, len(terms)), order="F")
    band[1, :-1] = -decay
    return dtbsv(1, band, terms, lower=1, diag=1) if len(terms) else terms


def _fall(losses: np.ndarray, low: np.ndarray) -> bool:
    """Say whether the losses fall, or at least do not rise; where two are equal, the low digits decide."""
    falls = losses[1:] < losses[:-1]
    if falls.all():
        return True
    tied = losses[1:] == losses[:-1]
    return bool(np.all(falls | (tied & (low[1:] <= low[:-1]))))


def _after_nothing(sums: np.ndarray, length: int) -> np.ndarray:
    """Return a zero and then the sums, which are one fewer; nothing at all if there are no losses."""
    return np.concatenate([[0.0], sums])[:length]
