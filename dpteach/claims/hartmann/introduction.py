"""Claims of Hartmann, Bindschaedler and West: the example and the background (sections I and II).

A view's law is computed twice: by `dpteach.experiment`, and by running through all vectors, answers and adversaries.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp

from ... import Guarantee, Pair, Table, composition, mechanisms, optimal
from ...experiment import (
    contribution_bound,
    view_law,
    view_pair,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close, hockey_stick, hockey_stick_both
from ..reference.experiment import vectors
from .rounds import MOVES, TENTH, coins, player, point, reference_ratio, run_it_and_count

# ------------------------------------------------------------------------------------ section I: the introduction


@claim("HBW-Ex-I", verdict=HOLDS, where="Section I, example", title="Of a thousand hospitals only 365 count")
def hospitals_and_nights():
    r"""Each of $k>365$ hospitals publishes one private statistic of a year. Nobody spends a night in more than 365 of
    them, so 365 rounds have to be composed, and not $k$.

    Right for "was this person a patient anywhere?". Whoever asks "in which hospitals" compares two patterns, which can
    differ in 730 places. And a leap year has 366 nights.
    """
    part, delta, rows = Guarantee(0.01), 1e-6, []
    for k in (100, 365, 366, 1000, 1500):
        bound = contribution_bound(part, min(365, k), k=k)
        classic, fewer = optimal(part, k=k).epsilon(delta), bound.epsilon(delta)
        ensure(close(classic, reference.optimal_epsilon(0.01, 0, k, delta)), "all rounds, with 50 digits")
        ensure(close(fewer, reference.optimal_epsilon(0.01, 0, min(k, 365), delta)), "365 rounds, with 50 digits")
        rows.append((k, k * 0.01, bound.by("basic").epsilon, classic, fewer))
    ensure(close(rows[3][3], 1.365446709993756) and close(rows[3][4], 0.7901127382858894), "k = 1000")
    told = contribution_bound(part, 365, k=1000).by("advanced", delta).epsilon
    ensure(close(told, 1.04094018388328), "365 rounds by advanced composition")
    ensure(close(contribution_bound(part, 365, "bounded", 1000).epsilon(delta), 1.15127351271121), "730 rounds")
    nobody, few = point("0000"), [b for b in vectors(4) if 0 < sum(b) <= 2]
    by_hand = [brute.least_ratio_both(*brute.mixed_pair(coins(3, 4), nobody, {b: Fraction(1)})) for b in few]
    ensure(max(by_hand) == 9, "in miniature: two of four databases cost two rounds")
    return Table(rows, ["hospitals", "all, basic", "365, basic", "all, exact", "365, exact (delta = 1e-6)"])


@claim("HBW-Fn-1", verdict=HOLDS, where="Footnote 1", title="Parallel composition also leaves 365, but adds them up")
def parallel_hospitals():
    r"""Parallel composition also brings the hospitals down to 365 rounds; but it adds them up,
    $365\max_i\varepsilon_i$, and knows no advanced composition.

    Its promise is about likelihood ratios, $e^{\varepsilon|\mathbf x\oplus\mathbf x'|}$, and those are attained. Only a
    $\delta>0$ gives room for more, and that the generalized experiment can use. It takes the exact optimum to be sure
    of it: for large $\varepsilon$ the advanced theorem is worse than the sum.
    """
    rows = []
    for eps in (0.001, 0.01, 0.1, 1.0):
        bound = contribution_bound(Guarantee(eps), 365, k=1000)
        parallel, best = bound.parallel().epsilon, bound.epsilon(1e-6)
        ensure(close(parallel, 365 * eps), "one epsilon for each night")
        ensure(close(best, reference.optimal_epsilon(eps, 0, 365, 1e-6)) and best < parallel, "the optimum is smaller")
        rows.append((eps, parallel, bound.by("basic").epsilon, bound.by("advanced", 1e-6).epsilon, best))
    ensure(all_close((rows[1][1], rows[1][4]), (3.65, 0.7901127382858894)), "eps = 0.01")
    for m in (1, 2, 3):  # m of three databases, randomized response: no likelihood ratio can be promised away
        pair = brute.mixed_pair(coins(3, 3), point("000"), point("1" * m + "0" * (3 - m)))
        ensure(brute.least_ratio_both(*pair) == 3**m, "the sum is attained at delta = 0")
    return Table(rows, ["eps", "parallel", "this paper, basic", "advanced", "exact (delta = 1e-6)"])


# -------------------------------------------------------------------------------------- section II: the background


@claim("HBW-Sec2-Neighbours", verdict=DEFINITION, where="Section II-A", title="Bounded and unbounded neighbours")
def two_kinds_of_neighbours():
    r"""Unbounded neighbours: one database becomes the other by adding at most one record. Bounded neighbours: equally
    many records, at most one of them different. The paper means unbounded ones unless it says otherwise.

    "At most" makes every database its own neighbour; the short proof of Theorem 1 needs that. A bounded step is two
    unbounded ones, and can cost twice as much: here two questions ("any a?", "any b?"), each answered with
    $e^{\varepsilon}=3$.
    """
    databases = [("a",) * i + ("b",) * j for i, j in product(range(4), repeat=2) if i + j < 4]
    every = list(product(databases, repeat=2))
    added = {(x, y) for x, y in every if y == x or y in one_more(x)}
    unbounded = added | {(y, x) for x, y in added}
    bounded = {(x, y) for x, y in every if y == x or y in replaced(x)}
    ensure(unbounded == {(x, y) for x, y in every if apart(x, y) <= 1}, "by the symmetric difference")
    ensure(bounded == {(x, y) for x, y in every if apart(x, y) <= 2 and len(x) == len(y)}, "and the size")
    rows = []
    for name, pairs in (("unbounded", unbounded), ("bounded", bounded)):
        costs = {pair: cost_of_two_questions(*pair) for pair in pairs}
        equal = [(x, y) for x, y in pairs if x == y]
        ensure(len(equal) == len(databases) and all(costs[pair] == 1 for pair in equal), "equal ones are neighbours")
        furthest = max(apart(x, y) for x, y in pairs)
        rows.append((name, len(pairs), len(equal), furthest, max(costs.values())))
    for x, y in bounded:
        between = [z for z in databases if (x, z) in unbounded and (z, y) in unbounded]
        ensure(between, "a bounded step is two unbounded ones")
    ensure([row[4] for row in rows] == [3, 9], "and may cost twice as much")
    return Table(rows, ["neighbours", "pairs", "equal ones", "largest symmetric difference", "largest ratio"])


def cost_of_two_questions(x: tuple, y: tuple) -> Fraction:
    """Return e^eps of both answers together: a factor 3 for every question whose answer changes."""
    told = view_pair(lambda _: (x, y, two_questions), [[two_questions]], 0, 1).ratio()
    changes = sum((letter in x) != (letter in y) for letter in "ab")
    ensure(told == 3**changes, "one 3 a change")
    return told


def one_more(x: tuple) -> list[tuple]:
    """Return the databases with one record more."""
    return [tuple(sorted((*x, record))) for record in "ab"]


def replaced(x: tuple) -> list[tuple]:
    """List the databases with one record replaced by another."""
    return [tuple(sorted((*x[:i], r, *x[i + 1 :]))) for i in range(len(x)) for r in "ab"]


def apart(x: tuple, y: tuple) -> int:
    """Return the size of the symmetric difference of two multisets."""
    return sum(((Counter(x) - Counter(y)) + (Counter(y) - Counter(x))).values())


def two_questions(x: tuple) -> dict:
    """Answer "any a?" and "any b?" by randomized response."""
    right = Fraction(3, 4)
    chance = lambda c, said: right if (c in x) == said else 1 - right  # noqa: E731
    return {(a, b): chance("a", a) * chance("b", b) for a, b in product((False, True), repeat=2)}


@claim("HBW-Def-1", verdict=DEFINITION, where="Definition 1", title="Differential privacy")
def differential_privacy():
    r"""$M$ is $(\varepsilon,\delta)$-private if, for any neighbours and any set $S$ of outputs, $\Pr(M(\mathbf x)\in
    S)\le e^{\varepsilon}\Pr(M(\mathbf x')\in S)+\delta$.

    All that the promise $(\ln3,1/10)$ allows at other values of $\varepsilon$ is allowed to one pair, randomized
    response that gives the bit away with probability $\delta$: $\delta+(1-\delta)\max(3-e^{\varepsilon'},0)/4$.
    """
    worst, by_hand = mechanisms.randomized_response(ratio=3, delta=TENTH), reference.worst_pair(3, TENTH)
    rng, rows, private = np.random.default_rng(1), [], []
    while len(private) < 25:
        p, q = (reference.random_law(rng, 3, 20) for _ in "pq")
        private += [(p, q)] if reference.is_private(p, q, 3, TENTH) else []
    ensure(all(worst.dominates(Pair(*pair)) for pair in private), "each is simulated from the worst pair")
    ensure(all(reference.map_exists(by_hand, pair) for pair in private[:8]), "by a map, says a linear program")
    for ratio in (1, Fraction(3, 2), 2, 3, 5):
        told, events = worst.delta(ratio=ratio), reference.delta_by_events(*by_hand, ratio)
        largest = max(reference.hockey_stick_both(*pair, ratio) for pair in private)
        ensure(told == events == TENTH + Fraction(9, 10) * Fraction(max(3 - ratio, 0)) / 4, "the worst of all events")
        ensure(largest <= told, "no private pair does more")
        rows.append((ratio, told, events, float(largest)))
    known = [Fraction(11, 20), Fraction(7, 16), Fraction(13, 40), TENTH, TENTH]
    ensure([row[1] for row in rows] == known, "11/20, 7/16, 13/40, 1/10, 1/10")
    return Table(rows, ["e^eps'", "delta", "by all events", "largest of 25 private pairs"])


@claim("HBW-Alg-1", verdict=DEFINITION, where="Algorithm 1", title="The classic composition experiment")
def classic_experiment():
    r"""One hidden bit. In each of $k$ rounds the adversary, knowing all answers so far, submits two neighbouring
    databases, parameters and a mechanism, and is answered from the database that the bit selects. Its view: its coins
    and all answers.

    A deterministic adversary is a decision tree. With eight $\ln3$-private moves and two rounds there are 512; none
    does better than randomized response twice.
    """
    pairs, rows, found = [Pair(*move) for move in MOVES], [], []
    for tree, chosen in zip(brute.trees(MOVES, 2), brute.trees(pairs, 2), strict=True):
        seen = view_pair(chosen.__getitem__, [pairs, pairs], 0, 1)
        found.append(brute.tree_pair(tree, point("00"), point("11")))
        ensure((list(seen.p), list(seen.q)) == found[-1], "the law of every view")
    for ratio in (1, 2, 3, 5, 8):
        deltas = [hockey_stick(*laws, ratio) for laws in found]
        ensure(max(deltas) == brute.largest_excess(MOVES, point("00"), point("11"), ratio), "the best, step by step")
        told = (mechanisms.randomized_response(ratio=3) ** 2).delta(ratio=ratio)
        ensure(max(deltas) == told, "randomized response is among the best")
        rows.append((ratio, len(deltas), max(deltas), deltas.count(told)))
    ensure([row[2] for row in rows] == [Fraction(n, 16) for n in (8, 7, 6, 4, 1)], "1/2, 7/16, 3/8, 1/4, 1/16")
    toss = {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}
    law = view_law(lambda side: lambda _: pairs[side == "tails"], [pairs], 1, coins=toss)
    ensure(law == {(side, y): w * MOVES[side == "tails"][1][y] for side, w in toss.items() for y in (0, 1)}, "coins")
    run_it_and_count(tree, 1)
    return Table(rows, ["e^eps", "adversaries", "largest delta", "reached by"])


@claim(
    "HBW-Def-2", verdict=CORRECTED, where="Definition 2", title="A composition is private if its two views are close"
)
def privacy_of_a_composition():
    r"""A sequence of mechanisms is $(\varepsilon,\delta)$-private if the views under the bits 0 and 1 are
    $(\varepsilon,\delta)$-close, in both orders.

    "For every adversary" is missing. One adversary that submits $(C,D)$ and then $(D,C)$, with fair $C$ and
    $D=(1/6,5/6)$, has $e^{\varepsilon}=5$ between 00 and 11 but 9 between 01 and 10: with that adversary held fixed,
    Theorem 1 is false. Over all adversaries (here: all orders of the two pairs) the two experiments agree.
    """
    fair, uneven = [Fraction(1, 2)] * 2, [Fraction(1, 6), Fraction(5, 6)]
    rows = []
    for first, second in product((Pair(fair, uneven), Pair(uneven, fair)), repeat=2):
        moves = {0: first, 1: second}
        ratios = [
            view_pair(lambda view, moves=moves: moves[len(view)], [[first], [second]], a, b).ratio()
            for a, b in (("00", "11"), ("01", "10"))
        ]
        tables = [(list(pair.p), list(pair.q)) for pair in (first, second)]
        by_hand = [brute.mixed_pair(tables, point(a), point(b)) for a, b in (("00", "11"), ("01", "10"))]
        ensure(ratios == [reference_ratio(*pair) for pair in by_hand], "all answers, by hand")
        rows.append((*("fair first" if [*pair.p] == fair else "fair second" for pair in (first, second)), *ratios))
    ensure(rows[1][2:] == (5, 9), "5 against 9 for the fixed adversary")
    ensure(max(row[2] for row in rows) == max(row[3] for row in rows) == 9, "the same over all adversaries")
    return Table(rows, ["round 1", "round 2", "e^eps of 00 and 11", "e^eps of 01 and 10"])


@claim("HBW-Bg-Simple", verdict=HOLDS, where="Section II-A", title="Simple composition adds up both numbers")
def simple_composition():
    r"""The $k$-fold composition of $(\varepsilon,\delta)$-private mechanisms is $(k\varepsilon,k\delta)$-private.

    The exact value at $k\varepsilon$ is $1-(1-\delta)^k$, a little less than $k\delta$. Random adaptive adversaries
    stay below it.
    """
    rng, rows = np.random.default_rng(3), []
    for k, eps, delta in ((2, 1.0, 0.1), (10, 0.5, 1e-3), (1000, 0.01, 1e-6)):
        told, exact = composition.basic(Guarantee(eps, delta), k), optimal(Guarantee(eps, delta), k=k).delta(k * eps)
        ensure(close(told.epsilon, k * eps) and close(told.delta, k * delta), "the sums")
        ensure(close(exact, float(1 - (1 - Fraction(delta)) ** k)) and exact <= told.delta, "the exact delta")
        rows.append((k, eps, delta, told.epsilon, told.delta, exact))
    ensure(close(rows[1][5], 0.009955119790251765), "k = 10")
    for k, _ in product((2, 3), range(6)):
        adversary, classes = player(tree := brute.random_tree(rng, k, [(3, TENTH)] * k))
        seen = view_pair(adversary, classes, 0, 1).delta(ratio=3**k)
        zero, one = ({(b,) * k: Fraction(1)} for b in (0, 1))
        ensure(seen == hockey_stick_both(*brute.tree_pair(tree, zero, one), 3**k), "the law of the view")
        ensure(seen <= 1 - (1 - TENTH) ** k, "no adversary exceeds it")
    return Table(rows, ["k", "eps", "delta", "k eps", "k delta", "exact delta at k eps"])


@claim("HBW-Bg-Advanced", verdict=HOLDS, where="Section II-A", title="Advanced composition holds for any delta'")
def advanced_composition():
    r"""For any $\delta'>0$ the $k$-fold composition is $(\varepsilon',k\delta+\delta')$-private with
    $\varepsilon'=\sqrt{2k\ln(1/\delta')}\,\varepsilon+k\varepsilon(e^{\varepsilon}-1)$.

    Better than simple composition for many small parts only: with $\delta'=0.01$ ten parts with $\varepsilon=0.5$ get
    8.04 instead of 5. "Any" means up to 1, where the logarithm ends. For unequal parts, put sums in place of $k$ times.
    """
    rows = []
    for k, eps, slack in ((10, 0.5, 0.01), (100, 0.1, 1e-6), (1000, 0.01, 1e-6)):
        told, exact = (
            composition.advanced(Guarantee(eps), slack, k).epsilon,
            optimal(Guarantee(eps), k=k).epsilon(slack),
        )
        ensure(close(told, reference.old_bound([(eps, k)], slack)), "the formula, with 50 digits")
        ensure(close(exact, reference.optimal_epsilon(eps, 0, k, slack)), "the optimum, with 50 digits")
        ensure(reference.optimal_delta(eps, 0, k, told) <= slack, "private as promised")
        rows.append((k, eps, slack, k * eps, told, exact))
    ensure(close(rows[0][4], 8.04213226568872) and rows[0][4] > rows[0][3], "worse than simple")
    ensure(all_close(rows[1][4:], (6.30823095051341, 4.774567588107986)), "k = 100")
    uneven = [(0.05, 0.01), (0.2, 0.0), (0.4, 0.002)] * 3
    told = composition.advanced([Guarantee(*part) for part in uneven], 0.05)
    ensure(close(told.epsilon, reference.old_bound([(e, 1) for e, _ in uneven], 0.05)), "unequal parts")
    ensure(reference.mixed_delta(uneven, told.epsilon) <= told.delta, "private, over all 512 answers")
    return Table(rows, ["k", "eps", "delta'", "simple", "advanced", "exact"])


@claim("HBW-Bg-Optimal", verdict=CORRECTED, where="Section II-B", title="Optimal composition takes exponential time")
def optimal_composition():
    r"""The optimum is known for equal guarantees (Kairouz, Oh, Viswanath) and for different ones (Murtagh, Vadhan);
    computing the latter is #P-complete and "thus" takes time exponential in $k$.

    "Thus" is too strong: hardness is about the worst case, and exponential only if no better algorithm exists. When all
    $\varepsilon_i$ are *small* multiples of one unit, $2^k$ answers have only a few different losses, and adding one
    round after the other is exact in polynomial time. Multiples $1,2,4,\dots,2^{k-1}$ have $2^k$ different losses.
    """
    equal = optimal(Guarantee(0.5, 1e-3), k=10).epsilon(0.02)
    ensure(close(equal, 3.91405453646783) and close(equal, reference.optimal_epsilon(0.5, 1e-3, 10, 0.02)), "k = 10")
    ensure(close(optimal(Guarantee(0.1), k=100).epsilon(1e-6), 4.774567588107986), "k = 100")
    rows = []
    for k in (3, 9, 60, 120):
        steps = [1 + i % 3 for i in range(k)]  # e^eps = 2, 4, 8, 2, ...
        at, guarantees = 5 * k // 3, [Guarantee(m * math.log(2)) for m in steps]
        exact, losses = delta_on_a_lattice(steps, at)
        told = optimal(guarantees).delta(at * math.log(2))
        ensure(close(told, float(exact), 1e-9) and told >= float(exact) * (1 - 1e-15), "the library agrees")
        if k < 10:
            every = reference.mixed_delta([tuple(g) for g in guarantees], at * mp.log(2))
            ensure(close(every, float(exact)), "and so do all answers, one by one")
        ensure(losses <= 2 * sum(steps) + 1, "no more losses than whole numbers between the two extremes")
        rows.append((k, f"2^{k}", losses, f"{at} ln 2", float(exact), told))
    ensure(delta_on_a_lattice([2**i for i in range(9)], 5)[1] == 2**9, "growing multiples: all losses differ")
    return Table(
        rows, ["k", "answers", "different losses", "eps", "delta, one round after the other", "dpteach.optimal"]
    )


def delta_on_a_lattice(steps: Sequence[int], at: int) -> tuple[Fraction, int]:
    """Return the optimal delta at at * ln 2 for epsilons of so many times ln 2, and the number of different losses."""
    weights = {0: 1}  # of the loss in units of ln 2, times the product of all 1 + 2^m
    for m in steps:
        longer: Counter = Counter()
        for loss, weight in weights.items():
            longer[loss + m] += weight << m
            longer[loss - m] += weight
        weights = longer
    total = math.prod(1 + 2**m for m in steps)
    excess = sum(w * (1 - Fraction(2) ** (at - loss)) for loss, w in weights.items() if loss > at)
    return excess / total, len(weights)
