"""The draggable region and the game in a real browser: what is seen is what the library computes."""

from __future__ import annotations

import json
import math
import re
import time
from pathlib import Path

import numpy as np
import pytest
from browsing import says

from dpteach import Guarantee
from dpteach.explore.base.live import script, style
from dpteach.explore.testing.privacy_region import STEPS, PrivacyRegion
from dpteach.explore.testing.tester_game import TesterGame as Beat  # pytest would take the name for that of a test
from dpteach.figures import balanced_error, lower_boundary

SETTINGS = ("eps", "delta", "alarm", "mechanism", "strength")
# The region shows itself on an empty page: it needs neither Jupyter nor a kernel.
START = """
window.current = { ...state.settings };
window.sent = 0;
window.view = mount(document.body, { state, send: (settings) => { Object.assign(current, settings); sent += 1; } });
window.go = (values) => {
  const shown = extras.region.answer({ ...state, settings: current }, values);
  Object.assign(current, values);
  view.update(shown);
};
"""


def show(page, explorer: PrivacyRegion, page_style: str = "") -> None:
    """Put the region alone on an empty page."""
    module = script(*explorer.parts)
    styles = f"<style>{style(*explorer.parts)} body {{ {page_style} }}</style>"
    start = f"const state = {json.dumps(explorer.state())}; {START}"
    page.set_content(f"<!doctype html>{styles}<body><script type=module>{module}{start}</script>")
    page.wait_for_selector("figcaption:not(:empty)")


def settings(page) -> dict:
    names = list(SETTINGS)
    return page.evaluate("(names) => Object.fromEntries(names.map((name) => [name, current[name]]))", names)


def caption(page) -> str:
    return "\n".join(page.locator(part).text_content() for part in ("figcaption", "details p"))


def expected(page) -> PrivacyRegion:
    """Return an explorer with the settings of the page."""
    return PrivacyRegion(**settings(page))


def at(page, missed: float, alarm: float) -> tuple[float, float]:
    """Return the place of a pair of errors on the screen; the octagon always fills the unit square."""
    box = page.evaluate("document.querySelector('.dpteach-octagon').getBoundingClientRect().toJSON()")
    return box["left"] + missed * box["width"], box["top"] + (1 - alarm) * box["height"]


def where(page, name: str) -> tuple[float, float]:
    """Return the errors at which a handle is drawn."""
    place = page.evaluate(
        """(name) => {
          const box = document.querySelector(".dpteach-octagon").getBoundingClientRect();
          const ring = document.querySelector(`.dpteach-${name} .dpteach-ring`).getBoundingClientRect();
          const x = ring.left + ring.width / 2, y = ring.top + ring.height / 2;
          return [(x - box.left) / box.width, (box.bottom - y) / box.height];
        }""",
        name,
    )
    return tuple(place)


def octagon(page) -> np.ndarray:
    """Return the vertices that are drawn, as errors."""
    text = page.locator(".dpteach-octagon").get_attribute("points")
    drawn = np.array([[float(x) for x in point.split(",")] for point in text.split()])
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    return (drawn - [low[0], high[1]]) / [high[0] - low[0], low[1] - high[1]]


def drag(page, name: str, missed: float, alarm: float) -> None:
    page.mouse.move(*at(page, *where(page, name)))
    page.mouse.down()
    page.mouse.move(*at(page, missed, alarm), steps=5)
    page.mouse.up()


def clean(page) -> None:
    assert page.problems == [] and page.outside == []


# --------------------------------------------------------------------------------------- the region, alone on a page


def test_first_sight(page, screenshots):
    explorer = PrivacyRegion(mechanism="Laplace noise")
    show(page, explorer)
    assert caption(page) == explorer.text
    assert np.allclose(octagon(page), Guarantee(1, 0.05).curve.region(), atol=1e-4)
    page.screenshot(path=screenshots / "privacy_region.png")
    clean(page)


def test_dragging_the_corner_changes_eps(page):
    show(page, PrivacyRegion())
    x = 0.95 / (1 + math.exp(2))
    drag(page, "eps", x, x)
    assert settings(page)["eps"] == 2 and settings(page)["delta"] == 0.05
    assert caption(page) == expected(page).text and "ε = 2 " in caption(page)
    assert np.allclose(octagon(page), Guarantee(2, 0.05).curve.region(), atol=1e-4)
    assert where(page, "eps") == pytest.approx((x, x), abs=2e-3)
    clean(page)


def test_dragging_delta_along_its_axis(page):
    show(page, PrivacyRegion())
    drag(page, "delta", 0.3, 0.8)
    assert settings(page)["delta"] == 0.2 and where(page, "delta") == pytest.approx((0, 0.8), abs=2e-3)
    assert caption(page) == expected(page).text
    assert np.allclose(octagon(page), Guarantee(1, 0.2).curve.region(), atol=1e-4)
    drag(page, "delta", 0, 1.5)  # beyond the end
    assert settings(page)["delta"] == 0 and caption(page) == expected(page).text


@pytest.mark.parametrize("target", [(0.1, 0.7), (0.9, 0.05), (0.7, 0.9), (0, 0), (0, 1), (1, 0)])
def test_the_test_slides_along_the_boundary(page, target):
    show(page, PrivacyRegion(alarm=0.4))
    drag(page, "alarm", *target)
    now = settings(page)
    missed = Guarantee(now["eps"], now["delta"]).curve.tradeoff(now["alarm"])
    assert where(page, "alarm") == pytest.approx((missed, now["alarm"]), abs=2e-3)
    ahead = np.clip(target[0] - target[1], -1, 0.95)  # no test of the slider misses more than 1 - δ
    assert missed - now["alarm"] == pytest.approx(ahead, abs=0.005)
    pills = page.locator(".dpteach-pill").all_text_contents()
    assert pills == [f"{now['alarm']:.4f}", f"{missed:.4f}"]
    assert caption(page) == expected(page).text


@pytest.mark.parametrize("name", STEPS)
def test_keys_move_a_handle(page, name):
    explorer = PrivacyRegion(eps=1, delta=0.3, alarm=0.4)
    show(page, explorer)
    page.locator(f".dpteach-{name}").focus()
    arrow, small, large = STEPS[name]
    right = -1 if name == "alarm" else 1  # the test goes where the key points
    grid, now = explorer.controls[name].grid, settings(page)[name]
    moves = [("ArrowUp", arrow), ("Shift+ArrowUp", small), ("PageUp", large), ("ArrowRight", right * arrow)]
    moves += [("ArrowDown", -arrow), ("Shift+ArrowDown", -small), ("PageDown", -large), ("ArrowLeft", -right * arrow)]
    for key, change in moves:
        page.keyboard.press(key)
        now = settings(page)[name]
        assert now == pytest.approx(explorer.settings[name] + change), key
        assert caption(page) == expected(page).text
        handle = page.locator(f".dpteach-{name}")
        assert float(handle.get_attribute("aria-valuenow")) == now
        explorer.settings[name] = now
    for key, end in (("Home", grid[0]), ("End", grid[-1]), ("PageUp", grid[-1])):
        page.keyboard.press(key)
        assert settings(page)[name] == end and caption(page) == expected(page).text
    clean(page)


def test_handles_are_sliders_reached_with_tab(page):
    show(page, PrivacyRegion())
    page.get_by_role("button", name="reset").focus()
    seen = []
    for _ in STEPS:
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
        ring = page.evaluate("getComputedStyle(document.activeElement.querySelector('.dpteach-ring')).visibility")
        assert ring == "visible"
    assert seen == ["the test's false alarms", "delta", "epsilon"]
    assert page.locator("[role=slider]").count() == 3
    told = [slider.get_attribute("aria-valuetext") for slider in page.locator("[role=slider]").all()]
    assert told == ["false alarm 0.1000, missed detection 0.6782", "δ = 0.05", "ε = 1"]


def test_sliders_move_the_handles_and_handles_the_sliders(page):
    show(page, PrivacyRegion())
    page.get_by_label("δ", exact=True).focus()
    page.keyboard.press("End")
    assert settings(page)["delta"] == 0.9 and where(page, "delta") == pytest.approx((0, 0.1), abs=2e-3)
    drag(page, "delta", 0, 0.8)
    assert page.get_by_label("δ", exact=True).get_attribute("aria-valuetext") == "0.2"
    assert caption(page) == expected(page).text


def test_words_and_numbers_agree_with_the_library_everywhere(page):
    explorer = PrivacyRegion(eps=math.log(3), delta=1e-6)
    show(page, explorer)
    rng = np.random.default_rng(0)
    grids = explorer.state()["fixed"]["grids"]
    for _ in range(100):
        values = {name: float(rng.choice(grids[name])) for name in STEPS}
        values |= dict(mechanism=str(rng.choice(explorer.controls["mechanism"].options)))
        page.evaluate("(values) => go(values)", values)
        wanted = expected(page)
        assert numbers_apart(caption(page), wanted.text) < 1.5e-4, values
        assert without_numbers(caption(page)) == without_numbers(wanted.text), values
        assert np.allclose(octagon(page), full_octagon(values["eps"], values["delta"]), atol=1e-4)


def numbers_apart(one: str, two: str) -> float:
    """Return the largest difference of the numbers in two texts: a half may be rounded either way."""
    one, two = ([float(x) for x in re.findall(r"\d+(?:\.\d+)?(?:e-\d+)?", text)] for text in (one, two))
    return float(np.max(np.abs(np.array(one) - two)))


def without_numbers(text: str) -> str:
    return re.sub(r"\d+(?:\.\d+)?(?:e-\d+)?", "#", text)


def full_octagon(eps: float, delta: float) -> np.ndarray:
    """Return all eight vertices, also where the library leaves out those that coincide."""
    d, x = delta, balanced_error(lower_boundary(Guarantee(eps, delta)))
    return np.array([(0, 1), (0, 1 - d), (x, x), (1 - d, 0), (1, 0), (1, d), (1 - x, 1 - x), (d, 1)])


def test_mechanisms_presets_and_reset(page):
    explorer = PrivacyRegion(eps=2)
    show(page, explorer)
    menus = page.locator(".dpteach-explorer select")
    assert not page.locator(".dpteach-inner").is_visible()
    for name in explorer.controls["mechanism"].options[1:]:
        menus.nth(0).select_option(name)
        assert page.locator(".dpteach-inner").is_visible()
        assert caption(page) == expected(page).text and f"{name.split()[-1]} of" in caption(page)
    for preset in explorer.presets:
        menus.nth(1).select_option(preset)
        assert caption(page) == PrivacyRegion(preset).text and menus.nth(1).input_value() == preset
    page.get_by_role("button", name="reset", exact=True).click()
    assert caption(page) == explorer.text and menus.nth(1).input_value() == "own settings"
    assert page.evaluate("sent") > 0
    clean(page)


def test_legible_on_a_dark_page_and_a_narrow_one(page):
    page.set_viewport_size({"width": 400, "height": 900})
    show(page, PrivacyRegion(), "background: #111")
    page.evaluate("document.body.dataset.theme = 'dark'")
    look = page.evaluate("getComputedStyle(document.querySelector('.dpteach-region text')).fill")
    assert look == "rgb(236, 236, 236)"
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    drag(page, "delta", 0, 0.7)  # the scale of the picture is taken into account
    assert settings(page)["delta"] == 0.3


def test_a_closed_view_leaves_nothing(page):
    show(page, PrivacyRegion())
    page.evaluate("view.destroy()")
    assert page.locator(".dpteach-explorer").count() == 0


# -------------------------------------------------------------------------------------------------- in JupyterLab


@pytest.fixture
def run(page, request):
    """Run a notebook in JupyterLab."""
    conftest = request.config.pluginmanager.get_plugin(str(Path(__file__).with_name("conftest.py")))
    return lambda address: conftest.run_all(page, address)


def ask(page, code: str) -> str:
    """Return what the kernel of the open notebook prints."""
    return page.evaluate(
        """async (code) => {
          const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
          const reply = kernel.requestExecute({ code });
          let told = "";
          reply.onIOPub = (message) => { told += message.content.text ?? ""; };
          await reply.done;
          return told.trim();
        }""",
        code,
    )


def ask_until(page, code: str, answer: str, seconds: float = 300) -> None:
    """Wait for the kernel to have heard of what happened in the browser."""
    end = time.monotonic() + seconds
    while ask(page, code) != answer:
        assert time.monotonic() < end, f"the kernel still prints {ask(page, code)}"


def wait_for_text(page, selector: str, text: str) -> None:
    page.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.innerText === text",
        arg=[selector, text],
        timeout=300_000,
    )


def wait_for_caption(page, explorer) -> None:
    says(page.locator(".jp-Cell-outputArea").last, explorer)


def test_region_in_jupyterlab(lab, page, run):
    code = "from dpteach.explore.testing.privacy_region import PrivacyRegion\nregion = PrivacyRegion()\nregion"
    cells = run(lab.add("region.ipynb", code))
    assert cells[0]["outputs"][0]["data"]["text/plain"] == PrivacyRegion().text
    page.locator(".dpteach-region").wait_for()
    page.locator(".dpteach-delta").focus()
    page.keyboard.press("PageUp")
    x = 0.9 / (1 + math.exp(0.5))
    drag(page, "eps", x, x)
    wanted = PrivacyRegion(eps=0.5, delta=0.1).text
    assert caption(page) == wanted
    ask_until(page, "print(region.text)", wanted)
    ask(page, "region.set(eps=3, alarm=0.5)")
    wait_for_caption(page, PrivacyRegion(eps=3, delta=0.1, alarm=0.5))
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length") == 1  # no shortcut was run
    clean(page)


def test_game_in_jupyterlab(lab, page, run, screenshots):
    code = "from dpteach.explore.testing.tester_game import TesterGame\ngame = TesterGame()\ngame"
    other = "from dpteach.explore import NoisePlanner\nNoisePlanner()"  # which has another style sheet
    cells, here = run(lab.add("game.ipynb", other, code)), Beat()
    assert cells[1]["outputs"][0]["data"]["text/plain"] == here.text
    feedback = ".dpteach-feedback"
    page.locator(".dpteach-game").wait_for()
    assert page.locator(".dpteach-answer").first.evaluate("(node) => getComputedStyle(node).width") == "34px"
    page.locator(".dpteach-guess").first.focus()
    for key, bit in (("0", 0), ("0", 0), ("1", 1), ("ArrowLeft", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        said = here.guess(bit)
        wait_for_caption(page, here)
        assert page.locator(feedback).inner_text() == said
        answers = page.locator(".dpteach-answer").all_inner_texts()
        assert answers == [str(answer) for answer in here.game.outputs]
    page.get_by_role("button", name="it was D1", exact=True).click()
    here.guess(1)
    wait_for_caption(page, here)
    before = page.locator(".dpteach-picture > svg").last.inner_html()
    page.get_by_text("play the best test 200 times").click()
    here.play_best()
    wait_for_caption(page, here)
    assert page.locator(".dpteach-picture > svg").last.inner_html() != before
    assert page.locator(".dpteach-score").inner_text().startswith(f"You: {here.game.you.right} of 6 right")
    page.screenshot(path=screenshots / "tester_game.png")
    page.get_by_text("new game").click()
    wait_for_caption(page, Beat(seed=1))
    page.get_by_role("button", name="reset", exact=True).last.click()
    wait_for_caption(page, Beat())
    page.locator(".dpteach-guess").first.focus()
    for key in ("0", "0"):  # in quick succession, this asks JupyterLab to restart the kernel
        page.keyboard.press(key)
    wait_for_text(page, feedback, Beat().guess(0))
    page.wait_for_timeout(1500)
    assert page.locator(".jp-Dialog").count() == 0
    clean(page)
