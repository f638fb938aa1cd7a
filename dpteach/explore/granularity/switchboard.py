"""Explorer: which notion of privacy should a release of counts use?"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...figures.style import FONT, line_style
from ...notions.counts import APPROXIMATE, ROUTES, approximate_epsilons, counts_epsilon
from ..base.axes import round_up, two_panels
from ..base.bars import label
from ..base.controls import int_slider, log_slider
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import brief, counted, listed, six_digits

NAMES = dict(zip(ROUTES, ("pure (Laplace)", "Gaussian", "zCDP", "classic zCDP", "approximate"), strict=True))
HATCHES = dict(zip(ROUTES, ("", "//", "..", "xx", "\\\\"), strict=True))
STYLES = {route: line_style(i) for i, route in enumerate(ROUTES)}
POINTS = np.linspace(0.18, 1, 7) ** 2  # of a curve, closer where it bends


class Switchboard(Explorer):
    """k noisy counts, of which one step moves only some: pure, approximate, zCDP or Gaussian?"""

    controls: ClassVar = dict(
        k=int_slider(1, 30, 10, "counts k"),
        touched=int_slider(1, 30, 3, "touched counts"),
        deviation=log_slider(0.2, 1000, 4, "noise deviation σ"),
        delta=log_slider(1e-12, 0.1, 1e-5, "δ", steps=1),
    )
    presets: ClassVar = {
        "the table: σ = 4, δ = 10⁻⁵": dict(),
        "ambulances: 3 labels of k = 10": dict(touched=3, deviation=10),
        "a histogram: one cell of 30": dict(k=30, touched=1),
        "bounded: two cells of 30": dict(k=30, touched=2),
        "every count is touched": dict(touched=10),
        "30 touched counts: Gaussian wins": dict(k=30, touched=30, deviation=20, delta=1e-6),
    }
    size = (9.0, 4.7)

    def blank(self) -> Sheet:
        margins = dict(left=0.085, right=0.975, bottom=0.13, top=0.85, wspace=0.43)
        sheet, left, right = two_panels(self.size, (1.15, 1), **margins)
        left.set_xlabel("counts touched by one step", fontsize=FONT)
        left.set_ylabel("final ε", fontsize=FONT)
        left.xaxis.whole = True
        right.set_xlabel("final ε", fontsize=FONT)
        right.grid(axis="y", visible=False)
        return sheet

    def numbers(self, k, touched, deviation, delta):
        touched = min(touched, k)
        counts = np.unique([1, touched, *np.ceil(k * POINTS)]).astype(int).tolist()
        curves = {route: curve(route, counts, deviation, delta) for route in ROUTES}
        by_route = {route: curves[route][counts.index(touched)] for route in ROUTES}
        return dict(
            touched=touched,
            counts=counts,
            curves=curves,
            by_route=by_route,
            for_all={route: curves[route][-1] for route in ROUTES},
            best=min(by_route, key=by_route.get),
            crossing=gaussian_wins_from(k, deviation, delta),
        )

    def idle(self, settings):
        return {"touched": "there is only one count"} if settings["k"] == 1 else {}

    def draw(self, axes, n):
        left, right = axes
        self._draw_curves(left, n)
        self._draw_bars(right, n)

    def _draw_curves(self, ax, n):
        marker = "." if n.k == 1 else None
        for route, style in STYLES.items():
            ax.plot(n.counts, n.curves[route], label=NAMES[route], marker=marker, **style)
            ax.plot(n.touched, n.by_route[route], "o", ms=7, color=style["color"])
        ax.axvline(n.touched, color="0.6", linewidth=1, zorder=1)
        top = max(eps for route, eps in n.for_all.items() if route != "approximate")  # which may leave the picture
        ax.set(xlim=(0, n.k + 0.5), ylim=(0, round_up(1.3 * top)))
        narrow = dict(columnspacing=1, handlelength=2.6, frameon=False)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.2, 0.98), ncols=3, **narrow)

    def _draw_bars(self, ax, n):
        end = round_up(1.8 * max(n.by_route.values()))
        for y, (route, eps) in enumerate(n.by_route.items()):
            look = dict(color=STYLES[route]["color"], hatch=HATCHES[route], edgecolor="white")
            weight = "bold" if route == n.best else "normal"
            ax.barh(y, eps, height=0.7, **look)
            ax.text(eps + end / 60, y, _bar_words(n, route), va="center", fontsize=FONT - 2, fontweight=weight)
        label(ax.yaxis, list(NAMES.values()))
        ax.set(xlim=(0, end), ylim=(len(ROUTES) - 0.5, -0.5))
        ax.text(0, 1.025, f"{n.touched} of {n.k} counts touched", fontsize=FONT, transform=ax.transAxes)

    def caption(self, n):
        each = {NAMES[route]: eps for route, eps in n.by_route.items()}
        naive = {NAMES[route]: n.for_all[route] for route in ("pure", "Gaussian")}
        second = min((route for route in n.by_route if route != n.best), key=n.by_route.get)
        return (
            f"If one step moves {n.touched} of {counted(n.k, 'count')}, {NAMES[n.best]} is cheapest with a final ε of "
            f"{brief(n.by_route[n.best])}, then {NAMES[second]} with {brief(n.by_route[second])}.\n"
            f"Each count has noise of standard deviation {six_digits(n.deviation)}; a step moves it by one.\n"
            f"Final ε at δ = {six_digits(n.delta)}: {listed(each)}.\n"
            f"Charging for all {n.k} counts would cost: {listed(naive)}.\n{_crossing_words(n)}"
        )


def _bar_words(n, route: str) -> str:
    here = f"{n.by_route[route]:.4g}"
    return here if n.touched == n.k else f"{here}\n(all {n.k}: {n.for_all[route]:.4g})"


def _crossing_words(n) -> str:
    if n.crossing > n.k:
        return f"For every number of touched counts up to {n.k}, Laplace noise of the same deviation is cheaper."
    return f"Gaussian noise beats Laplace noise of the same deviation from {counted(n.crossing, 'touched count')} on."


def curve(route: str, counts: list[int], deviation: float, delta: float) -> list[float]:
    """Return the final epsilons of a route."""
    if route == APPROXIMATE:
        return approximate_epsilons(counts, deviation, delta)
    return [final(route, count, deviation, delta) for count in counts]


@lru_cache(maxsize=8192)
def final(route: str, touched: int, deviation: float, delta: float) -> float:
    """Return the final epsilon of a release."""
    return float(counts_epsilon(route, touched, deviation, delta))


def gaussian_wins_from(k: int, deviation: float, delta: float) -> int:
    """Return from how many touched counts on Gaussian noise is cheaper than Laplace noise; k + 1 if never.

    The pure price grows in proportion, the Gaussian one at first like a root: once cheaper, it stays so.
    """

    def cheaper(touched: int) -> bool:
        return final("Gaussian", touched, deviation, delta) < final("pure", touched, deviation, delta)

    return bisect_left(range(1, k + 1), True, key=cheaper) + 1
