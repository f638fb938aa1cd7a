"""Claims of Hartmann, Bindschaedler and West: which bit vectors are meant (section III)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

from mpmath import mp

from ... import Guarantee, Table, mechanisms, optimal
from ...experiment import (
    Hypothesis,
    contribution_bound,
    hypothesis_dp,
    matching_bound,
    view_law,
)
from ...experiment.bits import show_bits
from ..entries import DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close, hockey_stick_both
from ..reference.experiment import vectors
from .rounds import MIXED, coins, point, reference_ratio, shares, worst_rounds


@claim("HBW-Sec3-Hb", verdict=DEFINITION, where="Section III", title="One hypothesis for every bit vector")
def one_hypothesis_a_vector():
    r"""For $\mathbf b\in\{0,1\}^k$ the hypothesis $H_{\mathbf b}$ says that round $i$ used $\mathbf x_i^{b_i}$, for all
    $i$. The classic experiment only knows $H_{\vec0}$ and $H_{\vec1}$.

    If everything is submitted beforehand, the law of the answers under $H_{\mathbf b}$ is a product, one factor a
    round. For equal coins two hypotheses are told apart as well as their vectors are far apart.
    """
    rows, coin = [], mechanisms.randomized_response(ratio=3)
    laws = {b: view_law(lambda _: coin, [[coin]] * 3, b) for b in vectors(3)}
    for b, law in laws.items():
        ensure([law[y] for y in vectors(3)] == brute.views(coins(3, 3), b), "a product for every vector")
        pair = [[laws[c][y] for y in vectors(3)] for c in ((0, 0, 0), b)]
        told = hypothesis_dp(coin, Hypothesis.point("000"), Hypothesis.point(b))
        ensure(told.ratio() == reference_ratio(*pair) == 3 ** sum(b), "3 for every bit that differs")
        tv = told.delta(ratio=1)
        ensure(tv == reference.delta_by_events(*pair, 1), "the total variation, by all events")
        rows.append((show_bits(b), law[0, 0, 0], law[1, 1, 1], tv, told.ratio()))
    return Table(rows, ["b", "P(view 000)", "P(view 111)", "total variation from 000", "e^eps from 000"])


@claim(
    "HBW-Ex-III-1",
    verdict=HOLDS,
    where="Section III-A, Example 1",
    title="Owning any of several programs is beyond one bit",
)
def office_suite():
    r"""A suite is bought as a whole: only $\vec0$ and $\vec1$ are possible. With programs sold one by one, "owns at
    least one" is $H_{\vec0}$ against the uniform law on all other vectors, and no run of the classic experiment is
    about that.

    The uniform law is called uninformative, but it knows the number well: of six programs 3.05 on average, seldom
    nearly all. An adversary to whom every number from 1 to 6 is equally likely learns more from a view that says
    "some"; from one that says "none" also more with $\varepsilon=0.3$, but less with $\varepsilon=\ln3$.
    """
    k, part, rows = 6, Guarantee(0.3), []
    sold = {
        "suite": (Hypothesis.point([1] * k), [0] * k + [1]),
        "one by one": (Hypothesis.nonzero(k), shares(k, range(1, k + 1))),
        "uniform number": (Hypothesis.by_count(k, [0] + [Fraction(1, k)] * k), [0] + [Fraction(1, k)] * k),
    }
    for name, (owns, numbers) in sold.items():
        told = hypothesis_dp(part, Hypothesis.point([0] * k), owns)
        zero, some = (brute.count_law(k, 0.3, law) for law in ([1], numbers))
        for delta, (direction, pair) in product((0, 1e-3), (("qp", (some, zero)), ("pq", (zero, some)))):
            by_hand = mp.log(brute.least_ratio(*pair, delta))
            ensure(close(told.epsilon(delta, direction), by_hand, 1e-11), "all numbers of ones, with 50 digits")
        rows.append((name, float(owns.mean_count()), *(told.epsilon(d, w) for d in (0, 1e-3) for w in ("qp", "pq"))))
    known = (0.9770395382598798, 0.853596541119496, 0.9115657277803073, 0.8253714648791351)
    ensure(all_close(rows[1][2:], known, 1e-11), "sold one by one")
    ensure(close(rows[0][2], 1.8) and close(rows[0][4], 1.771774923759639, 1e-11), "the suite")
    ensure(close(rows[1][1], k * 2 ** (k - 1) / (2**k - 1)), "3.05 programs on average")
    ensure(all(a < b for a, b in zip(rows[1][2:], rows[2][2:], strict=True)), "a uniform number says more")
    coin, told = mechanisms.randomized_response(ratio=3), {}
    for name in ("one by one", "uniform number"):
        owns, numbers = sold[name]
        both = hypothesis_dp(coin, Hypothesis.point([0] * k), owns)
        told[name] = both.ratio(0, "qp"), both.ratio(0, "pq")
        up, down = (sum(q * Fraction(3) ** (way * j) for j, q in enumerate(numbers)) for way in (1, -1))
        ensure(told[name] == (up, 1 / down), "the views 1...1 and 0...0, by hand")
    some, none = zip(*told.values(), strict=True)
    ensure(some[0] < some[1] and none[0] > none[1], "with e^eps = 3 it says less about none")
    by_vectors = brute.mixed_pair(coins(3, 3), point("000"), brute.uniform(vectors(3)[1:]))
    exact = hypothesis_dp(mechanisms.randomized_response(ratio=3), Hypothesis.point("000"), Hypothesis.nonzero(3))
    ensure(exact.ratio() == brute.least_ratio_both(*by_vectors) == Fraction(4**3 - 1, 2**3 - 1), "all vectors")
    names = ["sold as", "mean number", "some / none", "none / some", "some / none, 1e-3", "none / some, 1e-3"]
    return Table(rows, names)


@claim(
    "HBW-Ex-III-2",
    verdict=HOLDS,
    where="Section III-A, Example 2",
    title="At least k' practices is a test of two uniform laws",
)
def medical_practices():
    r"""Whether an applicant has been to at least $k'$ of $k$ doctors is a test of the uniform law on vectors with fewer
    than $k'$ ones against the uniform law on the others.

    With randomized response the number of ones is all that counts, and its likelihood ratio is monotone: at $\delta=0$
    the views $1^k$ and $0^k$ decide. The recipe of section V-B is no guarantee here, even with its best matching: for
    $k=5$, $k'=2$, $e^{\varepsilon}=2$ it promises $e^{\varepsilon}=4.79$, the truth is 4.87. And for many practices it
    is no question about the threshold: for $k=1000$, $k'=250$ the uniform laws have 248.5 and 500 ones on average.
    """
    rows = []
    for k, m, ratio in ((4, 2, 3), (6, 2, 3), (6, 4, 3), (5, 2, 2)):
        few, many = ([b for b in vectors(k) if (sum(b) < m) == small] for small in (True, False))
        laws = brute.mixed_pair(coins(ratio, k), brute.uniform(few), brute.uniform(many))
        told = hypothesis_dp(
            mechanisms.randomized_response(ratio=ratio), Hypothesis.fewer_than(k, m), Hypothesis.at_least(k, m)
        )
        up, down = told.ratio(0, "qp"), told.ratio(0, "pq")
        ensure((up, down) == (brute.least_ratio(*laws[::-1]), brute.least_ratio(*laws)), "all vectors")
        ensure(up == laws[1][-1] / laws[0][-1] and down == laws[0][0] / laws[1][0], "the views 1...1 and 0...0")
        rows.append((k, m, f"ln {ratio}", math.log(up), math.log(down), k * math.log(ratio)))
    known = (Fraction(1215, 143), Fraction(9513, 361), Fraction(35721, 3817), Fraction(696, 143))
    ensure(all_close([math.exp(row[3]) for row in rows], known), "view 1...1")
    for k, m, eps, known in ((20, 5, 0.5, (3.723564701397708, 3.317152270526777)),
                             (50, 30, 0.1, (0.7266509357915943, 0.3880338528599257))):  # fmt: skip
        told = hypothesis_dp(Guarantee(eps), Hypothesis.fewer_than(k, m), Hypothesis.at_least(k, m))
        laws = [brute.count_law(k, eps, shares(k, some)) for some in (range(m), range(m, k + 1))]
        for delta, expected in zip((0, 1e-6), known, strict=True):
            by_hand = mp.log(brute.least_ratio_both(*laws, delta))
            ensure(close(told.epsilon(delta), by_hand, 1e-11) and close(by_hand, expected, 1e-11), "numbers of ones")
        rows.append((k, m, eps, told.epsilon(0, "qp"), told.epsilon(0, "pq"), k * eps))
    recipe = matching_bound(Guarantee(math.log(2)), Hypothesis.fewer_than(5, 2), Hypothesis.at_least(5, 2))
    ensure(close(recipe.epsilon, math.log(187 / 39)) and recipe.epsilon < rows[3][3], "the recipe says too little")
    ensure(not any(recipe.valid.values()), "and the library says that it is none")
    few, many = Hypothesis.fewer_than(1000, 250).mean_count(), Hypothesis.at_least(1000, 250).mean_count()
    by_hand = [sum(j * p for j, p in enumerate(shares(1000, some))) for some in (range(250), range(250, 1001))]
    ensure([few, many] == by_hand and all_close(map(float, by_hand), (248.5, 500.0), 1e-3), "248.5 and 500 ones")
    return Table(rows, ["k", "k'", "eps", "many / few", "few / many", "classic, k eps"])


@claim("HBW-Ex-III-3", verdict=HOLDS, where="Section III-A, Example 3", title="A cap of 365 restricts the hypotheses")
def hospitals_as_vectors():
    r"""That nobody is in more than 365 databases is a constraint on the hypotheses: only $H_{\mathbf b}$ with
    $\|\mathbf b\|_1\le365$ are possible.

    In miniature, with four different mechanisms and all vectors with at most one or two ones: the worst comparison with
    $\vec0$, and the worst of any two, are the worst compositions of as many rounds as the vectors differ in.
    """
    parts, rows = [*MIXED, (2, 0)], []
    tables, _ = worst_rounds(parts)
    guarantees = [Guarantee(math.log(r), float(d)) for r, d in parts]
    laws = {b: brute.views(tables, b) for b in vectors(4)}
    for m, neighbours, ratio in product((1, 2), ("unbounded", "bounded"), (1, 2)):
        possible = [b for b in vectors(4) if sum(b) <= m]
        left = [(0,) * 4] if neighbours == "unbounded" else possible
        exact = max(hockey_stick_both(laws[a], laws[b], ratio) for a in left for b in possible)
        told = contribution_bound(guarantees, m, neighbours).delta(math.log(ratio))
        ensure(close(told, float(exact)), "the library finds the worst subset")
        rows.append((m, "nowhere" if neighbours == "unbounded" else "any two", ratio, float(exact), told))
    classic = optimal(guarantees)
    ensure(close(rows[-1][3], classic.delta(math.log(2))) and rows[0][3] < classic.delta(0), "twice two is all four")
    return Table(rows, ["at most", "compared with", "e^eps", "largest delta of all vectors", "worst subset of rounds"])
