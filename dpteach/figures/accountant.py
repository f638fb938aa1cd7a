"""The picture of a release: what it loses, exactly, beside what the best theorem says."""

from __future__ import annotations

import numpy as np

from .. import checks
from ..accountant import Release
from ..table import Table, show
from .style import FONT, ORANGE, Picture, axes, legend, line_style, note

POINTS = 60  # of the line
SEEN = 1e-3  # relative width of the brackets of which it is drawn; nobody sees more
LEAST_DELTA = 1e-12  # at the bottom of the picture


def release_curve(release: Release, delta: float = 1e-6) -> Picture:
    """Draw delta against eps, and the smallest guarantee at `delta` that a published theorem gives."""
    delta = checks.scalar("delta", delta, low=0, high=1)
    theorem = release.published(delta)
    epsilon = release.epsilon(delta)
    if epsilon == np.inf:
        raise ValueError(f"delta must be large enough for a finite epsilon, not {delta:.10g}")
    most = 1.1 * max(theorem.epsilon, epsilon) if theorem.epsilon < np.inf else 1.5 * epsilon
    eps = np.linspace(0.0, max(most, 1e-9), POINTS)
    heights = Release(*release.events, rtol=SEEN).delta(eps)
    numbers = Table(zip(eps, heights, strict=True), ["ε", "δ(ε)"])
    figure, ax = axes("ε", "δ", "What the release loses")
    ax.plot(eps, np.maximum(heights, LEAST_DELTA / 10), label="the release, exactly", **line_style(0))
    ax.plot([theorem.epsilon], [delta], "D", color=ORANGE, markersize=9, label=f"best theorem: {theorem.theorem}")
    note(ax, f"ε = {show(epsilon)}", (epsilon, delta), (-12, -18), ha="right", fontsize=FONT - 1)
    ax.plot([epsilon], [delta], "o", color="black", markersize=7)
    ax.set(yscale="log", ylim=(LEAST_DELTA, 2), xlim=(0, eps[-1]))
    legend(ax, loc="upper right")
    alt = (
        f"δ against ε for a release of {sum(event.count for event in release.events)} answers, δ on a logarithmic "
        f"scale. It falls to {show(delta)} at ε = {show(epsilon)}; the best theorem, {theorem.theorem}, says "
        f"{show(theorem.epsilon)} there."
    )
    return Picture(figure, alt, numbers)
