"""The pages: notebooks, and texts in Markdown, in one frame."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import Any

import jinja2
import nbformat
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown import markdown2html_mistune

from .. import __version__
from ..questions import texts
from .answers import page_data
from .cells import Part, part_of
from .links import relinked

TEMPLATES = Path(__file__).parent / "templates"
MENU = {
    "index.html": "start",
    "lectures.html": "lectures",
    "explorers.html": "explorers",
    "exercises.html": "exercises",
    "ledger.html": "claims",
    "teaching.html": "teaching",
    "house.html": "library",
}
HEADING = re.compile(r'<h([1-3]) id="([^"]*)">(.*?)</h\1>', re.S)
ANCHOR = re.compile(r'<a class="anchor-link".*?</a>', re.S)  # a sign after each heading that leads to itself
TAG = re.compile(r"<[^>]+>")


@dataclass
class Page:
    """What a page is made of."""

    title: str
    body: str
    place: str  # where it stands in the site
    kind: str = "text"
    description: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    contents: bool = True

    def html(self) -> str:
        """Return the page as a file."""
        root = "../" * self.place.count("/")
        found = headings(self.body) if self.contents else []
        return environment().get_template("page.html.j2").render(
            title=escape(self.title),
            description=escape(self.description or self.title),
            body=self.body,
            root=root or "./",
            here=self.place,
            kind=self.kind,
            menu=MENU.items(),
            contents=found if len(found) > 2 else [],
            buttons=self.buttons,
            data=packed(self.data) if self.data else "",
            styles=["explorer.css", "question.css"],
            version=__version__,
            formulas="$" in self.body or "$" in json.dumps(self.data),
        )  # fmt: skip


def environment() -> jinja2.Environment:
    """Return where the frame of the pages is found."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=False, undefined=jinja2.StrictUndefined
    )


def packed(data: dict[str, Any]) -> str:
    """Return data for the page's script; packed, so that no answer to a question stands in the page's text."""
    return base64.b64encode(json.dumps(data).encode()).decode()


def headings(body: str) -> list[tuple[int, str, str]]:
    """Return level, anchor and words of each heading."""
    return [(int(level), anchor, TAG.sub("", words).strip()) for level, anchor, words in HEADING.findall(body)]


# ------------------------------------------------------------------------------------------------------- notebooks


class Exporter(HTMLExporter):
    """nbconvert with our own template: code folded away, pictures with their words, questions without answers."""

    def __init__(self, **options):
        super().__init__(extra_template_basedirs=[str(TEMPLATES)], template_name="dpteach", **options)


def notebook_page(path: Path, place: str, python: dict[str, Any], buttons: Iterable[tuple[str, str]] = ()) -> Page:
    """Return the page of a notebook."""
    notebook = nbformat.read(path, as_version=4)
    parts = [part_of(cell) for cell in notebook.cells]
    data = live_data(parts) | {"python": python}
    body, _ = Exporter().from_notebook_node(notebook, resources={"parts": [told(part) for part in parts]})
    title = notebook.metadata.get("title", path.stem)
    body = relinked(ANCHOR.sub("", body), path, place)
    return Page(title, body, place, "notebook", data=data, buttons=list(buttons))


def told(part: Part) -> dict[str, Any]:
    """Return what the template may know of a cell."""
    known = dict(kind=part.kind, name=part.name, after=part.after, hidden=part.hidden, slide=part.slide)
    if part.kind == "question":
        known["asked"] = part.asked
    if part.explorer is not None:
        picture = base64.b64encode(part.explorer.png()).decode()
        known |= dict(settings=part.settings, state=state_name(part), text=part.explorer.text)
        known |= dict(question=part.explorer.question, picture=f"data:image/png;base64,{picture}")
    return known


def live_data(parts: list[Part]) -> dict[str, Any]:
    """Return what the page's script needs: questions with all they will say, explorers with what they show at first."""
    asked = {part.name: page_data(texts()[part.name]) for part in parts if part.kind == "question"}
    explorers = {state_name(part): part.explorer.state() for part in parts if part.explorer is not None}
    return dict(questions=asked, explorers=explorers)


def state_name(part: Part) -> str:
    """Return a name for an explorer at its settings."""
    return f"{part.name} {json.dumps(part.settings, sort_keys=True)}"


# ----------------------------------------------------------------------------------------------------------- texts


def text_page(path: Path, place: str, **more: Any) -> Page:
    """Return the page of a text in Markdown."""
    body = markdown2html_mistune(path.read_text(encoding="utf-8"))
    body = HEADING.sub(_with_plain_anchor, relinked(ANCHOR.sub("", body), path, place))
    body = body.replace("<pre>", '<pre tabindex="0">')  # whoever has no mouse scrolls by keys
    title = unescape(headings(body)[0][2]) if headings(body) else path.stem
    return Page(title, f'<div class="words">{body}</div>', place, **more)


def _with_plain_anchor(heading: re.Match) -> str:
    """Give a heading the anchor that links in texts expect: small letters, hyphens for spaces, no other signs."""
    level, _, words = heading.groups()
    plain = re.sub(r"[^\w\s-]", "", unescape(TAG.sub("", words))).strip().lower()
    return f'<h{level} id="{plain.replace(" ", "-")}">{words}</h{level}>'
