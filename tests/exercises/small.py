"""A small assignment for the tests of the grader: one task under attack, one honest task before it and one after it."""

import contextlib
import copy
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from dpteach.grading.line.limits import Limits
from dpteach.grading.outside.assignment import Assignment

LIMITS = Limits(cell_seconds=3, check_seconds=2, total_seconds=40)
SECRET = "271828"  # stands in a hidden check only


def cell(code: str, name: str, grade=False, solution=False, points=0, tags=()):
    made = new_code_cell(code)
    made.metadata.nbgrader = {
        "grade_id": name, "grade": grade, "solution": solution, "locked": not solution, "points": points,
        "schema_version": 3, "task": False,
    }  # fmt: skip
    if tags:
        made.metadata.tags = list(tags)
    return made


def check_of(function: str, factor: int, hidden: str) -> str:
    return f'''
@check(points=1)
def visible(student):
    """The factor is right for 2."""
    near(student.{function}(2), {2 * factor}, "multiply by {factor}")


### BEGIN HIDDEN TESTS
@check(points=2)
def other_numbers(student):
    """The factor is right for other numbers."""
    near(student.{function}({hidden}), {int(hidden) * factor}, "the hidden number is {hidden}")
### END HIDDEN TESTS


report(points=3)
'''


CELLS = [
    cell("import math\nimport numpy as np\nfrom dpteach.grading import *", "setup", tags=["shared"]),
    cell("def before(x):\n    return 5 * x", "before", solution=True),
    cell(check_of("before", 5, "31"), "check_before", grade=True, points=3),
    cell("def attacked(x):\n    return 7 * x", "attacked", solution=True),
    cell(check_of("attacked", 7, SECRET), "check_attacked", grade=True, points=3),
    cell("def after(x):\n    return np.abs(11 * x)", "after", solution=True),
    cell(check_of("after", 11, "77"), "check_after", grade=True, points=3),
]


def path_of(folder):
    """Write the assignment to a folder; return where it is."""
    path = folder / "small.ipynb"
    nbformat.write(new_notebook(cells=CELLS), path)
    return path


def assignment(folder) -> Assignment:
    """Write the assignment to a folder and read it."""
    return Assignment.read(path_of(folder))


def submission(code: str) -> list:
    """Return a submission whose middle task has this code."""
    cells = copy.deepcopy(CELLS)
    cells[3].source = code
    return cells


def open_to_all(folder) -> None:
    """Let everybody write to a folder of a test: as root, student code runs as somebody else."""
    for place in (folder, *folder.parents[:2]):
        with contextlib.suppress(PermissionError):
            place.chmod(0o777)


# ------------------------------------------------------------------------------------ a course with a written answer


def written(text: str, attachments: dict | None = None):
    """Return the cell of a written answer."""
    made = new_markdown_cell(text)
    made.metadata.nbgrader = {
        "grade_id": "why", "grade": True, "solution": True, "locked": False, "points": 2,
        "schema_version": 3, "task": False,
    }  # fmt: skip
    if attachments:
        made.attachments = attachments
    return made


def make_course(root: Path) -> Path:
    """Make a course whose only assignment is the small one, with a written answer at its end."""
    configuration = Path(__file__).resolve().parents[2] / "exercises" / "nbgrader_config.py"
    (root / "source" / "small").mkdir(parents=True)
    nbformat.write(new_notebook(cells=[*CELLS, written("YOUR ANSWER HERE")]), root / "source" / "small" / "small.ipynb")
    shutil.copy(configuration, root)
    return root


def hand_in(root: Path, student: str, notebook, name: str = "small") -> Path:
    """Write a submission; return its folder."""
    path = root / "submitted" / student / "small" / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path.parent
