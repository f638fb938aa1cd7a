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
from .harmless import plain_pictures

PICTURE = "picture"  # the tag of cells that only draw: the grader does not run them
SHARED = "shared"  # the tag of given cells that the checks need as well, such as the imports
MOST_CELLS = 2000
NO_NOTEBOOK = "the file is not a notebook that can be read"
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS$(.*?)^### END HIDDEN TESTS$", re.MULTILINE | re.DOTALL)
SOLUTION = re.compile(r"^[ \t]*### BEGIN SOLUTION$.*?^[ \t]*### END SOLUTION$", re.MULTILINE | re.DOTALL)
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
    def locked_texts(self) -> set[str]:
        """The texts of the cells that students do not write."""
        return {text_of(cell) for cell in self.cells if kind_of(cell) == "given"}

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


def read_all(root: Path) -> dict[str, Assignment]:
    """Read all assignments of a course, by their names."""
    found = sorted((root.resolve() / "source").glob("*/*.ipynb"))
    return {path.stem: Assignment.read(path) for path in found if path.stem == path.parent.name}


def source_path(root: Path, assignment: str, notebook: str | None = None) -> Path:
    """Return where the source of an assignment is."""
    return root / "source" / assignment / f"{notebook or assignment}.ipynb"


def read_cells(text: str) -> list:
    """Return the cells of a submitted file, whatever else is wrong with it; raise ValueError if it is no notebook."""
    cells = raw_cells(text)
    if len(cells) > MOST_CELLS:
        raise ValueError(f"the notebook has more than {MOST_CELLS} cells")
    try:
        return [clean_cell(cell) for cell in cells]
    except Exception:
        raise ValueError(NO_NOTEBOOK) from None


def raw_cells(text: str) -> list[dict]:
    """Return the cells of a submitted file as it has them; raise ValueError if it is no notebook."""
    try:
        notebook = json.loads(text)
        if "cells" not in notebook and isinstance(notebook.get("worksheets"), list):
            notebook = nbformat.convert(nbformat.from_dict(notebook), 4)
        return [cell for cell in notebook["cells"] if isinstance(cell, dict)]
    except Exception:
        raise ValueError(NO_NOTEBOOK) from None


def text_of(cell) -> str:
    """Return the text of a cell, which may be a list of lines."""
    source = cell.get("source", "")
    source = "".join(map(str, source)) if isinstance(source, list) else str(source)
    source = source.encode(errors="replace").decode()  # half a sign, which no file can hold
    return source.replace("\r\n", "\n")


def clean_cell(cell: dict):
    """Return a valid cell with the same text and nbgrader name."""
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    clean = make.get(cell.get("cell_type"), nbformat.v4.new_raw_cell)(text_of(cell))
    if isinstance(cell.get("id"), str):
        clean.id = cell["id"]
    pictures = plain_pictures(cell.get("attachments"))
    if clean.cell_type == "markdown" and pictures:
        clean.attachments = nbformat.from_dict(pictures)
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


def visible_text(cell) -> str:
    """Return the text of a cell as students get it, up to what stands where a solution was."""
    return SOLUTION.sub("", HIDDEN.sub("", text_of(cell)))


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
