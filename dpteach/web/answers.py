"""What a page without a kernel knows of a question: everything that it will say, for each answer there can be."""

from __future__ import annotations

from typing import Any

from ..questions.asking import Question
from ..questions.kinds import Choice, Number
from ..questions.showing import before, so_far

FAR = 10.0  # times the tolerance: an answer that is too large or too small, and no known slip


def page_data(text: Choice | Number) -> dict[str, Any]:
    """Return the question, what is said after each answer, and how a typed number is recognised."""
    cases = [dict(given=value, said=said(text, value), revealed=said(text, value, True)) for value in answers(text)]
    unanswered = dict(said=said(text, None), revealed=said(text, None, True))
    return dict(asked=before(text), cases=cases, unanswered=unanswered, within=getattr(text, "within", 0))


def answers(text: Choice | Number) -> list[float]:
    """Return an answer of each kind: every option; or the right number, the known slips, a small and a large one."""
    if isinstance(text, Choice):
        return list(range(1, len(text.options) + 1))
    known = [text.answer, *(slip.value for slip in text.slips)]
    away = FAR * (max(map(abs, known)) + text.within)
    return [*known, text.answer - away, text.answer + away]


def said(text: Choice | Number, choice: float | None, revealed: bool = False) -> dict[str, Any]:
    """Return what is told once somebody has chosen, or the lecturer has revealed the answer."""
    asked = Question(text)
    asked.choice = choice
    asked.revealed = revealed
    return so_far(asked)
