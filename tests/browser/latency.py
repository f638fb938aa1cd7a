"""How long from a key press to the new picture? An explorer against the usual way, side by side.

The usual way is `ipywidgets.interactive_output` with an inline figure: the same numbers, drawn by the same function.
Run by hand: `python tests/browser/latency.py [presses]`.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

OURS = """
from dpteach.explore import BudgetRace
race = BudgetRace()
race
"""
USUAL = """
from types import SimpleNamespace
import ipywidgets
import matplotlib.pyplot  # prepares the notebook for inline figures
from IPython.display import display
from dpteach.explore.base.paint import figure_of

def usual(**settings):
    numbers = SimpleNamespace(**settings | race.numbers(**settings))
    display(figure_of(race.sheet(numbers).json()))

def usual_input(name, control):
    if hasattr(control, "grid"):
        return ipywidgets.SelectionSlider(options=control.grid, value=control.value, description=name)
    if hasattr(control, "low"):
        return ipywidgets.IntSlider(min=control.low, max=control.high, value=control.value, description=name)
    return ipywidgets.Dropdown(options=control.options, value=control.value, description=name)

inputs = {name: usual_input(name, control) for name, control in race.controls.items()}
ipywidgets.VBox([*inputs.values(), ipywidgets.interactive_output(usual, inputs)])
"""
# Times one key press: from the event to the frame in which a new picture stands.
WATCH = """(output) => {
  const usual = () => output.querySelector(".jp-OutputArea-output img")?.src;
  const shown = () => usual() ?? output.querySelector(".dpteach-picture > svg")?.innerHTML;
  window.measured = new Promise((resolve) => {
    let start = 0, old = shown();
    document.addEventListener("keydown", (event) => { start = event.timeStamp; }, { once: true, capture: true });
    const check = async () => {
      const now = shown(), img = output.querySelector(".jp-OutputArea-output img");
      if (!start || !now || now === old) return;
      old = now;
      observer.disconnect();
      if (img && !img.complete) await new Promise((done) => img.addEventListener("load", done, { once: true }));
      requestAnimationFrame(() => resolve(performance.now() - start));
    };
    setTimeout(() => resolve(NaN), 20000);
    const observer = new MutationObserver(check);
    observer.observe(output, { subtree: true, childList: true, attributes: true, attributeFilter: ["src"] });
  });
}"""


def measure(page, address: str, run_all, presses: int = 30) -> dict[str, list[float]]:
    """Return the times in milliseconds; the two ways take turns, so that a busy machine slows down both."""
    run_all(page, address)
    outputs = page.locator(".jp-Cell-outputArea")
    ways = {"explorer": outputs.nth(0), "interactive_output": outputs.nth(1)}
    for output in ways.values():
        output.locator("img, .dpteach-picture > svg").first.wait_for()
    times = {name: [] for name in ways}
    for press in range(presses + 3):
        for name, output in ways.items():
            time = one_press(page, output, "ArrowRight" if press // 10 % 2 == 0 else "ArrowLeft")
            times[name] += [time] if press >= 3 else []  # the first ones warm up
    return times


def one_press(page, output, key: str) -> float:
    """Press a key on the slider for k and wait for the picture."""
    output.locator(".noUi-handle, input[type=range]").nth(2).focus()
    output.evaluate(WATCH)
    page.keyboard.press(key)
    return page.evaluate("window.measured")


def table(times: dict[str, list[float]]) -> str:
    """Return medians and 95th percentiles, and how many times faster the explorer is."""
    lines = [f"{'key press to picture':<22}{'median ms':>10}{'p95 ms':>8}"]
    for name, sample in times.items():
        lines.append(f"{name:<22}{statistics.median(sample):>10.0f}{statistics.quantiles(sample, n=20)[-1]:>8.0f}")
    ratio = statistics.median(times["interactive_output"]) / statistics.median(times["explorer"])
    return "\n".join([*lines, f"the explorer is {ratio:.1f} times faster"])


def main(presses: int = 30) -> None:
    """Measure by hand."""
    from browsing import CHROMIUM, FLAGS, run_all, serving, watched
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder, "root")
        root.mkdir()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with serving(root) as server, watched(browser) as page:
            address = server.add("latency.ipynb", OURS, USUAL)
            print(table(measure(page, address, run_all, presses)))
        browser.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
