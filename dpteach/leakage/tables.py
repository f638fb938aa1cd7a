"""Tables of small laws: how they are read, checked, multiplied and summed. A law is {outcome: probability}."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np

from .. import checks
from ..pair import Pair, _array

MOST_DATABASES = 1024  # more would make half a million pairs of them
MOST_CELLS = 2**21  # databases times coins, or times outputs: what a student's machine tabulates in seconds


class _Anything:
    """A leak or an output that was not observed."""

    def __repr__(self) -> str:
        return "ANYTHING"


ANYTHING = _Anything()

Law = Mapping[Hashable, Fraction | float]
Neighbours = Callable[[Hashable, Hashable], bool] | Iterable[tuple[Hashable, Hashable]] | None


def bits(n: int) -> list[tuple[int, ...]]:
    """Return all 2^n tuples of n bits."""
    check_size("n bits", 2 ** min(checks.count("n", n), 64))
    return list(product((0, 1), repeat=checks.count("n", n)))


def differ_in_one(x: Hashable, y: Hashable) -> bool:
    """Say whether two databases are neighbours: tuples that differ in exactly one entry, other databases always."""
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and sum(a != b for a, b in zip(x, y, strict=True)) == 1
    return x != y


# --------------------------------------------------------------------------------------------------------- laws


def as_law(name: str, values: Iterable[Hashable] | Law) -> dict:
    """Return a law {outcome: probability}; a list of outcomes means that they are equally likely."""
    if isinstance(values, Mapping):
        return dict(zip(values, checks.law(name, values.values()), strict=True))
    listed = checks.names(name, values)
    if not listed:
        raise ValueError(f"{name} must not be empty")
    return dict.fromkeys(listed, Fraction(1, len(listed)))


def sure_or_law(name: str, value: Hashable | Law) -> dict:
    """Return a law given as a dictionary, or the law of a sure value."""
    return as_law(name, value) if isinstance(value, Mapping) else {hashable(name, value): Fraction(1)}


def product_law(*laws: Law) -> dict:
    """Return the law of independent draws, side by side in a tuple."""
    check_size("independent laws", math.prod(map(len, laws)))
    joint: dict = {(): Fraction(1)}
    for law in laws:
        joint = {(*drawn, y): w * v for drawn, w in joint.items() for y, v in law.items()}
    return joint


def pair_of(p: Law, q: Law) -> Pair:
    """Return two laws, known to be such, as a pair over the outcomes of either."""
    names = list(dict.fromkeys([*p, *q]))
    return Pair._of(_array(p.get(m, 0) for m in names), _array(q.get(m, 0) for m in names), names=names)


def summed(cells: Iterable[tuple]) -> dict:
    """Add up the weights of equal cells."""
    total: dict = {}
    for cell, weight in cells:
        total[cell] = total.get(hashable("leaks and outputs", cell), 0) + weight
    return total


def same_law(p: Law, q: Law) -> bool:
    """Say whether two laws are equal; floats may differ by rounding."""
    exact = all(map(checks.is_exact, chain(p.values(), q.values())))
    return all(abs(p.get(o, 0) - q.get(o, 0)) <= (0 if exact else checks.SUM_TOLERANCE) for o in {**p, **q})


# ------------------------------------------------------------------------------------------- what a table must be


def as_function(name: str, given: Callable | Mapping) -> Callable:
    """Return a function, given as such or as a dictionary of its values."""
    if not callable(given) and not isinstance(given, Mapping):
        raise ValueError(f"{name} must be a function or a dictionary of its values, not {checks.shorten(given)}")
    return given if callable(given) else lambda *key: _value(name, given, key[0] if len(key) == 1 else key)


def _value(name: str, given: Mapping, key: Hashable):
    if not is_among(key, given):
        raise ValueError(f"{name} must have a value for {checks.shorten(key)}, not only for {checks.shorten([*given])}")
    return given[key]


def as_ratio(value, name: str = "ratio") -> Fraction | float:
    """Return e^eps, at least 1 and finite: a fraction if it is exact, a float otherwise."""
    if checks.scalar(name, value, low=1) == np.inf:
        raise ValueError(f"{name} must be finite, not inf")
    return checks.fraction(value) if checks.is_exact(value) else float(value)


def is_among(value, known: Mapping) -> bool:
    """Say whether the value is a key; what cannot be one is not."""
    try:
        return value in known
    except TypeError:
        return False


def hashable(name: str, value: Hashable) -> Hashable:
    """Return a value that can name an outcome."""
    try:
        hash(value)
    except TypeError:
        raise ValueError(f"{name} must be numbers, words or tuples of them, not {checks.shorten(value)}") from None
    return value


def check_size(what: str, cells: int) -> None:
    """Refuse a table too large for a student's machine."""
    if cells > MOST_CELLS:
        raise ValueError(f"{what} must make a table of at most {MOST_CELLS} cells, not {cells}")


def checked_databases(databases: Iterable[Hashable]) -> list:
    """Return different databases, not too many of them."""
    listed = checks.names("databases", databases)
    if len(listed) > MOST_DATABASES:
        raise ValueError(f"databases must be at most {MOST_DATABASES}, not {len(listed)}")
    return listed


def checked_table(table: Mapping[Hashable, Law]) -> dict:
    """Return {database: {(leak, output): probability}}, checked, without what never happens."""
    if not isinstance(table, Mapping) or not table or not all(isinstance(cells, Mapping) for cells in table.values()):
        raise ValueError(
            f"table must map databases to laws {{(leak, output): probability}}, not {checks.shorten(table)}"
        )
    checked_databases(table)
    check_size("table", sum(map(len, table.values())))
    return {x: _checked_cells(x, cells) for x, cells in table.items()}


def _checked_cells(x: Hashable, cells: Law) -> dict:
    for cell in cells:
        if not (isinstance(cell, tuple) and len(cell) == 2):
            raise ValueError(f"table[{x!r}] must have (leak, output) pairs as keys, not {cell!r}")
    law = checks.law(f"table[{x!r}]", cells.values()).tolist()
    return {cell: weight for cell, weight in zip(cells, law, strict=True) if weight > 0}


def neighbour_pairs(databases: list, neighbours: Neighbours) -> list[tuple]:
    """Return each neighbouring pair of databases once."""
    if neighbours is None or callable(neighbours):
        related = neighbours or differ_in_one
        return [(x, y) for x, y in combinations(databases, 2) if related(x, y) or related(y, x)]
    once, known = {}, dict.fromkeys(databases)
    for pair in neighbours if np.iterable(neighbours) else [neighbours]:
        x, y = _two_databases(pair, known)
        once.setdefault(frozenset((x, y)), (x, y))
    return list(once.values())


def _two_databases(pair, known: Mapping) -> tuple:
    two = isinstance(pair, tuple | list) and len(pair) == 2
    if not two or not all(is_among(x, known) for x in pair) or pair[0] == pair[1]:
        raise ValueError(f"neighbours must be pairs of two different databases of the list, not {checks.shorten(pair)}")
    return tuple(pair)
