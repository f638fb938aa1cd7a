"""Explorer: nobody is in all the databases, so how much do k releases tell?"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ...composition import compose_by
from ...experiment import contribution_bound
from ...figures.style import COLOURS, FONT, line_style, panels
from ...guarantee import Guarantee
from ..base.axes import round_up
from ..base.controls import choice, int_slider, log_slider, pick, short
from ..base.explorer import Explorer

THEOREMS = ("optimal", "advanced", "basic")
NEIGHBOURS = {"unbounded: is it anywhere?": "unbounded", "bounded: where is it?": "bounded"}
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
        theorem=choice(THEOREMS, label="curves by"),
        careless=int_slider(0, MOST_CARELESS, 0, f"careless ({CARELESS} ε)"),
    )
    presets: ClassVar = {
        "hospitals: 365 nights a year": dict(),
        "hospitals: which ones?": dict(neighbours="bounded: where is it?"),
        "subsidiaries: employed by one at a time": dict(k=50, cap=1, eps=0.1),
        "restaurants: three meals a day": dict(k=5000, cap=1095),
        "restaurants: some are careless": dict(k=5000, cap=1095, careless=MOST_CARELESS),
        "releases that may fail": dict(delta=1e-9),
    }
    size = (9.0, 4.4)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1.25, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.085, right=0.975, bottom=0.135, top=0.91, wspace=0.46)
        left.set_xlabel("number of databases k", fontsize=FONT)
        left.set_ylabel("total ε", fontsize=FONT)
        right.set_xlabel("total ε", fontsize=FONT)
        right.grid(axis="y", visible=False)
        return figure

    def numbers(self, eps, delta, k, cap, neighbours, total, theorem, careless):
        databases = Databases(eps, delta, careless)
        bound = contribution_bound(databases.first(k), min(cap, k), NEIGHBOURS[neighbours])
        bounded = bound.neighbours == "bounded"
        most = 2 * cap if bounded else cap
        end = ENDS[bisect_left(ENDS, k)]
        steps = np.linspace(0.01, 1, FEW if careless else MANY) ** 2  # closer where the curves bend
        ks = np.unique([*np.ceil(end * steps), min(most, end), k]).astype(int)
        epsilons = {}
        for name in THEOREMS:
            epsilons[name] = [composed(name, k, databases, total), composed(name, bound.rounds, databases, total)]
        return dict(
            eps=eps, delta=delta, k=k, cap=cap, bounded=bounded, total=total, theorem=theorem,
            careless=min(careless, k), rounds=bound.rounds,
            parallel=math.inf if delta else bound.parallel().epsilon,
            epsilons=epsilons, end=end, ks=ks,
            classic=[composed(theorem, n, databases, total) for n in ks],
            capped=[composed(theorem, min(n, most), databases, total) for n in ks],
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        classic, capped = n.epsilons[n.theorem]
        left.plot(n.ks, _drawable(n.classic), label="classic: all k", **line_style(0))
        left.plot(n.k, classic, "s", ms=8, color=COLOURS[0])
        left.plot(n.ks, _drawable(n.capped), label=f"capped: at most {n.cap}", **line_style(1))
        left.plot(n.k, capped, "o", ms=8, color=COLOURS[1])
        if classic == capped == math.inf:
            left.text(0.5, 0.5, words(math.inf), fontsize=FONT, ha="center", transform=left.transAxes)
        left.axvline(n.k, color="0.6", linewidth=1, zorder=1)
        finite = [x for x in (*n.classic, *n.capped) if math.isfinite(x)]
        left.set(xlim=(0, 1.03 * n.end), ylim=(0, round_up(1.25 * max(finite, default=1.0))))
        left.set_title(f"{n.theorem} composition", loc="left", fontsize=FONT)
        left.legend(fontsize=FONT - 1, loc="upper left")
        self._draw_bars(right, n)

    def _draw_bars(self, ax, n):
        bars = _bars(n)
        end = round_up(1.3 * max((bar.eps for bar in bars if math.isfinite(bar.eps)), default=1.0))
        for y, bar in enumerate(bars):
            length = bar.eps if math.isfinite(bar.eps) else 0
            ax.barh(y, length, height=0.62, edgecolor="white", **bar.look)
            ax.text(length + end / 60, y, words(bar.eps, bar.if_none), va="center", fontsize=FONT - 2)
        ax.set_yticks(range(len(bars)), [bar.name for bar in bars])
        ax.set(xlim=(0, end), ylim=(len(bars) - 0.5, -0.5))
        ax.text(0, 1.025, f"at k = {n.k}", fontsize=FONT, transform=ax.transAxes)

    def caption(self, n):
        each = "; ".join(
            f"{name}: {words(classic)} for all k, {words(capped)} with the cap"
            for name, (classic, capped) in n.epsilons.items()
        )
        some = f", {n.careless} of them with {CARELESS * n.eps:g}" if n.careless else ""
        compare = "any two patterns of membership" if n.bounded else "somewhere with nowhere"
        return (
            f"{n.k} databases, one release of ε = {n.eps:g} and δ = {short(n.delta)} each{some}; a person is in at "
            f"most {n.cap} of them. Comparing {compare}, rounds that count: {n.rounds}. ε at δ = {short(n.total)} "
            f"in total, {each}. Parallel composition of the merged databases: {words(n.parallel, NO_PARALLEL)}."
        )


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
    for name, (classic, capped) in n.epsilons.items():
        bars.append(Bar(f"{name}, classic", classic, dict(color=COLOURS[0])))
        bars.append(Bar(f"{name}, capped", capped, dict(color=COLOURS[1], hatch="//")))
    bars.append(Bar("parallel", n.parallel, dict(color=COLOURS[2], hatch=".."), NO_PARALLEL))
    return bars


def _drawable(curve: list[float]) -> np.ndarray:
    """Return the values, with gaps where they are infinite."""
    return np.where(np.isfinite(curve), curve, np.nan)


def words(eps: float, none: str = NO_EPSILON) -> str:
    """Return an epsilon, or why there is none."""
    return f"{eps:.6g}" if math.isfinite(eps) else none


@dataclass(frozen=True)
class Databases:
    """Any number of databases, of which the first few are careless; one release each."""

    eps: float
    delta: float
    careless: int

    def first(self, n: int) -> Counter[Guarantee]:
        """Return the guarantees of the first n databases, which are the worst n of them."""
        careless = min(self.careless, n)
        counts = {Guarantee(CARELESS * self.eps, self.delta): careless, Guarantee(self.eps, self.delta): n - careless}
        return Counter({guarantee: count for guarantee, count in counts.items() if count})


@lru_cache(maxsize=4096)
def composed(theorem: str, n: int, databases: Databases, total: float) -> float:
    """Return the total epsilon of the first n databases."""
    return compose_by(theorem, databases.first(n), total).epsilon
