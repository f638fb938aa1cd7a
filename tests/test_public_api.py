"""Junk in every argument of everything public is answered, or refused by one sentence that names the argument.

A seeded sample of the calls is made; DPTEACH_JUNK=all makes all of them, DPTEACH_JUNK=word those whose name has it.
"""

import contextlib
import dataclasses
import inspect
import itertools
import math
import os
import random
import signal
import sys
import traceback
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import public_api
import pytest
from public_api import FUNCTIONS, INSTANCES, MADE_FOR_USERS, METHODS, exported, methods

import dpteach
from dpteach import checks
from dpteach.curve import VACUOUS, Curve
from dpteach.grading import Wrong
from dpteach.table import Table

HOUSE = str(Path(dpteach.__file__).parent)
SECONDS = 60  # more than anything that is answered needs, on a busy machine
ROOM = 3 * 2**30  # bytes beyond what the process has already: sizes are to be refused before
LONGEST = 400  # characters of a sentence
ALL = os.environ.get("DPTEACH_JUNK", "")
SHARE = 0.2  # of the calls, in a usual run


class Odd:
    """Something that is nothing of what is asked for."""

    def __init__(self, *_):
        """Take anything: as a class it is a function of anything."""

    def __repr__(self):
        return "Odd()"


def nothing(*_):
    """Answer nothing, whatever is asked."""


def not_a_number(*_):
    """Answer what is no number, whatever is asked."""
    return math.nan


JUNK = {
    "None": lambda: None,
    "empty text": lambda: "",
    "text": lambda: "x",
    "bytes": lambda: b"x",
    "NaN": lambda: math.nan,
    "inf": lambda: math.inf,
    "-inf": lambda: -math.inf,
    "-1": lambda: -1,
    "0": lambda: 0,
    "half": lambda: 0.5,
    "1e308": lambda: 1e308,
    "5e-324": lambda: 5e-324,
    "1e9": lambda: 10**9,
    "1e400": lambda: 10**400,
    "-1e400": lambda: -(10**400),
    "tiny fraction": lambda: Fraction(1, 10**400),
    "large fraction": lambda: Fraction(10**400, 3),
    "True": lambda: True,
    "1j": lambda: 1j,
    "5000 digits": lambda: 10**5000,
    "Decimal": lambda: Decimal("NaN"),
    "numpy NaN": lambda: np.float64("nan"),
    "empty list": lambda: [],
    "list in list": lambda: [1, [2]],
    "lists": lambda: [[]],
    "NaNs": lambda: [math.nan, math.nan],
    "Nones": lambda: [None],
    "numbers": lambda: [1, 2, 3],
    "dictionary": lambda: {"a": None},
    "empty dictionary": lambda: {},
    "set": lambda: {1},
    "array": lambda: np.array([0.5, math.nan]),
    "empty array": lambda: np.array([]),
    "cube": lambda: np.zeros((2, 2, 2)),
    "texts": lambda: np.array(["a", "b"]),
    "objects": lambda: np.array([None, 1], dtype=object),
    "object": Odd,
    "class": lambda: Odd,
    "generator": lambda: (x for x in (1, None)),
    "nothing": lambda: nothing,
    "not a number": lambda: not_a_number,
    "exception": lambda: ValueError("x"),
    "vacuous": lambda: VACUOUS,
}

# Other words under which a sentence may speak of an argument.
ALSO = {
    "D": ["database", "multiplicity"],
    "D2": ["database", "multiplicity"],
    "E": ["database", "multiplicity"],
    "given": ["database", "multiplicity"],
    "databases": ["database"],
    "cls": ["database", "about multisets"],
    "laws": ["the law on"],
    "other": ["second channel"],
    "thing": ["curve"],
    "x0": ["x must", "database"],
    "x1": ["x must", "database"],
    "common": ["guarantees"],
    "free": ["guarantees"],
    "paid": ["guarantees"],
    "studies": ["study"],
    "keep": ["database"],
    "domain": ["database"],
    "on": ["database"],
    "at_most": ["a class must have"],
    "exactly": ["a class must have"],
    "prior": ["x must"],
    "family": ["mechanism"],
    "others": ["mechanism", "leak"],
    "second": ["second channel"],
    "edges": ["edge"],
    "n": ["table", "database"],
    "people": ["table"],
}


@cache
def calls() -> list[tuple]:
    """Return (name, how to call it, its good arguments), wherever the good call works."""
    return [case for case in listed_calls() if works(*case[1:])]


def works(call, good: dict) -> bool:
    """Say whether the good call is one: an entry may be shared by unlike objects, as a vacuous curve and others."""
    try:
        call(**good)
    except ValueError:
        return False
    return True


def listed_calls():
    """Yield (name, how to call it, its good arguments)."""
    for name, thing in exported().items():
        if name.split(".")[-1] not in MADE_FOR_USERS and FUNCTIONS.get(name):
            yield name, thing, FUNCTIONS[name]
    for thing in INSTANCES:
        for name, entry in methods(thing).items():
            if METHODS.get(entry):
                yield f"{type(thing).__name__}.{name} of {checks.shorten(thing)}", getattr(thing, name), METHODS[entry]


def cases():
    """Yield every call with every junk in the place of every argument; a text may say what it likes."""
    for name, call, good in calls():
        for argument, junk in itertools.product(good, JUNK):
            if junk != "5000 digits" or argument not in TEXTS:
                yield f"{name} {argument} {junk}", call, good, argument, junk


def chosen():
    """Return the calls of this run: a sample, always the same, or what was asked for."""
    everything = list(cases())
    if ALL:
        return [case for case in everything if ALL == "all" or ALL in case[0]]
    return random.Random(0).sample(everything, int(SHARE * len(everything)))


# --------------------------------------------------------------------------------------------------- nothing forgotten


def test_everything_public_has_a_good_call():
    """A new function needs an entry in FUNCTIONS; a new class one there too, or a word who makes it."""
    missing = {name for name in exported() if name not in FUNCTIONS and name.split(".")[-1] not in MADE_FOR_USERS}
    assert missing == set()


def test_every_class_is_asked():
    """Of every public class there is an object whose methods are called."""
    classes = {name: thing for name, thing in exported().items() if isinstance(thing, type)}
    forgotten = {
        name
        for name, cls in classes.items()
        if not issubclass(cls, Exception) and not any(map(cls.__instancecheck__, INSTANCES))
    }
    assert forgotten == set()


def test_every_method_has_a_good_call():
    entries = {entry for thing in INSTANCES for entry in methods(thing).values()}
    assert entries - METHODS.keys() == set()


def test_no_argument_is_forgotten():
    """A good call names every argument, so that junk is sent into each."""
    forgotten = {name: arguments(call) - good.keys() for name, call, good in listed_calls()}
    assert {name: names for name, names in forgotten.items() if names} == {}


def arguments(call) -> set[str]:
    """Return the names of a function's arguments."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {name for name, parameter in inspect.signature(call).parameters.items() if parameter.kind not in kinds}


def test_nothing_is_listed_that_is_not_there():
    assert FUNCTIONS.keys() - exported().keys() == set()
    known = {cls.__name__ for thing in INSTANCES for cls in type(thing).__mro__}
    assert {entry.split(".")[0] for entry in METHODS} - known == set()
    assert {name.split(".")[-1] for name in exported()} >= MADE_FOR_USERS.keys()


def test_good_calls_are_good():
    """Otherwise every junk would be refused for another reason."""
    working = {id(good) for _, _, good in calls()}
    bad = [name for name, entry in {**FUNCTIONS, **METHODS}.items() if entry and id(entry) not in working]
    assert bad == []


@pytest.mark.parametrize("junk", JUNK)
def test_nothing_but_pairs_and_channels_on_the_left_of_at(junk):
    for right in (public_api.COIN, public_api.CHANNEL):
        with pytest.raises(ValueError, match="other must be") as caught:
            JUNK[junk]() @ right
        assert not wrong_with_refusal(caught.value, "other", {"other": right})


# ---------------------------------------------------------------------------------------------------------- the walk


def test_junk_is_answered_or_refused_in_one_sentence(capsys):
    problems = []
    with limited_memory():
        for name, call, good, argument, junk in chosen():
            problem = what_is_wrong(call, good, argument, JUNK[junk]())
            if problem:
                problems.append(f"{name}: {problem}")
    assert not problems, "\n".join(["", *problems])


def what_is_wrong(call, good: dict, argument: str, junk) -> str:
    """Say what is wrong with an answer to junk, perhaps nothing."""
    try:
        with time_limit(), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's own sentences
            answer = call(**{**good, argument: junk})
            follow_up(answer)
    except Wrong:
        return ""
    except (ValueError, TypeError) as error:
        return wrong_with_refusal(error, argument, good)
    except BaseException as error:
        return f"{type(error).__name__}: {error} {place(error)}"
    return "is NaN" if argument not in PASSED_ON and holds_nan(answer) else ""


TEXTS = ("name", "what", "why", "task", "student_id", "without")
PASSED_ON = ("rows", "columns", "value", "got")  # what is shown as it is


def wrong_with_refusal(error: Exception, argument: str, good: dict) -> str:
    """Say what is wrong with a sentence, perhaps nothing."""
    message = str(error)
    words = [*good, *(word for name in good for word in ALSO.get(name, []))]
    if "vacuous is no number" in message:
        return ""
    if isinstance(error, TypeError):
        return f"TypeError: {message} {place(error)}"
    if not place(error).startswith(HOUSE):
        return f"not our sentence: {message} {place(error)}"
    if "\n" in message or not 10 < len(message) < LONGEST:
        return f"not one sentence: {message!r}"
    return "" if any(word in message for word in words) else f"names no argument: {message} {place(error)}"


def place(error: BaseException) -> str:
    """Say where an error was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{last.filename}:{last.lineno}"


def follow_up(answer) -> None:
    """Look at an answer as a notebook would, and ask a curve what it loses."""
    if not isinstance(answer, int):
        repr(answer)
    if isinstance(answer, Curve):
        assert not holds_nan([answer.delta(1.0), answer.epsilon(0.1)])


def holds_nan(answer) -> bool:
    """Say whether something computed is no number."""
    if isinstance(answer, Table):
        return any(map(holds_nan, answer.rows))
    if isinstance(answer, list | tuple):
        return any(map(holds_nan, answer))
    if isinstance(answer, dict):
        return holds_nan(list(answer.values()))
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        return holds_nan(list(vars(answer).values()))
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind == "f" and bool(np.isnan(answer).any())
    return isinstance(answer, float) and math.isnan(answer)


@contextlib.contextmanager
def time_limit():
    """Interrupt what takes too long, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_):
        raise TimeoutError(f"took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def limited_memory():
    """Let nothing large be allocated, where the system can."""
    if sys.platform != "linux":
        yield
        return
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
