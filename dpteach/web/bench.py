"""`python -m dpteach bench-web`: how long the course in the browser takes, and how many bytes.

Seconds from navigation to the first picture, to the first live explorer with an empty cache and with a full one, and
from a slider's move to the new picture, for all explorers; in Chromium, from a server on this machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING

from .. import explore
from ..table import Table
from ..tools.lab import CHROMIUM, FLAGS, reason_to_skip
from .serve import SITE, bring_up_to_date, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURE = "document.querySelector('.dpteach-picture svg path') !== null"
READY = "document.documentElement.dataset.python === 'ready'"
PATIENCE = 300_000  # ms
MOVES = (1, -1) * 3
NAMES = [name for name in explore.__all__ if name != "Explorer"]
# The time is taken in the browser: from the move to the answer that has been drawn.
MOVE = """async ([at, slider, by]) => {
  const place = document.querySelectorAll(".explorer")[at];
  const input = place.querySelectorAll('input[type="range"]')[slider];
  const before = place.dpteachAnswers, picture = place.querySelector(".dpteach-picture").innerHTML;
  const drawn = () => place.dpteachAnswers > before || place.querySelector(".dpteach-picture").innerHTML !== picture;
  const since = performance.now();
  input.value = Number(input.value) + by;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  while (!drawn() && performance.now() - since < 60000) await new Promise((done) => setTimeout(done, 1));
  return performance.now() - since;
}"""


def main(argv: list[str] | None = None) -> int:
    """Measure, and print two tables."""
    argparse.ArgumentParser(prog="python -m dpteach bench-web", description=__doc__).parse_args(argv)
    if reason := reason_to_skip():
        print(f"bench-web cannot measure: {reason}")
        return 1
    from playwright.sync_api import sync_playwright

    bring_up_to_date(SITE)
    with served(SITE) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        print(loading(browser, address), moving(browser, address), sep="\n\n")
    return 0


def loading(browser: Browser, address: str) -> Table:
    """Return how long the front page takes, with an empty cache and again."""
    context = browser.new_context()
    rows = [("empty cache", *visit(context.new_page(), address)), ("full cache", *visit(context.new_page(), address))]
    context.close()
    return Table(rows, ["front page", "first picture, s", "live, s", "MB transferred"])


def visit(page: Page, address: str) -> tuple[float, float, float]:
    """Return seconds to the first picture and to the first live explorer, and the megabytes that were sent."""
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    since = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_function(PICTURE, timeout=PATIENCE)
    picture = time.perf_counter() - since
    page.locator(".dpteach-explorer").hover()
    page.wait_for_function(READY, timeout=PATIENCE)
    return round(picture, 2), round(time.perf_counter() - since, 1), round(sum(sizes) / 1e6, 1)


def moving(browser: Browser, address: str) -> Table:
    """Return how long each explorer takes from a slider's move to the new picture."""
    page = browser.new_page()
    page.goto(f"{address}explorers.html")
    page.locator(".dpteach-explorer").first.hover()
    page.wait_for_function(READY, timeout=PATIENCE)
    rows = [(name, *times(page, at)) for at, name in enumerate(NAMES)]
    page.close()
    return Table(rows, ["explorer", "first move, ms", "median, ms", "slowest, ms"])


def times(page: Page, at: int) -> tuple[int | str, int | str, int | str]:
    """Return milliseconds of the first move, of the median one, and of the slowest of the others."""
    sliders = page.locator(".explorer").nth(at).locator('input[type="range"]')
    enabled = [slider for slider in range(sliders.count()) if sliders.nth(slider).is_enabled()]
    measured = [page.evaluate(MOVE, [at, slider, by]) for slider in enabled for by in MOVES]
    if len(measured) < 2:
        return "no slider", "", ""
    first, *others = measured
    return round(first), round(statistics.median(others)), round(max(others))
