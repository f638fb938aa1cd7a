"""Explorer: what the adversary knows beforehand about the number of databases that hold the record."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ...curve import Curve
from ...experiment import Hypothesis, hypothesis_dp, uniform_prior
from ...figures.style import COLOURS, FONT, line_style, panels
from ...guarantee import Guarantee
from ...optimum import optimal
from ..base.controls import int_slider, log_slider, short, slider
from ..base.explorer import Explorer

DELTAS = np.geomspace(1e-12, 0.1, 45)
YOURS = "this belief"
ALL = "all databases"
UNIFORM = "uninformative"
ONE = "exactly one"
STYLES = {YOURS: dict(color="black", linewidth=5)} | {name: line_style(i) for i, name in enumerate((ALL, UNIFORM, ONE))}


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
        "all databases: the classic experiment": dict(rate=1),
        "hardly any": dict(rate=0.1),
    }
    size = (9.0, 4.4)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1, 1.3))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.085, right=0.975, bottom=0.135, top=0.91, wspace=0.25)
        left.set_title("what the adversary believes", loc="left", fontsize=FONT)
        left.xaxis.get_major_locator().set_params(integer=True)
        left.set_xlabel("databases with the record", fontsize=FONT)
        left.set_ylabel("probability", fontsize=FONT)
        right.set_title("exact ε of nowhere against somewhere", loc="left", fontsize=FONT)
        right.set_xlabel("δ", fontsize=FONT)
        right.set_xscale("log")
        return figure

    def numbers(self, rate, mix, k, eps, delta):
        law = belief(k, rate, mix)
        yours = curve_of(k, eps, tuple(law))
        found = limits(k, eps) | {YOURS: yours}
        return dict(
            rate=rate, mix=mix, k=k, eps=eps, delta=delta, law=law, mean=float(law @ np.arange(k + 1)),
            curves={name: one.drawn for name, one in found.items()},
            epsilons={name: one.curve.epsilon(delta) for name, one in found.items()},
            ways=[yours.curve.epsilon(delta, "qp"), yours.curve.epsilon(delta, "pq")],
            closed=uniform_prior(Guarantee(eps), k).corollary_7().epsilon,
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        left.bar(np.arange(n.k + 1), n.law, width=0.8, color=COLOURS[5], edgecolor="black", linewidth=0.6)
        left.axvline(n.mean, color="black", linestyle=":", linewidth=1.6)
        top = next(top for top in (0.05, 0.1, 0.2, 0.5, 1.1) if n.law.max() < 0.95 * top)
        left.set(xlim=(-0.6, n.k + 0.6), ylim=(0, top))
        for name, style in STYLES.items():
            right.plot(DELTAS, n.curves[name], label=name, **style)
            right.plot(n.delta, n.epsilons[name], "o", ms=7, color=style["color"])
        right.axhline(n.closed, color=COLOURS[1], linestyle=":", linewidth=1.6, label="Corollary 7, any δ")
        right.axvline(n.delta, color="0.6", linewidth=1, zorder=1)
        right.set(xlim=(DELTAS[0], DELTAS[-1]), ylim=(0, 1.4 * n.k * n.eps))
        right.legend(fontsize=FONT - 2, loc="upper right", ncols=2)

    def caption(self, n):
        bernoulli = f"each database holds the record with chance {n.rate:g} and at least one does"
        bernoulli = {0: "exactly one database holds the record", 1: "all databases hold it"}.get(n.rate, bernoulli)
        counted = "all counts from 1 to k are equally likely"
        mixed = f"with weight {1 - n.mix:g}, {bernoulli}; with weight {n.mix:g}, {counted}"
        law = {0: bernoulli, 1: counted}.get(n.mix, mixed)
        return (
            f"k = {n.k} databases, one release of ε = {n.eps:g} each. If the record is anywhere, so the adversary "
            f"believes, {law}; the mean count is {n.mean:.6g} (dotted). Exact ε at δ = {short(n.delta)}: "
            f"{n.epsilons[YOURS]:.6g} (somewhere bounded by nowhere {n.ways[0]:.6g}, the other way {n.ways[1]:.6g}). "
            f"For comparison, exactly one database: {n.epsilons[ONE]:.6g}; the uninformative prior, all vectors but "
            f"zero equally likely: {n.epsilons[UNIFORM]:.6g}, by Corollary 7 at any δ {n.closed:.6g}; "
            f"all databases, the worst case: {n.epsilons[ALL]:.6g}."
        )


def belief(k: int, rate: float, mix: float) -> np.ndarray:
    """Return a law of the number of ones: each bit is one with chance `rate`, given one is; mixed with uniform."""
    j = np.arange(1, k + 1)
    ways = np.array([math.comb(k, i) for i in j])
    odds = ways * float(rate) ** (j - 1) * (1 - float(rate)) ** (k - j)
    bernoulli = (1 - mix) * odds / odds.sum()
    return np.concatenate([[0.0], bernoulli + mix / k])


@dataclass(frozen=True)
class Drawn:
    """A curve, and its epsilons at the DELTAS."""

    curve: Curve
    drawn: np.ndarray

    @classmethod
    def of(cls, curve: Curve) -> Drawn:
        """Return a curve with its points for drawing."""
        return cls(curve, curve.epsilon(DELTAS))


@lru_cache(maxsize=256)
def curve_of(k: int, eps: float, law: tuple[float, ...]) -> Drawn:
    """Return the exact curve of nowhere against a law of the number of ones."""
    zero = Hypothesis.point([0] * k)
    return Drawn.of(hypothesis_dp(Guarantee(eps), zero, Hypothesis.by_count(k, law)))


@lru_cache(maxsize=64)
def limits(k: int, eps: float) -> dict[str, Drawn]:
    """Return the curves between which beliefs move: one database, HBW's uninformative prior, all databases."""
    return {
        ONE: curve_of(k, eps, tuple(belief(k, 0, 0))),
        UNIFORM: Drawn.of(uniform_prior(Guarantee(eps), k).exact),
        ALL: Drawn.of(optimal(Guarantee(eps), k=k)),
    }
