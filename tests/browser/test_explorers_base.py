"""What all explorers share, in a browser: size, slider, theme, barriers, and what is left when the kernel is gone."""

from __future__ import annotations

import numpy as np
import pytest
from browsing import alone, clean, run_all, says, watched

from dpteach import explore
from dpteach.explore.base.paint import figure_of
from dpteach.figures.style import DPI

NAMES = [name for name in explore.__all__ if name != "Explorer"]
SECONDS = 300  # only ends a test that hangs
VIEWS = {  # the part of JupyterLab in which a cell is seen, in CSS pixels
    "laptop, 1440 x 900": (1290, 779),
    "projector, 1920 x 1080 at 150 %": (1150, 599),
    "projector beside the list of files": (880, 599),
}
BOX = "document.querySelector('.dpteach-explorer').getBoundingClientRect().toJSON()"
SIZES = """(all) => all.map((node) => {
  const { a, b } = node.getScreenCTM();
  return Math.hypot(a, b) * parseFloat(getComputedStyle(node).fontSize);
})"""
AGAIN = "This picture no longer moves: run this cell again."


@pytest.fixture(scope="module")
def plain(chromium):
    """One page for all explorers."""
    with watched(chromium) as page:
        yield page


# ------------------------------------------------------------------------------------------------------ how large


@pytest.mark.parametrize("view", VIEWS)
def test_every_explorer_fits_the_view(plain, view):
    width, height = VIEWS[view]
    plain.set_viewport_size({"width": width, "height": height})
    for name in NAMES:
        alone(plain, getattr(explore, name)())
        assert plain.evaluate(f"{BOX}.height") <= height, name
        assert plain.evaluate("document.documentElement.scrollWidth") <= width, name
        picture = plain.locator(".dpteach-picture").bounding_box()
        assert picture["height"] >= 200 and picture["width"] >= 250, name
        if width >= 1100:  # the controls stand beside the picture
            controls = plain.locator(".dpteach-controls").bounding_box()
            assert controls["x"] + controls["width"] <= picture["x"], name
    clean(plain)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_clipped_on_a_narrow_screen(plain, theme, screenshots):
    plain.set_viewport_size({"width": 400, "height": 800})
    for name in NAMES:
        alone(plain, getattr(explore, name)(), theme)
        assert plain.evaluate("document.documentElement.scrollWidth") <= 400, name
        sides = plain.locator(".dpteach-explorer *:visible").evaluate_all(
            "(all) => all.filter((node) => !node.closest('.dpteach-heard'))"
            ".map((node) => node.getBoundingClientRect().right)"
        )
        assert max(sides) <= 401, name
        letters = [float(size) for size in plain.locator(".dpteach-picture text").evaluate_all(SIZES)]
        assert min(letters) >= 6.5, (name, min(letters))
        plain.screenshot(path=screenshots / f"{name}-narrow-{theme}.png", full_page=True)
    clean(plain)


def test_captions_of_one_or_two_lines_are_equally_high(plain):
    plain.set_viewport_size({"width": 1150, "height": 599})
    alone(plain, explore.BudgetRace())
    heights = set()
    for preset in explore.BudgetRace.presets:
        plain.get_by_label("preset").select_option(preset)
        says(plain, explore.BudgetRace(preset))
        heights.add(plain.evaluate(f"{BOX}.height"))
    assert len(heights) == 1


def test_slides_have_a_large_picture_over_a_row_of_controls(plain):
    plain.set_viewport_size({"width": 1280, "height": 720})
    alone(plain, explore.BudgetRace(), form="slide")
    picture = plain.locator(".dpteach-picture").bounding_box()
    controls = [control.bounding_box() for control in plain.locator(".dpteach-controls > *").all()]
    assert picture["height"] > 720 / 2 and plain.evaluate(f"{BOX}.height") <= 720
    assert min(control["y"] for control in controls) > picture["y"] + picture["height"]
    assert max(control["y"] for control in controls) - min(control["y"] for control in controls) < 40


# ---------------------------------------------------------------------------------------------- what is painted


def words_of(sheet: dict) -> list[str]:
    """Return all lines of words on a sheet: numbers and names of axes, titles, legends, and what is written."""
    words = []
    for panel in sheet["panels"]:
        words += [mark["words"] for mark in panel["marks"] if mark["kind"] == "text"] + [panel["title"]]
        words += [entry["words"] for entry in (panel["key"] or {"entries": []})["entries"]]
        for axis in (panel["x"], panel["y"]) if panel["shown"] else ():
            low, high = sorted(axis["lim"])
            seen = [word for place, word in axis["ticks"] if low - 1e-9 <= place <= high + 1e-9]
            words += [*seen, axis["label"]]
    return sorted(line for word in words for line in word.split("\n") if line.strip())


def test_all_words_are_painted(plain):
    plain.set_viewport_size({"width": 1150, "height": 599})
    for name in NAMES:
        if name != "PrivacyRegion":  # which paints itself
            explorer = getattr(explore, name)()
            alone(plain, explorer)
            painted = plain.locator(".dpteach-picture tspan").all_text_contents()
            assert sorted(word for word in painted if word.strip()) == words_of(explorer.shown()["sheet"]), name


@pytest.mark.parametrize(
    "name", ["BudgetRace", "CompositionRegions", "PriorKnowledge", "DatabaseGraph", "PartitionBoard"]
)
def test_markers_lie_where_matplotlib_puts_them(plain, name):
    explorer = getattr(explore, name)()
    alone(plain, explorer)
    sheet = explorer.shown()["sheet"]
    middles = plain.locator(".dpteach-picture path").evaluate_all(
        "(all) => all.map((path) => path.getBBox()).map((box) => [box.x + box.width / 2, box.y + box.height / 2])"
    )
    wanted = []
    for panel, ax in zip(sheet["panels"], figure_of(sheet).axes, strict=True):
        dots = [mark for mark in panel["marks"] if mark["kind"] == "dots" and len(mark["x"]) == 1]
        wanted += [ax.transData.transform((mark["x"][0], mark["y"][0])) for mark in dots]
    wanted = np.array(wanted) * 72 / DPI
    wanted[:, 1] = sheet["size"][1] - wanted[:, 1]
    assert len(wanted) >= 4
    assert np.abs(wanted[:, None] - np.array(middles)).max(axis=2).min(axis=1).max() < 0.1


# ------------------------------------------------------------------------------------------------------ the slider


def value(page, label: str) -> str:
    return page.get_by_label(label, exact=True).get_attribute("aria-valuetext")


@pytest.mark.parametrize(
    ("typed", "k"), [("140", 140), ("139.6", 140), ("5000", 1000), ("-3", 1), ("1,5", 2), ("many", 100)]
)
def test_typed_values_snap_to_the_nearest_allowed_one(plain, typed, k):
    alone(plain, explore.BudgetRace())
    field = plain.get_by_label("releases k: type a number")
    field.fill(typed)
    field.press("Enter")
    says(plain, explore.BudgetRace(k=k))
    assert field.input_value() == value(plain, "releases k") == str(k)


@pytest.mark.parametrize(
    ("typed", "slack", "words", "spoken"),
    [
        ("1e-9", 1e-9, "10⁻⁹", "ten to the minus 9"),
        ("10⁻¹²", 1e-12, "10⁻¹²", "ten to the minus 12"),
        ("10^-3", 1e-3, "0.001", "0.001"),
        ("2·10^-8", 1e-8, "10⁻⁸", "ten to the minus 8"),
    ],
)
def test_small_numbers_are_typed_in_any_way_and_read_aloud(plain, typed, slack, words, spoken):
    alone(plain, explore.BudgetRace())
    field = plain.get_by_label("δ in total: type a number")
    field.fill(typed)
    field.press("Tab")
    says(plain, explore.BudgetRace(slack=slack))
    assert field.input_value() == words and value(plain, "δ in total") == spoken


def test_keys_take_small_and_large_steps(plain):
    alone(plain, explore.BudgetRace())
    plain.get_by_label("releases k", exact=True).focus()
    for key, k in (("ArrowRight", 101), ("ArrowDown", 100), ("Home", 1), ("ArrowLeft", 1), ("End", 1000)):
        plain.keyboard.press(key)
        assert value(plain, "releases k") == str(k), key
    plain.keyboard.press("PageDown")
    says(plain, explore.BudgetRace(k=501))  # a tenth of a logarithmic track from 1 to 1000
    plain.keyboard.press("Shift+ArrowLeft")
    says(plain, explore.BudgetRace(k=251))
    plain.get_by_label("ε of one release", exact=True).focus()
    plain.keyboard.press("ArrowUp")
    says(plain, explore.BudgetRace(k=251, eps=0.12))


def test_dragging_follows_the_hand_and_never_jumps_back(plain):
    plain.set_viewport_size({"width": 1150, "height": 599})
    alone(plain, explore.BudgetRace())
    track = plain.get_by_label("releases k", exact=True)
    box = track.bounding_box()
    places = []
    plain.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    plain.mouse.down()
    for part in (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        plain.mouse.move(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        places.append(int(value(plain, "releases k")))
    plain.mouse.up()
    assert places == sorted(places) and places[-1] > places[0] > 20
    says(plain, explore.BudgetRace(k=places[-1]))
    assert int(value(plain, "releases k")) == places[-1]


def test_moves_are_sent_one_at_a_time_and_the_newest_wins(plain):
    alone(plain, explore.NoisePlanner())
    asked = []
    answer = plain.shown.answer
    plain.shown.answer = lambda settings: asked.append(dict(settings)) or answer(settings)
    plain.get_by_label("answers k", exact=True).evaluate(
        """(track) => {
          for (let i = 0; i < 30; i++) {
            track.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          }
        }"""
    )
    says(plain, explore.NoisePlanner(k=130))
    assert asked == [{"k": 101}, {"k": 130}]  # all others were overtaken
    assert value(plain, "answers k") == "130"


# ------------------------------------------------------------------------------------------------------ messages


def test_impossible_settings_are_a_message_and_keep_the_picture(plain, screenshots):
    alone(plain, explore.PartitionBoard())
    picture = plain.locator(".dpteach-picture > svg")
    before = picture.inner_html()
    line = plain.get_by_label("their ε, in ln 2")
    line.fill("two")
    line.press("Enter")
    plain.get_by_text("Impossible settings: eps must list 1 to 6 whole numbers").wait_for(timeout=1000 * SECONDS)
    opacity = "(svg) => getComputedStyle(svg.parentElement).opacity"
    assert picture.inner_html() == before and picture.evaluate(opacity) == "0.3"
    plain.screenshot(path=screenshots / "impossible.png")
    line.fill("1 2 3")
    line.press("Enter")
    says(plain, explore.PartitionBoard())
    assert picture.evaluate(opacity) == "1" and picture.inner_html() == before


def test_a_control_that_does_nothing_cannot_be_moved_and_says_why(plain):
    alone(plain, explore.Domination())
    track = plain.get_by_label("δ of B", exact=True)
    reason = explore.Domination().shown()["disabled"]["delta_b"]
    described = "(node) => document.getElementById(node.getAttribute('aria-describedby')).innerText"
    assert track.is_disabled() and track.evaluate(described) == reason
    plain.get_by_label("imitated: B").select_option("randomized response")
    says(plain, explore.Domination(second="randomized response"))
    assert track.is_enabled() and track.get_attribute("aria-describedby") is None
    assert plain.get_by_text(reason).count() == 0 or not plain.get_by_text(reason).first.is_visible()


# ------------------------------------------------------------------------------------------------- for everybody


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_stands_in_the_way(plain, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    plain.set_viewport_size({"width": 1150, "height": 700})
    found = []
    for name in NAMES:
        alone(plain, getattr(explore, name)(), theme)
        checked = axe.run(plain).response
        serious = [one for one in checked["violations"] if one["impact"] in ("serious", "critical")]
        found += [(name, one["id"], one["nodes"][0]["html"]) for one in serious]
    assert found == []


def test_one_sentence_is_announced_and_the_caption_is_no_status(plain):
    alone(plain, explore.BudgetRace())
    assert plain.locator("figcaption[role], figcaption [role]").count() == 0
    heard = plain.get_by_role("status")
    assert heard.count() == 1 and heard.inner_text() == ""  # nothing is said before something happens
    plain.get_by_label("releases k", exact=True).press("End")
    plain.wait_for_function("document.querySelector('.dpteach-heard').textContent !== ''")
    assert heard.text_content() == explore.BudgetRace(k=1000).text.split("\n")[0]


# Of all words in the picture: how much they stand out from the paper. Those on a colour do not stand on paper.
CONTRASTS = """(all) => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => colour.startsWith("color(") ? part : part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((Number(part) + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const words = all.map((node) => getComputedStyle(node).fill);
  const onColour = ["rgb(17, 17, 17)", "rgb(255, 255, 255)"];
  return words.filter((fill) => !onColour.includes(fill)).map((fill) => {
    const [low, high] = [light(fill), paper].sort((a, b) => a - b);
    return [(high + 0.05) / (low + 0.05), fill];
  });
}"""
WHITE = """(all) => all.filter((node) => {
  const box = node.getBoundingClientRect();
  return getComputedStyle(node).fill === "rgb(255, 255, 255)" && box.width * box.height > 1;
}).length"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_by_day_and_by_night(plain, theme, screenshots):
    plain.set_viewport_size({"width": 1150, "height": 599})
    for name in NAMES:
        alone(plain, getattr(explore, name)(), theme)
        plain.screenshot(path=screenshots / f"{name}-{theme}.png")
        contrasts = plain.locator(".dpteach-picture text").evaluate_all(CONTRASTS)
        assert not [pair for pair in contrasts if pair[0] < 4.5], (name, min(contrasts))
        if theme == "dark":  # and no white boxes
            assert plain.locator(".dpteach-picture :is(rect, path)").evaluate_all(WHITE) == 0, name


# ------------------------------------------------------------------------------------------ when the kernel is gone


def shows_stored(page, count: int) -> None:
    """Wait for stored pictures, and make sure that nothing complains."""
    from playwright.sync_api import expect

    expect(page.locator(".jp-OutputArea-output img")).to_have_count(count, timeout=1000 * SECONDS)
    assert page.get_by_text("Error displaying widget").count() == 0
    clean(page)


def test_the_day_after_the_stored_pictures_stand_there(lab, chromium, screenshots):
    cells = [f"from dpteach.explore import {name}\n{name}()" for name in ("BudgetRace", "PrivacyRegion")]
    address = lab.add("day_after.ipynb", *cells)
    with watched(chromium) as page:
        run_all(page, address)
        output = page.locator(".jp-Cell-outputArea").first
        says(output, explore.BudgetRace())
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    with watched(chromium) as page:  # the kernel still runs: the explorer is alive
        page.goto(address)
        output = page.locator(".jp-Cell-outputArea").first
        says(output, explore.BudgetRace())
        output.get_by_label("releases k", exact=True).press("End")
        says(output, explore.BudgetRace(k=1000))
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    with watched(chromium) as page:
        page.goto(address)
        shows_stored(page, 2)
        page.screenshot(path=screenshots / "day_after.png")
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")  # a reader who only writes a note
    with watched(chromium) as page:
        page.goto(address)
        shows_stored(page, 2)


def test_after_a_restart_the_explorer_says_so_and_keeps_its_picture(lab, chromium, screenshots):
    with watched(chromium) as page:
        run_all(page, lab.add("restart.ipynb", "from dpteach.explore import BudgetRace\nBudgetRace()"))
        output = page.locator(".jp-Cell-outputArea")
        says(output, explore.BudgetRace())
        picture = output.locator(".dpteach-picture > svg").inner_html()
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
        output.get_by_text(AGAIN).wait_for(timeout=1000 * SECONDS)
        assert output.locator(".dpteach-explorer :is(input, select, button):enabled").count() == 0
        assert output.locator(".dpteach-picture > svg").inner_html() == picture
        says(output, explore.BudgetRace())
        marks = output.locator(".dpteach-host").evaluate("(node) => getComputedStyle(node, '::before').content")
        assert marks in ("none", "normal")  # no broken link
        page.screenshot(path=screenshots / "restart.png")


def test_after_a_shutdown_the_first_move_says_so(lab, chromium):
    with watched(chromium) as page:
        run_all(page, lab.add("shutdown.ipynb", "from dpteach.explore import BudgetRace\nBudgetRace()"))
        output = page.locator(".jp-Cell-outputArea")
        says(output, explore.BudgetRace())
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        output.get_by_label("releases k", exact=True).press("End")
        output.get_by_text("run this cell again").wait_for(timeout=1000 * SECONDS)
        says(output, explore.BudgetRace())
