"""The tester's game itself, without any picture: deterministic, given its seed and the guesses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ... import checks
from ...mechanisms import randomized_response

CONFIDENCE = 0.95
ROUNDS = 200  # so many rounds does the best test play at a time
SAME = 1e-12  # a pair of errors that is so near the boundary is on it

Interval = tuple[float, float]
Strategy = Callable[[Sequence[int]], int]


class Errors(NamedTuple):
    """The two errors of a tester: says D0 on D1, and says D1 on D0."""

    missed: float
    alarm: float


class Counted(NamedTuple):
    """How often something went wrong, of how many rounds."""

    errors: int
    rounds: int

    @property
    def rate(self) -> float:
        """The share of errors; NaN where there was no round to err in."""
        return self.errors / self.rounds if self.rounds else math.nan


class Tally:
    """How often each secret met each guess, and the two error rates that follow."""

    def __init__(self):
        self.counts = np.zeros((2, 2), dtype=int)  # row: secret, column: guess
        self.trail: list[Errors] = []

    def add(self, secret: int, bit: int) -> None:
        """Count one round."""
        self.counts[secret, bit] += 1
        if self.has_both:
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
    def misses(self) -> Counted:
        """How often D0 was said on D1."""
        return Counted(int(self.counts[1, 0]), int(self.counts[1].sum()))

    @property
    def alarms(self) -> Counted:
        """How often D1 was said on D0."""
        return Counted(int(self.counts[0, 1]), int(self.counts[0].sum()))

    @property
    def has_both(self) -> bool:
        """Whether both secrets have come up, so that both rates are known."""
        return self.misses.rounds > 0 and self.alarms.rounds > 0

    @property
    def errors(self) -> Errors:
        """The rates of missed detections and of false alarms."""
        return Errors(self.misses.rate, self.alarms.rate)

    def box(self) -> tuple[Interval, Interval]:
        """Return intervals for the two true errors, which both hold with the confidence of 95%."""
        return interval(*self.misses), interval(*self.alarms)


def interval(errors: int, rounds: int, doubt: float = (1 - CONFIDENCE) / 2) -> Interval:
    """Return the interval of Clopper and Pearson; half of the doubt is for this error, half for the other one."""
    from scipy.special import betaincinv

    low = 0.0
    high = 1.0
    if errors > 0:
        low = float(betaincinv(errors, rounds - errors + 1, doubt / 2))
    if errors < rounds:
        high = float(betaincinv(errors + 1, rounds - errors, 1 - doubt / 2))
    return low, high


@dataclass(frozen=True)
class Round:
    """A secret bit, and the answers about it."""

    secret: int
    outputs: list[int]


class Game:
    """Rounds of guessing: a secret bit, k answers of randomized response about it, a guess."""

    def __init__(self, eps: float = 1, k: int = 3, seed: int = 0):
        self.eps = eps
        self.k = checks.count("k", k, low=1)
        self.seed = checks.count("seed", seed)
        self.coin = randomized_response(eps)
        self.runs = self.coin**self.k
        self.you = Tally()
        self.best = Tally()
        self._yours, self._machines = np.random.default_rng(self.seed).spawn(2)
        self._dealt = self._deal(self._yours)

    def _deal(self, rng: np.random.Generator) -> Round:
        secret = int(rng.integers(2))
        return Round(secret, self.coin.sample(rng, self.k, secret))

    @property
    def round(self) -> int:
        """The number of the round that is being played."""
        return self.you.rounds + 1

    @property
    def outputs(self) -> list[int]:
        """The answers of this round."""
        return self._dealt.outputs

    @property
    def errors(self) -> Errors:
        """Your rates of missed detections and of false alarms."""
        return self.you.errors

    def guess(self, bit: int) -> bool:
        """Guess D0 (0) or D1 (1), say whether that was right, and deal the next round."""
        bit = checked_bit("bit", bit)
        secret = self._dealt.secret
        self.you.add(secret, bit)
        self._dealt = self._deal(self._yours)
        return bit == secret

    def play(self, strategy: Strategy, rounds: int = ROUNDS) -> None:
        """Guess by a rule: a function from the list of k answers to 0 or 1."""
        for _ in range(checks.count("rounds", rounds)):
            bit = strategy(list(self.outputs))
            self.guess(checked_bit("the strategy's guess", bit))

    def play_best(self, rounds: int = ROUNDS) -> None:
        """Let the best test play, on rounds and in a tally of its own."""
        for _ in range(checks.count("rounds", rounds)):
            dealt = self._deal(self._machines)
            self.best.add(dealt.secret, best_guess(dealt.outputs))

    def best_errors(self) -> Errors:
        """Return the exact errors of the best test: a corner of the region."""
        ones = np.arange(self.k + 1)  # which the merged outcomes are ordered by
        says_d1 = ones > self.k / 2
        return Errors(float(self.runs.q[~says_d1].sum()), float(self.runs.p[says_d1].sum()))

    def is_below(self, missed: float, alarm: float) -> bool:
        """Say whether a pair of errors lies below the region's boundary, where no strategy's true errors are."""
        return missed < self.runs.tradeoff(alarm) - SAME


def best_guess(outputs: Sequence[int]) -> int:
    """Apply the test of Neyman and Pearson: D1 if it makes the outputs likelier, so if most of them are 1."""
    return int(2 * sum(outputs) > len(outputs))


def checked_bit(name: str, value) -> int:
    """Return a guess if it is one."""
    is_number = checks.is_number(value) or isinstance(value, bool | np.bool_)
    if not is_number or value not in (0, 1):
        raise ValueError(f"{name} must be 0 (it was D0) or 1 (it was D1), not {value!r}")
    return int(value)


def place(tally: Tally, is_below: Callable[[float, float], bool]) -> str:
    """Say where a player's error rates lie: "inside" the region, "above" it, "below" or "far below"."""
    missed, alarm = tally.errors
    (_, most_missed), (_, most_alarm) = tally.box()
    if is_below(1 - missed, 1 - alarm):
        return "above"
    if not is_below(missed, alarm):
        return "inside"
    return "far below" if is_below(most_missed, most_alarm) else "below"
