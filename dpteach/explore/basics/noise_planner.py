"""Explorer: how much noise k answers need for a total of (epsilon, delta), according to each theorem."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

from ...composition import BASIC, THEOREMS
from ...figures.style import COLOURS, FONT
from ...planning import noise_scale, noise_scales
from ..base.axes import COARSE, round_up
from ..base.bars import label
from ..base.controls import choice, int_slider, log_slider, pick
from ..base.explorer import Explorer
from ..base.words import brief, listed, six_digits, written

LAPLACE = "Laplace"
GEOMETRIC = "geometric"
DELTAS = (0, *(10.0**-i for i in range(12, 1, -1)))
OPTIMUM = "exact optimum"
GAUSSIAN = "Gaussian noise, exact"
LABELS = {name: theorem.label for name, theorem in THEOREMS.items()} | {"optimal": OPTIMUM}
SPECIAL = {OPTIMUM: COLOURS[0], GAUSSIAN: COLOURS[1]}  # colours; the theorems are pale


class NoisePlanner(Explorer):
    """How much noise must each of k answers carry, so that all of them together are (ε, δ)-private?"""

    controls: ClassVar = dict(
        eps=log_slider(0.1, 10, 1, "total ε"),
        delta=pick(DELTAS, 1e-6, "total δ"),
        k=int_slider(1, 1000, 100, "answers k"),
        noise=choice((LAPLACE, GEOMETRIC), label="noise"),
    )
    presets: ClassVar = {
        "one answer": dict(k=1),
        "a dashboard": dict(eps=2, delta=1e-6, k=50),
        "no δ at all": dict(delta=0, k=20),
    }
    margins: ClassVar = dict(left=0.27, right=0.95, bottom=0.13, top=0.97)
    xlabel = "standard deviation of one answer's noise"

    def numbers(self, eps, delta, k, noise):
        return dict(deviations=deviations(eps, delta, k, noise))

    def draw(self, ax, n):
        largest = max(filter(math.isfinite, n.deviations.values()))
        end = round_up(1.12 * largest, COARSE)
        for y, (name, deviation) in enumerate(n.deviations.items()):
            length = deviation if math.isfinite(deviation) else 0
            ax.barh(y, length, height=0.62, color=SPECIAL.get(name, COLOURS[5]))
            ax.text(length + end / 100, y, words(deviation, 5), va="center", fontsize=FONT - 1)
        label(ax.yaxis, list(n.deviations))
        ax.set(xlim=(0, end), ylim=(len(n.deviations) - 0.5, -0.5))

    def caption(self, n):
        told = listed({name: n.deviations[name] for name in LABELS.values()}, words)
        saved = n.deviations[BASIC.label] / n.deviations[OPTIMUM]
        who = "One answer of" if n.k == 1 else f"Each of {n.k} answers that share"
        more = "just as much" if saved < 1.0005 else f"{brief(saved)} times as much"
        return (
            f"{who} ε = {six_digits(n.eps)} needs {n.noise} noise of standard deviation "
            f"{brief(n.deviations[OPTIMUM])}; basic composition asks for {more}.\n"
            f"The total is ε = {six_digits(n.eps)} and δ = {six_digits(n.delta)}; deviations are in units of the "
            f"sensitivity.\n{n.noise.capitalize()} noise: {told}.\n"
            f"Gaussian noise: {words(n.deviations[GAUSSIAN])}. The exact optimum saves a factor of {six_digits(saved)}."
        )


def words(deviation: float, digits: int = 6) -> str:
    """Return a standard deviation, or why there is none."""
    return written(deviation, digits) if math.isfinite(deviation) else "impossible without δ"


@lru_cache(maxsize=256)
def deviations(eps: float, delta: float, k: int, noise: str) -> dict[str, float]:
    """Return the standard deviations that the theorems ask for, and that of Gaussian noise; inf if none will do."""
    table = noise_scales(k, eps, delta, noise.lower())
    by_theorem = {LABELS[name]: deviation for name, _, deviation in table}
    return by_theorem | {GAUSSIAN: noise_scale(k, eps, delta, "gaussian", "exact")}
