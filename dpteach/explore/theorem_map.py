"""The map of the composition theorems: where each stands, and how an arrow is run on random small worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ..granularity import DatabaseClass, Partition, bounded, times
from ..notions.implications import ARROWS, Arrow, Run, run
from ..notions.worlds import World, bounded_world, classic_world

RIGHT, DOWN = 0.38, 0.46  # from an adaptive theorem to its independent form
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
    maps, eps = Partition.by_record({"a": 1}), rng.integers(1, 4, 1).tolist()
    world = World(space, maps, maps.spaces(space), eps, common_domain=False)
    because = "the part of {a} and that of {b} differ in size, where bounded promises about parts say nothing"
    return Run(Arrow("IV.6", "IV.12", because), world, world.composed().matrix, times(eps[0], space.matrix))


FALSE = {
    "II.8 ⇏ IV.13": _bounded_is_not_parallel,
    "II.8 ⇏ II.6": _sequential_is_not_parallel,
    "IV.6 ⇏ IV.12": _common_domain_is_more,
}
BY_MECHANISMS = tuple(FALSE)[:2]  # refuted by what mechanisms lose; the third is a theorem that is silent
RUNS: dict[str, Callable] = {
    f"{a.source} ⇒ {a.target}": lambda rng, a=a: run(a.source, a.target, rng) for a in ARROWS
} | FALSE


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
    ends = ends_of(arrow)
    start, end = np.array([PLACES[name] for name in ends])
    across, down = end - start
    t = 0.3 if across == 0 else 0.6 if down == 0 else 0.5
    control = (start + end) / 2 + BENT.get(ends, 0.0) * np.array([down, -across])
    return tuple((1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end)


# -------------------------------------------------------------------------------------------------------- what is run


@lru_cache(maxsize=512)
def tried(arrow: str, worlds: int, seed: int) -> dict:
    """Run an arrow on random worlds, until one refutes it; return all points (stated, given) and the best pair."""
    rng, points, pairs, best = np.random.default_rng(seed), Counter(), 0, (-1.0, 0.0)
    shown = dict(pair=None, at=None, eps="", exact=arrow in BY_MECHANISMS)
    for ran in range(1, worlds + 1):  # noqa: B007 - needed below
        one = RUNS[arrow](rng)
        i, j = np.triu_indices(len(one.stated), 1)
        stated, given = one.stated[i, j], one.given[i, j]
        points.update(zip(stated.tolist(), given.tolist(), strict=True))
        pairs += len(i)
        if (found := closest(stated, given)) is not None and found[:2] > best:
            best, at = found[:2], found[2]
            labels = [one.world.space.cls.label(one.world.space.databases[m[at]]) for m in (i, j)]
            shown |= dict(pair=" and ".join(labels), at=(float(stated[at]), float(given[at])))
            shown |= dict(eps=", ".join(map(str, one.world.eps)))
        if not one.holds:
            break
    return shown | dict(points=points, pairs=pairs, ran=ran, refuted=not one.holds, because=one.arrow.because)


def closest(stated: np.ndarray, given: np.ndarray) -> tuple[float, float, int] | None:
    """Return the largest share of what is stated that is given, the largest such statement, and where; or None."""
    useful = np.flatnonzero((stated > 0) & np.isfinite(stated)).tolist()
    return max(((float(given[n] / stated[n]), float(stated[n]), n) for n in useful), default=None)
