"""The ledger of claims: complete, every claim stands, and it can be read in a notebook and in a terminal."""

import inspect
import json
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser

import pytest
from expected_claims import VERDICTS

from dpteach import Table
from dpteach.claims import all_claims, claim, counts, ledger
from dpteach.claims.card import Listing
from dpteach.claims.command import main, recheck
from dpteach.claims.entries import FALSE, HOLDS, LEDGER, Claim, Refuted, ensure
from dpteach.claims.entries import claim as enter

EXPECTED = {id: verdict for family in VERDICTS.values() for verdict, ids in family.items() for id in ids.split()}


@cache
def evidence(check):
    """Run a check once, although several claims may share it."""
    return check()


def test_the_list_is_complete():
    assert len(EXPECTED) == 339
    assert set(all_claims()) == set(EXPECTED)


@pytest.mark.parametrize("id", EXPECTED)
def test_a_claim_stands(id):
    entry = all_claims()[id]
    table = evidence(entry.check)
    assert isinstance(table, Table)
    assert len(table) > 0
    assert all("nan" not in cell.split() for row in table._cells() for cell in row)
    assert entry.verdict.name == EXPECTED[id]


@pytest.mark.parametrize("id", EXPECTED)
def test_a_claim_is_told_in_words(id):
    entry = all_claims()[id]
    assert entry.title and entry.where
    assert not entry.title.endswith(".") and not entry.where.endswith(".")
    assert len(entry.statement.split()) > 5, "the first paragraph is the statement"
    told = inspect.getdoc(entry.check)
    assert told.count("$") % 2 == 0, "every formula is closed"
    assert all(part.strip().endswith(".") for part in told.split("\n\n")), "whole sentences"
    if entry.verdict.name in ("corrected", "misprint", "false", "proof gap"):
        assert len(entry.note.split()) > 5, "the note says what is wrong and what is right"


def test_claims_that_share_a_check_have_their_own_place():
    places = [(entry.source, entry.where, entry.title) for entry in all_claims().values()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("id", ["KOV-Def-1.1", "KOV-Def-Errors", "KOV-Thm-2.5", "KOV-Def-Experiment"])
def test_evidence_is_the_same_every_time(id):
    assert repr(all_claims()[id].evidence()) == repr(evidence(all_claims()[id].check))


class Tags(HTMLParser):
    """Note the tags that are open."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("id", ["KOV-Intro-Basic", "KOV-Sec3.1-BasicTight", "KOV-Thm-2.1"])
def test_a_card_says_everything(id):
    card = claim(id)
    text, page = repr(card), card._repr_html_()
    entry = card.claim
    for part in (entry.id, entry.title, entry.verdict.phrase, entry.where, "Kairouz"):
        assert part in text and part in page
    assert entry.statement in text and entry.note in text
    assert repr(card.table) in text and card.table._repr_html_() in page
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    assert "script" not in tags.seen
    assert entry.verdict.colour in page


def test_formulas_survive_the_html():
    page = claim("KOV-Fig-2")._repr_html_()
    assert r"$k = 1,\dots,5$" in page
    assert "<script" not in page


def test_an_unknown_claim_is_told():
    with pytest.raises(ValueError, match=r"id must be one of the ledger's, such as .*, not 'KOV-Thm-9'"):
        claim("KOV-Thm-9")
    with pytest.raises(ValueError, match=r"KOV-Thm-3\.3-"):
        claim("thm-3.3-")


def test_filters():
    everything = ledger()
    assert len(everything) == len(all_claims())
    for source, family in VERDICTS.items():
        assert {c.id for c in ledger(source)} == {id for ids in family.values() for id in ids.split()}
    for verdict in set(EXPECTED.values()):
        assert {c.id for c in ledger(verdict=verdict)} == {id for id in EXPECTED if EXPECTED[id] == verdict}
    assert all(c.source == "KOV" and c.verdict is FALSE for c in ledger("KOV", "false"))
    with pytest.raises(ValueError, match="source must be one of"):
        ledger("ABC")
    with pytest.raises(ValueError, match="verdict must be one of"):
        ledger(verdict="maybe")


def test_the_listing_is_a_table():
    listing = ledger("KOV", "false")
    assert repr(listing).endswith(f"{len(listing)} claims")
    assert listing.table().columns == ["id", "title", "verdict", "where"]
    assert all(c.id in repr(listing) and c.id in listing._repr_html_() for c in listing)


def test_counts_add_up():
    table = counts()
    *sources, total = table.rows
    assert [sum(column) for column in zip(*(row[1:] for row in sources), strict=True)] == list(total[1:])
    assert total[-1] == len(all_claims())


def test_the_terminal_lists_claims(capsys):
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert all(id in printed for id in EXPECTED)
    assert f"{len(all_claims())} claims" in printed


def test_the_terminal_shows_one_claim(capsys):
    assert main(["KOV-Sec3.1-BasicTight"]) == 0
    assert "Verdict: false as stated." in capsys.readouterr().out


def test_the_terminal_prints_json(capsys):
    assert main(["--source", "kov", "--verdict", "FALSE", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == [c.id for c in ledger("KOV", "false")]
    assert all(set(row) == {"id", "title", "source", "where", "kind", "statement", "note", "verdict"} for row in rows)


def test_the_terminal_checks_again(capsys):
    assert main(["--source", "KOV", "--verdict", "misprint", "--run", "--json"]) == 0
    told = capsys.readouterr()
    assert all(row["error"] is None for row in json.loads(told.out))
    assert f"{len(ledger('KOV', 'misprint'))}/{len(ledger('KOV', 'misprint'))}" in told.err


def test_the_terminal_tells_of_a_refuted_claim(capsys, monkeypatch):
    def two_and_two():
        """Two and two is five."""
        ensure(2 + 2 == 5, "the sum")

    def crash():
        """One over nothing is something."""
        return 1 / 0

    for name, check in (("X-Five", two_and_two), ("X-Crash", crash)):
        monkeypatch.setitem(LEDGER, name, Claim(name, "A sum", HOLDS, "nowhere", check))
    bad = Listing([LEDGER["X-Five"], LEDGER["X-Crash"]])
    assert recheck(bad) == {"X-Five": "Refuted: the sum", "X-Crash": "ZeroDivisionError: division by zero"}
    monkeypatch.setattr("dpteach.claims.command.ledger", lambda *filters: bad)
    assert main(["--run"]) == 1
    assert "REFUTED X-Five: Refuted: the sum" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["KOV-Nothing"], ["--source", "ABC"], ["--verdict", "maybe"]])
def test_the_terminal_tells_of_a_wrong_word(arguments):
    code = f"import sys; from dpteach.claims.command import main; sys.exit(main({arguments!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode != 0
    assert arguments[-1].lower() in run.stderr.splitlines()[-1].lower()


def test_an_id_is_given_once():
    def another():
        """Not the claim of this name."""

    with pytest.raises(ValueError, match=r"id must be new to the ledger, not 'KOV-Thm-3\.1'"):
        enter("KOV-Thm-3.1", verdict=HOLDS, where="nowhere", title="Again")(another)


def test_a_check_can_fail():
    ensure(True, "nothing")
    with pytest.raises(Refuted, match="the sum"):
        ensure(False, "the sum")
