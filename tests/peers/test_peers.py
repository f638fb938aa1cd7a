"""Cross-checks against other people's accountants: they agree where they are exact, and are never below the optimum.

The peers are optional (CONTRIBUTING.md says how to install them); what is not installed is skipped. The numbers that
dp-accounting publishes in its own tests are checked without it, each under the name of its test there.
"""

import math
import warnings

import numpy as np
import pytest

from dpteach import Guarantee, Pair, composition, optimal, planning
from dpteach.mechanisms import gaussian, geometric, laplace, randomized_response

DELTA = 1e-6
WHY = "optional peer; to install all: python -m pip install --no-deps -r requirements-peers.txt"
EQUAL = [(0.1, 0.0, 30), (1.0, 0.0, 10), (0.5, 1e-8, 25), (0.1, 0.0, 1000), (0.01, 1e-10, 2000)]


def many_sided_response(noise, sides):
    """Return the pair of k-ary randomized response: the truth, or with probability `noise` any of the answers."""
    lie = noise / sides
    law = [1 - noise + lie, lie, *[lie] * (sides - 2)]
    return Pair(law, [law[1], law[0], *law[2:]])


# ------------------------------------------------------------- dp-accounting: what its tests publish as expected


@pytest.mark.parametrize(
    ("scale", "sensitivity", "eps", "delta"),
    [
        (1.0, 1.0, 1.0, 0.0),
        (3.0, 3.0, 1.0, 0.0),
        (2.0, 4.0, 2.0, 0.0),
        (2.0, 4.0, 0.5, 0.52763345),
        (1.0, 1.0, 0.0, 0.39346934),
        (2.0, 4.0, [0.0, 0.5, 1.0, 2.0], [0.6321205588, 0.5276334473, 0.3934693403, 0.0]),
    ],
)
def test_laplace_get_delta_for_epsilon(scale, sensitivity, eps, delta):
    """Their privacy_loss_mechanism_test, LaplacePrivacyLossTest, without sampling; to seven places, as there."""
    assert laplace(scale=scale, sensitivity=sensitivity).delta(eps) == pytest.approx(delta, abs=5e-8)


@pytest.mark.parametrize(
    ("scale", "sensitivity", "eps", "delta"),
    [
        (1.0, 1.0, 1.0, 0.12693674),
        (2.0, 2.0, 1.0, 0.12693674),
        (1.0, 3.0, 1.0, 0.78760074),
        (1.0, 1.0, 2.0, 0.02092364),
        (5.0, 5.0, 2.0, 0.02092364),
        (1.0, 1.0, [0.0, 1.0, 2.0], [0.38292492, 0.12693674, 0.020923636]),
        (1.0, 2.0, [0.0, 1.0, 2.0], [0.68268949, 0.50986166, 0.331897999]),  # there: replace one, twice the sensitivity
    ],
)
def test_gaussian_get_delta_for_epsilon(scale, sensitivity, eps, delta):
    """Their privacy_loss_mechanism_test, GaussianPrivacyLossTest, without sampling."""
    assert gaussian(scale=scale, sensitivity=sensitivity).delta(eps) == pytest.approx(delta, abs=5e-8)


@pytest.mark.parametrize(
    ("sensitivity", "eps", "delta", "scale"),
    [
        (1.0, 1.0, 0.12693674, 1.0),
        (2.0, 1.0, 0.12693674, 2.0),
        (3.0, 1.0, 0.78760074, 1.0),
        (5.0, 2.0, 0.02092364, 5.0),
        (1.0, 16.0, 1.016e-05, 0.344),
        (2.0, 16.0, 1.016e-05, 0.688),
    ],
)
def test_gaussian_from_privacy_parameters(sensitivity, eps, delta, scale):
    """Their privacy_loss_mechanism_test: the least standard deviation, to three places."""
    assert planning.noise_scale(1, eps, delta, "gaussian", "exact", sensitivity) == pytest.approx(scale, abs=5e-4)


@pytest.mark.parametrize(
    ("parameter", "sensitivity", "eps", "delta"),
    [
        (1.0, 1, 1.0, 0.0),
        (0.333333, 3, 1.0, 0.0),
        (0.5, 4, [0.0, 0.5, 1.0, 2.0], [0.63212056, 0.54202002, 0.39346934, 0.0]),
    ],
)
def test_discrete_laplace_get_delta_for_epsilon(parameter, sensitivity, eps, delta):
    """Their privacy_loss_mechanism_test, DiscreteLaplacePrivacyLossTest, without sampling."""
    noise = geometric(parameter * sensitivity, sensitivity=sensitivity)
    assert noise.delta(eps) == pytest.approx(delta, abs=5e-8)


@pytest.mark.parametrize(
    ("parameter", "sensitivity", "sampled", "direction", "eps", "delta"),
    [
        (0.5, 4, 0.7, "qp", 0.5, 0.2293628348747755),
        (0.5, 4, 0.6, "qp", 0.6, 0.07668344250639381),
        (0.5, 4, 0.3, "qp", 0.5, 0.0),
        (0.5, 4, 0.7, "pq", 0.5, 0.3523838505224567),
        (0.5, 4, 0.6, "pq", 1.0, 0.178181891763215),
        (0.5, 4, 0.3, "pq", 0.5, 0.1068168460276349),
    ],
)
def test_sampled_discrete_laplace_get_delta_for_epsilon(parameter, sensitivity, sampled, direction, eps, delta):
    """The same test with sampling: one of the two laws is a mixture of both."""
    pair = geometric(parameter * sensitivity, sensitivity=sensitivity).pair
    mixed = Pair(sampled * pair.p + (1 - sampled) * pair.q, pair.q)
    assert mixed.delta(eps, direction) == pytest.approx(delta, abs=1e-12)


@pytest.mark.parametrize(
    ("noise", "sides", "eps"), [(4 / (3 + math.e), 4, 1.0), (0.5, 2, math.log(3)), (0.2, 4, math.log(17))]
)
def test_randomized_response(noise, sides, eps):
    """Their pld_privacy_accountant_test and privacy_loss_distribution_test, replace one."""
    pair = many_sided_response(noise, sides)
    assert pair.epsilon(0) == pytest.approx(eps, rel=1e-14)
    assert sorted(set(np.round(np.log(pair.p / pair.q) / eps, 9) + 0.0)) in ([-1, 1], [-1, 0, 1])


@pytest.mark.parametrize(
    ("noise", "sides", "expected"),
    [
        (0.3, 10, [2.6946320226546314, 2.983865364028855, 3.11316970070507, 3.1854244842182466, 3.1918471524802814]),
        (0.05, 20, [5.850317703374384, 5.910360162307462, 5.930633082131939, 5.94180620835157, 5.942799375126701]),
        (0.01, 3, [5.684126770932727, 5.692634596034571, 5.695421239467805, 5.696956976543137, 5.697093486505405]),
    ],
)
def test_compute_rdp_randomized_response_replace_one(noise, sides, expected):
    """Their rdp_privacy_accountant_test: Rényi divergences of five orders."""
    pair = many_sided_response(noise, sides)
    found = [pair.renyi(alpha) for alpha in (1.5, 2.5, 5, 50, np.inf)]
    assert found == pytest.approx(expected, rel=1e-12)


def test_hockey_stick_basic():
    """Their privacy_loss_distribution_test: 0.1 at eps = 0, and 0.06 at log 1.1 in the direction that matters."""
    pair = Pair([0.6, 0.4], [0.5, 0.5])
    assert pair.delta(0) == pytest.approx(0.1, rel=1e-14)
    assert pair.delta(math.log(1.1)) == pytest.approx(0.06, rel=1e-14)


def test_hockey_stick_unequal_support():
    """Their privacy_loss_distribution_test: what only one of the two laws can produce."""
    pair = Pair([0.5, 0.4, 0.0, 0.1], [0.2, 0.2, 0.6, 0.0])
    assert (pair.epsilon(0.59), pair.delta(0)) == (math.inf, pytest.approx(0.6, rel=1e-14))
    assert pair.delta(math.log(1.1)) == pytest.approx(0.6, rel=1e-14)


def test_gaussian_basic():
    """Their pld_privacy_accountant_test: three answers with noise sqrt(3) are one with noise 1."""
    thrice = gaussian(scale=math.sqrt(3)) ** 3
    assert thrice.delta(1) == pytest.approx(0.126936, abs=1e-6)
    assert thrice.epsilon(0.126936) == pytest.approx(1, abs=1e-5)


def test_compute_epsilon_delta_gaussian():
    """Their rdp_privacy_accountant_test: (1, 1e-6) by Rényi accounting, which is valid but not exact."""
    assert 2e-7 < gaussian(scale=4.530877117).delta(1) < 1e-6


@pytest.mark.parametrize(("total_delta", "expected"), [(0.06, 22), (0.1, 20)])
def test_advanced_composition(total_delta, expected):
    """Their accountant_test: the first of the 30, 28, 26, ... that Theorem 3.3 allows for thirty times (1, 0.001)."""
    best = optimal(Guarantee(1, 0.001), k=30)
    assert best.delta(expected) <= total_delta < best.delta(expected - 2)
    assert expected - 2 < best.epsilon(total_delta) <= expected


def test_advanced_composition_without_enough_delta():
    """Their accountant_test has no answer where the deltas alone are too much; ours is infinity."""
    assert optimal(Guarantee(1, 0.2), k=1).epsilon(0.1) == math.inf
    assert optimal(Guarantee(1, 0.01), k=30).epsilon(0.26) == math.inf


def test_get_smallest_epsilon_from_advanced_composition():
    """Their accountant_test: fifty times 0.25 fits into (5, 0.01), and the next larger eps does not."""
    assert optimal(Guarantee(0.25), k=50).delta(5) <= 0.01
    assert optimal(Guarantee(5 / 18), k=50).delta(5) > 0.01


@pytest.mark.parametrize(
    ("sensitivity", "eps", "delta", "k", "parameter"), [(2, 3, 0, 5, 0.3), (1, 1, 1e-4, 20, 0.073)]
)
def test_get_smallest_discrete_laplace_noise(sensitivity, eps, delta, k, parameter):
    """Their accountant_test: the decay per unit, to 0.001. At sensitivity 1 the worst case is the mechanism itself."""
    scale = planning.noise_scale(k, eps, delta, "geometric", "optimal", sensitivity)
    assert 1 / scale == pytest.approx(parameter, abs=1e-3)


@pytest.mark.parametrize(
    ("sensitivity", "eps", "delta", "k", "scale"), [(21, 3, 0, 10, 70), (1, 1, 1e-4, 20, 13.6), (1, 1, 1e-4, 500, 71.0)]
)
def test_get_smallest_laplace_noise(sensitivity, eps, delta, k, scale):
    """Their accountant_test, to 0.1. Laplace noise loses a little less than its guarantee, so ours may be larger."""
    ours = planning.noise_scale(k, eps, delta, "laplace", "optimal", sensitivity)
    assert scale - 0.1 <= ours <= scale * 1.05
    assert delta > 0 or ours == pytest.approx(scale, rel=1e-9)


@pytest.mark.parametrize(("sensitivity", "k", "scale"), [(1, 1, 1 / 3), (6, 25, 10)])
def test_get_smallest_gaussian_noise(sensitivity, k, scale):
    """Their accountant_test, seven places."""
    assert planning.noise_scale(k, 1, 0.78760074, "gaussian", "exact", sensitivity) == pytest.approx(scale, abs=5e-7)


# --------------------------------------------------------------------------- dp-accounting, asked here and now


@pytest.fixture(scope="module")
def pld():
    return pytest.importorskip("dp_accounting.pld.privacy_loss_distribution", reason=WHY)


def from_guarantee(pld, eps, delta, **grid):
    """Return their privacy loss distribution of the worst pair, rounded up."""
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    return pld.from_privacy_parameters(DifferentialPrivacyParameters(eps, delta), **grid)


@pytest.mark.parametrize(("eps", "delta", "k"), EQUAL)
def test_dp_accounting_agrees_on_a_grid_equal_to_eps(pld, eps, delta, k):
    """On that grid nothing is rounded; what remains is the mass of 1e-15 or so that it cuts off and adds to delta."""
    theirs = from_guarantee(pld, eps, delta, value_discretization_interval=eps).self_compose(k)
    ours = optimal(Guarantee(eps, delta), k=k)
    assert theirs.get_epsilon_for_delta(DELTA) == pytest.approx(ours.epsilon(DELTA), rel=1e-8)
    at = ours.epsilon(DELTA)
    assert theirs.get_delta_for_epsilon(at) == pytest.approx(ours.delta(at), rel=1e-6)


@pytest.mark.parametrize("eps", [0.1, 0.73, 1.3])
@pytest.mark.parametrize("k", [1, 7, 40])
def test_dp_accounting_brackets_randomized_response(pld, eps, k):
    """Rounded up and rounded down on any grid, it brackets the optimum for coins."""
    ours = optimal(Guarantee(eps), k=k)
    noise, grid = 2 / (1 + math.exp(eps)), {"value_discretization_interval": 1e-3}
    rounded = [pld.from_randomized_response(noise, 2, pessimistic_estimate=up, **grid) for up in (False, True)]
    theirs = [law.self_compose(k) for law in rounded]
    slack = 1e-9  # its convolutions cut off some mass and round
    for delta in (1e-6, 1e-3, 0.1):
        low, high = (law.get_epsilon_for_delta(delta) for law in theirs)
        assert low - slack <= ours.epsilon(delta) <= high + slack
    for at in np.linspace(0, k * eps, 5):
        low, high = (law.get_delta_for_epsilon(at) for law in theirs)
        assert low - slack <= ours.delta(at) <= high + slack


def test_dp_accounting_is_above_the_optimum_for_different_guarantees(pld):
    """With several eps no grid fits, and its rounding up adds up: 1e-4 or less for each of the forty."""
    rng = np.random.default_rng(5)
    guarantees = [
        Guarantee(eps, delta) for eps, delta in zip(rng.uniform(0.05, 0.3, 40), rng.uniform(0, 1e-8, 40), strict=True)
    ]
    theirs = pld.identity()
    for guarantee in guarantees:
        theirs = theirs.compose(from_guarantee(pld, *guarantee))
    low, high = optimal(guarantees).bracket(delta=DELTA)
    assert low <= high <= theirs.get_epsilon_for_delta(DELTA) <= low + 40e-4


def test_dp_accounting_composes_pairs_like_ours(pld):
    """Its test_composition and test_self_composition: the product of pairs with different supports."""
    laws = [({1: 0.2, 2: 0.2, 3: 0.6}, {1: 0.5, 2: 0.2, 4: 0.3}), ({1: 0.4, 2: 0.6}, {2: 0.7, 3: 0.3})]
    one, two = (their_law(pld, *pair) for pair in laws)
    ours, other = (Pair([p.get(y, 0.0) for y in range(1, 5)], [q.get(y, 0.0) for y in range(1, 5)]) for q, p in laws)
    for eps in (0.0, 0.3, 0.5, 1.0):
        exact = (ours @ other).delta(eps)
        assert exact - 1e-12 <= one.compose(two).get_delta_for_epsilon(eps) <= exact + 3e-4
        exact = (ours**3).delta(eps)
        assert exact - 1e-12 <= one.self_compose(3).get_delta_for_epsilon(eps) <= exact + 4e-4


def their_law(pld, lower, upper):
    """Return their privacy loss distribution of two finite laws, in both directions."""
    logs = [{outcome: math.log(mass) for outcome, mass in law.items()} for law in (lower, upper)]
    return pld.from_two_probability_mass_functions(*logs, symmetric=False)


def test_dp_accounting_agrees_on_gaussian_noise(pld):
    from dp_accounting.gaussian_mechanism import get_epsilon_gaussian, get_sigma_gaussian

    for sigma in (0.3, 1.0, 7.0):
        for delta in (1e-10, 1e-5, 0.1):
            assert gaussian(scale=sigma).epsilon(delta) == pytest.approx(
                get_epsilon_gaussian(sigma, delta), rel=1e-9, abs=1e-11
            )
    for eps in (0.1, 1.0, 10.0):
        found = planning.noise_scale(1, eps, 1e-5, "gaussian", "exact")
        assert found == pytest.approx(get_sigma_gaussian(eps, 1e-5), rel=1e-9)


# ----------------------------------------------------------------------------------------- prv-accountant 0.2.0


@pytest.fixture(scope="module")
def prv():
    with warnings.catch_warnings(action="ignore"):
        return pytest.importorskip("prv_accountant", reason=WHY)


@pytest.mark.parametrize(("eps", "k"), [(0.1, 30), (0.1, 300), (1.0, 10)])
def test_prv_accountant_brackets_the_optimum(prv, eps, k):
    law = prv.privacy_random_variables.PureDPMechanism(eps)
    low, _, high = prv.PRVAccountant(law, 0.05, 1e-9, max_self_compositions=k).compute_epsilon(DELTA, [k])
    assert low <= optimal(Guarantee(eps), k=k).epsilon(DELTA) <= high


def test_prv_accountant_brackets_gaussian_noise(prv):
    law = prv.privacy_random_variables.GaussianMechanism(5.0)
    low, _, high = prv.PRVAccountant(law, 0.05, 1e-9, max_self_compositions=20).compute_epsilon(DELTA, [20])
    assert low <= (gaussian(scale=5.0) ** 20).epsilon(DELTA) <= high


# ------------------------------------------------------------------------------------------------------- autodp


@pytest.fixture(scope="module")
def autodp():
    with warnings.catch_warnings(action="ignore"):  # its source has invalid escape sequences
        return pytest.importorskip("autodp", reason=WHY)


@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-2])
def test_autodp_has_the_same_kov_closed_form(autodp, delta):
    """Its DP_acct is KOV's Theorem 3.5."""
    with warnings.catch_warnings(action="ignore"):
        from autodp.dp_acct import DP_acct
    guarantees = [Guarantee(0.1, 1e-12)] * 40 + [Guarantee(0.3)] * 7 + [Guarantee(0.02, 1e-11)] * 100
    theirs = DP_acct()
    for eps, lost in guarantees:
        theirs.update_DPlosses(eps, lost)
    ours = composition.best(guarantees, delta, among=["kov_closed_form"])
    assert theirs.get_eps(delta) == pytest.approx(ours.epsilon, rel=1e-6)  # it computes 1 - (1 - delta) / (1 - lost)
    assert optimal(guarantees).epsilon(delta) <= ours.epsilon


@pytest.mark.parametrize("alpha", [1, 1.5, 2, 10, 80.5, np.inf])
def test_autodp_has_the_same_renyi_divergences(autodp, alpha):
    from autodp.rdp_bank import RDP_pureDP, RDP_randresponse

    for eps in (0.1, 1.0, 3.0):
        ours = randomized_response(eps).renyi(alpha)
        assert ours == pytest.approx(RDP_randresponse({"p": 1 / (1 + math.exp(-eps))}, alpha), rel=1e-9)
        assert ours == pytest.approx(RDP_pureDP({"eps": eps}, alpha), rel=1e-9)  # no pure guarantee loses more


def test_autodp_agrees_on_one_coin(autodp):
    from autodp.dp_bank import get_eps_randresp, get_eps_randresp_optimal

    for eps in (0.1, 1.0, 3.0):
        for delta in (1e-6, 1e-2, 0.2):
            truthful = 1 / (1 + math.exp(-eps))
            ours = randomized_response(eps).epsilon(delta)
            assert ours == pytest.approx(get_eps_randresp_optimal(truthful, delta), abs=1e-12)
            assert ours <= get_eps_randresp(truthful, delta) + 1e-9  # the detour through Rényi divergences


def test_autodp_agrees_on_gaussian_noise(autodp):
    from autodp.dp_bank import get_eps_ana_gaussian, get_eps_gaussian
    from autodp.fdp_bank import fDP_gaussian
    from autodp.privacy_calibrator import ana_gaussian_mech

    for sigma in (0.5, 1.0, 4.0):
        noise = gaussian(scale=sigma)
        for delta in (1e-9, 1e-5, 1e-2):
            assert noise.epsilon(delta) == pytest.approx(get_eps_ana_gaussian(sigma, delta), rel=1e-8)
            assert noise.epsilon(delta) <= get_eps_gaussian(sigma, delta)  # the detour through Rényi divergences
        for alpha in (0.01, 0.3, 0.9):
            assert noise.tradeoff(alpha) == pytest.approx(fDP_gaussian({"sigma": sigma}, alpha), rel=1e-12)
    for eps in (0.2, 1.0, 6.0):
        theirs = ana_gaussian_mech(eps, 1e-4)["sigma"]  # it stops when delta is right to 1e-12
        assert planning.noise_scale(1, eps, 1e-4, "gaussian", "exact") == pytest.approx(theirs, rel=1e-7)


def test_autodp_is_above_the_optimum_by_renyi_accounting(autodp):
    """Rényi accounting of pure guarantees is valid and loose: above the optimum, below basic composition."""
    from autodp.rdp_acct import anaRDPacct
    from autodp.rdp_bank import RDP_pureDP

    account = anaRDPacct()
    account.compose_mechanism(lambda alpha: RDP_pureDP({"eps": 0.1}, alpha), coeff=200)
    theirs, exact = account.get_eps(DELTA), optimal(Guarantee(0.1), k=200).epsilon(DELTA)
    assert exact <= theirs <= 1.2 * exact


# ------------------------------------------------------------------------------------------------------- OpenDP


@pytest.fixture(scope="module")
def opendp():
    prelude = pytest.importorskip("opendp.prelude", reason=WHY)
    prelude.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    return prelude


def whole_numbers(opendp):
    return opendp.atom_domain(T=int), opendp.absolute_distance(T=int)


def test_opendp_agrees_on_single_mechanisms(opendp):
    """Its maps are rounded up, by a few units in the last place."""
    assert opendp.m.make_randomized_response_bool(0.75).map(1) == pytest.approx(randomized_response(ratio=3).epsilon(0))
    for scale in (0.5, 2.0, 30.0):
        noise = opendp.m.make_geometric(*whole_numbers(opendp), scale=scale)
        for sensitivity in (1, 3):
            ours = geometric(sensitivity / scale, sensitivity=sensitivity)
            assert noise.map(sensitivity) == pytest.approx(ours.epsilon(0), rel=1e-12)
            assert noise.map(sensitivity) == pytest.approx(laplace(scale=scale, sensitivity=sensitivity).eps, rel=1e-12)


def test_opendp_composes_pure_guarantees_by_adding_up(opendp):
    noise = opendp.m.make_geometric(*whole_numbers(opendp), scale=10.0)
    theirs = opendp.c.make_composition([noise] * 30).map(1)
    assert theirs == pytest.approx(composition.basic(Guarantee(0.1), k=30).epsilon, rel=1e-12)
    assert optimal(Guarantee(0.1), k=30).epsilon(DELTA) < theirs


@pytest.mark.parametrize(("scale", "k"), [(2.0, 100), (10.0, 100), (100.0, 10_000)])
def test_opendp_is_between_the_optimum_and_the_concentrated_theorem(opendp, scale, k):
    """Its way from pure to approximate guarantees is concentrated privacy, converted better than in Steinke's post."""
    pure = opendp.m.make_geometric(*whole_numbers(opendp), scale=scale)
    rho = k * opendp.c.make_pureDP_to_zCDP(pure).map(1)
    guarantee = Guarantee(1 / scale)
    assert rho == pytest.approx(k * guarantee.epsilon**2 / 2, rel=1e-12)
    theirs = concentrated_epsilon(opendp, rho)
    assert optimal(guarantee, k=k).epsilon(DELTA) <= theirs <= composition.concentrated(guarantee, DELTA, k=k).epsilon


@pytest.mark.parametrize("scale", [0.5, 2.0, 9.0])
def test_opendp_is_above_the_exact_gaussian_curve(opendp, scale):
    """It knows Gaussian noise by its concentrated privacy rho = 1 / (2 scale^2) only."""
    exact = gaussian(scale=scale)
    theirs = concentrated_epsilon(opendp, exact.mu**2 / 2)
    assert exact.epsilon(DELTA) <= theirs <= 1.2 * exact.epsilon(DELTA)


def concentrated_epsilon(opendp, rho):
    """Return OpenDP's eps at 1e-6 of any rho-concentrated mechanism, such as Gaussian noise of that rho."""
    space = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    noise = opendp.m.make_gaussian(*space, scale=1 / math.sqrt(2 * rho))
    assert noise.map(1.0) == pytest.approx(rho, rel=1e-9)
    return opendp.c.make_zCDP_to_approxDP(noise).map(1.0).epsilon(DELTA)
