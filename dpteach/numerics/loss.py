r"""The privacy loss of one pair in one direction, and the two questions one asks about it.

The privacy loss of an outcome y is the log-likelihood ratio $\ell(y) = \log(P(y)/Q(y))$. Its law under P is all
that matters for privacy in that direction:

    delta(eps) = sum over the outcomes with loss > eps of P(y) (1 - e^(eps - loss(y))).

Read from the largest loss downward, the sum obeys a recurrence with positive terms only, so it loses no digits
even where delta is 1e-300; and between two neighbouring losses it is linear in e^eps, so that `epsilon(delta)`
needs no search by bisection.
"""

from __future__ import annotations

import numpy as np

from .rounding import TINY, UNIT, outward


class PrivacyLoss:
    """The law of the privacy loss under P, as far as it is finite: losses with their probabilities.

    `doubt` says by how many units of rounding each weight may be off. The two sums then carry a running error
    bound (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.3), and the queries can round
    outward: `rounding=+1` never reports less than the truth, `rounding=-1` never more, `0` is the nearest.
    `low` holds the digits of the losses that did not fit into `losses`. The weights are the probabilities times
    `scale`, a power of two that keeps them away from underflow.
    """

    def __init__(self, losses, weights, *, low=None, doubt=0.0, scale: float = 1.0):
        low = np.zeros(len(losses)) if low is None else low
        doubt = np.broadcast_to(doubt, losses.shape)
        both = losses + low
        low = low - (both - losses)  # what this sum has rounded away, at most half a unit
        if np.any(both[1:] > both[:-1]):
            order = np.lexsort((-low, -both))
            both, weights, low, doubt = both[order], weights[order], low[order], doubt[order]
        self.losses = both
        self.low = low
        self.weights = weights
        self.scale = scale
        self._sum_up(doubt)
        self._moved = {0: (self.S, self.T)}

    def _sum_up(self, doubt) -> None:
        """Prepare S[i] = delta at losses[i], and T[i], which gives delta from there to losses[i+1].

        T[i] = sum_{j <= i} w[j] e^(losses[i] - losses[j]),  S[i+1] = S[i] + (1 - e^-gap) T[i].
        """
        gap = -np.diff(self.losses) - np.diff(self.low)
        self.gap = np.append(gap, np.maximum(self.losses[-1:], 0.0) + 1.0)  # from the last loss to below zero
        decay, rise = np.exp(-gap), -np.expm1(-gap)
        self.T = discounted_sums(self.weights, decay)
        self.S = np.concatenate([[0.0], np.cumsum(rise * self.T[:-1])])[: len(self.T)]
        kept = decay * self.T[:-1]
        error = (doubt + 1) * self.weights + np.concatenate([[0.0], 6 * kept])[: len(self.T)]
        self.T_error = UNIT * discounted_sums(error, decay)
        self.S_error = np.zeros(len(self.T))
        self.S_error[1:] = np.cumsum(rise * (self.T_error[:-1] + 6 * UNIT * self.T[:-1]) + UNIT * self.S[1:])

    def delta(self, eps: np.ndarray, rounding: int = 0) -> np.ndarray:
        """Return the sum of P(y) (1 - e^(eps - loss)) over the losses above eps."""
        if not len(self.losses):
            return np.zeros(np.shape(eps))
        last = np.searchsorted(-self.losses, -eps, side="right") - 1
        last = last - (self._above(eps, last) >= 0)  # a loss equal to eps but for its low digits may lie below it
        below = -np.expm1(self._above(eps, last)) * (1 + 8 * UNIT * rounding)
        S, T = self._sums(rounding)
        finite = np.where(last >= 0, S[last] + T[last] * below, 0.0)
        finite = outward(finite, rounding) / self.scale
        if rounding > 0:
            finite = np.maximum(finite, TINY * (last >= 0))  # too small for a float, but not zero
        return outward(finite, rounding)

    def _above(self, eps: np.ndarray, index: np.ndarray) -> np.ndarray:
        """Return eps - losses[index], with all digits; -inf above the largest loss."""
        return np.where(index < 0, -np.inf, (eps - self.losses[index]) - self.low[index])

    def epsilon(self, delta: np.ndarray, rounding: int = 0) -> np.ndarray:
        """Return the smallest eps >= 0 with delta(eps) <= delta; infinity for a negative delta."""
        spare = np.asarray(delta) * self.scale
        if not len(self.losses):
            return np.where(spare < 0, np.inf, 0.0)
        S, T = self._sums(rounding)
        at = np.searchsorted(S, np.maximum(spare, 0.0), side="right") - 1
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            fallen = (spare - S[at]) / T[at] * (1 - 8 * UNIT * rounding)
            step = np.maximum(np.log1p(-np.clip(fallen, 0.0, 1.0)), -self.gap[at])
        eps = outward(self.losses[at] + (self.low[at] + step), rounding, 4 * UNIT * np.abs(step))
        largest = self._largest(rounding)
        return np.where(spare > 0, np.minimum(eps, largest), np.where(spare < 0, np.inf, largest))

    def _largest(self, rounding: int) -> float:
        """Return the largest loss, or 0; its low digits decide whether it must be rounded."""
        moved = np.nextafter(self.losses[0], rounding * np.inf) if self.low[0] * rounding > 0 else self.losses[0]
        return max(moved, 0.0)

    def _sums(self, rounding: int) -> tuple[np.ndarray, np.ndarray]:
        """Return S and T, moved to the safe side by their error bounds."""
        if rounding not in self._moved:
            S, T = self.S + rounding * self.S_error, self.T + rounding * self.T_error
            self._moved[rounding] = np.maximum.accumulate(S), np.maximum(T, 0.0)
        return self._moved[rounding]


def discounted_sums(terms: np.ndarray, decay: np.ndarray) -> np.ndarray:
    """Return t with t[0] = terms[0] and t[i] = terms[i] + decay[i-1] t[i-1]."""
    from scipy.linalg.blas import dtbsv  # here, because importing scipy.linalg takes longer than all of dpteach

    band = np.ones((2, len(terms)), order="F")
    band[1, :-1] = -decay
    return dtbsv(1, band, terms, lower=1, diag=1) if len(terms) else terms
