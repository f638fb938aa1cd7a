"""The loss of k Laplace answers: by integration, by a closed form in many digits, by sandwiching, by simulation."""

from math import comb, cosh, exp, inf, nan, sinh, sqrt, tanh

import numpy as np
import pytest
from mpmath import mp
from scipy import stats

from dpteach import Guarantee, Pair, mechanisms, optimal
from dpteach.claims.reference.basics import laplace_walk
from dpteach.numerics.quadrature import KERNEL, rule_of
from dpteach.numerics.rounding import UNIT
from dpteach.numerics.walk import LEBESGUE, NODES, loss_walk

SAMPLES = 40_000


def one_density(eps, loss):
    """Return the density of one answer's loss between the spikes, from the change of variables."""
    x = (eps - loss) / (2 * eps)  # the answer with that loss, between the two true values 0 and 1
    return eps / 2 * mp.exp(-eps * x) / (2 * eps)


def one_tail(eps, at):
    """Return P(loss > at) of one answer: those below the point x where the loss is `at`."""
    if not -eps <= at < eps:
        return mp.mpf(at < eps)
    x = (eps - at) / (2 * eps)
    return mp.mpf(1) / 2 + (1 - mp.exp(-eps * x)) / 2


def one_delta(eps, at):
    """Return E max(1 - e^(at - loss), 0) of one answer, also for negative `at`."""
    return max(1 - mp.exp((at - eps) / 2), 0) if at > -eps else 1 - mp.exp(at)


def two_answers(of_one, eps, at):
    """Integrate over the first answer's loss what the second one does."""
    cuts = sorted({-eps, eps, *(c for c in (at - eps, at + eps) if -eps < c < eps)})
    between = mp.quad(lambda loss: one_density(eps, loss) * of_one(eps, at - loss), cuts)
    return of_one(eps, at - eps) / 2 + mp.exp(-eps) / 2 * of_one(eps, at + eps) + between


@pytest.mark.parametrize("eps", [0.05, 0.7, 3.0])
def test_one_answer_is_the_laplace_mechanism(eps):
    walk, grid = loss_walk(eps, 1), np.linspace(0, 1.2 * eps, 13)
    assert walk.delta(grid) == pytest.approx(mechanisms.laplace(eps).delta(grid), rel=1e-11, abs=1e-15)
    inside = np.linspace(-0.99, 0.99, 7) * eps
    assert walk.density(inside) == pytest.approx([float(one_density(eps, x)) for x in inside], rel=1e-12)
    assert walk.tail(inside) == pytest.approx([float(one_tail(eps, x)) for x in inside], rel=1e-12)


@pytest.mark.parametrize(("eps", "share"), [(0.7, 0.3 / 1.4), (0.7, 0.8), (0.1, 0.0), (3.0, 0.55)])
def test_two_answers_by_integration(eps, share):
    walk, at = loss_walk(eps, 2), 2 * eps * share
    with mp.workdps(20):
        assert walk.delta(at) == pytest.approx(float(two_answers(one_delta, mp.mpf(eps), mp.mpf(at))), rel=1e-12)
        assert walk.tail(at) == pytest.approx(float(two_answers(one_tail, mp.mpf(eps), mp.mpf(at))), rel=1e-12)


@pytest.mark.parametrize("k", [1, 3, 8, 20, 40])
@pytest.mark.parametrize("eps", [0.01, 0.5, 4.0])
def test_closed_form_with_many_digits(eps, k):
    walk = loss_walk(eps, k)
    for share in (0.0, 0.31, 0.77, 0.999 if k * eps < 100 else 0.95):
        tail, delta = laplace_walk(eps, k, share * k * eps)
        low, high = walk.bracket(eps=share * k * eps)
        assert walk.tail(share * k * eps) == pytest.approx(float(tail), rel=1e-11, abs=1e-290)
        assert (low + high) / 2 == pytest.approx(float(delta), rel=1e-11, abs=1e-286)
        assert low <= delta <= high == walk.delta(share * k * eps)
    assert walk.tail(-0.4 * k * eps) == pytest.approx(float(laplace_walk(eps, k, -0.4 * k * eps)[0]), rel=1e-12)


def sandwich(eps, n):
    """Return two pairs around the Laplace pair: n cells seen as one each, and cells spread to their two ends.

    On a cell of width h the likelihoods are e^(-eps (1 - x)) and e^(-eps x) times eps/2. Seen as one, the cell has the
    ratio of its midpoint; spread to the ends so that both masses stay, it gives each end tanh(eps h / 2) / 2.
    """
    h = 1 / n
    inner = np.concatenate([[0], np.arange(n) * h + h / 2, [1]])
    inner_mass = np.concatenate([[0.5], np.full(n, sinh(eps * h / 2)), [0.5]])
    outer, outer_mass = np.arange(n + 1) * h, np.full(n + 1, tanh(eps * h / 2))
    outer_mass[[0, -1]] = (1 + tanh(eps * h / 2)) / 2
    laws = [
        (mass * np.exp(-eps * (1 - x)), mass * np.exp(-eps * x))
        for x, mass in ((inner, inner_mass), (outer, outer_mass))
    ]
    return [Pair(p, q) for p, q in laws]


@pytest.mark.parametrize(("eps", "k", "n"), [(0.1, 100, 8), (1.0, 100, 16), (0.02, 300, 2)])
def test_many_answers_between_two_pairs(eps, k, n):
    walk, (low, high) = loss_walk(eps, k), [pair**k for pair in sandwich(eps, n)]
    for deviations in (0.0, 1.0, 3.0, 6.0):
        at = max(walk.mean + deviations * walk.std, 0.0)
        below, above = low.delta(at), high.delta(at)
        assert below * (1 - 1e-11) <= walk.delta(at) <= above * (1 + 1e-11)
        assert above / below < 1.2


def test_numbers_of_the_post():
    assert loss_walk(0.2, 5).tail(0.5) == pytest.approx(0.221737811415, rel=1e-11)
    assert loss_walk(0.2, 5).delta(0.5) == pytest.approx(0.0343907169863, rel=1e-11)
    assert loss_walk(0.125, 8).tail(0.8) == pytest.approx(0.00742672797002, rel=1e-11)
    assert loss_walk(0.125, 8).delta(0.8) == pytest.approx(0.00102577755766, rel=1e-11)
    assert loss_walk(0.7, 2).delta(0.3) == pytest.approx(0.264388991764879, rel=1e-13)


@pytest.mark.parametrize(("eps", "k"), [(0.3, 1), (0.3, 6), (2.0, 25), (0.05, 400)])
def test_spikes_and_density_make_a_law(eps, k):
    walk = loss_walk(eps, k)
    losses, chances = walk.atoms
    expected = [comb(k, n) * exp(-eps * (k - n)) / 2**k for n in range(k + 1)]
    assert losses == pytest.approx(eps * (2 * np.arange(k + 1) - k))
    assert chances == pytest.approx(expected, rel=1e-11, abs=1e-300)
    x, w = np.polynomial.legendre.leggauss(24)
    points = (losses[:-1, None] + eps * (1 + x)).ravel()  # between any two spikes
    weights = np.tile(eps * w, k)
    density = walk.density(points)
    moments = [np.sum(chances * losses**n) + np.sum(weights * density * points**n) for n in (0, 1, 2)]
    assert moments[0] == pytest.approx(1, rel=1e-11) and walk.tail(-inf) == pytest.approx(1, rel=1e-11)
    assert moments[1] == pytest.approx(walk.mean, rel=1e-10)
    assert sqrt(moments[2] - moments[1] ** 2) == pytest.approx(walk.std, rel=1e-9)
    assert walk.mean == pytest.approx(k * (eps - 1 + exp(-eps)), rel=1e-12)
    assert walk.std == pytest.approx(sqrt(k * (3 - (4 * eps + 2) * exp(-eps) - exp(-2 * eps))), rel=1e-10)


def test_the_second_law_is_the_mirror_image():
    """Q sees the loss x as often as P sees -x: q(x) = e^-x p(x) = p(-x)."""
    walk, x = loss_walk(0.6, 7), np.linspace(-4, 4, 42)
    assert walk.density(-x) == pytest.approx(np.exp(-x) * walk.density(x), rel=1e-11)
    losses, chances = walk.atoms
    assert chances[::-1] == pytest.approx(np.exp(-losses) * chances, rel=1e-12)


def test_at_and_beyond_the_ends():
    walk = loss_walk(0.1, 3)
    top = 3 * 0.1  # rounds to a little more than 0.3
    assert walk.tail([0.3, top, 1.0, inf]) == pytest.approx([0, 0, 0, 0], abs=0)
    assert walk.tail(0.29999) == pytest.approx(1 / 8, rel=1e-4)
    assert walk.delta([top, 5.0, inf]) == pytest.approx([0, 0, 0], abs=0)
    with mp.workdps(50):  # as a float 0.3 is a little less than three times 0.1
        assert -mp.expm1(mp.mpf(0.3) - 3 * mp.mpf(0.1)) / 8 <= walk.delta(0.3) < 1e-17
    assert walk.density([-inf, -0.4, 0.4, inf]) == pytest.approx([0, 0, 0, 0], abs=0)
    assert walk.epsilon(0) == pytest.approx(0.3) and walk.epsilon(1) == 0 and walk.epsilon(walk.delta(0)) == 0
    assert isinstance(walk.tail(0.1), float) and isinstance(walk.density(0.1), float)


@pytest.mark.parametrize(("eps", "k"), [(0.1, 10), (1.0, 5), (0.1, 100)])
def test_less_than_the_worst_case(eps, k):
    walk, worst, grid = loss_walk(eps, k), optimal(Guarantee(eps), k=k), np.linspace(0, k * eps, 21)
    assert np.all(walk.delta(grid) <= worst.delta(grid) * (1 + 1e-12))
    for delta in (0.01, 1e-6):
        assert walk.delta(walk.epsilon(delta)) <= delta
        assert walk.delta(walk.epsilon(delta) * (1 - 1e-9)) > delta or walk.epsilon(delta) == 0
        assert walk.epsilon(delta) <= worst.epsilon(delta)


def test_the_walk_ends_as_a_bell():
    walk = loss_walk(0.05, 1000)
    x = walk.mean + walk.std * np.linspace(-2, 2, 9)
    spikes = walk.atoms[1].sum()
    assert spikes == pytest.approx((cosh(0.025) * exp(-0.025)) ** 1000) and spikes < 1e-10
    bell = stats.norm.pdf(x, walk.mean, walk.std)
    assert walk.bell(x) == pytest.approx(bell, rel=1e-12)
    assert walk.density(x) == pytest.approx(bell, rel=0.01)


@pytest.mark.parametrize(("eps", "k"), [(0.8, 1), (0.5, 4), (0.2, 30)])
def test_simulation(eps, k):
    walk = loss_walk(eps, k)
    draws = walk.sample(np.random.default_rng(k), SAMPLES)
    assert np.mean(draws) == pytest.approx(walk.mean, abs=5 * walk.std / sqrt(SAMPLES))
    assert np.std(draws) == pytest.approx(walk.std, rel=0.03)
    assert np.mean(np.isclose(draws, k * eps, rtol=1e-9)) == pytest.approx(walk.atoms[1][-1], abs=5 / sqrt(4 * SAMPLES))
    for at in walk.mean + walk.std * np.array([-1.53, 0.013, 0.77, 1.91]):
        assert np.mean(draws > at) == pytest.approx(walk.tail(at), abs=5 / sqrt(4 * SAMPLES))
    assert isinstance(walk.sample(np.random.default_rng(0)), float)


def test_the_spikes_of_a_sample_are_spikes():
    walk = loss_walk(0.5, 6)
    draws = walk.sample(np.random.default_rng(0), SAMPLES)
    assert np.mean(draws > 0) == pytest.approx(walk.tail(0), abs=3 / sqrt(4 * SAMPLES))
    for loss, chance in zip(*walk.atoms, strict=True):
        assert np.mean(draws == loss) == pytest.approx(chance, abs=5 * sqrt(chance / SAMPLES))


@pytest.mark.parametrize("nodes", [4, *NODES])  # four of them in `laws`
def test_the_rule_with_many_digits(nodes):
    """Nodes, weights, the interpolation and the Peano kernel are what the error bounds say."""
    rule, unit = rule_of(nodes), mp.mpf(UNIT)
    with mp.workdps(120):
        exact = [legendre_node(nodes, 2 * float(t) - 1) for t in rule.t]
        places = [((1 + z) / 2, weight / 2) for z, weight in exact]
        for t, rest, weight, (node, true) in zip(rule.t, rule.rest, rule.weights, places, strict=True):
            assert abs(t - node) < unit and abs(rest - (1 - node)) < unit
            assert abs(weight / true - 1) < rule.units * unit
        for at in (0.0, 0.013, 0.31, 0.77, 1.0):
            row = lagrange([node for node, _ in places], mp.mpf(at))
            found = rule.between(np.array([at]))[0]
            assert max(abs(a - b) for a, b in zip(found, row, strict=True)) < rule.between_units * unit
            assert sum(map(abs, row)) < LEBESGUE
        bound = mp.mpf(KERNEL) / (mp.binomial(2 * nodes, nodes) ** 2 * (2 * nodes + 1) * mp.factorial(2 * nodes))
        assert all(abs(peano(places, mp.mpf(i) / 40)) < bound for i in range(41))


def legendre_node(n, near):
    """Return a root of the n-th Legendre polynomial and its weight, by Newton's method."""
    z = mp.mpf(near)
    for _ in range(9):
        before, value = mp.mpf(1), z
        for j in range(2, n + 1):
            before, value = value, ((2 * j - 1) * z * value - (j - 1) * before) / j
        slope = n * (z * value - before) / (z * z - 1)
        z -= value / slope
    return z, 2 / ((1 - z * z) * slope * slope)


def lagrange(nodes, at):
    """Return the polynomials that are 1 at one node and 0 at the others, by their definition."""
    return [mp.fprod((at - other) / (node - other) for other in nodes if other != node) for node in nodes]


def peano(places, t):
    """Return the error of the rule for (x - t)_+^(2n-1) / (2n-1)!."""
    degree = 2 * len(places) - 1
    rule = mp.fsum(weight * max(node - t, 0) ** degree for node, weight in places)
    return ((1 - t) ** (degree + 1) / (degree + 1) - rule) / mp.factorial(degree)


@pytest.mark.parametrize(("eps", "k"), [(1e-9, 3), (0.3, 1), (0.1, 30), (3.0, 8), (40.0, 2), (12.0, 20)])
def test_brackets_hold_the_truth(eps, k):
    """At the spikes, just beside them, near both ends and in between, for small and large eps."""
    walk, top = loss_walk(eps, k), k * eps
    spikes = [x for x in walk.atoms[0][:: max(k // 4, 1)] if x >= 0]
    beside = [x * (1 + shift) for x in spikes for shift in (-1e-9, -1e-15, 0, 1e-15, 1e-9)]
    for at in [0.0, *beside, *(top * np.array([1e-7, 0.37, 0.9, 0.99, 0.9999, 1 - 1e-12]))]:
        low, high = walk.bracket(eps=at)
        delta = max(laplace_walk(eps, k, at)[1], 0)
        assert low <= delta <= high
        if at < 0.95 * top:
            assert high - low <= 1e-10 * delta


@pytest.mark.parametrize(("eps", "k"), [(0.2, 5), (3.0, 8)])
def test_the_inverse_is_on_the_safe_side(eps, k):
    walk = loss_walk(eps, k)
    start = laplace_walk(eps, k, 0)[1]
    for share in ("0.999999999999", "0.9", "0.1", "1e-5", "1e-9"):
        target = float(start * mp.mpf(share))
        low, high = walk.bracket(delta=target)
        assert laplace_walk(eps, k, high)[1] <= target <= laplace_walk(eps, k, low)[1]
        assert high - low < 1e-9 * k * eps
    assert walk.bracket(delta=0.9999999)[1] == 0 or start > 0.9999999
    low, high = walk.bracket(delta=0)
    assert low <= k * mp.mpf(eps) <= high


def test_the_last_percent_is_wide_but_honest():
    """What is left below k eps has a probability near 2^-k: there the bracket may be wide, not wrong."""
    walk = loss_walk(12.0, 60)
    for share in (0.98, 0.99, 0.995, 0.999, 0.9999):
        low, high = walk.bracket(eps=share * 720)
        assert low <= laplace_walk(12.0, 60, share * 720)[1] <= high
    assert loss_walk(1.0, 1200).bracket(eps=1199.9) == (0, pytest.approx(0, abs=1e-280))  # the truth is 1e-362


def test_a_sample_that_does_not_fit():
    with pytest.raises(ValueError, match="size must ask for at most"):
        loss_walk(0.1, 3).sample(np.random.default_rng(0), 10**12)


@pytest.mark.parametrize("bad", [0, -1, nan, inf, 41, "1", None, True, [1.0, 2.0]])
def test_bad_eps(bad):
    with pytest.raises(ValueError, match="eps must"):
        loss_walk(bad, 3)


@pytest.mark.parametrize("bad", [0, -1, 2.5, 2001, nan, "3", None, True])
def test_bad_k(bad):
    with pytest.raises(ValueError, match="k must"):
        loss_walk(0.1, bad)


def test_bad_questions():
    walk = loss_walk(0.1, 3)
    for ask, bad, word in (
        (walk.tail, nan, "loss"),
        (walk.density, "0", "loss"),
        (walk.delta, -0.1, "eps"),
        (walk.epsilon, 1.3, "delta"),
        (walk.sample, 7, "rng"),
    ):
        with pytest.raises(ValueError, match=f"{word} must"):
            ask(bad)
