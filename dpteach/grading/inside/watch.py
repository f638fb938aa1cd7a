"""A watch over the tools: whether a cell has exchanged parts of Python, numpy or dpteach.

It helps honest students (their other tasks are run on their own then, with the tools as they were) and proves nothing:
it shares the process with what it watches.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from collections.abc import Iterator

TOOLS = (
    "builtins",
    "collections",
    "contextlib",
    "fractions",
    "functools",
    "io",
    "itertools",
    "json",
    "json.decoder",
    "json.encoder",
    "math",
    "os",
    "random",
    "select",
    "numpy",
    "numpy.random",
    "numpy.linalg",
)
OURS = "dpteach"
TRANSFORMERS = ("input_transformers_cleanup", "input_transformers_post", "ast_transformers", "custom_exceptions")
CALLBACKS = ("pre_execute", "pre_run_cell")
A_CELL = "<ipython-input"  # how the name of the file begins, for code that stands in a cell


class Watch:
    """Remembers what the tools are made of, and tells whether they still are."""

    def __init__(self):
        self.shell = None
        self.seen: dict[str, object] = {}  # modules by name
        self.parts: dict[tuple, object] = {}  # the things themselves: a number (`id`) may be used again
        self.foreign = False
        self.settings: dict = {}

    def begin(self, shell) -> None:
        """Watch over a shell in which no cell has run yet."""
        self.shell = shell
        self.settings = settings(shell)
        self.look()

    def look(self) -> None:
        """Remember the modules that have come since the last look; one that came patched is noticed at once."""
        for name in modules():
            if name in self.seen:
                continue
            self.seen[name] = sys.modules[name]
            found = dict(parts_of(sys.modules[name]))
            self.parts |= found
            self.foreign |= name.startswith(OURS) and any(map(from_a_cell, found.values()))

    def untouched(self) -> bool:
        """Say whether everything is as it was when it was first seen."""
        if self.foreign or self.settings != settings(self.shell):
            return False
        if any(sys.modules.get(name) is not module for name, module in self.seen.items()):
            return False
        now = {}
        for module in self.seen.values():
            now |= parts_of(module)
        if any(added_to_a_class(key) for key in now.keys() - self.parts.keys()):
            return False
        return all(key in now and now[key] is part for key, part in self.parts.items())


def modules() -> list[str]:
    """List the names of the loaded modules to watch: all of dpteach, whatever its packages call them."""
    ours = [name for name in list(sys.modules) if name == OURS or name.startswith(f"{OURS}.")]
    return [name for name in TOOLS if name in sys.modules] + ours


def parts_of(module) -> Iterator[tuple[tuple, object]]:
    """List what a module is made of: its names, those of the classes that it defines, and the code of functions."""
    name = getattr(module, "__name__", "")
    for key, value in list(vars(module).items()):
        if key == "_":  # the last result, which IPython keeps in builtins
            continue
        yield from inner_parts((name, key), value)
        if isinstance(value, type) and value.__module__ == name:
            for inner, part in list(vars(value).items()):
                yield from inner_parts((name, key, inner), part)


def inner_parts(key: tuple, value) -> Iterator[tuple[tuple, object]]:
    """Return a thing and, if it is a function or wraps one, the code that it runs."""
    yield key, value
    for wrapper in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr_plain(value, wrapper)
    code = getattr_plain(value, "__code__", None)
    if code is not None:
        yield (*key, "__code__"), code


def getattr_plain(value, name: str, *default):
    """Return an attribute, or the thing itself (or `default`) if it has none or does not like to be asked."""
    otherwise = default[0] if default else value
    try:
        return getattr(value, name, otherwise)
    except Exception:
        return otherwise


def added_to_a_class(key: tuple) -> bool:
    """Say whether a new part belongs to a class of dpteach: it may hide what the class has inherited."""
    return len(key) > 2 and key[0].startswith(OURS) and not key[2].startswith("__")


def from_a_cell(part) -> bool:
    """Say whether a piece of code stands in a cell."""
    return str(getattr_plain(part, "co_filename", "")).startswith(A_CELL)


def settings(shell) -> dict:
    """Write down the settings of Python and of the shell that make other cells fail when they are changed."""
    import numpy

    found = {
        "recursion": sys.getrecursionlimit(),
        "numpy": str(numpy.geterr()),
        "folder": os.getcwd(),
        "memory": resource.getrlimit(resource.RLIMIT_AS),
        "clock": signal.getitimer(signal.ITIMER_REAL),
        "trace": sys.gettrace(),
        "profile": sys.getprofile(),
        "names": id(shell.user_ns),
        "threads": threading.active_count(),
        "meta_path": list(map(id, sys.meta_path)),
        "path_hooks": list(map(id, sys.path_hooks)),
    }
    for name in TRANSFORMERS:
        found[name] = str(getattr(shell, name))
    for name in CALLBACKS:
        found[name] = str(shell.events.callbacks[name])
    return found
