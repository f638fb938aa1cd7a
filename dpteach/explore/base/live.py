"""An explorer in Jupyter: one widget that passes settings to the kernel, and what is shown to the browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import anywidget
import traitlets

if TYPE_CHECKING:
    from .explorer import Explorer

HERE = Path(__file__).parent


def script(*parts: Path) -> str:
    """Return the module that shows an explorer, with the parts that some explorers add to it."""
    base = [HERE / "sheet", HERE / "controls", HERE / "explorer"]
    return "\n".join(path.with_suffix(".js").read_text(encoding="utf-8") for path in (*base, *parts))


def style(*parts: Path) -> str:
    """Return the style sheet of the explorers, with the parts that some explorers add to it."""
    return "\n".join(path.with_suffix(".css").read_text(encoding="utf-8") for path in (HERE / "explorer", *parts))


class Live(anywidget.AnyWidget):
    """An explorer for the browser: what stays, what is shown now, and how many answers were given."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    constant = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    answers = traitlets.Int(0).tag(sync=True)

    def __init__(self, explorer: Explorer):
        self.explorer = explorer
        adapter = (HERE / "jupyter.js").read_text(encoding="utf-8")
        name = f"dpteach-{os.getpid()}-{uuid4().hex}"  # tools/stored.py asks whether this process is still running
        super().__init__(
            model_id=name,
            name=name,
            _anywidget_id=f"dpteach.{type(explorer).__name__}",  # style sheets of equal names replace each other
            _esm=f"{script(*explorer.parts)}\n{adapter}",
            _css=style(*explorer.parts),
            constant=explorer._constant(),
            shown=explorer.shown(),
        )
        self.on_msg(self._heard)

    def _heard(self, _, message: dict[str, Any], buffers) -> None:
        """Follow a reader; what the browser computes itself needs no answer."""
        self.explorer.follow(message)
        if "local" not in self.constant:
            self.show(self.explorer.shown())

    def show(self, shown: dict[str, Any]) -> None:
        """Send what is shown in one message; a picture that is missing stays as it was."""
        with self.hold_sync():
            self.shown = {name: self.shown[name] for name in ("sheet", "spots") if name in self.shown} | shown
            self.answers += 1
