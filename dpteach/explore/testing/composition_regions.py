"""Explorer: the privacy region of k releases, and what the theorems say about it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...composition import Composed, advanced, basic, kov_closed_form
from ...figures.style import FONT, balanced_error, line_style, lower_boundary
from ...guarantee import Guarantee
from ...optimum import optimal
from ..base.controls import choice, int_slider, log_slider, pick, short
from ..base.explorer import Explorer

GROWING, THEOREMS = "1, 2, …, k releases", "the theorems at k"
DELTAS = (0, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
SLACKS = np.geomspace(1e-9, 0.9, 60)
ALARMS = np.linspace(0, 1, 201)
MOST_CURVES = 7


class CompositionRegions(Explorer):
    """What can a tester achieve who sees k releases, and what do the theorems know about it?"""

    controls: ClassVar = dict(
        eps=log_slider(0.01, 3, 0.1, "ε of one release"),
        delta=pick(DELTAS, 0.001, "δ of one release"),
        k=int_slider(1, 100, 30, "releases k"),
        show=choice((THEOREMS, GROWING), label="show"),
    )
    presets: ClassVar = {
        "KOV, Figure 2 (left)": dict(eps=0.4, delta=0, k=5, show=GROWING),
        "KOV, Figure 2 (right)": dict(eps=0.4, delta=0.1, k=5, show=GROWING),
        "KOV, Figure 3": dict(eps=0.1, delta=0.001, k=30, show=THEOREMS),
        "pure, many": dict(eps=0.1, delta=0, k=100),
    }
    xlabel, ylabel = "missed detection", "false alarm"
    size = (6.4, 5.6)
    margins: ClassVar = dict(left=0.12, right=0.97, bottom=0.11, top=0.97)

    def numbers(self, eps, delta, k, show):
        curves = growing(eps, delta, k) if show == GROWING else by_theorem(eps, delta, k)
        errors = {name: error for name, (_, error) in curves.items()}
        return dict(eps=eps, delta=delta, k=k, growing=show == GROWING, curves=curves, errors=errors)

    def draw(self, ax, n):
        styles = map(line_style, range(len(n.curves)) if n.growing else (0, 1, 2, 4))  # the truth is black
        for (name, (boundary, error)), style in zip(n.curves.items(), styles, strict=True):
            ax.plot(*boundary.T, label=name, **style)
            ax.plot(error, error, "o", ms=6, color=style["color"])
        ax.plot([0, 1], [1, 0], color="0.55", linewidth=1.2)
        ax.plot([0, 0.5], [0, 0.5], color="0.8", linewidth=1, zorder=1)
        ax.text(0.565, 0.505, "blind guessing", color="0.35", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
        ax.set(xlim=(-0.01, 1), ylim=(-0.01, 1), aspect="equal")
        ax.legend(fontsize=FONT - 1, loc="upper right")

    def caption(self, n):
        errors = ", ".join(f"{name}: {error:.6g}" for name, error in n.errors.items())
        each = f"ε = {n.eps:.6g}, δ = {short(n.delta)}"
        if n.growing:
            told = f"A tester of up to {n.k} releases with {each} each can lower both errors at once to: {errors}."
            paper = " KOV's Figure 2 has this form; the paper does not print its parameters."
            return told + (paper if self._is_figure_2(n) else "")
        return (
            f"{n.k} releases with {each} each: both errors at once are at least {errors}. The last one can be reached."
        )

    def _is_figure_2(self, n) -> bool:
        figures = (preset for name, preset in self.presets.items() if "Figure 2" in name)
        return any((n.eps, n.delta, n.k) == (f["eps"], f["delta"], f["k"]) for f in figures)


@lru_cache(maxsize=128)
def exact(eps: float, delta: float, k: int) -> tuple[np.ndarray, float]:
    """Return the boundary of the exact region, and its point on the diagonal (KOV, Theorem 3.3)."""
    lower = lower_boundary(optimal(Guarantee(eps, delta), k=k))
    return lower, balanced_error(lower)


def growing(eps: float, delta: float, k: int) -> dict[str, tuple[np.ndarray, float]]:
    """Return the exact regions of 1 to k releases; of many, only some."""
    ks = sorted({round(j) for j in np.linspace(1, k, min(k, MOST_CURVES))})
    return {f"k = {j}": exact(eps, delta, j) for j in ks}


@lru_cache(maxsize=64)
def by_theorem(eps: float, delta: float, k: int) -> dict[str, tuple[np.ndarray, float]]:
    """Return for each theorem what it says about k releases; where it has a slack, for all slacks at once."""
    one = Guarantee(eps, delta)
    sum_up = lower_boundary(basic(one, k=k))
    return {
        "basic (Thm 3.1)": (sum_up, balanced_error(sum_up)),
        "advanced (Thm 3.2)": for_all_slacks(lambda slack: advanced(one, slack, k=k)),
        "closed form (Thm 3.4)": for_all_slacks(lambda slack: kov_closed_form(one, slack, k=k)),
        "exact (Thm 3.3)": exact(eps, delta, k),
    }


def for_all_slacks(theorem: Callable[[float], Composed]) -> tuple[np.ndarray, float]:
    """Return the boundary of the intersection of a theorem's regions over all slacks, and its point on the diagonal."""
    told = [theorem(slack) for slack in SLACKS]
    missed = np.max([guarantee.curve.tradeoff(ALARMS) for guarantee in told], axis=0)
    best = int(np.argmax([guarantee.equal_errors for guarantee in told]))
    ends = np.log(SLACKS[[max(best - 1, 0), min(best + 1, len(SLACKS) - 1)]])
    return np.stack([missed, ALARMS], axis=1), highest(lambda x: theorem(math.exp(x)).equal_errors, *ends)


def highest(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the maximum of a function with one peak, by thirds."""
    for _ in range(50):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if f(left) < f(right) else (low, right)
    return f((low + high) / 2)
