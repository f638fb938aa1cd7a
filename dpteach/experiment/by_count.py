r"""Hypotheses about the number of ones: k + 1 sufficient statistics instead of 2^k views.

If the mechanisms are equal and a law depends only on the number j of ones, views with equally many ones among their
answers are equally likely. Written as a polynomial in z, whose power counts the ones, the law of the view is

    sum_j h_j u(z)^j v(z)^(k-j),      u = u0 + u1 z under bit 1,  v = v0 + v1 z under bit 0,

and Horner's rule adds it up in k steps. The recurrence in `recurrence.py` is for the coefficients *divided by their
binomials*: the likelihood of one view, times 2^k. They stay near 1, so that no digits are lost; every term is positive.

A guarantee with delta > 0 may also show a bit openly. With s open zeros and t open ones the rest is the same sum over
k - s - t rounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..numerics.coins import binomials
from ..numerics.rounding import FUNCTION, LOG_UNITS, TINY, largest_size, log_fraction, log_ratios
from .arithmetic import FLOATS, FRACTIONS, LOGADDEXP, LOGARITHMS, Arithmetic
from .hypothesis import Hypothesis
from .logarithms import LogLaws
from .recurrence import Likelihoods, Line, polynomial
from .rounds import Mechanism, Sequence
from .view_laws import ViewLaws

MOST_BY_COUNT = 20_000  # the recurrence takes seconds there
MOST_FAILURES = 2**17  # views with open answers that are listed; the rest is left out
SMALL_TAIL = 1e-18  # open answers rarer than this share of the first are not listed one by one
MOST_EXACT_WORK = 400_000  # steps in whole numbers
SAFE_SPREAD = 300.0  # likelihoods within e^this of each other cannot underflow on the way
SAFE_LEAST = 1e-150


@dataclass(frozen=True)
class Opened:
    """So many bits were shown openly: `zeros` zeros and `ones` ones."""

    zeros: int
    ones: int

    def chance(self, mechanism: Mechanism) -> Fraction:
        """Return the probability of one view in which just these answers are open, as far as these are concerned."""
        return Fraction(mechanism.opens_zero) ** self.zeros * Fraction(mechanism.opens_one) ** self.ones

    def weights(self, arithmetic: Arithmetic, law: np.ndarray) -> np.ndarray:
        """Return the weights of j ones among the k - s - t rounds that are left: h_(j+t) C(k-j-t, s) C(j+t, t)."""
        k = len(law) - 1
        left = range(self.ones, k - self.zeros + 1)
        ways = [math.comb(k - j, self.zeros) * math.comb(j, self.ones) for j in left]
        return arithmetic.times(law[self.ones : k - self.zeros + 1], arithmetic.array(ways))


def number_of_ones(rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> ViewLaws | None:
    """Return the laws of the view for laws of the number of ones, if all mechanisms are equal and give two answers."""
    mechanism = rounds.only
    if mechanism is None or mechanism.choices > 2:
        return None
    if h0.k > MOST_BY_COUNT or h0.counts is None or h1.counts is None:
        return None
    listed, left_out = _failures(mechanism, h0.k)
    exact = rounds.exact and h0.exact and h1.exact and left_out == 0
    if exact and len(listed) * h0.k**2 <= MOST_EXACT_WORK:
        return _in_fractions(mechanism, h0, h1, listed)
    if _floats_are_wide_enough(mechanism, h0.k):
        found = _in_floats(mechanism, h0, h1, listed, left_out)
        if found is not None:
            return found
    return _in_logarithms(mechanism, h0, h1, listed, left_out)


# -------------------------------------------------------------------------------------------------- open answers


def _failures(mechanism: Mechanism, k: int) -> tuple[list[Opened], float]:
    """Return the numbers of open answers that are listed, and the probability of more than that."""
    chance = float(max(mechanism.opens_zero, mechanism.opens_one))
    most, left_out = _most_failures(chance, k)
    listed = [Opened(zeros, number - zeros) for number in range(most + 1) for zeros in range(number + 1)]
    possible = [
        opened
        for opened in listed
        if (mechanism.opens_zero or not opened.zeros) and (mechanism.opens_one or not opened.ones)
    ]
    return possible, left_out


def _most_failures(chance: float, k: int) -> tuple[int, float]:
    """Return how many open answers are listed at most, and the probability of more than that, rounded up."""
    if not chance:
        return 0, 0.0
    from scipy.special import bdtrc  # the probability of more than `most` open answers

    for most in range(k):
        tail = float(bdtrc(most, k, chance)) * 1.001  # scipy's own accuracy is some thousand times better
        one_more = (most + 2) * (most + 3) // 2 * (k + 1)
        if tail <= SMALL_TAIL * chance or one_more > MOST_FAILURES:
            return most, max(tail, TINY)
    return k, 0.0


# -------------------------------------------------------------------------------------------------- in fractions


def _in_fractions(mechanism: Mechanism, h0: Hypothesis, h1: Hypothesis, listed: list[Opened]) -> ViewLaws:
    p = [chance for opened in listed for chance in _exact_chances(mechanism, h0, opened)]
    q = [chance for opened in listed for chance in _exact_chances(mechanism, h1, opened)]
    return ViewLaws.of_laws(np.array(p, dtype=object), np.array(q, dtype=object))


def _exact_chances(mechanism: Mechanism, h: Hypothesis, opened: Opened) -> Iterator[Fraction]:
    """Yield the probabilities of the views with 0..n ones: a polynomial in whole numbers over common denominators."""
    u, v = _lines(FRACTIONS, mechanism)
    scale = math.lcm(*(x.denominator for x in (*u, *v)))
    weights = opened.weights(FRACTIONS, h.counts)
    whole = math.lcm(*(weight.denominator for weight in weights))
    rounds = len(weights) - 1
    share = opened.chance(mechanism) / (scale**rounds * whole)
    for coefficient in polynomial([int(weight * whole) for weight in weights], u.scaled(scale), v.scaled(scale)):
        yield share * coefficient


def _lines(arithmetic: Arithmetic, mechanism: Mechanism) -> tuple[Line, Line]:
    """Return u and v, the two answers under bit 1 and under bit 0; if there is one answer, the other is impossible."""
    nothing = [arithmetic.number(0)] * 2
    p, q = arithmetic.laws_of(mechanism.merged)
    under_zero = [*p[mechanism.ordinary], *nothing]
    under_one = [*q[mechanism.ordinary], *nothing]
    return Line(*under_one[:2]), Line(*under_zero[:2])


# ---------------------------------------------------------------------------------------- in floats or logarithms


def _floats_are_wide_enough(mechanism: Mechanism, k: int) -> bool:
    """Say whether both answers are possible, and no likelihood ratio of k answers leaves the floats."""
    losses = mechanism.merged.losses[mechanism.ordinary]
    return len(losses) == 2 and k * largest_size(losses) <= SAFE_SPREAD


def _in_floats(
    mechanism: Mechanism, h0: Hypothesis, h1: Hypothesis, listed: list[Opened], left_out: float
) -> ViewLaws | None:
    """Return the laws in floats, or None if they turn out to be too narrow.

    All terms are positive, so relative errors add up. Each step of the recurrence multiplies by a share, by the
    doubled probability of an answer, and adds twice: six roundings, two of them of the factors, and the pair's own
    error. A power of k factors is worse by none of these. The rest: the weight with its ways (three), the sums over
    powers (four), the binomial, the open answers and their product (five).
    """
    laws = [h.counts.astype(float) for h in (h0, h1)]
    rows = [opened.weights(FLOATS, law) for opened in listed for law in laws]
    found = Likelihoods(FLOATS, *_lines(FLOATS, mechanism), h0.k).of(rows)
    if any(np.any(weights) and np.min(r) < SAFE_LEAST for weights, r in zip(rows, found, strict=True)):
        return None
    chances = [float(opened.chance(mechanism)) for opened in listed]
    blocks = list(map(_block_of_floats, found[::2], found[1::2], chances))
    error = mechanism.merged.error
    units = h0.k * (error.units + len(mechanism.merged) + 6) + 12
    return _joined(blocks, units, h0.k * error.mass, left_out)


def _block_of_floats(r0: np.ndarray, r1: np.ndarray, chance: float) -> tuple[np.ndarray, ...]:
    """Return p, q and the losses of the possible views with 0..n ones, from their likelihoods."""
    n = len(r0) - 1
    possible = (r0 > 0) | (r1 > 0)
    ways = [c for c, is_possible in zip(binomials(n), possible, strict=True) if is_possible]
    r0 = r0[possible]
    r1 = r1[possible]
    lengths = np.array([c.bit_length() for c in ways], dtype=int)
    digits = np.array([c / 2 ** c.bit_length() for c in ways], dtype=float)
    p = np.ldexp(digits * r0, lengths - n) * chance  # C(n, m) / 2^n alone may underflow
    q = np.ldexp(digits * r1, lengths - n) * chance
    return p, q, log_ratios(r0, r1)


def _in_logarithms(
    mechanism: Mechanism, h0: Hypothesis, h1: Hypothesis, listed: list[Opened], left_out: float
) -> ViewLaws:
    laws = [h.log_counts() for h in (h0, h1)]
    rows = [opened.weights(LOGARITHMS, law) for opened in listed for law in laws]
    found = Likelihoods(LOGARITHMS, *_lines(LOGARITHMS, mechanism), h0.k).of(rows)
    chances = [log_fraction(opened.chance(mechanism)) for opened in listed]
    blocks = list(map(_block_of_logs, found[::2], found[1::2], chances))
    logs = LogLaws.of(mechanism.merged)
    size = max(map(largest_size, laws)) + h0.k * (logs.size + 3 * math.log(2)) + max(map(abs, chances))
    units = _units_in_logarithms(h0.k, size, logs.units + len(mechanism.merged))
    return _joined(blocks, units, h0.k * logs.mass, left_out)


def _joined(blocks: list[tuple], units: float, mass: float, left_out: float) -> ViewLaws:
    """Return the views of all blocks."""
    p, q, losses = map(np.concatenate, zip(*blocks, strict=True))
    return ViewLaws(p, q, losses, units, mass, left_out)


def _units_in_logarithms(k: int, size: float, each: float) -> float:
    """Return the error if no logarithm exceeds `size` and those of the answers are right up to `each` units.

    A step of the recurrence doubles an answer, multiplies twice and adds twice, each rounded by a unit of the size, the
    sums by a few more (`LOGADDEXP`); and it takes a share, whose logarithm is a function of at most log k. The rest, in
    units of the size: the weight and its ways, powers, the binomial, k log 2, open answers and exp.
    """
    step = 5 * size + 2 * LOGADDEXP + FUNCTION * (math.log(k + 1) + 1)
    return k * (each + step) + (4 * LOG_UNITS + 8) * (size + 1)


def _block_of_logs(r0: np.ndarray, r1: np.ndarray, log_chance: float) -> tuple[np.ndarray, ...]:
    """Return p, q and the losses of the possible views with 0..n ones, from the logarithms of their likelihoods."""
    n = len(r0) - 1
    possible = np.isfinite(r0) | np.isfinite(r1)
    ways = LOGARITHMS.array(binomials(n))[possible] - n * math.log(2) + log_chance
    r0 = r0[possible]
    r1 = r1[possible]
    return np.exp(ways + r0), np.exp(ways + r1), r0 - r1
