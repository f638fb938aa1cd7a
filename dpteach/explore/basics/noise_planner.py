"""Explorer: how much noise k answers need for a total of (epsilon, delta), according to each theorem."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

from ...composition import THEOREMS
from ...figures.style import COLOURS, FONT
from ...mechanisms import geometric, laplace
from ...planning import noise_scale
from ..base.controls import choice, int_slider, log_slider, pick, short
from ..base.explorer import Explorer

METHODS = {theorem.label: name for name, theorem in THEOREMS.items()} | {"exact optimum": "optimal"}
NEEDS_DELTA = ("advanced", "concentrated")  # with a slack of 0 they promise nothing
MADE = {"Laplace": laplace, "geometric": lambda scale: geometric(1 / scale)}
GAUSSIAN = "Gaussian noise, exact"


class NoisePlanner(Explorer):
    """How much noise must each of k answers carry, so that all of them together are (ε, δ)-private?"""

    controls: ClassVar = dict(
        eps=log_slider(0.1, 10, 1, "total ε"),
        delta=pick((0, *(10.0**-i for i in range(12, 1, -1))), 1e-6, "total δ"),
        k=int_slider(1, 1000, 100, "answers k"),
        noise=choice(("Laplace", "geometric"), label="noise"),
    )
    presets: ClassVar = {
        "one answer": dict(k=1),
        "a dashboard": dict(eps=2, delta=1e-6, k=50),
        "no δ at all": dict(delta=0, k=20),
    }
    margins: ClassVar = dict(left=0.27, right=0.95, bottom=0.13, top=0.97)
    xlabel = "standard deviation of one answer's noise"

    def numbers(self, eps, delta, k, noise):
        deviations = plan(eps, delta, k, noise)
        return dict(eps=eps, delta=delta, k=k, noise=noise, deviations=deviations)

    def draw(self, ax, n):
        finite = [value for value in n.deviations.values() if math.isfinite(value)]
        end = _round_up(1.12 * max(finite))
        for i, (name, value) in enumerate(n.deviations.items()):
            colour = COLOURS[1] if name == GAUSSIAN else COLOURS[0] if name == "exact optimum" else COLOURS[5]
            length = value if math.isfinite(value) else 0
            ax.barh(i, length, height=0.62, color=colour)
            told = f"{value:.5g}" if length else "impossible without δ"
            ax.text(length + end / 100, i, told, va="center", fontsize=FONT - 1)
        ax.set_yticks(range(len(n.deviations)), list(n.deviations))
        ax.set(xlim=(0, end), ylim=(len(n.deviations) - 0.5, -0.5))

    def caption(self, n):
        told = ", ".join(f"{name} {_words(value)}" for name, value in n.deviations.items() if name != GAUSSIAN)
        saved = n.deviations["basic"] / n.deviations["exact optimum"]
        return (
            f"{n.k} answers, together ε = {n.eps:.6g} and δ = {short(n.delta)}. Standard deviation of one answer's "
            f"{n.noise} noise, in units of the sensitivity: {told}; the exact optimum saves a factor of {saved:.6g}. "
            f"Gaussian noise: {_words(n.deviations[GAUSSIAN])}."
        )


def _words(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "impossible without δ"


@lru_cache(maxsize=256)
def plan(eps: float, delta: float, k: int, noise: str) -> dict[str, float]:
    """Return the standard deviations that the theorems ask for, and that of Gaussian noise; inf if none will do."""
    deviations = {name: _deviation(eps, delta, k, noise, theorem) for name, theorem in METHODS.items()}
    deviations[GAUSSIAN] = noise_scale(k, eps, delta, "gaussian", "exact") if delta > 0 else math.inf
    return deviations


def _deviation(eps: float, delta: float, k: int, noise: str, theorem: str) -> float:
    if theorem in NEEDS_DELTA and delta == 0:
        return math.inf
    scale = noise_scale(k, eps, delta, noise.lower(), theorem)
    return math.sqrt(MADE[noise](scale=scale).variance)


def _round_up(x: float) -> float:
    """Return the next of 1, 1.5, 2, 3, 5, 7 times a power of ten: the axis should rarely change."""
    unit = 10 ** math.floor(math.log10(x))
    return next(step * unit for step in (1, 1.5, 2, 3, 5, 7, 10) if step * unit >= x)
