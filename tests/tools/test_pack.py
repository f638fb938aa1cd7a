"""The zip for students, and the source archive: nothing in them tells a solution, a mark or somebody's work."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import nbformat
import pytest

from dpteach.tools import notebooks, pack

CLONE = Path(__file__).resolve().parents[2]
NAME = "1_composition_basics"
SECRET = "only the teacher knows this"
LYING_ABOUT = [  # what a term leaves behind in the folder of the kit
    "exercises/gradebook.db",
    "exercises/gradebook.db.2031-02-03",
    "exercises/submitted/ada/1_composition_basics/1_composition_basics.ipynb",
    "exercises/autograded/ada/1_composition_basics/1_composition_basics.ipynb",
    "exercises/feedback/ada/1_composition_basics/points.html",
    "exercises/grades.csv",
    "exercises/solutions of last year.ipynb",
    "exercises/release/.ipynb_checkpoints/x.ipynb",
    "exercises/release/1_composition_basics/.ipynb_checkpoints/1_composition_basics-checkpoint.ipynb",
    "exercises/source/1_composition_basics/.ipynb_checkpoints/1_composition_basics-checkpoint.ipynb",
    "notebooks/Untitled.ipynb",
    "notebooks/.ipynb_checkpoints/06_claims-checkpoint.ipynb",
    "dpteach/.ipynb_checkpoints/pair-checkpoint.py",
    "dpteach/__pycache__/pair.pyc",
    "tests/exercises/variants.py",
    "my/notes.ipynb",
    ".venv/pyvenv.cfg",
    "students.zip",
    "marks.xlsx",
]


@pytest.fixture(scope="module")
def kit(tmp_path_factory) -> Path:
    """Copy a part of the kit, without git, and use it for a term."""
    root = tmp_path_factory.mktemp("used") / "kit"
    for name in pack.FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CLONE / name, root / name)
    shutil.copy(CLONE / "notebooks" / "06_claims.ipynb", root / "notebooks")
    shutil.copytree(CLONE / "dpteach", root / "dpteach", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(CLONE / "docs", root / "docs")
    shutil.copytree(CLONE / "exercises" / "source" / NAME, root / "exercises" / "source" / NAME)
    release = root / "exercises" / "release" / NAME / f"{NAME}.ipynb"
    release.parent.mkdir(parents=True)
    solved = nbformat.read(CLONE / "exercises" / "release" / NAME / release.name, 4)
    solved.cells[-1].source = SECRET
    nbformat.write(solved, release)
    for name in LYING_ABOUT:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(SECRET, encoding="utf-8")
    return root


@pytest.fixture
def here(kit, monkeypatch):
    """Pack that kit, not ours."""
    monkeypatch.setattr(pack, "KIT", kit)
    monkeypatch.setattr(notebooks, "FOLDER", kit / "notebooks")
    return kit


def test_the_zip_holds_the_kit_without_solutions_and_without_what_lies_about(kit, tmp_path):
    pytest.importorskip("nbgrader")
    path = tmp_path / "students.zip"
    command = [sys.executable, "-m", "dpteach", "pack-students", "-o", path]  # with the dpteach of that kit
    told = subprocess.run(command, cwd=kit, capture_output=True, text=True)
    assert told.stdout.startswith(str(path)) and "1 of them exercises" in told.stdout, told.stderr
    with zipfile.ZipFile(path) as made:
        names = {name.removeprefix("dpteach/") for name in made.namelist()}
        texts = {name: made.read(name) for name in made.namelist()}
    assert {
        *pack.FILES,
        "notebooks/06_claims.ipynb",
        "dpteach/pair.py",
        "dpteach/explore/testing/tester_game.js",
    } <= names
    assert {name for name in names if name.startswith("exercises/")} == {
        "exercises/README.md",
        f"exercises/release/{NAME}/{NAME}.ipynb",
    }
    assert not {*LYING_ABOUT} & names
    assert [name for name, text in texts.items() if SECRET.encode() in text] == []
    copies = unpacked_and_started(path, tmp_path)
    assert copies == {"06_claims.ipynb", f"exercises/{NAME}/{NAME}.ipynb"}
    student = texts[f"dpteach/exercises/release/{NAME}/{NAME}.ipynb"].decode()
    assert not re.search("BEGIN SOLUTION|HIDDEN TESTS|Marking scheme", student) and "your code here" in student


def unpacked_and_started(path: Path, folder: Path) -> set[str]:
    """Do what a student does with the zip, and return the names of the copies that this makes."""
    zipfile.ZipFile(path).extractall(folder)
    subprocess.run([sys.executable, "-m", "dpteach", "copies"], cwd=folder / "dpteach", check=True)
    my = folder / "dpteach" / "my"
    return {file.relative_to(my).as_posix() for file in my.rglob("*.ipynb")}


def test_the_same_kit_makes_the_same_zip(here, tmp_path, monkeypatch):
    monkeypatch.setattr(pack, "of_the_exercises", lambda folder: iter(()))
    pack.pack(tmp_path / "one.zip")
    (here / "README.md").touch()
    pack.pack(tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_solution_that_got_into_a_notebook_is_refused(here, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pack, "of_the_exercises", lambda folder: iter(()))
    monkeypatch.setattr(pack, "edition", lambda: [here / "exercises" / "source" / NAME / f"{NAME}.ipynb"])
    assert pack.main(["-o", str(tmp_path / "x.zip")]) == 2
    assert "holds a solution" in capsys.readouterr().err
    assert not (tmp_path / "x.zip").exists()


def test_an_exercise_without_a_source_is_refused(here, tmp_path, capsys):
    folder = here / "exercises" / "release" / "9_of_somebody_else"
    folder.mkdir()
    (folder / "9_of_somebody_else.ipynb").write_text("{}")
    assert pack.main(["-o", str(tmp_path / "x.zip")]) == 2
    shutil.rmtree(folder)
    assert "9_of_somebody_else has no source" in capsys.readouterr().err


def test_only_a_kit_can_be_packed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pack, "KIT", tmp_path)
    assert pack.main(["-o", str(tmp_path / "x.zip")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_place_that_cannot_be_written_is_told(here, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pack, "of_the_exercises", lambda folder: iter(()))
    assert pack.main(["-o", str(tmp_path / "no" / "x.zip")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_source_archive_holds_the_library_and_nobodys_work(kit, tmp_path):
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path]
    subprocess.run(command, cwd=kit, check=True, capture_output=True)
    (path,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as made:
        names = [name.partition("/")[2] for name in made.getnames()]
    assert {"dpteach/pair.py", "README.md", "LICENSE", "pyproject.toml"} <= {*names}
    assert not [name for name in names if name.startswith(("exercises", "tests", "my", "notebooks"))]
    assert not {*LYING_ABOUT} & {*names}
