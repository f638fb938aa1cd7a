"""The implication map: which composition theorem of GMPS follows from which, and why; every arrow runs.

It is our reconstruction, from the statements, of an overview of which the checked text has the caption only (Figure 1).

An arrow A -> B is tried on a random world that satisfies the hypotheses of B: seen as a world of A, the theorem A must
give at every pair of databases at most what B states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import checks
from ..channel import shortest_paths
from ..granularity.extended import times
from ..granularity.space import PrivacySpace
from ..table import Table
from . import worlds
from .composition import compose
from .privacy import Pure
from .promise import MetricPrivacy
from .worlds import World

__all__ = [
    "ARROWS",
    "NODES",
    "Arrow",
    "Run",
    "Theorem",
    "follows_from",
    "implications",
    "run",
]


@dataclass(frozen=True)
class Theorem:
    """A node of the map: its name, how it draws a world, what it states there, and which maps it allows."""

    name: str
    adaptive: bool
    common_domain: bool
    draw: Callable[[np.random.Generator], World]
    states: Callable[[World], np.ndarray]


@dataclass(frozen=True)
class Arrow:
    """One implication, with its reason."""

    source: str
    target: str
    because: str


# --------------------------------------------------------------------------------------------------- what they state


def _pulled_sum(world: World) -> np.ndarray:
    """sum_i eps_i d_i(f_i(D), f_i(D'))."""
    pulled = []
    for eps, space, f in zip(world.eps, world.spaces, world.maps, strict=True):
        values = [f(D) for D in world.space.databases]
        pulled.append(eps * space.matrix_at(values))
    return np.sum(pulled, axis=0)


def _dependent_sum(world: World) -> np.ndarray:
    """sum_i eps_i d_i^f_i(D, D')."""
    parts = zip(world.promises, world.maps, strict=True)
    return np.sum([promise.dependent_on(f).matrix for promise, f in parts], axis=0)


def _largest(world: World) -> np.ndarray:
    """max_i eps_i for neighbours."""
    return times(max(world.eps), world.space.matrix)


def _two_largest(world: World) -> np.ndarray:
    """max_{i != j} eps_i + eps_j for neighbours."""
    two = sorted(world.eps)[-2:]
    return times(sum(two), world.space.matrix)


def _sum(world: World) -> np.ndarray:
    """sum_i eps_i for neighbours."""
    return times(sum(world.eps), world.space.matrix)


ABOUT_NEIGHBOURS = (_largest, _two_largest, _sum)


# ------------------------------------------------------------------------------------------- worlds they are about


def _classic_sequential(rng: np.random.Generator) -> World:
    return worlds.classic_world(rng, parallel=False)


def _classic_parallel(rng: np.random.Generator) -> World:
    return worlds.classic_world(rng, parallel=True)


def _disjoint_common(rng: np.random.Generator) -> World:
    return worlds.disjoint_world(rng, common_domain=True)


def _independent(name: str, draw: Callable, states: Callable, common_domain: bool = False) -> Theorem:
    return Theorem(name, False, common_domain, draw, states)


def _adaptive(name: str, draw: Callable, states: Callable, common_domain: bool = False) -> Theorem:
    return Theorem(name, True, common_domain, draw, states)


NODES = {
    "II.5": _adaptive("sequential composition (Dwork et al.)", _classic_sequential, _sum),
    "II.6": _independent("independent sequential composition", _classic_sequential, _sum),
    "II.7": _adaptive("adaptive sequential composition", _classic_sequential, _sum),
    "II.8": _independent("parallel composition (McSherry)", _classic_parallel, _largest),
    "APC": _adaptive("adaptive parallel composition", _classic_parallel, _largest),
    "IV.1": _independent("independent composition", worlds.general_world, _pulled_sum),
    "IV.3": _independent("generalized independent sequential composition", worlds.sequential_world, _pulled_sum),
    "IV.6": _independent("best bound for disjoint inputs", worlds.disjoint_world, _largest),
    "IV.11": _independent(
        "independent composition, common domain", worlds.common_world, _dependent_sum, common_domain=True
    ),
    "IV.12": _independent(
        "best bound for disjoint inputs, common domain", _disjoint_common, _largest, common_domain=True
    ),
    "IV.13": _independent(
        "bounded privacy over disjoint records", worlds.bounded_world, _two_largest, common_domain=True
    ),
    "V.2": _adaptive("adaptive composition", worlds.general_world, _pulled_sum),
    "V.3": _adaptive("generalized adaptive sequential composition", worlds.sequential_world, _pulled_sum),
    "V.4": _adaptive("adaptive best bound for disjoint inputs", worlds.disjoint_world, _largest),
    "V.5": _adaptive("adaptive composition, common domain", worlds.common_world, _dependent_sum, common_domain=True),
    "V.6": _adaptive("adaptive best bound, common domain", _disjoint_common, _largest, common_domain=True),
}
INDEPENDENT = "independent mechanisms are adaptive ones that ignore what was printed before"
WHOLE = "give every mechanism the whole database, f_i = id"
NEIGHBOURS = "one step touches one part, by at most one step; then Theorem III.3"
DEPENDENT = "M_i = M_i* after f_i, and M_i* is private for the metric closure of d_i^f_i"
CLASSIC = "take the canonical metric of unbounded neighbours"
RECORDS = "splitting by record is compatible with unbounded neighbours"
PULLED = "M_i* after f_i is private for the pulled-back metric, which f_i-dependence leaves alone"
PREPROCESS = "sensitivities at most 1 make M_i* after p_i private on the common domain (Proposition III.6)"
ARROWS = [
    Arrow("V.2", "IV.1", INDEPENDENT),
    Arrow("V.2", "V.3", WHOLE),
    Arrow("V.2", "V.4", NEIGHBOURS),
    Arrow("V.2", "V.5", DEPENDENT),
    Arrow("IV.1", "IV.3", WHOLE),
    Arrow("IV.1", "IV.6", NEIGHBOURS),
    Arrow("IV.1", "IV.11", DEPENDENT),
    Arrow("V.3", "IV.3", INDEPENDENT),
    Arrow("V.4", "IV.6", INDEPENDENT),
    Arrow("V.3", "II.7", CLASSIC),
    Arrow("V.3", "II.5", CLASSIC),
    Arrow("II.7", "II.6", INDEPENDENT),
    Arrow("IV.3", "II.6", CLASSIC),
    Arrow("IV.6", "II.8", RECORDS),
    Arrow("V.4", "APC", RECORDS),
    Arrow("APC", "II.8", INDEPENDENT),
    Arrow("V.5", "IV.11", INDEPENDENT),
    Arrow("V.5", "V.6", NEIGHBOURS),
    Arrow("V.5", "V.2", PULLED),
    Arrow("IV.11", "IV.12", NEIGHBOURS),
    Arrow("IV.11", "IV.13", "a change of one record touches at most two parts; then Theorem III.3"),
    Arrow("IV.11", "IV.1", PULLED),
    Arrow("V.6", "IV.12", INDEPENDENT),
    Arrow("V.6", "V.4", PREPROCESS),
    Arrow("IV.12", "IV.6", PREPROCESS),
]


def implications() -> Table:
    """Return the 25 arrows with their reasons."""
    return Table([(a.source, a.target, a.because) for a in ARROWS], ["theorem", "implies", "because"])


def follows_from(start: str) -> set[str]:
    """Return all theorems that can be reached from one, itself included."""
    checks.choice("start", start, tuple(NODES))
    implied = {name: [arrow.target for arrow in ARROWS if arrow.source == name] for name in NODES}
    return set(shortest_paths(start, implied))


@dataclass(frozen=True)
class Run:
    """One arrow, tried on one world: what the two theorems say about all pairs of databases."""

    arrow: Arrow
    world: World
    given: np.ndarray
    stated: np.ndarray

    @property
    def holds(self) -> bool:
        """Whether the source gives at most what the target states, at all pairs."""
        return bool(np.all(self.given <= self.stated))

    def _gap(self) -> np.ndarray:
        """Return by how much the target is weaker; if it is nowhere, how much it states."""
        with np.errstate(invalid="ignore"):
            gap = np.nan_to_num(self.stated - self.given, nan=0.0)
        return gap if gap.any() else np.where(np.isinf(self.stated), 0.0, self.stated)

    def table(self) -> Table:
        """Return the numbers at the pair where the two differ most, and how many pairs were compared."""
        i, j = np.unravel_index(int(np.argmax(self._gap())), self.stated.shape)
        cls = self.world.space.cls
        size = len(cls)
        levels = ", ".join(map(str, self.world.eps))
        rows = [
            ("hypotheses", f"{len(self.world.eps)} mechanisms, eps = {levels}"),
            ("pairs compared", size * (size - 1) // 2),
            ("largest gap at", f"{cls.label(cls.databases[i])} and {cls.label(cls.databases[j])}"),
            (f"{self.arrow.source} gives", float(self.given[i, j])),
            (f"{self.arrow.target} states", float(self.stated[i, j])),
            ("implied at all pairs", self.holds),
        ]
        return Table(rows, ["", self.arrow.because])


def run(source: str, target: str, rng: np.random.Generator) -> Run:
    """Try one arrow on a random world of its target."""
    checks.choice("source", source, tuple(NODES))
    checks.choice("target", target, tuple(NODES))
    found = [arrow for arrow in ARROWS if arrow.source == source and arrow.target == target]
    if not found:
        raise ValueError(f"source and target must be an arrow of the map, not {source!r} and {target!r}")
    world = NODES[target].draw(checks.generator(rng))
    given = _seen_by(NODES[source], NODES[target], world)
    stated = NODES[target].states(world)
    return Run(found[0], world, given, stated)


def _seen_by(source: Theorem, target: Theorem, world: World) -> np.ndarray:
    """Return what the source theorem says about the target's world."""
    promise = _as_common(world) if source.common_domain else _as_general(world)
    if target.states not in ABOUT_NEIGHBOURS:
        return promise.matrix
    return times(promise.level(world.space), world.space.matrix)


def _as_general(world: World) -> MetricPrivacy:
    """Return the composition with promises about the values of the maps."""
    if not world.common_domain:
        return world.composed()
    about_values = []
    for promise, f in zip(world.promises, world.maps, strict=True):
        about_values.append(_on_values(promise.dependent_on(f), f, world))
    return compose(about_values, world.maps, on=world.space)


def _on_values(promise: MetricPrivacy, f: Callable, world: World) -> Pure:
    """Return a promise that depends on f(D) only as one about f(D)."""
    row_of: dict = {}
    for n, D in enumerate(world.space.databases):
        row_of.setdefault(f(D), n)
    rows = list(row_of.values())
    return Pure(PrivacySpace(list(row_of), promise.matrix[np.ix_(rows, rows)]))


def _as_common(world: World) -> MetricPrivacy:
    """Return the composition with promises about the databases, each of which looks at f_i(D) only."""
    if world.common_domain:
        return world.composed()
    parts = zip(world.promises, world.maps, strict=True)
    pulled = [promise.pull(f, world.space.cls) for promise, f in parts]
    return compose(pulled, world.maps, on=world.space, common_domain=True)
