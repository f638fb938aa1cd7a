'''The language of checks: what task authors write, and what a student sees at once.

A check is a function that takes the `student` and fails by saying what is wrong:

    @check(points=1)
    def two_answers(student):
        """Two answers cost twice as much as one."""
        near(student.cost(0.5, 2), 1.0, "each of the two answers costs eps")

`student.cost(0.5, 2)` calls the function `cost` of the notebook and gives a plain value back, `student["plan"]` reads a
variable, `student.id` is the student's id. In the notebook `report(points=3)` runs the checks above it and prints the
result; with `report(points=3, without="dpteach")` a function that calls something of dpteach gives no answer. When a
notebook is handed in the same checks run in a process of their own, together with the hidden ones, and `student` calls
by message.

The docstring says what the check looks at. It is all that a student ever reads of a hidden check. A second paragraph
is advice for those who have not passed it.
'''

from __future__ import annotations

import hashlib
import inspect
import math
import random
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ... import checks
from ...table import show
from . import plain

TOLERANCE = 1e-6  # relative
UNDEFINED = "is not defined (was its name changed, or its cell not run?)"
NO_FUNCTION = "is not a function any more"
WAITING = "is still `...`, waiting for your answer"
UNWRITTEN = "is not written yet"
TOO_OFTEN = "called itself too often"
BLANK = "still has a blank, `...`"
FORBIDDEN = "called `{}`, but nothing of {} may be called here: this task asks you to compute it yourself"
NO_ANSWER = (
    "your code gave no answer to a hidden input: it raised an exception, took too long, ended its process or called "
    "what may not be called here."
)
UNREADABLE = "this check can do nothing with such an answer: is it of the kind that the task asks for?"


class Wrong(Exception):
    """What a failed check says: one or two sentences about the idea."""


class Broken(Wrong):
    """Student code that did not give an answer: it raised, is missing, took too long or ended its process.

    `where` says what was asked, with the inputs. Of hidden checks nothing of this is told: which of many things
    happened is chosen by the student's code, and could carry hidden inputs out.
    """

    def __init__(self, what: str, where: str = "your code"):
        super().__init__(f"{where} {what}.")


@dataclass(frozen=True)
class Check:
    """One check: a function of the student, worth some points.

    `without` is the part of the library that the student's functions may not call in it; often there is none.
    """

    run: Callable
    points: float
    without: str = ""

    @property
    def name(self) -> str:
        """The name, in words."""
        return self.run.__name__.replace("_", " ")

    @property
    def idea(self) -> str:
        """What the check looks at, in one sentence."""
        return self._paragraphs[0] or self.name

    @property
    def advice(self) -> str:
        """What to do if the check is not passed, perhaps nothing."""
        return " ".join(self._paragraphs[1:])

    @property
    def _paragraphs(self) -> list[str]:
        told = inspect.getdoc(self.run) or ""
        return [" ".join(paragraph.split()) for paragraph in told.split("\n\n")]

    @property
    def line(self) -> int:
        """The line of the cell on which the check begins."""
        return self.run.__code__.co_firstlineno


@dataclass(frozen=True)
class Outcome:
    """What became of a check: its points, and a sentence."""

    check: str
    points: float
    out_of: float
    message: str
    hidden: bool = False
    answered: bool = True  # False if the student's code gave no answer at all

    @property
    def passed(self) -> bool:
        """Say whether the check gave its points."""
        return self.points > 0 or self.out_of == 0

    def __str__(self) -> str:
        """Write the outcome as one line."""
        mark = "✓" if self.passed else "✗"
        name = f"hidden check, {self.check}" if self.hidden else self.check
        return f"{mark} {name} ({show(self.points)} of {show(self.out_of)}): {self.message}"


_defined: list[Check] = []  # the checks of the cell that is running


def check(points: float) -> Callable:
    """Make a function a check that is worth some points."""
    worth = checks.positive("points", points)

    def register(function: Callable) -> Callable:
        _defined.append(Check(function, worth))
        return function

    return register


def take_defined(without: str = "") -> list[Check]:
    """Return the checks defined since the last call; one defined again replaces its former self."""
    latest = {one.run.__name__: replace(one, without=without) for one in _defined}
    _defined.clear()
    return list(latest.values())


def evaluate(one: Check, student, hidden: bool = False) -> Outcome:
    """Run a check and say what became of it; of a hidden one only its idea is told, or that there was no answer."""
    lost = Outcome(one.name, 0, one.points, f"not yet. {one.idea} {one.advice}".strip(), hidden)
    student.forbidden = one.without
    try:
        one.run(student)
    except Broken as error:
        return replace(lost, message=NO_ANSWER if hidden else str(error), answered=False)
    except Wrong as error:
        return lost if hidden else replace(lost, message=str(error))
    except Exception:  # a check that cannot cope with an answer must stop neither a report nor a batch
        return lost if hidden else replace(lost, message=UNREADABLE, answered=False)
    return replace(lost, points=one.points, message=one.idea)


# --------------------------------------------------------------------------------- what a check can say


def number(value, what: str = "the answer"):
    """Return a value as one number, exact if it is exact; a list or array of one number will do."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise Wrong(f"{what} should be a number, but it is {describe(value)}.")
    if value != value:
        raise Wrong(f"{what} is NaN, which is not a number: was something like 0/0, inf - inf or log(0) computed?")
    return value


def numbers_in(value, size: int | None = None, what: str = "the answer") -> list:
    """Return a value as a list of numbers, of that size if it is given."""
    if not isinstance(value, list):
        raise Wrong(f"{what} should be a list of numbers, but it is {describe(value)}.")
    if size is not None and len(value) != checks.count("size", size):
        raise Wrong(f"{what} should hold {size} numbers, but it holds {len(value)}.")
    return [number(item, f"entry {i} of {what}") for i, item in enumerate(value)]


def describe(value) -> str:
    """Say in a few words what a value is."""
    if isinstance(value, plain.Other):
        return value.what
    if value is None:
        return "None (is it not written yet, or is `return` missing?)"
    if value is Ellipsis:
        return "still `...`"
    kinds = {str: "the text", bool: "the truth value", list: "the list", dict: "the dictionary"}
    return f"{kinds.get(type(value), '')} {checks.shorten(value)}".strip()


def is_near(got, want, tolerance: float = TOLERANCE) -> bool:
    """Say whether two numbers agree up to a relative error; what should be zero may be off by 1e-12."""
    tolerance = checks.scalar("tolerance", tolerance, low=0)
    got = _one_number("got", got)
    want = _one_number("want", want)
    if got == want:
        return True
    got = as_float(got)
    want = as_float(want)
    return abs(got - want) <= (tolerance * abs(want) if want else 1e-12) < math.inf


def _one_number(name: str, value):
    """Return one number that a task's author gave, whatever its size."""
    if not checks.is_number(value) or value != value:
        raise ValueError(f"{name} must be a number, not {checks.shorten(value)}")
    return value


def as_float(x) -> float:
    """Return a number as a float, infinite if it is too large for one."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _said(x) -> str:
    """Write a number for a message, a long one in short."""
    text = show(x)
    return text if len(text) < 40 else f"{text[:12]}… ({len(text)} characters)"


def _ended(sentence: str) -> str:
    """End a sentence, if it does not ask something."""
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def near(got, want, why: str = "", tolerance: float = TOLERANCE):
    """Demand a number, or a list of numbers, near `want`; return it."""
    if isinstance(want, list | tuple | np.ndarray):
        got = numbers_in(got, len(want))
        for one, other in zip(got, list(want), strict=True):
            near(one, other, why, tolerance)
        return got
    got = number(got)
    if not is_near(got, want, tolerance):
        raise Wrong(f"Got {_said(got)}: {_ended(why or 'that is not the value')}")
    return got


def mistake(got, wrong, why: str, tolerance: float = TOLERANCE):
    """Name a known mistake: if the number is near what the mistake gives, say so; return the number."""
    if is_near(number(got), _one_number("wrong", wrong), tolerance):
        raise Wrong(f"Got {_said(got)}: {_ended(why)}")
    return got


def at_least(got, low, why: str = "", tolerance: float = 1e-9):
    """Demand a number that is not below `low`; return it."""
    got = number(got)
    if got < _one_number("low", low) and not is_near(got, low, tolerance):
        raise Wrong(f"Got {_said(got)}: {_ended(why or 'that is too small')}")
    return got


def at_most(got, high, why: str = "", tolerance: float = 1e-9):
    """Demand a number that is not above `high`; return it."""
    got = number(got)
    if got > _one_number("high", high) and not is_near(got, high, tolerance):
        raise Wrong(f"Got {_said(got)}: {_ended(why or 'that is too large')}")
    return got


def same(got, want, why: str = ""):
    """Demand a word, truth value or list exactly; letters may be small or capital."""
    if _folded(got) != _folded(want):
        raise Wrong(f"Got {describe(got)}: {_ended(why or 'that is not it')}")
    return got


def _folded(value):
    if isinstance(value, list | tuple | np.ndarray):
        return [_folded(item) for item in list(value)]
    return value.strip().casefold() if isinstance(value, str) else value


def that(condition: bool, why: str) -> None:
    """Demand something; `why` says what is wrong without it."""
    if isinstance(condition, np.ndarray) and condition.size != 1:
        raise ValueError(f"condition must be one truth value, not {checks.shorten(condition)}")
    if not condition:
        raise Wrong(why)


# ---------------------------------------------------------------------------------- numbers of one's own


def pick(student_id: str, task: str, **choices: Sequence):
    """Return one of each list of choices, the same ones for the same student and task, in the order given.

    Without an id, the first of each.
    """
    name = folded_id(student_id)
    if not name:
        return tuple(values[0] for values in choices.values())
    seed = hashlib.sha256(f"{task}/{name}".encode()).digest()
    rng = random.Random(seed)
    return tuple(values[rng.randrange(len(values))] for values in choices.values())


def folded_id(student_id) -> str:
    """Return an id as it is compared: capitals, spaces around it and the two ways to write ö make no difference."""
    composed = unicodedata.normalize("NFC", str(student_id).strip())
    return unicodedata.normalize("NFC", composed.casefold())


# --------------------------------------------------------------------------------------- whom checks ask


class Student:
    """What checks ask: functions are called, variables read; only plain values come back."""

    id: str = ""
    forbidden: str = ""  # the part of the library that functions may not call

    def ask(self, name: str, arguments: list | None = None):
        """Return the plain value of a variable, or of a function at some arguments."""
        raise NotImplementedError

    def __getitem__(self, name: str):
        return self.ask(name)

    def __getattr__(self, name: str) -> Callable:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments: self.ask(name, list(arguments))


def spoken(name: str, arguments: list | None) -> str:
    """Write a question as a student would type it."""
    if arguments is None:
        return f"`{name}`"
    return f"`{name}({', '.join(checks.shorten(argument) for argument in arguments)})`"
