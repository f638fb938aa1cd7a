"""How claims look: a card for one, a table for many, the same words in a notebook and in a terminal."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..table import Table
from .entries import SOURCES, Claim

if TYPE_CHECKING:
    from .search import Search


class Card:
    """One claim with its evidence, computed when the card is made."""

    def __init__(self, claim: Claim):
        self.claim, self.table = claim, claim.evidence()

    def __repr__(self) -> str:
        c = self.claim
        parts = [f"{c.id}: {c.title}", f"Verdict: {c.verdict.phrase}.", c.statement, c.note, repr(self.table)]
        return "\n\n".join([*(part for part in parts if part), f"Source: {SOURCES[c.source]}, {c.where}."])

    def _repr_html_(self) -> str:
        """The card: a coloured bar and the verdict in words; Jupyter typesets the formulas between dollars."""
        c = self.claim
        badge = f'<strong style="color:{c.verdict.colour}">&#9632;</strong> <strong>{c.verdict.phrase}</strong>'
        note = "".join(f"<p>{html.escape(part)}</p>" for part in c.note.split("\n\n") if part)
        return (
            f'<div style="border-left:6px solid {c.verdict.colour};padding:0.4em 1em;margin:0.5em 0">'
            f"<p><strong>{html.escape(c.title)}</strong> ({html.escape(c.id)}): {badge}</p>"
            f"<p>{html.escape(c.statement)}</p>{note}{self.table._repr_html_()}"
            f"<p><small>{html.escape(SOURCES[c.source])}, {html.escape(c.where)}</small></p></div>"
        )


class LinkedCard(Card):
    """A card that also says where its claim is taught, and which functions of the library are at work in it."""

    def __repr__(self) -> str:
        from .at_work import functions
        from .places import places, somewhere

        taught = "; ".join(place.name for place in places(self.claim)) or somewhere(self.claim)
        return f"{super().__repr__()}\n\nTaught in: {taught}.\nIn the library: {', '.join(functions(self.claim))}."


class Cards:
    """Several cards, one below the other."""

    def __init__(self, claims: list[Claim]):
        self.cards = [Card(claim) for claim in claims]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __repr__(self) -> str:
        return f"\n\n{'-' * 80}\n\n".join(map(repr, self.cards))

    def _repr_html_(self) -> str:
        return "".join(card._repr_html_() for card in self.cards)


def counted(claims: list[Claim]) -> str:
    """Say how many claims there are."""
    return "1 claim" if len(claims) == 1 else f"{len(claims)} claims"


class Listing:
    """A list of claims that shows itself as a table."""

    def __init__(self, claims: list[Claim]):
        self.claims = claims

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def search(self) -> Search:
        """Return the claims with their evidence as one table with filters, for a notebook or a page of its own."""
        from .search import Search

        return Search(self.claims)

    def table(self) -> Table:
        """Return id, title, verdict and place of each claim."""
        rows = [(c.id, c.title, c.verdict.name, c.where) for c in self.claims]
        return Table(rows, ["id", "title", "verdict", "where"])

    def records(self) -> list[dict[str, str]]:
        """Return everything but the evidence, ready for JSON."""
        fields = ("id", "title", "source", "where", "kind", "statement", "note")
        return [{**{name: getattr(c, name) for name in fields}, "verdict": c.verdict.name} for c in self.claims]

    def __repr__(self) -> str:
        return f"{self.table()!r}\n\n{counted(self.claims)}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_() + f"<p>{counted(self.claims)}</p>"
