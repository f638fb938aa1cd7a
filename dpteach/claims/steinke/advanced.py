"""Claims of Steinke's post: advanced composition, what it gains, and the footnotes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp

from ... import Guarantee, Table, composition, mechanisms, optimal, planning
from ...numerics.walk import loss_walk
from ..entries import HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import random_private_pair


@claim(
    "STK-AdvComp",
    verdict=HOLDS,
    where="Advanced composition theorem",
    title="Advanced composition: the squares of the epsilons add up",
)
def advanced_composition():
    r"""Mechanisms that are $\varepsilon_j$-private, run independently, are together $(\varepsilon,\delta)$-private with
    $\varepsilon=\frac12\sum\varepsilon_j^2+\sqrt{2\log(1/\delta)\sum\varepsilon_j^2}$.

    "For any $\delta>0$" means $0<\delta\le1$: beyond, the logarithm is negative. The exact $\delta$ is at most about
    half of the promised one.
    """
    part = Guarantee(0.1)
    told, exact = composition.concentrated(part, 1e-6, 100).epsilon, optimal(part, k=100).epsilon(1e-6)
    ensure(all_close((told, exact), (5.756521769756932, 4.7745675881079865)), "k = 100, eps = 0.1")
    ensure(close(exact, reference.optimal_epsilon(0.1, 0, 100, 1e-6)), "the exact epsilon with 50 digits")
    rows = [("0.1, a hundred times", 1e-6, told, float(reference.optimal_delta(0.1, 0, 100, told)) / 1e-6)]
    for eps, k, delta in product((1e-3, 0.1, 1.0, 3.0), (1, 10, 200), (1e-9, 1e-2, 0.9)):
        bound = composition.concentrated(Guarantee(eps), delta, k).epsilon
        ensure(close(bound, k * eps**2 / 2 + eps * math.sqrt(2 * k * math.log(1 / delta))), "the formula")
        ensure(reference.optimal_delta(eps, 0, k, bound) <= 0.4846 * delta, "half of the promise, equal parts")
    rng = np.random.default_rng(18)
    for _ in range(5):
        epsilons, delta = rng.uniform(0.05, 0.5, 9), rng.uniform(0.2, 0.9)
        bound = composition.concentrated([Guarantee(e) for e in epsilons], delta).epsilon
        ratio = float(reference.mixed_delta([(e, 0) for e in epsilons], bound)) / delta
        ensure(ratio <= 0.4846, "half of the promise, unequal parts")
        rows.append((", ".join(f"{e:.2f}" for e in epsilons), delta, bound, ratio))
    return Table(rows, ["epsilons", "delta", "epsilon of the theorem", "exact delta / delta"])


@claim(
    "STK-Norms",
    verdict=HOLDS,
    where="After the advanced theorem",
    title="Basic composition charges the 1-norm, advanced the 2-norm",
)
def one_norm_against_the_other():
    r"""Basic composition charges the 1-norm of $(\varepsilon_1,\dots,\varepsilon_k)$, advanced composition its 2-norm
    (and half its square).

    So advanced composition gains most from many small parts, and nothing from a single large one.
    """
    delta, rows = 1e-6, []
    vectors = {
        "0.1, a thousand times": [0.1] * 1000,
        "0.1, ten times": [0.1] * 10,
        "one 1.0": [1.0],
        "1, 0.1, 0.01": [1.0, 0.1, 0.01],
    }
    for name, eps in vectors.items():
        parts = [Guarantee(e) for e in eps]
        basic, advanced = composition.basic(parts), composition.concentrated(parts, delta)
        one, two = np.linalg.norm(eps, 1), np.linalg.norm(eps, 2)
        ensure(close(basic.epsilon, one), "the 1-norm")
        ensure(close(advanced.epsilon, two**2 / 2 + math.sqrt(2 * math.log(1 / delta)) * two), "the 2-norm")
        rows.append((name, float(one), float(two), basic.epsilon, advanced.epsilon))
    ensure(close(rows[0][3], 100) and close(rows[0][4], 21.6225813626911), "100 against 21.6")
    return Table(rows, ["epsilons", "1-norm", "2-norm", "basic", "advanced, delta = 1e-6"])


@claim("STK-Neither", verdict=HOLDS, where="After the advanced theorem", title="Neither bound is always better")
def neither_is_always_better():
    r"""Neither of the two bounds is better throughout; for many parts the advanced one wins.

    For $k$ equal parts it wins if and only if $\varepsilon<2$ and $k>2\log(1/\delta)/(1-\varepsilon/2)^2$. "Many parts"
    is meant at a fixed total; parts with $\varepsilon_j\ge2$ never profit.
    """
    delta, rows = 1e-6, []
    advanced = lambda eps, k: composition.concentrated(Guarantee(eps), delta, k).epsilon  # noqa: E731
    for eps in (0.01, 0.1, 1.0, 1.9):
        cross = planning.pays_from("concentrated", eps, delta)
        below, above = math.floor(cross), math.floor(cross) + 1
        ensure(advanced(eps, below) >= below * eps and advanced(eps, above) < above * eps, "the crossing")
        rows += [(eps, cross, k, k * eps, advanced(eps, k)) for k in (below, above)]
    ensure(close(rows[2][1], 30.616089879145207), "from 31 on for eps = 0.1")
    ensure(close(advanced(0.1, 10), 1.7122581362691103) and close(advanced(0.1, 1000), 21.6225813626911), "eps = 0.1")
    ensure(planning.pays_from("concentrated", 2.0, delta) == math.inf, "never from eps = 2 on")
    ensure(all(advanced(2.0, k) > 2 * k for k in (1, 10**3, 10**6, 10**12)), "not for a million million parts")
    ensure(close(advanced(2.0, 10**6), 2010513.0435395138), "k = 1e6")
    return Table(rows, ["eps", "advanced wins beyond", "k", "basic", "advanced"])


@claim(
    "STK-Rho",
    verdict=HOLDS,
    where="After the advanced theorem",
    title="By advanced composition noise of scale sqrt(k/2rho) suffices",
)
def noise_by_advanced_composition():
    r"""Noise of scale $\sqrt{k/2\rho}$ on each of $k$ values, with $\rho=\varepsilon^2/(4\log(1/\delta)+4\varepsilon)$,
    gives $(\varepsilon,\delta)$ in total.

    Read the root as $\sqrt{k/(2\rho)}$. The exact composition of $\varepsilon_j$-private parts needs less noise, about
    a quarter less for $\varepsilon=1$ and $\delta=10^{-6}$; the noise itself, composed exactly, a little less still.
    """
    rows, names = [], ("epsilon", "delta", "k", "basic", "this recipe", "best rho", "exact composition")
    for epsilon, delta, k in ((1.0, 1e-6, 100), (1.0, 1e-6, 1000), (0.1, 1e-5, 1000), (8.0, 0.1, 5)):
        scale, exact = planning.laplace_scale(k, epsilon, delta), planning.noise_scale(k, epsilon, delta)
        best = math.sqrt(k / (2 * planning.largest_rho(epsilon, delta)))
        ensure(reference.optimal_delta(1 / scale, 0, k, epsilon) <= delta, "private as promised")
        ensure(close(reference.optimal_delta(1 / exact, 0, k, epsilon), delta, 1e-8), "the exact scale spends all")
        ensure(exact <= best <= scale, "in this order")
        rows.append((epsilon, delta, k, planning.laplace_scale(k, epsilon), scale, best, exact))
    ensure(close(planning.rho(1, 1e-6), 0.016874207542284744), "rho at epsilon = 1")
    ensure(close(planning.rho(0.1, 1e-5), 0.00021527736551320487), "rho at epsilon = 0.1")
    ensure(0.5e-6 < loss_walk(1 / rows[0][6], 100).delta(1.0) < 1e-6, "Laplace noise itself does a little better")
    ensure(all_close(rows[0][3:], (100, 54.43438354195678, 53.49980061976304, 41.64743874325148), 1e-11), "k = 100")
    ensure(all_close(rows[1][3:], (1000, 172.1366350197672, 169.18122432333908, 133.4204990104598), 1e-11), "k = 1000")
    ensure(all_close((rows[2][4], rows[2][6]), (1524.002983262843, 971.8515912731714), 1e-11), "epsilon = 0.1")
    return Table(rows, names)


@claim(
    "STK-Asymptotics",
    verdict=HOLDS,
    where="After the advanced theorem",
    title="The noise grows like the root of k instead of k",
)
def root_of_k_against_k():
    r"""At a fixed total $(\varepsilon,\delta)$ the noise grows like $\sqrt k$ with advanced composition, like $k$ with
    basic composition.

    Advanced composition needs less from $k>\varepsilon^2/(2\rho)=2\log(1/\delta)+2\varepsilon$ on. The exact need grows
    like $\sqrt k$ as well.
    """
    epsilon, delta, rows = 1.0, 1e-6, []
    cross = epsilon**2 / (2 * planning.rho(epsilon, delta))
    ensure(close(cross, 29.631021115928547) and close(cross, 2 * math.log(1 / delta) + 2 * epsilon), "the crossing")
    for k in (10, 29, 30, 1000, 10**5):
        basic, advanced = planning.laplace_scale(k, epsilon), planning.laplace_scale(k, epsilon, delta)
        exact = planning.noise_scale(k, epsilon, delta)
        ensure((advanced < basic) == (k > cross), "less noise beyond the crossing")
        ensure(close(advanced / math.sqrt(k), 5.443438354195678) and basic / k == 1, "root of k against k")
        ensure(k < 100 or 4.1 < exact / math.sqrt(k) < 4.3, "the exact need is of order root k")
        rows.append((k, basic, advanced, exact, exact / math.sqrt(k)))
    return Table(rows, ["k", "basic", "advanced", "exact", "exact / root of k"])


@claim("STK-Fn-1", verdict=HOLDS, where="Footnote 1", title="Deltas of the parts are added to the slack")
def advanced_composition_with_deltas():
    r"""If the parts are $(\varepsilon_j,\delta_j)$-private, the same $\varepsilon$ holds with $\delta+\sum\delta_j$.

    Sharper: $1-(1-\delta)\prod_j(1-\delta_j)$. No product of random private pairs exceeds it.
    """
    rng, rows = np.random.default_rng(19), []
    for _ in range(40):
        deltas = [Fraction(int(rng.integers(0, 10)), 100) for _ in range(3)]
        drawn = [random_private_pair(rng, d, one_in=200) for d in deltas]
        guarantees = [Guarantee(math.log(r), float(d)) for (r, _), d in zip(drawn, deltas, strict=True)]
        slack = rng.uniform(0.05, 0.9)
        told = composition.concentrated(guarantees, slack)
        laws = reference.product_pair([(pair.p, pair.q) for _, pair in drawn])
        exact = float(reference.hockey_stick_both(*laws, Fraction(math.exp(told.epsilon))))
        worst = float(reference.mixed_delta([tuple(g) for g in guarantees], told.epsilon))
        sharp = 1 - (1 - slack) * math.prod(1 - float(d) for d in deltas)
        ensure(exact <= worst + 1e-12 and worst <= sharp <= told.delta * (1 + 1e-12), "in this order")
        ensure(close(told.delta, min(slack + float(sum(deltas)), 1)), "the sum of the deltas")
        rows.append((told.epsilon, told.delta, sharp, worst, exact))
    return Table(rows[:6], ["epsilon", "told delta", "sharper", "worst case, exact", "these pairs, exact"])


@claim("STK-Fn-2", verdict=HOLDS, where="Footnote 2", title="With this rho the bound stays below epsilon")
def inequality_behind_rho():
    r"""With $\varepsilon_j=\sqrt{2\rho/k}$ one has $\sum\varepsilon_j^2=2\rho$, and
    $\rho+\sqrt{4\rho\log(1/\delta)}\le\varepsilon$ for $\rho=\varepsilon^2/(4\log(1/\delta)+4\varepsilon)$.

    Not sharp: $2\varepsilon$ in place of $4\varepsilon$ would do. The largest such $\rho$ is
    $(\sqrt{\log(1/\delta)+\varepsilon}-\sqrt{\log(1/\delta)})^2$, at most four times the post's.
    """
    rng, rows = np.random.default_rng(20), []
    left = lambda rho, log: rho + mp.sqrt(4 * rho * log)  # noqa: E731
    for _ in range(300):
        delta, epsilon = math.exp(-(10 ** rng.uniform(-9, 2.5))), 10 ** rng.uniform(-9, 4)
        log, up = -mp.log(mp.mpf(delta)), epsilon * (1 + 1e-12)
        rho, best = planning.rho(epsilon, delta), planning.largest_rho(epsilon, delta)
        ensure(left(rho, log) <= up and left(epsilon**2 / (4 * log + 2 * epsilon), log) <= up, "both suffice")
        ensure(close(left(best, log), epsilon, 1e-9), "the largest leaves nothing over")
        ensure(0.25 * (1 - 1e-9) <= rho / best <= 1 + 1e-9, "at most four times the post's")
    for epsilon, delta, k in ((1.0, 1e-6, 100), (0.1, 1e-5, 7), (20.0, 0.5, 3)):
        rho = planning.rho(epsilon, delta)
        part = mechanisms.laplace(scale=planning.laplace_scale(k, epsilon, delta)).eps
        told = composition.concentrated(Guarantee(part), delta, k).epsilon
        ensure(close(k * part**2, 2 * rho), "the squares add up to 2 rho")
        ensure(close(told, left(rho, -mp.log(mp.mpf(delta)))) and told <= epsilon, "the theorem for these parts")
        rows.append((epsilon, delta, rho, told, planning.largest_rho(epsilon, delta)))
    return Table(rows, ["epsilon", "delta", "rho", "rho + sqrt(4 rho log(1/delta))", "largest rho"])
