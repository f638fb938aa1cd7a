"""`python -m dpteach api FOLDER`: the documentation of the library, made of its docstrings by pdoc.

pdoc and not Sphinx or MkDocs: it needs no configuration, no second kind of markup and two small packages, reads the
annotations, shows the code beside the words, and its pages load nothing from anywhere. Only the public library is
shown; what runs the course (explorers, figures, claims, grading, tools) explains itself in its own README.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from .. import __version__

FILES = ("curve", "pair", "guarantee", "channel", "mechanisms", "composition", "optimum", "planning", "accountant")
FILES += ("checks", "table", "annotations")
FOLDERS = ("data", "experiment", "leakage", "granularity", "notions", "numerics")
MODULES = ("dpteach", *(f"dpteach.{name}" for name in FILES + FOLDERS))


def write(folder: Path) -> Path:
    """Write the pages of the public library into a folder; return the first of them."""
    from pdoc import pdoc, render

    render.configure(docformat="markdown", show_source=True, search=True, footer_text=f"dpteach {__version__}")
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of annotations that are only there for type checkers
        pdoc(*MODULES, output_directory=folder)
    return folder / "dpteach.html"


def main(argv: list[str] | None = None) -> int:
    """Write the pages, and say where they begin."""
    parser = argparse.ArgumentParser("python -m dpteach api", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pages go")
    options = parser.parse_args(argv)
    try:
        first = write(options.folder)
    except OSError as error:
        print(f"cannot write to {options.folder}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{first}: begin here; the pages need no server and no internet")
    return 0
