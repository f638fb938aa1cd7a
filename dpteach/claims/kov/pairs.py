"""What the files on KOV share: random pairs, regions cut out by hand, maps between pairs, a budget spent exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ... import optimal, planning
from ..entries import ensure
from ..reference import basics as reference
from ..reference.basics import close

TENTH = Fraction(1, 10)


def random_pairs(rng: np.random.Generator, count: int, outcomes: int) -> list[tuple[list, list]]:
    """Draw pairs of laws in fractions."""
    return [tuple(reference.random_law(rng, outcomes) for _ in "pq") for _ in range(count)]


def region_by_cuts(guarantees, whole: bool) -> list[tuple]:
    """Cut the inequalities of some (e^eps, delta) out of the unit square; `whole` adds the mirrored ones."""
    zero, one = Fraction(0), Fraction(1)
    region = [(zero, zero), (one, zero), (one, one), (zero, one)]
    for ratio, delta in guarantees:
        region = reference.cut(reference.cut(region, ratio, 1, 1 - delta), 1, ratio, 1 - delta)
        if whole:
            region = reference.cut(reference.cut(region, -ratio, -1, -ratio - delta), -1, -ratio, -ratio - delta)
    return region


def maps(matrix, source, target) -> bool:
    """Say whether a stochastic matrix turns one pair into the other."""
    stochastic = np.all(matrix >= 0) and np.allclose(np.sum(matrix, axis=1), 1)
    laws = [(np.array(a, dtype=float) @ matrix, np.array(b, dtype=float)) for a, b in zip(source, target, strict=True)]
    return bool(stochastic and all(np.allclose(a, b, atol=1e-9) for a, b in laws))


def spent(k: int, epsilon: float, delta: float) -> float:
    """Return the exact total delta at epsilon if each of k answers takes its share of the recipe."""
    share = planning.per_answer(k, epsilon, delta)
    exact = reference.optimal_delta(share.epsilon, share.delta, k, epsilon)
    ensure(close(optimal(share, k=k).delta(epsilon), exact, 1e-9), "the library agrees with 50 digits")
    return float(exact)
