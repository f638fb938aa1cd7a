"""Explorer: the composition theorems against the number of releases."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...composition import THEOREMS
from ...figures.style import FONT, line_style
from ...guarantee import Guarantee
from ...optimum import optimal
from ..base.controls import choice, int_slider, log_slider, short
from ..base.explorer import Explorer

LONGEST = 1000
BY_LABEL = {theorem.label: theorem for theorem in THEOREMS.values()}
OPTIMUM = "exact optimum"
RUNNERS = (*BY_LABEL, OPTIMUM)
OVERTAKING = [label for label, theorem in BY_LABEL.items() if theorem.name != "basic"]  # the optimum is never behind
STYLES = {label: line_style(theorem.line) for label, theorem in BY_LABEL.items()}
STYLES[OPTIMUM] = line_style(4)  # the truth is black
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
            crossovers=crossovers(eps, slack), winner=min(BY_LABEL, key=total.get),
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
    guarantee = Guarantee(eps)
    if name == OPTIMUM:
        return optimal(guarantee, k=k).epsilon(slack)
    return BY_LABEL[name].at(guarantee, slack, k).epsilon


@lru_cache(maxsize=64)
def race(eps: float, slack: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return numbers of releases and, for each runner, its total epsilon there."""
    ks = np.unique(np.round(np.geomspace(1, LONGEST, 28)).astype(int))
    return ks, {name: np.array([at(name, eps, slack, int(k)) for k in ks]) for name in RUNNERS}


@lru_cache(maxsize=64)
def crossovers(eps: float, slack: float) -> dict[str, int | None]:
    """Return from which k on each theorem is cheaper than basic composition; None if it never is."""
    return {name: _first(lambda k, name=name: at(name, eps, slack, k) < k * eps) for name in OVERTAKING}


def _first(ahead: Callable[[int], bool]) -> int | None:
    """Return the least k with ahead(k), which stays true; None if there is none within reach."""
    enough = 1
    while not ahead(enough):
        enough *= 2
        if enough > FAR:
            return None
    return bisect_left(range(enough), True, lo=enough // 2, key=ahead)
