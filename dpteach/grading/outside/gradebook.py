"""nbgrader's gradebook, open for a whole batch: a submission takes a few statements and one commit.

nbgrader's own steps ask for every cell by itself and commit after each; what they write is written here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SolutionCell,
    SourceCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
    new_uuid,
)
from sqlalchemy import event, func, insert, select, update

from .harmless import plain_name

NO_RESPONSE = "No response."  # nbgrader's comment on an answer that is as it was given out


@dataclass(frozen=True)
class Cells:
    """What the gradebook knows about the cells of an assignment, by their names."""

    notebook: str  # its number
    graded: dict[str, str]  # numbers of checks and written answers
    by_hand: dict[str, str]  # numbers of nbgrader's "manually graded tasks"
    answers: dict[str, str]  # numbers of all answers, on which there can be a comment
    most: dict[str, float]
    sources: dict[str, str]
    checksums: dict[str, str]


@dataclass(frozen=True)
class Score:
    """What the gradebook says about one graded cell."""

    points: float
    most: float
    by_a_person: bool
    unread: bool
    comment: str = ""


@dataclass(frozen=True)
class Standing:
    """What the gradebook says about one submission."""

    scores: dict[str, Score]
    penalty: float = 0.0
    handed_in: datetime | None = None
    late: timedelta | None = None  # nothing if there is no due date, or nobody knows when it was handed in

    @property
    def total(self) -> float:
        """All points so far, as nbgrader's export counts them."""
        return max(0.0, sum(score.points for score in self.scores.values()) - self.penalty)

    def of(self, cell: str) -> Score:
        """Return the score of a cell; nothing of nothing if the book does not know it."""
        return self.scores.get(cell) or Score(0.0, 0.0, by_a_person=False, unread=False)


class Book:
    """The gradebook of a course."""

    def __init__(self, url: str):
        only_plain_names()
        self.gradebook = Gradebook(url)
        self.run = self.gradebook.db.execute
        self.known: dict[str, Cells] = {}

    def close(self) -> None:
        """Let go of the file."""
        self.gradebook.close()

    # ------------------------------------------------------------------------------------------- assignments

    def cells(self, assignment: str) -> Cells | None:
        """Return what is known about an assignment's cells; nothing if it is not in the book."""
        if assignment not in self.known:
            found = self._cells(assignment)
            if found is None:
                return None
            self.known[assignment] = found
        return self.known[assignment]

    def forget(self) -> None:
        """Read again what others may have written."""
        self.known.clear()
        self.gradebook.db.rollback()

    def _cells(self, assignment: str) -> Cells | None:
        named = (Assignment.name == assignment, Notebook.name == assignment)
        found = select(Notebook.id).join(Assignment, Assignment.id == Notebook.assignment_id).where(*named)
        notebook = self.run(found).scalar()
        if notebook is None:
            return None
        graded, by_hand = (self._graded(kind, notebook) for kind in (GradeCell, TaskCell))
        of_answers = select(SolutionCell.name, SolutionCell.id).where(SolutionCell.notebook_id == notebook)
        sources = select(SourceCell.name, SourceCell.source, SourceCell.checksum)
        rows = self.run(sources.where(SourceCell.notebook_id == notebook)).all()
        return Cells(
            notebook,
            graded={name: number for name, number, _ in graded},
            by_hand={name: number for name, number, _ in by_hand},
            answers={name: number for name, number in self.run(of_answers)},
            most={name: most for name, _, most in (*graded, *by_hand)},
            sources={name: source for name, source, _ in rows},
            checksums={name: checksum for name, _, checksum in rows},
        )

    def _graded(self, kind, notebook: str) -> list:
        return self.run(select(kind.name, kind.id, kind.max_score).where(kind.notebook_id == notebook)).all()

    def has_submissions(self, assignment: str) -> bool:
        """Say whether somebody has marks for an assignment."""
        count = select(func.count(SubmittedAssignment.id)).join(Assignment)
        return bool(self.run(count.where(Assignment.name == assignment)).scalar())

    # ------------------------------------------------------------------------------------------- submissions

    def save(
        self,
        student: str,
        assignment: str,
        scores: dict[str, float | None],
        blank: Iterable[str],
        kept: Iterable[str],
        handed_in: datetime | None = None,
    ) -> None:
        """Write the points of a submission.

        `scores` has nothing for an answer that a person must read, `blank` are the answers that are as they were given
        out, and `kept` the written ones that are as they were when the submission was last marked.
        """
        cells = self.cells(assignment)
        notebook = self._submitted(student, assignment, cells, handed_in)
        self._write_grades(notebook, {cells.graded[name]: points for name, points in scores.items()},
                           {cells.graded[name] for name in kept})  # fmt: skip
        self._write_comments(notebook, {cells.answers[name] for name in blank if name in cells.answers})
        self.gradebook.db.commit()

    def _submitted(self, student: str, assignment: str, cells: Cells, handed_in: datetime | None) -> str:
        """Return the number of a submitted notebook; if there is none yet, all that belongs to it is made."""
        submission, notebook = self._find(student, assignment)
        if submission is None:
            return self._add(student, assignment, cells, handed_in)
        if handed_in is not None:
            self.run(
                update(SubmittedAssignment).where(SubmittedAssignment.id == submission).values(timestamp=handed_in)
            )
        cleared = update(SubmittedNotebook).where(SubmittedNotebook.id == notebook)
        self.run(cleared.values(late_submission_penalty=None))
        return notebook

    def has_marks(self, student: str, assignment: str) -> bool:
        """Say whether a student has marks for an assignment."""
        return self._find(student, assignment)[0] is not None

    def _find(self, student: str, assignment: str) -> tuple[str | None, str | None]:
        found = (
            select(SubmittedAssignment.id, SubmittedNotebook.id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(Assignment.name == assignment, Notebook.name == assignment)
            .where(SubmittedAssignment.student_id == student)
        )
        return tuple(self.run(found).first() or (None, None))

    def _add(self, student: str, assignment: str, cells: Cells, handed_in: datetime | None) -> str:
        """Write down a submission, with empty grades and comments."""
        if self.run(select(Student.id).where(Student.id == student)).first() is None:
            self.gradebook.db.add(Student(id=student))
            self.gradebook.db.flush()
        number = self.run(select(Assignment.id).where(Assignment.name == assignment)).scalar_one()
        if self.run(select(func.count(Notebook.id)).where(Notebook.assignment_id == number)).scalar() > 1:
            self.gradebook.add_submission(assignment, student, timestamp=handed_in)  # with all notebooks
            return self._find(student, assignment)[1]
        submission = {"id": new_uuid(), "assignment_id": number, "student_id": student, "timestamp": handed_in}
        self.run(insert(SubmittedAssignment), [submission])
        notebook = {"id": new_uuid(), "assignment_id": submission["id"], "notebook_id": cells.notebook}
        self.run(insert(SubmittedNotebook), [notebook | {"flagged": False}])
        graded = (*cells.graded.values(), *cells.by_hand.values())
        answers = (*cells.answers.values(), *cells.by_hand.values())
        for table, numbers in ((Grade, graded), (Comment, answers)):
            rows = [{"id": new_uuid(), "notebook_id": notebook["id"], "cell_id": cell} for cell in numbers]
            if rows:
                self.run(insert(table), rows)
        return notebook["id"]

    def _write_grades(self, notebook: str, scores: dict[str, float | None], kept: set[str]) -> None:
        """Write the points of the checks; what a person gave stays, and is to be looked at if something changed."""
        columns = (Grade.id, Grade.cell_id, Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade)
        rows = []
        for number, cell, before, by_hand, unread in self.run(select(*columns).where(Grade.notebook_id == notebook)):
            if cell in scores:
                changed = cell not in kept if scores[cell] is None else scores[cell] != before
                to_be_read = scores[cell] is None if by_hand is None else unread or changed
                rows.append({"id": number, "auto_score": scores[cell], "needs_manual_grade": to_be_read})
        if rows:
            self.run(update(Grade), rows)

    def _write_comments(self, notebook: str, blank: set[str]) -> None:
        found = self.run(select(Comment.id, Comment.cell_id).where(Comment.notebook_id == notebook))
        rows = [{"id": number, "auto_comment": NO_RESPONSE if cell in blank else None} for number, cell in found]
        if rows:
            self.run(update(Comment), rows)

    # -------------------------------------------------------------------------------------------- what it says

    def standings(self, assignment: str, student: str | None = None) -> dict[str, Standing]:
        """Return what the book says about all submissions of an assignment, or those of one student."""
        comments = self._comments(assignment, student)
        scores: dict[str, dict[str, Score]] = {}
        columns = (
            SubmittedAssignment.student_id,
            BaseCell.name,
            Grade.score,
            Grade.manual_score,
            Grade.needs_manual_grade,
        )
        most = self.cells(assignment).most
        for who, name, points, by_hand, unread in self.run(self._of(Grade, columns, assignment, student)):
            found = Score(
                points or 0.0, most.get(name, 0.0), by_hand is not None, unread, comments.get((who, name), "")
            )
            scores.setdefault(who, {})[name] = found
        return {
            who: Standing(scores.get(who, {}), penalty or 0.0, handed_in, lateness(handed_in, due, extension))
            for who, penalty, handed_in, due, extension in self.run(self._dates(assignment, student))
        }

    def _comments(self, assignment: str, student: str | None) -> dict[tuple[str, str], str]:
        columns = (SubmittedAssignment.student_id, BaseCell.name, Comment.comment)
        found = self.run(self._of(Comment, columns, assignment, student).where(Comment.comment.is_not(None)))
        return {(who, name): comment for who, name, comment in found}

    def _of(self, table, columns: tuple, assignment: str, student: str | None):
        """Select columns about grades or comments of an assignment."""
        chosen = (
            select(*columns)
            .select_from(table)
            .join(BaseCell, BaseCell.id == table.cell_id)
            .join(SubmittedNotebook, SubmittedNotebook.id == table.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .where(SubmittedNotebook.notebook_id == self.cells(assignment).notebook)
        )
        return chosen if student is None else chosen.where(SubmittedAssignment.student_id == student)

    def _dates(self, assignment: str, student: str | None):
        columns = (SubmittedAssignment.student_id, SubmittedNotebook.late_submission_penalty,
                   SubmittedAssignment.timestamp, Assignment.duedate, SubmittedAssignment.extension)  # fmt: skip
        chosen = (
            select(*columns)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .where(SubmittedNotebook.notebook_id == self.cells(assignment).notebook)
        )
        return chosen if student is None else chosen.where(SubmittedAssignment.student_id == student)


def lateness(handed_in: datetime | None, due: datetime | None, extension: timedelta | None) -> timedelta | None:
    """Return how late something was handed in, nothing if that is not known."""
    if handed_in is None or due is None:
        return None
    return max(timedelta(), handed_in - due - (extension or timedelta()))


# ----------------------------------------------------------------------------------------------------- its names


def only_plain_names() -> None:
    """Let no name into the gradebook that means something to a browser, whoever writes it."""
    if not event.contains(Student.id, "set", _refuse_markup):
        event.listen(Student.id, "set", _refuse_markup)


def _refuse_markup(student, name: str, *_) -> None:
    if plain_name(name) != name:
        raise ValueError(f"the student's name must not contain any of < > & \" ` \\ % or invisible signs: {name!a}")
