"""What may be asked: every argument of the library is checked here, and refused in one plain sentence."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from .annotations import Answer, Size

MOST = 2**53  # whole numbers up to this are exact as floats
LONGEST = 200  # characters of a value in a message: lists in lists are long
MOST_DRAWS = 10**8  # numbers that one call may draw: they fit into a student's memory
SUM_TOLERANCE = 1e-9  # how far float probabilities may be from summing to one


def real(name: str, value: Any, low: float = -np.inf, high: float = np.inf) -> np.ndarray:
    """Return `value` (a number or an array) as floats, or say that it must lie in [low, high]."""
    array = _as_floats(name, value)
    outside = ~((array >= low) & (array <= high))  # NaN fails both comparisons
    if outside.any():
        raise ValueError(f"{name} must {_range(low, high)}, not {array[outside].flat[0]:.10g}")
    return array


def _as_floats(name: str, value) -> np.ndarray:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf" and not _holds_rationals(array):
            raise TypeError
        return array.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a number or an array of numbers, not {shorten(value)}") from None


def _holds_rationals(array: np.ndarray) -> bool:
    return array.dtype == object and all(is_number(x) for x in array.flat)


def shorten(value: Any) -> str:
    """Return the value as one short line for a message."""
    try:
        text = " ".join(reprlib.repr(value).split())
    except ValueError:  # Python does not write down numbers of thousands of digits
        return "a number of very many digits"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def written(number: numbers.Rational) -> str:
    """Return an exact number as one types it, a long one shortened."""
    is_long = abs(number.numerator) > MOST or number.denominator > MOST
    return shorten(number) if is_long else str(number)


def names(name: str, values: Any, number: int | None = None) -> list[Any]:
    """Return `values` as a list of different names of outcomes, that many of them if `number` is given."""
    try:
        listed = list(values)
        distinct = len(set(listed))
    except TypeError:
        listed, distinct = [], -1
    if distinct != len(listed) or number not in (None, distinct):
        what = "different outcomes" if number is None else f"{number} different outcomes"
        raise ValueError(f"{name} must name {what}, not {shorten(values)}")
    return listed


def hashable(name: str, value: Hashable) -> Hashable:
    """Return a value that can name an outcome or a database."""
    try:
        hash(value)
    except TypeError:
        raise ValueError(f"{name} must be numbers, words or tuples of them, not {shorten(value)}") from None
    return value


def is_among(value: Any, known: Mapping[Any, Any]) -> bool:
    """Say whether the value is a key; what cannot be one is not."""
    try:
        return value in known
    except TypeError:
        return False


def function(name: str, given: Callable[..., Any] | Mapping[Any, Any]) -> Callable[..., Any]:
    """Return a function, given as such or as a dictionary of its values."""
    if not callable(given) and not isinstance(given, Mapping):
        raise ValueError(f"{name} must be a function or a dictionary of its values, not {shorten(given)}")
    return given if callable(given) else lambda *key: _value(name, given, key[0] if len(key) == 1 else key)


def _value(name: str, given: Mapping, key: Hashable):
    if not is_among(key, given):
        raise ValueError(f"{name} must have a value for {shorten(key)}, not only for {shorten([*given])}")
    return given[key]


def is_number(x: object) -> bool:
    """Say whether `x` is a real number; True and False are not."""
    return isinstance(x, numbers.Real) and not isinstance(x, bool | np.bool_)


def is_exact(x: object) -> bool:
    """Say whether `x` is a whole number or a `Fraction`."""
    return isinstance(x, numbers.Rational) and not isinstance(x, bool)


def fraction(value: Any) -> Fraction:
    """Return a number as an exact fraction of Python's whole numbers, which never overflow as NumPy's do."""
    return Fraction(int(value.numerator), int(value.denominator)) if is_exact(value) else Fraction(float(value))


def _range(low: float, high: float) -> str:
    if high == np.inf:
        return f"be at least {low:g}"
    return f"lie in [{low:g}, {high:g}]"


def scalar(name: str, value: Any, low: float = -np.inf, high: float = np.inf) -> float:
    """Return `value` as one float in [low, high]."""
    if type(value) is float and low <= value <= high:  # most are, and arrays are slow
        return value
    array = real(name, value, low, high)
    if array.ndim:
        raise ValueError(f"{name} must be one number, not an array of shape {array.shape}")
    return float(array)


def positive(name: str, value: Any) -> float:
    """Return `value` as one float that is positive and finite."""
    number = scalar(name, value)
    if not 0 < number < np.inf:
        raise ValueError(f"{name} must be positive and finite, not {number:.10g}")
    return number


def eps(value: Any, name: str = "eps") -> np.ndarray:
    """Return privacy parameters as floats; infinity is allowed and promises nothing."""
    return real(name, value, low=0)


def ratio(value: Any) -> Fraction:
    """Return an exact e^eps: a whole number or fraction, at least 1."""
    if value < 1:
        raise ValueError(f"ratio must be at least 1, not {written(value)}")
    return fraction(value)


def delta(value: Any, name: str = "delta") -> np.ndarray:
    """Return probabilities as floats."""
    return real(name, value, low=0, high=1)


def count(name: str, value: Any, low: int = 0, high: int = MOST) -> int:
    """Return `value` as a whole number from `low` to `high`."""
    whole = is_number(value) and (is_exact(value) or np.isfinite(value)) and value == int(value)
    if not whole or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {shorten(value)}")
    return int(value)


def shape(size: Size) -> tuple[int, ...]:
    """Return the shape of what is drawn, given as a whole number or as several."""
    given = size.tolist() if isinstance(size, np.ndarray) else size
    lengths = tuple(count("size", length) for length in (given if np.iterable(given) else [given]))
    if math.prod(lengths) > MOST_DRAWS:
        raise ValueError(f"size must ask for at most {MOST_DRAWS} numbers, not {shorten(size)}")
    return lengths


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the allowed words."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {shorten(value)}")
    return value


def text(name: str, value: Any) -> str:
    """Return `value` if it is a text."""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text, not {shorten(value)}")
    return value


def truth(name: str, value: Any) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {shorten(value)}")
    return bool(value)


def listed(name: str, values: Any) -> list[Any]:
    """Return several values as a list."""
    if not np.iterable(values):
        raise ValueError(f"{name} must be a list, not {shorten(values)}")
    return list(values)


def generator(rng: Any) -> np.random.Generator:
    """Return `rng` if it is a NumPy random generator: randomness is always passed in."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator such as default_rng(0), not {shorten(rng)}")
    return rng


def law(name: str, values: Any) -> np.ndarray:
    """Return a probability vector: fractions (dtype object) if all entries are exact, floats otherwise."""
    items = list(values) if np.iterable(values) and not isinstance(values, str) else None
    if not items or not all(is_number(x) for x in items):
        raise ValueError(f"{name} must be a non-empty list of probabilities, not {shorten(values)}")
    exact = all(is_exact(x) for x in items)
    array = np.array([fraction(x) for x in items] if exact else items, dtype=object if exact else float)
    total = sum(array) if exact else float(np.sum(array))
    if not all(0 <= x <= 1 + SUM_TOLERANCE for x in array):
        raise ValueError(f"{name} must hold probabilities in [0, 1], not {_first_outside(array)}")
    if total != 1 if exact else not abs(total - 1) <= SUM_TOLERANCE:
        raise ValueError(f"{name} must sum to 1, not {total if exact else format(total, '.10g')}")
    return array


def _first_outside(array: np.ndarray):
    return next(x for x in array.tolist() if not 0 <= x <= 1 + SUM_TOLERANCE)


def plain(result: Any) -> Answer:
    """Return a Python number for a result without dimensions, the array itself otherwise."""
    result = np.asarray(result)
    return result.item() if result.ndim == 0 else result
