"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: Gaussian privacy (section VI-C).

Every theorem is tried on small worlds in which everything can be computed at all pairs of databases: by
`dpteach.granularity` and `dpteach.notions`, and a second time from the definitions (all events, all orders, all paths).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
from mpmath import mp

from ... import Pair, Table, mechanisms
from ...granularity import (
    DatabaseClass,
    Granularity,
    Partition,
    PrivacySpace,
    bounded,
    symmetric_difference,
    unbounded,
)
from ...mechanisms import gaussian_tradeoff
from ...notions import (
    FiniteMechanism,
    Gaussian,
    compose,
    gaussian_loss,
    pure_mu,
)
from ..entries import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as hand
from ..reference.basics import close
from .worlds import (
    LOG2,
    PARTS,
    RECORDS,
    common_squares_in_worlds,
    delta_of_two,
    groups_of,
    highest,
    least_mu,
    matrix,
    over_a_metric,
    same,
    squares_in_worlds,
    squares_of_parts,
    two,
)


def show(D: Iterable) -> str:
    """Return a multiset as text."""
    return "{" + ",".join(map(str, D)) + "}"


@claim("GMPS-Def-VI.17", verdict=DEFINITION, where="Definition VI.17", title="The trade-off function")
def trade_off_function():
    r"""$T(P,Q)(\alpha)$ is the least type II error $1-\mathbb E_Q\phi$ of all rejection rules $0\le\phi\le1$ whose
    type I error $\mathbb E_P\phi$ is at most $\alpha$.

    Rules may toss coins. Mixing two events is enough: the trade-off is the lower boundary of what all events achieve,
    with straight lines between them. For $P=(2/3,1/3)$, $Q=(1/3,2/3)$ its corners are $(0,1)$, $(1/3,1/3)$, $(1,0)$.
    """
    third = Fraction(1, 3)
    rng, rows = np.random.default_rng(19), []
    laws = [tuple(reference.random_law(rng, 4) for _ in "PQ") for _ in range(8)]
    for n, (p, q) in enumerate([([2 * third, third], [third, 2 * third]), *laws]):
        for alpha in (Fraction(0), third / 2, third, 2 * third, Fraction(1)):
            told, exact = Pair(p, q).tradeoff(alpha), least_type_two_error(p, q, alpha)
            ensure(told == exact, "over all pairs of events, exactly")
            rows += [(alpha, told, exact, gaussian_tradeoff(pure_mu(LOG2), float(alpha)))] if n == 0 else []
    ensure([row[1] for row in rows] == [1, 2 * third, third, third / 2, 0], "the corners and the lines between them")
    return Table(rows, ["alpha", "T(P, Q)", "all mixtures of two events", "Gaussian with mu = 0.861455"])


def least_type_two_error(p: Sequence, q: Sequence, alpha: Fraction) -> Fraction:
    """Return the least type II error at type I error alpha, over all mixtures of two events."""
    tests = [(a, 1 - b) for a, b in reference.event_laws(p, q)]
    low, high = [t for t in tests if t[0] <= alpha], [t for t in tests if t[0] > alpha]
    mixed = [y + (alpha - x) / (v - x) * (w - y) for (x, y), (v, w) in product(low, high)]
    return min([y for _, y in low] + mixed)


@claim("GMPS-Def-VI.18", verdict=DEFINITION, where="Definition VI.18", title="Gaussian privacy")
def gaussian_privacy():
    r"""$\mathcal M$ is $\mathcal G$ $\mu$-GDP if $T(\mathcal M(D),\mathcal M(D'))\ge G_\mu$ for all neighbours, where
    $G_\mu$ is the trade-off between $\mathcal N(0,1)$ and $\mathcal N(\mu,1)$.

    The trade-off of a finite mechanism is made of straight lines and $G_\mu$ is convex, so the corners decide:
    $\mu=\max\Phi^{-1}(1-\alpha)-\Phi^{-1}(\beta)$. Randomized response with odds 2 to 1 has $\mu=0.861455$.
    """
    rng, rows = np.random.default_rng(20), []
    for n in range(1, 8):
        laws, edges = hand.random_laws(rng, range(4), 3), [(0, 1), (1, 0), (1, 2), (2, 1)]
        mechanism, space = FiniteMechanism(range(4), laws), Granularity(edges).on(range(4))
        told, exact = mechanism.level(space, "Gaussian"), max(least_mu(*two(laws, *pair)) for pair in edges)
        ensure(close(told, exact, 1e-9), "over all events")
        gaps = [min(gap_of(mechanism.pair(*pair), mu) for pair in edges) for mu in (told, 0.97 * told)]
        ensure(gaps[0] >= -1e-12 and gaps[1] < 0, "nowhere below G_mu, but below that of a smaller mu")
        rows.append((f"random {n}", told, max(gaps[0], 0.0), gaps[1]))
    coin = mechanisms.randomized_response(ratio=2)
    told = gaussian_loss(coin)
    ensure(close(told, 2 * mp.sqrt(2) * mp.erfinv(2 * mp.mpf(2) / 3 - 1)) and close(told, 0.861455, 1e-6), "0.861455")
    ensure(close(pure_mu(LOG2), told), "the worst of all ln(2)-DP mechanisms")
    rows.insert(0, ("randomized response", told, *(gap_of(coin, told * x) for x in (1, 0.97))))
    return Table(rows, ["mechanism", "mu", "least T - G_mu", "with 0.97 mu"])


def gap_of(pair: Pair, mu: float) -> float:
    """Return by how much a trade-off stays above G_mu, at 999 values of alpha."""
    alphas = np.linspace(0.001, 0.999, 999)
    return float(np.min(pair.tradeoff(alphas) - gaussian_tradeoff(mu, alphas)))


@claim("GMPS-Text-Gmu", verdict=HOLDS, where="After Definition VI.18", title="The Gaussian trade-off has a closed form")
def gaussian_trade_off():
    r"""$G_\mu(\alpha)=\Phi(\Phi^{-1}(1-\alpha)-\mu)$, and it decreases with $\mu$.

    The best test of the mean of a normal law is a threshold. A second way, without any test: the trade-off is the
    largest of the lines $1-\delta(\varepsilon)-e^{\varepsilon}\alpha$, with the $\delta(\varepsilon)$ of Gaussian
    noise.
    """
    rows = []
    for alpha in (0.01, 0.05, 0.3, 0.7):
        told = [gaussian_tradeoff(mu, alpha) for mu in (0.5, 1, 2)]
        ensure(same(told, [tradeoff_by_lines(mu, alpha) for mu in (0.5, 1, 2)]), "the highest line")
        ensure(same(told, [mechanisms.gaussian(mu).tradeoff(alpha) for mu in (0.5, 1, 2)]), "the Gaussian mechanism's")
        ensure(told == sorted(told, reverse=True), "decreasing")
        rows.append((alpha, *told))
    grid = [gaussian_tradeoff(mu, np.linspace(0, 1, 201)) for mu in (0, 0.1, 0.5, 1, 2, 4, 8)]
    ensure(all(np.all(low <= high) for high, low in pairwise(grid)), "at every alpha")
    return Table(rows, ["alpha", "mu = 0.5", "mu = 1", "mu = 2"])


def tradeoff_by_lines(mu: float, alpha: float) -> float:
    """Return the largest 1 - delta(eps) - e^eps alpha; it is concave in e^eps."""
    return float(highest(lambda eps: 1 - reference.gaussian_delta(mu, eps) - mp.exp(eps) * mp.mpf(alpha), -12, 12))


@claim("GMPS-Def-VI.19", verdict=DEFINITION, where="Definition VI.19", title="Gaussian privacy over a metric")
def gaussian_privacy_over_a_metric():
    r"""$d$-Gprivacy: $T(\mathcal M(D),\mathcal M(D'))\ge G_{d(D,D')}$ for all databases, where $d$ is a metric and
    $G_\infty=0$.

    The least such $d$ is the $\mu$ between the two databases, which is a metric indeed; a promise of less is broken.
    """
    rows = [(*row[:3], row[4]) for row in over_a_metric(Gaussian, 21)]
    return Table(rows, ["mechanism", "D and D'", "least d = mu between them", "pairs at distance inf"])


@claim(
    "GMPS-Text-Ginf",
    verdict=MISPRINT,
    where="Definition VI.19, limit",
    title="The limit of the Gaussian trade-offs is 0",
)
def limit_of_trade_offs():
    r"""$G_\infty$ is introduced as the limit of $G_\mu$, which is said to be 0.

    Not at $\alpha=0$: $G_\mu(0)=1$ for every finite $\mu$. With the limit, a distance $\infty$ would still forbid
    outputs that only one of two databases can have, such as $D$ itself. $G_\infty=0$ has to be set.
    """
    rows = []
    for mu in (1, 5, 50, math.inf):
        told = [gaussian_tradeoff(mu, alpha) for alpha in (0, 1e-3, 0.5, 1)]
        for alpha, value in zip((1e-3, 0.5), told[1:3], strict=True):
            exact = mp.ncdf(mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(alpha)) - mu) if mu < math.inf else 0
            ensure(abs(value - exact) <= 1e-12 * exact + 1e-300, "with mpmath")
        ensure(told[0] == (1 if mu < math.inf else 0), "1 at alpha = 0, except for mu = inf")
        rows.append((float(mu), *map(float, told)))
    ensure(rows[1][1] == 1 and rows[2][2] < 1e-300, "G_5(0) = 1, G_50(0.001) = 0")
    loud = FiniteMechanism.printing(RECORDS)
    ensure(loud.pair("", "a").tradeoff(0) == 0 and gaussian_loss(loud.pair("", "a")) == math.inf, "printing D")
    nothing = PrivacySpace(RECORDS, np.where(np.eye(len(RECORDS)), 0, np.inf))
    ensure(loud.keeps(Gaussian(nothing, 1)), "distance inf allows everything")
    return Table(rows, ["mu", "G(0)", "G(0.001)", "G(0.5)", "G(1)"])


@claim(
    "GMPS-Thm-VI.20", verdict=HOLDS, where="Theorem VI.20", title="Gaussian privacy of groups grows with the distance"
)
def gaussian_groups():
    r"""$\mathcal G$ $\mu$-GDP for neighbours is the same as $\mu d^{\mathcal G}$-Gprivacy for all pairs.

    Because $\mu$ is symmetric and satisfies the triangle inequality. Gaussian noise attains it: $n$ steps shift the
    mean by $n$.
    """
    rng = np.random.default_rng(22)
    for _ in range(60):
        laws = [reference.random_law(rng, 3, 30) for _ in "PQR"]
        pairs = list(combinations(laws, 2))
        pq, pr, qr = (gaussian_loss(Pair(*pair)) for pair in pairs)
        ensure(same((pq, pr, qr), [least_mu(*pair) for pair in pairs]), "over all events")
        ensure(same((pq, pr, qr), [gaussian_loss(Pair(*pair).reversed()) for pair in pairs]), "symmetric")
        ensure(pr <= (pq + qr) * (1 + 1e-12), "the triangle inequality")
    rows = [(f"random {n}", *row[:3]) for n, row in enumerate(groups_of(Gaussian, 23), 1)]
    space = unbounded.on(DatabaseClass.multisets("a", at_most=3))
    told = Gaussian(space, 0.5).at("", "aaa")
    ensure(told == 1.5 and same(tradeoff_by_lines(1.5, 0.1), gaussian_tradeoff(told, 0.1)), "three steps of 0.5")
    rows.append(("Gaussian noise, mu = 0.5", "three steps", 1.5, told))
    return Table(rows, ["mechanism", "pair", "exact mu", "mu d"])


@claim(
    "GMPS-Thm-VI.21",
    verdict=HOLDS,
    where="Theorem VI.21",
    title="Gaussian: the distances add up like sides of a right angle",
)
def gaussian_composition():
    r"""If mechanism $i$ is $d_i$-Gprivate whatever was printed before, and is given $f_i(D)$, all together are
    $d$-Gprivate with $d(D,D')=\sqrt{\sum_id_i(f_i(D),f_i(D'))^2}$.

    The text calls it the sum of the squares; it is the root of that, the Euclidean norm. Gaussian noise attains it, and
    finite mechanisms stay below.
    """
    rows = [(f"random {n}", *row) for n, row in enumerate(squares_in_worlds("VI.21", Gaussian, 24)[:6], 1)]
    for one, other in ((0.5, 1.0), (1.0, 1.0)):
        space = unbounded.on(DatabaseClass.multisets("a", at_most=1))
        told = compose([Gaussian(space, one), Gaussian(space, other)], adaptive=True).at("", "a")
        ensure(close(told, mp.sqrt(one**2 + other**2)), "the Euclidean norm")
        for eps in (0.1, 0.7, 2.0):
            ensure(close(delta_of_two(one, other, eps), reference.gaussian_delta(told, eps), 1e-9), "attained")
        rows.append((f"Gaussian noise, {one:g} and {other:g}", "one step", math.hypot(one, other), told))
    return Table(rows, ["mechanism", "D and D'", "exact mu", "root of the sum of squares"])


@claim(
    "GMPS-Thm-VI.22",
    verdict=HOLDS,
    where="Theorem VI.22",
    title="Gaussian, common domain: the least distances add up in squares",
)
def gaussian_common_domain():
    r"""For mechanisms that are $d_i$-Gprivate on $\mathbb D$ and look at $f_i(D)$ only, the composition is
    $\sqrt{\sum_i(d_i^{f_i})^2}$-Gprivate.

    The metric closure of $d_i^{f_i}$ is better still: for a coarse count $\lfloor|D|/3\rfloor$ with Gaussian noise,
    between 0 and 8 records, $d^f=4$, the closure is 2, and that is exact.
    """
    rows = [(f"random {n}", *row) for n, row in enumerate(common_squares_in_worlds("VI.22", Gaussian, 25)[:4], 1)]
    space, coarse = unbounded.on(DatabaseClass.multisets("a", at_most=8)), lambda D: len(D) // 3
    ends, steps = ((), ("a",) * 8), hand.steps(space.databases, hand.added)
    raw = hand.least_over_fibres(steps, space.databases, coarse)
    told = [compose([Gaussian(space, 1)], [coarse], common_domain=True, closure=c).at(*ends) for c in (False, True)]
    ensure(told == [raw[ends], hand.shortened(raw, space.databases)[ends]] == [4, 2], "4 and 2")
    exact = coarse(ends[1]) - coarse(ends[0])  # the shift of the mean, in standard deviations
    rows += [
        ("coarse count, d^f", "0 and 8 records", float(exact), told[0]),
        ("closure", "0 and 8 records", float(exact), told[1]),
    ]
    return Table(rows, ["mechanism", "D and D'", "exact mu", "promised"])


@claim("GMPS-Thm-VI.23", verdict=MISPRINT, where="Theorem VI.23", title="Gaussian, same data: d_i-DP is enough")
def gaussian_sequential():
    r"""If every mechanism satisfies $d_i$-DP whatever was printed before, the composition is said to be
    $\sqrt{d_1^2+\dots+d_k^2}$-Gprivate.

    It must say $d_i$-Gprivacy, and all on the same class. Pure privacy is not enough: randomized response with
    $\varepsilon=0.1$ has $\mu=0.1253$ (for small $\varepsilon$ the ratio tends to $\sqrt{\pi/2}$), and four of them
    have $0.2118>0.2$. Only from $\varepsilon=4.8114$ on is $\mu\le\varepsilon$.
    """
    squares_in_worlds("VI.23", Gaussian, 26, whole=True)
    rows = []
    for eps, k in ((1e-3, 1), (0.1, 1), (0.1, 4), (1.0, 1), (1.0, 4), (4.8, 1), (4.82, 1)):
        law = [1 / (1 + math.exp(-eps)), 1 / (1 + math.exp(eps))]
        exact = least_mu(*merged_coins(law, k))
        ensure(close(gaussian_loss(mechanisms.randomized_response(eps) ** k), exact, 1e-9), "over all events")
        ensure(k > 1 or close(pure_mu(eps), exact, 1e-9), "the worst eps-DP mechanism")
        rows.append((eps, k, exact, math.sqrt(k) * eps, bool(exact <= math.sqrt(k) * eps)))
    ensure(close(rows[0][2] / 1e-3, math.sqrt(math.pi / 2), 1e-6) and close(rows[1][2], 0.125309, 1e-5), "0.125309")
    ensure(close(rows[2][2], 0.21181, 1e-4) and [row[4] for row in rows] == [False] * 6 + [True], "broken up to 4.8")
    start = mp.findroot(lambda e: 2 * mp.sqrt(2) * mp.erfinv(2 / (1 + mp.exp(-e)) - 1) - e, 4.8)
    ensure(close(start, 4.8114, 1e-5), "4.8114")
    space = unbounded.on(RECORDS)
    told = compose([Gaussian(space, mu) for mu in (1, 2, 2)], adaptive=True)
    ensure(told.level() == 3 and told.theorem() == "VI.23", "the root of 1 + 4 + 4")
    return Table(rows, ["eps", "k", "exact mu of k coins", "sqrt(k) eps, as printed", "enough"])


def merged_coins(law: Sequence, k: int) -> tuple[list, list]:
    """Return the law of the number of wrong answers of k coins, under both hypotheses."""
    p = [math.comb(k, i) * law[0] ** (k - i) * law[1] ** i for i in range(k + 1)]
    return p, p[::-1]


@claim(
    "GMPS-Thm-VI.24",
    verdict=HOLDS,
    where="Theorem VI.24",
    title="Gaussian, commuting metrics: at most the largest level",
)
def gaussian_commuting():
    r"""If $d^*$ commutes with the partition $p$, and part $i$ is treated $\mu_id^*$-Gprivately, the whole is
    $\tilde d$-Gprivate with $\tilde d=\sqrt{\sum_i(\mu_id^*(p_i(D),p_i(D')))^2}\le\max\mu_i\,d^*(D,D')$.

    "Whatever was printed before" is missing. All that is used of commuting is $\sqrt{\sum_id_i^2}\le d^*$. It is not
    always so: cut sorted multisets into two halves, and one record can change both.
    """
    space, rows = unbounded.on(RECORDS), []
    parts = compose([Gaussian(part, 1) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    halves = Partition([lambda D: D[: len(D) // 2], lambda D: D[len(D) // 2 :]])
    both = compose([Gaussian(space, 1)] * 2, halves, on=space, adaptive=True)
    for name, p, promise in (("by record", PARTS, parts), ("sorted halves", halves, both)):
        told = {
            (D, E): math.sqrt(sum(hand.apart(x, y) ** 2 for x, y in zip(p(D), p(E), strict=True)))
            for D, E in product(RECORDS, repeat=2)
        }
        ensure(same(promise.matrix, matrix(told, RECORDS.databases)), "the norm of the distances, a second time")
        gaps = {pair: told[pair] / hand.apart(*pair) for pair in combinations(RECORDS, 2)}
        commutes = all(sum(map(hand.apart, p(D), p(E))) <= hand.apart(D, E) for D, E in combinations(RECORDS, 2))
        ensure(p.commutes_with(symmetric_difference, on=RECORDS) == commutes, "commuting")
        worst = max(gaps, key=gaps.get)
        counts = [sum(x < 1 - 1e-12 for x in gaps.values()), sum(x > 1 + 1e-12 for x in gaps.values())]
        rows.append((name, commutes, len(gaps), *counts, gaps[worst], " and ".join(map(show, worst))))
    ensure(rows[0][1:6] == (True, 45, 25, 0, 1) and rows[1][1:3] == (False, 45), "strict on 25 of 45 pairs")
    ensure(rows[1][4] == 3 and close(rows[1][5], math.sqrt(5)), "3 violations, the worst sqrt(5)")
    uneven = [Gaussian(part, mu) for part, mu in zip(PARTS.spaces(space), (0.5, 2), strict=True)]
    ensure(np.all(compose(uneven, PARTS, on=space).matrix <= 2 * space.matrix), "unequal levels: the larger one counts")
    columns = ["partition", "commutes", "pairs", "strictly below d*", "above d*", "largest ratio", "at"]
    return Table(rows, columns)


@claim("GMPS-Text-VI.24-eq", verdict=FALSE, where="After Theorem VI.24", title="Equality holds if one part changes")
def when_the_bound_is_attained():
    r"""In $\tilde d\le\max\mu_i\,d^*$ equality is said to hold whenever all parts but one are unchanged.

    False: with $\mu=(1,2)$, adding an $a$ costs 1, not 2. The changed part must also have the largest $\mu$, and
    contain all that changed, $d^*(p_j(D),p_j(D'))=d^*(D,D')$: records may belong to no part.
    """
    cls = DatabaseClass.multisets("abc", at_most=2)
    space, parts, mu = unbounded.on(cls), Partition.by_record(["a", "b"]), (1, 2)  # c belongs to no part
    promise = compose([Gaussian(part, m) for part, m in zip(parts.spaces(space), mu, strict=True)], parts, on=space)
    rows, counted = [], [0, 0]
    for D, E in combinations(cls, 2):
        each = [hand.apart(x, y) for x, y in zip(parts(D), parts(E), strict=True)]
        if sum(d > 0 for d in each) == 1:
            j, told, bound = int(each[0] == 0), promise.at(D, E), 2 * hand.apart(D, E)
            ensure(close(told, mu[j] * max(each)), "one part decides")
            equal = mu[j] == 2 and each[j] == hand.apart(D, E)
            ensure((told == bound) == equal, "equality exactly under the two conditions")
            counted[equal] += 1
            if (D, E) in (((), ("a",)), ((), ("b",)), ((), ("b", "c")), ((), ("b", "b"))):
                rows.append((f"{show(D)} and {show(E)}", j + 1, told, float(bound), bool(equal)))
    ensure(rows[0][2:4] == (1, 2) and counted == [21, 5], "1 < 2; equality at 5 of 26 such pairs")
    return Table(rows, ["pair, mu = (1, 2)", "changed part", "d~", "max mu d*", "equality"])


@claim(
    "GMPS-Ex-VI.25",
    verdict=CORRECTED,
    where="Example VI.25",
    title="One record more in two parts costs the root of two",
)
def root_of_two():
    r"""If $D'$ has one record more in each of two parts, then $\tilde d(D,D')=\sqrt2$, while the symmetric difference
    is 2.

    The composed mechanism must be $(\mathcal M_i\circ p_i)_i$, which is given the parts; $(\mathcal M_i)_i$ is printed.
    Gaussian noise on the two counts attains $\sqrt2$.
    """
    space, rows = unbounded.on(RECORDS), []
    promise = compose([Gaussian(part, 1) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    for D, E in (((), ("a", "b")), ((), ("a", "a")), (("a",), ("b",)), ((), ("a", "a", "b"))):
        shift = [E.count(x) - D.count(x) for x in "ab"]  # of the two counts, each with noise of deviation 1
        told, exact = promise.at(D, E), math.hypot(*shift)
        ensure(close(told, exact) and told <= hand.apart(D, E), "the length of the shift")
        rows.append((f"{show(D)} and {show(E)}", told, hand.apart(D, E)))
    for eps in (0.2, 1.0):
        ensure(close(delta_of_two(1, 1, eps), reference.gaussian_delta(mp.sqrt(2), eps), 1e-9), "two counts, exactly")
    ensure(close(rows[0][1], math.sqrt(2)) and rows[0][2] == 2, "sqrt(2) < 2")
    return Table(rows, ["D and D'", "d~", "symmetric difference"])


@claim(
    "GMPS-Text-VI.C-compat", verdict=FALSE, where="Before Theorem VI.26", title="With compatible parts there is no gain"
)
def compatible_and_yet_a_gain():
    r"""A compatible partition is said to leave all parts but one unchanged, so that the composition theorem cannot be
    better than $\max\mu_i\,d^{\mathcal G}$.

    True of the level only, that is of the worst neighbours. Splitting by record is compatible with unbounded
    neighbours, whose metric is the symmetric difference: the pair of the example before, $\emptyset$ and $\{a,b\}$, has
    $\sqrt2<2$. With unequal levels there is a gain at some neighbours, too: for $\mu=(1,2)$ adding an $a$ costs 1.
    """
    space, rows = unbounded.on(RECORDS), []
    steps = hand.steps(RECORDS.databases, hand.added)
    ensure(PARTS.compatible(space) and PARTS.sensitivities(space) == [1, 1], "compatible, sensitivities 1")
    ensure(not PARTS.compatible(bounded.on(RECORDS)), "but not with bounded neighbours")
    promise = compose([Gaussian(part, 1) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    touched = {(D, E): sum(D.count(x) != E.count(x) for x in "ab") for D, E in combinations(RECORDS, 2)}
    for distance in (1, 2, 3):
        pairs = [pair for pair in touched if steps[pair] == distance]
        gains = [pair for pair in pairs if promise.at(*pair) < distance]
        ensure(all((touched[pair] == 2) == (pair in gains) for pair in pairs), "a gain where two parts change")
        least = min(pairs, key=lambda pair: promise.at(*pair))
        rows.append((distance, len(pairs), sum(touched[pair] > 1 for pair in pairs), len(gains), promise.at(*least)))
    ensure(rows[0][2:4] == (0, 0) and rows[1][2] > 0 and close(rows[1][4], math.sqrt(2)), "sqrt(2) < 2")
    uneven = compose(
        [Gaussian(part, mu) for part, mu in zip(PARTS.spaces(space), (1, 2), strict=True)], PARTS, on=space
    )
    ensure((uneven.at((), ("a",)), uneven.at((), ("b",)), uneven.level()) == (1, 2, 2), "unequal levels, neighbours")
    return Table(rows, ["d", "pairs", "with two changed parts", "with a gain", "least by Theorem VI.21"])


@claim("GMPS-Thm-VI.26", verdict=HOLDS, where="Theorem VI.26", title="Gaussian, disjoint inputs: the largest level")
def gaussian_best_bound():
    r"""A compatible partition with sensitivities at most 1: parts that are treated $\mu_i$-Gprivately make the whole
    $\mu\,d$-Gprivate, with $\mu=\max\mu_i$.

    It follows from one step at a time (Theorem VI.20); the reason given before it does not hold. For two steps in two
    parts, Theorem VI.21 promises less.
    """
    rows = squares_of_parts("VI.26", Gaussian, 27)
    return Table(rows, ["mu of the a's", "mu of the b's", "exact, {} and {a,b}", "by parts", "max mu d"])
