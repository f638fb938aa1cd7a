"""What a task asks to do without is noticed whatever it is called, and nothing else is."""
# ruff: noqa: E501 - one line a way is easier to read

import copy
import os
import sys
import threading

import nbformat
import pytest

from dpteach import Guarantee
from dpteach.grading import check, near, report
from dpteach.grading.inside.answers import Here, respond
from dpteach.grading.line.language import FORBIDDEN, NO_ANSWER, evaluate, take_defined
from dpteach.grading.line.plain import encode
from dpteach.grading.outside import marking
from dpteach.grading.outside.assignment import Assignment
from exercises import small

ONE = "from dpteach import Guarantee, Pair, optimal\none = Guarantee(1)\npair = Pair([0.5, 0.5], [0.25, 0.75])\n"
WAYS = {  # to something of the library: the code, and what is named
    "the function itself": ("f = lambda k: optimal(one, k=k).epsilon(0)", "optimum.optimal"),
    "a class": ("f = lambda k: optimal(Guarantee(1), k=k).epsilon(0)", "guarantee.Guarantee"),
    "under another name": ("from dpteach import optimal as mine\nf = lambda k: mine(one, k).epsilon(0)", "optimum.optimal"),
    "as the answer itself": ("from dpteach.planning import largest_loss_probability\nfrom functools import partial\nf = partial(largest_loss_probability, 1.0)", "planning.largest_loss_probability"),
    "through a module": ("import dpteach.optimum as o\nf = lambda k: o.optimal(one, k).epsilon(0)", "optimum.optimal"),
    "through another module": ("from dpteach import planning\nf = lambda k: planning.optimal(one, k).epsilon(0)", "optimum.optimal"),
    "by another function": ("from dpteach import composition\nf = lambda k: composition.compose_by('optimal', one, 0, k=k).epsilon", "composition.compose_by"),
    "by getattr": ("import dpteach\nf = lambda k: getattr(dpteach, 'opti' + 'mal')(one, k).epsilon(0)", "optimum.optimal"),
    "from the table of modules": ("import sys\nf = lambda k: sys.modules['dpteach.optimum'].optimal(one, k).epsilon(0)", "optimum.optimal"),
    "by map": ("f = lambda k: next(map(lambda m: optimal(one, m), [k])).epsilon(0)", "optimum.optimal"),
    "when the answer is read": ("f = lambda k: (optimal(one, m).epsilon(0) for m in [k])", "optimum.optimal"),
    "by numpy": ("import numpy as np\nf = lambda k: np.vectorize(lambda m: optimal(one, int(m)).epsilon(0))(k)", "optimum.optimal"),
    "the method of an object made before": ("together = optimal(one, k=3)\nf = lambda k: together.epsilon(0)", "curve.Curve.epsilon"),
    "a method without its object": ("f = lambda k: Pair.delta(pair, 0)", "curve.TwoSided.delta"),
    "a method of a class of one's own": ("class Mine(Pair):\n    pass\nmine = Mine([0.5, 0.5], [0.25, 0.75])\nf = lambda k: mine.delta(0)", "curve.TwoSided.delta"),
    "a power": ("f = lambda k: (pair ** k).delta(0)", "pair.Pair.__pow__"),
    "a property": ("f = lambda k: one.equal_errors", "guarantee.Guarantee.equal_errors"),
    "a function of another cell": ("def total(k):\n    return optimal(one, k=k)\nf = lambda k: total(k).epsilon(0)", "optimum.optimal"),
    "imported inside": ("def f(k):\n    from dpteach.notions import pure_rho\n    return pure_rho(1.0)", "notions.scaling.pure_rho"),
    "loaded again": ("import importlib, dpteach.planning\ndef f(k):\n    return importlib.reload(dpteach.planning).rho(1, 0.1)", "planning.rho"),
}  # fmt: skip


def defined(code: str) -> dict:
    names: dict = {"__name__": "__main__"}
    exec(ONE + code, names)
    return names


@pytest.mark.parametrize("way", WAYS)
def test_a_call_is_noticed_by_whatever_way_it_came(way):
    code, named = WAYS[way]
    names = defined(code)
    assert respond(names, "f", [encode(3)], "dpteach") == {"failed": FORBIDDEN.format(f"dpteach.{named}", "dpteach")}
    assert "value" in respond(names, "f", [encode(3)])  # without the rule it is an answer


@pytest.mark.parametrize(
    "code",
    [
        "from threading import Thread\ndef f(k):\n    t = Thread(target=optimal, args=(one, k))\n    t.start()\n    t.join()\n    return k",
        "def f(k):\n    return optimal(one, k).epsilon(0) / 0",
        "def f(k):\n    try:\n        return optimal(one, k).epsilon(0) / 0\n    except BaseException:\n        return 1",
        "def f(k):\n    raise SystemExit(optimal(one, k).epsilon(0))",
    ],
    ids=["in a thread", "before an exception", "inside of try", "before the end"],
)
def test_whatever_comes_of_it(code):
    assert "optimum.optimal" in respond(defined(code), "f", [encode(3)], "dpteach")["failed"]


def test_whoever_switches_it_off_is_told_so():
    told = respond(
        defined("import sys\ndef f(k):\n    sys.setprofile(None)\n    return k"), "f", [encode(3)], "dpteach"
    )
    assert told == {"failed": FORBIDDEN.format("sys.setprofile", "dpteach")}


HONEST = {
    "numpy and recursion": "import numpy as np\ndef f(k):\n    return np.linalg.norm(np.ones(k)) if k < 4 else f(k - 1)",
    "another cell": "from collections import Counter\ndef g(k):\n    return Counter('ab' * k)\ndef f(k):\n    return g(k)['a']",
    "an import that is not used": "def f(k):\n    import dpteach.leakage, dpteach.explore.base\n    from dpteach import experiment, planning\n    return k",
    "a name that is not called": "def f(k):\n    return k if optimal and Pair.delta and one.epsilon == 1 else 0",
    "the words of checks": "from dpteach.grading import pick\ndef f(k):\n    return pick('ada', 'task', k=[k])[0]",
}


@pytest.mark.parametrize("what", HONEST)
def test_nothing_else_is_noticed(what):
    assert "value" in respond(defined(HONEST[what]), "f", [encode(3)], "dpteach")


def test_what_the_check_hands_over_may_be_looked_at():
    names = defined("def f(guarantee):\n    return guarantee.epsilon + guarantee.delta")
    assert respond(names, "f", [encode(Guarantee(1, 0.5))], "dpteach") == {"value": encode(1.5)}


def test_a_part_of_the_library_can_be_forbidden():
    part = "dpteach.experiment"
    allowed = defined("def f(k):\n    return optimal(one, k).epsilon(0)")
    assert "value" in respond(allowed, "f", [encode(3)], part)
    by_hand = defined(
        "from dpteach.experiment import contribution_bound as c\ndef f(k):\n    return c(one, 1, k=k).epsilon(0)"
    )
    assert "contribution_bound" in respond(by_hand, "f", [encode(3)], part)["failed"]
    through = "from dpteach.figures import experiment\nfrom dpteach.experiment import Hypothesis\n"
    through += "laws = Hypothesis.point('00'), Hypothesis.point('11')\ndef f(k):\n    return experiment.hypothesis_dp(one, *laws).epsilon(0)"
    assert "hypothesis_dp" in respond(defined(through), "f", [encode(3)], part)["failed"]


def test_what_watched_before_watches_again():
    def other(*_):
        return None

    sys.setprofile(other)
    threading.setprofile(other)
    try:
        respond(defined("f = lambda k: k"), "f", [encode(3)], "dpteach")
        assert sys.getprofile() is other and threading.getprofile() is other
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


# ------------------------------------------------------------------------------------------- what a student reads


def test_a_report_names_what_was_called(capsys):
    names = {
        **defined("def f(k):\n    return optimal(one, k).epsilon(0)"),
        "check": check,
        "near": near,
        "report": report,
    }
    exec('@check(points=1)\ndef one_number(student):\n    """Three."""\n    near(student.f(3), 3)', names)
    exec('report(points=1, without="dpteach")', names)
    told = capsys.readouterr().out
    assert "`f(3)` called `dpteach.optimum.optimal`, but nothing of dpteach may be called here" in told
    assert "compute it yourself" in told and "→ 0 of 1 points" in told


def test_of_a_hidden_check_it_is_one_sentence_with_all_others():
    @check(points=1)
    def one_number(student):
        near(student.f(3), 3)

    (made,) = take_defined("dpteach")
    names = defined("def f(k):\n    return optimal(one, k).epsilon(0)")
    assert evaluate(made, Here(names), hidden=True).message == NO_ANSWER


@pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
def test_the_grader_asks_the_same(tmp_path):
    cells = copy.deepcopy(small.CELLS)
    cells[4].source = cells[4].source.replace("report(points=3)", 'report(points=3, without="dpteach")')
    path = tmp_path / "small.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assignment = Assignment.read(path)
    submitted = small.submission(
        "from dpteach import Guarantee as G\n\ndef attacked(x):\n    return 7 * x * G(1).epsilon"
    )
    marked = marking.mark(assignment, submitted, "ada", small.LIMITS)
    seen, hidden = marked.outcomes["check_attacked"]
    assert "`attacked(2)` called `dpteach.guarantee.Guarantee`" in seen.message and hidden.message == NO_ANSWER
    assert marked.points("check_attacked") == 0
    assert marked.points("check_before") == marked.points("check_after") == 3
    assert marking.mark(assignment, small.CELLS, "ada", small.LIMITS).total == 9
