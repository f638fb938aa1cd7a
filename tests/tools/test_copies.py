"""The student's own copies: made without outputs, renewed if nobody wrote in them, and otherwise never touched."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from dpteach.tools import copies, notebooks

CLONE = Path(__file__).resolve().parents[2]
LECTURE, TASKS = "01_basics.ipynb", "exercises/1_basics/1_basics.ipynb"
NBGRADER = {"grade": True, "grade_id": "check_sum", "locked": True, "points": 2, "checksum": "4711"}
LINKS = (
    "[first](00_start_here.ipynb#top), [tasks](../exercises/release/1_basics/1_basics.ipynb), [web](https://x.org/y)"
)
EMBEDDED = f'<img src="data:image/png;base64,{"A" * 5000}">'
PICTURE = f'<img src="../docs/plot.png" alt="a plot"> and $[0, 1](x)$, {EMBEDDED}'


def run_cell(source: str):
    """Make a code cell that has been run."""
    cell = new_code_cell(source, execution_count=7, outputs=[new_output("stream", text="0.25\n")])
    cell.metadata.slideshow = {"slide_type": "slide"}
    return cell


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """Make a kit of two lectures and an exercise."""
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path / "notebooks")
    for name, place in {"KIT": ".", "MY": "my", "RELEASE": "exercises/release"}.items():
        monkeypatch.setattr(copies, name, tmp_path / place)
    check = new_code_cell("assert total([1]) == 1", metadata={"nbgrader": NBGRADER, "deletable": False})
    save(tmp_path / "notebooks/00_start_here.ipynb", new_markdown_cell("Welcome"), run_cell("1 / 4"))
    save(
        tmp_path / "notebooks" / LECTURE, new_markdown_cell(LINKS), run_cell("x = 1\nx / 4"), new_markdown_cell(PICTURE)
    )
    save(tmp_path / "exercises/release/1_basics/1_basics.ipynb", run_cell("def total(x):\n    ..."), check)
    (tmp_path / "exercises/release/1_basics/table.csv").write_text("a,b\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "plot.png").touch()
    return tmp_path


def save(path: Path, *cells) -> None:
    """Write a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), path)


def load(path: Path):
    """Read a notebook."""
    return nbformat.read(path, 4)


def update(kit: Path, name: str = LECTURE, text: str = "The second edition") -> None:
    """Change a notebook of the kit, as an update does."""
    place = kit / "notebooks" / name if "/" not in name else kit / name.replace("exercises", "exercises/release")
    changed = load(place)
    changed.cells[0].source = text
    nbformat.write(changed, place)


def change(path: Path, do) -> bytes:
    """Change a copy, and return what is in the file then."""
    notebook = load(path)
    do(notebook)
    nbformat.write(notebook, path)
    return path.read_bytes()


def write_something(notebook) -> None:
    notebook.cells[1].source = "x = 2  # what if?"


def start(capsys, *options: str) -> str:
    """Bring the copies up to date and return what is said."""
    assert copies.main([*options]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def texts(path: Path) -> list[str]:
    return [cell.source for cell in load(path).cells]


# ---- fresh copies


def test_a_fresh_copy_has_everything_but_outputs(kit, capsys):
    assert start(capsys) == "Made in the folder my, for you to write in: 4 files.\n"
    mine, original = load(kit / "my" / LECTURE), load(kit / "notebooks" / LECTURE)
    assert [cell.metadata for cell in mine.cells] == [cell.metadata for cell in original.cells]
    assert mine.cells[1].source == original.cells[1].source
    assert (mine.cells[1].outputs, mine.cells[1].execution_count) == ([], None)
    assert (kit / "my/exercises/1_basics/table.csv").read_text() == "a,b\n"
    assert start(capsys) == ""


def test_an_exercise_is_copied_to_the_letter(kit, capsys):
    """Nbgrader looks at names, marks and checksums."""
    start(capsys)
    mine, original = load(kit / "my" / TASKS), load(kit / "exercises/release/1_basics/1_basics.ipynb")
    assert [(cell.source, cell.metadata, cell.id) for cell in mine.cells] == [
        (cell.source, cell.metadata, cell.id) for cell in original.cells
    ]
    assert mine.cells[1].metadata.nbgrader == NBGRADER and mine.cells[0].outputs == []


def test_links_lead_from_copy_to_copy_and_files_are_found(kit, capsys):
    start(capsys)
    links, _, picture = texts(kit / "my" / LECTURE)
    assert links == f"[first](00_start_here.ipynb#top), [tasks]({TASKS}), [web](https://x.org/y)"
    assert picture == PICTURE  # my is as far from docs as notebooks


def test_answers_that_got_into_the_edition_are_not_copied(kit, capsys):
    kept = {"dpteach": {"answers": {"1.1": {"choice": 3}}}, "widgets": {"state": {}}}
    change(kit / "notebooks" / LECTURE, lambda notebook: notebook.metadata.update(kept))
    start(capsys)
    assert not {"dpteach", "widgets"} & {*load(kit / "my" / LECTURE).metadata}


def test_drafts_beside_the_exercises_are_not_copied(kit, capsys):
    for name in ("Untitled.ipynb", "1_basics-Copy1.ipynb", ".ipynb_checkpoints/1_basics-checkpoint.ipynb"):
        save(kit / "exercises/release/1_basics" / name)
    save(kit / "exercises/release/.ipynb_checkpoints/x.ipynb")
    start(capsys)
    assert sorted(path.name for path in (kit / "my" / "exercises").rglob("*.*")) == ["1_basics.ipynb", "table.csv"]


def relative_links(notebook) -> list[str]:
    """List where a notebook's text leads, but for the web."""
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", re.sub(r"`[^`]*`|\$[^$]*\$", "", prose))
    return [one or two for one, two in found if ":" not in (one or two) and not (one or two).startswith("#")]


@pytest.fixture
def of_our_kit(tmp_path, monkeypatch, capsys) -> list[str]:
    """Make copies of our own notebooks, and return their names."""
    monkeypatch.setattr(copies, "MY", tmp_path / "my")
    start(capsys)
    return [name for name in copies.originals() if name.endswith(".ipynb")]


def test_our_own_notebooks_are_copied_without_outputs(of_our_kit, tmp_path):
    assert {"00_start_here.ipynb", "exercises/5_granularities/5_granularities.ipynb"} <= {*of_our_kit}
    for name in of_our_kit:
        mine, original = load(tmp_path / "my" / name), load(copies.originals()[name])
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in mine.cells)
        assert [cell.metadata for cell in mine.cells] == [cell.metadata for cell in original.cells]
        if name.startswith("exercises/"):  # so that the copy can be handed in
            assert texts(tmp_path / "my" / name) == texts(copies.originals()[name])
            assert [cell.id for cell in mine.cells] == [cell.id for cell in original.cells]
        nbformat.validate(mine)


def test_every_link_in_a_copy_of_our_own_leads_somewhere(of_our_kit, tmp_path):
    for name in of_our_kit:
        links = relative_links(load(tmp_path / "my" / name))
        for link in links:
            target = Path(os.path.normpath((tmp_path / "my" / name).parent / link.split("#")[0]))
            assert target.exists(), (name, link)
            assert target.is_relative_to(tmp_path / "my") or target.suffix != ".ipynb", (name, link)
        assert not (links and name.startswith("exercises/")), "links in exercises cannot be changed for copies"


# ---- nobody has written in it


def opened_and_run(notebook) -> None:
    """Do what JupyterLab does when a notebook is opened, run and saved."""
    notebook.metadata.kernelspec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook.metadata.language_info = {"name": "python", "version": "3.13.0", "pygments_lexer": "ipython3"}
    notebook.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": {"a": 1}}}
    for cell in notebook.cells:
        cell.metadata |= {"scrolled": True, "jupyter": {"outputs_hidden": True}}
        cell.metadata.setdefault("tags", [])
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = 3, [new_output("stream", text="live")]
            cell.metadata.execution = {"iopub.status.busy": "2031-01-01"}
    notebook.cells.append(new_code_cell())


def test_a_copy_that_was_only_run_is_renewed(kit, capsys):
    start(capsys)
    before = change(kit / "my" / LECTURE, opened_and_run)
    assert start(capsys) == "" and (kit / "my" / LECTURE).read_bytes() == before  # without an update it stays
    update(kit)
    assert start(capsys) == f"Renewed in the folder my, as you had written nothing there: {LECTURE}.\n"
    assert texts(kit / "my" / LECTURE)[0] == "The second edition"
    assert start(capsys) == ""


def test_many_renewed_copies_are_counted(kit, capsys):
    start(capsys)
    for name in ("00_start_here.ipynb", LECTURE, TASKS):
        update(kit, name)
    (kit / "exercises/release/1_basics/table.csv").write_text("a,b,c\n")
    assert start(capsys).endswith(": 4 files.\n")
    assert (kit / "my/exercises/1_basics/table.csv").read_text() == "a,b,c\n"


def test_a_copy_that_went_back_to_an_old_edition_is_renewed_again(kit, capsys):
    """As when JupyterLab is asked to overwrite the new edition with what it has on the screen."""
    start(capsys)
    old = (kit / "my" / LECTURE).read_bytes()
    update(kit)
    start(capsys)
    (kit / "my" / LECTURE).write_bytes(old)
    assert "Renewed" in start(capsys)
    assert texts(kit / "my" / LECTURE)[0] == "The second edition"


# ---- somebody has written in it


def answered(notebook) -> None:
    notebook.metadata["dpteach"] = {"answers": {"1.1": {"choice": 2}}}


def answered_in_a_cell(notebook) -> None:
    notebook.cells[1].metadata["dpteach"] = {"choice": 2}


CHANGES = {
    "text": write_something,
    "a note": lambda notebook: notebook.cells.append(new_markdown_cell("Why?")),
    "a cell deleted": lambda notebook: notebook.cells.pop(1),
    "a cell emptied": lambda notebook: notebook.cells[1].update(source=""),
    "order": lambda notebook: notebook.cells.reverse(),
    "kind": lambda notebook: notebook.cells.__setitem__(1, new_markdown_cell(notebook.cells[1].source)),
    "tag": lambda notebook: notebook.cells[0].metadata.update(tags=["mine"]),
    "slide": lambda notebook: notebook.cells[1].metadata.update(slideshow={"slide_type": "skip"}),
    "answer": answered,
    "answer in a cell": answered_in_a_cell,
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_copy_in_which_somebody_wrote_is_kept_and_the_new_edition_put_beside_it(kit, capsys, what):
    start(capsys)
    before = change(kit / "my" / LECTURE, lambda notebook: (CHANGES[what](notebook), opened_and_run(notebook)))
    assert start(capsys) == ""
    update(kit)
    told = start(capsys)
    assert told.count("\n") == 1 and told.startswith(f"Kept in the folder my, as you have written there: {LECTURE};")
    assert told.endswith("the new edition is beside it: 01_basics_new.ipynb.\n")
    assert (kit / "my" / LECTURE).read_bytes() == before
    assert texts(kit / "my" / "01_basics_new.ipynb")[0] == "The second edition"
    assert start(capsys) == ""


def test_an_exercise_in_which_somebody_wrote_is_kept_beside_its_new_edition(kit, capsys):
    start(capsys)
    before = change(kit / "my" / TASKS, lambda notebook: notebook.cells[0].update(source="def total(x): return sum(x)"))
    update(kit, TASKS)
    assert "1_basics_new.ipynb" in start(capsys)
    assert (kit / "my" / TASKS).read_bytes() == before and (kit / "my/exercises/1_basics/1_basics_new.ipynb").exists()


@pytest.fixture
def with_two_editions(kit, capsys) -> Path:
    """Write in a copy, and get the next edition beside it."""
    start(capsys)
    change(kit / "my" / LECTURE, write_something)
    update(kit)
    start(capsys)
    return kit


def test_what_is_beside_is_a_copy_like_any_other(with_two_editions, capsys):
    kit = with_two_editions
    update(kit, text="The third edition")
    assert start(capsys) == "Renewed in the folder my, as you had written nothing there: 01_basics_new.ipynb.\n"
    kept = change(kit / "my" / "01_basics_new.ipynb", write_something)
    update(kit, text="The fourth edition")
    assert "beside it: 01_basics_new_2.ipynb" in start(capsys)
    assert (kit / "my" / "01_basics_new.ipynb").read_bytes() == kept
    assert texts(kit / "my" / "01_basics_new_2.ipynb")[0] == "The fourth edition"


def test_a_new_edition_that_was_deleted_does_not_come_again_but_the_next_one_does(with_two_editions, capsys):
    kit = with_two_editions
    (kit / "my" / "01_basics_new.ipynb").unlink()
    assert start(capsys) == ""
    update(kit, text="The third edition")
    assert "01_basics_new.ipynb" in start(capsys)
    assert texts(kit / "my" / "01_basics_new.ipynb")[0] == "The third edition"


def test_a_copy_that_was_deleted_is_made_afresh(with_two_editions, capsys):
    kit = with_two_editions
    (kit / "my" / LECTURE).unlink()
    assert start(capsys) == f"Made in the folder my, for you to write in: {LECTURE}.\n"
    assert texts(kit / "my" / LECTURE)[0] == "The second edition"


def test_other_files_of_the_student_stay_as_they_are(kit, capsys):
    start(capsys)
    change(kit / "my" / LECTURE, write_something)
    for name in ("01_basics_new.ipynb", "notes.ipynb", "exercises/1_basics/solution.py"):
        (kit / "my" / name).write_text("mine")
    update(kit)
    assert "beside it: 01_basics_new_2.ipynb" in start(capsys)
    assert (kit / "my" / "01_basics_new.ipynb").read_text() == "mine"


# ---- what goes wrong


@pytest.mark.parametrize("record", [None, "", "{", "[1, 2]", '{"01_basics.ipynb": 5}'])
def test_without_a_record_nothing_is_overwritten_but_what_is_known_to_be_ours(kit, capsys, record):
    start(capsys)
    kept = change(kit / "my" / TASKS, lambda notebook: notebook.cells[0].update(source="mine"))
    place = kit / "my" / copies.RECORD
    place.unlink() if record is None else place.write_text(record)
    assert f"written there: {TASKS};" in start(capsys)
    update(kit)
    assert start(capsys) == f"Renewed in the folder my, as you had written nothing there: {LECTURE}.\n"
    assert (kit / "my" / TASKS).read_bytes() == kept


NO_NOTEBOOKS = [
    b"",
    b"hello",
    b'{"cells": [',
    b"[1, 2]",
    b"\xff\xfe",
    b'{"nbformat": 4}',
    b'{"nbformat": 4, "cells": 3}',
]


@pytest.mark.parametrize("content", NO_NOTEBOOKS)
def test_a_copy_that_is_no_notebook_any_more_is_set_aside(kit, capsys, content):
    start(capsys)
    for number, place in enumerate(["01_basics_broken.ipynb", "01_basics_broken_2.ipynb"]):
        (kit / "my" / LECTURE).write_bytes(content + b" " * number)
        told = f"my/{LECTURE} is no notebook any more: it is now my/{place}, and a fresh copy is in its place.\n"
        assert start(capsys) == told
        assert (kit / "my" / place).read_bytes() == content + b" " * number
        assert texts(kit / "my" / LECTURE)[1] == "x = 1\nx / 4"
    assert start(capsys) == ""


def test_a_new_edition_that_is_no_notebook_any_more_stays_as_it_is(with_two_editions, capsys):
    kit = with_two_editions
    (kit / "my" / "01_basics_new.ipynb").write_text("hello")
    assert start(capsys) == ""
    assert (kit / "my" / "01_basics_new.ipynb").read_text() == "hello"


def test_while_jupyterlab_is_open_nothing_changes_under_it(kit, capsys):
    start(capsys)
    before = (kit / "my" / LECTURE).read_bytes()
    change(kit / "my" / TASKS, lambda notebook: notebook.cells[0].update(source="mine"))
    update(kit)
    update(kit, TASKS)
    told = start(capsys, "--lab-is-open")
    assert f"JupyterLab is open: end it and start again to get the new edition of {LECTURE}.\n" in told
    assert (kit / "my" / LECTURE).read_bytes() == before
    assert (kit / "my/exercises/1_basics/1_basics_new.ipynb").exists()  # a new file disturbs nobody
    assert start(capsys) == f"Renewed in the folder my, as you had written nothing there: {LECTURE}.\n"


def test_an_original_that_is_no_notebook_is_told_and_the_others_are_copied(kit, capsys):
    (kit / "exercises/release/1_basics/1_basics.ipynb").write_text("<<<<<<< HEAD\n")
    told = start(capsys)
    assert told.startswith("exercises/release/1_basics/1_basics.ipynb is no notebook, so you have no new copy of it:")
    assert (kit / "my" / LECTURE).exists() and not (kit / "my" / TASKS).exists()


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(kit, capsys, monkeypatch):
    (kit / "my").write_text("a file")
    assert copies.main([]) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith(f"{kit / 'my'}") and told.err.count("\n") == 1
    assert "cannot be read or written: " in told.err


def test_a_folder_without_rights_is_told_in_a_sentence(kit, capsys):
    start(capsys)
    update(kit)
    (kit / "my").chmod(0o500)
    if os.access(kit / "my", os.W_OK):
        pytest.skip("this user may write everywhere")
    assert copies.main([]) == 1
    assert capsys.readouterr().err.endswith(" cannot be read or written: Permission denied.\n")
    (kit / "my").chmod(0o700)


def test_a_disk_that_fills_up_leaves_the_old_copy_whole(kit, capsys, monkeypatch):
    start(capsys)
    before = (kit / "my" / LECTURE).read_bytes()
    update(kit)

    def fill(path, content):
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", fill)
        assert copies.main([]) == 1
    assert capsys.readouterr().err.endswith("cannot be read or written: No space left on device.\n")
    assert (kit / "my" / LECTURE).read_bytes() == before
    assert "Renewed" in start(capsys)


def test_a_start_that_was_killed_before_its_record_was_written_loses_nothing(kit, capsys, monkeypatch):
    write = copies._write

    def killed(place, content):
        if place == copies.RECORD:
            raise KeyboardInterrupt
        write(place, content)

    monkeypatch.setattr(copies, "_write", killed)
    with pytest.raises(KeyboardInterrupt):
        copies.main([])
    monkeypatch.setattr(copies, "_write", write)
    assert start(capsys) == ""
    update(kit)
    assert "Renewed" in start(capsys)


def test_the_package_alone_has_nothing_to_copy(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path / "notebooks")
    assert copies.main([]) == 1
    assert capsys.readouterr().err == copies.NO_KIT + "\n"


# ---- it disturbs nobody


@pytest.mark.parametrize("name", ["00_start_here.ipynb", ".editions.json", "exercises/1_basics/1_basics.ipynb"])
def test_git_does_not_see_the_copies(name):
    if not shutil.which("git"):
        pytest.skip("there is no git here")
    told = subprocess.run(["git", "check-ignore", f"my/{name}"], cwd=CLONE, capture_output=True, text=True)
    if "not a git repository" in told.stderr:
        pytest.skip("this folder is no git repository")
    assert told.stdout == f"my/{name}\n"
