"""Claims of Steinke's post: the worst outputs are rare, and what delta makes of that."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
from mpmath import mp

from ... import Guarantee, Pair, Table, mechanisms, optimal, planning
from ...numerics.walk import loss_walk
from ..entries import CORRECTED, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import log_ratio


def tail_of_laplace(scale, start):
    """Return the chance of noise above `start`, by integration."""
    return mp.quad(partial(reference.laplace_density, scale), [start, 50 * scale])


@claim(
    "STK-Rare", verdict=HOLDS, where="Is Basic Composition Optimal?", title="The worst outputs are rare", kind="number"
)
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


@claim(
    "STK-Typo-Rd",
    verdict=MISPRINT,
    where="Is Basic Composition Optimal?",
    title="The output with the largest ratio lies in R^d",
)
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


@claim(
    "STK-Rare-General",
    verdict=CORRECTED,
    where="Is Basic Composition Optimal?",
    title="Outputs with the largest ratio are rare in general",
)
def rarity_in_general():
    r"""That outputs with the largest ratio are exceedingly rare is called a general phenomenon.

    Right for the ratio $e^{\varepsilon}$, the most that $\varepsilon/k$-private parts allow, if $\varepsilon/k$ is
    small: its probability is at most $(1+e^{-\varepsilon/k})^{-k}\le2^{-k}e^{\varepsilon/2}$, attained by randomized
    response. A hundred parts with $\varepsilon_j=10$ reach it with probability 0.995. And a largest ratio that is
    smaller than allowed may be common: laws $(0.99,0.01)$ and $(0.9,0.1)$ are $\ln10$-private, and in one order the
    largest ratio, 1.1, has probability 0.99.
    """
    rng, rows = np.random.default_rng(17), []
    for _ in range(40):  # the event of largest ratio, of any size that privacy allows
        ratio, size = 1 + Fraction(int(rng.integers(1, 30)), 10), Fraction(int(rng.integers(1, 100)), 100)
        pair = Pair([size, 1 - size], [size / ratio, 1 - size / ratio])
        ensure(
            (pair.ratio(0) <= ratio) == (size <= ratio / (1 + ratio)), "beyond e^eps / (1 + e^eps) it is not private"
        )
    often = Pair([Fraction(99, 100), Fraction(1, 100)], [Fraction(9, 10), Fraction(1, 10)])
    ensure(often.ratio(0) == 10 and often.ratio(0, "pq") == often.p[0] / often.q[0] == Fraction(11, 10), "1.1, often")
    for eps, k in ((1.0, 1), (1.0, 10), (1.0, 100), (1000.0, 100)):
        told = planning.largest_loss_probability(eps / k, k)
        exact = reference.binomial_law(eps / k, k)[0]
        coin = (mechanisms.randomized_response(eps / k) ** k).p[0]
        ensure(close(told, exact) and close(coin, exact, 1e-11), "randomized response attains it")
        ensure(exact <= 2.0**-k * math.exp(eps / 2) * (1 + 1e-12), "at most 2^-k e^(eps/2)")
        rows.append((eps, k, told, 2.0**-k * math.exp(eps / 2)))
    known = (0.0015900869149781706, 1.2989870118142605e-30, 0.99547039980127161)
    ensure(all_close([row[2] for row in rows[1:]], known), "rare for a total of 1, common for parts of 10")
    return Table(rows, ["total epsilon", "k", "largest chance of the largest loss", "2^-k e^(eps/2)"])


@claim("STK-PureLimit", verdict=HOLDS, where="Is Basic Composition Optimal?", title="Rare events rule pure privacy")
@claim(
    "STK-HighProb",
    verdict=HOLDS,
    where="Is Basic Composition Optimal?",
    title="With high probability the ratio is smaller",
)
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
