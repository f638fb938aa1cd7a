"""Paint a sheet with matplotlib, for pages on which nothing is alive."""

from __future__ import annotations

import textwrap
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Polygon
from PIL import Image

from ...figures.style import DPI, FONT
from .sheet import PANEL, POINTS, Mark

LETTERS = 11  # of a caption, in an inch
LINE_HEIGHT = 0.23  # inches
WARNING = "#fdecc8"  # the background of a message, as in the style sheet


def png(sheet: dict[str, Any], words: str, impossible: bool = False) -> bytes:
    """Return an image file of a sheet with words written under it."""
    picture = np.concatenate([pixels(sheet), _strip(words, sheet["size"][0], WARNING if impossible else "white")])
    buffer = BytesIO()
    Image.fromarray(picture).save(buffer, "png", compress_level=9)
    return buffer.getvalue()


def pixels(sheet: dict[str, Any]) -> np.ndarray:
    """Return a sheet as it is seen, row by row."""
    return _rgb(figure_of(sheet))


def figure_of(sheet: dict[str, Any]) -> Figure:
    """Return a sheet as a figure."""
    width, height = sheet["size"]
    figure = Figure(figsize=(width / POINTS, height / POINTS), dpi=DPI)
    for panel in sheet["panels"]:
        left, bottom, across, up = panel["box"]
        ax = figure.add_axes([left / width, bottom / height, across / width, up / height])
        _frame(ax, panel)
        for mark in panel["marks"]:
            PAINTERS[mark["kind"]](ax, mark)
        if panel["key"]:
            _legend(ax, panel["key"])
    return figure


def _strip(words: str, points: float, background: str) -> np.ndarray:
    """Return the strip of paper under a picture, with the caption on it."""
    width = points / POINTS
    lines = [line for part in words.splitlines() for line in textwrap.wrap(part, int(width * LETTERS))]
    height = LINE_HEIGHT * len(lines) + 0.2
    strip = Figure(figsize=(width, height), dpi=DPI, facecolor=background)
    strip.text(0.1 / width, 1 - 0.08 / height, "\n".join(lines), fontsize=FONT - 2, va="top", linespacing=1.35)
    return _rgb(strip)


def _rgb(figure: Figure) -> np.ndarray:
    agg = FigureCanvasAgg(figure)
    agg.draw()
    return np.asarray(agg.buffer_rgba())[..., :3]  # without the transparency


# --------------------------------------------------------------------------------------------- what stands around


def _frame(ax: Axes, panel: dict[str, Any]) -> None:
    ax.set_title(panel["title"], loc="left", fontsize=panel["titleSize"])
    _axis(ax, ax.xaxis, panel["x"], "x")
    _axis(ax, ax.yaxis, panel["y"], "y")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    if not panel["frame"]:
        ax.spines[:].set_visible(False)
    if not panel["shown"]:
        ax.set_axis_off()


def _axis(ax: Axes, axis: Axis, told: dict[str, Any], name: str) -> None:
    ax.set(**{f"{name}scale": "log" if told["log"] else "linear", f"{name}lim": told["lim"]})
    places = [place for place, _ in told["ticks"]]
    axis.set_ticks(places, [words for _, words in told["ticks"]])
    axis.set_ticks(told["small"], minor=True)
    axis.minorticks_off() if not told["small"] else None
    family = {"labelfontfamily": "monospace"} if told["mono"] else {}
    ax.tick_params(axis=name, labelsize=told["size"], length=told["notch"], **family)
    axis.set_label_text(told["label"], fontsize=told["labelSize"])
    if told["grid"]:
        ax.grid(axis=name, color="0.9", linewidth=0.8)


def _legend(ax: Axes, key: dict[str, Any]) -> None:
    handles = [_handle(entry["looks"]) for entry in key["entries"]]
    spaces = dict(
        handlelength=key["handle"], handletextpad=key["pad"], columnspacing=key["gap"], borderpad=key["border"]
    )
    at = {"bbox_to_anchor": key["at"]} if key["at"] else {}
    names = [entry["words"] for entry in key["entries"]]
    look = dict(loc=key["loc"], fontsize=key["size"], ncols=key["columns"], frameon=key["frame"])
    ax.legend(handles, names, **look, **spaces, **at)


def _handle(looks: list[Mark]) -> Line2D | Patch:
    """Return what stands before a name in the legend: a patch, or a line with its marker."""
    if looks[0]["kind"] == "area":
        look = looks[0]
        return Patch(facecolor=look["fill"], edgecolor=look["edge"], hatch=look["hatch"], linewidth=look["rim"])
    handle = Line2D([], [], linestyle="none")
    for look in looks:
        if look["kind"] == "dots":
            marker = dict(marker=look["shape"], markersize=look["size"], markerfacecolor=look["fill"])
            handle.set(**marker, markeredgecolor=look["edge"], markeredgewidth=look["rim"])
        else:
            handle.set(color=look["color"], linewidth=look["width"], linestyle=_dashes(look))
    return handle


# ---------------------------------------------------------------------------------------------------------- marks


def _dashes(mark: Mark):
    """Return dashes in widths of the line, as matplotlib counts them."""
    return (0, [part / mark["width"] for part in mark["dash"]]) if mark["dash"] else "-"


def _values(numbers: list) -> list[float]:
    return [np.nan if number is None else number for number in numbers]


def _line(ax: Axes, mark: Mark) -> None:
    look = dict(color=mark["color"], linewidth=mark["width"], linestyle=_dashes(mark), alpha=mark["alpha"])
    cap = dict(solid_capstyle=mark["cap"]) if mark["cap"] != "butt" else {}
    ax.plot(_values(mark["x"]), _values(mark["y"]), zorder=mark["z"], clip_on=mark["clip"], **look, **cap)


def _dots(ax: Axes, mark: Mark) -> None:
    sizes = np.broadcast_to(mark["size"], (len(mark["x"]),))
    look = dict(marker=mark["shape"], facecolors=mark["fill"], edgecolors=mark["edge"], linewidths=mark["rim"])
    ax.scatter(_values(mark["x"]), _values(mark["y"]), s=sizes**2, zorder=mark["z"], clip_on=mark["clip"], **look)


def _area(ax: Axes, mark: Mark) -> None:
    corners = np.column_stack([_values(mark["x"]), _values(mark["y"])])
    dashes = (0, mark["dash"]) if mark["dash"] else "-"
    look = dict(facecolor=mark["fill"], edgecolor=mark["edge"], linewidth=mark["rim"], hatch=mark["hatch"] or None)
    ax.add_patch(Polygon(corners, zorder=mark["z"], linestyle=dashes, **look))


def _rule(ax: Axes, mark: Mark) -> None:
    look = dict(color=mark["color"], linewidth=mark["width"], linestyle=_dashes(mark), zorder=mark["z"])
    if mark["upright"]:
        ax.axvline(mark["at"], ymax=mark["to"], **look)
    else:
        ax.axhline(mark["at"], **look)


def _text(ax: Axes, mark: Mark) -> None:
    look = dict(fontsize=mark["size"], color=mark["color"], ha=mark["ha"], va=mark["va"], rotation=mark["turn"])
    look |= dict(fontweight="bold" if mark["bold"] else "normal", zorder=mark["z"], bbox=_box(mark))
    look |= dict(fontfamily="monospace") if mark["mono"] else {}
    units = "axes fraction" if mark["of"] == PANEL else "data"
    offset = (mark["right"], mark["up"])
    place = (mark["x"], mark["y"])
    ax.annotate(mark["words"], place, offset, units, "offset points", annotation_clip=False, **look)


def _box(mark: Mark) -> dict[str, Any] | None:
    box = mark["box"]
    if box is None:
        return None
    pad = box["relative"] or box["pad"] / mark["size"]
    style = f"{'round' if box['round'] else 'square'},pad={pad}"
    return dict(boxstyle=style, facecolor=box["fill"], edgecolor=box["edge"], linewidth=box["rim"])


def _arrow(ax: Axes, mark: Mark) -> None:
    look = dict(color=mark["color"], linewidth=mark["width"], linestyle="--" if mark["dash"] else "-")
    shrink = dict(zip(("shrinkA", "shrinkB"), mark["gaps"], strict=True))
    bend = f"arc3,rad={mark['bend']}"
    arrow = FancyArrowPatch(
        mark["start"],
        mark["end"],
        connectionstyle=bend,
        arrowstyle="-|>",
        mutation_scale=mark["head"],
        **shrink,
        **look,
    )
    arrow.set_zorder(mark["z"])
    ax.add_patch(arrow)


PAINTERS = dict(line=_line, dots=_dots, area=_area, rule=_rule, text=_text, arrow=_arrow)
