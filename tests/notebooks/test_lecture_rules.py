"""What a lecture must keep beside the rules for all notebooks, and that these rules can tell good from bad."""

import pytest
from nbformat import v4
from notebooks.test_rules import NOTEBOOKS, code, complaints, prose, shown

from dpteach.questions import texts
from dpteach.tools import lecture_rules
from dpteach.tools.lecture_rules import asked, is_lecture, rules_for, told_in
from dpteach.tools.notebooks import as_written, parse
from dpteach.tools.rules import RULES, place

LECTURES = [path for path in NOTEBOOKS if is_lecture(path)]
IN_CLASS = [id for id in texts() if id.startswith("1.") and ".s" not in id][:6]
AT_THE_END = [id for id in texts() if id.startswith("1.s")]


def ask(id):
    return code(f'question("{id}")')


def answer(id, *lines):
    return code("\n".join([*lines, f'question("{id}").then(picture)']))


LECTURE = [cell for id in IN_CLASS for cell in (ask(id), answer(id))] + [ask(id) for id in AT_THE_END]


def read(path):
    return as_written(parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
@pytest.mark.parametrize("rule", lecture_rules.LECTURE_RULES, ids=lambda rule: rule.__name__)
def test_every_lecture_keeps_every_rule(path, rule):
    notebook = read(path)
    assert not [f"{place(notebook, i)}: {told}" for i, told in rule(notebook)]


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_no_question_is_answered_earlier_in_the_course(path):
    earlier = [read(before) for before in NOTEBOOKS if before.stem < path.stem and not before.stem.endswith("_paper")]
    told = {id: told_in(earlier, id) for _, id in asked(read(path))}
    assert not {id: words for id, words in told.items() if words}


def test_a_lecture_is_a_notebook_with_a_companion(tmp_path):
    lecture, companion = tmp_path / "01_basics.ipynb", tmp_path / "01_basics_paper.ipynb"
    assert rules_for(lecture) == RULES
    companion.touch()
    assert rules_for(lecture) == [*RULES, *lecture_rules.LECTURE_RULES]
    assert rules_for(companion) == RULES


@pytest.mark.parametrize("rule", lecture_rules.LECTURE_RULES, ids=lambda rule: rule.__name__)
def test_a_good_lecture_passes(rule):
    assert not complaints(rule, *LECTURE)


@pytest.mark.parametrize(
    ("rule", "cells"),
    [
        (lecture_rules.few_cells, [prose("short") for _ in range(71)]),
        (lecture_rules.few_words, [prose("word " * 2501)]),
        (lecture_rules.few_cards, [code('claim("STK-Basic")\n' * 6)]),
        (
            lecture_rules.few_explorers,
            [code("from dpteach.explore import A, B"), code("A(), A(), B(), B()")],
        ),
        (lecture_rules.answers_short, [ask("1.1"), answer("1.1", *["x"] * 6)]),
        (lecture_rules.questions_asked, LECTURE[2:]),
        (lecture_rules.questions_asked, LECTURE[:-1]),
        (lecture_rules.questions_asked, [*LECTURE, ask("1.1")]),
        (lecture_rules.questions_asked, [*LECTURE, ask("1.99")]),
        (lecture_rules.answers_gated, [answer("1.1"), ask("1.1")]),
        (lecture_rules.answers_gated, [ask("1.1"), prose("and so on")]),
    ],
)
def test_a_bad_lecture_is_refused(rule, cells):
    assert complaints(rule, *cells)


@pytest.mark.parametrize("earlier", [prose("It was 966.2."), code("x", shown("966")), code("x = 966")])
def test_an_answer_in_an_earlier_cell_is_seen(earlier):
    """Question 1.8 asks for a number that is about 966."""
    assert complaints(lecture_rules.answers_untold, earlier, ask("1.8"))
    assert not complaints(lecture_rules.answers_untold, ask("1.8"), earlier)


def test_an_answer_in_words_is_seen():
    """Question 2.4 has an answer without numbers."""
    words = texts()["2.4"].options[texts()["2.4"].answer - 1].text
    assert complaints(lecture_rules.answers_untold, prose(f"We see {words.upper()}!"), ask("2.4"))
    assert told_in([v4.new_notebook(cells=[prose(words)])], "2.4")
    assert not told_in([v4.new_notebook(cells=[prose("nothing")])], "2.4")


def test_numbers_that_the_question_itself_mentions_tell_nothing():
    told = {number.written for id in texts() for number in lecture_rules.telling_numbers(id)}
    assert "966" in told and not told & {"0", "1", "2"}
