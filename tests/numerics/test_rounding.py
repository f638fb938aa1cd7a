"""Rounding to the safe side, against exact fractions and mpmath."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from dpteach.numerics.rounding import FUNCTION, UNIT, exact_product, float_up, total, up

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


@pytest.mark.parametrize(
    ("ours", "exact", "low", "high"),
    [
        (math.exp, mp.exp, -300, 300),
        (math.log, mp.log, 1e-300, 1e300),
        (math.expm1, mp.expm1, -30, 300),
        (math.log1p, mp.log1p, -0.999, 1e300),
        (math.tanh, mp.tanh, 1e-300, 30),
        (math.cosh, mp.cosh, -300, 300),
        (lambda x: x**2, lambda x: x * x, 1e-150, 1e150),
    ],
)
def test_functions_are_as_good_as_the_error_bounds_take_for_granted(ours, exact, low, high):
    """A sample, on this machine: the bounds allow FUNCTION units, twice the worst that any of the usual ones has."""
    with mp.workdps(40):
        for i in range(1, 2000):
            share = i * 0.6180339887498949 % 1
            x = low ** (1 - share) * high**share if low > 0 else low + share * (high - low)
            truth = exact(mp.mpf(x))
            assert abs(ours(x) - truth) <= FUNCTION / 2 * UNIT * abs(truth)


def test_up_moves_the_smallest_floats_too():
    assert up(5e-324) > 5e-324
    assert up(0.0) == 0.0
    assert up(math.inf) == math.inf
    assert up(1.0, size=1e3) >= 1 + 1e3 * 16 * UNIT
