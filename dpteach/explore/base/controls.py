"""The controls of an explorer: what may be chosen, and the widget that chooses it.

A slider over real numbers moves on a fixed list of round values, so that what the reader sees, what the library
computes with and what a test expects is the same number to the last digit. A value asked for in code or in a preset is
added to the list.

An explorer may bring a control of its own: a class with the attributes and methods of `Control`.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import ipywidgets
import numpy as np

from ... import checks
from ...table import short

ROUND = {1: (1,), 3: (1, 2, 5), 10: (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)}  # steps in a decade
STYLE = {"description_width": "140px"}  # all alike, so that they stand in columns
LAYOUT = {"width": "410px"}


class Control(Protocol):
    """What every control has: the value at the start, words, a check, and a widget that can be moved from code."""

    value: Any
    label: str

    def check(self, name: str, value) -> Any:
        """Return the value as the explorer gets it, or raise a ValueError that names the control."""

    def widget(self, name: str) -> ipywidgets.Widget:
        """Return the widget, without a value yet; its trait `value` is what is chosen."""

    def put(self, widget: ipywidgets.Widget, value) -> None:
        """Move the widget to a checked value."""


@dataclass(frozen=True)
class Slider:
    """A slider over a list of real numbers."""

    grid: tuple[float, ...]
    value: float
    label: str = ""

    def check(self, name: str, value) -> float:
        """Return `value` if it lies within the slider's range."""
        return checks.scalar(name, value, self.grid[0], self.grid[-1])

    def widget(self, name: str) -> ipywidgets.Widget:
        """Return the widget, without a value yet."""
        options = [(short(x), x) for x in self.grid]
        return ipywidgets.SelectionSlider(options=options, description=self.label or name, style=STYLE, layout=LAYOUT)

    def put(self, widget: ipywidgets.SelectionSlider, value: float) -> None:
        """Move the slider, to a value that may be missing in its list."""
        if value not in widget._options_values:
            options = list(widget.options)
            insort(options, (short(value), value), key=lambda option: option[1])
            widget.options = options
        widget.value = value


@dataclass(frozen=True)
class IntSlider:
    """A slider over whole numbers, which can be typed as well."""

    low: int
    high: int
    value: int
    label: str = ""

    def check(self, name: str, value) -> int:
        """Return `value` if it is a whole number within the slider's range."""
        return int(checks.scalar(name, checks.count(name, value), self.low, self.high))

    def widget(self, name: str) -> ipywidgets.Widget:
        """Return the widget, without a value yet."""
        label = self.label or name
        return ipywidgets.IntSlider(min=self.low, max=self.high, description=label, style=STYLE, layout=LAYOUT)

    def put(self, widget: ipywidgets.IntSlider, value: int) -> None:
        """Move the slider."""
        widget.value = value


@dataclass(frozen=True)
class Choice:
    """A list of words, one of which is chosen."""

    options: tuple[str, ...]
    value: str
    label: str = ""

    def check(self, name: str, value) -> str:
        """Return `value` if it is on the list."""
        return checks.choice(name, value, self.options)

    def widget(self, name: str) -> ipywidgets.Widget:
        """Return the widget, without a value yet."""
        label = self.label or name
        return ipywidgets.Dropdown(options=self.options, description=label, style=STYLE, layout=LAYOUT)

    def put(self, widget: ipywidgets.Dropdown, value: str) -> None:
        """Choose a word."""
        widget.value = value


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

    def widget(self, name: str) -> ipywidgets.Widget:
        """Return the widget, without a value yet."""
        return ipywidgets.Checkbox(description=self.label or name, indent=True, style=STYLE, layout=LAYOUT)

    def put(self, widget: ipywidgets.Checkbox, value: bool) -> None:
        """Tick the box or not."""
        widget.value = value


@dataclass(frozen=True)
class TextLine:
    """A line to type into, which a function can read."""

    value: str
    label: str
    read: Callable[[str], Any]

    def check(self, name: str, value) -> str:
        """Return the line, with one space between its words, if it can be read."""
        self.read(value)
        return " ".join(str(value).split())

    def widget(self, name: str) -> ipywidgets.Text:
        """Return the widget, without a value yet."""
        label = self.label or name
        return ipywidgets.Text(description=label, continuous_update=False, style=STYLE, layout=LAYOUT)

    def put(self, widget: ipywidgets.Text, value: str) -> None:
        """Write the line."""
        widget.value = value


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
