"""What the browser shows of a question, and what it hears."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anywidget
import traitlets

from . import showing

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
        super().__init__(asked=showing.before(question.text), told=showing.so_far(question), kept=question.kept())
        self.on_msg(self._heard)

    def follow(self) -> None:
        """Show the question as it stands."""
        with self.hold_sync():
            self.told, self.kept = showing.so_far(self.question), self.question.kept()

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
