"""Every number in a question, an option, a response or a reason is computed: none is forgotten, none is stale."""

from dataclasses import replace
from fractions import Fraction

import numbers_0  # noqa: F401 - enters its accounts
import numbers_1  # noqa: F401
import numbers_2  # noqa: F401
import numbers_3  # noqa: F401
import numbers_4  # noqa: F401
import numbers_5  # noqa: F401
import numpy as np
import pytest
from accounting import ACCOUNTS, WORDS, Account, complaints, is_written_as, tokens, value_of, words

from dpteach import Pair
from dpteach.questions import texts
from dpteach.questions.kinds import Choice, Number, Option
from dpteach.questions.wording import as_plain

TEXTS = texts()
IN_WORDS = {
    "1.4",
    "2.3",
    "2.4",
    "2.5",
    "2.6",
    "2.s3",
    "2.s4",
    "3.2",
    "3.4",
    "3.7",
    "3.s1",
    "4.4",
    "4.s2",
    "5.1",
    "5.s1",
}  # their accounts, or the tests below, check the argument


@pytest.mark.parametrize("id", TEXTS)
def test_every_number_is_accounted_for(id):
    assert complaints(TEXTS[id], ACCOUNTS[id]()) == []


def test_there_is_an_account_for_every_question_and_no_other():
    assert ACCOUNTS.keys() == TEXTS.keys()


@pytest.mark.parametrize("id", [text.id for text in TEXTS.values() if isinstance(text, Number)])
def test_the_answer_of_a_number_question(id):
    """What is computed is accepted, and so is any sensible rounding of it; no slip is."""
    text, answer = TEXTS[id], float(ACCOUNTS[id]().answer)
    assert all(text.is_right(value) for value in (answer, text.answer, round(answer, 2 if answer < 1 else 0)))
    assert not any(text.is_right(slip.value) for slip in text.slips)


@pytest.mark.parametrize("id", [text.id for text in TEXTS.values() if isinstance(text, Choice)])
def test_the_right_option_is_the_nearest_to_the_answer(id):
    text, answer = TEXTS[id], ACCOUNTS[id]().answer
    assert (answer is None) == (id in IN_WORDS)
    if id in IN_WORDS:
        return
    named = [tokens(option.text) for option in text.options]
    away = [abs(float(value_of(found[-1])[0]) - float(answer)) for found in named]
    assert sorted(away)[1] > 2 * min(away) and away.index(min(away)) == text.answer - 1
    assert is_written_as(answer, named[text.answer - 1][-1])


# Questions that are answered by an argument: the argument, tried out


def test_post_processing_never_helps_a_tester():
    """Question 2.4: whatever random map is applied, every test on its output is matched by one on its input."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        pair = Pair(rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4)))
        repaired = pair.then(rng.dirichlet(np.ones(3), size=4))
        for alpha in np.linspace(0, 1, 11):
            assert repaired.tradeoff(alpha) >= pair.tradeoff(alpha) - 1e-12


def test_some_repairs_lose_nothing():
    """Question 2.4: to rename the outputs changes no error."""
    pair = Pair([0.5, 0.3, 0.2], [0.2, 0.2, 0.6])
    assert pair.then(np.eye(3)[[2, 0, 1]]).tradeoff(0.1) == pytest.approx(pair.tradeoff(0.1))


def test_blackwells_map_depends_on_the_databases():
    """Question 2.s4: for either pair of databases one map does; no single map does for both."""
    one, other = Fraction(3, 4), Fraction(1, 4)
    a = {"x": (one, other), "y": (other, one), "z": (one, other)}  # laws of A on three databases
    b = {"x": (one, other), "y": (other, one), "z": (Fraction(1, 2), Fraction(1, 2))}
    for databases in ("xy", "yz"):
        inner, outer = (Pair(*(laws[name] for name in databases)) for laws in (b, a))
        assert outer.dominates(inner) and outer.simulates(inner) is not None
    assert a["x"] == a["z"] and b["x"] != b["z"]  # one map would send equal laws to equal laws


# The bookkeeping itself


def sample(text: str) -> Choice:
    options = (Option("24", "Yes: $2 \\cdot 12$.", right=True), Option("9", "No."))
    return Choice(id="9.1", text=text, options=options, why="Because.", minutes=1, mistake="None.")


BOOK = Account(given="2 12", facts={"24": (24, Fraction(48, 2))}, slips={"9": 4 + 5})


def test_a_right_account_passes():
    assert complaints(sample("How many?"), BOOK) == []


@pytest.mark.parametrize("number", ["7", "0.5", "1/3", "5%", "$10^{-6}$", "$e^3$", r"$\sqrt{5}$", "twice", "Thirty"])
def test_a_number_that_nobody_computed_is_found(number):
    assert any("not accounted for" in told for told in complaints(sample(f"How many in {number}?"), BOOK))


@pytest.mark.parametrize(
    "book",
    [
        replace(BOOK, facts={"24": (24, 25)}),
        replace(BOOK, facts={"24": (24.6, 24.6)}),
        replace(BOOK, facts={"24": (24,)}),
        replace(BOOK, slips={"9": 8}),
        replace(BOOK, given="2 12 13"),
    ],
)
def test_a_wrong_account_is_found(book):
    assert complaints(sample("How many?"), book)


def test_how_numbers_are_read():
    told = r"$e^{-1000}$, $9/16$, $10^{-6}$, 0.5, 30%, $y_1$, $\sqrt{30}$, half of $\varepsilon^2/2$, 1-DP, $2^{-k}$"
    assert tokens(told) == ["-1000", "9/16", "10^-6", "0.5", "30%", "30", "half", "2", "2", "1", "2"]
    assert is_written_as(0.2169, "0.22") and not is_written_as(0.2251, "0.22")
    assert is_written_as(Fraction(9, 16), "9/16") and not is_written_as(0.56, "9/16")


# The texts


def test_no_question_is_answered_by_an_earlier_one():
    """Neither by its text nor by what is said when it is revealed."""
    said, numbers = "", set()
    for text in TEXTS.values():
        answer = text.options[text.answer - 1].text if text.options else f"{text.answer:g}"
        found = [token for token in tokens(answer) if token not in WORDS][-1:]
        if found and len(found[0].strip("0.")) > 1:  # a 2 may stand anywhere
            assert found[0] not in numbers, text.id
        elif not found:
            assert answer not in said, text.id
        said += " ".join(words(text))
        numbers |= {token for line in words(text) for token in tokens(line)}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_texts_are_whole(text):
    assert [as_plain(line).count("\\") + as_plain(line).count("$") for line in words(text)] == [0] * len(words(text))
    said = [text.text, text.why, text.mistake, *(option.response for option in text.options)]
    assert all(line.rstrip("$)”")[-1] in ".?!" for line in said)
    assert 1 <= text.minutes <= 4
    responses = [option.response for option in text.options] + [slip.response for slip in text.slips]
    assert len(set(responses)) == len(responses)
    assert text.options == () or len(text.options) == 4


@pytest.mark.parametrize("lecture", {text.lecture for text in TEXTS.values()} - {0})
def test_every_lecture_has_its_questions(lecture):
    of_it = [text for text in TEXTS.values() if text.lecture == lecture]
    asked = [text.id for text in of_it if not text.in_self_check]
    checked = [text.id for text in of_it if text.in_self_check]
    assert len(asked) >= 6 and len(checked) >= 5
    assert [text.id for text in of_it] == asked + checked


def test_right_answers_are_not_always_at_the_same_place():
    places = [text.answer for text in TEXTS.values() if text.options]
    assert {places.count(place) > 1 for place in (2, 3, 4)} == {True} and 1 in places


def test_known_mistakes_are_among_the_options():
    """The seven that teachers of this subject meet every year."""
    known = "adding ratios|tail = δ|law of nature|advanced is smaller|union bound = optimum|can sharpen|by replacement"
    mistakes = " ".join(text.mistake.lower() for text in TEXTS.values())
    assert [mistake for mistake in known.split("|") if mistake not in mistakes] == []
