"""Which functions of the library are at work in a claim: those that its check calls, read off its code."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

from .entries import Claim

LIBRARY = __name__.split(".")[0]
LEDGER = f"{LIBRARY}.claims"
SECOND_WAY = (f"{LEDGER}.reference", f"{LEDGER}.entries")  # are there to be independent of the library
SPEAKING = f"{LIBRARY}.table"  # every check shows its numbers with it


def functions(claim: Claim) -> list[str]:
    """Return the public names of the functions and classes at work in a check, such as dpteach.composition.basic."""
    return list(dict.fromkeys(public_name(thing) for thing in _called(claim.check, set())))


def _called(check: Callable, seen: set[Callable]) -> Iterator[Callable]:
    """Yield what of the library a function of the ledger calls, by itself or through its helpers there."""
    seen.add(check)
    for thing in _named(check):
        home = thing.__module__
        if not home.startswith(LEDGER):
            yield from [thing] * (home.startswith(f"{LIBRARY}.") and home != SPEAKING)
        elif inspect.isfunction(thing) and thing not in seen and not home.startswith(SECOND_WAY):
            yield from _called(thing, seen)


def _named(check: Callable) -> list[Callable]:
    """Return the functions and classes that stand in the code, in the order in which they stand there."""
    names = [node for node in ast.walk(_tree(check)) if isinstance(node, ast.Name | ast.Attribute)]
    names.sort(key=lambda node: (node.lineno, node.col_offset))
    things = (_meant(node, check.__globals__) for node in names)
    return [thing for thing in things if thing is not None]


def _meant(node: ast.Name | ast.Attribute, known: dict[str, Any]) -> Callable | None:
    """Return the function or class that a name stands for, alone or with the name of its module."""
    thing = None
    if isinstance(node, ast.Name):
        thing = known.get(node.id)
    elif isinstance(node.value, ast.Name) and isinstance(room := known.get(node.value.id), ModuleType):
        thing = getattr(room, node.attr, None)
    thing = thing.__self__ if inspect.ismethod(thing) else thing  # a class method stands for its class
    return thing if inspect.isfunction(thing) or inspect.isclass(thing) else None


def _tree(check: Callable) -> ast.AST:
    """Return the code of a function, without its decorators."""
    [function] = ast.parse(textwrap.dedent(inspect.getsource(check))).body
    assert isinstance(function, ast.FunctionDef)
    return ast.Module(function.body, type_ignores=[])


@cache
def public_name(thing: Callable) -> str:
    """Return the shortest name by which a function or class of the library can be imported."""
    rooms = thing.__module__.split(".")
    for depth in range(1, len(rooms)):
        room = ".".join(rooms[:depth])
        if getattr(sys.modules[room], thing.__name__, None) is thing:
            return f"{room}.{thing.__name__}"
    return f"{thing.__module__}.{thing.__name__}"


def resolve(name: str):
    """Return what a public name stands for."""
    room, _, last = name.rpartition(".")
    return getattr(importlib.import_module(room), last)
