"""The figures of lecture 2: errors of tests, privacy regions, simulation, and where promises break.

Regions are drawn as in the paper: missed detection to the right, false alarm upwards. P is the law with Alice, on the
database D1, and Q the law without her, on D0. Every function returns a `Picture`, whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations

import numpy as np

from .. import composition, planning
from ..curve import Curve
from ..guarantee import Guarantee
from ..mechanisms import gaussian, laplace
from ..numerics.search import first_true
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, short, show
from ..tools import extras
from .style import (
    BLUE,
    COLOURS,
    FONT,
    LINE,
    ORANGE,
    PAPER,
    Picture,
    axes,
    balanced_error,
    draw_lines,
    equal_error,
    least_alarm,
    legend,
    line_style,
    listing,
    lower_boundary,
    note,
    panels,
    write,
)

with extras.told():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FormatStrFormatter

SLACKS = np.concatenate([np.geomspace(1e-12, 1e-3, 200), np.linspace(1e-3, 1, 1500)])  # for Theorem 3.2
ROUNDED_UP = 1e-12  # a delta that is zero but for the digits of eps
KOV_AND_OURS = [theorem for theorem in composition.THEOREMS.values() if theorem.number or theorem.name == "sharper"]


# ------------------------------------------------------------------------------------------------ tests and errors


def noisy_count(with_alice: int, without: int, eps: float, cut: float, title: str = "") -> Picture:
    """Draw both laws of a count with Laplace noise; hatched are the errors of the test that says "with" above `cut`."""
    figure, ax = axes("published number", "density", title, size=(7.5, 4.2))
    scale = laplace(eps).scale
    x = np.linspace(without - 5 * scale, with_alice + 5 * scale, 2001)
    for count, colour, name in ((with_alice, BLUE, "with Alice (P)"), (without, ORANGE, "without her (Q)")):
        density = np.exp(-np.abs(x - count) / scale) / (2 * scale)
        wrong = x < cut if count == with_alice else x > cut
        ax.plot(x, density, label=name, color=colour, linewidth=LINE, linestyle="-" if count == with_alice else "--")
        hatch = "//" if count == with_alice else "\\\\"
        ax.fill_between(x, density, where=wrong, facecolor=(colour, 0.15), edgecolor=colour, hatch=hatch, linewidth=0)
    ax.axvline(cut, color="0.2", linewidth=1.4)
    top = 0.5 / scale
    ax.set_ylim(0, 1.22 * top)
    write(ax, cut - 2.2 * scale, 1.13 * top, "says “without”", color="0.2")
    write(ax, cut + 2.2 * scale, 1.13 * top, "says “with”", color="0.2")
    legend(ax, "center right")
    missed = _laplace_tail((with_alice - cut) / scale)
    alarm = _laplace_tail((cut - without) / scale)
    rows = [("false alarm", alarm), ("missed detection", missed)]
    counts = f"Two densities, around {with_alice} with Alice and {without} without her, cut at {cut:g}"
    alt = f"{counts}. Errors hatched: {listing(rows, between=', ', colon=' ')}."
    return Picture(figure, alt, Table(rows, ["error", "probability"]))


def _laplace_tail(distance: float) -> float:
    """Return the probability that Laplace noise of scale 1 exceeds the distance."""
    half = math.exp(-abs(distance)) / 2
    return half if distance >= 0 else 1 - half


def two_errors(pair: Pair, reject: Iterable[Hashable], title: str = "") -> Picture:
    """Draw both laws as bars; hatched is where the test that rejects on `reject` errs."""
    reject = set(reject)
    says_d1 = _says_d1(pair, reject)
    figure, ax = axes("what the tester sees", "probability", title)
    _draw_law(ax, pair.p, -0.2, [not yes for yes in says_d1], BLUE, "D1, with Alice (P)")
    _draw_law(ax, pair.q, 0.2, says_d1, ORANGE, "D0, without her (Q)")
    ax.bar(0, 0, color="white", edgecolor="0.3", hatch="//", label="an error")  # for the legend
    legend(ax, "upper center", ncols=3)
    _name_outcomes(ax, pair, says_d1)
    missed, alarm = errors(pair, reject)
    rows = [("false alarm", alarm), ("missed detection", missed)]
    where = f"The test says D1 on {_listed(reject, pair)}"
    alt = f"Bars of both laws, errors hatched. {where}: {listing(rows, between=', ', colon=' ')}."
    return Picture(figure, alt, Table(rows, ["error", "probability"]))


def _draw_law(ax: Axes, law: np.ndarray, shift: float, errs: Sequence[bool], colour: str, name: str) -> None:
    """Draw a law as bars a little beside the outcomes, hatched where the test errs."""
    places = np.arange(len(law)) + shift
    bars = ax.bar(places, law.astype(float), 0.38, edgecolor=colour, linewidth=1.5)
    for bar, wrong in zip(bars, errs, strict=True):
        bar.set(facecolor="white" if wrong else (colour, 0.35), hatch="//" if wrong else "")
    ax.bar(0, 0, color=(colour, 0.35), edgecolor=colour, label=name)  # for the legend


def _name_outcomes(ax: Axes, pair: Pair, says_d1: Sequence[bool]) -> None:
    words = ["say D1" if yes else "say D0" for yes in says_d1]
    labels = [f"{outcome}\n{word}" for outcome, word in zip(pair.outcomes, words, strict=True)]
    ax.set_xticks(range(len(pair)), labels, fontsize=FONT - 1)
    highest = max(*pair.p, *pair.q)
    ax.set_ylim(0, 1.25 * float(highest))


def errors(pair: Pair, reject: Iterable[Hashable]) -> tuple:
    """Return (missed detection, false alarm) of the test that says D1, with Alice, on the outcomes `reject`."""
    says_d1 = _says_d1(pair, reject)
    missed = sum(p for p, yes in zip(pair.p, says_d1, strict=True) if not yes)
    alarm = sum(q for q, yes in zip(pair.q, says_d1, strict=True) if yes)
    return missed, alarm


def all_tests(pair: Pair) -> Table:
    """List all 2^n tests without coins: where they say D1, and their two errors."""
    sizes = range(len(pair) + 1)
    tests = chain.from_iterable(combinations(pair.outcomes, size) for size in sizes)
    rows = [(_listed(reject, pair), *errors(pair, reject)) for reject in tests]
    return Table(rows, ["says D1 on", "missed detection", "false alarm"])


def _says_d1(pair: Pair, reject: Iterable[Hashable]) -> list[bool]:
    reject = set(reject)
    return [outcome in reject for outcome in pair.outcomes]


def _listed(reject: Iterable[Hashable], pair: Pair) -> str:
    chosen = zip(pair.outcomes, _says_d1(pair, reject), strict=True)
    names = [str(outcome) for outcome, yes in chosen if yes]
    return "{" + ", ".join(names) + "}"


# ---------------------------------------------------------------------------------------------------- one region


def forbidden(guarantee: Guarantee, alarm: float) -> Picture:
    """Draw what a promise forbids: the two lines below which no test gets, and the tests with a given false alarm."""
    eps, delta = guarantee
    ratio = math.exp(eps)
    room = 1 - delta
    ends = sorted([(room - alarm) / ratio, room - ratio * alarm])
    figure, ax = _square(f"Who raises {alarm:.3g} false alarms must miss {ends[-1]:.3g}")
    boundary = lower_boundary(guarantee)
    below = np.vstack([boundary, [(0, 0)]])
    ax.fill(*below.T, facecolor=(ORANGE, 0.15), edgecolor=ORANGE, hatch="//", linewidth=0)
    ax.plot([0, room / ratio], [room, 0], label=r"$P_{FA} + e^{ε} P_{MD} = 1 - δ$", **line_style(0))
    ax.plot([0, room], [room / ratio, 0], label=r"$e^{ε} P_{FA} + P_{MD} = 1 - δ$", **line_style(1))
    ax.axhline(alarm, color="0.3", linewidth=1.2)
    for missed, colour in zip(ends, ("white", "black"), strict=True):
        ax.plot(missed, alarm, "o", ms=11, markerfacecolor=colour, markeredgecolor="black", zorder=5)
        note(ax, f"{missed:.3g}", (missed, alarm), (6, 9), fontsize=FONT + 1, bbox=PAPER)
    box = {"facecolor": "white", "edgecolor": ORANGE, "boxstyle": "round,pad=0.3"}
    write(ax, 0.15, 0.04, "no test gets here", FONT - 2, bbox=box)
    legend(ax, "upper right")
    rows = [("one line", ends[0]), ("the other line", ends[1])]
    alt = f"At a false alarm of {alarm:g} the two lines of the promise ask for missed detections {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["by", "least missed detection"]))


def promise_region(guarantee: Guarantee, whole: bool = False) -> Picture:
    """Draw the privacy region of a guarantee: its lower half, as in KOV's Figure 1, or the whole octagon.

    The whole picture also shows what equation (2) adds to the region, although no test gets there.
    """
    corner = guarantee.equal_errors
    delta = guarantee.delta
    ratio = f"{math.exp(guarantee.epsilon):.4g}"
    figure, ax = _square(f"Figure 1{', whole' * whole}: $e^\\varepsilon$ = {ratio}, $\\delta$ = {delta:g}")
    region = guarantee.curve.region() if whole else lower_boundary(guarantee)
    _draw_region(ax, region, closed=whole)
    if whole:
        _hatch_what_is_printed(ax, corner, delta)
    _mark_corners(ax, corner, delta)
    what = "whole" if whole else "lower half of the"
    alt = (
        f"The {what} privacy region for e^eps = {ratio}, delta = {delta:g}, a polygon with {len(region)} vertices. "
        f"Its lower corner has both errors {corner:.6g}; the line of slope -1 through it meets the axes at "
        f"{2 * corner:.6g}."
    )
    if whole:
        alt += " Hatched near (1, 1): what equation (2) adds, and no test reaches."
    return Picture(figure, alt, _facts_of_region(corner, len(region)))


def _draw_region(ax: Axes, region: np.ndarray, closed: bool) -> None:
    ax.fill(*region.T, color=BLUE, alpha=0.18, linewidth=0)
    outline = np.vstack([region, region[:1]]) if closed else region
    ax.plot(*outline.T, color=BLUE, linewidth=LINE)


def _hatch_what_is_printed(ax: Axes, corner: float, delta: float) -> None:
    extra = np.array([(1, delta), (1 - corner, 1 - corner), (delta, 1), (1, 1)])
    ax.fill(*extra.T, facecolor="none", edgecolor=ORANGE, hatch="///", linewidth=0)
    box = {"facecolor": "white", "edgecolor": ORANGE, "boxstyle": "round,pad=0.3"}
    write(ax, 0.8, 0.93, "in (2) as printed,\nreached by no test", FONT - 2, bbox=box)


def _mark_corners(ax: Axes, corner: float, delta: float) -> None:
    """Mark the corners of the lower half, and where the line of slope -1 through the middle one ends."""
    end = 2 * corner
    ax.plot([0, end], [end, 0], color="0.45", linestyle=":", linewidth=LINE - 0.6)
    _mark(ax, "1 − δ", (0, 1 - delta), (8, -20), BLUE)
    _mark(ax, "corner", (corner, corner), (10, 4), BLUE)
    _mark(ax, "1 − δ", (1 - delta, 0), (-30, 14), BLUE)
    _mark(ax, "", (0, end), (0, 0), "0.45")
    _mark(ax, "1 − TV", (end, 0), (2, 10), "0.45")


def _mark(ax: Axes, words: str, point: tuple[float, float], offset: tuple[float, float], colour: str) -> None:
    ax.plot(*point, "o", color=colour, ms=7, clip_on=False)
    note(ax, words, point, offset, fontsize=FONT - 1)


def _facts_of_region(corner: float, vertices: int) -> Table:
    ends = 2 * corner
    rows = [
        ("corner, both errors", corner),
        ("meets the axes at", ends),
        ("total variation", 1 - ends),
        ("vertices drawn", vertices),
    ]
    return Table(rows, ["of the region", "value"])


def every_test(pair: Pair, coin: tuple[Sequence, Sequence] | None = None) -> Picture:
    """Draw the errors of all tests without coins as dots, and their convex hull (KOV, eq. 3).

    `coin` names two tests: the segment between them is what coins of all biases reach.
    """
    figure, ax = _square(f"{2 ** len(pair)} tests, and all their mixtures", size=(6.4, 6.3))
    best = lower_boundary(pair)
    region = np.vstack([best, 1 - best[1:-1]])
    dots = np.array([point for _, *point in all_tests(pair)], dtype=float)
    ax.fill(*region.T, color=BLUE, alpha=0.15, linewidth=0)
    ax.plot(*best.T, color=BLUE, linewidth=LINE, label="the best tests")
    ax.plot(*dots.T, "o", color="0.25", ms=6, linestyle="none", label="tests without a coin")
    numbers = Table(best, ["missed detection", "false alarm"])
    hull = f"their hull has {len(region)} corners, {len(best)} of them below"
    alt = f"The errors of {len(dots)} tests as dots; {hull}."
    if coin:
        one, two = coin
        ends = np.array([errors(pair, one), errors(pair, two)])
        _draw_coin(ax, ends.astype(float))
        missed, alarm = ends.sum(axis=0) / 2
        alt += f" A fair coin between two of them has errors {show(missed)} and {show(alarm)}."
    legend(figure, "outside lower center", ncols=2)
    return Picture(figure, alt, numbers)


def _draw_coin(ax: Axes, ends: np.ndarray) -> None:
    """Draw the segment between two tests, and the test that tosses a fair coin between them."""
    ax.plot(*ends.T, color=ORANGE, linewidth=LINE + 1.5, linestyle="--", label="toss a coin between two", zorder=4)
    ax.plot(*ends.mean(axis=0), "D", color=ORANGE, ms=10, zorder=5)


def best_tests(pair: Pair) -> Picture:
    """Draw the errors of all tests, and the border that grows if a test says "with" on outputs in the order of P/Q."""
    figure, ax = _square("The best tests go by P/Q")
    best_first = np.argsort(-pair.losses, kind="stable")
    order = [pair.outcomes[i] for i in best_first]
    dots = np.array([point for _, *point in all_tests(pair)], dtype=float)
    border = np.array([errors(pair, order[:n]) for n in range(len(pair) + 1)], dtype=float)
    ax.fill(*np.vstack([border, 1 - border]).T, color=BLUE, alpha=0.15, linewidth=0)
    ax.plot(*dots.T, "o", color="0.45", ms=6, linestyle="none", label="a test without coins")
    ax.plot(*border.T, "o-", color=BLUE, linewidth=LINE, ms=8, label="best by P/Q (the numbers)")
    for i, start, end in zip(best_first, border, border[1:], strict=False):
        words = f"{pair.outcomes[i]}: {math.exp(pair.losses[i]):.3g}"
        note(ax, words, tuple((start + end) / 2), (-10, -2), fontsize=FONT - 1, ha="right", va="top")
    ax.set(xlim=(-0.16, 1.01), ylim=(-0.06, 1.01))
    legend(ax, "upper right")
    rows = [(", ".join(map(str, order[:n])), *errors(pair, order[:n])) for n in range(1, len(pair) + 1)]
    told = "; ".join(f"{name}: missed {show(missed)}, false alarm {show(alarm)}" for name, missed, alarm in rows)
    alt = f"The errors of {len(dots)} tests. The best ones say with on {told}."
    return Picture(figure, alt, Table(rows, ["says with on", "missed detection", "false alarm"]))


def tangents(curve: Curve, epsilons: Iterable[float], title: str = "The boundary is made of tangents") -> Picture:
    """Draw a region's lower boundary as the envelope of lines of slope -e^eps and -e^-eps (KOV, Figure 3, bottom)."""
    figure, ax = _square(title)
    rows = []
    for i, eps in enumerate(epsilons, start=1):
        delta = float(curve.delta(eps))
        if delta <= ROUNDED_UP:
            delta = 0.0
        _draw_tangents(ax, eps, delta, line_style(i) | {"linewidth": LINE - 0.6})
        rows.append((eps, math.exp(eps), delta))
    missed, alarm = lower_boundary(curve).T
    ax.plot(missed, alarm, color=BLUE, linewidth=LINE + 1)
    ax.fill_between(missed, alarm, 1 - missed, color=BLUE, alpha=0.15, linewidth=0)
    legend(ax, "upper right", title="tangents", title_fontsize=FONT - 1)
    deltas = "; ".join(f"eps {eps:.4g}: delta {delta:.6g}" for eps, _, delta in rows)
    alt = f"A region's lower boundary, touched by lines of slope -e^eps that start at height 1 - delta: {deltas}."
    return Picture(figure, alt, Table(rows, ["eps", "slope, downwards", "delta(eps)"]))


def _draw_tangents(ax: Axes, eps: float, delta: float, style: Mapping) -> None:
    """Draw the line of slope -e^eps from height 1 - delta, and its mirror image."""
    across = np.array([-0.5, 1.5])
    down = 1 - delta - math.exp(eps) * across
    ax.plot(across, down, label=f"ε = {eps:.3g}: δ = {delta:.3g}", **style)
    if eps > 0:  # the line of slope -1 is its own mirror image
        ax.plot(down, across, **style)


def equal_errors(curves: Mapping[str, object]) -> Picture:
    """Draw the borders of several curves, and on each the test whose two errors are equal, which the title tells."""
    boundaries = {name: lower_boundary(curve) for name, curve in curves.items()}
    rows = [(name, equal_error(curve)) for name, curve in curves.items()]
    figure, ax = _square("Equal errors: " + ", ".join(f"{error:.3g}" for _, error in rows))
    _draw_boundaries(ax, {f"{name}: {error:.3g}": boundaries[name] for name, error in rows})
    ax.plot([0, 0.5], [0, 0.5], color="0.75", linewidth=1, zorder=1)
    for i, (_, error) in enumerate(rows):
        ax.plot(error, error, "o", ms=12 - 3 * i, color=COLOURS[i], zorder=5)  # also where they fall together
    alt = f"Borders of what testers can reach. Equal errors at {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["curve", "error when both errors are equal"]))


# --------------------------------------------------------------------------------------------------- simulation


def repairs(with_alice: int, without: int, ratio: float, step: int) -> Picture:
    """Draw the region of a count with geometric noise as published, and after its noise has been repaired.

    The repairs: negative counts become 0; all counts are rounded to multiples of `step`.
    """
    figure, ax = _square("No repair enlarges the region")
    published = _geometric_count(with_alice, without, ratio)
    rules = {"as published": int, "negative counts set to 0": lambda n: max(n, 0)}
    rules[f"rounded to multiples of {step}"] = lambda n: step * round(n / step)
    rows = []
    for i, (name, rule) in enumerate(rules.items()):
        boundary = lower_boundary(_processed(published, rule))
        style = line_style(i) | ({"linewidth": 3 * LINE, "alpha": 0.35} if i == 0 else {})
        ax.plot(*boundary.T, label=name, **style)
        rows.append((name, balanced_error(boundary)))
    legend(ax, "upper right")
    alt = f"Regions of a noisy count, before and after repair. Equal errors at {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["table", "error when both errors are equal"]))


def _geometric_count(with_alice: int, without: int, ratio: float) -> Pair:
    """Return both laws of a count with geometric noise, all but e^-70 of them."""
    far = math.ceil(70 / math.log(ratio))
    outputs = np.arange(without - far, with_alice + far + 1)
    laws = [float(ratio) ** -np.abs(outputs - count) for count in (with_alice, without)]
    return Pair(*(law / law.sum() for law in laws), outputs.tolist())


def _processed(pair: Pair, rule: Callable[[int], int]) -> Pair:
    """Return the pair after each outcome has been replaced by a rule."""
    replaced = [rule(outcome) for outcome in pair.outcomes]
    names = sorted(set(replaced))
    matrix = [[int(name == new) for name in names] for new in replaced]
    return pair.then(matrix, names)


def simulation(source: Pair, target: Pair) -> Picture:
    """Draw two regions, and a random map that turns the first pair into the second (KOV, Theorem 2.5)."""
    figure, (left, right) = panels(1, 2, (11.4, 5.2), ("the regions", "the map T"))
    boundaries = {"source": lower_boundary(source), "target": lower_boundary(target)}
    _draw_boundaries(left, boundaries)
    matrix = source.simulates(target)
    if matrix is None:
        _say_there_is_none(right)
        rows = []
        words = "No map exists."
    else:
        _draw_matrix(right, matrix, source.outcomes, target.outcomes)
        rows = [(str(name), *chances) for name, chances in zip(source.outcomes, matrix, strict=True)]
        words = f"The map sends {_map_in_words(rows)}."
    equal = [(name, balanced_error(boundary)) for name, boundary in boundaries.items()]
    corners = listing(equal, between=", ", colon=" ")
    alt = f"Two regions, and the map from one pair to the other. Equal errors: {corners}. {words}"
    return Picture(figure, alt, Table(rows, ["sees", *(f"says {name}" for name in target.outcomes)]))


def _map_in_words(rows: Sequence[tuple]) -> str:
    words = []
    for name, *chances in rows:
        listed = ", ".join(f"{chance:.4g}" for chance in chances)
        words.append(f"{name} to {listed}")
    return "; ".join(words)


def _draw_matrix(ax: Axes, matrix: np.ndarray, rows: Sequence, columns: Sequence) -> None:
    """Draw a random map, a row for each outcome seen."""
    ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1.4, aspect="auto")
    for (i, j), value in np.ndenumerate(matrix):
        colour = "white" if value > 0.8 else "black"
        write(ax, j, i, f"{value:.3g}", FONT + 1, color=colour)
    ax.set_xticks(range(len(columns)), [f"says {name}" for name in columns], fontsize=FONT - 1)
    ax.set_yticks(range(len(rows)), [f"sees {name}" for name in rows], fontsize=FONT - 1)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def _say_there_is_none(ax: Axes) -> None:
    write(ax, 0.5, 0.5, "there is none:\nthe target's region\nsticks out", FONT + 3)
    ax.set_axis_off()


# -------------------------------------------------------------------------------------------------- composition


def growth_with_k(
    eps: float, deltas: Sequence[float] = (0, 0.1), ks: Sequence[int] = (1, 2, 3, 4, 5), titles: Sequence[str] = ()
) -> Picture:
    """Draw how the region grows with the number of answers, for each delta in its own panel (KOV, Figure 2)."""
    titles = titles or [f"ε = {eps:g}, δ = {delta:g}" for delta in deltas]
    figure, made = panels(1, len(deltas), (5.7 * len(deltas), 5.5), titles)
    rows = []
    for ax, delta in zip(made, deltas, strict=True):
        boundaries = {}
        for k in ks:
            together = optimal(Guarantee(eps, delta), k=k)
            boundary = lower_boundary(together)
            boundaries[f"k = {k}"] = boundary
            rows.append((delta, k, len(boundary) - 2, balanced_error(boundary), together.delta(math.inf)))
        _draw_boundaries(ax, boundaries)
    equal = listing((f"delta {delta:g}, k = {k}", error) for delta, k, _, error, _ in rows)
    alt = f"Regions of k answers with eps = {eps:g} grow with k. Equal errors at {equal}."
    return Picture(figure, alt, Table(rows, ["delta", "k", "corners", "error when both are equal", "given away"]))


def enough(guarantee: Guarantee, k: int) -> Picture:
    """Draw the exact delta of k answers where it comes near to k delta, and what basic composition says there."""
    told = composition.basic(guarantee, k=k)
    together = optimal(guarantee, k=k)
    exact = together.epsilon(told.delta)
    figure, ax = axes("total ε", "total δ", f"At the same δ, {exact / told.epsilon:.0%} of the ε are enough")
    given_away = together.delta(math.inf)
    spare = told.delta - given_away
    grid = np.linspace(0, 1.25 * told.epsilon, 400)
    ax.plot(grid, together.delta(grid), label="exact optimum", **line_style(0))
    ax.axhline(told.delta, label=f"k δ = {told.delta:g}", **line_style(1))
    ax.axhline(given_away, label=f"given away: {given_away:.4g}", **line_style(2))
    for eps, words, look in ((exact, f"{exact:.3g}", "o"), (told.epsilon, f"basic: {told.epsilon:g}", "s")):
        ax.plot(eps, told.delta, look, ms=11, color="black", zorder=5)
        note(ax, words, (eps, told.delta), (12, 12), fontsize=FONT + 1)
    ax.set(xlim=(0, 1.25 * told.epsilon), ylim=(given_away - 0.5 * spare, told.delta + 2.5 * spare))
    legend(ax, "upper right")
    rows = [("basic", told.epsilon), ("exact optimum", exact)]
    alt = f"The total delta of {k} answers falls with epsilon to {given_away:.4g}. At {told.delta:g}: {listing(rows)}."
    return Picture(figure, alt, Table(rows, ["by", f"epsilon at delta = {told.delta:g}"]))


def three_theorems(guarantee: Guarantee, k: int) -> Picture:
    """Draw what Theorems 3.1, 3.2 and 3.3 say about k answers (KOV, Figure 3, top)."""
    figure, ax = _square(f"{k} answers, each ({guarantee.epsilon:g}, {guarantee.delta:g})-private")
    one = [composition.basic(guarantee, k=k)]
    family = [composition.advanced(guarantee, slack, k=k) for slack in SLACKS]
    exact = lower_boundary(optimal(guarantee, k=k))
    missed = np.linspace(0, 1, 1001)
    ax.plot(missed, least_alarm(one, missed), label="basic (Theorem 3.1)", **line_style(0))
    ax.plot(missed, least_alarm(family, missed), label=f"{composition.ADVANCED.label} (Theorem 3.2)", **line_style(1))
    ax.plot(*exact.T, label="exact optimum (Theorem 3.3)", **line_style(2))
    rows = [
        ("basic", "one guarantee", _equal_errors(one)),
        (composition.ADVANCED.label, "one for every slack", _equal_errors(family)),
        ("exact optimum", f"{len(exact) - 2} corners", balanced_error(exact)),
    ]
    _mark_equal_errors(ax, [error for *_, error in rows])
    legend(ax, "upper right")
    equal = "; ".join(f"{name}: {error:.7f}" for name, _, error in rows)
    alt = f"What three theorems leave to a tester after {k} answers; a smaller region is better. Equal errors: {equal}."
    return Picture(figure, alt, Table(rows, ["theorem", "drawn from", "error when both are equal"]))


def _equal_errors(promises: Sequence[Guarantee]) -> float:
    """Return the least equal errors that no promise excludes."""
    return max(promise.equal_errors for promise in promises)


def _mark_equal_errors(ax: Axes, equal: Sequence[float]) -> None:
    for colour, error in zip(COLOURS, equal, strict=False):
        ax.plot(error, error, "o", color=colour, ms=8)
        note(ax, f"{error:.4f}", (error, error), (15, 4), fontsize=FONT - 1)
    ax.plot([0, 0.5], [0, 0.5], color="0.75", linewidth=1, zorder=1)


def distance_to_truth(eps: float, slack: float, ks: Sequence[int], title: str = "") -> Picture:
    """Draw by which factor the theorems overstate the exact epsilon of k pure answers."""
    title = title or f"ε = {eps:g} each, total δ = {short(slack)}"
    figure, ax = axes("number of answers k", "bound / exact optimum", title, size=(7.5, 4.2))
    one = Guarantee(eps)
    exact = np.array([optimal(one, k=k).epsilon(slack) for k in ks])
    factors = {}
    for theorem in KOV_AND_OURS:
        bounds = [theorem.at(one, slack, k).epsilon for k in ks]
        factors[theorem.label] = bounds / exact
    draw_lines(ax, ks, factors)
    _draw_truth(ax, ks)
    names = [f"{name} / exact" for name in factors]
    numbers = Table(zip(ks, exact, *factors.values(), strict=True), ["k", "exact epsilon", *names])
    last = ", ".join(f"{name} {show(line[-1])}" for name, line in factors.items())
    alt = f"Bounds on the epsilon of k answers, divided by the exact value. At k = {ks[-1]}: {last}."
    return Picture(figure, alt, numbers)


def _draw_truth(ax: Axes, ks: Sequence[int]) -> None:
    ax.axhline(1, color="0.4", linewidth=1.2)
    ax.text(ks[0], 0.985, " exact optimum (Theorem 3.3)", fontsize=FONT - 2, color="0.3", va="top")
    ax.set(xscale="log", ylim=(0.9, 2.6), xlim=(ks[0], ks[-1]))
    legend(ax, "center left")


# ------------------------------------------------------------------------------------------------- applications


def gaussian_promise(
    deltas: Sequence[float] = (0.5, 0.1, 1e-5), title: str = "For large ε the recipe breaks every promise"
) -> Picture:
    """Draw what the variance of Theorem 4.3 really gives, divided by the delta it promises, against eps."""
    figure, ax = axes("promised ε", "true δ / promised δ", title)
    grid = np.geomspace(5, 400, 200)
    rows = []
    for i, delta in enumerate(deltas):
        shares = [spent(eps, delta) / delta for eps in grid]
        breaks = first_true(lambda eps, delta=delta: spent(eps, delta) >= delta, 10, 400)
        ax.plot(grid, shares, label=f"promised δ = {short(delta)}", **line_style(i))
        ax.plot(breaks, 1, "o", color=COLOURS[i], ms=9)
        rows.append((delta, breaks, spent(1, delta) / delta, spent(100, delta) / delta))
    _draw_broken_promise(ax)
    broken = "; ".join(f"{delta:g} from eps = {breaks:.6g} on" for delta, breaks, *_ in rows)
    alt = f"True over promised delta of Gaussian noise by Theorem 4.3. The promise breaks for delta = {broken}."
    columns = ["promised delta", "breaks from eps", "true / promised at eps = 1", "true / promised at eps = 100"]
    return Picture(figure, alt, Table(rows, columns))


def _draw_broken_promise(ax: Axes) -> None:
    ax.axhline(1, color="0.3", linewidth=1.2)
    ax.axhspan(1, 100, color=ORANGE, alpha=0.08)
    ax.text(5.3, 3, "the promise is broken", fontsize=FONT, color="0.2", va="center")
    ax.set(xscale="log", yscale="log", ylim=(1e-5, 10), xlim=(5, 400))
    ax.set_xticks([5, 10, 20, 50, 100, 200, 400])
    ax.xaxis.set_major_formatter(FormatStrFormatter("%d"))
    ax.minorticks_off()
    legend(ax, "center left", bbox_to_anchor=(0, 0.6))


def spent(eps: float, delta: float) -> float:
    """Return the true delta at eps of Gaussian noise with the variance of KOV's Theorem 4.3; the same for every k."""
    variance = planning.noise_variance(1, eps, delta)
    return gaussian(scale=math.sqrt(variance)).delta(eps)


def cut_query_gain(deltas: Sequence[float] = (1e-3, 1e-6, 1e-9)) -> Picture:
    """Draw by which factor equation (11) lowers the error (10) of cut queries, against eps."""
    figure, ax = axes("ε", "error by (11) / error by (10)", "Cut queries: what the better theorem gains")
    rows = []
    for i, delta in enumerate(deltas):
        grid = np.geomspace(delta, 10, 120)
        best = gain(delta, delta)
        ax.plot(grid, [gain(eps, delta) for eps in grid], label=f"δ = {short(delta)}", **line_style(i))
        ax.plot(delta, best, "o", color=COLOURS[i], ms=9)
        rows.append((delta, best, gain(0.5, delta), gain(2, delta), planning.gains_below(delta)))
    ax.axhline(1, color="0.3", linewidth=1.2)
    ax.set(xscale="log", ylim=(0, 1.2))
    legend(ax, "lower right")
    gains = listing((f"delta {delta:g}", best) for delta, best, *_ in rows)
    alt = f"Error by (11) over error by (10) rises with eps and passes 1 near eps = 1. At eps = delta, for {gains}."
    columns = ["delta", "at eps = delta", "at eps = 0.5", "at eps = 2", "gain below eps"]
    return Picture(figure, alt, Table(rows, columns))


def gain(eps: float, delta: float) -> float:
    """Return (11) / (10); everything but the privacy parameters cancels."""
    queries = {"k": 10, "size": 5, "eta": 0.1, "nu": 0.05}
    new = planning.cut_query_error(epsilon=eps, delta=delta, improved=True, **queries)
    old = planning.cut_query_error(epsilon=eps, delta=delta, improved=False, **queries)
    return new / old


# ------------------------------------------------------------------------------------------------ the house style


def _square(title: str, size: tuple[float, float] = (6.4, 5.6)) -> tuple[Figure, Axes]:
    """Return an empty figure for regions."""
    figure, ax = axes("missed detection", "false alarm", title, size=size)
    _as_region(ax)
    return figure, ax


def _as_region(ax: Axes) -> None:
    """Prepare axes for error pairs: a unit square with the line of blind guessing."""
    ax.set_xlabel("missed detection", fontsize=FONT)
    ax.set_ylabel("false alarm", fontsize=FONT)
    ax.plot([0, 1], [1, 0], color="0.55", linewidth=1.2, zorder=1)
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")


def _draw_boundaries(ax: Axes, boundaries: Mapping[str, np.ndarray]) -> None:
    """Draw the lower boundaries of regions, a line for each name."""
    _as_region(ax)
    for i, (name, boundary) in enumerate(boundaries.items()):
        ax.plot(*boundary.T, label=name, **line_style(i))
    legend(ax, "upper right")
