"""dpteach: a teaching kit for the composition of differential privacy.

Everything is about one object, the `Pair` of two distributions, and one question: how well can they be told apart?

- `Pair`: two distributions, and all that an adversary can do with them.
- `Guarantee`: a promise (epsilon, delta), which is the curve of its worst pair.
- `optimal`: the exact optimum under composition.
- `composition`: the published composition theorems.
- `mechanisms`: randomized response, geometric, Laplace, Gaussian, staircase, exponential.
- `planning`: how much noise a release needs.
- `accountant`: what a release cost.
- `experiment`: the generalized composition experiment and hypotheses about bit vectors.
- `leakage`: privacy when something else is leaked as well.
- `granularity`, `notions`: who is a neighbour, and privacy over any distance between databases.
- `claim`, `ledger`: what the sources say, checked.
- `question`: what the lectures ask before they tell.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what is loaded when first asked for
    from . import accountant, experiment, granularity, leakage, notions
    from .questions import question

__version__ = "0.1.0"
__all__ = [
    "Guarantee",
    "Pair",
    "Table",
    "accountant",
    "claim",
    "composition",
    "experiment",
    "granularity",
    "leakage",
    "ledger",
    "mechanisms",
    "notions",
    "optimal",
    "planning",
    "question",
]

_LATER = ("accountant", "experiment", "granularity", "leakage", "notions")  # loaded when first asked for

_missing = None
try:
    from . import composition, mechanisms, planning
    from .claims import claim, ledger
    from .guarantee import Guarantee
    from .optimum import optimal
    from .pair import Pair
    from .table import Table
except ModuleNotFoundError as error:  # `python -m dpteach doctor` must still run, to say what is missing
    _missing = error.name


def __getattr__(name: str) -> Any:
    if _missing and name in __all__:
        raise ImportError(f"dpteach needs {_missing}, which is not installed: run python3 start.py in the kit's folder")
    if name == "question":
        return importlib.import_module(".questions", __name__).question
    if name in _LATER:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'dpteach' has no attribute {name!r}")
