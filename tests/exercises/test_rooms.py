"""The rooms of the grader: what runs inside a student's process knows nothing of what is outside."""

import ast
from pathlib import Path

import pytest

import dpteach.grading

HERE = Path(dpteach.grading.__file__).parent
MAY = {"line": {"line"}, "inside": {"inside", "line"}}
WAYS_IN = {"open_to_all", "can_forbid_calls", "fence_version", "SIGNALS", "Here"}  # what the grader takes from inside


def taken(path: Path) -> list[tuple[str, set[str]]]:
    """List the rooms that a file imports from, with what it takes."""
    room, found = path.parent.name, []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level in (1, 2):
            names = {alias.name for alias in node.names}
            other = room if node.level == 1 else (node.module or "").split(".")[0]
            found.append((other, names))
    return found


@pytest.mark.parametrize("room", MAY)
def test_nobody_reaches_through_the_wall(room):
    files = list((HERE / room).glob("*.py"))
    assert len(files) >= 3
    for path in files:
        assert {other for other, _ in taken(path)} <= MAY[room], path.name


def test_from_inside_the_grader_takes_nothing_but_the_way_in():
    names = [names for path in (HERE / "outside").glob("*.py") for other, names in taken(path) if other == "inside"]
    assert set().union(*names) <= WAYS_IN


@pytest.mark.parametrize("room", ["line", "inside", "outside"])
def test_every_room_says_which_it_is(room):
    first = ast.get_docstring(ast.parse((HERE / room / "__init__.py").read_text(encoding="utf-8")))
    assert first.split("\n")[0].startswith({"line": "On the line", "inside": "Inside", "outside": "Outside"}[room])
