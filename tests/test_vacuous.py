"""A promise about nothing is no promise: what is made on databases without neighbours answers `vacuous`, never 0."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from dpteach import Guarantee, explore
from dpteach.channel import Channel
from dpteach.curve import VACUOUS, Curve, WorstCase
from dpteach.experiment import WorstSet
from dpteach.explore.granularity.small_classes import CLASSES
from dpteach.granularity import DatabaseClass, Partition, PrivacySpace, bounded, free_lunch, unbounded
from dpteach.leakage import (
    AdaptiveGame,
    LeakyMechanism,
    adaptive_delta,
    asks_presence,
    big_world,
    examples,
    exponential_mechanism_with_leak,
)
from dpteach.notions import Approximate, FiniteMechanism, Gaussian, Pure, ZeroConcentrated, compose

COIN = {"heads": F(1, 3), "tails": F(2, 3)}
LEANING = {"heads": 0.9, "tails": 0.1}
TABLE = {x: {("o", y): p for y, p in law.items()} for x, law in {0: COIN, 1: LEANING}.items()}
EXACT = {0: {("o", y): p for y, p in COIN.items()}, 1: {("o", "heads"): F(1)}}
NOBODY: list = []
SAME_SIZE = unbounded.on(DatabaseClass.multisets("ab", exactly=2))  # to add a record leaves the class
ONE = free_lunch.on(["x"])


def channels():
    """Yield channels, each with a list of neighbours that is empty, or with one database."""
    two = Channel({0: COIN, 1: LEANING})
    yield "channel", two.worst(NOBODY)
    yield "channel of one database", Channel({0: COIN}).worst()
    yield "unrelated", two.worst(lambda D, E: False)
    yield "tuples that differ twice", Channel({(0, 0): COIN, (1, 1): LEANING}).worst()
    made = {
        "product": two @ two,
        "adaptive": two.adaptively(lambda y: two),
        "post-processed": two.then(lambda y: {y: F(1, 2), "edge": F(1, 2)}),
        "preprocessed": two.after(lambda D: D % 2, range(3)),
        "conditioned": two.given(["heads"]),
        "conditioned on each": two.given_each(lambda y: y),
    }
    for name, channel in made.items():
        yield name, channel.worst(NOBODY)


def leaky_mechanisms():
    """Yield mechanisms with a leak, made in every way there is, without neighbours or without a leak they share."""
    for kind, table in {"floats": TABLE, "fractions": EXACT}.items():
        base = LeakyMechanism(table, NOBODY)
        yield kind, base
        yield f"{kind}, one database", LeakyMechanism({0: table[0]})
        yield f"{kind}, from joint", LeakyMechanism.from_joint(table, NOBODY)
        yield f"{kind}, coarsened", base.coarsen(lambda o: 0)
        yield f"{kind}, without leak", base.without_leak()
        yield f"{kind}, revealed", base.reveal()
        yield f"{kind}, released", base.released()
        yield f"{kind}, swapped", base.swapped()
        yield f"{kind}, leaking itself", base.leaking_itself()
        yield f"{kind}, post-processed", base.then(lambda m: {m: F(1, 2), "edge": F(1, 2)})
        yield f"{kind}, reduced", base.reduction(0, 1, "o")
        yield f"{kind}, composed", base.compose(base)
        yield f"{kind}, mixed", base.mixture([F(1, 2), F(1, 2)], base)
    yield "from functions", LeakyMechanism.from_functions([0], [0, 1], lambda x, r: r, lambda x, r: r)
    yield "from laws", LeakyMechanism.from_laws([0], lambda x: COIN, lambda x, o: COIN)
    yield "identity leaks", LeakyMechanism.from_laws([0, 1], lambda x: x, lambda x, o: COIN)
    yield "big world", big_world([asks_presence(2)], lambda x: {(1,): 1}, data=[0])
    yield "big world, data leak", big_world([asks_presence(2)], lambda x: {(1,): 1}, leak=lambda x, v: x)
    yield "exponential", exponential_mechanism_with_leak([0], [0, 1], lambda x: 0, lambda x, y, o: -y, 1.0)
    yield "parity", examples.parity_trap(2, ratio=3)
    yield "town", examples.census_town(invariants=("people in A", "flags"))


def promises():
    """Yield promises of every notion, single, composed, pulled back and of what looks at a part, on such a space."""
    kinds = {
        "pure": lambda space: Pure(space, 1),
        "approximate": lambda space: Approximate(space, 1, 0.1),
        "approximate, by a matrix": lambda space: Approximate(space, 1, np.zeros((len(space), len(space)))),
        "zero-concentrated": lambda space: ZeroConcentrated(space, 1),
        "Gaussian": lambda space: Gaussian(space, 1),
    }
    spaces = {"one size": SAME_SIZE, "one database": ONE}
    for (kind, make), (where, space) in product(kinds.items(), spaces.items()):
        promise = make(space)
        yield f"{kind}, {where}", promise
        yield f"{kind}, {where}, at level 0", type(promise)(space, 0)
        yield f"{kind}, {where}, composed", compose([promise, promise])
        yield f"{kind}, {where}, adaptively", compose([promise, promise], adaptive=True)
        yield f"{kind}, {where}, of f(D)", promise.dependent_on(len)
        yield f"{kind}, {where}, pulled back", promise.pull(lambda D: D, space)


CURVES = {name: curve for make in (channels, leaky_mechanisms, promises) for name, curve in make()}
CURVES |= {f"{name}, scaled": mechanism.scaled() for name, mechanism in leaky_mechanisms() if not mechanism.neighbours}
CURVES |= {f"{name}, game": AdaptiveGame(mechanism, 2) for name, mechanism in leaky_mechanisms()}
CURVES |= {"nothing": WorstCase({}), "no set of rounds": WorstSet({})}
CURVES["finite mechanism"] = FiniteMechanism.printing(SAME_SIZE.cls).worst(SAME_SIZE)
CURVES["finite mechanism, noisy"] = FiniteMechanism.noisy_count(ONE.cls).worst(ONE)
CURVES["finite mechanism, composed"] = (
    FiniteMechanism.printing(SAME_SIZE.cls) @ FiniteMechanism.noisy_count(SAME_SIZE.cls)
).worst(SAME_SIZE)


@pytest.mark.parametrize("name", CURVES)
def test_every_question_is_answered_with_vacuous(name):
    curve = CURVES[name]
    assert isinstance(curve, Curve) and curve.vacuous
    answers = [curve.delta(0.0), curve.delta(np.array([0.5, 1])), curve.delta(ratio=2), curve.delta(ratio=F(3, 2))]
    answers += [curve.epsilon(), curve.epsilon(0.5), curve.epsilon(1), curve.ratio(), curve.ratio(F(1, 2))]
    answers += [*curve.bracket(eps=1), *curve.bracket(delta=0.1), curve.tradeoff(0.1), curve.region()]
    assert all(answer is VACUOUS for answer in answers)
    with pytest.raises(ValueError, match="vacuous"):
        curve.dominates(Guarantee(1))
    with pytest.raises(ValueError, match="vacuous"):
        Guarantee(1).curve.dominates(curve)


@pytest.mark.parametrize("mechanism", [m for _, m in leaky_mechanisms()], ids=[name for name, _ in leaky_mechanisms()])
def test_what_is_told_about_a_leaky_mechanism(mechanism):
    assert mechanism.witness(eps=0.5) is None
    assert all(answer is VACUOUS for answer in mechanism.by_neighbours(ratio=2).values())
    assert all(mechanism.given(o).delta(ratio=2) is VACUOUS for o in mechanism.leaks)
    assert adaptive_delta(mechanism, 3, ratio=1) is VACUOUS
    report = mechanism.report(ratio=2)
    assert report.vacuous and report.delta is VACUOUS and report.coverage == 0
    if not mechanism.neighbours:
        assert report.plain is report.released is VACUOUS


@pytest.mark.parametrize("promise", [p for _, p in promises()], ids=[name for name, _ in promises()])
def test_what_is_told_about_a_promise(promise):
    answers = [promise.level(), promise.guarantee(), promise.guarantee(0.1), promise.guarantee(1, conversion="classic")]
    assert all(answer is VACUOUS for answer in answers) and promise.worst_neighbours() is None
    told = str(promise.explain())
    assert "vacuous" in told
    assert "= vacuous" in repr(promise) or not hasattr(promise.space, "granularity")


def test_finite_mechanisms_have_no_level():
    loud = FiniteMechanism.printing(SAME_SIZE.cls)
    random = FiniteMechanism.random(ONE.cls, 3, np.random.default_rng(0))
    for notion in ("pure", "zero-concentrated", "Gaussian"):
        assert loud.level(SAME_SIZE, notion) is random.level(ONE, notion) is VACUOUS


def test_maps_do_not_make_a_promise_of_nothing():
    """Parts of databases, on a class whose databases have no neighbours."""
    parts = Partition.by_record(["a", "b"])
    own = compose([Pure(space, 1) for space in parts.spaces(SAME_SIZE)], parts, on=SAME_SIZE)
    common = compose([Pure(SAME_SIZE, 1)] * 2, parts, common_domain=True)
    assert own.level() is own.guarantee(0.5) is common.level() is common.guarantee(0.5) is VACUOUS
    assert common.level(bounded.on(SAME_SIZE.cls)) is not VACUOUS


def test_a_metric_that_says_nothing():
    apart = PrivacySpace([0, 1], [[0, np.inf], [np.inf, 0]])
    for promise in (Pure(apart, 1), ZeroConcentrated(apart, 1), Gaussian(apart, 1)):
        assert promise.level() is VACUOUS and promise.guarantee(0.1) is VACUOUS


def test_no_set_of_rounds_is_refused():
    with pytest.raises(ValueError, match="at least one set of rounds"):
        WorstSet({}).by("basic")


def test_explorers_say_so():
    """The graph of databases, wherever a class has no neighbours, and the board with a single record."""
    silent = [(world, name) for world, c in CLASSES.items() for name, space in c.spaces.items() if not len(space.edges)]
    assert silent
    for world, granularity in silent:
        assert "the promise is worth nothing" in explore.DatabaseGraph(world=world, granularity=granularity).text
    assert "vacuous" in explore.PartitionBoard(board="1", eps="0").text


def test_bounds_given_what_one_value_alone_can_leak():
    """Dora joins all studies if ill and none if healthy: given their number no bound may read as a factor of 1."""
    world = big_world([asks_presence(3)] * 5, {0: (0,) * 5, 1: (1,) * 5})
    for o in (0, 5):
        told = world.bounds(o)
        assert told.pop("k eps") == 3**5  # holds without a leak
        assert all(bound is VACUOUS for bound in told.values())
    some_stay_away = big_world([asks_presence(3)] * 5, {0: (0,) * 5, 1: {(1,) * 5: F(9, 10), (0,) * 5: F(1, 10)}})
    assert some_stay_away.bounds(0)["min(2t, k) eps"] == 1
