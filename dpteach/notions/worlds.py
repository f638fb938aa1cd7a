"""Random small worlds, on which a theorem can be tried between all pairs of databases.

A world is a composition: a space of databases, maps, and one promise a mechanism. Mechanisms that lose exactly what
they promise at all pairs (`FiniteMechanism.attaining`) make the comparison sharp: a bound that is too small anywhere
is refuted there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .. import checks
from ..granularity.databases import MOST_DATABASES, DatabaseClass
from ..granularity.extended import closure
from ..granularity.granularities import Granularity, bounded, unbounded
from ..granularity.partition import Maps, Partition
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class
from .composition import compose
from .finite import FiniteMechanism
from .privacy import Pure
from .promise import MetricPrivacy

__all__ = [
    "World",
    "bounded_world",
    "classic_world",
    "common_world",
    "disjoint_world",
    "exponents",
    "general_world",
    "random_kernel",
    "random_maps",
    "random_metric",
    "random_space",
    "sequential_world",
]

MOST_MAPS = 1000  # of a random world
FAR = 0.15  # share of the distances that a random metric makes infinite before shortest paths


@dataclass(frozen=True, eq=False)
class World:
    """Mechanism i promises `eps[i]` times the metric of `spaces[i]`, in units of log 2, about what map i gives it."""

    space: NeighbourSpace
    maps: Maps
    spaces: list[PrivacySpace]
    eps: list[int]
    common_domain: bool

    @property
    def promises(self) -> list[Pure]:
        """What each mechanism promises."""
        return [Pure(space, eps) for space, eps in zip(self.spaces, self.eps, strict=True)]

    def composed(self, **how: Any) -> MetricPrivacy:
        """Return what the composition theorem makes of the promises."""
        return compose(self.promises, self.maps, on=self.space, common_domain=self.common_domain, **how)

    def mechanisms(self) -> list[FiniteMechanism]:
        """Return mechanisms on the databases that lose as much as the promises allow, at all pairs at once."""
        made = []
        for promise, f in zip(self.promises, self.maps, strict=True):
            alone = compose([promise], [f], on=self.space, common_domain=self.common_domain)
            promised = PrivacySpace(self.space.cls, alone.matrix)
            made.append(FiniteMechanism.attaining(promised, ratio=2))
        return made

    def exponents(self) -> np.ndarray:
        """Return the exact loss of the composed mechanisms between all pairs, in units of log 2."""
        first, *others = self.mechanisms()
        for other in others:
            first = first @ other
        return exponents(first)


def exponents(mechanism: FiniteMechanism) -> np.ndarray:
    """Return log2 of the exact likelihood ratios between all pairs, which must be powers of two."""
    if not isinstance(mechanism, FiniteMechanism):
        raise ValueError(f"mechanism must be a FiniteMechanism, not {checks.shorten(mechanism)}")
    powers = {2**n: float(n) for n in range(1024)}
    powers[np.inf] = np.inf
    if odd := set(mechanism.ratios.flat) - powers.keys():
        raise ValueError(f"mechanism must have powers of two as its ratios, not {checks.shorten(odd.pop())}")
    return np.array([[powers[x] for x in row] for row in mechanism.ratios.tolist()])


def random_space(rng: np.random.Generator, size: int = 5, density: float = 0.4) -> NeighbourSpace:
    """Return a random graph of neighbours on the databases 0, 1, ..., size - 1."""
    size = checks.count("size", size, high=MOST_DATABASES)
    density = checks.scalar("density", density, low=0, high=1)
    chosen = checks.generator(rng).random((size, size)) < density
    pairs = np.argwhere(np.triu(chosen, 1)).tolist()
    return Granularity([tuple(pair) for pair in pairs], "random").on(range(size))


def random_metric(rng: np.random.Generator, cls: DatabaseClass, largest: int = 4) -> PrivacySpace:
    """Return a random metric of whole numbers on a class; some distances are infinite."""
    cls = as_class(cls)
    rng = checks.generator(rng)
    largest = checks.count("largest", largest, low=1)
    shape = (len(cls), len(cls))
    far = rng.random(shape) < FAR
    steps = np.where(far, np.inf, rng.integers(1, largest + 1, shape).astype(float))
    steps = np.triu(steps, 1)
    return PrivacySpace(cls, closure(steps + steps.T))


def random_maps(rng: np.random.Generator, cls: DatabaseClass, k: int = 2, values: int = 3) -> Maps:
    """Return k random maps of the databases to a few values."""
    cls = as_class(cls)
    k = checks.count("k", k, low=1, high=MOST_MAPS)
    values = checks.count("values", values, low=1)
    tables = checks.generator(rng).integers(0, values, (k, len(cls))).tolist()
    return Maps([dict(zip(cls, table, strict=True)) for table in tables])


def general_world(rng: np.random.Generator, k: int = 2) -> World:
    """Return any maps and any metrics on their values (the hypotheses of Theorem IV.1)."""
    space = random_space(rng)
    maps = random_maps(rng, space.cls, k)
    spaces = [random_metric(rng, maps.image(i, space.cls)) for i in range(k)]
    return World(space, maps, spaces, _levels(rng, k), False)


def common_world(rng: np.random.Generator, k: int = 2) -> World:
    """Return any maps, and metrics on the databases themselves (Theorem IV.11)."""
    space = random_space(rng)
    spaces = [random_metric(rng, space.cls) for _ in range(checks.count("k", k, low=1, high=MOST_MAPS))]
    return World(space, random_maps(rng, space.cls, k), spaces, _levels(rng, k), True)


def sequential_world(rng: np.random.Generator, k: int = 2) -> World:
    """Return metrics on the databases, which every mechanism is given (Theorem IV.3)."""
    world = common_world(rng, k)
    return World(world.space, Maps([_same] * k), world.spaces, world.eps, False)


def disjoint_world(rng: np.random.Generator, common_domain: bool = False) -> World:
    """Return a compatible partition with sensitivities at most 1 (Theorem IV.6), or IV.12's common domain.

    Either records are added and removed and split by what they are, or rows are changed and split by their number.
    """
    common_domain = checks.truth("common_domain", common_domain)
    by_record = checks.generator(rng).random() < 0.5
    a, b, c = rng.integers(1, 3, 3).tolist()
    if by_record:
        space = unbounded.on(DatabaseClass.multisets("abc", at_most=2))
        maps = Partition.by_record({"a": a, "b": b, "c": c}, parts=[1, 2])
    else:
        space = bounded.on(DatabaseClass.ordered("ab", exactly=3))
        maps = Partition.by_order({1: a, 2: b, 3: c}, parts=[1, 2])
    spaces = [space, space] if common_domain else maps.spaces(space)
    return World(space, maps, spaces, _levels(rng, 2), common_domain)


def bounded_world(rng: np.random.Generator) -> World:
    """Return bounded promises on a common domain, over three blocks of records (Corollary IV.13)."""
    checks.generator(rng)
    space = bounded.on(DatabaseClass.multisets("abc", at_most=2))
    return World(space, Partition.by_record(["a", "b", "c"]), [space] * 3, _levels(rng, 3), True)


def classic_world(rng: np.random.Generator, parallel: bool) -> World:
    """Return unbounded promises on multisets, about the whole database or about disjoint blocks of records."""
    checks.generator(rng)
    space = unbounded.on(DatabaseClass.multisets("ab", at_most=2))
    if checks.truth("parallel", parallel):
        maps = Partition.by_record(["a", "b"])
        return World(space, maps, maps.spaces(space), _levels(rng, 2), False)
    return World(space, Maps([_same, _same]), [space, space], _levels(rng, 2), False)


def random_kernel(rng: np.random.Generator, outputs: int = 3) -> Callable[..., Any]:
    """Return a random exact post-processing into a few outputs."""
    rng = checks.generator(rng)
    laws: dict = {}

    def kernel(y):
        if y not in laws:
            weights = rng.integers(0, 6, outputs).tolist()
            if not any(weights):
                weights[0] = 1
            laws[y] = {z: Fraction(weight, sum(weights)) for z, weight in enumerate(weights)}
        return laws[y]

    return kernel


def _levels(rng: np.random.Generator, k: int) -> list[int]:
    return rng.integers(1, 4, k).tolist()


def _same(D):
    return D
