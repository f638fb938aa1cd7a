"""The rules that every committed notebook keeps, and that these rules can tell good from bad."""

import json

import pytest
from committed import committed
from nbformat import v4

from dpteach.tools import notebooks, rules
from dpteach.tools.lecture_rules import rules_for
from dpteach.tools.notebooks import KERNEL, WIDGET, as_written, edition, is_normal, parse, unparse

NOTEBOOKS = edition()
SLIDE = {"slideshow": {"slide_type": "slide"}}


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def text(request):
    return request.param.read_text(encoding="utf-8")


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps_every_rule(text, rule):
    notebook = as_written(parse(text))
    assert not [f"{rules.place(notebook, i)}: {told}" for i, told in rule(notebook)]


def test_every_notebook_is_in_the_normal_form(text):
    assert is_normal(unparse(as_written(parse(text)))), "run python -m dpteach run-notebooks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_committed_was_not_used_since(path):
    text = committed(path)
    assert is_normal(text), "run python -m dpteach run-notebooks"
    assert not rules.faults(parse(text), rules_for(path))


def test_drafts_and_copies_of_a_reader_are_not_the_kits(tmp_path, monkeypatch):
    names = ["00_start_here.ipynb", "00_start_here-Copy1.ipynb", "Untitled.ipynb", "my notes.ipynb", "conftest.py"]
    for name in [*names, ".ipynb_checkpoints/00_start_here-checkpoint.ipynb"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path)
    assert edition() == [tmp_path / "00_start_here.ipynb"]


# A notebook that was only used counts as if it was not


def used(text):
    """Do what JupyterLab does when a notebook is opened, run twice and saved."""
    notebook = json.loads(text)
    notebook["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    notebook["metadata"]["language_info"] |= {"version": "3.13.0", "pygments_lexer": "ipython3"}
    notebook["metadata"]["dpteach"] = {"answers": {"1.3": {"choice": 2}}}
    for number, cell in enumerate(cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        cell["execution_count"] = 100 + number
        for output in cell["outputs"]:
            if "data" in output:
                output["data"][WIDGET] = {"model_id": "4f2a", "version_major": 2}
    return notebook


def test_using_a_notebook_changes_nothing_that_counts(text):
    before = as_written(parse(text))
    after = as_written(parse(json.dumps(used(text))))
    assert unparse(after) == unparse(before)
    assert not is_normal(json.dumps(used(text)))


def test_changing_a_used_notebook_still_counts():
    tidy = v4.new_notebook(cells=[code("x = 0.25\nx", shown("0.25")), prose("The loss is 0.25.")], metadata=KERNEL)
    tidy.metadata.language_info = {"name": "python"}
    assert unparse(as_written(parse(json.dumps(used(unparse(tidy)))))) == unparse(tidy)
    changes = [
        ("cells", 0, "outputs", 0, "data", "text/plain"),
        ("cells", 0, "source"),
        ("cells", 1, "source"),
        ("cells", 1, "metadata", "slideshow", "slide_type"),
        ("cells", 1, "id"),
        ("metadata", "title"),
    ]
    for *place, last in changes:
        changed = used(unparse(tidy))
        part = changed
        for key in place:
            part = part[key]
        part[last] = "0.26"
        assert unparse(as_written(parse(json.dumps(changed)))) != unparse(tidy), (place, last)
    unrun = used(unparse(tidy))
    unrun["cells"][0]["execution_count"] = None
    assert rules.faults(as_written(parse(json.dumps(unrun))))


# The rules themselves, on made-up notebooks


def code(source="x", *outputs, **options):
    return v4.new_code_cell(source, outputs=list(outputs), **{"metadata": SLIDE, "execution_count": 1, **options})


def shown(text="", metadata=None, **data):
    return v4.new_output("display_data", {"text/plain": text, **data}, metadata=metadata or {})


def prose(text):
    return v4.new_markdown_cell(text, metadata=SLIDE)


def complaints(rule, *cells):
    return [told for _, told in rule(v4.new_notebook(cells=list(cells)))]


def test_a_notebook_must_be_run_in_order():
    counts = lambda *numbers: [code(execution_count=number) for number in numbers]  # noqa: E731
    assert not complaints(rules.run_in_order, *counts(1, 2, 3))
    for bad in [(None,), (1, None), (2, 3), (1, 3), (2, 1)]:
        assert complaints(rules.run_in_order, *counts(*bad)), bad


@pytest.mark.parametrize("tag", ["nbval-ignore-output", "nbval-skip", "nbval-raises-exception", "raises-exception"])
def test_no_tag_takes_a_cell_out(tag):
    assert complaints(rules.nothing_ignored, code(metadata={"tags": ["mine", tag]}))
    assert not complaints(rules.nothing_ignored, code(metadata={"tags": ["mine"]}))


@pytest.mark.parametrize("comment", ["# NBVAL_IGNORE_OUTPUT", "#NBVAL_SKIP", "x\n  # PYTEST_VALIDATE_IGNORE_OUTPUT"])
def test_no_comment_takes_a_cell_out(comment):
    assert complaints(rules.nothing_ignored, code(comment))


def test_no_stored_errors_or_warnings():
    assert complaints(rules.nothing_went_wrong, code("x", v4.new_output("error", ename="E", evalue="")))
    assert complaints(rules.nothing_went_wrong, code("x", v4.new_output("stream", name="stderr", text="careful")))
    assert not complaints(rules.nothing_went_wrong, code("x", v4.new_output("stream", name="stdout", text="fine")))


@pytest.mark.parametrize("mime", ["image/png", "image/svg+xml"])
def test_a_figure_needs_alt_text(mime):
    assert complaints(rules.figures_described, code("x", shown(**{mime: "..."})))
    assert complaints(rules.figures_described, code("x", shown(metadata={mime: {"alt": " "}}, **{mime: "..."})))
    assert not complaints(rules.figures_described, code("x", shown(metadata={mime: {"alt": "a dot"}}, **{mime: "..."})))


@pytest.mark.parametrize(
    ("picture", "good"),
    [
        ("![a dot](dot.png)", True),
        ("![](dot.png)", False),
        ('<img src="dot.png" alt="a dot">', True),
        ('<img src="dot.png" alt="">', False),
        ('<img src="dot.png">', False),
        ('<svg aria-label="a dot"><circle/></svg>', True),
        ("<svg><circle/></svg>", False),
        ("write `![](dot.png)`", True),
    ],
)
def test_a_picture_in_prose_or_html_needs_alt_text(picture, good):
    html = code("x", shown(**{"text/html": picture}))
    assert good != bool(complaints(rules.figures_described, prose(picture)))
    assert good != bool(complaints(rules.figures_described, html))


def test_code_is_short():
    assert not complaints(rules.code_short, code("\n".join(["x"] * 12)))
    assert complaints(rules.code_short, code("\n".join(["x"] * 13)))


def test_every_cell_has_a_slide_type():
    assert not complaints(rules.slides_marked, code(), prose("text"))
    assert complaints(rules.slides_marked, code(metadata={}))
    assert complaints(rules.slides_marked, code(metadata={"slideshow": {"slide_type": "slid"}}))


# Numbers in the prose: a cell that prints a few, then sentences about them

PRINTED = shown(
    "share 12.5%, scale 41.6474, error 0.309014, odds 26.9, delta 1.31e-05, quarter Fraction(1, 4)",
    **{"text/html": "<td style='width: 77px'>966</td><td>5/8</td>", "image/png": "..."},
    metadata={"image/png": {"alt": "a line up to 0.875"}},
)
CELL = code('# 0.77 is only a comment\nf(k=100, delta=1e-6, name="n = 150")', PRINTED)


@pytest.mark.parametrize(
    "text",
    [
        "A scale of 41.6474, about 41.65, 41.6 or 42.",
        "Both errors fall to 0.31, which is **0.309** or 31 % or 30.9%, or $31\\%$.",
        "The odds are 1 in 27; 966 of them.",
        "$\\delta = 1.3 \\cdot 10^{-5}$, also 1.31 × 10⁻⁵ or 1.3e-5.",
        "With $k = 100$ answers at $\\delta = 10^{-6}$ and $n=150$; $\\sum_{i=1}^{100} x_{17} + y_{i}$.",
        "One quarter is 0.25, five eighths 0.625 or 62.5%; the line goes up to 0.875.",
        "Half a quarter is 0.125; three of 12, all 100% or 0 %, the 21st, a 2-fold loss.",
        "## 4.1 A heading\n\n17. a numbered point",
        "Theorem 3.3, eq. (17), Figure 2.5, section 4.1, Lemma 13, §5.14, Definitions 2.1 and 3.14, Figures 13 to 15.",
        "In 2015 (Dwork et al., 2006), for 45 minutes, 20 to 25 min, a 90-minute lecture.",
        "See [the paper](https://example.org/1311.0776v3), arXiv:1311.0776 or KOV-Thm-4.3; Python 3.11.",
        "Type `rr ** 1000`, or\n\n```python\nx = 0.123\n```\n",
        "x86, SHA256, $\\varepsilon_{13}$, $P_{0.309}$ and $2^{100}$.",
        "A table\n\n| k | scale |\n|---|---|\n| 100 | 41.6 |",
        "<div style='width: 55%'>Fine</div>",
    ],
)
def test_numbers_that_a_cell_supports(text):
    assert not complaints(rules.numbers_supported, CELL, prose(text))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("A scale of 41.7.", "41.7"),
        ("A scale of 41.64.", "41.64"),
        ("An error of 0.30.", "0.30"),
        ("An error of **0.32**.", "0.32"),
        ("An error of _0.32_.", "0.32"),
        ("An error of $0.32$.", "0.32"),
        ("In 32% of all cases.", "32"),
        ("In 7 % of all cases.", "7"),
        ("The odds are 1 in 28.", "28"),
        ("A total of 1,966 or so.", "1,966"),
        ("After 101 answers.", "101"),
        ("A $\\delta$ of $10^{-7}$.", "1e-7"),
        ("A $\\delta$ of 10⁻⁷.", "1e-7"),
        ("A $\\delta$ of $1.4 \\cdot 10^{-5}$.", "1.4e-5"),
        ("By Theorem 3.3, 41.7 is enough.", "41.7"),
        ("It costs 2000 answers.", "2000"),
        ("The comment said 0.77.", "0.77"),
        ("The width was 77.", "77"),
        ("A table\n\n| k | scale |\n|---|---|\n| 100 | 41.7 |", "41.7"),
        ("$\\sum_{i=1}^{17} x_i$", "17"),
        ("A level of .32.", ".32"),
        ("If $x < 0.32$ then $x > 0$.", "0.32"),
        ("A factor of $\\alpha-0.32$.", "0.32"),
    ],
)
def test_numbers_that_no_cell_supports(text, number):
    told = complaints(rules.numbers_supported, CELL, prose(text))
    assert len(told) == 1 and told[0].startswith(f"{number} "), told


def test_a_complaint_says_where():
    notebook = v4.new_notebook(cells=[CELL, prose("The scale is about 41.7 instead of 100.")])
    told = "cell 2: 41.7 (in “…The scale is about 41.7 instead of 100.…”) is printed by no cell"
    assert rules.faults(notebook) == [told]
