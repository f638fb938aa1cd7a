"""What the tests of the exercises share."""

import copy
import functools
import io
import shutil
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import pytest

from dpteach.grading.inside.answers import Here
from dpteach.grading.line.language import evaluate
from dpteach.grading.outside.assignment import Assignment, told_by

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
NAMES = sorted(path.name for path in (EXERCISES / "source").iterdir() if (path / f"{path.name}.ipynb").exists())


def source(name: str) -> Assignment:
    """Read an assignment."""
    return Assignment.read(EXERCISES / "source" / name / f"{name}.ipynb")


MADE = tempfile.TemporaryDirectory()
MAKE = """
import sys
from pathlib import Path
from dpteach.grading.outside.course import Course
course = Course(Path(sys.argv[1]))
for name in sys.argv[2:]:
    course.prepare(name)
"""


@functools.cache
def student_versions() -> Path:
    """Let nbgrader make all student versions, in a process of its own; return their folder.

    Those in `release` may have been used: students solve the tasks there.
    """
    pytest.importorskip("nbgrader")
    course = Path(MADE.name) / "course"
    shutil.copytree(EXERCISES / "source", course / "source")
    subprocess.run([sys.executable, "-c", MAKE, course, *NAMES], check=True, capture_output=True)
    return course / "release"


def student_version(name: str) -> Path:
    """Return the file of a student version that nobody has used."""
    return student_versions() / name / f"{name}.ipynb"


def student_cells(name: str) -> list:
    """Return the cells of the student version."""
    return nbformat.read(student_version(name), 4).cells


def with_answers(cells: list, answers: dict[str, str]) -> list:
    """Return cells in which some, named as nbgrader names them, have another text."""
    cells = copy.deepcopy(cells)
    for cell in cells:
        if (key := told_by(cell).get("grade_id")) in answers:
            cell.source = answers[key]
    return cells


def student_here(assignment: Assignment, code: str, student_id: str = "") -> Here:
    """Run one solution with the given cells, in this process; return the student whom checks can ask."""
    names = {"student_id": student_id}
    with redirect_stdout(io.StringIO()):
        for key in assignment.given:
            exec(assignment.given[key], names)
        exec(code, names)
    return Here(names)


def points_here(assignment: Assignment, task: str, code: str, student_id: str = "") -> tuple[float, list]:
    """Run one solution with the given cells, in this process, and the checks on it."""
    student = student_here(assignment, code, student_id)
    outcomes = [evaluate(one, student, assignment.tasks[task].is_hidden(one)) for one in assignment.checks[task]]
    return sum(outcome.points for outcome in outcomes), outcomes
