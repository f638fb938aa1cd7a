"""Neighbour relations, for all pairs of databases of a class at once.

Each function takes a class and returns the matrix that says which of its databases are neighbours; the diagonal does
not matter. They work on the class's rows of whole numbers (`DatabaseClass.vectors`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from .databases import DatabaseClass
from .kinds import Tables


def changes(vectors: np.ndarray) -> np.ndarray:
    """Return the sum of absolute differences of every two rows: |D △ D'| for multiplicities."""
    from scipy.spatial.distance import cdist

    if not vectors.size:
        return np.zeros((len(vectors), len(vectors)), dtype=np.int32)
    return cdist(vectors, vectors, "cityblock").astype(np.int32)


def places(vectors: np.ndarray) -> np.ndarray:
    """Return in how many places every two rows differ."""
    total = np.zeros((len(vectors), len(vectors)), dtype=np.int32)
    for column in vectors.T:
        total += column[:, None] != column[None, :]
    return total


def add_or_remove(cls: DatabaseClass) -> np.ndarray:
    """One record appears or disappears."""
    return changes(cls.vectors) == 1


def replace(cls: DatabaseClass) -> np.ndarray:
    """One record is replaced by another."""
    size = cls.vectors.sum(axis=1)
    return (changes(cls.vectors) == 2) & (size[:, None] == size[None, :])


def change_entry(cls: DatabaseClass) -> np.ndarray:
    """One entry of a table changes its value."""
    return (places(cls.vectors) == 1) & same_rows(cls)


def same_rows(cls: DatabaseClass) -> np.ndarray:
    """Say which tables have the same rows filled."""
    return places((cls.vectors > 0).astype(np.int32)) == 0


def fill_or_clear(cls: DatabaseClass) -> np.ndarray:
    """One numbered row appears or disappears, the others stay."""
    filled = (cls.vectors > 0).astype(np.int32)
    return (places(cls.vectors) == 1) & (changes(filled) == 1)


def delete_row(cls: DatabaseClass) -> np.ndarray:
    """One row disappears and the later ones move up, or the reverse."""
    table = np.zeros((len(cls), len(cls)), dtype=bool)
    for i, D in enumerate(cls):
        for n in range(len(D)):
            shorter = D[:n] + D[n + 1 :]
            if shorter in cls.index:
                table[i, cls.index[shorter]] = True
    return table | table.T


def all_others(cls: DatabaseClass) -> np.ndarray:
    """Everything may change."""
    return np.ones((len(cls), len(cls)), dtype=bool)


def rewire(cls: DatabaseClass) -> np.ndarray:
    """All changed edges meet in one node."""
    met = np.zeros((len(cls), len(cls)), dtype=bool)
    for node in cls.kind.nodes:
        elsewhere = [node not in edge for edge in cls.kind.records]
        met |= changes(cls.vectors[:, elsewhere]) == 0
    return met


def one_user(cls: DatabaseClass) -> np.ndarray:
    """All changes are one user's."""
    users_changed = np.zeros((len(cls), len(cls)), dtype=int)
    for user in cls.kind.users:
        own = [owner == user for owner, _ in cls.kind.records]
        users_changed += changes(cls.vectors[:, own]) > 0
    return users_changed == 1


def user_comes_or_goes(cls: DatabaseClass) -> np.ndarray:
    """All events of one user appear or disappear."""
    present = np.array([len({user for user, _ in D}) for D in cls])
    return one_user(cls) & (present[:, None] != present[None, :])


def window(w: int) -> Callable[[DatabaseClass], np.ndarray]:
    """All changed entries lie in one window of w."""

    def relation(cls: DatabaseClass) -> np.ndarray:
        width = cls.vectors.shape[1]
        inside = np.zeros((len(cls), len(cls)), dtype=bool)
        for start in range(max(width - w, 0) + 1):
            before = cls.vectors[:, :start]
            after = cls.vectors[:, start + w :]
            inside |= (places(before) == 0) & (places(after) == 0)
        return inside & same_rows(cls)

    return relation


def change_attribute(cls: DatabaseClass) -> np.ndarray:
    """Keep those changes of one record that leave all its attributes but one alone."""
    changed = change_entry(cls) if isinstance(cls.kind, Tables) else replace(cls)
    table = np.zeros_like(changed)
    for i, j in np.argwhere(np.triu(changed)):
        old, new = _swapped(cls, i, j)
        table[i, j] = _attributes_changed(old, new) == 1
    return table | table.T


def _swapped(cls: DatabaseClass, i: int, j: int) -> tuple:
    """Return the record that one database has and its neighbour has not, and the other way round."""
    records = cls.kind.records
    one = cls.vectors[i]
    two = cls.vectors[j]
    if isinstance(cls.kind, Tables):
        place = np.flatnonzero(one != two)[0]
        return records[one[place] - 1], records[two[place] - 1]
    return records[np.argmax(one - two)], records[np.argmax(two - one)]


def _attributes_changed(old: Hashable, new: Hashable) -> int:
    if not (isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new)):
        raise ValueError(f"records must be tuples of equally many attributes, not {old!r} and {new!r}")
    return sum(a != b for a, b in zip(old, new, strict=True))
