"""Explorer: what the adversary knows beforehand about the number of databases that hold the record."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ..experiment import Hypothesis, hypothesis_dp, uniform_prior
from ..figures import COLOURS, FONT, line_style, panels
from ..guarantee import Guarantee
from ..optimal import optimal
from .controls import int_slider, log_slider, short, slider
from .explorer import Explorer

DELTAS = np.geomspace(1e-12, 0.1, 45)
YOURS, ALL, UNIFORM, ONE = "this belief", "all databases", "uninformative", "exactly one"
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
        found = limits(k, eps) | {YOURS: curve(k, eps, tuple(law))}
        return dict(
            rate=rate, mix=mix, k=k, eps=eps, delta=delta, law=law, mean=float(law @ np.arange(k + 1)),
            curves={name: drawn for name, (_, drawn) in found.items()},
            told={name: exact.epsilon(delta) for name, (exact, _) in found.items()},
            ways=[found[YOURS][0].epsilon(delta, direction) for direction in ("qp", "pq")],
            closed=float(uniform_prior(Guarantee(eps), k).corollary_7().epsilon),
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        left.bar(np.arange(n.k + 1), n.law, width=0.8, color=COLOURS[5], edgecolor="black", linewidth=0.6)
        left.axvline(n.mean, color="black", linestyle=":", linewidth=1.6)
        top = next(top for top in (0.05, 0.1, 0.2, 0.5, 1.1) if n.law.max() < 0.95 * top)
        left.set(xlim=(-0.6, n.k + 0.6), ylim=(0, top))
        for name, style in STYLES.items():
            right.plot(DELTAS, n.curves[name], label=name, **style)
            right.plot(n.delta, n.told[name], "o", ms=7, color=style["color"])
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
            f"{n.told[YOURS]:.6g} (somewhere bounded by nowhere {n.ways[0]:.6g}, the other way {n.ways[1]:.6g}). "
            f"For comparison, exactly one database: {n.told[ONE]:.6g}; the uninformative prior, all vectors but zero "
            f"equally likely: {n.told[UNIFORM]:.6g}, by Corollary 7 at any δ {n.closed:.6g}; "
            f"all databases, the worst case: {n.told[ALL]:.6g}."
        )


def belief(k: int, rate: float, mix: float) -> np.ndarray:
    """Return a law of the number of ones: each bit is one with chance `rate`, given one is; mixed with uniform."""
    j = np.arange(1, k + 1)
    odds = np.array([math.comb(k, i) for i in j]) * float(rate) ** (j - 1) * (1 - float(rate)) ** (k - j)
    return np.concatenate([[0.0], (1 - mix) * odds / odds.sum() + mix / k])


@lru_cache(maxsize=256)
def curve(k: int, eps: float, law: tuple[float, ...]) -> tuple:
    """Return the exact curve of nowhere against a law of the number of ones, and its points for drawing."""
    exact = hypothesis_dp(Guarantee(eps), Hypothesis.point([0] * k), Hypothesis.by_count(k, law))
    return exact, exact.epsilon(DELTAS)


@lru_cache(maxsize=64)
def limits(k: int, eps: float) -> dict[str, tuple]:
    """Return the curves between which beliefs move: one database, HBW's uninformative prior, all databases."""
    found = {ALL: optimal(Guarantee(eps), k=k), UNIFORM: uniform_prior(Guarantee(eps), k).exact}
    one = curve(k, eps, tuple(belief(k, 0, 0)))
    return {ONE: one} | {name: (exact, exact.epsilon(DELTAS)) for name, exact in found.items()}
