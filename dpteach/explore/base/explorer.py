"""The base of all explorers: three pure functions and a row of controls.

How one is written stands in `dpteach/explore/README.md`. What is shown is at once a live widget, a PNG with the caption
written under it (for pages without a kernel) and the caption as plain text, which is the same on every run.
"""

from __future__ import annotations

import html
import inspect
from collections.abc import Mapping
from functools import cached_property
from types import SimpleNamespace
from typing import Any, ClassVar

import ipywidgets
from matplotlib.figure import Figure

from ... import checks
from ...figures.style import axes
from .axes import fix_places
from .canvas import Canvas, png, with_words
from .controls import LAYOUT, STYLE, Control
from .view import View

OWN = "own settings"
WARNING = "#fdecc8"  # the background of a message, as in the view's style sheet
WIDGET = "application/vnd.jupyter.widget-view+json"


class Explorer:
    """An explorable picture; `dpteach/explore/README.md` says how to write one."""

    controls: ClassVar[Mapping[str, Control]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    xlabel = ylabel = ""
    size = (7.5, 4.6)
    margins: ClassVar[Mapping[str, float]] = dict(left=0.11, right=0.97, bottom=0.13, top=0.95)

    def __init__(self, preset: str | None = None, **settings):
        chosen = {} if preset is None else self._preset(preset)
        self._first = self._full(chosen) | self._checked(settings)
        self.settings = dict(self._first)
        self._held = False  # whether the controls are being moved by code, so that nobody follows them

    # ------------------------------------------------------------------------- what an explorer is made of

    def numbers(self, **settings) -> Mapping[str, Any]:
        """Compute what is shown; raise ValueError if the settings are impossible."""
        raise NotImplementedError

    def draw(self, ax, n: SimpleNamespace) -> None:
        """Draw on empty axes; `n` holds the settings and the numbers."""
        raise NotImplementedError

    def caption(self, n: SimpleNamespace) -> str:
        """Say in whole sentences what the picture shows, with the key numbers."""
        raise NotImplementedError

    def idle(self, settings: Mapping[str, Any]) -> Mapping[str, str]:
        """Name the controls that change nothing at these settings, each with the reason in a few words."""
        return {}

    def blank(self) -> Figure:
        """Make the figure with its empty axes."""
        figure, _ = axes(self.xlabel, self.ylabel, size=self.size)
        fix_places(figure, **self.margins)
        return figure

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

    def reset(self, _=None) -> None:
        """Return to the settings at the start."""
        self._put(self._first)

    def png(self) -> bytes:
        """Return the picture with its caption written under it."""
        numbers, words = self._state()
        background = WARNING if numbers is None else "white"
        return png(with_words(self._pixels(numbers), words, background), level=9)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include=None, exclude=None):
        words = self.text
        live = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        shown = {WIDGET: live, "image/png": self.png(), "text/plain": words}
        return shown, {"image/png": {"alt": words}}

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

    @cached_property
    def canvas(self) -> Canvas:
        """The one figure, made when it is first needed."""
        return Canvas(self.blank())

    def _pixels(self, numbers: SimpleNamespace | None):
        if numbers is not None:
            self.canvas.wipe()
            panels = self.canvas.figure.axes
            self.draw(panels[0] if len(panels) == 1 else panels, numbers)
        return self.canvas.pixels()

    def _put(self, settings: Mapping[str, Any]) -> None:
        self.settings.update(settings)
        if "widget" not in vars(self):
            return
        self._held = True
        for name, value in settings.items():
            self.controls[name].put(self._inputs[name], value)
        self._held = False
        self._redraw()

    # ----------------------------------------------------------------------------------------- the widget

    @cached_property
    def widget(self) -> ipywidgets.Widget:
        """The live explorer, made when it is first shown."""
        controls = ipywidgets.Box([*self._inputs.values()], layout={"flex_flow": "row wrap", "max_width": "850px"})
        title = ipywidgets.HTML(f"<b style='font-size: 16px'>{html.escape(self.question)}</b>")
        self._redraw()
        box = ipywidgets.VBox([title, controls, self._menu, self.view], layout={"width": "100%", "overflow": "hidden"})
        return box.add_class("dpteach-explorer")

    @cached_property
    def view(self) -> View:
        """Picture and caption."""
        return View(question=self.question)

    @cached_property
    def _inputs(self) -> dict[str, ipywidgets.Widget]:
        inputs = {name: control.widget(name) for name, control in self.controls.items()}
        for name, widget in inputs.items():
            self.controls[name].put(widget, self.settings[name])
            widget.observe(self._moved, "value")
        return inputs

    @cached_property
    def _presets(self) -> ipywidgets.Dropdown:
        dropdown = ipywidgets.Dropdown(options=[OWN, *self.presets], description="preset", style=STYLE, layout=LAYOUT)
        dropdown.observe(self._chosen, "value")
        return dropdown

    @cached_property
    def _menu(self) -> ipywidgets.Widget:
        reset = ipywidgets.Button(description="reset", tooltip="return to the settings at the start")
        reset.on_click(self.reset)
        return ipywidgets.HBox([self._presets, reset] if self.presets else [reset])

    def _moved(self, change) -> None:
        """Follow a control; no other control has moved since the last drawing."""
        if not self._held:
            self.settings = {name: widget.value for name, widget in self._inputs.items()}
            self._redraw()

    def _chosen(self, change) -> None:
        """Follow the list of presets."""
        if change.new != OWN and not self._held:
            self._put(self._full(self._preset(change.new)))

    def _redraw(self) -> None:
        """Send picture and caption in one message, so that they never contradict each other."""
        numbers, words = self._state()
        with self.view.hold_sync():
            self.view.impossible = numbers is None
            self.view.sentence = words
            if numbers is not None or not self.view.png:
                self.view.png = png(self._pixels(numbers))
        self._name_preset()

    def _name_preset(self) -> None:
        """Show which preset is set, if any."""
        names = (name for name in self.presets if self._full(self._preset(name)) == self.settings)
        self._held = True
        self._presets.value = next(names, OWN)
        self._held = False
