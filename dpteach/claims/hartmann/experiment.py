"""Claims of Hartmann, Bindschaedler and West: the generalized experiment and hypothesis privacy (section IV).

A view's law is computed twice: by `dpteach.experiment`, and by running through all vectors, answers and adversaries.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from mpmath import mp

from ... import Guarantee, Pair, Table, mechanisms, optimal
from ...experiment import (
    Hypothesis,
    contribution_bound,
    hypothesis_dp,
    view_law,
    view_pair,
)
from ...experiment.bits import show_bits
from ..entries import CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close, hockey_stick, hockey_stick_both
from ..reference.experiment import bits, vectors
from .rounds import (
    MIXED,
    MOVES,
    TENTH,
    coins,
    curve,
    player,
    point,
    reference_ratio,
    run_it_and_count,
    shares,
    worst_rounds,
)


@claim("HBW-Alg-2", verdict=DEFINITION, where="Algorithm 2", title="The generalized composition experiment")
def generalized_experiment():
    r"""As the classic experiment, but with a vector in place of the bit: round $i$ answers from $\mathbf x_i^{b_i}$.

    Two rounds, $(\ln3,1/10)$ and $(\ln2,0)$, at their worst. And random adaptive adversaries: the law of the view under
    every vector, by walking through the tree, and the frequencies of real runs.
    """
    tables, pairs = worst_rounds([(3, TENTH), (2, 0)])
    rng, rows = np.random.default_rng(4), []
    for one, two in combinations(("00", "01", "10", "11"), 2):
        told = view_pair(lambda view: pairs[len(view)], [[pair] for pair in pairs], one, two)
        laws = brute.mixed_pair(tables, point(one), point(two))
        ensure(told.delta(ratio=1) == hockey_stick(*laws, 1), "total variation, by hand")
        ensure(told.ratio(TENTH) == brute.least_ratio_both(*laws, TENTH), "e^eps, by hand")
        rows.append((one, two, told.delta(ratio=1), told.ratio(TENTH)))
    ensure(rows[2][2:] == (Fraction(11, 20), 6), "00 against 11: 11/20 and 6")
    for _ in range(5):
        tree = brute.random_tree(rng, 3, MIXED, answers=2)
        adversary, classes = player(tree)
        for b in vectors(3):
            law = brute.tree_law(tree, b)
            ensure(view_law(adversary, classes, b) == {v: w for v, w in law.items() if w}, "adaptive, every vector")
    run_it_and_count(tree, "011")
    return Table(rows, ["one vector", "the other", "total variation", "e^eps at delta = 1/10"])


@claim(
    "HBW-Sec4-WLOG", verdict=CORRECTED, where="Section IV", title="The smaller database may be assumed to come first"
)
def order_without_loss():
    r"""One may assume $|\mathbf x_i^0|\le|\mathbf x_i^1|$: where an adversary submits the two databases the other way
    round, flip $b_i$.

    That works for an order fixed in advance. If the order depends on earlier answers, so does the flipped bit: for
    randomized response ($e^{\varepsilon}=3$), second pair swapped after the answer 1, the view under 00 is no mixture
    of the four views in canonical order; the only weights that fit are $9/8,-1/8,-3/8,3/8$. Right: leave the order
    free. As a rule of the game it makes Theorem 1 false for given mechanisms: if the smaller database has the laws $C$,
    then $D$ of HBW-Def-2, and the larger one $D$, then $C$, the ratio is 5 for 00 and 11, and 9 for 01 and 10. Where
    only $(\varepsilon_i,\delta_i)$ are given, the swaps gain nothing (HBW-X-1).
    """
    coin = mechanisms.randomized_response(ratio=3)
    swap = coin.reversed()
    law = view_law(lambda view: swap if view == (1,) else coin, [[coin], [coin, swap]], "00")
    answers, inverse = vectors(2), [[Fraction(3, 2), Fraction(-1, 2)], [Fraction(-1, 2), Fraction(3, 2)]]
    weights = {b: sum(law[y] * inverse[y[0]][b[0]] * inverse[y[1]][b[1]] for y in answers) for b in answers}
    again = brute.mixed_views(coins(3, 2), weights)
    ensure([law[y] for y in answers] == again == [Fraction(n, 16) for n in (9, 3, 1, 3)], "the weights give the law")
    ensure([8 * w for w in weights.values()] == [9, -1, -3, 3], "and are not all positive")
    rows = [(show_bits(b), law[b], weights[b]) for b in answers]
    for order in answers:  # fixed in advance: flip the bits
        moves = [swap if flipped else coin for flipped in order]
        for b in answers:
            seen = view_law(lambda view, moves=moves: moves[len(view)], [[coin, swap]] * 2, b)
            flipped = tuple(x ^ y for x, y in zip(b, order, strict=True))
            ensure([seen[y] for y in answers] == brute.views(coins(3, 2), flipped), "a fixed order is harmless")
    tree = {(): MOVES[0], (0,): MOVES[0], (1,): MOVES[1]}
    for a, b in combinations(("00", "01", "10", "11"), 2):
        seen = brute.tree_pair(tree, point(a), point(b))
        plain = brute.mixed_pair(coins(3, 2), point(a), point(b))
        ensure(all(hockey_stick_both(*seen, r) <= hockey_stick_both(*plain, r) for r in (1, 2, 3, 5, 8)), "no gain")
    ensure([largest_ratio_in_order(a, b) for a, b in (("00", "11"), ("01", "10"))] == [5, 9], "a rule does harm")
    return Table(rows, ["view, or vector", "probability of the view", "weight of the vector"])


def largest_ratio_in_order(b0: str, b1: str) -> Fraction:
    """Return the largest ratio of all adversaries that may only submit (smaller, larger) or equal databases."""
    fair, uneven = [Fraction(1, 2)] * 2, [Fraction(1, 6), Fraction(5, 6)]
    equal = (fair, fair), (uneven, uneven)
    first, second = [(fair, uneven), *equal], [(uneven, fair), *equal]
    trees = [{(): one, (0,): two, (1,): three} for one, two, three in product(first, second, second)]
    return max(reference_ratio(*brute.tree_pair(tree, point(b0), point(b1))) for tree in trees)


@claim("HBW-Def-3", verdict=DEFINITION, where="Definition 3", title="Hypothesis differential privacy")
def hypothesis_privacy():
    r"""The mechanisms are $(\varepsilon,\delta)$-hypothesis private for a set of pairs $(p_0,p_1)$ of laws on vectors
    if the views under $\mathbf b\sim p_0$ and under $\mathbf b\sim p_1$ are $(\varepsilon,\delta)$-close, in both
    orders, for each pair.

    By the definition, over all sets of views; and by the library, for random laws and random private rounds. The first
    line is $U\{00,11\}$ against $U\{01,10\}$ for the worst $(\ln3,1/10)$ and $(\ln2,0)$ mechanisms.
    """
    tables, pairs = worst_rounds([(3, TENTH), (2, 0)])
    even, odd = (brute.uniform(map(bits, chosen)) for chosen in (("00", "11"), ("01", "10")))
    laws, told = brute.mixed_pair(tables, even, odd), curve(pairs, even, odd)
    ensure((told.delta(ratio=1), told.ratio(TENTH)) == (Fraction(11, 60), Fraction(59, 49)), "11/60 and 59/49")
    ensure(hockey_stick_both(*laws, 1) == Fraction(11, 60), "by hand")
    ensure(reference.ratio_by_events(*laws, TENTH) <= Fraction(59, 49), "one order")
    ensure(reference.ratio_by_events(*laws[::-1], TENTH) <= Fraction(59, 49), "the other")
    rows, rng = [("equal or different", 2, 2, Fraction(11, 60), told.delta(ratio=2))], np.random.default_rng(5)
    for _ in range(6):
        tables = [brute.random_round(rng, r, d) for r, d in ((3, TENTH), (2, TENTH))]
        p0, p1 = (brute.random_hypothesis(rng, 2) for _ in "01")
        laws, told = brute.mixed_pair(tables, p0, p1), curve([Pair(*t) for t in tables], p0, p1)
        for ratio in (1, Fraction(3, 2), 2):
            both = [reference.delta_by_events(*order, ratio) for order in (laws, laws[::-1])]
            ensure([told.delta(ratio=ratio, direction=d) for d in ("pq", "qp")] == both, "the worst of 512 sets")
        delta = told.delta(ratio=2) + Fraction(1, 50)
        worst = max(reference.ratio_by_events(*order, delta) for order in (laws, laws[::-1]))
        ensure(told.ratio(delta) == worst, "and the inverse")
        rows.append(("random", len(p0), len(p1), float(told.delta(ratio=1)), float(told.delta(ratio=2))))
    return Table(rows, ["hypotheses", "vectors of p0", "vectors of p1", "delta at eps = 0", "delta at e^eps = 2"])


@claim("HBW-Eq-2", verdict=DEFINITION, where="Equation (2)", title="The second inequality: p1 bounded by p0")
@claim("HBW-Eq-1", verdict=DEFINITION, where="Equation (1)", title="The first inequality: p0 bounded by p1")
def two_inequalities():
    r"""Hypothesis privacy asks for two inequalities: the views under $p_0$ are bounded by those under $p_1$ (1), and
    the other way round (2).

    For single vectors they say the same, because the worst mechanism is symmetric. For mixtures they do not. Nowhere
    ($p_0$) against uniform on all other vectors ($p_1$): (1) is decided by the view $0^k$,
    $e^{\varepsilon_1}=(2^k-1)/((1+e^{-\varepsilon})^k-1)$; (2) by the view $1^k$,
    $e^{\varepsilon_2}=((1+e^{\varepsilon})^k-1)/(2^k-1)$, which is larger from $k=2$ on.
    """
    rows = []
    for k, eps in ((1, 1.0), (2, 1.0), (5, 0.1), (5, 1.0), (10, 1.0)):
        told = hypothesis_dp(Guarantee(eps), Hypothesis.point([0] * k), Hypothesis.nonzero(k))
        both = [told.epsilon(0, direction) for direction in ("pq", "qp")]
        zero, some = (brute.count_law(k, eps, law) for law in ([1], shares(k, range(1, k + 1))))
        exact = [mp.log(brute.least_ratio(*laws)) for laws in ((zero, some), (some, zero))]
        ensure(all_close(both, exact, 1e-11), "all numbers of ones, with 50 digits")
        views = [mp.log(zero[0] / some[0]), mp.log(some[k] / zero[k])]
        ensure(all_close(exact, views, 1e-11) and (k == 1 or exact[0] < exact[1]), "these two views decide")
        rows.append((k, eps, *both, told.epsilon(0)))
    ensure(all_close(rows[-1][2:4], (3.842460638475909, 6.202120129630861), 1e-11), "k = 10")
    pair = brute.mixed_pair(coins(3, 4), point("0110"), point("0011"))
    ensure(hockey_stick(*pair, 2) == hockey_stick(*pair[::-1], 2) > 0, "single vectors: both the same")
    return Table(rows, ["k", "eps of a round", "inequality (1)", "inequality (2)", "both"])


@claim("HBW-AppB-HDPtoDP", verdict=HOLDS, where="Appendix B", title="Hypothesis privacy implies privacy")
@claim("HBW-Rem-Special", verdict=HOLDS, where="Section IV", title="The classic definition is a special case")
def classic_as_special_case():
    r"""With the single pair of hypotheses "surely $\vec0$" and "surely $\vec1$", hypothesis privacy is the classic
    privacy of a composition. So a guarantee for all pairs of laws is one for the classic experiment.

    Checked law by law: random adaptive adversaries see under the vectors $\vec0$ and $\vec1$ what they see under the
    bits 0 and 1.
    """
    rng, rows = np.random.default_rng(6), []
    for k, parts in ((1, MIXED[:1]), (2, MIXED[:2]), (3, MIXED)):
        for _ in range(4):
            tree = brute.random_tree(rng, k, parts, answers=2)
            adversary, classes = player(tree)
            single = [view_law(adversary, classes, b) for b in (0, 1)]
            mixed = [view_law(adversary, classes, Hypothesis.from_dict({(b,) * k: 1})) for b in (0, 1)]
            by_hand = [brute.tree_law(tree, (b,) * k) for b in (0, 1)]
            ensure(single == mixed == [{v: w for v, w in law.items() if w} for law in by_hand], "law by law")
        tables, pairs = worst_rounds(parts)
        told = curve(pairs, point("0" * k), point("1" * k))
        classic = reference.product_pair(tables)
        ensure(all(told.delta(ratio=r) == hockey_stick_both(*classic, r) for r in (1, 2, 3)), "the same curve")
        at = optimal([Guarantee(math.log(r), float(d)) for r, d in parts]).delta(math.log(2))
        ensure(close(at, float(told.delta(ratio=2))), "which is the optimal composition")
        rows.append((k, told.delta(ratio=1), told.delta(ratio=2), told.delta(ratio=3)))
    return Table(rows, ["rounds", "delta at e^eps = 1", "at 2", "at 3"])


@claim(
    "HBW-Rem-Restrict", verdict=DEFINITION, where="Section IV", title="Not all pairs of hypotheses have to be feared"
)
def fewer_hypotheses():
    r"""Not all pairs of hypotheses have to be feared: constraints on the databases exclude vectors (no more than 365
    ones), assumptions on the adversary exclude laws.

    Fewer pairs, smaller guarantee. Four rounds of randomized response with $e^{\varepsilon}=3$; the worst of all
    vectors, checked against random laws on them.
    """
    rng, rows, every = np.random.default_rng(7), [], vectors(4)
    few, zero, coin = [b for b in every if sum(b) <= 1], (0,) * 4, mechanisms.randomized_response(ratio=3)
    views = {b: brute.views(coins(3, 4), b) for b in every}
    kinds = {"all": (every, every), "at most one 1": (few, few), "nowhere, or one 1": ([zero], few)}
    bounds = {
        "all": optimal(Guarantee(math.log(3)), k=4),
        "at most one 1": contribution_bound(Guarantee(math.log(3)), 1, "bounded", k=4),
        "nowhere, or one 1": contribution_bound(Guarantee(math.log(3)), 1, k=4),
    }
    for name, (left, right) in kinds.items():
        worst = {r: max(hockey_stick_both(views[a], views[b], r) for a in left for b in right) for r in (1, 2, 3)}
        for _ in range(6):
            laws = [dict(zip(side, reference.random_law(rng, len(side)), strict=True)) for side in (left, right)]
            drawn = curve(coin, *laws)
            ensure(all(drawn.delta(ratio=r) <= most for r, most in worst.items()), "a mixture is never worse")
        told = {r: bounds[name].delta(math.log(r)) for r in worst}
        ensure(all(abs(told[r] - most) < 1e-12 for r, most in worst.items()), "as the library says")
        rows.append((name, len(left) * len(right), *worst.values()))
    uniform = [brute.mixed_views(coins(3, 4), law) for law in (point("0000"), brute.uniform(every[1:]))]
    told = hypothesis_dp(coin, Hypothesis.point(zero), Hypothesis.nonzero(4))
    drawn = [told.delta(ratio=r) for r in (1, 2, 3)]
    ensure(drawn == [hockey_stick_both(*uniform, r) for r in (1, 2, 3)], "one pair of laws, by hand")
    rows.append(("nowhere, or uniform elsewhere", 1, *drawn))
    ensure(all(row[2] <= rows[0][2] for row in rows) and rows[2][3] < rows[1][3] < rows[0][3], "fewer is less")
    return Table(rows, ["vectors", "pairs", "largest delta at e^eps = 1", "at 2", "at 3"])


@claim(
    "HBW-Rem-Bayes",
    verdict=CORRECTED,
    where="Section IV",
    title="Hypothesis privacy bounds the Bayes factor, up to delta",
)
def bayes_factor():
    r"""Hypothesis privacy is called equivalent to a bound $e^{\varepsilon}$ on the Bayes factor
    $\mathrm{BF}(v)=P_{p_0}(v)/P_{p_1}(v)$, with an additive constant $\delta$.

    For $\delta=0$ it is: every Bayes factor lies between $e^{-\varepsilon}$ and $e^{\varepsilon}$. For $\delta>0$
    nothing can be added to a factor that is infinite with probability $\delta$. Right is $\mathbb E_{v\sim
    p_0}\max(1-e^{\varepsilon}/\mathrm{BF}(v),0)\le\delta$, and the same with $p_0,p_1$ exchanged.
    """
    rng, rows = np.random.default_rng(8), []
    for parts in (((3, 0), (3, 0)), ((3, 0), (2, 0)), ((3, TENTH), (2, 0)), ((3, TENTH), (3, TENTH))):
        tables, pairs = worst_rounds(parts)
        for i in range(4):
            p0 = brute.random_hypothesis(rng, 2) if i else point("00")
            p1 = brute.random_hypothesis(rng, 2) if i else brute.uniform(vectors(2)[1:])
            told, (one, two) = curve(pairs, p0, p1), brute.mixed_pair(tables, p0, p1)
            factors = [(a, math.inf if b == 0 else a / b) for a, b in zip(one, two, strict=True) if a]
            for ratio in (1, Fraction(3, 2), 2):
                mean = sum(a * max(1 - (0 if f == math.inf else ratio / f), 0) for a, f in factors)
                ensure(told.delta(ratio=ratio, direction="pq") == mean, "a mean over the Bayes factors")
                back = sum(b * max(1 - ratio * a / b, 0) for a, b in zip(one, two, strict=True) if b)
                ensure(told.delta(ratio=ratio, direction="qp") == back, "and the other way round")
            ensure(told.ratio(0, "pq") == max([1, *(f for _, f in factors)]), "delta = 0: the largest factor")
            if i == 0:
                tail = sum(a for a, f in factors if f > 2)
                rows.append(
                    (
                        ", ".join(f"(ln {r}, {d})" for r, d in parts),
                        max(f for _, f in factors),
                        tail,
                        told.delta(ratio=2),
                    )
                )
    single = curve(mechanisms.randomized_response(ratio=3, delta=TENTH), point("0"), point("1"))
    ensure(single.ratio(0) == math.inf and single.delta(ratio=3) == TENTH, "infinite with probability 1/10")
    ensure(rows[0][1] == Fraction(27, 7) and rows[0][3] < rows[0][2], "the tail is more than delta")
    return Table(rows, ["two rounds", "largest Bayes factor", "P(factor > 2)", "delta at e^eps = 2"])
