"""The pages that lead to all others: the front page, the lectures, the exercises, the claims, the library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import nbformat

from .. import explore
from ..claims import ledger
from ..claims.entries import SOURCES
from ..claims.formulas import Formulas
from ..claims.search import STILL_PAGE, Search, page_link
from ..claims.to_authors import letter
from ..teaching.sheet import sheet
from ..tools.copies import originals
from .cells import Part
from .deck import decks
from .links import LITE
from .pages import Page, live_data, state_name, told
from .parts import KIT

NOTEBOOKS = KIT / "notebooks"
FIRST = ("BudgetRace", "the textbook mistake")  # what a visitor plays with at once
BUTTONS = {  # what stands above a text
    "teaching.html": [("formulas.html", "Formula sheet"), ("grading.html", "Marking the exercises")],
    "house.html": [
        ("api/dpteach.html", "All functions"),
        ("accountants.html", "For people who write accountants"),
        ("numerics.html", "Where the error bounds come from"),
    ],
}
CARDS = {  # heading: words, where to, how that is called
    "Five lectures": (
        "One story and five ideas each, with questions that are asked before they are answered, and a companion that "
        "follows the paper.",
        "lectures.html",
        "To the lectures",
    ),
    "Exercises that answer at once": (
        "Fifty tasks that say what is right, what is not, and why, in your browser.",
        "exercises.html",
        "To the exercises",
    ),
    "Claims, checked": (
        "Every statement of the five sources, with its verdict: misprinted and false ones come with a computed "
        "counterexample and the corrected statement.",
        "ledger.html",
        "To the claims",
    ),
    "For teachers": (
        "Five ideas a lecture, minutes, proofs for the board, and what each wrong answer shows.",
        "teaching.html",
        "To the guide",
    ),
}
LEAD = (
    "dpteach teaches composition in differential privacy: lectures, explorers and exercises, with every number "
    "checked. Nothing to install: this page computes in your browser. Move a slider."
)
LEDGER = (
    "{} claims of five texts on composition in differential privacy: what they say, in our words, what became of it, "
    "and the numbers that show it. An id opens its card."
)
ABOUT = "Lectures, live explorers and exercises on composition in differential privacy, every number checked"
HOW_TO_HAND_IN = (
    "Each opens in your browser, with Python inside; a check under every task says at once what is right, what is not, "
    "and why. What you write stays in this browser, on this machine. To hand it in, choose <em>File → Download</em> "
    "and give the file to your teacher: some checks are made only there."
)


def pages(python: dict[str, Any]) -> Iterator[Page]:
    """Return the pages that lead to all others."""
    yield front_page(python)
    yield lectures_page()
    yield exercises_page()
    yield ledger_page()
    yield explorers_page(python)


def sheets() -> dict[str, str]:
    """Return the pages that are made to be printed, with a frame of their own: formula sheet and errata."""
    return {"formulas.html": sheet()} | {f"errata/{source}.html": letter(source) for source in SOURCES}


def front_page(python: dict[str, Any]) -> Page:
    """Return the page that says in one screen what this is, with an explorer to play with."""
    part = explorer(*FIRST)
    cards = "".join(card(head, *rest) for head, rest in CARDS.items())
    body = f"""<h1>What do many private answers cost together?</h1><p class="lead">{LEAD}</p>
{explorer_html(part)}<ul class="cards">{cards}</ul>"""
    data = live_data([part]) | {"python": python}
    return Page("Composition in differential privacy", body, "index.html", "front", ABOUT, data, contents=False)


def explorers_page(python: dict[str, Any]) -> Page:
    """Return all explorers, one below the other, for whoever looks for the right picture."""
    parts = [explorer(name) for name in explore.__all__ if name != "Explorer"]
    pieces = [f'<h2 id="{part.name}">{words(part.name)}</h2>{explorer_html(part)}' for part in parts]
    data = live_data(parts) | {"python": python}
    return Page("All explorers", f"<h1>All explorers</h1>{''.join(pieces)}", "explorers.html", "explorers", "", data)


def explorer(name: str, *preset: str) -> Part:
    """Return an explorer as it is at first, or at a preset."""
    made = getattr(explore, name)(*preset)
    return Part("explorer", name=name, settings=made.settings, explorer=made)


def words(name: str) -> str:
    """Return the name of a class as words: BudgetRace, Budget race."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda letter: f" {letter[0].lower()}", name)


def card(head: str, words: str, place: str, link: str) -> str:
    """Return a box that leads somewhere."""
    return f'<li><h2>{head}</h2><p>{words}</p><p><a href="{place}">{link}</a></p></li>'


def ledger_page() -> Page:
    """Return all claims in one table that can be searched."""
    formulas = Formulas()
    found = Search(list(ledger()))
    table = found.html(formulas.html, partial(page_link, folder="lectures"), STILL_PAGE)
    letters = "".join(f'<li><a href="errata/{source}.html">{escape(SOURCES[source])}</a></li>' for source in SOURCES)
    body = f"""<h1>Every claim, checked</h1><p>{LEDGER.format(len(found.claims))}</p>{formulas.drawings()}{table}
<h2 id="errata">Errata, for the authors</h2><ul>{letters}</ul>"""
    return Page("Every claim, checked", body, "ledger.html", "ledger", contents=False)


def explorer_html(part: Part) -> str:
    """Return an explorer outside a notebook, as the notebooks' template shows it."""
    known = told(part)
    settings = escape(json.dumps(known["settings"]), quote=True)
    return (
        f'<div class="explorer" data-explorer="{known["name"]}" data-state="{escape(state_name(part), quote=True)}" '
        f'data-settings="{settings}"><figure class="still"><p class="still-question">{escape(known["question"])}</p>'
        f'<img src="{known["picture"]}" alt="{escape(known["text"], quote=True)}"></figure></div>'
    )


def lectures_page() -> Page:
    """Return the list of all notebooks."""
    items = []
    for path in sorted(NOTEBOOKS.glob("0*.ipynb")):
        if path.stem.endswith("_paper"):
            continue
        title, lead = introduction(path)
        companion = path.with_stem(f"{path.stem}_paper")
        links = [f'<a href="lectures/{path.stem}.html">read</a>', f'<a href="{LITE}{path.name}">run</a>']
        if path in decks():
            links.append(f'<a href="decks/{path.stem}.html">slides</a>')
        if companion.exists():
            links.append(f'<a href="lectures/{companion.stem}.html">companion: the paper in its own order</a>')
        items.append(f"<li><h2>{escape(title)}</h2><p>{escape(lead)}</p><p>{' · '.join(links)}</p></li>")
    body = f'<h1>Lectures</h1><ul class="cards">{"".join(items)}</ul>'
    return Page("Lectures", body, "lectures.html", contents=False)


def introduction(path: Path) -> tuple[str, str]:
    """Return title and first sentences of a notebook."""
    first = nbformat.read(path, as_version=4).cells[0].source
    title, _, rest = first.removeprefix("# ").partition("\n")
    paragraph = next((part for part in rest.strip().split("\n\n") if part and not part.startswith(("|", "!", "<"))), "")
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)|[*`$\\]", r"\1", paragraph)
    return title, " ".join(plain.split())


def exercises_page() -> Page:
    """Return the list of exercises: they run in the browser, and the notebook that is downloaded can be handed in."""
    found = [(name, path) for name, path in originals().items() if name.startswith("exercises/")]
    items = "".join(exercise(name, path) for name, path in found if name.endswith(".ipynb"))
    body = f'<h1>Exercises</h1><div class="words"><p>{HOW_TO_HAND_IN}</p></div><ul class="cards">{items}</ul>'
    return Page("Exercises", body, "exercises.html", contents=False)


def exercise(name: str, path: Path) -> str:
    """Return the box of one exercise."""
    title, _ = introduction(path)
    return f'<li><h2>{escape(title)}</h2><p><a class="button" href="{LITE}{name}">Work on it</a></p></li>'
