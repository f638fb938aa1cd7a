"""Exercises that answer at once, and a grader that student code cannot reach.

In a notebook: `check`, `report` and the small vocabulary of `dpteach.grading.language`. For teachers:
`python -m dpteach grade FOLDER`.
"""

from .language import (
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
    report,
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
    from .command import main as run

    return run(argv)
