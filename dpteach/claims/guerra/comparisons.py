"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: comparing the metrics (section III-A).

Everything is exact: mechanisms have fractions for probabilities, distances are whole numbers, and the loss is counted
in units of log 2. The second way walks from neighbour to neighbour and compares multisets record by record.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    PrivacySpace,
    bounded,
    dist,
    free_lunch,
    sensitivity,
    unbounded,
)
from ...notions import (
    FiniteMechanism,
    Pure,
)
from ..entries import FALSE, HOLDS, claim, ensure
from ..reference import granularity as by_hand
from ..reference.basics import close
from .spaces import INF, UP_TO_3, agrees, graph, metric_space


@claim("GMPS-Text-order", verdict=HOLDS, where="Section III-A", title="A smaller metric protects more")
def smaller_metric_protects_more():
    r"""If $d_1\le d_2$ at all pairs, then every $d_1$-private mechanism is $d_2$-private.

    And conversely: a mechanism that loses exactly $d_1$ is $d_2$-private only if $d_1\le d_2$. Tried on random pairs of
    metrics, of which some are ordered and some are not.
    """
    rng, counts = np.random.default_rng(320), Counter()
    for n in range(60):
        one, two = by_hand.random_metric(rng, 4), by_hand.random_metric(rng, 4)
        if n % 2:  # every other time the first is made the smaller one
            one = by_hand.shortened({pair: min(one[pair], two[pair]) for pair in one}, range(4))
        ordered = all(one[pair] <= two[pair] for pair in one)
        laws = by_hand.attaining(range(4), one, 2)
        private = by_hand.keeps(laws, lambda D, E, d=two: by_hand.power(2, d[D, E]))
        told = FiniteMechanism.attaining(metric_space(one, 4), 2).keeps(Pure(metric_space(two, 4), math.log(2)))
        ensure(private == ordered == told, "private if and only if ordered")
        counts[ordered] += 1
    for _ in range(20):
        space = graph(by_hand.random_graph(rng, 5), 5)
        lunch = free_lunch.on(space.cls)
        ensure(np.all(lunch.matrix <= space.matrix), "free lunch is below every canonical metric")
        ensure(FiniteMechanism.attaining(lunch, 3).keeps(Pure(space, math.log(3))), "so it protects more")
    ensure(min(counts.values()) >= 15, "both cases occur")
    rows = [("d1 <= d2 everywhere", counts[True], "kept"), ("d1 > d2 somewhere", counts[False], "broken")]
    return Table([*rows, ("free lunch against a random granularity", 20, "kept")], ["metrics", "cases", "promise d2"])


@claim(
    "GMPS-Text-dist",
    verdict=HOLDS,
    where="Section III-A, Proposition A.3",
    title="One granularity implies another at dist times the level",
)
def from_one_granularity_to_another():
    r"""If $k=\mathrm{dist}(\mathcal G_1,\mathcal G_2)=\max_{D\sim_{\mathcal G_2}D'}d^{\mathcal G_1}(D,D')$ is finite,
    then $d^{\mathcal G_1}\le k\,d^{\mathcal G_2}$, so $\mathcal G_1$ $\varepsilon$-DP implies $\mathcal G_2$
    $k\varepsilon$-DP.

    No smaller factor will do: mechanisms that lose exactly $\varepsilon d^{\mathcal G_1}$ have the $\mathcal G_2$ level
    $k\varepsilon$. Infinite factors occur as well.
    """
    rng, counts = np.random.default_rng(321), Counter()
    for _ in range(40):
        one, two = by_hand.random_graph(rng, 6, 0.5), by_hand.random_graph(rng, 6, 0.3)
        d1, d2 = by_hand.steps(range(6), one), by_hand.steps(range(6), two)
        k = max((d1[pair] for pair in two), default=0)
        first, second = graph(one, 6), graph(two, 6)
        ensure(dist(first.granularity, second.granularity, range(6)) == k, "the largest, by hand")
        ensure(k == INF or all(d1[pair] <= k * d2[pair] for pair in d1), "the inequality at all pairs")
        sharp = FiniteMechanism.attaining(first, 2)
        ensure(sharp.worst(second).ratio() == by_hand.power(2, k), "attained")
        ensure(Pure(first, 1).level(second) == k, "as the promise says")
        counts[k] += 1
    sharp = FiniteMechanism.attaining(unbounded.on(UP_TO_3), 2)
    ensure(sharp.worst(bounded.on(UP_TO_3)).ratio() == 4, "unbounded log 2 is bounded 2 log 2")
    rows = [(float(k), n, float(by_hand.power(2, k))) for k, n in sorted(counts.items())]
    return Table(rows, ["k", "pairs of random granularities", "e^eps' of a mechanism that attains e^eps = 2"])


@claim("GMPS-Text-dist-BU", verdict=HOLDS, where="Section III-A", title="Bounded privacy does not protect the size")
@claim("GMPS-Text-dist-UB", verdict=HOLDS, where="Section III-A", title="Unbounded implies bounded at twice the level")
def unbounded_against_bounded():
    r"""On all multisets $\mathrm{dist}(\mathcal U,\mathcal B)=2$, so unbounded $\varepsilon$-DP implies bounded
    $2\varepsilon$-DP, and $\mathrm{dist}(\mathcal B,\mathcal U)=\infty$.

    Both depend on the class: with one kind of records there is nothing to change and the distance is 0, vacuously; with
    a fixed size no unbounded step is left and $\mathrm{dist}(\mathcal U,\mathcal B)=\infty$.
    """
    rows = []
    classes = {
        "at most 3 of a, b": UP_TO_3,
        "at most 3 of a": DatabaseClass.multisets("a", at_most=3),
        "exactly 2 of a, b": DatabaseClass.multisets("ab", exactly=2),
        "at most 2 of a, b, c": DatabaseClass.multisets("abc", at_most=2),
    }
    relations = {unbounded: by_hand.added, bounded: by_hand.replaced, free_lunch: by_hand.anything}
    for name, cls in classes.items():
        walked = {notion: by_hand.steps(cls.databases, related) for notion, related in relations.items()}
        pairs = {notion: by_hand.related_pairs(cls.databases, related) for notion, related in relations.items()}
        row = []
        for one, two in ((unbounded, bounded), (bounded, unbounded), (free_lunch, unbounded), (unbounded, free_lunch)):
            told = dist(one, two, cls)
            ensure(told == max((walked[one][pair] for pair in pairs[two]), default=0), "by hand")
            row.append(told)
        rows.append((name, *map(float, row)))
    ensure([row[1:] for row in rows[:3]] == [(2, INF, 1, 6), (0, INF, 1, 3), (INF, 0, 0, INF)], "the values")
    for ratio in (2, Fraction(5, 4), 10):
        sharp = FiniteMechanism.attaining(unbounded.on(UP_TO_3), ratio)
        ensure(sharp.worst(bounded.on(UP_TO_3)).ratio() == ratio**2, "twice the level, attained")
    size = FiniteMechanism.printing(UP_TO_3, len)
    ensure(size.level(bounded.on(UP_TO_3)) == 0 and size.level(unbounded.on(UP_TO_3)) == INF, "|D| tells the size")
    return Table(rows, ["class", "dist(U, B)", "dist(B, U)", "dist(FL, U)", "dist(U, FL)"])


@claim(
    "GMPS-Text-diam",
    verdict=FALSE,
    where="Section III-A",
    title="A metric of bounded diameter compares with every other",
)
def bounded_diameter():
    r"""If the diameter of $(\mathbb D,d_1)$ is finite, $d_1$ can be compared with every other metric on $\mathbb D$.

    Not with every one: the free-lunch metric has diameter 1, but on the points $1,\tfrac12,\tfrac13,\dots$ with
    $d_2=|x-y|$ the pair $\tfrac1n$ and $\tfrac1{n+1}$ needs the factor $n(n+1)$, so no factor serves them all. It is
    true for metrics that are at least 1 off the diagonal, such as canonical ones:
    $d_1\le\mathrm{diam}(d_1)\,d^{\mathcal G}$.
    """
    rng, rows = np.random.default_rng(325), []
    for n in (1, 10, 100):
        points = [Fraction(1, m) for m in range(1, n + 2)]
        line = PrivacySpace(points, lambda x, y: abs(x - y))
        lunch = free_lunch.on(points)
        told = sensitivity(None, line, lunch)
        exact = max(1 / abs(x - y) for x, y in combinations(points, 2))
        ensure(lunch.diameter == 1 and exact == n * (n + 1) and close(told, exact, 1e-9), "the factor n (n + 1)")
        rows.append((f"|x - y| on 1, ..., 1/{n + 1}", lunch.diameter, round(told)))
    ensure([row[2] for row in rows] == [2, 110, 10100], "2, 110, 10100")
    for n in range(60):
        d1 = {pair: min(x, 9) for pair, x in by_hand.random_metric(rng, 5).items()}
        one, pairs = metric_space(by_hand.shortened(d1, range(5)), 5), by_hand.random_graph(rng, 5)
        steps = by_hand.steps(range(5), pairs)
        ensure(all(one.distance(*pair) <= one.diameter * steps[pair] for pair in d1), "at most the diameter")
        factor = sensitivity(None, graph(pairs, 5), one)
        ensure(factor <= one.diameter, "the factor as well")
        rows += [("a random granularity", one.diameter, factor)] * (n < 3)
    return Table(rows, ["d2", "diameter of d1", "factor needed"])


@claim("GMPS-Text-FL", verdict=HOLDS, where="Section III-A", title="Free lunch is the strongest promise")
def free_lunch_metric():
    r"""Where everybody is everybody's neighbour, any two different databases are one step apart: $d^{\mathcal{FL}}=1$.
    No canonical metric is smaller, so free-lunch DP is the strongest of all promises at the same $\varepsilon$.

    Databases of a single record with bounded neighbours are the same space: this is local privacy.
    """
    rng, rows, shares = np.random.default_rng(326), [], []
    for _ in range(20):
        pairs, laws = by_hand.random_graph(rng, 6), by_hand.random_laws(rng, range(6), 3)
        space, mechanism = graph(pairs, 6), FiniteMechanism(range(6), laws)
        lunch = free_lunch.on(range(6))
        ensure(agrees(lunch, {(x, y): int(x != y) for x, y in product(range(6), repeat=2)}), "one step to everywhere")
        ensure(np.all(lunch.matrix <= space.matrix), "below the canonical metric")
        most = max(by_hand.ratio(laws[x], laws[y]) for x, y in combinations(range(6), 2))
        told = mechanism.worst(lunch).ratio()
        ensure(told == most >= mechanism.worst(space).ratio(), "the largest level of all")
        ensure(dist(free_lunch, space.granularity, range(6)) == min(len(pairs), 1), "one step for one step")
        shares.append(math.log(mechanism.worst(space).ratio()) / math.log(told))
    rows.append(("random granularities", 20, f"{sum(x < 1 for x in shares)} have a smaller level than free lunch"))
    single = DatabaseClass.multisets("abcde", exactly=1)
    ensure(np.array_equal(bounded.on(single).matrix, free_lunch.on(single).matrix), "a single record")
    rows.append(("bounded, a single record", len(single), "the same metric as free lunch"))
    ensure(not np.array_equal(bounded.on(UP_TO_3).matrix, free_lunch.on(UP_TO_3).matrix), "not so with several")
    return Table(rows, ["granularity", "cases", "finding"])
