"""The base of all explorers: three pure functions and a row of controls.

How one is written stands in `dpteach/explore/README.md`. What is shown is at once a live widget, a PNG with the caption
written under it (for pages without a kernel) and the caption as plain text, which is the same on every run.

An explorer itself needs neither Jupyter nor matplotlib: `state()` is all that a browser has to know at first, and
`answer(settings)` what changes when a reader moves a control, both as plain values.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from ... import checks
from ...tools import extras
from .axes import one_panel
from .controls import Control
from .sheet import Sheet

if TYPE_CHECKING:
    from .live import Live

OWN = "own settings"
WIDGET = "application/vnd.jupyter.widget-view+json"


class Explorer:
    """An explorable picture; `dpteach/explore/README.md` says how to write one."""

    controls: ClassVar[Mapping[str, Control]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    xlabel = ylabel = ""
    size = (7.5, 4.6)
    margins: ClassVar[Mapping[str, float]] = dict(left=0.11, right=0.97, bottom=0.13, top=0.95)
    parts: ClassVar[Sequence[Path]] = ()  # scripts and style sheets that the browser needs besides the base's

    def __init__(self, preset: str | None = None, **settings):
        chosen = {} if preset is None else self._preset(preset)
        self._first = self._full(chosen) | self._checked(settings)
        self.settings = dict(self._first)

    # ------------------------------------------------------------------------- what an explorer is made of

    def numbers(self, **settings) -> Mapping[str, Any]:
        """Compute what is shown; raise ValueError if the settings are impossible."""
        raise NotImplementedError

    def draw(self, ax, n: SimpleNamespace) -> None:
        """Draw on an empty panel, or on several; `n` holds the settings and the numbers."""
        raise NotImplementedError

    def caption(self, n: SimpleNamespace) -> str:
        """Say in one sentence what the picture shows; after a line break, tell all numbers."""
        raise NotImplementedError

    def idle(self, settings: Mapping[str, Any]) -> Mapping[str, str]:
        """Name the controls that change nothing at these settings, each with the reason in a few words."""
        return {}

    def blank(self) -> Sheet:
        """Make the sheet with its empty panels."""
        sheet, panel = one_panel(self.size, **self.margins)
        panel.set(xlabel=self.xlabel, ylabel=self.ylabel)
        return sheet

    # ----------------------------------------------------------------------------------------- using one

    @property
    def question(self) -> str:
        """The question that the explorer answers: the first line of its docstring."""
        return inspect.getdoc(type(self)).splitlines()[0]

    @property
    def text(self) -> str:
        """The caption, or why the settings are impossible."""
        return self._state()[1]

    def set(self, **settings) -> None:
        """Change settings, with one redraw."""
        self._put(self._checked(settings))

    def reset(self) -> None:
        """Return to the settings at the start."""
        self._put(self._first)

    def png(self) -> bytes:
        """Return the picture with its caption written under it."""
        from .paint import png

        numbers, words = self._state()
        return png(self.sheet(numbers).json(), words, numbers is None)

    def sheet(self, numbers: SimpleNamespace | None) -> Sheet:
        """Return what is drawn; the empty panels, if there are no numbers."""
        sheet = self.blank()
        if numbers is not None:
            self.draw(sheet.panels[0] if len(sheet.panels) == 1 else sheet.panels, numbers)
        return sheet

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include=None, exclude=None):
        words = self.text
        live = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        shown = {WIDGET: live, "image/png": self.png(), "text/plain": words}
        return shown, {"image/png": {"alt": words}}

    # ------------------------------------------------------------------------------------- plain values

    def state(self) -> dict[str, Any]:
        """Return all that a browser has to know to show the explorer."""
        return self._constant() | self.shown()

    def answer(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Follow a reader who has moved some controls, and return what is shown then."""
        self.follow(settings)
        return self.shown()

    def follow(self, settings: Mapping[str, Any]) -> None:
        """Take over settings that the browser sends."""
        moved = {name: self.controls[name].snap(value) for name, value in settings.items() if name in self.controls}
        self.settings = self._fitted(self.settings | moved)

    def shown(self) -> dict[str, Any]:
        """Return what is shown at the settings; if they are impossible, a message, and no picture."""
        numbers, words = self._state()
        sentence, _, more = words.partition("\n")
        told = dict(settings=self.settings, sentence=sentence, more=more, impossible=numbers is None)
        told |= dict(disabled=dict(self.idle(self.settings)), options=self._options())
        return told if numbers is None else told | self._drawn(numbers)

    def _constant(self) -> dict[str, Any]:
        """Return what stays as it is: question, controls and presets."""
        controls = [dict(name=name, label=one.label or name) | one.json() for name, one in self.controls.items()]
        presets = {name: self._full(self._preset(name)) for name in self.presets}
        return dict(question=self.question, controls=controls, presets=presets, first=self._first, own=OWN)

    def _drawn(self, numbers: SimpleNamespace) -> dict[str, Any]:
        """Return the picture as plain values."""
        return dict(sheet=self.sheet(numbers).json(), spots=[])

    def _options(self) -> dict[str, list[str]]:
        """Return the lists that are shorter now than they were made."""
        return {}

    def _fitted(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return settings that go together, where one control decides what another one can be."""
        return settings

    # -------------------------------------------------------------------------------------- how it works

    def _checked(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        if unknown := set(settings) - set(self.controls):
            raise ValueError(f"settings must be among {', '.join(self.controls)}, not {min(unknown)}")
        return {name: self.controls[name].check(name, value) for name, value in settings.items()}

    def _full(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings of all controls, those not given at their defaults."""
        defaults = {name: control.value for name, control in self.controls.items()}
        return defaults | self._checked(settings)

    def _preset(self, name: str) -> Mapping[str, Any]:
        return self.presets[checks.choice("preset", name, tuple(self.presets))]

    def _state(self) -> tuple[SimpleNamespace | None, str]:
        """Return settings and numbers (None if the settings are impossible), and the sentence for them."""
        try:
            found = self.numbers(**self.settings)
        except ValueError as error:
            return None, f"Impossible settings: {error}."
        numbers = SimpleNamespace(**self.settings | found)
        return numbers, self.caption(numbers)

    def _put(self, settings: Mapping[str, Any]) -> None:
        self.settings = self.settings | settings
        self._show()

    def _show(self) -> None:
        """Let the browser follow, if there is one."""
        if "widget" in vars(self):
            self.widget.show(self.shown())

    @cached_property
    def widget(self) -> Live:
        """The live explorer, made when it is first shown."""
        with extras.told():
            from .live import Live

        return Live(self)
