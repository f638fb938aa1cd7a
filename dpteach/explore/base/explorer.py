"""The base of all explorers: three pure functions and a row of controls.

How an explorer is written::

    class BudgetRace(Explorer):
        \"\"\"Which composition theorem is cheapest, and from how many releases on?\"\"\"  # shown above the controls

        controls: ClassVar = dict(eps=log_slider(0.01, 2, 0.1, "ε of one"), k=int_slider(1, 1000, 100, "releases k"))
        presets: ClassVar = {"the textbook mistake": dict(eps=1, k=500)}
        xlabel, ylabel = "number of releases k", "total ε"

        def numbers(self, eps, k):                                     # pure; a ValueError is shown as a message
            return dict(eps=eps, k=k, basic=float(basic(Guarantee(eps), k=k).epsilon))

        def draw(self, ax, n):                                         # on empty axes; n has the numbers as attributes
            ax.plot([1, n.k], [n.eps, n.basic], **line_style(0))
            ax.set(xlim=(1, 1000), ylim=(0, 1000))                     # always set both limits: nothing may jump

        def caption(self, n):                                          # whole sentences, with settings and numbers
            return f"After {n.k} releases of ε = {n.eps:g} basic composition charges {n.basic:.6g}."

- `BudgetRace(eps=1, k=500)` or `BudgetRace("the textbook mistake")` as the last line of a cell shows it;
  `explorer.set(k=20)` moves the controls from code. What a preset leaves out is at its default.
- Controls come from `dpteach.explore.base.controls`: `log_slider`, `slider`, `pick`, `int_slider`, `choice`, `switch`.
- For more than one panel override `blank()`; `draw` then gets the list of all axes. Never make axes inside `draw`.
- `draw` must not use pyplot. Whatever it added is removed before the next drawing; limits, scales, labels, ticks and
  the left title of the axes may be changed at will (changing them costs time, because the axes are drawn anew).
- Legends are drawn under the lines and kept with the axes: give them a fixed place, never `loc="best"`.
- `numbers` should take a few milliseconds: keep costly curves in a function with `functools.lru_cache`.

What is shown is at once a live widget, a PNG with the caption written under it (for pages without a kernel) and the
caption as plain text, which is the same on every run.
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
from .canvas import Canvas, png, with_words
from .controls import LAYOUT, STYLE, Control
from .view import View

OWN = "own settings"
WARNING = "#fdecc8"  # the background of a message, as in the view's style sheet
WIDGET = "application/vnd.jupyter.widget-view+json"


class Explorer:
    """An explorable picture; see the module's docstring for how to write one."""

    controls: ClassVar[Mapping[str, Control]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    xlabel = ylabel = ""
    size = (7.5, 4.6)
    margins: ClassVar[Mapping[str, float]] = dict(left=0.11, right=0.97, bottom=0.13, top=0.95)

    def __init__(self, preset: str | None = None, **settings):
        self._first = self._full({} if preset is None else self._preset(preset)) | self._checked(settings)
        self.settings = dict(self._first)
        self._held = False

    # ------------------------------------------------------------------------- what an explorer is made of

    def numbers(self, **settings) -> Mapping[str, Any]:
        """Compute what is shown; raise ValueError if the settings are impossible."""
        raise NotImplementedError

    def draw(self, ax, n: SimpleNamespace) -> None:
        """Draw the numbers on empty axes."""
        raise NotImplementedError

    def caption(self, n: SimpleNamespace) -> str:
        """Say in whole sentences what the picture shows, with the key numbers."""
        raise NotImplementedError

    def blank(self) -> Figure:
        """Make the figure with its empty axes."""
        figure, _ = axes(self.xlabel, self.ylabel, size=self.size)
        figure.set_layout_engine(None)  # a layout that is computed anew is slow, and makes the axes jump
        figure.subplots_adjust(**self.margins)
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
        live = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        words = self.text
        return {WIDGET: live, "image/png": self.png(), "text/plain": words}, {"image/png": {"alt": words}}

    # -------------------------------------------------------------------------------------- how it works

    def _checked(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        if unknown := set(settings) - set(self.controls):
            raise ValueError(f"settings must be among {', '.join(self.controls)}, not {min(unknown)}")
        return {name: self.controls[name].check(name, value) for name, value in settings.items()}

    def _full(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings of all controls, those not given at their defaults."""
        return {name: control.value for name, control in self.controls.items()} | self._checked(settings)

    def _preset(self, name: str) -> Mapping[str, Any]:
        return self.presets[checks.choice("preset", name, tuple(self.presets))]

    def _state(self) -> tuple[SimpleNamespace | None, str]:
        """Return the numbers (None if the settings are impossible) and the sentence for them."""
        try:
            numbers = SimpleNamespace(**self.numbers(**self.settings))
        except ValueError as error:
            return None, f"Impossible settings: {error}."
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
        return ipywidgets.HBox([*([self._presets] if self.presets else []), reset])

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
