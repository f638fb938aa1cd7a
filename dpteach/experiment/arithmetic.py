"""How to multiply and add probabilities: in floats, in fractions, or in logarithms where floats would underflow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..numerics.rounding import log_fraction
from ..pair import Pair
from .logarithms import LogLaws


@dataclass(frozen=True)
class Arithmetic:
    """A way to compute with probabilities: `times` and `plus` for arrays, and how a number is written in it."""

    times: Callable[..., Any]
    plus: Callable[..., Any]
    number: Callable[..., Any]
    dtype: type

    def array(self, values: Iterable[Any]) -> np.ndarray:
        """Return values (fractions or floats) in this arithmetic."""
        return np.array([self.number(x) for x in values], dtype=self.dtype)

    def laws_of(self, pair: Pair) -> tuple[np.ndarray, np.ndarray]:
        """Return both laws of a pair in this arithmetic; logarithms know those that underflow."""
        if self is LOGARITHMS:
            logs = LogLaws.of(pair)
            return logs.p, logs.q
        return self.array(pair.p), self.array(pair.q)


FLOATS = Arithmetic(np.multiply, np.add, float, float)
FRACTIONS = Arithmetic(np.multiply, np.add, Fraction, object)
LOGARITHMS = Arithmetic(np.add, np.logaddexp, log_fraction, float)

LOGADDEXP = 6  # units, beside one of the result's size: those of exp, of log1p and of the difference, each of a number
#                below log 2 (x e^-x stays below 0.4, so that the rounded difference x of two logarithms hardly counts)
