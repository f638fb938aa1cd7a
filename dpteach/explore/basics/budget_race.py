"""Explorer: the composition theorems against the number of releases."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...composition import BASIC, THEOREMS
from ...figures.style import FONT, line_style
from ...guarantee import Guarantee
from ...optimum import optimal
from ..base.controls import choice, int_slider, log_slider
from ..base.explorer import Explorer
from ..base.words import brief, counted, listed, six_digits

LONGEST = 1000
RELEASES = np.unique(np.round(np.geomspace(1, LONGEST, 28)).astype(int))  # at which the curves are drawn
FAR = 2**52  # who has not overtaken by then never does
RELATIVE = "compared with basic"
ABSOLUTE = "total ε"
OPTIMUM = "exact optimum"
BY_LABEL = {theorem.label: theorem for theorem in THEOREMS.values()}
OVERTAKING = [label for label, theorem in BY_LABEL.items() if theorem is not BASIC]  # the optimum is never behind
STYLES = {label: line_style(theorem.line) for label, theorem in BY_LABEL.items()}
STYLES[OPTIMUM] = line_style(4)  # the truth is black


class BudgetRace(Explorer):
    """Which composition theorem is cheapest, and from how many releases on?"""

    controls: ClassVar = dict(
        eps=log_slider(0.01, 2, 0.1, "ε of one release"),
        slack=log_slider(1e-12, 1e-2, 1e-6, "δ in total", steps=1),
        k=int_slider(1, LONGEST, 100, "releases k"),
        show=choice((RELATIVE, ABSOLUTE), label="show"),
    )
    presets: ClassVar = {
        "the textbook mistake": dict(eps=1, k=500, slack=1e-5),
        "a census": dict(eps=0.01, k=1000),
        "few and large": dict(eps=0.5, k=10),
    }

    def numbers(self, eps, slack, k, show):
        total = {name: total_epsilon(name, eps, slack, k) for name in STYLES}
        return dict(
            relative=show == RELATIVE,
            curves=race(eps, slack),
            total=total,
            crossovers=crossovers(eps, slack),
            winner=min(BY_LABEL, key=total.get),
        )

    def draw(self, ax, n):
        for name, style in STYLES.items():
            ax.plot(RELEASES, _height(n, RELEASES, n.curves[name]), label=name, **style)
            ax.plot(n.k, _height(n, n.k, n.total[name]), "o", ms=7, color=style["color"])
        for name, k in n.crossovers.items():
            if k is not None and k <= LONGEST:
                self._draw_crossover(ax, n, k, STYLES[name]["color"])
        ax.axvline(n.k, color="0.6", linewidth=1, zorder=1)
        self._draw_frame(ax, n)

    def _draw_crossover(self, ax, n, k, colour):
        """Draw a diamond where a theorem overtakes basic composition."""
        ax.plot(k, _height(n, k, k * n.eps), "D", ms=9, mfc="white", mew=2, color=colour)

    def _draw_frame(self, ax, n):
        ax.set(xscale="log", xlim=(1, LONGEST), xlabel="number of releases k")
        if n.relative:
            ax.set(yscale="linear", ylim=(0, 2), ylabel="total ε, divided by k ε")
        else:
            low = 10 ** np.floor(np.log10(n.eps))
            ax.set(yscale="log", ylim=(low, 1e4 * low), ylabel="total ε")
        ax.legend(fontsize=FONT - 2, loc="lower left" if n.relative else "upper left", ncols=1)

    def caption(self, n):
        return (
            f"After {counted(n.k, 'release')} of ε = {six_digits(n.eps)} each, the best theorem ({n.winner}) charges "
            f"ε = {brief(n.total[n.winner])} in total; the exact cost is {brief(n.total[OPTIMUM])}.\n"
            f"Total ε at δ = {six_digits(n.slack)} in total: {listed(n.total)}.\n"
            f"Cheaper than basic composition (diamonds): {listed(n.crossovers, _from)}."
        )


def _from(k: int | None) -> str:
    return "never" if k is None else f"from k = {k} on"


def _height(n, k, total):
    """Return where a total epsilon after k releases is drawn."""
    return total / (n.eps * k) if n.relative else total


def total_epsilon(name: str, eps: float, slack: float, k: int) -> float:
    """Return the total epsilon after k releases, by a theorem or exactly."""
    guarantee = Guarantee(eps)
    if name == OPTIMUM:
        return optimal(guarantee, k=k).epsilon(slack)
    return BY_LABEL[name].at(guarantee, slack, k).epsilon


@lru_cache(maxsize=64)
def race(eps: float, slack: float) -> dict[str, np.ndarray]:
    """Return the total epsilon of every theorem, and the exact one, at the RELEASES."""
    curves = {}
    for name in STYLES:
        curves[name] = np.array([total_epsilon(name, eps, slack, k) for k in RELEASES.tolist()])
    return curves


@lru_cache(maxsize=64)
def crossovers(eps: float, slack: float) -> dict[str, int | None]:
    """Return from which k on each theorem is cheaper than basic composition; None if it never is."""
    return {name: crossover(name, eps, slack) for name in OVERTAKING}


def crossover(name: str, eps: float, slack: float) -> int | None:
    """Return from which k on a theorem is cheaper than basic composition; None if it never is."""

    def is_ahead(k: int) -> bool:
        return total_epsilon(name, eps, slack, k) < k * eps

    return first_whole(is_ahead)


def first_whole(holds: Callable[[int], bool]) -> int | None:
    """Return the least k at which something holds that stays true; None if there is none within reach."""
    enough = 1
    while not holds(enough):
        enough *= 2
        if enough > FAR:
            return None
    return bisect_left(range(enough), True, lo=enough // 2, key=holds)
