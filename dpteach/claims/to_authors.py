"""The errata of a source, for its authors: what is said, where, what fails with the numbers, and what is right.

As Markdown, with the formulas in TeX, and as a page that can be printed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..table import Table
from . import all_claims
from .entries import RECONSTRUCTED, SOURCES, WRONG, Claim
from .pages import page

if TYPE_CHECKING:
    from .formulas import Formulas

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
    from .formulas import Formulas  # brings Matplotlib, which the Markdown does not need

    formulas, found = Formulas(), errata_of(source)
    paragraphs = "".join(f"<p>{formulas.html(text)}</p>" for text in opening(source, found))
    entries = "".join(_page_of(number, erratum, formulas) for number, erratum in enumerate(found, start=1))
    references = "".join(_reference(claim, formulas) for claim in cited(found))
    entries += f"<section><h2>{REFERRED}</h2>{references}</section>" if references else ""
    body = f'<div class="letter"><h1>{html.escape(title(source))}</h1>{paragraphs}{entries}</div>'
    return page(title(source), body, formulas.drawings())


def _page_of(number: int, erratum: Erratum, formulas: Formulas) -> str:
    claim = erratum.claims[0]
    found = "".join(f"<p>{formulas.html(part)}</p>" for part in claim.note.split("\n\n"))
    told = {
        WHERE: html.escape(erratum.places),
        SAID: f"<p>{formulas.html(claim.statement)}</p>",
        FOUND: found,
        NUMBERS: f'<div class="wide">{erratum.numbers._repr_html_()}</div>',
    }
    entries = "".join(f"<dt>{head}</dt><dd>{text}</dd>" for head, text in told.items())
    return f'<section><h2>{formulas.html(heading(number, erratum))}</h2><dl class="erratum">{entries}</dl></section>'


def _reference(claim: Claim, formulas: Formulas) -> str:
    return f"<p><strong>{claim.id}</strong> ({html.escape(claim.where)}). {formulas.html(claim.statement)}</p>"
