"""A question as far as it is answered: on a page without a kernel, in a terminal, and for a live widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .kinds import Choice, Number
from .wording import as_html, as_plain

if TYPE_CHECKING:
    from .asking import Question

FRAME = "border-left: 6px solid #0072b2; padding-left: 1em"


def plain(question: Question) -> str:
    """Return the question as plain text."""
    text = question.text
    lines = [f"Question {text.id}. {text.text}"]
    for number, option in enumerate(text.options, start=1):
        lines.append(f"  {number}{_mark(question, option)}  {option.text}")
        lines += [f"       {option.response}"] * question.revealed
    lines += [" ".join(said) for said in said_so_far(question)]
    lines += [f"  {value}: {response}" for value, response in _slips(question)]
    return "\n".join(map(as_plain, lines))


def html(question: Question) -> str:
    """Return the question as HTML."""
    text = question.text
    options = "".join(f"<li>{_option(question, option)}</li>" for option in text.options)
    parts = [
        f"<p><strong>Question {text.id}.</strong> {as_html(text.text)}</p>",
        f"<ol>{options}</ol>" if options else "",
        *(f"<p><strong>{as_html(label)}</strong> {as_html(words)}</p>" for label, words in said_so_far(question)),
        slips_html(question),
    ]
    return f'<div class="dpteach-asked" style="{FRAME}">{"".join(parts)}</div>'


def said_so_far(question: Question) -> list[tuple[str, str]]:
    """Return what has been learnt, each thing with a label."""
    said = []
    if question.hands:
        counts = (f"{name} the discussion {', '.join(map(str, hands))}" for name, hands in question.hands.items())
        said.append(("Hands:", f"{'; '.join(counts)}."))
    if question.choice is not None:
        said.append((f"Your answer: {question.choice:g}.", question.response))
    if question.revealed:
        said.append((f"Answer: {question.text.solution}.", question.text.why))
    return said


def _mark(question: Question, option) -> str:
    return " ✓" if question.revealed and option.right else ""


def _option(question: Question, option) -> str:
    words = f"{as_html(option.text)}{_mark(question, option)}"
    return f"{words}<br><em>{as_html(option.response)}</em>" if question.revealed else words


def _slips(question: Question) -> list[tuple[str, str]]:
    """Return the wrong numbers that people arrive at, once the right one is revealed."""
    return [(f"{slip.value:g}", slip.response) for slip in question.text.slips] if question.revealed else []


def slips_html(question: Question) -> str:
    """Return the wrong numbers as a list, once the right one is revealed."""
    items = "".join(f"<li>{value}: <em>{as_html(response)}</em></li>" for value, response in _slips(question))
    return f"<ul>{items}</ul>" if items else ""


def before(text: Choice | Number) -> dict[str, Any]:
    """Return what may be known before the answer."""
    options = [as_html(option.text) for option in text.options]
    names = [as_plain(option.text) for option in text.options]
    return dict(id=text.id, text=as_html(text.text), options=options, names=names, unit=text.unit)


def so_far(question: Question) -> dict[str, Any]:
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
