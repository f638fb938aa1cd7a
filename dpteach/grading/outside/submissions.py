"""Submissions in a folder: whose file it is, and for which assignment, whatever it is called."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from .assignment import Assignment, read_cells, told_by
from .harmless import plain_name

MOST_BYTES = 20 << 20  # of a submitted file
UNKNOWN = "For which assignment this is cannot be told: name the file or its folder after it, or use --assignment."


@dataclass(frozen=True)
class Submission:
    """A file handed in by a student for an assignment; without a name of the assignment nobody knows for which."""

    student: str
    assignment: str
    path: Path | None
    note: str = ""


def find(folder: Path, assignments: dict[str, Assignment], told: str | None = None) -> list[Submission]:
    """List the submissions in a folder; `told` is the only assignment that counts, if it is given."""
    files: dict[tuple[str, str], list[Submission]] = {}
    folder = folder.resolve()
    for path in notebooks(folder):
        one = recognise(path, path.relative_to(folder), assignments, told)
        files.setdefault((one.student, one.assignment), []).append(one)
    found = [best_of(several, folder, assignments) for several in files.values()]
    students = {one.student for one in found}
    name = told or (next(iter(assignments)) if len(assignments) == 1 else "")
    for empty in sorted(safe(path.name) for path in folder.iterdir() if path.is_dir()):
        if empty not in students and not empty.startswith("."):
            found.append(Submission(empty, name, None, "No notebook was handed in."))
    return [one for one in found if not told or one.assignment in (told, "")]


def best_of(several: list[Submission], folder: Path, assignments: dict[str, Assignment]) -> Submission:
    """Return the file that counts, of all that a student handed in for an assignment."""
    if len(several) == 1:
        return several[0]

    def rank(one: Submission) -> tuple:
        """Put files with cells of the assignment first, then those in few folders, well named ones, and new ones."""
        fits = one.assignment and shared_cells(one.path, assignments[one.assignment])
        return not fits, len(one.path.parts), bool(one.note), -one.path.lstat().st_mtime

    best = min(several, key=rank)
    marked = safe(str(best.path.relative_to(folder)))
    return replace(best, note=f"{best.note} {len(several)} files were handed in; {marked} was marked.".strip())


def notebooks(folder: Path) -> list[Path]:
    """List what is called like a notebook; what the system cannot open (a path without end, say) is passed over."""
    found = [Path(place, name) for place, inner, files in os.walk(folder) for name in (*inner, *files)]
    return sorted(path for path in found if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts)


def recognise(path: Path, inside: Path, assignments: dict[str, Assignment], told: str | None) -> Submission:
    """Say whose file it is, and for which assignment."""
    student = safe(inside.parts[0] if len(inside.parts) > 1 else path.stem)
    if path.stem in assignments:
        return Submission(student, path.stem, path)
    name = next((known for known in assignments if known in inside.parts or known in path.stem), "")
    if len(inside.parts) == 1:
        student = safe(path.stem.replace(name, "").strip("_- ") or path.stem if name else path.stem)
    name = name or by_cells(path, assignments) or told or ""
    if not name:
        return Submission(student, "", path, UNKNOWN)
    note = "" if len(inside.parts) == 1 else f"The file is called {safe(path.name)}, not {name}.ipynb."
    return Submission(student, name, path, note)


def safe(name: str) -> str:
    """Return the name of a file as a student's name: it can be shown, and it is no way to another folder."""
    name = plain_name(name)
    return f"_{name}" if name in (".", "..") else name


def by_cells(path: Path, assignments: dict[str, Assignment]) -> str:
    """Recognise an assignment by the names of its cells."""
    best = max(assignments, key=lambda name: shared_cells(path, assignments[name]))
    return best if len(assignments) == 1 or shared_cells(path, assignments[best]) else ""


def shared_cells(path: Path, assignment: Assignment) -> int:
    """Count the tasks of an assignment whose cells are in a file."""
    try:
        names = {told_by(cell).get("grade_id") for cell in read_cells(read_text(path))}
    except (ValueError, OSError):
        return 0
    return len(names & set(assignment.tasks))


def read_text(path: Path) -> str:
    """Read a submitted file; a link may lead to a solution, and nobody writes a notebook of this size."""
    try:
        linked = path.resolve() != path
    except RuntimeError:  # a link to itself
        linked = True
    if linked:
        raise ValueError("the file is a link")
    if not path.is_file():
        raise ValueError("the file is no ordinary file")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"the file is larger than {MOST_BYTES >> 20} MB")
    return path.read_text(encoding="utf-8", errors="replace")
