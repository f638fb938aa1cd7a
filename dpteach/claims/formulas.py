"""Formulas for pages that ask nobody for help: TeX drawn as outlines, which look and print the same everywhere.

Matplotlib sets the formulas. Every letter stands once on the page, and so does every formula; the text refers to them.
"""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Iterator

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextToPath

from ..questions.wording import MARKUP
from .words import spoken

FONT = FontProperties(math_fontfamily="stix")
EM = TextToPath.FONT_SCALE  # the size of the letters as Matplotlib sets them
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.")
# Matplotlib knows some commands under another name, and wants braces around every argument.
NAMES = {
    r"\le": r"\leq", r"\ge": r"\geq", r"\ne": r"\neq", r"\to": r"\rightarrow", r"\dots": r"\ldots",
    r"\tfrac": r"\frac", r"\triangle": r"\vartriangle", r"\lVert": r"\Vert", r"\rVert": r"\Vert",
    r"\#": r"\mathrm{\#}", r"\bigl": r"\left", r"\bigr": r"\right",
}  # fmt: skip
ONE = r"\sqrt \mathcal \mathbb \mathbf \mathrm \tilde \hat \vec \bar \overline \text"
ARGUMENTS = {r"\frac": 2, r"\tfrac": 2, r"\binom": 2} | dict.fromkeys(ONE.split(), 1)
SIDES = dict.fromkeys("([", r"\left") | dict.fromkeys(")]", r"\right")
TOGETHER = re.compile(r"(<svg [^>]*><use [^>]*></svg>[^\s<]+)")  # a formula and the full stop after it
STEPS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}


def braced(tex: str) -> str:
    """Return a formula as Matplotlib wants it: its names for the commands, and braces around every argument."""
    tokens = deque(TOKEN.findall(tex.replace(r"\not\le", r"\nleq")))
    return _until(tokens, None)


def _until(tokens: deque[str], end: str | None) -> str:
    pieces = []
    while tokens and tokens[0] != end:
        pieces.append(_piece(tokens))
    return "".join(pieces)


def _piece(tokens: deque[str]) -> str:
    """Take one token with its arguments."""
    token = tokens.popleft()
    if token == "{":
        inside = _until(tokens, "}")
        tokens.popleft()
        return f"{{{inside}}}"
    if token == r"\big":  # beside a bracket it makes it large, beside a stroke it does nothing
        return SIDES.get(tokens[0], "")
    return NAMES.get(token, token) + "".join(_argument(tokens) for _ in range(ARGUMENTS.get(token, 0)))


def _argument(tokens: deque[str]) -> str:
    while tokens[0].isspace():
        tokens.popleft()
    piece = _piece(tokens)
    return piece if piece.startswith("{") else f"{{{piece}}}"


class Formulas:
    """The formulas of one page: `html` sets a text, and `drawings` is what the page must hold for it."""

    def __init__(self):
        self._setter = TextToPath()
        self._letters: dict[str, str] = {}  # Matplotlib's name of a letter: its outline
        self._formulas: dict[str, tuple[str, str]] = {}  # TeX: its size, and the letters that it is made of

    def html(self, text: str) -> str:
        """Return a text of the ledger as HTML with drawn formulas."""
        tagged = MARKUP.sub(self._tagged, html.escape(text, quote=False))
        return TOGETHER.sub(r'<span class="kept">\1</span>', tagged)

    def _tagged(self, found: re.Match) -> str:
        if not found["math"]:
            return f"<{found.lastgroup}>{found[found.lastgroup]}</{found.lastgroup}>"
        tex = html.unescape(found["math"].strip("$"))
        if tex not in self._formulas:
            self._formulas[tex] = self._drawn(tex)
        name, (size, _) = list(self._formulas).index(tex), self._formulas[tex]
        return f'<svg role="img" aria-label="{html.escape(spoken(tex))}" {size}><use href="#formula-{name}"/></svg>'

    def _drawn(self, tex: str) -> tuple[str, str]:
        """Return how large a formula is and how deep it hangs, and its letters in their places."""
        source = f"${braced(tex)}$"
        placed, outlines, bars = self._setter.get_glyphs_mathtext(FONT, source)
        width, height, depth, *_ = self._setter.mathtext_parser.parse(source, self._setter.DPI, _large(FONT))
        self._letters |= {name: outline(*drawn) for name, drawn in outlines.items() if name not in self._letters}
        parts = [self._letter(*letter) for letter in placed] + [f'<path d="{outline(*bar)}"/>' for bar in bars]
        style = f"width:{width / EM:.3f}em;height:{height / EM:.3f}em;vertical-align:{-depth / EM:.3f}em"
        return f'style="{style}" viewBox="0 {depth - height:.0f} {width:.0f} {height:.0f}"', "".join(parts)

    def _letter(self, name: str, x: float, y: float, scale: float) -> str:
        number = list(self._letters).index(name)
        return f'<use href="#letter-{number}" transform="translate({x:.0f} {y:.0f}) scale({scale:.3g})"/>'

    def drawings(self) -> str:
        """Return all letters and formulas, for the beginning of the page."""
        letters = (f'<path id="letter-{i}" d="{d}"/>' for i, d in enumerate(self._letters.values()))
        formulas = (
            f'<g id="formula-{i}" transform="scale(1 -1)">{parts}</g>'
            for i, (_, parts) in enumerate(self._formulas.values())
        )
        return f'<svg class="drawings" aria-hidden="true"><defs>{"".join([*letters, *formulas])}</defs></svg>'


def _large(font: FontProperties) -> FontProperties:
    large = font.copy()
    large.set_size(EM)
    return large


def outline(vertices, codes) -> str:
    """Return a path of Matplotlib as one of SVG."""
    if len(vertices) == 0:
        return ""
    steps = Path(np.asarray(vertices, float), codes).iter_segments(simplify=False, curves=True)
    return "".join(_steps(steps))


def _steps(steps) -> Iterator[str]:
    for points, code in steps:
        yield STEPS[code] + ("" if code == Path.CLOSEPOLY else " ".join(f"{x:.0f}" for x in points))
