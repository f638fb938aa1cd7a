"""The server of a lecture: only whoever knows its word gets answers, and they are those of Python."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from dpteach.explore import BudgetRace
from dpteach.web import present
from dpteach.web.present import Stage
from dpteach.web.scratch import Scratch


@pytest.fixture
def stage(tmp_path, monkeypatch):
    """A server without slides."""
    monkeypatch.setattr(present, "staged", lambda path: tmp_path)
    with Stage(Path("some.ipynb")) as made:
        yield made


def asked(stage, name, content, **headers):
    address = f"http://127.0.0.1:{stage.server.server_port}/{name}"
    request = urllib.request.Request(address, json.dumps(content).encode(), {"X-Token": stage.token} | headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_an_explorer_answers_as_python_does(stage):
    moved = BudgetRace("the textbook mistake").settings
    told = asked(stage, "answer", dict(key="1", name="BudgetRace", first=BudgetRace().settings, moved=moved))
    assert told == json.loads(json.dumps(BudgetRace("the textbook mistake").shown()))


@pytest.mark.parametrize("headers", [{"X-Token": ""}, {"X-Token": "guess"}, {"Host": "elsewhere.example"}])
def test_nobody_else_is_answered(stage, headers):
    with pytest.raises(urllib.error.HTTPError, match="403"):
        asked(stage, "answer", {}, **headers)


def test_code_is_run_only_where_a_lecture_is_presented(stage):
    with pytest.raises(urllib.error.HTTPError, match="403"):
        asked(stage, "run", {"code": "1"})


def test_a_wrong_question_does_not_end_the_lecture(stage):
    with pytest.raises(urllib.error.HTTPError, match="500"):
        asked(stage, "answer", {"key": "1"})
    assert asked(stage, "ready", {"pages": 3}) == "thanks"
    assert stage.pages == 3


def test_a_taken_port_is_no_obstacle(stage, tmp_path):
    with Stage(Path("some.ipynb"), stage.server.server_port) as second:
        assert second.server.server_port != stage.server.server_port


def test_a_lecture_that_does_not_exist_is_told(capsys):
    assert present.main(["9", "--no-browser"]) == 2
    assert "lecture must be a number from 0 to 5, not 9" in capsys.readouterr().err


def test_what_if_knows_the_names_of_the_lecture(tmp_path):
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    path = tmp_path / "lecture.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("a = 20")]), path)
    scratch = Scratch(path)
    scratch.started.wait(60)
    try:
        assert scratch.run("a + 1") == [dict(kind="text", value="21")]
        assert scratch.run("1 / 0")[0]["value"].startswith("ZeroDivisionError")
        assert scratch.run("Table([(1,)], ['n'])")[0]["kind"] == "html"
    finally:
        scratch.stop()
