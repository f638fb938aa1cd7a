"""Pages that stand alone: no kernel, no other host, formulas drawn; for a screen, light or dark, and for paper."""

from __future__ import annotations

import html
from pathlib import Path

STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def page(title: str, body: str, drawings: str = "") -> str:
    """Return a whole page."""
    return (
        '<!doctype html>\n<html lang="en-GB"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body>{drawings}<main>{body}</main></body></html>\n"
    )
