"""How explorers write numbers, and the colour of words about something that is not true."""

from __future__ import annotations

import math
from fractions import Fraction

from ... import checks

LIE_TEXT = "#a33c00"  # an orange dark enough to be read
LONGEST_FRACTION = 10_000  # fractions with a larger denominator are shown in decimals


def show(ratio: Fraction) -> str:
    """Return a number as a short fraction with its value, or only its value."""
    if ratio.denominator == 1:
        return f"{ratio}"
    if ratio.denominator <= LONGEST_FRACTION:
        return f"{ratio} = {float(ratio):.6g}"
    return f"{float(ratio):.6g}"


def tell(value) -> str:
    """Return a number in words: short fractions in full, `vacuous` as such."""
    if value == math.inf:
        return "∞"
    return show(value) if checks.is_exact(value) else f"{value:.6g}"
