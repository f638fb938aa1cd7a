"""The numbers in the questions of lecture 3, computed."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import truth
from accounting import Account, account, root
from mpmath import mp

from dpteach import Guarantee, Pair, optimal, planning
from dpteach.data import ALICE, CONDITIONS, memberships, registry
from dpteach.experiment import (
    Hypothesis,
    both_databases,
    column_bound,
    contribution_bound,
    hypothesis_dp,
    matching_bound,
    subsampled,
    view_pair,
)
from dpteach.mechanisms import randomized_response

THREE = randomized_response(ratio=3)


def chance(view, law, x=3):
    """Return the probability of a view under a law on vectors, if an answer is right x times as often as wrong."""
    parts = []
    for vector, weight in law.items():
        right = sum(y == b for y, b in zip(view, vector, strict=True))
        parts.append(weight * Fraction(x) ** right / Fraction(1 + x) ** len(view))
    return sum(parts)


def uniform(*vectors):
    return {vector: Fraction(1, len(vectors)) for vector in vectors}


def largest(one, other, x=3):
    """Return the largest ratio of a view, the first law by the second one."""
    views = list(product("01", repeat=len(next(iter(one)))))
    return max(chance(view, one, x) / chance(view, other, x) for view in views)


def delta(one, other, ratios, at):
    """Return delta at a ratio between two laws on vectors, for coins of different ratios, both ways."""

    def law_of(law, view):
        parts = []
        for vector, weight in law.items():
            factors = [Fraction(x if y == b else 1) / (1 + x) for x, y, b in zip(ratios, view, vector, strict=True)]
            parts.append(weight * math.prod(factors))
        return sum(parts)

    laws = [(law_of(one, view), law_of(other, view)) for view in product("01", repeat=len(ratios))]
    return max(sum(max(p - at * q, 0) for p, q in laws), sum(max(q - at * p, 0) for p, q in laws))


@account("3.1")
def a_report():
    """Give a patient all conditions, and count; and count the conditions, the places and the ages."""
    everything = registry()[ALICE : ALICE + 1]
    everything.therapy[:] = everything.admissions[:] = everything.limited[:] = 1
    everything.visits[:] = 0
    everything.health[:] = "poor"
    most = int(memberships(everything).sum())
    assert memberships(registry()).sum(axis=1).max() <= most
    return Account(
        given="five three four 2 1",
        facts={"100": (memberships(everything).size, 5 * 4 * 5), "20": (most, len(CONDITIONS) * 2 * 2)},
        slips={"5": len(CONDITIONS), "10": len(CONDITIONS) * 2},
        answer=20,
    )


@account("3.2")
def the_same_database_twice():
    """Whatever is answered from equal databases, the ratio of both bits is that of the other rounds."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        law = rng.dirichlet(np.ones(3))
        waiting = view_pair(lambda view, law=law: Pair(law, law) if view else THREE, [Guarantee(9)] * 2, 0, 1)
        assert math.isclose(waiting.ratio(0), 3) and math.isclose(waiting.delta(ratio=2), THREE.delta(ratio=2))
    return Account(given="two twice")


@account("3.3")
def two_files():
    somewhere, nowhere = uniform("01", "10", "11"), uniform("00")
    exact = hypothesis_dp(THREE, Hypothesis.point("00"), Hypothesis.nonzero(2))
    return Account(
        given="two 4 00 01 10 11",
        facts={
            "5": (exact.ratio(0, "qp"), largest(somewhere, nowhere)),
            "27/7": (exact.ratio(0, "pq"), largest(nowhere, somewhere)),
            "3.86": (exact.ratio(0, "pq"), largest(nowhere, somewhere)),
            "5/16": (chance("11", somewhere), Fraction(3 + 3 + 9, 3 * 16)),
            "1/16": (chance("11", nowhere), Fraction(1, 4) ** 2),
            "3/16": (chance("11", uniform("01")), Fraction(3, 4) * Fraction(1, 4)),
            "9/16": (chance("11", uniform("11")), Fraction(3, 4) ** 2),
            "9": (hypothesis_dp(THREE, Hypothesis.point("00"), Hypothesis.point("11")).ratio(0), 3 * 3),
            "3": (THREE.ratio(0), largest(uniform("1"), uniform("0"))),
        },
        answer=5,
    )


@account("3.4")
def the_worst_question():
    ratios = [Fraction(2), Fraction(3), Fraction(3, 2)]
    coins = [randomized_response(ratio=x) for x in ratios]
    every = ["".join(bits) for bits in product("01", repeat=3)]
    worst = delta(uniform("000"), uniform("111"), ratios, 2)
    for one, other in product(every, repeat=2):
        complementary = all(a != b for a, b in zip(one, other, strict=True))
        assert (delta(uniform(one), uniform(other), ratios, 2) == worst) == complementary
    points = [hypothesis_dp(coins, Hypothesis.point("000"), Hypothesis.point(b)) for b in ("111", "110")]
    many = hypothesis_dp(coins, Hypothesis.fewer_than(3, 2), Hypothesis.at_least(3, 2))
    few = uniform(*(b for b in every if b.count("1") < 2))
    rest = uniform(*(b for b in every if b.count("1") >= 2))
    return Account(
        given="three two 2 3 3/2 000 110 111 010 101",
        facts={
            "7/20": (points[0].delta(ratio=2), worst),
            "1/3": (points[1].delta(ratio=2), delta(uniform("000"), uniform("110"), ratios, 2)),
            "1/16": (many.delta(ratio=2), delta(few, rest, ratios, 2)),
        },
    )


@account("3.5")
def a_fixed_adversary():
    c, d = [Fraction(1, 2)] * 2, [Fraction(1, 6), Fraction(5, 6)]
    asked = [Pair(c, d), Pair(d, c)]
    classes = [Guarantee(math.log(3))] * 2

    def adversary(view):
        return asked[len(view)]

    def by_hand(one, other):
        laws = [[(c, d)[one[0] == "1"], (d, c)[one[1] == "1"]], [(c, d)[other[0] == "1"], (d, c)[other[1] == "1"]]]
        return max(laws[0][0][y] * laws[0][1][z] / laws[1][0][y] / laws[1][1][z] for y in (0, 1) for z in (0, 1))

    straight, crossed = (view_pair(adversary, classes, *both) for both in (("00", "11"), ("01", "10")))
    turned = view_pair(both_databases(adversary, "01", "10"), classes, 0, 1)
    assert turned.ratio(0) == 9
    return Account(
        given="1 2 1/2 1/6 5/6 0 00 01 10 11 twice",
        facts={
            "5": (straight.ratio(0), by_hand("00", "11")),
            "9": (crossed.ratio(0), by_hand("01", "10")),
            "25/9": (crossed.ratio(0, "qp"), by_hand("10", "01")),
            "2.78": (crossed.ratio(0, "qp"), by_hand("10", "01")),
            "3": (Pair(c, d).ratio(0, "pq"), max(Fraction(p, q) for p, q in zip(c, d, strict=True))),
            "5/3": (Pair(c, d).ratio(0, "qp"), max(Fraction(q, p) for p, q in zip(c, d, strict=True))),
        },
        slips={"25": 5 * 5},
        answer=9,
    )


@account("3.6")
def hospitals():
    capped = contribution_bound(Guarantee(0.01), at_most=365, k=1000)
    everywhere = optimal(Guarantee(0.01), k=1000).epsilon(1e-6)
    second = root(lambda e: truth.optimal_delta(0.01, 0, 365, e), 1e-6, high=10, steps=40)
    return Account(
        given="0.01 10^-6 1000 thousand 365 00 0 two",
        facts={
            "0.79": (capped.epsilon(1e-6), second),
            "1.37": (everywhere, root(lambda e: truth.optimal_delta(0.01, 0, 1000, e), 1e-6, high=10, steps=40)),
        },
        slips={"0.50": 0.365 * everywhere, "36.5%": 365 / 1000, "3.65": 365 * 0.01},
        answer=second,
    )


@account("3.7")
def a_cap_from_the_data():
    def least_scale(k):
        return 1 / root(lambda e: -truth.optimal_delta(e, 0, k, 1), -1e-6, high=1, steps=40)

    sizes = sorted(memberships(registry()).sum(axis=1))
    conditions = np.array([holds(registry()) for holds in CONDITIONS.values()]).sum(axis=0)
    most = sorted(4 * conditions)
    scale = planning.noise_scale(16, 1, 1e-6)
    return Account(
        given="1 10^-6",
        facts={
            "16": (sizes[-1], most[-1]),
            "12": (sizes[-2], most[-2]),
            "20": (len(CONDITIONS) * 4, 5 * 2 * 2),
            "15.4": (scale, least_scale(16)),
            "12.0": (planning.noise_scale(12, 1, 1e-6), least_scale(12)),
            "1.15": (
                optimal(Guarantee(1 / scale), k=20).epsilon(1e-6),
                root(lambda e: truth.optimal_delta(1 / scale, 0, 20, e), 1e-6, high=5, steps=40),
            ),
        },
    )


@account("3.8")
def the_recipe():
    h0, h1 = Hypothesis.uniform(["00", "11"]), Hypothesis.uniform(["10", "11"])
    first, second = uniform("00", "11"), uniform("10", "11")
    exact = hypothesis_dp(THREE, h0, h1)
    recipe = math.exp(matching_bound(Guarantee(math.log(3)), h0, h1).epsilon)
    bottleneck = largest(uniform("00"), uniform("10"))
    return Account(
        given="two 1 00 01 10 11",
        facts={
            "5/2": (exact.ratio(0), max(largest(first, second), largest(second, first))),
            "2": (recipe, Fraction(1 + 3, 2)),
            "5/16": (chance("00", first), Fraction(9 + 1, 32)),
            "2/16": (chance("00", second), Fraction(3 + 1, 32)),
            "9/16": (chance("00", uniform("00")), Fraction(3, 4) ** 2),
            "3/16": (chance("00", uniform("10")), Fraction(3, 4) * Fraction(1, 4)),
            "1/16": (chance("00", uniform("11")), Fraction(1, 4) ** 2),
            "3/2": (chance("01", first) / chance("01", second), Fraction(3 + 3, 3 + 1)),
            "3": (hypothesis_dp(THREE, Hypothesis.point("00"), Hypothesis.point("10")).ratio(0), bottleneck),
        },
        answer=Fraction(5, 2),
    )


@account("3.s1")
def an_infinite_factor():
    worst = randomized_response(ratio=3, delta=Fraction(1, 10))
    p, q = truth.worst_pair(Fraction(3), Fraction(1, 10))
    alone = sum(a for a, b in zip(p, q, strict=True) if b == 0)
    return Account(
        given="3 0 0.1 1 two",
        facts={"0.1": (sum(a for a, b in zip(worst.p, worst.q, strict=True) if b == 0), alone)},
        slips={"3.1": 3 + 0.1, "3/0.9": 3 / 0.9, "3.33": 3 / 0.9},
    )


@account("3.s2")
def in_which_hospitals():
    def most_places(k):
        """Return in how many of k places two vectors with at most 200 ones can differ."""
        return max(a + b - 2 * max(a + b - k, 0) for a in range(201) for b in range(201))

    def rounds(k):
        return contribution_bound(Guarantee(0.01), 200, "bounded", k=k).rounds

    return Account(
        given="1000 200 00 0 two",
        facts={"400": (rounds(1000), most_places(1000)), "300": (rounds(300), most_places(300))},
        slips={"800": 1000 - 200},
        answer=most_places(1000),
    )


@account("3.s3")
def columns():
    rows = {"free": "111111000", "paying": "111100111", "nobody": "000000000"}
    column = Guarantee(0.6)

    def cost(one, other):
        return hypothesis_dp(column, Hypothesis.point(rows[one]), Hypothesis.point(rows[other])).epsilon(0)

    return Account(
        given="4 2 3 0.6 0",
        facts={
            "4.2": (column_bound([column] * 4, [column] * 2, [column] * 3).epsilon(0), cost("paying", "nobody")),
            "7": (cost("paying", "nobody") / 0.6, rows["paying"].count("1")),
            "6": (cost("free", "nobody") / 0.6, rows["free"].count("1")),
        },
        slips={"3.0": cost("free", "paying"), "3.6": cost("free", "nobody"), "5.4": 9 * 0.6, "9": 4 + 2 + 3},
        answer=4.2,
    )


@account("3.s4")
def half_of_the_time():
    half = subsampled(randomized_response(ratio=4))
    q = Fraction(4, 5)
    p = 1 - q
    assert all(2 * x / (1 + x) < 2 for x in (1, 10, 1e6))
    return Account(
        given="4 1 1/4 half halves two",
        facts={
            "8/5": (half.ratio(0, "pq"), q / ((p + q) / 2)),
            "5/8": (1 / half.ratio(0, "pq"), (p / q + 1) / 2),
            "5/2": (half.ratio(0, "qp"), (q / p + 1) / 2),
        },
        slips={"2": 4 / 2},
        answer=Fraction(8, 5),
    )


@account("3.s5")
def two_kinds_of_ignorance():
    nowhere = Hypothesis.point([0] * 20)
    by_number = Hypothesis.by_count(20, [0] + [Fraction(1, 20)] * 20)
    x = mp.exp(mp.mpf("0.5"))
    vectors = mp.log(sum(math.comb(20, j) * x**j for j in range(1, 21)) / (2**20 - 1))
    return Account(
        given="0.5 0 00 1 20 twenty",
        facts={
            "5.62": (hypothesis_dp(Guarantee(0.5), nowhere, Hypothesis.nonzero(20)).epsilon(0), vectors),
            "7.94": (
                hypothesis_dp(Guarantee(0.5), nowhere, by_number).epsilon(0),
                mp.log(sum(x**j for j in range(1, 21)) / 20),
            ),
            "10.5": (by_number.mean_count(), sum(range(1, 21)) / 20),
            "10": (hypothesis_dp(Guarantee(0.5), nowhere, Hypothesis.point([1] * 20)).epsilon(0), 20 * 0.5),
        },
        slips={"5.25": 10.5 * 0.5},
        answer=7.937,
    )
