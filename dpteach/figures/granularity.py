"""The figures of lecture 5: databases as nodes of a graph, who sees which record, how promises grow with distance.

Blue stands for what is true or attained, orange for what changes or is printed. Every function returns a `Picture`,
whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from ..curve import VACUOUS
from ..granularity import (
    DatabaseClass,
    Maps,
    NeighbourSpace,
    PrivacySpace,
    bounded,
    minimum_privacy,
    symmetric_difference,
    vertex_cover,
)
from ..notions import group_delta, group_factor, vacuous_from
from ..table import Table, show
from ..tools import extras
from .style import (
    BLUE,
    FONT,
    GREEN,
    LINE,
    ORANGE,
    PALE_BLUE,
    PALE_ORANGE,
    Picture,
    arc,
    axes,
    bare,
    legend,
    letters,
    line_style,
    panels,
    write,
)

with extras.told():
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection

ARROW = {"arrowstyle": "-|>,head_width=0.4,head_length=0.8", "shrinkA": 0, "shrinkB": 0, "linewidth": LINE + 0.6}


# ------------------------------------------------------------------------------------------- the graph of databases


def database_graphs(spaces: Mapping[str, NeighbourSpace], start: Hashable, goal: Hashable) -> Picture:
    """Draw the databases of each space with an edge between neighbours, and a shortest path between two of them."""
    figure, made = panels(1, len(spaces), (4.4 * len(spaces), 4.6))
    rows = []
    counts = []
    for ax, (name, space) in zip(made, spaces.items(), strict=True):
        distance = space.distance(start, goal)
        edges = len(space.edges)
        _draw_graph(ax, space, start, goal)
        ax.set_title(f"{name}\n{_steps(distance)}", fontsize=FONT + 1, loc="left")
        rows.append((name, len(space.databases), edges, len(space.components), distance))
        counts.append(f"{name}: {edges} neighbouring pairs, {_steps(distance)}")
    ends = f"{_label(space, start)} to {_label(space, goal)}"
    alt = f"Databases, joined if they are neighbours; {ends}. {'; '.join(counts)}."
    return Picture(figure, alt, Table(rows, ["", "databases", "neighbouring pairs", "parts", "steps"]))


def _steps(d: float) -> str:
    if math.isinf(d):
        return "no path"
    return "1 step" if d == 1 else f"{d:g} steps"


def _label(space: PrivacySpace, database: Hashable) -> str:
    return space.cls.label(space.cls.database(database))


def _draw_graph(ax: Axes, space: NeighbourSpace, start: Hashable, goal: Hashable) -> None:
    places = _places(space.cls)
    path = [space.position(D) for D in space.shortest_path(start, goal)]
    steps = [(min(step), max(step)) for step in pairwise(path)]
    _draw_edges(ax, places, space.edges.tolist(), colors="0.7", linewidths=1.3)
    _draw_edges(ax, places, steps, colors=ORANGE, linewidths=5, capstyle="round")
    ends = (space.position(start), space.position(goal))
    for i, D in enumerate(space.databases):
        box = {"boxstyle": "round,pad=0.25", "linewidth": 2, **_fill_of_database(i, path, ends)}
        write(ax, *places[i], letters(D), bbox=box, zorder=3)
    ax.set(xlim=(-0.1, 1.1), ylim=(-0.12, 1.12), xticks=[], yticks=[])
    bare(ax)


def _draw_edges(ax: Axes, places: np.ndarray, edges: Iterable[tuple[int, int]], **look) -> None:
    arcs = [arc(places, i, j) for i, j in edges]
    ax.add_collection(LineCollection(arcs, **look))


def _fill_of_database(i: int, path: Sequence[int], ends: Sequence[int]) -> dict[str, str]:
    """Return the colours of a database's box: an end of the path, on the way, or beside it."""
    if i in ends:
        return {"facecolor": PALE_ORANGE, "edgecolor": ORANGE}
    if i in path:
        return {"facecolor": PALE_BLUE, "edgecolor": BLUE}
    return {"facecolor": "white", "edgecolor": "0.5"}


def _places(cls: DatabaseClass) -> np.ndarray:
    """Return where to draw the databases: in rows by size, or around a circle if all have the same size."""
    sizes = [len(D) for D in cls]
    return _in_rows(sizes) if len(set(sizes)) > 1 else _in_circle(len(cls))


def _in_circle(databases: int) -> np.ndarray:
    turn = 2 * np.pi * np.arange(databases) / databases
    return 0.5 + 0.46 * np.stack([-np.cos(turn), np.sin(turn)], axis=1)


def _in_rows(sizes: Sequence[int]) -> np.ndarray:
    """Return the places of databases of these sizes: the smallest below, each row in the middle."""
    row_lengths = Counter(sizes)
    widest = max(row_lengths.values())
    seen: Counter = Counter()
    places = []
    for size in sizes:
        from_middle = seen[size] - (row_lengths[size] - 1) / 2
        places.append((0.5 + from_middle / widest, size / max(sizes)))
        seen[size] += 1
    return np.array(places)


# -------------------------------------------------------------------------------------------- who sees which record


def boards(families: Mapping[str, tuple[Maps, NeighbourSpace]], records: Sequence[Hashable]) -> Picture:
    """Draw which part sees which record; the parts that a worst step touches are shaded."""
    size = (4.2 * len(families), 0.55 * len(records) + 2.2)
    figure, made = panels(1, len(families), size, sharey=True)
    rows = []
    sentences = []
    for ax, (name, (maps, space)) in zip(made, families.items(), strict=True):
        most, pair = maps.most_touched(space)
        if pair is None:
            step = "no neighbours"
            rows.append((name, step, VACUOUS, len(maps)))
            sentences.append(f"{name}: no neighbours, vacuous")
        else:
            step = " → ".join(map(space.cls.label, pair))
            _shade_touched(ax, maps, maps.touched(*pair))
            rows.append((name, step, most, len(maps)))
            sentences.append(f"{name}: {step} touches {most} of {len(maps)}")
        _draw_board(ax, maps, records)
        ax.set_title(f"{name}\n{step}", fontsize=FONT, loc="left")
    alt = f"Which part sees which record, and the parts that one step touches. {'; '.join(sentences)}."
    return Picture(figure, alt, Table(rows, ["", "a step that touches most", "parts touched", "of"]))


def _shade_touched(ax: Axes, maps: Maps, touched: Sequence) -> None:
    for x, name in enumerate(maps.names):
        if name in touched:
            ax.axvspan(x - 0.42, x + 0.42, facecolor=PALE_ORANGE, edgecolor=ORANGE, hatch="/", linewidth=1.5)


def _draw_board(ax: Axes, maps: Maps, records: Sequence[Hashable]) -> None:
    """Draw a circle for each part and record, filled if the part sees the record."""
    for x, part in enumerate(maps):
        for y, record in enumerate(records):
            fill = BLUE if part((record,)) else "white"
            ax.plot(x, y, "o", ms=16, color=fill, markeredgecolor="0.4", zorder=3)
    ax.set(xlim=(-0.6, len(maps) - 0.4), ylim=(len(records) - 0.5, -0.5))
    ax.set_xlabel("part", fontsize=FONT)
    ax.set_xticks(range(len(maps)), map(str, maps.names), fontsize=FONT)
    ax.set_yticks(range(len(records)), map(str, records), fontsize=FONT)
    bare(ax)


def streets(
    districts: Sequence[Sequence[float]], hospitals: Sequence[float], before: Sequence[float], after: Sequence[float]
) -> Picture:
    """Draw the ambulances of two databases along a street of districts (Example IV.2).

    Filled is the one nearest to the hospital; in an empty district the hospital itself counts as nearest.
    """
    figure, ax = axes("kilometre", "", "cross: hospital, filled: nearest ambulance", size=(10, 3.2))
    rows = []
    sentences = []
    for n, (district, hospital) in enumerate(zip(districts, hospitals, strict=True), 1):
        there_before = [x for x in before if x in district]
        there_after = [x for x in after if x in district]
        _draw_district(ax, n, district, hospital)
        _draw_ambulances(ax, there_before, 1, hospital)
        _draw_ambulances(ax, there_after, 0, hospital)
        differ = symmetric_difference(there_before, there_after)
        moved = abs(_nearest(there_before, hospital) - _nearest(there_after, hospital))
        rows.append((n, differ, moved))
        sentences.append(f"district {n}: {show(differ)} and {show(moved)}")
    _name_rows_and_places(ax, districts)
    changes = "; ".join(sentences)
    alt = f"Ambulances in districts, before and after a step. Change of the count and of the nearest place: {changes}."
    return Picture(figure, alt, Table(rows, ["district", "records that differ", "the nearest moves by"]))


def _draw_district(ax: Axes, n: int, district: Sequence[float], hospital: float) -> None:
    ax.axvspan(min(district) - 0.4, max(district) + 0.4, color="0.93")
    write(ax, sum(district) / len(district), 1.62, f"district {n}")
    ax.plot(hospital, 0.5, "P", ms=17, color=GREEN)


def _draw_ambulances(ax: Axes, there: Sequence[float], y: float, hospital: float) -> None:
    """Draw the ambulances of a district, those in the same place above each other."""
    nearest = _nearest(there, hospital)
    for x, times in Counter(there).items():
        for n in range(times):
            fill = BLUE if x == nearest and n == 0 else "white"
            ax.plot(x, y + 0.22 * n, "s", ms=14, color=fill, markeredgecolor=BLUE, markeredgewidth=2)


def _nearest(there: Sequence[float], hospital: float) -> float:
    return min(there, key=lambda x: abs(x - hospital), default=hospital)


def _name_rows_and_places(ax: Axes, districts: Sequence[Sequence[float]]) -> None:
    ax.set(ylim=(-0.5, 1.95), yticks=[1, 0], yticklabels=["before", "after"])
    ax.set_xticks(sorted({x for district in districts for x in district}))
    ax.tick_params(labelsize=FONT)
    ax.grid(False)


# ------------------------------------------------------------------------------------------- looking at a part only


def least_distances(space: PrivacySpace, f: Callable, start: Hashable) -> Picture:
    """Draw d, d^f and its closure from one database to all others, in the order of the class (Proposition IV.10)."""
    from_start = f"from {_label(space, start)}"
    figure, ax = axes("database", "distance", f"{from_start}; f changes at the vertical lines", size=(8.0, 4.8))
    least = minimum_privacy(space, f)
    by_d = _distances(space, start)
    by_df = _distances(least.raw, start)
    by_closure = _distances(least.closure, start)
    ax.plot(by_d, label="d", marker="^", ms=8, **line_style(4))
    ax.plot(by_df, label="$d^f$", marker="s", ms=8, **line_style(1))
    ax.plot(by_closure, label="closure of $d^f$", marker="o", ms=8, **line_style(0))
    _mark_changes(ax, space.cls, f)
    legend(ax, fontsize=FONT)
    labels = list(map(space.cls.label, space.cls))
    values = [str(f(D)) for D in space.cls]
    rows = list(zip(labels, values, by_d, by_df, by_closure, strict=True))
    d, df, closure = map(show, rows[-1][2:])
    last = f"To {labels[-1]}: d {d}, d^f {df}, closure {closure}"
    alt = f"Distances {from_start}, by d, by d^f and by its closure. {last}."
    return Picture(figure, alt, Table(rows, ["database", "f", "d", "d^f", "closure"]))


def _distances(space: PrivacySpace, start: Hashable) -> list[float]:
    return [space.distance(start, D) for D in space.cls]


def _mark_changes(ax: Axes, cls: DatabaseClass, f: Callable) -> None:
    """Draw a line between two databases of the class that follow each other, where f changes."""
    for n, (D, E) in enumerate(pairwise(cls)):
        if f(D) != f(E):
            ax.axvline(n + 0.5, color="0.6", linewidth=1.2)
    ax.set_xticks(range(len(cls)), map(letters, cls), rotation=40)


def corollary_15(cls: DatabaseClass, visible: str) -> Picture:
    """Draw the printed distance of Corollary IV.15 against the true d^f at all pairs of a class of multisets."""
    counted = _printed_and_true(cls, visible)
    pairs = counted.total()
    figure, ax = axes("as printed", "true", f"{pairs} pairs; orange: not the same", size=(6.2, 5.4))
    _draw_counts(ax, counted)
    rows = [(printed, exact, n) for (printed, exact), n in sorted(counted.items())]
    too_large = sum(n for printed, exact, n in rows if printed > exact)
    too_small = sum(n for printed, exact, n in rows if printed < exact)
    alt = f"Printed against true distance of {pairs} pairs: too large at {too_large}, too small at {too_small}."
    return Picture(figure, alt, Table(rows, ["printed", "true", "pairs"]))


def _printed_and_true(cls: DatabaseClass, visible: str) -> Counter:
    """Count how often each pair of a printed and a true distance occurs."""
    space = bounded.on(cls)
    seen = {D: tuple(x for x in D if x in visible) for D in cls}
    true = minimum_privacy(space, seen).raw
    counted: Counter = Counter()
    for D, E in combinations(cls, 2):
        by_all = space.distance(D, E)
        by_seen = symmetric_difference(seen[D], seen[E])
        counted[min(by_all, by_seen), true.distance(D, E)] += 1
    return counted


def _draw_counts(ax: Axes, counted: Counter) -> None:
    """Draw how often each pair of distances occurs, with infinity at the edge."""
    edge = max(d for pair in counted for d in pair if math.isfinite(d)) + 1
    ax.plot([0, edge], [0, edge], color="0.6", linewidth=1.2)
    for (printed, exact), n in counted.items():
        x = min(printed, edge)
        y = min(exact, edge)
        colour = PALE_BLUE if printed == exact else PALE_ORANGE
        ax.scatter(x, y, s=420 + 10 * n, color=colour, edgecolor="0.3", zorder=3)
        write(ax, x, y, str(n), zorder=4)
    _end_with_infinity(ax, int(edge))


def _end_with_infinity(ax: Axes, edge: int) -> None:
    """Number both axes up to the edge, which stands for infinity."""
    names = [*map(str, range(edge)), "∞"]
    ax.set_xticks(range(edge + 1), names)
    ax.set_yticks(range(edge + 1), names)
    ax.set(xlim=(-0.5, edge + 0.5), ylim=(-0.5, edge + 0.5), aspect="equal")


# ------------------------------------------------------------------------------------------ growing with the distance


def delta_growth(eps: float, delta: float, at: Sequence[int], last: int | None = None) -> Picture:
    """Draw the bound delta [n]_eps on the delta of databases n steps apart, and the true worst case (Theorem VI.3)."""
    figure, ax = axes("steps n between the databases", "δ at nε", size=(8.2, 5.0))
    steps = range(1, (last or max(at)) + 1)
    bounds = {n: delta * group_factor(n, eps) for n in (*steps, *at)}
    truths = {n: group_delta(n, eps, delta) for n in (*steps, *at)}
    ax.semilogy(steps, [bounds[n] for n in steps], label="bound $δ\\,[n]_ε$", marker="s", ms=7, **line_style(1))
    ax.semilogy(steps, [truths[n] for n in steps], label="true worst case", marker="o", ms=7, **line_style(0))
    ax.set_xticks(steps if len(steps) < 18 else steps[::2])
    limit = vacuous_from(eps, delta)
    _draw_limit(ax, limit, 1.3 * delta)
    legend(ax, "upper left", FONT)
    rows = [(n, bounds[n], truths[n]) for n in at]
    values = "; ".join(f"{n}: {show(bound)} and {show(truth)}" for n, bound, truth in rows)
    alt = f"Delta of databases n steps apart, bound and truth. {values}. The bound reaches 1 at {limit:.6g}."
    return Picture(figure, alt, Table(rows, ["n", "bound", "true worst case"]))


def _draw_limit(ax: Axes, limit: float, height: float) -> None:
    """Mark a delta of 1, and from where on the bound exceeds it, with words at a height."""
    ax.axhline(1, color="0.5", linewidth=1.2)
    ax.axvline(limit, color="0.5", linewidth=1.2, linestyle=":")
    ax.text(limit - 0.2, height, f"n = {limit:.3f}", fontsize=FONT, ha="right")


def squares_and_sums(levels: Sequence[float]) -> Picture:
    """Draw how pure levels add up in a line and Gaussian ones at right angles, the first against the second."""
    one, two = levels
    total = one + two
    root = math.hypot(one, two)
    figure, ax = axes("", "", size=(7.4, 4.4))
    _draw_right_angle(ax, one, two)
    _draw_sum(ax, one, two)
    ax.set(xlim=(-0.1, 1.75 * total), ylim=(-0.42 * total, 1.15 * two), aspect="equal", xticks=[], yticks=[])
    bare(ax)
    given = f"Levels {show(one)} and {show(two)}"
    alt = f"{given}: in a line they add up to {show(total)}, at right angles to {root:.6g}."
    rows = [("sum", total), ("root of the sum of squares", root)]
    return Picture(figure, alt, Table(rows, ["levels", "total"]))


def _draw_right_angle(ax: Axes, one: float, two: float) -> None:
    _draw_arrow(ax, (0, 0), (one, 0), BLUE)
    _draw_arrow(ax, (one, 0), (one, two), BLUE)
    ax.plot([0, one], [0, two], color=BLUE, linewidth=LINE, linestyle="--")
    total = one + two
    root = f"{math.hypot(one, two):.4g}"
    write(ax, one / 2 - 0.1 * total, two / 2 + 0.08 * total, root, FONT + 2, color=BLUE)
    ax.text(one + 0.1, two / 2, "Gaussian: squares add", fontsize=FONT, va="center")


def _draw_sum(ax: Axes, one: float, two: float) -> None:
    total = one + two
    low = -0.2 * total
    _draw_arrow(ax, (0, low), (one, low), ORANGE)
    _draw_arrow(ax, (one, low), (total, low), ORANGE)
    write(ax, total / 2, -0.3 * total, f"{total:g}", FONT + 2, color=ORANGE)
    ax.text(total + 0.1, low, "pure: levels add", fontsize=FONT, va="center")


def _draw_arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    ax.annotate("", end, start, arrowprops=ARROW | {"color": colour})


# ------------------------------------------------------------------------------------------------------------- graphs


def changed_edges(graphs: Mapping[str, tuple], nodes: int) -> Picture:
    """Draw what changes between two graphs, and the fewest nodes that all changed edges meet."""
    cls = DatabaseClass.graphs(nodes)
    figure, made = panels(1, len(graphs), (3.9 * len(graphs), 4.0))
    rows = []
    sentences = []
    for ax, (name, (before, after)) in zip(made, graphs.items(), strict=True):
        D = cls.database(before)
        E = cls.database(after)
        edges = len(D ^ E)
        rewired = _fewest_nodes(D ^ E)
        _draw_changes(ax, D, E, _around_circle(nodes))
        _draw_nodes(ax, _around_circle(nodes), rewired)
        ax.set_title(f"{name}\nedge: {edges}, node: {len(rewired)}", fontsize=FONT + 1, loc="left")
        rows.append((name, edges, len(rewired)))
        sentences.append(f"{name}: {edges} edges, {_steps(len(rewired))} of nodes")
    numbers = Table(rows, ["change", "edge distance", "node distance"])
    return Picture(figure, f"Changed edges of graphs. {'; '.join(sentences)}.", numbers)


def _fewest_nodes(edges: frozenset) -> tuple:
    """Return a smallest vertex cover: as many steps of node privacy as it has nodes."""
    nodes = sorted({node for edge in edges for node in edge})
    candidates = combinations(nodes, vertex_cover(edges))
    return next(some for some in candidates if all(u in some or v in some for u, v in edges))


def _around_circle(nodes: int) -> dict[int, tuple[float, float]]:
    """Return where the nodes 1, 2, ... stand: around a circle, the first one on top."""
    turn = 2 * np.pi * np.arange(nodes) / nodes + np.pi / 2
    return dict(enumerate(zip(np.cos(turn), np.sin(turn), strict=True), 1))


def _draw_changes(ax: Axes, D: frozenset, E: frozenset, place: Mapping[int, tuple[float, float]]) -> None:
    """Draw the edges of both graphs: grey what stays, orange what comes, dotted what goes."""
    for u, v in sorted(D | E):
        look = {"color": "0.6", "linewidth": 1.5}
        if (u, v) in D ^ E:
            look = {"color": ORANGE, "linewidth": 3.5, "linestyle": "-" if (u, v) in E else ":"}
        ends = np.array([place[u], place[v]])
        ax.plot(*ends.T, **look)


def _draw_nodes(ax: Axes, place: Mapping[int, tuple[float, float]], rewired: Sequence[int]) -> None:
    for node, (x, y) in place.items():
        look = {"color": "white", "markeredgecolor": "0.4"}
        weight = "normal"
        if node in rewired:
            look = {"color": PALE_BLUE, "markeredgecolor": BLUE}
            weight = "bold"
        ax.plot(x, y, "o", ms=24, markeredgewidth=2, **look)
        write(ax, x, y, str(node), fontweight=weight)
    ax.set(xlim=(-1.3, 1.3), ylim=(-1.25, 1.3), aspect="equal", xticks=[], yticks=[])
    bare(ax)
