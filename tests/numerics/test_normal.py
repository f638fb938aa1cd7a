"""The Gaussian curve between its two ends: all mu and eps against many digits, and the constants of its bounds."""

import numpy as np
import pytest
from mpmath import mp
from scipy import stats
from scipy.special import erfcx, ndtr, ndtri

from dpteach.numerics.normal import MILLS, NODES, WEIGHTS, gaussian_delta, gaussian_tradeoff
from dpteach.numerics.rounding import UNIT

pytestmark = pytest.mark.filterwarnings("error")

DIGITS = 700  # mu^2 of 1e-300 and 1e15 in one sum


def mills(s):
    """Return Mills' ratio; by its asymptotic series where that has more than 40 digits."""
    if s < 1000:
        return mp.sqrt(mp.pi / 2) * mp.erfc(s / mp.sqrt(2)) * mp.exp(s * s / 2)
    return mp.fsum((-1) ** j * mp.fac2(2 * j - 1) / s ** (2 * j + 1) for j in range(12))


def truth(mu, eps):
    """Return delta(eps) from t = eps/mu - mu/2 in many digits, then in 60."""
    with mp.workdps(DIGITS):
        t = mp.mpf(eps) / mp.mpf(mu) - mp.mpf(mu) / 2
        b = t + mp.mpf(mu)
        if t < -30:
            return 1 - mp.mpf("1e-200")  # closer to 1 than any float
    with mp.workdps(60 + max(0, int(-mp.log10(mp.mpf(mu))))):
        return mp.npdf(t) * (mills(t) - mills(b)) if t < 1000 else mp.mpf("1e-100000")


def aimed(rng):
    """Draw mu from 1e-300 to 1e15 and an eps where something can go wrong."""
    mu = 10.0 ** rng.choice([rng.uniform(-300, 15), rng.uniform(-3, 3), rng.uniform(-1, 1)])
    near_the_middle = mu * mu / 2 + mu * rng.uniform(-8, 39)
    eps = [near_the_middle, mu * 10.0 ** rng.uniform(-20, 1), 10.0 ** rng.uniform(-300, 308), 0.0]
    return float(mu), max(float(eps[rng.integers(4)]), 0.0)


def ends(mu, eps):
    return [float(gaussian_delta(mu, np.array(eps), rounding)) for rounding in (-1, +1)]


def test_the_curve_lies_between_its_ends():
    rng = np.random.default_rng(0)
    for _ in range(400):
        mu, eps = aimed(rng)
        low, high = ends(mu, eps)
        delta = truth(mu, eps)
        assert low <= delta <= high, (mu, eps)
        assert high - low <= 2e-11 * delta + 1e-322, (mu, eps)


@pytest.mark.parametrize(
    ("mu", "eps"),
    [
        (1e4, 50057083.91107703),
        (1e15, 4.999999999999975e29),
        (1.0, 1e155),
        (1e-308, 2e-308),
        (0.4999999, 3.0),
        (0.5, 3.0),
        (1e-5, 0.0),
    ],
)
def test_places_that_were_wrong(mu, eps):
    low, high = ends(mu, eps)
    assert low <= truth(mu, eps) <= high


@pytest.mark.parametrize("mu", [5e-324, 1e-300, 1.0, 1e15, 1e200, 1.7e308])
def test_never_a_nan(mu):
    for eps in (0.0, 5e-324, 1e-300, 1.0, 1e155, 1e300, 1.7e308, np.inf):
        low, high = ends(mu, eps)
        assert 0 <= low <= high <= 1
        assert (high == 0) == (eps == np.inf)


def test_mills_ratio_is_as_good_as_the_bound_says():
    rng = np.random.default_rng(1)
    for s in [*rng.uniform(-0.25, 0.25, 400), *rng.uniform(0, 5, 400), *rng.uniform(5, 60, 200)]:
        with mp.workdps(50):
            x = mp.mpf(float(s))
            assert abs(mp.mpf(float(erfcx(s))) / (mp.erfc(x) * mp.exp(x * x)) - 1) <= (MILLS - 10) * UNIT


def test_the_errors_are_never_above_the_truth():
    rng = np.random.default_rng(2)
    for _ in range(60):
        mu = 10.0 ** rng.uniform(-3, 1.5)
        alpha = float(rng.choice([rng.uniform(), 10.0 ** rng.uniform(-30, 0)]))
        with mp.workdps(50):
            exact = mp.ncdf(quantile(alpha) - mp.mpf(mu))
        found = float(gaussian_tradeoff(mu, np.array(alpha)))
        assert exact * (1 - mp.mpf("1e-11")) <= found <= exact
    assert gaussian_tradeoff(1.0, np.array([0.0, 1.0])).tolist() == [1, 0]


def quantile(alpha):
    """Return z with Phi(-z) = alpha by Newton's method, whose logarithm is nearly a parabola."""
    z = mp.mpf(float(stats.norm.isf(alpha)))
    for _ in range(4):
        tail = mp.ncdf(-z)
        z += (mp.log(tail) - mp.log(mp.mpf(alpha))) * tail / mp.npdf(z)
    return z


def test_the_nodes_and_weights_are_rounded_once():
    with mp.workdps(50):
        for node, weight in zip(NODES.tolist(), WEIGHTS.tolist(), strict=True):
            root = mp.findroot(lambda t: mp.legendre(12, t), mp.mpf(node))
            slope = mp.diff(lambda t: mp.legendre(12, t), root)
            true_weight = 2 / ((1 - root**2) * slope**2)
            assert abs(node - root) <= UNIT * abs(root) and abs(weight - true_weight) <= UNIT * true_weight


def test_the_library_is_as_good_as_the_tradeoff_takes_for_granted():
    """Quantiles, and chances far out, of which the argument's square may be rounded."""
    with mp.workdps(50):
        for share in (*np.geomspace(1e-300, 0.5, 60).tolist(), 0.7, 0.99, 1 - 1e-9):
            found = float(ndtri(share))
            exact = mp.findroot(lambda x, p=share: mp.log(mp.ncdf(x)) - mp.log(mp.mpf(p)), found)
            assert abs(found - exact) <= 8 * UNIT * abs(exact) + 1e-30
        for x in np.linspace(-37, 8, 91).tolist():
            assert abs(ndtr(x) - mp.ncdf(x)) <= UNIT * (8 + 2 * x * x) * mp.ncdf(x)
