"""What the README says is so."""

import doctest
import importlib
from pathlib import Path

import pytest

from dpteach.tools.notebooks import edition

HERE = Path(__file__).parent.parent
README = (HERE / "README.md").read_text(encoding="utf-8")


def test_the_examples_print_what_is_shown():
    failed, tried = doctest.testfile(str(HERE / "README.md"), module_relative=False)
    assert tried >= 3 and failed == 0


def test_the_examples_for_writers_of_accountants_print_what_is_shown():
    failed, tried = doctest.testfile(str(HERE / "docs" / "accountants.md"), module_relative=False)
    assert tried >= 4 and failed == 0


def test_the_two_commands_stand_at_the_top():
    top = README.splitlines()[:8]
    assert any(line.startswith("python3 start.py ") for line in top)
    assert any(line.startswith("python3 start.py test") for line in top)


def test_every_file_it_links_to_exists():
    linked = [part.split(")")[0] for part in README.split("](")[1:]]
    assert linked
    assert all((HERE / path).exists() for path in linked if "://" not in path)


def test_every_notebook_is_listed():
    for notebook in edition():
        assert notebook.stem in README


MODULES = [path for path in sorted((HERE / "dpteach").rglob("*.py")) if path.parent.name != ".ipynb_checkpoints"]
WITH_EXAMPLES = [path for path in MODULES if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.stem)
def test_the_docstrings_print_what_is_shown(path):
    name = ".".join(path.relative_to(HERE).with_suffix("").parts)
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0 and failed == 0
