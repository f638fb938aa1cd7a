"""Submissions in a folder: whose file it is, and for which assignment, whatever it is called."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ..line.language import folded_id
from .assignment import Assignment, raw_cells, text_of, told_by
from .naming import Names, Sender, in_utc, safe, sender_of_file, sender_of_folder
from .reading import read_text

UNKNOWN = "For which assignment this is cannot be told: name the file or its folder after it, or use --assignment."
NOT_LISTED = "This name is not in the table of --names."
DISPUTED = (
    "{} submissions claim to be of {}: {}. None of them counts: remove or rename those that are somebody else's, or "
    "say with --names whose they are."
)


@dataclass(frozen=True)
class Submission:
    """A file handed in by a student for an assignment; without a name of the assignment nobody knows for which."""

    student: str
    assignment: str
    path: Path | None
    note: str = ""
    handed_in: datetime | None = None
    disputed: bool = False  # somebody else claims to be the same student

    @property
    def can_be_marked(self) -> bool:
        """Say whether it is known whose it is, and for which assignment."""
        return bool(self.assignment) and not self.disputed


def find(
    folder: Path,
    assignments: dict[str, Assignment],
    told: str | None = None,
    names: Names | None = None,
    timestamps: bool = False,
) -> list[Submission]:
    """List the submissions in a folder.

    `told` is the only assignment that counts, if it is given; `names` says whose files are whose; with `timestamps`,
    nbgrader's files timestamp.txt are believed, which students can write.
    """
    found = Search(folder.resolve(), assignments, told, names, timestamps).all()
    return [one for one in found if not told or one.assignment in (told, "")]


class Search:
    """One look through a folder; every file is read at most once."""

    def __init__(self, folder: Path, assignments: dict, told: str | None, names: Names | None, timestamps: bool):
        self.folder = folder
        self.assignments = assignments
        self.told = told
        self.names = names
        self.timestamps = timestamps
        self._fits: dict[Path, dict[str, int]] = {}

    def all(self) -> list[Submission]:
        """List what was handed in, then the folders of those who handed in nothing."""
        claims: dict[tuple[str, str], dict[str, list[tuple[Submission, Sender]]]] = {}
        for path in notebooks(self.folder):
            one, sender = self.recognise(path)
            several = claims.setdefault((folded_id(one.student), one.assignment), {})
            several.setdefault(sender.claim, []).append((one, sender))
        found = [self.settle(several) for several in claims.values()]
        return found + self.empty({folded_id(one.student) for one in found})

    def empty(self, students: set[str]) -> list[Submission]:
        """List the folders of students of whom there is nothing."""
        name = self.told or (next(iter(self.assignments)) if len(self.assignments) == 1 else "")
        folders = [path for path in sorted(self.folder.iterdir()) if path.is_dir() and not path.name.startswith(".")]
        found = [Submission(self.sender(path).student, name, None, "No notebook was handed in.") for path in folders]
        return [one for one in found if folded_id(one.student) not in students]

    # ------------------------------------------------------------------------------------------ whose, and for what

    def sender(self, path: Path, assignment: str = "") -> Sender:
        """Say who handed a file or folder in."""
        top = path.relative_to(self.folder).parts[0]
        alone = path.parent == self.folder and path.suffix == ".ipynb"
        sender = sender_of_file(path.stem, assignment) if alone else sender_of_folder(top)
        if self.names is None:
            return sender
        known = self.names.find(top, *sender.names)
        if known is None:
            return replace(sender, note=f"{sender.note} {NOT_LISTED}".strip())
        return replace(sender, student=known.student, handed_in=known.handed_in)

    def recognise(self, path: Path) -> tuple[Submission, Sender]:
        """Say whose file it is, and for which assignment."""
        named = self.named_in(path)
        sender = self.sender(path, named)
        name = named or self.by_cells(path) or self.told or ""
        notes = [sender.note]
        if not name:
            notes.append(UNKNOWN)
        elif path.parent != self.folder and path.stem != name:
            notes.append(f"The file is called {safe(path.name)}, not {name}.ipynb.")
        note = " ".join(filter(None, notes))
        return Submission(sender.student, name, path, note, self.handed_in(path, sender)), sender

    def named_in(self, path: Path) -> str:
        """Return the assignment that the name of a file, or of a folder that it is in, tells."""
        stem = unicodedata.normalize("NFC", path.stem)
        if stem in self.assignments:
            return stem
        longest = sorted(self.assignments, key=len, reverse=True)
        parts = path.relative_to(self.folder).parts
        return next((name for name in longest if name in parts or name in stem), "")

    def by_cells(self, path: Path) -> str:
        """Recognise an assignment by its cells."""
        if len(self.assignments) == 1:
            return next(iter(self.assignments))
        fits = self.fits(path)
        best = max(fits, key=fits.get, default="")
        return best if best and fits[best] else ""

    def fits(self, path: Path) -> dict[str, int]:
        """Count for each assignment the cells in a file that are its own, by their names or their texts."""
        if path not in self._fits:
            try:
                cells = raw_cells(read_text(path))
            except (ValueError, OSError):
                cells = []
            names = {told_by(cell).get("grade_id") for cell in cells}
            texts = {text_of(cell) for cell in cells}
            self._fits[path] = {
                name: len(names & one.tasks.keys()) or len(texts & one.locked_texts)
                for name, one in self.assignments.items()
            }
        return self._fits[path]

    def handed_in(self, path: Path, sender: Sender) -> datetime | None:
        """Return when a file was handed in: as the table of names says, or when it arrived on this disk."""
        if sender.handed_in:
            return sender.handed_in
        if self.timestamps:
            return by_timestamp(path.parent)
        arrived = path.lstat().st_ctime  # when it was written here, which no copy or archive can set
        return in_utc(datetime.fromtimestamp(arrived, UTC))

    # --------------------------------------------------------------------------------------------- which one counts

    def settle(self, claims: dict[str, list[tuple[Submission, Sender]]]) -> Submission:
        """Return the file that counts for a student and an assignment; none if it may be of different people."""
        first, *others = claims.values()
        if not others or not first[0][0].assignment:
            return self.best_of([one for several in claims.values() for one in several])
        places = [self.place(several[0][0]) for several in claims.values()]
        said = "; ".join(places[:5]) + ("; …" if len(places) > 5 else "")
        student = first[0][0].student
        note = DISPUTED.format(len(places), student, said)
        return Submission(student, first[0][0].assignment, None, note, disputed=True)

    def best_of(self, several: list[tuple[Submission, Sender]]) -> Submission:
        """Return the file that counts, of all that a student handed in for an assignment."""
        if len(several) == 1:
            return several[0][0]

        def rank(pair: tuple[Submission, Sender]) -> tuple:
            """Put files with cells of the assignment first, then the last upload, few folders, good names, new ones."""
            one, sender = pair
            fits = one.assignment and self.fits(one.path)[one.assignment]
            well_named = one.path.stem == one.assignment
            return not fits, -sender.upload, len(one.path.parts), not well_named, -one.path.lstat().st_mtime

        best, _ = min(several, key=rank)
        chosen = f"{len(several)} files were handed in; {self.place(best)} was marked."
        return replace(best, note=f"{best.note} {chosen}".strip())

    def place(self, one: Submission) -> str:
        """Say where a file is."""
        return safe(str(one.path.relative_to(self.folder)))


def notebooks(folder: Path) -> list[Path]:
    """List what is called like a notebook; what the system cannot open (a path without end, say) is passed over."""
    found = [Path(place, name) for place, inner, files in os.walk(folder) for name in (*inner, *files)]
    return sorted(path for path in found if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts)


def by_timestamp(folder: Path) -> datetime | None:
    """Return what nbgrader's file timestamp.txt says, if one can read it."""
    from nbgrader.utils import parse_utc

    path = folder / "timestamp.txt"
    try:
        if not path.is_file() or path.stat().st_size > 200:
            return None
        return parse_utc(path.read_text(encoding="utf-8").strip())
    except Exception:  # a student may have written it, and readers of dates raise all kinds of errors
        return None
