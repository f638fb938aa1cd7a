"""Claims of Kairouz, Oh and Viswanath, section 1: the definition, and the orders of the bounds."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from ... import Guarantee, Pair, Table, composition, mechanisms, optimal
from ..entries import ASYMPTOTIC, CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import random_pairs


@claim("KOV-Def-1.1", verdict=DEFINITION, where="Definition 1.1", title="Differential privacy")
def differential_privacy():
    r"""A mechanism is $(\varepsilon,\delta)$-private if, for neighbouring databases and any set $S$ of outputs, the
    chance of landing in $S$ on one is at most $e^{\varepsilon}$ times that on the other, plus $\delta$.

    Neighbours come in both orders, so both are tried. The worst $S$ collects the outputs with
    $P > e^{\varepsilon} Q$: the least $\delta$ is $\sum_y \max(P(y) - e^{\varepsilon} Q(y), 0)$.
    """
    rng = np.random.default_rng(1)
    for p, q in random_pairs(rng, 30, 5):
        ratio, delta = 1 + Fraction(int(rng.integers(30)), 10), Fraction(int(rng.integers(20)), 100)
        pair, inexact = Pair(p, q), Pair([float(x) for x in p], [float(x) for x in q])
        forth, back = reference.delta_by_events(p, q, ratio), reference.delta_by_events(q, p, ratio)
        ensure(pair.delta(ratio=ratio, direction="pq") == forth, "the hockey stick is the worst event")
        ensure(pair.delta(ratio=ratio) == max(forth, back), "both orders count")
        ensure(pair.ratio(delta, "pq") == reference.ratio_by_events(p, q, delta), "the inverse agrees")
        ensure(abs(inexact.delta(math.log(ratio)) - max(forth, back)) < 1e-14, "floats agree with fractions")
    coin = mechanisms.randomized_response(ratio=3)
    rows = [(r, coin.delta(ratio=r), reference.delta_by_events([*coin.p], [*coin.q], r)) for r in (1, 2, 3)]
    ensure([row[1:] for row in rows] == [(Fraction(x, 4),) * 2 for x in (2, 1, 0)], "1/2, 1/4 and 0")
    return Table(rows, ["e^eps", "least delta", "worst of all events"])


@claim("KOV-Intro-Basic", verdict=HOLDS, where="Section 1", title="Losses add up: the routine bound")
def routine_bound():
    r"""$k$ queries that are each $(\varepsilon,\delta)$-private are $(k\varepsilon, k\delta)$-private together, by a
    routine argument.

    That is Theorem 3.1 for equal mechanisms. In electronic copies of the text the first $\varepsilon$ gets lost; the
    fifth column shows that it is needed.
    """
    rows = []
    for k, eps, delta in ((1, 2.0, 0.0), (2, 3.0, 0.01), (4, 2.5, 0.001)):
        worst = optimal(Guarantee(eps, delta), k=k)
        at_k, at_sum = worst.delta(float(k)), worst.delta(k * eps)
        ensure(close(at_k, reference.mixed_delta([(eps, delta)] * k, k)), "the library agrees with the enumeration")
        ensure(close(at_sum, 1 - (1 - delta) ** k), "the exact delta at k eps")
        ensure(at_sum <= composition.basic(Guarantee(eps, delta), k).delta, "with its epsilon the bound holds")
        ensure(at_k > k * delta, "without its epsilon it would not hold")
        rows.append((k, eps, delta, k * delta, at_k, at_sum + 0.0))
    ensure(close(rows[0][4], 0.55676994114593974427), "(e^2 - e) / (1 + e^2)")
    return Table(rows, ["k", "eps", "delta", "k delta", "exact at eps' = k", "exact at eps' = k eps"])


@claim(
    "KOV-Intro-OldOrder",
    verdict=ASYMPTOTIC,
    where="Section 1",
    title="The previous bound grows with the root of log(1/delta)",
)
def order_of_the_old_bound():
    r"""The earlier bound of Dwork, Rothblum and Vadhan grows like
    $k\varepsilon^2 + \varepsilon\sqrt{k\log(1/\tilde\delta)}$.

    True for bounded $\varepsilon$: up to $\varepsilon = 1$ the constant is at most $e - 1$. It is not uniform: the
    bound contains $e^{\varepsilon} - 1$, and for large $\varepsilon$ it outgrows any multiple.
    """
    rows = []
    for eps in (1e-3, 0.1, 0.5, 1.0, 5.0, 20.0):
        ratios = []
        for k, slack in product((1, 100, 10**4, 10**6), (1e-12, 1e-6, 0.1)):
            told = composition.advanced(Guarantee(eps), slack, k).epsilon
            ensure(close(told, reference.old_bound([(eps, k)], slack)), "equation (4)")
            ratios.append(told / (k * eps**2 + eps * math.sqrt(k * math.log(1 / slack))))
        rows.append((eps, min(ratios), max(ratios)))
    ensure(all(high <= math.e - 1 for eps, _, high in rows if eps <= 1), "constant e - 1 up to eps = 1")
    ensure(rows[-1][2] > 2.4e7, "no constant for large eps")
    return Table(rows, ["eps", "least ratio to the order", "largest ratio"])


@claim(
    "KOV-Intro-NewOrder",
    verdict=ASYMPTOTIC,
    where="Section 1",
    title="The new bound grows with the root of log(e + eps sqrt(k)/delta)",
)
def order_of_the_new_bound():
    r"""The new bound grows like $k\varepsilon^2 + \varepsilon\sqrt{k\log(e + \varepsilon\sqrt k/\tilde\delta)}$.

    It does, with the constant $\sqrt2$ and for every $\varepsilon$, because $\tanh(\varepsilon/2) \le \varepsilon/2$.
    """
    rows = []
    for eps in (1e-4, 0.01, 0.1, 1.0, 5.0, 20.0):
        second, whole = [], []
        for k, slack in product((1, 100, 10**4, 10**6), (1e-12, 1e-6, 0.1)):
            order = k * eps**2 + eps * math.sqrt(k * math.log(math.e + eps * math.sqrt(k) / slack))
            second.append(float(reference.closed_form([(eps, k)], slack)[1]) / order)
            whole.append(composition.kov_closed_form(Guarantee(eps), slack, k).epsilon / order)
        ensure(np.all(np.array(whole) <= np.array(second) * (1 + 1e-12)), "at most its second member")
        rows.append((eps, max(whole), max(second)))
    ensure(1.41 < max(row[2] for row in rows) <= math.sqrt(2), "constant sqrt(2)")
    return Table(rows, ["eps", "largest ratio, whole minimum", "largest ratio, second member"])


@claim("KOV-Intro-Regime", verdict=CORRECTED, where="Section 1", title="The new bound gains a logarithmic factor")
def logarithmic_gain():
    r"""When $\tilde\delta$ is of order $k\delta$ and $\varepsilon$ of order $\sqrt k\,\delta$, the new bound is said to
    be better by a logarithmic factor.

    The gain in $\tilde\varepsilon$ is the square root of that factor,
    $\sqrt{\log(1/\tilde\delta)/\log(e + \varepsilon\sqrt k/\tilde\delta)}$. And with constants of 1 there is nothing to
    gain: $\tilde\delta$ exceeds the total variation, so the exact $\tilde\varepsilon$ is 0.
    """
    k, rows = 10**4, []
    for slack in (1e-3, 1e-6, 1e-9, 1e-12):
        coin = Guarantee(slack / math.sqrt(k))
        old, new = composition.advanced(coin, slack, k).epsilon, composition.kov_closed_form(coin, slack, k).epsilon
        exact = optimal(coin, k=k).epsilon(slack)
        gain = math.sqrt(math.log(1 / slack) / math.log(math.e + 1))
        ensure(close(old / new, gain, 1e-3), "the square root of a logarithm")
        ensure(exact == 0, "nothing is left to be gained")
        rows.append((slack, old / new, gain, exact))
    gains = (2.2933782803, 3.2434542833, 3.9724044683, 4.5869375789)
    ensure(all_close([row[1] for row in rows], gains, 1e-9), "the four gains")
    distance = float(reference.optimal_delta(1e-5, 0, k, 0))
    ensure(close(distance, 0.3989 * 1e-3, 1e-3) and distance < 1e-3, "total variation about 0.3989 sqrt(k) eps")
    return Table(rows, ["slack = sqrt(k) eps", "old / new", "square root of the logarithm", "exact epsilon"])


@claim(
    "KOV-Intro-StrictImprovement", verdict=HOLDS, where="Section 1", title="The new bound is always strictly smaller"
)
def strict_improvement():
    r"""The new bound is strictly smaller than that of Dwork, Rothblum and Vadhan, always.

    Already its third member is: the two differ only in the drift, where $\tanh(\varepsilon/2)$ stands in place of
    $e^{\varepsilon} - 1$.
    """
    rng, rows = np.random.default_rng(6), []
    for _ in range(60):
        k, eps, slack = int(10 ** rng.uniform(0, 6)), 10 ** rng.uniform(-6, 1.5), 10 ** rng.uniform(-12, 0)
        third, old = reference.closed_form([(eps, k)], slack)[2], reference.old_bound([(eps, k)], slack)
        ensure(third < old, "the third member is smaller")
        new = composition.kov_closed_form(Guarantee(eps), slack, k).epsilon
        between = composition.concentrated(Guarantee(eps), slack, k).epsilon
        ensure(new <= third * (1 + 1e-12) and new <= between * (1 + 1e-12), "new below the post's bound")
        ensure(between <= old * (1 + 1e-12), "which is below the old one")
    for k, eps, slack in ((30, 0.1, 1e-5), (100, 0.1, 1e-6), (1000, 0.01, 1e-3)):
        bounds = [f(Guarantee(eps), slack, k).epsilon for f in (composition.advanced, composition.kov_closed_form)]
        rows.append((k, eps, slack, *map(float, bounds), float(reference.optimal_epsilon(eps, 0, k, slack))))
    ensure(close(rows[0][3], 2.943773639105409) and close(rows[0][4], 2.7085062460458538), "the example of k = 30")
    ensure(all(row[3] > row[4] > row[5] for row in rows), "old, new, exact")
    return Table(rows, ["k", "eps", "slack", "before", "new closed form", "exact"])
