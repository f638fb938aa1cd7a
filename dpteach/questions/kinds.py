"""The two kinds of questions, as plain data: four options to choose from, or one number to type.

Texts are written in Markdown with formulas in `$…$`; `wording` turns them into HTML and into plain text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from .. import checks

KEYS = 4  # options can be chosen by the keys 1 to 4
NUMBER = re.compile(r"\d+\.s?\d+")


@dataclass(frozen=True, kw_only=True)
class Text:
    """What every question has: its number, its words, and what a teacher wants to know about it."""

    id: str  # "1.3" is asked in lecture 1, "1.s3" in the self-check at its end
    text: str
    why: str  # the argument, in two or three sentences, shown with the answer
    minutes: int
    mistake: str  # what most people get wrong, for the teacher's guide

    def __post_init__(self) -> None:
        if not NUMBER.fullmatch(self.id):
            raise ValueError(f'id must look like "1.3" or, in a self-check, "1.s3", not {self.id!r}')

    @property
    def lecture(self) -> int:
        """The lecture that asks it."""
        return int(self.id.split(".")[0])

    @property
    def in_self_check(self) -> bool:
        """Whether it is asked at the end, for everybody alone, instead of in class."""
        return ".s" in self.id


@dataclass(frozen=True)
class Option:
    """Something to choose, and what the choice means."""

    text: str
    response: str
    right: bool = False


@dataclass(frozen=True, kw_only=True)
class Choice(Text):
    """A question with up to four options, one of them right; an answer is the number of an option, from 1."""

    options: tuple[Option, ...]
    slips = ()
    unit = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= len(self.options) <= KEYS or sum(option.right for option in self.options) != 1:
            raise ValueError(f"question {self.id} must have 2 to {KEYS} options, exactly one of them right")

    @cached_property
    def answer(self) -> int:
        """The number of the right option."""
        return 1 + [option.right for option in self.options].index(True)

    @property
    def solution(self) -> str:
        """The answer in words."""
        return f"{self.answer}, {self.options[self.answer - 1].text}"

    def check(self, given: Any) -> int:
        """Return the number of an option."""
        whole = checks.is_number(given) and given in range(1, len(self.options) + 1)
        if not whole:
            raise ValueError(
                f"the choice in question {self.id} must be a whole number from 1 to {len(self.options)}, "
                f"not {checks.shorten(given)}"
            )
        return int(given)

    def is_right(self, given: int) -> bool:
        """Say whether it is the right option."""
        return self.options[given - 1].right

    def response(self, given: int) -> str:
        """Say what the choice means."""
        return self.options[given - 1].response


@dataclass(frozen=True)
class Slip:
    """A wrong number that people arrive at, and how."""

    value: float
    response: str


@dataclass(frozen=True, kw_only=True)
class Number(Text):
    """A question whose answer is one number, right if it is off by at most `within`."""

    answer: float
    within: float
    right: str  # the response to the right number
    slips: tuple[Slip, ...]
    otherwise: str  # the response to any other number
    unit: str = ""
    options = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        values = sorted([self.answer, *(slip.value for slip in self.slips)])
        if any(low + 2 * self.within >= high for low, high in pairwise(values)):
            raise ValueError(f"the slips of question {self.id} must be told apart from each other and from the answer")

    @property
    def solution(self) -> str:
        """The answer in words."""
        return f"{self.answer:g} {self.unit}".strip()

    def check(self, given: Any) -> float:
        """Return a finite number."""
        if not checks.is_number(given) or not math.isfinite(given):
            raise ValueError(f"the answer to question {self.id} must be one number, not {checks.shorten(given)}")
        return float(given)

    def is_right(self, given: float) -> bool:
        """Say whether it is near enough."""
        return self._is_near(given, self.answer)

    def response(self, given: float) -> str:
        """Say what the number means."""
        if self.is_right(given):
            return self.right
        known = (slip.response for slip in self.slips if self._is_near(given, slip.value))
        direction = "Too large" if given > self.answer else "Too small"
        return next(known, f"{direction}. {self.otherwise}")

    def _is_near(self, given: float, value: float) -> bool:
        return abs(given - value) <= self.within * (1 + 1e-9)
