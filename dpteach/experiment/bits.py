"""Bit vectors: which of the k databases hold the target person's record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import checks

Bits = tuple[int, ...]


def as_bits(name: str, bits: Any) -> Bits:
    """Return a vector given as "0110" or as a list of zeros and ones as a tuple."""
    items = list(bits) if np.iterable(bits) else [None]
    is_bit = _is_digit if isinstance(bits, str) else _is_zero_or_one
    different = {id(item): item for item in items}.values()  # a million bits are two objects
    if not items or not all(map(is_bit, different)):
        raise ValueError(f'{name} must be a vector of zeros and ones such as "0110", not {checks.shorten(bits)}')
    return tuple(map(int, items))


def _is_digit(item: str) -> bool:
    return item in ("0", "1")


def _is_zero_or_one(item) -> bool:
    return checks.is_number(item) and item in (0, 1)


def show_bits(bits: Bits) -> str:
    """Return a vector as text, such as 0110."""
    return "".join(map(str, bits))


def different_vectors(name: str, values: Iterable[Any]) -> list[Bits]:
    """Return different vectors of equal length."""
    vectors = [as_bits(f"every vector of {name}", bits) for bits in values]
    lengths = sorted(set(map(len, vectors)))
    if len(lengths) != 1:
        raise ValueError(f"the vectors of {name} must have one length, not {lengths}")
    checks.names(f"the vectors of {name}", [show_bits(bits) for bits in vectors])
    return vectors


def differing(b0: Iterable[Any], b1: Iterable[Any]) -> list[int]:
    """Return the rounds in which two vectors differ."""
    return [i for i, (x, y) in enumerate(zip(b0, b1, strict=True)) if x != y]
