"""Explorer: a game in which the reader is the tester, and the privacy region the house that always wins.

`Game` is the game itself, without any picture: deterministic, given its seed and the guesses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import anywidget
import ipywidgets
import numpy as np
import traitlets
from matplotlib.patches import Polygon, Rectangle

from ... import checks
from ...figures.style import COLOURS, FONT, lower_boundary
from ...mechanisms import randomized_response
from ..base.controls import int_slider, log_slider, short
from ..base.explorer import Explorer

CONFIDENCE = 0.95
ROUNDS = 200  # so many rounds does the best test play at a time
LAST_GAME = 9999
BOX = "the box, which holds your true errors with 95% confidence,"
PLACES = {
    "inside": "That is in the region. A lucky streak can carry you below its lower boundary while the rounds are few "
    f"(sampling error: see {BOX.rstrip(',')}), but not for long.",
    "below": "That is below the boundary, but by luck: the fewer the rounds, the larger the sampling error, and "
    f"{BOX} still reaches the region. It shrinks as you play on: you may come to hug the boundary, not stay below it.",
    "far below": f"That is below the boundary, and so is {BOX} a luck of less than 1 in 20. Play on: it will not last.",
    "above": "That is above the upper boundary: the opposite guesses would have been below the lower one, "
    "but only by luck, and only while the rounds are few.",
}


class Tally:
    """How often each secret met each guess, and the two error rates that follow."""

    def __init__(self):
        self.counts = np.zeros((2, 2), dtype=int)  # row: secret, column: guess
        self.trail: list[tuple[float, float]] = []

    def add(self, secret: int, bit: int) -> None:
        """Count one round."""
        self.counts[secret, bit] += 1
        if not math.isnan(sum(self.errors)):
            self.trail.append(self.errors)

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return int(self.counts.sum())

    @property
    def right(self) -> int:
        """Number of right guesses."""
        return int(self.counts.trace())

    @property
    def misses(self) -> tuple[int, int]:
        """How often D0 was said on D1, and how often it was D1."""
        return int(self.counts[1, 0]), int(self.counts[1].sum())

    @property
    def alarms(self) -> tuple[int, int]:
        """How often D1 was said on D0, and how often it was D0."""
        return int(self.counts[0, 1]), int(self.counts[0].sum())

    @property
    def errors(self) -> tuple[float, float]:
        """Rates of missed detections and of false alarms; NaN where there was no round to err in."""
        return _rate(*self.misses), _rate(*self.alarms)

    def box(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return intervals for the two true errors, which both hold with the confidence of 95%."""
        return interval(*self.misses), interval(*self.alarms)


def _rate(errors: int, rounds: int) -> float:
    return errors / rounds if rounds else math.nan


def interval(errors: int, rounds: int, doubt: float = (1 - CONFIDENCE) / 2) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson; half of the doubt is for this error, half for the other one."""
    from scipy.special import betaincinv

    low = betaincinv(errors, rounds - errors + 1, doubt / 2) if errors else 0.0
    high = betaincinv(errors + 1, rounds - errors, 1 - doubt / 2) if errors < rounds else 1.0
    return float(low), float(high)


class Game:
    """Rounds of guessing: a secret bit, k answers of randomized response about it, a guess."""

    def __init__(self, eps: float = 1, k: int = 3, seed: int = 0):
        self.eps, self.k, self.seed = eps, checks.count("k", k, low=1), checks.count("seed", seed)
        self.coin = randomized_response(eps)
        self.runs = self.coin**self.k
        self.you, self.best = Tally(), Tally()
        self._yours, self._machines = np.random.default_rng(self.seed).spawn(2)
        self._secret, self.outputs = self._deal(self._yours)

    def _deal(self, rng: np.random.Generator) -> tuple[int, list[int]]:
        secret = int(rng.integers(2))
        return secret, self.coin.sample(rng, self.k, secret)

    @property
    def round(self) -> int:
        """The number of the round that is being played."""
        return self.you.rounds + 1

    @property
    def errors(self) -> tuple[float, float]:
        """Your rates of missed detections and of false alarms."""
        return self.you.errors

    def guess(self, bit: int) -> bool:
        """Guess D0 (0) or D1 (1), say whether that was right, and deal the next round."""
        secret, bit = self._secret, _bit("bit", bit)
        self.you.add(secret, bit)
        self._secret, self.outputs = self._deal(self._yours)
        return bit == secret

    def play(self, strategy: Callable[[Sequence[int]], int], rounds: int = ROUNDS) -> None:
        """Guess by a rule: a function from the list of k answers to 0 or 1."""
        for _ in range(checks.count("rounds", rounds)):
            self.guess(_bit("the strategy's guess", strategy(list(self.outputs))))

    def play_best(self, rounds: int = ROUNDS) -> None:
        """Let the best test play, on rounds and in a tally of its own."""
        for _ in range(checks.count("rounds", rounds)):
            secret, outputs = self._deal(self._machines)
            self.best.add(secret, best_guess(outputs))

    def best_errors(self) -> tuple[float, float]:
        """Return the exact errors of the best test: a corner of the region."""
        d1 = np.arange(self.k + 1) > self.k / 2  # merged outcomes are ordered by the number of ones
        return float(self.runs.q[~d1].sum()), float(self.runs.p[d1].sum())

    def is_below(self, missed: float, alarm: float) -> bool:
        """Say whether a pair of errors lies below the region's boundary, where no strategy's true errors are."""
        return missed < self.runs.tradeoff(alarm) - 1e-12


def best_guess(outputs: Sequence[int]) -> int:
    """Apply the test of Neyman and Pearson: D1 if it makes the outputs likelier, so if most of them are 1."""
    return int(2 * sum(outputs) > len(outputs))


def _bit(name: str, value) -> int:
    if not (checks.is_number(value) or isinstance(value, bool | np.bool_)) or value not in (0, 1):
        raise ValueError(f"{name} must be 0 (it was D0) or 1 (it was D1), not {value!r}")
    return int(value)


class Board(anywidget.AnyWidget):
    """The answers of a round, the buttons, and what came out of the last guess."""

    _esm = Path(__file__).with_name("tester_game.js")
    _css = Path(__file__).with_name("tester_game.css")
    round = traitlets.Int(1).tag(sync=True)
    outputs = traitlets.List().tag(sync=True)
    feedback = traitlets.Unicode().tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    many = traitlets.Int(ROUNDS).tag(sync=True)


class TesterGame(Explorer):
    """Beat the tester: can you tell D0 from D1 better than the region allows?

    In code, `game.guess(1)` guesses, `game.play(rule, rounds=1000)` plays by a rule of your own, a function from the
    list of answers to 0 or 1, and `game.play_best()` lets the best test play.
    """

    controls: ClassVar = dict(
        eps=log_slider(0.1, 3, 1, "ε of one answer"),
        k=int_slider(1, 20, 3, "answers k"),
        seed=int_slider(0, LAST_GAME, 0, "game number"),
    )
    presets: ClassVar = {
        "one careful answer": dict(eps=0.5, k=1),
        "three answers": dict(eps=1, k=3),
        "twenty answers give it away": dict(eps=1, k=20),
    }
    xlabel, ylabel = "missed detection", "false alarm"
    size = (6.2, 5.0)  # board and picture fit on one screen
    margins: ClassVar = dict(left=0.12, right=0.96, bottom=0.12, top=0.91)

    def __init__(self, preset: str | None = None, **settings):
        super().__init__(preset, **settings)
        self.start()

    def start(self) -> None:
        """Begin the game anew, with the same secrets."""
        self.game, self.verdict = Game(**self.settings), ""
        self.feedback = f"Game {self.settings['seed']}: which one was it?"

    def _current(self) -> Game:
        """Return the game, a new one if the settings have changed."""
        if self.settings != {name: getattr(self.game, name) for name in self.settings}:
            self.start()
        return self.game

    # -------------------------------------------------------------------------------------------- the picture

    def numbers(self, eps, k, seed):
        game = self._current()
        return dict(
            eps=eps, k=k, round=game.round, outputs=game.outputs, you=game.you, best=game.best,
            region=game.runs.region().astype(float), lower=lower_boundary(game.runs),
            best_errors=game.best_errors(), is_below=game.is_below,
        )  # fmt: skip

    def draw(self, ax, n):
        blue, orange, green = COLOURS[:3]
        ax.add_patch(Polygon(n.region, facecolor=blue + "22", edgecolor=blue, linewidth=1.2))
        ax.plot(*n.lower.T, color=blue, linewidth=2.4, label=f"region of {n.k} answers")
        ax.plot([0, 1], [1, 0], color="0.45", linewidth=1.2, linestyle=":")
        ax.text(0.8, 0.235, "blind guessing", color="0.3", fontsize=FONT - 2, ha="center", va="center", rotation=-45)
        self._player(ax, n.best, "best test", "D", green, "-.")
        self._player(ax, n.you, "you", "o", orange, "--")
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        look = dict(fontsize=FONT - 1, frameon=False, borderpad=0, columnspacing=1.2, handletextpad=0.5)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, **look)

    def _player(self, ax, tally: Tally, name: str, marker: str, colour: str, dashes):
        """Draw the error rates of a player, how they came there, and the box around the true errors."""
        if not tally.rounds:
            return
        (left, right), (low, high) = tally.box()
        box = Rectangle((left, low), right - left, high - low, facecolor=colour + "1a", edgecolor=colour)
        box.set(linewidth=2, linestyle=dashes)
        ax.add_patch(box)
        if tally.trail:
            ax.plot(*np.transpose(tally.trail), color=colour, linewidth=0.9, alpha=0.6)
            look = dict(ms=12, mec="white", mew=2, clip_on=False, zorder=5)
            ax.plot(*tally.errors, marker, color=colour, linestyle="none", label=name, **look)

    # -------------------------------------------------------------------------------------------- the words

    def caption(self, n):
        rules = (
            f"Each round a fair coin picks D0 or D1, and randomized response with ε = {short(n.eps)} answers "
            f"{_times(n.k)}: which was it? Round {n.round} shows {', '.join(map(str, n.outputs))}."
        )
        return " ".join([rules, self._about_you(n), self._about_best(n)])

    def _about_you(self, n):
        if not n.you.rounds:
            return "You have not guessed yet."
        score = f"You guessed {_times(n.you.rounds)}, {n.you.right} right: {_told(n.you)}."
        if math.isnan(sum(n.you.errors)):
            return f"{score} There is a point to draw once D0 and D1 have both come up."
        return f"{score} {PLACES[place(n.you, n.is_below)]}"

    def _about_best(self, n):
        missed, alarm = n.best_errors
        tie = "" if n.k % 2 else " (D0 on a tie)"
        rule = "the answer is 1" if n.k == 1 else f"most answers are 1{tie}"
        said = (
            f"The best test says D1 if {rule}; it is right in {100 - 50 * (missed + alarm):.1f}% of all rounds, "
            f"with errors on the boundary: false alarm {alarm:.4f}, missed detection {missed:.4f}."
        )
        if not n.best.rounds:
            return said
        return f"{said} It played {_times(n.best.rounds)}: {_told(n.best)}, with a box of sampling error too."

    # -------------------------------------------------------------------------------------------- playing

    def guess(self, bit: int) -> str:
        """Guess D0 (0) or D1 (1), and return what it was."""
        right = self.game.guess(bit)
        was = int(bit) if right else 1 - int(bit)
        error = "" if right else (" (a false alarm)", " (a missed detection)")[was]
        self.verdict = "right" if right else "wrong"
        self._say(f"{self.verdict.capitalize()}: it was D{was}{error}.")
        return self.feedback

    def play(self, strategy: Callable[[Sequence[int]], int], rounds: int = ROUNDS) -> None:
        """Guess by a rule: a function from the list of answers to 0 or 1."""
        self.game.play(strategy, rounds)
        self.verdict = ""
        self._say(f"Your rule played: {_times(self.game.you.rounds)} in all.")

    def play_best(self, rounds: int = ROUNDS) -> None:
        """Let the best test play."""
        self.game.play_best(rounds)
        self.verdict = ""
        self._say(f"The best test has played {_times(self.game.best.rounds)}. Now you: which one is this?")

    def _say(self, feedback: str) -> None:
        self.feedback = feedback
        if "widget" in vars(self):
            self._redraw()

    def reset(self, _=None) -> None:
        """Return to the settings at the start, and begin anew."""
        self.settings = dict(self._first)
        self.start()
        super().reset()

    @cached_property
    def widget(self) -> ipywidgets.Widget:
        """The live game, made when it is first shown: the board stands above the picture."""
        self.board.on_msg(self._heard)
        box = super().widget
        box.children = (*box.children[:-1], self.board, box.children[-1])
        return box

    @cached_property
    def board(self) -> Board:
        """Answers and buttons."""
        return Board()

    def _heard(self, _, message: dict, buffers) -> None:
        """Follow a button or key; a guess about a round that is over is a key that was pressed twice."""
        if message["do"] == "guess" and message["round"] == self.game.round:
            self.guess(message["bit"])
        elif message["do"] == "best":
            self.play_best()
        elif message["do"] == "next":
            self.set(seed=(self.settings["seed"] + 1) % (LAST_GAME + 1))

    def _redraw(self) -> None:
        game = self._current()
        with self.board.hold_sync():  # before the picture, which takes longer: the next round can begin
            self.board.round, self.board.outputs = game.round, list(game.outputs)
            self.board.feedback, self.board.verdict = self.feedback, self.verdict
        super()._redraw()


def place(tally: Tally, is_below: Callable[[float, float], bool]) -> str:
    """Say where a player's error rates lie."""
    missed, alarm = tally.errors
    (_, right), (_, high) = tally.box()
    if is_below(1 - missed, 1 - alarm):
        return "above"
    if not is_below(missed, alarm):
        return "inside"
    return "far below" if is_below(right, high) else "below"


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _told(tally: Tally) -> str:
    """Return both error rates in words."""
    named = (("false alarm", *tally.alarms), ("missed detection", *tally.misses))
    return ", ".join(f"{name} {errors} of {rounds}{_equals(errors, rounds)}" for name, errors, rounds in named)


def _equals(errors: int, rounds: int) -> str:
    return f" = {errors / rounds:.4f}" if rounds else ""
