"""Ends of axes that rarely change while a slider moves."""

from __future__ import annotations

from bisect import bisect_left

from .controls import log_slider

ROUND = log_slider(1e-3, 1e6, 1).grid


def round_up(x: float) -> float:
    """Return the next round number."""
    next_one = bisect_left(ROUND, x)
    return ROUND[min(next_one, len(ROUND) - 1)]
