"""Explorer: a game in which the reader is the tester, and the privacy region the house that always wins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...figures.style import COLOURS, FONT, lower_boundary
from ..base.axes import draw_blind_guessing
from ..base.controls import int_slider, log_slider
from ..base.explorer import Explorer
from ..base.words import six_digits
from .game import ROUNDS, Counted, Errors, Game, Strategy, Tally, place

BLUE, ORANGE, GREEN = COLOURS[:3]
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
    xlabel = "missed detection"
    ylabel = "false alarm"
    size = (6.2, 5.0)  # board and picture fit on one screen
    margins: ClassVar = dict(left=0.12, right=0.96, bottom=0.12, top=0.91)
    parts: ClassVar = (Path(__file__).with_name("tester_game"),)  # the board

    def __init__(self, preset: str | None = None, **settings):
        super().__init__(preset, **settings)
        self.start()

    def start(self) -> None:
        """Begin the game anew, with the same secrets."""
        self.game = Game(**self.settings)
        self.verdict = ""
        self.feedback = f"Game {self.settings['seed']}: which one was it?"

    def _current(self) -> Game:
        """Return the game, a new one if the settings have changed."""
        played = {name: getattr(self.game, name) for name in self.settings}
        if played != self.settings:
            self.start()
        return self.game

    # -------------------------------------------------------------------------------------------- the picture

    def numbers(self, eps, k, seed):
        game = self._current()
        return dict(
            round=game.round,
            outputs=game.outputs,
            you=game.you,
            best=game.best,
            region=game.runs.region().astype(float),
            lower=lower_boundary(game.runs),
            best_errors=game.best_errors(),
            is_below=game.is_below,
        )

    def draw(self, ax, n):
        ax.fill(*n.region.T, facecolor=BLUE + "22", edgecolor=BLUE, linewidth=1.2)
        ax.plot(*n.lower.T, color=BLUE, linewidth=2.4, label=f"region of {n.k} answers")
        draw_blind_guessing(ax)
        self._draw_player(ax, n.best, "best test", "D", GREEN, "-.")
        self._draw_player(ax, n.you, "you", "o", ORANGE, "--")
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        look = dict(fontsize=FONT - 1, frameon=False, borderpad=0, columnspacing=1.2, handletextpad=0.5)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, **look)

    def _draw_player(self, ax, tally: Tally, name: str, marker: str, colour: str, dashes: str):
        """Draw the error rates of a player, how they came there, and the box around the true errors."""
        if tally.rounds:
            self._draw_box(ax, tally, colour, dashes)
        if tally.trail:
            ax.plot(*np.transpose(tally.trail), color=colour, linewidth=0.9, alpha=0.6)
            look = dict(ms=12, mec="white", mew=2, clip_on=False, zorder=5)
            ax.plot(*tally.errors, marker, color=colour, linestyle="none", label=name, **look)

    def _draw_box(self, ax, tally: Tally, colour: str, dashes: str):
        (left, right), (low, high) = tally.box()
        look = dict(facecolor=colour + "1a", edgecolor=colour, linewidth=2, linestyle=dashes)
        ax.fill([left, right, right, left], [low, low, high, high], **look)

    # -------------------------------------------------------------------------------------------- the words

    def caption(self, n):
        shown = ", ".join(map(str, n.outputs))
        score = (
            f"You were right in {n.you.right} of {n.you.rounds} rounds" if n.you.rounds else f"Round 1 shows {shown}"
        )
        rules = (
            f"Each round a fair coin picks D0 or D1, and randomized response with ε = {six_digits(n.eps)} answers "
            f"{_times(n.k)}: which was it? Round {n.round} shows {shown}."
        )
        first = f"{score}; the best test is right in {share_right(n.best_errors)} of all rounds."
        return "\n".join([first, rules, self._about_you(n), self._about_best(n)])

    def _about_you(self, n):
        if not n.you.rounds:
            return "You have not guessed yet."
        score = f"You guessed {_times(n.you.rounds)}, {n.you.right} right: {_told(n.you)}."
        if not n.you.has_both:
            return f"{score} There is a point to draw once D0 and D1 have both come up."
        return f"{score} {PLACES[place(n.you, n.is_below)]}"

    def _about_best(self, n):
        missed, alarm = n.best_errors
        tie = "" if n.k % 2 else " (D0 on a tie)"
        rule = "the answer is 1" if n.k == 1 else f"most answers are 1{tie}"
        said = (
            f"The best test says D1 if {rule}; it is right in {share_right(n.best_errors)} of all rounds, "
            f"with errors on the boundary: false alarm {alarm:.4f}, missed detection {missed:.4f}."
        )
        if not n.best.rounds:
            return said
        return f"{said} It played {_times(n.best.rounds)}: {_told(n.best)}, with a box of sampling error too."

    # -------------------------------------------------------------------------------------------- playing

    def guess(self, bit: int) -> str:
        """Guess D0 (0) or D1 (1), and return what it was."""
        self._guess(bit)
        self._show()
        return self.feedback

    def _guess(self, bit: int) -> None:
        if self.game.guess(bit):
            self.verdict = "right"
            self.feedback = f"Right: it was D{int(bit)}."
        else:
            was = 1 - int(bit)
            self.verdict = "wrong"
            self.feedback = f"Wrong: it was D{was}{error_words(was)}."

    def play(self, strategy: Strategy, rounds: int = ROUNDS) -> None:
        """Guess by a rule: a function from the list of answers to 0 or 1."""
        self.game.play(strategy, rounds)
        self.verdict = ""
        self.feedback = f"Your rule played: {_times(self.game.you.rounds)} in all."
        self._show()

    def play_best(self, rounds: int = ROUNDS) -> None:
        """Let the best test play."""
        self._play_best(rounds)
        self._show()

    def _play_best(self, rounds: int) -> None:
        self.game.play_best(rounds)
        self.verdict = ""
        self.feedback = f"The best test has played {_times(self.game.best.rounds)}. Now you: which one is this?"

    def reset(self) -> None:
        """Return to the settings at the start, and begin anew."""
        self.settings = dict(self._first)
        self.start()
        self._show()

    # -------------------------------------------------------------------------------------------- the board

    def follow(self, settings: Mapping[str, Any]) -> None:
        """Follow a button or key of the board, or a control."""
        match settings:
            case {"do": "guess", "bit": bit, "round": number}:
                if number == self.game.round:  # a guess about a round that is over is a key that was pressed twice
                    self._guess(bit)
            case {"do": "best"}:
                self._play_best(ROUNDS)
            case {"do": "next"}:
                super().follow(dict(seed=(self.settings["seed"] + 1) % (LAST_GAME + 1)))
            case {"reset": True}:
                self.settings = dict(self._first)
                self.start()
            case _:
                super().follow(settings)

    def _constant(self) -> dict[str, Any]:
        return super()._constant() | dict(extra="game", many=ROUNDS)

    def shown(self) -> dict[str, Any]:
        """Return what is shown, with the answers of the round and the score."""
        game = self._current()
        board = dict(round=game.round, outputs=list(game.outputs), feedback=self.feedback, verdict=self.verdict)
        return super().shown() | dict(board=board | dict(score=self._score()))

    def _score(self) -> str:
        """Return the score as it stands on the board."""
        if not self.game.you.rounds:
            return f"In the long run the best test is right in {share_right(self.game.best_errors())} of all rounds."
        you = self.game.you
        return (
            f"You: {you.right} of {you.rounds} right, {100 * you.right / you.rounds:.1f}%. "
            f"The best test, in the long run: {share_right(self.game.best_errors())}."
        )


def error_words(was: int) -> str:
    """Name the error of a wrong guess."""
    return " (a missed detection)" if was else " (a false alarm)"


def share_right(errors: Errors) -> str:
    """Return how often a tester with these errors is right, if both secrets are as likely."""
    return f"{100 - 50 * sum(errors):.1f}%"


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _told(tally: Tally) -> str:
    """Return both error rates in words."""
    return f"false alarm {_share(tally.alarms)}, missed detection {_share(tally.misses)}"


def _share(counted: Counted) -> str:
    share = f"{counted.errors} of {counted.rounds}"
    return f"{share} = {counted.rate:.4f}" if counted.rounds else share
