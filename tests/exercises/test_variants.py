"""The grader's quality: right solutions get all points, wrong ones that students write lose some."""

from importlib import import_module
from importlib.util import find_spec

import pytest
from exercises.helpers import NAMES, points_here, source

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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("student_id", ["", "ada", "m2041177", "Zoë"])
def test_the_model_solution_is_right_for_everybody(name, student_id):
    solutions = {
        cell.metadata.nbgrader.grade_id: cell.source for cell in ASSIGNMENTS[name].cells if "nbgrader" in cell.metadata
    }
    for key, task in ASSIGNMENTS[name].tasks.items():
        points, outcomes = points_here(ASSIGNMENTS[name], key, solutions[task.solution_id], student_id)
        assert points == task.points, "\n".join(map(str, outcomes))
