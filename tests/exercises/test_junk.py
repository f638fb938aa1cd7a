"""Whatever plain value a student hands in, a check answers with a sentence, and soon."""

from fractions import Fraction

import pytest
from exercises.helpers import NAMES, source

from dpteach.grading.line import plain
from dpteach.grading.line.language import UNREADABLE, Student, evaluate

VALUES = [
    None, True, 0, 1, -1, 2.5, 0.5, -0.0, float("nan"), float("inf"), float("-inf"), 1e300, 1e-300, 10**1999,
    -(10**1999), Fraction(1, 2), Fraction(-7, 3), Fraction(10**300, 3), "", "7", "nan", [], {}, {"a": 1},
    plain.Other("an object"), list(range(50_000)), "x" * 10_000,
]  # fmt: skip
SHAPES = {
    "alone": lambda x: x,
    "in a list": lambda x: [x],
    "twice": lambda x: [x, x],
    "three times": lambda x: [x, x, x],
    "after good ones": lambda x: [0.5, 0.5, x],
    "two by two": lambda x: [[x, x], [x, x]],
    "a row short": lambda x: [[x], [x, x]],
    "among good ones": lambda x: [[0.5, 0.5], [0.5, x]],
    "three by three": lambda x: [[x, 0, 0], [0, x, 0], [0, 0, x]],
    "a box": lambda x: [[[x, x], [x, x]], [[x, x], [x, x]]],
    "a dictionary": lambda x: {"0": x, "a": x},
    "a pair": lambda x: {"p": [x, x], "q": [x, x]},
}


class Junk(Student):
    """A student whose answer to everything is the same."""

    def __init__(self, value):
        self.value = value

    def ask(self, name, arguments=None):
        return self.value


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_every_check_copes_with_every_plain_value(name, shape):
    assignment = source(name)
    for task, found in assignment.checks.items():
        for value in VALUES:
            for one in found:
                outcome = evaluate(one, Junk(SHAPES[shape](value)))
                assert outcome.message != UNREADABLE, f"{task}, {one.name}: {str(value)[:60]} {shape}"
