"""The house: every module can be reached by its name, and the rooms keep their rules."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import dpteach
from dpteach import claims

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


@pytest.mark.parametrize("room", ["basics", "testing"])
def test_explorers_stand_on_the_base_alone(room):
    """What two explorers need stands in explore/base, so that one can be read without the other."""
    explorers = "dpteach.explore."
    for name in (name for name in MODULES if name.startswith(f"{explorers}{room}.")):
        origins = {getattr(thing, "__module__", None) or "" for thing in vars(importlib.import_module(name)).values()}
        foreign = {origin for origin in origins if origin.startswith(explorers)} - {name}
        assert all(origin.startswith(f"{explorers}base") for origin in foreign)
