"""Grading a folder: gradebook, table, pages; and the commands of exercises/README.md."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC
from pathlib import Path

import nbformat
import pytest
from exercises.helpers import EXERCISES, points_here, source, with_answers
from nbformat.v4 import new_notebook

from dpteach import grading
from dpteach.__main__ import COMMANDS
from dpteach.grading.outside import command, submissions, workers
from dpteach.grading.outside.assignment import Assignment
from dpteach.table import show
from exercises import small

pytest.importorskip("nbgrader")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
course_module = pytest.importorskip("dpteach.grading.outside.course")
NAME = "1_composition_basics"
ASSIGNMENT = source(NAME)
FULL = ASSIGNMENT.checked_points
ADA = FULL - 1 - ASSIGNMENT.tasks["check_price"].points  # her loss is for counts one apart, her price ends
FILES = {  # student: (name of the file, its text)
    "ada": (f"{NAME}.ipynb", None),
    "ben": (f"{NAME}.ipynb", '{"cells": ['),
    "cleo": ("my homework.ipynb", None),
    "dan": (f"{NAME}.ipynb", "[" * 100_000),
    "eve": (
        f"{NAME}.ipynb",
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": 7, "cells": [1, {"source": 2}]}),
    ),
    "=fay": (f"{NAME}.ipynb", ""),
}


def environment() -> dict:
    return os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def guide() -> str:
    return (EXERCISES / "README.md").read_text(encoding="utf-8")


BLOCKS = re.findall(r"^```sh\n(.*?)^```", guide(), re.MULTILINE | re.DOTALL)  # the commands of the guide


def run(block: str, course: Path) -> subprocess.CompletedProcess:
    """Run commands of the guide in a course."""
    return subprocess.run(["bash", "-ec", block], cwd=course, env=environment(), capture_output=True, text=True)


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """Make a course with one assignment and some submissions; ada solved all but two tasks."""
    root = tmp_path_factory.mktemp("course") / "exercises"
    shutil.copytree(EXERCISES / "source" / NAME, root / "source" / NAME)
    shutil.copy(EXERCISES / "nbgrader_config.py", root)
    made = run(BLOCKS[0], root)
    assert "generate_assignment" in BLOCKS[0] and made.returncode == 0, made.stderr
    released = nbformat.read(root / "release" / NAME / f"{NAME}.ipynb", 4).cells
    answers = {told["grade_id"]: cell.source for cell in ASSIGNMENT.cells if (told := cell.metadata.get("nbgrader"))}
    answers |= {
        "loss": "def loss(y, a, b, scale):\n    return min(1, max(-1, abs(y - b) - abs(y - a))) / scale",
        "price": "import os\nos._exit(0)",
    }
    for student, (file, text) in FILES.items():
        path = root / "submitted" / student / NAME / file
        path.parent.mkdir(parents=True)
        if text is None:
            own = answers if student == "ada" else {"loss": answers["loss"]}
            nbformat.write(new_notebook(cells=with_answers(released, own)), path)
        else:
            path.write_text(text)
    (root / "submitted" / "ada" / NAME / "timestamp.txt").write_text("2031-02-03 04:05:06 UTC")
    (root / "submitted" / "cleo" / "drafts").mkdir()
    (root / "submitted" / "cleo" / "drafts" / "first try.ipynb").write_text("{}")
    (root / "submitted" / "gus").mkdir()
    (root / "submitted" / "hal" / NAME).mkdir(parents=True)
    (root / "submitted" / "hal" / NAME / f"{NAME}.ipynb").symlink_to(root / "source" / NAME / f"{NAME}.ipynb")
    return root


@pytest.fixture(scope="module")
def graded(course) -> str:
    """Grade the folder as the guide says; return what was printed."""
    told = run(BLOCKS[1], course)
    assert "dpteach grade" in BLOCKS[1] and told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def test_everybody_is_marked(course, graded):
    rows = {row["student_id"]: row for row in csv.DictReader((course / "grades.csv").open(encoding="utf-8"))}
    assert {name: float(row["score"]) for name, row in rows.items()} == {
        "ada": ADA, "ben": 0, "cleo": 1, "dan": 0, "eve": 0, "'=fay": 0, "gus": 0, "hal": 0
    }  # fmt: skip
    assert "is called my homework.ipynb" in rows["cleo"]["remarks"]
    assert "not a notebook" in rows["ben"]["remarks"] and "not a notebook" in rows["dan"]["remarks"]
    assert "is a link" in rows["hal"]["remarks"]
    assert "No notebook was handed in" in rows["gus"]["remarks"]
    assert [rows["ada"][f"task_{i}"] for i in range(1, 6)] == ["1", "2", "2", "3", "0"]
    assert float(rows["ada"]["max_score"]) == ASSIGNMENT.points and rows["ada"]["to_be_read"] == "2"
    assert "2 files were handed in" in rows["cleo"]["remarks"]
    assert graded.count("[") == 8 and "[8/8]" in graded


def test_the_gradebook_says_the_same(course, graded):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        submission = gradebook.find_submission(NAME, "ada")
        assert submission.score == ADA and submission.max_score == ASSIGNMENT.points and submission.needs_manual_grade
        assert gradebook.find_submission(NAME, "ben").score == 0


def test_pages_tell_points_and_messages_but_no_secret(course, graded):
    page = (course / "feedback" / "ada" / NAME / "points.html").read_text(encoding="utf-8")
    assert f"{show(ADA)} of {show(ASSIGNMENT.points)} points so far" in page  # the grand total
    assert f"{show(ADA)} of {show(FULL)} from the checks; up to 2 for the written answer" in page
    assert "ended its process" in page
    assert "more noise must make the loss smaller" in page
    hidden = "".join(re.findall(r"HIDDEN TESTS(.*?)### END", "".join(c.source for c in ASSIGNMENT.cells), re.DOTALL))
    code = [line.strip() for line in hidden.splitlines() if "student" in line or "for " in line]
    assert code and not any(line in page for line in code)
    assert all((course / "feedback" / student / NAME / "points.html").exists() for student in FILES)


def test_the_marked_notebook_tells_what_happened(course, graded):
    notebook = nbformat.read(course / "autograded" / "ada" / NAME / f"{NAME}.ipynb", 4)
    assert "The cell of task 5 ended its process" in notebook.cells[0].source


def test_when_it_arrived_is_in_the_gradebook(course, graded):
    from nbgrader.api import Gradebook

    arrived = os.stat(course / "submitted" / "ada" / NAME / f"{NAME}.ipynb").st_ctime
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        told = gradebook.find_submission(NAME, "ada").timestamp  # her timestamp.txt says something else
    assert abs(told.replace(tzinfo=UTC).timestamp() - arrived) < 1


def test_the_other_commands_of_the_guide(course, graded):
    assert len(BLOCKS) >= 4
    for block in BLOCKS[2:]:
        told = run(block, course)
        if "autograde" in block:  # it complains about files that are no notebooks or have other names, and goes on
            failed = re.findall(r"error processing assignment '.*' for student '(.*)'", told.stdout + told.stderr)
            assert sorted(failed) == ["=fay", "ben", "cleo", "dan", "eve"], told.stderr
        else:
            assert told.returncode == 0, block + told.stdout + told.stderr
    rows = {row["student_id"]: row for row in csv.DictReader((course / "marks.csv").open(encoding="utf-8"))}
    assert float(rows["ada"]["score"]) == ADA and float(rows["hal"]["score"]) == 0
    page = (course / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "BEGIN HIDDEN" not in page and "def many_coins" not in page
    assert "ended its process" in page


def test_what_is_read_by_a_person_stays_when_a_student_is_marked_again(course, graded):
    from nbgrader.api import Gradebook

    (written,) = ASSIGNMENT.written
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade(written, NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        gradebook.find_comment(written, NAME, NAME, "ada").manual_comment = "<b>Well</b> said"
        gradebook.db.commit()
    folder = course.parent / "again"
    shutil.copytree(course / "submitted" / "ada", folder / "ada")
    assert command.main([str(folder), "--course", str(course), "--workers", "1"]) == 0
    rows = {row["student_id"]: row for row in csv.DictReader((course / "grades.csv").open(encoding="utf-8"))}
    assert len(rows) == 8 and "not a notebook" in rows["ben"]["remarks"]  # the others are still there
    assert float(rows["ada"]["score"]) == ADA + 1.5 and rows["ada"]["to_be_read"] == "0"  # the answer is as it was
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.find_submission_notebook(NAME, NAME, "ada").late_submission_penalty = 4
        gradebook.db.commit()
    course_module.Course(course).write_table(course.parent / "late.csv", {})
    late = {row["student_id"]: row for row in csv.DictReader((course.parent / "late.csv").open(encoding="utf-8"))}
    assert float(late["ada"]["score"]) == ADA + 1.5 - 4  # as nbgrader's own export has it
    page = (course / "feedback" / "ada" / NAME / "points.html").read_text(encoding="utf-8")
    assert f"{show(ADA + 1.5)} of {show(ASSIGNMENT.points)} points</strong>" in page
    assert "Your written answer" in page and "(1.5 of 2)" in page and "&lt;b&gt;Well&lt;/b&gt; said" in page


REFUSED = {
    "no folder": (["nowhere"], "FOLDER must be a folder"),
    "nobody": (["source/empty"], "there are no submissions"),
    "one student's": (["submitted/ada"], "looks like that of one"),
    "no such assignment": (["submitted", "--assignment", "nope"], "--assignment must be one of 1_composition_basics"),
    "no time": (["submitted", "--seconds", "0"], "--seconds must be from 1"),
    "no workers": (["submitted", "--workers", "0"], "--workers must be at least 1"),
    "no place for the table": (["submitted", "--csv", "nowhere/table.csv"], "--csv must be in a folder"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_impossible_options_are_told_before_anything_is_marked(case, course, graded, capsys, monkeypatch):
    (course / "source" / "empty").mkdir(exist_ok=True)
    monkeypatch.chdir(course)
    options, sentence = REFUSED[case]
    assert command.main([*options, "--course", str(course)]) == 2
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1


def test_a_missing_nbgrader_is_told(monkeypatch, capsys):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    assert command.main(["submitted"]) == 2
    assert "grading needs nbgrader" in capsys.readouterr().err


def test_another_version_of_the_source_is_told(course, graded, tmp_path, capsys):
    root = tmp_path / "changed"
    shutil.copytree(course, root, symlinks=True)
    path = root / "source" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, 4)
    del notebook.cells[7]  # the check of the first task
    nbformat.write(notebook, path)
    assert command.main([str(root / "submitted"), "--course", str(root)]) == 2
    assert "holds marks for another version" in capsys.readouterr().err


def test_files_that_do_not_tell_for_which_assignment_they_are_appear_in_the_table(course, graded, tmp_path, capsys):
    assignments = {NAME: ASSIGNMENT, "2_other": small.assignment(tmp_path)}
    folder = tmp_path / "submitted"
    (folder / "ida").mkdir(parents=True)
    (folder / "jon").mkdir()
    (folder / "ida" / "x.ipynb").write_text("{")
    found = submissions.find(folder, assignments)
    assert [(one.student, one.assignment) for one in found] == [("ida", ""), ("jon", "")]
    assert [one.assignment for one in submissions.find(folder, assignments, NAME)] == [NAME, NAME]
    (folder / "ada").mkdir()  # who has got her points already
    for place in (f"ada/{NAME}.ipynb", f"ada_{NAME}.ipynb"):
        (folder / place).write_text("{}")
    found = submissions.find(folder, assignments)
    options = command.parser().parse_args([str(folder)])
    options.csv = tmp_path / "table.csv"
    with workers.Crew(course, assignments, [], options) as crew:
        assert command.grade(course_module.Course(course), found, options, crew) == 1
    assert "not marked: ida, x.ipynb. For which assignment" in capsys.readouterr().out
    rows = {row["student_id"]: row for row in csv.DictReader(options.csv.open(encoding="utf-8"))}
    assert rows["ida"]["remarks"].startswith("Not marked.") and rows["ida"]["score"] == ""
    assert "2 submissions claim to be of ada" in rows["ada"]["remarks"] and rows["ada"]["score"] == ""


def test_the_kit_for_students_is_made_by_a_command_that_exists():
    (block,) = re.findall(r"^```bash\n(.*?)^```", guide(), re.MULTILINE | re.DOTALL)  # tests/test_pack.py runs it
    assert block.removeprefix("python -m dpteach ").strip() in COMMANDS


def test_the_task_of_the_guide_works(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", guide(), re.MULTILINE | re.DOTALL)
    cells = [
        small.cell("from dpteach.grading import *", "setup", tags=["shared"]),
        small.cell("def cost(eps, k):\n    return k * eps", "cost", solution=True),
        small.cell(code, "check_cost", grade=True, points=3),
    ]
    nbformat.write(new_notebook(cells=cells), tmp_path / "guide.ipynb")
    assignment = Assignment.read(tmp_path / "guide.ipynb")
    assert points_here(assignment, "check_cost", cells[1].source)[0] == 3
    assert points_here(assignment, "check_cost", "def cost(eps, k):\n    return eps**k")[0] == 0


def test_the_guide_names_what_exists():
    """Every file, option, setting and word of the check language that the guide mentions is there."""
    text = guide()
    for option in re.findall(r"`(--[a-z]+)`", text):
        assert option in command.parser().format_help()
    for setting in re.findall(r"c\.MarkInIsolation\.(\w+)", text):
        assert setting in course_module.MarkInIsolation.class_trait_names()
    words = re.findall(r"`(\w+)\(", text)
    assert {"near", "mistake", "pick", "number"} <= set(words)
    assert all(hasattr(grading, word) or word == "cost" for word in words)
