"""Explorer: a message under a key, of which more and more leaks."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ...curve import VACUOUS, WorstCase
from ...figures.style import COLOURS, FONT, PAPER, line_style, panels
from ...leakage import LeakyMechanism
from ...leakage.examples import coin, xor
from ...leakage.tables import product_law
from ..base.bars import DARK, HATCHES, label
from ..base.controls import choice, int_slider, pick, slider
from ..base.explorer import Explorer
from ..base.words import tell

PAD = "one-time pad: a key bit each"
SHARES = "shares: one bit under all keys"
KEY = "bits of the key"
PARITY = "the parity of key bits"
MESSAGE = "bits of the message"
OUTPUT = "bits of the output"
LEAKS = (KEY, PARITY, MESSAGE, OUTPUT)
MOST = 4
NOTIONS = {"given the leak (bLDP)": "given", "output alone (DP)": "alone", "output and leak (DP)": "both"}
OFFSET = 0.27  # from one bar to the next


class LeakDial(Explorer):
    """How much of the key may leak, and what does the definition still say about each bit?"""

    controls: ClassVar = dict(
        scheme=choice((PAD, SHARES), label="scheme"),
        n=int_slider(1, MOST, 3, "key bits n"),
        what=choice(LEAKS, label="what leaks"),
        j=int_slider(0, MOST, 1, "of them leak j"),
        flip=slider(0, 0.5, 0, 0.05, "a leak is flipped"),
        bias=slider(0.05, 0.5, 0.5, 0.05, "a key bit is 1"),
        ratio=pick((1, 1.2, 1.5, 2, 3, 4, 5, 8, 10), 1, "δ is asked at e^ε"),
    )
    presets: ClassVar = {
        "one key bit of three": dict(),
        "the whole key (Example 5)": dict(j=3),
        "only the parity of the key": dict(what=PARITY, j=3),
        "a noisy key": dict(n=1, flip=0.25),
        "shares: all but one known": dict(scheme=SHARES, n=4, j=3),
        "shares of biased coins": dict(scheme=SHARES, n=4, j=3, bias=0.25),
        "leaking the message: vacuous": dict(what=MESSAGE, j=3),
        "leaking it, hardly ever flipped": dict(what=MESSAGE, j=3, flip=0.05),
        "leaking itself (Example 3)": dict(what=OUTPUT, j=3, bias=0.25),
    }
    size = (9.0, 4.6)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1.15, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.085, right=0.98, bottom=0.2, top=0.75, wspace=0.25)
        left.grid(axis="x", visible=False)
        left.set_xlabel("neighbours that differ in …", fontsize=FONT)
        right.set_xlabel("number of leaked bits j", fontsize=FONT)
        right.set_ylabel("largest δ, and shares", fontsize=FONT)
        return figure

    def numbers(self, scheme, n, what, j, flip, bias, ratio):
        flip, bias, at = (Fraction(str(x)) for x in (flip, bias, ratio))
        j = min(j, n)
        dial = [told_bits(scheme, n, what, i, flip, bias, at) for i in range(n + 1)]
        here = dial[j]
        return dict(
            scheme=scheme, n=n, what=what, j=j, flip=flip, bias=bias, at=at, dial=dial, **here,
            pairs=2 ** (len(here["given"]) - 1), exposed=sum(map(is_exposed, here["given"])),
            factor=worst(here["factors"]),
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        self._draw_bits(left, n)
        self._draw_dial(right, n)

    def _draw_bits(self, ax, n):
        for i, (name, key) in enumerate(NOTIONS.items()):
            at = np.arange(len(n.given)) + OFFSET * (i - 1)
            deltas = getattr(n, key)
            look = dict(width=0.25, color=COLOURS[i], hatch=HATCHES[i], edgecolor="white")
            ax.bar(at, list(map(_height, deltas)), label=name, **look)
            for x, delta in zip(at, deltas, strict=True):
                _write_if_flat(ax, x, delta, DARK[i])
        label(ax.xaxis, [f"bit {i + 1}\ncovered {100 * float(c):.3g}%" for i, c in enumerate(n.coverage)])
        spare = max(0, 2 - len(n.given)) / 2
        ax.set(xlim=(-0.5 - spare, len(n.given) - 0.5 + spare), ylim=(0, 1.05), ylabel=f"δ at e^ε = {tell(n.at)}")
        ax.yaxis.label.set_fontsize(FONT)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), frameon=False)

    def _draw_dial(self, ax, n):
        given = [_height(worst(told["given"]), math.nan) for told in n.dial]
        both = [float(worst(told["both"])) for told in n.dial]
        exposed = [float(mean(map(is_exposed, told["given"]))) for told in n.dial]
        coverage = [float(mean(told["coverage"])) for told in n.dial]
        along = range(n.n + 1)
        ax.plot(along, given, marker="o", label="largest δ given the leak", **line_style(0) | dict(linewidth=5))
        ax.plot(along, both, marker="D", label="largest δ, output and leak", **line_style(2))
        ax.plot(along, exposed, marker="v", label="share of pairs exposed", **line_style(4))
        ax.plot(along, coverage, marker="s", label="coverage", **line_style(3))
        ax.axvline(n.j, color="0.6", linewidth=1, zorder=1)
        for j, told in enumerate(n.dial):
            if worst(told["given"]) is VACUOUS:
                ax.text(j, 0.5, "vacuous", rotation=90, ha="center", va="center", fontsize=FONT, bbox=PAPER)
        ax.set_xticks(along)
        ax.set(xlim=(-0.2, n.n + 0.2), ylim=(-0.03, 1.05))
        ax.legend(fontsize=FONT - 2, loc="lower right", bbox_to_anchor=(1.03, 1.0), frameon=False)

    def caption(self, n):
        thing = f"message bits under a key bit each: {n.n}" if n.scheme == PAD else f"one bit under {n.n} key bits"
        noise = f", flipped with probability {n.flip}" if n.flip and n.j else ""
        leak = f"{n.what}, {n.j} of them" if n.j else "nothing"
        by_bit = ", ".join(f"bit {i + 1}: {tell(delta)}" for i, delta in enumerate(n.given))
        silent = sum(delta is VACUOUS for delta in n.given) * n.pairs
        size = len(n.given)
        factor = "bLDP is vacuous" if n.factor is VACUOUS else f"the smallest e^ε is {tell(n.factor)}"
        return (
            f"The scheme: {thing}; a key bit is 1 with probability {n.bias}. What leaks: {leak}{noise}. "
            f"δ at e^ε = {tell(n.at)} given the leak: {by_bit}. Neighbouring pairs: {size * n.pairs}, "
            f"exposed: {n.exposed * n.pairs}, never sharing a leaked value: {silent}; the coverage is "
            f"{tell(mean(n.coverage))}. With δ = 0 {factor}. The largest δ of plain DP: {tell(worst(n.alone))} for the "
            f"output alone, {tell(worst(n.both))} for output and leak together."
        )


def _write_if_flat(ax, x: float, delta, colour: str) -> None:
    """Write the word over a bar that has no height: zero, or vacuous."""
    if delta is VACUOUS or delta == 0:
        up = 90 if delta is VACUOUS else 0
        ax.text(x, 0.015, tell(delta), rotation=up, color=colour, ha="center", va="bottom", fontsize=FONT)


def _height(delta, vacuous: float = 0.0) -> float:
    return vacuous if delta is VACUOUS else float(delta)


def is_exposed(delta) -> bool:
    """Say whether a pair of neighbours is compared, and told apart."""
    return delta is not VACUOUS and delta > 0


def worst(values: list):
    """Return the largest of the values that are not vacuous, if there is one."""
    return max((value for value in values if value is not VACUOUS), default=VACUOUS)


def mean(shares) -> Fraction:
    """Return the average of some fractions."""
    listed = list(shares)
    return sum(listed, Fraction(0)) / len(listed)


@lru_cache(maxsize=256)
def told_bits(scheme: str, n: int, what: str, j: int, flip: Fraction, bias: Fraction, at: Fraction) -> dict:
    """Return, bit by bit, delta at e^eps = `at` by the three notions, the coverage, and the smallest e^eps."""
    if scheme == PAD and what != PARITY and n > 1:  # a bit whose key is its own, so that it is as if alone
        bits = [told_bits(scheme, 1, what, int(i < j), flip, bias, at) for i in range(n)]
        return {key: [bit[key][0] for bit in bits] for key in bits[0]}
    leaky = mechanism(scheme, n, what, j, flip, bias)
    families = {"given": leaky, "alone": leaky.without_leak(), "both": leaky.released()}
    deltas = {key: list(family.by_neighbours(ratio=at).values()) for key, family in families.items()}
    factors = [given_the_leak(leaky, x, y).ratio() for x, y in leaky.neighbours]
    coverage = [leaky.covered(x, y) for x, y in leaky.neighbours]
    return deltas | dict(coverage=coverage, factors=factors)


def given_the_leak(leaky: LeakyMechanism, x: tuple, y: tuple) -> WorstCase:
    """Return the worst case of two databases over all values that both can leak."""
    return WorstCase({o: leaky.conditioned(x, y, o) for o in leaky.shared_leaks(x, y)})


def mechanism(scheme: str, n: int, what: str, j: int, flip: Fraction, bias: Fraction) -> LeakyMechanism:
    """Return the scheme with its leak, on the message 00...0 and the messages that differ from it in one bit.

    These neighbours suffice: adding a message to all others, to the outputs and to what leaks renames everything.
    """
    size = n if scheme == PAD else 1
    messages = [tuple(int(i == bit) for i in range(size)) for bit in range(-1, size)]
    noisy = {KEY: j, PARITY: min(j, 1)}.get(what, min(j, size)) if flip else 0
    coins = product_law(*[coin(bias)] * n, *[coin(flip)] * noisy)

    def output(x, r):
        return xor(x, r[:n]) if scheme == PAD else ((x[0] + sum(r[:n])) % 2,)

    def leak(x, r):
        seen = {KEY: r, PARITY: (sum(r[:j]) % 2,), MESSAGE: x, OUTPUT: output(x, r)}[what][:j]
        return xor(seen, r[n:]) if noisy else seen

    return LeakyMechanism.from_functions(messages, coins, output, leak, [(messages[0], x) for x in messages[1:]])
