"""Explorer: the graph of databases, in which privacy is a distance."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ... import checks
from ...figures.style import COLOURS, FONT
from ..base.axes import two_panels
from ..base.bars import label
from ..base.clickable import Clickable, Spot
from ..base.controls import choice
from ..base.sheet import Sheet
from ..base.words import counted, listed
from .small_classes import CLASSES

GRANULARITIES = dict.fromkeys(name for small in CLASSES.values() for name in small.granularities)  # each once
NAMES = dict.fromkeys(name for small in CLASSES.values() for name in small.names)
FIRST = next(iter(CLASSES.values())).first
BALL = 0.15  # the size of a spot
START = COLOURS[6]
GOAL = COLOURS[5]
PATH = COLOURS[0]
GREY = "0.45"
ON_COLOUR = "#111111"  # words that are black in every theme
INK = "#00507d"
LEGEND = "square: from; diamond: to; small numbers: steps from the square"


class DatabaseGraph(Clickable):
    """Which databases are neighbours, and how many steps are two of them apart?

    Click a database: the last two that were clicked are compared.
    """

    controls: ClassVar = dict(
        world=choice(CLASSES, label="class"),
        granularity=choice(GRANULARITIES, FIRST["granularity"], "granularity"),
        start=choice(NAMES, FIRST["start"], "from"),
        goal=choice(NAMES, FIRST["goal"], "to"),
    )
    presets: ClassVar = {
        "unbounded: a change is two steps": dict(),
        "bounded: no way to other sizes": dict(granularity="bounded", start="{}", goal="{a}"),
        "fixed size: nothing is promised": dict(
            world="multisets, exactly 2 of a, b, c", granularity="unbounded", start="{a,a}", goal="{c,c}"
        ),
        "free lunch: all are neighbours": dict(granularity="free lunch", start="{}", goal="{b,b,b}"),
        "ordered rows: bounded is a cube": dict(
            world="tables, exactly 3 rows of a, b", granularity="bounded", start="(a,a,a)", goal="(b,b,b)"
        ),
        "edge privacy: one step an edge": dict(
            world="graphs inside a star of 4 rays", granularity="edge", start="{}", goal="{12,13,14,15}"
        ),
        "node privacy: a star in one step": dict(
            world="graphs inside a star of 4 rays", granularity="node", start="{}", goal="{12,13,14,15}"
        ),
        "event level: one step an event": dict(
            world="logs of Ann and Bob, 3 events each", granularity="event level", start="Ann 0, Bob 0",
            goal="Ann 3, Bob 3",
        ),
        "user level: one step a user": dict(
            world="logs of Ann and Bob, 3 events each", granularity="user level", start="Ann 0, Bob 0",
            goal="Ann 3, Bob 3",
        ),
    }  # fmt: skip
    hint = "databases: the last two that were clicked are compared"
    size = (9.0, 4.9)

    def __init__(self, preset: str | None = None, **settings):
        super().__init__(preset, **settings)
        self._first = self._fitted(self.settings, settings)
        self.settings = dict(self._first)

    def set(self, **settings) -> None:
        """Change settings, with one redraw; what does not exist in a new class becomes its first example."""
        self._put(self._fitted(self.settings | self._checked(settings), settings))

    def _fitted(self, settings: dict, asked: dict | tuple = ()) -> dict:
        """Return settings that exist in the class; refuse what was asked for and does not."""
        small = CLASSES[settings["world"]]
        fitted = dict(settings)
        for name, allowed in small.options.items():
            if name in asked:
                checks.choice(f"{name} in this class", settings[name], allowed)
            elif settings[name] not in allowed:
                fitted[name] = small.first[name]
        return fitted

    def _options(self) -> dict:
        """Offer only what exists in the class."""
        return {name: list(allowed) for name, allowed in CLASSES[self.settings["world"]].options.items()}

    # ------------------------------------------------------------------------------------------------- what is shown

    def blank(self) -> Sheet:
        margins = dict(left=0.01, right=0.965, bottom=0.12, top=0.91, wspace=0.36)
        sheet, left, right = two_panels(self.size, (2.5, 1), **margins)
        left.set_axis_off()
        left.set(xlim=(-0.13, 1.1), ylim=(-0.12, 1.15))
        left.text(-0.1, -0.19, LEGEND, fontsize=FONT - 2, color=INK)
        right.set_title("steps between the two", loc="left", fontsize=FONT)
        right.grid(axis="y", visible=False)
        right.xaxis.whole = True
        return sheet

    def numbers(self, world, granularity, start, goal):
        small = CLASSES[world]
        space = small.spaces[granularity]
        D = small.database(start)
        E = small.database(goal)
        return dict(
            small=small,
            step=space.granularity.step,
            distance=space.distance(D, E),
            path=[space.position(x) for x in space.shortest_path(D, E)],
            steps=space.matrix[space.position(D)],
            edges=space.edges,
            parts=len(space.components),
            others={name: other.distance(D, E) for name, other in small.spaces.items()},
        )

    def draw(self, axes, n):
        left, right = axes
        self._draw_edges(left, n)
        for i in range(len(n.small.names)):
            self._draw_database(left, n, i)
        if n.small.nodes:
            self._draw_graphs(left, n.small)
        left.text(-0.1, 1.18, f"{n.granularity}: {n.step}", fontsize=FONT)
        self._draw_bars(right, n)

    def _draw_edges(self, ax, n):
        arcs = n.small.arcs(n.granularity)
        ax.lines(arcs.values(), color="0.72", linewidth=1.1)
        walked = [arcs[min(step), max(step)] for step in pairwise(n.path)]
        ax.lines(walked, color=PATH, linewidth=5, capstyle="round")

    def _draw_database(self, ax, n, i):
        """Draw the i-th database: its letters in a shape, and the number of steps beside it."""
        x, y = n.small.places[i]
        reached = math.isfinite(n.steps[i])
        rim = dict(mec=PATH, mew=3) if i in n.path else dict(mec=GREY, mew=1.2)
        ax.plot(x, y, zorder=3, **self._shape(n, n.small.names[i], reached), **rim)
        ink = ON_COLOUR if n.small.names[i] in (n.start, n.goal) else "black"
        ax.text(x, y, n.small.texts[i], ha="center", va="center", fontsize=FONT - 1, color=ink, zorder=5)
        steps = f"{n.steps[i]:.0f}" if reached else "∞"
        box = dict(facecolor="white", edgecolor="none", pad=0.6)
        look = dict(ha="center", va="center", fontsize=FONT - 3, color=INK, zorder=5, bbox=box)
        ax.text(x + 0.056, y + 0.082, steps, **look)

    def _shape(self, n, name: str, reached: bool) -> dict:
        if name == n.start:
            return dict(marker="s", ms=33, color=START)
        if name == n.goal:
            return dict(marker="D", ms=28, color=GOAL)
        return dict(marker="o", ms=34, color="white" if reached else "0.9")

    def _draw_graphs(self, ax, small):
        """Draw each graph inside its circle."""
        spots = {v: small.places + np.multiply(place, (0.022, 0.036)) for v, place in small.nodes.items()}
        lines = []
        for i, graph in enumerate(small.cls):
            lines += [(spots[u][i], spots[v][i]) for u, v in graph]
        dots = np.concatenate(list(spots.values()))
        ax.lines(lines, color="black", linewidth=2, zorder=4)
        ax.plot(*dots.T, "o", ms=4.5, color="black", zorder=4)

    def _draw_bars(self, ax, n):
        for y, (name, distance) in enumerate(n.others.items()):
            is_shown = name == n.granularity
            length = distance if math.isfinite(distance) else 0
            look = dict(color=PATH) if is_shown else dict(color="white", hatch="//")
            weight = "bold" if is_shown else "normal"
            ax.barh(y, length, height=0.55, edgecolor=PATH, **look)
            ax.text(length + 0.1, y, show(distance), va="center", fontsize=FONT - 1, fontweight=weight)
        label(ax.yaxis, [name.replace(" ", "\n") for name in n.others])
        longest = max(4, *filter(math.isfinite, n.others.values()))
        ax.set(xlim=(0, longest + 1), ylim=(len(n.others) - 0.5, -0.5))

    def caption(self, n):
        elsewhere = {name: distance for name, distance in n.others.items() if name != n.granularity}
        joined = "all connected" if n.parts == 1 else f"in {n.parts} parts without a path between them"
        return (
            f"{self._promise(n)}\nClass: {n.world}; {len(n.small.cls)} databases, {joined}.\n"
            f"One step, {n.granularity}: {n.step}.{self._path(n)}\n"
            f"The same two elsewhere: {listed(elsewhere, show)}."
        )

    def _promise(self, n) -> str:
        two = f"{n.start} to {n.goal}"
        if not len(n.edges):
            return "No two databases are neighbours: every mechanism is ε-DP here, and the promise is worth nothing."
        if math.isinf(n.distance):
            return f"No path leads from {two}, so ε-DP promises nothing about them, whatever ε is."
        eps = "ε" if n.distance == 1 else f"{n.distance}ε"
        return f"From {two} it is {counted(n.distance, 'step')}, so ε-DP promises {eps} about them."

    def _path(self, n) -> str:
        path = " → ".join(n.small.names[i] for i in n.path)
        return f" A shortest path: {path}." if n.path else ""

    # ------------------------------------------------------------------------------------------------------- clicking

    def spots(self, n) -> list[Spot]:
        chosen = (n.start, n.goal)
        places = zip(n.small.names, n.small.places, strict=True)
        return [Spot(name, x, y, BALL, BALL, name in chosen) for name, (x, y) in places]

    def clicked(self, name):
        return dict(start=self.settings["goal"], goal=name)


def show(distance: float) -> str:
    """Return a distance, or that there is none."""
    return f"{distance}" if math.isfinite(distance) else "no path"
