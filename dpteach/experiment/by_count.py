r"""Hypotheses about the number of ones: k + 1 sufficient statistics instead of 2^k views.

If the mechanisms are equal and a law depends only on the number j of ones, views with equally many ones among their
answers are equally likely. Written as a polynomial in z, whose power counts the ones, the law of the view is

    sum_j h_j u(z)^j v(z)^(k-j),      u = u0 + u1 z under bit 1,  v = v0 + v1 z under bit 0,

and Horner's rule adds it up in k steps. The recurrence below is for the coefficients *divided by their binomials*:
the likelihood of one view, times 2^k. They stay near 1, so that no digits are lost; every term is positive.

A guarantee with delta > 0 may also show a bit openly. With s open zeros and t open ones the rest is the same sum over
k - s - t rounds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..coins import SCALE, coin_law, wrong_sides
from ..pair import Pair
from .hypothesis import Hypothesis, binomials, log_of, log_ratios

MOST_FAILURES = 2**17  # views with open answers that are listed; the rest goes into the tail
SMALL_TAIL = 1e-18  # open answers rarer than this share of the first are not listed one by one
MOST_EXACT_WORK = 400_000  # steps in whole numbers
SAFE_SPREAD, SAFE_LEAST = 300.0, 1e-150  # likelihoods within this range cannot underflow on the way


@dataclass(frozen=True)
class Arithmetic:
    """How to multiply and add: in floats, in fractions, or in logarithms where floats would underflow."""

    times: Callable
    plus: Callable
    number: Callable
    dtype: type

    def array(self, values) -> np.ndarray:
        """Return values (fractions or floats) in this arithmetic."""
        return np.array([self.number(x) for x in values], dtype=self.dtype)


FLOATS = Arithmetic(np.multiply, np.add, float, float)
FRACTIONS = Arithmetic(np.multiply, np.add, Fraction, object)
LOGARITHMS = Arithmetic(np.add, np.logaddexp, log_of, float)


def ordinary_outcomes(pair: Pair) -> tuple[list[tuple], Fraction | float, Fraction | float]:
    """Return the outcomes that both bits can show, and the probabilities that bit 0 or bit 1 is shown openly."""
    merged = pair.merged()
    rows = list(zip(merged.p.tolist(), merged.q.tolist(), strict=True))
    ordinary = [(a, b) for a, b in rows if a and b]
    return ordinary, sum(a for a, b in rows if not b), sum(b for a, b in rows if not a)


def by_count(pair: Pair, h0: Hypothesis, h1: Hypothesis) -> tuple:
    """Return the views' laws p and q, their losses log(p/q), the doubt and the tail, for equal two-way answers."""
    k, (ordinary, open0, open1) = h0.k, ordinary_outcomes(pair)
    v, u = zip(*[*ordinary, (0, 0), (0, 0)][:2], strict=True)
    failures, tail = _failures(k, float(max(open0, open1)))
    failures = [(s, t) for s, t in failures if (open0 or not s) and (open1 or not t)]
    exact = pair.exact and h0.exact and h1.exact and tail == 0
    if exact and len(failures) * k**2 <= MOST_EXACT_WORK:
        return _exact_views((h0, h1), u, v, (open0, open1), failures)
    positive = min(map(float, (*u, *v))) > 0
    spread = k * max((abs(math.log(a / b)) for a, b in ordinary), default=0.0)
    if positive and spread <= SAFE_SPREAD:
        found = _views(FLOATS, (h0, h1), u, v, (open0, open1), failures, tail)
        if found is not None:
            return found
    return _views(LOGARITHMS, (h0, h1), u, v, (open0, open1), failures, tail)


def _failures(k: int, open_: float) -> tuple[list[tuple[int, int]], float]:
    """Return the numbers (s, t) of open zeros and ones to be listed, and the probability of more than that."""
    if not open_:
        return [(0, 0)], 0.0
    from scipy.special import bdtrc  # the probability of more than `most` open answers

    most, tail = 0, 1.0
    while most < k:
        tail = float(bdtrc(most, k, open_)) * 1.001
        if tail <= SMALL_TAIL * open_ or (most + 2) * (most + 3) // 2 * (k + 1) > MOST_FAILURES:
            break
        most += 1
    listed = [(s, n - s) for n in range(most + 1) for s in range(n + 1)]
    return listed, 0.0 if most >= k else max(tail, 5e-324)


def _views(A: Arithmetic, hypotheses: tuple, u, v, opened: tuple, failures: list, tail: float = 0.0) -> tuple | None:
    """Return p, q, losses, doubt, tail over all numbers of open answers; None if floats were too narrow."""
    k = hypotheses[0].k
    laws = [h.log_counts() if A is LOGARITHMS else h.counts.astype(float) for h in hypotheses]
    sizes = [k - s - t for s, t in failures for _ in laws]
    rows = [_weights(A, law, s, t) for s, t in failures for law in laws]
    likelihoods = _likelihoods(A, rows, sizes, u, v)
    parts = []
    for i, (s, t) in enumerate(failures):
        n, r0, r1 = k - s - t, likelihoods[2 * i], likelihoods[2 * i + 1]
        if A is FLOATS and any(min(r) < SAFE_LEAST for r, w in ((r0, rows[2 * i]), (r1, rows[2 * i + 1])) if any(w)):
            return None
        parts.append(_block(A, n, r0, r1, Fraction(opened[0]) ** s * Fraction(opened[1]) ** t))
    p, q, losses = (np.concatenate(column) for column in zip(*parts, strict=True))
    largest = max(np.max(np.abs(r), where=np.isfinite(r), initial=0.0) for r in likelihoods)
    doubt = 16.0 * k + 64 if A is FLOATS else 4.0 * k * (largest + 16)
    return p, q, losses, doubt, tail


def _weights(A: Arithmetic, law: np.ndarray, s: int, t: int) -> np.ndarray:
    """Return the weights of j ones among the n = k - s - t rounds that are left: h_j+t C(k-j-t, s) C(j+t, t)."""
    k = len(law) - 1
    ways = A.array(math.comb(k - j, s) * math.comb(j, t) for j in range(t, k - s + 1))
    return A.times(law[t : k - s + 1], ways)


def _exact_views(hypotheses: tuple, u, v, opened: tuple, failures: list) -> tuple:
    """Return p, q, losses, doubt, tail in fractions: the same polynomials in whole numbers over common denominators."""
    scale = math.lcm(*(Fraction(x).denominator for x in (*u, *v)))
    U, V = ([int(x * scale) for x in part] for part in (u, v))
    laws = [[], []]
    for (s, t), (views, h) in itertools.product(failures, zip(laws, hypotheses, strict=True)):
        weights = _weights(FRACTIONS, h.counts, s, t)
        whole = math.lcm(*(w.denominator for w in weights))
        share = Fraction(opened[0]) ** s * Fraction(opened[1]) ** t / (scale ** (len(weights) - 1) * whole)
        views += [share * c for c in _polynomial([int(w * whole) for w in weights], U, V)]
    p, q = (np.array(views, dtype=object) for views in laws)
    possible = (p > 0) | (q > 0)
    return p[possible], q[possible], log_ratios(p[possible], q[possible]), 0.0, 0.0


def _polynomial(weights: list[int], u: list[int], v: list[int]) -> np.ndarray:
    """Return the coefficients of sum_j w_j (u0 + u1 z)^j (v0 + v1 z)^(n-j), by Horner's rule."""
    total, power = np.array([weights[-1]], dtype=object), np.array([1], dtype=object)
    for w in weights[-2::-1]:
        total, power = (np.append(x * c0, 0) + np.append(0, x * c1) for x, (c0, c1) in ((total, u), (power, v)))
        total = total + w * power
    return total


def _likelihoods(A: Arithmetic, rows: list, sizes: list[int], u, v) -> list[np.ndarray]:
    """Return for each row w of n + 1 weights the coefficients of sum_j w_j u^j v^(n-j), over C(n, m) / 2^n."""
    top, zero = max(sizes), A.number(0)
    order = sorted(range(len(rows)), key=lambda row: -sizes[row])
    weights = np.full((len(rows), top + 1), zero, dtype=A.dtype)
    for place, row in enumerate(order):
        weights[place, : sizes[row] + 1] = rows[row][::-1]
    active = np.array([sum(size >= i for size in sizes) for i in range(top + 1)])
    (u0, u1), (v0, v1) = (A.array(2 * Fraction(x) for x in part) for part in (u, v))
    v0_powers, v1_powers = _powers(A, v0, top), _powers(A, v1, top)
    r = np.full((len(rows), top + 1), zero, dtype=A.dtype)
    r[:, 0] = weights[:, 0]
    for i in range(1, top + 1):
        rise = _shares(A, i)
        now, fresh = r[: active[i], : i + 1], weights[: active[i], i, None]
        moved = A.times(A.times(rise, u1)[1:], now[:, :-1])
        A.times(A.times(rise[::-1], u0), now, out=now)
        A.plus(now[:, 1:], moved, out=now[:, 1:])
        A.plus(now, A.times(fresh, A.times(v0_powers[i::-1], v1_powers[: i + 1])), out=now)
    return [r[order.index(row), : sizes[row] + 1] for row in range(len(rows))]


def _shares(A: Arithmetic, i: int) -> np.ndarray:
    """Return 0/i, 1/i, ..., i/i."""
    with np.errstate(divide="ignore"):
        return np.log(np.arange(i + 1) / i) if A is LOGARITHMS else np.arange(i + 1) / i


def _powers(A: Arithmetic, base, top: int) -> np.ndarray:
    """Return base^0, ..., base^top."""
    if A is LOGARITHMS:
        return np.concatenate([[0.0], np.arange(1, top + 1) * base])
    return np.array([base**i for i in range(top + 1)], dtype=A.dtype)


def _block(A: Arithmetic, n: int, r0: np.ndarray, r1: np.ndarray, open_: Fraction) -> tuple:
    """Return p, q and the losses of the possible views with 0..n ones among n answers, from their likelihoods."""
    possible = (r0 != A.number(0)) | (r1 != A.number(0))
    ways, r0, r1 = np.array(binomials(n), dtype=object)[possible], r0[possible], r1[possible]
    if A is LOGARITHMS:
        base = A.array(ways) - n * math.log(2) + log_of(open_)
        return np.exp(base + r0), np.exp(base + r1), r0 - r1
    size = np.array([c.bit_length() for c in ways], dtype=int)
    digits = np.array([c / 2 ** c.bit_length() for c in ways], dtype=float)
    p, q = (np.ldexp(digits * r, size - n) * float(open_) for r in (r0, r1))  # C(n, m) / 2^n alone may underflow
    return p, q, log_ratios(r0, r1)


def closed_form(eps: float, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return the laws of the number m of ones under 00...0 and under the uniform law on all other vectors.

    A view with m ones has probability p_m = x^(k-m) / (1+x)^k under 00...0 and, because all vectors together make
    every view equally likely, (1 - p_m) / (2^k - 1) under the others; x = e^eps. Also returned: log p/q and the doubt.
    """
    m, zero, doubt0 = _binomial(eps, k)
    half, fair, doubt1 = _binomial(0.0, k)
    m = np.union1d(m, np.union1d(half, [0, k]))
    zero, fair = (_spread(law, at, m) for law, at in ((zero, _binomial(eps, k)[0]), (fair, half)))
    over = k * math.log1p(math.expm1(-eps) / 2) + m * eps  # the log of 1 / (2^k p_m)
    log_p = -k * math.log1p(math.exp(-eps)) - m * eps
    loss = -(over + np.log(-np.expm1(log_p)) - math.log1p(-(2.0**-k)))
    nonzero = fair * -np.expm1(log_p) / -math.expm1(-k * math.log(2))
    return zero, nonzero, loss, max(doubt0, doubt1) + 4 * k * eps + 32


def _binomial(eps: float, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return how many of k coins of bias e^eps : 1 fall on the wrong side, the probabilities, and their doubt."""
    law, (least, _, largest) = coin_law(eps, k), wrong_sides(eps, k)
    i = np.arange(float(least), largest + 1.0)
    skip = len(law.weights) - len(i)  # coin_law also lists the largest loss, too rare for a float
    return i, law.weights[skip:] / SCALE, float(np.max(law.doubt))


def _spread(law: np.ndarray, at: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the law on more places, zero elsewhere."""
    wide = np.zeros(len(places))
    wide[np.searchsorted(places, at)] = law
    return wide
