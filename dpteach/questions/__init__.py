"""Questions that are asked before their answer is shown: in the lectures, on slides, and in the self-checks.

`question("1.3")` as the last line of a cell asks it; `question("1.3").then(picture)` in a later cell shows the picture
once it is answered. The texts are in one file for each lecture, plain data of the two `kinds`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

from .. import checks
from .asking import Question
from .kinds import Choice, Number

__all__ = ["question", "texts"]

_asked: dict[str, Question] = {}  # so that a later cell knows what was answered


def question(id: str) -> Question:
    """Return the question of this number, the same one whenever it is asked for: "1.3", or "1.s3" of a self-check."""
    known = texts()
    if not checks.is_among(id, known):
        raise ValueError(f"id must be the number of a question, such as {_near(id)}, not {checks.shorten(id)}")
    return _asked.setdefault(id, Question(known[id]))


@cache
def texts() -> dict[str, Choice | Number]:
    """Return all questions by their numbers, in the order of the course."""
    files = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("lecture_"))
    listed = [text for name in files for text in importlib.import_module(f".{name}", __name__).QUESTIONS]
    found = {text.id: text for text in listed}
    if len(found) < len(listed):
        raise ValueError(f"two questions must not have the same number, as in {[text.id for text in listed]}")
    return found


def _near(id) -> str:
    """Name the numbers that look most like a wrong one."""
    close = difflib.get_close_matches(checks.shorten(id).strip("'\""), texts(), n=3, cutoff=0.3) or list(texts())[:3]
    return ", ".join(f'"{name}"' for name in close)
