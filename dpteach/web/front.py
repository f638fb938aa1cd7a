"""The pages that lead to all others: the front page, the lectures, the exercises, the claims, the library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import nbformat

from .. import explore
from ..claims import ledger
from ..tools.copies import originals
from .cells import Part
from .pages import Page, live_data, state_name, told
from .parts import KIT

NOTEBOOKS = KIT / "notebooks"
FIRST = ("BudgetRace", "the textbook mistake")  # what a visitor plays with at once
LITE = "lite/notebooks/index.html?path="
FACTS = """
<ul class="cards">
<li><h2>Five lectures</h2><p>One story and five ideas each, with eight questions that are asked before they are answered,
and a companion that follows the paper.</p><p><a href="lectures.html">To the lectures</a></p></li>
<li><h2>Exercises that answer at once</h2><p>Fifty tasks that say what is right, what is not, and why, in your browser.</p>
<p><a href="exercises.html">To the exercises</a></p></li>
<li><h2>{number} claims, checked</h2><p>Every statement of the five sources, with its verdict: misprinted and false ones
come with a computed counterexample and the corrected statement.</p><p><a href="ledger.html">To the claims</a></p></li>
<li><h2>For teachers</h2><p>Five ideas a lecture, minutes, proofs for the board, what each wrong answer shows.</p>
<p><a href="teaching.html">To the guide</a></p></li>
</ul>
"""


def pages(python: dict[str, Any]) -> Iterator[Page]:
    """Return the pages that lead to all others."""
    yield front_page(python)
    yield lectures_page()
    yield exercises_page()


def front_page(python: dict[str, Any]) -> Page:
    """Return the page that says in one screen what this is, with an explorer to play with."""
    name, preset = FIRST
    made = getattr(explore, name)(preset)
    part = Part("explorer", name=name, settings=made.settings, explorer=made)
    body = f"""<h1>What do many private answers cost together?</h1>
<p class="lead">dpteach teaches composition in differential privacy: lectures, explorers and exercises, with every number
checked. Nothing to install: this page computes in your browser. Move a slider.</p>
{explorer_html(part)}
{FACTS.format(number=len(ledger()))}"""
    data = live_data([part]) | {"python": python}
    about = "Composition in differential privacy: lectures, live explorers and exercises in the browser, every number checked"
    return Page("Composition in differential privacy", body, "index.html", "front", about, data, contents=False)


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
    items = []
    for name, path in originals().items():
        if name.startswith("exercises/") and name.endswith(".ipynb"):
            title, _ = introduction(path)
            items.append(
                f'<li><h2>{escape(title)}</h2><p><a class="button" href="{LITE}{name}">Work on it</a></p></li>'
            )
    body = f"""<h1>Exercises</h1>
<div class="words"><p>Each opens in your browser, with Python inside; a check under every task says at once what is right,
what is not, and why. What you write stays in this browser, on this machine. To hand it in, choose <em>File → Download</em>
and give the file to your teacher: some checks are made only there.</p></div><ul class="cards">{"".join(items)}</ul>"""
    return Page("Exercises", body, "exercises.html", contents=False)
