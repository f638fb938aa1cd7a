"""Explorer: nobody is in all the databases, so how much do k releases tell?"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ..composition import compose_by
from ..experiment import contribution_bound
from ..figures import COLOURS, FONT, line_style, panels
from ..guarantee import Guarantee
from .controls import choice, int_slider, log_slider, pick, short
from .explorer import Explorer

THEOREMS = ("optimal", "advanced", "basic")
NEIGHBOURS = {"unbounded: is it anywhere?": "unbounded", "bounded: where is it?": "bounded"}
DELTAS = (0, *(10.0**-i for i in range(12, 3, -1)))
CARELESS = 5  # times the epsilon of the others
ENDS = (10, 20, 50, 100, 200, 500, 1500, 5000)  # of the axis
HEIGHTS = log_slider(1e-3, 1e6, 1).grid
NO_PARALLEL = "none, it needs δ = 0"
MOST, MOST_CARELESS = ENDS[-1], 10
MANY, FEW = 40, 16  # points of a curve; those of unequal databases take longer


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
        databases = eps, delta, careless, total
        bound = contribution_bound(listed(k, eps, delta, careless), min(cap, k), NEIGHBOURS[neighbours])
        most = cap * (2 if bound.neighbours == "bounded" else 1)
        end = ENDS[bisect_left(ENDS, k)]
        steps = np.linspace(0.01, 1, FEW if careless else MANY) ** 2  # closer where the curves bend
        ks = np.unique([*np.ceil(end * steps), min(most, end), k]).astype(int)
        return dict(
            eps=eps, delta=delta, k=k, cap=cap, bounded=bound.neighbours == "bounded", total=total, theorem=theorem,
            careless=min(careless, k), rounds=bound.rounds,
            parallel=math.inf if delta else float(bound.parallel().epsilon),
            told={name: [composed(name, n, *databases) for n in (k, bound.rounds)] for name in THEOREMS},
            end=end, ks=ks, curves=[[composed(theorem, min(n, top), *databases) for n in ks] for top in (end, most)],
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        for i, (name, curve) in enumerate(zip(("classic: all k", f"capped: at most {n.cap}"), n.curves, strict=True)):
            left.plot(n.ks, np.where(np.isfinite(curve), curve, np.nan), label=name, **line_style(i))
            left.plot(n.k, n.told[n.theorem][i], "o" if i else "s", ms=8, color=COLOURS[i])
        if not any(map(math.isfinite, n.told[n.theorem])):
            left.text(0.5, 0.5, words(math.inf), fontsize=FONT, ha="center", transform=left.transAxes)
        left.axvline(n.k, color="0.6", linewidth=1, zorder=1)
        finite = [x for curve in n.curves for x in curve if math.isfinite(x)]
        left.set(xlim=(0, 1.03 * n.end), ylim=(0, round_up(1.25 * max(finite, default=1.0))))
        left.set_title(f"{n.theorem} composition", loc="left", fontsize=FONT)
        left.legend(fontsize=FONT - 1, loc="upper left")
        self._draw_bars(right, n)

    def _draw_bars(self, ax, n):
        rows = [
            (f"{name}, {what}", n.told[name][i], i) for name in THEOREMS for i, what in enumerate(("classic", "capped"))
        ]
        rows.append(("parallel", n.parallel, 2))
        end = round_up(1.3 * max((x for _, x, _ in rows if math.isfinite(x)), default=1.0))
        for y, (_, eps, i) in enumerate(rows):
            length = eps if math.isfinite(eps) else 0
            ax.barh(y, length, height=0.62, color=COLOURS[i], hatch=("", "//", "..")[i], edgecolor="white")
            told = words(eps) if i < 2 else words(eps, NO_PARALLEL)
            ax.text(length + end / 60, y, told, va="center", fontsize=FONT - 2)
        ax.set_yticks(range(len(rows)), [name for name, *_ in rows])
        ax.set(xlim=(0, end), ylim=(len(rows) - 0.5, -0.5))
        ax.text(0, 1.025, f"at k = {n.k}", fontsize=FONT, transform=ax.transAxes)

    def caption(self, n):
        each = "; ".join(f"{name}: {words(a)} for all k, {words(b)} with the cap" for name, (a, b) in n.told.items())
        some = f", {n.careless} of them with {CARELESS * n.eps:g}" if n.careless else ""
        compare = "any two patterns of membership" if n.bounded else "somewhere with nowhere"
        return (
            f"{n.k} databases, one release of ε = {n.eps:g} and δ = {short(n.delta)} each{some}; a person is in at "
            f"most {n.cap} of them. Comparing {compare}, rounds that count: {n.rounds}. ε at δ = {short(n.total)} "
            f"in total, {each}. Parallel composition of the merged databases: {words(n.parallel, NO_PARALLEL)}."
        )


def words(eps: float, none: str = "no ε at this δ") -> str:
    """Return an epsilon, or why there is none."""
    return f"{eps:.6g}" if math.isfinite(eps) else none


def round_up(x: float) -> float:
    """Return the next round number: the axis should rarely change."""
    return HEIGHTS[min(bisect_left(HEIGHTS, x), len(HEIGHTS) - 1)]


def listed(n: int, eps: float, delta: float, careless: int) -> list[Guarantee]:
    """Return the guarantees of n databases; the careless ones come first."""
    many = min(careless, n)
    return [Guarantee(CARELESS * eps, delta)] * many + [Guarantee(eps, delta)] * (n - many)


@lru_cache(maxsize=4096)
def composed(theorem: str, n: int, eps: float, delta: float, careless: int, total: float) -> float:
    """Return the total epsilon of the first n databases, which are the worst n of them."""
    one = Guarantee(eps, delta)
    told = (
        compose_by(theorem, listed(n, eps, delta, careless), total) if careless else compose_by(theorem, one, total, n)
    )
    return float(told.epsilon)
