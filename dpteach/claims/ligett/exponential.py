"""Claims of Ligett, Peale and Reingold: the exponential mechanism with a leak (appendix E)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from mpmath import mp

from ... import Table
from ...curve import VACUOUS
from ...leakage import (
    LeakyMechanism,
    bits,
    exponential_mechanism_with_leak,
)
from ..entries import DEFINITION, HOLDS, MISPRINT, claim, ensure
from ..reference import leakage as by_hand
from ..reference.basics import all_close, close
from .worlds import BIT, HALF, SAME

FOUR = (0, 1, 2, 3)
BUCKET = (FOUR, FOUR, lambda x: x // 2, lambda x, y, o: -abs(x - y))  # databases, outputs, leak, score
RANGE = (
    list(product(FOUR, repeat=2)),
    FOUR,
    lambda x: abs(x[0] - x[1]),
    lambda x, y, o: -abs(2 * y - x[0] - x[1]),
)


def powers(utility: Callable, base, x, o, outputs=FOUR) -> dict:
    """Return the law proportional to base^u, for whole scores u."""
    weights = {y: Fraction(base) ** utility(x, y, o) for y in outputs}
    total = sum(weights.values())
    return {y: weight / total for y, weight in weights.items()}


@claim("LPR-Def-33", verdict=DEFINITION, where="Definition 33", title="Coupled utility")
def coupled_utility():
    r"""A coupled utility $u(x,y,o)$ scores the answer $y$ on the database $x$ where $o$ leaked.

    The score may look at the leak even if that is random: here the leaked value is a noisy copy of the data, and
    answers that contradict it score one less. The mechanism then differs from leak to leak.
    """
    score = lambda x, y, o: -abs(x - y) - (y != o)  # noqa: E731
    leak = lambda x: {x: Fraction(3, 4), (x + 1) % 4: Fraction(1, 4)}  # noqa: E731
    mechanism, rows = exponential_mechanism_with_leak(FOUR, FOUR, leak, score, base=2), []
    for o in (1, 2):
        told, exact = mechanism.law(1, o), powers(score, 2, 1, o)
        ensure(told == exact, "proportional to powers of two")
        rows.append((o, *(score(1, y, o) for y in FOUR), *told.values()))
    ensure(rows[0][1:] != rows[1][1:], "the leak matters")
    return Table(rows, ["o", *(f"u(1, {y}, o)" for y in FOUR), *(f"Pr[{y}]" for y in FOUR)])


def sensitivity(databases, outputs, leak: Callable, score: Callable, o, both: bool = False) -> int:
    """Return Definition 34 by running through all neighbours; `both`: only those that can both leak o."""
    near = [(x, z) for x, z in combinations(databases, 2) if by_hand.apart(x, z) == 1]
    near = [pair for pair in near if not both or all(leak(x) == o for x in pair)]
    return max((abs(score(x, y, o) - score(z, y, o)) for x, z in near for y in outputs), default=0)


@claim(
    "LPR-Def-34",
    verdict=MISPRINT,
    where="Definition 34",
    title="The sensitivity at a leaked value is the largest change of the score",
)
def sensitivity_at_a_leak():
    r"""The sensitivity $\Delta u(o)$ of a coupled utility, whose type is printed as
    $\mathcal X^n\times O_M\times O_P\times\mathbb R$, is the largest change of $u(x,y,o)$ between neighbours, over all
    outputs $y$.

    The type must be $\mathcal X^n\times O_M\times O_P\to\mathbb R$: a score is a number. The maximum runs over all
    neighbours, also over those that can never leak $o$; this is more than Theorem 36 needs.
    """
    near_leak = (*BUCKET[:3], lambda x, y, o: -abs(x - y) * (2 if y // 2 == o else 1))
    rows = []
    for name, setting in (("bucket", BUCKET), ("bucket, its own answers count twice", near_leak), ("range", RANGE)):
        mechanism = exponential_mechanism_with_leak(*setting, base=2)
        exact = {o: sensitivity(*setting, o) for o in mechanism.leaks}
        ensure(mechanism.sensitivity == exact, "all neighbours and outputs tried")
        rows += [(name, o, exact[o]) for o in sorted(exact)]
    ensure([row[2] for row in rows] == [3, 3, 6, 6, 3, 3, 3, 3], "the sensitivities")
    return Table(rows, ["leak", "o", "Delta u(o)"])


@claim("LPR-Ext-sensitivity", verdict=HOLDS, where="Beyond Definition 34", title="A smaller sensitivity suffices")
def smaller_sensitivity():
    r"""Theorem 36 stays true if the sensitivity is measured only between neighbours that can both leak $o$.

    Only these are ever compared, and a smaller sensitivity gives better answers for the same $\varepsilon$. Where it is
    zero because nobody is compared, a best answer is printed: that is no privacy, but a promise about nothing.
    """
    rows, expected = [], {"bucket": [(3, 1), (3, 1)], "range": [(3, 0), (3, 2), (3, 0), (3, 0)]}
    for name, setting in (("bucket", BUCKET), ("range", RANGE)):
        full, narrow = (exponential_mechanism_with_leak(*setting, 1.0, restricted=r) for r in (False, True))
        exact = exponential_mechanism_with_leak(*setting, base=2, restricted=True)
        for o in full.leaks:
            told = full.sensitivity[o], narrow.sensitivity[o]
            bound = 2 ** (2 * told[1])
            given = exact.given(o)
            ensure(told == tuple(sensitivity(*setting, o, both) for both in (False, True)), "all neighbours tried")
            pairs = [pair for pair in exact.neighbours if exact.can_share(*pair, o)]
            ratios = [by_hand.ratio_given(exact.joint, o, *pair) for pair in pairs]
            ensure(given.ratio() == max(ratios) if pairs else given.ratio() is VACUOUS, SAME)
            ensure(not pairs or given.ratio() <= bound, "Theorem 36 with the smaller one")
            for x, z in pairs:
                ensure(all(m.conditioned(x, z, o).epsilon(0) <= 1.0 for m in (full, narrow)), "both within eps = 1")
                score = [sum(w * setting[3](x, y, o) for y, w in m.law(x, o).items()) for m in (full, narrow)]
                ensure(score[0] < score[1], "the smaller one scores better")
            rows.append((name, o, *told, len(pairs), given.ratio(), bound))
        ensure([row[2:4] for row in rows if row[0] == name] == expected[name], "the expected sensitivities")
    return Table(rows, ["leak", "o", "all", "restricted", "neighbours compared", "e^eps, base 2", "its bound"])


@claim("LPR-Def-35", verdict=DEFINITION, where="Definition 35", title="The exponential mechanism with a leak")
def exponential_mechanism():
    r"""Where $o$ leaked, the mechanism prints $y$ with probability proportional to
    $\exp\big(\varepsilon\,u(x,y,o)/(2\Delta u(o))\big)$.

    With whole scores and $e^{\varepsilon/(2\Delta)}$ a fraction everything is exact. At $\Delta u(o)=0$ the formula is
    0/0; its limit, one of the best answers, tells neighbours nothing apart. The text says that the ordinary exponential
    mechanism cannot be used given a leak. It can: with fresh coins it is as private as before (Lemma 7); only its
    answers may be worse.
    """
    mechanism, rows = exponential_mechanism_with_leak(*BUCKET, base=2), []
    for x in FOUR:
        told = mechanism.law(x, x // 2)
        ensure(told == powers(BUCKET[3], 2, x, x // 2), "powers of two")
        rows.append((x, x // 2, *told.values()))
    ensure(rows[1][2:] == tuple(Fraction(n, 9) for n in (2, 4, 2, 1)), "2/9, 4/9, 2/9, 1/9")
    by_eps = exponential_mechanism_with_leak(*BUCKET, 2 * 3 * math.log(2))
    ensure(all(all_close(by_eps.law(x, x // 2).values(), mechanism.law(x, x // 2).values()) for x in FOUR), "by eps")
    flat = exponential_mechanism_with_leak(BIT, (0, 1, 2), lambda x: 0, lambda x, y, o: -(y == 2), 1.0)
    ensure(flat.sensitivity[0] == 0 and flat.law(0, 0) == flat.law(1, 0) and flat.law(0, 0)[0] == HALF, "the limit")
    ordinary = LeakyMechanism.from_laws(FOUR, lambda x: x // 2, lambda x, o: powers(BUCKET[3], 2, x, None))
    ensure(ordinary.ratio() == by_hand.ratio(ordinary.joint) <= ordinary.without_leak().ratio(), "Lemma 7")
    return Table(rows, ["x", "o", *(f"Pr[{y}]" for y in FOUR)])


@claim("LPR-Thm-36", verdict=HOLDS, where="Theorem 36", title="The exponential mechanism is private given the leak")
def exponential_mechanism_is_private():
    r"""The exponential mechanism with a leak is $(\varepsilon,0)$-private given the leak.

    Needs $\Delta u(o)>0$, or the limit. The bound is approached and not attained: with one output that is best on $x$
    and $n-1$ that are best on $x'$ the ratio tends to $e^{\varepsilon}=4$.
    """
    rows, rng = [], np.random.default_rng(31)
    for n, expected in (
        (2, Fraction(2)),
        (10, Fraction(38, 11)),
        (100, Fraction(398, 101)),
        (1000, Fraction(3998, 1001)),
    ):
        score = lambda x, y, o: int((y == 0) == (x == 0))  # noqa: E731
        mechanism = exponential_mechanism_with_leak(BIT, range(n), lambda x: None, score, base=2)
        first = [powers(score, 2, x, None, range(n))[0] for x in BIT]
        ensure(mechanism.ratio() == expected == max(first[0] / first[1], (1 - first[1]) / (1 - first[0])), "exact")
        rows.append((f"one against the rest, {n} outputs", mechanism.ratio(), 2 ** (2 * mechanism.sensitivity[None])))
    bucket = exponential_mechanism_with_leak(*BUCKET, base=2, restricted=True)
    rows.append(("bucket, restricted", bucket.ratio(), 4))
    ensure(bucket.ratio() == by_hand.ratio(bucket.joint) == Fraction(12, 5), "12/5")
    for _ in range(12):
        scores = rng.integers(4, size=(4, 3, 2))
        score = lambda x, y, o, scores=scores: int(scores[2 * x[0] + x[1], y, o])  # noqa: E731
        leak = lambda x: {0: Fraction(1 + sum(x), 4), 1: Fraction(3 - sum(x), 4)}  # noqa: E731
        mechanism = exponential_mechanism_with_leak(bits(2), range(3), leak, score, base=Fraction(3, 2))
        for o in BIT:
            exact = max(by_hand.ratio_given(mechanism.joint, o, *pair) for pair in mechanism.neighbours)
            ensure(mechanism.law((0, 1), o) == powers(score, Fraction(3, 2), (0, 1), o, range(3)), "the law")
            ensure(mechanism.given(o).ratio() == exact, SAME)
            ensure(exact <= Fraction(3, 2) ** (2 * mechanism.sensitivity[o]), "random scores")
    return Table(rows, ["mechanism", "e^eps, exact", "e^eps promised"])


@claim(
    "LPR-Thm-38",
    verdict=HOLDS,
    where="Theorem 38",
    title="The exponential mechanism is rarely far from the best, given the leak",
)
@claim("LPR-Thm-37", verdict=HOLDS, where="Theorem 37", title="The exponential mechanism is rarely far from the best")
def how_bad_the_answer_is():
    r"""With $S$ the outputs and $S_{opt}$ the best of them, the answer scores at most
    $opt-\frac{2\Delta u}{\varepsilon}\big(\log\frac{|S|}{|S_{opt}|}+t\big)$ with probability at most $e^{-t}$; given
    the leak, with everything taken at $o$.

    Right, for every real $t$. $o$ must be possible on $x$ and $\Delta u(o)$ positive: at 0, where a best answer is
    printed, the threshold is the optimum itself and the probability 1. Nearly attained by one best output among many
    equal ones, the last rows. In print, $u$ lacks its arguments.
    """
    mechanism, rows = exponential_mechanism_with_leak(*BUCKET, base=8), []
    for score, (exact, bound) in {-1: (Fraction(17, 81), HALF), -2: (Fraction(1, 81), Fraction(1, 16))}.items():
        law = powers(BUCKET[3], 8, 1, 0)
        by_sum = sum(w for y, w in law.items() if -abs(1 - y) <= score)
        ensure(mechanism.tail(1, 0, score) == by_sum == exact, "the exact probability")
        ensure(mechanism.tail_bound(1, 0, score) == 4 * Fraction(8) ** score == bound >= exact, "the bound")
        rows.append((f"bucket, x = 1, o = 0, score {score}", exact, bound, float(exact / bound)))
    expected = {(4, 2): 0.4286, (16, 8): 0.8856, (256, 16): 0.9922, (1024, 20): 0.9981}
    for (n, gap), share in expected.items():
        score = lambda x, y, o, gap=gap: 0 if y == x else -gap  # noqa: E731
        near = exponential_mechanism_with_leak((0, 1), range(n), lambda x: None, score, base=2)
        exact = (n - 1) * Fraction(2) ** -gap / (1 + (n - 1) * Fraction(2) ** -gap)
        ensure(near.tail(0, None, -gap) == exact <= near.tail_bound(0, None, -gap), "one best output")
        found = exact / near.tail_bound(0, None, -gap)
        ensure(close(found, share, 2e-4), "nearly attained")
        rows.append((f"one best of {n}, gap {gap}", float(exact), float(near.tail_bound(0, None, -gap)), float(found)))
    by_eps, rng = exponential_mechanism_with_leak(*RANGE, 1.5), np.random.default_rng(32)
    for _ in range(60):
        x, t = RANGE[0][rng.integers(16)], rng.uniform(-1, 4)
        o = RANGE[2](x)
        scores = [RANGE[3](x, y, o) for y in FOUR]
        best = sum(u == max(scores) for u in scores)
        threshold = max(scores) - 2 * sensitivity(*RANGE, o) / mp.mpf(1.5) * (mp.log(mp.mpf(4) / best) + t)
        weights = [mp.exp(mp.mpf(1.5) * u / (2 * sensitivity(*RANGE, o))) for u in scores]
        exact = sum(w for w, u in zip(weights, scores, strict=True) if u <= threshold) / sum(weights)
        ensure(close(by_eps.threshold(x, o, t), threshold, 1e-12), "the threshold")
        ensure(abs(by_eps.tail(x, o, by_eps.threshold(x, o, t)) - exact) < 1e-14 and exact <= mp.exp(-t), "Theorem 38")
    return Table(rows, ["mechanism", "probability", "bound", "quotient"])
