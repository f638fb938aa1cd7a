"""Explorer: the privacy loss of k Laplace answers, exact and sampled."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...figures.style import COLOURS, FONT, LINE
from ...numerics.walk import LossWalk, loss_walk
from ..base.controls import int_slider, log_slider, slider
from ..base.explorer import Explorer

SAMPLES, BINS = 5000, 60


class PrivacyLoss(Explorer):
    """How much does a tester learn from k answers, on average and at worst?"""

    controls: ClassVar = dict(
        eps=log_slider(0.05, 2, 0.5, "ε of one answer"),
        k=int_slider(1, 200, 5, "answers k"),
        at=slider(0, 10, 1, 0.1, "promised ε"),
        seed=int_slider(0, 99, 0, "sample number"),
    )
    presets: ClassVar = {
        "one answer: two spikes": dict(eps=0.5, k=1, at=0.4),
        "two answers": dict(eps=0.5, k=2, at=0.5),
        "a bell already": dict(eps=0.2, k=100, at=4),
    }
    xlabel, ylabel = "privacy loss log P(y)/Q(y) of all k answers", "probability"

    def numbers(self, eps, k, at, seed):
        walk, (edges, exact) = loss_walk(eps, k), histogram(eps, k)
        drawn = sample(eps, k, seed)
        return dict(
            eps=eps, k=k, at=at, seed=seed, edges=edges, exact=exact, sampled=np.histogram(drawn, edges)[0] / SAMPLES,
            bell=bell(walk, edges), mean=walk.mean, std=walk.std, worst=k * eps,
            tail=walk.tail(at), delta=walk.delta(at), seen=float(np.mean(drawn > at)),
        )  # fmt: skip

    def draw(self, ax, n):
        middle, width = (n.edges[:-1] + n.edges[1:]) / 2, n.edges[1] - n.edges[0]
        for word, part, colour in (("below", middle <= n.at, COLOURS[5]), ("above", middle > n.at, COLOURS[6])):
            x, heights = _stairs(n.edges, np.where(part, n.sampled, 0))
            ax.fill_between(x, heights, color=colour, lw=0, label=f"{SAMPLES} samples, {word} the promise")
        ax.plot(middle, n.exact, "o", ms=5, color="black", label="exact")
        ax.plot(middle, n.bell, color=COLOURS[1], lw=LINE - 0.6, ls="--", label="bell of equal mean and width")
        ax.axvline(n.at, ymax=0.8, color="0.3", lw=1.5)
        top = _round_up(1.3 * max(n.exact.max(), n.sampled.max()))
        ax.set(xlim=(n.edges[0], n.edges[-1]), ylim=(0, top), ylabel=f"probability, in bins of {width:.3g}")
        ax.legend(fontsize=FONT - 2, loc="upper center", ncols=2)

    def caption(self, n):
        return (
            f"The loss of k = {n.k} Laplace answers with ε = {n.eps:.6g} each is {n.mean:.6g} on average, with "
            f"standard deviation {n.std:.6g}, and at most {n.worst:.6g}. It exceeds the promised ε = {n.at:.6g} with "
            "probability "
            f"{n.tail:.6g} (in sample {n.seed}: {n.seen:.6g}); exactly δ = {n.delta:.6g} is needed for that promise."
        )


@lru_cache(maxsize=64)
def sample(eps: float, k: int, seed: int) -> np.ndarray:
    """Return sampled losses, the same for the same seed."""
    return loss_walk(eps, k).sample(np.random.default_rng(seed), SAMPLES)


@lru_cache(maxsize=64)
def histogram(eps: float, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of bins, with every spike in the middle of a bin, and their exact probabilities."""
    walk = loss_walk(eps, k)
    reach = min(abs(walk.mean) + 4.5 * walk.std, k * eps) + eps
    spikes = 2 * reach / (2 * eps * BINS)  # in a bin; an odd number of them, or of bins between two of them
    width = 2 * eps * (_odd(spikes) if spikes > 1 else 1 / _odd(1 / spikes))
    middle = k % 2 * eps  # a spike
    low, high = math.floor((-reach - middle) / width + 0.5), math.ceil((reach - middle) / width + 0.5)
    edges = middle + width * (np.arange(low, high + 1) - 0.5)
    return edges, -np.diff(walk.tail(edges))


def bell(walk: LossWalk, edges: np.ndarray) -> np.ndarray:
    """Return the normal density of equal mean and width, as probabilities of bins."""
    middle, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    return width * np.exp(-(((middle - walk.mean) / walk.std) ** 2) / 2) / (walk.std * math.sqrt(2 * math.pi))


def _odd(x: float) -> int:
    """Return an odd whole number near x, at least 1."""
    return 2 * math.floor(x / 2) + 1


def _stairs(edges: np.ndarray, heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(edges, 2)[1:-1], np.repeat(heights, 2)


def _round_up(x: float) -> float:
    """Return the next round number: the axis should rarely change."""
    unit = 10 ** math.floor(math.log10(x))
    return next(step * unit for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * unit >= x)
