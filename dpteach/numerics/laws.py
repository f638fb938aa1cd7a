r"""What one answer of a release loses, as finitely many losses: a little more than the truth, or a little less.

A pair of finitely many outcomes is taken as it is. Laplace and Gaussian noise have a density of losses; it is cut into
narrow bins, and then

- from above: each loss of a bin is shared between the two ends of the bin so that P and Q keep their mass. Forgetting
  which end it was gives the loss back, so the new pair dominates ("connect the dots");
- from below: only the bin is told. That is post-processing, so the new pair is dominated.

Subsampling turns the loss l of an outcome into -log(1 - rate + rate e^-l). It keeps both statements: whatever turns one
pair into another does the same with their mixtures. `README.md`, section 15, derives the constants.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .quadrature import rule_of
from .rounding import FUNCTION, LARGEST_PLAIN, UNIT, largest_size, total

if TYPE_CHECKING:
    from ..pair import Pair

NODES = 4  # of the rule in a bin
LAPLACE_BINS = 2**15
GAUSSIAN_BINS = 2**16
REACH = 13.0  # standard deviations on each side; beyond lies less than 1e-38
BEYOND_REACH = 1e-38  # twice that is counted as lost, on each side
LARGEST_LAPLACE = 200.0  # with larger parameters the bins are too wide for the rule
LARGEST_GAUSSIAN = 32.0
RARE = 1 / LARGEST_PLAIN  # rarer outcomes are counted as lost (from above), or left out (from below)

# In units of rounding, derived in README.md
OF_BIN = 32
OF_SAMPLING = 8 * FUNCTION


@dataclass(frozen=True)
class TwoLaws:
    """Two laws P (without the record) and Q (with it), by the losses log(P/Q): above (+1) or below (-1) the truth.

    `log_p` are the logarithms of P's probabilities, which are right up to `units` units of rounding, and the losses up
    to `off`. `only_p` and `only_q` are the probabilities of what the other law excludes, rounded to the same side.
    """

    rounding: int
    log_p: np.ndarray
    losses: np.ndarray
    only_p: float = 0.0
    only_q: float = 0.0
    units: float = 0.0
    off: float = 0.0

    @property
    def reversed(self) -> TwoLaws:
        """Swap the two laws."""
        log_q = self.log_p - self.losses
        units = self.units + self.off / UNIT + largest_size(log_q)
        return TwoLaws(self.rounding, log_q, -self.losses, self.only_q, self.only_p, units, self.off)

    @property
    def size(self) -> float:
        """The largest absolute loss."""
        return largest_size(self.losses)

    def sampled(self, rate: float) -> TwoLaws:
        """Replace Q by (1 - rate) P + rate Q, for a rate above 0: the record is used with this probability only."""
        if rate == 1:
            return self
        log_p, losses = self.log_p, self.losses
        if self.only_p > 0:  # what Q excludes, the mixture does not
            log_p = np.append(log_p, math.log(self.only_p))
            losses = np.append(losses, np.inf)
        mixed = _mixed_losses(losses, rate)
        rest = _times(self.only_q, rate, self.rounding)
        off = self._slope(rate) * self.off + _off_of_mixing(mixed, rate)
        units = self.units + FUNCTION * largest_size(log_p)
        return TwoLaws(self.rounding, log_p, mixed, 0.0, rest, units, off)

    def _slope(self, rate: float) -> float:
        """Return by how much an error of a loss grows: largest for the least loss, and never more than 1."""
        odds = rate / (1 - rate) * np.exp(min(-np.min(self.losses, initial=0.0), 700.0))
        return min(1.0, 1.01 * float(odds / (1 + odds)))


def _mixed_losses(losses: np.ndarray, rate: float) -> np.ndarray:
    """Return -log(1 - rate + rate e^-loss): near 0 by log1p of expm1, which keeps all digits."""
    small = np.maximum(losses, -1.0)
    by_difference = -np.log1p(rate * np.expm1(-small))
    by_logarithms = -np.logaddexp(math.log1p(-rate), math.log(rate) - losses)
    is_close = (losses >= -1) & (rate * np.expm1(-small) > -0.5)
    return np.where(is_close, by_difference, by_logarithms)


def _off_of_mixing(mixed: np.ndarray, rate: float) -> float:
    """Bound the rounding of `_mixed_losses`: relative near 0, and beyond by the logarithms that were added."""
    size = largest_size(mixed)
    of_logarithms = 1 + abs(math.log(rate)) + abs(math.log1p(-rate)) + size
    return OF_SAMPLING * UNIT * (size if size < 0.25 else of_logarithms)


def _times(a: float, b: float, rounding: int) -> float:
    """Return a product of probabilities, rounded up or down."""
    return math.nextafter(a * b, rounding * math.inf) if a > 0 else 0.0


# --------------------------------------------------------------------------------------------- one answer each


def of_pair(pair: Pair, rounding: int) -> TwoLaws:
    """Return the laws of a finite pair; what is too rare for a float counts as lost, or is left out."""
    p, q = pair.p.astype(float), pair.q.astype(float)
    is_finite = np.isfinite(pair.losses)
    common = is_finite & (np.minimum(p, q) > RARE)
    log_p = np.log(p[common])
    error = pair.error
    units = error.units + 2 + FUNCTION * largest_size(log_p)  # one of them for what underflowed, which RARE dwarfs
    laws = TwoLaws(rounding, log_p, pair.losses[common], units=units, off=error.loss)
    if rounding > 0:
        missing = 0.0 if common.all() else error.mass  # which is nothing beside what is not rare
        missing += RARE if np.any(is_finite & ~common) else 0.0
        only_p, only_q = (_sum_above(law[~common], error.units, missing) for law in (p, q))
        return replace(laws, only_p=only_p, only_q=only_q)
    if error.mass > 0:  # perhaps nothing is excluded, but only too rare for a float
        return laws
    only_p, only_q = p[np.isposinf(pair.losses)], q[np.isneginf(pair.losses)]
    return replace(laws, only_p=_sum_below(only_p, error.units), only_q=_sum_below(only_q, error.units))


def _sum_above(law: np.ndarray, units: float, mass: float) -> float:
    """Return a sum of probabilities, rounded up by their units and by what underflowed."""
    added = total(law.tolist(), [1] * len(law), +1)
    if added == mass == 0:
        return 0.0
    return min(math.nextafter(added * (1 + (units + 2) * UNIT) + mass, math.inf), 1.0) if units or mass else added


def _sum_below(law: np.ndarray, units: float) -> float:
    """Return a sum of probabilities, rounded down."""
    return total(law.tolist(), [1] * len(law), -1) * (1 - (units + 2) * UNIT)


def of_laplace(eps: float, rounding: int) -> TwoLaws:
    """Return the laws of Laplace noise: losses eps and -eps, and between them the density e^((l - eps) / 2) / 4."""
    edges = np.linspace(-eps, eps, LAPLACE_BINS + 1)
    edges[-1] = eps
    between = _binned(edges, lambda loss: (loss - eps) / 2 - math.log(4), rounding)
    log_p = np.concatenate([[-eps - math.log(2)], between.log_p, [-math.log(2)]])
    losses = np.concatenate([[-eps], between.losses, [eps]])
    return replace(between, log_p=log_p, losses=losses, units=between.units + 4 * eps + FUNCTION)


def of_gaussian(mu: float, rounding: int) -> TwoLaws:
    """Return the laws of Gaussian noise: under P the loss has mean mu^2 / 2 and standard deviation mu."""
    end = mu * (mu / 2 + REACH)
    edges = np.linspace(-end, end, GAUSSIAN_BINS + 1)
    log_height = math.log(mu) + math.log(2 * math.pi) / 2

    def log_density(loss: np.ndarray) -> np.ndarray:
        z = (loss - mu * mu / 2) / mu
        return -z * z / 2 - log_height

    laws = _binned(edges, log_density, rounding)
    of_exponent = 8 * (REACH + 2 * mu) ** 2 + FUNCTION * (1 + abs(log_height))
    lost = 2 * BEYOND_REACH if rounding > 0 else 0.0
    return replace(laws, units=laws.units + of_exponent, only_p=lost, only_q=lost)


def _binned(edges: np.ndarray, log_density: Callable[[np.ndarray], np.ndarray], rounding: int) -> TwoLaws:
    """Return the laws of a density of losses under P: shared between the ends of each bin, or bin by bin."""
    rule = rule_of(NODES)
    width = np.diff(edges)[:, None]
    logs = log_density(edges[:-1, None] + width * rule.t)
    top = logs.max(axis=1)
    mass = width * rule.weights * np.exp(logs - top[:, None])
    units = OF_BIN + FUNCTION * (1 + largest_size(top) + largest_size(np.log(width)))
    if rounding > 0:
        log_p = _shared(mass, width, rule, top)
        return TwoLaws(+1, log_p, edges, units=units)
    whole = mass.sum(axis=1)
    above = np.sum(mass * -np.expm1(-width * rule.t), axis=1) / whole  # the mean of 1 - e^-(loss - the bin's start)
    off = UNIT * (largest_size(edges) + OF_BIN * width.max())
    return TwoLaws(-1, top + np.log(whole), edges[:-1] - np.log1p(-above), units=units, off=off)


def _shared(mass: np.ndarray, width: np.ndarray, rule, top: np.ndarray) -> np.ndarray:
    """Return the logarithms of what comes to each edge: of the bin to its left, and of the bin to its right."""
    whole = -np.expm1(-width)
    to_right = np.sum(mass * -np.expm1(-width * rule.t), axis=1) / whole[:, 0]
    to_left = np.sum(mass * np.exp(-width * rule.t) * -np.expm1(-width * rule.rest), axis=1) / whole[:, 0]
    of_left_bin = np.append(-np.inf, top + np.log(to_right))
    of_right_bin = np.append(top + np.log(to_left), -np.inf)
    return np.logaddexp(of_left_bin, of_right_bin)
