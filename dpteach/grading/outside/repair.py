"""A submission's cells put right: what was deleted, doubled, edited or has lost its name."""

from __future__ import annotations

import secrets

import nbformat

from .assignment import Assignment, clean_cell, kind_of, told_by
from .harmless import plain_markdown, plain_pictures
from .matching import with_names


def put_right(assignment: Assignment, cells: list) -> tuple[list, list[str]]:
    """Return a submission's cells with all cells of the source in place, and a sentence about each change.

    Given cells and checks are those of the source. Of a cell that comes twice the last one counts as nbgrader's
    own rule has it; the other one is run like any cell of the student's. What a student wrote for people to read is
    plain Markdown afterwards: nothing in it can act on whoever reads it.
    """
    source = {told_by(cell)["grade_id"]: cell for cell in assignment.cells if told_by(cell)}
    cells, notes = with_names(source, cells)
    last = {told_by(cell).get("grade_id"): i for i, cell in enumerate(cells)}
    given_texts = {cell.source for cell in assignment.cells}
    kept = []
    for i, cell in enumerate(cells):
        key = told_by(cell).get("grade_id")
        if key in source and i == last[key]:
            kept.append(_as_in(source[key], cell))
        else:
            if key in source:
                notes.append(f"The cell {key} was there more than once.")
            if key not in source or kind_of(source[key]) not in ("given", "check"):
                kept.append(_of_the_student(cell, given_texts))
    missing = [key for key in source if key not in last]
    for key in missing:
        _put_back(kept, source, key)
    if missing:
        notes.append(f"These cells were missing and have been put back: {', '.join(missing)}.")
    return kept, notes


def _as_in(original, cell):
    """Return a cell as the source has it, with the student's text where that is the student's to write."""
    if kind_of(original) not in ("solution", "written"):
        return _with_text(original, original.source)
    if original.cell_type == "code":
        return _with_text(original, cell.source)
    pictures = plain_pictures(cell.get("attachments"))
    restored = _with_text(original, plain_markdown(cell.source, pictures))
    if pictures:
        restored.attachments = nbformat.from_dict(pictures)
    return restored


def _with_text(original, text: str):
    """Return a copy of a cell with another text, and nothing printed yet."""
    made = nbformat.from_dict({**original, "source": text})
    if made.cell_type == "code":
        made.outputs, made.execution_count = [], None
    return made


def _of_the_student(cell, given_texts: set[str]):
    """Return a cell that nbgrader does not know, made anew; a text of the source's own stays as it is."""
    made = clean_cell(cell)
    made.metadata.pop("nbgrader", None)
    made.id = secrets.token_hex(4)  # its own may be that of a cell of the source
    if made.cell_type != "code" and made.source not in given_texts:
        made.source = plain_markdown(made.source, made.get("attachments"))
    return made


def _put_back(cells: list, source: dict, key: str) -> None:
    """Insert a missing cell after the one that precedes it in the source; a missing answer is empty."""
    order = list(source)
    before = set(order[: order.index(key)])
    place = max((i + 1 for i, cell in enumerate(cells) if told_by(cell).get("grade_id") in before), default=0)
    empty = nbformat.from_dict({**source[key], "source": ""})
    cells.insert(place, _as_in(source[key], empty))
