"""How much a finite pair of distributions really loses, in the terms of each notion.

Two nearly equal laws lose little, and of that little all digits count: what is small is computed from small numbers,
never as the difference of two large ones.
"""

from __future__ import annotations

import math

import numpy as np

from .. import checks
from ..pair import Pair

ORDERS = 96  # tried between the order 1 and the largest that can matter
REFINED = 17  # orders tried around the best one, again and again
REFINEMENTS = 8
SAME_QUANTILE = 1e-3  # quantiles closer than this are compared by the density between them


def pure_loss(pair: Pair) -> float:
    """Return the largest privacy loss in either direction, D_inf."""
    pair = _as_pair(pair)
    return max(0.0, pair.renyi(math.inf), pair.reversed().renyi(math.inf))


def _as_pair(pair) -> Pair:
    """Return a pair, or say that one is needed."""
    if not isinstance(pair, Pair):
        raise ValueError(f"pair must be a Pair, such as a guarantee's curve, not {checks.shorten(pair)}")
    return pair


def concentrated_loss(pair: Pair) -> float:
    """Return the least rho with D_alpha <= rho alpha for all alpha > 1, in both directions (Definition VI.10)."""
    return max(_steepest_order(_as_pair(pair)), _steepest_order(pair.reversed()))


def _steepest_order(pair: Pair) -> float:
    """Return the largest D_alpha / alpha from alpha = 1 on, on a fine grid of orders, refined around its best point.

    At alpha = 1 it is the Kullback-Leibler divergence. Orders beyond D_inf / rho cannot matter.
    """
    largest = pure_loss(pair)
    if largest in (0.0, math.inf):
        return largest
    at_one = pair.renyi(1)
    last = max(largest / at_one, 2.0) if at_one > 0 else 2.0
    beyond = np.concatenate([[0.0], np.geomspace(1e-3, last, ORDERS)])
    for _ in range(REFINEMENTS):
        slopes = pair.renyi(1 + beyond) / (1 + beyond)
        best = int(np.argmax(slopes))
        before = beyond[max(best - 1, 0)]
        after = beyond[min(best + 1, len(beyond) - 1)]
        beyond = np.linspace(before, after, REFINED)
    return float(slopes.max())


def gaussian_loss(pair: Pair) -> float:
    """Return the least mu with T(P, Q) >= G_mu: the largest Phi^-1(1 - alpha) - Phi^-1(beta) over the vertices.

    Between two vertices the trade-off is a straight line, and G_mu is convex, so the vertices decide.
    """
    merged = _as_pair(pair).merged()
    missed, rejected = pair.lower_boundary[1:-1].T
    gap = np.cumsum(merged.p - merged.q)[:-1]
    apart = _quantiles_apart(missed.astype(float), rejected.astype(float), gap.astype(float))
    return float(np.max(apart, initial=0.0))


def _quantiles_apart(missed: np.ndarray, rejected: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Return Phi^-1(1 - rejected) - Phi^-1(missed), given that 1 - rejected = missed + gap.

    If the two quantiles nearly agree, their distance is the gap divided by the normal density in the middle; the
    curvature of the density matters from the second order of the distance on.
    """
    from scipy.special import ndtri

    start = ndtri(missed)
    end = -ndtri(rejected)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        apart = end - start
        middle = (start + end) / 2
        density = np.exp(-(middle**2) / 2) / math.sqrt(2 * math.pi)
        curved = 1 + (middle**2 - 1) * apart**2 / 24
        close = gap / (density * curved)
    return np.where(np.abs(apart) < SAME_QUANTILE, close, apart)
