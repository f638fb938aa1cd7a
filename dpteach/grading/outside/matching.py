"""Cells that have lost the names by which nbgrader knows them, as some editors and web services save them.

Which cell is which is told by the id that a notebook gives to each cell; by the text, where that is not the student's
to write; and for answers by the place between other cells, and by the names that the answer should define.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import nbformat

from .assignment import kind_of, told_by, visible_text

DEFINED = re.compile(r"^(?:def|class)\s+(\w+)|^(\w+(?:\s*,\s*\w+)*)\s*=(?!=)", re.MULTILINE)
LOST = "{} cells had lost the names that nbgrader gave them, and were recognised by their ids, texts and places{}."


def with_names(source: dict, cells: list) -> tuple[list, list[str]]:
    """Return the cells of a submission with the names of the source's cells, as far as they can be told; and a note."""
    matching = Matching(source, cells)
    matching.by_mark(lambda cell: cell.get("id"), ("given", "check", "solution", "written"))
    matching.by_mark(lambda cell: bare(visible_text(cell)), ("given", "check"))
    matching.by_place()
    if not matching.found:
        return cells, []
    named = [named_as(matching.found[i], cell) if i in matching.found else cell for i, cell in enumerate(cells)]
    answers = [key for key in source if key in matching.found.values() and is_answer(source[key])]
    told = f"; the answers among them are {', '.join(answers)}" if answers else ""
    return named, [LOST.format(len(matching.found), told)]


class Matching:
    """What is known about which cell is which."""

    def __init__(self, source: dict, cells: list):
        self.source = source
        self.cells = cells
        self.place = {key: i for i, cell in enumerate(cells) if (key := self.name_of(cell))}
        self.found: dict[int, str] = {}  # places of cells without a name, with the one that they get

    def name_of(self, cell) -> str:
        """Return the name that a cell has kept, if the source knows it."""
        key = told_by(cell).get("grade_id", "")
        return key if key in self.source else ""

    def missing(self, kinds: tuple[str, ...]) -> list[str]:
        """List the names of these kinds that no cell has yet."""
        return [key for key, cell in self.source.items() if key not in self.place and kind_of(cell) in kinds]

    def free(self, begin: int, end: int, kind: str) -> list[int]:
        """List the places of cells of a type that have no name."""
        cells = {i: self.cells[i] for i in range(begin, end) if i not in self.found}
        return [i for i, cell in cells.items() if cell.cell_type == kind and not self.name_of(cell)]

    def settle(self, key: str, place: int) -> None:
        """Give a cell its name."""
        self.place[key] = place
        self.found[place] = key

    def by_mark(self, mark: Callable, kinds: tuple[str, ...]) -> None:
        """Name the cells that share a mark with one cell of the source, and only one; of several the last counts."""
        missing = self.missing(kinds)
        marks = [mark(self.source[key]) for key in missing]
        for key, wanted in zip(missing, marks, strict=True):
            places = self.free(0, len(self.cells), self.source[key].cell_type)
            alike = [i for i in places if mark(self.cells[i]) == wanted] if marks.count(wanted) == 1 else []
            if wanted and alike:
                self.settle(key, alike[-1])

    def by_place(self) -> None:
        """Name answers: the cell that defines what it should, or the only one between the cells before and after it."""
        for key in self.missing(("solution", "written")):
            original = self.source[key]
            places = self.free(*self.gap(key), original.cell_type)
            wanted = names_defined(visible_text(original))
            best = max(places, key=lambda i: (len(wanted & names_defined(self.cells[i].source)), i), default=None)
            if best is not None and (len(places) == 1 or wanted & names_defined(self.cells[best].source)):
                self.settle(key, best)

    def gap(self, key: str) -> tuple[int, int]:
        """Return where a cell can be: after all that precede it in the source and before the next one."""
        order = list(self.source)
        here = order.index(key)
        begin = 1 + max((self.place[other] for other in order[:here] if other in self.place), default=-1)
        later = [self.place[other] for other in order[here:] if other in self.place]
        return begin, min((place for place in later if place >= begin), default=len(self.cells))


def is_answer(cell) -> bool:
    """Say whether a cell of the source is the student's to write."""
    return kind_of(cell) in ("solution", "written")


def named_as(key: str, cell):
    """Return a copy of a cell with one of nbgrader's names."""
    named = nbformat.from_dict(cell)
    named.metadata.nbgrader = nbformat.from_dict({"grade_id": key})
    return named


def bare(text: str) -> str:
    """Return a text without empty lines, and spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def names_defined(code: str) -> set[str]:
    """List the names that a cell defines, in lines that are not indented."""
    found = [function or variables for function, variables in DEFINED.findall(code)]
    return {name.strip() for several in found for name in several.split(",")}
