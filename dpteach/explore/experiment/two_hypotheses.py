"""Explorer: two sets of bit vectors, how well they can be told apart, and what the paper's recipe says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...composition import basic
from ...experiment import Hypothesis, coupling_bounds, hypothesis_dp
from ...experiment.bits import Bits, differing, show_bits
from ...experiment.matching import Matched, on_vectors
from ...experiment.transport import Margins
from ...figures.style import COLOURS, FONT
from ...guarantee import Guarantee
from ...mechanisms import randomized_response
from ..base.axes import two_panels
from ..base.bars import BEHIND, label
from ..base.controls import choice, int_slider, pick
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import LIE_TEXT, brief, show, six_digits
from .bit_vectors import MOST_BITS, Vectors, fit

BEST = "best matching"
WORST = "worst order"
LIE = COLOURS[1]
MOST_NAMED = 6  # longer sets are counted, not listed
RATIOS = (1.1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
ALL_OF_4 = [f"{i:04b}" for i in range(16)]
ALL_OF_5 = [f"{i:05b}" for i in range(32)]
NONZERO = " ".join(ALL_OF_4[1:])
FEWER = " ".join(vector for vector in ALL_OF_5 if vector.count("1") < 2)
MORE = " ".join(vector for vector in ALL_OF_5 if vector.count("1") >= 2)


class TwoHypotheses(Explorer):
    """How well can two hypotheses about the bit vector be told apart, and is the matching recipe right?"""

    controls: ClassVar = dict(
        ratio=pick(RATIOS, 3, "factor of one round"),
        k=int_slider(1, MOST_BITS, 2, "rounds k"),
        h0=Vectors("00 11", "H0, all equally likely"),
        h1=Vectors("10 11", "H1, all equally likely"),
        lines=choice((BEST, WORST), label="lines show the"),
    )
    presets: ClassVar = {
        "two rounds suffice": dict(),
        "the practices: k = 5, k' = 2": dict(ratio=2, h0=FEWER, h1=MORE),
        "police files: nowhere or anywhere": dict(ratio=3, h0="0000", h1=NONZERO),
        "office suite: all or nothing": dict(ratio=3, h0="0000", h1="1111"),
        "matching order matters": dict(ratio=3, h0="0000 1111", h1="0000 1111", lines=WORST),
    }
    size = (9.0, 4.6)

    def blank(self) -> Sheet:
        margins = dict(left=0.01, right=0.985, bottom=0.135, top=0.93, wspace=0.64)
        sheet, left, right = two_panels(self.size, (1, 1.05), **margins)
        left.set_axis_off()
        right.set_xlabel("ε at δ = 0", fontsize=FONT)
        right.grid(axis="y", visible=False)
        return sheet

    def _checked(self, settings):
        """Take k from the vectors where it is not given."""
        checked = super()._checked(settings)
        lengths = [len(checked[name].split()[0]) for name in ("h0", "h1") if name in checked]
        if lengths and "k" not in checked:
            checked["k"] = max(lengths)
        return checked

    def numbers(self, ratio, k, h0, h1, lines):
        sets = {"H0": tuple(fit(h0, k)), "H1": tuple(fit(h1, k))}
        for name, vectors in sets.items():
            if not vectors:
                raise ValueError(f"{name} must hold at least one vector; press a button")
        return dict(sets=sets) | all_answers(Fraction(str(ratio)), k, sets["H0"], sets["H1"])

    def draw(self, axes, n):
        left, right = axes
        self._draw_vectors(left, n)
        self._draw_matching(left, n)
        self._draw_bars(right, n)

    def _draw_vectors(self, ax, n):
        size = min(18, 250 / max(map(len, n.sets.values())))
        look = dict(fontsize=size, va="center", fontfamily="monospace")
        for (name, x), side in zip(dict(H0=0.27, H1=0.73).items(), ("right", "left"), strict=True):
            for vector, y in zip(n.sets[name], _heights(n.sets[name]), strict=True):
                ax.text(x, y, vector, ha=side, **look)
        for x, word, colour in ((0.17, "H0", "black"), (0.83, "H1", "black"), (0.5, n.lines, COLOURS[0])):
            ax.text(x, 1.02, word, fontsize=FONT, ha="center", color=colour)
        ax.set(xlim=(0, 1), ylim=(0, 1))

    def _draw_matching(self, ax, n):
        left = dict(zip(n.sets["H0"], _heights(n.sets["H0"]), strict=True))
        right = dict(zip(n.sets["H1"], _heights(n.sets["H1"]), strict=True))
        ends = []
        widths = []
        for pair in n.matched[n.lines]:
            start = (0.29, left[show_bits(pair.b0)])
            end = (0.71, right[show_bits(pair.b1)])
            ends.append((start, end))
            widths.append(0.8 + 5 * float(pair.weight))
        dashes = "-" if n.lines == BEST else "--"
        ax.lines(ends, color=COLOURS[0], linewidth=widths, linestyle=dashes)

    def _draw_bars(self, ax, n):
        bars = _bars(n)
        for y, bar in enumerate(bars):
            fill = dict(color="white", hatch="xxx") if bar.is_lie else dict(color=bar.colour)
            words = f"{bar.eps:.4g} ✗ too small" if bar.is_lie else f"{bar.eps:.4g}"
            look = dict(color=LIE_TEXT, fontweight="bold") if bar.is_lie else {}
            ax.barh(y, bar.eps, height=0.62, edgecolor=bar.colour, **fill)
            ax.text(bar.eps + n.classic / 60, y, words, va="center", fontsize=FONT - 2, bbox=BEHIND, **look)
        ax.axvline(n.eps, color="black", linestyle=":", linewidth=1.6)
        label(ax.yaxis, [bar.name for bar in bars])
        ax.set(xlim=(0, 1.45 * n.classic), ylim=(len(bars) - 0.5, -0.5))

    def caption(self, n):
        there, back = map(show, n.exact)
        bounds = {name: six_digits(eps) for name, eps in n.bounds.items()}
        return (
            f"{_headline(n)}\n"
            f"Rounds: {n.k}, each changes the odds by a factor of at most {six_digits(n.ratio)} (e to the power ε); "
            f"{named('H0', n.sets)}; {named('H1', n.sets)}.\n"
            f"The exact factor at δ = 0: {there} for H0 bounded by H1 and {back} the other way, so "
            f"ε = {six_digits(n.eps)}; classic composition of all rounds: ε = {six_digits(n.classic)}.\n"
            f"The recipe's factor: {show(n.recipe[BEST])} with the {BEST}, {show(n.recipe[WORST])} with the {WORST}. "
            f"{_verdict(n)}\nBounds that always hold: ε = {bounds['bottleneck']} (bottleneck), "
            f"{bounds['conditional']} (conditional mean), {bounds['product']} (product)."
        )


def _headline(n) -> str:
    """Say the exact epsilon, and what the recipe makes of it."""
    recipe = brief(math.log(n.recipe[BEST]))
    verdict = "which is too small" if n.lies[BEST] else "which is not too small"
    return f"The exact ε between H0 and H1 is {brief(n.eps)}; the recipe, with the {BEST}, says {recipe}, {verdict}."


def _verdict(n) -> str:
    lies = [name for name, is_lie in n.lies.items() if is_lie]
    if not lies:
        return "It is not too small here."
    return f"With the {' and the '.join(lies)} it is too small, so the recipe is false here."


def _heights(vectors: tuple[str, ...]) -> np.ndarray:
    """Return where vectors stand, from top to bottom."""
    return 1 - (np.arange(len(vectors)) + 0.5) / len(vectors)


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
    return dict(
        exact=exact,
        eps=curve.epsilon(0),
        classic=basic(one, k=k).epsilon,
        matched=matched,
        recipe=recipe,
        lies={name: value < max(exact) for name, value in recipe.items()},
        bounds=bounds_that_hold(one, p, q),
    )


def bounds_that_hold(one: Guarantee, p: Hypothesis, q: Hypothesis) -> dict[str, float]:
    """Return the epsilons of the bounds by couplings; 1e-15 is meant as 0."""
    bounds = vars(coupling_bounds(one, p, q))
    return {name: round(bound.epsilon, 12) for name, bound in bounds.items()}


def matchings(ratio: Fraction, p: Hypothesis, q: Hypothesis) -> dict[str, list[Matched]]:
    """Return the matchings with the least and with the largest sum of the recipe: the transport problem, twice."""
    distances = np.array([[distance(b0, b1) for b1 in q.law] for b0 in p.law])
    price = float(ratio) ** (distances - distances.max())  # relative to the dearest
    margins = Margins.of(p.law.values(), q.law.values())
    return {
        BEST: on_vectors(margins.cheapest(price), p, q),
        WORST: on_vectors(margins.cheapest(-price), p, q),
    }


def recipe_sum(ratio: Fraction, matched: list[Matched]) -> Fraction:
    """Return the recipe's sum of weight * e^eps, if every differing bit costs e^eps = `ratio`."""
    return sum(pair.weight * ratio ** distance(pair.b0, pair.b1) for pair in matched)


def distance(b0: Bits, b1: Bits) -> int:
    """Return in how many rounds two vectors differ."""
    return len(differing(b0, b1))


def named(name: str, sets: dict[str, tuple[str, ...]]) -> str:
    """Say which vectors a hypothesis holds, or how many."""
    vectors = sets[name]
    if len(vectors) == 1:
        return f"{name} is {vectors[0]}"
    if len(vectors) > MOST_NAMED:
        return f"{name} is one of {len(vectors)} vectors"
    return f"{name} is one of {', '.join(vectors)}"
