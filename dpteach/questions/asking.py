"""A question as it stands in a notebook: what was chosen, whether it is revealed, how many hands went up.

What is shown is at once a live widget, HTML for pages without a kernel, and plain text that is the same on every run.
None of them holds the answer before it is asked for: the widget gets it from the kernel.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from .. import checks
from .kinds import Choice, Number
from .wording import as_html, as_plain

REVEALED = {"DPTEACH_REVEAL": "1"}  # in the environment where notebooks are run and checked: no question stays open
ROUNDS = ("before", "after")  # of hands: the discussion with one's neighbours comes in between


class Question:
    """A question that can be asked, answered and revealed; the last line of a cell shows it."""

    def __init__(self, text: Choice | Number):
        self.text = text
        self.choice: int | float | None = None
        self.revealed = REVEALED.items() <= os.environ.items()
        self.hands: dict[str, list[int]] = {}
        self._waiting: dict[str, Any] = {}  # what to show where, once the question is open

    # ----------------------------------------------------------------------------------------- using one

    @property
    def is_open(self) -> bool:
        """Whether the answer may be shown: it was answered, rightly or not, or revealed."""
        return self.revealed or self.choice is not None

    def choose(self, given) -> Question:
        """Answer: with the number of an option, or with the number that is asked for."""
        self.choice = self.text.check(given)
        return self._changed()

    def reveal(self) -> Question:
        """Show the answer, with what is to be said about every option."""
        self.revealed = True
        return self._changed()

    def reset(self) -> Question:
        """Forget choice and hands, to ask it again."""
        self.choice, self.revealed, self.hands = None, False, {}
        return self._changed()

    def count(self, before=None, after=None) -> Question:
        """Note how many hands each option got, before and after the discussion: `count(before=[3, 10, 4, 1])`."""
        given = {name: counts for name, counts in zip(ROUNDS, (before, after), strict=True) if counts is not None}
        self.hands = self.hands | {name: self._hands(name, counts) for name, counts in given.items()}
        return self._changed()

    def then(self, thing):
        """Return what the question prepares, a figure or table; in its place a reminder, until it is answered."""
        if thing is None:
            raise ValueError("then() must be given something to show, such as a figure or a table, not None")
        return thing if self.is_open else Closed(self, thing)

    # ----------------------------------------------------------------------------------------- how it is shown

    def __repr__(self) -> str:
        return "\n".join(as_plain(line) for line in self._lines())

    def _lines(self) -> list[str]:
        lines = [f"Question {self.text.id}. {self.text.text}"]
        lines += [f"  {n}  {option.text}" for n, option in enumerate(self.text.options, start=1)]
        if self.choice is not None:
            lines += [f"Your answer: {self._told(self.choice)}. {self.response}"]
        if self.revealed:
            lines += [f"Answer: {self.text.solution}", self.text.why]
            lines += [f"  {label}: {said}" for label, said in self.text.remarks]
        return lines

    def _told(self, given) -> str:
        return f"{given:g}"

    @property
    def response(self) -> str:
        """What the choice means, empty if there is none."""
        return "" if self.choice is None else self.text.response(self.choice)

    def _repr_mimebundle_(self, include=None, exclude=None):
        live, about = self.widget._repr_mimebundle_()
        return live | {"text/html": self.html(), "text/plain": repr(self)}, about

    def html(self) -> str:
        """Return the question as it stands, for pages without a kernel."""
        text = self.text
        options = "".join(f"<li>{self._html_option(n)}</li>" for n in range(1, len(text.options) + 1))
        parts = [
            f"<p><strong>Question {text.id}.</strong> {as_html(text.text)}</p>",
            f"<ol>{options}</ol>" * bool(options),
        ]
        if self.choice is not None:
            parts += [f"<p><strong>Your answer: {self._told(self.choice)}.</strong> {as_html(self.response)}</p>"]
        if self.revealed:
            parts += [f"<p><strong>Answer: {as_html(text.solution)}.</strong> {as_html(text.why)}</p>"]
        return f'<div class="dpteach-question">{"".join(parts)}</div>'

    def _html_option(self, n: int) -> str:
        option = self.text.options[n - 1]
        if not self.revealed:
            return as_html(option.text)
        mark = "✓ " if option.right else ""
        return f"{mark}{as_html(option.text)}<br><em>{as_html(option.response)}</em>"

    # ------------------------------------------------------------------------------------------ how it works

    @cached_property
    def widget(self):
        """The live question, made when it is first shown."""
        from .widget import QuestionWidget

        return QuestionWidget(self)

    def kept(self) -> dict[str, Any]:
        """Return what the notebook keeps of it; a revealed answer is not kept, for the next class."""
        return {name: value for name in ("choice", "hands") if (value := getattr(self, name)) not in (None, {})}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take up what the notebook has kept; what does not fit this edition of the question is left."""
        if isinstance(hands := kept.get("hands"), dict):
            with contextlib.suppress(ValueError):
                self.count(*map(hands.get, ROUNDS))
        with contextlib.suppress(ValueError):
            self.choose(kept.get("choice"))

    def _hands(self, name: str, counts) -> list[int]:
        number = len(self.text.options)
        if not isinstance(counts, list | tuple) or len(counts) != number or not number:
            raise ValueError(f"{name} must be a list of {number} numbers of hands, not {checks.shorten(counts)}")
        return [checks.count(f"each number in {name}", hands) for hands in counts]

    def _changed(self) -> Question:
        if "widget" in vars(self):
            self.widget.follow()
        if self.is_open:
            self._open()
        return self

    def _open(self) -> None:
        """Show what waits for the answer, where it waits."""
        from IPython.display import display

        for place, thing in self._waiting.items():
            display(thing, display_id=place, update=True)
        self._waiting.clear()


class Closed:
    """What stands in place of an answer until its question is answered; then it gives way by itself."""

    def __init__(self, question: Question, thing):
        self.question, self.thing = question, thing

    def __repr__(self) -> str:
        name = self.question.text.id
        return f'First choose in question {name}. (To see the answer without choosing: question("{name}").reveal())'

    def _ipython_display_(self) -> None:
        from IPython.display import display

        place = uuid.uuid4().hex
        self.question._waiting[place] = self.thing
        words = {"text/plain": repr(self), "text/html": f"<p><em>{as_html(repr(self))}</em></p>"}
        display(words, raw=True, display_id=place)
