"""The errata of a source, for its authors: what is said, where, what fails with the numbers, and what is right.

As Markdown, with the formulas in TeX, and as a page that can be printed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import NamedTuple

from .. import checks
from ..questions.wording import as_html
from ..table import Table
from . import all_claims
from .entries import RECONSTRUCTED, SOURCES, WRONG, Claim
from .pages import page

PAPERS = tuple(source for source in SOURCES if source != "X")
Setter = Callable[[str], str]
GREETING = (
    "A course was built on this text. For it, every definition, theorem, example, figure and number was read and "
    "checked by a computation: {total} statements, of which {fine} stand as they are printed. Here are the other "
    "{wrong}, the gravest first, each with the computation that shows it. They take nothing away from our debt to the "
    "authors."
)
CAVEAT = (
    "We may have misread a line, copies of a text can lose signs, and a later version may have mended what is listed "
    "here: then we would be glad to hear of it, and to correct our list. All numbers can be computed again: "
    "`python -m dpteach claims ID` runs the check of the entry with that id."
)
NAME = re.compile(rf"(?:{'|'.join(SOURCES)})-[\w.-]*\w")  # of a claim, in a text
REFERRED = "What is referred to"
WHERE, SAID, FOUND, NUMBERS = (
    "Where it stands",
    "What is said, in our words",
    "What fails, and what is right",
    "What was computed",
)


class Erratum(NamedTuple):
    """One entry of the list: the claims that one check settles, and the numbers that it found."""

    claims: list[Claim]
    numbers: Table

    @property
    def places(self) -> str:
        """Where the claims stand, each place once, with their ids."""
        where = "; ".join(dict.fromkeys(claim.where for claim in self.claims))
        return f"{where} ({', '.join(claim.id for claim in self.claims)})"


def errata_of(source: str) -> list[Erratum]:
    """Return the errata of a source, the gravest first, otherwise in the order of the text."""
    wrong = [claim for claim in all_claims().values() if claim.source == source and claim.verdict in WRONG]
    shared: dict[Callable[[], Table], list[Claim]] = {}
    for claim in sorted(wrong, key=lambda claim: WRONG.index(claim.verdict)):
        shared.setdefault(claim.check, []).append(claim)
    return [Erratum(claims, check()) for check, claims in shared.items()]


def cited(found: list[Erratum]) -> list[Claim]:
    """Return the claims that the entries name and that are not among them, so that the list can be read alone."""
    listed = {claim.id for erratum in found for claim in erratum.claims}
    named = {id for erratum in found for id in NAME.findall(erratum.claims[0].note)}
    return [claim for id, claim in all_claims().items() if id in named - listed]


def opening(source: str, found: list[Erratum]) -> list[str]:
    """Return the paragraphs with which the list begins."""
    said = [claim for claim in all_claims().values() if claim.source == source and _was_checked(claim)]
    wrong = sum(len(erratum.claims) for erratum in found)
    return [GREETING.format(total=len(said), fine=len(said) - wrong, wrong=wrong), CAVEAT]


def _was_checked(claim: Claim) -> bool:
    """Say whether a claim is one of the text that was read: not what was added to it, nor a figure rebuilt."""
    return claim.kind != "our own" and claim.verdict is not RECONSTRUCTED


def heading(number: int, erratum: Erratum) -> str:
    """Return the line above an entry: the claim, and what became of it."""
    claim = erratum.claims[0]
    return f"{number}. {claim.title}: {claim.verdict.phrase}"


def title(source: str) -> str:
    """Return the title of the list."""
    return f"Notes on {SOURCES[source]}"


# As Markdown


def markdown(source: str) -> str:
    """Return the errata of a source as Markdown, with the formulas in TeX between dollars."""
    found = errata_of(source)
    parts = [f"# {title(source)}", *opening(source, found)]
    parts += [_markdown_of(number, erratum) for number, erratum in enumerate(found, start=1)]
    references = [f"**{claim.id}** ({claim.where}). {claim.statement}" for claim in cited(found)]
    return "\n\n".join(parts + [f"## {REFERRED}", *references] * bool(references)) + "\n"


def _markdown_of(number: int, erratum: Erratum) -> str:
    claim = erratum.claims[0]
    told = {WHERE: erratum.places, SAID: claim.statement, FOUND: claim.note}
    parts = [f"## {heading(number, erratum)}", *(f"**{head}.** {text}" for head, text in told.items())]
    return "\n\n".join([*parts, f"**{NUMBERS}.**", markdown_table(erratum.numbers)])


def markdown_table(table: Table) -> str:
    """Return a table in the Markdown of most readers."""
    sides = ["--:" if right else ":--" for right in table._right()]
    rows = [table.columns, sides, *table._cells()]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


# As a page


def letter(source: str) -> str:
    """Return the errata of a source as a page for the screen and for paper, which needs no other host."""
    from .formulas import Formulas  # brings Matplotlib, which the rest does not need

    formulas = Formulas()
    body = f'<div class="letter"><h1>{html.escape(title(source))}</h1>{entries(source, formulas.html)}</div>'
    return page(title(source), body, formulas.drawings())


def entries(source: str, setter: Setter, head: str = "h2") -> str:
    """Return the whole list but its title as HTML; `setter` makes HTML of a text with formulas."""
    found = errata_of(source)
    paragraphs = "".join(f"<p>{setter(text)}</p>" for text in opening(source, found))
    listed = "".join(_entry(number, erratum, setter, head) for number, erratum in enumerate(found, start=1))
    references = "".join(
        f"<p><strong>{claim.id}</strong> ({html.escape(claim.where)}). {setter(claim.statement)}</p>"
        for claim in cited(found)
    )
    return paragraphs + listed + (f"<section><{head}>{REFERRED}</{head}>{references}</section>" if references else "")


def _entry(number: int, erratum: Erratum, setter: Setter, head: str) -> str:
    claim = erratum.claims[0]
    told = {
        WHERE: html.escape(erratum.places),
        SAID: f"<p>{setter(claim.statement)}</p>",
        FOUND: "".join(f"<p>{setter(part)}</p>" for part in claim.note.split("\n\n")),
        NUMBERS: f'<div class="wide">{erratum.numbers._repr_html_()}</div>',
    }
    listed = "".join(f"<dt><strong>{what}</strong></dt><dd>{text}</dd>" for what, text in told.items())
    return f'<section><{head}>{setter(heading(number, erratum))}</{head}><dl class="erratum">{listed}</dl></section>'


class ForAuthors:
    """The errata of a source in a notebook; in a terminal they are Markdown."""

    def __init__(self, source: str):
        self.source = checks.choice("source", source, PAPERS)

    def __repr__(self) -> str:
        return markdown(self.source)

    def _repr_html_(self) -> str:
        return f"<h3>{html.escape(title(self.source))}</h3>{entries(self.source, as_html, head='h4')}"
