"""Explorer: a mechanism and a leak that share randomness, and what Theorem 9 knows about them."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ...figures.style import COLOURS, FONT, line_style, panels
from ...leakage import LeakyMechanism
from ...leakage.bounds import independence_bound, independence_optimum, independence_optimum_at
from ...leakage.examples import independence_extremal, noisy_pad, sampled_study
from ..base.controls import choice, pick, slider
from ..base.explorer import Explorer
from ..base.words import tell

EXTREMAL = "the extremal example"
STUDY = "sampled study, draw leaks"
PAD = "one-bit pad, noisy key leaks"
RATIOS = (1, 1.1, 1.2, 1.5, 2, 2.5, 3, 4)
DELTAS = (0, 0.01, 0.025, 0.05, 0.1, 0.125, 0.2, 0.3)
WEIGHTS = (0.01, 0.05, 0.1, 0.2, 0.25, Fraction(1, 3), 0.5, 0.75, 0.9)
ENDS = (4, 10, 20, 50, 100)  # of the axis
TICKS = (1, 2, 3, 4, 6, 10, 20, 50, 100)
POINTS = 40
ALMOST = Fraction(999_999, 1_000_000)
FAIR = Fraction(1, 2)
STEPS = ("Pr[S | o] at x'", "Pr[S] at x'", "Pr[S] at x", "Pr[S | o] at x")


class Independence(Explorer):
    """How much privacy is lost when mechanism and leak share randomness, and is Theorem 9 as good as possible?"""

    controls: ClassVar = dict(
        pair=choice((EXTREMAL, STUDY, PAD), label="mechanism, leak"),
        ratio=pick(RATIOS, 1.5, "e^ε of plain DP"),
        shared=pick(RATIOS, 2, "e^ε' of indep."),
        delta=pick(DELTAS, 0.05, "δ (extremal)"),
        shared_delta=pick(DELTAS, 0.025, "δ' (extremal)"),
        weight=pick(map(float, WEIGHTS), 0.2, "Pr[o] (extremal)"),
        flip=slider(0, 0.5, 0.25, 0.05, "flip (the others)"),
    )
    presets: ClassVar = {
        "Theorem 9 attained": dict(),
        "attained, pure": dict(delta=0, shared_delta=0, weight=float(WEIGHTS[5])),
        "the bound exceeds one": dict(ratio=2, delta=0.2, shared_delta=0.125),
        "a likelier leak tells less": dict(weight=0.75),
        "sampled study": dict(pair=STUDY, ratio=2, flip=0),
        "sampled study, noisy draw": dict(pair=STUDY, ratio=2, shared=1.5),
        "noisy key": dict(pair=PAD, ratio=1),
        "the pad with its key: attained": dict(pair=PAD, ratio=1, shared=1, flip=0),
    }
    size = (9.0, 4.6)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1.3, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.08, right=0.985, bottom=0.17, top=0.91, wspace=0.2)
        left.set_xscale("log")
        left.set_xlabel("e^ε of bounded leakage", fontsize=FONT)
        left.set_ylabel("δ", fontsize=FONT)
        right.set_title("probability of the best event S", loc="left", fontsize=FONT)
        right.grid(axis="x", visible=False)
        right.set_yticks(np.arange(6) / 5)
        return figure

    def numbers(self, pair, ratio, shared, delta, shared_delta, weight, flip):
        given = [Fraction(str(x)) for x in (ratio, delta, shared, shared_delta)]
        chance = Fraction(weight).limit_denominator(100) if pair == EXTREMAL else Fraction(str(flip))
        return dict(pair=pair, chance=chance) | told(pair, *given, chance)

    def draw(self, axes, n):
        left, right = axes
        self._draw_curves(left, n)
        self._draw_steps(right, n)

    def _draw_curves(self, ax, n):
        ax.plot(n.grid, n.worst, label="worst of all pairs", **line_style(1))
        if n.curve is not None:
            ax.plot(n.grid, n.curve, label="this pair", **line_style(0))
        look = dict(ms=11, mfc="none", mew=2.4, color="black", clip_on=False)
        ax.plot(float(n.at), min(float(n.bound), 1.04), "D", label="Theorem 9", **look)
        ax.axvline(float(n.at), color="0.6", linewidth=1, zorder=1)
        ticks = [x for x in TICKS if x <= n.end]
        ax.set_xticks(ticks, [str(x) for x in ticks])
        ax.set_xticks([], minor=True)
        ax.set(xlim=(1, n.end), ylim=(-0.02, 1.08))
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), ncols=3, columnspacing=1,
                  handlelength=1.8, handletextpad=0.5, frameon=False)  # fmt: skip

    def _draw_steps(self, ax, n):
        ax.set_xticks(range(4), ["given o,\nx'", "at x'", "at x", "given o,\nx"])
        ax.set(xlim=(-0.5, 3.5), ylim=(0, 1.2))
        if n.steps is None:
            ax.text(1.5, 0.5, "no extremal pair has\nso likely a telling leak", ha="center", fontsize=FONT)
            return
        ax.bar(range(4), [float(p) for p in n.steps], width=0.62, color=[COLOURS[i] for i in (5, 0, 0, 5)],
               hatch=["//", "", "", "//"], edgecolor="white")  # fmt: skip
        for i, p in enumerate(n.steps):
            ax.text(i, float(p) + 0.015, f"{float(p):.4g}", ha="center", fontsize=FONT - 1)
        for i, name in enumerate(("indep.", "DP", "indep.")):
            ax.text(i + 0.5, 1.13, f"{name} →", ha="center", fontsize=FONT - 2)

    def caption(self, n):
        a, d, b, e = (f"{float(x):.6g}" for x in n.levels)
        return (
            f"{_named(n)} Plain DP holds with e^ε = {a}, δ = {d}; output and leak are independent up to e^ε' = {b}, "
            f"δ' = {e}. Theorem 9: given the leak e^ε = {tell(n.at)}, δ = {tell(n.bound)}"
            f"{', which says nothing' if n.bound >= 1 else ''}. The exact worst case of all such pairs there: "
            f"δ = {tell(n.optimum)}; where the telling value leaks with probability {float(n.weight):.6g}: "
            f"{n.at_weight:.6g}. {_exactly(n)}"
        )


def _named(n) -> str:
    if n.pair == EXTREMAL:
        return f"The extremal example, a telling value leaks with probability {float(n.chance):.6g}."
    what = {
        STUDY: "Randomized response (e^ε = 3) about one of two people, the draw leaks",
        PAD: "x xor r, the key r leaks",
    }
    return f"{what[n.pair]}, flipped with probability {float(n.chance):.6g}."


def _exactly(n) -> str:
    if n.steps is None:
        return "No extremal pair has so likely a telling leak."
    steps = ", ".join(f"{name} = {tell(p)}" for name, p in zip(STEPS, n.steps, strict=True))
    reach = f", and e^ε = {tell(n.reach)} suffices for the theorem's δ" if n.bound < 1 else ""
    return f"This pair, exactly: δ = {tell(n.exact)} there{reach}. Its best event S: {steps}."


@lru_cache(maxsize=128)
def example(pair: str, a, d, b, e, chance: Fraction) -> LeakyMechanism | None:
    """Return the mechanism with its leak; None if no extremal one has so likely a telling value."""
    if pair != EXTREMAL:
        return sampled_study(3, chance) if pair == STUDY else noisy_pad(chance)
    try:
        return independence_extremal(a, d, b, e, chance)
    except ValueError:
        return None


@lru_cache(maxsize=128)
def told(pair: str, a: Fraction, d: Fraction, b: Fraction, e: Fraction, chance: Fraction) -> dict:
    """Return Theorem 9 at e^eps = a, e^eps' = b, its worst case, and what this mechanism and leak have exactly."""
    leaky = example(pair, a, d, b, e, chance)
    if pair != EXTREMAL:
        d = leaky.without_leak().delta(ratio=a)
        e = leaky.independence().delta(ratio=b)
    at, bound = independence_bound(a, d, b, e)
    weight = chance if pair == EXTREMAL else FAIR
    end = ENDS[bisect_left(ENDS, 1.2 * at)]
    grid = np.unique([*np.geomspace(1, end, POINTS), float(at)])
    found = dict(
        levels=(a, d, b, e), at=at, bound=bound, weight=weight, end=end, grid=grid,
        optimum=independence_optimum(a, d, b, e), at_weight=abs(round(independence_optimum_at(weight, a, d, b, e), 12)),
        worst=[float(independence_optimum(a, d, b, e, float(x))) for x in grid], curve=None, steps=None,
    )  # fmt: skip
    return found if leaky is None else found | exactly(leaky, grid, at, min(bound, Fraction(1)))


def exactly(leaky: LeakyMechanism, grid: np.ndarray, at: Fraction, delta: Fraction) -> dict:
    """Return the exact curve, delta at e^eps = `at`, the e^eps that `delta` needs, and the best event step by step."""
    reach = leaky.ratio(delta)
    seen = leaky.witness(ratio=max(Fraction(1), min(reach, at) * ALMOST))
    without_leak = [chance(leaky.law(x), seen.outputs) for x in (seen.neighbour, seen.x)]
    steps = (seen.q, *without_leak, seen.p)
    return dict(exact=leaky.delta(ratio=at), reach=reach, curve=leaky.delta(np.log(grid)), steps=steps)


def chance(law: dict, event: tuple) -> Fraction:
    """Return the probability of an event."""
    return sum(law.get(m, 0) for m in event)
