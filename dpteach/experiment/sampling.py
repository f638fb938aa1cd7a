"""Subsampling: what is left of a mechanism when the person's record is used only sometimes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from .. import checks
from ..annotations import Number
from ..curve import DIRECTIONS, FORTH
from ..guarantee import Guarantee
from ..numerics.rounding import FORMULA, FUNCTION, TINY, UNIT, float_up, up
from ..pair import Pair

HALF = Fraction(1, 2)
LARGEST_EXPONENT = 750.0  # e^-x is no float beyond


def subsampled(mechanism: Guarantee | Pair, rate: Number = HALF, direction: str = "both") -> Guarantee | Pair:
    r"""Return what is left when the person's record is used only with probability `rate`.

    For a `Pair` (without, with the record) it is the pair (P, (1 - rate) P + rate Q). For a guarantee with x = e^eps:
    e^eps' = 1 + rate (x - 1) and delta' = rate delta, which bounds the sampled law by the other ("qp"); the other
    direction ("pq") is better, e^-eps' = 1 - rate + rate / x and delta' = rate delta e^eps' / x. "both" returns the
    larger one.

    >>> subsampled(Guarantee(math.log(3), 0.1))
    Guarantee(epsilon=0.6931471806, delta=0.05)
    """
    checks.choice("direction", direction, DIRECTIONS)
    checks.scalar("rate", rate, low=0, high=1)
    if isinstance(mechanism, Pair):
        return _subsampled_pair(mechanism, rate)
    if not isinstance(mechanism, Guarantee):
        raise ValueError(f"mechanism must be a Guarantee or a Pair, not {checks.shorten(mechanism)}")
    if float(rate) == 0 < rate:
        rate = TINY  # the least that a float can hold: more often is worse
    if rate == 0:
        return Guarantee(0)
    if rate == 1:
        return Guarantee(mechanism.epsilon, mechanism.delta)
    return _bound_back(mechanism, rate) if direction == FORTH else _bound_forth(mechanism, rate)


def _subsampled_pair(pair: Pair, rate) -> Pair:
    exact = pair.exact and checks.is_exact(rate)
    rate = Fraction(rate) if exact else float(rate)
    p = pair.p if exact else pair.p.astype(float)
    q = pair.q if exact else pair.q.astype(float)
    return Pair(list(p), list((1 - rate) * p + rate * q), outcomes=pair.outcomes)


def _bound_forth(guarantee: Guarantee, rate: Fraction | float) -> Guarantee:
    """Bound the sampled law by the one without the record."""
    eps = _rounded_up(log_mixture(float(rate), guarantee.epsilon), float(rate), guarantee.epsilon)
    delta = float_up(Fraction(rate) * Fraction(guarantee.delta))
    return Guarantee(eps, min(delta, 1.0))


def _bound_back(guarantee: Guarantee, rate: Fraction | float) -> Guarantee:
    """Bound the law without the record by the sampled one."""
    eps = _rounded_up(-log_mixture(float(rate), -guarantee.epsilon), float(rate), min(guarantee.epsilon, 1.0))
    fallen = eps - guarantee.epsilon
    shrunk = guarantee.delta * math.exp(fallen) * (1 + UNIT * min(-fallen, LARGEST_EXPONENT))
    underflow = TINY if guarantee.delta else 0.0
    delta = up(float(rate) * shrunk + underflow)
    return Guarantee(eps, min(delta, 1.0))


def _rounded_up(eps: float, rate: float, loss: float) -> float:
    """Round log_mixture up, relatively: by two formulas, and by what the sum log(rate) + loss may have lost.

    d log(1 + e^y) / dy never exceeds log(1 + e^y), so an error of that sum is at most a relative one of log(1 + e^y);
    of the result, which log(1 - rate) makes smaller, at most 1 / (1 - 1/e) times as much.
    """
    if loss == 0:
        return 0.0
    log_rate = abs(math.log(rate))
    lost = 2 * (FUNCTION * log_rate + max(log_rate, loss)) if loss > 1 else 0.0
    return up(eps * (1 + UNIT * (lost + FORMULA)) + TINY)


def log_mixture(rate: float, loss: float) -> float:
    """Return log(1 - rate + rate e^loss)."""
    if loss > 1:  # nothing here may overflow
        return float(np.logaddexp(math.log1p(-rate), math.log(rate) + loss))
    added = rate * math.expm1(loss)
    return math.log1p(added) if added > -0.5 else math.log(1 - rate + rate * math.exp(loss))
