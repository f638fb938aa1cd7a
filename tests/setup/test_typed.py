"""The types of the library as a user's program sees them: nothing public lacks an annotation, and mypy is content."""

import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from functools import cached_property
from pathlib import Path

import pytest

import dpteach

HOUSE = Path(dpteach.__file__).parent
PROGRAM = Path(__file__).with_name("typed_program.py")
FILES = ("accountant", "annotations", "channel", "checks", "composition", "curve", "guarantee", "mechanisms", "optimum")
FILES += ("pair", "planning", "table", "claims", "questions", "questions.asking")
FOLDERS = ("data", "experiment", "granularity", "leakage", "notions")


def modules():
    """Return the names of the modules that make up the public library."""
    names = [f"dpteach.{name}" for name in FILES + FOLDERS]
    for folder in FOLDERS:
        package = importlib.import_module(f"dpteach.{folder}")
        names += [found.name for found in pkgutil.iter_modules(package.__path__, f"dpteach.{folder}.")]
    return names


def public_callables(module):
    """Yield the names and functions of a module, and of its classes, that a user may call."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(thing):
            yield from methods_of(thing)
        elif inspect.isfunction(thing):
            yield name, thing


def methods_of(cls):
    """Yield the public methods that a class itself defines, properties too, but not what a dataclass adds."""
    for name, thing in vars(cls).items():
        is_special = name.startswith("__") and name.endswith("__")
        if name.startswith("_") and not is_special:
            continue
        if isinstance(thing, cached_property):
            thing = thing.func
        elif isinstance(thing, property):
            thing = thing.fget
        thing = getattr(thing, "__func__", thing)
        if inspect.isfunction(thing) and Path(thing.__code__.co_filename).is_relative_to(HOUSE):
            yield f"{cls.__name__}.{name}", thing


def lacking(name, function):
    """Return what a function leaves without an annotation."""
    signature = inspect.signature(function)
    bare = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name not in ("self", "cls")]
    returns = name.endswith("__init__") or signature.return_annotation is not signature.empty
    return [f"{name}: {p}" for p in bare if p != "_"] + ([] if returns else [f"{name}: what it returns"])


@pytest.mark.parametrize("name", modules())
def test_nothing_public_lacks_an_annotation(name):
    module = importlib.import_module(name)
    assert [lack for found in public_callables(module) for lack in lacking(*found)] == []


def test_the_walk_finds_what_is_public():
    found = dict(public_callables(importlib.import_module("dpteach.curve")))
    assert {"as_curve", "Curve.delta", "Curve.lower_boundary", "TwoSided.side", "WorstCase.worst"} <= found.keys()
    assert lacking("f", lambda x: x) == ["f: x", "f: what it returns"]
    assert len(modules()) > 50 and all(hasattr(dpteach, name) for name in dpteach.__all__)


def test_the_program_runs():
    done = subprocess.run([sys.executable, str(PROGRAM)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def mypy(tmp_path):
    """Return a function that lets mypy read a program as a user's, in a folder of its own."""
    pytest.importorskip("mypy", reason="optional: python -m pip install --no-deps -r requirements-release.txt")

    def read(program):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(program)]
        path = os.environ | {"MYPYPATH": str(Path(dpteach.__file__).parents[1])}
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=path)

    return read


def test_a_strict_checker_believes_the_program(mypy):
    done = mypy(PROGRAM)
    assert done.returncode == 0, done.stdout
    assert "no issues found" in done.stdout


def test_a_strict_checker_finds_wrong_uses(mypy, tmp_path):
    program = tmp_path / "wrong.py"
    program.write_text("from dpteach import Guarantee, optimal\nx: str = optimal(Guarantee(1), k='many').epsilon(0)\n")
    told = mypy(program).stdout
    assert '"str"' in told and "Found 2 errors" in told
