"""Claims of Hartmann, Bindschaedler and West: the uniform prior, and ignorance as subsampling (section V-B).

A round that promises (log x, d) is played by its worst pair. Wherever x and d can be fractions, the checks are exact.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp

from ... import Guarantee, Table, composition
from ...experiment import (
    Hypothesis,
    hypothesis_dp,
    matching_bound,
    refine,
    subsampled,
    uniform_prior,
    view_law,
)
from ..entries import CORRECTED, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close
from .rounds import (
    HALF,
    TENTH,
    exact_pair,
    keeps,
    noisy_count,
    promises,
    random_parts,
    somewhere_or_nowhere,
    table,
    worst_pairs,
)

# ------------------------------------------------------------------------------------- section V-B: the uniform prior


@claim(
    "HBW-VB-Ex-U",
    verdict=CORRECTED,
    where="Section V-B, example",
    title="The single vector is split into a power of a set",
)
def refined_tuples():
    r"""For $00\dots0$ against the uniform law on all other vectors, Algorithm 3 splits the single vector into $2^k-1$
    equal tuples, written as a power of a set.

    They are $2^k-1$ *copies* of one tuple. As a set they would be one tuple of weight $1/(2^k-1)$, and the rest of the
    probability would be lost: the outputs of Algorithm 3 are lists.
    """
    rows = []
    for k in (1, 2, 3, 5):
        n, zero = 2**k - 1, (0,) * k
        others = {b: Fraction(1, n) for b in brute.vectors(k) if any(b)}
        pairs = refine(Hypothesis.point(zero), Hypothesis.nonzero(k))
        u0, u1, _ = brute.refine_as_printed({zero: Fraction(1)}, others)
        printed = sorted((a, b, w) for (a, w), (b, _) in zip(u0, u1, strict=True) if w)
        ensure(sorted(pairs) == printed, "the algorithm to the letter")
        ensure(pairs == [(zero, b, w) for b, w in others.items()], "one copy of 0 for every other vector")
        as_set = {(pair.b0, pair.weight) for pair in pairs}
        rows.append((k, len(pairs), sum(pair.weight for pair in pairs), len(as_set), sum(w for _, w in as_set)))
        ensure(rows[-1][2] == 1 and rows[-1][4] == Fraction(1, n), "1 as a list, 1 / (2^k - 1) as a set")
    return Table(rows, ["k", "tuples as a list", "their weight", "tuples as a set", "their weight as a set"])


@claim(
    "HBW-VB-Ex-delta",
    verdict=HOLDS,
    where="Section V-B, example",
    title="The uniform prior costs about half of k delta",
)
def uniform_prior_delta():
    r"""If all mechanisms promise $(\varepsilon,\delta)$, the recipe with basic composition gives nowhere against a
    uniform somewhere $\delta(p_0,p_1)=\frac{1}{2^k-1}\sum_j\binom kjj\delta=\frac{k2^{k-1}}{2^k-1}\delta$.

    Here the recipe holds in both directions, since $(j\varepsilon,j\delta)$ grows in both. For small $k\delta$
    nearly nothing is given away: at the $\varepsilon$ of equation (4) exactly $1-\frac{(2-\delta)^k-1}{2^k-1}$ is lost.
    """
    rows = []
    for k, x, d in ((1, 3, TENTH), (2, 3, TENTH), (3, 2, Fraction(1, 50)), (5, Fraction(3, 2), Fraction(1, 1000))):
        zero, n = Hypothesis.point([0] * k), 2**k - 1
        recipe = matching_bound(Guarantee(math.log(x), float(d)), zero, Hypothesis.nonzero(k))
        summed = sum(math.comb(k, j) * j * d for j in range(1, k + 1)) / n
        ensure(summed == k * 2 ** (k - 1) * d / n and close(recipe.delta, float(summed)), "the sum and its closed form")
        ensure(recipe.valid == {"pq": True, "qp": True}, "a guarantee")
        at, sharp = (sum(math.comb(k, j) * x**j for j in range(1, k + 1)) / Fraction(n)), 1 - ((2 - d) ** k - 1) / n
        curve = hypothesis_dp(worst_pairs([(x, d)])[0], Hypothesis.nonzero(k), zero)
        ensure(curve.delta(ratio=at, direction="pq") == sharp, "the exact delta")
        if k < 4:
            p, q = somewhere_or_nowhere([(x, d)] * k)
            ensure(reference.hockey_stick(p, q, at) == sharp, "by all views")
            ensure(reference.hockey_stick(q, p, at) <= sharp <= summed, "the other direction loses less")
        rows.append((k, d, recipe.delta, float(sharp), float(k * d)))
    ensure(all_close(rows[3][2:4], (0.002580645161290323, 0.002578065806128849)), "k = 5")
    return Table(rows, ["k", "delta of one round", "recipe", "exact at the same epsilon", "k delta"])


@claim("HBW-Eq-4", verdict=HOLDS, where="Equation (4)", title="The uniform prior: epsilon has a closed form")
@claim("HBW-Eq-3", verdict=HOLDS, where="Equation (3)", title="The uniform prior: epsilon is the logarithm of a mean")
def uniform_prior_epsilon():
    r"""In the same example $\varepsilon(p_0,p_1)=\ln\big[\frac{1}{2^k-1}\sum_{j=1}^k\binom kje^{j\varepsilon}\big]
    =\ln\frac{(1+e^{\varepsilon})^k-1}{2^k-1}$.

    For pure privacy this is exact: randomized response attains it when all answers are 1. The other direction, nowhere
    bounded by somewhere, loses less, $\ln\frac{2^k-1}{(1+e^{-\varepsilon})^k-1}$, attained when all answers are 0.
    """
    rows = []
    known = {
        (2, 0.1): (0.1344564712814662, 0.1322348661830862),
        (2, 1.0): (1.452832425263941, 1.236617484609859),
        (3, 1.0): (1.974230830383251, 1.501588982995553),
        (5, 0.1): (0.2635128603266939, 0.252696629814165),
        (10, 1.0): (6.202120129630861, 3.842460638475909),
        (50, 0.1): (2.562473975681282, 2.437526024318732),
    }
    for (k, eps), expected in known.items():
        zero, somewhere = Hypothesis.point([0] * k), Hypothesis.nonzero(k)
        recipe, exact = (
            matching_bound(Guarantee(eps), zero, somewhere).epsilon,
            hypothesis_dp(Guarantee(eps), zero, somewhere),
        )
        with mp.workdps(50):
            x, n = mp.exp(mp.mpf(eps)), 2**k - 1
            summed = mp.log(mp.fsum(math.comb(k, j) * x**j for j in range(1, k + 1)) / n)
            back = -mp.log(((1 + 1 / x) ** k - 1) / n)
        told = exact.epsilon(0, "qp"), exact.epsilon(0, "pq"), uniform_prior(Guarantee(eps), k).corollary_7().epsilon
        ensure(all(close(value, summed) for value in (recipe, told[0], told[2])) and close(told[1], back), "50 digits")
        ensure(all_close((recipe, told[1]), expected), "the known values")
        rows.append((k, eps, recipe, told[0], told[1], k * eps))
    for k, x in ((2, Fraction(3)), (4, Fraction(3, 2)), (5, Fraction(2))):
        p, q = somewhere_or_nowhere([(x, 0)] * k)
        ensure(p[-1] / q[-1] == brute.least_ratio(p, q) == ((1 + x) ** k - 1) / (2**k - 1), "the view of all ones")
        ensure(q[0] / p[0] == brute.least_ratio(q, p) == (2**k - 1) / ((1 + 1 / x) ** k - 1), "the view of all zeros")
    return Table(rows, ["k", "eps", "recipe", "exact", "exact, nowhere by somewhere", "k eps"])


@claim(
    "HBW-VB-Half",
    verdict=HOLDS,
    where="Section V-B, example",
    title="The gain is a factor of almost one half in delta",
    kind="number",
)
def factor_of_one_half():
    r"""Against the worst case $(k\varepsilon,k\delta)$ the gain is most visible in $\delta$, where it is a factor of
    almost $1/2$.

    The factor is $2^{k-1}/(2^k-1)$: it is $1, 2/3, 4/7, 8/15,\dots$ The gain in $\varepsilon$ is the same for tiny
    $\varepsilon$ and disappears for large ones.
    """
    rows = []
    for k in (1, 2, 3, 4, 10, 50):
        factor = Fraction(2 ** (k - 1), 2**k - 1)
        shares = [uniform_prior(Guarantee(e, 1e-6), k).corollary_7() for e in (1e-7, 0.1, 1.0, 1000.0)]
        ensure(close(shares[0].delta, float(k * factor) * 1e-6), "delta")
        mean = sum(Fraction(math.comb(k, j) * j, 2**k - 1) for j in range(1, k + 1))
        ensure(factor == mean / k == Hypothesis.nonzero(k).mean_count() / k, "the expected share of ones")
        ratios = [g.epsilon / (k * e) for g, e in zip(shares, (1e-7, 0.1, 1.0, 1000.0), strict=True)]
        ensure(close(ratios[0], float(factor), 1e-5) and 0.999 < ratios[3] <= 1 + 1e-12, "from the factor up to 1")
        rows.append((k, factor if k < 10 else float(factor), *map(float, ratios)))
    ensure([row[1] for row in rows[:4]] == [1, Fraction(2, 3), Fraction(4, 7), Fraction(8, 15)], "the first factors")
    ensure(
        all_close((rows[4][1], *rows[4][3:5]), (0.500488758553275, 0.5128867033423693, 0.6202120129630861)), "k = 10"
    )
    return Table(rows, ["k", "factor for delta", "for eps = 1e-7", "for eps = 0.1", "for eps = 1", "for eps = 1000"])


# ------------------------------------------------------------------------------ section V-B: ignorance is subsampling


@claim("HBW-VB-WLOG-Empty", verdict=HOLDS, where="Section V-B", title="Databases of at most one record suffice")
def databases_of_one_record():
    r"""Without loss of generality the two databases of every round are the empty one and $\{x_i\}$: the adversary
    builds the other records into the mechanism, $\tilde M_i(V)=M_i(x_i^0\cup V)$.

    Only the description changes. Both adversaries see the same views with the same probabilities, adaptive or not.
    """

    def noisy(database, w):
        return dict(enumerate(noisy_count(3, min(len(database) + w, 3), 3)))

    def whole(view):
        return (frozenset("ab"[: len(view)]), frozenset("ab"[: len(view)]) | {"target"}, noisy, sum(view) % 2)

    def built_in(view):
        fixed, w = frozenset("ab"[: len(view)]), sum(view) % 2
        return (frozenset(), frozenset({"target"}), lambda part: noisy(fixed | part, w))

    rows, allowed = [], [Guarantee(math.log(3))] * 2
    for vector in brute.vectors(2):
        one, two = (view_law(adversary, allowed, vector) for adversary in (whole, built_in))
        by_hand = {}
        for y in product(range(4), repeat=2):
            first, second = noisy_count(3, vector[0], 3), noisy_count(3, min(1 + vector[1] + y[0] % 2, 3), 3)
            by_hand[y] = first[y[0]] * second[y[1]]
        ensure(one == two == by_hand, "the same law of the view")
        rows.append(("".join(map(str, vector)), len(one), one[0, 0], two[0, 0], one[3, 3], two[3, 3]))
    return Table(rows, ["vector", "views", "P(view 00)", "P(view 00), built in", "P(view 33)", "P(view 33), built in"])


@claim("HBW-VB-Subsample", verdict=HOLDS, where="Section V-B", title="Subsampling at rate 1/2 amplifies privacy")
def amplification_by_subsampling():
    r"""If the record is used only with probability $1/2$, an $(\varepsilon,\delta)$-private mechanism becomes
    $(\ln(1+\frac12(e^{\varepsilon}-1)),\delta/2)$-private.

    Exact for the sampled law against the other. The reverse direction is better and never exceeds $\ln2$: with
    $x=e^{\varepsilon}$ it is $e^{\varepsilon'}=\frac{2x}{1+x}$ and $\delta'=\frac{\delta}{1+x}$, also exact. At a rate
    $q$ they are $(1+q(x-1),q\delta)$ and $\big(\frac{1}{1-q+q/x},\frac{q\delta/x}{1-q+q/x}\big)$.
    """
    rng, rows = np.random.default_rng(50), []
    for x, d, q in ((3, TENTH, HALF), (2, Fraction(1, 7), HALF), (20, Fraction(1, 3), HALF), (4, TENTH, TENTH)):
        p0, p1 = reference.worst_pair(x, d)
        half = [(1 - q) * a + q * b for a, b in zip(p0, p1, strict=True)]
        forth, back = (1 + q * (x - 1), q * d), (1 / (1 - q + q / Fraction(x)), q * d / x / (1 - q + q / Fraction(x)))
        ensure(reference.hockey_stick(half, p0, forth[0]) == forth[1], "sampled by not sampled")
        ensure(reference.hockey_stick(p0, half, back[0]) == back[1], "the reverse")
        pair = subsampled(worst_pairs([(x, d)])[0], q)
        ensure(list(pair.q) == half and pair.ratio(forth[1], "qp") == forth[0], "the library's pair")
        for (ratio, delta), direction in ((forth, "qp"), (back, "pq")):
            told = subsampled(Guarantee(math.log(x), float(d)), q, direction)
            ensure(all_close((math.exp(told.epsilon), told.delta), (ratio, delta)), "the library's guarantee")
        rows.append((q, x, d, *forth, *back, reference.hockey_stick(p0, half, forth[0])))
    ensure(
        [row[3:] for row in rows[:2]]
        == [
            (2, Fraction(1, 20), Fraction(3, 2), Fraction(1, 40), 0),
            (Fraction(3, 2), Fraction(1, 14), Fraction(4, 3), Fraction(1, 21), Fraction(1, 28)),
        ],
        "x = 3 and 2",
    )
    ensure(rows[2][3:7] == (Fraction(21, 2), Fraction(1, 6), Fraction(40, 21), Fraction(1, 63)), "x = 20")
    for _ in range(40):
        ((x, d),) = random_parts(rng, 1)
        p, q = brute.random_round(rng, x, d, 4)
        half = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
        ensure(reference.hockey_stick(half, p, (1 + x) / 2) <= d / 2, "no private pair loses more")
        ensure(reference.hockey_stick(p, half, 2 * x / (1 + x)) <= d / (1 + x), "in either direction")
    columns = ["rate", "e^eps", "delta", "e^eps'", "delta'", "reverse e^eps'", "reverse delta'"]
    return Table(rows, [*columns, "reverse delta at the first eps'"])


@claim("HBW-VB-SubsampleIneq", verdict=HOLDS, where="Section V-B", title="A uniform vector is a subsample")
def uniform_vector_is_a_subsample():
    r"""If $(\tilde\varepsilon,\tilde\delta)$ is a guarantee for the composition of the subsampled mechanisms, then it
    bounds the view under a uniformly random vector by the view under $00\dots0$, and conversely.

    A uniform vector tosses a fair coin for every round, so given the answers so far the next one has exactly the
    subsampled law. Random rounds, all views, in fractions.
    """
    rng, rows = np.random.default_rng(51), []
    for k in (1, 2, 2, 3, 3, 3):
        parts, zero = random_parts(rng, k), {(0,) * k: 1}
        p, q = exact_pair(parts, brute.uniform(brute.vectors(k)), zero)
        halves = [([(a + b) / 2 for a, b in zip(*table(*part), strict=True)], table(*part)[0]) for part in parts]
        ensure((p, q) == reference.product_pair(halves), "the law of the view is a product")
        told = composition.basic([subsampled(g) for g in promises(parts)])
        ensure(keeps(p, q, told) and keeps(q, p, told), "basic composition of the subsampled rounds")
        curve = hypothesis_dp(worst_pairs(parts), Hypothesis.between(k, 0, k), Hypothesis.point([0] * k))
        at = Fraction(math.exp(told.epsilon))
        lost = [reference.hockey_stick(a, b, at) for a, b in ((p, q), (q, p))]
        ensure([curve.delta(ratio=at, direction=way) for way in ("pq", "qp")] == lost, "the library's exact curve")
        rows.append((k, math.exp(told.epsilon), told.delta, *map(float, lost)))
    return Table(rows, ["k", "told e^eps", "told delta", "exact delta", "exact delta, reverse"])
