"""Where a claim is taught: the sections of the lectures and companions that show its card, read off the notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from ..questions.wording import as_plain
from .entries import LEDGER, Claim

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
LECTURES = re.compile(r"0([0-5])_\w+?(_paper)?\.ipynb")
SHOWN = re.compile(r"""\bclaim\(\s*["']([^"']+)["']""")
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
OF_SOURCE = {"STK": 1, "KOV": 2, "HBW": 3, "LPR": 4, "GMPS": 5}  # the lecture on each source


@dataclass(frozen=True)
class Place:
    """A section of a lecture, or of its companion."""

    notebook: str
    heading: str
    anchor: str  # the nearest heading that can be linked to: JupyterLab does not find one with a formula

    @property
    def lecture(self) -> int:
        """The number of the lecture."""
        return int(self.notebook[:2])

    @property
    def name(self) -> str:
        """What a reader is told: the notebook and the section."""
        kind = "companion" if self.notebook.endswith("_paper") else "lecture"
        return f"{kind} {self.lecture}, “{as_plain(self.heading)}”"

    def address(self, ending: str = ".ipynb") -> str:
        """Return the address of the section, as JupyterLab and nbconvert make it from the heading."""
        anchor = re.sub(r"[*`]", "", self.anchor).replace(" ", "-")
        return f"{self.notebook}{ending}#{quote(anchor, safe=SAFE)}"


SAFE = "!$&'()*+,;=:@~/?"  # may stand in the last part of an address as they are


def places(claim: Claim) -> list[Place]:
    """Return where the card of a claim is shown, or one of another claim with the same check; lectures come first."""
    found = [place for id, place in shown(FOLDER) if id in LEDGER and LEDGER[id].check is claim.check]
    return list(dict.fromkeys(found))


def lectures(claim: Claim) -> list[int]:
    """Return the numbers of the lectures to which a claim belongs."""
    shown_in = {place.lecture for place in places(claim)}
    return sorted(shown_in | {OF_SOURCE[source] for source in [claim.source] if source in OF_SOURCE})


def somewhere(claim: Claim) -> str:
    """Return what is known of the place where there are no notebooks to look into: the lecture."""
    return ", ".join(f"lecture {number}" for number in lectures(claim)) or "no lecture"


@cache
def shown(folder: Path) -> list[tuple[str, Place]]:
    """Return every id of which a notebook of the folder shows the card, with the place."""
    paths = sorted(path for path in folder.glob("*.ipynb") if LECTURES.fullmatch(path.name))
    return [pair for path in paths for pair in _shown_in(path)]


def _shown_in(path: Path) -> Iterator[tuple[str, Place]]:
    headings: dict[int, str] = {}  # the headings above a cell, by their level
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for marks, text in HEADING.findall(source):
                headings = {level: above for level, above in headings.items() if level < len(marks)}
                headings[len(marks)] = text
        elif cell["cell_type"] == "code":
            yield from ((id, _place(path.stem, headings)) for id in SHOWN.findall(source))


def _place(notebook: str, headings: dict[int, str]) -> Place:
    texts = [headings[level] for level in sorted(headings, reverse=True)]
    return Place(notebook, texts[0], next(text for text in texts if "$" not in text))
