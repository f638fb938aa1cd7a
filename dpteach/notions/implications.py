"""The implication map (GMPS, Figure 1): which composition theorem follows from which, and why; every arrow runs.

An arrow A -> B is tried on a random world that satisfies the hypotheses of B: seen as a world of A, the theorem A must
give at every pair of databases at most what B states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import checks
from ..granularity.extended import times
from ..granularity.space import PrivacySpace
from ..table import Table
from . import worlds
from .composition import Composed, compose
from .privacy import Pure
from .worlds import World


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
    images = [[f(D) for D in world.space.databases] for f in world.maps]
    return sum(e * s.matrix_at(x) for e, s, x in zip(world.eps, world.spaces, images, strict=True))


def _dependent_sum(world: World) -> np.ndarray:
    return sum(g.dependent_on(f).matrix for g, f in zip(world.promises, world.maps, strict=True))


def _largest(world: World) -> np.ndarray:
    return times(max(world.eps), world.space.matrix)


def _two_largest(world: World) -> np.ndarray:
    return times(sum(sorted(world.eps)[-2:]), world.space.matrix)


def _sum(world: World) -> np.ndarray:
    return times(sum(world.eps), world.space.matrix)


def _sequential(parallel: bool) -> Callable:
    return lambda rng: worlds.classic_world(rng, parallel)


NODES = {
    "II.5": Theorem("sequential composition (Dwork et al.)", True, False, _sequential(False), _sum),
    "II.6": Theorem("independent sequential composition", False, False, _sequential(False), _sum),
    "II.7": Theorem("adaptive sequential composition", True, False, _sequential(False), _sum),
    "II.8": Theorem("parallel composition (McSherry)", False, False, _sequential(True), _largest),
    "APC": Theorem("adaptive parallel composition", True, False, _sequential(True), _largest),
    "IV.1": Theorem("independent composition", False, False, worlds.general_world, _pulled_sum),
    "IV.3": Theorem(
        "generalized independent sequential composition", False, False, worlds.sequential_world, _pulled_sum
    ),
    "IV.6": Theorem("best bound for disjoint inputs", False, False, worlds.disjoint_world, _largest),
    "IV.11": Theorem("independent composition, common domain", False, True, worlds.common_world, _dependent_sum),
    "IV.12": Theorem(
        "best bound for disjoint inputs, common domain",
        False,
        True,
        lambda rng: worlds.disjoint_world(rng, True),
        _largest,
    ),
    "IV.13": Theorem("bounded privacy over disjoint records", False, True, worlds.bounded_world, _two_largest),
    "V.2": Theorem("adaptive composition", True, False, worlds.general_world, _pulled_sum),
    "V.3": Theorem("generalized adaptive sequential composition", True, False, worlds.sequential_world, _pulled_sum),
    "V.4": Theorem("adaptive best bound for disjoint inputs", True, False, worlds.disjoint_world, _largest),
    "V.5": Theorem("adaptive composition, common domain", True, True, worlds.common_world, _dependent_sum),
    "V.6": Theorem(
        "adaptive best bound, common domain", True, True, lambda rng: worlds.disjoint_world(rng, True), _largest
    ),
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
    reached, waiting = set(), [checks.choice("start", start, tuple(NODES))]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += [arrow.target for arrow in ARROWS if arrow.source == here]
    return reached


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
        pair = " and ".join(self.world.space.cls.label(self.world.space.databases[n]) for n in (i, j))
        rows = [
            ("hypotheses", f"{len(self.world.eps)} mechanisms, eps = {', '.join(map(str, self.world.eps))}"),
            ("pairs compared", len(self.stated) * (len(self.stated) - 1) // 2),
            ("largest gap at", pair),
            (f"{self.arrow.source} gives", float(self.given[i, j])),
            (f"{self.arrow.target} states", float(self.stated[i, j])),
            ("implied at all pairs", self.holds),
        ]
        return Table(rows, ["", self.arrow.because])


def run(source: str, target: str, rng: np.random.Generator) -> Run:
    """Try one arrow on a random world of its target."""
    arrow = next((a for a in ARROWS if (a.source, a.target) == (source, target)), None)
    if arrow is None:
        raise ValueError(f"source and target must be an arrow of the map, not {source!r} and {target!r}")
    world = NODES[target].draw(checks.generator(rng))
    return Run(arrow, world, _seen_by(NODES[source], NODES[target], world), NODES[target].states(world))


def _seen_by(source: Theorem, target: Theorem, world: World) -> np.ndarray:
    """Return what the source theorem says about the target's world."""
    promise = _as_common(world) if source.common_domain else _as_general(world)
    about_neighbours = target.states in (_largest, _two_largest, _sum)
    if not about_neighbours:
        return promise.matrix
    return times(float(promise.level(world.space)), world.space.matrix)


def _as_general(world: World) -> Composed:
    """Return the composition with promises about the values of the maps."""
    if not world.common_domain:
        return world.composed()
    made = [g.dependent_on(f) for g, f in zip(world.promises, world.maps, strict=True)]
    targets = [_on_values(g, f, world) for g, f in zip(made, world.maps, strict=True)]
    return compose(targets, world.maps, on=world.space)


def _on_values(g: Pure, f: Callable, world: World) -> Pure:
    """Return a promise that depends on f(D) only as one about f(D)."""
    first = {f(D): n for n, D in reversed(list(enumerate(world.space.databases)))}
    rows = list(first.values())
    return Pure(PrivacySpace(list(first), g.matrix[np.ix_(rows, rows)]))


def _as_common(world: World) -> Composed:
    """Return the composition with promises about the databases, each of which looks at f_i(D) only."""
    if world.common_domain:
        return world.composed()
    pulled = [g.pull(f, world.space.cls) for g, f in zip(world.promises, world.maps, strict=True)]
    return compose(pulled, world.maps, on=world.space, common_domain=True)
