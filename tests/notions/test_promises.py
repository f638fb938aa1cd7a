"""Promises as curves for the neighbours of their space, against curves made by hand; and promises about nothing."""

from fractions import Fraction as F
from math import exp, inf, log, nextafter, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpteach import Guarantee, Pair, mechanisms
from dpteach.curve import VACUOUS, Curve
from dpteach.figures import granularity as figures
from dpteach.granularity import (
    DatabaseClass,
    Granularity,
    Maps,
    Partition,
    PrivacySpace,
    bounded,
    free_lunch,
    unbounded,
)
from dpteach.notions import (
    Approximate,
    FiniteMechanism,
    Gaussian,
    Pure,
    ZeroConcentrated,
    compose,
    concentrated_loss,
    pure_rho,
    zcdp_delta,
    zcdp_epsilon,
)

pytestmark = pytest.mark.filterwarnings("error")

ABC = DatabaseClass.multisets("abc", at_most=2)
U, B = unbounded.on(ABC), bounded.on(ABC)
EPS = np.array([0.0, 0.1, 0.7, 1.0, 1.9, 3.0, 9.0])
DELTAS = np.array([0.0, 1e-9, 1e-3, 0.1, 0.6, 1.0])


# ------------------------------------------------------------------------------------------------------------ curves


def moved(promise, space):
    """Return a promise with the same numbers, asked by the neighbours of another space."""
    return promise._like(space, promise.terms)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.01, 4), st.sampled_from([U, B]))
def test_a_pure_promise_is_randomized_response_at_its_level(eps, space):
    promise = moved(Pure(U, eps), space)
    by_hand = mechanisms.randomized_response(promise.level())
    assert isinstance(promise, Curve)
    assert np.array_equal(promise.delta(EPS), by_hand.delta(EPS))
    assert np.array_equal(promise.epsilon(DELTAS), by_hand.epsilon(DELTAS))
    assert np.array_equal(promise.tradeoff(DELTAS), by_hand.tradeoff(DELTAS))
    assert promise.dominates(by_hand) and by_hand.dominates(promise)
    with mp.workdps(40):
        level = mpf(eps) * (2 if space is B else 1)
        for at in EPS:
            truth = max((mp.exp(level) - mp.exp(mpf(float(at)))) / (1 + mp.exp(level)), mpf(0))
            low, high = promise.bracket(eps=at)
            assert low <= truth <= high and high - low <= 1e-13


@pytest.mark.parametrize("mu", [0.0, 0.25, 1.0, 7.0, inf])
def test_a_gaussian_promise_is_the_gaussian_curve(mu):
    promise = compose([Gaussian(U, mu)] * 4)
    assert promise.level() == 2 * mu
    if 0 < mu < inf:
        by_hand = mechanisms.gaussian(2 * mu)
        assert np.array_equal(promise.delta(EPS), by_hand.delta(EPS))
        assert np.array_equal(promise.tradeoff(DELTAS), by_hand.tradeoff(DELTAS))
    else:
        assert np.array_equal(promise.delta(EPS), np.full(len(EPS), 1.0 if mu else 0.0))
        assert promise.epsilon(0) == (inf if mu else 0)


def test_levels_that_are_no_floats_are_bracketed():
    promise = compose([Pure(U, 0.1)] * 3)
    above = promise.level()
    assert F(above) > 3 * F(0.1) > F(nextafter(above, 0))
    at_above = Guarantee(above).curve.bracket(delta=0.01)[1]
    below = Guarantee(nextafter(above, 0)).curve.bracket(delta=0.01)[0]
    assert promise.bracket(delta=0.01) == (below, at_above)
    roots = compose([Gaussian(U, 0.1)] * 2)
    low, high = roots.bracket(eps=0.05)
    with mp.workdps(40):
        mu = mp.sqrt(2) * mpf(0.1)
        truth = mp.ncdf(mu / 2 - mpf(0.05) / mu) - mp.exp(mpf(0.05)) * mp.ncdf(-mu / 2 - mpf(0.05) / mu)
        assert low <= truth <= high and high - low < 1e-12


def test_an_approximate_promise_is_the_worst_of_its_neighbours():
    """One pair of neighbours has the largest eps, another the largest delta; no pair has both."""
    line = Granularity([(0, 1), (1, 2)], "line").on([0, 1, 2])
    far = PrivacySpace([0, 1, 2], [[0, 2, 3], [2, 0, 1], [3, 1, 0]])
    deltas = np.array([[0, 0.01, 1], [0.01, 0, 0.2], [1, 0.2, 0]])
    promise = moved(Approximate(far, 1, deltas), line)
    assert promise.level() == Guarantee(2, 0.2)
    one, two = Guarantee(2, 0.01).curve, Guarantee(1, 0.2).curve
    assert np.allclose(promise.delta(EPS), np.maximum(one.delta(EPS), two.delta(EPS)), rtol=1e-13, atol=0)
    assert np.all(promise.delta(EPS) >= np.maximum(one.delta(EPS), two.delta(EPS)))
    assert promise.delta(1.5) < promise.level().curve.delta(1.5)


def test_an_approximate_promise_in_one_direction_alone():
    cls = [0, 1]
    space = free_lunch.on(cls)
    promise = Approximate(space, log(2), np.array([[0, 0.5], [0.0, 0]]))
    low, high = promise.bracket(eps=log(2))
    pair = Pair([F(1, 2), F(1, 2)], [F(0), F(1)])  # keeps it, and loses 1/2
    assert low == 0 and high >= 0.5 >= pair.delta(ratio=2)


@pytest.mark.parametrize("rho", [1e-6, 0.03125, 0.5, 4.0])
def test_a_zero_concentrated_promise_is_between_what_is_proved_and_what_is_attained(rho):
    promise = ZeroConcentrated(U, rho)
    low, high = promise.bracket(eps=EPS)
    gauss = mechanisms.gaussian(sqrt(2 * rho))  # is rho-zero-concentrated
    assert np.all(low <= gauss.delta(EPS)) and np.allclose(low, gauss.delta(EPS), rtol=1e-6)
    assert np.array_equal(high, [zcdp_delta(rho, eps) for eps in EPS])
    low, high = promise.bracket(delta=DELTAS[1:])
    assert np.array_equal(high, [zcdp_epsilon(rho, delta) for delta in DELTAS[1:]]) and np.all(low <= high)


def test_mechanisms_with_a_zero_concentrated_promise_stay_below_its_curve():
    rng = np.random.default_rng(4)
    for _ in range(25):
        pair = Pair(*(rng.dirichlet(np.ones(4)) for _ in range(2)))
        promise = ZeroConcentrated(U, concentrated_loss(pair))
        assert np.all(pair.delta(EPS) <= promise.delta(EPS))
        assert np.all(np.asarray(pair.tradeoff(DELTAS)) >= np.asarray(promise.tradeoff(DELTAS)) - 1e-12)


@pytest.mark.parametrize("rho, eps", [(0.1, 0.0), (0.1, 0.5), (2, 1), (2, 30), (1e-5, 0.02), (50, 3)])
def test_the_delta_of_concentrated_privacy_by_mpmath(rho, eps):
    """The least over alpha > 1 of e^((alpha - 1)(alpha rho - eps)) (1 - 1/alpha)^alpha / (alpha - 1)."""
    with mp.workdps(40):

        def bound(log_beyond):
            b = mp.exp(log_beyond)
            return b * (mpf(rho) * (1 + b) - mpf(eps)) + (1 + b) * mp.log(b / (1 + b)) - mp.log(b)

        grid = [mpf(n) / 10 for n in range(-120, 160)]
        best = min(grid, key=bound)
        low, high = best - mpf(1) / 10, best + mpf(1) / 10
        for _ in range(80):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, two) if bound(one) < bound(two) else (one, high)
        truth = min(mp.exp(bound(low)), mpf(1))
        assert 0 <= zcdp_delta(rho, eps) / truth - 1 < 1e-8
    assert zcdp_delta(0.5, 300) == 5e-324  # the truth, e^-44857, is no float


def test_a_promise_asked_in_a_space_without_neighbours_says_so():
    promise = Pure(2 * U, 1)
    for ask in (lambda: promise.delta(1), lambda: promise.epsilon(0.1), lambda: promise.bracket(eps=1), promise.region):
        with pytest.raises(ValueError, match="space must have neighbours"):
            ask()


def test_a_composition_is_plain_data():
    promise = compose([Pure(U, 1), Pure(U, 2)], adaptive=True)
    assert isinstance(promise, Pure) and promise.theorem() == "V.3"
    assert [part.level() for part in promise.origin.parts] == [1, 2] and promise.origin.adaptive
    assert "composed of 2 by Theorem V.3" in repr(promise)
    assert compose([promise, promise]).level() == 6
    with pytest.raises(ValueError, match="for promises that were composed"):
        Pure(U, 1).theorem()
    with pytest.raises(AttributeError):
        _ = promise.no_such_thing


@pytest.mark.parametrize(("rho", "eps"), [(1e-20, 1e-10), (1e-20, 3e-10), (1e-24, 2e-12), (1e-10, 1e-5), (0.5, 3.0)])
def test_the_delta_of_little_concentrated_privacy_is_not_below_its_formula(rho, eps):
    """The orders that matter are huge there, and log(1 - 1/alpha) must not be a difference of two logarithms."""
    with mp.workdps(60):

        def log_delta(log_beyond):
            b = mp.exp(log_beyond)
            return b * (mpf(rho) * (1 + b) - mpf(eps) + mp.log(b) - mp.log1p(b)) - mp.log1p(b)

        low, high = mp.log(eps / rho) - 8, mp.log(eps / rho) + 8
        for _ in range(250):
            one, two = low + 0.382 * (high - low), low + 0.618 * (high - low)
            low, high = (low, two) if log_delta(one) < log_delta(two) else (one, high)
        truth = mp.exp(log_delta(low))
        assert truth <= zcdp_delta(rho, eps) <= truth * (1 + mpf(10) ** -11)


def test_tiny_levels_are_not_rounded_to_nothing():
    for eps in (5e-324, 1e-300, 1e-170, 1e-150):
        with mp.workdps(60):
            assert pure_rho(eps) >= mpf(eps) * mp.tanh(mpf(eps) / 2) and 0 < pure_rho(eps) < 1e-298
    assert pure_rho(0) == 0
    for rho, delta in ((5e-324, 0.9), (1e-320, 1e-5), (1e-300, 1e-100)):
        with mp.workdps(60):
            assert zcdp_epsilon(rho, delta, "classic") >= mpf(rho) + 2 * mp.sqrt(mpf(rho) * -mp.log(mpf(delta)))


# ----------------------------------------------------------------------------------------------------------- vacuous

FIXED = unbounded.on(DatabaseClass.multisets("ab", exactly=3))  # nobody can be added without a change of size
ALONE = free_lunch.on(["x"])
NOTIONS = {
    "pure": lambda space: Pure(space, 1),
    "approximate": lambda space: Approximate(space, 1, 0.1),
    "zero-concentrated": lambda space: ZeroConcentrated(space, 1),
    "Gaussian": lambda space: Gaussian(space, 1),
    "composed": lambda space: compose([Pure(space, 1)] * 2),
    "composed approximately": lambda space: compose([Approximate(space, 1, 0.1)] * 2, adaptive=True),
}


@pytest.mark.parametrize("space", [FIXED, ALONE], ids=["one size", "one database"])
@pytest.mark.parametrize("notion", NOTIONS)
def test_a_promise_without_neighbours_is_no_guarantee(notion, space):
    promise = NOTIONS[notion](space)
    assert promise.vacuous
    answers = [promise.level(), promise.guarantee(), promise.guarantee(1e-5), promise.guarantee(0.1, space)]
    answers += [promise.delta(1), promise.delta(EPS), promise.epsilon(), promise.epsilon(0.5), promise.ratio()]
    answers += [*promise.bracket(eps=1), *promise.bracket(delta=0.1), promise.tradeoff(0.1), promise.region()]
    assert all(answer is VACUOUS for answer in answers)
    assert promise.worst_neighbours() is None
    assert "= vacuous" in repr(promise) and "= vacuous" in str(promise.explain())
    for one, other in ((promise, Pure(U, 1)), (Pure(U, 1), promise)):
        with pytest.raises(ValueError, match="vacuous"):
            one.dominates(other)


@pytest.mark.parametrize("notion", NOTIONS)
def test_databases_that_nothing_is_promised_about_have_no_finite_eps(notion):
    promise = NOTIONS[notion](FIXED)
    told = promise.at("aaa", "aab")
    assert told == inf or tuple(told) == (inf, 1)
    assert promise.guarantee_at("aaa", "aab", 0.01).epsilon == inf


def test_a_metric_without_finite_distances_is_vacuous_too():
    apart = PrivacySpace([0, 1], [[0, inf], [inf, 0]])
    assert Pure(apart, 1).level() is VACUOUS and Gaussian(apart, 1).guarantee(0.1) is VACUOUS
    assert "vacuous times the metric" in str(Pure(apart, 1).explain())
    assert Pure(PrivacySpace([0], [[0]]), 1).level() is VACUOUS
    same = PrivacySpace([0, 1], np.zeros((2, 2)))
    assert Pure(same, 1).level() == 0  # about two databases, and it is a promise


def test_a_mechanism_without_neighbours_is_vacuous():
    loud = FiniteMechanism.printing(FIXED.cls)
    assert all(loud.level(FIXED, notion) is VACUOUS for notion in ("pure", "zero-concentrated", "Gaussian"))
    worst = loud.worst(FIXED)
    assert worst.vacuous and worst.ratio() is VACUOUS and worst.delta(1) is VACUOUS
    assert loud.level(bounded.on(FIXED.cls)) == inf


def test_a_figure_without_neighbours_says_vacuous():
    parts = Partition.by_record(["a", "b"])
    picture = figures.boards({"fixed": (parts, FIXED), "free": (Maps([len]), U)}, "ab")
    assert "fixed: no neighbours, vacuous" in picture.alt
    assert picture.numbers.rows[0][2] is VACUOUS and picture.numbers.rows[1][2] == 1


def test_pure_promises_without_a_loss_are_not_vacuous():
    assert Pure(U, 0).guarantee() == Guarantee(0, 0) and Pure(U, 0).delta(0) == 0
    assert not Pure(U, 0).vacuous and exp(Pure(U, 0).epsilon()) == 1
