"""Explorer: which part of the database is each mechanism given, and what do all of them together cost?"""

from __future__ import annotations

import math
from itertools import combinations
from typing import ClassVar

from ...curve import VACUOUS
from ...figures.style import COLOURS, FONT
from ...granularity import Partition
from ...notions import MetricPrivacy
from ...notions.composition import SEQUENTIAL
from ..base.axes import two_panels
from ..base.bars import BEHIND, label
from ..base.clickable import Clickable, Spot
from ..base.controls import choice, switch, text_line
from ..base.sheet import Sheet
from ..base.words import LIE_TEXT, counted, six_digits, written
from .board import (
    ADD_RECORD,
    ADD_ROW,
    CHANGE_RECORD,
    CHANGE_ROW,
    NAMES,
    STEPS,
    Labels,
    composed,
    parts_of,
    read_board,
    read_eps,
    shown_pair,
    write_board,
)

WORST = "the worst step"
TWO_NAMES = [f"{x}, {y}" for x, y in combinations(NAMES, 2)]
CHANGES = (WORST, *NAMES, *TWO_NAMES)
BOUNDS = {"sum": "sum", "max": "max", "pairs": "max over\npairs"}  # and their names in the picture


class PartitionBoard(Clickable):
    """Which parts does one step touch, and what does that make of the ε of all mechanisms?

    Click a square of the board to put the record into that part, or to take it out. In the line `board`, the n-th word
    lists the parts that see the n-th record: "1 2 13 -". In `eps` are the mechanisms' ε, in units of log 2.
    """

    controls: ClassVar = dict(
        step=choice(STEPS, CHANGE_RECORD, "one step is to"),
        common=switch(True, "common domain"),
        board=text_line("1 2 3", "parts of a, b, c, ...", read_board),
        eps=text_line("1 2 3", "their ε, in ln 2", read_eps),
        change=choice(CHANGES, label="show the step of"),
    )
    presets: ClassVar = {
        "Corollary IV.13: the two largest": dict(),
        "parallel: add or remove a record": dict(step=ADD_RECORD, common=False),
        "Example II.9: parallel fails": dict(common=False, board="1 2", eps="0 0"),
        "ambulances: 3 labels of k = 5": dict(
            step=ADD_RECORD, common=False, board="123 345 15 24 2", eps="1 1 1 1 1"
        ),
        "sequential: all see everything": dict(
            step=ADD_RECORD, common=False, board="123 123 123"
        ),
        "ordered rows: bounded, parallel": dict(
            step=CHANGE_ROW, common=False, board="1 2 1", eps="1 2"
        ),
        "ordered rows: one is removed": dict(
            step=ADD_ROW, common=False, board="1 2 1", eps="1 2"
        ),
        "one empty part": dict(board="1 1 1", eps="1 2"),
    }  # fmt: skip
    hint = "squares of the board: a record and a part that sees it or not"
    size = (9.0, 4.6)

    def blank(self) -> Sheet:
        margins = dict(left=0.01, right=0.975, bottom=0.14, top=0.9, wspace=0.42)
        sheet, left, right = two_panels(self.size, (1.15, 1), **margins)
        left.set_axis_off()
        right.set_xlabel("final ε, in units of ln 2", fontsize=FONT)
        right.grid(axis="y", visible=False)
        right.xaxis.whole = True
        return sheet

    def numbers(self, step, common, board, eps, change):
        labels = read_board(board)
        levels = read_eps(eps)
        self._check(labels, levels, change)
        kind, _ = STEPS[step]
        promise = composed(step, common, labels, levels)
        pair = promise.worst_neighbours() if change == WORST else shown_pair(kind, len(labels), change)
        final = dict(
            rows=kind == "rows",
            labels=labels,
            levels=levels,
            partition=isinstance(promise.origin.maps, Partition),
            most=promise.origin.maps.most_touched(promise.space)[0],
            theorem=theorem_of(promise, labels, levels),
            final=promise.level(),
            bounds=bounds_of(levels),
        )
        return final | shown(promise, pair)

    def _options(self) -> dict[str, list[str]]:
        """Offer only steps of records that are on the board."""
        return {"change": changes_on(self.settings["board"])}

    def _fitted(self, settings):
        """Show the worst step, where the one that was shown is not on a new board."""
        possible = settings["change"] in changes_on(settings["board"])
        return settings if possible else settings | {"change": WORST}

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

    # -------------------------------------------------------------------------------------------------- the board

    def _draw_board(self, ax, n):
        size = len(n.labels)
        for part in parts_of(n.levels):
            self._draw_part(ax, n, part)
        for y in range(size):
            self._draw_record(ax, n, y)
        ax.text(-0.6, size + 0.65, _board_words(n), va="top", fontsize=FONT - 2)
        ax.text(0.35, 0.4, "part", ha="right", va="bottom", fontsize=FONT - 1)
        ax.set(xlim=(-0.65, max(len(n.levels), 4) + 0.6), ylim=(max(size, 3) + 1.6, -0.15))

    def _draw_part(self, ax, n, part):
        """Draw the column of a part, shaded if the step touches it."""
        look = dict(facecolor="none", edgecolor="0.75", linewidth=1)
        weight = "normal"
        if part in n.touched:
            look = dict(facecolor="#fbe3d1", edgecolor=COLOURS[1], hatch="/", linewidth=2.5)
            weight = "bold"
        ax.bar(part, len(n.labels), 0.9, bottom=0.5, **look)
        head = f"{part}\nε = {n.levels[part - 1]}"
        ax.text(part, 0.36, head, ha="center", va="bottom", fontsize=FONT - 1, fontweight=weight)

    def _draw_record(self, ax, n, y):
        """Draw the row of a record: a full circle in the parts that see it."""
        name = f"row {NAMES[y]}" if n.rows else NAMES[y]
        ax.text(0.35, y + 1, name, ha="right", va="center", fontsize=FONT + 1)
        for part in parts_of(n.levels):
            colour = COLOURS[0] if part in n.labels[y] else "white"
            ax.plot(part, y + 1, "o", ms=17, zorder=3, color=colour, mec="0.4")

    # --------------------------------------------------------------------------------------------------- the bars

    def _draw_bars(self, ax, n):
        final = math.inf if n.final is VACUOUS else n.final
        end = 1.9 * max(1, *filter(math.isfinite, (*n.bounds.values(), final)))
        for y, eps in enumerate(n.bounds.values()):
            self._draw_bound(ax, y, eps, end, is_lie=too_small(eps, n))
        self._draw_final(ax, len(n.bounds), n, final, end)
        label(ax.yaxis, [*BOUNDS.values(), f"Theorem\n{n.theorem}"])
        ax.set(xlim=(0, end), ylim=(len(n.bounds) + 0.5, -0.5))

    def _draw_bound(self, ax, y, eps, end, is_lie):
        if is_lie:
            ax.barh(y, eps, height=0.6, color="white", edgecolor=LIE_TEXT, hatch="xxx")
            _write(ax, eps, y, in_units(eps, 4) + "\n✗ too small", end, color=LIE_TEXT, fontweight="bold")
        else:
            ax.barh(y, eps, height=0.6, color=COLOURS[5], edgecolor=COLOURS[5])
            _write(ax, eps, y, in_units(eps, 4), end)

    def _draw_final(self, ax, y, n, final, end):
        length = final if math.isfinite(final) else 0
        ax.barh(y, length, height=0.6, color=COLOURS[0], edgecolor=COLOURS[0])
        _write(ax, length, y, final_text(n, 4), end, fontweight="bold")
        if math.isfinite(final):
            ax.axvline(final, color="black", linestyle=":", linewidth=1.6)

    # -------------------------------------------------------------------------------------------------- the words

    def caption(self, n):
        what = "rows" if n.rows else "records"
        seen = "; ".join(f"{name} by {_listed(parts)}" for name, parts in zip(NAMES, n.labels, strict=False))
        promise = "the whole database" if n.common else "the part that it is given"
        also = " (Corollary IV.13)" if is_corollary(n) else ""
        final = final_text(n)
        if n.final is not VACUOUS and math.isfinite(n.final):
            final = f"ε = {final}"
        touched = "no part" if n.most == 0 else f"at most {counted(n.most, 'part')}"
        return (
            f"One step touches {touched}, so by Theorem {n.theorem}{also} the final promise is {final}.\n"
            f"One step is to {n.step}. Parts that see the {what}: {seen}.\nMechanism i promises "
            f"{', '.join(map(str, n.levels))} times ln 2 about {promise}.\n{self._told(n)}\n"
            f"In units of ln 2: {_bounds_words(n)}."
        )

    def _told(self, n) -> str:
        if n.pair is None:
            return "No two databases are neighbours."
        steps = counted(n.distance, "step") if math.isfinite(n.distance) else "no path"
        loss = "nothing is promised" if math.isinf(n.loss) else f"{in_units(n.loss)} is promised"
        return f"From {_from_to(n)} ({steps}): {touches(n)}; {loss} there. {verdict(n).capitalize()}."

    # ------------------------------------------------------------------------------------------------------- clicking

    def spots(self, n) -> list[Spot]:
        kind = "row" if n.rows else "record"
        found = []
        for y, (name, seen) in enumerate(zip(NAMES, n.labels, strict=False), 1):
            for part in parts_of(n.levels):
                found.append(Spot(f"{kind} {name}, part {part}", part, y, 0.8, 0.8, part in seen))
        return found

    def clicked(self, name):
        words, part = name.split(", part ")
        labels = [set(parts) for parts in read_board(self.settings["board"])]
        labels[NAMES.index(words[-1])] ^= {int(part)}
        return dict(board=write_board(labels))


# --------------------------------------------------------------------------------------------------- what is computed


def changes_on(board: str) -> list[str]:
    """Return the steps that can be shown: of the records on a board, as far as it can be read."""
    names = NAMES[: len(board.split())]
    return [change for change in CHANGES if change == WORST or change[-1] in names]


def theorem_of(promise: MetricPrivacy, labels: Labels, levels: tuple[int, ...]) -> str:
    """Return the theorem's number; if all mechanisms see everything, it is that of sequential composition."""
    everything = all(len(seen) == len(levels) for seen in labels)
    return SEQUENTIAL.pure if everything else promise.theorem()


def bounds_of(levels: tuple[int, ...]) -> dict[str, int]:
    """Return what one might charge: the sum, the largest, or the two largest levels."""
    ordered = sorted(levels)
    return dict(sum=sum(ordered), max=ordered[-1], pairs=sum(ordered[-2:]))


def shown(promise: MetricPrivacy, pair: tuple | None) -> dict:
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


def _write(ax, x: float, y: float, words: str, end: float, **look) -> None:
    """Write words at the end of a bar."""
    ax.text(x + end / 40, y, words, va="center", fontsize=FONT - 2, zorder=4, bbox=BEHIND, **look)


def _from_to(n) -> str:
    start, end = n.pair
    return f"{start} to {end}"


def _board_words(n) -> str:
    if n.pair is None:
        return "no two databases are neighbours"
    return f"{_from_to(n)}: {touches(n)}\n{verdict(n)}"


def _listed(parts: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(parts))) or "none"


def _bounds_words(n) -> str:
    words = []
    for name, eps in n.bounds.items():
        lie = " (too small)" if too_small(eps, n) else ""
        words.append(f"{BOUNDS[name]} {eps}{lie}".replace("\n", " "))
    return ", ".join(words)


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
    if not n.touched:
        return "touches no part"
    listed = " and ".join(map(str, n.touched))
    return f"touches part {listed}" if len(n.touched) == 1 else f"touches parts {listed}"


def verdict(n) -> str:
    """Say whether the parts are a partition that is compatible with the neighbours."""
    most = f"one step touches at most {counted(n.most, 'part')}"
    if not n.partition:
        return f"parts overlap, {most}"
    return f"compatible, {most}" if n.most <= 1 else f"not compatible, {most}"


def is_corollary(n) -> bool:
    """Say whether it is the corollary about changed records of disjoint parts."""
    return n.common and n.partition and n.most == 2 and n.step == CHANGE_RECORD


def in_units(eps: float, digits: int = 6) -> str:
    """Return an epsilon in units of log 2 and as a number."""
    return f"{six_digits(eps)} ln 2 = {written(eps * math.log(2), digits)}"
