"""`python -m dpteach rehearse 2`: how long a lecture takes, read aloud with all votes, beside what is planned."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import nbformat

from ..questions import texts
from ..table import Table
from ..teaching.short import Section, sections
from ..teaching.writing import ids_in, plan_of
from .cells import NOT_SHOWN, part_of
from .deck import notebook_of

WORDS_A_MINUTE = 140  # read aloud
PICTURE = 0.75  # minutes to look at a picture or a table and say what it shows
STEP = 0.5  # minutes to write a step of a proof at the board, beside its words
EXPLORER = 2.0  # minutes for one "what if" with the room
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.S)
SPOKEN = 3  # words that a formula within the text takes
TABLE = re.compile(r"^\|.*$", re.M)


def main(argv: list[str] | None = None) -> int:
    """Print the minutes of each part."""
    parser = argparse.ArgumentParser(prog="python -m dpteach rehearse", description=__doc__)
    parser.add_argument("lecture", type=int, help="its number, from 1 to 5")
    given = parser.parse_args(argv)
    try:
        print(timetable(notebook_of(given.lecture)))
    except ValueError as error:
        print(f"Nothing to rehearse: {error}", file=sys.stderr)
        return 2
    return 0


def timetable(path: Path) -> Table:
    """Return planned and estimated minutes of each part of a lecture."""
    plan = plan_of(path)
    planned = [*(part.minutes for part in plan.parts), plan.ending[0]]
    rows = []
    cut = sections(nbformat.read(path, as_version=4))
    cut[1] = cut[1]._replace(cells=cut[0].cells + cut[1].cells)  # the opening is part of the first part
    for section, minutes in zip(cut[1:], planned, strict=True):
        proofs = plan.parts[section.number - 1].proofs if section.number <= len(plan.parts) else ()
        steps = sum(len(proof.steps) for proof in proofs)
        read, votes, shown = reading(section), voting(section), round(showing(section) + STEP * steps, 1)
        rows.append((f"{section.number}. {section.title}", minutes, round(read + votes + shown, 1), read, votes, shown))
    rows.append(("together", sum(planned), round(sum(row[2] for row in rows), 1), "", "", ""))
    return Table(rows, ["part", "planned", "estimated", "read aloud", "votes", "pictures, proofs, explorers"])


def reading(section: Section) -> float:
    """Return the minutes that the texts of a part take, read aloud."""
    shown = [
        cell.source for cell in section.cells if cell.cell_type == "markdown" and slide_type(cell) not in NOT_SHOWN
    ]
    return round(sum(map(words, shown)) / WORDS_A_MINUTE, 1)


def slide_type(cell: nbformat.NotebookNode) -> str:
    """Return what the metadata say of a cell."""
    return cell.metadata.get("slideshow", {}).get("slide_type", "")


def words(text: str) -> int:
    """Count the words of a text as it is read aloud: a formula takes a few, a table is looked at."""
    plain = TABLE.sub("", text)
    return len(FORMULA.sub("", plain).split()) + SPOKEN * len(FORMULA.findall(plain))


def voting(section: Section) -> float:
    """Return the minutes of the questions that are asked in class."""
    asked = [texts()[name] for name in ids_in(section)]
    return float(sum(text.minutes for text in asked if not text.in_self_check))


def showing(section: Section) -> float:
    """Return the minutes for pictures, tables and explorers."""
    code = [cell for cell in section.cells if cell.cell_type == "code" and slide_type(cell) not in NOT_SHOWN]
    parts = [part_of(cell) for cell in code]
    explorers = sum(part.kind == "explorer" for part in parts)
    pictures = sum(part.kind == "plain" and bool(cell.outputs) for part, cell in zip(parts, code, strict=True))
    return EXPLORER * explorers + PICTURE * pictures
