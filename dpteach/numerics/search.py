"""Search: the first argument at which something that stays true once it is true becomes true.

Halving an interval keeps two ends, one at which the statement fails and one at which it holds. What is returned is the
second one, so the answer is on the safe side even where the statement is about a bound that was itself rounded.

For whole numbers take `bisect.bisect_left(range(...), True, key=holds)` from the standard library; for a root that
certifies nothing, `scipy.optimize.brentq`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

SAME = 1e-14  # ends of an inverse that are so close, relatively, need not be told apart where a question is dear
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
    fails = float(start)
    safe = float(end)
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
    fails, safe = np.broadcast_arrays(np.asarray(starts, dtype=float), np.asarray(ends, dtype=float))
    safe = np.where(holds(fails), fails, safe)
    while True:
        middle = fails + (safe - fails) / 2
        is_new = (middle != fails) & (middle != safe)
        searched = is_new & (np.abs(safe - fails) > rtol * np.abs(safe))
        if not np.any(searched):
            return safe
        good = holds(middle)
        safe = np.where(searched & good, middle, safe)
        fails = np.where(searched & np.logical_not(good), middle, fails)


def inverse(
    delta: Callable[[np.ndarray, int], np.ndarray],
    targets: np.ndarray,
    window: tuple[float, float],
    rounding: int,
    rtol: float = 0.0,
) -> np.ndarray:
    """Return an end of the smallest eps with delta(eps) <= target, at which an end of delta proves what it has to.

    `delta(eps, rounding)` is an end of a falling function, good within the window. If eps lies above it, the upper end
    is infinite; if below, the lower one is 0. Targets, and so the answers, are numbers or arrays.
    """
    low = np.float64(window[0])
    high = np.float64(min(window[1], LARGEST))

    def small_enough(eps: np.ndarray) -> np.ndarray:
        return delta(eps, +1) <= targets

    def still_too_large(eps: np.ndarray) -> np.ndarray:
        return delta(eps, -1) > targets

    if rounding > 0:
        return _proved(small_enough, low, high, rtol, otherwise=np.inf)
    return _proved(still_too_large, high, low, rtol, otherwise=0.0)


def _proved(holds: Callable, start: float, end: float, rtol: float, otherwise: float) -> np.ndarray:
    """Return the first number that `holds`; where not even the end does, return `otherwise`."""
    possible = holds(end)
    starts = np.where(possible, start, end)
    search = first_true_each if np.ndim(possible) else first_true  # which is faster for one number
    return np.where(possible, search(holds, starts, end, rtol), otherwise)
