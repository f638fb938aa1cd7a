"""What a student's function calls: a task may ask to do without a part of the library.

That is a rule of honesty and no wall. It sees calls of Python functions in this process while a question is answered,
whatever name they have there and whichever way led to them, and nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Iterator
from types import FrameType

WORDS = "dpteach.grading"  # the words of checks, such as `pick`, are allowed everywhere


@contextlib.contextmanager
def noting_calls(part: str) -> Iterator[list[str]]:
    """Note the first call of a part of the library meanwhile; `part` is a module, such as `dpteach`, or empty."""
    called: list[str] = []

    def note(frame: FrameType, event: str, _) -> None:
        if event == "call" and not called and belongs(module_of(frame), part) and not loads(frame):
            called.append(name_of(frame))

    if not part:
        yield called
        return
    before = sys.getprofile()
    before_in_threads = threading.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield called
    finally:
        if sys.getprofile() is not note:
            called.append("sys.setprofile")
        sys.setprofile(before)
        threading.setprofile(before_in_threads)


@functools.cache
def belongs(module: str, part: str) -> bool:
    """Say whether a module belongs to a part of the library."""
    module = f"{module}."
    return module.startswith(f"{part}.") and not module.startswith(f"{WORDS}.")


def loads(frame: FrameType | None) -> bool:
    """Say whether the library is only being imported: that is no call."""
    if frame.f_code.co_qualname == "__getattr__":  # of a module that loads others when they are first asked for
        return True
    while frame and not module_of(frame).startswith(WORDS):
        if frame.f_code.co_name == "<module>" and belongs(module_of(frame), "dpteach"):
            return True
        frame = frame.f_back
    return False


def module_of(frame: FrameType) -> str:
    """Return the name of the module in which the code of a frame stands."""
    return str(frame.f_globals.get("__name__"))


def name_of(frame: FrameType) -> str:
    """Name what was called: a class, if an object was made."""
    return f"{module_of(frame)}.{frame.f_code.co_qualname}".removesuffix(".__init__")
