"""Claims of Hartmann, Bindschaedler and West: who can be in how many databases (section V-A).

A round that promises (log x, d) is played by its worst pair. Wherever x and d can be fractions, the checks are exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Guarantee, Table, composition, optimal
from ...experiment import (
    Hypothesis,
    column_bound,
    contribution_bound,
    hypothesis_dp,
)
from ..entries import CORRECTED, FALSE, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close
from .rounds import HOSPITALS, TENTH, exact_pair, promises, random_parts, table, worst_pairs


@claim(
    "HBW-Ex-V-A-1u",
    verdict=CORRECTED,
    where="Section V-A, Example 1",
    title="Somewhere or nowhere: the worst 365 count",
)
def hospitals_nowhere_or_somewhere():
    r"""Each of $k$ hospitals answers one query, and nobody spends nights in more than 365 of them. To hide whether a
    person was a patient at all, it is enough to compose the worst 365 of the $k$ mechanisms.

    Read $\min(k,365)$. If every hospital keeps its own guarantee, they may be asked in any order, adaptively too. If
    the guarantees belong to the rounds and some are incomparable, one with the larger $\varepsilon_i$ and another with
    the larger $\delta_i$, it must be fixed beforehand which hospital is asked in which round (HBW-X-7). No law on the
    allowed vectors does better than a single one of them.
    """
    rows, target = [], 1e-6
    equal = contribution_bound(Guarantee(0.01), 365, k=1000)
    for name, bound, steps in (
        ("a thousand times 0.01", equal, {2: 365}),  # steps: how often which multiple of 0.005
        ("200 x 0.02, 300 x 0.01, 500 x 0.005", contribution_bound(HOSPITALS, 365), {4: 200, 2: 165}),
    ):
        told = [bound.by(theorem, target).epsilon for theorem in ("basic", "advanced", "optimal")]
        ensure(close(delta_on_grid(0.005, steps, told[2]), target, 1e-9), "the worst 365 spend all of delta")
        rows.append((name, *told, bound.classic("optimal", target).epsilon))
    ensure(all_close(rows[0][1:], (3.65, 1.04094018388328, 0.7901127382858894, 1.365446709993756)), "equal hospitals")
    ensure(all_close(rows[1][1:4], (5.65, 1.73029766718063, 1.33356322244362)), "different hospitals")
    leaky = contribution_bound(Guarantee(0.01, 1e-10), 365, k=1000).epsilon(target)
    ensure(close(leaky, 0.7920389989101184), "with delta_i = 1e-10")
    ensure(close(leaky, reference.optimal_epsilon(0.01, 1e-10, 365, target)), "with 50 digits")
    few = contribution_bound(Guarantee(0.01), min(100, 365), k=100)
    ensure(few.epsilon(target) == few.classic("optimal", target).epsilon, "100 hospitals: all of them")
    check_small_countries("unbounded", 41)
    return Table(rows, ["epsilons", "basic", "advanced", "optimal at 1e-6", "optimal, all 1000"])


@claim(
    "HBW-Ex-V-A-1b", verdict=CORRECTED, where="Section V-A, Example 1", title="In which hospitals: the worst 730 count"
)
def hospitals_which_of_them():
    r"""If the adversary knows that the person was a patient and asks only where, the worst 730 mechanisms must be
    composed: two sets of 365 hospitals may be disjoint.

    Read $\min(k,730)$; on the order of the hospitals see HBW-X-7. The paper calls this bounded privacy, but it hides
    only *where* a fixed record is; exchanging the record within one hospital is not covered (HBW-X-8).
    """
    rows, target = [], 1e-6
    equal = contribution_bound(Guarantee(0.01), 365, "bounded", k=1000)
    for name, bound, steps in (
        ("a thousand times 0.01", equal, {2: 730}),
        (
            "200 x 0.02, 300 x 0.01, 500 x 0.005",
            contribution_bound(HOSPITALS, 365, "bounded"),
            {4: 200, 2: 300, 1: 230},
        ),
    ):
        told = [bound.by(theorem, target).epsilon for theorem in ("basic", "advanced", "optimal")]
        ensure(close(delta_on_grid(0.005, steps, told[2]), target, 1e-8), "the worst 730 spend all of delta")
        rows.append((name, *told, bound.classic("optimal", target).epsilon))
    ensure(all_close(rows[0][1:4], (7.3, 1.49360019391121, 1.15127351271121)), "equal hospitals")
    ensure(all_close(rows[1][1:], (8.15, 1.90509681302592, 1.47421992930982, 1.52082917231388), 1e-9), "different ones")
    few = contribution_bound(Guarantee(0.01), 365, "bounded", k=500)
    ensure(few.rounds == 500 and few.epsilon(target) == few.classic("optimal", target).epsilon, "500: all of them")
    check_small_countries("bounded", 42)
    return Table(rows, ["epsilons", "basic", "advanced", "optimal at 1e-6", "optimal, all 1000"])


def check_small_countries(neighbours: str, seed: int) -> None:
    """Compare the bound with all pairs of allowed vectors, and with random laws on them, for three hospitals."""
    rng = np.random.default_rng(seed)
    for m, delta in ((1, Fraction(1, 20)), (1, TENTH), (2, TENTH), (2, Fraction(1, 5))):
        parts = random_parts(rng, 3, most=2)
        allowed = [b for b in brute.vectors(3) if sum(b) <= m]
        lefts = [(0, 0, 0)] if neighbours == "unbounded" else allowed
        bound = contribution_bound(promises(parts), m, neighbours)
        worst = max(exact_epsilon(parts, {a: 1}, {b: 1}, delta) for a, b in product(lefts, allowed) if a < b)
        ensure(close(bound.epsilon(float(delta)), worst, 1e-11), "the worst two vectors")
        laws = [
            {b: w for b, w in zip(some, reference.random_law(rng, len(some)), strict=True) if w}
            for some in (lefts, allowed)
        ]
        ensure(exact_epsilon(parts, *laws, delta) <= worst, "mixtures lose less")


@claim(
    "HBW-Ex-V-A-2",
    verdict=HOLDS,
    where="Section V-A, Example 2",
    title="One subsidiary each: the worst one or two count",
)
def subsidiaries():
    r"""Every employee works for at most one of $k$ subsidiaries. Then only the worst single mechanism counts for
    "employed or not", and only the worst two for "employed where".

    The second number does not cover a changed record within one subsidiary (HBW-X-8).
    """
    epsilons, target, rows = (0.1, 0.2, 0.3, 0.4, 0.5), 0.01, []
    for name, neighbours, size in (("employed or not", "unbounded", 1), ("employed where", "bounded", 2)):
        bound = contribution_bound([Guarantee(e) for e in epsilons], 1, neighbours)
        sets = [[(e, 0) for e in chosen] for chosen in combinations(epsilons, size)]
        eps = bound.epsilon(target)
        ensure(close(max(reference.mixed_delta(chosen, eps) for chosen in sets), target, 1e-11), "the worst of all")
        ensure(close(bound.epsilon(0), max(sum(e for e, _ in chosen) for chosen in sets)), "their sum at delta = 0")
        rows.append((name, bound.epsilon(0), eps, bound.worst_name(target)))
    classic = optimal([Guarantee(e) for e in epsilons])
    rows.append(("all five rounds", classic.epsilon(0), classic.epsilon(target), "all"))
    ensure(all_close([row[1] for row in rows], (0.5, 0.9, 1.5)), "at delta = 0")
    known = (0.483804247374616, 0.872799185753828, 1.32346147471726)
    ensure(all_close([row[2] for row in rows], known), "at delta = 0.01")
    exact = [
        exact_epsilon([(Fraction(x), 0) for x in (2, 3, Fraction(3, 2))], {a: 1}, {b: 1}, 0)
        for a, b in product(((1, 0, 0), (0, 1, 0), (0, 0, 1)), repeat=2)
    ]
    three = contribution_bound([Guarantee(math.log(x)) for x in (2, 3, 1.5)], 1, "bounded")
    ensure(close(three.epsilon(0), max(exact)) and close(max(exact), math.log(6)), "three subsidiaries, all views")
    return Table(rows, ["hidden", "epsilon at delta = 0", "at delta = 0.01", "worst rounds"])


COLUMNS = {"free user": "1" * 6 + "0" * 4, "paying user": "1" * 5 + "0" + "1" * 4, "nobody": "0" * 10}


@claim(
    "HBW-Ex-V-A-3u",
    verdict=FALSE,
    where="Section V-A, Example 3",
    title="A user or nobody: the worse of two compositions",
)
def columns_user_or_nobody():
    r"""Columns $1..k_1$ are filled by all users, $k_1+1..k_2$ by free users, $k_2+1..k_3$ by paying ones. Whether
    somebody is a user at all is said to cost the worse of two compositions: $M_{k_1},\dots,M_{k_3}$ (free against
    paying user) and $M_1,\dots,M_{k_2}$ (free user against nobody).

    The paying user against nobody is forgotten, and free against paying does not belong here. Right is the worse of
    $M_1,\dots,M_{k_2}$ and $M_1,\dots,M_{k_1},M_{k_2+1},\dots,M_{k_3}$. With $k_1=5$, $k_2=6$, $k_3=10$ and
    $\varepsilon=0.1$ the printed rule promises 0.6, and the truth is 0.9. For $M_{k_1}$ read $M_{k_1+1}$
    (HBW-Ex-V-A-3b).
    """
    rows, g = [], Guarantee(0.1)
    right = column_bound([g] * 5, [g], [g] * 4)
    for one, two in (("free user", "paying user"), ("free user", "nobody"), ("paying user", "nobody")):
        curve = hypothesis_dp(g, *(Hypothesis.point(COLUMNS[name]) for name in (one, two)))
        n = sum(a != b for a, b in zip(COLUMNS[one], COLUMNS[two], strict=True))
        ensure(close(curve.epsilon(1e-3), reference.optimal_epsilon(0.1, 0, n, 1e-3)), "the differing rounds")
        rows.append((f"{one} or {two}", n, n < 9, n != 5, curve.epsilon(0), curve.epsilon(1e-3)))
    printed, truth = (max(row[4] for row in rows if row[i]) for i in (2, 3))
    ensure(all_close([printed, truth, right.epsilon(0)], (0.6, 0.9, 0.9)), "0.6 is promised, 0.9 is lost")
    known = (0.4746023860439469, 0.5510522195817092, 0.6832476669541594)
    ensure(all_close([row[5] for row in rows], known) and right.epsilon(1e-3) == rows[2][5], "at delta = 1e-3")
    check_columns("unbounded", 43)
    return Table(rows, ["compared", "rounds", "printed", "belongs here", "epsilon at delta = 0", "at delta = 1e-3"])


@claim(
    "HBW-Ex-V-A-3b",
    verdict=CORRECTED,
    where="Section V-A, Example 3",
    title="Which kind of user: the worst of three compositions",
)
def columns_which_kind_of_user():
    r"""Against an adversary who compares any two of free user, paying user and nobody, the worst of three compositions
    is taken; they are written with $M_{k_1}$ and $M_{k_2}$ as the first mechanism of a block.

    The blocks begin one later, with $M_{k_1+1}$ and $M_{k_2+1}$. As printed the bound is safe but counts one mechanism
    too many: 1.0 instead of 0.9 in the example. If the target is known to be a user, only free against paying is left:
    0.5.
    """
    rows, g, target = [], Guarantee(0.1), 1e-3
    printed = optimal(g, k=10)
    rows.append(("as printed", printed.epsilon(0), printed.epsilon(target), 10))
    for name, known_user, n in (("corrected", False, 9), ("corrected, known to be a user", True, 5)):
        bound = column_bound([g] * 5, [g], [g] * 4, "bounded", known_user=known_user)
        ensure(close(bound.epsilon(target), reference.optimal_epsilon(0.1, 0, n, target)), "with 50 digits")
        rows.append((name, bound.epsilon(0), bound.epsilon(target), n))
    ensure(all_close([row[1] for row in rows], (1.0, 0.9, 0.5)), "at delta = 0")
    known = (0.753573154879054, 0.6832476669541594, 0.4746023860439469)
    ensure(all_close([row[2] for row in rows], known), "at delta = 1e-3")
    check_columns("bounded", 44)
    return Table(rows, ["bound", "epsilon at delta = 0", "at delta = 1e-3", "rounds composed"])


def check_columns(neighbours: str, seed: int) -> None:
    """Compare the corrected rule with all allowed pairs of vectors: one common column, one or two of either kind."""
    rng, nobody = np.random.default_rng(seed), (0, 0, 0, 0)
    for free, paid in [((1, 1, 0, 0), (1, 0, 1, 1)), ((1, 1, 1, 0), (1, 0, 0, 1))] * 2:
        pairs = [(free, nobody), (paid, nobody)] + [(free, paid)] * (neighbours == "bounded")
        parts, n = random_parts(rng, 4, most=2), sum(free)
        told = promises(parts)
        bound = column_bound(told[:1], told[1:n], told[n:], neighbours)
        worst = max(exact_epsilon(parts, {a: 1}, {b: 1}, TENTH) for a, b in pairs)
        ensure(close(bound.epsilon(0.1), worst, 1e-11), "the worst of the allowed comparisons")


@claim(
    "HBW-VA-Multi", verdict=HOLDS, where="Section V-A", title="Several queries per database: their blocks are composed"
)
def several_queries_per_database():
    r"""All this remains true if every database is asked several times: the vector is then constant on blocks, and all
    queries of the databases in question are composed.

    Three databases with two queries each, of which the target is in at most one: two rounds count for "in one or in
    none", four for "in which".
    """
    part, rows = (2, Fraction(1, 50)), []
    (coin,) = worst_pairs([part])
    for name, neighbours, one, two in (
        ("in one or in none", "unbounded", "000000", "110000"),
        ("in which", "bounded", "110000", "001100"),
    ):
        n = sum(a != b for a, b in zip(one, two, strict=True))
        exact = reference.hockey_stick_both(*reference.product_pair([table(*part)] * n), 2)
        curve = hypothesis_dp(coin, Hypothesis.point(one), Hypothesis.point(two))
        ensure(curve.delta(ratio=2) == exact, "only the blocks that differ")
        bound = contribution_bound(Guarantee(math.log(2), 0.02), 2, neighbours, k=6).delta(math.log(2))
        ensure(close(bound, float(exact)), "the bound for two rounds of six")
        rows.append((name, f"{one} or {two}", n, exact, float(exact)))
    ensure([row[3] for row in rows] == [Fraction(5693, 22500), Fraction(70748383, 168750000)], "two and four rounds")
    return Table(rows, ["hidden", "vectors", "rounds", "delta at e^eps = 2", "in digits"])


@claim(
    "HBW-VA-General-Store",
    verdict=CORRECTED,
    where="Section V-A, general case",
    title="The cap may be computed from the data",
)
def cap_from_the_data():
    r"""Without a natural limit, the largest number $m$ of branches in which any customer has bought may be computed
    from the data (declared not private) and used as the cap on what one person contributes.

    The cap holds for the people in the data, not for one more customer: if a person with $m+1$ branches is added, $m+1$
    rounds differ. The bound for $m$ covers those who are in at most $m$ databases. And $m$ itself is an answer without
    noise: if it is published, or seen in the noise, whoever alone reaches it is given away.
    """
    customers, ratio, rows = [{1}, {2, 5}, {1, 3, 4}, {2}], Fraction(11, 10), []
    m = max(map(len, customers))
    promised = contribution_bound(Guarantee(math.log(ratio)), m, k=6).epsilon(0)
    for branches in (*customers, {1, 2, 3, 4}):
        vector = tuple(int(i + 1 in branches) for i in range(6))
        lost = hypothesis_dp(Guarantee(math.log(ratio)), Hypothesis.point([0] * 6), Hypothesis.point(vector)).epsilon(0)
        exact = exact_epsilon([(ratio, 0)] * 6, {(0,) * 6: 1}, {vector: 1}, 0)
        ensure(close(lost, exact) and (exact <= promised) == (len(branches) <= m), "kept for m branches, not for more")
        rows.append((", ".join(map(str, sorted(branches))), branches in customers, lost, promised))
    without = [max(len(c) for c in customers if c is not one) for one in customers]
    ensure(without == [3, 3, 2, 3], "the cap says whether the third customer is in the data")
    tenth = [contribution_bound(Guarantee(0.1), n, k=10).by("basic").epsilon for n in (m, m + 1)]
    ensure(all_close(tenth, (0.3, 0.4)), "0.3 is promised, 0.4 is lost")
    return Table(rows, ["branches", "in the data", "epsilon lost", "epsilon promised"])


@claim(
    "HBW-VA-General-Restaurants",
    verdict=HOLDS,
    where="Section V-A, general case",
    title="Three restaurants a day: 1095 count",
    kind="number",
)
def restaurants():
    r"""If nobody eats in more than three restaurants a day, nobody is in more than $3\cdot365=1095$ of the databases of
    a year.

    With 5000 restaurants and $\varepsilon=0.01$ each, this saves more than half of the epsilon.
    """
    rows, target = [], 1e-6
    for name, neighbours, n in (("a guest or not", "unbounded", 1095), ("a guest where", "bounded", 2190)):
        bound = contribution_bound(Guarantee(0.01), 3 * 365, neighbours, k=5000)
        told = [bound.by(theorem, target).epsilon for theorem in ("basic", "advanced", "optimal")]
        rows.append((name, n, *told, reference.delta_by_tails(0.01, n, told[2])))
    everything = optimal(Guarantee(0.01), k=5000).epsilon(target)
    advanced = composition.advanced(Guarantee(0.01), target, 5000).epsilon
    rows.append(("all rounds", 5000, 50.0, advanced, everything, reference.delta_by_tails(0.01, 5000, everything)))
    ensure(all(close(row[5], target, 1e-8) for row in rows), "delta by two binomial tails")
    ensure(all_close([row[4] for row in rows], (1.434426069808005, 2.094561548223999, 3.30637827278499)), "optimal")
    ensure(all_close([row[3] for row in rows], (1.84947360564524, 2.68001606108757, 4.21943054305824)), "advanced")
    ensure(all_close([row[2] for row in rows], (10.95, 21.9, 50)), "basic")
    return Table(rows, ["hidden", "rounds", "basic", "advanced", "optimal at 1e-6", "delta there, by tails"])


def exact_epsilon(parts: Iterable[tuple], law0: brute.Law, law1: brute.Law, delta) -> float:
    """Return the exact epsilon between two laws on vectors, both orders."""
    return math.log(brute.least_ratio_both(*exact_pair(parts, law0, law1), delta))


def delta_on_grid(unit: float, steps: dict[int, int], at: float) -> float:
    """Return the delta of coins with epsilons n * unit, n given with its multiplicity: losses on a grid, convolved."""
    law = np.ones(1)
    for n, times in steps.items():
        right, spread = 1 / (1 + math.exp(-n * unit)), np.zeros(2 * n * times + 1)
        spread[:: 2 * n] = [math.comb(times, i) * right**i * (1 - right) ** (times - i) for i in range(times + 1)]
        law = np.convolve(law, spread)
    losses = unit * (np.arange(len(law)) - (len(law) - 1) / 2)
    return float(np.sum(law * np.maximum(-np.expm1(at - losses), 0)))
