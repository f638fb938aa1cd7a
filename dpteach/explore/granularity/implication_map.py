"""Explorer: our map of the composition theorems of GMPS, every arrow of which runs."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ...figures.style import COLOURS, FONT
from ...notions.implications import NODES
from ..base.axes import two_panels
from ..base.clickable import Clickable, Spot
from ..base.controls import choice, int_slider
from ..base.sheet import Panel, Sheet
from ..base.words import LIE_TEXT, counted, six_digits
from .theorem_map import BENT, FALSE, PLACES, RUNS, Comparison, dot, ends_of, in_two_lines, in_words, tried

INFINITY = 1.22  # where it is drawn, in units of the largest number


class ImplicationMap(Clickable):
    """Which composition theorem follows from which, and does the arrow hold on random small worlds?

    Click the dot of an arrow to run it.
    """

    controls: ClassVar = dict(
        arrow=choice(RUNS, "IV.11 ⇒ IV.13", "arrow"),
        worlds=int_slider(1, 25, 10, "random worlds"),
        seed=int_slider(0, 99, 0, "seed"),
    )
    presets: ClassVar = {
        "Corollary IV.13": dict(),
        "adaptive gives independent": dict(arrow="V.2 ⇒ IV.1"),
        "parallel from the best bound": dict(arrow="IV.6 ⇒ II.8"),
        "general from the common domain": dict(arrow="IV.11 ⇒ IV.1"),
        "false: parallel when bounded": dict(arrow="II.8 ⇏ IV.13"),
        "false: parallel, whole database": dict(arrow="II.8 ⇏ II.6"),
        "no arrow: IV.6 to IV.12": dict(arrow="IV.6 ⇏ IV.12"),
    }
    hint = "arrows of the map: the one that was clicked runs"
    size = (9.0, 5.0)

    def blank(self) -> Sheet:
        margins = dict(left=0.01, right=0.975, bottom=0.13, top=0.9, wspace=0.19)
        sheet, left, _ = two_panels(self.size, (1.75, 1), **margins)
        left.set_axis_off()
        left.set(xlim=(-0.8, 3.1), ylim=(-0.72, 2.3))
        left.text(-0.75, -0.7, "round: adaptive\nsquare: independent", fontsize=FONT - 2, va="bottom")
        for name in RUNS:
            draw_arrow(left, name)
        for name in PLACES:
            draw_theorem(left, name)
        return sheet

    def numbers(self, arrow, worlds, seed):
        return dict(false=arrow in FALSE) | vars(tried(arrow, worlds, seed))

    def idle(self, settings):
        at_once = tried(settings["arrow"], 1, settings["seed"]).refuted
        return {"worlds": "the first world refutes the arrow"} if at_once else {}

    def draw(self, axes, n):
        left, right = axes
        self._draw_map(left, n)
        self._draw_points(right, n)

    def _draw_map(self, ax, n):
        """Draw the chosen arrow over the map."""
        draw_arrow(ax, n.arrow, chosen=True)
        for name in ends_of(n.arrow):
            draw_theorem(ax, name, chosen=True)
        ax.text(-0.75, 2.36, in_two_lines(n.arrow), fontsize=FONT - 2, va="bottom")

    def _draw_points(self, ax, n):
        end = max(4, *(number for point in n.points for number in point if math.isfinite(number)))
        edge = INFINITY * end
        ax.plot([0, edge], [0, edge], color="black", linestyle=":", linewidth=1.4)
        kept = {(stated, given): times for (stated, given), times in n.points.items() if given <= stated}
        broken = {(stated, given): times for (stated, given), times in n.points.items() if given > stated}
        _scatter(ax, kept, edge, color=COLOURS[0])
        _scatter(ax, broken, edge, 2.5, color=LIE_TEXT, marker="X")
        if n.best is not None:
            at = np.minimum((n.best.stated, n.best.given), edge)
            ax.plot(*at, "s", ms=15, color="none", mec="black", mew=2, zorder=4)
        self._draw_axes(ax, n, end, edge)

    def _draw_axes(self, ax, n, end, edge):
        """Number both axes alike, with infinity at the edge."""
        ticks = np.arange(0, end + 1, math.ceil(end / 4))
        names = [*(f"{tick:g}" for tick in ticks), "∞"]
        ax.set_xticks([*ticks, edge], names)
        ax.set_yticks([*ticks, edge], names)
        stated = "should be enough" if n.false else "the target states"
        given = "the mechanisms lose" if n.exact else "the source gives"
        ax.set(xlabel=f"{stated} (× ln 2)", ylabel=f"{given} (× ln 2)")
        limits = (-0.04 * edge, 1.06 * edge)
        ax.set(xlim=limits, ylim=limits)
        verdict = f"✗ fails in world {n.ran}" if n.refuted else f"holds in {counted(n.ran, 'world')}"
        ax.set_title(verdict, loc="left", fontsize=FONT)

    def caption(self, n):
        worlds = counted(n.ran, "random world")
        seen = f"refuted in random world {n.ran}" if n.refuted else f"it holds in {worlds}"
        return f"{in_words(n.arrow)}: {seen}.\nBecause: {n.because}.\n{self._found(n)}\nUnits of ln 2; seed {n.seed}."

    def _found(self, n) -> str:
        """Say what the random worlds showed."""
        source, target = ends_of(n.arrow)
        if n.refuted:
            who = "mechanisms that keep their promises lose" if n.exact else f"{source} gives"
            return (
                f"Refuted in random world {n.ran}: at {_where(n.best)}, {who} {show(n.best.given)}, "
                f"and {six_digits(n.best.stated)} would have to be enough."
            )
        ran = (
            f"In {counted(n.ran, 'random world')}, at {n.points.total()} pairs of databases, {source} never gives more "
            f"than {target} states."
        )
        if n.best is None:
            return ran
        if n.best.stated == n.best.given:
            return f"{ran} Attained at {_where(n.best)}: both say {six_digits(n.best.stated)}."
        said = f"{source} gives {six_digits(n.best.given)} and {target} states {six_digits(n.best.stated)}"
        return f"{ran} Closest at {_where(n.best)}: {said}."

    # ------------------------------------------------------------------------------------------------------- clicking

    def spots(self, n) -> list[Spot]:
        return [Spot(in_words(name), *dot(name), 0.17, 0.17, name == n.arrow) for name in RUNS]

    def clicked(self, name):
        return dict(arrow=next(arrow for arrow in RUNS if in_words(arrow) == name))


def _where(best: Comparison) -> str:
    return f"{best.pair}, where the mechanisms promise {best.eps}"


def _scatter(ax: Panel, points: dict[tuple[float, float], int], edge: float, larger: float = 1, **look) -> None:
    """Draw points (stated, given), the larger the more often they were found."""
    if not points:
        return
    stated, given = np.minimum(list(points), edge).T
    often = np.array(list(points.values()))
    ax.scatter(stated, given, s=larger * (16 + 9 * np.log2(1 + often)), zorder=3, **look)


def show(x: float) -> str:
    """Return a number, or that there is none."""
    return six_digits(x) if math.isfinite(x) else "nothing at all"


def draw_arrow(ax: Panel, name: str, chosen: bool = False) -> None:
    """Draw an arrow of the map with the dot at which it can be clicked."""
    source, target = ends_of(name)
    false = name in FALSE
    look = dict(color="#d9a07a" if false else "0.6", linewidth=1.3, head=12, zorder=2)
    if chosen:
        look = dict(color=LIE_TEXT if false else COLOURS[0], linewidth=4, head=18, zorder=3)
    bend = BENT.get((source, target), 0)
    dashes = "--" if false else "-"
    ax.arrow(PLACES[source], PLACES[target], bend, gaps=(15, 16), linestyle=dashes, **look)
    shape = "X" if false else "o"
    ax.plot(*dot(name), shape, ms=9 if chosen else 6, color=look["color"], mec="white", mew=0.8, zorder=4)


def draw_theorem(ax: Panel, name: str, chosen: bool = False) -> None:
    """Draw a theorem of the map, round if it is adaptive."""
    box = dict(boxstyle="square,pad=0.3", facecolor="white", edgecolor="0.3", linewidth=1.1)
    if NODES[name].adaptive:
        box |= dict(boxstyle="round,pad=0.3", facecolor="#e3f1fa")
    if chosen:
        box |= dict(facecolor="#fff3c4", linewidth=2.5)
    ax.text(*PLACES[name], name, ha="center", va="center", fontsize=FONT - 2, bbox=box, zorder=5)
