"""Texts with formulas, as HTML for a page and as plain text for a terminal."""

from __future__ import annotations

import html
import re

MARKUP = re.compile(r"(?P<math>\$[^$]+\$)|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`")
SIGNS = {
    "varepsilon": "ε", "epsilon": "ε", "delta": "δ", "mu": "μ", "sigma": "σ", "lambda": "λ", "alpha": "α",
    "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "cdot": "·", "times": "×", "in": "∈", "to": "→", "infty": "∞",
    "sum": "Σ", "prod": "Π", "pm": "±", "dots": "…", "quad": " ", "colon": ":",
    "log": "log", "ln": "ln", "exp": "exp", "tanh": "tanh", "max": "max", "min": "min", "Pr": "Pr",
    "left": "", "right": "", "bigl": "", "bigr": "",
}  # fmt: skip
RAISED = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"


def as_html(text: str) -> str:
    """Return the text as HTML; formulas stay in dollars, for MathJax."""
    return MARKUP.sub(_tag, html.escape(text, quote=False))


def _tag(found: re.Match) -> str:
    if found.lastgroup == "math":
        return found["math"]
    return f"<{found.lastgroup}>{found[found.lastgroup]}</{found.lastgroup}>"


def as_plain(text: str) -> str:
    """Return the text without markup, its formulas in letters and signs."""
    return MARKUP.sub(lambda found: _formula(found["math"][1:-1]) if found["math"] else found[found.lastgroup], text)


def _formula(latex: str) -> str:
    """Write a formula on one line."""
    text = re.sub(r"\\text\{([^{}]*)\}", r"\1", latex)
    text = re.sub(rf"\\[dt]?frac{GROUP}{GROUP}", lambda m: f"{_grouped(m[1])}/{_grouped(m[2])}", text)
    text = re.sub(rf"\\sqrt{GROUP}", lambda m: f"√{_grouped(m[1])}", text)
    text = re.sub(r"\\tilde\s*\\?(\w+)", lambda m: f"{SIGNS.get(m[1], m[1])}\u0303", text)
    text = re.sub(r"\\([A-Za-z]+)\s*", lambda m: _sign(m[1]), text)
    text = re.sub(r"\\[,;: ]", " ", text).replace(r"\%", "%")
    text = re.sub(rf"\^(?:{GROUP}|(\w))", lambda m: _power(m[1] or m[2]), text)
    text = re.sub(rf"_{GROUP}", r"_\1", text)
    return re.sub(r" +", " ", re.sub(r"[{}]", "", text)).strip()


def _sign(name: str) -> str:
    """Return the sign of a LaTeX command; an unknown command stays, so that a test finds it."""
    sign = SIGNS.get(name, f"\\{name} ")
    return (
        f" {sign} "
        if name in ("le", "ge", "ne", "approx", "in", "to")
        else sign + " " * name.isalpha() * (len(sign) > 1)
    )


def _power(exponent: str) -> str:
    return exponent.translate(RAISED) if re.fullmatch(r"[-+]?\d+", exponent) else f"^{_grouped(exponent)}"


def _grouped(part: str) -> str:
    """Put brackets around what is more than one number or letter."""
    return part if re.fullmatch(r"[\w.]+|\\[a-z]+|-\w+|-\\[a-z]+", part) else f"({part})"
