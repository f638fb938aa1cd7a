"""The hospital registry of the lectures: a real table of 1630 people, in the public domain (README.md says whose).

>>> from dpteach.data import ALICE, registry
>>> people = registry()
>>> len(people)
1630
>>> int(np.sum(people.therapy > 0))                # a query that counts: who saw a psychotherapist?
85
>>> without_alice = np.delete(people, ALICE)       # the neighbouring database
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("registry.csv")
ALICE = 1415  # her row, counted from 0


def _completed_years(age: str) -> int:
    """Return the age that a person would tell; the file has fractions of years, as its source."""
    return int(float(age))


READ = {  # how the text in each column is read
    "town": int,
    "age": _completed_years,
    "female": int,
    "family": int,
    "schooling": int,
    "income": float,
    "health": str,
    "limited": int,
    "chronic": float,
    "visits": int,
    "therapy": int,
    "admissions": int,
}


def registry() -> np.recarray:
    """Return the registry, a NumPy array with a name for every column: `people.age`, `people[people.age < 30]`.

    - `town`: 2, 3 or 4
    - `age`: in completed years; `female`: 1 or 0
    - `family`: how many people the family has; `schooling`: years of education of its head; `income`: of the family,
      in dollars a year
    - `health`: as the person rates it, "excellent", "good", "fair" or "poor"
    - `limited`: 1 if the person has a physical limitation; `chronic`: an index of chronic diseases, 0 if there is none
    - `visits`, `therapy`, `admissions`: visits to a doctor and to a psychotherapist in the year, and stays in hospital
    """
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [np.array([read(row[name]) for row in rows]) for name, read in READ.items()]
    return np.rec.fromarrays(columns, names=list(READ))


CONDITIONS = {
    "in therapy": lambda people: people.therapy > 0,
    "in hospital": lambda people: people.admissions > 0,
    "physically limited": lambda people: people.limited == 1,
    "in fair or poor health": lambda people: (people.health == "fair") | (people.health == "poor"),
    "never at a doctor's": lambda people: people.visits == 0,
}
AGES = {
    "of any age": (0, 99),
    "under 30": (0, 29),
    "of 30 to 39": (30, 39),
    "of 40 to 49": (40, 49),
    "50 or older": (50, 99),
}
REPORT_CAP = 4 * len(CONDITIONS)  # counts that can hold one patient: the own town or all, the own age or any


def counts(people: np.recarray) -> dict[str, int]:
    """Answer the hundred queries of the registry's yearly report: how many patients have a condition, by town and age.

    One person more or less changes each count by at most 1, and may change several of them: the sensitivity of each
    is 1.
    """
    return {query: int(chosen.sum()) for query, chosen in _chosen(people).items()}


def memberships(people: np.recarray) -> np.ndarray:
    """Say which of the counts of the yearly report each patient is in: a row of a hundred bits for everybody."""
    return np.array(list(_chosen(people).values()), dtype=int).T


def _chosen(people: np.recarray) -> dict[str, np.ndarray]:
    """Say for every query of the report which of the patients it counts."""
    towns = {"": [2, 3, 4], ", town 2": [2], ", town 3": [3], ", town 4": [4]}
    chosen = {}
    for condition, holds in CONDITIONS.items():
        for place, numbers in towns.items():
            for age, (youngest, oldest) in AGES.items():
                of_age = (youngest <= people.age) & (people.age <= oldest)
                chosen[f"{condition}, {age}{place}"] = holds(people) & np.isin(people.town, numbers) & of_age
    return chosen
