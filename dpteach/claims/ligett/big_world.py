"""Claims of Ligett, Peale and Reingold: studies that one may stay away from (section 6.2, appendix F)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np

from ... import Table
from ...leakage import (
    LeakyMechanism,
    asks_data,
    asks_presence,
    asks_state,
    big_world,
    bits,
    bounds,
    examples,
)
from ..entries import CORRECTED, HOLDS, PROOF_GAP, claim, ensure
from ..reference import basics as reference
from ..reference import leakage as by_hand
from .worlds import BIT, HALF, SAME, TENTH, leaky, truthful_coin


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


@claim(
    "LPR-App-BigWorld",
    verdict=CORRECTED,
    where="Section 6.2",
    title="A study that one may stay away from is as private",
)
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


@claim(
    "LPR-Thm-17", verdict=PROOF_GAP, where="Theorem 17", title="Who joined at most t studies loses at most 2t epsilon"
)
def bound_on_joined_studies():
    r"""Given a leaked bound $t$ on how many of $k$ studies a person joined, her data change all outputs together by at
    most $2t\varepsilon$ and $2t\delta$.

    True, and $\min(2t,k)$ is enough and attained. The printed proof does not stand: it mixes with weights that depend
    on her data (against Lemma 10), and takes the law given the bound for a mixture of the laws given the number of
    joined studies, which is false if the leak knows more than that number. A proof that works: fix the choices $w$ of
    all others, her vector $v$ under one value of the data and $v'$ under the other, and compare $(v,w)$ with $(v',w)$.
    Only then are the studies independent, and they differ in at most $|v\cup v'|\le\min(2t,k)$ places; average over
    all three. The others' choices may be tied to each other, and even to hers, as long as their law given the leak is
    the same for both values of her data. It needs "absent" as a neighbour of each value, the values as neighbours of
    each other, and that neither anybody's participation nor the leak reads outputs or coins of the studies (in the
    paper they have coins of their own); else it can fail.
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
    others_who_join()
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


def others_who_join() -> None:
    """Check Theorem 17 if others join as well, tied to each other and to her: (v, w) against (v', w)."""
    for k, t in ((2, 1), (3, 1), (2, 0), (2, 2)):
        few = [v for v in product(BIT, repeat=k) if sum(v) <= t]
        rng = np.random.default_rng(35)
        for _ in range(4):
            others = dict(zip(product(BIT, repeat=k), reference.random_law(rng, 2**k), strict=True))
            joins = {
                (x, w): dict(zip(few, reference.random_law(rng, len(few)), strict=True)) for x in BIT for w in others
            }
            world = {x: {} for x in BIT}
            for x, w in joins:
                for answers, weight in among_others(x, joins[x, w], w).items():
                    world[x][t, answers] = world[x].get((t, answers), 0) + others[w] * weight
            exact = by_hand.ratio_given(world, t)
            ensure(leaky(world).ratio() == exact <= 3 ** min(2 * t, k), "others join, too")
    tied = among_others(0, {(0, 0): Fraction(1)}, (0, 0)), among_others(0, {(0, 0): Fraction(1)}, (1, 1))
    mixed = {z: (tied[0][z] + tied[1][z]) / 2 for z in tied[0]}
    alone = [sum(p for z, p in mixed.items() if z[j] == "absent") for j in BIT]
    ensure(mixed["absent", "absent"] != alone[0] * alone[1], "without w the studies are not independent")


def among_others(x: int, vectors: dict, w: tuple) -> dict:
    """Return the law of all studies' outputs if she joins by these vectors; another person's 1 renames the states."""
    renamed = {"absent": 0, 0: 1, 1: "absent"}
    law: dict = {}
    for v, weight in vectors.items():
        told = [state(x if joins else "absent") for joins in v]
        told = [{renamed[z]: p for z, p in one.items()} if w[j] else one for j, one in enumerate(told)]
        for row in product(*(one.items() for one in told)):
            answers = tuple(z for z, _ in row)
            law[answers] = law.get(answers, 0) + weight * math.prod(p for _, p in row)
    return law


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
    """Check that Theorem 17 fails if data are no neighbours, or if anybody or the leak reads what a study tossed."""
    chance = {0: Fraction(3, 10), "absent": TENTH, 1: Fraction(0)}
    chain = big_world([lambda s: examples.coin(chance[s])], sure((1,), (1,)))
    laws = {s: (1 - c, c) for s, c in chance.items()}
    ensure(all(reference.is_private(laws[s], laws["absent"], 2, TENTH) for s in BIT), "absent is near each value")
    exact = chain.given(1).delta(ratio=4)
    ensure(exact == reference.delta_by_events(laws[0], laws[1], 4) == Fraction(3, 10), "they are none of each other")
    ensure(exact > 2 * TENTH, "more than 2t delta")
    reacts = LeakyMechanism.from_functions(BIT, bits(2), lambda x, r: r, lambda x, r: int(r[0] != x))
    ensure(reacts.delta(ratio=1000) == by_hand.delta(reacts.joint, 1000) == 1, "joins the second by the first's output")
    follows = LeakyMechanism.from_functions(BIT, BIT, lambda x, r: (r, r ^ x))  # a coin, and a friend who joins by it
    shown = [follows.then(lambda m, j=j: m[j]).delta(ratio=1) for j in BIT]
    ensure(shown == [0, 0] and by_hand.delta(follows.joint, 1000) == 1, "a friend who joins by an output and her data")
    pad, bound = (lambda x, r: x ^ r), (lambda x, r: 1 + r)  # she joins the first of two; absent, it tosses a fair coin
    knows = LeakyMechanism.from_functions(BIT, BIT, pad, bound)
    ensure(knows.without_leak().ratio() == 1, "a study that tells nothing of her state")
    exact = by_hand.world(BIT, by_hand.evenly(BIT), pad, bound)
    ensure(knows.given(1).delta(ratio=1000) == by_hand.delta(exact, 1000) == 1, "a bound that knows the key")


@claim("LPR-Lem-39", verdict=PROOF_GAP, where="Lemma 39", title="Who joined exactly t studies loses at most 2t epsilon")
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
    r"""Let $e^{\eta}$ be the largest ratio between the laws of her participation $v$ given the leak, under one value of
    her data and the other. If others choose independently of her, and $\delta=0$, the loss is at most
    $\min\big(\min(2t,k)\,\varepsilon,\ t\varepsilon+\eta\big)$.

    So it is at most $t\varepsilon$, and only joined studies cost, if participation and the leak do not depend on her
    data; if the whole vector leaks; or if she joins each study independently, the odds change by the same factor in
    every study, and the exact number leaks. In general $e^\eta\le(\rho_{max}/\rho_{min})^t$ for factors $\rho_j$.
    Leaking more can cost less, and a bound costs otherwise than a number. If the choices $w$ of others are tied to
    hers, $\eta$ must be that of $(v,w)$: she joins one of two studies by a coin, and a friend joins a third, which
    shows it, by that coin plus her data; then $v$ and $w$ alone say nothing, $t=1$, and the loss is $2\varepsilon$.
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
    friend_who_follows()
    return Table(rows, ["participation, leak", "t", "e^loss, exact", "with t eps + eta", "with min(2t, k) eps"])


def ratio_of_participation(joins: dict, leak: Callable, o) -> Fraction:
    """Return e^eta, the largest ratio of the two laws of participation given o."""
    return by_hand.ratio_given({x: {(leak(x, v), v): w for v, w in law.items()} for x, law in joins.items()}, o)


def friend_who_follows() -> None:
    """Check that e^eta of her vector alone is not enough if a friend joins by her coin and her data."""
    coins = by_hand.together(by_hand.coin(HALF), truthful_coin(3), truthful_coin(3))
    outputs = lambda x, r: (r[0] ^ r[1], 1 - r[0] ^ r[2], r[0] ^ x)  # noqa: E731  # two answers, and the friend
    world = by_hand.world(BIT, coins, outputs, lambda x, r: 1)
    by_number = two_ways("presence", {x: {(1, 0): HALF, (0, 1): HALF} for x in BIT})[0]
    ensure(by_number.bounds(1)["t eps + eta"] == 3, "her vector alone has the same law in both worlds")
    ensure(leaky(world).ratio() == by_hand.ratio(world) == 9, "given the friend, two studies differ")


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
