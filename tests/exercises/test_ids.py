"""Numbers of one's own: the submission's id counts, whatever the notebook says."""

import copy
import os

import pytest
from exercises.helpers import NAMES, source

from dpteach.grading.outside.assignment import only_draws
from dpteach.grading.outside.marking import mark

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
ASSIGNMENT = source("1_composition_basics")
FULL = ASSIGNMENT.checked_points


def solved_by(typed: str) -> list:
    """Return the model solution with an id typed in."""
    cells = copy.deepcopy(ASSIGNMENT.cells)
    (cell,) = [cell for cell in cells if cell.source == 'student_id = ""']
    cell.source = f"student_id = {typed!r}"
    return cells


@pytest.mark.parametrize("typed", ["", " M17 "])
def test_ones_own_id_or_none_is_fine(typed):
    marked = mark(ASSIGNMENT, solved_by(typed), "m17")
    assert marked.total == FULL and not marked.notes


@pytest.mark.parametrize("name", [name for name in NAMES if name != ASSIGNMENT.name])
def test_all_other_solved_sources_get_full_marks_in_isolation(name):
    assignment = source(name)
    marked = mark(assignment, assignment.cells, "ada")
    assert marked.total == assignment.checked_points and not marked.notes


@pytest.mark.parametrize("typed, required", [("m18", False), ("", True)])
def test_a_borrowed_or_missing_id_does_not_help(typed, required):
    marked = mark(ASSIGNMENT, solved_by(typed), "m17", ids_required=required)
    assert marked.total < FULL and "this submission is of 'm17'" in marked.notes[0]
    assert marked.points("check_loss") == 2


def test_what_only_a_drawing_cell_defines_may_be_used():
    cells = [cell for cell in solved_by("") if not only_draws(cell) or "advanced6" in cell.source]  # drawing takes time
    crossing = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "crossing")
    crossing.source = "crossing = next(int(k) for k, price in zip(many, advanced6) if price <= k * eps6 / 2)"
    marked = mark(ASSIGNMENT, cells, "m17")
    assert marked.total == FULL and not marked.notes


def test_a_task_says_what_stopped_its_cell():
    cells = solved_by("")
    price = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "price")
    price.source = "def price(k, eps, delta:\n    return 1"
    marked = mark(ASSIGNMENT, cells, "m17")
    assert marked.total == FULL - 3
    assert "is not defined" in marked.outcomes["check_price"][0].message
    assert marked.outcomes["check_price"][0].message.endswith("The cell of this task stopped with SyntaxError.")
    assert "ipython-input" not in " ".join(marked.notes)
