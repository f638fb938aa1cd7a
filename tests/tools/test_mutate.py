"""Faults put into the library: which there are, that the tests notice them, and that a run goes on where it was."""

import ast
import json

import pytest

from dpteach.tools import mutate

SMALL = """
def larger(a, b):
    if a < b:
        return b
    return a
"""
TEXTS = """
__all__ = ["unseen"]


def unseen(x: int = 0):
    if not x:
        raise ValueError(f"{x + 1}")
    return [*zip([1.0], [x], strict=True)]
"""
TEST = "from dpteach.small import larger\n\n\ndef test_larger():\n    assert (larger(1, 2), larger(2, 1)) == (2, 2)\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a < b", "(a <= b)"),
        ("a >= b", "(a > b)"),
        ("a == b", "(a != b)"),
        ("a not in b", "(a in b)"),
        ("a <= b < c", "(a < b < c)"),
        ("a + b", "(a - b)"),
        ("a / b", "(a * b)"),
        ("a ** b", "(a * b)"),
        ("a and b", "(a or b)"),
        ("not a", "(a)"),
        ("-a", "(a)"),
        ("3", "4"),
        ("2.0", "3.0"),
        ("True", "False"),
    ],
)
def test_every_kind_of_fault(text, after):
    node = ast.parse(text, mode="eval").body
    assert mutate.changed(node) == after


@pytest.mark.parametrize("text", ["total += 1", "check(x)", "raise ValueError"])
def test_statements_are_left_out(text):
    assert mutate.changed(ast.parse(text).body[0]) == "pass"


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """Make a small kit: one file, one test that looks at half of it."""
    (tmp_path / "dpteach").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "dpteach" / "__init__.py").write_text("")
    (tmp_path / "dpteach" / "small.py").write_text(SMALL)
    (tmp_path / "dpteach" / "texts.py").write_text(TEXTS)
    (tmp_path / "tests" / "test_small.py").write_text(TEST)
    (tmp_path / "tests" / "equivalent_mutants.txt").write_text("# none\n")
    monkeypatch.setattr(mutate, "KIT", tmp_path)
    monkeypatch.setattr(mutate, "NEEDED", ("dpteach", "tests"))
    monkeypatch.setattr(mutate, "EQUIVALENT", tmp_path / "tests" / "equivalent_mutants.txt")
    monkeypatch.setattr(mutate, "AREAS", {"small": ("small.py", "test_small.py"), "texts": ("texts.py", "")})
    return tmp_path


def test_names_show_the_line_and_texts_are_left_alone(kit):
    names = [mutant.name.removeprefix("dpteach/texts.py: ") for mutant in mutate.sample("texts", 1000, 0)]
    assert sorted(names) == [
        "def unseen(x: int = 0): -> def unseen(x: int = 1):",
        "if not x: -> if (x):",
        'raise ValueError(f"{x + 1}") -> pass',
        "return [*zip([1.0], [x], strict=True)] -> return None",
        "return [*zip([1.0], [x], strict=True)] -> return [*zip([1.5], [x], strict=True)]",
    ]
    assert mutate.sample("texts", 3, 0) == mutate.sample("texts", 3, 0) != mutate.sample("texts", 3, 1)


def test_faults_are_noticed_or_survive_and_the_kit_stays_as_it_was(kit, capsys):
    log = kit / "log.jsonl"
    assert mutate.main(["small", "--log", str(log)]) == 0
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert {entry["name"].removeprefix("dpteach/small.py: "): entry["status"] for entry in entries} == {
        "if a < b: -> if (a <= b):": "survived",  # for equal numbers it does not matter
        "return b -> return None": "killed",
        "return a -> return None": "killed",
    }
    assert (kit / "dpteach" / "small.py").read_text() == SMALL
    assert "survived: line 3 of dpteach/small.py: if a < b: -> if (a <= b):" in capsys.readouterr().out


def test_nothing_is_tried_twice_and_equivalent_faults_do_not_count(kit, capsys):
    log = kit / "log.jsonl"
    name = "dpteach/small.py: if a < b: -> if (a <= b):"
    known = [
        {"name": mutant.name, "line": 3, "area": "small", "status": "killed"} for mutant in mutate.sample("small", 9, 0)
    ]
    written = [json.dumps({**entry, "status": "survived"} if entry["name"] == name else entry) for entry in known]
    log.write_text("\n".join(written) + "\n")
    (kit / "tests" / "test_small.py").write_text("def test_it():\n    pass\n")  # which notices nothing
    (kit / "tests" / "equivalent_mutants.txt").write_text(f"{name}  # of equal numbers either will do\n")
    assert mutate.main(["small", "--log", str(log)]) == 0
    assert log.read_text().splitlines() == written
    told = capsys.readouterr().out
    assert "small        2         0           1  100%" in told and "survived:" not in told


def test_tests_that_fail_anyway_notice_nothing(kit):
    (kit / "tests" / "test_small.py").write_text("def test_it():\n    raise ValueError\n")
    with pytest.raises(SystemExit, match="the tests of small must pass in time without any fault"):
        mutate.main(["small", "--log", str(kit / "log.jsonl")])


def test_too_slow_counts_as_noticed(kit):
    (kit / "tests" / "test_small.py").write_text("import time\n\n\ndef test_it():\n    time.sleep(60)\n")
    first = mutate.sample("small", 1, 0)[0]
    assert mutate.tried(kit, "small", first, 2.0) == mutate.SLOW
    assert mutate.summary({"x": {"name": "x", "area": "small", "status": mutate.SLOW}}).rows[0][1:3] == (1, 0)


def test_unknown_areas_are_refused(kit, capsys):
    with pytest.raises(SystemExit):
        mutate.main(["large"])
    assert "AREA must be one of small, texts, not large" in capsys.readouterr().err


def test_every_area_has_its_files():
    for sources, tests in mutate.AREAS.values():
        assert all((mutate.KIT / "dpteach" / name).exists() for name in sources.split())
        assert all((mutate.KIT / "tests" / name).exists() for name in tests.split())


def test_every_equivalent_fault_has_a_reason_and_a_line():
    for line in mutate.EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, reason = line.rsplit("  # ", 1)
            file, _, change = name.partition(": ")
            before = change.partition(" -> ")[0]
            source = " ".join((mutate.KIT / file).read_text(encoding="utf-8").split())
            assert before in source and len(reason) > 10, line
