"""Explorer: many studies, one person who joins some of them, and what becomes known about that."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ..figures import COLOURS, FONT, line_style, panels
from ..leakage import ABSENT, LeakyMechanism, asks_data, asks_presence, asks_state, big_world
from ..leakage.examples import coin
from ..leakage.tables import bits, product_law, summed, sure_or_law
from ..worst_case import Vacuous, WorstCase
from .controls import choice, int_slider, pick, slider
from .explorer import Explorer
from .leak_dial import label, tell
from .two_hypotheses import LIE_TEXT

MOST = 4
HALVES, RANDOM, COINS = "first t or last t, by her data", "any t, at random", "odds q : 1 − q, by her data"
OPT_IN, REACTS = "t if her data is 1, else none", "✗ as the first answer says"
COUNT, VECTOR, BOUND, KNOWING = (
    "how many she joined",
    "which ones she joined",
    "only the bound t",
    "a bound from her data",
)
STATE, PRESENCE, DATA = "her state (the worst)", "only her presence", "only her data"
HEADS, REMOVAL = "✗ heads, exactly", "✗ private if added or removed"
FEWER = "fewer"
FAILURE = Fraction(1, 10)  # the delta of studies that are private only for adding and removing
LINES = {"2t ε": 1, "k ε": 3, "min(2t, k) ε": 0}


class BigWorld(Explorer):
    """What do k studies tell about a person who joins at most t of them?"""

    controls: ClassVar = dict(
        k=int_slider(1, MOST, 3, "studies k"),
        t=int_slider(0, MOST, 1, "she joins at most t"),
        study=choice((STATE, PRESENCE, DATA, HEADS, REMOVAL), label="a study reports"),
        ratio=pick((1.5, 2, 2.5, 3, 4, 5), 3, "e^ε of one study"),
        rule=choice((HALVES, RANDOM, COINS, OPT_IN, REACTS), label="which she joins"),
        q=slider(0, 0.5, 0, 0.05, "chance q"),
        leak=choice((COUNT, VECTOR, BOUND, KNOWING), label="what leaks"),
    )
    presets: ClassVar = {
        "tight: first or last": dict(),
        "tight: k = 2, presence only": dict(k=2, study=PRESENCE),
        "she mostly swaps": dict(k=2, q=0.1),
        "leaking more costs less": dict(k=2, q=0.1, leak=VECTOR),
        "it is t: joining ignores her data": dict(rule=RANDOM),
        "it is t: the same odds everywhere": dict(study=DATA, rule=COINS, q=0.1, t=2),
        "not t: the bound knows her data": dict(k=2, rule=RANDOM, leak=KNOWING),
        "opting in, only the bound leaks": dict(rule=OPT_IN, t=3, leak=BOUND),
        "opting in, the count leaks": dict(rule=OPT_IN, t=3),
        "fails: counting heads": dict(k=2, study=HEADS),
        "fails: adding and removing": dict(k=1, study=REMOVAL, ratio=2),
        "fails: reacting to answers": dict(k=2, rule=REACTS),
    }
    size = (9.0, 4.6)

    def blank(self) -> Figure:
        figure, (left, right) = panels(1, 2, self.size, width_ratios=(1.25, 1))
        figure.set_layout_engine(None)
        figure.subplots_adjust(left=0.075, right=0.98, bottom=0.135, top=0.76, wspace=0.27)
        left.set_xlabel("she joins at most t", fontsize=FONT)
        left.set_ylabel("total ε", fontsize=FONT)
        right.set_xlabel("Pr[studies joined | leak]", fontsize=FONT)
        right.grid(axis="y", visible=False)
        right.tick_params(axis="y", length=0, labelfontfamily="monospace")
        return figure

    def numbers(self, k, t, study, ratio, rule, q, leak):
        settings = k, study, Fraction(str(ratio)), rule, Fraction(str(q)), leak
        told = [losses(i, *settings) for i in range(k + 1)]
        return dict(
            k=k, study=study, ratio=settings[2], rule=rule, q=settings[4], leak=leak, told=told, **told[min(t, k)]
        )

    def draw(self, axes, n):
        left, right = axes
        ts, eps = np.arange(n.k + 1), math.log(n.claimed)
        for (name, i), times in zip(LINES.items(), (2 * ts, n.k + 0 * ts, np.minimum(2 * ts, n.k)), strict=True):
            left.plot(ts, eps * times, label=name, **line_style(i))
        top = 2.1 * n.k * (eps or 1)
        heights = {key: [_height(told[key]) for told in n.told] for key in ("eta", "exact")}
        left.plot(ts, heights["eta"], "D", ms=11, color=COLOURS[2], mfc="none", mew=2, label="t ε + η")
        left.plot(ts, heights["exact"], "o", ms=7, color="black", label="exact")
        for i, told in enumerate(n.told):
            if word := _special(told):
                left.text(i, 1.03 * top, word, ha="center", color=LIE_TEXT, fontweight="bold", fontsize=FONT - 1)
        left.axvline(n.t, color="0.6", linewidth=1, zorder=1)
        left.set_xticks(ts)
        left.set(xlim=(-0.25, n.k + 0.25), ylim=(-0.02 * top, top))
        left.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.07), ncols=3, frameon=False)
        self._draw_vectors(right, n)

    def _draw_vectors(self, ax, n):
        rows = sorted({v for law in n.joining.values() for v in law}, reverse=True)
        for x, law in n.joining.items():
            at = [i + (0.2 if x else -0.2) for i, v in enumerate(rows) if v in law]
            ax.barh(at, [float(law[v]) for v in rows if v in law], height=0.36, color=COLOURS[(0, 6)[x]],
                    hatch=("", "//")[x], edgecolor="white", label=f"her data is {x}")  # fmt: skip
        label(ax.yaxis, ["".join(map(str, v)) for v in rows])
        ax.set(xlim=(0, 1.02), ylim=(max(len(rows), 2) - 0.5, -0.5))
        if rows:
            ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), frameon=False)
        else:
            ax.text(0.5, 0.5, "0 and 1 never leak\nthe same value:\nvacuous", ha="center", va="center", fontsize=FONT)

    def caption(self, n):
        bounds = ", ".join(f"{name}: {tell(n.claimed**m)}" for name, m in zip(LINES, (2 * n.t, n.k, n.m), strict=True))
        at = f" at δ = {tell(n.slack)}" if n.slack else ""
        exact = f"Exactly e^loss = {tell(n.exact)}{at}; bounds: {bounds}, t ε + η: {tell(n.eta)}."
        if isinstance(n.exact, Vacuous):
            exact = "Her data 0 and 1 never leak the same value with t studies joined: vacuous."
        wrong = (
            f" The conditions of Theorem 17 fail: at e^(2tε) = {tell(n.level)} it would promise δ = {tell(n.slack)}, "
        )
        wrong = f"{wrong}the truth is {tell(n.truth)}." if n.truth else ""
        q = f", q = {float(n.q):g}" if n.rule in (HALVES, COINS) else ""
        said = (
            f"Studies: {n.k}, each with e^ε = {tell(n.claimed)}; one reports {n.study}. "
            f"She joins at most {n.t}: {n.rule}{q}. What leaks: {n.leak}. {exact}{wrong}"
        )
        return said.replace("✗ ", "")


def _height(ratio) -> float:
    return math.nan if isinstance(ratio, Vacuous) or ratio == math.inf else math.log(ratio)


def _special(told: dict) -> str:
    if isinstance(told["exact"], Vacuous):
        return "vacuous"
    return f"{'∞ ' * (told['exact'] == math.inf)}✗" if told["truth"] else ""


@lru_cache(maxsize=512)
def losses(t: int, k: int, study: str, ratio: Fraction, rule: str, q: Fraction, leak: str) -> dict:
    """Return the exact e^loss where t leaked, the bounds, and the participation laws given the leak."""
    t = min(t, k - 1) if rule == REACTS else t
    law, claimed, failure = report(study, ratio)
    joint = reacting(law, k, t, leak) if rule == REACTS else None
    world = big_world([law] * k, joining(rule, k, t, q), leaked(leak, k, t)) if joint is None else joint.then(_first)
    joins = world.participation if joint is None else joint.then(lambda both: both[1])
    says_t = [o for o in world.shared_leaks(0, 1) if (o != FEWER if leak == VECTOR else o == t)]
    compared, vectors = (WorstCase({(0, 1, o): w.conditioned(0, 1, o) for o in says_t}) for w in (world, joins))
    slack, level = min(2 * t * failure, Fraction(1)), claimed ** (2 * t)
    exact = compared.ratio(slack)
    return dict(
        t=t, claimed=claimed, m=min(2 * t, k), level=level, slack=slack, exact=exact,
        eta=claimed**t * vectors.ratio() if says_t else Vacuous(1),
        truth=compared.delta(ratio=level) if exact > level else None,  # where Theorem 17 would promise too much
        joining={x: joins.law(x, says_t[0]) if says_t else {} for x in (0, 1)},
    )  # fmt: skip


def _first(both: tuple):
    return both[0]


def report(study: str, a: Fraction) -> tuple:
    """Return what a study reports about a person's state, and the e^eps and delta that are claimed for it."""
    if study == HEADS:  # private as long as the number of heads is fixed
        return (lambda state: int(state != ABSENT)), Fraction(1), Fraction(0)
    if study == REMOVAL:  # each present state is close to absence, but they are not so close to each other
        ones = {ABSENT: FAILURE, 0: (1 + a) * FAILURE, 1: Fraction(0)}
        return (lambda state: coin(ones[state])), a, FAILURE
    return {STATE: asks_state, PRESENCE: asks_presence, DATA: asks_data}[study](a), a, Fraction(0)


def joining(rule: str, k: int, t: int, q: Fraction) -> dict:
    """Return the law of the participation vector for each value of her data; at most t studies are joined."""
    first, last, none = (1,) * t + (0,) * (k - t), (0,) * (k - t) + (1,) * t, (0,) * k
    if rule == OPT_IN:
        return {0: none, 1: first}
    if rule == HALVES:
        return {x: summed([(first, abs(1 - x - q)), (last, abs(x - q))]) for x in (0, 1)}
    few = [v for v in bits(k) if (sum(v) == t if rule == RANDOM else sum(v) <= t)]
    odds = {x: {v: abs(x - q) ** sum(v) * abs(1 - x - q) ** (t - sum(v)) for v in few} for x in (0, 1)}
    weights = {x: dict.fromkeys(few, 1) if rule == RANDOM else odds[x] for x in odds}
    return {x: {v: Fraction(w, 1) / sum(law.values()) for v, w in law.items()} for x, law in weights.items()}


def leaked(leak: str, k: int, t: int):
    """Return the function of her data and her participation vector that leaks."""
    return {
        COUNT: lambda x, v: sum(v),
        VECTOR: lambda x, v: v if sum(v) == t else FEWER,  # which fewer ones does not matter below
        BOUND: lambda x, v: t,
        KNOWING: lambda x, v: t if v[0] != x else k,
    }[leak]


def reacting(law, k: int, t: int, leak: str) -> LeakyMechanism:
    """Return answers and participation of a person who joins studies 2 to t + 1 if the first answer suits her."""
    absent, tell_leak = sure_or_law("study", law(ABSENT)), leaked(leak, k, t)
    table = {}
    for x in (0, 1):
        cells = []
        for answer, weight in absent.items():
            v = (0, *[int((answer == next(iter(absent))) != x)] * t, *[0] * (k - 1 - t))
            rest = product_law(*(sure_or_law("study", law(x if joins else ABSENT)) for joins in v[1:]))
            cells += [((tell_leak(x, v), ((answer, *others), v)), weight * w) for others, w in rest.items()]
        table[x] = summed(cells)
    return LeakyMechanism.from_joint(table)
