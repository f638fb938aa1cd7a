"""A question as it stands in a notebook: what was chosen, whether it is revealed, how many hands went up.

What is shown is at once a live widget, HTML for pages without a kernel, and plain text that is the same on every run.
None of them holds the answer before it is asked for: the widget hears it from the kernel.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import checks
from . import showing
from .kinds import Choice, Number

if TYPE_CHECKING:
    from .widget import QuestionWidget

REVEALED = {"DPTEACH_REVEAL": "1"}  # in the environment where notebooks are run and checked: no question stays open
ROUNDS = ("before", "after")  # of hands: the discussion with one's neighbours comes in between


class Question:
    """A question that can be asked, answered and revealed; as the last line of a cell it shows itself."""

    def __init__(self, text: Choice | Number):
        self.text = text
        self.choice: int | float | None = None
        self.revealed = REVEALED.items() <= os.environ.items()
        self.hands: dict[str, list[int]] = {}
        self._waiting: dict[str, Any] = {}  # what is to be shown at which place, once somebody has answered

    # ----------------------------------------------------------------------------------------- using one

    def choose(self, given: float) -> Question:
        """Answer with the number of an option, or with the number that is asked for."""
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

    def count(self, before: Sequence[int] | None = None, after: Sequence[int] | None = None) -> Question:
        """Note how many hands each option got, before and after the discussion: `count(before=[3, 10, 4, 1])`."""
        given = {name: counts for name, counts in zip(ROUNDS, (before, after), strict=True) if counts is not None}
        self.hands = self.hands | {name: self._checked(name, counts) for name, counts in given.items()}
        return self._changed()

    def then(self, thing: Any) -> Any:
        """Return the thing to be shown once the question is answered; until then, a reminder that gives way to it."""
        if thing is None:
            raise ValueError("then() must be given something to show, such as a figure or a table, not None")
        return thing if self.is_answered else Reminder(self, thing)

    @property
    def is_answered(self) -> bool:
        """Whether somebody has chosen, rightly or not, or has revealed the answer."""
        return self.revealed or self.choice is not None

    @property
    def response(self) -> str:
        """What the choice means, empty if there is none."""
        return "" if self.choice is None else self.text.response(self.choice)

    # ----------------------------------------------------------------------------------------- how it is shown

    def __repr__(self) -> str:
        return showing.plain(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        live, about = self.widget._repr_mimebundle_()
        return live | {"text/html": showing.html(self), "text/plain": repr(self)}, about

    @cached_property
    def widget(self) -> QuestionWidget:
        """The live question, made when it is first shown."""
        from .widget import QuestionWidget

        return QuestionWidget(self)

    # ------------------------------------------------------------------------------------------ how it works

    def kept(self) -> dict[str, Any]:
        """Return what the notebook keeps of it; that it was revealed is not kept: there is a next class."""
        return {name: value for name in ("choice", "hands") if (value := getattr(self, name)) not in (None, {})}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take up what the notebook has kept; what does not fit this edition of the question is dropped."""
        if isinstance(hands := kept.get("hands"), dict):
            with contextlib.suppress(ValueError):
                self.count(*map(hands.get, ROUNDS))
        with contextlib.suppress(ValueError):
            self.choose(kept.get("choice"))

    def _checked(self, name: str, counts) -> list[int]:
        """Return numbers of hands, one for each option."""
        if not (number := len(self.text.options)):
            raise ValueError(f"question {self.text.id} must have options to count hands for, not ask for a number")
        if not isinstance(counts, list | tuple) or len(counts) != number:
            raise ValueError(f"{name} must be a list of {number} numbers of hands, not {checks.shorten(counts)}")
        return [checks.count(f"each number of hands in {name}", hands) for hands in counts]

    def _changed(self) -> Question:
        if "widget" in vars(self):
            self.widget.follow()
        if self.is_answered:
            self._show_what_waits()
        return self

    def _show_what_waits(self) -> None:
        """Put the things in the places of their reminders."""
        while self._waiting:
            from IPython.display import display

            place, thing = self._waiting.popitem()
            display(thing, display_id=place, update=True)


class Reminder:
    """What stands in place of a thing until its question is answered."""

    def __init__(self, question: Question, thing: Any):
        self.question, self.thing = question, thing

    def __repr__(self) -> str:
        name = self.question.text.id
        return f'First choose in question {name}. (To see the answer without choosing: question("{name}").reveal())'

    def _ipython_display_(self) -> None:
        from IPython.display import display

        place = uuid.uuid4().hex
        self.question._waiting[place] = self.thing
        display({"text/plain": repr(self), "text/html": f"<p><em>{self}</em></p>"}, raw=True, display_id=place)
        self.question.widget  # noqa: B018 - if the notebook remembers an answer, it says so now
