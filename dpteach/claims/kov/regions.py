"""Claims of Kairouz, Oh and Viswanath, section 2: privacy as hypothesis testing, and its regions.

Wherever e^eps can be chosen a fraction, so that randomized response is exact, the checks are exact.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ... import Guarantee, Pair, Table, mechanisms
from ..entries import CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference.basics import close
from .pairs import TENTH, maps, random_pairs, region_by_cuts


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


@claim("KOV-Eq-1", verdict=HOLDS, where="Equation (1)", title="Two inequalities bound the errors")
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


@claim("KOV-Eq-2", verdict=CORRECTED, where="Equation (2)", title="Two inequalities describe the region")
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
    ensure(np.allclose(Guarantee(1, 0.05).curve.region(), corners, rtol=0, atol=1e-14), "eps = 1, delta = 0.05")
    return Table(rows, ["e^eps", "delta", "corners", "area achieved", "area as printed"])


@claim("KOV-Fig-1", verdict=CORRECTED, where="Figure 1", title="The region is symmetric")
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
    distance = Guarantee(1, 0.05).curve.delta(0)
    ensure(close(1 - distance, 0.51098870060299073) and close(distance, 0.48901129939700927), "eps = 1")
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
    ensure(not Guarantee(1).curve.dominates(Guarantee(1.01)), "nor a slightly weaker one in floats")
    rows = [(i, *by_hand[i], *found[i]) for i in (0, 1)]
    return Table(rows, ["answer seen", "say 0, by hand", "say 1, by hand", "say 0, found", "say 1, found"])


@claim("KOV-Sec2-WZ", verdict=HOLDS, where="Section 2", title="Post-processing keeps pure privacy")
@claim("KOV-Thm-2.4", verdict=HOLDS, where="Theorem 2.4", title="Post-processing shrinks the region")
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


@claim(
    "KOV-Thm-2.5", verdict=HOLDS, where="Theorem 2.5", title="A smaller region comes from post-processing (Blackwell)"
)
def blackwell():
    r"""If the region of one mechanism contains that of another, for two given databases, then a random map turns the
    first output into the second.

    The map depends on the two databases and need not be unique. Inclusion is decided by corners in fractions, existence
    of a map by a linear program.
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
