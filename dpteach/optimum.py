r"""The exact optimum: the smallest (eps, delta) that holds for *every* composition of given guarantees.

The worst case of an (eps_i, delta_i) guarantee is known (KOV, section 3.2): with probability delta_i it gives the
secret away, otherwise it answers like a coin of bias e^eps_i : 1. So the optimum is a sum over coins,

    delta(eps) = 1 - prod(1 - delta_i) (1 - delta'(eps)),
    delta'(eps) = sum over sign vectors s with loss(s) = sum s_i eps_i > eps of P(s) (1 - e^(eps - loss(s))).

- All guarantees equal (KOV, Theorem 3.3): k + 1 different losses, summed in closed form.
- Few distinct guarantees: all combinations of their losses.
- Some thirty: the losses of one half of them, each against the sorted losses of the other (`dpteach.numerics.halves`).
- Many: counting is #P-hard, but two grids bracket the value as narrowly as you ask (`dpteach.numerics.grid`).

Whatever `delta` and `epsilon` return has been rounded upward: it is never below the truth. If even the finest grid was
not as narrow as `rtol` asks, the bracket still holds, and `reached` is False.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from . import checks
from .annotations import Answer, Asked, Number
from .curve import Curve
from .guarantee import Guarantee, as_groups
from .numerics.coins import SCALE, law_of_coins, number_of_losses
from .numerics.grid import GridBracket
from .numerics.halves import HalvesCurve, two_halves
from .numerics.loss import PrivacyLoss
from .numerics.rounding import FUNCTION, UNIT, outward, total
from .pair import Pair

__all__ = ["Optimum", "optimal"]

MOST_LOSSES = 2**20  # up to this many combinations of losses are summed one by one
LOG_KEPT = FUNCTION + 3  # units of rounding in the logarithm of a product of probabilities
MOST_EQUAL_LOSSES = 2**25  # for equal guarantees, where nothing needs sorting: k up to 10^11 or so


def optimal(guarantees: Guarantee | Iterable[Guarantee], k: int | None = None, rtol: float = 1e-6) -> Optimum:
    """Compose guarantees optimally: one of them k times, or a list.

    `rtol` is how narrow the bracket should be where the optimum can only be bracketed.

    >>> f"{optimal(Guarantee(0.1, 0), k=100).epsilon(1e-6):.10g}"
    '4.774567588'
    """
    groups = [(guarantee, count) for guarantee, count in as_groups(guarantees, k) if count]
    return Optimum(groups, checks.positive("rtol", rtol))


class Optimum(Curve):
    """The curve of the optimal composition: guarantees with their multiplicities."""

    def __init__(self, groups: list[tuple[Guarantee, int]], rtol: float):
        self._failure = Failure(groups)
        self._coins: Counter[float] = Counter()
        for guarantee, count in groups:
            if 0 < guarantee.epsilon < math.inf:
                self._coins[guarantee.epsilon] += count
        self._kept = _curve_of(self._coins, rtol)
        self._finer: list[Optimum] = []

    @property
    def reached(self) -> bool:
        """Whether all brackets so far were as narrow as was asked for; those that were not hold all the same."""
        return self._kept.reached and all(finer.reached for finer in self._finer)

    def _delta_at(self, eps, rounding):
        """delta = 1 - prod(1 - delta_i) (1 - delta'(eps)) (KOV, Theorem 3.3)."""
        return self._failure.add(self._kept.delta(eps, rounding), rounding)

    def _epsilon_at(self, delta, rounding):
        spare = self._failure.spare(delta, rounding)
        eps = np.where(spare > 0, self._kept.epsilon(spare, rounding), self._largest_loss(rounding))
        return np.where(delta < self._failure.lost_end(rounding), np.inf, eps)

    def _largest_loss(self, rounding: int) -> float:
        """Return the sum of all epsilons, which nothing exceeds: exactly, if it is a float."""
        return total(list(self._coins), list(self._coins.values()), rounding)

    def bracket(
        self, *, eps: Number | None = None, delta: Number | None = None, rtol: float | None = None
    ) -> tuple[Answer, Answer]:
        """Return certified (lower, upper) ends of eps at `delta`, or of delta at `eps`.

        `rtol` asks for a narrower bracket than usual, where the optimum can only be bracketed.
        """
        if rtol is None:
            return super().bracket(eps=eps, delta=delta)
        finer = Optimum(self._failure.groups, checks.positive("rtol", rtol))
        self._finer.append(finer)
        return finer.bracket(eps=eps, delta=delta)

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of any test with type I error at most alpha, over all compositions."""
        alpha = checks.delta(alpha, "alpha")
        missed, alarm = self.lower_boundary[::-1].T
        without_alarm = 1 - self._failure.lost  # a rare alarm may be too rare for a float, but is possible
        return checks.plain(np.where(alpha > 0, np.interp(alpha, alarm, missed), without_alarm))

    @cached_property
    def lower_boundary(self) -> np.ndarray:
        """The errors of the tests that accept P from some loss on (KOV, Theorem 3.3 and Figure 2).

        The positive losses give the half above the diagonal; P and Q may be exchanged, so the rest is its mirror image.
        """
        losses, p = self._kept.whole_law()
        harmful = losses > 0
        missed = np.cumsum(p[harmful] * np.exp(-losses[harmful]))
        alarm = np.cumsum(np.append(p[harmful], p[~harmful].sum())[::-1])[::-1]  # the small ones first
        missed = np.append(0.0, missed / p.sum())
        alarm = alarm / p.sum()
        lower = _with_mirror_image(np.stack([missed, alarm], axis=1))
        lower[0] = 0.0, 1.0
        lower[-1] = 1.0, 0.0
        if self._failure.lost == 0:
            return lower
        return np.concatenate([[[0.0, 1.0]], self._failure.kept * lower, [[1.0, 0.0]]])

    @cached_property
    def pair(self) -> Pair:
        """The worst pair of the whole composition, outcomes of equal loss merged: the steps of its boundary.

        Its floats are close to the truth, for drawing and for tests; what bounds it are `delta` and `epsilon` here.
        """
        missed, alarm = self.lower_boundary.T
        return Pair._of(-np.diff(alarm), np.diff(missed))


def _curve_of(coins: dict[float, int], rtol: float) -> ExactCurve | HalvesCurve | GridBracket:
    """Choose how to sum over the coins: loss by loss where there are few, by halves if those are few, else on grids."""
    sizes = [number_of_losses(eps, k) for eps, k in coins.items()]
    if max(sizes, default=0) > MOST_EQUAL_LOSSES:
        raise ValueError(f"k must be at most about 10^11 for the exact optimum, not {max(coins.values())}")
    if len(coins) == 1 or math.prod(sizes) <= MOST_LOSSES:
        return ExactCurve(coins)
    halves = two_halves(coins)
    return HalvesCurve(coins, halves) if halves else GridBracket(coins, rtol)


def _with_mirror_image(half: np.ndarray) -> np.ndarray:
    """Return a boundary from (0, 1) to (1, 0), given the half above the diagonal; a point on it is not repeated."""
    missed, alarm = half[-1]
    on_diagonal = math.isclose(missed, alarm, rel_tol=1e-9)
    mirrored = half[::-1, ::-1]
    return np.concatenate([half, mirrored[1:] if on_diagonal else mirrored])


class ExactCurve:
    """The optimum for coins that can be combined one by one; exact up to the rounding that it accounts for."""

    reached = True  # it is as narrow as floats are

    def __init__(self, coins: dict[float, int]):
        law = law_of_coins(coins)
        harmful = law.losses > 0  # no eps >= 0 is exceeded by the others
        self._law = law
        self._largest = total(list(coins), list(coins.values()), +1) if law.beyond else math.inf
        self._loss = PrivacyLoss(
            law.losses[harmful],
            law.weights[harmful],
            low=law.low[harmful],
            doubt=law.doubt[harmful],
            beyond=law.beyond,
            scale=SCALE,
        )

    def delta(self, eps: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower (rounding -1) or upper (+1) end of delta' at eps."""
        return np.where(eps >= self._largest, 0.0, self._loss.delta(eps, rounding))

    def epsilon(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return the lower or upper end of eps at delta'."""
        return np.minimum(self._loss.epsilon(delta, rounding), self._largest)

    def whole_law(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the losses, the largest first, and their probabilities under P."""
        order = np.argsort(-self._law.losses, kind="stable")
        return self._law.losses[order], self._law.probabilities[order]


class Failure:
    """The event that some mechanism gives the secret away: probability 1 - prod(1 - delta_i), with error bounds.

    `lost` is its probability and `kept` that of the opposite. The sum of the logarithms is right up to LOG_KEPT units
    (a function, a product, the count as a float and a sum). expm1 of a negative number turns them into as many at most,
    exp into that many times the logarithm; each adds its own.
    """

    def __init__(self, groups: list[tuple[Guarantee, int]]):
        self.groups = groups
        chances = [(_chance_of_failure(guarantee), count) for guarantee, count in groups]
        chances = [(delta, count) for delta, count in chances if delta > 0]
        log_kept = math.fsum(_log_kept(delta, count) for delta, count in chances)
        self.kept = math.exp(log_kept)
        self.lost = 0.0 - math.expm1(log_kept)
        self._lost_error = (FUNCTION + LOG_KEPT + 1) * UNIT * self.lost if self.kept > 0 else 0.0
        self._kept_error = (FUNCTION + 1 - LOG_KEPT * log_kept) * UNIT * self.kept if self.kept > 0 else 0.0
        if len(chances) == 1 and chances[0][1] == 1:
            self.lost = chances[0][0]  # nothing was rounded
            self._lost_error = 0.0

    def lost_end(self, rounding: int) -> float:
        """Return the lower (-1) or upper (+1) end of the probability of failure."""
        return self.lost + rounding * self._lost_error

    def kept_end(self, rounding: int) -> float:
        """Return the lower (-1) or upper (+1) end of the probability that nothing fails."""
        return self.kept + rounding * self._kept_error

    def add(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of lost + kept * delta'."""
        lost = self.lost_end(rounding)
        both = lost + outward(self.kept_end(rounding) * delta, rounding)
        return np.minimum(np.where(delta > 0, np.nextafter(both, rounding), lost), 1.0)

    def spare(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return the part of delta that is left for the coins, (delta - lost) / kept; the less, the safer."""
        if self.kept == 0:
            return np.zeros(np.shape(delta))
        part = (delta - self.lost_end(rounding)) / self.kept_end(rounding) * (1 - 4 * UNIT * rounding)
        return np.clip(part, 0.0, 1.0)


def _chance_of_failure(guarantee: Guarantee) -> float:
    """Return delta, or 1 where an infinite epsilon promises nothing."""
    return 1.0 if guarantee.epsilon == math.inf else guarantee.delta


def _log_kept(delta: float, count: int) -> float:
    """Return log (1 - delta)^count."""
    return count * math.log1p(-delta) if delta < 1 else -math.inf
