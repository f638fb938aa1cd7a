"""Static figures in the house style: legible from the back row, safe for the colour-blind, readable without eyes.

Nothing here touches matplotlib's global state: a figure is an object, drawn once, and carries its own description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from ..curve import as_curve
from ..guarantee import Guarantee, least_error
from ..table import Table, show, six_digits

if TYPE_CHECKING:  # colours and curves are also needed where nothing is drawn, and matplotlib takes long to load
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The palette of Okabe and Ito, in an order that keeps neighbours apart also in grey; yellow is too pale for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
BLUE = COLOURS[0]
ORANGE = COLOURS[1]
GREEN = COLOURS[2]
PALE_BLUE = "#D6E9F5"
PALE_ORANGE = "#FBE3D3"
FONT = 13
LINE = 2.4
DPI = 110
CENTRED = {"ha": "center", "va": "center"}
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 2}  # behind words that cross a line
CLOSE = 0.03  # how near to an edge of a graph a place is in its way
BEND = 0.11  # how far the edge bends around that, as a share of its length


class Picture:
    """A figure together with the sentence that a screen reader reads and the numbers that it shows."""

    def __init__(self, figure: Figure, alt: str, numbers: Table | None = None):
        self.figure = figure
        self.alt = read_aloud(alt)
        self.numbers = numbers

    def png(self) -> bytes:
        """Return the figure as a PNG image."""
        buffer = BytesIO()
        self.figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
        return buffer.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/png": self.png(), "text/plain": self.alt}, {"image/png": {"alt": self.alt}}

    def __repr__(self) -> str:
        return self.alt


def read_aloud(words: str) -> str:
    """Return a description as a screen reader can say it: e to the ε for e^eps, 10⁻⁶ for 1e-06."""
    words = re.sub(r"\be\^(\w+)", r"e to the \1", words)
    words = re.sub(r"\beps\b", "ε", words)
    return re.sub(r"\d[\d.]*e[+-]\d+", lambda number: six_digits(float(number[0])), words)


# -------------------------------------------------------------------------------------------------- empty figures


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
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    made = figure.subplots(rows, columns, squeeze=False, **sharing).ravel()
    for ax, title in zip_longest(made, titles, fillvalue=""):
        ax.set_title(title, fontsize=FONT + 1, loc="left")
        ax.tick_params(labelsize=FONT - 2)
        ax.grid(color="0.9", linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    return figure, made


def bare(ax: Axes) -> None:
    """Take away what belongs to a diagram of numbers: the grid, the frame and the ticks' little lines."""
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)


# ------------------------------------------------------------------------------------------------- steps of drawing


def line_style(i: int) -> dict:
    """Return colour and dashes of the i-th line: never told apart by colour alone."""
    return {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)], "linewidth": LINE}


def draw_lines(ax: Axes, x: Sequence, lines: Mapping[str, Sequence]) -> None:
    """Draw a line for each name, in the order of the styles."""
    for i, (name, heights) in enumerate(lines.items()):
        ax.plot(x, heights, label=name, **line_style(i))


def lines_of(rows: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    """Return a line for each name, given a row of named numbers for each place."""
    lines: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            lines.setdefault(name, []).append(float(value))
    return lines


def legend(place: Axes | Figure, loc: str = "best", fontsize: float = FONT - 1, **more) -> None:
    """Add a legend without a frame, inside of axes or of the whole figure."""
    place.legend(loc=loc, fontsize=fontsize, frameon=False, **more)


def write(ax: Axes, x: float, y: float, words: str, fontsize: float = FONT, **look) -> None:
    """Write words, their centre at a point; with `bbox` they stand in a box."""
    ax.text(x, y, words, fontsize=fontsize, **CENTRED, **look)


def note(ax: Axes, words: str, point: tuple[float, float], offset: tuple[float, float], **look) -> None:
    """Write words beside a point, so many printer's points to the right of it and above it."""
    ax.annotate(words, point, offset, textcoords="offset points", **look)


def draw_cell(ax: Axes, x: float, y: float, width: float, height: float, **look) -> None:
    """Draw a rectangle around a centre."""
    ax.bar(x, height, width, bottom=y - height / 2, **look)


def listing(named: Iterable[tuple], between: str = "; ", colon: str = ": ") -> str:
    """Return names and numbers as a description tells them: one: 1; two: 2."""
    return between.join(f"{name}{colon}{show(value)}" for name, value in named)


def last_row(numbers: Table) -> list[tuple]:
    """Return the columns of a table with their values in its last row, without the first column."""
    named = zip(numbers.columns, numbers.rows[-1], strict=True)
    return list(named)[1:]


def letters(values: Iterable) -> str:
    """Return a vector or a database in short, such as 0110 or aab; the empty one is ∅."""
    return "".join(map(str, values)) or "∅"


# -------------------------------------------------------------------------------------------------- privacy regions


def privacy_regions(curves: Mapping[str, object], title: str = "") -> Picture:
    """Draw which pairs of errors a tester can reach against each curve (KOV, Figures 1 to 3)."""
    figure, ax = axes("missed detection", "false alarm", title, size=(6.4, 5.6))
    rows = []
    for i, (name, curve) in enumerate(curves.items()):
        boundary = lower_boundary(curve)
        ax.plot(*boundary.T, label=name, **line_style(i))
        rows.append((name, equal_error(curve)))
    ax.plot([0, 1], [1, 0], color="0.55", linewidth=1.2)
    write(ax, 0.52, 0.52, "blind guessing", FONT - 2, color="0.35", rotation=-45)
    ax.set(xlim=(-0.01, 1), ylim=(-0.01, 1), aspect="equal")
    legend(ax, "upper right")
    what = "the false alarms a tester must accept against missed detections"
    alt = f"Privacy regions: {what}. Equal errors at {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["curve", "error when both errors are equal"]))


def lower_boundary(curve) -> np.ndarray:
    """Return the errors (missed, alarm) that a tester would choose from, from (0, 1) to (1, 0), in floats.

    P is the law with Alice, so a miss is an error under P, and a false alarm one under Q.
    """
    under_q, under_p = as_curve(curve).lower_boundary[::-1].T
    return np.stack([under_p, under_q], axis=1).astype(float)


def least_alarm(promises: Sequence[Guarantee], missed: np.ndarray) -> np.ndarray:
    """Return the least false alarm at each missed detection that no promise excludes (KOV, Theorem 2.1)."""
    eps, delta = np.transpose([tuple(promise) for promise in promises])
    return least_error(eps[:, None], delta[:, None], missed).max(axis=0)  # the regions are symmetric


def balanced_error(lower: np.ndarray) -> float:
    """Return the error of the test whose two errors are equal, from the vertices of a border."""
    missed, alarm = lower.T
    return float(np.interp(0.0, missed - alarm, missed))


def equal_error(curve) -> float:
    """Return the error of the test whose two errors are equal, also where the border is round and has no vertices."""
    from scipy.optimize import brentq

    least_missed = as_curve(curve).tradeoff
    return float(brentq(lambda error: float(least_missed(error)) - error, 0.0, 1.0, xtol=1e-15))


# --------------------------------------------------------------------------------------------------------- graphs


def arc(places: np.ndarray, i: int, j: int) -> np.ndarray:
    """Return the points of the edge from place i to place j, bent around any place in between."""
    others = np.delete(places, [i, j], axis=0)
    if not _in_the_way(others, places[i], places[j]):
        return places[[i, j]]
    way = places[j] - places[i]
    left = np.array([-way[1], way[0]])
    t = np.linspace(0, 1, 24)[:, None]
    bend = 4 * t * (1 - t) * BEND
    return places[i] + t * way + bend * left


def _in_the_way(others: np.ndarray, start: np.ndarray, end: np.ndarray) -> bool:
    """Say whether one of the others lies close to the straight line from start to end."""
    length = np.hypot(*(end - start))
    right, up = (end - start) / length
    dx, dy = (others - start).T
    along = dx * right + dy * up
    aside = dy * right - dx * up
    between = (along > 0) & (along < length)
    return bool(np.any(between & (np.abs(aside) < CLOSE)))
