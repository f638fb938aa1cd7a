"""Pack the kit for students: everything they need, and nothing that tells a solution or a mark.

    python -m dpteach pack-students                       makes students.zip in the folder of the kit
    python -m dpteach pack-students -o week1.zip          makes another file

What goes in is listed here; whatever else lies about in the folder (solutions, tests that hold them, submissions,
marks, notes) stays out. The exercises are made anew from their sources, because somebody may have solved those in
`release`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from .notebooks import edition

KIT = Path(__file__).resolve().parents[2]
FILES = (
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "environment.yml",
    "exercises/README.md",
    "notebooks/conftest.py",
    "pyproject.toml",
    "requirements.txt",
    "start.py",
)
FOLDERS = ("docs", "dpteach")
RELEASE = "exercises/release"
LEFT_BEHIND = {"__pycache__", ".ipynb_checkpoints"}  # by Python and JupyterLab
MARKS = ("BEGIN SOLUTION", "BEGIN HIDDEN TESTS")  # of what students must not see
DATE = (2020, 1, 1, 0, 0, 0)  # the same for every file, so that the same kit makes the same zip


class Refused(Exception):
    """A reason not to pack, told in one sentence."""


def main(argv: list[str] | None = None) -> int:
    """Read the command line and pack."""
    parser = argparse.ArgumentParser(prog="python -m dpteach pack-students", description="Make the zip for students.")
    parser.add_argument("-o", "--output", type=Path, default=KIT / "students.zip", help="the file (%(default)s)")
    path = parser.parse_args(argv).output
    try:
        names = pack(path)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{path} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    assignments = sum(name.startswith(f"dpteach/{RELEASE}/") for name in names)
    print(f"{path}: {len(names)} files, {assignments} of them exercises without solutions.")
    return 0


def pack(path: Path) -> list[str]:
    """Write the zip and return the names in it."""
    if not (KIT / "start.py").exists():
        raise Refused("There is no kit here, only the package dpteach: pack in the kit's own folder.")
    with tempfile.TemporaryDirectory() as folder:
        contents = {**dict(of_the_kit()), **dict(of_the_exercises(Path(folder)))}
        refuse_solutions(contents)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
            for name, file in sorted(contents.items()):
                entry = zipfile.ZipInfo(f"dpteach/{name}", DATE)
                entry.external_attr = 0o644 << 16  # everybody may read it
                made.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
            return made.namelist()


def of_the_kit() -> Iterator[tuple[str, Path]]:
    """Yield the names and files of all but the exercises."""
    files = [KIT / name for name in FILES if (KIT / name).exists()]
    for folder in FOLDERS:
        files += files_in(KIT / folder)
    for file in files + edition():
        yield file.relative_to(KIT).as_posix(), file


def files_in(folder: Path) -> list[Path]:
    """List the files of a folder, without what programs have left behind."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return [file for file in files if not LEFT_BEHIND & {*file.relative_to(folder).parts}]


def of_the_exercises(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the names and files of the released exercises, made anew in a folder."""
    released = sorted((KIT / RELEASE).iterdir())
    names = [path.name for path in released if (path / f"{path.name}.ipynb").exists()]
    for name in names:
        source = KIT / "exercises" / "source" / name
        if not source.is_dir():
            raise Refused(f"{RELEASE}/{name} has no source: put it into exercises/source, or move it away.")
        shutil.copytree(source, folder / "source" / name)
    prepare(folder, names)
    for file in files_in(folder / "release"):
        yield f"exercises/{file.relative_to(folder).as_posix()}", file


def prepare(folder: Path, names: list[str]) -> None:
    """Let nbgrader make the student versions in a course folder."""
    try:
        from ..grading.outside.course import Course
    except ImportError as error:
        raise Refused(f"Packing needs nbgrader and what it needs ({error}): run python3 start.py setup.") from None
    course = Course(folder)
    for name in names:
        course.prepare(name)


def refuse_solutions(contents: dict[str, Path]) -> None:
    """Make sure once more that no notebook shows what students must not see."""
    for name, file in contents.items():
        if file.suffix == ".ipynb" and any(mark in file.read_text(encoding="utf-8") for mark in MARKS):
            raise Refused(f"{name} holds a solution or a hidden check: nothing was packed.")
