"""Explorer: which part of the database is each mechanism given, and what do all of them together cost?"""

from __future__ import annotations

import math
from itertools import combinations
from typing import ClassVar

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedFormatter

from ..figures import COLOURS, FONT, panels
from ..granularity import Partition
from ..notions import THEOREMS
from .board import NAMES, STEPS, Words, composed, read_board, read_eps, shown_pair
from .clickable import Clickable, Spot
from .controls import choice, switch

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
        labels, levels = read_board(board), read_eps(eps)
        if (highest := max(map(max, filter(None, labels)), default=0)) > len(levels):
            raise ValueError(f"the board must name parts that have an ε, 1 to {len(levels)}, not {highest}")
        if change != WORST and (last := change[-1]) not in NAMES[: len(labels)]:
            raise ValueError(f"the step shown must be one of {', '.join(NAMES[: len(labels)])}, not of {last}")
        made = composed(step, common, labels, levels)
        space, family = made.space, made.maps
        pair = made.worst_pair(space) if change == WORST else shown_pair(STEPS[step][0], len(labels), change)
        shown = {} if pair is None else dict(
            touched=family.touched(*pair), loss=made.at(*pair), distance=space.distance(*pair),
            pair=[space.cls.label(D) for D in pair],
        )  # fmt: skip
        ordered, whole = sorted(levels), all(len(seen) == len(levels) for seen in labels)
        return dict(
            step=step, rows=STEPS[step][0] == "rows", common=common, labels=labels, levels=levels, change=change,
            most=family.most_touched(space)[0], partition=isinstance(family, Partition),
            theorem=THEOREMS["sequential"][0] if whole else made.theorem(space),
            final=float(made.level(space)), bounds=dict(sum=sum(levels), max=ordered[-1], pairs=sum(ordered[-2:])),
            neighbours=len(space.edges), **(dict(touched=[], loss=0, distance=0, pair=None) | shown),
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        self._draw_board(left, n)
        self._draw_bars(right, n)

    def _draw_board(self, ax, n):
        k, size = len(n.levels), len(n.labels)
        for i in range(1, k + 1):
            hit = i in n.touched
            ax.add_patch(Rectangle((i - 0.45, 0.5), 0.9, size, facecolor="#fbe3d1" if hit else "none",
                                   edgecolor=COLOURS[1] if hit else "0.75", hatch="/" if hit else "",
                                   linewidth=2.5 if hit else 1))  # fmt: skip
            ax.text(i, 0.36, f"{i}\nε = {n.levels[i - 1]}", ha="center", va="bottom", fontsize=FONT - 1,
                    fontweight="bold" if hit else "normal")  # fmt: skip
        for y, parts in enumerate(n.labels, 1):
            word = ("row " if n.rows else "") + NAMES[y - 1]
            ax.text(0.35, y, word, ha="right", va="center", fontsize=FONT + 1)
            for i in range(1, k + 1):
                ax.plot(i, y, "o", ms=17, zorder=3, color=COLOURS[0] if i in parts else "white", mec="0.4")
        ax.text(-0.6, size + 0.65, "\n".join(self._words(n)), va="top", fontsize=FONT - 2)
        ax.text(0.35, 0.4, "part", ha="right", va="bottom", fontsize=FONT - 1)
        ax.set(xlim=(-0.65, max(k, 4) + 0.6), ylim=(max(size, 3) + 1.6, -0.15))

    def _words(self, n) -> list[str]:
        if n.pair is None:
            return ["no two databases are neighbours"]
        return [f"{n.pair[0]} to {n.pair[1]}: {touches(n)}", verdict(n)]

    def _draw_bars(self, ax, n):
        rows = [("sum", n.bounds["sum"]), ("max", n.bounds["max"]), ("max over\npairs", n.bounds["pairs"])]
        rows.append((f"Theorem\n{n.theorem}", n.final))
        end = 1.9 * max([1, *(eps for _, eps in rows if math.isfinite(eps))])
        for y, (_, eps) in enumerate(rows):
            lie, last, length = eps < n.final, y == 3, eps if math.isfinite(eps) else 0
            colour = LIE if lie else COLOURS[0] if last else COLOURS[5]
            ax.barh(y, length, height=0.6, color="white" if lie else colour, edgecolor=colour, hatch="xxx" * lie)
            told = ("no ε at all" if math.isinf(eps) else in_units(eps, 4)) + "\n✗ too small" * lie
            looks = dict(color=LIE if lie else "black", fontweight="bold" if last or lie else "normal")
            ax.text(length + end / 40, y, told, va="center", fontsize=FONT - 2, zorder=4,
                    bbox=dict(facecolor="white", edgecolor="none", pad=1), **looks)  # fmt: skip
        if math.isfinite(n.final):
            ax.axvline(n.final, color="black", linestyle=":", linewidth=1.6)
        ax.set_yticks(range(len(rows)))
        ax.yaxis.set_major_formatter(FixedFormatter([name for name, _ in rows]))
        ax.set(xlim=(0, end), ylim=(len(rows) - 0.5, -0.5))

    def caption(self, n):
        what = "rows" if n.rows else "records"
        seen = "; ".join(f"{NAMES[i]} by {', '.join(map(str, sorted(p))) or 'none'}" for i, p in enumerate(n.labels))
        promise = "the whole database" if n.common else "the part that it is given"
        final = "no ε at all" if math.isinf(n.final) else f"ε = {in_units(n.final)}"
        bounds = ", ".join(f"{name} {eps}{' (too small)' * (eps < n.final)}" for name, eps in n.bounds.items())
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


# ------------------------------------------------------------------------------------------------------- what is said


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
