"""Explorers and questions of the pages: live, right, and safe when Python is not to be had."""

import json

import pytest

from dpteach import explore
from dpteach.questions import texts

NAMES = [name for name in explore.__all__ if name != "Explorer"]
READY = "document.documentElement.dataset.python === 'ready'"
START = 240_000  # ms: Python loads within seconds, but not on a machine that is busy


def told(words: str) -> tuple[str, str]:
    """Split a caption into its sentence and the rest."""
    sentence, _, more = words.partition("\n")
    return sentence, more


@pytest.fixture(scope="module")
def gallery(chromium, site):
    """The page with all explorers, alive."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, base_url=site)
    page = context.new_page()
    page.goto("explorers.html")
    page.locator(".dpteach-explorer").first.hover()
    page.wait_for_function(READY, timeout=START)
    yield page
    context.close()


def place_of(page, name):
    """Return an explorer of the gallery."""
    return page.locator(".explorer").nth(NAMES.index(name))


@pytest.mark.parametrize("name", NAMES)
def test_presets_say_what_the_library_says(gallery, name):
    kind = getattr(explore, name)
    place = place_of(gallery, name)
    for preset in kind.presets:
        place.locator("select").last.select_option(preset)
        sentence, _ = told(kind(preset).text)
        place.locator("figcaption").get_by_text(sentence, exact=True).wait_for(timeout=START)


@pytest.mark.parametrize("name", NAMES)
def test_sliders_say_what_the_library_says(gallery, name):
    """Two moves of each slider: whatever Python in the browser answers, Python here answers the same."""
    kind = getattr(explore, name)
    place = place_of(gallery, name)
    place.locator("button", has_text="reset").click()
    made = kind()
    sliders = place.locator('input[type="range"]')
    for at in range(sliders.count()):
        for key in ("ArrowRight", "ArrowLeft"):
            if sliders.nth(at).is_disabled():
                continue
            sliders.nth(at).press(key)
            gallery.wait_for_timeout(50)
            wait_until_calm(gallery)
            shown = place.evaluate("node => node.dpteachSettings?.()") or {}
            made.follow(shown)
            assert place.locator("figcaption").inner_text() == told(made.text)[0].strip()


def wait_until_calm(page) -> None:
    """Wait until no answer is under way."""
    page.wait_for_function("document.documentElement.dataset.asked === '0'", timeout=START)


def test_two_explorers_do_not_disturb_each_other(gallery):
    one, two = place_of(gallery, "BudgetRace"), place_of(gallery, "NoisePlanner")
    before = two.locator("figcaption").inner_text()
    one.locator('input[type="range"]').first.press("ArrowRight")
    wait_until_calm(gallery)
    assert two.locator("figcaption").inner_text() == before


def test_a_preset_answers_before_python_is_there(visitor):
    visitor.route("**/pyodide/**", lambda route: None)  # it never comes
    visitor.goto("index.html")
    visitor.locator("select").last.select_option("a census")
    sentence, _ = told(explore.BudgetRace("a census").text)
    visitor.locator("figcaption").get_by_text(sentence, exact=True).wait_for(timeout=START)


def test_a_blocked_python_leaves_the_page_as_it_is(visitor):
    visitor.route("**/pyodide/**", lambda route: route.abort())
    visitor.goto("index.html")
    before = visitor.locator("figcaption").inner_text()
    visitor.locator('input[type="range"]').first.press("ArrowRight")
    visitor.wait_for_function("document.documentElement.dataset.python === 'failed'", timeout=START)
    assert "could not be started" in visitor.locator("#python").inner_text()
    assert visitor.locator("figcaption").inner_text() == before
    assert visitor.locator(".dpteach-picture svg").is_visible()


def test_a_page_can_be_reloaded_while_python_starts(visitor):
    visitor.goto("index.html")
    visitor.locator(".dpteach-explorer").hover()
    visitor.reload()
    visitor.locator(".dpteach-explorer").hover()
    visitor.wait_for_function(READY, timeout=START)
    assert not visitor.troubles


def test_a_question_answers_at_once_and_shows_what_waited(visitor):
    visitor.goto("lectures/01_composition_basics.html")
    text = texts()["1.3"]
    wrong = 1 + text.answer % len(text.options)
    place = visitor.locator('[data-question="1.3"]')
    assert visitor.locator('.waiting[data-after="1.3"]').count() > 0
    place.locator(".dpteach-option").nth(wrong - 1).click()
    assert place.locator(".dpteach-said-wrong").is_visible()
    place.locator(".dpteach-option").nth(text.answer - 1).click()
    assert place.locator(".dpteach-said-right").is_visible()
    assert visitor.locator('.waiting[data-after="1.3"]').count() == 0
    visitor.reload()  # the answer is remembered in this browser
    visitor.locator('[data-question="1.3"] .dpteach-said-right').wait_for()


def test_a_typed_number_is_judged_as_the_library_judges_it(visitor):
    numbers = [text for text in texts().values() if not text.options and not text.in_self_check]
    text = numbers[0]
    stem = {1: "01_composition_basics", 2: "02_hypothesis_testing", 3: "03_generalized_composition"}
    stem |= {0: "00_start_here", 4: "04_bounded_leakage", 5: "05_granularities"}
    visitor.goto(f"lectures/{stem[text.lecture]}.html")
    place = visitor.locator(f'[data-question="{text.id}"]')
    for given in (text.answer, *(slip.value for slip in text.slips)):
        place.locator("input").fill(json.dumps(given))
        place.get_by_role("button", name="answer", exact=True).click()
        kind = "right" if text.is_right(given) else "wrong"
        place.locator(f".dpteach-said-{kind}").wait_for()
