r"""The exact optimum: the smallest (eps, delta) that holds for *every* composition of given guarantees.

The worst case of an (eps_i, delta_i) guarantee is known (KOV, section 3.2): with probability delta_i it gives the
secret away, otherwise it answers like a coin of bias e^eps_i : 1. So the optimum is a sum over coins,

    delta(eps) = 1 - prod(1 - delta_i) (1 - delta'(eps)),
    delta'(eps) = sum over sign vectors s with loss(s) = sum s_i eps_i > eps of P(s) (1 - e^(eps - loss(s))).

- All guarantees equal (KOV, Theorem 3.3): k + 1 different losses, summed in closed form.
- Few distinct guarantees: all combinations of their losses.
- Many: counting is #P-hard, but two grids bracket the value as narrowly as you ask (`dpteach.grid`).

Whatever `delta` and `epsilon` return has been rounded upward: it is never below the truth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property, reduce
from operator import matmul

import numpy as np

from . import checks
from .coins import SCALE, coin_law, number_of_losses
from .grid import GridBracket
from .guarantee import Guarantee, as_groups
from .loss import PrivacyLoss
from .pair import Pair
from .rounding import UNIT, outward

MOST_LOSSES = 2**20  # up to this many combinations of losses are summed one by one
MOST_EQUAL_LOSSES = 2**25  # for equal guarantees, where nothing needs sorting: k up to 10^11 or so


def optimal(guarantees: Guarantee | Iterable[Guarantee], k: int | None = None, rtol: float = 1e-6) -> Optimal:
    """Compose guarantees optimally: one of them k times, or a list.

    `rtol` is how narrow the bracket should be where the optimum can only be bracketed.

    >>> f"{optimal(Guarantee(0.1, 0), k=100).epsilon(1e-6):.10g}"
    '4.774567588'
    """
    groups = [(float(g.epsilon), float(g.delta), count) for g, count in as_groups(guarantees, k) if count]
    return Optimal(groups, checks.positive("rtol", rtol))


class Optimal:
    """The curve of the optimal composition; `epsilon` and `delta` are the upper ends of certified brackets."""

    def __init__(self, groups: list[tuple[float, float, int]], rtol: float):
        self._failure = Failure(groups)
        coins: dict[float, int] = {}
        for eps, _, count in groups:
            if 0 < eps < math.inf:
                coins[eps] = coins.get(eps, 0) + count
        combinations = math.prod(number_of_losses(eps, k) for eps, k in coins.items())
        if too_many := [k for eps, k in coins.items() if number_of_losses(eps, k) > MOST_EQUAL_LOSSES]:
            raise ValueError(f"k must be at most about 10^11 for the exact optimum, not {too_many[0]}")
        few = combinations <= MOST_LOSSES or len(coins) == 1
        self._curve = ExactCurve(coins) if few else GridBracket(coins, rtol)

    def delta(self, eps):
        """Smallest delta at eps, 1 - prod(1 - delta_i) (1 - delta'(eps)) (KOV, Theorem 3.3), rounded up."""
        return self._delta(eps, +1)

    def epsilon(self, delta):
        """Smallest eps at delta, rounded up; inf if no eps will do."""
        return self._epsilon(delta, +1)

    def bracket(self, *, delta=None, eps=None, rtol: float | None = None):
        """Return certified (lower, upper) ends of eps at `delta`, or of delta at `eps`.

        `rtol` asks for a narrower bracket than usual, where the optimum can only be bracketed.
        """
        if (delta is None) == (eps is None):
            raise ValueError("bracket needs exactly one of delta and eps")
        rtol = None if rtol is None else checks.positive("rtol", rtol)
        ask, at = (self._delta, eps) if delta is None else (self._epsilon, delta)
        return ask(at, -1, rtol), ask(at, +1, rtol)

    def _delta(self, eps, rounding: int, rtol=None):
        return checks.plain(self._failure.add(self._curve.delta(checks.eps(eps), rounding, rtol), rounding))

    def _epsilon(self, delta, rounding: int, rtol=None):
        delta = checks.delta(delta)
        eps = self._curve.epsilon(self._failure.spare(delta, rounding), rounding, rtol)
        hopeless = delta < self._failure.lost_end(rounding)
        return checks.plain(np.where(delta >= 1, 0.0, np.where(hopeless, np.inf, eps)))

    def tradeoff(self, alpha):
        """Smallest type II error of any test with type I error at most alpha, over all compositions."""
        return self._pair.tradeoff(alpha)

    def region(self) -> np.ndarray:
        """Return the vertices of the composition's privacy region (KOV, Theorem 3.3 and Figure 2)."""
        return self._pair.region()

    @cached_property
    def _pair(self) -> Pair:
        """The worst pair of the whole composition, outcomes of equal loss merged."""
        losses, weights = self._curve.whole_law()
        weights, kept, lost = weights / weights.sum(), self._failure.kept, self._failure.lost
        p = np.concatenate([[lost], kept * weights, [0.0]])
        loss = np.concatenate([[np.inf], losses, [-np.inf]])
        with np.errstate(over="ignore", invalid="ignore"):
            q = np.where(weights > 0, weights * np.exp(-losses), 0.0)
        q = np.concatenate([[0.0], kept * q / q.sum(), [lost]])
        return Pair._of(p, q, loss) if lost > 0 else Pair._of(p[1:-1], q[1:-1], loss[1:-1])


class ExactCurve:
    """The optimum for coins that can be combined one by one; exact up to the rounding that it accounts for."""

    def __init__(self, coins: dict[float, int]):
        self._law = reduce(matmul, (coin_law(eps, k) for eps, k in coins.items() or [(0.0, 0)]))
        harmful = self._law.losses > 0  # no eps >= 0 is exceeded by the others
        law = self._law
        parts = law.losses[harmful], law.weights[harmful]
        self._loss = PrivacyLoss(*parts, low=law.low[harmful], doubt=law.doubt[harmful], scale=SCALE)

    def delta(self, eps: np.ndarray, rounding: int, rtol=None) -> np.ndarray:
        """Return the lower (rounding -1) or upper (+1) end of delta' at eps."""
        return self._loss.delta(eps, rounding)

    def epsilon(self, delta: np.ndarray, rounding: int, rtol=None) -> np.ndarray:
        """Return the lower or upper end of eps at delta'."""
        return self._loss.epsilon(delta, rounding)

    def whole_law(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all losses and their probabilities under P."""
        return self._law.losses, self._law.probabilities


class Failure:
    """The event that some mechanism gives the secret away: probability 1 - prod(1 - delta_i), with error bounds."""

    def __init__(self, groups: list[tuple[float, float, int]]):
        chances = [(1.0 if eps == math.inf else delta, count) for eps, delta, count in groups]
        chances = [(delta, count) for delta, count in chances if delta > 0]
        log_kept = math.fsum(count * math.log1p(-delta) if delta < 1 else -math.inf for delta, count in chances)
        single = [delta for delta, count in chances if len(chances) == count == 1]
        self.kept = math.exp(log_kept)
        self.lost = single[0] if single else 0.0 - math.expm1(log_kept)
        self._lost_error = 0.0 if single else 8 * UNIT * self.lost * (self.kept > 0)
        self._kept_error = UNIT * (8 - 4 * log_kept) * self.kept if self.kept else 0.0

    def lost_end(self, rounding: int) -> float:
        """Return the lower (-1) or upper (+1) end of the probability of failure."""
        return self.lost + rounding * self._lost_error

    def kept_end(self, rounding: int) -> float:
        """Return the lower (-1) or upper (+1) end of the probability that nothing fails."""
        return self.kept + rounding * self._kept_error

    def add(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of lost + kept * delta'."""
        lost = self.lost_end(rounding)
        total = lost + outward(self.kept_end(rounding) * delta, rounding)
        return np.minimum(np.where(delta > 0, np.nextafter(total, rounding), lost), 1.0)

    def spare(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return the part of delta that is left for the coins, (delta - lost) / kept; the less, the safer."""
        with np.errstate(divide="ignore", invalid="ignore"):
            part = (delta - self.lost_end(rounding)) / self.kept_end(rounding) * (1 - 4 * UNIT * rounding)
        return np.clip(np.nan_to_num(part), 0.0, 1.0)
