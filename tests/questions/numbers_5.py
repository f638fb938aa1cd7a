"""The numbers in the questions of lecture 5, computed."""

import math
from collections import deque
from itertools import combinations

import numpy as np
from accounting import Account, account
from mpmath import mp

from dpteach.data import ALICE, registry
from dpteach.granularity import DatabaseClass, Granularity, Maps, Partition, bounded, dist, edge, node, unbounded
from dpteach.mechanisms import gaussian, laplace
from dpteach.notions import Approximate, FiniteMechanism, Gaussian, Pure, compose, group_delta, group_factor


def walked(start, goal, moves):
    """Return the length of a shortest path, by a search of our own."""
    reached, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for there in moves(here):
            if there not in reached:
                reached[there] = reached[here] + 1
                waiting.append(there)
    return reached[goal]


def one_more_or_less(counts, most=3):
    """Yield the databases, as numbers of a and b, with one record more or less."""
    a, b = counts
    near = [(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)]
    return [(x, y) for x, y in near if min(x, y) >= 0 and x + y <= most]


@account("5.1")
def exact_size():
    wards = DatabaseClass.multisets("ab", at_most=3)
    size = FiniteMechanism.printing(wards, len)
    exact = max(0 if len(D) == len(E) else math.inf for D, E in bounded.on(wards).neighbouring_pairs)
    assert size.level(unbounded.on(wards)) == math.inf
    return Account(facts={"0": (size.level(bounded.on(wards)), exact)})


@account("5.2")
def four_steps():
    wards = unbounded.on(DatabaseClass.multisets("ab", at_most=3))
    steps = walked((2, 0), (0, 2), one_more_or_less)
    path = wards.shortest_path("aa", "bb")
    return Account(
        given="0.1 0 two",
        facts={
            "0.4": (Pure(wards, 0.1).at("aa", "bb"), 0.1 * steps),
            "four": (wards.distance("aa", "bb"), steps),
            "five": (len(path), steps + 1),
        },
        slips={"0.2": 2 * 0.1, "0.3": (len(path) - 2) * 0.1},
        answer=0.4,
    )


@account("5.3")
def visits_and_people():
    people = registry()
    few = DatabaseClass.multisets("x", at_most=5)  # the visits of one person
    all_or_none = Granularity(lambda D, E: D != E and min(len(D), len(E)) == 0, "a person comes or goes")
    assert dist(unbounded, all_or_none, few) == 5
    most, alice = int(people.therapy.max()), int(people.therapy[ALICE])
    log = unbounded.on(DatabaseClass.multisets("x", at_most=most))
    return Account(
        given="0.02",
        facts={
            "12": (alice, next(row.therapy for row in people if (row.town, row.age, row.family) == (4, 38, 5))),
            "53": (most, log.diameter),
            "1.06": (Pure(log, 0.02).at("", "x" * most), 0.02 * most),
            "0.24": (Pure(log, 0.02).at("", "x" * alice), 0.02 * alice),
        },
        slips={"2.12": 2 * most * 0.02},
        answer=1.06,
    )


@account("5.4")
def free_lunch_noise():
    people = registry()
    in_therapy = int((people.therapy > 0).sum())
    scale = laplace(0.25, sensitivity=len(people)).scale
    by_hand = next(s for s in range(1, 10_000) if len(people) / s <= 0.25)
    return Account(
        given="0.25 1 two",
        facts={
            "1630": (len(people), sum(1 for _ in people)),
            "85": (in_therapy, np.count_nonzero(people.therapy)),
            "6520": (scale, by_hand),
            "77": (scale / in_therapy, by_hand / np.count_nonzero(people.therapy)),
        },
        slips={"4": 1 / 0.25, "8": 2 / 0.25, "340": in_therapy / 0.25},
        answer=6520,
    )


def level_of_labels(k, most):
    """Compose k counts of conditions, of which a person has some, by the library."""
    labels = "123456789"[:k]
    records = ["".join(x) for n in range(most + 1) for x in combinations(labels, n)]
    space, maps = unbounded.on(DatabaseClass.multisets(records, at_most=1)), Maps.by_label(labels)
    return compose([Pure(s, 1) for s in maps.spaces(space)], maps, on=space).level()


@account("5.5")
def three_of_five():
    in_counts = max(sum(1 for _ in x) for n in range(4) for x in combinations(range(5), n))
    assert level_of_labels(7, 3) == 3
    people = [set(x) for n in range(4) for x in combinations(range(5), n)]
    changed = max(len(one ^ other) for one, other in combinations(people, 2))  # each count moves by one at most
    return Account(
        given="five three 1 hundred 0 two",
        facts={"3": (level_of_labels(5, 3), in_counts), "5": (5 * 1, changed)},
        slips={"6": 3 + 3},
        answer=3,
    )


def largest_loss(levels, databases):
    """Return the largest loss of Laplace counts over changed records, kind by kind: the l1 norm, weighted."""
    losses = [0.0]
    for D in databases:
        for x in set(D):
            for y in "abc":
                moved = [abs((y == z) - (x == z)) for z in "abc"]
                losses.append(sum(e * m for e, m in zip(levels, moved, strict=True)))
    return max(losses)


@account("5.6")
def three_towns():
    cls = DatabaseClass.multisets("abc", at_most=2)
    levels = (0.2, 0.3, 0.4)
    promise = compose(
        [Pure(bounded.on(cls), e) for e in levels], Partition.by_record(["a", "b", "c"]), common_domain=True
    )
    return Account(
        given="0.2 0.3 0.4 three two",
        facts={"0.7": (promise.level(), largest_loss(levels, cls))},
        slips={"0.9": sum(levels)},
        answer=0.7,
    )


@account("5.7")
def twelve_visits():
    delta = 0.0
    for _ in range(12):  # one step more: the delta so far is multiplied, a new one is added
        delta = mp.e * delta + mp.mpf(10) ** -5
    worst = group_delta(12, 1, 1e-5)
    return Account(
        given="1 10^-5 0.00001 twelve 12 11",
        facts={
            "0.95": (1e-5 * group_factor(12, 1), delta),
            "0.76": (worst, chained(12, 1, 1e-5)),
        },
        slips={"0.00012": 12e-5, "0.60": 1e-5 * math.exp(11)},
        answer=delta,
    )


def chained(steps, eps, delta):
    """Return the largest delta at the end of a chain of coins, each as much more loaded than the last as is allowed."""
    best = mp.mpf(0)
    for start in (0, *np.geomspace(1e-9, 1, 400)):
        p = mp.mpf(start)
        for _ in range(steps):
            p = min(mp.exp(eps) * p + delta, 1 - mp.exp(-eps) * max(1 - p - delta, 0))
        best = max(best, p - mp.exp(steps * eps) * start)
    return best


def rotated(one, two):
    """Return the mu of two shifts from the total variation of two normal laws in the plane, integrated."""
    far = mp.sqrt(mp.mpf(one) ** 2 + mp.mpf(two) ** 2)
    middle = far**2 / 2  # the first law is the larger one where one x + two y < middle
    inner = lambda x, a, b: mp.npdf(x, a) * mp.ncdf((middle - one * x) / two - b)  # noqa: E731
    gap = mp.quad(lambda x: inner(x, 0, 0) - inner(x, one, two), [-12, -4, 0, 1, 5, 13])
    return 2 * mp.sqrt(2) * mp.erfinv(gap)


@account("5.8")
def two_towns():
    space = unbounded.on(DatabaseClass.multisets("ab", at_most=2))
    towns = Partition.by_record(["a", "b"])
    both = compose([Gaussian(s, mu) for s, mu in zip(towns.spaces(space), (0.3, 0.4), strict=True)], towns, on=space)
    return Account(
        given="0.3 0.4 two 2",
        facts={"0.5": (both.at("", "ab"), rotated(0.3, 0.4))},
        slips={"0.7": 0.3 + 0.4, "0.8": 2 * both.level()},
        answer=0.5,
    )


@account("5.s1")
def no_neighbours():
    survey = unbounded.on(DatabaseClass.multisets("ab", exactly=4))
    assert len(survey.neighbouring_pairs) == 0
    return Account(given="1000 0 two")


@account("5.s2")
def four_districts():
    levels = (0.5, 0.2, 0.35, 0.1)
    cls = DatabaseClass.multisets("abcd", at_most=2)
    parts = Partition.by_record(["a", "b", "c", "d"])
    told = compose([Pure(bounded.on(cls), e) for e in levels], parts, common_domain=True).level()
    by_hand = max(x + y for x, y in combinations(levels, 2))
    return Account(
        given="0.5 0.2 0.35 0.1 four two twice",
        facts={"0.85": (told, by_hand)},
        slips={"1.15": sum(levels), "1": 2 * max(levels)},
        answer=0.85,
    )


@account("5.s3")
def two_steps():
    space = unbounded.on(DatabaseClass.multisets("a", at_most=2))
    told = Approximate(space, math.log(3), 1e-6).at("", "aa").delta / 1e-6
    assert math.isclose(group_delta(2, math.log(3), 1e-6), 4e-6)  # attained
    return Account(
        given="10^-6 3 2 two 1",
        facts={"4": (told, 3 * 1 + 1), "9": (3**2, math.exp(2 * math.log(3)))},
        slips={"6": 3 + 3},
        answer=4,
    )


@account("5.s4")
def nine_districts():
    people = unbounded.on(DatabaseClass.multisets("abcdefghi", at_most=1))
    parts = Partition.by_record(list("abcdefghi"))
    whole = compose([Gaussian(people, 0.5)] * 9).level()
    split = compose([Gaussian(s, 0.5) for s in parts.spaces(people)], parts, on=people).level()
    assert math.isclose(gaussian(1.5).epsilon(1e-5), gaussian(0.5 * 3).epsilon(1e-5))
    return Account(
        given="nine eight 9 2 two",
        facts={"1.5": (whole, 0.5 * math.sqrt(9)), "0.5": (split, math.sqrt(0.5**2))},
        slips={"0.17": 0.5 / 3, "4.5": 9 * 0.5},
        answer=0.5,
    )


@account("5.s5")
def friendships():
    graphs = DatabaseClass.graphs(4)
    assert dist(edge, node, graphs) == 3  # n - 1 for n = 4
    pairs = list(combinations(range(30), 2))
    return Account(
        given="30 0.1 two",
        facts={
            "29": (30 - 1, sum(0 in pair for pair in pairs)),
            "2.9": (0.1 * 29, 0.1 * sum(0 in pair for pair in pairs)),
            "435": (math.comb(30, 2), len(pairs)),
        },
        slips={"43.5": 0.1 * len(pairs), "5.8": 0.1 * 2 * 29},
        answer=2.9,
    )
