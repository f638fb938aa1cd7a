"""A question asked, answered, revealed: what it shows when, what it keeps, and what it opens."""

import json
import subprocess
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

from dpteach import Table
from dpteach.questions import question, texts
from dpteach.questions.asking import REVEALED, Question
from dpteach.questions.kinds import Choice, Number, Option, Slip
from dpteach.questions.wording import as_html, as_plain

COMMON = dict(text="How many?", why="Because $x^2$.", minutes=1, mistake="None.")
TWO = (Option("four", "No: *too few*."), Option("$5$", "Yes.", right=True))
SLIPS = (Slip(4, "That is four."),)


def choice() -> Question:
    return Question(Choice(id="9.1", options=TWO, **COMMON))


def number() -> Question:
    rest = dict(right="Yes.", slips=SLIPS, otherwise="Count again.")
    return Question(Number(id="9.2", answer=5, within=0.2, unit="people", **rest, **COMMON))


def forms(asked: Question) -> dict[str, str]:
    """Return everything that a page may hold of a question: text, HTML, and the state of its widget."""
    data, _ = asked._repr_mimebundle_()
    state = {key: value for key, value in asked.widget.get_state().items() if key in ("asked", "told", "kept")}
    return {"text": data["text/plain"], "html": data["text/html"], "live": json.dumps(state, ensure_ascii=False)}


# What is shown


def test_an_open_question_holds_no_answer():
    for asked in (*map(Question, texts().values()), choice(), number()):
        text = asked.text
        secrets = [text.why, *(option.response for option in text.options), *(slip.response for slip in text.slips)]
        for form in forms(asked).values():
            assert not [said for said in secrets if as_html(said) in form or as_plain(said) in form]
            assert "✓" not in form and "Answer" not in form and (text.options or f"{text.answer:g}" not in form)
        assert asked.widget.told == {"choice": None, "revealed": False, "hands": {}}


def test_an_open_question_shows_its_text_and_its_options():
    for form in forms(choice()).values():
        assert "How many?" in form and "four" in form and "5" in form
    assert repr(choice()) == "Question 9.1. How many?\n  1  four\n  2  5"


def test_a_choice_is_told_what_it_means_and_no_more():
    for form in forms(choice().choose(1)).values():
        assert "too few" in form and "Yes" not in form and "Because" not in form and "✓" not in form
    assert choice().choose(1).response == "No: *too few*."


def test_a_right_choice_is_told_why():
    assert "Because" in forms(choice().choose(2))["live"]


def test_a_revealed_question_tells_everything():
    told = repr(choice().choose(1).reveal()).splitlines()
    assert told == [
        "Question 9.1. How many?",
        "  1  four",
        "       No: too few.",
        "  2 ✓  5",
        "       Yes.",
        "Your answer: 1. No: too few.",
        "Answer: 2, 5. Because x².",
    ]
    assert all("Because" in form and "Yes." in form for form in forms(choice().reveal()).values())


def test_a_revealed_number_tells_its_slips():
    told = repr(number().reveal()).splitlines()
    assert told == ["Question 9.2. How many?", "Answer: 5 people. Because x².", "  4: That is four."]
    assert all("That is four." in form for form in forms(number().reveal()).values())


@pytest.mark.parametrize(
    ("given", "response"),
    [
        (5, "Yes."),
        (5.2, "Yes."),
        (4.9, "Yes."),
        (4, "That is four."),
        (7, "Too large. Count again."),
        (0, "Too small. Count again."),
    ],
)
def test_numbers_are_told_what_they_mean(given, response):
    assert number().choose(given).response == response


def test_hands_are_shown():
    asked = choice().count(before=[3, 1]).count(after=[0, 4])
    assert "Hands: before the discussion 3, 1; after the discussion 0, 4." in repr(asked)
    assert asked.widget.told["hands"] == {"before": [3, 1], "after": [0, 4]}


def test_forms_are_the_same_on_every_run():
    code = "from dpteach import question; q = question('2.2').reveal(); print(q, q._repr_mimebundle_()[0]['text/html'])"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)]
    assert runs[0] == runs[1] and "0.225" in runs[0]


# What is kept


def test_the_notebook_keeps_choice_and_hands_not_that_it_was_revealed():
    asked = choice().choose(1).count(before=[1, 2]).reveal()
    assert asked.kept() == {"choice": 1, "hands": {"before": [1, 2]}} == asked.widget.kept
    again = choice()
    again.restore(json.loads(json.dumps(asked.kept())))
    assert (again.choice, again.hands, again.revealed) == (1, {"before": [1, 2]}, False)
    assert again.reset().kept() == {} and again.widget.told == {"choice": None, "revealed": False, "hands": {}}


@pytest.mark.parametrize(
    "kept",
    [{}, {"choice": 3}, {"choice": "1"}, {"choice": None, "hands": 3}, {"hands": {"before": [1], "self": 2}}, {"x": 1}],
)
def test_what_makes_no_sense_any_more_is_dropped(kept):
    asked = choice()
    asked.restore(kept)
    assert asked.kept() == {}


# The cell that waits for the answer


@pytest.fixture
def shown(monkeypatch):
    """Return the list of what is displayed, as (things, display id, whether it replaces something)."""
    seen = []

    def display(*things, display_id=None, update=False, raw=False):
        seen.append((things, display_id, update))

    monkeypatch.setattr("IPython.display.display", display)
    return seen


def test_nothing_is_shown_before_the_answer(shown):
    asked, table = choice(), Table([(5,)], ["people"])
    waiting = asked.then(table)
    assert repr(waiting).startswith("First choose in question 9.1.") and 'question("9.1").reveal()' in repr(waiting)
    waiting._ipython_display_()
    (((words,), place, update),) = shown
    assert words["text/plain"] == repr(waiting) and not update
    asked.choose(1)
    assert shown[1:] == [((table,), place, True)]
    assert asked.then(table) is table
    asked.choose(2)
    assert len(shown) == 2  # shown once


@pytest.mark.parametrize("answer", [lambda asked: asked.choose(1), lambda asked: asked.reveal()])
def test_any_answer_opens_what_waits(shown, answer):
    asked = choice()
    for number in (1, 2):
        asked.then(number)._ipython_display_()
    answer(asked)
    assert {things[0] for things, _, update in shown if update} == {1, 2}


def test_an_answer_that_is_restored_opens_what_waits(shown):
    asked = choice()
    asked.then("thing")._ipython_display_()
    asked.widget._heard(asked.widget, {"do": "restore", "kept": {"choice": 2}}, [])
    assert shown[-1][0] == ("thing",)


def test_in_a_shell_the_last_line_shows_the_reminder_then_the_thing(capsys):
    shell = InteractiveShell()
    shell.run_cell("from dpteach import question\nquestion('1.s5').reset().then('the thing')")
    assert "First choose in question 1.s5." in capsys.readouterr().out
    shell.run_cell("question('1.s5').reveal().then('the thing')")
    assert "the thing" in capsys.readouterr().out
    question("1.s5").reset()


def test_where_notebooks_are_checked_everything_is_revealed(monkeypatch):
    assert not choice().revealed
    for name, value in REVEALED.items():
        monkeypatch.setenv(name, value)
    assert choice().revealed and choice().then(5) == 5


# What the browser says


def test_the_widget_hears(shown):
    asked = choice()
    for message in [
        {"do": "choose", "given": 1},
        {"do": "count", "before": [1, 2], "after": None},
        {"do": "reveal"},
        {"do": "something else"},
        {},
    ]:
        asked.widget._heard(asked.widget, message, [])
    assert (asked.choice, asked.revealed, asked.hands) == (1, True, {"before": [1, 2]})
    assert asked.widget.told["answer"] == 2 and asked.widget.told["right"] is False
    asked.widget._heard(asked.widget, {"do": "reset"}, [])
    assert asked.kept() == {} and not asked.revealed


# What is refused


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: question("1.33"), 'id must be the number of a question, such as "1.3", "1.s3", '),
        (lambda: question(1.3), "id must be the number of a question"),
        (lambda: question([1]), "id must be the number of a question"),
        (lambda: choice().choose(3), "the choice in question 9.1 must be a whole number from 1 to 2, not 3"),
        (lambda: choice().choose("1"), "the choice in question 9.1 must be a whole number from 1 to 2, not '1'"),
        (lambda: number().choose("x"), "the answer to question 9.2 must be one number, not 'x'"),
        (lambda: number().choose(float("nan")), "the answer to question 9.2 must be one number, not nan"),
        (lambda: number().count(before=[1]), "question 9.2 must have options to count hands for"),
        (lambda: choice().count(before=[1]), r"before must be a list of 2 numbers of hands, not \[1\]"),
        (lambda: choice().count(after=[1, -1]), "each number of hands in after must be a whole number from 0 "),
        (lambda: choice().then(None), r"then\(\) must be given something to show, .* not None"),
        (lambda: Choice(id="1,3", options=TWO, **COMMON), 'id must look like "1.3"'),
        (lambda: Choice(id="1.3", options=TWO[:1], **COMMON), "question 1.3 must have 2 to 4 options"),
        (
            lambda: Number(id="1.3", answer=4.1, within=0.2, right="", slips=SLIPS, otherwise="", **COMMON),
            "the slips of question 1.3 must be told apart",
        ),
    ],
)
def test_refusals_are_one_sentence(wrong, words):
    with pytest.raises(ValueError, match=words) as refused:
        wrong()
    assert "\n" not in str(refused.value)


# The house


def test_a_question_is_the_same_object_in_every_cell():
    assert question("1.1") is question("1.1")


def test_importing_dpteach_loads_no_question_and_asking_loads_no_widget():
    code = """
import sys, dpteach
assert "dpteach.questions" not in sys.modules
from dpteach import question
repr(question("1.1").choose(1))
assert not {"anywidget", "ipywidgets", "matplotlib", "scipy"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"$\varepsilon = 10^{-6}$", "ε = 10⁻⁶"),
        (r"$\frac{e^{\varepsilon} - 1}{2}$", "(e^ε - 1)/2"),
        (r"$\varepsilon \sqrt{2 k \ln(1/\delta)}$", "ε √(2 k ln(1/δ))"),
        (r"$\sqrt{k}\, \varepsilon \le 2^{-k}$", "√k ε ≤ 2^-k"),
        ("$P(y_1 | y_2)$ and $P_{FA}$", "P(y₁ | y₂) and P_FA"),
        ("**bold**, *thin*, `code`", "bold, thin, code"),
        (r"$\unknown$", r"\unknown"),
    ],
)
def test_formulas_on_one_line(latex, plain):
    assert as_plain(latex) == plain


def test_html_is_escaped():
    assert as_html("1 < 2 & $a < b$, *thin*") == "1 &lt; 2 &amp; $a &lt; b$, <em>thin</em>"
