"""The exercises of a lecture, as their own notebook announces them."""

from __future__ import annotations

from typing import NamedTuple

from ..grading.outside.assignment import STATED
from ..tools.notebooks import FOLDER
from .short import read

RELEASE = FOLDER.parent / "exercises" / "release"


class Task(NamedTuple):
    """An exercise: its number, title, points and minutes."""

    number: int
    title: str
    points: int
    minutes: int


def tasks(lecture: int) -> dict[int, Task]:
    """Return the exercises of a lecture by their numbers."""
    (path,) = RELEASE.glob(f"{lecture}_*/{lecture}_*.ipynb")
    stated = [STATED.match(cell.source) for cell in read(path).cells if cell.cell_type == "markdown"]
    found = [
        Task(int(number), title, int(points), int(minutes)) for number, title, points, minutes, _ in _groups(stated)
    ]
    return {task.number: task for task in found}


def _groups(matches) -> list[tuple[str, ...]]:
    return [match.groups() for match in matches if match]
