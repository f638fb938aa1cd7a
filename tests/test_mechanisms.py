"""Every mechanism against its definition: its curve by brute force or integration, its sampler by frequencies."""

from fractions import Fraction as F
from itertools import pairwise
from math import exp, inf, log, sqrt

import numpy as np
import pytest
import truth
from mpmath import mp
from scipy import stats

from dpteach import Guarantee, Pair, mechanisms

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

SAMPLES = 20_000


def check_frequencies(draws, probabilities):
    """Compare a seeded sample with {value: probability}: every count within five standard deviations."""
    for value, probability in probabilities.items():
        spread = sqrt(len(draws) * probability * (1 - probability))
        assert abs(np.sum(draws == value) - len(draws) * probability) <= 5 * spread + 1e-9


def check_inverse(mechanism, targets):
    """Check that the curve at epsilon(delta) is delta."""
    for target in targets:
        assert float(mechanism.delta(mechanism.epsilon(target))) == pytest.approx(target, rel=1e-9)


def check_tradeoff(mechanism, delta_of, top):
    """Check the trade-off by duality: the upper envelope of the lines that the (symmetric) curve allows."""
    grid = np.linspace(0, top, 4001)
    deficit = np.array([1 - float(delta_of(e)) for e in grid])
    for alpha in (0.0, 0.01, 0.2, 0.5, 0.9, 1.0):
        lines = max(np.max(deficit - np.exp(grid) * alpha), np.max(np.exp(-grid) * (deficit - alpha)), 0)
        assert float(mechanism.tradeoff(alpha)) == pytest.approx(float(lines), abs=1e-5)


def check_region(mechanism):
    """Check that the region's vertices lie on the trade-off curve and on its mirror image."""
    region = np.asarray(mechanism.region(), dtype=float)
    lower = region[: len(region) // 2 + 1]
    assert tuple(lower[0]) == (0, 1) and tuple(lower[-1]) == (1, 0)
    assert lower[1:, 0] == pytest.approx(np.asarray(mechanism.tradeoff(lower[1:, 1]), dtype=float), abs=1e-9)
    assert region[len(lower) :] == pytest.approx(1 - lower[1:-1], abs=1e-12)


# Randomized response


@pytest.mark.parametrize("delta", [F(0), F(1, 10), F(1)])
def test_randomized_response_is_the_worst_pair(delta):
    pair = mechanisms.randomized_response(ratio=F(3), delta=delta)
    p, q = truth.worst_pair(F(3), delta)
    assert pair.exact and len(pair.p) == (4 if delta else 2)
    for ratio in (F(1), F(2), F(3), F(5)):
        assert pair.delta(ratio=ratio) == truth.hockey_stick(p, q, ratio)


def test_randomized_response_in_floats():
    pair = mechanisms.randomized_response(0.7, 0.01)
    for at in (0.0, 0.3, 0.7, 2.0):
        assert float(pair.delta(at)) == pytest.approx(float(truth.optimal_delta(0.7, 0.01, 1, at)), rel=1e-12)
    assert isinstance(mechanisms.randomized_response(0.7), Pair)
    assert mechanisms.randomized_response(log(3)).p == pytest.approx([0.75, 0.25])


# Geometric noise


def geometric_law(ratio, shift, reach=400):
    """Return the law of shift + noise on -reach..reach, P(n) proportional to ratio^-|n|."""
    a = 1 / ratio
    return [(1 - a) / (1 + a) * a ** abs(n - shift) for n in range(-reach, reach + 1)]


@pytest.mark.parametrize(("ratio", "sensitivity"), [(F(2), 1), (F(3, 2), 1), (F(4), 2), (F(8), 3)])
def test_geometric_curve_by_enumeration(ratio, sensitivity):
    step = {1: ratio, 2: F(2), 3: F(2)}[sensitivity]  # the decay from one whole number to the next
    p, q = geometric_law(step, 0), geometric_law(step, sensitivity)
    noise = mechanisms.geometric(ratio=ratio, sensitivity=sensitivity)
    for at in (F(1), F(5, 4), F(3, 2), F(3), F(7)):
        expected = float(truth.hockey_stick(p, q, at))
        assert float(noise.pair.delta(ratio=at)) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert float(noise.delta(log(at))) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_geometric_numbers():
    noise = mechanisms.geometric(0.4)
    assert noise.variance == pytest.approx(12.3346582482205, rel=1e-12)
    assert noise.epsilon(0) == pytest.approx(0.4)
    law = {n: p for n, p in zip(range(-400, 401), geometric_law(mp.exp(mp.mpf(0.4)), 0), strict=True)}
    assert sum(p for n, p in law.items() if n <= 0) == pytest.approx(0.598687660112452)
    assert noise.variance == pytest.approx(float(sum(n * n * p for n, p in law.items())), rel=1e-12)


def test_geometric_has_the_region_of_randomized_response():
    """KOV Theorem 4.4: for a counting query nothing is lost."""
    noise = mechanisms.geometric(0.4)
    for at in (0.0, 0.1, 0.4, 1.0):
        assert float(noise.delta(at)) == pytest.approx(float(Guarantee(0.4).delta(at)), rel=1e-12, abs=1e-16)


def test_geometric_sampler():
    draws = mechanisms.geometric(0.8).sample(5, np.random.default_rng(1), SAMPLES)
    assert np.issubdtype(draws.dtype, np.integer)
    a = exp(-0.8)
    check_frequencies(draws, {5 + n: (1 - a) / (1 + a) * a ** abs(n) for n in range(-6, 7)})
    assert float(np.var(draws)) == pytest.approx(mechanisms.geometric(0.8).variance, rel=0.05)


# Laplace noise


@pytest.mark.parametrize(("eps", "sensitivity"), [(0.5, 1), (2.0, 1), (1.0, 3)])
def test_laplace_curve_by_integration(eps, sensitivity):
    noise = mechanisms.laplace(eps, sensitivity=sensitivity)
    rate = mp.mpf(eps) / sensitivity

    def density(x):
        return rate / 2 * mp.exp(-rate * abs(x))

    for share in (0.0, 0.25, 0.9):
        at = share * eps
        turn = sensitivity / 2 - at / (2 * rate)  # beyond it the likelihood ratio is below e^at
        with mp.workdps(20):
            cuts = sorted([-60 / rate, mp.mpf(0), turn, mp.mpf(sensitivity), 60 / rate])
            expected = truth.delta_of_density(density, sensitivity, at, cuts)
        assert float(noise.delta(at)) == pytest.approx(float(expected), rel=1e-10)
    assert noise.delta(eps) == 0 and noise.delta(eps * 1.1) == 0


@pytest.mark.parametrize("eps", [1e-9, 0.1, 1.0, 40.0])
def test_laplace_closed_form(eps):
    noise = mechanisms.laplace(eps)
    for share in (0.0, 0.3, 0.99999, 1.0):
        at = share * eps
        expected = -mp.expm1((mp.mpf(at) - mp.mpf(eps)) / 2)
        assert (
            expected <= mp.mpf(float(noise.delta(at))) <= expected * (1 + mp.mpf("1e-11"))
        )  # rounded up, by less the larger it is
    assert noise.epsilon(0) == eps
    assert noise.epsilon(1) == 0
    check_inverse(noise, [float(noise.delta(eps * s)) for s in (0.1, 0.5, 0.9)])


def test_laplace_errors():
    noise = mechanisms.laplace(1.0)
    check_tradeoff(noise, lambda e: -mp.expm1((e - 1) / 2) if e < 1 else 0, 1.0)
    check_region(noise)


def test_laplace_sampler():
    noise = mechanisms.laplace(scale=3.0)
    draws = noise.sample(10.0, np.random.default_rng(2), SAMPLES)
    assert stats.kstest(draws, stats.laplace(10.0, 3.0).cdf).pvalue > 1e-3
    assert float(np.mean(np.abs(draws - 10.0))) == pytest.approx(3.0, rel=0.03)
    assert noise.variance == pytest.approx(18)
    assert mechanisms.laplace(0.5, sensitivity=2).variance == pytest.approx(32)
    assert mechanisms.laplace(scale=3.0, sensitivity=2).epsilon(0) == pytest.approx(2 / 3)


# Gaussian noise


@pytest.mark.parametrize("mu", [1e-6, 0.01, 0.3, 1.0, 5.0, 30.0])
def test_gaussian_curve(mu):
    noise = mechanisms.gaussian(mu)
    for t in (-1.0, 0.0, 0.5, 3.0, 10.0, 35.0):
        at = max(0.0, mu * mu / 2 + t * mu)
        expected = truth.gaussian_delta(mu, at)
        assert float(noise.delta(at)) == pytest.approx(float(expected), rel=1e-8, abs=0)


def test_gaussian_curve_by_integration():
    with mp.workdps(20):
        expected = truth.delta_of_density(mp.npdf, mp.mpf(1), 0.7, [mp.mpf(x) for x in (-12, -6, -3, -1, -0.2)])
    assert float(mechanisms.gaussian(1.0).delta(0.7)) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("mu", [1e-6, 0.01, 0.3, 1.0, 5.0, 30.0])
def test_gaussian_inverse(mu):
    noise = mechanisms.gaussian(mu)
    start = truth.gaussian_delta(mu, 0)
    for share in ("0.9", "0.1", "1e-5", "1e-100", "1e-290"):
        target = float(start * mp.mpf(share))
        value = float(noise.epsilon(target))
        assert truth.gaussian_delta(mu, value) == pytest.approx(target, rel=1e-7)
    assert noise.epsilon(1.0) == 0
    assert noise.epsilon(0.0) == inf


@pytest.mark.parametrize(
    ("variance", "eps", "expected"),
    [
        (0.244121452910603, 10, 1.36441033672985e-5),
        (0.0055283758983712845, 100, 0.216876863794631),
        (8 * log(exp(1) + 100 / 0.5) / 100**2, 100, 0.860787521228165),
        (8 * log(exp(1) + 200 / 1e-5) / 200**2, 200, 0.00123323249887569),
        (8 * log(exp(1) + 84 / 0.5) / 84**2, 84, 0.524258390639415),
    ],
)
def test_gaussian_reference(variance, eps, expected):
    noise = mechanisms.gaussian(scale=sqrt(variance))
    assert noise.variance == pytest.approx(variance)
    assert float(noise.delta(eps)) == pytest.approx(expected, rel=1e-9)


def test_gaussian_reference_inverse():
    noise = mechanisms.gaussian(scale=sqrt(8e4) / sqrt(1e4))
    for delta, expected in ((1e-3, 0.8940542573686159), (1e-6, 1.543630451757453), (1e-9, 2.0120777150541658)):
        assert float(noise.epsilon(delta)) == pytest.approx(expected, rel=1e-9)


def test_gaussian_errors():
    noise = mechanisms.gaussian(1.3)
    for alpha in (1e-12, 0.01, 0.5, 0.99):
        expected = mp.ncdf(-mp.mpf(1.3) - mp.sqrt(2) * mp.erfinv(2 * mp.mpf(alpha) - 1))
        assert float(noise.tradeoff(alpha)) == pytest.approx(float(expected), rel=1e-9)
    assert noise.tradeoff(0.0) == 1 and noise.tradeoff(1.0) == 0
    check_region(noise)


def test_gaussian_sampler():
    noise = mechanisms.gaussian(0.5, sensitivity=2)
    draws = noise.sample(-1.0, np.random.default_rng(3), SAMPLES)
    assert noise.variance == pytest.approx(16)
    assert stats.kstest(draws, stats.norm(-1.0, 4.0).cdf).pvalue > 1e-3


# Staircase noise


def stairs(eps, gamma, count=400):
    """Return the (left, right) pieces on which staircase noise is constant, on both sides of zero."""
    right = sorted({mp.mpf(n) + x for n in range(count) for x in (mp.mpf(0), mp.mpf(gamma))})
    edges = [-x for x in reversed(right[1:])] + right
    return [(a, b) for a, b in pairwise(edges) if b - a > 1e-12]


def staircase_delta(eps, gamma, at):
    """Integrate max(f(x) - e^at f(x - 1), 0) over the common pieces of both staircases."""
    edges = sorted({x for piece in stairs(eps, gamma, 60) for x in (*piece, piece[0] + 1, piece[1] + 1)})
    total = mp.mpf(0)
    for a, b in pairwise(edges):
        middle = (a + b) / 2
        f, g = (truth.staircase_height(middle - s, eps, gamma) for s in (0, 1))
        total += (b - a) * max(f - mp.exp(mp.mpf(at)) * g, 0)
    return total


@pytest.mark.parametrize(("eps", "gamma"), [(1.0, 0.5), (1.0, 0.2), (2.0, 0.9), (1.5, 0.35)])
def test_staircase_curve_by_integration(eps, gamma):
    noise = mechanisms.staircase(eps, gamma=gamma)
    for share in (0.0, 0.3, 0.8, 0.999):
        expected = float(staircase_delta(eps, gamma, share * eps))
        assert float(noise.delta(share * eps)) == pytest.approx(expected, rel=1e-9)
    assert float(noise.delta(eps)) == pytest.approx(0, abs=1e-15)
    assert float(noise.epsilon(0)) == pytest.approx(eps, rel=1e-12)


@pytest.mark.parametrize(("eps", "gamma"), [(1.0, 0.5), (2.0, 0.3), (0.5, 0.8)])
def test_staircase_density_and_variance(eps, gamma):
    noise = mechanisms.staircase(eps, gamma=gamma)
    for x in (-3.3, -0.05, 0.0, 0.1, 0.95, 2.7):
        assert float(noise.density(x)) == pytest.approx(float(truth.staircase_height(x, eps, gamma)), rel=1e-12)
    pieces = [(a, b, truth.staircase_height((a + b) / 2, eps, gamma)) for a, b in stairs(eps, gamma, 200)]
    assert float(sum(h * (b - a) for a, b, h in pieces)) == pytest.approx(1)
    variance = sum(h * (b**3 - a**3) / 3 for a, b, h in pieces)
    assert noise.variance == pytest.approx(float(variance), rel=1e-10)


@pytest.mark.parametrize(
    ("eps", "expected"),
    [
        (0.1, 199.91668056105902),
        (0.5, 7.917017215366336),
        (1, 1.9181035312355252),
        (2, 0.42273284904654684),
        (5, 0.029711024136372863),
    ],
)
def test_staircase_of_least_variance(eps, expected):
    noise = mechanisms.staircase(eps)
    assert noise.variance == pytest.approx(expected, rel=1e-9)
    assert mechanisms.staircase(eps, sensitivity=3).variance == pytest.approx(9 * expected, rel=1e-9)
    assert noise.variance <= min(mechanisms.staircase(eps, gamma=g).variance for g in np.linspace(0.02, 0.98, 49))


def test_staircase_with_half_a_step_is_randomized_response():
    noise = mechanisms.staircase(0.8, gamma=0.5)
    for at in (0.0, 0.3, 0.79):
        assert float(noise.delta(at)) == pytest.approx(float(Guarantee(0.8).delta(at)), rel=1e-9)


def test_staircase_sampler():
    noise = mechanisms.staircase(1.0, gamma=0.3, sensitivity=2)
    draws = (noise.sample(7.0, np.random.default_rng(4), SAMPLES) - 7.0) / 2
    pieces = [(a, b) for a, b in stairs(1.0, 0.3, 6)]
    cells = np.searchsorted([float(a) for a, _ in pieces], draws) - 1
    law = {i: (b - a) * truth.staircase_height((a + b) / 2, 1.0, 0.3) for i, (a, b) in enumerate(pieces)}
    inside = (draws > float(pieces[0][0])) & (draws < float(pieces[-1][1]))
    check_frequencies(np.where(inside, cells, -1), {i: float(p) for i, p in law.items()})
    left, right = (float(x) for x in pieces[len(pieces) // 2])
    share = (draws[(draws > left) & (draws < right)] - left) / (right - left)
    assert stats.kstest(share, "uniform").pvalue > 1e-3


# The exponential mechanism


def test_exponential_mechanism_by_definition():
    scores, others = [3.0, 1.0, 0.0, 2.5], [2.0, 2.0, 0.5, 2.5]
    pair = mechanisms.exponential_mechanism(scores, others, 0.8, sensitivity=1, outcomes=list("abcd"))
    for law, values in ((pair.p, scores), (pair.q, others)):
        weights = [mp.exp(mp.mpf(0.4) * v) for v in values]
        assert list(law) == pytest.approx([float(w / sum(weights)) for w in weights], rel=1e-12)
    assert list(pair.outcomes) == list("abcd")
    assert pair.epsilon(0) <= 0.8


def test_exponential_mechanism_is_private_and_does_not_overflow():
    rng = np.random.default_rng(5)
    for _ in range(50):
        scores = rng.uniform(0, 10, 6)
        others = scores + rng.uniform(-2, 2, 6)
        pair = mechanisms.exponential_mechanism(scores, others, 1.5, sensitivity=2)
        assert pair.epsilon(0) <= 1.5 + 1e-12
    far = mechanisms.exponential_mechanism([1e6, 0.0], [1e6 - 1, 0.0], 1.0)
    assert list(far.p) == pytest.approx([1, 0])


# All noises


NOISES = [
    mechanisms.geometric(0.7),
    mechanisms.laplace(0.7),
    mechanisms.gaussian(0.7),
    mechanisms.staircase(0.7),
]


@pytest.mark.parametrize("noise", NOISES, ids=lambda n: type(n).__name__)
def test_a_noise_is_a_curve_and_a_sampler(noise):
    rng = np.random.default_rng(6)
    assert np.ndim(noise.sample(3, rng)) == 0
    assert np.shape(noise.sample(3, rng, size=(2, 5))) == (2, 5)
    same = [list(noise.sample(3, np.random.default_rng(7), 4)) for _ in range(2)]
    assert same[0] == same[1]
    at = np.array([0.0, 0.2, 0.5])
    assert list(noise.delta(at)) == [float(noise.delta(x)) for x in at]
    assert np.all(np.diff(noise.delta(at)) < 0)
    targets = np.array([0.2, 0.05])
    assert list(noise.epsilon(targets)) == [float(noise.epsilon(x)) for x in targets]
    check_inverse(noise, [0.2, 0.05])
    check_region(noise)
