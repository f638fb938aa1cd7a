"""A second way to compute everything: slow, short, straight from the definitions.

The checks of the ledger compare the library with these functions. They enumerate events and outcomes, in exact
fractions wherever the input is exact, or sum formulas with 50 digits; they share no code with the library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product

import numpy as np
from mpmath import mp

DIGITS = 50


def close(value, expected, rtol: float = 1e-12) -> bool:
    """Say whether two numbers agree up to a relative error of `rtol`."""
    return abs(value - expected) <= rtol * abs(expected)


def all_close(values: Sequence, expected: Sequence, rtol: float = 1e-12) -> bool:
    """Say whether numbers agree one by one."""
    return all(close(a, b, rtol) for a, b in zip(values, expected, strict=True))


# ------------------------------------------------------------------------------------------ finite pairs, by events


def events(n: int) -> list[tuple[int, ...]]:
    """List all 2^n sets of outcomes."""
    sets: list[tuple[int, ...]] = [()]
    for i in range(n):
        sets += [(*s, i) for s in sets]
    return sets


def event_laws(p: Sequence, q: Sequence) -> list[tuple]:
    """List (P(S), Q(S)) of all events S, in the order of `events`."""
    laws = [(0, 0)]
    for a, b in zip(p, q, strict=True):
        laws += [(x + a, y + b) for x, y in laws]
    return laws


def delta_by_events(p: Sequence, q: Sequence, ratio):
    """Return the largest P(S) - ratio Q(S) over all events S."""
    return max(a - ratio * b for a, b in event_laws(p, q))


def ratio_by_events(p: Sequence, q: Sequence, delta):
    """Return the smallest ratio >= 1 with P(S) <= ratio Q(S) + delta for all events S, inf if there is none."""
    laws = event_laws(p, q)
    if any(b == 0 and a > delta for a, b in laws):
        return math.inf
    return max([1, *((a - delta) / b for a, b in laws if b > 0)])


def is_private(p: Sequence, q: Sequence, ratio, delta) -> bool:
    """Say whether the pair is (log ratio, delta)-DP: all events, both orders."""
    return max(delta_by_events(p, q, ratio), delta_by_events(q, p, ratio)) <= delta


def errors(p: Sequence, q: Sequence) -> list[tuple]:
    """Return (missed detection, false alarm) of every rejection region S: (Q(not S), P(S))."""
    return [(1 - b, a) for a, b in event_laws(p, q)]


def worst_pair(ratio, delta=0) -> tuple[list, list]:
    """Return the four-outcome pair of KOV's section 3.2 for the guarantee (log ratio, delta)."""
    one = Fraction(1)
    p = [delta * one, (1 - delta) * one * ratio / (1 + ratio), (1 - delta) * one / (1 + ratio), 0 * one]
    return p, p[::-1]


def product_pair(pairs: Sequence[tuple[Sequence, Sequence]]) -> tuple[list, list]:
    """Return the product of independent pairs, one outcome for every tuple of outcomes."""
    p, q = ([math.prod(atoms) for atoms in product(*laws)] for laws in zip(*pairs, strict=True))
    return p, q


def hockey_stick(p: Sequence, q: Sequence, ratio):
    """Return the sum of max(P - ratio Q, 0), without merging or sorting."""
    return sum(max(a - ratio * b, 0) for a, b in zip(p, q, strict=True))


def hockey_stick_both(p: Sequence, q: Sequence, ratio):
    """Return the larger hockey stick of the two orders."""
    return max(hockey_stick(p, q, ratio), hockey_stick(q, p, ratio))


def excess_of_coins(k: int, ratio, at):
    """Return the hockey stick of k coins of bias `ratio` : 1 at e^eps = `at`, over all 2^k answers, exactly."""
    total = Fraction(0)
    for lies in map(sum, product((0, 1), repeat=k)):
        p, q = Fraction(ratio) ** (k - lies), Fraction(ratio) ** lies
        total += max(p - at * q, 0)
    return total / (1 + Fraction(ratio)) ** k


def map_exists(source: tuple, target: tuple) -> bool:
    """Say whether a stochastic matrix turns one pair into another: is this linear program feasible?"""
    from scipy.optimize import linprog

    n, m = len(source[0]), len(target[0])
    rows = [np.kron(np.eye(n)[i], np.ones(m)) for i in range(n)]
    laws = [np.kron(np.array(law, dtype=float), np.eye(m)[j]) for law in source for j in range(m)]
    ends = [*np.ones(n), *map(float, [*target[0], *target[1]])]
    return linprog(np.zeros(n * m), A_eq=np.array(rows + laws), b_eq=ends, method="highs").status == 0


def random_law(rng: np.random.Generator, n: int, total: int = 60) -> list[Fraction]:
    """Draw n fractions, some of them perhaps 0, that sum to 1."""
    counts = rng.multinomial(total, rng.dirichlet(np.ones(n)))
    return [Fraction(int(c), total) for c in counts]


def random_map(rng: np.random.Generator, n: int, m: int) -> list[list[Fraction]]:
    """Draw a stochastic n x m matrix of fractions."""
    return [random_law(rng, m) for _ in range(n)]


def push(law: Sequence, matrix: Sequence[Sequence]) -> list:
    """Send a law through a stochastic matrix."""
    return [sum(a * row[j] for a, row in zip(law, matrix, strict=True)) for j in range(len(matrix[0]))]


# ------------------------------------------------------------------------------------------------------- geometry


def hull(points) -> list[tuple]:
    """Return the corners of the convex hull, counter-clockwise; exact for fractions (Andrew's monotone chain)."""
    ordered = sorted(set(map(tuple, points)))
    return _half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1]


def _half_hull(points: list[tuple]) -> list[tuple]:
    corners: list[tuple] = []
    for point in points:
        while len(corners) > 1 and turn(corners[-2], corners[-1], point) <= 0:
            corners.pop()
        corners.append(point)
    return corners


def turn(a, b, c):
    """Return a positive number if a, b, c turn left, a negative one if they turn right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def area(polygon: Sequence):
    """Return the area of a polygon from its corners in order (the shoelace formula)."""
    closed = [*polygon, polygon[0]]
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise(closed))) / 2


def inside(point, polygon: Sequence) -> bool:
    """Say whether a point lies in a convex polygon with corners in counter-clockwise order."""
    return all(turn(a, b, point) >= 0 for a, b in pairwise([*polygon, polygon[0]]))


def cut(polygon: Sequence[tuple], a, b, c) -> list[tuple]:
    """Return the part of a convex polygon with a x + b y >= c (Sutherland and Hodgman)."""
    kept = []
    for (x0, y0), (x1, y1) in pairwise([*polygon, polygon[0]]):
        before, after = a * x0 + b * y0 - c, a * x1 + b * y1 - c
        if before >= 0:
            kept.append((x0, y0))
        if before * after < 0:
            share = before / (before - after)
            kept.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return kept


# ----------------------------------------------------------------------------------- composition, with 50 digits


@lru_cache(maxsize=64)
@mp.workdps(DIGITS)
def binomial_law(eps, k: int) -> tuple:
    """Return P(i of k coins of bias e^eps : 1 fall on the wrong side), i = 0..k; Q is the same law backwards."""
    odds = mp.exp(-mp.mpf(eps))
    law = [(1 + odds) ** -k]
    for i in range(k):
        law.append(law[-1] * (k - i) / (i + 1) * odds)
    return tuple(law)


@mp.workdps(DIGITS)
def optimal_delta(eps, delta, k: int, at):
    """Return KOV's Theorem 3.3 at any epsilon `at`: the sum of P - e^at Q over the losses above it."""
    law, eps, ratio, keep = binomial_law(eps, k), mp.mpf(eps), mp.exp(mp.mpf(at)), (1 - mp.mpf(delta)) ** k
    excess = mp.fsum(law[i] - ratio * law[k - i] for i in range(k + 1) if (k - 2 * i) * eps > at)
    return 1 - keep + keep * excess


@mp.workdps(DIGITS)
def optimal_epsilon(eps, delta, k: int, target):
    """Return the smallest epsilon at a total delta of `target`, reached by some "at most i wrong sides"."""
    law, keep, best = binomial_law(eps, k), (1 - mp.mpf(delta)) ** k, mp.mpf(1)
    p, q = 1 - keep, mp.mpf(0)
    for i in range(k + 1):
        p, q = p + keep * law[i], q + keep * law[k - i]
        best = max(best, (p - mp.mpf(target)) / q)
    return mp.log(best)


@mp.workdps(DIGITS)
def mixed_delta(guarantees: Sequence[tuple], at):
    """Return the optimal delta of a list of (eps, delta) at epsilon `at`, by running through all 2^k answers."""
    eps, at = [mp.mpf(e) for e, _ in guarantees], mp.mpf(at)
    keep = mp.fprod(1 - mp.mpf(d) for _, d in guarantees)
    truth = [
        mp.fsum(s * e for s, e in zip(signs, eps, strict=True)) for signs in product((0, 1), repeat=len(eps))
    ]  # the summed epsilons of the truthful answers
    total = mp.fsum(eps)
    excess = mp.fsum(mp.exp(t) - mp.exp(at + total - t) for t in truth if 2 * t - total > at)
    return 1 - keep + keep * excess / mp.fprod(1 + mp.exp(e) for e in eps)


@mp.workdps(DIGITS)
def inverse(delta_of, target, top):
    """Return the smallest eps in [0, top] with delta_of(eps) <= target, by bisection to 20 digits."""
    low, high, target = mp.mpf(0), mp.mpf(top), mp.mpf(target)
    if delta_of(low) <= target:
        return low
    while high - low > high * mp.mpf(10) ** -20:
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle) > target else (low, middle)
    return high


@mp.workdps(DIGITS)
def sums(guarantees: Sequence[tuple]) -> dict:
    """Return the sums in the closed forms, for a list of (eps, times): of eps, eps^2, and the two drifts."""
    steps = [(mp.mpf(eps), times) for eps, times in guarantees]
    return {
        "eps": mp.fsum(n * e for e, n in steps),
        "square": mp.fsum(n * e**2 for e, n in steps),
        "drift": mp.fsum(n * e * (mp.exp(e) - 1) / (mp.exp(e) + 1) for e, n in steps),
        "old drift": mp.fsum(n * e * (mp.exp(e) - 1) for e, n in steps),
    }


@mp.workdps(DIGITS)
def closed_form(guarantees: Sequence[tuple], slack) -> tuple:
    """Return the three members of the minimum in KOV's equations (7) and (8), for a list of (eps, times)."""
    s, slack = sums(guarantees), mp.mpf(slack)
    second = s["drift"] + mp.sqrt(2 * s["square"] * mp.log(mp.e + mp.sqrt(s["square"]) / slack))
    return s["eps"], second, s["drift"] + mp.sqrt(2 * s["square"] * mp.log(1 / slack))


@mp.workdps(DIGITS)
def old_bound(guarantees: Sequence[tuple], slack):
    """Return the epsilon of Dwork, Rothblum and Vadhan, KOV's equation (4), for a list of (eps, times)."""
    s = sums(guarantees)
    return s["old drift"] + mp.sqrt(2 * s["square"] * mp.log(1 / mp.mpf(slack)))


def delta_by_tails(eps: float, k: int, at: float) -> float:
    """Return the delta of k coins at `at` as a difference of two binomial tails: fast for huge k, but in floats."""
    from scipy.special import bdtr

    last = math.ceil((k - at / eps) / 2) - 1  # the most wrong sides with a loss above `at`
    wrong = 1 / (1 + math.exp(eps))
    return float(bdtr(last, k, wrong) - math.exp(at) * bdtr(last, k, 1 - wrong))


@mp.workdps(DIGITS)
def normal_cdf(x):
    """Return the normal distribution function."""
    return mp.ncdf(mp.mpf(x))


@mp.workdps(DIGITS)
def gaussian_delta(mu, eps):
    """Return the hockey-stick divergence of two normal laws mu standard deviations apart."""
    mu, eps = mp.mpf(mu), mp.mpf(eps)
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


# ------------------------------------------------------------------------------------ Laplace answers, with 50 digits


@mp.workdps(DIGITS)
def laplace_walk(eps, k: int, at) -> tuple:
    """Return P(loss > at) and delta(at) of k Laplace answers: a closed form of alternating signs, for small k.

    With loss = eps (k - 2 y) the two laws are P(dy) = e^(-eps y) b(dy) and Q(dy) = e^(-eps (k - y)) b(dy), and b has
    the Laplace transform 2^-k ((1 + eps/s) + e^-s (1 - eps/s))^k: a sum of shifted powers of y.
    """
    eps, at = mp.mpf(eps), mp.mpf(at)
    end = (k - at / eps) / 2
    starts = [j for j in range(k + 1) if j < end]
    p = mp.fsum(_shifted_powers(k, j, eps, end - j, -1) * mp.exp(-eps * j) for j in starts)
    q = mp.fsum(_shifted_powers(k, j, eps, end - j, +1) * mp.exp(eps * (j - k)) for j in starts)
    return p, p - mp.exp(at) * q


def _shifted_powers(k: int, j: int, eps, u, sign: int):
    """Integrate e^(sign eps v) over [0, u] against the part of b that starts at j, v = y - j."""
    integral, total = sign * mp.expm1(sign * eps * u), mp.mpf(1)  # total: the atom, then the powers one by one
    for m in range(1, k + 1):
        coefficient = sum((-1) ** i * math.comb(j, i) * math.comb(k - j, m - i) for i in range(min(j, m) + 1))
        total += coefficient * integral
        integral = sign * (mp.exp(sign * eps * u) * (eps * u) ** m / mp.factorial(m) - integral)
    return math.comb(k, j) * total / mp.mpf(2) ** k


@mp.workdps(20)
def excess_of_densities(density, shift, eps, cuts: Sequence):
    """Integrate max(f(x) - e^eps f(x - shift), 0), piece by piece between the cuts."""
    ratio = mp.exp(mp.mpf(eps))
    return mp.fsum(
        mp.quad(lambda x: max(density(x) - ratio * density(x - shift), mp.mpf(0)), piece) for piece in pairwise(cuts)
    )


def laplace_density(scale, x):
    """Return the density of Laplace noise, with mpmath's digits."""
    return mp.exp(-abs(x) / mp.mpf(scale)) / (2 * mp.mpf(scale))
