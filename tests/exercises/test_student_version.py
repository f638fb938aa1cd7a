"""The student version: made from the source, complete, and without a solution, hidden check or output in it."""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from exercises.helpers import EXERCISES, NAMES, source, student_cells

from dpteach.figures import Picture
from dpteach.grading.assignment import HIDDEN, STATED, kind_of, told_by

SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION(?=\n|$)", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Let nbgrader make all student versions, in a process of its own; return their folder."""
    pytest.importorskip("nbgrader")
    course = tmp_path_factory.mktemp("made") / "course"
    shutil.copytree(EXERCISES / "source", course / "source")
    code = "import sys; from pathlib import Path; from dpteach.grading.course import Course\n"
    code += "for name in sys.argv[2:]: Course(Path(sys.argv[1])).prepare(name)"
    subprocess.run([sys.executable, "-c", code, course, *NAMES], check=True, capture_output=True)
    return course / "release"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_nbgrader_makes_of_the_source(name, made):
    new, committed = (nbformat.read(root / name / f"{name}.ipynb", 4) for root in (made, EXERCISES / "release"))
    assert new == committed


def shown(cell) -> str:
    """Return what a student may see of a cell of the source, found in another way than nbgrader's."""
    if kind_of(cell) == "written":
        return "YOUR ANSWER HERE"
    text = SOLUTION.sub(r"\1pass  # your code here", HIDDEN.sub("", cell.source))
    return re.sub(r"\n+", "\n", text).strip()


@pytest.mark.parametrize("name", NAMES)
def test_students_see_what_stands_outside_the_marks_and_nothing_else(name):
    (path,) = (EXERCISES / "release" / name).rglob("*")  # one file
    mine = [shown(cell) for cell in source(name).cells]
    assert [re.sub(r"\n+", "\n", cell.source).strip() for cell in student_cells(name)] == mine
    text = path.read_text(encoding="utf-8")
    assert not re.search("BEGIN SOLUTION|END SOLUTION|HIDDEN TESTS|Marking scheme", text)
    assert set(json.loads(text)["metadata"]) == {"kernelspec", "language_info"}


@pytest.mark.parametrize("name", NAMES)
def test_no_model_solution_stands_in_a_visible_check(name):
    assignment = source(name)
    seen = "".join("".join(shown(cell).split()) for cell in assignment.cells if kind_of(cell) in ("check", "given"))
    for cell in assignment.cells:
        if kind_of(cell) == "solution":
            hidden = "\n".join(found[0] for found in SOLUTION.finditer(cell.source))
            returned = re.findall(r"(?:return|=) (.{12,})", hidden)
            assert [line for line in returned if "".join(line.split()) in seen and "numbers_of" not in line] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_outputs_and_no_foreign_metadata(name):
    for root in ("source", "release"):
        for cell in nbformat.read(EXERCISES / root / name / f"{name}.ipynb", 4).cells:
            assert set(cell.metadata) <= {"nbgrader", "tags", "deletable", "editable"}
            known = {"grade", "grade_id", "locked", "points", "schema_version", "solution", "task"}
            assert set(told_by(cell)) <= known | {"cell_type", "checksum"}
            if cell.cell_type == "code":
                assert not cell.outputs and cell.execution_count is None


@pytest.mark.parametrize("name", NAMES)
def test_tasks_say_points_minutes_and_section(name):
    assignment = source(name)
    assert len(assignment.tasks) >= 8 and len(assignment.written) == 1
    lecture = Path(EXERCISES.parent / "notebooks").glob(f"0{name[0]}_*.ipynb")
    headings = "\n".join(c.source for c in nbformat.read(next(lecture), 4).cells if c.cell_type == "markdown")
    for task in assignment.tasks.values():
        assert task.title and task.minutes > 0
        for section in re.findall(r"\d+", task.section):
            assert re.search(rf"^## {section}\.", headings, re.MULTILINE), f"{task.id}: no section {section}"
    stated = [STATED.search(cell.source) for cell in assignment.cells if STATED.search(cell.source)]
    graded = [*(t.points for t in assignment.tasks.values()), *assignment.written.values()]
    assert [float(found[3]) for found in stated] == graded


@pytest.mark.parametrize("name", NAMES)
def test_the_title_says_how_much_there_is(name):
    assignment = source(name)
    points, minutes = map(int, re.search(r"(\d+) points, about (\d+) minutes", assignment.cells[0].source).groups())
    stated = [found for cell in assignment.cells if (found := STATED.search(cell.source))]
    assert points == assignment.points and abs(minutes - sum(int(found[4]) for found in stated)) <= 5
    assert [int(found[1]) for found in stated] == list(range(1, len(stated) + 1))
    words = {9: "Nine", 10: "Ten", 11: "Eleven", 12: "Twelve"}
    assert assignment.cells[0].source.split("\n")[2].startswith(f"{words[len(assignment.tasks)]} tasks")


@pytest.mark.parametrize("name", NAMES)
def test_every_task_has_two_hints_and_a_hidden_check_or_no_need_of_one(name):
    assignment = source(name)
    statements = [cell.source for cell in assignment.cells if STATED.search(cell.source)][: len(assignment.tasks)]
    assert all(text.count("<details><summary>Hint") == 2 for text in statements)
    open_tasks = [key for key, task in assignment.tasks.items() if not any(map(task.is_hidden, assignment.checks[key]))]
    assert len(open_tasks) <= 2  # only where the check computes with whatever the student hands in


@pytest.mark.parametrize("name", NAMES)
def test_the_unsolved_student_version_runs_and_earns_nothing(name, capsys):
    names: dict = {}
    for cell in student_cells(name):
        if cell.cell_type == "code" and "picture" not in cell.metadata.get("tags", ()):
            exec(cell.source, names)
            printed = capsys.readouterr().out
            if kind_of(cell) == "check":
                assert "✓" not in printed and "→ 0 of" in printed, (told_by(cell)["grade_id"], printed)
                assert "Traceback" not in printed


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_shown_and_described(name):
    names: dict = {}
    shown = []
    for cell in student_cells(name):
        if cell.cell_type == "code" and kind_of(cell) != "check":
            *body, last = ast.parse(cell.source).body or [ast.Pass()]
            exec(compile(ast.Module(body, []), name, "exec"), names)
            if isinstance(last, ast.Expr):
                shown.append(eval(compile(ast.Expression(last.value), name, "eval"), names))
            else:
                exec(compile(ast.Module([last], []), name, "exec"), names)
    pictures = [one for one in shown if isinstance(one, Picture)]
    assert pictures and all(one.png().startswith(b"\x89PNG") and len(one.alt) > 20 for one in pictures)
