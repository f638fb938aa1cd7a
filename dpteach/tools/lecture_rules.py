"""What is asked of a lecture beside the rules for all notebooks: it is short, and no answer comes before its question.

A lecture is a notebook that has a companion: `02_hypothesis_testing` is one if `02_hypothesis_testing_paper` stands
beside it. The companion holds all the rest of the paper, and may be as long as the paper needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

from nbformat import NotebookNode

from ..questions import texts
from ..questions.kinds import Choice
from ..questions.kinds import Number as NumberText
from ..questions.wording import as_plain
from .rules import RULES, Complaints, Number, code_cells, numbers_in, printed_texts

MOST_CELLS = 70
MOST_WORDS = 2500
MOST_CARDS = 5
MOST_EXPLORERS = 3
MOST_LINES = 6  # of the code that ends in an answer
QUESTIONS = (6, 8)  # in class
LEAST_IN_SELF_CHECK = 5

CARD = re.compile(r"\bclaim\(")
EXPLORER = re.compile(r"^from dpteach\.explore import (?P<names>.+)$", re.M)
ASKED = re.compile(r"^question\(\"(?P<id>[^\"]+)\"\)$", re.M)
WORD = re.compile(r"[a-z]{3,}", re.I)
GATED = re.compile(r"question\(\"(?P<id>[^\"]+)\"\)\.then\(")


def rules_for(path: Path) -> list:
    """Return the rules that the notebook must keep."""
    return [*RULES, *LECTURE_RULES] if is_lecture(path) else RULES


def is_lecture(path: Path) -> bool:
    """Say whether the notebook has a companion."""
    return path.with_stem(f"{path.stem}_paper").exists()


# ------------------------------------------------------------------------------------------------- it is short


def few_cells(notebook: NotebookNode) -> Complaints:
    """Ask for a lecture that fits into 75 minutes."""
    yield from _at_most(MOST_CELLS, len(notebook.cells), "cells")


def few_words(notebook: NotebookNode) -> Complaints:
    """Ask for prose that a class can read."""
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    yield from _at_most(MOST_WORDS, sum(len(text.split()) for text in prose), "words")


def few_cards(notebook: NotebookNode) -> Complaints:
    """Ask for few claim cards: the others are in the companion."""
    yield from _at_most(MOST_CARDS, sum(len(CARD.findall(cell.source)) for _, cell in code_cells(notebook)), "cards")


def few_explorers(notebook: NotebookNode) -> Complaints:
    """Ask for few explorers, each of them after a question."""
    code = "\n".join(cell.source for _, cell in code_cells(notebook))
    names = [name.strip() for found in EXPLORER.finditer(code) for name in found["names"].split(",")]
    uses = sum(len(re.findall(rf"\b{name}\(", code)) for name in names)
    yield from _at_most(MOST_EXPLORERS, uses, "explorers")


def _at_most(most: int, count: int, what: str) -> Complaints:
    if count > most:
        yield 0, f"begins a lecture of {count} {what}, more than {most}"


def answers_short(notebook: NotebookNode) -> Complaints:
    """Ask for few lines of code between a question and its answer."""
    for i, cell in code_cells(notebook):
        if GATED.search(cell.source) and (lines := cell.source.count("\n") + 1) > MOST_LINES:
            yield i, f"has {lines} lines of code before an answer, more than {MOST_LINES}"


# ------------------------------------------------------------------------------------------------- its questions


def asked(notebook: NotebookNode) -> list[tuple[int, str]]:
    """Return the questions of a notebook in their order, with their places."""
    return [(i, found["id"]) for i, cell in code_cells(notebook) for found in ASKED.finditer(cell.source)]


def questions_asked(notebook: NotebookNode) -> Complaints:
    """Ask for enough questions, each of them once and known, in class and at the end."""
    ids = [id for _, id in asked(notebook)]
    for i, id in asked(notebook):
        if id not in texts() or ids.count(id) > 1:
            yield i, f"asks question {id}, which is unknown or asked twice"
    in_class = sum(".s" not in id for id in ids)
    if not QUESTIONS[0] <= in_class <= QUESTIONS[1]:
        yield 0, f"begins a lecture of {in_class} questions, not {QUESTIONS[0]} to {QUESTIONS[1]}"
    if len(ids) - in_class < LEAST_IN_SELF_CHECK:
        yield 0, f"begins a lecture of {len(ids) - in_class} questions to check oneself, not {LEAST_IN_SELF_CHECK}"


def answers_gated(notebook: NotebookNode) -> Complaints:
    """Refuse an answer that stands before its question, and a question in class whose answer is never shown."""
    places = {id: i for i, id in asked(notebook)}
    gates = [(i, found["id"]) for i, cell in code_cells(notebook) for found in GATED.finditer(cell.source)]
    for i, id in gates:
        if places.get(id, i) >= i:
            yield i, f"shows the answer to question {id} before it is asked"
    for id in places.keys() - {id for _, id in gates}:
        if ".s" not in id:
            yield places[id], f"asks question {id}, and no cell shows what follows from the answer"


def answers_untold(notebook: NotebookNode) -> Complaints:
    """Refuse a question whose answer can be read in an earlier cell, in its source or in its output."""
    for i, id in asked(notebook):
        if id in texts():
            for j, told in enumerate(map(cell_text, notebook.cells[:i])):
                yield from ((j, f"tells the answer to question {id}: {word}") for word in given_away(id, told))


def given_away(id: str, told: str) -> Iterator[str]:
    """Yield what a text tells of the answer to a question: its words, or a number that only the answer has."""
    if tells_in_words(id, told):
        yield _solution(id)
    written = list(numbers_in(told))
    for number in telling_numbers(id):
        if any(_rounds_to(other, number) for other in written):
            yield number.written


def telling_numbers(id: str) -> list[Number]:
    """Return the numbers of the right answer that neither the question nor a wrong option mentions."""
    text = texts()[id]
    elsewhere = [text.text]
    if isinstance(text, Choice):
        elsewhere += [option.text for option in text.options if not option.right]
    known = {number.value for part in elsewhere for number in numbers_in(as_plain(part))}
    own = numbers_in(_solution(id))
    return [number for number in own if number.value not in known and not number.is_free]


def tells_in_words(id: str, told: str) -> bool:
    """Say whether a text has the words of the right answer, if these are more than a number."""
    solution = _solution(id)
    return len(WORD.findall(solution)) >= 2 and _folded(solution) in _folded(told)


def _solution(id: str) -> str:
    text = texts()[id]
    if isinstance(text, NumberText):
        return text.solution
    return as_plain(text.options[text.answer - 1].text)


def _rounds_to(written: Number, number: Number) -> bool:
    """Say whether a number, as it is written, is the other one or rounds to it."""
    half = Decimal(5).scaleb(number.value.as_tuple().exponent - 1)
    return written.percent == number.percent and abs(written.value - number.value) < half


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def cell_text(cell: NotebookNode) -> str:
    """Return what a reader sees of a cell: its source, and what it printed."""
    return "\n".join([cell.source, *printed_texts([cell])])


LECTURE_RULES = [
    few_cells,
    few_words,
    few_cards,
    few_explorers,
    answers_short,
    questions_asked,
    answers_gated,
    answers_untold,
]


def told_in(notebooks: Iterable[NotebookNode], id: str) -> list[str]:
    """Return the cells of other notebooks, which come earlier in the course, that tell the answer in words."""
    texts_of_cells = [cell_text(cell) for notebook in notebooks for cell in notebook.cells]
    return [text for text in texts_of_cells if tells_in_words(id, text)]
