"""The controls of an explorer: what may be chosen, and how the browser shows it.

A slider over real numbers moves on a fixed list of round values, so that what the reader sees, what the library
computes with and what a test expects is the same number to the last digit. A value asked for in code or in a preset may
lie between them.

An explorer may bring a control of its own: a class with the attributes and methods of `Control`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ... import checks
from .words import six_digits

ROUND = {1: (1,), 3: (1, 2, 5), 10: (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)}  # steps in a decade
LONG = 200  # whole numbers: a slider over more of them gets a logarithmic track, if it starts at 1


class Control(Protocol):
    """What every control has: the value at the start, words, and two ways to look at a value that is asked for."""

    value: Any
    label: str

    def check(self, name: str, value) -> Any:
        """Return the value as the explorer gets it, or raise a ValueError that names the control."""

    def snap(self, value) -> Any:
        """Return what the control shows after a reader has moved it there: the nearest value that is allowed."""

    def json(self) -> dict[str, Any]:
        """Return what the browser has to know to show the control: its kind, and what may be chosen."""


@dataclass(frozen=True)
class Slider:
    """A slider over a list of real numbers."""

    grid: tuple[float, ...]
    value: float
    label: str = ""

    def check(self, name: str, value) -> float:
        """Return `value` if it lies within the slider's range."""
        return checks.scalar(name, value, self.grid[0], self.grid[-1])

    def snap(self, value) -> float:
        """Return the value itself, if it is within the range, or the nearer end."""
        return min(max(float(value), self.grid[0]), self.grid[-1])

    def json(self) -> dict[str, Any]:
        """Return the values, with their words."""
        return dict(kind="slider", values=list(self.grid), words=[six_digits(x) for x in self.grid])


@dataclass(frozen=True)
class IntSlider:
    """A slider over whole numbers."""

    low: int
    high: int
    value: int
    label: str = ""

    def check(self, name: str, value) -> int:
        """Return `value` if it is a whole number within the slider's range."""
        return int(checks.scalar(name, checks.count(name, value), self.low, self.high))

    def snap(self, value) -> int:
        """Return the nearest whole number within the range."""
        return min(max(round(value), self.low), self.high)

    def json(self) -> dict[str, Any]:
        """Return both ends, and whether the track is logarithmic."""
        return dict(kind="slider", low=self.low, high=self.high, log=self.low > 0 and self.high >= LONG)


@dataclass(frozen=True)
class Choice:
    """A list of words, one of which is chosen."""

    options: tuple[str, ...]
    value: str
    label: str = ""

    def check(self, name: str, value) -> str:
        """Return `value` if it is on the list."""
        return checks.choice(name, value, self.options)

    def snap(self, value) -> str:
        """Return the word if it is on the list, and else the one at the start."""
        return value if value in self.options else self.value

    def json(self) -> dict[str, Any]:
        """Return the list."""
        return dict(kind="choice", options=list(self.options))


@dataclass(frozen=True)
class Switch:
    """A box to tick."""

    value: bool
    label: str = ""

    def check(self, name: str, value) -> bool:
        """Return `value` if it is True or False."""
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, not {value!r}")
        return value

    def snap(self, value) -> bool:
        """Return whether the box is ticked."""
        return bool(value)

    def json(self) -> dict[str, Any]:
        """Return the kind."""
        return dict(kind="switch")


@dataclass(frozen=True)
class TextLine:
    """A line to type into, which a function can read."""

    value: str
    label: str
    read: Callable[[str], Any]

    def check(self, name: str, value) -> str:
        """Return the line, with one space between its words, if it can be read."""
        self.read(value)
        return self.snap(value)

    def snap(self, value) -> str:
        """Return the line, with one space between its words; it is read when the numbers are computed."""
        return " ".join(str(value).split())

    def json(self) -> dict[str, Any]:
        """Return the kind."""
        return dict(kind="text")


def log_slider(low: float, high: float, value: float, label: str = "", steps: int = 10) -> Slider:
    """Return a slider over round numbers, 1, 3 or 10 of them in a decade."""
    first = math.floor(math.log10(low))
    last = math.ceil(math.log10(high))
    grid = [float(f"{step}e{decade}") for decade in range(first, last + 1) for step in ROUND[steps]]
    return _slider((x for x in grid if low <= x <= high), value, label)


def slider(low: float, high: float, value: float, step: float, label: str = "") -> Slider:
    """Return a slider over low, low + step, …, high."""
    number = round((high - low) / step)
    grid = low + step * np.arange(number + 1)
    return _slider((float(f"{x:.10g}") for x in grid), value, label)


def _slider(grid: Iterable[float], value: float, label: str) -> Slider:
    return Slider(tuple(sorted({*grid, value})), value, label)


def pick(values: Iterable[float], value: float, label: str = "") -> Slider:
    """Return a slider over given numbers."""
    return _slider(map(float, values), value, label)


def int_slider(low: int, high: int, value: int, label: str = "") -> IntSlider:
    """Return a slider over whole numbers."""
    return IntSlider(low, high, value, label)


def choice(options: Iterable[str], value: str | None = None, label: str = "") -> Choice:
    """Return a list of words to choose from; the first one is chosen unless `value` says otherwise."""
    options = tuple(options)
    chosen = options[0] if value is None else value
    return Choice(options, chosen, label)


def switch(value: bool, label: str = "") -> Switch:
    """Return a box to tick."""
    return Switch(value, label)


def text_line(value: str, label: str, read: Callable[[str], Any]) -> TextLine:
    """Return a line to type into; `read` raises a ValueError for a line that means nothing."""
    return TextLine(value, label, read)
