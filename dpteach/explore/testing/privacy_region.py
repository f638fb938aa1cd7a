"""Explorer: the privacy region, dragged by its corners.

Everything that moves is computed and drawn in the browser (`privacy_region.js`), so the picture follows the hand at
once, and stays alive on a page without a kernel. Python supplies what is fixed: the mechanisms' curves and the words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import numpy as np
import traitlets
from matplotlib.patches import Polygon

from ...figures.style import COLOURS, FONT, balanced_error, line_style, lower_boundary
from ...guarantee import Guarantee
from ...mechanisms import gaussian, laplace, randomized_response
from ..base.controls import choice, short, slider
from ..base.explorer import OWN, Explorer

NONE = "none"
MECHANISMS = {
    "a coin": (randomized_response, "A coin of ε = {}"),
    "Laplace noise": (laplace, "Laplace noise of ε = {}"),
    "Gaussian noise": (gaussian, "Gaussian noise of μ = {}"),
}
DARK = "#A34700"  # vermilion on which white letters are legible
WEAKEST = 0.1  # the least ε for which a mechanism is drawn
JUST_INSIDE = 1e-9  # by so much may a mechanism that touches the boundary seem to cross it
STEPS = {"eps": (0.1, 0.02, 0.5), "delta": (0.01, 0.005, 0.05), "alarm": (0.01, 0.001, 0.1)}  # arrow, Shift, Page

# Both the browser and Python fill in these sentences, so they cannot tell different stories.
WORDS = {
    "promise": "A promise of ε = {eps} and δ = {delta} keeps every test's two errors inside the blue region; "
    "at its corner both errors are {corner}.",
    "test": "The test at the square raises a false alarm with probability {alarm} (it says D1 on D0) and misses with "
    "probability {missed} (it says D0 on D1); no test with as few false alarms misses less.",
    "saves": "From here on, more false alarms lower the misses at a rate of {rate} to 1.",
    "saves nothing": "From here on, more false alarms gain nothing.",
    "inside": "{title} keeps the promise: at ε = {eps} it needs δ = {needs}.",
    "outside": "{title} breaks the promise: at ε = {eps} it needs δ = {needs}, and its region sticks out.",
}


class RegionWidget(anywidget.AnyWidget):
    """What the browser shows: five settings that it moves, and `fixed` things that it reads."""

    _esm = Path(__file__).with_name("privacy_region.js")
    _css = Path(__file__).with_name("privacy_region.css")
    eps = traitlets.Float().tag(sync=True)
    delta = traitlets.Float().tag(sync=True)
    alarm = traitlets.Float().tag(sync=True)
    mechanism = traitlets.Unicode().tag(sync=True)
    strength = traitlets.Float().tag(sync=True)
    fixed = traitlets.Dict().tag(sync=True)


class PrivacyRegion(Explorer):
    """Drag ε, δ and the test: which pairs of errors does the promise leave to a tester?

    `alarm` is the false alarm rate of the test; the mechanism's ε, `strength`, is the promised one unless given.
    """

    controls: ClassVar = dict(
        eps=slider(0, 4, 1, 0.02, "ε"),
        delta=slider(0, 0.9, 0.05, 0.005, "δ"),
        alarm=slider(0, 1, 0.1, 0.001, "the test's false alarms"),
        mechanism=choice((NONE, *MECHANISMS), label="mechanism inside"),
        strength=slider(WEAKEST, 4, 1, 0.1, "the mechanism's ε"),
    )
    presets: ClassVar = {
        "Figure 1 of the paper": dict(eps=1, delta=0.1),
        "pure ε = 1, and a coin that uses it up": dict(eps=1, delta=0, mechanism="a coin"),
        "Laplace noise wastes some": dict(eps=1, delta=0, mechanism="Laplace noise"),
        "Gaussian noise breaks every pure ε": dict(eps=2, delta=0, mechanism="Gaussian noise"),
        "blind guessing": dict(eps=0, delta=0, alarm=0.5),
    }
    size = (7.5, 6.9)
    margins: ClassVar = dict(left=0.12, right=0.95, bottom=0.1, top=0.93)
    xlabel, ylabel = "missed detection", "false alarm"

    def __init__(self, preset: str | None = None, **settings):
        if preset is None and "eps" in settings:
            own = {"strength": max(self._checked({"eps": settings["eps"]})["eps"], WEAKEST)}
            settings = own | settings
        super().__init__(preset, **settings)

    def numbers(self, eps, delta, alarm, mechanism, strength):
        guarantee = Guarantee(eps, delta)
        region = guarantee.curve.region().astype(float)
        values = dict(
            eps=eps, delta=delta, alarm=alarm, missed=guarantee.curve.tradeoff(alarm), region=region,
            corner=balanced_error(lower_boundary(guarantee)), mechanism=None,
        )  # fmt: skip
        values["rate"] = exchange_rate(eps, delta, alarm, values["corner"])
        if mechanism != NONE:
            curve = _curve(mechanism, strength)
            values |= dict(mechanism=mechanism, title=_title(mechanism, strength), needs=curve.delta(eps))
            values |= dict(boundary=curve.region().astype(float))
        return values

    def caption(self, n):
        told = {name: short(getattr(n, name)) for name in ("eps", "delta")}
        told |= {name: f"{getattr(n, name):.4f}" for name in ("corner", "alarm", "missed", "rate")}
        parts = ["promise", "test", "saves" if n.rate else "saves nothing"]
        if n.mechanism:
            told |= dict(title=n.title, needs=short(n.needs))
            parts.append("inside" if n.needs <= n.delta + JUST_INSIDE else "outside")
        return " ".join(WORDS[part].format(**told) for part in parts)

    def draw(self, ax, n):
        blue, orange, green = COLOURS[:3]
        ax.add_patch(Polygon(n.region, facecolor=blue + "22", edgecolor=blue, linewidth=2.4))
        if n.mechanism:
            ax.add_patch(Polygon(n.boundary, facecolor=green + "22", edgecolor="none"))
            ax.plot(*np.vstack([n.boundary, n.boundary[:1]]).T, **line_style(2))
        ax.set_title(f"dash-dotted: {n.title}" if n.mechanism else "", loc="left", fontsize=FONT)
        ax.plot([0, 1], [1, 0], color="0.45", linewidth=1.2, linestyle=":")
        ax.text(0.8, 0.235, "blind guessing", color="0.3", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
        ax.plot([0, n.missed, n.missed], [n.alarm, n.alarm, 0], color=orange, linewidth=1.6, linestyle="--")
        ax.plot([n.corner, 0], [n.corner, 1 - n.delta], "o", ms=13, color=blue, mec="white", mew=2, clip_on=False)
        ax.plot(n.missed, n.alarm, "s", ms=12, color=orange, mec="white", mew=2, clip_on=False)
        self._name(ax, n)
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")

    def _name(self, ax, n):
        """Write the values beside their handles, those of the test on the axes."""
        box = dict(boxstyle="round,pad=0.15", facecolor="white", edgecolor="none", alpha=0.8)
        for text, at in ((f"ε = {short(n.eps)}", (n.corner,) * 2), (f"δ = {short(n.delta)}", (0, 1 - n.delta))):
            shift = (14, 8 if at[1] < 0.9 else -18)
            ax.annotate(text, at, shift, textcoords="offset points", fontsize=FONT, bbox=box)
        pill = dict(boxstyle="round,pad=0.25", facecolor=DARK, edgecolor="none")
        look = dict(textcoords="offset points", fontsize=FONT - 2, bbox=pill, color="white", annotation_clip=False)
        ax.annotate(f"{n.alarm:.4f}", (0, n.alarm), (-7, 0), ha="right", va="center", **look)
        ax.annotate(f"{n.missed:.4f}", (n.missed, 0), (0, -7), ha="center", va="top", **look)

    # ------------------------------------------------------------------------------------------- the widget

    @cached_property
    def widget(self) -> RegionWidget:
        """The live region, made when it is first shown."""
        widget = RegionWidget(fixed=self._fixed(), **self.settings)
        widget.observe(self._moved, names=list(self.settings))
        return widget

    def _moved(self, change) -> None:
        """Follow what was dragged in the browser."""
        self.settings[change.name] = change.new

    def _put(self, settings: Mapping[str, Any]) -> None:
        self.settings.update(settings)
        if "widget" in vars(self):
            with self.widget.hold_sync():
                self.widget.fixed = self._fixed()
                for name, value in settings.items():
                    setattr(self.widget, name, value)

    def _fixed(self) -> dict[str, Any]:
        """Return all that the browser reads but never changes."""
        presets: ClassVar = {name: self._full(self._preset(name)) for name in self.presets}
        used = [self._first, self.settings, *presets.values()]
        grids = {name: sorted({*self.controls[name].grid, *(s[name] for s in used)}) for name in STEPS}
        tables = [_table(strength, tuple(grids["eps"])) for strength in sorted({s["strength"] for s in used})]
        return dict(
            question=self.question, first=self._first, presets=presets, own=OWN, words=WORDS, none=NONE, steps=STEPS,
            grids=grids, mechanisms=tables, tolerance=JUST_INSIDE, colours=(*COLOURS[:3], DARK),
        )  # fmt: skip


def exchange_rate(eps: float, delta: float, alarm: float, corner: float) -> float:
    """Return at which rate more false alarms lower the missed detections, on the boundary of the region."""
    if alarm >= 1 - delta:
        return 0.0
    return math.exp(eps) if alarm < corner else math.exp(-eps)


@lru_cache(maxsize=64)
def _curve(mechanism: str, strength: float):
    return MECHANISMS[mechanism][0](strength)


def _title(mechanism: str, strength: float) -> str:
    return MECHANISMS[mechanism][1].format(short(strength))


@lru_cache(maxsize=16)
def _table(strength: float, eps: tuple[float, ...]) -> dict[str, Any]:
    """Return, for each mechanism, its boundary to draw and the delta that it needs at each eps."""
    found = {}
    for name in MECHANISMS:
        curve = _curve(name, strength)
        lower = lower_boundary(curve)
        lower = lower if len(lower) < 10 else lower[::2]  # 129 points are enough for the eye
        needs = np.asarray(curve.delta(np.array(eps))).tolist()
        found[name] = dict(title=_title(name, strength), lower=np.round(lower, 6).tolist(), needs=needs)
    return dict(strength=strength, mechanisms=found)
