"""The figures of lecture 4: coins sorted by what leaks, exposed neighbours, extremal chains, and what was printed.

Blue stands for what is hidden or exact, orange for what is exposed or printed. Every function returns a `Picture`,
whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise, product

import numpy as np
from matplotlib.axes import Axes

from .. import composition
from ..curve import VACUOUS
from ..guarantee import Guarantee
from ..leakage import LeakyMechanism, bounds, examples
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, show
from .style import CENTRED, COLOURS, FONT, LINE, PAPER, Picture, axes, letters, line_style, panels

BLUE, ORANGE, GREEN = COLOURS[:3]
FILLS = ("#D6E9F5", "#FBE3D3")
EDGES = (BLUE, ORANGE)
ABOVE = {"textcoords": "offset points", "xytext": (0, 8), "ha": "center"}


# ------------------------------------------------------------------------------------------ coins sorted by the leak


def coins_by_leak(mechanism: Callable, leaks: Mapping[str, Callable], coins: Iterable[Hashable]) -> Picture:
    """Draw the output bit of every coin for the secret bits 0 and 1, the coins sorted into boxes by what they leak.

    Under each box stands e^eps given the leaked value.
    """
    coins = list(coins)
    titles = [f"leaks: {name}" for name in leaks]
    figure, made = panels(len(leaks), 1, (9.5, 1.6 * len(leaks)), titles, sharex=True)
    rows = []
    for ax, (name, leak) in zip(made, leaks.items(), strict=True):
        leaky = LeakyMechanism.from_functions([0, 1], coins, mechanism, leak)
        words = [_ratio_in_words(leaky, o) for o in leaky.leaks]
        boxes = [_outputs_in_box(mechanism, leak, coins, o) for o in leaky.leaks]
        _draw_boxes(ax, boxes, words)
        rows.append((name, ", ".join(words), leaky.ratio()))
    told = "; ".join(f"{name}: {each}" for name, each, _ in rows)
    alt = f"The outputs of {len(coins)} coins for both secret bits, sorted by the leak. e^eps in each box: {told}."
    return Picture(figure, alt, Table(rows, ["leaks", "e^eps in each box", "the worst"]))


def _outputs_in_box(mechanism: Callable, leak: Callable, coins: list, o: Hashable) -> list[list]:
    """Return the outputs at 0 and those at 1, of the coins that leak o."""
    return [[mechanism(x, r) for r in coins if leak(x, r) == o] for x in (0, 1)]


def _ratio_in_words(leaky: LeakyMechanism, o: Hashable) -> str:
    answer = leaky.given(o).ratio()
    return "∞" if answer == math.inf else show(answer)


def _draw_boxes(ax: Axes, boxes: Sequence[Sequence[list]], words: Sequence[str]) -> None:
    """Draw one box for every leaked value: above the outputs at 0, below those at 1, and e^eps under it."""
    left = 0.0
    for rows, word in zip(boxes, words, strict=True):
        width = max(map(len, rows))
        for y, outputs in zip((1, 0), rows, strict=True):
            _draw_cells(ax, left, y, outputs)
        ax.plot(left + width * np.array([0, 1, 1, 0, 0]), [0, 0, 2, 2, 0], color="0.2", linewidth=1.8)
        ax.text(left + width / 2, -0.2, f"$e^ε$ = {word}", fontsize=FONT, ha="center", va="top")
        left += width + 0.7
    ax.set(ylim=(-1.0, 2.15), xticks=[], yticks=[1.5, 0.5], yticklabels=["x = 0", "x = 1"])
    ax.tick_params(labelsize=FONT - 1)
    _bare(ax)


def _draw_cells(ax: Axes, left: float, bottom: float, cells: Sequence[int]) -> None:
    """Draw a row of bits as filled cells."""
    for i, bit in enumerate(cells):
        look = {"facecolor": FILLS[bit], "edgecolor": EDGES[bit], "hatch": "//" if bit else ""}
        ax.bar(left + i + 0.5, 0.86, 0.86, bottom=bottom + 0.07, linewidth=1.2, **look)
        ax.text(left + i + 0.5, bottom + 0.5, str(bit), fontsize=FONT - 1, bbox=PAPER, **CENTRED)


def _bare(ax: Axes) -> None:
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)


# ------------------------------------------------------------------------------------------------------- neighbours


def cubes(mechanisms: Mapping[str, LeakyMechanism], ratio) -> Picture:
    """Draw the databases of three bits as a cube, every edge two neighbours: hidden, exposed, or not compared at all.

    An edge is exposed if the two databases have a positive delta at e^eps = `ratio`.
    """
    figure, made = panels(1, len(mechanisms), (3.7 * len(mechanisms), 4.1), list(mechanisms))
    rows = []
    for ax, (name, leaky) in zip(made, mechanisms.items(), strict=True):
        kinds = {pair: _kind(delta) for pair, delta in leaky.by_neighbours(ratio=ratio).items()}
        _draw_cube(ax, kinds)
        counts = [list(kinds.values()).count(kind) for kind in LOOKS]
        rows.append((name, *counts, leaky.delta(ratio=ratio)))
    for kind, look in LOOKS.items():
        made[0].plot([], [], label=kind, **look)
    words = made[0].get_legend_handles_labels()
    figure.legend(*words, loc="outside lower center", ncols=3, fontsize=FONT, frameon=False)
    told = "; ".join(f"{name}: {one} hidden, {two} exposed, {three} not compared" for name, one, two, three, _ in rows)
    return Picture(figure, f"The edges of the cube of databases. {told}.", Table(rows, ["", *LOOKS, "delta"]))


LOOKS = {
    "hidden": {"color": BLUE, "linestyle": "-", "linewidth": LINE},
    "exposed": {"color": ORANGE, "linestyle": "-", "linewidth": 2.6 * LINE},
    "not compared": {"color": "0.45", "linestyle": ":", "linewidth": LINE},
}


def _kind(delta) -> str:
    if delta is VACUOUS:
        return "not compared"
    return "exposed" if delta > 0 else "hidden"


def _draw_cube(ax: Axes, kinds: Mapping[tuple, str]) -> None:
    place = {x: (x[0] + 0.45 * x[2], x[1] + 0.38 * x[2]) for x in product((0, 1), repeat=3)}
    for (x, y), kind in kinds.items():
        ax.plot(*zip(place[x], place[y], strict=True), **LOOKS[kind])
    for x, (right, up) in place.items():
        box = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "0.4"}
        ax.text(right, up, letters(x), fontsize=FONT - 1, family="monospace", bbox=box, **CENTRED)
    ax.set(xlim=(-0.25, 1.7), ylim=(-0.2, 1.6), xticks=[], yticks=[])
    _bare(ax)


def detour(leaky: LeakyMechanism, o: Hashable, start: tuple, end: tuple) -> Picture:
    """Draw the databases of two entries as a grid, those that can leak o framed, and the shortest path through them.

    In a frame stands the probability of the output 1, given o.
    """
    figure, ax = axes("first entry", "second entry", f"Databases that can leak {o}", size=(7.0, 5.4))
    inside = {x: leaky.law(x, o).get(1, 0) for x in leaky.databases if o in leaky.leak_law(x)}
    path = leaky.group_paths(o)[start, end]
    _draw_grid(ax, leaky.databases, inside)
    _draw_path(ax, path)
    distance = leaky.distance(start, end)
    ratio = leaky.conditioned(start, end, o).ratio()
    rows = [
        ("entries that differ", distance),
        ("steps of the path", len(path) - 1),
        ("e^eps of one step", leaky.ratio()),
        ("e^eps between the ends", ratio),
    ]
    alt = (
        f"A grid of databases; {len(inside)} can leak {o}. From {letters(start)} to {letters(end)} the path is "
        f"{' '.join(map(letters, path))}, {len(path) - 1} steps for {distance} entries that differ; e^eps between the "
        f"ends is {show(ratio)}."
    )
    return Picture(figure, alt, Table(rows, ["", "value"]))


def _draw_grid(ax: Axes, databases: Sequence[tuple], inside: Mapping[tuple, object]) -> None:
    for x in databases:
        edge, ink = (BLUE, "black") if x in inside else ("0.75", "0.55")
        box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": edge, "linewidth": 2}
        words = f"{letters(x)}\n{show(inside[x])}" if x in inside else letters(x)
        ax.text(*x, words, fontsize=FONT + 1, color=ink, bbox=box, **CENTRED)
    across, up = (sorted(set(entries)) for entries in zip(*databases, strict=True))
    ax.set(xlim=(-0.5, max(across) + 0.5), ylim=(-0.5, max(up) + 0.5), xticks=across, yticks=up)
    ax.grid(False)


def _draw_path(ax: Axes, path: Sequence[tuple]) -> None:
    look = {"arrowstyle": "-|>,head_width=0.5,head_length=0.9", "color": ORANGE, "linewidth": 3}
    for x, y in pairwise(path):
        far = abs(x[0] - y[0]) + abs(x[1] - y[1]) > 1  # bend around the database in between
        bend = {"shrinkA": 34, "shrinkB": 34, "connectionstyle": f"arc3,rad={0.3 * far}"}
        ax.annotate("", y, x, arrowprops=look | bend)


# ------------------------------------------------------------------------------------------- Theorem 4 and Theorem 9


def release_cost(ratio, delta, leak_ratio, leak_delta, copies: Sequence[int]) -> Picture:
    """Draw the delta of output and leak together against the number of common leaked values (after Theorem 4)."""
    figure, ax = axes("leaked values that both databases share", "δ", "Output and leak together", size=(7.5, 4.8))
    rows = [_released(n, ratio, delta, leak_ratio, leak_delta) for n in copies]
    common, printed, sharp, exact = np.array(rows, dtype=float).T
    ax.plot(common, printed, label="as the remark says", marker="s", ms=8, **line_style(1))
    ax.plot(common, sharp, label="δ₁ + δ₂ − δ₁δ₂", **line_style(0))
    ax.plot(common, exact, "o", color="black", ms=8, label="exact")
    ax.axhline(1, color="0.6", linewidth=1.2)
    ax.text(common[-1], 1.06, "above 1 a δ says nothing", fontsize=FONT - 1, color="0.3", ha="right", va="bottom")
    ax.set(ylim=(0, 1.05 * printed.max()), xlim=(0, 1.04 * common[-1]), xticks=common)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper left")
    told = "; ".join(f"{n}: {show(remark)} against {show(truth)}" for n, remark, _, truth in rows)
    alt = f"Delta by the remark against the exact one, by the number of values: {told}."
    return Picture(figure, alt, Table(rows, ["common values", "remark", "sharp", "exact"]))


def _released(copies: int, *promises) -> tuple:
    """Return the number of common leaked values, and delta by the remark, by the sharp form, and exactly."""
    leaky = examples.release_extremal(*promises, copies=copies)
    sharp = bounds.release_bound(*promises)
    common = len(leaky.shared_leaks(*leaky.databases))
    printed = bounds.release_bound_as_printed(*promises, common)
    return common, printed.delta, sharp.delta, leaky.released().delta(ratio=sharp.ratio)


def chain_of_four(ratio, delta, shared_ratio, shared_delta=0, start=None) -> Picture:
    """Draw four probabilities of the output 1 that attain Theorem 9, from `start` on, and the promises they use up."""
    values = bounds.independence_chain(ratio, delta, shared_ratio, shared_delta, start)
    names = ["x', given o", "x'", "x", "x, given o"]
    shared = ("independence", shared_ratio, shared_delta)
    steps = [shared, ("DP", ratio, delta), shared]
    figure, ax = axes("", "probability of the output 1", "As far as the promises allow", size=(8.2, 5.0))
    top = 1.35 * float(values[-1])
    ax.bar(range(4), [float(v) for v in values], 0.5, color=[FILLS[i] for i in (1, 0, 0, 1)], edgecolor="0.2")
    for i, value in enumerate(values):
        ax.annotate(show(value), (i, float(value)), fontsize=FONT + 1, **ABOVE)
    for i, step in enumerate(steps):
        _draw_step(ax, i, top, *step)
    ax.set_xticks(range(4), names, fontsize=FONT)
    ax.set(xlim=(-0.5, 3.5), ylim=(0, top))
    rows = [(name, value, *step) for name, value, step in zip(names, values, [("", None, None), *steps], strict=True)]
    told = ", ".join(f"{name} {show(value)}" for name, value, *_ in rows)
    alt = f"Four bars, the probability of the output 1: {told}. Each step is as large as a promise allows."
    return Picture(figure, alt, Table(rows, ["on", "probability of 1", "step allowed by", "times", "plus"]))


def _draw_step(ax: Axes, i: int, top: float, name: str, times, plus) -> None:
    """Draw the arrow from bar i to the next one, and over it the promise that it uses up."""
    head = (i + 0.72, 0.8 * top)
    tail = (i + 0.28, 0.8 * top)
    ax.annotate("", head, tail, arrowprops={"color": GREEN, "width": 3, "headwidth": 12})
    words = f"{name}\n× {show(times)} + {show(plus)}"
    ax.text(i + 0.5, 0.84 * top, words, fontsize=FONT - 1, ha="center", va="bottom")


# ----------------------------------------------------------------------------------------------------- composition


def rectangles(pair: Pair, ratio=1) -> Picture:
    """Draw P - e^eps Q for two answers as a square of cells: the best set, and the best rectangle."""
    excess = {(y, z): p - ratio * q for (y, z), p, q in _two_answers(pair)}
    best = [cell for cell, value in excess.items() if value > 0]
    framed = max(_rectangles(pair.outcomes), key=lambda cells: sum(excess[cell] for cell in cells))
    times = "" if ratio == 1 else f"{show(ratio)} · "
    figure, ax = axes("second answer", "first answer", f"Two answers: Pr on x − {times}Pr on x'", size=(6.8, 5.6))
    _draw_square(ax, pair.outcomes, excess, best, framed)
    sums = {"best rectangle (framed)": framed, "best set (filled)": best}
    rows = [(name, sum(excess[cell] for cell in cells)) for name, cells in sums.items()]
    rows += [("delta of the library", (pair @ pair).delta(ratio=ratio, direction="pq"))]
    told = "; ".join(f"{name}: {show(value)}" for name, value in rows)
    return Picture(figure, f"A square of the outcomes of two answers. {told}.", Table(rows, ["", "delta"]))


def _two_answers(pair: Pair) -> list[tuple]:
    single = list(zip(pair.outcomes, pair.p, pair.q, strict=True))
    return [((y, z), p * r, q * s) for (y, p, q), (z, r, s) in product(single, repeat=2)]


def _rectangles(outcomes: Sequence) -> list[list]:
    """Return all products of two sets of outcomes, as lists of cells."""
    sets = list(chain.from_iterable(combinations(outcomes, n) for n in range(len(outcomes) + 1)))
    return [list(product(*sides)) for sides in product(sets, repeat=2)]


def _draw_square(ax: Axes, outcomes: Sequence, values: Mapping, filled: Sequence, framed: Sequence) -> None:
    for (i, y), (j, z) in product(enumerate(outcomes), repeat=2):
        inside = (y, z) in filled
        look = {"facecolor": FILLS[0] if inside else "white", "edgecolor": BLUE if inside else "0.7"}
        ax.bar(j, 0.88, 0.88, bottom=-i - 0.44, **look)
        ax.text(j, -i, show(values[y, z]), fontsize=FONT + 3, **CENTRED)
    for cell in framed:
        _draw_frame(ax, outcomes, cell, framed)
    names = list(map(str, outcomes))
    size = len(outcomes)
    ax.set_xticks(range(size), names, fontsize=FONT + 1)
    ax.set_yticks([-i for i in range(size)], names, fontsize=FONT + 1)
    ax.set(xlim=(-0.6, size - 0.4), ylim=(-size + 0.4, 0.6))
    _bare(ax)


def _draw_frame(ax: Axes, outcomes: Sequence, cell: tuple, framed: Sequence) -> None:
    """Draw the sides of a cell beyond which the framed set does not go on."""
    i, j = map(outcomes.index, cell)
    around = {tuple(map(outcomes.index, other)) for other in framed}
    for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if (i + down, j + right) not in around:
            middle = np.array([j + 0.5 * right, -i - 0.5 * down])
            along = np.array([0.5 * down, 0.5 * right])
            ax.plot(*np.stack([middle - along, middle + along]).T, color=ORANGE, linewidth=4, linestyle="--")


def misprint(k: int, slack: float, at: Sequence[float]) -> Picture:
    """Draw the total eps of k answers by several formulas, divided by the exact optimum (Theorems 16 and 32).

    As printed, with e^(eps - 1), and as intended, with e^eps - 1; the table is for the eps in `at`.
    """
    names = ["basic: k ε", "printed: e^(ε − 1)", "intended: e^ε − 1"]
    figure, ax = axes("ε of one answer", "total ε / optimum", f"{k} answers, δ′ = {slack:g}", size=(7.8, 5.0))
    grid = np.geomspace(min(at), max(at), 40)
    values = np.array([_totals(eps, k, slack) for eps in grid])
    for i, name in enumerate(names):
        ax.plot(grid, values[:, i + 1] / values[:, 0], label=name, **line_style(i))
    crossing = 1 - math.log(math.e - 1)
    ax.axhline(1, color="0.6", linewidth=1.2)
    ax.axvline(crossing, color="0.6", linewidth=1.2, linestyle=":")
    ax.annotate(f"equal at {crossing:.3f} ", (crossing, 0.86), fontsize=FONT - 1, ha="right")
    ax.set(xscale="log", ylim=(0.8, 3.3), yticks=[1, 1.5, 2, 2.5, 3])
    ax.set_xticks(at, [f"{eps:g}" for eps in at])
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper left")
    rows = [(eps, *_totals(eps, k, slack)) for eps in at]
    told = "; ".join(
        f"{eps:g}: {show(printed)}, {show(meant)} and {show(exact)}" for eps, exact, _, printed, meant in rows
    )
    alt = (
        f"Total eps of {k} answers over the optimum; printed and intended cross at {crossing:.6g}. Printed, intended "
        f"and exact at eps {told}."
    )
    return Picture(figure, alt, Table(rows, ["eps", "optimum", *names]))


def _totals(eps: float, k: int, slack: float) -> tuple[float, float, float, float]:
    each = Guarantee(eps)
    printed = bounds.advanced_as_printed(each, slack, k)
    meant = composition.advanced(each, slack, k)
    return optimal(each, k=k).epsilon(slack), k * float(eps), printed.epsilon, meant.epsilon


# ------------------------------------------------------------------------------------------------------ applications


def xor_posteriors(people: Sequence[int], ratio) -> Picture:
    """Draw what is believed about the first person's bit after the leaked sums, the noisy answers, and both."""
    figure, ax = axes("number of people n", "belief that the first bit is 0", size=(7.5, 5.0))
    rows = [(n, *_beliefs(examples.xor_attack(n, ratio), n)) for n in people]
    names = ["exact sums alone", "noisy answers alone", "both"]
    values = np.array(rows, dtype=float)
    for i, (name, marker) in enumerate(zip(names, "^so", strict=True), start=1):
        ax.plot(values[:, 0], values[:, i], label=name, marker=marker, ms=9, **line_style((2, 0, 1)[i - 1]))
    for n, *_, both in rows:
        ax.annotate(show(both), (n, float(both)), fontsize=FONT, **ABOVE)
    ax.set(xticks=list(people), ylim=(0.4, 1.08), xlim=(min(people) - 0.3, max(people) + 0.35))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="center right", bbox_to_anchor=(1, 0.4))
    told = "; ".join(f"n = {n}: {', '.join(map(show, beliefs))}" for n, *beliefs in rows)
    alt = f"Belief that the first bit is 0, by the exact sums, the noisy answers, and both. {told}."
    return Picture(figure, alt, Table(rows, ["n", *names]))


def _beliefs(leaky: LeakyMechanism, n: int) -> list:
    sums = dict(leak=(0,) * (n - 1))
    answers = dict(output=(0,) * n)
    laws = [leaky.posterior(**seen) for seen in (sums, answers, sums | answers)]
    return [sum(weight for x, weight in law.items() if x[0] == 0) for law in laws]


def who_joins(one: Sequence[int], other: Sequence[int], ratio) -> Picture:
    """Draw the studies that a person joins in two worlds; only those joined in either of them can tell them apart."""
    figure, ax = axes("study", "", "Which studies can depend on her?", size=(1.3 * len(one) + 2.6, 3.4))
    for y, joins in zip((1, 0), (one, other), strict=True):
        _draw_cells(ax, 0, y, joins)
    touched = [max(pair) for pair in zip(one, other, strict=True)]
    for i, yes in enumerate(touched):
        words, ink = (f"× {show(ratio)}", "black") if yes else ("the same", "0.4")
        ax.text(i + 0.5, -0.4, words, fontsize=FONT, color=ink, **CENTRED)
    ax.set(xlim=(0, len(one)), ylim=(-0.8, 2.1), yticks=[1.5, 0.5], yticklabels=["her data: 0", "her data: 1"])
    ax.set_xticks([i + 0.5 for i in range(len(one))], range(1, len(one) + 1))
    ax.tick_params(labelsize=FONT)
    _bare(ax)
    rows = [
        ("joined at most", max(sum(one), sum(other))),
        ("studies that may depend on her", sum(touched)),
        ("e^loss at most", ratio ** sum(touched)),
    ]
    told = ", ".join(f"{name} {show(value)}" for name, value in rows)
    alt = f"Studies joined in two worlds, {letters(one)} and {letters(other)}: {told}."
    return Picture(figure, alt, Table(rows, ["", "value"]))
