"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: independent composition (section IV).

Budgets and losses are counted in units of log 2, so that likelihood ratios are powers of two and every loss is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import reduce
from itertools import combinations, product
from operator import matmul

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    Partition,
    PrivacySpace,
    bounded,
    edge,
    free_lunch,
    node,
    unbounded,
    user_level,
)
from ...notions import FiniteMechanism, Pure, compose
from ..entries import CORRECTED, HOLDS, claim, ensure
from ..reference import granularity as by_hand
from ..reference.granularity import Distances
from .extremes import SAME, entries, extreme, geometric_law, losses, random_maps, space_of


@claim(
    "GMPS-Thm-IV.1",
    verdict=HOLDS,
    where="Theorem IV.1",
    title="Independent composition adds the distances of what each sees",
)
def independent_composition():
    r"""Mechanism $i$ is given $f_i(D)$ and is $d_i$-private about it. Run independently, all of them together are
    private with $d(D,D')=\sum_i d_i(f_i(D),f_i(D'))$.

    No bound could be smaller anywhere: for any metrics there are mechanisms that lose exactly $d_i$ between all pairs
    of inputs at once, and the losses of independent mechanisms add up. Here random maps and metrics, some distances
    infinite, and every likelihood ratio in fractions.
    """
    rng, rows = np.random.default_rng(41), []
    for k, worlds in ((1, 10), (2, 15), (3, 3)):
        compared, infinite, largest = 0, 0, 0
        for _ in range(worlds):
            maps, metrics = random_maps(rng, k), [by_hand.random_metric(rng, 3) for _ in range(k)]
            promises = [Pure(space_of(range(3), d)) for d in metrics]
            told = compose(promises, maps, on=range(5))
            exact = losses(by_hand.joint(*(extreme(range(5), f, d) for f, d in zip(maps, metrics, strict=True))))
            tried = [
                FiniteMechanism.attaining(p.space, 2).after(f, range(5)) for p, f in zip(promises, maps, strict=True)
            ]
            ensure(entries(told) == exact, "the sum of the distances is the exact loss, at all pairs")
            ensure(ratios_of(reduce(matmul, tried)) == powers(exact), SAME)
            compared, infinite = compared + 10, infinite + sum(x == math.inf for x in exact.values()) // 2
            largest = max(largest, *(x for x in exact.values() if x < math.inf))
        rows.append((k, worlds, compared, infinite, largest))
    columns = ["mechanisms", "random worlds", "pairs: loss = sum of the d_i", "of them infinite", "largest finite loss"]
    return Table(rows, columns)


@claim(
    "GMPS-Ex-IV.2",
    verdict=CORRECTED,
    where="Example IV.2",
    title="Counts and locations of ambulances cost at most the distance plus 2L",
)
def ambulances():
    r"""Two districts, each with a noisy count of its ambulances and a blurred location of the one nearest to its
    hospital. Composition promises $\sum_i|p_i(D)\triangle p_i(D')|+\lVert f_i(D)-f_i(D')\rVert$, at most
    $d^{\mathcal U}+2L$ if both districts have diameter $L$; on the way stands $d^{\mathcal U}+2d^\infty$, with the
    largest distance between any location of $D$ and any of $D'$.

    The two ends are right, the middle is not: $d^\infty$ also compares locations of different districts, exceeds $L$
    (at all pairs below), and is not zero from $D$ to itself. (It is printed as $d^{\mathrm{Eu}}$, too.) Sharper is
    $d^{\mathcal U}+L\min(2,d^{\mathcal U})$: $1+L$ for neighbours. And an empty district has no nearest ambulance:
    print a default location of the district, and the bound stays; a special symbol at distance $c$ from all locations
    makes it $1+\max(L,c)$.
    """
    U = unbounded.on(DatabaseClass.multisets(list(PLACES), at_most=4))
    full = [D for D in U.databases if {place[0] for place in D} == {"a", "b"}]
    pairs = list(combinations(full, 2))
    steps = {pair: by_hand.apart(*pair) for pair in pairs}
    total = {pair: ambulance_distance(*pair) for pair in pairs}
    bounds = {
        "the sum itself": total,
        "d^U + L min(2, d^U)": {pair: n + min(2, n) for pair, n in steps.items()},
        "d^U + 2 L": {pair: n + 2 for pair, n in steps.items()},
        "d^U + 2 d^inf": {pair: n + 2 * furthest_apart(*pair) for pair, n in steps.items()},
    }
    rows = []
    for name, bound in bounds.items():
        kept = sum(total[pair] <= bound[pair] <= steps[pair] + 2 for pair in pairs)
        rows.append((name, max(bound[pair] for pair in pairs if steps[pair] == 1), kept))
    ensure([row[1:] for row in rows] == [(2, 820), (2, 820), (3, 820), (23, 0)], "the middle step fails everywhere")
    ensure(furthest_apart(("a0", "b1"), ("a0", "b1")) == 11, "and is not zero from D to itself")
    neighbours = by_hand.related_pairs(U.databases, by_hand.added)
    for c, name in (
        (None, "a default location"),
        (0.5, "a symbol at 0.5"),
        (3, "a symbol at 3"),
        (math.inf, "a symbol at inf"),
    ):
        told = ambulance_promise(U, c)
        exact = max(ambulance_distance(D, E, c) for D, E in neighbours)
        ensure(told.level() == exact == 1 + max(1, c or 0), "1 + max(L, c)")
        ensure(c is not None or all(told.at(*pair) == total[pair] for pair in pairs), SAME)
        rows.append((f"an empty district prints {name}", exact, None))
    D, E = ambulance_promise(U, None).worst_neighbours()
    ensure(ambulance_ratio(D, E) == 4, "two mechanisms really lose 1 + L between the worst neighbours")
    columns = ["bound, or convention (L = 1)", "for neighbours", "between sum and d^U + 2 L, of 820 pairs"]
    return Table(rows, columns)


@claim("GMPS-Thm-IV.3", verdict=HOLDS, where="Theorem IV.3", title="Different metrics on the same data add up")
def generalized_sequential_composition():
    r"""Independent mechanisms on the same databases, each $d_i$-private with a metric of its own, are together
    $\sum_i d_i$-private.

    This is Theorem IV.1 with $f_i=\mathrm{id}$, and as tight. In the table a graph is released twice: once with edges
    protected, once with nodes (twice the budget). The metrics differ, and so do the pairs that suffer most.
    """
    rng = np.random.default_rng(43)
    for _ in range(20):
        metrics = [by_hand.random_metric(rng, 5) for _ in range(2)]
        exact = losses(by_hand.joint(*(by_hand.attaining(range(5), d, 2) for d in metrics)))
        ensure(entries(compose([Pure(space_of(range(5), d)) for d in metrics])) == exact, "the sum, at all pairs")
    cls, rows = DatabaseClass.graphs(3), []
    both = compose([Pure(edge.on(cls), 1), Pure(node.on(cls), 2)])
    graphs = by_hand.graphs((1, 2, 3))
    single = [by_hand.steps(graphs, related) for related in (by_hand.added, by_hand.rewired)]
    exact = losses(by_hand.joint(*(by_hand.attaining(graphs, d, 2**e) for d, e in zip(single, (1, 2), strict=True))))
    ensure(entries(both) == exact and both.theorem() == "IV.3", "edges and nodes")
    for D in (frozenset({(1, 2)}), frozenset({(1, 2), (1, 3)}), frozenset({(1, 2), (1, 3), (2, 3)})):
        rows.append(
            (cls.label(D), *(d[frozenset(), D] for d in single), both.at(frozenset(), D), exact[frozenset(), D])
        )
    ensure([row[3] for row in rows] == [3, 4, 7], "one step of each kind costs 1 + 2")
    return Table(rows, ["edges that differ", "d^edge", "d^node", "d^edge + 2 d^node", "exact loss"])


@claim(
    "GMPS-Text-seq-G",
    verdict=HOLDS,
    where="After Theorem IV.3",
    title="Sequential composition adds up for any granularity",
)
def sequential_composition_for_every_granularity():
    r"""Whatever the neighbours are: independent mechanisms that are $\varepsilon_i$-DP for them are together
    $\sum_i\varepsilon_i$-DP for them.

    Exact for six granularities, with $\varepsilon=(1,2)\log2$: the worst neighbours have the likelihood ratio 8.
    """
    sets, tables = by_hand.multisets("ab", range(3)), by_hand.tables("ab", [2])
    cases = [
        (unbounded, DatabaseClass.multisets("ab", at_most=2), sets, by_hand.added),
        (bounded, DatabaseClass.multisets("ab", at_most=2), sets, by_hand.replaced),
        (free_lunch, DatabaseClass.ordered("ab", exactly=2), tables, by_hand.anything),
        (edge, DatabaseClass.graphs(3), by_hand.graphs((1, 2, 3)), by_hand.added),
        (node, DatabaseClass.graphs(3), by_hand.graphs((1, 2, 3)), by_hand.rewired),
        (user_level, DatabaseClass.user_logs(2, "xy", 1), by_hand.logs((1, 2), "xy", 1), by_hand.one_user),
    ]
    rows = []
    for granularity, cls, databases, related in cases:
        space, steps = granularity.on(cls), by_hand.steps(databases, related)
        laws = by_hand.joint(*(by_hand.attaining(databases, steps, 2**eps) for eps in (1, 2)))
        neighbours, exact = by_hand.related_pairs(databases, related), powers(losses(laws))
        both = compose([Pure(space, 1), Pure(space, 2)])
        tried = FiniteMechanism.attaining(space, 2) @ FiniteMechanism.attaining(space, 4)
        ensure(2 * len(space.edges) == len(neighbours) and ratios_of(tried) == exact, SAME)
        worst = max(exact[pair] for pair in neighbours)
        rows.append((granularity.name, len(databases), len(space.edges), worst, both.level()))
        ensure(rows[-1][3:] == (8, 3), "2^(1+2)")
    return Table(
        rows, ["granularity", "databases", "neighbouring pairs", "worst e^eps, exactly", "sum, in units of log 2"]
    )


def powers(exponents: Distances) -> Distances:
    """Return 2^n for each entry."""
    return {pair: by_hand.power(2, n) for pair, n in exponents.items()}


def ratios_of(mechanism: FiniteMechanism) -> Distances:
    """Return the exact likelihood ratios that the library finds."""
    found = zip(product(mechanism.cls, repeat=2), mechanism.ratios.ravel().tolist(), strict=True)
    return dict(found)


PLACES = {"a0": (0, 0), "a1": (1, 0), "b0": (10, 0), "b1": (11, 0)}  # two districts; the hospitals are at a0 and b0


def nearest(district: str, nobody: Hashable) -> Callable:
    """Return the map to the ambulance of a district that is nearest to its hospital."""
    hospital = PLACES[f"{district}0"]
    return lambda D: min(
        (x for x in D if x[0] == district), key=lambda x: math.dist(PLACES[x], hospital), default=nobody
    )


def ambulance_distance(D: tuple, E: tuple, symbol: float | None = None) -> float:
    """Return the sum of Example IV.2; an empty district is at its hospital, or `symbol` from all locations."""
    located = [nearest(x, f"{x}0" if symbol is None else None) for x in "ab"]
    return by_hand.apart(D, E) + sum(apart_on_the_map(f(D), f(E), symbol) for f in located)


def apart_on_the_map(x: str | None, y: str | None, symbol: float | None) -> float:
    """Return the distance of two locations; None is the symbol for nobody."""
    return 0 if x == y else symbol if None in (x, y) else math.dist(PLACES[x], PLACES[y])


def ambulance_promise(U: PrivacySpace, symbol: float | None):
    """Compose two counts and two locations; an empty district is at its hospital, or `symbol` from all locations."""
    p, promises, maps = Partition.by_record([("a0", "a1"), ("b0", "b1")]), [], []
    for x in "ab":
        points = [f"{x}0", f"{x}1", *([None] if symbol is not None else [])]
        promises.append(Pure(PrivacySpace(points, lambda x, y: apart_on_the_map(x, y, symbol))))
        maps.append(nearest(x, f"{x}0" if symbol is None else None))
    return compose([*map(Pure, p.spaces(U)), *promises], [*p, *maps], on=U)


def furthest_apart(D: tuple, E: tuple) -> float:
    """Return the largest distance between any location of D and any of E."""
    return max(math.dist(PLACES[x], PLACES[y]) for x, y in product(D, E))


def ambulance_ratio(D: tuple, E: tuple):
    """Return the exact likelihood ratio of noisy counts and blurred locations."""
    far = {(x, y): int(math.dist(PLACES[x], PLACES[y])) for x, y in product(PLACES, repeat=2)}
    released = []
    for district in "ab":
        hospital, other = f"{district}0", f"{district}1"
        inside = {C: sum(place[0] == district for place in C) for C in (D, E)}
        released.append({C: geometric_law(inside[C], 4) for C in (D, E)})
        blurred = by_hand.attaining([hospital, other], far, 2)
        released.append(by_hand.after(blurred, nearest(district, hospital), (D, E)))
    laws = by_hand.joint(*released)
    return by_hand.ratio(laws[D], laws[E])
