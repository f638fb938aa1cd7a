"""Marking: run a submission's cells in a student's process, and the checks in this one."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from dataclasses import dataclass, field, replace
from html import escape

from ..table import show
from .assignment import Assignment, Task, only_draws, told_by
from .language import Broken, Check, Outcome, Wrong, evaluate
from .remote import FrozenCopy, Gone, StudentProcess
from .sandbox import Limits, Walls

MOST_STARTS = 12  # a cell that ends the process is left out and the rest is run again, this often
CHECK_CODE_SECONDS = 30  # for a check itself, which may compute with what a student handed in


@dataclass
class Marked:
    """What a submission got: the outcomes of each task's checks, and what happened to its cells."""

    cells: list = field(default_factory=list)  # as they were run
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    outputs: dict[int, dict] = field(default_factory=dict)  # what the cells printed, by their place
    notes: list[str] = field(default_factory=list)  # a sentence for each thing that the student should know

    def points(self, task: str) -> float:
        """What a task got."""
        return sum(outcome.points for outcome in self.outcomes.get(task, ()))

    @property
    def total(self) -> float:
        """What all tasks together got."""
        return sum(map(self.points, self.outcomes))

    def note(self, sentence: str) -> None:
        """Remember something to tell, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)


@dataclass(frozen=True)
class Step:
    """One thing to do: run a cell of the submission, or freeze the process for a task's checks."""

    place: int  # of the cell in the notebook, -1 if it is not in there
    code: str = ""
    task: str = ""
    key: str = ""  # nbgrader's name of the cell


def mark(
    assignment: Assignment,
    cells: list,
    student_id: str,
    limits: Limits | None = None,
    walls: Walls | None = None,
    ids_required: bool = False,
) -> Marked:
    """Mark the cells of a submission: every task that can be reached is checked, whatever the others do."""
    marked = Marked()
    marked.cells, marked.notes = assignment.put_right(cells)
    steps = plan(assignment, marked.cells)
    Run(assignment, steps, student_id, limits or Limits(), walls or Walls(), marked, ids_required).all()
    return marked


def plan(assignment: Assignment, cells: list) -> list[Step]:
    """List what to do: run the code cells in their order, and freeze where a check stands."""
    steps = []
    for place, cell in enumerate(cells):
        key = told_by(cell).get("grade_id", "")
        if key in assignment.tasks:
            steps.append(Step(place, task=key))
        elif cell.cell_type == "code" and not only_draws(cell):
            steps.append(Step(place, cell.source, key=key))
    return steps


class Run:
    """The run of one submission: processes are started until every task has been asked."""

    def __init__(self, assignment, steps, student_id, limits: Limits, walls: Walls, marked: Marked, ids_required: bool):
        self.assignment, self.steps, self.student_id, self.ids_required = assignment, steps, student_id, ids_required
        self.id: str | None = None  # whose numbers count, once that is known
        self.limits, self.walls, self.marked = limits, walls, marked
        self.number = {key: i for i, key in enumerate(assignment.tasks)}
        self.left_out: set[Step] = set()
        self.until = time.monotonic() + limits.total_seconds
        self.strange = False  # cells died, tools were exchanged: honest tasks get a second chance on their own

    def all(self) -> None:
        """Run the cells as often as needed, then give tasks that suffered from others a run of their own."""
        waiting = set(self.assignment.tasks)
        for _ in range(MOST_STARTS):
            waiting -= self._once(self.steps, waiting)
            if not waiting or time.monotonic() > self.until:
                break
        for key in waiting:
            self._give_up(key)
        if self.strange:
            self._second_chances()
        self.marked.outcomes = {key: self.marked.outcomes[key] for key in self.assignment.tasks}

    def _once(self, steps: list[Step], waiting: set[str]) -> set[str]:
        """Run the steps in a new process; return the tasks that were marked, none if a cell ended the process."""
        limits = replace(self.limits, total_seconds=max(1.0, self.until - time.monotonic()))
        try:
            process = StudentProcess(len(self.number), limits, self.walls)
        except Gone as error:
            self.marked.note(f"The process for this notebook {error}.")
            return set()
        try:
            frozen = self._run_steps(process, steps, waiting)
            for key in frozen:
                if self.id is None:
                    self.id = self._id_for(process.copy(self.number[key]))
                self._check(self.assignment.tasks[key], process.copy(self.number[key]))
        finally:
            self._notice(process)
            process.close()
        return set(frozen)

    def _run_steps(self, process: StudentProcess, steps: list[Step], waiting: set[str]) -> list[str]:
        """Run the cells and freeze a copy at each check; a cell that ends the process is left out next time."""
        frozen: list[str] = []
        for step in steps:
            if step in self.left_out or (step.task and step.task not in waiting):
                continue
            try:
                if step.task:
                    process.freeze(self.number[step.task])
                    frozen.append(step.task)
                else:
                    self._remember(step, process.run(step.code))
            except Gone as error:
                self._left_out(step, str(error))
                return []
        if not process.untouched():
            self._tools_changed()
        return frozen

    def _remember(self, step: Step, told: dict) -> None:
        """Keep what a cell printed, and tell of an error that stopped it."""
        self.marked.outputs.setdefault(step.place, {}).update(told)
        if isinstance(told.get("error"), list):
            name, words = (" ".join(str(part).split())[:100] for part in (*told["error"], "")[:2])
            self.marked.note(f"{self._called(step)} stopped with {name}: “{words}”.")

    def _left_out(self, step: Step, why: str) -> None:
        self.strange = True
        if step.task:  # the cells before it broke the process without being noticed
            self.left_out |= {earlier for earlier in self.steps[: self.steps.index(step)][-1:] if not earlier.task}
            self.marked.note(f"The process could not go on at the check of {step.task}: it {why}.")
            return
        self.left_out.add(step)
        self.marked.outputs[step.place] = {"error": ["Stopped", f"this cell {why}"]}
        self.marked.note(f"{self._called(step)} {why}; it was left out, and all other cells were run.")

    def _called(self, step: Step) -> str:
        """Name a cell so that a student finds it."""
        for number, task in enumerate(self.assignment.tasks.values(), 1):
            if step.key and step.key == task.solution_id:
                return f"The cell of task {number}"
        return f"Cell {step.place + 1} of the notebook"

    def _tools_changed(self) -> None:
        self.strange = True
        self.marked.note(
            "The notebook replaces parts of Python, numpy or dpteach. The checks run in another process, where that "
            "changes nothing."
        )

    def _notice(self, process: StudentProcess) -> None:
        if process.forged:
            self.strange = True
            self.marked.note("Something wrote to the grader's line. Only answers to its own questions count.")

    def _give_up(self, key: str) -> None:
        message = "this task could not be reached: cells before it ended the process or used up the time"
        self.marked.outcomes[key] = [
            Outcome(one.name, 0, one.points, message, self.assignment.tasks[key].is_hidden(one), answered=False)
            for one in self.assignment.checks[key]
        ]

    def _second_chances(self) -> None:
        """Run tasks without full marks once more, alone with the given cells; the better result counts."""
        lost = {step.key for step in self.left_out}
        for key, task in self.assignment.tasks.items():
            hopeless = task.solution_id in lost or self.marked.points(key) >= task.points
            if not hopeless and time.monotonic() < self.until:
                before = self.marked.outcomes[key]
                self._once(self._alone(task), {key})
                if self.marked.points(key) < sum(outcome.points for outcome in before):
                    self.marked.outcomes[key] = before

    def _alone(self, task: Task) -> list[Step]:
        """Return the given cells, the task's own cell and its check."""
        named = Step(-1, f"student_id = {self.id or ''!r}")
        cells = [step for step in self.steps if step.key in (*self.assignment.given, task.solution_id)]
        return [named, *cells, Step(-1, task=task.id)]

    def _id_for(self, copy: FrozenCopy) -> str:
        """Return the id whose numbers count: none if the student typed none, otherwise the submission's."""
        try:
            with copy.answering():
                typed = copy.ask("student_id")
        except (Broken, Gone):
            typed = ""
        typed = typed.strip() if isinstance(typed, str) else str(typed)
        if not typed and not self.ids_required:
            return ""
        if typed.casefold() != self.student_id.casefold():
            self.marked.note(
                f"The notebook says student_id = {typed[:40]!r}, but this submission is of {self.student_id!r}, whose "
                "numbers count."
            )
        return self.student_id

    def _check(self, task: Task, copy: FrozenCopy) -> None:
        copy.id = self.id
        outcomes = [ask(one, copy, task.is_hidden(one)) for one in self.assignment.checks[task.id]]
        self.marked.outcomes[task.id] = outcomes
        if copy.gone:
            self.strange = True
            self.marked.note(f"The process that should answer the checks of {task.id} {copy.gone}.")


def ask(one: Check, copy: FrozenCopy, hidden: bool) -> Outcome:
    """Run one check against a frozen copy of the student's process."""
    try:
        with copy.answering(), overtime(CHECK_CODE_SECONDS):
            return evaluate(one, copy, hidden)
    except (Broken, Gone) as error:
        return Outcome(one.name, 0, one.points, str(error), hidden, answered=False)


@contextlib.contextmanager
def overtime(seconds: float):
    """Stop a check that computes for too long with what a student handed in."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_):
        raise Wrong("computing with your answer takes too long: choose smaller numbers.")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def summary(task: Task, outcomes: list[Outcome]) -> str:
    """Write the outcomes of a task as text."""
    got = sum(outcome.points for outcome in outcomes)
    return "\n".join([*map(str, outcomes), f"→ {show(got)} of {show(task.points)} points."])


def with_notes(cells: list, notes: list[str]) -> list:
    """Put what happened above the cells, for the student and for whoever reads the notebook."""
    from nbformat.v4 import new_markdown_cell

    lines = ["**What happened**", "", *(f"- {escape(note)}" for note in notes)]
    return [new_markdown_cell("\n".join(lines)), *cells] if notes else cells


def with_outputs(marked: Marked, assignment: Assignment) -> list:
    """Return the cells with what they printed; below a check what it found, and the points as nbgrader reads them."""
    from nbformat.v4 import new_output

    for place, told in marked.outputs.items():
        if place < 0:
            continue
        marked.cells[place].outputs = _outputs(told)
    for cell in marked.cells:
        key = told_by(cell).get("grade_id", "")
        if key in assignment.tasks:
            text = summary(assignment.tasks[key], marked.outcomes[key])
            points = new_output("execute_result", {"text/plain": f"{marked.points(key):g}"}, execution_count=1)
            cell.outputs = [new_output("stream", name="stdout", text=text), points]
    return marked.cells


def _outputs(told: dict) -> list:
    """Return what a cell printed, displayed and raised, in the form of a notebook; nothing in it is trusted."""
    from nbformat.v4 import new_output

    outputs = []
    text = "".join(str(told.get(part) or "") for part in ("text", "warnings"))
    if text:
        outputs.append(new_output("stream", name="stdout", text=text[:50_000]))
    for data in told.get("shown") or ():
        kept = {kind: data[kind] for kind in ("text/plain", "image/png") if isinstance(data.get(kind), str)}
        outputs.append(new_output("display_data", kept))
    if error := told.get("error"):
        name, words = (str(part)[:300] for part in error)
        outputs.append(new_output("error", ename=name, evalue=words, traceback=[f"{name}: {words}"]))
    return outputs
