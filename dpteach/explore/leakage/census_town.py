"""Explorer: a small town, a census that releases noisy counts, and invariants that are published exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ...curve import VACUOUS
from ...figures.style import COLOURS, FONT
from ...leakage.examples import INVARIANTS
from ..base.axes import two_panels
from ..base.bars import BEHIND, DARK, HATCHES, label
from ..base.controls import choice, int_slider, pick, switch
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import brief, tell
from .census import ANSWERS, COUNTS, Census, Promise, learned, promised

NOBODY = "nobody else's record"
EVERYBODY = "everybody else's record"
MOST = 3
NOTIONS = ("given the leak (bLDP)", "release alone (DP)", "release and leak (DP)")
SEEN = {  # what a neighbour has seen, and the look of the bars
    "nothing": dict(color="0.6", hatch=""),
    "the leak": dict(color=COLOURS[0], hatch=HATCHES[0]),
    "the release": dict(color=COLOURS[1], hatch=HATCHES[1]),
    "both": dict(color=COLOURS[2], hatch=HATCHES[2]),
}
TICKS = (1, 3, 10, 30, 100, 1000, 10**4, 10**5, 10**6, 10**8)


class CensusTown(Explorer):
    """A census publishes some numbers exactly and others with noise: what does a neighbour learn?"""

    controls: ClassVar = dict(
        people=int_slider(1, MOST, 2, "people"),
        release=choice((COUNTS, ANSWERS), label="noisy release"),
        ratio=pick((1.5, 2, 3, 4, 5, 10), 3, "factor of the noise"),
        knows=choice((NOBODY, EVERYBODY), label="neighbour knows"),
        people_a=switch(True, "leaks: people in A"),
        flags=switch(False, "leaks: flags"),
        flags_a=switch(False, "leaks: flags in A"),
        flags_b=switch(False, "leaks: flags in B"),
        sums=switch(False, "leaks: flag + next flag, mod 2"),
        blurred=switch(False, "the leak is noisy, too"),
    )
    presets: ClassVar = {
        "exact block counts: 16 of 48": dict(),
        "the same with a noisy leak": dict(blurred=True),
        "nothing leaks": dict(people_a=False),
        "two invariants: vacuous": dict(flags=True),
        "the XOR attack": dict(people=3, release=ANSWERS, people_a=False, sums=True),
        "the XOR attack, all others known": dict(people=3, release=ANSWERS, people_a=False, sums=True, knows=EVERYBODY),
    }
    size = (9.0, 4.8)

    def blank(self) -> Sheet:
        margins = dict(left=0.075, right=0.985, bottom=0.14, top=0.78, wspace=0.5)
        sheet, left, right = two_panels(self.size, (1, 1), **margins)
        left.grid(axis="x", visible=False)
        left.set_ylabel("how sure a neighbour can be", fontsize=FONT)
        left.set_xticks([0, 1], ["Anna's flag", "Anna's block"], fontsize=FONT)
        left.set(xlim=(-0.5, 1.5), ylim=(0, 1.12))
        right.grid(axis="y", visible=False)
        right.set_xscale("log")
        right.set_xlabel("factor (e to the power ε)", fontsize=FONT)
        return sheet

    def numbers(self, people, release, ratio, knows, people_a, flags, flags_a, flags_b, sums, blurred):
        switches = dict(zip(INVARIANTS, (people_a, flags, flags_a, flags_b), strict=True))
        names = tuple(name for name, leaks in switches.items() if leaks)
        census = Census(people, release, Fraction(str(ratio)), names, sums, blurred)
        return dict(
            ratio=census.ratio,
            names=names,
            promises=promised(census),
            sure=learned(census, insider=knows == EVERYBODY),
        )

    def idle(self, settings):
        leaks = any(settings[name] for name in ("people_a", "flags", "flags_a", "flags_b", "sums"))
        return {} if leaks else {"blurred": "nothing leaks"}

    def draw(self, axes, n):
        left, right = axes
        self._draw_beliefs(left, n)
        self._draw_promises(right, n)

    def _draw_beliefs(self, ax, n):
        for i, (name, look) in enumerate(SEEN.items()):
            at = np.arange(2) + 0.23 * (i - 1.5)
            heights = [float(n.sure["flag"][i]), float(n.sure["block"][i])]
            ax.bar(at, heights, width=0.21, edgecolor="white", label=f"from {name}", **look)
            for x, height in zip(at, heights, strict=True):
                words = "sure" if height == 1 else f"{height:.3g}"
                ax.text(x, height + 0.015, words, ha="center", fontsize=FONT - 2)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.05, 1.0), ncols=2, frameon=False)

    def _draw_promises(self, ax, n):
        end = 4 * max(float(n.ratio), *_finite(n.promises))
        for i, name in enumerate(NOTIONS):
            ratios = [promise.by_notion[i] for promise in n.promises.values()]
            self._draw_notion(ax, i, name, ratios, end)
        label(ax.yaxis, [_covered_words(kind, promise) for kind, promise in n.promises.items()])
        ticks = [tick for tick in TICKS if tick <= end]
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.set(xlim=(1, end), ylim=(2.5, -0.5))
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.05, 1.0), frameon=False)

    def _draw_notion(self, ax, i, name, ratios, end):
        """Draw the i-th bar of every kind of neighbours, with its number."""
        at = np.arange(len(ratios)) + 0.27 * (i - 1)
        lengths = [_length(ratio, end) for ratio in ratios]
        look = dict(color=COLOURS[i], hatch=HATCHES[i], edgecolor="white")
        ax.barh(at, lengths, left=1, height=0.25, label=name, **look)
        for y, ratio in zip(at, ratios, strict=True):
            words = tell(ratio).split(" = ")[-1]
            ax.text(y=y, s=words, va="center", color=DARK[i], fontsize=FONT - 1, **_place(ratio, end))

    def caption(self, n):
        leak = ", ".join([*n.names, "flag + next flag mod 2"] if n.sums else n.names) or "nothing"
        noise = f", with noise of factor {tell(n.ratio)}" if n.blurred and leak != "nothing" else ""
        covered = sum(promise.covered for promise in n.promises.values())
        total = sum(promise.neighbours for promise in n.promises.values())
        rows = "\n".join(_promised_words(kind, promise) for kind, promise in n.promises.items())
        sure = "\n".join(_sure_words(what, chances) for what, chances in n.sure.items())
        flag, block = (_percent(chances[-1]) for chances in n.sure.values())
        return (
            f"The definition covers {covered} of {total} neighbouring pairs; a neighbour can become {flag} sure of "
            f"Anna's flag, {block} of her block.\n"
            f"People: {n.people}. Released: {n.release}, factor {tell(n.ratio)} (e to the power ε). Leaked: "
            f"{leak}{noise}.\n{rows}\n"
            f"Who knows {n.knows} and thinks the rest equally likely can be as sure as this about Anna:\n{sure}"
        )


def _finite(promises: dict[str, Promise]) -> list[float]:
    """Return all e^eps that are finite numbers."""
    ratios = [ratio for promise in promises.values() for ratio in promise.by_notion]
    return [float(ratio) for ratio in ratios if ratio is not VACUOUS and ratio < math.inf]


def _length(ratio, end: float) -> float:
    return 0.0 if ratio is VACUOUS else min(float(ratio), end) - 1


def _place(ratio, end: float) -> dict:
    """Return where the number of a bar stands: at its end, or, if it has none, inside."""
    if ratio == math.inf:
        return dict(x=0.9 * end, ha="right", bbox=BEHIND)
    return dict(x=1.06 * (1 + _length(ratio, end)), ha="left")


def _covered_words(kind: str, promise: Promise) -> str:
    return f"{kind}\n{promise.covered} of {promise.neighbours}\ncovered"


def _promised_words(kind: str, promise: Promise) -> str:
    given, alone, both = map(tell, promise.by_notion)
    return (
        f"{kind}: {promise.covered} of {promise.neighbours} covered, factor {given} given the leak, {alone} "
        f"for the release, {both} for both."
    )


def _percent(chance: Fraction) -> str:
    """Return a probability in percent, 100% only if it is one."""
    told = brief(100 * chance)
    return f"more than {told}%".replace("100", "99.99") if told == "100" and chance < 1 else f"{told}%"


def _sure_words(what: str, chances: list[Fraction]) -> str:
    by_view = dict(zip(SEEN, chances, strict=True))
    told = [f"{tell(chance)} from {view}" for view, chance in by_view.items() if view != "nothing"]
    return f"{what}: {', '.join(told)}."
