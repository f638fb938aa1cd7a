"""Plain values: what may travel between a student's process and the checks.

Numbers, words, lists, arrays, fractions, pairs and guarantees are written down as JSON. Everything else arrives as the
name of its type, so no object with ideas of its own (about equality, say) ever reaches a check.
"""

from __future__ import annotations

import itertools
import sys
import types
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from ...guarantee import Guarantee
from ...pair import Pair

MOST_ITEMS = 100_000  # of a list, and of everything together
TOO_LONG = 10**2000  # for a whole number
MOST_DEPTH = 8  # lists in lists
LAZY = (range, map, filter, zip, enumerate, types.GeneratorType)


@dataclass(frozen=True)
class Other:
    """Stands for a value that is not plain: all that is known is what to call it."""

    what: str


def encode(value):
    """Return the value in a form that JSON can write; what is not plain becomes its description."""
    return _Encoder().encode(value)


class _Encoder:
    """Walks through a value. Subclasses of numbers are read by the methods of int and float, not by their own."""

    def __init__(self):
        self.left = MOST_ITEMS

    def encode(self, value, depth: int = 0):
        kind = type(value)
        if value is None or kind in (bool, str):
            return value
        if value is Ellipsis:
            return _other("still `...`")
        if isinstance(value, np.generic | np.ndarray):
            return self._array(value, depth)
        if isinstance(value, int):
            return _whole(value)
        if isinstance(value, float):
            return {"float": float.__repr__(value)}
        if kind is Fraction:
            return self._fraction(value)
        if kind in long_numbers():
            return {"float": repr(float(value))}
        return self._container(value, kind, depth)

    def _fraction(self, value: Fraction):
        if max(abs(value.numerator), value.denominator) >= TOO_LONG:
            return _other("a fraction that is too long")
        return {"fraction": f"{value.numerator}/{value.denominator}"}

    def _array(self, value, depth: int):
        if getattr(value, "size", 1) > self.left:
            return _other("an array that is too long")
        value = np.asarray(value)
        if value.dtype in (np.longdouble, np.clongdouble):  # their lists are made of themselves
            value = value.astype(float if value.dtype == np.longdouble else complex)
        return self.encode(value.tolist(), depth)

    def _container(self, value, kind, depth: int):
        if depth >= MOST_DEPTH:
            return _other("too many lists inside one another")
        if isinstance(value, tuple):  # named ones, too
            return self._list(tuple.__iter__(value), depth)
        if kind is list or kind in LAZY:
            return self._list(value, depth)
        if kind in (set, frozenset):
            return self._list(sorted(value, key=repr), depth)
        if kind is dict:
            return {"dict": [self._list(item, depth) for item in itertools.islice(value.items(), self.left + 1)]}
        if isinstance(value, Pair):
            return {"pair": self._list((list(value.p), list(value.q)), depth)}
        if isinstance(value, Guarantee):
            return {"guarantee": self._list(tuple(value), depth)}
        return _other(f"an object of type {kind.__name__[:60]}")

    def _list(self, value, depth: int):
        items = list(itertools.islice(value, self.left + 1))
        self.left -= len(items)
        if self.left < 0:
            return _other("a list that is too long")
        return [self.encode(item, depth + 1) for item in items]


def long_numbers() -> list[type]:
    """List the genuine types of numbers with more digits than a float; a class that only says so is not among them."""
    mpmath = sys.modules.get("mpmath")
    return [Decimal] if mpmath is None else [Decimal, mpmath.mpf, type(mpmath.pi)]


def _whole(value: int) -> dict:
    value = int.__index__(value)
    return {"int": str(value)} if abs(value) < TOO_LONG else _other("a whole number that is too long")


def _other(what: str) -> dict:
    return {"other": what}


def decode(data):
    """Return the plain value that `encode` wrote down; raise ValueError if the data is something else."""
    return _Decoder().decode(data)


class _Decoder:
    """Reads what `encode` wrote down, with the same bounds: a changed kernel may send anything."""

    def __init__(self):
        self.left = 3 * MOST_ITEMS  # numbers count twice, entries of dictionaries three times

    def decode(self, data, depth: int = 0):
        self.left -= 1
        if self.left < 0 or depth > 2 * MOST_DEPTH + 2:
            raise ValueError("too much of it")
        if data is None or type(data) in (bool, str):
            return data
        if type(data) is list:
            return [self.decode(item, depth + 1) for item in data]
        if type(data) is not dict or len(data) != 1:
            raise ValueError("not a plain value")
        ((kind, content),) = data.items()
        if kind in _READERS:
            return _READERS[kind](readable(str(content)))
        parts = self.decode(content, depth + 1)
        if kind == "dict":
            return {str(key): value for key, value in parts}
        if kind == "pair":
            p, q = parts
            return {"p": p, "q": q}
        if kind == "guarantee":
            return parts
        raise ValueError("not a plain value")


def _read_whole(text: str) -> int:
    if len(text) > 2002:
        raise ValueError("a whole number that is too long")
    return int(text)


_READERS = {
    "int": _read_whole,
    "float": float,
    "fraction": lambda text: Fraction(*map(_read_whole, text.split("/"))),  # digits only: "1e999999999" is a trap
    "other": lambda text: Other(text[:100]),
}


def readable(text: str) -> str:
    """Return a text on one line, without signs that steer a terminal or that no file can hold."""
    return "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))


def rebuild(data):
    """Return an argument as a student expects it: like `decode`, but pairs and guarantees of the kit come to life."""
    if type(data) is list:
        return [rebuild(item) for item in data]
    if type(data) is dict and data.keys() <= {"pair", "guarantee"}:
        ((kind, content),) = data.items()
        return {"pair": Pair, "guarantee": Guarantee}[kind](*map(rebuild, content))
    return decode(data)
