"""Bars that can be told apart without their colours: three kinds beside each other, with words on them."""

from __future__ import annotations

from ...figures.style import COLOURS, PAPER
from .sheet import Axis
from .words import LIE_TEXT

BEHIND = PAPER | {"pad": 1}  # words at the end of a bar, which may cross a line
HATCHES = ("", "..", "//")
DARK = (COLOURS[0], LIE_TEXT, "#00664b")  # the first three colours, dark enough for words


def label(axis: Axis, words: list[str]) -> None:
    """Write words at 0, 1, 2, ... along an axis."""
    axis.set_ticks(range(len(words)), words)
