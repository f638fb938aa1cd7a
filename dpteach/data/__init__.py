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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import checks

__all__ = [
    "AGES",
    "AGE_GROUPS",
    "ALICE",
    "CONDITIONS",
    "FAMILIES",
    "REPORT_CAP",
    "TOWNS",
    "counted_by_town",
    "counts",
    "memberships",
    "registry",
]

FILE = Path(__file__).with_name("registry.csv")
ALICE = 1415  # her row, counted from 0


def _completed_years(age: str) -> int:
    """Return the age that a person would tell; the file has fractions of years, as its source."""
    return int(float(age))


READ: dict[str, Callable[[str], Any]] = {  # how the text in each column is read
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


def _as_people(people) -> np.recarray:
    """Return a part of the registry, or say that one is needed."""
    if not isinstance(people, np.recarray) or not set(READ) <= set(people.dtype.names or ()):
        raise ValueError(f"people must be rows of registry(), not {checks.shorten(people)}")
    return people


CONDITIONS: dict[str, Callable[[Any], np.ndarray]] = {
    "in therapy": lambda people: people.therapy > 0,
    "in hospital": lambda people: people.admissions > 0,
    "physically limited": lambda people: people.limited == 1,
    "in fair or poor health": lambda people: (people.health == "fair") | (people.health == "poor"),
    "never at a doctor's": lambda people: people.visits == 0,
}
AGES = {"of any age": 0, "25 or older": 25, "30 or older": 30, "40 or older": 40, "50 or older": 50}
FAMILIES = {"": 0, ", family of 2 or more": 2, ", family of 3 or more": 3, ", family of 4 or more": 4}
AGE_GROUPS = {
    "of any age": (0, 99),
    "under 30": (0, 29),
    "of 30 to 39": (30, 39),
    "of 40 to 49": (40, 49),
    "50 or older": (50, 99),
}
TOWNS = {"": [2, 3, 4], ", town 2": [2], ", town 3": [3], ", town 4": [4]}
REPORT_CAP = 4 * len(CONDITIONS)  # counts by town that can hold one patient: the own town or all, the own age or any


def counts(people: np.recarray) -> dict[str, int]:
    """Answer the hundred queries of the registry's yearly report: conditions, by age and size of the family.

    One person more or less changes each count by at most 1: the sensitivity of each is 1. And one person may change
    all of them, because each counts those who are *so old or older*, in a family of *so many or more*. (In a table by
    age group and town nobody is in more than a few cells, and far less noise would do.)
    """
    people = _as_people(people)
    answers = {}
    for condition, holds in CONDITIONS.items():
        for size, smallest in FAMILIES.items():
            for age, youngest in AGES.items():
                chosen = holds(people) & (people.age >= youngest) & (people.family >= smallest)
                answers[f"{condition}, {age}{size}"] = int(chosen.sum())
    return answers


def memberships(people: np.recarray) -> np.ndarray:
    """Say which counts of the registry's report by town each patient is in: a row of a hundred bits for everybody.

    The report by town counts every condition in each town and each age group, and in all of them.
    """
    return np.array(list(counted_by_town(people).values()), dtype=int).T


def counted_by_town(people: np.recarray) -> dict[str, np.ndarray]:
    """Say for every query of the report by town which of the patients it counts."""
    people = _as_people(people)
    counted = {}
    for condition, holds in CONDITIONS.items():
        for place, numbers in TOWNS.items():
            for age, (youngest, oldest) in AGE_GROUPS.items():
                of_age = (youngest <= people.age) & (people.age <= oldest)
                counted[f"{condition}, {age}{place}"] = holds(people) & np.isin(people.town, numbers) & of_age
    return counted
