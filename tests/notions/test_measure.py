"""What pairs of laws lose, against 60 digits, also where the laws are nearly equal and only differences count."""

from fractions import Fraction as F

import numpy as np
import pytest
from mpmath import mp, mpf

from dpteach import Pair
from dpteach.notions import concentrated_loss, gaussian_loss, pure_loss

pytestmark = pytest.mark.filterwarnings("error")


def nearly_equal(size: float, seed: int) -> tuple[list[F], list[F]]:
    """Return two exact laws whose losses are about this size."""
    rng = np.random.default_rng(seed)
    weights = [F(int(w)) for w in rng.integers(1, 50, 2 + seed % 3)]
    p = [w / sum(weights) for w in weights]
    tilted = [x * (1 + F(size) * F(float(t))) for x, t in zip(p, rng.uniform(-0.9, 0.9, len(p)), strict=True)]
    return p, [x / sum(tilted) for x in tilted]


def digits(law: list[F]) -> list:
    return [mpf(x.numerator) / x.denominator for x in law]


def true_renyi(p: list[F], q: list[F], alpha) -> mpf:
    a = mpf(alpha)
    laws = list(zip(digits(p), digits(q), strict=True))
    if a == 1:
        return sum(x * mp.log(x / y) for x, y in laws if x)
    return mp.log(sum(x**a * y ** (1 - a) for x, y in laws if x and y)) / (a - 1)


def true_concentration(p: list[F], q: list[F], size: float) -> mpf:
    """Return the largest D_alpha / alpha: a grid, and a search by thirds around its best point."""

    def slope(log_beyond):
        alpha = 1 + mp.exp(log_beyond)
        return true_renyi(p, q, alpha) / alpha

    end = mp.log(mpf(200) / size)
    grid = [-7 + n * (end + 7) / 80 for n in range(81)]
    best = max(range(81), key=lambda n: slope(grid[n]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, 80)]
    for _ in range(40):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (one, high) if slope(one) < slope(two) else (low, two)
    return max(slope(low), true_renyi(p, q, 1))


def true_mu(p: list[F], q: list[F]) -> mpf:
    """Return the largest difference of normal quantiles over the likelihood-ratio tests."""
    best = accepted = missed = mpf(0)
    ordered = sorted(zip(p, q, strict=True), key=lambda law: -law[0] / law[1])
    for a, b in ordered[:-1]:
        accepted += mpf(a.numerator) / a.denominator
        missed += mpf(b.numerator) / b.denominator
        best = max(best, mp.erfinv(2 * accepted - 1) - mp.erfinv(2 * missed - 1))
    return mp.sqrt(2) * best


@pytest.mark.parametrize("size", [1e-16, 1e-13, 1e-10, 1e-7, 1e-4, 1e-2, 0.5])
def test_small_losses_have_all_their_digits(size):
    with mp.workdps(60):
        for seed in range(3):
            p, q = nearly_equal(size, seed)
            pair = Pair(p, q)
            largest = max(abs(mp.log(x / y)) for x, y in zip(digits(p), digits(q), strict=True))
            assert abs(pure_loss(pair) / largest - 1) < 1e-15
            rho = max(true_concentration(p, q, size), true_concentration(q, p, size))
            assert abs(concentrated_loss(pair) / rho - 1) < 1e-12
            assert abs(gaussian_loss(pair) / true_mu(p, q) - 1) < 1e-11


@pytest.mark.parametrize("size", [1e-15, 1e-9, 1e-3, 1.0])
@pytest.mark.parametrize("alpha", [0, 1e-3, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.5, 2, 40, 1e4])
def test_renyi_divergences_of_nearly_equal_laws(size, alpha):
    with mp.workdps(60):
        for seed in range(3):
            p, q = nearly_equal(size, seed)
            true = true_renyi(p, q, alpha)
            assert abs(Pair(p, q).renyi(alpha) - true) <= 1e-12 * abs(true) + 1e-55  # order 0 gives 0


@pytest.mark.parametrize("alpha", [0, 0.3, 0.9, 1 - 1e-9, 1, 1 + 1e-9, 3])
@pytest.mark.parametrize("rare", [F(1, 2), F(1, 10**6), F(1, 10**15)])
def test_renyi_divergences_where_the_supports_differ(alpha, rare):
    """What only Q admits, and for orders below 1 also what only P admits."""
    p, q = nearly_equal(1e-3, 2)
    more_q = Pair([*p, F(0)], [*(x * (1 - rare) for x in q), rare])
    with mp.workdps(60):
        true = true_renyi([*p, F(0)], [*(x * (1 - rare) for x in q), rare], alpha)
        assert abs(more_q.renyi(alpha) - true) <= 1e-12 * true
        back = more_q.reversed()
        if alpha >= 1:
            assert back.renyi(alpha) == float("inf")
        elif alpha > 0:
            true = true_renyi([*(x * (1 - rare) for x in q), rare], [*p, F(0)], alpha)
            assert abs(back.renyi(alpha) - true) <= 1e-12 * true


def test_orders_come_in_any_shape():
    pair = Pair([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
    orders = np.array([[0.5, 1.0], [2.0, np.inf]])
    told = pair.renyi(orders)
    assert told.shape == (2, 2) and told[1, 1] == pair.losses.max()
    assert all(told.flat[n] == pair.renyi(float(a)) for n, a in enumerate(orders.flat))
