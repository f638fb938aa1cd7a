"""The grader's quality: right solutions get all points, wrong ones that students write lose some."""

import re
from collections import defaultdict
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

import mpmath
import pytest
import truth
from exercises.helpers import NAMES, points_here, source, student_here

from dpteach import grading
from dpteach.grading.line import language
from dpteach.grading.line.language import UNDEFINED, evaluate
from dpteach.grading.outside.assignment import told_by

ASSIGNMENTS = {name: source(name) for name in NAMES}
WRITTEN = [name for name in NAMES if find_spec(f"exercises.variants_{name}")]  # a test below misses the others
VARIANTS = {name: import_module(f"exercises.variants_{name}") for name in WRITTEN}
RIGHT = [(n, t, w) for n in WRITTEN for t, found in VARIANTS[n].RIGHT.items() for w in found]
WRONG = [(n, t, w) for n in WRITTEN for t, found in VARIANTS[n].WRONG.items() for w in found]
ONE_CALL = [(n, t, w) for n in WRITTEN for t, found in VARIANTS[n].ONE_CALL.items() for w in found]


@pytest.mark.parametrize("name, task, which", RIGHT)
def test_right_solutions_get_all_points(name, task, which):
    points, outcomes = points_here(ASSIGNMENTS[name], task, VARIANTS[name].RIGHT[task][which])
    assert points == ASSIGNMENTS[name].tasks[task].points, "\n".join(map(str, outcomes))


@pytest.mark.parametrize("name, task, which", WRONG)
def test_wrong_solutions_lose_points(name, task, which):
    points, outcomes = points_here(ASSIGNMENTS[name], task, VARIANTS[name].WRONG[task][which])
    assert points < ASSIGNMENTS[name].tasks[task].points
    answered = all(outcome.answered for outcome in outcomes if not outcome.passed)
    assert answered or which in VARIANTS[name].UNANSWERED, "\n".join(map(str, outcomes))


@pytest.mark.parametrize("name, task, which", ONE_CALL)
def test_what_the_library_gives_in_one_call_earns_nothing(name, task, which):
    """The student is told what was called; but for this rule all answers are right."""
    checks = ASSIGNMENTS[name].checks[task]
    student = student_here(ASSIGNMENTS[name], VARIANTS[name].ONE_CALL[task][which])
    outcomes = [evaluate(one, student) for one in checks]
    assert sum(outcome.points for outcome in outcomes) == 0, "\n".join(map(str, outcomes))
    if checks[0].without:
        told = [outcome.message for outcome in outcomes]
        assert all("may be called here: this task asks you" in words or UNDEFINED in words for words in told), told
        allowed = [evaluate(replace(one, without=""), student) for one in checks]
        assert all(outcome.passed or UNDEFINED in outcome.message for outcome in allowed), allowed


@pytest.mark.parametrize("name", NAMES)
def test_every_task_has_its_variants(name):
    for task in ASSIGNMENTS[name].tasks:
        assert len(VARIANTS[name].RIGHT[task]) >= 2
        assert len(VARIANTS[name].WRONG[task]) >= 3
        assert task in VARIANTS[name].ONE_CALL  # empty where the library gives nothing


@pytest.mark.parametrize("name", WRITTEN)
def test_every_named_mistake_is_made_by_somebody(name, monkeypatch):
    """A number that stands for a mistake is what the mistake really gives."""
    fired, mistake = set(), language.mistake

    def listening(got, wrong, why, *tolerance):
        try:
            return mistake(got, wrong, why, *tolerance)
        except language.Wrong:
            fired.add(why)
            raise

    monkeypatch.setattr(grading, "mistake", listening)
    assignment = source(name)  # its checks are loaded now, with the listener
    for task, found in VARIANTS[name].WRONG.items():
        for code in found.values():
            points_here(assignment, task, code)
    code = "".join(task.code for task in assignment.tasks.values())
    named = set(re.findall(r'mistake\(\s*[^"]*?"((?:[^"\\]|\\.)*)"', code))
    assert named and named - fired == set()


OPTIMA = [
    (1000, 0.1, 1e-6, "19.3446"),
    (3, 0.5, 1e-4, "1.499585"),
]


@pytest.mark.parametrize("k, eps, delta, stored", OPTIMA)
def test_the_stored_optima_of_the_first_exercises(k, eps, delta, stored):
    """They agree with a sum in 50 digits, to the last digit that is stored."""
    exact = truth.optimal_epsilon(eps, 0, k, delta)
    assert abs(exact - float(stored)) < 10.0 ** -len(stored.split(".")[1])
    assert any(stored in task.code for task in ASSIGNMENTS["1_composition_basics"].tasks.values())


LARGEST = [(0.1, 5, 1e-5, 128), (0.1, 5, 1e-4, 160), (0.3, 8, 1e-5, 34)]


@pytest.mark.parametrize("eps, total, delta, stored", LARGEST)
def test_the_stored_numbers_of_answers_are_the_largest(eps, total, delta, stored):
    assert truth.optimal_epsilon(eps, 0, stored, delta) <= total < truth.optimal_epsilon(eps, 0, stored + 1, delta)
    assert f"(got, {stored}, " in ASSIGNMENTS["1_composition_basics"].tasks["check_repaired"].code


@pytest.mark.parametrize("eps, total, stored", [(0.1, 5, 76), (0.3, 8, 18)])
def test_the_stored_numbers_of_answers_by_advanced_composition(eps, total, stored):
    def price(k):
        return k * eps * mpmath.expm1(eps) + eps * mpmath.sqrt(2 * k * mpmath.log(1e5))

    assert price(stored) <= total < price(stored + 1)
    assert f"at_least(got, {stored}, " in ASSIGNMENTS["1_composition_basics"].tasks["check_repaired"].code


def model_solutions(name: str) -> dict[str, str]:
    """Return the model solution of each task."""
    texts = {told_by(cell).get("grade_id"): cell.source for cell in ASSIGNMENTS[name].cells}
    return {key: texts[task.solution_id] for key, task in ASSIGNMENTS[name].tasks.items()}


@pytest.mark.parametrize("name", NAMES)
def test_visible_checks_ask_for_every_argument_at_two_values(name):
    """A student who forgets an argument sees it at once."""
    for key, solution in model_solutions(name).items():
        student = student_here(ASSIGNMENTS[name], solution)
        asked = defaultdict(list)
        answer = student.ask

        def ask(function, arguments=None, asked=asked, answer=answer):
            if arguments is not None:
                asked[function].append([repr(argument) for argument in arguments])
            return answer(function, arguments)

        student.ask = ask
        for one in ASSIGNMENTS[name].checks[key]:
            if not ASSIGNMENTS[name].tasks[key].is_hidden(one):
                evaluate(one, student)
        for function, calls in asked.items():
            for place, values in enumerate(zip(*calls, strict=True)):
                assert len(set(values)) > 1, f"{key}: argument {place} of {function} is always {values[0]}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("student_id", ["", "ada", "m2041177", "Zoë"])
def test_the_model_solution_is_right_for_everybody(name, student_id):
    for key, solution in model_solutions(name).items():
        points, outcomes = points_here(ASSIGNMENTS[name], key, solution, student_id)
        assert points == ASSIGNMENTS[name].tasks[key].points, "\n".join(map(str, outcomes))
