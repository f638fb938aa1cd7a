"""Explorer: the privacy region of k releases, and what the theorems say about it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from ...composition import BASIC, THEOREMS, Composed, Theorem
from ...figures.style import FONT, balanced_error, least_alarm, line_style, lower_boundary
from ...guarantee import Guarantee
from ...optimum import optimal
from ..base.controls import choice, int_slider, log_slider, pick, short
from ..base.explorer import Explorer

GROWING = "1, 2, …, k releases"
BY_THEOREM = "the theorems at k"
KOV = [theorem for theorem in THEOREMS.values() if theorem.number]  # those that the paper numbers
EXACT = "exact (Thm 3.3)"
DELTAS = (0, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
SLACKS = np.geomspace(1e-9, 0.9, 60)
ALARMS = np.linspace(0, 1, 201)
MOST_CURVES = 7


class Bounded(NamedTuple):
    """What a tester is known not to fall below: points (missed, alarm), and the error where both are equal."""

    boundary: np.ndarray
    error: float


class CompositionRegions(Explorer):
    """What can a tester achieve who sees k releases, and what do the theorems know about it?"""

    controls: ClassVar = dict(
        eps=log_slider(0.01, 3, 0.1, "ε of one release"),
        delta=pick(DELTAS, 0.001, "δ of one release"),
        k=int_slider(1, 100, 30, "releases k"),
        show=choice((BY_THEOREM, GROWING), label="show"),
    )
    presets: ClassVar = {
        "KOV, Figure 2 (left)": dict(eps=0.4, delta=0, k=5, show=GROWING),
        "KOV, Figure 2 (right)": dict(eps=0.4, delta=0.1, k=5, show=GROWING),
        "KOV, Figure 3": dict(eps=0.1, delta=0.001, k=30, show=BY_THEOREM),
        "pure, many": dict(eps=0.1, delta=0, k=100),
    }
    xlabel = "missed detection"
    ylabel = "false alarm"
    size = (6.4, 5.6)
    margins: ClassVar = dict(left=0.12, right=0.97, bottom=0.11, top=0.97)

    def numbers(self, eps, delta, k, show):
        curves = growing(eps, delta, k) if show == GROWING else by_theorem(eps, delta, k)
        errors = {name: curve.error for name, curve in curves.items()}
        return dict(curves=curves, errors=errors)

    def draw(self, ax, n):
        for i, (name, curve) in enumerate(n.curves.items()):
            style = line_style(4 if name == EXACT else i)  # the truth is black
            ax.plot(*curve.boundary.T, label=name, **style)
            ax.plot(curve.error, curve.error, "o", ms=6, color=style["color"])
        ax.plot([0, 1], [1, 0], color="0.55", linewidth=1.2)
        ax.plot([0, 0.5], [0, 0.5], color="0.8", linewidth=1, zorder=1)
        ax.text(0.565, 0.505, "blind guessing", color="0.35", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
        ax.set(xlim=(-0.01, 1), ylim=(-0.01, 1), aspect="equal")
        ax.legend(fontsize=FONT - 1, loc="upper right")

    def caption(self, n):
        errors = ", ".join(f"{name}: {error:.6g}" for name, error in n.errors.items())
        each = f"ε = {n.eps:.6g}, δ = {short(n.delta)}"
        if n.show == BY_THEOREM:
            told = f"{n.k} releases with {each} each: both errors at once are at least {errors}."
            return f"{told} The last one can be reached."
        told = f"A tester of up to {n.k} releases with {each} each can lower both errors at once to: {errors}."
        if self._is_figure_2(n):
            return f"{told} KOV's Figure 2 has this form; the paper does not print its parameters."
        return told

    def _is_figure_2(self, n) -> bool:
        figures = [preset for name, preset in self.presets.items() if "Figure 2" in name]
        return any((n.eps, n.delta, n.k) == (f["eps"], f["delta"], f["k"]) for f in figures)


@lru_cache(maxsize=128)
def exact(eps: float, delta: float, k: int) -> Bounded:
    """Return the exact region (KOV, Theorem 3.3)."""
    lower = lower_boundary(optimal(Guarantee(eps, delta), k=k))
    return Bounded(lower, balanced_error(lower))


def growing(eps: float, delta: float, k: int) -> dict[str, Bounded]:
    """Return the exact regions of 1 to k releases; of many, only some."""
    ks = sorted({round(j) for j in np.linspace(1, k, min(k, MOST_CURVES))})
    return {f"k = {j}": exact(eps, delta, j) for j in ks}


@lru_cache(maxsize=64)
def by_theorem(eps: float, delta: float, k: int) -> dict[str, Bounded]:
    """Return for each theorem of KOV what it says about k releases, and at last the truth."""
    one = Guarantee(eps, delta)
    return {named(theorem): told_by(theorem, one, k) for theorem in KOV} | {EXACT: exact(eps, delta, k)}


def named(theorem: Theorem) -> str:
    """Return a theorem's name and its number in KOV's paper."""
    number = theorem.number.replace("Theorem", "Thm")
    return f"{theorem.label} ({number})"


def told_by(theorem: Theorem, one: Guarantee, k: int) -> Bounded:
    """Return what a theorem says about k releases; where it has a slack, for all slacks at once."""
    if theorem is BASIC:
        composed = theorem.formula(one, k=k)
        return Bounded(lower_boundary(composed), composed.equal_errors)
    return for_all_slacks(lambda slack: theorem.formula(one, slack, k=k))


def for_all_slacks(compose: Callable[[float], Composed]) -> Bounded:
    """Return the intersection of the regions that a theorem gives for all slacks."""
    promises = [compose(slack) for slack in SLACKS]
    missed = least_alarm(promises, ALARMS)  # the regions are symmetric: what holds for one error holds for the other
    best = int(np.argmax([promise.equal_errors for promise in promises]))
    low = SLACKS[max(best - 1, 0)]
    high = SLACKS[min(best + 1, len(SLACKS) - 1)]
    error = highest(lambda log_slack: compose(math.exp(log_slack)).equal_errors, math.log(low), math.log(high))
    return Bounded(np.stack([missed, ALARMS], axis=1), error)


def highest(f: Callable[[float], float], low: float, high: float) -> float:
    """Return the maximum of a function with one peak, by thirds."""
    for _ in range(50):
        third = (high - low) / 3
        if f(low + third) < f(high - third):
            low += third
        else:
            high -= third
    return f((low + high) / 2)
