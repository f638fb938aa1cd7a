"""The figures of lecture 3: bit vectors, hypotheses about them, and where a recipe promises too much.

Blue and round stands for the first hypothesis, orange and square for the second. Every function returns a `Picture`,
whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from .. import composition
from ..experiment import Hypothesis, contribution_bound, hypothesis_dp, matching_bound, uniform_prior
from ..experiment.bits import Bits, differing
from ..guarantee import Guarantee
from ..mechanisms import randomized_response
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, show
from ..tools import extras
from .style import (
    BLUE,
    FONT,
    GREEN,
    ORANGE,
    PALE_BLUE,
    PALE_ORANGE,
    PAPER,
    Picture,
    axes,
    draw_cell,
    draw_lines,
    last_row,
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
    from matplotlib.ticker import FormatStrFormatter

FIRST_BOX = {"boxstyle": "round4,pad=0.25", "facecolor": PALE_BLUE, "edgecolor": BLUE, "linewidth": 1.6}
SECOND_BOX = {"boxstyle": "square,pad=0.25", "facecolor": PALE_ORANGE, "edgecolor": ORANGE, "linewidth": 1.6}
OTHER_BOX = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": "0.6"}
ARROW = {"color": "0.45", "width": 2.5, "headwidth": 13, "shrink": 0.26}

# ------------------------------------------------------------------------------------------- vectors and hypotheses


def stories(hypotheses: Mapping[str, tuple[Hypothesis, Hypothesis]]) -> Picture:
    """Draw for each of four stories all bit vectors: those of the first hypothesis, of the second, and of neither."""
    figure, made = panels(2, 2, (10.5, 5.6), titles=list(hypotheses))
    rows = []
    counts = []
    for ax, (name, (h0, h1)) in zip(made, hypotheses.items(), strict=True):
        _draw_vectors(ax, h0, h1)
        in_neither = 2**h0.k - len({*h0.law, *h1.law})
        rows.append((name, len(h0.law), len(h1.law), in_neither))
        counts.append(f"{name}: {len(h0.law)} against {len(h1.law)}, {in_neither} in neither")
    for ax in made[2:]:
        ax.set_xlabel("number of ones", fontsize=FONT)
    _explain_boxes(made[1])
    which = f"All vectors of {h0.k} bits, sorted by their number of ones."
    alt = f"{which} How many are in each hypothesis: {'; '.join(counts)}."
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
            write(ax, ones, top - i, letters(bits), FONT - 2, family="monospace", **look)
    ax.set(xlim=(-0.6, k + 0.6), ylim=(-0.7, highest - 0.3), yticks=[], xticks=range(k + 1))
    ax.grid(False)
    ax.spines["left"].set_visible(False)


def _look_of_vector(bits: Bits, h0: Hypothesis, h1: Hypothesis) -> dict:
    """Return the frame of the hypothesis that the vector is in; grey letters if it is in neither."""
    if bits in h0.law:
        return {"bbox": FIRST_BOX}
    if bits in h1.law:
        return {"bbox": SECOND_BOX}
    return {"color": "0.6"}


def _explain_boxes(ax: Axes) -> None:
    """Add a legend: empty lines, whose markers look like the boxes."""
    look = {"linestyle": "none", "markersize": 11, "markeredgewidth": 1.6}
    first = {"marker": "o", "markerfacecolor": PALE_BLUE, "markeredgecolor": BLUE}
    second = {"marker": "s", "markerfacecolor": PALE_ORANGE, "markeredgecolor": ORANGE}
    ax.plot([], [], label="first hypothesis", **look, **first)
    ax.plot([], [], label="second hypothesis", **look, **second)
    legend(ax, "upper right", FONT - 2, borderaxespad=0)


def bayes_factors(pair: Pair, ratio, title: str = "") -> Picture:
    """Draw how many times likelier each view is under the first hypothesis than under the second.

    Dotted lines mark `ratio` = e^eps and its inverse; arrows stand for factors of infinity and zero.
    """
    figure, ax = axes("what the adversary sees", "Bayes factor", title)
    numbers = _factors(pair)
    views = numbers.column("view")
    factors = numbers.column("Bayes factor")
    finite = [float(factor) for factor in factors if 0 < factor < math.inf]
    high = 2.6 * max([float(ratio), *finite])
    for x, factor in enumerate(factors):
        _draw_factor(ax, x, factor, high)
    _draw_bounds(ax, float(ratio))
    ax.set(yscale="log", ylim=(0.6 / high, high / 0.6), xlim=(-0.6, len(views) - 0.4))
    ax.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    ax.set_xticks(range(len(views)), views, fontsize=FONT - 1)
    listed = listing(zip(views, factors, strict=True))
    alt = f"Bayes factors of the views, with lines at {show(ratio)} and its inverse. {listed}."
    return Picture(figure, alt, numbers)


def _factors(pair: Pair) -> Table:
    """Return the views with their probabilities and their Bayes factor, the largest first."""
    rows = []
    for outcome, p, q in zip(pair.outcomes, pair.p, pair.q, strict=True):
        view = " ".join(map(str, outcome)) if isinstance(outcome, tuple) else str(outcome)
        factor = p / q if q else math.inf
        rows.append((view, p, q, factor))
    rows.sort(key=lambda row: -row[3])
    return Table(rows, ["view", "first hypothesis", "second hypothesis", "Bayes factor"])


def _draw_factor(ax: Axes, x: int, factor, high: float) -> None:
    """Draw one factor as a bar from 1, or as an arrow if it is infinite or zero, and write it beyond its end."""
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
    note(ax, words, (x, end), (0, 9 if up else -9), **look)


def _draw_bounds(ax: Axes, ratio: float) -> None:
    ax.axhline(ratio, color="0.35", linestyle=":", linewidth=1.8)
    ax.axhline(1 / ratio, color="0.35", linestyle=":", linewidth=1.8)
    ax.axhline(1, color="0.35", linewidth=1.2)


# ---------------------------------------------------------------------------------------------------- Theorem 1


def bit_flips(pair: Pair, event: Collection[tuple], b0: str, b1: str) -> Picture:
    """Draw the probability of a set of views under all four vectors of two bits, and what flipping a bit does to it.

    `pair` answers in both rounds; `b0` and `b1` are the two vectors of the proof of HBW's Theorem 1.
    """
    figure, ax = axes("flip the first bit", "flip the second bit", "The probability of S under every vector")
    chances = {bits: _chance(pair, event, bits) for bits in product((0, 1), repeat=2)}
    _draw_flips(ax, chances)
    boxes = {b0: ("\n$b_0$", FIRST_BOX), b1: ("\n$b_1$", SECOND_BOX)}
    rows = []
    for bits, chance in chances.items():
        name = letters(bits)
        mark, box = boxes.get(name, ("", OTHER_BOX))
        write(ax, *bits, f"{name}\nPr = {show(chance)}{mark}", FONT + 2, bbox=box)
        rows.append((name, chance))
    ax.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    listed = listing(rows, between=", ")
    alt = f"A square of the four vectors with the probability of S, arrows pointing to the larger one. {listed}."
    return Picture(figure, alt, Table(rows, ["vector", "probability of S"]))


def _draw_flips(ax: Axes, chances: Mapping[Bits, Fraction]) -> None:
    """Draw an arrow for every flip of a bit that makes the event likelier."""
    for bits, flipped in product(chances, repeat=2):
        if _distance(bits, flipped) == 1 and chances[bits] < chances[flipped]:
            ax.annotate("", flipped, bits, arrowprops=ARROW)


def _chance(pair: Pair, event: Collection[tuple], bits: tuple[int, int]):
    """Return the probability of the event if the rounds answer according to the bits."""
    laws = (pair.p, pair.q)
    first = dict(zip(pair.outcomes, laws[bits[0]], strict=True))
    second = dict(zip(pair.outcomes, laws[bits[1]], strict=True))
    return sum(first[y] * second[z] for y, z in event)


def _distance(b0: Sequence, b1: Sequence) -> int:
    """Return in how many places two vectors differ."""
    return len(differing(b0, b1))


def all_vectors(rounds: Sequence[Pair], ratio) -> Picture:
    """Draw the delta at e^eps = `ratio` between every two vectors, as a table of colours."""
    figure, ax = axes("second vector", "first vector", f"Smallest δ at $e^ε$ = {show(ratio)}", size=(7.2, 5.4))
    names = [letters(bits) for bits in product((0, 1), repeat=len(rounds))]
    deltas = _deltas_between(names, rounds, ratio)
    _draw_deltas(ax, names, deltas)
    rows = [_largest_at_distance(names, deltas, d) for d in range(len(rounds) + 1)]
    most = listing((d, largest) for d, _, largest in rows)
    alt = f"Delta at e^eps = {show(ratio)} between every two vectors. Largest by the number of differing bits: {most}."
    return Picture(figure, alt, Table(rows, ["differing bits", "pairs of vectors", "largest delta"]))


def _deltas_between(names: Sequence[str], rounds: Sequence[Pair], ratio) -> np.ndarray:
    points = [Hypothesis.point(name) for name in names]
    return np.array([[hypothesis_dp(rounds, a, b).delta(ratio=ratio) for b in points] for a in points])


def _draw_deltas(ax: Axes, names: Sequence[str], deltas: np.ndarray) -> None:
    largest = deltas.max()
    ax.imshow(deltas.astype(float), cmap="Blues", vmin=0, vmax=1.6 * float(largest))
    for (i, j), delta in np.ndenumerate(deltas):
        weight = "bold" if delta == largest else "normal"
        write(ax, j, i, f"{float(delta):.3g}", FONT - 1, weight=weight)
    ax.set_xticks(range(len(names)), names, fontsize=FONT - 2)
    ax.set_yticks(range(len(names)), names, fontsize=FONT - 2)
    ax.grid(False)


def _largest_at_distance(names: Sequence[str], deltas: np.ndarray, d: int) -> tuple:
    """Return d, how many pairs of vectors differ in d bits, and the largest delta among them."""
    places = np.ndindex(*deltas.shape)
    there = [deltas[i, j] for i, j in places if _distance(names[i], names[j]) == d]
    return d, len(there), max(there)


# --------------------------------------------------------------------------------------------------- constraints


def capped(guarantee: Guarantee, delta: float, cap: int, at: Sequence[int]) -> Picture:
    """Draw the epsilon of k databases of which a person is in at most `cap`; the table is for the k in `at`."""
    figure, ax = axes("number of databases k", "ε", f"ε = {guarantee.epsilon:g} each, total δ = {show(delta)}")
    ks = sorted({*at, cap, 2 * cap, *_closer_at_first(max(at), 40)})
    ways = {k: _four_ways(guarantee, delta, cap, k) for k in ks}
    draw_lines(ax, ks, lines_of(ways.values()))
    _mark_cap(ax, cap)
    _mark_cap(ax, 2 * cap)
    ax.set(xlim=(0, ks[-1]), ylim=(0, None))
    legend(ax, "center right", bbox_to_anchor=(1, 0.68))
    last = listing(ways[ks[-1]].items())
    alt = f"Epsilon against the number k of databases; with a cap it stops growing. At k = {ks[-1]}, {last}."
    rows = [(k, *ways[k].values()) for k in at]
    return Picture(figure, alt, Table(rows, ["k", *ways[cap]]))


def _closer_at_first(most: int, steps: int) -> list[int]:
    """Return numbers up to the largest one, closer together where a curve bends."""
    return [math.ceil(most * (i / steps) ** 2) for i in range(1, steps + 1)]


def _four_ways(guarantee: Guarantee, delta: float, cap: int, k: int) -> dict[str, float]:
    classic = optimal(guarantee, k=k)
    bounded = contribution_bound(guarantee, min(cap, k), "bounded", k)
    unbounded = contribution_bound(guarantee, min(cap, k), "unbounded", k)
    return {
        "classic: all k count": classic.epsilon(delta),
        f"bounded: {2 * cap} count": bounded.epsilon(delta),
        f"unbounded: {cap} count": unbounded.epsilon(delta),
        "parallel, unbounded": unbounded.parallel().epsilon,
    }


def _mark_cap(ax: Axes, k: int) -> None:
    ax.axvline(k, color="0.6", linewidth=1.2)
    ax.text(k, 0, f" k = {k}", fontsize=FONT - 2, color="0.3", va="bottom")


def who_fills_what(common: int, free: int, paid: int) -> Picture:
    """Draw which columns of a table a free user, a paying user and a person who is no user fill (HBW, V-A)."""
    figure, ax = axes("column", "", "Which columns depend on the person?", size=(8.6, 3.6))
    people = {
        "free user": "1" * (common + free) + "0" * paid,
        "paying user": "1" * common + "0" * free + "1" * paid,
        "no user": "0" * (common + free + paid),
    }
    _draw_people(ax, people)
    _name_columns(ax, {"common": common, "free": free, "paid": paid})
    rows = []
    for one, other in (("free user", "paying user"), ("free user", "no user"), ("paying user", "no user")):
        differ = _distance(people[one], people[other])
        rows.append((f"{one} or {other}", people[one], people[other], differ))
    cells = f"Three rows of {common + free + paid} cells, filled if the column depends on the person."
    listed = listing((compared, differ) for compared, *_, differ in rows)
    alt = f"{cells} Columns that differ: {listed}."
    return Picture(figure, alt, Table(rows, ["compared", "first", "second", "columns that differ"]))


def _draw_people(ax: Axes, people: Mapping[str, str]) -> None:
    """Draw a row of cells for each person, filled where the column depends on the person."""
    for row, bits in enumerate(people.values()):
        for column, bit in enumerate(bits, start=1):
            if bit == "1":
                draw_cell(ax, column, -row, 0.86, 0.78, facecolor=(BLUE, 0.35), edgecolor=BLUE)
                write(ax, column, -row, bit, FONT + 1, color="black")
            else:
                draw_cell(ax, column, -row, 0.86, 0.78, facecolor="white", edgecolor="0.7")
                write(ax, column, -row, bit, FONT + 1, color="0.45")
    ax.set_yticks([0, -1, -2], list(people), fontsize=FONT)
    ax.set(xlim=(0.4, len(bits) + 0.6), ylim=(-2.5, 1.0), xticks=range(1, len(bits) + 1))
    ax.grid(False)


def _name_columns(ax: Axes, sizes: Mapping[str, int]) -> None:
    """Write the name of each kind of columns above them, and draw a line between the kinds."""
    start = 0
    for name, size in sizes.items():
        ax.text(start + (size + 1) / 2, 0.62, name, ha="center", fontsize=FONT - 1)
        if start:
            ax.axvline(start + 0.5, color="0.2", linewidth=1.2)
        start += size


# ---------------------------------------------------------------------------------------------- prior knowledge


def recipe_gap(cases: Mapping[str, tuple[Hypothesis, Hypothesis]], at: Sequence[float]) -> Picture:
    """Draw the exact e^eps of two hypotheses, divided by what the recipe of HBW's section V-B promises.

    To the right stands e^eps of each answer, from 1 to the largest of `at`, for which the table is.
    """
    figure, ax = axes("$e^ε$ of each answer", "exact / recipe", "Does the recipe keep its promise?")
    ratios = np.geomspace(1.02, max(at), 24)
    ax.axhline(1, color="0.6", linewidth=1)
    gaps = [_gaps(ratio, cases) for ratio in ratios]
    draw_lines(ax, ratios, lines_of(gaps))
    _shade_too_much(ax)
    ax.set_xlim(1, max(at))
    legend(ax, "upper left", bbox_to_anchor=(0, 0.9))
    rows = [(ratio, *_gaps(ratio, cases).values()) for ratio in at]
    numbers = Table(rows, ["e^eps", *cases])
    last = listing(last_row(numbers))
    alt = f"Exact over promised e^eps; above 1 the recipe is false. At e^eps = {show(at[-1])}, {last}."
    return Picture(figure, alt, numbers)


def _gaps(ratio: float, cases: Mapping[str, tuple[Hypothesis, Hypothesis]]) -> dict[str, float]:
    """Return for each case the exact e^eps over that of the recipe."""
    each = Guarantee(math.log(ratio))
    gaps = {}
    for name, (h0, h1) in cases.items():
        exact = hypothesis_dp(each, h0, h1).epsilon(0)
        recipe = matching_bound(each, h0, h1).epsilon
        gaps[name] = math.exp(exact - recipe)
    return gaps


def _shade_too_much(ax: Axes) -> None:
    """Shade what lies above 1, up to the upper end of the picture as it is."""
    low, high = ax.get_ylim()
    ax.axhspan(1, high, color=ORANGE, alpha=0.1)
    ax.text(1.1, high - 0.03 * (high - low), "the recipe promises too much", fontsize=FONT, va="top")
    ax.set_ylim(low, high)


def matchings(named: Mapping[str, Sequence[tuple]], ratio) -> Picture:
    """Draw matchings of two hypotheses, and what the recipe makes of each when every round has e^eps = `ratio`."""
    figure, made = panels(1, len(named), (5.2 * len(named), 3.4))
    rows = []
    for ax, (name, matched) in zip(made, named.items(), strict=True):
        total = sum(weight * ratio ** _distance(b0, b1) for b0, b1, weight in matched)
        _draw_matching(ax, matched, ratio)
        ax.set_title(f"{name}: sum = {show(total)}", fontsize=FONT + 1, loc="left")
        rows.append((name, len(matched), total))
    sums = listing((name, total) for name, _, total in rows)
    alt = f"Vectors of two hypotheses joined by lines, each with its weight times e^eps. The sums: {sums}."
    return Picture(figure, alt, Table(rows, ["matching", "matched pairs", "e^eps by the recipe"]))


def _draw_matching(ax: Axes, matched: Sequence[tuple], ratio) -> None:
    """Draw the vectors of both hypotheses, one below the other, and a line for every matched pair."""
    left = sorted({b0 for b0, _, _ in matched})
    right = sorted({b1 for _, b1, _ in matched})
    for b0, b1, weight in matched:
        start = -left.index(b0)
        end = -right.index(b1)
        ax.plot([0, 1], [start, end], color="0.35", linewidth=1 + 4 * float(weight))
        words = f"{weight} · {show(ratio ** _distance(b0, b1))}"
        write(ax, 0.3, 0.7 * start + 0.3 * end, words, bbox=PAPER)
    _write_vectors(ax, 0, left, FIRST_BOX)
    _write_vectors(ax, 1, right, SECOND_BOX)
    ax.set(xlim=(-0.35, 1.35), ylim=(-max(len(left), len(right)) + 0.5, 0.5))
    ax.set_axis_off()


def _write_vectors(ax: Axes, x: float, vectors: Sequence[Bits], box: Mapping) -> None:
    for i, bits in enumerate(vectors):
        write(ax, x, -i, letters(bits), FONT + 1, family="monospace", bbox=box)


# ----------------------------------------------------------------------------------------- an uninformed adversary


def one_direction(delta: Fraction, at: Sequence[int]) -> Picture:
    """Draw the delta that Theorem 3 claims for (0, delta) followed by (ln x, 0), against the exact ones.

    To the right stands x, from 1 to the largest of `at`, for which the table is.
    """
    figure, ax = axes("$x = e^ε$ of the second mechanism", "δ", "Theorem 3, one direction at a time")
    rounded = [Fraction(f"{x:.3g}") for x in np.geomspace(1.01, max(at), 40)]
    xs = sorted({*map(Fraction, at), *rounded})
    deltas = {x: _deltas(delta, x) for x in xs}
    _draw_directions(ax, list(map(float, xs)), lines_of(deltas.values()))
    ax.set_xlim(1, max(at))
    ax.set_xticks(list(at), [str(x) for x in at])
    ax.minorticks_off()
    numbers = Table([(x, *deltas[x].values()) for x in at], ["x", *deltas[xs[0]]])
    listed = "; ".join(f"x = {x}: claimed {show(claimed)}, exact {show(exact)}" for x, claimed, _, exact, _ in numbers)
    alt = f"Claimed delta and exact delta of nowhere by somewhere. {listed}."
    return Picture(figure, alt, numbers)


def _draw_directions(ax: Axes, xs: Sequence[float], lines: Mapping[str, Sequence[float]]) -> None:
    """Draw the lines, and hatch where the exact delta lies above the claimed one."""
    draw_lines(ax, xs, lines)
    claimed = np.array(lines["claimed"])
    exact = np.array(lines["exact: nowhere by somewhere"])
    ax.fill_between(xs, claimed, exact, where=exact > claimed, color=GREEN, alpha=0.15, hatch="//", linewidth=0)
    highest = max(map(max, lines.values()))
    ax.set(xscale="log", ylim=(0, 1.1 * highest))
    legend(ax, "lower right")


def _deltas(delta: Fraction, x) -> dict[str, object]:
    """Return delta by Theorem 3, exactly in both directions at its e^eps = (1 + 2x) / 3, and corrected."""
    recipe = uniform_prior([Guarantee(0, float(delta)), Guarantee(math.log(x))]).theorem_3()
    pairs = [randomized_response(ratio=1, delta=delta), randomized_response(ratio=x)]
    exact = hypothesis_dp(pairs, Hypothesis.point("00"), Hypothesis.nonzero(2))
    ratio = Fraction(1 + 2 * x) / 3
    return {
        "claimed": recipe.delta,
        "exact: somewhere by nowhere": exact.delta(ratio=ratio, direction="qp"),
        "exact: nowhere by somewhere": exact.delta(ratio=ratio, direction="pq"),
        "corrected": recipe.corrected.delta,
    }


def ignorance(guarantee: Guarantee, delta: float, at: Sequence[int]) -> Picture:
    """Draw what k answers tell one who asks "everywhere or nowhere?", and one who asks "somewhere or nowhere?"."""
    figure, ax = axes("number of databases k", "ε", f"ε = {guarantee.epsilon:g} each, total δ = {show(delta)}")
    most = max(at)
    ks = sorted({1, *at, *_closer_at_first(most, 16)})
    ways = {k: _everywhere_or_somewhere(guarantee, delta, k) for k in ks}
    draw_lines(ax, ks, lines_of(ways.values()))
    ax.set(xlim=(0, most), ylim=(0, None))
    legend(ax, "upper left")
    alt = f"Epsilon against the number k of databases. At k = {most}, {listing(ways[most].items())}."
    rows = [(k, *ways[k].values()) for k in at]
    return Picture(figure, alt, Table(rows, ["k", *ways[1]]))


def _everywhere_or_somewhere(guarantee: Guarantee, delta: float, k: int) -> dict[str, float]:
    """Return the epsilons of both questions, by each way to answer them."""
    prior = uniform_prior(guarantee, k)
    return {
        "everywhere: basic": composition.basic(guarantee, k).epsilon,
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
