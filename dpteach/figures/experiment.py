"""The figures of lecture 3: bit vectors, hypotheses about them, and where a recipe promises too much.

Blue and round stands for the first hypothesis, orange and square for the second. Every function returns a `Picture`,
whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FormatStrFormatter

from ..experiment import Hypothesis, contribution_bound, hypothesis_dp, matching_bound, uniform_prior
from ..guarantee import Guarantee
from ..mechanisms import randomized_response
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, show
from .style import CENTRED, COLOURS, FONT, PAPER, Picture, axes, letters, line_style, panels

BLUE = COLOURS[0]
ORANGE = COLOURS[1]
GREEN = COLOURS[2]
BOXES = [
    {"boxstyle": "round4,pad=0.25", "facecolor": "#D6E9F5", "edgecolor": BLUE, "linewidth": 1.6},
    {"boxstyle": "square,pad=0.25", "facecolor": "#FBE3D3", "edgecolor": ORANGE, "linewidth": 1.6},
    {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": "0.6"},
]

# ------------------------------------------------------------------------------------------- vectors and hypotheses


def stories(hypotheses: Mapping[str, tuple[Hypothesis, Hypothesis]]) -> Picture:
    """Draw for each of four stories all bit vectors: those of the first hypothesis, of the second, and of neither."""
    figure, made = panels(2, 2, (10.5, 5.6), titles=list(hypotheses))
    rows = []
    for ax, (name, (h0, h1)) in zip(made, hypotheses.items(), strict=True):
        _draw_vectors(ax, h0, h1)
        rows.append((name, len(h0.law), len(h1.law), 2**h0.k - len({*h0.law, *h1.law})))
    for ax in made[2:]:
        ax.set_xlabel("number of ones", fontsize=FONT)
    for marker, box, words in zip("os", BOXES, ("first hypothesis", "second hypothesis"), strict=False):
        made[1].plot([], [], marker, ms=11, mfc=box["facecolor"], mec=box["edgecolor"], mew=1.6, label=words)
    figure.legend(fontsize=FONT - 1, frameon=False, ncols=2, loc="outside upper right")
    counted = "; ".join(f"{name}: {one} against {two}, {rest} in neither" for name, one, two, rest in rows)
    alt = f"All vectors of {h0.k} bits, sorted by their number of ones. How many are in each hypothesis: {counted}."
    return Picture(figure, alt, Table(rows, ["story", "in the first", "in the second", "in neither"]))


def _draw_vectors(ax: Axes, h0: Hypothesis, h1: Hypothesis) -> None:
    """Write all vectors, to the right by the number of ones, and frame those of the hypotheses."""
    k = h0.k
    highest = math.comb(k, k // 2)
    for ones in range(k + 1):
        layer = [bits for bits in product((0, 1), repeat=k) if sum(bits) == ones]
        top = (highest + len(layer)) / 2 - 1
        for i, bits in enumerate(layer):
            look = _look_of_vector(bits, h0, h1)
            ax.text(ones, top - i, letters(bits), fontsize=FONT - 2, family="monospace", **CENTRED, **look)
    ax.set(xlim=(-0.6, k + 0.6), ylim=(-0.7, highest - 0.3), yticks=[], xticks=range(k + 1))
    ax.grid(False)
    ax.spines["left"].set_visible(False)


def _look_of_vector(bits: tuple[int, ...], h0: Hypothesis, h1: Hypothesis) -> dict:
    """Return the frame of the hypothesis that the vector is in; grey letters if it is in neither."""
    if bits in h0.law:
        return {"bbox": BOXES[0]}
    return {"bbox": BOXES[1]} if bits in h1.law else {"color": "0.6"}


def bayes_factors(pair: Pair, ratio, title: str = "") -> Picture:
    """Draw how many times likelier each view is under the first hypothesis than under the second.

    Dotted lines mark `ratio` = e^eps and its inverse; arrows stand for factors of infinity and zero.
    """
    figure, ax = axes("what the adversary sees", "Bayes factor", title)
    rows = sorted(_factors(pair), key=lambda row: -row[3])
    high = 2.6 * max(float(ratio), *(float(factor) for *_, factor in rows if 0 < factor < math.inf))
    for i, (*_, factor) in enumerate(rows):
        _draw_factor(ax, i, factor, high)
    for level in (float(ratio), 1 / float(ratio)):
        ax.axhline(level, color="0.35", linestyle=":", linewidth=1.8)
    ax.axhline(1, color="0.35", linewidth=1.2)
    ax.set(yscale="log", ylim=(0.6 / high, high / 0.6), xlim=(-0.6, len(rows) - 0.4))
    ax.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    ax.set_xticks(range(len(rows)), [row[0] for row in rows], fontsize=FONT - 1)
    listed = "; ".join(f"{view}: {show(factor)}" for view, *_, factor in rows)
    alt = f"Bayes factors of the views, with lines at {show(ratio)} and its inverse. {listed}."
    return Picture(figure, alt, Table(rows, ["view", "first hypothesis", "second hypothesis", "Bayes factor"]))


def _factors(pair: Pair) -> list[tuple]:
    views = [" ".join(map(str, y)) if isinstance(y, tuple) else str(y) for y in pair.outcomes]
    return [(view, p, q, p / q if q else math.inf) for view, p, q in zip(views, pair.p, pair.q, strict=True)]


def _draw_factor(ax: Axes, x: int, factor, high: float) -> None:
    """Draw one factor as a bar from 1, or as an arrow if it is infinite or zero."""
    up = factor >= 1
    end = min(max(float(factor), 1 / high), high)
    colour = BLUE if up else ORANGE
    if 0 < factor < math.inf:
        look = {"color": (colour, 0.4), "edgecolor": colour, "linewidth": 1.6, "hatch": "" if up else "//"}
        ax.bar(x, end - 1, 0.6, bottom=1, **look)
    else:
        ax.annotate("", (x, end), (x, 1), arrowprops={"color": colour, "width": 5, "headwidth": 16})
    words = "∞" if factor == math.inf else show(factor)
    look = {"bbox": PAPER, "fontsize": FONT, "ha": "center", "va": "bottom" if up else "top"}
    ax.annotate(words, (x, end), xytext=(0, 9 if up else -9), textcoords="offset points", **look)


# ---------------------------------------------------------------------------------------------------- Theorem 1


def bit_flips(pair: Pair, event: Collection[tuple], b0: str, b1: str) -> Picture:
    """Draw the probability of a set of views under all four vectors of two bits, and what flipping a bit does to it.

    `pair` answers in both rounds; `b0` and `b1` are the two vectors of the proof of HBW's Theorem 1.
    """
    figure, ax = axes("flip the first bit", "flip the second bit", "The probability of S under every vector")
    chance = {bits: _chance(pair, event, bits) for bits in product((0, 1), repeat=2)}
    for bits, other in product(chance, repeat=2):
        if _distance(bits, other) == 1 and chance[bits] < chance[other]:
            arrow = {"color": "0.45", "width": 2.5, "headwidth": 13, "shrink": 0.26}
            ax.annotate("", other, bits, arrowprops=arrow)
    marks = {b0: ("\n$b_0$", BOXES[0]), b1: ("\n$b_1$", BOXES[1])}
    for bits, value in chance.items():
        mark, box = marks.get(letters(bits), ("", BOXES[2]))
        ax.text(*bits, f"{letters(bits)}\nPr = {show(value)}{mark}", fontsize=FONT + 2, bbox=box, **CENTRED)
    ax.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    rows = [(letters(bits), value) for bits, value in chance.items()]
    listed = ", ".join(f"{bits}: {show(value)}" for bits, value in rows)
    alt = f"A square of the four vectors with the probability of S, arrows pointing to the larger one. {listed}."
    return Picture(figure, alt, Table(rows, ["vector", "probability of S"]))


def _chance(pair: Pair, event: Collection[tuple], bits: tuple[int, int]):
    laws = {0: dict(zip(pair.outcomes, pair.p, strict=True)), 1: dict(zip(pair.outcomes, pair.q, strict=True))}
    first = laws[bits[0]]
    second = laws[bits[1]]
    return sum(first[y] * second[z] for y, z in event)


def all_vectors(rounds: Sequence[Pair], ratio) -> Picture:
    """Draw the delta at e^eps = `ratio` between every two vectors, as a table of colours."""
    names = [letters(bits) for bits in product((0, 1), repeat=len(rounds))]
    points = [Hypothesis.point(name) for name in names]
    deltas = np.array([[hypothesis_dp(rounds, a, b).delta(ratio=ratio) for b in points] for a in points])
    figure, ax = axes("second vector", "first vector", f"Smallest δ at $e^ε$ = {show(ratio)}", size=(7.2, 5.4))
    ax.imshow(deltas.astype(float), cmap="Blues", vmin=0, vmax=1.6 * float(deltas.max()))
    for i, j in np.ndindex(*deltas.shape):
        weight = "bold" if deltas[i, j] == deltas.max() else "normal"
        ax.text(j, i, f"{float(deltas[i, j]):.3g}", fontsize=FONT - 1, weight=weight, **CENTRED)
    ax.set_xticks(range(len(names)), names, fontsize=FONT - 2)
    ax.set_yticks(range(len(names)), names, fontsize=FONT - 2)
    ax.grid(False)
    rows = [_largest_at_distance(names, deltas, d) for d in range(len(rounds) + 1)]
    most = "; ".join(f"{d}: {show(largest)}" for d, _, largest in rows)
    alt = f"Delta at e^eps = {show(ratio)} between every two vectors. Largest by the number of differing bits: {most}."
    return Picture(figure, alt, Table(rows, ["differing bits", "pairs of vectors", "largest delta"]))


def _largest_at_distance(names: list[str], deltas: np.ndarray, d: int) -> tuple:
    far = [(i, j) for i, a in enumerate(names) for j, b in enumerate(names) if _distance(a, b) == d]
    return d, len(far), max(deltas[i, j] for i, j in far)


def _distance(a: Iterable[Hashable], b: Iterable[Hashable]) -> int:
    return sum(x != y for x, y in zip(a, b, strict=True))


# --------------------------------------------------------------------------------------------------- constraints


def capped(guarantee: Guarantee, delta: float, cap: int, at: Sequence[int]) -> Picture:
    """Draw the epsilon of k databases of which a person is in at most `cap`; the table is for the k in `at`."""
    figure, ax = axes("number of databases k", "ε", f"ε = {guarantee.epsilon:g} each, total δ = {show(delta)}")
    ks = sorted({*at, cap, 2 * cap, *(math.ceil(max(at) * (i / 40) ** 2) for i in range(1, 41))})
    names = ["classic: all k count", f"bounded: {2 * cap} count", f"unbounded: {cap} count", "parallel, unbounded"]
    epsilons = {k: _four_ways(guarantee, delta, cap, k) for k in ks}
    for i, name in enumerate(names):
        ax.plot(ks, [values[i] for values in epsilons.values()], label=name, **line_style(i))
    for where in (cap, 2 * cap):
        ax.axvline(where, color="0.6", linewidth=1.2)
        ax.text(where, 0, f" k = {where}", fontsize=FONT - 2, color="0.3", va="bottom")
    ax.set(xlim=(0, ks[-1]), ylim=(0, None))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="center right", bbox_to_anchor=(1, 0.68))
    last = "; ".join(f"{name}: {show(value)}" for name, value in zip(names, epsilons[ks[-1]], strict=True))
    alt = f"Epsilon against the number k of databases; with a cap it stops growing. At k = {ks[-1]}, {last}."
    return Picture(figure, alt, Table([(k, *epsilons[k]) for k in at], ["k", *names]))


def _four_ways(guarantee: Guarantee, delta: float, cap: int, k: int) -> tuple[float, float, float, float]:
    classic = optimal(guarantee, k=k).epsilon(delta)
    bounded = contribution_bound(guarantee, min(cap, k), "bounded", k)
    unbounded = contribution_bound(guarantee, min(cap, k), "unbounded", k)
    return classic, bounded.epsilon(delta), unbounded.epsilon(delta), unbounded.parallel().epsilon


def who_fills_what(common: int, free: int, paid: int) -> Picture:
    """Draw which columns of a table a free user, a paying user and a person who is no user fill (HBW, V-A)."""
    figure, ax = axes("column", "", "Which columns depend on the person?", size=(8.6, 3.6))
    people = {
        "free user": "1" * (common + free) + "0" * paid,
        "paying user": "1" * common + "0" * free + "1" * paid,
        "no user": "0" * (common + free + paid),
    }
    for y, bits in enumerate(people.values()):
        for x, bit in enumerate(bits, start=1):
            _draw_cell(ax, x, -y, bit)
    for name, start, size in (("common", 0, common), ("free", common, free), ("paid", common + free, paid)):
        ax.text(start + (size + 1) / 2, 0.62, name, ha="center", fontsize=FONT - 1)
        if start:
            ax.axvline(start + 0.5, color="0.2", linewidth=1.2)
    ax.set_yticks([0, -1, -2], list(people), fontsize=FONT)
    ax.set(xlim=(0.4, len(bits) + 0.6), ylim=(-2.5, 1.0), xticks=range(1, len(bits) + 1))
    ax.grid(False)
    pairs = [("free user", "paying user"), ("free user", "no user"), ("paying user", "no user")]
    rows = [(f"{a} or {b}", people[a], people[b], _distance(people[a], people[b])) for a, b in pairs]
    listed = "; ".join(f"{words}: {far}" for words, *_, far in rows)
    alt = f"Three rows of {len(bits)} cells, filled if the column depends on the person. Columns that differ: {listed}."
    return Picture(figure, alt, Table(rows, ["compared", "first", "second", "columns that differ"]))


def _draw_cell(ax: Axes, x: int, y: int, bit: str) -> None:
    """Draw a cell of the table, filled if it depends on the person."""
    filled = bit == "1"
    look = {"facecolor": (BLUE, 0.35), "edgecolor": BLUE} if filled else {"facecolor": "white", "edgecolor": "0.7"}
    ax.bar(x, 0.78, 0.86, bottom=y - 0.39, **look)
    ax.text(x, y, bit, fontsize=FONT + 1, color="black" if filled else "0.45", **CENTRED)


# ---------------------------------------------------------------------------------------------- prior knowledge


def recipe_gap(cases: Mapping[str, tuple[Hypothesis, Hypothesis]], at: Sequence[float]) -> Picture:
    """Draw the exact e^eps of two hypotheses, divided by what the recipe of HBW's section V-B promises.

    To the right stands e^eps of each answer, from 1 to the largest of `at`, for which the table is.
    """
    figure, ax = axes("$e^ε$ of each answer", "exact / recipe", "Does the recipe keep its promise?")
    ratios = np.geomspace(1.02, max(at), 24)
    ax.axhline(1, color="0.6", linewidth=1)
    for i, (name, case) in enumerate(cases.items()):
        ax.plot(ratios, [_gap(ratio, *case) for ratio in ratios], label=name, **line_style(i))
    low, high = ax.get_ylim()
    ax.axhspan(1, high, color=ORANGE, alpha=0.1)
    ax.text(1.1, high - 0.03 * (high - low), "the recipe promises too much", fontsize=FONT, va="top")
    ax.set(xlim=(1, max(at)), ylim=(low, high))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper left", bbox_to_anchor=(0, 0.9))
    rows = [(ratio, *(_gap(ratio, *case) for case in cases.values())) for ratio in at]
    last = "; ".join(f"{name}: {show(value)}" for name, value in zip(cases, rows[-1][1:], strict=True))
    alt = f"Exact over promised e^eps; above 1 the recipe is false. At e^eps = {show(at[-1])}, {last}."
    return Picture(figure, alt, Table(rows, ["e^eps", *cases]))


def _gap(ratio: float, h0: Hypothesis, h1: Hypothesis) -> float:
    each = Guarantee(math.log(ratio))
    return math.exp(hypothesis_dp(each, h0, h1).epsilon(0) - matching_bound(each, h0, h1).epsilon)


def matchings(named: Mapping[str, Sequence[tuple]], ratio) -> Picture:
    """Draw matchings of two hypotheses, and what the recipe makes of each when every round has e^eps = `ratio`."""
    titles = [f"{name}: sum = {show(_recipe_sum(matched, ratio))}" for name, matched in named.items()]
    figure, made = panels(1, len(named), (5.2 * len(named), 3.4), titles=titles)
    for ax, matched in zip(made, named.values(), strict=True):
        _draw_matching(ax, matched, ratio)
    rows = [(name, len(matched), _recipe_sum(matched, ratio)) for name, matched in named.items()]
    sums = "; ".join(f"{name}: {show(value)}" for name, _, value in rows)
    alt = f"Vectors of two hypotheses joined by lines, each with its weight times e^eps. The sums: {sums}."
    return Picture(figure, alt, Table(rows, ["matching", "matched pairs", "e^eps by the recipe"]))


def _recipe_sum(matched: Sequence[tuple], ratio):
    """Return the recipe's sum of weight * e^eps over matched pairs, if every differing bit costs e^eps = `ratio`."""
    return sum(weight * ratio ** _distance(b0, b1) for b0, b1, weight in matched)


def _draw_matching(ax: Axes, matched: Sequence[tuple], ratio) -> None:
    left = sorted({b0 for b0, _, _ in matched})
    right = sorted({b1 for _, b1, _ in matched})
    for b0, b1, weight in matched:
        start = -left.index(b0)
        end = -right.index(b1)
        ax.plot([0, 1], [start, end], color="0.35", linewidth=1 + 4 * float(weight))
        words = f"{weight} · {show(ratio ** _distance(b0, b1))}"
        ax.text(0.3, 0.7 * start + 0.3 * end, words, fontsize=FONT, bbox=PAPER, **CENTRED)
    for x, vectors in enumerate((left, right)):
        for i, bits in enumerate(vectors):
            ax.text(x, -i, letters(bits), fontsize=FONT + 1, family="monospace", bbox=BOXES[x], **CENTRED)
    ax.set(xlim=(-0.35, 1.35), ylim=(-max(len(left), len(right)) + 0.5, 0.5))
    ax.set_axis_off()


# ----------------------------------------------------------------------------------------- an uninformed adversary


def one_direction(delta: Fraction, at: Sequence[int]) -> Picture:
    """Draw the delta that Theorem 3 claims for (0, delta) followed by (ln x, 0), against the exact ones.

    To the right stands x, from 1 to the largest of `at`, for which the table is.
    """
    figure, ax = axes("$x = e^ε$ of the second mechanism", "δ", "Theorem 3, one direction at a time")
    names = ["claimed", "exact: somewhere by nowhere", "exact: nowhere by somewhere", "corrected"]
    xs = sorted({*map(Fraction, at), *(Fraction(f"{x:.3g}") for x in np.geomspace(1.01, max(at), 40))})
    lines = np.array([_deltas(delta, x) for x in xs], dtype=float).T
    xs = [float(x) for x in xs]
    for i, (name, line) in enumerate(zip(names, lines, strict=True)):
        ax.plot(xs, line, label=name, **line_style(i))
    broken = {"where": lines[2] > lines[0], "color": GREEN, "alpha": 0.15, "hatch": "//", "linewidth": 0}
    ax.fill_between(xs, lines[0], lines[2], **broken)
    ax.set(xscale="log", xlim=(1, max(at)), ylim=(0, 1.1 * float(lines.max())))
    ax.set_xticks(list(at), [str(x) for x in at])
    ax.minorticks_off()
    ax.legend(fontsize=FONT - 1, frameon=False, loc="lower right")
    rows = [(x, *_deltas(delta, x)) for x in at]
    listed = "; ".join(f"x = {x}: claimed {show(row[0])}, exact {show(row[2])}" for x, *row in rows)
    alt = f"Claimed delta and exact delta of nowhere by somewhere. {listed}."
    return Picture(figure, alt, Table(rows, ["x", *names]))


def _deltas(delta: Fraction, x) -> tuple:
    """Return delta by Theorem 3, exactly in both directions at its e^eps = (1 + 2x) / 3, and corrected."""
    recipe = uniform_prior([Guarantee(0, float(delta)), Guarantee(math.log(x))]).theorem_3()
    pairs = [randomized_response(ratio=1, delta=delta), randomized_response(ratio=x)]
    exact = hypothesis_dp(pairs, Hypothesis.point("00"), Hypothesis.nonzero(2))
    ratio = Fraction(1 + 2 * x) / 3
    somewhere_by_nowhere = exact.delta(ratio=ratio, direction="qp")
    nowhere_by_somewhere = exact.delta(ratio=ratio, direction="pq")
    return recipe.delta, somewhere_by_nowhere, nowhere_by_somewhere, recipe.corrected.delta


def ignorance(guarantee: Guarantee, delta: float, at: Sequence[int]) -> Picture:
    """Draw what k answers tell one who asks "everywhere or nowhere?", and one who asks "somewhere or nowhere?"."""
    figure, ax = axes("number of databases k", "ε", f"ε = {guarantee.epsilon:g} each, total δ = {show(delta)}")
    ks = sorted({1, *at, *(math.ceil(max(at) * (i / 16) ** 2) for i in range(1, 17))})  # closer where it bends
    epsilons = {k: _everywhere_or_somewhere(guarantee, delta, k) for k in ks}
    names = list(epsilons[1])
    for i, name in enumerate(names):
        ax.plot(ks, [values[name] for values in epsilons.values()], label=name, **line_style(i))
    ax.set(xlim=(0, max(at)), ylim=(0, None))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper left")
    last = "; ".join(f"{name}: {show(value)}" for name, value in epsilons[max(at)].items())
    alt = f"Epsilon against the number k of databases. At k = {max(at)}, {last}."
    return Picture(figure, alt, Table([(k, *epsilons[k].values()) for k in at], ["k", *names]))


def _everywhere_or_somewhere(guarantee: Guarantee, delta: float, k: int) -> dict[str, float]:
    """Return the epsilons of both questions, by each way to answer them."""
    prior = uniform_prior(guarantee, k)
    return {
        "everywhere: basic": k * guarantee.epsilon,
        "everywhere: exact": optimal(guarantee, k=k).epsilon(delta),
        "somewhere: Corollary 7, δ = 0": prior.corollary_7().epsilon,
        "somewhere: Theorem 3": prior.theorem_3("optimal", delta).epsilon,
        "somewhere: exact": prior.exact.epsilon(delta),
    }


def somewhere(guarantee: Guarantee, delta: float, at: Sequence[int]) -> Picture:
    """Draw what k files tell about "everywhere or nowhere?", and about "somewhere or nowhere?" with a uniform prior."""
    figure, ax = axes("number of files k", "ε", "Whoever does not know where, learns about half")
    ks = sorted({1, *at, *(math.ceil(max(at) * (i / 16) ** 2) for i in range(1, 17))})  # closer where it bends
    values = {k: _three_prices(guarantee, delta, k) for k in ks}
    names = ["everywhere, exact", "somewhere, closed form for δ = 0", "somewhere, exact"]
    for i, name in enumerate(names):
        ax.plot(ks, [values[k][i] for k in ks], label=name, **line_style(i))
    ax.set(xlim=(0, max(at)), ylim=(0, None))
    ax.legend(fontsize=FONT, frameon=False, loc="upper left")
    last = "; ".join(f"{name}: {show(value)}" for name, value in zip(names, values[max(at)], strict=True))
    alt = f"Epsilon against the number k of files, for ε = {guarantee.epsilon:g} each. At k = {max(at)}, {last}."
    return Picture(figure, alt, Table([(k, *values[k]) for k in at], ["k", *names]))


def _three_prices(guarantee: Guarantee, delta: float, k: int) -> tuple[float, float, float]:
    prior = uniform_prior(guarantee, k)
    return optimal(guarantee, k=k).epsilon(delta), prior.corollary_7().epsilon, prior.exact.epsilon(delta)
