"""Where a file of the kit stands in the site, so that links in notebooks and texts lead to pages."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..tools.copies import originals
from .parts import KIT

HREF = re.compile(r'<a ([^>]*)href="(?!https?:|mailto:|data:|#)([^"#]*)(#[^"]*)?"([^>]*)>(.*?)</a>', re.S)
TEXTS = {
    "README.md": "index.html",
    "docs/teaching.md": "teaching.html",
    "docs/accountants.md": "accountants.html",
    "docs/formulas.html": "formulas.html",
    "exercises/red_team.md": "red_team.html",
    "exercises/README.md": "grading.html",
    "dpteach/README.md": "house.html",
    "dpteach/numerics/README.md": "numerics.html",
}
LITE = "lite/notebooks/index.html?path="


def place_of(path: Path) -> str | None:
    """Return the place of a file in the site, None if it has none."""
    for name, original in originals().items():
        if path == original:
            return f"{LITE}{name}" if name.startswith("exercises/") else f"lectures/{path.stem}.html"
    return TEXTS.get(path.relative_to(KIT).as_posix()) if path.is_relative_to(KIT) else None


def relinked(html: str, source: Path, place: str) -> str:
    """Let the relative links of a file lead to pages; of a link to something outside the site, leave the words."""
    root = "../" * place.count("/")

    def moved(link: re.Match) -> str:
        before, address, anchor, after, words = link.groups()
        target = place_of(Path(os.path.normpath(source.parent / address)))
        if target is None:
            return words
        return f'<a {before}href="{root}{target}{anchor or ""}"{after}>{words}</a>'

    return HREF.sub(moved, html)
