"""The bounds of lecture 4: the theorems of Ligett, Peale and Reingold (LPR) on bounded leakage, each formula once.

All of them work on the ratio e^eps instead of eps, so that whole numbers and fractions give exact answers; floats are
taken as the exact numbers they are, and the answer is rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .. import checks
from ..composition import Composed, Given, Guarantees, _deviation, _log_inverse
from ..rounding import float_up
from .tables import as_ratio

MOST_STEPS = 1000  # of a group, or studies: exact powers beyond have too many digits


class Bound(NamedTuple):
    """A promise in exact numbers: `ratio` is e^eps."""

    ratio: Fraction | float
    delta: Fraction | float


def release_bound(ratio, delta, leak_ratio, leak_delta=0) -> Bound:
    """What bLDP promises about the output released together with the leak, as plain DP (LPR, Theorem 4, made sharp).

    An (eps1, delta1)-bLDP mechanism whose leak is (eps2, delta2)-DP is, together with its leak,
    (eps1 + eps2, delta1 + delta2 - delta1 delta2)-DP. Theorem 4 is the case delta2 = 0.
    """
    a, d, b, e = _numbers(ratio=ratio, delta=delta, leak_ratio=leak_ratio, leak_delta=leak_delta)
    return _rounded(a * b, d + e - d * e, ratio, delta, leak_ratio, leak_delta)


def release_bound_as_printed(ratio, delta, leak_ratio, leak_delta, common: int) -> Bound:
    """The remark after Theorem 4: delta1 + (1 + |O'|) delta2, `common` = |O'| leak values that both databases share."""
    a, d, b, e = _numbers(ratio=ratio, delta=delta, leak_ratio=leak_ratio, leak_delta=leak_delta)
    return _rounded(a * b, d + (1 + checks.count("common", common)) * e, ratio, delta, leak_ratio, leak_delta)


def independence_bound(ratio, delta, shared_ratio, shared_delta=0) -> Bound:
    """Partial independence and DP give bLDP (LPR, Theorem 9).

    An (eps, delta)-DP mechanism that is (eps', delta')-independent of its leak is bLDP with eps + 2 eps' and
    (e^(eps + eps') + 1) delta' + e^eps' delta.
    """
    a, d, b, e = _numbers(ratio=ratio, delta=delta, shared_ratio=shared_ratio, shared_delta=shared_delta)
    return _rounded(a * b**2, (a * b + 1) * e + b * d, ratio, delta, shared_ratio, shared_delta)


def independence_optimum(ratio, delta, shared_ratio, shared_delta=0, at=None):
    """Return the exact worst case of Theorem 9: the largest bLDP delta at e^eps = `at` (the theorem's, unless given).

    It is max_s g'(g(g'(s))) - at s, with `likelier` for g (DP) and g' (independence): the trade-offs chained.
    """
    a, d, b, e = _numbers(ratio=ratio, delta=delta, shared_ratio=shared_ratio, shared_delta=shared_delta)
    (A,) = (a * b**2,) if at is None else _numbers(ratio=at)
    best = max(_chain(s, a, d, b, e)[3] - A * s for s in _kinks(a, d, b, e))
    return _up(max(best, Fraction(0)), ratio, delta, shared_ratio, shared_delta, 1 if at is None else at)


def independence_optimum_at(weight, ratio, delta, shared_ratio, shared_delta=0) -> float:
    """Return the same worst case where the telling value leaks with probability `weight` on both databases.

    A linear program over Pr[M = 1], given that value and given any other, on x and on x'; in floats.
    """
    from scipy.optimize import linprog

    w = checks.scalar("weight", weight, low=0, high=1)
    a, d, b, e = map(float, _numbers(ratio=ratio, delta=delta, shared_ratio=shared_ratio, shared_delta=shared_delta))
    p_o, p_rest, q_o, q_rest = np.eye(4)
    p, q = w * p_o + (1 - w) * p_rest, w * q_o + (1 - w) * q_rest
    near = [(given, law, b, e) for given, law in ((p_o, p), (p_rest, p), (q_o, q), (q_rest, q))] + [(p, q, a, d)]
    rows = [row for one, two, r, s in near for row in (*_closeness(one, two, r, s), *_closeness(two, one, r, s))]
    A, limits = np.array([row for row, _ in rows]), [limit for _, limit in rows]
    return float(-linprog(a * b**2 * q_o - p_o, A_ub=A, b_ub=limits, bounds=(0, 1), method="highs").fun)


def _closeness(one, two, ratio: float, delta: float) -> list[tuple]:
    """Return one <= ratio two + delta, and the same for the complements, as rows and their upper limits."""
    return [(one - ratio * two, delta), (ratio * one - two, ratio - 1 + delta)]


def independence_chain(ratio, delta, shared_ratio, shared_delta=0, start=None) -> tuple[Fraction, ...]:
    """Return Pr[M = 1 | o] at x', Pr[M = 1] at x', Pr[M = 1] at x, Pr[M = 1 | o] at x that attain Theorem 9.

    Each is as much likelier than the one before as the promises allow; `start` is the first (the best, unless given).
    """
    a, d, b, e = _numbers(ratio=ratio, delta=delta, shared_ratio=shared_ratio, shared_delta=shared_delta)
    if start is None:
        start = max(_kinks(a, d, b, e), key=lambda s: (_chain(s, a, d, b, e)[3] - a * b**2 * s, s))
    checks.delta(start, "start")
    return _chain(Fraction(start), a, d, b, e)


def likelier(s, ratio, delta):
    """Return the largest p that (log ratio, delta) allows where the other probability is s (KOV, eq. 2)."""
    return min(1, ratio * s + delta, 1 - (1 - delta - s) / ratio)


def _chain(s, a, d, b, e) -> tuple:
    q = likelier(s, b, e)
    p = likelier(q, a, d)
    return s, q, p, likelier(p, b, e)


def _kinks(a, d, b, e) -> set:
    """Return every s where the chain g'(g(g'(s))) bends: the kinks of each step, pulled back to the start."""
    inner = [(1 - e) / (1 + b), 1 - e]
    first = [_pull(k, b, e) for k in [(1 - d) / (1 + a), 1 - d]]
    second = [_pull(_pull(k, a, d), b, e) for k in inner]
    return {Fraction(0), Fraction(1), *(s for s in [*inner, *first, *second] if 0 <= s <= 1)}


def _pull(p, ratio, delta):
    """Return the smallest s with likelier(s) >= p."""
    return max((p - delta) / ratio, 1 - delta - ratio * (1 - p), Fraction(0))


def group_bound(ratio, delta, k: int) -> Bound:
    """Group privacy along a non-zero path of length k (LPR, Theorem 22).

    k eps and delta (1 + e^eps + ... + e^((k-1) eps)): a sum, because the printed quotient is 0/0 at eps = 0.
    """
    a, d = _numbers(ratio=ratio, delta=delta)
    k = _few("k", k)
    return _rounded(a**k, d * sum(a**i for i in range(k)), ratio, delta)


def big_world_bound(ratio, delta, t: int, k: int) -> Bound:
    """k studies, at most t of them joined (LPR, Theorem 17, with min(2t, k) in place of 2t): m eps and m delta."""
    a, d = _numbers(ratio=ratio, delta=delta)
    m = _few("min(2t, k)", min(2 * checks.count("t", t), checks.count("k", k)))
    return _rounded(a**m, m * d, ratio, delta)


def advanced_as_printed(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """Advanced composition as LPR print it (Theorems 16 and 32): e^(eps - 1) stands where e^eps - 1 was meant.

    Valid all the same: e^(eps - 1) >= eps / 2, with which `composition.concentrated` already holds. What was meant is
    `composition.advanced`.
    """
    given = Given(guarantees, k)
    eps = given.drift(_exp_of_one_less) + _deviation(given.mu, _log_inverse(slack))
    return Composed(eps, given.sum_delta_and(slack), "advanced, as printed by LPR")


def _exp_of_one_less(eps: float) -> float:
    return math.exp(eps - 1) if eps < 700 else math.inf


# ------------------------------------------------------------------------------------------ exact numbers, rounded up


def _numbers(**given) -> list[Fraction]:
    """Return the arguments as exact fractions: ratios at least 1 and finite, deltas in [0, 1]."""
    for name, value in given.items():
        as_ratio(value, name) if name.endswith("ratio") else checks.scalar(name, value, low=0, high=1)
    return [checks.fraction(value) for value in given.values()]


def _few(name: str, steps: int) -> int:
    """Return a number of steps whose powers can be computed exactly, and printed."""
    if checks.count(name, steps) > MOST_STEPS:
        raise ValueError(f"{name} must be at most {MOST_STEPS}, not {steps}")
    return int(steps)


def _rounded(ratio: Fraction, delta: Fraction, *inputs) -> Bound:
    return Bound(_up(ratio, *inputs), _up(delta, *inputs))


def _up(value: Fraction, *inputs):
    """Return the fraction itself if all inputs are exact, else the next float at or above it."""
    return value if all(map(checks.is_exact, inputs)) else float_up(value)
