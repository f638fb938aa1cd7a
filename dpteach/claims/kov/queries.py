"""Claims of Kairouz, Oh and Viswanath, sections 4.2 and 4.3: queries of graphs and matrices, and counting."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from mpmath import mp

from ... import Pair, Table, mechanisms, planning
from ..entries import ASYMPTOTIC, CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import spent

# ------------------------------------------------------------------------------- 4.2: queries of graphs and matrices


@claim("KOV-Eq-9", verdict=DEFINITION, where="Section 4.2, equation (9)", title="Approximating a cut query")
def approximating_a_cut():
    r"""A mechanism $(\eta,\tau,\nu)$-approximates a cut query if, for every graph and every non-empty set of vertices,
    its answer lies within a factor $1\pm\eta$ and a further $\pm\tau$ of the truth with probability $1-\nu$.

    Here for geometric noise on the cuts of a cycle of seven vertices: the least $\nu$ by summing the law of the noise,
    and by a closed form. The smallest cut decides.
    """
    eta, tau, rows = Fraction(1, 4), 3, []
    noise = mechanisms.geometric(ratio=2)
    mass = {n: (1 - noise.decay) / (1 + noise.decay) * noise.decay ** abs(n) for n in range(-60, 61)}
    sets = [set(s) for size in range(1, 7) for s in combinations(range(7), size)]
    cuts = {sum((v in s) != ((v + 1) % 7 in s) for v in range(7)) for s in sets}
    for q in sorted(cuts):
        within = [n for n in mass if (1 - eta) * q - tau <= q + n <= (1 + eta) * q + tau]
        closed = 2 * noise.decay ** (math.floor(eta * q + tau) + 1) / (1 + noise.decay)  # P(|noise| > eta q + tau)
        ensure(abs(1 - sum(mass[n] for n in within) - closed) < Fraction(1, 2**50), "two ways to the same nu")
        rows.append((q, len(within), closed, float(closed)))
    ensure(sorted(cuts) == [2, 4, 6] and rows[0][2] == max(row[2] for row in rows), "the smallest cut decides")
    return Table(rows, ["cut", "answers that count as close", "least nu", "as a decimal"])


@claim(
    "KOV-Eq-11",
    verdict=ASYMPTOTIC,
    where="Section 4.2, equation (11)",
    title="Cut queries now have an error with log(e + eps/delta)",
)
@claim(
    "KOV-Eq-10",
    verdict=ASYMPTOTIC,
    where="Section 4.2, equation (10)",
    title="Cut queries had an error with log(1/delta)",
)
def error_of_cut_queries():
    r"""The Johnson-Lindenstrauss mechanism answers $k$ cut queries up to an error of order
    $|S|\frac{\sqrt{\log(1/\delta)\log(k/\nu)}}{\varepsilon}\log\frac{\log(k/\nu)}{\eta^2\delta}$ (10); with the new
    composition theorem $\log(e+\varepsilon/\delta)$ stands in place of $\log(1/\delta)$ (11).

    The orders are quoted from Blocki et al. and not derived here. What changes is the share of the budget of each of
    the $r\approx\log(k/\nu)/\eta^2$ projections; the exact composition confirms both shares. It is a gain
    if and only if $\varepsilon+e\delta<1$.
    """
    known = {
        (1e-3, 1e-3): 0.4360207579860225,
        (1e-6, 1e-6): 0.308313234710015,
        (0.5, 1e-6): 0.9745915696159766,
        (1.0, 1e-6): 1.0000000983777613,
        (2.0, 1e-6): 1.0247788855757276,
    }
    k, size, eta, nu, rows = 50, 6, 0.3, 0.05, []
    r = math.ceil(math.log(k / nu) / eta**2)
    for (epsilon, delta), expected in known.items():
        new, old = (planning.cut_query_error(k, epsilon, delta, size, eta, nu, improved) for improved in (True, False))
        full = mp.mpf(size) * mp.sqrt(mp.log(1 / mp.mpf(delta)) * mp.log(k / mp.mpf(nu))) / epsilon
        ensure(close(old, full * mp.log(mp.log(k / mp.mpf(nu)) / (mp.mpf(eta) ** 2 * delta))), "equation (10)")
        before = epsilon / (2 * math.sqrt(r * math.log(1 / delta)))  # a projection's share by Theorem 3.2
        share = planning.per_answer(r, epsilon, delta).epsilon
        ensure(close(new / old, expected) and close(before / share, expected), "the error is inverse to the share")
        exact = max(spent(r, epsilon, delta), reference.optimal_delta(before, delta / (2 * r), r, epsilon))
        ensure(exact <= delta, "both shares keep the budget")
        ensure((new < old) == (epsilon + math.e * delta < 1), "a gain if and only if eps + e delta < 1")
        rows.append((epsilon, delta, old, new, new / old))
    return Table(rows, ["epsilon", "delta", "order (10)", "order (11)", "ratio"])


@claim("KOV-Fn-1", verdict=HOLDS, where="Section 4.2, footnote 1", title="A union bound covers all queries at once")
def union_bound_over_queries():
    r"""A bound that holds for one query with probability $1-\nu$ holds for $k$ queries at once if $\nu/k$ is put in
    place of $\nu$.

    By the union bound; and without knowing how the errors depend on each other no less will do: if they exclude one
    another the chance is exactly $1-\nu$. The logarithm in (10) becomes $\log(k/\nu)$.
    """
    nu, rows = Fraction(1, 10), []
    for k in (1, 2, 5, 50):
        apart = 1 - sum([nu / k] * k)  # the errors exclude one another
        independent, together = (1 - nu / k) ** k, 1 - nu / k
        ensure(apart == 1 - nu and apart <= independent <= together, "never less than 1 - nu")
        many, one = (planning.cut_query_error(n, 0.5, 1e-6, 6, 0.3, float(v)) for n, v in ((k, nu), (1, nu / k)))
        ensure(close(many, one), "k and nu enter as nu / k")
        rows.append((k, apart, float(independent), float(together)))
    return Table(rows, ["k", "all close, errors exclusive", "independent", "always together"])


@claim("KOV-Sec4.2-Variance", verdict=ASYMPTOTIC, where="Section 4.2", title="Variance queries save a logarithm, too")
def variance_queries():
    r"""For variance queries the error falls from an order with $\log(1/\delta)$ to one with
    $\log(e+\varepsilon/\delta)$, here without the square root.

    So the gain is the square of that for cut queries. The orders are quoted here as well.
    """
    k, eta, nu, rows = 50, 0.3, 0.05, []
    for epsilon, delta in ((1e-3, 1e-3), (1e-6, 1e-6), (1e-9, 1e-9), (0.5, 1e-6), (2.0, 1e-6)):
        new, old = (planning.variance_query_error(k, epsilon, delta, eta, nu, improved) for improved in (True, False))
        cut = [planning.cut_query_error(k, epsilon, delta, 1, eta, nu, improved) for improved in (True, False)]
        ensure(all_close((new, old), (cut[0] ** 2 / eta, cut[1] ** 2 / eta)), "the square of a cut's error, by eta")
        exact = mp.log(mp.e + mp.mpf(epsilon) / mp.mpf(delta)) / mp.log(1 / mp.mpf(delta))
        ensure(close(new / old, exact), "the ratio of the two logarithms")
        rows.append((epsilon, delta, new / old, (cut[0] / cut[1]) ** 2))
    ensure(close(rows[1][2], 0.0950570506973528), "0.095 at 1e-6")
    return Table(rows, ["epsilon", "delta", "new / old", "square of the gain for cuts"])


# -------------------------------------------------------------------------------------------- 4.3: geometric noise


@claim("KOV-Geometric", verdict=DEFINITION, where="Section 4.3", title="Geometric noise")
def geometric_noise():
    r"""Geometric noise gives a whole number $n$ the probability
    $\frac{e^{\varepsilon}-1}{e^{\varepsilon}+1}e^{-\varepsilon|n|}$.

    It is called a density there, with $k$ for the number. Checked by summing: the total, the chance
    $e^{\varepsilon}/(1+e^{\varepsilon})$ of at most 0, and the variance $2e^{\varepsilon}/(e^{\varepsilon}-1)^2$.
    """
    rows = []
    exact = [
        (mechanisms.geometric(ratio=r), mp.mpf(r.numerator) / r.denominator) for r in (Fraction(3, 2), Fraction(3))
    ]
    for noise, e in (*exact, (mechanisms.geometric(0.4), mp.exp(mp.mpf(0.4)))):
        mass = {n: (e - 1) / (e + 1) * e ** -abs(n) for n in range(-250, 251)}
        below = mp.fsum(p for n, p in mass.items() if n <= 0)
        variance = mp.fsum(n * n * p for n, p in mass.items())
        ensure(close(mp.fsum(mass.values()), 1) and close(below, e / (1 + e)), "a law")
        ensure(close(float(noise.pair.p[0]), below) and close(noise.variance, variance), "as in the library")
        draws = noise.sample(0, np.random.default_rng(4), 20_000)
        ensure(all(abs(np.mean(draws == n) - mass[n]) < 0.018 for n in range(-5, 6)), "as drawn, to 5 deviations")
        rows.append((float(e), float(mass[0]), float(below), noise.variance))
    ensure(all_close(rows[2][2:], (0.598687660112452, 12.3346582482205)), "epsilon = 0.4")
    return Table(rows, ["e^eps", "P(0)", "P(at most 0)", "variance"])


def shifted_geometric(ratio: Fraction, reach: int) -> tuple[list, list]:
    """Return the laws of 0 + noise and 1 + noise on -reach..reach; what lies beyond is added at the two ends."""
    a = 1 / ratio

    def law(shift: int) -> list:
        below = [
            (a ** (shift - y) if y < shift else 1 + a - a ** (y - shift + 1)) / (1 + a) for y in range(-reach, reach)
        ]
        return [b - c for b, c in zip([*below, 1], [0, *below], strict=True)]

    return law(0), law(1)


@claim("KOV-Thm-4.4", verdict=CORRECTED, where="Theorem 4.4", title="Geometric noise is optimal for counting")
def geometric_noise_is_optimal():
    r"""Of all $(\varepsilon,0)$-private mechanisms, geometric noise on counting queries has the largest region under
    composition, for every pair of neighbours at once.

    Where $k$ of the counts differ its region is exactly that of Theorem 3.3. But the comparison is fair only among
    mechanisms that see the database through those counts: if all counts agree the noise reveals nothing (total
    variation 0), while a mechanism that looks at the database may reach $\tanh(\varepsilon/2)$.
    """
    rows = []
    for ratio, k in product((Fraction(2), Fraction(3)), (1, 2, 3)):
        noise, (p, q) = mechanisms.geometric(ratio=ratio), shifted_geometric(ratio, reach=4)
        laws = reference.product_pair([(p, q)] * k)
        for at in (Fraction(1), Fraction(3, 2), ratio, ratio**2):
            exact = (noise.pair**k).delta(ratio=at)
            ensure(exact == reference.hockey_stick(*laws, at), "by running through all outputs")
            ensure(exact == reference.excess_of_coins(k, ratio, at), "as bad as Theorem 3.3 allows")
        rows.append((ratio, k, (noise.pair**k).total_variation(), (noise.pair**k).delta(ratio=ratio)))
    law, coin = shifted_geometric(Fraction(3), reach=4)[0], mechanisms.randomized_response(ratio=3)
    ensure(Pair(law, law).total_variation() == 0, "where the counts agree, the noise tells nothing")
    ensure(coin.ratio(0) == 3 and coin.total_variation() == Fraction(1, 2), "an equally private coin does")
    return Table(rows, ["e^eps", "k", "total variation", "delta at eps"])


@claim("KOV-Sec4.3-Cited", verdict=HOLDS, where="Section 4.3", title="Geometric noise is universally optimal")
def geometric_noise_is_universally_optimal():
    r"""Geometric noise is known to be the best for a count whatever the cost of an error: for every prior belief
    (Ghosh et al.), and in the worst case (Geng and Viswanath).

    Both are theorems of others. Here are instances: for a count from 0 to 3, a linear program over all private
    mechanisms finds no smaller expected cost than geometric noise whose outputs are read by Bayes' rule; and one over
    all private noises finds no smaller variance or mean error.
    """
    ratio, rng, rows = 2, np.random.default_rng(5), []
    costs = {
        "absolute": lambda i, j: abs(i - j),
        "squared": lambda i, j: (i - j) ** 2,
        "right or wrong": lambda i, j: i != j,
    }
    for name, cost in costs.items():
        prior = rng.dirichlet(np.ones(4))
        losses = np.array([[float(cost(i, j)) for j in range(4)] for i in range(4)])
        best, ours = least_cost(prior, losses, ratio), geometric_cost(prior, losses, ratio)
        ensure(abs(best - ours) < 1e-9, "no mechanism is better for this prior")
        rows.append((name, best, ours, least_noise_cost(lambda n, c=cost: float(c(n, 0)), ratio)))
    a, variance = 1 / ratio, mechanisms.geometric(ratio=ratio).variance
    ensure(close(rows[0][3], 2 * a / (1 - a**2), 1e-6), "the least mean error of all private noises")
    ensure(close(rows[1][3], variance, 1e-6), "the least variance")
    ensure(close(rows[2][3], 2 * a / (1 + a), 1e-6), "the least chance of any error")
    return Table(rows, ["cost of an error", "best mechanism for a prior", "geometric noise", "worst case, best noise"])


def neighbouring_rows(n: int, ratio: float) -> np.ndarray:
    """Return the rows a with a @ x <= 0 that say: neighbouring entries of x differ by a factor of at most `ratio`."""
    here, there = np.eye(n)[:-1], np.eye(n)[1:]
    return np.concatenate([here - ratio * there, there - ratio * here])


def least_cost(prior: np.ndarray, losses: np.ndarray, ratio: float) -> float:
    """Return the least expected cost of a private mechanism on 0..n-1, by a linear program over its matrix."""
    from scipy.optimize import linprog

    n = len(prior)
    private = np.kron(neighbouring_rows(n, ratio), np.eye(n))
    stochastic = np.kron(np.eye(n), np.ones(n))
    cost = (prior[:, None] * losses).ravel()
    return float(linprog(cost, private, np.zeros(len(private)), stochastic, np.ones(n)).fun)


def geometric_cost(prior: np.ndarray, losses: np.ndarray, ratio: float) -> float:
    """Return the expected cost of geometric noise if every output is read as the cheapest guess given the prior."""
    a = float(mechanisms.geometric(ratio=ratio).decay)
    seen = np.array([[(1 - a) / (1 + a) * a ** abs(y - i) for y in range(-60, 64)] for i in range(len(prior))])
    return float(np.sum(np.min(losses.T @ (prior[:, None] * seen), axis=0)))


def least_noise_cost(cost, ratio: float, reach: int = 10) -> float:
    """Return the least expected cost of private noise, by a linear program; beyond +-reach it falls by `ratio`."""
    from scipy.optimize import linprog

    n = 2 * reach + 1
    tail = [ratio**-j for j in range(80)]
    spread = {x: [(x, 1.0)] for x in range(1 - reach, reach)}  # where the mass of one variable lies
    spread |= {s * reach: [(s * (reach + j), weight) for j, weight in enumerate(tail)] for s in (-1, 1)}
    mass = [[sum(w for _, w in spread[x]) for x in sorted(spread)]]
    costs = [sum(w * cost(y) for y, w in spread[x]) for x in sorted(spread)]
    private = neighbouring_rows(n, ratio)
    return float(linprog(costs, private, np.zeros(len(private)), mass, [1.0]).fun)
