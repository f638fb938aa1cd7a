"""The words of a claim: as they are searched, and as a formula is read out."""

from __future__ import annotations

import re

from ..questions.wording import SIGNS, as_plain
from .entries import Claim

FONTS = re.compile(r"\\(mathcal|mathbb|mathbf|mathrm|text|big[lr]?)\s*")  # change how letters look, not what they say
NO_BRACES = str.maketrans("", "", "\\{}")
SEEN_BRACES = str.maketrans("⦃⦄", "{}")
LETTERS = {name: sign for name, sign in SIGNS.items() if len(name) > 1 and len(sign) == 1 and sign.isalpha()}


def spoken(tex: str) -> str:
    """Return a formula as it can be read out: signs where there are some, else the names of the commands."""
    named = FONTS.sub(" ", tex).replace(r"\{", "⦃").replace(r"\}", "⦄")  # braces that are seen, not those of TeX
    signs = re.sub(r"\\([A-Za-z]+)", r" \1 ", as_plain(f"${named}$"))
    return " ".join(signs.translate(NO_BRACES).translate(SEEN_BRACES).split())


def searched(*texts: str) -> str:
    """Return the different words of some texts, in small letters; Greek letters by their names and as letters."""
    whole = FONTS.sub(" ", " ".join(texts))
    greek = [letter.lower() for name, letter in LETTERS.items() if f"\\{name}" in whole]
    words = re.findall(r"[\w.'’-]*\w", whole.replace("varepsilon", "epsilon").lower())
    return " ".join(dict.fromkeys([*words, *greek]))


def words_of(claim: Claim) -> str:
    """Return what a search for words looks at: id, title, statement and correction."""
    return searched(claim.id, claim.title, claim.statement, claim.note)
