"""Logarithms of fractions and quotients against mpmath."""

from fractions import Fraction as F
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpteach.numerics.rounding import log_fraction, log_ratios


def true_log(x: F) -> mpf:
    return mp.log(mpf(x.numerator)) - mp.log(mpf(x.denominator))


@given(st.fractions(min_value=F(1, 10**6), max_value=10**6))
def test_the_logarithm_of_a_fraction(x):
    with mp.workdps(60):
        assert abs(log_fraction(x) - true_log(x)) <= 4e-16 * abs(true_log(x))


@pytest.mark.parametrize("x", [F(10) ** 400, F(1, 10**400), 1 + F(1, 10**30), 1 - F(1, 10**200), F(7, 2) ** 900])
def test_the_logarithm_of_a_fraction_that_is_no_float(x):
    with mp.workdps(300):
        assert abs(log_fraction(x) / true_log(x) - 1) < 1e-15


def test_the_logarithm_of_zero_and_of_floats():
    assert log_fraction(F(0)) == -inf and log_fraction(0.0) == -inf and log_fraction(F(1)) == 0
    assert log_fraction(5e-324) == pytest.approx(-744.4400719213812) and log_fraction(1e308) == np.log(1e308)


def test_logarithms_of_quotients_keep_the_digits_of_small_losses():
    p = np.array([0.5, 0.25 + 2**-50, 0.0, 0.25, 1e-300, 3e-324])
    q = np.array([0.5, 0.25, 0.5, 0.0, 1e300, 0.5])
    told = log_ratios(p, q)
    with mp.workdps(60):
        for n in (0, 1, 4, 5):
            true = mp.log(mpf(p[n])) - mp.log(mpf(q[n]))
            assert abs(told[n] - true) <= 4e-16 * abs(true)
    assert told[2] == -inf and told[3] == inf


def test_fractions_with_thousands_of_digits():
    """Numerator and denominator have large logarithms, whose difference would lose the digits of a small one."""
    large = 3**40000
    near = 2 ** (large.bit_length() - 1000)
    with mp.workdps(60):
        for x in (F(large, near), F(near, large), F(near, 3 * large)):
            assert abs(log_fraction(x) - true_log(x)) <= 1e-15 * abs(true_log(x))
