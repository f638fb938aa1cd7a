"""The words of a claim: as they are searched, and as a formula is read out."""

from __future__ import annotations

import re

from ..questions.wording import SIGNS, as_plain
from .entries import Claim

FONTS = re.compile(r"\\(mathcal|mathbb|mathbf|mathrm|text|big[lr]?)\s*")  # change how letters look, not what they say
LETTERS = {name: sign for name, sign in SIGNS.items() if len(name) > 1 and len(sign) == 1 and sign.isalpha()}


def spoken(tex: str) -> str:
    """Return a formula as it can be read out: signs where there are some, else the names of the commands."""
    return re.sub(r"[\\{}]", "", as_plain(f"${FONTS.sub('', tex)}$"))


def searched(*texts: str) -> str:
    """Return the different words of some texts, in small letters; Greek letters by their names and as letters."""
    whole = FONTS.sub("", " ".join(texts)).replace("varepsilon", "epsilon")
    names = [*LETTERS, "epsilon"]
    greek = [LETTERS.get(name, "ε") for name in names if f"\\{name}" in whole]
    words = re.findall(r"[\w.'’-]*\w", whole.lower())
    return " ".join(dict.fromkeys([*words, *greek]))


def words_of(claim: Claim) -> str:
    """Return what a search for words looks at: id, title, statement and correction."""
    return searched(claim.id, claim.title, claim.statement, claim.note)
