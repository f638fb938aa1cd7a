"""Logarithms of probabilities, also of those that are too small for a float."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.rounding import LOG_UNITS, TINY, UNIT, largest_size, log_fraction
from ..pair import Pair


@dataclass(frozen=True)
class LogLaws:
    """The logarithms of two laws on the same outcomes.

    Each of them is right up to `units` units of rounding; `mass` bounds the probabilities that were too small for a
    float and became larger.
    """

    p: np.ndarray
    q: np.ndarray
    units: float
    mass: float = 0.0

    @classmethod
    def of(cls, pair: Pair) -> LogLaws:
        """Return the logarithms of a pair; what is too rare for a float becomes less rare and keeps its loss."""
        if pair.exact:
            log_p = np.array([log_fraction(x) for x in pair.p])
            log_q = np.array([log_fraction(x) for x in pair.q])
        else:
            log_p, log_q = _from_the_larger(pair)
        size = max(largest_size(log_p), largest_size(log_q))
        given = pair.error
        units = given.units + given.loss / UNIT + 1 + (LOG_UNITS + 1) * size  # one unit and one sum of this size
        return cls(log_p, log_q, units, given.mass + TINY * len(pair))

    @property
    def size(self) -> float:
        """The largest of the finite logarithms, without its sign."""
        return max(largest_size(self.p), largest_size(self.q))

    def under(self, bit: int) -> np.ndarray:
        """Return the logarithms of the first law (bit 0) or of the second."""
        return self.q if bit else self.p

    def only(self, chosen: np.ndarray) -> LogLaws:
        """Return the logarithms of some of the outcomes."""
        return LogLaws(self.p[chosen], self.q[chosen], self.units, self.mass)


def _from_the_larger(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return log p and log q: the larger of the two, and the loss between them, which does not underflow."""
    loss = pair.losses
    larger = np.log(np.maximum(np.maximum(pair.p, pair.q), TINY))
    log_p = np.where(np.isneginf(loss), -np.inf, larger + np.minimum(loss, 0.0))
    log_q = np.where(np.isposinf(loss), -np.inf, larger - np.maximum(loss, 0.0))
    possible = is_possible(pair)
    return np.where(possible, log_p, -np.inf), np.where(possible, log_q, -np.inf)


def is_possible(pair: Pair) -> np.ndarray:
    """Say which outcomes can happen; those that are too rare for a float have a loss all the same."""
    likely = (pair.p > 0) | (pair.q > 0)
    return likely | np.isfinite(pair.losses) if pair.error.mass > 0 else likely
