"""What the files on GMPS, sections IV and V, share: losses in units of log 2, worst mechanisms, random classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

import numpy as np

from ...granularity import (
    DatabaseClass,
    Granularity,
    Partition,
    PrivacySpace,
    bounded,
    unbounded,
)
from ...notions import Pure
from ..entries import ensure
from ..reference import granularity as by_hand
from ..reference.granularity import Distances, Laws

SAME = "the library and the definition agree"
WORLDS = ("add or remove a record", "replace a record")  # the two kinds of random classes below


def exponent(ratio) -> float:
    """Return log2 of a likelihood ratio that must be a power of two, or infinite."""
    if ratio == math.inf:
        return math.inf
    n = int(ratio).bit_length() - 1
    ensure(ratio == 2**n, f"{ratio} is a power of two")
    return n


def losses(laws: Laws) -> Distances:
    """Return the exact loss between every two databases."""
    found = {(D, D): 0 for D in laws}
    for D, E in combinations(laws, 2):
        found[D, E] = found[E, D] = exponent(by_hand.ratio(laws[D], laws[E]))
    return found


def entries(told) -> Distances:
    """Return the matrix of a promise or a space of the library as {(D, D'): value}."""
    return {
        (D, E): x
        for D, row in zip(told.cls, told.matrix.tolist(), strict=True)
        for E, x in zip(told.cls, row, strict=True)
    }


def space_of(points: Sequence, d: Distances) -> PrivacySpace:
    """Return the library's space for a dictionary of distances."""
    return PrivacySpace(points, lambda x, y: d[x, y])


def budgeted(spaces: Sequence[PrivacySpace], eps: Sequence[int]) -> list[Pure]:
    """Return the promises eps_i d_i."""
    return [Pure(space, e) for space, e in zip(spaces, eps, strict=True)]


def add(several: Sequence[Distances]) -> Distances:
    """Add distances."""
    return {pair: sum(d[pair] for d in several) for pair in several[0]}


def values(f: Callable, databases: Sequence) -> list:
    """List the values of a map, each once."""
    return list(dict.fromkeys(f(D) for D in databases))


def extreme(databases: Sequence, f: Callable, d: Distances | Callable, eps: int = 1) -> Laws:
    """Give f(D) to a mechanism that loses exactly eps d at all pairs of values."""
    points = values(f, databases)
    near = {(x, y): d(x, y) for x, y in product(points, repeat=2)} if callable(d) else d
    return by_hand.after(by_hand.attaining(points, near, 2**eps), f, databases)


def extreme_steps(databases: Sequence, f: Callable, related: Callable, eps: int = 1) -> Laws:
    """Do so for the number of steps among the values of f."""
    return extreme(databases, f, by_hand.steps(values(f, databases), related), eps)


def least_distances(databases: Sequence, d: Distances, f: Callable) -> tuple[Distances, Distances]:
    """Return d^f and its metric closure."""
    raw, first = by_hand.least_over_fibres(d, databases, f), first_of_fibre(databases, f)
    closed = by_hand.shortened({pair: raw[pair] for pair in product(first.values(), repeat=2)}, list(first.values()))
    return raw, {(D, E): closed[first[f(D)], first[f(E)]] for D, E in raw}


def first_of_fibre(databases: Sequence, f: Callable) -> dict:
    """Return one database for each value of f."""
    return {f(D): D for D in reversed(list(databases))}


def extreme_dependent(databases: Sequence, d: Distances, f: Callable, eps: int = 1) -> Laws:
    """Return the mechanism that looks at f(D) only and loses exactly eps times the closure of d^f."""
    databases, first = list(databases), first_of_fibre(databases, f)
    _, closed = least_distances(databases, d, f)
    return by_hand.after(by_hand.attaining(list(first.values()), closed, 2**eps), lambda D: first[f(D)], databases)


def geometric_law(value: int, high: int, ratio: int = 2) -> dict[int, Fraction]:
    """Return value plus geometric noise, cut off at 0 and at `high`: differences of its distribution function."""
    b = Fraction(1, ratio)
    below = [b ** (value - n) / (1 + b) if n < value else 1 - b ** (n - value + 1) / (1 + b) for n in range(high)]
    return {n: x - y for n, (x, y) in enumerate(zip([*below, 1], [0, *below], strict=True))}


def part(block: Sequence) -> Callable:
    """Return the map that keeps the records of a block."""
    return lambda D: tuple(x for x in D if x in block)


def parts_of(*blocks: Sequence) -> list[Callable]:
    """Return these maps for several blocks."""
    return [part(block) for block in blocks]


def touched(blocks: Sequence, D: tuple, E: tuple) -> int:
    """Return I_p: how many blocks contain a record of the symmetric difference."""
    moved = by_hand.difference(D, E)
    return sum(any(x in block for x in moved) for block in blocks)


def random_maps(rng: np.random.Generator, k: int, values: int = 3) -> list[Callable]:
    """Draw maps of the databases 0, ..., 4 to a few values 0, 1, ..."""
    return [dict(enumerate(rng.integers(0, values, 5).tolist())).get for _ in range(k)]


@dataclass(frozen=True)
class Compatible:
    """A class of multisets, who is whose neighbour, and blocks of records of which one step touches at most one."""

    databases: list[tuple]
    related: Callable
    blocks: tuple[str, ...]
    granularity: Granularity

    @cached_property
    def d(self) -> Distances:
        return by_hand.steps(self.databases, self.related)

    @property
    def parts(self) -> list[Callable]:
        return parts_of(*self.blocks)

    @property
    def finite_pairs(self) -> list[tuple]:
        return [pair for pair in combinations(self.databases, 2) if self.d[pair] < math.inf]

    @cached_property
    def on_parts(self) -> list[Distances]:
        return [by_hand.steps(values(f, self.databases), self.related) for f in self.parts]

    def sum_of_parts(self, D: tuple, E: tuple) -> float:
        return sum(d[f(D), f(E)] for d, f in zip(self.on_parts, self.parts, strict=True))

    @property
    def compatible(self) -> bool:
        return all(touched(self.blocks, D, E) <= 1 for D, E in by_hand.related_pairs(self.databases, self.related))

    @property
    def meets_both_conditions(self) -> bool:
        near = [(D, E) for D, E in self.d if self.d[D, E] == 1]
        spread = max(
            (d[f(D), f(E)] for d, f in zip(self.on_parts, self.parts, strict=True) for D, E in near), default=0
        )
        return self.compatible and spread <= 1

    @cached_property
    def dependent_sums(self) -> tuple[Distances, Distances]:
        """The sums of d^p_i and of their closures."""
        least = [least_distances(self.databases, self.d, f) for f in self.parts]
        return add([raw for raw, _ in least]), add([closed for _, closed in least])

    def on_part(self, i: int, eps: int) -> Laws:
        """The worst mechanism on part i."""
        return extreme(self.databases, self.parts[i], self.on_parts[i], eps)

    def dependent(self, i: int, eps: int) -> Laws:
        """The worst mechanism on the common domain that looks at part i."""
        return extreme_dependent(self.databases, self.d, self.parts[i], eps)

    @cached_property
    def space(self):
        return self.granularity.on(DatabaseClass(self.databases, "multisets"))

    @property
    def partition(self) -> Partition:
        return Partition.by_record(self.blocks)


def random_compatible(rng: np.random.Generator, kind: str, size: int = 2, keep: int = 7) -> Compatible:
    """Draw some multisets of a, b, c, to which records are added; or some {a|b|c, x|y|z}, where one is replaced."""
    if kind == WORLDS[0]:
        pool, owner = by_hand.multisets("abc", range(size + 1)), rng.integers(0, 3, 3)
        blocks = tuple("".join(x for x, n in zip("abc", owner, strict=True) if n == i) for i in (0, 1))
        related, granularity = by_hand.added, unbounded
    else:
        pool, blocks, related, granularity = list(product("abc", "xyz")), ("abc", "xyz"), by_hand.replaced, bounded
    chosen = sorted(rng.choice(len(pool), min(keep, len(pool) - 2), replace=False).tolist())
    return Compatible([pool[n] for n in chosen], related, blocks, granularity)
