"""Exact powers of a pair: whole numbers over common denominators, because reducing fractions would take minutes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from .coins import binomials

MOST_WORK = 2**26  # of an exact power, in digits that are multiplied: more would take minutes
Weights = list[tuple[int, int]]  # of P and of Q, for each outcome


def exact_power(p: Sequence[Fraction], q: Sequence[Fraction], k: int) -> tuple[list[Fraction], list[Fraction]]:
    """Return both laws of the k-fold product, outcomes of equal likelihood ratio merged."""
    P = math.lcm(*(x.denominator for x in p))
    Q = math.lcm(*(x.denominator for x in q))
    base = merge_weights((int(a * P), int(b * Q)) for a, b in zip(p, q, strict=True))
    check_work(len(p), len(base), k, (P * Q).bit_length())
    weights = power_of_coin(base, k) if len(base) == 2 else power_step_by_step(base, k)
    return [Fraction(a, P**k) for a, _ in weights], [Fraction(b, Q**k) for _, b in weights]


def check_work(outcomes: int, ratios: int, k: int, bits: int) -> None:
    """Refuse a power that would take minutes: so many different likelihood ratios, each with so many digits."""
    most = math.comb(k + ratios - 1, ratios - 1) if k < 10**6 else math.inf
    steps = 1 if ratios == 2 else ratios**2
    if most * k * bits * steps > MOST_WORK:
        raise ValueError(
            f"k must be smaller for an exact pair of {outcomes} outcomes, not {k}; "
            "use floats, or dpteach.optimal for guarantees"
        )


def power_of_coin(base: Weights, k: int) -> Weights:
    """Return the k-fold product of two outcomes: binomial coefficients times powers."""
    (a, b), (c, d) = base
    weights = []
    for i, ways in enumerate(binomials(k)):
        weights.append((ways * a**i * c ** (k - i), ways * b**i * d ** (k - i)))
    return weights


def power_step_by_step(base: Weights, k: int) -> Weights:
    """Return the k-fold product of any outcomes, those with the same ratio added up after each step."""
    power = [(1, 1)]
    for _ in range(k):
        power = merge_weights((a * c, b * d) for a, b in power for c, d in base)
    return power


def merge_weights(weights: Iterable[tuple[int, int]]) -> Weights:
    """Add up the weights of outcomes with the same ratio; drop those that never happen."""
    together: dict = {}
    for a, b in weights:
        if a or b:
            common = math.gcd(a, b)
            ratio = (a // common, b // common)
            c, d = together.get(ratio, (0, 0))
            together[ratio] = (a + c, b + d)
    return list(together.values())
