"""Marking: run a submission's cells in a student's process, and the checks in this one."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace

from ..line.clock import Budget
from ..line.language import NO_ANSWER, Broken, Check, Outcome, Wrong, evaluate, folded_id
from ..line.limits import Limits
from ..line.memory import exceeds, family
from ..line.plain import readable
from .assignment import Assignment
from .attempt import Attempt, End, Ran, Step, counting, next_attempt, unlucky
from .remote import FrozenCopy, Gone, StudentProcess
from .repair import put_right
from .sandbox import Walls

WHOLE_PART = 0.6  # of the time, once something strange has happened; the rest is for tasks on their own
HIDDEN_PART = 0.3  # of the time, on top of it, for hidden checks
CHECK_CODE_SECONDS = 30  # for a check itself, which may compute with what a student handed in
MOST_NOTES = 20
MOST_OUTPUT = 5_000_000  # characters that a submission may print and draw
NOT_REACHED = "this task could not be reached: cells before it ended the process or used up the time"
STUMBLED = "The grader itself stumbled over this notebook ({}): what had been asked before counts; tell your teacher."
NOT_ASKED = "this was not asked, because the grader itself stumbled: tell your teacher"
REPLACED = (
    "The notebook replaces parts of Python, numpy or dpteach. The checks run in another process, where that changes "
    "nothing."
)
FORGED = "Something wrote to the grader's line. Only answers to its own questions count."
TOO_MUCH_MEMORY = "used too much memory"
USED_UP = "The notebook used up its time; each task got what was left of it on its own."

Tell = Callable[[str, list[Outcome]], None]


@dataclass
class Marked:
    """What a submission got: the outcomes of each task's checks, and what happened to its cells."""

    cells: list = field(default_factory=list)  # as they were run
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    outputs: dict[int, dict] = field(default_factory=dict)  # what the cells printed, by their place
    notes: list[str] = field(default_factory=list)  # a sentence for each thing that the student should know
    libraries: tuple[str, ...] = ()  # that were in use, if it is the model solution that was marked

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

    def tell(self) -> dict:
        """Return outcomes and notes in a form that a file can hold."""
        outcomes = {task: [asdict(outcome) for outcome in found] for task, found in self.outcomes.items()}
        return {"outcomes": outcomes, "notes": self.notes}

    @classmethod
    def told(cls, data: dict | None) -> Marked | None:
        """Return what `tell` has told; nothing if it was not that."""
        try:
            outcomes = {task: [Outcome(**outcome) for outcome in found] for task, found in data["outcomes"].items()}
            return cls(outcomes=outcomes, notes=list(data["notes"]))
        except (TypeError, KeyError, AttributeError):
            return None


def mark(
    assignment: Assignment,
    cells: list,
    student_id: str,
    limits: Limits | None = None,
    walls: Walls | None = None,
    ids_required: bool = False,
    tell: Tell = lambda task, outcomes: None,
) -> Marked:
    """Mark the cells of a submission: every task that can be reached is checked, whatever the others do.

    `tell` hears the outcomes of each task as soon as they are known.
    """
    marked = Marked()
    one = Marking(assignment, student_id, limits or Limits(), walls or Walls(), marked)
    try:
        marked.cells, notes = put_right(assignment, cells)
        for note in notes:
            marked.note(note)
        one.rehearse(ids_required)
        one.ask_all(tell)
    except Exception as error:  # whatever it is, it must not cost what is known already
        marked.note(STUMBLED.format(type(error).__name__))
    finally:
        one.close()
    marked.outcomes = {task: marked.outcomes.get(task) or one.known(task) for task in assignment.tasks}
    return marked


def not_asked(assignment: Assignment, task: str, why: str) -> list[Outcome]:
    """Return the outcomes of a task whose checks have not been asked."""
    hidden = assignment.tasks[task].is_hidden
    return [Outcome(one.name, 0, one.points, why, hidden(one), answered=False) for one in assignment.checks[task]]


class Marking:
    """The marking of one submission: first all runs, with the visible checks; then, once, the hidden ones."""

    def __init__(self, assignment: Assignment, student_id: str, limits: Limits, walls: Walls, marked: Marked):
        self.assignment = assignment
        self.student_id = student_id
        self.limits = limits
        self.walls = walls
        self.marked = marked
        self.numbers_of: str | None = None  # whose numbers count, once that is known
        self.budget = Budget(limits.total_seconds)
        self.history: list[Ran] = []
        self.alive: list[tuple[Ran, StudentProcess, dict[str, FrozenCopy]]] = []

    def close(self) -> None:
        """End all processes."""
        for _, process, _ in self.alive:
            process.close()
        self.alive = []

    # ----------------------------------------------------------------------------------- before hidden checks

    def rehearse(self, ids_required: bool = False) -> None:
        """Run the cells, as often as needed, with the visible checks; keep the processes whose answers will count."""
        while self.budget.left > 0:
            attempt = next_attempt(self.assignment, self.marked.cells, self.history, self.numbers_of or "")
            if attempt is None:
                break
            self._try(attempt, ids_required)
            self._end_superfluous()
            self._end_greedy()
        self._tell_what_happened()

    def _try(self, attempt: Attempt, ids_required: bool) -> None:
        """Run an attempt in a new process, and ask the visible checks."""
        try:
            process = StudentProcess(len(attempt.tasks), self.limits, self.walls, self._share(attempt))
        except Gone as error:
            self.history.append(Ran(attempt, end=End(str(error))))
            return
        ran = Ran(attempt)
        copies: dict[str, FrozenCopy] = {}
        try:
            ran = self._run_steps(process, attempt)
            if ran.end is None:
                copies = {task: process.copy(i) for i, task in enumerate(attempt.tasks)}
                self._settle_id(copies, ids_required)
                ran = replace(ran, visible=self._visible(copies))
                make_sure(copies.values())
                ran = replace(ran, gone={task: copy.gone for task, copy in copies.items() if copy.gone})
            ran = replace(ran, forged=process.forged)
        finally:
            self.history.append(ran)
            self.alive.append((ran, process, copies))

    def _share(self, attempt: Attempt) -> Budget:
        """Return the time that an attempt may take."""
        left = self.budget.left
        if attempt.alone:
            waiting = unlucky(self.assignment, self.history)
            tried = {ran.attempt.alone for ran in self.history}
            return Budget(left / sum(task.id not in tried for task in waiting), self.budget)
        if self.history:
            left -= (1 - WHOLE_PART) * self.limits.total_seconds
        return Budget(max(1.0, left), self.budget)

    def _run_steps(self, process: StudentProcess, attempt: Attempt) -> Ran:
        """Run the cells and freeze a copy at each check."""
        said: dict[Step, dict] = {}
        for step in attempt.steps:
            try:
                if step.task:
                    process.freeze(attempt.tasks.index(step.task))
                else:
                    said[step] = process.run(step.code, step.key in self.assignment.given)
            except Gone as error:
                end = End(str(error), step, error.late, time_is_up=process.budget.left <= 0)
                return Ran(attempt, said, end)
        tools_same, given_same = process.untouched()
        return Ran(attempt, said, tools_same=tools_same, given_same=given_same)

    def _settle_id(self, copies: dict[str, FrozenCopy], ids_required: bool) -> None:
        """Find out whose numbers count, and tell all copies."""
        if self.numbers_of is None and copies:
            self.numbers_of = self._id_for(next(iter(copies.values())), ids_required)
        for copy in copies.values():
            copy.id = self.numbers_of

    def _id_for(self, copy: FrozenCopy, ids_required: bool) -> str:
        """Return the id whose numbers count: none if the student typed none, otherwise the submission's."""
        try:
            with copy.answering():
                typed = copy.ask("student_id")
        except (Broken, Gone):
            typed = ""
        typed = typed.strip() if isinstance(typed, str) else str(typed)
        if not typed and not ids_required:
            return ""
        if folded_id(typed) != folded_id(self.student_id):
            said = f"The notebook says student_id = {typed[:40]!r}" if typed else "No student_id was typed"
            self.marked.note(f"{said}, but this submission is of {self.student_id!r}, whose numbers count.")
        return self.student_id

    def _visible(self, copies: dict[str, FrozenCopy]) -> dict[str, tuple[Outcome, ...]]:
        """Ask the visible checks of all tasks."""
        found = {}
        for task, copy in copies.items():
            checks = [one for one in self.assignment.checks[task] if not self.assignment.tasks[task].is_hidden(one)]
            found[task] = tuple(ask(one, copy, hidden=False) for one in checks)
        return found

    def _end_superfluous(self) -> None:
        """End the processes whose answers will not count, whatever comes."""
        wanted = list(counting(self.assignment, self.history).values())
        kept = []
        for ran, process, copies in self.alive:
            if any(ran is other for other in wanted):
                kept.append((ran, process, copies))
            else:
                process.close()
        self.alive = kept

    def _end_greedy(self) -> None:
        """End the last process if all that are kept use more memory than one may; its task counts as it was before."""
        processes = [path for _, process, _ in self.alive for path in family(process.process.pid)]
        if len(self.alive) < 2 or not exceeds(processes, 2 * self.limits.memory):
            return
        ran, process, copies = self.alive.pop()
        process.close()
        self.history[self.history.index(ran)] = replace(ran, gone=dict.fromkeys(copies, TOO_MUCH_MEMORY))

    # --------------------------------------------------------------------------------------- hidden checks

    def ask_all(self, tell: Tell) -> None:
        """Ask the hidden checks, each once, of the run that was chosen before; write down all outcomes."""
        counts = counting(self.assignment, self.history)
        budget = Budget(max(self.budget.left, 0) + HIDDEN_PART * self.limits.total_seconds)
        for task in self.assignment.tasks:
            if task not in counts:
                self.marked.outcomes[task] = not_asked(self.assignment, task, NOT_REACHED)
                continue
            copy = self._copy(task, counts[task])
            copy.budget = budget
            self.marked.outcomes[task] = list(self._outcomes(task, counts[task], copy))
            tell(task, self.marked.outcomes[task])

    def known(self, task: str) -> list[Outcome]:
        """Return the outcomes of a task as far as they are known, if the grader itself stumbled over the rest."""
        outcomes = not_asked(self.assignment, task, NOT_ASKED)
        ran = counting(self.assignment, self.history).get(task)
        visible = iter(ran.visible[task] if ran else ())
        return [outcome if outcome.hidden else next(visible, outcome) for outcome in outcomes]

    def _copy(self, task: str, ran: Ran) -> FrozenCopy:
        return next(copies[task] for other, _, copies in self.alive if other is ran)

    def _outcomes(self, task: str, ran: Ran, copy: FrozenCopy) -> Iterator[Outcome]:
        """Return what became of the checks of a task, in their order."""
        visible = iter(ran.visible[task])
        for one in self.assignment.checks[task]:
            if self.assignment.tasks[task].is_hidden(one):
                outcome = replace(ask(one, copy, hidden=True), hidden=True)
            else:
                outcome = next(visible)
            yield self._with_reason(task, ran, outcome)

    def _with_reason(self, task: str, ran: Ran, outcome: Outcome) -> Outcome:
        """Say below a task without an answer what stopped its cell."""
        reason = self._stopped(ran).get(self.assignment.tasks[task].solution_id)
        if outcome.answered or not reason:
            return outcome
        return replace(outcome, message=f"{outcome.message} The cell of this task {reason}.")

    def _stopped(self, ran: Ran) -> dict[str, str]:
        """Return what stopped cells, by nbgrader's names of the cells."""
        found = {}
        if not ran.attempt.alone:
            found |= {old.end.step.key: old.end.why for old in self.history if old.end and old.end.step}
        return found | {step.key: f"stopped with {error[0][:100]}" for step, error in ran.errors.items()}

    # ------------------------------------------------------------------------------------------ what is told

    def _tell_what_happened(self) -> None:
        """Write down what the cells printed and what a student should know; runs of one task alone tell nothing."""
        wholes = [ran for ran in self.history if not ran.attempt.alone]
        for ran in wholes:
            self._tell_end(ran)
        if wholes:
            self._tell_cells(next((ran for ran in reversed(wholes) if ran.end is None), wholes[-1]))
        for ran in wholes:
            if not ran.tools_same:
                self.marked.note(REPLACED)
            for task, why in ran.gone.items():
                self.marked.note(f"The process that should answer the checks of {task} {why}.")
        if any(ran.forged for ran in self.history):
            self.marked.note(FORGED)

    def _tell_end(self, ran: Ran) -> None:
        """Tell why a run ended before its last cell."""
        end = ran.end
        if end is None:
            return
        if end.step is None:
            self.marked.note(f"The process for this notebook {end.why}.")
        elif end.time_is_up:  # that need not be the fault of this cell
            self.marked.note(USED_UP)
        elif end.step.task:
            self.marked.note(f"The process could not go on at the check of {end.step.task}: it {end.why}.")
        else:
            self.marked.outputs[end.step.place] = {"error": ["Stopped", f"this cell {end.why}"]}
            self.marked.note(f"{self._called(end.step)} {end.why}; it was left out, and all other cells were run.")

    def _tell_cells(self, ran: Ran) -> None:
        """Keep what the cells of a run printed, and tell of the errors that stopped them."""
        printed = 0
        for step, told in ran.said.items():
            printed += len(str(told))
            self.marked.outputs[step.place] = told if printed < MOST_OUTPUT else {"text": "(all that was too long)"}
        for step, (name, words) in ran.errors.items():
            self.marked.note(f"{self._called(step)} stopped with {name[:100]}: “{words[:100]}”.")

    def _called(self, step: Step) -> str:
        """Name a cell so that a student finds it."""
        for number, task in enumerate(self.assignment.tasks.values(), 1):
            if step.key and step.key == task.solution_id:
                return f"The cell of task {number}"
        return f"Cell {step.place + 1} of the notebook"


def ask(one: Check, copy: FrozenCopy, hidden: bool) -> Outcome:
    """Run one check against a frozen copy of the student's process."""
    try:
        with copy.answering(), overtime(CHECK_CODE_SECONDS):
            return evaluate(one, copy, hidden)
    except (Broken, Gone) as error:
        return Outcome(one.name, 0, one.points, NO_ANSWER if hidden else str(error), hidden, answered=False)
    except Exception:  # our own fault, which must not cost the points of other checks
        return Outcome(one.name, 0, one.points, NOT_ASKED, hidden, answered=False)


def make_sure(copies: Iterable[FrozenCopy]) -> None:
    """Find out which copies still answer, if one does not: it may have taken others with it that were asked before."""
    if not any(copy.gone or copy.hung_up for copy in copies):
        return
    for copy in copies:
        with contextlib.suppress(Broken), copy.answering():
            pass


@contextlib.contextmanager
def overtime(seconds: float):
    """Stop a check that computes for too long with what a student handed in; waiting for an answer does not count."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_):
        raise Wrong("computing with your answer takes too long: choose smaller numbers.")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
