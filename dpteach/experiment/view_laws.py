"""The two laws of the view: what a method finds, with all that its rounding may have done."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.rounding import FUNCTION, LOG_UNITS, TINY, UNIT, largest_size, logarithm_units
from ..numerics.side import Error
from ..pair import Pair

UNDERFLOWS = 4  # roundings of one probability, each of which may lose a smallest float where it underflows


@dataclass(frozen=True)
class ViewLaws:
    """The probabilities of the views under two hypotheses, and the logarithms of their ratios.

    Every probability is right up to `units` units of rounding, unless it is too small for a float; `mass` adds up
    what such ones may have gained or lost before. `left_out` is the probability of the views that are not listed.
    """

    p: np.ndarray
    q: np.ndarray
    losses: np.ndarray
    units: float = 0.0
    mass: float = 0.0
    left_out: float = 0.0

    @classmethod
    def of_laws(cls, p: np.ndarray, q: np.ndarray, units: float = 0.0, mass: float = 0.0) -> ViewLaws:
        """Return the views with these probabilities, without those that never happen."""
        possible = (p > 0) | (q > 0)
        p = p[possible]
        q = q[possible]
        return cls(p, q, Pair._of(p, q).losses, units, mass)

    @classmethod
    def of_logs(cls, log_p: np.ndarray, log_q: np.ndarray, units: float, mass: float = 0.0) -> ViewLaws:
        """Return the views with these log-probabilities, without those that never happen.

        An error of so many units in log p is one of as many units, relatively, in p; exp adds its own.
        """
        possible = np.isfinite(log_p) | np.isfinite(log_q)
        log_p = log_p[possible]
        log_q = log_q[possible]
        return cls(np.exp(log_p), np.exp(log_q), log_p - log_q, units + FUNCTION, mass)

    @property
    def exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self.p.dtype == object

    @property
    def error(self) -> Error:
        """How far probabilities and losses may be off.

        A loss is log p - log q, or log(p/q): an error of p and one of q, one rounding, and a logarithm. A fraction
        becomes a float, which costs one unit more.
        """
        size = largest_size(self.losses)
        logarithm = max(LOG_UNITS * size, logarithm_units(size))
        loss = UNIT * (2 * self.units + 2 + logarithm)
        underflow = UNDERFLOWS * TINY * len(self.p)
        return Error(self.units + 1, loss, self.mass + underflow)

    @property
    def pair(self) -> Pair:
        """The two laws as a pair."""
        if self.exact:
            return Pair._of(self.p, self.q)
        return Pair._of(self.p, self.q, self.losses, error=self.error)
