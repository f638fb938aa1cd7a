"""Notebooks and explorers in a real JupyterLab: they run, they show, they follow the keyboard, they stay at home."""

from __future__ import annotations

from base64 import b64encode

import nbformat
import pytest
from browsing import run_all, says, watched

from dpteach import explore
from dpteach.explore.base.controls import IntSlider, Slider
from dpteach.explore.base.explorer import WIDGET, Explorer
from dpteach.figures.style import Picture, axes
from dpteach.tools import bench_explorers
from dpteach.tools.notebooks import edition

RUN_BY_OTHERS = ("_paper", "06_claims")  # nbval runs all of them, and test_ledger.py looks at the claims
NOTEBOOKS = [path for path in edition() if not path.stem.endswith(RUN_BY_OTHERS)]
OTHERS = ("DatabaseGraph", "PartitionBoard", "PrivacyRegion", "TesterGame")  # no sliders: they have tests of their own
EXPLORERS = [name for name in explore.__all__ if name != "Explorer" and name not in OTHERS]
SECONDS = 300  # only ends a test that hangs
OF_NOTEBOOK_7 = {  # what it says of an empty notebook, too, and of a workspace that JupyterLab has used before
    "Cannot read properties of undefined (reading 'schema')",
    "Command 'filebrowser:open-path' not registered.",
}
PICTURE = ".dpteach-picture > svg"
DRAWN = "(svg) => svg.innerHTML"

SHOWN = "(count) => document.querySelectorAll('.jp-OutputArea-output.lm-Panel > .lm-Widget').length === count"


def clean(page) -> None:
    """Ask that nothing was said on the console, and nothing asked outside."""
    assert page.problems == [] and page.outside == []


def first_step(explorer: Explorer) -> tuple[int, str, Explorer]:
    """Return the place of the first slider, a key, and what the explorer should be after it."""
    sliders = {name: control for name, control in explorer.controls.items() if isinstance(control, Slider | IntSlider)}
    name, control = next(iter(sliders.items()))
    now = explorer.settings[name]
    grid = control.grid if isinstance(control, Slider) else range(control.low, control.high + 1)
    return 0, "ArrowRight", type(explorer)(**{name: grid[grid.index(now) + 1]})


def test_requests_to_the_outside_are_seen_and_fail(page):
    assert page.evaluate("fetch('http://example.org/').catch(() => 'failed')") == "failed"
    assert page.outside == ["http://example.org/"]


# -------------------------------------------------------------------------------------------------- the explorers


@pytest.fixture(scope="module")
def showcase(lab, chromium):
    """One page with all explorers, a cell each."""
    cells = [f"from dpteach.explore import {name}\n{name}()" for name in EXPLORERS]
    with watched(chromium) as page:
        run_all(page, lab.add("explorers.ipynb", *cells))
        yield page


@pytest.mark.parametrize("name", EXPLORERS)
def test_explorer_follows_a_key(showcase, screenshots, name):
    output = showcase.locator(".jp-Cell-outputArea").nth(EXPLORERS.index(name))
    explorer = getattr(explore, name)()
    says(output, explorer)
    picture = output.get_by_role("img", name=explorer.question)
    before = picture.evaluate(DRAWN)
    assert picture.bounding_box()["width"] >= 400
    output.screenshot(path=screenshots / f"{name}.png")
    place, key, after = first_step(explorer)
    output.locator("input[type=range]").nth(place).focus()
    showcase.keyboard.press(key)
    says(output, after)
    assert after.text != explorer.text and picture.evaluate(DRAWN) != before
    clean(showcase)


def test_only_the_latest_of_many_keys_matters(showcase):
    output = showcase.locator(".jp-Cell-outputArea").nth(EXPLORERS.index("BudgetRace"))
    output.get_by_role("button", name="reset").click()
    says(output, explore.BudgetRace())
    output.evaluate(
        """(output) => {
          window.pictures = 0;
          const observer = new MutationObserver((changes) => { window.pictures += changes.length; });
          observer.observe(output.querySelector("svg"), { childList: true });
        }"""
    )
    output.locator("input[type=range]").nth(2).focus()
    for _ in range(40):
        showcase.keyboard.press("ArrowRight")
    says(output, explore.BudgetRace(k=140))
    assert output.locator("input[type=range]").nth(2).get_attribute("aria-valuetext") == "140"
    assert 1 <= showcase.evaluate("window.pictures") <= 40
    clean(showcase)


def test_preset_and_reset_by_keyboard(showcase):
    output = showcase.locator(".jp-Cell-outputArea").nth(EXPLORERS.index("CompositionRegions"))
    presets = output.get_by_label("preset")
    presets.focus()
    showcase.keyboard.press("End")
    says(output, explore.CompositionRegions("pure, many"))
    showcase.keyboard.press("ArrowUp")
    says(output, explore.CompositionRegions("KOV, Figure 3"))
    showcase.keyboard.press("ArrowUp")
    says(output, explore.CompositionRegions("KOV, Figure 2 (right)"))
    output.get_by_role("button", name="reset").focus()
    showcase.keyboard.press("Enter")
    says(output, explore.CompositionRegions())
    assert presets.input_value() == "KOV, Figure 3"
    clean(showcase)


def test_stored_notebook_shows_the_picture_without_a_kernel(lab, page, screenshots):
    data, metadata = explore.BudgetRace()._repr_mimebundle_()
    del data[WIDGET]  # as in the notebooks' normal form
    data["image/png"] = b64encode(data["image/png"]).decode()
    output = nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)
    cell = nbformat.v4.new_code_cell("BudgetRace()", outputs=[output], execution_count=1)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lab.folder / "stored.ipynb")
    page.goto(lab.page("stored.ipynb"))
    picture = page.locator(".jp-RenderedImage img")
    picture.wait_for(timeout=1000 * SECONDS)
    assert picture.evaluate("(img) => img.naturalHeight") > 520  # with the caption under it
    page.screenshot(path=screenshots / "stored.png")
    clean(page)


@pytest.mark.parametrize("address", ["doc/tree/{}?reset", "notebooks/{}"], ids=["JupyterLab", "Notebook"])
def test_pictures_have_the_descriptions_that_are_stored_with_them(lab, page, address):
    shown = Picture(axes("x", "y", size=(2, 1))[0], 'A frame <without> "anything" in it.')
    data, metadata = shown._repr_mimebundle_()
    data["image/png"] = b64encode(data["image/png"]).decode()
    outputs = [nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)]
    outputs.append(nbformat.v4.new_output("display_data", {"image/png": data["image/png"]}))  # without a description
    cell = nbformat.v4.new_code_cell("picture", outputs=outputs, execution_count=1)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lab.folder / "described.ipynb")
    page.goto(f"{lab.address}/{address.format('described.ipynb')}")
    pictures = page.locator(".jp-RenderedImage img")
    pictures.nth(1).wait_for(timeout=1000 * SECONDS)
    assert [picture.get_attribute("alt") for picture in pictures.all()] == [shown.alt, None]
    assert pictures.first.evaluate("(img) => img.naturalWidth") == 220


def test_notebook_7_shows_it_too(lab, chromium, screenshots):
    lab.add("seven.ipynb", "from dpteach.explore import PrivacyLoss\nPrivacyLoss()")
    with watched(chromium) as page:
        run_all(page, f"{lab.address}/notebooks/seven.ipynb")
        output = page.locator(".jp-Cell-outputArea")
        says(output, explore.PrivacyLoss())
        place, key, after = first_step(explore.PrivacyLoss())
        output.locator("input[type=range]").nth(place).focus()
        page.keyboard.press(key)
        says(output, after)
        page.screenshot(path=screenshots / "notebook7.png")
        assert set(page.problems) <= OF_NOTEBOOK_7 and page.outside == []


# -------------------------------------------------------------------------------------------------- the notebooks


@pytest.fixture(scope="module")
def reader(chromium):
    """One page for all notebooks, so that JupyterLab is loaded from the browser's cache."""
    with watched(chromium) as page:
        yield page


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_from_top_to_bottom(lab, reader, notebook):
    reader.problems.clear()
    cells = run_all(reader, lab.copy(notebook))
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert [output["evalue"] for output in outputs if output["output_type"] == "error"] == []
    live = sum(WIDGET in output.get("data", {}) for output in outputs)
    reader.wait_for_function(SHOWN, arg=live, timeout=1000 * SECONDS)
    for picture in reader.locator(PICTURE).all():
        assert picture.bounding_box()["width"] >= 300
    assert reader.get_by_text("Error displaying widget").count() == 0
    clean(reader)
    reader.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")


# ------------------------------------------------------------------------------------------------------ how fast


def test_latency_is_printed(lab, chromium, capsys):
    with watched(chromium) as page:
        [(preset, controls)] = bench_explorers.races("BudgetRace")
        measured = list(bench_explorers.on_page(page, lab, "BudgetRace", preset, controls, moves=2))
        clean(page)
    with capsys.disabled():
        print(f"\n{bench_explorers.table(measured)}")
    assert [one.control for one in measured] == ["eps", "slack", "k", "show"]
    assert all(one.ours > 0 and one.usual > 0 for one in measured)  # no picture failed to come
    assert all(one.ours_a_second > 0 for one in measured[:3])
