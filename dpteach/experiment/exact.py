r"""Hypothesis DP, exactly: how well do the views of the experiment tell two laws on bit vectors apart?

The worst mechanism for a guarantee is the same here as in the classic experiment (KOV, section 3.2): every round of
every adversary, adaptive or not, can be simulated from one sample of its worst pair, whatever the bit. So the exact
value is the hockey-stick divergence between two mixtures of products of worst pairs (HBW, Definition 3):

    P_h(y) = sum over b of h(b) prod_i M_i^(b_i)(y_i).

There are 2^k vectors and as many views. What can be computed depends on the structure of the two hypotheses:

| structure | method | size |
|---|---|---|
| two single vectors | the optimal composition of the rounds in which they differ | k = 10^6 |
| 00...0 against uniform on all others, equal pure guarantees | binomial sum in closed form | k = 10^6 |
| laws of the number of ones, equal guarantees | recurrence over the rounds, O(k^2) | k = 5000 |
| few vectors | rounds with the same column of bits are one composition | k = 2000 |
| anything | one round after the other, 2^k views | k = 20 |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np

from .. import checks
from ..annotations import Asked
from ..curve import BACK, FORTH, Curve, TwoSided
from ..numerics.rounding import LOG_UNITS, UNIT, log_fraction, outward
from ..numerics.side import Side
from ..optimum import Optimum, optimal
from ..pair import Pair
from .all_views import all_views
from .bits import Bits, differing
from .by_count import MOST_BY_COUNT, number_of_ones
from .closed_form import zero_or_not
from .columns import MOST_VIEWS, few_vectors
from .hypothesis import Hypothesis, Weight, check_two
from .rounds import Rounds, Sequence
from .view_laws import ViewLaws


def hypothesis_dp(guarantees: Rounds, h0: Hypothesis, h1: Hypothesis) -> HypothesisCurve:
    """Return the exact curve of how well the views tell `h0` from `h1` (HBW, Definition 3).

    `guarantees` is one for all rounds or one for each: a `Guarantee`, which stands for its worst pair, or a `Pair`.

    >>> from dpteach import Guarantee
    >>> two_coins = hypothesis_dp(Guarantee(1), Hypothesis.point("00"), Hypothesis.uniform(["01", "10"]))
    >>> round(two_coins.epsilon(0), 10)
    1.0
    """
    rounds = Sequence(guarantees, check_two(h0, h1))
    for method in METHODS:
        curve = curve_by(method, rounds, h0, h1)
        if curve is not None:
            return curve
    raise ValueError(_too_large(rounds))


def curve_by(method: str, rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> HypothesisCurve | None:
    """Return the curve by one of the METHODS, or None if it cannot do these hypotheses."""
    found = METHODS[method](rounds, h0, h1)
    if found is None:
        return None
    if isinstance(found, Optimum):
        return TwoVectorsCurve(found, method)
    return HypothesisCurve(found, method, largest_loss(rounds, h0, h1), largest_loss(rounds, h1, h0))


class HypothesisCurve(TwoSided):
    """The curve of how well two hypotheses can be told apart, rounded up, in either or both directions.

    Direction "pq" bounds the probabilities under the first hypothesis by those under the second, "qp" the other way
    round; for mixtures the two differ. With exact pairs and weights, `pair` is exact, `delta(ratio=...)` and
    `ratio(delta)` answer in fractions, and `exact` is true. `method` says how it was computed. `left_out` is the
    probability of the views that were not listed, because too many answers are open; delta counts them as lost.
    """

    def __init__(self, laws: ViewLaws, method: str, largest_forth: float = math.inf, largest_back: float = math.inf):
        self.method = method
        self.exact = laws.exact
        self.left_out = laws.left_out
        self._laws = laws
        self._largest_forth = largest_forth
        self._largest_back = largest_back

    @cached_property
    def pair(self) -> Pair:
        """The laws of the view under the two hypotheses, as far as they matter."""
        return self._laws.pair

    def side(self, direction: str) -> Curve:
        """Return the curve of one direction alone."""
        checks.choice("direction", direction, (FORTH, BACK))
        return self._forth if direction == FORTH else self._back

    @cached_property
    def _forth(self) -> Side:
        laws = self._laws
        exact_pair = self.pair if self.exact else None
        return Side(laws.p, laws.losses, laws.error, exact_pair, laws.left_out, self._largest_forth)

    @cached_property
    def _back(self) -> Side:
        laws = self._laws
        exact_pair = self.pair.reversed() if self.exact else None
        return Side(laws.q, -laws.losses, laws.error, exact_pair, laws.left_out, self._largest_back)

    def tradeoff(self, alpha: Asked) -> Asked:
        r"""Smallest type II error of any test of h0 against h1 with type I error at most alpha, never above the truth.

        If all probabilities are right up to a share e and all losses up to c, then a test with type I error alpha has
        one of at most (1 + e) e^c alpha for the computed laws, and a type II error of at least (1 - e) times theirs.
        """
        if self.exact:
            return self.pair.tradeoff(alpha)
        error = self._laws.error
        share = UNIT * (error.units + len(self._laws.p))  # sums of so many probabilities
        alarm = outward(checks.delta(alpha, "alpha"), +1) * (1 + 2 * (share + error.loss)) + error.mass
        missed = self.pair.tradeoff(np.minimum(alarm, 1.0)) * (1 - 2 * share) - error.mass
        return checks.plain(outward(missed, -1))

    @property
    def lower_boundary(self) -> np.ndarray:
        return self.pair.lower_boundary

    def __repr__(self) -> str:
        return (
            f"<HypothesisCurve by {self.method}: epsilon(0) = {self.epsilon(0):.6g}, delta(0) = {self.delta(0.0):.6g}>"
        )


class TwoVectorsCurve(HypothesisCurve):
    """The curve of two single vectors: that of the optimal composition, in both directions."""

    exact = False
    left_out = 0.0

    def __init__(self, optimum: Optimum, method: str):
        self.method = method
        self._optimum = optimum

    @property
    def pair(self) -> Pair:
        """The worst pair of the composition."""
        return self._optimum.pair

    def side(self, direction: str) -> Curve:
        """Return the curve of either direction: both are the same."""
        checks.choice("direction", direction, (FORTH, BACK))
        return self._optimum

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of any test with type I error at most alpha."""
        return self._optimum.tradeoff(alpha)

    @property
    def lower_boundary(self) -> np.ndarray:
        return self._optimum.lower_boundary


# ------------------------------------------------------------------------------------------------- the methods


def two_vectors(rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> Optimum | None:
    """Two single vectors: only the rounds in which they differ count (HBW, section V-B)."""
    if not (h0.is_point and h1.is_point and rounds.are_guarantees):
        return None
    guarantees = rounds.guarantees
    return optimal([guarantees[i] for i in differing(h0.vector, h1.vector)])


METHODS: dict[str, Callable[[Sequence, Hypothesis, Hypothesis], ViewLaws | Optimum | None]] = {
    "two vectors": two_vectors,
    "closed form": zero_or_not,
    "number of ones": number_of_ones,
    "columns of bits": few_vectors,
    "all views": all_views,
}


def _too_large(rounds: Sequence) -> str:
    hint = "single vectors can do any k, and so can a few vectors that share most columns of bits"
    if rounds.only is not None and rounds.only.choices <= 2:
        hint = (
            "equal guarantees can do laws by the number of ones (Hypothesis.by_count) up to k = "
            f"{MOST_BY_COUNT}, and single vectors any k"
        )
    return (
        f"arbitrary laws with these guarantees need at most {MOST_VIEWS} views, which k = {rounds.k} rounds exceed; "
        + hint
    )


# ------------------------------------------------------------------------------------- what no view can exceed


def largest_loss(rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> float:
    """Return a bound of the loss of h0 against h1: all epsilons together, or what the vector itself would tell."""
    return min(prior_loss(h0, h1), rounds.largest_loss)


def prior_loss(h0: Hypothesis, h1: Hypothesis) -> float:
    """Return the logarithm of max h0(b) / h1(b), rounded up: no view can tell more than the vector would."""
    if (h0.is_zero and h1.is_nonzero) or (h1.is_zero and h0.is_nonzero):
        return math.inf
    if h0.is_listed and h1.is_listed:
        return 0.0 if h0.law == h1.law else _largest_log_ratio(h0.law, h1.law)
    if h0.counts is None or h1.counts is None:
        return math.inf
    if h0.has_same_counts(h1):
        return 0.0
    return _largest_difference(h0.log_counts(), h1.log_counts(), h0.k)


def _largest_log_ratio(law0: dict[Bits, Weight], law1: dict[Bits, Weight]) -> float:
    """Return the logarithm of the largest ratio of weights, rounded up."""
    logs0 = np.array([log_fraction(weight) for weight in law0.values()])
    logs1 = np.array([log_fraction(law1.get(bits, 0)) for bits in law0])
    return _largest_difference(logs0, logs1, 0)


def _largest_difference(logs0: np.ndarray, logs1: np.ndarray, k: int) -> float:
    """Return the largest of the differences of two lists of logarithms, each right up to LOG_UNITS, rounded up."""
    possible = logs0 > -math.inf
    a = logs0[possible]
    b = logs1[possible]
    if np.any(b == -math.inf):
        return math.inf
    size = np.maximum(np.abs(a), k) + np.maximum(np.abs(b), k)
    return max(float(np.max(a - b + UNIT * ((LOG_UNITS + 1) * size + 2))), 0.0)
