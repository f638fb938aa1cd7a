"""Formulas that are drawn for printed pages: every formula of the ledger and of the questions can be."""

import re
from xml.etree import ElementTree

import pytest

from dpteach.claims import all_claims
from dpteach.questions import texts
from dpteach.tools.typeset import drawing, page, plain_tex

FORMULA = re.compile(r"\$([^$]+)\$")


def formulas_of_the_ledger():
    words = (value for entry in all_claims().values() for value in [*vars(entry).values(), entry.check.__doc__])
    return {found for text in words if isinstance(text, str) for found in FORMULA.findall(text)}


def formulas_of_the_questions():
    options = [part for text in texts().values() for option in text.options for part in (option.text, option.response)]
    words = [part for text in texts().values() for part in (text.text, text.why)] + options
    return {found for text in words for found in FORMULA.findall(text)}


@pytest.mark.parametrize("formulas", [formulas_of_the_ledger, formulas_of_the_questions])
def test_everything_that_is_printed_can_be_drawn(formulas):
    found = formulas()
    assert len(found) > 100
    for latex in found:
        ElementTree.fromstring(drawing(latex))  # and it is well-formed


@pytest.mark.parametrize(
    ("latex", "written"),
    [
        (r"\frac12", r"\frac{1}{2}"),
        (r"\sqrt k", r"\sqrt{k}"),
        (r"\frac{a}b", r"\frac{a}{b}"),
        (r"\mathcal R(x)", r"\mathcal{R}(x)"),
        (r"\sqrt{\frac12}", r"\sqrt{\frac{1}{2}}"),
        ("x\\in\n    S", r"x\in  S"),
        (r"\bigl(x\bigr)", "(x)"),
        (r"a\le b", r"a\leq  b"),
        (r"2\ln x", r"2\,\ln  x"),
        (r"\varepsilon \tanh x", r"\varepsilon\,\tanh  x"),
        (r"(\max x)", r"(\max  x)"),
    ],
)
def test_the_dialect(latex, written):
    assert plain_tex(latex) == written


def test_a_formula_stands_on_the_line_of_its_text():
    """What hangs below the line is said in the style: a fraction hangs, a capital letter does not."""
    hanging = lambda latex: float(re.search(r"vertical-align:(-?[\d.]+)em", drawing(latex))[1])  # noqa: E731
    assert hanging("P") == 0 > hanging(r"\frac{P}{Q}")


def test_text_and_formulas_make_a_page():
    made = page("*If* $a < b$, **then** <so>")
    assert made.startswith("<em>If</em> <svg") and "<strong>then</strong> &lt;so&gt;" in made
    assert "<title>a &lt; b</title>" in made


def test_a_formula_that_cannot_be_drawn_is_named():
    with pytest.raises(ValueError, match=r"latex must be a formula that matplotlib can draw, not '\\\\nonsense'"):
        drawing(r"\nonsense")
