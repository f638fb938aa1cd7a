"""What a page must know of a notebook's cells: which one asks a question, waits for an answer, or holds an explorer."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from .. import explore
from ..explore.base.explorer import Explorer
from ..questions import question
from ..questions.asking import Question

NOTES = "notes"  # the slide type of what only the lecturer reads
NOT_SHOWN = (NOTES, "skip")


@dataclass
class Part:
    """One cell, as the page shows it."""

    kind: str = "plain"  # or "question", or "explorer"
    name: str = ""  # of the question, or of the explorer's class
    after: str = ""  # the question that must be answered before this is shown
    settings: dict[str, Any] = field(default_factory=dict)
    explorer: Explorer | None = None
    slide: str = ""  # the cell's place on the slides
    hidden: bool = False

    @property
    def asked(self) -> str:
        """The question without its answer, for readers whose browser runs nothing."""
        from ..questions import showing

        return showing.html(Question(question(self.name).text))


def part_of(cell: NotebookNode) -> Part:
    """Return what a cell is."""
    slide = cell.metadata.get("slideshow", {}).get("slide_type", "")
    if cell.cell_type != "code":
        return Part(slide=slide, hidden=slide == NOTES)
    shown = last_expression(cell.source)
    after, shown = unwrapped(shown)
    shown = resolved(shown, cell.source)
    name = called(shown)
    empty = not cell.outputs
    if name == "question" and not after:
        return Part("question", name=shown.args[0].value, slide=slide)
    if name in explore.__all__:
        return explorer_part(shown, name, after, slide)
    return Part(after=after, slide=slide, hidden=slide in NOT_SHOWN and empty)


def last_expression(source: str) -> ast.expr | None:
    """Return the last line of a cell, if it is an expression."""
    body = ast.parse(source).body
    return body[-1].value if body and isinstance(body[-1], ast.Expr) else None


def unwrapped(shown: ast.expr | None) -> tuple[str, ast.expr | None]:
    """Split `question("1.3").then(thing)` into "1.3" and the thing."""
    match shown:
        case ast.Call(func=ast.Attribute(value=ast.Call(args=[ast.Constant(value=name)]), attr="then"), args=[thing]):
            return name, thing
    return "", shown


def resolved(shown: ast.expr | None, source: str) -> ast.expr | None:
    """Return what a name stands for, where the cell itself says so: `picture = BudgetRace(); picture`."""
    if not isinstance(shown, ast.Name):
        return shown
    for line in ast.parse(source).body:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == shown.id:
                return value
    return shown


def called(shown: ast.expr | None) -> str:
    """Return the name of the function or class that an expression calls."""
    match shown:
        case ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def explorer_part(call: ast.Call, name: str, after: str, slide: str) -> Part:
    """Return an explorer with the settings of its cell."""
    preset = [value_of(given) for given in call.args]
    settings = {given.arg: value_of(given.value) for given in call.keywords}
    made = getattr(explore, name)(*preset, **settings)
    return Part("explorer", name=name, after=after, settings=made.settings, explorer=made, slide=slide)


def value_of(given: ast.expr) -> Any:
    """Return a setting as the cell computes it: a plain value, or a formula such as log(3)."""
    return eval(compile(ast.Expression(given), "cell", "eval"), vars(math) | {"__builtins__": {}})
