"""The ledger as a tool: its filters, where each claim is taught, what computes it, and the table that holds it all."""

import importlib
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from dpteach.claims import all_claims, ledger
from dpteach.claims.at_work import functions
from dpteach.claims.command import main
from dpteach.claims.entries import KINDS
from dpteach.claims.places import FOLDER, lectures, places, shown
from dpteach.claims.search import evidence_of
from dpteach.claims.words import spoken

IDS = list(all_claims())


# ------------------------------------------------------------------------------------------- where it is taught


@cache
def headings(notebook: str) -> set[str]:
    cells = nbformat.read(FOLDER / notebook, as_version=4).cells
    lines = [line for cell in cells if cell.cell_type == "markdown" for line in cell.source.splitlines()]
    return {line.lstrip("#").strip() for line in lines if line.startswith("#")}


@pytest.mark.parametrize("id", IDS)
def test_every_claim_is_taught_in_a_section_that_exists(id):
    found = places(all_claims()[id])
    assert found, "no notebook shows its card"
    for place in found:
        notebook, anchor = place.address().split("#")
        written = {re.sub("[*`]", "", heading).replace(" ", "-") for heading in headings(notebook)}
        assert unquote(anchor) in written
        assert "$" not in anchor, "JupyterLab does not find a heading with a formula"
        assert place.heading in headings(notebook)


def test_a_place_is_where_the_card_is():
    place = next(place for id, place in shown(FOLDER) if id == "STK-L1")
    assert (place.notebook, place.lecture) == ("01_composition_basics_paper", 1)
    assert place.heading == "3. Basic composition is optimal"
    assert place.name == "companion 1, “3. Basic composition is optimal”"


def test_places_follow_the_headings_of_a_notebook(tmp_path):
    cells = [
        nbformat.v4.new_markdown_cell("# Title\n\n## One"),
        nbformat.v4.new_code_cell('claim("KOV-Thm-3.1")'),
        nbformat.v4.new_markdown_cell("### With $k$ in it"),
        nbformat.v4.new_code_cell("claim('KOV-Thm-3.2')\nother_claim('KOV-Thm-3.3')"),
        nbformat.v4.new_markdown_cell("## Two"),
        nbformat.v4.new_code_cell('both = claim("KOV-Thm-3.3"), claim("KOV-Thm-3.4")'),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "02_some_paper.ipynb")
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "06_claims.ipynb")  # teaches nothing
    found = [(id, place.heading, place.anchor) for id, place in shown(tmp_path)]
    assert found == [
        ("KOV-Thm-3.1", "One", "One"),
        ("KOV-Thm-3.2", "With $k$ in it", "One"),
        ("KOV-Thm-3.3", "Two", "Two"),
        ("KOV-Thm-3.4", "Two", "Two"),
    ]


def test_lectures_follow_from_places_and_source():
    assert lectures(all_claims()["GMPS-Thm-IV.1"]) == [5]
    assert lectures(all_claims()["KOV-Sec3.1-OrderRemark"]) == [1, 2]
    assert all(lectures(entry) for entry in all_claims().values())


def test_without_notebooks_the_lecture_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("dpteach.claims.places.FOLDER", tmp_path)
    assert main(["STK-L1"]) == 0
    assert "Taught in: lecture 1." in capsys.readouterr().out
    assert ids(lecture=1) == {id for id in IDS if id.startswith("STK-")}


# --------------------------------------------------------------------------------------------- what computes it


@pytest.mark.parametrize("id", IDS)
def test_the_functions_of_every_claim_can_be_imported(id):
    names = functions(all_claims()[id])
    assert names
    for name in names:
        room, _, last = name.rpartition(".")
        assert callable(getattr(importlib.import_module(room), last))
        assert name.startswith("dpteach.") and ".claims" not in name and last != "Table"


def test_functions_are_read_off_the_code():
    assert functions(all_claims()["KOV-Thm-3.1"])[0].startswith("dpteach.")
    assert "dpteach.composition.basic" in functions(all_claims()["STK-Basic"])
    assert "dpteach.experiment.matching_bound" in functions(all_claims()["HBW-VB-Recipe"]), "through a helper"
    assert functions(all_claims()["LPR-Def-6"]) == ["dpteach.leakage.LeakyMechanism"], "through a class method"


# ------------------------------------------------------------------------------------------------------ filters


def test_kinds_agree_with_the_ids():
    named = {"Thm": "theorem", "Lem": "theorem", "Cor": "theorem", "Prop": "theorem", "Def": "definition",
             "Eq": "equation", "Alg": "algorithm", "Fig": "figure", "Tab": "figure", "Fn": "remark", "Foot": "remark",
             "X": "our own", "Ext": "our own"}  # fmt: skip
    for id, entry in all_claims().items():
        parts = id.split("-")
        assert entry.kind in KINDS
        if len(parts) == 3 and parts[1] in named:  # what has a fourth part is about the theorem
            assert entry.kind == named[parts[1]], id
    assert {entry.kind for entry in all_claims().values()} == set(KINDS)


def ids(**filters) -> set[str]:
    return {entry.id for entry in ledger(**filters)}


def test_words_are_looked_for_everywhere():
    texts = {c.id: f"{c.id} {c.title} {c.statement} {c.note}".lower() for c in all_claims().values()}
    for words in ("gaussian", "Gaussian NOISE", "subsampl", "kov-thm-4", "triangle inequality"):
        expected = {id for id, text in texts.items() if all(word in text for word in words.lower().split())}
        assert expected and ids(words=words) == expected, words
    assert ids(words="ε") == {id for id, text in texts.items() if r"\varepsilon" in text} < ids(words="epsilon")
    assert ids(words="δ") == {id for id, text in texts.items() if re.search(r"\\delta", text)}
    assert ids(words="no-such-word") == set()
    assert ids(words="  ") == set(IDS)


def test_filters_meet():
    assert ids(source="KOV", kind="figure") == {"KOV-Fig-1", "KOV-Fig-2", "KOV-Fig-3a", "KOV-Fig-3b"}
    assert ids(lecture=2) >= {id for id in IDS if id.startswith("KOV-")}
    both = ids(source="GMPS", verdict="false", lecture=5, words="compatible")
    assert both == ids(source="GMPS") & ids(verdict="false") & ids(lecture=5) & ids(words="compatible") != set()


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        (dict(kind="theorems"), "kind must be one of"),
        (dict(lecture=7), "lecture must be a number from 1 to 5, not 7"),
        (dict(lecture="2"), "lecture must be a number from 1 to 5, not '2'"),
    ],
)
def test_wrong_filters_are_told(filters, told):
    with pytest.raises(ValueError, match=told):
        ledger(**filters)


def test_formulas_can_be_read_out():
    assert spoken(r"\tilde\varepsilon\le\mathcal G") == "tilde ε≤ G"
    for entry in all_claims().values():
        for tex in re.findall(r"\$([^$]+)\$", entry.statement + entry.note):
            assert spoken(tex) and not set(spoken(tex)) & set("\\$⦃⦄")
    assert spoken(r"\{a, b_{12}\}") == "{a, b₁₂}"


# ---------------------------------------------------------------------------------------------------- the table


class Rows(HTMLParser):
    """Collect the claims of a table as a reader without scripts sees them."""

    VOID = ("br", "meta", "use", "path")

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.claims: dict[str, dict] = {}
        self.ids: set[str] = set()
        self.uses: set[str] = set()
        self.current: dict | None = None
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if "id" in known:
            assert known["id"] not in self.ids
            self.ids.add(known["id"])
        if tag == "use":
            self.uses.add(known["href"].removeprefix("#"))
        if tag == "tbody" and "data-words" in known:
            self.current = self.claims[known["id"].removeprefix("claim-")] = dict(known, text="", links=[], tags=[])
        if self.current is not None:
            self.current["tags"].append(tag)
            self.current["links"] += [known["href"]] if tag == "a" else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag
        if tag == "tbody" and "tbody" not in self.open:
            self.current = None

    def handle_data(self, data):
        if self.current is not None:
            self.current["text"] += data


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_stored_table_holds_every_claim():
    cells = json.loads((FOLDER / "06_claims.ipynb").read_text(encoding="utf-8"))["cells"]
    [stored] = [cell["outputs"][0]["data"] for cell in cells if "".join(cell["source"]) == "ledger().search()"]
    rows = Rows("".join(stored["text/html"])).claims
    assert list(rows) == IDS
    for id, row in rows.items():
        entry, text = all_claims()[id], squeezed(row["text"])
        assert row["data-source"] == entry.source and row["data-verdict"] == entry.verdict.name
        assert row["data-kind"] == entry.kind and row["data-lecture"] == "|".join(map(str, lectures(entry)))
        for part in (id, entry.where, entry.verdict.phrase, *functions(entry)):
            assert part in text
        for part in (entry.title, entry.statement, *entry.note.split("\n\n")):
            assert squeezed(re.sub(r"(?<!\S)\*([^*$]+)\*", r"\1", part)) in text
        assert row["links"] == [place.address() for place in places(entry)]
        assert "details" in row["tags"] and row["tags"].count("table") == 1, "the card opens without a script"
    assert all(id in "".join(stored["text/plain"]) for id in IDS)


@cache
def small():
    return ledger("STK").search()


def test_the_table_is_the_same_every_time():
    first = small()
    evidence_of.cache_clear()
    again = ledger("STK").search()
    assert again.evidence[again.claims[0].check] is not first.evidence[first.claims[0].check]
    assert again._repr_html_() == small()._repr_html_() and repr(again) == repr(small())
    assert repr(small()).endswith("21 claims")


def test_evidence_is_computed_once_for_claims_that_share_it():
    assert len(small().evidence) == len({entry.check for entry in small().claims}) < len(small().claims)


def test_the_page_stands_alone():
    page = small().page()
    rows = Rows(page)
    assert len(rows.claims) == 21 and rows.uses <= rows.ids and any(use.startswith("letter") for use in rows.uses)
    assert "http" not in page and " src=" not in page and "@import" not in page and "url(" not in page
    assert "$" not in re.sub(r"<script>.*?</script>| aria-label=\"[^\"]*\"", "", page, flags=re.DOTALL)
    assert all(not row["links"] for row in rows.claims.values()), "nobody has said where the lectures are"


def test_the_page_links_to_pages_of_lectures():
    for id, row in Rows(small().page("../book")).claims.items():
        assert row["links"] == [f"../book/{place.address('.html')}" for place in places(all_claims()[id])]


# ------------------------------------------------------------------------------------------------- the terminal


def test_the_terminal_searches(capsys):
    filters = ["--words", "gaussian", "noise", "--verdict", "false", "--lecture", "2", "--kind", "theorem"]
    assert main([*filters, "--json"]) == 0
    found = [row["id"] for row in json.loads(capsys.readouterr().out)]
    assert found == ["KOV-Thm-4.3"]
    assert main(filters) == 0
    assert capsys.readouterr().out.rstrip().endswith("1 claim")


def test_the_terminal_says_where_a_claim_is_taught(capsys):
    assert main(["STK-L1"]) == 0
    printed = capsys.readouterr().out
    assert "Taught in: companion 1, “3. Basic composition is optimal”." in printed
    assert f"In the library: {', '.join(functions(all_claims()['STK-L1']))}." in printed


def test_the_terminal_writes_the_page(tmp_path, capsys):
    path = tmp_path / "ledger.html"
    assert main(["--source", "stk", "--kind", "proof", "--html", str(path)]) == 0
    assert list(Rows(path.read_text(encoding="utf-8")).claims) == ["STK-Basic-Proof"]
    assert str(path) in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--source", "stk", "--kind", "proof", "--html", str(tmp_path / "missing" / "x.html")])
    assert "cannot be written" in capsys.readouterr().err


def test_the_files_of_the_page_are_in_the_package():
    folder = Path(importlib.import_module("dpteach.claims").__file__).parent
    assert {path.name for path in folder.glob("*.*s*s")} >= {"ledger.css", "page.css"}
    assert (folder / "ledger.js").exists()
