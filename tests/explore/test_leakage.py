"""The explorers of lecture 4: their numbers against brute force and the paper's examples, corners of the controls."""

import itertools
import math
import random
from fractions import Fraction as F

import matplotlib
import numpy as np
import pytest
from exploring import assert_drawn_and_told, assert_nothing_kept_shows, corners_and_more, possible, words_on

from dpteach import explore
from dpteach.curve import VACUOUS
from dpteach.explore.leakage import big_world as big
from dpteach.explore.leakage import census
from dpteach.explore.leakage import independence as indep
from dpteach.explore.leakage import leak_dial as dial
from dpteach.leakage import ABSENT, LeakyMechanism, bits, examples

matplotlib.use("agg")
NAMES = ["LeakDial", "Independence", "BigWorld", "CensusTown"]


def state(name, *preset, **settings):
    numbers, words = getattr(explore, name)(*preset, **settings)._state()
    assert numbers is not None, words
    return numbers


def largest_ratio(p, q):
    """Return the largest ratio of two laws in either direction, straight from the definition."""
    return max(
        a[m] / b[m] if b.get(m) else math.inf for a, b in ((p, q), (q, p)) for m in a if a[m]
    )  # fmt: skip


def hockey_stick(p, q, a):
    """Return the larger sum of max(0, p - a q) of the two directions."""
    return max(sum(max(0, u.get(m, 0) - a * v.get(m, 0)) for m in {*p, *q}) for u, v in ((p, q), (q, p)))


# ------------------------------------------------------------------------------------------------------ all four


@pytest.mark.parametrize("name", NAMES)
def test_any_settings_are_drawn_and_told(name):
    explorer = getattr(explore, name)()
    for settings in corners_and_more(explorer, random.Random(name)):
        assert_drawn_and_told(explorer, settings)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_between_drawings_never_shows(name):
    presets = list(getattr(explore, name).presets)
    assert_nothing_kept_shows(name, (presets[0], presets[-1], presets[len(presets) // 2], presets[1], presets[0]))


# ---------------------------------------------------------------------------------------------------- leak dial


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_pad_s_few_neighbours_stand_for_all(n):
    for j in range(n + 1):
        full = examples.one_time_pad(n, j).by_neighbours(ratio=2)
        numbers = state("LeakDial", n=n, j=j, ratio=2)
        by_bit = [[d for (x, y), d in full.items() if x[i] != y[i]] for i in range(n)]
        assert [{d} for d in numbers.given] == [set(deltas) for deltas in by_bit]
        assert numbers.exposed * numbers.pairs == sum(d > 0 for d in full.values()) == j * 2 ** (n - 1)


@pytest.mark.parametrize("seed", range(10))
def test_the_dial_against_the_definition(seed):
    rng = random.Random(seed)
    n, what, scheme = rng.choice([2, 3]), rng.choice(dial.LEAKS), rng.choice([dial.PAD, dial.SHARES])
    j, flip, bias, a = rng.randint(0, n), F(rng.choice([0, 1, 2]), 10), F(rng.choice([1, 3, 5]), 10), rng.choice([1, 2])
    size = n if scheme == dial.PAD else 1
    laws = {}
    for x in bits(size):
        laws[x] = {}
        for r in bits(n):
            m = tuple(u ^ v for u, v in zip(x, r)) if scheme == dial.PAD else ((x[0] + sum(r)) % 2,)  # noqa: B905
            seen = dict(zip(dial.LEAKS, (r[:j], (sum(r[:j]) % 2,)[:j], x[:j], m[:j]), strict=True))[what]
            weight = math.prod(bias if b else 1 - bias for b in r)
            for flips in bits(len(seen)):
                o = tuple(u ^ v for u, v in zip(seen, flips, strict=True))
                share = weight * math.prod(flip if f else 1 - flip for f in flips)
                laws[x][o, m] = laws[x].get((o, m), 0) + share
    leaky = LeakyMechanism.from_joint(laws)
    numbers = state("LeakDial", scheme=scheme, n=n, what=what, j=j, flip=float(flip), bias=float(bias), ratio=a)
    families = dict(given=leaky, alone=leaky.without_leak(), both=leaky.released())
    for key, family in families.items():
        for (x, y), delta in family.by_neighbours(ratio=a).items():
            told = getattr(numbers, key)[next(i for i in range(size) if x[i] != y[i])]
            assert (told, told is VACUOUS) == (delta, delta is VACUOUS)
    assert dial.mean(numbers.coverage) == leaky.coverage and numbers.factor == leaky.ratio()


def test_numbers_of_the_dial_s_presets():
    one, key, parity, noisy, shares, biased, message, blurred, itself = map(
        state, ["LeakDial"] * 9, explore.LeakDial.presets
    )
    assert [(n.exposed * n.pairs, dial.worst(n.given)) for n in (one, key, parity)] == [(4, 1), (12, 1), (12, 1)]
    assert noisy.factor == 3 and [noisy.given, noisy.alone, noisy.both] == [[F(1, 2)], [0], [F(1, 2)]]
    assert [dial.worst(d.given) for d in shares.dial] == [0, 0, 0, 0, 1]
    assert [d.factors[0] for d in biased.dial] == [F(17, 15), F(9, 7), F(5, 3), 3, math.inf]
    assert message.factor is VACUOUS and dial.mean(message.coverage) == 0
    assert [dial.mean(d.coverage) for d in message.dial] == [1, F(2, 3), F(1, 3), 0]
    assert (blurred.factor, dial.mean(blurred.coverage), dial.worst(blurred.both)) == (1, 1, F(9, 10))
    assert (itself.factor, dial.worst(itself.alone)) == (1, F(1, 2))
    assert "bit 1: vacuous" in explore.LeakDial("leaking the message: vacuous").text


# ------------------------------------------------------------------------------------------------- independence


@pytest.mark.parametrize("seed", range(12))
def test_theorem_9_holds_and_the_steps_obey_its_premises(seed):
    rng = random.Random(seed)
    controls = explore.Independence.controls
    n = state("Independence", **{name: rng.choice(possible(of)) for name, of in controls.items()})
    a, d, b, e = n.levels
    assert n.at == a * b**2 and n.bound == (a * b + 1) * e + b * d
    chain = max(chained(F(i, 240), a, d, b, e) - n.at * F(i, 240) for i in range(241))
    assert chain <= n.optimum <= n.bound and n.at_weight <= float(n.optimum) + 1e-9
    assert np.all(np.diff(n.worst) <= 1e-12)
    if n.steps is None:
        return
    assert n.exact <= n.at_weight + 1e-9 and np.all(n.curve <= np.array(n.worst) + 1e-12)
    for (p, q), (ratio, delta) in zip(itertools.pairwise(n.steps), ((b, e), (a, d), (b, e)), strict=True):
        assert q <= ratio * p + delta and p <= ratio * q + delta
    if n.pair == indep.EXTREMAL:
        assert n.exact == n.optimum == n.steps[3] - n.at * n.steps[0]


def chained(s, a, d, b, e):
    """Return the largest chance at the end of three steps, from the two inequalities of each."""
    for ratio, delta in ((b, e), (a, d), (b, e)):
        s = min(1, ratio * s + delta, (ratio - 1 + delta + s) / ratio)
    return s


def test_numbers_of_the_presets_of_independence():
    attained, pure, over, likely, study, drawn, key, pad = map(
        state, ["Independence"] * 8, explore.Independence.presets
    )
    assert (attained.at, attained.bound, attained.optimum, attained.exact) == (6, F(1, 5), F(1, 5), F(1, 5))
    assert (pure.at, pure.bound, pure.reach, pure.steps) == (6, 0, 6, (F(1, 9), F(2, 9), F(1, 3), F(2, 3)))
    assert (over.bound, over.optimum, over.exact) == (F(41, 40), F(63, 80), F(63, 80))
    assert likely.steps is None and likely.at_weight == pytest.approx(27 / 320, abs=1e-9)
    assert (study.levels, study.at, study.reach) == ((2, 0, 2, 0), 8, 3)
    assert drawn.reach == F(5, 2) and drawn.levels[3] == 0
    assert (key.at, key.bound, key.reach) == (4, 0, 3)
    assert (pad.levels[3], pad.bound, pad.exact, pad.at_weight) == (F(1, 2), 1, 1, 1)
    assert "says nothing" in explore.Independence("the bound exceeds one").text


# ---------------------------------------------------------------------------------------------------- big world


def conditional(rule, k, t, q, leak, x):
    """Return the participation law given that the leak says t, by listing all vectors."""
    first, last = (1,) * t + (0,) * (k - t), (0,) * (k - t) + (1,) * t
    law = {}
    for v in bits(k):
        s = sum(v)
        odds = (q if x == 0 else 1 - q) ** s * (1 - q if x == 0 else q) ** (t - s) if s <= t else 0
        weight = {
            big.HALVES: (v == first) * (q if x else 1 - q) + (v == last) * (1 - q if x else q),
            big.RANDOM: int(s == t),
            big.COINS: odds,
            big.OPT_IN: int(v == (first if x else (0,) * k)),
        }[rule]
        said = {big.COUNT: s == t, big.VECTOR: s == t, big.BOUND: True, big.KNOWING: v[0] != x or t == k}[leak]
        if weight and said:
            law[v] = weight
    return {v: F(w) / sum(law.values()) for v, w in law.items()}


def answers(study, x, law):
    """Return the law of all answers, where each study is a function of the person's state."""
    told = {}
    for v, weight in law.items():
        for cells in itertools.product(*(study(x if joins else ABSENT).items() for joins in v)):
            m = tuple(cell for cell, _ in cells)
            told[m] = told.get(m, 0) + weight * math.prod(p for _, p in cells)
    return told


@pytest.mark.parametrize("seed", range(16))
def test_the_big_world_by_listing_everything(seed):
    rng = random.Random(seed)
    k, rule = rng.choice([1, 2, 3]), rng.choice([big.HALVES, big.RANDOM, big.COINS, big.OPT_IN])
    t, q, leak = rng.randint(0, k), F(rng.choice([0, 1, 3, 5]), 10), rng.choice([big.COUNT, big.BOUND, big.KNOWING])
    n = state("BigWorld", k=k, t=t, rule=rule, q=float(q), leak=leak, ratio=2)
    study = lambda state: {s: F(2 if s == state else 1, 4) for s in (ABSENT, 0, 1)}  # noqa: E731
    laws = {x: conditional(rule, k, t, q, leak, x) for x in (0, 1)}
    if not all(laws.values()):
        assert n.exact is VACUOUS and n.joining == {0: {}, 1: {}}
        return
    assert n.joining == laws
    assert n.exact == largest_ratio(*(answers(study, x, laws[x]) for x in (0, 1)))
    assert n.eta == 2**t * largest_ratio(*laws.values())
    assert n.exact <= min(2 ** min(2 * t, k), n.eta) and n.truth is None


def test_numbers_of_the_big_world_s_presets():
    states = {preset: state("BigWorld", preset) for preset in explore.BigWorld.presets}
    told = [(n.exact, n.eta, n.truth) for n in states.values()]
    assert told[:5] == [(9, math.inf, None), (9, math.inf, None), (F(41, 6), 27, None), (3, 3, None), (3, 3, None)]
    assert told[5:8] == [(9, 9, None), (9, math.inf, None), (27, math.inf, None)]
    assert told[8][0] is VACUOUS
    assert [truth for _, _, truth in told[9:]] == [1, F(3, 10), 1]
    assert states["fails: adding and removing"].slack == F(1, 5)
    tight = states["tight: first or last"]
    assert [row.exact for row in tight.by_t] == [3 ** min(2 * t, 3) for t in range(4)]
    odds = states["it is t: the same odds everywhere"]
    assert [row.exact for row in odds.by_t] == [1, 3, 9, 27]
    assert state("BigWorld", k=3, study=big.DATA, rule=big.COINS, q=0.1, leak=big.BOUND).exact == F(63, 29)
    assert "vacuous" in explore.BigWorld("opting in, the count leaks").text


@pytest.mark.parametrize("ratio", [1.5, 5])
def test_the_study_that_is_private_only_for_adding_and_removing(ratio):
    law, a, delta = big.report(big.REMOVAL, F(str(ratio)))
    for x in (0, 1):
        assert hockey_stick(law(x), law(ABSENT), a) <= delta
    assert hockey_stick(law(0), law(1), a**2) == (1 + a) * delta > 2 * delta


# -------------------------------------------------------------------------------------------------- census town


@pytest.mark.parametrize("blurred", [False, True])
@pytest.mark.parametrize("names", [(), ("people in A",), ("flags",), ("flags in A", "people in A"), ("flags in B",)])
def test_the_town_against_the_library(names, blurred):
    leaky = examples.census_town(2, 2, names, 2 if blurred else None)
    told = census.promised(census.Census(2, census.COUNTS, F(2), names, sums=False, blurred=blurred))
    for kind, (covered, total, *ratios) in told.items():
        pairs = [pair for pair in leaky.neighbours if census.kind_of(*pair) == kind]
        one = LeakyMechanism.from_joint(leaky.joint, pairs)
        assert (covered, total) == (len(pairs) - len(one.vacuous_pairs), len(pairs))
        assert ratios == [one.ratio(), one.without_leak().ratio(), one.released().ratio()]
        assert (ratios[0] is VACUOUS) == one.vacuous
    assert F(sum(row[0] for row in told.values()), 48) == leaky.coverage


@pytest.mark.parametrize("insider", [False, True])
@pytest.mark.parametrize(("names", "blurred"), [((), True), (("people in A",), True), (("flags in A",), False)])
def test_what_a_neighbour_learns_by_bayes(names, blurred, insider):
    leaky = examples.census_town(2, 3, names, 3 if blurred else None)
    crowds = [[x for x in leaky.databases if x[1] == other] for other in census.RECORDS]
    best = {"flag": [F(1, 2)] * 3, "block": [F(1, 2)] * 3}
    for towns in crowds if insider else [leaky.databases]:
        cells = {cell for x in towns for cell in leaky.joint[x]}
        for i, key in enumerate((lambda c: dict(leak=c[0]), lambda c: dict(output=c[1]), None)):
            for view in [dict(leak=o, output=m) for o, m in cells] if key is None else map(key, cells):
                after = leaky.posterior(prior={x: F(1, len(towns)) for x in towns}, **view)
                for what, part, value in (("flag", 1, 1), ("block", 0, "A")):
                    p = sum(w for x, w in after.items() if x[0][part] == value)
                    best[what][i] = max(best[what][i], p, 1 - p)
    told = census.learned(census.Census(2, census.COUNTS, F(3), names, sums=False, blurred=blurred), insider)
    assert {what: row[1:] for what, row in told.items()} == best


@pytest.mark.parametrize("people", [2, 3])
def test_the_xor_attack(people):
    n = state("CensusTown", people=people, release=census.ANSWERS, people_a=False, sums=True)
    assert n.sure["flag"] == [F(1, 2), F(1, 2), F(3, 4), F(3**people, 3**people + 1)]
    assert n.sure["block"] == [F(1, 2)] * 4
    leaky, zero = examples.xor_attack(people), (0,) * people
    after = leaky.posterior(leak=zero[1:], output=zero)
    assert n.sure["flag"][3] == sum(p for x, p in after.items() if x[0] == 0)
    covered, _, given, alone, both = n.promises["flag changes"]
    assert (covered, alone, both) == (0, leaky.without_leak().ratio(), math.inf) and given is VACUOUS
    assert n.promises["block changes"][2:] == (1, 1, 1)


def test_numbers_of_the_town_s_presets():
    exact, noisy, nothing, two, attack, insider = map(state, ["CensusTown"] * 6, explore.CensusTown.presets)
    count = [tuple(sum(row[i] for row in n.promises.values()) for i in (0, 1)) for n in (exact, noisy, nothing, two)]
    assert count == [(16, 48), (48, 48), (48, 48), (0, 48)]
    assert max(row[3] for row in exact.promises.values()) == 9 and exact.promises["flag changes"][2:] == (3, 3, 3)
    assert max(row[2] for row in noisy.promises.values()) == 9 and noisy.promises["block changes"][4] == 27
    assert attack.sure["flag"][3] == F(27, 28) and insider.sure["flag"][1] == 1
    assert "27/28" in explore.CensusTown("the XOR attack").text
    assert "covers 16 of 48" in explore.CensusTown().text


# ----------------------------------------------------------------- a promise about nothing is nowhere drawn as zero


def drawn(name, **settings):
    """Return the numbers of an explorer, its sentence, and the words in each of its two panels."""
    explorer = getattr(explore, name)(**settings)
    numbers, words = explorer._state()
    return numbers, words, words_on(explorer)


@pytest.mark.parametrize("j", range(4))
def test_the_dial_says_vacuous_where_nothing_is_covered(j):
    numbers, words, (left, right) = drawn("LeakDial", what=dial.MESSAGE, n=3, j=j)
    assert [delta is VACUOUS for delta in numbers.given] == [share == 0 for share in numbers.coverage] == [
        i < j for i in range(3)
    ]  # fmt: skip
    assert left.count("vacuous") == words.count(": vacuous") == j
    assert numbers.exposed == 0 and left.count("0") == 9 - j - j  # the leaked bits are told by output and leak
    assert right == ["vacuous"]  # where all three leak
    assert ("bLDP is vacuous" in words) == (j == 3)


def test_the_big_world_says_vacuous_where_her_data_never_leak_the_same():
    numbers, words, (left, right) = drawn("BigWorld", rule=big.OPT_IN, t=3)
    assert numbers.exact is VACUOUS and numbers.eta is VACUOUS and numbers.truth is None
    assert "never leak the same value with t studies joined: vacuous" in words and "exact factor" not in words
    assert [word for word in left if word] == ["vacuous"] * 3  # t = 1, 2, 3; nobody joins at t = 0
    assert right == ["0 and 1 never leak\nthe same value:\nvacuous"]


def test_the_town_says_vacuous_where_no_neighbours_share_the_invariants():
    numbers, words, (_, right) = drawn("CensusTown", flags=True)
    silent = [promise for promise in numbers.promises.values() if promise.covered == 0]
    assert silent and all(promise.given is VACUOUS for promise in silent)
    assert right.count("vacuous") == words.count("factor vacuous given the leak") == len(silent)
