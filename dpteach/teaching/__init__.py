"""For whoever teaches the course: the guide in docs/teaching.md, the short lectures, and the formula sheet.

    python -m dpteach guide                  writes docs/teaching.md anew
    python -m dpteach guide --check          changes nothing, only says whether it is up to date
    python -m dpteach guide FILE.pdf         prints it (or FILE.html: a page to print)
    python -m dpteach guide --short my       writes the lectures of 55 minutes into the folder my

What is said about questions, parts, explorers and exercises is read from them; the files `lecture_1` to `lecture_5`
hold what only a teacher needs: minutes, proofs for the board, and what to say after a vote.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..tools.notebooks import FOLDER, edition
from .paper import from_markdown, page_of, write
from .short import write_short
from .writing import guide

GUIDE = FOLDER.parent / "docs" / "teaching.md"
NO_KIT = "There is no kit here, only the package dpteach: the lectures are in the kit's own folder."
STYLE = """
@page { size: A4; margin: 16mm 15mm }
body { font: 10pt/1.4 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; margin: 0 auto; max-width: 180mm }
h2[id^="lecture"] { break-before: page }
h2, h3, h4 { break-after: avoid; margin: 1.1em 0 0.4em }
p, ul, ol, table { margin: 0.4em 0 }
li, tr { break-inside: avoid }
table { border-collapse: collapse; font-size: 90% }
th, td { text-align: left; vertical-align: top; padding: 0.6mm 2mm; border-bottom: 0.2mm solid #bbb }
a { color: inherit }
a.anchor-link { display: none }
svg.formula { fill: currentColor; font-size: 112%; overflow: visible }
"""


def main(argv: list[str] | None = None) -> int:
    """Write the guide, or the short lectures."""
    parser = argparse.ArgumentParser(prog="python -m dpteach guide", description="Write the teacher's guide.")
    parser.add_argument("file", nargs="?", type=Path, help="an .html or .pdf to print (docs/teaching.md if none)")
    parser.add_argument("--check", action="store_true", help="change nothing, only say whether it is up to date")
    parser.add_argument("--short", type=Path, metavar="FOLDER", help="write the lectures of 55 minutes there instead")
    arguments = parser.parse_args(argv)
    if not edition():
        print(NO_KIT, file=sys.stderr)
        return 1
    try:
        return _done(arguments)
    except OSError as error:
        print(f"{error.filename} cannot be read or written: {error.strerror}.", file=sys.stderr)
    except ValueError as error:
        print(f"{arguments.file} cannot be written: {error}", file=sys.stderr)
    return 2


def _done(arguments: argparse.Namespace) -> int:
    """Do the one thing that is asked for."""
    if arguments.short:
        return _short(arguments.short)
    if arguments.file:
        write(arguments.file, page_of("Teaching with dpteach", STYLE, from_markdown(guide())))
        print(f"{arguments.file} is written.")
        return 0
    return _renew(arguments.check)


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
