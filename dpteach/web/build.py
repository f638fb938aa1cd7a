"""`python -m dpteach site FOLDER`: the course as a folder of static pages, on which everything works."""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from .. import explore
from ..explore.base.live import script, style
from . import front
from .deck import deck, decks, place_of
from .library import make_library
from .links import LITE, TEXTS
from .lite import make_lite
from .pages import Page, notebook_page, text_page
from .parts import CACHE, KIT, fetch, unpack, wheel
from .runtime import make_runtime

STATIC = Path(__file__).parent / "static"
QUESTIONS = Path(__file__).parents[1] / "questions"
NOTEBOOKS = KIT / "notebooks"
MATHJAX = "sphinx-mathjax-offline/static/mathjax/"
REVEAL = "sphinx_revealjs/_static/revealjs/"
FIRST_PACKAGES = ("numpy", "mpmath")  # that explorers need at once
FIRST_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def main(argv: list[str] | None = None) -> int:
    """Build the site and say how large it is."""
    parser = argparse.ArgumentParser(prog="python -m dpteach site", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the site goes; what is there already is replaced")
    given = parser.parse_args(argv)
    since = time.monotonic()
    build(given.folder)
    seconds = time.monotonic() - since
    print(f"The site is in {given.folder}: {megabytes(given.folder):.0f} MB, built in {seconds:.0f} s.")
    print("Put it on any web server; opened as a file, the pages can be read, but Python does not start.")
    return 0


def megabytes(folder: Path) -> float:
    """Return the size of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def build(folder: Path, tell: Callable[[str], None] = print) -> None:
    """Build the site; what takes long and has not changed is taken from the last time."""
    wheels = fetch(tell)
    folder.mkdir(parents=True, exist_ok=True)
    tell("Python for the browser …")
    make_runtime(fresh(folder / "pyodide"), wheels)
    tell("JupyterLite …")
    make_lite(fresh(folder / "lite"), wheels, CACHE / "lite", "../../pyodide/pyodide.mjs")
    tell("The library …")
    make_library(fresh(folder / "api"), wheels, CACHE / "pdoc")
    tell("Pages …")
    make_static(fresh(folder / "static"), wheels)
    python = python_of(folder / "pyodide")
    (folder / "static" / "python.json").write_text(json.dumps(python), encoding="utf-8")
    written = {page.place: page.html() for page in pages(python)} | front.sheets()
    written |= {place_of(path): deck(path, tell) for path in decks()}
    for place, html in written.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")


def fresh(folder: Path) -> Path:
    """Return an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def python_of(runtime: Path) -> dict:
    """Return what the page's script must know to start Python: packages, our wheel, and how many bytes that is."""
    [ours] = runtime.glob("dpteach-*.whl")
    packages = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    files = [*FIRST_FILES, ours.name, *(packages[name]["file_name"] for name in FIRST_PACKAGES)]
    return dict(packages=FIRST_PACKAGES, wheel=ours.name, bytes=sum((runtime / name).stat().st_size for name in files))


def make_static(folder: Path, wheels: Path) -> None:
    """Write what pages and slides need, and what each explorer shows at its presets."""
    make_scripts(folder, wheels)
    (folder / "explorers").mkdir()
    for name, kind in explorers().items():
        shown = {preset: kind(preset).shown() for preset in kind.presets}
        (folder / "explorers" / f"{name}.json").write_text(json.dumps(shown), encoding="utf-8")


def explorers() -> dict[str, type[explore.Explorer]]:
    """Return all explorers by name."""
    return {name: getattr(explore, name) for name in explore.__all__ if name != "Explorer"}


def make_scripts(folder: Path, wheels: Path) -> None:
    """Write scripts, styles, MathJax and reveal.js."""
    shutil.copytree(STATIC, folder, dirs_exist_ok=True)
    for name in ("question.js", "question.css"):
        shutil.copy(QUESTIONS / name, folder)
    parts = list(dict.fromkeys(part for kind in explorers().values() for part in kind.parts))
    (folder / "explorer.js").write_text(script(*parts), encoding="utf-8")
    (folder / "explorer.css").write_text(style(*parts), encoding="utf-8")
    unpack(wheel(wheels, "sphinx_mathjax_offline"), MATHJAX, folder / "mathjax", only="tex-svg.js")
    for name in ("LICENSE", "dist/reveal.css", "dist/reveal.esm.js"):
        unpack(wheel(wheels, "sphinx_revealjs"), REVEAL, folder / "reveal", only=name)


def pages(python: dict) -> Iterable[Page]:
    """Return all pages of the site."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        run = f"{LITE}{path.name}"
        yield notebook_page(path, f"lectures/{path.stem}.html", python, [(run, "Run it in your browser")])
    for name, place in TEXTS.items():
        if name.endswith(".md") and name != "README.md" and (KIT / name).exists():
            yield text_page(KIT / name, place, buttons=front.BUTTONS.get(place, []))
    yield from front.pages(python)
