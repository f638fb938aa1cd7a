"""The same quantities a second time, straight from their definitions and without dpteach.

Floats are taken as the exact numbers they are; results are exact fractions or 60-digit mpmath numbers.
Slow and short on purpose: nothing here shares a formula's evaluation with the library.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from math import prod

import numpy as np
from mpmath import mp

mp.dps = 60
BITS = 512  # of the fixed-point sums below


# Finite pairs, exactly


def events(n):
    """Return every subset of range(n)."""
    return chain.from_iterable(combinations(range(n), size) for size in range(n + 1))


def delta_by_events(p, q, ratio):
    """Return max over all 2^n events E of P(E) - ratio Q(E)."""
    return max(sum(p[i] for i in e) - ratio * sum(q[i] for i in e) for e in events(len(p)))


def hockey_stick(p, q, ratio):
    """Return sum max(P - ratio Q, 0)."""
    return sum(max(a - ratio * b, 0) for a, b in zip(p, q, strict=True))


def worst_pair(ratio, delta=0):
    """Return KOV's four-outcome pair of an (log ratio, delta) guarantee, from fractions."""
    big, small = (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)
    return (delta, big, small, 0 * delta), (0 * delta, small, big, delta)


def product_pair(pairs):
    """Return the product of pairs, one outcome for every tuple of outcomes."""
    return tuple([prod(c) for c in product(*(pair[side] for pair in pairs))] for side in (0, 1))


def ratio_by_events(p, q, delta):
    """Return the smallest ratio >= 1 with P(E) <= ratio Q(E) + delta for every event E, or infinity."""
    best = Fraction(1)
    for e in events(len(p)):
        a, b = sum(p[i] for i in e), sum(q[i] for i in e)
        if a > delta + best * b:
            if b == 0:
                return float("inf")
            best = (a - delta) / b
    return best


def renyi(p, q, alpha):
    """Return the Rényi divergence of order alpha from its definition, for p and q without zeros."""
    p, q = [mp.mpf(x) for x in p], [mp.mpf(x) for x in q]
    if alpha == 1:
        return mp.fsum(a * mp.log(a / b) for a, b in zip(p, q, strict=True))
    if alpha == mp.inf:
        return mp.log(max(a / b for a, b in zip(p, q, strict=True)))
    return mp.log(mp.fsum(a**alpha * b ** (1 - alpha) for a, b in zip(p, q, strict=True))) / (alpha - 1)


def convex_hull(points):
    """Return the vertices of the convex hull, exact for fractions (Andrew's monotone chain)."""
    points = sorted(set(points))

    def half(points):
        chain = []
        for x, y in points:
            while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1]) <= (
                chain[-1][1] - chain[-2][1]
            ) * (x - chain[-2][0]):
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return half(points) + half(points[::-1])


# The optimal composition


def combine(deltas, rest):
    """Return 1 - prod(1 - delta_i) (1 - rest) without cancellation; deltas is a list of (delta, times)."""
    with mp.workprec(2400):  # enough for 1 - delta to be exact
        certain = 1 - mp.fprod((1 - mp.mpf(d)) ** times for d, times in deltas)
    return min(certain + (1 - certain) * rest, mp.mpf(1))


def optimal_delta(eps, delta, k, at):
    """Return Theorem 3.3's delta for k mechanisms, each (eps, delta), at epsilon `at` (may be infinite)."""
    eps, at = mp.mpf(eps), mp.mpf(at)
    last = -1 if at >= k * eps else min(int(mp.ceil((k - at / eps) / 2)) + 1, k)
    while last >= 0 and (k - 2 * last) * eps <= at:  # the last l with (k - 2l) eps > at
        last -= 1
    return combine([(delta, k)], pure_sum(eps, k, at, last) if last >= 0 else mp.mpf(0))


def pure_sum(eps, k, at, last):
    """Sum w_l (1 - e^(at - (k-2l) eps)) over l <= last, w the binomial weights, from the largest term out."""
    x = mp.exp(eps)
    start = min(last, int(k / (1 + x)))
    one, grow, fall, shrink = 1 << BITS, fixed(x), fixed(1 / x), fixed(mp.exp(-2 * eps))
    gaps = [fixed(mp.exp(at - (k - 2 * last) * eps))]  # e^(at - (k-2l) eps) for l = last, last - 1, ..., start
    while gaps[-1] and len(gaps) <= last - start:
        gaps.append(gaps[-1] * shrink >> BITS)
    gap = gaps[-1] if len(gaps) > last - start else 0
    total, weight = one * (one - gap), one
    for j in range(start, 0, -1):
        weight = (weight * j // (k - j + 1)) * grow >> BITS
        gap = gap * shrink >> BITS
        total += weight * (one - gap)
        if not weight >> 100:
            break
    weight = one
    for j in range(start, last):
        weight = (weight * (k - j) // (j + 1)) * fall >> BITS
        below = last - j - 1
        total += weight * (one - (gaps[below] if below < len(gaps) else 0))
        if not weight >> 100:
            break
    with mp.workdps(90):
        log_weight = mp.loggamma(k + 1) - mp.loggamma(start + 1) - mp.loggamma(k - start + 1)
        log_weight += (k - start) * eps - k * mp.log1p(x)
        return mp.exp(log_weight) * mp.ldexp(mp.mpf(total), -2 * BITS)


def fixed(value):
    """Return value as an integer multiple of 2^-BITS."""
    with mp.workprec(2 * BITS):
        return int(mp.floor(mp.ldexp(value, BITS)))


def losses(epsilons):
    """Return {exact privacy loss: probability} of one randomized response per epsilon."""
    law = {Fraction(0): mp.mpf(1)}
    for eps in epsilons:
        step, likely = Fraction(eps), 1 / (1 + mp.exp(-mp.mpf(eps)))
        new = defaultdict(lambda: mp.mpf(0))
        for loss, mass in law.items():
            new[loss + step] += mass * likely
            new[loss - step] += mass * (1 - likely)
        law = new
    return law


def mixed_delta(guarantees, at, law=None):
    """Return the optimal delta of a list of (eps, delta) by enumerating losses; pass `law` to reuse it."""
    law = losses([eps for eps, _ in guarantees]) if law is None else law
    at = Fraction(at)
    pure = mp.fsum(-m * mp.expm1(quotient(at - loss)) for loss, m in law.items() if loss > at)
    return combine([(d, 1) for _, d in guarantees], pure)


def quotient(fraction):
    """Return a fraction as an mpmath number."""
    return mp.mpf(fraction.numerator) / fraction.denominator


def contour_delta(epsilons, at, nodes=80):
    """Return the optimal delta of many pure mechanisms with generic epsilons by an inverse Laplace transform.

    delta = E max(1 - e^(at - L), 0) = integral of E e^(sL) e^(-s at) / (s (s+1)) ds / 2 pi i on Re s = c > 0.
    """
    with mp.workdps(30):
        eps = [mp.mpf(e) for e in epsilons]
        spread = mp.sqrt(mp.fsum(e**2 for e in eps))
        c = max((at - mp.fsum(e * mp.tanh(e / 2) for e in eps)) / spread**2, 1 / spread)
        h = mp.mpf(12) / spread / nodes
        norm = mp.fsum(mp.log(mp.cosh(e / 2)) for e in eps)

        def integrand(t):
            s = mp.mpc(c, t)
            moment = mp.fsum(mp.log(mp.cosh(e * (s + 0.5))) for e in eps)
            return (mp.exp(moment - norm - s * at) / (s * (s + 1))).real

        return h / mp.pi * (integrand(0) / 2 + mp.fsum(integrand(j * h) for j in range(1, nodes)))


def contour_delta_of_very_many(epsilons, at, nodes=400):
    """Return the same integral for thousands of mechanisms, in complex floats: about ten digits."""
    eps = np.asarray(epsilons)
    spread = np.sqrt(np.sum(eps**2))
    c = max((at - np.sum(eps * np.tanh(eps / 2))) / spread**2, 1 / spread)
    h = 12 / spread / nodes
    total = 0.0
    for j in range(nodes):
        s = complex(c, j * h)
        moment = np.sum(np.log(np.cosh(eps * (s + 0.5))) - np.log(np.cosh(eps / 2)))
        total += (0.5 if j == 0 else 1.0) * (np.exp(moment - s * at) / (s * (s + 1))).real
    return h / np.pi * total


def inverse(delta_of, target, top):
    """Return the smallest eps in [0, top] with delta_of(eps) <= target, to 40 digits by bisection."""
    low, high = mp.mpf(0), mp.mpf(top)
    if delta_of(low) <= target:
        return low
    if delta_of(high) > target:
        return mp.inf
    while high - low > high * mp.mpf(10) ** -40:
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle) > target else (low, middle)
    return high


def optimal_epsilon(eps, delta, k, target):
    """Return the smallest epsilon whose optimal delta is at most target."""
    return inverse(lambda e: optimal_delta(eps, delta, k, e), target, k * mp.mpf(eps))


# The closed-form theorems, `groups` a list of (eps, delta, times)


def moments(groups):
    """Return sum eps, sum eps^2, sum eps tanh(eps/2) and sum eps (e^eps - 1)."""
    eps = [(mp.mpf(e), times) for e, _, times in groups]
    return (
        mp.fsum(n * e for e, n in eps),
        mp.fsum(n * e**2 for e, n in eps),
        mp.fsum(n * e * mp.tanh(e / 2) for e, n in eps),
        mp.fsum(n * e * mp.expm1(e) for e, n in eps),
    )


def advanced(groups, slack):
    """Return Dwork-Rothblum-Vadhan's epsilon, KOV Theorem 3.2."""
    _, square, _, drift = moments(groups)
    return drift + mp.sqrt(2 * square * mp.log(1 / mp.mpf(slack)))


def concentrated(groups, slack):
    """Return the epsilon of Steinke's advanced composition, through concentrated differential privacy."""
    square = moments(groups)[1]
    return square / 2 + mp.sqrt(2 * square * mp.log(1 / mp.mpf(slack)))


def kov_members(groups, slack):
    """Return the three members of the minimum in KOV Theorems 3.4 and 3.5."""
    total, square, drift, _ = moments(groups)
    slack = mp.mpf(slack)
    second = drift + mp.sqrt(2 * square * mp.log(mp.e + mp.sqrt(square) / slack))
    return total, second, drift + mp.sqrt(2 * square * mp.log(1 / slack))


def sharper(groups, slack):
    """Return min(sum eps, drift + mu t), t the root of e^(-t^2/2) mu/(mu+t) = slack."""
    total, square, drift, _ = moments(groups)
    mu = mp.sqrt(square)

    def excess(t):
        return mp.exp(-t * t / 2) * mu / (mu + t)

    top = mp.sqrt(2 * mp.log(1 / mp.mpf(slack))) if slack < 1 else mp.mpf(0)
    return min(total, drift + mu * inverse(excess, mp.mpf(slack), top))


# Noise


def gaussian_delta(mu, eps):
    """Return the hockey-stick divergence of N(0, 1) and N(mu, 1)."""
    mu, eps = mp.mpf(mu), mp.mpf(eps)
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


def delta_of_density(density, shift, eps, cuts):
    """Integrate max(f(x) - e^eps f(x - shift), 0) piecewise between the cuts."""
    ratio = mp.exp(mp.mpf(eps))
    return mp.fsum(
        mp.quad(lambda x: max(density(x) - ratio * density(x - shift), mp.mpf(0)), [a, b]) for a, b in pairwise(cuts)
    )


def staircase_height(x, eps, gamma):
    """Return the density of unit-sensitivity staircase noise: steps of width gamma and 1 - gamma."""
    x, b = abs(mp.mpf(x)), mp.exp(-mp.mpf(eps))
    steps = int(mp.floor(x)) + (x - mp.floor(x) >= gamma)
    return (1 - b) / (2 * (gamma + b * (1 - gamma))) * b**steps
