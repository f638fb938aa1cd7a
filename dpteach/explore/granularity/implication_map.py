"""Explorer: our map of the composition theorems of GMPS, every arrow of which runs."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from ...figures.style import COLOURS, FONT, panels
from ...notions.implications import NODES
from ..base.clickable import Clickable, Spot
from ..base.controls import choice, int_slider
from .theorem_map import BENT, FALSE, PLACES, RUNS, dot, ends_of, title, tried

FALSE_INK = "#a33c00"


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

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1.75, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.01, right=0.975, bottom=0.13, top=0.9, wspace=0.19)
        left.set_axis_off()
        left.set(xlim=(-0.8, 3.1), ylim=(-0.72, 2.3))
        left.text(-0.75, -0.7, "round: adaptive\nsquare: independent", fontsize=FONT - 2, va="bottom")
        for name in RUNS:
            draw_arrow(left, name)
        for name in PLACES:
            draw_theorem(left, name)
        for axis in (right.xaxis, right.yaxis):
            axis.label.set_fontsize(FONT)
        return figure

    def numbers(self, arrow, worlds, seed):
        return dict(arrow=arrow, seed=seed, false=arrow in FALSE) | tried(arrow, worlds, seed)

    def draw(self, axes, n):
        left, right = axes
        self._draw_map(left, n)
        self._draw_points(right, n)

    def _draw_map(self, ax, n):
        """Draw the chosen arrow over the map."""
        draw_arrow(ax, n.arrow, True)
        for name in ends_of(n.arrow):
            draw_theorem(ax, name, True)
        ax.text(-0.75, 2.42, title(n.arrow), fontsize=FONT)

    def _draw_points(self, ax, n):
        finite = [x for point in n.points for x in point if math.isfinite(x)]
        end = max(4, *finite)
        edge = 1.22 * end  # where infinity is drawn
        stated, given = np.array(list(n.points)).T
        size = 16 + 9 * np.log2(1 + np.array(list(n.points.values())))
        x = np.minimum(stated, edge)
        y = np.minimum(given, edge)
        over = given > stated
        ax.plot([0, edge], [0, edge], color="black", linestyle=":", linewidth=1.4)
        ax.scatter(x[~over], y[~over], s=size[~over], color=COLOURS[0], zorder=3)
        ax.scatter(x[over], y[over], s=2.5 * size[over], color=FALSE_INK, marker="X", zorder=3)
        if n.pair:
            best = np.minimum(n.at, edge)
            ax.plot(*best, "s", ms=15, color="none", mec="black", mew=2, zorder=4)
        self._draw_axes(ax, n, end, edge)

    def _draw_axes(self, ax, n, end, edge):
        """Number both axes alike, with infinity at the edge."""
        ticks = np.arange(0, end + 1, math.ceil(end / 4))
        names = [*(f"{t:g}" for t in ticks), "∞"]
        ax.set_xticks([*ticks, edge], names)
        ax.set_yticks([*ticks, edge], names)
        stated = "should be enough" if n.false else "the target states"
        given = "the mechanisms lose" if n.exact else "the source gives"
        ax.set(xlabel=f"{stated} (× ln 2)", ylabel=f"{given} (× ln 2)")
        ax.set(xlim=(-0.04 * edge, 1.06 * edge), ylim=(-0.04 * edge, 1.06 * edge))
        verdict = f"✗ fails in world {n.ran}" if n.refuted else f"holds in {counted(n.ran)}"
        ax.set_title(verdict, loc="left", fontsize=FONT)

    def caption(self, n):
        source, target = ends_of(n.arrow)
        names = " and ".join(f"{end} is {NODES[end].name}" for end in (source, target))
        return f"{title(n.arrow)}: {n.because}. Here {names}. {self._check(n)} Units of ln 2; seed {n.seed}."

    def _check(self, n) -> str:
        source, target = ends_of(n.arrow)
        pair = f"{n.pair}, where the mechanisms promise {n.eps}" if n.pair else ""
        if n.refuted:
            exact = "mechanisms that keep their promises lose" if n.exact else f"{source} gives"
            return (
                f"Refuted in random world {n.ran}: at {pair}, {exact} {show(n.at[1])}, "
                f"and {n.at[0]:g} would have to be enough."
            )
        ran = (
            f"In {counted(n.ran, 'random world')}, at {n.pairs} pairs of databases, {source} never gives more "
            f"than {target} states."
        )
        if not n.pair:
            return ran
        stated, given = n.at
        if stated == given:
            return f"{ran} Attained at {pair}: both say {stated:g}."
        return f"{ran} Closest at {pair}: {source} gives {given:g} and {target} states {stated:g}."

    # ------------------------------------------------------------------------------------------------------- clicking

    def spots(self, n) -> list[Spot]:
        return [Spot(title(name), *dot(name), 0.17, 0.17, name == n.arrow) for name in RUNS]

    def clicked(self, name):
        return dict(arrow=next(arrow for arrow in RUNS if title(arrow) == name))


def counted(number: int, what: str = "world") -> str:
    """Return a number of worlds in words."""
    return f"{number} {what}{'s' * (number > 1)}"


def show(x: float) -> str:
    """Return a number, or that there is none."""
    return f"{x:g}" if math.isfinite(x) else "nothing at all"


def draw_arrow(ax: Axes, name: str, chosen: bool = False) -> None:
    """Draw an arrow of the map with the dot at which it can be clicked."""
    source, target = ends_of(name)
    false = name in FALSE
    look = dict(color="#d9a07a" if false else "0.6", linewidth=1.3, mutation_scale=12, zorder=2)
    if chosen:
        look = dict(color=FALSE_INK if false else COLOURS[0], linewidth=4, mutation_scale=18, zorder=3)
    arrow = FancyArrowPatch(
        PLACES[source],
        PLACES[target],
        connectionstyle=f"arc3,rad={BENT.get((source, target), 0)}",
        arrowstyle="-|>",
        linestyle="--" if false else "-",
        shrinkA=15,
        shrinkB=16,
        **look,
    )
    ax.add_patch(arrow)
    shape = "X" if false else "o"
    ax.plot(*dot(name), shape, ms=9 if chosen else 6, color=look["color"], mec="white", mew=0.8, zorder=4)


def draw_theorem(ax: Axes, name: str, chosen: bool = False) -> None:
    """Draw a theorem of the map, round if it is adaptive."""
    box = dict(boxstyle="square,pad=0.3", facecolor="white", edgecolor="0.3", linewidth=1.1)
    if NODES[name].adaptive:
        box |= dict(boxstyle="round,pad=0.3", facecolor="#e3f1fa")
    if chosen:
        box |= dict(facecolor="#fff3c4", linewidth=2.5)
    ax.text(*PLACES[name], name, ha="center", va="center", fontsize=FONT - 2, bbox=box, zorder=5)
