"""The figures of lecture 1, composition basics.

Each function returns a `Picture`: the figure, the sentence that describes it, and the plotted numbers as a table.
The example is a count that is 7 with Alice in the database and 6 without her. P is the law of the answer with her.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from .. import composition, planning
from ..curve import Curve
from ..guarantee import Guarantee
from ..mechanisms import randomized_response
from ..numerics.search import first_true
from ..numerics.walk import LossWalk, loss_walk
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, show
from ..tools import extras
from .style import (
    COLOURS,
    FONT,
    LINE,
    ORANGE,
    Picture,
    axes,
    draw_lines,
    last_row,
    legend,
    line_style,
    listing,
    note,
    panels,
)

with extras.told():
    from matplotlib.axes import Axes
    from matplotlib.contour import ContourSet

WITH = 7  # the true count with Alice
WITHOUT = 6
LAPLACE = {"color": COLOURS[5], "linestyle": (0, (3, 1, 1, 1)), "linewidth": LINE}
STYLES = {theorem.label: line_style(theorem.line) for theorem in composition.THEOREMS.values()}
STYLES["Laplace noise, exactly"] = LAPLACE
DOTTED = {"color": "0.4", "linestyle": ":", "linewidth": 1.6}
DIAMOND = {"marker": "D", "markersize": 9, "markerfacecolor": "white", "markeredgewidth": 2}
FILLS = (COLOURS[0], COLOURS[5], COLOURS[6])  # of the bars of the first, second and third answer
HATCHES = ("", "//", "..")
TAILS = ("P(loss > ε*)", "δ(ε*), Laplace noise", "δ(ε*), worst mechanism")
FORMS = (composition.ADVANCED, composition.CONCENTRATED, composition.KOV_CLOSED_FORM)  # of advanced composition

# ----------------------------------------------------------------------------------------- the loss of an answer


def laplace_loss(eps: float = 1.0) -> Picture:
    """Draw the two laws of one answer with Laplace noise and, below, what each output says about the database."""
    figure, (above, below) = panels(2, 1, (7.5, 5.6), sharex=True)
    y = np.linspace(WITHOUT - 5, WITH + 5, 601)
    _draw_densities(above, y, eps)
    _draw_loss(below, y, eps)
    scale = show(1 / eps)
    alt = (
        f"Above: the densities of an answer with Laplace noise of scale {scale}, peaked at {WITH} with Alice and at "
        f"{WITHOUT} without her. Below: the privacy loss, {show(-eps)} up to y = {WITHOUT}, rising in a straight line "
        f"to {show(eps)} at y = {WITH}, constant from there on."
    )
    return Picture(figure, alt, _densities_and_loss(eps))


def _draw_densities(ax: Axes, y: np.ndarray, eps: float) -> None:
    ax.plot(y, _density(y, WITH, eps), label="P: with Alice", **line_style(0))
    ax.plot(y, _density(y, WITHOUT, eps), label="Q: without Alice", **line_style(1))
    ax.set_ylabel("density", fontsize=FONT)
    legend(ax)


def _draw_loss(ax: Axes, y: np.ndarray, eps: float) -> None:
    ax.plot(y, _loss(y, eps), color="black", linewidth=LINE)
    _draw_level(ax, eps, "+ε", y[0], fontsize=FONT)
    _draw_level(ax, -eps, "−ε", y[0], fontsize=FONT)
    ax.set_xlabel("noisy answer y", fontsize=FONT)
    ax.set_ylabel("loss log P/Q", fontsize=FONT)
    ax.set_ylim(-1.4 * eps, 1.4 * eps)


def _draw_level(ax: Axes, level: float, words: str, x: float, **look) -> None:
    """Draw a dotted line and, beyond it as seen from zero, words that begin or end at x."""
    ax.axhline(level, **DOTTED)
    if level > 0:
        note(ax, words, (x, level), (0, 4), va="bottom", **look)
    else:
        note(ax, words, (x, level), (0, -4), va="top", **look)


def _densities_and_loss(eps: float) -> Table:
    y = np.array([4, 6, 6.5, 7, 10])
    p = _density(y, WITH, eps)
    q = _density(y, WITHOUT, eps)
    rows = list(zip(y, p, q, p / q, _loss(y, eps), strict=True))
    return Table(rows, ["y", "P(y)", "Q(y)", "P(y) / Q(y)", "loss"])


def _density(y: np.ndarray, centre: float, eps: float) -> np.ndarray:
    return eps / 2 * np.exp(-eps * np.abs(y - centre))


def _loss(y: np.ndarray, eps: float) -> np.ndarray:
    """Return eps (|y - WITHOUT| - |y - WITH|), exactly flat where it is flat."""
    return eps * np.clip(2 * y - WITH - WITHOUT, -1, 1)


def stacked_losses(pairs: Sequence[Pair], words: Sequence[str] = "01") -> Picture:
    """Draw, for every output of several answers, how their losses add up to the loss of all of them.

    `words` names the outputs of one answer.
    """
    figure, ax = axes("output: one report of each answer", "privacy loss log P/Q")
    losses = _losses_of_answers(pairs, words)
    worst = sum(max(abs(pair.losses)) for pair in pairs)
    _draw_stacks(ax, np.array(list(losses.values())))
    _draw_band(ax, worst, len(losses))
    ax.set_xticks(range(len(losses)), [output.replace(" ", "\n") for output in losses])
    legend(ax, "upper center", ncols=len(pairs) + 1)
    numbers = _table_of_losses(losses)
    totals = numbers.column("total")
    alt = (
        f"Bars for the {len(losses)} outputs of {len(pairs)} answers: each stacks the losses of the single answers, a "
        f"diamond marks their sum. The sums run from {show(max(totals))} down to {show(min(totals))} and "
        f"never leave the band of plus or minus {show(worst)}, the sum of the epsilons."
    )
    return Picture(figure, alt, numbers)


def _losses_of_answers(pairs: Sequence[Pair], words: Sequence[str]) -> dict[str, np.ndarray]:
    """Return for every output, from the largest total loss to the smallest, what each answer loses."""
    losses = {}
    for output in product(*(range(len(pair)) for pair in pairs)):
        terms = [pair.losses[said] for pair, said in zip(pairs, output, strict=True)]
        losses[" ".join(words[said] for said in output)] = np.array(terms)
    return dict(sorted(losses.items(), key=lambda item: -item[1].sum()))


def _draw_stacks(ax: Axes, losses: np.ndarray) -> None:
    """Stack gains above zero and losses below it, a colour and a hatch for each answer."""
    x = np.arange(len(losses))
    above = np.zeros(len(losses))
    below = np.zeros(len(losses))
    for j, column in enumerate(losses.T):
        bottom = np.where(column > 0, above, below)
        look = {"color": FILLS[j % 3], "hatch": HATCHES[j % 3], "edgecolor": "white"}
        ax.bar(x, column, 0.7, bottom=bottom, label=f"answer {j + 1}", **look)
        above = above + np.maximum(column, 0)
        below = below + np.minimum(column, 0)
    ax.plot(x, losses.sum(axis=1), "D", color="black", ms=8, label="total")


def _draw_band(ax: Axes, worst: float, outputs: int) -> None:
    _draw_level(ax, worst, "sum of the ε", outputs - 0.5, ha="right", fontsize=FONT - 1)
    _draw_level(ax, -worst, "minus the sum", -0.5, ha="left", fontsize=FONT - 1)
    ax.set_ylim(-1.3 * worst, 1.5 * worst)


def _table_of_losses(losses: Mapping[str, np.ndarray]) -> Table:
    rows = []
    for output, terms in losses.items():
        rows.append((output, *terms, terms.sum()))
    answers = [f"answer {j}" for j, _ in enumerate(terms, start=1)]
    return Table(rows, ["output", *answers, "total"])


def loss_landscape(eps: float = 1.0, draws: int = 400, seed: int = 1) -> Picture:
    """Draw the loss of two answers, together eps-DP, over the plane of outputs, with outputs drawn from P."""
    figure, ax = axes("first noisy answer", "second noisy answer", size=(7.2, 5.8))
    bands = _draw_landscape(ax, eps)
    drawn = np.random.default_rng(seed).laplace(WITH, 2 / eps, (draws, 2))
    _draw_outputs(ax, drawn)
    ticks = eps * np.array([-1, -0.5, 0, 0.5, 1])
    figure.colorbar(bands, ax=ax, ticks=ticks).set_label("privacy loss", fontsize=FONT)
    numbers = _plateaus(eps, drawn)
    share = numbers.rows[0][-1]
    alt = (
        f"The plane of two noisy answers, coloured by privacy loss. It is flat at its largest value {show(eps)} where "
        f"both answers are at least {WITH}, flat at {show(-eps)} where both are at most {WITHOUT}, and slopes in "
        f"between. Of {draws} outputs drawn with Alice in the database, a share of {show(share)} lies on the upper "
        "plateau."
    )
    return Picture(figure, alt, numbers)


def _draw_landscape(ax: Axes, eps: float) -> ContourSet:
    """Colour the plane by the loss of both answers, eps / 2 each."""
    grid = np.linspace(WITHOUT - 5.5, WITH + 5.5, 241)
    one = _loss(grid, eps / 2)
    levels = eps * np.linspace(-1.05, 1.05, 22)
    bands = ax.contourf(grid, grid, one + one[:, None], levels, cmap="PuOr_r", vmin=-1.35 * eps, vmax=1.35 * eps)
    ax.set(xlim=(grid[0], grid[-1]), ylim=(grid[0], grid[-1]), aspect="equal")
    ax.grid(False)
    return bands


def _draw_outputs(ax: Axes, drawn: np.ndarray) -> None:
    """Draw the outputs, those on the upper plateau as triangles, and the plateau's edge."""
    high = (drawn >= WITH).all(axis=1)
    ax.plot(*drawn[~high].T, "o", ms=3.5, color="0.2", mfc="white", mew=0.8, label="other outputs")
    ax.plot(*drawn[high].T, "^", ms=5.5, color="black", mfc="white", mew=0.9, label="largest loss")
    ax.plot([WITH, WITH, WITH + 5.5], [WITH + 5.5, WITH, WITH], color="black", linewidth=1.8)
    ax.legend(fontsize=FONT - 2, loc="lower left", framealpha=0.95)


def _plateaus(eps: float, drawn: np.ndarray) -> Table:
    """Return loss, P, Q and the share of draws on both plateaus and between them."""
    high = (drawn >= WITH).all(axis=1).mean()
    low = (drawn <= WITHOUT).all(axis=1).mean()
    likely = 1 / 4
    unlikely = math.exp(-eps) / 4
    between = 1 - likely - unlikely
    above = (f"both at least {WITH}", show(eps), likely, unlikely, high)
    below = (f"both at most {WITHOUT}", show(-eps), unlikely, likely, low)
    others = ("all others", "between", between, between, 1 - (high + low))
    return Table([above, below, others], ["outputs", "loss", "P", "Q", f"share of {len(drawn)} draws"])


def worst_output(total: float = 1, each: Sequence[float] = (1, 10), most: int = 100) -> Picture:
    """Draw how likely the largest possible loss is, against the number of answers."""
    figure, ax = axes("number of answers k", "probability of the largest loss", size=(7.5, 4.8))
    ks = range(1, most + 1)
    chances = _chances_of_largest_loss(total, each, ks)
    draw_lines(ax, ks, chances)
    ax.set(yscale="log", xlim=(1, most), ylim=(0.5**most / 10, 10))
    legend(ax, "lower left")
    rows = zip(ks, *chances.values(), strict=True)
    numbers = Table([row for row in rows if row[0] in (1, 2, 10, 30, most)], ["k", *chances])
    last = listing(last_row(numbers))
    alt = f"Probability that k answers together lose all they can, on a logarithmic scale. At k = {most}: {last}."
    return Picture(figure, alt, numbers)


def _chances_of_largest_loss(total: float, each: Sequence[float], ks: Sequence[int]) -> dict[str, list[float]]:
    chance = planning.largest_loss_probability
    chances = {"Laplace noise, any ε": [0.5**k for k in ks]}
    chances[f"coins, ε = {show(total)} / k each"] = [chance(total / k, k) for k in ks]
    for eps in each:
        chances[f"coins, ε = {show(eps)} each"] = [chance(eps, k) for k in ks]
    return chances


# --------------------------------------------------------------------------------- the loss of many answers


def loss_walks(eps: float = 1.0, ks: Sequence[int] = (1, 2, 5, 50), draws: int = 20000, seed: int = 1) -> Picture:
    """Draw the law of the privacy loss of k Laplace answers, exact and sampled, from spikes to a bell."""
    figure, made = panels(2, math.ceil(len(ks) / 2), (8.6, 5.8))
    rng = np.random.default_rng(seed)
    rows = []
    facts = []
    for ax, k in zip(made, ks, strict=False):
        walk = loss_walk(eps, k)
        losses = walk.sample(rng, draws)
        _draw_histogram(ax, walk, losses)
        rows.append(_facts_of_walk(walk, losses))
        facts.append(f"k = {k}: mean {show(walk.mean)}, standard deviation {show(walk.std)}")
    legend(made[0], "upper center", FONT - 2)
    figure.supxlabel("privacy loss, from −kε to kε", fontsize=FONT)
    figure.supylabel("probability", fontsize=FONT)
    alt = (
        f"The law of the privacy loss after k answers with ε = {show(eps)} each, exact and from {draws} draws. With "
        "one answer it has spikes at both ends; with more it becomes a bell far from the largest loss kε. "
        f"{'; '.join(facts)}."
    )
    columns = ["k", "mean", "mean of the draws", "standard deviation", "largest: kε", "P(largest)", "P(above kε/2)"]
    return Picture(figure, alt, Table(rows, columns))


def _facts_of_walk(walk: LossWalk, losses: np.ndarray) -> tuple:
    largest = walk.k * walk.eps
    _, chances = walk.atoms
    above_half = walk.tail(largest / 2)
    return walk.k, walk.mean, losses.mean(), walk.std, largest, chances[-1], above_half


def _draw_histogram(ax: Axes, walk: LossWalk, losses: np.ndarray, bins: int = 41) -> None:
    """Draw sampled and exact chances of equal bins, the spikes in the middle of theirs, and the normal law."""
    largest = walk.k * walk.eps
    half = largest / (bins - 1)
    edges = np.linspace(-largest - half, largest + half, bins + 1)
    middles = (edges[1:] + edges[:-1]) / 2
    counts, _ = np.histogram(losses, edges)
    ax.bar(middles, counts / len(losses), width=2 * half, color=COLOURS[5], label="sampled")
    ax.stairs(-np.diff(walk.tail(edges)), edges, color="black", linewidth=1.4, label="exact")
    x = np.linspace(edges[0], edges[-1], 200)
    ax.plot(x, 2 * half * walk.bell(x), color=ORANGE, linestyle="--", linewidth=2, label="normal law")
    ax.set_xlim(edges[0], edges[-1])
    ax.set_title(f"k = {walk.k}", fontsize=FONT, loc="left")


def tails(total: float = 1.0, k: int = 100, deltas: Sequence[float] = (1e-2, 1e-4, 1e-6)) -> Picture:
    """Draw how the chance of a loss above eps* falls, and with it the delta that k Laplace answers need."""
    figure, ax = axes("ε*", "probability")
    walk = loss_walk(total / k, k)
    coins = optimal(Guarantee(total / k), k=k)
    _draw_tails(ax, walk, coins, total)
    _draw_limits(ax, total, min(deltas))
    numbers = _reached(walk, coins, total, deltas)
    delta, by_tail, by_laplace, by_coins = map(show, numbers.rows[-1])
    alt = (
        f"Falling curves on a logarithmic scale for k = {k} Laplace answers, {show(total)}-DP by basic composition. "
        f"They reach {delta} at ε* = {by_tail} (chance of a larger loss), {by_laplace} (δ of Laplace "
        f"noise) and {by_coins} (δ of the worst mechanism), all far left of {show(total)}."
    )
    return Picture(figure, alt, numbers)


def _draw_tails(ax: Axes, walk: LossWalk, coins: Curve, total: float) -> None:
    eps = np.linspace(0, total, 101)[:-1]
    heights = (walk.tail(eps), walk.delta(eps), coins.delta(eps))
    draw_lines(ax, eps, dict(zip(TAILS, heights, strict=True)))


def _draw_limits(ax: Axes, total: float, least_delta: float) -> None:
    ax.axhline(least_delta, **DOTTED)
    ax.axvline(total, color="0.4", linewidth=1.6)
    note(ax, "basic\ncomposition", (total, 0.1), (-6, 0), fontsize=FONT - 1, ha="right")
    ax.set(yscale="log", ylim=(least_delta / 100, 2), xlim=(0, 1.02 * total))
    legend(ax, "lower right", bbox_to_anchor=(0.97, 0))


def _reached(walk: LossWalk, coins: Curve, total: float, deltas: Sequence[float]) -> Table:
    """Return for each delta where each of the three curves comes down to it."""
    rows = []
    for delta in deltas:
        by_tail = first_true(lambda loss, delta=delta: walk.tail(loss) <= delta, 0.0, total)
        rows.append((delta, by_tail, walk.epsilon(delta), coins.epsilon(delta)))
    return Table(rows, ["δ", *(f"ε* by {name}" for name in TAILS)])


# ---------------------------------------------------------------------------------- the theorems against each other


def drifts(at: Sequence[float] = (0.1, 0.5, math.log(2), 1, 2), most: float = 2.6) -> Picture:
    """Draw the mean loss of one answer, as a share of its eps, in the three forms of advanced composition."""
    figure, ax = axes("ε of one answer", "mean loss / ε")
    _draw_drifts(ax, np.linspace(0.01, most, 300))
    ax.plot(math.log(2), 1, color=COLOURS[1], **DIAMOND)
    ax.plot(2, 1, color=COLOURS[2], **DIAMOND)
    ax.set(xlim=(0, most), ylim=(0, 2))
    legend(ax, "upper right")
    alt = (
        "The mean privacy loss of one answer divided by its ε, rising in ε. The form of Dwork, Rothblum and Vadhan "
        f"reaches 1 at ε = {show(math.log(2))}, the concentrated form at ε = 2, that of Kairouz, Oh and Viswanath "
        "never; Laplace noise lies lowest."
    )
    return Picture(figure, alt, _table_of_drifts(at))


def _draw_drifts(ax: Axes, grid: np.ndarray) -> None:
    for theorem in FORMS:
        drift = [theorem.drift(eps) for eps in grid]
        label = f"{theorem.label}: {theorem.drift_formula}"
        ax.plot(grid, drift, label=label, **line_style(theorem.line))
    of_laplace = [_laplace_drift(eps) for eps in grid]
    ax.plot(grid, of_laplace, label="Laplace noise, exactly", **LAPLACE)
    ax.axhline(1, label="basic composition", **line_style(composition.BASIC.line))


def _table_of_drifts(at: Sequence[float]) -> Table:
    rows = []
    for eps in at:
        by_theorem = [theorem.drift(eps) for theorem in FORMS]
        of_coin = randomized_response(eps).renyi(1) / eps
        rows.append((eps, *by_theorem, of_coin, _laplace_drift(eps)))
    names = [theorem.label for theorem in FORMS]
    return Table(rows, ["ε", *names, "a coin, exactly", "Laplace noise, exactly"])


def _laplace_drift(eps: float) -> float:
    return loss_walk(eps, 1).mean / eps


def who_wins(slack: float = 1e-6, at: Sequence[float] = (0.1, 0.5, 1, 2), most: int = 10**4) -> Picture:
    """Map which of the published bounds is smallest, and from where on each form beats basic composition."""
    figure, ax = axes("ε of one answer", "number of answers k", size=(7.5, 5.4))
    grid = np.geomspace(0.003, 4, 200)
    _draw_winners(ax, grid[0], most, slack)
    for theorem in FORMS:
        pays = [planning.pays_from(theorem.name, eps, slack) for eps in grid]
        ax.plot(grid, pays, label=f"{theorem.label} pays above it", **line_style(theorem.line))
    ax.set(xscale="log", yscale="log", xlim=(grid[0], grid[-1]), ylim=(1, most))
    ax.legend(fontsize=FONT - 2, loc="lower left", framealpha=0.95)
    rows = [(eps, *_crossings(eps, slack)) for eps in at]
    crossings = "; ".join(f"ε = {show(eps)}: {', '.join(map(show, pays))}" for eps, *pays in rows)
    alt = (
        f"Map of ε against k at δ = {show(slack)}. Basic composition wins below, the closed form of Kairouz, Oh and "
        f"Viswanath above, with its second branch on the left where √k ε is below 1. Beyond which k the three forms "
        f"(DRV, concentrated, KOV) beat basic composition: {crossings}."
    )
    return Picture(figure, alt, Table(rows, ["ε", "DRV", "concentrated", "KOV, 3rd branch"]))


def _draw_winners(ax: Axes, least_eps: float, most: int, slack: float) -> None:
    """Colour where each branch of KOV's closed form wins; grey is what is left for basic composition."""
    ks = np.unique(np.geomspace(3, most, 60).round().astype(int))
    basic_right_of = np.array([_last_win(int(k), slack) for k in ks])
    third_right_of = planning.gains_below(slack) / np.sqrt(ks)
    ax.set_facecolor("0.9")
    ax.fill_betweenx(ks, least_eps, basic_right_of, color="#CFE8F5")
    ax.fill_betweenx(ks, least_eps, np.minimum(third_right_of, basic_right_of), color="#F6D9A8")
    ax.text(0.3, 5, "basic wins", fontsize=FONT, weight="bold")
    ax.text(0.0045, 500, "KOV wins,\n2nd branch", fontsize=FONT, weight="bold")
    ax.text(0.07, 2000, "KOV wins,\n3rd branch", fontsize=FONT, weight="bold")


def _last_win(k: int, slack: float) -> float:
    """Return the largest eps at which KOV's closed form still beats basic composition of k answers."""

    def wins(log_eps: float) -> bool:
        one = Guarantee(math.exp(log_eps))
        return composition.kov_closed_form(one, slack, k).branch != "first: the sum"

    return math.exp(first_true(wins, math.log(10), math.log(1e-9), rtol=1e-9))


def _crossings(eps: float, slack: float) -> list[float | str]:
    """Return beyond which k each form beats basic composition."""
    beyond = [planning.pays_from(theorem.name, eps, slack) for theorem in FORMS]
    return [k if k < math.inf else "never" for k in beyond]


def noise_growth(
    epsilon: float = 1.0, delta: float = 1e-6, ks: Sequence[int] = (1, 3, 10, 30, 100, 300, 1000, 3000)
) -> Picture:
    """Draw the scale of Laplace noise that k answers need for a total of (epsilon, delta), by four methods."""
    figure, ax = axes("number of answers k", "scale of the noise")
    scales = _scales(epsilon, delta, ks)
    for style, (name, line) in zip((0, 1, 2, 4), scales.items(), strict=True):
        ax.plot(ks, line, label=name, **line_style(style))
    meet = epsilon**2 / (2 * planning.rho(epsilon, delta))
    ax.plot(meet, meet / epsilon, color=ORANGE, **DIAMOND)
    ax.set(xscale="log", yscale="log", xlim=(ks[0], ks[-1]))
    legend(ax)
    constants = scales["exact optimum"] / np.sqrt(ks)
    numbers = Table(zip(ks, *scales.values(), constants, strict=True), ["k", *scales, "exact / √k"])
    last = listing(last_row(numbers)[:-1], between=", ", colon=" ")
    alt = (
        f"Scale of Laplace noise for a total of ({show(epsilon)}, {show(delta)}) against k, both axes logarithmic. "
        f"Basic composition rises with slope 1, the recipe with slope 1/2; they meet at k = {show(meet)}. "
        f"At k = {ks[-1]}: {last}."
    )
    return Picture(figure, alt, numbers)


def _scales(epsilon: float, delta: float, ks: Sequence[int]) -> dict[str, list[float]]:
    largest_rho = planning.largest_rho(epsilon, delta)
    return {
        "basic composition: k / ε": [planning.laplace_scale(k, epsilon) for k in ks],
        "recipe of footnote 2": [planning.laplace_scale(k, epsilon, delta) for k in ks],
        "with the largest ρ": [math.sqrt(k / (2 * largest_rho)) for k in ks],
        "exact optimum": [planning.noise_scale(k, epsilon, delta) for k in ks],
    }


def above_the_floor(
    eps: float = 0.1, delta: float = 1e-6, ks: Sequence[int] = (1, 3, 10, 20, 30, 50, 100, 200, 500, 1000)
) -> Picture:
    """Draw each bound, and what Laplace noise really loses, divided by the exact optimum."""
    figure, ax = axes("number of answers k", "total ε / exact optimum")
    floor = np.array([optimal(Guarantee(eps), k=k).epsilon(delta) for k in ks])
    totals = _totals(eps, delta, ks)
    for name, line in totals.items():
        ax.plot(ks, line / floor, label=name, **STYLES[name])
    _draw_floor(ax, ks)
    numbers = Table(zip(ks, floor, *totals.values(), strict=True), ["k", "exact optimum", *totals])
    shares = [(name, line[-1] / floor[-1]) for name, line in totals.items()]
    last = listing(shares, between=", ", colon=" ")
    alt = (
        f"Total ε of k answers with ε = {show(eps)} each at δ = {show(delta)}, divided by the exact optimum. All "
        f"theorems lie above 1, Laplace noise itself just below. At k = {ks[-1]}: {last}."
    )
    return Picture(figure, alt, numbers)


def _totals(eps: float, delta: float, ks: Sequence[int]) -> dict[str, list[float]]:
    """Return the total epsilon by each theorem, and that of Laplace noise."""
    totals = {}
    for theorem in composition.THEOREMS.values():
        totals[theorem.label] = [theorem.at(Guarantee(eps), delta, k).epsilon for k in ks]
    totals["Laplace noise, exactly"] = [loss_walk(eps, k).epsilon(delta) for k in ks]
    return totals


def _draw_floor(ax: Axes, ks: Sequence[int]) -> None:
    ax.axhline(1, color="black", linewidth=2.8)
    ax.text(1.1 * ks[0], 0.985, "exact optimum", fontsize=FONT - 1, va="top")
    ax.set(xscale="log", xlim=(ks[0], ks[-1]), ylim=(0.8, 2))
    legend(ax, "upper right", FONT - 2)
