"""Sheets with panels in fixed places, and ends of axes that rarely change while a slider moves."""

from __future__ import annotations

import math

from ...figures.style import FONT
from .controls import ROUND
from .sheet import Panel, Sheet

FINE = (*ROUND[10], 10)  # ends of an axis within a decade
COARSE = (1, 1.5, 2, 3, 5, 7, 10)


def one_panel(size: tuple[float, float], left: float, right: float, bottom: float, top: float) -> tuple[Sheet, Panel]:
    """Return a sheet with one empty panel; its sides are given in parts of the sheet."""
    sheet = Sheet(size)
    return sheet, sheet.add(left, bottom, right - left, top - bottom)


def two_panels(
    size: tuple[float, float],
    widths: tuple[float, float],
    left: float,
    right: float,
    bottom: float,
    top: float,
    wspace: float,
) -> tuple[Sheet, Panel, Panel]:
    """Return a sheet with two empty panels beside each other; the space between is in units of their mean width."""
    sheet = Sheet(size)
    mean = (right - left) / (2 + wspace)
    first, second = (2 * mean * width / sum(widths) for width in widths)
    one = sheet.add(left, bottom, first, top - bottom)
    two = sheet.add(right - second, bottom, second, top - bottom)
    return sheet, one, two


def round_up(x: float, steps: tuple[float, ...] = FINE) -> float:
    """Return the next round number: one of the steps, times a power of ten."""
    exponent = math.floor(math.log10(x))
    ends = [float(f"{step}e{exponent}") for step in steps]
    return next(end for end in ends if end >= x)


def draw_blind_guessing(ax: Panel) -> None:
    """Draw the diagonal on which a tester is who knows nothing."""
    ax.plot([0, 1], [1, 0], color="0.45", linewidth=1.2, linestyle=":")
    ax.text(0.8, 0.235, "blind guessing", color="0.3", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
