"""Explorer: many studies, one person who joins some of them, and what becomes known about that."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

from ...channel import as_law, summed
from ...curve import VACUOUS, WorstCase
from ...figures.style import COLOURS, FONT, line_style
from ...leakage import ABSENT, LeakyMechanism, asks_data, asks_presence, asks_state, big_world
from ...leakage.examples import coin
from ...leakage.tables import bits, product_law, uniform_or_law
from ..base.axes import two_panels
from ..base.bars import label
from ..base.controls import choice, int_slider, pick, slider
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import LIE_TEXT, brief, six_digits, tell

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
LINES = {"2t ε": line_style(1), "k ε": line_style(3), "min(2t, k) ε": line_style(0)}
RULES_WITH_CHANCE = (HALVES, COINS)


class BigWorld(Explorer):
    """What do k studies tell about a person who joins at most t of them?"""

    controls: ClassVar = dict(
        k=int_slider(1, MOST, 3, "studies k"),
        t=int_slider(0, MOST, 1, "she joins at most t"),
        study=choice((STATE, PRESENCE, DATA, HEADS, REMOVAL), label="a study reports"),
        ratio=pick((1.5, 2, 2.5, 3, 4, 5), 3, "factor of one study"),
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

    def blank(self) -> Sheet:
        margins = dict(left=0.075, right=0.98, bottom=0.135, top=0.76, wspace=0.27)
        sheet, left, right = two_panels(self.size, (1.25, 1), **margins)
        left.set_xlabel("she joins at most t", fontsize=FONT)
        left.set_ylabel("total ε", fontsize=FONT)
        right.set_xlabel("Pr[studies joined | leak]", fontsize=FONT)
        right.grid(axis="y", visible=False)
        right.yaxis.notch = 0
        right.yaxis.mono = True
        return sheet

    def numbers(self, k, t, study, ratio, rule, q, leak):
        situation = Situation(k, study, Fraction(str(ratio)), rule, Fraction(str(q)), leak)
        by_t = [losses(situation, joined) for joined in range(k + 1)]
        here = by_t[min(t, k)]
        return dict(by_t=by_t) | vars(here)

    def idle(self, settings):
        idle = {}
        if settings["rule"] not in RULES_WITH_CHANCE:
            idle["q"] = "no chance in this way of joining"
        if settings["study"] == HEADS:
            idle["ratio"] = "heads are counted without noise"
        if settings["rule"] == REACTS and settings["k"] == 1:
            idle["t"] = "no study comes after the first"
        return idle

    def draw(self, axes, n):
        left, right = axes
        self._draw_losses(left, n)
        self._draw_frame(left, n)
        self._draw_vectors(right, n)

    def _draw_losses(self, ax, n):
        ts = range(n.k + 1)
        eps = math.log(n.claimed)
        for name, style in LINES.items():
            charged = [eps * charges(n.k, t)[name] for t in ts]
            ax.plot(ts, charged, label=name, **style)
        eta = [_height(found.eta) for found in n.by_t]
        exact = [_height(found.exact) for found in n.by_t]
        ax.plot(ts, eta, "D", ms=11, color=COLOURS[2], mfc="none", mew=2, label="t ε + η")
        ax.plot(ts, exact, "o", ms=7, color="black", label="exact")

    def _draw_frame(self, ax, n):
        """Draw what stands around the curves, and what is special at a t over it."""
        top = 2.1 * n.k * (math.log(n.claimed) or 1)
        for t, found in enumerate(n.by_t):
            words = _special(found)
            ax.text(t, 1.03 * top, words, ha="center", color=LIE_TEXT, fontweight="bold", fontsize=FONT - 1)
        ax.axvline(n.t, color="0.6", linewidth=1, zorder=1)
        ax.set_xticks(range(n.k + 1))
        ax.set(xlim=(-0.25, n.k + 0.25), ylim=(-0.02 * top, top))
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.07), ncols=3, frameon=False)

    def _draw_vectors(self, ax, n):
        rows = sorted({*n.joining[0], *n.joining[1]}, reverse=True)
        label(ax.yaxis, ["".join(map(str, v)) for v in rows])
        ax.set(xlim=(0, 1.02), ylim=(max(len(rows), 2) - 0.5, -0.5))
        if not rows:
            ax.text(0.5, 0.5, "0 and 1 never leak\nthe same value:\nvacuous", ha="center", va="center", fontsize=FONT)
            return
        look = dict(height=0.36, edgecolor="white")
        zero, one = n.joining[0], n.joining[1]
        self._draw_law(ax, rows, zero, one, -0.2, label="her data is 0", color=COLOURS[0], hatch="", **look)
        self._draw_law(ax, rows, one, zero, +0.2, label="her data is 1", color=COLOURS[6], hatch="//", **look)
        ax.legend(fontsize=FONT - 2, loc="lower left", bbox_to_anchor=(-0.03, 1.0), frameon=False)

    def _draw_law(self, ax, rows, law, other, shift, **look):
        """Draw a bar for every vector that has a chance: beside its name, or beside the other law's bar."""
        at = [i + shift * (v in other) for i, v in enumerate(rows) if v in law]
        chances = [float(law[v]) for v in rows if v in law]
        ax.barh(at, chances, **look)

    def caption(self, n):
        q = f", q = {six_digits(n.q)}" if n.rule in RULES_WITH_CHANCE else ""
        said = (
            f"{_headline(n)}\n"
            f"Studies: {n.k}, each with a factor of {tell(n.claimed)} (e to the power ε); one reports {n.study}.\n"
            f"She joins at most {n.t}: {n.rule}{q}. What leaks: {n.leak}.\n{_exactly(n)}{_wrongly(n)}"
        )
        return said.replace("✗ ", "")


# ------------------------------------------------------------------------------------------------------- what is said


def _headline(n) -> str:
    """Say by which factor the odds about her can change, and what Theorem 17 makes of it."""
    if n.exact is VACUOUS:
        return "The promise is vacuous: her data 0 and 1 never leak the same value, so nothing is compared."
    most = f"With her in at most {n.t} of {n.k}, the studies can change the odds about her data"
    told = "without any limit" if n.exact == math.inf else f"by a factor of {brief(n.exact)}"
    if n.truth:
        return f"{most} {told}: Theorem 17 does not hold here."
    return f"{most} {told}; Theorem 17 allows {brief(n.level)}."


def _exactly(n) -> str:
    if n.exact is VACUOUS:
        return "Her data 0 and 1 never leak the same value with t studies joined: vacuous."
    bounds = ", ".join(f"{name}: {tell(n.claimed**times)}" for name, times in charges(n.k, n.t).items())
    at = f" at δ = {tell(n.slack)}" if n.slack else ""
    return f"The exact factor is {tell(n.exact)}{at}; bounds: {bounds}, t ε + η: {tell(n.eta)}."


def _wrongly(n) -> str:
    if not n.truth:
        return ""
    return (
        f"\nThe conditions of Theorem 17 fail: at the factor {tell(n.level)} it would promise δ = {tell(n.slack)}, "
        f"the truth is {tell(n.truth)}."
    )


def _height(ratio) -> float:
    """Return an epsilon to draw; NaN, which is not drawn, if it is infinite or about nothing."""
    return math.nan if ratio is VACUOUS or ratio == math.inf else math.log(ratio)


def _special(found: Losses) -> str:
    """Return what is written over a t at which there is nothing to draw, or at which the theorem fails."""
    if found.exact is VACUOUS:
        return "vacuous"
    if not found.truth:
        return ""
    return "∞ ✗" if found.exact == math.inf else "✗"


# ---------------------------------------------------------------------------------------------------- what is lost


@dataclass(frozen=True)
class Situation:
    """All that is set, except how many studies she joins."""

    k: int
    study: str
    ratio: Fraction
    rule: str
    q: Fraction
    leak: str


@dataclass(frozen=True)
class Losses:
    """What k studies tell where a leak says that she joined t of them; e^eps = `claimed` is claimed for each.

    `truth` is the delta at e^eps = `level` where it is larger than the `slack` that Theorem 17 would promise.
    """

    t: int
    claimed: Fraction
    level: Fraction
    slack: Fraction
    exact: Fraction | float
    eta: Fraction | float
    truth: Fraction | None
    joining: dict[int, dict]


@lru_cache(maxsize=512)
def losses(situation: Situation, t: int) -> Losses:
    """Return the exact e^loss where t leaked, the bounds, and the participation laws given the leak."""
    if situation.rule == REACTS:
        t = min(t, situation.k - 1)  # of the studies after the first one
    claimed = report(situation.study, situation.ratio)
    world, joins = two_worlds(situation, claimed.study, t)
    says_t = [o for o in world.shared_leaks(0, 1) if is_about(o, t, situation.leak)]
    answers = WorstCase({o: world.conditioned(0, 1, o) for o in says_t})
    slack = min(2 * t * claimed.delta, Fraction(1))
    level = claimed.ratio ** (2 * t)
    return Losses(
        t=t,
        claimed=claimed.ratio,
        level=level,
        slack=slack,
        exact=answers.ratio(slack),
        eta=by_participation(claimed.ratio, t, joins, says_t),
        truth=more_than_promised(answers, slack, level),
        joining={x: joins.law(x, says_t[0]) if says_t else {} for x in (0, 1)},
    )


def charges(k: int, t: int) -> dict[str, int]:
    """Return how many epsilons the bounds charge: Theorem 17, all studies, and the smaller of the two."""
    return dict(zip(LINES, (2 * t, k, min(2 * t, k)), strict=True))


def is_about(leaked, t: int, leak: str) -> bool:
    """Say whether a leaked value says that she joined t studies."""
    return leaked != FEWER if leak == VECTOR else leaked == t


def by_participation(ratio: Fraction, t: int, joins: LeakyMechanism, says_t: list):
    """Return the bound t eps + eta, where e^eta is the largest ratio of the participation laws."""
    if not says_t:
        return VACUOUS
    vectors = WorstCase({o: joins.conditioned(0, 1, o) for o in says_t})
    return ratio**t * vectors.ratio()


def more_than_promised(answers: WorstCase, slack: Fraction, level: Fraction) -> Fraction | None:
    """Return the delta at e^eps = `level` if it is larger than the slack; None if the promise holds."""
    if answers.vacuous or answers.ratio(slack) <= level:
        return None
    return answers.delta(ratio=level)


# ------------------------------------------------------------------------------------------------------- the worlds


class Claimed(NamedTuple):
    """What a study reports about a person's state, and the e^eps and delta that are claimed for it."""

    study: Callable
    ratio: Fraction
    delta: Fraction


def report(study: str, ratio: Fraction) -> Claimed:
    """Return what a study reports about a person's state, and what is claimed for it."""
    if study == HEADS:  # private as long as the number of heads is fixed
        return Claimed(lambda state: int(state != ABSENT), Fraction(1), Fraction(0))
    if study == REMOVAL:  # each present state is close to absence, but they are not so close to each other
        ones = {ABSENT: FAILURE, 0: (1 + ratio) * FAILURE, 1: Fraction(0)}
        return Claimed(lambda state: coin(ones[state]), ratio, FAILURE)
    asks = {STATE: asks_state, PRESENCE: asks_presence, DATA: asks_data}[study]
    return Claimed(asks(ratio), ratio, Fraction(0))


def two_worlds(situation: Situation, study: Callable, t: int) -> tuple[LeakyMechanism, LeakyMechanism]:
    """Return the mechanism that prints all answers, and the one that prints which studies she joins."""
    leak = leaked(situation.leak, situation.k, t)
    if situation.rule == REACTS:
        both = reacting(study, situation.k, t, leak)
        return both.then(lambda cell: cell[0]), both.then(lambda cell: cell[1])
    world = big_world([study] * situation.k, joining(situation, t), leak)
    return world, world.participation


def joining(situation: Situation, t: int) -> dict:
    """Return the law of the participation vector for each value of her data; at most t studies are joined."""
    k = situation.k
    q = situation.q
    first = (1,) * t + (0,) * (k - t)
    last = (0,) * (k - t) + (1,) * t
    if situation.rule == OPT_IN:
        return {0: (0,) * k, 1: first}
    if situation.rule == HALVES:
        return {0: summed([(first, 1 - q), (last, q)]), 1: summed([(first, q), (last, 1 - q)])}
    if situation.rule == RANDOM:
        chosen = uniform_or_law("vectors", [v for v in bits(k) if sum(v) == t])
        return {0: chosen, 1: chosen}
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


def reacting(study: Callable, k: int, t: int, leak: Callable) -> LeakyMechanism:
    """Return answers and participation of a person who joins studies 2 to t + 1 if the first answer suits her."""
    return LeakyMechanism.from_joint({x: summed(reacting_cells(x, study, k, t, leak)) for x in (0, 1)})


def reacting_cells(x: int, study: Callable, k: int, t: int, leak: Callable):
    """Yield what leaks, the answers and the participation of a person with data x, with their probabilities."""
    absent = as_law("study", study(ABSENT))
    present = as_law("study", study(x))
    suits = next(iter(absent))
    for answer, weight in absent.items():
        joins = int((answer == suits) != x)
        v = (0, *[joins] * t, *[0] * (k - 1 - t))
        rest = product_law(*(present if joined else absent for joined in v[1:]))
        for others, share in rest.items():
            yield (leak(x, v), ((answer, *others), v)), weight * share
