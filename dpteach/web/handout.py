"""`python -m dpteach handout 2`: the slides of lecture 2 as a PDF, with the answers to its questions at the end."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..tools.browser import print_page
from .deck import notebook_of
from .present import Stage


def main(argv: list[str] | None = None) -> int:
    """Print a lecture into a file."""
    parser = argparse.ArgumentParser(prog="python -m dpteach handout", description=__doc__)
    parser.add_argument("lecture", type=int, help="its number, from 0 to 5")
    parser.add_argument("file", type=Path, nargs="?", help="a .pdf (the lecture's name, in this folder)")
    parser.add_argument("--notes", action="store_true", help="with what the lecturer knows of each slide")
    given = parser.parse_args(argv)
    try:
        path = notebook_of(given.lecture)
        file = given.file or Path(f"{path.stem}.pdf")
        pages = write(path, file, given.notes)
    except (OSError, ValueError) as error:
        print(f"The handout cannot be written: {error}", file=sys.stderr)
        return 2
    print(f"{file} is written: {pages} pages.")
    return 0


def write(path: Path, file: Path, notes: bool = False) -> int:
    """Print the slides of a notebook, and return how many pages they have."""
    if file.suffix != ".pdf":
        raise ValueError(f"file must end in .pdf, not in {file.suffix!r}")
    with Stage(path) as stage:
        print_page(f"{stage.address}&print={'notes' if notes else 'slides'}", file)
        if not stage.ready.is_set():
            raise ValueError("the browser did not draw all slides")
        return stage.pages
