"""Search: the first argument at which something that stays true once it is true becomes true.

Halving an interval keeps two ends, one at which the statement fails and one at which it holds. What is returned is the
second one, so the answer is on the safe side even where the statement is about a bound that was itself rounded.

For whole numbers take `bisect.bisect_left(range(...), True, key=holds)` from the standard library; for a root that
certifies nothing, `scipy.optimize.brentq`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np

SAME = 1e-14  # two ends of an inverse that are so close, relatively, need not be told apart
LARGEST = sys.float_info.max


def first_true(holds: Callable[[float], bool], start: float, end: float, rtol: float = 0.0) -> float:
    """Return the first number on the way from `start` to `end` at which `holds`: the safe end of a bisection.

    `start` may lie above or below `end`. At `end` the statement is taken to hold: what is returned is `end`, or a
    number at which `holds` has been asked and was true. It is the neighbour of a float at which it was false, or
    within `rtol`, relative, of one.

    >>> first_true(lambda x: x * x >= 2, 0, 2)
    1.4142135623730951
    >>> first_true(lambda x: x * x <= 2, 2, 0)
    1.414213562373095
    """
    if holds(start):
        return start
    fails, safe = float(start), float(end)
    while abs(safe - fails) > rtol * abs(safe):
        middle = fails + (safe - fails) / 2
        if middle in (fails, safe):
            break
        if holds(middle):
            safe = middle
        else:
            fails = middle
    return safe


def first_true_each(
    holds: Callable[[np.ndarray], np.ndarray], starts: np.ndarray, ends: np.ndarray, rtol: float = 0.0
) -> np.ndarray:
    """Return what `first_true` does for each entry of arrays; `holds` takes and returns an array.

    >>> first_true_each(lambda x: x * x >= np.array([2, 9]), np.zeros(2), np.full(2, 10.0))
    array([1.41421356, 3.        ])
    """
    fails, safe = (np.array(part, dtype=float) for part in np.broadcast_arrays(starts, ends))
    safe = np.where(holds(fails), fails, safe)
    while True:
        middle = fails + (safe - fails) / 2
        between = (middle != fails) & (middle != safe) & (np.abs(safe - fails) > rtol * np.abs(safe))
        if not between.any():
            return safe
        good = holds(middle)
        safe = np.where(between & good, middle, safe)
        fails = np.where(between & ~good, middle, fails)


def inverse(delta: Callable[[float, int], float], target: float, window: tuple[float, float], rounding: int) -> float:
    """Return an end of the smallest eps with delta(eps) <= target, at which an end of delta proves what it has to.

    `delta(eps, rounding)` is an end of a falling function, good within the window. If eps lies above it, the upper end
    is infinite; if below, the lower one is 0.
    """
    low, high = window

    def small_enough(eps: float) -> bool:
        return delta(eps, +1) <= target

    def still_too_large(eps: float) -> bool:
        return delta(eps, -1) > target

    if rounding > 0:
        return first_true(small_enough, low, high, rtol=SAME) if small_enough(high) else math.inf
    return first_true(still_too_large, high, low, rtol=SAME) if still_too_large(low) else 0.0


def inverse_each(
    delta: Callable[[np.ndarray, int], np.ndarray], targets: np.ndarray, largest: float, rounding: int
) -> np.ndarray:
    """Return what `inverse` does for each entry of an array, in the window [0, largest] and to the last float.

    The curve must fall strictly: where even its lower end reaches the target, it comes down to it no earlier.
    """
    zeros = np.zeros(np.shape(targets))
    largest = min(largest, LARGEST)
    if rounding > 0:
        found = first_true_each(lambda eps: delta(eps, +1) <= targets, zeros, largest)
        return np.where(delta(found, +1) <= targets, found, np.inf)
    starts = np.where(delta(zeros, -1) <= targets, 0.0, largest)
    return first_true_each(lambda eps: delta(eps, -1) >= targets, starts, 0.0)
