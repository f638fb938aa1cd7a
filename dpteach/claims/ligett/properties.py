"""Claims of Ligett, Peale and Reingold: mixing, post-processing and publishing the leak (section 4).

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from ... import Table
from ...leakage import LeakyMechanism, bounds, examples
from ..entries import CORRECTED, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import leakage as by_hand
from .worlds import (
    BIT,
    EIGHT,
    HALF,
    SAME,
    TENTH,
    TWO_BITS,
    agrees,
    at_most,
    leaky,
    random_ratio,
    response,
    truthful_coin,
)


def with_common_leak(rng: np.random.Generator, number: int, outputs: int = 2) -> list[dict]:
    """Draw several worlds on two bits whose leak has the same law in all of them."""
    shares = {x: reference.random_law(rng, 2) for x in TWO_BITS}
    laws = [{(x, o): reference.random_law(rng, outputs) for x in TWO_BITS for o in BIT} for _ in range(number)]
    return [
        {x: {(o, m): shares[x][o] * w for o in BIT for m, w in enumerate(law[x, o])} for x in TWO_BITS} for law in laws
    ]


@claim(
    "LPR-Lem-10", verdict=CORRECTED, where="Lemma 10", title="Mixtures of private mechanisms are private given the leak"
)
def mixing_mechanisms():
    r"""Mechanisms that are $(\varepsilon,\delta)$-private given the same leak are mixed: $M=M_i$ with probability
    $a_i$. The mixture is $(\varepsilon,\delta)$-private given the leak.

    The selector needs coins of its own, and weights that do not depend on the database; that $M=M_i$ has probability
    $a_i$, as the proof asks, is not enough. Two perfect mechanisms, $x\oplus r$ and $x\oplus r\oplus1$, selected by $r$
    itself, print $x$. Two constants, with weights $(3/4,1/4)$ on one database and $(1/4,3/4)$ on the other, are
    randomized response. Corrected, with weights $a_i(o)$ that may depend on the leaked value, and one $\varepsilon$ for
    all, $\delta=\max_o\sum_i a_i(o)\,\delta_i$ is enough. The proof of Theorem 17 uses the lemma with weights that do
    depend on the database.
    """
    flip = by_hand.evenly(BIT)
    parts = [by_hand.world(BIT, flip, lambda x, r, i=i: x ^ r ^ i) for i in BIT]
    constants = [by_hand.world(BIT, flip, lambda x, r, i=i: i) for i in BIT]
    cases = {
        "selected by a fair coin": (parts, leaky(parts[0]).mixture([HALF, HALF], leaky(parts[1]))),
        "selected by their own coin": (parts, LeakyMechanism.from_functions(BIT, BIT, lambda x, r: x ^ r ^ r)),
        "weights by database": (
            constants,
            leaky({x: {(None, m): w for m, w in examples.truthful(x, 3).items()} for x in BIT}),
        ),
    }
    rows = []
    for name, (pieces, mixture) in cases.items():
        ensure(mixture.ratio() == by_hand.ratio(mixture.joint), SAME)
        rows.append((name, max(leaky(piece).ratio() for piece in pieces), mixture.ratio(), mixture.delta(ratio=1)))
    ensure([row[2] for row in rows] == [1, math.inf, 3] and {row[1] for row in rows} == {1}, "from perfect parts")
    rng = np.random.default_rng(12)
    for _ in range(15):
        worlds, weights, a = with_common_leak(rng, 3), [reference.random_law(rng, 3) for _ in BIT], random_ratio(rng)
        first, *others = map(leaky, worlds)
        mixed = first.mixture(lambda o, weights=weights: weights[o], others)
        mean = lambda values, o, weights=weights: sum(w * v for w, v in zip(weights[o], values, strict=True))  # noqa: E731
        by_coin = {x: {c: mean([world[x][c] for world in worlds], c[0]) for c in worlds[0][x]} for x in TWO_BITS}
        ensure(agrees(mixed, by_coin, (a,)), "mixed by hand")
        for o in mixed.leaks:
            parts = [world.given(o).delta(ratio=a) for world in (first, *others)]
            ensure(mixed.given(o).delta(ratio=a) <= mean(parts, o), "corrected")
    return Table(rows, ["how it is selected", "e^eps of the parts", "e^eps of the mixture", "delta at eps = 0"])


@claim("LPR-Thm-11", verdict=HOLDS, where="Theorem 11", title="Post-processing keeps bounded leakage")
def post_processing():
    r"""Whatever is computed from the output of an $(\varepsilon,\delta)$-private mechanism is as private given the
    leak.

    Also with fresh coins, and if the processing reads the leaked value as well, as a census does that repairs its
    answers to fit the published totals. Not if it reads the mechanism's coins again. And processing the leak is
    something else: it can help and it can hurt.
    """
    rng = np.random.default_rng(13)
    for _ in range(15):
        world = by_hand.random_world(rng, TWO_BITS, 2, 3)
        kernel = reference.random_map(rng, 6, 2)
        a = random_ratio(rng)
        blind = leaky(world).then(lambda m, kernel=kernel: dict(enumerate(kernel[m])))
        reading = leaky(world).reveal().then(lambda mo, kernel=kernel: dict(enumerate(kernel[mo[0] + 3 * mo[1]])))
        for told, rows_of_kernel in ((blind, (kernel[:3], kernel[:3])), (reading, (kernel[:3], kernel[3:]))):
            pushed = processed_by_hand(world, rows_of_kernel)
            ensure(agrees(told, pushed, (a,)), "processed by hand")
            ensure(at_most(by_hand.delta(pushed, a), leaky(world).delta(ratio=a)), "Theorem 11")
    pad = examples.one_time_pad(1, leaked=1)
    itself = LeakyMechanism.from_functions(BIT, range(8), response, response)
    again = LeakyMechanism.from_functions(BIT, BIT, lambda x, r: (x ^ r) ^ r)
    answer = leaky(by_hand.world(BIT, EIGHT, response))
    rows = [
        ("output: rounded to a constant", answer.ratio(), answer.then(lambda m: 0).ratio()),
        ("output: the coins of the pad read again", pad.without_leak().ratio(), again.ratio()),
        ("leak: the output, forgotten", itself.ratio(), itself.coarsen(lambda o: None).ratio()),
        ("leak: the key of the pad, forgotten", pad.ratio(), pad.coarsen(lambda o: None).ratio()),
    ]
    ensure([row[1:] for row in rows] == [(3, 1), (1, math.inf), (1, 3), (math.inf, 1)], "down, up, up and down")
    return Table(rows, ["what is processed", "e^eps before", "e^eps after"])


def processed_by_hand(world: dict, kernels: Sequence) -> dict:
    """Return the world in which the output m becomes n with probability kernels[o][m][n]."""
    pushed: dict = {x: dict.fromkeys(product(BIT, BIT), 0) for x in world}
    for x, cells in world.items():
        for (o, m), n in product(cells, BIT):
            pushed[x][o, n] += cells[o, m] * kernels[o][m][n]
    return pushed


@claim("LPR-Thm-12", verdict=HOLDS, where="Theorem 12", title="Publishing the leak costs nothing, given the leak")
def publishing_the_leak():
    r"""If $M$ is $(\varepsilon,\delta)$-private given $P$, then so is $M$ together with $P$.

    The least $\delta$ is even the same at every $\varepsilon$. But the promise stays relative to the leak: as a release
    of its own, $M$ with $P$ can be much worse, as the last column says. What it costs is told by Theorem 4.
    """
    rng, rows = np.random.default_rng(14), []
    for _ in range(20):
        world = by_hand.random_world(rng, TWO_BITS, 3, 2)
        shown = by_hand.revealed(world)
        ensure(agrees(leaky(world).reveal(), shown) and agrees(leaky(world), shown), "the same delta everywhere")
    coins = by_hand.together(truthful_coin(3), truthful_coin(5))
    twice = by_hand.world(BIT, coins, lambda x, r: x ^ r[0], lambda x, r: x ^ r[1])
    worlds = {
        "randomized response, 5 : 1 about the same bit": twice,
        "randomized response, the bit itself": by_hand.world(BIT, EIGHT, response, lambda x, r: x),
        "pad, its key flipped in one of four": examples.noisy_pad(Fraction(1, 4)).joint,
    }
    for name, world in worlds.items():
        mechanism, joined = leaky(world), by_hand.joined(world)
        ensure(mechanism.released().ratio() == by_hand.ratio(joined), "both released")
        rows.append((name, mechanism.ratio(), mechanism.reveal().ratio(), mechanism.released().ratio()))
    ensure([row[3] for row in rows] == [15, math.inf, 3], "15, nothing left, 3")
    ensure([str(row[1]) for row in rows] == [str(row[2]) for row in rows] == ["3", "vacuous", "3"], "given the leak")
    return Table(rows, ["mechanism, leak", "e^eps given the leak", "with the leak published", "e^eps of the release"])


@claim("LPR-Cor-13", verdict=HOLDS, where="Corollary 13", title="An independent leak may be published")
def publishing_an_independent_leak():
    r"""If $M$ is $(\varepsilon,\delta)$-DP and perfectly independent of $P$, then $M$ together with $P$ is
    $(\varepsilon,\delta)$-private given $P$.

    Lemma 7 and Theorem 12. As a release of its own, two independent answers about one bit cost the sum of their
    $\varepsilon$.
    """
    rows = []
    for a, b in ((3, 5), (2, 2), (Fraction(3, 2), 10)):
        coins = by_hand.together(truthful_coin(a), truthful_coin(b))
        world = by_hand.world(BIT, coins, lambda x, r: x ^ r[0], lambda x, r: x ^ r[1])
        answers = lambda x, o, a=a: examples.truthful(x, a)  # noqa: E731
        both = LeakyMechanism.from_laws(BIT, lambda x, b=b: examples.truthful(x, b), answers).reveal()
        shown = by_hand.revealed(world)
        ensure(agrees(both, shown) and both.ratio() == by_hand.ratio(shown) == a, "a given the leak")
        ensure(both.without_leak().ratio() == by_hand.ratio(by_hand.plain(shown)) == a * b, "the product as a release")
        rows.append((a, b, both.ratio(), both.without_leak().ratio()))
    rng = np.random.default_rng(15)
    for _ in range(15):
        world, a = by_hand.random_independent_world(rng, TWO_BITS, 2, 3), random_ratio(rng)
        told, exact = leaky(world).without_leak().delta(ratio=a), by_hand.delta(by_hand.revealed(world), a)
        ensure(at_most(exact, told), "random independent worlds")
    return Table(rows, ["e^eps of M", "e^eps of P", "M and P, given P", "M and P, as a release"])


@claim("LPR-Cor-14", verdict=HOLDS, where="Corollary 14", title="A partly independent leak may be published")
def publishing_a_dependent_leak():
    r"""If $M$ is $(\varepsilon,\delta)$-DP and $(\varepsilon',\delta')$-independent of $P$, then $M$ together with $P$
    is private given $P$ with the numbers of Theorem 9.

    Theorem 9 and Theorem 12, and as tight as the former. The pad with a noisy key is DP with $\varepsilon=0$; flips
    with probability $p$ leave $e^{\varepsilon'}=1/(2p)$, so the bound is its square, and the truth $(1-p)/p$.
    """
    rows, rng = [], np.random.default_rng(16)
    for p in (TENTH, Fraction(1, 4), Fraction(2, 5), HALF):
        pad = examples.noisy_pad(p)
        shown = by_hand.revealed(pad.joint)
        shared = pad.independence().ratio()
        ensure(by_hand.dependence(pad.joint, shared) == 0 and shared == 1 / (2 * p), "the least e^eps'")
        told = bounds.independence_bound(pad.without_leak().ratio(), 0, shared)
        exact = by_hand.ratio(shown)
        ensure(pad.reveal().ratio() == exact == (1 - p) / p <= told.ratio == shared**2, "exact, and the corollary")
        rows.append((p, shared, told.ratio, exact))
    ensure(rows[1][1:] == (2, 4, 3), "2, 4 and 3")
    for _ in range(10):
        world, a, b = by_hand.random_world(rng, TWO_BITS, 2, 2, 20), random_ratio(rng, 2), random_ratio(rng, 2)
        d, e = leaky(world).without_leak().delta(ratio=a), leaky(world).independence().delta(ratio=b)
        told = bounds.independence_bound(a, d, b, e)
        shown = by_hand.revealed(world)
        ensure(by_hand.delta(shown, told.ratio) <= told.delta, "random worlds")
    return Table(rows, ["key flipped with probability", "e^eps'", "Corollary 14", "exact e^eps"])
