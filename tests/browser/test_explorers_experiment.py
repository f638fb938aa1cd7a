"""The explorers of lecture 3 in a real JupyterLab: buttons for bit vectors, sliders and presets by keyboard."""

from __future__ import annotations

import pytest
from browsing import clean, output_of, says, showing, walk_through_presets

from dpteach.explore import ContributionPlanner, PriorKnowledge, TwoHypotheses

EXPLORERS = (TwoHypotheses, ContributionPlanner, PriorKnowledge)
SECONDS = 300  # only ends a test that hangs


@pytest.fixture(scope="module")
def opened(lab, chromium):
    """One page with the three explorers."""
    with showing(chromium, lab, "experiment", EXPLORERS) as page:
        yield page


def pressed(group) -> list[str]:
    return group.locator("button[aria-pressed=true]").all_inner_texts()


def test_vectors_are_toggled_with_the_mouse(opened, screenshots):
    output = output_of(opened, TwoHypotheses)
    h0 = output.get_by_role("group", name="H0, all equally likely")
    assert pressed(h0) == ["00", "11"] and h0.locator("button").count() == 4
    h0.get_by_role("button", name="0 1").click()
    says(output, TwoHypotheses(h0="00 01 11"))
    assert pressed(h0) == ["00", "01", "11"] and "3 of 4 vectors" in h0.inner_text()
    h0.get_by_role("button", name="1 1").click()
    says(output, TwoHypotheses(h0="00 01"))
    output.screenshot(path=screenshots / "two_hypotheses.png")
    clean(opened)


def test_vectors_are_toggled_with_the_keyboard(opened):
    output = output_of(opened, TwoHypotheses)
    h1 = output.get_by_role("group", name="H1, all equally likely")
    assert h1.locator("button[tabindex='0']").count() == 1  # one stop for the whole set
    h1.locator("button[tabindex='0']").focus()
    for key in ("Home", "ArrowRight", "Space"):
        opened.keyboard.press(key)
    says(output, TwoHypotheses(h1="01 10 11"))
    for key in ("End", "Enter", "ArrowDown", "ArrowUp", "Space"):
        opened.keyboard.press(key)
    says(output, TwoHypotheses(h1="00 01 10"))
    assert opened.evaluate("document.activeElement.textContent") == "00"
    clean(opened)


def test_an_empty_hypothesis_is_a_message(opened):
    output = output_of(opened, TwoHypotheses)
    h0 = output.get_by_role("group", name="H0, all equally likely")
    for name in ("0 0", "1 1"):
        h0.get_by_role("button", name=name).click()
    message = "Impossible settings: H0 must hold at least one vector; press a button."
    output.get_by_text(message).wait_for(timeout=1000 * SECONDS)
    h0.get_by_role("button", name="0 0").click()
    says(output, TwoHypotheses(h0="00"))
    clean(opened)


def test_more_rounds_make_more_buttons(opened, screenshots):
    output = output_of(opened, TwoHypotheses)
    h0 = output.get_by_role("group", name="H0, all equally likely")
    output.locator("input[type=range]").nth(1).focus()
    opened.keyboard.press("ArrowRight")
    says(output, TwoHypotheses(k=3))
    assert h0.locator("button").count() == 8 and pressed(h0) == ["000", "110"]
    opened.keyboard.press("ArrowLeft")
    says(output, TwoHypotheses())
    presets = output.locator("select").last
    presets.select_option("the practices: k = 5, k' = 2")
    says(output, TwoHypotheses("the practices: k = 5, k' = 2"))
    assert h0.locator("button").count() == 32 and len(pressed(h0)) == 6
    assert "too small" in output.locator("details p").text_content()
    frame = output.locator(".dpteach-controls").bounding_box()
    boxes = [button.bounding_box() for button in h0.locator("button").all()]
    assert all(box["width"] >= 24 and box["height"] >= 24 for box in boxes)  # large enough for a finger
    assert all(frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"] for box in boxes)
    output.screenshot(path=screenshots / "practices.png")
    clean(opened)


@pytest.mark.parametrize("kind", [ContributionPlanner, PriorKnowledge])
def test_every_preset_by_keyboard(opened, screenshots, kind):
    walk_through_presets(opened, kind, screenshots)
