"""Marking many submissions at a time, each by a worker process that can be replaced."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from random import SystemRandom

from ..line.clock import PATIENCE
from ..line.language import Outcome
from ..line.limits import Limits
from .assignment import Assignment, read_cells, source_path
from .marking import CHECK_CODE_SECONDS, HIDDEN_PART, Marked, Tell, mark
from .reading import read_text
from .remote import START_SECONDS
from .repair import put_right
from .sandbox import Walls, libraries_in_use
from .submissions import Submission

WORKER_MEMORY = 4 << 30  # bytes of address space
STOPPED = "This notebook stopped the grader itself: what had been asked before counts; tell your teacher."
SPARE_SECONDS = START_SECONDS + CHECK_CODE_SECONDS


class Refused(Exception):
    """Something that stands in the way of grading, in one sentence."""


def mark_file(
    one: Submission, assignment: Assignment, limits: Limits, walls: Walls, ids: bool, tell: Tell = lambda *_: None
) -> Marked:
    """Mark one submission; whatever it holds, this gives a result."""
    try:
        if one.path is None:
            return nothing(assignment, one.note)
        cells = read_cells(read_text(one.path))
    except (ValueError, OSError) as error:
        return nothing(assignment, f"Nothing could be marked: {error}.")
    marked = mark(assignment, cells, one.student, limits, walls, ids, tell)
    if one.note:
        marked.note(one.note)
    return marked


def nothing(assignment: Assignment, why: str) -> Marked:
    """Return the result of a submission without anything to mark."""
    marked = Marked(notes=[why])
    marked.cells, _ = put_right(assignment, [])
    for key, task in assignment.tasks.items():
        marked.outcomes[key] = [Outcome("all checks", 0, task.points, why, answered=False)]
    return marked


# ------------------------------------------------------------------------------------------------- in a worker


@dataclass(frozen=True)
class Order:
    """What a worker is asked to mark; without a submission it is the assignment's own model solution."""

    assignment: str
    one: Submission | None
    limits: Limits
    walls: Walls
    ids: bool = False


def _serve(line, sources: dict[str, str]) -> None:
    """Mark what comes over the line, in a process of its own."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with contextlib.suppress(ValueError, OSError):  # a check may compute with what a student handed in
        resource.setrlimit(resource.RLIMIT_AS, (WORKER_MEMORY, hard))
    assignments = {name: Assignment.read(Path(path)) for name, path in sources.items()}

    def tell(task: str, outcomes: list[Outcome]) -> None:
        line.send((task, outcomes))

    while True:
        order = line.recv()
        assignment = assignments[order.assignment]
        try:
            if order.one is None:
                marked = mark(assignment, assignment.cells, "", order.limits, order.walls)
                marked.libraries = libraries_in_use()
            else:
                marked = mark_file(order.one, assignment, order.limits, order.walls, order.ids, tell)
        except Exception:  # our own fault: the master knows what has been told, and starts another worker
            os._exit(1)
        line.send(("", marked))


# -------------------------------------------------------------------------------------------------- their master


class Worker:
    """A process that marks one submission after the other; one that ends or blocks it costs the others nothing."""

    def __init__(self, sources: dict[str, str]):
        self.sources = sources
        self.order: Order | None = None
        self.known: dict[str, list[Outcome]] = {}  # what the worker has told of the submission so far
        self.until = 0.0
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

    def begin(self, order: Order) -> None:
        """Hand a submission over."""
        self.order = order
        self.known = {}
        longest = PATIENCE * (1 + HIDDEN_PART) * order.limits.total_seconds
        self.until = time.monotonic() + longest + SPARE_SECONDS
        with contextlib.suppress(OSError):  # if it has just ended, `finished` notices
            self.line.send(order)

    def finished(self, assignments: dict[str, Assignment]) -> Marked | None:
        """Return the result, once there is one; of a worker that ended or blocks, what it has told before."""
        try:
            while self.line.poll():
                task, told = self.line.recv()
                if not task:
                    return told
                self.known[task] = told
            if time.monotonic() < self.until:
                return None
        except (EOFError, OSError):
            pass
        self.stop()
        self.start()
        marked = nothing(assignments[self.order.assignment], STOPPED)
        marked.outcomes |= self.known
        return marked


class Crew:
    """The workers for a batch; as soon as there are any, they mark the model solutions."""

    def __init__(self, root: Path, assignments: dict[str, Assignment], found: list[Submission], options):
        self.assignments = assignments
        self.found = found
        self.ids = options.ids
        self.limits = replace(Limits(), total_seconds=options.seconds)
        names = sorted({one.assignment for one in found})
        sources = {name: str(source_path(root, name)) for name in names}
        self.workers = [Worker(sources) for _ in range(min(max(1, options.workers), len(found)))]
        self.canaries = [Order(name, None, self.limits, Walls()) for name in names]
        hand_out(self.workers, self.canaries)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_) -> None:
        for worker in self.workers:
            worker.stop()

    def mark_all(self) -> Iterator[tuple[Submission, Marked]]:
        """Mark all submissions, several at a time; if a model solution has lost points, the machine is not fit for it.

        The order is nobody's to know: a notebook cannot tell whose came before it, and how long that took.
        """
        libraries: set[str] = set()
        for order, marked in work_off(self.workers, self.canaries, self.assignments):
            refuse_if_unfit(self.assignments[order.assignment], marked)
            libraries |= set(marked.libraries)
        walls = Walls(libraries=tuple(sorted(libraries)))
        orders = [Order(one.assignment, one, self.limits, walls, self.ids) for one in self.found]
        SystemRandom().shuffle(orders)
        for order, marked in work_off(self.workers, orders, self.assignments):
            yield order.one, marked


def hand_out(workers: list[Worker], waiting: list[Order]) -> None:
    """Give workers that have nothing to do something that waits, on a core of their own where there are enough."""
    for worker, core in zip(workers, itertools.cycle(cores())):
        if worker.order is None and waiting:
            order = waiting.pop()
            worker.begin(replace(order, walls=replace(order.walls, core=core)))


def work_off(workers: list[Worker], waiting: list[Order], assignments: dict) -> Iterator[tuple[Order, Marked]]:
    """Let the workers mark what waits, and what they have begun."""
    while waiting or any(worker.order for worker in workers):
        hand_out(workers, waiting)
        busy = [worker for worker in workers if worker.order]
        soonest = min(worker.until for worker in busy)
        wait([worker.line for worker in busy], max(0.0, soonest - time.monotonic()))
        for worker in busy:
            result = worker.finished(assignments)
            if result is not None:
                order, worker.order = worker.order, None
                yield order, result


def refuse_if_unfit(assignment: Assignment, marked: Marked) -> None:
    """Refuse to grade if the model solution does not get all points: then no honest notebook would."""
    if marked.total >= assignment.checked_points:
        return
    lost = [outcome.message for found in marked.outcomes.values() for outcome in found if not outcome.passed]
    reason = (marked.notes or lost)[0]
    got = f"{marked.total:g} of {assignment.checked_points:g} points"
    raise Refused(f"nothing was graded, because here the model solution of {assignment.name} gets {got}: {reason}")


_fit: set[tuple[str, Limits]] = set()  # assignments whose model solution has got all points in this process


def demand_fitness(assignment: Assignment, limits: Limits) -> None:
    """Refuse to grade on a machine on which the model solution loses points; it is marked once for each process."""
    if (assignment.name, limits) not in _fit:
        refuse_if_unfit(assignment, mark(assignment, assignment.cells, "", limits))
        _fit.add((assignment.name, limits))


def cores() -> list[int | None]:
    """List the cores to use, where a process can be told which one to run on."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None] * (os.cpu_count() or 1)
