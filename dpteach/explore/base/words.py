"""How explorers write numbers, and the colour of words about something that is not true."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from ... import checks
from ...table import six_digits, ten_to_the, written

LIE_TEXT = "#a33c00"  # an orange dark enough to be read
LONGEST_FRACTION = 10_000  # fractions with a larger denominator are shown in decimals


def show(ratio: Fraction) -> str:
    """Return a number as a short fraction with its value, or only its value."""
    if ratio.denominator == 1:
        return f"{ratio}"
    if ratio.denominator <= LONGEST_FRACTION:
        return f"{ratio} = {six_digits(float(ratio))}"
    return six_digits(float(ratio))


def tell(value) -> str:
    """Return a number in words: short fractions in full, `vacuous` as such."""
    return show(value) if checks.is_exact(value) else six_digits(value)


def brief(value) -> str:
    """Return a number as one says it: with four digits."""
    return written(value, 4)


def counted(number: int, what: str) -> str:
    """Return a number of things: 1 step, 2 steps."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def from_log(logarithm: float) -> str:
    """Return a number that is too small for a float, given its natural logarithm, with six digits."""
    if logarithm == -math.inf:
        return "0"
    decades = logarithm / math.log(10)
    exponent = math.floor(decades)
    return f"{six_digits(10 ** (decades - exponent))} · {ten_to_the(exponent)}"


def listed(values: Mapping[str, float], words: Callable[[float], str] = six_digits) -> str:
    """Return names with their values: basic 3, advanced 2.5."""
    return ", ".join(f"{name} {words(value)}" for name, value in values.items())
