"""The language of checks, plain values, and what a student reads."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpteach import Guarantee, Pair
from dpteach.grading import at_least, at_most, check, mistake, near, number, numbers_in, pick, report, same, that
from dpteach.grading.inside.answers import Here
from dpteach.grading.line.language import Wrong, evaluate, take_defined
from dpteach.grading.line.plain import Other, decode, encode, rebuild


def sent(value):
    return decode(json.loads(json.dumps(encode(value))))


@pytest.mark.parametrize(
    "value, plain",
    [
        (3, 3), (2.5, 2.5), (True, True), (None, None), ("ä", "ä"), (Fraction(1, 3), Fraction(1, 3)),
        ((1, 2.0), [1, 2.0]), (np.arange(3), [0, 1, 2]), (np.float64(0.1), 0.1), (np.ones((1, 2)), [[1.0, 1.0]]),
        ({1, 2}, [1, 2]), ({"a": [1]}, {"a": [1]}), (range(3), [0, 1, 2]), ((x for x in "ab"), ["a", "b"]),
        (Guarantee(1, 0.5), [1.0, 0.5]), (Guarantee(1).epsilon, 1.0),
        (Pair([1, 0], [0, 1]), {"p": [Fraction(1), Fraction(0)], "q": [Fraction(0), Fraction(1)]}),
        (math.inf, math.inf), (2**4000, 2**4000), (Decimal("0.5"), 0.5), (mpmath.mpf("0.25"), 0.25),
        (np.array([Fraction(1, 2)], dtype=object), [Fraction(1, 2)]),
    ],
)  # fmt: skip
def test_plain_values_arrive_as_they_were(value, plain):
    arrived = sent(value)
    assert arrived == plain and type(arrived) is type(plain)


@pytest.mark.parametrize("value", [object(), lambda: 1, 10**4000, 1j, [object()], b"x", np.zeros(10**6)])
def test_what_is_not_plain_arrives_as_a_description(value):
    arrived = sent(value)
    assert isinstance(arrived[0] if isinstance(arrived, list) else arrived, Other)


@pytest.mark.parametrize(
    "data", [{"fraction": "1e999999999"}, {"int": "x"}, {"eval": "1"}, {"int": "1", "float": "1"}, 3, 2.5, {"pair": 1}]
)
def test_forged_data_is_refused(data):
    with pytest.raises((ValueError, TypeError)):
        decode(data)


def test_arguments_of_the_kit_come_to_life():
    assert rebuild(encode([Guarantee(1, 0.25)])) == [Guarantee(1, 0.25)]
    assert rebuild(encode(Pair([Fraction(1, 2)] * 2, [Fraction(1, 2)] * 2))).exact


def test_near_is_relative_and_takes_lists():
    near(1e-12 * (1 + 1e-7), 1e-12)
    near([1, 2.0], np.array([1, 2]))
    near([0.5], Fraction(1, 2))
    near(0.0, 0)
    for got, want in (
        (2e-12, 1e-12),
        ([1, 2], [1, 3]),
        ([1], [1, 2]),
        ("1", 1),
        (math.nan, 1),
        (10**400, 1),
        (True, 1),
    ):
        with pytest.raises(Wrong):
            near(got, want)


def test_the_other_words():
    at_least(1.0, 1), at_most(Fraction(1, 2), 0.5), same(" Basic ", "basic"), that(True, "")
    assert number([[3]]) == 3 and numbers_in([1, 2.5], 2) == [1, 2.5] and mistake(3, 4, "no") == 3
    for wrong in (lambda: at_least(0.9, 1), lambda: at_most(2, 1), lambda: same("b", "c"), lambda: that(False, "no"),
                  lambda: mistake(4, 4.0, "no"), lambda: numbers_in([1], 2), lambda: number(None)):  # fmt: skip
        with pytest.raises(Wrong):
            wrong()


def test_numbers_of_ones_own():
    choices = {"k": list(range(100)), "eps": [0.1, 0.2]}
    assert pick("", "task", **choices) == (0, 0.1)
    assert pick("Ada ", "task", **choices) == pick("ada", "task", **choices)
    assert len({pick(f"s{i}", "task", **choices) for i in range(50)}) > 25
    assert pick("ada", "task", **choices) != pick("ada", "other task", **choices)


def test_a_report_names_the_idea_and_the_hidden_rest(capsys):
    names = {"check": check, "near": near, "report": report}
    exec(
        "def f(x):\n    return x\n\n"
        '@check(points=1)\ndef doubled(student):\n    """Two times x."""\n'
        '    near(student.f(3), 6, "twice 3 is more than that")\nreport(points=3)',
        names,
    )
    told = capsys.readouterr().out
    assert "✗ doubled (0 of 1): Got 3: twice 3 is more than that." in told
    assert "2 more for hidden checks" in told and "hints" in told


@pytest.mark.parametrize(
    "code, message",
    [
        ("def f(x): return 1 / 0", "`f(3)` raised ZeroDivisionError: division by zero."),
        ("def f(x): y = ...; return y + 1", "`f(3)` still has a blank, `...`."),
        ("def f(x): pass", "is None (is it not written yet"),
        ("f = 3", "`f(3)` is not a function any more."),
        ("", "`f(3)` is not defined"),
    ],
)
def test_what_is_said_about_broken_code(code, message):
    names: dict = {}
    exec(code, names)

    @check(points=1)
    def one(student):
        near(student.f(3), 1)

    (made,) = take_defined()
    assert message in evaluate(made, Here(names)).message
    hidden = evaluate(made, Here(names), hidden=True).message
    assert "3" not in hidden and "division" not in hidden
