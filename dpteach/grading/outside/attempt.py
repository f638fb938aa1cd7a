"""Attempts: what to run of a submission, and what to try next; nothing in here starts a process.

A notebook is run as a whole. A cell that ends its process is left out and the rest is run again; drawings are run if a
name is missing without them. If something strange happened, tasks that did badly in their visible checks are run once
more, each alone with the given cells. Which run of a task counts is decided by its visible checks, before any hidden
check has been asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..line.language import Outcome
from .assignment import Assignment, Task, only_draws, told_by

MOST_WHOLE = 12  # runs of the whole notebook
MOST_FAILED_STARTS = 3
NOTHING: Mapping = {}


@dataclass(frozen=True)
class Step:
    """One thing to do: run a cell of the submission, or freeze the process for a task's checks."""

    place: int  # of the cell in the notebook, -1 if it is not in there
    code: str = ""
    task: str = ""
    key: str = ""  # nbgrader's name of the cell


@dataclass(frozen=True)
class Attempt:
    """What to do in one process."""

    steps: tuple[Step, ...]
    alone: str = ""  # the task that it is about; without one it is about the whole notebook
    pictures: bool = False  # whether cells that only draw are among the steps

    @property
    def tasks(self) -> list[str]:
        """The tasks whose checks will be asked."""
        return [step.task for step in self.steps if step.task]


@dataclass(frozen=True)
class End:
    """Why a process ended before all steps were done; without a step it did not even start."""

    why: str
    step: Step | None = None
    late: bool = False  # one cell took too long
    time_is_up: bool = False  # all cells together did


@dataclass(frozen=True)
class Ran:
    """What became of an attempt, as far as it is known before any hidden check is asked."""

    attempt: Attempt
    said: Mapping[Step, dict] = field(default_factory=dict)  # what the cells printed, displayed and raised
    end: End | None = None
    visible: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)  # of the tasks that were reached
    gone: Mapping[str, str] = field(default_factory=dict)  # tasks whose copy does not answer any more, with the reason
    tools_same: bool = True
    given_same: bool = True
    forged: bool = False

    @property
    def foul(self) -> bool:
        """Say whether the process did what no cell of an exercise does."""
        return self.forged or bool(self.gone) or not self.tools_same

    @property
    def strange(self) -> bool:
        """Say whether cells may have suffered from other cells."""
        return self.foul or self.end is not None or not self.given_same

    def points(self, task: str) -> float:
        """What the visible checks of a task gave; less than nothing if hidden ones cannot be asked any more."""
        if task not in self.visible or task in self.gone:
            return -1
        return sum(outcome.points for outcome in self.visible[task])

    @property
    def errors(self) -> dict[Step, list[str]]:
        """The name and the words of the error that stopped a cell, by cell."""
        return {step: told["error"] for step, told in self.said.items() if told["error"]}

    @property
    def misses_a_name(self) -> bool:
        """Say whether something failed on account of a name that is not there."""
        if any(name == "NameError" for name, _ in self.errors.values()):
            return True
        outcomes = [outcome for found in self.visible.values() for outcome in found]
        return any("NameError" in outcome.message for outcome in outcomes)


# ------------------------------------------------------------------------------------------------- what to do next


def whole(assignment: Assignment, cells: list, pictures: bool = False) -> Attempt:
    """Run the code cells in their order, and freeze where a check stands; drawing takes time."""
    steps = []
    for place, cell in enumerate(cells):
        key = told_by(cell).get("grade_id", "")
        if key in assignment.tasks:
            steps.append(Step(place, task=key))
        elif cell.cell_type == "code" and (pictures or not only_draws(cell)):
            steps.append(Step(place, cell.source, key=key))
    return Attempt(tuple(steps), pictures=pictures)


def alone(assignment: Assignment, cells: list, task: Task, student_id: str) -> Attempt:
    """Run the given cells, a task's own cell and its check."""
    wanted = {*assignment.given, task.solution_id}
    named = Step(-1, f"student_id = {student_id!r}")
    own = [step for step in whole(assignment, cells).steps if step.key in wanted]
    return Attempt((named, *own, Step(-1, task=task.id)), alone=task.id)


def next_attempt(assignment: Assignment, cells: list, history: list[Ran], student_id: str) -> Attempt | None:
    """Return what to try next, nothing if it is known which run of every task counts."""
    if not history:
        return whole(assignment, cells)
    wholes = [ran for ran in history if not ran.attempt.alone]
    failed_starts = sum(ran.end is not None and ran.end.step is None for ran in history)
    if failed_starts == MOST_FAILED_STARTS:
        return None
    last = wholes[-1]
    if history[-1].end and history[-1].end.step is None:
        return history[-1].attempt
    if last.end and not last.end.time_is_up and not last.attempt.pictures and len(wholes) < MOST_WHOLE:
        return without(last.attempt, last.end.step)
    if not last.end and last.misses_a_name and not last.attempt.pictures and any(map(only_draws, cells)):
        return with_pictures(assignment, cells, last.attempt)
    tried = {ran.attempt.alone for ran in history}
    waiting = [task for task in unlucky(assignment, history) if task.id not in tried]
    return alone(assignment, cells, waiting[0], student_id) if waiting else None


def without(attempt: Attempt, step: Step) -> Attempt:
    """Leave a cell out; if the process ended at a check, the cell before it, which broke it without being noticed."""
    if step.task:
        before = attempt.steps[: attempt.steps.index(step)]
        step = next((earlier for earlier in reversed(before) if not earlier.task), step)
    return replace(attempt, steps=tuple(other for other in attempt.steps if other != step))


def with_pictures(assignment: Assignment, cells: list, attempt: Attempt) -> Attempt:
    """Run the cells that only draw as well; what has been left out before stays out."""
    everything = whole(assignment, cells).steps
    left_out = set(everything) - set(attempt.steps)
    drawn = whole(assignment, cells, pictures=True)
    return replace(drawn, steps=tuple(step for step in drawn.steps if step not in left_out))


def unlucky(assignment: Assignment, history: list[Ran]) -> list[Task]:
    """List the tasks that other cells may have harmed; last those whose own cell ended a process."""
    if not any(ran.strange for ran in history):
        return []
    wholes = [ran for ran in history if not ran.attempt.alone]
    lost = {ran.end.step.key for ran in wholes if ran.end and ran.end.step}
    tasks = [task for task in assignment.tasks.values() if best_points(task.id, wholes) < seen_points(assignment, task)]
    return sorted(tasks, key=lambda task: task.solution_id in lost)


def seen_points(assignment: Assignment, task: Task) -> float:
    """What the visible checks of a task can give."""
    return sum(one.points for one in assignment.checks[task.id] if not task.is_hidden(one))


def best_points(task: str, history: list[Ran]) -> float:
    """What the visible checks of a task gave at most."""
    return max((ran.points(task) for ran in history), default=-1)


def counting(assignment: Assignment, history: list[Ran]) -> dict[str, Ran]:
    """Say which run of each task counts: the best by its visible checks, and of equals the most like the notebook."""
    likeness = sorted(history, key=lambda ran: (bool(ran.attempt.alone), not ran.attempt.pictures))
    found = {}
    for task in assignment.tasks:
        reached = [ran for ran in likeness if task in ran.visible]
        if reached:
            found[task] = max(reached, key=lambda ran: ran.points(task))  # the first of equals
    return found
