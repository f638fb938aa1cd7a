"""Marking many submissions at a time, each by a worker process that can be replaced."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path

from .assignment import Assignment, read_cells, source_path
from .language import Outcome
from .marking import CHECK_CODE_SECONDS, Marked, mark
from .remote import START_SECONDS
from .sandbox import Limits, Walls
from .submissions import Submission, read_text

WORKER_MEMORY = 4 << 30  # bytes of address space
STOPPED = "This notebook stopped the grader, so nothing could be marked."


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
    sources = {name: str(source_path(course.root, name)) for name in {one.assignment for one in found}}
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
