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
from ..base.controls import choice, int_slider, log_slider, pick
from ..base.explorer import Explorer
from ..base.words import brief, counted, from_log, six_digits

GROWING = "1, 2, …, k releases"
BY_THEOREM = "the theorems at k"
KOV = [theorem for theorem in THEOREMS.values() if theorem.number]  # those that the paper numbers
EXACT = "exact (Thm 3.3)"
DELTAS = (0, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
SLACKS = np.geomspace(1e-9, 0.9, 60)
ALARMS = np.linspace(0, 1, 201)
MOST_CURVES = 7
SMALLEST = 1e-300  # a smaller error is told by its logarithm
GOLDEN = (math.sqrt(5) - 1) / 2


class Bounded(NamedTuple):
    """What a tester is known not to fall below: points (missed, alarm), and the error where both are equal.

    That error may be too small for a float, so its logarithm is kept as well.
    """

    boundary: np.ndarray
    error: float
    log_error: float

    def __str__(self) -> str:
        return six_digits(self.error) if self.error > SMALLEST else from_log(self.log_error)


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
        errors = ", ".join(f"{name}: {curve}" for name, curve in n.curves.items())
        *_, exact = n.errors.values()
        told = (
            f"After {counted(n.k, 'release')} of ε = {six_digits(n.eps)} and δ = {six_digits(n.delta)} each, a tester "
            f"can lower both errors at once to {brief(exact)}, not further."
        )
        if n.show == BY_THEOREM:
            return f"{told}\nWhat the theorems know, the least error both ways at once: {errors}."
        if self._is_figure_2(n):
            errors += ".\nKOV's Figure 2 has this form; the paper does not print its parameters"
        return f"{told}\nThe least error both ways at once: {errors}."

    def _is_figure_2(self, n) -> bool:
        figures = [preset for name, preset in self.presets.items() if "Figure 2" in name]
        return any((n.eps, n.delta, n.k) == (f["eps"], f["delta"], f["k"]) for f in figures)


@lru_cache(maxsize=128)
def exact(eps: float, delta: float, k: int) -> Bounded:
    """Return the exact region (KOV, Theorem 3.3)."""
    lower = lower_boundary(optimal(Guarantee(eps, delta), k=k))
    error = balanced_error(lower)
    return Bounded(lower, error, math.log(error))


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
        return Bounded(lower_boundary(composed), composed.equal_errors, composed.log_equal_errors)
    return for_all_slacks(lambda slack: theorem.formula(one, slack, k=k))


def for_all_slacks(compose: Callable[[float], Composed]) -> Bounded:
    """Return the intersection of the regions that a theorem gives for all slacks."""
    promises = [compose(slack) for slack in SLACKS]
    missed = least_alarm(promises, ALARMS)  # the regions are symmetric: what holds for one error holds for the other
    best = int(np.argmax([promise.log_equal_errors for promise in promises]))
    low = SLACKS[max(best - 1, 0)]
    high = SLACKS[min(best + 1, len(SLACKS) - 1)]
    log_slack = peak(lambda log_slack: compose(math.exp(log_slack)).log_equal_errors, math.log(low), math.log(high))
    promise = compose(math.exp(log_slack))
    return Bounded(np.stack([missed, ALARMS], axis=1), promise.equal_errors, promise.log_equal_errors)


def peak(f: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one peak is highest, by the golden section: each step asks it once."""
    inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)]
    heights = [f(x) for x in inner]
    for _ in range(45):
        if heights[0] < heights[1]:
            low = inner[0]
            inner = [inner[1], low + GOLDEN * (high - low)]
            heights = [heights[1], f(inner[1])]
        else:
            high = inner[1]
            inner = [high - GOLDEN * (high - low), inner[0]]
            heights = [f(inner[0]), heights[0]]
    return (low + high) / 2
