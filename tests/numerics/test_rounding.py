"""Rounding to the safe side, against exact fractions and mpmath."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from dpteach.numerics.rounding import (
    FUNCTION,
    OTHER_FUNCTION,
    PAIRWISE,
    UNIT,
    exact_product,
    exp_to,
    exp_up,
    float_up,
    largest_size,
    log_ratios,
    logarithm_units,
    total,
    up,
)

sizes = st.one_of(
    st.floats(0, 1e3), st.floats(5e-324, 1e-300), st.floats(1e240, 1e300), st.sampled_from([0.1, 0.7, 1.9])
)
terms = st.lists(st.tuples(sizes, st.integers(0, 10**9)), min_size=1, max_size=8)


@given(terms)
def test_a_total_is_the_nearest_float_on_its_side(cases):
    values, counts = zip(*cases, strict=True)
    exact = sum(Fraction(value) * count for value, count in cases)
    above, below = total(values, counts, +1), total(values, counts, -1)
    assert below <= above <= math.nextafter(below, math.inf)
    assert above == math.inf or Fraction(below) <= exact <= Fraction(above)
    assert (below == above) == (above < math.inf and Fraction(above) == exact)


@given(st.floats(0, 1), st.lists(st.tuples(st.floats(0, 1e-2), st.integers(1, 50)), max_size=5))
def test_a_difference_is_rounded_down(delta, spent):
    exact = Fraction(delta) - sum(Fraction(value) * count for value, count in spent)
    told = total([delta, *(-value for value, _ in spent)], [1, *(count for _, count in spent)], -1)
    assert Fraction(told) <= exact < Fraction(math.nextafter(told, math.inf))


@given(st.integers(0, 2**40), st.floats(1e-100, 1e100))
def test_a_product_keeps_all_its_digits(n, x):
    high, low = exact_product(float(n), x)
    assert Fraction(float(high)) + Fraction(float(low)) == Fraction(n) * Fraction(x)


@given(st.fractions(), st.integers(-1000, 1000))
def test_a_fraction_becomes_the_least_float_above_it(value, power):
    value *= Fraction(10) ** power
    told = float_up(value)
    assert told == math.inf or Fraction(told) >= value
    below = math.nextafter(told, -math.inf)
    assert below == -math.inf or Fraction(below) < value


FUNCTIONS = {
    "exp": (np.exp, math.exp, mp.exp, -300, 300, FUNCTION),
    "exp below 0": (np.exp, math.exp, mp.exp, -3, -1e-9, FUNCTION),
    "log": (np.log, math.log, mp.log, 1e-300, 1e300, FUNCTION),
    "log near 1": (np.log, math.log, mp.log, 0.9, 1.1, FUNCTION),
    "expm1": (np.expm1, math.expm1, mp.expm1, -30, 300, FUNCTION),
    "expm1 near 0": (np.expm1, math.expm1, mp.expm1, -0.7, 0.7, FUNCTION),
    "log1p": (np.log1p, math.log1p, mp.log1p, 1e-300, 1e300, FUNCTION),
    "log1p below 0": (np.log1p, math.log1p, mp.log1p, -0.9999, 0, FUNCTION),
    "tanh": (np.tanh, math.tanh, mp.tanh, 1e-300, 30, OTHER_FUNCTION),
    "cosh": (np.cosh, math.cosh, mp.cosh, -300, 300, OTHER_FUNCTION),
    "square": (np.square, lambda x: x**2, lambda x: x * x, 1e-150, 1e150, OTHER_FUNCTION),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_as_good_as_the_error_bounds_take_for_granted(name):
    """A sample, on this machine, one by one and in an array: half of the units that the bounds allow."""
    of_array, of_number, exact, low, high, units = FUNCTIONS[name]
    share = np.arange(1, 2000) * 0.6180339887498949 % 1
    x = low ** (1 - share) * float(high) ** share if low > 0 else low + share * (high - low)
    with mp.workdps(40):
        truth = [exact(mp.mpf(at)) for at in x.tolist()]
        for told in (of_array(x).tolist(), [of_number(at) for at in x.tolist()]):
            assert all(abs(a - b) <= units / 2 * UNIT * abs(b) for a, b in zip(told, truth, strict=True))


@given(st.floats(-700, 700))
def test_powers_of_e_on_either_side(x):
    with mp.workdps(40):
        truth = mp.exp(mp.mpf(x))
        assert float(exp_to(x, -1)) <= truth <= float(exp_up(x)) <= truth * (1 + 16 * mp.mpf(UNIT))


@pytest.mark.parametrize("n", [1, 7, 8, 15, 127, 128, 129, 247, 487, 1000, 12345, 2**17 + 7])
def test_numpy_sums_in_pairs(n):
    """Of one and of many numbers that are each rounded away when they are added to it, and of random ones."""
    for values in (np.append(1.0, np.full(n - 1, UNIT)), np.random.default_rng(n).random(n)):
        for order in (values, values[::-1]):
            exact = math.fsum(order)
            assert abs(np.sum(order) - exact) <= UNIT * (math.log2(n) + PAIRWISE) * exact


@given(st.lists(st.tuples(st.floats(5e-324, 1), st.floats(5e-324, 1)), min_size=1, max_size=5))
def test_logarithms_of_quotients_are_as_good_as_their_bound(laws):
    p, q = np.array(laws).T
    told = log_ratios(p, q)
    with mp.workdps(60):
        exact = [mp.log(mp.mpf(a)) - mp.log(mp.mpf(b)) for a, b in laws]
        off = max(abs(a - b) for a, b in zip(told.tolist(), exact, strict=True))
        assert off <= UNIT * logarithm_units(largest_size(told))


def test_up_moves_the_smallest_floats_too():
    assert up(5e-324) > 5e-324
    assert up(0.0) == 0.0
    assert up(math.inf) == math.inf
    assert up(1.0, size=1e3) >= 1 + 1e3 * 16 * UNIT
