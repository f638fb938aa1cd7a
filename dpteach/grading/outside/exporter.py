"""How marked notebooks become pages: whatever is in them, only listed tags and attributes come out.

What students wrote is plain already (`harmless`). This is the second wall, for notebooks that were marked before, or by
something else.
"""

from __future__ import annotations

import re
from html import escape

import bleach
from bleach.css_sanitizer import CSSSanitizer
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from .harmless import plain_pictures

TAGS = (
    "a blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr img input li ol p pre span strong sub "
    "summary sup table tbody td th thead tr ul"
).split()
PICTURE = re.compile(r"data:image/(png|jpeg);base64,|(?!.*\.\.)\w[\w./-]*\.(png|jpe?g|gif)$", re.ASCII)
OTHER_ATTRIBUTES = {
    "details": ("open",), "img": ("alt", "title"), "input": ("checked", "disabled"), "ol": ("start",),
    "td": ("style",), "th": ("style",),
}  # fmt: skip
STYLES = CSSSanitizer(allowed_css_properties=["text-align"])
FORMULA = "formula"
CLASSES = re.compile(rf"{FORMULA}|highlight|language-[\w-]+|\w{{1,3}}", re.ASCII)  # the last are those of coloured code


class Renderer(IPythonRenderer):
    """Markdown as nbconvert shows it, with formulas marked: whoever typesets them need not search for them."""

    def block_math(self, body: str) -> str:
        """Mark a formula on lines of its own."""
        return f'<span class="{FORMULA}">$${self.escape_html(body)}$$</span>'

    def inline_math(self, body: str) -> str:
        """Mark a formula within a line."""
        return f'<span class="{FORMULA}">${self.escape_html(body)}$</span>'

    def latex_environment(self, name: str, body: str) -> str:
        """Mark a formula in a LaTeX environment."""
        return f'<span class="{FORMULA}">{super().latex_environment(name, body)}</span>'


def rendered(markdown: str, attachments=None) -> str:
    """Return Markdown as HTML of which only what is listed is left; what cannot be shown is shown as it was typed."""
    renderer = Renderer(escape=False, attachments=plain_pictures(attachments), exclude_anchor_links=True)
    try:
        html = MarkdownWithMath(renderer=renderer).render(markdown)
        return bleach.clean(html, TAGS, allowed, ["http", "https", "data"], css_sanitizer=STYLES)
    except Exception:  # a missing picture, thousands of brackets: one cell must not cost the whole page
        return f"<pre>{escape(markdown)}</pre>"


def allowed(tag: str, attribute: str, value: str) -> bool:
    """Say whether an attribute may stay."""
    if attribute == "class":
        return CLASSES.fullmatch(value) is not None
    if attribute == "src":
        return tag == "img" and PICTURE.match(value) is not None
    if attribute == "href":
        return value.startswith(("http://", "https://"))
    if attribute == "type":
        return value == "checkbox"
    return attribute in OTHER_ATTRIBUTES.get(tag, ())


class PlainExporter(HTMLExporter):
    """nbconvert's exporter for pages, with a list of what may be in them."""

    def __init__(self, **options):
        super().__init__(**options)
        self.sanitize_html = True  # what cells displayed, too

    @pass_context
    def markdown2html(self, context, source: str) -> str:
        """Return a cell's Markdown as HTML."""
        return rendered(source, context.get("cell", {}).get("attachments"))
