"""Make and renew the student's own copies of the notebooks, in the folder `my`.

    python -m dpteach copies          `python3 start.py` does it before it opens JupyterLab

A copy has no outputs, and its links lead to the other copies. After an update of the kit a copy is renewed if nobody
has written in it; one in which somebody has written is kept, and the new edition is put beside it. To write is to
change cells (their texts, kinds, order, tags or slide types) or to answer a question. To run cells is not, whatever
JupyterLab then saves: outputs, counts, notes about the kernel. Delete a copy, and the next start makes it afresh.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Collection, Iterator
from itertools import count, takewhile
from pathlib import Path

from nbformat import NotebookNode

from .notebooks import ANSWERS, CELL_KEYS, Trouble, edition, parse, unparse
from .pack import KIT, files_in
from .rules import code_cells

MY = KIT / "my"
RELEASE = KIT / "exercises" / "release"
RECORD = ".editions.json"  # in my: for every copy, the fingerprints of all editions that were put there
LINK = re.compile(r"(?<=\]\()[^)\s#]+|(?<=src=\")[^\"#]+|(?<=href=\")[^\"#]+")
NO_NOTEBOOK = (Trouble, AttributeError, TypeError, ValueError)  # what comes of reading something else as one
NO_KIT = "There is no kit here, only the package dpteach: the notebooks to copy are in the kit's own folder."


def main(argv: list[str] | None = None) -> int:
    """Bring all copies up to date, and say in a sentence what was done."""
    parser = argparse.ArgumentParser(prog="python -m dpteach copies", description="Make or renew the copies in my.")
    parser.add_argument("--lab-is-open", action="store_true", help="change no copy that may be open in JupyterLab")
    lab_is_open = parser.parse_args(argv).lab_is_open
    if not edition():
        print(NO_KIT, file=sys.stderr)
        return 1
    try:
        copies = Copies(lab_is_open)
        copies.bring_up_to_date()
    except OSError as error:
        print(f"{error.filename or MY} cannot be read or written: {error.strerror}.", file=sys.stderr)
        return 1
    for sentence in copies.sentences():
        print(sentence)
    return 0


# What is copied


def originals() -> dict[str, Path]:
    """Return the files of the kit that students work with, by the names of their copies."""
    found = {path.name: path for path in edition()}
    for path in sorted(RELEASE.glob("*/*.ipynb")):
        if path.stem == path.parent.name:
            found |= {f"exercises/{path.stem}/{file.name}": file for file in _files_of(path)}
    return found


def _files_of(exercise: Path) -> list[Path]:
    """List the files of an exercise: its notebook, and the data that a teacher may have put beside it."""
    return [file for file in files_in(exercise.parent) if file == exercise or file.suffix != ".ipynb"]


def fresh_copy(name: str, sources: dict[str, Path]) -> bytes:
    """Return what a fresh copy holds: of a notebook all but its outputs, of another file everything."""
    content = sources[name].read_bytes()
    if not name.endswith(".ipynb"):
        return content
    notebook = cleared(parse(content.decode()))
    if not name.startswith("exercises/"):  # there nbgrader would take another link for a forgery
        relink(notebook, name, sources)
    return unparse(notebook).encode()


def cleared(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook without outputs, and without answers to questions."""
    for key in (ANSWERS, "widgets"):
        notebook.metadata.pop(key, None)
    for _, cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    return notebook


def relink(notebook: NotebookNode, name: str, sources: dict[str, Path]) -> None:
    """Let the relative links of a copy lead where they lead in its original: to a copy, if there is one."""
    copy_of = {path: MY / place for place, path in sources.items()}

    def moved(link: re.Match) -> str:
        target = Path(os.path.normpath(sources[name].parent / link[0]))
        if not os.path.exists(target):
            return link[0]  # an address on the web, or no link at all
        return Path(os.path.relpath(copy_of.get(target, target), (MY / name).parent)).as_posix()

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(moved, cell.source)


# Whether somebody has written in it


def fingerprint(place: str, content: bytes) -> str:
    """Return a number that changes when somebody writes in a copy; empty if it should be a notebook and is none."""
    if not place.endswith(".ipynb"):
        return hashlib.sha256(content).hexdigest()
    try:
        words = json.dumps(written(parse(content.decode())), sort_keys=True)
    except NO_NOTEBOOK:
        return ""
    return hashlib.sha256(words.encode()).hexdigest()


def written(notebook: NotebookNode) -> list:
    """Return what a person has written: the cells that are not empty, and the answers to questions."""
    cells = [cell for cell in notebook.cells if cell.source.strip()]
    texts = [(cell.cell_type, cell.source.rstrip()) for cell in cells]
    keys = (*CELL_KEYS, ANSWERS)
    marks = [{key: cell.metadata[key] for key in keys if cell.metadata.get(key)} for cell in cells]
    return [texts, marks, notebook.metadata.get(ANSWERS) or {}]


# What is done


class Copies:
    """The folder `my`: brings it up to date, and knows what to say about it."""

    def __init__(self, lab_is_open: bool = False):
        self.lab_is_open = lab_is_open
        self.record = _read_record()
        self.made: list[str] = []
        self.renewed: list[str] = []
        self.postponed: list[str] = []
        self.beside: dict[str, str] = {}  # the copy that was kept, and where the new edition is
        self.broken: dict[str, str] = {}  # what was no notebook any more, and where it is now
        self.unreadable: list[str] = []  # originals

    def bring_up_to_date(self) -> None:
        """Make what is missing and renew what is out of date."""
        sources = originals()
        before = json.dumps(self.record)
        for name in sources:
            try:
                fresh = fresh_copy(name, sources)
            except NO_NOTEBOOK:
                self.unreadable.append(sources[name].relative_to(KIT).as_posix())
            else:
                self._bring(name, fresh)
        if json.dumps(self.record) != before:
            _write(RECORD, json.dumps(self.record, indent=1).encode())

    def _bring(self, name: str, fresh: bytes) -> None:
        """Bring one copy up to date, with the editions beside it."""
        family = list(self._family(name))
        found = {place: fingerprint(place, (MY / place).read_bytes()) for place in family if (MY / place).exists()}
        if found.get(name) == "":
            self._set_aside(name)
        if not found.get(name):
            self._put(name, fresh)
            self.made.append(name)
            return
        newest = fingerprint(name, fresh)
        was_offered = any(newest in self.record.get(place, []) for place in family)
        untouched = [place for place, mark in found.items() if mark == newest or mark in self.record.get(place, [])]
        for place in untouched:
            self._renew(place, fresh, is_newest=found[place] == newest)
        if not untouched and not was_offered:
            self.beside[name] = _free(name, "new")
            self._put(self.beside[name], fresh)

    def _family(self, name: str) -> Iterator[str]:
        """Yield the names of a copy and of the editions beside it, also of those that were deleted."""
        yield name
        yield from takewhile(lambda place: place in self.record or (MY / place).exists(), _names(name, "new"))

    def _put(self, place: str, fresh: bytes) -> None:
        """Write a fresh copy."""
        _write(place, fresh)
        self._remember(place, fingerprint(place, fresh))

    def _remember(self, place: str, mark: str) -> None:
        """Note that this edition was put there."""
        marks = self.record.setdefault(place, [])
        if mark not in marks:
            marks.append(mark)

    def _renew(self, place: str, fresh: bytes, is_newest: bool) -> None:
        """Put a new edition in the place of an old one, unless that may be on somebody's screen."""
        if is_newest:
            self._remember(place, fingerprint(place, fresh))  # the record may have been lost
        elif self.lab_is_open:
            self.postponed.append(place)
        else:
            self._put(place, fresh)
            self.renewed.append(place)

    def _set_aside(self, name: str) -> None:
        """Give another name to what is no notebook any more."""
        self.broken[name] = _free(name, "broken")
        os.replace(MY / name, MY / self.broken[name])

    def sentences(self) -> Iterator[str]:
        """Yield what a student should know, each in a sentence."""
        for name in self.unreadable:
            yield f"{name} is no notebook, so you have no new copy of it: get it again from where you got the kit."
        for name, place in self.broken.items():
            yield f"my/{name} is no notebook any more: it is now my/{place}, and a fresh copy is in its place."
        if made := [name for name in self.made if name not in self.broken]:
            yield f"Made in the folder my, for you to write in: {_list(made)}."
        if self.renewed:
            yield f"Renewed in the folder my, as you had written nothing there: {_list(self.renewed)}."
        if self.beside:
            kept, new = ", ".join(self.beside), ", ".join(self.beside.values())
            yield f"Kept in the folder my, as you have written there: {kept}; the new edition is beside it: {new}."
        if self.postponed:
            yield f"JupyterLab is open: end it and start again to get the new edition of {_list(self.postponed)}."


def _list(places: Collection[str]) -> str:
    """Name a few files, count many."""
    return ", ".join(places) if len(places) <= 3 else f"{len(places)} files"


# Files


def _names(name: str, word: str) -> Iterator[str]:
    """Yield names for files beside another one: 01_basics_new.ipynb, 01_basics_new_2.ipynb, and so on."""
    stem, dot, ending = name.rpartition(".")
    for number in count(1):
        yield f"{stem}_{word}{f'_{number}' * (number > 1)}{dot}{ending}"


def _free(name: str, word: str) -> str:
    """Return the first such name that no file has."""
    return next(place for place in _names(name, word) if not (MY / place).exists())


def _write(place: str, content: bytes) -> None:
    """Write a file into the folder my, all of it or nothing."""
    path = MY / place
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(content)
    os.replace(half, path)


def _read_record() -> dict[str, list[str]]:
    """Read which editions were put where; of a lost record nothing is known, and everything counts as written in."""
    try:
        record = json.loads((MY / RECORD).read_text(encoding="utf-8"))
        return {str(place): list(map(str, marks)) for place, marks in record.items()}
    except (FileNotFoundError, AttributeError, TypeError, ValueError):
        return {}


if __name__ == "__main__":
    sys.exit(main())
