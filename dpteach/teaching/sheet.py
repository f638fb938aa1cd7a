"""The formula sheet of the course: one page to print, its formulas drawn and its numbers computed.

python -m dpteach formulas                     writes docs/formulas.html anew
python -m dpteach formulas FILE.html           writes the page elsewhere
python -m dpteach formulas FILE.pdf            prints it, with Chromium or Chrome
python -m dpteach formulas FILE --paper letter for American paper
"""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path

from ..tools.notebooks import FOLDER
from ..tools.typeset import page
from .paper import PAPERS, page_of, write
from .short import lectures, read
from .theorems import EXAMPLE, ROWS, Row
from .writing import title_of

SHEET = FOLDER.parent / "docs" / "formulas.html" if FOLDER.exists() else Path("formulas.html")
COLUMNS = ("theorem", "needs", "says", "use it for", "in the example", "exactly")
EXACTLY = "*Exactly:* the worst answers with these promises. Promises are rounded up."
STYLE = """
@page { size: PAPER landscape; margin: 6mm }
body { font: 6.7pt/1.2 "Helvetica Neue", Arial, "Liberation Sans", sans-serif;
  margin: 0 auto; max-width: 284mm; color: #000 }
h1 { font-size: 11pt; margin: 0 0 0.6mm }
p { margin: 0 0 1mm }
table { border-collapse: collapse; width: 100%; font: inherit }
th, td { text-align: left; vertical-align: middle; padding: 0.35mm 1.6mm; border-bottom: 0.2mm solid #bbb }
th { border-bottom: 0.4mm solid #000 }
tr.lecture td { background: #e8eef4; font-weight: bold; border: 0; padding: 0.2mm 1.6mm;
  -webkit-print-color-adjust: exact; print-color-adjust: exact }
td:first-child { font-weight: bold; width: 13% }
td:nth-child(3) { min-width: 78mm }
td:nth-child(5), td:nth-child(6) { white-space: nowrap }
svg.formula { fill: currentColor; font-size: 115%; overflow: visible }
@media screen { body { padding: 6mm; zoom: 1.35 } }
"""


def main(argv: list[str] | None = None) -> int:
    """Write or print the sheet."""
    parser = argparse.ArgumentParser(prog="python -m dpteach formulas", description="Write the formula sheet.")
    parser.add_argument("file", nargs="?", type=Path, default=SHEET, help="an .html or a .pdf (%(default)s)")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="for which it is printed (%(default)s)")
    arguments = parser.parse_args(argv)
    try:
        write(arguments.file, sheet(arguments.paper))
    except (OSError, ValueError) as error:
        print(f"{arguments.file} cannot be written: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.file} is written.")
    return 0


def sheet(paper: str = "a4") -> str:
    """Return the whole page."""
    titles = {number: title_of(read(path)) for number, path in enumerate(lectures(), start=1)}
    body = [
        "<h1>Composition in differential privacy: the formulas of the course</h1>",
        f"<p>{page(f'**The example:** {EXAMPLE} {EXACTLY}')}</p>",
        f"<table><thead><tr>{''.join(f'<th>{name}</th>' for name in COLUMNS)}</tr></thead><tbody>",
        *(
            _chapter(titles.get(number, f"Lecture {number}"), list(rows))
            for number, rows in groupby(ROWS, lambda row: row.lecture)
        ),
        "</tbody></table>",
    ]
    return page_of("Formula sheet", STYLE.replace("PAPER", PAPERS[paper]), "\n".join(body))


def _chapter(title: str, rows: list[Row]) -> str:
    head = f'<tr class="lecture"><td colspan="{len(COLUMNS)}">{title}</td></tr>'
    return "\n".join([head, *map(_line, rows)])


def _line(row: Row) -> str:
    cells = (row.name, row.needs, row.formula, row.use, row.says(), row.true())
    return f"<tr>{''.join(f'<td>{page(cell)}</td>' for cell in cells)}</tr>"
