"""A small table that prints the same everywhere: in a terminal, in a notebook, on a slide, on every machine."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from . import checks
from .checks import is_exact, shorten

__all__ = ["Table", "short", "show"]

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_BITS = 10_000  # of an exact number that is written in full


class Table:
    """Rows and column names; numbers are shown with six significant digits, so last-bit differences do not show.

    >>> Table([(1, 0.5), (2, 0.25)], ["k", "delta"])
    k  delta
    -  -----
    1    0.5
    2   0.25
    """

    def __init__(self, rows: Iterable[Sequence[Any]], columns: Sequence[str]):
        try:
            self.columns, self.rows = list(columns), [tuple(row) for row in rows]
        except TypeError:
            raise ValueError(f"rows must be a list of rows, not {shorten(rows)}") from None
        if not all(isinstance(column, str) for column in self.columns):
            raise ValueError(f"columns must be a list of words, not {shorten(columns)}")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"rows must have {len(self.columns)} entries, one for each column, not {shorten(row)}")

    def column(self, name: str) -> list[Any]:
        """Return the values of one column."""
        checks.choice("name", name, self.columns)
        return [row[self.columns.index(name)] for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def _cells(self) -> list[list[str]]:
        return [[show(value) for value in row] for row in self.rows]

    def _right(self) -> list[bool]:
        """Say of each column whether it holds numbers, which stand right, empty cells or not; words stand left."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.columns)
        filled = ([value for value in column if value is not None] for column in columns)
        return [bool(values) and all(map(_is_numeric, values)) for values in filled]

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(self.columns, *cells, strict=True)]
        lines = [self.columns, ["-" * width for width in widths], *cells]
        return "\n".join("  ".join(map(_pad, line, widths, self._right())).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        sides = [f' style="text-align:{"right" if right else "left"}"' for right in self._right()]
        head = _html_row("th", self.columns, sides)
        body = "".join(_html_row("td", row, sides) for row in self._cells())
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def show(value: Any) -> str:
    """Return the text of one cell: floats with six significant digits, fractions and whole numbers in full."""
    if isinstance(value, bool | np.bool_ | str) or value is None:
        return {True: "yes", False: "no", None: ""}.get(value, value)
    if isinstance(value, np.ndarray):
        return shorten(value)
    if is_exact(value) and value.numerator.bit_length() + value.denominator.bit_length() > MOST_BITS:
        return shorten(value)  # Python writes down no longer ones
    return str(value) if is_exact(value) else f"{value:.6g}" if hasattr(value, "__float__") else str(value)


def short(x: float) -> str:
    """Return a number as a reader writes it: 0.25, 1e-6."""
    mantissa, _, exponent = f"{checks.scalar('x', x):.6g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def six_digits(value: Any) -> str:
    """Return a number with six digits."""
    return written(value, 6)


def written(value: Any, digits: int) -> str:
    """Return a number as one writes it by hand: 0.25, 10⁻⁶, 3.2 · 10⁻⁹, ∞."""
    if value == math.inf:
        return "∞"
    number = float(value) if is_exact(value) else value  # vacuous has a format of its own
    mantissa, _, exponent = f"{number:.{digits}g}".partition("e")
    if not exponent:
        return mantissa
    power = ten_to_the(int(exponent))
    return power if mantissa == "1" else f"{mantissa} · {power}"


def ten_to_the(exponent: int) -> str:
    """Return a power of ten: 10⁻⁶."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"


def _is_numeric(value) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, bool | np.bool_ | np.ndarray)


def _pad(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)


def _html_row(tag: str, cells: Sequence[str], sides: Sequence[str]) -> str:
    return (
        "<tr>"
        + "".join(f"<{tag}{side}>{html.escape(c)}</{tag}>" for c, side in zip(cells, sides, strict=True))
        + "</tr>"
    )
