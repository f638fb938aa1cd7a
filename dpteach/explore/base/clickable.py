"""Explorers whose picture can be clicked.

Buttons without a face lie over the picture, so mouse, keyboard and screen reader reach the same things in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from .explorer import Explorer
from .sheet import Sheet


@dataclass(frozen=True)
class Spot:
    """A place to click on: its middle and size in the units of the axes, and whether it is chosen now."""

    name: str
    x: float
    y: float
    width: float
    height: float
    pressed: bool = False

    def on(self, sheet: Sheet) -> dict[str, Any]:
        """Return the button in parts of the picture, counted from its upper left corner."""
        panel = sheet.panels[0]
        left, bottom, width, height = panel.place()
        across, up = sheet.points
        corners = [panel.parts_of(self.x + side * self.width / 2, self.y + side * self.height / 2) for side in (-1, 1)]
        x0, x1 = sorted(left + part * width for part, _ in corners)
        y0, y1 = sorted(bottom + part * height for _, part in corners)
        box = dict(left=x0 / across, top=1 - y1 / up, width=(x1 - x0) / across, height=(y1 - y0) / up)
        rounded = {side: round(part, 4) for side, part in box.items()}
        return dict(name=self.name, pressed=bool(self.pressed), **rounded)


class Clickable(Explorer):
    """An explorer that says where its first panel can be clicked, and which settings a click changes."""

    hint = ""  # what a screen reader says about the buttons

    def spots(self, n: SimpleNamespace) -> list[Spot]:
        """Return the places to click on."""
        raise NotImplementedError

    def clicked(self, name: str) -> Mapping[str, Any]:
        """Return the settings that a click on a spot changes."""
        raise NotImplementedError

    def _constant(self) -> dict[str, Any]:
        return super()._constant() | dict(hint=self.hint)

    def follow(self, settings: Mapping[str, Any]) -> None:
        """Take over settings that the browser sends, or what a click leads to."""
        chosen = dict(settings)
        if "clicked" in chosen:
            with contextlib.suppress(ValueError):  # the settings are impossible now, and the picture is of earlier ones
                chosen |= self.clicked(chosen["clicked"])
        super().follow(chosen)

    def _drawn(self, numbers: SimpleNamespace) -> dict[str, Any]:
        """Return the picture with its buttons."""
        sheet = self.sheet(numbers)
        return dict(sheet=sheet.json(), spots=[spot.on(sheet) for spot in self.spots(numbers)])
