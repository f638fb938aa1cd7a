"""What the files on Steinke's post share: random private pairs, and the likelihood ratio of Laplace noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ... import Pair
from ..reference import basics as reference


def random_private_pair(rng: np.random.Generator, delta=0, one_in: int = 4) -> tuple[Fraction, Pair]:
    """Draw e^eps and a pair that is (eps, delta)-DP: the worst one, with one answer in so many replaced at random."""
    ratio = 1 + Fraction(int(rng.integers(1, 30)), 10)
    noise = reference.random_map(rng, 4, 4)
    keep = [[((one_in - 1) * (i == j) + noise[i][j]) / one_in for j in range(4)] for i in range(4)]
    return ratio, Pair(*(reference.push(law, keep) for law in reference.worst_pair(ratio, delta)))


def log_ratio(scale: float, y: np.ndarray, shift) -> float:
    """Return the log-likelihood ratio of the output y of Laplace noise around `shift`, against noise around 0."""
    return float(np.sum(np.abs(y) - np.abs(y - shift)) / scale)
