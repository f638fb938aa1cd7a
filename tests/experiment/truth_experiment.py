"""The generalized composition experiment a second time: lists of all views, from the definitions, without dpteach.

Works for fractions and for mpmath numbers alike; floats are taken as the exact numbers they are.
"""

from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod

from mpmath import mp
from truth import events, worst_pair


def kov(eps, delta=0):
    """Return the worst pair of an (eps, delta) guarantee in 60 digits."""
    if eps == float("inf"):
        return (mp.mpf(1), mp.mpf(0)), (mp.mpf(0), mp.mpf(1))
    return worst_pair(mp.exp(mp.mpf(eps)), mp.mpf(delta))


def vectors(k, ones=None):
    """Return all bit vectors of length k, or those whose number of ones is in `ones`."""
    return [b for b in product((0, 1), repeat=k) if ones is None or sum(b) in ones]


def uniform(chosen):
    """Return the uniform law on the chosen vectors."""
    return {b: Fraction(1, len(chosen)) for b in chosen}


def law_of_views(pairs, law):
    """Return the probabilities of all views: sum over b of law(b) prod_i M_i^(b_i)(y_i)."""

    def chance(view, b):
        return prod(pair[bit][y] for pair, bit, y in zip(pairs, b, view, strict=True))

    possible = [[y for y, row in enumerate(zip(*pair, strict=True)) if any(row)] for pair in pairs]
    views = product(*possible)
    return [sum(w * chance(view, b) for b, w in law.items()) for view in views]


def hypothesis_pair(pairs, h0, h1):
    """Return the laws of the view under two laws on vectors."""
    return law_of_views(pairs, h0), law_of_views(pairs, h1)


def delta_at(p, q, ratio):
    """Return sum max(P - ratio Q, 0)."""
    return sum((max(a - ratio * b, 0) for a, b in zip(p, q, strict=True)), 0 * p[0])


def ratio_at(p, q, delta=0):
    """Return the least ratio >= 1 with P(E) <= ratio Q(E) + delta for all E: prefixes of sorted likelihood ratios."""
    rows = [(a, b) for a, b in zip(p, q, strict=True) if a]
    sure = sum((a for a, b in rows if not b), 0 * p[0])
    if sure > delta:
        return mp.inf
    best, over, under = 1, sure - delta, 0 * p[0]
    for a, b in sorted(((a, b) for a, b in rows if b), key=lambda row: row[0] / row[1], reverse=True):
        over, under = over + a, under + b
        best = max(best, over / under)
    return best


def views_by_count(k, pair, counts):
    """Return the chances of the views with m second answers, added up: the coefficients of sum_j h_j u^j v^(k-j).

    `pair` has two outcomes. Horner's rule on polynomials in 60 digits.
    """
    (v0, v1), (u0, u1) = ([as_mp(x) for x in side] for side in pair)
    power, total = [mp.mpf(1)], [as_mp(counts[k])]
    for j in range(k - 1, -1, -1):
        power = times_linear(power, v0, v1)
        total = times_linear(total, u0, u1)
        weight = as_mp(counts[j])
        total = [t + weight * x for t, x in zip(total, power, strict=True)] if weight else total
    return total


def times_linear(coefficients, c0, c1):
    """Return the coefficients of a polynomial times (c0 + c1 z)."""
    padded = [mp.mpf(0), *coefficients, mp.mpf(0)]
    return [c0 * here + c1 * below for below, here in pairwise(padded)]


def as_mp(x):
    """Return a float, an integer or a fraction as a 60-digit number."""
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


def binomial_counts(k, low, high):
    """Return the law of the number of ones of the uniform law on the vectors with low to high ones."""
    chosen = [comb(k, j) if low <= j <= high else 0 for j in range(k + 1)]
    return [Fraction(c, sum(chosen)) for c in chosen]


def nonzero_pair(eps, delta, k, most=60):
    """Return the views' laws for 00...0 and for the uniform law on all other vectors, at most `most` open zeros.

    All vectors together make each round a fair coin between its two laws; 00...0 is then taken out again:
    P_nz = (2^k U - P_0) / (2^k - 1). An open one is impossible under 00...0; all views with one are one row.
    """
    (d, big, small, _), _ = kov(eps, delta)
    fair, n = (big + small) / 2, mp.mpf(2) ** k
    p, q = [], []
    for s in range(min(most, k) + 1 if delta else 1):
        for m in range(k - s + 1):
            ways = comb(k, s) * comb(k - s, m)
            zero = d**s * big ** (k - s - m) * small**m
            p.append(ways * zero)
            q.append(ways * (n * (d / 2) ** s * fair ** (k - s) - zero) / (n - 1))
    if delta:
        p.append(mp.mpf(0))
        q.append(n * (1 - (1 - d / 2) ** k) / (n - 1))
    return p, q


def least_transport(p, q, cost):
    """Return the least sum of weight * cost over all couplings, by trying every spanning forest of pairs."""
    n, m = len(p), len(q)
    cells, best = [(i, j) for i in range(n) for j in range(m)], None
    for chosen in events(len(cells)):
        if len(chosen) != n + m - 1:
            continue
        coupling = on_tree([cells[c] for c in chosen], list(p), list(q))
        if coupling and min(coupling.values()) >= 0:
            value = sum(w * cost[i][j] for (i, j), w in coupling.items())
            best = value if best is None else min(best, value)
    return best


def on_tree(edges, p, q):
    """Return the weights on a spanning tree of pairs that give both margins, or None if the pairs are no tree."""
    weights = {}
    while edges:
        for i, j in edges:
            row, column = sum(a == i for a, _ in edges) == 1, sum(b == j for _, b in edges) == 1
            if row or column:
                weights[i, j] = w = p[i] if row else q[j]
                p[i], q[j] = p[i] - w, q[j] - w
                edges = [e for e in edges if e != (i, j)]
                break
        else:
            return None
    return None if any(p) or any(q) else weights
