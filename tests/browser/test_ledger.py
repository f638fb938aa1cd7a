"""The ledger in a real browser: searched on a page without a kernel, read without scripts, and live in JupyterLab."""

from __future__ import annotations

from functools import cache

import pytest
from browsing import REPOSITORY, clean, run_all, watched

from dpteach.claims import ledger
from dpteach.claims.to_authors import letter

NOTEBOOK = REPOSITORY / "notebooks" / "06_claims.ipynb"
ROWS = "[...document.querySelectorAll('tbody[data-words]')]"
SHOWN = f"{ROWS}.filter((row) => row.checkVisibility()).map((row) => row.id)"


@cache
def table():
    return ledger("STK").search()


def shown(page) -> list[str]:
    return [id.removeprefix("claim-") for id in page.evaluate(SHOWN)]


def expected(**filters) -> list[str]:
    return [entry.id for entry in ledger("STK", **filters)]


@pytest.fixture
def alone(page):
    """The page of a small ledger, with nothing behind it."""
    page.set_content(table().page())
    page.get_by_label("Words").wait_for()
    yield page
    clean(page)


# ---------------------------------------------------------------------------------------------- alone on a page


def test_the_filters_find_what_python_finds(alone):
    count = alone.get_by_role("status")
    assert count.text_content() == "21 of 21 claims" and shown(alone) == expected()
    alone.get_by_label("Words").press_sequentially("NOISE ε")
    assert shown(alone) == expected(words="noise ε")
    assert count.text_content() == f"{len(expected(words='noise ε'))} of 21 claims"
    alone.get_by_label("Kind").select_option("statement")
    assert shown(alone) == expected(words="noise ε", kind="statement")
    alone.get_by_role("button", name="Clear").click()
    assert count.text_content() == "21 of 21 claims"
    alone.get_by_label("Verdict").select_option("holds")
    assert shown(alone) == expected(verdict="holds")
    alone.get_by_label("Words").fill("no such thing")
    assert shown(alone) == [] and count.text_content().startswith("0 of 21 claims")


def test_an_id_opens_its_card_by_the_keyboard(alone):
    button = alone.get_by_role("button", name="STK-L1", exact=True)
    assert button.get_attribute("aria-expanded") == "false" and not alone.get_by_text("Taught in").first.is_visible()
    button.focus()
    alone.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    card = alone.locator(f"[id='{button.get_attribute('aria-controls')}']")
    assert "3. Basic composition is optimal" in card.inner_text() and card.locator("table").is_visible()
    card.locator("summary").focus()
    alone.keyboard.press("Enter")
    assert not card.is_visible() and button.evaluate("node => node === document.activeElement")


def test_every_control_has_a_name(alone):
    for role, names in {"searchbox": ["Words"], "combobox": ["Source", "Verdict", "Kind", "Lecture"]}.items():
        assert [alone.get_by_role(role, name=name, exact=True).count() for name in names] == [1] * len(names)
    assert alone.locator("form[role=search]").get_attribute("aria-label")


def test_an_address_leads_to_a_claim(page, tmp_path):
    (tmp_path / "ledger.html").write_text(table().page(), encoding="utf-8")
    page.goto(f"file://{tmp_path}/ledger.html#claim-STK-Fn-1")
    assert page.locator("[id='card-STK-Fn-1']").is_visible() and not page.locator("[id='card-STK-L1']").is_visible()


@pytest.mark.parametrize("made", [lambda: table().page(), lambda: letter("STK")], ids=["ledger", "errata"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_page_needs_no_scrolling_sideways(chromium, made, scheme, screenshots):
    with watched(chromium, width=390, height=844) as page:
        page.emulate_media(color_scheme=scheme)
        page.set_content(made())
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert contrast(page, "main p") > 7
        page.screenshot(path=screenshots / f"narrow-{scheme}.png")
        clean(page)


def contrast(page, selector: str) -> float:
    """Return the contrast of a text to the page, by the formula of the WCAG."""
    ink, paper = page.evaluate(
        "(s) => [getComputedStyle(document.querySelector(s)).color, getComputedStyle(document.body).backgroundColor]",
        selector,
    )
    light, dark = sorted(map(luminance, (ink, paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_without_scripts_everything_is_there(chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(table().page())
    assert page.locator("tbody[data-words] > tr:first-child:visible").count() == 21
    assert page.get_by_label("Words").count() == 0, "no control that does nothing"
    page.get_by_text("Evidence for STK-L1").click()
    assert page.locator("[id='card-STK-L1'] table").is_visible()
    context.close()


# ------------------------------------------------------------------------------------------------ in JupyterLab


def test_the_stored_notebook_is_readable_before_it_is_run(page, lab):
    """JupyterLab takes scripts and styles out of what it does not trust; rows, formulas and cards stay."""
    page.goto(lab.copy(NOTEBOOK))
    page.locator(".dpteach-claims summary").first.wait_for(timeout=300_000)
    assert page.locator(".dpteach-claims summary").count() == 339
    assert page.locator(".dpteach-still").is_visible() and page.locator(".dpteach-ledger form").count() == 0
    card = page.locator("details", has_text="Evidence for STK-L1")
    card.locator("summary").click()
    assert card.locator("table").is_visible()
    clean(page)


def test_the_table_is_live_in_the_lab(page, lab, screenshots):
    run_all(page, lab.add("search.ipynb", 'from dpteach import ledger\nledger("STK").search()'))
    page.get_by_label("Words").fill("noise")
    assert shown(page) == expected(words="noise")
    for control in (page.get_by_label("Verdict"), page.get_by_role("button", name="STK-L1", exact=True)):
        control.focus()
        page.keyboard.press("b")  # would add a cell
        page.keyboard.press("Escape")
    assert page.locator(".jp-Notebook .jp-Cell").count() == 1
    page.get_by_role("button", name="STK-L1", exact=True).click()
    link = page.locator("[id='card-STK-L1'] a")
    assert "01_composition_basics_paper.ipynb" in link.get_attribute("href")
    page.screenshot(path=screenshots / "ledger-lab.png")
    clean(page)
