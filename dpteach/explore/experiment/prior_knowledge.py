"""Explorer: what the adversary knows beforehand about the number of databases that hold the record."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...curve import Curve
from ...experiment import Hypothesis, hypothesis_dp, uniform_prior
from ...figures.style import COLOURS, FONT, line_style
from ...guarantee import Guarantee
from ...optimum import optimal
from ..base.axes import two_panels
from ..base.controls import int_slider, log_slider, slider
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import brief, six_digits

DELTAS = np.geomspace(1e-12, 0.1, 45)
YOURS = "this belief"
ALL = "all databases"
UNIFORM = "uninformative"
ONE = "exactly one"
STYLES = {
    YOURS: dict(color="black", linewidth=5),
    ALL: line_style(0),
    UNIFORM: line_style(1),
    ONE: line_style(2),
}
TOPS = (0.05, 0.1, 0.2, 0.5, 1.1)  # ends of the axis of probabilities


class PriorKnowledge(Explorer):
    """Nowhere or somewhere: how much does it matter what the adversary believes about the number of databases?"""

    controls: ClassVar = dict(
        rate=slider(0, 1, 0.5, 0.05, "chance of each"),
        mix=slider(0, 1, 0, 0.05, "equal counts"),
        k=int_slider(1, 50, 10, "databases k"),
        eps=log_slider(0.01, 2, 0.5, "ε of each release"),
        delta=log_slider(1e-12, 0.1, 1e-4, "δ in total", steps=1),
    )
    presets: ClassVar = {
        "the paper's uninformative prior": dict(),
        "uniform on the count": dict(mix=1),
        "exactly one database": dict(rate=0),
        "all databases: the classic case": dict(rate=1),
        "hardly any": dict(rate=0.1),
    }
    size = (9.0, 4.4)

    def blank(self) -> Sheet:
        margins = dict(left=0.085, right=0.975, bottom=0.135, top=0.91, wspace=0.25)
        sheet, left, right = two_panels(self.size, (1, 1.3), **margins)
        left.set_title("what the adversary believes", loc="left", fontsize=FONT)
        left.xaxis.whole = True
        left.set_xlabel("databases with the record", fontsize=FONT)
        left.set_ylabel("probability", fontsize=FONT)
        right.set_title("exact ε of nowhere against somewhere", loc="left", fontsize=FONT)
        right.set_xlabel("δ", fontsize=FONT)
        right.set_xscale("log")
        return sheet

    def numbers(self, rate, mix, k, eps, delta):
        law = belief(k, rate, mix)
        yours = curve_of(k, eps, tuple(law))
        curves = limits(k, eps) | {YOURS: yours}
        return dict(
            law=law,
            mean=Hypothesis.by_count(k, law).mean_count(),
            curves={name: known.drawn for name, known in curves.items()},
            epsilons={name: known.curve.epsilon(delta) for name, known in curves.items()},
            ways=[yours.curve.epsilon(delta, "qp"), yours.curve.epsilon(delta, "pq")],
            closed=uniform_prior(Guarantee(eps), k).corollary_7().epsilon,
        )

    def idle(self, settings):
        return {"rate": "all counts are equally likely"} if settings["mix"] == 1 else {}

    def draw(self, axes, n):
        left, right = axes
        self._draw_belief(left, n)
        self._draw_curves(right, n)

    def _draw_belief(self, ax, n):
        counts = np.arange(n.k + 1)
        top = next(top for top in TOPS if n.law.max() < 0.95 * top)
        ax.bar(counts, n.law, width=0.8, color=COLOURS[5], edgecolor="black", linewidth=0.6)
        ax.axvline(n.mean, color="black", linestyle=":", linewidth=1.6)
        ax.set(xlim=(-0.6, n.k + 0.6), ylim=(0, top))

    def _draw_curves(self, ax, n):
        for name, style in STYLES.items():
            ax.plot(DELTAS, n.curves[name], label=name, **style)
            ax.plot(n.delta, n.epsilons[name], "o", ms=7, color=style["color"])
        ax.axhline(n.closed, color=COLOURS[1], linestyle=":", linewidth=1.6, label="Corollary 7, any δ")
        ax.axvline(n.delta, color="0.6", linewidth=1, zorder=1)
        ax.set(xlim=(DELTAS[0], DELTAS[-1]), ylim=(0, 1.4 * n.k * n.eps))
        ax.legend(fontsize=FONT - 2, loc="upper right", ncols=2)

    def caption(self, n):
        exact = {name: six_digits(eps) for name, eps in n.epsilons.items()}
        there, back = map(six_digits, n.ways)
        return (
            f"With this belief the exact ε is {brief(n.epsilons[YOURS])}; it is {brief(n.epsilons[ONE])} if exactly "
            f"one database has the record, {brief(n.epsilons[ALL])} if all have it.\n"
            f"Databases: {n.k}, one release of ε = {six_digits(n.eps)} each. If the record is anywhere, so the "
            f"adversary believes, {_belief_words(n)}; the mean count is {six_digits(n.mean)} (dotted).\n"
            f"Exact ε at δ = {six_digits(n.delta)}: {exact[YOURS]} (somewhere bounded by nowhere {there}, the other "
            f"way {back}).\nExactly one database: {exact[ONE]}; all databases, the worst case: {exact[ALL]}.\n"
            f"The uninformative prior, all vectors but zero equally likely: {exact[UNIFORM]}, by Corollary 7 at any δ "
            f"{six_digits(n.closed)}."
        )


def _belief_words(n) -> str:
    counted = "all counts from 1 to k are equally likely"
    if n.mix == 0:
        return _bernoulli_words(n.rate)
    if n.mix == 1:
        return counted
    return f"with weight {1 - n.mix:g}, {_bernoulli_words(n.rate)}; with weight {n.mix:g}, {counted}"


def _bernoulli_words(rate: float) -> str:
    if rate == 0:
        return "exactly one database holds the record"
    if rate == 1:
        return "all databases hold it"
    return f"each database holds the record with chance {rate:g} and at least one does"


def belief(k: int, rate: float, mix: float) -> np.ndarray:
    """Return a law of the number of ones: each bit is one with chance `rate`, given one is; mixed with uniform."""
    ones = np.arange(1, k + 1)
    vectors = np.array([math.comb(k, j) for j in ones])
    odds = vectors * float(rate) ** (ones - 1) * (1 - float(rate)) ** (k - ones)
    somewhere = (1 - mix) * odds / odds.sum() + mix / k
    return np.concatenate([[0.0], somewhere])


@dataclass(frozen=True, eq=False)
class Known:
    """A curve, and its epsilons at the DELTAS."""

    curve: Curve
    drawn: np.ndarray

    @classmethod
    def of(cls, curve: Curve) -> Known:
        """Return a curve with its points for drawing."""
        return cls(curve, curve.epsilon(DELTAS))


@lru_cache(maxsize=256)
def curve_of(k: int, eps: float, law: tuple[float, ...]) -> Known:
    """Return the exact curve of nowhere against a law of the number of ones."""
    nowhere = Hypothesis.point([0] * k)
    somewhere = Hypothesis.by_count(k, law)
    return Known.of(hypothesis_dp(Guarantee(eps), nowhere, somewhere))


@lru_cache(maxsize=64)
def limits(k: int, eps: float) -> dict[str, Known]:
    """Return the curves between which beliefs move: one database, HBW's uninformative prior, all databases."""
    return {
        ONE: curve_of(k, eps, tuple(belief(k, 0, 0))),
        UNIFORM: Known.of(uniform_prior(Guarantee(eps), k).exact),
        ALL: Known.of(optimal(Guarantee(eps), k=k)),
    }
