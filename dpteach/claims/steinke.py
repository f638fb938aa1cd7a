"""The claims of Thomas Steinke's post "Composition": the basic theorem, why it is tight, and what is beyond it."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from operator import matmul

import numpy as np
from mpmath import mp

from .. import Guarantee, Pair, Table, composition, mechanisms, optimal, planning, recipes
from ..walk import loss_walk
from . import reference
from .ledger import CORRECTED, DEFINITION, HOLDS, MISPRINT, claim, ensure
from .reference import all_close, close


def random_private_pair(rng: np.random.Generator, delta=0, one_in: int = 4) -> tuple[Fraction, Pair]:
    """Draw e^eps and a pair that is (eps, delta)-DP: the worst one, with one answer in so many replaced at random."""
    ratio = 1 + Fraction(int(rng.integers(1, 30)), 10)
    noise = reference.random_map(rng, 4, 4)
    keep = [[((one_in - 1) * (i == j) + noise[i][j]) / one_in for j in range(4)] for i in range(4)]
    return ratio, Pair(*(reference.push(law, keep) for law in reference.worst_pair(ratio, delta)))


def log_ratio(scale: float, y: np.ndarray, shift) -> float:
    """Return the log-likelihood ratio of the output y of Laplace noise around `shift`, against noise around 0."""
    return float(np.sum(np.abs(y) - np.abs(y - shift)) / scale)


# ---------------------------------------------------------------------------------------------- basic composition


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
@claim("STK-Basic", verdict=HOLDS, where="Basic composition theorem", title="Basic composition")
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
        rows.append((k, math.log(whole.ratio(0)), float(told.epsilon)))
    return Table(rows, ["k", "largest loss", "sum of the epsilons"])


@claim("STK-Basic-Approx", verdict=HOLDS, where="Introduction", title="Basic composition with deltas")
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
        rows.append((k, float(told.epsilon), float(told.delta), float(exact)))
    return Table(rows, ["k", "sum of the epsilons", "sum of the deltas", "exact delta of the worst case"])


@claim("STK-Laplace-Single", verdict=HOLDS, where="After the basic theorem", title="Laplace noise on one value")
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


@claim("STK-Laplace-Vector", verdict=HOLDS, where="After the basic theorem", title="Laplace noise on k values")
def laplace_on_k_values():
    r"""With noise of scale $1/\varepsilon$ on each of $k$ values of sensitivity 1 the release is
    $k\varepsilon$-private; for $\varepsilon$ in total use the scale $k/\varepsilon$.

    Both are attained, at an output with all entries beyond the true values.
    """
    rng, rows = np.random.default_rng(14), []
    for k in (1, 2, 5, 10, 30):
        wide = mechanisms.laplace(scale=recipes.laplace_scale(k, 1.0))
        ensure(wide.scale == k and close(k * wide.eps, 1), "scale k / eps")
        far = np.full(k, 7.0)
        told = [log_ratio(scale, far, np.ones(k)) for scale in (1.0, wide.scale)]
        ensure(close(told[0], k) and close(told[1], 1), "attained: k eps and eps")
        random = max(abs(log_ratio(1.0, rng.laplace(size=k) * 3, np.ones(k))) for _ in range(200))
        ensure(random <= k * (1 + 1e-12) and close(loss_walk(1.0, k).epsilon(0), k), "and never exceeded")
        rows.append((k, told[0], random, told[1]))
    return Table(rows, ["k", "largest loss, scale 1", "of 200 random outputs", "largest loss, scale k"])


@claim("STK-NoiseScale", verdict=HOLDS, where="Is Basic Composition Optimal?", title="Noise that grows linearly")
def noise_that_grows_linearly():
    r"""With basic composition the noise of each value has variance $2k^2/\varepsilon^2$: its standard deviation
    $\sqrt2k/\varepsilon$ grows linearly in $k$.

    Checked by integration and by drawing.
    """
    rows = []
    for k, eps in ((1, 1.0), (10, 1.0), (30, 1.0), (10, 0.5)):
        noise = mechanisms.laplace(scale=recipes.laplace_scale(k, eps))
        density = partial(reference.laplace_density, noise.scale)
        variance = 2 * mp.quad(lambda x, f=density: x**2 * f(x), [0, 10 * noise.scale, 60 * noise.scale])
        ensure(close(noise.variance, variance, 1e-11) and close(noise.variance, 2 * k**2 / eps**2), "2 k^2 / eps^2")
        draws = noise.sample(0.0, np.random.default_rng(k), 20_000)
        ensure(close(np.std(draws), math.sqrt(noise.variance), 0.05), "as drawn")
        rows.append((k, eps, noise.variance, math.sqrt(noise.variance), float(np.std(draws))))
    ensure(all_close(rows[1][2:4], (200, 14.142135623730951)), "k = 10")
    ensure(all_close(rows[2][2:4], (1800, 42.42640687119285)), "k = 30")
    return Table(rows, ["k", "epsilon", "variance", "standard deviation", "of 20 000 draws"])


@claim("STK-BasicOptimal", verdict=HOLDS, where="Is Basic Composition Optimal?", title="No better than the sum")
def basic_composition_cannot_be_improved():
    r"""If there are neighbours with $f_j(x)=f_j(x')+1$ for every $j$, an output $(a,\dots,a)$ with $a$ above all values
    has the likelihood ratio $e^{\varepsilon}$ under noise of scale $k/\varepsilon$: no smaller $\varepsilon_*$ will do.

    Such neighbours must exist, as the post says. In terms of the curve: $\delta(e)>0$ for every $e<\varepsilon$.
    """
    rng, rows, eps = np.random.default_rng(15), [], 1.0
    for k in (1, 2, 5, 10, 30):
        scale, losses = recipes.laplace_scale(k, eps), []
        for _ in range(20):
            values = rng.normal(size=k) * 5
            y = np.full(k, values.max() + 1 + rng.exponential())
            losses.append(log_ratio(scale, y - values, np.ones(k)))  # f(x) = values + 1, f(x') = values
        ensure(all(close(loss, eps, 1e-11) for loss in losses), "e^eps is attained whatever the values are")
        walk = loss_walk(1 / scale, k)
        below = walk.delta(0.999 * eps)
        ensure(below > 0 and walk.delta(eps) == 0 and close(walk.epsilon(0), eps), "no smaller epsilon has delta = 0")
        rows.append((k, max(losses), below, walk.delta(eps)))
    return Table(rows, ["k", "loss at (a, ..., a)", "delta at 0.999 eps", "delta at eps"])


@claim("STK-L1", verdict=HOLDS, where="Is Basic Composition Optimal?", title="Noise for the total change")
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
        ensure(close(noise.scale, 2 / eps) and noise.scale <= recipes.laplace_scale(k, eps), "less noise than k / eps")
        rows.append((k, max(losses), attained, noise.scale, recipes.laplace_scale(k, eps)))
    return Table(rows, ["k", "largest of 100 random losses", "moving a person", "scale", "scale for k"])


# ------------------------------------------------------------------------------------------- rare events, and delta


def tail_of_laplace(scale, start):
    """Return the chance of noise above `start`, by integration."""
    return mp.quad(partial(reference.laplace_density, scale), [start, 50 * scale])


@claim("STK-Rare", verdict=HOLDS, where="Is Basic Composition Optimal?", title="The worst outputs are rare")
def worst_outputs_are_rare():
    r"""For the ratio to be maximal all $k$ noises must be positive, which happens with probability $2^{-k}$.

    Under the neighbour the probability of these outputs is $e^{-\varepsilon}2^{-k}$.
    """
    rows = []
    for k, eps in ((1, 1.0), (4, 1.0), (10, 1.0), (30, 1.0)):
        losses, chances = loss_walk(eps / k, k).atoms
        under_q = chances[-1] * math.exp(-losses[-1])
        tail = partial(tail_of_laplace, mp.mpf(k) / eps)
        ensure(close(chances[-1], tail(0) ** k, 1e-11) and close(chances[-1], 2.0**-k, 1e-11), "2^-k")
        ensure(all_close((under_q, tail(1) ** k), [math.exp(-eps) * 2.0**-k] * 2, 1e-11), "e^-eps 2^-k")
        noises = mechanisms.laplace(eps / k).sample(np.zeros((4000, k)), np.random.default_rng(k))
        drawn = float(np.mean(np.all(noises >= 0, axis=1)))
        ensure(abs(drawn - 2.0**-k) <= 5 * math.sqrt(2.0**-k / 4000), "as drawn")
        rows.append((k, chances[-1], under_q, drawn))
    ensure(all_close(rows[2][1:3], (0.0009765625, 0.00035925726676898665), 1e-11), "k = 10")
    ensure(close(rows[3][1], 9.313225746154785e-10, 1e-11), "k = 30")
    return Table(rows, ["k", "chance of the largest loss", "under the neighbour", "among 4000 draws"])


@claim("STK-Typo-Rd", verdict=MISPRINT, where="Is Basic Composition Optimal?", title="The space of outputs")
def space_of_outputs():
    r"""The output $y$ with the largest ratio is placed in $\mathbb R^d$.

    There is no $d$: $k$ values are released, so $y\in\mathbb R^k$. (And "compositoin" in the introduction is
    "composition".) Cosmetic.
    """
    rows = []
    for k in (1, 2, 5):
        y = mechanisms.laplace(1 / k).sample(np.zeros(k), np.random.default_rng(k), k)
        loss = log_ratio(k, np.full(k, 3.0), np.ones(k))
        ensure(np.shape(y) == (k,) and close(loss, 1), "k answers, and a loss of eps at an output with k entries")
        rows.append((k, len(y), loss))
    return Table(rows, ["k", "entries of an output", "largest loss"])


@claim("STK-Rare-General", verdict=CORRECTED, where="Is Basic Composition Optimal?", title="Rarity in general")
def rarity_in_general():
    r"""That outputs with the largest ratio are exceedingly rare is called a general phenomenon.

    For parts that are $\varepsilon/k$-private their probability is at most
    $(1+e^{-\varepsilon/k})^{-k}\le2^{-k}e^{\varepsilon/2}$, attained by randomized response. But the total must be kept
    fixed: a hundred parts with $\varepsilon_j=10$ each reach their maximum with probability 0.995.
    """
    rng, rows = np.random.default_rng(17), []
    for _ in range(40):  # the event of largest ratio, of any size that privacy allows
        ratio, size = 1 + Fraction(int(rng.integers(1, 30)), 10), Fraction(int(rng.integers(1, 100)), 100)
        pair = Pair([size, 1 - size], [size / ratio, 1 - size / ratio])
        ensure(
            (pair.ratio(0) <= ratio) == (size <= ratio / (1 + ratio)), "beyond e^eps / (1 + e^eps) it is not private"
        )
    for eps, k in ((1.0, 1), (1.0, 10), (1.0, 100), (1000.0, 100)):
        told = recipes.largest_loss_probability(eps / k, k)
        exact = reference.binomial_law(eps / k, k)[0]
        coin = (mechanisms.randomized_response(eps / k) ** k).p[0]
        ensure(close(told, exact) and close(coin, exact, 1e-11), "randomized response attains it")
        ensure(exact <= 2.0**-k * math.exp(eps / 2) * (1 + 1e-12), "at most 2^-k e^(eps/2)")
        rows.append((eps, k, told, 2.0**-k * math.exp(eps / 2)))
    known = (0.0015900869149781706, 1.2989870118142605e-30, 0.99547039980127161)
    ensure(all_close([row[2] for row in rows[1:]], known), "rare for a total of 1, common for parts of 10")
    return Table(rows, ["total epsilon", "k", "largest chance of the largest loss", "2^-k e^(eps/2)"])


@claim("STK-PureLimit", verdict=HOLDS, where="Is Basic Composition Optimal?", title="Rare events rule pure privacy")
@claim("STK-HighProb", verdict=HOLDS, where="Is Basic Composition Optimal?", title="A bound with high probability")
def bound_with_high_probability():
    r"""Asked only with probability $1-\delta$, the likelihood ratio stays below $e^{\varepsilon_*}$ for some
    $\varepsilon_*<\varepsilon$. Events of negligible probability rule pure privacy; approximate and concentrated
    privacy are less sensitive to them.

    The tail condition (for both orders of the neighbours) implies $(\varepsilon_*,\delta)$-privacy; it is not
    necessary, the smallest $\delta$ is several times smaller than the tail.
    """
    rows = []
    for k, at in ((2, 0.5), (5, 0.5), (8, 0.8), (12, 0.8)):
        walk, worst = loss_walk(1 / k, k), optimal(Guarantee(1 / k), k=k).delta(at)
        tail, delta = reference.laplace_walk(mp.mpf(1) / k, k, at)
        ensure(close(walk.tail(at), tail, 1e-11) and close(walk.delta(at), delta, 1e-11), "the law of the loss")
        ensure(0 < delta < tail < 1 and delta <= worst, "a smaller epsilon, at the price of delta")
        rows.append((k, at, float(tail), float(delta), worst))
    ensure(all_close(rows[1][2:], (0.221737811415, 0.0343907169863, 0.03934934068589735), 1e-11), "k = 5")
    ensure(all_close(rows[2][2:], (0.00742672797002, 0.00102577755766, 0.0011493438283357558), 1e-11), "k = 8")
    exact = optimal(Guarantee(0.01), k=100).epsilon(1e-6)
    ensure(close(exact, 0.39226394309347234) and close(exact, reference.optimal_epsilon(0.01, 0, 100, 1e-6)), "k = 100")
    rows.append((100, exact, loss_walk(0.01, 100).tail(exact), loss_walk(0.01, 100).delta(exact), 1e-6))
    return Table(rows, ["k (total eps 1)", "smaller eps", "chance of a larger loss", "delta", "delta, worst mechanism"])


# --------------------------------------------------------------------------------------------- advanced composition


@claim("STK-AdvComp", verdict=HOLDS, where="Advanced composition theorem", title="Advanced composition")
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
    rows = [("0.1, a hundred times", 1e-6, float(told), float(reference.optimal_delta(0.1, 0, 100, told)) / 1e-6)]
    for eps, k, delta in product((1e-3, 0.1, 1.0, 3.0), (1, 10, 200), (1e-9, 1e-2, 0.9)):
        bound = composition.concentrated(Guarantee(eps), delta, k).epsilon
        ensure(close(bound, k * eps**2 / 2 + eps * math.sqrt(2 * k * math.log(1 / delta))), "the formula")
        ensure(reference.optimal_delta(eps, 0, k, bound) <= 0.4846 * delta, "half of the promise, equal parts")
    rng = np.random.default_rng(18)
    for _ in range(5):
        epsilons, delta = rng.uniform(0.05, 0.5, 9), float(rng.uniform(0.2, 0.9))
        bound = composition.concentrated([Guarantee(e) for e in epsilons], delta).epsilon
        ratio = float(reference.mixed_delta([(e, 0) for e in epsilons], bound)) / delta
        ensure(ratio <= 0.4846, "half of the promise, unequal parts")
        rows.append((", ".join(f"{e:.2f}" for e in epsilons), delta, float(bound), ratio))
    return Table(rows, ["epsilons", "delta", "epsilon of the theorem", "exact delta / delta"])


@claim("STK-Norms", verdict=HOLDS, where="After the advanced theorem", title="One norm against the other")
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
        rows.append((name, float(one), float(two), float(basic.epsilon), float(advanced.epsilon)))
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
        cross = recipes.pays_from("concentrated", eps, delta)
        below, above = math.floor(cross), math.floor(cross) + 1
        ensure(advanced(eps, below) >= below * eps and advanced(eps, above) < above * eps, "the crossing")
        rows += [(eps, cross, k, k * eps, float(advanced(eps, k))) for k in (below, above)]
    ensure(close(rows[2][1], 30.616089879145207), "from 31 on for eps = 0.1")
    ensure(close(advanced(0.1, 10), 1.7122581362691103) and close(advanced(0.1, 1000), 21.6225813626911), "eps = 0.1")
    ensure(recipes.pays_from("concentrated", 2.0, delta) == math.inf, "never from eps = 2 on")
    ensure(all(advanced(2.0, k) > 2 * k for k in (1, 10**3, 10**6, 10**12)), "not for a million million parts")
    ensure(close(advanced(2.0, 10**6), 2010513.0435395138), "k = 1e6")
    return Table(rows, ["eps", "advanced wins beyond", "k", "basic", "advanced"])


@claim("STK-Rho", verdict=HOLDS, where="After the advanced theorem", title="Noise by advanced composition")
def noise_by_advanced_composition():
    r"""Noise of scale $\sqrt{k/2\rho}$ on each of $k$ values, with $\rho=\varepsilon^2/(4\log(1/\delta)+4\varepsilon)$,
    gives $(\varepsilon,\delta)$ in total.

    Read the root as $\sqrt{k/(2\rho)}$. The exact composition of $\varepsilon_j$-private parts needs about a quarter
    less noise; the noise itself, composed exactly, a little less still.
    """
    rows, names = [], ("epsilon", "delta", "k", "basic", "this recipe", "best rho", "exact composition")
    for epsilon, delta, k in ((1.0, 1e-6, 100), (1.0, 1e-6, 1000), (0.1, 1e-5, 1000), (8.0, 0.1, 5)):
        scale, exact = recipes.laplace_scale(k, epsilon, delta), planning.noise_scale(k, epsilon, delta)
        best = math.sqrt(k / (2 * recipes.largest_rho(epsilon, delta)))
        ensure(reference.optimal_delta(1 / scale, 0, k, epsilon) <= delta, "private as promised")
        ensure(close(reference.optimal_delta(1 / exact, 0, k, epsilon), delta, 1e-8), "the exact scale spends all")
        ensure(exact <= best <= scale, "in this order")
        rows.append((epsilon, delta, k, recipes.laplace_scale(k, epsilon), scale, best, exact))
    ensure(close(recipes.rho(1, 1e-6), 0.016874207542284744), "rho at epsilon = 1")
    ensure(close(recipes.rho(0.1, 1e-5), 0.00021527736551320487), "rho at epsilon = 0.1")
    ensure(0.5e-6 < loss_walk(1 / rows[0][6], 100).delta(1.0) < 1e-6, "Laplace noise itself does a little better")
    ensure(all_close(rows[0][3:], (100, 54.43438354195678, 53.49980061976304, 41.64743874325148), 1e-11), "k = 100")
    ensure(all_close(rows[1][3:], (1000, 172.1366350197672, 169.18122432333908, 133.4204990104598), 1e-11), "k = 1000")
    ensure(all_close((rows[2][4], rows[2][6]), (1524.002983262843, 971.8515912731714), 1e-11), "epsilon = 0.1")
    return Table(rows, names)


@claim("STK-Asymptotics", verdict=HOLDS, where="After the advanced theorem", title="Root of k against k")
def root_of_k_against_k():
    r"""At a fixed total $(\varepsilon,\delta)$ the noise grows like $\sqrt k$ with advanced composition, like $k$ with
    basic composition.

    Advanced composition needs less from $k>\varepsilon^2/(2\rho)=2\log(1/\delta)+2\varepsilon$ on. The exact need grows
    like $\sqrt k$ as well.
    """
    epsilon, delta, rows = 1.0, 1e-6, []
    cross = epsilon**2 / (2 * recipes.rho(epsilon, delta))
    ensure(close(cross, 29.631021115928547) and close(cross, 2 * math.log(1 / delta) + 2 * epsilon), "the crossing")
    for k in (10, 29, 30, 1000, 10**5):
        basic, advanced = recipes.laplace_scale(k, epsilon), recipes.laplace_scale(k, epsilon, delta)
        exact = planning.noise_scale(k, epsilon, delta)
        ensure((advanced < basic) == (k > cross), "less noise beyond the crossing")
        ensure(close(advanced / math.sqrt(k), 5.443438354195678) and basic / k == 1, "root of k against k")
        ensure(k < 100 or 4.1 < exact / math.sqrt(k) < 4.3, "the exact need is of order root k")
        rows.append((k, basic, advanced, exact, exact / math.sqrt(k)))
    return Table(rows, ["k", "basic", "advanced", "exact", "exact / root of k"])


@claim("STK-Fn-1", verdict=HOLDS, where="Footnote 1", title="Advanced composition with deltas")
def advanced_composition_with_deltas():
    r"""If the parts are $(\varepsilon_j,\delta_j)$-private, the same $\varepsilon$ holds with $\delta+\sum\delta_j$.

    Sharper: $1-(1-\delta)\prod_j(1-\delta_j)$. No product of random private pairs exceeds it.
    """
    rng, rows = np.random.default_rng(19), []
    for _ in range(40):
        deltas = [Fraction(int(rng.integers(0, 10)), 100) for _ in range(3)]
        drawn = [random_private_pair(rng, d, one_in=200) for d in deltas]
        guarantees = [Guarantee(math.log(r), float(d)) for (r, _), d in zip(drawn, deltas, strict=True)]
        slack = float(rng.uniform(0.05, 0.9))
        told = composition.concentrated(guarantees, slack)
        laws = reference.product_pair([(pair.p, pair.q) for _, pair in drawn])
        exact = float(reference.hockey_stick_both(*laws, Fraction(math.exp(told.epsilon))))
        worst = float(reference.mixed_delta([tuple(g) for g in guarantees], told.epsilon))
        sharp = 1 - (1 - slack) * math.prod(1 - float(d) for d in deltas)
        ensure(exact <= worst + 1e-12 and worst <= sharp <= told.delta * (1 + 1e-12), "in this order")
        ensure(close(told.delta, min(slack + float(sum(deltas)), 1)), "the sum of the deltas")
        rows.append((float(told.epsilon), float(told.delta), sharp, worst, exact))
    return Table(rows[:6], ["epsilon", "told delta", "sharper", "worst case, exact", "these pairs, exact"])


@claim("STK-Fn-2", verdict=HOLDS, where="Footnote 2", title="The inequality behind rho")
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
        rho, best = recipes.rho(epsilon, delta), recipes.largest_rho(epsilon, delta)
        ensure(left(rho, log) <= up and left(epsilon**2 / (4 * log + 2 * epsilon), log) <= up, "both suffice")
        ensure(close(left(best, log), epsilon, 1e-9), "the largest leaves nothing over")
        ensure(0.25 * (1 - 1e-9) <= rho / best <= 1 + 1e-9, "at most four times the post's")
    for epsilon, delta, k in ((1.0, 1e-6, 100), (0.1, 1e-5, 7), (20.0, 0.5, 3)):
        rho, part = recipes.rho(epsilon, delta), mechanisms.laplace(scale=recipes.laplace_scale(k, epsilon, delta)).eps
        told = composition.concentrated(Guarantee(part), delta, k).epsilon
        ensure(close(k * part**2, 2 * rho), "the squares add up to 2 rho")
        ensure(close(told, left(rho, -mp.log(mp.mpf(delta)))) and told <= epsilon, "the theorem for these parts")
        rows.append((epsilon, delta, rho, float(told), recipes.largest_rho(epsilon, delta)))
    return Table(rows, ["epsilon", "delta", "rho", "rho + sqrt(4 rho log(1/delta))", "largest rho"])
