"""The parts of the course in the browser that need no browser: checksums, cells, answers, links, the lock of Python."""

import ast
import base64
import hashlib
import json
import zipfile

import nbformat
import pytest

from dpteach import explore
from dpteach.questions import texts
from dpteach.questions.asking import Question
from dpteach.questions.showing import so_far
from dpteach.tools.notebooks import edition
from dpteach.web import answers, cells, inside, links, pages, parts, runtime

NAMES = [name for name in explore.__all__ if name != "Explorer"]


def test_a_changed_file_of_pyodide_is_refused(tmp_path):
    """The carrier may say what it likes: each file must be the one that was published."""
    with zipfile.ZipFile(tmp_path / "open_webui-1-py3-none-any.whl", "w") as carrier:
        for name in parts.official():
            carrier.writestr(parts.PYODIDE + name, b"something else")
    with pytest.raises(OSError, match="is not the file that Pyodide's makers publish"):
        list(parts.pyodide_files(tmp_path))


def test_every_download_has_a_version_and_a_checksum():
    lines = [line for line in parts.LOCK.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) > 20
    for line in lines:
        name, checksum = line.split(" --hash=sha256:")
        assert "==" in name and len(checksum) == 64


def test_the_lock_of_python_knows_what_each_wheel_offers_and_needs(tmp_path):
    for name, needs in {"one": "two>=1", "two": "three ; extra == 'more'"}.items():
        with zipfile.ZipFile(tmp_path / f"{name}-1.0-py3-none-any.whl", "w") as made:
            made.writestr(f"{name}/__init__.py", "")
            made.writestr(f"{name}-1.0.dist-info/METADATA", f"Name: {name}\nVersion: 1.0\nRequires-Dist: {needs}\n")
    found = runtime.lock(tmp_path.glob("*.whl"))["packages"]
    assert found["one"]["depends"] == ["two"] and found["two"]["depends"] == []
    assert found["one"]["imports"] == ["one"]
    content = (tmp_path / found["one"]["file_name"]).read_bytes()
    assert found["one"]["sha256"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("path", edition(), ids=lambda path: path.stem)
def test_every_explorer_and_question_of_a_notebook_is_found(path):
    notebook = nbformat.read(path, as_version=4)
    found = [cells.part_of(cell) for cell in notebook.cells]
    trees = [ast.parse(cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    calls = [node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [call.id for call in calls if isinstance(call, ast.Name) and call.id in NAMES]
    assert {part.name for part in found if part.kind == "explorer"} == set(made)
    asked = [part.name for part in found if part.kind == "question"]
    assert len(asked) == len(set(asked))
    assert all(part.after in asked for part in found if part.after)


@pytest.mark.parametrize("text", texts().values(), ids=lambda text: text.id)
def test_a_page_says_of_every_answer_what_the_notebook_says(text):
    known = answers.page_data(text)
    for case in known["cases"]:
        question = Question(text)
        question.choice, question.revealed = case["given"], False
        assert case["said"] == json.loads(json.dumps(so_far(question)))
    assert "why" not in known["unanswered"]["said"]


@pytest.mark.parametrize("name", NAMES)
def test_an_explorer_answers_in_plain_text(name):
    kind = getattr(explore, name)
    first = json.dumps(kind().settings)
    for preset in kind.presets:
        made = kind(preset)
        told = json.loads(inside.answer(f"{name}-{preset}", name, first, json.dumps(made.settings)))
        sentence = made.text.partition("\n")[0]
        assert told["sentence"] == sentence


def test_links_lead_to_pages():
    lecture = parts.KIT / "notebooks" / "01_composition_basics.ipynb"
    html = '<a href="02_hypothesis_testing.ipynb#x">two</a> <a href="../LICENSE">law</a> <a href="https://a.b">out</a>'
    moved = links.relinked(html, lecture, "lectures/01_composition_basics.html")
    assert '<a href="../lectures/02_hypothesis_testing.html#x">two</a>' in moved
    assert "law" in moved and "LICENSE" not in moved
    assert '<a href="https://a.b">out</a>' in moved


def test_the_data_of_a_page_is_packed():
    page = pages.Page("A page", "<h1>One</h1>", "here/there.html", data={"questions": {"why": "because"}})
    html = page.html()
    assert "because" not in html
    assert base64.b64encode(json.dumps(page.data).encode()).decode() in html
    assert 'href="../static/site.css"' in html
