"""`python -m dpteach bench-grading`: how long a class takes to mark, beside nbgrader's own autograde, in one run.

Both get the same course and the same submissions: the model solution, in which every student has got some tasks wrong.
They take turns in batches, so that noise on the machine hits both alike.
"""

from __future__ import annotations

import argparse
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from ...table import Table
from ..line.limits import KIT
from .assignment import Assignment, kind_of, source_path, told_by

BATCHES = 2


def main(argv: list[str] | None = None) -> int:
    """Read the command line, race and print the table."""
    made = argparse.ArgumentParser(prog="python -m dpteach bench-grading", description=__doc__.split("\n")[0])
    made.add_argument("submissions", nargs="?", type=int, default=200)
    made.add_argument("--assignment", default="1_composition_basics")
    options = made.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        ours, stock = (course(Path(folder) / name, options.assignment) for name in ("ours", "stock"))
        (stock / "nbgrader_config.py").write_text("c = get_config()\n")  # nothing but nbgrader's own settings
        seconds = {"dpteach grade": 0.0, "nbgrader autograde": 0.0}
        for students in batches(options.submissions):
            for root in (ours, stock):
                hand_in(root, options.assignment, students)
            seconds["dpteach grade"] += run(ours, [sys.executable, "-m", "dpteach", "grade", "submitted"])
            seconds["nbgrader autograde"] += run(stock, ["nbgrader", "autograde", options.assignment])
    print(table(seconds, options.submissions))
    return 0


def table(seconds: dict[str, float], submissions: int) -> Table:
    """Return times and ratios as a table."""
    stock = seconds["nbgrader autograde"]
    rows = [
        (name, round(took, 1), round(took / submissions, 2), round(took / stock, 2)) for name, took in seconds.items()
    ]
    return Table(rows, ["command", "seconds", "a submission", "of nbgrader's time"])


def course(root: Path, assignment: str) -> Path:
    """Make a course folder with one assignment that nbgrader knows."""
    (root / "source").mkdir(parents=True)
    shutil.copytree(KIT / "exercises" / "source" / assignment, root / "source" / assignment)
    shutil.copy(KIT / "exercises" / "nbgrader_config.py", root)
    run(root, ["nbgrader", "generate_assignment", assignment])
    return root


def batches(submissions: int) -> list[list[str]]:
    """Return the names of the students in batches."""
    names = [f"student{i:04}" for i in range(submissions)]
    return [batch for i in range(BATCHES) if (batch := names[i::BATCHES])]


def hand_in(root: Path, assignment: str, students: list[str]) -> None:
    """Empty the folder of submissions and write one for each student."""
    shutil.rmtree(root / "submitted", ignore_errors=True)
    source = Assignment.read(source_path(root, assignment))
    release = nbformat.read(root / "release" / assignment / f"{assignment}.ipynb", 4)
    for student in students:
        path = root / "submitted" / student / assignment / f"{assignment}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(solved(release, source, random.Random(student)), path)


def solved(release, source: Assignment, rng: random.Random):
    """Return the student version with all tasks solved but a few."""
    notebook = copy.deepcopy(release)
    answers = {told_by(cell)["grade_id"]: cell.source for cell in source.cells if kind_of(cell) == "solution"}
    for cell in notebook.cells:
        if (key := told_by(cell).get("grade_id")) in answers and rng.random() < 0.8:
            cell.source = answers[key]
    return notebook


def run(root: Path, command: list[str]) -> float:
    """Run a command in a course; return the seconds it took."""
    programs = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([programs, os.environ.get("PATH", "")])}
    started = time.perf_counter()
    told = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    if told.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{told.stdout[-2000:]}{told.stderr[-2000:]}")
    return time.perf_counter() - started
