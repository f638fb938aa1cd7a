"""The figures of lecture 1, composition basics.

Each function returns a `Picture`: the figure, the sentence that describes it, and the plotted numbers as a table.
The example is a count that is 7 with Ada in the database and 6 without her. P is the law of the noisy answer with her.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from matplotlib.axes import Axes

from .. import composition, planning
from ..guarantee import Guarantee
from ..mechanisms import randomized_response
from ..numerics.search import first_true
from ..numerics.walk import loss_walk
from ..optimum import optimal
from ..pair import Pair
from ..table import Table, show
from .style import COLOURS, FONT, LINE, Picture, axes, line_style, panels

WITH, WITHOUT = 7, 6  # the true counts
ORANGE = COLOURS[1]
LAPLACE = {"color": COLOURS[5], "linestyle": (0, (3, 1, 1, 1)), "linewidth": LINE}
FORMS = {  # the three published forms, and the mean loss of an answer in each, as a share of its eps
    "advanced": ("DRV: $e^ε - 1$", np.expm1),
    "concentrated": ("concentrated: $ε/2$", lambda eps: eps / 2),
    "kov_closed_form": ("KOV: $\\tanh(ε/2)$", lambda eps: np.tanh(eps / 2)),
}

# ----------------------------------------------------------------------------------------- the loss of an answer


def laplace_loss(eps: float = 1.0) -> Picture:
    """Draw the two laws of one answer with Laplace noise and, below, what each output says about the database."""
    figure, (above, below) = panels(2, 1, (7.5, 5.6), sharex=True)
    y = np.linspace(WITHOUT - 5, WITH + 5, 601)
    above.plot(y, _density(y, WITH, eps), label="P: with Ada", **line_style(0))
    above.plot(y, _density(y, WITHOUT, eps), label="Q: without Ada", **line_style(1))
    below.plot(y, _loss(y, eps), color="black", linewidth=2.4)
    for level, word in ((eps, "+ε"), (-eps, "−ε")):
        below.axhline(level, color="0.5", linestyle=":", linewidth=1.6)
        below.text(y[0], level, word, fontsize=FONT, va="bottom" if level > 0 else "top")
    above.set_ylabel("density", fontsize=FONT)
    above.legend(fontsize=FONT - 1, frameon=False)
    below.set_xlabel("noisy answer y", fontsize=FONT)
    below.set_ylabel("loss log P/Q", fontsize=FONT)
    below.set_ylim(-1.4 * eps, 1.4 * eps)
    points = np.array([4, 6, 6.5, 7, 10])
    p, q = _density(points, WITH, eps), _density(points, WITHOUT, eps)
    rows = list(zip(points, p, q, p / q, _loss(points, eps), strict=True))
    alt = (
        f"Above: the densities of an answer with Laplace noise of scale {show(1 / eps)}, peaked at {WITH} with Ada and "
        f"at {WITHOUT} without her. Below: the privacy loss, {show(-eps)} up to y = {WITHOUT}, rising in a straight "
        f"line to {show(eps)} at y = {WITH}, constant from there on."
    )
    return Picture(figure, alt, Table(rows, ["y", "P(y)", "Q(y)", "P(y) / Q(y)", "loss"]))


def stacked_losses(pairs: Sequence[Pair]) -> Picture:
    """Draw, for every output of several answers, how their losses add up to the loss of all of them."""
    figure, ax = axes("output (one reported bit an answer)", "privacy loss log P/Q", size=(7.5, 5.0))
    outputs = sorted(product(*(range(len(pair)) for pair in pairs)), key=lambda y: -_parts(pairs, y).sum())
    parts = np.array([_parts(pairs, y) for y in outputs])
    _stack(ax, parts)
    worst = sum(max(abs(pair.losses)) for pair in pairs)
    for level, word in ((worst, "sum of the ε"), (-worst, "minus the sum")):
        ax.axhline(level, color="0.4", linestyle=":", linewidth=1.6)
        at = (len(outputs) - 0.5, level) if level > 0 else (-0.5, level)
        ax.annotate(word, at, (0, 4 if level > 0 else -4), textcoords="offset points", fontsize=FONT - 1,
                    ha="right" if level > 0 else "left", va="bottom" if level > 0 else "top")  # fmt: skip
    ax.set_xticks(range(len(outputs)), [" ".join(map(str, y)) for y in outputs])
    ax.set_ylim(-1.3 * worst, 1.5 * worst)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper center", ncols=len(pairs) + 1)
    rows = [(" ".join(map(str, y)), *terms, terms.sum()) for y, terms in zip(outputs, parts, strict=True)]
    columns = ["output", *(f"answer {j}" for j in range(1, len(pairs) + 1)), "total"]
    alt = (
        f"Bars for the {len(outputs)} outputs of {len(pairs)} answers: each stacks the losses of the single answers, a "
        f"diamond marks their sum. The sums run from {show(parts.sum(1).max())} down to {show(parts.sum(1).min())} and "
        f"never leave the band of plus or minus {show(worst)}, the sum of the epsilons."
    )
    return Picture(figure, alt, Table(rows, columns))


def loss_landscape(eps: float = 1.0, draws: int = 400, seed: int = 1) -> Picture:
    """Draw the loss of two answers, together eps-DP, over the plane of outputs, with outputs drawn from P."""
    figure, ax = axes("first noisy answer", "second noisy answer", size=(7.2, 5.8))
    grid = np.linspace(WITHOUT - 5.5, WITH + 5.5, 241)
    first, second = (_loss(y, eps / 2) for y in np.meshgrid(grid, grid))
    colours = dict(levels=eps * np.linspace(-1.05, 1.05, 22), cmap="PuOr_r", vmin=-1.35 * eps, vmax=1.35 * eps)
    bands = ax.contourf(grid, grid, first + second, **colours)
    y = np.random.default_rng(seed).laplace(WITH, 2 / eps, (draws, 2))
    top = (y >= WITH).all(axis=1)
    ax.plot(*y[~top].T, "o", ms=3.5, color="0.2", mfc="white", mew=0.8, label="other outputs")
    ax.plot(*y[top].T, "^", ms=5.5, color="black", mfc="white", mew=0.9, label="largest loss")
    ax.plot([WITH, WITH, grid[-1]], [grid[-1], WITH, WITH], color="black", linewidth=1.8)
    ax.grid(False)
    ax.set(xlim=(grid[0], grid[-1]), ylim=(grid[0], grid[-1]), aspect="equal")
    ax.legend(fontsize=FONT - 2, loc="lower left", framealpha=0.95)
    figure.colorbar(bands, ax=ax, ticks=[-eps, -eps / 2, 0, eps / 2, eps]).set_label("privacy loss", fontsize=FONT)
    likely, unlikely, low = 1 / 4, math.exp(-eps) / 4, (y <= WITHOUT).all(axis=1)
    rows = [
        (f"both at least {WITH}", show(eps), likely, unlikely, top.mean()),
        (f"both at most {WITHOUT}", show(-eps), unlikely, likely, low.mean()),
        ("all others", "between", 1 - likely - unlikely, 1 - likely - unlikely, 1 - (top | low).mean()),
    ]
    alt = (
        f"The plane of two noisy answers, coloured by privacy loss. It is flat at its largest value {show(eps)} where "
        f"both answers are at least {WITH}, flat at {show(-eps)} where both are at most {WITHOUT}, and slopes in "
        f"between. Of {draws} outputs drawn with Ada in the database, a share of {show(top.mean())} lies on the upper "
        "plateau."
    )
    return Picture(figure, alt, Table(rows, ["outputs", "loss", "P", "Q", f"share of {draws} draws"]))


def worst_output(total: float = 1, each: Sequence[float] = (1, 10), most: int = 100) -> Picture:
    """Draw how likely the largest possible loss is, against the number of answers."""
    figure, ax = axes("number of answers k", "probability of the largest loss", size=(7.5, 4.8))
    k = np.arange(1, most + 1)
    chance = planning.largest_loss_probability
    curves = {"Laplace noise, any ε": 0.5**k}
    curves[f"coins, ε = {show(total)} / k each"] = np.array([chance(total / n, int(n)) for n in k])
    curves |= {f"coins, ε = {show(eps)} each": np.array([chance(eps, int(n)) for n in k]) for eps in each}
    for i, (name, curve) in enumerate(curves.items()):
        ax.plot(k, curve, label=name, **line_style(i))
    ax.set(yscale="log", xlim=(1, most), ylim=(curves["Laplace noise, any ε"][-1] / 10, 10))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="lower left")
    rows = [(int(n), *(curve[n - 1] for curve in curves.values())) for n in k if n in (1, 2, 10, 30, most)]
    told = "; ".join(f"{name}: {show(curve[-1])}" for name, curve in curves.items())
    alt = f"Probability that k answers together lose all they can, on a logarithmic scale. At k = {most}: {told}."
    return Picture(figure, alt, Table(rows, ["k", *curves]))


# --------------------------------------------------------------------------------- the loss of many answers


def loss_walks(eps: float = 1.0, ks: Sequence[int] = (1, 2, 5, 50), draws: int = 20000, seed: int = 1) -> Picture:
    """Draw the law of the privacy loss of k Laplace answers, exact and sampled, from spikes to a bell."""
    figure, grid = panels(2, math.ceil(len(ks) / 2), (8.6, 5.8))
    rng, rows = np.random.default_rng(seed), []
    for ax, k in zip(grid, ks, strict=False):
        walk = loss_walk(eps, k)
        sampled = _histogram(ax, walk, walk.sample(rng, draws))
        ax.set_title(f"k = {k}", fontsize=FONT, loc="left")
        rows.append((k, walk.mean, sampled, walk.std, k * eps, walk.atoms[1][-1], walk.tail(k * eps / 2)))
    grid[0].legend(fontsize=FONT - 2, frameon=False, loc="upper center")
    figure.supxlabel("privacy loss, from −kε to kε", fontsize=FONT)
    figure.supylabel("probability", fontsize=FONT)
    told = "; ".join(f"k = {k}: mean {show(mean)}, standard deviation {show(std)}" for k, mean, _, std, *_ in rows)
    alt = (
        f"The law of the privacy loss after k answers with ε = {show(eps)} each, exact and from {draws} draws. With "
        f"one answer it has spikes at both ends; with more it becomes a bell far from the largest loss kε. {told}."
    )
    columns = ["k", "mean", "mean of the draws", "standard deviation", "largest: kε", "P(largest)", "P(above kε/2)"]
    return Picture(figure, alt, Table(rows, columns))


def tails(total: float = 1.0, k: int = 100, deltas: Sequence[float] = (1e-2, 1e-4, 1e-6)) -> Picture:
    """Draw how the chance of a loss above eps* falls, and with it the delta that k Laplace answers need."""
    figure, ax = axes("ε*", "probability", size=(7.5, 5.0))
    walk, coins = loss_walk(total / k, k), optimal(Guarantee(total / k), k=k)
    curves = {"P(loss > ε*)": walk.tail, "δ(ε*), Laplace noise": walk.delta, "δ(ε*), worst mechanism": coins.delta}
    eps = np.linspace(0, total, 101)[:-1]
    for i, (name, curve) in enumerate(curves.items()):
        ax.plot(eps, np.maximum(curve(eps), 1e-300), label=name, **line_style(i))
    low = min(deltas) / 100
    ax.axhline(min(deltas), color="0.4", linestyle=":", linewidth=1.6)
    ax.axvline(total, color="0.4", linewidth=1.6)
    ax.annotate("basic\ncomposition", (total, 0.1), (-6, 0), textcoords="offset points", fontsize=FONT - 1, ha="right")
    ax.set(yscale="log", ylim=(low, 2), xlim=(0, 1.02 * total))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="lower right")
    rows = [(delta, _inverse(walk.tail, delta, total), walk.epsilon(delta), coins.epsilon(delta)) for delta in deltas]
    delta, *stars = rows[-1]
    alt = (
        f"Falling curves on a logarithmic scale for k = {k} Laplace answers, {show(total)}-DP by basic composition. "
        f"They reach {show(delta)} at ε* = {show(stars[0])} (chance of a larger loss), {show(stars[1])} (δ of Laplace "
        f"noise) and {show(stars[2])} (δ of the worst mechanism), all far left of {show(total)}."
    )
    return Picture(figure, alt, Table(rows, ["δ", *(f"ε* by {name}" for name in curves)]))


# ---------------------------------------------------------------------------------- the theorems against each other


def drifts(at: Sequence[float] = (0.1, 0.5, math.log(2), 1, 2), most: float = 2.6) -> Picture:
    """Draw the mean loss of one answer, as a share of its eps, in the three forms of advanced composition."""
    figure, ax = axes("ε of one answer", "mean loss / ε", size=(7.5, 5.0))
    eps = np.linspace(0.01, most, 300)
    for i, (label, share) in enumerate(FORMS.values()):
        ax.plot(eps, share(eps), label=label, **line_style(i + 1))
    ax.plot(eps, _laplace_share(eps), label="Laplace noise, exactly", **LAPLACE)
    ax.axhline(1, label="basic composition", **line_style(0))
    for i, eps_hit in ((1, math.log(2)), (2, 2)):
        ax.plot(eps_hit, 1, "D", ms=9, mfc="white", mew=2, color=COLOURS[i])
    ax.set(xlim=(0, most), ylim=(0, 2))
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    means = [_mean_loss(randomized_response(e)) / e for e in at]
    rows = [
        (e, *(float(share(e)) for _, share in FORMS.values()), mean, _laplace_share(e))
        for e, mean in zip(at, means, strict=True)
    ]
    alt = (
        "The mean privacy loss of one answer divided by its ε, rising in ε. The form of Dwork, Rothblum and Vadhan "
        f"reaches 1 at ε = {show(math.log(2))}, the concentrated form at ε = 2, that of Kairouz, Oh and Viswanath "
        "never; Laplace noise lies lowest."
    )
    columns = ["ε", "DRV", "concentrated", "KOV", "a coin, exactly", "Laplace noise, exactly"]
    return Picture(figure, alt, Table(rows, columns))


def who_wins(slack: float = 1e-6, at: Sequence[float] = (0.1, 0.5, 1, 2), most: int = 10**4) -> Picture:
    """Map which of the published bounds is smallest, and from where on each form beats basic composition."""
    figure, ax = axes("ε of one answer", "number of answers k", size=(7.5, 5.4))
    eps, low = np.geomspace(0.003, 4, 200), 0.003
    ks = np.unique(np.round(np.geomspace(3, most, 60)).astype(int))
    edge = np.array([_last_win(int(k), slack) for k in ks])  # basic composition wins to the right of it
    split = (1 - math.e * slack) / np.sqrt(ks)  # the second branch wins to the left of it
    ax.set_facecolor("0.9")
    ax.fill_betweenx(ks, low, edge, color="#CFE8F5")
    ax.fill_betweenx(ks, low, np.minimum(split, edge), color="#F6D9A8")
    for i, (name, (label, _)) in enumerate(FORMS.items()):
        from_k = [planning.pays_from(name, float(e), slack) for e in eps]
        ax.plot(eps, from_k, label=f"{label.split(':')[0]} pays above it", **line_style(i + 1))
    for x, y, word in (
        (0.3, 5, "basic wins"),
        (0.0045, 500, "KOV wins,\n2nd branch"),
        (0.07, 2000, "KOV wins,\n3rd branch"),
    ):
        ax.text(x, y, word, fontsize=FONT, weight="bold")
    ax.set(xscale="log", yscale="log", xlim=(low, eps[-1]), ylim=(1, most))
    ax.legend(fontsize=FONT - 2, loc="lower left", framealpha=0.95)
    rows = [(e, *(_or_never(planning.pays_from(name, e, slack)) for name in FORMS)) for e in at]
    told = "; ".join(f"ε = {show(e)}: {show(drv)}, {show(post)}, {show(kov)}" for e, drv, post, kov in rows)
    alt = (
        f"Map of ε against k at δ = {show(slack)}. Basic composition wins below, the closed form of Kairouz, Oh and "
        f"Viswanath above, with its second branch on the left where √k ε is below 1. Beyond which k the three forms "
        f"(DRV, concentrated, KOV) beat basic composition: {told}."
    )
    return Picture(figure, alt, Table(rows, ["ε", "DRV", "concentrated", "KOV, 3rd branch"]))


def noise_growth(
    epsilon: float = 1.0, delta: float = 1e-6, ks: Sequence[int] = (1, 3, 10, 30, 100, 300, 1000, 3000)
) -> Picture:
    """Draw the scale of Laplace noise that k answers need for a total of (epsilon, delta), by four methods."""
    figure, ax = axes("number of answers k", "scale of the noise", size=(7.5, 5.0))
    methods = {
        "basic composition: k / ε": lambda k: planning.laplace_scale(k, epsilon),
        "recipe of footnote 2": lambda k: planning.laplace_scale(k, epsilon, delta),
        "with the largest ρ": lambda k: math.sqrt(k / (2 * planning.largest_rho(epsilon, delta))),
        "exact optimum": lambda k: planning.noise_scale(k, epsilon, delta),
    }
    scales = {name: np.array([scale(k) for k in ks]) for name, scale in methods.items()}
    for i, (name, scale) in enumerate(scales.items()):
        ax.plot(ks, scale, label=name, **line_style((0, 1, 2, 4)[i]))
    meet = epsilon**2 / (2 * planning.rho(epsilon, delta))
    ax.plot(meet, meet / epsilon, "D", ms=9, mfc="white", mew=2, color=ORANGE)
    ax.set(xscale="log", yscale="log", xlim=(ks[0], ks[-1]))
    ax.legend(fontsize=FONT - 1, frameon=False)
    rows = [(*row, row[-1] / row[0] ** 0.5) for row in zip(ks, *scales.values(), strict=True)]
    told = ", ".join(f"{name} {show(scale[-1])}" for name, scale in scales.items())
    alt = (
        f"Scale of Laplace noise for a total of ({show(epsilon)}, {show(delta)}) against k, both axes logarithmic. "
        f"Basic composition rises with slope 1, the recipe with slope 1/2; they meet at k = {show(meet)}. "
        f"At k = {ks[-1]}: {told}."
    )
    return Picture(figure, alt, Table(rows, ["k", *scales, "exact / √k"]))


def above_the_floor(
    eps: float = 0.1, delta: float = 1e-6, ks: Sequence[int] = (1, 3, 10, 20, 30, 50, 100, 200, 500, 1000)
) -> Picture:
    """Draw each bound, and what Laplace noise really loses, divided by the exact optimum."""
    figure, ax = axes("number of answers k", "total ε / exact optimum", size=(7.5, 5.0))
    floor = np.array([optimal(Guarantee(eps), k=k).epsilon(delta) for k in ks])
    curves, styles = {}, {}
    for theorem in composition.THEOREMS.values():
        curves[theorem.short] = np.array([theorem.at(Guarantee(eps), delta, k).epsilon for k in ks])
        styles[theorem.short] = line_style(theorem.line)
    curves["Laplace noise, exactly"] = np.array([loss_walk(eps, k).epsilon(delta) for k in ks])
    styles["Laplace noise, exactly"] = LAPLACE
    for label, curve in curves.items():
        ax.plot(ks, curve / floor, label=label, **styles[label])
    ax.axhline(1, color="black", linewidth=2.8)
    ax.text(1.1 * ks[0], 0.985, "exact optimum", fontsize=FONT - 1, va="top")
    ax.set(xscale="log", xlim=(ks[0], ks[-1]), ylim=(0.8, 2))
    ax.legend(fontsize=FONT - 2, frameon=False, loc="upper right")
    rows = [(k, floor[i], *(curve[i] for curve in curves.values())) for i, k in enumerate(ks)]
    told = ", ".join(f"{label} {show(curve[-1] / floor[-1])}" for label, curve in curves.items())
    alt = (
        f"Total ε of k answers with ε = {show(eps)} each at δ = {show(delta)}, divided by the exact optimum. All "
        f"theorems lie above 1, Laplace noise itself just below. At k = {ks[-1]}: {told}."
    )
    return Picture(figure, alt, Table(rows, ["k", "exact optimum", *curves]))


# ------------------------------------------------------------------------------------------------ what they share


def _density(y: np.ndarray, centre: float, eps: float) -> np.ndarray:
    return eps / 2 * np.exp(-eps * np.abs(y - centre))


def _loss(y: np.ndarray, eps: float) -> np.ndarray:
    """Return eps (|y - WITHOUT| - |y - WITH|), exactly flat where it is flat."""
    return eps * np.clip(2 * y - WITH - WITHOUT, -1, 1)


def _parts(pairs: Sequence[Pair], output: tuple[int, ...]) -> np.ndarray:
    return np.array([pair.losses[bit] for pair, bit in zip(pairs, output, strict=True)])


def _stack(ax: Axes, parts: np.ndarray) -> None:
    """Stack gains above zero and losses below it, a colour and a hatch for each answer."""
    up, down, x = np.zeros(len(parts)), np.zeros(len(parts)), np.arange(len(parts))
    for j, column in enumerate(parts.T):
        bottom = np.where(column > 0, up, down)
        style = dict(color=COLOURS[(0, 5, 6)[j % 3]], hatch=("", "//", "..")[j % 3], edgecolor="white", width=0.7)
        ax.bar(x, column, bottom=bottom, label=f"answer {j + 1}", **style)
        up, down = up + np.maximum(column, 0), down + np.minimum(column, 0)
    ax.plot(x, parts.sum(axis=1), "D", color="black", ms=8, label="total")


def _histogram(ax: Axes, walk, losses: np.ndarray, bins: int = 41) -> float:
    """Draw sampled and exact chances of equal bins, the spikes in the middle of theirs; return the sampled mean."""
    most = walk.k * walk.eps
    half = most / (bins - 1)
    edges = np.linspace(-most - half, most + half, bins + 1)
    share = np.histogram(losses, edges)[0] / len(losses)
    ax.bar((edges[1:] + edges[:-1]) / 2, share, width=2 * half, color=COLOURS[5], label="sampled")
    ax.stairs(-np.diff(walk.tail(edges)), edges, color="black", linewidth=1.4, label="exact")
    x = np.linspace(edges[0], edges[-1], 200)
    bell = np.exp(-(((x - walk.mean) / walk.std) ** 2) / 2) / (walk.std * math.sqrt(2 * math.pi))
    ax.plot(x, 2 * half * bell, color=ORANGE, linestyle="--", linewidth=2, label="normal law")
    ax.set_xlim(edges[0], edges[-1])
    return float(losses.mean())


def _inverse(tail, delta: float, high: float) -> float:
    """Return the smallest loss that is exceeded with probability at most delta."""
    return first_true(lambda loss: tail(loss) <= delta, 0.0, high)


def _mean_loss(pair: Pair) -> float:
    return float(np.sum(pair.p * pair.losses))


def _laplace_share(eps):
    """Mean loss of a Laplace answer as a share of its eps, (eps - 1 + e^-eps) / eps."""
    return (eps + np.expm1(-eps)) / eps


def _last_win(k: int, slack: float) -> float:
    """Return the largest eps at which KOV's closed form still beats basic composition of k answers."""

    def wins(log_eps: float) -> bool:
        one = Guarantee(math.exp(log_eps))
        return composition.kov_closed_form(one, slack, k).branch != "first: the sum"

    return math.exp(first_true(wins, math.log(10), math.log(1e-9), rtol=1e-9))


def _or_never(k: float) -> float | str:
    return k if k < math.inf else "never"
