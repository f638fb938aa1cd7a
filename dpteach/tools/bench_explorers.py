"""The explorers' race, `python -m dpteach bench-explorers`: how soon does a picture follow a control, in JupyterLab?

Every control of every explorer is moved in Chromium, and so is its like in the usual way: `interactive_output` of
ipywidgets, with the same numbers and the same picture, drawn by matplotlib. The two take turns, the explorer first, so
that it computes the numbers and the usual way may find them computed. On a slider a key is then held for a second.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import explore
from ..explore.base.explorer import Explorer
from ..table import Table
from . import lab

NAMES = [name for name in explore.__all__ if name != "Explorer"]
TYPED = {
    "board": ["1 2 3", "1 2 13"],
    "eps": ["1 2 3", "1 2 4"],
    "h0": ["00 11", "00 01 11"],
    "h1": ["10 11", "01 10 11"],
}
WARM_UP = 2  # moves that are not counted
COLUMNS = ["explorer", "control", "ms", "usual ms", "times faster", "pictures a second", "usual"]

SETUP = """
from dpteach import explore
explorer = explore.{name}({preset!r})
explorer
"""
USUAL = """
import ipywidgets
import matplotlib.pyplot  # prepares the notebook for inline figures
from IPython.display import display
from dpteach.explore.base.paint import figure_of

other = explore.{name}({preset!r})
offered = other.shown()["options"]

def usual(**settings):
    other.settings = other._fitted(settings)
    display(figure_of(other.sheet(other._state()[0]).json()))

def usual_input(name, control):
    look = dict(value=other.settings[name], description=name)
    if hasattr(control, "grid"):
        return ipywidgets.SelectionSlider(options=sorted({{*control.grid, look["value"]}}), **look)
    if hasattr(control, "low"):
        return ipywidgets.IntSlider(min=control.low, max=control.high, **look)
    if hasattr(control, "options"):
        return ipywidgets.Dropdown(options=offered.get(name, control.options), **look)
    if isinstance(look["value"], bool):
        return ipywidgets.Checkbox(**look)
    return ipywidgets.Text(continuous_update=False, **look)

inputs = {{name: usual_input(name, control) for name, control in other.controls.items()}}

def restore(_):
    for name, widget in inputs.items():
        widget.value = other._first[name]

reset = ipywidgets.Button(description="reset")
reset.on_click(restore)
ipywidgets.VBox([*inputs.values(), ipywidgets.interactive_output(usual, inputs), reset])
"""
SCRIPT = Path(__file__).with_suffix(".js")


@dataclass(frozen=True)
class Measured:
    """How long a control takes to change the picture, in ms, and how many pictures a second follow a held key."""

    explorer: str
    control: str
    ours: float
    usual: float
    ours_a_second: float = math.nan
    usual_a_second: float = math.nan

    @property
    def times(self) -> float:
        """How many times faster the explorer is."""
        return self.usual / self.ours

    def row(self) -> tuple:
        """Return the line of the table; what was not measured is empty."""
        numbers = (self.ours, self.usual, self.times, self.ours_a_second, self.usual_a_second)
        return self.explorer, self.control, *(None if math.isnan(x) else float(f"{x:.3g}") for x in numbers)


def main(argv: list[str] | None = None) -> int:
    """Read the command line, measure and print the table."""
    made = argparse.ArgumentParser(prog="python -m dpteach bench-explorers", description=__doc__.split("\n")[0])
    made.add_argument("explorers", nargs="*", help="which ones; all, if none is named")
    made.add_argument("--moves", type=int, default=9, help="of each control; the median counts")
    options = made.parse_args(argv)
    if unknown := sorted(set(options.explorers) - set(NAMES)):
        made.error(f"explorers must be among {', '.join(NAMES)}, not {unknown[0]}")
    if reason := lab.reason_to_skip():
        print(f"bench-explorers drives a browser: {reason}.", file=sys.stderr)
        return 1
    measured = list(race(options.explorers or NAMES, options.moves))
    print(table(measured))
    print(summary(measured))
    return 0


def table(measured: list[Measured]) -> Table:
    """Return all that was measured."""
    return Table([one.row() for one in measured], COLUMNS)


def summary(measured: list[Measured]) -> str:
    """Say in two lines how the slowest and the typical control do; what showed no picture is left to the table."""
    measured = [one for one in measured if not math.isnan(one.times)]
    slowest = min(measured, key=lambda one: one.times)
    typical = statistics.median(one.ours for one in measured)
    held = [one.ours_a_second for one in measured if not math.isnan(one.ours_a_second)]
    return (
        f"Least: {slowest.explorer}.{slowest.control}, {slowest.times:.1f} times faster than the usual way; "
        f"median {statistics.median(one.times for one in measured):.1f} times.\n"
        f"Typical: {typical:.0f} ms; a held key shows {min(held, default=math.nan):.0f} pictures a second or more."
    )


# ------------------------------------------------------------------------------------------------------ what is moved


def races(name: str) -> Iterator[tuple[str | None, list[str]]]:
    """Yield presets of an explorer, each with the controls that do something there and were not yet named."""
    kind = getattr(explore, name)
    left = dict.fromkeys(kind.controls)
    for preset in (None, *kind.presets):
        explorer = kind(preset)
        live = [control for control in left if control not in explorer.idle(explorer.settings)]
        left = {control: None for control in left if control not in live}
        if live:
            yield preset, live


def asked(explorer: Explorer, control: str) -> dict[str, Any]:
    """Return what the page has to know to move a control."""
    label = explorer.controls[control].label
    place = list(explorer.controls).index(control)
    return dict(name=control, label=label, place=place, texts=TYPED.get(control, []))


# ---------------------------------------------------------------------------------------------------------- the race


def race(names: list[str], moves: int) -> Iterator[Measured]:
    """Open a page for every explorer, and measure."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder, "root")
        root.mkdir()
        browser = playwright.chromium.launch(executable_path=lab.CHROMIUM, args=lab.FLAGS)
        with lab.serving(root) as server:
            for name in names:
                print(f"{name} ...", file=sys.stderr, flush=True)  # all of them take some ten minutes
                for preset, controls in races(name):
                    with lab.watched(browser) as page:
                        yield from on_page(page, server, name, preset, controls, moves)
        browser.close()


def on_page(page, server: lab.Server, name: str, preset: str | None, controls: list[str], moves: int):
    """Measure some controls of an explorer, beside the usual way."""
    cells = [text.format(name=name, preset=preset) for text in (SETUP, USUAL)]
    lab.run_all(page, server.add(f"{name}.ipynb", *cells))
    outputs = page.locator(".jp-Cell-outputArea")
    for place in (0, 1):
        outputs.nth(place).locator("img, .dpteach-picture > svg").first.wait_for()
    page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
    explorer = getattr(explore, name)(preset)
    for control in controls:
        found = page.evaluate(
            "(asked) => window.dpteachRace(asked)", asked(explorer, control) | dict(moves=moves + WARM_UP)
        )
        if found is None:
            continue  # what the browser does not show cannot be moved
        ours, usual = (statistics.median(usable(times)) for times in found["times"])
        yield Measured(name, control, ours, usual, *(math.nan if x is None else x for x in found["held"]))


def usable(times: list[float | None]) -> list[float]:
    """Return the times without those of the first moves, and of moves that changed nothing."""
    return [time for time in times[WARM_UP:] if time is not None] or [math.nan]
