"""Static figures in the house style: legible from the back row, safe for the colour-blind, readable without eyes.

Nothing here touches matplotlib's global state: a figure is an object, drawn once, and carries its own description.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import zip_longest

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..curve import as_curve
from ..table import Table, show

# The palette of Okabe and Ito, in an order that keeps neighbours apart also in grey; yellow is too pale for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
FONT, LINE, DPI = 13, 2.4, 110
CENTRED = {"ha": "center", "va": "center"}
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 2}  # behind words that cross a line
CLOSE, BEND = 0.03, 0.11  # what is in the way of an edge of a graph; how far it bends around that


class Picture:
    """A figure together with the sentence that a screen reader reads and the numbers that it shows."""

    def __init__(self, figure: Figure, alt: str, numbers: Table | None = None):
        self.figure, self.alt, self.numbers = figure, alt, numbers

    def png(self) -> bytes:
        """Return the figure as a PNG image."""
        buffer = BytesIO()
        self.figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
        return buffer.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/png": self.png(), "text/plain": self.alt}, {"image/png": {"alt": self.alt}}

    def __repr__(self) -> str:
        return self.alt


def axes(xlabel: str, ylabel: str, title: str = "", size: tuple[float, float] = (7.5, 5.0)) -> tuple[Figure, Axes]:
    """Return an empty figure in the house style."""
    figure, (ax,) = panels(1, 1, size, titles=[title])
    ax.set_xlabel(xlabel, fontsize=FONT)
    ax.set_ylabel(ylabel, fontsize=FONT)
    return figure, ax


def panels(
    rows: int, columns: int, size: tuple[float, float], titles: Sequence[str] = (), **sharing
) -> tuple[Figure, np.ndarray]:
    """Return a figure of several empty panels in the house style, row by row."""
    figure = Figure(figsize=size, layout="constrained")
    made = figure.subplots(rows, columns, squeeze=False, **sharing).ravel()
    for ax, title in zip_longest(made, titles, fillvalue=""):
        ax.set_title(title, fontsize=FONT + 1, loc="left")
        ax.tick_params(labelsize=FONT - 2)
        ax.grid(color="0.9", linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    return figure, made


def line_style(i: int) -> dict:
    """Return colour and dashes of the i-th line: never told apart by colour alone."""
    return {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)], "linewidth": LINE}


def privacy_regions(curves: Mapping[str, object], title: str = "") -> Picture:
    """Draw which pairs of errors a tester can reach against each curve (KOV, Figures 1 to 3)."""
    figure, ax = axes("missed detection", "false alarm", title, size=(6.4, 5.6))
    rows = []
    for i, (name, curve) in enumerate(curves.items()):
        lower = lower_boundary(curve)
        ax.plot(*lower.T, label=name, **line_style(i))
        rows.append((name, balanced_error(lower)))
    ax.plot([0, 1], [1, 0], color="0.55", linewidth=1.2)
    ax.text(0.52, 0.52, "blind guessing", color="0.35", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
    ax.set(xlim=(-0.01, 1), ylim=(-0.01, 1), aspect="equal")
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    numbers = Table(rows, ["curve", "error when both errors are equal"])
    told = "; ".join(f"{name}: {show(error)}" for name, error in rows)
    alt = f"Privacy regions: the false alarms a tester must accept against missed detections. Equal errors at {told}."
    return Picture(figure, alt, numbers)


def lower_boundary(curve) -> np.ndarray:
    """Return the errors (missed, alarm) that a tester would choose from, from (0, 1) to (1, 0), in floats."""
    return as_curve(curve).lower_boundary.astype(float)


def balanced_error(lower: np.ndarray) -> float:
    """Return the error of the test whose two errors are equal."""
    missed, alarm = lower.T
    return float(np.interp(0.0, missed - alarm, missed))


def letters(values: Iterable) -> str:
    """Return a vector or a database in short, such as 0110 or aab; the empty one is ∅."""
    return "".join(map(str, values)) or "∅"


def arc(places: np.ndarray, i: int, j: int) -> np.ndarray:
    """Return the points of the edge from place i to place j, bent around any place in between."""
    start, way = places[i], places[j] - places[i]
    left = np.array([-way[1], way[0]])
    along, aside = (np.delete(places - start, [i, j], axis=0) @ np.stack([way, left], axis=1)).T / (way @ way)
    blocked = bool(np.any((along > 0) & (along < 1) & (np.abs(aside) * np.hypot(*way) < CLOSE)))
    t = np.linspace(0, 1, 24 if blocked else 2)[:, None]
    return start + t * way + 4 * t * (1 - t) * blocked * BEND * left
