"""Bad input is a ValueError whose one sentence names the argument and its value, and never a TypeError."""

from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

from dpteach import Guarantee, Pair, composition, mechanisms, optimal
from dpteach.experiment import (
    Hypothesis,
    both_databases,
    column_bound,
    contribution_bound,
    coupling_bounds,
    hypothesis_dp,
    matching_bound,
    refine,
    run_experiment,
    subsampled,
    uniform_prior,
    view_law,
    view_pair,
)

HALF = [0.5, 0.5]
RR = Pair([0.75, 0.25], [0.25, 0.75])
ONE = Guarantee(0.1, 1e-6)
RNG = np.random.default_rng(0)

NOT_EPSILON = [nan, -1, -1e-300, "1", None, True, 1j, [1, [2]]]
NOT_DELTA = [nan, -0.1, 1.3, inf, -inf, "0", None, True, 1j]
NOT_SLACK = [nan, -0.1, 1.3, inf, "0.1", None, True]
NOT_K = [-1, 2.5, nan, inf, "3", True, [1]]
NOT_LAW = [
    [0.5, 0.6],
    [0.5, 0.4],
    [1.5, -0.5],
    [nan, 1.0],
    [inf, 0.0],
    [],
    "ab",
    None,
    0.5,
    ["0.5", "0.5"],
    [None, 1.0],
    [Fraction(1, 2), Fraction(1, 3)],
    [[0.5, 0.5]],
]


def cases():
    """Yield (label, call, name of the argument, value) for every bad input."""
    for bad in NOT_EPSILON:
        yield "Guarantee", lambda bad=bad: Guarantee(bad), "epsilon", bad
        yield "Pair.delta", lambda bad=bad: RR.delta(bad), "eps", bad
        yield "optimal.delta", lambda bad=bad: optimal(ONE, k=3).delta(bad), "eps", bad
        yield "optimal.bracket", lambda bad=bad: optimal(ONE, k=3).bracket(eps=bad), "eps", bad
        yield "randomized_response", lambda bad=bad: mechanisms.randomized_response(bad), "eps", bad
    for bad in NOT_DELTA:
        yield "Guarantee", lambda bad=bad: Guarantee(1, bad), "delta", bad
        yield "Guarantee.epsilon", lambda bad=bad: ONE.curve.epsilon(bad), "delta", bad
        yield "Pair.epsilon", lambda bad=bad: RR.epsilon(bad), "delta", bad
        yield "optimal.epsilon", lambda bad=bad: optimal(ONE, k=3).epsilon(bad), "delta", bad
        yield "optimal.bracket", lambda bad=bad: optimal(ONE, k=3).bracket(delta=bad), "delta", bad
        yield "best", lambda bad=bad: composition.best(ONE, bad, k=3), "delta", bad
        yield "Pair.tradeoff", lambda bad=bad: RR.tradeoff(bad), "alpha", bad
        yield "optimal.tradeoff", lambda bad=bad: optimal(ONE, k=3).tradeoff(bad), "alpha", bad
    for bad in NOT_SLACK:
        for name in ("advanced", "concentrated", "kov_closed_form", "sharper"):
            yield name, lambda bad=bad, name=name: getattr(composition, name)(ONE, bad, k=3), "slack", bad
    for bad in NOT_K:
        yield "optimal", lambda bad=bad: optimal(ONE, k=bad), "k", bad
        yield "basic", lambda bad=bad: composition.basic(ONE, k=bad), "k", bad
        yield "advanced", lambda bad=bad: composition.advanced(ONE, 1e-6, k=bad), "k", bad
        yield "best", lambda bad=bad: composition.best(ONE, 1e-6, k=bad), "k", bad
        yield "Pair **", lambda bad=bad: RR**bad, "k", bad
    for bad in NOT_LAW:
        yield "Pair p", lambda bad=bad: Pair(bad, HALF), "p", bad
        yield "Pair q", lambda bad=bad: Pair(HALF, bad), "q", bad
    for bad in ("3", 3, None, [3], [None]):
        yield "optimal", lambda bad=bad: optimal(bad), "guarantee", bad
        yield "basic", lambda bad=bad: composition.basic(bad), "guarantee", bad
    for bad in (-1, nan, "2", None, True):
        yield "renyi", lambda bad=bad: RR.renyi(bad), "alpha", bad
    for bad in ("up", "", None, 1):
        yield "direction", lambda bad=bad: RR.delta(0.1, bad), "direction", bad
    for bad in (2, -1, "0", None, True):
        yield "sample", lambda bad=bad: RR.sample(RNG, hypothesis=bad), "hypothesis", bad
    for bad in (0.5, -1, nan, "2"):
        yield "ratio=", lambda bad=bad: RR.delta(ratio=bad), "ratio", bad
    yield "two lengths", lambda: Pair(HALF, [1.0]), "p", 2
    yield "outcomes", lambda: Pair(HALF, HALF, outcomes=["a"]), "outcomes", ""
    yield "outcomes", lambda: Pair(HALF, HALF, outcomes=["a", "a"]), "outcomes", "a"
    yield "list and k", lambda: optimal([ONE], k=3), "k", 3
    yield "list and k", lambda: composition.basic([ONE], k=3), "k", 3
    yield "list and k", lambda: composition.sharper([ONE], 0.1, k=3), "k", 3
    yield "neither eps nor ratio", lambda: RR.delta(), "ratio", ""
    yield "both eps and ratio", lambda: RR.delta(1.0, ratio=2), "ratio", ""
    yield "bracket of nothing", lambda: optimal(ONE, k=3).bracket(), "eps", ""
    yield "bracket of both", lambda: optimal(ONE, k=3).bracket(eps=1, delta=0.1), "eps", ""
    yield "then", lambda: RR.then([[1.0, 0.0]]), "matrix", ""
    yield "then", lambda: RR.then([[0.5, 0.4], [0.5, 0.5]]), "matrix", ""
    yield "then", lambda: RR.then([[1.5, -0.5], [0.5, 0.5]]), "matrix", ""
    yield "mixture", lambda: Pair.mixture([0.5, 0.4], [RR, RR]), "weights", ""
    yield "mixture", lambda: Pair.mixture([1.0], [RR, RR]), "weights", ""
    yield "given", lambda: RR.given([7]), "event", ""
    yield "given", lambda: RR.given([]), "event", ""
    for bad in (-1, nan, "1", True, inf):
        yield "laplace", lambda bad=bad: mechanisms.laplace(bad), "eps", bad
        yield "geometric", lambda bad=bad: mechanisms.geometric(bad), "eps", bad
        yield "staircase", lambda bad=bad: mechanisms.staircase(bad), "eps", bad
        yield "gaussian", lambda bad=bad: mechanisms.gaussian(bad), "mu", bad
    for bad in (-1, 0, nan, "1", None, True):
        yield "laplace", lambda bad=bad: mechanisms.laplace(1, sensitivity=bad), "sensitivity", bad
        yield "geometric", lambda bad=bad: mechanisms.geometric(1, sensitivity=bad), "sensitivity", bad
        yield "gaussian", lambda bad=bad: mechanisms.gaussian(1, sensitivity=bad), "sensitivity", bad
        yield "staircase", lambda bad=bad: mechanisms.staircase(1, sensitivity=bad), "sensitivity", bad
    for bad in (-1, 0, nan, "1", True):
        yield "laplace", lambda bad=bad: mechanisms.laplace(scale=bad), "scale", bad
        yield "gaussian", lambda bad=bad: mechanisms.gaussian(scale=bad), "scale", bad
    for bad in (-0.1, 1.1, nan, "1", True):
        yield "staircase", lambda bad=bad: mechanisms.staircase(1, gamma=bad), "gamma", bad
    for bad in (nan, "x", None):
        yield "sample", lambda bad=bad: mechanisms.laplace(1).sample(bad, RNG), "value", bad
    yield "geometric", lambda: mechanisms.geometric(1, sensitivity=1.5), "sensitivity", 1.5
    yield "geometric", lambda: mechanisms.geometric(1).sample(0.5, RNG), "value", 0.5
    yield "geometric", lambda: mechanisms.geometric(ratio=0.5), "ratio", 0.5
    yield "laplace of nothing", lambda: mechanisms.laplace(), "scale", ""
    yield "laplace of both", lambda: mechanisms.laplace(1, scale=1), "scale", ""
    yield "gaussian of nothing", lambda: mechanisms.gaussian(), "scale", ""
    yield "gaussian of both", lambda: mechanisms.gaussian(1, scale=1), "scale", ""
    yield "no generator", lambda: mechanisms.laplace(1).sample(0, 7), "rng", 7
    yield "no generator", lambda: RR.sample(7), "rng", 7
    yield "scores", lambda: mechanisms.exponential_mechanism([1.0], [1.0, 2.0], 1), "scores", ""
    yield "scores", lambda: mechanisms.exponential_mechanism([nan, 1], [1.0, 2.0], 1), "scores", nan
    yield "scores", lambda: mechanisms.exponential_mechanism([5.0, 0], [1.0, 2.0], 1), "scores", ""
    yield "best", lambda: composition.best(ONE, 0.1, k=2, among=["magic"]), "magic", ""
    yield "dominates", lambda: RR.dominates(3), "other", 3
    yield from experiment_cases()


def experiment_cases():
    """Yield the same for hypotheses and for the experiment."""
    one, two, three = Hypothesis.point("01"), Hypothesis.uniform(["01", "10"]), Hypothesis.nonzero(3)
    for bad in (None, "", "ab", "012", [0, 2], [True], 3, []):
        yield "point", lambda bad=bad: Hypothesis.point(bad), "bits", ""
        yield "view_law", lambda bad=bad: view_law(lambda view: RR, [ONE] * 2, bad), "bits", ""
        yield "both_databases", lambda bad=bad: both_databases(lambda view: RR, bad, "01"), "bits0", ""
    for bad in (None, "01", ["01", "1"], ["01", "01"], [], [None], 5):
        yield "uniform", lambda bad=bad: Hypothesis.uniform(bad), "vectors", ""
    for bad in (None, {}, {"01": 0.5, "10": 0.6}, {"01": 0.5, "1": 0.5}, {"01": "1"}, {"ab": 1}, ["01"]):
        yield "from_dict", lambda bad=bad: Hypothesis.from_dict(bad), "law", ""
    for bad in NOT_LAW:
        yield "by_count", lambda bad=bad: Hypothesis.by_count(1, bad), "weights", ""
    yield "by_count", lambda: Hypothesis.by_count(2, [0.5, 0.5]), "weights", 3
    for bad in [0, *NOT_K]:
        yield "by_count k", lambda bad=bad: Hypothesis.by_count(bad, [0.5, 0.5]), "k", ""
        yield "nonzero", lambda bad=bad: Hypothesis.nonzero(bad), "k", ""
        yield "at_least", lambda bad=bad: Hypothesis.at_least(bad, 1), "k", ""
        yield "fewer_than", lambda bad=bad: Hypothesis.fewer_than(bad, 1), "k", ""
        yield "contribution_bound", lambda bad=bad: contribution_bound([ONE] * 3, bad), "at_most", ""
    for bad in NOT_K:
        yield "at_least m", lambda bad=bad: Hypothesis.at_least(4, bad), "m", ""
        yield "between", lambda bad=bad: Hypothesis.between(4, bad, 3), "low", ""
    yield "at_least m", lambda: Hypothesis.at_least(4, 5), "m", 5
    yield "fewer_than m", lambda: Hypothesis.fewer_than(4, 0), "m", 0
    yield "between", lambda: Hypothesis.between(4, 3, 2), "low", 3
    yield "vector", lambda: two.vector, "vector", ""
    yield "sample", lambda: two.sample(3), "rng", 3
    yield "all vectors", lambda: Hypothesis.nonzero(40).law, "vectors", ""
    for call in (hypothesis_dp, matching_bound, coupling_bounds):
        for bad in (None, "01", 3, {"01": 1}):
            yield call.__name__, lambda bad=bad, call=call: call(ONE, bad, two), "h0", bad
            yield call.__name__, lambda bad=bad, call=call: call(ONE, two, bad), "h1", bad
        for bad in (None, "x", 3, [ONE, 3], [ONE], [ONE] * 3):
            yield call.__name__, lambda bad=bad, call=call: call(bad, one, two), "guarantees", ""
        yield call.__name__, lambda call=call: call(ONE, one, three), "h1", 3
    yield "pairs to match", lambda: matching_bound(RR, one, two), "guarantee", ""
    yield "curve", lambda: hypothesis_dp(ONE, one, two).delta(), "ratio", ""
    yield "curve", lambda: hypothesis_dp(ONE, one, two).delta(1.0, "up"), "direction", "up"
    for bad in NOT_EPSILON[:-1]:
        if bad is not None:
            yield "curve", lambda bad=bad: hypothesis_dp(ONE, one, two).delta(bad), "eps", bad
    for bad in NOT_DELTA:
        yield "curve", lambda bad=bad: hypothesis_dp(ONE, one, two).epsilon(bad), "delta", bad
    for bad in (None, 3, [("01", 0.5)], [("01", 1, 2)], [("ab", 1)], [("01", 0.5), ("1", 0.5)], "01"):
        yield "refine", lambda bad=bad: refine(bad, two), "t0", ""
    yield "refine", lambda: refine(one, three), "length", 3
    yield "refine", lambda: refine(one, two, "middle"), "order", "middle"
    yield "matching", lambda: matching_bound(ONE, one, two, "worst"), "matching", "worst"
    yield "matching", lambda: matching_bound(ONE, one, two, [("01", "10", inf)]), "matching", ""
    yield "theorem", lambda: matching_bound(ONE, one, two, theorem="magic"), "theorem", "magic"
    yield "theorem without delta", lambda: coupling_bounds(ONE, one, two, "optimal"), "delta", ""
    yield "too many pairs", lambda: coupling_bounds(ONE, Hypothesis.nonzero(9), Hypothesis.nonzero(9)), "h0", 511
    yield "cap above k", lambda: contribution_bound([ONE] * 3, 4), "at_most", 4
    yield "no rounds", lambda: contribution_bound([], 1), "guarantees", ""
    yield "neighbours", lambda: contribution_bound(ONE, 1, "close", k=3), "neighbours", "close"
    yield "neighbours", lambda: column_bound(ONE, ONE, ONE, "close"), "neighbours", "close"
    yield "known user", lambda: column_bound(ONE, ONE, ONE, known_user=True), "known_user", ""
    yield "columns", lambda: column_bound(ONE, 3, ONE), "guarantees", 3
    for bad in (-0.1, 1.1, nan, "1", None, True):
        yield "rate", lambda bad=bad: subsampled(ONE, bad), "rate", bad
    yield "subsampled", lambda: subsampled(3), "mechanism", 3
    yield "subsampled", lambda: subsampled(ONE, direction="up"), "direction", "up"
    yield "uniform_prior", lambda: uniform_prior([]), "guarantees", ""
    yield "uniform_prior", lambda: uniform_prior(3), "guarantees", 3
    yield "Corollary 7", lambda: uniform_prior([ONE, Guarantee(1)]).corollary_7(), "guarantees", ""
    yield "compose_by", lambda: composition.compose_by("magic", ONE), "theorem", "magic"
    yield "compose_by", lambda: composition.compose_by("optimal", ONE), "delta", ""
    for bad in (3, None, "x", two):
        yield "adversary", lambda bad=bad: view_law(bad, [ONE] * 2, "01"), "adversary", ""
        yield "adversary", lambda bad=bad: run_experiment(bad, [ONE] * 2, "01", RNG), "adversary", ""
        yield "adversary", lambda bad=bad: both_databases(bad, "01", "10"), "adversary", ""
        yield "mechanisms", lambda bad=bad: view_pair(lambda view: RR, bad, "01", "10"), "mechanisms", ""
    yield "bits", lambda: view_law(lambda view: RR, [ONE] * 2, three), "bits", 3
    yield "bits", lambda: both_databases(lambda view: RR, "01", "100"), "bits1", 3
    yield "coins", lambda: view_law(lambda r: lambda view: RR, [ONE], "0", coins={"a": 0.4}), "coins", ""
    yield "coins", lambda: run_experiment(lambda r: lambda view: RR, [ONE], "0", RNG, coins=[0.5]), "coins", ""
    yield "rng", lambda: run_experiment(lambda view: RR, [ONE], "0", 3), "rng", 3


CASES = list(cases())


@pytest.mark.parametrize(
    ("call", "name", "value"), [case[1:] for case in CASES], ids=[f"{c[0]}-{c[2]}-{c[3]!r}" for c in CASES]
)
def test_one_plain_sentence(call, name, value):
    with pytest.raises(ValueError) as caught:
        call()
    message = str(caught.value)
    assert name in message
    assert "\n" not in message and 10 < len(message) < 200
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        assert str(value) in message or repr(value) in message or f"{value:g}" in message


def test_what_looks_odd_but_is_fine():
    assert Guarantee(0, 0).epsilon == 0
    assert Guarantee(np.float32(1), np.int64(0)).epsilon == 1
    assert Guarantee(Fraction(1, 2), Fraction(1, 4)).delta == 0.25
    assert optimal(ONE, k=np.int64(3)).delta(1.0) > 0
    assert optimal([]).epsilon(0) == 0
    assert optimal(Guarantee(inf), k=2).epsilon(0.5) == inf
    assert Pair([1, 0], [0, 1]).delta(0) == 1
    assert RR.epsilon(1) == 0
