"""Kinds of databases: how each is read, written, listed, and turned into a row of whole numbers.

- `Multisets` of records: tuples of records in the order of the universe, `()`, `("a",)`, `("a", "a", "b")`;
- `Tables`: tuples of records, where the position of a record counts; `Rows`: parts of them, tuples of numbered rows;
- `Graphs` on fixed nodes: frozensets of edges `(u, v)`;
- `Logs`: multisets of `(user, event)`;
- `Kind`: anything else that can be a key of a dictionary.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import chain, combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from .. import checks
from ..annotations import Outcome

MOST_COPIES = 10**6  # of one record
SHOWN = 12  # records named in a message

Database = Hashable


class Kind:
    """How databases of one kind are read, written, and turned into rows of whole numbers. This one: any value."""

    def __init__(self, records: list[Any]):
        self.records = records
        self.place = {record: i for i, record in enumerate(records)}

    @classmethod
    def records_in(cls, databases: list[Any]) -> list[Any]:
        """Return the universe of records of a list of databases."""
        return []

    @property
    def shown(self) -> str:
        """The universe, for a message."""
        text = ", ".join(map(str, self.records[:SHOWN]))
        return text + (", ..." if len(self.records) > SHOWN else "")

    def known(self, record: Outcome) -> Hashable:
        """Return a record of the universe."""
        if not checks.is_among(record, self.place):
            raise ValueError(f"database must hold records of the universe ({self.shown}), not {checks.shorten(record)}")
        return record

    def read(self, given: Any) -> Database:
        """Return the database in its one form."""
        return checks.hashable("database", given)

    def label(self, D: Database) -> str:
        """Return a short text for the database."""
        return str(D)

    def vectors(self, databases: list[Any]) -> np.ndarray:
        """Return one row for each database."""
        return np.arange(len(databases))[:, None]


class Countable(Kind):
    """A kind of which all databases of certain sizes can be counted, and listed if they are few."""

    def bits(self, sizes: range) -> float:
        """Return about how many bits the number of databases has."""
        raise NotImplementedError

    def number(self, sizes: range) -> int:
        """Return how many databases of these sizes there are."""
        raise NotImplementedError

    def listed(self, sizes: range) -> Iterator[Database]:
        """Return all databases of these sizes, one after the other."""
        raise NotImplementedError

    def holds(self, D: Database, sizes: range) -> bool:
        """Say whether a database has one of these sizes."""
        return len(D) in sizes


class Multisets(Countable):
    """Multisets of records; a row holds the multiplicities."""

    @classmethod
    def records_in(cls, databases: list[Any]) -> list[Any]:
        found = dict.fromkeys(record for D in databases for record in members(D))
        try:
            return sorted(found)
        except TypeError:
            return list(found)

    def read(self, given: Any) -> Database:
        records = [self.known(record) for record in members(given)]
        return tuple(sorted(records, key=self.place.__getitem__))

    def label(self, D: Database) -> str:
        return "{" + ",".join(map(str, D)) + "}"

    def vectors(self, databases: list[Any]) -> np.ndarray:
        rows = np.zeros((len(databases), len(self.records)), dtype=np.int32)
        for row, D in zip(rows, databases, strict=True):
            for record in D:
                row[self.place[record]] += 1
        return rows

    def bits(self, sizes: range) -> float:
        r = len(self.records)
        n = sizes[-1]
        return (math.lgamma(r + n + 1) - math.lgamma(r + 1) - math.lgamma(n + 1)) / math.log(2)

    def number(self, sizes: range) -> int:
        r = len(self.records)
        n = sizes[-1]
        return math.comb(r + n, n) if sizes[0] == 0 else math.comb(r + n - 1, n)

    def listed(self, sizes: range) -> Iterator[Database]:
        for n in sizes:
            yield from combinations_with_replacement(self.records, n)


class Logs(Multisets):
    """Multisets of (user, event); also read from {user: events}. The size is that of one user's log."""

    @classmethod
    def records_in(cls, databases: list[Any]) -> list[Any]:
        logs = [[as_two(record) for record in D] for D in databases]
        return super().records_in(logs)

    def read(self, given: Any) -> Database:
        by_user = isinstance(given, Mapping) and not all(isinstance(key, tuple) for key in given)
        if by_user:
            given = [(user, event) for user, events in given.items() for event in members(events)]
        return super().read(given)

    def label(self, D: Database) -> str:
        return "{" + ",".join(f"{user}:{event}" for user, event in D) + "}"

    @property
    def users(self) -> list[Any]:
        """The users that may have an event."""
        return list(dict.fromkeys(user for user, _ in self.records))

    @property
    def events(self) -> list[Any]:
        """The events that a user may have."""
        return list(dict.fromkeys(event for _, event in self.records))

    def bits(self, sizes: range) -> float:
        one_user = Multisets(self.events).bits(sizes)
        return len(self.users) * one_user

    def number(self, sizes: range) -> int:
        one_user = Multisets(self.events).number(sizes)
        return one_user ** len(self.users)

    def listed(self, sizes: range) -> Iterator[Database]:
        one_user = list(Multisets(self.events).listed(sizes)) if self.users else []
        for logs in product(one_user, repeat=len(self.users)):
            together = zip(self.users, logs, strict=True)
            yield tuple((user, event) for user, log in together for event in log)

    def holds(self, D: Database, sizes: range) -> bool:
        counts = Counter(user for user, _ in D)
        return all(n in sizes for n in counts.values())


class Graphs(Multisets):
    """Sets of edges; a row says which edges are there."""

    @classmethod
    def records_in(cls, databases: list[Any]) -> list[Any]:
        graphs = [[tuple(sorted(as_two(edge))) for edge in D] for D in databases]
        return super().records_in(graphs)

    def read(self, given: Any) -> Database:
        return frozenset(self._edge(edge) for edge in members(given))

    def _edge(self, given) -> tuple:
        """Return an edge of the universe, given in either direction."""
        edge = tuple(given) if np.iterable(given) else given
        turned = edge[::-1] if isinstance(edge, tuple) else edge
        return turned if checks.is_among(turned, self.place) else self.known(edge)

    def label(self, D: Database) -> str:
        edges = sorted(D, key=self.place.__getitem__)
        return "{" + ",".join(f"{u}{v}" for u, v in edges) + "}"

    @property
    def nodes(self) -> list[Any]:
        """The nodes that occur in an edge."""
        return list(dict.fromkeys(chain(*self.records)))

    def bits(self, sizes: range) -> float:
        return len(self.records)

    def number(self, sizes: range) -> int:
        return 2 ** len(self.records)

    def listed(self, sizes: range) -> Iterator[Database]:
        for n in sizes:
            yield from map(frozenset, combinations(self.records, n))


class Tables(Countable):
    """Ordered tables; a row holds the number of each entry's record plus one, and zero where there is no entry."""

    @classmethod
    def records_in(cls, databases: list[Any]) -> list[Any]:
        return Multisets.records_in(databases)

    def read(self, given: Any) -> Database:
        return tuple(self.known(record) for record in members(given))

    def label(self, D: Database) -> str:
        return "(" + ",".join(map(str, D)) + ")"

    def vectors(self, databases: list[Any]) -> np.ndarray:
        longest = max(map(len, databases), default=0)
        rows = np.zeros((len(databases), longest), dtype=np.int32)
        for row, D in zip(rows, databases, strict=True):
            row[: len(D)] = [self.place[record] + 1 for record in D]
        return rows

    def bits(self, sizes: range) -> float:
        return sizes[-1] * math.log2(max(len(self.records), 1))

    def number(self, sizes: range) -> int:
        r = len(self.records)
        if r == 0:
            return int(sizes[0] == 0)
        return len(sizes) if r == 1 else sum(r**n for n in sizes)

    def listed(self, sizes: range) -> Iterator[Database]:
        for n in sizes:
            yield from product(self.records, repeat=n)


class Rows(Tables):
    """Parts of ordered tables: tuples of numbered rows (n, x), counted from 1."""

    @classmethod
    def records_in(cls, databases: list[Any]) -> list[Any]:
        entries = [[record for _, record in map(as_two, D)] for D in databases]
        return super().records_in(entries)

    def read(self, given: Any) -> Database:
        return tuple(self._row(row) for row in members(given))

    def _row(self, given) -> tuple[int, Hashable]:
        number, record = as_two(given)
        return checks.count("the number of a row", number, low=1), self.known(record)

    def label(self, D: Database) -> str:
        return "(" + ",".join(f"{n}:{record}" for n, record in D) + ")"

    def vectors(self, databases: list[Any]) -> np.ndarray:
        last = max((n for D in databases for n, _ in D), default=0)
        rows = np.zeros((len(databases), last), dtype=np.int32)
        for row, D in zip(rows, databases, strict=True):
            for n, record in D:
                row[n - 1] = self.place[record] + 1
        return rows


KINDS: dict[str, type[Kind]] = {
    "multisets": Multisets,
    "ordered": Tables,
    "rows": Rows,
    "graphs": Graphs,
    "logs": Logs,
    "anything": Kind,
}


def members(D: Outcome) -> list[Any]:
    """Return the records of a database given as a list, a word, or a dictionary of multiplicities."""
    if isinstance(D, Mapping):
        return [record for record, times in D.items() for _ in range(_copies(record, times))]
    if not np.iterable(D):
        raise ValueError(f"database must be a list of records, not {checks.shorten(D)}")
    return list(D)


def number_of_records(D: Outcome) -> int:
    """Return how many records a database has."""
    return len(members(D))


def _copies(record: Hashable, times) -> int:
    if checks.count(f"the multiplicity of {checks.shorten(record)}", times) > MOST_COPIES:
        raise ValueError(f"the multiplicity of {checks.shorten(record)} must be at most {MOST_COPIES}, not {times}")
    return int(times)


def as_two(record: Outcome, name: str = "databases") -> tuple[Any, ...]:
    """Return an edge, an event of a user or a numbered row: something of two."""
    two = tuple(record) if np.iterable(record) else ()
    if len(two) != 2:
        raise ValueError(f"{name} must hold pairs such as (1, 2), not {checks.shorten(record)}")
    return checks.hashable(f"the pairs of {name}", two)
