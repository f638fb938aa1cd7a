"""What comes out of grading: a page for each student, and a table that a learning management system can import."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from datetime import timedelta
from html import escape
from pathlib import Path

from ...table import show
from ..line.plain import readable
from .assignment import Assignment
from .gradebook import Score, Standing
from .marking import Marked

STYLE = """
:root { color-scheme: light dark; --full: #00604a; --less: #a03000; }
@media (prefers-color-scheme: dark) { :root { --full: #5fd3b0; --less: #ffa57a; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin: 1.5rem 0 0; font-size: 1.15rem; } h2 span { white-space: nowrap; }
ul { list-style: none; padding: 0; margin: 0.25rem 0; } li { padding-left: 1.4rem; text-indent: -1.4rem; }
code { font-size: 0.95em; overflow-wrap: anywhere; } .full { color: var(--full); } .less { color: var(--less); }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # whatever gets in here, no browser runs it or fetches it
FORMULA = re.compile(r"(^|; *)(?=[=+@＝＋－＠-])")  # in some countries a semicolon begins the next cell
COLUMNS = ["student_id", "assignment", "score", "max_score", "checked", "written", "to_be_read",
           "handed_in", "hours_late", "late_penalty", "remarks"]  # fmt: skip


def write_text(path: Path, text: str) -> None:
    """Write a file at once or not at all, also where nbgrader has left a read-only one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def write_page(folder: Path, student: str, assignment: Assignment, marked: Marked, standing: Standing) -> None:
    """Write a student's page of points."""
    write_text(folder / "points.html", feedback_page(student, assignment, marked, standing))


def feedback_page(student: str, assignment: Assignment, marked: Marked, standing: Standing) -> str:
    """Write a student's page: points and messages, no hidden check and no expected value."""
    parts = [f"<h1>{escape(assignment.title)}</h1>", f"<p>{escape(student)}</p>", *_totals(assignment, standing)]
    if marked.notes:
        parts.append("<h2>What happened</h2>" + _list(marked.notes))
    if any(outcome.answered for outcomes in marked.outcomes.values() for outcome in outcomes):
        for i, (key, task) in enumerate(assignment.tasks.items(), 1):
            parts.append(_heading(f"Task {i}. {task.title}", standing.of(key), marked.points(key)))
            parts.append(_list(map(str, marked.outcomes.get(key, ()))))
    for score in written_scores(assignment, standing):
        if score.by_a_person:
            comment = f"<p>{_words(score.comment)}</p>" if score.comment else ""
            parts.append(_heading("Your written answer", score, score.points) + comment)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    head += f"<title>{escape(assignment.title)}: {escape(student)}</title><style>{STYLE}</style>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def written_scores(assignment: Assignment, standing: Standing) -> list[Score]:
    """Return what the gradebook says of the written answers."""
    return [standing.scores[name] for name in assignment.written if name in standing.scores]


def checked_points(assignment: Assignment, standing: Standing) -> float:
    """What the tasks with checks got."""
    return sum(standing.of(task).points for task in assignment.tasks)


def _totals(assignment: Assignment, standing: Standing) -> list[str]:
    """Write the sum of all points, and what it is made of."""
    written = written_scores(assignment, standing)
    unread = sum(score.most for score in written if score.unread)
    so_far = " so far" if unread else ""
    parts = [f"{show(checked_points(assignment, standing))} of {show(assignment.checked_points)} from the checks"]
    if read := [score for score in written if not score.unread]:
        got, most = sum(score.points for score in read), sum(score.most for score in read)
        parts.append(f"{show(got)} of {show(most)} for the written answer")
    if unread:
        parts.append(f"up to {show(unread)} for the written answer, which a person reads")
    if standing.late:
        parts.append(f"{show(standing.penalty)} off for handing in {_time(standing.late)} late")
    total = f"{show(standing.total)} of {show(assignment.points)} points{so_far}"
    return [f"<p><strong>{total}</strong>: {'; '.join(parts)}.</p>"]


def _time(span: timedelta) -> str:
    """Write a span of time in the unit that fits."""
    for unit, seconds in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if span.total_seconds() >= 2 * seconds:
            return f"{show(round(span.total_seconds() / seconds, 1))} {unit}"
    return f"{show(round(span.total_seconds()))} seconds"


def _heading(title: str, score: Score, from_checks: float) -> str:
    style = "full" if score.points >= score.most else "less"
    person = ", given by a person" if score.points != from_checks else ""
    again = ", to be read once more" if score.by_a_person and score.unread else ""
    told = f"({show(score.points)} of {show(score.most)}{person}{again})"
    return f'<h2>{escape(title)} <span class="{style}">{told}</span></h2>'


def _list(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{_words(line)}</li>" for line in lines) + "</ul>"


def _words(text: str) -> str:
    """Write a sentence; what stands in backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


# ------------------------------------------------------------------------------------------------------- the table


def table_line(standing: Standing, assignment: Assignment) -> dict[str, float | str]:
    """Return a line of the table: all points, those of the checks and of written answers, when it came, each task."""
    written = written_scores(assignment, standing)
    line = {
        "score": standing.total,
        "max_score": assignment.points,
        "checked": checked_points(assignment, standing),
        "written": sum(score.points for score in written),
        "to_be_read": sum(score.most for score in written if score.unread),
        "handed_in": f"{standing.handed_in:%Y-%m-%d %H:%M:%S}" if standing.handed_in else "",
        "hours_late": "" if standing.late is None else round(standing.late.total_seconds() / 3600, 2),
        "late_penalty": standing.penalty,
    }
    return line | {f"task_{i}": standing.of(task).points for i, task in enumerate(assignment.tasks, 1)}


def write_csv(path: Path, rows: dict[tuple[str, str], dict], remarks: dict[tuple[str, str], str]) -> None:
    """Write one line a submission, sorted by student and assignment."""
    most = max((sum(name.startswith("task_") for name in row) for row in rows.values()), default=0)
    columns = COLUMNS + [f"task_{i}" for i in range(1, most + 1)]
    told = {(_harmless(student), name): words for (student, name), words in remarks.items()}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for (student, name), row in sorted(rows.items()):
            words = {"student_id": student, "assignment": name, "remarks": told.get((_harmless(student), name), "")}
            numbers = {name: value if isinstance(value, str) else f"{value:g}" for name, value in row.items()}
            writer.writerow({name: _harmless(text) for name, text in words.items()} | numbers)


def read_remarks(path: Path) -> dict[tuple[str, str], str]:
    """Return the remarks of a table that was written before; none if there is none, or it is somebody else's."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["assignment"]]
            return {(row["student_id"], row["assignment"]): row["remarks"] for row in rows}
    except (OSError, KeyError, ValueError, csv.Error):
        return {}


def _harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text, or what stands behind a semicolon in it, for a formula."""
    return FORMULA.sub(r"\1'", readable(text))
