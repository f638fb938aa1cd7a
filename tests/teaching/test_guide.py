"""The teacher's guide: it is up to date, complete, and says nothing that the lectures do not say."""

import re

import pytest

from dpteach import teaching
from dpteach.questions import texts
from dpteach.teaching.exercises import RELEASE, tasks
from dpteach.teaching.paper import anchor
from dpteach.teaching.short import explorers, lectures, read, sections, short
from dpteach.teaching.writing import IDEA, guide, ideas, ids_in, plan_of, title_of
from dpteach.tools.lecture_rules import asked
from dpteach.tools.rules import code_numbers, is_supported, numbers_in, printed_numbers, without_references

LECTURES = lectures()
every_lecture = pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)


def test_the_committed_guide_is_up_to_date(capsys):
    assert teaching.main(["--check"]) == 0, "run python -m dpteach guide"
    assert "is up to date" in capsys.readouterr().out


def test_an_old_guide_is_told_and_renewed(tmp_path, monkeypatch, capsys):
    old = tmp_path / "teaching.md"
    old.write_text("as it was")
    monkeypatch.setattr(teaching, "GUIDE", old)
    assert teaching.main(["--check"]) == 1 and old.read_text() == "as it was"
    assert "is out of date" in capsys.readouterr().out
    assert teaching.main([]) == 0 and old.read_text(encoding="utf-8") == guide()


@every_lecture
def test_the_minutes_add_up(path):
    plan = plan_of(path)
    assert plan.minutes == (75, 55)
    assert all(part.short <= part.minutes for part in plan.parts) and plan.ending[1] <= plan.ending[0]


@every_lecture
def test_the_questions_leave_time_for_the_rest(path):
    """At most half of a part, in the long lecture and in the short one."""
    plan, notebook = plan_of(path), read(path)
    for cut, minutes in [
        (sections(notebook), [part.minutes for part in plan.parts]),
        (sections(short(notebook)), [part.short for part in plan.parts]),
    ]:
        for section, available in zip(cut[1:6], minutes, strict=True):
            taken = sum(texts()[id].minutes for id in ids_in(section))
            assert taken <= available / 2, section.title


@every_lecture
def test_nothing_is_forgotten(path):
    """Every question in class has something to say, every explorer something to ask, every exercise its part."""
    plan, notebook = plan_of(path), read(path)
    assert list(plan.say) == [id for _, id in asked(notebook) if ".s" not in id]
    assert set(plan.explorers) == set(explorers(notebook))
    assert sorted(number for part in plan.parts for number in part.tasks) == sorted(tasks(plan.lecture))
    assert len(IDEA.findall(ideas(notebook))) == len(plan.parts) == 5


@every_lecture
def test_every_proof_is_on_a_slide_of_its_part(path):
    for section, part in zip(sections(read(path))[1:6], plan_of(path).parts, strict=True):
        prose = [cell.source for cell in section.cells if cell.cell_type == "markdown"]
        headings = {line.lstrip("# ") for text in prose for line in text.splitlines() if line.startswith("#")}
        assert part.proofs and {proof.slide for proof in part.proofs} <= headings


def own_words(plan):
    """Yield what the guide says by itself."""
    yield plan.before
    yield from plan.say.values()
    yield from plan.explorers.values()
    yield from plan.wrong
    yield from (step for part in plan.parts for proof in part.proofs for step in proof.steps)


@every_lecture
def test_every_number_is_one_of_the_lecture(path):
    """Numbers in the guide's own words are printed by a cell of the lecture, and so computed there."""
    notebook = read(path)
    known = printed_numbers(notebook), code_numbers(notebook)
    for words in own_words(plan_of(path)):
        for number in numbers_in(without_references(words)):
            assert is_supported(number, *known), words


@every_lecture
def test_every_question_is_told_with_all_its_answers(path):
    written = guide()
    for _, id in asked(read(path)):
        text = texts()[id]
        responses = [option.response for option in text.options] + [slip.response for slip in text.slips]
        assert f"#### {id} (" in written and all(response in written for response in responses)


def test_its_links_lead_somewhere():
    written = guide()
    links = re.findall(r"\]\(([^)\s]+)\)", written)
    files = [link for link in links if not link.startswith("#")]
    assert files and all((teaching.GUIDE.parent / link).exists() for link in files)
    headings = {anchor(line.lstrip("# ")) for line in written.splitlines() if line.startswith("#")}
    assert {link[1:] for link in links if link.startswith("#")} <= headings


@every_lecture
def test_titles_and_exercises_are_read(path):
    plan = plan_of(path)
    assert title_of(read(path)).startswith(f"Lecture {plan.lecture}: ")
    (source,) = RELEASE.glob(f"{plan.lecture}_*/*.ipynb")
    stated = re.search(r"(\d+) points, about \d+ minutes", read(source).cells[0].source)
    assert sum(task.points for task in tasks(plan.lecture).values()) == int(stated[1])


def test_it_becomes_a_page_whose_links_work(tmp_path):
    file = tmp_path / "guide.html"
    assert teaching.main([str(file)]) == 0
    made = file.read_text(encoding="utf-8")
    assert "$" not in re.sub(r"<svg.*?</svg>|<code>.*?</code>", "", made, flags=re.S)  # every formula is drawn
    inside = re.findall(r'href="#([^"]+)"', made)
    assert len(inside) >= len(LECTURES) and all(f'id="{name}"' in made for name in inside)


def test_without_a_kit_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(teaching, "edition", list)
    assert teaching.main([]) == 1
    assert "There is no kit here" in capsys.readouterr().err


def test_what_cannot_be_written_is_told(tmp_path, capsys):
    assert teaching.main([str(tmp_path / "guide.doc")]) == 2
    assert "must end in .html or .pdf" in capsys.readouterr().err
