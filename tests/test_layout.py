"""The house: every module can be reached by its name, and the rooms keep their rules."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import dpteach
from dpteach import claims, explore

HOUSE = Path(dpteach.__file__).parent
MODULES = [m.name for m in pkgutil.walk_packages([str(HOUSE)], "dpteach.") if not m.name.endswith("__main__")]


@pytest.mark.parametrize("name", MODULES)
def test_no_function_hides_a_module(name):
    """After `from package import *` and all imports, the attribute with a module's name is that module."""
    module = importlib.import_module(name)
    parent, _, child = name.rpartition(".")
    assert getattr(importlib.import_module(parent), child) is module


def test_modules_are_found():
    assert {"dpteach.claims", "dpteach.claims.guerra.partitions", "dpteach.pair"} <= set(MODULES)


@pytest.mark.parametrize("path", sorted((HOUSE / "claims").rglob("*.py")), ids=lambda path: path.name)
def test_files_of_claims_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 500


def test_all_files_of_claims_are_read():
    """A file whose claims nobody reads would check nothing."""
    entered = {Path(inspect.getfile(entry.check)) for entry in claims.all_claims().values()}
    with_claims = {path for path in (HOUSE / "claims").rglob("*.py") if "\n@claim(" in path.read_text(encoding="utf-8")}
    assert entered == with_claims


EXPLORE = "dpteach.explore."
EXPLORERS = [f"{EXPLORE}{home}" for home in explore._HOMES.values() if not home.startswith("base.")]


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith(EXPLORE) and name.count(".") == 3])
def test_no_explorer_needs_another_one(name):
    """What two explorers need stands in explore/base, so that one can be read without the other.

    A folder may hold more than the explorers: a control or a model that one of them needs.
    """
    things = vars(importlib.import_module(name)).values()
    origins = {thing.__name__ if inspect.ismodule(thing) else _home(thing) for thing in things} - {name}
    assert not origins & set(EXPLORERS)
    room = name.removeprefix(EXPLORE).split(".")[0]
    rooms = {origin.removeprefix(EXPLORE).split(".")[0] for origin in origins if origin.startswith(EXPLORE)}
    assert rooms <= {"base", room}


def _home(thing) -> str:
    return getattr(thing, "__module__", None) or ""


def test_explorers_are_found():
    assert {f"{EXPLORE}testing.tester_game", f"{EXPLORE}basics.budget_race"} <= set(EXPLORERS) <= set(MODULES)
