"""The same releases in other people's accountants: their certified ends enclose ours, their bounds are never below.

The peers are optional (CONTRIBUTING.md says how to install them); what is not installed is skipped.
"""

import math
import warnings

import pytest

from dpteach.accountant import Guarantee, Release, gaussian, geometric, laplace, subsampled, times

DELTA = 1e-6
WHY = "optional peer; to install all: python -m pip install --no-deps -r requirements-peers.txt"


# ------------------------------------------------------------------------------------------------- dp-accounting


@pytest.fixture(scope="module")
def pld():
    return pytest.importorskip("dp_accounting.pld.privacy_loss_distribution", reason=WHY)


def theirs(pld, kind, size, rate, up, interval):
    """Return their privacy loss distribution of one answer, rounded up, or down; sampled with neighbours added."""
    grid = {"value_discretization_interval": interval, "pessimistic_estimate": up, "use_connect_dots": up}
    if kind is gaussian:
        return pld.from_gaussian_mechanism(1 / size, sampling_prob=rate, **grid)
    return pld.from_laplace_mechanism(1 / size, sampling_prob=rate, **grid)


RELEASES = {
    "laplace and gaussian": [(laplace, 0.5, 1.0, 3), (gaussian, 0.3, 1.0, 5)],
    "two sizes of laplace": [(laplace, 0.1, 1.0, 20), (laplace, 0.3, 1.0, 4)],
    "subsampled laplace": [(laplace, 1.0, 0.1, 50)],
    "subsampled gaussian": [(gaussian, 1.0, 0.05, 100)],
    "everything": [(gaussian, 0.5, 0.2, 10), (laplace, 0.2, 1.0, 5), (laplace, 2.0, 0.01, 30)],
}


@pytest.mark.parametrize("name", RELEASES)
def test_dp_accounting_encloses_the_release(pld, name):
    """Rounded up and down on a grid, its losses are off by the width for each answer; it cuts off some mass."""
    interval = 1e-4
    ours, answers = [], sum(count for *_, count in RELEASES[name])
    laws = {up: None for up in (False, True)}
    for kind, size, rate, count in RELEASES[name]:
        ours.append(times(subsampled(kind(size), rate), count))
        for up, before in laws.items():
            law = theirs(pld, kind, size, rate, up, interval).self_compose(count)
            laws[up] = law if before is None else before.compose(law)
    low, high = Release(*ours).bracket(delta=DELTA)
    assert laws[False].get_epsilon_for_delta(DELTA) - 1e-9 <= high
    assert low <= laws[True].get_epsilon_for_delta(DELTA) + 1e-9
    assert high - low <= interval * answers  # and ours is narrower than theirs may be
    assert abs(laws[True].get_epsilon_for_delta(DELTA) - high) <= interval * answers
    at = Release(*ours).epsilon(DELTA)
    assert laws[False].get_delta_for_epsilon(at) - 1e-9 <= Release(*ours).delta(at)
    assert Release(*ours).bracket(eps=at)[0] <= laws[True].get_delta_for_epsilon(at) + 1e-9


def test_dp_accounting_composes_guarantees_and_noise(pld):
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    promised = pld.from_privacy_parameters(DifferentialPrivacyParameters(0.2, 1e-8)).self_compose(7)
    law = promised.compose(pld.from_gaussian_mechanism(2.0))
    release = Release(times(Guarantee(0.2, 1e-8), 7), gaussian(scale=2.0))
    low, high = release.bracket(delta=DELTA)
    assert low <= law.get_epsilon_for_delta(DELTA) + 1e-9 <= high + 8e-4


# ------------------------------------------------------------------------------------------------------- autodp


@pytest.fixture(scope="module")
def autodp():
    with warnings.catch_warnings(action="ignore"):
        return pytest.importorskip("autodp", reason=WHY)


@pytest.mark.parametrize(("eps", "k", "mu", "n"), [(0.1, 50, 0.1, 50), (0.5, 3, 0.3, 5)])
def test_autodp_is_above_by_renyi_accounting(autodp, eps, k, mu, n):
    """Rényi accounting is valid and loose: never below the release, and here less than a third above."""
    from autodp.rdp_acct import anaRDPacct
    from autodp.rdp_bank import RDP_gaussian, RDP_laplace

    account = anaRDPacct()
    account.compose_mechanism(lambda alpha: RDP_laplace({"b": 1 / eps}, alpha), coeff=k)
    account.compose_mechanism(lambda alpha: RDP_gaussian({"sigma": 1 / mu}, alpha), coeff=n)
    low, high = Release(times(laplace(eps), k), times(gaussian(mu), n)).bracket(delta=DELTA)
    assert low <= account.get_eps(DELTA) <= 1.33 * high


# ------------------------------------------------------------------------------------------------------- OpenDP


@pytest.fixture(scope="module")
def opendp():
    prelude = pytest.importorskip("opendp.prelude", reason=WHY)
    prelude.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    return prelude


@pytest.mark.parametrize(("scale", "k", "sigma", "n"), [(10.0, 50, 10.0, 50), (2.0, 3, 4.0, 5)])
def test_opendp_is_above_by_concentrated_privacy(opendp, scale, k, sigma, n):
    """It adds up rho = eps^2 / 2 of geometric noise and rho = mu^2 / 2 of Gaussian noise, and converts the sum."""
    whole = opendp.atom_domain(T=int), opendp.absolute_distance(T=int)
    real = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    pure = opendp.c.make_pureDP_to_zCDP(opendp.m.make_geometric(*whole, scale=scale)).map(1)
    normal = opendp.m.make_gaussian(*real, scale=sigma).map(1.0)
    rho = k * pure + n * normal
    together = opendp.m.make_gaussian(*real, scale=1 / math.sqrt(2 * rho))
    told = opendp.c.make_zCDP_to_approxDP(together).map(1.0).epsilon(DELTA)
    release = Release(times(geometric(1 / scale), k), times(gaussian(scale=sigma), n))
    low, _ = release.bracket(delta=DELTA)
    assert low <= told <= release.published(DELTA).epsilon * (1 + 1e-9)
