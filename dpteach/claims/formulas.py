"""Formulas for pages with many of them: drawn as `tools.typeset` does it, but every letter and formula only once.

The whole ledger has two thousand formulas; drawn one by one they would be a page of 8 MB, and so it is one of 2 MB.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextToPath

from ..questions.wording import as_html
from ..tools.typeset import FONT, FORMULA, plain_tex
from .words import spoken

EM = TextToPath.FONT_SCALE  # the size of the letters as Matplotlib sets them
LETTERS = FontProperties(size=EM, math_fontfamily=FONT)
TOGETHER = re.compile(r"(<svg [^>]*><use [^>]*></svg>[^\s<]+)")  # a formula and the full stop after it
STEPS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}


class Formulas:
    """The formulas of one page: `html` sets a text, and `drawings` is what the page must hold for it."""

    def __init__(self) -> None:
        self._setter = TextToPath()
        self._letters: dict[str, str] = {}  # Matplotlib's name of a letter: its outline
        self._formulas: dict[str, tuple[str, str]] = {}  # TeX: its size, and the letters that it is made of

    def html(self, text: str) -> str:
        """Return a text of the ledger as HTML with drawn formulas."""
        drawn = FORMULA.sub(lambda found: self._formula(html.unescape(found[1])), as_html(text))
        return TOGETHER.sub(r'<span class="kept">\1</span>', drawn)

    def _formula(self, tex: str) -> str:
        if tex not in self._formulas:
            self._formulas[tex] = self._drawn(tex)
        name, (size, _) = list(self._formulas).index(tex), self._formulas[tex]
        return f'<svg role="img" aria-label="{html.escape(spoken(tex))}" {size}><use href="#formula-{name}"/></svg>'

    def _drawn(self, tex: str) -> tuple[str, str]:
        """Return how large a formula is and how deep it hangs, and its letters in their places."""
        source = f"${plain_tex(tex)}$"
        width, height, depth, *_ = self._setter.mathtext_parser.parse(source, self._setter.DPI, LETTERS)
        placed, outlines, bars = self._setter.get_glyphs_mathtext(LETTERS, source)
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


def outline(vertices, codes) -> str:
    """Return a path of Matplotlib as one of SVG."""
    return "".join(_steps(Path(np.reshape(vertices, (-1, 2)), codes))) if len(vertices) else ""


def _steps(path: Path) -> Iterator[str]:
    for points, code in path.iter_segments(simplify=False, curves=True):
        yield STEPS[code] + ("" if code == Path.CLOSEPOLY else " ".join(f"{x:.0f}" for x in points))
