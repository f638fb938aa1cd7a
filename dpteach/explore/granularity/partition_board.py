"""Explorer: which part of the database is each mechanism given, and what do all of them together cost?"""

from __future__ import annotations

import math
from itertools import combinations
from typing import ClassVar

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedFormatter

from ...curve import VACUOUS
from ...figures.style import COLOURS, FONT, panels
from ...granularity import Partition
from ...notions import MetricPrivacy
from ...notions.composition import SEQUENTIAL
from ..base.clickable import Clickable, Spot
from ..base.controls import choice, switch
from .board import NAMES, STEPS, Words, composed, read_board, read_eps, shown_pair

WORST = "the worst step"
CHANGES = (WORST, *NAMES, *(f"{x}, {y}" for x, y in combinations(NAMES, 2)))
LIE = "#a33c00"


class PartitionBoard(Clickable):
    """Which parts does one step touch, and what does that make of the ε of all mechanisms?

    Click a square of the board to put the record into that part, or to take it out. In the line `board`, the n-th word
    lists the parts that see the n-th record: "1 2 13 -". In `eps` are the mechanisms' ε, in units of log 2.
    """

    controls: ClassVar = dict(
        step=choice(STEPS, "change a record", "one step is to"),
        common=switch(True, "common domain"),
        board=Words("1 2 3", "parts of a, b, c, ...", read_board),
        eps=Words("1 2 3", "their ε, in ln 2", read_eps),
        change=choice(CHANGES, label="show the step of"),
    )
    presets: ClassVar = {
        "Corollary IV.13: the two largest": dict(),
        "parallel: add or remove a record": dict(step="add or remove a record", common=False),
        "Example II.9: parallel fails": dict(common=False, board="1 2", eps="0 0"),
        "ambulances: 3 labels of k = 5": dict(
            step="add or remove a record", common=False, board="123 345 15 24 2", eps="1 1 1 1 1"
        ),
        "sequential: all see everything": dict(
            step="add or remove a record", common=False, board="123 123 123"
        ),
        "ordered rows: bounded, parallel": dict(
            step="change a row of a table", common=False, board="1 2 1", eps="1 2"
        ),
        "ordered rows: one is removed": dict(
            step="add or remove a row", common=False, board="1 2 1", eps="1 2"
        ),
        "one empty part": dict(board="1 1 1", eps="1 2"),
    }  # fmt: skip
    hint = "squares of the board: a record and a part that sees it or not"
    size = (9.0, 4.6)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1.15, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.01, right=0.975, bottom=0.14, top=0.9, wspace=0.42)
        left.set_axis_off()
        right.set_xlabel("final ε, in units of ln 2", fontsize=FONT)
        right.grid(axis="y", visible=False)
        right.xaxis.get_major_locator().set_params(integer=True)
        return figure

    def numbers(self, step, common, board, eps, change):
        labels = read_board(board)
        levels = read_eps(eps)
        self._check(labels, levels, change)
        promise = composed(step, common, labels, levels)
        family = promise.origin.maps
        kind, _ = STEPS[step]
        most, _ = family.most_touched(promise.space)
        pair = promise.worst_neighbours() if change == WORST else shown_pair(kind, len(labels), change)
        ordered = sorted(levels)
        whole = all(len(seen) == len(levels) for seen in labels)
        return dict(
            step=step,
            rows=kind == "rows",
            common=common,
            labels=labels,
            levels=levels,
            change=change,
            most=most,
            partition=isinstance(family, Partition),
            theorem=SEQUENTIAL.pure if whole else promise.theorem(),
            final=promise.level(),
            bounds=dict(sum=sum(levels), max=ordered[-1], pairs=sum(ordered[-2:])),
            **_shown(promise, pair),
        )

    def _check(self, labels, levels, change) -> None:
        """Refuse a board that names parts without an ε, or a step of a record that is not there."""
        highest = max((part for seen in labels for part in seen), default=0)
        if highest > len(levels):
            raise ValueError(f"the board must name parts that have an ε, 1 to {len(levels)}, not {highest}")
        names = NAMES[: len(labels)]
        if change != WORST and change[-1] not in names:
            raise ValueError(f"the step shown must be one of {', '.join(names)}, not of {change[-1]}")

    def draw(self, axes, n):
        left, right = axes
        self._draw_board(left, n)
        self._draw_bars(right, n)

    def _draw_board(self, ax, n):
        parts = range(1, len(n.levels) + 1)
        size = len(n.labels)
        for i in parts:
            self._draw_part(ax, n, i)
        for y, seen in enumerate(n.labels, 1):
            word = ("row " if n.rows else "") + NAMES[y - 1]
            ax.text(0.35, y, word, ha="right", va="center", fontsize=FONT + 1)
            for i in parts:
                ax.plot(i, y, "o", ms=17, zorder=3, color=COLOURS[0] if i in seen else "white", mec="0.4")
        ax.text(-0.6, size + 0.65, "\n".join(self._words(n)), va="top", fontsize=FONT - 2)
        ax.text(0.35, 0.4, "part", ha="right", va="bottom", fontsize=FONT - 1)
        ax.set(xlim=(-0.65, max(len(parts), 4) + 0.6), ylim=(max(size, 3) + 1.6, -0.15))

    def _draw_part(self, ax, n, i):
        """Draw the column of a part, shaded if the step touches it."""
        look = dict(facecolor="none", edgecolor="0.75", linewidth=1)
        weight = "normal"
        if i in n.touched:
            look = dict(facecolor="#fbe3d1", edgecolor=COLOURS[1], hatch="/", linewidth=2.5)
            weight = "bold"
        ax.add_patch(Rectangle((i - 0.45, 0.5), 0.9, len(n.labels), **look))
        head = f"{i}\nε = {n.levels[i - 1]}"
        ax.text(i, 0.36, head, ha="center", va="bottom", fontsize=FONT - 1, fontweight=weight)

    def _words(self, n) -> list[str]:
        if n.pair is None:
            return ["no two databases are neighbours"]
        return [f"{n.pair[0]} to {n.pair[1]}: {touches(n)}", verdict(n)]

    def _draw_bars(self, ax, n):
        bounds = {"sum": n.bounds["sum"], "max": n.bounds["max"], "max over\npairs": n.bounds["pairs"]}
        final = math.inf if n.final is VACUOUS else n.final
        finite = [eps for eps in (*bounds.values(), final) if math.isfinite(eps)]
        end = 1.9 * max(1, *finite)
        for y, eps in enumerate(bounds.values()):
            if too_small(eps, n):
                self._draw_bar(ax, y, eps, in_units(eps, 4) + "\n✗ too small", end, "lie")
            else:
                self._draw_bar(ax, y, eps, in_units(eps, 4), end, "bound")
        last = len(bounds)
        length = final if math.isfinite(final) else 0
        self._draw_bar(ax, last, length, final_text(n, 4), end, "final")
        if math.isfinite(final):
            ax.axvline(final, color="black", linestyle=":", linewidth=1.6)
        ax.set_yticks(range(last + 1))
        ax.yaxis.set_major_formatter(FixedFormatter([*bounds, f"Theorem\n{n.theorem}"]))
        ax.set(xlim=(0, end), ylim=(last + 0.5, -0.5))

    def _draw_bar(self, ax, y, length, text, end, role):
        """Draw a bar with its number: a bound, one that is too small, or the final promise."""
        colour = {"lie": LIE, "bound": COLOURS[5], "final": COLOURS[0]}[role]
        lie = role == "lie"
        ax.barh(y, length, height=0.6, color="white" if lie else colour, edgecolor=colour, hatch="xxx" if lie else "")
        look = dict(color=LIE if lie else "black", fontweight="normal" if role == "bound" else "bold")
        box = dict(facecolor="white", edgecolor="none", pad=1)
        ax.text(length + end / 40, y, text, va="center", fontsize=FONT - 2, zorder=4, bbox=box, **look)

    def caption(self, n):
        what = "rows" if n.rows else "records"
        seen = "; ".join(f"{NAMES[i]} by {', '.join(map(str, sorted(p))) or 'none'}" for i, p in enumerate(n.labels))
        promise = "the whole database" if n.common else "the part that it is given"
        final = final_text(n)
        if n.final is not VACUOUS and math.isfinite(n.final):
            final = f"ε = {final}"
        bounds = ", ".join(f"{name} {eps}{' (too small)' * too_small(eps, n)}" for name, eps in n.bounds.items())
        return (
            f"One step is to {n.step}. Parts that see the {what}: {seen}. Mechanism i promises "
            f"{', '.join(map(str, n.levels))} times ln 2 about {promise}. {self._told(n)} By Theorem {n.theorem}"
            f"{' (Corollary IV.13)' * corollary(n)} the final promise is {final}. In units of ln 2: "
            f"{bounds.replace('pairs', 'max over pairs')}."
        )

    def _told(self, n) -> str:
        if n.pair is None:
            return "No two databases are neighbours."
        steps = f"{n.distance} step{'s' * (n.distance != 1)}" if math.isfinite(n.distance) else "no path"
        loss = "nothing is promised" if math.isinf(n.loss) else f"{in_units(n.loss)} is promised"
        return f"From {n.pair[0]} to {n.pair[1]} ({steps}): {touches(n)}; {loss} there. {verdict(n).capitalize()}."

    # ------------------------------------------------------------------------------------------------------- clicking

    def spots(self, n) -> list[Spot]:
        kind = "row" if n.rows else "record"
        cells = [(y, i) for y in range(len(n.labels)) for i in range(1, len(n.levels) + 1)]
        return [Spot(f"{kind} {NAMES[y]}, part {i}", i, y + 1, 0.8, 0.8, i in n.labels[y]) for y, i in cells]

    def clicked(self, name):
        words, part = name.split(", part ")
        labels = [set(parts) for parts in read_board(self.settings["board"])]
        labels[NAMES.index(words[-1])] ^= {int(part)}
        return dict(board=" ".join("".join(map(str, sorted(parts))) or "-" for parts in labels))


def _shown(promise: MetricPrivacy, pair: tuple | None) -> dict:
    """Return what is shown of two databases; nothing, if there are none to show."""
    if pair is None:
        return dict(pair=None, touched=[], loss=VACUOUS, distance=VACUOUS)
    return dict(
        pair=[promise.cls.label(D) for D in pair],
        touched=promise.origin.maps.touched(*pair),
        loss=promise.at(*pair),
        distance=promise.space.distance(*pair),
    )


# ------------------------------------------------------------------------------------------------------- what is said


def too_small(eps: float, n) -> bool:
    """Say whether a bound is below the final promise; about nothing, none is."""
    return n.final is not VACUOUS and eps < n.final


def final_text(n, digits: int = 6) -> str:
    """Return the final promise: a number, none, or one that is about nothing."""
    if n.final is VACUOUS:
        return "vacuous"
    return "no ε at all" if math.isinf(n.final) else in_units(n.final, digits)


def touches(n) -> str:
    """Say which parts differ."""
    listed = " and ".join(map(str, n.touched))
    return f"touches part{'s' * (len(n.touched) > 1)} {listed}" if n.touched else "touches no part"


def verdict(n) -> str:
    """Say whether the parts are a partition that is compatible with the neighbours."""
    most = f"one step touches at most {n.most} part{'s' * (n.most != 1)}"
    kind = ("compatible" if n.most <= 1 else "not compatible") if n.partition else "parts overlap"
    return f"{kind}, {most}"


def corollary(n) -> bool:
    """Say whether it is the corollary about changed records of disjoint parts."""
    return n.common and n.partition and n.most == 2 and n.step == "change a record"


def in_units(eps: float, digits: int = 6) -> str:
    """Return an epsilon in units of log 2 and as a number."""
    return f"{eps:g} ln 2 = {eps * math.log(2):.{digits}g}"
