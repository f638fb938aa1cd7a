"""The parts of a lecture, and the shorter way through it.

A cell with the tag `long` is left out in a lecture of 55 minutes. All others, run from the first to the last in a fresh
kernel, are a lecture that works: tests/teaching runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from ..tools.lecture_rules import ASKED, EXPLORER, GATED, is_lecture
from ..tools.notebooks import edition, parse, unparse

LONG = "long"
SELF_CHECK = "the self-check"
PART = re.compile(r"^## (?P<number>\d)\. (?P<title>.+)$", re.M)
HEADING = re.compile(r"^#+ (?P<title>.+)$", re.M)
CARD = re.compile(r"\bclaim\(\"(?P<id>[^\"]+)\"\)")
PICTURE = re.compile(r"\b(?:figures|figs|pictures)\.(?P<name>\w+)\(")


class Section(NamedTuple):
    """A part of a lecture with its cells; the opening has the number 0, the ending comes after part 5."""

    number: int
    title: str
    cells: list[NotebookNode]


def lectures() -> list[Path]:
    """Return the files of the lectures, from 1 to 5."""
    return [path for path in edition() if is_lecture(path)]


def read(path: Path) -> NotebookNode:
    """Return the notebook of a file."""
    return parse(path.read_text(encoding="utf-8"))


def sections(notebook: NotebookNode) -> list[Section]:
    """Cut a lecture at its headings of the second rank: opening, parts, ending."""
    found = [Section(0, "Opening", [])]
    for cell in notebook.cells:
        head = cell.source if cell.cell_type == "markdown" and cell.source.startswith("## ") else ""
        if part := PART.match(head):
            found.append(Section(int(part["number"]), part["title"], []))
        elif head and 0 < found[-1].number and found[-1].title != "Ending":
            found.append(Section(found[-1].number + 1, "Ending", []))
        found[-1].cells.append(cell)
    return found


def is_long(cell: NotebookNode) -> bool:
    """Say whether the cell is left out in 55 minutes."""
    return LONG in cell.metadata.get("tags", ())


def short(notebook: NotebookNode) -> NotebookNode:
    """Return the lecture of 55 minutes, with the counts that its cells get when they are run in order."""
    made = nbformat.from_dict(notebook)
    made.cells = [cell for cell in made.cells if not is_long(cell)]
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, start=1):
        cell.execution_count = count
    return made


def write_short(folder: Path) -> Iterator[Path]:
    """Write the short lectures into a folder, and return their files one by one."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in lectures():
        target = folder / f"{path.stem}_55_minutes.ipynb"
        target.write_text(unparse(short(read(path))), encoding="utf-8", newline="\n")
        yield target


# ------------------------------------------------------------------------------------------- what is in a cell


def explorers(notebook: NotebookNode) -> list[str]:
    """Return the names of the explorers that a lecture shows."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return [name.strip() for found in EXPLORER.finditer(code) for name in found["names"].split(",")]


def left_out(section: Section, names: list[str]) -> list[str]:
    """Say what of a section is left out in 55 minutes: slides, questions, explorers, cards, pictures."""
    cells = [cell for cell in section.cells if is_long(cell)]
    asked = {found["id"] for cell in cells for found in ASKED.finditer(cell.source)}
    told = [_said_of(cell, asked, names) for cell in cells]
    return list(dict.fromkeys(words for words in told if words))


def _said_of(cell: NotebookNode, asked: set[str], names: list[str]) -> str:
    """Name a cell as a teacher would; empty if it goes without saying, as the answer to a question does."""
    source = cell.source
    if cell.cell_type == "markdown":
        heading = HEADING.match(source)
        if heading and heading["title"] == "Check yourself":
            return SELF_CHECK
        return f"the slide “{heading['title']}”" if heading else ""
    if found := ASKED.search(source):
        return SELF_CHECK if ".s" in found["id"] else f"question {found['id']}"
    if used := [name for name in names if f"{name}(" in source]:
        return f"the explorer `{used[0]}`"
    if found := CARD.search(source):
        return f"the card `{found['id']}`"
    if (found := GATED.search(source)) and found["id"] in asked:
        return ""
    found = PICTURE.search(source)
    return f"the picture `{found['name']}`" if found else "the table after it"
