"""What `pip install dpteach` leaves out: the sentence that says which extra brings a missing package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

LAB = ("IPython", "PIL", "anywidget", "ipywidgets", "jupyter_client", "jupyter_core", "jupyterlab", "matplotlib")
LAB += ("nbconvert", "nbformat", "notebook", "traitlets")
EXTRAS = {
    "lab": LAB,
    "grading": ("nbgrader", "sqlalchemy"),
    "test": ("nbclient",),
    "browser": ("playwright",),
    "release": ("pdoc",),
}


@contextmanager
def told() -> Iterator[None]:
    """Turn the error about a missing package into one sentence that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if extra := extra_of(error.name):
            raise ImportError(sentence(error.name, extra)) from None
        raise


def extra_of(module: str | None) -> str | None:
    """Return the extra that brings a module, None if none does."""
    package = (module or "").split(".")[0]
    return next((extra for extra, packages in EXTRAS.items() if package in packages), None)


def sentence(module: str, extra: str) -> str:
    """Say what is missing, and how to get it."""
    package = module.split(".")[0]
    return f'this part of dpteach needs {package}, which is not installed: pip install "dpteach[{extra}]" brings it'
