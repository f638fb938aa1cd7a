"""The ledger: every claim of the sources as a function that checks it.

A claim is a function. Its docstring is the statement: the first paragraph says what the source says, the rest what is
wrong with it and what is right. Its body computes the evidence and returns it as a `Table`; it raises `Refuted` if the
evidence does not show what the verdict says.

    @claim("KOV-Thm-3.1", verdict=HOLDS, where="Theorem 3.1", title="Basic composition")
    def basic_composition():
        ...
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..table import Table

Check = Callable[[], Table]
SOURCES = {
    "STK": "Steinke, Composition (blog post)",
    "KOV": "Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy",
    "HBW": "Hartmann, Bindschaedler and West, on the generalized composition experiment",
    "LPR": "Ligett, Peale and Reingold, on bounded-leakage differential privacy",
    "GMPS": "Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe, on granularities",
    "X": "derived for this kit",
}


@dataclass(frozen=True)
class Verdict:
    """What the check found: a word for tables, a phrase for cards, and a colour from the house palette."""

    name: str
    phrase: str
    colour: str


HOLDS = Verdict("holds", "holds", "#009E73")
CORRECTED = Verdict("corrected", "holds with a correction", "#56B4E9")
MISPRINT = Verdict("misprint", "misprinted", "#E69F00")
FALSE = Verdict("false", "false as stated", "#D55E00")
PROOF_GAP = Verdict("proof gap", "true, but the printed proof has a gap", "#CC79A7")
DEFINITION = Verdict("definition", "a definition", "#0072B2")
ASYMPTOTIC = Verdict("asymptotic", "a statement about orders of growth", "#666666")
RECONSTRUCTED = Verdict("reconstruction", "our reconstruction of what the text does not show", "#8C6D31")
WRONG = (FALSE, CORRECTED, PROOF_GAP, MISPRINT)  # what belongs on a list of errata, the gravest first
OUR_OWN = {"X", "Ext"}  # in the id of what the sources do not say
VERDICTS = {v.name: v for v in (HOLDS, CORRECTED, MISPRINT, FALSE, PROOF_GAP, DEFINITION, ASYMPTOTIC, RECONSTRUCTED)}


# What kind of statement a claim is: what its place in the source says, by the first of these words that stands there.
KINDS = {
    "definition": "Definition",
    "theorem": "Theorem|theorem|Lemma|Corollary|Proposition",
    "equation": "[Ee]quation",
    "example": "[Ee]xample",
    "algorithm": "Algorithm",
    "figure": "Figure|Table",
    "remark": "Remark|[Ff]ootnote",
    "proof": "[Pp]roof|Appendix",
    "number": "",  # these three are no words of a place
    "statement": "",
    "our own": "",
}
BESIDE = re.compile(r"\b([Aa]fter|[Bb]efore) .*")  # "After Theorem 3.3" is no theorem


def kind_of(id: str, where: str, verdict: Verdict) -> str:
    """Return the kind of a claim, from its place and, where that tells nothing, from its verdict."""
    if OUR_OWN & set(id.split("-")[:2]):
        return "our own"
    place = BESIDE.sub("", where)
    if re.search(KINDS["proof"], place):
        return "proof"
    found = {match.start(): kind for kind, words in KINDS.items() if words and (match := re.search(words, place))}
    return found[min(found)] if found else "definition" if verdict is DEFINITION else "statement"


class Refuted(AssertionError):
    """The evidence does not show what the ledger says."""


def ensure(condition: object, what: str) -> None:
    """Raise `Refuted` unless the evidence shows it."""
    if not condition:
        raise Refuted(what)


@dataclass(frozen=True)
class Claim:
    """One statement of a source: where it stands, what became of it, and how to check it."""

    id: str
    title: str
    verdict: Verdict
    where: str
    check: Callable[[], Table]
    kind: str = "statement"

    @property
    def source(self) -> str:
        """The source's short name, such as KOV."""
        return self.id.split("-")[0]

    @property
    def statement(self) -> str:
        """What the source says, in our words."""
        return inspect.getdoc(self.check).split("\n\n")[0].replace("\n", " ")

    @property
    def note(self) -> str:
        """What is wrong with it, and what is right; empty if nothing is to be said."""
        return "\n\n".join(part.replace("\n", " ") for part in inspect.getdoc(self.check).split("\n\n")[1:])

    def evidence(self) -> Table:
        """Run the check and return the numbers that it found."""
        return self.check()


LEDGER: dict[str, Claim] = {}


def claim(*ids: str, verdict: Verdict, where: str, title: str, kind: str = "") -> Callable[[Check], Check]:
    """Enter a function into the ledger, under one id or several that it settles together.

    The kind follows from the place; `kind` is for those few of which the place does not tell.
    """

    def enter(check: Check) -> Check:
        for id in ids:
            if id in LEDGER and LEDGER[id].check.__qualname__ != check.__qualname__:
                raise ValueError(f"id must be new to the ledger, not {id!r}")
            LEDGER[id] = Claim(id, title, verdict, where, check, kind or kind_of(id, where, verdict))
        return check

    return enter
