"""How the tables of lecture 4 are written down: lists of databases, coins, laws; read and checked here."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import chain, product
from typing import Any

from .. import checks
from ..channel import Channel, Law, check_size, joint_law

MOST_DATABASES = 1024  # more would make half a million pairs of them


class _Anything:
    """A leak or an output that was not observed."""

    def __repr__(self) -> str:
        return "ANYTHING"


ANYTHING = _Anything()


def bits(n: int) -> list[tuple[int, ...]]:
    """Return all 2^n tuples of n bits."""
    n = checks.count("n", n)
    check_size("n bits", 2 ** min(n, 64))
    return list(product((0, 1), repeat=n))


def uniform_or_law(name: str, values: Iterable[Hashable] | Law) -> dict[Any, Any]:
    """Return a law {outcome: probability}; a list of outcomes means that they are equally likely."""
    if isinstance(values, Mapping):
        weights = checks.law(name, values.values())
        return dict(zip(values, weights, strict=True))
    listed = checks.names(name, values)
    if not listed:
        raise ValueError(f"{name} must not be empty")
    return dict.fromkeys(listed, Fraction(1, len(listed)))


def product_law(*laws: Law) -> dict[Any, Any]:
    """Return the law of independent draws, side by side in a tuple."""
    check_size("independent laws", math.prod(map(len, laws)))
    joint: dict = {(): Fraction(1)}
    for law in laws:
        pairs = joint_law(joint, dict.fromkeys(joint, law))
        joint = {(*drawn, y): weight for (drawn, y), weight in pairs.items()}
    return joint


def same_law(p: Law, q: Law) -> bool:
    """Say whether two laws are equal; floats may differ by rounding."""
    exact = all(map(checks.is_exact, chain(p.values(), q.values())))
    tolerance = 0 if exact else checks.SUM_TOLERANCE
    return all(abs(p.get(y, 0) - q.get(y, 0)) <= tolerance for y in {**p, **q})


def as_ratio(value: Any, name: str = "ratio") -> Fraction | float:
    """Return e^eps, at least 1 and finite: a fraction if it is exact, a float otherwise."""
    if checks.scalar(name, value, low=1) == math.inf:
        raise ValueError(f"{name} must be finite, not inf")
    return checks.fraction(value) if checks.is_exact(value) else float(value)


def checked_databases(databases: Iterable[Hashable]) -> list[Any]:
    """Return different databases, not too many of them."""
    listed = checks.names("databases", databases)
    if not listed:
        raise ValueError("databases must not be empty")
    if len(listed) > MOST_DATABASES:
        raise ValueError(f"databases must be at most {MOST_DATABASES}, not {len(listed)}")
    return listed


def joint_channel(table: Mapping[Hashable, Law]) -> Channel:
    """Return the channel of a table {database: {(leak, output): probability}}."""
    channel = Channel(table, "table")
    checked_databases(table)
    for x, cells in table.items():
        _check_cells(x, cells)
    return channel


def _check_cells(x: Hashable, cells: Law) -> None:
    for cell in cells:
        if not (isinstance(cell, tuple) and len(cell) == 2):
            raise ValueError(
                f"table[{checks.shorten(x)}] must have (leak, output) pairs as keys, not {checks.shorten(cell)}"
            )
