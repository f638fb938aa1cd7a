r"""Typeset formulas for pages that are printed, without a network, a font or a script: matplotlib draws them as SVG.

`page(text)` is what the printable pages need: Markdown's emphasis and `$…$` in, HTML out, every formula a drawing that
stands on the line of its text, with the formula in words for those who cannot see it.
"""

from __future__ import annotations

import html
import re
from functools import cache

from ..questions.wording import as_html, as_plain

SIZE = 100  # in which formulas are drawn; a page scales them to its letters
FONT = "cm"
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\\\s]|\s+")
ARGUMENTS = {"frac": 2, "binom": 2, "sqrt": 1, "mathcal": 1, "mathbb": 1, "mathbf": 1, "mathrm": 1, "tilde": 1,
             "overline": 1, "text": 1, "operatorname": 1}  # fmt: skip
OTHER_NAMES = {
    "le": "leq", "ge": "geq", "ne": "neq", "to": "rightarrow", "tfrac": "frac", "dfrac": "frac", "textit": "text",
    "lVert": "Vert", "rVert": "Vert", "lvert": "vert", "rvert": "vert",
}  # fmt: skip
SIZES = re.compile(r"\\[bB]ig{1,2}[lrm]?(?![A-Za-z])")  # of brackets, which grow by \left and \right only
FUNCTION = re.compile(
    r"(?<=[\w})]) *(?=\\(?:ln|log|exp|tanh|cosh|sinh|max|min|Pr)(?![A-Za-z]))"
)  # needs a gap before it
FORMULA = re.compile(r"\$([^$]+)\$")


def page(text: str) -> str:
    """Return a text with emphasis and formulas as HTML."""
    return FORMULA.sub(lambda found: drawing(html.unescape(found[1])), as_html(text))


@cache
def drawing(latex: str) -> str:
    """Return a formula as SVG, as high as the letters around it; a ValueError names one that cannot be drawn."""
    width, height, depth, outline = _outline(latex)
    em = lambda length: f"{length / SIZE:.3f}em"  # noqa: E731
    return (
        f'<svg class="formula" role="img" viewBox="0 {-height:.1f} {width:.1f} {height + depth:.1f}" '
        f'style="width:{em(width)};height:{em(height + depth)};vertical-align:{em(-depth)}">'
        f'<title>{html.escape(as_plain(f"${latex}$"))}</title><path d="{outline}"/></svg>'
    )


def _outline(latex: str) -> tuple[float, float, float, str]:
    """Return width, height above and depth below the line, and the path of all glyphs."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser
    from matplotlib.textpath import TextPath

    font = FontProperties(size=SIZE, math_fontfamily=FONT)
    formula = f"${plain_tex(latex)}$"
    try:
        measured = MathTextParser("path").parse(formula, dpi=72, prop=font)
        path = TextPath((0, 0), formula, prop=font)
    except ValueError as error:
        raise ValueError(f"latex must be a formula that matplotlib can draw, not {latex!r}: {error}") from None
    return measured.width, max(measured.height, 1), max(measured.depth, 0), _svg_path(path)


def _svg_path(path) -> str:
    """Return a path of matplotlib, whose y points upwards, in SVG's words."""
    letters = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
    parts = []
    for points, code in path.iter_segments(simplify=False, curves=True):
        pairs = "" if code == 79 else " ".join(f"{x:.1f} {-y:.1f}" for x, y in points.reshape(-1, 2))
        parts.append(letters[int(code)] + pairs)
    return "".join(parts)


# ---------------------------------------------------------------------------- what matplotlib asks of a formula


def plain_tex(latex: str) -> str:
    r"""Return the formula in matplotlib's dialect: no short names, and braces round every argument (`\frac12`)."""
    tokens = TOKEN.findall(SIZES.sub("", " ".join(latex.split())))
    written = []
    while tokens:
        written.append(_next(tokens))
    return FUNCTION.sub(r"\\,", "".join(written))


def _next(tokens: list[str]) -> str:
    """Take one thing from the front: a letter, a group in braces, or a command with its arguments."""
    token = tokens.pop(0)
    if token == "{":
        return _group(tokens)
    if token == r"\#":
        return r"\text{#}"
    name = OTHER_NAMES.get(token[1:], token[1:]) if token.startswith("\\") else ""
    if name not in ARGUMENTS:
        return f"\\{name}" + " " * name.isalpha() if name else token
    arguments = (_argument(tokens) for _ in range(ARGUMENTS[name]))
    return f"\\{name}" + "".join(f"{{{argument}}}" for argument in arguments)


def _group(tokens: list[str]) -> str:
    inside = []
    while tokens and tokens[0] != "}":
        inside.append(_next(tokens))
    if tokens:
        tokens.pop(0)
    return "{" + "".join(inside) + "}"


def _argument(tokens: list[str]) -> str:
    """Take what a command is about, without braces of its own."""
    while tokens and tokens[0].isspace():
        tokens.pop(0)
    taken = _next(tokens) if tokens else ""
    return taken[1:-1] if taken.startswith("{") else taken
