"""The curves of lecture 4 by a second way: the game by all strategies, groups by powers; and what is vacuous."""

import random
from fractions import Fraction as F
from itertools import pairwise, product
from math import exp, inf, log

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach.curve import VACUOUS
from dpteach.leakage import ABSENT, AdaptiveGame, LeakyMechanism, adaptive_delta, asks_data, big_world, bits, examples

RATIOS = [F(1), F(5, 4), F(2), F(7, 2), F(9)]


def drawn(rng, kind=F):
    """Return a mechanism of one leaked value and two or three outputs."""
    outputs = "abc"[: rng.randint(2, 3)]
    laws = {}
    for x in (0, 1):
        weights = [rng.randint(0, 5) for _ in outputs]
        weights[rng.randrange(len(outputs))] += 1
        laws[x] = {("o", y): kind(F(w, sum(weights))) for y, w in zip(outputs, weights, strict=True)}
    return LeakyMechanism.from_joint(laws)


# ------------------------------------------------------------------------------------------------ the best adversary


def queries_of(family):
    """Return the laws of the answers to all queries, each in both directions."""
    pairs = [pair for m in family for pair in m.comparisons.values()]
    return [list(zip(one.p, one.q, strict=True)) for pair in pairs for one in (pair, pair.reversed())]


def strategies(queries, k):
    """Yield the laws (p, q) of all views of every adversary who asks k times, deciding after each answer."""
    if k == 0:
        yield [(F(1), F(1))]
        return
    for query in queries:
        later = [list(strategies(queries, k - 1)) for _ in query]
        for chosen in product(*later):
            yield [(p * a, q * b) for (p, q), views in zip(query, chosen, strict=True) for a, b in views]


def best_by_listing(queries, k, ratio):
    return max(sum(max(p - ratio * q, 0) for p, q in views) for views in strategies(queries, k))


@pytest.mark.parametrize("seed", range(8))
def test_the_game_against_all_strategies(seed):
    rng = random.Random(seed)
    family = [drawn(rng), drawn(rng)]
    queries = queries_of(family)
    game = AdaptiveGame(family, 2)
    for ratio in RATIOS:
        truth = best_by_listing(queries, 2, ratio)
        assert game.delta(ratio=ratio) == truth
        low, high = game.bracket(eps=log(ratio))
        assert low - 1e-15 <= truth <= high + 1e-15
    for delta in (F(0), F(1, 20), F(1, 3)):
        ratio = game.ratio(delta)
        if ratio == inf:
            assert best_by_listing(queries, 2, 10**9) > delta
            continue
        assert best_by_listing(queries, 2, ratio) <= delta
        assert ratio == 1 or best_by_listing(queries, 2, ratio - F(1, 10**9)) > delta
        low, high = game.bracket(delta=float(delta))
        assert low <= mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator) + 1e-15
        assert high >= log(ratio) * (1 - 1e-15) or float(delta) > delta


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.floats(0, 3))
def test_the_game_of_floats_encloses_that_of_the_fractions_they_are(seed, k, eps):
    floats = drawn(random.Random(seed), float)
    exact = {x: {cell: F(weight) for cell, weight in law.items()} for x, law in floats.joint.items()}
    pairs = [(exact[0], exact[1]), (exact[1], exact[0])]
    queries = [[(p.get(c, F(0)), q.get(c, F(0))) for c in {**p, **q}] for p, q in pairs]
    truth = max(_by_likelihood(queries, k, _exp(eps)), 0)
    low, high = AdaptiveGame(floats, k).bracket(eps=eps)
    assert low <= min(truth, 1) <= high
    assert high - low <= 1e-12


def _by_likelihood(queries, k, ratio, p=F(1), q=F(1)):
    """Return the best delta by plain recursion."""
    if k == 0:
        return max(p - ratio * q, 0)
    return max(sum(_by_likelihood(queries, k - 1, ratio, p * a, q * b) for a, b in query) for query in queries)


def _exp(eps):
    with mpmath.workdps(60):
        return F(str(mpmath.exp(mpmath.mpf(eps))))


def errors_by_listing(queries, k):
    """Return all errors (alarm, missed) of all adversaries who bet on the likeliest views, the smallest alarm first."""
    errors = set()
    for views in strategies(queries, k):
        alarm, missed = F(1), F(0)
        errors.add((alarm, missed))
        for p, q in sorted(views, key=lambda view: view[1] / view[0] if view[0] else inf):
            alarm, missed = alarm - p, missed + q
            errors.add((alarm, missed))
    return sorted(errors)


def lower_hull(points):
    """Return the corners of the convex hull that lie below, from left to right."""
    hull = []
    for x, y in points:
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (y - hull[-2][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    return hull


@pytest.mark.parametrize("seed", range(5))
def test_the_worst_pair_of_a_game_has_the_errors_of_all_adversaries(seed):
    rng = random.Random(seed)
    family = [drawn(rng), drawn(rng)]
    queries = queries_of(family)
    game = AdaptiveGame(family, 2)
    hull = lower_hull(errors_by_listing(queries, 2))
    for (x0, y0), (x1, y1) in pairwise(hull):
        if x0 < x1:
            assert game.tradeoff((x0 + x1) / 2) == (y0 + y1) / 2
    assert sum(game.pair.p) == sum(game.pair.q) == 1
    assert all(game.pair.delta(ratio=ratio) == game.delta(ratio=ratio) for ratio in RATIOS)


def test_a_game_without_exact_queries_has_no_worst_pair():
    with pytest.raises(ValueError, match="worst pair"):
        AdaptiveGame(examples.noisy_pad(0.3), 2).pair  # noqa: B018
    with pytest.raises(ValueError, match="worst pair"):
        AdaptiveGame(examples.parity_trap(2, 3), 1).pair  # noqa: B018


def test_a_long_game_of_one_query_is_a_product():
    pad = examples.noisy_pad(F(1, 4))
    product_pair = pad.conditioned(0, 1, 0) ** 12
    game = AdaptiveGame(pad, 12)
    for ratio in RATIOS:
        assert game.delta(ratio=ratio) == product_pair.delta(ratio=ratio)
    assert game.ratio(F(1, 1000)) == product_pair.ratio(F(1, 1000))
    assert game.delta(800.0) == 0 and AdaptiveGame(examples.one_time_pad(1, 1), 3).delta(800.0) == 1


# -------------------------------------------------------------------------------------------------------- groups


@pytest.mark.parametrize("ratio", [F(3, 2), F(2), F(4)])
def test_the_scaled_notion_by_its_definition(ratio):
    """Two bits by randomized response under their parity: only databases two steps apart share a value."""
    scaled = examples.parity_trap(2, ratio).scaled()
    p = [(ratio / (1 + ratio)) ** 2, ratio / (1 + ratio) ** 2, ratio / (1 + ratio) ** 2, 1 / (1 + ratio) ** 2]
    for a in RATIOS:
        truth = sum(max(x - a**2 * y, 0) for x, y in zip(p, reversed(p), strict=True)) / (1 + a)
        assert scaled.delta(ratio=a) == truth
        low, high = scaled.bracket(eps=log(a))
        assert low - 1e-15 <= truth <= high + 1e-15
    for delta in (1e-9, 0.01, 0.1):
        eps = scaled.epsilon(delta)
        assert _scaled_delta(p, eps) <= delta * (1 + 1e-14)
        assert eps < 1e-12 or _scaled_delta(p, eps * (1 - 1e-9)) > delta
        assert F(delta) >= scaled.delta(ratio=scaled.ratio(F(delta)))
    assert scaled.epsilon() == pytest.approx(log(ratio), rel=1e-14) and scaled.epsilon() >= log(ratio) * (1 - 1e-16)


def _scaled_delta(p, eps):
    a = exp(eps)
    return sum(max(float(x) - a**2 * float(y), 0) for x, y in zip(p, reversed(p), strict=True)) / (1 + a)


def test_a_certain_loss_is_never_scaled_away():
    """Everything is told: delta 1 at every distance, which (eps, delta) can promise only with delta [d]_eps = 1."""
    told = examples.parity_trap(2).scaled()
    for delta in (0.01, 0.25):
        assert told.epsilon(delta) == pytest.approx(log(1 / delta - 1), rel=1e-12)
    low, high = told.bracket(delta=0)
    assert low > 1e300 and high == inf
    assert told.bracket(eps=600.0)[1] > 0


# -------------------------------------------------------------------- a promise about nothing is nowhere a number


def silent():
    """Return every kind of leakage curve that is about nothing."""
    trap = examples.parity_trap(3)
    alone = LeakyMechanism.from_joint({x: {(None, x): 1} for x in "ab"}, neighbours=[])
    told = big_world([asks_data(3)] * 2, {0: (1, 0), 1: (0, 1)}, lambda x, v: v)
    return {
        "bounded leakage": trap,
        "given a value": trap.given(0),
        "no neighbours": alone,
        "distance-scaled": alone.scaled(),
        "adaptive game": AdaptiveGame(trap, 3),
        "big world": told,
        "big world, given a value": told.given((1, 0)),
        "participation": told.participation,
        "post-processed": trap.then(lambda m: 0),
        "revealed": trap.reveal(),
        "composed": trap.compose(trap),
        "itself": LeakyMechanism.from_functions([0, 1], [None], lambda x, r: x).leaking_itself(),
        "channel": alone.channel.worst([]),
    }


@pytest.mark.parametrize("name", silent())
def test_a_promise_about_nothing_answers_no_question_with_a_number(name):
    curve = silent()[name]
    assert curve.vacuous
    answers = [curve.delta(0), curve.delta(1.5), curve.delta(ratio=1), curve.delta(np.array([0.0, 1.0]))]
    answers += [curve.epsilon(), curve.epsilon(0.1), curve.ratio(), curve.ratio(F(1, 2)), curve.tradeoff(0.3)]
    answers += [*curve.bracket(eps=1), *curve.bracket(delta=0.1), curve.region()]
    assert all(answer is VACUOUS for answer in answers)
    with pytest.raises(ValueError, match="vacuous"):
        curve.dominates(examples.noisy_pad(F(1, 4)))


def test_nothing_that_is_told_about_a_vacuous_promise_is_zero():
    trap = examples.parity_trap(3)
    assert set(map(repr, trap.by_neighbours(ratio=1).values())) == {"vacuous"}
    assert adaptive_delta(trap, 2, 0.5) is VACUOUS
    report = trap.report(ratio=2)
    assert report.delta is VACUOUS and report.witness is None and report.coverage == 0
    assert dict(report.table())["bLDP: delta given the leak"] == "vacuous"
    alone = LeakyMechanism.from_joint({x: {(None, x): 1} for x in "ab"}, neighbours=[]).report(1.0)
    assert [alone.delta, alone.scaled, alone.plain, alone.released] == [VACUOUS] * 4
    world = big_world([asks_data(3)] * 2, {0: (1, 0), 1: (0, 1)}, lambda x, v: v)
    bounds = world.bounds((1, 0))
    assert (
        bounds["exact"] is VACUOUS
        and bounds["t eps + eta"] is VACUOUS
        and bounds["2t eps"] is VACUOUS
        and bounds["k eps"] == 9
    )
    assert "vacuous" in repr(world.table())


def test_data_may_be_the_keys_of_a_dictionary():
    joins = {"healthy": {(1, 0): F(1, 2), (0, 1): F(1, 2)}, "ill": (1, 1)}
    world = big_world([lambda state: int(state != ABSENT)] * 2, joins, lambda x, v: None, joins)
    assert world.databases == ["healthy", "ill"]
    with pytest.raises(ValueError, match="data must not be empty"):
        big_world([asks_data(3)], joins, data=[])


def test_studies_that_nobody_runs_cost_nothing():
    world = big_world([], {0: (), 1: ()})
    assert world.bounds(0) == dict.fromkeys(world.bounds(0), 1)


# ------------------------------------------------------------------------------------------ floats on the safe side


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 3))
def test_float_tables_enclose_the_fractions_they_are(seed, eps):
    """The joint laws are floats; given the leak, quotients are rounded, and the truth lies between both ends."""
    rng = np.random.default_rng(seed)
    cells = list(product((0, 1), "ab"))
    laws = {x: dict(zip(cells, rng.dirichlet(np.ones(4)).tolist(), strict=True)) for x in (0, 1)}
    floats = LeakyMechanism(laws)
    truths = []
    for x, y in ((0, 1), (1, 0)):
        for o in (0, 1):
            p, q = (_given(laws[z], o) for z in (x, y))
            truths.append(sum(max(p[m] - _exp(eps) * q[m], 0) for m in "ab"))
    low, high = floats.bracket(eps=eps)
    assert low <= max(truths) <= high
    assert high - low <= 1e-13


def _given(law, o):
    weights = {m: F(w) for (leak, m), w in law.items() if leak == o}
    return {m: w / sum(weights.values()) for m, w in weights.items()}


def test_equal_laws_are_one_pair():
    pad = examples.one_time_pad(4, 4)
    assert len(pad.comparisons) == 512 and len(set(pad.comparisons.values())) < 300
    assert bits(2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
