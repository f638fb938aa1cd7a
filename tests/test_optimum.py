"""The exact optimum: never below the truth (strictly, no tolerance) and at most 1e-9 above it."""

import sys
from fractions import Fraction as F
from functools import cache, partial
from math import inf, log, nextafter

import numpy as np
import pytest
import truth
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp

from dpteach import Guarantee, Pair, mechanisms, optimal
from dpteach.optimum import ExactCurve

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

TIGHT = mp.mpf("1e-9")
TINY = mp.mpf(5e-324)  # the smallest positive float: a value that underflows is rounded up to it


def check_delta(value, exact):
    """Check one delta: a float, not below the exact value and at most 1e-9 above."""
    value = mp.mpf(float(value))
    assert exact <= value <= 1, f"delta {mp.nstr(value, 20)} lies below the truth {mp.nstr(exact, 20)}"
    assert value <= exact * (1 + TIGHT) + (4 * TINY if exact else 0)


def check_epsilon(value, target, delta_of):
    """Check one epsilon without inverting the truth.

    Sound: delta_of(value) <= target. Tight: 1e-9 less would miss the target, or one 1e-13 below it, which is
    the finest question a float can ask where epsilon hardly changes delta.
    """
    value = mp.mpf(float(value))
    assert value >= 0
    if value == mp.inf:
        assert delta_of(mp.inf) > target * (1 - mp.mpf("1e-13"))
        return
    assert delta_of(value) <= target, f"epsilon {mp.nstr(value, 20)} does not reach delta {target}"
    if value > 0:
        assert delta_of(value * (1 - TIGHT)) > target * (1 - mp.mpf("1e-13"))


def random_cases(seed, count):
    """Return random (eps, delta, k): k to 1e6, eps 1e-10 to 50, delta 0 to 0.5."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        k = int(10 ** rng.uniform(0, rng.choice([1, 3, 6])))
        delta = float(rng.choice([0, 10 ** rng.uniform(-15, -1), 10 ** rng.uniform(-300, -12), rng.uniform(0, 0.5)]))
        yield float(10 ** rng.uniform(-10, np.log10(50))), delta, k


def interesting_epsilons(eps, k, rng):
    """Return epsilons across the whole curve, and some within its bulk."""
    drift, spread = k * eps * np.tanh(eps / 2), np.sqrt(k) * eps
    bulk = [drift + t * spread for t in (*rng.uniform(-2, 6, 2), rng.uniform(6, 35))]
    return [float(x) for x in (rng.uniform(0, 1) * k * eps, *bulk) if 0 <= x]


# The truth itself: three ways agree


@pytest.mark.parametrize("ratio", [F(3, 2), F(3), F(11, 10)])
@pytest.mark.parametrize("delta", [F(0), F(1, 10)])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_truth_is_the_product_of_worst_pairs(ratio, delta, k):
    p, q = truth.product_pair([truth.worst_pair(ratio, delta)] * k)
    with mp.workdps(40):
        eps = mp.log(truth.quotient(ratio))
        for at in [F(1), F(6, 5), ratio, ratio ** (k - 1) * F(9, 10)]:
            brute = truth.hockey_stick(p, q, max(at, F(1)))
            value = truth.optimal_delta(eps, truth.quotient(delta), k, mp.log(truth.quotient(max(at, F(1)))))
            assert abs(value - truth.quotient(F(brute))) < mp.mpf("1e-30")


@pytest.mark.parametrize(("eps", "k", "at"), [(0.1, 30, 0.55), (15.0, 60, 391.0), (2.0, 40, 0.0), (1e-9, 25, 3e-9)])
def test_the_truth_of_a_list_agrees_with_the_sum(eps, k, at):
    mixed = truth.mixed_delta([(eps, 0.01)] * k, at)
    assert abs(mixed - truth.optimal_delta(eps, 0.01, k, at)) < mp.mpf("1e-50")


# Soundness and tightness, homogeneous


@pytest.mark.parametrize("seed", range(4))
def test_delta_is_sound_and_tight(seed):
    rng = np.random.default_rng(seed)
    for eps, delta, k in random_cases(seed, 75):
        curve = optimal(Guarantee(eps, delta), k=k)
        for at in interesting_epsilons(eps, k, rng):
            check_delta(curve.delta(at), truth.optimal_delta(eps, delta, k, at))


@pytest.mark.parametrize("seed", range(4))
def test_epsilon_is_sound_and_tight(seed):
    rng = np.random.default_rng(100 + seed)
    for eps, delta, k in random_cases(100 + seed, 75):
        curve = optimal(Guarantee(eps, delta), k=k)
        certain = float(truth.combine([(delta, k)], mp.mpf(0)))
        for tail in (10 ** rng.uniform(-300, 0), 10 ** rng.uniform(-12, 0), rng.uniform(0, 1)):
            target = min(1.0, certain + float(tail) * (1 - certain))
            check_epsilon(curve.epsilon(target), target, partial(truth.optimal_delta, eps, delta, k))


def test_deep_tails_of_long_compositions():
    """Rounding errors add up over thousands of weights, most where delta is smallest."""
    rng = np.random.default_rng(14)
    for _ in range(120):
        eps, k = float(10 ** rng.uniform(-9, -1)), int(10 ** rng.uniform(5, 6))
        at = float(k * eps * np.tanh(eps / 2) + rng.uniform(20, 36) * np.sqrt(k) * eps)
        check_delta(optimal(Guarantee(eps), k=k).delta(at), truth.optimal_delta(eps, 0, k, at))


@given(
    st.floats(1e-10, 50),
    st.one_of(st.just(0.0), st.floats(0, 0.5)),
    st.integers(0, 200),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_property_sound_and_tight(eps, delta, k, share, target):
    curve = optimal(Guarantee(eps, delta), k=k)
    check_delta(curve.delta(share * k * eps), truth.optimal_delta(eps, delta, k, share * k * eps))
    check_epsilon(curve.epsilon(target), target, partial(truth.optimal_delta, eps, delta, k))


@pytest.mark.parametrize("eps", [0.1, 1 / 3, 1e-7, 2.5])
@pytest.mark.parametrize("delta", [0.0, 1e-9])
@pytest.mark.parametrize("k", [1, 2, 3, 10, 101, 10**5])
def test_on_and_beside_the_grid_points(eps, delta, k):
    """Theorem 3.3's corners (k - 2i) eps are seldom floats: ask on both sides too."""
    curve = optimal(Guarantee(eps, delta), k=k)
    for i in {0, 1, k // 4, k // 2 - 1, k // 2} - {-1}:
        corner = (k - 2 * i) * eps
        if corner >= 0:
            for at in (corner, nextafter(corner, inf), max(nextafter(corner, -inf), 0.0)):
                check_delta(curve.delta(at), truth.optimal_delta(eps, delta, k, at))


@pytest.mark.parametrize(("eps", "delta", "k"), [(0.1, 0.0, 10), (0.1, 1e-9, 10), (0.3, 0.25, 3), (1e-3, 0.0, 10**4)])
def test_epsilon_at_the_corners(eps, delta, k):
    curve = optimal(Guarantee(eps, delta), k=k)
    for i in range(0, k // 2 + 1, max(1, k // 12)):
        value = float(truth.optimal_delta(eps, delta, k, (k - 2 * i) * mp.mpf(eps)))
        for target in (value, nextafter(value, 1), nextafter(value, 0)):
            check_epsilon(curve.epsilon(target), target, partial(truth.optimal_delta, eps, delta, k))


@pytest.mark.parametrize(
    ("eps", "k", "at"),
    [(0.01, 10**4, 60.0), (0.5, 2000, 960.0), (1e-3, 10**6, 60.0), (0.1, 2000, 199.95), (1e-4, 10**6, 80.0)],
)
def test_a_delta_that_underflows_is_still_positive(eps, k, at):
    exact = truth.optimal_delta(eps, 0, k, at)
    assert 0 < exact < mp.mpf(1e-300)
    value = optimal(Guarantee(eps), k=k).delta(at)
    assert value > 0
    check_delta(value, exact)


@pytest.mark.parametrize("target", [1e-300, 2.3e-308, 1e-310, 5e-324])
@pytest.mark.parametrize(("eps", "k"), [(0.01, 10**4), (0.1, 1500), (1e-3, 10**6), (3.0, 5000)])
def test_targets_down_to_the_smallest_float(eps, k, target):
    value = optimal(Guarantee(eps), k=k).epsilon(target)
    assert truth.optimal_delta(eps, 0, k, value) <= target
    if target >= 1e-300:
        check_epsilon(value, target, partial(truth.optimal_delta, eps, 0, k))


@pytest.mark.parametrize("delta", [0.0, 1e-300, 0.3])
def test_nothing_leaks_beyond_the_sum(delta):
    curve = optimal(Guarantee(0.1, delta), k=7)
    certain = truth.combine([(delta, 7)], mp.mpf(0))
    for at in (nextafter(7 * 0.1, inf) * 1.000001, 10.0, 1e300, inf):
        check_delta(curve.delta(at), certain)
    assert optimal(Guarantee(0.1), k=7).delta(0.71) == 0
    assert curve.epsilon(float(certain) / 2 if delta else 0.0) == (inf if delta else pytest.approx(0.7))


@pytest.mark.parametrize("k", [0, 1, 2])
def test_small_k(k):
    for eps, delta in ((0.7, 0.0), (0.7, 0.2), (0.0, 0.0), (0.0, 0.2), (30.0, 1e-5)):
        curve = optimal(Guarantee(eps, delta), k=k)
        for at in (0.0, 0.1, 0.7, 1.4, 30.0):
            check_delta(curve.delta(at), truth.optimal_delta(eps, delta, k, at))
        for target in (0.0, 1e-5, 0.1, 0.2, 0.9, 1.0):
            check_epsilon(curve.epsilon(target), target, partial(truth.optimal_delta, eps, delta, k))


def test_composition_of_nothing():
    for nothing in (optimal(Guarantee(1.0, 0.5), k=0), optimal([])):
        assert nothing.delta(0.0) == 0
        assert nothing.epsilon(0.0) == 0


@pytest.mark.parametrize("delta", [1.0, 1 - 2**-53, 1 - 1e-9])
def test_delta_of_almost_one(delta):
    curve = optimal(Guarantee(0.1, delta), k=3)
    for at in (0.0, 0.1, 1.0):
        check_delta(curve.delta(at), truth.optimal_delta(0.1, delta, 3, at))
    assert curve.epsilon(1.0) == 0
    assert curve.epsilon(0.5) == inf


def test_an_extreme_question_raises_no_warning():
    eps, delta, k, target = 7.263115375799108, 0.11943030488309025, 292, 1 - 2**-53
    _, high = optimal(Guarantee(eps, delta), k=k).bracket(delta=target)
    check_epsilon(high, target, partial(truth.optimal_delta, eps, delta, k))


def test_delta_zero_target_is_the_sum():
    for eps, k in ((0.1, 3), (0.1, 7), (1 / 3, 1000), (1e-10, 10**6)):
        value = optimal(Guarantee(eps), k=k).epsilon(0.0)
        assert mp.mpf(value) >= k * mp.mpf(eps)
        assert value == pytest.approx(k * eps, rel=1e-12)


# Reference values


@pytest.mark.parametrize(
    ("k", "eps", "delta", "at", "expected"),
    [
        (1, 1, 0, 0.5, 0.28764913664496792),
        (1, 2, 0, 1, 0.55676994114593974427),
        (2, 1, 0.1, 1, 0.46364611683910335),
        (2, 1, 0.1, 2, 0.19),
        (10, 0.1, 0, 0.5, 0.0099296269173888525),
        (10, 0.1, 0.001, 0.5, 0.019785896082205528),
        (10, 0.1, 0.001, 1, 0.009955119790251765),
        (30, 0.1, 0.001, 1, 0.039818410522130575),
        (100, 0.1, 0, 3, 0.0013613986948316376),
        (100, 0.1, 1e-8, 5, 1.2792628358771327e-6),
        (1000, 0.01, 1e-9, 1, 0.00010931159664023658),
        (1000, 0.1, 0, 20, 3.4579851888497252e-7),
        (50, 1, 0, 40, 0.00075498787117396627),
        (20, 3, 0, 50, 0.7483124427201832),
        (30, 0.1, 0, 0, 0.21401882559112014),
    ],
)
def test_delta_reference(k, eps, delta, at, expected):
    assert float(optimal(Guarantee(eps, delta), k=k).delta(at)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("k", "eps", "delta", "target", "expected"),
    [
        (10, 0.1, 0, 1e-3, 0.75357315487905399),
        (30, 0.1, 0, 1e-5, 2.1101544222423825),
        (30, 0.1, 0.001, 0.04, 0.9974558290411234),
        (30, 0.1, 0.001, 0.03, 1.5905230639557462),
        (10, 0.1, 0.001, 0.01, 0.9710769184818017),
        (2, 1, 0.1, 0.2, 1.9766290874098748578),
        (100, 0.1, 0, 1e-6, 4.7745675881079862),
        (1000, 0.01, 0, 1e-6, 1.365446709993756),
        (1000, 0.1, 0, 1e-9, 23.275739916019328),
        (50, 1, 0, 1e-5, 45.676142751655838),
        (10**4, 1e-3, 0, 1e-5, 0.3406402097337904),
        (10**6, 1e-5, 0, 1e-4, 0.019420427930313688),
        (10**6, 1e-4, 0, 1e-4, 0.27592411274623535),
        (1000, 0.01, 0, 1e-3, 0.782363963145507),
        (100, 0.01, 0, 1e-6, 0.39226394309347234),
    ],
)
def test_epsilon_reference(k, eps, delta, target, expected):
    assert float(optimal(Guarantee(eps, delta), k=k).epsilon(target)) == pytest.approx(expected, rel=1e-9)


def test_the_corners_of_ten_mechanisms():
    expected = [
        0,
        0.000288233857618648,
        0.0031322675761113533,
        0.016080131993212995,
        0.05230441400313116,
        0.12253622356149267,
    ]
    at = np.array([float((10 - 2 * i) * F(1, 10)) for i in range(6)])
    assert optimal(Guarantee(0.1), k=10).delta(at) == pytest.approx(expected, rel=1e-9, abs=1e-15)


# The curve as an object


def test_arrays_agree_with_scalars():
    for curve in (optimal(Guarantee(0.1, 1e-4), k=100), optimal([Guarantee(0.1), Guarantee(0.35, 0.01)])):
        at = np.array([[0.0, 0.2], [0.3, 5.0]])
        assert curve.delta(at).shape == (2, 2)
        assert list(curve.delta(at).ravel()) == [curve.delta(x) for x in at.ravel()]
        targets = np.array([0.2, 0.05, 0.011])
        assert list(curve.epsilon(targets)) == [curve.epsilon(x) for x in targets]
        assert np.ndim(curve.delta(0.2)) == 0 and np.ndim(curve.epsilon(0.2)) == 0
        assert isinstance(curve.delta(0.2), float) and isinstance(curve.epsilon(0.2), float)


@pytest.mark.parametrize(("eps", "delta", "k"), [(0.4, 0.0, 5), (0.4, 0.1, 4), (0.1, 0.001, 30), (0.0, 0.1, 3)])
def test_region_and_tradeoff_are_those_of_the_worst_pair(eps, delta, k):
    curve = optimal(Guarantee(eps, delta), k=k)
    x = np.exp(eps)
    pair = Pair(*(np.array(law, dtype=float) for law in truth.worst_pair(x, delta))) ** k
    assert np.asarray(curve.region(), dtype=float) == pytest.approx(np.asarray(pair.region(), dtype=float), abs=1e-9)
    alpha = np.linspace(0, 1, 41)
    assert curve.tradeoff(alpha) == pytest.approx(pair.tradeoff(alpha), abs=1e-9)


def test_the_first_vertices_of_figure_3():
    region = np.asarray(optimal(Guarantee(0.1, 0.001), k=30).region(), dtype=float)
    expected = [(0, 1), (0, 0.97043096726308575), (1.9424229123801547e-10, 0.97043096336162503)]
    assert region[:3] == pytest.approx(np.array(expected), rel=1e-6)
    corner = np.abs(region - (0.31385273270747099, 0.44888773862471439)).max(axis=1)
    assert corner.min() < 1e-9


@pytest.mark.parametrize("k", [3, 1000])
def test_tradeoff_lies_on_or_above_every_line_of_the_curve(k):
    """Every (e, delta(e)) forbids the errors below a line; the trade-off is what they leave."""
    eps = 0.2
    curve = optimal(Guarantee(eps), k=k)
    slopes = [e for e in np.linspace(0, min(k * eps, 60), 30)]
    for alpha in (1e-9, 1e-3, 0.1, 0.4):
        value = mp.mpf(float(curve.tradeoff(alpha)))
        for e in slopes:
            deficit = 1 - truth.optimal_delta(eps, 0, k, e)
            assert value >= deficit - mp.exp(mp.mpf(e)) * alpha - mp.mpf("1e-12")
            assert value >= mp.exp(-mp.mpf(e)) * (deficit - alpha) - mp.mpf("1e-12")


def test_a_bracket_of_equals_is_narrow():
    curve = optimal(Guarantee(0.1), k=100)
    exact = truth.optimal_delta(0.1, 0, 100, 3.0)
    low, high = curve.bracket(eps=3.0)
    assert mp.mpf(low) <= exact <= mp.mpf(high)
    assert high - low <= 1e-9 * high
    assert high == curve.delta(3.0)
    low, high = curve.bracket(delta=1e-6)
    assert truth.optimal_delta(0.1, 0, 100, high) <= 1e-6 <= truth.optimal_delta(0.1, 0, 100, low)
    assert high - low <= 1e-9 * high


# Heterogeneous: the bracket contains the truth


def check_brackets(curve, delta_of, epsilons, targets, rtol=None):
    """Check that brackets contain the truth and that delta() and epsilon() are not below it."""
    extra = {} if rtol is None else {"rtol": rtol}
    for at in epsilons:
        low, high = curve.bracket(eps=float(at), **extra)
        exact = delta_of(float(at))
        assert mp.mpf(low) <= exact <= mp.mpf(high)
        assert exact <= mp.mpf(float(curve.delta(float(at))))
        assert rtol is None or high - low <= rtol * high + 1e-300
    for target in targets:
        low, high = curve.bracket(delta=float(target), **extra)
        assert low <= high
        assert delta_of(high) <= target
        assert low == 0 or delta_of(low) >= target
        assert delta_of(float(curve.epsilon(float(target)))) <= target
        assert rtol is None or high == inf or high - low <= rtol * high + 1e-300


@cache
def lists_of_guarantees():
    """Return lists of up to eleven (eps, delta): generic, repeated, with zeros, nearly equal, far apart."""
    rng = np.random.default_rng(11)
    lists = [
        [(0.1, 0.0), (0.2, 0.0), (0.3, 0.0)],
        [(0.0, 0.0), (0.5, 0.01)],
        [(0.7, 0.0), (nextafter(0.7, 1), 0.0)],
    ]
    lists += [
        [(1e-10, 0.0), (5.0, 1e-9), (0.3, 0.0)],
        [(0.1, 0.0)] * 6 + [(0.25, 1e-3)] * 5,
        [(20.0, 0.0), (45.0, 0.1)],
    ]
    for _ in range(25):
        n = int(rng.integers(1, 11))
        eps = 10 ** rng.uniform(-3, 1, n)
        lists.append([(float(e), float(d)) for e, d in zip(eps, rng.choice([0, 0, 1e-8, 0.05], n), strict=True)])
    return lists


@pytest.mark.parametrize("index", range(31))
def test_short_lists(index):
    pairs = lists_of_guarantees()[index]
    law = truth.losses([eps for eps, _ in pairs])
    curve = optimal([Guarantee(*pair) for pair in pairs])
    total = sum(eps for eps, _ in pairs)
    certain = float(truth.combine([(d, 1) for _, d in pairs], mp.mpf(0)))
    epsilons = [
        0.0,
        *np.random.default_rng(index).uniform(0, total, 3),
        total,
        nextafter(total, 0),
        total * 1.1,
    ]
    targets = [min(1.0, certain + t) for t in (0.3, 0.02, 1e-5, 1e-9)]

    def delta_of(at):
        at = F(10**9) if at == inf else F(float(at))
        return truth.mixed_delta(pairs, at, law)

    check_brackets(curve, delta_of, epsilons, targets)


def test_losses_of_subsets_that_meet_are_not_lost():
    """Corners sum(+-eps) that coincide or almost do: ask exactly there and beside."""
    pairs = [(0.1, 0.0), (0.2, 0.0), (0.3, 0.0), (0.30000000000000004, 0.0), (0.6, 0.0)]
    law = truth.losses([eps for eps, _ in pairs])
    curve = optimal([Guarantee(*pair) for pair in pairs])
    corners = [float(x) for x in law if x >= 0]
    beside = [nextafter(x, d) for x in corners for d in (0.0, inf)]
    check_brackets(curve, lambda at: truth.mixed_delta(pairs, F(float(at)), law), corners + beside, [])


@given(st.lists(st.tuples(st.floats(1e-6, 5), st.sampled_from([0.0, 1e-6, 0.1])), max_size=7), st.floats(0, 1))
def test_property_brackets(pairs, share):
    curve = optimal([Guarantee(*pair) for pair in pairs])
    at = share * sum(eps for eps, _ in pairs)
    check_brackets(curve, lambda e: truth.mixed_delta(pairs, F(10**9) if e == inf else F(float(e))), [at], [])


def test_few_distinct_values_many_times():
    pairs = [(0.1, 1e-7)] * 40 + [(0.23, 0.0)] * 25 + [(0.05, 0.0)] * 10
    law = truth.losses([eps for eps, _ in pairs])
    curve = optimal([Guarantee(*pair) for pair in pairs])
    check_brackets(
        curve, lambda at: truth.mixed_delta(pairs, F(float(at)), law), [0.0, 1.0, 3.3, 6.0], [0.1, 1e-3, 1e-5]
    )


def test_a_list_of_equals_is_k_of_one():
    many, one = optimal([Guarantee(0.1, 1e-4)] * 50), optimal(Guarantee(0.1, 1e-4), k=50)
    for at in (0.0, 0.5, 2.0, 5.0):
        assert many.delta(at) == pytest.approx(one.delta(at), rel=1e-9)


def test_order_does_not_matter():
    pairs = [Guarantee(0.3, 0.01), Guarantee(0.1), Guarantee(0.7), Guarantee(0.11)]
    assert optimal(pairs).delta(0.4) == pytest.approx(optimal(pairs[::-1]).delta(0.4), rel=1e-9)


def test_example_of_theorem_35():
    value = float(optimal([Guarantee(x) for x in (0.1, 0.2, 0.3)]).epsilon(0.01))
    assert value == pytest.approx(0.537796170501605, rel=1e-6)
    assert truth.mixed_delta([(x, 0.0) for x in (0.1, 0.2, 0.3)], value) <= 0.01


@pytest.fixture
def on_the_grid(monkeypatch):
    """Make every list of guarantees too long to be combined one by one, or by halves."""
    monkeypatch.setattr(sys.modules["dpteach.optimum"], "MOST_LOSSES", 0)
    monkeypatch.setattr(sys.modules["dpteach.numerics.halves"], "MOST_IN_A_HALF", 0)


@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-8])
def test_rtol_narrows_the_bracket(rtol, on_the_grid):
    rng = np.random.default_rng(12)
    pairs = [(float(e), 0.0) for e in rng.uniform(0.05, 0.8, 11)]
    law = truth.losses([eps for eps, _ in pairs])
    curve = optimal([Guarantee(*pair) for pair in pairs])
    check_brackets(curve, lambda at: truth.mixed_delta(pairs, F(float(at)), law), [0.5, 2.0], [1e-2, 1e-4], rtol=rtol)


@pytest.mark.parametrize("seed", range(4))
def test_the_grid_agrees_with_the_sum_over_all_losses(seed, on_the_grid):
    """Sizes from 0.0001 to 50 in one list: a single loss may be wider than the grid."""
    rng = np.random.default_rng(seed)
    for _ in range(8):
        eps = np.concatenate([10 ** rng.uniform(-4, 1.7, rng.integers(2, 11)), rng.uniform(5, 50, rng.integers(0, 3))])
        exact, curve = ExactCurve(dict.fromkeys(eps.tolist(), 1)), optimal([Guarantee(e) for e in eps])
        for at in np.array([0.0, 0.3, 0.6, 0.95]) * eps.sum():
            low, high = curve.bracket(eps=at)
            assert low <= exact.delta(at, +1) and exact.delta(at, -1) <= high
        for delta in 10.0 ** -rng.uniform(0, 12, 3):
            low, high = curve.bracket(delta=delta)
            assert low <= exact.epsilon(delta, +1) and exact.epsilon(delta, -1) <= high


def test_one_large_guarantee_among_small_ones():
    """The large one alone is worth 50: nothing may promise less."""
    curve = optimal([Guarantee(50), *(Guarantee(0.01 * i) for i in range(1, 26))])
    alone = optimal(Guarantee(50))
    assert curve.epsilon(0.01) >= alone.epsilon(0.01) > 49
    assert curve.bracket(eps=0)[0] > 0.999


@pytest.mark.parametrize(
    ("guarantees", "least"),
    [
        ([0.001] * 10**5 + [0.002] * 10**5, 3.3),
        ([0.1] * 5000 + [0.11 + i / 1000 for i in range(30)], 58.1),
        ([25 + 0.1 * i for i in range(25)], 654.99),
        ([10.0 ** -(1 + 7 * i) for i in range(40)], 0.09),
    ],
    ids=["two groups", "a group and singles", "all large", "from 0.1 to 1e-274"],
)
def test_brackets_of_unusual_lists_are_narrow(guarantees, least):
    low, high = optimal([Guarantee(eps) for eps in guarantees]).bracket(delta=1e-6)
    assert least < low <= high <= low * (1 + 2e-6)


def test_very_many_equal_guarantees():
    """Beside a normal law: k = 10^9 coins of eps = 1e-5 are mu-Gaussian, mu = sqrt(k) eps, to six digits or so."""
    value = optimal(Guarantee(1e-5), k=10**9).epsilon(1e-6)
    assert value == pytest.approx(mechanisms.gaussian(10**4.5 * 1e-5).epsilon(1e-6), rel=1e-5)
    with pytest.raises(ValueError, match="k must be at most about 10"):
        optimal(Guarantee(1e-9), k=10**15)


def test_nothing_is_minus_zero():
    assert str(optimal(Guarantee(0.4), k=1).delta(0.9)) == "0.0"
    assert str(optimal([]).delta(0)) == "0.0"


def test_epsilon_falls_with_delta_and_never_exceeds_the_sum():
    curve = optimal(Guarantee(700), k=1)
    assert curve.epsilon(1e-300) <= curve.epsilon(0) == 700


def test_a_thousand_different_mechanisms():
    """The case every accountant finds hard: eps_i uniform on [0.01, 0.2], delta = 1e-6."""
    eps = np.random.default_rng(0).uniform(0.01, 0.2, 1000)
    exact = mp.mpf("24.6528308588040")
    assert truth.contour_delta(eps, exact, 24) == pytest.approx(1e-6, rel=1e-12)
    curve = optimal([Guarantee(float(x)) for x in eps])
    low, high = curve.bracket(delta=1e-6)
    assert low <= exact - mp.mpf("1e-13") and exact + mp.mpf("1e-13") <= high
    assert (high - low) < 1e-3 * high
    assert float(curve.epsilon(1e-6)) == pytest.approx(24.6528308588040, rel=1e-3)
    assert mp.mpf(float(curve.epsilon(1e-6))) >= exact - mp.mpf("1e-13")
    low, high = curve.bracket(eps=20.0)
    value = truth.contour_delta(eps, mp.mpf(20), 24)
    assert mp.mpf(low) <= value <= mp.mpf(high)


@pytest.mark.parametrize(("step", "largest"), [(2.0**-10, 120), (2.0**-6, 200), (2.0**-4, 150)])
def test_thirty_different_mechanisms_of_any_size(step, largest):
    """Whole multiples of one step, so that the truth can still be enumerated; eps_i from 0.001 to 9."""
    multiples = np.random.default_rng(1).choice(np.arange(1, largest + 1), 30, replace=False)
    pairs = [(float(m) * step, 0.0) for m in multiples]
    law = truth.losses([eps for eps, _ in pairs])
    curve = optimal([Guarantee(*pair) for pair in pairs])
    losses = sorted(float(x) for x in law if x >= 0)
    delta_of = partial(truth.mixed_delta, pairs, law=law)
    at = [0.0, losses[len(losses) // 4], losses[len(losses) // 2] + step / 3]
    start = float(delta_of(F(0)))
    check_brackets(curve, lambda e: delta_of(F(float(e))), at, [start * 0.9, start * 0.01], rtol=1e-3)
    check_brackets(curve, lambda e: delta_of(F(float(e))), [losses[-2], nextafter(losses[-1], 0)], [1e-8, 1e-200])


@pytest.mark.parametrize("t", [0.0, 1.5, 4.0])
def test_hundreds_of_different_mechanisms(t):
    eps = [float(x) for x in 10 ** np.random.default_rng(13).uniform(-1.3, -0.3, 200)]
    at = sum(x * np.tanh(x / 2) for x in eps) + t * float(np.linalg.norm(eps))
    exact = truth.contour_delta(eps, mp.mpf(at), 60)
    curve = optimal([Guarantee(x) for x in eps])
    low, high = curve.bracket(eps=float(at), rtol=1e-4)
    assert mp.mpf(low) <= exact <= mp.mpf(high)
    assert high - low <= 1e-4 * high
    low, high = curve.bracket(delta=float(exact), rtol=1e-4)
    assert low <= at <= high <= low * (1 + 2e-4)


def test_deltas_of_a_list_multiply():
    pairs = [(0.1, 0.01), (0.2, 0.02), (0.3, 0.0)]
    curve = optimal([Guarantee(*pair) for pair in pairs])
    assert float(curve.delta(0.7)) == pytest.approx(1 - 0.99 * 0.98, rel=1e-12)
    assert curve.epsilon(0.029) == inf
    assert optimal([Guarantee(0.1, 1.0), Guarantee(0.1)]).delta(0.1) == 1


# Laws


@given(st.floats(1e-3, 3), st.floats(0, 0.3), st.integers(1, 60), st.floats(0, 1))
def test_curve_and_inverse_round_trip(eps, delta, k, share):
    curve = optimal(Guarantee(eps, delta), k=k)
    at = share * k * eps
    value = float(curve.delta(at))
    assume(curve.delta(inf) < value)
    back = float(curve.epsilon(value))
    assert truth.optimal_delta(eps, delta, k, back) <= value
    assert back <= at * (1 + 1e-9) + 1e-9 or curve.delta(back) >= value * (1 - 1e-12)


@given(st.floats(1e-3, 3), st.floats(0, 0.3), st.integers(1, 60), st.floats(0, 1))
def test_delta_falls_with_epsilon_and_grows_with_k(eps, delta, k, share):
    at = share * k * eps
    curve, longer = optimal(Guarantee(eps, delta), k=k), optimal(Guarantee(eps, delta), k=k + 1)
    slightly = 1 + 1e-9
    assert curve.delta(at * 1.1) <= curve.delta(at) * slightly
    assert curve.delta(at) <= longer.delta(at) * slightly


def test_one_mechanism_is_its_own_optimum():
    guarantee = Guarantee(log(3), 0.1)
    for at in (0.0, 0.5, 1.0, 2.0):
        assert float(optimal(guarantee, k=1).delta(at)) == pytest.approx(guarantee.curve.delta(at), rel=1e-9)


# ------------------------------------------------------------------------------- many answers, far apart laws


@cache
def exact_boundary(eps: float, k: int) -> list:
    """Return (p, q, alarm below, missed above) of each number of right answers, from 60-digit binomial laws."""
    with mp.workdps(60):
        truthful = 1 / (1 + mp.exp(-mp.mpf(eps)))
        law = [(1 - truthful) ** k]
        for right in range(k):
            law.append(law[-1] * (k - right) / (right + 1) * truthful / (1 - truthful))
        below = [mp.mpf(0)]
        for p in law:
            below.append(below[-1] + p)
        return [(law[i], law[k - i], below[i], below[k - i]) for i in range(k + 1)]  # Q is P read backwards


def exact_tradeoff(eps: float, k: int, alpha: float) -> float:
    """Return the missed detections of the test that rejects P on the least losses, with a coin at the last of them."""
    with mp.workdps(60):
        for p, q, alarm, missed_above in exact_boundary(eps, k):
            if alarm + p >= alpha:
                return float(missed_above + q * (1 - (mp.mpf(alpha) - alarm) / p))
        return 0.0


@pytest.mark.parametrize(("eps", "k"), [(1, 6165), (2, 1707), (5, 409), (10, 173), (20, 79), (0.5, 4000), (0.1, 500)])
def test_tradeoff_where_the_laws_are_far_apart(eps, k):
    curve = optimal(Guarantee(eps), k=k)
    for alpha in (1e-300, 1e-30, 1e-3, 0.1, 0.9):
        told, truth = curve.tradeoff(alpha), exact_tradeoff(eps, k, alpha)
        assert told == pytest.approx(truth, rel=1e-6, abs=1e-300)
    assert curve.tradeoff(0) == 1
    assert np.isfinite(curve.region()).all()


def test_tradeoff_of_many_different_guarantees_is_symmetric_and_finite():
    curve = optimal([Guarantee(0.5 + 0.01 * i, 1e-9) for i in range(60)])
    lower = curve.lower_boundary
    assert np.isfinite(lower).all()
    assert lower[::-1, ::-1] == pytest.approx(lower, abs=1e-9)
    assert curve.tradeoff(0) == pytest.approx(1 - 60e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_pure_epsilon_of_a_list_is_the_sum_on_both_sides(seed):
    rng = np.random.default_rng(seed)
    eps = [0.3, 1.9, 0.7, 0.9] if seed == 0 else (rng.integers(1, 40, size=rng.integers(2, 12)) / 10).tolist()
    exact = sum(map(F, eps))
    low, high = optimal([Guarantee(e) for e in eps]).bracket(delta=0)
    assert F(low) <= exact <= F(high) and high - low <= 2 * np.spacing(high)
