"""What comes out of grading: a page for each student, and a table that a learning management system can import."""

from __future__ import annotations

import csv
from html import escape
from pathlib import Path

from ..table import show
from .assignment import Assignment
from .marking import Marked
from .plain import readable

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
h2 { margin-bottom: 0; } ul { list-style: none; padding-left: 0; } .full { color: #00604a; } .less { color: #a03000; }
"""


def feedback_page(student: str, assignment: Assignment, marked: Marked) -> str:
    """Write a student's page: points and messages, no hidden check and no expected value."""
    out_of = sum(task.points for task in assignment.tasks.values())
    parts = [f"<h1>{escape(assignment.name)}: {escape(student)}</h1>"]
    parts.append(f"<p><strong>{show(marked.total)} of {show(out_of)} points</strong>{_open(assignment)}</p>")
    if marked.notes:
        parts.append("<h2>What happened</h2>" + _list(marked.notes))
    for i, (key, task) in enumerate(assignment.tasks.items(), 1):
        got = marked.points(key)
        style = "full" if got >= task.points else "less"
        title = f"Task {i}: {task.title}" if task.title else f"Task {i}"
        parts.append(f'<h2>{escape(title)} <span class="{style}">{show(got)} of {show(task.points)}</span></h2>')
        parts.append(_list(map(str, marked.outcomes.get(key, ()))))
    head = f'<meta charset="utf-8"><title>{escape(assignment.name)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _open(assignment: Assignment) -> str:
    points = sum(assignment.written.values())
    return f"; up to {show(points)} more for the written answer, which a person reads" if points else ""


def _list(lines) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def write_csv(path: Path, rows: list[tuple[str, str, Marked]], assignments: dict[str, Assignment]) -> None:
    """Write one line a submission: student, assignment, points, out of, what a person has to read, remarks."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["student_id", "assignment", "points", "max_points", "to_be_read", "remarks", "tasks"])
        for student, name, marked in rows:
            tasks = " ".join(f"{marked.points(key):g}/{task.points:g}" for key, task in assignments[name].tasks.items())
            out_of = sum(task.points for task in assignments[name].tasks.values())
            written = sum(assignments[name].written.values())
            cells = (student, name, f"{marked.total:g}", f"{out_of:g}", f"{written:g}", " ".join(marked.notes), tasks)
            writer.writerow(map(_harmless, cells))


def _harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    text = readable(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
