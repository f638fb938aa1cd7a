"""What the browser shows of a question, and what it hears."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from .kinds import Choice, Number
from .showing import slips_html
from .wording import as_html

if TYPE_CHECKING:
    from .asking import Question


class QuestionWidget(anywidget.AnyWidget):
    """The question without its answer (`asked`), what is known of it by now (`told`), and what the notebook keeps."""

    _esm = Path(__file__).with_name("question.js")
    _css = Path(__file__).with_name("question.css")
    asked = traitlets.Dict().tag(sync=True)
    told = traitlets.Dict().tag(sync=True)
    kept = traitlets.Dict().tag(sync=True)

    def __init__(self, question: Question):
        self.question = question
        super().__init__(asked=_asked(question.text), told=_told(question), kept=question.kept())
        self.on_msg(self._heard)

    def follow(self) -> None:
        """Show the question as it stands."""
        with self.hold_sync():
            self.told, self.kept = _told(self.question), self.question.kept()

    def _heard(self, _, message: dict, buffers) -> None:
        """Follow a button, a key, a typed number, or a notebook that remembers."""
        match message:
            case {"do": "choose", "given": given}:
                self.question.choose(given)
            case {"do": "reveal"}:
                self.question.reveal()
            case {"do": "reset"}:
                self.question.reset()
            case {"do": "count", "before": before, "after": after}:
                self.question.count(before, after)
            case {"do": "restore", "kept": dict(kept)}:
                self.question.restore(kept)


def _asked(text: Choice | Number) -> dict[str, Any]:
    """Return what may be known before the answer."""
    options = [as_html(option.text) for option in text.options]
    return dict(id=text.id, text=as_html(text.text), options=options, unit=text.unit)


def _told(question: Question) -> dict[str, Any]:
    """Return what the reader may know by now: the response to a choice; everything, if it is revealed."""
    text = question.text
    told: dict[str, Any] = dict(choice=question.choice, revealed=question.revealed, hands=question.hands)
    if question.choice is not None:
        told |= dict(right=text.is_right(question.choice), response=as_html(question.response))
    if question.revealed:
        label = f"<strong>Answer: {as_html(text.solution)}.</strong> "
        remarks = [as_html(option.response) for option in text.options]
        told |= dict(answer=text.answer, why=label + as_html(text.why) + slips_html(question), remarks=remarks)
    elif told.get("right"):
        told["why"] = as_html(text.why)
    return told
