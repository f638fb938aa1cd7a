"""Questions in a real browser: asked, answered by mouse and keys, revealed, counted, and remembered by the notebook."""

from __future__ import annotations

import json

import pytest
from browsing import clean, run_all, watched

from dpteach.questions import texts
from dpteach.questions.asking import Question
from dpteach.questions.wording import as_plain

SECONDS = 60  # only ends a test that hangs

# As much of a widget's model as the script uses. What it sends goes to a question in Python, as to a kernel; the
# notebook that remembers is an object with the three methods of JupyterLab's.
MODEL = """
class Model {
  constructor(state) {
    this.state = state;
    this.listeners = [];
    this.sent = [];
    const metadata = window.metadata = window.metadata ?? {};
    this.widget_manager = { context: { model: {
      getMetadata: (name) => metadata[name],
      setMetadata: (name, value) => { metadata[name] = value; },
      deleteMetadata: (name) => { delete metadata[name]; },
    } } };
  }
  get(name) { return this.state[name]; }
  on(event, act) { this.listeners.push([event, act]); }
  off(event, act) { this.listeners = this.listeners.filter(([e, a]) => e !== event || a !== act); }
  async send(message) {
    this.sent.push(message);
    Object.assign(this.state, await window.kernel(message));
    this.listeners.forEach(([, act]) => act());
  }
}
"""


class Shown:
    """A question alone on a page, with a kernel that answers at once, or not at all."""

    def __init__(self, page, id: str, style: str = "", kernel: bool = True, metadata: dict | None = None):
        self.page, self.question = page, Question(texts()[id])
        widget = self.question.widget
        page.expose_function("kernel", self.hear if kernel else lambda message: {})
        script = str(widget._esm).replace("export default", "const widget =")
        state = json.dumps({name: getattr(widget, name) for name in ("asked", "told", "kept")})
        start = f"window.model = new Model({state}); window.forget = initialize({{ model }});"
        start += "window.stop = render({ model, el: document.body });"
        before = f"<script>window.metadata = {json.dumps(metadata or {})}</script>"
        styles = f"<style>{widget._css} {style}</style>"
        page.set_content(f"<!doctype html>{styles}<body>{before}<script type=module>{script}{MODEL}{start}</script>")
        page.locator(".dpteach-ask").wait_for()

    def hear(self, message: dict) -> dict:
        """Let Python answer a message."""
        widget = self.question.widget
        widget._heard(widget, message, [])
        return {"told": widget.told, "kept": widget.kept}

    def says(self, response: str) -> None:
        """Wait for a response."""
        from playwright.sync_api import expect

        expect(self.page.locator(".dpteach-response")).to_have_text(response, timeout=10_000)

    @property
    def pressed(self) -> list[bool]:
        """Which options are chosen."""
        options = self.page.locator(".dpteach-option").all()
        return [option.get_attribute("aria-pressed") == "true" for option in options]


# -------------------------------------------------------------------------------------------- alone on a page


def test_options_are_chosen_by_mouse_and_by_keys(page):
    shown = Shown(page, "1.3")
    text = shown.question.text
    group = page.get_by_role("list", name=text.text[:40])
    assert group.get_by_role("button").count() == 4 and shown.pressed == [False] * 4
    page.get_by_role("button", name="9").click()
    shown.says(text.options[2].response)
    assert shown.pressed == [False, False, True, False]
    page.locator(".dpteach-head").click()
    for key in ("1", "4", "2"):
        page.keyboard.press(key)
        shown.says(text.options[int(key) - 1].response)
        assert shown.pressed.index(True) == int(key) - 1
        assert page.evaluate("document.activeElement.getAttribute('aria-keyshortcuts')") == key
    page.keyboard.press("Tab")  # on with the keyboard alone
    page.keyboard.press("Enter")
    shown.says(text.options[2].response)
    for key in ("0", "5", "x", "Control+1"):
        page.keyboard.press(key)
    assert shown.question.choice == 3
    clean(page)


def test_a_right_choice_shows_why_a_wrong_one_does_not(page):
    shown = Shown(page, "1.3")
    page.get_by_role("button", name="9").click()
    shown.says(shown.question.text.options[2].response)
    assert page.locator(".dpteach-why").inner_text() == ""
    assert page.get_by_role("button", name="3: 9, not right").locator(".dpteach-mark").inner_text() == "✗"
    page.get_by_role("button", name="24").click()
    shown.says(shown.question.text.options[3].response)
    assert page.locator(".dpteach-why").inner_text().startswith("If all three tell the truth")
    assert page.get_by_role("button", name="4: 24, right").locator(".dpteach-mark").inner_text() == "✓"
    assert page.get_by_role("status").locator(".dpteach-response").count() == 1  # read to those who listen


def test_the_page_of_an_open_question_holds_no_answer(page):
    for id in ("1.3", "2.2"):
        with watched(page.context.browser) as other:
            shown = Shown(other, id)
            held = other.content() + other.evaluate("JSON.stringify(model.state)")
            text = shown.question.text
            said = [text.why, *(option.response for option in text.options), *(slip.response for slip in text.slips)]
            assert not [words for words in said if words[:30] in held]


def test_the_answer_is_shown_when_the_lecturer_wants_it(page, screenshots):
    shown = Shown(page, "1.3")
    reveal = page.get_by_role("button", name="show the answer")
    reveal.click()
    page.get_by_text("Answer: 4, 24.").wait_for()
    said = page.locator(".dpteach-remark").all_inner_texts()
    assert said == [as_plain(option.response) for option in shown.question.text.options]
    assert shown.pressed == [False] * 4
    assert page.evaluate("document.activeElement.textContent") == "show the answer"  # the focus stays
    page.keyboard.press("Enter")  # there is nothing more to show
    assert page.evaluate("model.sent.length") == 1
    page.screenshot(path=screenshots / "question_revealed.png")


def test_a_number_is_typed(page):
    shown = Shown(page, "2.s5")
    text, field = shown.question.text, page.get_by_role("textbox", name="your number")
    one_coin = text.slips[0].response
    for typed, said in (("0,25", one_coin), (" 10 / 64 ", text.right), ("1/4", one_coin), ("1.56e-1", text.right)):
        field.fill(typed)
        field.press("Enter")
        shown.says(said)
    for nonsense in ("", "one", "1/0", "1/2/3", "1 2"):
        field.fill(nonsense)
        page.get_by_role("button", name="answer", exact=True).click()
        page.get_by_text("Type one number").wait_for()
    field.fill("0.9")
    page.get_by_role("button", name="answer", exact=True).click()
    page.get_by_text("Too large.").wait_for()
    assert shown.question.choice == 0.9 and page.get_by_role("button", name="count hands").count() == 0
    clean(page)


def test_hands_are_two_bars(page, screenshots):
    shown = Shown(page, "1.3")
    page.get_by_role("button", name="count hands").click()
    counts = {"before": [3, 5, 20, 12], "after": [1, 2, 4, 33]}
    for round, hands in counts.items():
        for option, number in enumerate(hands, start=1):
            page.get_by_label(f"hands for option {option}, {round} the discussion").fill(str(number))
    page.keyboard.press("2")  # belongs to the number, it is no choice
    page.get_by_label("hands for option 4, after the discussion").fill("33")
    page.wait_for_function("model.state.told.hands.after?.[3] === 33")
    assert shown.question.hands == counts and shown.question.choice is None
    for round, hands in counts.items():
        widths = [bar.bounding_box()["width"] for bar in page.locator(f".dpteach-bar.dpteach-{round}").all()]
        assert widths == pytest.approx([max(widths) * number / max(hands) for number in hands], abs=1)
    assert page.locator(".dpteach-bar.dpteach-after").last.get_attribute("data-share") == "after 83%"
    page.screenshot(path=screenshots / "question_hands.png")
    page.get_by_role("button", name="start over").click()
    page.wait_for_function("!model.state.told.hands.after")
    assert page.get_by_label("hands for option 4, after the discussion").input_value() == ""
    clean(page)


def test_it_says_so_when_no_kernel_answers(page):
    page.clock.install()
    Shown(page, "1.3", kernel=False)
    page.evaluate("model.send = () => {}")
    page.get_by_role("button", name="24").click()
    page.clock.fast_forward(4000)
    page.get_by_text("the question needs a running kernel").wait_for()


def test_the_notebook_remembers(page):
    shown = Shown(page, "1.3", metadata={"dpteach": {"answers": {"1.1": {"choice": 4}}}})
    page.get_by_role("button", name="9").click()
    shown.says(shown.question.text.options[2].response)
    assert page.evaluate("metadata") == {"dpteach": {"answers": {"1.1": {"choice": 4}, "1.3": {"choice": 3}}}}
    page.get_by_role("button", name="start over").click()
    page.wait_for_function("!metadata.dpteach.answers['1.3']")
    assert page.evaluate("metadata") == {"dpteach": {"answers": {"1.1": {"choice": 4}}}}


def test_a_new_kernel_is_told_what_was_answered(page):
    kept = {"choice": 3, "hands": {"before": [1, 2, 3, 4]}}
    shown = Shown(page, "1.3", metadata={"dpteach": {"answers": {"1.3": kept}}})
    shown.says(shown.question.text.options[2].response)
    assert shown.pressed == [False, False, True, False] and shown.question.kept() == kept
    assert page.get_by_label("hands for option 4, before the discussion").input_value() == "4"
    page.get_by_role("button", name="start over").click()
    page.wait_for_function("!metadata.dpteach")


def test_a_notebook_that_cannot_remember_does_no_harm(page):
    shown = Shown(page, "1.3")
    page.evaluate("delete model.widget_manager")
    page.get_by_role("button", name="9").click()
    shown.says(shown.question.text.options[2].response)
    clean(page)


def test_a_closed_view_lets_go_of_its_model(page):
    Shown(page, "1.3")
    assert page.evaluate("model.listeners.length") == 2
    page.evaluate("stop(); forget()")
    assert page.evaluate("model.listeners.length") == 0


@pytest.mark.parametrize("id", ["1.5", "2.2"])
def test_it_fits_a_narrow_page_and_follows_a_dark_theme(page, id):
    page.set_viewport_size({"width": 420, "height": 900})
    dark = ":root { --jp-ui-font-color1: #eee; --jp-layout-color1: #111; --jp-layout-color2: #333; }"
    shown = Shown(page, id, style=dark)
    page.get_by_role("button", name="show the answer").click()
    page.get_by_text("Answer:").wait_for()
    if shown.question.text.options:
        page.get_by_role("button", name="count hands").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    look = "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('$0')))"
    for part in (".dpteach-ask", ".dpteach-ask button"):
        assert page.evaluate(look.replace("$0", part))[1] == "rgb(238, 238, 238)"
    assert page.evaluate(look.replace("$0", ".dpteach-ask"))[0] == "rgb(17, 17, 17)"


# -------------------------------------------------------------------------------------------------- in Jupyter

CELLS = [
    "from dpteach import Table, question",
    'question("1.3")',
    'question("1.3").then(Table([(24,)], ["largest ratio"]))',
    'question("1.7")',
]
METADATA = "window.jupyterapp.shell.currentWidget.context.model.getMetadata('dpteach')"


def table(page):
    """Return the answer's table, whether it is there yet or not."""
    return page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output")


def answer_by_key(page) -> None:
    """Choose the third option of the first question, and wait for what follows."""
    from playwright.sync_api import expect

    ask = page.locator(".dpteach-ask").first
    expect(table(page)).to_contain_text("First choose in question 1.3.", timeout=1000 * SECONDS)
    ask.locator(".dpteach-head").click()
    page.keyboard.press("3")
    expect(ask.locator(".dpteach-response")).to_contain_text("That adds the ratios.", timeout=1000 * SECONDS)
    expect(table(page)).to_contain_text("largest ratio", timeout=1000 * SECONDS)  # by itself
    cells = page.evaluate("window.jupyterapp.shell.currentWidget.content.model.toJSON().cells")
    assert [cell["cell_type"] for cell in cells] == ["code"] * 4  # to Jupyter, 3 means: make this cell a heading
    assert page.evaluate(METADATA) == {"answers": {"1.3": {"choice": 3}}}


def restart(page) -> None:
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")


def run_cell(page, number: int) -> None:
    page.evaluate(f"window.jupyterapp.shell.currentWidget.content.activeCellIndex = {number}")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell')")


def test_answers_survive_a_restart_and_a_save(lab, chromium, screenshots):
    from playwright.sync_api import expect

    with watched(chromium) as page:
        run_all(page, lab.add("questions.ipynb", *CELLS))
        answer_by_key(page)
        page.screenshot(path=screenshots / "questions.png")
        page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
        page.locator("body[data-jp-theme-light='false']").wait_for(state="attached")
        page.wait_for_timeout(1000)  # for the theme's style sheet
        page.screenshot(path=screenshots / "questions_dark.png")
        page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
        restart(page)
        run_cell(page, 0)
        run_cell(page, 2)  # the answer's cell alone: the notebook remembers without the question's cell
        expect(table(page)).to_contain_text("largest ratio", timeout=1000 * SECONDS)
        run_cell(page, 1)
        expect(page.locator(".dpteach-response").first).to_contain_text("That adds the ratios.", timeout=1000 * SECONDS)
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        clean(page)
    stored = (lab.folder / "questions.ipynb").read_text(encoding="utf-8")
    assert json.loads(stored)["metadata"]["dpteach"] == {"answers": {"1.3": {"choice": 3}}}
    assert "That is the tail" not in stored  # question 1.7 is open, and its answer is nowhere in the file
    assert list(lab.folder.rglob("*dpteach*")) == []  # nothing is kept elsewhere
    with watched(chromium) as page:
        run_all(page, lab.page("questions.ipynb"))
        expect(table(page)).to_contain_text("largest ratio", timeout=1000 * SECONDS)
        assert (
            page.evaluate("[...document.querySelectorAll('.dpteach-option')].map((o) => o.ariaPressed)").count("true")
            == 1
        )


def test_formulas_are_set(lab, page):
    run_all(page, lab.add("formulas.ipynb", CELLS[0], CELLS[3]))
    page.locator(".dpteach-ask mjx-container").nth(4).wait_for(timeout=1000 * SECONDS)
    assert "$" not in page.locator(".dpteach-ask").inner_text()
    clean(page)


def test_notebook_7_remembers_too(lab, chromium, screenshots):
    from playwright.sync_api import expect

    lab.add("questions7.ipynb", *CELLS)
    with watched(chromium) as page:
        run_all(page, f"{lab.address}/notebooks/questions7.ipynb")
        answer_by_key(page)
        page.screenshot(path=screenshots / "questions7.png")
        restart(page)
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        expect(page.locator(".dpteach-response").first).to_contain_text("That adds the ratios.", timeout=1000 * SECONDS)
        expect(table(page)).to_contain_text("largest ratio", timeout=1000 * SECONDS)


def test_the_stored_form_needs_no_kernel(lab, page, screenshots):
    """The executed edition and a page without a kernel show the question, its options and, revealed, its answer."""
    import nbformat

    cells = []
    for asked in (Question(texts()["1.7"]), Question(texts()["1.7"]).reveal(), Question(texts()["2.2"]).reveal()):
        data, _ = asked._repr_mimebundle_()
        stored = {mime: value for mime, value in data.items() if mime.startswith("text/")}
        output = nbformat.v4.new_output("execute_result", stored, execution_count=1)
        cells.append(nbformat.v4.new_code_cell("question(…)", outputs=[output], execution_count=1))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), lab.folder / "stored_questions.ipynb")
    page.goto(lab.page("stored_questions.ipynb"))
    page.locator(".dpteach-asked mjx-container").nth(20).wait_for(timeout=1000 * SECONDS)
    shown = page.locator(".dpteach-asked").all()
    assert len(shown) == 3 and [form.locator("li").count() for form in shown] == [4, 4, 3]
    assert ["Answer" in form.inner_text() for form in shown] == [False, True, True]
    page.screenshot(path=screenshots / "questions_stored.png")
    clean(page)
