"""Exercises that answer at once, and a grader that student code cannot reach.

In a notebook: `check`, `report` and the small vocabulary of `dpteach.grading.line.language`. For teachers:
`python -m dpteach grade FOLDER`.

Three rooms: `inside` runs in a student's process, `outside` in the grader's, and `line` is what both know.
"""

from .inside.answers import report
from .line.language import (
    Wrong,
    at_least,
    at_most,
    check,
    describe,
    is_near,
    mistake,
    near,
    number,
    numbers_in,
    pick,
    same,
    that,
)

__all__ = [
    "Wrong",
    "at_least",
    "at_most",
    "check",
    "describe",
    "is_near",
    "main",
    "mistake",
    "near",
    "number",
    "numbers_in",
    "pick",
    "report",
    "same",
    "that",
]


def main(argv: list[str] | None = None) -> int:
    """Grade a folder of submissions (`python -m dpteach grade FOLDER`)."""
    from .outside.command import main as run

    return run(argv)
