"""Claims of Kairouz, Oh and Viswanath, section 3.1: the experiment and the optimal composition theorem.

Wherever e^eps can be chosen a fraction, so that randomized response is exact, the checks are exact.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from ... import Guarantee, Pair, Table, composition, mechanisms, optimal
from ..entries import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import TENTH, maps, random_pairs, region_by_cuts

RATIOS = (Fraction(3, 2), Fraction(3))  # values of e^eps


@claim("KOV-Def-Experiment", verdict=DEFINITION, where="Section 3", title="The composition experiment")
def composition_experiment():
    r"""An adversary asks $k$ times. Each time it picks, after what it has seen, two neighbouring databases, a query and
    a private mechanism, and is answered from the first or the second, as one hidden bit says throughout. Its view is
    its own randomness and all answers.

    The parameters $(\varepsilon,\delta)$ are fixed beforehand; only the choices adapt. Random adversaries with random
    $(\ln 3, 1/10)$-private mechanisms, found by trying all events, stay below Theorem 3.3.
    """
    rng, rows = np.random.default_rng(19), []
    pool = [reference.worst_pair(3, TENTH)]
    while len(pool) < 12:
        p, q = reference.random_law(rng, 3, 20), reference.random_law(rng, 3, 20)
        pool += [(p, q)] if reference.is_private(p, q, 3, TENTH) else []
    for k in (1, 2, 3):
        limit, views = mechanisms.randomized_response(ratio=3, delta=TENTH) ** k, []
        for _ in range(8):
            views.append(adversary(rng, pool, k))
            ensure(limit.dominates(Pair(*views[-1])), "the adversary stays inside the region")
        row = [k]
        for ratio in (1, 3):
            best = max(reference.hockey_stick_both(*view, ratio) for view in views)
            exact = 1 - (1 - TENTH) ** k * (1 - reference.excess_of_coins(k, 3, ratio))
            ensure(best <= exact == limit.delta(ratio=ratio), "and below the optimum")
            row += [float(best), float(exact)]
        rows.append(row)
    return Table(rows, ["k", "best of 8, eps = 0", "optimum, eps = 0", "best of 8, eps = ln 3", "optimum, eps = ln 3"])


def adversary(rng, pool, k: int) -> tuple[list, list]:
    """Return the laws of a view: after each answer some other mechanism is asked, either way round."""
    if k == 0:
        return [Fraction(1)], [Fraction(1)]
    pair = pool[rng.integers(len(pool))]
    p, q = pair if rng.integers(2) else pair[::-1]
    view: tuple[list, list] = ([], [])
    for a, b in zip(p, q, strict=True):
        later = adversary(rng, pool, k - 1)
        view[0].extend(a * x for x in later[0])
        view[1].extend(b * y for y in later[1])
    return view


@claim("KOV-Thm-3.1", verdict=HOLDS, where="Theorem 3.1", title="Basic composition: both numbers add up")
def basic_composition():
    r"""The $k$-fold composition of $(\varepsilon,\delta)$-private mechanisms is $(k\varepsilon, k\delta)$-private.

    The exact $\delta$ at $k\varepsilon$ is $1-(1-\delta)^k$, found here by running through all $4^k$ outcomes; it is
    smaller than $k\delta$ as soon as $k \ge 2$ and $\delta > 0$.
    """
    for k, ratio, delta in product((1, 2, 3, 4), RATIOS, (0, TENTH)):
        p, q = reference.product_pair([reference.worst_pair(ratio, delta)] * k)
        exact = 1 - (1 - delta) ** k
        ensure(reference.hockey_stick(p, q, ratio**k) == exact <= k * delta, "by enumeration")
        ensure(
            (mechanisms.randomized_response(ratio=ratio, delta=delta) ** k).delta(ratio=ratio**k) == exact, "by merging"
        )
    rows = []
    for k in (1, 2, 10, 100, 1000):
        told, exact = composition.basic(Guarantee(0.1, 0.001), k), optimal(Guarantee(0.1, 0.001), k=k)
        ensure(close(told.epsilon, k / 10) and close(told.delta, k / 1000), "both add up")
        ensure(
            close(exact.delta(told.epsilon), 1 - 0.999**k, 1e-11) and exact.delta(told.epsilon) <= told.delta,
            "the bound holds",
        )
        rows.append((k, *told, exact.delta(told.epsilon)))
    ensure(close(rows[2][3], 0.009955119790251765), "k = 10")
    return Table(rows, ["k", "k eps", "k delta", "exact delta at k eps"])


@claim("KOV-Sec3.1-HetBasic", verdict=HOLDS, where="Section 3.1", title="Unequal mechanisms: both numbers add up")
def basic_composition_of_unequal_mechanisms():
    r"""If the mechanisms are $(\varepsilon_i,\delta_i)$-private, the composition is
    $(\sum\varepsilon_i, \sum\delta_i)$-private.

    The exact value at $\sum\varepsilon_i$ is $1-\prod(1-\delta_i)$, by enumeration in fractions.
    """
    rng, rows = np.random.default_rng(21), []
    for k in (2, 2, 3, 3, 4):
        ratios = [1 + Fraction(int(x), 4) for x in rng.integers(1, 9, size=k)]
        deltas = [Fraction(int(x), 50) for x in rng.integers(0, 6, size=k)]
        pairs = [reference.worst_pair(r, d) for r, d in zip(ratios, deltas, strict=True)]
        exact = reference.hockey_stick(*reference.product_pair(pairs), math.prod(ratios))
        ensure(exact == 1 - math.prod(1 - d for d in deltas) <= sum(deltas), "a product, at most the sum")
        given = [Guarantee(math.log(r), float(d)) for r, d in zip(ratios, deltas, strict=True)]
        told = composition.basic(given)
        ensure(close(told.epsilon, math.log(math.prod(ratios))) and close(told.delta, float(sum(deltas))), "the sums")
        ensure(abs(optimal(given).delta(told.epsilon) - float(exact)) < 1e-14, "the library's optimum")
        rows.append((k, told.epsilon, sum(deltas), exact, float(exact)))
    return Table(rows, ["k", "sum of eps", "sum of delta", "exact", "exact as a decimal"])


@claim("KOV-Sec3.1-BasicTight", verdict=FALSE, where="Section 3.1", title="Basic composition cannot be tightened")
def basic_composition_is_tight():
    r"""Without more $\delta$ the basic bound is said to be unimprovable: some mechanisms are said to meet
    $(\sum\varepsilon_i, \sum\delta_i)$ with equality.

    Equality holds with $1-\prod(1-\delta_i)$ in place of $\sum\delta_i$. As soon as two $\delta_i$ are positive that is
    less, and a smaller $\varepsilon$ is enough for a total of $\sum\delta_i$. With at most one the claim is true.
    """
    pair = mechanisms.randomized_response(ratio=3, delta=TENTH) ** 2
    ensure(pair.delta(ratio=9) == Fraction(19, 100), "19/100, not 20/100")
    smaller = reference.ratio_by_events([*pair.p], [*pair.q], Fraction(2, 10))
    ensure(pair.ratio(Fraction(2, 10)) == smaller < 9, "so a smaller eps suffices, by all events")
    rows = []
    for k, eps, delta in ((2, 1.0, 0.1), (10, 0.1, 0.001), (30, 0.1, 0.001)):
        told, exact = composition.basic(Guarantee(eps, delta), k), optimal(Guarantee(eps, delta), k=k)
        enough = exact.epsilon(k * delta)
        ensure(close(enough, reference.optimal_epsilon(eps, delta, k, k * delta)) and enough < told.epsilon, "smaller")
        rows.append((k, eps, delta, *told, enough))
    expected = (1.9766290874098748578, 0.9710769184818017, 1.5905230639557462)
    ensure(all_close([row[5] for row in rows], expected, 1e-11), "the three counterexamples")
    ensure(optimal([Guarantee(1, 0.1), Guarantee(1, 0)]).epsilon(0.1) == 2, "one delta: tight")
    ensure(optimal(Guarantee(1, 0), k=5).epsilon(0) == 5, "no delta: tight")
    return Table(rows, ["k", "eps", "delta", "k eps", "k delta", "eps that suffices at k delta"])


@claim("KOV-Eq-4", verdict=HOLDS, where="Equation (4)", title="The epsilon of advanced composition")
@claim("KOV-Thm-3.2", verdict=HOLDS, where="Theorem 3.2", title="Advanced composition: less epsilon for more delta")
def advanced_composition():
    r"""Spending $\tilde\delta$ more, the composition is $(\tilde\varepsilon, k\delta+\tilde\delta)$-private with
    $\tilde\varepsilon = k\varepsilon(e^{\varepsilon}-1)+\varepsilon\sqrt{2k\log(1/\tilde\delta)}$ (Dwork, Rothblum and
    Vadhan).

    The exact $\delta$ at that $\tilde\varepsilon$, summed with 50 digits, stays far below.
    """
    rows = []
    for k, eps, delta, slack in (
        (1, 1.0, 0.0, 0.5), (10, 0.5, 0.0, 0.01), (30, 0.1, 0.0, 1e-5), (30, 0.1, 0.001, 0.1),
        (100, 0.1, 1e-8, 1e-6), (300, 0.01, 0.0, 1e-3), (50, 2.0, 1e-4, 0.9),
    ):  # fmt: skip
        told = composition.advanced(Guarantee(eps, delta), slack, k)
        ensure(close(told.epsilon, reference.old_bound([(eps, k)], slack), 1e-13), "equation (4)")
        ensure(close(told.delta, k * delta + slack), "the deltas add up")
        exact = reference.optimal_delta(eps, delta, k, told.epsilon)
        ensure(exact <= told.delta, "valid")
        rows.append((k, eps, delta, *told, float(exact)))
    ensure(close(rows[2][3], 2.943773639105409), "k = 30")
    return Table(rows, ["k", "eps", "delta", "told eps", "told delta", "exact delta there"])


@claim(
    "KOV-Sec3.1-OrderRemark",
    verdict=CORRECTED,
    where="Section 3.1",
    title="Advanced composition gives much less than k epsilon",
)
def when_advanced_composition_pays():
    r"""Theorem 3.2 is said to give $O(k\varepsilon^2+\sqrt{k\varepsilon^2})$, significantly less than $k\varepsilon$.

    Only if $\varepsilon < \ln 2$ and $k > 2\log(1/\tilde\delta)/(2-e^{\varepsilon})^2$; otherwise it is the larger one.
    The $O$ also hides $\sqrt{\log(1/\tilde\delta)}$.
    """
    slack, rows = 1e-6, []
    expected = {0.01: 28.194900181, 0.1: 34.507758843, 0.5: 223.92017689, 0.69: 699616.54}
    for eps, value in expected.items():
        threshold = 2 * math.log(1 / slack) / (2 - math.exp(eps)) ** 2
        ensure(close(threshold, value, 1e-8), "the threshold")
        below, above = math.floor(threshold), math.ceil(threshold)
        told = [composition.advanced(Guarantee(eps), slack, k).epsilon for k in (below, above)]
        ensure(told[0] > composition.basic(Guarantee(eps), below).epsilon, "worse before")
        ensure(told[1] < composition.basic(Guarantee(eps), above).epsilon, "better afterwards")
        rows.append((eps, above, told[1], above * eps))
    never = composition.advanced(Guarantee(1), slack, 10**6).epsilon
    ensure(close(never, 1723538.35, 1e-8) and never > 10**6, "never for eps >= ln 2")
    rows.append((1.0, 10**6, never, 1e6))
    return Table(rows, ["eps", "k", "Theorem 3.2", "k eps"])


def printed_delta(k: int, i: int, ratio):
    """Return delta_i by equation (6), term by term; `ratio` is e^eps."""
    terms = (math.comb(k, j) * (ratio ** (k - j) - ratio ** (k - 2 * i + j)) for j in range(i))
    return sum(terms, 0 * ratio) / (1 + ratio) ** k


@claim("KOV-Eq-5", verdict=HOLDS, where="Equation (5)", title="The optimal guarantees")
@claim(
    "KOV-Thm-3.3",
    verdict=HOLDS,
    where="Theorem 3.3",
    title="The optimal composition theorem: these guarantees and no better",
)
def optimal_composition():
    r"""The $k$-fold composition is $((k-2i)\varepsilon, 1-(1-\delta)^k(1-\delta_i))$-private for
    $i = 0,\dots,\lfloor k/2\rfloor$, with the $\delta_i$ of equation (6), and nothing better is true in general.

    Between these points $\delta$ is linear in $e^{\varepsilon}$. Checked against all $4^k$ outcomes in fractions, and
    against 50-digit sums.
    """
    for k, ratio, delta in product((1, 2, 3, 4), RATIOS, (0, TENTH)):
        p, q = reference.product_pair([reference.worst_pair(ratio, delta)] * k)
        for i in range(k // 2 + 1):
            exact = 1 - (1 - delta) ** k * (1 - printed_delta(k, i, ratio))
            ensure(reference.hockey_stick(p, q, ratio ** (k - 2 * i)) == exact, "(5) by enumeration")
    rows = []
    for (k, eps, delta, at), value in EXACT_DELTAS.items():
        found = optimal(Guarantee(eps, delta), k=k).delta(at)
        ensure(close(found, value) and close(found, reference.optimal_delta(eps, delta, k, at)), "delta at eps")
        rows.append((k, eps, delta, at, found))
    for (k, eps, delta, at), value in EXACT_EPSILONS.items():
        found = optimal(Guarantee(eps, delta), k=k).epsilon(at)
        ensure(close(found, value) and close(found, reference.optimal_epsilon(eps, delta, k, at)), "eps at delta")
    return Table(rows, ["k", "eps", "delta", "at eps", "exact delta"])


DELTAS_OF_TEN = (
    0.000288233857618648,
    0.0031322675761113533,
    0.016080131993212995,
    0.05230441400313116,
    0.12253622356149267,
)  # equation (6) for k = 10, eps = 0.1 and i = 1, ..., 5
EXACT_DELTAS = {  # (k, eps, delta, at): delta at the epsilon `at`
    (1, 1.0, 0.0, 0.5): 0.28764913664496792,
    (2, 1.0, 0.1, 1.0): 0.46364611683910335,
    (10, 0.1, 0.001, 0.5): 0.019785896082205528,
    (30, 0.1, 0.001, 1.0): 0.039818410522130575,
    (100, 0.1, 1e-8, 5.0): 1.2792628358771327e-6,
    (1000, 0.01, 1e-9, 1.0): 0.00010931159664023658,
    (1000, 0.1, 0.0, 20.0): 3.4579851888497252e-7,
    (50, 1.0, 0.0, 40.0): 0.00075498787117396627,
    (20, 3.0, 0.0, 50.0): 0.7483124427201832,
}
EXACT_EPSILONS = {  # (k, eps, delta, at): epsilon at the total delta `at`
    (10, 0.1, 0.0, 1e-3): 0.75357315487905399,
    (30, 0.1, 0.001, 0.04): 0.9974558290411234,
    (100, 0.1, 0.0, 1e-6): 4.7745675881079862,
    (1000, 0.01, 0.0, 1e-6): 1.365446709993756,
    (1000, 0.1, 0.0, 1e-9): 23.275739916019328,
    (50, 1.0, 0.0, 1e-5): 45.676142751655838,
}


@claim("KOV-Eq-6", verdict=HOLDS, where="Equation (6)", title="The formula for delta_i")
def formula_for_delta_i():
    r"""The theorem's constants are
    $\delta_i=\sum_{\ell<i}\binom k\ell(e^{(k-\ell)\varepsilon}-e^{(k-2i+\ell)\varepsilon})/(1+e^{\varepsilon})^k$.

    It is $P(X<i)-e^{(k-2i)\varepsilon}Q(X<i)$ for the number $X$ of untruthful answers: binomial under both hypotheses.
    """
    for k, ratio in product((1, 2, 5, 8), (Fraction(1), Fraction(11, 10), Fraction(20))):
        for i in range(k // 2 + 1):
            by_coins = reference.excess_of_coins(k, ratio, ratio ** (k - 2 * i))
            ensure(printed_delta(k, i, ratio) == by_coins, "the same by 2^k answers")
    rows = []
    for i, value in enumerate(DELTAS_OF_TEN, 1):
        printed, found = printed_delta(10, i, math.exp(0.1)), optimal(Guarantee(0.1), k=10).delta((10 - 2 * i) * 0.1)
        ensure(abs(printed - value) < 1e-14 and abs(found - value) < 1e-14, "k = 10, eps = 0.1")
        rows.append((i, (10 - 2 * i) * 0.1, printed, found))
    return Table(rows, ["i", "(k - 2i) eps", "equation (6)", "library"])


@claim(
    "KOV-Thm-3.3-Region",
    verdict=MISPRINT,
    where="After Theorem 3.3",
    title="The region is an intersection of k regions",
)
def region_as_an_intersection():
    r"""The region of the composition is written as an intersection of $k$ regions
    $\mathcal R((k-2i)\varepsilon,\delta_i)$ with $i \in [k/2]$.

    Three slips: there are $\lfloor k/2\rfloor+1$ of them, $i = 0$ is one, and each has the $\delta$ of equation (5),
    $1-(1-\delta)^k(1-\delta_i)$. So corrected the intersection is exactly the region of $k$ worst mechanisms, and no
    member can be left out.
    """
    rows = []
    for k, ratio, delta in product((1, 2, 3, 4, 5), RATIOS, (0, TENTH)):
        coins = [(ratio ** (k - 2 * i), printed_delta(k, i, ratio)) for i in range(k // 2 + 1)]
        members = [(r, 1 - (1 - delta) ** k * (1 - d)) for r, d in coins]
        achieved = reference.hull((mechanisms.randomized_response(ratio=ratio, delta=delta) ** k).region())
        ensure(achieved == reference.hull(region_by_cuts(members, whole=True)), "the intersection is what is achieved")
        fewer = [reference.hull(region_by_cuts([m for m in members if m != left], whole=True)) for left in members]
        ensure(all(region != achieved for region in fewer), "every member is needed")
        too_small = reference.hull(region_by_cuts(coins, whole=True)) != achieved
        ensure(too_small == (delta > 0), "as printed it is right without delta only")
        rows += [(k, len(members), delta, reference.area(achieved), too_small)] if ratio == 3 else []
    one = region_by_cuts([(Fraction(3, 2), Fraction(0))], whole=True)
    ensure(not reference.inside((0, 9 * TENTH), reference.hull(one)), "as printed, the achieved (0, 9/10) is excluded")
    return Table(rows, ["k", "regions", "delta", "area, e^eps = 3", "printed one is too small"])


@claim("KOV-Thm-3.3-Tight", verdict=HOLDS, where="After Theorem 3.3", title="The bound is achieved")
def the_bound_is_achieved():
    r"""A specific mechanism reaches the region of Theorem 3.3, without adapting.

    It is randomized response that with probability $\delta$ gives the secret away. The corners of its $k$-fold region
    are $(1-\delta)^k(Q(X\le j), P(X>j))$ with $X$ binomial; compared in fractions with its $4^k$ outcomes.
    """
    rows = []
    for k, ratio, delta in product((1, 2, 3, 4), RATIOS, (0, TENTH, Fraction(9, 10))):
        corners = binomial_corners(k, ratio, delta)
        pair = Pair(*reference.product_pair([reference.worst_pair(ratio, delta)] * k))
        ensure(likelihood_ratio_corners(pair.p, pair.q) == corners, "the corners are binomial")
        merged = mechanisms.randomized_response(ratio=ratio, delta=delta) ** k
        ensure([tuple(x) for x in merged.region()[: len(corners)]] == corners, "the library's power")
        exact = optimal(Guarantee(math.log(ratio), float(delta)), k=k).region()[: len(corners)]
        ensure(np.allclose(exact, np.array(corners, dtype=float), rtol=0, atol=1e-14), "the library's optimum")
        rows += [(k, delta, 4**k, len(corners), *corners[1 + (delta > 0)])] if ratio == 3 and delta < 0.5 else []
    return Table(rows, ["k", "delta", "outcomes", "corners below", "missed detection of one", "its false alarm"])


def binomial_corners(k: int, ratio, delta) -> list[tuple]:
    """Return the lower boundary of Theorem 3.3's region from (0, 1) to (1, 0), `ratio` being e^eps."""
    law = [math.comb(k, j) * ratio ** (k - j) / (1 + ratio) ** k for j in range(k + 1)]
    keep = (1 - delta) ** k
    inner = [(keep * sum(law[k - j + 1 :]), keep * sum(law[j:])) for j in range(k + 2)]
    return inner if delta == 0 else [(0, 1), *inner, (1, 0)]


def likelihood_ratio_corners(p, q) -> list[tuple]:
    """Return the lower boundary of a pair's region: outcomes of equal likelihood ratio enter a test together."""
    groups: dict = {}
    for a, b in zip(p, q, strict=True):
        if a + b > 0:
            x, y = groups.get(a / (a + b), (0, 0))
            groups[a / (a + b)] = x + a, y + b
    corners = [(Fraction(0), Fraction(1))]
    for share in sorted(groups, reverse=True):
        a, b = groups[share]
        corners.append((corners[-1][0] + b, corners[-1][1] - a))
    return corners


@claim("KOV-Thm-3.3-Dominant", verdict=HOLDS, where="After Theorem 3.3", title="One mechanism simulates all others")
def one_mechanism_simulates_all():
    r"""From the output of one dominant mechanism every $(\varepsilon,\delta)$-private mechanism can be simulated.

    Random pairs; their least $\delta$ at some $\varepsilon$ by all events; then the map by a linear program. With a
    little less $\delta$ there is no map.
    """
    rng, rows = np.random.default_rng(32), []
    for ratio in (1, Fraction(3, 2), 2, 4):
        deltas = []
        for p, q in random_pairs(rng, 4, 4):
            delta = max(reference.delta_by_events(p, q, ratio), reference.delta_by_events(q, p, ratio))
            found = mechanisms.randomized_response(ratio=ratio, delta=delta).simulates(Pair(p, q))
            ensure(found is not None and maps(found, dominant(ratio, delta), (p, q)), "simulated")
            less = mechanisms.randomized_response(ratio=ratio, delta=delta * 99 / 100)
            ensure(delta == 0 or less.simulates(Pair(p, q)) is None, "not with less delta")
            deltas.append(float(delta))
        rows.append((ratio, len(deltas), min(deltas), max(deltas)))
    return Table(rows, ["e^eps", "pairs simulated", "least delta among them", "largest delta"])


def dominant(ratio, delta) -> tuple[list, list]:
    """Return the dominant pair, without the outcomes that never happen."""
    p, q = reference.worst_pair(ratio, delta)
    return (p, q) if delta > 0 else (p[1:3], q[1:3])


@claim("KOV-Fig-2", verdict=CORRECTED, where="Figure 2", title="The region grows with k")
def region_grows():
    r"""The figure draws the regions for $k = 1,\dots,5$, without $\delta$ above and with $\delta$ below.

    Its parameters are not printed; here $\varepsilon = 0.4$, and $\delta = 0$ or $0.1$. Its caption names $\delta_i$
    for both panels; the lower one needs $1-(1-\delta)^k(1-\delta_i)$, which shrinks the inner corners by
    $(1-\delta)^k$.
    """
    rows, regions = [], {}
    for k, delta in product(range(1, 6), (0.0, 0.1)):
        region = regions[k, delta] = optimal(Guarantee(0.4, delta), k=k).region()
        corners = np.array(binomial_corners(k, math.exp(0.4), delta))
        ensure(np.allclose(region[: len(corners)], corners, rtol=0, atol=1e-14), "the corners are binomial")
        ensure(k == 1 or contains(region, regions[k - 1, delta]), "each region contains the one before")
    for k, (x, y) in FIGURE_2.items():
        inner = regions[k, 0.0][1], regions[k, 0.1][2]
        ensure(np.allclose(inner[0], (x, y), rtol=1e-13, atol=0), "the first inner corner")
        ensure(np.allclose(inner[1], 0.9**k * inner[0], rtol=1e-13, atol=0), "shrunk by (1 - delta)^k")
        rows.append((k, *inner[0], *inner[1]))
    return Table(rows, ["k", "missed, delta = 0", "alarm, delta = 0", "missed, delta = 0.1", "alarm, delta = 0.1"])


FIGURE_2 = {
    1: (0.401312339887548, 0.401312339887548),
    2: (0.161051594146019, 0.641573085629077),
    3: (0.0646319920893586, 0.785414229313946),
    4: (0.025937615976974, 0.871530147054539),
    5: (0.0104090853588241, 0.923086684345091),
}


def contains(outer, inner) -> bool:
    """Say whether one region (a list of corners) holds another, up to rounding."""
    corners = reference.hull(map(tuple, outer))
    edges = zip(corners, [*corners[1:], corners[0]], strict=True)
    return all(reference.turn(a, b, point) >= -1e-13 for a, b in edges for point in inner)


@claim(
    "KOV-Fig-3a",
    verdict=HOLDS,
    where="Figure 3, left",
    title="For 30 queries Theorem 3.3 lies inside Theorems 3.1 and 3.2",
)
def three_theorems_compared():
    r"""For 30 mechanisms that are $(0.1, 0.001)$-private, the region of Theorem 3.3 lies inside those of Theorems 3.1
    and 3.2.

    Theorem 3.2 gives a region for each $\tilde\delta$; together they cut out their intersection. Compared where both
    errors are equal: the larger, the more private. Of 3.1 and 3.2 neither contains the other.
    """
    coin, slacks = Guarantee(0.1, 0.001), [*np.geomspace(1e-9, 0.9, 100), 0.18477414]
    exact = optimal(coin, k=30).region()
    told = {"3.1": [composition.basic(coin, 30)], "3.2": [composition.advanced(coin, s, 30) for s in slacks]}
    rows = []
    for name, bounds in told.items():
        ensure(all(contains(bound.curve.region(), exact) for bound in bounds), f"Theorem 3.3 lies inside {name}")
        rows.append((name, max((1 - b.delta) / (1 + math.exp(b.epsilon)) for b in bounds)))
    rows.append(("3.3", crossing(exact)))
    expected = (0.046003096982239777, 0.16526872859779967, 0.38137023566609269)
    ensure(all_close([row[1] for row in rows], expected, 1e-11), "on the diagonal")
    corners = np.array(binomial_corners(30, math.exp(0.1), 0.001))
    ensure(len(corners) == 34 and np.allclose(exact[:34], corners, rtol=0, atol=1e-13), "32 corners and two ends")
    ensure(
        close(composition.advanced(coin, 6.078295249704e-6, 30).epsilon, 3, 1e-10), "3.2 loses to 3.1 below this slack"
    )
    return Table(rows, ["Theorem", "errors on the diagonal"])


def crossing(region) -> float:
    """Return where the lower boundary crosses the diagonal."""
    before, after = next((a, b) for a, b in pairwise(region) if b[0] >= b[1])
    gap = before[1] - before[0], after[1] - after[0]
    return float(before[0] + gap[0] / (gap[0] - gap[1]) * (after[0] - before[0]))


@claim("KOV-Fig-3b", verdict=HOLDS, where="Figure 3, right", title="The boundary is made of tangents")
def boundary_of_tangents():
    r"""The boundary of a region is the envelope of lines of slope $-e^{\tilde\varepsilon}$ whose intercept on the axis
    of false alarms is $1-d$, with $d$ the largest $P(S)-e^{\tilde\varepsilon}Q(S)$.

    So $\delta$ as a function of $\varepsilon$ is the support function of the region. By corners and by events, in
    fractions.
    """
    rng, rows = np.random.default_rng(35), []
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5), Fraction(20)):
        for p, q in random_pairs(rng, 10, 4):
            intercept = min(alarm + ratio * missed for missed, alarm in Pair(p, q).region())
            d = reference.delta_by_events(p, q, ratio)
            ensure(intercept == 1 - d == 1 - Pair(p, q).delta(ratio=ratio, direction="pq"), "the tangent's intercept")
        rows.append((ratio, d, intercept))
    return Table(rows, ["e^eps", "largest P(S) - e^eps Q(S), last pair", "intercept of the tangent"])
