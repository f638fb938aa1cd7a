"""Derived for this kit beside Guerra-Balboa and others: which metrics occur, closures, other granularities.

Everything is exact: mechanisms have fractions for probabilities, distances are whole numbers, and the loss is counted
in units of log 2. The second way walks from neighbour to neighbour and compares multisets record by record.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    Maps,
    NeighbourSpace,
    Partition,
    PrivacySpace,
    attribute,
    bounded,
    dist,
    edge,
    event_level,
    minimum_privacy,
    node,
    unbounded,
    user_level,
    user_presence,
    vertex_cover,
    w_event,
    window_cover,
)
from ...notions import (
    Approximate,
    FiniteMechanism,
    Gaussian,
    Pure,
    ZeroConcentrated,
    compose,
)
from ..entries import HOLDS, claim, ensure
from ..reference import granularity as by_hand
from ..reference.basics import all_close, close
from .spaces import INF, agrees, attains, metric_space, random_function, refused, restrict


def same_ratios(mechanism: FiniteMechanism, laws: by_hand.Laws) -> bool:
    """Say whether e^eps between all pairs of databases is that of the laws."""
    listed = list(enumerate(mechanism.cls))
    return all(mechanism.ratios[i, j] == by_hand.ratio(laws[D], laws[E]) for (i, D), (j, E) in combinations(listed, 2))


@claim(
    "GMPS-X-realisation",
    verdict=HOLDS,
    where="Not in the paper; beside Definition III.2",
    title="Every metric is the loss of some mechanism",
)
def realisation():
    r"""Draw a database $x_0$ uniformly and print $(x_0,1)$ with probability $\tfrac12e^{-d(x,x_0)}$, else $(x_0,0)$.
    The largest privacy loss between $x$ and $y$ is exactly $d(x,y)$, at all pairs at once, for every metric $d$ on
    finitely many databases (zero and infinite distances allowed).

    So statements about pure privacy become inequalities between metrics, and bounds can be shown to be sharp. No more
    is possible: the largest loss of any mechanism satisfies the triangle inequality.
    """
    rng, rows = np.random.default_rng(337), []
    for size in (2, 3, 5, 7):
        kinds = Counter()
        for _ in range(15):
            d = by_hand.random_metric(rng, size, 5)
            f = random_function(rng, size + 1, size)  # two databases with the same image are at distance 0
            both = {(x, y): d[f(x), f(y)] for x, y in product(range(size + 1), repeat=2)}
            space = metric_space(both, size + 1)
            made = FiniteMechanism.attaining(space, 3)
            ensure(same_ratios(made, by_hand.attaining(range(size + 1), both, 3)), "as the mechanism made by hand")
            ensure(attains(made, space, 3), "3^d at every pair, in fractions")
            kinds.update("zero" if x == 0 else "infinite" if x == INF else "between" for x in _upper(both))
        rows.append((size + 1, 15, kinds["zero"], kinds["between"], kinds["infinite"]))
    for _ in range(40):
        laws = by_hand.random_laws(rng, range(3), 3, zeros=0.2)
        r = by_hand.ratios(laws)
        ensure(all(r[x, z] <= r[x, y] * r[y, z] for x, y, z in product(range(3), repeat=3)), "ratios multiply at most")
    crooked = PrivacySpace(range(3), lambda x, y: abs(x - y) ** 2)
    ensure(not crooked.is_metric and refused(lambda: FiniteMechanism.attaining(crooked, 2)), "1, 1, 4 is refused")
    return Table(rows, ["databases", "random metrics", "pairs at distance 0", "between", "at infinity"])


def _upper(d: by_hand.Distances) -> list:
    return [value for (x, y), value in d.items() if x < y]


@claim(
    "GMPS-X-closure",
    verdict=HOLDS,
    where="Not in the paper; beside Proposition IV.10",
    title="The metric closure of d^f",
)
def closure_of_minimum_privacy():
    r"""A $d$-private mechanism that depends on $f(D)$ only is private for the metric closure of $d^f$, the largest
    metric below it, and nothing better follows. The same holds for $\sqrt\rho$ and for $\mu$.

    The paper's $d^f$ is the least distance of databases with the same values of $f$; it need not satisfy the triangle
    inequality. For a count rounded down to multiples of three, 0 and 8 records are $d=8$, $d^f=4$ and in the closure 2
    apart. The closure is attained: for pure privacy at all pairs at once, for the others by Gaussian noise around the
    distance from one of the two databases.
    """
    rng, rows = np.random.default_rng(338), []
    for _ in range(15):
        d, f = by_hand.random_metric(rng, 6), random_function(rng, 6, 4)
        least = minimum_privacy(metric_space(d, 6), f)
        raw = by_hand.least_over_fibres(d, range(6), f)
        short = by_hand.shortened(raw, range(6))
        ensure(agrees(least.raw, raw) and agrees(least.closure, short), "d^f and its closure, by hand")
        sharp = FiniteMechanism.attaining(least.closure, 2)
        ensure(sharp.depends_on(f) and attains(sharp, least.closure), "attained by a mechanism that sees f(D) only")
        ensure(all(short[pair] <= d[pair] for pair in d), "which is d-private")
        for x, y, z in product(range(6), repeat=3):
            line = abs(short[x, y] - short[x, z]) if short[x, y] < INF > short[x, z] else 0
            ensure(line <= short[y, z], "the distance from x is a query of sensitivity 1")
        _keeps_closure(rng, f)
    counts = unbounded.on(DatabaseClass.multisets("a", at_most=8))
    least = minimum_privacy(counts, lambda D: len(D) // 3)
    for n in (2, 3, 6, 8):
        at = lambda space, n=n: space.distance("", "a" * n)  # noqa: E731
        rows.append((f"0 and {n} records", at(counts), at(least.raw), at(least.closure)))
        rows[-1] += tuple(
            notion(counts, 1).dependent_on(lambda D: len(D) // 3).at("", "a" * n)
            for notion in (ZeroConcentrated, Gaussian)
        )
    ensure(rows[-1][1:] == (8, 4, 2, 4, 2), "8, 4 and 2; rho = 2^2, mu = 2")
    return Table(rows, ["databases", "d", "d^f", "closure", "rho, closure", "mu, closure"])


def _keeps_closure(rng: np.random.Generator, f: Callable) -> None:
    """Draw a mechanism that sees f(D) only, promise at least what it loses, and let the closure of the promise hold."""
    laws = by_hand.random_laws(rng, range(4), 3)
    mechanism = FiniteMechanism(range(4), laws).after(f, range(6))
    for notion, root in ((Pure, 1), (ZeroConcentrated, 2), (Gaussian, 1)):
        lost = mechanism.losses(notion.notion) ** (1 / root)
        more = np.triu(rng.uniform(1, 3, (6, 6)), 1)
        promised = PrivacySpace(range(6), lost * (more + more.T) + (lost == 0) * (more + more.T))
        kept = notion(promised, 1).dependent_on(f)
        ensure(np.all(lost <= kept.matrix ** (1 / root) * (1 + 1e-9)), "the closure is kept")


@claim(
    "GMPS-X-bounded-analogues",
    verdict=HOLDS,
    where="Not in the paper; beside Corollary IV.13",
    title="Corollary IV.13 for the other notions",
)
def bounded_analogues():
    r"""Bounded privacy on a common domain, a partition by record, at least two parts: zero-concentrated mechanisms
    compose to $\max_{i\ne j}(\rho_i+\rho_j)$, Gaussian ones to $\max_{i\ne j}\sqrt{\mu_i^2+\mu_j^2}$, approximate ones
    to $(\varepsilon_i+\varepsilon_j,\delta_i+\delta_j)$ for all pairs.

    As for pure privacy, one changed record touches two parts. Levels 1, 2, 3 give 5, 5 and $\sqrt{13}$.
    """
    cls = DatabaseClass.multisets("abc", at_most=2)
    space, parts, rows = bounded.on(cls), Partition.by_record(["a", "b", "c"]), []
    walked, pairs = (
        by_hand.steps(cls.databases, by_hand.replaced),
        by_hand.related_pairs(cls.databases, by_hand.replaced),
    )
    least = [by_hand.least_over_fibres(walked, cls.databases, lambda D, x=x: restrict(D, x)) for x in "abc"]
    least = [by_hand.shortened(d, cls.databases) for d in least]
    for levels in ((1, 2, 3), (2, 2, 2), (5, 1, 1)):
        whole = [
            compose([n(space, e) for e in levels], parts, common_domain=True)
            for n in (Pure, ZeroConcentrated, Gaussian)
        ]
        told = [composed.level() for composed in whole]
        used = [[sum(e * d[pair] ** n for e, d in zip(levels, least, strict=True)) for pair in pairs] for n in (1, 2)]
        squares = [sum((e * d[pair]) ** 2 for e, d in zip(levels, least, strict=True)) for pair in pairs]
        ensure(all_close(told, (*map(max, used), math.sqrt(max(squares)))), "neighbour by neighbour")
        two = list(combinations(levels, 2))
        ensure(told[:2] == [max(map(sum, two))] * 2, "the two largest")
        ensure(close(told[2], max(math.hypot(*pair) for pair in two)), "in squares")
        rows.append((", ".join(map(str, levels)), *told))
    ensure(rows[0][1:3] == (5, 5) and close(rows[0][3], 3.605551275463989), "5, 5, root of 13")
    sharp = [
        FiniteMechanism.attaining(minimum_privacy(space, f).closure, 2**e)
        for f, e in zip(parts, (1, 1, 1), strict=True)
    ]
    ensure((sharp[0] @ sharp[1] @ sharp[2]).worst(space).ratio() == 4, "attained: two of three")
    approximate = compose([Approximate(space, 1, 1e-5)] * 3, parts, common_domain=True).level()
    ensure(close(approximate.epsilon, 2) and close(approximate.delta, 2e-5), "(2, 2e-5)")
    given = [(1, 1e-5), (2, 1e-6), (3, 1e-7)]
    mixed = compose([Approximate(space, *pair) for pair in given], parts, common_domain=True)
    for i, j in combinations(range(3), 2):
        at = mixed.at("abc"[i], "abc"[j])
        ensure(close(at.epsilon, given[i][0] + given[j][0]), "the sum of the two epsilons")
        ensure(close(at.delta, given[i][1] + given[j][1]), "and of the two deltas")
    return Table(rows, ["levels", "pure", "zero-concentrated", "Gaussian"])


@claim(
    "GMPS-X-granularities",
    verdict=HOLDS,
    where="Not in the paper; beside Definition III.1",
    title="Graphs, users, streams and attributes",
)
def other_granularities():
    r"""Edges or nodes of graphs, events or users of logs, windows of streams, attributes of records: each has its
    canonical metric, and dist says what one costs in terms of the other.

    Rewiring nodes turns one graph into another in as many steps as a vertex cover of the changed edges has nodes;
    windows of $w$ entries cover the changed places of a stream greedily from the left. Splitting a graph into the edges
    inside blocks of nodes is compatible with both of its granularities; splitting by colours of edges is not compatible
    with nodes.
    """
    graphs = DatabaseClass.graphs(4)
    logs = DatabaseClass.user_logs(2, "xy", at_most=2)
    streams = DatabaseClass.ordered("ab", exactly=6)
    people = DatabaseClass.multisets(list(product("ab", "xy")), at_most=2)
    edges = edge, by_hand.added
    nodes = node, by_hand.rewired
    events = event_level, by_hand.added
    users = user_level, by_hand.one_user
    presence = user_presence, by_hand.one_user_came
    places = event_level, by_hand.in_window(1)
    windows = w_event(2), by_hand.in_window(2)
    streamers = user_level, by_hand.anything
    attributes = attribute, by_hand.attribute_changed
    records = bounded, by_hand.replaced
    comparisons = [
        ("graphs on 4 nodes", graphs, edges, nodes, (3, 1, 6, 3)),
        ("logs, 2 events a user", logs, events, users, (4, 1, 8, 2)),
        ("logs, all or nothing", logs, events, presence, (2, 2, 8, 4)),
        ("streams of 6", streams, places, windows, (2, 1, 6, 3)),
        ("streams of 6", streams, places, streamers, (6, 1, 6, 1)),
        ("2 attributes", people, attributes, records, (2, 1, INF, INF)),
    ]
    rows = []
    for name, cls, one, two, expected in comparisons:
        told = _compared(cls, one, two)
        ensure(told == expected, "dist in both directions, and the diameters")
        rows.append((name, one[0].name, two[0].name, *map(float, told)))
    _check_covers(graphs, streams)
    _check_parts(edge.on(graphs), node.on(graphs), logs)
    return Table(rows, ["databases", "G1", "G2", "dist(G1, G2)", "dist(G2, G1)", "diameter of G1", "of G2"])


def _compared(cls: DatabaseClass, one: tuple, two: tuple) -> tuple:
    """Return dist in both directions and both diameters; each granularity comes with its relation by hand."""
    (first, related), (second, other) = one, two
    d1 = by_hand.steps(cls.databases, related)
    d2 = by_hand.steps(cls.databases, other)
    ensure(agrees(first.on(cls), d1) and agrees(second.on(cls), d2), "both metrics, walked by hand")
    forth = max(d1[pair] for pair in d2 if d2[pair] == 1)
    back = max(d2[pair] for pair in d1 if d1[pair] == 1)
    ensure((dist(first, second, cls), dist(second, first, cls)) == (forth, back), "dist in both directions")
    return forth, back, first.on(cls).diameter, second.on(cls).diameter


def _check_covers(graphs: DatabaseClass, streams: DatabaseClass) -> None:
    """Compare distances of graphs with vertex covers, and of streams with covers by windows."""
    nodes = node.on(graphs)
    for D, E in _some(graphs):
        ensure(nodes.distance(D, E) == _cover(D ^ E) == vertex_cover(D ^ E), "the vertex cover")
    windows = w_event(2).on(streams)
    for D, E in _some(streams):
        places = [n for n in range(6) if D[n] != E[n]]
        ensure(windows.distance(D, E) == _windows(places, 6, 2) == window_cover(places, 2), "the cover by windows")


def _some(cls: DatabaseClass) -> list[tuple]:
    """Return a few hundred pairs of databases."""
    return list(product(cls.databases, repeat=2))[::13]


def _cover(edges: frozenset) -> int:
    """Return the size of the smallest set of nodes that meets all edges, by trying all sets."""
    nodes = sorted({x for e in edges for x in e})
    sizes = range(len(nodes) + 1)
    return next(n for n in sizes for chosen in combinations(nodes, n) if all(set(e) & set(chosen) for e in edges))


def _windows(places: Sequence[int], length: int, w: int) -> int:
    """Return the least number of windows that cover some places of a stream, by trying all sets of windows."""
    covers = lambda starts: set(places) <= {n + m for n in starts for m in range(w)}  # noqa: E731
    return next(n for n in range(length) for some in combinations(range(length - w + 1), n) if covers(some))


def _check_parts(edges: NeighbourSpace, nodes: NeighbourSpace, logs: DatabaseClass) -> None:
    """Check which ways of splitting graphs and logs are compatible with which granularity."""
    blocks = Partition.by_node([[1, 2], [3, 4]])
    colours = Partition.by_record({(u, v): (u + v) % 2 for u, v in combinations(range(1, 5), 2)})
    egos = Maps([lambda D, v=v: frozenset(e for e in D if v in e) for v in range(1, 5)])
    most = [[parts.most_touched(space)[0] for space in (edges, nodes)] for parts in (blocks, colours, egos)]
    ensure(most == [[1, 1], [1, 2], [2, 4]], "blocks of nodes, colours, ego networks")
    ensure([blocks.sensitivities(space) for space in (edges, nodes)] == [[1, 1]] * 2, "blocks have sensitivity 1")
    by_value, by_user = (Partition.by_record(lambda x, i=i: x[i], parts) for i, parts in ((1, "xy"), (0, (1, 2))))
    ensure([p.compatible(user_level.on(logs)) for p in (by_value, by_user)] == [False, True], "split logs by user")


@claim(
    "GMPS-X-model", verdict=HOLDS, where="Not in the paper; beside Theorem IV.1", title="One model for all the theorems"
)
def one_model():
    r"""A granularity gives a metric by shortest paths, a metric with a level gives a promise about all pairs, and
    promises are pulled back, made dependent, added up and read off as a level for neighbours.

    The shortest paths of hundreds of databases agree with the closed form, and each step of the chain with the same
    step by hand.
    """
    large = DatabaseClass.multisets("abcd", at_most=6)
    counts = np.array([[D.count(x) for x in "abcd"] for D in large])
    apart = np.abs(counts[:, None, :] - counts[None, :, :]).sum(axis=2)
    ensure(len(large) == math.comb(10, 4) and np.array_equal(unbounded.on(large).matrix, apart), "210 databases")
    cls = DatabaseClass.multisets("abc", at_most=2)
    databases, rows = by_hand.multisets("abc", range(3)), []
    parts, levels = Partition.by_record(["a", "bc"]), (1, 3)
    for notion, related in ((unbounded, by_hand.added), (bounded, by_hand.replaced)):
        space, walked = notion.on(cls), by_hand.steps(databases, related)
        pairs = by_hand.related_pairs(databases, related)
        for common in (False, True):
            spaces = [space, space] if common else parts.spaces(space)
            whole = compose(
                [Pure(s, e) for s, e in zip(spaces, levels, strict=True)], parts, on=space, common_domain=common
            )
            metrics = [_part_metric(walked, databases, block, related, common) for block in ("a", "bc")]
            exact = {p: sum(e * d[p] for e, d in zip(levels, metrics, strict=True)) for p in walked}
            ensure(agrees(PrivacySpace(cls, whole.matrix), exact), "the promise at all pairs")
            ensure(whole.level() == max(exact[p] for p in pairs), "and the level for neighbours")
            setting = "common domain" if common else "own domains"
            rows.append((notion.name, setting, whole.theorem(), whole.level(), float(whole.matrix.max())))
    ensure([row[3] for row in rows] == [3, 3, INF, 4], "3, 3, inf and 4")
    return Table(rows, ["granularity", "mechanisms on", "theorem", "level of 1 and 3", "most at any pair"])


def _part_metric(walked: by_hand.Distances, databases: list, block: str, related: Callable, common: bool):
    """Return what a mechanism that is given the records of a block promises, by hand."""
    part = lambda D: restrict(D, block)  # noqa: E731
    if common:
        return by_hand.shortened(by_hand.least_over_fibres(walked, databases, part), databases)
    own = by_hand.steps(list(dict.fromkeys(map(part, databases))), related)
    return {(D, E): own[part(D), part(E)] for D, E in walked}
