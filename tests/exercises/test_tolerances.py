"""Answers that are degenerate within the tolerance earn no more than they show."""

import pytest
from exercises.helpers import points_here, source

ALMOST = {  # what it is: (assignment, task, code, the most points)
    "a perturbation of 1e-10": (
        "1_composition_basics",
        "check_harmless",
        "with_ada = [[1e-10, 0.5 - 1e-10], [0.25, 0.25]]\nwithout = [[0, 0.5], [0.25, 0.25]]",
        2,  # two laws, of which each answer alone is harmless: they are the same
    ),
    "perturbations that cancel": (
        "1_composition_basics",
        "check_harmless",
        "tiny, half = Fraction(1, 10**8), Fraction(1, 2)\n"
        "with_ada = [[tiny, half - tiny], [half - tiny, tiny]]\nwithout = [[0, half], [half, 0]]",
        0,
    ),
    "a secret given away once in 1e9": (
        "2_hypothesis_testing",
        "check_crossing",
        "one_p, one_q = [0.2, 0.8, 0], [0, 0.8, 0.2]\n"
        "two_p, two_q = [0.2, 0.8 - 5e-10, 0, 5e-10], [0, 0.8 - 5e-10, 0.2, 5e-10]",
        1,  # two mechanisms that keep the promise, and are the same
    ),
    "a vector of weight 1e-9": (
        "3_generalized_composition",
        "check_counterexample",
        "my_p0 = [('000', 1e-9), ('111', 1 - 1e-9)]\nmy_p1 = [('100', 1e-9), ('111', 1 - 1e-9)]\nmy_x = 10",
        0,
    ),
    "a leak of probability 1e-8": (
        "4_bounded_leakage",
        "check_incomparable",
        "c, rare = numbers_of_task_8(student_id), 1e-8\nt, f = c / (c + 1), 1 / (c + 1)\nhalf = (1 - rare) / 2\n"
        "dp_only = [[[half, half], [rare * t, rare * f]], [[half, half], [rare * f, rare * t]]]\n"
        "bldp_only = [[[t, 0], [0, f]], [[f, 0], [0, t]]]",
        2,  # for `bldp_only`, which is right
    ),
    "a leak that one database has once in 1e7": (
        "4_bounded_leakage",
        "check_incomparable",
        "c, rare = numbers_of_task_8(student_id), 1e-7\nt, f = c / (c + 1), 1 / (c + 1)\n"
        "dp_only = [[[t / 2, f / 2], [f / 2, t / 2]], [[f / 2, t / 2], [t / 2, f / 2]]]\n"
        "bldp_only = [[[t, 0], [0, f - rare], [0, rare]], [[f, 0], [0, t], [0, 0]]]",
        2,  # for `dp_only`
    ),
    "a promise that is broken by 1e-7": (
        "5_granularities",
        "check_districts",
        "yes_a = [1 / 3, 2 / 3 + 1e-7, 2 / 3 + 1e-7]\nyes_b = [0.5, 0.5, 0.5000003]",
        0.5,  # for keeping it, which is granted with a tolerance
    ),
}


@pytest.mark.parametrize("what", ALMOST)
def test_what_is_almost_an_answer_earns_no_more_than_it_shows(what):
    name, task, code, most = ALMOST[what]
    points, outcomes = points_here(source(name), task, code)
    assert points <= most, "\n".join(map(str, outcomes))
