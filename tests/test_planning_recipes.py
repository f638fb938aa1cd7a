"""Every recipe against its formula in many digits, and against the exact privacy that it buys."""

from math import inf, nan, sqrt

import numpy as np
import pytest
import truth
from mpmath import mp

from dpteach import Guarantee, composition, mechanisms, optimal, planning
from dpteach.numerics.walk import loss_walk

BUDGETS = [(1, 0.5, 1e-5), (10, 0.9, 0.9), (100, 0.5, 1e-5), (1000, 0.01, 0.3), (7, 3.0, 1e-12), (3, 1e-8, 1.0)]
TINY = 5e-324


def log_term(epsilon, delta):
    """Return log(e + eps/delta) in many digits."""
    return mp.log(mp.e + mp.mpf(epsilon) / mp.mpf(delta))


def same(value, expected, rel=1e-13):
    """Compare a float with an mpmath number."""
    assert value == pytest.approx(float(expected), rel=rel)


# The formulas


@pytest.mark.parametrize(("k", "epsilon", "delta"), BUDGETS)
def test_kov_formulas(k, epsilon, delta):
    e, d, log = mp.mpf(epsilon), mp.mpf(delta), log_term(epsilon, delta)
    share = planning.per_answer(k, epsilon, delta)
    same(share.epsilon, mp.sqrt(e**2 / (4 * k * log)))
    same(share.delta, d / (2 * k))
    same(planning.noise_variance(k, epsilon, delta, 3), 8 * k * 9 * log / e**2)
    same(planning.gaussian_variance(epsilon, delta, 3), 2 * 9 * mp.log(2 / d) / e**2)
    same(planning.classical_gaussian_variance(k, epsilon, delta, 3), 2 * k * 9 * mp.log(mp.mpf("1.25") / d) / e**2)
    same(planning.gaussian_variance_by_splitting(k, epsilon, delta, 3), 8 * k * 9 * mp.log(4 * k / d) * log / e**2)


@pytest.mark.parametrize(
    ("epsilon", "variance"), [(0.1, 199.91668056105902), (1, 1.9181035312355252), (5, 0.029711024136372863)]
)
def test_staircase_variance(epsilon, variance):
    same(planning.staircase_variance(epsilon), variance, rel=1e-12)
    same(planning.staircase_variance(epsilon, 3), 9 * variance, rel=1e-12)
    best = min(mechanisms.staircase(epsilon, gamma=g).variance for g in np.linspace(0, 1, 2001))
    assert planning.staircase_variance(epsilon) == pytest.approx(best, rel=1e-5)
    assert planning.staircase_variance(epsilon) <= best * (1 + 1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.001, 0.001), (0.5, 1e-6), (2.0, 1e-6)])
def test_orders_of_query_errors(epsilon, delta):
    k, size, eta, nu = 20, 6, 0.1, 0.05
    e, d = mp.mpf(epsilon), mp.mpf(delta)
    queries = mp.log(k / mp.mpf(nu))
    rest = mp.log(queries / (mp.mpf(eta) ** 2 * d))
    for improved, log in ((True, log_term(epsilon, delta)), (False, mp.log(1 / d))):
        same(planning.privacy_log(epsilon, delta, improved), log)
        cut = planning.cut_query_error(k, epsilon, delta, size, eta, nu, improved)
        same(cut, size * mp.sqrt(log * queries) / e * rest)
        spectral = planning.variance_query_error(k, epsilon, delta, eta, nu, improved)
        same(spectral, log * queries / (e**2 * mp.mpf(eta)) * rest**2)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 1e-6), (0.1, 1e-5), (30, 0.5), (1e-9, 1e-9), (1, 1)])
def test_rho(epsilon, delta):
    e, log = mp.mpf(epsilon), mp.log(1 / mp.mpf(delta))
    same(planning.rho(epsilon, delta), e**2 / (4 * log + 4 * e))
    best = (mp.sqrt(log + e) - mp.sqrt(log)) ** 2
    same(planning.largest_rho(epsilon, delta), best)
    for k in (1, 100):
        same(planning.laplace_scale(k, epsilon, delta, 3), 3 * mp.sqrt(k / (2 * e**2 / (4 * log + 4 * e))))


def test_laplace_scale_numbers():
    assert planning.laplace_scale(100, 1) == 100
    assert planning.laplace_scale(30, 0.5, sensitivity=2) == 120
    same(planning.laplace_scale(100, 1, 1e-6), 54.43438354195678, rel=1e-14)
    same(planning.laplace_scale(1000, 1, 1e-6), 172.1366350197672, rel=1e-14)
    same(planning.laplace_scale(1000, 0.1, 1e-5), 1524.002983262843, rel=1e-14)
    same(sqrt(50 / planning.largest_rho(1, 1e-6)), 53.49980061976304, rel=1e-14)


@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 10), (0.01, 100), (10, 100), (1, 5000)])
def test_largest_loss_probability(epsilon, k):
    same(planning.largest_loss_probability(epsilon, k), (1 + mp.exp(-mp.mpf(epsilon))) ** -k, rel=1e-11)
    if k <= 10:
        same(planning.largest_loss_probability(epsilon, k), (mechanisms.randomized_response(epsilon) ** k).p[0])


# What they buy


@pytest.mark.parametrize(("k", "epsilon", "delta"), [b for b in BUDGETS if b[1] <= 0.9])
def test_splitting_keeps_the_budget(k, epsilon, delta):
    """KOV Corollary 4.1."""
    share = planning.per_answer(k, epsilon, delta)
    exact = truth.optimal_delta(share.epsilon, share.delta, k, epsilon)
    assert exact <= delta
    assert optimal(share, k=k).delta(epsilon) == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize(("k", "epsilon", "delta"), [(1, 0.9, 0.3), (10, 0.9, 0.9), (50, 0.1, 1e-3)])
def test_noise_variance_is_enough(k, epsilon, delta):
    """KOV Corollary 4.2 and Theorem 4.3 in their range: Laplace and Gaussian noise of that variance."""
    variance = planning.noise_variance(k, epsilon, delta)
    assert loss_walk(sqrt(2 / variance), k).delta(epsilon) <= delta
    assert truth.gaussian_delta(mp.sqrt(k / mp.mpf(variance)), epsilon) <= delta
    classical = planning.classical_gaussian_variance(k, epsilon, delta)
    assert truth.gaussian_delta(mp.sqrt(k / mp.mpf(classical)), epsilon) <= delta
    assert truth.gaussian_delta(1 / mp.sqrt(planning.gaussian_variance(epsilon, delta)), epsilon) <= delta
    splitting = planning.gaussian_variance_by_splitting(k, epsilon, delta)
    assert truth.gaussian_delta(mp.sqrt(k / mp.mpf(splitting)), epsilon) <= delta


def test_noise_variance_fails_for_a_large_epsilon():
    same(
        float(truth.gaussian_delta(1 / mp.sqrt(planning.noise_variance(1, 100, 0.1)), 100)),
        0.216876863794631,
        rel=1e-11,
    )


@pytest.mark.parametrize(("k", "epsilon", "delta"), [(10, 1, 1e-6), (100, 1, 1e-6), (1000, 0.1, 1e-5), (5, 8.0, 0.2)])
def test_laplace_scale_is_enough(k, epsilon, delta):
    for scale in (planning.laplace_scale(k, epsilon), planning.laplace_scale(k, epsilon, delta)):
        assert truth.optimal_delta(1 / mp.mpf(scale), 0, k, epsilon * (1 + 1e-12)) <= delta
        assert scale >= planning.noise_scale(k, epsilon, delta) * (1 - 1e-12)
    told = composition.concentrated(Guarantee(sqrt(2 * planning.largest_rho(epsilon, delta) / k)), delta, k)
    assert told.epsilon == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.parametrize("theorem", ["kov_closed_form", "concentrated", "advanced"])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 0.69, 1.0, 1.9, 2.0, 3.0])
def test_pays_from(theorem, epsilon):
    """Count up to the first k at which the printed bound, without its minimum, is below k eps."""
    slack = 1e-3
    bounds = {
        "kov_closed_form": lambda k: truth.kov_members([(epsilon, 0, k)], slack)[2],
        "concentrated": lambda k: truth.concentrated([(epsilon, 0, k)], slack),
        "advanced": lambda k: truth.advanced([(epsilon, 0, k)], slack),
    }
    pays = planning.pays_from(theorem, epsilon, slack)
    if pays == inf:
        assert bounds[theorem](10**12) > 10**12 * epsilon
    else:
        below, above = int(pays), int(pays) + 1
        assert bounds[theorem](below) >= below * mp.mpf(epsilon) and bounds[theorem](above) < above * mp.mpf(epsilon)


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-3, 0.1, 0.3])
def test_the_improved_logarithm_gains_below_one_minus_e_delta(delta):
    limit = planning.gains_below(delta)
    assert planning.privacy_log(limit * (1 - 1e-9), delta) < planning.privacy_log(limit, delta, improved=False)
    assert planning.privacy_log(limit * (1 + 1e-9), delta) > planning.privacy_log(limit, delta, improved=False)


# Bad input, and input at the edge


@pytest.mark.parametrize(
    ("call", "word"),
    [
        *[(lambda bad=bad: planning.per_answer(bad, 1, 0.1), "k") for bad in (0, -1, 2.5, nan, "3", None, True)],
        *[(lambda bad=bad: planning.noise_variance(1, bad, 0.1), "epsilon") for bad in (0, -1, nan, inf, "1", None)],
        *[(lambda bad=bad: planning.gaussian_variance(1, bad), "delta") for bad in (0, -0.1, 1.3, nan, "0", None)],
        (lambda: planning.noise_variance(1, 1, 0.1, 0), "sensitivity"),
        (lambda: planning.gaussian_variance(1, 0.1, -1), "sensitivity"),
        (lambda: planning.gaussian_variance_by_splitting(0, 1, 0.1), "k"),
        (lambda: planning.staircase_variance(0), "epsilon"),
        (lambda: planning.staircase_variance(1, inf), "sensitivity"),
        (lambda: planning.cut_query_error(2, 1, 0.1, 0, 0.1, 0.1), "size"),
        (lambda: planning.cut_query_error(2, 1, 0.1, 3, 0, 0.1), "eta"),
        (lambda: planning.variance_query_error(2, 1, 0.1, 0.1, 1.5), "nu"),
        (lambda: planning.variance_query_error(1, 1, 0.1, 0.1, 1), "nu"),
        (lambda: planning.classical_gaussian_variance(0, 1, 0.1), "k"),
        (lambda: planning.privacy_log(1, 0), "delta"),
        *[(lambda bad=bad: planning.gains_below(bad), "delta") for bad in (0, -0.1, 1.3, nan, "0", None)],
        (lambda: planning.rho(1, 0), "delta"),
        (lambda: planning.rho(-1, 0.5), "epsilon"),
        (lambda: planning.largest_rho(1, 2), "delta"),
        (lambda: planning.laplace_scale(0, 1), "k"),
        (lambda: planning.laplace_scale(1, nan), "epsilon"),
        (lambda: planning.laplace_scale(1, 1, -1), "delta"),
        (lambda: planning.laplace_scale(1, 1, 0.1, 0), "sensitivity"),
        (lambda: planning.largest_loss_probability(0, 3), "epsilon"),
        (lambda: planning.largest_loss_probability(1, -1), "k"),
        (lambda: planning.pays_from("basic", 1, 0.1), "theorem"),
        (lambda: planning.pays_from("advanced", 0, 0.1), "epsilon"),
        (lambda: planning.pays_from("advanced", 1, 0), "slack"),
    ],
)
def test_bad_input(call, word):
    with pytest.raises(ValueError, match=f"^{word} must"):
        call()


def test_edges():
    assert planning.noise_variance(1, 1, TINY) == pytest.approx(8 * 744.44, rel=1e-4)
    assert planning.gaussian_variance(1, TINY) < inf
    assert planning.largest_rho(1, 1) == 1
    assert planning.pays_from("kov_closed_form", 1000, 0.1) == inf
    assert planning.pays_from("kov_closed_form", 1, 1) == 0


def test_a_budget_too_small_for_floats_needs_endless_noise():
    assert planning.laplace_scale(10, 5e-324, 1e-6) == float("inf")
    assert planning.rho(5e-324, 1e-6) == 0
