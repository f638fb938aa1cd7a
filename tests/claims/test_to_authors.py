"""The errata of a source: complete, with the numbers, in Markdown and on a page that can be printed."""

import re

import pytest

from dpteach.claims import all_claims
from dpteach.claims.command import main
from dpteach.claims.entries import WRONG
from dpteach.claims.to_authors import NAME, ForAuthors, cited, errata_of, letter, markdown, markdown_table
from dpteach.table import Table


def wrong(source: str) -> set[str]:
    return {c.id for c in all_claims().values() if c.source == source and c.verdict in WRONG}


@pytest.mark.parametrize("source", ["STK", "KOV"])
def test_the_list_is_complete(source):
    found = errata_of(source)
    listed = [claim.id for erratum in found for claim in erratum.claims]
    assert sorted(listed) == sorted(wrong(source))
    gravity = [WRONG.index(erratum.claims[0].verdict) for erratum in found]
    assert gravity == sorted(gravity)


def test_the_markdown_tells_everything(capsys):
    assert main(["--errata", "kov"]) == 0
    text = capsys.readouterr().out
    assert text == markdown("KOV")
    for erratum in errata_of("KOV"):
        claim = erratum.claims[0]
        for part in (claim.title, claim.where, claim.statement, claim.note, markdown_table(erratum.numbers)):
            assert part in text
    assert "66 statements, of which 50 stand as they are printed. Here are the other 16" in text
    assert text.count("\n## ") == len(errata_of("KOV")) + bool(cited(errata_of("KOV")))


def test_a_list_can_be_read_alone():
    """Whatever an entry refers to by its id is in the list, or explained at its end."""
    text = markdown("KOV") + markdown("STK")
    assert set(NAME.findall(text)) <= set(all_claims())
    for id in NAME.findall(text):
        assert re.search(rf"\({re.escape(id)}[),]|, {re.escape(id)}\)|\*\*{re.escape(id)}\*\*", text), id


def test_names_of_claims_are_found():
    assert NAME.findall("see HBW-Thm-2-ext, (HBW-X-7); not X-ray. KOV-Sec3.1-BasicTight.") == [
        "HBW-Thm-2-ext",
        "HBW-X-7",
        "X-ray",
        "KOV-Sec3.1-BasicTight",
    ]


def test_a_table_in_markdown():
    table = Table([("a|b", 1.5), ("c", None)], ["name", "value"])
    assert markdown_table(table) == "| name | value |\n| :-- | --: |\n| a\\|b | 1.5 |\n| c |  |"


def test_the_page_holds_the_same(tmp_path):
    path = tmp_path / "errata.html"
    assert main(["--errata", "STK", "--html", str(path)]) == 0
    page = path.read_text(encoding="utf-8")
    assert page == letter("STK")
    for erratum in errata_of("STK"):
        assert erratum.places in page and erratum.numbers._repr_html_() in page
    assert "http" not in page and "<script" not in page and "@media print" in page
    assert "$" not in re.sub(r' aria-label="[^"]*"', "", page)


def test_what_was_derived_for_the_kit_has_no_authors():
    with pytest.raises(SystemExit):
        main(["--errata", "X"])


def test_a_notebook_shows_the_list():
    shown = ForAuthors("STK")
    assert repr(shown) == markdown("STK")
    page = shown._repr_html_()
    for erratum in errata_of("STK"):
        assert erratum.claims[0].title in page and erratum.numbers._repr_html_() in page
    assert page.count("$") % 2 == 0 and "$" in page, "JupyterLab sets the formulas"
    with pytest.raises(ValueError, match="source must be one of 'STK'"):
        ForAuthors("X")
