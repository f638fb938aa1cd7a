r"""Hypothesis DP, exactly: how well do the views of the experiment tell two laws on bit vectors apart?

The worst mechanism for a guarantee is the same here as in the classic experiment (KOV, section 3.2): every round of
every adversary, adaptive or not, can be simulated from one sample of its worst pair, whatever the bit. So the exact
value is the hockey-stick divergence between two mixtures of products of worst pairs (HBW, Definition 3):

    P_h(y) = sum over b of h(b) prod_i M_i^(b_i)(y_i).

There are 2^k vectors and as many views. What can be computed depends on the structure of the two hypotheses:

| structure | method | size |
|---|---|---|
| two single vectors | the optimal composition of the rounds in which they differ | k = 10^6 |
| 00...0 against uniform on all others, equal pure guarantees | binomial sum in closed form | k = 10^5 |
| laws of the number of ones, equal guarantees | recurrence over the rounds, O(k^2) | k = 5000 |
| few vectors | rounds with the same column of bits are one composition | k = 2000 |
| anything | one round after the other, 2^k views | k = 20 |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce

import numpy as np

from .. import checks
from ..composition import basic
from ..guarantee import Guarantee
from ..loss import PrivacyLoss
from ..optimal import Optimal, optimal
from ..pair import DIRECTIONS, SAME_LOSS, Pair
from ..rounding import TINY, UNIT, outward
from .by_count import FLOATS, FRACTIONS, LOGARITHMS, Arithmetic, by_count, closed_form, ordinary_outcomes
from .hypothesis import MOST_VECTORS, Hypothesis, log_of, log_ratios

MOST_VIEWS = 2**22  # more views than this are too many for a student's memory
MOST_EXACT_VIEWS = 2**14  # up to this many views are computed in fractions, where everything given is exact
MOST_BY_COUNT = 20_000  # the recurrence takes seconds there
MOST_ROUNDS = 22  # for arbitrary laws, which need 2^k numbers
SAFE_LOG = -650.0  # products of probabilities above e^this keep all their digits

Rounds = Guarantee | Pair | Iterable[Guarantee | Pair]


@dataclass(frozen=True)
class Views:
    """The probabilities of the views under two hypotheses.

    `losses` are the logarithms of their ratios, `doubt` bounds the relative error of each probability in units of
    rounding, and `tail` is the probability of views that were left out.
    """

    p: np.ndarray
    q: np.ndarray
    losses: np.ndarray
    doubt: float = 0.0
    tail: float = 0.0

    @classmethod
    def of_laws(cls, p: np.ndarray, q: np.ndarray, doubt: float = 0.0) -> Views:
        """Return the views with these probabilities, not both of them zero."""
        return cls(p, q, log_ratios(p, q), doubt)

    @classmethod
    def of_logs(cls, log_p: np.ndarray, log_q: np.ndarray, doubt: float) -> Views:
        """Return the views with these log-probabilities, without those that never happen."""
        possible = np.isfinite(log_p) | np.isfinite(log_q)
        log_p, log_q = log_p[possible], log_q[possible]
        return cls(np.exp(log_p), np.exp(log_q), log_p - log_q, doubt)


def hypothesis_dp(guarantees: Rounds, h0: Hypothesis, h1: Hypothesis) -> HypothesisCurve:
    """Return the exact curve of how well the views tell `h0` from `h1` (HBW, Definition 3).

    `guarantees` is one for all rounds or one for each: a `Guarantee`, which stands for its worst pair, or a `Pair`.

    >>> two_coins = hypothesis_dp(Guarantee(1), Hypothesis.point("00"), Hypothesis.uniform(["01", "10"]))
    >>> round(two_coins.epsilon(0), 10)
    1.0
    """
    for name, h in (("h0", h0), ("h1", h1)):
        if not isinstance(h, Hypothesis):
            raise ValueError(f"{name} must be a Hypothesis, such as Hypothesis.point('010'), not {checks.shorten(h)}")
    if h0.k != h1.k:
        raise ValueError(f"h1 must be about as many rounds as h0 ({h0.k}), not {h1.k}")
    rounds = rounds_of(guarantees, h0.k)
    for method in (_two_vectors, _zero_or_not, _number_of_ones, _few_vectors, _all_views):
        if (found := method(rounds, h0, h1)) is not None:
            return HypothesisCurve(found, METHODS[method], largest_losses(rounds, h0, h1))
    raise ValueError(_too_large(rounds, h0.k))


class HypothesisCurve:
    """A curve: `delta(eps)` and `epsilon(delta)` between two hypotheses, rounded up, in either or both directions.

    Direction "pq" bounds the probabilities under the first hypothesis by those under the second, "qp" the other way
    round; for mixtures the two differ. With exact pairs and weights, `pair` is exact, `delta(ratio=...)` and
    `ratio(delta)` answer in fractions, and `exact` is true. `method` says how it was computed. `left_out` is the
    probability of the views that were not listed, because too many answers are open; delta counts them as lost.
    """

    def __init__(self, found: Views | Optimal, method: str, largest: tuple[float, float] = (math.inf, math.inf)):
        self._found, self.method, self._largest = found, method, largest

    @cached_property
    def pair(self) -> Pair:
        """The laws of the view under the two hypotheses, as far as they matter."""
        if isinstance(self._found, Optimal):
            return self._found._pair
        return Pair._of(self._found.p, self._found.q, None if self.exact else self._found.losses)

    @property
    def left_out(self) -> float:
        """The probability of the views that were not listed; 0, or much too small to matter, but for large deltas."""
        return self._found.tail if isinstance(self._found, Views) else 0.0

    @property
    def exact(self) -> bool:
        """Whether the laws are fractions."""
        return isinstance(self._found, Views) and self._found.p.dtype == object

    @cached_property
    def _sides(self) -> dict:
        if isinstance(self._found, Optimal):
            return {"pq": self._found, "qp": self._found}
        v, (pq, qp) = self._found, self._largest
        return {"pq": _Side(v, v.p, v.losses, pq), "qp": _Side(v, v.q, -v.losses, qp)}

    def _towards(self, direction: str) -> list:
        checks.choice("direction", direction, DIRECTIONS)
        return [side for name, side in self._sides.items() if direction in ("both", name)]

    def delta(self, eps=None, direction: str = "both", *, ratio=None):
        """Smallest delta at eps (or at e^eps = `ratio`); a fraction for exact laws and an exact ratio."""
        if (eps is None) == (ratio is None):
            raise ValueError("delta needs exactly one of eps and ratio")
        if ratio is not None and self.exact and checks.is_exact(ratio):
            return self.pair.delta(ratio=ratio, direction=direction)
        below = eps if ratio is None else np.log(checks.real("ratio", ratio, low=1)) * (1 - 4 * UNIT)
        eps = checks.eps(below)
        return checks.plain(np.max([side.delta(eps) for side in self._towards(direction)], axis=0))

    def epsilon(self, delta, direction: str = "both"):
        """Smallest eps >= 0 at delta, rounded up; inf if no eps will do."""
        delta = checks.delta(delta)
        return checks.plain(np.max([side.epsilon(delta) for side in self._towards(direction)], axis=0))

    def ratio(self, delta=0, direction: str = "both"):
        """Return e^epsilon(delta), a fraction for exact laws and an exact delta."""
        if self.exact and checks.is_exact(delta):
            return self.pair.ratio(delta, direction)
        return checks.plain(outward(np.exp(self.epsilon(delta, direction)), +1))

    def tradeoff(self, alpha):
        """Smallest type II error of any test of h0 against h1 with type I error at most alpha."""
        return self.pair.tradeoff(alpha)

    def region(self) -> np.ndarray:
        """Return the vertices (missed detection, false alarm) of the errors of all tests."""
        return self.pair.region()

    def __repr__(self) -> str:
        return (
            f"<HypothesisCurve by {self.method}: epsilon(0) = {self.epsilon(0):.6g}, delta(0) = {self.delta(0.0):.6g}>"
        )


class _Side:
    """One direction, with all errors on the safe side.

    If each probability is known up to a factor 1 ± g, delta(eps) is at most (1 + g) times the computed value at
    eps - 2g. Above `largest`, delta is 0.
    """

    def __init__(self, views: Views, p: np.ndarray, losses: np.ndarray, largest: float):
        finite, surely = np.isfinite(losses), _total(p[np.isposinf(losses)], views.doubt)
        self._error = UNIT * (2 * views.doubt + 8 + 4 * np.max(np.abs(losses), where=finite, initial=0.0))
        harmful = finite & (losses > -2 * self._error)  # no eps >= 0 is exceeded by the others
        p = p[harmful].astype(float) + TINY  # too rare for a float may still be possible
        self._loss = PrivacyLoss(losses[harmful], p, min(surely + views.tail, 1.0), doubt=views.doubt)
        self._largest = largest

    def delta(self, eps: np.ndarray) -> np.ndarray:
        raw = self._loss.delta(eps - self._error, +1)
        return np.where((eps >= self._largest) & (self._largest < np.inf), 0.0, np.minimum(raw, 1.0))

    def epsilon(self, delta: np.ndarray) -> np.ndarray:
        raw = np.where(delta >= 1, 0.0, self._loss.epsilon(delta, +1) + self._error)
        return np.minimum(raw, self._largest)


def _total(p: np.ndarray, doubt: float) -> float:
    """Return the sum of probabilities with this doubt, rounded up."""
    if p.dtype != object:
        return float(np.sum(p + TINY)) * (1 + (doubt + 2 * math.log2(len(p) + 2)) * UNIT)
    exact = sum(p, Fraction(0))
    return float(exact) if float(exact) >= exact else math.nextafter(float(exact), math.inf)


# ------------------------------------------------------------------------------------------------- the methods


def _two_vectors(rounds: list, h0: Hypothesis, h1: Hypothesis) -> Optimal | None:
    """Two single vectors: only the rounds in which they differ count (HBW, section V-B)."""
    if not (h0.is_point and h1.is_point and all(isinstance(g, Guarantee) for g in rounds)):
        return None
    return optimal([g for g, a, b in zip(rounds, h0.vector, h1.vector, strict=True) if a != b])


def _zero_or_not(rounds: list, h0: Hypothesis, h1: Hypothesis) -> Views | None:
    """00...0 against the uniform law on all other vectors, for equal pure guarantees."""
    swap = h1.is_zero and h0.is_nonzero
    equal = isinstance(rounds[0], Guarantee) and all(g == rounds[0] for g in rounds)
    if not equal or float(rounds[0].delta) > 0 or not (swap or (h0.is_zero and h1.is_nonzero)):
        return None
    if not 0 < float(rounds[0].epsilon) < math.inf:
        return None
    zero, nonzero, loss, doubt = closed_form(float(rounds[0].epsilon), h0.k)
    return Views(nonzero, zero, -loss, doubt) if swap else Views(zero, nonzero, loss, doubt)


def _number_of_ones(rounds: list, h0: Hypothesis, h1: Hypothesis) -> Views | None:
    """Laws of the number of ones, for equal guarantees."""
    equal = len({_key(g) for g in rounds}) == 1
    if not equal or h0.k > MOST_BY_COUNT or h0.counts is None or h1.counts is None:
        return None
    pair = pair_of(rounds[0])
    if len(ordinary_outcomes(pair)[0]) > 2:
        return None
    return Views(*by_count(pair, h0, h1))


def _few_vectors(rounds: list, h0: Hypothesis, h1: Hypothesis) -> Views | None:
    """Few vectors: all rounds with the same mechanism and the same column of bits are one k-fold composition."""
    if not (h0.is_listed and h1.is_listed):
        return None
    vectors = list(dict.fromkeys([*h0.law, *h1.law]))
    groups = _columns(rounds, vectors)
    size = math.prod(_number_of_outcomes(pair_of(g), count) for (_, g), count in groups)
    if size * len(vectors) > MOST_VIEWS:
        return None
    weights = [[h.law.get(v, 0) for v in vectors] for h in (h0, h1)]
    exact = h0.exact and h1.exact and all(pair_of(g).exact for g in rounds) and size <= MOST_EXACT_VIEWS
    return _exact_columns(groups, weights) if exact else _log_columns(groups, weights)


def _all_views(rounds: list, h0: Hypothesis, h1: Hypothesis) -> Views | None:
    """Any laws: replace one coordinate of the vector after the other by the answer of its round."""
    size = math.prod(len(pair_of(g)) for g in rounds) if h0.k <= MOST_ROUNDS else MOST_VIEWS + 1
    if size > MOST_VIEWS or max(h0.size, h1.size) > MOST_VECTORS:
        return None
    pairs = [pair_of(g) for g in rounds]
    exact = h0.exact and h1.exact and all(pair.exact for pair in pairs) and size <= MOST_EXACT_VIEWS
    rarest = min(h0.log_least, h1.log_least) + sum(log_of(min(x for x in (*m.p, *m.q) if x)) for m in pairs)
    A = FRACTIONS if exact else FLOATS if rarest > SAFE_LOG else LOGARITHMS
    p, q = (_answers(A, _tensor(A, h), pairs) for h in (h0, h1))
    if A is LOGARITHMS:
        return Views.of_logs(p, q, h0.k * (8 - 4 * rarest))
    possible = (p > 0) | (q > 0)
    return Views.of_laws(p[possible], q[possible], 0.0 if exact else 8.0 * h0.k + 16)


METHODS: dict[Callable, str] = {
    _two_vectors: "two vectors",
    _zero_or_not: "closed form",
    _number_of_ones: "number of ones",
    _few_vectors: "columns of bits",
    _all_views: "all views",
}


# ---------------------------------------------------------------------------------------------- what they share


def rounds_of(guarantees: Rounds, k: int) -> list:
    """Return what is used in each of the k rounds: one thing for all of them, or a list of k."""
    if isinstance(guarantees, Guarantee | Pair):
        return [guarantees] * k
    listed = list(guarantees) if np.iterable(guarantees) and not isinstance(guarantees, str) else [guarantees]
    for g in listed:
        if not isinstance(g, Guarantee | Pair):
            raise ValueError(f"guarantees must be Guarantees or Pairs, not {checks.shorten(g)}")
    if len(listed) != k:
        raise ValueError(f"guarantees must be one for all rounds or one for each of the {k} rounds, not {len(listed)}")
    return listed


def pair_of(g: Guarantee | Pair) -> Pair:
    """Return the worst pair of a guarantee, or the pair itself."""
    return g.worst_pair if isinstance(g, Guarantee) else g


def _key(g: Guarantee | Pair):
    return g if isinstance(g, Guarantee) else (tuple(g.p), tuple(g.q))


def largest_losses(rounds: list, h0: Hypothesis, h1: Hypothesis) -> tuple[float, float]:
    """Return bounds of the loss in both directions: all epsilons together, and what the vector itself would tell."""
    pure = all(isinstance(g, Guarantee) and g.delta == 0 for g in rounds)
    classic = float(basic(rounds).epsilon) if pure else math.inf
    return min(classic, prior_ratio(h0, h1)), min(classic, prior_ratio(h1, h0))


def prior_ratio(h0: Hypothesis, h1: Hypothesis) -> float:
    """Return the logarithm of max h0(b) / h1(b), rounded up: no view can tell more than the vector would."""
    if (h0.is_zero and h1.is_nonzero) or (h1.is_zero and h0.is_nonzero):
        return math.inf
    if h0.is_listed and h1.is_listed:
        weights = [(w, h1.law.get(b, 0)) for b, w in h0.law.items()]
        logs = [(log_of(a), log_of(b)) for a, b in weights]
    elif h0.counts is not None and h1.counts is not None:
        weights = list(zip(h0.counts.tolist(), h1.counts.tolist(), strict=True))
        logs = list(zip(h0.log_counts().tolist(), h1.log_counts().tolist(), strict=True))
    else:
        return math.inf
    if all(a <= b for a, b in (*weights, *logs)):
        return 0.0
    return max(a - b + 16 * UNIT * (1 + h0.k + abs(a)) if b > -math.inf else math.inf for a, b in logs if a > -math.inf)


def _columns(rounds: list, vectors: list) -> list:
    """Return the groups ((column of bits, mechanism), number of rounds); columns of equal bits tell nothing.

    For a guarantee the two bits play the same part, so a column and its complement are one group.
    """
    groups: dict = {}
    for column, g in zip(zip(*vectors, strict=True), rounds, strict=True):
        if len(set(column)) > 1:
            column = tuple(1 - b for b in column) if isinstance(g, Guarantee) and column[0] else column
            _, count = groups.get((column, _key(g)), (g, 0))
            groups[column, _key(g)] = g, count + 1
    return [((column, g), count) for (column, _), (g, count) in groups.items()]


def _number_of_outcomes(pair: Pair, count: int) -> int:
    ordinary, open0, open1 = ordinary_outcomes(pair)
    return math.comb(count + len(ordinary) - 1, count) + bool(open0) + bool(open1)


def _exact_columns(groups: list, weights: list) -> Views:
    """Multiply the laws of the groups under each vector, and average over the vectors, in fractions."""
    laws = np.array([[Fraction(1)] for _ in weights[0]], dtype=object)
    for (column, g), count in groups:
        power = pair_of(g) ** count
        factor = np.array([power.q if bit else power.p for bit in column], dtype=object)
        laws = (laws[:, :, None] * factor[:, None, :]).reshape(len(column), -1)
    p, q = (np.array([Fraction(w) for w in row], dtype=object) @ laws for row in weights)
    possible = (p > 0) | (q > 0)
    return Views.of_laws(p[possible], q[possible])


def _log_columns(groups: list, weights: list) -> Views:
    """Do the same in logarithms, so that nothing underflows."""
    logs, largest = np.zeros((len(weights[0]), 1)), -min(log_of(w) for row in weights for w in row if w)
    for (column, g), count in groups:
        log_p, log_q = _log_power(pair_of(g), count)
        factor = np.array([log_q if bit else log_p for bit in column])
        logs = (logs[:, :, None] + factor[:, None, :]).reshape(len(column), -1)
        merged = len(ordinary_outcomes(pair_of(g))[0]) > 2  # to `**`, outcomes of nearly equal loss are one
        size = np.max(np.abs(factor), where=np.isfinite(factor), initial=0.0)
        largest += size * (1 + merged * SAME_LOSS / UNIT / 8 * (1 + math.log2(count)))
    mixtures = ([law + log_of(w) for law, w in zip(logs, row, strict=True) if w] for row in weights)
    log_p, log_q = (reduce(np.logaddexp, mixture) for mixture in mixtures)
    return Views.of_logs(log_p, log_q, 8 * largest + 8 * (len(groups) + len(logs)) + 32)


def _log_power(pair: Pair, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of both laws of the k-fold product, outcomes of equal likelihood ratio merged."""
    ordinary, open0, open1 = ordinary_outcomes(pair)
    if len(ordinary) > 2:
        return _logs_of(pair**count)
    ways = [math.log(math.comb(count, m)) for m in range(count + 1)]
    laws = []
    for side, surely in ((0, open0), (1, open1)):
        first, second = ([log_of(row[side]) for row in ordinary] + [-math.inf] * 2)[:2]
        laws.append([w + _times(count - m, first) + _times(m, second) for m, w in enumerate(ways)])
        fails = math.log(-math.expm1(count * math.log1p(-surely))) if 0 < surely < 1 else log_of(surely)
        laws[-1] += [fails, -math.inf] if side == 0 else [-math.inf, fails]
    return np.array(laws[0]), np.array(laws[1])


def _logs_of(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of both laws; what is too rare for a float becomes less rare and keeps its loss."""
    loss = pair.losses
    larger = np.log(np.maximum(np.maximum(pair.p, pair.q).astype(float), 1e-300))
    log_p = np.where(np.isneginf(loss), -np.inf, larger + np.minimum(loss, 0.0))
    return log_p, np.where(np.isposinf(loss), -np.inf, larger - np.maximum(loss, 0.0))


def _times(n: int, log: float) -> float:
    return n * log if n else 0.0


def _tensor(A: Arithmetic, h: Hypothesis) -> np.ndarray:
    """Return the law as an array with one axis of length 2 for each round."""
    if h.is_listed:
        tensor = np.full((2,) * h.k, A.number(0), dtype=A.dtype)
        for bits, weight in h.law.items():
            tensor[bits] = A.number(weight)
        return tensor
    ones = sum(np.indices((2,) * h.k, dtype=np.int8, sparse=True))
    return A.array(Fraction(w) / math.comb(h.k, j) for j, w in enumerate(h.counts.tolist()))[ones]


def _answers(A: Arithmetic, tensor: np.ndarray, pairs: list[Pair]) -> np.ndarray:
    """Return the law of the view: each axis of bits becomes an axis of answers."""
    for pair in pairs:  # the first axis is replaced and becomes the last, so after k steps the order is restored
        p, q = A.array(pair.p), A.array(pair.q)
        zero, one = tensor
        answers = [A.plus(A.times(zero, a), A.times(one, b)) for a, b in zip(p, q, strict=True)]
        tensor = np.stack(answers, axis=-1)
    return tensor.ravel()


def _too_large(rounds: list, k: int) -> str:
    by_number = len({_key(g) for g in rounds}) == 1 and len(ordinary_outcomes(pair_of(rounds[0]))[0]) <= 2
    hint = (
        "equal guarantees can do laws by the number of ones (Hypothesis.by_count) up to k = "
        f"{MOST_BY_COUNT}, and single vectors any k"
        if by_number
        else "single vectors can do any k, and so can a few vectors that share most columns of bits"
    )
    return f"arbitrary laws with these guarantees need at most {MOST_VIEWS} views, which k = {k} rounds exceed; {hint}"
