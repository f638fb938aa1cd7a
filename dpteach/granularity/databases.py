"""Database classes: which databases a mechanism may be given, and how each of them is written down.

A class is the domain of a mechanism (GMPS, section III). What it contains is public knowledge; what distinguishes its
members is what privacy can be about. Five kinds of databases occur in the lecture:

- multisets of records: tuples of records in the order of the universe, `()`, `("a",)`, `("a", "a", "b")`;
- ordered tables: tuples of records, where the position of a record counts; and parts of them, tuples of numbered rows;
- graphs on fixed nodes: frozensets of edges `(u, v)`;
- logs: multisets of `(user, event)`;
- anything else that can be a key of a dictionary.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, combinations, combinations_with_replacement, product

import numpy as np

from .. import checks

MOST_DATABASES = 3000  # a matrix of distances between more of them does not fit into a lesson
MOST_BITS = 10_000  # classes of more than 2^10000 databases are not even counted
MOST_COPIES = 10**6  # of one record
SHOWN = 12  # records named in a message

Database = Hashable


class DatabaseClass:
    """A list of databases: `DatabaseClass(["x", "y", "z"])`, or one of the constructors below.

    A database may be given in any readable form: `"aab"`, `["b", "a", "a"]` and `{"a": 2, "b": 1}` are the same
    multiset. `cls.database(given)` returns the form in which the class keeps it, `cls.label(D)` a short text.

    >>> len(DatabaseClass.multisets("ab", at_most=3))
    10
    """

    def __init__(self, databases: Iterable, kind: str | None = None, records: Iterable | None = None):
        listed = _listed("databases", databases)
        kind = KINDS[checks.choice("kind", "anything" if kind is None else kind, tuple(KINDS))]
        self.kind: Kind = kind(_universe(kind, listed) if records is None else _records(records))
        self._set([self.kind.read(D) for D in listed], complete=False)

    def _set(self, databases: Iterable | None, complete: bool, size: int | None = None, holds=None, name="") -> None:
        self._given = databases if databases is None else checks.names("databases", databases)
        self.complete, self._size, self._holds, self._name = complete, size, holds, name

    @classmethod
    def _of(cls, kind: Kind, databases: Iterable | None = None, **how) -> DatabaseClass:
        made = cls.__new__(cls)
        made.kind = kind
        made._set(databases, **{"complete": False, **how})
        return made

    # ------------------------------------------------------------------------------------------------ constructors

    @classmethod
    def multisets(cls, records: Iterable, at_most: int | None = None, exactly: int | None = None) -> DatabaseClass:
        """Return all multisets of at most (or exactly) that many records: the tabular databases of the paper."""
        kind, sizes = Multisets(_records(records)), _sizes(at_most, exactly)
        r, n = len(kind.records), sizes[-1]
        _check_bits((math.lgamma(r + n + 1) - math.lgamma(r + 1) - math.lgamma(n + 1)) / math.log(2))
        number = math.comb(r + n, n) if sizes[0] == 0 else math.comb(r + n - 1, n)
        lists = lambda: chain(*(combinations_with_replacement(kind.records, n) for n in sizes))  # noqa: E731
        return cls._complete(kind, lists, number, lambda D: len(D) in sizes, f"multisets over {kind.shown}", sizes)

    @classmethod
    def ordered(cls, records: Iterable, at_most: int | None = None, exactly: int | None = None) -> DatabaseClass:
        """Return all tables of at most (or exactly) that many rows, where the order of the rows counts."""
        kind, sizes = Tables(_records(records)), _sizes(at_most, exactly)
        r, n = len(kind.records), sizes[-1]
        _check_bits(n * math.log2(max(r, 1)))
        number = sum(r**m for m in sizes) if r > 1 else len(sizes) if r else int(sizes[0] == 0)
        lists = lambda: chain(*(product(kind.records, repeat=n) for n in sizes))  # noqa: E731
        return cls._complete(kind, lists, number, lambda D: len(D) in sizes, f"tables over {kind.shown}", sizes)

    @classmethod
    def graphs(cls, nodes: Iterable | int) -> DatabaseClass:
        """Return all graphs on the given nodes (or on the nodes 1 to n)."""
        nodes = _numbered("nodes", nodes)
        _check_bits(math.comb(len(nodes), 2))
        kind = Graphs(list(combinations(nodes, 2)))
        lists = lambda: (frozenset(e) for e in _subsets(kind.records))  # noqa: E731
        return cls._complete(kind, lists, 2 ** len(kind.records), lambda D: True, "graphs", range(1))

    @classmethod
    def user_logs(cls, users: Iterable | int, events: Iterable, at_most: int) -> DatabaseClass:
        """Return all logs in which each user has at most that many events (events may repeat, order is forgotten)."""
        users, events, cap = _numbered("users", users), _records(events, "events"), checks.count("at_most", at_most)
        kind, one = Logs([(u, e) for u in users for e in events]), cls.multisets(events, at_most=cap)
        _check_bits(len(users) * math.log2(one.size))
        each = lambda: product(*([tuple((u, e) for e in log) for log in one] for u in users))  # noqa: E731
        lists = lambda: (tuple(chain(*logs)) for logs in each())  # noqa: E731
        holds = lambda D: all(n <= cap for n in Counter(u for u, _ in D).values())  # noqa: E731
        return cls._complete(kind, lists, one.size ** len(users), holds, f"logs of {len(users)} users", range(cap + 1))

    @classmethod
    def _complete(cls, kind: Kind, lists: Callable, number: int, holds: Callable, name: str, sizes) -> DatabaseClass:
        """Make a class by its rule; its databases are listed only if they are few."""
        few = list(lists()) if number <= MOST_DATABASES else None
        made = cls._of(kind, few, complete=True, size=number, holds=holds, name=name)
        made.sizes = sizes
        return made

    def only(self, keep: Callable[[Database], bool] | Iterable) -> DatabaseClass:
        """Return the subclass of the databases that a function keeps, or of those listed."""
        if callable(keep):
            return DatabaseClass._of(self.kind, [D for D in self.databases if keep(D)])
        return DatabaseClass._of(self.kind, [self.database(D) for D in _listed("keep", keep)])

    # --------------------------------------------------------------------------------------------- what it contains

    @property
    def databases(self) -> list[Database]:
        """All databases of the class, refused if there are more than 3000."""
        if self._given is None:
            raise ValueError(
                f"a class must have at most {MOST_DATABASES} databases to be listed, not {self._counted}; "
                "distances in it still have closed forms"
            )
        return self._given

    @cached_property
    def index(self) -> dict[Database, int]:
        """The position of each database in the list."""
        return {D: i for i, D in enumerate(self.databases)}

    @cached_property
    def vectors(self) -> np.ndarray:
        """One row of whole numbers for each database, by which databases are compared (see `Kind.vectors`)."""
        return self.kind.vectors(self.databases)

    def database(self, given) -> Database:
        """Return a database of the class in the form in which the class keeps it."""
        D = self.kind.read(given)
        if D not in self.index if self._given is not None else not self._holds(D):
            raise ValueError(
                f"database must belong to the class of {self._counted} databases, not {checks.shorten(given)}"
            )
        return D

    def label(self, D: Database) -> str:
        """Return a short text for a database, such as {a,b}."""
        return self.kind.label(D)

    @property
    def size(self) -> int:
        """How many databases the class has, also where that is too large for `len`."""
        return len(self._given) if self._given is not None else self._size

    @property
    def _counted(self) -> str:
        """The size, for a message."""
        return str(self.size) if self.size < 10**18 else f"about 10^{len(str(self.size)) - 1}"

    def __len__(self) -> int:
        return self.size if self.size <= sys.maxsize else len(self.databases)

    def __iter__(self) -> Iterator[Database]:
        return iter(self.databases)

    def __contains__(self, given) -> bool:
        try:
            self.database(given)
        except ValueError:
            return False
        return True

    def __eq__(self, other) -> bool:
        if not isinstance(other, DatabaseClass):
            return NotImplemented
        if self._given is None or other._given is None:
            return self is other
        return self._given == other._given

    def __hash__(self) -> int:
        return hash(self.size)

    def __repr__(self) -> str:
        return f"<DatabaseClass of {self._counted} {self._name or 'databases'}>"


# ------------------------------------------------------------------------------------------------ kinds of databases


class Kind:
    """How databases of one kind are read, written, and turned into rows of whole numbers. This one: any value."""

    def __init__(self, records: list):
        self.records = records
        self.place = {x: i for i, x in enumerate(records)}

    @classmethod
    def records_in(cls, databases: list) -> list:
        """Return the universe of records of a list of databases."""
        return []

    @property
    def shown(self) -> str:
        """The universe, for a message."""
        text = ", ".join(map(str, self.records[:SHOWN]))
        return text + (", ..." if len(self.records) > SHOWN else "")

    def knows(self, record) -> bool:
        """Say whether a record belongs to the universe; what cannot be hashed does not."""
        try:
            return record in self.place
        except TypeError:
            return False

    def known(self, record) -> Hashable:
        """Return a record of the universe."""
        if not self.knows(record):
            raise ValueError(f"database must hold records of the universe ({self.shown}), not {checks.shorten(record)}")
        return record

    def read(self, given) -> Database:
        """Return the database in its one form."""
        try:
            hash(given)
        except TypeError:
            raise ValueError(f"database must be a number, a word or a tuple, not {checks.shorten(given)}") from None
        return given

    def label(self, D: Database) -> str:
        """Return a short text for the database."""
        return str(D)

    def vectors(self, databases: list) -> np.ndarray:
        """Return one row for each database."""
        return np.arange(len(databases))[:, None]


class Multisets(Kind):
    """Multisets of records; a row holds the multiplicities."""

    @classmethod
    def records_in(cls, databases: list) -> list:
        found = dict.fromkeys(x for D in databases for x in members(D))
        try:
            return sorted(found)
        except TypeError:
            return list(found)

    def read(self, given) -> Database:
        records = [self.known(x) for x in members(given)]
        return tuple(sorted(records, key=self.place.__getitem__))

    def label(self, D: Database) -> str:
        return "{" + ",".join(map(str, D)) + "}"

    def vectors(self, databases: list) -> np.ndarray:
        rows = np.zeros((len(databases), len(self.records)), dtype=np.int32)
        for row, D in zip(rows, databases, strict=True):
            for x in D:
                row[self.place[x]] += 1
        return rows


class Logs(Multisets):
    """Multisets of (user, event); also read from {user: events}."""

    @classmethod
    def records_in(cls, databases: list) -> list:
        return super().records_in([[_two(record) for record in D] for D in databases])

    def read(self, given) -> Database:
        if isinstance(given, Mapping) and not all(isinstance(key, tuple) for key in given):
            given = [(user, event) for user, events in given.items() for event in members(events)]
        return super().read(given)

    def label(self, D: Database) -> str:
        return "{" + ",".join(f"{user}:{event}" for user, event in D) + "}"


class Graphs(Multisets):
    """Sets of edges; a row says which edges are there."""

    @classmethod
    def records_in(cls, databases: list) -> list:
        return super().records_in([[tuple(sorted(_two(edge))) for edge in D] for D in databases])

    def read(self, given) -> Database:
        return frozenset(self._edge(edge) for edge in members(given))

    def _edge(self, given) -> tuple:
        edge = tuple(given) if np.iterable(given) else given
        turned = edge[::-1] if isinstance(edge, tuple) else edge
        return turned if self.knows(turned) else self.known(edge)

    def label(self, D: Database) -> str:
        return "{" + ",".join(f"{u}{v}" for u, v in sorted(D, key=self.place.__getitem__)) + "}"

    @property
    def nodes(self) -> list:
        """The nodes that occur in an edge."""
        return list(dict.fromkeys(chain(*self.records)))


class Tables(Kind):
    """Ordered tables; a row holds the number of each entry's record plus one, and zero where there is no entry."""

    @classmethod
    def records_in(cls, databases: list) -> list:
        return Multisets.records_in(databases)

    def read(self, given) -> Database:
        return tuple(self.known(x) for x in members(given))

    def label(self, D: Database) -> str:
        return "(" + ",".join(map(str, D)) + ")"

    def vectors(self, databases: list) -> np.ndarray:
        rows = np.zeros((len(databases), max(map(len, databases), default=0)), dtype=np.int32)
        for row, D in zip(rows, databases, strict=True):
            row[: len(D)] = [self.place[x] + 1 for x in D]
        return rows


class Rows(Tables):
    """Parts of ordered tables: tuples of numbered rows (n, x), counted from 1."""

    @classmethod
    def records_in(cls, databases: list) -> list:
        return super().records_in([[x for _, x in map(_two, D)] for D in databases])

    def read(self, given) -> Database:
        rows = map(_two, members(given))
        return tuple((checks.count("the number of a row", n, low=1), self.known(x)) for n, x in rows)

    def label(self, D: Database) -> str:
        return "(" + ",".join(f"{n}:{x}" for n, x in D) + ")"

    def vectors(self, databases: list) -> np.ndarray:
        rows = np.zeros((len(databases), max((n for D in databases for n, _ in D), default=0)), dtype=np.int32)
        for row, D in zip(rows, databases, strict=True):
            for n, x in D:
                row[n - 1] = self.place[x] + 1
        return rows


KINDS = {
    "multisets": Multisets,
    "ordered": Tables,
    "rows": Rows,
    "graphs": Graphs,
    "logs": Logs,
    "anything": Kind,
}


# ------------------------------------------------------------------------------------------------------ one step each


def value_of(f: Callable, D: Database) -> Hashable:
    """Return f(D), the value of a map, which must be something that a database can be: hashable."""
    value = f(D)
    try:
        hash(value)
    except TypeError:
        raise ValueError(f"f must return numbers, words or tuples of them, not {checks.shorten(value)}") from None
    return value


def as_map(f: Callable, name: str = "f") -> Callable:
    """Return a function of a database, or say that one is needed."""
    if not callable(f):
        raise ValueError(f"{name} must be a function of a database, not {checks.shorten(f)}")
    return f


def members(D) -> list:
    """Return the records of a database given as a list, a word, or a dictionary of multiplicities."""
    if isinstance(D, Mapping):
        return [x for x, times in D.items() for _ in range(_copies(x, times))]
    if not np.iterable(D):
        raise ValueError(f"database must be a list of records, not {checks.shorten(D)}")
    return list(D)


def _copies(x: Hashable, times) -> int:
    if checks.count(f"the multiplicity of {x!r}", times) > MOST_COPIES:
        raise ValueError(f"the multiplicity of {x!r} must be at most {MOST_COPIES}, not {times}")
    return int(times)


def _two(record) -> tuple:
    """Return an edge, an event of a user or a numbered row: something of two."""
    two = tuple(record) if np.iterable(record) else ()
    if len(two) != 2:
        raise ValueError(f"databases must hold pairs such as (1, 2), not {checks.shorten(record)}")
    return two


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
    if not np.iterable(records):
        raise ValueError(f"{name} must be a list of different values, not {checks.shorten(records)}")
    try:
        listed = list(records)
        different = len(set(listed)) == len(listed)
    except TypeError:
        different = False
    if not different:
        raise ValueError(f"{name} must be a list of different values, not {checks.shorten(records)}")
    return listed


def _sizes(at_most: int | None, exactly: int | None) -> range:
    if (at_most is None) == (exactly is None):
        raise ValueError("the size of a database needs exactly one of at_most and exactly")
    if exactly is None:
        return range(checks.count("at_most", at_most) + 1)
    exactly = checks.count("exactly", exactly)
    return range(exactly, exactly + 1)


def _subsets(items: list) -> Iterator[tuple]:
    return chain(*(combinations(items, size) for size in range(len(items) + 1)))
