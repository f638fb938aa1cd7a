"""Exercise 1 solved in the browser, rightly and wrongly: the same messages as in Jupyter, and the same points."""

import nbformat
import pytest
from exercises.helpers import source, student_version, with_answers
from nbclient import NotebookClient

from dpteach.grading.outside.assignment import told_by
from dpteach.grading.outside.marking import mark
from dpteach.tools.notebooks import code_cells, difference
from dpteach.web.links import LITE
from exercises import variants_1_composition_basics as variants

NAME = "1_composition_basics"
PATIENCE = 1_200_000  # ms
KERNEL = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
RUN = """async (sources) => {
  const panel = window.jupyterapp.shell.currentWidget;
  sources.forEach((text, i) => panel.content.model.cells.get(i).sharedModel.setSource(text));
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
  return panel.context.model.toJSON();
}"""


def solved(table: dict) -> nbformat.NotebookNode:
    """Return the students' notebook with one answer of the table for every task."""
    answers = {task: next(iter(found.values())) for task, found in table.items()}
    notebook = nbformat.read(student_version(NAME), as_version=4)
    notebook.cells = with_answers(notebook.cells, answers)
    return notebook


@pytest.mark.parametrize("table", [variants.RIGHT, variants.WRONG], ids=["right", "wrong"])
def test_an_exercise_answers_in_the_browser_as_it_does_here(visitor, table):
    here = solved(table)
    visitor.set_default_timeout(PATIENCE)
    visitor.goto(f"{LITE}exercises/{NAME}/{NAME}.ipynb")
    visitor.wait_for_function(KERNEL)
    there = nbformat.from_dict(visitor.evaluate(RUN, [cell.source for cell in here.cells]))
    NotebookClient(here, timeout=600, allow_errors=True).execute()
    told = []
    for (_, one), (_, other) in zip(code_cells(here), code_cells(there), strict=True):
        if found := difference(one.outputs, other.outputs):
            told.append(f"{told_by(one).get('grade_id')}: {found[:300]}")
    assert not told
    assert points(there) == points(here)


def points(notebook: nbformat.NotebookNode) -> dict[str, float]:
    """Return the points of each task, as the grader gives them for the downloaded file."""
    marked = mark(source(NAME), notebook.cells, "")
    return {task: sum(outcome.points for outcome in outcomes) for task, outcomes in marked.outcomes.items()}
