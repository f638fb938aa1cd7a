"""Explorer: two sets of bit vectors, how well they can be told apart, and what the paper's recipe says."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
import traitlets
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ..composition import basic
from ..experiment import Hypothesis, coupling_bounds, hypothesis_dp
from ..figures import COLOURS, FONT, panels
from ..guarantee import Guarantee
from ..mechanisms import randomized_response
from .bit_vectors import MOST_BITS, Vectors, fit
from .controls import choice, int_slider, pick
from .explorer import Explorer

BEST, WORST = "best matching", "worst order"
LIE, LIE_TEXT = COLOURS[1], "#a33c00"
MOST_NAMED = 6  # longer sets are counted, not listed
LONGEST_FRACTION = 10_000  # fractions with a larger denominator are shown in decimals
NONZERO = " ".join(f"{i:04b}" for i in range(1, 16))
FEWER, MORE = (" ".join(f"{i:05b}" for i in range(32) if (i.bit_count() < 2) == few) for few in (True, False))


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
        sets = tuple(tuple(fit(vectors, k)) for vectors in (h0, h1))
        for name, vectors in zip(("H0", "H1"), sets, strict=True):
            if not vectors:
                raise ValueError(f"{name} must hold at least one vector; press a button")
        return dict(ratio=ratio, k=k, sets=sets, lines=lines) | told(Fraction(str(ratio)), k, *sets)

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
            for b in "01":  # as markers: so many texts would take long
                ones = [
                    (x + i * step, y) for v, y in zip(vectors, ys, strict=True) for i, bit in enumerate(v) if bit == b
                ]
                ax.scatter(*np.reshape(ones, (-1, 2)).T, s=size**2, marker=f"${b}$", color="black", linewidths=0)
        for x, word, colour in ((0.17, "H0", "black"), (0.83, "H1", "black"), (0.5, n.lines, COLOURS[0])):
            ax.text(x, 1.02, word, fontsize=FONT, ha="center", color=colour)
        ax.set(xlim=(0, 1), ylim=(0, 1))

    def _draw_matching(self, ax, n, heights):
        left, right = (dict(zip(vectors, ys, strict=True)) for vectors, ys in zip(n.sets, heights, strict=True))
        ends = [((0.29, left[b0]), (0.71, right[b1])) for b0, b1, _ in n.matched[n.lines]]
        widths = [0.8 + 5 * float(weight) for *_, weight in n.matched[n.lines]]
        dashes = "-" if n.lines == BEST else "--"
        ax.add_collection(LineCollection(ends, linewidths=widths, colors=COLOURS[0], linestyles=dashes))

    def _draw_bars(self, ax, n):
        names, lengths, colours, lies = zip(*_bars(n), strict=True)
        inside = ["white" if lie else colour for colour, lie in zip(colours, lies, strict=True)]
        hatches = ["xxx" * lie for lie in lies]
        ax.barh(range(len(names)), lengths, height=0.62, color=inside, edgecolor=colours, hatch=hatches)
        ax.axvline(n.eps, color="black", linestyle=":", linewidth=1.6)
        for i, (eps, lie) in enumerate(zip(lengths, lies, strict=True)):
            looks = dict(color=LIE_TEXT, fontweight="bold") if lie else {}
            ax.text(eps + n.classic / 60, i, f"{eps:.4g}" + lie * " ✗ too small", va="center", fontsize=FONT - 2,
                    bbox=dict(facecolor="white", edgecolor="none", pad=1), **looks)  # fmt: skip
        ax.set_yticks(range(len(names)), names)
        ax.set(xlim=(0, 1.45 * n.classic), ylim=(len(names) - 0.5, -0.5))

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


def _bars(n) -> list[tuple[str, float, str, bool]]:
    """Return name, epsilon and colour of each bar, and whether it is too small to be true."""
    exact = zip(("exact, H0 by H1", "exact, H1 by H0"), n.exact, strict=True)
    told = [(f"recipe, {name}", ratio, n.lies[name]) for name, ratio in n.recipe.items()]
    bounds = {f"bound, {name}": eps for name, eps in n.bounds.items()} | {f"classic, k = {n.k}": n.classic}
    return [
        *((name, math.log(ratio), "black", False) for name, ratio in exact),
        *((name, math.log(ratio), LIE if lie else COLOURS[2], lie) for name, ratio, lie in told),
        *((name, eps, COLOURS[5], False) for name, eps in bounds.items()),
    ]


@lru_cache(maxsize=256)
def told(ratio: Fraction, k: int, h0: tuple[str, ...], h1: tuple[str, ...]) -> dict:
    """Return all that is known about two sets of vectors: the exact value, the recipe, the bounds that hold."""
    one, p, q = Guarantee(math.log(ratio)), Hypothesis.uniform(h0), Hypothesis.uniform(h1)
    curve = hypothesis_dp(randomized_response(ratio=ratio), p, q)
    exact = curve.ratio(0, "pq"), curve.ratio(0, "qp")
    matched = {name: matching(ratio, h0, h1, name) for name in (BEST, WORST)}
    recipe = {name: sum(w * ratio ** differ(a, b) for a, b, w in pairs) for name, pairs in matched.items()}
    bounds = vars(coupling_bounds(one, p, q))
    return dict(
        exact=exact, eps=curve.epsilon(0), classic=float(basic(one, k=k).epsilon), matched=matched, recipe=recipe,
        lies={name: value < max(exact) for name, value in recipe.items()},
        bounds={name: round(float(bound.epsilon), 12) for name, bound in bounds.items()},  # 1e-15 is meant as 0
    )  # fmt: skip


def matching(ratio: Fraction, h0: tuple[str, ...], h1: tuple[str, ...], which: str) -> list[tuple[str, str, Fraction]]:
    """Return the matching (b0, b1, weight) with the least or the largest sum of the recipe.

    Copies of the vectors make both sets equally long; then it is an assignment, and all weights are exact.
    """
    from scipy.optimize import linear_sum_assignment

    n = math.lcm(len(h0), len(h1))
    left, right = (np.repeat(np.array(vectors), n // len(vectors)) for vectors in (h0, h1))
    price = float(ratio) ** np.array([[differ(a, b) for b in h1] for a in h0])
    price = np.repeat(np.repeat(price, n // len(h0), axis=0), n // len(h1), axis=1)
    rows, columns = linear_sum_assignment(price, maximize=which == WORST)
    pairs = Counter(zip(left[rows].tolist(), right[columns].tolist(), strict=True))
    return [(b0, b1, Fraction(copies, n)) for (b0, b1), copies in pairs.items()]


def differ(b0: str, b1: str) -> int:
    """Return in how many rounds two vectors differ."""
    return sum(x != y for x, y in zip(b0, b1, strict=True))


def show(ratio: Fraction) -> str:
    """Return a number as a short fraction with its value, or only its value."""
    short = ratio.denominator <= LONGEST_FRACTION
    return f"{ratio}" if ratio.denominator == 1 else f"{ratio} = {float(ratio):.6g}" if short else f"{float(ratio):.6g}"


def named(name: str, vectors: tuple[str, ...]) -> str:
    """Say which vectors a hypothesis holds, or how many."""
    listed = ", ".join(vectors) if len(vectors) <= MOST_NAMED else f"{len(vectors)} vectors"
    return f"{name} is {listed}" if len(vectors) == 1 else f"{name} is one of {listed}"
