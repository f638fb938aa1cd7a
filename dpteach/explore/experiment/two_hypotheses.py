"""Explorer: two sets of bit vectors, how well they can be told apart, and what the paper's recipe says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
import traitlets
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ...composition import basic
from ...experiment import Hypothesis, coupling_bounds, hypothesis_dp
from ...experiment.bits import differing, show_bits
from ...experiment.matching import Matched, on_vectors
from ...experiment.transport import Margins
from ...figures.style import COLOURS, FONT, panels
from ...guarantee import Guarantee
from ...mechanisms import randomized_response
from ..base.controls import choice, int_slider, pick
from ..base.explorer import Explorer
from ..base.words import LIE_TEXT, show
from .bit_vectors import MOST_BITS, Vectors, fit

BEST = "best matching"
WORST = "worst order"
LIE = COLOURS[1]
MOST_NAMED = 6  # longer sets are counted, not listed
NONZERO = " ".join(f"{i:04b}" for i in range(1, 16))
FEWER = " ".join(f"{i:05b}" for i in range(32) if i.bit_count() < 2)
MORE = " ".join(f"{i:05b}" for i in range(32) if i.bit_count() >= 2)


class TwoHypotheses(Explorer):
    """How well can two hypotheses about the bit vector be told apart, and is the matching recipe right?"""

    controls: ClassVar = dict(
        ratio=pick((1.1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10), 3, "e^ε of one round"),
        k=int_slider(1, MOST_BITS, 2, "rounds k"),
        h0=Vectors("00 11", "H0, all equally likely"),
        h1=Vectors("10 11", "H1, all equally likely"),
        lines=choice((BEST, WORST), label="lines show the"),
    )
    presets: ClassVar = {
        "two rounds suffice: {00, 11} against {10, 11}": dict(),
        "the practices: k = 5, k' = 2": dict(ratio=2, h0=FEWER, h1=MORE),
        "police files: nowhere against anywhere": dict(ratio=3, h0="0000", h1=NONZERO),
        "office suite: all or nothing": dict(ratio=3, h0="0000", h1="1111"),
        "matching order matters": dict(ratio=3, h0="0000 1111", h1="0000 1111", lines=WORST),
    }
    size = (9.0, 4.6)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1, 1.05))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.01, right=0.985, bottom=0.135, top=0.93, wspace=0.64)
        left.set_axis_off()
        right.set_xlabel("ε at δ = 0", fontsize=FONT)
        right.grid(axis="y", visible=False)
        return figure

    def _checked(self, settings):
        """Take k from the vectors where it is not given."""
        checked = super()._checked(settings)
        lengths = [len(checked[name].split()[0]) for name in ("h0", "h1") if name in checked]
        return checked if "k" in checked or not lengths else checked | dict(k=max(lengths))

    @cached_property
    def _inputs(self):
        inputs = super()._inputs
        for name in ("h0", "h1"):
            traitlets.dlink((inputs["k"], "value"), (inputs[name], "k"))
        return inputs

    def numbers(self, ratio, k, h0, h1, lines):
        sets = tuple(fit(h0, k)), tuple(fit(h1, k))
        for name, vectors in zip(("H0", "H1"), sets, strict=True):
            if not vectors:
                raise ValueError(f"{name} must hold at least one vector; press a button")
        return dict(ratio=ratio, k=k, sets=sets, lines=lines) | all_answers(Fraction(str(ratio)), k, *sets)

    def draw(self, axes, n):
        left, right = axes
        heights = [1 - (np.arange(len(vectors)) + 0.5) / len(vectors) for vectors in n.sets]
        self._draw_vectors(left, n, heights)
        self._draw_matching(left, n, heights)
        self._draw_bars(right, n)

    def _draw_vectors(self, ax, n, heights):
        size = min(13, 200 / max(map(len, n.sets)))
        step = size / 260
        for x, vectors, ys in zip((0.26 - (n.k - 1) * step, 0.74), n.sets, heights, strict=True):
            for digit in "01":  # as markers: so many texts would take long
                places = _places(digit, vectors, ys)
                look = dict(s=size**2, marker=f"${digit}$", color="black", linewidths=0)
                ax.scatter(x + step * places[:, 0], places[:, 1], **look)
        for x, word, colour in ((0.17, "H0", "black"), (0.83, "H1", "black"), (0.5, n.lines, COLOURS[0])):
            ax.text(x, 1.02, word, fontsize=FONT, ha="center", color=colour)
        ax.set(xlim=(0, 1), ylim=(0, 1))

    def _draw_matching(self, ax, n, heights):
        left = dict(zip(n.sets[0], heights[0], strict=True))
        right = dict(zip(n.sets[1], heights[1], strict=True))
        ends = []
        widths = []
        for pair in n.matched[n.lines]:
            ends.append(((0.29, left[show_bits(pair.b0)]), (0.71, right[show_bits(pair.b1)])))
            widths.append(0.8 + 5 * float(pair.weight))
        dashes = "-" if n.lines == BEST else "--"
        ax.add_collection(LineCollection(ends, linewidths=widths, colors=COLOURS[0], linestyles=dashes))

    def _draw_bars(self, ax, n):
        bars = _bars(n)
        paper = dict(facecolor="white", edgecolor="none", pad=1)
        for i, bar in enumerate(bars):
            fill = dict(color="white", hatch="xxx") if bar.is_lie else dict(color=bar.colour)
            ax.barh(i, bar.eps, height=0.62, edgecolor=bar.colour, **fill)
            words = f"{bar.eps:.4g}" + bar.is_lie * " ✗ too small"
            look = dict(color=LIE_TEXT, fontweight="bold") if bar.is_lie else {}
            ax.text(bar.eps + n.classic / 60, i, words, va="center", fontsize=FONT - 2, bbox=paper, **look)
        ax.axvline(n.eps, color="black", linestyle=":", linewidth=1.6)
        ax.set_yticks(range(len(bars)), [bar.name for bar in bars])
        ax.set(xlim=(0, 1.45 * n.classic), ylim=(len(bars) - 0.5, -0.5))

    def caption(self, n):
        there, back = (show(ratio) for ratio in n.exact)
        lies = [name for name, lie in n.lies.items() if lie]
        verdict = (
            f"With the {' and the '.join(lies)} it is too small, so the recipe is false here."
            if lies
            else "It is not too small here."
        )
        return (
            f"k = {n.k}, each round with e^ε = {n.ratio:g}; {named('H0', n.sets[0])}, {named('H1', n.sets[1])}. "
            f"Exact at δ = 0: e^ε = {there} for H0 bounded by H1 and {back} the other way, so ε = {n.eps:.6g}; "
            f"classic composition of all rounds: ε = {n.classic:.6g}. "
            f"The recipe: e^ε = {show(n.recipe[BEST])} with the {BEST}, {show(n.recipe[WORST])} with the {WORST}. "
            f"{verdict} Bounds that always hold: ε = {n.bounds['bottleneck']:.6g} (bottleneck), "
            f"{n.bounds['conditional']:.6g} (conditional mean), {n.bounds['product']:.6g} (product)."
        )


def _places(digit: str, vectors: tuple[str, ...], heights) -> np.ndarray:
    """Return (place in the vector, height) of every digit of this kind."""
    found = [
        (i, height)
        for vector, height in zip(vectors, heights, strict=True)
        for i, bit in enumerate(vector)
        if bit == digit
    ]
    return np.reshape(found, (-1, 2))


@dataclass(frozen=True)
class Bar:
    """An epsilon with its name and colour; it may be too small to be true."""

    name: str
    eps: float
    colour: str
    is_lie: bool = False


def _bars(n) -> list[Bar]:
    """Return the bars from top to bottom: exact values, the recipe, bounds that hold."""
    there, back = n.exact
    bars = [
        Bar("exact, H0 by H1", math.log(there), "black"),
        Bar("exact, H1 by H0", math.log(back), "black"),
    ]
    for name, ratio in n.recipe.items():
        colour = LIE if n.lies[name] else COLOURS[2]
        bars.append(Bar(f"recipe, {name}", math.log(ratio), colour, n.lies[name]))
    for name, eps in n.bounds.items():
        bars.append(Bar(f"bound, {name}", eps, COLOURS[5]))
    bars.append(Bar(f"classic, k = {n.k}", n.classic, COLOURS[5]))
    return bars


@lru_cache(maxsize=256)
def all_answers(ratio: Fraction, k: int, h0: tuple[str, ...], h1: tuple[str, ...]) -> dict:
    """Return all that is known about two sets of vectors: the exact value, the recipe, the bounds that hold."""
    one = Guarantee(math.log(ratio))
    p = Hypothesis.uniform(h0)
    q = Hypothesis.uniform(h1)
    curve = hypothesis_dp(randomized_response(ratio=ratio), p, q)
    exact = curve.ratio(0, "pq"), curve.ratio(0, "qp")
    matched = matchings(ratio, p, q)
    recipe = {name: recipe_sum(ratio, pairs) for name, pairs in matched.items()}
    bounds = vars(coupling_bounds(one, p, q))
    return dict(
        exact=exact,
        eps=curve.epsilon(0),
        classic=basic(one, k=k).epsilon,
        matched=matched,
        recipe=recipe,
        lies={name: value < max(exact) for name, value in recipe.items()},
        bounds={name: round(bound.epsilon, 12) for name, bound in bounds.items()},  # 1e-15 is meant as 0
    )


def matchings(ratio: Fraction, p: Hypothesis, q: Hypothesis) -> dict[str, list[Matched]]:
    """Return the matchings with the least and with the largest sum of the recipe: the transport problem, twice."""
    distances = np.array([[len(differing(b0, b1)) for b1 in q.law] for b0 in p.law])
    price = float(ratio) ** (distances - distances.max())  # relative to the dearest
    margins = Margins.of(p.law.values(), q.law.values())
    return {
        BEST: on_vectors(margins.cheapest(price), p, q),
        WORST: on_vectors(margins.cheapest(-price), p, q),
    }


def recipe_sum(ratio: Fraction, matched: list[Matched]) -> Fraction:
    """Return the recipe's sum of weight * e^eps, if every differing bit costs e^eps = `ratio`."""
    return sum(pair.weight * ratio ** len(differing(pair.b0, pair.b1)) for pair in matched)


def named(name: str, vectors: tuple[str, ...]) -> str:
    """Say which vectors a hypothesis holds, or how many."""
    listed = ", ".join(vectors) if len(vectors) <= MOST_NAMED else f"{len(vectors)} vectors"
    return f"{name} is {listed}" if len(vectors) == 1 else f"{name} is one of {listed}"
