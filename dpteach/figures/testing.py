"""The figures of lecture 2: errors of tests, privacy regions, simulation, and where promises break.

Regions are drawn as in the paper: missed detection to the right, false alarm upwards. Every function returns a
`Picture`, whose `numbers` are what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FormatStrFormatter

from .. import composition, planning
from ..guarantee import Guarantee
from ..mechanisms import gaussian
from ..numerics.search import first_true
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, short, show
from .style import COLOURS, FONT, LINE, Picture, axes, balanced_error, line_style, lower_boundary, panels

BLUE, ORANGE, GREEN = COLOURS[:3]
SQUARE = (6.4, 5.6)
SLACKS = np.concatenate([np.geomspace(1e-12, 1e-3, 200), np.linspace(1e-3, 1, 1500)])  # for Theorem 3.2
ROUNDED_UP = 1e-12  # a delta that is zero but for the digits of eps
KOV_AND_OURS = [theorem for theorem in composition.THEOREMS.values() if theorem.number or theorem.name == "sharper"]


# ------------------------------------------------------------------------------------------------ tests and errors


def two_errors(pair: Pair, reject: Iterable[Hashable], title: str = "") -> Picture:
    """Draw both laws as bars; hatched is where the test that rejects on `reject` errs."""
    reject = set(reject)
    figure, ax = axes("what the tester sees", "probability", title)
    inside = [outcome in reject for outcome in pair.outcomes]
    for side, law, colour, name in ((-1, pair.p, BLUE, "database D0"), (1, pair.q, ORANGE, "database D1")):
        errs = inside if side < 0 else [not yes for yes in inside]
        bars = ax.bar(np.arange(len(pair)) + 0.2 * side, law.astype(float), 0.38, edgecolor=colour, linewidth=1.5)
        for bar, wrong in zip(bars, errs, strict=True):
            bar.set(facecolor="white" if wrong else (colour, 0.35), hatch="//" if wrong else "")
        ax.bar(0, 0, color=(colour, 0.35), edgecolor=colour, label=name)  # for the legend
    said = ["D1" if yes else "D0" for yes in inside]
    labels = [f"{name}\nsay {word}" for name, word in zip(pair.outcomes, said, strict=True)]
    ax.set_xticks(range(len(pair)), labels, fontsize=FONT - 1)
    ax.bar(0, 0, color="white", edgecolor="0.3", hatch="//", label="an error")
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper center", ncols=3)
    ax.set_ylim(0, 1.25 * float(max(*pair.p, *pair.q)))
    missed, alarm = errors(pair, reject)
    numbers = Table([("false alarm", alarm), ("missed detection", missed)], ["error", "probability"])
    told = f"The test says D1 on {_listed(reject, pair)}: false alarm {show(alarm)}, missed detection {show(missed)}."
    return Picture(figure, f"Bars of both laws, errors hatched. {told}", numbers)


def errors(pair: Pair, reject: Iterable[Hashable]) -> tuple:
    """Return (missed detection, false alarm) of the test that says D1 on the outcomes `reject` (KOV, section 2)."""
    reject = set(reject)
    inside = [outcome in reject for outcome in pair.outcomes]
    missed = sum(q for q, says_d1 in zip(pair.q, inside, strict=True) if not says_d1)
    return missed, sum(p for p, says_d1 in zip(pair.p, inside, strict=True) if says_d1)


def all_tests(pair: Pair) -> Table:
    """List all 2^n tests without coins: where they say D1, and their two errors."""
    names = pair.outcomes
    chosen = [s for n in range(len(names) + 1) for s in combinations(names, n)]
    rows = [(_listed(s, pair), *errors(pair, s)) for s in chosen]
    return Table(rows, ["says D1 on", "missed detection", "false alarm"])


def _listed(reject: Iterable[Hashable], pair: Pair) -> str:
    return "{" + ", ".join(str(name) for name in pair.outcomes if name in set(reject)) + "}"


# ---------------------------------------------------------------------------------------------------- one region


def promise_region(guarantee: Guarantee, whole: bool = False) -> Picture:
    """Draw the privacy region of a guarantee: its lower half, as in KOV's Figure 1, or the whole octagon.

    The whole picture also shows what equation (2) adds to the region, although no test gets there.
    """
    eps, delta = guarantee
    corner = guarantee.equal_errors
    ends = 2 * corner
    figure, ax = _square(f"Figure 1{', whole' * whole}: $e^\\varepsilon$ = {math.exp(eps):.4g}, $\\delta$ = {delta:g}")
    region = guarantee.curve.region() if whole else lower_boundary(guarantee)
    ax.fill(*region.T, color=BLUE, alpha=0.18, linewidth=0)
    ax.plot(*(np.vstack([region, region[:1]]) if whole else region).T, color=BLUE, linewidth=LINE)
    if whole:
        _hatch_what_is_printed(ax, corner, delta)
    _mark_corners(ax, corner, delta)
    rows = [("corner, both errors", corner), ("meets the axes at", ends), ("total variation", 1 - ends)]
    alt = (
        f"The {'whole' if whole else 'lower half of the'} privacy region for e^eps = {math.exp(eps):.4g}, delta = "
        f"{delta:g}, a polygon with {len(region)} vertices. Its lower corner has both errors {corner:.6g}; the line of "
        f"slope -1 through it meets the axes at {ends:.6g}."
    )
    more = " Hatched near (1, 1): what equation (2) adds, and no test reaches." if whole else ""
    return Picture(figure, alt + more, Table([*rows, ("vertices drawn", len(region))], ["of the region", "value"]))


def _mark_corners(ax: Axes, corner: float, delta: float) -> None:
    ax.plot([0, 2 * corner], [2 * corner, 0], color="0.45", linestyle=":", linewidth=LINE - 0.6)
    points = [
        ("(0, 1 − δ)", (0, 1 - delta), (8, -14)), ("corner", (corner, corner), (10, 4)),
        ("(1 − δ, 0)", (1 - delta, 0), (-75, 30)), ("", (0, 2 * corner), (0, 0)), ("1 − TV", (2 * corner, 0), (2, 10)),
    ]  # fmt: skip
    for label, point, offset in points:
        ax.plot(*point, "o", color="0.45" if label in ("", "1 − TV") else BLUE, ms=7, clip_on=False)
        ax.annotate(label, point, offset, textcoords="offset points", fontsize=FONT - 1)


def _hatch_what_is_printed(ax: Axes, corner: float, delta: float) -> None:
    extra = np.array([(1, delta), (1 - corner, 1 - corner), (delta, 1), (1, 1)])
    ax.fill(*extra.T, facecolor="none", edgecolor=ORANGE, hatch="///", linewidth=0)
    box = {"facecolor": "white", "edgecolor": ORANGE, "boxstyle": "round,pad=0.3"}
    words = "in (2) as printed,\nreached by no test"
    ax.text(0.8, 0.93, words, fontsize=FONT - 2, ha="center", va="center", bbox=box)


def every_test(pair: Pair, coin: tuple[Sequence, Sequence] | None = None) -> Picture:
    """Draw the errors of all tests without coins as dots, and their convex hull (KOV, eq. 3).

    `coin` names two tests: the segment between them is what coins of all biases reach.
    """
    figure, ax = _square(f"{2 ** len(pair)} tests, and all their mixtures")
    region, table = pair.region().astype(float), all_tests(pair)
    ax.fill(*region.T, color=BLUE, alpha=0.15, linewidth=0)
    ax.plot(*lower_boundary(pair).T, color=BLUE, linewidth=LINE, label="the best tests")
    dots = np.array([row[1:] for row in table], dtype=float)
    ax.plot(*dots.T, "o", color="0.25", ms=6, linestyle="none", label="tests without a coin")
    if coin:
        ends = np.array([errors(pair, reject) for reject in coin], dtype=float)
        ax.plot(*ends.T, color=ORANGE, linewidth=LINE + 1.5, linestyle="--", label="toss a coin between two", zorder=4)
        ax.plot(*ends.mean(axis=0), "D", color=ORANGE, ms=10, zorder=5)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    numbers = Table(lower_boundary(pair), ["missed detection", "false alarm"])
    alt = (
        f"The errors of {len(dots)} tests as dots; their hull has {len(region)} corners, {len(numbers)} of them below."
    )
    return Picture(figure, alt + (_about_coin(pair, *coin) if coin else ""), numbers)


def _about_coin(pair: Pair, one: Iterable[Hashable], two: Iterable[Hashable]) -> str:
    missed, alarm = ((a + b) / 2 for a, b in zip(errors(pair, one), errors(pair, two), strict=True))
    return f" A fair coin between two of them has errors {show(missed)} and {show(alarm)}."


def tangents(curve, epsilons: Iterable[float], title: str = "The boundary is made of tangents") -> Picture:
    """Draw a region's lower boundary as the envelope of lines of slope -e^eps and -e^-eps (KOV, Figure 3, bottom)."""
    figure, ax = _square(title)
    lower, rows, x = lower_boundary(curve), [], np.array([-0.5, 1.5])
    for i, eps in enumerate(epsilons):
        delta = float(curve.delta(eps))
        delta = delta if delta > ROUNDED_UP else 0.0
        style = line_style(i + 1) | {"linewidth": LINE - 0.6}
        ax.plot(x, 1 - delta - math.exp(eps) * x, label=f"ε = {eps:.3g}: δ = {delta:.3g}", **style)
        if eps > 0:  # the line of slope -1 is its own mirror image
            ax.plot(1 - delta - math.exp(eps) * x, x, **style)
        rows.append((eps, math.exp(eps), delta))
    ax.plot(*lower.T, color=BLUE, linewidth=LINE + 1)
    ax.fill_between(*lower.T, 1 - lower[:, 0], color=BLUE, alpha=0.15, linewidth=0)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right", title="tangents", title_fontsize=FONT - 1)
    told = "; ".join(f"eps {eps:.4g}: delta {delta:.6g}" for eps, _, delta in rows)
    alt = f"A region's lower boundary, touched by lines of slope -e^eps that start at height 1 - delta: {told}."
    return Picture(figure, alt, Table(rows, ["eps", "slope, downwards", "delta(eps)"]))


# --------------------------------------------------------------------------------------------------- simulation


def simulation(source: Pair, target: Pair) -> Picture:
    """Draw two regions, and a random map that turns the first pair into the second (KOV, Theorem 2.5)."""
    figure, (left, right) = panels(1, 2, (11.4, 5.2), ("the regions", "the map T"))
    _as_region(left)
    corners = []
    for i, (name, pair) in enumerate((("source", source), ("target", target))):
        lower = lower_boundary(pair)
        left.plot(*lower.T, label=name, **line_style(i))
        corners.append(f"{name} {show(balanced_error(lower))}")
    left.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    matrix = source.simulates(target)
    _draw_matrix(right, matrix, source.outcomes, target.outcomes)
    rows = [] if matrix is None else [(str(name), *row) for name, row in zip(source.outcomes, matrix, strict=True)]
    told = "; ".join(f"{name} to {', '.join(f'{x:.4g}' for x in row)}" for name, *row in rows)
    words = f"The map sends {told}." if rows else "No map exists."
    alt = f"Two regions, and the map from one pair to the other. Equal errors: {', '.join(corners)}. {words}"
    return Picture(figure, alt, Table(rows, ["sees", *(f"says {name}" for name in target.outcomes)]))


def _draw_matrix(ax: Axes, matrix: np.ndarray | None, rows: Sequence, columns: Sequence) -> None:
    """Draw a random map, a row for each outcome seen; or that there is none."""
    if matrix is None:
        words = "there is none:\nthe target's region\nsticks out"
        ax.text(0.5, 0.5, words, ha="center", va="center", fontsize=FONT + 3)
        ax.set_axis_off()
        return
    ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1.4, aspect="auto")
    for (i, j), value in np.ndenumerate(matrix):
        colour = "white" if value > 0.8 else "black"
        ax.text(j, i, f"{value:.3g}", ha="center", va="center", fontsize=FONT + 1, color=colour)
    ax.set_xticks(range(len(columns)), [f"says {name}" for name in columns], fontsize=FONT - 1)
    ax.set_yticks(range(len(rows)), [f"sees {name}" for name in rows], fontsize=FONT - 1)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


# -------------------------------------------------------------------------------------------------- composition


def growth_with_k(eps: float, deltas: Sequence[float] = (0, 0.1), ks: Sequence[int] = (1, 2, 3, 4, 5)) -> Picture:
    """Draw how the region grows with the number of answers, for each delta in its own panel (KOV, Figure 2)."""
    titles = [f"ε = {eps:g}, δ = {delta:g}" for delta in deltas]
    figure, row = panels(1, len(deltas), (5.7 * len(deltas), 5.5), titles)
    rows = []
    for ax, delta in zip(row, deltas, strict=True):
        _as_region(ax)
        for i, k in enumerate(ks):
            lower = lower_boundary(optimal(Guarantee(eps, delta), k=k))
            ax.plot(*lower.T, label=f"k = {k}", **line_style(i))
            rows.append((delta, k, len(lower) - 2, balanced_error(lower), 1 - (1 - delta) ** k))
        ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    columns = ["delta", "k", "corners", "error when both are equal", "given away"]
    told = "; ".join(f"delta {d:g}, k = {k}: {show(x)}" for d, k, _, x, _ in rows)
    alt = f"Regions of k answers with eps = {eps:g} grow with k. Equal errors at {told}."
    return Picture(figure, alt, Table(rows, columns))


def three_theorems(guarantee: Guarantee, k: int) -> Picture:
    """Draw what Theorems 3.1, 3.2 and 3.3 say about k answers (KOV, Figure 3, top)."""
    family = [composition.advanced(guarantee, slack, k=k) for slack in SLACKS]
    exact = lower_boundary(optimal(guarantee, k=k))
    missed = np.linspace(0, 1, 1001)
    regions = {
        "Theorem 3.1": ([composition.basic(guarantee, k=k)], "one guarantee"),
        "Theorem 3.2": (family, "one for every slack"),
    }
    eps, delta = guarantee
    figure, ax = _square(f"{k} answers, each ({eps:g}, {delta:g})-private")
    rows = []
    for i, (name, (promises, how)) in enumerate(regions.items()):
        ax.plot(missed, least_alarm(promises, missed), label=name, **line_style(i))
        rows.append((name, how, max(promise.equal_errors for promise in promises)))
    ax.plot(*exact.T, label="Theorem 3.3", **line_style(2))
    rows.append(("Theorem 3.3", f"{len(exact) - 2} corners", balanced_error(exact)))
    for i, (_, _, error) in enumerate(rows):
        ax.plot(error, error, "o", color=COLOURS[i], ms=8)
        ax.annotate(f"{error:.4f}", (error, error), (8, 8), textcoords="offset points", fontsize=FONT - 1)
    ax.plot([0, 0.5], [0, 0.5], color="0.75", linewidth=1, zorder=1)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    told = "; ".join(f"{name}: {error:.7f}" for name, _, error in rows)
    alt = f"What three theorems leave to a tester after {k} answers; a smaller region is better. Equal errors: {told}."
    return Picture(figure, alt, Table(rows, ["theorem", "drawn from", "error when both are equal"]))


def least_alarm(promises: Sequence[Guarantee], missed: np.ndarray) -> np.ndarray:
    """Return the least false alarm at each missed detection that no promise excludes (KOV, Theorem 2.1)."""
    return np.max([promise.curve.tradeoff(missed) for promise in promises], axis=0)  # the regions are symmetric


def distance_to_truth(eps: float, slack: float, ks: Sequence[int]) -> Picture:
    """Draw by which factor the theorems overstate the exact epsilon of k pure answers."""
    figure, ax = axes("number of answers k", "bound / exact optimum", f"ε = {eps:g} each, total δ = {short(slack)}")
    exact = np.array([optimal(Guarantee(eps), k=k).epsilon(slack) for k in ks])
    told = {}
    for i, theorem in enumerate(KOV_AND_OURS):
        name = theorem.number or theorem.label
        bound = [theorem.at(Guarantee(eps), slack, k).epsilon for k in ks]
        told[name] = np.array(bound, dtype=float) / exact
        ax.plot(ks, told[name], label=name, **line_style(i))
    ax.axhline(1, color="0.4", linewidth=1.2)
    ax.text(ks[0], 0.985, " Theorem 3.3: the truth", fontsize=FONT - 2, color="0.3", va="top")
    ax.set(xscale="log", ylim=(0.9, 2.6), xlim=(ks[0], ks[-1]))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    rows = [(k, truth, *(told[name][i] for name in told)) for i, (k, truth) in enumerate(zip(ks, exact, strict=True))]
    last = ", ".join(f"{name} {show(told[name][-1])}" for name in told)
    alt = f"Bounds on the epsilon of k answers, divided by the exact value. At k = {ks[-1]}: {last}."
    return Picture(figure, alt, Table(rows, ["k", "exact epsilon", *(f"{name} / exact" for name in told)]))


# ------------------------------------------------------------------------------------------------- applications


def gaussian_promise(deltas: Sequence[float] = (0.5, 0.1, 1e-5)) -> Picture:
    """Draw what the variance of Theorem 4.3 really gives, divided by the delta it promises, against eps."""
    figure, ax = axes("promised ε", "true δ / promised δ", "Gaussian noise by Theorem 4.3")
    grid, rows = np.geomspace(5, 400, 200), []
    for i, delta in enumerate(deltas):
        true = [spent(eps, delta) / delta for eps in grid]
        ax.plot(grid, true, label=f"promised δ = {short(delta)}", **line_style(i))
        breaks = _root(lambda eps, delta=delta: spent(eps, delta) - delta, 10, 400)
        ax.plot(breaks, 1, "o", color=COLOURS[i], ms=9)
        rows.append((delta, breaks, spent(1, delta) / delta, spent(100, delta) / delta))
    ax.axhline(1, color="0.3", linewidth=1.2)
    ax.axhspan(1, 100, color=ORANGE, alpha=0.08)
    ax.text(5.3, 3, "the promise is broken", fontsize=FONT, color="0.2", va="center")
    ax.set(xscale="log", yscale="log", ylim=(1e-5, 10), xlim=(5, 400))
    ax.set_xticks([5, 10, 20, 50, 100, 200, 400])
    ax.xaxis.set_major_formatter(FormatStrFormatter("%d"))
    ax.minorticks_off()
    ax.legend(fontsize=FONT - 1, frameon=False, loc="center left", bbox_to_anchor=(0, 0.6))
    told = "; ".join(f"{delta:g} from eps = {breaks:.6g} on" for delta, breaks, *_ in rows)
    alt = f"True over promised delta of Gaussian noise by Theorem 4.3. The promise breaks for delta = {told}."
    columns = ["promised delta", "breaks from eps", "true / promised at eps = 1", "true / promised at eps = 100"]
    return Picture(figure, alt, Table(rows, columns))


def spent(eps: float, delta: float) -> float:
    """Return the true delta at eps of Gaussian noise with the variance of KOV's Theorem 4.3; the same for every k."""
    return gaussian(scale=math.sqrt(planning.noise_variance(1, eps, delta))).delta(eps)


def cut_query_gain(deltas: Sequence[float] = (1e-3, 1e-6, 1e-9)) -> Picture:
    """Draw by which factor equation (11) lowers the error (10) of cut queries, against eps."""
    figure, ax = axes("ε", "error by (11) / error by (10)", "Cut queries: what the better theorem gains")
    rows = []
    for i, delta in enumerate(deltas):
        grid = np.geomspace(delta, 10, 120)
        ax.plot(grid, [gain(eps, delta) for eps in grid], label=f"δ = {short(delta)}", **line_style(i))
        ax.plot(delta, gain(delta, delta), "o", color=COLOURS[i], ms=9)
        rows.append((delta, gain(delta, delta), gain(0.5, delta), gain(2, delta), 1 - math.e * delta))
    ax.axhline(1, color="0.3", linewidth=1.2)
    ax.set(xscale="log", ylim=(0, 1.2))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="lower right")
    told = "; ".join(f"delta {delta:g}: {show(best)}" for delta, best, *_ in rows)
    alt = f"Error by (11) over error by (10) rises with eps and passes 1 near eps = 1. At eps = delta, for {told}."
    columns = ["delta", "at eps = delta", "at eps = 0.5", "at eps = 2", "gain below eps"]
    return Picture(figure, alt, Table(rows, columns))


def gain(eps: float, delta: float) -> float:
    """Return (11) / (10); everything but the privacy parameters cancels."""
    new, old = (planning.cut_query_error(10, eps, delta, size=5, eta=0.1, nu=0.05, improved=b) for b in (True, False))
    return new / old


def _root(sign: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function passes 0."""
    return first_true(lambda x: sign(x) >= 0, low, high)


# ------------------------------------------------------------------------------------------------ the house style


def _square(title: str) -> tuple[Figure, Axes]:
    """Return an empty figure for regions."""
    figure, ax = axes("missed detection", "false alarm", title, size=SQUARE)
    return figure, _as_region(ax)


def _as_region(ax: Axes) -> Axes:
    """Prepare axes for error pairs: a unit square with the line of blind guessing."""
    ax.set_xlabel("missed detection", fontsize=FONT)
    ax.set_ylabel("false alarm", fontsize=FONT)
    ax.plot([0, 1], [1, 0], color="0.55", linewidth=1.2, zorder=1)
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    return ax
