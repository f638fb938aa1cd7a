"""Explorer: the composition theorems against the number of releases."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np

from ..composition import advanced, basic, concentrated, kov_closed_form, sharper
from ..figures import FONT, line_style
from ..guarantee import Guarantee
from ..optimal import optimal
from .controls import choice, int_slider, log_slider, short
from .explorer import Explorer

LONGEST = 1000
RUNNERS = {
    "basic": lambda g, slack, k: basic(g, k=k).epsilon,
    "advanced": lambda g, slack, k: advanced(g, slack, k=k).epsilon,
    "concentrated": lambda g, slack, k: concentrated(g, slack, k=k).epsilon,
    "KOV's closed form": lambda g, slack, k: kov_closed_form(g, slack, k=k).epsilon,
    "sharper": lambda g, slack, k: sharper(g, slack, k=k).epsilon,
    "exact optimum": lambda g, slack, k: optimal(g, k=k).epsilon(slack),
}
OVERTAKING = ("advanced", "concentrated", "KOV's closed form", "sharper")  # the optimum is never behind
STYLES = dict(zip(RUNNERS, map(line_style, (0, 1, 2, 3, 5, 4)), strict=True))  # the truth is black
FAR = 2**52


class BudgetRace(Explorer):
    """Which composition theorem is cheapest, and from how many releases on?"""

    controls: ClassVar = dict(
        eps=log_slider(0.01, 2, 0.1, "ε of one release"),
        slack=log_slider(1e-12, 1e-2, 1e-6, "δ in total", steps=1),
        k=int_slider(1, LONGEST, 100, "releases k"),
        show=choice(("compared with basic", "total ε"), label="show"),
    )
    presets: ClassVar = {
        "the textbook mistake": dict(eps=1, k=500, slack=1e-5),
        "a census": dict(eps=0.01, k=1000),
        "few and large": dict(eps=0.5, k=10),
    }

    def numbers(self, eps, slack, k, show):
        ks, curves = race(eps, slack)
        total = {name: at(name, eps, slack, k) for name in RUNNERS}
        return dict(
            eps=eps, slack=slack, k=k, relative=show != "total ε", ks=ks, curves=curves, total=total,
            crossovers=crossovers(eps, slack), winner=min(list(total)[:-1], key=total.get),
        )  # fmt: skip

    def draw(self, ax, n):
        unit = n.eps * n.ks if n.relative else 1
        for name, curve in n.curves.items():
            ax.plot(n.ks, curve / unit, label=name, **STYLES[name])
            ax.plot(n.k, n.total[name] / (n.eps * n.k if n.relative else 1), "o", ms=7, color=STYLES[name]["color"])
        for name, k in n.crossovers.items():
            if k and k <= LONGEST:
                height, colour = 1 if n.relative else k * n.eps, STYLES[name]["color"]
                ax.plot(k, height, "D", ms=9, mfc="white", mew=2, color=colour)
        ax.axvline(n.k, color="0.6", linewidth=1, zorder=1)
        self._frame(ax, n)
        ax.legend(fontsize=FONT - 2, loc="lower left" if n.relative else "upper left", ncols=1)

    def _frame(self, ax, n):
        ax.set(xscale="log", xlim=(1, LONGEST), xlabel="number of releases k")
        if n.relative:
            ax.set(yscale="linear", ylim=(0, 2), ylabel="total ε, divided by k ε")
        else:
            low = 10 ** np.floor(np.log10(n.eps))
            ax.set(yscale="log", ylim=(low, 1e4 * low), ylabel="total ε")

    def caption(self, n):
        totals = ", ".join(f"{name} {eps:.6g}" for name, eps in n.total.items())
        overtakes = ", ".join(f"{name} {_from(k)}" for name, k in n.crossovers.items())
        return (
            f"After k = {n.k} releases with ε = {n.eps:.6g} each and δ = {short(n.slack)} in total, "
            f"the total ε is: {totals}. The best theorem here is {n.winner}. "
            f"Cheaper than basic composition (diamonds): {overtakes}."
        )


def _from(k: int | None) -> str:
    return "never" if k is None else f"from k = {k} on"


def at(name: str, eps: float, slack: float, k: int) -> float:
    """Return the total epsilon after k releases, according to one of the runners."""
    return float(RUNNERS[name](Guarantee(eps), slack, k))


@lru_cache(maxsize=64)
def race(eps: float, slack: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return numbers of releases and, for each runner, its total epsilon there."""
    ks = np.unique(np.round(np.geomspace(1, LONGEST, 28)).astype(int))
    return ks, {name: np.array([at(name, eps, slack, int(k)) for k in ks]) for name in RUNNERS}


@lru_cache(maxsize=64)
def crossovers(eps: float, slack: float) -> dict[str, int | None]:
    """Return from which k on each theorem is cheaper than basic composition; None if it never is."""
    return {name: _first(lambda k, name=name: at(name, eps, slack, k) < k * eps) for name in OVERTAKING}


def _first(ahead) -> int | None:
    """Return the least k with ahead(k), which stays true; None if there is none within reach."""
    high = 1
    while not ahead(high):
        high *= 2
        if high > FAR:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ahead(middle) else (middle, high)
    return high
