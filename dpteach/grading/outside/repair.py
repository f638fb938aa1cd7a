"""A submission's cells put right: what was deleted, doubled, edited or has lost its name."""

from __future__ import annotations

import secrets

import nbformat

from .assignment import Assignment, kind_of, told_by
from .matching import with_names


def put_right(assignment: Assignment, cells: list) -> tuple[list, list[str]]:
    """Return a submission's cells with all cells of the source in place, and a sentence about each change.

    Given cells and checks are those of the source. Of a cell that comes twice the last one counts as nbgrader's
    own rule has it; the other one is run like any cell of the student's.
    """
    source = {told_by(cell)["grade_id"]: cell for cell in assignment.cells if told_by(cell)}
    cells, notes = with_names(source, cells)
    last = {told_by(cell).get("grade_id"): i for i, cell in enumerate(cells)}
    kept = []
    for i, cell in enumerate(cells):
        key = told_by(cell).get("grade_id")
        if key in source and i == last[key]:
            kept.append(_as_in(source[key], cell))
        else:
            if key in source:
                notes.append(f"The cell {key} was there more than once.")
            kept += _without_name(cell, drop=key in source and kind_of(source[key]) in ("given", "check"))
    missing = [key for key in source if key not in last]
    for key in missing:
        _put_back(kept, source, key)
    if missing:
        notes.append(f"These cells were missing and have been put back: {', '.join(missing)}.")
    return kept, notes


def _as_in(original, cell):
    """Return a cell as the source has it, with the student's text where that is the student's to write."""
    text = cell.source if kind_of(original) in ("solution", "written") else original.source
    restored = nbformat.from_dict({**original, "source": text})
    if restored.cell_type == "code":
        restored.outputs, restored.execution_count = [], None
    return restored


def _without_name(cell, drop: bool) -> list:
    """Return a cell that nbgrader does not know, as a list; empty if it is to be dropped."""
    if drop:
        return []
    cell = nbformat.from_dict(cell)
    cell.metadata.pop("nbgrader", None)
    cell.id = secrets.token_hex(4)  # its own may be that of a cell of the source
    return [cell]


def _put_back(cells: list, source: dict, key: str) -> None:
    """Insert a missing cell after the one that precedes it in the source; a missing answer is empty."""
    order = list(source)
    before = set(order[: order.index(key)])
    place = max((i + 1 for i, cell in enumerate(cells) if told_by(cell).get("grade_id") in before), default=0)
    empty = nbformat.from_dict({**source[key], "source": ""})
    cells.insert(place, _as_in(source[key], empty))
