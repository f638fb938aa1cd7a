"""Explorer: the privacy region, dragged by its corners.

Everything that moves is computed and drawn in the browser (`privacy_region.js`), so the picture follows the hand at
once, and stays alive on a page without a kernel. Python supplies what is fixed: the mechanisms' curves and the words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...curve import Curve
from ...figures.style import COLOURS, FONT, line_style, lower_boundary
from ...guarantee import Guarantee
from ...mechanisms import gaussian, laplace, randomized_response
from ..base.axes import draw_blind_guessing
from ..base.controls import choice, slider
from ..base.explorer import Explorer
from ..base.words import six_digits

NONE = "none"
COIN = "a coin"
LAPLACE = "Laplace noise"
GAUSSIAN = "Gaussian noise"
MECHANISMS = {COIN: randomized_response, LAPLACE: laplace, GAUSSIAN: gaussian}
TITLES = {COIN: "A coin of ε = {}", LAPLACE: "Laplace noise of ε = {}", GAUSSIAN: "Gaussian noise of μ = {}"}
BLUE, ORANGE, GREEN = COLOURS[:3]
DARK = "#A34700"  # vermilion on which white letters are legible
WEAKEST = 0.1  # the least ε for which a mechanism is drawn
JUST_INSIDE = 1e-9  # by so much may a mechanism that touches the boundary seem to cross it
FEW = 10  # corners of a boundary that is a polygon
STEPS = {"eps": (0.02, 0.1, 0.5), "delta": (0.005, 0.01, 0.05), "alarm": (0.001, 0.01, 0.1)}  # arrow, Shift, Page

# Both the browser and Python fill in these sentences, so they cannot tell different stories.
WORDS = {
    "headline": "Under the promise ε = {eps} and δ = {delta}, a test with a false alarm rate of {alarm} misses at "
    "least {missed}.",
    "promise": "The promise keeps every test's two errors inside the blue region; at its corner both errors are "
    "{corner}.",
    "test": "The test at the square raises a false alarm with probability {alarm} (it says D1 on D0) and misses with "
    "probability {missed} (it says D0 on D1); no test with as few false alarms misses less.",
    "saves": "From here on, more false alarms lower the misses at a rate of {rate} to 1.",
    "saves nothing": "From here on, more false alarms gain nothing.",
    "inside": "{title} keeps the promise: at ε = {eps} it needs δ = {needs}.",
    "outside": "{title} breaks the promise: at ε = {eps} it needs δ = {needs}, and its region sticks out.",
}


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
        "a coin that uses up a pure ε = 1": dict(eps=1, delta=0, mechanism=COIN),
        "Laplace noise wastes some": dict(eps=1, delta=0, mechanism=LAPLACE),
        "Gaussian noise breaks every pure ε": dict(eps=2, delta=0, mechanism=GAUSSIAN),
        "blind guessing": dict(eps=0, delta=0, alarm=0.5),
    }
    size = (7.5, 6.9)
    margins: ClassVar = dict(left=0.12, right=0.95, bottom=0.1, top=0.93)
    parts: ClassVar = (Path(__file__).with_name("privacy_region"),)
    xlabel = "missed detection"
    ylabel = "false alarm"

    def __init__(self, preset: str | None = None, **settings):
        if preset is None and "eps" in settings:
            promised = self._checked({"eps": settings["eps"]})["eps"]
            settings = {"strength": max(promised, WEAKEST)} | settings
        super().__init__(preset, **settings)

    def numbers(self, eps, delta, alarm, mechanism, strength):
        guarantee = Guarantee(eps, delta)
        corner = guarantee.equal_errors
        promised = dict(
            region=guarantee.curve.region().astype(float),
            corner=corner,
            missed=guarantee.curve.tradeoff(alarm),
            rate=exchange_rate(eps, delta, alarm, corner),
        )
        if mechanism == NONE:
            return promised
        curve = _curve(mechanism, strength)
        boundary = curve.region().astype(float)
        return promised | dict(title=_title(mechanism, strength), needs=curve.delta(eps), boundary=boundary)

    def idle(self, settings):
        return {"strength": "there is no mechanism inside"} if settings["mechanism"] == NONE else {}

    def caption(self, n):
        told = dict(eps=six_digits(n.eps), delta=six_digits(n.delta))
        told |= {name: f"{getattr(n, name):.4f}" for name in ("corner", "alarm", "missed", "rate")}
        parts = ["headline", "promise", "test", "saves" if n.rate else "saves nothing"]
        if n.mechanism != NONE:
            told |= dict(title=n.title, needs=six_digits(n.needs))
            parts.append("inside" if n.needs <= n.delta + JUST_INSIDE else "outside")
        return "\n".join(WORDS[part].format(**told) for part in parts)

    def draw(self, ax, n):
        ax.fill(*n.region.T, facecolor=BLUE + "22", edgecolor=BLUE, linewidth=2.4)
        self._draw_mechanism(ax, n)
        draw_blind_guessing(ax)
        ax.plot([0, n.missed, n.missed], [n.alarm, n.alarm, 0], color=ORANGE, linewidth=1.6, linestyle="--")
        ax.plot(n.missed, n.alarm, "s", ms=15, color=ORANGE, mec="white", mew=2, clip_on=False)  # seen under a circle
        ax.plot([n.corner, 0], [n.corner, 1 - n.delta], "o", ms=13, color=BLUE, mec="white", mew=2, clip_on=False)
        self._name_handles(ax, n)
        self._name_errors(ax, n)
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")

    def _draw_mechanism(self, ax, n):
        if n.mechanism == NONE:
            ax.set_title("", loc="left", fontsize=FONT)
            return
        closed = np.vstack([n.boundary, n.boundary[:1]])
        ax.fill(*n.boundary.T, facecolor=GREEN + "22", edgecolor="none")
        ax.plot(*closed.T, **line_style(2))
        ax.set_title(f"dash-dotted: {n.title}", loc="left", fontsize=FONT)

    def _name_handles(self, ax, n):
        """Write ε and δ beside the points that drag them."""
        box = dict(boxstyle="round,pad=0.15", facecolor="white", edgecolor="none", alpha=0.8)
        handles = {f"ε = {six_digits(n.eps)}": (n.corner, n.corner), f"δ = {six_digits(n.delta)}": (0, 1 - n.delta)}
        for text, (x, y) in handles.items():
            up = 8 if y < 0.9 else -18
            ax.annotate(text, (x, y), (14, up), fontsize=FONT, bbox=box)

    def _name_errors(self, ax, n):
        """Write the errors of the test on the axes."""
        pill = dict(boxstyle="round,pad=0.25", facecolor=DARK, edgecolor="none")
        look = dict(fontsize=FONT - 2, bbox=pill, color="white")
        ax.annotate(f"{n.alarm:.4f}", (0, n.alarm), (-7, 0), ha="right", va="center", **look)
        ax.annotate(f"{n.missed:.4f}", (n.missed, 0), (0, -7), ha="center", va="top", **look)

    # ----------------------------------------------------------------------------------------- for the browser

    def _constant(self) -> dict[str, Any]:
        """Let the browser compute: `strength` is set in code, and by presets."""
        constant = super()._constant() | dict(extra="region", local="region")
        constant["controls"] = [control for control in constant["controls"] if control["name"] != "strength"]
        return constant

    def _drawn(self, numbers) -> dict[str, Any]:
        return dict(fixed=self._fixed())

    def _fixed(self) -> dict[str, Any]:
        """Return all that the browser reads but never changes."""
        presets = {name: self._full(self._preset(name)) for name in self.presets}
        used = [self._first, self.settings, *presets.values()]
        grids = {name: self._grid(name, used) for name in STEPS}
        strengths = sorted({settings["strength"] for settings in used})
        return dict(
            words=WORDS,
            none=NONE,
            steps=STEPS,
            grids=grids,
            mechanisms=[_table(strength, tuple(grids["eps"])) for strength in strengths],
            tolerance=JUST_INSIDE,
            colours=(BLUE, ORANGE, GREEN, DARK),
        )

    def _grid(self, name: str, used: list[Mapping[str, Any]]) -> list[float]:
        """Return the values of a slider, and those of settings that lie between them."""
        return sorted({*self.controls[name].grid, *(settings[name] for settings in used)})


def exchange_rate(eps: float, delta: float, alarm: float, corner: float) -> float:
    """Return at which rate more false alarms lower the missed detections, on the boundary of the region."""
    if alarm >= 1 - delta:
        return 0.0
    return math.exp(eps) if alarm < corner else math.exp(-eps)


@lru_cache(maxsize=64)
def _curve(mechanism: str, strength: float) -> Curve:
    return MECHANISMS[mechanism](strength)


def _title(mechanism: str, strength: float) -> str:
    return TITLES[mechanism].format(six_digits(strength))


@lru_cache(maxsize=16)
def _table(strength: float, eps: tuple[float, ...]) -> dict[str, Any]:
    """Return what the browser knows about the mechanisms of one strength."""
    return dict(strength=strength, mechanisms={name: _drawn(name, strength, eps) for name in MECHANISMS})


def _drawn(mechanism: str, strength: float, eps: tuple[float, ...]) -> dict[str, Any]:
    """Return a mechanism's boundary to draw, and the delta that it needs at each eps."""
    curve = _curve(mechanism, strength)
    lower = lower_boundary(curve)
    if len(lower) >= FEW:
        lower = lower[::2]  # 129 points are enough for the eye
    needs = np.asarray(curve.delta(np.array(eps)))
    return dict(title=_title(mechanism, strength), lower=np.round(lower, 6).tolist(), needs=needs.tolist())
