"""Bounded leakage a second time, straight from the definitions.

A world is a dictionary {database: {(leaked value, output): probability}} of fractions, and everything is found by
running through coins, neighbours, leaked values and events. Nothing here comes from `dpteach.leakage`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np

from . import basics as reference

FEW = 6  # up to so many outputs all events are tried; beyond, the outputs one by one


# ----------------------------------------------------------------------------------------------------- worlds


def evenly(values: Sequence) -> list[tuple]:
    """Return equally likely coins: a list of (r, probability)."""
    return [(r, Fraction(1, len(values))) for r in values]


def coin(bias) -> list[tuple]:
    """Return a coin that shows 1 with probability `bias`."""
    return [(0, 1 - Fraction(bias)), (1, Fraction(bias))]


def together(*coins: Sequence[tuple]) -> list[tuple]:
    """Return independent coins, tossed together."""
    return [(tuple(r for r, _ in row), math.prod(w for _, w in row)) for row in product(*coins)]


def world(databases: Sequence, coins: Sequence[tuple], mechanism: Callable, leak: Callable | None = None) -> dict:
    """Run a mechanism and a leak on every database with all coins; without a leak, None leaks."""
    table = {x: defaultdict(Fraction) for x in databases}
    for x, (r, weight) in product(databases, coins):
        table[x][leak(x, r) if leak else None, mechanism(x, r)] += weight
    return table


def masked(x: Sequence[int], key: Sequence[int]) -> tuple[int, ...]:
    """Return bits added to a key, modulo 2."""
    return tuple((a + b) % 2 for a, b in zip(x, key, strict=True))


def changed(world: dict, name: Callable) -> dict:
    """Rename every cell (leaked value, output) of a world."""
    table = {x: defaultdict(Fraction) for x in world}
    for x, cells in world.items():
        for (o, m), weight in cells.items():
            table[x][name(o, m)] += weight
    return table


def plain(world: dict) -> dict:
    """Forget the leak."""
    return changed(world, lambda o, m: (None, m))


def joined(world: dict) -> dict:
    """Publish the leak with the output, as one mechanism without a leak."""
    return changed(world, lambda o, m: (None, (m, o)))


def revealed(world: dict) -> dict:
    """Append the leak to the output, and leak it as before."""
    return changed(world, lambda o, m: (o, (m, o)))


def only_leak(world: dict) -> dict:
    """Take the leak for the output, and leak nothing."""
    return changed(world, lambda o, m: (None, o))


def side_by_side(*worlds: dict) -> dict:
    """Run several worlds with fresh coins each."""
    table = {x: {} for x in worlds[0]}
    for x in table:
        for cells in product(*(w[x].items() for w in worlds)):
            leaks, outputs = zip(*(cell for cell, _ in cells), strict=True)
            table[x][leaks, outputs] = math.prod(weight for _, weight in cells)
    return table


def random_world(rng: np.random.Generator, databases: Sequence, leaks: int = 2, outputs: int = 2, least: int = 0):
    """Draw a world; every cell has at least `least` sixtieths before all are scaled to sum to one."""
    cells = list(product(range(leaks), range(outputs)))
    total = 60 + least * len(cells)
    laws = {x: reference.random_law(rng, len(cells)) for x in databases}
    return {x: {c: (60 * w + least) / total for c, w in zip(cells, law, strict=True)} for x, law in laws.items()}


def random_independent_world(rng: np.random.Generator, databases: Sequence, leaks: int = 2, outputs: int = 2) -> dict:
    """Draw a world whose leak and output are independent on every database."""
    drawn = {x: (reference.random_law(rng, leaks), reference.random_law(rng, outputs)) for x in databases}
    return {
        x: {(o, m): a * b for o, a in enumerate(first) for m, b in enumerate(second)}
        for x, (first, second) in drawn.items()
    }


# ------------------------------------------------------------------------------------------------- definitions


def given(cells: dict, o) -> dict:
    """Return the law of the output given that o leaked, {} if it cannot leak."""
    total = sum(weight for (leaked, _), weight in cells.items() if leaked == o)
    return {m: weight / total for (leaked, m), weight in cells.items() if leaked == o} if total else {}


def outputs(cells: dict) -> dict:
    """Return the law of the output."""
    law = defaultdict(Fraction)
    for (_, m), weight in cells.items():
        law[m] += weight
    return law


def leaks(cells: dict) -> set:
    """Return the values that leak with positive probability."""
    return {o for (o, _), weight in cells.items() if weight > 0}


def apart(x, y) -> int:
    """Return in how many entries two databases differ; those that are no tuples have one entry."""
    x, y = (z if isinstance(z, tuple) else (z,) for z in (x, y))
    return sum(a != b for a, b in zip(x, y, strict=True))


def aligned(p: dict, q: dict) -> tuple[list, list]:
    """Return two laws as lists over the outputs of either."""
    names = list({**p, **q})
    return [p.get(m, 0) for m in names], [q.get(m, 0) for m in names]


def facing(world: dict, x, y, o=None) -> tuple[list, list]:
    """Return M(x) | o and M(y) | o as lists."""
    return aligned(given(world[x], o), given(world[y], o))


def ratio_given(world: dict, o, x=0, y=1):
    """Return the least e^eps between two databases given o, in both orders."""
    p, q = facing(world, x, y, o)
    return max(least_ratio(p, q), least_ratio(q, p))


def comparisons(world: dict, distance: int = 1) -> list[tuple[list, list]]:
    """Return M(x) | o and M(x') | o, in both orders, for databases so far apart that can both leak o."""
    pairs = [(x, y) for x, y in permutations(world, 2) if apart(x, y) == distance]
    return [facing(world, x, y, o) for x, y in pairs for o in leaks(world[x]) & leaks(world[y])]


def excess(p: Sequence, q: Sequence, ratio):
    """Return the largest P(S) - ratio Q(S)."""
    return (reference.delta_by_events if len(p) <= FEW else reference.hockey_stick)(p, q, ratio)


def delta(world: dict, ratio):
    """Return the least delta of Definition 2 at e^eps = ratio, None if there is nothing to compare."""
    return max((excess(p, q, ratio) for p, q in comparisons(world)), default=None)


def ratio(world: dict, delta=0):
    """Return the least e^eps of Definition 2 at this delta, None if there is nothing to compare."""
    return max((least_ratio(p, q, delta) for p, q in comparisons(world)), default=None)


def least_ratio(p: Sequence, q: Sequence, delta=0):
    """Return the least ratio for one order of one pair: by all events, or by single outputs if delta = 0."""
    if delta:
        return reference.ratio_by_events(p, q, delta)
    return max([1, *(math.inf if b == 0 else a / b for a, b in zip(p, q, strict=True) if a)])


def dependence(world: dict, ratio):
    """Return the least delta' of Definition 8 at e^eps' = ratio: given the leak against not given, both orders."""
    pairs = [aligned(given(cells, o), outputs(cells)) for cells in world.values() for o in leaks(cells)]
    return max(max(excess(p, q, ratio), excess(q, p, ratio)) for p, q in pairs)


def scaled(world: dict, ratio):
    """Return the least delta of the notion of Remark 19, databases at any distance compared."""
    people = max(apart(x, y) for x, y in combinations(world, 2))
    steps = {d: [excess(p, q, ratio**d) for p, q in comparisons(world, d)] for d in range(1, people + 1)}
    return max((e / sum(ratio**i for i in range(d)) for d, found in steps.items() for e in found), default=None)


# ------------------------------------------------------------------------------------------- the adaptive game


def transcripts(adversary: Callable, k: int, b: int, view: tuple = ()) -> dict:
    """Return the law of the adversary's view in experiment b; adversary(view) asks (world, x0, x1, o)."""
    if k == 0:
        return {view: Fraction(1)}
    table, *databases, o = adversary(view)
    laws = [given(table[x], o) for x in databases]
    law = laws[b] if all(laws) else {"null": Fraction(1)}
    rest = {m: transcripts(adversary, k - 1, b, (*view, m)) for m, w in law.items() if w}
    return {v: law[m] * weight for m, later in rest.items() for v, weight in later.items()}


def strategies(queries: Sequence[tuple[list, list]], k: int) -> Iterator[list[tuple]]:
    """Run through all adaptive strategies of k rounds: the probabilities of their views in the two experiments."""
    if k == 0:
        yield [(Fraction(1), Fraction(1))]
        return
    later = list(strategies(queries, k - 1))
    for p, q in queries:
        for plans in product(later, repeat=len(p)):
            yield [(a * c, b * d) for a, b, plan in zip(p, q, plans, strict=True) for c, d in plan]


def best_strategy(worlds: Sequence[dict], k: int, ratio):
    """Return the largest delta that any adaptive adversary reaches, all of them tried."""
    queries = {tuple(sorted(zip(p, q, strict=True))) for world in worlds for p, q in comparisons(world)}
    queries = [tuple(zip(*query, strict=True)) for query in queries]
    return max(sum(max(a - ratio * b, 0) for a, b in views) for views in strategies(queries, k))


def optimum(ratio, delta, k: int, at):
    """Return KOV's optimum 1 - (1 - delta)^k (1 - s) for k mechanisms, s the excess of k coins; exact."""
    return 1 - (1 - delta) ** k * (1 - reference.excess_of_coins(k, ratio, at))


# ------------------------------------------------------------------------------------- independence, the big world


def corner_optimum(weight: float, ratio: float, delta: float, shared_ratio: float, shared_delta: float) -> float:
    """Return the worst case of Theorem 9 where the telling value leaks with this weight, by all corners.

    Unknown are Pr[M = 1], given that value and given another, on x and on x'. All promises are linear in them, so
    that the best point is a corner: where four of the inequalities are equalities.
    """
    p_o, p_rest, q_o, q_rest = np.eye(4)
    p, q = weight * p_o + (1 - weight) * p_rest, weight * q_o + (1 - weight) * q_rest
    near = [(v, law, shared_ratio, shared_delta) for v, law in ((p_o, p), (p_rest, p), (q_o, q), (q_rest, q))]
    cuts = [*((v, 1.0) for v in np.eye(4)), *((-v, 0.0) for v in np.eye(4))]
    for one, two, a, d in [*near, (p, q, ratio, delta)]:
        for u, v in ((one, two), (two, one)):  # u <= a v + d, and the same for the other output
            cuts += [(u - a * v, d), (a * u - v, a - 1 + d)]
    rows, ends = np.array([row for row, _ in cuts]), np.array([end for _, end in cuts])
    chosen = np.array(list(combinations(range(len(cuts)), 4)))
    chosen = chosen[np.abs(np.linalg.det(rows[chosen])) > 1e-9]
    corners = np.linalg.solve(rows[chosen], ends[chosen][..., None])[..., 0]
    corners = corners[np.all(corners @ rows.T <= ends + 1e-9, axis=1)]
    return float(np.max(corners @ (p_o - ratio * shared_ratio**2 * q_o)))


def studies_world(studies: Sequence[Callable], joins: dict, leak: Callable) -> dict:
    """Return the world of several studies: joins[x] is the law of the vector of joined studies, leak(x, v) is known.

    A study is a function of a person's state, her data or "absent", that returns the law of its output.
    """
    table = {x: defaultdict(Fraction) for x in joins}
    for x, law in joins.items():
        for v, weight in law.items():
            answers = [study(x if there else "absent").items() for study, there in zip(studies, v, strict=True)]
            for row in product(*answers):
                table[x][leak(x, v), tuple(m for m, _ in row)] += weight * math.prod(w for _, w in row)
    return table
