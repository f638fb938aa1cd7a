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
from ..annotations import Number
from ..composition import Composed, Given, Guarantees, _deviation, _log_inverse
from ..guarantee import likelier
from ..notions.scaling import group_factor
from ..numerics.rounding import float_up
from .tables import as_ratio

__all__ = [
    "Bound",
    "advanced_as_printed",
    "big_world_bound",
    "group_bound",
    "independence_bound",
    "independence_chain",
    "independence_optimum",
    "independence_optimum_at",
    "release_bound",
    "release_bound_as_printed",
]

LARGEST_RATIO = 1e15  # the linear program takes larger numbers for infinite
MOST_STEPS = 1000  # of a group, or studies: exact powers beyond have too many digits


class Bound(NamedTuple):
    """A promise in exact numbers: `ratio` is e^eps."""

    ratio: Fraction | float
    delta: Fraction | float


def release_bound(ratio: Number, delta: Number, leak_ratio: Number, leak_delta: Number = 0) -> Bound:
    """What bLDP promises about the output released together with the leak, as plain DP (LPR, Theorem 4, made sharp).

    An (eps1, delta1)-bLDP mechanism whose leak is (eps2, delta2)-DP is, together with its leak,
    (eps1 + eps2, delta1 + delta2 - delta1 delta2)-DP. Theorem 4 is the case delta2 = 0.
    """
    given = _promise(ratio=ratio, delta=delta)
    leak = _promise(leak_ratio=leak_ratio, leak_delta=leak_delta)
    together = given.delta + leak.delta - given.delta * leak.delta
    return _rounded(given.ratio * leak.ratio, together, ratio, delta, leak_ratio, leak_delta)


def release_bound_as_printed(
    ratio: Number, delta: Number, leak_ratio: Number, leak_delta: Number, common: int
) -> Bound:
    """The remark after Theorem 4: delta1 + (1 + |O'|) delta2, `common` = |O'| leak values that both databases share."""
    given = _promise(ratio=ratio, delta=delta)
    leak = _promise(leak_ratio=leak_ratio, leak_delta=leak_delta)
    printed = given.delta + (1 + checks.count("common", common)) * leak.delta
    return _rounded(given.ratio * leak.ratio, printed, ratio, delta, leak_ratio, leak_delta)


# ------------------------------------------------------------------------------- partial independence (Theorem 9)


def independence_bound(ratio: Number, delta: Number, shared_ratio: Number, shared_delta: Number = 0) -> Bound:
    """Partial independence and DP give bLDP (LPR, Theorem 9).

    An (eps, delta)-DP mechanism that is (eps', delta')-independent of its leak is bLDP with eps + 2 eps' and
    (e^(eps + eps') + 1) delta' + e^eps' delta.
    """
    dp = _promise(ratio=ratio, delta=delta)
    shared = _promise(shared_ratio=shared_ratio, shared_delta=shared_delta)
    bound = (dp.ratio * shared.ratio + 1) * shared.delta + shared.ratio * dp.delta
    return _rounded(dp.ratio * shared.ratio**2, bound, ratio, delta, shared_ratio, shared_delta)


def independence_optimum(
    ratio: Number, delta: Number, shared_ratio: Number, shared_delta: Number = 0, at: Number | None = None
) -> Number:
    """Return the exact worst case of Theorem 9: the largest bLDP delta at e^eps = `at` (the theorem's, unless given).

    It is max_s g'(g(g'(s))) - at s, with `likelier` for g (DP) and g' (independence): the trade-offs chained.
    """
    dp = _promise(ratio=ratio, delta=delta)
    shared = _promise(shared_ratio=shared_ratio, shared_delta=shared_delta)
    given = [ratio, delta, shared_ratio, shared_delta]
    if at is None:
        level = dp.ratio * shared.ratio**2
    else:
        level = _exact("ratio", at)
        given.append(at)
    shown = [_chain(s, dp, shared)[-1] - level * s for s in _kinks(dp, shared)]
    return _up(max(*shown, Fraction(0)), *given)


def independence_optimum_at(
    weight: Number, ratio: Number, delta: Number, shared_ratio: Number, shared_delta: Number = 0
) -> float:
    """Return the same worst case where the telling value leaks with probability `weight` on both databases.

    A linear program over Pr[M = 1], given that value and given any other, on x and on x'; in floats.
    """
    from scipy.optimize import linprog

    weight = checks.scalar("weight", weight, low=0, high=1)
    dp = _promise(ratio=ratio, delta=delta)
    shared = _promise(shared_ratio=shared_ratio, shared_delta=shared_delta)
    p_o, p_rest, q_o, q_rest = np.eye(4)
    p = weight * p_o + (1 - weight) * p_rest
    q = weight * q_o + (1 - weight) * q_rest
    rows = _closeness(p, q, dp)
    for given, law in ((p_o, p), (p_rest, p), (q_o, q), (q_rest, q)):
        rows += _closeness(given, law, shared)
    A = np.array([row for row, _ in rows])
    limits = [limit for _, limit in rows]
    level = dp.ratio * shared.ratio**2
    if level > LARGEST_RATIO:
        raise ValueError(f"ratio and shared_ratio must make at most {LARGEST_RATIO:g} together, not {float_up(level)}")
    cost = float(level) * q_o - p_o
    return float(-linprog(cost, A_ub=A, b_ub=limits, bounds=(0, 1), method="highs").fun)


def _closeness(one: np.ndarray, two: np.ndarray, promise: Bound) -> list[tuple]:
    """Return one <= ratio two + delta, and the same for the complements, both ways: rows and their upper limits."""
    ratio = float(promise.ratio)
    delta = float(promise.delta)
    rows = []
    for p, q in ((one, two), (two, one)):
        rows.append((p - ratio * q, delta))
        rows.append((ratio * p - q, ratio - 1 + delta))
    return rows


def independence_chain(
    ratio: Number, delta: Number, shared_ratio: Number, shared_delta: Number = 0, start: Number | None = None
) -> tuple[Fraction, ...]:
    """Return Pr[M = 1 | o] at x', Pr[M = 1] at x', Pr[M = 1] at x, Pr[M = 1 | o] at x that attain Theorem 9.

    Each is as much likelier than the one before as the promises allow; `start` is the first (the best, unless given).
    """
    dp = _promise(ratio=ratio, delta=delta)
    shared = _promise(shared_ratio=shared_ratio, shared_delta=shared_delta)
    level = dp.ratio * shared.ratio**2
    if start is None:
        shown = {s: _chain(s, dp, shared)[-1] - level * s for s in _kinks(dp, shared)}
        start = max(shown, key=lambda s: (shown[s], s))
    checks.scalar("start", start, low=0, high=1)
    return _chain(checks.fraction(start), dp, shared)


def _chain(s: Fraction, dp: Bound, shared: Bound) -> tuple:
    q = likelier(s, *shared)
    p = likelier(q, *dp)
    return s, q, p, likelier(p, *shared)


def _kinks(dp: Bound, shared: Bound) -> set:
    """Return every s where the chain g'(g(g'(s))) bends: the kinks of each step, pulled back to the start."""
    of_first = _kinks_of(shared)
    of_second = [_pull(kink, shared) for kink in _kinks_of(dp)]
    of_third = [_pull(_pull(kink, dp), shared) for kink in _kinks_of(shared)]
    inside = [s for s in of_first + of_second + of_third if 0 <= s <= 1]
    return {Fraction(0), Fraction(1), *inside}


def _kinks_of(promise: Bound) -> list[Fraction]:
    """Return where `likelier` passes from one of its three lines to the next."""
    return [(1 - promise.delta) / (1 + promise.ratio), 1 - promise.delta]


def _pull(p: Fraction, promise: Bound) -> Fraction:
    """Return the smallest s with likelier(s) >= p."""
    by_first_line = (p - promise.delta) / promise.ratio
    by_second_line = 1 - promise.delta - promise.ratio * (1 - p)
    return max(by_first_line, by_second_line, Fraction(0))


# ------------------------------------------------------------------------------- groups, studies, composition


def group_bound(ratio: Number, delta: Number, k: int) -> Bound:
    """Group privacy along a non-zero path of length k (LPR, Theorem 22).

    k eps and delta (1 + e^eps + ... + e^((k-1) eps)): a sum, because the printed quotient is 0/0 at eps = 0.
    """
    one = _promise(ratio=ratio, delta=delta)
    k = _few("k", k)
    grown = one.delta * group_factor(k, ratio=one.ratio)
    return _rounded(one.ratio**k, grown, ratio, delta)


def big_world_bound(ratio: Number, delta: Number, t: int, k: int) -> Bound:
    """k studies, at most t of them joined (LPR, Theorem 17, with min(2t, k) in place of 2t): m eps and m delta."""
    one = _promise(ratio=ratio, delta=delta)
    m = _few("min(2t, k)", min(2 * checks.count("t", t), checks.count("k", k)))
    return _rounded(one.ratio**m, m * one.delta, ratio, delta)


def advanced_as_printed(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """Advanced composition as LPR print it (Theorems 16 and 32): e^(eps - 1) stands where e^eps - 1 was meant.

    Valid all the same: e^(eps - 1) >= eps / 2, with which `composition.concentrated` already holds. What was meant is
    `composition.advanced`.
    """
    given = Given(guarantees, k)
    eps = given.drift(_exp_of_one_less) + _deviation(given.mu, _log_inverse(slack))
    return Composed(eps, given.sum_delta_and(slack), "advanced, as printed by LPR")


def _exp_of_one_less(eps: float) -> float:
    return math.exp(eps) / math.e if eps < 700 else math.inf  # whose exponent is not rounded


# ------------------------------------------------------------------------------------------ exact numbers, rounded up


def _promise(**given) -> Bound:
    """Return a ratio and a delta, given under their names, as exact fractions."""
    return Bound(*(_exact(name, value) for name, value in given.items()))


def _exact(name: str, value) -> Fraction:
    """Return an exact fraction: a ratio at least 1 and finite, a delta in [0, 1]."""
    if name.endswith("ratio"):
        as_ratio(value, name)
    else:
        checks.scalar(name, value, low=0, high=1)
    return checks.fraction(value)


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
