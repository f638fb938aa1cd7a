"""What students wrote becomes plain before it is written anywhere; honest text stays what it was."""

import base64
import os
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from dpteach.grading.outside.harmless import plain_markdown, plain_name, plain_pictures
from dpteach.grading.outside.marking import mark
from dpteach.grading.outside.repair import put_right
from exercises import small

pytest.importorskip("nbconvert")
markdown_mistune = pytest.importorskip("nbconvert.filters.markdown_mistune")
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TAGS = re.compile(r"<(\w+)([^>]*)>")
FORMATTING = set(
    "blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr input li ol p pre span strong "
    "table tbody td th thead tr ul".split()
)
ATTRIBUTES = re.compile(r'( (class="[^"<>]*"|style="text-align:\w+"|start="\d+"|type="checkbox"|disabled|checked|/))*')


def shown_by_nbgrader(text: str) -> str:
    """Return the HTML that nbgrader's own pages make of Markdown, with everything that is in it."""
    renderer = markdown_mistune.IPythonRenderer(escape=False, exclude_anchor_links=True)
    return markdown_mistune.MarkdownWithMath(renderer=renderer).render(text)


def only_formatting(html: str) -> bool:
    """Say whether there is nothing in some HTML but tags of formatting, without any address or script."""
    return all(tag in FORMATTING and ATTRIBUTES.fullmatch(rest.rstrip()) for tag, rest in TAGS.findall(html))


PIECES = [
    "<", ">", "img", "a", "/", "!", "?", "!--", "script", " onerror=x", " href=", "[", "]", "(", ")", ":", "`",
    "```", "$", "$$", "\\", "\n", "\n\n", " ", "    ", "> ", "- ", "# ", "|", "&lt;", "&#60;", "&colon;", "javascript:",
    "http://", "https:", "//", "\t", "\r", "\x00", "\x0b", "*", "_", "~~", "=", '"', "'", "x", "{", "}", "begin", "end",
    "href", "attachment:a.png", "mermaid", "[a]:", "![", "](", "<!", "]]>", "\u2028", "\ufeff", "ſcript", "\\begin{x}",
    "\\end{x}",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nothing_but_formatting_comes_out_whatever_is_combined(text):
    plain = plain_markdown(text)
    assert only_formatting(shown_by_nbgrader(plain))
    assert plain_markdown(plain) == plain


def test_the_judge_of_these_tests_sees_markup():
    for text in (
        "<img src=x onerror=y>",
        "[a](javascript:b)",
        "![a](b)",
        "<https://a.b>",
        "https://a.b",
        "<b onclick=c>x</b>",
    ):
        assert not only_formatting(shown_by_nbgrader(text))
    assert only_formatting(shown_by_nbgrader("# a\n\n**b** `<i>` $x<y$\n\n| a |\n|:-:|\n| b |"))


HONEST = [
    "Losses *add up*, so **twice** as much: `cost(eps, 2)`.",
    r"$\varepsilon \le k\varepsilon_0 < 1$ and $$\sum_{i=1}^k x_i^{2} > \frac{a}{b}$$",
    r"\begin{align} a &= b \\ &\le c \end{align} and \(x\)",
    "1. one\n2. two\n   - three\n\n> quoted\n\n| a | b |\n|---|:-:|\n| 1 | 2 |",
    "```python\nif x < 3 and y[0][1] > 2:\n    return d[k]\n```",
    'ε ≤ δ, 5 < 6 > 4, x<-1, a <= b, <3, Jörg & Ana, 100 %, #1, it\'s "so"',
]


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_is_not_changed(text):
    assert plain_markdown(text) == text


def test_a_formula_keeps_its_meaning_where_a_space_is_put():
    assert plain_markdown("$a<b$, `x<y`, f[a](b)") == "$a< b$, `x< y`, f[a] (b)"


def test_a_long_text_is_cut():
    assert len(plain_markdown("x" * 10**6)) < 60_000 and plain_markdown("x" * 10**6).endswith("(the rest was cut)")


def test_pasted_pictures_stay_and_nothing_else():
    evil = base64.b64encode(b"<svg onload=x>").decode()
    pasted = {
        "a.png": {"image/png": DOT, "image/svg+xml": evil},
        "b.svg": {"image/svg+xml": evil},
        "c.png": {"image/png": '"><script>'},
        'd" onerror="x': {"image/png": DOT},
        "e.png": "x",
        "f.png": {"image/png": DOT * 10**5},
    }
    assert plain_pictures(pasted) == {"a.png": {"image/png": DOT}}
    assert plain_pictures("nonsense") == plain_pictures(None) == {}
    text = "![dot](attachment:a.png) ![x](attachment:b.svg) ![<i>](attachment:a.png)"
    assert plain_markdown(text, plain_pictures(pasted)) == (
        "![dot](attachment:a.png) ![x] (attachment:b.svg) ![< i>](attachment:a.png)"
    )


def test_formulas_carry_no_style():
    assert (
        plain_markdown(r"$\bbox[position:fixed]{x}$ $\class{a}{x}$") == r"$\ bbox[position:fixed]{x}$ $\ class{a}{x}$"
    )


SLOW = ["[", "*a ", "`a", "$a", "\\begin{a}", "*_"]


@pytest.mark.parametrize("piece", SLOW)
def test_text_made_to_be_shown_slowly_is_not(piece):
    exporter = pytest.importorskip("dpteach.grading.outside.exporter")
    started = time.process_time()
    exporter.rendered(plain_markdown(piece * (20_000 // len(piece))))
    assert time.process_time() - started < 5


def test_code_that_nobody_reads_is_cut_and_checks_are_not(tmp_path):
    from dpteach.grading.outside.marking import Marked
    from dpteach.grading.outside.outputs import MOST_CODE, with_outputs

    one = small.assignment(tmp_path)
    cells, _ = put_right(one, [new_code_cell("x = 1\n" * 10**5), *small.submission("y = 2\n" * 10**5)])
    shown = with_outputs(Marked(cells, {task: [] for task in one.tasks}), one)
    assert sum(len(cell.source) for cell in shown) < MOST_CODE + 5000
    assert [cell.source.endswith("(the rest was cut)") for cell in shown] == [
        True,
        False,
        True,
        False,
        True,
        False,
        True,
        False,
    ]


NAMES = {
    "ada": "ada",
    "O'Neill, Jörg (2)": "O'Neill, Jörg (2)",
    "<img src=x onerror=y>": "＜img src=x onerror=y＞",
    'a"&\\`%3C[b]*?#': "a＂＆＼｀％3C［b］＊？＃",
    "a\u202eb\n": "a＼u202eb＼n",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_lose_what_a_browser_would_act_upon(name):
    assert plain_name(name) == NAMES[name]
    assert plain_name(plain_name(name)) == plain_name(name)


IMG = "<img src=x onerror=y>"


@pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
def test_all_texts_of_a_marked_notebook_are_plain(tmp_path):
    course_module = pytest.importorskip("dpteach.grading.outside.course")
    from dpteach.grading.outside.assignment import Assignment

    root = small.make_course(tmp_path / "course")
    assignment = Assignment.read(root / "source" / "small" / "small.ipynb")
    own = [new_markdown_cell(IMG), new_raw_cell(IMG), new_code_cell(f"raise ValueError('[a](javascript:b) {IMG}')")]
    for cell in own:
        cell.metadata.update(tags=[IMG], raw_mimetype="text/html", title=IMG)
    marked = mark(assignment, [*small.CELLS, small.written(IMG), *own], "eve")
    made = course_module.marked_notebook(marked, assignment)
    texts = [cell for cell in made.cells if cell.cell_type != "code"]
    assert len(texts) == 4 and all("<img" not in cell.source and "](" not in cell.source for cell in texts)
    assert all(set(cell.metadata) <= {"nbgrader", "tags"} for cell in made.cells)
    assert IMG not in str([cell.metadata for cell in made.cells])


def test_what_the_source_itself_says_is_not_changed(tmp_path):
    from dpteach.grading.outside.assignment import Assignment

    hints = new_markdown_cell("<details><summary>Hint</summary>[read](../README.md)</details>")
    assignment = Assignment("x", cells=[hints, *small.CELLS])
    cells, _ = put_right(assignment, [hints, *small.CELLS, new_markdown_cell(hints.source + "!")])
    assert cells[0].source == hints.source and cells[-1].source.startswith("< details>")


def test_pages_of_notebooks_that_were_marked_before_are_safe_as_well():
    exporter = pytest.importorskip("dpteach.grading.outside.exporter")
    hostile = (
        f"{IMG}<script>x</script><svg onload=y></svg>[a](javascript:b) [c](/formgrader/?path=d) ![e](/f) ![g](../h.png)"
    )
    html = exporter.rendered(
        hostile + "<details open ontoggle=x><summary>s</summary>t</details> ![i](j.png) **k** $a<b$"
    )
    assert "onerror" not in html and "javascript" not in html and "?path" not in html and "../" not in html
    assert TAGS.findall(html).count(("details", " open")) == 1 and '<img src="j.png"' in html
    assert "<strong>k</strong>" in html and '<span class="formula">$a&lt;b$</span>' in html
    assert exporter.rendered("![gone](attachment:gone.png)") == "<pre>![gone](attachment:gone.png)</pre>"


def test_no_name_with_markup_gets_into_the_gradebook(tmp_path):
    course_module = pytest.importorskip("dpteach.grading.outside.course")
    book = course_module.Course(small.make_course(tmp_path / "course")).book
    with pytest.raises(ValueError, match="must not contain"):
        book.gradebook.add_student(IMG)
    book.gradebook.add_student("ada")
    assert [student.id for student in book.gradebook.students] == ["ada"]
    book.close()


def test_a_notebook_of_markup_can_be_handed_in(tmp_path):
    """The cells that are run are not changed: only what people read is."""
    from dpteach.grading.outside.assignment import Assignment

    code = "text = '<b>' + 'x'\nassert len(text) == 4  # [a](b)"
    cells, _ = put_right(Assignment.read(small.path_of(tmp_path)), new_notebook(cells=[new_code_cell(code)]).cells)
    assert code in [cell.source for cell in cells]
