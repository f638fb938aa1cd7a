"""The ledger as one table with filters, which needs neither a kernel nor, to be read, its script.

In a notebook the formulas stay in dollars, for MathJax; on a page of its own they are drawn, and nothing is fetched.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from ..questions.wording import as_html
from ..table import Table
from .at_work import functions
from .card import counted
from .entries import SOURCES, Claim
from .pages import page
from .places import Place, lectures, places, somewhere
from .words import words_of

HERE = Path(__file__).parent
SCRIPT, STYLE = (HERE.joinpath(f"ledger.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
STILL = (
    "To search and filter, run the notebook. All claims are here without that, too, and every line “Evidence” opens."
)
STILL_PAGE = "Without scripts there are no filters, but every claim is here, and every line “Evidence” opens."
ABOUT = (
    "{} of five texts on composition in differential privacy: what they say, in our words, what became of it, "
    "and the numbers that show it. An id opens its card."
)
LEFT = 'style="text-align:left"'  # JupyterLab puts cells right, and takes style sheets out of what it does not trust
Setter = Callable[[str], str]  # makes HTML of a text with formulas


def notebook_link(place: Place) -> str:
    """Refer to a section of a notebook that lies beside this one."""
    return f'<a href="{html.escape(place.address(".ipynb"))}">{html.escape(place.name)}</a>'


def page_link(place: Place, folder: str | None) -> str:
    """Refer to a section of a lecture's page in a folder; where there is no such folder, by its name."""
    name = html.escape(place.name)
    address = html.escape(f"{folder}/{place.address('.html')}")
    return f'<a href="{address}">{name}</a>' if folder else name


@cache
def evidence_of(check: Callable[[], Table]) -> Table:
    """Run a check, once for all the tables that hold it."""
    return check()


class Search:
    """Claims with their evidence, as a table that can be searched; in a terminal, as a list."""

    def __init__(self, claims: list[Claim]):
        self.claims = claims
        self.evidence = {claim.check: evidence_of(claim.check) for claim in claims}  # several ids may share one

    def __repr__(self) -> str:
        rows = [(c.id, c.title, c.verdict.name, c.kind, c.where) for c in self.claims]
        return f"{Table(rows, ['id', 'title', 'verdict', 'kind', 'where'])!r}\n\n{counted(self.claims)}"

    def _repr_html_(self) -> str:
        return self.html(as_html, notebook_link)

    def page(self, lectures_at: str | None = None) -> str:
        """Return a page that stands alone; its links lead to the lectures' pages, if it is told where they are."""
        from .formulas import Formulas  # Matplotlib is slow to load

        formulas = Formulas()
        table = self.html(formulas.html, partial(page_link, folder=lectures_at), STILL_PAGE)
        body = f"<h1>The ledger: every claim, checked</h1><p>{ABOUT.format(counted(self.claims))}</p>{table}"
        return page("The ledger of claims", body, formulas.drawings())

    def html(self, setter: Setter, link: Callable[[Place], str], still: str = STILL) -> str:
        """Return the table with its style and script; `link` says how a section of a lecture is referred to."""
        titles = html.escape(json.dumps({name: SOURCES[name].split(",")[0] for name in SOURCES}))
        heads = "".join(f'<th scope="col" {LEFT}>{head}</th>' for head in ("id and place", "claim", "verdict"))
        bodies = "".join(self._claim(claim, setter, link) for claim in self.claims)
        return (
            f'<div class="dpteach-ledger" data-titles="{titles}">'
            f'<style>{STYLE}</style><p class="dpteach-still"><em>{still}</em></p>'
            f'<table class="dpteach-claims" aria-label="The claims"><thead><tr>{heads}</tr></thead>{bodies}</table>'
            f"<script>{SCRIPT}</script></div>"
        )

    def _claim(self, claim: Claim, setter: Setter, link: Callable[[Place], str]) -> str:
        kept = dict(source=claim.source, verdict=claim.verdict.name, kind=claim.kind, words=words_of(claim))
        kept["lecture"] = "|".join(map(str, lectures(claim)))
        data = " ".join(f'data-{name}="{html.escape(value)}"' for name, value in kept.items())
        note = "".join(f"<p>{setter(part)}</p>" for part in claim.note.split("\n\n") if part)
        square = f'<span aria-hidden="true" style="color:{claim.verdict.colour}">&#9632;</span>'
        return (
            f'\n<tbody id="claim-{claim.id}" {data}><tr>\n'
            f'<th scope="row" {LEFT}><span class="dpteach-id">{claim.id}</span>'
            f'<div class="dpteach-small">{html.escape(claim.where)}<br>{claim.kind}</div></th>'
            f"\n<td {LEFT}><p><strong>{setter(claim.title)}</strong></p><p>{setter(claim.statement)}</p></td>\n"
            f"<td {LEFT}><p>{square} <strong>{claim.verdict.phrase}</strong></p>{note}</td></tr>\n"
            f"{self._card(claim, link)}</tbody>"
        )

    def _card(self, claim: Claim, link: Callable[[Place], str]) -> str:
        """Return the row that opens below a claim: its evidence, where it is taught, and what computes it."""
        taught = "; ".join(map(link, places(claim))) or somewhere(claim)
        called = ", ".join(f"<code>{name}</code>" for name in functions(claim))
        return (
            f'<tr class="dpteach-card" id="card-{claim.id}"><td colspan="3" {LEFT}>'
            f'<details style="--tone:{claim.verdict.colour}"><summary>Evidence for {claim.id}</summary>\n'
            f'<div class="dpteach-wide">{self.evidence[claim.check]._repr_html_()}</div>\n'
            f'<p class="dpteach-small">Taught in: {taught}.<br>In the library: {called}.<br>'
            f"Source: {html.escape(SOURCES[claim.source])}, {html.escape(claim.where)}.</p></details></td></tr>"
        )
