"""The exercises in a browser: a student solves a task and reads a hint, a teacher marks a written answer."""

from __future__ import annotations

import os
import shutil

import nbformat
import pytest
from browsing import REPOSITORY, run_all, serving, watched
from exercises.helpers import student_version

NAME = "1_composition_basics"
SOLVE = """async ([name, code]) => {
  const app = window.jupyterapp, notebook = app.shell.currentWidget.content;
  const place = notebook.widgets.findIndex(cell => cell.model.getMetadata("nbgrader")?.grade_id === name);
  notebook.widgets[place].model.sharedModel.setSource(code);
  notebook.activeCellIndex = place;
  notebook.deselectAll();
  await app.commands.execute("notebook:run-cell-and-select-next");
  await app.commands.execute("notebook:run-cell-and-select-next");
  return notebook.widgets[place + 1].model.outputs.toJSON().map(output => output.text).join("");
}"""


def printed(cell) -> str:
    return "".join("".join(output.get("text", "")) for output in cell.get("outputs", ()))


def test_a_student_solves_a_task_and_opens_a_hint(lab, page, screenshots):
    shutil.copy(student_version(NAME), lab.folder)
    cells = run_all(page, lab.page(f"{NAME}.ipynb"))
    checks = [printed(cell) for cell in cells if "check" in str(cell["metadata"].get("nbgrader", {}).get("grade_id"))]
    assert len(checks) == 10 and all("→ 0 of" in text for text in checks)

    wrong = page.evaluate(SOLVE, ["some_failure", "def some_failure(deltas):\n    return sum(deltas)"])
    assert "✗ two answers" in wrong and "counted twice" in wrong
    right = "def some_failure(deltas):\n    return 1 - prod(1 - delta for delta in deltas)"
    assert "✓ two answers" in page.evaluate(SOLVE, ["some_failure", right])

    hint = page.locator("details").first
    assert not hint.evaluate("hint => hint.open")
    hint.locator("summary").click()
    assert hint.evaluate("hint => hint.open")
    page.screenshot(path=screenshots / "exercise.png")


@pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
def test_a_teacher_marks_a_written_answer(chromium, tmp_path, screenshots):
    course_module = pytest.importorskip("dpteach.grading.outside.course", reason="nbgrader is not installed")
    from nbgrader.api import Gradebook

    from dpteach.grading.outside.marking import mark

    root = tmp_path / "course"
    shutil.copytree(REPOSITORY / "exercises" / "source" / NAME, root / "source" / NAME)
    shutil.copy(REPOSITORY / "exercises" / "nbgrader_config.py", root)
    course = course_module.Course(root)
    course.prepare(NAME)
    course.save("ada", NAME, mark(course.assignments[NAME], course.assignments[NAME].cells, "ada"))
    with Gradebook(course.directory.db_url) as gradebook:
        submission = gradebook.find_submission_notebook(NAME, NAME, "ada").id
    with serving(root, for_teachers=True) as server, watched(chromium) as page:
        page.goto(f"{server.address}/formgrader/submissions/{submission}", wait_until="networkidle")
        score = page.locator("input.score").last  # the written answer is the last task
        score.fill("1.5")
        with page.expect_response(lambda answer: answer.request.method == "PUT") as saved:
            score.press("Tab")
        assert saved.value.ok
        page.screenshot(path=screenshots / "formgrader.png")
    with Gradebook(course.directory.db_url) as gradebook:
        found = gradebook.find_submission(NAME, "ada")
        assert found.score == 29.5 and not found.needs_manual_grade


def test_the_source_opens_without_complaint(lab, page):
    """Teachers edit the source notebook: it is valid and JupyterLab has nothing to say about it."""
    path = REPOSITORY / "exercises" / "source" / NAME / f"{NAME}.ipynb"
    nbformat.validate(nbformat.read(path, 4))
    run_all(page, lab.copy(path))
    assert page.problems == []
