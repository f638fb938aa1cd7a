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

from ..curve import VACUOUS
from ..granularity import (
    DatabaseClass,
    Maps,
    NeighbourSpace,
    PrivacySpace,
    bounded,
    minimum_privacy,
    symmetric_difference,
)
from ..notions import group_delta, group_factor, vacuous_from
from ..table import Table, show
from .style import CENTRED, COLOURS, FONT, LINE, Picture, arc, axes, letters, line_style, panels

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
    alt = f"Databases, joined if they are neighbours; {_from_to(space.cls, start, goal)}. {'; '.join(counts)}."
    columns = ["", "databases", "neighbouring pairs", "parts", "steps"]
    return Picture(figure, alt, Table(rows, columns))


def _from_to(cls: DatabaseClass, start: Hashable, goal: Hashable) -> str:
    return f"{cls.label(cls.database(start))} to {cls.label(cls.database(goal))}"


def _draw_graph(ax: Axes, space: NeighbourSpace, start: Hashable, goal: Hashable) -> None:
    places = _places(space.cls)
    edges = [arc(places, i, j) for i, j in space.edges.tolist()]
    ax.add_collection(LineCollection(edges, colors="0.7", linewidths=1.3))
    path = [space.position(D) for D in space.shortest_path(start, goal)]
    walked = [arc(places, min(step), max(step)) for step in pairwise(path)]
    ax.add_collection(LineCollection(walked, colors=ORANGE, linewidths=5, capstyle="round"))
    rims = dict.fromkeys(range(len(space)), "0.5")
    rims |= dict.fromkeys(path, BLUE)
    rims[space.position(start)] = ORANGE
    rims[space.position(goal)] = ORANGE
    for i, D in enumerate(space.databases):
        box = {"boxstyle": "round,pad=0.25", "facecolor": PALE[rims[i]], "edgecolor": rims[i], "linewidth": 2}
        ax.text(*places[i], letters(D), fontsize=FONT, bbox=box, zorder=3, **CENTRED)
    ax.set(xlim=(-0.1, 1.1), ylim=(-0.12, 1.12))
    _bare(ax)


def _places(cls: DatabaseClass) -> np.ndarray:
    """Return where to draw the databases: in rows by size, or around a circle if all have the same size."""
    sizes = [len(D) for D in cls]
    if len(set(sizes)) == 1:
        turn = 2 * np.pi * np.arange(len(cls)) / len(cls)
        return 0.5 + 0.46 * np.stack([-np.cos(turn), np.sin(turn)], axis=1)
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
            touched = []
            rows.append((name, step, VACUOUS, len(maps)))
            sentences.append(f"{name}: no neighbours, vacuous")
        else:
            step = " → ".join(map(space.cls.label, pair))
            touched = maps.touched(*pair)
            rows.append((name, step, most, len(maps)))
            sentences.append(f"{name}: {step} touches {most} of {len(maps)}")
        _draw_board(ax, maps, records, touched)
        ax.set_title(f"{name}\n{step}", fontsize=FONT, loc="left")
    alt = f"Which part sees which record, and the parts that one step touches. {'; '.join(sentences)}."
    return Picture(figure, alt, Table(rows, ["", "a step that touches most", "parts touched", "of"]))


def _draw_board(ax: Axes, maps: Maps, records: Sequence[Hashable], touched: Sequence) -> None:
    for x, (name, f) in enumerate(zip(maps.names, maps, strict=True)):
        if name in touched:
            ax.axvspan(x - 0.42, x + 0.42, facecolor=PALE[ORANGE], edgecolor=ORANGE, hatch="/", linewidth=1.5)
        for y, record in enumerate(records):
            colour = BLUE if f((record,)) else "white"
            ax.plot(x, y, "o", ms=16, color=colour, markeredgecolor="0.4", zorder=3)
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
    rows = []
    sentences = []
    for n, (district, hospital) in enumerate(zip(districts, hospitals, strict=True), 1):
        ax.axvspan(min(district) - 0.4, max(district) + 0.4, color="0.93")
        ax.text(sum(district) / len(district), 1.62, f"district {n}", fontsize=FONT, **CENTRED)
        ax.plot(hospital, 0.5, "P", ms=17, color=GREEN)
        there_before = [x for x in before if x in district]
        there_after = [x for x in after if x in district]
        nearest_before = _nearest(there_before, hospital)
        nearest_after = _nearest(there_after, hospital)
        _draw_ambulances(ax, there_before, 1, nearest_before)
        _draw_ambulances(ax, there_after, 0, nearest_after)
        counted = symmetric_difference(there_before, there_after)
        moved = abs(nearest_before - nearest_after)
        rows.append((n, counted, moved))
        sentences.append(f"district {n}: {show(counted)} and {show(moved)}")
    ax.set(ylim=(-0.5, 1.95), yticks=[1, 0], yticklabels=["before", "after"])
    ax.set_xticks(sorted({x for district in districts for x in district}))
    ax.tick_params(labelsize=FONT)
    ax.grid(False)
    changes = "; ".join(sentences)
    alt = f"Ambulances in districts, before and after a step. Change of the count and of the nearest place: {changes}."
    return Picture(figure, alt, Table(rows, ["district", "records that differ", "the nearest moves by"]))


def _nearest(there: Sequence[float], hospital: float) -> float:
    return min(there, key=lambda x: abs(x - hospital), default=hospital)


def _draw_ambulances(ax: Axes, there: Sequence[float], y: float, nearest: float) -> None:
    for x, times in Counter(there).items():
        for n in range(times):
            fill = BLUE if x == nearest and n == 0 else "white"
            ax.plot(x, y + 0.22 * n, "s", ms=14, color=fill, markeredgecolor=BLUE, markeredgewidth=2)


# ------------------------------------------------------------------------------------------- looking at a part only


def least_distances(space: PrivacySpace, f: Callable, start: Hashable) -> Picture:
    """Draw d, d^f and its closure from one database to all others, in the order of the class (Proposition IV.10)."""
    least = minimum_privacy(space, f)
    cls = space.cls
    start_label = cls.label(cls.database(start))
    figure, ax = axes("database", "distance", f"from {start_label}; f changes at the vertical lines", size=(8.0, 4.8))
    by_d = [space.distance(start, D) for D in cls]
    by_df = [least.raw.distance(start, D) for D in cls]
    by_closure = [least.closure.distance(start, D) for D in cls]
    ax.plot(by_d, label="d", marker="^", ms=8, **line_style(4))
    ax.plot(by_df, label="$d^f$", marker="s", ms=8, **line_style(1))
    ax.plot(by_closure, label="closure of $d^f$", marker="o", ms=8, **line_style(0))
    for n, (D, E) in enumerate(pairwise(cls)):
        if f(D) != f(E):
            ax.axvline(n + 0.5, color="0.6", linewidth=1.2)
    ax.set_xticks(range(len(cls)), list(map(letters, cls)), rotation=40)
    ax.legend(fontsize=FONT, frameon=False)
    labels = list(map(cls.label, cls))
    values = [str(f(D)) for D in cls]
    rows = list(zip(labels, values, by_d, by_df, by_closure, strict=True))
    last = f"d {show(by_d[-1])}, d^f {show(by_df[-1])}, closure {show(by_closure[-1])}"
    alt = f"Distances from {start_label}, by d, by d^f and by its closure. To {labels[-1]}: {last}."
    return Picture(figure, alt, Table(rows, ["database", "f", "d", "d^f", "closure"]))


def corollary_15(cls: DatabaseClass, visible: str) -> Picture:
    """Draw the printed distance of Corollary IV.15 against the true d^f at all pairs of a class of multisets."""
    space = bounded.on(cls)
    seen = {D: tuple(x for x in D if x in visible) for D in cls}
    true = minimum_privacy(space, seen).raw
    counted: Counter = Counter()
    for D, E in combinations(cls, 2):
        printed = min(space.distance(D, E), symmetric_difference(seen[D], seen[E]))
        counted[printed, true.distance(D, E)] += 1
    pairs = counted.total()
    figure, ax = axes("as printed", "true", f"{pairs} pairs; orange: not the same", size=(6.2, 5.4))
    _draw_counts(ax, counted)
    rows = [(printed, exact, n) for (printed, exact), n in sorted(counted.items())]
    too_large = sum(n for printed, exact, n in rows if printed > exact)
    too_small = sum(n for printed, exact, n in rows if printed < exact)
    alt = f"Printed against true distance of {pairs} pairs: too large at {too_large}, too small at {too_small}."
    return Picture(figure, alt, Table(rows, ["printed", "true", "pairs"]))


def _draw_counts(ax: Axes, counted: Counter) -> None:
    """Draw how often each pair of distances occurs, with infinity at the edge."""
    top = max(d for pair in counted for d in pair if math.isfinite(d)) + 1
    ax.plot([0, top], [0, top], color="0.6", linewidth=1.2)
    for (printed, exact), n in counted.items():
        x = min(printed, top)
        y = min(exact, top)
        colour = PALE[BLUE if printed == exact else ORANGE]
        ax.scatter(x, y, s=420 + 10 * n, color=colour, edgecolor="0.3", zorder=3)
        ax.text(x, y, str(n), fontsize=FONT, zorder=4, **CENTRED)
    ticks = range(int(top) + 1)
    names = [*map(str, ticks[:-1]), "∞"]
    ax.set(xticks=ticks, yticks=ticks, xticklabels=names, yticklabels=names, aspect="equal")
    ax.set(xlim=(-0.5, top + 0.5), ylim=(-0.5, top + 0.5))


# ------------------------------------------------------------------------------------------ growing with the distance


def delta_growth(eps: float, delta: float, at: Sequence[int], last: int | None = None) -> Picture:
    """Draw the bound delta [n]_eps on the delta of databases n steps apart, and the true worst case (Theorem VI.3)."""
    figure, ax = axes("steps n between the databases", "δ at nε", size=(8.2, 5.0))
    n = np.arange(1, (last or max(at)) + 1)
    bound = delta * group_factor(n, eps)
    exact = [group_delta(int(m), eps, delta) for m in n]
    ax.semilogy(n, bound, label="bound $δ\\,[n]_ε$", marker="s", ms=7, **line_style(1))
    ax.semilogy(n, exact, label="true worst case", marker="o", ms=7, **line_style(0))
    limit = vacuous_from(eps, delta)
    ax.axhline(1, color="0.5", linewidth=1.2)
    ax.axvline(limit, color="0.5", linewidth=1.2, linestyle=":")
    ax.text(limit - 0.2, delta * 1.3, f"n = {limit:.3f}", fontsize=FONT, ha="right")
    ax.set_xticks(n if len(n) < 18 else n[::2])
    ax.legend(fontsize=FONT, frameon=False, loc="upper left")
    rows = [(m, delta * group_factor(m, eps), group_delta(m, eps, delta)) for m in at]
    sentences = [f"{m}: {show(above)} and {show(truth)}" for m, above, truth in rows]
    values = "; ".join(sentences)
    alt = f"Delta of databases n steps apart, bound and truth. {values}. The bound reaches 1 at {limit:.6g}."
    return Picture(figure, alt, Table(rows, ["n", "bound", "true worst case"]))


def squares_and_sums(levels: Sequence[float]) -> Picture:
    """Draw how pure levels add up in a line and Gaussian ones at right angles, the first against the second."""
    one, two = levels
    figure, ax = axes("", "", size=(7.4, 4.4))
    arrow = {"arrowstyle": "-|>,head_width=0.4,head_length=0.8", "shrinkA": 0, "shrinkB": 0, "linewidth": LINE + 0.6}
    for start, end, colour in _legs(one, two):
        ax.annotate("", end, start, arrowprops=arrow | {"color": colour})
    ax.plot([0, one], [0, two], color=BLUE, linewidth=LINE, linestyle="--")
    total = one + two
    root = math.hypot(one, two)
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
    cls = DatabaseClass.graphs(nodes)
    figure, made = panels(1, len(graphs), (3.9 * len(graphs), 4.0))
    rows = []
    sentences = []
    for ax, (name, (before, after)) in zip(made, graphs.items(), strict=True):
        D = cls.database(before)
        E = cls.database(after)
        edges = len(D ^ E)
        rewired = _fewest_nodes(D ^ E)
        _draw_changes(ax, D, E, nodes, rewired)
        ax.set_title(f"{name}\nedge: {edges}, node: {len(rewired)}", fontsize=FONT + 1, loc="left")
        rows.append((name, edges, len(rewired)))
        sentences.append(f"{name}: {edges} edges, {_steps(len(rewired))} of nodes")
    numbers = Table(rows, ["change", "edge distance", "node distance"])
    return Picture(figure, f"Changed edges of graphs. {'; '.join(sentences)}.", numbers)


def _fewest_nodes(edges: Iterable[tuple]) -> tuple:
    """Return a smallest vertex cover: as many steps of node privacy as it has nodes."""
    nodes = sorted({node for edge in edges for node in edge})
    for size in range(len(nodes)):
        for some in combinations(nodes, size):
            if all(u in some or v in some for u, v in edges):
                return some
    return tuple(nodes)


def _draw_changes(ax: Axes, D: frozenset, E: frozenset, nodes: int, rewired: Sequence) -> None:
    turn = 2 * np.pi * np.arange(nodes) / nodes + np.pi / 2
    place = dict(enumerate(zip(np.cos(turn), np.sin(turn), strict=True), 1))
    for u, v in sorted(D | E):
        look = {"color": "0.6", "lw": 1.5}
        if (u, v) in D ^ E:
            look = {"color": ORANGE, "lw": 3.5, "ls": "-" if (u, v) in E else ":"}
        (x, y), (x2, y2) = place[u], place[v]
        ax.plot([x, x2], [y, y2], **look)
    for node, (x, y) in place.items():
        look = {"color": "white", "markeredgecolor": "0.4"}
        weight = "normal"
        if node in rewired:
            look = {"color": PALE[BLUE], "markeredgecolor": BLUE}
            weight = "bold"
        ax.plot(x, y, "o", ms=24, markeredgewidth=2, **look)
        ax.text(x, y, str(node), fontsize=FONT, fontweight=weight, **CENTRED)
    ax.set(xlim=(-1.3, 1.3), ylim=(-1.25, 1.3), aspect="equal")
    _bare(ax)
