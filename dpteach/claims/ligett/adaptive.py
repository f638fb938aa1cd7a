"""Claims of Ligett, Peale and Reingold: the adaptive game and advanced composition (appendix D).

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from ... import Guarantee, Pair, Table, composition, optimal
from ...leakage import LeakyMechanism, adaptive_delta, adaptive_experiment, bounds, examples
from ..entries import CORRECTED, DEFINITION, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import leakage as by_hand
from ..reference.basics import all_close, close
from .worlds import BIT, HALF, SAME, TENTH, leaky, random_ratio, response_with


@claim("LPR-Alg-1", verdict=DEFINITION, where="Algorithm 1", title="The adaptive game under bounded leakage")
def adaptive_game():
    r"""In each of $k$ rounds the adversary, knowing all answers so far, names two neighbours, a mechanism with its
    leak, and a value $o$. The answer is $M(x_b)$ given $P(x_b)=o$ with fresh coins; "null" if $o$ is impossible on one
    of the two.

    The adversary chooses $o$, and how likely it is never counts. "Null" tells nothing, as its condition is the same in
    both experiments. Fresh coins matter: with the same coins in both rounds $x\oplus r$ and $r$ give $x$ away. Each
    answer is drawn given its own $o$. Given all leaks at the end nothing would follow: after an answer 3 : 1 let a leak
    be chosen that shows "yes" surely if the answer was true, else once in ten; given "yes" the answer has
    $e^{\varepsilon}=30$. The best adversary is found backwards from the last round, and by trying all strategies.
    """
    pad, rows = examples.noisy_pad(Fraction(1, 4)), []
    for k, at in ((1, 1), (2, 3), (3, 3), (3, 9), (4, 3)):
        told, tried = adaptive_delta(pad, k, ratio=at), by_hand.best_strategy([pad.joint], k, at)
        ensure(told == tried == reference.excess_of_coins(k, 3, at), "k randomized responses, 3 : 1")
        rows.append((k, at, told, tried))
    known = (HALF, Fraction(3, 8), Fraction(3, 8), Fraction(9, 32), Fraction(75, 128))
    ensure(tuple(row[2] for row in rows) == known, "the five values")
    rng = np.random.default_rng(26)
    for _ in range(6):
        worlds, a = [by_hand.random_world(rng, BIT, 1, 2) for _ in BIT], random_ratio(rng)
        told = adaptive_delta([leaky(world) for world in worlds], 2, ratio=a)
        ensure(told == by_hand.best_strategy(worlds, 2, a), "random families, all strategies")
    trap = examples.parity_trap(1)
    views = adaptive_experiment(lambda view: (trap, (0,), (1,), 0), 2)
    ensure(views.outcomes == [("null", "null")] and views.delta(ratio=1) == 0, "null tells nothing")
    again = LeakyMechanism.from_functions(BIT, BIT, lambda x, r: (x ^ r, r))
    ensure(again.delta(ratio=1) == by_hand.delta(again.joint, 1) == 1, "the same coins twice")
    late = {x: {("yes", m): (Fraction(3) if m == x else TENTH) / 4 for m in BIT} for x in BIT}
    late = {x: {**cells, ("no", 1 - x): (1 - TENTH) / 4} for x, cells in late.items()}
    ensure(leaky(late).given("yes").ratio() == by_hand.ratio_given(late, "yes") == 30, "given a later leak")
    return Table(rows, ["k", "e^eps", "delta of the best adversary", "all strategies tried"])


def random_adversary(rng: np.random.Generator, worlds: Sequence[dict], k: int) -> Callable:
    """Draw an adversary on one bit: for every view of up to k answers 0 and 1, a world, an order and a leaked value."""
    views = [view for n in range(k) for view in product((0, 1, "null"), repeat=n)]
    plan = {view: rng.integers(2, size=3) for view in views}
    return lambda view: (worlds[plan[view][0]], int(plan[view][1]), 1 - int(plan[view][1]), int(plan[view][2]))


@claim("LPR-Def-29", verdict=DEFINITION, where="Definition 29", title="Privacy under adaptive composition")
def privacy_under_adaptive_composition():
    r"""A family is $(\varepsilon,\delta)$-private under $k$-fold adaptive composition if, for every adversary, each set
    of views is at most $e^{\varepsilon}$ times as likely in experiment 0 as in experiment 1, plus $\delta$.

    One order is enough: an adversary may exchange the two databases. The views of random adversaries are listed here in
    two ways, and a third time as a game of plain DP against the reductions of Definition 15.
    """
    rng, rows, nulls = np.random.default_rng(27), [], 0
    for k in (1, 2, 3):
        for _ in range(5):
            worlds = [by_hand.random_world(rng, BIT, 2, 2, 1), one_sided(by_hand.random_world(rng, BIT, 2, 2, 1))]
            plan, a = random_adversary(rng, worlds, k), random_ratio(rng, 2)
            laws = [by_hand.transcripts(plan, k, b) for b in BIT]
            p, q = by_hand.aligned(*laws)
            nulls += sum("null" in view for view in laws[0])
            views = game(plan, k, lambda m, *query: (m, *query))
            reduced = game(plan, k, lambda m, x0, x1, o: (m.reduction(x0, x1, o), x0, x1))
            for pair in (views, reduced):
                told = [{v: w for v, w in zip(pair.outcomes, law, strict=True) if w} for law in (pair.p, pair.q)]
                ensure(told == laws, "the views, listed in another way")
            exact = reference.hockey_stick(p, q, a)
            ensure(views.delta(ratio=a, direction="pq") == exact, "the largest excess over sets of views")
            swapped = game(lambda view, plan=plan: exchanged(plan(view)), k, lambda m, *query: (m, *query))
            ensure(swapped.delta(ratio=a, direction="qp") == exact, "exchanged databases: the other order")
            best = adaptive_delta([leaky(world) for world in worlds], k, ratio=a)
            ensure(exact <= best, "no adversary beats the best one")
        rows.append((k, len(laws[0]), a, float(exact), float(best)))
    ensure(nulls > 5, "some asked for the impossible")
    return Table(rows, ["k", "views", "e^eps", "delta of a random adversary", "of the best one"])


def one_sided(world: dict) -> dict:
    """Return the world in which the first database leaks 0 only."""
    return {0: {(0, m): w for m, w in by_hand.given(world[0], 0).items()}, 1: world[1]}


def exchanged(query: tuple) -> tuple:
    """Return the query with the two databases exchanged."""
    world, x0, x1, o = query
    return world, x1, x0, o


def game(plan: Callable, k: int, query: Callable) -> Pair:
    """Play the library's game with the queries of a plan on worlds."""

    def ask(view):
        world, x0, x1, o = plan(view)
        return query(leaky(world), x0, x1, o)

    return adaptive_experiment(ask, k)


ORDERS = list(product([(0, 1), (1, 0)], repeat=2))  # which database is x0, in each of two rounds


@claim("LPR-Alg-2", verdict=DEFINITION, where="Algorithm 2", title="The adaptive game of DP")
def adaptive_game_of_dp():
    r"""The same game without leaks: in each round the adversary names two neighbours and a mechanism, and sees
    $M(x_b)$.

    It is Algorithm 1 with a constant leak. An adversary that never looks at the answers plays plain composition; one
    that does may choose what to ask next. Against the worst $(\varepsilon,\delta)$-DP mechanism nothing is gained by
    it; against others it may be: let a 1 have probability 1/6 on one database and 1/3 on the other. Two answers have
    $\delta=1/9$ at $e^{\varepsilon}=3/2$ if it is fixed which database is called $x_0$, and 1/8 if the first answer
    decides that for the second.
    """
    rows, rng = [], np.random.default_rng(28)
    for ratio, delta, k in ((3, 0, 2), (3, 0, 4), (2, TENTH, 2), (2, TENTH, 3)):
        coin = response_with(ratio, delta)
        flat = adaptive_experiment(lambda view, coin=coin: (coin, 0, 1), k)
        laws = reference.product_pair([reference.worst_pair(ratio, delta)] * k)
        exact = reference.hockey_stick(*laws, ratio)
        ensure(flat.delta(ratio=ratio) == exact == by_hand.optimum(ratio, delta, k, ratio), "plain composition")
        ensure(adaptive_delta(coin, k, ratio=ratio) == exact, "adaptivity gains nothing here")
        rows.append((ratio, delta, k, exact))
    rarely = by_hand.plain({x: {(None, m): w for m, w in by_hand.coin(Fraction(1 + x, 6))} for x in BIT})
    fixed = [game(lambda view, o=o: (rarely, *o[len(view)], None), 2, lambda m, x0, x1, o: (m, x0, x1)) for o in ORDERS]
    ensure(max(pair.delta(ratio=Fraction(3, 2), direction="pq") for pair in fixed) == Fraction(1, 9), "fixed orders")
    best = adaptive_delta(leaky(rarely), 2, ratio=Fraction(3, 2))
    ensure(best == by_hand.best_strategy([rarely], 2, Fraction(3, 2)) == Fraction(1, 8), "chosen by the first answer")
    for _ in range(8):
        worlds = [by_hand.plain(by_hand.random_world(rng, BIT, 1, 2)) for _ in BIT]
        choose = rng.integers(2, size=3)

        def plan(view, worlds=worlds, choose=choose):
            return worlds[choose[view[0] if view else 2]], 0, 1, None

        laws = [by_hand.transcripts(plan, 2, b) for b in BIT]
        views = game(plan, 2, lambda m, x0, x1, o: (m, x0, x1))
        ensure(
            views.delta(ratio=2, direction="pq") == reference.hockey_stick(*by_hand.aligned(*laws), 2),
            "random adversaries",
        )
    return Table(rows, ["e^eps", "delta", "k", "delta of the views, at the same e^eps"])


@claim("LPR-Def-30", verdict=DEFINITION, where="Definition 30", title="Privacy by approximate max-divergence")
def approximate_max_divergence():
    r"""For DP the same is quoted with the largest $\log\frac{\Pr[V_0\in S]-\delta}{\Pr[V_1\in S]}$ over sets $S$ with
    $\Pr[V_0\in S]\ge\delta$, which must be at most $\varepsilon$.

    Equivalent to the inequality of Definition 29, if sets with $\Pr[V_0\in S]=\delta$ are left out: with
    $\Pr[V_1\in S]=0$ they give 0/0, as in the first row, and otherwise $\log0$. So read $>$ for $\ge$.
    """
    tenth = [TENTH, 1 - TENTH], [Fraction(0), Fraction(1)]
    undefined = [s for s in reference.event_laws(*tenth) if s == (TENTH, 0)]
    ensure(
        len(undefined) == 1 and Pair(*tenth).delta(ratio=1, direction="pq") == TENTH, "0/0, although (0, 1/10) holds"
    )
    rng, rows = np.random.default_rng(29), []
    drawn = [tuple(reference.random_law(rng, 4) for _ in "pq") for _ in range(15)]
    for p, q in [tenth, *drawn]:
        delta = TENTH if p is tenth[0] else Fraction(int(rng.integers(1, 30)), 60)
        sets = [(a - delta, b) for a, b in reference.event_laws(p, q) if a > delta]
        largest = max([math.inf if b == 0 else a / b for a, b in sets], default=0)
        pair = Pair(p, q)
        ensure(pair.ratio(delta, "pq") == max(largest, 1), "the least e^eps is the largest quotient")
        if 1 < largest < math.inf:
            ensure(pair.delta(ratio=largest, direction="pq") == delta, "where the inequality is an equality")
        rows.append((delta, len(sets), largest, pair.ratio(delta, "pq")))
    return Table(rows[:6], ["delta", "sets with more than delta", "largest quotient", "least e^eps, at least 1"])


@claim("LPR-Thm-31", verdict=CORRECTED, where="Theorem 31", title="Adaptive composition carries over for every class")
def adaptive_composition_carries_over():
    r"""If a class of $(\varepsilon,\delta)$-DP mechanisms is $(\varepsilon',\delta')$-DP under $k$-fold adaptive
    composition, then that class is so under bounded leakage.

    Right for the class of all $(\varepsilon,\delta)$-DP mechanisms, as the proof reads it, and for any that the
    reductions belong to; not for every class. The one-time pad alone composes perfectly for ever; with a noisy key as
    its leak it is randomized response, and two of them have $e^{\varepsilon}=9$. For the class of all, the best
    adversary reaches what the optimal composition theorem allows, $1-(1-\delta)^k(1-s)$ if $s$ is the optimum at
    $\delta=0$, and no more. "Mechanism-function pairs" in the statement, and one "query of
    $\mathcal A^{DP}$" in the proof, are slips.
    """
    pad, rows = examples.noisy_pad(Fraction(1, 4)), []
    ensure(adaptive_delta(pad.without_leak(), 2, ratio=1) == 0, "the pad alone")
    ensure(adaptive_delta(pad, 2, ratio=9) == 0 < adaptive_delta(pad, 2, ratio=Fraction(89, 10)), "nine with the leak")
    ensure(
        by_hand.best_strategy([pad.joint], 2, Fraction(89, 10)) > 0 == by_hand.best_strategy([pad.joint], 2, 9), SAME
    )
    for name, mechanism, a, d in (("noisy pad", pad, 3, 0), ("worst mechanism", response_with(2, TENTH), 2, TENTH)):
        for k, at in ((2, 1), (3, a)):
            told = adaptive_delta(mechanism, k, ratio=at)
            ensure(told == by_hand.optimum(a, d, k, at), "attained")
            ensure(
                close(optimal(Guarantee(math.log(a), d), k=k).delta(math.log(at)), float(told), 1e-11), "the optimum"
            )
            rows.append((name, f"({a}, {d})", k, at, told, by_hand.optimum(a, d, k, at)))
    rng = np.random.default_rng(30)
    for _ in range(10):
        family, a, at = (
            [leaky(by_hand.random_world(rng, BIT, 2, 3, 3)) for _ in BIT],
            random_ratio(rng),
            random_ratio(rng),
        )
        d = max(m.delta(ratio=a) for m in family)
        told = adaptive_delta(family, 2, ratio=at)
        ensure(told <= by_hand.optimum(a, d, 2, at), "random families never exceed it")
    rows.append(
        ("random family", f"({float(a):.3g}, {float(d):.3g})", 2, at, float(told), float(by_hand.optimum(a, d, 2, at)))
    )
    return Table(rows, ["family", "(e^eps, delta)", "k", "at e^eps'", "best adversary", "optimal composition"])


@claim("LPR-Thm-32", verdict=MISPRINT, where="Theorem 32", title="Advanced composition holds for DP, with this epsilon")
@claim("LPR-Thm-16", verdict=MISPRINT, where="Theorem 16", title="Advanced composition carries over to bounded leakage")
def advanced_composition():
    r"""Under $k$-fold adaptive composition, $(\varepsilon,\delta)$-private mechanisms are
    $(\varepsilon',k\delta+\delta')$-private with
    $\varepsilon'=\varepsilon\sqrt{2k\log(1/\delta')}+k\varepsilon(e^{\varepsilon-1})$.

    The exponent is misprinted: $k\varepsilon(e^{\varepsilon}-1)$ is meant, and $\delta'>0$. What is printed is still
    valid, since $e^{\varepsilon-1}\ge\varepsilon\ge\tanh(\varepsilon/2)$, which is all that is needed. But its last
    term is never below $k\varepsilon/e$, so that it grows like $k$, and never gains more than a factor of $e$ on basic
    composition; above $\varepsilon=\log\frac e{e-1}\approx0.459$ it is smaller than what was meant.
    """
    slack, rows = 1e-6, []
    known = {
        (0.01, 1000): (5.378, 1.763, 1.712, 1.365),
        (0.1, 100): (9.322, 6.308, 5.756, 4.775),
        (0.5, 100): (56.61, 58.72, 38.53, 33.32),
        (1.0, 100): (152.6, 224.4, 98.78, 83.53),
    }
    for (eps, k), expected in known.items():
        part = Guarantee(eps)
        printed, meant = (
            bounds.advanced_as_printed(part, slack, k).epsilon,
            composition.advanced(part, slack, k).epsilon,
        )
        third, exact = reference.closed_form([(eps, k)], slack)[2], optimal(part, k=k).epsilon(slack)
        deviation = eps * math.sqrt(2 * k * math.log(1 / slack))
        ensure(close(printed, deviation + k * eps * math.exp(eps - 1)), "as printed")
        ensure(close(meant, reference.old_bound([(eps, k)], slack)), "as meant")
        ensure(all_close((printed, meant, third, exact), expected, 5e-4), "the table")
        ensure(reference.optimal_delta(eps, 0, k, printed) < slack, "valid as printed")
        ensure(exact + k * eps**2 / 2 <= printed and (printed > meant) == (eps < 0.458675), "with room to spare")
        rows.append((eps, k, k * eps, printed, meant, float(third), exact))
    for above in (False, True):
        eps = math.log(math.e / (math.e - 1)) * (1.000001 if above else 0.999999)
        told = [f(Guarantee(eps), slack, 100).epsilon for f in (bounds.advanced_as_printed, composition.advanced)]
        ensure((told[0] < told[1]) == above, "the crossing")
    for f, first in ((bounds.advanced_as_printed, 70), (composition.advanced, 29)):
        pays = [f(Guarantee(0.01), slack, k).epsilon < k * 0.01 for k in (first - 1, first)]
        ensure(pays == [False, True], "pays from 70 on as printed, from 29 on as meant")
    told = bounds.advanced_as_printed(Guarantee(0.1, 0.001), 0.01, 10)
    ensure(close(told.delta, 10 * 0.001 + 0.01), "k delta + delta'")
    pad, part = examples.noisy_pad(Fraction(10, 21)), Guarantee(math.log(1.1))
    ensure(close(pad.epsilon(), part.epsilon), "a pad that is (log 1.1, 0)-private given its leak")
    for f in (bounds.advanced_as_printed, composition.advanced):
        at = f(part, 0.5, 8).epsilon
        ensure(0 < adaptive_delta(pad, 8, at) <= 0.5, "the best adversary on it")
    return Table(rows, ["eps", "k", "k eps", "as printed", "as meant", "with tanh(eps/2)", "exact optimum"])
