"""How a lecture is cut into slides, what the lecturer is told, and how its pictures are drawn anew."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from dpteach.figures.style import Picture
from dpteach.questions import texts
from dpteach.teaching.short import lectures
from dpteach.teaching.writing import plan_of
from dpteach.web.cells import part_of
from dpteach.web.deck import fingerprint, notebook_of, packed
from dpteach.web.drawings import redraw, value_of
from dpteach.web.rehearsal import timetable, words
from dpteach.web.slides import parts_of, slides_of, told_to_lecturer


def cell(source, slide="", code=False):
    made = new_code_cell(source) if code else new_markdown_cell(source)
    if slide:
        made.metadata["slideshow"] = {"slide_type": slide}
    return made


def cut(*cells):
    notebook = new_notebook(cells=list(cells))
    return slides_of(notebook, [part_of(one) for one in notebook.cells])


def test_a_slide_begins_where_the_metadata_say_so():
    made = cut(cell("# A\n\nWords.", "slide"), cell("More.", "fragment"), cell("### B\n\nWords.", "subslide"))
    assert [len(slide.blocks) for slide in made] == [2, 1]
    assert [block.step for block in made[0].blocks] == [False, True]
    assert [slide.heading for slide in made] == ["A", "B"]


def test_questions_and_explorers_have_a_slide_of_their_own():
    made = cut(
        cell("## 1. Part\n\nWords.", "slide"),
        cell('question("1.1")', "fragment", code=True),
        cell("race = BudgetRace()\nrace", "fragment", code=True),
        cell("After it.", "fragment"),
    )
    assert [slide.kind for slide in made] == ["plain", "question", "explorer", "plain"]
    assert made[1].asks == "1.1"
    assert made[3].heading == "1. Part"  # of the part, since a question begins anew


def test_skipped_cells_are_not_shown_and_notes_are_told():
    made = cut(cell("# A\n\nWords.", "slide"), cell("Only for you.", "notes"), cell("x = 1", "skip", code=True))
    assert len(made) == 1
    assert made[0].notes == ["Only for you."]


def test_what_waits_for_an_answer_is_known():
    assert [slide.after for slide in cut(cell('question("1.1").then(picture)', "subslide", code=True))] == ["1.1"]


def test_a_heading_alone_is_no_slide():
    made = cut(cell("## Check yourself", "slide"), cell('question("1.s1")', "fragment", code=True))
    assert [slide.kind for slide in made] == ["question"]


@pytest.mark.parametrize("path", lectures(), ids=lambda path: path.stem)
def test_the_lecturer_is_told_minutes_mistakes_and_proofs(path):
    notebook, plan = nbformat.read(path, as_version=4), plan_of(path)
    slides = slides_of(notebook, [part_of(one) for one in notebook.cells])
    parts = parts_of(slides, plan)
    assert sum(part["minutes"] for part in parts) == plan.minutes[0]
    assert [part["number"] for part in parts] == list(range(7))
    told = [told_to_lecturer(slide, plan) for slide in slides]
    asked = [slide.asks for slide in slides if slide.asks]
    assert len(asked) >= 8
    for slide, notes in zip(slides, told, strict=True):
        assert ("Expected mistake" in notes) == bool(slide.asks)
    proofs = {proof.slide for part in plan.parts for proof in part.proofs}
    on_board = {slide.heading for slide, notes in zip(slides, told, strict=True) if "At the board" in notes}
    assert on_board == proofs


def test_pictures_are_drawn_anew_with_the_size_of_their_smallest_print():
    code = "from dpteach.figures import basics\nbasics.laplace_loss(eps=1)"
    made = redraw(new_notebook(cells=[cell("words"), cell("1 + 1", code=True), cell(code, code=True)]))
    assert list(made) == [2]
    picture = value_of(code, {})
    assert isinstance(picture, Picture)
    assert made[2].size == tuple(72 * picture.figure.get_size_inches())
    assert 9 <= made[2].least <= 13
    assert made[2].address.startswith("data:image/svg+xml;base64,")


def test_a_lecture_has_a_number():
    assert notebook_of(2).stem == "02_hypothesis_testing"
    with pytest.raises(ValueError, match="lecture must be a number from 0 to 5, not 9"):
        notebook_of(9)


def test_slides_are_made_again_when_the_notebook_changes(tmp_path):
    one, two = tmp_path / "a.ipynb", tmp_path / "b.ipynb"
    one.write_text("1")
    two.write_text("2")
    assert fingerprint(one) == fingerprint(one) != fingerprint(two)


def test_no_answer_can_be_read_in_what_the_script_gets():
    assert "That adds the ratios" not in packed({"said": "That adds the ratios"})


def test_words_are_counted_as_they_are_read_aloud():
    assert words("One two $x^2 + y$ three.") == 3 + 3
    assert words("| a | b |\n|---|---|\nOne.") == 1


@pytest.mark.parametrize("path", lectures(), ids=lambda path: path.stem)
def test_the_plan_of_each_part_is_near_what_it_takes(path):
    rows = timetable(path).rows
    assert sum(row[1] for row in rows[:-1]) == rows[-1][1] == 75
    asked = [text for text in texts().values() if text.lecture == int(path.stem[:2]) and not text.in_self_check]
    assert sum(text.minutes for text in asked) == sum(row[4] for row in rows[:-1])
    assert not [row for row in rows[:-1] if row[2] > row[1] + 1]
