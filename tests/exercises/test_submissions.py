"""What comes back from students: files of any encoding and size, under any name, and cells that have lost theirs."""

import copy
import json
import os
import random
import re
import time
import tracemalloc
import unicodedata
from datetime import UTC, datetime

import nbformat
import pytest
from exercises.helpers import EXERCISES, NAMES, source, student_cells, with_answers
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from dpteach.grading import pick
from dpteach.grading.line.language import folded_id
from dpteach.grading.outside import command, reading, submissions
from dpteach.grading.outside.assignment import NO_NOTEBOOK, kind_of, read_cells, told_by
from dpteach.grading.outside.marking import mark
from dpteach.grading.outside.naming import LATE, Names, sender_of_file, sender_of_folder
from dpteach.grading.outside.repair import put_right
from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
NOTEBOOK = nbformat.writes(new_notebook(cells=small.CELLS))
NFC, NFD = (unicodedata.normalize(form, "Jörg") for form in ("NFC", "NFD"))


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return small.assignment(tmp_path_factory.mktemp("small"))


# ------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_every_encoding_of_json_is_read(encoding, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(NOTEBOOK.replace("5 * x", "5 * x  # für Jörg ☃").encode(encoding))
    (cell,) = [cell for cell in read_cells(reading.read_text(path)) if told_by(cell)["grade_id"] == "before"]
    assert cell.source == "def before(x):\n    return 5 * x  # für Jörg ☃"


WORDS = ["outputs", "attachments", "widgets", "source", 'a"b', "\\", '\\"', "}", "[", "é☃", "outputs:", "", "x" * 30]


def some_json(rng: random.Random, depth: int = 0):
    """Return any value, with keys and texts that could be mistaken for signs."""
    kind = rng.choice(["list", "dict", "dict", "text", "number"] if depth < 4 else ["text", "number"])
    if kind == "list":
        return [some_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == "dict":
        return {rng.choice(WORDS): some_json(rng, depth + 1) for _ in range(rng.randrange(5))}
    return rng.choice(WORDS) if kind == "text" else rng.choice([1, -2.5, None, True])


def emptied(value):
    """Empty what is bulky, the plain way."""
    if isinstance(value, list):
        return list(map(emptied, value))
    if not isinstance(value, dict):
        return value
    bulky = [key for key in value if f'"{key}"'.encode() in reading.BULKY and isinstance(value[key], list | dict)]
    return {key: type(inner)() if key in bulky else emptied(inner) for key, inner in value.items()}


def test_what_cells_printed_is_cut_out_and_nothing_else():
    rng = random.Random(1)
    for _ in range(3000):
        value = some_json(rng)
        text = json.dumps(value, indent=rng.choice([None, 1]), ensure_ascii=rng.random() < 0.5).encode()
        assert json.loads(reading.without_bulk(text)) == emptied(value)
        part = text[: rng.randrange(len(text) + 1)]  # a download that broke off
        assert len(reading.without_bulk(part)) <= len(part) + 2


def with_output(megabytes: int, part: str = "outputs") -> bytes:
    """Return a notebook whose first cell is that large."""
    notebook = json.loads(NOTEBOOK)
    picture = "iVBORw0KGgo\n" * (megabytes * 87381)
    notebook["cells"][0][part] = [{"data": {"image/png": picture}}] if part == "outputs" else picture
    return json.dumps(notebook).encode()


def test_a_large_notebook_is_read_without_its_outputs_in_little_memory(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(with_output(60))
    tracemalloc.start()
    cells = read_cells(reading.read_text(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [cell.source for cell in cells] == [cell.source for cell in small.CELLS]
    assert peak < 1.5 * path.stat().st_size  # the file itself, and next to nothing else


def test_what_no_notebook_is_large_with_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.ipynb"
    path.write_bytes(with_output(21, part="source"))
    with pytest.raises(ValueError, match="larger than 20 MB, even without what its cells printed"):
        reading.read_text(path)
    monkeypatch.setattr(reading, "MOST_FILE", 1 << 20)
    with pytest.raises(ValueError, match="larger than 1 MB"):
        reading.read_text(path)


SLOW = [b"[" * 10**7, b'""' * 10**7, b'{"outputs": [' + b"[]" * 10**7, b'"' + b'\\"' * 10**7, b'"outputs":' * 10**6]


@pytest.mark.parametrize("text", SLOW, ids=range(len(SLOW)))
def test_text_made_to_be_read_slowly_is_not(text, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(text)
    started = time.process_time()
    with pytest.raises(ValueError, match=f"parts|{NO_NOTEBOOK}"):
        read_cells(reading.read_text(path))
    assert time.process_time() - started < 5


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), os.mkdir])
def test_what_is_no_file_is_not_read(make, tmp_path):
    path = tmp_path / "a.ipynb"
    make(path)
    with pytest.raises((ValueError, IsADirectoryError)):
        reading.read_text(path)


# --------------------------------------------------------------------------------------- cells without their names


def stripped(cells: list, ids: bool) -> list:
    """Return cells as an editor saves them that keeps no metadata, and perhaps no ids."""
    bare = [json.loads(json.dumps(cell)) | {"metadata": {}} for cell in cells]
    if not ids:
        for cell in bare:
            del cell["id"]
    return read_cells(json.dumps({"cells": bare}))


@pytest.fixture(scope="module", params=NAMES)
def solved(request) -> tuple:
    """Return an assignment, and its student version with all answers in it."""
    one = source(request.param)
    answers = {told_by(cell)["grade_id"]: cell.source for cell in one.cells if kind_of(cell) in ("solution", "written")}
    return one, with_answers(student_cells(request.param), answers)


@pytest.mark.parametrize("ids", [True, False])
def test_cells_are_recognised_without_their_names(ids, solved):
    one, cells = solved
    wanted, _ = put_right(one, cells)
    found, notes = put_right(one, stripped(cells, ids))
    assert [told_by(cell).get("grade_id") for cell in found] == [told_by(cell).get("grade_id") for cell in wanted]
    assert [cell.source for cell in found] == [cell.source for cell in wanted]
    (note,) = notes
    assert "had lost the names" in note and all(key in note for key in one.written)


def test_cells_are_recognised_among_a_student_s_own(solved):
    """Notes and helpers in between, an edited statement, and a deleted check."""
    one, cells = solved
    cells = copy.deepcopy(cells)
    edited = next(cell for cell in cells if told_by(cell).get("grade_id") == "task2")
    edited.source += "\n\n(my notes)"
    for i in reversed(range(2, len(cells))):
        if kind_of(cells[i]) == "solution":
            cells.insert(i, new_code_cell(f"helper_{i} = {i}"))
            cells.insert(i + 2, new_code_cell(f"print(helper_{i})"))
    checks = [i for i, cell in enumerate(cells) if kind_of(cell) == "check"]
    del cells[checks[3]]
    found, _ = put_right(one, stripped(cells, ids=False))
    texts = {told_by(cell).get("grade_id"): cell.source for cell in found}
    wanted = {told_by(cell).get("grade_id"): cell.source for cell in cells if kind_of(cell) in ("solution", "written")}
    assert wanted.items() <= texts.items() and set(one.tasks) <= set(texts)
    order = [key for cell in found if (key := told_by(cell).get("grade_id"))]
    for task in one.tasks.values():
        assert order.index(task.solution_id) < order.index(task.id)


def test_a_notebook_without_names_keeps_its_points(assignment):
    marked = mark(assignment, stripped(small.CELLS, ids=False), "ada", small.LIMITS)
    assert marked.total == 9 and marked.notes == [
        "7 cells had lost the names that nbgrader gave them, and were recognised by their ids, texts and places; "
        "the answers among them are before, attacked, after."
    ]


def test_what_is_not_there_is_not_recognised(assignment):
    free = [new_code_cell("x = 1"), new_markdown_cell("def attacked(x): return 7 * x"), new_code_cell("y = 2")]
    found, notes = put_right(assignment, free)
    assert notes == [
        "These cells were missing and have been put back: setup, before, check_before, attacked, check_attacked, "
        "after, check_after."
    ]
    assert [cell.source for cell in found if not told_by(cell)] == [cell.source for cell in free]


# -------------------------------------------------------------------------------------------------- whose file it is

HOMEWORK = "1_composition_basics"


@pytest.mark.parametrize(
    "name, student",
    [
        ("ada", "ada"),
        (NFD, NFC),
        ("Ada Lovelace_12345_assignsubmission_file_", "Ada Lovelace"),
        ("Ada Lovelace_12345_assignsubmission_file", "Ada Lovelace"),
        ("Lovelace, Ada-Mae_7_assignsubmission_onlinetext_", "Lovelace, Ada-Mae"),
        ("Participant_12345_assignsubmission_file_", "Participant 12345"),
        ("my_group_12", "my_group_12"),
        ("..", "_.."),
        ("new\nline", "new＼nline"),
    ],
)
def test_whose_folder_it_is(name, student):
    assert sender_of_folder(name).student == student


@pytest.mark.parametrize(
    "stem, student, late",
    [
        (f"lovelaceada_12345_67890_{HOMEWORK}", "12345", False),
        (f"lovelaceada_LATE_12345_67890_{HOMEWORK}-2", "12345", True),
        (f"lovelaceada_late_12345_67890_{HOMEWORK}", "12345", True),
        ("müllerjörg_12345_67890_my homework", "12345", False),
        ("late_12345_67890_x", "12345", False),  # somebody's name
        (f"eve_666_67890_ada_12345_67891_{HOMEWORK}", "666", False),  # what follows is eve's to write
        (f"Ada Lovelace_12345_assignsubmission_file_{HOMEWORK}", "Ada Lovelace", False),
        (f"Eve_1_assignsubmission_file_Ada_2_assignsubmission_file_{HOMEWORK}", "Eve", False),
        (f"ada_{HOMEWORK}", "ada", False),
        (f"ada_{HOMEWORK} (1)", "ada", False),
        (f"{HOMEWORK}_ada", "ada", False),
        (f"m17_2031_{HOMEWORK}", "m17_2031", False),
        (f"m_17_20311_{HOMEWORK}", "17", False),  # looks like Canvas; a table of names helps
        ("ada", "ada", False),
        (HOMEWORK, HOMEWORK, False),
    ],
)
def test_whose_file_it_is(stem, student, late):
    sender = sender_of_file(stem, HOMEWORK if HOMEWORK in stem else "")
    assert sender.student == student and (LATE in sender.note) is late


def hand_in(folder, *places: str, text: str = NOTEBOOK) -> None:
    for place in places:
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found_in(folder, assignment, **told) -> list[tuple]:
    found = submissions.find(folder, {"small": assignment}, **told)
    return [(one.student, one.path and str(one.path.relative_to(folder)), one.disputed) for one in found]


CLAIMS = {
    "a folder and a file": ("ada/small/small.ipynb", "ada_small.ipynb"),
    "capitals": ("ada/small.ipynb", "Ada/small.ipynb"),
    "two ways to write ö": (f"{NFC}/small.ipynb", f"{NFD}/small.ipynb"),
    "spaces": ("ada/small.ipynb", "ada /small.ipynb"),
    "two people of one name": ("Ada_1_assignsubmission_file_/small.ipynb", "Ada_2_assignsubmission_file_/small.ipynb"),
    "a system and a person": ("ada_12345_67890_small.ipynb", "12345/small.ipynb"),
    "three": ("ada/small.ipynb", "ada_small.ipynb", "small_ada.ipynb"),
}


@pytest.mark.parametrize("case", CLAIMS)
def test_two_claims_to_one_student_count_for_nobody(case, assignment, tmp_path):
    hand_in(tmp_path, *CLAIMS[case], "ben/small.ipynb")
    ((student, path, disputed), ben) = sorted(found_in(tmp_path, assignment), key=lambda one: one[0] == "ben")
    assert disputed and path is None and ben == ("ben", "ben/small.ipynb", False)
    one = next(one for one in submissions.find(tmp_path, {"small": assignment}) if one.disputed)
    assert not one.can_be_marked and f"{len(CLAIMS[case])} submissions claim to be of {student}" in one.note
    assert all(submissions.safe(place) in one.note for place in CLAIMS[case])
    assert all((tmp_path / place).exists() for place in CLAIMS[case])


def test_several_files_of_one_person_are_one_claim(assignment, tmp_path):
    hand_in(tmp_path, "ada/small.ipynb", "ada/drafts/small.ipynb")
    hand_in(tmp_path, "cleoi_7_1002_small-1.ipynb", "cleoi_7_1001_small.ipynb")
    hand_in(tmp_path, "Dan_8_assignsubmission_file_/small.ipynb")
    hand_in(tmp_path, "Dan_8_assignsubmission_onlinetext_/x.ipynb", text="{}")
    assert sorted(found_in(tmp_path, assignment)) == [
        ("7", "cleoi_7_1002_small-1.ipynb", False),  # the last upload
        ("Dan", "Dan_8_assignsubmission_file_/small.ipynb", False),
        ("ada", "ada/small.ipynb", False),
    ]


def test_claims_for_different_assignments_do_not_meet(assignment, tmp_path):
    two = {"small": assignment, "other": assignment}
    hand_in(tmp_path, "ada/small.ipynb", "ada_other.ipynb")
    assert [(one.assignment, one.disputed) for one in submissions.find(tmp_path, two)] == [
        ("small", False), ("other", False)
    ]  # fmt: skip


def test_a_table_says_whose_files_are_whose(assignment, tmp_path):
    folder = tmp_path / "submitted"
    places = ["Jan Moor_1_assignsubmission_file_/small.ipynb", "Jan Moor_2_assignsubmission_file_/small.ipynb"]
    places += ["lovelaceada_12345_67890_small.ipynb", f"{NFD}/small.ipynb", "b/small.ipynb", "cleo/small.ipynb"]
    hand_in(folder, *places)
    (folder / "d").mkdir()
    table = tmp_path / "names.csv"
    table.write_text(
        f"name;student_id;handed_in;email\nParticipant 1;m1;2031-02-03 04:05;\n2;m2;2031-02-03T04:05+02:00;\n"
        f"lovelaceada;m3;;\n{NFC};m4;;\nB;m5;;\nd;m6;;\nnobody;m7;;\n",
        encoding="utf-8-sig",
    )
    found = submissions.find(folder, {"small": assignment}, names=Names.read(table))
    assert [one.student for one in found] == ["m1", "m2", "m4", "m5", "cleo", "m3", "m6"]
    assert [one.student for one in found if submissions.NOT_LISTED in one.note] == ["cleo"]
    times = {one.student: one.handed_in for one in found}
    assert times["m1"] == datetime(2031, 2, 3, 4, 5) and times["m2"] == datetime(2031, 2, 3, 2, 5)
    assert found[-1].note == "No notebook was handed in." and "Handed in by lovelaceada." in found[-2].note


def test_the_table_of_the_guide_is_one(tmp_path):
    (table,) = re.findall(r"^```csv\n(.*?)^```", (EXERCISES / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    (tmp_path / "names.csv").write_text(table, encoding="utf-8")
    names = Names.read(tmp_path / "names.csv")
    assert names.find("ada lovelace").handed_in == datetime(2031, 2, 3, 18) and names.find("nobody") is None
    for name, student in (("Ada Lovelace_1_assignsubmission_file_", "m17"), ("Bo_12346_assignsubmission_file_", "m18")):
        assert names.find(*sender_of_folder(name).names).student == student
    for name, student in (("lovelaceada_5_67890_x", "m19"), ("hoppergrace_12347_67890_x", "m20")):
        assert names.find(*sender_of_file(name).names).student == student


TABLES = {
    "no columns": ("a,b\nc,d\n", "must name the columns name and student_id"),
    "nothing": ("", "must name the columns"),
    "twice": ("name,student_id\na,1\nA ,2\n", "says two things about 'A '"),
    "no id": ("name,student_id\na,\n", "must be a name that a folder can have, not ''"),
    "a way out": ("name,student_id\na,../b\n", "must be a name that a folder can have, not '../b'"),
    "dots": ("name,student_id\na,..\n", "must be a name that a folder can have, not '..'"),
    "half a line": ("name,student_id\na\n", "must be a name that a folder can have, not ''"),
    "no time": ("name,student_id,handed_in\na,b,soon\n", "handed_in must be like 2031-02-03 04:05, not 'soon'"),
    "no text": (b"\xff\xfe\xff", "--names must be a table of names"),
    "no file": (None, "--names must be a table of names"),
}


@pytest.mark.parametrize("case", TABLES)
def test_a_table_that_cannot_be_used_is_told_in_one_sentence(case, tmp_path):
    text, sentence = TABLES[case]
    path = tmp_path / "names.csv"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(command.Refused, match="--names must be a table of names") as refused:
        command.read_names(path)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


def test_names_in_two_ways_of_unicode_are_one_id(assignment, tmp_path):
    choices = {"k": list(range(1000)), "eps": list(range(1000))}
    assert pick(NFC, "task", **choices) == pick(NFD, "task", **choices) == pick(f" {NFC.upper()} ", "task", **choices)
    assert folded_id("ẛ̣") == folded_id(unicodedata.normalize("NFD", "ẛ̣"))
    cells = [new_code_cell(f"student_id = {NFD!r}"), *copy.deepcopy(small.CELLS)]
    marked = mark(assignment, cells, NFC, small.LIMITS, ids_required=True)
    assert marked.total == 9 and not marked.notes


# ------------------------------------------------------------------------------------------------ which assignment


def test_a_file_without_a_name_is_read_once_and_recognised_by_its_cells(tmp_path, monkeypatch):
    all_of_them = {name: source(name) for name in NAMES}
    reads = []
    read = reading.read_text
    monkeypatch.setattr(submissions, "read_text", lambda path: reads.append(path) or read(path))
    for i, name in enumerate(NAMES):
        cells = student_cells(name)
        bare = [{"cell_type": cell.cell_type, "source": cell.source, "metadata": {}} for cell in cells]
        hand_in(tmp_path, f"s{i}/homework.ipynb", text=json.dumps({"cells": cells if i % 2 else bare}))
    hand_in(tmp_path, "big/homework.ipynb", text=json.dumps({"cells": [{"source": "x = 1\n" * (3 << 20)}]}))
    started = time.process_time()
    found = {one.student: one.assignment for one in submissions.find(tmp_path, all_of_them)}
    assert time.process_time() - started < 4  # 18 MB were read six times
    assert found == {"big": "", **{f"s{i}": name for i, name in enumerate(NAMES)}}
    assert len(reads) == len(set(reads)) == len(NAMES) + 1


# ---------------------------------------------------------------------------------------------- when it was handed in


def test_a_timestamp_that_a_student_wrote_is_not_believed(assignment, tmp_path):
    before = datetime.now(UTC).replace(tzinfo=None)
    hand_in(tmp_path, "ada/small/small.ipynb")
    (tmp_path / "ada" / "small" / "timestamp.txt").write_text("2001-02-03 04:05:06 UTC")
    os.utime(tmp_path / "ada" / "small" / "small.ipynb", (981173106, 981173106))
    (one,) = submissions.find(tmp_path, {"small": assignment})
    assert abs((one.handed_in - before).total_seconds()) < 60
    (one,) = submissions.find(tmp_path, {"small": assignment}, timestamps=True)
    assert one.handed_in == datetime(2001, 2, 3, 4, 5, 6)
    (tmp_path / "ada" / "small" / "timestamp.txt").write_text("yesterday, I think")
    (one,) = submissions.find(tmp_path, {"small": assignment}, timestamps=True)
    assert one.handed_in is None
