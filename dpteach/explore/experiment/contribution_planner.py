"""Explorer: nobody is in all the databases, so how much do k releases tell?"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from ...composition import ADVANCED, BASIC, compose_by
from ...experiment import contribution_bound
from ...figures.style import COLOURS, FONT, line_style
from ...guarantee import Guarantee
from ..base.axes import round_up, two_panels
from ..base.bars import label
from ..base.controls import choice, int_slider, log_slider, pick
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import brief, counted, six_digits

OPTIMAL = "optimal"
SHOWN = (OPTIMAL, ADVANCED.name, BASIC.name)
ANYWHERE = "unbounded: is it anywhere?"
WHERE = "bounded: where is it?"
NEIGHBOURS = {ANYWHERE: "unbounded", WHERE: "bounded"}
DELTAS = (0, *(10.0**-i for i in range(12, 3, -1)))
CARELESS = 5  # times the epsilon of the others
ENDS = (10, 20, 50, 100, 200, 500, 1500, 5000)  # of the axis
NO_EPSILON = "no ε at this δ"
NO_PARALLEL = "none, it needs δ = 0"
MOST = ENDS[-1]
MOST_CARELESS = 10
MANY = 40  # points of a curve
FEW = 16  # those of unequal databases take longer


class ContributionPlanner(Explorer):
    """What do k releases tell about a person who is in at most m of the k databases?"""

    controls: ClassVar = dict(
        eps=log_slider(0.001, 1, 0.01, "ε of each release"),
        delta=pick(DELTAS, 0, "δ of each release"),
        k=int_slider(1, MOST, 1000, "databases k"),
        cap=int_slider(1, 1500, 365, "cap m"),
        neighbours=choice(NEIGHBOURS, label="compare"),
        total=log_slider(1e-12, 1e-2, 1e-6, "δ in total", steps=1),
        theorem=choice(SHOWN, label="curves by"),
        careless=int_slider(0, MOST_CARELESS, 0, f"careless ({CARELESS} ε)"),
    )
    presets: ClassVar = {
        "hospitals: 365 nights a year": dict(),
        "hospitals: which ones?": dict(neighbours=WHERE),
        "subsidiaries: employed by only one": dict(k=50, cap=1, eps=0.1),
        "restaurants: three meals a day": dict(k=5000, cap=1095),
        "restaurants: some are careless": dict(k=5000, cap=1095, careless=MOST_CARELESS),
        "releases that may fail": dict(delta=1e-9),
    }
    size = (9.0, 4.4)

    def blank(self) -> Sheet:
        margins = dict(left=0.085, right=0.975, bottom=0.135, top=0.91, wspace=0.46)
        sheet, left, right = two_panels(self.size, (1.25, 1), **margins)
        left.set_xlabel("number of databases k", fontsize=FONT)
        left.set_ylabel("total ε", fontsize=FONT)
        right.set_xlabel("total ε", fontsize=FONT)
        right.grid(axis="y", visible=False)
        return sheet

    def numbers(self, eps, delta, k, cap, neighbours, total, theorem, careless):
        databases = Databases(eps, delta, careless)
        bound = contribution_bound(databases.first(k), min(cap, k), NEIGHBOURS[neighbours])
        most = 2 * cap if neighbours == WHERE else cap
        end = ENDS[bisect_left(ENDS, k)]
        ks = points(end, FEW if careless else MANY, also=[k, min(most, end)])
        return dict(
            careless=min(careless, k),
            rounds=bound.rounds,
            parallel=math.inf if delta else bound.parallel().epsilon,
            epsilons={name: both_epsilons(name, databases, k, bound.rounds, total) for name in SHOWN},
            end=end,
            ks=ks,
            classic=[composed(theorem, n, databases, total) for n in ks],
            capped=[composed(theorem, min(n, most), databases, total) for n in ks],
        )

    def draw(self, axes, n):
        left, right = axes
        self._draw_curves(left, n)
        self._draw_bars(right, n)

    def _draw_curves(self, ax, n):
        here = n.epsilons[n.theorem]
        ax.plot(n.ks, _drawable(n.classic), label="classic: all k", **line_style(0))
        ax.plot(n.k, here.classic, "s", ms=8, color=COLOURS[0])
        ax.plot(n.ks, _drawable(n.capped), label=f"capped: at most {n.cap}", **line_style(1))
        ax.plot(n.k, here.capped, "o", ms=8, color=COLOURS[1])
        if here.classic == here.capped == math.inf:
            ax.text(0.5, 0.5, NO_EPSILON, fontsize=FONT, ha="center", transform=ax.transAxes)
        ax.axvline(n.k, color="0.6", linewidth=1, zorder=1)
        top = round_up(1.25 * largest([*n.classic, *n.capped]))
        ax.set(xlim=(0, 1.03 * n.end), ylim=(0, top))
        ax.set_title(f"{n.theorem} composition", loc="left", fontsize=FONT)
        ax.legend(fontsize=FONT - 1, loc="upper left")

    def _draw_bars(self, ax, n):
        bars = _bars(n)
        end = round_up(1.3 * largest([bar.eps for bar in bars]))
        for y, bar in enumerate(bars):
            length = bar.eps if math.isfinite(bar.eps) else 0
            ax.barh(y, length, height=0.62, edgecolor="white", **bar.look)
            ax.text(length + end / 60, y, words(bar.eps, bar.if_none), va="center", fontsize=FONT - 2)
        label(ax.yaxis, [bar.name for bar in bars])
        ax.set(xlim=(0, end), ylim=(len(bars) - 0.5, -0.5))
        ax.text(0, 1.025, f"at k = {n.k}", fontsize=FONT, transform=ax.transAxes)

    def caption(self, n):
        each = "\n".join(_told(name, both) for name, both in n.epsilons.items())
        some = f", {n.careless} of them with ε = {six_digits(CARELESS * n.eps)}" if n.careless else ""
        compare = "any two patterns of membership" if n.neighbours == WHERE else "somewhere with nowhere"
        return (
            f"{_headline(n)}\n"
            f"Each release has ε = {six_digits(n.eps)} and δ = {six_digits(n.delta)}{some}. Comparing {compare}, "
            f"rounds that count: {n.rounds}.\nTotal ε at δ = {six_digits(n.total)} in total:\n{each}\n"
            f"Parallel composition of the merged databases: {words(n.parallel, NO_PARALLEL)}."
        )


# ------------------------------------------------------------------------------------------------------- what is said


@dataclass(frozen=True)
class Bar:
    """A total epsilon with its name and look, and what to say if there is none."""

    name: str
    eps: float
    look: dict
    if_none: str = NO_EPSILON


def _bars(n) -> list[Bar]:
    """Return the bars from top to bottom: each theorem for all databases and with the cap, then the parallel one."""
    bars = []
    for name, both in n.epsilons.items():
        bars.append(Bar(f"{name}, classic", both.classic, dict(color=COLOURS[0])))
        bars.append(Bar(f"{name}, capped", both.capped, dict(color=COLOURS[1], hatch="//")))
    bars.append(Bar("parallel", n.parallel, dict(color=COLOURS[2], hatch=".."), NO_PARALLEL))
    return bars


def _headline(n) -> str:
    """Say the two numbers that matter: what is lost with the cap, and what charging for everything would say."""
    best = n.epsilons[OPTIMAL]
    who = f"A person in at most {n.cap} of {counted(n.k, 'database')}"
    if best.capped == math.inf:
        return f"{who} is promised nothing: there is no ε at so small a total δ."
    classic = f"would be {brief(best.classic)}" if math.isfinite(best.classic) else "would promise nothing"
    return f"{who} loses at most ε = {brief(best.capped)}; without the cap it {classic}."


def _told(theorem: str, both: Epsilons) -> str:
    return f"{theorem}: {words(both.classic)} for all k, {words(both.capped)} with the cap."


def _drawable(curve: list[float]) -> np.ndarray:
    """Return the values, with gaps where they are infinite."""
    return np.where(np.isfinite(curve), curve, np.nan)


def largest(epsilons: list[float]) -> float:
    """Return the largest epsilon that is finite; 1 if none is."""
    return max(filter(math.isfinite, epsilons), default=1.0)


def words(eps: float, none: str = NO_EPSILON) -> str:
    """Return an epsilon, or why there is none."""
    return six_digits(eps) if math.isfinite(eps) else none


# --------------------------------------------------------------------------------------------------- what is computed


@dataclass(frozen=True)
class Databases:
    """Any number of databases, of which the first few are careless; one release each."""

    eps: float
    delta: float
    careless: int

    def first(self, n: int) -> Counter[Guarantee]:
        """Return the guarantees of the first n databases, which are the worst n of them."""
        careless = min(self.careless, n)
        counts = {
            Guarantee(CARELESS * self.eps, self.delta): careless,
            Guarantee(self.eps, self.delta): n - careless,
        }
        return Counter({guarantee: count for guarantee, count in counts.items() if count})


@lru_cache(maxsize=4096)
def composed(theorem: str, n: int, databases: Databases, total: float) -> float:
    """Return the total epsilon of the first n databases."""
    return compose_by(theorem, databases.first(n), total).epsilon


class Epsilons(NamedTuple):
    """The total epsilon of all databases, and of those that count with the cap."""

    classic: float
    capped: float


def both_epsilons(theorem: str, databases: Databases, k: int, rounds: int, total: float) -> Epsilons:
    """Return the total epsilon of k databases, and of as many rounds as count."""
    return Epsilons(composed(theorem, k, databases, total), composed(theorem, rounds, databases, total))


def points(end: int, number: int, also: list[int]) -> np.ndarray:
    """Return where a curve up to `end` is computed: closer where it bends, at its start."""
    steps = np.linspace(0.01, 1, number) ** 2
    return np.unique([*np.ceil(end * steps), *also]).astype(int)
