"""Figures about the hospital registry: an attack on it, and its yearly report under each theorem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .. import composition, planning
from ..guarantee import Guarantee
from ..mechanisms import laplace
from ..optimum import optimal
from ..table import Table, show
from .style import COLOURS, FONT, LINE, Picture, axes

MARKERS = ("o", "s", "^", "D")
ABOVE = {"ha": "center", "va": "bottom", "fontsize": FONT}


def averaging(truth: float, eps: float = 1.0, most: int = 100, seed: int = 1) -> Picture:
    """Draw the average of the first k noisy answers to one count, and how far such an average strays."""
    figure, ax = axes("number of answers k", "average of the k answers", "Ask often enough, and the noise is gone")
    k = np.arange(1, most + 1)
    answers = laplace(eps).sample(truth, np.random.default_rng(seed), size=most)
    averages = np.cumsum(answers) / k
    deviations = np.sqrt(2 / k) / eps
    ax.fill_between(k, truth - deviations, truth + deviations, color="0.88", label="one standard deviation")
    ax.plot(k, averages, color=COLOURS[0], linewidth=LINE, label="average")
    ax.axhline(truth, color="black", linewidth=1.4, linestyle=":")
    ax.axhline(truth - 1, color=COLOURS[1], linewidth=1.4, linestyle="--")
    ax.text(most, truth - 1, "without Alice's secret", fontsize=FONT - 1, ha="right", va="bottom", color=COLOURS[1])
    ax.set_xlim(1, most)
    ax.set_ylim(truth - 2, truth + 2)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    shown = [1, 10, most]
    rows = [(n, averages[n - 1], deviations[n - 1]) for n in shown]
    alt = (
        f"The average of the first k noisy answers, up to k = {most}, in a band that narrows around the true count "
        f"{show(truth)}. At k = {most} the average is {show(averages[-1])}, and one standard deviation is "
        f"{show(deviations[-1])}."
    )
    return Picture(figure, alt, Table(rows, ["k", "average", "standard deviation"]))


def report(
    answers: Mapping[str, int], epsilon: float, delta: float, names: Sequence[str], shown: Sequence[str]
) -> Picture:
    """Draw some of the counts of a report with the error bars of Laplace noise, planned with each of the theorems."""
    figure, ax = axes("", "count", "The same promise, the same counts: what a theorem costs", size=(8.5, 5.0))
    scales = planned_scales(len(answers), epsilon, delta, names)
    for i, (name, scale) in enumerate(scales.items()):
        places = np.arange(len(shown)) + 0.16 * (i - (len(scales) - 1) / 2)
        bars = dict(yerr=np.sqrt(2) * scale, fmt=MARKERS[i], color=COLOURS[i], capsize=4, linewidth=LINE, ms=7)
        ax.errorbar(places, [answers[query] for query in shown], label=name, **bars)
    ax.axhline(0, color="0.5", linewidth=1)
    ax.set_xticks(range(len(shown)), [query.replace(", ", "\n") for query in shown], fontsize=FONT - 2)
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper left")
    rows = [(name, scale, np.sqrt(2) * scale) for name, scale in scales.items()]
    told = ", ".join(f"{name} {show(error)}" for name, _, error in rows)
    alt = (
        f"{len(shown)} of {len(answers)} counts with error bars of one standard deviation, for a total of "
        f"({show(epsilon)}, {show(delta)}): {told}."
    )
    return Picture(figure, alt, Table(rows, ["planned with", "scale of the noise", "standard deviation"]))


def planned_scales(k: int, epsilon: float, delta: float, names: Sequence[str]) -> dict[str, float]:
    """Return the scale of Laplace noise on each of k counts, planned with some theorems and with the exact optimum."""
    table = {name: scale for name, scale, _ in planning.noise_scales(k=k, epsilon=epsilon, delta=delta).rows}
    chosen = {composition.THEOREMS[name].label: table[name] for name in names}
    return {**chosen, "exact optimum": table["optimal"]}


def granularities(sensitivities: Mapping[str, Sequence[float]], columns: Sequence[str], eps: float = 1.0) -> Picture:
    """Draw the scale of the Laplace noise that numbers of the registry need, for several meanings of a neighbour."""
    title = "The same ε, the same table: one step decides the noise"
    figure, ax = axes(f"scale of the noise for ε = {show(eps)}", "", title, size=(9.0, 5.0))
    rows = [(step, *(value / eps for value in values)) for step, values in sensitivities.items()]
    height = 0.8 / len(columns)
    left = min(min(row[1:]) for row in rows) / 2  # where the logarithmic axis begins
    for i, column in enumerate(columns):
        scales = [row[i + 1] for row in rows]
        places = np.arange(len(rows)) + height * (i - (len(columns) - 1) / 2)
        widths = [scale - left for scale in scales]
        ax.barh(places, widths, height=0.9 * height, left=left, color=COLOURS[i], label=column)
        for place, scale in zip(places, scales, strict=True):
            ax.text(scale * 1.15, place, f"{scale:g}", va="center", fontsize=FONT - 1)
    ax.set_xscale("log")
    ax.set_xlim(left, 20 * max(max(row[1:]) for row in rows))
    ax.set_yticks(range(len(rows)), list(sensitivities), fontsize=FONT - 1)
    ax.invert_yaxis()
    ax.legend(fontsize=FONT - 1, frameon=False, loc="upper right")
    told = "; ".join(f"{row[0]}: {', '.join(map(show, row[1:]))}" for row in rows)
    alt = f"Scale of the Laplace noise for ε = {show(eps)}, of {' and of '.join(columns)}, by what one step is. {told}."
    return Picture(figure, alt, Table(rows, ["one step", *columns]))


def shares_in_report(bits: np.ndarray, person: int, cap: int) -> Picture:
    """Draw how many counts of a report the patients are in; `person` is marked, `cap` is the most that can be."""
    figure, ax = axes("number of counts that a patient is in", "patients", "Most answers are not about you")
    sizes, patients = np.unique(bits.sum(axis=1), return_counts=True)
    ax.bar(sizes, patients, width=2.4, color=COLOURS[0], alpha=0.75)
    for size, number in zip(sizes, patients, strict=True):
        ax.annotate(f"{number}", (size, number), xytext=(0, 4), textcoords="offset points", **ABOVE)
    hers = int(bits[person].sum())
    look = {"arrowprops": {"color": COLOURS[1], "width": 2, "headwidth": 9, "shrink": 0.06}, "color": COLOURS[1]}
    top = float(patients.max())
    ax.annotate("Alice", (hers, patients[sizes == hers][0] + 0.07 * top), (hers + 3, top), fontsize=FONT + 1, **look)
    ax.axvline(cap, color="black", linewidth=1.6, linestyle="--")
    ax.text(cap - 0.4, 0.6 * top, f"at most {cap}\nof {bits.shape[1]}", fontsize=FONT, ha="right")
    ax.set(xlim=(-1.6, cap + 1.6), xticks=[*sizes, cap], ylim=(0, 1.12 * top))
    rows = list(zip(sizes.tolist(), patients.tolist(), strict=True))
    listed = "; ".join(f"in {size}: {number}" for size, number in rows)
    alt = f"How many of the {bits.shape[1]} counts patients are in, {listed}; Alice is in {hers}, the cap is {cap}."
    return Picture(figure, alt, Table(rows, ["counts", "patients"]))


def caps(bits: np.ndarray, design: int, epsilon: float, delta: float) -> Picture:
    """Draw the scale of the noise of a report for four caps on how many counts a patient is in: two are from the data.

    The table also has the epsilon of a newcomer who is in as many counts as the `design` of the report allows.
    """
    figure, ax = axes("", "scale of the noise", "A cap from the data tells who is in the data", size=(8.5, 5.0))
    sizes = np.sort(bits.sum(axis=1))
    chosen = {
        "from the data": int(sizes[-1]),
        "from the data\nwithout one person": int(sizes[-2]),
        "by design": design,
        "no cap": bits.shape[1],
    }
    scales = [planning.noise_scale(cap, epsilon, delta) for cap in chosen.values()]
    ax.bar(range(len(chosen)), scales, width=0.6, color=[COLOURS[1], COLOURS[1], COLOURS[0], "0.6"], alpha=0.8)
    for i, (cap, scale) in enumerate(zip(chosen.values(), scales, strict=True)):
        ax.annotate(f"{scale:.3g}\n(cap {cap})", (i, scale), xytext=(0, 5), textcoords="offset points", **ABOVE)
    ax.set_xticks(range(len(chosen)), list(chosen), fontsize=FONT)
    ax.set_ylim(0, 1.25 * max(scales))
    newcomer = [optimal(Guarantee(1 / scale), k=design).epsilon(delta) for scale in scales]
    names = [name.replace("\n", " ") for name in chosen]
    rows = list(zip(names, chosen.values(), scales, newcomer, strict=True))
    listed = "; ".join(f"{name}, {cap}: scale {show(scale)}" for name, cap, scale, _ in rows)
    alt = f"The scale of the noise for four caps, for a total of ({show(epsilon)}, {show(delta)}). {listed}."
    return Picture(figure, alt, Table(rows, ["cap", "counts", "scale", f"ε for somebody in {design} counts"]))
