"""The accountant: every number a second way, by closed forms, fractions, 30 digits of mpmath, or by brute force."""

import itertools
import math
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest

from dpteach import Guarantee, Pair, optimal
from dpteach.accountant import (
    Event,
    Release,
    ReleaseCurve,
    gaussian,
    geometric,
    laplace,
    randomized_response,
    staircase,
    subsampled,
    times,
)
from dpteach.numerics.laws import of_gaussian, of_laplace, of_pair
from dpteach.numerics.transform import Transform
from dpteach.numerics.walk import loss_walk

EPS = (0.0, 0.3, 1.0, 2.7)
DELTAS = (1e-9, 1e-6, 1e-2)


def on_a_grid(*events, rtol=1e-5) -> ReleaseCurve:
    """Return the certified bracket, also where there is a closed form."""
    return ReleaseCurve(Release(*events)._known, rtol)


def assert_encloses(curve, exact_delta, eps=EPS, width=1e-5):
    """The bracket holds the truth, and is narrow."""
    for at in eps:
        low, high = curve.bracket(eps=at)
        truth = float(exact_delta(at))
        assert low <= truth * (1 + 1e-12) and truth * (1 - 1e-12) <= high
        assert high - low <= width * high + 1e-15


# ------------------------------------------------------------------------------------- the grid against closed forms


@pytest.mark.parametrize(("mu", "k"), [(1.0, 1), (0.5, 4), (0.1, 50), (3.0, 2), (0.01, 2000)])
def test_the_grid_encloses_gaussian_noise(mu, k):
    exact = gaussian(mu) ** k
    grid = on_a_grid(times(gaussian(mu), k))
    assert_encloses(grid, exact.delta)
    for delta in DELTAS:
        low, high = grid.bracket(delta=delta)
        assert low <= exact.epsilon(delta) and exact.bracket(delta=delta)[0] <= high <= low * (1 + 1e-4) + 1e-9


@pytest.mark.parametrize(("eps", "k"), [(1.0, 1), (0.3, 7), (0.1, 50), (2.0, 3)])
def test_the_grid_encloses_laplace_noise(eps, k):
    exact = loss_walk(eps, k)
    assert_encloses(on_a_grid(times(laplace(eps), k)), exact.delta, eps=(0.0, 0.317, 1.234))


@pytest.mark.parametrize(("eps", "delta", "k"), [(0.1, 0.0, 100), (1.0, 1e-3, 5), (0.01, 1e-9, 10**5)])
def test_the_grid_encloses_the_optimum_of_guarantees(eps, delta, k):
    exact = optimal(Guarantee(eps, delta), k=k)
    grid = on_a_grid(times(Guarantee(eps, delta), k))
    for at in DELTAS[1:]:
        low, high = grid.bracket(delta=at)
        assert low <= exact.epsilon(at) and exact.bracket(delta=at)[0] <= high <= low * (1 + 1e-4) + 1e-9


def test_a_pure_release_loses_at_most_the_sum():
    grid = on_a_grid(laplace(0.5), Guarantee(0.25), geometric(1.0, sensitivity=3))
    low, high = grid.bracket(delta=0)
    assert low <= 1.75 <= high <= 1.75 + 1e-9
    assert grid.delta(1.7500001) == 0 and grid.epsilon(1) == 0
    assert on_a_grid(gaussian(1), laplace(1)).epsilon(0) == math.inf


# ---------------------------------------------------------------------------------------------- subsampling, one answer


def sampled_gaussian_delta(mu, rate, eps):
    """Return the larger of both directions by 30 digits, from the two densities: where one exceeds e^eps the other."""
    mp = mpmath.MPContext()
    mp.dps = 30
    x = mp.e ** mp.mpf(eps)
    rate, mu = mp.mpf(rate), mp.mpf(mu)
    # with > x without: (1 - r) + r L > x for the likelihood ratio L = e^(mu y - mu^2 / 2), y > edge
    edge = (mp.log((x - 1 + rate) / rate) + mu**2 / 2) / mu
    forth = (1 - rate - x) * mp.ncdf(-edge) + rate * mp.ncdf(mu - edge)
    if x * (1 - rate) >= 1:
        return forth
    edge = (mp.log((1 / x - 1 + rate) / rate) + mu**2 / 2) / mu  # without > x with, y < edge
    back = (1 - x * (1 - rate)) * mp.ncdf(edge) - x * rate * mp.ncdf(edge - mu)
    return max(forth, back)


@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.1), (0.5, 0.5), (2.0, 0.01), (4.0, 0.9)])
def test_subsampled_gaussian_noise_by_its_densities(mu, rate):
    release = Release(subsampled(gaussian(mu), rate))
    assert_encloses(release, lambda eps: sampled_gaussian_delta(mu, rate, eps))


@pytest.mark.parametrize(("ratio", "rate", "k"), [(3, F(1, 4), 3), (2, F(1, 2), 4), (5, F(9, 10), 2)])
def test_subsampled_coins_by_brute_force_in_fractions(ratio, rate, k):
    """Sum over all answers, in fractions; the release answers in the same fractions, and the grid encloses them."""
    coin = randomized_response(ratio=ratio)
    event = times(subsampled(coin, rate), k)
    release = Release(event)
    for x in (F(1), F(11, 10), F(3, 2), F(2)):
        truth = brute_force([(coin, rate)] * k, x)
        assert release.delta(ratio=x) == truth
        low, high = on_a_grid(event).bracket(eps=math.log(x))
        assert low * (1 - 1e-9) <= truth <= high * (1 + 1e-9) and high - low <= 1e-3 * high + 1e-15


def brute_force(coins, x):
    """Return the larger of both directions of the sum of max(P - x Q, 0) over all sequences of answers."""
    forth = back = F(0)
    for answers in itertools.product((0, 1), repeat=len(coins)):
        without = math.prod(coin.p[a] for (coin, _), a in zip(coins, answers, strict=True))
        sampled = math.prod(
            (1 - rate) * coin.p[a] + rate * coin.q[a] for (coin, rate), a in zip(coins, answers, strict=True)
        )
        forth += max(without - x * sampled, 0)
        back += max(sampled - x * without, 0)
    return max(forth, back)


def test_twice_subsampled_is_subsampled_at_the_product():
    coin = randomized_response(ratio=3)
    twice = subsampled(subsampled(coin, F(1, 2)), F(1, 3))
    assert twice == subsampled(coin, F(1, 6))
    assert Release(twice).delta(ratio=1) == F(1, 6) * coin.delta(ratio=1)


def test_rates_0_and_1():
    for noise in (laplace(0.7), gaussian(0.7), Guarantee(0.7, 1e-3)):
        assert Release(subsampled(noise, 1)).epsilon(1e-6) == Release(noise).epsilon(1e-6)
        assert Release(subsampled(noise, 0)).epsilon(0) == 0


def test_a_guarantee_subsampled_is_that_of_lecture_3_and_keeps_open_failures():
    """delta at e^eps' = 1 + rate (e^eps - 1) is rate times delta: the sentence of lecture 3, for the worst pair."""
    eps, delta, rate = 1.0, 0.01, 0.1
    at = math.log(1 + rate * (math.e**eps - 1))
    low, high = on_a_grid(subsampled(Guarantee(eps, delta), rate)).bracket(eps=at)
    assert low - 1e-7 <= rate * delta <= high


# --------------------------------------------------------------------------------------------------- different kinds


def mixed_truth(eps, laplace_eps, mu):
    """Return delta of one Laplace and one Gaussian answer by an integral over the Laplace loss, 25 digits."""
    mp = mpmath.MPContext()
    mp.dps = 25

    def of_gaussian_noise(e):
        return mp.ncdf(mu / 2 - e / mu) - mp.e**e * mp.ncdf(-mu / 2 - e / mu)

    own = mp.mpf(laplace_eps)
    mu = mp.mpf(mu)
    spikes = of_gaussian_noise(eps - own) / 2 + mp.e**-own / 2 * of_gaussian_noise(eps + own)
    return spikes + mp.quad(lambda x: mp.e ** ((x - own) / 2) / 4 * of_gaussian_noise(eps - x), [-own, 0, own])


@pytest.mark.parametrize(("laplace_eps", "mu"), [(1.0, 1.0), (0.2, 0.5), (3.0, 0.3)])
def test_laplace_and_gaussian_noise_by_an_integral(laplace_eps, mu):
    release = Release(laplace(laplace_eps), gaussian(mu))
    assert release.method == "certified bracket on a grid"
    assert_encloses(release, lambda eps: mixed_truth(eps, laplace_eps, mu))


def test_a_coin_and_gaussian_noise_by_the_coin():
    """Whoever knows the coin's loss asks the Gaussian curve for the rest."""
    noise, chance = gaussian(0.8), 1 / (1 + math.exp(-0.6))
    release = Release(Guarantee(0.6), gaussian(0.8))

    def exact(eps):
        asked = [noise_delta(noise, eps - 0.6), noise_delta(noise, eps + 0.6)]
        return chance * asked[0] + (1 - chance) * asked[1]

    assert_encloses(release, exact)


def noise_delta(noise, eps):
    """Return delta also for a negative eps: 1 - e^eps (1 - delta(-eps))."""
    return noise.delta(eps) if eps >= 0 else 1 - math.exp(eps) * (1 - noise.delta(-eps))


def test_orders_and_groups_do_not_matter():
    one = Release(times(laplace(0.2), 3), gaussian(0.4), Guarantee(0.1, 1e-8))
    two = Release(Guarantee(0.1, 1e-8), laplace(0.2), gaussian(0.4), times(laplace(0.2), 2))
    low, high = one.bracket(delta=1e-6)
    assert low <= two.epsilon(1e-6) and two.bracket(delta=1e-6)[0] <= high


@pytest.mark.parametrize(
    "events",
    [
        [times(laplace(0.1), 30), gaussian(0.3)],
        [times(subsampled(laplace(1), 0.05), 100), Guarantee(0.2, 1e-9)],
        [times(gaussian(0.05), 40), times(geometric(0.2), 10), staircase(0.5)],
        [times(subsampled(gaussian(1), 0.02), 50)],
        [times(Guarantee(0.1), 100)],
        [Pair([0.6, 0.3, 0.1], [0.3, 0.3, 0.4]), laplace(0.4)],
    ],
)
def test_no_theorem_says_less_than_the_release_loses(events):
    release = Release(*events)
    for delta in (1e-8, 1e-5):
        low, high = release.bracket(delta=delta)
        assert low <= high <= release.published(delta).epsilon * (1 + 1e-4)
    assert release.published(1e-5).theorem


def test_more_events_lose_more_and_smaller_rates_less():
    less = Release(laplace(0.5), gaussian(0.5)).bracket(delta=1e-6)[1]
    assert less < Release(laplace(0.5), gaussian(0.5), Guarantee(0.1)).bracket(delta=1e-6)[0]
    ends = [Release(times(subsampled(laplace(1), rate), 20)).bracket(delta=1e-6) for rate in (0.01, 0.1, 0.5)]
    assert ends[0][1] < ends[1][0] and ends[1][1] < ends[2][0]


# --------------------------------------------------------------------------------------------- the laws of one answer


def excess(laws, x):
    """Return the sum of max(P - x Q, 0), exactly summed."""
    p = np.exp(laws.log_p)
    terms = np.maximum(p * -np.expm1(math.log(x) - laws.losses), 0)
    return laws.only_p + math.fsum(terms)


@pytest.mark.parametrize("rate", [1.0, 0.5, 0.01])
@pytest.mark.parametrize(
    ("make", "size", "exact"),
    [
        (of_gaussian, 0.7, gaussian),
        (of_gaussian, 5.0, gaussian),
        (of_laplace, 0.7, laplace),
        (of_laplace, 6.0, laplace),
    ],
)
def test_laws_lie_above_and_below_the_truth_in_both_directions(make, size, exact, rate):
    """By the two formulas of lecture 3 for a sampled curve, which never mix any laws."""
    curve = exact(size)
    above, below = (make(size, rounding).sampled(rate) for rounding in (+1, -1))
    for x in (1.0, 1.2, 1.9, 3.0):
        back = rate * curve.delta(math.log(1 + (x - 1) / rate))
        kept = 1 - x * (1 - rate)
        forth = kept * noise_delta(curve, math.log(x * rate / kept)) if kept > 0 else 0.0
        for truth, upper, lower in ((forth, above, below), (back, above.reversed, below.reversed)):
            assert excess(lower, x) <= truth + 1e-13 and truth <= excess(upper, x) + 1e-13
            assert excess(upper, x) - excess(lower, x) < 1e-6


def test_laws_of_a_pair_keep_what_the_other_excludes():
    pair = Pair([F(1, 2), F(1, 3), F(1, 6), F(0)], [F(0), F(1, 4), F(1, 4), F(1, 2)])
    for rounding in (+1, -1):
        laws = of_pair(pair, rounding)
        assert laws.only_p == pytest.approx(0.5, rel=1e-12) and laws.only_q == pytest.approx(0.5, rel=1e-12)
        assert rounding * (laws.only_p - 0.5) >= 0
        half = laws.sampled(0.5)
        assert half.only_p == 0 and half.only_q == pytest.approx(0.25)
        assert half.losses.max() == pytest.approx(math.log(2))  # P alone against half of P


def test_a_power_of_a_transform_is_that_of_repeated_convolution():
    weights = np.array([0.2, 0.5, 0.3])
    transform = Transform(64)
    transform.multiply_power(np.array([0, 1, 3]), weights, 7)
    dense = np.array([0.2, 0.5, 0.0, 0.3])
    truth = np.array([1.0])
    for _ in range(7):
        truth = np.convolve(truth, dense)
    law = transform.law(0)
    assert np.linalg.norm(law[: len(truth)] - truth) <= transform.error
    assert np.linalg.norm(law[len(truth) :]) <= transform.error


# ------------------------------------------------------------------------------------------------ ways and sentences


def test_the_method_is_told():
    assert Release(laplace(1)).method == "closed form: one Laplace answer"
    assert Release(times(laplace(1), 3)).method == "exact: the walk of Laplace losses"
    assert Release(gaussian(1), gaussian(2)).method.startswith("closed form: Gaussian")
    assert Release(geometric(1), Guarantee(1, 1e-6)).method == "the optimal composition of guarantees"
    assert Release(subsampled(Guarantee(1), 0.5)).method == "exact: the product of finite pairs"
    assert Release(laplace(1), laplace(2)).method == "certified bracket on a grid"


def test_gaussian_noises_add_up_in_squares():
    low, high = Release(gaussian(3.0), gaussian(4.0)).bracket(delta=1e-6)
    truth = gaussian(5.0)
    assert low <= truth.epsilon(1e-6) and truth.bracket(delta=1e-6)[0] <= high <= low * (1 + 1e-10)


def test_a_bracket_that_is_too_wide_is_told_and_holds():
    modest, greedy = (Release(times(laplace(0.1), 10), gaussian(0.3), rtol=rtol) for rtol in (1e-4, 1e-14))
    low, high = greedy.bracket(delta=1e-6)
    assert not greedy.reached and low <= high
    assert modest.bracket(delta=1e-6)[0] <= high and low <= modest.epsilon(1e-6) and modest.reached
    assert Release(gaussian(1)).reached


def test_an_empty_release_loses_nothing():
    assert Release().epsilon(0) == 0 and Release(times(gaussian(1), 0)).delta(0) == 0


def test_a_million_answers_are_one_transform():
    release = Release(times(Guarantee(1e-3), 10**6), gaussian(0.5))
    low, high = release.bracket(delta=1e-6)
    near = (gaussian(math.hypot(1.0, 0.5))).epsilon(1e-6)  # the central limit
    assert low <= high <= low * 1.01 and abs(low - near) < 0.02 * near


def test_the_table_and_the_picture_tell_the_same():
    release = Release(laplace(0.5), times(gaussian(0.1), 10))
    rows = release.table(1e-6).rows
    assert [row[1] for row in rows] == [1, 10, 11, 11]
    assert rows[-2][2] == release.epsilon(1e-6) <= rows[-1][2] == release.published(1e-6).epsilon
    picture = release.plot(1e-6)
    assert "11 answers" in picture.alt
    line = picture.figure.axes[0].lines[0]
    low, high = release.bracket(eps=float(line.get_xdata()[10]))
    assert low * 0.998 <= line.get_ydata()[10] <= high * 1.002


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Release(3), "an event must be a Guarantee"),
        (lambda: Release([laplace(1)]), "an event must be a Guarantee"),
        (lambda: times(laplace(1), -1), "k must be a whole number"),
        (lambda: times("x", 2), "an event must be"),
        (lambda: subsampled(laplace(1), 2), r"rate must lie in \[0, 1\], not 2"),
        (lambda: subsampled(times(laplace(1), 3), 0.5), "subsampled needs a single answer"),
        (lambda: Release(laplace(1), rtol=0), "rtol must be positive"),
        (lambda: Release(laplace(1), gaussian(50)).delta(1), "mu must be at most 32 in a release with other events"),
        (lambda: Release(gaussian(1), laplace(500)).delta(1), "eps must be at most 200 in a release with other events"),
        (lambda: Release(laplace(1)).published(2), "delta must lie in"),
    ],
)
def test_what_cannot_be_certified_is_refused(make, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        make()


def test_what_gives_everything_away_leaves_nothing():
    open_answer = Pair([1, 0], [0, 1])
    assert Release(open_answer, laplace(1)).delta(3) == 1 and Release(open_answer, laplace(1)).epsilon(0.5) == math.inf
    halved = Release(subsampled(open_answer, 0.5), laplace(1))
    low, high = halved.bracket(eps=5.0)
    assert low <= 0.5 <= high <= 0.5 + 1e-9  # with the record, half of the time everything is known


def test_an_event_says_what_it_is():
    assert times(subsampled(laplace(0.5), 0.1), 3).name == "laplace(eps=0.5), at rate 0.1"
    assert Event(gaussian(2)).name == "gaussian(mu=2)"
