"""What runs in the reader's browser: explorers that answer in plain text. Neither Jupyter nor matplotlib is needed."""

from __future__ import annotations

import json
from typing import Any

from .. import explore

_open: dict[str, Any] = {}  # the explorers of the page, each under its own key


def answer(key: str, name: str, first: str, moved: str) -> str:
    """Return what an explorer shows after a reader has moved some controls; it was opened at its first settings."""
    if key not in _open:
        explorer = getattr(explore, name)()
        explorer.follow(json.loads(first))
        _open[key] = explorer
    return json.dumps(_open[key].answer(json.loads(moved)))
