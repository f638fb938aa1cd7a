"""The pair: two distributions over the same outcomes, and how well an adversary can tell them apart.

P is the law of what a mechanism prints on one database, Q its law on a neighbouring one. Everything in this library
builds such pairs (products, mixtures, conditioning, post-processing) and asks them the same few questions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from . import checks
from .loss import PrivacyLoss

SAME_LOSS = 1e-13  # float outcomes whose losses differ by less than this share of the largest are one to `merged`
SAME_POINT = 1e-12  # how far float points may lie outside a region and still count as inside
MOST_OUTCOMES = 2**25  # a product with more outcomes than this does not fit into a student's memory
DIRECTIONS = ("both", "pq", "qp")


class Pair:
    """Two distributions `p` and `q` over the same outcomes.

    Given whole numbers and `Fraction`s the pair is exact: `ratio`, `delta(ratio=...)`, `tradeoff`, `region` and
    `total_variation` then answer in fractions. Otherwise it computes in floats.

    >>> coin = Pair([0.75, 0.25], [0.25, 0.75])
    >>> coin.delta(0)
    0.5
    """

    def __init__(self, p, q, outcomes: Iterable[Hashable] | None = None):
        p, q = checks.law("p", p), checks.law("q", q)
        if len(p) != len(q):
            raise ValueError(f"q must have as many entries as p ({len(p)}), not {len(q)}")
        self._set(p, q, names=None if outcomes is None else checks.names("outcomes", outcomes, len(p)))

    @classmethod
    def _of(cls, p, q, loss=None, names=None) -> Pair:
        """Make a pair from arrays known to be laws; `loss` keeps log(p/q) where p or q underflows."""
        pair = cls.__new__(cls)
        pair._set(p, q, loss, names)
        return pair

    def _set(self, p, q, loss=None, names=None) -> None:
        self.exact = all(law.dtype == object and all(map(checks.is_exact, law)) for law in (p, q))
        self.p, self.q = (p, q) if self.exact else (p.astype(float), q.astype(float))
        self._given_loss = loss
        self.outcomes = list(range(len(p))) if names is None else names

    def __len__(self) -> int:
        return len(self.p)

    def __repr__(self) -> str:
        if len(self) > 8:
            return f"<Pair of {len(self)} outcomes>"
        show = str if self.exact else "{:.6g}".format
        p, q = (f"[{', '.join(map(show, law))}]" for law in (self.p, self.q))
        return f"Pair(p={p}, q={q})"

    # ------------------------------------------------------------------ what an adversary can do with one output

    @cached_property
    def losses(self) -> np.ndarray:
        """The privacy loss log(p/q) of each outcome; an outcome that never happens has loss -inf."""
        if self._given_loss is not None:
            return self._given_loss
        if self.exact:
            return np.array([_log_ratio(a, b) for a, b in zip(self.p, self.q, strict=True)])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.p > 0, np.log(self.p) - np.log(self.q), -np.inf)

    @cached_property
    def _privacy_loss(self) -> PrivacyLoss:
        p, finite = self.p.astype(float), np.isfinite(self.losses)
        at_infinity = float(np.sum(p[self.losses == np.inf]))
        return PrivacyLoss(self.losses[finite], p[finite], at_infinity)

    @cached_property
    def _reversed(self) -> Pair:
        loss = None if self._given_loss is None else -self._given_loss
        return Pair._of(self.q, self.p, loss, self.outcomes)

    def reversed(self) -> Pair:
        """Swap the two distributions."""
        return self._reversed

    def _towards(self, direction: str) -> list[Pair]:
        """Return the pairs to look at: this one, its reverse, or both."""
        checks.choice("direction", direction, DIRECTIONS)
        return {"pq": [self], "qp": [self.reversed()], "both": [self, self.reversed()]}[direction]

    def delta(self, eps=None, direction: str = "both", *, ratio=None):
        """Smallest delta at which the pair is (eps, delta)-indistinguishable: the hockey-stick divergence.

        delta(eps) = sum_y max(P(y) - e^eps Q(y), 0), the larger of the two directions (KOV, Theorem 2.1).
        `ratio=` gives e^eps instead of eps; with exact pairs and an exact ratio the answer is a fraction.
        """
        if (eps is None) == (ratio is None):
            raise ValueError("delta needs exactly one of eps and ratio")
        pairs = self._towards(direction)
        if ratio is not None and self.exact and checks.is_exact(ratio):
            return max(_excess(pair, checks.ratio(ratio)) for pair in pairs)
        eps = checks.eps(eps) if ratio is None else np.log(checks.real("ratio", ratio, low=1))
        return checks.plain(np.max([pair._privacy_loss.delta(eps) for pair in pairs], axis=0))

    def epsilon(self, delta, direction: str = "both"):
        """Smallest eps >= 0 at which the pair is (eps, delta)-indistinguishable; inf if there is none."""
        delta = checks.delta(delta)
        return checks.plain(np.max([pair._privacy_loss.epsilon(delta) for pair in self._towards(direction)], axis=0))

    def ratio(self, delta=0, direction: str = "both"):
        """Return e^epsilon(delta): the largest (P(E) - delta) / Q(E) over events E, at least 1.

        Exact for exact pairs and an exact delta. The best events collect the largest likelihood ratios first.
        """
        if not (self.exact and checks.is_exact(delta)):
            return checks.plain(np.exp(self.epsilon(delta, direction)))
        checks.delta(delta)
        return max(_steepest(pair, Fraction(delta)) for pair in self._towards(direction))

    def total_variation(self):
        """Return the total variation distance, max over events E of P(E) - Q(E)."""
        return self.delta(ratio=1, direction="pq") if self.exact else self.delta(0, "pq")

    def renyi(self, alpha):
        r"""Rényi divergence of order alpha, $\frac{1}{\alpha-1}\log\sum_y P(y)^\alpha Q(y)^{1-\alpha}$.

        Order 1 is the Kullback-Leibler divergence and order infinity the largest privacy loss.
        """
        alpha = checks.real("alpha", alpha, low=0)
        return checks.plain(np.vectorize(self._renyi, otypes=[float])(alpha))

    def _renyi(self, alpha: float) -> float:
        possible = (self.p > 0) & ~np.isneginf(self.losses)
        p, loss = self.p[possible].astype(float), self.losses[possible]
        if alpha == np.inf or (alpha >= 1 and np.isposinf(loss).any()):
            return float(loss.max())
        if alpha == 1:
            return float(np.sum(p * loss))
        from scipy.special import logsumexp

        small = (alpha - 1) * loss
        if np.all(possible == (self.q > 0)) and np.max(np.abs(small)) < 0.1:
            terms = np.expm1(small) + (alpha - 1) * np.expm1(-loss)  # the second part sums to zero, and keeps digits
            return float(np.log1p(np.sum(p * terms)) / (alpha - 1)) + 0.0
        return float(logsumexp(small, b=p) / (alpha - 1)) + 0.0

    # ---------------------------------------------------------------------------- tests and their two errors

    def tradeoff(self, alpha):
        """Smallest type II error (under Q) among the tests whose type I error (under P) is at most alpha."""
        missed, alarm = self._lower_boundary.T
        if self.exact and checks.is_exact(alpha):
            checks.delta(alpha, "alpha")
            return _interpolate(Fraction(alpha), alarm[::-1], missed[::-1])
        alpha = checks.delta(alpha, "alpha")
        return checks.plain(np.interp(alpha, alarm[::-1].astype(float), missed[::-1].astype(float)))

    def region(self) -> np.ndarray:
        """Return the vertices (missed detection, false alarm) of the set of all tests' errors (KOV, eq. 3).

        The lower boundary comes first, from (0, 1) to (1, 0); then its mirror image, which negates each test.
        """
        lower = self._lower_boundary
        return np.concatenate([lower, 1 - lower[1:-1]])

    @cached_property
    def _lower_boundary(self) -> np.ndarray:
        """Errors of the tests that accept P on the largest likelihood ratios (Neyman and Pearson)."""
        merged = self.merged()
        missed, alarm = np.cumsum(merged.q), np.cumsum(merged.p[::-1])[::-1]
        zero, one = (Fraction(0), Fraction(1)) if self.exact else (0.0, 1.0)
        inner = np.stack([missed[:-1], alarm[1:]], axis=1)
        return np.concatenate([[[zero, one]], inner, [[one, zero]]])

    def dominates(self, other) -> bool:
        """Say whether the other curve's error region lies inside this one's (KOV, Theorem 2.4).

        Exact for two exact pairs; otherwise points up to 1e-12 outside count as inside.
        """
        if not hasattr(other, "region"):
            raise ValueError(f"other must be a Pair or another curve with a region, not {other!r}")
        region = other.region()
        lower = region[region.sum(axis=1) <= 1]
        if self.exact and region.dtype == object:
            return all(self.tradeoff(alarm) <= missed for missed, alarm in lower)
        missed, alarm = lower.T.astype(float)
        return bool(np.all(self.tradeoff(np.clip(alarm, 0, 1)) <= missed + SAME_POINT))

    def simulates(self, other: Pair) -> np.ndarray | None:
        """Return a matrix that turns this pair into the other one, or None if there is none.

        Row i says to which outcome of `other` an outcome i of this pair is sent, with which probabilities. By
        Blackwell's theorem (KOV, Theorem 2.5) it exists exactly when this pair dominates the other.
        """
        if not isinstance(other, Pair):
            raise ValueError(f"other must be a Pair, such as a guarantee's worst_pair, not {checks.shorten(other)}")
        return _blackwell_map(self, other) if self.dominates(other) else None

    # ----------------------------------------------------------------------------------- building further pairs

    def __matmul__(self, other: Pair) -> Pair:
        """Return the product: run both mechanisms independently and see both outputs."""
        if not isinstance(other, Pair):
            return NotImplemented
        product = self._times(other)
        product.outcomes = list(itertools.product(self.outcomes, other.outcomes))
        return product

    def _times(self, other: Pair) -> Pair:
        if len(self) * len(other) > MOST_OUTCOMES:
            raise ValueError(
                f"the product must have at most {MOST_OUTCOMES} outcomes, not {len(self)} * {len(other)}; "
                "for guarantees use dpteach.optimal"
            )
        p, q = np.multiply.outer(self.p, other.p).ravel(), np.multiply.outer(self.q, other.q).ravel()
        return Pair._of(p, q, None if self.exact and other.exact else _added_losses(self, other))

    def __pow__(self, k: int) -> Pair:
        """Return the k-fold product, outcomes of equal likelihood ratio merged: k + 1 of them for a coin.

        Nothing is lost: the likelihood ratio is all an adversary needs (it is a sufficient statistic).
        """
        k = checks.count("k", k)
        if self.exact:
            return _exact_power(self, k)
        power, square = Pair([1.0], [1.0]), self.merged()
        if (k // 2 * (len(square) - 1) + 1) ** 2 > 4 * MOST_OUTCOMES:
            raise ValueError(f"k must be smaller for a pair of {len(self)} outcomes, not {k}; use dpteach.optimal")
        while k:
            if k % 2:
                power = power._times(square).merged()
            k //= 2
            square = square._times(square).merged() if k else square
        return power

    def merged(self) -> Pair:
        """Merge outcomes of equal likelihood ratio, largest ratio first; drop those that never happen."""
        possible = (self.p > 0) | (self.q > 0)
        if self.exact:
            return _merge_exactly(self.p[possible], self.q[possible])
        possible |= np.isfinite(self.losses)  # too rare for a float, but possible
        p, q, loss = self.p[possible], self.q[possible], self.losses[possible]
        order = np.argsort(-loss, kind="stable")
        p, q, loss = p[order], q[order], loss[order]
        scale = np.max(np.abs(loss), where=np.isfinite(loss), initial=0.0)
        with np.errstate(invalid="ignore"):
            apart = -np.diff(loss) > SAME_LOSS * scale
        start = np.concatenate([[0], 1 + np.flatnonzero(apart)])
        return Pair._of(np.add.reduceat(p, start), np.add.reduceat(q, start), loss[start])

    @classmethod
    def mixture(cls, weights, pairs: Sequence[Pair]) -> Pair:
        """Return the pair that draws one of `pairs` with the given weights and hides which one it was.

        Outcomes with the same name are the same outcome.
        """
        weights, pairs = checks.law("weights", weights), list(pairs) if np.iterable(pairs) else [pairs]
        if not all(isinstance(pair, Pair) for pair in pairs):
            raise ValueError(f"pairs must be a list of Pairs, not {checks.shorten(pairs)}")
        if len(weights) != len(pairs):
            raise ValueError(f"weights must have one entry for each of the {len(pairs)} pairs, not {len(weights)}")
        names = list(dict.fromkeys(name for pair in pairs for name in pair.outcomes))
        p, q = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
        for weight, pair in zip(weights, pairs, strict=True):
            for name, a, b in zip(pair.outcomes, pair.p, pair.q, strict=True):
                p[name] += weight * a
                q[name] += weight * b
        return cls._of(_array(p.values()), _array(q.values()), names=names)

    def given(self, event: Iterable[Hashable] | Callable[[Hashable], bool]) -> Pair:
        """Condition both distributions on an event: a set of outcomes, or a function that picks them."""
        if callable(event):
            chosen = {name for name in self.outcomes if event(name)}
        else:
            chosen = set(checks.names("event", event))
        if unknown := chosen - set(self.outcomes):
            raise ValueError(f"event must hold outcomes of the pair, not {unknown.pop()!r}")
        inside = np.array([name in chosen for name in self.outcomes])
        p, q = self.p[inside], self.q[inside]
        if not (p.sum() > 0 and q.sum() > 0):
            raise ValueError(f"event must be possible under p and q, not of probabilities {p.sum()} and {q.sum()}")
        loss = None if self._given_loss is None else self._given_loss[inside] - np.log(p.sum() / q.sum())
        return Pair._of(p / p.sum(), q / q.sum(), loss, [n for n in self.outcomes if n in chosen])

    def then(self, matrix, outcomes: Iterable[Hashable] | None = None) -> Pair:
        """Post-process: send outcome i to the new outcome j with probability matrix[i][j]."""
        if not np.iterable(matrix):
            raise ValueError(f"matrix must have {len(self)} rows, one for each outcome, not {checks.shorten(matrix)}")
        rows = [checks.law(f"row {i} of matrix", row) for i, row in enumerate(matrix)]
        if len(rows) != len(self) or len({len(row) for row in rows}) != 1:
            raise ValueError(f"matrix must have {len(self)} rows of equal length, one for each outcome")
        table = np.stack(rows)
        names = None if outcomes is None else checks.names("outcomes", outcomes, table.shape[1])
        return Pair._of(self.p @ table, self.q @ table, names=names)

    def sample(self, rng: np.random.Generator, size=None, hypothesis: int = 0):
        """Draw outcomes from P (hypothesis 0) or Q (hypothesis 1)."""
        if not checks.is_number(hypothesis) or hypothesis not in (0, 1):
            raise ValueError(f"hypothesis must be 0 (draw from p) or 1 (draw from q), not {hypothesis!r}")
        law = (self.p, self.q)[int(hypothesis)]
        size = None if size is None else checks.count("size", size)
        index = checks.generator(rng).choice(len(self), size=size, p=law.astype(float) / float(law.sum()))
        return self.outcomes[index] if size is None else [self.outcomes[i] for i in index]


# ------------------------------------------------------------------------------------------------ one step each


def _log_ratio(a: Fraction, b: Fraction) -> float:
    """Return log(a/b), also where the fraction itself is too large or small for a float."""
    if a == 0 or b == 0:
        return math.inf if a > 0 else -math.inf
    ratio = a / b
    return math.log(ratio.numerator) - math.log(ratio.denominator)


def _added_losses(one: Pair, two: Pair) -> np.ndarray:
    """Return the losses of a product: they add, and an outcome impossible under P or Q stays impossible."""
    with np.errstate(invalid="ignore"):
        total = np.add.outer(one.losses, two.losses).ravel()
    return np.where(np.isnan(total), -np.inf, total)


def _excess(pair: Pair, ratio) -> Fraction:
    """Return the exact sum of max(P(y) - ratio Q(y), 0)."""
    return sum((max(a - ratio * b, 0) for a, b in zip(pair.p, pair.q, strict=True)), Fraction(0))


def _steepest(pair: Pair, delta: Fraction):
    """Return the exact largest (P(E) - delta) / Q(E), at least 1, over the likelihood-ratio events E."""
    merged = pair.merged()
    P, Q = np.cumsum(merged.p), np.cumsum(merged.q)
    if any(b == 0 and a > delta for a, b in zip(P, Q, strict=True)):
        return math.inf
    return max(Fraction(1), *((a - delta) / b for a, b in zip(P, Q, strict=True) if b > 0))


def _merge_exactly(p: np.ndarray, q: np.ndarray) -> Pair:
    together: dict = {}
    for a, b in zip(p, q, strict=True):
        ratio = math.inf if b == 0 else a / b
        old = together.get(ratio, (0, 0))
        together[ratio] = (old[0] + a, old[1] + b)
    best_first = [together[ratio] for ratio in sorted(together, reverse=True)]
    return Pair._of(_array(a for a, _ in best_first), _array(b for _, b in best_first))


def _exact_power(pair: Pair, k: int) -> Pair:
    """Return the k-fold product in whole numbers over common denominators: reducing fractions would take minutes."""
    P, Q = (math.lcm(*(x.denominator for x in law)) for law in (pair.p, pair.q))
    square = _merge_weights((int(a * P), int(b * Q)) for a, b in zip(pair.p, pair.q, strict=True))
    power, left = [(1, 1)], k
    while left:
        if left % 2:
            power = _merge_weights((a * c, b * d) for a, b in power for c, d in square)
        left //= 2
        square = _merge_weights((a * c, b * d) for a, b in square for c, d in square) if left else square
    p, q = ([Fraction(weight[i], total**k) for weight in power] for i, total in enumerate((P, Q)))
    return _merge_exactly(_array(p), _array(q))


def _merge_weights(weights: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Add up the weights of outcomes with the same ratio; drop those that never happen."""
    together: dict = {}
    for a, b in weights:
        if a or b:
            common = math.gcd(a, b)
            ratio = (a // common, b // common)
            c, d = together.get(ratio, (0, 0))
            together[ratio] = (a + c, b + d)
    return list(together.values())


def _array(values: Iterable) -> np.ndarray:
    """Return an array of fractions if all values are exact, of floats otherwise."""
    values = list(values)
    exact = all(checks.is_exact(x) for x in values)
    return np.array([Fraction(x) for x in values] if exact else values, dtype=object if exact else float)


def _interpolate(x: Fraction, xs: Sequence[Fraction], ys: Sequence[Fraction]) -> Fraction:
    """Interpolate linearly and exactly on increasing xs; where xs jump, take the smaller y."""
    right = next(i for i, at in enumerate(xs) if at >= x)
    if xs[right] == x:
        return min(y for at, y in zip(xs, ys, strict=True) if at == x)
    share = (x - xs[right - 1]) / (xs[right] - xs[right - 1])
    return ys[right - 1] + share * (ys[right] - ys[right - 1])


def _blackwell_map(one: Pair, two: Pair) -> np.ndarray:
    """Find a row-stochastic T with p T = p' and q T = q' as a linear program: the least total deviation."""
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack, kron, vstack

    n, m = len(one), len(two)
    p, q = one.p.astype(float), one.q.astype(float)
    rows = kron(eye_array(n), np.ones((1, m)))  # every row of T sums to one
    laws = vstack([kron(p[None, :], eye_array(m)), kron(q[None, :], eye_array(m))])
    slack = hstack([eye_array(2 * m), -eye_array(2 * m)])
    A = vstack([hstack([rows, np.zeros((n, 4 * m))]), hstack([laws, slack])])
    b = np.concatenate([np.ones(n), two.p.astype(float), two.q.astype(float)])
    cost = np.concatenate([np.zeros(n * m), np.ones(4 * m)])
    T = linprog(cost, A_eq=A, b_eq=b, method="highs").x[: n * m].reshape(n, m).clip(0)
    return T / T.sum(axis=1, keepdims=True)
