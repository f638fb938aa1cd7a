"""Explorer: the privacy loss of k Laplace answers, exact and sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ...figures.style import COLOURS, FONT, LINE
from ...numerics.walk import LossWalk, loss_walk
from ..base.axes import round_up
from ..base.controls import int_slider, log_slider, slider
from ..base.explorer import Explorer
from ..base.words import brief, counted, six_digits

SAMPLES = 5000
MANY = 60  # so many bins are wanted
REACH = 4.5  # standard deviations that are drawn on each side


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
    xlabel = "privacy loss log P(y)/Q(y) of all k answers"
    ylabel = "probability"

    def numbers(self, eps, k, at, seed):
        walk = loss_walk(eps, k)
        bins = Bins.of(walk)
        losses = sample(eps, k, seed)
        return dict(
            walk=walk,
            bins=bins,
            edges=bins.edges,
            exact=exact_chances(eps, k),
            sampled=np.histogram(losses, bins.edges)[0] / SAMPLES,
            bell=bins.width * walk.bell(bins.middles),
            tail=walk.tail(at),
            delta=walk.delta(at),
            seen=float(np.mean(losses > at)),
        )

    def draw(self, ax, n):
        below = n.bins.middles <= n.at
        self._draw_samples(ax, n, below, COLOURS[5], "below")
        self._draw_samples(ax, n, ~below, COLOURS[6], "above")
        ax.plot(n.bins.middles, n.exact, "o", ms=5, color="black", label="exact")
        ax.plot(n.bins.middles, n.bell, color=COLOURS[1], lw=LINE - 0.6, ls="--", label="bell of equal mean and width")
        ax.axvline(n.at, ymax=0.8, color="0.3", lw=1.5)
        top = round_up(1.3 * max(n.exact.max(), n.sampled.max()))
        ax.set(xlim=(n.edges[0], n.edges[-1]), ylim=(0, top), ylabel=f"probability, in bins of {n.bins.width:.3g}")
        ax.legend(fontsize=FONT - 2, loc="upper center", ncols=2)

    def _draw_samples(self, ax, n, part, colour, side):
        """Draw the bins on one side of the promise as stairs."""
        heights = np.repeat(np.where(part, n.sampled, 0), 2)
        ends = np.repeat(n.edges, 2)[1:-1]
        ax.fill_between(ends, heights, color=colour, lw=0, label=f"{SAMPLES} samples, {side} the promise")

    def caption(self, n):
        return (
            f"The loss of {counted(n.k, 'answer')} of ε = {six_digits(n.eps)} is {brief(n.walk.mean)} on average; it "
            f"exceeds the promised {six_digits(n.at)} with probability {brief(n.tail)}.\n"
            f"Laplace noise; the loss has mean {six_digits(n.walk.mean)}, standard deviation {six_digits(n.walk.std)}, "
            f"and is at most {six_digits(n.k * n.eps)}.\n"
            f"It exceeds ε = {six_digits(n.at)} with probability {six_digits(n.tail)}, in sample {n.seed} in a share "
            f"of {six_digits(n.seen)}.\nThe promise needs exactly δ = {six_digits(n.delta)}."
        )


@lru_cache(maxsize=64)
def sample(eps: float, k: int, seed: int) -> np.ndarray:
    """Return sampled losses, the same for the same seed."""
    return loss_walk(eps, k).sample(np.random.default_rng(seed), SAMPLES)


@lru_cache(maxsize=64)
def exact_chances(eps: float, k: int) -> np.ndarray:
    """Return the exact probabilities of the bins."""
    walk = loss_walk(eps, k)
    return -np.diff(walk.tail(Bins.of(walk).edges))


@dataclass(frozen=True, eq=False)
class Bins:
    """Bins of equal width; every spike, a loss with a probability of its own, is in the middle of one."""

    edges: np.ndarray
    width: float

    @classmethod
    def of(cls, walk: LossWalk) -> Bins:
        """Return bins for the likely losses, whose spikes are 2 eps apart."""
        most = walk.k * walk.eps
        reach = min(abs(walk.mean) + REACH * walk.std, most) + walk.eps
        gap = 2 * walk.eps
        width = gap * spikes_in_a_bin(2 * reach / (gap * MANY))
        spike = walk.k % 2 * walk.eps
        first = math.floor((-reach - spike) / width + 0.5)
        last = math.ceil((reach - spike) / width + 0.5)
        edges = spike + width * (np.arange(first, last + 1) - 0.5)
        return cls(edges, width)

    @property
    def middles(self) -> np.ndarray:
        """The middle of each bin."""
        return (self.edges[:-1] + self.edges[1:]) / 2


def spikes_in_a_bin(wanted: float) -> float:
    """Return a number near the wanted one that keeps spikes off the edges: an odd one, or one over an odd one."""
    return odd_near(wanted) if wanted > 1 else 1 / odd_near(1 / wanted)


def odd_near(x: float) -> int:
    """Return an odd whole number near x, at least 1."""
    return 2 * math.floor(x / 2) + 1
