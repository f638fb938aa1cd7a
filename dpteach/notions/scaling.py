"""How a promise about neighbours grows with the distance, and what it says in terms of (eps, delta).

A mechanism that promises something to neighbours promises less to databases d steps apart, and each notion has its own
way of growing: pure eps d, approximate (eps d, delta [d]_eps), zero-concentrated rho d^2, Gaussian mu d. A number that
is a guarantee is rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from .. import checks
from ..annotations import Asked, Number, Numbers
from ..guarantee import likelier
from ..mechanisms import gaussian
from ..numerics.rounding import FORMULA, FUNCTION, TINY, UNIT, outward, up

OPTIMAL = "optimal"
CLASSIC = "classic"
CONVERSIONS = (OPTIMAL, CLASSIC)
MOST_STEPS = 10_000  # of a chain of neighbours
LARGEST_RATIO = 1e305  # with which one may still compute
SMALLEST_EPS = 1e-150  # below it e^eps - 1 is eps, and so is what is computed here
LARGEST_ORDER = 1e100  # whose square is still a float
LARGEST_FLOAT = float(np.finfo(float).max)
LARGEST_LOG = 800  # e^x is infinite before


def group_factor(d: Numbers, eps: Number | None = None, *, ratio: Number | None = None) -> Number:
    """Return [d]_eps = (e^(eps d) - 1) / (e^eps - 1) = 1 + e^eps + ... + e^((d-1) eps), with [d]_0 = d and [inf] = inf.

    By this factor delta grows over d steps. Rounded up, except where it is a whole number. With `ratio` = e^eps instead
    of eps, and a whole number d, it is an exact fraction.

    >>> round(group_factor(2, 1), 5), group_factor(5, 0), group_factor(3, ratio=2)
    (3.71828, 5.0, Fraction(7, 1))
    """
    if (eps is None) == (ratio is None):
        raise ValueError("group_factor needs exactly one of eps and ratio")
    if eps is None:
        checks.scalar("ratio", ratio, low=1, high=LARGEST_RATIO)
        return _sum_of_powers(checks.fraction(ratio), _few_steps("d", d))
    d = checks.real("d", d, low=0)
    eps = checks.eps(eps)
    return checks.plain(group_factor_end(d, eps, +1))


def _sum_of_powers(ratio: Fraction, d: int) -> Fraction:
    """Return 1 + ratio + ... + ratio^(d-1), by Horner's rule."""
    total = Fraction(0)
    for _ in range(d):
        total = 1 + ratio * total
    return total


def _few_steps(name: str, steps: int) -> int:
    if checks.count(name, steps) > MOST_STEPS:
        raise ValueError(f"{name} must be at most {MOST_STEPS} steps, not {steps}")
    return int(steps)


def group_factor_end(d: np.ndarray, eps: np.ndarray, rounding: int) -> np.ndarray:
    """Return an end of [d]_eps: never below it (+1), or never above it (-1)."""
    d, eps = np.broadcast_arrays(d, eps)
    endless = np.isinf(d) | np.isinf(eps)
    steady = ~np.isinf(d) & ((eps == 0) | (d == 0) | (d == 1))
    plain = ~(endless | steady)
    grown = _geometric_sum(np.where(plain, d, 1.0), np.where(plain, eps, 1.0), rounding)
    beyond = np.where(d >= 1, np.inf, 0.0)  # e^(inf (d - 1))
    return np.where(steady, d, np.where(endless, beyond, grown))


def _geometric_sum(d: np.ndarray, eps: np.ndarray, rounding: int) -> np.ndarray:
    """Return e^(eps (d - 1)) (1 - e^(-eps d)) / (1 - e^-eps): a float as long as the first factor is one.

    The exponent is off by a difference and a product, two units of its size. Beside that there are three functions, the
    product eps d, a quotient and a product.
    """
    eps = np.maximum(eps, SMALLEST_EPS)
    with np.errstate(over="ignore"):
        power = eps * (d - 1)
        units = 3 * FUNCTION + 2 * np.minimum(np.abs(power), LARGEST_LOG)
        grown = np.exp(power) * (np.expm1(-eps * d) / np.expm1(-eps))
        grown = np.minimum(grown, LARGEST_FLOAT) if rounding < 0 else grown  # infinity cannot be rounded down
        return outward(grown, rounding, units * UNIT * grown)


def group_delta(n: int, eps: Number | None = None, delta: Number = 0, *, ratio: Number | None = None) -> Number:
    """Return the largest delta at e^(n eps) among all (eps, delta)-DP mechanisms, n steps apart (Theorem VI.3).

    delta [n]_eps is the theorem's bound; the truth is what n steps of F(p) = min(e^eps p + delta, 1 - e^-eps
    (1 - delta - p), 1) make of 0, which a chain of coins attains (`FiniteMechanism.chain`). Exact with `ratio` = e^eps
    and delta as fractions.
    """
    if (eps is None) == (ratio is None):
        raise ValueError("group_delta needs exactly one of eps and ratio")
    if ratio is None:
        ratio = up(math.exp(checks.scalar("eps", eps, low=0, high=700)))
    return coins(n, ratio, delta)[-1]


def coins(n: int, ratio: Number, delta: Number) -> list[Any]:
    """Return the heads probabilities of n + 1 coins in a row, each as far from the last as (log ratio, delta) allows.

    They are fractions if ratio and delta are exact, else floats rounded up.
    """
    n = _few_steps("n", n)
    checks.scalar("ratio", ratio, low=1, high=LARGEST_RATIO)
    checks.scalar("delta", delta, low=0, high=1)
    if checks.is_exact(ratio) and checks.is_exact(delta):
        return _exact_coins(n, checks.fraction(ratio), checks.fraction(delta))
    heads = [0.0]
    for _ in range(n):
        p = likelier(heads[-1], float(ratio), float(delta))
        heads.append(min(up(p), 1.0))
    return heads


def _exact_coins(n: int, ratio: Fraction, delta: Fraction) -> list[Fraction]:
    heads = [Fraction(0)]
    for _ in range(n):
        heads.append(likelier(heads[-1], ratio, delta))
    return heads


def vacuous_from(eps: float, delta: float) -> float:
    """Return the distance at which delta [d]_eps reaches 1: log((e^eps - 1) / delta + 1) / eps."""
    eps = checks.scalar("eps", eps, low=0)
    delta = checks.positive("delta", checks.delta(delta))
    if eps == 0:
        return 1 / delta
    if eps == math.inf:
        return 1.0
    log_quotient = eps + math.log(-math.expm1(-eps)) - math.log(delta)  # which may be a float where the quotient is not
    return float(np.logaddexp(log_quotient, 0.0)) / eps


# ------------------------------------------------------------------------------------------------ into (eps, delta)


def zcdp_epsilon(rho: float, delta: float, conversion: str = OPTIMAL) -> float:
    """Return an eps at which rho-zCDP is (eps, delta)-DP, rounded up.

    "classic" is rho + 2 sqrt(rho log(1/delta)) (Bun and Steinke). "optimal" is the best that Rényi divergences of all
    orders give, the least over alpha > 1 of rho alpha + log(1 - 1/alpha) - log(alpha delta) / (alpha - 1) (Canonne,
    Kamath and Steinke); every alpha is valid, so a search that stops early is still sound.
    """
    rho = checks.scalar("rho", rho, low=0)
    delta = checks.scalar("delta", delta, low=0, high=1)
    checks.choice("conversion", conversion, CONVERSIONS)
    if rho == 0 or delta == 1:
        return 0.0
    if delta == 0 or rho == math.inf:
        return math.inf
    log_inverse = -math.log(delta)
    classic = up(rho + 2 * math.sqrt(rho) * math.sqrt(log_inverse))
    if conversion == CLASSIC:
        return classic
    centre = math.sqrt(log_inverse) / math.sqrt(rho)
    by_renyi = _least(lambda beyond: _renyi_epsilon(rho, log_inverse, beyond), centre)
    return max(min(classic, by_renyi), 0.0)


def zcdp_delta(rho: float, eps: float) -> float:
    """Return a delta at which rho-zCDP is (eps, delta)-DP, rounded up: the same conversion, solved for delta."""
    rho = checks.scalar("rho", rho, low=0)
    eps = checks.scalar("eps", eps, low=0)
    if rho == 0:
        return 0.0
    if rho == math.inf:
        return 1.0
    if eps == math.inf:
        return 0.0
    centre = max(eps / rho - 1, 1 / math.sqrt(rho)) / 2  # alpha - 1 of the least (alpha - 1) (rho alpha - eps)
    centre = min(centre, LARGEST_ORDER)  # every order is valid,
    eps = min(eps, LARGEST_ORDER)  # and a smaller eps has a larger delta
    log_delta = _least(lambda beyond: _renyi_log_delta(rho, eps, beyond), centre)
    delta = up(math.exp(min(log_delta, 0.0)))
    return min(max(delta, TINY), 1.0)


def _least(bound, centre: float) -> float:
    """Return the least of a bound over alpha - 1 > 0, on a grid around a guess that is refined twice."""
    tried = centre * np.exp(np.linspace(-4, 4, 81))
    for width in (0.1, 2e-3, 4e-5):
        best = tried[int(np.argmin(bound(tried)))]
        tried = best * np.exp(width * np.linspace(-1, 1, 101))
    return float(np.min(bound(tried)))


def _renyi_epsilon(rho: float, log_inverse: float, beyond_one: np.ndarray) -> np.ndarray:
    """Return rho alpha + log(1 - 1/alpha) + (log(1/delta) - log alpha) / (alpha - 1), rounded up.

    alpha is 1 + beyond_one. log(1 - 1/alpha) is -log1p(1 / (alpha - 1)): nothing cancels in it, however large alpha is.
    """
    divergence = rho * (1 + beyond_one)
    shrunk = np.log1p(1 / beyond_one)
    spent = log_inverse / beyond_one
    gained = np.log1p(beyond_one) / beyond_one
    return _summed_up(divergence, -shrunk, spent, -gained)


def _renyi_log_delta(rho: float, eps: float, beyond_one: np.ndarray) -> np.ndarray:
    """Return (alpha - 1) (rho alpha - eps + log(1 - 1/alpha)) - log alpha at alpha = 1 + beyond_one, rounded up."""
    divergence = beyond_one * rho * (1 + beyond_one)
    shrunk = beyond_one * np.log1p(1 / beyond_one)
    return _summed_up(divergence, -beyond_one * eps, -shrunk, -np.log1p(beyond_one))


def _summed_up(*terms: np.ndarray) -> np.ndarray:
    """Return the sum of formulas, of which each is off by FORMULA units and the sum by as many as it has terms."""
    sizes = np.sum(np.abs(terms), axis=0)
    return np.sum(terms, axis=0) + (FORMULA + len(terms)) * UNIT * sizes


def gdp_epsilon(mu: float, delta: Asked) -> Asked:
    """Return the least eps at which mu-GDP is (eps, delta)-DP: that of the Gaussian mechanism, rounded up."""
    mu = checks.scalar("mu", mu, low=0)
    delta = checks.real("delta", delta, low=0, high=1)
    if 0 < mu < math.inf:
        return gaussian(mu).epsilon(delta)
    return checks.plain(np.where((mu == 0) | (delta == 1), 0.0, math.inf))


def pure_rho(eps: float) -> float:
    """Return the least rho for which every eps-DP mechanism is rho-zCDP: eps tanh(eps / 2)."""
    eps = checks.scalar("eps", eps, low=0)
    underflow = TINY if eps > 0 else 0.0
    return up(eps * math.tanh(eps / 2) + underflow)


def pure_mu(eps: float) -> float:
    """Return the least mu for which every eps-DP mechanism is mu-GDP: 2 Phi^-1(1 / (1 + e^-eps))."""
    from scipy.special import erfinv, ndtri_exp

    eps = checks.scalar("eps", eps, low=0)
    if eps == math.inf:
        return math.inf
    if eps < 1:  # the same number, without the loss of digits near Phi^-1(1/2) = 0
        mu = math.sqrt(8) * float(erfinv(math.tanh(eps / 2)))
    else:
        mu = -2 * float(ndtri_exp(-np.logaddexp(0, eps)))
    return up(up(mu))  # two special functions, each of the next one's argument
