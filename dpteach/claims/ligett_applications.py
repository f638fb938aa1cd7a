"""The claims of Ligett, Peale and Reingold on applications: the exponential mechanism, the census, the big world."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from mpmath import mp

from .. import Guarantee, Table, composition
from ..leakage import (
    LeakyMechanism,
    asks_data,
    asks_presence,
    asks_state,
    big_world,
    bits,
    bounds,
    examples,
    exponential_mechanism_with_leak,
)
from . import reference
from . import reference_leakage as by_hand
from .ledger import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, PROOF_GAP, claim, ensure
from .ligett import BIT, HALF, SAME, TENTH, agrees, detour, leaky, truthful_coin
from .reference import all_close, close

# ----------------------------------------------------------------------------- the exponential mechanism (appendix E)

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


@claim("LPR-Def-34", verdict=MISPRINT, where="Definition 34", title="Sensitivity at a leaked value")
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
            ensure(told == tuple(sensitivity(*setting, o, both) for both in (False, True)), "all neighbours tried")
            ensure(exact.given(o).ratio() <= 2 ** (2 * told[1]), "Theorem 36 with the smaller one")
            pairs = [pair for pair in exact.neighbours if exact.can_share(*pair, o)]
            ratios = [by_hand.ratio_given(exact.joint, o, *pair) for pair in pairs]
            ensure(exact.given(o).vacuous if not pairs else exact.given(o).ratio() == max(ratios), SAME)
            for x, z in pairs:
                ensure(all(m.conditioned(x, z, o).epsilon(0) <= 1.0 for m in (full, narrow)), "both within eps = 1")
                score = [sum(w * setting[3](x, y, o) for y, w in m.law(x, o).items()) for m in (full, narrow)]
                ensure(score[0] < score[1], "the smaller one scores better")
            rows.append((name, o, *told, len(pairs), exact.given(o).ratio(), 2 ** (2 * told[1])))
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


@claim("LPR-Thm-36", verdict=HOLDS, where="Theorem 36", title="It is private given the leak")
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


@claim("LPR-Thm-38", verdict=HOLDS, where="Theorem 38", title="How bad the answer is, given the leak")
@claim("LPR-Thm-37", verdict=HOLDS, where="Theorem 37", title="How bad the answer is")
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
        x, t = RANGE[0][rng.integers(16)], float(rng.uniform(-1, 4))
        o = RANGE[2](x)
        scores = [RANGE[3](x, y, o) for y in FOUR]
        best = sum(u == max(scores) for u in scores)
        threshold = max(scores) - 2 * sensitivity(*RANGE, o) / mp.mpf(1.5) * (mp.log(mp.mpf(4) / best) + t)
        weights = [mp.exp(mp.mpf(1.5) * u / (2 * sensitivity(*RANGE, o))) for u in scores]
        exact = sum(w for w, u in zip(weights, scores, strict=True) if u <= threshold) / sum(weights)
        ensure(close(by_eps.threshold(x, o, t), threshold, 1e-12), "the threshold")
        ensure(abs(by_eps.tail(x, o, by_eps.threshold(x, o, t)) - exact) < 1e-14 and exact <= mp.exp(-t), "Theorem 38")
    return Table(rows, ["mechanism", "probability", "bound", "quotient"])


# -------------------------------------------------------------------------------------------- the census (section 6.1)


def noisy_count(value: int, top: int, ratio) -> dict:
    """Return a count with two-sided geometric noise, what falls outside moved to the ends: sums of the tails."""
    law, share = dict.fromkeys(range(top + 1), Fraction(0)), Fraction(ratio - 1, ratio + 1)
    for y in range(1, top):
        law[y] = share / Fraction(ratio) ** abs(y - value)
    below = share / Fraction(ratio) ** value * Fraction(ratio, ratio - 1)  # a geometric series
    return {**law, 0: below, top: 1 - below - sum(law.values())}


def town_by_hand(people: int = 2, leak_ratio=None) -> dict:
    """Return the town's world: two noisy flag counts are printed, the number of people in block A leaks."""
    world = {}
    for town in product(product("AB", BIT), repeat=people):
        counts = [sum(flag for block, flag in town if block == name) for name in "AB"]
        inside = sum(block == "A" for block, _ in town)
        told = {inside: Fraction(1)} if leak_ratio is None else noisy_count(inside, people, leak_ratio)
        first, second = (noisy_count(count, people, 3) for count in counts)
        world[town] = {((o,), (y, z)): v * first[y] * second[z] for o, v in told.items() for y in first for z in second}
    return world


@claim("LPR-App-Census", verdict=CORRECTED, where="Section 6.1", title="The census: an exact side release")
def census():
    r"""If a statistic is released exactly, or with independent noise of its own, beside an $(\varepsilon,\delta)$-DP
    mechanism, the two are independent and the mechanism is $(\varepsilon,\delta)$-private given the statistic.

    Formally Lemma 7. But an exact statistic takes neighbours out of the comparison: in a town of two people whose block
    sizes are known, nothing is said about who lives where. A promise must come with the share that it covers. For
    databases with equal statistics use the notion of Remark 19; for the release as a whole, the last column.
    """
    people, rows = 2, []
    for name, leak_ratio in (("exact", None), ("noise, 3 : 1", 3)):
        town, world = examples.census_town(people, 3, leak_ratio=leak_ratio), town_by_hand(people, leak_ratio)
        ensure(town.joint == world, "the same town, built by hand")
        ensure(agrees(town, world, (3,)) and town.ratio() == by_hand.ratio(world), SAME)
        ensure(town.without_leak().ratio() == by_hand.ratio(by_hand.plain(world)) == 9, "who moves changes two counts")
        compared = len(town.neighbours) - len(town.vacuous_pairs)
        share = Fraction(sum(bool(by_hand.leaks(world[x]) & by_hand.leaks(world[z])) for x, z in town.neighbours), 48)
        ensure(share == Fraction(compared, 48) == town.coverage, "who is compared")
        ensure(town.independence().perfect, "independent")
        release = town.released().ratio()
        ensure(release == by_hand.ratio(by_hand.joined(world)), "the whole release")
        rows.append((f"people in A, {name}", town.ratio(), f"{compared} of {len(town.neighbours)}", release))
    moves = examples.census_town().vacuous_pairs
    ensure(all([b for b, _ in x] != [b for b, _ in z] for x, z in moves) and len(moves) == 32, "all who moved house")
    total = LeakyMechanism.from_laws(bits(3), sum, lambda x, o: examples.truthful(x[0], 3))
    ensure(total.vacuous and by_hand.delta(total.joint, 1) is None, "three flags and their total")
    rows.append(("three flags, exact total", total.ratio(), f"0 of {len(total.neighbours)}", total.released().ratio()))
    ensure([row[1] for row in rows[:2]] == [3, 9] and rows[0][2] == "16 of 48", "3 for the few, 9 for all")
    return Table(rows, ["side release", "e^eps given it", "neighbours compared", "e^eps of both"])


@claim("LPR-App-Census-prose", verdict=FALSE, where="Section 6.1, end", title="The privacy does not degrade further")
def privacy_degrades_further():
    r"""Besides telling that the data agree with the leaked statistic, an exact release is said not to degrade the
    privacy of the private study.

    It can degrade it without bound. Each of $n$ bits is told by randomized response, 3 : 1, and the sums of
    neighbouring bits modulo 2 are exact. The sums alone say nothing about the first bit, the answers alone at most 3/4;
    together all $n$ answers are about one bit, with odds $3^n$. Bounded leakage calls this perfect, since no neighbours
    leak the same sums. What holds is the notion of Remark 19: databases at distance $d$ with equal sums are within
    $d\varepsilon$.
    """
    rows = []
    for n, expected in ((2, Fraction(9, 10)), (3, Fraction(27, 28)), (4, Fraction(81, 82)), (5, Fraction(243, 244))):
        attack = examples.xor_attack(n)
        zeros, sums = (0,) * n, (0,) * (n - 1)
        views = {"leak": {"leak": sums}, "answers": {"output": zeros}, "both": {"leak": sums, "output": zeros}}
        seen = {name: sum(p for x, p in attack.posterior(**view).items() if x[0] == 0) for name, view in views.items()}
        ensure(seen == belief_by_hand(n), "Bayes' rule by enumeration")
        ensure(attack.vacuous and seen["leak"] == HALF and seen["answers"] == Fraction(3, 4), "each alone")
        ensure(seen["both"] == expected and expected / (1 - expected) == 3**n, "together odds of 3^n")
        ensure(close(math.exp(attack.scaled().epsilon()), 3), "three for each step of the distance n")
        rows.append((n, attack.delta(ratio=1), *seen.values()))
    return Table(rows, ["n", "delta given the sums", "belief in bit 0: from the sums", "from the answers", "from both"])


def belief_by_hand(n: int) -> dict:
    """Return Pr[first bit = 0] given zero sums, zero answers, and both, from a uniform prior."""
    weights = {"leak": [0, 0], "answers": [0, 0], "both": [0, 0]}
    for x in product(BIT, repeat=n):
        flat, chance = len(set(x)) == 1, math.prod(Fraction(1 if bit else 3, 4) for bit in x)
        for name, weight in {"leak": flat, "answers": chance, "both": flat * chance}.items():
            weights[name][x[0]] += weight
    return {name: Fraction(pair[0]) / sum(pair) for name, pair in weights.items()}


# ----------------------------------------------------------------------------------- the big world (section 6.2, F)


def study(odds: dict) -> Callable:
    """Return a study that prints 1 with these odds to 1, for each state: 0, 1 or "absent"."""
    return lambda state: dict(by_hand.coin(Fraction(odds[state]) / (1 + Fraction(odds[state]))))


PRESENCE = study({"absent": Fraction(1, 3), 0: 3, 1: 3})  # e^eps = 3, as asks_presence(3)
DATA = study({"absent": 1, 0: Fraction(1, 3), 1: 3})  # e^eps = 3, as asks_data(3)


def state(s) -> dict:
    """Print the state of a person, three times as likely as each other one: as asks_state(3)."""
    return {z: Fraction(3 if z == s else 1, 5) for z in ("absent", 0, 1)}


STUDIES = {"presence": (asks_presence(3), PRESENCE), "data": (asks_data(3), DATA), "state": (asks_state(3), state)}


def two_ways(kind: str, joins: dict, leak: Callable | None = None) -> tuple:
    """Return the library's world of some studies of one kind, and the same by hand."""
    k, (told, by) = len(next(iter(joins[0]))), STUDIES[kind]
    leak = leak or (lambda x, v: sum(v))
    return big_world([told] * k, joins, leak), by_hand.studies_world([by] * k, joins, leak)


def exact_given(worlds: tuple, o) -> Fraction:
    """Return e^loss given o, found in two ways."""
    told, world = worlds
    exact = by_hand.ratio_given(world, o)
    ensure(told.given(o).ratio() == exact, SAME)
    return exact


def sure(*vectors: tuple) -> dict:
    """Return participation that is fixed for each value of the data."""
    return {x: {v: Fraction(1)} for x, v in enumerate(vectors)}


def swap(q) -> dict:
    """Return participation in one of two studies: the other one with probability q, by the data."""
    return {0: {(1, 0): 1 - q, (0, 1): q}, 1: {(1, 0): q, (0, 1): 1 - q}}


def joining(chances: dict, k: int) -> dict:
    """Return participation in each of k studies with the same chance, independently; the chance depends on the data."""
    vectors = list(product(BIT, repeat=k))
    return {x: {v: math.prod(p if joins else 1 - p for joins in v) for v in vectors} for x, p in chances.items()}


@claim("LPR-App-BigWorld", verdict=CORRECTED, where="Section 6.2", title="Studies that one may stay away from")
def one_may_stay_away():
    r"""A study first decides who takes part, perhaps by their data, and then runs an $(\varepsilon,\delta)$-DP
    mechanism. If one person's participation is independent of everybody else's, the whole is $(\varepsilon,\delta)$-DP
    for her; $k$ studies cost $k\varepsilon$ even if she joins none.

    With one correction: "absent" and "present" must count as neighbours, which they are not if the number of people is
    fixed, as in Definition 1. Otherwise the number of participants is perfectly private and tells all. And the
    independence is needed: of $m$ people who do as she does, each one tells about her.
    """
    rows, nothing = [], lambda x, v: None
    worlds = two_ways("presence", joining({0: TENTH, 1: 1 - TENTH}, 1), nothing)
    rows.append(("joins with probability 1/10 or 9/10", 1, exact_given(worlds, None), 3))
    for k in (1, 2, 3):
        worlds = two_ways("presence", sure((0,) * k, (1,) * k), nothing)
        rows.append(("joins all or none, by her data", k, exact_given(worlds, None), 3**k))
    ensure([row[2] for row in rows] == [Fraction(7, 3), 3, 9, 27], "7/3, and 3^k")
    for m in (2, 3, 5):
        coins = by_hand.together(*[truthful_coin(3)] * m)
        world = by_hand.world(bits(m), coins, by_hand.masked)
        ensure(leaky(world).ratio() == 3, "DP for each of m people")
        far = leaky(world).conditioned((0,) * m, (1,) * m).ratio()
        ensure(far == by_hand.ratio_given(world, None, (0,) * m, (1,) * m) == 3**m, "all of whom do the same")
        rows.append((f"one study, she and {m - 1} who follow her", 1, far, 3))
    size = big_world([lambda s: int(s != "absent")], sure((0,), (1,)), nothing)
    ensure(size.delta(ratio=1000) == by_hand.delta(size.joint, 1000) == 1, "the number of participants tells all")
    rows.append(("joins by her data, the number of participants is told", 1, size.ratio(), 1))
    return Table(rows, ["participation", "studies", "e^loss, exact", "e^(k eps)"])


@claim("LPR-Thm-17", verdict=PROOF_GAP, where="Theorem 17", title="A bound on the number of joined studies")
def bound_on_joined_studies():
    r"""Given a leaked bound $t$ on how many of $k$ studies a person joined, her data change all outputs together by at
    most $2t\varepsilon$ and $2t\delta$.

    True, and $\min(2t,k)$ is enough and attained. The printed proof does not stand: it mixes with weights that depend
    on her data (against Lemma 10), and takes the law given the bound for a mixture of the laws given the number of
    joined studies, which is false if the leak knows more than that number. A proof that works: fix her vector $v$ under
    one value of the data and $v'$ under the other; the two products of studies differ in at most
    $|v\cup v'|\le\min(2t,k)$ places; then average over $(v,v')$. It needs "absent" as a neighbour of each value, the
    values as neighbours of each other, and participation that does not react to earlier outputs; else it fails.
    """
    rows = []
    for k, t in ((1, 1), (2, 1), (3, 1), (3, 2), (4, 2)):
        vectors = [v for v in product(BIT, repeat=k) if sum(v) <= t] if k * t < 4 else []
        for v, w in combinations_with_replacement(vectors, 2):
            exact = exact_given(two_ways("state", sure(v, w), lambda x, v, t=t: t), t)
            ensure(exact == 3 ** sum(map(max, v, w)), "one eps for each study joined in either world")
        worst = exact_given(two_ways("state", sure((1,) * t + (0,) * (k - t), (0,) * (k - t) + (1,) * t)), t)
        bound = bounds.big_world_bound(3, 0, t, k).ratio
        ensure(worst == bound == 3 ** min(2 * t, k), "attained by the first and the last t")
        rows.append((f"the first {t} of {k}, or the last {t}", t, worst, bound, 3 ** (2 * t)))
    ensure(exact_given(two_ways("presence", sure((1, 0), (0, 1))), 1) == 9, "presence is enough for two")
    for q, expected in ((TENTH, Fraction(41, 9)), (Fraction(1, 4), Fraction(7, 3)), (HALF, 1)):
        exact = exact_given(two_ways("presence", swap(q)), 1)
        ensure(exact == expected, "one of two studies, which one being uncertain")
        rows.append((f"the first of 2 or the last, swapped with probability {q}", 1, exact, 9, 9))
    with_deltas()
    random_participation()
    where_the_proof_fails()
    where_it_ends()
    return Table(rows, ["participation", "t", "e^loss, exact", "with min(2t, k)", "as printed, 2t"])


def with_deltas() -> None:
    """Check Theorem 17 for studies that are (log 2, 1/10)-DP: the delta at 4 is 19/100, the bound 1/5."""
    world = big_world([asks_presence(2, TENTH)] * 2, sure((1, 0), (0, 1)))
    laws = reference.product_pair([reference.worst_pair(2, TENTH)[::s] for s in (1, -1)])
    exact = reference.hockey_stick_both(*laws, 4)
    told = bounds.big_world_bound(2, TENTH, 1, 2)
    ensure(world.given(1).delta(ratio=4) == exact == Fraction(19, 100) <= told.delta == Fraction(1, 5), "with deltas")


def random_participation() -> None:
    """Check Theorem 17 on random laws of participation and random bounds that leak."""
    rng = np.random.default_rng(33)
    vectors = list(product(BIT, repeat=3))
    for _ in range(5):
        joins = {x: dict(zip(vectors, reference.random_law(rng, 8), strict=True)) for x in BIT}
        more = {(x, v): int(rng.integers(sum(v), 4)) for x, v in product(BIT, vectors)}
        worlds = two_ways("state", joins, lambda x, v, more=more: more[x, v])
        for t in by_hand.leaks(worlds[1][0]) & by_hand.leaks(worlds[1][1]):
            ensure(exact_given(worlds, t) <= 3 ** min(2 * t, 3), "any participation")


def where_the_proof_fails() -> None:
    """Check the two steps of the printed proof that are not right."""
    worlds = two_ways("presence", sure((1,), (0,)), lambda x, v: 1)
    by_number = two_ways("presence", sure((1,), (0,)))
    ensure(exact_given(worlds, 1) == 3 and by_number[0].vacuous, "nothing to mix, and yet a loss")
    half = {x: {(1, 0): HALF, (0, 1): HALF} for x in BIT}
    knows = two_ways("presence", half, lambda x, v: 1 if v == (1, 0) else 2)
    number = two_ways("presence", half)
    seen = [w[0].law(0, 1)[1, 0] for w in (knows, number)]
    ensure(seen == [by_hand.given(w[1][0], 1)[1, 0] for w in (knows, number)], SAME)
    ensure(seen == [Fraction(9, 16), Fraction(5, 16)], "no mixture of laws given the number")


def where_it_ends() -> None:
    """Check that Theorem 17 fails if data are no neighbours of each other, or if participation reacts to outputs."""
    chance = {0: Fraction(3, 10), "absent": TENTH, 1: Fraction(0)}
    chain = big_world([lambda s: examples.coin(chance[s])], sure((1,), (1,)))
    laws = {s: (1 - c, c) for s, c in chance.items()}
    ensure(all(reference.is_private(laws[s], laws["absent"], 2, TENTH) for s in BIT), "absent is near each value")
    exact = chain.given(1).delta(ratio=4)
    ensure(exact == reference.delta_by_events(laws[0], laws[1], 4) == Fraction(3, 10), "they are none of each other")
    ensure(exact > 2 * TENTH, "more than 2t delta")
    reacts = LeakyMechanism.from_functions(BIT, bits(2), lambda x, r: r, lambda x, r: int(r[0] != x))
    ensure(reacts.delta(ratio=1000) == by_hand.delta(reacts.joint, 1000) == 1, "joins the second by the first's output")


@claim("LPR-Lem-39", verdict=PROOF_GAP, where="Lemma 39", title="The exact number of joined studies")
def exact_number_of_joined_studies():
    r"""If the number $t$ of joined studies leaks exactly, her data change all outputs together by at most
    $2t\varepsilon$ and $2t\delta$.

    True, with $\min(2t,k)$ as well. The proof says that at most $2t$ studies depend on her data: if she joins one of
    four at random, all four do. And it composes by Corollary 28, which needs a leak for each study: with one common
    leak, four studies that are perfectly private each can lose $\log\frac{41}9$ together. The proof of Theorem 17 as
    given here covers both.
    """
    unit = [tuple(int(i == j) for i in range(4)) for j in range(4)]
    anywhere = {x: dict.fromkeys(unit, Fraction(1, 4)) for x in BIT}
    pairs = {0: dict.fromkeys([(1, 1, 0, 0), (0, 0, 1, 1)], HALF), 1: dict.fromkeys([(1, 0, 1, 0), (0, 1, 0, 1)], HALF)}
    rows = []
    for name, kind, joins, t in (("one of four", "data", anywhere, 1), ("two of four, in pairs", "presence", pairs, 2)):
        told, world = two_ways(kind, joins)
        single = [told.then(lambda m, j=j: m[j]).given(t).delta(ratio=1) for j in range(4)]
        parts = [by_hand.changed(world, lambda o, m, j=j: (o, m[j])) for j in range(4)]
        ensure(single == [by_hand.delta(part, 1) for part in parts], "each study alone")
        exact, bound = exact_given((told, world), t), bounds.big_world_bound(3, 0, t, 4).ratio
        ensure(exact <= bound, "Lemma 39")
        rows.append((name, t, sum(d > 0 for d in single), max(single), exact, bound))
    ensure(rows[0][2:4] == (4, Fraction(1, 8)), "all four depend on her data")
    ensure(rows[1][2:5] == (0, 0, Fraction(41, 9)), "none does, and yet 41/9")
    names = [
        "she joins",
        "t",
        "studies that depend on her data",
        "largest delta of one alone",
        "e^loss, exact",
        "bound",
    ]
    return Table(rows, names)


@claim("LPR-Ext-bigworld", verdict=HOLDS, where="Beyond Theorem 17", title="When only joined studies cost")
def when_only_joined_studies_cost():
    r"""Let $e^{\eta}$ be the largest ratio between the laws of her participation given the leak, under one value of her
    data and the other. Then the loss is at most $\min\big(\min(2t,k)\,\varepsilon,\ t\varepsilon+\eta\big)$.

    So it is $t\varepsilon$, and only joined studies cost, if participation and the leak do not depend on her data; if
    the whole vector leaks; or if she joins independently, the odds change by the same factor in every study, and the
    exact number leaks. In general $e^\eta\le(\rho_{max}/\rho_{min})^t$ for factors $\rho_j$. Leaking more can cost
    less, and a bound costs otherwise than a number.
    """
    half = {x: {(1, 0): HALF, (0, 1): HALF} for x in BIT}
    often = joining({0: TENTH, 1: 1 - TENTH}, 3)
    whole = lambda x, v: v  # noqa: E731
    cases = [
        ("one of two at random, the number", "data", half, None, 1, 3),
        (
            "the same, a leak that knows the data",
            "state",
            half,
            lambda x, v: 1 if v == ((1, 0), (0, 1))[x] else 2,
            1,
            9,
        ),
        ("one of two by the data, her vector", "state", swap(TENTH), whole, (1, 0), 3),
        ("the same, the number", "state", swap(TENTH), None, 1, Fraction(41, 6)),
        ("each of three, the number", "data", often, None, 2, 9),
        ("the same, that at most one", "data", often, lambda x, v: sum(v) <= 1, True, Fraction(63, 29)),
    ]
    rows = []
    for name, kind, joins, leak, o, expected in cases:
        worlds = two_ways(kind, joins, leak)
        exact, told, t = exact_given(worlds, o), worlds[0].bounds(o), worlds[0].most_joined(o)
        ensure(told["exact"] == exact, SAME)
        eta = ratio_of_participation(joins, leak or (lambda x, v: sum(v)), o)
        ensure(told["t eps + eta"] == 3**t * eta, "the participation")
        ensure(told["min(2t, k) eps"] == 3 ** min(2 * t, len(worlds[0].studies)), "the studies")
        ensure(exact <= min(told["t eps + eta"], told["min(2t, k) eps"]) and exact == expected, "the smaller holds")
        rows.append((name, t, exact, told["t eps + eta"], told["min(2t, k) eps"]))
    numbers = [exact_given(two_ways("data", often), t) for t in range(4)]
    ensure(numbers == [3**t for t in range(4)], "3^t if the odds change by one factor")
    hidden = []
    for k in range(1, 6):
        unit = dict.fromkeys([tuple(int(i == j) for i in range(k)) for j in range(k)], Fraction(1, k))
        told, world = two_ways("data", {0: unit, 1: unit})
        ensure(exact_given((told, world), 1) == 3, "a study at random: the ratio stays")
        hidden.append(told.given(1).delta(ratio=1))
        ensure(hidden[-1] == by_hand.delta(world, 1), SAME)
    ensure(hidden == [Fraction(n, 16) for n in (8, 4, 4, 3, 3)], "the total variation falls")
    unequal_odds()
    return Table(rows, ["participation, leak", "t", "e^loss, exact", "with t eps + eta", "with min(2t, k) eps"])


def ratio_of_participation(joins: dict, leak: Callable, o) -> Fraction:
    """Return e^eta, the largest ratio of the two laws of participation given o."""
    return by_hand.ratio_given({x: {(leak(x, v), v): w for v, w in law.items()} for x, law in joins.items()}, o)


def unequal_odds() -> None:
    """Check e^eta <= (rho_max / rho_min)^t for independent participation with random odds."""
    rng = np.random.default_rng(34)
    vectors = list(product(BIT, repeat=3))
    for _ in range(6):
        odds = [[Fraction(int(n), 10) for n in rng.integers(1, 60, size=3)] for _ in BIT]
        joins = {
            x: {v: math.prod((r if b else 1) / (1 + r) for r, b in zip(odds[x], v, strict=True)) for v in vectors}
            for x in BIT
        }
        factors = [a / b for a, b in zip(*odds, strict=True)]
        told = big_world([asks_data(3)] * 3, joins)
        for t in range(4):
            eta = told.participation.given(t).ratio()
            ensure(eta == ratio_of_participation(joins, lambda x, v: sum(v), t), "e^eta")
            ensure(eta <= (max(factors) / min(factors)) ** t, "at most t times the largest difference")


# ------------------------------------------------------------------------------------------------ traps and slips


@claim("LPR-Ext-traps", verdict=HOLDS, where="Beyond the paper", title="Four traps")
def four_traps():
    r"""Leaks do not add up; more or less leakage can be better or worse; mechanisms with one common leak need not
    compose; and a rare leaked value decides everything, while an exact one can cover everything up.

    The numbers are the least $\delta$ at $\varepsilon=0$ given the leak, and of output and leak released together. Only
    the second is a promise about the whole: print both, and the share of the leak that is compared.
    """
    two, answer = by_hand.together(by_hand.coin(HALF), by_hand.coin(HALF)), truthful_coin(3)
    split = lambda x, r: x ^ r[0] ^ r[1]  # noqa: E731
    leaks_r = by_hand.together(by_hand.coin(HALF), by_hand.coin(Fraction(1, 1000)))
    pad = lambda leak: by_hand.world(BIT, two, lambda x, r: x ^ r[0], leak)  # noqa: E731
    worlds = {
        "bit split in two keys: one leaks": by_hand.world(BIT, two, split, lambda x, r: r[0]),
        "the other leaks": by_hand.world(BIT, two, split, lambda x, r: r[1]),
        "both leak": by_hand.world(BIT, two, split, lambda x, r: r),
        "randomized response: leaks itself": by_hand.world(BIT, answer, lambda x, r: x ^ r, lambda x, r: x ^ r),
        "leaks nothing": by_hand.world(BIT, answer, lambda x, r: x ^ r),
        "x + r, the sum r + s of two keys leaks": pad(lambda x, r: r[0] ^ r[1]),
        "s, the same leak": by_hand.world(BIT, two, lambda x, r: r[1], lambda x, r: r[0] ^ r[1]),
        "x + r and s, the same leak": by_hand.world(BIT, two, lambda x, r: (x ^ r[0], r[1]), lambda x, r: r[0] ^ r[1]),
        "pad, key leaks once in 1000": by_hand.world(
            BIT, leaks_r, lambda x, r: x ^ r[0], lambda x, r: r[0] if r[1] else "-"
        ),
        "two bits in the clear, parity leaks": by_hand.world(
            bits(2), by_hand.evenly([0]), lambda x, r: x, lambda x, r: sum(x) % 2
        ),
    }
    rows = []
    for name, world in worlds.items():
        mechanism = leaky(world)
        ensure(agrees(mechanism, world, (1,)), SAME)
        released = mechanism.released().delta(ratio=1)
        ensure(released == by_hand.delta(by_hand.joined(world), 1), "released together")
        rows.append((name, mechanism.delta(ratio=1), mechanism.coverage, released))
    ensure([row[1] for row in rows] == [0, 0, 1, 0, HALF, 0, 0, 1, 1, 0], "given the leak")
    ensure(rows[8][3] == Fraction(1, 1000) and rows[9][3] == 1 and str(rows[9][1]) == "vacuous", "1/1000, and all")
    return Table(rows, ["mechanism and leak", "delta given the leak", "share compared", "delta released together"])


@claim("LPR-Errata-Refs", verdict=MISPRINT, where="Throughout", title="Slips of the pen")
def slips_of_the_pen():
    r"""References and symbols go astray in a dozen places.

    None affects the truth of a result. Where a number tells the printed version from the one that is meant, it is
    computed: Theorem 12 leaves $e^{\varepsilon}=3$ where Corollary 14 would give 4; a path between two people's
    databases can have length 3; the additive bound for two studies of $\varepsilon=1$ is 2, while the theorem quoted
    for it adds a slack and at $\delta'=10^{-6}$ gives more.
    """
    pad = examples.noisy_pad(Fraction(1, 4))
    kept, corollary = pad.reveal().ratio(), bounds.independence_bound(1, 0, pad.independence().ratio()).ratio
    ensure((kept, corollary) == (by_hand.ratio(by_hand.revealed(pad.joint)), 4), "3 and 4")
    additive, quoted = composition.basic(Guarantee(1), 2).epsilon, composition.advanced(Guarantee(1), 1e-6, 2).epsilon
    ensure(additive == 2 and close(quoted, reference.old_bound([(1, 2)], 1e-6)) and quoted > 2, "2, and more")
    steps = len(detour().group_paths("o")[(0, 0), (1, 1)]) - 1
    drift = (
        bounds.advanced_as_printed(Guarantee(0.01), 1.0, 1).epsilon,
        composition.advanced(Guarantee(0.01), 1.0, 1).epsilon,
    )
    ensure(steps == 3 and close(drift[0] / drift[1], 36.97, 1e-3), "a path of 3 steps; the drift is 37 times as large")
    rows = [
        ("Contributions", "Corollary 14 (publishing the leak)", "Theorem 12", f"{kept}, not {corollary}"),
        ("Sections 3.2 and 6.1", "Theorem 7", "Lemma 7", ""),
        ("Theorems 16 and 32", "e^(eps - 1)", "e^eps - 1", f"{drift[0] / drift[1]:.3g} times as large at eps = 0.01"),
        ("Section 6.2", "eps-DP studies", "(eps, delta)-DP studies, as in Theorem 17", ""),
        (
            "After Theorem 17",
            "additive bound, Theorem 32",
            "Theorem 27 and Corollary 28",
            f"{additive:g}, not {quoted:.3g}",
        ),
        ("Definition 20", "n for the length of a path", "another letter; n counts people", f"n = 2, length {steps}"),
        ("Definition 21", "P for the path", "another letter; P is the leak", ""),
        ("Definition 29", "V^b and V_b", "the same variable", ""),
        ("Theorem 31", "DP mechanism-function pairs", "all DP mechanisms; all pairs under bounded leakage", ""),
        ("Proof of Theorem 31", "query of A^DP, first mention", "query of A^bLDP", ""),
        ("Proof of Theorem 31", "Proposition 23 for the null case", "Definition 15", ""),
        ("Definition 34", "u: ... x R", "u: ... -> R", ""),
        ("Theorems 37 and 38", "u(M(...))", "u(x, M(...)) and u(x, M(...), o)", ""),
    ]
    return Table(rows, ["place", "printed", "meant", "the difference"])
