"""Explorer: many studies, one person who joins some of them, and what becomes known about that."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from ...channel import as_law, summed
from ...curve import VACUOUS, WorstCase
from ...figures.style import COLOURS, FONT, line_style, panels
from ...leakage import ABSENT, LeakyMechanism, asks_data, asks_presence, asks_state, big_world
from ...leakage.examples import coin
from ...leakage.tables import bits, product_law
from ..base.bars import label
from ..base.controls import choice, int_slider, pick, slider
from ..base.explorer import Explorer
from ..base.words import LIE_TEXT, tell

MOST = 4
HALVES = "first t or last t, by her data"
RANDOM = "any t, at random"
COINS = "odds q : 1 − q, by her data"
OPT_IN = "t if her data is 1, else none"
REACTS = "✗ as the first answer says"
COUNT = "how many she joined"
VECTOR = "which ones she joined"
BOUND = "only the bound t"
KNOWING = "a bound from her data"
STATE = "her state (the worst)"
PRESENCE = "only her presence"
DATA = "only her data"
HEADS = "✗ heads, exactly"
REMOVAL = "✗ private if added or removed"
FEWER = "fewer"
FAILURE = Fraction(1, 10)  # the delta of studies that are private only for adding and removing
LINES = {"2t ε": 1, "k ε": 3, "min(2t, k) ε": 0}  # and the look of each


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
        ratio = Fraction(str(ratio))
        q = Fraction(str(q))
        told = [losses(i, k, study, ratio, rule, q, leak) for i in range(k + 1)]
        here = told[min(t, k)]
        return dict(k=k, study=study, ratio=ratio, rule=rule, q=q, leak=leak, told=told, **here)

    def draw(self, axes, n):
        left, right = axes
        self._draw_losses(left, n)
        self._draw_vectors(right, n)

    def _draw_losses(self, ax, n):
        ts = np.arange(n.k + 1)
        eps = math.log(n.claimed)
        top = 2.1 * n.k * (eps or 1)
        for (name, look), times in zip(LINES.items(), (2 * ts, n.k + 0 * ts, np.minimum(2 * ts, n.k)), strict=True):
            ax.plot(ts, eps * times, label=name, **line_style(look))
        eta = [_height(told["eta"]) for told in n.told]
        exact = [_height(told["exact"]) for told in n.told]
        ax.plot(ts, eta, "D", ms=11, color=COLOURS[2], mfc="none", mew=2, label="t ε + η")
        ax.plot(ts, exact, "o", ms=7, color="black", label="exact")
        for i, told in enumerate(n.told):
            ax.text(i, 1.03 * top, _special(told), ha="center", color=LIE_TEXT, fontweight="bold", fontsize=FONT - 1)
        ax.axvline(n.t, color="0.6", linewidth=1, zorder=1)
        ax.set_xticks(ts)
        ax.set(xlim=(-0.25, n.k + 0.25), ylim=(-0.02 * top, top))
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.07), ncols=3, frameon=False)

    def _draw_vectors(self, ax, n):
        rows = sorted({v for law in n.joining.values() for v in law}, reverse=True)
        for x, law in n.joining.items():
            at = [i + (0.2 if x else -0.2) for i, v in enumerate(rows) if v in law]
            chances = [float(law[v]) for v in rows if v in law]
            look = dict(color=COLOURS[6 if x else 0], hatch="//" if x else "", edgecolor="white")
            ax.barh(at, chances, height=0.36, label=f"her data is {x}", **look)
        label(ax.yaxis, ["".join(map(str, v)) for v in rows])
        ax.set(xlim=(0, 1.02), ylim=(max(len(rows), 2) - 0.5, -0.5))
        if rows:
            ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), frameon=False)
        else:
            ax.text(0.5, 0.5, "0 and 1 never leak\nthe same value:\nvacuous", ha="center", va="center", fontsize=FONT)

    def caption(self, n):
        q = f", q = {float(n.q):g}" if n.rule in (HALVES, COINS) else ""
        said = (
            f"Studies: {n.k}, each with e^ε = {tell(n.claimed)}; one reports {n.study}. "
            f"She joins at most {n.t}: {n.rule}{q}. What leaks: {n.leak}. {_exactly(n)}{_wrongly(n)}"
        )
        return said.replace("✗ ", "")


def _exactly(n) -> str:
    if n.exact is VACUOUS:
        return "Her data 0 and 1 never leak the same value with t studies joined: vacuous."
    bounds = ", ".join(f"{name}: {tell(n.claimed**m)}" for name, m in zip(LINES, (2 * n.t, n.k, n.m), strict=True))
    at = f" at δ = {tell(n.slack)}" if n.slack else ""
    return f"Exactly e^loss = {tell(n.exact)}{at}; bounds: {bounds}, t ε + η: {tell(n.eta)}."


def _wrongly(n) -> str:
    if not n.truth:
        return ""
    return (
        f" The conditions of Theorem 17 fail: at e^(2tε) = {tell(n.level)} it would promise δ = {tell(n.slack)}, "
        f"the truth is {tell(n.truth)}."
    )


def _height(ratio) -> float:
    return math.nan if ratio is VACUOUS or ratio == math.inf else math.log(ratio)


def _special(told: dict) -> str:
    if told["exact"] is VACUOUS:
        return "vacuous"
    infinite = "∞ " if told["exact"] == math.inf else ""
    return f"{infinite}✗" if told["truth"] else ""


class Claimed(NamedTuple):
    """What a study reports about a person's state, and the e^eps and delta that are claimed for it."""

    study: Callable
    ratio: Fraction
    delta: Fraction


@lru_cache(maxsize=512)
def losses(t: int, k: int, study: str, ratio: Fraction, rule: str, q: Fraction, leak: str) -> dict:
    """Return the exact e^loss where t leaked, the bounds, and the participation laws given the leak."""
    t = min(t, k - 1) if rule == REACTS else t
    claimed = report(study, ratio)
    world, joins = two_worlds(claimed.study, k, t, rule, q, leak)
    says_t = [o for o in world.shared_leaks(0, 1) if (o != FEWER if leak == VECTOR else o == t)]
    answers = WorstCase({o: world.conditioned(0, 1, o) for o in says_t})
    vectors = WorstCase({o: joins.conditioned(0, 1, o) for o in says_t})
    slack = min(2 * t * claimed.delta, Fraction(1))
    level = claimed.ratio ** (2 * t)
    exact = answers.ratio(slack)
    too_much = exact is not VACUOUS and exact > level  # Theorem 17 would promise less
    return dict(
        t=t, claimed=claimed.ratio, m=min(2 * t, k), level=level, slack=slack, exact=exact,
        eta=claimed.ratio**t * vectors.ratio() if says_t else VACUOUS,
        truth=answers.delta(ratio=level) if too_much else None,
        joining={x: joins.law(x, says_t[0]) if says_t else {} for x in (0, 1)},
    )  # fmt: skip


def two_worlds(study: Callable, k: int, t: int, rule: str, q: Fraction, leak: str) -> list[LeakyMechanism]:
    """Return the mechanism that prints all answers, and the one that prints which studies she joins."""
    if rule == REACTS:
        both = reacting(study, k, t, leak)
        return [both.then(lambda cell: cell[0]), both.then(lambda cell: cell[1])]
    world = big_world([study] * k, joining(rule, k, t, q), leaked(leak, k, t))
    return [world, world.participation]


def report(study: str, ratio: Fraction) -> Claimed:
    """Return what a study reports about a person's state, and what is claimed for it."""
    if study == HEADS:  # private as long as the number of heads is fixed
        return Claimed(lambda state: int(state != ABSENT), Fraction(1), Fraction(0))
    if study == REMOVAL:  # each present state is close to absence, but they are not so close to each other
        ones = {ABSENT: FAILURE, 0: (1 + ratio) * FAILURE, 1: Fraction(0)}
        return Claimed(lambda state: coin(ones[state]), ratio, FAILURE)
    asks = {STATE: asks_state, PRESENCE: asks_presence, DATA: asks_data}[study]
    return Claimed(asks(ratio), ratio, Fraction(0))


def joining(rule: str, k: int, t: int, q: Fraction) -> dict:
    """Return the law of the participation vector for each value of her data; at most t studies are joined."""
    first = (1,) * t + (0,) * (k - t)
    last = (0,) * (k - t) + (1,) * t
    if rule == OPT_IN:
        return {0: (0,) * k, 1: first}
    if rule == HALVES:
        return {0: summed([(first, 1 - q), (last, q)]), 1: summed([(first, q), (last, 1 - q)])}
    if rule == RANDOM:
        some = [v for v in bits(k) if sum(v) == t]
        return dict.fromkeys((0, 1), dict.fromkeys(some, Fraction(1, len(some))))
    few = [v for v in bits(k) if sum(v) <= t]
    return {0: by_odds(few, t, q, 1 - q), 1: by_odds(few, t, 1 - q, q)}


def by_odds(vectors: list[tuple], t: int, joins: Fraction, stays: Fraction) -> dict:
    """Return the law in which a study joined counts `joins` and each of t that was not joined counts `stays`."""
    weights = {v: joins ** sum(v) * stays ** (t - sum(v)) for v in vectors}
    total = sum(weights.values())
    return {v: Fraction(weight) / total for v, weight in weights.items()}


def leaked(leak: str, k: int, t: int) -> Callable:
    """Return the function of her data and her participation vector that leaks."""
    return {
        COUNT: lambda x, v: sum(v),
        VECTOR: lambda x, v: v if sum(v) == t else FEWER,  # which fewer ones does not matter below
        BOUND: lambda x, v: t,
        KNOWING: lambda x, v: t if v[0] != x else k,
    }[leak]


def reacting(study: Callable, k: int, t: int, leak: str) -> LeakyMechanism:
    """Return answers and participation of a person who joins studies 2 to t + 1 if the first answer suits her."""
    table = {x: summed(reacting_cells(x, study, k, t, leaked(leak, k, t))) for x in (0, 1)}
    return LeakyMechanism.from_joint(table)


def reacting_cells(x: int, study: Callable, k: int, t: int, leak: Callable):
    """Yield what leaks, the answers and the participation of a person with data x, with their probabilities."""
    absent = as_law("study", study(ABSENT))
    suits = next(iter(absent))
    for answer, weight in absent.items():
        joins = int((answer == suits) != x)
        v = (0, *[joins] * t, *[0] * (k - 1 - t))
        rest = product_law(*(as_law("study", study(x if joined else ABSENT)) for joined in v[1:]))
        for others, share in rest.items():
            yield (leak(x, v), ((answer, *others), v)), weight * share
