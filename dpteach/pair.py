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
from typing import Any

import numpy as np

from . import checks
from .annotations import Asked, Law, Number, Size
from .curve import BACK, FORTH, TwoSided
from .numerics.divergence import renyi
from .numerics.powers import exact_power
from .numerics.rounding import (
    FUNCTION,
    TINY,
    UNIT,
    float_to,
    largest_size,
    log_fraction,
    log_ratios,
    logarithm_units,
    total,
)
from .numerics.side import Error, Side

__all__ = ["Pair"]

SAME_LOSS = 1e-13  # float outcomes whose losses differ by less than this share of the largest are one to `merged`
MOST_OUTCOMES = 2**25  # a product with more outcomes than this does not fit into a student's memory


class Pair(TwoSided):
    """Two distributions `p` and `q` over the same outcomes: a curve, with two directions.

    Given whole numbers and `Fraction`s the pair is exact: `ratio`, `delta(ratio=...)`, `tradeoff`, `region` and
    `total_variation` then answer in fractions. Otherwise it computes in floats.

    >>> coin = Pair([0.75, 0.25], [0.25, 0.75])
    >>> coin.delta(0)
    0.5
    """

    def __init__(self, p: Law, q: Law, outcomes: Iterable[Hashable] | None = None):
        p, q = checks.law("p", p), checks.law("q", q)
        if len(p) != len(q):
            raise ValueError(f"q must have as many entries as p ({len(p)}), not {len(q)}")
        self._set(p, q, names=None if outcomes is None else checks.names("outcomes", outcomes, len(p)))

    @classmethod
    def _of(cls, p, q, loss=None, names=None, error: Error | None = None) -> Pair:
        """Make a pair from arrays known to be laws.

        `loss` keeps log(p/q) where p or q underflows; `error` says how far all these numbers may be off.
        """
        pair = cls.__new__(cls)
        pair._set(p, q, loss, names, error)
        return pair

    def _set(self, p, q, loss=None, names=None, error=None) -> None:
        self.exact = all(law.dtype == object and all(map(checks.is_exact, law)) for law in (p, q))
        self.p: np.ndarray = p if self.exact else p.astype(float)
        self.q: np.ndarray = q if self.exact else q.astype(float)
        self._given_loss = loss
        self._given_error = None if self.exact else error  # fractions are what they are
        self.outcomes: list[Any] = list(range(len(p))) if names is None else names

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
            return np.array([_exact_loss(a, b) for a, b in zip(self.p, self.q, strict=True)])
        return log_ratios(self.p, self.q)

    @cached_property
    def error(self) -> Error:
        """How far the probabilities and losses may be off; a pair that was given in floats is right by definition."""
        if self._given_loss is not None:
            return self._given_error
        given = self._given_error or Error(units=1.0 if self.exact else 0.0)
        loss = UNIT * (2 * given.units + logarithm_units(largest_size(self.losses)))
        if given.mass > 0:
            loss += 2 * given.mass / self._least_probability  # which a float does not hold with all its digits
        return Error(given.units, loss, given.mass)

    @property
    def _least_probability(self) -> float:
        """The least probability that is not zero."""
        both = np.concatenate([self.p, self.q])
        return float(np.min(both[both > 0]))

    @cached_property
    def _forth(self) -> Side:
        return Side(self.p, self.losses, self.error, of=self)

    @cached_property
    def _reversed(self) -> Pair:
        loss = None if self._given_loss is None else -self._given_loss
        return Pair._of(self.q, self.p, loss, self.outcomes, self._given_error)

    def reversed(self) -> Pair:
        """Swap the two distributions."""
        return self._reversed

    def side(self, direction: str) -> Side:
        """Return the curve of one direction alone: "pq" bounds P by Q, "qp" bounds Q by P."""
        checks.choice("direction", direction, (FORTH, BACK))
        return self._forth if direction == FORTH else self.reversed()._forth

    @cached_property
    def _known_variation(self) -> dict[int, float] | None:
        """Both ends of P(E) - Q(E) for the event E = {p > q}, where p and q are known exactly; else None."""
        if self._given_loss is not None or self._given_error is not None:
            return None
        if self.exact:
            return {rounding: float_to(self.total_variation(), rounding) for rounding in (-1, +1)}
        more = self.p > self.q
        terms = [*self.p[more], *-self.q[more]]
        return {rounding: total(terms, [1] * len(terms), rounding) for rounding in (-1, +1)}

    def _excess(self, ratio: Fraction) -> Fraction:
        """Return the exact sum of max(P(y) - ratio Q(y), 0)."""
        return sum((max(a - ratio * b, 0) for a, b in zip(self.p, self.q, strict=True)), Fraction(0))

    def _steepest(self, delta: Fraction) -> Fraction | float:
        """Return the exact largest (P(E) - delta) / Q(E), at least 1, over the likelihood-ratio events E."""
        merged = self.merged()
        P = np.cumsum(merged.p)
        Q = np.cumsum(merged.q)
        if any(b == 0 and a > delta for a, b in zip(P, Q, strict=True)):
            return math.inf
        return max(Fraction(1), *((a - delta) / b for a, b in zip(P, Q, strict=True) if b > 0))

    def best_event(self, eps: Number | None = None, *, ratio: Number | None = None) -> list[Any]:
        """Return the outcomes with P(y) > e^eps Q(y): the event that shows delta(eps) (KOV, Theorem 2.1)."""
        if (eps is None) == (ratio is None):
            raise ValueError("best_event needs exactly one of eps and ratio")
        if ratio is None:
            ratio = math.exp(min(checks.scalar("eps", eps, low=0), 700))  # beyond, Q must make it impossible
        elif not checks.is_exact(ratio):
            ratio = checks.scalar("ratio", ratio, low=1)
        else:
            ratio = checks.ratio(ratio)
        laws = zip(self.outcomes, self.p, self.q, strict=True)
        return [y for y, p, q in laws if p > (ratio * q if q else 0)]

    def total_variation(self) -> Number:
        """Return the total variation distance, max over events E of P(E) - Q(E)."""
        return self.delta(ratio=1, direction=FORTH) if self.exact else self.delta(0, FORTH)

    def renyi(self, alpha: Asked) -> Asked:
        r"""Rényi divergence of order alpha, $\frac{1}{\alpha-1}\log\sum_y P(y)^\alpha Q(y)^{1-\alpha}$.

        Order 1 is the Kullback-Leibler divergence and order infinity the largest privacy loss.
        """
        alpha = checks.real("alpha", alpha, low=0)
        finite = np.where(alpha < np.inf, alpha, 1.0)
        pieces = 1 + finite.size * len(self) // MOST_OUTCOMES
        parts = np.array_split(finite.ravel(), pieces)
        divergences = np.concatenate([renyi(self.p, self.q, self.losses, part) for part in parts])
        return checks.plain(np.where(alpha < np.inf, divergences.reshape(alpha.shape), self.losses.max()))

    # ---------------------------------------------------------------------------- tests and their two errors

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error (under Q) among the tests whose type I error (under P) is at most alpha."""
        missed, alarm = self.lower_boundary.T
        if self.exact and checks.is_exact(alpha):
            checks.delta(alpha, "alpha")
            return _interpolate(Fraction(alpha), alarm[::-1], missed[::-1])
        alpha = checks.delta(alpha, "alpha")
        return checks.plain(np.interp(alpha, alarm[::-1].astype(float), missed[::-1].astype(float)))

    @cached_property
    def lower_boundary(self) -> np.ndarray:
        """Errors of the tests that accept P on the largest likelihood ratios (Neyman and Pearson)."""
        merged = self.merged()
        missed = np.cumsum(merged.q)
        alarm = np.cumsum(merged.p[::-1])[::-1]
        inner = np.stack([missed[:-1], alarm[1:]], axis=1)
        zero = Fraction(0) if self.exact else 0.0
        return np.concatenate([[[zero, 1 - zero]], inner, [[1 - zero, zero]]])

    def simulates(self, other: Pair) -> np.ndarray | None:
        """Return a matrix that turns this pair into the other one, or None if there is none.

        Row i says to which outcome of `other` an outcome i of this pair is sent, with which probabilities. By
        Blackwell's theorem (KOV, Theorem 2.5) it exists exactly when this pair dominates the other.
        """
        if not isinstance(other, Pair):
            raise ValueError(f"other must be a Pair, such as a guarantee's curve, not {checks.shorten(other)}")
        return _blackwell_map(self, other) if self.dominates(other) else None

    # ----------------------------------------------------------------------------------- building further pairs

    __array_ufunc__ = None  # NumPy leaves array @ pair to us

    def __matmul__(self, other: Pair) -> Pair:
        """Return the product: run both mechanisms independently and see both outputs."""
        if not isinstance(other, Pair):
            raise ValueError(f"other must be a Pair, such as a guarantee's curve, not {checks.shorten(other)}")
        product = self._times(other)
        product.outcomes = list(itertools.product(self.outcomes, other.outcomes))
        return product

    def __rmatmul__(self, other: object) -> Pair:
        """Refuse what is no pair on the left of @."""
        raise ValueError(f"other must be a Pair, such as a guarantee's curve, not {checks.shorten(other)}")

    def _times(self, other: Pair) -> Pair:
        if len(self) * len(other) > MOST_OUTCOMES:
            raise ValueError(
                f"the product must have at most {MOST_OUTCOMES} outcomes, not {len(self)} * {len(other)}; "
                "for guarantees use dpteach.optimal"
            )
        p = np.multiply.outer(self.p, other.p).ravel()
        q = np.multiply.outer(self.q, other.q).ravel()
        if self.exact and other.exact:
            return Pair._of(p, q)
        return Pair._of(p, q, _added_losses(self, other), error=_added_errors(self, other))

    def __pow__(self, k: int) -> Pair:
        """Return the k-fold product, outcomes of equal likelihood ratio merged: k + 1 of them for a coin.

        Nothing is lost: the likelihood ratio is all an adversary needs (it is a sufficient statistic).
        """
        k = checks.count("k", k)
        if self.exact:
            p, q = exact_power(self.p, self.q, k)
            return _merge_exactly(_array(p), _array(q))
        square = self.merged()
        if (k // 2 * (len(square) - 1) + 1) ** 2 > 4 * MOST_OUTCOMES:
            raise ValueError(f"k must be smaller for a pair of {len(self)} outcomes, not {k}; use dpteach.optimal")
        power = Pair([1.0], [1.0])
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
        order = np.argsort(-self.losses[possible], kind="stable")
        loss = self.losses[possible][order]
        start = _first_of_each(loss)
        p = np.add.reduceat(self.p[possible][order], start)
        q = np.add.reduceat(self.q[possible][order], start)
        return Pair._of(p, q, loss[start], error=_merged_error(self.error, loss, start))

    @classmethod
    def mixture(cls, weights: Law, pairs: Sequence[Pair]) -> Pair:
        """Return the pair that draws one of `pairs` with the given weights and hides which one it was.

        Outcomes with the same name are the same outcome.
        """
        weights = checks.law("weights", weights)
        pairs = list(pairs) if np.iterable(pairs) else [pairs]
        if not all(isinstance(pair, Pair) for pair in pairs):
            raise ValueError(f"pairs must be a list of Pairs, not {checks.shorten(pairs)}")
        if len(weights) != len(pairs):
            raise ValueError(f"weights must have one entry for each of the {len(pairs)} pairs, not {len(weights)}")
        names = list(dict.fromkeys(name for pair in pairs for name in pair.outcomes))
        p = dict.fromkeys(names, 0)
        q = dict.fromkeys(names, 0)
        for weight, pair in zip(weights, pairs, strict=True):
            for name, a, b in zip(pair.outcomes, pair.p, pair.q, strict=True):
                p[name] += weight * a
                q[name] += weight * b
        units = max(pair.error.units for pair in pairs) + len(pairs) + 1
        mass = max(pair.error.mass for pair in pairs) + TINY * len(names) * len(pairs)
        return cls._of(_array(p.values()), _array(q.values()), names=names, error=Error(units, mass=mass))

    def given(self, event: Iterable[Hashable] | Callable[[Hashable], bool]) -> Pair:
        """Condition both distributions on an event: a set of outcomes, or a function that picks them."""
        chosen = self._chosen(event)
        inside = np.array([name in chosen for name in self.outcomes])
        names = [name for name in self.outcomes if name in chosen]
        p = self.p[inside]
        q = self.q[inside]
        if not (p.sum() > 0 and q.sum() > 0):
            raise ValueError(f"event must be possible under p and q, not of probabilities {p.sum()} and {q.sum()}")
        units = 2 * self.error.units + len(p) + 2  # of a quotient, and of the sum below the bar
        mass = (self.error.mass + TINY * len(p)) / float(min(p.sum(), q.sum()))
        if self._given_loss is None:
            return Pair._of(p / p.sum(), q / q.sum(), names=names, error=Error(units, mass=mass))
        moved = np.log(p.sum() / q.sum())
        loss = self._given_loss[inside] - moved
        of_move = 2 * units + 1 + FUNCTION * abs(moved) + largest_size(loss)  # both sums, a quotient, log, a difference
        error = Error(units, self.error.loss + UNIT * of_move, mass)
        return Pair._of(p / p.sum(), q / q.sum(), loss, names, error)

    def _chosen(self, event: Iterable[Hashable] | Callable[[Hashable], bool]) -> set:
        """Return the outcomes of an event."""
        if callable(event):
            return {name for name in self.outcomes if event(name)}
        chosen = set(checks.names("event", event))
        if unknown := chosen - set(self.outcomes):
            raise ValueError(f"event must hold outcomes of the pair, not {unknown.pop()!r}")
        return chosen

    def then(self, matrix: Any, outcomes: Iterable[Hashable] | None = None) -> Pair:
        """Post-process: send outcome i to the new outcome j with probability matrix[i][j]."""
        if not np.iterable(matrix):
            raise ValueError(f"matrix must have {len(self)} rows, one for each outcome, not {checks.shorten(matrix)}")
        rows = [checks.law(f"row {i} of matrix", row) for i, row in enumerate(matrix)]
        if len(rows) != len(self) or len({len(row) for row in rows}) != 1:
            raise ValueError(f"matrix must have {len(self)} rows of equal length, one for each outcome")
        table = np.stack(rows)
        names = None if outcomes is None else checks.names("outcomes", outcomes, table.shape[1])
        error = Error(self.error.units + len(self) + 1, mass=self.error.mass + TINY * table.size)
        return Pair._of(self.p @ table, self.q @ table, names=names, error=error)

    def sample(self, rng: np.random.Generator, size: Size | None = None, hypothesis: int = 0) -> Any:
        """Draw outcomes from P (hypothesis 0) or Q (hypothesis 1)."""
        if not checks.is_number(hypothesis) or hypothesis not in (0, 1):
            raise ValueError(f"hypothesis must be 0 (draw from p) or 1 (draw from q), not {checks.shorten(hypothesis)}")
        law = (self.p, self.q)[int(hypothesis)]
        size = None if size is None else checks.count("size", size, high=checks.MOST_DRAWS)
        index = checks.generator(rng).choice(len(self), size=size, p=law.astype(float) / float(law.sum()))
        return self.outcomes[index] if size is None else [self.outcomes[i] for i in index]


# ------------------------------------------------------------------------------------------------ one step each


def _exact_loss(a: Fraction, b: Fraction) -> float:
    """Return log(a/b), infinite where b is 0 and a is not."""
    if b == 0:
        return math.inf if a > 0 else -math.inf
    return log_fraction(a / b)


def _added_losses(one: Pair, two: Pair) -> np.ndarray:
    """Return the losses of a product: they add, and an outcome impossible under P or Q stays impossible."""
    with np.errstate(invalid="ignore"):
        total = np.add.outer(one.losses, two.losses).ravel()
    return np.where(np.isnan(total), -np.inf, total)


def _added_errors(one: Pair, two: Pair) -> Error:
    """Return the errors of a product: relative errors and errors of losses add up, and each result is rounded."""
    a = one.error
    b = two.error
    size = largest_size(one.losses) + largest_size(two.losses)
    lost = TINY * len(one) * len(two)
    return Error(a.units + b.units + 1, a.loss + b.loss + UNIT * size, a.mass + b.mass + lost)


def _first_of_each(loss: np.ndarray) -> np.ndarray:
    """Return where a new value begins in decreasing losses; nearly equal ones count as equal."""
    with np.errstate(invalid="ignore"):
        apart = -np.diff(loss) > SAME_LOSS * largest_size(loss)
    return np.concatenate([[0], 1 + np.flatnonzero(apart)])


def _merged_error(error: Error, loss: np.ndarray, start: np.ndarray) -> Error:
    """Return the error after adding up groups of outcomes that get the first one's loss."""
    last = np.append(start[1:], len(loss)) - 1
    with np.errstate(invalid="ignore"):
        moved = np.nan_to_num(loss[start] - loss[last]).max(initial=0.0)
    most = int((last - start).max(initial=0))
    return Error(error.units + most, error.loss + moved, error.mass)


def _merge_exactly(p: np.ndarray, q: np.ndarray) -> Pair:
    together: dict = {}
    for a, b in zip(p, q, strict=True):
        ratio = math.inf if b == 0 else a / b
        old = together.get(ratio, (0, 0))
        together[ratio] = (old[0] + a, old[1] + b)
    best_first = [together[ratio] for ratio in sorted(together, reverse=True)]
    return Pair._of(_array(a for a, _ in best_first), _array(b for _, b in best_first))


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
