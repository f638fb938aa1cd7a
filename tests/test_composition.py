"""The composition theorems: formula, soundness against the exact optimum, and which of them wins."""

from math import e, inf, sqrt

import numpy as np
import pytest
import truth
from mpmath import mp

from dpteach import Guarantee, composition, optimal

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

THEOREMS = ["basic", "advanced", "concentrated", "kov_closed_form", "sharper"]
CLOSED = {
    "basic": lambda groups, slack: truth.moments(groups)[0],
    "advanced": truth.advanced,
    "concentrated": truth.concentrated,
    "kov_closed_form": lambda groups, slack: min(truth.kov_members(groups, slack)),
    "sharper": truth.sharper,
}
UNION_BOUND = {"basic", "advanced", "concentrated"}  # these add the deltas up; the others multiply the 1 - delta


def apply(name, guarantees, slack, k=None):
    """Call a theorem by name; basic composition takes no slack."""
    theorem = getattr(composition, name)
    return theorem(guarantees, k=k) if name == "basic" else theorem(guarantees, slack, k=k)


def promised_delta(name, groups, slack):
    """Return the theorem's total delta in mpmath."""
    if name in UNION_BOUND:
        total = mp.fsum(n * mp.mpf(d) for _, d, n in groups) + (0 if name == "basic" else mp.mpf(slack))
        return min(total, mp.mpf(1))
    return truth.combine([(d, n) for _, d, n in groups], mp.mpf(slack))


def homogeneous(seed, count):
    """Return random (eps, delta, k, slack): k to 1e6, eps 1e-10 to 50, slack to 1e-300."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        eps = float(10 ** rng.uniform(-10, np.log10(50)))
        delta = float(rng.choice([0, 10 ** rng.uniform(-12, -1)]))
        yield (
            eps,
            delta,
            int(10 ** rng.uniform(0, 6)),
            float(10 ** rng.choice([rng.uniform(-12, 0), rng.uniform(-300, 0)])),
        )


def mixed(seed, count):
    """Return random lists of up to nine (eps, delta), with a slack."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(1, 10))
        eps = 10 ** rng.uniform(-3, 1, n)
        delta = rng.choice([0, 1e-6, 1e-2], n)
        yield list(zip(map(float, eps), map(float, delta), strict=True)), float(10 ** rng.uniform(-10, -0.5))


@pytest.mark.parametrize("name", THEOREMS)
def test_formula(name):
    for eps, delta, k, slack in homogeneous(1, 60):
        ours = apply(name, Guarantee(eps, delta), slack, k)
        groups = [(eps, delta, k)]
        assert isinstance(ours, Guarantee)
        assert ours.epsilon == pytest.approx(float(CLOSED[name](groups, slack)), rel=1e-10)
        assert ours.delta == pytest.approx(float(promised_delta(name, groups, slack)), rel=1e-10, abs=0)


def extreme(seed, count):
    """Return random groups (eps, delta, k) with a slack, out to the ends of the floats."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.choice([1, 1, 2, 7]))
        span = rng.choice([3, 10, 150, 320])
        eps = 10 ** (rng.uniform(-span, 0, n) + rng.uniform(-3, 2.5))
        delta = rng.choice([0, 0, 1e-300, 1e-9, 0.3]) * rng.uniform(0, 1, n)
        k = [int(10 ** rng.uniform(0, rng.choice([0, 2, 9]))) for _ in range(n)]
        slack = rng.choice([rng.uniform(0, 1), 10 ** rng.uniform(-12, 0), 10 ** rng.uniform(-323, 0), 1 - 1e-15, 1.0])
        yield list(zip(map(float, eps), map(float, delta), k, strict=True)), float(slack)


def as_list(groups):
    """Return what a theorem takes: a guarantee with its k, or a list of few."""
    if len(groups) == 1:
        ((eps, delta, k),) = groups
        return Guarantee(eps, delta), k, groups
    return [Guarantee(eps, delta) for eps, delta, _ in groups], None, [(eps, delta, 1) for eps, delta, _ in groups]


@pytest.mark.parametrize("name", THEOREMS)
@pytest.mark.parametrize("cases", [extreme, None], ids=["extreme", "ordinary"])
def test_never_below_its_own_formula(name, cases):
    """Strictly, without a tolerance, in 60 digits; and at most a few units of rounding above."""
    ordinary = (([(eps, delta, k)], slack) for eps, delta, k, slack in homogeneous(5, 300))
    for groups, slack in extreme(4, 400) if cases else ordinary:
        guarantees, k, groups = as_list(groups)
        exact = CLOSED[name](groups, slack)
        ours = apply(name, guarantees, slack, k)
        assert ours.epsilon >= exact, f"{name} of {groups} at slack {slack} is too small"
        assert ours.delta >= promised_delta(name, groups, slack)
        if ours.epsilon < inf:
            close = (1 - mp.log(slack)) * mp.mpf(2) ** -46  # where mu is small, mu t is as large as e^log(1/slack)
            assert ours.epsilon <= exact * (1 + close) + len(groups) * mp.mpf(1e-322)


def test_the_case_that_was_below_its_formula():
    told = composition.advanced(Guarantee(0.1), 1e-6, k=100).epsilon
    assert 0 <= told - truth.advanced([(0.1, 0, 100)], 1e-6) < 1e-13


@pytest.mark.parametrize("name", THEOREMS)
def test_at_a_total_it_spends_no_more_than_that(name):
    """The slack that is left over is rounded down, so that the promise is the formula's at an honest slack."""
    rng = np.random.default_rng(6)
    for groups, slack in extreme(7, 250):
        guarantees, k, groups = as_list(groups)
        spent = promised_delta(name, groups, 0)
        total = min(float(spent) + slack * float(rng.choice([1, 1e-3, 1e-9])), 1.0)
        told = composition.THEOREMS[name].at(guarantees, total, k)
        if total < spent:
            assert told.epsilon == inf
            continue
        left = mp.mpf(total) - spent
        if name not in UNION_BOUND:
            left = left / (1 - spent) if spent < 1 else mp.mpf(0)
        assert told.delta == total
        if left > 0:
            assert told.epsilon >= CLOSED[name](groups, left)
        else:
            assert told.epsilon >= (inf if name in ("advanced", "concentrated") else truth.moments(groups)[0])


@pytest.mark.parametrize("name", THEOREMS)
def test_formula_of_a_list(name):
    for pairs, slack in mixed(2, 60):
        groups = [(eps, delta, 1) for eps, delta in pairs]
        ours = apply(name, [Guarantee(*pair) for pair in pairs], slack)
        assert ours.epsilon == pytest.approx(float(CLOSED[name](groups, slack)), rel=1e-10)
        assert ours.delta == pytest.approx(float(promised_delta(name, groups, slack)), rel=1e-10, abs=0)


@pytest.mark.parametrize("name", THEOREMS)
def test_sound_against_the_exact_optimum(name):
    for eps, delta, k, slack in homogeneous(3, 120):
        ours = apply(name, Guarantee(eps, delta), slack, k)
        assert truth.optimal_delta(eps, delta, k, ours.epsilon) <= mp.mpf(ours.delta)


@pytest.mark.parametrize("name", THEOREMS)
def test_sound_for_lists(name):
    for pairs, slack in mixed(4, 60):
        ours = apply(name, [Guarantee(*pair) for pair in pairs], slack)
        assert truth.mixed_delta(pairs, ours.epsilon) <= mp.mpf(ours.delta)


@pytest.mark.parametrize("name", THEOREMS)
def test_what_leaves_no_room_is_rounded_up(name):
    for eps, delta, k, slack in homogeneous(5, 200):
        ours = apply(name, Guarantee(eps, delta), slack, k)
        assert mp.mpf(ours.delta) >= promised_delta(name, [(eps, delta, k)], slack)
        assert name != "basic" or mp.mpf(ours.epsilon) >= k * mp.mpf(eps)


@pytest.mark.parametrize("name", THEOREMS)
def test_a_list_of_equals_is_k_of_one(name):
    one = apply(name, Guarantee(0.1, 1e-7), 1e-6, 40)
    many = apply(name, [Guarantee(0.1, 1e-7)] * 40, 1e-6)
    assert tuple(one) == pytest.approx(tuple(many), rel=1e-12)


@pytest.mark.parametrize("name", THEOREMS)
def test_composition_of_nothing_and_of_one(name):
    nothing = apply(name, Guarantee(0.3, 0.01), 1e-6, 0)
    assert nothing.epsilon == 0 and nothing.delta <= 1e-6 * (1 + 1e-12)
    one = apply(name, Guarantee(0.3, 0.01), 1e-6, 1)
    assert truth.optimal_delta(0.3, 0.01, 1, one.epsilon) <= one.delta


@pytest.mark.parametrize("name", THEOREMS)
def test_a_million_without_a_list(name):
    ours = apply(name, Guarantee(1e-4, 0.0), 1e-6, 10**6)
    assert ours.epsilon == pytest.approx(float(CLOSED[name]([(1e-4, 0.0, 10**6)], 1e-6)), rel=1e-12)


@pytest.mark.parametrize("name", THEOREMS)
def test_a_certain_leak_stays_certain(name):
    assert apply(name, Guarantee(1.0, 1.0), 1e-3, 3).delta == 1
    assert apply(name, Guarantee(1.0, 0.4), 1e-3, 30).delta <= 1


# Reference values


@pytest.mark.parametrize(
    ("name", "k", "eps", "slack", "expected"),
    [
        ("advanced", 30, 0.1, 1e-5, 2.943773639105409),
        ("advanced", 10**6, 1.0, 1e-6, 1723538.35),
        ("concentrated", 100, 0.1, 1e-6, 5.756521769756932),
        ("concentrated", 1000, 0.1, 1e-6, 21.6225813626911),
        ("concentrated", 10, 0.1, 1e-6, 1.7122581362691103),
        ("concentrated", 10**6, 2.0, 1e-6, 2010513.0435395138),
        ("kov_closed_form", 100, 0.1, 1e-6, 5.756105519335732),
        ("kov_closed_form", 30, 0.1, 1e-5, 2.7085062460458538),
        ("kov_closed_form", 10**4, 1e-3, 1e-5, 0.4341995374027593),
        ("kov_closed_form", 10**6, 1e-5, 1e-4, 0.030486787324071386),
        ("kov_closed_form", 1000, 0.01, 1e-3, 1.1237800040445747),
        ("sharper", 100, 0.1, 1e-6, 5.406593199312651),
        ("sharper", 10**4, 1e-3, 1e-5, 0.4002471007866502),
        ("sharper", 10**6, 1e-5, 1e-4, 0.026929958897468617),
    ],
)
def test_reference_values(name, k, eps, slack, expected):
    assert float(apply(name, Guarantee(eps), slack, k).epsilon) == pytest.approx(expected, rel=1e-9)


def test_reference_values_of_basic_and_of_a_list():
    assert tuple(composition.basic(Guarantee(0.1, 0.001), k=10)) == pytest.approx((1, 0.01))
    three = [Guarantee(x) for x in (0.1, 0.2, 0.3)]
    assert composition.kov_closed_form(three, 0.01).epsilon == pytest.approx(0.6)
    groups = [(x, 0.0, 1) for x in (0.1, 0.2, 0.3)]
    members = [float(x) for x in truth.kov_members(groups, 0.01)]
    assert members == pytest.approx([0.6, 1.086368593546623, 1.2051334320187967])
    assert float(composition.kov_closed_form(Guarantee(0.001, 0.001), 0.001, k=30).delta) == pytest.approx(
        0.0305394637041774, rel=1e-12
    )


# Which member, which theorem


def test_kov_branch():
    """The second member beats the third iff sqrt(k) eps + e slack < 1; k eps may beat both."""
    seen = set()
    for eps, delta, k, slack in homogeneous(6, 400):
        members = truth.kov_members([(eps, delta, k)], slack)
        order = sorted(members)
        if order[1] - order[0] < 1e-9 * order[0]:
            continue
        winner = members.index(order[0])
        seen.add((winner, str(composition.kov_closed_form(Guarantee(eps, delta), slack, k=k).branch)))
        if winner:
            assert (winner == 1) == (sqrt(k) * eps + e * slack < 1)
    assert len(seen) == 3 and {w for w, _ in seen} == {0, 1, 2}


def test_orderings():
    for eps, _, k, slack in homogeneous(7, 100):
        eps_of = {name: float(apply(name, Guarantee(eps), slack, k).epsilon) for name in THEOREMS}
        close = 1 + 1e-9
        assert eps_of["sharper"] <= eps_of["kov_closed_form"] * close
        assert eps_of["kov_closed_form"] <= eps_of["concentrated"] * close <= eps_of["advanced"] * close**2
        assert eps_of["kov_closed_form"] <= eps_of["basic"] * close


def test_theorems_lists_every_theorem_once():
    text = str(composition.theorems())
    assert all(sum(line.startswith(name) for line in text.splitlines()) == 1 for name in THEOREMS)


def epsilon_at(name, groups, delta):
    """Return the theorem's epsilon at a total delta, spending on slack what the deltas leave; inf if nothing."""
    with mp.workprec(2400):
        if name in UNION_BOUND:
            slack = mp.mpf(delta) - mp.fsum(n * mp.mpf(d) for _, d, n in groups)
        else:
            slack = 1 - (1 - mp.mpf(delta)) / mp.fprod((1 - mp.mpf(d)) ** n for _, d, n in groups)
    if slack < 0:
        return mp.inf
    if slack == 0:
        return mp.inf if name in ("advanced", "concentrated") else truth.moments(groups)[0]
    return CLOSED[name](groups, slack)


@pytest.mark.parametrize("among", [THEOREMS, THEOREMS[:4], THEOREMS[:3], THEOREMS[:2]], ids=len)
def test_best_names_the_winner(among):
    winners = set()
    for eps, delta, k, slack in homogeneous(8, 150):
        groups = [(eps, delta, k)]
        total = k * delta + slack
        if total >= 1 or slack < 1e-6 * total:  # anything is true at delta = 1, and rounding eats a tiny slack
            continue
        expected = {name: epsilon_at(name, groups, total) for name in among}
        ours = composition.best(Guarantee(eps, delta), total, k=k, among=among)
        smallest = min(expected.values())
        assert ours.theorem in among
        assert ours.epsilon == pytest.approx(float(smallest), rel=1e-6)
        assert expected[ours.theorem] <= smallest * (1 + mp.mpf("1e-6"))
        winners.add(ours.theorem)
    assert len(winners) >= 2


def test_best_is_valid():
    for eps, delta, k, slack in homogeneous(9, 100):
        total = min(1.0, k * delta + slack)
        ours = composition.best(Guarantee(eps, delta), total, k=k)
        assert ours.delta <= total
        assert truth.optimal_delta(eps, delta, k, ours.epsilon) <= total
    for pairs, slack in mixed(10, 40):
        total = min(1.0, sum(d for _, d in pairs) + slack)
        ours = composition.best([Guarantee(*pair) for pair in pairs], total)
        assert ours.delta <= total
        assert truth.mixed_delta(pairs, ours.epsilon) <= total


def test_best_without_enough_delta_is_infinite():
    assert composition.best(Guarantee(0.1, 0.01), 1e-3, k=5).epsilon == inf
    assert composition.best(Guarantee(0.1), 0.0, k=5).epsilon == pytest.approx(0.5)


@pytest.mark.parametrize("name", ["kov_closed_form", "sharper"])
def test_without_slack_the_epsilons_add_up(name):
    assert float(apply(name, Guarantee(0.1), 0, 5).epsilon) == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(40))
def test_the_best_theorem_is_never_below_the_optimum(seed):
    rng = np.random.default_rng(seed)
    guarantees = [Guarantee(float(n) / 10) for n in rng.integers(1, 40, size=rng.integers(1, 6))]
    for delta in (0, 1e-9, 0.01, 0.3):
        assert composition.best(guarantees, delta).epsilon >= optimal(guarantees).epsilon(delta)
