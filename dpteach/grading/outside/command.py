"""`python -m dpteach grade FOLDER`: mark a folder of submissions on all cores."""

from __future__ import annotations

import argparse
import contextlib
import csv
import importlib.util
import os
import sys
import time
from pathlib import Path

from ...table import show
from ..line.limits import KIT, Limits
from .assignment import Assignment, read_all
from .marking import Marked
from .naming import Names, safe
from .sandbox import protections
from .submissions import Submission, find
from .workers import Crew, Refused, cores

KEPT = "What was marked before stays."


def main(argv: list[str] | None = None) -> int:
    """Read the command line and grade; what is wrong with it is told before anything is marked."""
    options = parser().parse_args(argv)
    with contextlib.suppress(AttributeError):  # a terminal that cannot show every sign must not stop the grader
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        check_system()
        assignments = read_all(options.course)
        check_options(options, assignments)
        names = read_names(options.names)
        found = find(options.folder, assignments, options.assignment, names, options.timestamps)
        if not found:
            raise Refused(f"there are no submissions in {options.folder}")
        with Crew(options.course, assignments, [one for one in found if one.can_be_marked], options) as crew:
            from .course import Course  # loading nbgrader takes longer than starting the workers

            return grade(Course(options.course), found, options, crew)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line."""
    made = argparse.ArgumentParser(prog="python -m dpteach grade", description="Mark a folder of submissions.")
    made.add_argument("folder", type=Path, help="STUDENT/ASSIGNMENT/*.ipynb, STUDENT/*.ipynb or STUDENT.ipynb")
    made.add_argument("--course", type=Path, default=course_folder(), help="nbgrader's course folder (%(default)s)")
    made.add_argument("--assignment", help="mark this one only; files that do not tell for which they are count for it")
    made.add_argument("--names", type=Path, help="a table (CSV) that says whose files are whose: name, student_id")
    made.add_argument("--timestamps", action="store_true", help="believe timestamp.txt, which students can write")
    made.add_argument("--csv", type=Path, help="where to write the table (grades.csv in the course folder)")
    made.add_argument("--ids", action="store_true", help="every student must use numbers of their own")
    made.add_argument("--seconds", type=float, default=Limits.total_seconds, help="for one submission (%(default)g)")
    made.add_argument("--workers", type=int, default=len(cores()), help="submissions marked at a time (%(default)s)")
    return made


def course_folder() -> Path:
    """Return the course to grade for: this folder if it is one, otherwise the kit's."""
    return Path() if Path("nbgrader_config.py").exists() and Path("source").is_dir() else KIT / "exercises"


def check_system() -> None:
    """Refuse a system on which nothing can be graded."""
    if os.name != "posix":
        raise Refused("grading needs Linux or macOS; on Windows run it in WSL")
    if importlib.util.find_spec("nbgrader") is None:
        raise Refused("grading needs nbgrader: run python3 start.py setup in the kit's folder, or pip install nbgrader")


def check_options(options, assignments: dict[str, Assignment]) -> None:
    """Refuse options that cannot be meant."""
    if not options.folder.is_dir():
        raise Refused(f"FOLDER must be a folder of submissions, not {str(options.folder)!r}")
    if not assignments:
        raise Refused(f"there are no assignments in {options.course / 'source'}")
    if options.assignment and options.assignment not in assignments:
        raise Refused(f"--assignment must be one of {', '.join(assignments)}, not {options.assignment!r}")
    if not 1 <= options.seconds <= 86_400:
        raise Refused(f"--seconds must be from 1 to 86400, not {options.seconds:g}")
    if options.workers < 1:
        raise Refused(f"--workers must be at least 1, not {options.workers}")
    if options.csv and not options.csv.parent.is_dir():
        raise Refused(f"--csv must be in a folder that exists, not {str(options.csv)!r}")
    if any((options.folder / name).is_dir() for name in assignments):
        raise Refused(f"FOLDER must hold a folder for each student; {str(options.folder)!r} looks like that of one")


def read_names(path: Path | None) -> Names | None:
    """Read the table of names, if there is one."""
    if path is None:
        return None
    try:
        return Names.read(path)
    except (ValueError, OSError, csv.Error) as error:
        raise Refused(f"--names must be a table of names, not {str(path)!r}: {error}") from None


def grade(course, found: list[Submission], options, crew: Crew) -> int:
    """Mark, show progress, and write gradebook, table and pages; 1 if some files could not be marked."""
    started, remarks = time.monotonic(), {}
    known = [one for one in found if one.can_be_marked]
    unknown = [one for one in found if not one.can_be_marked]
    for name in sorted({one.assignment for one in known}):
        prepare(course, name)
    missing = [wall for wall, stands in protections().items() if not stands]
    if missing:
        print(f"Not on this system: {'; '.join(missing)}.")
    for number, (one, marked) in enumerate(crew.mark_all(), 1):
        try:
            write(course, one, marked)
        except Exception as error:  # it must not cost the others their marks; the table says it
            marked.note(f"Gradebook or page could not be written ({type(error).__name__}).")
        remarks[one.student, one.assignment] = " ".join(marked.notes)
        points = course.assignments[one.assignment].checked_points
        told = f"{one.student}, {one.assignment}: {show(marked.total)} of {show(points)}"
        print(f"[{number}/{len(known)}] {told}{'  ' + marked.notes[0] if marked.notes else ''}", flush=True)
    for one in unknown:
        remarks[one.student, one.assignment] = f"Not marked. {one.note}"
        print(f"not marked: {one.student}{f', {safe(one.path.name)}' if one.path else ''}. {one.note}")
    table = options.csv or course.root / "grades.csv"
    course.write_table(table, remarks, {(one.student, one.assignment) for one in unknown})
    seconds = time.monotonic() - started
    print(f"{len(known)} submissions in {seconds:.0f} s: gradebook, {table.name} and feedback/ are written")
    return 1 if unknown else 0


def prepare(course, assignment: str) -> None:
    """Tell the gradebook about an assignment, unless it knows it as it is now."""
    from nbgrader.converters.base import NbGraderException

    if course.knows(assignment):
        return
    try:
        course.register(assignment)
    except (NbGraderException, SystemExit):
        raise Refused(
            f"the gradebook holds marks for another version of {assignment}: put the source back as it was, "
            "or move gradebook.db away to begin a new one"
        ) from None


def write(course, one: Submission, marked: Marked) -> None:
    """Write a marked submission to the gradebook, and the student's page; an empty folder takes no marks away."""
    from .pages import write_page

    if one.path is None and course.book.has_marks(one.student, one.assignment):
        marked.note(KEPT)
        return
    standing = course.save(one.student, one.assignment, marked, one.handed_in)
    folder = course.root / "feedback" / one.student / one.assignment
    write_page(folder, one.student, course.assignments[one.assignment], marked, standing)
