"""A sheet: what an explorer draws, kept as plain values in the units of its axes.

An explorer calls the methods that matplotlib's axes have, but nothing is drawn yet. The sheet is painted twice: in the
browser, where it follows zoom and theme (`explorer.js`), and with matplotlib, for pages on which nothing is alive
(`paint.py`). No picture is needed to make a sheet, and no matplotlib.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...figures.style import COLOURS, FONT
from .ticks import MOST, Tick, log_ticks, round_ticks, small_log_ticks, written

POINTS = 72  # in an inch
DIGITS = 6  # of a number on a sheet; the eye sees four
PANEL = "panel"  # the units of words that are placed in parts of the panel, from its lower left corner
DASHES = {"-": (), "--": (3.7, 1.6), "-.": (6.4, 1.6, 1, 1.6), ":": (1, 1.65)}  # in widths of the line
MARKERS = "osDvX."
SHORT = {"lw": "linewidth", "ls": "linestyle", "ms": "markersize", "mfc": "facecolor", "mec": "edgecolor", "mew": "rim"}
BELOW, MIDDLE, ABOVE = 1, 2, 3  # areas and bars, then lines and markers, then words, unless a zorder says otherwise
TALL, WIDE = 2, 3  # the room of a number along an axis, in heights of its letters

Mark = dict[str, Any]


@dataclass
class Axis:
    """One axis of a panel: its ends, its numbers and its name."""

    length: float  # in points
    room: float  # of a number, in heights of its letters
    lim: tuple[float, float] = (0.0, 1.0)
    log: bool = False
    label: str = ""
    label_size: float = FONT
    size: float = FONT - 2
    grid: bool = True
    notch: float = 3.5
    mono: bool = False
    whole: bool = False
    small: bool = True
    ticks: list[Tick] | None = None

    def set_ticks(self, places: Iterable[float], words: Iterable[str] | None = None) -> None:
        """Write words, or the numbers themselves, at given places."""
        places = [float(place) for place in places]
        words = written(places) if words is None else words
        self.ticks = list(zip(places, words, strict=True))

    def json(self) -> dict[str, Any]:
        """Return the axis as plain values, with its numbers."""
        low, high = map(float, self.lim)
        most = int(min(MOST, max(1, self.length / (self.size * self.room))))
        ticks = self.ticks
        if ticks is None:
            ticks = log_ticks(low, high) if self.log else round_ticks(low, high, most, self.whole)
        small = small_log_ticks(low, high) if self.log and self.small and self.ticks is None else []
        look = dict(label=self.label, labelSize=self.label_size, size=self.size, notch=self.notch, mono=self.mono)
        return (
            dict(lim=[low, high], log=self.log, ticks=[list(tick) for tick in ticks], small=small, grid=self.grid)
            | look
        )


class Panel:
    """Axes that remember what is drawn on them, lowest first."""

    transAxes = PANEL

    def __init__(self, box: tuple[float, float, float, float]):
        self.box = box  # left, bottom, width and height in points
        self.xaxis = Axis(box[2], WIDE)
        self.yaxis = Axis(box[3], TALL)
        self.title = ""
        self.title_size = FONT + 1
        self.is_equal = False
        self.frame = True
        self.shown = True
        self.marks: list[Mark] = []
        self.key: dict[str, Any] | None = None
        self._labelled: list[Mark] = []

    # ------------------------------------------------------------------------------------- what stands around it

    def set(self, **what) -> None:
        """Set ends, names, scales, title or aspect: `set(xlim=(0, 1), ylabel="ε")`."""
        for name, value in what.items():
            getattr(self, f"set_{name}")(value)

    def set_xlim(self, lim: Sequence[float]) -> None:
        """Set both ends of the horizontal axis."""
        self.xaxis.lim = tuple(lim)

    def set_ylim(self, lim: Sequence[float]) -> None:
        """Set both ends of the vertical axis."""
        self.yaxis.lim = tuple(lim)

    def set_xlabel(self, label: str, fontsize: float = FONT) -> None:
        """Name the horizontal axis."""
        self.xaxis.label, self.xaxis.label_size = label, fontsize

    def set_ylabel(self, label: str, fontsize: float = FONT) -> None:
        """Name the vertical axis."""
        self.yaxis.label, self.yaxis.label_size = label, fontsize

    def set_xscale(self, scale: str) -> None:
        """Make the horizontal axis "linear" or "log"."""
        self.xaxis.log = scale == "log"

    def set_yscale(self, scale: str) -> None:
        """Make the vertical axis "linear" or "log"."""
        self.yaxis.log = scale == "log"

    def set_xticks(
        self, places: Iterable[float], words: Iterable[str] | None = None, fontsize: float = FONT - 2
    ) -> None:
        """Write words at places along the horizontal axis."""
        self.xaxis.set_ticks(places, words)
        self.xaxis.size = fontsize

    def set_yticks(
        self, places: Iterable[float], words: Iterable[str] | None = None, fontsize: float = FONT - 2
    ) -> None:
        """Write words at places along the vertical axis."""
        self.yaxis.set_ticks(places, words)
        self.yaxis.size = fontsize

    def set_title(self, words: str, loc: str = "left", fontsize: float = FONT) -> None:
        """Write a title over the left end."""
        self.title, self.title_size = words, fontsize

    def set_aspect(self, aspect: str) -> None:
        """Make both units equally long."""
        self.is_equal = aspect == "equal"

    def set_axis_off(self) -> None:
        """Show no axes at all."""
        self.shown = False

    def bare(self) -> None:
        """Take away what belongs to a diagram of numbers: the grid, the frame and the ticks' little lines."""
        self.frame = False
        for axis in (self.xaxis, self.yaxis):
            axis.grid, axis.notch = False, 0

    def grid(self, axis: str, visible: bool) -> None:
        """Show or hide the lines across the panel at the numbers of an axis, "x" or "y"."""
        getattr(self, f"{axis}axis").grid = visible

    # ----------------------------------------------------------------------------------------------- what is on it

    def plot(self, x, y, fmt: str = "", **look) -> None:
        """Draw a line, markers, or both: `plot(x, y, "o", ms=6)` draws only markers."""
        look = _long(look)
        marker = look.pop("marker", None) or next((letter for letter in fmt if letter in MARKERS), None)
        dashes = look.pop("linestyle", "none" if fmt in [*MARKERS] and fmt else fmt.strip(MARKERS) or "-")
        places = dict(x=_numbers(x), y=_numbers(y))
        label = look.pop("label", None)
        drawn = []
        if dashes != "none":
            drawn.append(places | _line(dashes, **look))
        if marker:
            drawn.append(places | _dots(marker, **look))
        self._add(*drawn, label=label)

    def scatter(self, x, y, s=36, marker: str = "o", zorder: float = BELOW, color: str = COLOURS[0]) -> None:
        """Draw markers, each of its own area `s`."""
        sizes = _numbers(np.sqrt(s))
        self._add(
            dict(x=_numbers(x), y=_numbers(y)) | _dots(marker, color=color, zorder=zorder, markersize=sizes, rim=0)
        )

    def lines(self, ways: Iterable, color: str, linewidth=1.5, linestyle="-", zorder: float = MIDDLE, capstyle="butt"):
        """Draw many lines of one colour, each a list of points; they may differ in width."""
        ways = [[_numbers(column) for column in np.transpose(np.asarray(way, dtype=float))] for way in ways]
        widths = np.broadcast_to(np.asarray(linewidth, dtype=float), (len(ways),))
        for (x, y), width in zip(ways, widths.tolist(), strict=True):
            self._add(dict(x=x, y=y) | _line(linestyle, color=color, linewidth=width, zorder=zorder, cap=capstyle))

    def axvline(self, x: float, ymax: float = 1, zorder: float = MIDDLE, **look) -> None:
        """Draw a vertical line across the panel, or only up to a part of its height."""
        self._rule(dict(at=_number(x), upright=True, to=ymax), look, zorder)

    def axhline(self, y: float, zorder: float = MIDDLE, **look) -> None:
        """Draw a horizontal line across the panel."""
        self._rule(dict(at=_number(y), upright=False, to=1), look, zorder)

    def _rule(self, place: Mark, look: dict, zorder: float) -> None:
        look = _long(look)
        label = look.pop("label", None)
        line = _line(look.pop("linestyle", "-"), zorder=zorder, **look)
        self._add(line | place | dict(kind="rule"), label=label)

    def bar(self, x, height, width: float = 0.8, bottom=0, **look) -> None:
        """Draw upright bars around the places x."""
        x, height, bottom = np.broadcast_arrays(*map(_array, (x, height, bottom)))
        self._boxes(x - width / 2, bottom, np.full(x.shape, width), height, look)

    def barh(self, y, width, height: float = 0.8, left=0, **look) -> None:
        """Draw lying bars around the places y."""
        y, width, left = np.broadcast_arrays(*map(_array, (y, width, left)))
        self._boxes(left, y - height / 2, width, np.full(y.shape, height), look)

    def _boxes(self, left, bottom, width, height, look: dict) -> None:
        """Keep rectangles, each with its own look where lists are given."""
        look = _long(look)
        label = look.pop("label", None)
        corners = zip(*map(np.ravel, (left, bottom, left + width, bottom + height)), strict=True)
        drawn = []
        for i, (x0, y0, x1, y1) in enumerate(corners):
            own = {name: value[i] if isinstance(value, list) else value for name, value in look.items()}
            drawn.append(_area([x0, x1, x1, x0], [y0, y0, y1, y1], **own))
        self._add(*drawn, label=label)

    def fill(self, x, y, **look) -> None:
        """Draw a polygon."""
        look = _long(look)
        label = look.pop("label", None)
        self._add(_area(x, y, **look), label=label)

    def fill_between(self, x, y, **look) -> None:
        """Fill what lies between a line and zero."""
        x, y = map(_array, (x, y))
        self.fill([x[0], *x, x[-1]], [0, *y, 0], **look)

    def text(self, x: float, y: float, s: str, transform: str = "data", **look) -> None:
        """Write words at a point of the axes, or with `transform=ax.transAxes` at a part of the panel."""
        self._add(_words(s, x, y, of=transform, **look))

    def annotate(self, s: str, xy: Sequence[float], xytext: Sequence[float], **look) -> None:
        """Write words beside a point, so many printer's points to the right of it and above it."""
        right, up = xytext
        self._add(_words(s, *xy, right=right, up=up, **look))

    def arrow(self, start, end, bend: float = 0, gaps=(0, 0), head: float = 12, zorder: float = BELOW, **look) -> None:
        """Draw an arrow that bends to a side, and leaves gaps of so many points at its ends."""
        line = _line(look.pop("linestyle", "-"), zorder=zorder, **_long(look))
        way = dict(start=_numbers(start), end=_numbers(end), bend=bend, gaps=list(gaps), head=head)
        self._add(line | way | dict(kind="arrow"))

    def legend(self, loc: str = "upper right", fontsize: float = FONT - 1, ncols: int = 1, **more) -> None:
        """Name what has a label; `bbox_to_anchor` moves the legend's corner to a part of the panel."""
        spaces = dict(handlelength=2.0, handletextpad=0.8, columnspacing=2.0, borderpad=0.4) | {"frameon": True} | more
        self.key = dict(loc=loc, size=fontsize, columns=ncols, at=more.get("bbox_to_anchor")) | {
            "frame": spaces["frameon"], "handle": spaces["handlelength"], "pad": spaces["handletextpad"],
            "gap": spaces["columnspacing"], "border": spaces["borderpad"],
        }  # fmt: skip

    def _add(self, *marks: Mark, label: str | None = None) -> None:
        self.marks += marks
        if label is not None and marks:
            names = ("kind", "color", "width", "dash", "shape", "size", "fill", "edge", "rim", "hatch", "alpha")
            looks = [{name: mark[name] for name in names if name in mark} for mark in marks[:2]]
            looks = looks[:1] if looks[0]["kind"] == "area" else looks
            self._labelled.append(dict(words=label, looks=looks))

    # ------------------------------------------------------------------------------------------------ plain values

    def place(self) -> tuple[float, float, float, float]:
        """Return left, bottom, width and height in points, with equal units if they are asked for."""
        left, bottom, width, height = self.box
        if not self.is_equal:
            return self.box
        across = abs(self.xaxis.lim[1] - self.xaxis.lim[0])
        up = abs(self.yaxis.lim[1] - self.yaxis.lim[0])
        unit = min(width / across, height / up)
        return left + (width - unit * across) / 2, bottom + (height - unit * up) / 2, unit * across, unit * up

    def json(self) -> dict[str, Any]:
        """Return the panel as plain values."""
        place = [round(part, 2) for part in self.place()]
        around = dict(box=place, shown=self.shown, frame=self.frame, title=self.title, titleSize=self.title_size)
        key = dict(self.key, entries=self._labelled) if self.key else None
        marks = sorted(self.marks, key=lambda mark: mark["z"])
        return around | dict(x=self.xaxis.json(), y=self.yaxis.json(), marks=marks, key=key)

    def parts_of(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point lies, in parts of the panel from its lower left corner."""
        return _part(self.xaxis, x), _part(self.yaxis, y)


@dataclass
class Sheet:
    """Panels on a paper of so many inches."""

    size: tuple[float, float]
    panels: list[Panel] = field(default_factory=list)

    def add(self, left: float, bottom: float, width: float, height: float) -> Panel:
        """Add a panel, placed in parts of the paper."""
        across, up = self.points
        panel = Panel((left * across, bottom * up, width * across, height * up))
        self.panels.append(panel)
        return panel

    @property
    def points(self) -> tuple[float, float]:
        """Width and height in points."""
        return self.size[0] * POINTS, self.size[1] * POINTS

    def json(self) -> dict[str, Any]:
        """Return the sheet as plain values."""
        return dict(size=list(self.points), panels=[panel.json() for panel in self.panels])


# -------------------------------------------------------------------------------------------------- looks of marks


def _line(linestyle, color=COLOURS[0], linewidth=1.5, zorder=MIDDLE, alpha=1, cap="butt", clip_on=True, **_) -> Mark:
    dashes = DASHES[linestyle] if isinstance(linestyle, str) else linestyle[1]
    dash = [round(part * linewidth, 2) for part in dashes]
    return dict(
        kind="line", color=_colour(color), width=linewidth, dash=dash, cap=cap, alpha=alpha, z=zorder, clip=clip_on
    )


def _dots(
    marker, color=COLOURS[0], markersize=6, facecolor=None, edgecolor=None, rim=1, zorder=MIDDLE, clip_on=True, **_
):
    """Return the look of markers, whose size is their diameter in points; a dot is half as large."""
    shape, size = ("o", markersize / 2) if marker == "." else (marker, markersize)
    fill, edge = _colour(facecolor or color), _colour(edgecolor or color)
    return dict(kind="dots", shape=shape, size=size, fill=fill, edge=edge, rim=rim, z=zorder, clip=clip_on)


def _area(
    x, y, color=None, facecolor=COLOURS[0], edgecolor=None, linewidth=1, hatch="", linestyle="-", zorder=BELOW
) -> Mark:
    rim = linewidth if edgecolor not in (None, "none") else 0
    edge = _colour(edgecolor or "none")
    dash = [round(part * linewidth, 2) for part in DASHES[linestyle]]
    look = dict(fill=_colour(color or facecolor), edge=edge, rim=rim, hatch=hatch, dash=dash)
    return dict(kind="area", x=_numbers(x), y=_numbers(y), z=zorder, clip=True) | look


def _words(
    s, x, y, of="data", right=0, up=0, fontsize=FONT, color="black", ha="left", va="baseline", rotation=0,
    fontweight="normal", fontfamily="", bbox=None, zorder=ABOVE,
) -> Mark:  # fmt: skip
    look = dict(size=fontsize, color=_colour(color), ha=ha, va=va, turn=rotation, bold=fontweight == "bold")
    box = _box(bbox) if bbox else None
    place = dict(x=_number(x), y=_number(y), of=of, right=right, up=up)
    return dict(kind="text", words=s, mono=fontfamily == "monospace", box=box, z=zorder) | place | look


def _box(look: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands behind words; `pad` is in points, that of a `boxstyle` in heights of the letters."""
    shape, _, pad = look.get("boxstyle", "").partition(",pad=")
    edge = _colour(look.get("edgecolor", "none"))
    return dict(
        fill=_colour(look["facecolor"]),
        edge=edge,
        rim=look.get("linewidth", 1) if edge != "none" else 0,
        pad=look.get("pad", 0),
        relative=float(pad or 0),
        round=shape == "round",
    )


def _long(look: Mapping[str, Any]) -> dict[str, Any]:
    """Return a look with the long names of its parts."""
    return {SHORT.get(name, name): value for name, value in look.items()}


def _colour(name: str) -> str:
    """Return a colour as both painters know it: a name, a grey from "0" (ink) to "1" (paper), or #rrggbb(aa)."""
    return {"black": "0", "white": "1"}.get(name, name.lower())


# ---------------------------------------------------------------------------------------------------------- numbers


def _array(values) -> np.ndarray:
    return np.atleast_1d(np.asarray(values, dtype=float))


def _number(value: float) -> float | None:
    """Return a number that can be drawn, with as many digits as can be seen; None for one that cannot."""
    value = float(value)
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _numbers(values) -> list[float | None]:
    return [_number(value) for value in _array(values).ravel().tolist()]


def _part(axis: Axis, value: float) -> float:
    low, high = axis.lim
    if axis.log:
        low, high, value = map(math.log10, (low, high, value))
    return (value - low) / (high - low)
