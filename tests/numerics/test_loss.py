"""Sums of losses where floats are at their end: losses that differ beyond them, and chances below them."""

from fractions import Fraction as F
from math import exp, nextafter

import numpy as np
import pytest
from mpmath import mp, mpf

from dpteach import Guarantee, Pair, optimal
from dpteach.numerics.coins import law_of_coins
from dpteach.numerics.loss import PrivacyLoss

TINY = 5e-324


def as_mp(x) -> mpf:
    x = F(x)
    return mpf(x.numerator) / x.denominator


def coins_delta(eps_of_coins, eps):
    """Return delta of single coins by adding up all sums of losses, which are exact fractions."""
    law = {F(0): mpf(1)}
    for size in eps_of_coins:
        up = 1 / (1 + mp.exp(-as_mp(size)))
        longer: dict = {}
        for loss, weight in law.items():
            for step, chance in ((F(size), up), (-F(size), 1 - up)):
                longer[loss + step] = longer.get(loss + step, 0) + weight * chance
        law = longer
    return mp.fsum(w * -mp.expm1(as_mp(F(eps) - loss)) for loss, w in law.items() if loss > F(eps))


@pytest.mark.parametrize("small", [(1e-17, 2.3e-17), (2.3e-17, 1e-17), (1e-18, 7e-18, 3e-17), (4e-17, 5e-18, 2e-18)])
@pytest.mark.parametrize("large", [1.0, 0.75, 3.7])
def test_losses_that_agree_in_all_digits_of_a_float(small, large):
    """Around the largest coin there are sums that only their low digits tell apart; eps is the float in their midst."""
    sizes = [large, *small]
    curve = optimal([Guarantee(size) for size in sizes])
    with mp.workdps(120):
        for eps in (large, nextafter(large, 0), nextafter(large, 9)):
            low, high = curve.bracket(eps=eps)
            truth = coins_delta(sizes, eps)
            assert low <= truth <= high and high - low <= 1e-13 * truth + 1e-40


def test_sums_that_differ_beyond_their_low_digits():
    """Three coins whose sum needs more than 106 bits: the bound is not below the truth by what is missing."""
    rng = np.random.default_rng(5)
    with mp.workdps(150):
        for _ in range(60):
            sizes = [1 + rng.random(), *(2.0 ** -rng.integers(40, 75, 3) * (1 + rng.random(3)))]
            near = float(sum(map(F, sizes)))
            for eps in (near, nextafter(near, 0)):
                low, high = optimal([Guarantee(size) for size in sizes]).bracket(eps=eps)
                assert low <= coins_delta(sizes, eps) <= high


def test_the_digits_beyond_are_bounded():
    coins = {0.1: 3, 0.7: 5, 1.9e-9: 2}
    law = law_of_coins(coins)
    exact = [F(0)]
    for size, k in coins.items():
        exact = [loss + (k - 2 * i) * F(size) for loss in exact for i in range(k + 1)]
    kept = [F(high) + F(low) for high, low in zip(law.losses.tolist(), law.low.tolist(), strict=True)]
    assert max(abs(a - b) for a, b in zip(kept, exact, strict=True)) <= F(law.beyond)
    assert law_of_coins({0.25: 1, 1.5: 1}).beyond == 0


@pytest.mark.parametrize("seed", range(4))
def test_many_chances_below_the_smallest_normal_float(seed):
    """Every product is rounded by half of the smallest float, and there are thousands of them."""
    rng = np.random.default_rng(seed)
    p, q = (rng.integers(1, 60, 3000) for _ in range(2))
    if seed % 2:  # chances that make nearly all products round the same way
        p, q = np.full(3000, 3), np.repeat([1, 2], 1500)
    pair = Pair([*(TINY * p), 1.0], [*(TINY * q), 1.0])
    with mp.workdps(60):
        for eps in (0.1, 0.5, 1.0):
            exact = [sum(max(a - mp.exp(eps) * b, 0) for a, b in zip(*laws, strict=True)) for laws in ((p, q), (q, p))]
            low, high = pair.bracket(eps=eps)
            assert low <= max(exact) * mpf(TINY) <= high


def test_steep_gaps_are_counted():
    """The argument of e^-gap is rounded, and a large gap makes much of it: the bound grows with the gap."""
    losses = np.array([700.0, 1 / 3, 0.0])
    weights = np.array([0.5, 1e-300, 0.5])
    law = PrivacyLoss(losses, weights)
    moved = law.sums(+1).T[1] - law.sums(0).T[1]
    assert moved >= 2 * (700 - 1 / 3) * 2.0**-53 * 0.5 * exp(1 / 3 - 700) * 0.99
