"""Whose file it is: what the names of files and folders tell, as Moodle, Canvas and people write them, or a table.

Only the part of a name that the collecting system wrote is believed. Moodle begins with `Ada Lovelace_12345_`: the
number is another one in every assignment, so the person's name is the id. Canvas begins with `lovelaceada_12345_67890_`
or `lovelaceada_LATE_12345_67890_`: the first number is the person's own, and the second one that of the upload.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..line.language import folded_id
from .harmless import plain_name

MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?")
CANVAS = re.compile(r"(?P<name>[^_]+?)(?P<late>_late)?_(?P<number>\d+)_(?P<upload>\d{3,})_(?=.)", re.IGNORECASE)
PARTICIPANT = "Participant"  # what Moodle calls everybody when names are hidden
LATE = "Canvas says that this was handed in late."
COLUMNS = ("name", "student_id")


@dataclass(frozen=True)
class Sender:
    """Who handed something in; what has the same claim came from one person, as the collecting system says."""

    student: str
    claim: str
    names: tuple[str, ...] = ()  # by which the person may stand in a table of names
    note: str = ""
    upload: int = 0  # the greater, the later
    handed_in: datetime | None = None  # if a table of names says so


def sender_of_folder(folder: str) -> Sender:
    """Say whose folder it is."""
    found = MOODLE.match(folder)
    return _by_moodle(found) if found else Sender(safe(folder), folder, (folder,))


def sender_of_file(stem: str, assignment: str = "") -> Sender:
    """Say whose file it is that lies in no folder; what stands before the assignment's name, or else after it."""
    if found := MOODLE.match(stem):
        return _by_moodle(found)
    before, _, after = stem.partition(assignment) if assignment else (stem, "", "")
    found = CANVAS.match(stem)
    if found and found.end() <= len(before):  # otherwise the numbers belong to the assignment's name
        return _by_canvas(found)
    own = before.strip("_- ") or after.strip("_- ") or stem
    return Sender(safe(own), stem, (stem, own))


def _by_moodle(found: re.Match) -> Sender:
    name, number = found["name"], found["number"]
    hidden = f"{PARTICIPANT} {number}"
    student = hidden if name == PARTICIPANT else name
    return Sender(safe(student), f"{name}_{number}", (hidden, number, name))


def _by_canvas(found: re.Match) -> Sender:
    name, number = found["name"], found["number"]
    note = f"Handed in by {safe(name)}. {LATE if found['late'] else ''}".strip()
    return Sender(number, f"{name}_{number}", (number, name), note, int(found["upload"]))


def safe(name: str) -> str:
    """Return the name of a file as a student's name: it can be shown, and it is no way to another folder."""
    name = plain_name(unicodedata.normalize("NFC", name))
    return f"_{name}" if name in (".", "..") else name


# ------------------------------------------------------------------------------------------------ a table of names


@dataclass(frozen=True)
class Known:
    """What a table says about a name."""

    student: str
    handed_in: datetime | None = None


@dataclass(frozen=True)
class Names:
    """A table of names: whose is what, if the names of files do not tell."""

    known: dict[str, Known] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Names:
        """Read a table with the columns name and student_id, and perhaps handed_in; raise ValueError if it is none."""
        text = path.read_text(encoding="utf-8-sig")
        first = text.split("\n", 1)[0]
        rows = list(csv.DictReader(text.splitlines(), delimiter=";" if first.count(";") > first.count(",") else ","))
        if not rows or not all(column in rows[0] for column in COLUMNS):
            raise ValueError(f"its first line must name the columns {' and '.join(COLUMNS)}")
        known: dict[str, Known] = {}
        for row in rows:
            name, one = folded_id(row["name"] or ""), _known(row)
            if known.setdefault(name, one) != one:
                raise ValueError(f"it says two things about {row['name']!r}")
        return cls(known)

    def find(self, *names: str) -> Known | None:
        """Return what the table says about somebody who is known by some names; the first name that it has counts."""
        return next((self.known[key] for name in names if (key := folded_id(name)) in self.known), None)


def _known(row: dict) -> Known:
    """Return what a line of the table says."""
    student = unicodedata.normalize("NFC", (row["student_id"] or "").strip())
    if not student or "/" in student or student != safe(student):
        raise ValueError(f"the student_id of {row['name']!r} must be a name that a folder can have, not {student!r}")
    when = (row.get("handed_in") or "").strip()
    try:
        return Known(student, in_utc(datetime.fromisoformat(when)) if when else None)
    except ValueError:
        raise ValueError(f"handed_in must be like 2031-02-03 04:05, not {when!r}") from None


def in_utc(when: datetime) -> datetime:
    """Return a time as nbgrader writes it: in UTC, without saying so; a time without a zone is in UTC already."""
    return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when
