"""Rounding to the safe side: how a float becomes a number that is certainly not too small (or too large)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

UNIT = np.finfo(float).eps / 2  # relative error of one rounded operation: + - * / and the square root
FUNCTION = 4  # units: what exp, log, expm1 or log1p may be off by, two in the last place
OTHER_FUNCTION = 8  # units: the same for tanh, cosh, sin, cos or a power
FORMULA = 2 * OTHER_FUNCTION  # units: a formula without subtractions, a function and up to eight operations in a row
LOG_UNITS = 2 * FUNCTION  # units, relative to its size: `log_fraction`, a function and up to four operations
PAIRWISE = 20  # units: numpy sums n positive numbers with at most log2(n) + PAIRWISE units
TINY = 5e-324  # the smallest positive float
PLAIN = (1e-250, 1e250)  # numbers between these have products whose digits, and whose rests, are floats
FEW = 8  # numbers
SMALLEST_PLAIN = 1e-290  # between these two a quotient is a float with all its digits
LARGEST_PLAIN = 1e290
SMALL_LOGARITHM = 0.69  # below log 2
LARGE_LOGARITHM = 600.0  # below those of quotients that are no floats


class Near(NamedTuple):
    """A value in floats, and how far it may be from the truth."""

    value: np.ndarray | float
    error: np.ndarray | float


def outward(value: np.ndarray, rounding: int, error: np.ndarray | float = 0.0) -> np.ndarray:
    """Move a non-negative float up (+1) or down (-1) by a few units of rounding and `error`; 0 stays 0."""
    if rounding == 0:
        return np.maximum(value, 0.0)
    lost = 4 * UNIT * np.abs(value) + error
    moved = np.maximum(value + rounding * lost, 0.0)
    return next_float(moved, rounding)


def next_float(value: np.ndarray, rounding: int) -> np.ndarray:
    """Return the next float above (+1) or below (-1) a non-negative one; 0 stays 0."""
    if rounding == 0:
        return value
    return np.where(value > 0, np.nextafter(value, rounding * np.inf), value)


def up(value: float, size: float = 0.0) -> float:
    """Move a number up by what a formula whose parts have this size can have lost (`FORMULA`); 0 stays 0."""
    if value == 0:
        return 0.0
    lost = FORMULA * UNIT * max(abs(value), abs(size))
    return math.nextafter(value + lost, math.inf)


def exp_to(x: np.ndarray | float, rounding: int) -> np.ndarray:
    """Return e^x, never below it (+1), or never above it (-1); e^0 is 1."""
    with np.errstate(over="ignore"):
        power = np.exp(x)
    return np.where(x == 0, 1.0, outward(power, rounding, FUNCTION * UNIT * power))


def exp_up(x: np.ndarray | float) -> np.ndarray:
    """Return e^x, never below it; e^0 is 1."""
    return exp_to(x, +1)


def float_up(value: Fraction) -> float:
    """Return the least float that is not below a fraction, infinity if it is too large for a float."""
    try:
        nearest = float(value)
    except OverflowError:
        return math.inf if value > 0 else -np.finfo(float).max.item()
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def float_to(value: Fraction, rounding: int) -> float:
    """Return the float nearest to a fraction among those not below (+1), or not above (-1) it."""
    return float_up(value) if rounding > 0 else -float_up(-value)


def log_fraction(x: Fraction | float) -> float:
    """Return log(x) for a fraction or a float, also where a fraction is no float; -inf for 0.

    Near 1 it is log1p(x - 1), which keeps all digits: the loss of two nearly equal laws is a small number. It is off by
    at most LOG_UNITS units of its size.
    """
    if x == 0:
        return -math.inf
    if 0.5 < x < 2:
        return math.log1p(float(x - 1))
    if isinstance(x, float) or SMALLEST_PLAIN < x < LARGEST_PLAIN:
        return math.log(x)
    twos = x.numerator.bit_length() - x.denominator.bit_length()  # the logarithms of both would cancel
    return math.log(x / Fraction(2) ** twos) + twos * math.log(2)


def log_ratios(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return log(p/q) of floats, -inf where p is 0, inf where q alone is 0; with all digits where p is close to q."""
    with np.errstate(all="ignore"):
        ratio = p / q
        is_close = (ratio > 0.5) & (ratio < 2)  # then p - q is exact
        is_plain = (ratio > SMALLEST_PLAIN) & (ratio < LARGEST_PLAIN)
        from_difference = np.log1p((p - q) / q)
        loss = np.select([is_close, is_plain], [from_difference, np.log(ratio)], np.log(p) - np.log(q))
    return np.where(p > 0, loss, -np.inf)


def logarithm_units(size: float) -> float:
    """Return how far log(p/q) of floats, as `log_ratios` gives it, may be off in units, where it is at most `size`.

    Between log 1/2 and log 2 it is log1p of a quotient, whose error is a relative one: at most 3/2 of it, and the
    function's. Beyond, the quotient's unit counts as such. Where p/q is no float, two logarithms up to 750 are
    subtracted.
    """
    if size < SMALL_LOGARITHM:
        return (FUNCTION + 3) * size
    if size < LARGE_LOGARITHM:
        return 2 + FUNCTION * size
    return 2 + FUNCTION * (1500 + size)


def largest_size(logs: np.ndarray) -> float:
    """Return the largest absolute value of the finite entries, 0 if there are none."""
    return float(np.max(np.abs(logs), where=np.isfinite(logs), initial=0.0))


def total(values: Sequence[float], counts: Sequence[int], rounding: int) -> float:
    """Return sum count * value, exactly if that is a float, else the next float up (+1) or down (-1)."""
    sizes = [abs(value) for value in values if value]
    if math.inf in sizes:
        return math.inf
    if sizes and not _are_plain(min(sizes), max(sizes) * max(counts)):
        exact = sum(Fraction(value) * count for value, count in zip(values, counts, strict=True))
        return float_to(exact, rounding)
    parts = _exact_products(values, counts)
    nearest = math.fsum(parts)
    missing = math.fsum([*parts, -nearest])
    return math.nextafter(nearest, rounding * math.inf) if missing * rounding > 0 else nearest


def _exact_products(values: Sequence[float], counts: Sequence[int]) -> list[float]:
    """Return floats whose exact sum is sum count * value."""
    if len(values) <= FEW:  # for which arrays are slow
        products = (exact_product(float(n), float(x)) for n, x in zip(counts, values, strict=True))
        return [part for product in products for part in product]
    products, rests = exact_product(np.array(counts, dtype=float), np.array(values, dtype=float))
    return [*products.tolist(), *rests.tolist()]


def _are_plain(*sizes: float) -> bool:
    """Say whether products of such numbers, and what is rounded away from them, are floats with all their digits."""
    return all(PLAIN[0] <= size <= PLAIN[1] for size in sizes)


def exact_product(n: np.ndarray | float, x: np.ndarray | float) -> tuple[np.ndarray | float, np.ndarray | float]:
    """Return n * x as a rounded value and the digits that were rounded away (Dekker's product)."""
    high = n * x
    n_head = _head(n)
    x_head = _head(x)
    n_tail = n - n_head
    x_tail = x - x_head
    rest = n_head * x_head - high
    rest = rest + n_head * x_tail + n_tail * x_head + n_tail * x_tail
    return high, rest


def exact_sum(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x + y as a rounded value and the digits that were rounded away (Knuth's sum)."""
    high = x + y
    part_of_y = high - x
    part_of_x = high - part_of_y
    return high, (x - part_of_x) + (y - part_of_y)


def _head(x: np.ndarray | float) -> np.ndarray | float:
    """Return the leading half of the digits (Veltkamp's splitting)."""
    shifted = 134217729.0 * x
    return shifted - (shifted - x)
