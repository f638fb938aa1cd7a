"""Derived for this kit beside Guerra-Balboa and others: which notion suits a release of counts."""

from __future__ import annotations

import math

import numpy as np
from mpmath import mp

from ... import Table
from ...notions import (
    counts_deviation,
    counts_epsilon,
)
from ..entries import HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .worlds import SMALL, delta_of_two, highest

# ------------------------------------------------------------------------------------------------- beyond the paper


@claim("GMPS-X-notions", verdict=HOLDS, where="lecture 5", title="Which notion for a release of counts")
def which_notion_for_counts():
    r"""One step moves $I$ counts by 1 each. Laplace noise costs $I\varepsilon$; for Gaussian noise, approximate privacy
    adds to $(I\varepsilon,I\delta)$, zero-concentrated privacy to $I\rho$, and Gaussian privacy to $\sqrt I\mu$.

    The table has the final $\varepsilon$ at $\delta=10^{-5}$, with noise of standard deviation 4 on each count.
    Gaussian privacy is exact for Gaussian noise, so it is never above the other ways to count that. For a final
    $(1,10^{-5})$ Laplace noise needs a deviation of $1.414\,I$, Gaussian noise $3.731\sqrt I$: less from $I=7$ on.
    """
    rows = []
    for route, exact in ROUTES.items():
        told = [counts_epsilon(route, n, 4, 1e-5) for n in (1, 2, 3, 6, 10)]
        ensure(all_close(told, [exact(n) for n in (1, 2, 3, 6, 10)], 1e-9), f"{route}, with mpmath")
        rows.append((route, *told))
    known = [
        (0.3536, 0.7071, 1.0607, 2.1213, 3.5355),
        (0.9263, 1.3565, 1.6980, 2.5017, 3.3414),
        (1.0123, 1.4781, 1.8473, 2.7139, 3.6170),
        (1.2309, 1.7590, 2.1716, 3.1260, 4.1061),
        (0.9263, 1.9369, 2.9771, 6.1931, 10.607),
    ]
    ensure(all(all_close(row[1:], line, 2e-4) for row, line in zip(rows, known, strict=True)), "the table")
    best, *others = (row[1:] for row in rows[1:])
    ensure(all(np.all(np.array(best) <= np.array(other) * (1 + 1e-12)) for other in others), "Gaussian is the least")
    ensure(close(delta_of_two(0.25, 0.25, rows[1][2]), 1e-5, 1e-6), "two counts, exactly")
    least = {route: [counts_deviation(route, n, 1, 1e-5) for n in range(1, 11)] for route in ("pure", "Gaussian")}
    mu = reference.inverse(lambda x: 1e-5 - reference.gaussian_delta(x, 1) if x else 1, 0, 1)
    ensure(close(mu, 0.268051, 1e-5), "mu = 0.268051 gives (1, 1e-5)")
    for n in range(1, 11):
        needs = math.sqrt(2) * n, math.sqrt(n) / mu
        ensure(all_close([told[n - 1] for told in least.values()], needs, 1e-9), "1.414 I and 3.731 sqrt(I)")
        ensure((needs[1] < needs[0]) == (n >= 7), "from 7 on")
    ensure(close(counts_deviation("zero-concentrated", 4, 1, 1e-5), 2 * 4.045, 1e-4), "4.045 sqrt(I)")
    return Table(rows, ["privacy", *(f"I = {n}" for n in (1, 2, 3, 6, 10))])


# -------------------------------------------------------------------------------------------- losses, a second time


@mp.workdps(20)
def gaussian_epsilon(mu, delta):
    """Return the least eps of Gaussian noise at delta, by bisection."""
    return reference.inverse(lambda eps: reference.gaussian_delta(mu, eps), delta, 40)


@mp.workdps(20)
def renyi_epsilon(rho, delta):
    """Return the least rho alpha + log(1 - 1/alpha) - log(alpha delta) / (alpha - 1), over log(alpha - 1)."""
    rho, delta = mp.mpf(rho), mp.mpf(delta)

    def minus(x):
        alpha = 1 + mp.exp(x)
        return mp.log(alpha * delta) / (alpha - 1) - mp.log(1 - 1 / alpha) - rho * alpha

    return -highest(minus, -4, 8)


ROUTES = {  # the final eps at delta = 1e-5 with noise of deviation 4 on each of n counts
    "pure": lambda n: n * mp.sqrt(2) / 4,
    "Gaussian": lambda n: gaussian_epsilon(mp.sqrt(n) / 4, SMALL),
    "zero-concentrated": lambda n: renyi_epsilon(mp.mpf(n) / 32, SMALL),
    "zero-concentrated, classic": lambda n: mp.mpf(n) / 32 + mp.sqrt(4 * mp.mpf(n) / 32 * mp.log(10**5)),
    "approximate": lambda n: n * gaussian_epsilon(mp.mpf(1) / 4, SMALL / n),
}
