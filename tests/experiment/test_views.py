"""The experiment itself: runs against laws, laws against trees written by hand, and the proof of Theorem 1."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import truth_experiment as truth

from dpteach import Guarantee, Pair, optimal
from dpteach.experiment import Hypothesis, both_databases, hypothesis_dp, run_experiment, view_law, view_pair, views
from dpteach.mechanisms import randomized_response

RR = randomized_response(ratio=3)
WEAK = Pair([Fraction(1, 2), Fraction(1, 2)], [Fraction(2, 5), Fraction(3, 5)])
MOVES = [RR, RR.reversed(), WEAK, WEAK.reversed(), Pair([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)])]
ANY = [Guarantee(1.0987)] * 3  # a little more than log 3


def coin(database, bias=3):
    """A mechanism: says whether the database is empty, wrongly once in 1 + bias times."""
    likely = Fraction(bias, 1 + bias)
    return {"yes": likely, "no": 1 - likely} if database else {"yes": 1 - likely, "no": likely}


def stop_when_sure(view):
    """An adaptive adversary: asks RR until two answers agree, then something weaker."""
    return WEAK if len(view) == 2 and view[0] == view[1] else RR


def random_adversary(draw):
    """Return an adversary that chose its move for every view beforehand."""
    plan = {view: draw.choice(MOVES) for n in range(3) for view in itertools.product((0, 1), repeat=n)}
    return plan.__getitem__


def law_by_hand(adversary, bits):
    """Return the law of three binary answers, view by view."""
    law = {}
    for view in itertools.product((0, 1), repeat=len(bits)):
        chance = Fraction(1)
        for i, (answer, bit) in enumerate(zip(view, bits, strict=True)):
            pair = adversary(view[:i])
            chance *= (pair.p, pair.q)[bit][answer]
        law[view] = chance
    return law


def test_laws_of_adaptive_adversaries():
    for seed in range(20):
        adversary = random_adversary(random.Random(seed))
        for bits in ("000", "011", "101"):
            assert view_law(adversary, ANY, bits) == law_by_hand(adversary, [int(b) for b in bits])


def test_runs_follow_the_law():
    rng = np.random.default_rng(5)
    for bits in ("010", 1, Hypothesis.uniform(["000", "110"])):
        law = view_law(stop_when_sure, ANY, bits)
        drawn = Counter(run_experiment(stop_when_sure, ANY, bits, rng) for _ in range(1500))
        assert set(drawn) <= set(law) and sum(law.values()) == 1
        for view, chance in law.items():
            assert abs(drawn[view] / 1500 - chance) < 4 * (float(chance) / 1500) ** 0.5


def test_the_same_generator_gives_the_same_view():
    views = [run_experiment(stop_when_sure, ANY, "010", np.random.default_rng(1)) for _ in range(2)]
    assert views[0] == views[1]


def test_databases_and_mechanisms_instead_of_pairs():
    """A move of two databases, a mechanism and its parameters is the pair of the mechanism's laws."""

    def adversary(view):
        return ({"a"}, set(), coin, 2) if "no" in view else (set(), {"a"}, coin)

    law = view_law(adversary, [[coin]] * 2, "01")
    assert law[("no", "no")] == Fraction(3, 4) * Fraction(2, 3)  # round 2 then asks the empty database
    assert law[("yes", "no")] == Fraction(1, 4) * Fraction(1, 4)
    assert sum(law.values()) == 1


def test_randomized_adversaries_see_their_coins():
    def adversary(r):
        return (lambda view: RR) if r == "heads" else (lambda view: WEAK)

    coins = {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}
    law = view_law(adversary, ANY[:1], "1", coins)
    assert [law["heads", i] for i in (0, 1)] == [q / 3 for q in RR.q]
    assert [law["tails", i] for i in (0, 1)] == [2 * q / 3 for q in WEAK.q]
    pair = view_pair(adversary, ANY[:1], "0", "1", coins)
    assert pair.delta(ratio=1) == Fraction(1, 3) * RR.delta(ratio=1) + Fraction(2, 3) * WEAK.delta(ratio=1)
    rng = np.random.default_rng(0)
    drawn = Counter(run_experiment(adversary, ANY[:1], "1", rng, coins) for _ in range(1500))
    assert all(abs(drawn[view] / 1500 - chance) < 0.05 for view, chance in law.items())


def test_theorem_1_by_submitting_both_databases():
    """V^0 of the new adversary is V^b0 of the old one, and V^1 is V^b1: exactly, and for every adaptive adversary."""
    for seed in range(6):
        adversary = random_adversary(random.Random(seed))
        for one, two in itertools.product(("000", "011", "110"), repeat=2):
            both = both_databases(adversary, one, two)
            assert view_law(both, ANY, "000") == view_law(adversary, ANY, one)
            assert view_law(both, ANY, "111") == view_law(adversary, ANY, two)


def test_theorem_1_for_moves_of_databases():
    def adversary(view):
        return (set(), {"a"}, coin, 2 + len(view))

    both = both_databases(adversary, "01", "10")
    assert view_law(both, [[coin]] * 2, 0) == view_law(adversary, [[coin]] * 2, "01")
    assert view_law(both, [[coin]] * 2, 1) == view_law(adversary, [[coin]] * 2, "10")


def test_a_classic_guarantee_covers_every_two_vectors():
    best = optimal(ANY[0], k=3)
    for seed in range(4):
        adversary = random_adversary(random.Random(seed))
        for one, two in itertools.combinations(truth.vectors(3), 2):
            pair = view_pair(adversary, ANY, one, two)
            assert all(pair.delta(e) <= best.delta(e) for e in (0.0, 1.0, 2.5))


def test_no_adversary_beats_the_worst_pairs():
    """The exact hypothesis DP bounds every adaptive adversary, and randomized response attains it."""
    h0, h1 = Hypothesis.fewer_than(3, 2), Hypothesis.at_least(3, 2)
    worst = hypothesis_dp(RR, h0, h1)
    for seed in range(15):
        pair = view_pair(random_adversary(random.Random(seed)), ANY, h0, h1)
        for ratio in (1, 2, 3):
            assert pair.delta(ratio=ratio) <= worst.delta(ratio=ratio)
    asked = view_pair(lambda view: RR, ANY, h0, h1)
    assert asked.ratio() == worst.ratio() and asked.delta(ratio=2) == worst.delta(ratio=2)


def test_for_a_fixed_adversary_theorem_1_would_be_false():
    """HBW, Definition 2: (C, D) and then (D, C): 00 against 11 looks better than 01 against 10."""
    C, D = [Fraction(1, 2)] * 2, [Fraction(1, 6), Fraction(5, 6)]

    def fixed(view):
        return Pair(D, C) if view else Pair(C, D)

    allowed = [Guarantee(2)] * 2
    assert view_pair(fixed, allowed, "00", "11").ratio() == 5
    assert view_pair(fixed, allowed, "01", "10").ratio() == 9


def test_views_are_listed_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(views, "MOST_VIEWS", 2**9)
    assert len(view_law(lambda view: RR, [Guarantee(2)] * 9, [0] * 9)) == 2**9
    with pytest.raises(ValueError, match="hypothesis_dp"):
        view_law(lambda view: RR, [Guarantee(2)] * 10, [0] * 10)


@pytest.mark.parametrize(
    ("move", "allowed", "words"),
    [
        (lambda view: RR, Guarantee(1), "round 1 must obey"),
        (lambda view: RR if view else WEAK, Guarantee(0.5), "round 2 must obey"),
        (lambda view: RR, [WEAK], "one of the mechanisms"),
        (lambda view: (0, 1, coin), [print], "one of the mechanisms"),
        (lambda view: (0, 1), [coin], "must be a Pair or"),
        (lambda view: None, Guarantee(1), "must be a Pair or"),
        (lambda view: (0, 1, 2), Guarantee(1), "must be a Pair or"),
        (lambda view: (0, 1, lambda x: 3), Guarantee(1), "dictionary"),
        (lambda view: (0, 1, lambda x: {"a": 0.4}), Guarantee(1), "sum to 1"),
    ],
)
def test_moves_that_are_not_allowed(move, allowed, words):
    rounds, rng = [allowed] * 2, np.random.default_rng(0)
    for run in (view_law, lambda *given: run_experiment(*given, rng)):
        with pytest.raises(ValueError, match=words) as caught:
            run(move, rounds, "01")
        assert "\n" not in str(caught.value)
