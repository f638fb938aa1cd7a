"""Noise planning: the least noise that a theorem certifies, no less and no more."""

import math

import pytest
from mpmath import mp, mpf

from dpteach import Guarantee, optimal
from dpteach.composition import THEOREMS
from dpteach.mechanisms import gaussian, geometric
from dpteach.planning import METHODS, NOISES, noise_scale, noise_scales

K, EPS, DELTA = 100, 1.0, 1e-6


def log_inverse(delta):
    return mp.log(1 / mpf(delta))


def solved_by_hand(theorem: str) -> float:
    """The scale 1/eps0 at which the printed formula, solved for eps0 = x, gives exactly EPS."""
    L, mu = log_inverse(DELTA), lambda x: mp.sqrt(K) * x
    formulas = {
        "basic": lambda x: K * x,
        "advanced": lambda x: K * x * mp.expm1(x) + mu(x) * mp.sqrt(2 * L),
        "concentrated": lambda x: mu(x) ** 2 / 2 + mu(x) * mp.sqrt(2 * L),
    }
    return float(1 / mp.findroot(lambda x: formulas[theorem](x) - EPS, (0.005, 0.05), solver="anderson"))


@pytest.mark.parametrize("theorem", ["basic", "advanced", "concentrated"])
@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_the_printed_formulas_solved_for_the_noise(theorem, noise):
    assert noise_scale(K, EPS, DELTA, noise, theorem) == pytest.approx(solved_by_hand(theorem), rel=1e-9)


def test_the_numbers_of_the_post():
    """Steinke's example: k = 100, and the least scale for any eps0-DP answers."""
    assert noise_scale(100, 1, 1e-6, "laplace", "concentrated") == pytest.approx(53.49980061976304, rel=1e-10)
    assert noise_scale(100, 1, 1e-6, "laplace", "optimal") == pytest.approx(41.64743874325148, rel=1e-10)
    assert noise_scale(1000, 1, 1e-6, "laplace", "optimal") == pytest.approx(133.42049900847175, rel=1e-10)


def test_the_gaussian_floor_is_the_gaussian_curve():
    scale = noise_scale(K, EPS, DELTA, "gaussian", "exact")
    mu = mp.sqrt(K) / mpf(scale)
    true = mp.ncdf(mu / 2 - EPS / mu) - mp.exp(EPS) * mp.ncdf(-mu / 2 - EPS / mu)
    assert float(true) == pytest.approx(DELTA, rel=1e-9)


@pytest.mark.parametrize("noise", NOISES)
def test_every_planned_noise_keeps_the_promise(noise):
    for method in METHODS[:-1]:
        scale = noise_scale(K, EPS, DELTA, noise, method)
        if noise == "gaussian":
            assert (gaussian(scale=scale) ** K).delta(EPS) <= DELTA
        else:
            assert optimal(Guarantee(1 / scale), k=K).delta(EPS) <= DELTA


def test_a_little_less_noise_would_break_the_promise():
    for method in (*THEOREMS, "optimal"):
        less = 1 / (noise_scale(K, EPS, DELTA, "laplace", method) * (1 - 1e-9))
        told = THEOREMS[method].at(Guarantee(less), DELTA, K).epsilon if method in THEOREMS else None
        assert (optimal(Guarantee(less), k=K).epsilon(DELTA) if told is None else told) > EPS


def test_noise_grows_with_the_sensitivity_alone():
    assert noise_scale(10, 1, 1e-5, "laplace", "optimal", 7) == pytest.approx(
        7 * noise_scale(10, 1, 1e-5, "laplace", "optimal"), rel=1e-11
    )


def test_what_no_amount_of_noise_can_do():
    assert noise_scale(1, 1, 0, "gaussian", "exact") == math.inf
    assert noise_scales(10, 1, 0).column("scale")[:3] == [pytest.approx(10, rel=1e-11), math.inf, math.inf]
    assert noise_scale(10, 1e-200, 1e-300) == math.inf


def test_a_promise_that_allows_everything_needs_no_noise():
    assert noise_scale(10, 1, 1) == noise_scale(10, 1, 1, "gaussian") == 0


def test_the_curve_of_laplace_noise_itself_is_not_planned_with():
    with pytest.raises(ValueError, match="theorem must be one of"):
        noise_scale(10, 1, 1e-6, "laplace", "exact")
    with pytest.raises(ValueError, match="sensitivity must be a whole number"):
        noise_scale(10, 1, 1e-6, "geometric", "optimal", 0.5)


def test_without_delta_the_sum_is_all_there_is():
    assert noise_scale(3, 1, 0, "laplace", "optimal") == pytest.approx(3, rel=1e-11)


def test_the_table_has_a_row_a_theorem():
    table = noise_scales(K, EPS, DELTA, "geometric")
    assert table.column("theorem") == [*THEOREMS, "optimal"]
    scale, deviation = table.rows[-1][1:]
    assert deviation == pytest.approx(math.sqrt(geometric(1 / scale).variance))
    assert noise_scales(10, 1, 1e-5, "gaussian").column("theorem") == list(METHODS)
