"""The public API, found by looking, with one good call of everything in it: what `test_public_api` sends junk into.

Nothing can be forgotten: whatever a public module exports must have its entry here, and every method of it too.
"""

import importlib
from fractions import Fraction as F

import numpy as np

from dpteach import Guarantee, Pair, Table, composition, granularity, leakage, mechanisms, notions, optimal
from dpteach.accountant import Release, subsampled, times
from dpteach.channel import Channel
from dpteach.curve import VACUOUS, WorstCase
from dpteach.data import registry
from dpteach.experiment import Hypothesis, contribution_bound, hypothesis_dp, matching_bound, uniform_prior
from dpteach.granularity import DatabaseClass, Maps, Partition, PrivacySpace, unbounded
from dpteach.leakage import examples
from dpteach.notions import FiniteMechanism, implications, worlds
from dpteach.numerics.walk import loss_walk

MODULES = (
    "dpteach",
    "dpteach.curve",
    "dpteach.pair",
    "dpteach.guarantee",
    "dpteach.channel",
    "dpteach.mechanisms",
    "dpteach.composition",
    "dpteach.optimum",
    "dpteach.planning",
    "dpteach.accountant",
    "dpteach.table",
    "dpteach.numerics.walk",
    "dpteach.experiment",
    "dpteach.leakage",
    "dpteach.leakage.bounds",
    "dpteach.leakage.examples",
    "dpteach.granularity",
    "dpteach.notions",
    "dpteach.notions.implications",
    "dpteach.notions.worlds",
    "dpteach.data",
    "dpteach.claims",
    "dpteach.questions",
    "dpteach.grading",
)
OPERATORS = (
    "__matmul__",
    "__rmatmul__",
    "__pow__",
    "__add__",
    "__mul__",
    "__rmul__",
    "__getitem__",
    "__contains__",
    "__call__",
)

# What the library makes for its users: they ask such an object, but do not write its name to make one.
MADE_FOR_USERS = {
    "Arrow": "read from ARROWS",
    "BigWorld": "by big_world",
    "Bound": "by the functions of leakage.bounds",
    "Composed": "by the theorems",
    "Composition": "by compose",
    "Curve": "abstract",
    "Event": "by times and subsampled",
    "DistanceScaled": "by LeakyMechanism.scaled",
    "ExponentialMechanism": "by exponential_mechanism_with_leak",
    "Hypothesis": "by its own point, uniform, by_count, ...",
    "HypothesisCurve": "by hypothesis_dp",
    "Independence": "by LeakyMechanism.independence",
    "LossWalk": "by loss_walk",
    "MetricPrivacy": "abstract",
    "MinimumPrivacy": "by minimum_privacy",
    "NeighbourSpace": "by Granularity.on",
    "Noise": "abstract",
    "Optimum": "by optimal",
    "Recipe": "by matching_bound",
    "Refuted": "an exception",
    "Report": "by LeakyMechanism.report",
    "Run": "by implications.run",
    "Theorem": "read from THEOREMS and NODES",
    "TwoSided": "abstract",
    "UniformPrior": "by uniform_prior",
    "Vacuous": "VACUOUS",
    "Witness": "by LeakyMechanism.witness",
    "World": "by the functions of notions.worlds",
    "WorstSet": "by contribution_bound",
    "Wrong": "an exception",
}

# ---------------------------------------------------------------------------------------------- things to be asked

RNG = np.random.default_rng(0)
ONE = Guarantee(0.1, 1e-6)
LARGE = Guarantee(2)
COIN = Pair([0.75, 0.25], [0.25, 0.75], "ab")
EXACT = Pair([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)])
COINS = {0: {"a": 0.75, "b": 0.25}, 1: {"a": 0.25, "b": 0.75}}
CHANNEL = Channel(COINS)
H0, H1 = Hypothesis.point("00"), Hypothesis.nonzero(2)
RECORDS = DatabaseClass.multisets("ab", at_most=2)
SPACE = unbounded.on(RECORDS)
PARTS = Partition.by_record(["a", "b"])
PURE = notions.Pure(SPACE, 1)
FINITE = FiniteMechanism.noisy_count(RECORDS)
PAD = examples.noisy_pad(F(1, 4))
SMALL_TABLE = {0: {("o", 0): F(1, 2), ("o", 1): F(1, 2)}, 1: {("o", 0): F(1, 4), ("o", 1): F(3, 4)}}
STUDY = leakage.asks_presence(2)
WORLD = leakage.big_world([STUDY], lambda x: {(0,): F(1, 2), (1,): F(1, 2)})
CHOICE = leakage.exponential_mechanism_with_leak([0, 1], [0, 1], lambda x: "o", lambda x, y, o: float(x == y), 1)
PEOPLE = registry()[:50]


def answers(view):
    """Be an adversary who asks for the same coin in every round."""
    return COIN


def flat_query(view):
    """Be an adversary of lecture 4."""
    return PAD, 0, 1, 0


INSTANCES = [
    VACUOUS,
    ONE,
    COIN,
    EXACT,
    COIN @ EXACT,
    CHANNEL,
    CHANNEL.worst(),
    WorstCase({}),
    mechanisms.laplace(1),
    mechanisms.gaussian(1),
    mechanisms.gaussian(1e-300),
    mechanisms.gaussian(1e300),
    mechanisms.geometric(1),
    mechanisms.geometric(ratio=2),
    mechanisms.staircase(1),
    composition.basic(ONE, k=2),
    composition.THEOREMS["advanced"],
    optimal(ONE, k=3),
    optimal([Guarantee(0.1 * i, 1e-7) for i in range(1, 30)], rtol=1e-3),
    Release(mechanisms.laplace(1), mechanisms.gaussian(0.5), rtol=1e-2),
    times(subsampled(mechanisms.laplace(1), 0.5), 2),
    Table([(1, "a"), (2.5, "b")], ["number", "word"]),
    loss_walk(0.5, 3),
    H0,
    H1,
    hypothesis_dp(ONE, H0, H1),
    matching_bound(ONE, H0, H1),
    uniform_prior(ONE, k=3),
    contribution_bound(ONE, 2, k=3),
    leakage.AdaptiveGame(PAD, 2),
    WORLD,
    PAD.scaled(),
    examples.parity_trap(2).scaled(),
    CHOICE,
    PAD.independence(),
    PAD,
    examples.parity_trap(2),
    PAD.report(1),
    PAD.witness(1),
    leakage.bounds.release_bound(2, 0, 2),
    RECORDS,
    unbounded,
    Maps([type]),
    Maps.by_label("ab"),
    PARTS,
    granularity.minimum_privacy(SPACE, len),
    SPACE,
    PrivacySpace([0, 3, 10], lambda x, y: abs(x - y)),
    PURE,
    notions.Approximate(SPACE, 1, 1e-6),
    notions.ZeroConcentrated(SPACE, 1),
    notions.Gaussian(SPACE, 1),
    notions.compose([PURE, PURE]),
    notions.compose([PURE, PURE]).origin,
    FINITE,
    implications.ARROWS[0],
    implications.NODES["IV.1"],
    implications.run("IV.1", "IV.3", np.random.default_rng(0)),
    worlds.general_world(np.random.default_rng(0)),
]

# ------------------------------------------------------------------------------------------- a good call of everything

BUDGET = {"epsilon": 1, "delta": 1e-6}
ANSWERS = {"k": 10, **BUDGET}
FOUR = {"ratio": 2, "delta": F(1, 100), "shared_ratio": F(3, 2), "shared_delta": F(1, 100)}
LEAK = {"ratio": 2, "delta": F(1, 100), "leak_ratio": 2, "leak_delta": F(1, 100)}
MANY = {"guarantees": ONE, "slack": 1e-6, "k": 3}
QUERIES = {**ANSWERS, "eta": 0.5, "nu": 0.1}
RANDOM = {"rng": RNG}

FUNCTIONS = {
    "dpteach.claim": {"id": "STK-Basic"},
    "dpteach.ledger": {"source": "KOV", "verdict": "false", "kind": None, "lecture": 2, "words": ""},
    "dpteach.optimal": {"guarantees": ONE, "k": 3, "rtol": 1e-6},
    "dpteach.question": {"id": "1.1"},
    "dpteach.Guarantee": {"epsilon": 1, "delta": 0.1},
    "dpteach.Pair": {"p": [0.5, 0.5], "q": [0.25, 0.75], "outcomes": "ab"},
    "dpteach.Table": {"rows": [(1, 2)], "columns": ["one", "two"]},
    "curve.as_curve": {"thing": ONE, "name": "curve"},
    "curve.WorstCase": {"comparisons": {"one": COIN}},
    "channel.Channel": {"laws": COINS, "name": "laws"},
    "channel.differ_in_one": {"D": (0, 1), "E": (1, 1)},
    "mechanisms.randomized_response": {"eps": 1, "delta": 0.1, "ratio": None},
    "mechanisms.exponential_mechanism": {
        "scores": [0, 1],
        "neighbour_scores": [1, 0],
        "eps": 1,
        "sensitivity": 1,
        "outcomes": "ab",
    },
    "mechanisms.truncated_geometric": {"value": 1, "low": 0, "high": 3, "ratio": 2},
    "mechanisms.laplace": {"eps": 1, "scale": None, "sensitivity": 1},
    "mechanisms.gaussian": {"mu": 1, "scale": None, "sensitivity": 1},
    "mechanisms.geometric": {"eps": 1, "ratio": None, "sensitivity": 1},
    "mechanisms.staircase": {"eps": 1, "gamma": 0.5, "sensitivity": 1},
    "mechanisms.gaussian_tradeoff": {"mu": 1, "alpha": 0.5},
    "composition.basic": {"guarantees": ONE, "k": 3},
    "composition.advanced": MANY,
    "composition.concentrated": MANY,
    "composition.kov_closed_form": MANY,
    "composition.sharper": MANY,
    "composition.theorems": {"guarantees": ONE, "k": 3},
    "composition.best": {"guarantees": ONE, "delta": 1e-5, "k": 3, "among": ("basic",)},
    "composition.compose_by": {"theorem": "basic", "guarantees": ONE, "delta": 1e-5, "k": 3},
    "planning.noise_scales": {**ANSWERS, "noise": "laplace", "sensitivity": 1},
    "planning.noise_scale": {**ANSWERS, "noise": "laplace", "theorem": "advanced", "sensitivity": 1},
    "planning.methods_for": {"noise": "laplace"},
    "planning.per_answer": ANSWERS,
    "planning.noise_variance": {**ANSWERS, "sensitivity": 1},
    "planning.gaussian_variance": {**BUDGET, "sensitivity": 1},
    "planning.classical_gaussian_variance": {**ANSWERS, "sensitivity": 1},
    "planning.gaussian_variance_by_splitting": {**ANSWERS, "sensitivity": 1},
    "planning.staircase_variance": {"epsilon": 1, "sensitivity": 1},
    "planning.cut_query_error": {**QUERIES, "size": 10, "improved": True},
    "planning.variance_query_error": {**QUERIES, "improved": True},
    "planning.privacy_log": {**BUDGET, "improved": True},
    "planning.gains_below": {"delta": 1e-6},
    "planning.rho": BUDGET,
    "planning.largest_rho": BUDGET,
    "planning.laplace_scale": {**ANSWERS, "sensitivity": 1},
    "planning.largest_loss_probability": {"epsilon": 1, "k": 10},
    "planning.pays_from": {"theorem": "advanced", "epsilon": 0.1, "slack": 1e-6},
    "table.show": {"value": 1.5},
    "table.short": {"x": 1.5},
    "accountant.Release": {"rtol": 1e-3},
    "accountant.subsampled": {"event": mechanisms.laplace(1), "rate": 0.1},
    "accountant.times": {"event": mechanisms.laplace(1), "k": 2},
    "walk.loss_walk": {"eps": 0.5, "k": 3},
    "experiment.both_databases": {"adversary": lambda view: COIN, "bits0": "01", "bits1": "10"},
    "experiment.column_bound": {
        "common": ONE,
        "free": ONE,
        "paid": ONE,
        "neighbours": "unbounded",
        "known_user": False,
    },
    "experiment.contribution_bound": {"guarantees": ONE, "at_most": 2, "neighbours": "unbounded", "k": 3},
    "experiment.coupling_bounds": {"guarantees": ONE, "h0": H0, "h1": H1, "theorem": "basic", "delta": 1e-5},
    "experiment.hypothesis_dp": {"guarantees": ONE, "h0": H0, "h1": H1},
    "experiment.matching_bound": {
        "guarantees": ONE,
        "h0": H0,
        "h1": H1,
        "matching": "best",
        "theorem": "basic",
        "delta": 1e-5,
    },
    "experiment.refine": {"t0": H0, "t1": H1, "order": "first"},
    "experiment.run_experiment": {
        "adversary": answers,
        "mechanisms": [LARGE, LARGE],
        "bits": "01",
        "rng": RNG,
        "coins": None,
    },
    "experiment.subsampled": {"mechanism": ONE, "rate": F(1, 2), "direction": "both"},
    "experiment.uniform_prior": {"guarantees": ONE, "k": 3},
    "experiment.view_law": {"adversary": answers, "mechanisms": [LARGE, LARGE], "bits": "01", "coins": None},
    "experiment.view_pair": {
        "adversary": answers,
        "mechanisms": [LARGE, LARGE],
        "bits0": "01",
        "bits1": "10",
        "coins": None,
    },
    "leakage.AdaptiveGame": {"family": PAD, "k": 2},
    "leakage.LeakyMechanism": {"table": SMALL_TABLE, "neighbours": [(0, 1)]},
    "leakage.adaptive_delta": {"family": PAD, "k": 2, "eps": 1, "ratio": None},
    "leakage.adaptive_experiment": {"adversary": flat_query, "k": 2},
    "leakage.asks_data": {"ratio": 2},
    "leakage.asks_presence": {"ratio": 2, "delta": F(1, 10)},
    "leakage.asks_state": {"ratio": 2, "states": ("absent", 0, 1)},
    "leakage.big_world": {
        "studies": [STUDY],
        "participation": lambda x: {(0,): F(1, 2), (1,): F(1, 2)},
        "leak": lambda x, v: sum(v),
        "data": (0, 1),
    },
    "leakage.bits": {"n": 3},
    "leakage.exponential_mechanism_with_leak": {
        "databases": [0, 1],
        "outputs": [0, 1],
        "leak": lambda x: "o",
        "utility": lambda x, y, o: float(x == y),
        "eps": 1,
        "base": None,
        "restricted": False,
        "neighbours": [(0, 1)],
    },
    "bounds.release_bound": LEAK,
    "bounds.release_bound_as_printed": {**LEAK, "common": 2},
    "bounds.independence_bound": FOUR,
    "bounds.independence_optimum": {**FOUR, "at": 3},
    "bounds.independence_optimum_at": {**FOUR, "weight": 0.1},
    "bounds.independence_chain": {**FOUR, "start": F(1, 10)},
    "bounds.group_bound": {"ratio": 2, "delta": F(1, 100), "k": 3},
    "bounds.big_world_bound": {"ratio": 2, "delta": F(1, 100), "t": 1, "k": 3},
    "bounds.advanced_as_printed": MANY,
    "examples.coin": {"bias": F(1, 3)},
    "examples.truthful": {"value": 1, "ratio": 3},
    "examples.one_time_pad": {"n": 2, "leaked": 1},
    "examples.noisy_pad": {"flip": F(1, 4)},
    "examples.secret_shares": {"shares": 2, "leaked": 1, "bias": F(1, 2)},
    "examples.parity_trap": {"n": 2, "ratio": 3},
    "examples.xor_attack": {"n": 2, "ratio": 3},
    "examples.sampled_study": {"ratio": 3, "flip": 0},
    "examples.independence_extremal": {**FOUR, "weight": F(1, 50), "start": None},
    "examples.release_extremal": {**LEAK, "copies": 2},
    "examples.census_town": {"people": 1, "ratio": 3, "invariants": ("flags",), "leak_ratio": 2},
    "examples.truncated_geometric": {"value": 1, "top": 3, "ratio": 2},
    "granularity.DatabaseClass": {"databases": ["a", "b"], "kind": None, "records": None},
    "granularity.Granularity": {"relation": [(0, 1)], "name": "own"},
    "granularity.Maps": {"functions": [len], "names": ["one"]},
    "granularity.Partition": {"functions": [lambda D: D], "names": ["all"]},
    "granularity.PrivacySpace": {"cls": [0, 3], "metric": [[0, 3], [3, 0]]},
    "granularity.closure": {"matrix": np.array([[0.0, 1.0], [1.0, 0.0]])},
    "granularity.dist": {"g1": unbounded, "g2": granularity.bounded, "cls": RECORDS},
    "granularity.minimum_privacy": {"space": SPACE, "f": len},
    "granularity.rows_changed": {"D": "aab", "E": "abb"},
    "granularity.sensitivity": {"f": None, "space1": SPACE, "space2": SPACE},
    "granularity.symmetric_difference": {"D": "aab", "E": "abb"},
    "granularity.times": {"factor": 2, "distance": 3},
    "granularity.vertex_cover": {"edges": [(0, 1), (1, 2)]},
    "granularity.w_event": {"w": 2},
    "granularity.window_cover": {"places": [1, 5], "w": 2},
    "notions.Approximate": {"space": SPACE, "eps": 1, "delta": 1e-6},
    "notions.FiniteMechanism": {
        "cls": [0, 1],
        "laws": [[0.5, 0.5], [0.25, 0.75]],
        "outputs": ["a", "b"],
    },
    "notions.Gaussian": {"space": SPACE, "mu": 1},
    "notions.Pure": {"space": SPACE, "eps": 1},
    "notions.ZeroConcentrated": {"space": SPACE, "rho": 1},
    "notions.compose": {
        "guarantees": [PURE, PURE],
        "maps": None,
        "on": SPACE,
        "adaptive": False,
        "common_domain": False,
        "closure": True,
    },
    "notions.concentrated_loss": {"pair": COIN},
    "notions.counts_deviation": {"route": "zero-concentrated", "touched": 2, **BUDGET},
    "notions.counts_epsilon": {"route": "approximate", "touched": 2, "deviation": 4, "delta": 1e-6},
    "notions.counts_table": {"touched": (1, 2), "deviation": 4, "delta": 1e-5},
    "notions.gaussian_loss": {"pair": COIN},
    "notions.gdp_epsilon": {"mu": 1, "delta": 1e-6},
    "notions.group_delta": {"n": 3, "eps": 1, "delta": 1e-6, "ratio": None},
    "notions.group_factor": {"d": 3, "eps": 1, "ratio": None},
    "notions.pure_loss": {"pair": COIN},
    "notions.pure_mu": {"eps": 1},
    "notions.pure_rho": {"eps": 1},
    "notions.vacuous_from": {"eps": 1, "delta": 1e-6},
    "notions.zcdp_delta": {"rho": 1, "eps": 1},
    "notions.zcdp_epsilon": {"rho": 1, "delta": 1e-6, "conversion": "optimal"},
    "implications.implications": {},
    "implications.follows_from": {"start": "V.2"},
    "implications.run": {"source": "IV.1", "target": "IV.3", "rng": RNG},
    "worlds.exponents": {"mechanism": FiniteMechanism.attaining(SPACE, ratio=2)},
    "worlds.random_space": {"rng": RNG, "size": 4, "density": 0.4},
    "worlds.random_metric": {"rng": RNG, "cls": RECORDS, "largest": 4},
    "worlds.random_maps": {"rng": RNG, "cls": RECORDS, "k": 2, "values": 3},
    "worlds.general_world": {"rng": RNG, "k": 2},
    "worlds.common_world": {"rng": RNG, "k": 2},
    "worlds.sequential_world": {"rng": RNG, "k": 2},
    "worlds.disjoint_world": {"rng": RNG, "common_domain": False},
    "worlds.bounded_world": RANDOM,
    "worlds.classic_world": {"rng": RNG, "parallel": True},
    "worlds.random_kernel": {"rng": RNG, "outputs": 3},
    "data.registry": {},
    "data.counts": {"people": PEOPLE},
    "data.memberships": {"people": PEOPLE},
    "data.counted_by_town": {"people": PEOPLE},
    "claims.all_claims": {},
    "claims.counts": {},
    "claims.errata": {"source": "STK", "verdict": "false"},
    "questions.texts": {},
    "grading.at_least": {"got": 1.5, "low": 1, "why": "too small", "tolerance": 1e-9},
    "grading.at_most": {"got": 0.5, "high": 1, "why": "too large", "tolerance": 1e-9},
    "grading.check": {"points": 1},
    "grading.describe": {"value": 1.5},
    "grading.is_near": {"got": 1.5, "want": 1.5, "tolerance": 1e-6},
    "grading.mistake": {"got": 1.5, "wrong": 2, "why": "forgotten", "tolerance": 1e-6},
    "grading.near": {"got": 1.5, "want": 1.5, "why": "no", "tolerance": 1e-6},
    "grading.number": {"value": 1.5, "what": "the answer"},
    "grading.numbers_in": {"value": [1.5], "size": 1, "what": "the answer"},
    "grading.pick": {"student_id": "ada", "task": "one"},
    "grading.report": {"points": 1, "without": ""},
    "grading.same": {"got": "yes", "want": "yes", "why": "no"},
    "grading.that": {"condition": True, "why": "no"},
}

EPS = {"eps": 1, "ratio": None}
TWO = {"D": "", "D2": "a"}
THEOREM = {"theorem": "basic", "delta": 1e-5}
STEP = {"promise": PURE, "space": SPACE}

METHODS = {
    "Curve.bracket": {"eps": 1, "delta": None},
    "Curve.delta": EPS,
    "Curve.dominates": {"other": COIN},
    "Curve.epsilon": {"delta": 0.1},
    "Curve.ratio": {"delta": 0.1},
    "Curve.region": {},
    "Curve.tradeoff": {"alpha": 0.1},
    "TwoSided.bracket": {"eps": 1, "delta": None, "direction": "both"},
    "TwoSided.delta": {"eps": 1, "direction": "both", "ratio": None},
    "TwoSided.epsilon": {"delta": 0.1, "direction": "both"},
    "TwoSided.ratio": {"delta": 0.1, "direction": "both"},
    "TwoSided.side": {"direction": "pq"},
    "WorstCase.worst": EPS,
    "Vacuous.__add__": None,  # refuses to be taken for a number
    "Vacuous.__mul__": None,
    "Vacuous.__pow__": None,
    "Vacuous.__rmul__": None,
    "Pair.__matmul__": {"other": COIN},
    "Pair.__rmatmul__": None,  # refuses everything
    "Pair.__pow__": {"k": 2},
    "Pair.best_event": EPS,
    "Pair.given": {"event": lambda y: True},
    "Pair.merged": {},
    "Pair.mixture": {"weights": [0.5, 0.5], "pairs": [COIN, COIN]},
    "Pair.renyi": {"alpha": 2},
    "Pair.reversed": {},
    "Pair.sample": {"rng": RNG, "size": 3, "hypothesis": 0},
    "Pair.simulates": {"other": COIN},
    "Pair.then": {"matrix": [[0.5, 0.5], [0.25, 0.75]], "outcomes": "xy"},
    "Pair.total_variation": {},
    "Channel.__matmul__": {"other": CHANNEL},
    "Channel.__rmatmul__": None,
    "Channel.adaptively": {"second": lambda y: CHANNEL},
    "Channel.after": {"f": {"x": 0, "y": 1}, "databases": ["x", "y"]},
    "Channel.given": {"event": ["a"]},
    "Channel.given_each": {"part": lambda y: 0},
    "Channel.law": {"D": 0},
    "Channel.pair": {"D": 0, "E": 1},
    "Channel.then": {"kernel": lambda y: "same"},
    "Channel.worst": {"neighbours": [(0, 1)]},
    "Noise.sample": {"value": 3, "rng": RNG, "size": 2},
    "gaussian.__pow__": {"k": 2},
    "staircase.density": {"x": 0.5},
    "Theorem.applies": {"guarantees": ONE, "k": 3},
    "Theorem.at": {"guarantees": ONE, "delta": 1e-5, "k": 3},
    "Release.plot": {"delta": 1e-6},
    "Release.published": {"delta": 1e-6},
    "Release.table": {"delta": 1e-6},
    "Optimum.bracket": {"eps": 1, "delta": None, "rtol": 1e-3},
    "Table.column": {"name": "word"},
    "LossWalk.bell": {"loss": 0.5},
    "LossWalk.density": {"loss": 0.5},
    "LossWalk.sample": {"rng": RNG, "size": 3},
    "LossWalk.tail": {"loss": 0.5},
    "Hypothesis.at_least": {"k": 3, "m": 1},
    "Hypothesis.between": {"k": 3, "low": 1, "high": 2},
    "Hypothesis.by_count": {"k": 1, "weights": [0.5, 0.5]},
    "Hypothesis.fewer_than": {"k": 3, "m": 1},
    "Hypothesis.from_dict": {"law": {"01": 0.5, "10": 0.5}},
    "Hypothesis.has_same_counts": {"other": H1},
    "Hypothesis.log_counts": {},
    "Hypothesis.mean_count": {},
    "Hypothesis.nonzero": {"k": 3},
    "Hypothesis.point": {"bits": "01"},
    "Hypothesis.sample": RANDOM,
    "Hypothesis.uniform": {"vectors": ["01", "10"]},
    "UniformPrior.by_subsampling": THEOREM,
    "UniformPrior.corollary_6": THEOREM,
    "UniformPrior.corollary_7": {},
    "UniformPrior.theorem_3": THEOREM,
    "WorstSet.by": THEOREM,
    "WorstSet.worst_name": THEOREM,
    "WorstSet.worst_set": THEOREM,
    "Contribution.classic": {},
    "Contribution.parallel": {},
    "Contribution.table": {"delta": 1e-5},
    "AdaptiveGame.best": {"ratio": 2},
    "BigWorld.bounds": {"o": 1},
    "BigWorld.most_joined": {"o": 1},
    "BigWorld.table": {},
    "LeakyMechanism.are_neighbours": {"x0": 0, "x1": 1},
    "LeakyMechanism.by_neighbours": EPS,
    "LeakyMechanism.can_share": {"x0": 0, "x1": 1, "o": 0},
    "LeakyMechanism.coarsen": {"leak_map": lambda o: 0},
    "LeakyMechanism.compose": {"others": PAD},
    "LeakyMechanism.conditioned": {"x0": 0, "x1": 1, "o": 0},
    "LeakyMechanism.covered": {"x0": 0, "x1": 1},
    "LeakyMechanism.distance": {"x0": 0, "x1": 1},
    "LeakyMechanism.from_functions": {
        "databases": [0, 1],
        "randomness": [0, 1],
        "mechanism": lambda x, r: (x, r),
        "leak": lambda x, r: r,
        "neighbours": [(0, 1)],
    },
    "LeakyMechanism.from_joint": {"table": SMALL_TABLE, "neighbours": [(0, 1)]},
    "LeakyMechanism.from_laws": {
        "databases": [0, 1],
        "leak": lambda x: "o",
        "mechanism": lambda x, o: {0: F(1, 2), 1: F(1, 2)},
        "neighbours": [(0, 1)],
    },
    "LeakyMechanism.given": {"o": 0},
    "LeakyMechanism.group_paths": {"o": 0},
    "LeakyMechanism.independence": {},
    "LeakyMechanism.law": {"x": 0, "o": 0},
    "LeakyMechanism.leak_law": {"x": 0},
    "LeakyMechanism.leaking_itself": {},
    "LeakyMechanism.mixture": {"weights": [F(1, 2), F(1, 2)], "others": PAD},
    "LeakyMechanism.posterior": {"leak": 0, "output": 0, "prior": {0: F(1, 3), 1: F(2, 3)}},
    "LeakyMechanism.reduction": {"x0": 0, "x1": 1, "o": 0},
    "LeakyMechanism.released": {},
    "LeakyMechanism.report": EPS,
    "LeakyMechanism.reveal": {},
    "LeakyMechanism.scaled": {},
    "LeakyMechanism.shared_leaks": {"x0": 0, "x1": 1},
    "LeakyMechanism.swapped": {},
    "LeakyMechanism.then": {"kernel": lambda m: 0},
    "LeakyMechanism.without_leak": {},
    "LeakyMechanism.witness": EPS,
    "LeakyMechanism.worst": EPS,
    "ExponentialMechanism.tail": {"x": 0, "o": "o", "score": 0.5},
    "ExponentialMechanism.tail_bound": {"x": 0, "o": "o", "score": 0.5},
    "ExponentialMechanism.threshold": {"x": 0, "o": "o", "t": 1},
    "Report.table": {},
    "Witness.of": None,
    "DatabaseClass.__contains__": {"given": "a"},
    "DatabaseClass.database": {"given": "a"},
    "DatabaseClass.graphs": {"nodes": 3},
    "DatabaseClass.label": {"D": ("a",)},
    "DatabaseClass.multisets": {"records": "ab", "at_most": 2, "exactly": None},
    "DatabaseClass.of_kind": None,
    "DatabaseClass.only": {"keep": lambda D: True},
    "DatabaseClass.ordered": {"records": "ab", "at_most": 2, "exactly": None},
    "DatabaseClass.user_logs": {"users": 2, "events": "ab", "at_most": 1},
    "Granularity.adjacency": {"cls": RECORDS},
    "Granularity.closed_form": {"cls": RECORDS},
    "Granularity.on": {"cls": RECORDS},
    "Maps.__call__": {"D": ("a",)},
    "Maps.__getitem__": {"i": 0},
    "Maps.by_label": {"labels": "ab", "of": None},
    "Maps.compatible": {"space": SPACE},
    "Maps.image": {"i": 0, "cls": RECORDS},
    "Maps.most_touched": {"space": SPACE},
    "Maps.sensitivities": {"space": SPACE, "granularity": None},
    "Maps.spaces": {"space": SPACE, "granularity": None},
    "Maps.touched": {"D": ("a",), "D2": ("b",)},
    "Maps.touched_matrix": {"cls": RECORDS},
    "Partition.by_node": {"blocks": [[1, 2], [3]]},
    "Partition.by_order": {"mapping": {1: 1, 2: 2}, "parts": None},
    "Partition.by_record": {"mapping": ["a", "b"], "parts": None},
    "Partition.check": {"cls": RECORDS},
    "Partition.commutes_with": {"metric": SPACE, "on": None},
    "Partition.union": {"D": ("a",)},
    "PrivacySpace.__add__": {"other": SPACE},
    "PrivacySpace.__rmul__": {"factor": 2},
    "PrivacySpace.closure": {},
    "PrivacySpace.distance": TWO,
    "PrivacySpace.matrix_at": {"databases": []},
    "PrivacySpace.position": {"D": ""},
    "PrivacySpace.pull": {"f": {"x": "", "y": "a"}, "cls": ["x", "y"]},
    "PrivacySpace.restricted": {"cls": []},
    "NeighbourSpace.are_neighbours": TWO,
    "NeighbourSpace.neighbours": {"D": ""},
    "NeighbourSpace.shortest_path": TWO,
    "MetricPrivacy.at": TWO,
    "MetricPrivacy.dependent_on": {"f": len, "closure": True},
    "MetricPrivacy.explain": {"space": SPACE},
    "MetricPrivacy.guarantee": {"delta": 1e-5, "space": SPACE, "conversion": "optimal"},
    "MetricPrivacy.guarantee_at": {**TWO, "delta": 1e-5, "conversion": "optimal"},
    "MetricPrivacy.level": {"space": SPACE},
    "MetricPrivacy.pull": {"f": {"x": "", "y": "a"}, "cls": ["x", "y"]},
    "MetricPrivacy.theorem": {"space": SPACE},
    "MetricPrivacy.worst_neighbours": {"space": SPACE},
    "Composition.applied": STEP,
    "Composition.steps": STEP,
    "Composition.theorem": STEP,
    "FiniteMechanism.after": {"f": {"x": "", "y": "a"}, "databases": ["x", "y"]},
    "FiniteMechanism.attaining": {"space": SPACE, "ratio": 2},
    "FiniteMechanism.broken": {"promise": PURE},
    "FiniteMechanism.chain": {"n": 2, "ratio": 2, "delta": F(1, 10)},
    "FiniteMechanism.deltas": EPS,
    "FiniteMechanism.depends_on": {"f": len},
    "FiniteMechanism.keeps": {"promise": PURE},
    "FiniteMechanism.law": {"D": ""},
    "FiniteMechanism.level": {"space": SPACE, "notion": "pure"},
    "FiniteMechanism.loss": {**TWO, "notion": "pure"},
    "FiniteMechanism.losses": {"notion": "pure"},
    "FiniteMechanism.noisy_count": {"domain": RECORDS, "count": lambda D: int(bool(D)), "ratio": 2},
    "FiniteMechanism.pair": {"D": "", "E": "a"},
    "FiniteMechanism.printing": {"domain": RECORDS, "f": None},
    "FiniteMechanism.random": {"domain": RECORDS, "outputs": 2, "rng": RNG, "zeros": 0.0},
    "FiniteMechanism.ratio": {**TWO, "delta": 0},
    "FiniteMechanism.worst": {"space": SPACE},
    "Run.table": {},
    "World.composed": {},
    "World.exponents": {},
    "World.mechanisms": {},
}

NOT_ASKED = {"main": "a command line, tried in test_main and test_grade"}


# ------------------------------------------------------------------------------------------------ finding everything


def exported() -> dict[str, object]:
    """Return everything callable that a public module exports, each once, by module and name."""
    found = {}
    for path in MODULES:
        module = importlib.import_module(path)
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and name not in NOT_ASKED and thing not in found.values():
                found[f"{path.removeprefix('dpteach.').split('.', 1)[-1]}.{name}"] = thing
    return found


def methods(thing) -> dict[str, str]:
    """Return the public methods and operators of an object, with the entry of METHODS that says how to call each."""
    kind = type(thing)
    names = [name for name in dir(kind) if name in OPERATORS or not name.startswith("_")]
    return {
        name: entry_of(kind, name) for name in names if callable(getattr(kind, name)) and not _inherited(kind, name)
    }


def _inherited(kind: type, name: str) -> bool:
    """Say whether a method is one of Python's own, as those of a tuple."""
    home = next(cls for cls in kind.__mro__ if name in vars(cls))
    return not home.__module__.startswith("dpteach")


def entry_of(kind: type, name: str) -> str:
    """Return the nearest entry, going up from the class; without any, that of the class itself."""
    entries = (f"{cls.__name__}.{name}" for cls in kind.__mro__)
    return next((entry for entry in entries if entry in METHODS), f"{kind.__name__}.{name}")


def properties(thing) -> list[str]:
    """Return the names of what an object knows without being asked."""
    kind = type(thing)
    return [name for name in dir(kind) if not name.startswith("_") and not callable(getattr(kind, name))]
