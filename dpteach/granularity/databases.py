"""Database classes: which databases a mechanism may be given.

A class is the domain of a mechanism (GMPS, section III). What it contains is public knowledge; what distinguishes its
members is what privacy can be about. How a database is written down depends on its kind (`kinds`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from .. import checks
from .kinds import KINDS, Countable, Database, Graphs, Kind, Logs, Multisets, Tables

MOST_DATABASES = 3000  # a matrix of distances between more of them does not fit into a lesson
MOST_BITS = 10_000  # classes of more than 2^10000 databases are not even counted


class DatabaseClass:
    """A list of databases: `DatabaseClass(["x", "y", "z"])`, or one of the constructors below.

    A database may be given in any readable form: `"aab"`, `["b", "a", "a"]` and `{"a": 2, "b": 1}` are the same
    multiset. `cls.database(given)` returns the form in which the class keeps it, `cls.label(D)` a short text.

    >>> len(DatabaseClass.multisets("ab", at_most=3))
    10
    """

    sizes: range | None = None  # of all databases, if the class has all of these sizes
    name: str = "databases"

    def __init__(self, databases: Iterable[Any], kind: str | None = None, records: Iterable[Any] | None = None):
        listed = _listed("databases", databases)
        chosen = KINDS[checks.choice("kind", "anything" if kind is None else kind, tuple(KINDS))]
        universe = _universe(chosen, listed) if records is None else _records(records)
        self.kind = chosen(universe)
        self._few = checks.names("databases", [self.kind.read(D) for D in listed])

    @classmethod
    def of_kind(cls, kind: Kind, databases: Iterable[Database]) -> DatabaseClass:
        """Return a class of databases that are in their one form already."""
        made = cls.__new__(cls)
        made.kind = kind
        made._few = checks.names("databases", databases)
        return made

    # ------------------------------------------------------------------------------------------------ constructors

    @classmethod
    def multisets(cls, records: Iterable[Any], at_most: int | None = None, exactly: int | None = None) -> DatabaseClass:
        """Return all multisets of at most (or exactly) that many records: the tabular databases of the paper."""
        kind = Multisets(_records(records))
        return cls._complete(kind, _sizes(at_most, exactly), f"multisets over {kind.shown}")

    @classmethod
    def ordered(cls, records: Iterable[Any], at_most: int | None = None, exactly: int | None = None) -> DatabaseClass:
        """Return all tables of at most (or exactly) that many rows, where the order of the rows counts."""
        kind = Tables(_records(records))
        return cls._complete(kind, _sizes(at_most, exactly), f"tables over {kind.shown}")

    @classmethod
    def graphs(cls, nodes: Iterable[Any] | int) -> DatabaseClass:
        """Return all graphs on the given nodes (or on the nodes 1 to n)."""
        nodes = _numbered("nodes", nodes)
        _check_bits(len(nodes) * (len(nodes) - 1) // 2)
        edges = list(combinations(nodes, 2))
        return cls._complete(Graphs(edges), range(len(edges) + 1), "graphs")

    @classmethod
    def user_logs(cls, users: Iterable[Any] | int, events: Iterable[Any], at_most: int) -> DatabaseClass:
        """Return all logs in which each user has at most that many events (events may repeat, order is forgotten)."""
        users = _numbered("users", users)
        events = _records(events, "events")
        most = checks.count("at_most", at_most)
        kind = Logs([(user, event) for user in users for event in events])
        return cls._complete(kind, range(most + 1), f"logs of {len(users)} users")

    @classmethod
    def _complete(cls, kind: Countable, sizes: range, name: str) -> DatabaseClass:
        """Make a class of all databases of some sizes; they are listed only if they are few."""
        _check_bits(kind.bits(sizes))
        made = cls.__new__(cls)
        made.kind = kind
        made.sizes = sizes
        made.name = name
        few = kind.number(sizes) <= MOST_DATABASES
        made._few = list(kind.listed(sizes)) if few else None
        return made

    def only(self, keep: Callable[[Database], bool] | Iterable[Any]) -> DatabaseClass:
        """Return the subclass of the databases that a function keeps, or of those listed."""
        if callable(keep):
            return DatabaseClass.of_kind(self.kind, filter(keep, self.databases))
        return DatabaseClass.of_kind(self.kind, map(self.database, _listed("keep", keep)))

    # --------------------------------------------------------------------------------------------- what it contains

    @property
    def is_complete(self) -> bool:
        """Whether all databases of certain sizes belong to it; then distances have closed forms."""
        return self.sizes is not None

    @property
    def is_listed(self) -> bool:
        """Whether the databases are few enough to be listed."""
        return self._few is not None

    @property
    def databases(self) -> list[Database]:
        """All databases of the class, refused if there are more than 3000."""
        if self._few is None:
            raise ValueError(
                f"a class must have at most {MOST_DATABASES} databases to be listed, not {self._counted}; "
                "distances in it still have closed forms"
            )
        return self._few

    @cached_property
    def index(self) -> dict[Database, int]:
        """The position of each database in the list."""
        return {D: i for i, D in enumerate(self.databases)}

    @cached_property
    def vectors(self) -> np.ndarray:
        """One row of whole numbers for each database, by which databases are compared (see `Kind.vectors`)."""
        return self.kind.vectors(self.databases)

    def database(self, given: Any) -> Database:
        """Return a database of the class in the form in which the class keeps it."""
        D = self.kind.read(given)
        belongs = D in self.index if self.is_listed else self.kind.holds(D, self.sizes)
        if not belongs:
            raise ValueError(
                f"database must belong to the class of {self._counted} databases, not {checks.shorten(given)}"
            )
        return D

    def label(self, D: Database) -> str:
        """Return a short text for a database, such as {a,b}."""
        return self.kind.label(self.kind.read(D))

    @cached_property
    def size(self) -> int:
        """How many databases the class has, also where that is too large for `len`."""
        return len(self._few) if self.is_listed else self.kind.number(self.sizes)

    @property
    def _counted(self) -> str:
        """The size, for a message."""
        return str(self.size) if self.size < 10**18 else f"about 10^{len(str(self.size)) - 1}"

    def __len__(self) -> int:
        return self.size if self.size <= sys.maxsize else len(self.databases)

    def __iter__(self) -> Iterator[Database]:
        return iter(self.databases)

    def __contains__(self, given: Any) -> bool:
        try:
            self.database(given)
        except ValueError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DatabaseClass):
            return NotImplemented
        if self is other:
            return True
        return self.is_listed and other.is_listed and self._few == other._few

    def __hash__(self) -> int:
        return hash(self.size)

    def __repr__(self) -> str:
        return f"<DatabaseClass of {self._counted} {self.name}>"


# ------------------------------------------------------------------------------------------------------ one step each


def _universe(kind: type[Kind], databases: list) -> list:
    """Return the records of a list of databases."""
    try:
        return kind.records_in(databases)
    except TypeError:
        raise ValueError(f"databases must be lists of comparable records, not {checks.shorten(databases)}") from None


def _check_bits(bits: float) -> None:
    if bits > MOST_BITS:
        raise ValueError(f"a class must have at most 2^{MOST_BITS} databases, not about 2^{bits:.4g}")


def _numbered(name: str, given) -> list:
    """Return nodes or users: a list of them, or the numbers from 1 to the given one."""
    if not checks.is_number(given):
        return _records(given, name)
    if checks.count(name, given) > MOST_BITS:
        raise ValueError(f"{name} must be at most {MOST_BITS}, not {given}")
    return list(range(1, int(given) + 1))


def _listed(name: str, values) -> list:
    if not np.iterable(values) or isinstance(values, Mapping):
        raise ValueError(f"{name} must be a list, not {checks.shorten(values)}")
    return list(values)


def _records(records, name: str = "records") -> list:
    """Return the universe: different records."""
    listed = list(records) if np.iterable(records) else None
    if listed is None or not _are_different(listed):
        raise ValueError(f"{name} must be a list of different values, not {checks.shorten(records)}")
    return listed


def _are_different(values: list) -> bool:
    try:
        return len(set(values)) == len(values)
    except TypeError:
        return False


def _sizes(at_most: int | None, exactly: int | None) -> range:
    if (at_most is None) == (exactly is None):
        raise ValueError("the size of a database needs exactly one of at_most and exactly")
    if exactly is None:
        return range(checks.count("at_most", at_most) + 1)
    exactly = checks.count("exactly", exactly)
    return range(exactly, exactly + 1)
