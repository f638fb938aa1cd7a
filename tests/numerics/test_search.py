"""The search with a safe end: what it returns holds, and its neighbour does not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpteach.numerics.search import first_true, first_true_each, inverse

numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers, numbers)
def test_the_border_itself_is_found_in_both_directions(start, border, end):
    start, border, end = sorted((start, border, end))
    assert first_true(lambda x: x >= border, start, end) == border
    assert first_true(lambda x: x <= border, end, start) == border


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=6))
def test_arrays_are_searched_entry_by_entry(cases):
    starts, borders, ends = np.sort(np.array(cases), axis=1).T
    assert np.array_equal(first_true_each(lambda x: x >= borders, starts, ends), borders)
    assert np.array_equal(first_true_each(lambda x: x <= borders, ends, starts), borders)


@given(st.floats(1e-3, 1e3), st.sampled_from([1e-3, 1e-9]))
def test_a_tolerance_stops_early_and_on_the_safe_side(border, rtol):
    asked = []

    def holds(x):
        asked.append(x)
        return x >= border

    found = first_true(holds, 0.0, 2e3, rtol)
    assert border <= found <= border * (1 + 2 * rtol)
    assert len(asked) <= 2 + math.log2(2e3 / (border * rtol / 2))
    assert border <= first_true_each(lambda x: x >= border, np.zeros(3), 2e3, rtol)[2] <= border * (1 + 2 * rtol)


def test_the_end_is_never_asked():
    """A statement whose rounded form fails at the very end, where it is known to hold, still has an answer."""
    assert first_true(lambda x: False, 0.0, 1.0) == 1.0
    assert list(first_true_each(lambda x: np.full(x.shape, False), np.zeros(2), np.ones(2))) == [1.0, 1.0]


def test_a_statement_that_always_holds_is_answered_at_once():
    asked = []
    assert first_true(lambda x: asked.append(x) is None, 0.0, 1.0) == 0.0
    assert asked == [0.0]


def test_the_smallest_floats_and_infinity():
    assert first_true(lambda x: x > 0, 0.0, 1.0) == 5e-324
    assert first_true(lambda x: x >= 1e300, 0.0, 1.7e308) == 1e300
    assert first_true_each(lambda x: x > 0, 0.0, 1.0) == pytest.approx(5e-324, rel=0)


def test_the_inverse_of_a_falling_curve_for_each_entry():
    """Of e^-x, known up to a factor of 1 +- 1e-6; where no argument will do, and where 0 does."""

    def curve(x, rounding):
        return np.exp(-x) * (1 + rounding * 1e-6)

    targets = np.array([2.0, 0.5, 1e-3, 1e-9])
    low, high = (inverse(curve, targets, (0.0, 10.0), rounding) for rounding in (-1, +1))
    assert low[0] == high[0] == 0 and (low[3], high[3]) == (10, np.inf)
    assert low[1:3] == pytest.approx(-np.log(targets[1:3]) - 1e-6, abs=1e-9)
    assert high[1:3] == pytest.approx(-np.log(targets[1:3]) + 1e-6, abs=1e-9)
