"""Every claim of the sources, checked: `claim(id)` shows one, `ledger()` lists them, `python -m dpteach claims` too."""

from __future__ import annotations

import importlib

from .. import checks
from ..table import Table
from .card import Card, Cards, Listing
from .entries import CORRECTED, FALSE, KINDS, LEDGER, MISPRINT, PROOF_GAP, SOURCES, VERDICTS, Claim, Refuted

__all__ = ["Refuted", "all_claims", "claim", "counts", "errata", "ledger"]

LECTURES = range(1, 6)

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
        raise ValueError(unknown(id))
    return Card(LEDGER[id])


def unknown(id: object) -> str:
    """Say that there is no such claim, and which ones there are."""
    word = checks.shorten(id).strip("'\"").lower()
    near = [known for known in LEDGER if word in known.lower()] or list(LEDGER)
    return f"id must be one of the ledger's, such as {', '.join(near[:3])}, not {checks.shorten(id)}"


def ledger(
    source: str | None = None,
    verdict: str | None = None,
    kind: str | None = None,
    lecture: int | None = None,
    words: str = "",
) -> Listing:
    """List the claims: all, or those of one source ("KOV"), verdict ("false"), kind or lecture, with some words."""
    known = {"source": (source, tuple(SOURCES)), "verdict": (verdict, tuple(VERDICTS)), "kind": (kind, tuple(KINDS))}
    for name, (value, allowed) in known.items():
        if value is not None:
            checks.choice(name, value, allowed)
    if lecture is not None and not (checks.is_number(lecture) and lecture in LECTURES):
        raise ValueError(f"lecture must be a number from 1 to 5, not {checks.shorten(lecture)}")
    checks.text("words", words)
    return Listing([c for c in all_claims().values() if _fits(c, source, verdict, kind, lecture, words)])


def _fits(claim: Claim, source, verdict, kind, lecture, words: str) -> bool:
    """Say whether a claim has what is asked for; what is None is not asked for."""
    from .places import lectures
    from .words import words_of

    same = source in (None, claim.source) and verdict in (None, claim.verdict.name) and kind in (None, claim.kind)
    if not same or (lecture is not None and lecture not in lectures(claim)):
        return False
    return not words or all(word in words_of(claim) for word in words.lower().split())


def errata(source: str | None = None, verdict: str | None = None) -> Cards:
    """Show what is wrong in the sources: what they say, a computed counterexample, and what is right."""
    wrong = (FALSE, MISPRINT, CORRECTED, PROOF_GAP)
    chosen = sorted(ledger(source=source, verdict=verdict), key=lambda c: [*wrong, c.verdict].index(c.verdict))
    unique = {c.check: c for c in reversed(chosen) if c.verdict in wrong}  # several ids may share one check
    return Cards(list(reversed(unique.values())))


def counts() -> Table:
    """Count the claims by source and verdict."""
    everything = list(all_claims().values())
    sources = [s for s in SOURCES if any(c.source == s for c in everything)]
    groups = {**{s: [c for c in everything if c.source == s] for s in sources}, "all": everything}
    rows = [
        (s, *(sum(c.verdict.name == v for c in group) for v in VERDICTS), len(group)) for s, group in groups.items()
    ]
    return Table(rows, ["source", *VERDICTS, "total"])
