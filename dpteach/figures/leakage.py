"""The figures of lecture 4: coins sorted by what leaks, exposed neighbours, extremal chains, and what was printed.

Blue stands for what is hidden or exact, orange for what is exposed or printed. Every function returns a `Picture`,
whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise, product

import numpy as np

from .. import composition
from ..curve import VACUOUS
from ..guarantee import Guarantee
from ..leakage import LeakyMechanism, bounds, examples
from ..optimum import optimal
from ..pair import Pair
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
    PAPER,
    Picture,
    axes,
    bare,
    draw_cell,
    draw_lines,
    legend,
    letters,
    line_style,
    lines_of,
    listing,
    note,
    panels,
    write,
)

with extras.told():
    from matplotlib.axes import Axes

ZERO = {"facecolor": PALE_BLUE, "edgecolor": BLUE, "linewidth": 1.2}
ONE = {"facecolor": PALE_ORANGE, "edgecolor": ORANGE, "linewidth": 1.2, "hatch": "//"}
EDGES = {
    "hidden": {"color": BLUE, "linestyle": "-", "linewidth": LINE},
    "exposed": {"color": ORANGE, "linestyle": "-", "linewidth": 2.6 * LINE},
    "not compared": {"color": "0.45", "linestyle": ":", "linewidth": LINE},
}
CORNER = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "0.4"}
HEAD = "-|>,head_width=0.5,head_length=0.9"
ARROW = {"arrowstyle": HEAD, "color": ORANGE, "linewidth": 3, "shrinkA": 34, "shrinkB": 34}


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
        ratios = [_ratio_in_words(leaky, o) for o in leaky.leaks]
        boxes = [_outputs_in_box(mechanism, leak, coins, o) for o in leaky.leaks]
        _draw_boxes(ax, boxes, ratios)
        rows.append((name, ", ".join(ratios), leaky.ratio()))
    in_each_box = listing((name, ratios) for name, ratios, _ in rows)
    what = f"The outputs of {len(coins)} coins for both secret bits, sorted by the leak."
    alt = f"{what} e^eps in each box: {in_each_box}."
    return Picture(figure, alt, Table(rows, ["leaks", "e^eps in each box", "the worst"]))


def _outputs_in_box(mechanism: Callable, leak: Callable, coins: list, o: Hashable) -> list[list]:
    """Return the outputs at 0 and those at 1, of the coins that leak o."""
    return [[mechanism(x, r) for r in coins if leak(x, r) == o] for x in (0, 1)]


def _ratio_in_words(leaky: LeakyMechanism, o: Hashable) -> str:
    ratio = leaky.given(o).ratio()
    return "∞" if ratio == math.inf else show(ratio)


def _draw_boxes(ax: Axes, boxes: Sequence[Sequence[list]], ratios: Sequence[str]) -> None:
    """Draw one box for every leaked value: above the outputs at 0, below those at 1, and e^eps under it."""
    left = 0.0
    for (at_zero, at_one), ratio in zip(boxes, ratios, strict=True):
        width = max(len(at_zero), len(at_one))
        _draw_bits(ax, left, 1, at_zero)
        _draw_bits(ax, left, 0, at_one)
        right = left + width
        ax.plot([left, right, right, left, left], [0, 0, 2, 2, 0], color="0.2", linewidth=1.8)
        ax.text(left + width / 2, -0.2, f"$e^ε$ = {ratio}", fontsize=FONT, ha="center", va="top")
        left = right + 0.7
    ax.set(ylim=(-1.0, 2.15), xticks=[], yticks=[1.5, 0.5], yticklabels=["x = 0", "x = 1"])
    ax.tick_params(labelsize=FONT - 1)
    bare(ax)


def _draw_bits(ax: Axes, left: float, bottom: float, bits: Sequence[int]) -> None:
    """Draw a row of bits as filled cells."""
    for i, bit in enumerate(bits):
        x = left + i + 0.5
        y = bottom + 0.5
        draw_cell(ax, x, y, 0.86, 0.86, **(ONE if bit else ZERO))
        write(ax, x, y, str(bit), FONT - 1, bbox=PAPER)


# ------------------------------------------------------------------------------------------------------- neighbours


def cubes(mechanisms: Mapping[str, LeakyMechanism], ratio) -> Picture:
    """Draw the databases of three bits as a cube, every edge two neighbours: hidden, exposed, or not compared at all.

    An edge is exposed if the two databases have a positive delta at e^eps = `ratio`.
    """
    figure, made = panels(1, len(mechanisms), (3.7 * len(mechanisms), 4.1), list(mechanisms))
    rows = []
    counted = []
    for ax, (name, leaky) in zip(made, mechanisms.items(), strict=True):
        kinds = {pair: _kind(delta) for pair, delta in leaky.by_neighbours(ratio=ratio).items()}
        _draw_cube(ax, kinds)
        counts = [list(kinds.values()).count(kind) for kind in EDGES]
        rows.append((name, *counts, leaky.delta(ratio=ratio)))
        words = [f"{count} {kind}" for count, kind in zip(counts, EDGES, strict=True)]
        counted.append(f"{name}: {', '.join(words)}")
    for kind, look in EDGES.items():
        made[0].plot([], [], label=kind, **look)
    lines = made[0].get_legend_handles_labels()
    figure.legend(*lines, loc="outside lower center", ncols=3, fontsize=FONT, frameon=False)
    alt = f"The edges of the cube of databases. {'; '.join(counted)}."
    return Picture(figure, alt, Table(rows, ["", *EDGES, "delta"]))


def _kind(delta) -> str:
    if delta is VACUOUS:
        return "not compared"
    return "exposed" if delta > 0 else "hidden"


def _draw_cube(ax: Axes, kinds: Mapping[tuple, str]) -> None:
    for (x, y), kind in kinds.items():
        ends = np.array([_place_in_cube(x), _place_in_cube(y)])
        ax.plot(*ends.T, **EDGES[kind])
    for x in product((0, 1), repeat=3):
        write(ax, *_place_in_cube(x), letters(x), FONT - 1, family="monospace", bbox=CORNER)
    ax.set(xlim=(-0.25, 1.7), ylim=(-0.2, 1.6), xticks=[], yticks=[])
    bare(ax)


def _place_in_cube(x: tuple[int, int, int]) -> tuple[float, float]:
    """Return where a database stands: the third bit goes backwards, a little to the right and upwards."""
    across, up, back = x
    return across + 0.45 * back, up + 0.38 * back


def shared_leaks(leaky: LeakyMechanism, names: Mapping[Hashable, str]) -> Picture:
    """Draw the law of the leak on two neighbours as bars: values that both can leak filled, the others hatched.

    The filled share of a bar is how much of the leak the definition compares, seen from this database.
    """
    first, second = names
    figure, ax = axes("probability of the leaked value", "", "The definition speaks of the blue part only", (8.2, 3.4))
    shared = leaky.shared_leaks(first, second)
    for height, x in zip((1, 0), names, strict=True):
        _draw_leaks(ax, height, leaky.leak_law(x), shared)
    ax.set(xlim=(0, 1), ylim=(-0.5, 1.5), xticks=[0, 0.25, 0.5, 0.75, 1])
    bare(ax)
    ax.set_yticks([1, 0], list(names.values()), fontsize=FONT)
    rows = [(names[x], leaky.covered(x, y)) for x, y in ((first, second), (second, first))]
    rows += [("on average", leaky.coverage), ("worst", leaky.worst_coverage)]
    alt = f"Two bars, the laws of the leak; the share of values that the other database can leak too: {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["seen from", "compared"]))


def _draw_leaks(ax: Axes, height: float, law: Mapping, shared: Iterable[Hashable]) -> None:
    """Draw one bar, a piece for every leaked value, the shared ones first."""
    left = 0.0
    for o in sorted(law, key=lambda value: value not in shared):
        width = float(law[o])
        ax.barh(height, width, 0.62, left, **(ZERO if o in shared else ONE))
        write(ax, left + width / 2, height, str(o), FONT, bbox=PAPER)
        left += width


def detour(leaky: LeakyMechanism, o: Hashable, start: tuple, end: tuple) -> Picture:
    """Draw the databases of two entries as a grid, those that can leak o framed, and the shortest path through them.

    In a frame stands the probability of the output 1, given o.
    """
    figure, ax = axes("first entry", "second entry", f"Databases that can leak {o}", size=(7.0, 5.4))
    can_leak = [x for x in leaky.databases if o in leaky.leak_law(x)]
    path = leaky.group_paths(o)[start, end]
    _draw_grid(ax, leaky.databases, {x: leaky.law(x, o).get(1, 0) for x in can_leak})
    _draw_path(ax, path)
    numbers = _facts_of_path(leaky, path, o)
    differ, steps, _, ratio = map(show, numbers.column("value"))
    ends = f"From {letters(start)} to {letters(end)}"
    way = " ".join(map(letters, path))
    alt = (
        f"A grid of databases; {len(can_leak)} can leak {o}. {ends} the path is {way}, {steps} steps for {differ} "
        f"entries that differ; e^eps between the ends is {ratio}."
    )
    return Picture(figure, alt, numbers)


def _facts_of_path(leaky: LeakyMechanism, path: Sequence[tuple], o: Hashable) -> Table:
    start = path[0]
    end = path[-1]
    rows = [
        ("entries that differ", leaky.distance(start, end)),
        ("steps of the path", len(path) - 1),
        ("e^eps of one step", leaky.ratio()),
        ("e^eps between the ends", leaky.conditioned(start, end, o).ratio()),
    ]
    return Table(rows, ["", "value"])


def _draw_grid(ax: Axes, databases: Sequence[tuple], chances: Mapping[tuple, object]) -> None:
    box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "linewidth": 2}
    for x in databases:
        words = letters(x)
        look = {"color": "0.55", "bbox": box | {"edgecolor": "0.75"}}
        if x in chances:
            words += f"\n{show(chances[x])}"
            look = {"color": "black", "bbox": box | {"edgecolor": BLUE}}
        write(ax, *x, words, FONT + 1, **look)
    across = sorted({first for first, _ in databases})
    up = sorted({second for _, second in databases})
    ax.set(xlim=(-0.5, across[-1] + 0.5), ylim=(-0.5, up[-1] + 0.5), xticks=across, yticks=up)
    ax.grid(False)


def _draw_path(ax: Axes, path: Sequence[tuple]) -> None:
    for x, y in pairwise(path):
        bend = 0.3 if math.dist(x, y) > 1 else 0  # around the database in between
        ax.annotate("", y, x, arrowprops=ARROW | {"connectionstyle": f"arc3,rad={bend}"})


# ------------------------------------------------------------------------------------------- Theorem 4 and Theorem 9


def release_cost(ratio, delta, leak_ratio, leak_delta, copies: Sequence[int]) -> Picture:
    """Draw the delta of output and leak together against the number of common leaked values (after Theorem 4)."""
    title = "The δ of output and leak does not grow with the number of values"
    figure, ax = axes("leaked values that both databases share", "δ", title, size=(7.5, 4.8))
    rows = [_released(n, ratio, delta, leak_ratio, leak_delta) for n in copies]
    common, printed, sharp, exact = np.array(rows, dtype=float).T
    ax.plot(common, printed, label="as the remark says", marker="s", ms=8, **line_style(1))
    ax.plot(common, sharp, label="δ₁ + δ₂ − δ₁δ₂", **line_style(0))
    ax.plot(common, exact, "o", color="black", ms=8, label="exact")
    ax.axhline(1, color="0.6", linewidth=1.2)
    ax.text(common[-1], 1.06, "above 1 a δ says nothing", fontsize=FONT - 1, color="0.3", ha="right", va="bottom")
    ax.set(ylim=(0, 1.05 * printed.max()), xlim=(0, 1.04 * common[-1]), xticks=common)
    legend(ax, "upper left")
    compared = "; ".join(f"{n}: {show(remark)} against {show(truth)}" for n, remark, _, truth in rows)
    alt = f"Delta by the remark against the exact one, by the number of values: {compared}."
    return Picture(figure, alt, Table(rows, ["common values", "remark", "sharp", "exact"]))


def _released(copies: int, *promises) -> tuple:
    """Return the number of common leaked values, and delta by the remark, by the sharp form, and exactly."""
    leaky = examples.release_extremal(*promises, copies=copies)
    common = len(leaky.shared_leaks(*leaky.databases))
    printed = bounds.release_bound_as_printed(*promises, common)
    sharp = bounds.release_bound(*promises)
    exact = leaky.released().delta(ratio=sharp.ratio)
    return common, printed.delta, sharp.delta, exact


def chain_of_four(ratio, delta, shared_ratio, shared_delta=0, start=None) -> Picture:
    """Draw four probabilities of the output 1 that attain Theorem 9, from `start` on, and the promises they use up."""
    figure, ax = axes("", "probability of the output 1", "As far as the promises allow", size=(8.2, 5.0))
    names = ["x', given o", "x'", "x", "x, given o"]
    values = bounds.independence_chain(ratio, delta, shared_ratio, shared_delta, start)
    shared = ("independence", shared_ratio, shared_delta)
    steps = [shared, ("DP", ratio, delta), shared]
    _draw_chain(ax, names, values)
    for i, step in enumerate(steps):
        _draw_step(ax, i, *step)
    before = [("", None, None), *steps]
    rows = [(name, value, *step) for name, value, step in zip(names, values, before, strict=True)]
    chances = listing(zip(names, values, strict=True), between=", ", colon=" ")
    alt = f"Four bars, the probability of the output 1: {chances}. Each step is as large as a promise allows."
    return Picture(figure, alt, Table(rows, ["on", "probability of 1", "step allowed by", "times", "plus"]))


def _draw_chain(ax: Axes, names: Sequence[str], values: Sequence) -> None:
    heights = [float(value) for value in values]
    ax.bar(range(4), heights, 0.5, color=[PALE_ORANGE, PALE_BLUE, PALE_BLUE, PALE_ORANGE], edgecolor="0.2")
    for i, value in enumerate(values):
        note(ax, show(value), (i, heights[i]), (0, 8), ha="center", fontsize=FONT + 1)
    ax.set_xticks(range(4), names, fontsize=FONT)
    ax.set(xlim=(-0.5, 3.5), ylim=(0, 1.35 * heights[-1]))


def _draw_step(ax: Axes, i: int, name: str, times, plus) -> None:
    """Draw the arrow from bar i to the next one, and over it the promise that it uses up."""
    top = ax.get_ylim()[1]
    height = 0.8 * top
    ax.annotate("", (i + 0.72, height), (i + 0.28, height), arrowprops={"color": GREEN, "width": 3, "headwidth": 12})
    words = f"{name}\n× {show(times)} + {show(plus)}"
    ax.text(i + 0.5, 0.84 * top, words, fontsize=FONT - 1, ha="center", va="bottom")


# ----------------------------------------------------------------------------------------------------- composition


def rectangles(pair: Pair, ratio=1) -> Picture:
    """Draw P - e^eps Q for two answers as a square of cells: the best set, and the best rectangle."""
    times = "" if ratio == 1 else f"{show(ratio)} · "
    figure, ax = axes("second answer", "first answer", f"Two answers: Pr on x − {times}Pr on x'", size=(6.8, 5.6))
    both = pair @ pair
    excess = dict(zip(both.outcomes, both.p - ratio * both.q, strict=True))
    best = both.best_event(ratio=ratio)
    framed = max(_rectangles(pair.outcomes), key=lambda cells: _sum_over(cells, excess))
    _draw_square(ax, pair.outcomes, excess, best)
    _draw_frame(ax, pair.outcomes, framed)
    rows = [
        ("best rectangle (framed)", _sum_over(framed, excess)),
        ("best set (filled)", _sum_over(best, excess)),
        ("delta of the library", both.delta(ratio=ratio, direction="pq")),
    ]
    alt = f"A square of the outcomes of two answers. {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["", "delta"]))


def _sum_over(cells: Iterable[tuple], values: Mapping[tuple, object]):
    return sum(values[cell] for cell in cells)


def _rectangles(outcomes: Sequence) -> list[list]:
    """Return all products of two sets of outcomes, as lists of cells."""
    sizes = range(len(outcomes) + 1)
    sets = list(chain.from_iterable(combinations(outcomes, size) for size in sizes))
    return [list(product(first, second)) for first, second in product(sets, repeat=2)]


def _draw_square(ax: Axes, outcomes: Sequence, values: Mapping, filled: Sequence) -> None:
    """Draw a cell for each pair of outcomes: the first answer downwards, the second to the right."""
    for (i, y), (j, z) in product(enumerate(outcomes), repeat=2):
        look = {"facecolor": "white", "edgecolor": "0.7"}
        if (y, z) in filled:
            look = {"facecolor": PALE_BLUE, "edgecolor": BLUE}
        draw_cell(ax, j, -i, 0.88, 0.88, **look)
        write(ax, j, -i, show(values[y, z]), FONT + 3)
    names = list(map(str, outcomes))
    places = np.arange(len(outcomes))
    ax.set_xticks(places, names, fontsize=FONT + 1)
    ax.set_yticks(-places, names, fontsize=FONT + 1)
    ax.set(xlim=(-0.6, len(outcomes) - 0.4), ylim=(-len(outcomes) + 0.4, 0.6))
    bare(ax)


def _draw_frame(ax: Axes, outcomes: Sequence, framed: Sequence) -> None:
    """Draw the sides of the framed cells beyond which the framed set does not go on."""
    inside = {(outcomes.index(y), outcomes.index(z)) for y, z in framed}
    for i, j in sorted(inside):
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if (i + down, j + right) not in inside:
                middle = np.array([j + 0.5 * right, -i - 0.5 * down])
                along = np.array([0.5 * down, 0.5 * right])
                ends = np.stack([middle - along, middle + along])
                ax.plot(*ends.T, color=ORANGE, linewidth=4, linestyle="--")


def misprint(k: int, slack: float, at: Sequence[float]) -> Picture:
    """Draw the total eps of k answers by several formulas, divided by the exact optimum (Theorems 16 and 32).

    As printed, with e^(eps - 1), and as intended, with e^eps - 1; the table is for the eps in `at`.
    """
    figure, ax = axes("ε of one answer", "total ε / optimum", f"{k} answers, δ′ = {slack:g}", size=(7.8, 5.0))
    grid = np.geomspace(min(at), max(at), 40)
    totals = {eps: _totals(eps, k, slack) for eps in (*grid, *at)}
    draw_lines(ax, grid, lines_of(_over_optimum(totals[eps]) for eps in grid))
    crossing = 1 - math.log(math.e - 1)
    _draw_crossing(ax, crossing)
    ax.set(xscale="log", ylim=(0.8, 3.3), yticks=[1, 1.5, 2, 2.5, 3])
    ax.set_xticks(at, [f"{eps:g}" for eps in at])
    legend(ax, "upper left")
    rows = []
    listed = []
    for eps in at:
        exact, _, printed, intended = map(show, totals[eps].values())
        rows.append((eps, *totals[eps].values()))
        listed.append(f"{eps:g}: {printed}, {intended} and {exact}")
    alt = (
        f"Total eps of {k} answers over the optimum; printed and intended cross at {crossing:.6g}. Printed, intended "
        f"and exact at eps {'; '.join(listed)}."
    )
    return Picture(figure, alt, Table(rows, ["eps", *totals[at[0]]]))


def _totals(eps: float, k: int, slack: float) -> dict[str, float]:
    each = Guarantee(eps)
    return {
        "optimum": optimal(each, k=k).epsilon(slack),
        "basic: k ε": composition.basic(each, k).epsilon,
        "printed: e^(ε − 1)": bounds.advanced_as_printed(each, slack, k).epsilon,
        "intended: e^ε − 1": composition.advanced(each, slack, k).epsilon,
    }


def _over_optimum(totals: Mapping[str, float]) -> dict[str, float]:
    optimum = totals["optimum"]
    return {name: total / optimum for name, total in totals.items() if name != "optimum"}


def _draw_crossing(ax: Axes, crossing: float) -> None:
    ax.axhline(1, color="0.6", linewidth=1.2)
    ax.axvline(crossing, color="0.6", linewidth=1.2, linestyle=":")
    ax.annotate(f"equal at {crossing:.3f} ", (crossing, 0.86), fontsize=FONT - 1, ha="right")


# ------------------------------------------------------------------------------------------------------ applications


def xor_posteriors(people: Sequence[int], ratio) -> Picture:
    """Draw what is believed about the first person's bit after the leaked sums, the noisy answers, and both."""
    title = "Beside exact sums, all answers speak of one bit"
    figure, ax = axes("number of people n", "belief that the first bit is 0", title)
    beliefs = {n: _beliefs(examples.xor_attack(n, ratio), n) for n in people}
    _draw_beliefs(ax, people, lines_of(beliefs.values()))
    for n, believed in beliefs.items():
        both = believed["both"]
        note(ax, show(both), (n, float(both)), (-9, 8), ha="center", fontsize=FONT)  # left of the rising line
    ax.set(xticks=list(people), ylim=(0.4, 1.08), xlim=(min(people) - 0.3, max(people) + 0.35))
    legend(ax, "center right", bbox_to_anchor=(1, 0.4))
    rows = [(n, *believed.values()) for n, believed in beliefs.items()]
    listed = "; ".join(f"n = {n}: {', '.join(map(show, values))}" for n, *values in rows)
    alt = f"Belief that the first bit is 0, by the exact sums, the noisy answers, and both. {listed}."
    return Picture(figure, alt, Table(rows, ["n", *beliefs[people[0]]]))


def _draw_beliefs(ax: Axes, people: Sequence[int], lines: Mapping[str, Sequence[float]]) -> None:
    looks = [("^", 2), ("s", 0), ("o", 1)]
    for (name, line), (marker, style) in zip(lines.items(), looks, strict=True):
        ax.plot(people, line, label=name, marker=marker, ms=9, **line_style(style))


def _beliefs(leaky: LeakyMechanism, n: int) -> dict[str, object]:
    """Return the belief that the first bit is 0, if all sums and all answers are 0."""
    sums = (0,) * (n - 1)
    answers = (0,) * n
    return {
        "exact sums alone": _first_is_zero(leaky.posterior(leak=sums)),
        "noisy answers alone": _first_is_zero(leaky.posterior(output=answers)),
        "both": _first_is_zero(leaky.posterior(leak=sums, output=answers)),
    }


def _first_is_zero(law: Mapping[tuple, object]):
    return sum(weight for x, weight in law.items() if x[0] == 0)


def who_joins(one: Sequence[int], other: Sequence[int], ratio) -> Picture:
    """Draw the studies that a person joins in two worlds; only those joined in either of them can tell them apart."""
    figure, ax = axes("study", "", "Studies joined in either world can tell", size=(1.3 * len(one) + 2.6, 3.4))
    joined = [a or b for a, b in zip(one, other, strict=True)]
    _draw_bits(ax, 0, 1, one)
    _draw_bits(ax, 0, 0, other)
    _draw_studies(ax, joined, ratio)
    rows = [
        ("joined at most", max(sum(one), sum(other))),
        ("studies that may depend on her", sum(joined)),
        ("e^loss at most", ratio ** sum(joined)),
    ]
    worlds = f"Studies joined in two worlds, {letters(one)} and {letters(other)}"
    alt = f"{worlds}: {listing(rows, between=', ', colon=' ')}."
    return Picture(figure, alt, Table(rows, ["", "value"]))


def _draw_studies(ax: Axes, joined: Sequence[int], ratio) -> None:
    """Write under each study by how much it can tell the worlds apart."""
    middles = np.arange(len(joined)) + 0.5
    for x, yes in zip(middles, joined, strict=True):
        if yes:
            write(ax, x, -0.4, f"× {show(ratio)}", color="black")
        else:
            write(ax, x, -0.4, "the same", color="0.4")
    ax.set(xlim=(0, len(joined)), ylim=(-0.8, 2.1), yticks=[1.5, 0.5], yticklabels=["her data: 0", "her data: 1"])
    ax.set_xticks(middles, range(1, len(joined) + 1))
    ax.tick_params(labelsize=FONT)
    bare(ax)
