"""The claims of Kairouz, Oh and Viswanath: introduction, section 2 (testing) and section 3 (composition).

Wherever e^eps can be chosen a fraction, so that randomized response is exact, the checks are exact.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from .. import Guarantee, Pair, Table, composition, mechanisms, optimal
from . import reference
from .ledger import ASYMPTOTIC, CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from .reference import all_close, close

TENTH = Fraction(1, 10)
RATIOS = (Fraction(3, 2), Fraction(3))  # values of e^eps


def random_pairs(rng: np.random.Generator, count: int, outcomes: int) -> list[tuple[list, list]]:
    """Draw pairs of laws in fractions."""
    return [tuple(reference.random_law(rng, outcomes) for _ in "pq") for _ in range(count)]


# ------------------------------------------------------------------------------------------------ the introduction


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


@claim("KOV-Intro-Basic", verdict=MISPRINT, where="Section 1", title="The routine bound")
def routine_bound():
    r"""In the text of the introduction, $k$ queries that are each $(\varepsilon,\delta)$-private are
    $(k, k\delta)$-private together.

    An $\varepsilon$ is lost (perhaps only in the electronic text): already one randomized response with
    $\varepsilon = 2$ is not $(1, 0)$-private. Right is $(k\varepsilon, k\delta)$, which is Theorem 3.1.
    """
    rows = []
    for k, eps, delta in ((1, 2.0, 0.0), (2, 3.0, 0.01), (4, 2.5, 0.001)):
        worst = optimal(Guarantee(eps, delta), k=k)
        at_k, at_sum = worst.delta(float(k)), worst.delta(k * eps)
        ensure(close(at_k, reference.mixed_delta([(eps, delta)] * k, k)), "the library agrees with the enumeration")
        ensure(close(at_sum, 1 - (1 - delta) ** k), "the exact delta at k eps")
        ensure(at_sum <= composition.basic(Guarantee(eps, delta), k).delta, "with its epsilon the bound holds")
        ensure(at_k > k * delta, "as printed it fails")
        rows.append((k, eps, delta, k * delta, at_k, at_sum + 0.0))
    ensure(close(rows[0][4], 0.55676994114593974427), "(e^2 - e) / (1 + e^2)")
    return Table(rows, ["k", "eps", "delta", "k delta", "exact at eps' = k", "exact at eps' = k eps"])


@claim("KOV-Intro-OldOrder", verdict=ASYMPTOTIC, where="Section 1", title="The order of the previous bound")
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


@claim("KOV-Intro-NewOrder", verdict=ASYMPTOTIC, where="Section 1", title="The order of the new bound")
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


@claim("KOV-Intro-Regime", verdict=CORRECTED, where="Section 1", title="A gain by a logarithmic factor")
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


@claim("KOV-Intro-StrictImprovement", verdict=HOLDS, where="Section 1", title="Strictly better than before")
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


# ------------------------------------------------------------------------------------- section 2: hypothesis testing


@claim("KOV-Def-Errors", verdict=DEFINITION, where="Section 2", title="False alarm and missed detection")
def two_errors():
    r"""A test rejects "the database was $D_0$" when the output falls into $S$. Its false alarm is $P(M(D_0) \in S)$,
    its missed detection $P(M(D_1) \notin S)$.

    By hand for randomized response with $e^{\varepsilon} = 3$, by all sets $S$, and by running the mechanism.
    """
    coin, rng, rows = mechanisms.randomized_response(ratio=3), np.random.default_rng(7), []
    draws = [np.array(coin.sample(rng, 4000, hypothesis)) for hypothesis in (0, 1)]
    points = reference.errors([*coin.p], [*coin.q])
    for s, (missed, alarm) in zip(reference.events(2), points, strict=True):
        seen = np.isin(draws[0], s).mean(), 1 - np.isin(draws[1], s).mean()
        ensure(max(abs(seen[0] - alarm), abs(seen[1] - missed)) < 0.035, "frequencies, five standard deviations")
        ensure(coin.tradeoff(alarm) <= missed, "no test does better than the trade-off")
        rows.append(("{" + ", ".join(map(str, s)) + "}", alarm, missed, coin.tradeoff(alarm)))
    ensure(rows[2][1:] == (Fraction(1, 4),) * 3, "1/4 each")
    return Table(rows, ["S", "false alarm", "missed detection", "least missed detection"])


@claim("KOV-Eq-1", verdict=HOLDS, where="Equation (1)", title="The two inequalities for the errors")
@claim("KOV-Thm-2.1", verdict=HOLDS, where="Theorem 2.1", title="Privacy is a bound on two errors")
def privacy_bounds_the_errors():
    r"""A mechanism is $(\varepsilon,\delta)$-private exactly when every test between neighbours obeys
    $P_{FA} + e^{\varepsilon}P_{MD} \ge 1-\delta$ and $e^{\varepsilon}P_{FA} + P_{MD} \ge 1-\delta$.

    Checked in fractions with all $2^n$ tests, at the pair's least $\delta$ and just below it.
    """
    rng, step, rows = np.random.default_rng(8), Fraction(1, 10**6), []
    for n in (2, 3, 4, 5, 6):
        least = []
        for p, q in random_pairs(rng, 12, n):
            ratio = 1 + Fraction(int(rng.integers(30)), 10)
            delta, points = Pair(p, q).delta(ratio=ratio), reference.errors(p, q)
            least_sum = min(min(alarm + ratio * missed, ratio * alarm + missed) for missed, alarm in points)
            ensure(least_sum >= 1 - delta, "(1) holds with the pair's delta")
            ensure(delta == 0 or least_sum < 1 - (delta - step), "and fails with less")
            least.append(delta)
        rows.append((n, 2**n, len(least), min(least), max(least)))
    return Table(rows, ["outcomes", "tests", "pairs in agreement", "smallest delta met", "largest delta met"])


@claim("KOV-Eq-2", verdict=CORRECTED, where="Equation (2)", title="The privacy region")
def privacy_region():
    r"""The region $\mathcal R(\varepsilon,\delta)$ is the set of error pairs that satisfy both inequalities (1).

    Those describe its lower half only: $(1,1)$ satisfies them, and no private test has these errors. Turning a test
    around gives two more, $P_{FA} + e^{\varepsilon}P_{MD} \le e^{\varepsilon}+\delta$ and its mirror image; in the unit
    square the four make an octagon, and that is what is achievable.
    """
    rows = []
    for ratio, delta in ((3, TENTH), (Fraction(3, 2), Fraction(1, 20)), (20, Fraction(1, 2))):
        achieved = reference.hull(reference.errors(*reference.worst_pair(ratio, delta)))
        octagon = reference.hull(region_by_cuts([(ratio, delta)], whole=True))
        drawn = mechanisms.randomized_response(ratio=ratio, delta=delta).region()
        ensure(octagon == achieved == reference.hull(drawn), "four inequalities, all tests and the library agree")
        ensure(1 + ratio >= 1 - delta and not reference.inside((1, 1), octagon), "(1, 1) is printed but not achieved")
        ensure(all((1 - x, 1 - y) in octagon for x, y in octagon), "the octagon is symmetric")
        printed = region_by_cuts([(ratio, delta)], whole=False)
        rows.append((ratio, delta, len(octagon), reference.area(octagon), reference.area(printed)))
    x = 0.25549435030149536
    corners = [(0, 1), (0, 0.95), (x, x), (0.95, 0), (1, 0), (1, 0.05), (1 - x, 1 - x), (0.05, 1)]
    ensure(np.allclose(Guarantee(1, 0.05).region(), corners, rtol=0, atol=1e-14), "eps = 1, delta = 0.05")
    return Table(rows, ["e^eps", "delta", "corners", "area achieved", "area as printed"])


def region_by_cuts(guarantees, whole: bool) -> list[tuple]:
    """Cut the inequalities of some (e^eps, delta) out of the unit square; `whole` adds the mirrored ones."""
    zero, one = Fraction(0), Fraction(1)
    region = [(zero, zero), (one, zero), (one, one), (zero, one)]
    for ratio, delta in guarantees:
        region = reference.cut(reference.cut(region, ratio, 1, 1 - delta), 1, ratio, 1 - delta)
        if whole:
            region = reference.cut(reference.cut(region, -ratio, -1, -ratio - delta), -1, -ratio, -ratio - delta)
    return region


@claim("KOV-Fig-1", verdict=CORRECTED, where="Figure 1", title="The shape of the privacy region")
def shape_of_the_region():
    r"""The lower boundary runs from $(0,1-\delta)$ to a corner with both errors $(1-\delta)/(1+e^{\varepsilon})$ and on
    to $(1-\delta,0)$; a line of slope $-1$ through the corner meets the axes at twice that value. The region is said to
    be symmetric about $P_{FA}+P_{MD}=1$.

    The numbers are right, and twice the corner is one minus the total variation distance. The symmetry holds for the
    octagon of achievable errors, not for the set of equation (2).
    """
    rows = []
    for ratio, delta in ((3, TENTH), (2, Fraction(0)), (Fraction(3, 2), Fraction(1, 20)), (20, Fraction(1, 2))):
        pair, corner = mechanisms.randomized_response(ratio=ratio, delta=delta), (1 - delta) / (1 + ratio)
        region = [tuple(point) for point in pair.region()]
        ensure({(0, 1 - delta), (corner, corner), (1 - delta, 0)} <= set(region), "the three corners")
        distance = reference.delta_by_events([*pair.p], [*pair.q], 1)
        ensure(1 - distance == 2 * corner and pair.total_variation() == distance, "twice the corner")
        ensure({(1 - y, 1 - x) for x, y in region} == set(region), "the octagon is symmetric")
        rows.append((ratio, delta, corner, 2 * corner, distance))
    wide = Guarantee(1, 0.05)
    ensure(close(1 - wide.delta(0), 0.51098870060299073) and close(wide.delta(0), 0.48901129939700927), "eps = 1")
    return Table(rows, ["e^eps", "delta", "corner", "on the axes", "total variation"])


@claim("KOV-Eq-3", verdict=DEFINITION, where="Equation (3)", title="The region of a mechanism on two databases")
def region_of_a_pair():
    r"""The region of a mechanism for two databases is the convex hull of the error pairs of all tests.

    Not all $2^n$ tests are needed: the likelihood-ratio tests are the corners (Neyman and Pearson). Both ways give the
    same polygon, in fractions.
    """
    rng, rows = np.random.default_rng(12), []
    for n in (2, 3, 4, 5, 6, 7):
        for p, q in random_pairs(rng, 4, n):
            corners = reference.hull(reference.errors(p, q))
            ensure(corners == reference.hull(Pair(p, q).region()), "the same polygon")
            ensure(reference.area(Pair(p, q).region()) == reference.area(corners), "listed in order")
        rows.append((n, 2**n, len(corners), reference.area(corners)))
    return Table(rows, ["outcomes", "tests", "corners of the last", "area of the last"])


@claim("KOV-Rem-2.2", verdict=HOLDS, where="Remark 2.2", title="Tossing coins does not help the test")
def soft_tests_stay_inside():
    r"""A test that decides at random still has its two errors inside the region of the mechanism.

    Such a test is a mixture of others, and the region is convex. Random tests on random mechanisms, in fractions.
    """
    rng, rows = np.random.default_rng(13), []
    for n in (2, 3, 4, 5):
        spare = []
        for p, q in random_pairs(rng, 20, n):
            reject = [Fraction(int(x), 12) for x in rng.integers(13, size=n)]
            alarm = sum(a * r for a, r in zip(p, reject, strict=True))
            missed = sum(b * (1 - r) for b, r in zip(q, reject, strict=True))
            region = reference.hull(reference.errors(p, q))
            ensure(reference.inside((missed, alarm), region), "inside the hull")
            least = min(x for x, _ in reference.cut(region, 0, -1, -alarm))
            ensure(Pair(p, q).tradeoff(alarm) == least <= missed, "no test with this false alarm misses less")
            spare.append(missed - least)
        rows.append((n, len(spare), float(min(spare)), float(max(spare))))
    return Table(rows, ["outcomes", "soft tests", "nearest to the boundary", "furthest from it"])


@claim("KOV-Def-RM", verdict=DEFINITION, where="Section 2", title="The region of a mechanism")
def region_of_a_mechanism():
    r"""The region of a mechanism is the union of its regions over all neighbouring databases, in both orders.

    The other order mirrors the region in the diagonal. A union of convex regions need not be convex, so comparisons of
    mechanisms (Theorems 2.4 and 2.5) go pair by pair.
    """
    pure, leaky = mechanisms.randomized_response(ratio=3), Pair([4 * TENTH, 6 * TENTH, 0], [0, 6 * TENTH, 4 * TENTH])
    a, b = (0, Fraction(3, 5)), (Fraction(1, 4), Fraction(1, 4))
    middle = tuple((x + y) / 2 for x, y in zip(a, b, strict=True))
    rows = []
    for name, pair in (("randomized response, e^eps = 3", pure), ("leaks with probability 2/5", leaky)):
        region = reference.hull(pair.region())
        rows.append((name, *(reference.inside(point, region) for point in (a, b, middle))))
    ensure([row[1:] for row in rows] == [(False, True, False), (True, False, False)], "the union is not convex")
    uneven = Pair([TENTH, 9 * TENTH], [5 * TENTH, 5 * TENTH])
    mirrored = {(y, x) for x, y in map(tuple, uneven.region())}
    ensure({tuple(point) for point in uneven.reversed().region()} == mirrored, "the other order mirrors the region")
    return Table(rows, ["mechanism", "holds (0, 3/5)", "holds (1/4, 1/4)", "holds their midpoint"])


@claim("KOV-Cor-2.3", verdict=HOLDS, where="Corollary 2.3", title="Privacy is inclusion of regions")
def privacy_is_inclusion():
    r"""A mechanism is $(\varepsilon,\delta)$-private exactly when its region lies inside
    $\mathcal R(\varepsilon,\delta)$.

    Left side by all events, right side by the corners of the regions, for random pairs and guarantees.
    """
    rng, counts = np.random.default_rng(15), {}
    for p, q in random_pairs(rng, 120, 3):
        ratio, delta = 1 + Fraction(int(rng.integers(40)), 10), Fraction(int(rng.integers(60)), 100)
        private = reference.is_private(p, q, ratio, delta)
        included = mechanisms.randomized_response(ratio=ratio, delta=delta).dominates(Pair(p, q))
        counts[private, bool(included)] = counts.get((private, bool(included)), 0) + 1
    ensure(set(counts) == {(True, True), (False, False)}, "the two always agree, and both answers occur")
    return Table([(*key, counts[key]) for key in sorted(counts)], ["private", "region included", "pairs"])


@claim("KOV-Def-Dominates", verdict=DEFINITION, where="Section 2", title="One mechanism dominates another")
def domination():
    r"""One mechanism dominates another if the output of the second can be drawn from that of the first without another
    look at the database.

    For finite outputs: a stochastic matrix $T$, the same for both databases, with $P T = P'$ and $Q T = Q'$.
    """
    strong, weak = mechanisms.randomized_response(ratio=3), mechanisms.randomized_response(ratio=2)
    by_hand = [[Fraction(5, 6), Fraction(1, 6)], [Fraction(1, 6), Fraction(5, 6)]]
    ensure([reference.push(law, by_hand) for law in (strong.p, strong.q)] == [[*weak.p], [*weak.q]], "T by hand")
    ensure([*strong.then(by_hand).p] == [*weak.p] and [*strong.then(by_hand).q] == [*weak.q], "the library applies it")
    found = strong.simulates(weak)
    ensure(np.allclose(found, np.array(by_hand, dtype=float)), "the library finds it: here there is only one")
    ensure(weak.simulates(strong) is None and not weak.dominates(strong), "nobody can undo the second coin")
    ensure(not Guarantee(1).worst_pair.dominates(Guarantee(1.01).worst_pair), "nor a slightly weaker one in floats")
    rows = [(i, *by_hand[i], *found[i]) for i in (0, 1)]
    return Table(rows, ["answer seen", "say 0, by hand", "say 1, by hand", "say 0, found", "say 1, found"])


@claim("KOV-Sec2-WZ", verdict=HOLDS, where="Section 2", title="Post-processing keeps pure privacy")
@claim("KOV-Thm-2.4", verdict=HOLDS, where="Theorem 2.4", title="Data processing")
def data_processing():
    r"""If one mechanism dominates another, the region of the second lies inside that of the first; in particular the
    second is $(\varepsilon,0)$-private if the first is (Wasserman and Zhou).

    Random pairs and random post-processing, in fractions. The same argument keeps $(\varepsilon,\delta)$.
    """
    rng, rows = np.random.default_rng(17), []
    for n, m in ((2, 3), (3, 3), (4, 2), (4, 4), (5, 3)):
        lost = []
        for p, q in random_pairs(rng, 5, n):
            matrix = reference.random_map(rng, n, m)
            before, after = Pair(p, q), Pair(p, q).then(matrix)
            pushed = reference.push(p, matrix), reference.push(q, matrix)
            outer = reference.hull(reference.errors(p, q))
            ensure(all(reference.inside(x, outer) for x in reference.errors(*pushed)), "every test stays inside")
            ensure(before.dominates(after), "the library says so too")
            ensure(after.delta(ratio=2) == reference.hockey_stick_both(*pushed, 2), "post-processed as it should be")
            ensure(after.delta(ratio=2) <= before.delta(ratio=2), "(eps, delta) is kept")
            ensure(after.ratio() <= before.ratio(), "(eps, 0) is kept")
            lost.append(float(before.total_variation() - after.total_variation()))
        rows.append((n, m, len(lost), min(lost), max(lost)))
    return Table(rows, ["outcomes before", "after", "pairs", "least total variation lost", "most"])


@claim("KOV-Thm-2.5", verdict=HOLDS, where="Theorem 2.5", title="The converse: Blackwell's theorem")
def blackwell():
    r"""If the region of one mechanism contains that of another, for two given databases, then a random map turns the
    first output into the second.

    The map depends on the two databases and is not unique. Inclusion is decided by corners in fractions, existence of a
    map by a linear program.
    """
    rng, counts = np.random.default_rng(18), {}
    for i, (p, q) in enumerate(random_pairs(rng, 16, 3)):
        small = random_pairs(rng, 1, 3)[0] if i % 2 else post_processed(rng, p, q)
        outer = reference.hull(reference.errors(p, q))
        included = all(reference.inside(x, outer) for x in reference.errors(*small))
        found = Pair(p, q).simulates(Pair(*small))
        ensure((found is not None) == included, "a map is found if and only if included")
        ensure(reference.map_exists((p, q), small) == included, "another linear program agrees")
        ensure(not included or maps(found, (p, q), small), "the map does what it should")
        counts[included, found is not None] = counts.get((included, found is not None), 0) + 1
    ensure(set(counts) == {(True, True), (False, False)}, "both answers occur")
    worst = reference.worst_pair(3, TENTH)
    target = [[Fraction(x, 20) for x in law] for law in ((11, 5, 4), (4, 5, 11))]
    by_hand = [[Fraction(x, 18) for x in row] for row in ((18, 0, 0), (12, 5, 1), (0, 5, 13), (9, 0, 9))]
    ensure([reference.push(law, by_hand) for law in worst] == target, "an exact map by hand")
    return Table([(*key, counts[key]) for key in sorted(counts)], ["region included", "map found", "pairs"])


def post_processed(rng, p, q) -> tuple[list, list]:
    """Send a pair through a random map."""
    matrix = reference.random_map(rng, len(p), 3)
    return reference.push(p, matrix), reference.push(q, matrix)


def maps(matrix, source, target) -> bool:
    """Say whether a stochastic matrix turns one pair into the other."""
    stochastic = np.all(matrix >= 0) and np.allclose(np.sum(matrix, axis=1), 1)
    laws = [(np.array(a, dtype=float) @ matrix, np.array(b, dtype=float)) for a, b in zip(source, target, strict=True)]
    return bool(stochastic and all(np.allclose(a, b, atol=1e-9) for a, b in laws))


# -------------------------------------------------------------------------------- section 3.1: the composition theorem


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


@claim("KOV-Thm-3.1", verdict=HOLDS, where="Theorem 3.1", title="Basic composition")
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


@claim("KOV-Sec3.1-HetBasic", verdict=HOLDS, where="Section 3.1", title="Basic composition of unequal mechanisms")
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
        rows.append((k, float(told.epsilon), sum(deltas), exact, float(exact)))
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
@claim("KOV-Thm-3.2", verdict=HOLDS, where="Theorem 3.2", title="Advanced composition")
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
        exact = reference.optimal_delta(eps, delta, k, float(told.epsilon))
        ensure(exact <= told.delta, "valid")
        rows.append((k, eps, delta, *told, float(exact)))
    ensure(close(rows[2][3], 2.943773639105409), "k = 30")
    return Table(rows, ["k", "eps", "delta", "told eps", "told delta", "exact delta there"])


@claim("KOV-Sec3.1-OrderRemark", verdict=CORRECTED, where="Section 3.1", title="Much smaller than k epsilon")
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
        rows.append((eps, above, float(told[1]), above * eps))
    never = composition.advanced(Guarantee(1), slack, 10**6).epsilon
    ensure(close(never, 1723538.35, 1e-8) and never > 10**6, "never for eps >= ln 2")
    rows.append((1.0, 10**6, float(never), 1e6))
    return Table(rows, ["eps", "k", "Theorem 3.2", "k eps"])


def printed_delta(k: int, i: int, ratio):
    """Return delta_i by equation (6), term by term; `ratio` is e^eps."""
    terms = (math.comb(k, j) * (ratio ** (k - j) - ratio ** (k - 2 * i + j)) for j in range(i))
    return sum(terms, 0 * ratio) / (1 + ratio) ** k


@claim("KOV-Eq-5", verdict=HOLDS, where="Equation (5)", title="The optimal guarantees")
@claim("KOV-Thm-3.3", verdict=HOLDS, where="Theorem 3.3", title="The optimal composition theorem")
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


@claim("KOV-Thm-3.3-Region", verdict=MISPRINT, where="After Theorem 3.3", title="An intersection of k regions")
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


@claim("KOV-Fig-3a", verdict=HOLDS, where="Figure 3, left", title="Three theorems for 30 queries")
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
        ensure(all(contains(bound.region(), exact) for bound in bounds), f"Theorem 3.3 lies inside {name}")
        rows.append((name, max((1 - float(b.delta)) / (1 + math.exp(b.epsilon)) for b in bounds)))
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


# ------------------------------------------------------------------------------- sections 3.2 and 3.3: closed forms


@claim("KOV-Sec3.2-Order", verdict=MISPRINT, where="Section 3.2", title="The order announced for Theorem 3.4")
def announced_order():
    r"""Before Theorem 3.4 its bound is announced as $O(k\varepsilon^2+\min\{\sqrt{k\varepsilon^2\log(1/\tilde\delta)},
    \varepsilon\log(\varepsilon/\tilde\delta)\})$.

    The last term misses a $k$ and the $e$ in the logarithm. With $\tilde\delta = \varepsilon$ it is 0 and
    $k\varepsilon^2$ would be enough, but the exact value exceeds any multiple of it. Right is
    $\sqrt{k\varepsilon^2\log(e+\sqrt{k\varepsilon^2}/\tilde\delta)}$.
    """
    k, rows = 10**6, []
    for eps, expected in ((1e-4, 0.27592411274623535), (1e-5, 0.02721939530727037), (1e-6, 0.0027182170558518147)):
        exact = optimal(Guarantee(eps), k=k).epsilon(eps)
        ensure(close(exact, expected, 1e-9), "the exact value")
        ensure(close(reference.delta_by_tails(eps, k, exact), eps, 1e-6), "by binomial tails")
        root = math.sqrt(k) * eps
        right = root**2 + root * math.sqrt(math.log(math.e + root / eps))
        ensure(exact <= math.sqrt(2) * right, "the corrected order holds")
        rows.append((eps, exact, k * eps**2, exact / (k * eps**2), exact / right))
    ensure([round(row[3], -1) for row in rows] == [30, 270, 2720], "ten times more each time")
    return Table(rows, ["eps = slack", "exact", "announced, k eps^2", "exact / announced", "exact / corrected"])


@claim("KOV-Sec3.2-DeltaStrict", verdict=CORRECTED, where="Section 3.2", title="A strictly smaller delta")
def strictly_smaller_delta():
    r"""The new total $1-(1-\delta)^k(1-\tilde\delta)$ is said to be strictly smaller than the old
    $k\delta+\tilde\delta$.

    Never larger, but the two are equal if $\delta = 0$, or if $k = 1$ and $\tilde\delta = 0$.
    """
    some = (0, Fraction(1, 1000), TENTH, 1)
    for k, delta, slack in product((1, 2, 3, 30), some, some):
        new, old = 1 - (1 - delta) ** k * (1 - slack), k * delta + slack
        equal = delta == 0 or (k == 1 and slack == 0)
        ensure(new == old if equal else new < old, "equality exactly in these cases")
    rows = []
    cases = (30, 0.001, 0.001), (30, 0.0, 0.001), (1, 0.001, 0.0), (1, 0.001, 0.001), (1000, 1e-5, 1e-3)
    for k, delta, slack in cases:
        new = composition.kov_closed_form(Guarantee(0.1, delta), slack, k).delta
        old = composition.advanced(Guarantee(0.1, delta), slack, k).delta
        ensure(close(new, total_delta([delta] * k, slack)) and close(old, k * delta + slack), "both totals")
        rows.append((k, delta, slack, float(new), float(old), bool(new < old)))
    ensure(close(rows[0][3], 0.0305394637041774), "k = 30")
    ensure([row[5] for row in rows] == [True, False, False, True, True], "strict but for the two cases")
    return Table(rows, ["k", "delta", "slack", "new total", "old total", "strictly smaller"])


def total_delta(deltas, slack) -> float:
    """Return 1 - (1 - slack) prod(1 - delta_i), exactly and then rounded: in floats it would lose digits."""
    return float(1 - (1 - Fraction(slack)) * math.prod(1 - Fraction(delta) for delta in deltas))


@claim("KOV-Eq-7", verdict=HOLDS, where="Equation (7)", title="The epsilon of the closed form")
@claim("KOV-Thm-3.4", verdict=HOLDS, where="Theorem 3.4", title="The closed form")
def closed_form():
    r"""The composition is $(\tilde\varepsilon, 1-(1-\delta)^k(1-\tilde\delta))$-private, $\tilde\varepsilon$ being the
    least of three numbers: $k\varepsilon$; the drift $k\varepsilon\tanh(\varepsilon/2)$ plus
    $\varepsilon\sqrt{2k\log(e+\sqrt{k\varepsilon^2}/\tilde\delta)}$; and the drift plus
    $\varepsilon\sqrt{2k\log(1/\tilde\delta)}$.

    The exact $\delta$ at each member, with 50 digits, is below $\tilde\delta$. The second member is the smaller of the
    last two exactly when $\sqrt k\,\varepsilon+e\tilde\delta<1$.
    """
    rows = []
    for (k, eps, slack), (second, third, value) in CLOSED_FORMS.items():
        members, exact = reference.closed_form([(eps, k)], slack), optimal(Guarantee(eps), k=k).epsilon(slack)
        ensure(all_close(members[1:], (second, third)), "the two members")
        ensure((second < third) == (math.sqrt(k) * eps + math.e * slack < 1), "which one is smaller")
        ensure(close(exact, value, 1e-11) and exact <= min(members), "the exact value is below")
        ensure(close(composition.kov_closed_form(Guarantee(eps), slack, k).epsilon, min(members), 1e-13), "(7)")
        rows.append((k, eps, slack, *map(float, members), exact))
    branches = []
    for k, eps, delta, slack in ((3, 0.1, 0.0, 1e-5), (20, 0.5, 0.01, 0.1), (30, 0.1, 1e-6, 1e-5), (40, 3.0, 0.0, 0.9)):
        told = composition.kov_closed_form(Guarantee(eps, delta), slack, k)
        members = reference.closed_form([(eps, k)], slack)
        ensure(close(told.epsilon, min(members), 1e-13), "the minimum")
        ensure(close(told.delta, total_delta([delta] * k, slack)), "the total delta")
        exact = [reference.optimal_delta(eps, delta, k, member) for member in members]
        ensure(all(x <= told.delta for x in exact), "valid, all three members")
        branches.append(told.branch.split(":")[0])
    ensure(branches == ["first", "third", "second", "third"], "each member can be the least")
    return Table(rows, ["k", "eps", "slack", "k eps", "second member", "third member", "exact"])


CLOSED_FORMS = {  # (k, eps, slack): second member, third member, exact
    (100, 0.1, 1e-6): (5.756106036460575, 5.756105519335732, 4.7745675881079865),
    (30, 0.1, 1e-5): (2.7085062460458538, 2.778136009752106, 2.1101544222423825),
    (10**4, 1e-3, 1e-5): (0.4341995374027593, 0.4848525908021415, 0.3406402097337904),
    (10**6, 1e-5, 1e-4): (0.030486787324071386, 0.04296932052578653, 0.019420427930313688),
    (1000, 0.01, 1e-3): (1.1237800040445747, 1.2253935835758998, 0.782363963145507),
}


@claim("KOV-Thm-3.4-Simplified", verdict=CORRECTED, where="After Theorem 3.4", title="A simpler form for small epsilon")
def simpler_form():
    r"""For $\varepsilon \le 0.9$ the drift $k\varepsilon\tanh(\varepsilon/2)$ in (7) may be replaced by
    $k\varepsilon^2$.

    True, and needlessly weak: since $\tanh(\varepsilon/2)\le\varepsilon/2$, half of it is enough, for every
    $\varepsilon$. The third member is then the bound of Steinke's post.
    """
    rows = []
    for eps in (0.01, 0.5, 0.9, 2.0, 10.0, 100.0):
        worst = 0.0
        for k, slack in product((1, 10, 100), (1e-9, 1e-3, 0.5)):
            logs = math.log(math.e + math.sqrt(k) * eps / slack), math.log(1 / slack)
            halved = [k * eps**2 / 2 + eps * math.sqrt(2 * k * log) for log in logs]
            told = composition.kov_closed_form(Guarantee(eps), slack, k).epsilon
            ensure(told <= min(k * eps, *halved) * (1 + 1e-12), "half the drift is enough, for every eps")
            ensure(close(halved[1], composition.concentrated(Guarantee(eps), slack, k).epsilon), "the post's bound")
            exact = reference.optimal_delta(eps, 0, k, min(halved))
            worst = max(worst, float(exact / slack))
        ensure(worst <= 1, "valid")
        rows.append((eps, eps / 2, math.tanh(eps / 2), worst))
    return Table(rows, ["eps", "eps / 2", "tanh(eps / 2)", "largest exact delta / slack at the halved bound"])


@claim("KOV-Sec3.2-Slack", verdict=ASYMPTOTIC, where="Section 3.2", title="How much slack is needed")
def slack_that_is_needed():
    r"""To reach an $\tilde\varepsilon$ of order $\sqrt{k\varepsilon^2}$ the new bound needs a slack of that order only,
    the old one a constant slack.

    Right as an order. With $\mu = \sqrt k\,\varepsilon$: at $\tilde\delta=\mu$ the new bound is a multiple of $\mu$,
    the old one $\mu\sqrt{2\log(1/\mu)}$. But from $\tilde\delta = 2\Phi(\mu/2)-1\approx0.3989\,\mu$ on, the total
    variation, the exact $\tilde\varepsilon$ is 0: the constant must be smaller to say anything.
    """
    k, rows = 10**4, []
    for mu in (0.1, 0.01, 1e-3, 1e-4):
        coin = Guarantee(mu / math.sqrt(k))
        new, old = (f(coin, mu, k).epsilon for f in (composition.kov_closed_form, composition.advanced))
        exact, distance = optimal(coin, k=k), 2 * float(reference.normal_cdf(mu / 2)) - 1
        ensure(close(exact.delta(0), distance, 1e-3) and exact.epsilon(mu) == 0, "the total variation is about 0.4 mu")
        rows.append((mu, float(new) / mu, float(old) / mu, exact.epsilon(mu / 10) / mu, exact.delta(0) / mu))
    ensure(all(row[1] <= math.sqrt(2 * math.log(math.e + 1)) + row[0] / 2 for row in rows), "a multiple of mu")
    ensure(all(close(row[2], math.sqrt(2 * math.log(1 / row[0])), 0.06) for row in rows), "a logarithm more")
    ensure(all_close(rows[0][1:4], (1.6706552259907062, 2.2460160429601816, 0.9270960315847615), 1e-10), "mu = 0.1")
    ensure(all_close(rows[1][1:4], (1.6256552301532057, 3.0448547587869603, 0.904813967781363), 1e-10), "mu = 0.01")
    return Table(rows, ["mu", "new / mu", "old / mu", "exact at mu / 10, over mu", "total variation / mu"])


@claim("KOV-Eq-8", verdict=HOLDS, where="Equation (8)", title="The epsilon for unequal mechanisms")
@claim("KOV-Thm-3.5", verdict=HOLDS, where="Theorem 3.5", title="The closed form for unequal mechanisms")
def closed_form_for_unequal_mechanisms():
    r"""For $(\varepsilon_\ell,\delta_\ell)$-private mechanisms the closed form holds with $\sum\varepsilon_\ell$,
    $\sum\varepsilon_\ell^2$ and $\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)$, and with a total of
    $1-(1-\tilde\delta)\prod(1-\delta_\ell)$.

    The exact optimum is the sum over all $2^k$ truthful or untruthful answers, with 50 digits.
    """
    rng, rows = np.random.default_rng(42), []
    for k in (1, 2, 3, 5, 7, 8):
        eps, deltas = 10 ** rng.uniform(-2, 0.3, size=k), 10 ** rng.uniform(-4, -1, size=k)
        coins, slack = [*zip(eps, deltas, strict=True)], 10 ** rng.uniform(-4, -0.5)
        given, members = [Guarantee(*coin) for coin in coins], reference.closed_form([(e, 1) for e in eps], slack)
        told = composition.kov_closed_form(given, slack)
        ensure(close(told.epsilon, min(members), 1e-13), "equation (8)")
        ensure(close(told.delta, total_delta(deltas, slack)), "the total delta")
        exact = [reference.mixed_delta(coins, member) for member in members]
        ensure(all(x <= told.delta for x in exact), "valid, all three members")
        half = float(told.epsilon) / 2
        ensure(close(optimal(given).delta(half), reference.mixed_delta(coins, half)), "the library's optimum")
        rows.append((k, slack, float(told.epsilon), float(told.delta), float(max(exact))))
    example = optimal([Guarantee(0.1), Guarantee(0.2), Guarantee(0.3)]).epsilon(0.01)
    ensure(close(example, 0.537796170501605), "(0.1, 0.2, 0.3) at 0.01")
    members = reference.closed_form([(0.1, 1), (0.2, 1), (0.3, 1)], 0.01)
    ensure(all_close(members, (0.6, 1.086368593546623, 1.2051334320187967)), "its members")
    return Table(rows, ["k", "slack", "told eps", "told delta", "exact delta there, worst member"])


@claim("KOV-Sec3.3-Replace", verdict=HOLDS, where="Section 3.3", title="Sums in place of multiples")
def sums_in_place_of_multiples():
    r"""For unequal mechanisms one replaces $k\varepsilon$ by $\sum\varepsilon_\ell$, $k\varepsilon^2$ by
    $\sum\varepsilon_\ell^2$, and the drift by a sum as well.

    The drift is a sum of products, $\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)$: the mean of the privacy loss, here
    by enumeration. With the average $\varepsilon$ in both places it would be too small.
    """
    slack, rows = 0.9, []
    for eps in ([0.5] * 4, [0.1, 0.2, 0.3], [0.01, 1.0, 0.01, 1.0], [1.5, 0.1, 0.1, 0.1, 0.1]):
        p, q = reference.product_pair([reference.worst_pair(math.exp(e)) for e in eps])
        mean = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)
        mu = math.sqrt(math.fsum(e**2 for e in eps))
        second, third = (mean + mu * math.sqrt(2 * math.log(x)) for x in (math.e + mu / slack, 1 / slack))
        told = composition.kov_closed_form([Guarantee(e) for e in eps], slack).epsilon
        ensure(close(told, min(second, third)) and told < math.fsum(eps), "with the enumerated mean")
        average = math.fsum(eps) * math.tanh(math.fsum(eps) / len(eps) / 2)
        ensure(average <= mean * (1 + 1e-12) and (average < 0.99 * mean) == (len(set(eps)) > 1), "too small")
        rows.append((", ".join(map(str, eps)), mean, average, float(told)))
    equal = composition.kov_closed_form(Guarantee(0.5), 0.9, k=400).epsilon
    ensure(close(equal, min(reference.closed_form([(0.5, 1)] * 400, 0.9)), 1e-13), "equal epsilons: (8) is (7)")
    return Table(rows, ["eps", "mean loss", "with the average eps", "told eps"])
