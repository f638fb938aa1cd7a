"""Arithmetic in [0, infinity] as the theorems need it, and the largest pseudometric below a matrix.

Infinity stands for "no promise", and no promise stays none, however often it is divided: 0 * inf = inf. The mechanism
that prints |D| shows why: it is bounded 0-DP, and yet it tells databases of different sizes (distance inf) apart.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from .. import checks
from ..annotations import Numbers
from ..numerics.rounding import UNIT, float_up, outward

NEAR = 1e-12  # floats this close, relatively, may be equal before rounding


def times(factor: Numbers, distance: Numbers) -> np.ndarray:
    """Return factor * distance in [0, inf], with 0 * inf = inf."""
    factor = checks.real("factor", factor, low=0)
    distance = checks.real("distance", distance, low=0)
    if not _fit(factor.shape, distance.shape):
        raise ValueError(f"factor must fit the shape {distance.shape} of distance, not {factor.shape}")
    endless = np.isinf(factor) | np.isinf(distance)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(endless, np.inf, factor * distance)


def _fit(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    """Say whether arrays of these shapes can be multiplied."""
    return all(a == b or 1 in (a, b) for a, b in zip(reversed(one), reversed(two), strict=False))


def least_factor(distance: Numbers, base: Numbers) -> float:
    """Return the least c with distance <= c * base wherever base is finite (Definition III.5).

    Rounded up. It is infinite if base vanishes where distance does not, or if distance is infinite where base is not.
    """
    distance = np.asarray(distance, dtype=float)
    base = np.asarray(base, dtype=float)
    asked = np.isfinite(base) & (distance > 0)
    distance = distance[asked]
    base = base[asked]
    if np.any(base == 0) or np.any(np.isinf(distance)):
        return np.inf
    with np.errstate(over="ignore"):
        ratios = distance / base
    near = ratios >= np.max(ratios, initial=0.0) * (1 - NEAR)
    candidates = set(zip(distance[near].tolist(), base[near].tolist(), strict=True))
    factors = [Fraction(d) / Fraction(b) for d, b in candidates]
    return float_up(max(factors, default=Fraction(0)))


def whole(value: Any) -> int | float:
    """Return a whole number as int, infinity and everything else as float."""
    value = float(value)
    return int(value) if value.is_integer() else value


def closure(matrix: np.ndarray) -> np.ndarray:
    """Return the largest pseudometric that is nowhere above a symmetric matrix: its shortest paths.

    Lengths that are no whole numbers are rounded up, since they may be promises.
    """
    from scipy.sparse.csgraph import csgraph_from_dense, floyd_warshall

    rows = checks.listed("matrix", matrix)
    matrix = as_matrix(rows, len(rows), "matrix")
    if len(matrix) == 0:
        return matrix
    graph = csgraph_from_dense(matrix, null_value=np.inf)
    paths = floyd_warshall(graph, directed=False)
    np.fill_diagonal(paths, 0.0)
    if not np.all(matrix == np.floor(matrix)):
        paths = outward(paths, +1, len(matrix) * UNIT * paths)
    return np.minimum(paths, matrix)


def satisfies_triangle(matrix: np.ndarray) -> bool:
    """Say whether a symmetric matrix satisfies the triangle inequality, up to rounding."""
    with np.errstate(invalid="ignore"):
        return bool(np.all(matrix <= closure(matrix) * (1 + NEAR)))


def as_matrix(metric: Any, size: int, name: str = "metric") -> np.ndarray:
    """Return distances as a symmetric matrix of that size, with a zero diagonal."""
    try:
        matrix = np.array(metric, dtype=float) if size else np.zeros((0, 0))
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a matrix of distances, not {checks.shorten(metric)}") from None
    if matrix.shape != (size, size):
        raise ValueError(f"{name} must be a matrix of {size} rows and columns, not of shape {matrix.shape}")
    if np.isnan(matrix).any() or (matrix < 0).any():
        raise ValueError(f"{name} must hold distances from 0 to infinity, not negative numbers or NaN")
    if np.any(np.diagonal(matrix) != 0):
        raise ValueError(f"{name} must be 0 from a database to itself, not {np.max(np.diagonal(matrix)):g}")
    if np.any(matrix != matrix.T):
        raise ValueError(f"{name} must be symmetric: the distance from D to D' is that from D' to D")
    return matrix
