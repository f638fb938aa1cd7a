"""What the tests of the exercises share."""

import copy
import io
from contextlib import redirect_stdout
from pathlib import Path

from dpteach.grading.assignment import Assignment, told_by
from dpteach.grading.language import Here, evaluate

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
NAMES = sorted(path.name for path in (EXERCISES / "source").iterdir() if (path / f"{path.name}.ipynb").exists())


def source(name: str) -> Assignment:
    """Read an assignment."""
    return Assignment.read(EXERCISES / "source" / name / f"{name}.ipynb")


def student_cells(name: str) -> list:
    """Return the cells of the student version."""
    import nbformat

    return nbformat.read(EXERCISES / "release" / name / f"{name}.ipynb", 4).cells


def with_answers(cells: list, answers: dict[str, str]) -> list:
    """Return cells in which some, named as nbgrader names them, have another text."""
    cells = copy.deepcopy(cells)
    for cell in cells:
        if (key := told_by(cell).get("grade_id")) in answers:
            cell.source = answers[key]
    return cells


def points_here(assignment: Assignment, task: str, code: str, student_id: str = "") -> tuple[float, list]:
    """Run one solution with the given cells, in this process, and the checks on it."""
    names = {"student_id": student_id}
    with redirect_stdout(io.StringIO()):
        for key in assignment.given:
            exec(assignment.given[key], names)
        exec(code, names)
    student = Here(names)
    outcomes = [evaluate(one, student, assignment.tasks[task].is_hidden(one)) for one in assignment.checks[task]]
    return sum(outcome.points for outcome in outcomes), outcomes
