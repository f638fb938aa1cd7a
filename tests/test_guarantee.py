"""An (epsilon, delta) guarantee has a curve: that of its worst pair."""

from math import exp, inf, log

import numpy as np
import pytest
import truth
from mpmath import mp

from dpteach import Guarantee
from dpteach.guarantee import least_error

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

CASES = [
    (1.0, 0.0),
    (1.0, 0.05),
    (log(3), 0.1),
    (0.0, 0.2),
    (0.0, 0.0),
    (1e-10, 1e-300),
    (50.0, 0.5),
    (2.0, 1.0),
]


def curve(eps, delta, at):
    """Return the worst pair's hockey-stick value in mpmath."""
    eps, at, delta = mp.mpf(eps), mp.mpf(at), mp.mpf(delta)
    return delta + (1 - delta) * max(-mp.expm1(at - eps), 0) / (1 + mp.exp(-eps))


@pytest.mark.parametrize(("eps", "delta"), CASES)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.999, 1.0, 1.5])
def test_curve(eps, delta, share):
    at = share * eps
    told, exact = Guarantee(eps, delta).curve.delta(at), curve(eps, delta, at)
    assert exact <= mp.mpf(told) <= exact * (1 + mp.mpf("1e-14"))  # rounded up, by a hair


@pytest.mark.parametrize(("eps", "delta"), [(1.0, 0.0), (1.0, 0.05), (log(3), 0.1), (20.0, 0.01), (50.0, 0.0)])
@pytest.mark.parametrize("share", [0.001, 0.5, 0.99])
def test_inverse(eps, delta, share):
    target = float(curve(eps, delta, share * eps))
    found = float(Guarantee(eps, delta).curve.epsilon(target))
    exact = truth.inverse(lambda e: curve(eps, delta, e), target, eps)
    assert mp.mpf(found) >= exact  # rounded up
    close_in_delta = abs(curve(eps, delta, found) - target) < 1e-14 * target
    assert close_in_delta or found == pytest.approx(float(exact), rel=1e-10)


def test_it_is_two_numbers():
    guarantee = Guarantee(0.5, 1e-6)
    eps, delta = guarantee
    assert (eps, delta) == (0.5, 1e-6) == (guarantee.epsilon, guarantee.delta)
    assert guarantee.epsilon + 1 == 1.5 and isinstance(guarantee.delta, float)
    assert tuple(Guarantee(0.5)) == (0.5, 0.0)


def test_equality_and_printing():
    assert Guarantee(0.5, 0.1) == Guarantee(0.5, 0.1) != Guarantee(0.5, 0.2)
    assert "0.5" in repr(Guarantee(0.5, 0.1)) and "0.1" in repr(Guarantee(0.5, 0.1))


def test_its_own_parameters_lie_on_the_curve():
    guarantee = Guarantee(1.0, 0.05)
    assert guarantee.curve.delta(1.0) == guarantee.delta
    assert guarantee.curve.epsilon(0.05) == pytest.approx(1.0, rel=1e-12)
    assert guarantee.curve.epsilon(0.04) == inf
    assert guarantee.curve.epsilon(1.0) == 0


def test_arrays():
    guarantee = Guarantee(log(3))
    assert guarantee.curve.delta(np.array([0.0, log(2), log(3), 9.0])) == pytest.approx([0.5, 0.25, 0, 0], abs=1e-14)
    assert guarantee.curve.epsilon(np.array([0.5, 0.25, 0.0])) == pytest.approx([0, log(2), log(3)], abs=1e-12)
    assert np.ndim(guarantee.curve.delta(0.2)) == 0


def test_region_and_tradeoff_of_figure_1():
    guarantee = Guarantee(1.0, 0.05)
    x = 0.25549435030149536
    octagon = [(0, 1), (0, 0.95), (x, x), (0.95, 0), (1, 0), (1, 0.05), (1 - x, 1 - x), (0.05, 1)]
    assert np.asarray(guarantee.curve.region(), dtype=float) == pytest.approx(np.array(octagon))
    for alpha in np.linspace(0, 1, 21):
        expected = max(0, 0.95 - exp(1) * alpha, exp(-1) * (0.95 - alpha))
        assert float(guarantee.curve.tradeoff(alpha)) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(("eps", "delta"), [(1.0, 0.05), (0.3, 0.0), (0.0, 0.1)])
def test_worst_pair_attains_the_curve(eps, delta):
    guarantee = Guarantee(eps, delta)
    pair = guarantee.curve
    for at in (0.0, 0.1, 0.5, 2.0):
        for direction in ("pq", "qp"):
            assert pair.delta(at, direction) == pytest.approx(float(curve(eps, delta, at)), rel=1e-12, abs=1e-16)


@pytest.mark.parametrize(("eps", "delta"), [*CASES, (1e4, 0.1)])
def test_equal_errors_are_where_the_tradeoff_meets_the_diagonal(eps, delta):
    guarantee = Guarantee(eps, delta)
    error = guarantee.equal_errors
    assert guarantee.curve.tradeoff(error) == pytest.approx(error, rel=1e-12, abs=1e-300)
    assert error == pytest.approx(float((1 - mp.mpf(delta)) / (1 + mp.exp(eps))), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(("eps", "delta"), [*CASES, (800.0, 0.3), (5700.0, 1e-9)])
def test_the_logarithm_of_equal_errors(eps, delta):
    with mp.workdps(50):
        truth_ = (1 - mp.mpf(delta)) / (1 + mp.exp(mp.mpf(eps)))
        expected = mp.log(truth_) if truth_ else -mp.inf
    assert Guarantee(eps, delta).log_equal_errors == pytest.approx(float(expected), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize(("eps", "delta"), [*CASES, (800.0, 0.3), (5700.0, 1e-9)])
def test_least_error_lies_on_the_two_lines_of_the_region(eps, delta):
    found = least_error(eps, delta, np.linspace(0, 1, 21))
    with mp.workdps(50):
        kept, ratio = 1 - mp.mpf(delta), mp.exp(mp.mpf(eps))
        others = map(mp.mpf, np.linspace(0, 1, 21).tolist())
        expected = [float(max(kept - ratio * x, (kept - x) / ratio, 0)) for x in others]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    if eps < 700:
        assert found == pytest.approx(Guarantee(eps, delta).curve.tradeoff(np.linspace(0, 1, 21)), rel=1e-12, abs=1e-15)
