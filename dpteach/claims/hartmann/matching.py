"""Claims of Hartmann, Bindschaedler and West: hypotheses and matchings (section V-B).

A round that promises (log x, d) is played by its worst pair. Wherever x and d can be fractions, the checks are exact.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ... import Guarantee, Pair, Table, mechanisms
from ...experiment import (
    Hypothesis,
    hypothesis_dp,
    matching_bound,
    view_law,
)
from ..entries import FALSE, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close
from .rounds import HALF, TENTH, exact_pair, keeps, promises, random_parts, table, worst_pairs


@claim("HBW-VB-MaxP", verdict=HOLDS, where="Section V-B", title="For a set of hypotheses the largest numbers count")
def worst_over_a_set():
    r"""For a whole set of pairs of hypotheses, take the largest $\varepsilon$ and the largest $\delta$ that were found
    for a single one.

    Safe, because a hypothesis that keeps $(\varepsilon,\delta)$ keeps anything larger; for infinite sets read supremum.
    Usually more than is needed: the pair with the largest $\varepsilon$ need not be the one with the largest $\delta$.
    """
    rng, rows = np.random.default_rng(47), []
    for _ in range(6):
        parts, found = random_parts(rng, 2), []
        for _ in range(3):
            laws = brute.random_hypothesis(rng, 2), brute.random_hypothesis(rng, 2)
            delta = Fraction(int(rng.integers(25, 40)), 100)
            curve = hypothesis_dp(worst_pairs(parts), *map(Hypothesis.from_dict, laws))
            exact = brute.least_ratio_both(*exact_pair(parts, *laws), delta)
            ensure(curve.ratio(delta) == exact, "each pair of hypotheses, by all views")
            found.append((exact, delta, laws))
        ratio, delta = max(r for r, _, _ in found), max(d for _, d, _ in found)
        needed = max(reference.hockey_stick_both(*exact_pair(parts, *laws), ratio) for _, _, laws in found)
        ensure(needed <= delta, "the two maxima hold for all of them")
        rows.append((float(ratio), delta, float(needed)))
    return Table(rows, ["largest e^eps", "largest delta", "exact delta needed at that epsilon"])


@claim("HBW-VB-Recipe", verdict=FALSE, where="Section V-B", title="Average the guarantees of matched vectors")
def matching_recipe():
    r"""To compare two laws on vectors, match their weights by Algorithm 3 into triples $(b_0,b_1,w_i)$, find
    $(\varepsilon_i,\delta_i)$ for each, and take $e^\varepsilon=\sum_iw_ie^{\varepsilon_i}$ and
    $\delta=\sum_iw_i\delta_i$.

    False if both hypotheses are composite, even with the best matching: for $\{0^k,1^k\}$ against $\{10^{k-1},1^k\}$,
    uniform, it gives $(1+x)/2$ with $x=e^{\varepsilon}$, and exact is $(x^k+1)/(x^{k-1}+1)$. A mixture is bounded by a
    *single* vector in this way; a single vector by a mixture if no $\varepsilon_i$ is larger with a smaller
    $\delta_i$, else not always. What holds instead: HBW-X-3 for a single vector, HBW-X-4 always. The value also depends
    on the matching.
    """
    rows = []
    for k, x in ((2, 3), (3, 3), (10, math.e)):
        names = ["0" * k, "1" * k], ["1" + "0" * (k - 1), "1" * k]
        name = f"twins, k = {k}, x = {'e' if k == 10 else x}"
        rows.append(recipe_row(name, [(x, 0)] * k, *map(Hypothesis.uniform, names)))
        ensure(all_close(rows[-1][1:4:2], ((1 + x) / 2, (x**k + 1) / (x ** (k - 1) + 1)), 1e-11), "both formulas")
    few, single = (Hypothesis.fewer_than(5, 2), Hypothesis.at_least(5, 2)), Hypothesis.point("00")
    rows.append(recipe_row("fewer than 2 of 5, or more, x = 2", [(2, 0)] * 5, *few))
    mixture, unequal = Hypothesis.uniform(["10", "01"]), [(1, TENTH), (10, 0)]
    rows.append(recipe_row("00, or 01 and 10, unequal rounds", unequal, single, mixture))
    ensure(all(row[4] > row[2] for row in rows), "more delta is lost than the recipe says")
    ensure(all_close(rows[0][1:5], (2, 0, 2.5, 1 / 16)), "k = 2")
    ensure(all_close([math.log(rows[2][i]) for i in (1, 3)], (0.6201145069582775, 0.999921996709494)), "k = 10")
    ensure(close(rows[2][4], 0.10046397691191, 1e-11), "k = 10, delta")
    ensure(all_close(rows[3][1:5], (187 / 39, 0, 696 / 143, 31 / 56862), 1e-11), "the medical practices")
    ensure(all_close((rows[4][1], rows[4][2], rows[4][4]), (5.5, 0.05, 29 / 440)), "a single vector")
    twin, paths = Hypothesis.uniform(["0000", "1111"]), (("0000", "1111"), ("1111", "0000"))
    told = [
        matching_bound(Guarantee(math.log(3)), twin, twin, [(a, b, HALF) for a, b in zip(paths[0], path, strict=True)])
        for path in paths
    ]
    ensure(all_close([math.exp(recipe.epsilon) for recipe in told], (1, 81)), "equal laws, two matchings: 1 and 81")
    check_where_the_recipe_holds()
    return Table(rows, ["hypotheses", "recipe e^eps", "recipe delta", "exact e^eps", "exact delta at the recipe's eps"])


def recipe_row(name: str, parts: list, h0: Hypothesis, h1: Hypothesis) -> tuple:
    """Compare the recipe with the exact curve, which is compared with all views where x is a fraction."""
    recipe, exact = matching_bound(promises(parts), h0, h1), hypothesis_dp(promises(parts), h0, h1)
    ensure(not all(recipe.valid.values()), "the library refuses it")
    ratio, lost = None if recipe.delta else math.exp(exact.epsilon(0)), exact.delta(recipe.epsilon)
    if not any(isinstance(x, float) for x, _ in parts):
        p, q = exact_pair(parts, h0.law, h1.law)
        slow = reference.hockey_stick_both(p, q, Fraction(math.exp(recipe.epsilon)))
        ensure(close(lost, float(slow), 1e-11), "delta by all views")
        ensure(ratio is None or close(ratio, float(brute.least_ratio_both(p, q)), 1e-11), "epsilon by all views")
    return name, math.exp(recipe.epsilon), recipe.delta, ratio, lost


def check_where_the_recipe_holds() -> None:
    """Wherever the library says that the recipe holds, compare it with all views."""
    rng, held = np.random.default_rng(48), 0
    for i in range(24):
        parts = random_parts(rng, 2)
        laws = [brute.random_hypothesis(rng, 2, atoms) for atoms in ((1, 3), (3, 1), (2, 3))[i % 3]]
        recipe = matching_bound(promises(parts), *map(Hypothesis.from_dict, laws), matching=("best", "last")[i % 2])
        p, q = exact_pair(parts, *laws)
        told = Guarantee(recipe.epsilon, min(recipe.delta, 1))
        ensure(not recipe.valid["pq"] or keeps(p, q, told), "the first by the second")
        ensure(not recipe.valid["qp"] or keeps(q, p, told), "the second by the first")
        held += recipe.valid["pq"] + recipe.valid["qp"]
    ensure(held >= 16, "often enough to mean something")


@claim(
    "HBW-VB-Coincide", verdict=FALSE, where="Section V-B", title="Given the rounds that agree, the views have one law"
)
def rounds_that_agree():
    r"""The answers of rounds in which $b_0$ and $b_1$ agree do not help, the paper argues, because *given those
    answers* the view has the same law under both vectors. So only the rounds in which they differ are composed.

    The conclusion is right, the displayed equation is not: given $Y_1$, the answer $Y_2$ of a round that differs still
    has different laws. Right is: given the history, the answer of a round that *agrees* has the same law under both.
    Its marginal law may differ, since an adaptive adversary can let it repeat an earlier answer.
    """
    coin, rows = mechanisms.randomized_response(ratio=3), []
    law = {b: view_law(lambda view: coin, [[coin]] * 2, b) for b in ("00", "01")}
    given = [law[b][0, 0] / (law[b][0, 0] + law[b][0, 1]) for b in ("00", "01")]
    ensure(given == [Fraction(3, 4), Fraction(1, 4)], "round 1 agrees, round 2 does not")
    rows.append(("P(Y2 = 0 | Y1 = 0)", "00 and 01", *given))
    repeat = {y: Pair([1 - y, y], [1 - y, y]) for y in (0, 1)}
    law = {
        b: view_law(lambda view: repeat[view[0]] if view else coin, [[coin], [*repeat.values()]], b)
        for b in ("00", "10")
    }
    margin = [sum(w for view, w in law[b].items() if view[1] == 1) for b in ("00", "10")]
    ensure(margin == [Fraction(1, 4), Fraction(3, 4)], "round 2 agrees, and repeats round 1")
    rows.append(("P(Y2 = 1), Y2 repeats Y1", "00 and 10", *margin))
    rng = np.random.default_rng(49)
    for _ in range(12):
        parts, ratio = random_parts(rng, 3), 1 + Fraction(int(rng.integers(30)), 10)
        b0, b1 = (tuple(map(int, rng.integers(2, size=3))) for _ in range(2))
        differ = [table(*part) for part, a, b in zip(parts, b0, b1, strict=True) if a != b]
        worst = reference.hockey_stick(*reference.product_pair(differ), ratio) if differ else 0
        told = hypothesis_dp(worst_pairs(parts), Hypothesis.point(b0), Hypothesis.point(b1)).delta(ratio=ratio)
        tree = brute.tree_pair(brute.random_tree(rng, 3, parts, 2), {b0: 1}, {b1: 1})
        ensure(told == worst and reference.hockey_stick_both(*tree, ratio) <= worst, "only the differing rounds count")
    return Table(rows, ["probability", "vectors", "under the first", "under the second"])
