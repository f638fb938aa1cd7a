"""An assignment as its source notebook tells it: given cells, tasks and their checks, visible and hidden."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat

from ..line.language import Check, take_defined

PICTURE = "picture"  # the tag of cells that only draw: the grader does not run them
SHARED = "shared"  # the tag of given cells that the checks need as well, such as the imports
MOST_CELLS = 2000
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS$(.*?)^### END HIDDEN TESTS$", re.MULTILINE | re.DOTALL)
STATED = re.compile(r"\*\*Task (\d+)[.:]?\s*(.*?)\*\* \((\d+) points?, (\d+) min, sections? ([\d, and]+)\)")


@dataclass(frozen=True)
class Task:
    """One task: its check cell, and what the statement says about it."""

    id: str
    points: float
    code: str
    title: str = ""
    minutes: int = 0
    section: str = ""
    solution_id: str = ""

    def is_hidden(self, check: Check) -> bool:
        """Say whether a check stands between the marks of hidden tests."""
        spans = [(found.start(), found.end()) for found in HIDDEN.finditer(self.code)]
        lines = [(self.code.count("\n", 0, start) + 1, self.code.count("\n", 0, end) + 1) for start, end in spans]
        return any(first <= check.line <= last for first, last in lines)


@dataclass
class Assignment:
    """All that a source notebook says."""

    name: str
    given: dict[str, str] = field(default_factory=dict)  # locked code cells: id -> code
    shared: list[str] = field(default_factory=list)  # ids of those that the checks need too
    tasks: dict[str, Task] = field(default_factory=dict)
    written: dict[str, float] = field(default_factory=dict)  # answers that a person marks: id -> points
    cells: list = field(default_factory=list)  # of the source notebook

    @classmethod
    def read(cls, path: Path) -> Assignment:
        """Read a source notebook."""
        assignment = cls(path.stem)
        stated, solution = None, ""
        assignment.cells = nbformat.read(path, 4).cells
        for cell in assignment.cells:
            stated = STATED.search(cell.source) or stated
            kind, told = kind_of(cell), told_by(cell)
            if kind == "solution":
                solution = told["grade_id"]
            elif kind == "given" and cell.cell_type == "code":
                assignment.given[told["grade_id"]] = cell.source
                if SHARED in cell.metadata.get("tags", ()):
                    assignment.shared.append(told["grade_id"])
            elif kind == "check":
                title, minutes, section = (stated[2], int(stated[4]), stated[5]) if stated else ("", 0, "")
                task = Task(told["grade_id"], float(told["points"]), cell.source, title, minutes, section, solution)
                assignment.tasks[task.id] = task
            elif kind == "written":
                assignment.written[told["grade_id"]] = float(told["points"])
        return assignment

    @property
    def title(self) -> str:
        """What the notebook is called in its first line, or the name of its file."""
        first = self.cells[0].source.split("\n")[0] if self.cells else ""
        return first.removeprefix("#").strip() if first.startswith("# ") else self.name

    @property
    def checked_points(self) -> float:
        """What the checks can give together."""
        return sum(task.points for task in self.tasks.values())

    @property
    def points(self) -> float:
        """What the whole assignment is worth."""
        return self.checked_points + sum(self.written.values())

    @cached_property
    def checks(self) -> dict[str, list[Check]]:
        """The checks of every task, ready to run; their points add up to the task's."""
        return dict(self._load())

    def _load(self) -> Iterator[tuple[str, list[Check]]]:
        names: dict = {"__name__": "checks"}
        take_defined()
        with contextlib.redirect_stdout(io.StringIO()):
            for key in self.shared:
                exec(compile(self.given[key], f"<{key}>", "exec"), names)
            for task in self.tasks.values():
                told: list[str] = []  # what `report` is told: without which part of the library
                names["report"] = lambda points, without="", told=told: told.append(without)
                exec(compile(task.code, f"<{task.id}>", "exec"), names)
                loaded = take_defined("".join(told))
                if abs(sum(one.points for one in loaded) - task.points) > 1e-9:
                    raise ValueError(f"points of {task.id} must be {task.points:g}, the sum of its checks' points")
                yield task.id, loaded

    def put_right(self, cells: list) -> tuple[list, list[str]]:
        """Return a submission's cells with all cells of the source in place, and a sentence about each change.

        Given cells and checks are those of the source. Of a cell that comes twice the last one counts as nbgrader's
        own rule has it; the other one is run like any cell of the student's.
        """
        source = {told_by(cell)["grade_id"]: cell for cell in self.cells if told_by(cell)}
        last = {told_by(cell).get("grade_id"): i for i, cell in enumerate(cells)}
        kept, notes = [], []
        for i, cell in enumerate(cells):
            key = told_by(cell).get("grade_id")
            if key in source and i == last[key]:
                kept.append(_as_in(source[key], cell))
            else:
                if key in source:
                    notes.append(f"The cell {key} was there more than once.")
                kept += _without_name(cell, drop=key in source and kind_of(source[key]) in ("given", "check"))
        missing = [key for key in source if key not in last]
        for key in missing:
            _put_back(kept, source, key)
        if missing:
            notes.append(f"These cells were missing and have been put back: {', '.join(missing)}.")
        return kept, notes


def source_path(root: Path, assignment: str, notebook: str | None = None) -> Path:
    """Return where the source of an assignment is."""
    return root / "source" / assignment / f"{notebook or assignment}.ipynb"


def _as_in(original, cell):
    """Return a cell as the source has it, with the student's text where that is the student's to write."""
    text = cell.source if kind_of(original) in ("solution", "written") else original.source
    restored = nbformat.from_dict({**original, "source": text})
    if restored.cell_type == "code":
        restored.outputs, restored.execution_count = [], None
    return restored


def _without_name(cell, drop: bool) -> list:
    """Return a cell that nbgrader does not know, as a list; empty if it is to be dropped."""
    if drop:
        return []
    cell = nbformat.from_dict(cell)
    cell.metadata.pop("nbgrader", None)
    return [cell]


def _put_back(cells: list, source: dict, key: str) -> None:
    """Insert a missing cell after the one that precedes it in the source; a missing answer is empty."""
    order = list(source)
    before = set(order[: order.index(key)])
    place = max((i + 1 for i, cell in enumerate(cells) if told_by(cell).get("grade_id") in before), default=0)
    empty = nbformat.from_dict({**source[key], "source": ""})
    cells.insert(place, _as_in(source[key], empty))


def read_cells(text: str) -> list:
    """Return the cells of a submitted file, whatever else is wrong with it; raise ValueError if it is no notebook."""
    try:
        notebook = json.loads(text)
        if "cells" not in notebook and isinstance(notebook.get("worksheets"), list):
            notebook = nbformat.convert(nbformat.from_dict(notebook), 4)
        cells = [cell for cell in notebook["cells"] if isinstance(cell, dict)]
        if len(cells) <= MOST_CELLS:
            return [_clean(cell) for cell in cells]
    except Exception:
        raise ValueError("the file is not a notebook that can be read") from None
    raise ValueError(f"the notebook has more than {MOST_CELLS} cells")


def _clean(cell: dict):
    """Return a valid cell with the same text and nbgrader name."""
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    source = cell.get("source", "")
    source = "".join(map(str, source)) if isinstance(source, list) else str(source)
    source = source.encode(errors="replace").decode()  # half a sign, which no file can hold
    clean = make.get(cell.get("cell_type"), nbformat.v4.new_raw_cell)(source.replace("\r\n", "\n"))
    if told_by(cell):
        clean.metadata.nbgrader = nbformat.from_dict({"grade_id": told_by(cell)["grade_id"]})
    if only_draws(cell):
        clean.metadata.tags = [PICTURE]
    return clean


def only_draws(cell) -> bool:
    """Say whether a cell is marked as one that only draws."""
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return isinstance(tags, list) and PICTURE in tags


def told_by(cell) -> dict:
    """Return what nbgrader knows about a cell; nothing if that makes no sense."""
    metadata = cell.get("metadata", {})
    told = metadata.get("nbgrader", {}) if isinstance(metadata, dict) else {}
    return told if isinstance(told, dict) and isinstance(told.get("grade_id"), str) else {}


def kind_of(cell) -> str:
    """Return what a cell of a source notebook is for."""
    told = told_by(cell)
    if not told:
        return "free"
    graded, solution = bool(told.get("grade")), bool(told.get("solution"))
    return {(True, False): "check", (True, True): "written", (False, True): "solution"}.get((graded, solution), "given")
