"""Running notebooks: the command that renews them, and the comparison that nbval makes of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from nbformat import v4

from dpteach.tools import notebooks
from dpteach.tools.notebooks import difference, is_normal, main, normal_form, parse, same_text, unparse

ROOT = Path(__file__).resolve().parents[2]
NBVAL = "--nbval --nbval-current-env --nbval-cell-timeout 600 -q -p no:cacheprovider -p no:xdist".split()
SLIDE = {"slideshow": {"slide_type": "slide"}}
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

# What the cells below use: a way to show anything, and a widget that shows picture and text, as our explorers do.
TOOLS = f"""\
import sys, warnings
import ipywidgets
from IPython.display import display
def show(mime, text):
    display({{mime: text}}, raw=True)
class Explorer(ipywidgets.VBox):
    def _repr_mimebundle_(self, **kwargs):
        data = super()._repr_mimebundle_(**kwargs) | {{"text/plain": "delta is 0.25", "image/png": "{DOT}"}}
        return data, {{"image/png": {{"alt": "a dot"}}}}
"""
USE_TOOLS = "from tools import *"


def printed(text, name="stdout"):
    return v4.new_output("stream", name=name, text=text)


def result(text):
    return v4.new_output("execute_result", {"text/plain": text}, execution_count=1)


def shown(mime, text):
    return v4.new_output("display_data", {mime: text})


def picture(alt="a dot", text="delta is 0.25"):
    data = {"image/png": DOT, "text/plain": text}
    return v4.new_output("execute_result", data, metadata={"image/png": {"alt": alt}}, execution_count=1)


def cell(source, *outputs, **options):
    return v4.new_code_cell(source, outputs=list(outputs), **{"execution_count": 1, "metadata": SLIDE, **options})


def write(path, *cells):
    path.with_name("tools.py").write_text(TOOLS, encoding="utf-8")
    path.write_text(unparse(v4.new_notebook(cells=list(cells))), encoding="utf-8")
    return path


def nbval(path):
    """Let nbval check a notebook; return for every code cell an empty text or nbval's complaint."""
    shutil.copy(ROOT / "notebooks" / "conftest.py", path.parent)
    command = [sys.executable, "-m", "pytest", *NBVAL, "--junitxml=report.xml", path.name]
    subprocess.run(command, cwd=path.parent, capture_output=True, env=os.environ | {"PYTEST_ADDOPTS": ""})
    found = ElementTree.parse(path.parent / "report.xml").iter("testcase")
    return [(case.find("failure").text if case.find("failure") is not None else "") for case in found]


TAGS = ["nbval-ignore-output", "nbval-skip", "raises-exception"]
CELLS = [  # what it is about, the cell, a word of nbval's complaint if it must fail
    ("set-up", cell(USE_TOOLS), ""),
    ("a number changed by 1e-7", cell("print('x', 0.3)", printed("x 0.30000003\n")), ""),
    ("a number changed by 2e-6", cell("print('x', 0.3)", printed("x 0.3000006\n")), "0.3000006"),
    ("a result changed by 1e-7", cell("12.5", result("12.50000125")), ""),
    ("a result changed by 2e-6", cell("12.5", result("12.500025")), "12.500025"),
    ("a whole number changed", cell("10_000_000", result("10000001")), "10000001"),
    ("a changed word", cell("print('neighbours')", printed("neighbors\n")), "neighbors"),
    ("an exception", cell("1 / 0"), "ZeroDivisionError"),
    ("an exception that was stored", cell("1 / 0", v4.new_output("error", ename="E", evalue="")), "ZeroDivisionError"),
    ("an extra output", cell("print(1); 2", printed("1\n")), "text/plain"),
    ("a missing output", cell("_ = 2", result("2")), "nothing"),
    ("a missing picture", cell("'dot'", picture(text="'dot'")), "image/png"),
    ("HTML changed by 1e-7", cell("show('text/html', '<b>0.5')", shown("text/html", "<b>0.50000005")), ""),
    ("HTML changed by 2e-6", cell("show('text/html', '<b>0.5')", shown("text/html", "<b>0.500001")), "0.500001"),
    ("HTML with another tag", cell("show('text/html', '<b>0.5')", shown("text/html", "<i>0.5")), "<i>"),
    ("another drawing", cell("show('image/svg+xml', '<svg/>')", shown("image/svg+xml", "<svg></svg>")), ""),
    ("a semicolon", cell("3;"), ""),
    ("stderr", cell("print('oh', file=sys.stderr)", printed("oh\n", "stderr")), "oh"),
    ("a warning", cell("warnings.warn('careful')", printed("careful", "stderr")), "careful"),
    ("a widget", cell("Explorer()", picture()), ""),
    ("a widget with another description", cell("Explorer()", picture("two dots")), "two dots"),
    ("a widget with another caption", cell("Explorer()", picture(text="delta is 0.26")), "0.26"),
    ("a print inside a widget", cell("with ipywidgets.Output():\n    print(1); display(2)\n3", result("3")), ""),
    ("an error inside a widget", cell("with ipywidgets.Output():\n    1 / 0"), "ZeroDivisionError"),
    ("an error in a callback", cell("_ = ipywidgets.interactive(lambda x: 1 / x, x=(0, 0))"), "ZeroDivisionError"),
    ("a warning inside a widget", cell("with ipywidgets.Output():\n    warnings.warn('hush')"), "hush"),
    ("a cell that was never run", cell("4", execution_count=None), "never run"),
    ("tags that ask for mercy", cell("5", result("6"), metadata={"tags": TAGS[:1]}), "6"),
    ("a tag that asks to be left out", cell("5", result("6"), metadata={"tags": TAGS[1:2]}), "6"),
    ("a tag that allows errors", cell("1 / 0", metadata={"tags": TAGS[2:]}), "ZeroDivisionError"),
    ("a comment that asks for mercy", cell("# NBVAL_IGNORE_OUTPUT\n5", result("6")), "6"),
]


def test_nbval_has_teeth(tmp_path):
    complaints = nbval(write(tmp_path / "made_up.ipynb", *(cell for _, cell, _ in CELLS)))
    assert len(complaints) == len(CELLS)
    for (name, _, word), complaint in zip(CELLS, complaints, strict=True):
        assert bool(complaint) == bool(word) and word in complaint, f"{name}: {complaint or 'passed'}"


def test_questions_are_stored_and_checked_revealed(tmp_path, capsys):
    """What waits for an answer is there as well, and nothing of it in an open question's kernel."""
    sources = ["from dpteach import question", 'question("1.3")', 'question("1.3").then(0.25)']
    path = write(tmp_path / "made_up.ipynb", *(cell(source) for source in sources))
    assert main([str(path)]) == 0, capsys.readouterr().out
    asked, shown = (cell.outputs[0].data for cell in parse(path.read_text(encoding="utf-8")).cells[1:])
    assert asked.keys() == {"text/html", "text/plain"} and "Answer: 4, 24." in asked["text/plain"]
    assert shown == {"text/plain": "0.25"}
    assert nbval(path) == ["", "", ""] and "DPTEACH_REVEAL" not in os.environ


def test_a_renewed_notebook_passes(tmp_path, capsys):
    """One command: whatever state an author leaves a notebook in, afterwards it is normal and nbval accepts it."""
    sources = [USE_TOOLS, "Explorer()", "print(1); display(2); print(3)", "0.1 + 0.2", "", "7;"]
    path = write(tmp_path / "made_up.ipynb", *(cell(source, result("old"), execution_count=9) for source in sources))
    assert main([str(path)]) == 0, capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    renewed = parse(text)
    assert is_normal(text)
    assert [c.execution_count for c in renewed.cells] == [1, 2, 3, 4, 5]
    assert [len(c.outputs) for c in renewed.cells] == [0, 1, 3, 1, 0]
    assert renewed.cells[1].outputs[0].data == {"image/png": DOT, "text/plain": "delta is 0.25"}
    assert nbval(path) == [""] * 5
    assert main([str(path)]) == 0 and "nothing new" in capsys.readouterr().out
    path.write_text(text.replace("delta is 0.25", "delta is 0.2500001"), encoding="utf-8")
    assert main(["--check", str(path)]) == 0
    path.write_text(text.replace("0.30000000000000004", "0.3000006"), encoding="utf-8")
    assert main(["--check", str(path)]) == 1
    assert "made_up.ipynb, cell 4 [4]: is out of date: text/plain: stored is '0.3000006'" in capsys.readouterr().out
    assert "0.3000006" in path.read_text(encoding="utf-8")


BROKEN = [
    ("1 / 0", "ZeroDivisionError: division by zero"),
    ("import ipywidgets\nwith ipywidgets.Output():\n    1 / 0", "ZeroDivisionError: division by zero"),
    ("import warnings\nwarnings.warn('careful')", "writes to stderr"),
    ("import os\nos._exit(1)", "ended the kernel"),
]


def test_a_cell_that_takes_too_long_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(notebooks, "SECONDS", 2)
    path = write(tmp_path / "slow.ipynb", cell("import time\ntime.sleep(600)", result("old")))
    assert main([str(path)]) == 1
    assert "slow.ipynb, cell 1 [1]: takes longer than 2 seconds" in capsys.readouterr().out


def test_a_notebook_that_fails_is_not_saved(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(notebooks, "SECONDS", 30)  # on a busy machine nbclient waits so long for a kernel that has died
    text = v4.new_markdown_cell("text")
    paths = [write(tmp_path / f"{i}.ipynb", text, cell(source, result("old"))) for i, (source, _) in enumerate(BROKEN)]
    before = [path.read_text(encoding="utf-8") for path in paths]
    assert main([str(path) for path in paths]) == 1
    told = capsys.readouterr().out
    for i, (_, error) in enumerate(BROKEN):
        assert f"{i}.ipynb, cell 2 [1]: {error}" in told
    assert [path.read_text(encoding="utf-8") for path in paths] == before


def test_what_is_no_notebook_is_told(tmp_path, capsys):
    (tmp_path / "a.ipynb").write_text("{", encoding="utf-8")
    (tmp_path / "b.ipynb").write_text('{"nbformat": 3}', encoding="utf-8")
    assert main([str(tmp_path / name) for name in ("a.ipynb", "b.ipynb", "c.ipynb")]) == 1
    printed = capsys.readouterr().out
    assert "a.ipynb, is no notebook" in printed
    assert "b.ipynb, is no notebook of format 4" in printed
    assert "c.ipynb, cannot be opened: No such file" in printed


def test_the_normal_form_drops_what_an_author_did_not_write():
    live = {"application/vnd.jupyter.widget-view+json": {"model_id": "4f2a"}, "text/plain": "delta is 0.25"}
    outputs = [printed("a\n"), printed("b\n"), v4.new_output("display_data", live)]
    metadata = {**SLIDE, "execution": {"iopub.status.idle": "now"}, "collapsed": True, "tags": []}
    messy = v4.new_notebook(cells=[cell("x = 1   \ny = 2\n\n", *outputs, metadata=metadata), cell(" \n")])
    messy.metadata = {"widgets": {"state": {}}, "language_info": {"name": "python", "version": "3.12.1"}, "title": "T"}
    tidy = normal_form(messy)
    assert tidy.metadata.keys() == {"kernelspec", "language_info", "title"}
    assert tidy.metadata.language_info == {"name": "python"}
    assert len(tidy.cells) == 1
    assert tidy.cells[0].metadata == SLIDE
    assert tidy.cells[0].source == "x = 1\ny = 2"
    assert [output.get("text") for output in tidy.cells[0].outputs] == ["a\nb\n", None]
    assert tidy.cells[0].outputs[1].data == {"text/plain": "delta is 0.25"}
    assert not is_normal(unparse(messy)) and is_normal(unparse(tidy))


def test_cells_keep_their_names():
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("text") for _ in range(4)])
    for made_up, name in zip(notebook.cells, ("cell-02", "", "x", "x"), strict=True):
        made_up.id = name
    del notebook.cells[1]["id"]
    assert [tidy.id for tidy in normal_form(notebook).cells] == ["cell-02", "cell-02-new", "x", "cell-04"]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("delta is 0.25.", "delta is 0.25000001.", True),
        ("1e-6", "1.0000000001e-06", True),
        ("-0.5", "0.5", False),
        ("1e-6", "1e-7", False),
        ("k = 1000000", "k = 1000001", False),
        ("10", "10.000000001", True),
        ("0.0", "1e-20", False),
        ("[0.1, 0.2]", "[0.1 0.2]", False),
        ("nan", "inf", False),
        ("3/4", "3/5", False),
    ],
)
def test_same_text(old, new, same):
    assert same_text(old, new) == same_text(new, old) == same


def test_a_difference_names_the_line():
    told = difference([printed("a 1\nb 2\nc 3\n")], [printed("a 1\nb 5\nc 3\n")])
    assert told == "stdout: stored is 'b 2', now it gives 'b 5'"
    assert difference([printed("a\n")], [printed("a\nb\n")]) == "stdout: stored is '', now it gives 'b'"
