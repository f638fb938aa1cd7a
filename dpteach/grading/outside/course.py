"""nbgrader's side: its configuration, the steps we put into its autograde, and its gradebook."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from pathlib import Path

import nbformat
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    LimitOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from nbgrader.utils import compute_checksum
from traitlets import Bool, Float, Integer
from traitlets.config import Config, ConfigFileNotFound, PyFileConfigLoader

from ..line.limits import Limits
from .assignment import Assignment, read_all, read_cells, source_path, told_by
from .exporter import PlainExporter
from .gradebook import Book, Standing, only_plain_names
from .harmless import plain_markdown
from .marking import Marked, mark
from .outputs import with_notes, with_outputs
from .pages import read_remarks, table_line, write_csv, write_page, write_text
from .repair import put_right
from .sandbox import Walls, libraries_in_use
from .workers import demand_fitness

STUB = "pass  # your code here"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class PutRight(NbGraderPreprocessor):
    """Put cells right that were deleted, doubled or changed, before nbgrader looks at them."""

    def preprocess(self, nb, resources):
        """Put the cells of the source back in place; a link, which may lead to a solution, counts as empty."""
        told, directory = resources["nbgrader"], CourseDirectory(config=self.config)
        submitted = (Path(directory.root) / directory.submitted_directory).resolve()
        path = submitted / told["student"] / told["assignment"] / f"{told['notebook']}.ipynb"
        cells, notes = ([], ["The file is a link."]) if path.resolve() != path else (nb.cells, [])
        nb.cells, found = put_right(source_of(self, resources), cells)
        nb.nbformat_minor = 5  # the cells of the source have ids
        nb.cells = with_notes(nb.cells, notes + found)
        nb.metadata = nbformat.from_dict(METADATA)
        return nb, resources


class MarkInIsolation(NbGraderPreprocessor):
    """Run the cells in a process of their own and the checks in this one: it stands where nbgrader's Execute stood."""

    cell_seconds = Float(Limits.cell_seconds, help="Seconds that a cell may take.").tag(config=True)
    check_seconds = Float(Limits.check_seconds, help="Seconds that the answers to a check may take.").tag(config=True)
    total_seconds = Float(Limits.total_seconds, help="Seconds that a submission may take.").tag(config=True)
    memory = Integer(Limits.memory, help="Bytes of memory that a process may use.").tag(config=True)
    ids_required = Bool(False, help="Whether every student must work with numbers of their own.").tag(config=True)

    def preprocess(self, nb, resources):
        """Mark the notebook and write what was found below its cells."""
        assignment = source_of(self, resources)
        limits = Limits(self.cell_seconds, self.check_seconds, self.total_seconds, self.memory)
        demand_fitness(assignment, limits)
        student = resources["nbgrader"]["student"]
        walls = Walls(libraries=libraries_in_use())
        marked = mark(assignment, nb.cells, student, limits, walls, ids_required=self.ids_required)
        made = marked_notebook(marked, assignment)
        checksums = {told["grade_id"]: told.get("checksum") for cell in nb.cells if (told := told_by(cell))}
        with_checksums(made, checksums)  # by which nbgrader knows an empty answer
        return made, resources


class WritePoints(NbGraderPreprocessor):
    """Write the page of points anew when nbgrader makes its feedback, which empties the folder before."""

    def preprocess(self, nb, resources):
        """Write the page, with what a person has given since; a notebook marked by somebody else has none."""
        marked = Marked.told(nb.metadata.get("dpteach"))
        told = resources["nbgrader"]
        if marked:
            directory = CourseDirectory(config=self.config)
            book = Book(told["db_url"])
            standing = book.standings(told["assignment"], told["student"])[told["student"]]
            book.close()
            folder = directory.format_path(directory.feedback_directory, told["student"], told["assignment"])
            write_page(Path(folder), told["student"], source_of(self, resources), marked, standing)
        return nb, resources


def root_of(part) -> Path:
    """Return the folder of the course."""
    return Path(CourseDirectory(config=part.config).root)


def source_of(part, resources) -> Assignment:
    """Read the source of the notebook that nbgrader is working on."""
    told = resources["nbgrader"]
    return Assignment.read(source_path(root_of(part), told["assignment"], told["notebook"]))


def configure(config: Config, root: Path) -> Config:
    """Make nbgrader grade in isolation, and keep hidden checks out of its feedback."""
    config.CourseDirectory.root = str(root)
    config.ClearSolutions.code_stub = {"python": STUB}
    config.Autograde.sanitize_preprocessors = [
        ClearOutput, PutRight, DeduplicateIds, OverwriteKernelspec, OverwriteCells, CheckCellMetadata,
    ]  # fmt: skip
    config.Autograde.autograde_preprocessors = [
        MarkInIsolation, LimitOutput, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata,
    ]  # fmt: skip
    config.GenerateFeedback.preprocessors = [GetGrades, WritePoints, ClearHiddenTests, CSSHTMLHeaderPreprocessor]
    config.GenerateFeedback.exporter_class = PlainExporter
    only_plain_names()
    return config


def own_settings(root: Path) -> Config:
    """Return what the teacher has set in the course's nbgrader_config.py, such as what is taken off for being late."""
    try:
        return PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    except ConfigFileNotFound:
        return Config()


# -------------------------------------------------------------------------------------------------- the gradebook


class Course:
    """A course folder as nbgrader knows it: sources, gradebook, marked notebooks, feedback."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # alembic
        self.config = configure(own_settings(self.root), self.root)
        self.directory = CourseDirectory(config=self.config)
        self.assignments = read_all(self.root)

    @cached_property
    def book(self) -> Book:
        """The gradebook, which stays open."""
        return Book(self.directory.db_url)

    def prepare(self, assignment: str) -> None:
        """Make the student version, and tell the gradebook about the assignment; if nbgrader refuses, all stays."""
        with self._generated(assignment) as made:
            place = self.root / "release" / assignment
            shutil.rmtree(place, ignore_errors=True)
            place.parent.mkdir(exist_ok=True)
            shutil.move(made, place)

    def register(self, assignment: str) -> None:
        """Tell the gradebook about an assignment, and leave the student version alone."""
        with self._generated(assignment):
            pass

    @contextlib.contextmanager
    def _generated(self, assignment: str):
        """Let nbgrader make the student version in a folder that is thrown away afterwards; return the folder."""
        from nbgrader.converters import GenerateAssignment

        directory = CourseDirectory(config=self.config, assignment_id=assignment)
        with tempfile.TemporaryDirectory(prefix=".release-", dir=self.root) as folder:
            directory.release_directory = folder
            made = GenerateAssignment(coursedir=directory, config=self.config)
            made.create_assignment = True
            made.log.setLevel("ERROR")
            made.start()
            self.book.forget()
            yield Path(folder) / assignment

    def knows(self, assignment: str) -> bool:
        """Say whether the gradebook has the assignment as its source has it now."""
        cells, ours = self.book.cells(assignment), self.assignments[assignment]
        if cells is None:
            return False
        points = {key: task.points for key, task in ours.tasks.items()} | ours.written
        same_points = {name: cells.most[name] for name in cells.graded} == points
        return same_points and all(cells.sources.get(task.id) == task.code for task in ours.tasks.values())

    def save(self, student: str, assignment: str, marked: Marked, handed_in: datetime | None = None) -> Standing:
        """Write a marked submission to the gradebook and to `autograded/`; return what the gradebook says of it.

        The gradebook comes first: what is in `autograded/` is then never newer than what the gradebook calls read.
        """
        ours, known = self.assignments[assignment], self.book.cells(assignment)
        path = self.root / "autograded" / student / assignment / f"{assignment}.ipynb"
        notebook = marked_notebook(marked, ours)
        cells = with_checksums(notebook, known.checksums)
        blank = {name for name in known.answers if compute_checksum(cells[name]) == known.checksums[name]}
        scores = {task: marked.points(task) for task in ours.tasks}
        scores |= {name: 0.0 if name in blank else None for name in ours.written}
        before, now = written_answers(path, ours), written_answers(notebook, ours)
        kept = [name for name in ours.written if name in before and before[name] == now[name]]
        self.book.save(student, assignment, scores, blank, kept, handed_in)
        standing = self.standing(student, assignment)
        if standing.late:
            standing = self._with_penalty(student, assignment, notebook)
        write_text(path, nbformat.writes(notebook))
        return standing

    def standing(self, student: str, assignment: str) -> Standing:
        """Return what the gradebook says of a submission."""
        return self.book.standings(assignment, student)[student]

    def _with_penalty(self, student: str, assignment: str, notebook) -> Standing:
        """Let nbgrader take points off for being late, as the course has configured it."""
        told = {"notebook": assignment, "assignment": assignment, "student": student, "db_url": self.directory.db_url}
        step = AssignLatePenalties(config=self.config)
        step.log.setLevel("ERROR")
        step.preprocess(notebook, {"nbgrader": told})
        return self.standing(student, assignment)

    def write_table(self, path: Path, remarks: dict[tuple[str, str], str], unmarked: Iterable = ()) -> None:
        """Write one line for each submission in the gradebook; what was remarked in earlier runs is kept.

        What was not marked in this run has a line without numbers, whatever the gradebook holds from earlier runs.
        """
        remarks = read_remarks(path) | remarks
        rows: dict[tuple[str, str], dict] = {}
        for name, assignment in self.assignments.items():
            if self.book.cells(name):
                for student, standing in self.book.standings(name).items():
                    rows[student, name] = table_line(standing, assignment)
        write_csv(path, rows | {key: {} for key in unmarked}, remarks)


def marked_notebook(marked: Marked, assignment: Assignment):
    """Return a marked submission as a notebook, which remembers what the page of points is made of."""
    cells = with_notes(with_outputs(marked, assignment), marked.notes)
    return nbformat.v4.new_notebook(cells=cells, metadata=nbformat.from_dict(METADATA | {"dpteach": marked.tell()}))


def with_checksums(notebook, checksums: dict[str, str]) -> dict:
    """Write nbgrader's checksums of the cells, as they were given out, into a notebook; return these cells by name."""
    cells = {name: cell for cell in notebook.cells if (name := told_by(cell).get("grade_id")) in checksums}
    for name, cell in cells.items():
        cell.metadata.nbgrader["checksum"] = checksums[name]
    return cells


def written_answers(place, assignment: Assignment) -> dict[str, tuple]:
    """Return the written answers in a notebook, or in a file that was written before."""
    try:
        cells = read_cells(place.read_text(encoding="utf-8")) if isinstance(place, Path) else place.cells
    except (OSError, ValueError):
        return {}
    own = {told_by(cell).get("grade_id"): cell for cell in cells}
    found = {name: own[name] for name in assignment.written if name in own}
    return {
        name: (plain_markdown(cell.source, cell.get("attachments")), cell.get("attachments"))
        for name, cell in found.items()
    }
