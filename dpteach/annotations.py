"""The words of the annotations: what one may hand over, and what is answered.

Numbers are exact if they are whole or fractions, and floats otherwise. Most questions take one number or an array of
them: a number is answered by a number, an array by an array of its shape.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np

Number: TypeAlias = float | Fraction  # one number, exact or not
Array: TypeAlias = np.ndarray | Sequence[float] | Sequence[Fraction]  # several numbers
Numbers: TypeAlias = Number | Array  # one or several
Law: TypeAlias = np.ndarray | Sequence[float] | Sequence[Fraction]  # probabilities that sum to one
Size: TypeAlias = int | Sequence[int]  # how many are drawn, or in which shape
Answer: TypeAlias = Any  # a number for a number, an array for an array; a fraction where the question is exact
Outcome: TypeAlias = Hashable  # what names an output, a database or a leaked value
Asked = TypeVar("Asked", float, Fraction, np.ndarray)  # the answer is of the kind of the question
