"""Explorer: a message under a key, of which more and more leaks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...curve import VACUOUS, WorstCase
from ...figures.style import COLOURS, FONT, PAPER, line_style
from ...leakage import LeakyMechanism
from ...leakage.examples import coin, xor
from ...leakage.tables import product_law
from ..base.axes import two_panels
from ..base.bars import DARK, HATCHES, label
from ..base.controls import choice, int_slider, pick, slider
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import tell

PAD = "one-time pad: a key bit each"
SHARES = "shares: one bit under all keys"
KEY = "bits of the key"
PARITY = "the parity of key bits"
MESSAGE = "bits of the message"
OUTPUT = "bits of the output"
LEAKS = (KEY, PARITY, MESSAGE, OUTPUT)
MOST = 4
RATIOS = (1, 1.2, 1.5, 2, 3, 4, 5, 8, 10)
NOTIONS = {"given": "given the leak (bLDP)", "alone": "output alone (DP)", "both": "output and leak (DP)"}
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
        ratio=pick(RATIOS, 1, "δ is asked at factor"),
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

    def blank(self) -> Sheet:
        margins = dict(left=0.085, right=0.98, bottom=0.2, top=0.75, wspace=0.25)
        sheet, left, right = two_panels(self.size, (1.15, 1), **margins)
        left.grid(axis="x", visible=False)
        left.set_xlabel("neighbours that differ in …", fontsize=FONT)
        right.set_xlabel("number of leaked bits j", fontsize=FONT)
        right.set_ylabel("largest δ, and shares", fontsize=FONT)
        return sheet

    def numbers(self, scheme, n, what, j, flip, bias, ratio):
        flip = Fraction(str(flip))
        bias = Fraction(str(bias))
        at = Fraction(str(ratio))
        dial = [told_bits(Scheme(scheme, n, what, leaked, flip, bias), at) for leaked in range(n + 1)]
        j = min(j, n)
        here = dial[j]
        more = dict(pairs=here.pairs, exposed=here.exposed, factor=worst(here.factors))
        return dict(j=j, flip=flip, bias=bias, at=at, dial=dial) | vars(here) | more

    def draw(self, axes, n):
        left, right = axes
        self._draw_bits(left, n)
        self._draw_dial(right, n)

    def _draw_bits(self, ax, n):
        bits = len(n.given)
        for i, key in enumerate(NOTIONS):
            self._draw_notion(ax, i, key, getattr(n, key))
        label(ax.xaxis, [f"bit {i}\ncovered {100 * float(share):.3g}%" for i, share in enumerate(n.coverage, 1)])
        spare = max(0, 2 - bits) / 2
        ax.set(xlim=(-0.5 - spare, bits - 0.5 + spare), ylim=(0, 1.05), ylabel=f"δ at factor {tell(n.at)}")
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), frameon=False)

    def _draw_notion(self, ax, i, key, deltas):
        """Draw the i-th bar of every bit, with a word where it has no height."""
        at = np.arange(len(deltas)) + OFFSET * (i - 1)
        heights = [_height(delta) for delta in deltas]
        ax.bar(at, heights, label=NOTIONS[key], width=0.25, color=COLOURS[i], hatch=HATCHES[i], edgecolor="white")
        for x, delta in zip(at, deltas, strict=True):
            _write_if_flat(ax, x, delta, DARK[i])

    def _draw_dial(self, ax, n):
        along = range(n.n + 1)
        given = [_height(worst(told.given), math.nan) for told in n.dial]
        both = [float(worst(told.both)) for told in n.dial]
        exposed = [told.exposed / len(told.given) for told in n.dial]
        coverage = [float(mean(told.coverage)) for told in n.dial]
        ax.plot(along, given, marker="o", label="largest δ given the leak", **line_style(0) | dict(linewidth=5))
        ax.plot(along, both, marker="D", label="largest δ, output and leak", **line_style(2))
        ax.plot(along, exposed, marker="v", label="share of pairs exposed", **line_style(4))
        ax.plot(along, coverage, marker="s", label="coverage", **line_style(3))
        for j in along:
            if math.isnan(given[j]):
                ax.text(j, 0.5, "vacuous", rotation=90, ha="center", va="center", fontsize=FONT, bbox=PAPER)
        self._draw_frame(ax, n)

    def _draw_frame(self, ax, n):
        ax.axvline(n.j, color="0.6", linewidth=1, zorder=1)
        ax.set_xticks(range(n.n + 1))
        ax.set(xlim=(-0.2, n.n + 0.2), ylim=(-0.03, 1.05))
        ax.legend(fontsize=FONT - 2, loc="lower right", bbox_to_anchor=(1.03, 1.0), frameon=False)

    def caption(self, n):
        thing = f"message bits under a key bit each: {n.n}" if n.scheme == PAD else f"one bit under {n.n} key bits"
        noise = f", flipped with probability {n.flip}" if n.flip and n.j else ""
        leak = f"{n.what}, {n.j} of them" if n.j else "nothing"
        by_bit = ", ".join(f"bit {i}: {tell(delta)}" for i, delta in enumerate(n.given, 1))
        silent = sum(delta is VACUOUS for delta in n.given)
        factor = "bLDP is vacuous" if n.factor is VACUOUS else f"the smallest factor is {tell(n.factor)}"
        total = len(n.given) * n.pairs
        return (
            f"{n.exposed * n.pairs} of {total} neighbouring pairs can be told apart given the leak ({leak}), and "
            f"{silent * n.pairs} are not covered at all.\n"
            f"The scheme: {thing}; a key bit is 1 with probability {n.bias}. What leaks: {leak}{noise}.\n"
            f"δ at factor {tell(n.at)} (e to the power ε) given the leak: {by_bit}.\n"
            f"Neighbouring pairs: {total}, exposed: {n.exposed * n.pairs}, never sharing a leaked value: "
            f"{silent * n.pairs}; the coverage is {tell(mean(n.coverage))}. With δ = 0 {factor}.\n"
            f"The largest δ of plain DP: {tell(worst(n.alone))} for the output alone, {tell(worst(n.both))} for output "
            f"and leak together."
        )


def _write_if_flat(ax, x: float, delta, colour: str) -> None:
    """Write the word over a bar that has no height: zero, or vacuous."""
    if delta is VACUOUS or delta == 0:
        up = 90 if delta is VACUOUS else 0
        ax.text(x, 0.015, tell(delta), rotation=up, color=colour, ha="center", va="bottom", fontsize=FONT)


def _height(delta, vacuous: float = 0.0) -> float:
    return vacuous if delta is VACUOUS else float(delta)


def worst(values: list):
    """Return the largest of the values that are not vacuous, if there is one."""
    return max((value for value in values if value is not VACUOUS), default=VACUOUS)


def mean(shares: list[Fraction]) -> Fraction:
    """Return the average of some fractions."""
    return sum(shares, Fraction(0)) / len(shares)


# ------------------------------------------------------------------------------------------------- what is computed


@dataclass(frozen=True)
class Told:
    """What is told about each bit of the message: delta by the three notions, the coverage, and the smallest e^eps."""

    given: list
    alone: list
    both: list
    coverage: list
    factors: list

    @property
    def pairs(self) -> int:
        """How many pairs of messages differ in one given bit."""
        return 2 ** (len(self.given) - 1)

    @property
    def exposed(self) -> int:
        """Of how many bits the two values are compared, and told apart."""
        return sum(delta is not VACUOUS and delta > 0 for delta in self.given)


@dataclass(frozen=True)
class Scheme:
    """A message under n key bits, each of which is 1 with probability `bias`, and a leak of j bits that may flip."""

    kind: str
    n: int
    what: str
    j: int
    flip: Fraction
    bias: Fraction

    @property
    def size(self) -> int:
        """The number of bits of the message."""
        return self.n if self.kind == PAD else 1

    @property
    def flips(self) -> int:
        """The number of leaked bits that may flip."""
        if self.flip == 0:
            return 0
        available = {KEY: self.n, PARITY: 1}.get(self.what, self.size)
        return min(self.j, available)

    def output(self, x: tuple, coins: tuple) -> tuple:
        """Return the message x under the key, which is the first n coins."""
        key = coins[: self.n]
        return xor(x, key) if self.kind == PAD else ((x[0] + sum(key)) % 2,)

    def seen(self, x: tuple, coins: tuple) -> tuple:
        """Return what would leak if no bit of it were flipped."""
        key = coins[: self.n]
        parity = (sum(key[: self.j]) % 2,)
        things = {KEY: key, PARITY: parity, MESSAGE: x, OUTPUT: self.output(x, coins)}
        return things[self.what][: self.j]

    def leak(self, x: tuple, coins: tuple) -> tuple:
        """Return what leaks; the coins after the key say which bits flip."""
        seen = self.seen(x, coins)
        return xor(seen, coins[self.n :]) if self.flips else seen

    def mechanism(self) -> LeakyMechanism:
        """Return the scheme with its leak, on the message 00...0 and the messages that differ from it in one bit.

        These neighbours suffice: adding a message to all others, to the outputs and to what leaks renames everything.
        """
        zero = (0,) * self.size
        others = [tuple(int(i == bit) for i in range(self.size)) for bit in range(self.size)]
        coins = product_law(*[coin(self.bias)] * self.n, *[coin(self.flip)] * self.flips)
        neighbours = [(zero, other) for other in others]
        return LeakyMechanism.from_functions([zero, *others], coins, self.output, self.leak, neighbours)


@lru_cache(maxsize=256)
def told_bits(scheme: Scheme, at: Fraction) -> Told:
    """Return what is told about each bit, with delta at e^eps = `at`."""
    if scheme.kind == PAD and scheme.what != PARITY and scheme.n > 1:  # each bit has its own key, as if it were alone
        alone = [replace(scheme, n=1, j=int(i < scheme.j)) for i in range(scheme.n)]
        return beside([told_bits(one, at) for one in alone])
    leaky = scheme.mechanism()
    return Told(
        given=list(leaky.by_neighbours(ratio=at).values()),
        alone=list(leaky.without_leak().by_neighbours(ratio=at).values()),
        both=list(leaky.released().by_neighbours(ratio=at).values()),
        coverage=[leaky.covered(x, y) for x, y in leaky.neighbours],
        factors=[given_the_leak(leaky, x, y).ratio() for x, y in leaky.neighbours],
    )


def beside(messages: list[Told]) -> Told:
    """Return what is told about several messages of one bit as that about one message."""
    columns = {key: [vars(message)[key][0] for message in messages] for key in vars(messages[0])}
    return Told(**columns)


def given_the_leak(leaky: LeakyMechanism, x: tuple, y: tuple) -> WorstCase:
    """Return the worst case of two databases over all values that both can leak."""
    return WorstCase({o: leaky.conditioned(x, y, o) for o in leaky.shared_leaks(x, y)})
