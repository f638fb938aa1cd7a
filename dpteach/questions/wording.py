"""Texts with formulas, as HTML for a page and as plain text for a terminal."""

from __future__ import annotations

import html
import re

MARKUP = re.compile(r"(?P<math>\$[^$]+\$)|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`")
SIGNS = {
    "varepsilon": "ε", "delta": "δ", "mu": "μ", "sigma": "σ", "lambda": "λ", "alpha": "α", "beta": "β", "ell": "ℓ",
    "Delta": "Δ", "emptyset": "∅",
    "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "cdot": "·", "times": "×", "in": "∈", "to": "→", "infty": "∞",
    "sum": "Σ", "prod": "Π", "pm": "±", "dots": "…", "mid": "|", "oplus": "⊕",
    "log": "log", "ln": "ln", "exp": "exp", "tanh": "tanh", "max": "max", "min": "min", "Pr": "Pr",
}  # fmt: skip
RAISED = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
SIMPLE = re.compile(r"-?[\w.]+")


def as_html(text: str) -> str:
    """Return the text as HTML; formulas stay in dollars, for MathJax."""
    return MARKUP.sub(_tagged, html.escape(text, quote=False))


def _tagged(found: re.Match) -> str:
    kind = found.lastgroup
    return found["math"] if kind == "math" else f"<{kind}>{found[kind]}</{kind}>"


def as_plain(text: str) -> str:
    """Return the text without markup, its formulas in letters and signs."""
    return MARKUP.sub(lambda found: _formula(found["math"]) if found["math"] else found[found.lastgroup], text)


def _formula(latex: str) -> str:
    """Write a formula on one line; a command that is not known stays, and a test finds it."""
    text = re.sub(r"\\([A-Za-z]+)", lambda found: SIGNS.get(found[1], found[0]), latex.strip("$"))
    text = re.sub(rf"\\[dt]?frac{GROUP}{GROUP}", lambda found: f"{_held(found[1])}/{_held(found[2])}", text)
    text = re.sub(rf"\\sqrt{GROUP}", lambda found: f"√{_held(found[1])}", text)
    text = re.sub(rf"\^(?:{GROUP}|(\w))", lambda found: _raised(found[1] or found[2]), text)
    text = re.sub(rf"_(?:{GROUP}|(\w))", lambda found: _lowered(found[1] or found[2]), text)
    return " ".join(re.sub(r"\\[,;: ]", " ", text).split())


def _raised(exponent: str) -> str:
    return exponent.translate(RAISED) if re.fullmatch(r"-?\d+", exponent) else f"^{_held(exponent)}"


def _lowered(index: str) -> str:
    return index.translate(LOWERED) if index.isdigit() else f"_{index}"


def _held(part: str) -> str:
    """Put brackets around what is more than one number or letter."""
    return part if SIMPLE.fullmatch(part) else f"({part})"
