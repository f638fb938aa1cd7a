"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: approximate privacy and groups (section VI-A).

Every theorem is tried on small worlds in which everything can be computed at all pairs of databases: by
`dpteach.granularity` and `dpteach.notions`, and a second time from the definitions (all events, all orders, all paths).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from mpmath import mp

from ... import Table
from ...granularity import (
    DatabaseClass,
    Granularity,
    PrivacySpace,
    bounded,
    free_lunch,
    unbounded,
)
from ...notions import (
    Approximate,
    FiniteMechanism,
    group_delta,
    group_factor,
    vacuous_from,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as hand
from ..reference.basics import all_close, close, delta_by_events
from .worlds import LOG2, RECORDS, SMALL, matrix, same, two


@claim("GMPS-Def-VI.1", verdict=DEFINITION, where="Definition VI.1", title="Approximate privacy for any neighbours")
def approximate_privacy():
    r"""$\mathcal M$ is $\mathcal G$ $(\varepsilon,\delta)$-DP if $P(\mathcal M(D)\in S)\le e^{\varepsilon}P(\mathcal
    M(D')\in S)+\delta$ for all events $S$ and all $\mathcal G$-neighbours, in both orders.

    The databases are those of the class on which neighbours are defined (the definition names all multisets instead).
    From $\delta=1$ on nothing is promised: printing $D$ itself needs exactly that.
    """
    rng, rows = np.random.default_rng(1), []
    laws = hand.random_laws(rng, RECORDS.databases, 3, zeros=0.1)
    noisy, loud = FiniteMechanism(RECORDS, laws), FiniteMechanism.printing(RECORDS)
    for granularity, related in ((unbounded, hand.added), (bounded, hand.replaced), (free_lunch, hand.anything)):
        pairs, worst = hand.related_pairs(RECORDS.databases, related), noisy.worst(granularity.on(RECORDS))
        told = [worst.delta(ratio=ratio) for ratio in (1, 2, 8)]
        exact = [max(delta_by_events(*two(laws, *pair), ratio) for pair in pairs) for ratio in (1, 2, 8)]
        ensure(told == exact, "the worst event of the worst neighbours")
        raw = loud.worst(granularity.on(RECORDS)).delta(ratio=10**9)
        ensure(raw == 1, "printing D has delta = 1 at any eps")
        rows.append((granularity.name, len(pairs) // 2, *map(float, told), raw))
    ensure([row[1] for row in rows] == [12, 6, 45], "12, 6 and 45 pairs")
    return Table(rows, ["neighbours", "pairs", "delta at e^eps = 1", "at 2", "at 8", "printing D, at 1e9"])


@claim("GMPS-Def-VI.2", verdict=DEFINITION, where="Definition VI.2", title="Approximate privacy over a metric")
def approximate_privacy_over_a_metric():
    r"""$(d,\delta)$-privacy: $P(\mathcal M(D)\in S)\le e^{d(D,D')}P(\mathcal M(D')\in S)+\delta(D,D')$ for all pairs of
    databases, where $\delta$ is any function of the pair; with $\delta=0$ it is $d$-privacy.

    $\delta$ need not be symmetric: a record that is shouted out with some probability is seen in one order only. Each
    of the least $\delta(D,D')$ is needed: a promise of less is broken at that pair.
    """
    databases, shout = ["none", "one", "two"], Fraction(1, 10)
    laws = {D: {"quiet": (1 - shout) ** n, "loud": 1 - (1 - shout) ** n} for n, D in enumerate(databases)}
    space, mechanism = PrivacySpace(databases, lambda D, E: float(D != E)), FiniteMechanism(databases, laws)
    exact = {(D, E): delta_by_events(*two(laws, D, E), 2 if D != E else 1) for D, E in product(databases, repeat=2)}
    least, rows = matrix(exact, databases), []
    ensure(mechanism.keeps(Approximate(space, LOG2, least)), "the least deltas are kept")
    ensure(same(mechanism.deltas(ratio=2 ** space.matrix.astype(int)), least), "the library finds them")
    for D, E in product(databases, repeat=2):
        i, j = databases.index(D), databases.index(E)
        less = np.where((np.arange(3)[:, None] == i) & (np.arange(3) == j), least * 0.99, least)
        broken = mechanism.broken(Approximate(space, LOG2, less))
        ensure(broken == ((D, E) if exact[D, E] else None), "less is broken at this pair")
        rows += [(D, E, exact[D, E], exact[E, D])] if D < E else []
    ensure(exact["two", "none"] == Fraction(19, 100) and exact["none", "two"] == 0, "19/100 and 0")
    steps = unbounded.on(DatabaseClass.multisets("ab", at_most=1))
    pure = FiniteMechanism.attaining(steps, ratio=2)
    ensure(pure.keeps(Approximate(steps, LOG2, 0)), "delta = 0 is d-privacy")
    ensure(not pure.keeps(Approximate(steps, 0.99 * LOG2, 0)), "and as strict")
    return Table(rows, ["D", "D'", "delta(D, D')", "delta(D', D)"])


@claim("GMPS-Def-bracket", verdict=DEFINITION, where="Section VI-A", title="How delta grows with the distance")
def how_delta_grows():
    r"""$[d]_\varepsilon=(e^{\varepsilon d}-1)/(e^{\varepsilon}-1)$, which for whole distances is the sum
    $1+e^{\varepsilon}+\dots+e^{(d-1)\varepsilon}$.

    At $\varepsilon=0$ the formula is $0/0$; the sum says $[d]_0=d$, and so does the limit. It is convex:
    $[a]_\varepsilon+[b]_\varepsilon\le[a+b]_\varepsilon=[a]_\varepsilon+e^{\varepsilon a}[b]_\varepsilon$.
    """
    rows = []
    for eps in (0.0, 1e-9, 0.1, 1.0):
        sums = [mp.fsum(mp.exp(mp.mpf(eps) * t) for t in range(d)) for d in (1, 2, 5, 13)]
        told = group_factor(np.array([1, 2, 5, 13]), eps)
        ensure(all_close(told, sums, 1e-13), "the sum")
        ensure(all(t >= s for t, s in zip(told, sums, strict=True)), "rounded up")
        for a, b in product((1, 2, 5), repeat=2):
            whole = group_factor(a, eps) + math.exp(eps * a) * group_factor(b, eps)
            ensure(close(group_factor(a + b, eps), whole), "of a sum")
            ensure(group_factor(a, eps) + group_factor(b, eps) <= whole, "convex")
        rows.append((eps, *map(float, told)))
    ensure(close(rows[3][2], 1 + math.e) and close(rows[3][4], 257474, 1e-5), "3.71828 and 257474")
    half = mp.expm1(mp.mpf(1) / 2) / mp.expm1(1)
    ensure(close(group_factor(0.5, 1), half) and group_factor(math.inf, 0) == math.inf, "any distance")
    return Table(rows, ["eps", "d = 1", "d = 2", "d = 5", "d = 13"])


@claim(
    "GMPS-Thm-VI.3",
    verdict=CORRECTED,
    where="Theorem VI.3",
    title="Groups cost epsilon d and delta times the bracket of d",
)
def approximate_group_privacy():
    r"""$\mathcal G$ $(\varepsilon,\delta)$-DP for neighbours is the same as $(\varepsilon
    d^{\mathcal G},\,\delta[d^{\mathcal G}]_\varepsilon)$-privacy for all pairs.

    With $[d]_0=d$ and $0\cdot\infty=\infty$. A chain of coins attains $\delta[n]_\varepsilon$ as long as that is small;
    beyond, the exact worst case comes from $F(p)=\min(e^{\varepsilon}p+\delta,\;1-e^{-\varepsilon}(1-\delta-p),\;1)$,
    applied $n$ times to 0, and a linear program over all coins finds the same.
    """
    rows, ratio, delta = [], Fraction(3), Fraction(1, 1000)
    for n in (1, 2, 4, 6, 7, 8, 9):
        promised, exact = delta * sum(ratio**t for t in range(n)), group_delta(n, ratio=ratio, delta=delta)
        chain = FiniteMechanism.chain(n, ratio, delta)
        heads = [chain.law(step).get("heads", 0) for step in range(n + 1)]
        coins = [[p, 1 - p] for p in heads]
        ensure(all(reference.is_private(*steps, ratio, delta) for steps in pairwise(coins)), "one step")
        ensure(delta_by_events(coins[n], coins[0], ratio**n) == exact, "the ends")
        ensure(close(worst_coins(n, float(ratio), float(delta)), exact, 1e-6), "the linear program")
        ensure(exact <= promised and (exact == promised) == (n <= 6), "attained up to n = 6")
        rows.append((n, promised, exact, float(exact)))
    ensure(rows[-1][2] == Fraction(26377, 27000), "26377/27000")
    groups_in_random_spaces()
    line = Granularity([(n, n + 1) for n in range(5)]).on(range(6))
    even = FiniteMechanism.chain(5, Fraction(1), Fraction(1, 10)).deltas(ratio=1)
    ensure(same(even, Approximate(line, 0, 0.1).deltas) and even[5, 0] == Fraction(1, 2), "[d]_0 = d")
    sizes, cls = FiniteMechanism.printing(RECORDS, len), bounded.on(RECORDS)
    ensure(sizes.worst(cls).delta(ratio=1) == 0 and sizes.keeps(Approximate(cls, 0, 0)), "0 * inf = inf")
    return Table(rows, ["steps n", "delta [n], e^eps = 3, delta = 1/1000", "exact worst case", "as a float"])


def groups_in_random_spaces() -> None:
    """Try the theorem on random mechanisms with random neighbours, at all pairs."""
    rng, ratio = np.random.default_rng(2), Fraction(3, 2)
    for _ in range(12):
        edges, laws = hand.random_graph(rng, 5), hand.random_laws(rng, range(5), 3, 0.2)
        steps = hand.steps(range(5), edges)
        delta = max((delta_by_events(*two(laws, D, E), ratio) for D, E in edges), default=Fraction(0))
        promise = Approximate(Granularity(edges).on(range(5)), math.log(ratio), float(delta))
        ensure(FiniteMechanism(range(5), laws).keeps(promise), "kept at all pairs")
        for D, E in product(range(5), repeat=2):
            if steps[D, E] < math.inf:
                told = delta * sum(ratio**t for t in range(steps[D, E]))
                ensure(same(promise.deltas[D, E], told), "delta [d]")
                ensure(delta_by_events(*two(laws, D, E), ratio ** steps[D, E]) <= told, "kept, exactly")


def worst_coins(n: int, ratio: float, delta: float) -> float:
    """Return the largest p_n - ratio^n p_0 of coins p_0, ..., p_n with private steps, by a linear program."""
    from scipy.optimize import linprog

    rows, ends = [], []
    for i, j in [(i, i + 1) for i in range(n)] + [(i + 1, i) for i in range(n)]:
        heads = np.eye(n + 1)[i] - ratio * np.eye(n + 1)[j]
        rows, ends = [*rows, heads, -heads], [*ends, delta, delta - 1 + ratio]
    goal = ratio**n * np.eye(n + 1)[0] - np.eye(n + 1)[n]
    return -linprog(goal, A_ub=np.array(rows), b_ub=ends, bounds=(0, 1), method="highs").fun


@claim(
    "GMPS-Text-d13",
    verdict=HOLDS,
    where="After Theorem VI.3",
    title="At thirteen steps nothing is promised",
    kind="number",
)
def nothing_left_at_thirteen():
    r"""For $\varepsilon=1$ and $\delta=10^{-5}$ the promise $\delta[d]_\varepsilon$ exceeds 1 from distance 13 on.

    The exact point is $\log(10^5(e-1)+1)=12.0543$. That the promise says nothing does not mean that nothing is left:
    the worst mechanism has $\delta=0.9118$ at thirteen steps, and reaches 1 at 23.
    """
    rows, p = [], mp.mpf(0)
    promised = Approximate(Granularity([(n, n + 1) for n in range(24)]).on(range(25)), 1, 1e-5).deltas[0]
    for d in range(1, 25):
        p = min(mp.e * p + mp.mpf(SMALL), 1 - (1 - mp.mpf(SMALL) - p) / mp.e, mp.one)
        exact = float(SMALL) * mp.fsum(mp.exp(t) for t in range(d))
        ensure(close(promised[d], exact) and (exact > 1) == (d >= 13), "above 1 from 13 on")
        ensure(close(group_delta(d, 1, 1e-5), p, 1e-11) and (p == 1) == (d >= 23), "the worst case")
        rows += [(d, float(promised[d]), float(p))] if d in (1, 2, 5, 10, 11, 12, 13, 14, 23) else []
    ensure(all_close([row[1] for row in rows[5:7]], (0.947189, 2.57474), 1e-5), "0.947189 and 2.57474")
    ensure(all_close([row[2] for row in rows[5:8]], (0.7603, 0.9118, 0.9676), 1e-4), "0.7603, 0.9118, 0.9676")
    start = vacuous_from(1, 1e-5)
    ensure(close(start, mp.log(mp.mpf(10) ** 5 * mp.expm1(1) + 1)) and close(start, 12.0543, 1e-5), "12.0543")
    return Table(rows, ["steps", "promised delta", "worst mechanism"])


@claim(
    "GMPS-Text-more-than-13",
    verdict=MISPRINT,
    where="After Theorem VI.3, conclusion",
    title="More than thirteen records must change",
    kind="number",
)
def thirteen_or_more():
    r"""The conclusion drawn from this: two databases may be told apart once more than thirteen records have changed.

    It should read thirteen or more: with 13 changed records the promised $\delta$ is already 2.57. With 12 it is still
    below 1.
    """
    space, rows = unbounded.on(DatabaseClass.multisets("a", at_most=14)), []
    promise = Approximate(space, 1, 1e-5)
    for changed in (12, 13, 14):
        D, position = ("a",) * changed, space.position("a" * changed)
        steps, told = hand.apart((), D), promise.deltas[0, position]
        exact = 1e-5 * math.fsum(math.exp(t) for t in range(steps))
        ensure(close(told, exact) and promise.at((), D).delta == min(told, 1), "the promise")
        rows.append((changed, float(told), bool(told < 1), "more than thirteen" if changed > 13 else "not more"))
    ensure([row[2] for row in rows] == [True, False, False], "thirteen is the first")
    return Table(rows, ["changed records", "promised delta", "still a promise", "in the paper's words"])
