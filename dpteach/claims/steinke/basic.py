"""Claims of Steinke's post: the basic theorem, the noise that it asks for, and why it is tight."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from operator import matmul

import numpy as np
from mpmath import mp

from ... import Guarantee, Pair, Table, composition, mechanisms, planning
from ...numerics.walk import loss_walk
from ..entries import DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import log_ratio, random_private_pair


@claim("STK-Def-Composition", verdict=DEFINITION, where="Introduction", title="Composition")
def composition_of_mechanisms():
    r"""Several mechanisms are run on the same data with independent coins, and all their answers are published; a
    composition theorem bounds the privacy of the whole by that of the parts.

    Independent coins mean that the law of the whole is a product. They matter: a random bit, and the same bit plus the
    secret one, are harmless alone; published together they give the secret away.
    """
    rng, rows = np.random.default_rng(11), []
    for _ in range(4):
        (_, one), (_, two) = random_private_pair(rng), random_private_pair(rng)
        whole = one @ two
        by_hand = reference.product_pair([(one.p, one.q), (two.p, two.q)])
        ensure(list(whole.p) == by_hand[0] and list(whole.q) == by_hand[1], "every joint output, in fractions")
        ensure(sum(whole.p[:4]) == one.p[0] and sum(whole.q[::4]) == two.q[0], "with the right margins")
        ensure(whole.total_variation() >= max(one.total_variation(), two.total_variation()), "two answers tell more")
        rows.append(("independent", *(float(pair.total_variation()) for pair in (one, two, whole))))
    half, outputs = Fraction(1, 2), list(product((0, 1), repeat=2))  # the random bit, and its sum with the secret
    both = Pair([half, 0, 0, half], [0, half, half, 0], outputs)
    single = [both.then([[1 - y[i], y[i]] for y in outputs]) for i in (0, 1)]
    ensure([pair.total_variation() for pair in (*single, both)] == [0, 0, 1], "with a common coin all is lost")
    rows.append(("a common one", 0, 0, 1))
    return Table(rows, ["coins", "first answer", "second answer", "both together (total variation)"])


@claim("STK-Basic-Proof", verdict=HOLDS, where="Basic composition theorem, proof", title="Likelihood ratios multiply")
@claim("STK-Basic", verdict=HOLDS, where="Basic composition theorem", title="Basic composition: the epsilons add up")
def basic_composition():
    r"""If $M_j$ is $\varepsilon_j$-private, then all of them together, run independently, are
    $\sum_j\varepsilon_j$-private: the likelihood ratio of a joint output is the product of the single ones.

    Stated for mechanisms fixed in advance; KOV's Theorem 3.1 says the same of adaptive ones.
    """
    rng, rows = np.random.default_rng(12), []
    for k in (1, 2, 3, 4):
        ratios, pairs = zip(*(random_private_pair(rng) for _ in range(k)), strict=True)
        single = [[a / b for a, b in zip(pair.p, pair.q, strict=True) if a > 0] for pair in pairs]
        products = [math.prod(path) for path in product(*single)]
        whole, bound = reduce(matmul, pairs), math.prod(ratios)
        joint = [a / b for a, b in zip(whole.p, whole.q, strict=True) if a > 0]
        ensure(joint == products and 1 / bound <= min(products) <= max(products) <= bound, "the ratios multiply")
        ensure(whole.ratio(0) == max(max(products), 1 / min(products)), "as the library says")
        told = composition.basic([Guarantee(math.log(r)) for r in ratios])
        ensure(close(told.epsilon, math.log(bound)) and told.delta == 0, "sum of the epsilons")
        rows.append((k, math.log(whole.ratio(0)), told.epsilon))
    return Table(rows, ["k", "largest loss", "sum of the epsilons"])


@claim(
    "STK-Basic-Approx", verdict=HOLDS, where="Introduction", title="Basic composition extends to approximate privacy"
)
def basic_composition_with_deltas():
    r"""Basic composition extends to approximate privacy.

    Epsilons and deltas add up. Sharper: the total is $1-\prod_j(1-\delta_j)$, and the worst mechanisms attain it.
    """
    rng, rows = np.random.default_rng(13), []
    for k in (1, 2, 3, 4, 5):
        deltas = [Fraction(int(rng.integers(1, 20)), 100) for _ in range(k)]
        ratios = [1 + Fraction(int(rng.integers(1, 20)), 10) for _ in range(k)]
        worst = reference.product_pair([reference.worst_pair(r, d) for r, d in zip(ratios, deltas, strict=True)])
        exact = reference.hockey_stick(*worst, math.prod(ratios))
        told = composition.basic([Guarantee(math.log(r), float(d)) for r, d in zip(ratios, deltas, strict=True)])
        ensure(exact == 1 - math.prod(1 - d for d in deltas) <= sum(deltas), "the sharp delta, in fractions")
        ensure(close(told.delta, sum(deltas)) and close(told.epsilon, math.log(math.prod(ratios))), "both add up")
        rows.append((k, told.epsilon, told.delta, float(exact)))
    return Table(rows, ["k", "sum of the epsilons", "sum of the deltas", "exact delta of the worst case"])


@claim(
    "STK-Laplace-Single",
    verdict=HOLDS,
    where="After the basic theorem",
    title="Laplace noise of scale 1/epsilon makes one value private",
)
def laplace_on_one_value():
    r"""Laplace noise of scale $1/\varepsilon$ on a value of sensitivity 1 is $\varepsilon$-private.

    The log-likelihood ratio never leaves $[-\varepsilon,\varepsilon]$. The whole curve is
    $\delta(e)=1-e^{(e-\varepsilon)/2}$, here by integration.
    """
    rows = []
    for eps in (0.1, 1.0, 3.0):
        noise, outputs = mechanisms.laplace(scale=1 / eps), np.linspace(-20, 20, 801)
        losses = [log_ratio(noise.scale, np.array([y]), -1.0) for y in outputs]
        ensure(close(max(losses), eps) and close(min(losses), -eps) and close(noise.epsilon(0), eps), "at most eps")
        for share in (0.0, 0.5):
            turn = (1 - share) / 2  # between the two values: the output whose loss is share * eps
            density = partial(reference.laplace_density, 1 / mp.mpf(eps))
            exact = reference.excess_of_densities(density, 1, share * eps, [-50 / mp.mpf(eps), 0, turn])
            ensure(close(noise.delta(share * eps), exact, 1e-11), "the curve, by integration")
            rows.append((eps, share * eps, noise.delta(share * eps), float(exact)))
    return Table(rows, ["eps", "e", "delta(e)", "by integration"])


@claim(
    "STK-Laplace-Vector",
    verdict=HOLDS,
    where="After the basic theorem",
    title="Laplace noise of scale k/epsilon makes k values private",
)
def laplace_on_k_values():
    r"""With noise of scale $1/\varepsilon$ on each of $k$ values of sensitivity 1 the release is
    $k\varepsilon$-private; for $\varepsilon$ in total use the scale $k/\varepsilon$.

    Both are attained, at an output with all entries beyond the true values.
    """
    rng, rows = np.random.default_rng(14), []
    for k in (1, 2, 5, 10, 30):
        wide = mechanisms.laplace(scale=planning.laplace_scale(k, 1.0))
        ensure(wide.scale == k and close(k * wide.eps, 1), "scale k / eps")
        far = np.full(k, 7.0)
        told = [log_ratio(scale, far, np.ones(k)) for scale in (1.0, wide.scale)]
        ensure(close(told[0], k) and close(told[1], 1), "attained: k eps and eps")
        random = max(abs(log_ratio(1.0, rng.laplace(size=k) * 3, np.ones(k))) for _ in range(200))
        ensure(random <= k * (1 + 1e-12) and close(loss_walk(1.0, k).epsilon(0), k), "and never exceeded")
        rows.append((k, told[0], random, told[1]))
    return Table(rows, ["k", "largest loss, scale 1", "of 200 random outputs", "largest loss, scale k"])


@claim(
    "STK-NoiseScale",
    verdict=HOLDS,
    where="Is Basic Composition Optimal?",
    title="By basic composition the noise grows linearly in k",
)
def noise_that_grows_linearly():
    r"""With basic composition the noise of each value has variance $2k^2/\varepsilon^2$: its standard deviation
    $\sqrt2k/\varepsilon$ grows linearly in $k$.

    Checked by integration and by drawing.
    """
    rows = []
    for k, eps in ((1, 1.0), (10, 1.0), (30, 1.0), (10, 0.5)):
        noise = mechanisms.laplace(scale=planning.laplace_scale(k, eps))
        density = partial(reference.laplace_density, noise.scale)
        variance = 2 * mp.quad(lambda x, f=density: x**2 * f(x), [0, 10 * noise.scale, 60 * noise.scale])
        ensure(close(noise.variance, variance, 1e-11) and close(noise.variance, 2 * k**2 / eps**2), "2 k^2 / eps^2")
        draws = noise.sample(0.0, np.random.default_rng(k), 20_000)
        ensure(close(np.std(draws), math.sqrt(noise.variance), 0.05), "as drawn")
        rows.append((k, eps, noise.variance, math.sqrt(noise.variance), float(np.std(draws))))
    ensure(all_close(rows[1][2:4], (200, 14.142135623730951)), "k = 10")
    ensure(all_close(rows[2][2:4], (1800, 42.42640687119285)), "k = 30")
    return Table(rows, ["k", "epsilon", "variance", "standard deviation", "of 20 000 draws"])


@claim(
    "STK-BasicOptimal",
    verdict=HOLDS,
    where="Is Basic Composition Optimal?",
    title="No smaller epsilon than the sum will do",
)
def basic_composition_cannot_be_improved():
    r"""If there are neighbours with $f_j(x)=f_j(x')+1$ for every $j$, an output $(a,\dots,a)$ with $a$ above all values
    has the likelihood ratio $e^{\varepsilon}$ under noise of scale $k/\varepsilon$: no smaller $\varepsilon_*$ will do.

    Such neighbours must exist, as the post says. In terms of the curve: $\delta(e)>0$ for every $e<\varepsilon$.
    """
    rng, rows, eps = np.random.default_rng(15), [], 1.0
    for k in (1, 2, 5, 10, 30):
        scale, losses = planning.laplace_scale(k, eps), []
        for _ in range(20):
            values = rng.normal(size=k) * 5
            y = np.full(k, values.max() + 1 + rng.exponential())
            losses.append(log_ratio(scale, y - values, np.ones(k)))  # f(x) = values + 1, f(x') = values
        ensure(all(close(loss, eps, 1e-11) for loss in losses), "e^eps is attained whatever the values are")
        walk = loss_walk(1 / scale, k)
        below = walk.delta(0.999 * eps)
        least = walk.epsilon(0)  # k times the float next to 1/k: eps, up to rounding
        ensure(below > 0 and walk.delta(least) == 0 and close(least, eps), "no smaller epsilon has delta = 0")
        rows.append((k, max(losses), below, walk.delta(least)))
    return Table(rows, ["k", "loss at (a, ..., a)", "delta at 0.999 eps", "delta at eps"])


@claim("STK-L1", verdict=HOLDS, where="Is Basic Composition Optimal?", title="Noise may be scaled to the total change")
def noise_for_the_total_change():
    r"""If no neighbours change all values at once, the noise may be scaled to the largest total change
    $\Delta_1=\sup\sum_j|f_j(x)-f_j(x')|$ instead of $k$.

    A histogram is the example: moving one person changes two of the $k$ counts, so $\Delta_1=2$ whatever $k$ is.
    """
    rng, rows, eps = np.random.default_rng(16), [], 0.7
    for k in (2, 5, 10, 30):
        noise, losses = mechanisms.laplace(eps, sensitivity=2), []
        for _ in range(100):
            shift = rng.dirichlet(np.ones(k)) * 2 * rng.choice([-1, 1], k)  # any change of total 2
            losses.append(abs(log_ratio(noise.scale, rng.normal(size=k) * 4, shift)))
        moved = np.zeros(k)
        moved[[0, 1]] = 1, -1
        attained = log_ratio(noise.scale, 9 * np.sign(moved), moved)
        ensure(max(losses) <= eps * (1 + 1e-12) and close(attained, eps), "at most eps, and that much for a move")
        for_all = planning.laplace_scale(k, eps)
        ensure(close(noise.scale, 2 / eps) and noise.scale <= for_all * (1 + 1e-12), "no more noise than k / eps")
        rows.append((k, max(losses), attained, noise.scale, for_all))
    return Table(rows, ["k", "largest of 100 random losses", "moving a person", "scale", "scale for k"])
