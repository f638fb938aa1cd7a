"""For whoever teaches the course: the guide in docs/teaching.md, the short lectures, and the formula sheet.

    python -m dpteach guide                  writes docs/teaching.md anew
    python -m dpteach guide --check          changes nothing, only says whether it is up to date
    python -m dpteach guide --short my       writes the lectures of 55 minutes into the folder my

What is said about questions, parts, explorers and exercises is read from them; the files `lecture_1` to `lecture_5`
hold what only a teacher needs: minutes, proofs for the board, and what to say after a vote.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..tools.notebooks import FOLDER
from .short import write_short
from .writing import guide

GUIDE = FOLDER.parent / "docs" / "teaching.md"


def main(argv: list[str] | None = None) -> int:
    """Write the guide, or the short lectures."""
    parser = argparse.ArgumentParser(prog="python -m dpteach guide", description="Write the teacher's guide.")
    parser.add_argument("--check", action="store_true", help="change nothing, only say whether it is up to date")
    parser.add_argument("--short", type=Path, metavar="FOLDER", help="write the lectures of 55 minutes there instead")
    arguments = parser.parse_args(argv)
    try:
        return _short(arguments.short) if arguments.short else _renew(arguments.check)
    except OSError as error:
        print(f"{error.filename} cannot be read or written: {error.strerror}.", file=sys.stderr)
        return 2


def _short(folder: Path) -> int:
    for path in write_short(folder):
        print(f"{path} is written.")
    return 0


def _renew(only_check: bool) -> int:
    """Write the guide if it is out of date, or only say so."""
    fresh = guide()
    is_new = not GUIDE.exists() or GUIDE.read_text(encoding="utf-8") != fresh
    if is_new and not only_check:
        GUIDE.write_text(fresh, encoding="utf-8", newline="\n")
    state = (
        ("is out of date: run python -m dpteach guide" if only_check else "is written") if is_new else "is up to date"
    )
    print(f"docs/{GUIDE.name} {state}.")
    return int(is_new and only_check)
