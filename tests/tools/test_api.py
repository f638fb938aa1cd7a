"""The documentation of the library: made of its docstrings, whole, and at home without a server or the internet."""

import importlib
import inspect
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

import dpteach
from dpteach.tools import api

HOME = str(Path(dpteach.__file__).parents[1])
MAIN = {  # what a first reader looks up: each has an example that runs (tests/test_readme.py)
    "curve": ("Curve", "WorstCase", "as_curve"),
    "pair": ("Pair",),
    "guarantee": ("Guarantee",),
    "channel": ("Channel",),
    "mechanisms": ("randomized_response", "laplace", "gaussian", "geometric", "staircase", "exponential_mechanism"),
    "composition": ("basic", "advanced", "concentrated", "kov_closed_form", "sharper", "best", "compose_by"),
    "optimum": ("optimal",),
    "planning": ("noise_scale", "per_answer", "laplace_scale"),
    "accountant": ("Release", "subsampled", "times"),
    "table": ("Table",),
}
THEOREMS = ("basic", "advanced", "concentrated", "kov_closed_form", "sharper")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Write all pages once; return their folder."""
    pytest.importorskip("pdoc", reason="optional: python -m pip install --no-deps -r requirements-release.txt")
    folder = tmp_path_factory.mktemp("api")
    assert api.main([str(folder)]) == 0
    return folder


def test_every_module_has_its_page(pages):
    assert (pages / "index.html").exists()
    for module in api.MODULES:
        page = pages / Path(*module.split("."))
        assert page.with_suffix(".html").stat().st_size > 5000


def test_what_a_first_reader_looks_up_is_there(pages):
    for module, names in MAIN.items():
        text = (pages / "dpteach" / f"{module}.html").read_text(encoding="utf-8")
        assert all(f'id="{name}"' in text for name in names)


def test_nothing_is_loaded_from_elsewhere_and_no_path_is_told(pages):
    for page in pages.rglob("*"):
        if page.is_file():
            text = page.read_text(encoding="utf-8")
            assert HOME not in text
            assert not re.findall(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(?:https?:)?//', text)
            assert not re.findall(r"(?:url\(|import\s+|fetch\()['\"]?https?://", text)


def test_links_lead_somewhere(pages):
    for page in pages.rglob("*.html"):
        links = re.findall(r'href="([^"#:]+\.html)', page.read_text(encoding="utf-8"))
        assert all((page.parent / unquote(link)).exists() for link in links)


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in MAIN.items() for name in names])
def test_the_main_entries_have_an_example(module, name):
    assert ">>> " in inspect.getdoc(getattr(importlib.import_module(f"dpteach.{module}"), name))


@pytest.mark.parametrize("name", THEOREMS)
def test_the_theorems_say_where_they_stand(name):
    words = inspect.getdoc(getattr(importlib.import_module("dpteach.composition"), name))
    assert re.search(r"Theorem|post|same proof", words)


def test_everything_public_of_the_first_evening_says_what_it_is():
    for module in api.FILES:
        loaded = importlib.import_module(f"dpteach.{module}")
        for name, thing in vars(loaded).items():
            if getattr(thing, "__module__", None) == loaded.__name__ and not name.startswith("_") and callable(thing):
                assert inspect.getdoc(thing), f"{module}.{name}"


def test_a_folder_that_cannot_be_made_is_told_in_one_sentence(pages, capsys):
    assert api.main([str(pages / "index.html" / "below")]) == 1
    assert capsys.readouterr().err.startswith("cannot write to ")
