"""Axes that stay where they are: figures with fixed places, and ends that rarely change while a slider moves."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...figures.style import FONT, panels
from .controls import ROUND

FINE = (*ROUND[10], 10)  # ends of an axis within a decade
COARSE = (1, 1.5, 2, 3, 5, 7, 10)


def fix_places(figure: Figure, **margins: float) -> None:
    """Keep the axes in their places: a layout that is computed anew is slow, and makes them jump."""
    figure.set_layout_engine(None)
    figure.subplots_adjust(**margins)


def two_panels(size: tuple[float, float], widths: tuple[float, float], **margins: float) -> tuple[Figure, Axes, Axes]:
    """Return a figure with two empty panels beside each other."""
    figure, (left, right) = panels(1, 2, size, width_ratios=widths)
    fix_places(figure, **margins)
    return figure, left, right


def round_up(x: float, steps: tuple[float, ...] = FINE) -> float:
    """Return the next round number: one of the steps, times a power of ten."""
    exponent = math.floor(math.log10(x))
    ends = [float(f"{step}e{exponent}") for step in steps]
    return next(end for end in ends if end >= x)


def draw_blind_guessing(ax: Axes) -> None:
    """Draw the diagonal on which a tester is who knows nothing."""
    ax.plot([0, 1], [1, 0], color="0.45", linewidth=1.2, linestyle=":")
    ax.text(0.8, 0.235, "blind guessing", color="0.3", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
