"""What a student reads: captions that begin with one short sentence, in plain words, and numbers as one writes them."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from exploring import set_at_random
from mpmath import mp

from dpteach import explore
from dpteach.curve import VACUOUS
from dpteach.explore.base.words import brief, from_log, six_digits, tell

NAMES = [name for name in explore.__all__ if name != "Explorer"]
JARGON = re.compile(r"e\^|\d[eE][+-]?\d|\beps\b|kov_|\bnan\b|\binf\b|None")
LONGEST = 150  # letters of the first line; two lines on a laptop
WIDEST = 36  # letters of a preset, which a list of them shows in full


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (0.25, "0.25"), (1e-4, "0.0001"), (1e-6, "10⁻⁶"), (3.2e-9, "3.2 · 10⁻⁹"), (-2e-7, "-2 · 10⁻⁷"),
        (1e16, "10¹⁶"), (1234567.0, "1.23457 · 10⁶"), (1 / 3, "0.333333"), (math.inf, "∞"), (VACUOUS, "vacuous"),
        (Fraction(1, 10**7), "10⁻⁷"), (np.float64(1e-12), "10⁻¹²"),
    ],
)  # fmt: skip
def test_numbers_are_written_by_hand(value, words):
    assert six_digits(value) == words


def test_numbers_are_said_with_four_digits_and_fractions_in_full():
    assert (brief(0.123456), brief(1e-6), brief(VACUOUS)) == ("0.1235", "10⁻⁶", "vacuous")
    assert (tell(Fraction(5, 2)), tell(Fraction(1, 10**7)), tell(math.inf)) == ("5/2 = 2.5", "10⁻⁷", "∞")


@pytest.mark.parametrize("logarithm", [-5744.3, -700.0, -1.0, -1e6])
def test_numbers_that_are_no_floats(logarithm):
    mantissa, exponent = from_log(logarithm).split(" · 10⁻")
    digits = int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in exponent))
    with mp.workdps(40):
        assert mp.log(mp.mpf(mantissa)) - digits * mp.log(10) == pytest.approx(logarithm, abs=1e-5)
    assert from_log(-math.inf) == "0"


def everything_said(name):
    """Yield the captions of an explorer: of its presets, and of settings drawn at random."""
    kind = getattr(explore, name)
    for preset in (None, *kind.presets):
        yield kind(preset).text
    explorer = kind()
    rng = np.random.default_rng(4)
    for _ in range(6):
        set_at_random(explorer, rng)
        yield explorer.text


@pytest.mark.parametrize("name", NAMES)
def test_a_caption_begins_with_one_short_sentence_without_jargon(name):
    for text in everything_said(name):
        if text.startswith("Impossible settings"):
            continue
        first, _, rest = text.partition("\n")
        assert len(first) <= LONGEST, first
        assert first.endswith(".") and not re.search(r"[.?!] [A-Z]", first), first
        assert re.search(r"\d", first) or "vacuous" in first or "No " in first, first  # the number that matters
        assert rest and text.endswith("."), text
        assert not JARGON.search(text), text


@pytest.mark.parametrize("name", NAMES)
def test_labels_and_presets_can_be_read(name):
    kind = getattr(explore, name)
    words = [kind().question, kind.xlabel, kind.ylabel, *kind.presets]
    words += [control.label for control in kind.controls.values()]
    assert not any(JARGON.search(word) for word in words), words
    assert max(map(len, kind.presets)) <= WIDEST


@pytest.mark.parametrize("name", NAMES)
def test_words_in_the_picture_can_be_read(name):
    kind = getattr(explore, name)
    for preset in (None, *kind.presets):
        explorer = kind(preset)
        drawn = explorer.sheet(explorer._state()[0]).json()["panels"]
        words = [text for text in every_text(drawn) if not text.startswith("#")]  # a colour may be #e69f00
        assert words and not any(JARGON.search(text) for text in words), words


def every_text(value):
    """Yield all texts in lists and dictionaries."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from every_text(part)
