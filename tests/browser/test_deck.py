"""The slides of every lecture in a real browser: they fit, can be read, answer, and hide what must not be known yet."""

from __future__ import annotations

import re

import pytest

from dpteach import explore
from dpteach.questions import texts
from dpteach.questions.wording import as_plain
from dpteach.web.deck import notebook_of
from dpteach.web.handout import write
from dpteach.web.present import Stage

LECTURES = range(6)
SIZES = ((1280, 720), (1920, 1080))
# What is wrong with the slide that is seen: in its own pixels, of which it has 1920 x 1080.
COMPLAINTS = """(section) => {
  const content = section.querySelector(".content"), box = content.getBoundingClientRect(), said = [];
  if (content.scrollHeight > content.clientHeight + 1) said.push("too high");
  if (content.scrollWidth > content.clientWidth + 1) said.push("too wide");
  for (const node of content.querySelectorAll("*")) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    const unseen = node.closest("template, details:not(.only), mjx-container, .dpteach-heard, .dpteach-hint, option");
    if (!own || unseen || !node.getClientRects().length) continue;
    const svg = node.ownerSVGElement, grown = svg ? svg.clientWidth / svg.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(node).fontSize) * grown, place = node.getBoundingClientRect();
    if (size < 23.9) said.push(`${size.toFixed(1)} px: ${node.textContent.slice(0, 30)}`);
    const outside = place.bottom > box.bottom + 4 || place.top < box.top - 4;
    if (outside) said.push(`outside: ${node.textContent.slice(0, 30)}`);
  }
  for (const figure of content.querySelectorAll("figure[data-print]")) {
    const [width, height] = figure.dataset.size.split(" ").map(Number);
    const size = figure.dataset.print * Math.min(figure.clientWidth / width, figure.clientHeight / height);
    if (size < 23.9) said.push(`${size.toFixed(1)} px in a picture`);
  }
  return said;
}"""
TEXT = """() => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll("script, template").forEach((node) => node.remove());
  return copy.textContent;
}"""


@pytest.fixture(scope="module", params=LECTURES)
def stage(request):
    """The slides of each lecture, with a running Python."""
    with Stage(notebook_of(request.param)) as made:
        yield made


@pytest.fixture
def first_stage():
    """The slides of lecture 1."""
    with Stage(notebook_of(1)) as made:
        yield made


def opened(page, address: str, size=SIZES[0]):
    """Open slides and wait until they are ready."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    page.wait_for_selector("html[data-deck=ready]", state="attached", timeout=120_000)
    return page


def number_of_slides(page) -> int:
    return page.locator(".slides > section").count()


def turn_to(page, number: int) -> None:
    """Go to a slide, with all its steps."""
    page.evaluate(f"Reveal.slide({number})")
    page.evaluate("while (Reveal.availableFragments().next) Reveal.nextFragment()")


def complaints(page) -> list[str]:
    """Say what is wrong with the slide that is seen, at each size of the window."""
    said = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"Math.abs(Reveal.getScale() - {width} / 1920) < 0.001")
        said += page.evaluate(f"({COMPLAINTS})(Reveal.getCurrentSlide())")
    return said


def test_every_slide_fits_and_can_be_read_also_when_answers_are_shown(page, stage):
    opened(page, stage.address)
    wrong = {}
    for number in range(number_of_slides(page)):
        turn_to(page, number)
        said = complaints(page)
        if page.evaluate("Boolean(Reveal.getCurrentSlide().dataset.asks)"):
            page.keyboard.press("r")
            for button in page.locator("section.present").get_by_role("button", name="count hands").all():
                button.click()
            page.wait_for_timeout(150)  # formulas of the answer
            said += complaints(page)
        if said:
            wrong[number] = said
    assert not wrong
    assert not page.problems


def test_every_explorer_answers_as_python_does(page, stage):
    opened(page, stage.address)
    shown = 0
    for number in range(number_of_slides(page)):
        turn_to(page, number)
        page.keyboard.press("r")
        explorer = page.locator("section.present [data-state]")
        if explorer.count():
            answers(page, explorer)
            shown += 1
    cells = page.evaluate("document.querySelectorAll('.explorer').length")
    assert shown == cells > 0


def answers(page, explorer) -> None:
    """Choose the last preset and read the sentence under the picture."""
    from playwright.sync_api import expect

    kind = getattr(explore, explorer.get_attribute("data-state").split(" ")[0])
    preset = list(kind.presets)[-1]
    explorer.get_by_label("preset").select_option(preset)
    sentence = kind(preset).shown()["sentence"]
    expect(explorer.locator("figcaption .dpteach-heard")).to_have_text(sentence, timeout=60_000)


def test_no_answer_is_in_the_page_before_it_is_asked_for(page, first_stage):
    opened(page, first_stage.address)
    asked = page.evaluate("[...document.querySelectorAll('[data-asks]')].map((one) => one.dataset.asks)")
    said = [option.response for name in asked for option in texts()[name].options if "$" not in option.response]
    said += [text for name in asked if "$" not in (text := texts()[name].why)]
    before = page.evaluate(TEXT)
    assert not [words for words in said if as_plain(words)[:60] in before]
    for number in range(number_of_slides(page)):
        turn_to(page, number)
        page.keyboard.press("r")
    page.wait_for_timeout(200)
    after = page.evaluate(TEXT)
    assert len(said) > 20
    assert all(as_plain(words)[:60] in after for words in said)


def test_both_windows_stay_in_step(page, first_stage):
    opened(page, first_stage.address)
    with page.context.expect_page() as opening:
        page.keyboard.press("s")
    lecturer = opening.value
    lecturer.wait_for_selector("html[data-at='0.0']", state="attached")
    lecturer.keyboard.press("PageDown")
    page.wait_for_selector("section.present[data-slide='1']")
    lecturer.wait_for_selector("html[data-at='1.0']", state="attached")
    while not page.evaluate("Boolean(Reveal.getCurrentSlide().dataset.asks)"):
        page.keyboard.press("PageDown")
    lecturer.get_by_text("Expected mistake").wait_for()
    assert "13 min" in lecturer.inner_text("header")
    assert "Question 1.1" in lecturer.inner_text("#now")
    lecturer.keyboard.press("r")
    page.get_by_text("Answer: 2").wait_for()
    lecturer.keyboard.press("b")
    page.wait_for_function("Reveal.isPaused()")


def test_it_continues_where_it_was_left(page, first_stage):
    opened(page, first_stage.address)
    page.evaluate("Reveal.slide(2)")
    page.keyboard.press("2")
    page.evaluate("Reveal.slide(3)")
    page.reload()
    page.wait_for_selector("html[data-deck=ready]", state="attached")
    assert page.evaluate("Reveal.getCurrentSlide().dataset.slide") == "3"
    assert page.locator("section.present figure").count() == 1  # question 1.1 is still answered


def test_a_clicker_turns_the_slide_even_if_a_slider_has_the_focus(page, first_stage):
    opened(page, first_stage.address)
    number = page.evaluate(
        "Reveal.getSlides().findIndex((one) => one.dataset.kind === 'explorer' && !one.dataset.waits)"
    )
    page.evaluate(f"Reveal.slide({number})")
    page.locator("section.present input[type=range]").first.focus()
    page.keyboard.press("PageDown")
    assert page.evaluate("Reveal.getIndices().h") == number + 1


def test_code_is_folded_and_one_key_shows_it(page, first_stage):
    opened(page, first_stage.address)
    turn_to(page, 1)
    code = page.locator("section.present details.code").first
    assert not code.is_visible()
    page.keyboard.press("c")
    assert code.is_visible()


def test_the_handout_has_a_page_for_each_slide_and_for_each_answer(page, first_stage, tmp_path):
    opened(page, first_stage.address)
    slides, questions = number_of_slides(page), page.locator("[data-asks]").count()
    file = tmp_path / "handout.pdf"
    assert write(first_stage.path, file) == slides + questions
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", file.read_bytes())
    assert len(pages) == slides + questions
    opened(page, f"{first_stage.address}&print=notes")
    said = page.evaluate(f"[...document.querySelectorAll('.slides > section')].map({COMPLAINTS})")
    assert not [words for words in said if words]
    assert len(said) > slides + questions
