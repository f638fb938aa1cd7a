"""Explorers whose picture can be clicked.

Buttons without a face lie over the picture, so mouse, keyboard and screen reader reach the same things in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
import traitlets
from matplotlib.axes import Axes

from .explorer import Explorer
from .view import SCRIPT, STYLE, View

EXPORT = "export default { render };"
SPOTS = """
// One stop of the Tab key for all buttons; an arrow key goes to the nearest one in its direction.
const AHEAD = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function renderSpots({ model, el }) {
  const leave = render({ model, el });
  const picture = el.querySelector("img"), frame = document.createElement("div"), layer = document.createElement("div");
  frame.className = "dpteach-spots";
  layer.setAttribute("role", "group");
  layer.setAttribute("aria-label", model.get("hint"));
  picture.replaceWith(frame);
  frame.append(picture, layer);
  let place = 0;

  const walk = (to) => {
    place = Math.max(0, Math.min(layer.children.length - 1, to));
    [...layer.children].forEach((button, i) => { button.tabIndex = i === place ? 0 : -1; });
  };
  const add = () => {
    const button = document.createElement("button"), i = layer.children.length;
    button.addEventListener("click", () => { walk(i); model.send({ clicked: model.get("spots")[i].name }); });
    layer.append(button);
  };
  const show = () => {  // a button that stays keeps the focus
    const spots = model.get("spots");
    while (layer.children.length < spots.length) add();
    while (layer.children.length > spots.length) layer.lastChild.remove();
    spots.forEach(({ name, pressed, ...box }, i) => {
      const button = layer.children[i];
      button.title = name;
      button.setAttribute("aria-label", name);
      button.setAttribute("aria-pressed", pressed);
      for (const side in box) button.style[side] = `${100 * box[side]}%`;
    });
    walk(place);
  };
  const nearest = ([right, down]) => {
    const middle = (button) => [button.offsetLeft + button.offsetWidth / 2, button.offsetTop + button.offsetHeight / 2];
    const [x, y] = middle(layer.children[place]);
    let best = place, least = Infinity;
    [...layer.children].forEach((button, i) => {
      const [dx, dy] = [middle(button)[0] - x, middle(button)[1] - y];
      const along = dx * right + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along > 1 && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
    });
    return best;
  };
  layer.addEventListener("keydown", (event) => {
    if (!(event.key in AHEAD) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    walk(nearest(AHEAD[event.key]));
    layer.children[place].focus();
  });
  model.on("change:spots", show);
  show();
  return () => { model.off("change:spots", show); leave(); };
}
export default { render: renderSpots };
"""
SPOTS_STYLE = """
.dpteach-spots { position: relative; width: fit-content; max-width: 100%; }
.dpteach-spots button {
  position: absolute; padding: 0; border: 0; background: none; cursor: pointer; border-radius: 6px;
}
.dpteach-spots button:hover { outline: 2px dashed #555; }
.dpteach-spots button:focus-visible { outline: 3px solid #d55e00; outline-offset: 1px; }
"""


@dataclass(frozen=True)
class Spot:
    """A place to click on: its middle and size in the units of the axes, and whether it is chosen now."""

    name: str
    x: float
    y: float
    width: float
    height: float
    pressed: bool = False

    def on(self, ax: Axes) -> dict[str, Any]:
        """Return the button in parts of the picture, counted from its upper left corner."""
        half = np.array([self.width / 2, self.height / 2])
        middle = np.array([self.x, self.y])
        corners = ax.transData.transform([middle - half, middle + half]) / ax.figure.bbox.size
        left, low = corners.min(axis=0)
        right, high = corners.max(axis=0)
        box = dict(left=left, top=1 - high, width=right - left, height=high - low)
        rounded = {side: round(float(part), 4) for side, part in box.items()}
        return dict(name=self.name, pressed=bool(self.pressed), **rounded)


class SpotView(View):
    """A picture with buttons over it; a click is sent as a message with the button's name."""

    _esm = SCRIPT.replace(EXPORT, SPOTS)
    _css = STYLE + SPOTS_STYLE
    hint = traitlets.Unicode().tag(sync=True)
    spots = traitlets.List().tag(sync=True)


class Clickable(Explorer):
    """An explorer that says where its first axes can be clicked, and which settings a click changes."""

    hint = ""  # what a screen reader says about the buttons

    def spots(self, n: SimpleNamespace) -> list[Spot]:
        """Return the places to click on."""
        raise NotImplementedError

    def clicked(self, name: str) -> Mapping[str, Any]:
        """Return the settings that a click on a spot changes."""
        raise NotImplementedError

    @cached_property
    def view(self) -> SpotView:
        """Picture, buttons and caption."""
        view = SpotView(question=self.question, hint=self.hint)
        view.on_msg(self._click)
        return view

    def _click(self, _, message, buffers) -> None:
        with contextlib.suppress(ValueError):  # the settings are impossible now, and the picture is of earlier ones
            self.set(**self.clicked(message["clicked"]))

    def _pixels(self, numbers):
        pixels = super()._pixels(numbers)
        if numbers is not None and "view" in vars(self):
            ax = self.canvas.figure.axes[0]
            self.view.spots = [spot.on(ax) for spot in self.spots(numbers)]
        return pixels
