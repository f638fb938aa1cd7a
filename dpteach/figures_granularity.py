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
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from .figures import CENTRED, COLOURS, FONT, LINE, Picture, arc, axes, letters, line_style, panels
from .granularity import (
    DatabaseClass,
    Maps,
    NeighbourSpace,
    PrivacySpace,
    bounded,
    minimum_privacy,
    symmetric_difference,
)
from .notions import bracket, group_delta, vacuous_from
from .table import Table, show

BLUE, ORANGE, GREEN = COLOURS[:3]
PALE = {BLUE: "#D6E9F5", ORANGE: "#FBE3D3", "0.5": "white"}


def _bare(ax: Axes) -> None:
    ax.set(xticks=[], yticks=[])
    ax.grid(False)
    ax.spines[:].set_visible(False)


def _steps(d: float) -> str:
    return "no path" if math.isinf(d) else f"{d:g} step{'s' * (d != 1)}"


# ------------------------------------------------------------------------------------------- the graph of databases


def database_graphs(spaces: Mapping[str, NeighbourSpace], start: Hashable, goal: Hashable) -> Picture:
    """Draw the databases of each space with an edge between neighbours, and a shortest path between two of them."""
    titles = [f"{name}\n{_steps(space.distance(start, goal))}" for name, space in spaces.items()]
    figure, made = panels(1, len(spaces), (4.4 * len(spaces), 4.6), titles)
    rows = []
    for ax, (name, space) in zip(made, spaces.items(), strict=True):
        _draw_graph(ax, space, start, goal)
        rows.append((name, len(space.databases), len(space.edges), len(space.components), space.distance(start, goal)))
    cls = space.cls
    two = " to ".join(cls.label(cls.database(D)) for D in (start, goal))
    told = "; ".join(f"{n}: {edges} neighbouring pairs, {_steps(d)}" for n, _, edges, _, d in rows)
    columns = ["", "databases", "neighbouring pairs", "parts", "steps"]
    return Picture(figure, f"Databases, joined if they are neighbours; {two}. {told}.", Table(rows, columns))


def _draw_graph(ax: Axes, space: NeighbourSpace, start: Hashable, goal: Hashable) -> None:
    places = _places(space.cls)
    ax.add_collection(LineCollection([arc(places, *e) for e in space.edges.tolist()], colors="0.7", linewidths=1.3))
    path = [space.position(D) for D in space.shortest_path(start, goal)]
    walked = [arc(places, min(e), max(e)) for e in pairwise(path)]
    ax.add_collection(LineCollection(walked, colors=ORANGE, linewidths=5, capstyle="round"))
    ends = [space.position(D) for D in (start, goal)]
    for i, D in enumerate(space.databases):
        rim = ORANGE if i in ends else BLUE if i in path else "0.5"
        box = {"boxstyle": "round,pad=0.25", "facecolor": PALE[rim], "edgecolor": rim, "linewidth": 2}
        ax.text(*places[i], letters(D), fontsize=FONT, bbox=box, zorder=3, **CENTRED)
    ax.set(xlim=(-0.1, 1.1), ylim=(-0.12, 1.12))
    _bare(ax)


def _places(cls: DatabaseClass) -> np.ndarray:
    """Return where to draw the databases: in rows by size, or around a circle if all have the same size."""
    sizes = [len(D) for D in cls]
    if len(set(sizes)) == 1:
        turn = 2 * np.pi * np.arange(len(cls)) / len(cls)
        return 0.5 + 0.46 * np.stack([-np.cos(turn), np.sin(turn)], axis=1)
    rows, seen, highest = Counter(sizes), Counter(), max(sizes)
    places = []
    for size in sizes:
        places.append((0.5 + (seen[size] - (rows[size] - 1) / 2) / max(rows.values()), size / highest))
        seen[size] += 1
    return np.array(places)


# -------------------------------------------------------------------------------------------- who sees which record


def boards(families: Mapping[str, tuple[Maps, NeighbourSpace]], records: Sequence[Hashable]) -> Picture:
    """Draw which part sees which record; the parts that a worst step touches are shaded."""
    figure, made = panels(1, len(families), (4.2 * len(families), 0.55 * len(records) + 2.2), sharey=True)
    rows = []
    for ax, (name, (maps, space)) in zip(made, families.items(), strict=True):
        most, pair = maps.most_touched(space)
        touched, step = maps.touched(*pair), " → ".join(map(space.cls.label, pair))
        _draw_board(ax, maps, records, touched)
        ax.set_title(f"{name}\n{step}", fontsize=FONT, loc="left")
        rows.append((name, step, most, len(maps)))
    told = "; ".join(f"{name}: {step} touches {most} of {k}" for name, step, most, k in rows)
    alt = f"Which part sees which record, and the parts that one step touches. {told}."
    return Picture(figure, alt, Table(rows, ["", "a step that touches most", "parts touched", "of"]))


def _draw_board(ax: Axes, maps: Maps, records: Sequence[Hashable], touched: Sequence) -> None:
    for x, (name, f) in enumerate(zip(maps.names, maps, strict=True)):
        if name in touched:
            ax.axvspan(x - 0.42, x + 0.42, facecolor=PALE[ORANGE], edgecolor=ORANGE, hatch="/", linewidth=1.5)
        for y, record in enumerate(records):
            seen = len(f((record,))) > 0
            ax.plot(x, y, "o", ms=16, color=BLUE if seen else "white", markeredgecolor="0.4", zorder=3)
    ax.set(xlim=(-0.6, len(maps) - 0.4), ylim=(len(records) - 0.5, -0.5), xlabel="part")
    _bare(ax)
    ax.set_xticks(range(len(maps)), [str(name) for name in maps.names], fontsize=FONT)
    ax.set_yticks(range(len(records)), [str(record) for record in records], fontsize=FONT)
    ax.xaxis.label.set_fontsize(FONT)
    ax.tick_params(length=0)


def streets(
    districts: Sequence[Sequence[float]], hospitals: Sequence[float], before: Sequence[float], after: Sequence[float]
) -> Picture:
    """Draw the ambulances of two databases along a street of districts (Example IV.2).

    Filled is the one nearest to the hospital; in an empty district the hospital itself counts as nearest.
    """
    figure, ax = axes("kilometre", "", "cross: hospital, filled: nearest ambulance", size=(10, 3.2))
    rows, worlds = [], (("before", before, 1), ("after", after, 0))
    for n, (district, hospital) in enumerate(zip(districts, hospitals, strict=True), 1):
        ax.axvspan(min(district) - 0.4, max(district) + 0.4, color="0.93")
        ax.text(sum(district) / len(district), 1.62, f"district {n}", fontsize=FONT, **CENTRED)
        ax.plot(hospital, 0.5, "P", ms=17, color=GREEN)
        inside = [[x for x in there if x in district] for _, there, _ in worlds]
        nearest = [min(some, key=lambda x: abs(x - hospital), default=hospital) for some in inside]
        for (_, _, y), some, near in zip(worlds, inside, nearest, strict=True):
            _draw_ambulances(ax, some, y, near)
        rows.append((n, symmetric_difference(*inside), abs(nearest[0] - nearest[1])))
    ax.set(ylim=(-0.5, 1.95), yticks=[1, 0], yticklabels=["before", "after"])
    ax.set_xticks(sorted({x for district in districts for x in district}))
    ax.tick_params(labelsize=FONT)
    ax.grid(False)
    told = "; ".join(f"district {n}: {show(counted)} and {show(moved)}" for n, counted, moved in rows)
    alt = f"Ambulances in districts, before and after a step. Change of the count and of the nearest place: {told}."
    return Picture(figure, alt, Table(rows, ["district", "records that differ", "the nearest moves by"]))


def _draw_ambulances(ax: Axes, there: Sequence[float], y: float, nearest: float) -> None:
    for x, times in Counter(there).items():
        for n in range(times):
            fill = BLUE if x == nearest and n == 0 else "white"
            ax.plot(x, y + 0.22 * n, "s", ms=14, color=fill, markeredgecolor=BLUE, markeredgewidth=2)


# ------------------------------------------------------------------------------------------- looking at a part only


def least_distances(space: PrivacySpace, f: Callable, start: Hashable) -> Picture:
    """Draw d, d^f and its closure from one database to all others, in the order of the class (Proposition IV.10)."""
    least, cls = minimum_privacy(space, f), space.cls
    title = f"from {cls.label(cls.database(start))}; f changes at the vertical lines"
    figure, ax = axes("database", "distance", title, size=(8.0, 4.8))
    metrics = {"d": space, "$d^f$": least.raw, "closure of $d^f$": least.closure}
    values = {name: [metric.distance(start, D) for D in cls] for name, metric in metrics.items()}
    for i, ((name, line), marker) in enumerate(zip(values.items(), "^so", strict=True)):
        ax.plot(line, label=name, marker=marker, ms=8, **line_style((4, 1, 0)[i]))
    changes = [n - 0.5 for n, (D, E) in enumerate(pairwise(cls), 1) if f(D) != f(E)]
    for x in changes:
        ax.axvline(x, color="0.6", linewidth=1.2)
    ax.set_xticks(range(len(cls)), list(map(letters, cls)), rotation=40)
    ax.legend(fontsize=FONT, frameon=False)
    rows = list(zip(map(cls.label, cls), map(str, map(f, cls)), *values.values(), strict=True))
    label, _, *last = rows[-1]
    told = ", ".join(f"{name} {show(d)}" for name, d in zip(("d", "d^f", "closure"), last, strict=True))
    alt = f"Distances from {cls.label(cls.database(start))}, by d, by d^f and by its closure. To {label}: {told}."
    return Picture(figure, alt, Table(rows, ["database", "f", "d", "d^f", "closure"]))


def corollary_15(cls: DatabaseClass, visible: str) -> Picture:
    """Draw the printed distance of Corollary IV.15 against the true d^f at all pairs of a class of multisets."""
    space = bounded.on(cls)
    seen = {D: tuple(x for x in D if x in visible) for D in cls}
    true = minimum_privacy(space, seen.get).raw
    pairs = [(D, E) for i, D in enumerate(cls) for E in cls.databases[:i]]
    counted = Counter((_printed(space, seen, D, E), true.distance(D, E)) for D, E in pairs)
    figure, ax = axes("as printed", "true", f"{len(pairs)} pairs; orange: not the same", size=(6.2, 5.4))
    top = max(d for pair in counted for d in pair if math.isfinite(d)) + 1
    ax.plot([0, top], [0, top], color="0.6", linewidth=1.2)
    for (printed, exact), n in counted.items():
        at = min(printed, top), min(exact, top)
        ax.scatter(*at, s=420 + 10 * n, color=PALE[BLUE if printed == exact else ORANGE], edgecolor="0.3", zorder=3)
        ax.text(*at, str(n), fontsize=FONT, zorder=4, **CENTRED)
    ticks, names = range(int(top) + 1), [*map(str, range(int(top))), "∞"]
    ax.set(xticks=ticks, yticks=ticks, xticklabels=names, yticklabels=names, aspect="equal")
    ax.set(xlim=(-0.5, top + 0.5), ylim=(-0.5, top + 0.5))
    rows = [(*pair, n) for pair, n in sorted(counted.items())]
    loose, wrong = (sum(n for (p, e), n in counted.items() if test(p, e)) for test in (_above, _below))
    alt = f"Printed against true distance of {len(pairs)} pairs: too large at {loose}, too small at {wrong}."
    return Picture(figure, alt, Table(rows, ["printed", "true", "pairs"]))


def _printed(space: NeighbourSpace, seen: Mapping, D: Hashable, E: Hashable) -> float:
    return min(space.distance(D, E), symmetric_difference(seen[D], seen[E]))


def _above(printed: float, exact: float) -> bool:
    return printed > exact


def _below(printed: float, exact: float) -> bool:
    return printed < exact


# ------------------------------------------------------------------------------------------ growing with the distance


def delta_growth(eps: float, delta: float, at: Sequence[int], last: int | None = None) -> Picture:
    """Draw the bound delta [n]_eps on the delta of databases n steps apart, and the true worst case (Theorem VI.3)."""
    figure, ax = axes("steps n between the databases", "δ at nε", size=(8.2, 5.0))
    n = np.arange(1, (last or max(at)) + 1)
    bound, exact = delta * bracket(n, eps), [group_delta(int(m), eps, delta) for m in n]
    ax.semilogy(n, bound, label="bound $δ\\,[n]_ε$", marker="s", ms=7, **line_style(1))
    ax.semilogy(n, exact, label="true worst case", marker="o", ms=7, **line_style(0))
    limit = vacuous_from(eps, delta)
    ax.axhline(1, color="0.5", linewidth=1.2)
    ax.axvline(limit, color="0.5", linewidth=1.2, linestyle=":")
    ax.text(limit - 0.2, delta * 1.3, f"n = {limit:.3f}", fontsize=FONT, ha="right")
    ax.set_xticks(n[:: 1 if len(n) < 18 else 2])
    ax.legend(fontsize=FONT, frameon=False, loc="upper left")
    rows = [(m, delta * float(bracket(m, eps)), group_delta(m, eps, delta)) for m in at]
    told = "; ".join(f"{m}: {show(above)} and {show(truth)}" for m, above, truth in rows)
    alt = f"Delta of databases n steps apart, bound and truth. {told}. The bound reaches 1 at {limit:.6g}."
    return Picture(figure, alt, Table(rows, ["n", "bound", "true worst case"]))


def squares_and_sums(levels: Sequence[float]) -> Picture:
    """Draw how pure levels add up in a line and Gaussian ones at right angles, the first against the second."""
    one, two = levels
    figure, ax = axes("", "", size=(7.4, 4.4))
    arrow = {"arrowstyle": "-|>,head_width=0.4,head_length=0.8", "shrinkA": 0, "shrinkB": 0, "linewidth": LINE + 0.6}
    for start, end, colour in _legs(one, two):
        ax.annotate("", end, start, arrowprops=arrow | {"color": colour})
    ax.plot([0, one], [0, two], color=BLUE, linewidth=LINE, linestyle="--")
    total, root = one + two, math.hypot(one, two)
    ax.text(one / 2 - 0.1 * total, two / 2 + 0.08 * total, f"{root:.4g}", fontsize=FONT + 2, color=BLUE, **CENTRED)
    ax.text(total / 2, -0.3 * total, f"{total:g}", fontsize=FONT + 2, color=ORANGE, **CENTRED)
    ax.text(one + 0.1, two / 2, "Gaussian: squares add", fontsize=FONT, va="center")
    ax.text(total + 0.1, -0.2 * total, "pure: levels add", fontsize=FONT, va="center")
    ax.set(xlim=(-0.1, 1.75 * total), ylim=(-0.42 * total, 1.15 * two), aspect="equal")
    _bare(ax)
    alt = f"Levels {show(one)} and {show(two)}: in a line they add up to {show(total)}, at right angles to {root:.6g}."
    return Picture(figure, alt, Table([("sum", total), ("root of the sum of squares", root)], ["levels", "total"]))


def _legs(one: float, two: float) -> Iterable[tuple]:
    low = -0.2 * (one + two)
    yield (0, 0), (one, 0), BLUE
    yield (one, 0), (one, two), BLUE
    yield (0, low), (one, low), ORANGE
    yield (one, low), (one + two, low), ORANGE


# ------------------------------------------------------------------------------------------------------------- graphs


def changed_edges(graphs: Mapping[str, tuple], nodes: int) -> Picture:
    """Draw what changes between two graphs, and the fewest nodes that all changed edges meet."""
    cls, rows = DatabaseClass.graphs(nodes), []
    figure, made = panels(1, len(graphs), (3.9 * len(graphs), 4.0))
    for ax, (name, pair) in zip(made, graphs.items(), strict=True):
        D, E = map(cls.database, pair)
        rewired = _fewest_nodes(D ^ E)
        _draw_changes(ax, D, E, nodes, rewired)
        ax.set_title(f"{name}\nedge: {len(D ^ E)}, node: {len(rewired)}", fontsize=FONT + 1, loc="left")
        rows.append((name, len(D ^ E), len(rewired)))
    told = "; ".join(f"{name}: {edges} edges, {_steps(few)} of nodes" for name, edges, few in rows)
    numbers = Table(rows, ["change", "edge distance", "node distance"])
    return Picture(figure, f"Changed edges of graphs. {told}.", numbers)


def _fewest_nodes(edges: Iterable[tuple]) -> tuple:
    """Return a smallest vertex cover: as many steps of node privacy as it has nodes."""
    nodes = sorted({v for e in edges for v in e})
    sets = (some for n in range(len(nodes) + 1) for some in combinations(nodes, n))
    return next(some for some in sets if all(u in some or v in some for u, v in edges))


def _draw_changes(ax: Axes, D: frozenset, E: frozenset, nodes: int, rewired: Sequence) -> None:
    turn = 2 * np.pi * np.arange(nodes) / nodes + np.pi / 2
    place = dict(enumerate(np.stack([np.cos(turn), np.sin(turn)], axis=1), 1))
    for u, v in sorted(D | E):
        kept, new = (u, v) in D & E, (u, v) in E
        look = {"color": "0.6", "lw": 1.5} if kept else {"color": ORANGE, "lw": 3.5, "ls": "-" if new else ":"}
        ax.plot(*zip(place[u], place[v], strict=True), **look)
    for v, (x, y) in place.items():
        face, rim, weight = (PALE[BLUE], BLUE, "bold") if v in rewired else ("white", "0.4", "normal")
        ax.plot(x, y, "o", ms=24, color=face, markeredgecolor=rim, markeredgewidth=2)
        ax.text(x, y, str(v), fontsize=FONT, fontweight=weight, **CENTRED)
    ax.set(xlim=(-1.3, 1.3), ylim=(-1.25, 1.3), aspect="equal")
    _bare(ax)
