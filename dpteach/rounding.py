"""Rounding to the safe side: how a float becomes a number that is certainly not too small (or too large)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

UNIT = np.finfo(float).eps / 2  # relative error of one rounded operation
TINY = 5e-324  # the smallest positive float


def outward(value: np.ndarray, rounding: int, error: np.ndarray | float = 0.0) -> np.ndarray:
    """Move a non-negative float up (+1) or down (-1) by a few units of rounding and `error`; 0 stays 0."""
    if rounding == 0:
        return np.maximum(value, 0.0)
    moved = np.maximum(value + rounding * (4 * UNIT * np.abs(value) + error), 0.0)
    return np.where(moved > 0, np.nextafter(moved, rounding * np.inf), moved)


def up(value: float, size: float = 0.0) -> float:
    """Move a number up by what a few rounded operations on numbers of this size can have lost; 0 stays 0."""
    return value + 16 * UNIT * max(abs(value), abs(size)) if value else 0.0


def float_up(value: Fraction) -> float:
    """Return the least float that is not below a fraction, infinity if it is too large for a float."""
    try:
        nearest = float(value)
    except OverflowError:
        return math.inf
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def total(values: Sequence[float], counts: Sequence[int], rounding: int) -> float:
    """Return sum count * value, exactly if that is a float, else the next float up (+1) or down (-1)."""
    if sum(count * float(value) for value, count in zip(values, counts, strict=True)) > 1e290:
        return math.inf if rounding > 0 else 1e290
    parts = np.concatenate(exact_product(np.array(counts, dtype=float), np.array(values, dtype=float))).tolist()
    nearest = math.fsum(parts)
    rest = math.fsum([*parts, -nearest])
    return math.nextafter(nearest, rounding * math.inf) if rest * rounding > 0 else nearest


def exact_product(n: np.ndarray, x: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
    """Return n * x as a rounded value and the digits that were rounded away (Dekker's product)."""
    high = n * x
    n_head, x_head = _head(n), _head(np.asarray(x))
    n_tail, x_tail = n - n_head, x - x_head
    return high, ((n_head * x_head - high) + n_head * x_tail + n_tail * x_head) + n_tail * x_tail


def _head(x: np.ndarray) -> np.ndarray:
    """Return the leading half of the digits (Veltkamp's splitting)."""
    shifted = 134217729.0 * x
    return shifted - (shifted - x)
