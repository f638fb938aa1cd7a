"""Every mechanism against its definition: its curve by brute force or integration, its sampler by frequencies."""

from fractions import Fraction as F
from itertools import pairwise
from math import exp, inf, log, sqrt, tanh

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
        assert float(noise.delta(at)) == pytest.approx(float(Guarantee(0.4).curve.delta(at)), rel=1e-12, abs=1e-16)


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
        assert float(noise.delta(at)) == pytest.approx(float(Guarantee(0.8).curve.delta(at)), rel=1e-9)


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


# What is told is never below the truth


def laplace_truth(eps):
    return lambda at: max(-mp.expm1((at - eps) / 2), 0)


def staircase_truth(eps, gamma):
    """By Geng and Viswanath's density: P exceeds Q by e^eps on a set of probability `more`, else by 1 or less."""
    b = mp.exp(-eps)
    height = (1 - b) / (2 * (gamma + b * (1 - gamma)))
    more = (1 - abs(2 * gamma - 1) * (1 if gamma > 0.5 else b) * height) / (1 + b)
    return lambda at: max(-more * mp.expm1(at - eps), 0)


def geometric_truth(eps, n):
    """By the best of all events {output <= y}."""
    a = mp.exp(-eps / n)

    def delta(at):
        if at >= eps:
            return mp.mpf(0)
        near = int(mp.floor((eps - at) / (2 * eps / n)))
        tried = range(max(0, near - 2), min(n - 1, near + 2) + 1)
        return max(1 - a ** (y + 1) / (1 + a) - mp.exp(at) * a ** (n - y) / (1 + a) for y in tried)

    return delta


def check_ends(noise, delta, eps, rng):
    """Check that the truth lies between the ends of both curves: near delta(0), near eps, and in between."""
    top = float(eps)
    near_top = [top, np.nextafter(top, 0), np.nextafter(top, inf), top * (1 - 10.0 ** rng.uniform(-16, -1))]
    for at in [0.0, *near_top, *(top * rng.uniform(size=2)), top * 10.0 ** rng.uniform(-20, 0)]:
        low, high = noise.bracket(eps=at)
        exact = delta(mp.mpf(float(at)))
        assert low <= exact <= high == noise.delta(at)
        assert high - low <= 1e-13 * exact + 1e-321 or at >= 0.9 * top
    start = float(delta(mp.mpf(0)))
    near = [start, np.nextafter(start, 0), np.nextafter(start, 1), start * (1 - 1e-15), start * (1 - rng.uniform())]
    for target in [*near, start * 10.0 ** rng.uniform(-300, 0), rng.uniform(start, 1), 5e-324]:
        if 0 < target < 1:
            low, high = noise.bracket(delta=target)
            assert delta(mp.mpf(high)) <= target and high == noise.epsilon(target)  # which falls, so high is enough
            assert low == 0 or delta(mp.mpf(low)) >= target
            assert high - low <= 1e-13 * top or target > 0.99 * start


@mp.workdps(60)
def test_laplace_lies_between_its_ends():
    rng = np.random.default_rng(11)
    for _ in range(150):
        eps = float(10.0 ** rng.choice([rng.uniform(-3, 1.5), rng.uniform(-200, 2.8)]))
        check_ends(mechanisms.laplace(eps), laplace_truth(mp.mpf(eps)), eps, rng)
        scale, shift = 10.0 ** rng.uniform(-3, 3, 2)
        exact = mp.mpf(shift) / mp.mpf(scale)
        check_ends(mechanisms.laplace(scale=scale, sensitivity=shift), laplace_truth(exact), exact, rng)


@mp.workdps(100)
def test_staircase_lies_between_its_ends():
    rng = np.random.default_rng(12)
    for _ in range(150):
        eps = float(10.0 ** rng.choice([rng.uniform(-3, 1.5), rng.uniform(-20, 2.8)]))
        gamma = float(rng.choice([0, 0.5, 1, rng.uniform(), 10.0 ** rng.uniform(-10, 0)]))
        check_ends(mechanisms.staircase(eps, gamma=gamma), staircase_truth(mp.mpf(eps), mp.mpf(gamma)), eps, rng)


@mp.workdps(100)
def test_geometric_lies_between_its_ends():
    rng = np.random.default_rng(13)
    for n in (1, 2, 3, 7, 100, 10**5 + 1, 10**8) * 2:
        eps = float(10.0 ** rng.choice([rng.uniform(-3, 1.5), rng.uniform(-20, 2.8)]))
        check_ends(mechanisms.geometric(eps, sensitivity=n), geometric_truth(mp.mpf(eps), n), eps, rng)
        ratio = float(1 + 10.0 ** rng.uniform(-10, 5))
        exact = mp.log(mp.mpf(ratio))
        check_ends(mechanisms.geometric(ratio=ratio, sensitivity=n), geometric_truth(exact, n), exact, rng)


def test_numbers_that_were_below_the_truth():
    with mp.workdps(60):
        assert mechanisms.laplace(1).epsilon(0.3934693402873666) >= 1 + 2 * mp.log1p(-mp.mpf(0.3934693402873666)) > 0
    assert mechanisms.gaussian(1).delta(1e155) > 0
    low, high = mechanisms.gaussian(1e10).bracket(delta=1e-6)
    assert low <= 5.000000004753424309e19 <= high  # mu^2/2 + 4.7534243088 mu
    assert high / low - 1 < 1e-15


@pytest.mark.parametrize("mu", [1e-300, 1e-9, 0.3, 4.0, 1e6, 1e15, 1e160])
def test_gaussian_inverse_for_all_mu(mu):
    noise = mechanisms.gaussian(mu)
    for delta in (5e-324, 1e-100, 1e-6, 0.3, 0.999999):
        low, high = noise.bracket(delta=delta)
        assert low <= high == noise.epsilon(delta)
        assert high == inf or noise.bracket(eps=high)[1] <= delta
        assert low == 0 or noise.bracket(eps=low)[0] >= delta


def test_a_given_scale_and_a_power_are_rounded_to_the_safe_side():
    with mp.workdps(60):
        known = {mechanisms.gaussian(scale=3): mp.mpf(1) / 3, mechanisms.gaussian(0.1) ** 3: mp.mpf(0.1) * mp.sqrt(3)}
        for noise, exact in known.items():
            assert noise._least_mu < exact < noise.mu
            for at in (0.0, 0.5, 3.0):
                low, high = noise.bracket(eps=at)
                assert low <= truth.gaussian_delta(exact, at) <= high
    assert (mechanisms.gaussian(1.5) ** 4).mu == 3 and mechanisms.gaussian(scale=0.5).mu == 2
    assert mechanisms.laplace(scale=0.5).eps == 2
    assert F(mechanisms.laplace(0.3).scale) >= 1 / F(0.3)  # more noise does no harm


@pytest.mark.parametrize("eps", [1.0, 30.0, 720.0])
def test_laplace_errors_in_the_tails(eps):
    """Also where e^eps is no float, never above the truth."""
    noise = mechanisms.laplace(eps)
    with mp.workdps(60):
        small = mp.exp(-mp.mpf(eps))
        for alpha in (1e-320, 1e-313, 1e-305, 1e-100, 1e-14, 0.1, 0.4, 0.6, 1 - 1e-16):
            a = mp.mpf(alpha)
            exact = 1 - a / small if a <= small / 2 else small / (4 * a) if a <= 0.5 else small * (1 - a)
            assert exact * (1 - mp.mpf("1e-11")) - mp.mpf("1e-322") <= noise.tradeoff(alpha) <= exact


def test_gaussian_tradeoff_for_all_mu():
    assert mechanisms.gaussian_tradeoff(0, 0.25) == 0.75
    assert mechanisms.gaussian_tradeoff(inf, [0.0, 0.5]).tolist() == [0, 0]
    assert mechanisms.gaussian_tradeoff(1.3, 0.2) == mechanisms.gaussian(1.3).tradeoff(0.2)
    for bad in (-1, "1", None):
        with pytest.raises(ValueError, match="mu must"):
            mechanisms.gaussian_tradeoff(bad, 0.5)


# What cannot be drawn is refused


@pytest.mark.parametrize(
    "noise",
    [
        mechanisms.geometric(1e-19),
        mechanisms.geometric(1e-30),
        mechanisms.geometric(1e-9, sensitivity=10**8),
        mechanisms.staircase(1e-30),
        mechanisms.staircase(1e-3, sensitivity=1e299),
        mechanisms.laplace(1e-310),
        mechanisms.laplace(scale=1e305),
        mechanisms.gaussian(1e-310),
    ],
    ids=lambda noise: f"{type(noise).__name__} {noise.scale:g}",
)
def test_noise_that_floats_cannot_hold_is_refused_before_drawing(noise):
    rng = np.random.default_rng(8)
    with pytest.raises(ValueError, match=r"scale must be at most .* to draw noise, not") as caught:
        noise.sample(0, rng, 10)
    assert "\n" not in str(caught.value)
    assert rng.integers(10**9) == np.random.default_rng(8).integers(10**9)  # nothing was drawn
    assert noise.delta(0) > 0  # the curve is known all the same


def test_the_largest_noise_that_is_drawn_is_noise():
    draws = mechanisms.geometric(1e-13).sample(2**53, np.random.default_rng(9), 1000)
    assert len(set(draws.tolist())) == 1000 and abs(np.mean(draws - 2**53)) < 1e13
    assert np.std(draws - 2**53) == pytest.approx(sqrt(2) * 1e13, rel=0.1)


@pytest.mark.parametrize("size", [10**12, (10**6, 10**6), -1, 2.5, "3", (2, 3)])
@pytest.mark.parametrize("noise", [mechanisms.geometric(0.7), mechanisms.laplace(0.7)], ids=["geometric", "laplace"])
def test_a_size_that_does_not_fit(noise, size):
    with pytest.raises(ValueError, match="size must"):
        noise.sample([1, 2], np.random.default_rng(0), size)


def test_every_value_gets_noise_of_its_own():
    values = np.zeros((4, 3))
    with pytest.raises(ValueError, match="size must fit"):
        mechanisms.laplace(1).sample(values, np.random.default_rng(0), 3)
    assert len(np.unique(mechanisms.laplace(1).sample(values, np.random.default_rng(0)))) == 12


# Large sensitivities, and exact laws


def test_geometric_of_a_large_sensitivity():
    noise = mechanisms.geometric(1, sensitivity=10**8)
    near = mechanisms.laplace(1)  # a hundred million steps are nearly a continuum
    assert noise.delta(0.3) == pytest.approx(near.delta(0.3), rel=1e-7)
    assert noise.epsilon(0.1) == pytest.approx(near.epsilon(0.1), rel=1e-7)
    assert noise.tradeoff(0.2) == pytest.approx(near.tradeoff(0.2), rel=1e-5)
    assert noise.tradeoff(0.2) <= near.tradeoff(0.2) and noise.dominates(near)
    assert np.ndim(noise.sample(0, np.random.default_rng(0))) == 0
    with pytest.raises(ValueError, match="sensitivity must be below"):
        _ = noise.pair
    with pytest.raises(ValueError, match="eps must be at least"):
        mechanisms.geometric(1e-299, sensitivity=10**8)


def test_exact_geometric_noise_answers_in_fractions():
    noise = mechanisms.geometric(ratio=F(5, 2))
    assert noise.delta(ratio=2) == F(1, 7) and noise.ratio(0) == F(5, 2) and noise.tradeoff(F(1, 7)) == F(9, 14)
    assert mechanisms.geometric(ratio=F(10**17 + 1, 10**17)).eps == pytest.approx(1e-17, rel=1e-15, abs=0)


def test_variances_that_are_no_floats():
    assert mechanisms.staircase(1, sensitivity=1e160).variance == inf
    assert mechanisms.staircase(1, sensitivity=1e150).variance == pytest.approx(1.9181035312355252e300)
    assert mechanisms.geometric(1e-200).variance == inf and mechanisms.laplace(1e-200).variance == inf


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (0, 3), (-2, 2), (5, 9)])
def test_truncated_geometric_by_enumeration(low, high):
    for ratio in (F(2), F(7, 3)):
        for value in range(low, high + 1):
            law = mechanisms.truncated_geometric(value, low, high, ratio)
            expected = dict.fromkeys(range(low, high + 1), F(0))
            for n in range(-60, 61):
                expected[min(max(value + n, low), high)] += (ratio - 1) / (ratio + 1) * ratio ** -abs(n)
            assert sum(law) == 1 and all(isinstance(p, F) for p in law)
            assert [float(p) for p in law] == pytest.approx([float(p) for p in expected.values()], abs=1e-17)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [((5, 0, 2, 3), "value"), ((1, 0, 2, 0.5), "ratio"), ((1, 2, 0, 3), "high"), ((1, 0, 2, inf), "ratio")],
)
def test_truncated_geometric_refuses(arguments, word):
    with pytest.raises(ValueError, match=f"{word} must"):
        mechanisms.truncated_geometric(*arguments)


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6, 1e8, 1e12])
def test_the_exponential_mechanism_keeps_its_digits_however_large_the_scores(size):
    """Only differences of scores matter; in e^(eps score / 2) itself large ones would leave no digits."""
    rng = np.random.default_rng(int(np.log10(size)))
    for eps in (0.3, 2.0, 50.0):
        scores = size + rng.uniform(-3, 3, 5)
        others = scores + rng.uniform(-1, 1, 5) * (1 - 1e-9)
        others = np.clip(others, scores - 1, scores + 1)
        pair = mechanisms.exponential_mechanism(scores, others, eps)
        with mp.workdps(60):
            p, q = (softmax([mp.mpf(eps) * mp.mpf(float(x)) / 2 for x in given]) for given in (scores, others))
            for at in (0.0, 0.2 * eps, 0.4 * eps):
                truth = max(excess(p, q, at), excess(q, p, at))
                low, high = pair.bracket(eps=at)
                assert low <= truth <= high and high - low <= 1e-13 * (1 + eps)
            largest = max(abs(mp.log(a / b)) for a, b in zip(p, q, strict=True))
            low, high = pair.bracket(delta=0.0)
            assert low <= largest <= high and high - low <= 1e-13 * (1 + eps)


def softmax(exponents):
    top = max(exponents)
    weights = [mp.exp(x - top) for x in exponents]
    return [w / mp.fsum(weights) for w in weights]


def excess(p, q, eps):
    return mp.fsum(max(a - mp.exp(mp.mpf(eps)) * b, 0) for a, b in zip(p, q, strict=True))


def test_a_choice_says_what_it_loses_both_ways_however_sure_it_is():
    """Beyond the floats the chances that decide would be lost, and with them one of the two directions."""
    for eps in (1.0, 100.0, 700.0):
        pair = mechanisms.exponential_mechanism([0, 1], [1, 0], eps)
        assert pair.losses == pytest.approx([-eps / 2, eps / 2])
        assert pair.delta(0, "pq") == pytest.approx(pair.delta(0, "qp")) == pytest.approx(tanh(eps / 4))
    with pytest.raises(ValueError, match="eps must lie in \\[0, 700\\], not 1000000000"):
        mechanisms.exponential_mechanism([0, 1], [1, 0], 1e9)


@pytest.mark.parametrize("eps", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("sensitivity", [2, 3, 7])
def test_losses_of_geometric_noise_are_as_right_as_they_say(eps, sensitivity):
    """Each is a quotient and a product, so two units of at most eps may be lost; the truth is a fraction."""
    pair = mechanisms.geometric(eps, sensitivity=sensitivity).pair
    exact = [F(eps) * (sensitivity - 2 * y) / sensitivity for y in range(sensitivity + 1)]
    assert pair.error.loss >= 2 * 2**-53 * eps
    assert all(abs(F(x) - y) <= pair.error.loss for x, y in zip(pair.losses.tolist(), exact, strict=True))
