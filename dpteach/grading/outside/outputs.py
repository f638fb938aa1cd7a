"""What a marked notebook shows: what its cells printed and displayed, what the checks found, and what happened."""

from __future__ import annotations

from ...table import show
from ..line.language import Outcome
from .assignment import Assignment, Task, kind_of, told_by
from .harmless import plain_markdown
from .marking import Marked

MOST_CODE = 500_000  # signs of all that a student wrote in cells of code


def summary(task: Task, outcomes: list[Outcome]) -> str:
    """Write the outcomes of a task as text."""
    got = sum(outcome.points for outcome in outcomes)
    return "\n".join([*map(str, outcomes), f"→ {show(got)} of {show(task.points)} points."])


def with_notes(cells: list, notes: list[str]) -> list:
    """Put what happened above the cells, for the student and for whoever reads the notebook."""
    from nbformat.v4 import new_markdown_cell

    lines = ["**What happened**", "", *(f"- {plain_markdown(note)}" for note in notes)]
    return [new_markdown_cell("\n".join(lines)), *cells] if notes else cells


def without_bulk(cells: list) -> list:
    """Cut what students wrote where it becomes longer than anybody reads: to colour code takes long."""
    left = MOST_CODE
    for cell in cells:
        if cell.cell_type != "code" or kind_of(cell) in ("given", "check"):
            continue
        if len(cell.source) > left:
            cell.source = f"{cell.source[:left]}\n# … (the rest was cut)"
        left = max(0, left - len(cell.source))
    return cells


def with_outputs(marked: Marked, assignment: Assignment) -> list:
    """Return the cells with what they printed; below a check what it found, and the points as nbgrader reads them."""
    from nbformat.v4 import new_output

    for place, told in marked.outputs.items():
        if place < 0:
            continue
        marked.cells[place].outputs = _outputs(told)
    for cell in marked.cells:
        key = told_by(cell).get("grade_id", "")
        if key in assignment.tasks:
            text = summary(assignment.tasks[key], marked.outcomes[key])
            points = new_output("execute_result", {"text/plain": f"{marked.points(key):g}"}, execution_count=1)
            cell.outputs = [new_output("stream", name="stdout", text=text), points]
    return without_bulk(marked.cells)


def _outputs(told: dict) -> list:
    """Return what a cell printed, displayed and raised, in the form of a notebook."""
    from nbformat.v4 import new_output

    outputs = []
    text = told.get("text", "") + told.get("warnings", "")
    if text:
        outputs.append(new_output("stream", name="stdout", text=text))
    for data in told.get("shown", ()):
        outputs.append(new_output("display_data", data))
    if error := told.get("error"):
        name, words = error
        outputs.append(new_output("error", ename=name, evalue=words, traceback=[f"{name}: {words}"]))
    return outputs
