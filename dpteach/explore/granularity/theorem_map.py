"""The map of the composition theorems: where each stands, and how an arrow is run on random small worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from ...granularity import DatabaseClass, Partition, bounded, times
from ...notions.implications import ARROWS, NODES, Arrow, Run, run
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
BENT = {  # arrows that would hide others, and by how much they bend
    ("V.2", "V.5"): 0.22,
    ("V.5", "V.2"): 0.22,
    ("IV.1", "IV.11"): 0.22,
    ("IV.11", "IV.1"): 0.22,
    ("IV.6", "IV.12"): 0.22,
    ("IV.12", "IV.6"): 0.22,
    ("II.8", "II.6"): -0.35,
}


# -------------------------------------------------------------------------------------------------- arrows that fail


def _of_the_largest(world: World, source: str, target: str, because: str) -> Run:
    """Compare the exact loss of mechanisms that keep their promises with the largest promise."""
    stated = times(max(world.eps), world.space.matrix)
    return Run(Arrow(source, target, because), world, world.exponents(), stated)


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
    because = (
        "if the parts have bounded neighbours, too, those of {a} and {b} differ in size, and such promises say nothing "
        "about them"
    )
    given = world.composed().matrix
    stated = times(eps[0], space.matrix)
    return Run(Arrow("IV.6", "IV.12", because), world, given, stated)


FALSE = {
    "II.8 ⇏ IV.13": _bounded_is_not_parallel,
    "II.8 ⇏ II.6": _sequential_is_not_parallel,
    "IV.6 ⇏ IV.12": _common_domain_is_more,
}
BY_MECHANISMS = tuple(FALSE)[:2]  # refuted by what mechanisms lose; the third is a theorem that is silent
TRUE = {f"{arrow.source} ⇒ {arrow.target}": partial(run, arrow.source, arrow.target) for arrow in ARROWS}
RUNS: dict[str, Callable[[np.random.Generator], Run]] = TRUE | FALSE


# ----------------------------------------------------------------------------------------------------------- the map


def ends_of(arrow: str) -> tuple[str, str]:
    """Return source and target of an arrow."""
    source, _, target = arrow.split()
    return source, target


def in_words(arrow: str) -> str:
    """Say an arrow in words, with the names of its theorems."""
    source, target = ends_of(arrow)
    return f"{named(source)} {_verb(arrow)} {named(target)}"


def in_two_lines(arrow: str) -> str:
    """Say an arrow in words, in two lines that are as wide as the map."""
    source, target = ends_of(arrow)
    return f"{named(source)}\n{_verb(arrow)} {named(target)}"


def named(theorem: str) -> str:
    """Return a theorem's number and name."""
    return f"{theorem} ({NODES[theorem].name})"


def _verb(arrow: str) -> str:
    return "does not imply" if arrow in FALSE else "implies"


def dot(arrow: str) -> tuple[float, float]:
    """Return the point of an arrow at which it can be clicked: not where it crosses another one."""
    source, target = ends_of(arrow)
    start = np.array(PLACES[source])
    end = np.array(PLACES[target])
    across, down = end - start
    bend = BENT.get((source, target), 0.0) * np.array([down, -across])
    control = (start + end) / 2 + bend
    along = 0.5
    if across == 0:
        along = 0.3
    elif down == 0:
        along = 0.6
    first = (1 - along) * start + along * control  # by de Casteljau's rule for a curve with one control point
    second = (1 - along) * control + along * end
    return tuple((1 - along) * first + along * second)


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


@dataclass(frozen=True)
class Tried:
    """An arrow that was run on `ran` random worlds: how often each (stated, given) was found, and the best pair."""

    points: Counter[tuple[float, float]]
    best: Comparison | None
    exact: bool
    ran: int
    refuted: bool
    because: str


@lru_cache(maxsize=512)
def tried(arrow: str, worlds: int, seed: int) -> Tried:
    """Run an arrow on random worlds, until one refutes it."""
    seen = worlds_of(arrow, seed).first(worlds)
    points: Counter[tuple[float, float]] = Counter()
    for one in seen:
        points.update(one.points)
    found = [one.best for one in seen if one.best is not None]
    return Tried(
        points=points,
        best=max(found, key=lambda comparison: comparison.rank, default=None),
        exact=arrow in BY_MECHANISMS,
        ran=len(seen),
        refuted=not seen[-1].holds,
        because=seen[-1].because,
    )


class Seen(NamedTuple):
    """What was seen of an arrow in one world."""

    points: list[tuple[float, float]]
    best: Comparison | None
    holds: bool
    because: str


class Worlds:
    """The random worlds of an arrow and a seed, run one after the other and kept; one that refutes it is the last."""

    def __init__(self, arrow: str, seed: int):
        self.run = RUNS[arrow]
        self.rng = np.random.default_rng(seed)
        self.seen: list[Seen] = []

    def first(self, number: int) -> list[Seen]:
        """Return what is seen in at most so many worlds."""
        while len(self.seen) < number and all(one.holds for one in self.seen):
            one = self.run(self.rng)
            self.seen.append(Seen(all_points(one), closest(one), one.holds, one.arrow.because))
        return self.seen[:number]


@lru_cache(maxsize=512)
def worlds_of(arrow: str, seed: int) -> Worlds:
    """Return the worlds of an arrow and a seed, the same ones whenever they are asked for."""
    return Worlds(arrow, seed)


def all_points(one: Run) -> list[tuple[float, float]]:
    """Return (stated, given) of all pairs of databases of a world."""
    above = np.triu_indices(len(one.stated), 1)
    return list(zip(one.stated[above].tolist(), one.given[above].tolist(), strict=True))


def closest(one: Run) -> Comparison | None:
    """Return the pair of databases at which the largest share of what is stated is given, or None."""
    useful = np.argwhere(np.triu((one.stated > 0) & np.isfinite(one.stated), 1))
    if not len(useful):
        return None
    i, j = useful.T
    stated = one.stated[i, j]
    order = np.lexsort([np.arange(len(useful)), stated, one.given[i, j] / stated])  # the last one is the best
    return compared(one, *useful[order[-1]])


def compared(one: Run, i: int, j: int) -> Comparison:
    """Return what is stated and given at the i-th and the j-th database."""
    cls = one.world.space.cls
    return Comparison(
        stated=float(one.stated[i, j]),
        given=float(one.given[i, j]),
        pair=f"{cls.label(cls.databases[i])} and {cls.label(cls.databases[j])}",
        eps=", ".join(map(str, one.world.eps)),
    )
