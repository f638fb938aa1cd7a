"""What the guide knows of a lecture beside the lecture itself, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Proof:
    """A proof for the board: the heading of its slide, and steps that are short enough to write."""

    slide: str
    steps: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Part:
    """One of the five parts: its minutes in a lecture of 75 and of 55, its proofs, the exercises that fit."""

    minutes: int
    short: int
    tasks: tuple[int, ...]
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A lecture as its teacher sees it."""

    lecture: int
    before: str  # what to have at hand, and what to say first
    parts: tuple[Part, ...]
    ending: tuple[int, int]  # minutes in a lecture of 75 and of 55
    say: Mapping[str, str]  # after the vote on a question
    explorers: Mapping[str, str]  # what to ask of each
    wrong: tuple[str, ...]  # what students get wrong beside the questions

    @property
    def minutes(self) -> tuple[int, int]:
        """The minutes of the whole lecture, and of the short one."""
        return (
            self.ending[0] + sum(part.minutes for part in self.parts),
            self.ending[1] + sum(part.short for part in self.parts),
        )
