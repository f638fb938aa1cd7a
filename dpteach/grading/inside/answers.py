"""Answers to questions about a notebook: a check in the notebook itself and one of the grader's are answered alike."""

from __future__ import annotations

import inspect

from ... import checks
from ...table import show
from ..line import plain
from ..line.language import (
    BLANK,
    FORBIDDEN,
    NO_FUNCTION,
    TOO_OFTEN,
    UNDEFINED,
    UNWRITTEN,
    WAITING,
    Broken,
    Student,
    evaluate,
    spoken,
    take_defined,
)
from .by_hand import noting_calls


class Here(Student):
    """The student whose notebook is running: names are looked up in it."""

    def __init__(self, names: dict):
        self.names = names
        self.id = str(names.get("student_id", ""))

    def ask(self, name: str, arguments: list | None = None):
        """Look a name up and, with arguments, call it."""
        sent = None if arguments is None else [plain.encode(argument) for argument in arguments]
        where = spoken(name, arguments)
        answer = respond(self.names, name, sent, self.forbidden)
        if "failed" in answer:
            raise Broken(answer["failed"], where)
        return plain.decode(answer["value"])


def respond(names: dict, name: str, sent: list | None, without: str = "") -> dict:
    """Answer a question about a notebook, by functions that do without a part of the library."""
    arguments = None if sent is None else [plain.rebuild(argument) for argument in sent]
    with noting_calls(without) as called:
        answer = _answer(names, name, arguments)
    return {"failed": FORBIDDEN.format(called[0], without)} if called else answer


def _answer(names: dict, name: str, arguments: list | None) -> dict:
    """Return a plain value, or in one sentence why there is none."""
    if name not in names:
        return {"failed": UNDEFINED}
    value = names[name]
    try:
        if arguments is not None:
            if not callable(value):
                return {"failed": NO_FUNCTION}
            value = value(*arguments)
        if value is Ellipsis:
            return {"failed": WAITING}
        return {"value": plain.encode(value)}
    except NotImplementedError:
        return {"failed": UNWRITTEN}
    except RecursionError:
        return {"failed": TOO_OFTEN}
    except BaseException as error:  # also SystemExit: a student's function must not end the report
        words = _clip(error)
        if "ellipsis" in words.casefold():
            return {"failed": BLANK}
        return {"failed": f"raised {type(error).__name__[:60]}: {words}"}


def _clip(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:200]
    except BaseException:
        return "(no message)"


def report(points: float, without: str = "") -> None:
    """Run the checks of this cell on the notebook and print what they say; `points` is what the task is worth.

    `without` is a part of the library, such as "dpteach", that the student's functions may not call here.
    """
    points = checks.scalar("points", points, low=0)
    frame = inspect.currentframe()
    student = Here(frame.f_back.f_globals)
    outcomes = [evaluate(one, student) for one in take_defined(without)]
    print("\n".join(map(str, outcomes)))
    got = sum(outcome.points for outcome in outcomes)
    seen = sum(outcome.out_of for outcome in outcomes)
    if points > seen:
        rest = f"{show(points - seen)} more for hidden checks when you hand in"
        print(f"→ {show(got)} of {show(seen)} points here, and {rest}.")
    else:
        print(f"→ {show(got)} of {show(seen)} points.")
    if got < seen:
        print("  Stuck? The two hints under the task open with a click.")
