"""The grader's quality: right solutions get all points, wrong ones that students write lose some."""

import re
from importlib import import_module
from importlib.util import find_spec

import pytest
import truth
from exercises.helpers import NAMES, points_here, source

from dpteach import grading
from dpteach.grading.line import language

ASSIGNMENTS = {name: source(name) for name in NAMES}
WRITTEN = [name for name in NAMES if find_spec(f"exercises.variants_{name}")]  # a test below misses the others
VARIANTS = {name: import_module(f"exercises.variants_{name}") for name in WRITTEN}
RIGHT = [(n, t, w) for n in WRITTEN for t, found in VARIANTS[n].RIGHT.items() for w in found]
WRONG = [(n, t, w) for n in WRITTEN for t, found in VARIANTS[n].WRONG.items() for w in found]


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


@pytest.mark.parametrize("name", NAMES)
def test_every_task_has_its_variants(name):
    for task in ASSIGNMENTS[name].tasks:
        assert len(VARIANTS[name].RIGHT[task]) >= 2
        assert len(VARIANTS[name].WRONG[task]) >= 3


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
    (100, 0.1, 1e-5, "4.3067"),
    (3, 0.5, 1e-6, "1.49999"),
    (100, 0.1, 1e-4, "3.755234"),
]


@pytest.mark.parametrize("k, eps, delta, stored", OPTIMA)
def test_the_stored_optima_of_the_first_exercises(k, eps, delta, stored):
    """They agree with a sum in 50 digits, to the last digit that is stored."""
    exact = truth.optimal_epsilon(eps, 0, k, delta)
    assert abs(exact - float(stored)) < 10.0 ** -len(stored.split(".")[1])
    assert any(stored in task.code for task in ASSIGNMENTS["1_composition_basics"].tasks.values())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("student_id", ["", "ada", "m2041177", "Zoë"])
def test_the_model_solution_is_right_for_everybody(name, student_id):
    solutions = {
        cell.metadata.nbgrader.grade_id: cell.source for cell in ASSIGNMENTS[name].cells if "nbgrader" in cell.metadata
    }
    for key, task in ASSIGNMENTS[name].tasks.items():
        points, outcomes = points_here(ASSIGNMENTS[name], key, solutions[task.solution_id], student_id)
        assert points == task.points, "\n".join(map(str, outcomes))
