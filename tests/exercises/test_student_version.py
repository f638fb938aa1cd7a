"""The student version: made from the source, complete, and without a solution, hidden check or output in it."""

import ast
import copy
import json
import re
from pathlib import Path

import nbformat
import pytest
from committed import committed
from exercises.helpers import EXERCISES, NAMES, source, student_cells, student_version
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from dpteach.figures import Picture
from dpteach.grading.outside.assignment import HIDDEN, STATED, kind_of, told_by

SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION(?=\n|$)", re.MULTILINE | re.DOTALL)


def released(name) -> Path:
    """Return the file that students get, and in which they may have worked."""
    return EXERCISES / "release" / name / f"{name}.ipynb"


def is_for_answers(cell) -> bool:
    """Say whether students write into a cell: their solutions, and who they are."""
    return bool(told_by(cell).get("solution")) or cell.source.startswith("student_id =")


def changes(made: list, mine: list) -> list[str]:
    """Name the cells that differ by more than the work of a student: answers, notes in new cells, outputs."""
    names = [cell.id for cell in made]
    of_mine = {cell.id: cell for cell in mine}
    added = [cell.id for cell in mine if cell.id not in names and told_by(cell)]
    if [cell.id for cell in mine if cell.id in names] != names:
        return ["cells are missing or not in order", *added]
    marks = [cell.id for cell in made if told_by(cell) != told_by(of_mine[cell.id])]  # with the checksum of the stub
    texts = [cell.id for cell in made if cell.source != of_mine[cell.id].source and not is_for_answers(cell)]
    return added + marks + texts


@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_nbgrader_makes_of_the_source(name):
    assert changes(student_cells(name), nbformat.read(released(name), 4).cells) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_one_is_exactly_that(name):
    text = nbformat.reads(committed(released(name)), 4)
    assert text.cells == student_cells(name)
    assert text.metadata.language_info == {"name": "python"}  # of what a kernel says of itself, nothing


def test_the_work_of_a_student_is_no_change_and_anything_else_is():
    made = student_cells(NAMES[0])
    place = {told_by(cell).get("grade_id", cell.id): i for i, cell in enumerate(made)}
    worked = copy.deepcopy(made)
    worked[place["loss"]].source = "def loss(y, with_ada, without, scale):\n    return 0"
    worked[place["loss"]].outputs = [new_output("stream", text="0")]
    worked[place["free-4"]].source = 'student_id = "ada"'
    worked.insert(3, new_markdown_cell("ask about this in class"))
    assert changes(made, worked) == []
    for break_it in (
        lambda cells: cells.pop(place["loss"]),
        lambda cells: cells.append(new_code_cell(metadata={"nbgrader": {"grade_id": "more"}})),
        lambda cells: setattr(cells[0], "source", "another title"),
        lambda cells: setattr(cells[place["free-24"]], "source", "pass"),
        lambda cells: cells[place["check_loss"]].metadata.nbgrader.update(points=99),
        lambda cells: cells[place["loss"]].metadata.nbgrader.update(checksum="of another stub"),
    ):
        broken = copy.deepcopy(made)
        break_it(broken)
        assert changes(made, broken)


def shown(cell) -> str:
    """Return what a student may see of a cell of the source, found in another way than nbgrader's."""
    if kind_of(cell) == "written":
        return "YOUR ANSWER HERE"
    text = SOLUTION.sub(r"\1pass  # your code here", HIDDEN.sub("", cell.source))
    return re.sub(r"\n+", "\n", text).strip()


@pytest.mark.parametrize("name", NAMES)
def test_students_see_what_stands_outside_the_marks_and_nothing_else(name):
    (path,) = (path for path in student_version(name).parent.rglob("*") if path.is_file())
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
    for path in (EXERCISES / "source" / name / f"{name}.ipynb", student_version(name)):
        for cell in nbformat.read(path, 4).cells:
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
def test_the_statement_names_what_may_not_be_called(name):
    assignment = source(name)
    statements = [cell.source for cell in assignment.cells if STATED.search(cell.source)]
    for (key, checks), text in zip(assignment.checks.items(), statements, strict=False):
        (part,) = {one.without for one in checks}
        assert (part == "dpteach") == text.split("\n")[0].endswith(", *by hand*"), key
        assert part in ("", "dpteach") or f"nothing of `{part}`" in text, key
    assert "*by hand*" in assignment.cells[0].source


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
