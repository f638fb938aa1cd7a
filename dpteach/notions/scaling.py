"""How a promise about neighbours grows with the distance, and what it says in terms of (eps, delta).

A mechanism that promises something to neighbours promises less to databases d steps apart, and each notion has its own
way of growing: pure eps d, approximate (eps d, delta [d]_eps), zero-concentrated rho d^2, Gaussian mu d. A number that
is a guarantee is rounded up.
"""

from __future__ import annotations

import math

import numpy as np

from .. import checks
from ..mechanisms import gaussian
from ..rounding import UNIT, outward, up

CONVERSIONS = ("optimal", "classic")
MOST_STEPS = 10_000  # of a chain of neighbours


def bracket(d, eps):
    """Return [d]_eps = (e^(eps d) - 1) / (e^eps - 1) = 1 + e^eps + ... + e^((d-1) eps), with [d]_0 = d and [inf] = inf.

    Rounded up, except where it is a whole number.

    >>> round(bracket(2, 1), 5), bracket(5, 0)
    (3.71828, 5.0)
    """
    d, eps = np.broadcast_arrays(checks.real("d", d, low=0), checks.eps(eps))
    steady = (eps == 0) | (d == 0) | (d == 1)
    endless = np.isinf(d) | np.isinf(eps)
    x, y = np.where(steady | endless, 1.0, np.maximum(eps, 1e-150)), np.where(steady | endless, 1.0, d)
    with np.errstate(over="ignore"):
        power = x * (y - 1)
        grown = np.exp(power) * (np.expm1(-x * y) / np.expm1(-x))  # e^power may be a float where e^(x y) is not
        grown = outward(grown, +1, 2 * UNIT * grown * np.minimum(np.abs(power), 800))  # e^x is off by x units
    return checks.plain(
        np.select([steady & np.isfinite(d), endless & (d >= 1)], [d, np.inf], np.where(endless, 0.0, grown))
    )


def group_delta(n: int, eps=None, delta=0, *, ratio=None):
    """Return the largest delta at e^(n eps) among all (eps, delta)-DP mechanisms, n steps apart (Theorem VI.3).

    delta [n]_eps is the theorem's bound; the truth is what n steps of F(p) = min(e^eps p + delta, 1 - e^-eps
    (1 - delta - p)) make of 0, which a chain of coins attains (`FiniteMechanism.chain`). Exact with `ratio` = e^eps and
    delta as fractions.
    """
    if (eps is None) == (ratio is None):
        raise ValueError("group_delta needs exactly one of eps and ratio")
    if ratio is None:
        ratio = up(math.exp(checks.scalar("eps", eps, low=0, high=700)))
    return coins(n, ratio, delta)[-1]


def coins(n: int, ratio, delta) -> list:
    """Return the heads probabilities of n + 1 coins in a row, each as far from the last as (log ratio, delta) allows.

    They are fractions if ratio and delta are exact, else floats rounded up.
    """
    if checks.count("n", n) > MOST_STEPS:
        raise ValueError(f"n must be at most {MOST_STEPS} steps, not {n}")
    checks.scalar("ratio", ratio, low=1, high=1e305)
    checks.scalar("delta", delta, low=0, high=1)
    exact = checks.is_exact(ratio) and checks.is_exact(delta)
    ratio, delta = (checks.fraction(x) if exact else float(x) for x in (ratio, delta))
    heads = [0 * delta]
    for _ in range(int(n)):
        p = coin_step(heads[-1], ratio, delta)
        heads.append(p if exact else float(min(up(p), 1.0)))
    return heads


def coin_step(p, base, delta):
    """Return the largest probability that a neighbour of a coin with heads probability p may have."""
    return min(base * p + delta, 1 - (1 - delta - p) / base, 1 + 0 * p)


def vacuous_from(eps: float, delta: float) -> float:
    """Return the distance at which delta [d]_eps reaches 1: log((e^eps - 1) / delta + 1) / eps."""
    eps, delta = checks.scalar("eps", eps, low=0), checks.positive("delta", checks.delta(delta))
    if eps > 300:  # where e^eps / delta may be too large for a float, and 1 beside it does not count
        return 1 - math.log(delta) / eps
    return math.log1p(math.expm1(eps) / delta) / eps if eps > 0 else 1 / delta


# ------------------------------------------------------------------------------------------------ into (eps, delta)


def zcdp_epsilon(rho: float, delta: float, conversion: str = "optimal") -> float:
    """Return an eps at which rho-zCDP is (eps, delta)-DP, rounded up.

    "classic" is rho + 2 sqrt(rho log(1/delta)) (Bun and Steinke). "optimal" is the best that Rényi divergences of all
    orders give, the least over alpha > 1 of rho alpha + log(1 - 1/alpha) - log(alpha delta) / (alpha - 1) (Canonne,
    Kamath and Steinke); every alpha is valid, so a search that stops early is still sound.
    """
    rho, delta = checks.scalar("rho", rho, low=0), checks.scalar("delta", delta, low=0, high=1)
    checks.choice("conversion", conversion, CONVERSIONS)
    if rho == 0 or delta == 1:
        return 0.0
    if delta == 0 or rho == math.inf:
        return math.inf
    log_inverse = -math.log(delta)
    classic = rho + 2 * math.sqrt(rho * log_inverse)
    if conversion == "classic":
        return up(classic)
    return max(min(up(classic), up(_least_renyi_epsilon(rho, log_inverse), 1 + log_inverse)), 0.0)


def _least_renyi_epsilon(rho: float, log_inverse: float) -> float:
    tried = math.sqrt(log_inverse / rho) * np.exp(np.linspace(-4, 4, 81))  # alpha - 1, around that of the classic one
    for width in (0.1, 2e-3, 4e-5):
        best = tried[int(np.argmin(_renyi_epsilon(rho, log_inverse, tried)))]
        tried = best * np.exp(width * np.linspace(-1, 1, 101))
    return float(np.min(_renyi_epsilon(rho, log_inverse, tried)))


def _renyi_epsilon(rho: float, log_inverse: float, beyond_one: np.ndarray) -> np.ndarray:
    """Return rho alpha + log(1 - 1/alpha) + (log(1/delta) - log alpha) / (alpha - 1) at alpha = 1 + beyond_one."""
    log_alpha = np.log1p(beyond_one)
    return rho * (1 + beyond_one) + np.log(beyond_one) - log_alpha + (log_inverse - log_alpha) / beyond_one


def gdp_epsilon(mu: float, delta: float) -> float:
    """Return the least eps at which mu-GDP is (eps, delta)-DP: that of the Gaussian mechanism, rounded up."""
    mu, delta = checks.scalar("mu", mu, low=0), checks.scalar("delta", delta, low=0, high=1)
    if mu in (0, math.inf):
        return mu if mu == 0 or delta < 1 else 0.0
    return gaussian(mu).epsilon(delta)


def pure_rho(eps: float) -> float:
    """Return the least rho for which every eps-DP mechanism is rho-zCDP: eps tanh(eps / 2)."""
    eps = checks.scalar("eps", eps, low=0)
    return up(eps * math.tanh(eps / 2))


def pure_mu(eps: float) -> float:
    """Return the least mu for which every eps-DP mechanism is mu-GDP: 2 Phi^-1(1 / (1 + e^-eps))."""
    from scipy.special import erfinv, ndtri_exp

    eps = checks.scalar("eps", eps, low=0)
    if eps < 1:  # the same number, without the loss of digits near Phi^-1(1/2) = 0
        return up(math.sqrt(8) * float(erfinv(math.tanh(eps / 2))))
    return up(-2 * float(ndtri_exp(-np.logaddexp(0, eps)))) if eps < math.inf else eps


def gaussian_tradeoff(mu: float, alpha):
    """Return G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu); G_inf = 0 everywhere (Definition VI.19)."""
    from scipy.special import ndtr, ndtri

    mu, alpha = checks.scalar("mu", mu, low=0), checks.delta(alpha, "alpha")
    return checks.plain(np.zeros_like(alpha) if mu == math.inf else ndtr(-ndtri(alpha) - mu))
