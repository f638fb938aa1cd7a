"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: zero-concentrated privacy (section VI-B).

Every theorem is tried on small worlds in which everything can be computed at all pairs of databases: by
`dpteach.granularity` and `dpteach.notions`, and a second time from the definitions (all events, all orders, all paths).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from mpmath import mp

from ... import Pair, Table, mechanisms
from ...granularity import (
    DatabaseClass,
    Granularity,
    PrivacySpace,
    bounded,
    free_lunch,
    unbounded,
)
from ...notions import (
    FiniteMechanism,
    Pure,
    ZeroConcentrated,
    compose,
    concentrated_loss,
    pure_rho,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as hand
from ..reference.basics import all_close, close
from .worlds import (
    PARTS,
    RECORDS,
    common_squares_in_worlds,
    groups_of,
    least_rho,
    log,
    matrix,
    over_a_metric,
    renyi,
    root_rho,
    same,
    squares_in_worlds,
    squares_of_parts,
    two,
)

COIN = mechanisms.randomized_response(ratio=3)


@claim("GMPS-Def-VI.9", verdict=DEFINITION, where="Definition VI.9", title="The Rényi divergence")
def renyi_divergence():
    r"""$D_\alpha(P\|Q)=\frac1{\alpha-1}\ln\sum_yP(y)^\alpha Q(y)^{1-\alpha}$ for $\alpha>1$; its limit $D_\infty$ is
    the logarithm of the largest $P(S)/Q(S)$ over all events $S$.

    It grows with $\alpha$. At $\alpha=1$ the limit is the Kullback-Leibler divergence.
    """
    p, q = [Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2)] * 2
    rng = np.random.default_rng(8)
    for a, b in [(p, q), (q, p)] + [tuple(reference.random_law(rng, 4) for _ in "pq") for _ in range(20)]:
        pair, orders = Pair(a, b), (1, 1.5, 2, 10, 100, 1000)
        told, largest = pair.renyi(np.array(orders)), reference.ratio_by_events(a, b, 0)
        ensure(same(told, [renyi(a, b, alpha) for alpha in orders]), "with mpmath")
        ensure(np.all(told[1:] >= told[:-1] * (1 - 1e-12)), "it grows")
        ensure(same(pair.renyi(math.inf), log(largest)), "over all events")
    forth, back = Pair(p, q), Pair(q, p)
    rows = [(float(alpha), forth.renyi(alpha), back.renyi(alpha)) for alpha in (1, 2, 10, 100, 1000, math.inf)]
    ensure(all_close([row[1] for row in rows[2:]], (0.5761, 0.5867, 0.5877, 0.5878), 2e-4), "0.5761 to 0.5878")
    return Table(rows, ["alpha", "P = (0.9, 0.1), Q = (0.5, 0.5)", "Q against P"])


@claim(
    "GMPS-Text-weak-triangle",
    verdict=CORRECTED,
    where="After Definition VI.9",
    title="Rényi divergences satisfy a weak triangle inequality",
)
def weak_triangle_inequality():
    r"""Rényi divergences are not symmetric and violate the triangle inequality, but for all $\alpha,k\ge1$:
    $D_\alpha(P\|R)\le\frac{k\alpha}{k\alpha-1}D_{\frac{k\alpha-1}{k-1}}(P\|Q)+D_{k\alpha}(Q\|R)$.

    Right for $\alpha,k>1$, and also if one of them is 1 (for $k=1$ the first order is $\infty$). For $\alpha=k=1$ the
    right side is not defined: the factor is $1/0$.
    """
    nine, even, one = [Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2)] * 2, [Fraction(1, 10), Fraction(9, 10)]
    rng, rows = np.random.default_rng(9), []
    for _ in range(60):
        laws = [[x / 2 + Fraction(1, 8) for x in reference.random_law(rng, 4)] for _ in "PQR"]
        alpha, k = 1 + rng.exponential() * (rng.random() < 0.9), 1 + rng.exponential()
        left, right = weak_triangle(laws, alpha, k)
        ensure(left <= right * (1 + 1e-12), "the weak inequality")
    for alpha, k in ((2, 2), (2, 1.2), (2, 1), (1, 2), (10, 3)):
        left, right = weak_triangle((nine, even, one), alpha, k)
        plain = Pair(nine, even).renyi(alpha) + Pair(even, one).renyi(alpha)
        ensure(left <= right * (1 + 1e-12), "also where one of them is 1")
        rows.append((float(alpha), float(k), left, plain, right))
    ensure(all_close(rows[0][2:4], (2.0932, 1.5163), 1e-4), "2.0932 > 1.5163: no triangle inequality")
    forth, back = Pair(nine, even).renyi(2), Pair(even, nine).renyi(2)
    ensure(all_close((forth, back), (0.4947, 1.0217), 1e-4), "0.4947 against 1.0217: not symmetric")
    return Table(rows, ["alpha", "k", "D(P||R)", "D(P||Q) + D(Q||R), order alpha", "weak inequality"])


def weak_triangle(laws: Sequence, alpha: float, k: float) -> tuple[float, float]:
    """Return both sides of the weak triangle inequality, checked with mpmath."""
    p, q, r = laws
    order = (k * alpha - 1) / (k - 1) if k > 1 else math.inf
    sides = []
    for d in (renyi, lambda a, b, at: Pair(a, b).renyi(at)):
        sides.append((d(p, r, alpha), k * alpha / (k * alpha - 1) * d(p, q, order) + d(q, r, k * alpha)))
    ensure(same(*sides), "both sides, a second time")
    return sides[1]


@claim("GMPS-Text-Dinf", verdict=HOLDS, where="Before Definition VI.10", title="Pure privacy bounds a Rényi divergence")
def pure_privacy_as_a_divergence():
    r"""$\mathcal M$ is $d$-private if and only if $D_\infty(\mathcal M(D)\|\mathcal M(D'))\le d(D,D')$ for all $D,D'$.

    "All" includes both orders, and they differ. So the least $d$ is the larger of the two.
    """
    rng, rows = np.random.default_rng(10), []
    for n in range(1, 9):
        laws = hand.random_laws(rng, range(4), 3, zeros=0.1 * (n > 4))
        mechanism, least = FiniteMechanism(range(4), laws), {}
        for D, E in product(range(4), repeat=2):
            p, q = two(laws, D, E)
            forth, back = mechanism.pair(D, E).renyi(math.inf), mechanism.pair(E, D).renyi(math.inf)
            least[D, E] = max(log(reference.ratio_by_events(p, q, 0)), log(reference.ratio_by_events(q, p, 0)))
            ensure(same(max(forth, back), least[D, E]), "over all events, in both orders")
        d = matrix(least, range(4))
        ensure(same(mechanism.losses(), d), "the library's losses")
        ensure(mechanism.keeps(Pure(PrivacySpace(range(4), d), 1)), "the least d is kept")
        i, j = np.unravel_index(np.argmax(np.where(np.isinf(d), 0, d)), d.shape)
        less = np.where(np.isin(np.arange(16).reshape(4, 4), [4 * i + j, 4 * j + i]), d - 1e-6, d)
        ensure(mechanism.broken(Pure(PrivacySpace(range(4), less), 1)) in ((i, j), (j, i)), "less is broken there")
        pair = mechanism.pair(int(i), int(j))
        rows.append((n, f"{i} and {j}", pair.renyi(math.inf), pair.reversed().renyi(math.inf), float(d[i, j])))
    return Table(rows, ["mechanism", "D and D'", "D_inf forth", "D_inf back", "least d"])


@claim("GMPS-Def-VI.10", verdict=DEFINITION, where="Definition VI.10", title="Zero-concentrated privacy")
def zero_concentrated_privacy():
    r"""$\mathcal M$ is $\mathcal G$ $\rho$-zCDP if $D_\alpha(\mathcal M(D)\|\mathcal M(D'))\le\rho\alpha$ for all
    neighbours and all $\alpha>1$.

    For randomized response the worst order is $\alpha\to1$, so that $\rho=\varepsilon\tanh(\varepsilon/2)$; for
    $e^{\varepsilon}=3$ that is 0.54931. Gaussian noise has $D_\alpha=\alpha\mu^2/2$ at every order.
    """
    rho, rows = concentrated_loss(COIN), []
    for alpha in (1, 1.01, 2, 5, 50):
        coin, noise = renyi([*COIN.p], [*COIN.q], alpha), gaussian_renyi(1, alpha)
        ensure(coin <= rho * alpha * (1 + 1e-12) and close(noise, alpha / 2, 1e-9), "at most rho alpha")
        rows.append((float(alpha), float(coin), float(coin / alpha), noise / alpha))
    exact = mp.log(3) * mp.tanh(mp.log(3) / 2)
    ensure(close(rho, exact) and close(rho, 0.54931, 1e-5) and close(pure_rho(math.log(3)), exact), "0.54931")
    ensure(close(rows[0][2], rho) and rows[1][2] < rho, "the supremum is the limit at 1")
    rng = np.random.default_rng(11)
    for _ in range(20):
        laws, edges = hand.random_laws(rng, range(4), 3), hand.random_graph(rng, 4, 0.6)
        told = FiniteMechanism(range(4), laws).level(Granularity(edges).on(range(4)), "zero-concentrated")
        ensure(same(told, max((least_rho(*two(laws, *pair)) for pair in edges), default=0)), "the worst neighbours")
    return Table(rows, ["alpha", "D_alpha, randomized response", "per alpha", "Gaussian noise (mu = 1), per alpha"])


def gaussian_renyi(mu: float, alpha: float) -> float:
    """Return the Rényi divergence of N(0, 1) against N(mu, 1), by summing densities on a fine grid; order 1 is KL."""
    x = (1 - alpha) * mu + np.arange(-12, 12, 0.01)
    log_p, log_q = -(x**2) / 2, -((x - mu) ** 2) / 2  # up to the same constant
    if alpha == 1:
        return float(np.exp(log_p) @ (log_p - log_q) / np.exp(log_p).sum())
    powers = alpha * log_p + (1 - alpha) * log_q
    total = np.exp(powers - powers.max()).sum() * 0.01 / math.sqrt(2 * math.pi)
    return (math.log(total) + float(powers.max())) / (alpha - 1)


@claim(
    "GMPS-Text-zCDP-group",
    verdict=HOLDS,
    where="Before Definition VI.11",
    title="Rho grows with the square of the distance",
)
def quadratic_group_privacy():
    r"""$\rho$ grows with the square of the distance: $n$ steps of $\rho$-zCDP make $n^2\rho$, and Gaussian noise needs
    that.

    In other words, $\sqrt\rho$ satisfies the triangle inequality. A geometric count stays below: far away it loses
    about $\varepsilon$ a step, and no square.
    """
    rng = np.random.default_rng(12)
    for _ in range(60):
        laws = [reference.random_law(rng, 3, 30) for _ in "PQR"]
        pq, pr, qr = (math.sqrt(concentrated_loss(Pair(*pair))) for pair in combinations(laws, 2))
        ensure(same((pq, pr, qr), [root_rho(*pair) for pair in combinations(laws, 2)]), "a second time")
        ensure(pr <= (pq + qr) * (1 + 1e-9), "the triangle inequality")
    count, rows = FiniteMechanism.noisy_count(DatabaseClass.multisets("a", at_most=8), ratio=2), []
    for n in (1, 2, 3, 4, 8):
        told, law = count.loss("", "a" * n, "zero-concentrated"), count.pair("", "a" * n)
        ensure(same(told, least_rho([*law.p], [*law.q])), "rho, a second time")
        ensure(n == 1 or told <= n**2 * rows[0][1], "at most n^2 rho")
        ensure(count.ratio("", "a" * n) == 2**n, "pure privacy: log 2 a step")
        noise = gaussian_renyi(n, 1.5) / 1.5
        ensure(close(noise, n * n / 2, 1e-9), "n^2 rho for Gaussian noise")
        rows.append((n, told, n**2 * (rows[0][1] if rows else told), noise, n**2 / 2))
    shares = [row[1] / row[2] for row in rows]
    ensure(shares == sorted(shares, reverse=True) and shares[-1] < 0.5, "the count needs less and less of it")
    return Table(rows, ["steps n", "rho of a geometric count", "n^2 rho", "rho of Gaussian noise", "n^2 / 2"])


@claim("GMPS-Def-VI.11", verdict=DEFINITION, where="Definition VI.11", title="Zero-concentrated privacy over a metric")
def zero_concentrated_over_a_metric():
    r"""$d^2$-zCprivacy: $D_\alpha(\mathcal M(D)\|\mathcal M(D'))\le d(D,D')^2\alpha$ for all databases and all
    $\alpha>1$, where $d$ is a metric.

    The least such $d$ is $\sqrt\rho$ between the two databases, which is a metric indeed; a promise of less is broken.
    Infinite distances promise nothing.
    """
    rows = over_a_metric(ZeroConcentrated, 13)
    return Table(rows, ["mechanism", "D and D'", "rho between them", "d = sqrt(rho)", "pairs at distance inf"])


@claim(
    "GMPS-Thm-VI.12",
    verdict=MISPRINT,
    where="Theorem VI.12",
    title="Zero-concentrated privacy of neighbours is rho d^2-privacy",
)
def zero_concentrated_groups():
    r"""$\mathcal G$ $\rho$-zCDP for neighbours is said to be the same as $\rho(d^{\mathcal G})^2$-privacy.

    It must say zCprivacy. Read literally, as pure privacy, one direction fails: randomized response with
    $e^{\varepsilon}=3$ has $\rho=0.549$ but loses $\ln3=1.099$, and Gaussian noise is not purely private at all.
    """
    cls = DatabaseClass.multisets("a", at_most=1)
    coin = FiniteMechanism(cls, [[*COIN.p], [*COIN.q]])
    rho, loss = coin.level(unbounded.on(cls), "zero-concentrated"), coin.level(unbounded.on(cls))
    ensure(close(rho, 0.54931, 1e-5) and close(loss, math.log(3)) and rho < loss, "0.549 < 1.099")
    ensure(close(rho, least_rho([*COIN.p], [*COIN.q]), 1e-9), "rho, a second time")
    ensure(not coin.keeps(Pure(unbounded.on(cls), rho)) and coin.keeps(ZeroConcentrated(unbounded.on(cls), rho)), "zC")
    ensure(mechanisms.gaussian(1).epsilon(0) == math.inf, "Gaussian noise has no eps at delta = 0")
    rows = [("randomized response", "one step", rho, rho, loss)]
    rows += [(f"random {n}", *row) for n, row in enumerate(groups_of(ZeroConcentrated, 14), 1)]
    return Table(rows, ["mechanism", "pair", "exact rho", "rho d^2", "pure loss"])


@claim(
    "GMPS-Thm-VI.13",
    verdict=HOLDS,
    where="Theorem VI.13",
    title="Zero-concentrated: the squares of the distances add up",
)
def zero_concentrated_composition():
    r"""If mechanism $i$ is $d_i^2$-zCprivate whatever was printed before, and is given $f_i(D)$, all together are
    $d^2$-zCprivate with $d^2(D,D')=\sum_id_i^2(f_i(D),f_i(D'))$.

    So $d$ is the Euclidean norm of the distances, and again a metric. In each world the promises are as small as the
    mechanisms allow.
    """
    rows = squares_in_worlds("VI.13", ZeroConcentrated, 15)
    ensure(max(row[1] / row[2] for row in rows) > 0.9, "sometimes nearly attained")
    return Table(rows[:8], ["D and D'", "exact rho", "sum of squares"])


@claim(
    "GMPS-Thm-VI.14",
    verdict=MISPRINT,
    where="Theorem VI.14",
    title="Zero-concentrated, common domain: the squares of the d_i add up",
)
def zero_concentrated_common_domain():
    r"""For mechanisms that are $d_i^2$-zCprivate on $\mathbb D$ and look at $f_i(D)$ only, the composition is said to
    be $\sum_id_i^2$-zCprivate.

    The superscript is missing: $\sum_i(d_i^{f_i})^2$ is meant. As printed it is true, but that is Theorem VI.15, and
    the functions play no role. A coarse count $\lfloor|D|/3\rfloor$, released twice, between 0 and 8 records: 128 as
    printed, 32 with $d^f$, and 8 with its metric closure.
    """
    common_squares_in_worlds("VI.14", ZeroConcentrated, 16)
    space, coarse = unbounded.on(DatabaseClass.multisets("a", at_most=8)), lambda D: len(D) // 3
    steps, ends = hand.steps(space.databases, hand.added), ((), ("a",) * 8)
    raw = hand.least_over_fibres(steps, space.databases, coarse)
    promises, rows = [ZeroConcentrated(space, 1)] * 2, []
    for name, by_hand, told in (
        ("as printed", steps, compose(promises)),
        ("with d^f", raw, compose(promises, [coarse] * 2, common_domain=True, closure=False)),
        ("with its closure", hand.shortened(raw, space.databases), compose(promises, [coarse] * 2, common_domain=True)),
    ):
        ensure(told.at(*ends) == 2 * by_hand[ends] ** 2, "twice the square")
        rows.append((name, by_hand[ends], told.at(*ends)))
    ensure([row[2] for row in rows] == [128, 32, 8], "128, 32, 8")
    exact = 2 * gaussian_renyi(2 * math.sqrt(2), 1.5) / 1.5  # twice a count that moves by 2, with noise sqrt(1/2)
    ensure(close(exact, 8, 1e-9), "Gaussian noise attains 8")
    rows.append(("Gaussian noise, exactly", 2, exact))
    return Table(rows, ["0 and 8 records", "d", "rho of two releases"])


@claim("GMPS-Thm-VI.15", verdict=HOLDS, where="Theorem VI.15", title="Zero-concentrated, same data: the squares add up")
def zero_concentrated_sequential():
    r"""If every mechanism is given the whole database and is $d_i^2$-zCprivate whatever was printed before, the
    composition is $\sum_id_i^2$-zCprivate.

    With $d_i^2=\rho_id^2$ the parameters add up, for any granularity.
    """
    rows = squares_in_worlds("VI.15", ZeroConcentrated, 17, whole=True)
    for granularity in (unbounded, bounded, free_lunch):
        space = granularity.on(RECORDS)
        told = compose([ZeroConcentrated(space, rho) for rho in (0.5, 0.25, 2)], adaptive=True)
        ensure(told.level() == 2.75 and told.theorem() == "VI.15", "0.5 + 0.25 + 2")
    return Table(rows[:8], ["D and D'", "exact rho", "sum of squares"])


@claim(
    "GMPS-Text-VI.15-di",
    verdict=MISPRINT,
    where="After Theorem VI.15",
    title="The metrics rho_i d^2 give the known bound",
)
def a_square_too_many():
    r"""To recover the known bound $\sum\rho_i$, the metrics are chosen as $d_i=\rho_i(d^{\mathcal U})^2$.

    The square is on the wrong side: $d_i^2=\rho_i(d^{\mathcal U})^2$, so $d_i=\sqrt{\rho_i}\,d^{\mathcal U}$. As
    printed, $d_i$ is not a metric, and $\sum d_i^2=\sum\rho_i^2$ for neighbours is too small: two randomized responses
    with $e^{\varepsilon}=3$ have exactly $2\rho=1.0986$, not $2\rho^2=0.6035$.
    """
    rho, rows = least_rho([*COIN.p], [*COIN.q]), []
    space = unbounded.on(DatabaseClass.multisets("a", at_most=2))
    ensure(not PrivacySpace(space.cls, rho * space.matrix**2).is_metric, "as printed, no metric")
    ensure(PrivacySpace(space.cls, math.sqrt(rho) * space.matrix).is_metric, "a metric")
    for k in (1, 2, 3, 4):
        pair = COIN**k
        exact = least_rho(*reference.product_pair([([*COIN.p], [*COIN.q])] * k))
        told = compose([ZeroConcentrated(space, rho)] * k).at("", "a")
        ensure(close(concentrated_loss(pair), exact, 1e-9) and close(told, exact, 1e-9), "exactly k rho")
        ensure(k * rho**2 < exact, "as printed, too small")
        rows.append((k, exact, told, k * rho**2))
    ensure(close(rows[1][1], math.log(3), 1e-9) and close(rows[1][3], 0.6035, 1e-4), "1.0986 and 0.6035")
    return Table(rows, ["k", "exact rho of k coins", "sum of rho", "as printed, sum of rho^2"])


@claim(
    "GMPS-Thm-VI.16", verdict=HOLDS, where="Theorem VI.16", title="Zero-concentrated, disjoint inputs: the largest rho"
)
def zero_concentrated_best_bound():
    r"""A compatible partition with sensitivities at most 1: parts that are treated $\rho_i$-zCprivately make the whole
    $\rho\,d^2$-zCprivate, with $\rho=\max\rho_i$.

    For neighbours nothing better can be said. For two steps in two parts, Theorem VI.13 promises
    $\rho_1+\rho_2\le2\rho$ instead of $4\rho$: the gain that the paper shows for Gaussian privacy is there for this
    notion too.
    """
    rows = squares_of_parts("VI.16", ZeroConcentrated, 18)
    space = unbounded.on(RECORDS)
    told = compose([ZeroConcentrated(part, 0.5) for part in PARTS.spaces(space)], PARTS, on=space)
    ensure(told.theorem() == "VI.16" and told.level() == 0.5, "the level is that of one part")
    ensure((told.at("", "ab"), ZeroConcentrated(space, 0.5).at("", "ab")) == (1, 2), "2 rho against 4 rho")
    return Table(rows, ["rho of the a's", "rho of the b's", "exact, {} and {a,b}", "by parts", "max rho d^2"])
