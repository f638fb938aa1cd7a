"""Marking: run a submission's cells in a student's process, and the checks in this one."""

from __future__ import annotations

import binascii
import contextlib
import re
import signal
import threading
import time
from dataclasses import dataclass, field, replace
from html import escape

from ..table import show
from .assignment import Assignment, Task, only_draws, told_by
from .language import Broken, Check, Outcome, Wrong, evaluate
from .plain import readable
from .remote import FrozenCopy, Gone, StudentProcess
from .sandbox import Limits, Walls

MOST_STARTS = 12  # a cell that ends the process is left out and the rest is run again, this often
FIRST_PART = 0.6  # of the time, once a cell has ended a process; the rest is for tasks on their own
CHECK_CODE_SECONDS = 30  # for a check itself, which may compute with what a student handed in
MOST_NOTES = 20
PLACE = re.compile(r" ?\(<ipython-input[^)]*\)")  # where an error is, in words that say nothing
MOST_OUTPUT = 5_000_000  # characters that a submission may print and draw


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
        """Remember something to tell, once; nobody reads a hundred sentences."""
        sentence = readable(sentence)
        if sentence not in self.notes and len(self.notes) < MOST_NOTES:
            self.notes.append(sentence if len(self.notes) < MOST_NOTES - 1 else "More happened than is told here.")


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
    marked.cells, notes = assignment.put_right(cells)
    for note in notes:
        marked.note(note)
    Run(assignment, student_id, limits or Limits(), walls or Walls(), marked, ids_required).all()
    return marked


def plan(assignment: Assignment, cells: list, pictures: bool = False) -> list[Step]:
    """List what to do: run the code cells in their order, and freeze where a check stands; drawing takes time."""
    steps = []
    for place, cell in enumerate(cells):
        key = told_by(cell).get("grade_id", "")
        if key in assignment.tasks:
            steps.append(Step(place, task=key))
        elif cell.cell_type == "code" and (pictures or not only_draws(cell)):
            steps.append(Step(place, cell.source, key=key))
    return steps


class Run:
    """The run of one submission: processes are started until every task has been asked."""

    def __init__(self, assignment, student_id, limits: Limits, walls: Walls, marked: Marked, ids_required: bool):
        self.assignment, self.student_id, self.ids_required = assignment, student_id, ids_required
        self.steps = plan(assignment, marked.cells)
        self.id: str | None = None  # whose numbers count, once that is known
        self.limits, self.walls, self.marked = limits, walls, marked
        self.number = {key: i for i, key in enumerate(assignment.tasks)}
        self.left_out: set[Step] = set()
        self.stopped: dict[str, str] = {}  # what stopped a cell, by nbgrader's name of the cell
        self.begun, self.printed = time.monotonic(), 0
        self.until = self.begun + limits.total_seconds
        self.strange = False  # cells died, tools were exchanged: honest tasks get a second chance on their own
        self.foul = False  # the process did what no cell of an exercise does, so a cell left out may be innocent
        self.asked = False  # whether a hidden check has been asked: from then on no word of the student's is told

    def all(self) -> None:
        """Run the cells as often as needed, then give tasks that suffered from others a run of their own."""
        waiting = set(self.assignment.tasks)
        for _ in range(MOST_STARTS):
            until = self.begun + FIRST_PART * self.limits.total_seconds if self.strange else self.until
            if not waiting or time.monotonic() > until:
                break
            waiting -= self._once(self.steps, waiting, until)
        if not waiting and self._misses_a_name():
            self.steps = plan(self.assignment, self.marked.cells, pictures=True)
            self.marked.notes = [note for note in self.marked.notes if "NameError" not in note]
            self._again(self.steps, set(self.assignment.tasks), self.until)
        for key in waiting:
            self._give_up(key)
        if self.strange:
            self._second_chances()
        self.marked.outcomes = {key: self.marked.outcomes[key] for key in self.assignment.tasks}

    def _once(self, steps: list[Step], waiting: set[str], until: float) -> set[str]:
        """Run the steps in a new process; return the tasks that were marked, none if a cell ended the process."""
        limits = replace(self.limits, total_seconds=max(1.0, until - time.monotonic()))
        try:
            process = StudentProcess(len(self.number), limits, self.walls)
        except Gone as error:
            self.marked.note(f"The process for this notebook {error}.")
            return set()
        try:
            frozen = self._run_steps(process, steps, waiting)
            copies = {key: process.copy(self.number[key]) for key in frozen}
            if self.id is None and frozen:
                self.id = self._id_for(copies[frozen[0]])
            self._check(copies)
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
                    self._remember(step, process.run(step.code, step.key in self.assignment.given))
            except Gone as error:
                self._left_out(step, str(error), time.monotonic() > process.until)
                return []
        self._changed(*process.untouched())
        return frozen

    def _remember(self, step: Step, told: dict) -> None:
        """Keep what a cell printed, and tell of an error that stopped it; not if it could know a hidden input."""
        if self.asked and not self.walls.stand:
            return
        told = believable(told)
        self.printed += len(str(told))
        self.marked.outputs[step.place] = told if self.printed < MOST_OUTPUT else {"text": "(all that was too long)"}
        if told["error"]:
            name, words = (part[:100] for part in told["error"])
            self.stopped[step.key] = f"stopped with {name}"
            self.marked.note(f"{self._called(step)} stopped with {name}: “{words}”.")
        else:
            self.stopped.pop(step.key, None)

    def _left_out(self, step: Step, why: str, time_is_up: bool) -> None:
        self.strange = True
        if time_is_up:  # that need not be the fault of this cell
            self.marked.note("The notebook used up its time; each task got what was left of it on its own.")
            return
        if step.task:  # the cells before it broke the process without being noticed
            self.left_out |= {earlier for earlier in self.steps[: self.steps.index(step)][-1:] if not earlier.task}
            self.marked.note(f"The process could not go on at the check of {step.task}: it {why}.")
            return
        self.left_out.add(step)
        self.stopped[step.key] = why
        self.marked.outputs[step.place] = {"error": ["Stopped", f"this cell {why}"]}
        self.marked.note(f"{self._called(step)} {why}; it was left out, and all other cells were run.")

    def _called(self, step: Step) -> str:
        """Name a cell so that a student finds it."""
        for number, task in enumerate(self.assignment.tasks.values(), 1):
            if step.key and step.key == task.solution_id:
                return f"The cell of task {number}"
        return f"Cell {step.place + 1} of the notebook"

    def _changed(self, tools_same: bool, given_same: bool) -> None:
        self.strange |= not (tools_same and given_same)
        if not tools_same:
            self.foul = True
            self.marked.note(
                "The notebook replaces parts of Python, numpy or dpteach. The checks run in another process, where "
                "that changes nothing."
            )

    def _notice(self, process: StudentProcess) -> None:
        if process.forged:
            self.strange = self.foul = True
            self.marked.note("Something wrote to the grader's line. Only answers to its own questions count.")

    def _give_up(self, key: str) -> None:
        message = "this task could not be reached: cells before it ended the process or used up the time"
        self.marked.outcomes[key] = [
            Outcome(one.name, 0, one.points, message, self.assignment.tasks[key].is_hidden(one), answered=False)
            for one in self.assignment.checks[key]
        ]

    def _second_chances(self) -> None:
        """Run tasks without full marks once more, alone with the given cells; the better result counts."""
        tasks = self._unlucky()
        for i, task in enumerate(tasks):
            now = time.monotonic()
            if now < self.until:
                again = {task.solution_id, *self.assignment.given}
                self.left_out = {step for step in self.left_out if step.key not in again}
                self._again(self._alone(task), {task.id}, now + (self.until - now) / (len(tasks) - i))

    def _misses_a_name(self) -> bool:
        """Say whether something may have failed because cells that only draw were not run."""
        draws = any(map(only_draws, self.marked.cells))
        outcomes = [outcome for found in self.marked.outcomes.values() for outcome in found]
        return draws and any("NameError" in text for text in (*self.marked.notes, *(o.message for o in outcomes)))

    def _again(self, steps: list[Step], tasks: set[str], until: float) -> None:
        """Run tasks once more; the better result counts."""
        before = {key: self.marked.outcomes[key] for key in tasks}
        self._once(steps, tasks, until)
        for key, outcomes in before.items():
            if self.marked.points(key) < sum(outcome.points for outcome in outcomes):
                self.marked.outcomes[key] = outcomes

    def _unlucky(self) -> list[Task]:
        """List the tasks that other cells may have harmed; last those left out, perhaps on account of another cell."""
        lost = {step.key for step in self.left_out}
        tasks = [task for key, task in self.assignment.tasks.items() if self.marked.points(key) < task.points]
        last = [task for task in tasks if task.solution_id in lost] if self.foul or len(lost) > 1 else []
        return [task for task in tasks if task.solution_id not in lost] + last

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
            said = f"The notebook says student_id = {typed[:40]!r}" if typed else "No student_id was typed"
            self.marked.note(f"{said}, but this submission is of {self.student_id!r}, whose numbers count.")
        return self.student_id

    def _check(self, copies: dict[str, FrozenCopy]) -> None:
        """Ask all visible checks, then all hidden ones: what a visible one tells cannot come from a hidden input."""
        found = {}
        for turn in (False, True):
            for key, copy in copies.items():
                task, copy.id = self.assignment.tasks[key], self.id
                secret = turn or (self.asked and not self.walls.stand)
                for one in self.assignment.checks[key]:
                    if task.is_hidden(one) is turn:
                        found[one] = replace(ask(one, copy, secret), hidden=turn)
            self.asked |= turn and bool(copies)
        for key, copy in copies.items():
            self.marked.outcomes[key] = [self._with_reason(key, found[one]) for one in self.assignment.checks[key]]
            if copy.gone:
                self.strange = self.foul = True
                self.marked.note(f"The process that should answer the checks of {key} {copy.gone}.")

    def _with_reason(self, key: str, outcome: Outcome) -> Outcome:
        """Say below a task without an answer what stopped its cell."""
        reason = self.stopped.get(self.assignment.tasks[key].solution_id)
        if outcome.answered or not reason:
            return outcome
        return replace(outcome, message=f"{outcome.message} The cell of this task {reason}.")


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


def believable(told: dict) -> dict:
    """Return what a process says of a cell in the form that it should have: a changed kernel may say anything."""
    words = {part: told[part][:25_000] if isinstance(told.get(part), str) else "" for part in ("text", "warnings")}
    shown = told.get("shown") if isinstance(told.get("shown"), list) else []
    error = told.get("error")
    if error:
        parts = (*(error if isinstance(error, list) else ()), "", "")[:2]
        error = [readable(PLACE.sub("", str(part)[:1000]))[:300] for part in parts]
    return {**words, "shown": [_display(data) for data in shown[:20] if isinstance(data, dict)], "error": error or None}


def _display(data: dict) -> dict:
    """Keep the text and the picture of a displayed object; a picture is nothing but base64, and no piece of a page."""
    text, picture = data.get("text/plain"), data.get("image/png")
    kept = {"text/plain": text[:25_000]} if isinstance(text, str) else {}
    with contextlib.suppress(ValueError):
        if isinstance(picture, str) and binascii.a2b_base64(picture.replace("\n", ""), strict_mode=True):
            kept["image/png"] = picture
    return kept


def _outputs(told: dict) -> list:
    """Return what a cell printed, displayed and raised, in the form of a notebook."""
    from nbformat.v4 import new_output

    outputs = []
    text = told.get("text", "") + told.get("warnings", "")
    if text:
        outputs.append(new_output("stream", name="stdout", text=text))
    for data in told.get("shown", ()):
        outputs.append(new_output("display_data", data))
    if error := told.get("error"):
        name, words = error
        outputs.append(new_output("error", ename=name, evalue=words, traceback=[f"{name}: {words}"]))
    return outputs
