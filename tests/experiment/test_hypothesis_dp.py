"""Hypothesis DP: every method against lists of all views, in fractions or in 60 digits."""

import math
import random
from fractions import Fraction
from math import inf

import numpy as np
import pytest
import truth_experiment as truth
from mpmath import mp

from dpteach import Guarantee, Pair, optimal
from dpteach.experiment import Hypothesis, exact, hypothesis_dp
from dpteach.experiment.rounds import Sequence
from dpteach.mechanisms import randomized_response

EPS = (0.0, 1e-11, 0.1, 0.7, 1.0, 3.0, 9.99, 40.0, 60.0, inf)
DELTAS = (0.0, 1e-320, 1e-12, 1e-6, 0.01, 0.1, 0.5, 1.0)
TIGHT = mp.mpf(10) ** -40  # what the 60 digits of the truth may be off
ORDINARY = 1e-9


def by_all_methods(rounds, h0, h1):
    """Return the chosen curve and that of every other method that can do the problem."""
    listed = Sequence(rounds, h0.k)
    tried = [exact.curve_by(method, listed, h0, h1) for method in exact.METHODS]
    curves = [curve for curve in tried if curve is not None]
    assert hypothesis_dp(rounds, h0, h1).method == curves[0].method
    return curves


def never_below(curves, p, q, tight=None):
    """Check both ends of all curves against two lists of probabilities; return how far above the truth they get."""
    above = 0.0
    for direction, (a, b) in {"pq": (p, q), "qp": (q, p)}.items():
        sure = sum((x for x, y in zip(a, b, strict=True) if not y), mp.mpf(0))
        deltas = [min(truth.delta_at(a, b, mp.exp(e)) if e < inf else sure, 1) for e in EPS]
        losses = [mp.log(truth.ratio_at(a, b, truth.as_mp(d))) if d < 1 else 0 for d in DELTAS]
        for curve in curves:
            found = curve.bracket(eps=np.array(EPS), direction=direction)
            above = max(above, widest(found, deltas, 1e-3, (curve.method, direction, "delta")))
            assert np.array_equal(found[1], curve.delta(np.array(EPS), direction))
            found = curve.bracket(delta=np.array(DELTAS), direction=direction)
            above = max(above, widest(found, losses, 0.01, (curve.method, direction, "epsilon")))
            assert np.array_equal(found[1], curve.epsilon(np.array(DELTAS), direction))
    assert tight is None or above <= tight
    return above


def widest(bracket, truths, least, where):
    """Check that the truths lie between two ends; return how far above the upper ones are, where more than `least`."""
    above = 0.0
    for low, high, true in zip(*bracket, truths, strict=True):
        assert low <= true * (1 + TIGHT) + TIGHT, (where, low, float(true))
        assert high >= true * (1 - TIGHT) - TIGHT, (where, float(true), high)
        above = max(above, high / true - 1 if least < true < inf and high < inf else 0)
    return above


def random_law(draw, k, weights):
    chosen = draw.sample(truth.vectors(k), draw.randint(1, min(2**k, 6)))
    ws = [weights() for _ in chosen]
    return {b: w / sum(ws) for b, w in zip(chosen, ws, strict=True)}


def random_pair(draw, number):
    n = draw.choice([2, 2, 3, 4])
    rows = [[draw.choice([0, 1, 2, 3, 5]) * number() for _ in range(n)] for _ in range(2)]
    return tuple([x / sum(row) for x in row] for row in rows) if all(map(sum, rows)) else random_pair(draw, number)


def as_truth(law):
    """Return a law of floats or fractions in 60 digits, with a sum of one."""
    total = mp.fsum(truth.as_mp(w) for w in law.values())
    return {b: truth.as_mp(w) / total for b, w in law.items()}


# ------------------------------------------------------------------------------------- small problems, all methods


@pytest.mark.parametrize("seed", range(6))
def test_random_guarantees(seed):
    draw = random.Random(seed)
    extreme = [0, 1e-10, 0.01, 0.5, 1, 2, 5, 30, 50, 300, 800, inf]
    for _ in range(12):
        k = draw.randint(1, 4)
        given = [(draw.choice(extreme), draw.choice([0, 0, 1e-300, 1e-6, 0.01, 0.3, 1])) for _ in range(k)]
        given = given if draw.random() < 0.6 else given[:1] * k
        weights = (lambda: Fraction(draw.randint(1, 9))) if draw.random() < 0.6 else (lambda: draw.random() ** 5)
        laws = [random_law(draw, k, weights) for _ in range(2)]
        curves = by_all_methods([Guarantee(*g) for g in given], *map(Hypothesis.from_dict, laws))
        never_below(curves, *truth.hypothesis_pair([truth.kov(*g) for g in given], *map(as_truth, laws)))


@pytest.mark.parametrize("seed", range(3))
def test_random_pairs_with_many_one_sided_and_impossible_outcomes(seed):
    draw = random.Random(100 + seed)
    for _ in range(16):
        k = draw.randint(1, 4)
        given = [random_pair(draw, draw.random) for _ in range(k)]
        given = given if draw.random() < 0.5 else given[:1] * k
        laws = [random_law(draw, k, lambda: Fraction(draw.randint(1, 9))) for _ in range(2)]
        curves = by_all_methods([Pair(*g) for g in given], *map(Hypothesis.from_dict, laws))
        tables = [tuple([truth.as_mp(x) for x in row] for row in pair) for pair in given]
        never_below(curves, *truth.hypothesis_pair(tables, *map(as_truth, laws)), tight=ORDINARY)


@pytest.mark.parametrize("seed", range(3))
def test_exact_pairs_give_fractions(seed):
    draw = random.Random(200 + seed)
    for _ in range(12):
        k = draw.randint(1, 4)
        given = [random_pair(draw, lambda: Fraction(1)) for _ in range(k)]
        given = given if draw.random() < 0.5 else given[:1] * k
        laws = [random_law(draw, k, lambda: Fraction(draw.randint(1, 9))) for _ in range(2)]
        p, q = truth.hypothesis_pair(given, *laws)
        for curve in by_all_methods([Pair(*g) for g in given], *map(Hypothesis.from_dict, laws)):
            assert curve.exact
            for ratio in (1, Fraction(3, 2), 7):
                assert curve.delta(ratio=ratio, direction="pq") == truth.delta_at(p, q, ratio)
                assert curve.delta(ratio=ratio) == max(truth.delta_at(p, q, ratio), truth.delta_at(q, p, ratio))
            for delta in (0, Fraction(1, 10)):
                assert curve.ratio(delta, "qp") == truth.ratio_at(q, p, delta)


@pytest.mark.parametrize("k", [1, 2, 5, 8])
def test_up_to_eight_rounds(k):
    """Fewer than m against at least m, heterogeneous and equal, in whole numbers."""
    m = max(k // 2, 1)
    few, many = (dict.fromkeys(truth.vectors(k, ones), 1) for ones in (range(m), range(m, k + 1)))
    for ratios in ([2, 3, 2, 5, 4, 2, 7, 3][:k], [3] * k):
        weights = truth.hypothesis_pair([((x, 1), (1, x)) for x in ratios], few, many)
        total = math.prod(1 + x for x in ratios)
        p, q = ([Fraction(w, total * len(h)) for w in side] for side, h in zip(weights, (few, many), strict=True))
        rounds = [randomized_response(ratio=x) for x in ratios]
        curve = hypothesis_dp(rounds, Hypothesis.fewer_than(k, m), Hypothesis.at_least(k, m))
        assert curve.exact and curve.ratio(0, "pq") == truth.ratio_at(p, q)
        assert curve.delta(ratio=Fraction(6, 5), direction="qp") == truth.delta_at(q, p, Fraction(6, 5))


@pytest.mark.parametrize("k", [1, 2, 6])
def test_nowhere_against_somewhere_by_all_methods(k):
    p, q = truth.nonzero_pair(0.7, 0.01, k)
    curves = by_all_methods(Guarantee(0.7, 0.01), Hypothesis.point([0] * k), Hypothesis.nonzero(k))
    never_below(curves, p, q, tight=ORDINARY)


def test_the_numbers_of_the_practices():
    """HBW, section III: fewer than k' practices or at least k' of them, e^eps = 3 and 2."""
    for k, m, ratio, up, down in ((4, 2, 3, "1215/143", "2079/335"), (6, 4, 3, "35721/3817", "657/49")):
        curve = hypothesis_dp(randomized_response(ratio=ratio), Hypothesis.at_least(k, m), Hypothesis.fewer_than(k, m))
        assert (curve.ratio(0, "pq"), curve.ratio(0, "qp")) == (Fraction(up), Fraction(down))
    five = hypothesis_dp(randomized_response(ratio=2), Hypothesis.fewer_than(5, 2), Hypothesis.at_least(5, 2))
    assert five.ratio() == Fraction(696, 143)


def test_directions_differ_and_both_is_the_larger():
    curve = hypothesis_dp(Guarantee(1), Hypothesis.point("0" * 10), Hypothesis.nonzero(10))
    assert curve.epsilon(0, "qp") == pytest.approx(6.202120129630861, rel=1e-12)
    assert curve.epsilon(0, "pq") == pytest.approx(3.842460638475909, rel=1e-12)
    assert curve.epsilon(0) == curve.epsilon(0, "qp")
    swapped = hypothesis_dp(Guarantee(1), Hypothesis.nonzero(10), Hypothesis.point("0" * 10))
    assert swapped.epsilon(0.01, "pq") == curve.epsilon(0.01, "qp")


HALVES = {"0": Fraction(1, 2), "1": Fraction(1, 2)}
NEARLY_SURE = {"10": 1 - 2.0**-53, "01": 2.0**-53}


@pytest.mark.parametrize(
    ("rounds", "h0", "h1"),
    [
        ([(800, 0.01), (0.3, 0)], {"00": 0.25, "11": 0.75}, {"10": 0.5, "01": 0.5}),  # e^-800 is no float
        ([(720, 0)], {"0": 0.25, "1": 0.75}, {"1": 1.0}),  # e^-720 is one with few digits
        ([(0, 1e-300)], {"0": 1}, HALVES),  # an open answer whose logarithm is -690
        ([(0, 1e-300)] * 2, {"00": 1}, {"01": 2.0**-66, "11": 1 - 2.0**-53, "10": 2.0**-53 - 2.0**-66}),  # 1e-320
        ([(0.5, 1), (0.5, 1)], NEARLY_SURE, {"10": 2.0**-120, "01": 0.5 - 2.0**-120, "11": 0.5}),
        ([(0.5, 1)], {"0": 0.9516624319199551, "1": 1 - 0.9516624319199551}, {"0": 2.0**-121, "1": 1 - 2.0**-121}),
        (
            [(inf, 0), (5, 1)],
            {"00": Fraction(1, 3), "11": Fraction(2, 3)},
            {"00": Fraction(2, 3), "01": Fraction(1, 3)},
        ),
    ],
)
def test_ends_where_a_probability_is_hardly_a_float(rounds, h0, h1):
    """Both ends, in both directions, in 400 digits; what underflows is possible all the same."""
    with mp.workdps(400):
        curve = hypothesis_dp([Guarantee(*g) for g in rounds], Hypothesis.from_dict(h0), Hypothesis.from_dict(h1))
        laws = [as_truth({tuple(map(int, bits)): w for bits, w in law.items()}) for law in (h0, h1)]
        p, q = truth.hypothesis_pair([truth.kov(*g) for g in rounds], *laws)
        for direction, (a, b) in {"pq": (p, q), "qp": (q, p)}.items():
            for delta in (0.0, 1e-300, 0.1, 0.3):
                low, high = curve.bracket(delta=delta, direction=direction)
                true = mp.log(truth.ratio_at(a, b, mp.mpf(delta)))
                assert low <= true <= high or true == high == inf
            for eps in (0.0, 0.5, 700.0, 1e6):
                low, high = curve.bracket(eps=eps, direction=direction)
                true = truth.delta_at(a, b, mp.exp(mp.mpf(eps)))
                assert low <= true + mp.mpf(10) ** -380 and true <= high + mp.mpf(10) ** -380


def test_pairs_that_underflow_are_not_the_same():
    """Guarantees of 800 and 900 have the same floats; only their losses differ."""
    h0, h1 = Hypothesis.uniform(["00", "11"]), Hypothesis.uniform(["01", "10"])
    pairs = [Guarantee(800).curve, Guarantee(900).curve]
    again = hypothesis_dp([Guarantee(800), Guarantee(900)], h0, h1)
    assert hypothesis_dp(pairs, h0, h1).epsilon(0.0) == pytest.approx(again.epsilon(0.0), rel=1e-9)


def test_every_question_of_a_curve():
    """Trade-off, region and domination of a curve in floats, against all tests of the listed views."""
    rounds, h0, h1 = [(0.7, 0.01), (1.2, 0)], {"00": 0.25, "11": 0.75}, {"10": 0.5, "01": 0.5}
    curve = hypothesis_dp([Guarantee(*g) for g in rounds], Hypothesis.from_dict(h0), Hypothesis.from_dict(h1))
    laws = [as_truth({tuple(map(int, bits)): w for bits, w in law.items()}) for law in (h0, h1)]
    p, q = truth.hypothesis_pair([truth.kov(*g) for g in rounds], *laws)
    for alpha in (0.0, 1e-9, 0.1, 0.37, 0.9, 1.0):
        tangents = []  # a test accepts the first hypothesis from some ratio x on: beta >= sum min(q, p/x) - alpha/x
        for x in [a / b for a, b in zip(p, q, strict=True) if a and b]:
            tangents.append(sum(min(b, a / x) for a, b in zip(p, q, strict=True)) - mp.mpf(alpha) / x)
        true = max(*tangents, 0)
        assert true * (1 - mp.mpf(10) ** -10) <= curve.tradeoff(alpha) <= true + TIGHT
    region = curve.region()
    assert region[0].tolist() == [0, 1] and region.min() == 0 and region.max() == 1
    weaker = hypothesis_dp([Guarantee(*g) for g in rounds], Hypothesis.point("00"), Hypothesis.point("11"))
    assert curve.dominates(curve) and weaker.dominates(curve) and not curve.dominates(weaker)


# ------------------------------------------------------------------------------------------------- large problems


@pytest.mark.parametrize(
    ("k", "eps", "low", "high"), [(50, 0.3, 10, 20), (150, 0.1, 40, 60), (150, 5.0, 70, 90), (100, 1e-10, 40, 60)]
)
def test_number_of_ones_against_polynomials(k, eps, low, high):
    """The middle: uniform on a range of counts against uniform on another."""
    h0, h1 = Hypothesis.between(k, 0, low), Hypothesis.between(k, low, high)
    pair = tuple(row[1:3] for row in truth.kov(eps))
    laws = (truth.views_by_count(k, pair, truth.binomial_counts(k, *ends)) for ends in ((0, low), (low, high)))
    curve = hypothesis_dp(Guarantee(eps), h0, h1)
    assert curve.method == "number of ones"
    never_below([curve], *laws, tight=1e-8 if eps > 1 else ORDINARY)


def test_number_of_ones_with_other_pairs_and_tiny_weights():
    """A pair far from symmetric, and weights that hardly are floats."""
    weights = [1.0 - 1e-9, *[0.0] * 98, 1e-9 - 1e-300, 1e-300]
    pair = [0.999, 0.001], [0.99, 0.01]
    h0, h1 = Hypothesis.by_count(100, weights), Hypothesis.between(100, 20, 60)
    counts = [truth.as_mp(w) / mp.fsum(weights) for w in weights], truth.binomial_counts(100, 20, 60)
    laws = (truth.views_by_count(100, pair, c) for c in counts)
    never_below([hypothesis_dp(Pair(*pair), h0, h1)], *laws, tight=1e-8)


def test_exact_number_of_ones():
    k, ratio = 60, 3
    curve = hypothesis_dp(randomized_response(ratio=ratio), Hypothesis.fewer_than(k, 9), Hypothesis.at_least(k, 9))
    up = Fraction(
        sum(math.comb(k, j) * ratio**j for j in range(9, k + 1)), sum(math.comb(k, j) for j in range(9, k + 1))
    )
    down = Fraction(sum(math.comb(k, j) * ratio**j for j in range(9)), sum(math.comb(k, j) for j in range(9)))
    assert curve.exact and curve.ratio(0, "qp") == up / down  # at the view 11...1


@pytest.mark.parametrize(
    ("eps", "delta", "k"),
    [(0.01, 0, 1000), (3.0, 0, 300), (20.0, 0, 3), (40.0, 0, 40), (1e-10, 0, 7), (0.1, 1e-5, 60)],
)
def test_nowhere_against_somewhere(eps, delta, k):
    """The closed form and the recurrence; at eps = 20 and 40 the probability of 00...0 is nearly one."""
    p, q = truth.nonzero_pair(eps, delta, k, most=6)
    guarantee, zero, nonzero = Guarantee(eps, delta), Hypothesis.point([0] * k), Hypothesis.nonzero(k)
    curve = hypothesis_dp(guarantee, zero, nonzero)
    assert curve.method == ("number of ones" if delta else "closed form")
    never_below([curve], p, q, tight=ORDINARY)
    if k <= 300:
        again = exact.curve_by("number of ones", Sequence(guarantee, k), zero, nonzero)
        never_below([again], p, q, tight=1e-8)


def test_few_vectors_with_many_rounds():
    """Nowhere, or in one of two groups of 25 databases: the two groups' answers are counted."""
    n, eps = 25, 0.2
    curve = hypothesis_dp(
        Guarantee(eps), Hypothesis.point("0" * 2 * n), Hypothesis.uniform(["1" * n + "0" * n, "0" * n + "1" * n])
    )
    assert curve.method == "columns of bits"
    (big, small) = (x for x in truth.kov(eps)[0] if x)
    zero = [math.comb(n, m) * big ** (n - m) * small**m for m in range(n + 1)]
    one = zero[::-1]
    p = [a * b for a in zero for b in zero]
    q = [(one[i] * zero[j] + zero[i] * one[j]) / 2 for i in range(n + 1) for j in range(n + 1)]
    never_below([curve], p, q, tight=ORDINARY)


def test_two_vectors_are_the_optimal_composition():
    curve = hypothesis_dp(Guarantee(0.1, 1e-6), Hypothesis.point("01" * 1000), Hypothesis.point("0" * 2000))
    assert curve.method == "two vectors"
    assert curve.epsilon(0.01) == optimal(Guarantee(0.1, 1e-6), k=1000).epsilon(0.01)
    pair = Pair([0.6, 0.4], [0.4, 0.6])
    concrete = hypothesis_dp(pair, Hypothesis.point("0" * 2000), Hypothesis.point("1" * 2000))
    best = optimal(Guarantee(math.log(1.5)), k=2000)
    assert concrete.epsilon(1e-6) == pytest.approx(best.epsilon(1e-6), rel=1e-8)


def test_three_outcomes_beyond_the_floats():
    """The rarest views are no floats any more; their losses count all the same."""
    pair = Pair([0.9, 0.1 - 1e-9, 1e-9], [0.5, 0.4, 0.1])
    curve = hypothesis_dp(pair, Hypothesis.point("0" * 40), Hypothesis.point("1" * 40))
    assert curve.method == "columns of bits"
    true = 40 * mp.log(mp.mpf(0.1) / mp.mpf(1e-9))
    assert true <= curve.epsilon(0, "qp") <= true * (1 + 1e-8)
    assert curve.delta(1.0, "pq") == pytest.approx((pair**40).delta(1.0, "pq"), rel=1e-8)


def test_rare_views_beyond_the_floats_are_not_forgotten():
    """C(k, m) / 2^k is no float here, but the view's probability is."""
    k, eps = 1080, 0.277
    curve = hypothesis_dp(Guarantee(eps), Hypothesis.between(k, 0, 1), Hypothesis.point("1" * k))
    big, small = (x for x in truth.kov(eps)[0] if x)
    ratio = (1 + k * small / big) / (1 + k) * (big / small) ** k
    assert curve.epsilon(0, "pq") >= mp.log(ratio)
    assert curve.delta(float(mp.log(ratio)) - 0.1, "pq") > 1e-290


# ------------------------------------------------------------------------------------------------------ the edges


def test_equal_hypotheses_tell_nothing():
    for h in (
        Hypothesis.uniform(["01", "10"]),
        Hypothesis.between(9, 2, 4),
        Hypothesis.from_dict({"0": 0.3, "1": 0.7}),
    ):
        curve = hypothesis_dp(Guarantee(3, 0.1), h, h)
        assert curve.epsilon(0) == 0 and curve.delta(0.0) == 0


def test_nothing_asked_nothing_told():
    curve = hypothesis_dp(Guarantee(0), Hypothesis.point("000"), Hypothesis.uniform(["011", "100"]))
    assert curve.epsilon(0) == 0 and curve.delta(0.0) == 0


def test_disjoint_and_nested_supports():
    disjoint = hypothesis_dp(Guarantee(inf), Hypothesis.uniform(["00", "11"]), Hypothesis.uniform(["01", "10"]))
    assert disjoint.delta(inf) == 1 and disjoint.epsilon(0) == inf
    nested = hypothesis_dp(Guarantee(inf), Hypothesis.point("01"), Hypothesis.uniform(["00", "01", "10", "11"]))
    assert nested.epsilon(0, "pq") == pytest.approx(math.log(4), rel=1e-13)
    assert nested.epsilon(0, "qp") == inf and nested.delta(inf, "qp") == pytest.approx(0.75, rel=1e-12)
    open_ = hypothesis_dp(Guarantee(1, 1), Hypothesis.uniform(["001", "110"]), Hypothesis.uniform(["001", "010"]))
    assert open_.delta(inf) == pytest.approx(0.5, rel=1e-12)


def test_no_view_tells_more_than_the_vector():
    """The prior caps the loss, also where it hardly differs from one."""
    h0, h1 = Hypothesis.from_dict({"0": 0.3, "1": 0.7}), Hypothesis.from_dict({"0": 0.1 + 0.2, "1": 1 - (0.1 + 0.2)})
    curve = hypothesis_dp(Guarantee(50), h0, h1)
    assert 0 < curve.epsilon(0) < 1e-13
    assert curve.delta(0.0) > 0
    tiny = Hypothesis.from_dict({"0": 1e-300, "1": 1.0}), Hypothesis.from_dict({"0": 3e-300, "1": 1.0})
    assert math.log(3) <= exact.prior_loss(*tiny[::-1]) < math.log(3) + 1e-11


def test_exact_laws_round_their_logarithms_to_the_safe_side():
    """Fractions with hundreds of digits: the difference of two logarithms would lose the last ones."""
    h0, h1 = Hypothesis.between(400, 100, 200), Hypothesis.between(400, 101, 200)
    curve = hypothesis_dp(randomized_response(ratio=Fraction(101, 100)), h0, h1)
    assert curve.exact
    for direction in ("pq", "qp"):
        ratio = curve.ratio(0, direction)
        assert curve.epsilon(0, direction) >= mp.log(truth.as_mp(ratio))
        assert curve.delta(0.0, direction) >= truth.as_mp(curve.delta(ratio=1, direction=direction))


def test_a_delta_that_is_exactly_reached():
    one_sided = Pair([Fraction(1, 2), Fraction(1, 2), 0], [0, Fraction(1, 2), Fraction(1, 2)])
    curve = hypothesis_dp(one_sided, Hypothesis.point("0"), Hypothesis.point("1"))
    assert curve.epsilon(0.5) == pytest.approx(0, abs=1e-15) and curve.epsilon(0.49) == inf


def test_the_curve_is_a_curve():
    curve = hypothesis_dp(randomized_response(ratio=3), Hypothesis.fewer_than(4, 2), Hypothesis.at_least(4, 2))
    p, q = curve.pair.p, curve.pair.q
    assert sum(p) == sum(q) == 1
    assert curve.tradeoff(0) == 1 and curve.tradeoff(1) == 0
    line = 1 - curve.delta(ratio=2, direction="pq") - 2 * curve.tradeoff(Fraction(1, 3))
    assert line <= Fraction(1, 3)
    assert "by number of ones" in repr(curve) and curve.left_out == 0
    assert curve.ratio(0.1) >= math.exp(curve.epsilon(0.1))
    with pytest.raises(ValueError, match="exactly one of eps and ratio"):
        curve.delta()


def test_what_is_left_out_is_counted_as_lost():
    curve = hypothesis_dp(Guarantee(0.1, 0.1), Hypothesis.fewer_than(150, 30), Hypothesis.at_least(150, 30))
    assert 0 < curve.left_out < 1e-6
    assert curve.delta(30.0) >= curve.left_out


@pytest.mark.parametrize(
    ("h0", "h1", "hint"),
    [
        (Hypothesis.fewer_than(30, 3), Hypothesis.at_least(30, 3), "few vectors"),
        (Hypothesis.fewer_than(30000, 3), Hypothesis.at_least(30000, 3), "few vectors"),
    ],
)
def test_too_many_rounds_for_different_guarantees(h0, h1, hint):
    rounds = [Guarantee(0.1), *[Guarantee(0.2)] * (h0.k - 1)]
    with pytest.raises(ValueError, match=hint) as caught:
        hypothesis_dp(rounds, h0, h1)
    assert f"k = {h0.k}" in str(caught.value)


def test_too_many_rounds_for_equal_guarantees():
    big = Hypothesis.fewer_than(25_000, 3), Hypothesis.at_least(25_000, 3)
    with pytest.raises(ValueError, match="by_count"):
        hypothesis_dp(Guarantee(0.1), *big)
    three = Pair([0.5, 0.3, 0.2], [0.3, 0.3, 0.4])
    with pytest.raises(ValueError) as caught:
        hypothesis_dp(three, Hypothesis.fewer_than(40, 3), Hypothesis.at_least(40, 3))
    assert "by_count" not in str(caught.value)  # which could not do it either


# --------------------------------------------------------------------------------------------------- the hypotheses


def test_makers_and_what_they_know():
    half = Fraction(1, 2)
    assert Hypothesis.uniform(["01", "10"]).law == {(0, 1): half, (1, 0): half}
    assert Hypothesis.point([0, 1, 1]).vector == (0, 1, 1)
    assert Hypothesis.at_least(3, 2).law == truth.uniform(truth.vectors(3, {2, 3}))
    assert Hypothesis.fewer_than(3, 2).law == truth.uniform(truth.vectors(3, {0, 1}))
    assert Hypothesis.nonzero(3).law == truth.uniform(truth.vectors(3, {1, 2, 3}))
    assert Hypothesis.fewer_than(3, 4).size == 8 and Hypothesis.fewer_than(3, 1).is_zero
    counted = Hypothesis.by_count(3, [half, 0, half, 0])
    assert counted.law == {(0, 0, 0): half, **{b: Fraction(1, 6) for b in truth.vectors(3, {2})}}
    assert list(Hypothesis.from_dict(counted.law).counts) == [half, 0, half, 0]
    assert Hypothesis.from_dict({"001": 1, "110": 0}).is_point
    assert Hypothesis.from_dict({"01": 0.25, "10": 0.75}).counts is None
    assert Hypothesis.nonzero(6).mean_count() == Fraction(6 * 32, 63)
    assert not Hypothesis.from_dict({"0": 0.5, "1": 0.5}).exact
    assert Hypothesis.nonzero(100_000).k == 100_000 and "100000 bits" in repr(Hypothesis.nonzero(100_000))


def test_logarithms_of_counts():
    for h, low, high in ((Hypothesis.between(2500, 3, 2000), 3, 2000), (Hypothesis.nonzero(700), 1, 700)):
        total = mp.log(sum(math.comb(h.k, i) for i in range(low, high + 1)))
        for j in (3, 600, 690):
            true = mp.log(math.comb(h.k, j)) - total
            assert abs(h.log_counts()[j] - true) <= abs(true) * 1e-14


def test_samples_follow_the_law():
    rng = np.random.default_rng(3)
    for h in (Hypothesis.from_dict({"001": 0.2, "110": 0.8}), Hypothesis.by_count(3, [0.1, 0.6, 0.3, 0])):
        drawn = [h.sample(rng) for _ in range(4000)]
        for bits, weight in h.law.items():
            assert abs(drawn.count(bits) / 4000 - weight) < 4 * math.sqrt(weight / 4000)


def test_up_to_six_vectors_are_shown():
    listed = [f"{n:03b}" for n in range(1, 8)]
    assert "110 with 1/6" in repr(Hypothesis.uniform(listed[:6]))
    assert repr(Hypothesis.uniform(listed)) == "<Hypothesis on 7 vectors of 3 bits>"
