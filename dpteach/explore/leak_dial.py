"""Explorer: a message under a key, of which more and more leaks."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from .. import checks
from ..figures import COLOURS, FONT, line_style, panels
from ..leakage import LeakyMechanism
from ..leakage.examples import coin, xor
from ..leakage.tables import product_law
from ..worst_case import Vacuous, WorstCase
from .controls import choice, int_slider, pick, slider
from .explorer import Explorer
from .two_hypotheses import show

PAD, SHARES = "one-time pad: a key bit each", "shares: one bit under all keys"
KEY, PARITY, MESSAGE, OUTPUT = "bits of the key", "the parity of key bits", "bits of the message", "bits of the output"
LEAKS = (KEY, PARITY, MESSAGE, OUTPUT)
MOST = 4
NOTIONS = {"given the leak (bLDP)": "given", "output alone (DP)": "alone", "output and leak (DP)": "both"}
HATCHES = ("", "..", "//")
DARK = (COLOURS[0], "#a33c00", "#00664b")  # the same colours, dark enough for words
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
            pairs=2 ** (len(here["given"]) - 1), exposed=sum(delta > 0 for delta in here["given"]),
            factor=worst(here["factors"]),
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        self._draw_bits(left, n)
        self._draw_dial(right, n)

    def _draw_bits(self, ax, n):
        for i, (name, key) in enumerate(NOTIONS.items()):
            at, deltas = np.arange(len(n.given)) + OFFSET * (i - 1), getattr(n, key)
            ax.bar(at, list(map(float, deltas)), width=0.25, color=COLOURS[i], hatch=HATCHES[i], edgecolor="white",
                   label=name)  # fmt: skip
            for x, delta in zip(at, deltas, strict=True):
                if not delta:
                    up = 90 if isinstance(delta, Vacuous) else 0
                    ax.text(x, 0.015, tell(delta), rotation=up, color=DARK[i], ha="center", va="bottom", fontsize=FONT)
        label(ax.xaxis, [f"bit {i + 1}\ncovered {100 * float(c):.3g}%" for i, c in enumerate(n.coverage)])
        spare = max(0, 2 - len(n.given)) / 2
        ax.set(xlim=(-0.5 - spare, len(n.given) - 0.5 + spare), ylim=(0, 1.05), ylabel=f"δ at e^ε = {tell(n.at)}")
        ax.yaxis.label.set_fontsize(FONT)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), frameon=False)

    def _draw_dial(self, ax, n):
        lines = {
            "largest δ given the leak": (
                [_number(worst(d["given"])) for d in n.dial],
                line_style(0) | dict(linewidth=5),
            ),
            "largest δ, output and leak": ([float(worst(d["both"])) for d in n.dial], line_style(2)),
            "share of pairs exposed": ([float(mean([x > 0 for x in d["given"]])) for d in n.dial], line_style(4)),
            "coverage": ([float(mean(d["coverage"])) for d in n.dial], line_style(3)),
        }
        for (name, (heights, style)), marker in zip(lines.items(), "oDvs", strict=True):
            ax.plot(range(n.n + 1), heights, marker=marker, label=name, **style)
        ax.axvline(n.j, color="0.6", linewidth=1, zorder=1)
        for j, d in enumerate(n.dial):
            if isinstance(worst(d["given"]), Vacuous):
                box = dict(facecolor="white", edgecolor="none", pad=2)
                ax.text(j, 0.5, "vacuous", rotation=90, ha="center", va="center", fontsize=FONT, bbox=box)
        ax.set_xticks(range(n.n + 1))
        ax.set(xlim=(-0.2, n.n + 0.2), ylim=(-0.03, 1.05))
        ax.legend(fontsize=FONT - 2, loc="lower right", bbox_to_anchor=(1.03, 1.0), frameon=False)

    def caption(self, n):
        thing = f"message bits under a key bit each: {n.n}" if n.scheme == PAD else f"one bit under {n.n} key bits"
        noise = f", flipped with probability {n.flip}" if n.flip and n.j else ""
        leak = f"{n.what}, {n.j} of them" if n.j else "nothing"
        by_bit = ", ".join(f"bit {i + 1}: {tell(delta)}" for i, delta in enumerate(n.given))
        silent = sum(isinstance(delta, Vacuous) for delta in n.given) * n.pairs
        size = len(n.given)
        factor = "bLDP is vacuous" if isinstance(n.factor, Vacuous) else f"the smallest e^ε is {tell(n.factor)}"
        return (
            f"The scheme: {thing}; a key bit is 1 with probability {n.bias}. What leaks: {leak}{noise}. "
            f"δ at e^ε = {tell(n.at)} given the leak: {by_bit}. Neighbouring pairs: {size * n.pairs}, "
            f"exposed: {n.exposed * n.pairs}, never sharing a leaked value: {silent}; the coverage is "
            f"{tell(mean(n.coverage))}. With δ = 0 {factor}. The largest δ of plain DP: {tell(worst(n.alone))} for the "
            f"output alone, {tell(worst(n.both))} for output and leak together."
        )


def tell(value) -> str:
    """Return a number in words: short fractions in full, `vacuous` as such."""
    return "∞" if value == math.inf else show(value) if checks.is_exact(value) else f"{value:.6g}"


def label(axis: Axis, words: list[str]) -> None:
    """Write words at 0, 1, 2, ... along an axis."""
    axis.set_ticks(range(len(words)), words)


def worst(values: list):
    """Return the largest of the values that are not vacuous, if there is one."""
    return max((value for value in values if not isinstance(value, Vacuous)), default=values[0])


def mean(shares: list) -> Fraction:
    """Return the average of some fractions."""
    return sum(shares, Fraction(0)) / len(shares)


def _number(delta) -> float:
    return math.nan if isinstance(delta, Vacuous) else float(delta)


@lru_cache(maxsize=256)
def told_bits(scheme: str, n: int, what: str, j: int, flip: Fraction, bias: Fraction, at: Fraction) -> dict:
    """Return, bit by bit, delta at e^eps = `at` by the three notions, the coverage, and the smallest e^eps."""
    if scheme == PAD and what != PARITY and n > 1:  # a bit whose key is its own, so that it is as if alone
        bits = [told_bits(scheme, 1, what, int(i < j), flip, bias, at) for i in range(n)]
        return {key: [bit[key][0] for bit in bits] for key in bits[0]}
    leaky = mechanism(scheme, n, what, j, flip, bias)
    families = {"given": leaky, "alone": leaky.without_leak(), "both": leaky.released()}
    deltas = {key: list(family.by_neighbours(ratio=at).values()) for key, family in families.items()}
    pairs = leaky.neighbours
    factors = [WorstCase({o: leaky.conditioned(*xy, o) for o in leaky.shared_leaks(*xy)}).ratio() for xy in pairs]
    return deltas | dict(coverage=[leaky.covered(*xy) for xy in pairs], factors=factors)


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
