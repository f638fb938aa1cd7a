"""The registry: its file is the one described, and its numbers are those of the source."""

import csv
import hashlib
import importlib.util
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dpteach.data import (
    AGES,
    ALICE,
    CONDITIONS,
    FAMILIES,
    FILE,
    REPORT_CAP,
    counted_by_town,
    counts,
    memberships,
    registry,
)

CHECKSUM = "74084c655b43e70954179ea7d6d42d623668b7e4e9742861d0d0ebf43e81d85e"
SOURCE_CHECKSUM = "fe64f3c8e987779daa6052dd756d9ce277e025330f5549126c7c2f6a3c9c5541"
NAMES = "town age female family schooling income health limited chronic visits therapy admissions".split()
RENAMED = {"site": "town", "xage": "age", "num": "family", "educdec": "schooling", "physlm": "limited"}
RENAMED |= {"disea": "chronic", "mdvis": "visits", "mentvis": "therapy", "totadm": "admissions"}


def rows_of_the_file() -> list[dict]:
    """Read the file without dpteach."""
    header, *lines = FILE.read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]


def sha256(path: Path) -> str:
    """Return the checksum of a text, whatever git made of the ends of its lines."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def test_the_file_is_the_one_that_was_checked():
    assert sha256(FILE) == CHECKSUM
    assert FILE.read_text(encoding="utf-8").splitlines()[0].split(",") == NAMES


def test_the_loader_gives_what_the_file_holds():
    people, rows = registry(), rows_of_the_file()
    assert len(people) == len(rows) == 1630
    assert people.dtype.names == tuple(NAMES)
    for name in set(NAMES) - {"age", "health"}:
        assert people[name].tolist() == [float(row[name]) for row in rows]
    assert people.health.tolist() == [row["health"] for row in rows]
    assert people.age.tolist() == [math.floor(float(row["age"])) for row in rows]


def test_values_are_what_the_columns_promise():
    people = registry()
    assert Counter(people.town.tolist()) == {2: 734, 3: 390, 4: 506}
    assert Counter(people.health.tolist()) == {"excellent": 848, "good": 650, "fair": 114, "poor": 18}
    assert set(people.female.tolist()) == set(people.limited.tolist()) == {0, 1}
    assert (people.age.min(), people.age.max()) == (18, 62)
    assert (people.visits.max(), people.therapy.max(), people.admissions.max()) == (52, 53, 4)
    counts = people.chronic * 29 / 100
    assert np.allclose(counts, np.round(counts), rtol=0, atol=0.05 * 29 / 100)


def test_numbers_that_the_lectures_use():
    """Counted row by row from the file's text."""
    rows, people = rows_of_the_file(), registry()
    in_therapy = [row for row in rows if row["therapy"] != "0"]
    assert np.sum(people.therapy > 0) == len(in_therapy) == 85
    assert np.sum((people.therapy > 0) & (people.town == 4)) == sum(row["town"] == "4" for row in in_therapy) == 25
    assert np.sum(people.admissions > 0) == sum(int(row["admissions"]) > 0 for row in rows) == 193
    assert np.sum(people.limited) == sum(row["limited"] == "1" for row in rows) == 294
    assert np.sum(people.visits) == sum(int(row["visits"]) for row in rows) == 5191
    assert np.sum(np.minimum(people.visits, 20)) == sum(min(int(row["visits"]), 20) for row in rows) == 5093


def test_alice_is_alone_with_her_town_age_and_family():
    people = registry()
    alice = people[ALICE]
    assert (alice.town, alice.age, alice.female, alice.family, alice.health) == (4, 38, 1, 5, "excellent")
    assert (alice.visits, alice.therapy, alice.admissions) == (1, 12, 0)
    like_her = [row for row in rows_of_the_file() if row["town"] == "4" and row["age"].startswith("38.")]
    assert len(like_her) == 13
    assert [row["therapy"] for row in like_her if row["family"] == "5"] == ["12"]
    women = [row for row in rows_of_the_file() if row["age"].startswith("38.") and row["female"] == "1"]
    assert len(women) == 20


def test_the_neighbour_lacks_alice_and_nobody_else():
    people = registry()
    others = np.delete(people, ALICE)
    assert len(others) == 1629
    assert np.sum(others.therapy > 0) == 84
    assert people[people != people[ALICE]].tolist() == others.tolist()


def test_who_is_in_which_count():
    """Everybody is in four counts for each condition: the own town or all towns, the own age or any age."""
    people, rows = registry(), rows_of_the_file()
    bits = memberships(people)
    assert bits.shape == (1630, 100)
    for query, chosen in zip(counted_by_town(people), bits.T, strict=True):
        assert query != "in therapy, under 30, town 2" or chosen.sum() == sum(
            row["therapy"] != "0" and float(row["age"]) < 30 and row["town"] == "2" for row in rows
        )
    for row, own in zip(rows, bits, strict=True):
        conditions = [row["therapy"] != "0", row["admissions"] != "0", row["limited"] == "1"]
        conditions += [row["health"] in ("fair", "poor"), row["visits"] == "0"]
        assert own.sum() == 4 * sum(conditions)
    assert Counter(bits.sum(axis=1).tolist()) == {0: 797, 4: 630, 8: 170, 12: 32, 16: 1}
    assert bits[ALICE].sum() == 4
    patient = people[:1]
    patient.therapy[:] = patient.admissions[:] = patient.limited[:] = 1
    patient.visits[:] = 0
    patient.health[:] = "poor"
    assert memberships(patient).sum() == REPORT_CAP == 20


def test_everybody_gets_an_own_table():
    people = registry()
    people.age[:] = 0
    assert registry().age.min() == 18


def source() -> Path:
    """Return the source's file, in statsmodels; skip where that is not installed."""
    found = importlib.util.find_spec("statsmodels")
    if not found:
        pytest.skip("statsmodels is not installed: it holds the table from which the registry was made")
    return Path(found.origin).parent / "datasets" / "randhie" / "src" / "randhie.csv"


def is_wanted(row: dict) -> bool:
    """Say whether a row of the source is in the registry, as dpteach/data/README.md tells."""
    in_place = row["year"] == "1" and row["time"] == "1" and row["site"] in ("2", "3", "4")
    known = row["physlm"] in ("0", "1") and row["educdec"].isdigit() and len(row["disea"].partition(".")[2]) <= 1
    return in_place and known and float(row["xage"]) >= 18


def test_the_file_is_made_from_the_source_as_described():
    path = source()
    assert sha256(path) == SOURCE_CHECKSUM
    with path.open(encoding="utf-8-sig", newline="") as file:
        wanted = [row for row in csv.DictReader(file) if is_wanted(row)]
    assert len({row["zper"] for row in wanted}) == len(wanted)
    words = {"100": "good", "010": "fair", "001": "poor", "000": "excellent"}
    for row, ours in zip(wanted, rows_of_the_file(), strict=True):
        theirs = {RENAMED.get(name, name): text for name, text in row.items()}
        theirs["health"] = words[row["hlthg"] + row["hlthf"] + row["hlthp"]]
        assert ours == {name: theirs[name] for name in NAMES}


def test_the_counts_of_the_report_are_those_of_the_file():
    answers, rows = counts(registry()), rows_of_the_file()
    assert len(answers) == 100
    assert answers["in therapy, of any age"] == sum(int(row["therapy"]) > 0 for row in rows)
    thirty = [row for row in rows if float(row["age"]) >= 30]
    assert answers["never at a doctor's, 30 or older, family of 3 or more"] == sum(
        row["visits"] == "0" and int(row["family"]) >= 3 for row in thirty
    )
    fifty = [row for row in rows if float(row["age"]) >= 50]
    assert answers["physically limited, 50 or older"] == sum(row["limited"] == "1" for row in fifty)
    poor = sum(row["health"] in ("fair", "poor") for row in rows)
    assert answers["in fair or poor health, of any age"] == poor


def test_the_counts_fall_with_age_and_size():
    answers = counts(registry())
    for condition in CONDITIONS:
        by_age = [[answers[f"{condition}, {age}{size}"] for age in AGES] for size in FAMILIES]
        assert (np.diff(by_age, axis=0) < 0).all() and (np.diff(by_age, axis=1) < 0).all()


def test_one_person_may_change_all_the_counts():
    """Without such a person the report would need less noise than basic composition says."""
    people = registry()
    person = people[:1].copy()
    for column, value in dict(age=50, family=4, therapy=1, admissions=1, limited=1, health="fair", visits=0).items():
        person[column] = value
    with_one_more, before = counts(np.append(people, person).view(np.recarray)), counts(people)
    assert {with_one_more[query] - before[query] for query in before} == {1}


def test_one_person_changes_each_count_by_at_most_one():
    people = registry()
    with_her, without_her = counts(people), counts(np.delete(people, ALICE))
    changes = {query: with_her[query] - without_her[query] for query in with_her}
    assert set(changes.values()) == {0, 1}
    assert changes["in therapy, 30 or older, family of 4 or more"] == 1
