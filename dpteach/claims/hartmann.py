"""The claims of Hartmann, Bindschaedler and West: the experiment, hypotheses and Theorem 1 (sections I to IV).

A view's law is computed twice: by `dpteach.experiment`, and by running through all vectors, answers and adversaries.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from mpmath import mp

from .. import Guarantee, Pair, Table, composition, mechanisms, optimal
from ..experiment import (
    Hypothesis,
    both_databases,
    compose,
    contribution_bound,
    hypothesis_dp,
    matching_bound,
    refine,
    view_law,
    view_pair,
)
from ..experiment.hypothesis import show_bits
from . import reference
from . import reference_experiment as experiments
from .ledger import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, PROOF_GAP, claim, ensure
from .reference import all_close, close, hockey_stick, hockey_stick_both
from .reference_experiment import bits, vectors

TENTH = Fraction(1, 10)
MOVES = [
    tuple([Fraction(x, 12), 1 - Fraction(x, 12)] for x in pair)
    for pair in ((9, 3), (3, 9), (6, 2), (2, 6), (6, 10), (10, 6), (6, 6), (8, 4))
]  # eight (ln 3, 0)-private tables with two answers; the first two are randomized response, either way round
MIXED = ((2, TENTH), (3, TENTH / 2), (Fraction(3, 2), 0))  # e^eps and delta of three different rounds


def coins(ratio, k: int) -> list:
    """Return k rounds of randomized response."""
    return [experiments.worst_round(ratio)] * k


def worst_rounds(parts: Sequence[tuple]) -> tuple[list, list[Pair]]:
    """Return the worst table of each guarantee (e^eps, delta), by hand and from the library."""
    by_hand = [experiments.worst_round(*part) for part in parts]
    return by_hand, [mechanisms.randomized_response(ratio=Fraction(r), delta=Fraction(d)) for r, d in parts]


def point(text: str) -> dict:
    """Return the hypothesis that holds one vector only."""
    return {bits(text): Fraction(1)}


def curve(rounds, law0: Mapping, law1: Mapping):
    """Ask the library how well two laws on vectors are told apart."""
    return hypothesis_dp(rounds, Hypothesis.from_dict(law0), Hypothesis.from_dict(law1))


def player(tree: Mapping):
    """Return the adversary of a decision tree, as the library wants it, and its mechanisms for every round."""
    pairs = {view: Pair(*table) for view, table in tree.items()}
    rounds = max(map(len, tree)) + 1
    return pairs.__getitem__, [[pair for view, pair in pairs.items() if len(view) == i] for i in range(rounds)]


def with_databases(tree: Mapping):
    """Return the same adversary with two databases, 0 and 1, and a mechanism of its own for every view."""
    run = {view: lambda x, table=table: dict(enumerate(table[x])) for view, table in tree.items()}
    rounds = max(map(len, tree)) + 1
    return lambda view: (0, 1, run[view]), [[m for view, m in run.items() if len(view) == i] for i in range(rounds)]


# ------------------------------------------------------------------------------------ section I: the introduction


@claim("HBW-Ex-I", verdict=HOLDS, where="Section I, example", title="A thousand hospitals, 365 nights")
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
        rows.append((k, k * 0.01, float(bound.by("basic").epsilon), classic, fewer))
    ensure(close(rows[3][3], 1.365446709993756) and close(rows[3][4], 0.7901127382858894), "k = 1000")
    told = contribution_bound(part, 365, k=1000).by("advanced", delta).epsilon
    ensure(close(told, 1.04094018388328), "365 rounds by advanced composition")
    ensure(close(contribution_bound(part, 365, "bounded", 1000).epsilon(delta), 1.15127351271121), "730 rounds")
    nobody, few = point("0000"), [b for b in vectors(4) if 0 < sum(b) <= 2]
    by_hand = [
        experiments.least_ratio_both(*experiments.mixed_pair(coins(3, 4), nobody, {b: Fraction(1)})) for b in few
    ]
    ensure(max(by_hand) == 9, "in miniature: two of four databases cost two rounds")
    return Table(rows, ["hospitals", "all, basic", "365, basic", "all, exact", "365, exact (delta = 1e-6)"])


@claim("HBW-Fn-1", verdict=HOLDS, where="Footnote 1", title="Parallel composition of the hospitals")
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
        parallel, best = float(bound.parallel().epsilon), bound.epsilon(1e-6)
        ensure(close(parallel, 365 * eps), "one epsilon for each night")
        ensure(close(best, reference.optimal_epsilon(eps, 0, 365, 1e-6)) and best < parallel, "the optimum is smaller")
        rows.append((eps, parallel, float(bound.by("basic").epsilon), float(bound.by("advanced", 1e-6).epsilon), best))
    ensure(all_close((rows[1][1], rows[1][4]), (3.65, 0.7901127382858894)), "eps = 0.01")
    for m in (1, 2, 3):  # m of three databases, randomized response: no likelihood ratio can be promised away
        pair = experiments.mixed_pair(coins(3, 3), point("000"), point("1" * m + "0" * (3 - m)))
        ensure(experiments.least_ratio_both(*pair) == 3**m, "the sum is attained at delta = 0")
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
    added = {(x, y) for x, y in product(databases, repeat=2) if y == x or y in [tuple(sorted((*x, r))) for r in "ab"]}
    related = {
        "unbounded": added | {(y, x) for x, y in added},
        "bounded": {(x, y) for x, y in product(databases, repeat=2) if y == x or y in replaced(x)},
    }
    near = {
        "unbounded": lambda x, y: apart(x, y) <= 1,
        "bounded": lambda x, y: apart(x, y) <= 2 and len(x) == len(y),
    }
    rows = []
    for name, pairs in related.items():
        ensure(pairs == {xy for xy in product(databases, repeat=2) if near[name](*xy)}, "by the symmetric difference")
        costs = {xy: view_pair(lambda _, xy=xy: (*xy, two_questions), [[two_questions]], 0, 1).ratio() for xy in pairs}
        ensure(all(r == 3 ** sum((c in x) != (c in y) for c in "ab") for (x, y), r in costs.items()), "one 3 a change")
        equal = [xy for xy in pairs if xy[0] == xy[1]]
        ensure(len(equal) == len(databases) and all(costs[pair] == 1 for pair in equal), "equal ones are neighbours")
        rows.append((name, len(pairs), len(equal), max(apart(*pair) for pair in pairs), max(costs.values())))
    steps = related["unbounded"]
    ensure(
        all(any((x, z) in steps and (z, y) in steps for z in databases) for x, y in related["bounded"]),
        "a bounded step is two unbounded ones",
    )
    ensure([row[4] for row in rows] == [3, 9], "and may cost twice as much")
    return Table(rows, ["neighbours", "pairs", "equal ones", "largest symmetric difference", "largest ratio"])


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
    for tree, chosen in zip(experiments.trees(MOVES, 2), experiments.trees(pairs, 2), strict=True):
        seen = view_pair(chosen.__getitem__, [pairs, pairs], 0, 1)
        found.append(experiments.tree_pair(tree, point("00"), point("11")))
        ensure((list(seen.p), list(seen.q)) == found[-1], "the law of every view")
    for ratio in (1, 2, 3, 5, 8):
        deltas = [hockey_stick(*laws, ratio) for laws in found]
        ensure(
            max(deltas) == experiments.largest_excess(MOVES, point("00"), point("11"), ratio), "the best, step by step"
        )
        told = (mechanisms.randomized_response(ratio=3) ** 2).delta(ratio=ratio)
        ensure(max(deltas) == told, "randomized response is among the best")
        rows.append((ratio, len(deltas), max(deltas), deltas.count(told)))
    ensure([row[2] for row in rows] == [Fraction(n, 16) for n in (8, 7, 6, 4, 1)], "1/2, 7/16, 3/8, 1/4, 1/16")
    toss = {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}
    law = view_law(lambda side: lambda _: pairs[side == "tails"], [pairs], 1, coins=toss)
    ensure(law == {(side, y): w * MOVES[side == "tails"][1][y] for side, w in toss.items() for y in (0, 1)}, "coins")
    run_it_and_count(tree, 1)
    return Table(rows, ["e^eps", "adversaries", "largest delta", "reached by"])


def run_it_and_count(tree: Mapping, secret, runs: int = 1200) -> None:
    """Run the experiment many times, and compare the frequencies of the views with their probabilities."""
    adversary, classes = player(tree)
    vector = (secret,) * len(classes) if isinstance(secret, int) else bits(secret)
    rng, law = np.random.default_rng(2), experiments.tree_law(tree, vector)
    seen = Counter(compose(adversary, classes, secret, rng) for _ in range(runs))
    ensure(set(seen) <= set(law), "only possible views")
    ensure(all(abs(seen[v] / runs - w) < 2.5 / math.sqrt(runs) for v, w in law.items()), "five standard deviations")


@claim("HBW-Def-2", verdict=CORRECTED, where="Definition 2", title="Privacy of a composition")
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
        by_hand = [experiments.mixed_pair(tables, point(a), point(b)) for a, b in (("00", "11"), ("01", "10"))]
        ensure(ratios == [reference_ratio(*pair) for pair in by_hand], "all answers, by hand")
        rows.append((*("fair first" if [*pair.p] == fair else "fair second" for pair in (first, second)), *ratios))
    ensure(rows[1][2:] == (5, 9), "5 against 9 for the fixed adversary")
    ensure(max(row[2] for row in rows) == max(row[3] for row in rows) == 9, "the same over all adversaries")
    return Table(rows, ["round 1", "round 2", "e^eps of 00 and 11", "e^eps of 01 and 10"])


def reference_ratio(p: Sequence, q: Sequence):
    """Return the largest likelihood ratio, either way round."""
    return max(max(a / b, b / a) for a, b in zip(p, q, strict=True))


@claim("HBW-Bg-Simple", verdict=HOLDS, where="Section II-A", title="Simple composition")
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
        rows.append((k, eps, delta, float(told.epsilon), float(told.delta), exact))
    ensure(close(rows[1][5], 0.009955119790251765), "k = 10")
    for k, _ in product((2, 3), range(6)):
        adversary, classes = player(tree := experiments.random_tree(rng, k, [(3, TENTH)] * k))
        seen = view_pair(adversary, classes, 0, 1).delta(ratio=3**k)
        zero, one = ({(b,) * k: Fraction(1)} for b in (0, 1))
        ensure(seen == hockey_stick_both(*experiments.tree_pair(tree, zero, one), 3**k), "the law of the view")
        ensure(seen <= 1 - (1 - TENTH) ** k, "no adversary exceeds it")
    return Table(rows, ["k", "eps", "delta", "k eps", "k delta", "exact delta at k eps"])


@claim("HBW-Bg-Advanced", verdict=HOLDS, where="Section II-A", title="Advanced composition")
def advanced_composition():
    r"""For any $\delta'>0$ the $k$-fold composition is $(\varepsilon',k\delta+\delta')$-private with
    $\varepsilon'=\sqrt{2k\ln(1/\delta')}\,\varepsilon+k\varepsilon(e^{\varepsilon}-1)$.

    Better than simple composition for many small parts only: ten parts with $\varepsilon=0.5$ get 8.04 instead of 5.
    For unequal parts, put sums in place of $k$ times.
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
        rows.append((k, eps, slack, k * eps, float(told), exact))
    ensure(close(rows[0][4], 8.04213226568872) and rows[0][4] > rows[0][3], "worse than simple")
    ensure(all_close(rows[1][4:], (6.30823095051341, 4.774567588107986)), "k = 100")
    uneven = [(0.05, 0.01), (0.2, 0.0), (0.4, 0.002)] * 3
    told = composition.advanced([Guarantee(*part) for part in uneven], 0.05)
    ensure(close(told.epsilon, reference.old_bound([(e, 1) for e, _ in uneven], 0.05)), "unequal parts")
    ensure(reference.mixed_delta(uneven, told.epsilon) <= told.delta, "private, over all 512 answers")
    return Table(rows, ["k", "eps", "delta'", "simple", "advanced", "exact"])


@claim("HBW-Bg-Optimal", verdict=CORRECTED, where="Section II-B", title="Optimal composition and its cost")
def optimal_composition():
    r"""The optimum is known for equal guarantees (Kairouz, Oh, Viswanath) and for different ones (Murtagh, Vadhan);
    computing the latter is #P-complete and "thus" takes time exponential in $k$.

    "Thus" is too strong: hardness is about the worst case, and exponential only if no better algorithm exists. When all
    $\varepsilon_i$ are multiples of one unit, $2^k$ answers have only a few different losses, and adding one round
    after the other is exact in polynomial time.
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
        rows.append((k, f"2^{k}", losses, f"{at} ln 2", float(exact), told))
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


# --------------------------------------------------------------------------- section III: which bit vectors are meant


@claim("HBW-Sec3-Hb", verdict=DEFINITION, where="Section III", title="One hypothesis for every bit vector")
def one_hypothesis_a_vector():
    r"""For $\mathbf b\in\{0,1\}^k$ the hypothesis $H_{\mathbf b}$ says that round $i$ used $\mathbf x_i^{b_i}$, for all
    $i$. The classic experiment only knows $H_{\vec0}$ and $H_{\vec1}$.

    Under $H_{\mathbf b}$ the law of the answers is a product, one factor a round. For equal rounds two hypotheses are
    told apart as well as their vectors are far apart.
    """
    rows, coin = [], mechanisms.randomized_response(ratio=3)
    laws = {b: view_law(lambda _: coin, [[coin]] * 3, b) for b in vectors(3)}
    for b, law in laws.items():
        ensure([law[y] for y in vectors(3)] == experiments.views(coins(3, 3), b), "a product for every vector")
        pair = [[laws[c][y] for y in vectors(3)] for c in ((0, 0, 0), b)]
        told = hypothesis_dp(coin, Hypothesis.point("000"), Hypothesis.point(b))
        ensure(told.ratio() == reference_ratio(*pair) == 3 ** sum(b), "3 for every bit that differs")
        tv = told.delta(ratio=1)
        ensure(tv == reference.delta_by_events(*pair, 1), "the total variation, by all events")
        rows.append((show_bits(b), law[0, 0, 0], law[1, 1, 1], tv, told.ratio()))
    return Table(rows, ["b", "P(view 000)", "P(view 111)", "total variation from 000", "e^eps from 000"])


@claim("HBW-Ex-III-1", verdict=HOLDS, where="Section III-A, Example 1", title="Office suite and single programs")
def office_suite():
    r"""A suite is bought as a whole: only $\vec0$ and $\vec1$ are possible. With programs sold one by one, "owns at
    least one" is $H_{\vec0}$ against the uniform law on all other vectors, and no run of the classic experiment is
    about that.

    The uniform law is called uninformative, but it knows the number well: of six programs 3.05 on average, seldom
    nearly all. An adversary to whom every number from 1 to 6 is equally likely learns more, in both directions.
    """
    k, part, rows = 6, Guarantee(0.3), []
    sold = {
        "suite": (Hypothesis.point([1] * k), [0] * k + [1]),
        "one by one": (Hypothesis.nonzero(k), shares(k, range(1, k + 1))),
        "uniform number": (Hypothesis.by_count(k, [0] + [Fraction(1, k)] * k), [0] + [Fraction(1, k)] * k),
    }
    for name, (owns, numbers) in sold.items():
        told = hypothesis_dp(part, Hypothesis.point([0] * k), owns)
        zero, some = (experiments.count_law(k, 0.3, law) for law in ([1], numbers))
        for delta, (direction, pair) in product((0, 1e-3), (("qp", (some, zero)), ("pq", (zero, some)))):
            by_hand = mp.log(experiments.least_ratio(*pair, delta))
            ensure(close(told.epsilon(delta, direction), by_hand, 1e-11), "all numbers of ones, with 50 digits")
        rows.append((name, float(owns.mean_count()), *(told.epsilon(d, w) for d in (0, 1e-3) for w in ("qp", "pq"))))
    known = (0.9770395382598798, 0.853596541119496, 0.9115657277803073, 0.8253714648791351)
    ensure(all_close(rows[1][2:], known, 1e-11), "sold one by one")
    ensure(close(rows[0][2], 1.8) and close(rows[0][4], 1.771774923759639, 1e-11), "the suite")
    ensure(close(rows[1][1], k * 2 ** (k - 1) / (2**k - 1)), "3.05 programs on average")
    ensure(all(a < b for a, b in zip(rows[1][2:], rows[2][2:], strict=True)), "a uniform number says more")
    by_vectors = experiments.mixed_pair(coins(3, 3), point("000"), experiments.uniform(vectors(3)[1:]))
    exact = hypothesis_dp(mechanisms.randomized_response(ratio=3), Hypothesis.point("000"), Hypothesis.nonzero(3))
    ensure(exact.ratio() == experiments.least_ratio_both(*by_vectors) == Fraction(4**3 - 1, 2**3 - 1), "all vectors")
    names = ["sold as", "mean number", "some / none", "none / some", "some / none, 1e-3", "none / some, 1e-3"]
    return Table(rows, names)


def shares(k: int, possible: Sequence[int]) -> list[Fraction]:
    """Return the law of the number of ones when all vectors with so many ones are equally likely."""
    ways = [math.comb(k, j) if j in possible else 0 for j in range(k + 1)]
    return [Fraction(w, sum(ways)) for w in ways]


@claim("HBW-Ex-III-2", verdict=HOLDS, where="Section III-A, Example 2", title="At least k' medical practices")
def medical_practices():
    r"""Whether an applicant has been to at least $k'$ of $k$ doctors is a test of the uniform law on vectors with fewer
    than $k'$ ones against the uniform law on the others.

    With randomized response the number of ones is all that counts, and its likelihood ratio is monotone: at $\delta=0$
    the views $1^k$ and $0^k$ decide. The recipe of section V-B is no guarantee here, even with its best matching: for
    $k=5$, $k'=2$, $e^{\varepsilon}=2$ it promises $e^{\varepsilon}=4.79$, the truth is 4.87.
    """
    rows = []
    for k, m, ratio in ((4, 2, 3), (6, 2, 3), (6, 4, 3), (5, 2, 2)):
        few, many = ([b for b in vectors(k) if (sum(b) < m) == small] for small in (True, False))
        laws = experiments.mixed_pair(coins(ratio, k), experiments.uniform(few), experiments.uniform(many))
        told = hypothesis_dp(
            mechanisms.randomized_response(ratio=ratio), Hypothesis.fewer_than(k, m), Hypothesis.at_least(k, m)
        )
        up, down = told.ratio(0, "qp"), told.ratio(0, "pq")
        ensure((up, down) == (experiments.least_ratio(*laws[::-1]), experiments.least_ratio(*laws)), "all vectors")
        ensure(up == laws[1][-1] / laws[0][-1] and down == laws[0][0] / laws[1][0], "the views 1...1 and 0...0")
        rows.append((k, m, f"ln {ratio}", math.log(up), math.log(down), k * math.log(ratio)))
    known = (Fraction(1215, 143), Fraction(9513, 361), Fraction(35721, 3817), Fraction(696, 143))
    ensure(all_close([math.exp(row[3]) for row in rows], known), "view 1...1")
    for k, m, eps, known in ((20, 5, 0.5, (3.723564701397708, 3.317152270526777)),
                             (50, 30, 0.1, (0.7266509357915943, 0.3880338528599257))):  # fmt: skip
        told = hypothesis_dp(Guarantee(eps), Hypothesis.fewer_than(k, m), Hypothesis.at_least(k, m))
        laws = [experiments.count_law(k, eps, shares(k, some)) for some in (range(m), range(m, k + 1))]
        for delta, expected in zip((0, 1e-6), known, strict=True):
            by_hand = mp.log(experiments.least_ratio_both(*laws, delta))
            ensure(close(told.epsilon(delta), by_hand, 1e-11) and close(by_hand, expected, 1e-11), "numbers of ones")
        rows.append((k, m, eps, told.epsilon(0, "qp"), told.epsilon(0, "pq"), k * eps))
    recipe = matching_bound(Guarantee(math.log(2)), Hypothesis.fewer_than(5, 2), Hypothesis.at_least(5, 2))
    ensure(close(recipe.epsilon, math.log(187 / 39)) and recipe.epsilon < rows[3][3], "the recipe says too little")
    ensure(not any(recipe.valid.values()), "and the library says that it is none")
    return Table(rows, ["k", "k'", "eps", "many / few", "few / many", "classic, k eps"])


@claim("HBW-Ex-III-3", verdict=HOLDS, where="Section III-A, Example 3", title="The hospitals as a set of vectors")
def hospitals_as_vectors():
    r"""That nobody is in more than 365 databases is a constraint on the hypotheses: only $H_{\mathbf b}$ with
    $\|\mathbf b\|_1\le365$ are possible.

    In miniature, with four different mechanisms and all vectors with at most one or two ones: the worst comparison with
    $\vec0$, and the worst of any two, are the worst compositions of as many rounds as the vectors differ in.
    """
    parts, rows = [*MIXED, (2, 0)], []
    tables, _ = worst_rounds(parts)
    guarantees = [Guarantee(math.log(r), float(d)) for r, d in parts]
    laws = {b: experiments.views(tables, b) for b in vectors(4)}
    for m, neighbours, ratio in product((1, 2), ("unbounded", "bounded"), (1, 2)):
        possible = [b for b in vectors(4) if sum(b) <= m]
        left = [(0,) * 4] if neighbours == "unbounded" else possible
        exact = max(hockey_stick_both(laws[a], laws[b], ratio) for a in left for b in possible)
        told = contribution_bound(guarantees, m, neighbours).delta(math.log(ratio))
        ensure(close(told, float(exact)), "the library finds the worst subset")
        rows.append((m, "nowhere" if neighbours == "unbounded" else "any two", ratio, float(exact), told))
    classic = optimal(guarantees)
    ensure(close(rows[-1][3], classic.delta(math.log(2))) and rows[0][3] < classic.delta(0), "twice two is all four")
    return Table(rows, ["at most", "compared with", "e^eps", "largest delta of all vectors", "worst subset of rounds"])


# ------------------------------------------------------------------------- section IV: the generalized experiment


@claim("HBW-Alg-2", verdict=DEFINITION, where="Algorithm 2", title="The generalized composition experiment")
def generalized_experiment():
    r"""As the classic experiment, but with a vector in place of the bit: round $i$ answers from $\mathbf x_i^{b_i}$.

    Two rounds, $(\ln3,1/10)$ and $(\ln2,0)$, at their worst. And random adaptive adversaries: the law of the view under
    every vector, by walking through the tree, and the frequencies of real runs.
    """
    tables, pairs = worst_rounds([(3, TENTH), (2, 0)])
    rng, rows = np.random.default_rng(4), []
    for one, two in combinations(("00", "01", "10", "11"), 2):
        told = view_pair(lambda view: pairs[len(view)], [[pair] for pair in pairs], one, two)
        laws = experiments.mixed_pair(tables, point(one), point(two))
        ensure(told.delta(ratio=1) == hockey_stick(*laws, 1), "total variation, by hand")
        ensure(told.ratio(TENTH) == experiments.least_ratio_both(*laws, TENTH), "e^eps, by hand")
        rows.append((one, two, told.delta(ratio=1), told.ratio(TENTH)))
    ensure(rows[2][2:] == (Fraction(11, 20), 6), "00 against 11: 11/20 and 6")
    for _ in range(5):
        tree = experiments.random_tree(rng, 3, MIXED, answers=2)
        adversary, classes = player(tree)
        for b in vectors(3):
            law = experiments.tree_law(tree, b)
            ensure(view_law(adversary, classes, b) == {v: w for v, w in law.items() if w}, "adaptive, every vector")
    run_it_and_count(tree, "011")
    return Table(rows, ["one vector", "the other", "total variation", "e^eps at delta = 1/10"])


@claim("HBW-Sec4-WLOG", verdict=CORRECTED, where="Section IV", title="Flip a bit instead of a pair")
def order_without_loss():
    r"""One may assume $|\mathbf x_i^0|\le|\mathbf x_i^1|$: where an adversary submits the two databases the other way
    round, flip $b_i$.

    That works for an order fixed in advance. If the order depends on earlier answers, so does the flipped bit: for
    randomized response ($e^{\varepsilon}=3$), second pair swapped after the answer 1, the view under 00 is no mixture
    of the four views in canonical order; the only weights that fit are $9/8,-1/8,-3/8,3/8$. Right: make the order a
    rule of the game, or prove Theorem 1 without it. The swaps gain nothing (HBW-X-1).
    """
    coin = mechanisms.randomized_response(ratio=3)
    swap = coin.reversed()
    law = view_law(lambda view: swap if view == (1,) else coin, [[coin], [coin, swap]], "00")
    answers, inverse = vectors(2), [[Fraction(3, 2), Fraction(-1, 2)], [Fraction(-1, 2), Fraction(3, 2)]]
    weights = {b: sum(law[y] * inverse[y[0]][b[0]] * inverse[y[1]][b[1]] for y in answers) for b in answers}
    again = experiments.mixed_views(coins(3, 2), weights)
    ensure([law[y] for y in answers] == again == [Fraction(n, 16) for n in (9, 3, 1, 3)], "the weights give the law")
    ensure([8 * w for w in weights.values()] == [9, -1, -3, 3], "and are not all positive")
    rows = [(show_bits(b), law[b], weights[b]) for b in answers]
    for order in answers:  # fixed in advance: flip the bits
        moves = [swap if flipped else coin for flipped in order]
        for b in answers:
            seen = view_law(lambda view, moves=moves: moves[len(view)], [[coin, swap]] * 2, b)
            flipped = tuple(x ^ y for x, y in zip(b, order, strict=True))
            ensure([seen[y] for y in answers] == experiments.views(coins(3, 2), flipped), "a fixed order is harmless")
    tree = {(): MOVES[0], (0,): MOVES[0], (1,): MOVES[1]}
    for a, b in combinations(("00", "01", "10", "11"), 2):
        seen = experiments.tree_pair(tree, point(a), point(b))
        plain = experiments.mixed_pair(coins(3, 2), point(a), point(b))
        ensure(all(hockey_stick_both(*seen, r) <= hockey_stick_both(*plain, r) for r in (1, 2, 3, 5, 8)), "no gain")
    return Table(rows, ["view, or vector", "probability of the view", "weight of the vector"])


@claim("HBW-Def-3", verdict=DEFINITION, where="Definition 3", title="Hypothesis differential privacy")
def hypothesis_privacy():
    r"""The mechanisms are $(\varepsilon,\delta)$-hypothesis private for a set of pairs $(p_0,p_1)$ of laws on vectors
    if the views under $\mathbf b\sim p_0$ and under $\mathbf b\sim p_1$ are $(\varepsilon,\delta)$-close, in both
    orders, for each pair.

    By the definition, over all sets of views; and by the library, for random laws and random private rounds. The first
    line is $U\{00,11\}$ against $U\{01,10\}$ for the worst $(\ln3,1/10)$ and $(\ln2,0)$ mechanisms.
    """
    tables, pairs = worst_rounds([(3, TENTH), (2, 0)])
    even, odd = (experiments.uniform(map(bits, chosen)) for chosen in (("00", "11"), ("01", "10")))
    laws, told = experiments.mixed_pair(tables, even, odd), curve(pairs, even, odd)
    ensure((told.delta(ratio=1), told.ratio(TENTH)) == (Fraction(11, 60), Fraction(59, 49)), "11/60 and 59/49")
    ensure(hockey_stick_both(*laws, 1) == Fraction(11, 60), "by hand")
    ensure(reference.ratio_by_events(*laws, TENTH) <= Fraction(59, 49), "one order")
    ensure(reference.ratio_by_events(*laws[::-1], TENTH) <= Fraction(59, 49), "the other")
    rows, rng = [("equal or different", 2, 2, Fraction(11, 60), told.delta(ratio=2))], np.random.default_rng(5)
    for _ in range(6):
        tables = [experiments.random_round(rng, r, d) for r, d in ((3, TENTH), (2, TENTH))]
        p0, p1 = (experiments.random_hypothesis(rng, 2) for _ in "01")
        laws, told = experiments.mixed_pair(tables, p0, p1), curve([Pair(*t) for t in tables], p0, p1)
        for ratio in (1, Fraction(3, 2), 2):
            both = [reference.delta_by_events(*order, ratio) for order in (laws, laws[::-1])]
            ensure([told.delta(ratio=ratio, direction=d) for d in ("pq", "qp")] == both, "the worst of 512 sets")
        delta = told.delta(ratio=2) + Fraction(1, 50)
        worst = max(reference.ratio_by_events(*order, delta) for order in (laws, laws[::-1]))
        ensure(told.ratio(delta) == worst, "and the inverse")
        rows.append(("random", len(p0), len(p1), float(told.delta(ratio=1)), float(told.delta(ratio=2))))
    return Table(rows, ["hypotheses", "vectors of p0", "vectors of p1", "delta at eps = 0", "delta at e^eps = 2"])


@claim("HBW-Eq-2", verdict=DEFINITION, where="Equation (2)", title="The second inequality: p1 bounded by p0")
@claim("HBW-Eq-1", verdict=DEFINITION, where="Equation (1)", title="The first inequality: p0 bounded by p1")
def two_inequalities():
    r"""Hypothesis privacy asks for two inequalities: the views under $p_0$ are bounded by those under $p_1$ (1), and
    the other way round (2).

    For single vectors they say the same, because the worst mechanism is symmetric. For mixtures they do not. Nowhere
    ($p_0$) against uniform on all other vectors ($p_1$): (1) is decided by the view $0^k$,
    $e^{\varepsilon_1}=(2^k-1)/((1+e^{-\varepsilon})^k-1)$; (2) by the view $1^k$,
    $e^{\varepsilon_2}=((1+e^{\varepsilon})^k-1)/(2^k-1)$, which is larger.
    """
    rows = []
    for k, eps in ((1, 1.0), (2, 1.0), (5, 0.1), (5, 1.0), (10, 1.0)):
        told = hypothesis_dp(Guarantee(eps), Hypothesis.point([0] * k), Hypothesis.nonzero(k))
        both = [told.epsilon(0, direction) for direction in ("pq", "qp")]
        zero, some = (experiments.count_law(k, eps, law) for law in ([1], shares(k, range(1, k + 1))))
        exact = [mp.log(experiments.least_ratio(*laws)) for laws in ((zero, some), (some, zero))]
        ensure(all_close(both, exact, 1e-11), "all numbers of ones, with 50 digits")
        views = [mp.log(zero[0] / some[0]), mp.log(some[k] / zero[k])]
        ensure(all_close(exact, views, 1e-11) and (k == 1 or exact[0] < exact[1]), "these two views decide")
        rows.append((k, eps, *both, told.epsilon(0)))
    ensure(all_close(rows[-1][2:4], (3.842460638475909, 6.202120129630861), 1e-11), "k = 10")
    pair = experiments.mixed_pair(coins(3, 4), point("0110"), point("0011"))
    ensure(hockey_stick(*pair, 2) == hockey_stick(*pair[::-1], 2) > 0, "single vectors: both the same")
    return Table(rows, ["k", "eps of a round", "inequality (1)", "inequality (2)", "both"])


@claim("HBW-AppB-HDPtoDP", verdict=HOLDS, where="Appendix B", title="Hypothesis privacy implies privacy")
@claim("HBW-Rem-Special", verdict=HOLDS, where="Section IV", title="The classic definition is a special case")
def classic_as_special_case():
    r"""With the single pair of hypotheses "surely $\vec0$" and "surely $\vec1$", hypothesis privacy is the classic
    privacy of a composition. So a guarantee for all pairs of laws is one for the classic experiment.

    Checked law by law: random adaptive adversaries see under the vectors $\vec0$ and $\vec1$ what they see under the
    bits 0 and 1.
    """
    rng, rows = np.random.default_rng(6), []
    for k, parts in ((1, MIXED[:1]), (2, MIXED[:2]), (3, MIXED)):
        for _ in range(4):
            tree = experiments.random_tree(rng, k, parts, answers=2)
            adversary, classes = player(tree)
            single = [view_law(adversary, classes, b) for b in (0, 1)]
            mixed = [view_law(adversary, classes, Hypothesis.from_dict({(b,) * k: 1})) for b in (0, 1)]
            by_hand = [experiments.tree_law(tree, (b,) * k) for b in (0, 1)]
            ensure(single == mixed == [{v: w for v, w in law.items() if w} for law in by_hand], "law by law")
        tables, pairs = worst_rounds(parts)
        told = curve(pairs, point("0" * k), point("1" * k))
        classic = reference.product_pair(tables)
        ensure(all(told.delta(ratio=r) == hockey_stick_both(*classic, r) for r in (1, 2, 3)), "the same curve")
        at = optimal([Guarantee(math.log(r), float(d)) for r, d in parts]).delta(math.log(2))
        ensure(close(at, float(told.delta(ratio=2))), "which is the optimal composition")
        rows.append((k, told.delta(ratio=1), told.delta(ratio=2), told.delta(ratio=3)))
    return Table(rows, ["rounds", "delta at e^eps = 1", "at 2", "at 3"])


@claim("HBW-Rem-Restrict", verdict=DEFINITION, where="Section IV", title="Why fewer pairs of hypotheses")
def fewer_hypotheses():
    r"""Not all pairs of hypotheses have to be feared: constraints on the databases exclude vectors (no more than 365
    ones), assumptions on the adversary exclude laws.

    Fewer pairs, smaller guarantee. Four rounds of randomized response with $e^{\varepsilon}=3$; the worst of all
    vectors, checked against random laws on them.
    """
    rng, rows, every = np.random.default_rng(7), [], vectors(4)
    few, zero, coin = [b for b in every if sum(b) <= 1], (0,) * 4, mechanisms.randomized_response(ratio=3)
    views = {b: experiments.views(coins(3, 4), b) for b in every}
    kinds = {"all": (every, every), "at most one 1": (few, few), "nowhere, or one 1": ([zero], few)}
    bounds = {
        "all": optimal(Guarantee(math.log(3)), k=4),
        "at most one 1": contribution_bound(Guarantee(math.log(3)), 1, "bounded", k=4),
        "nowhere, or one 1": contribution_bound(Guarantee(math.log(3)), 1, k=4),
    }
    for name, (left, right) in kinds.items():
        worst = {r: max(hockey_stick_both(views[a], views[b], r) for a in left for b in right) for r in (1, 2, 3)}
        for _ in range(6):
            laws = [dict(zip(side, reference.random_law(rng, len(side)), strict=True)) for side in (left, right)]
            drawn = curve(coin, *laws)
            ensure(all(drawn.delta(ratio=r) <= most for r, most in worst.items()), "a mixture is never worse")
        told = {r: bounds[name].delta(math.log(r)) for r in worst}
        ensure(all(abs(told[r] - most) < 1e-12 for r, most in worst.items()), "as the library says")
        rows.append((name, len(left) * len(right), *worst.values()))
    uniform = [experiments.mixed_views(coins(3, 4), law) for law in (point("0000"), experiments.uniform(every[1:]))]
    told = hypothesis_dp(coin, Hypothesis.point(zero), Hypothesis.nonzero(4))
    drawn = [told.delta(ratio=r) for r in (1, 2, 3)]
    ensure(drawn == [hockey_stick_both(*uniform, r) for r in (1, 2, 3)], "one pair of laws, by hand")
    rows.append(("nowhere, or uniform elsewhere", 1, *drawn))
    ensure(all(row[2] <= rows[0][2] for row in rows) and rows[2][3] < rows[1][3] < rows[0][3], "fewer is less")
    return Table(rows, ["vectors", "pairs", "largest delta at e^eps = 1", "at 2", "at 3"])


@claim("HBW-Rem-Bayes", verdict=CORRECTED, where="Section IV", title="A bound on the Bayes factor")
def bayes_factor():
    r"""Hypothesis privacy is called equivalent to a bound $e^{\varepsilon}$ on the Bayes factor
    $\mathrm{BF}(v)=P_{p_0}(v)/P_{p_1}(v)$, with an additive constant $\delta$.

    For $\delta=0$ it is: every Bayes factor lies between $e^{-\varepsilon}$ and $e^{\varepsilon}$. For $\delta>0$
    nothing can be added to a factor that is infinite with probability $\delta$. Right is $\mathbb E_{v\sim
    p_0}\max(1-e^{\varepsilon}/\mathrm{BF}(v),0)\le\delta$, and the same with $p_0,p_1$ exchanged.
    """
    rng, rows = np.random.default_rng(8), []
    for parts in (((3, 0), (3, 0)), ((3, 0), (2, 0)), ((3, TENTH), (2, 0)), ((3, TENTH), (3, TENTH))):
        tables, pairs = worst_rounds(parts)
        for i in range(4):
            p0 = experiments.random_hypothesis(rng, 2) if i else point("00")
            p1 = experiments.random_hypothesis(rng, 2) if i else experiments.uniform(vectors(2)[1:])
            told, (one, two) = curve(pairs, p0, p1), experiments.mixed_pair(tables, p0, p1)
            factors = [(a, math.inf if b == 0 else a / b) for a, b in zip(one, two, strict=True) if a]
            for ratio in (1, Fraction(3, 2), 2):
                mean = sum(a * max(1 - (0 if f == math.inf else ratio / f), 0) for a, f in factors)
                ensure(told.delta(ratio=ratio, direction="pq") == mean, "a mean over the Bayes factors")
                back = sum(b * max(1 - ratio * a / b, 0) for a, b in zip(one, two, strict=True) if b)
                ensure(told.delta(ratio=ratio, direction="qp") == back, "and the other way round")
            ensure(told.ratio(0, "pq") == max([1, *(f for _, f in factors)]), "delta = 0: the largest factor")
            if i == 0:
                tail = sum(a for a, f in factors if f > 2)
                rows.append(
                    (
                        ", ".join(f"(ln {r}, {d})" for r, d in parts),
                        max(f for _, f in factors),
                        tail,
                        told.delta(ratio=2),
                    )
                )
    single = curve(mechanisms.randomized_response(ratio=3, delta=TENTH), point("0"), point("1"))
    ensure(single.ratio(0) == math.inf and single.delta(ratio=3) == TENTH, "infinite with probability 1/10")
    ensure(rows[0][1] == Fraction(27, 7) and rows[0][3] < rows[0][2], "the tail is more than delta")
    return Table(rows, ["two rounds", "largest Bayes factor", "P(factor > 2)", "delta at e^eps = 2"])


# ------------------------------------------------------------------------------------- Theorem 1 and its proof


@claim("HBW-Thm-1", verdict=PROOF_GAP, where="Theorem 1", title="Privacy is hypothesis privacy for all pairs")
def privacy_for_all_hypotheses():
    r"""A sequence of mechanisms is $(\varepsilon,\delta)$-private if and only if it is
    $(\varepsilon,\delta)$-hypothesis private for all pairs of laws on bit vectors.

    True, for all adversaries together (see Definition 2). The printed proof flips bits one by one, which can fail;
    HBW-X-2 has a proof that does not. For three different mechanisms at their worst: of all 56 pairs of vectors,
    $\vec0$ and $\vec1$ are told apart best, and no random pair of laws does better.
    """
    tables, pairs = worst_rounds(MIXED)
    rng, rows = np.random.default_rng(9), []
    views = {b: experiments.views(tables, b) for b in vectors(3)}
    laws = [[experiments.random_hypothesis(rng, 3) for _ in "01"] for _ in range(12)]
    mixtures = [(curve(pairs, *both), experiments.mixed_pair(tables, *both)) for both in laws]
    classic = curve(pairs, point("000"), point("111"))
    for ratio in (1, Fraction(3, 2), 2, 3, 5, 9):
        each = {(a, b): hockey_stick(views[a], views[b], ratio) for a, b in product(views, repeat=2) if a != b}
        drawn = [told.delta(ratio=ratio) for told, _ in mixtures]
        ensure(drawn == [hockey_stick_both(*by_hand, ratio) for _, by_hand in mixtures], "mixtures, by hand")
        ensure(
            classic.delta(ratio=ratio) == each[(0,) * 3, (1,) * 3] == max(each.values()), "the classic pair is worst"
        )
        ensure(max(drawn) <= max(each.values()), "no mixture is worse")
        single = max(d for (a, b), d in each.items() if sum(x != y for x, y in zip(a, b, strict=True)) == 1)
        rows.append((ratio, classic.delta(ratio=ratio), float(single), float(max(drawn))))
    known = ("229/400", "4067/8000", "1777/4000", "287/800", "259/1000", "29/200")
    ensure([row[1] for row in rows] == list(map(Fraction, known)), "229/400 and so on")
    adaptive = [experiments.largest_excess(MOVES[:4], point("000"), point(b), 4) for b in ("111", "100", "110", "011")]
    ensure(adaptive == [Fraction(23, 64), 0, Fraction(5, 16), Fraction(5, 16)], "the best adaptive adversaries")
    return Table(
        rows, ["e^eps", "000 and 111", "worst pair with one different bit", "worst of 12 random pairs of laws"]
    )


@claim(
    "HBW-X-2", verdict=HOLDS, where="Not in the paper; adds to Theorem 1", title="A proof of Theorem 1 in three lines"
)
def short_proof():
    r"""Given an adversary and two vectors, let another adversary submit in round $i$ the two databases that the vectors
    select. It sees in the classic experiment exactly what the first one sees under the two vectors, adaptively. Laws on
    vectors are averages over the product of the two laws, and averages keep an inequality.

    Where the bits agree it submits one database twice, which is allowed ("at most one record"). Random adaptive
    adversaries, all pairs of vectors: the laws are identical.
    """
    rng, rows = np.random.default_rng(10), []
    for k, answers, count in ((1, 3, 8), (2, 3, 6), (3, 2, 3)):
        checked, room = 0, Fraction(0)
        for _ in range(count):
            tree = experiments.random_tree(rng, k, MIXED[:k], answers)
            adversary, classes = with_databases(tree)
            single = {b: experiments.tree_law(tree, b) for b in vectors(k)}
            for a, b in product(single, repeat=2):
                chosen = both_databases(adversary, a, b)
                seen = [view_law(chosen, classes, bit) for bit in (0, 1)]
                ensure(seen == [{v: w for v, w in single[c].items() if w} for c in (a, b)], "the same law")
                checked += 1
            p0, p1 = (experiments.random_hypothesis(rng, k) for _ in "01")
            pairwise = sum(w * v * excess_of_laws(single[a], single[b]) for a, w in p0.items() for b, v in p1.items())
            joint = hockey_stick(*experiments.tree_pair(tree, p0, p1), 2)
            ensure(joint <= pairwise, "a mixture is at most the mean over the product")
            room = max(room, pairwise - joint)
        rows.append((k, count, checked, float(room)))
    return Table(rows, ["rounds", "adversaries", "identical pairs of laws", "most that averaging gives away"])


def excess_of_laws(one: Mapping, two: Mapping, ratio=2):
    """Return the hockey stick of two laws given as dictionaries."""
    return sum(max(w - ratio * two[view], 0) for view, w in one.items())


@claim("HBW-Thm-1-sketch", verdict=PROOF_GAP, where="Section IV-A, proof sketch", title="Flip bits, then match weights")
def sketch_of_the_proof():
    r"""The sketch: flip bits in which two vectors agree until all differ, apply the classic experiment to these, and
    match the weights of two laws by Algorithm 3.

    The flips would have to lower $\Pr(V^{\mathbf b_0}\in S)$ or raise $\Pr(V^{\mathbf b_1}\in S)$. For some sets $S$ no
    choice of flips does (see Appendix B), although the inequality that is to be proved holds for all of them. The
    matching is right, but any coupling does, for instance the product.
    """
    rows = []
    for k in (1, 2, 3):
        triples, no_case, no_flips, broken = count_flips(k)
        ensure(broken == 0, "the inequality itself holds for every set and every two vectors")
        rows.append((k, 2 ** (2**k), triples, no_case, no_flips, broken))
    ensure([row[3:5] for row in rows] == [(0, 0), (8, 8), (1584, 864)], "from two rounds on the flips may fail")
    coin, classes = mechanisms.randomized_response(ratio=3), [Guarantee(math.log(3))] * 2
    for a, b in product(vectors(2), repeat=2):  # the way around: an adversary that submits what the vectors select
        seen = view_pair(both_databases(lambda _: coin, a, b), classes, 0, 1)
        ensure(seen.ratio() == 3 ** sum(x != y for x, y in zip(a, b, strict=True)) <= 9, "the classic experiment")
    names = ["rounds", "sets S", "S with two vectors", "none of the cases", "no flips at all", "violations"]
    return Table(rows, names)


def count_flips(k: int, ratio: int = 3) -> tuple[int, int, int, int]:
    """Try the flips of Appendix B on every set of views and every two vectors, for randomized response.

    Return how many (S, b0, b1) with P0(S) <= P1(S) there are, for how many some agreeing bit is in none of the three
    cases, for how many no choice of flips is monotone, and how many violate P1(S) <= ratio^k P0(S).
    """
    every = vectors(k)
    likelihood = {b: [ratio ** sum(x == y for x, y in zip(b, view, strict=True)) for view in every] for b in every}
    counts = [0, 0, 0, 0]
    for chosen in product((0, 1), repeat=len(every)):
        P = {b: sum(w for w, c in zip(likelihood[b], chosen, strict=True) if c) for b in every}
        for b0, b1 in product(every, repeat=2):
            if b0 != b1 and P[b0] <= P[b1]:
                same = [i for i in range(k) if b0[i] == b1[i]]
                counts[0] += 1
                counts[1] += any(P[flip(b0, i)] > P[b0] and P[flip(b1, i)] <= P[b1] for i in same)
                counts[2] += not any(P[c0] <= P[b0] and P[b1] <= P[c1] for c0, c1 in all_flips(b0, b1, same))
                counts[3] += P[b1] > ratio**k * P[b0]
    return tuple(counts)


def flip(b: tuple, i: int) -> tuple:
    """Flip one bit."""
    return (*b[:i], 1 - b[i], *b[i + 1 :])


def all_flips(b0: tuple, b1: tuple, same: Sequence[int]):
    """Yield the complementary vectors that arise by flipping each agreeing bit in one of the two vectors."""
    for chosen in product((0, 1), repeat=len(same)):
        c0, c1 = b0, b1
        for i, second in zip(same, chosen, strict=True):
            c0, c1 = (c0, flip(c1, i)) if second else (flip(c0, i), c1)
        yield c0, c1


@claim("HBW-AppB-Cases", verdict=FALSE, where="Appendix B, three cases", title="Every agreeing bit can be flipped")
def three_cases():
    r"""For a set $S$ with $\Pr(V^{\mathbf b_0}\in S)\le\Pr(V^{\mathbf b_1}\in S)$ and any bit in which the vectors
    agree, flipping it in $\mathbf b_0$ is said to lower the first probability or keep it, or flipping it in $\mathbf
    b_1$ to raise the second.

    False for $S=\{y_1\ne y_2\}$, randomized response with $e^{\varepsilon}=3$, $\mathbf b_0=00$, $\mathbf b_1=01$: the
    flip takes the first from 3/8 up to 5/8 and the second from 5/8 down to 3/8. The rounds can be treated one by one
    only for product sets $S=S_1\times\dots\times S_k$; for those one of the cases always applies.
    """
    coin = mechanisms.randomized_response(ratio=3)
    laws = {b: view_law(lambda _: coin, [[coin]] * 2, b) for b in vectors(2)}
    differ = {b: law[0, 1] + law[1, 0] for b, law in laws.items()}
    by_hand = {b: sum(experiments.views(coins(3, 2), b)[1:3]) for b in laws}
    ensure(differ == by_hand, "the probabilities, by hand")
    ensure(list(differ.values()) == [Fraction(n, 8) for n in (3, 5, 5, 3)], "3/8 and 5/8")
    b0, b1 = (0, 0), (0, 1)
    ensure(differ[b0] <= differ[b1] and differ[flip(b0, 0)] > differ[b0], "neither lower nor equal")
    ensure(differ[flip(b1, 0)] < differ[b1], "nor higher")
    ensure(count_flips(2)[1] == 8, "eight such triples in two rounds")
    ensure(all(one_case_applies(S, a, b) for S in boxes(3) for a, b in product(vectors(3), repeat=2)), "product sets")
    rows = [(show_bits(b), differ[b], show_bits(flip(b, 0)), differ[flip(b, 0)]) for b in (b0, b1)]
    return Table(rows, ["b", "P(answers differ)", "first bit flipped", "P(answers differ) then"])


def boxes(k: int) -> list[tuple]:
    """List the product sets S_1 x ... x S_k of two answers a round, without empty ones."""
    return list(product(((0,), (1,), (0, 1)), repeat=k))


def in_box(box: tuple, b: tuple) -> Fraction:
    """Return the probability of a product set under a vector, for randomized response with e^eps = 3."""
    return math.prod(sum(Fraction(3 if y == x else 1, 4) for y in chosen) for chosen, x in zip(box, b, strict=True))


def one_case_applies(box: tuple, b0: tuple, b1: tuple) -> bool:
    """Say whether each agreeing bit of two vectors can be flipped as Appendix B says."""
    b0, b1 = sorted((b0, b1), key=lambda b: in_box(box, b))
    same = [i for i in range(len(b0)) if b0[i] == b1[i]]
    return all(in_box(box, flip(b0, i)) <= in_box(box, b0) or in_box(box, flip(b1, i)) > in_box(box, b1) for i in same)


@claim("HBW-AppB-Chain", verdict=MISPRINT, where="Appendix B, chain of inequalities", title="The chain of flips")
def chain_of_flips():
    r"""The flips are said to give the chains $\dots\le\Pr(V^{\mathbf b_0^0}\in S)\le\Pr(V^{\mathbf b_0^0}\in S)$ and
    $\Pr(V^{\mathbf b_0^0}\in S)\le\Pr(V^{\mathbf b_1^1}\in S)\le\dots$.

    The indices slipped: meant are $\dots\le\Pr(V^{\mathbf b_0^1}\in S)\le\Pr(V^{\mathbf b_0^0}\in S)$ and
    $\Pr(V^{\mathbf b_1^0}\in S)\le\Pr(V^{\mathbf b_1^1}\in S)\le\dots$. As printed the chain can hold where the one
    that is needed fails, for instance for $S=\{y_1\ne y_2\}$, whichever vector is flipped. For product sets the right
    chain can always be had.
    """
    coin, rows = mechanisms.randomized_response(ratio=3), []
    laws = {b: view_law(lambda _: coin, [[coin]] * 2, b) for b in vectors(2)}
    P = {b: law[0, 1] + law[1, 0] for b, law in laws.items()}
    ensure(all(P[b] == sum(experiments.views(coins(3, 2), b)[1:3]) for b in P), "the probabilities, by hand")
    b0, b1 = (0, 0), (0, 1)
    for c0, c1 in all_flips(b0, b1, [0]):
        printed, needed = P[b0] <= P[b0] and P[b0] <= P[c1], P[c0] <= P[b0] and P[b1] <= P[c1]
        ensure(printed and not needed, "the printed chain holds, the right one does not")
        rows.append(
            (
                f"{show_bits(b0)}, {show_bits(b1)}",
                f"{show_bits(c0)}, {show_bits(c1)}",
                P[b0],
                P[c0],
                P[b1],
                P[c1],
                printed,
                needed,
            )
        )
    for box, a, b in product(boxes(2), vectors(2), vectors(2)):
        low, high = sorted((a, b), key=lambda v: in_box(box, v))
        same = [i for i in (0, 1) if low[i] == high[i]]
        ends = [in_box(box, c) for pair in all_flips(low, high, same) for c in pair]
        chains = zip(ends[::2], ends[1::2], strict=True)
        ensure(any(x <= in_box(box, low) and in_box(box, high) <= y for x, y in chains), "product sets have a chain")
    names = ["b0, b1", "flipped", "P(b0)", "P(b0) then", "P(b1)", "P(b1) then", "printed chain", "needed chain"]
    return Table(rows, names)


@claim("HBW-AppB-Induction", verdict=HOLDS, where="Appendix B, induction", title="Adding up matched weights")
def adding_up_matched_weights():
    r"""After every step of Algorithm 3, $\sum w\Pr(V^{\mathbf b_0}\in S)\le e^{\varepsilon}\sum w\Pr(V^{\mathbf b_1}\in
    S)+\delta\sum w$ over the pairs matched so far.

    It holds because one $(\varepsilon,\delta)$ is good for every matched pair; with a different one for each pair, as
    in section V-B, the same sum is wrong. (The printed base case has a $w_1$ too many.) Tried on the worst set $S$
    after every step, for random laws.
    """
    tables, pairs = worst_rounds(MIXED)
    views = {b: experiments.views(tables, b) for b in vectors(3)}
    rng, rows, ratio = np.random.default_rng(12), [], Fraction(3, 2)
    delta = curve(pairs, point("000"), point("111")).delta(ratio=ratio)
    ensure(delta == hockey_stick_both(views[0, 0, 0], views[1, 1, 1], ratio), "the classic delta")
    for _ in range(6):
        p0, p1 = (experiments.random_hypothesis(rng, 3) for _ in "01")
        matched = refine(Hypothesis.from_dict(p0), Hypothesis.from_dict(p1))
        sums, weight, room = [[0] * len(views[0, 0, 0]) for _ in "01"], Fraction(0), []
        for b0, b1, w in matched:
            weight += w
            for total, b in zip(sums, (b0, b1), strict=True):
                total[:] = [x + w * y for x, y in zip(total, views[b], strict=True)]
            room.append(delta * weight - hockey_stick(*sums, ratio))
        ensure(min(room) >= 0 and weight == 1, "the inequality after every step")
        ensure(sums == [*experiments.mixed_pair(tables, p0, p1)], "and in the end all weight is matched")
        rows.append((len(p0), len(p1), len(matched), float(min(room)), float(room[-1])))
    return Table(rows, ["vectors of p0", "vectors of p1", "steps", "least room on the way", "room at the end"])


@claim("HBW-AppB-Final", verdict=MISPRINT, where="Appendix B, last step", title="A factor lost at the end")
def lost_factor():
    r"""At the end of the proof stands $\sum_{T_0}w_0\Pr(V^{\mathbf b_0}\in S)\le\sum_{T_1}w_1\Pr(V^{\mathbf b_1}\in
    S)+\delta$.

    The factor $e^{\varepsilon}$ before the second sum is lost: one randomized response with $e^{\varepsilon}=3$ has
    $3/4\not\le1/4$, but $3/4=3\cdot1/4$. With the factor it holds for all sets of views and random laws.
    """
    rng, rows = np.random.default_rng(13), []
    for k in (1, 2, 3):
        tables, pairs = coins(3, k), [mechanisms.randomized_response(ratio=3)] * k
        for i in range(4):
            p0, p1 = (experiments.random_hypothesis(rng, k) for _ in "01")
            p0, p1 = (p0, p1) if i else (point("0" * k), point("1" * k))
            told, laws = curve(pairs, p0, p1), experiments.mixed_pair(tables, p0, p1)
            without, right = told.delta(ratio=1), told.delta(ratio=3**k)
            ensure(without == hockey_stick(*laws, 1) and right == hockey_stick_both(*laws, 3**k) == 0, "all sets")
            if i == 0:
                rows.append((k, *(laws[j][0] for j in (0, 1)), without, right))
    ensure(rows[0][1:] == (Fraction(3, 4), Fraction(1, 4), Fraction(1, 2), 0), "3/4 and 1/4")
    return Table(rows, ["rounds", "P(all 0) under 0", "P(all 0) under 1", "missing without factor", "with e^(k eps)"])


@claim("HBW-Sec6", verdict=HOLDS, where="Section VI", title="The classic experiment underestimates nothing")
def nothing_underestimated():
    r"""The worst case of the classic experiment is the worst case of the generalized one: the classic experiment does
    not underestimate the risk.

    The best adaptive adversary with eight $\ln3$-private moves, found by dynamic programming for every two vectors and
    for random laws: never better than for $\vec0$ and $\vec1$, where it reaches the optimal composition.
    """
    rng, rows, classic = np.random.default_rng(14), [], (point("00"), point("11"))
    laws = [tuple(experiments.random_hypothesis(rng, 2) for _ in "01") for _ in range(4)]
    single = [({a: Fraction(1)}, {b: Fraction(1)}) for a, b in combinations(vectors(2), 2)]
    exact = optimal(Guarantee(math.log(3)), k=2)
    for ratio in (1, 2, 3, 5, 8):
        best = experiments.largest_excess(MOVES, *classic, ratio)
        every = max(experiments.largest_excess(MOVES, *pair, ratio) for pair in single)
        mixed = max(experiments.largest_excess(MOVES, *pair, ratio) for pair in laws)
        ensure(best == every >= mixed and close(exact.delta(math.log(ratio)), float(best)), "no pair is worse")
        rows.append((ratio, best, every, float(mixed), exact.delta(math.log(ratio))))
    return Table(rows, ["e^eps", "classic", "any two vectors", "four random pairs of laws", "optimal composition"])


@claim(
    "HBW-X-1",
    verdict=HOLDS,
    where="Not in the paper; adds to Definition 3",
    title="The worst mechanism is the worst here too",
)
def worst_mechanism():
    r"""For given $(\varepsilon_i,\delta_i)$ and any two hypotheses, no adaptive adversary does better than to ask the
    worst mechanism of each guarantee, always the same.

    Every round can be simulated from one sample of the worst pair, whatever the bit. So the exact value needs no
    adversary. Random adversaries, and the best of all by dynamic programming.
    """
    rng, rows = np.random.default_rng(15), []
    tables, pairs = worst_rounds(MIXED)
    for _ in range(5):
        p0, p1 = (experiments.random_hypothesis(rng, 3) for _ in "01")
        told = curve(pairs, p0, p1)
        trees = [experiments.random_tree(rng, 3, MIXED, answers=2) for _ in range(5)]
        for ratio, order in product((1, 2, Fraction(3, 2)), (0, 1)):
            seen = [hockey_stick(*experiments.tree_pair(t, *((p0, p1), (p1, p0))[order]), ratio) for t in trees]
            ensure(max(seen) <= told.delta(ratio=ratio, direction=("pq", "qp")[order]), "never better")
        ensure(told.delta(ratio=1) == hockey_stick(*experiments.mixed_pair(tables, p0, p1), 1), "the value, by hand")
        rows.append(
            ("5 random ones", len(p0), len(p1), float(max(seen)), float(told.delta(ratio=ratio, direction="qp")))
        )
    for _ in range(3):
        p0, p1 = (experiments.random_hypothesis(rng, 2, 2) for _ in "01")
        told = curve(mechanisms.randomized_response(ratio=3), p0, p1).delta(ratio=ratio, direction="qp")
        best = experiments.largest_excess(MOVES, p1, p0, ratio)
        ensure(best == told, "the best of all adversaries with eight moves")
        rows.append(("best of 512", len(p0), len(p1), float(best), float(told)))
    return Table(rows, ["adversaries", "vectors of p0", "of p1", "their largest delta, e^eps = 3/2", "worst mechanism"])


# ------------------------------------------------------------------------------------ notation and Algorithm 3


@claim("HBW-Def-4", verdict=DEFINITION, where="Definition 4", title="Compatible composition theorems")
def compatible_theorems():
    r"""A composition theorem is compatible with mechanisms if it may be applied to them in the classic experiment:
    Kairouz, Oh and Viswanath's optimal one to equal guarantees, Murtagh and Vadhan's to any.

    Two mechanisms with $\varepsilon=0.1$ and $1.9$: the formula for equal guarantees at their mean promises too much
    privacy, at the larger one it is safe but loose. Kairouz, Oh and Viswanath also have a bound for different
    guarantees, their equation 8.
    """
    parts, at = [Guarantee(0.1), Guarantee(1.9)], 1.0
    exact, by_hand = optimal(parts).delta(at), reference.mixed_delta([tuple(g) for g in parts], at)
    mean, largest = (optimal(Guarantee(eps), k=2).delta(at) for eps in (1.0, 1.9))
    ensure(close(exact, by_hand), "the optimum for different guarantees, over all answers")
    ensure(close(mean, reference.optimal_delta(1.0, 0, 2, at)), "the formula for equal ones")
    ensure(mean < exact <= largest, "not compatible: the mean says too little")
    slack = 0.05
    closed = composition.kov_closed_form(parts, slack)
    ensure(reference.mixed_delta([tuple(g) for g in parts], closed.epsilon) <= closed.delta, "equation 8 holds")
    word = dict(zip(*(composition.theorems(parts).column(c) for c in ("theorem", "applies")), strict=True))
    equal = composition.theorems(Guarantee(1), 2)
    ensure(set(equal.column("applies")) == {"yes, as printed"}, "all theorems are for equal pure guarantees")
    ensure(word["basic"] == "yes, as printed" != word["kov_closed_form"], "not all for different ones")
    rows = [
        ("different guarantees (Murtagh, Vadhan)", "yes", exact),
        ("equal ones, at the mean 1.0", "no", mean),
        ("equal ones, both at 1.9", "yes, but loose", largest),
    ]
    return Table(rows, ["optimal composition for", "compatible with 0.1 and 1.9", "delta at eps = 1"])


@claim("HBW-Not-CompGuarantee", verdict=CORRECTED, where="Section V-A, notation", title="The worst of compositions")
def worst_of_compositions():
    r"""$\mathrm{CompGuarantee}(M_1,\dots,M_k)$ is any valid guarantee of the composition; a maximum over compositions
    means: fix $\delta^*$, take the largest $\varepsilon$.

    The worst $m$ mechanisms then need not be the $m$ worst. With $A=(1,0)$ and $B=C=(0.85,0.08)$ at $\delta^*=0.2$ the
    worst single one is $A$, the worst two are $B$ and $C$; at $\delta^*=0.5$ they are $A$ and $B$. If the guarantees
    are ordered (all $\delta_i$ equal, say) the $m$ largest are worst; else every subset has to be tried that leaves out
    nothing larger than what it holds.
    """
    named, rows = {"A": (1.0, 0.0), "B": (0.85, 0.08), "C": (0.85, 0.08)}, []
    guarantees = [Guarantee(*part) for part in named.values()]
    for delta, m in ((0.2, 1), (0.2, 2), (0.5, 2)):
        chosen = ["".join(names) for names in combinations("ABC", m) if names != ("A", "C") and names != ("C",)]
        by_hand = {names: exact_epsilon([named[c] for c in names], delta) for names in chosen}
        worst = contribution_bound(guarantees, m)
        ensure(close(worst.epsilon(delta), max(by_hand.values()), 1e-9), "the worst subset")
        largest = max(by_hand, key=by_hand.get)
        ensure(sorted(map(tuple, worst.worst_set(delta))) == sorted(named[c] for c in largest), "the library names it")
        rows += [(delta, names, float(eps), names == largest) for names, eps in by_hand.items()]
    known = (0.68037874126412, 0.643978333621978, 1.5560610247161, 1.58155724908204, 0.020591866308088)
    ensure(all_close([row[2] for row in rows[:5]], known, 1e-11) and rows[5][2] == 0, "A, B, AB, BC, AB, BC")
    rng = np.random.default_rng(16)
    for ordered in (True, True, False, False):
        eps = sorted(rng.uniform(0.1, 1.5, 4).tolist())
        deltas = [0.01] * 4 if ordered else sorted(rng.uniform(0, 0.05, 4).tolist(), reverse=True)
        parts, at = list(zip(eps, deltas, strict=True)), 0.4
        every = {s: float(reference.mixed_delta(s, at)) for s in combinations(parts, 2)}
        told = contribution_bound([Guarantee(*part) for part in parts], 2)
        ensure(close(told.delta(at), max(every.values()), 1e-11), "all subsets, by hand")
        ensure(not ordered or max(every, key=every.get) == tuple(parts[2:]), "ordered: the two largest")
    return Table(rows, ["delta*", "mechanisms", "epsilon", "worst"])


def exact_epsilon(parts: Sequence[tuple], delta):
    """Return the optimal epsilon of a list of (eps, delta) at a total delta, by bisection over all answers."""
    return reference.inverse(lambda at: reference.mixed_delta(parts, at), delta, sum(e for e, _ in parts))


@claim("HBW-Alg-3", verdict=CORRECTED, where="Algorithm 3", title="Refining two laws")
def refining_two_laws():
    r"""Take an atom of each law; match the smaller of the two weights, and put the rest of the larger one back; repeat
    until the first law is used up. The results are two sets of atoms that match one by one.

    Right, with care. Equal pairs may come twice, so lists are needed (as sets they lose weight: 1/3 is left for $\vec0$
    against the uniform law on the other vectors, $k=2$). Equal weights put an atom of weight 0 back. Rounded numbers
    run out of atoms on one side in 617 of 1521 uniform cases; fractions stop after at most $|T_0|+|T_1|-1$ steps. And
    the result depends on the order.
    """
    rng, zeros, emitted, rows = np.random.default_rng(17), 0, 0, []
    for i in range(60):
        p0, p1 = (experiments.random_hypothesis(rng, 3) for _ in "01")
        u0, u1, steps = experiments.refine_as_printed(p0, p1, last=bool(i % 2))
        matched = refine(Hypothesis.from_dict(p0), Hypothesis.from_dict(p1), order=("first", "last")[i % 2])
        printed = [(b0, b1, w) for (b0, w), (b1, _) in zip(u0, u1, strict=True)]
        ensure([tuple(m) for m in matched] == [triple for triple in printed if triple[2]], "without empty pairs")
        ensure(len(matched) <= len(p0) + len(p1) - 1 and steps <= len(p0) + len(p1) - 1, "few steps")
        zeros, emitted = zeros + sum(w == 0 for _, w in u0), emitted + steps
    ensure(zeros > 0, "the printed algorithm emits empty pairs")
    rows.append(("empty pairs in 60 runs in fractions", f"{zeros} of {emitted}", 0))
    zero, nonzero = Hypothesis.point("00"), Hypothesis.nonzero(2)
    u0 = [(b0, w) for b0, _, w in refine(zero, nonzero)]
    weights = sum(w for _, w in set(u0)), sum(w for _, w in u0)
    ensure(weights == (Fraction(1, 3), 1), "as a set it has lost 2/3")
    rows.append(("weight of U0 as a set; as a list", *weights))
    crashes = float_crashes(39)
    ensure(len(crashes) == 617 and crashes[0] == (1, 3), "617 of 1521, the first with 1 and 3 atoms")
    ensure(sum(m.weight for m in refine(Hypothesis.point("00"), Hypothesis.uniform(["01", "10", "11"]))) == 1, "exact")
    rows.append(("runs out of atoms in floats; in fractions", f"{len(crashes)} of 1521", 0))
    both = Hypothesis.uniform(["0000", "1111"])
    crossed = [("0000", "1111", Fraction(1, 2)), ("1111", "0000", Fraction(1, 2))]
    recipe = [math.exp(matching_bound(Guarantee(math.log(3)), both, both, how).epsilon) for how in (crossed, "best")]
    ensure(all_close(recipe, (81, 1)), "from 1 to 3^4, for two equal laws")
    rows.append(("recipe of V-B on two equal laws, one order; another", *(float(round(r, 9)) for r in recipe)))
    return Table(rows, ["what", "as printed", "corrected"])


def float_crashes(most: int) -> list[tuple[int, int]]:
    """Return for which numbers of equal atoms Algorithm 3 runs out of atoms in floats."""
    found = []
    for n0, n1 in product(range(1, most + 1), repeat=2):
        try:
            experiments.refine_as_printed(dict.fromkeys(range(n0), 1 / n0), dict.fromkeys(range(n1), 1 / n1))
        except IndexError:
            found.append((n0, n1))
    return found


@claim("HBW-AppA", verdict=HOLDS, where="Appendix A", title="What the refinement is for")
def purpose_of_the_refinement():
    r"""Inequalities between single vectors are to be added up to inequalities between laws. For that both laws are
    split into atoms of equal weights, one by one.

    So a matching is a coupling of the two laws: means under either law can be taken over the pairs. The product of the
    laws is one too, and suffices for Theorem 1; it has more pairs.
    """
    rng, rows = np.random.default_rng(18), []
    for k in (1, 2, 3, 4):
        p0, p1 = (experiments.random_hypothesis(rng, k, 6) for _ in "01")
        matched = refine(list(p0.items()), list(p1.items()))
        for side, law in enumerate((p0, p1)):
            margin: Counter = Counter()
            for pair in matched:
                margin[pair[side]] += pair.weight
            ensure(dict(margin) == law, "every vector has its weight")
            value = {b: Fraction(int(rng.integers(100)), 7) for b in vectors(k)}
            mean = sum(pair.weight * value[pair[side]] for pair in matched)
            ensure(mean == sum(w * value[b] for b, w in law.items()), "means are kept")
        ensure(max(len(p0), len(p1)) <= len(matched) <= len(p0) + len(p1) - 1, "few pairs")
        rows.append((k, len(p0), len(p1), len(matched), len(p0) * len(p1)))
    return Table(rows, ["bits", "vectors of p0", "vectors of p1", "matched pairs", "pairs of the product"])
