"""The grids: brackets that contain the truth, are as narrow as asked for, or say that they are not."""

from fractions import Fraction as F

import numpy as np
import pytest
import truth
from mpmath import mp

from dpteach import Guarantee, optimal
from dpteach.numerics import blocks, grid
from dpteach.numerics.grid import GridBracket

pytestmark = pytest.mark.filterwarnings("error")

RTOL = 1e-6


def random_lists(seed, count):
    """Return lists of 3 to 12 sizes: of one magnitude, of many, in two heaps, or nearly equal; some several times."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        n = int(rng.integers(3, 13))
        span = rng.choice([0.1, 1, 4, 8])
        eps = 10 ** (rng.uniform(-span, 0, n) + rng.uniform(-3, 1))
        if i % 3 == 1:
            eps[: n // 2] *= 10 ** -rng.uniform(2, 7)
        if i % 3 == 2:
            eps = eps[0] * (1 + 10 ** -rng.uniform(1, 12) * rng.random(n))
        yield np.unique(eps).tolist(), rng


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("large", "block"), [(2**10, 2**12), (1, 4), (8, 2)])
def test_any_sizes_against_full_enumeration(seed, large, block, monkeypatch):
    """With many coins off the grid, and with none; with large blocks, and with single coins."""
    monkeypatch.setattr(grid, "MOST_LARGE", large)
    monkeypatch.setattr(grid, "MOST_LONE", large)
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(blocks, "MIXED", 0)
    monkeypatch.setattr(grid, "MOST_POINTS", 2**15)
    for epsilons, rng in random_lists(seed, 5):
        bracket = GridBracket(dict.fromkeys(epsilons, 1), RTOL)
        law = truth.losses(epsilons)
        pairs = [(eps, 0) for eps in epsilons]
        for at in (0.0, *(rng.random(2) * sum(epsilons))):
            low, high = (float(bracket.delta(at, rounding)) for rounding in (-1, 1))
            assert low <= truth.mixed_delta(pairs, F(at), law) <= high
            answer = bracket.answers["delta", at]
            assert answer.reached == (high - low <= RTOL * max(high, 5e-324 / 1e-16))
        for target in 10 ** -rng.uniform([0, 1, 10], [1, 10, 100]):
            low, high = (float(bracket.epsilon(target, rounding)) for rounding in (-1, 1))
            assert truth.mixed_delta(pairs, F(high), law) <= target
            assert low == 0 or truth.mixed_delta(pairs, F(low), law) >= target


def test_lone_large_ones_stay_off_the_grid():
    """A hundred tiny ones beside eleven large ones: their own grid resolves them."""
    rng = np.random.default_rng(3)
    tiny = (10 ** rng.uniform(-7, -5, 100)).tolist()
    bracket = GridBracket(dict.fromkeys([*map(float, range(1, 12)), *tiny], 1), RTOL)
    alone = truth.losses(range(1, 12))
    pairs = [(i, 0) for i in range(1, 12)]
    for target in (0.4, 0.01, 1e-4):
        low, high = (float(bracket.epsilon(target, rounding)) for rounding in (-1, 1))
        assert high - low <= RTOL * high
        assert truth.mixed_delta(pairs, F(high), alone) <= target  # without the tiny ones less is lost
        assert truth.mixed_delta(pairs, F(low) - sum(map(F, tiny)), alone) >= target  # and with their sum more
    assert bracket.reached


def test_ten_thousand_different_ones():
    """Against an integral in the complex plane, good to ten digits."""
    eps = np.random.default_rng(5).uniform(0.001, 0.02, 10_000)
    curve = optimal([Guarantee(e) for e in eps.tolist()])
    low, high = curve.bracket(delta=1e-6)
    assert truth.contour_delta_of_very_many(eps, high) <= 1e-6 <= truth.contour_delta_of_very_many(eps, low)
    assert high - low <= RTOL * high and curve.reached


def test_the_fast_integral_agrees_with_the_one_in_many_digits():
    eps = np.random.default_rng(0).uniform(0.01, 0.2, 300)
    exact = truth.contour_delta(eps, mp.mpf(10), 24)
    assert truth.contour_delta_of_very_many(eps, 10.0) == pytest.approx(float(exact), rel=1e-10)


def test_a_bracket_that_is_too_wide_says_so(monkeypatch):
    """Next to the largest loss no grid is fine enough. There only that loss counts, so the truth is known."""
    monkeypatch.setattr(grid, "MOST_POINTS", 2**15)
    epsilons = [0.1 + (i * 0.6180339887) % 1 for i in range(60)]
    curve = optimal([Guarantee(eps) for eps in epsilons])
    gap = mp.mpf(2) ** -20
    with mp.workdps(40):
        at = float(mp.fsum(mp.mpf(eps) for eps in epsilons) - gap)
        top = mp.fprod(1 / (1 + mp.exp(-mp.mpf(eps))) for eps in epsilons)
        exact = -top * mp.expm1(at - mp.fsum(mp.mpf(eps) for eps in epsilons))
    low, high = curve.bracket(eps=at)
    assert low <= exact <= high
    assert high - low > RTOL * high and not curve.reached
    narrow = optimal([Guarantee(eps) for eps in epsilons])
    narrow.bracket(delta=1e-3, rtol=1e-4)
    assert narrow.reached


def test_an_answer_between_single_losses(monkeypatch):
    """Three sizes far apart: the answer lies many standard deviations below the mean loss, where no loss is."""
    monkeypatch.setattr(grid, "MOST_POINTS", 2**15)
    epsilons = [12.5857881, 0.0256735763, 31.5275928]
    bracket = GridBracket(dict.fromkeys(epsilons, 1), RTOL)
    low, high = (float(bracket.epsilon(0.508290356, rounding)) for rounding in (-1, 1))
    pairs = [(eps, 0) for eps in epsilons]
    assert truth.mixed_delta(pairs, F(high)) <= 0.508290356 <= truth.mixed_delta(pairs, F(low))
    assert high - low <= RTOL * high and bracket.reached
