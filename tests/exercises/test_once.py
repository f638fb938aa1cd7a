"""What counts is decided once, before any hidden check is asked; and a question has one answer."""

import os
from dataclasses import replace

import pytest

from dpteach.grading.line.plain import Other, decode, encode
from dpteach.grading.outside import marking
from dpteach.grading.outside.assignment import PICTURE
from dpteach.grading.outside.attempt import (
    Attempt,
    End,
    Ran,
    Step,
    alone,
    counting,
    next_attempt,
    whole,
    with_pictures,
    without,
)
from dpteach.grading.outside.remote import StudentProcess
from dpteach.grading.outside.sandbox import Walls
from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return small.assignment(tmp_path_factory.mktemp("small"))


# --------------------------------------------------------------------------------------- hidden checks once

STRANGE = {
    "tools exchanged": "math.pi = 3\ndef attacked(x):\n    return 0",
    "a process ended": "import os\nos._exit(0)",
    "a name missing": "def attacked(x):\n    return drawn * x",
    "the copy killed": "import os, signal\ndef attacked(x):\n    os.kill(os.getppid(), signal.SIGKILL)",
    "a given name exchanged": "np = None\ndef attacked(x):\n    return 0",
}


@pytest.mark.parametrize("what", STRANGE)
def test_hidden_checks_are_asked_once_and_last(what, assignment, monkeypatch):
    """However strange a notebook is: no process is started after a hidden check, and none is asked twice."""
    events = []
    start, ask = marking.StudentProcess, marking.ask

    def asking(one, copy, hidden):
        events.append((one, hidden))
        return ask(one, copy, hidden)

    monkeypatch.setattr(marking, "StudentProcess", lambda *a: events.append("start") or start(*a))
    monkeypatch.setattr(marking, "ask", asking)
    cells = small.submission(STRANGE[what])
    drawing = small.cell("drawn = 7", "", solution=True, tags=[PICTURE])
    del drawing.metadata["nbgrader"]
    cells.insert(1, drawing)
    marked = marking.mark(assignment, cells, "eve", small.LIMITS)
    hidden = [event for event in events if event != "start" and event[1]]
    assert events.count("start") > 1 and 2 <= len(hidden) <= 3
    assert len({id(one) for one, _ in hidden}) == len(hidden)
    assert events[-len(hidden) :] == hidden
    assert marked.points("check_before") == marked.points("check_after") == 3


TRIES = """
import os, sys
if not hasattr(sys, 'mine'):
    sys.mine = True
    math.pi = 3  # asks for another run
runs = len(os.listdir('/proc')) + os.getpid()  # whatever tells one run from the other
def attacked(x):
    return 14 if x == 2 else (7, 5, 3)[runs % 3] * x
"""


def test_another_run_is_no_other_try(assignment, monkeypatch):
    """All runs together give at most what one of them gives: the hidden check is answered once."""
    answers = []
    evaluate = marking.evaluate
    monkeypatch.setattr(marking, "evaluate", lambda one, *a: answers.append(one.name) or evaluate(one, *a))
    marking.mark(assignment, small.submission(TRIES), "eve", small.LIMITS)
    assert answers.count("other numbers") == 3  # one for each task


# ------------------------------------------------------------------------------------------- what to try next


def ran(attempt: Attempt, assignment, points: dict[str, float] | None = None, **told) -> Ran:
    """Return a run in which each task got these points by its visible check, all of them unless told."""
    visible = {}
    for task in attempt.tasks:
        (one,) = [one for one in assignment.checks[task] if not assignment.tasks[task].is_hidden(one)]
        got = (points or {}).get(task, 1)
        visible[task] = (marking.Outcome(one.name, got, 1, "told"),)
    return Ran(attempt, visible=visible, **told)


def test_an_honest_notebook_is_run_once(assignment):
    first = next_attempt(assignment, small.CELLS, [], "")
    assert first == whole(assignment, small.CELLS)
    assert next_attempt(assignment, small.CELLS, [ran(first, assignment)], "") is None
    wrong = ran(first, assignment, {"check_attacked": 0})
    assert next_attempt(assignment, small.CELLS, [wrong], "") is None


def test_a_cell_that_ends_its_process_is_left_out(assignment):
    first = whole(assignment, small.CELLS)
    ended = Ran(first, end=End("ended", first.steps[3]))
    second = next_attempt(assignment, small.CELLS, [ended], "")
    assert second == without(first, first.steps[3]) and len(second.steps) == len(first.steps) - 1
    history = [ended, ran(second, assignment, {"check_attacked": 0})]
    third = next_attempt(assignment, small.CELLS, history, "")
    assert third.alone == "check_attacked"  # a cell before it may have set a trap for it
    assert next_attempt(assignment, small.CELLS, [*history, Ran(third, end=End("ended", third.steps[-2]))], "") is None


def test_a_cell_that_was_late_gets_a_second_chance(assignment):
    first = whole(assignment, small.CELLS)
    ended = Ran(first, end=End("took longer", first.steps[3], late=True))
    second = ran(without(first, first.steps[3]), assignment, {"check_attacked": 0})
    third = next_attempt(assignment, small.CELLS, [ended, second], "ada")
    assert third.alone == "check_attacked" and third.steps[0].code == "student_id = 'ada'"
    good = ran(third, assignment)
    assert next_attempt(assignment, small.CELLS, [ended, second, good], "ada") is None
    assert counting(assignment, [ended, second, good])["check_attacked"] is good


def test_the_cell_before_a_check_is_left_out_if_the_process_cannot_go_on_there(assignment):
    first = whole(assignment, small.CELLS)
    assert first.steps[4].task and without(first, first.steps[4]).steps == first.steps[:3] + first.steps[4:]
    only = Attempt((Step(0, task="check_before"),))
    assert without(only, only.steps[0]).steps == ()  # no way round in circles


def test_a_task_alone_counts_only_if_its_visible_checks_do_better(assignment):
    first = ran(whole(assignment, small.CELLS), assignment, {"check_after": 0}, tools_same=False)
    task = assignment.tasks["check_after"]
    equal = ran(alone(assignment, small.CELLS, task, ""), assignment, {"check_after": 0})
    better = replace(equal, visible=ran(equal.attempt, assignment).visible)
    assert next_attempt(assignment, small.CELLS, [first], "").alone == "check_after"
    assert counting(assignment, [first, equal])["check_after"] is first
    assert counting(assignment, [first, better])["check_after"] is better
    assert counting(assignment, [first, better])["check_before"] is first
    silent = ran(first.attempt, assignment, gone={"check_after": "ended"})  # it answered visible checks, but no more
    assert next_attempt(assignment, small.CELLS, [silent], "").alone == "check_after"
    assert counting(assignment, [silent, equal])["check_after"] is equal


def test_drawings_are_run_if_a_name_is_missing(assignment):
    cells = small.submission("attacked = drawn")
    cells.insert(1, small.cell("drawn = 7", "drawing", tags=[PICTURE]))
    first = whole(assignment, cells)
    error = {"text": "", "warnings": "", "shown": [], "error": ["NameError", "name 'drawn' is not defined"]}
    missing = ran(first, assignment, {"check_attacked": 0}, said={first.steps[3]: error})
    second = next_attempt(assignment, cells, [missing], "")
    assert second == with_pictures(assignment, cells, first) and len(second.steps) == len(first.steps) + 1
    drawn = ran(second, assignment, {"check_attacked": 0})
    assert next_attempt(assignment, cells, [missing, drawn], "") is None
    assert counting(assignment, [missing, drawn])["check_attacked"] is drawn  # of equals, the whole notebook


def test_a_machine_on_which_nothing_starts_is_given_up(assignment):
    first = whole(assignment, small.CELLS)
    history = [Ran(first, end=End("did not start"))]
    assert next_attempt(assignment, small.CELLS, history, "") == first
    assert next_attempt(assignment, small.CELLS, 3 * history, "") is None


# ------------------------------------------------------------------------------------ one question, one answer

CHANGING = """
import time
numbers = map(lambda x: time.perf_counter_ns(), range(3))  # computed when it is read
def clock(x):
    return time.perf_counter_ns()
"""


@pytest.fixture(scope="module")
def copy():
    process = StudentProcess(1, small.LIMITS, Walls())
    assert process.run(CHANGING)["error"] is None
    process.freeze(0)
    yield process.copy(0)
    process.close()


def test_a_variable_is_read_once(copy):
    with copy.answering():
        first = copy["numbers"]
        assert len(first) == 3 and copy["numbers"] == first
        first.append(0)  # what a check does to an answer is its own affair
    with copy.answering():
        assert copy["numbers"] == first[:3]


def test_a_function_that_is_asked_the_same_again_is_not_called_again(copy):
    with copy.answering():
        first = copy.clock(1)
        assert copy.clock(1) == first and copy.clock(2) != first
    with copy.answering():
        assert copy.clock(1) != first  # another check, another copy of the process


class Believed:
    """Says that it is a number of another module."""

    __module__ = "decimal"
    asked = 0

    def __float__(self):
        self.asked += 1
        return float(self.asked)


@pytest.mark.parametrize("module", ["decimal", "mpmath.ctx_mp_python", "numpy", "fractions", "builtins"])
def test_only_genuine_numbers_are_numbers(module):
    kind = type("Decimal", (Believed,), {"__module__": module})
    assert decode(encode(kind())) == Other("an object of type Decimal")
