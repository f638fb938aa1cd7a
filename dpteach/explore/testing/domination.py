"""Explorer: when can one mechanism imitate another one?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from ...figures.style import BLUE, FONT, balanced_error, line_style, lower_boundary
from ...mechanisms import exponential_mechanism, geometric, randomized_response, staircase
from ...pair import Pair
from ..base.bars import label
from ..base.controls import choice, log_slider, pick
from ..base.explorer import Explorer
from ..base.sheet import Sheet
from ..base.words import brief, six_digits

RESPONSE = "randomized response"
TWO_ANSWERS = "two such answers at ε/2"
GEOMETRIC = "geometric noise, sensitivity 2"
STAIRCASE = "staircase noise"
EXPONENTIAL = "exponential mechanism"
KINDS = (RESPONSE, TWO_ANSWERS, GEOMETRIC, STAIRCASE, EXPONENTIAL)
PURE = (GEOMETRIC, STAIRCASE, EXPONENTIAL)  # noise that never gives the secret away has no delta
DELTAS = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)


class Domination(Explorer):
    """When can one mechanism imitate another, and how is it done?"""

    controls: ClassVar = dict(
        first=choice(KINDS, label="imitating: A"),
        second=choice(KINDS, STAIRCASE, label="imitated: B"),
        eps_a=log_slider(0.1, 4, 1, "ε of A"),
        eps_b=log_slider(0.1, 4, 1, "ε of B"),
        delta_a=pick(DELTAS, 0, "δ of A"),
        delta_b=pick(DELTAS, 0, "δ of B"),
    )
    presets: ClassVar = {
        "the worst pair imitates all": dict(),
        "but not the other way round": dict(first=STAIRCASE, second=RESPONSE),
        "neither imitates the other": dict(second=RESPONSE, eps_a=1, delta_a=0, eps_b=0.3, delta_b=0.1),
        "two small answers": dict(second=TWO_ANSWERS),
        "open failure": dict(second=TWO_ANSWERS, delta_a=0.19, delta_b=0.1),
    }

    size = (8.6, 4.4)

    def blank(self) -> Sheet:
        sheet = Sheet(self.size)
        left = sheet.add(0.075, 0.13, 0.42, 0.82)
        left.set(xlabel="missed detection", ylabel="false alarm")
        right = sheet.add(0.6, 0.13, 0.38, 0.72)
        right.bare()
        right.set_xlabel("outcome of B, by its privacy loss", fontsize=FONT - 1)
        right.set_ylabel("outcome of A", fontsize=FONT - 1)
        return sheet

    def numbers(self, first, second, eps_a, eps_b, delta_a, delta_b):
        a = Mechanism("A", first, eps_a, 0.0 if first in PURE else delta_a)
        b = Mechanism("B", second, eps_b, 0.0 if second in PURE else delta_b)
        return dict(
            a=a,
            b=b,
            matrix=simulation(a, b),
            back=simulation(b, a) is not None,
            witness=witness(a.pair, b.pair),
        )

    def idle(self, settings):
        kinds = {"delta_a": settings["first"], "delta_b": settings["second"]}
        return {name: "this noise never fails" for name, kind in kinds.items() if kind in PURE}

    def draw(self, axes, n):
        left, right = axes
        for i, mechanism in enumerate((n.a, n.b)):
            left.plot(*mechanism.boundary.T, label=mechanism.name, **line_style(i), marker="o", ms=5)
        left.plot([0, 1], [1, 0], color="0.55", linewidth=1.2)
        if n.matrix is None:
            left.plot(n.witness.missed, n.witness.alarm, "o", ms=16, mfc="none", mew=2.2, color="black")
        left.set(xlim=(-0.01, 1), ylim=(-0.01, 1), aspect="equal")
        left.legend(fontsize=FONT, loc="upper right")
        self._draw_frame(right, n)
        self._draw_matrix(right, n)

    def _draw_frame(self, ax, n):
        rows = [signed(loss) for loss in n.a.pair.losses]
        columns = [signed(loss) for loss in n.b.pair.losses]
        label(ax.xaxis, columns)
        label(ax.yaxis, rows)
        ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))

    def _draw_matrix(self, ax, n):
        if n.matrix is None:
            ax.set_title("", loc="left")
            ax.text(0.5, 0.5, "no matrix turns A into B", fontsize=FONT, ha="center", transform=ax.transAxes)
            return
        ax.set_title("chance to replace an outcome of A", fontsize=FONT, loc="left")
        for (row, column), chance in np.ndenumerate(n.matrix):
            ax.bar(column, 1, width=1, bottom=row - 0.5, color=tinted(chance))
            words = f"{chance:.3g}" if chance > 5e-4 else "0"
            ax.text(column, row, words, ha="center", va="center", fontsize=FONT - 1)

    def caption(self, n):
        told = f"A is {n.a}.\nB is {n.b}.\nEqually small, {_equal_errors(n, six_digits)}."
        if n.matrix is None:
            who = "A cannot imitate B, but B can imitate A" if n.back else "Neither can imitate the other"
            return f"{who}: {_witness(n, brief)} (circle).\n{told}\nThe circle: {_witness(n, six_digits)}."
        who = "A and B can imitate each other" if n.back else "A can imitate B, but B cannot imitate A"
        how = "To imitate B, replace each outcome of A at random, as the matrix says."
        return f"{who}: {_equal_errors(n, brief)}.\n{told}\n{how}"


def _equal_errors(n, number: Callable[[float], str]) -> str:
    return f"both errors can be as small as {number(n.a.equal_errors)} against A, {number(n.b.equal_errors)} against B"


def _witness(n, number: Callable[[float], str]) -> str:
    """Say at which test of B the testers of A do worse."""
    alarm, missed, needed = map(number, n.witness)
    return f"with false alarms of {alarm} a tester of B misses {missed}, one of A at least {needed}"


@dataclass(frozen=True)
class Mechanism:
    """A mechanism under its name in the picture, A or B."""

    name: str
    kind: str
    eps: float
    delta: float

    def __str__(self) -> str:
        return f"{self.kind} (ε = {six_digits(self.eps)}, δ = {six_digits(self.delta)})"

    @cached_property
    def pair(self) -> Pair:
        """The two laws of its outcomes."""
        return make(self.kind, self.eps, self.delta)

    @cached_property
    def boundary(self) -> np.ndarray:
        """The errors (missed, alarm) that a tester would choose from."""
        return lower_boundary(self.pair)

    @property
    def equal_errors(self) -> float:
        """The error of the test whose two errors are equal."""
        return balanced_error(self.boundary)


def make(kind: str, eps: float, delta: float) -> Pair:
    """Return the pair of a mechanism."""
    if kind == RESPONSE:
        return randomized_response(eps, delta)
    if kind == TWO_ANSWERS:
        return randomized_response(eps / 2, delta) ** 2
    if kind == GEOMETRIC:
        return geometric(eps, sensitivity=2).pair
    if kind == STAIRCASE:
        return staircase(eps).pair
    return exponential_mechanism([1, 0, 0], [0, 0, 1], eps)


@lru_cache(maxsize=512)
def simulation(source: Mechanism, target: Mechanism) -> np.ndarray | None:
    """Return the matrix that turns the outcomes of one mechanism into those of another, if there is one."""
    return source.pair.simulates(target.pair)


class Witness(NamedTuple):
    """A test of B, and what a tester of A with the same false alarms must miss."""

    alarm: float
    missed: float
    needed: float


def witness(a: Pair, b: Pair) -> Witness:
    """Return the best test of B that is farthest below those of A."""
    missed, alarm = lower_boundary(b).T
    needed = a.tradeoff(alarm)
    worst = int(np.argmax(needed - missed))
    return Witness(float(alarm[worst]), float(missed[worst]), float(needed[worst]))


def tinted(chance: float) -> str:
    """Return a colour, the stronger the larger the chance; words on it are legible."""
    return f"{BLUE}{round(140 * chance):02x}"


def signed(loss: float) -> str:
    """Return a loss with its sign."""
    if np.isinf(loss):
        return "+∞" if loss > 0 else "−∞"
    return "0" if abs(loss) <= 1e-9 else f"{loss:+.3g}".replace("-", "−")
