"""The explorers of lecture 4 in a real JupyterLab: sliders, lists, boxes and presets, by mouse and by keyboard."""

from __future__ import annotations

import pytest
from browsing import clean, output_of, says, showing, walk_through_presets

from dpteach.explore import BigWorld, CensusTown, Independence, LeakDial

EXPLORERS = (LeakDial, Independence, BigWorld, CensusTown)


@pytest.fixture(scope="module")
def opened(lab, chromium):
    """One page with the four explorers."""
    with showing(chromium, lab, "leakage", EXPLORERS) as page:
        yield page


@pytest.mark.parametrize("kind", EXPLORERS)
def test_presets_by_keyboard(opened, screenshots, kind):
    walk_through_presets(opened, kind, screenshots)


def test_more_of_the_key_leaks(opened):
    output = output_of(opened, LeakDial)
    output.locator("input[type=range]").nth(1).focus()
    opened.keyboard.press("ArrowRight")
    says(output, LeakDial(j=2))
    output.get_by_label("what leaks").select_option("bits of the message")
    says(output, LeakDial(j=2, what="bits of the message"))
    assert "vacuous" in output.locator("details p").text_content()
    clean(opened)


def test_another_pair_of_mechanism_and_leak(opened):
    output = output_of(opened, Independence)
    output.get_by_label("mechanism, leak").select_option("one-bit pad, noisy key leaks")
    says(output, Independence(pair="one-bit pad, noisy key leaks"))
    clean(opened)


def test_another_study_and_another_rule(opened, screenshots):
    output = output_of(opened, BigWorld)
    output.get_by_label("a study reports").select_option("✗ heads, exactly")
    says(output, BigWorld(study="✗ heads, exactly"))
    assert "the truth is 1." in output.locator("details p").text_content()
    output.screenshot(path=screenshots / "heads.png")
    output.get_by_label("which she joins").select_option("any t, at random")
    says(output, BigWorld(study="✗ heads, exactly", rule="any t, at random"))
    clean(opened)


def test_invariants_are_ticked(opened, screenshots):
    output = output_of(opened, CensusTown)
    output.get_by_label("leaks: flags", exact=True).check()
    says(output, CensusTown(flags=True))
    output.get_by_label("leaks: people in A").uncheck()
    says(output, CensusTown(flags=True, people_a=False))
    output.get_by_label("the leak is noisy, too").focus()
    opened.keyboard.press("Space")
    says(output, CensusTown(flags=True, people_a=False, blurred=True))
    output.screenshot(path=screenshots / "town.png")
    clean(opened)
