"""Every claim of the sources, checked: `claim(id)` shows one, `ledger()` lists them, `python -m dpteach claims` too."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from .. import checks
from ..table import Table
from .card import Card, Cards, Listing
from .entries import CORRECTED, FALSE, LEDGER, MISPRINT, PROOF_GAP, SOURCES, VERDICTS, Claim, Refuted

__all__ = ["Refuted", "all_claims", "claim", "counts", "errata", "ledger", "main"]

FILES = {  # of every source, in the order of its sections
    "steinke": "basic rare_events advanced",
    "kov": "introduction regions composition closed_forms noise queries",
    "hartmann": "introduction bit_vectors experiment theorem_1 refinement "
    "participation parallel matching uniform_prior theorem_3 corrections",
    "ligett": "notion relation_to_dp properties groups reduction adaptive exponential census big_world traps",
    "guerra": "preliminaries granularities comparisons sensitivity overview derived "
    "independent partitions compatible common_domain bounded adaptive "
    "approximate approximate_composition concentrated gaussian processing counts",
}


def all_claims() -> dict[str, Claim]:
    """Return all claims by id; the files that hold them are read at the first call."""
    for source, names in FILES.items():
        for name in names.split():
            importlib.import_module(f".{source}.{name}", __name__)
    importlib.import_module(".derived", __name__)
    return LEDGER


def claim(id: str) -> Card:
    """Check one claim and show it: statement, verdict, evidence, where to read it, what is right instead."""
    if not checks.is_among(id, all_claims()):
        raise ValueError(_unknown(id))
    return Card(LEDGER[id])


def _unknown(id) -> str:
    word = checks.shorten(id).strip("'\"").lower()
    near = [known for known in LEDGER if word in known.lower()] or list(LEDGER)
    return f"id must be one of the ledger's, such as {', '.join(near[:3])}, not {checks.shorten(id)}"


def ledger(source: str | None = None, verdict: str | None = None) -> Listing:
    """List the claims, all or those of one source ("KOV") or with one verdict ("false")."""
    if source is not None:
        checks.choice("source", source, tuple(SOURCES))
    if verdict is not None:
        checks.choice("verdict", verdict, tuple(VERDICTS))
    chosen = [c for c in all_claims().values() if source in (None, c.source) and verdict in (None, c.verdict.name)]
    return Listing(chosen)


def errata(source: str | None = None, verdict: str | None = None) -> Cards:
    """Show what is wrong in the sources: what they say, a computed counterexample, and what is right."""
    wrong = (FALSE, MISPRINT, CORRECTED, PROOF_GAP)
    chosen = sorted(ledger(source, verdict), key=lambda c: [*wrong, c.verdict].index(c.verdict))
    unique = {c.check: c for c in reversed(chosen) if c.verdict in wrong}  # several ids may share one check
    return Cards(list(reversed(unique.values())))


def main(argv: list[str] | None = None) -> int:
    """List the claims in the terminal, or check them again with --run."""
    parser = argparse.ArgumentParser(prog="python -m dpteach claims", description="List or re-check the claims.")
    parser.add_argument("id", nargs="?", help="show one claim with its evidence")
    parser.add_argument("--source", choices=tuple(SOURCES), type=str.upper)
    parser.add_argument("--verdict", choices=tuple(VERDICTS), type=lambda word: word.lower().replace("_", " "))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--run", action="store_true", help="check every listed claim again")
    arguments = parser.parse_args(argv)
    if arguments.id:
        if arguments.id not in all_claims():
            parser.error(_unknown(arguments.id))
        print(repr(claim(arguments.id)))
        return 0
    listing = ledger(arguments.source, arguments.verdict)
    failures = recheck(listing) if arguments.run else {}
    if arguments.json:
        rows = [{**row, "error": failures.get(row["id"])} if arguments.run else row for row in listing.records()]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print(listing)
        for id, error in failures.items():
            print(f"REFUTED {id}: {error}")
    return 1 if failures else 0


def recheck(listing: Listing) -> dict[str, str]:
    """Run every check once, with a progress bar on the terminal, and return what failed."""
    failures, done = {}, {}
    for i, entry in enumerate(listing, 1):
        if entry.check not in done:
            try:
                done[entry.check] = entry.evidence() and None
            except Exception as error:  # a crash is a failed check as well
                done[entry.check] = f"{type(error).__name__}: {error}"
        if done[entry.check]:
            failures[entry.id] = done[entry.check]
        bar = "#" * (30 * i // len(listing))
        print(f"\r[{bar:<30}] {i}/{len(listing)} {entry.id:<28}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return failures


def counts() -> Table:
    """Count the claims by source and verdict."""
    everything = list(all_claims().values())
    sources = [s for s in SOURCES if any(c.source == s for c in everything)]
    groups = {**{s: [c for c in everything if c.source == s] for s in sources}, "all": everything}
    rows = [
        (s, *(sum(c.verdict.name == v for c in group) for v in VERDICTS), len(group)) for s, group in groups.items()
    ]
    return Table(rows, ["source", *VERDICTS, "total"])
