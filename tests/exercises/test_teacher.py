"""What a teacher stumbles over: pages that vanish, answers to be read twice, lateness that nobody sees."""

import contextlib
import copy
import csv
import os
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from exercises.helpers import NAMES, source
from nbformat.v4 import new_notebook

from dpteach.grading.line.language import check, evaluate, take_defined, that
from dpteach.grading.outside import command, pages, workers
from dpteach.grading.outside.submissions import Submission
from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
course_module = pytest.importorskip("dpteach.grading.outside.course", reason="nbgrader is not installed")
WRONG = "def attacked(x):\n    return x"


def notebook(answer: str = "YOUR ANSWER HERE", code: str | None = None):
    cells = copy.deepcopy(small.CELLS) if code is None else small.submission(code)
    return new_notebook(cells=[*cells, small.written(answer)])


def grade(root: Path) -> int:
    return command.main([str(root / "submitted"), "--course", str(root), "--workers", "1"])


def nbgrader(root: Path, *words: str) -> None:
    told = subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=root, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def table(root: Path) -> dict[str, dict]:
    with (root / "grades.csv").open(encoding="utf-8") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


def page(root: Path, student: str = "ada") -> str:
    return (root / "feedback" / student / "small" / "points.html").read_text(encoding="utf-8")


@contextlib.contextmanager
def gradebook(root: Path):
    """Open nbgrader's gradebook, and keep what is changed in it."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        yield book
        book.db.commit()


def give(root: Path, points: float, cell: str = "why", comment: str | None = None) -> None:
    """Give points by hand, as Formgrader does it."""
    with gradebook(root) as book:
        one = book.find_grade(cell, "small", "small", "ada")
        one.manual_score, one.needs_manual_grade = points, False
        if comment:
            book.find_comment(cell, "small", "small", "ada").manual_comment = comment


def to_be_read(root: Path, cell: str = "why") -> bool:
    with gradebook(root) as book:
        return book.find_grade(cell, "small", "small", "ada").needs_manual_grade


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """A course with one submission, graded."""
    made = small.make_course(tmp_path_factory.mktemp("teacher") / "course")
    small.hand_in(made, "ada", notebook("Because losses add up.", WRONG))
    assert grade(made) == 0
    return made


@pytest.fixture
def root(graded, tmp_path) -> Path:
    """A copy of the graded course."""
    return Path(shutil.copytree(graded, tmp_path / "course"))


def test_nbgraders_feedback_keeps_the_page_of_points_and_renews_it(root):
    assert "<strong>6 of 11 points so far</strong>: 6 of 9 from the checks; up to 2 for the written answer" in page(
        root
    )
    give(root, 1.5, comment="Well <i>said</i>")
    for _ in range(2):
        nbgrader(root, "generate_feedback", "small", "--force")
        assert "<strong>7.5 of 11 points</strong>: 6 of 9 from the checks; 1.5 of 2 for the written answer" in page(
            root
        )
        assert "Well &lt;i&gt;said&lt;/i&gt;" in page(root) and "✗ visible (0 of 1)" in page(root)
        assert (root / "feedback" / "ada" / "small" / "small.html").exists()


def test_nbgraders_own_autograde_leads_to_the_same_page(root):
    ours = page(root)
    nbgrader(root, "autograde", "small", "--force")
    nbgrader(root, "generate_feedback", "small", "--force")
    assert page(root) == ours
    assert grade(root) == 0 and page(root) == ours  # nbgrader has left read-only files


def test_an_answer_that_was_read_stays_read_until_it_changes(root):
    assert to_be_read(root)
    give(root, 2)
    assert grade(root) == 0 and not to_be_read(root)
    small.hand_in(root, "ada", notebook("Because they multiply.", WRONG))
    for _ in range(2):  # the second time nothing has changed, but nobody has read it yet
        assert grade(root) == 0 and to_be_read(root)
        assert table(root)["ada"]["to_be_read"] == "2" and table(root)["ada"]["written"] == "2"
        assert "to be read once more" in page(root)
    small.hand_in(root, "ada", notebook(code=WRONG))  # now it is empty, but a person has given points
    assert grade(root) == 0 and to_be_read(root)


def test_points_given_by_hand_for_a_check_are_looked_at_again_only_if_the_check_says_something_else(root):
    give(root, 2, "check_attacked")
    assert grade(root) == 0 and not to_be_read(root, "check_attacked")
    assert "(2 of 3, given by a person)" in page(root) and table(root)["ada"]["checked"] == "8"
    small.hand_in(root, "ada", notebook("Because losses add up."))
    assert grade(root) == 0 and to_be_read(root, "check_attacked")
    assert table(root)["ada"]["checked"] == "8"


def test_an_empty_answer_need_not_be_read(root):
    small.hand_in(root, "ben", notebook())
    assert grade(root) == 0
    assert table(root)["ben"]["to_be_read"] == "0" and table(root)["ben"]["score"] == "9"


def test_somebody_elses_claim_takes_no_points_away(root, capsys):
    """What was marked before stays in the gradebook, and strange names are shown without doing anything."""
    shutil.copytree(root / "source" / "small", root / "source" / "other")
    (root / "source" / "other" / "small.ipynb").rename(root / "source" / "other" / "other.ipynb")
    shutil.copy(root / "submitted" / "ada" / "small" / "small.ipynb", root / "submitted" / "ada_small.ipynb")
    (root / "submitted" / "eve").mkdir()
    (root / "submitted" / "eve" / "\x1b[2J\n[1/1] ada\udcff.ipynb".replace("/", "-")).write_text("{}")
    assert grade(root) == 1
    told = capsys.readouterr().out
    assert "2 submissions claim to be of ada" in told and "[1/" not in told and "\x1b" not in told
    assert "not marked: eve, ＼x1b［2J＼n［1-1］ ada＼udcff.ipynb" in told
    assert table(root)["ada"]["score"] == "" and "Not marked" in table(root)["ada"]["remarks"]
    with gradebook(root) as book:
        assert book.find_submission("small", "ada").score == 6


def test_an_empty_folder_takes_no_points_away(root):
    course = course_module.Course(root)
    for student in ("ada", "ben"):
        one = Submission(student, "small", None, "No notebook was handed in.")
        marked = workers.nothing(course.assignments["small"], one.note)
        command.write(course, one, marked)
        assert (command.KEPT in marked.notes) == (student == "ada")
    assert course.standing("ada", "small").total == 6 and course.standing("ben", "small").total == 0
    assert "6 of 11 points so far" in page(root, "ada") and "0 of 11 points" in page(root, "ben")


def test_a_spreadsheet_finds_no_formula(tmp_path):
    names = ["=1+1", "x;=cmd|'/c calc'!A1", "a;  @SUM(1)", "＝1", "-ada", "ada", "b; c-d=e"]
    rows = {(name, "small"): {"score": 1.0} for name in names}
    path = tmp_path / "grades.csv"
    for remarks in ({(name, "small"): f"{name} said so; +1" for name in names}, {}):  # the second time they are kept
        pages.write_csv(path, rows, pages.read_remarks(path) | remarks)
        with path.open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for text in row for cell in text.split(";")]
        assert not [cell for cell in cells if cell.strip()[:1] in set("=+-@＝＋－＠") - {""}]
    written = table(tmp_path)
    assert len(written) == len(names) and written["ada"]["remarks"] == "ada said so; '+1" and "b; c-d=e" in written
    assert all("said so" in row["remarks"] for row in written.values())


def test_a_refused_change_leaves_the_student_version_alone(root, capsys):
    course_module.Course(root).prepare("small")
    release = root / "release" / "small" / "small.ipynb"
    before = release.read_bytes()
    path = root / "source" / "small" / "small.ipynb"
    with_more = nbformat.read(path, 4)
    with_more.cells.append(small.cell(small.check_of("before", 5, "32"), "check_more", grade=True, points=3))
    nbformat.write(with_more, path)
    capsys.readouterr()
    assert grade(root) == 2
    assert "the gradebook holds marks for another version of small" in capsys.readouterr().err
    assert release.read_bytes() == before and not list(root.glob(".release-*"))
    assert table(root)["ada"]["score"] == "6"


def test_grading_leaves_what_was_solved_in_the_student_version_alone(tmp_path):
    made = small.make_course(tmp_path / "course")
    place = made / "release" / "small" / "small.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text("somebody's work")
    small.hand_in(made, "ada", notebook())
    assert grade(made) == 0 and place.read_text() == "somebody's work"


def test_a_source_with_other_points_is_told_to_the_gradebook(root):
    path = root / "source" / "small" / "small.ipynb"
    changed = nbformat.read(path, 4)
    changed.cells[-1].metadata.nbgrader["points"] = 4
    nbformat.write(changed, path)
    assert grade(root) == 0
    assert table(root)["ada"]["max_score"] == "13" and table(root)["ada"]["to_be_read"] == "4"


def test_lateness_is_in_the_table_and_on_the_page(root):
    assert table(root)["ada"]["handed_in"] and table(root)["ada"]["hours_late"] == ""  # there is no due date yet
    due = datetime(2031, 2, 3, 12)
    with gradebook(root) as book:
        book.find_assignment("small").duedate = due
    with (root / "nbgrader_config.py").open("a") as file:
        file.write("\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    course = course_module.Course(root)
    marked = course_module.Marked.told(nbformat.read(root / "autograded/ada/small/small.ipynb", 4).metadata["dpteach"])
    marked.cells = course.assignments["small"].cells
    standings = {}
    for student, late in {"ada": timedelta(hours=2.5), "ben": timedelta(0), "cleo": timedelta(hours=-1)}.items():
        standings[student] = course.save(student, "small", copy.deepcopy(marked), due + late)
    assert standings["ada"].penalty == 6 and standings["ada"].total == 0 and standings["ben"].total == 6
    course.write_table(root / "grades.csv", {})
    rows = table(root)
    assert [rows[name]["hours_late"] for name in ("ada", "ben", "cleo")] == ["2.5", "0", "0"]
    assert rows["ada"]["handed_in"] == "2031-02-03 14:30:00" and rows["ada"]["late_penalty"] == "6"
    assert rows["ada"]["score"] == "0" and rows["ben"]["late_penalty"] == "0"
    nbgrader(root, "generate_feedback", "small", "--force", "--student", "ada")
    assert "<strong>0 of 11 points</strong>" in page(root) and "6 off for handing in 2.5 hours late" in page(root)


def test_the_gradebook_says_what_nbgraders_own_steps_would_write(root):
    """The two ways to write a submission, by our statements and by nbgrader's steps, lead to the same rows."""
    small.hand_in(root, "ben", notebook())
    small.hand_in(root, "cleo", notebook("Why not?"))
    assert grade(root) == 0
    ours = rows_of(root)
    (root / "gradebook.db").unlink()
    nbgrader(root, "generate_assignment", "small", "--force")
    nbgrader(root, "autograde", "small", "--force")
    assert rows_of(root) == ours and len(ours) == 3 * (4 + 4)


def rows_of(root: Path) -> set:
    """Return all grades and comments in the gradebook."""
    with gradebook(root) as book:
        found = [one for name in ("ada", "ben", "cleo") for one in book.find_submission("small", name).notebooks]
        rows = {
            (
                one.student.id,
                grade.name,
                grade.auto_score,
                grade.manual_score,
                grade.needs_manual_grade,
                grade.max_score,
            )
            for one in found
            for grade in one.grades
        }
        return rows | {(one.student.id, said.name, said.comment) for one in found for said in one.comments}


def test_advice_is_for_those_who_have_not_passed():
    @check(points=1)
    def near_enough(student):
        """Within a tenth.

        Look again where
        the curves cross.
        """
        that(student.says == "right", "x")

    (one,) = take_defined()
    assert evaluate(one, SimpleNamespace(says="right")).message == "Within a tenth."
    lost = "not yet. Within a tenth. Look again where the curves cross."
    assert evaluate(one, SimpleNamespace(says="wrong"), hidden=True).message == lost


@pytest.mark.parametrize("name", NAMES)
def test_no_passed_check_says_what_to_do(name):
    ideas = [one.idea for checks in source(name).checks.values() for one in checks]
    assert not [idea for idea in ideas if "look again" in idea.casefold()]
