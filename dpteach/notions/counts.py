"""Which notion should a release of counts use? One step moves I of the counts by one each."""

from __future__ import annotations

import math

import numpy as np

from .. import checks
from ..planning import noise_scale
from ..rounding import total, up
from ..table import Table
from .scaling import gdp_epsilon, zcdp_epsilon

ROUTES = ("pure", "Gaussian", "zero-concentrated", "zero-concentrated, classic", "approximate")
DEVIATION_ROUTES = ROUTES[:4]


def counts_epsilon(route: str, touched: int, deviation: float, delta: float) -> float:
    """Return the final eps at delta if one step touches that many counts, each with noise of this standard deviation.

    Pure: Laplace noise, I eps. The others are about the same Gaussian noise: Gaussian sqrt(I) mu; zero-concentrated
    I rho with rho = mu^2 / 2; approximate I times the eps at delta / I of one count.
    """
    route, touched = checks.choice("route", route, ROUTES), checks.count("touched", touched, low=1)
    deviation, delta = checks.positive("deviation", deviation), checks.scalar("delta", delta, low=0, high=1)
    mu = float(up(1 / deviation))
    if route == "pure":
        return total([up(math.sqrt(2) / deviation)], [touched], +1)
    if route == "Gaussian":
        return gdp_epsilon(up(math.sqrt(touched) * mu), delta)
    if route == "approximate":
        share = delta if touched == 1 else math.nextafter(delta / touched, 0.0)
        return total([gdp_epsilon(mu, share)], [touched], +1)
    return zcdp_epsilon(up(touched * mu * mu / 2), delta, "classic" if route.endswith("classic") else "optimal")


def counts_deviation(route: str, touched: int, epsilon: float, delta: float) -> float:
    """Return the least standard deviation of each count's noise for a final (eps, delta)-DP, rounded up."""
    checks.choice("route", route, DEVIATION_ROUTES)
    epsilon, touched = checks.positive("epsilon", epsilon), checks.count("touched", touched, low=1)
    delta = checks.scalar("delta", delta, low=0, high=1)
    if route == "pure":
        return up(math.sqrt(2) * noise_scale(touched, epsilon, 0, "laplace", "basic"))
    if route == "Gaussian":
        return noise_scale(touched, epsilon, delta, "gaussian", "exact")
    low, high = -60.0, 60.0
    if counts_epsilon(route, touched, math.exp(high), delta) > epsilon:
        return math.inf
    for _ in range(64):
        middle = (low + high) / 2
        enough = counts_epsilon(route, touched, math.exp(middle), delta) <= epsilon
        low, high = (low, middle) if enough else (middle, high)
    return math.exp(high)


def counts_table(touched=(1, 2, 3, 6, 10), deviation: float = 4, delta: float = 1e-5) -> Table:
    """Compare the routes: the final eps for several numbers of touched counts."""
    touched = list(touched) if np.iterable(touched) else [touched]
    rows = [(route, *(counts_epsilon(route, n, deviation, delta) for n in touched)) for route in ROUTES]
    return Table(rows, ["notion", *(f"{n} touched" for n in touched)])
