"""Pages for paper: how the guide and the formula sheet are set, and how a browser prints them."""

from __future__ import annotations

import html
import re
import tempfile
from pathlib import Path

from ..tools.browser import print_page
from ..tools.typeset import FORMULA, drawing

PAPERS = {"a4": "A4", "letter": "letter"}
HEADING = re.compile(r'<(?P<rank>h\d) id="[^"]*">(?P<words>.*?)<a class="anchor-link".*?</a>')
COMMENT = re.compile(r"<!--.*?-->\s*", re.S)


def write(file: Path, page: str) -> None:
    """Write a page as HTML, or print it into a PDF: what the file's name ends in decides."""
    if file.suffix not in (".html", ".pdf"):
        raise ValueError(f"file must end in .html or .pdf, not in {file.suffix!r}")
    if file.suffix == ".html":
        file.write_text(page, encoding="utf-8", newline="\n")
    else:
        _print(file, page)


def _print(file: Path, page: str) -> None:
    """Let a browser print a page."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        print_page(source.as_uri(), file)


def page_of(title: str, style: str, body: str) -> str:
    """Return a whole page."""
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{style}</style>'
    return f'<!DOCTYPE html>\n<html lang="en-GB"><head>{head}</head><body><main>\n{body}\n</main></body></html>\n'


def from_markdown(text: str) -> str:
    """Return Markdown as HTML with drawn formulas."""
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    made = HEADING.sub(_linked, markdown2html_mistune(COMMENT.sub("", text)))
    return FORMULA.sub(lambda found: drawing(html.unescape(found[1])), made)


def _linked(heading: re.Match) -> str:
    """Give a heading the name that the links of the guide have for it."""
    return f'<{heading["rank"]} id="{anchor(html.unescape(heading["words"]))}">{heading["words"]}'


def anchor(heading: str) -> str:
    """Return the name under which Markdown's readers find a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
