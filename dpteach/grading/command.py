"""`python -m dpteach grade FOLDER`: mark a folder of submissions on all cores."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path

from ..table import show
from .assignment import Assignment, read_cells, told_by
from .language import Outcome
from .marking import CHECK_CODE_SECONDS, Marked, mark
from .remote import START_SECONDS
from .sandbox import KIT, Limits, Walls, protections

MOST_BYTES = 20 << 20  # of a submitted file
WORKER_MEMORY = 4 << 30  # bytes of address space
STOPPED = "This notebook stopped the grader, so nothing could be marked."


@dataclass(frozen=True)
class Submission:
    """A file handed in by a student for an assignment."""

    student: str
    assignment: str
    path: Path | None
    note: str = ""


def main(argv: list[str] | None = None) -> int:
    """Read the command line and grade."""
    options = parser().parse_args(argv)
    if os.name != "posix":
        print("grading needs Linux or macOS; on Windows run it in WSL", file=sys.stderr)
        return 2
    if not options.folder.is_dir():
        print(f"FOLDER must be a folder of submissions, not {str(options.folder)!r}", file=sys.stderr)
        return 2
    from .course import Course

    course = Course(options.course)
    if not course.assignments:
        print(f"no assignments in {course.root / 'source'}", file=sys.stderr)
        return 2
    found = find(options.folder, course.assignments, options.assignment)
    if not found:
        print(f"no submissions in {options.folder}", file=sys.stderr)
        return 2
    return grade(course, found, options)


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line."""
    made = argparse.ArgumentParser(prog="python -m dpteach grade", description="Mark a folder of submissions.")
    made.add_argument("folder", type=Path, help="STUDENT/ASSIGNMENT/*.ipynb, STUDENT/*.ipynb or STUDENT.ipynb")
    made.add_argument("--course", type=Path, default=course_folder(), help="nbgrader's course folder (%(default)s)")
    made.add_argument("--assignment", help="the assignment, where a file's name and cells do not tell")
    made.add_argument("--csv", type=Path, help="where to write the table (grades.csv in the course folder)")
    made.add_argument("--ids", action="store_true", help="every student must use numbers of their own")
    made.add_argument("--seconds", type=float, default=Limits.total_seconds, help="for one submission")
    made.add_argument("--workers", type=int, default=os.cpu_count(), help="submissions marked at the same time")
    return made


def course_folder() -> Path:
    """Return the course to grade for: this folder if it is one, otherwise the kit's."""
    return Path() if Path("nbgrader_config.py").exists() and Path("source").is_dir() else KIT / "exercises"


# ------------------------------------------------------------------------------------------ finding submissions


def find(folder: Path, assignments: dict[str, Assignment], told: str | None = None) -> list[Submission]:
    """List the submissions in a folder; the best-named file counts where a student handed in several."""
    best: dict[tuple[str, str], Submission] = {}
    folder = folder.resolve()
    for path in notebooks(folder):
        one = recognise(path, path.relative_to(folder), assignments, told)
        key = (one.student, one.assignment)
        if key not in best or (best[key].note and not one.note):
            best[key] = one
    students = {student for student, _ in best}
    for empty in sorted(safe(path.name) for path in folder.iterdir() if path.is_dir()):
        if empty not in students and not empty.startswith("."):
            name = told or (next(iter(assignments)) if len(assignments) == 1 else "")
            best[empty, name] = Submission(empty, name, None, "No notebook was handed in.")
    return [one for one in best.values() if one.assignment]


def notebooks(folder: Path) -> list[Path]:
    """List what is called like a notebook; what the system cannot open (a path without end, say) is passed over."""
    found = [Path(place, name) for place, inner, files in os.walk(folder) for name in (*inner, *files)]
    return sorted(path for path in found if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts)


def recognise(path: Path, inside: Path, assignments: dict[str, Assignment], told: str | None) -> Submission:
    """Say whose file it is, and for which assignment."""
    student = safe(inside.parts[0] if len(inside.parts) > 1 else path.stem)
    if path.stem in assignments:
        return Submission(student, path.stem, path)
    name = next((known for known in assignments if known in inside.parts or known in path.stem), told or "")
    if len(inside.parts) == 1:
        student = safe(path.stem.replace(name, "").strip("_- ") or path.stem if name else path.stem)
    name = name or by_cells(path, assignments)
    note = "" if len(inside.parts) == 1 else f"The file is called {safe(path.name)}, not {name}.ipynb."
    return Submission(student, name, path, note)


def safe(name: str) -> str:
    """Return the name of a file as a student's name: it can be printed, and it is no way to another folder."""
    name = name if name.isprintable() else ascii(name)[1:-1]
    return f"_{name}" if name in (".", "..") else name


def by_cells(path: Path, assignments: dict[str, Assignment]) -> str:
    """Recognise an assignment by the names of its cells."""
    try:
        names = {told_by(cell).get("grade_id") for cell in read_cells(read_text(path))}
    except (ValueError, OSError):
        names = set()
    fitting = {name: len(names & set(one.tasks)) for name, one in assignments.items()}
    best = max(fitting, key=fitting.get)
    return best if fitting[best] or len(assignments) == 1 else ""


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


# ---------------------------------------------------------------------------------------------------- marking them


def mark_file(one: Submission, assignment: Assignment, limits: Limits, walls: Walls, ids: bool) -> Marked:
    """Mark one submission; whatever it holds, this gives a result."""
    try:
        if one.path is None:
            return nothing(assignment, one.note)
        cells = read_cells(read_text(one.path))
    except (ValueError, OSError) as error:
        return nothing(assignment, f"Nothing could be marked: {error}.")
    marked = mark(assignment, cells, one.student, limits, walls, ids)
    if one.note:
        marked.note(one.note)
    return marked


def nothing(assignment: Assignment, why: str) -> Marked:
    """Return the result of a submission without anything to mark."""
    marked = Marked(notes=[why])
    marked.cells, _ = assignment.put_right([])
    for key, task in assignment.tasks.items():
        marked.outcomes[key] = [Outcome("all checks", 0, task.points, why, answered=False)]
    return marked


def _serve(line, sources: dict[str, str]) -> None:
    """Mark what comes over the line, in a process of its own."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with contextlib.suppress(ValueError, OSError):  # a check may compute with what a student handed in
        resource.setrlimit(resource.RLIMIT_AS, (WORKER_MEMORY, hard))
    assignments = {name: Assignment.read(Path(path)) for name, path in sources.items()}
    while True:
        one, *options = line.recv()
        try:
            line.send(mark_file(one, assignments[one.assignment], *options))
        except Exception:
            line.send(nothing(assignments[one.assignment], STOPPED))


class Worker:
    """A process that marks one submission after the other; one that ends or blocks it costs the others nothing."""

    def __init__(self, sources: dict[str, str]):
        self.sources, self.one, self.until = sources, None, 0.0
        self.start()

    def start(self) -> None:
        """Start the process."""
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, self.sources), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self) -> None:
        """End the process; the student's process ends with it."""
        self.process.kill()
        self.process.join()
        self.line.close()

    def begin(self, one: Submission, limits: Limits, walls: Walls, ids: bool) -> None:
        """Hand a submission over."""
        self.one, self.until = one, time.monotonic() + limits.total_seconds + START_SECONDS + CHECK_CODE_SECONDS
        with contextlib.suppress(OSError):  # if it has just ended, `finished` notices
            self.line.send((one, limits, walls, ids))

    def finished(self, assignments: dict[str, Assignment]) -> Marked | None:
        """Return the result, once there is one."""
        try:
            if self.line.poll():
                return self.line.recv()
            if time.monotonic() < self.until:
                return None
        except (EOFError, OSError):
            pass
        self.stop()
        self.start()
        return nothing(assignments[self.one.assignment], STOPPED)


def mark_all(course, found: list[Submission], options) -> Iterator[tuple[Submission, Marked]]:
    """Mark all submissions, several at a time."""
    limits, waiting = replace(Limits(), total_seconds=options.seconds), list(reversed(found))
    hidden = (str(course.root), str(options.folder.resolve()))
    sources = {name: str(course.root / "source" / name / f"{name}.ipynb") for name in {one.assignment for one in found}}
    workers = [Worker(sources) for _ in range(min(max(1, options.workers), len(found)))]
    try:
        while waiting or any(worker.one for worker in workers):
            for worker, core in zip(workers, itertools.cycle(cores())):
                if worker.one is None and waiting:
                    worker.begin(waiting.pop(), limits, Walls(hidden, core=core), options.ids)
            busy = [worker for worker in workers if worker.one]
            wait([worker.line for worker in busy], max(0.0, min(w.until for w in busy) - time.monotonic()))
            for worker in busy:
                if (result := worker.finished(course.assignments)) is not None:
                    one, worker.one = worker.one, None
                    yield one, result
    finally:
        for worker in workers:
            worker.stop()


def cores() -> list[int | None]:
    """List the cores to use, where a process can be told which one to run on."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]


def grade(course, found: list[Submission], options) -> int:
    """Mark, show progress, and write gradebook, table and pages."""
    from .pages import write_csv

    started, rows = time.monotonic(), []
    for name in sorted({one.assignment for one in found}):
        if not course.knows(name):
            course.prepare(name)
    missing = [wall for wall, stands in protections().items() if not stands]
    if missing:
        print(f"Not on this system: {'; '.join(missing)}.")
    for number, (one, marked) in enumerate(mark_all(course, found, options), 1):
        try:
            write(course, one, marked)
        except Exception as error:  # it must not cost the others their marks; the table says it
            marked.note(f"Gradebook or page could not be written ({type(error).__name__}).")
        rows.append((one.student, one.assignment, marked))
        points = sum(task.points for task in course.assignments[one.assignment].tasks.values())
        told = f"{one.student}, {one.assignment}: {show(marked.total)} of {show(points)}"
        print(f"[{number}/{len(found)}] {told}{'  ' + marked.notes[0] if marked.notes else ''}", flush=True)
    table = options.csv or course.root / "grades.csv"
    write_csv(table, sorted(rows, key=lambda row: row[:2]), course.assignments)
    seconds = time.monotonic() - started
    print(f"{len(rows)} submissions in {seconds:.0f} s: gradebook, {table.name} and feedback/ are written")
    return 0


def write(course, one: Submission, marked: Marked) -> None:
    """Write a marked submission to the gradebook, and the student's page."""
    from .pages import feedback_page

    when = None if one.path is None else course.handed_in(one.path.parent)
    course.save(one.student, one.assignment, marked, when)
    page = course.root / "feedback" / one.student / one.assignment / f"{one.assignment}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(feedback_page(one.student, course.assignments[one.assignment], marked), encoding="utf-8")
