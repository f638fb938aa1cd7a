"""Bounded leakage: what a mechanism still hides once a leaked value is known (Ligett, Peale and Reingold, LPR).

A mechanism M and a leak P read the same database x and the same coins r. Given the leaked value o, the outputs on two
neighbours are a pair again, M(x) | P(x) = o against M(x') | P(x') = o, and bounded-leakage DP (bLDP, Definition 2) is a
promise about these pairs. Where two neighbours never leak the same value it promises nothing, and says so here.

- `LeakyMechanism`: the object, its curve, its report, and what can be made of it.
- `adaptive_experiment`, `AdaptiveGame`, `adaptive_delta`: the game of adaptive composition (Algorithm 1).
- `exponential_mechanism_with_leak`: useful answers given the leak.
- `big_world`: studies that a person may or may not join; `asks_presence`, `asks_data`, `asks_state` are such studies.
- `bounds`: the theorems' formulas. `examples`: the running examples of the lecture.
"""

from ..channel import differ_in_one
from . import bounds, examples
from .exponential import ExponentialMechanism, exponential_mechanism_with_leak
from .game import AdaptiveGame, adaptive_delta, adaptive_experiment
from .mechanism import LeakyMechanism
from .notions import DistanceScaled, Independence
from .report import Report, Witness
from .tables import ANYTHING, bits
from .world import ABSENT, BigWorld, asks_data, asks_presence, asks_state, big_world

__all__ = [
    "ABSENT",
    "ANYTHING",
    "AdaptiveGame",
    "BigWorld",
    "DistanceScaled",
    "ExponentialMechanism",
    "Independence",
    "LeakyMechanism",
    "Report",
    "Witness",
    "adaptive_delta",
    "adaptive_experiment",
    "asks_data",
    "asks_presence",
    "asks_state",
    "big_world",
    "bits",
    "bounds",
    "differ_in_one",
    "examples",
    "exponential_mechanism_with_leak",
]
