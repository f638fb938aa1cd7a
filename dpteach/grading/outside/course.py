"""nbgrader's side: its configuration, the steps we put into its autograde, and its gradebook."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.api import Gradebook
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
from traitlets import Bool, Float, Integer
from traitlets.config import Config

from ..line.limits import Limits
from .assignment import Assignment, source_path
from .marking import Marked, mark
from .outputs import with_notes, with_outputs
from .pages import read_remarks, write_csv
from .repair import put_right
from .workers import demand_fitness

STUB = "pass  # your code here"


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
        marked = mark(assignment, nb.cells, student, limits, ids_required=self.ids_required)
        nb.cells = with_notes(with_outputs(marked, assignment), marked.notes)
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
    config.GenerateFeedback.preprocessors = [GetGrades, ClearHiddenTests, CSSHTMLHeaderPreprocessor]
    return config


# -------------------------------------------------------------------------------------------------- the gradebook


class Course:
    """A course folder as nbgrader knows it: sources, gradebook, marked notebooks, feedback."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # alembic
        self.config = configure(Config(), self.root)
        self.directory = CourseDirectory(config=self.config)
        found = sorted((self.root / "source").glob("*/*.ipynb"))
        self.assignments = {path.stem: Assignment.read(path) for path in found if path.stem == path.parent.name}

    def prepare(self, assignment: str) -> None:
        """Tell the gradebook about an assignment, as nbgrader's generate_assignment does."""
        from nbgrader.converters import GenerateAssignment

        self.directory.assignment_id = assignment
        made = GenerateAssignment(coursedir=self.directory, config=self.config)
        made.force, made.create_assignment = True, True
        made.log.setLevel("ERROR")
        made.start()

    def knows(self, assignment: str) -> bool:
        """Say whether the gradebook has the assignment as its source has it now."""
        with Gradebook(self.directory.db_url) as gradebook:
            names = {known.name for known in gradebook.assignments}
            if assignment not in names:
                return False
            notebook = gradebook.find_notebook(assignment, assignment)
            graded = {cell.name for cell in notebook.grade_cells}
            code = {cell.name: cell.source for cell in notebook.source_cells}
        ours = self.assignments[assignment]
        same_code = all(code.get(task.id) == task.code for task in ours.tasks.values())
        return graded == {*ours.tasks, *ours.written} and same_code

    def save(self, student: str, assignment: str, marked: Marked, handed_in: datetime | None = None) -> Path:
        """Write a marked submission to the gradebook and to `autograded/`; return the notebook's path."""
        from nbformat import write
        from nbformat.v4 import new_notebook

        with Gradebook(self.directory.db_url) as gradebook, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SQLAlchemy's, about nbgrader's way to add a submission
            gradebook.update_or_create_student(student)
            when = {} if handed_in is None else {"timestamp": handed_in}
            gradebook.update_or_create_submission(assignment, student, **when)
        told = {"notebook": assignment, "assignment": assignment, "student": student, "db_url": self.directory.db_url}
        notebook = new_notebook(cells=with_notes(with_outputs(marked, self.assignments[assignment]), marked.notes))
        for step in (OverwriteCells, SaveAutoGrades, AssignLatePenalties):
            made = step(config=self.config)
            made.log.setLevel("ERROR")
            notebook, _ = made.preprocess(notebook, {"nbgrader": told})
        path = self.root / "autograded" / student / assignment / f"{assignment}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(notebook, path)
        return path

    def read_by_a_person(self, student: str, assignment: str) -> list[tuple[float | None, float, str]]:
        """Return points, out of, and comment of each written answer; no points if nobody has read it yet."""
        with Gradebook(self.directory.db_url) as gradebook:
            notebook = gradebook.find_submission_notebook(assignment, assignment, student)
            written = self.assignments[assignment].written
            comments = {comment.name: comment.comment for comment in notebook.comments}
            return [
                (grade.manual_score, grade.max_score, comments.get(grade.name) or "")
                for grade in notebook.grades
                if grade.name in written
            ]

    def write_table(self, path: Path, remarks: dict[tuple[str, str], str], unmarked: Iterable = ()) -> None:
        """Write one line for each submission in the gradebook; what was remarked in earlier runs is kept.

        What was not marked in this run has a line without numbers, whatever the gradebook holds from earlier runs.
        """
        remarks = read_remarks(path) | remarks
        rows: dict[tuple[str, str], dict] = {}
        with Gradebook(self.directory.db_url) as gradebook:
            for name in {known.name for known in gradebook.assignments} & self.assignments.keys():
                for one in gradebook.assignment_submissions(name):
                    rows[one.student.id, name] = self._line(one, self.assignments[name])
        write_csv(path, rows | {key: {} for key in unmarked}, remarks)

    @staticmethod
    def _line(submission, assignment: Assignment) -> dict:
        """Return the numbers of a submission: all points, those of the checks, of written answers and of each task."""
        grades = {grade.name: grade for notebook in submission.notebooks for grade in notebook.grades}
        checked = [grades[key] for key in assignment.tasks if key in grades]
        written = [grades[key] for key in assignment.written if key in grades]
        line = {
            "score": max(0, sum(grade.score or 0 for grade in grades.values()) - submission.late_submission_penalty),
            "max_score": assignment.points,
            "checked": sum(grade.score or 0 for grade in checked),
            "written": sum(grade.score or 0 for grade in written),
            "to_be_read": sum(grade.max_score for grade in written if grade.needs_manual_grade),
        }
        return line | {f"task_{i}": grade.score or 0 for i, grade in enumerate(checked, 1)}
