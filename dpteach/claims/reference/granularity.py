"""Granularities a second time, straight from the definitions.

Databases are tuples (graphs: frozensets of edges), distances are dictionaries {(D, D'): steps} found by walking from
neighbour to neighbour, and a mechanism is a dictionary {database: {output: fraction}}. Nothing here comes from
`dpteach.granularity` or `dpteach.notions`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

Distances = dict[tuple[Hashable, Hashable], float]
Laws = dict[Hashable, dict[Hashable, Fraction]]


# ---------------------------------------------------------------------------------------------------- databases


def multisets(records: Sequence, sizes: Iterable[int]) -> list[tuple]:
    """List the multisets with a size among the given ones, by running through all multiplicities."""
    sizes = set(sizes)
    counts = product(range(max(sizes) + 1), repeat=len(records))
    return [tuple(Counter(dict(zip(records, row, strict=True))).elements()) for row in counts if sum(row) in sizes]


def tables(records: Sequence, sizes: Iterable[int]) -> list[tuple]:
    """List the ordered tables with a size among the given ones."""
    return [table for size in sizes for table in product(records, repeat=size)]


def graphs(nodes: Sequence) -> list[frozenset]:
    """List the graphs on the given nodes, as sets of edges."""
    edges = list(combinations(nodes, 2))
    return [
        frozenset(e for e, there in zip(edges, row, strict=True) if there) for row in product((0, 1), repeat=len(edges))
    ]


def logs(users: Sequence, events: Sequence, cap: int) -> list[tuple]:
    """List the multisets of (user, event) in which every user has at most `cap` events."""
    one = multisets(events, range(cap + 1))
    return [
        tuple((u, e) for u, log in zip(users, row, strict=True) for e in log) for row in product(one, repeat=len(users))
    ]


# ---------------------------------------------------------------------------------------------------- neighbours


def difference(D: Iterable, E: Iterable) -> Counter:
    """Return the symmetric difference of two multisets: (D or E) without (D and E), with multiplicities."""
    one, two = Counter(D), Counter(E)
    return (one | two) - (one & two)


def apart(D: Iterable, E: Iterable) -> int:
    """Return the size of the symmetric difference."""
    return difference(D, E).total()


def added(D: Iterable, E: Iterable) -> bool:
    """Definition II.3: one record more or less."""
    return apart(D, E) == 1


def replaced(D: Sequence, E: Sequence) -> bool:
    """Definition II.4: one record changed, as many as before."""
    return len(D) == len(E) and apart(D, E) == 2


def anything(D: Hashable, E: Hashable) -> bool:
    """Free lunch: any two different databases."""
    return D != E


def rewired(D: frozenset, E: frozenset) -> bool:
    """All edges that differ have a node in common."""
    return D != E and bool(set.intersection(*(set(edge) for edge in D ^ E)))


def entry_changed(D: Sequence, E: Sequence) -> bool:
    """One entry of a table changed."""
    return in_window(1)(D, E)


def in_window(w: int) -> Callable[[Sequence, Sequence], bool]:
    """Return the relation: all entries that differ lie in some w consecutive places."""

    def related(D: Sequence, E: Sequence) -> bool:
        places = [n for n in range(min(len(D), len(E))) if D[n] != E[n]]
        return len(D) == len(E) and bool(places) and places[-1] - places[0] < w

    return related


def attribute_changed(D: Sequence[tuple], E: Sequence[tuple]) -> bool:
    """One attribute of one record changed, the other records (whatever their order) did not."""
    rest, other = list((Counter(D) - Counter(E)).elements()), list((Counter(E) - Counter(D)).elements())
    return len(rest) == len(other) == 1 and sum(a != b for a, b in zip(rest[0], other[0], strict=True)) == 1


def one_user(D: Iterable[tuple], E: Iterable[tuple]) -> bool:
    """All events that differ belong to one user."""
    return len({user for user, _ in difference(D, E)}) == 1


def one_user_came(D: Iterable[tuple], E: Iterable[tuple]) -> bool:
    """One database has all events of one user, the other none, and nothing else differs."""
    return one_user(D, E) and {user for user, _ in D} != {user for user, _ in E}


# ----------------------------------------------------------------------------------------------------- distances


def related_pairs(databases: Sequence, related: Callable) -> list[tuple]:
    """List the neighbouring pairs, in both orders."""
    return [(D, E) for D in databases for E in databases if D != E and related(D, E)]


def steps(databases: Sequence, related: Callable | Iterable[tuple]) -> Distances:
    """Return the number of steps between every two databases inside the list, breadth first; inf where no path leads.

    `related` is a function of two databases, or the list of the neighbouring pairs in both orders.
    """
    near = {D: [] for D in databases}
    for D, E in related_pairs(databases, related) if callable(related) else related:
        near[D].append(E)
    return {(D, E): reached.get(E, math.inf) for D in databases for reached in [walk(near, D)] for E in databases}


def walk(near: dict[Hashable, list], start: Hashable) -> dict[Hashable, int]:
    """Return how many steps every database that can be reached is away from a start."""
    reached, front = {start: 0}, [start]
    while front:
        new = dict.fromkeys(E for D in front for E in near[D] if E not in reached)
        reached |= dict.fromkeys(new, reached[front[0]] + 1)
        front = list(new)
    return reached


def is_metric(d: Distances, points: Sequence) -> bool:
    """Say whether distances are symmetric, zero on the diagonal, and satisfy the triangle inequality."""
    triangle = all(d[x, z] <= d[x, y] + d[y, z] for x, y, z in product(points, repeat=3))
    return triangle and all(d[x, y] == d[y, x] and d[x, x] == 0 for x, y in product(points, repeat=2))


def shortened(d: Distances, points: Sequence) -> Distances:
    """Return the largest metric below d, by allowing one more stop until nothing changes."""
    while True:
        new = {(x, z): min(d[x, y] + d[y, z] for y in points) for x, z in product(points, repeat=2)}
        if new == d:
            return d
        d = new


def factor(d2: Callable, d1: Callable, points: Sequence) -> float:
    """Return the least c with d2 <= c d1 wherever d1 is finite (Definition III.5)."""
    least = Fraction(0)
    for x, y in combinations(points, 2):
        if d1(x, y) < math.inf and d2(x, y) > 0:
            infinite = d1(x, y) == 0 or d2(x, y) == math.inf
            least = max(least, math.inf if infinite else Fraction(d2(x, y)) / Fraction(d1(x, y)))
    return least


def least_over_fibres(d: Distances, databases: Sequence, f: Callable) -> Distances:
    """Return d^f: the least distance between any two databases with the same values of f."""
    best: dict = {}
    for D, E in product(databases, repeat=2):
        key = f(D), f(E)
        best[key] = min(best.get(key, math.inf), d[D, E])
    return {(D, E): best[f(D), f(E)] for D, E in product(databases, repeat=2)}


def random_graph(rng: np.random.Generator, size: int, density: float = 0.4) -> list[tuple[int, int]]:
    """Draw neighbours among 0, ..., size - 1, listed in both orders."""
    drawn = [pair for pair in combinations(range(size), 2) if rng.random() < density]
    return drawn + [(j, i) for i, j in drawn]


def random_metric(rng: np.random.Generator, size: int, largest: int = 4) -> Distances:
    """Draw a metric of whole numbers on 0, ..., size - 1; some distances are infinite."""
    d = {(i, i): 0 for i in range(size)}
    for i, j in combinations(range(size), 2):
        d[i, j] = d[j, i] = math.inf if rng.random() < 0.6 else int(rng.integers(1, largest + 1))
    return shortened(d, range(size))


# ---------------------------------------------------------------------------------------------------- mechanisms


def random_laws(rng: np.random.Generator, databases: Sequence, outputs: int, zeros: float = 0.0) -> Laws:
    """Draw a mechanism; each output is impossible with probability `zeros`."""
    laws = {}
    for D in databases:
        weights = [int(w) * int(rng.random() >= zeros) for w in rng.integers(1, 20, outputs)]
        weights[0] += not any(weights)
        laws[D] = {y: Fraction(w, sum(weights)) for y, w in enumerate(weights)}
    return laws


def attaining(databases: Sequence, d: Distances, base) -> Laws:
    """Draw x0, print (x0, 1) with probability base^-d(x, x0) / 2, else (x0, 0): loss d log(base) at all pairs."""
    share, base = Fraction(1, len(databases)), Fraction(base)
    laws: Laws = {}
    for x in databases:
        ones = {x0: share / 2 / base ** d[x, x0] if d[x, x0] < math.inf else Fraction(0) for x0 in databases}
        laws[x] = {(x0, 1): p for x0, p in ones.items()} | {(x0, 0): share - p for x0, p in ones.items()}
    return laws


def ratio(p: dict, q: dict):
    """Return e^eps of two laws, the largest likelihood ratio in either direction; inf if an output tells them apart."""
    largest = Fraction(1)
    for y in {**p, **q}:
        a, b = p.get(y, 0), q.get(y, 0)
        if (a == 0) != (b == 0):
            return math.inf
        largest = max(largest, Fraction(a) / b, Fraction(b) / a) if a else largest
    return largest


def ratios(laws: Laws) -> Distances:
    """Return e^eps of every two databases."""
    return {(D, E): ratio(laws[D], laws[E]) for D in laws for E in laws}


def worst(laws: Laws, pairs: Iterable[tuple]):
    """Return the largest e^eps over pairs of databases; 1 if there are none."""
    return max((ratio(laws[D], laws[E]) for D, E in pairs), default=Fraction(1))


def keeps(laws: Laws, promised: Callable) -> bool:
    """Say whether e^eps is at most promised(D, E) at all pairs."""
    return all(ratio(laws[D], laws[E]) <= promised(D, E) for D, E in combinations(laws, 2))


def power(base, exponent):
    """Return base^exponent with inf for an infinite exponent, also for base 1: no promise stays none."""
    return math.inf if exponent == math.inf else Fraction(base) ** int(exponent)


def joint(*several: Laws) -> Laws:
    """Run mechanisms independently: the outputs are tuples, the probabilities multiply."""
    return {D: _product([laws[D] for laws in several]) for D in several[0]}


def _product(laws: Sequence[dict]) -> dict:
    rows = product(*(law.items() for law in laws))
    return {tuple(y for y, _ in row): math.prod((p for _, p in row), start=Fraction(1)) for row in rows}


def adaptive(first: Laws, second: Callable[[Hashable], Laws]) -> Laws:
    """Print y, then the output of the mechanism second(y) on the same database."""
    return {D: {(y, z): p * r for y, p in law.items() for z, r in second(y)[D].items()} for D, law in first.items()}


def after(laws: Laws, f: Callable, databases: Sequence) -> Laws:
    """Return the mechanism D -> M(f(D))."""
    return {D: laws[f(D)] for D in databases}


def printing(databases: Sequence, f: Callable = lambda D: D) -> Laws:
    """Return the mechanism that prints f(D) without noise."""
    return {D: {f(D): Fraction(1)} for D in databases}
