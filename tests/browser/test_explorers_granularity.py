"""The explorers of lecture 5 in a real JupyterLab: pictures that are clicked, with the mouse and with the keyboard."""

from __future__ import annotations

import pytest
from browsing import clean, output_of, says, showing, walk_through_presets

from dpteach.explore import DatabaseGraph, ImplicationMap, PartitionBoard, Switchboard
from dpteach.explore.granularity.theorem_map import in_words

EXPLORERS = (DatabaseGraph, PartitionBoard, Switchboard, ImplicationMap)
SECONDS = 300  # only ends a test that hangs


@pytest.fixture(scope="module")
def opened(lab, chromium):
    """One page with the four explorers."""
    with showing(chromium, lab, "granularity", EXPLORERS) as page:
        yield page


def spot(output, name):
    return output.locator(".dpteach-spots").get_by_role("button", name=name, exact=True)


def pressed(output) -> list[str]:
    buttons = output.locator(".dpteach-spots button[aria-pressed=true]")
    return [button.get_attribute("aria-label") for button in buttons.all()]


def test_two_databases_are_clicked(opened, screenshots):
    output = output_of(opened, DatabaseGraph)
    assert output.locator(".dpteach-spots button").count() == 10
    spot(output, "{}").click()
    spot(output, "{a,b}").click()
    says(output, DatabaseGraph(start="{}", goal="{a,b}"))
    assert pressed(output) == ["{}", "{a,b}"]
    assert [output.locator("select").nth(i).input_value() for i in (2, 3)] == ["{}", "{a,b}"]
    output.screenshot(path=screenshots / "database_graph.png")
    clean(opened)


def test_databases_are_walked_to_with_the_arrow_keys(opened):
    output = output_of(opened, DatabaseGraph)
    assert output.locator(".dpteach-spots button[tabindex='0']").count() == 1  # one stop for the whole picture
    spot(output, "{}").click()
    says(output, DatabaseGraph(start="{b,b}", goal="{}"))
    for key, reached in (("ArrowUp", "{a,b}"), ("ArrowRight", "{b,b}"), ("ArrowLeft", "{a,b}")):
        opened.keyboard.press(key)
        assert opened.evaluate("document.activeElement.getAttribute('aria-label')") == reached
    opened.keyboard.press("Enter")
    says(output, DatabaseGraph(start="{}", goal="{a,b}"))
    clean(opened)


def test_buttons_and_lists_follow_the_class(opened, screenshots):
    output = output_of(opened, DatabaseGraph)
    output.locator("select").first.select_option("graphs on 3 nodes")
    says(output, DatabaseGraph(world="graphs on 3 nodes", start="{}", goal="{12,13,23}"))
    assert output.locator(".dpteach-spots button").count() == 8
    offered = output.locator("select").nth(1).locator("option").evaluate_all("all => all.map((one) => one.value)")
    assert offered == ["edge", "node", "free lunch"]
    output.locator("select").nth(1).select_option("node")
    says(output, DatabaseGraph(world="graphs on 3 nodes", granularity="node", start="{}", goal="{12,13,23}"))
    output.screenshot(path=screenshots / "graphs.png")
    clean(opened)


def test_records_are_moved_on_the_board(opened, screenshots):
    output = output_of(opened, PartitionBoard)
    spot(output, "record a, part 2").click()
    says(output, PartitionBoard(board="12 2 3"))
    spot(output, "record a, part 1").focus()
    opened.keyboard.press("Space")
    says(output, PartitionBoard(board="2 2 3"))
    assert pressed(output) == ["record a, part 2", "record b, part 2", "record c, part 3"]
    output.screenshot(path=screenshots / "partition_board.png")
    clean(opened)


def test_what_is_typed_is_followed_or_refused(opened):
    output = output_of(opened, PartitionBoard)
    line = output.locator("input[type=text]").nth(1)
    line.fill("2 2 2")
    line.press("Enter")
    says(output, PartitionBoard(eps="2 2 2"))
    line.fill("two")
    line.press("Enter")
    output.get_by_text("Impossible settings: eps must list 1 to 6 whole numbers").wait_for(timeout=1000 * SECONDS)
    clean(opened)


def test_an_arrow_is_run_by_a_click(opened, screenshots):
    output = output_of(opened, ImplicationMap)
    spot(output, in_words("II.8 ⇏ II.6")).click()
    says(output, ImplicationMap(arrow="II.8 ⇏ II.6"))
    output.screenshot(path=screenshots / "implication_map.png")
    spot(output, in_words("V.4 ⇒ APC")).click()
    says(output, ImplicationMap(arrow="V.4 ⇒ APC"))
    assert pressed(output) == [in_words("V.4 ⇒ APC")]
    clean(opened)


@pytest.mark.parametrize("kind", EXPLORERS)
def test_every_preset_by_keyboard(opened, screenshots, kind):
    walk_through_presets(opened, kind, screenshots)
