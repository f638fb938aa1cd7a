"""The slides of a lecture: one HTML file from its notebook, for the site, for `present` and for `handout`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import nbformat

from ..teaching.short import lectures
from ..teaching.writing import plan_of
from .cells import part_of
from .drawings import redraw
from .links import relinked
from .pages import ANCHOR, Exporter, environment, live_data, packed, told
from .parts import CACHE, KIT
from .slides import Slide, parts_of, slides_of, told_to_lecturer

PACKAGE = Path(__file__).parents[1]
MADE = CACHE.parent / "decks"
FIRST = KIT / "notebooks" / "00_start_here.ipynb"


def notebook_of(number: int) -> Path:
    """Return the notebook of a lecture; 0 is the start."""
    paths = dict(enumerate([FIRST, *lectures()]))
    if number not in paths:
        raise ValueError(f"lecture must be a number from 0 to {max(paths)}, not {number}")
    return paths[number]


def decks() -> list[Path]:
    """Return the notebooks that are made into slides."""
    return [FIRST, *lectures()]


def place_of(path: Path) -> str:
    """Return where the slides of a notebook stand in the site."""
    return f"decks/{path.stem}.html"


def deck(path: Path, tell: Callable[[str], None] = print) -> str:
    """Return the slides of a notebook; what has not changed since the last time is not made again."""
    kept = MADE / f"{path.stem}-{fingerprint(path)}.html"
    if not kept.exists():
        tell(f"Making the slides of {path.stem} …")
        html = make(path)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(html, encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def fingerprint(path: Path) -> str:
    """Return a name for all that the slides are made of: the notebook, and the package."""
    return digest([path, *package_files(".py", ".j2", ".csv")])


def package_files(*suffixes: str) -> list[Path]:
    """Return the files of the package with certain endings."""
    return sorted(file for file in PACKAGE.rglob("*") if file.suffix in suffixes)


def digest(files: Iterable[Path]) -> str:
    """Return a name that changes with the content of files."""
    content = hashlib.sha256()
    for file in files:
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


def make(path: Path) -> str:
    """Make the slides of a notebook."""
    notebook = nbformat.read(path, as_version=4)
    parts = [part_of(cell) for cell in notebook.cells]
    slides = slides_of(notebook, parts)
    resources = {"slides": [seen(slide) for slide in slides], "drawings": redraw(notebook)}
    body, _ = Exporter(template_file="slides.html.j2").from_notebook_node(notebook, resources=resources)
    place = place_of(path)
    known = live_data(parts) | {"deck": facts(path, slides)}
    return environment().get_template("deck.html.j2").render(
        title=heading(notebook), body=relinked(ANCHOR.sub("", body), path, place), root="../", data=packed(known)
    )  # fmt: skip


def heading(notebook: nbformat.NotebookNode) -> str:
    """Return the title of a notebook."""
    return notebook.cells[0].source.splitlines()[0].removeprefix("# ")


def facts(path: Path, slides: list[Slide]) -> dict[str, Any]:
    """Return what the slides' script must know beside what is seen: parts, minutes, notes."""
    plan = plan_of(path) if path in lectures() else None
    notes = [told_to_lecturer(slide, plan) for slide in slides]
    return dict(name=path.stem, parts=parts_of(slides, plan), notes=notes)


def seen(slide: Slide) -> dict[str, Any]:
    """Return what the template may know of a slide."""
    blocks = [dict(cell=block.cell, step=block.step, part=told(block.part)) for block in slide.blocks]
    known = {name: value for name, value in asdict(slide).items() if name in ("part", "heading")}
    return known | dict(kind=slide.kind, asks=slide.asks, after=slide.after, blocks=blocks)
