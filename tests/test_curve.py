"""Every curve answers every question, says the same about rounding, and agrees with itself; and what vacuous means."""

import copy
import pickle
from fractions import Fraction as F
from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpteach import Guarantee, Pair, granularity, leakage, mechanisms, notions, optimal
from dpteach.accountant import Release, subsampled, times
from dpteach.curve import VACUOUS, Curve, WorstCase, as_curve
from dpteach.experiment import Hypothesis, hypothesis_dp
from dpteach.numerics.walk import loss_walk

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

SKEW = Pair([F(1, 2), F(1, 3), F(1, 6), F(0)], [F(0), F(1, 4), F(1, 4), F(1, 2)])
SMALL = granularity.DatabaseClass.multisets("ab", at_most=2)


def small_pairs(seed: int) -> dict[str, Pair]:
    """Return two random pairs with zeros, exact ones."""
    rng = np.random.default_rng(seed)
    laws = [[F(int(w), int(sum(weights))) for w in weights] for weights in rng.integers(1, 9, (4, 3))]
    return {"one": Pair(laws[0], laws[1]), "two": Pair(laws[2], laws[3])}


def random_pair(seed: int) -> Pair:
    """Return a pair of floats."""
    return Pair(*np.random.default_rng(seed).dirichlet(np.ones(5), 2))


def leaky(seed: int) -> leakage.LeakyMechanism:
    """Return a mechanism whose answer depends on the leaked bit."""
    answer = lambda x, o: {0: F(1 + x + o + seed, 9), 1: F(8 - x - o - seed, 9)}  # noqa: E731
    return leakage.LeakyMechanism.from_laws([0, 1], lambda x: {0: F(1, 2), 1: F(1, 2)}, answer)


CURVES = {
    "exact pair": lambda seed: small_pairs(seed)["one"],
    "pair with disjoint parts": lambda seed: SKEW,
    "float pair": random_pair,
    "product of float pairs": lambda seed: random_pair(seed) @ random_pair(seed + 1),
    "power": lambda seed: random_pair(seed) ** 6,
    "mixture": lambda seed: Pair.mixture([0.3, 0.7], [random_pair(seed), random_pair(seed + 1)]),
    "one side": lambda seed: random_pair(seed).side("pq"),
    "a guarantee's": lambda seed: Guarantee(0.3 + seed, 0.01 * seed).curve,
    "optimum of equal ones": lambda seed: optimal(Guarantee(0.2 + 0.1 * seed, 1e-5 * seed), k=20 + seed),
    "optimum of a list": lambda seed: optimal([Guarantee(0.1 * i + 0.01 * seed, 1e-6) for i in range(1, 8)]),
    "optimum on a grid": lambda seed: optimal([Guarantee(0.01 * i + 1e-3 * seed) for i in range(1, 31)]),
    "randomized response": lambda seed: mechanisms.randomized_response(ratio=2 + seed, delta=F(seed, 50)),
    "laplace": lambda seed: mechanisms.laplace(0.5 + seed),
    "gaussian": lambda seed: mechanisms.gaussian(0.5 + seed),
    "geometric": lambda seed: mechanisms.geometric(0.5 + seed, sensitivity=1 + seed),
    "staircase": lambda seed: mechanisms.staircase(0.5 + seed),
    "walk": lambda seed: loss_walk(0.5, 3 + seed),
    "exact release": lambda seed: Release(
        times(subsampled(mechanisms.randomized_response(ratio=2 + seed), F(1, 3)), 3)
    ),
    "release": lambda seed: Release(mechanisms.laplace(0.5), mechanisms.gaussian(0.3 + seed), Guarantee(0.1, 1e-3)),
    "subsampled release": lambda seed: Release(times(subsampled(mechanisms.laplace(1.0 + seed), 0.2), 10)),
    "hypotheses": lambda seed: hypothesis_dp(
        [Guarantee(0.5 + 0.1 * i, 0.001 * seed) for i in range(4)],
        Hypothesis.point("0000"),
        Hypothesis.uniform(["1000", "0110", "1111"]),
    ),
    "exact hypotheses": lambda seed: hypothesis_dp(
        mechanisms.randomized_response(ratio=2 + seed), Hypothesis.point("00"), Hypothesis.uniform(["01", "10"])
    ),
    "worst of two": lambda seed: WorstCase(small_pairs(seed)),
    "bounded leakage": lambda seed: leaky(seed),
    "bounded leakage of floats": lambda seed: leakage.examples.noisy_pad(0.1 + 0.1 * seed),
    "distance-scaled": lambda seed: leakage.examples.parity_trap(2, ratio=2 + seed).scaled(),
    "distance-scaled, one step": lambda seed: leaky(seed).scaled(),
    "distance-scaled floats": lambda seed: leakage.examples.parity_trap(2, ratio=2.5 + seed).scaled(),
    "independence": lambda seed: leaky(seed).independence(),
    "adaptive game": lambda seed: leakage.AdaptiveGame(leaky(seed), 2),
    "adaptive game of floats": lambda seed: leakage.AdaptiveGame(leakage.examples.noisy_pad(0.1 + 0.1 * seed), 3),
    "big world": lambda seed: leakage.big_world([leakage.asks_data(2 + seed)] * 2, {0: (1, 0), 1: (0, 1)}),
    "exponential mechanism": lambda seed: leakage.exponential_mechanism_with_leak(
        range(4), range(4), lambda x: x // 2, lambda x, y, o: -abs(x - y), 1.0 + seed
    ),
    "channel": lambda seed: leaky(seed).channel.worst(),
    "pure promise": lambda seed: notions.Pure(granularity.unbounded.on(SMALL), 0.3 + seed),
    "approximate promise": lambda seed: notions.Approximate(granularity.unbounded.on(SMALL), 0.3 + seed, 0.01),
    "zero-concentrated promise": lambda seed: notions.ZeroConcentrated(granularity.unbounded.on(SMALL), 0.1 + seed),
    "Gaussian promise": lambda seed: notions.Gaussian(granularity.unbounded.on(SMALL), 0.3 + seed),
}
EPS = np.array([0.0, 1e-9, 0.1, 0.5, log(2), 1.0, 2.5, 8.0, 40.0])
DELTAS = np.array([0.0, 1e-12, 1e-6, 0.01, 0.2, 0.7, 1.0])


@pytest.fixture(params=[(name, seed) for name in CURVES for seed in (0, 1, 2)], ids=lambda p: f"{p[0]} {p[1]}")
def curve(request) -> Curve:
    """Return one instance of every kind of curve."""
    name, seed = request.param
    made = CURVES[name](seed)
    assert isinstance(made, Curve)
    return made


def test_delta_falls_and_epsilon_too(curve):
    deltas, eps = curve.delta(EPS), curve.epsilon(DELTAS)
    assert np.all(np.diff(deltas) <= 1e-14) and np.all((deltas >= 0) & (deltas <= 1))
    assert np.all((eps[1:] <= eps[:-1] * (1 + 1e-14)) | np.isinf(eps[:-1])) and np.all(eps >= 0)
    assert eps[-1] == 0


def test_brackets_are_narrow_and_hold_what_is_told(curve):
    low, high = curve.bracket(eps=EPS)
    assert np.all(low <= high) and np.array_equal(high, curve.delta(EPS))
    if isinstance(curve, notions.ZeroConcentrated):
        return  # the worst of all zero-concentrated pairs is not known: see tests/notions/test_promises.py
    assert np.all(high - low <= 1e-5 * high + 1e-12)
    low, high = curve.bracket(delta=DELTAS)
    assert np.all(low <= high) and np.array_equal(high, curve.epsilon(DELTAS))


def test_epsilon_is_the_inverse_on_the_safe_side(curve):
    for delta in DELTAS[1:-1]:
        eps = curve.epsilon(delta)
        if eps < inf:
            assert curve.bracket(eps=eps)[0] <= delta  # the truth at eps does not exceed delta
        least = curve.bracket(delta=delta)[0]
        if 0 < least < inf:
            assert curve.delta(least) >= delta * (1 - 1e-12)


def test_scalars_are_plain_numbers_and_arrays_keep_their_shape(curve):
    assert isinstance(curve.delta(0.5), float) and isinstance(curve.epsilon(0.5), float)
    grid = np.array([[0.1, 0.2], [0.3, 0.4]])
    assert curve.delta(grid).shape == curve.epsilon(grid).shape == curve.tradeoff(grid).shape == grid.shape


def test_the_tradeoff_keeps_all_promises(curve):
    alphas = np.array([0.0, 1e-6, 0.01, 0.2, 0.5, 0.9, 1.0])
    told = np.asarray(curve.tradeoff(alphas), dtype=float)
    assert np.all(np.diff(told) <= 1e-12) and np.all((told >= 0) & (told <= 1 - alphas + 1e-12))
    sides = [curve, curve.reversed()] if hasattr(curve, "reversed") else [curve]
    if type(curve).__name__ == "Side":
        return  # one direction promises only one of the two inequalities
    for eps in EPS:
        delta = curve.delta(eps)
        for one in sides:
            beta = np.asarray(one.tradeoff(alphas), dtype=float)
            assert np.all(beta >= 1 - delta - np.exp(eps) * alphas - 1e-6)
            assert np.all(beta >= np.exp(-eps) * (1 - delta - alphas) - 1e-6)


def test_the_region_runs_round_the_square(curve):
    region = curve.region().astype(float)
    lower = curve.lower_boundary.astype(float)
    assert np.array_equal(region[: len(lower)], lower)
    assert tuple(lower[0]) == (0, 1) and tuple(lower[-1]) == (1, 0)
    assert np.all(np.diff(lower[:, 0]) >= -1e-12) and np.all(np.diff(lower[:, 1]) <= 1e-12)
    assert np.allclose(region[len(lower) :], 1 - lower[1:-1])


def test_it_dominates_itself_and_less(curve):
    assert curve.dominates(curve)
    assert curve.dominates(Pair([1], [1]))
    assert not curve.dominates(Guarantee(50, 0.9))


def test_fractions_where_the_curve_is_exact(curve):
    answer = curve.delta(ratio=2)
    if curve.exact:
        assert isinstance(answer, F | int)
        low, high = curve.bracket(eps=log(2))
        assert low - 1e-15 <= answer <= high + 1e-15
        ratio = curve.ratio(F(1, 10))
        assert ratio == inf or isinstance(ratio, F | int)
        assert ratio == inf or curve.delta(ratio=ratio) <= F(1, 10)
    else:
        assert curve.delta(log(2) * (1 + 1e-12)) <= answer <= curve.delta(log(2) * (1 - 1e-12)) + 1e-15
        assert curve.ratio(0.1) >= np.exp(curve.epsilon(0.1)) or curve.epsilon(0.1) == inf


@pytest.mark.parametrize("wrong", [-1, float("nan"), "x", None])
def test_bad_questions(curve, wrong):
    with pytest.raises(ValueError, match=r"^(eps|delta needs)"):
        curve.delta(wrong)
    for ask in (lambda: curve.epsilon(wrong), lambda: curve.tradeoff(wrong), lambda: curve.bracket(eps=wrong)):
        with pytest.raises(ValueError):
            ask()
    with pytest.raises(ValueError, match="exactly one"):
        curve.bracket()
    with pytest.raises(ValueError, match="exactly one"):
        curve.delta(1, ratio=2)


# ------------------------------------------------------------------------ float pairs are rounded to the safe side


@st.composite
def float_pairs(draw):
    """Draw a pair of floats, with zeros and very different sizes."""
    size = draw(st.integers(2, 5))
    weight = st.one_of(st.just(0.0), st.floats(1e-3, 1), st.floats(1e-12, 1e-9))
    p, q = (draw(st.lists(weight, min_size=size, max_size=size).filter(any)) for _ in range(2))
    return Pair([x / sum(p) for x in p], [x / sum(q) for x in q])


def exactly(pair: Pair) -> Pair:
    """Return the same numbers as fractions; they may sum to a little more or less than one."""
    return Pair._of(np.array([F(x) for x in pair.p]), np.array([F(x) for x in pair.q]))


@given(float_pairs(), st.fractions(1, 40))
def test_a_float_pair_encloses_the_exact_one(pair, ratio):
    eps = log(ratio)
    truth = exactly(pair).delta(ratio=F(np.exp(eps)))
    low, high = pair.bracket(eps=eps)
    assert low - 4e-16 * ratio <= min(truth, 1) <= high + 4e-16 * ratio  # e^eps itself is rounded
    assert pair.delta(0) >= min(exactly(pair).delta(ratio=1), 1) >= pair.bracket(eps=0)[0]


@given(float_pairs(), float_pairs(), st.integers(1, 6))
def test_products_and_powers_enclose_the_exact_ones(one, two, k):
    for made, truth in ((one @ two, exactly(one) @ exactly(two)), (one**k, exactly(one) ** k)):
        low, high = made.bracket(eps=0)
        assert low <= min(truth.delta(ratio=1), 1) <= high
        low, high = made.bracket(delta=0.25)
        ratio = truth.ratio(F(1, 4))
        assert low <= (log(ratio) if ratio < inf else inf) + 1e-12 and high >= log(ratio) * (1 - 1e-15)


def test_everything_is_private_at_delta_one():
    assert Pair([1.0, 0.0, 1e-20], [0.0, 1.0, 1e-25]).epsilon(1) == 0
    assert Pair([1, 0], [0, 1]).epsilon(1) == 0 and Pair([1, 0], [0, 1]).epsilon(0.5) == inf


# ------------------------------------------------------------------------------------------- curves of guarantees


def test_whatever_takes_a_curve_takes_a_guarantee():
    guarantee = Guarantee(1, 0.05)
    assert as_curve(guarantee) is guarantee.curve
    assert guarantee.curve.dominates(Guarantee(0.9)) and not Guarantee(0.9).curve.dominates(guarantee)
    with pytest.raises(ValueError, match=r"^other must be a Pair, a Guarantee or another curve, not 3$"):
        guarantee.curve.dominates(3)


# ---------------------------------------------------------------------------------------------------- vacuous


def test_a_promise_about_nothing_is_no_number():
    nothing = WorstCase({})
    answers = [nothing.delta(1), nothing.delta(ratio=2), nothing.epsilon(0.1), nothing.ratio(), nothing.tradeoff(0.2)]
    answers += [*nothing.bracket(eps=1), nothing.region(), nothing.delta(np.array([0, 1]))]
    assert all(answer is VACUOUS for answer in answers)
    assert f"{VACUOUS} {VACUOUS!r} {VACUOUS:.3g}" == "vacuous vacuous vacuous"
    assert VACUOUS != 0 and VACUOUS == VACUOUS and copy.deepcopy(VACUOUS) is VACUOUS
    assert pickle.loads(pickle.dumps(VACUOUS)) is VACUOUS


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x < 1, lambda x: x >= 0, lambda x: x + 1, lambda x: 2 * x, lambda x: 1 - x, lambda x: -x, float, int,
        bool, abs, lambda x: max(x, 0.5), lambda x: np.asarray(x), lambda x: x**2, lambda x: 1 / x,
        lambda x: Guarantee(x), lambda x: Guarantee(1, x),
    ],
)  # fmt: skip
def test_vacuous_refuses_to_be_used_as_one(use):
    with pytest.raises((TypeError, ValueError), match="vacuous"):
        use(VACUOUS)


def test_vacuous_dominates_nothing():
    with pytest.raises(ValueError, match="vacuous"):
        WorstCase({}).dominates(Pair([1], [1]))
    with pytest.raises(ValueError, match="vacuous"):
        Pair([1], [1]).dominates(WorstCase({}))
    with pytest.raises(ValueError, match="vacuous"):
        WorstCase({}).worst(1)
