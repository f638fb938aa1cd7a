"""Bounded leakage: the object against its definition by all events, the lecture's numbers, reports, and bad input."""

import pickle
from fractions import Fraction as F
from itertools import pairwise, product
from math import exp, inf, log

import numpy as np
import pytest
import truth
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import Guarantee, Pair, composition, optimal
from dpteach.curve import VACUOUS, WorstCase
from dpteach.leakage import (
    ABSENT,
    AdaptiveGame,
    LeakyMechanism,
    adaptive_delta,
    adaptive_experiment,
    asks_data,
    asks_presence,
    asks_state,
    big_world,
    bits,
    bounds,
    differ_in_one,
    examples,
    exponential_mechanism_with_leak,
)
from dpteach.leakage.tables import product_law

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

RATIOS = [F(1), F(3, 2), F(2), F(3), F(7)]


def response(x, r):
    """Randomized response with e^eps = 3, by one of eight equally likely coins."""
    return x ^ (r in (0, 1))


def rr(leak=None):
    return LeakyMechanism.from_functions([0, 1], range(8), response, leak)


def two_coins(ratio, leak_ratio):
    """Randomized response with an independent randomized response as its leak."""
    return LeakyMechanism.from_laws(
        [0, 1], lambda x: examples.truthful(x, leak_ratio), lambda x, o: examples.truthful(x, ratio)
    )


def chances(values, leak="o"):
    """One leaked value, and output 1 with the given probability at each database, which stand in a row."""
    names = list(values)
    table = {x: {(leak, 1): F(p), (leak, 0): 1 - F(p)} for x, p in values.items()}
    return LeakyMechanism.from_joint(table, list(pairwise(names)))


# Definition 2, straight from the coins


@st.composite
def raw(draw):
    """Draw tables M[x][r] and P[x][r] with weights of the coins r."""
    databases, coins = draw(st.integers(2, 3)), draw(st.integers(1, 6))
    values = st.lists(
        st.lists(st.integers(0, 2), min_size=coins, max_size=coins), min_size=databases, max_size=databases
    )
    weights = draw(st.lists(st.integers(1, 4), min_size=coins, max_size=coins))
    return draw(values), draw(values), [F(w, sum(weights)) for w in weights]


def given_leak(outputs, leaks, weights, o):
    """Return Pr[leak = o] and the law of the output given o, or None if it is impossible."""
    mass = sum((w for w, leaked in zip(weights, leaks, strict=True) if leaked == o), F(0))
    rows = list(zip(weights, leaks, outputs, strict=True))
    return mass, mass and [sum(w for w, leaked, out in rows if (leaked, out) == (o, m)) / mass for m in range(3)]


@settings(max_examples=60, deadline=None)
@given(raw(), st.sampled_from(RATIOS), st.fractions(0, 1))
def test_delta_ratio_and_coverage_from_the_definition(tables, a, d):
    M, P, weights = tables
    ours = LeakyMechanism.from_functions(
        range(len(M)), dict(enumerate(weights)), lambda x, r: M[x][r], lambda x, r: P[x][r]
    )
    deltas, ratios, covered = [], [], []
    for x, y in product(range(len(M)), repeat=2):
        if x != y:
            laws = {o: [given_leak(M[z], P[z], weights, o) for z in (x, y)] for o in range(3)}
            both = {o: (p, q) for o, (p, q) in laws.items() if p[0] and q[0]}
            covered.append(sum((p[0] for p, _ in both.values()), F(0)))
            deltas += [truth.delta_by_events(p[1], q[1], a) for p, q in both.values()]
            ratios += [truth.ratio_by_events(p[1], q[1], d) for p, q in both.values()]
    assert ours.exact
    assert ours.coverage == sum(covered) / len(covered)
    assert ours.worst_coverage == min(covered)
    assert ours.vacuous == (not deltas)
    assert ours.delta(ratio=a) == max(deltas, default=VACUOUS)
    assert ours.ratio(d) == max(ratios, default=VACUOUS)
    witness = ours.witness(ratio=a)
    assert (witness is None) == ours.vacuous
    if witness is not None:
        law, other = ours.law(witness.x, witness.leak), ours.law(witness.neighbour, witness.leak)
        assert sum(law.get(m, 0) for m in witness.outputs) == witness.p
        assert sum(other.get(m, 0) for m in witness.outputs) == witness.q
        assert witness.p - a * witness.q == max(deltas)


@settings(max_examples=30, deadline=None)
@given(raw())
def test_floats_agree_with_fractions(tables):
    M, P, weights = tables
    exact, floats = (
        LeakyMechanism.from_functions(
            range(len(M)), {r: kind(w) for r, w in enumerate(weights)}, lambda x, r: M[x][r], lambda x, r: P[x][r]
        )
        for kind in (F, float)
    )
    assert not floats.exact
    assert floats.vacuous == exact.vacuous
    grid = np.array([0.0, 0.3, log(2), 2.0])
    for one, two in ((exact, floats), (exact.independence(), floats.independence()), (exact.scaled(), floats.scaled())):
        assert one.vacuous == two.vacuous
        if one.vacuous:
            continue
        assert two.delta(grid) == pytest.approx(one.delta(grid), abs=1e-12)
        assert two.delta(log(3)) == pytest.approx(float(one.delta(ratio=3)), abs=1e-12)
        assert two.delta(ratio=3.0) == pytest.approx(float(one.delta(ratio=3)), abs=1e-12)
    assert exact.report(1.0).table().columns == floats.report(1.0).table().columns


def test_joint_tables_functions_and_laws_agree():
    functions = rr(lambda x, r: r % 2)
    table = {x: {(o, m): F(3 if m == x else 1, 8) for o in (0, 1) for m in (0, 1)} for x in (0, 1)}
    laws = LeakyMechanism.from_laws([0, 1], lambda x: examples.coin(), lambda x, o: examples.truthful(x, 3))
    assert functions.joint == LeakyMechanism.from_joint(table).joint == laws.joint


# The lecture's numbers


def test_one_mechanism_five_leaks():
    leaks = [None, lambda x, r: r % 2, lambda x, r: r < 4, lambda x, r: r in (0, 2, 3), response]
    assert [rr(leak).ratio() for leak in leaks] == [3, 3, inf, 4, 1]
    assert rr(leaks[2]).delta(ratio=100) == 1
    assert rr(leaks[1]).independence().perfect
    assert not rr(leaks[2]).independence().perfect
    assert rr(leaks[3]).given(True).ratio() == 2
    assert rr(leaks[3]).given(False).ratio() == 4
    assert [rr().delta(ratio=a) for a in (1, 2, 3)] == [F(1, 2), F(1, 4), 0]
    assert rr().ratio(F(1, 8)) == F(5, 2)


def test_a_mechanism_that_leaks_itself():
    assert rr().leaking_itself().ratio() == 1
    assert not rr().leaking_itself().vacuous
    identity = LeakyMechanism.from_functions([0, 1], [None], lambda x, r: x).leaking_itself()
    assert identity.vacuous
    assert identity.without_leak().delta(ratio=50) == 1
    assert two_coins(3, 3).ratio() == 3


def test_the_pad():
    rows = [examples.one_time_pad(3, j).by_neighbours(ratio=1) for j in range(4)]
    assert [sum(d == 1 for d in row.values()) for row in rows] == [0, 4, 8, 12]
    assert {len(row) for row in rows} == {12}
    assert [examples.one_time_pad(3, j).delta(ratio=9) for j in range(4)] == [0, 1, 1, 1]
    parity = LeakyMechanism.from_functions(bits(3), bits(3), examples.xor, lambda x, r: sum(r) % 2)
    assert set(parity.by_neighbours(ratio=1).values()) == {1}
    assert examples.one_time_pad(3, 3).without_leak().ratio() == 1
    assert [examples.noisy_pad(F(p, 8)).ratio() for p in (1, 2, 4)] == [7, 3, 1]
    noisy = examples.noisy_pad(F(1, 4))
    assert (noisy.without_leak().ratio(), noisy.independence().ratio()) == (1, 2)
    assert bounds.independence_bound(1, 0, 2) == (4, 0)
    assert noisy.compose(noisy).ratio() == 9


def test_shares_by_the_piling_up_lemma():
    assert [examples.secret_shares(4, b).delta(ratio=1) for b in range(5)] == [0, 0, 0, 0, 1]
    for b in range(4):
        bias = F(1, 2) ** (4 - b)  # of the sum of the unknown bits, each 1 with probability 1/4
        assert examples.secret_shares(4, b, F(1, 4)).ratio() == (1 + bias) / (1 - bias)
    assert examples.secret_shares(4, 4, F(1, 4)).ratio() == inf


def test_sampling_leaks():
    plain, noisy = examples.sampled_study(), examples.sampled_study(flip=F(1, 4))
    assert (plain.without_leak().ratio(), plain.ratio(), plain.independence().ratio()) == (2, 3, 2)
    assert noisy.ratio() == F(5, 2)


def test_independence_is_not_symmetric():
    skew = LeakyMechanism.from_joint({0: {(1, 1): F(1, 11), (0, 0): F(5, 11), (1, 0): F(5, 11)}})
    assert skew.independence().delta(ratio=1) == F(1, 11)
    assert skew.swapped().independence().delta(ratio=1) == F(5, 11)


def test_theorem_9_is_attained():
    pure = examples.independence_extremal(F(3, 2), 0, 2, weight=F(1, 3), start=F(1, 12))
    assert (pure.law(0, "o")[1], pure.law(0)[1], pure.law(1)[1], pure.law(1, "o")[1]) == (
        F(1, 2),
        F(1, 4),
        F(1, 6),
        F(1, 12),
    )
    assert (pure.without_leak().ratio(), pure.independence().ratio(), pure.ratio()) == (F(3, 2), 2, 6)
    levels = (F(3, 2), F(1, 20), 2, F(1, 40))
    for start in (0, None):
        approximate = examples.independence_extremal(*levels, start=start)
        assert approximate.without_leak().delta(ratio=F(3, 2)) == F(1, 20)
        assert approximate.independence().delta(ratio=2) == F(1, 40)
        assert approximate.delta(ratio=6) == F(1, 5)
    assert bounds.independence_bound(*levels) == (6, F(1, 5))
    assert bounds.independence_optimum(*levels) == F(1, 5)
    assert bounds.independence_optimum(2, F(1, 5), 2, F(1, 8)) == F(63, 80)
    assert bounds.independence_bound(2, F(1, 5), 2, F(1, 8)).delta == F(41, 40)


def test_theorem_9_for_likelier_leaks():
    levels = (F(3, 2), F(1, 20), 2, F(1, 40))
    exact = [
        (0, F(1, 5)),
        (F(1, 3), F(1, 5)),
        (F(1, 2), F(23, 160)),
        (F(3, 4), F(27, 320)),
        (F(9, 10), 0.0591145833333),
    ]
    for weight, value in exact:
        assert bounds.independence_optimum_at(weight, *levels) == pytest.approx(float(value), abs=1e-9)
    assert bounds.independence_optimum_at(0, 2, F(1, 5), 2, F(1, 8)) == pytest.approx(63 / 80, abs=1e-9)
    with pytest.raises(ValueError, match="weight must be small enough"):
        examples.independence_extremal(*levels, weight=F(3, 4), start=0)


@settings(max_examples=80, deadline=None)
@given(st.fractions(1, 4), st.fractions(0, 1), st.fractions(1, 4), st.fractions(0, 1), st.fractions(1, 20))
def test_the_optimum_of_theorem_9_on_a_grid(a, d, b, e, at):
    def g(s, ratio, delta):  # the largest p with p <= ratio s + delta and 1 - s <= ratio (1 - p) + delta
        return min(F(1), ratio * s + delta, (ratio - 1 + delta + s) / ratio)

    told = bounds.independence_optimum(a, d, b, e, at)
    grid = [F(i, 60) for i in range(61)]
    reached = [g(g(g(s, b, e), a, d), b, e) - at * s for s in grid]
    assert max(reached) <= told
    assert told <= max(reached) + (a * b * b) / 60  # the slope of the chain is at most a b^2
    assert bounds.independence_optimum(a, d, b, e) <= bounds.independence_bound(a, d, b, e).delta


def test_theorem_4_is_attained():
    for reveal, copies, printed in ((F(0), 1, F(1, 10)), (F(1, 5), 1, F(7, 10)), (F(1, 5), 50, F(203, 10))):
        tight = examples.release_extremal(2, F(1, 10), 3, reveal, copies)
        leak = tight.swapped().without_leak()
        assert tight.delta(ratio=2) == F(1, 10)
        assert leak.delta(ratio=3) == reveal
        told = bounds.release_bound(2, F(1, 10), 3, reveal)
        assert told == (6, 1 - F(9, 10) * (1 - reveal))
        assert tight.without_leak().delta(ratio=6) == tight.released().delta(ratio=6) == told.delta
        common = len(tight.shared_leaks(0, 1))
        assert bounds.release_bound_as_printed(2, F(1, 10), 3, reveal, common).delta == printed


def test_what_is_released_with_the_leak():
    both = two_coins(3, 5)
    assert (both.reveal().ratio(), both.released().ratio(), both.independence().ratio()) == (3, 15, 1)
    rare = LeakyMechanism.from_laws(
        [0, 1],
        lambda x: {x: F(99, 100), "?": F(1, 100)},
        lambda x, o: 0 if o == "?" else x,
    )
    assert (rare.delta(ratio=1), rare.coverage, rare.vacuous) == (0, F(1, 100), False)
    assert rare.without_leak().delta(ratio=10) == F(99, 100)
    sometimes = LeakyMechanism.from_functions(
        [0, 1], list(product((0, 1), range(1000))), lambda x, r: x ^ r[0], lambda x, r: r[0] if r[1] == 0 else None
    )
    assert (sometimes.delta(ratio=9), sometimes.released().delta(ratio=9)) == (1, F(1, 1000))


def test_leaks_are_not_monotone_and_do_not_add_up():
    itself = rr().leaking_itself()
    assert (itself.ratio(), itself.coarsen(lambda o: None).ratio()) == (1, 3)
    pad = examples.one_time_pad(1, 1)
    assert (pad.ratio(), pad.coarsen(lambda o: None).ratio()) == (inf, 1)
    masked = [
        LeakyMechanism.from_functions([0, 1], bits(2), lambda x, r: x ^ r[0] ^ r[1], leak)
        for leak in (lambda x, r: r[0], lambda x, r: r[1], lambda x, r: r)
    ]
    assert [m.delta(ratio=1) for m in masked] == [0, 0, 1]


def test_one_common_leak_does_not_compose():
    runs = [lambda x, r: x ^ r[0], lambda x, r: r[1], lambda x, r: (x ^ r[0], r[1])]
    leaky = [LeakyMechanism.from_functions([0, 1], bits(2), run, lambda x, r: r[0] ^ r[1]) for run in runs]
    assert [m.delta(ratio=1) for m in leaky] == [0, 0, 1]
    assert leaky[0].compose(leaky[1]).delta(ratio=1) == 0  # fresh coins


def test_three_readings_of_sharing_nothing():
    reveals_nothing = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: r, lambda x, r: x ^ r)
    correlated = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: x ^ r, lambda x, r: 1 - r)
    for m in (reveals_nothing, correlated):
        assert (m.without_leak().ratio(), m.delta(ratio=5)) == (1, 1)


def test_the_leak_may_separate_the_bad_pair():
    law = {0: {0: 1}, 1: {1: 1}, 2: {1: F(3, 4), 0: F(1, 4)}}
    m = LeakyMechanism.from_laws([0, 1, 2], {0: "A", 1: "B", 2: "B"}, lambda x, o: law[x])
    assert (m.without_leak().delta(ratio=1), m.delta(ratio=1)) == (1, F(1, 4))


def test_mixtures_need_a_coin_of_their_own():
    one, two = (LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r, i=i: x ^ r ^ i) for i in (0, 1))
    assert one.mixture([F(1, 3), F(2, 3)], two).delta(ratio=1) == 0
    selector_is_r = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: x ^ r ^ r)
    assert selector_is_r.delta(ratio=1) == 1
    by_database = LeakyMechanism.from_joint(
        {x: {(None, 0): F(1 + 2 * x, 4), (None, 1): F(3 - 2 * x, 4)} for x in (0, 1)}
    )
    assert by_database.ratio() == 3
    by_leak = two_coins(3, 5).mixture(lambda o: [1, 0] if o else [0, 1], two_coins(2, 5))
    assert (by_leak.given(1).ratio(), by_leak.given(0).ratio()) == (3, 2)


def test_post_processing_must_not_read_the_coins_again():
    pad = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: x ^ r)
    undone = LeakyMechanism.from_functions([0, 1], [0, 1], lambda x, r: x ^ r ^ r)
    assert (pad.delta(ratio=1), undone.delta(ratio=1)) == (0, 1)
    assert rr().then({0: 0, 1: {0: F(1, 2), 1: F(1, 2)}}).law(1) == {0: F(5, 8), 1: F(3, 8)}
    seen = rr(lambda x, r: r < 4).reveal().then(lambda both: both[0] ^ both[1])
    assert seen.delta(ratio=2) == 1


# Groups


def test_the_parity_trap():
    trap = examples.parity_trap(3)
    assert trap.vacuous
    assert (trap.coverage, len(trap.vacuous_pairs)) == (0, 12)
    two = examples.parity_trap(2)
    assert two.without_leak().delta(ratio=3) == 1
    for a in RATIOS:
        assert two.scaled().delta(ratio=a) == 1 / (1 + a)
    assert two.scaled().epsilon() == inf
    honest = examples.parity_trap(2, ratio=3)
    assert (honest.scaled().delta(ratio=3), honest.scaled().epsilon()) == (0, pytest.approx(log(3)))
    assert honest.scaled().delta(ratio=F(29, 10)) > 0


def test_paths_may_be_longer_than_the_distance():
    chance = {(0, 0): F(8, 20), (2, 0): F(4, 20), (2, 1): F(2, 20), (1, 1): F(1, 20)}
    grid = list(product(range(3), repeat=2))
    m = LeakyMechanism.from_laws(
        grid, lambda x: "o" if x in chance else "other", lambda x, o: examples.coin(chance.get(x, 0))
    )
    assert m.distance((0, 0), (1, 1)) == 2
    path = m.group_paths("o")[(0, 0), (1, 1)]
    assert path == ((0, 0), (2, 0), (2, 1), (1, 1))
    assert m.conditioned((0, 0), (1, 1), "o").ratio() == 8
    assert m.given("o").ratio() == 2


def test_group_privacy_is_attained():
    m = chances({"a": F(7, 40), "b": F(3, 40), "c": F(1, 40), "d": F(0)})
    assert m.delta(ratio=2) == F(1, 40)
    assert m.conditioned("a", "d", "o").delta(ratio=8) == bounds.group_bound(2, F(1, 40), 3).delta == F(7, 40)
    assert bounds.group_bound(1, F(1, 40), 3) == (1, F(3, 40))
    assert m.distance("a", "d") == 3
    apart = LeakyMechanism.from_joint({x: {(None, x): 1} for x in "ab"}, neighbours=[])
    assert apart.distance("a", "b") == inf
    assert apart.vacuous
    assert apart.scaled().vacuous
    assert apart.coverage == 0


def test_the_reduction_mechanism():
    noisy = examples.noisy_pad(F(1, 4))
    reduced = noisy.reduction(0, 1, 0)
    assert (reduced.law(0), reduced.law(1)) == (noisy.law(0, 0), noisy.law(1, 0))
    assert noisy.law(0, 0) == {0: F(3, 4), 1: F(1, 4)}
    two_bits = LeakyMechanism.from_laws(bits(2), lambda x: None, examples.noisy_bits(3))
    assert (two_bits.ratio(), two_bits.reduction((0, 0), (1, 1)).ratio()) == (3, 9)
    assert two_bits.reduction((0, 0), (0, 1)).law((1, 0)) == two_bits.law((0, 1))
    null = examples.parity_trap(2).reduction((0, 0), (0, 1), 0)
    assert null.law((1, 1)) == {"null": 1}


# Composition


def test_rectangles_do_not_suffice():
    failing = LeakyMechanism.from_joint({0: {(None, "T"): F(1, 4), (None, 0): F(3, 4)}, 1: {(None, 0): 1}})
    for k, optimum in ((2, F(7, 16)), (3, F(37, 64)), (5, F(781, 1024))):
        composed = failing.compose([failing] * (k - 1))
        assert composed.delta(ratio=1) == optimum
        pair = composed.conditioned(0, 1, (None,) * k)
        p = dict(zip(pair.outcomes, pair.p - pair.q, strict=True))
        sides = [("T",), (0,), ("T", 0)]
        rectangles = (sum(p.get(m, 0) for m in product(*side)) for side in product(sides, repeat=k))
        assert max(rectangles) == F(1, 4)
    assert (failing.conditioned(0, 1) ** 10).delta(ratio=1) == F(989527, 1048576)


def test_the_best_adaptive_adversary():
    noisy = examples.noisy_pad(F(1, 4))
    told = {(1, 1): F(1, 2), (2, 3): F(3, 8), (3, 3): F(3, 8), (3, 9): F(9, 32), (4, 3): F(75, 128)}
    for (k, a), value in told.items():
        assert adaptive_delta(noisy, k, ratio=a) == value
        p, q = truth.product_pair([((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))] * k)
        assert truth.hockey_stick(p, q, a) == value
        assert adaptive_delta(noisy, k, log(a)) == pytest.approx(float(value), abs=1e-12)
    assert str(adaptive_delta(examples.parity_trap(2), 3, ratio=1)) == "vacuous"
    pad = examples.one_time_pad(1)
    assert adaptive_delta(pad, 2, ratio=1) == 0


def test_a_game_that_asks_for_the_impossible():
    noisy, trap = examples.noisy_pad(F(1, 4)), examples.parity_trap(1)

    def adversary(view):
        return (noisy, 0, 1, 0) if not view else (trap, (0,), (1,), 0)

    views = adaptive_experiment(adversary, 2)
    assert views.outcomes == [(0, "null"), (1, "null")]
    assert views.ratio() == 3
    with pytest.raises(ValueError, match="must ask about two neighbours"):
        adaptive_experiment(lambda view: (noisy, 0, 0, 0), 1)


@pytest.mark.parametrize(
    "eps, k, printed, meant",
    [(0.01, 1000, 5.378, 1.763), (0.1, 100, 9.322, 6.308), (0.5, 100, 56.61, 58.72), (1, 100, 152.6, 224.4)],
)
def test_the_misprinted_bound(eps, k, printed, meant):
    one = Guarantee(eps, 0)
    told = bounds.advanced_as_printed(one, 1e-6, k)
    assert told.epsilon == pytest.approx(printed, rel=5e-4)
    assert told.epsilon == pytest.approx(eps * (2 * k * log(1e6)) ** 0.5 + k * eps * exp(eps - 1), rel=1e-12)
    assert composition.advanced(one, 1e-6, k).epsilon == pytest.approx(meant, rel=5e-4)
    assert told.epsilon >= optimal(one, k).epsilon(1e-6) + k * eps**2 / 2


# The exponential mechanism


def bucket(**how):
    return exponential_mechanism_with_leak(range(4), range(4), lambda x: x // 2, lambda x, y, o: -abs(x - y), **how)


def test_the_bucket():
    m = bucket(base=2, restricted=True)
    assert m.law(1, 0) == {0: F(2, 9), 1: F(4, 9), 2: F(2, 9), 3: F(1, 9)}
    assert (m.sensitivity, m.ratio()) == ({0: 1, 1: 1}, F(12, 5))
    wide = bucket(base=8)
    assert wide.sensitivity == {0: 3, 1: 3}
    assert [(wide.tail(1, 0, c), wide.tail_bound(1, 0, c)) for c in (-1, -2)] == [
        (F(17, 81), F(1, 2)),
        (F(1, 81), F(1, 16)),
    ]
    for t in (0.0, 0.7, 3.0):
        score = wide.threshold(1, 0, t)
        assert wide.tail_bound(1, 0, score) == pytest.approx(exp(-t))
    private = bucket(eps=1.0)
    assert private.epsilon() <= 1
    assert private.base[0] == pytest.approx(exp(1 / 6))


def test_extreme_epsilons():
    assert bucket(eps=1e5).law(1, 0) == {1: 1}
    assert bucket(eps=1e-9).epsilon() <= 1e-9


def test_the_range_leak_and_zero_sensitivity():
    pairs = list(product(range(4), repeat=2))
    told = {}
    for restricted in (False, True):
        told[restricted] = exponential_mechanism_with_leak(
            pairs,
            range(4),
            lambda x: abs(x[0] - x[1]),
            lambda x, y, o: -abs(2 * y - sum(x)),
            base=2,
            restricted=restricted,
        )
    assert [told[False].sensitivity[o] for o in range(4)] == [3, 3, 3, 3]
    assert [told[True].sensitivity[o] for o in range(4)] == [0, 2, 0, 0]
    assert told[True].law((2, 2), 0) == {2: 1}
    assert told[True].given(0).vacuous
    with pytest.raises(ValueError, match="positive sensitivity"):
        told[True].tail_bound((2, 2), 0, -1)


@pytest.mark.parametrize("n, ratio", [(2, F(2)), (10, F(38, 11)), (100, F(398, 101)), (1000, F(3998, 1001))])
def test_the_factor_is_approached(n, ratio):
    m = exponential_mechanism_with_leak([0, 1], range(n), lambda x: None, lambda x, y, o: int((y == 0) != x), base=2)
    assert m.ratio() == ratio < 4


@pytest.mark.parametrize("n, gap, share", [(4, 2, 0.4286), (16, 8, 0.8856), (256, 16, 0.9922), (1024, 20, 0.9980)])
def test_the_tail_is_nearly_attained(n, gap, share):
    m = exponential_mechanism_with_leak([0, 1], range(n), lambda x: 0, lambda x, y, o: -gap * (y != x), base=2)
    reached = m.tail(0, 0, -gap) / m.tail_bound(0, 0, -gap)
    assert reached == F(n - 1, n) / (1 + F(n - 1, 2**gap)) < 1
    assert float(reached) == pytest.approx(share, abs=5e-5)


# The big world


def swap(q):
    return {0: {(1, 0): 1 - q, (0, 1): q}, 1: {(0, 1): 1 - q, (1, 0): q}}


def test_two_studies_and_a_swap():
    for q, ratio in ((F(0), 9), (F(1, 10), F(41, 9)), (F(1, 4), F(7, 3)), (F(1, 2), 1)):
        world = big_world([asks_presence(3)] * 2, swap(q))
        assert world.ratio() == ratio
    assert big_world([asks_presence(2, F(1, 10))] * 2, swap(F(0))).delta(ratio=4) == F(19, 100)
    assert bounds.big_world_bound(2, F(1, 10), 1, 2) == (4, F(1, 5))
    table = big_world([asks_presence(3)] * 2, swap(F(0))).table()
    assert list(table) == [("1", 1, 9, inf, 9, 9, 9)]
    state = [asks_state(3)] * 2
    assert big_world(state, swap(F(1, 10)), lambda x, v: v).ratio() == 3
    assert big_world(state, swap(F(1, 10))).ratio() == F(41, 6)


def test_min_2t_k_is_attained():
    for k in range(1, 5):
        for t in range(k + 1):
            first, last = (1,) * t + (0,) * (k - t), (0,) * (k - t) + (1,) * t
            world = big_world([asks_state(3)] * k, {0: first, 1: last})
            assert world.ratio() == world.bounds(t)["min(2t, k) eps"] == 3 ** min(2 * t, k)


def test_equal_odds_cost_t():
    join = {0: F(9, 10), 1: F(1, 10)}
    world = big_world([asks_data(3)] * 3, lambda x: product_law(*[examples.coin(join[x])] * 3))
    assert [world.given(t).ratio() for t in range(4)] == [1, 3, 9, 27]
    assert all(world.bounds(t)["t eps + eta"] == 3**t for t in range(4))
    capped = big_world(
        [asks_data(3)] * 3, lambda x: product_law(*[examples.coin(join[x])] * 3), lambda x, v: sum(v) <= 1
    )
    assert capped.given(True).ratio() == F(63, 29)
    for k, distance in enumerate((F(1, 2), F(1, 4), F(1, 4), F(3, 16), F(3, 16)), 1):
        hidden = {tuple(int(i == j) for i in range(k)): F(1, k) for j in range(k)}
        world = big_world([asks_data(3)] * k, lambda x, hidden=hidden: hidden)
        assert (world.ratio(), world.delta(ratio=1)) == (3, distance)


def test_the_leak_may_see_the_data():
    fair = {(1, 0): F(1, 2), (0, 1): F(1, 2)}
    assert big_world([asks_state(3)] * 2, lambda x: fair).ratio() == 3
    told = big_world([asks_state(3)] * 2, lambda x: fair, lambda x, v: 1 if v[0] != x else 2)
    assert told.given(1).ratio() == 9


def test_one_study_and_what_goes_wrong():
    join = {x: {(1,): F(1 + 8 * x, 10), (0,): F(9 - 8 * x, 10)} for x in (0, 1)}
    open_door = big_world([asks_presence(3)], join).without_leak()
    assert open_door.law(1)[open_door.outputs[1]] in (F(7, 10), F(3, 10))
    assert open_door.ratio() == F(7, 3)
    for k in (1, 2, 3):
        assert big_world([asks_presence(3)] * k, {0: (0,) * k, 1: (1,) * k}).without_leak().ratio() == 3**k
    # counting heads is harmless only while the size of a study is fixed
    heads = big_world([lambda state: 0 if state == ABSENT else 1] * 2, swap(F(0)))
    assert heads.delta(ratio=9) == 1
    # adding and removing a record, which makes a substitution two steps
    steps = {0: F(3, 10), ABSENT: F(1, 10), 1: F(0)}
    removed = big_world([lambda state: examples.coin(steps[state])], lambda x: (1,))
    assert (removed.delta(ratio=4), 2 * F(1, 10)) == (F(3, 10), F(1, 5))
    # joining in reaction to an earlier output
    reacts = LeakyMechanism.from_functions([0, 1], bits(2), lambda x, r: r, lambda x, r: int(r[0] == x))
    assert reacts.delta(ratio=9) == 1


def test_why_the_printed_proofs_fail():
    units = {tuple(int(i == j) for i in range(4)): F(1, 4) for j in range(4)}
    world = big_world([asks_presence(3)] * 4, {0: units, 1: (0, 0, 0, 0)}, lambda x, v: 1)
    for j in range(4):
        assert world.then(lambda m, j=j: m[j]).delta(ratio=1) == F(1, 8)
    rows = {0: {(1, 1, 0, 0): F(1, 2), (0, 0, 1, 1): F(1, 2)}, 1: {(1, 0, 1, 0): F(1, 2), (0, 1, 0, 1): F(1, 2)}}
    shared = big_world([asks_presence(3)] * 4, rows)
    assert [shared.then(lambda m, j=j: m[j]).ratio() for j in range(4)] == [1] * 4
    assert shared.ratio() == F(41, 9)
    alone = big_world([asks_presence(3)], {0: (1,), 1: (0,)}, lambda x, v: 1)
    assert alone.ratio() == 3
    seen = big_world([asks_presence(3)] * 2, lambda x: {(1, 0): F(1, 2), (0, 1): F(1, 2)}, lambda x, v: 2 - v[0])
    away, there = seen.studies[0](ABSENT), seen.studies[0](0)
    yes = max(there, key=there.get)
    no = max(away, key=away.get)
    assert seen.law(0, 1)[yes, no] == F(9, 16)
    assert seen.coarsen(lambda o: None).law(0)[yes, no] == F(5, 16)


# The census


def test_the_town():
    town = examples.census_town()
    assert (len(town.databases), len(town.neighbours), len(town.vacuous_pairs)) == (16, 48, 32)
    assert (town.coverage, town.ratio(), town.without_leak().ratio()) == (F(1, 3), 3, 9)
    blurred = examples.census_town(leak_ratio=3)
    assert (blurred.coverage, blurred.ratio()) == (1, 9)
    total = LeakyMechanism.from_laws(bits(3), lambda x: sum(x), examples.noisy_bits(3))
    assert total.vacuous
    assert examples.census_town(invariants=()).ratio() == 9
    assert examples.census_town(invariants=("people in A", "flags")).vacuous


def test_the_examples_take_floats():
    for exact, floats in (
        (examples.census_town(ratio=2), examples.census_town(ratio=2.0)),
        (examples.sampled_study(3, F(1, 4)), examples.sampled_study(3.0, 0.25)),
        (examples.release_extremal(2, F(1, 10), 3, F(1, 5)), examples.release_extremal(2.0, 0.1, 3.0, 0.2)),
        (big_world([asks_state(3)] * 2, swap(F(1, 4))), big_world([asks_state(3.0)] * 2, swap(0.25))),
    ):
        for eps in (0.0, 0.5, 1.5):
            assert floats.delta(eps) == pytest.approx(exact.delta(eps), abs=1e-12)
        assert floats.report(0.5).coverage == pytest.approx(float(exact.coverage))


def test_truncated_geometric_noise():
    for ratio, top in product((F(2), F(3)), range(4)):
        for value in range(top + 1):
            law = examples.truncated_geometric(value, top, ratio)
            far = {k: (ratio - 1) / (ratio + 1) * ratio ** -abs(k) for k in range(-60, 61)}
            assert sum(law.values()) == 1
            for y, p in law.items():
                inside = [k for k in far if min(max(value + k, 0), top) == y]
                assert float(p) == pytest.approx(float(sum(far[k] for k in inside)), abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_xor_attack(n):
    m, zero = examples.xor_attack(n), (0,) * n

    def first_is_zero(**seen):
        return sum(p for x, p in m.posterior(**seen).items() if x[0] == 0)

    assert m.vacuous
    assert first_is_zero(leak=zero[1:]) == F(1, 2)
    assert first_is_zero(output=zero) == F(3, 4)
    assert first_is_zero(leak=zero[1:], output=zero) == F(3**n, 3**n + 1)
    assert m.scaled().delta(ratio=3) == 0
    assert m.conditioned(zero, (1,) * n, zero[1:]).ratio() == 3**n
    certain = {zero: F(1)}
    assert m.posterior(output=zero, prior=certain) == certain


# Reports


def test_a_vacuous_promise_is_never_zero():
    report = examples.parity_trap(2).report(ratio=3)
    text = repr(report)
    assert report.vacuous
    assert "vacuous" in text
    assert "delta given the leak                    0" not in text
    assert (report.coverage, report.scaled, report.plain, report.released) == (0, F(1, 4), 1, 1)
    trap = examples.parity_trap(2)
    for answer in (trap.delta(ratio=1), trap.delta(1.0), trap.ratio(), trap.epsilon(0), trap.tradeoff(0.5)):
        assert repr(answer) == str(answer) == f"{answer:.3g}" == "vacuous"
    assert trap.delta(np.array([0.0, 1.0])) is VACUOUS
    assert trap.scaled().delta(np.array([0.0, log(3)])) == pytest.approx([1 / 2, 1 / 4])
    assert trap.delta(ratio=1) != 0
    assert pickle.loads(pickle.dumps(trap.ratio())) is VACUOUS


def test_a_report_in_words():
    report = examples.census_town().report(ratio=2)
    assert repr(report) == repr(report.table())
    assert report._repr_html_() == report.table()._repr_html_()
    assert dict(report.table())["neighbours about whom it says nothing"] == "32 of 48"
    assert dict(report.table())["coverage: share of the leak that is compared, on average"] == "1/3"
    assert dict(report.table())["the same for the worst pair of neighbours"] == "0"
    assert report.delta == F(1, 4)
    assert report.witness.p - 2 * report.witness.q == F(1, 4)
    assert "outputs" in str(report.witness)
    assert "no outputs" in repr(examples.noisy_pad(F(1, 4)).report(ratio=3))
    assert report.table().columns == ["at e^eps = 2", "answer"]
    assert examples.noisy_pad(0.25).report(1.0).table().columns == ["at eps = 1", "answer"]


def test_worst_case_tradeoff():
    m = rr(lambda x, r: r in (0, 2, 3))
    assert m.tradeoff(F(1, 10)) == min(m.given(o).tradeoff(F(1, 10)) for o in (True, False))
    assert m.tradeoff(F(1, 10)) == 1 - 4 * F(1, 10)  # the slope is -4 at the start
    assert m.tradeoff(np.array([0.0, 0.1])) == pytest.approx([1, 0.6])
    name, pair = m.worst(ratio=2)
    assert pair.delta(ratio=2, direction="pq") == m.delta(ratio=2)
    assert name[2] is False
    with pytest.raises(ValueError, match="vacuous"):
        WorstCase({}).worst(ratio=1)
    assert "WorstCase over 0 pairs" in repr(WorstCase({}))
    assert isinstance(m.conditioned(0, 1, True), Pair)


def test_neighbours():
    assert differ_in_one((0, 1), (0, 2))
    assert not differ_in_one((0, 1), (1, 0))
    assert not differ_in_one((0, 1), (0, 1))
    assert not differ_in_one((0,), (0, 1))
    assert differ_in_one("ab", "cd")
    table = {x: {(None, x): 1} for x in range(3)}
    chain = LeakyMechanism.from_joint(table, lambda x, y: y == x + 1)
    assert chain.neighbours == [(0, 1), (1, 2)]
    assert LeakyMechanism.from_joint(table, [(0, 1), (2, 1), (1, 0)]).neighbours == [(0, 1), (2, 1)]
    assert chain.are_neighbours(2, 1)
    assert not chain.are_neighbours(0, 2)
    assert chain.distance(0, 2) == 2


# Bad input

ONE = examples.one_time_pad(1, 1)
TABLE = {0: {(0, 0): F(1)}, 1: {(0, 1): F(1)}}
BAD = {
    "sums to less": (lambda: LeakyMechanism.from_joint({0: {(0, 0): F(1, 2)}}), "table[0] must sum to 1, not 1/2"),
    "sums to more": (lambda: LeakyMechanism.from_functions([0], {0: 0.7, 1: 0.7}, max), "randomness must sum to 1"),
    "negative": (lambda: LeakyMechanism.from_joint({0: {(0, 0): -1, (0, 1): 2}}), "must hold probabilities"),
    "no coins": (lambda: LeakyMechanism.from_functions([0], [], max), "randomness must not be empty"),
    "no databases": (lambda: LeakyMechanism.from_joint({}), "table must map databases"),
    "not a table": (lambda: LeakyMechanism.from_joint([1]), "table must map databases"),
    "no pairs": (lambda: LeakyMechanism.from_joint({0: {0: 1}}), "must have (leak, output) pairs as keys, not 0"),
    "stranger": (lambda: LeakyMechanism.from_joint(TABLE, [(0, 7)]), "of the list, not (0, 7)"),
    "himself": (lambda: LeakyMechanism.from_joint(TABLE, [(0, 0)]), "two different databases"),
    "no pair": (lambda: LeakyMechanism.from_joint(TABLE, [0]), "neighbours must be pairs"),
    "no list": (lambda: LeakyMechanism.from_joint(TABLE, 3), "neighbours must be pairs"),
    "twice": (lambda: LeakyMechanism.from_functions([0, 0], [0], max), "databases must name different"),
    "too many coins": (lambda: LeakyMechanism.from_functions(range(1000), range(3000), max), "at most 2097152 cells"),
    "too many": (lambda: LeakyMechanism.from_functions(range(2000), [0], max), "databases must be at most 1024"),
    "too large": (lambda: examples.one_time_pad(3).compose([examples.one_time_pad(3)] * 7), "others must make a table"),
    "no function": (lambda: LeakyMechanism.from_functions([0], [0], 3), "mechanism must be a function"),
    "a list": (lambda: LeakyMechanism.from_functions([0], [0], lambda x, r: [x]), "leaks and outputs must be"),
    "unknown": (lambda: ONE.law(5), "x must be one of the 2 databases, not 5"),
    "unhashable": (lambda: ONE.law([5]), "x must be one of the 2 databases, not [5]"),
    "never leaks": (
        lambda: ONE.conditioned((0,), (1,), 9),
        "o must be a value that can leak, one of [(0,), (1,)], not 9",
    ),
    "no group": (lambda: ONE.group_paths(9), "o must be a value that can leak"),
    "no given": (lambda: ONE.given(9), "o must be a value that can leak"),
    "no reduction": (lambda: ONE.reduction((0,), (1,), 9), "o must be a value that can leak"),
    "not here": (lambda: examples.parity_trap(1).law((0,), 1), "o must be a value that database (0,) can leak, not 1"),
    "no question": (lambda: ONE.delta(), "exactly one of eps and ratio"),
    "two questions": (lambda: examples.parity_trap(1).delta(1, ratio=2), "exactly one of eps and ratio"),
    "negative eps": (lambda: ONE.delta(-1), "eps must be at least 0"),
    "small ratio": (lambda: examples.parity_trap(1).delta(ratio=F(1, 2)), "ratio must be at least 1"),
    "wrong delta": (lambda: ONE.epsilon(2), "delta must lie in [0, 1], not 2"),
    "report of many": (lambda: ONE.report([0.0, 1.0]), "eps must be one number"),
    "scaled": (lambda: ONE.scaled().delta(-1), "eps must be at least 0"),
    "kernel": (lambda: ONE.then({(0,): 1}), "kernel must have a value for (1,)"),
    "kernel law": (lambda: ONE.then(lambda m: {0: F(1, 2)}), "kernel must sum to 1"),
    "others": (lambda: ONE.compose([1]), "others must be a LeakyMechanism"),
    "elsewhere": (lambda: ONE.compose(examples.one_time_pad(2)), "others must have the databases"),
    "weights": (lambda: ONE.mixture([1], ONE), "weights must have one entry for each of the 2"),
    "other leak": (lambda: ONE.mixture([1, 0], examples.one_time_pad(1)), "others must leak as the first"),
    "impossible": (lambda: ONE.posterior(leak=9), "leak and output must be possible together"),
    "rounds": (lambda: adaptive_delta(ONE, -1, ratio=1), "k must be a whole number"),
    "family": (lambda: adaptive_delta([], 1, ratio=1), "family must be a LeakyMechanism"),
    "eps and base": (lambda: bucket(), "exactly one of eps and base"),
    "base": (lambda: bucket(base=1), "base must be more than 1, not 1"),
    "eps": (lambda: bucket(eps=0), "eps must be positive"),
    "vector": (lambda: big_world([asks_data(3)], {0: (1, 0), 1: (1,)}), "tuples of 1 zeros and ones, not (1, 0)"),
    "study": (lambda: big_world([3], {0: (1,), 1: (1,)}), "study must be a function"),
    "bound": (lambda: bounds.release_bound(F(1, 2), 0, 1), "ratio must be at least 1, not 0.5"),
    "bound delta": (lambda: bounds.group_bound(2, 2, 1), "delta must lie in [0, 1], not 2"),
    "infinite": (lambda: bounds.group_bound(inf, 0, 1), "ratio must be finite"),
    "steps": (lambda: bounds.group_bound(2, 0, -1), "k must be a whole number"),
    "lie": (lambda: examples.truthful(1, F(1, 2)), "ratio must be at least 1, not 0.5"),
    "word": (lambda: examples.census_town(ratio="3"), "ratio must be a number"),
    "no end": (lambda: asks_state(inf), "ratio must be finite"),
    "town": (lambda: examples.census_town(40), "people must make a table of at most 2097152 cells"),
    "city": (lambda: examples.census_town(6), "databases must be at most 1024, not 4096"),
    "bits": (lambda: bits(10**6), "n bits must make a table of at most 2097152 cells"),
    "studies": (lambda: big_world(3, {0: (1,), 1: (1,)}), "study must be a function"),
    "invariant": (lambda: examples.census_town(invariants=["age"]), "invariants must be one of"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_plain_sentence(name):
    call, words = BAD[name]
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bounds_round_up():
    for told, exact in (
        (bounds.release_bound(1.1, 0.1, 1.3, 0.2), (F(1.1) * F(1.3), F(0.1) + F(0.2) - F(0.1) * F(0.2))),
        (bounds.group_bound(1.1, 0.01, 5), (F(1.1) ** 5, F(0.01) * sum(F(1.1) ** i for i in range(5)))),
    ):
        for number, value in zip(told, exact, strict=True):
            assert isinstance(number, float)
            assert value <= F(number) <= value * (1 + F(1, 2**51))


# ------------------------------------------------------------------------------------ extremes, and hasty input


@pytest.mark.parametrize("eps", [1, 50])
def test_tiny_scores_stay_private(eps):
    """Delta = 1e-10 makes e^(eps / (2 Delta)) too large for a float, and no reason to answer without noise."""
    tiny = exponential_mechanism_with_leak([0, 1], [0, 1], lambda x: 0, lambda x, y, o: 1e-10 * (x == y), eps)
    assert tiny.law(0, 0)[0] == pytest.approx(1 / (1 + exp(-eps / 2)), rel=1e-12)
    assert tiny.epsilon() <= eps


def test_reports_at_a_large_epsilon():
    pad = examples.one_time_pad(1, leaked=1)
    assert pad.witness(1000).outputs == pad.witness(ratio=2).outputs and pad.witness(1000).p == 1
    assert pad.report(1000).delta == 1
    with pytest.raises(ValueError, match="eps must be one number"):
        pad.worst([0, 1])


def test_independence_of_floats_is_up_to_rounding():
    floats = LeakyMechanism.from_laws([0, 1], lambda x: {0: 0.1, 1: 0.9}, lambda x, o: {0: 0.3, 1: 0.3, 2: 0.4})
    assert floats.independence().perfect
    assert not examples.noisy_pad(0.25).independence().perfect


def test_functions_of_several_arguments_may_be_dictionaries():
    cells = list(product((0, 1), repeat=2))
    xor, key = {(x, r): x ^ r for x, r in cells}, {(x, r): r for x, r in cells}
    assert LeakyMechanism.from_functions([0, 1], [0, 1], xor, key).delta(ratio=1) == 1
    assert LeakyMechanism.from_laws([0, 1], {0: "o", 1: "o"}, {(0, "o"): 0, (1, "o"): 1}).delta(ratio=1) == 1


def test_long_adaptive_games():
    fair = examples.noisy_pad(F(1, 2))
    assert adaptive_delta(fair, 3000, ratio=1) == 0


def test_bounds_of_whole_numbers_from_numpy_and_of_large_floats():
    assert bounds.group_bound(np.int64(3), F(1, 7), 50) == bounds.group_bound(3, F(1, 7), 50)
    assert bounds.release_bound(1e200, 1, 1e200, 1).ratio == inf


def many_laws():
    """Four hundred databases with different laws of forty outputs, about no two of which anything was asked."""
    laws = np.random.default_rng(0).dirichlet(np.ones(40), 400)
    return LeakyMechanism({x: {("o", y): p for y, p in enumerate(law)} for x, law in enumerate(laws)}, [])


HASTY = {
    "shares": (lambda: examples.secret_shares(40, 1), "at most 2097152 cells"),
    "studies": (lambda: big_world([asks_data(3)] * 40, lambda x: (1,) * 40), "at most 2097152 cells"),
    "all pairs": (lambda: many_laws().scaled(), "comparisons between databases"),
    "rounds": (lambda: adaptive_delta(rr(), 5000, ratio=1), "at most 32768 views"),
    "group": (lambda: bounds.group_bound(3, 0, 10**7), "k must be at most 1000"),
    "group of studies": (lambda: bounds.big_world_bound(3, 0, 10**12, 10**12), "must be at most 1000"),
    "no adversary": (lambda: adaptive_experiment(5, 1), "adversary must be a function"),
    "no query": (lambda: adaptive_experiment(lambda view: 5, 1), "adversary must return a query"),
    "no leak": (lambda: big_world([asks_data(3)], lambda x: (1,), 5), "leak must be a function"),
    "no such data": (lambda: big_world([asks_data(3)], lambda x: (1,), data=[0, 2]), "must have a value for 2"),
    "no outputs": (
        lambda: exponential_mechanism_with_leak([0, 1], [], lambda x: 0, lambda x, y, o: 0, 1),
        "outputs must not be empty",
    ),
    "no score": (
        lambda: exponential_mechanism_with_leak([0, 1], [0], lambda x: 0, lambda x, y, o: None, 1),
        "utility must return finite numbers",
    ),
    "many scores": (
        lambda: exponential_mechanism_with_leak(range(300), range(20), lambda x: x, lambda x, y, o: x * y, 1),
        "at most 2097152 cells",
    ),
    "unseen": (lambda: rr().posterior(output=7), "not ANYTHING and 7"),
    "weight": (lambda: examples.independence_extremal(3, 0, 2, 0, weight=1), "weight must lie in [0, 1)"),
    "delta in words": (lambda: examples.release_extremal(3, "a", 2), "delta must be a number"),
    "beyond the top": (lambda: examples.truncated_geometric(5, 2, 3), "value must be at most"),
}


@pytest.mark.parametrize("name", HASTY)
def test_hasty_input_is_one_plain_sentence(name):
    call, words = HASTY[name]
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "ask", [bounds.release_bound, bounds.independence_bound, bounds.independence_optimum, bounds.independence_chain]
)
def test_a_second_promise_is_pure_unless_said_otherwise(ask):
    assert ask(2, F(1, 5), 3) == ask(2, F(1, 5), 3, 0) != ask(2, F(1, 5), 3, F(1, 7))


def test_a_second_promise_is_pure_unless_said_otherwise_in_floats_too():
    told = bounds.independence_optimum_at(F(1, 50), 2, F(1, 5), 3)
    assert told == bounds.independence_optimum_at(F(1, 50), 2, F(1, 5), 3, 0)
    assert told < bounds.independence_optimum_at(F(1, 50), 2, F(1, 5), 3, F(1, 7)) - 1e-6


def test_the_best_event_may_be_asked_for_at_eps_0():
    game = AdaptiveGame(examples.noisy_pad(F(1, 4)), 1)
    assert game.best(1).excess(1) == game.delta(ratio=1) > 0
    with pytest.raises(ValueError, match="ratio must be at least 1, not 1/2"):
        game.best(F(1, 2))
