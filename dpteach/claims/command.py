"""`python -m dpteach claims`: list, search, show and re-check the claims, and write the errata of a source."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from . import LECTURES, Listing, all_claims, ledger, unknown
from .card import LinkedCard
from .entries import KINDS, SOURCES, VERDICTS
from .to_authors import PAPERS, letter, markdown

DESCRIPTION = "List, search or re-check the claims of the sources; with an id, show one with its evidence."


def main(argv: list[str] | None = None) -> int:
    """Do what the command line asks for; return 1 if a check has failed."""
    parser = made_parser()
    asked = parser.parse_args(argv)
    if asked.id:
        return show_one(asked.id, parser)
    if asked.errata:
        return write((letter if asked.html else markdown)(asked.errata), asked.html, parser)
    listing = ledger(asked.source, asked.verdict, asked.kind, asked.lecture, " ".join(asked.words or ()))
    if asked.html:
        return write(listing.search().page(asked.lectures_at), asked.html, parser)
    return show_list(listing, asked.json, asked.run)


def made_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m dpteach claims", description=DESCRIPTION)
    parser.add_argument("id", nargs="?", help="show one claim with its evidence")
    parser.add_argument("--words", nargs="+", help="only claims with all these words in id, title, claim or correction")
    parser.add_argument("--source", choices=tuple(SOURCES), type=str.upper)
    parser.add_argument("--verdict", choices=tuple(VERDICTS), type=_spaced)
    parser.add_argument("--kind", choices=tuple(KINDS), type=_spaced)
    parser.add_argument("--lecture", choices=LECTURES, type=int, help="only claims of a lecture and its companion")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--run", action="store_true", help="check every listed claim again")
    parser.add_argument("--errata", choices=PAPERS, type=str.upper, help="print a source's errata as Markdown")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page: the claims, searchable, or the errata")
    parser.add_argument("--lectures-at", metavar="ADDRESS", help="of the lectures' pages, to which that page may link")
    return parser


def _spaced(word: str) -> str:
    return word.lower().replace("_", " ").replace("-", " ")


def show_one(id: str, parser: argparse.ArgumentParser) -> int:
    """Print the card of a claim."""
    if id not in all_claims():
        parser.error(unknown(id))
    print(LinkedCard(all_claims()[id]))
    return 0


def write(text: str, path: Path | None, parser: argparse.ArgumentParser) -> int:
    """Write a page, or print a text."""
    if path is None:
        print(text, end="")
        return 0
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        parser.error(f"{path} cannot be written: {error.strerror}")
    print(f"Written: {path}")
    return 0


def show_list(listing: Listing, as_json: bool, run: bool) -> int:
    """Print the claims, checked again if that is asked for."""
    failures = recheck(listing) if run else {}
    if as_json:
        rows = [{**row, "error": failures.get(row["id"])} if run else row for row in listing.records()]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print(listing)
        for id, error in failures.items():
            print(f"REFUTED {id}: {error}")
    return 1 if failures else 0


def recheck(listing: Listing) -> dict[str, str]:
    """Run every check once, with a progress bar on the terminal, and return what failed."""
    failures: dict[str, str] = {}
    done: dict[Callable, str] = {}  # what went wrong with a check, empty if nothing did
    for i, entry in enumerate(listing, 1):
        if entry.check not in done:
            try:
                entry.evidence()
                done[entry.check] = ""
            except Exception as error:  # a crash is a failed check as well
                done[entry.check] = f"{type(error).__name__}: {error}"
        if done[entry.check]:
            failures[entry.id] = done[entry.check]
        bar = "#" * (30 * i // len(listing))
        print(f"\r[{bar:<30}] {i}/{len(listing)} {entry.id:<28}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return failures
