"""The lectures of 55 minutes: what the tag `long` leaves over is a lecture that works."""

import pytest
from nbformat import v4
from notebooks.test_rules import code, prose

from dpteach.teaching import main
from dpteach.teaching.short import LONG, explorers, is_long, lectures, left_out, read, sections, short
from dpteach.tools.lecture_rules import answers_gated, answers_untold, asked
from dpteach.tools.notebooks import FOLDER, difference, normal_form, run
from dpteach.tools.rules import faults, numbers_supported, run_in_order, slides_marked

LECTURES = lectures()
every_lecture = pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)


@every_lecture
def test_the_short_lecture_runs_and_shows_what_the_long_one_shows(path):
    """From a fresh kernel, every cell that is left gives the output that is stored."""
    stored = short(read(path))
    fresh = run(normal_form(stored), path.parent)
    both = zip(stored.cells, fresh.cells, strict=True)
    changed = [difference(old.get("outputs", []), new.get("outputs", [])) for old, new in both]
    assert not any(changed), changed


@every_lecture
def test_the_short_lecture_keeps_the_rules(path):
    """No answer without its question, no number that no cell prints."""
    assert not faults(
        short(read(path)), [run_in_order, slides_marked, answers_gated, answers_untold, numbers_supported]
    )


@every_lecture
def test_the_short_lecture_has_all_five_parts(path):
    """Each part keeps its heading, a question, and a proof or a slide that says what it means."""
    cut = sections(short(read(path)))
    assert [section.number for section in cut] == [0, 1, 2, 3, 4, 5, 6]
    assert [section.title for section in cut] == [section.title for section in sections(read(path))]
    for section in cut[1:6]:
        assert asked(v4.new_notebook(cells=section.cells)), section.title


@every_lecture
def test_enough_is_left_out(path):
    """The self-check, and at least a fifth of all cells."""
    notebook = read(path)
    assert not [id for _, id in asked(short(notebook)) if ".s" in id]
    assert sum(map(is_long, notebook.cells)) >= len(notebook.cells) / 5


def test_what_is_left_out_is_told():
    long = {"metadata": {"tags": [LONG]}}
    cells = [
        v4.new_markdown_cell("## 1. First", metadata={"tags": []}),
        v4.new_markdown_cell("### A lemma\n\nIt holds.", **long),
        v4.new_code_cell('question("1.5")', **long),
        v4.new_code_cell('question("1.5").then(figures.worst(1))', **long),
        v4.new_code_cell("BudgetRace()", **long),
        v4.new_code_cell('claim("STK-Basic")', **long),
        v4.new_code_cell("figs.tails(1)", **long),
        v4.new_code_cell("Table(rows)", **long),
        v4.new_code_cell("kept()"),
    ]
    (_, part) = sections(v4.new_notebook(cells=cells))
    told = ["the slide “A lemma”", "question 1.5", "the explorer `BudgetRace`", "the card `STK-Basic`"]
    assert left_out(part, ["BudgetRace"]) == [*told, "the picture `tails`", "the table after it"]


def test_sections_are_cut_at_headings():
    cells = [prose("# Title"), prose("## 1. One"), code("x"), prose("### Not a part"), prose("## In five sentences")]
    cut = sections(v4.new_notebook(cells=[*cells, prose("## Check yourself")]))
    assert [(section.number, section.title, len(section.cells)) for section in cut] == [
        (0, "Opening", 1),
        (1, "One", 3),
        (2, "Ending", 2),
    ]


def test_the_command_writes_them(tmp_path, capsys):
    assert main(["--short", str(tmp_path / "new")]) == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == [f"{path.stem}_55_minutes.ipynb" for path in LECTURES]
    assert not any(map(is_long, read(tmp_path / "new" / names[0]).cells))
    assert capsys.readouterr().out.count("is written") == len(LECTURES)


def test_a_folder_that_cannot_be_made_is_told(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert main(["--short", str(tmp_path / "file" / "inside")]) == 2
    assert "cannot be read or written" in capsys.readouterr().err


def test_explorers_are_found():
    assert explorers(read(FOLDER / "01_composition_basics.ipynb")) == ["BudgetRace", "NoisePlanner", "PrivacyLoss"]
