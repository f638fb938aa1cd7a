"""How the numbers in the questions are accounted for.

A number in a text is *given*, because the question assumes it or because it belongs to a formula; or it is a *fact*,
computed by the library and a second way; or a *slip*, to which a mistake leads, computed by making the mistake. There
is no fourth kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from dpteach.questions.kinds import Choice, Number
from dpteach.questions.wording import as_plain

WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "twenty": 20, "thirty": 30, "hundred": 100, "thousand": 1000, "twice": 2,
    "half": 0.5, "halves": 0.5, "quarter": 0.25,
}  # fmt: skip
LOOSE = Fraction(1, 50)  # a word may be off by two per cent
TOKEN = re.compile(
    r"10\^-?\d+"  # a power of ten
    r"|(?<=\^)-?\d+"  # an exponent
    r"|(?<![\w.])\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)?%?"  # a number, a fraction or a percentage
    rf"|(?<=√)\d+(?:\.\d+)?|\b(?:{'|'.join(WORDS)})\b",
    re.I,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@dataclass
class Account:
    """Where the numbers of a question come from; facts have two values each, from different ways to compute them."""

    given: str = ""
    facts: Mapping[str, Sequence] = field(default_factory=dict)
    slips: Mapping[str, object] = field(default_factory=dict)
    answer: object = None  # the value of the right answer, if it is a number


ACCOUNTS: dict[str, Callable[[], Account]] = {}


def account(id: str):
    """Enter the account of a question."""

    def enter(make: Callable[[], Account]):
        assert id not in ACCOUNTS, f"question {id} has two accounts"
        ACCOUNTS[id] = make
        return make

    return enter


def words(text: Choice | Number) -> list[str]:
    """Return everything that a reader, or the lecturer, gets to see of a question."""
    options = [part for option in text.options for part in (option.text, option.response)]
    slips = [part for slip in text.slips for part in (f"{slip.value:g}", slip.response)]
    number = [] if text.options else [text.solution, text.right, text.otherwise]
    return [text.text, *options, *number, *slips, text.why, text.mistake]


def tokens(line: str) -> list[str]:
    """Return the numbers of a text as they are written, exponents and number words among them."""
    line = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: f"^{found[0].translate(RAISED)}", as_plain(line))
    return [found.lower() for found in TOKEN.findall(line)]


def value_of(token: str) -> tuple[Fraction, Fraction]:
    """Return the value of a written number and by how much it may be rounded."""
    if token in WORDS:
        return Fraction(WORDS[token]), Fraction(WORDS[token]) * LOOSE
    if token.startswith("10^"):
        return Fraction(10) ** int(token[3:]), Fraction(0)
    if "/" in token:
        above, below = token.split("/")
        return Fraction(above) / Fraction(below), Fraction(0)
    part = Decimal(token.removesuffix("%"))
    half = Fraction(Decimal(5).scaleb(part.as_tuple().exponent - 1))
    scale = 100 if token.endswith("%") else 1
    return Fraction(part) / scale, half / scale


def is_written_as(value, token: str) -> bool:
    """Say whether a computed value, rounded, is the written one; a fraction must be hit exactly."""
    written, half = value_of(token)
    return abs(Fraction(float(value)) - written) <= half + Fraction(1, 10**12)


def complaints(text: Choice | Number, book: Account) -> list[str]:
    """List every number that is not accounted for, and every entry that is wrong or has become useless."""
    found = {token for line in words(text) for token in tokens(line)}
    given = set(book.given.split())
    entered = given | book.facts.keys() | book.slips.keys()
    wrong = [f"{token} is not accounted for" for token in sorted(found - entered)]
    wrong += [f"{token} is accounted for, but not mentioned" for token in sorted(entered - found)]
    for token, ways in book.facts.items():
        wrong += [f"{token} is computed in {len(ways)} way only"] if len(ways) < 2 else []
        wrong += [f"{token} should be {float(value):.8g}" for value in ways if not is_written_as(value, token)]
    wrong += [
        f"{token} should be {float(value):.8g}"
        for token, value in book.slips.items()
        if not is_written_as(value, token)
    ]
    return wrong


def root(falling: Callable[[float], object], target: float, high: float = 1000, steps: int = 60) -> float:
    """Return where a falling function meets its target, by bisection."""
    low = 0.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > target else (low, middle)
    return high
