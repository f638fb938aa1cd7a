"""What is asked of a notebook beside the right outputs: one function a rule.

The rules that need an explanation are those about numbers. A number in the prose must be printed by a cell of the
same notebook, possibly with more digits, or stand in its code. Free are small whole numbers, years, minutes,
the numbers of theorems, figures, sections and so on, and everything in `code spans`.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from nbformat import NotebookNode

LINES = 12  # of a code cell
SLIDES = {"slide", "subslide", "fragment", "skip", "notes", "-"}
SKIPPING_TAGS = re.compile(r"nbval|pytest-validate|raises-exception|skip-execution")
SKIPPING_COMMENTS = re.compile(r"#\s*(NBVAL_|PYTEST_VALIDATE)\w+")
SMALL = 12  # whole numbers up to here are counted on the fingers, not computed
YEARS = {*range(1950, 2040)} - {2000}

Complaints = Iterator[tuple[int, str]]


def faults(notebook: NotebookNode, rules: list | None = None) -> list[str]:
    """List what breaks a rule, with its place."""
    return [f"{place(notebook, i)}: {told}" for rule in rules or RULES for i, told in rule(notebook)]


def place(notebook: NotebookNode, i: int) -> str:
    """Name a cell as a reader finds it: counted from the top, with the count that Jupyter shows at code cells."""
    code = sum(cell.cell_type == "code" for cell in notebook.cells[: i + 1])
    return f"cell {i + 1} [{code}]" if notebook.cells[i].cell_type == "code" else f"cell {i + 1}"


def code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """Return the code cells with their places."""
    return [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]


def outputs(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """Return the outputs with the places of their cells."""
    return [(i, output) for i, cell in code_cells(notebook) for output in cell.outputs]


# Rules: each yields the places where it is broken


def run_in_order(notebook: NotebookNode) -> Complaints:
    """Ask for a notebook that was run from its first cell to its last."""
    for count, (i, cell) in enumerate(code_cells(notebook), start=1):
        if cell.execution_count != count:
            yield i, f"is the first that was not run in order (its count is {cell.execution_count}, not {count})"
            return


def nothing_ignored(notebook: NotebookNode) -> Complaints:
    """Refuse tags and comments that take a cell out of the tests."""
    for i, cell in code_cells(notebook):
        comments = [match[0] for match in SKIPPING_COMMENTS.finditer(cell.source)]
        for mark in [*filter(SKIPPING_TAGS.match, cell.metadata.get("tags", [])), *comments]:
            yield i, f"is taken out of the tests by {mark!r}"


def nothing_went_wrong(notebook: NotebookNode) -> Complaints:
    """Refuse stored error messages and warnings."""
    for i, output in outputs(notebook):
        if output.output_type == "error" or output.get("name") == "stderr":
            yield i, "has stored an error message or a warning"


def figures_described(notebook: NotebookNode) -> Complaints:
    """Ask for a text beside every picture, for those who cannot see it."""
    for i, output in outputs(notebook):
        pictures = [mime for mime in output.get("data", {}) if mime.startswith("image/")]
        if not all(output.metadata.get(mime, {}).get("alt", "").strip() for mime in pictures):
            yield i, "shows a figure without alt text: return a dpteach.figures.Picture"
        yield from ((i, told) for told in _undescribed(output.get("data", {}).get("text/html", "")))
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            yield from ((i, told) for told in _undescribed(cell.source))


def _undescribed(text: str) -> Iterator[str]:
    """Find pictures in Markdown or HTML that nothing describes."""
    text = _without_code(text)
    tags = [tag for tag in re.findall(r"<img\b[^>]*>", text) if not re.search(r"\balt\s*=\s*(['\"])\s*[^'\"\s]", tag)]
    drawings = [svg for svg in re.findall(r"<svg\b.*?</svg>", text, re.S) if not re.search(r"aria-label|<title", svg)]
    for picture in [*re.findall(r"!\[\s*\]\([^)]*\)", text), *tags, *drawings]:
        yield f"has a picture without alt text: {picture[:40]}"


def code_short(notebook: NotebookNode) -> Complaints:
    """Ask for code that fits on a slide."""
    for i, cell in code_cells(notebook):
        if (lines := cell.source.count("\n") + 1) > LINES:
            yield i, f"has {lines} lines of code, more than {LINES}"


def slides_marked(notebook: NotebookNode) -> Complaints:
    """Ask every cell for its part in the lecture."""
    for i, cell in enumerate(notebook.cells):
        if cell.metadata.get("slideshow", {}).get("slide_type") not in SLIDES:
            yield i, f"has no slide type (one of {', '.join(sorted(SLIDES))})"


def numbers_supported(notebook: NotebookNode) -> Complaints:
    """Refuse numbers in the prose that no cell has printed."""
    known = printed_numbers(notebook), code_numbers(notebook)
    for i, number in prose_numbers(notebook):
        if not is_supported(number, *known):
            yield i, f"{number.written} (in “…{number.context}…”) is printed by no cell"


RULES = [
    run_in_order,
    nothing_ignored,
    nothing_went_wrong,
    figures_described,
    code_short,
    slides_marked,
    numbers_supported,
]


# Numbers


class Number(NamedTuple):
    """A number as it is written: the last of its digits tells how it was rounded."""

    written: str
    value: Decimal
    percent: bool
    context: str

    @property
    def is_free(self) -> bool:
        """Say whether it needs no cell: a small whole number, a year, nothing or all of something."""
        if self.percent:
            return self.value in (0, 100)
        return self.written.isdigit() and (self.value <= SMALL or self.value in YEARS)


def is_supported(number: Number, printed: set[Decimal], literals: set[Decimal]) -> bool:
    """Say whether a number of the prose is free, stands in the code, or is a printed number or its rounding."""
    if number.is_free:
        return True
    values = [number.value]
    if number.percent:
        values.append(number.value.scaleb(-2))
    for value in values:
        half = Decimal(5).scaleb(value.as_tuple().exponent - 1)
        if value in literals or any(abs(known - value) <= half for known in printed):
            return True
    return False


def prose_numbers(notebook: NotebookNode) -> list[tuple[int, Number]]:
    """Return every number of the Markdown cells, with its place."""
    prose = [(i, cell.source) for i, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]
    return [(i, number) for i, text in prose for number in numbers_in(without_references(text))]


def printed_numbers(notebook: NotebookNode) -> set[Decimal]:
    """Return every number that a cell has printed or that describes its figure; of fractions and %, the value."""
    texts = printed_texts(notebook.cells)
    numbers = [number for text in texts for number in numbers_in(text)]
    values = {number.value for number in numbers}
    parts = {number.value.scaleb(-2) for number in numbers if number.percent}
    fractions = {value for text in texts for value in _fractions(text)}
    return values | parts | fractions


def printed_texts(cells: list[NotebookNode]) -> list[str]:
    """Return all that cells have printed, and what describes their figures."""
    return [text for cell in cells for output in cell.get("outputs", ()) for text in _texts(output)]


def _texts(output: NotebookNode) -> list[str]:
    data = output.get("data", {})
    plain = [data.get(mime, "") for mime in ("text/plain", "text/markdown", "text/latex")]
    page = html.unescape(re.sub(r"<[^>]*>", " ", data.get("text/html", "")))
    entries = [entry for entry in output.get("metadata", {}).values() if isinstance(entry, dict)]
    alts = [entry["alt"] for entry in entries if "alt" in entry]
    return [output.get("text", ""), *plain, page, *alts]


def _fractions(text: str) -> Iterator[Decimal]:
    """Yield the values of fractions, also where Python spells them out."""
    text = re.sub(r"Fraction\((-?\d+), (\d+)\)", r"\1/\2", text)
    yield from (Decimal(above) / Decimal(below) for above, below in re.findall(r"(\d+)/(0*[1-9]\d*)", text))


def code_numbers(notebook: NotebookNode) -> set[Decimal]:
    """Return every number that stands in the code, or in a text there; comments do not count."""
    constants = [constant for _, cell in code_cells(notebook) for constant in _constants(cell.source)]
    texts = [value for value in constants if isinstance(value, str)]
    numbers = [value for value in constants if type(value) in (int, float)]
    literal = {abs(Decimal(str(value))) for value in numbers}
    in_texts = {number.value for text in texts for number in numbers_in(text)}
    return literal | in_texts


def _constants(source: str) -> list:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a line of the terminal or a magic
        return []
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def numbers_in(text: str) -> Iterator[Number]:
    """Yield the numbers of a text, without their signs; digits that belong to a name are none."""
    text = _plain(text)
    for match in NUMBER.finditer(text):
        written = match["number"]
        value = Decimal(written.replace(",", ""))
        around = text[max(match.start() - 20, 0) : match.end() + 20]
        yield Number(written, value, bool(match["percent"]), context=" ".join(around.split()))


NUMBER = re.compile(
    r"(?<![^\W_])(?<![^\W_]\.)"  # not inside a word, nor inside 1.2.3
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+|(?=\.\d))(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    r"(?P<percent>\s?\\?%|\sper\s?cent)?"
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def _plain(text: str) -> str:
    """Write powers of ten as Python does, drop the indices of formulas, close up thousands."""
    text = re.sub(r"[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: f"^{{{match[0].translate(SUPERSCRIPTS)}}}", text)
    text = re.sub(r"(?<=\d)(?:\\,|\{,\}|[\u2009\u202f])(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"_\{\d+\}|(?<=[A-Za-z}])_\d+", " ", text)
    power = r"10\s*\^\s*\{?\s*([-−]?)\s*(\d+)(?![\d.])\s*\}?"
    text = re.sub(rf"(?<=\d)\s*(?:\\cdot|\\times|[·×])\s*{power}", lambda m: f"e{'-' * bool(m[1])}{m[2]} ", text)
    return re.sub(rf"(?<![\d.,]){power}", lambda m: f"1e{'-' * bool(m[1])}{m[2]} ", text)


WORDS = (
    "theorem|thm|lemma|lem|corollary|corollarie|cor|proposition|prop|definition|def|remark|example|ex|figure|fig|table|"
    "section|sec|equation|eq|algorithm|appendix|chapter|page|lecture|notebook|exercise|part|version|python"
)
ONE = r"\(?\d+(?:\.\d+)*\)?"
REFERENCES = [
    re.compile(pattern, re.I | re.M)
    for pattern in [
        r"\]\([^)]*\)|https?://\S+|(?:arxiv|doi):\S+",
        r"</?[a-z][^>]*>|<!--.*?-->",
        rf"(?<!\w)(?:{WORDS})s\.?\s*{ONE}(?:\s*(?:,|and|to|or|–|-)\s*{ONE})*",
        rf"(?<!\w)(?:(?:{WORDS})\.?|pp?\.|§|\\tag\{{)\s*{ONE}",
        r"\d+(?:\s*(?:to|–|-)\s*\d+)?[\s-]*min(?:ute)?s?\b",
        r"\b\d+(?:st|nd|rd|th)\b",
        r"^#+\s*\d[\d.]*|^[\s>]*\d+[.)]\s",
        r"\b(?-i:[A-Z])[a-z]+(?:-[a-z]+)*-\d[\w.]*",
    ]
]


def without_references(text: str) -> str:
    """Drop what is named by a number: theorems, sections, minutes, addresses; and all code."""
    text = _without_code(text)
    for pattern in REFERENCES:
        text = pattern.sub(" ", text)
    return text


def _without_code(text: str) -> str:
    return re.sub(r"^\s*(```|~~~).*?^\s*\1|(`+)(?!`).*?(?<!`)\2(?!`)", " ", text, flags=re.S | re.M)
