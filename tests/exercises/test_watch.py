"""The watch over the tools notices what a cell exchanges, wherever it stands in dpteach, and nothing else."""

import os

import pytest

from dpteach.grading.outside.remote import StudentProcess
from dpteach.grading.outside.sandbox import Walls
from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
MODULE = "import sys\nmodule = sys.modules[{name!r}]\n"
PATCHED = [  # module, what is exchanged in it
    ("dpteach.optimum", "optimal"),
    ("dpteach.curve", "TwoSided.delta"),
    ("dpteach.composition", "basic"),
    ("dpteach.guarantee", "Guarantee"),
    ("dpteach.mechanisms", "laplace"),
    ("dpteach.claims", "claim"),
    ("dpteach.claims.entries", "LEDGER"),
    ("dpteach.numerics.loss", "__doc__"),
    ("dpteach.grading.line.language", "is_near"),
    ("dpteach.grading.inside.kernel", "make_shell"),
    ("fractions", "Fraction.__add__"),
    ("math", "exp"),
    ("numpy", "abs"),
    ("numpy.linalg", "norm"),
]


@pytest.fixture(scope="module")
def process():
    started = StudentProcess(0, small.LIMITS, Walls())
    yield started
    started.close()


def run(process, code: str) -> None:
    told = process.run(code)
    assert told["error"] is None, told["error"]


@pytest.mark.parametrize("name, what", PATCHED)
def test_what_a_cell_exchanges_is_noticed(name, what, process):
    run(process, f"import {name}\n" + MODULE.format(name=name))
    run(process, f"kept = module.{what}\nmodule.{what} = lambda *a: 0")
    assert process.untouched() == (False, True)
    run(process, f"module.{what} = kept")
    assert process.untouched() == (True, True)


def test_what_hides_an_inherited_method_is_noticed(process):
    run(process, "from dpteach import Pair\nPair.delta = lambda *a: 0")
    assert process.untouched() == (False, True)
    run(process, "del Pair.delta")
    assert process.untouched() == (True, True)


def test_methods_of_the_optimum_are_watched(process):
    run(process, "from dpteach import Guarantee, optimal\nkinds = type(optimal(Guarantee(0.1), 2)).__mro__")
    run(process, "kind = next(kind for kind in kinds if 'epsilon' in vars(kind))")
    run(process, "kept = kind.epsilon\nkind.epsilon = lambda *a: 0")
    assert process.untouched() == (False, True)
    run(process, "kind.epsilon = kept")
    assert process.untouched() == (True, True)


def test_code_that_is_exchanged_is_noticed(process):
    run(
        process,
        "from dpteach.composition import basic\nkept = basic.__code__\nbasic.__code__ = (lambda *a: 0).__code__",
    )
    assert process.untouched() == (False, True)
    run(process, "basic.__code__ = kept")
    assert process.untouched() == (True, True)


def test_a_module_that_is_exchanged_is_noticed(process):
    run(process, "import sys\nkept = sys.modules.pop('dpteach.optimum')")
    assert process.untouched() == (False, True)
    run(process, "sys.modules['dpteach.optimum'] = kept")
    assert process.untouched() == (True, True)


def test_honest_cells_exchange_nothing(process):
    run(
        process,
        "import dpteach.leakage, dpteach.notions, numpy as np\nfrom dpteach import *\noptimal(Guarantee(0.1), 10)",
    )
    run(process, "5\n")
    run(process, "_ + 1\nmine = np.ones(3)\ndef basic(): return 1\n")
    assert process.untouched() == (True, True)


def test_a_module_that_comes_patched_is_noticed(process):
    """The last of the tests on this process: what came patched stays suspicious."""
    run(process, "import dpteach.experiment.exact as module\nmodule.hypothesis_dp = lambda *a: 0")
    assert process.untouched() == (False, True)
