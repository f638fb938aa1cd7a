"""What hostile students hand in, on every page that a teacher opens: nothing of it runs, and honest text is readable.

Both Formgraders are tried: ours, which `python3 start.py teach` loads, and nbgrader's own, which trusts what it shows.
"""

from __future__ import annotations

import base64
import copy
import os
import subprocess
import sys
from urllib.parse import quote

import nbformat
import pytest
from browsing import NBGRADERS, OURS, serving, watched
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
Error = pytest.importorskip("playwright.sync_api").Error
course_module = pytest.importorskip("dpteach.grading.outside.course", reason="nbgrader is not installed")

SIGN = "1337"  # what a script prints that runs
RUN = f"console.error({SIGN})"
IMG = f"<img src=x onerror={RUN}>"
MARKDOWN = [
    IMG,
    f"<svg onload={RUN}>",
    f"<script>{RUN}</script>",
    f"<details open ontoggle={RUN}>x</details>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<input autofocus onfocus={RUN}>",
    f"<math><mtext></mtext><img src=x onerror={RUN}></math>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>",
    f"<form action=javascript:{RUN}><button>Full credit</button></form>",
    f"<a href='javascript:{RUN}'>here</a>",
    "<base href='http://example.invalid/'>",
    f"</div></div></div>{IMG}",
    f"<<img src=x onerror={RUN}>",
    f"<!-->{IMG}-->",
    f"<?x {IMG}?>",
    f"<![CDATA[{IMG}]]>",
    f"&lt;img src=x onerror={RUN}&gt;",
    f"[here](javascript:{RUN})",
    f"[here](  \tJaVaScRiPt&colon;{RUN})",
    f"[here][a]\n\n[a]: javascript:{RUN}",
    f"[a]: <javascript:{RUN}>\n\n[a]",
    f"<javascript:{RUN}>",
    f"![x](javascript:{RUN})",
    "![x](/formgrader/?path=PLACE)",
    "[my sources](/formgrader/?path=PLACE)",
    f"http://127.0.0.1:8888/formgrader/manage_students/{quote(IMG)}",
    f"`{IMG}`",
    f"```\n{IMG}\n```",
    f"```mermaid\n{IMG}\n```",
    f"# {IMG}",
    f"| {IMG} |\n|---|\n| x |",
    f"> {IMG}\n\n- {IMG}",
    rf"$\href{{javascript:{RUN}}}{{x}}$",
    r"$\class{a}{x} \cssId{b}{y} \style{color:red}{z} \require{html}$",
    f"$${IMG}$$",
    rf"\begin{{align}}{IMG}\end{{align}}",
    "# statusmessage\n\n# why",
]
CODE = f"""
from IPython.display import HTML, Javascript, Latex, Markdown, SVG, display
for kind in (HTML, Markdown, Latex):
    display(kind({IMG!r}))
display(Javascript({RUN!r}))
display({{"image/svg+xml": "<svg onload={RUN}>", "text/html": {IMG!r}, "image/png": '"><{IMG}'}}, raw=True)
print({IMG!r})
print("\\x1b]8;;javascript:{RUN}\\x1b\\\\here\\x1b]8;;\\x1b\\\\")
"""
RAISE = f"""
class Strange(Exception): pass
Strange.__name__ = {IMG!r}
raise Strange("[here](javascript:{RUN}) {IMG}")
"""
NAMES = [
    IMG,
    f'"><svg onload={RUN}>',
    f'";{RUN};"',
    f'\\";{RUN}; x="',
    quote(IMG, safe=""),
    rf"$\href{{javascript:{RUN}}}{{x}}$",
    f"[x](javascript:{RUN})",
]
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
HONEST = r"""**Why.** For *two* answers $a<b$ and $\varepsilon' = \sqrt{2k\ln(1/\delta)}\,\varepsilon$, with `x < y` and
`d[k](z)`:

$$\sum_{i=1}^{k} \varepsilon_i \le k\varepsilon$$

1. first
2. second, see https://example.org/paper

| k | eps |
|---|----:|
| 1 | 0.5 |

\begin{align} p &< q \\ &= 1 \end{align}

![a drawing](attachment:drawing.png)
"""


def notebook(answer, *more) -> nbformat.NotebookNode:
    cells = [*copy.deepcopy(small.CELLS), answer, *more]
    hostile = {"title": IMG, "kernelspec": {"name": IMG, "display_name": IMG, "language": IMG}, "widgets": {"x": IMG}}
    return new_notebook(cells=cells, metadata=hostile | {"dpteach": {"outcomes": {}, "notes": [IMG]}})


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with an honest student and many others, graded by our command."""
    from dpteach.grading.outside import command

    root = small.make_course(tmp_path_factory.mktemp("hostile") / "course")
    small.hand_in(root, "honest", notebook(small.written(HONEST, {"drawing.png": {"image/png": DOT}})))
    texts = [text.replace("PLACE", quote(str(root / "submitted" / "eve"))) for text in MARKDOWN]
    evil = base64.b64encode(f"<svg xmlns='http://www.w3.org/2000/svg' onload='{RUN}'/>".encode()).decode()
    pasted = {"a.png": {"image/svg+xml": evil, "text/html": evil, "image/png": f'"><{IMG}'}}
    more = [new_markdown_cell(text) for text in texts] + [new_raw_cell(IMG), new_code_cell(CODE), new_code_cell(RAISE)]
    made = notebook(small.written("\n\n".join(texts)), *more)
    small.hand_in(root, "gus", notebook(small.written("![gone](attachment:gone.png) ![a](attachment:a.png)", pasted)))
    for i, cell in enumerate(made.cells):
        cell.id = f"c{i}"
        cell.metadata.tags = [IMG, f'"><{IMG}']
    small.hand_in(root, "eve", made)
    (root / "submitted" / "eve" / "nbgrader_config.py").write_text(f"open({str(root / 'ran')!r}, 'w')")
    (root / "submitted" / "eve" / "small" / "page.html").write_text(f"<script>{RUN}</script>")
    for i, name in enumerate(NAMES):
        small.hand_in(root, name, notebook(small.written("x")), "small" if i else IMG)
    assert command.main([str(root / "submitted"), "--course", str(root), "--workers", "2"]) == 0
    return course_module.Course(root)


def submissions(course) -> dict[str, str]:
    """Return the numbers of all submissions by student, as Formgrader knows them."""
    from nbgrader.api import Gradebook

    with Gradebook(course.directory.db_url) as gradebook:
        return {one.student.id: one.id for one in gradebook.notebook_submissions("small", "small")}


ACTIVE = """() => [...document.querySelectorAll("*")].flatMap(element => [...element.attributes]
    .filter(({name, value}) => value.includes("1337") && /^on|^srcdoc$/i.test(name) || /^\\s*javascript:/i.test(value))
    .map(({name, value}) => `${element.tagName} ${name}=${value}`))"""


LISTS = (
    "manage_assignments", "manage_submissions/small", "gradebook", "gradebook/small", "gradebook/small/small",
)  # fmt: skip
WITH_NAMES = (
    "manage_students/{}", "manage_students/{}/small", "manage_submissions/{}", "gradebook/{}", "gradebook/{}/y",
)  # fmt: skip


def open_page(page, address: str, until: str = "load") -> None:
    """Open a page, and make sure that nothing of a student's runs on it or waits for a click."""
    page.asked.clear()
    page.problems.clear()
    try:
        page.goto(address)
    except Error:  # nbgrader's 404 has no page
        return
    page.wait_for_load_state(until)
    assert page.evaluate(ACTIVE) == []
    assert not [text for text in page.problems if SIGN in text], address
    assert not [url for url in page.asked if "?path=" in url or url.endswith("/x")], address


@pytest.fixture(scope="module", params=[OURS, NBGRADERS], ids=["ours", "nbgrader's"])
def formgrader(course, request, chromium):
    """Formgrader over the course, with an open page that remembers what it asked for."""
    with serving(course.root, request.param) as server, watched(chromium) as page:
        page.asked = []
        page.on("request", lambda one: page.asked.append(one.url))
        yield server.address + "/formgrader", page, request.param == OURS


def test_no_page_of_formgrader_runs_what_was_handed_in(course, formgrader):
    address, page, ours = formgrader
    for place in LISTS:
        open_page(page, f"{address}/{place}", "networkidle")
    page.get_by_role("button", name="Show All Names").click()
    open_page(page, f"{address}/manage_students", "networkidle")
    links = page.locator("#main-table a").evaluate_all("links => links.map(link => link.href)")
    links = [link for link in links if "/manage_students/" in link]
    assert len(links) >= len(NAMES) + 3
    if not ours:  # nbgrader's own trusts the names of folders in submitted/, which it lists beside the gradebook's
        links = [f"{address}/manage_students/{quote(student)}" for student in submissions(course)]
    for link in links:
        open_page(page, link, "networkidle")
    for number in submissions(course).values():
        open_page(page, f"{address}/submissions/{number}/")
        page.locator("span.name-hidden").click()
        assert page.evaluate(ACTIVE) == []
    assert not (course.root / "ran").exists()


def test_an_honest_answer_can_be_read(course, formgrader, screenshots):
    address, page, ours = formgrader
    open_page(page, f"{address}/submissions/{submissions(course)['honest']}/")
    answer = page.locator(".nbgrader_cell", has=page.locator("#why"))
    assert answer.locator("strong").inner_text() == "Why." and answer.locator("em").inner_text() == "two"
    assert answer.locator("table td").count() == 2 and answer.locator("ol li").count() == 2
    assert answer.locator("code").all_inner_texts()[0] == "x < y"
    picture = answer.locator("img")
    assert picture.get_attribute("src").startswith("data:image/png")
    assert picture.evaluate("img => img.naturalWidth") == 1
    if ours:
        assert answer.locator("math").count() == 4 and answer.locator(".katex-error").count() == 0
        assert page.outside == []
    answer.screenshot(path=screenshots / f"honest-{'ours' if ours else 'nbgrader'}.png")


def test_a_hostile_answer_shows_what_was_typed(course, formgrader, screenshots):
    address, page, ours = formgrader
    open_page(page, f"{address}/submissions/{submissions(course)['eve']}/")
    answer = page.locator(".nbgrader_cell", has=page.locator("#why"))
    text = answer.locator(".rendered_html").inner_text()
    assert "< img src=x onerror" in text and "[here] (javascript:" in text
    assert answer.locator(".rendered_html a").count() == 0 or not ours
    answer.screenshot(path=screenshots / f"hostile-{'ours' if ours else 'nbgrader'}.png")


def test_our_formgrader_takes_nothing_from_an_address(course, formgrader):
    address, page, ours = formgrader
    if not ours:
        pytest.skip("nbgrader's own does")
    for place in WITH_NAMES:
        for name in (IMG, f'"><{IMG}', f"</script>{IMG}".replace("/", "%2F")):
            open_page(page, f"{address}/{place.format(quote(name, safe='%'))}")
    page.goto(f"{address}/?path={quote(str(course.root / 'submitted' / 'eve'))}")
    assert not (course.root / "ran").exists()
    place = course.root / "autograded" / "eve" / "small" / "page.html"  # nbgrader's autograde copies what lies about
    place.write_text(f"<script>{RUN}</script><p>here</p>")
    open_page(page, f"{address}/submissions/{submissions(course)['eve']}/page.html")
    assert page.locator("p").inner_text() == "here"
    place.unlink()


def test_nbgraders_own_autograde_writes_no_markup_either(course, formgrader):
    from nbgrader.api import Gradebook

    address, page, _ = formgrader
    place = course.root / "autograded" / "eve" / "small" / "small.ipynb"
    place.unlink()
    open_page(page, f"{address}/manage_submissions/small", "networkidle")
    for words, end in (("eve", "Success"), ("svg", "Error")):  # a name with markup does not get into the gradebook
        page.locator("#main-table tr", has_text=words).first.locator(".autograde a").click()
        page.locator(".modal-title").wait_for(timeout=120_000)
        assert page.locator(".modal-title").inner_text() == end
        assert page.evaluate(ACTIVE) == []
        page.locator(".modal-footer button").click()
        page.locator(".modal").wait_for(state="detached")
    open_page(page, f"{address}/submissions/{submissions(course)['eve']}/")
    assert "< img src=x" in page.locator("#notebook-container").first.inner_text()
    with Gradebook(course.directory.db_url) as gradebook:
        assert not [one.id for one in gradebook.students if set(one.id) & set('<>&"%\\')]


def test_pages_for_students_run_nothing(course, chromium):
    told = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_feedback", "small", "--force"],
        cwd=course.root, capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    with watched(chromium) as page:
        page.asked = []
        for student in submissions(course):
            folder = course.root / "feedback" / student / "small"
            for name in ("points.html", "small.html"):
                assert (folder / name).exists()
                open_page(page, (folder / name).as_uri())


def test_formulas_are_typeset_without_the_internet(chromium):
    """All formulas of all assignments, by the script that Formgrader's pages load."""
    from exercises.helpers import NAMES as ASSIGNMENTS
    from exercises.helpers import source

    from dpteach.grading.outside.exporter import rendered
    from dpteach.grading.outside.formgrader import formulas

    cells = [cell for name in ASSIGNMENTS for cell in source(name).cells if cell.cell_type == "markdown"]
    with watched(chromium) as page:
        page.set_content("<!doctype html>" + "".join(rendered(cell.source) for cell in cells))
        marked = page.locator("span.formula").count()
        page.add_script_tag(content=formulas())
        assert marked > 100 and page.locator("span.formula math").count() == marked
        assert page.locator(".katex-error").count() == 0
        assert page.problems == [] and page.outside == []
