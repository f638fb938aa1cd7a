"""Two halves: lists of some thirty guarantees of any sizes, against full enumeration in 60 digits."""

from fractions import Fraction as F
from math import inf, nextafter

import numpy as np
import pytest
import truth
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from dpteach import Guarantee, optimal
from dpteach.numerics.coins import coin_law
from dpteach.numerics.halves import HalvesCurve, two_halves

pytestmark = pytest.mark.filterwarnings("error")

DIGITS = mp.mpf("1e-11")


def check(curve, epsilons, places, targets):
    """Check the two ends against the truth, strictly, and that they are close."""
    law = truth.losses(epsilons)

    def delta_of(at):
        return truth.mixed_delta([(eps, 0) for eps in epsilons], F(float(at)), law)

    for at in places:
        exact, low, high = delta_of(at), *curve.bracket(eps=at)
        assert low <= exact <= high <= low * (1 + DIGITS) + mp.mpf(1e-320)
    for target in targets:
        low, high = curve.bracket(delta=target)
        assert delta_of(high) <= target <= delta_of(low) and high - low <= DIGITS * high
    assert curve.reached


def test_large_and_tiny_ones_together():
    """1 to 11 beside 1e-7 to 1.1e-6: the bracket was (64.8878, 66.0000066), and nothing said so."""
    epsilons = [*map(float, range(1, 12)), *(i * 1e-7 for i in range(1, 12))]
    curve = optimal([Guarantee(eps) for eps in epsilons])
    assert curve.epsilon(0.4) == pytest.approx(64.887801, abs=5e-7)
    check(curve, epsilons, [64.0, 66.0, 66.0000065], [0.4, 1e-3, 1e-7])


@pytest.mark.parametrize("step", [2.0**-12, 2.0**-30, 2.0**-45])
def test_nearly_equal_ones(step):
    """Twenty-three of them: one delta was 780 times the truth."""
    epsilons = [1 + m * step for m in range(23)]
    curve = optimal([Guarantee(eps) for eps in epsilons])
    top = sum(epsilons)
    places = [1.0, 17.5, 19 + 100 * step, 21.0, top - 3 * step, nextafter(top, 0)]
    check(curve, epsilons, [at for at in places if at < top], [0.3, 1e-5, 1e-8])


def test_equal_sums_are_one_loss():
    """A hundred whole numbers have 5051 different sums; no grid is needed, however many coins."""
    epsilons = [i / 64 for i in range(1, 61)]
    halves = two_halves(dict.fromkeys(epsilons, 1))
    assert halves is not None and max(len(law.losses) for law in halves) < 4000
    check(optimal([Guarantee(eps) for eps in epsilons]), epsilons, [0.0, 10.0, 28.59], [0.1, 1e-9])


def test_too_many_for_two_halves():
    rng = np.random.default_rng(0)
    assert two_halves(dict.fromkeys(rng.uniform(0.1, 1, 30).tolist(), 1)) is not None
    assert two_halves(dict.fromkeys(rng.uniform(0.1, 1, 60).tolist(), 1)) is None


sizes = st.floats(-8, 1.5).map(lambda power: 10.0**power)


@given(st.lists(sizes, min_size=2, max_size=9, unique=True), st.floats(0, 1), st.floats(-200, 0))
def test_property_sound_and_tight(epsilons, share, power):
    coins = dict.fromkeys(epsilons, 1)
    curve = HalvesCurve(coins, two_halves(coins))
    law = truth.losses(epsilons)
    at = share * curve.largest
    exact = truth.mixed_delta([(eps, 0) for eps in epsilons], F(at), law)
    low, high = (float(curve.delta(at, rounding)) for rounding in (-1, 1))
    assert low <= exact <= high <= low * (1 + DIGITS) + mp.mpf(1e-320)
    target = 10.0**power
    low, high = (float(curve.epsilon(target, rounding)) for rounding in (-1, 1))
    assert truth.mixed_delta([(eps, 0) for eps in epsilons], F(high), law) <= target
    assert low == 0 or truth.mixed_delta([(eps, 0) for eps in epsilons], F(low), law) >= target


def test_multiplicities_and_the_region():
    guarantees = [Guarantee(0.125 * i, 0.001) for i in range(1, 31)] + [Guarantee(0.3)] * 5
    curve = optimal(guarantees)
    law = truth.losses([g.epsilon for g in guarantees])
    low, high = curve.bracket(eps=20.0)
    assert low <= truth.mixed_delta([tuple(g) for g in guarantees], F(20), law) <= high < inf
    missed, alarm = curve.region()[: len(curve.region()) // 2 + 1].T
    for eps in (5.0, 20.0):
        assert np.max(1 - alarm - np.exp(eps) * missed) == pytest.approx(curve.delta(eps), rel=1e-3)


def test_merging_adds_what_is_equal():
    law = (coin_law(0.5, 1) @ coin_law(0.25, 2)).merged()
    assert law.losses.tolist() == [1.0, 0.5, 0.0, -0.5, -1.0]
    assert law.probabilities.sum() == pytest.approx(1, rel=1e-15)
