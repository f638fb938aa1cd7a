"""Explorer: the graph of databases, in which privacy is a distance."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter

from ... import checks
from ...figures.style import COLOURS, FONT, panels
from ..base.clickable import Clickable, Spot
from ..base.controls import choice
from .small_classes import CLASSES, SmallClass

ALL_GRANULARITIES = tuple(dict.fromkeys(g for small in CLASSES.values() for g in small.granularities))
ALL_NAMES = tuple(dict.fromkeys(name for small in CLASSES.values() for name in small.names))
FIRST = next(iter(CLASSES.values()))
BALL = 0.15  # the size of a spot
START = COLOURS[6]
GOAL = COLOURS[5]
PATH = COLOURS[0]
GREY = "0.45"
INK = "#00507d"
LEGEND = "square: from; diamond: to; small numbers: steps from the square"


class DatabaseGraph(Clickable):
    """Which databases are neighbours, and how many steps are two of them apart?

    Click a database: the last two that were clicked are compared.
    """

    controls: ClassVar = dict(
        world=choice(CLASSES, label="class"),
        granularity=choice(ALL_GRANULARITIES, label="granularity"),
        start=choice(ALL_NAMES, FIRST.ends[0], "from"),
        goal=choice(ALL_NAMES, FIRST.ends[1], "to"),
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
        start, goal = small.ends
        examples = dict(granularity=next(iter(small.granularities)), start=start, goal=goal)
        fitted = dict(settings)
        for name, allowed in options(small).items():
            if name in asked:
                checks.choice(f"{name} in this class", settings[name], allowed)
            elif settings[name] not in allowed:
                fitted[name] = examples[name]
        return fitted

    # -------------------------------------------------------------------------------------- lists that follow the class

    @cached_property
    def _inputs(self):
        inputs = super()._inputs
        self._narrow(inputs, self.settings)
        return inputs

    def _narrow(self, inputs, settings) -> None:
        """Offer only what exists in the class."""
        self._held = True
        for name, allowed in options(CLASSES[settings["world"]]).items():
            if inputs[name].options != allowed:
                inputs[name].options = allowed
            inputs[name].value = settings[name]
        self._held = False

    def _put(self, settings) -> None:
        if "widget" in vars(self):
            self._narrow(self._inputs, self.settings | settings)
        super()._put(settings)

    def _moved(self, change) -> None:
        if not self._held:
            self._put(self._fitted({name: widget.value for name, widget in self._inputs.items()}))

    # ------------------------------------------------------------------------------------------------- what is shown

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(2.5, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.01, right=0.965, bottom=0.12, top=0.91, wspace=0.36)
        left.set_axis_off()
        left.set(xlim=(-0.13, 1.1), ylim=(-0.12, 1.15))
        left.text(-0.1, -0.19, LEGEND, fontsize=FONT - 2, color=INK)
        right.set_title("steps between the two", loc="left", fontsize=FONT)
        right.grid(axis="y", visible=False)
        right.xaxis.get_major_locator().set_params(integer=True)
        return figure

    def numbers(self, world, granularity, start, goal):
        small = CLASSES[world]
        space = small.spaces[granularity]
        D = small.database(start)
        E = small.database(goal)
        return dict(
            world=world,
            small=small,
            granularity=granularity,
            step=space.granularity.step,
            start=start,
            goal=goal,
            distance=space.distance(D, E),
            path=[space.position(x) for x in space.shortest_path(D, E)],
            steps=space.matrix[space.position(D)],
            edges=space.edges,
            parts=len(space.components),
            diameter=space.diameter,
            others={name: other.distance(D, E) for name, other in small.spaces.items()},
        )

    def draw(self, axes, n):
        left, right = axes
        self._draw_edges(left, n)
        self._draw_databases(left, n)
        left.text(-0.1, 1.18, f"{n.granularity}: {n.step}", fontsize=FONT)
        self._draw_bars(right, n)

    def _draw_edges(self, ax, n):
        arcs = n.small.arcs(n.granularity)
        ax.add_collection(LineCollection(list(arcs.values()), colors="0.72", linewidths=1.1))
        walked = [arcs[min(step), max(step)] for step in pairwise(n.path)]
        ax.add_collection(LineCollection(walked, colors=PATH, linewidths=5, capstyle="round"))

    def _draw_databases(self, ax, n):
        start = n.small.names.index(n.start)
        goal = n.small.names.index(n.goal)
        for i, (x, y) in enumerate(n.small.places):
            reached = math.isfinite(n.steps[i])
            look = dict(marker="o", ms=34, color="white" if reached else "0.9")
            if i == goal:
                look = dict(marker="D", ms=28, color=GOAL)
            if i == start:
                look = dict(marker="s", ms=33, color=START)
            rim = dict(mec=GREY, mew=1.2)
            if i in n.path:
                rim = dict(mec=PATH, mew=3)
            ax.plot(x, y, zorder=3, **look, **rim)
            ax.text(x, y, n.small.texts[i], ha="center", va="center", fontsize=FONT - 1, zorder=5)
            steps = f"{n.steps[i]:.0f}" if reached else "∞"
            self._draw_steps(ax, x, y, steps)
        if n.small.nodes:
            self._draw_graphs(ax, n.small)

    def _draw_steps(self, ax, x, y, steps):
        """Write the number of steps beside a database."""
        box = dict(facecolor="white", edgecolor="none", pad=0.6)
        look = dict(ha="center", va="center", fontsize=FONT - 3, color=INK, zorder=5, bbox=box)
        ax.text(x + 0.056, y + 0.082, steps, **look)

    def _draw_graphs(self, ax, small):
        """Draw each graph inside its circle."""
        spots = {v: small.places + np.multiply(place, (0.022, 0.036)) for v, place in small.nodes.items()}
        lines = [(spots[u][i], spots[v][i]) for i, D in enumerate(small.cls) for u, v in D]
        ax.add_collection(LineCollection(lines, colors="black", linewidths=2, zorder=4))
        ax.plot(*np.concatenate(list(spots.values())).T, "o", ms=4.5, color="black", zorder=4)

    def _draw_bars(self, ax, n):
        finite = [d for d in n.others.values() if math.isfinite(d)]
        for y, (name, d) in enumerate(n.others.items()):
            length = d if math.isfinite(d) else 0
            look = dict(color="white", hatch="//")
            weight = "normal"
            if name == n.granularity:
                look = dict(color=PATH)
                weight = "bold"
            ax.barh(y, length, height=0.55, edgecolor=PATH, **look)
            ax.text(length + 0.1, y, show(d), va="center", fontsize=FONT - 1, fontweight=weight)
        ax.set_yticks(range(len(n.others)))
        ax.yaxis.set_major_formatter(FixedFormatter([name.replace(" ", "\n") for name in n.others]))
        ax.set(xlim=(0, max(4, *finite) + 1), ylim=(len(n.others) - 0.5, -0.5))

    def caption(self, n):
        others = ", ".join(f"{name} {show(d)}" for name, d in n.others.items() if name != n.granularity)
        joined = "all connected" if n.parts == 1 else f"in {n.parts} parts without a path between them"
        return (
            f"Class: {n.world}; {len(n.small.cls)} databases, {joined}. One step, {n.granularity}: {n.step}. "
            f"{self._promise(n)} The same two elsewhere: {others}."
        )

    def _promise(self, n) -> str:
        two = f"{n.start} to {n.goal}"
        if not len(n.edges):
            return (
                f"No two databases are neighbours, so no path leads from {two}: every mechanism is ε-DP here, "
                f"and the promise is worth nothing."
            )
        if math.isinf(n.distance):
            return f"No path leads from {two}, so ε-DP promises nothing about them, whatever ε is."
        path = " → ".join(n.small.names[i] for i in n.path)
        steps = f"{n.distance} step{'s' * (n.distance != 1)}"
        promise = f"ε-DP promises {n.distance}ε about them" if n.distance != 1 else "ε-DP promises ε about them"
        return f"From {two} it is {steps}, so {promise}. A shortest path: {path}."

    # ------------------------------------------------------------------------------------------------------- clicking

    def spots(self, n) -> list[Spot]:
        chosen = (n.start, n.goal)
        places = zip(n.small.names, n.small.places, strict=True)
        return [Spot(name, x, y, BALL, BALL, name in chosen) for name, (x, y) in places]

    def clicked(self, name):
        return dict(start=self.settings["goal"], goal=name)


def options(small: SmallClass) -> dict[str, tuple[str, ...]]:
    """Return what can be chosen in a class."""
    return dict(granularity=tuple(small.granularities), start=tuple(small.names), goal=tuple(small.names))


def show(d: float) -> str:
    """Return a distance, or that there is none."""
    return f"{d}" if math.isfinite(d) else "no path"
