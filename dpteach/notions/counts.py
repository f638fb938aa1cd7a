"""Which notion should a release of counts use? One step moves I of the counts by one each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import checks
from ..numerics.rounding import total, up
from ..numerics.search import first_true
from ..planning import noise_scale
from ..table import Table
from .scaling import CLASSIC, OPTIMAL, gdp_epsilon, zcdp_epsilon

PURE = "pure"
GAUSSIAN = "Gaussian"
CONCENTRATED = "zero-concentrated"
CONCENTRATED_CLASSIC = "zero-concentrated, classic"
APPROXIMATE = "approximate"
DEVIATION_ROUTES = (PURE, GAUSSIAN, CONCENTRATED, CONCENTRATED_CLASSIC)
ROUTES = (*DEVIATION_ROUTES, APPROXIMATE)
LARGEST_LOG_DEVIATION = 60.0  # more noise than e^60 is not looked for


def counts_epsilon(route: str, touched: int, deviation: float, delta: float) -> float:
    """Return the final eps at delta if one step touches that many counts, each with noise of this standard deviation.

    Pure: Laplace noise, I eps. The others are about the same Gaussian noise: Gaussian sqrt(I) mu; zero-concentrated
    I rho with rho = mu^2 / 2; approximate I times the eps at delta / I of one count.
    """
    checks.choice("route", route, ROUTES)
    touched = checks.count("touched", touched, low=1)
    deviation = checks.positive("deviation", deviation)
    delta = checks.scalar("delta", delta, low=0, high=1)
    if route == PURE:
        eps = up(math.sqrt(2) / deviation)
        return total([eps], [touched], +1)
    mu = up(1 / deviation)
    if route == GAUSSIAN:
        return gdp_epsilon(up(math.sqrt(touched) * mu), delta)
    if route == APPROXIMATE:
        return total([gdp_epsilon(mu, _share(delta, touched))], [touched], +1)
    rho = up(touched * mu * mu / 2)
    return zcdp_epsilon(rho, delta, CLASSIC if route == CONCENTRATED_CLASSIC else OPTIMAL)


def approximate_epsilons(touched: Sequence[int], deviation: float, delta: float) -> list[float]:
    """Return the final eps by the approximate route for several numbers of touched counts, in one search."""
    touched = [checks.count("touched", number, low=1) for number in touched]
    delta = checks.scalar("delta", delta, low=0, high=1)
    mu = up(1 / checks.positive("deviation", deviation))
    each = gdp_epsilon(mu, [_share(delta, number) for number in touched])
    return [total([float(eps)], [number], +1) for eps, number in zip(each, touched, strict=True)]


def _share(delta: float, touched: int) -> float:
    """Return each count's share of delta, rounded down."""
    return delta if touched == 1 else math.nextafter(delta / touched, 0.0)


def counts_deviation(route: str, touched: int, epsilon: float, delta: float) -> float:
    """Return the least standard deviation of each count's noise for a final (eps, delta)-DP, rounded up."""
    checks.choice("route", route, DEVIATION_ROUTES)
    touched = checks.count("touched", touched, low=1)
    epsilon = checks.positive("epsilon", epsilon)
    delta = checks.scalar("delta", delta, low=0, high=1)
    if route == PURE:
        scale = noise_scale(touched, epsilon, 0, "laplace", "basic")
        return up(math.sqrt(2) * scale)
    if route == GAUSSIAN:
        return noise_scale(touched, epsilon, delta, "gaussian", "exact")

    def enough(log_deviation: float) -> bool:
        return counts_epsilon(route, touched, math.exp(log_deviation), delta) <= epsilon

    if not enough(LARGEST_LOG_DEVIATION):
        return math.inf
    return math.exp(first_true(enough, -LARGEST_LOG_DEVIATION, LARGEST_LOG_DEVIATION))


def counts_table(touched: Any = (1, 2, 3, 6, 10), deviation: float = 4, delta: float = 1e-5) -> Table:
    """Compare the routes: the final eps for several numbers of touched counts."""
    touched = list(touched) if np.iterable(touched) else [touched]
    rows = []
    for route in ROUTES:
        final = [counts_epsilon(route, n, deviation, delta) for n in touched]
        rows.append((route, *final))
    return Table(rows, ["notion", *(f"{n} touched" for n in touched)])
