"""What comes out of grading: a page for each student, and a table that a learning management system can import."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from ...table import show
from ..line.plain import readable
from .assignment import Assignment
from .marking import Marked

STYLE = """
:root { color-scheme: light dark; --full: #00604a; --less: #a03000; }
@media (prefers-color-scheme: dark) { :root { --full: #5fd3b0; --less: #ffa57a; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin: 1.5rem 0 0; font-size: 1.15rem; } h2 span { white-space: nowrap; }
ul { list-style: none; padding: 0; margin: 0.25rem 0; } li { padding-left: 1.4rem; text-indent: -1.4rem; }
code { font-size: 0.95em; overflow-wrap: anywhere; } .full { color: var(--full); } .less { color: var(--less); }
"""
COLUMNS = ["student_id", "assignment", "score", "max_score", "checked", "written", "to_be_read", "remarks"]

Read = list[tuple[float | None, float, str]]  # points, out of and comment of each written answer


def feedback_page(student: str, assignment: Assignment, marked: Marked, read: Read = ()) -> str:
    """Write a student's page: points and messages, no hidden check and no expected value."""
    out_of = assignment.checked_points
    parts = [f"<h1>{escape(assignment.title)}</h1>", f"<p>{escape(student)}</p>"]
    parts.append(f"<p><strong>{show(marked.total)} of {show(out_of)} points</strong> from the checks{_open(read)}</p>")
    if marked.notes:
        parts.append("<h2>What happened</h2>" + _list(marked.notes))
    if any(outcome.answered for outcomes in marked.outcomes.values() for outcome in outcomes):
        for i, (key, task) in enumerate(assignment.tasks.items(), 1):
            parts.append(_heading(f"Task {i}. {task.title}", marked.points(key), task.points))
            parts.append(_list(map(str, marked.outcomes.get(key, ()))))
    for points, most, comment in read:
        if points is not None:
            parts.append(
                _heading("Your written answer", points, most) + (f"<p>{_words(comment)}</p>" if comment else "")
            )
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>{escape(assignment.title)}: {escape(student)}</title><style>{STYLE}</style>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _heading(title: str, got: float, most: float) -> str:
    style = "full" if got >= most else "less"
    return f'<h2>{escape(title)} <span class="{style}">({show(got)} of {show(most)})</span></h2>'


def _open(read: Read) -> str:
    points = sum(most for points, most, _ in read if points is None)
    return f"; up to {show(points)} more for the written answer, which a person reads" if points else ""


def _list(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{_words(line)}</li>" for line in lines) + "</ul>"


def _words(text: str) -> str:
    """Write a sentence; what stands in backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


# ------------------------------------------------------------------------------------------------------- the table


def write_csv(path: Path, rows: dict[tuple[str, str], dict], remarks: dict[tuple[str, str], str]) -> None:
    """Write one line a submission, sorted by student and assignment."""
    most = max((sum(name.startswith("task_") for name in row) for row in rows.values()), default=0)
    columns = COLUMNS + [f"task_{i}" for i in range(1, most + 1)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for (student, name), row in sorted(rows.items()):
            words = {"student_id": student, "assignment": name, "remarks": remarks.get((student, name), "")}
            numbers = {column: f"{value:g}" for column, value in row.items()}
            writer.writerow({column: _harmless(text) for column, text in words.items()} | numbers)


def read_remarks(path: Path) -> dict[tuple[str, str], str]:
    """Return the remarks of a table that was written before; none if there is none, or it is somebody else's."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["assignment"]]
            return {(row["student_id"].removeprefix("'"), row["assignment"]): row["remarks"] for row in rows}
    except (OSError, KeyError, ValueError, csv.Error):
        return {}


def _harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    text = readable(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
