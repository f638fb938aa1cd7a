"""A control for a set of bit vectors: one button for each of the 2^k vectors, pressed if it is in the set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ... import checks
from ...experiment.hypothesis import as_bits, show_bits

MOST_BITS = 5  # 32 buttons are enough for a screen


@dataclass(frozen=True)
class Vectors:
    """A set of bit vectors of equal length, written as "00 11"; the control named `bits` says how long they are.

    Vectors of another length are cut, or get zeros at their end, until a button is pressed.
    """

    value: str
    label: str = ""
    bits: str = "k"

    def check(self, name: str, value) -> str:
        """Return the vectors in order, whether they were given as text or as a list."""
        vectors = {show_bits(as_bits(f"every vector of {name}", item)) for item in _listed(value)}
        lengths = {len(vector) for vector in vectors}
        if len(lengths) != 1 or max(lengths) > MOST_BITS:
            raise ValueError(
                f"{name} must list vectors of equal length, of at most {MOST_BITS} bits, not {checks.shorten(value)}"
            )
        return " ".join(sorted(vectors))

    def snap(self, value) -> str:
        """Return the vectors whose buttons are pressed, in order; there may be none."""
        return " ".join(sorted(set(str(value).split())))

    def json(self) -> dict[str, Any]:
        """Return the kind, and the control that says how long the vectors are."""
        return dict(kind="vectors", bits=self.bits)


def _listed(value) -> list:
    """Return the vectors that were given: in a line, in a list, or one alone."""
    if isinstance(value, str):
        return value.split()
    return list(value) if isinstance(value, list | tuple) else [value]


def fit(vectors: str, k: int) -> list[str]:
    """Return the vectors cut at k bits, or with zeros at their end: no record in the rounds that are new."""
    return sorted({vector[:k].ljust(k, "0") for vector in vectors.split()})
