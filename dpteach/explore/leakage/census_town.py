"""Explorer: a small town, a census that releases noisy counts, and invariants that are published exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import ClassVar, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from ...channel import as_pair, differ_in_one
from ...curve import VACUOUS
from ...figures.style import COLOURS, FONT, panels
from ...leakage.examples import INVARIANTS, truncated_geometric, truthful
from ..base.bars import DARK, HATCHES, label
from ..base.controls import choice, int_slider, pick, switch
from ..base.explorer import Explorer
from ..base.words import tell

COUNTS = "noisy flag counts of A and B"
ANSWERS = "every flag, by a noisy answer"
NOBODY = "nobody else's record"
EVERYBODY = "everybody else's record"
MOST = 3
RECORDS = tuple(product("AB", (0, 1)))
KINDS = {(False, True): "flag changes", (True, False): "block changes", (True, True): "both change"}
NOTIONS = ("given the leak (bLDP)", "release alone (DP)", "release and leak (DP)")
SEEN = ("nothing", "the leak", "the release", "both")
TICKS = (1, 3, 10, 30, 100, 1000, 10**4, 10**5, 10**6, 10**8)
BOX = dict(facecolor="white", edgecolor="none", pad=1)

Town = tuple[tuple[str, int], ...]


class Published(NamedTuple):
    """A number that is published: a function of the town, its largest value, and the e^eps of its noise, if any."""

    statistic: Callable[[Town], int]
    top: int
    ratio: Fraction | None


class Promise(NamedTuple):
    """Of one kind of neighbours: how many are covered, of how many, and the largest e^eps by the three notions."""

    covered: int
    neighbours: int
    given: Fraction | float
    alone: Fraction | float
    both: Fraction | float

    @property
    def by_notion(self) -> tuple:
        """The three e^eps, in the order of `NOTIONS`."""
        return self.given, self.alone, self.both


class CensusTown(Explorer):
    """A census publishes some numbers exactly and others with noise: what does a neighbour learn?"""

    controls: ClassVar = dict(
        people=int_slider(1, MOST, 2, "people"),
        release=choice((COUNTS, ANSWERS), label="noisy release"),
        ratio=pick((1.5, 2, 3, 4, 5, 10), 3, "e^ε of the noise"),
        knows=choice((NOBODY, EVERYBODY), label="neighbour knows"),
        people_a=switch(True, "leaks: people in A"),
        flags=switch(False, "leaks: flags"),
        flags_a=switch(False, "leaks: flags in A"),
        flags_b=switch(False, "leaks: flags in B"),
        sums=switch(False, "leaks: flag + next flag, mod 2"),
        blurred=switch(False, "the leak is noisy, too"),
    )
    presets: ClassVar = {
        "exact block counts: 16 of 48": dict(),
        "the same with a noisy leak": dict(blurred=True),
        "nothing leaks": dict(people_a=False),
        "two invariants: vacuous": dict(flags=True),
        "the XOR attack": dict(people=3, release=ANSWERS, people_a=False, sums=True),
        "the XOR attack, all others known": dict(people=3, release=ANSWERS, people_a=False, sums=True, knows=EVERYBODY),
    }
    size = (9.0, 4.8)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.075, right=0.985, bottom=0.14, top=0.78, wspace=0.5)
        left.grid(axis="x", visible=False)
        left.set_ylabel("how sure a neighbour can be", fontsize=FONT)
        left.set_xticks([0, 1], ["Anna's flag", "Anna's block"], fontsize=FONT)
        left.set(xlim=(-0.5, 1.5), ylim=(0, 1.12))
        right.grid(axis="y", visible=False)
        right.set_xscale("log")
        right.set_xlabel("e^ε", fontsize=FONT)
        return figure

    def numbers(self, people, release, ratio, knows, people_a, flags, flags_a, flags_b, sums, blurred):
        ratio = Fraction(str(ratio))
        chosen = zip(INVARIANTS, (people_a, flags, flags_a, flags_b), strict=True)
        names = tuple(name for name, leaks in chosen if leaks)
        return dict(
            people=people, release=release, ratio=ratio, knows=knows, names=names, sums=sums, blurred=blurred,
            told=promised(people, release, ratio, names, sums, blurred),
            sure=learned(people, release, ratio, names, sums, blurred, knows == EVERYBODY),
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        self._draw_beliefs(left, n)
        self._draw_promises(right, n)

    def _draw_beliefs(self, ax, n):
        for i, (name, colour, hatch) in enumerate(zip(SEEN, ("0.6", *COLOURS[:3]), ("", *HATCHES), strict=True)):
            at = np.arange(2) + 0.23 * (i - 1.5)
            heights = [float(sure[i]) for sure in n.sure.values()]
            ax.bar(at, heights, width=0.21, color=colour, hatch=hatch, edgecolor="white", label=f"from {name}")
            for x, height in zip(at, heights, strict=True):
                ax.text(x, height + 0.015, "sure" if height == 1 else f"{height:.3g}", ha="center", fontsize=FONT - 2)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.05, 1.0), ncols=2, frameon=False)

    def _draw_promises(self, ax, n):
        end = 4 * max(float(n.ratio), *(float(ratio) for ratio in _numbers(n.told) if ratio < math.inf))
        for i, name in enumerate(NOTIONS):
            at = np.arange(3) + 0.27 * (i - 1)
            ratios = [promise.by_notion[i] for promise in n.told.values()]
            lengths = [_length(ratio, end) for ratio in ratios]
            look = dict(color=COLOURS[i], hatch=HATCHES[i], edgecolor="white")
            ax.barh(at, lengths, left=1, height=0.25, label=name, **look)
            for y, ratio in zip(at, ratios, strict=True):
                words = tell(ratio).split(" = ")[-1]
                ax.text(y=y, s=words, va="center", color=DARK[i], fontsize=FONT - 1, **_place(ratio, end))
        label(ax.yaxis, [f"{kind}\n{one.covered} of {one.neighbours}\ncovered" for kind, one in n.told.items()])
        ticks = [tick for tick in TICKS if tick <= end]
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.set_xticks([], minor=True)
        ax.set(xlim=(1, end), ylim=(2.5, -0.5))
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.05, 1.0), frameon=False)

    def caption(self, n):
        leak = ", ".join((*n.names, *["flag + next flag mod 2"] * n.sums)) or "nothing"
        noise = f", with noise e^ε = {tell(n.ratio)}" if n.blurred and leak != "nothing" else ""
        covered = sum(promise.covered for promise in n.told.values())
        total = sum(promise.neighbours for promise in n.told.values())
        rows = "; ".join(_promised_words(kind, promise) for kind, promise in n.told.items())
        sure = "; ".join(_sure_words(what, row) for what, row in n.sure.items())
        return (
            f"People: {n.people}. Released: {n.release}, e^ε = {tell(n.ratio)}. Leaked: {leak}{noise}. The definition "
            f"covers {covered} of {total} neighbouring pairs: {rows}. Who knows {n.knows} and thinks the rest equally "
            f"likely can be as sure as this about Anna, {sure}."
        )


def _numbers(told: dict[str, Promise]) -> list:
    """Return all e^eps that are numbers."""
    return [ratio for promise in told.values() for ratio in promise.by_notion if ratio is not VACUOUS]


def _length(ratio, end: float) -> float:
    return 0.0 if ratio is VACUOUS else min(float(ratio), end) - 1


def _place(ratio, end: float) -> dict:
    """Return where the number of a bar stands: at its end, or, if it has none, inside."""
    if ratio == math.inf:
        return dict(x=0.9 * end, ha="right", bbox=BOX)
    return dict(x=1.06 * (1.0 if ratio is VACUOUS else float(ratio)), ha="left")


def _promised_words(kind: str, promise: Promise) -> str:
    given, alone, both = map(tell, promise.by_notion)
    return (
        f"{kind}: {promise.covered} of {promise.neighbours} covered, e^ε = {given} given the leak, {alone} "
        f"for the release, {both} for both"
    )


def _sure_words(what: str, row: list) -> str:
    beliefs = zip(SEEN[1:], row[1:], strict=True)
    return f"{what}: " + ", ".join(f"{tell(chance)} from {name}" for name, chance in beliefs)


# ---------------------------------------------------------------------------------------- what is published


def towns(people: int) -> list[Town]:
    """Return all towns; the first person, Anna, changes slowest."""
    return list(product(RECORDS, repeat=people))


def statistics(release: str, people: int) -> list[Callable]:
    """Return the numbers that are released with noise."""
    if release == COUNTS:
        return [INVARIANTS["flags in A"], INVARIANTS["flags in B"]]
    return [lambda town, i=i: town[i][1] for i in range(people)]


def invariants(names: tuple[str, ...], sums: bool, people: int) -> list[Callable]:
    """Return the numbers that leak."""
    pairs = [lambda town, i=i: town[i][1] ^ town[i + 1][1] for i in range(people - 1)]
    return [INVARIANTS[name] for name in names] + pairs * sums


@lru_cache(maxsize=256)
def noisy(value: int, top: int, ratio: Fraction) -> dict:
    """Return the law of a published number between 0 and `top`; a bit is told by randomized response."""
    return truthful(value, ratio) if top == 1 else truncated_geometric(value, top, ratio)


def top_of(statistic: Callable, people: int) -> int:
    """Return the largest value that a number can have."""
    return max(map(statistic, towns(people)))


# ------------------------------------------------------------------------------------------ what is promised


@lru_cache(maxsize=4096)
def apart(value: int, other: int, top: int, ratio: Fraction | None):
    """Return how much likelier one value makes an output than another one does, at most; exact if without noise."""
    if ratio is None:
        return 1 if value == other else math.inf
    return as_pair(noisy(value, top, ratio), noisy(other, top, ratio)).ratio(0, "pq")


@lru_cache(maxsize=128)
def promised(people: int, release: str, ratio: Fraction, names: tuple, sums: bool, blurred: bool) -> dict:
    """Return for each kind of neighbours: how many are covered, of how many, and e^eps by the three notions.

    All noise is independent, so that the largest ratios multiply; and the leak does not change the law of the release,
    so that bounded leakage is the DP of the release on the neighbours that can share a leaked value (Lemma 7).
    """
    released = published(statistics(release, people), people, ratio)
    leaks = published(invariants(names, sums, people), people, ratio if blurred else None)
    found: dict = {kind: [] for kind in KINDS.values()}
    for x, y in combinations(towns(people), 2):
        if differ_in_one(x, y):
            found[kind_of(x, y)].append(compared(released, leaks, x, y))
    return {kind: summary(rows) for kind, rows in found.items()}


def published(functions: list[Callable], people: int, ratio: Fraction | None) -> list[Published]:
    """Return what is published, all with the same noise."""
    return [Published(f, top_of(f, people), ratio) for f in functions]


def compared(released: list[Published], leaks: list[Published], x: Town, y: Town) -> tuple:
    """Return e^eps of the release and of release and leak, and whether both towns can leak the same value."""
    release = [largest(released, *way) for way in ((x, y), (y, x))]
    leak = [largest(leaks, *way) for way in ((x, y), (y, x))]
    both = [a * b for a, b in zip(release, leak, strict=True)]
    return max(release), max(both), max(leak) < math.inf


def largest(numbers: list[Published], x: Town, y: Town):
    """Return how much likelier town x makes anything in the published numbers than town y does, at most."""
    factors = (apart(f(x), f(y), top, ratio) for f, top, ratio in numbers)
    return math.prod(factors, start=Fraction(1))


def kind_of(x: Town, y: Town) -> str:
    """Say what differs in the one record in which two towns differ."""
    ((one, other),) = ((a, b) for a, b in zip(x, y, strict=True) if a != b)
    return KINDS[one[0] != other[0], one[1] != other[1]]


def summary(rows: list[tuple]) -> Promise:
    """Return how many pairs are covered, of how many, and the largest e^eps given the leak, without it, and of both."""
    covered = [alone for alone, _, shared in rows if shared]
    return Promise(
        covered=len(covered),
        neighbours=len(rows),
        given=max(covered, default=VACUOUS),
        alone=max(alone for alone, _, _ in rows),
        both=max(both for _, both, _ in rows),
    )


# -------------------------------------------------------------------------------------------- what is learned


@lru_cache(maxsize=128)
def learned(people: int, release: str, ratio: Fraction, names: tuple, sums: bool, blurred: bool, insider: bool) -> dict:
    """Return how sure one can be, at best, of Anna's flag and block: from nothing, the leak, the release and both."""
    released = [law_table(f, people, ratio) for f in statistics(release, people)]
    leaks = [law_table(f, people, ratio if blurred else None) for f in invariants(names, sums, people)]
    views = [[], leaks, released, leaks + released]
    return {
        "flag": [surest(view, 1, insider) for view in views],
        "block": [surest(view, 0, insider) for view in views],
    }


def law_table(statistic: Callable, people: int, ratio: Fraction | None) -> np.ndarray:
    """Return the law of one published number as a table: a row for each town, a column for each value."""
    top = top_of(statistic, people)
    values = map(statistic, towns(people))
    laws = [{value: Fraction(1)} if ratio is None else noisy(value, top, ratio) for value in values]
    return np.array([[law.get(value, Fraction(0)) for value in range(top + 1)] for law in laws], dtype=object)


def surest(view: list[np.ndarray], part: int, insider: bool) -> Fraction:
    """Return the largest posterior probability of a value of Anna's record, over all that can be seen.

    All towns are equally likely before; an insider knows the records of the others. The best view is found in floats,
    and the probability is then computed in fractions.
    """
    if not view:
        return Fraction(1, 2)
    others, column = most_telling(view, part, insider)
    places = np.unravel_index(column, [table.shape[1] for table in view])
    exact = reduce(side_by_side, [table[:, [i]] for table, i in zip(view, places, strict=True)])
    weights = exact.reshape(len(RECORDS), -1)
    weights = weights[:, others] if insider else weights.sum(axis=1)
    chance = weights[has_first_value(part)].sum() / weights.sum()
    return max(chance, 1 - chance)


def most_telling(view: list[np.ndarray], part: int, insider: bool) -> tuple:
    """Return which records of the others and which column of the view make one surest, found in floats."""
    seen = reduce(side_by_side, [table.astype(float) for table in view])
    chances = seen.reshape(len(RECORDS), -1, seen.shape[1])  # Anna's record, the others', what is seen
    chances = chances if insider else chances.sum(axis=1, keepdims=True)
    total = chances.sum(axis=0)
    mine = chances[has_first_value(part)].sum(axis=0)
    possible = total > 0
    far = np.where(possible, np.abs(2 * mine - total) / np.where(possible, total, 1), -1)
    return np.unravel_index(np.argmax(far), far.shape)


def has_first_value(part: int) -> np.ndarray:
    """Say which records have the first value of a part: block A, or flag 0."""
    return np.array([record[part] == RECORDS[0][part] for record in RECORDS])


def side_by_side(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the laws of two independent numbers, seen together."""
    return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)
