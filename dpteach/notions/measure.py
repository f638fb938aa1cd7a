"""How much a finite pair of distributions really loses, in the terms of each notion."""

from __future__ import annotations

import math

import numpy as np

from ..pair import Pair


def pure_loss(pair: Pair) -> float:
    """Return the largest privacy loss in either direction, D_inf."""
    return max(0.0, *(float(np.max(one.losses[_possible(one)])) for one in (pair, pair.reversed())))


def _possible(pair: Pair) -> np.ndarray:
    """Say which outcomes can happen under P, also where their probability is too small for a float."""
    return (pair.p > 0) | np.isfinite(pair.losses)


def concentrated_loss(pair: Pair) -> float:
    """Return the least rho with D_alpha <= rho alpha for all alpha > 1, in both directions (Definition VI.10).

    The largest D_alpha / alpha, searched on a fine grid of orders that is refined around its best point; at
    alpha = 1 it is the Kullback-Leibler divergence. Orders beyond D_inf / rho cannot matter.
    """
    return max(_steepest_order(one) for one in (pair, pair.reversed()))


def _steepest_order(pair: Pair) -> float:
    largest = pure_loss(pair)
    if largest in (0.0, math.inf):
        return largest
    possible = _possible(pair)
    p, loss = pair.p[possible].astype(float), pair.losses[possible]
    start = float(np.sum(p * loss))  # the order 1
    beyond = np.geomspace(1e-3, max(largest / max(start, 1e-12), 2.0), 96)
    for _ in range(8):
        slopes = _renyi_per_order(p, loss, beyond)
        n = int(np.argmax(slopes))
        beyond = np.linspace(beyond[max(n - 1, 0)], beyond[min(n + 1, len(beyond) - 1)], 17)
    return max(start, float(slopes.max()), 0.0)


def _renyi_per_order(p: np.ndarray, loss: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """Return D_alpha / alpha at the orders alpha = 1 + beyond."""
    powers = np.outer(beyond, loss)
    top = powers.max(axis=1)
    large = top + np.log(np.exp(powers - top[:, None]) @ p)
    small = np.log1p(np.expm1(np.minimum(powers, 1.0)) @ p)  # keeps the digits of a loss near zero
    return np.where(np.abs(powers).max(axis=1) < 1, small, large) / beyond / (1 + beyond)


def gaussian_loss(pair: Pair) -> float:
    """Return the least mu with T(P, Q) >= G_mu: the largest Phi^-1(1 - alpha) - Phi^-1(beta) over the vertices.

    Between two vertices the trade-off is a straight line, and G_mu is convex, so the vertices decide.
    """
    from scipy.special import ndtri

    region = pair.region().astype(float)
    missed, alarm = region[: len(pair.merged()) + 1].T
    inner = slice(1, -1)
    if len(missed) <= 2:
        return 0.0
    with np.errstate(invalid="ignore"):
        return max(0.0, float(np.max(-ndtri(alarm[inner]) - ndtri(missed[inner]))))
