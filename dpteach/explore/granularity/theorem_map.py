"""The map of the composition theorems: where each stands, and how an arrow is run on random small worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from ...granularity import DatabaseClass, Partition, bounded, times
from ...notions.implications import ARROWS, Arrow, Run, run
from ...notions.worlds import World, bounded_world, classic_world

RIGHT = 0.38  # from an adaptive theorem to its independent form
DOWN = 0.46
ADAPTIVE = {
    "V.3": (0, 2), "V.2": (1, 2), "V.5": (2, 2), "II.7": (0, 1), "V.4": (1, 1), "V.6": (2, 1), "APC": (1, 0),
}  # fmt: skip
INDEPENDENT = {
    "IV.3": (0, 2), "IV.1": (1, 2), "IV.11": (2, 2), "II.6": (0, 1), "IV.6": (1, 1), "IV.12": (2, 1), "II.8": (1, 0),
}  # fmt: skip
PLACES = ADAPTIVE | {name: (x + RIGHT, y - DOWN) for name, (x, y) in INDEPENDENT.items()}
PLACES |= {"II.5": (-0.55, 1.25), "IV.13": (2.85, 0.6)}
BENT = {ends: 0.22 for ends in (("V.2", "V.5"), ("IV.1", "IV.11"), ("IV.6", "IV.12"))}
BENT |= {(target, source): rad for (source, target), rad in BENT.items()} | {("II.8", "II.6"): -0.35}


# -------------------------------------------------------------------------------------------------- arrows that fail


def _of_the_largest(world: World, source: str, target: str, because: str) -> Run:
    """Compare the exact loss of mechanisms that keep their promises with the largest promise."""
    return Run(Arrow(source, target, because), world, world.exponents(), times(max(world.eps), world.space.matrix))


def _bounded_is_not_parallel(rng: np.random.Generator) -> Run:
    because = "one changed record touches two parts, so the largest ε alone is too small (Example II.9)"
    return _of_the_largest(bounded_world(rng), "II.8", "IV.13", because)


def _sequential_is_not_parallel(rng: np.random.Generator) -> Run:
    because = "mechanisms that are all given the whole database add up, so the largest ε alone is too small"
    return _of_the_largest(classic_world(rng, parallel=False), "II.8", "II.6", because)


def _common_domain_is_more(rng: np.random.Generator) -> Run:
    """Compare what Theorem IV.6 can say about {a} and {b}, of which one mechanism sees the a, with Theorem IV.12."""
    space = bounded.on(DatabaseClass.multisets("ab", exactly=1))
    maps = Partition.by_record({"a": 1})
    eps = rng.integers(1, 4, 1).tolist()
    world = World(space, maps, maps.spaces(space), eps, common_domain=False)
    because = "the part of {a} and that of {b} differ in size, where bounded promises about parts say nothing"
    given = world.composed().matrix
    stated = times(eps[0], space.matrix)
    return Run(Arrow("IV.6", "IV.12", because), world, given, stated)


FALSE = {
    "II.8 ⇏ IV.13": _bounded_is_not_parallel,
    "II.8 ⇏ II.6": _sequential_is_not_parallel,
    "IV.6 ⇏ IV.12": _common_domain_is_more,
}
BY_MECHANISMS = tuple(FALSE)[:2]  # refuted by what mechanisms lose; the third is a theorem that is silent
RUNS: dict[str, Callable] = {f"{a.source} ⇒ {a.target}": partial(run, a.source, a.target) for a in ARROWS} | FALSE


# ----------------------------------------------------------------------------------------------------------- the map


def ends_of(arrow: str) -> tuple[str, str]:
    """Return source and target of an arrow."""
    source, _, target = arrow.split()
    return source, target


def title(arrow: str) -> str:
    """Say an arrow in words."""
    source, target = ends_of(arrow)
    return f"{source} does not imply {target}" if arrow in FALSE else f"{source} implies {target}"


def dot(arrow: str) -> tuple[float, float]:
    """Return the point of an arrow at which it can be clicked: not where it crosses another one."""
    source, target = ends_of(arrow)
    start = np.array(PLACES[source])
    end = np.array(PLACES[target])
    across, down = end - start
    bend = BENT.get((source, target), 0.0) * np.array([down, -across])
    control = (start + end) / 2 + bend
    t = 0.5  # how far along the arrow
    if across == 0:
        t = 0.3
    elif down == 0:
        t = 0.6
    return tuple((1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end)


# -------------------------------------------------------------------------------------------------------- what is run


@dataclass(frozen=True)
class Comparison:
    """What is stated and what is given at one pair of databases of a world."""

    stated: float
    given: float
    pair: str
    eps: str

    @property
    def rank(self) -> tuple[float, float]:
        """The share of what is stated that is given; among equals, the larger statement."""
        return self.given / self.stated, self.stated


@lru_cache(maxsize=512)
def tried(arrow: str, worlds: int, seed: int) -> dict:
    """Run an arrow on random worlds, until one refutes it; return all points (stated, given) and the best pair."""
    rng = np.random.default_rng(seed)
    points: Counter = Counter()
    best = None
    runs = []
    while len(runs) < worlds and all(one.holds for one in runs):
        one = RUNS[arrow](rng)
        runs.append(one)
        above = np.triu_indices(len(one.stated), 1)
        points.update(zip(one.stated[above].tolist(), one.given[above].tolist(), strict=True))
        found = closest(one)
        if found is not None and (best is None or found.rank > best.rank):
            best = found
    return dict(
        pair=best and best.pair,
        at=best and (best.stated, best.given),
        eps=best.eps if best else "",
        exact=arrow in BY_MECHANISMS,
        points=points,
        pairs=points.total(),
        ran=len(runs),
        refuted=not runs[-1].holds,
        because=runs[-1].arrow.because,
    )


def closest(one: Run) -> Comparison | None:
    """Return the pair of databases at which the largest share of what is stated is given, or None."""
    useful = np.triu((one.stated > 0) & np.isfinite(one.stated), 1)
    if not useful.any():
        return None
    cls = one.world.space.cls
    eps = ", ".join(map(str, one.world.eps))
    comparisons = []
    for i, j in np.argwhere(useful):
        pair = f"{cls.label(cls.databases[i])} and {cls.label(cls.databases[j])}"
        comparisons.append(Comparison(float(one.stated[i, j]), float(one.given[i, j]), pair, eps))
    best = max(comparison.rank for comparison in comparisons)
    return [comparison for comparison in comparisons if comparison.rank == best][-1]
