"""Explorer: a mechanism and a leak that share randomness, and what Theorem 9 knows about them."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from ...figures.style import COLOURS, FONT, line_style
from ...leakage import LeakyMechanism
from ...leakage.bounds import independence_bound, independence_optimum, independence_optimum_at
from ...leakage.examples import independence_extremal, noisy_pad, sampled_study
from ..base.axes import two_panels
from ..base.controls import choice, pick, slider
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import brief, six_digits, tell

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
        ratio=pick(RATIOS, 1.5, "factor of plain DP"),
        shared=pick(RATIOS, 2, "factor of sharing"),
        delta=pick(DELTAS, 0.05, "δ of plain DP"),
        shared_delta=pick(DELTAS, 0.025, "δ' of sharing"),
        weight=pick(map(float, WEIGHTS), 0.2, "chance of the leak"),
        flip=slider(0, 0.5, 0.25, 0.05, "leak is flipped"),
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

    def blank(self) -> Sheet:
        margins = dict(left=0.08, right=0.985, bottom=0.17, top=0.91, wspace=0.2)
        sheet, left, right = two_panels(self.size, (1.3, 1), **margins)
        left.set_xscale("log")
        left.set_xlabel("factor given the leak (e to the power ε)", fontsize=FONT)
        left.set_ylabel("δ", fontsize=FONT)
        right.set_title("probability of the best event S", loc="left", fontsize=FONT)
        right.grid(axis="x", visible=False)
        right.set_yticks(np.arange(6) / 5)
        return sheet

    def numbers(self, pair, ratio, shared, delta, shared_delta, weight, flip):
        asked = Levels(*(Fraction(str(x)) for x in (ratio, delta, shared, shared_delta)))
        chance = Fraction(weight).limit_denominator(100) if pair == EXTREMAL else Fraction(str(flip))
        return dict(chance=chance) | all_answers(pair, asked, chance)

    def idle(self, settings):
        if settings["pair"] == EXTREMAL:
            return {"flip": "nothing is flipped in the extremal example"}
        return dict.fromkeys(("delta", "shared_delta", "weight"), "only for the extremal example")

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
        ticks = [tick for tick in TICKS if tick <= n.grid[-1]]
        ax.set_xticks(ticks, [str(tick) for tick in ticks])
        ax.set(xlim=(1, n.grid[-1]), ylim=(-0.02, 1.08))
        narrow = dict(columnspacing=1, handlelength=1.8, handletextpad=0.5, frameon=False)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), ncols=3, **narrow)

    def _draw_steps(self, ax, n):
        ax.set_xticks(range(4), ["given o,\nx'", "at x'", "at x", "given o,\nx"])
        ax.set(xlim=(-0.5, 3.5), ylim=(0, 1.2))
        if n.steps is None:
            ax.text(1.5, 0.5, "no extremal pair has\nso likely a telling leak", ha="center", fontsize=FONT)
            return
        chances = [float(step) for step in n.steps]
        pale, dark = COLOURS[5], COLOURS[0]
        look = dict(color=[pale, dark, dark, pale], hatch=["//", "", "", "//"], edgecolor="white")
        ax.bar(range(4), chances, width=0.62, **look)
        for i, chance in enumerate(chances):
            ax.text(i, chance + 0.015, f"{chance:.4g}", ha="center", fontsize=FONT - 1)
        for i, name in enumerate(("indep.", "DP", "indep.")):
            ax.text(i + 0.5, 1.13, f"{name} →", ha="center", fontsize=FONT - 2)

    def caption(self, n):
        ratio, delta, shared, shared_delta = map(six_digits, n.levels)
        return (
            f"{_headline(n)}\n{_named(n)}\n"
            f"A factor is e to the power ε. Plain DP holds with factor {ratio}, δ = {delta}; output and leak are "
            f"independent up to factor {shared}, δ' = {shared_delta}.\n"
            f"Theorem 9 gives factor {tell(n.at)}, δ = {tell(n.bound)}; the exact worst case of all such pairs there: "
            f"δ = {tell(n.optimum)}; where the telling value leaks with probability {six_digits(n.weight)}: "
            f"{six_digits(n.at_weight)}.\n{_exactly(n)}"
        )


# ------------------------------------------------------------------------------------------------------- what is said


def _headline(n) -> str:
    """Say which delta Theorem 9 promises, and which one is needed."""
    nothing = ", which says nothing" if n.bound >= 1 else ""
    promised = f"Theorem 9 promises δ = {brief(n.bound)}{nothing}"
    if n.steps is None:
        return (
            f"At a factor of {brief(n.at)} given the leak, {promised}; no extremal pair has so likely a telling leak."
        )
    return f"At a factor of {brief(n.at)} given the leak, {promised}; this pair needs δ = {brief(n.exact)}, exactly."


def _named(n) -> str:
    chance = six_digits(n.chance)
    if n.pair == EXTREMAL:
        return f"The extremal example, a telling value leaks with probability {chance}."
    if n.pair == STUDY:
        what = "Randomized response (factor 3) about one of two people, the draw leaks"
    else:
        what = "x xor r, the key r leaks"
    return f"{what}, flipped with probability {chance}."


def _exactly(n) -> str:
    if n.steps is None:
        return "No extremal pair has so likely a telling leak."
    steps = ", ".join(f"{name} = {tell(chance)}" for name, chance in zip(STEPS, n.steps, strict=True))
    reach = f", and the factor {tell(n.reach)} suffices for the theorem's δ" if n.bound < 1 else ""
    return f"This pair, exactly: δ = {tell(n.exact)} there{reach}. Its best event S: {steps}."


# --------------------------------------------------------------------------------------------------- what is computed


class Levels(NamedTuple):
    """What Theorem 9 assumes: e^eps and delta of plain DP, and e^eps' and delta' of independence."""

    ratio: Fraction
    delta: Fraction
    shared: Fraction
    shared_delta: Fraction


@lru_cache(maxsize=128)
def example(pair: str, asked: Levels, chance: Fraction) -> LeakyMechanism | None:
    """Return the mechanism with its leak; None if no extremal one has so likely a telling value."""
    if pair == STUDY:
        return sampled_study(3, chance)
    if pair == PAD:
        return noisy_pad(chance)
    try:
        return independence_extremal(*asked, chance)
    except ValueError:
        return None


@lru_cache(maxsize=128)
def all_answers(pair: str, asked: Levels, chance: Fraction) -> dict:
    """Return Theorem 9, its worst case, and what this mechanism and leak have exactly."""
    leaky = example(pair, asked, chance)
    levels = asked if pair == EXTREMAL else reached(leaky, asked)
    at, bound = independence_bound(*levels)
    weight = chance if pair == EXTREMAL else FAIR
    grid = points(at)
    general = dict(
        levels=levels,
        at=at,
        bound=bound,
        weight=weight,
        grid=grid,
        optimum=independence_optimum(*levels),
        at_weight=abs(round(independence_optimum_at(weight, *levels), 12)),
        worst=[float(independence_optimum(*levels, float(x))) for x in grid],
    )
    if leaky is None:
        return general | dict(curve=None, steps=None)
    return general | exactly(leaky, grid, at, min(bound, Fraction(1)))


def reached(leaky: LeakyMechanism, asked: Levels) -> Levels:
    """Return the smallest deltas with which a mechanism and its leak have the asked e^eps and e^eps'."""
    delta = leaky.without_leak().delta(ratio=asked.ratio)
    shared_delta = leaky.independence().delta(ratio=asked.shared)
    return asked._replace(delta=delta, shared_delta=shared_delta)


def points(at: Fraction) -> np.ndarray:
    """Return where the curves are drawn: from 1 to a round end of the axis, and at e^eps = `at`."""
    end = ENDS[bisect_left(ENDS, 1.2 * at)]
    return np.unique([*np.geomspace(1, end, POINTS), float(at)])


def exactly(leaky: LeakyMechanism, grid: np.ndarray, at: Fraction, delta: Fraction) -> dict:
    """Return the exact curve, delta at e^eps = `at`, the e^eps that `delta` needs, and the best event step by step."""
    reach = leaky.ratio(delta)
    seen = leaky.witness(ratio=max(Fraction(1), min(reach, at) * ALMOST))
    before = chance_of(seen.outputs, leaky.law(seen.neighbour))
    after = chance_of(seen.outputs, leaky.law(seen.x))
    steps = (seen.q, before, after, seen.p)
    return dict(exact=leaky.delta(ratio=at), reach=reach, curve=leaky.delta(np.log(grid)), steps=steps)


def chance_of(event: tuple, law: dict) -> Fraction:
    """Return the probability of an event."""
    return sum(law.get(output, 0) for output in event)
