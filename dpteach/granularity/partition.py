"""Maps and partitions: which part of the database each mechanism of a composition is given.

`Maps` is any family f_1, ..., f_k; `Partition` is a family whose parts never overlap, p_1(D) + ... + p_k(D) in D (as
multisets; a part may be missing, so the partition need not be exhaustive).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .. import checks
from .comparison import as_granularity, fibres, sensitivity
from .databases import DatabaseClass
from .formulas import symmetric_difference
from .kinds import Database, Kind, Rows, Tables, as_two, members
from .space import NeighbourSpace, PrivacySpace, as_class, as_graph


class Maps:
    """A family of maps f_1, ..., f_k of a database, with names.

    >>> halves = Maps([len, lambda D: D.count("a")])
    >>> halves.touched(("a",), ("b",))
    [2]
    """

    def __init__(self, functions: Iterable[Callable[..., Any]], names: Iterable[Any] | None = None):
        listed = list(functions) if np.iterable(functions) else [functions]
        self.functions = [checks.function("functions", f) for f in listed]
        given = range(1, len(self) + 1) if names is None else names
        self.names = checks.names("names", given, len(self))

    @classmethod
    def by_label(cls, labels: Iterable[Any], of: Callable[[Hashable], Iterable[Any]] | None = None) -> Maps:
        """Return the maps f_i(D) = the records that carry label i (Example IV.5); a record may carry several.

        `of(record)` are the labels of a record; by default the record is the collection of its labels.
        """
        labels = checks.names("labels", labels)
        of = None if of is None else checks.function("of", of)
        return Maps([_those_that_carry(label, of) for label in labels], labels)

    def __len__(self) -> int:
        return len(self.functions)

    def __iter__(self) -> Iterator[Callable[..., Any]]:
        return iter(self.functions)

    def __getitem__(self, i: int) -> Callable[..., Any]:
        return self.functions[self._place(i)]

    def _place(self, i: int) -> int:
        """Return the place of a map, counted from 0, or from the end with a minus."""
        if not checks.is_number(i) or i not in range(-len(self), len(self)):
            raise ValueError(f"i must be one of the {len(self)} maps, counted from 0, not {checks.shorten(i)}")
        return int(i)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} maps>"

    def __call__(self, D: Database) -> tuple[Any, ...]:
        """Return what the mechanisms are given: (f_1(D), ..., f_k(D))."""
        return tuple(f(D) for f in self.functions)

    def touched(self, D: Database, D2: Database) -> list[Any]:
        """Return the names of the maps that tell two databases apart: the set I_f(D, D')."""
        values = zip(self.names, self(D), self(D2), strict=True)
        return [name for name, before, after in values if before != after]

    def touched_matrix(self, cls: DatabaseClass) -> np.ndarray:
        """Return the number of maps that tell every two databases apart, #I_f."""
        cls = as_class(cls)
        total = np.zeros((len(cls), len(cls)), dtype=int)
        for f in self.functions:
            labels = fibres(f, cls)
            total += labels[:, None] != labels[None, :]
        return total

    def most_touched(self, space: NeighbourSpace) -> tuple[int, tuple[Database, Database] | None]:
        """Return the largest number of maps that one step can touch, and a pair of neighbours that shows it."""
        edges = as_graph("space", space).edges
        if not len(edges):
            return 0, None
        i, j = edges.T
        numbers = self.touched_matrix(space.cls)[i, j]
        most = int(np.argmax(numbers))
        pair = space.databases[i[most]], space.databases[j[most]]
        return int(numbers[most]), pair

    def compatible(self, space: NeighbourSpace) -> bool:
        """Say whether one step changes at most one part: I_p <= 1 on neighbours (d^G-compatibility)."""
        most, _ = self.most_touched(space)
        return most <= 1

    def image(self, i: int, cls: DatabaseClass) -> DatabaseClass:
        """Return the class D_i of all values of the i-th map (counted from 0), of the same kind if possible."""
        if checks.count("i", i) >= len(self):
            raise ValueError(f"i must be one of the {len(self)} maps, counted from 0, not {i}")
        cls = as_class(cls)
        given = [checks.hashable("the values of f", self.functions[i](D)) for D in cls]
        values = list(dict.fromkeys(given))
        kind = self._kind(cls)
        try:
            return DatabaseClass.of_kind(kind, map(kind.read, values))
        except (ValueError, TypeError):
            return DatabaseClass(values)

    def _kind(self, cls: DatabaseClass) -> Kind:
        return cls.kind

    def spaces(self, space: NeighbourSpace, granularity: Any = None) -> list[NeighbourSpace]:
        """Return the spaces (D_i, d^G_i): the values of each map with the granularity's own steps among them."""
        own = as_graph("space", space).granularity
        chosen = own if granularity is None else as_granularity("granularity", granularity)
        return [chosen.on(self.image(i, space.cls)) for i in range(len(self))]

    def sensitivities(self, space: NeighbourSpace, granularity: Any = None) -> list[int | float]:
        """Return how far each map spreads neighbours, from (D, d^G) to (D_i, d^G_i)."""
        into = self.spaces(space, granularity)
        return [sensitivity(f, space, target) for f, target in zip(self.functions, into, strict=True)]


class Partition(Maps):
    """Maps whose parts never overlap. Any functions will do; that they do not overlap is checked on the class.

    >>> Partition.by_record(["a", "bc"])(("a", "b", "b"))
    (('a',), ('b', 'b'))
    """

    @classmethod
    def by_record(
        cls, mapping: Mapping[Any, Any] | Iterable[Any] | Callable[..., Any], parts: Iterable[Any] | None = None
    ) -> Partition:
        """Split by what a record is (Example IV.4): {record: part}, a list of blocks, or a function with its parts.

        Records of no part (None, or not mentioned) are seen by no mechanism.
        """
        part_of, names = _assignment(mapping, parts)
        return cls([_records_of(name, part_of) for name in names], names)

    @classmethod
    def by_order(
        cls, mapping: Mapping[Any, Any] | Iterable[Any] | Callable[..., Any], parts: Iterable[Any] | None = None
    ) -> Partition:
        """Split a table by the number of the row alone, counted from 1 (Example IV.7)."""
        part_of, names = _assignment(mapping, parts)
        return _ByOrder([_rows_of(name, part_of) for name in names], names)

    @classmethod
    def by_node(cls, blocks: Iterable[Any]) -> Partition:
        """Split a graph into the edges inside each block of nodes; edges between blocks belong to no part."""
        part_of, names = _from_blocks(_blocks(blocks, "blocks"), None)
        return cls([_edges_inside(name, part_of) for name in names], names)

    def check(self, cls: DatabaseClass) -> None:
        """Refuse parts that overlap, or that are not part of the database."""
        for D in as_class(cls):
            whole = Counter(self._records(D))
            parts = Counter()
            for part in self(D):
                parts.update(members(part))
            for record in parts - whole:
                raise ValueError(
                    f"parts must not overlap, but {record!r} is in the parts of {cls.label(D)} "
                    f"{parts[record]} times instead of at most {whole[record]}"
                )

    def _records(self, D: Database) -> Iterable:
        return members(D)

    def compatible(self, space: NeighbourSpace) -> bool:
        """Say whether one step changes at most one part: I_p <= 1 on neighbours (d^G-compatibility)."""
        self.check(as_graph("space", space).cls)
        return super().compatible(space)

    def union(self, D: Database) -> Database:
        """Return what all mechanisms together are given, the sum of the parts."""
        records = [record for part in self(D) for record in part]
        return _same_form(D, records)

    def commutes_with(self, metric: Callable[..., Any] | PrivacySpace = symmetric_difference, on: Any = None) -> bool:
        """Say whether sum_i d(p_i(D), p_i(D')) = d(union, union') <= d(D, D') for all D, D' (section IV-C).

        `metric` is a function of two databases, to be tried on the class `on`, or a privacy space that contains the
        parts and their unions.
        """
        in_space = isinstance(metric, PrivacySpace)
        cls = metric.cls if on is None and in_space else as_class(on, "on")
        self.check(cls)
        d = metric.distance if in_space else checks.function("metric", metric)
        return all(self._commutes_at(d, D, E) for D in cls for E in cls)

    def _commutes_at(self, d: Callable, D: Database, E: Database) -> bool:
        total = sum(d(x, y) for x, y in zip(self(D), self(E), strict=True))
        return total == d(self.union(D), self.union(E)) <= d(D, E)


class _ByOrder(Partition):
    """A partition of tables; its parts are numbered rows."""

    def _kind(self, cls: DatabaseClass) -> Kind:
        return Rows(cls.kind.records) if isinstance(cls.kind, Tables) else cls.kind

    def _records(self, D: Database) -> Iterable:
        return enumerate(D, 1)

    def union(self, D: Database) -> Database:
        return tuple(sorted(super().union(D), key=lambda row: row[0]))


# ------------------------------------------------------------------------------------------------------ one step each


def _same_form(D: Database, records: Iterable[Hashable]) -> Database:
    """Return a part of a database in the form of the whole: a set of edges, or a tuple of records."""
    return frozenset(records) if isinstance(D, frozenset) else tuple(records)


def _records(D: Database) -> list:
    """Return the records of a database, or say that it has none."""
    return [checks.hashable("the records of a database", record) for record in members(D)]


def _labels(given) -> list:
    """Return the labels of a record."""
    return checks.listed("the labels of a record of the database", given)


def _those_that_carry(label: Hashable, of: Callable[[Hashable], Iterable] | None) -> Callable:
    """Return the map to the records that carry a label."""

    def chosen(D: Database) -> Database:
        return _same_form(D, [record for record in _records(D) if label in _labels(of(record) if of else record)])

    return chosen


def _records_of(part: Hashable, part_of: Callable) -> Callable:
    """Return the map to the records of a part."""

    def chosen(D: Database) -> Database:
        return _same_form(D, [record for record in _records(D) if part_of(record) == part])

    return chosen


def _rows_of(part: Hashable, part_of: Callable) -> Callable:
    """Return the map to the numbered rows of a part."""

    def chosen(D: Database) -> Database:
        return tuple((n, record) for n, record in enumerate(_records(D), 1) if part_of(n) == part)

    return chosen


def _edges_inside(part: Hashable, part_of: Callable) -> Callable:
    """Return the map to the edges both ends of which belong to a part."""

    def chosen(D: Database) -> Database:
        edges = map(as_two, _records(D))
        return _same_form(D, [(u, v) for u, v in edges if part_of(u) == part and part_of(v) == part])

    return chosen


def _assignment(mapping, parts) -> tuple[Callable, list]:
    """Return record -> part and the names of the parts, from a dictionary, a list of blocks, or a function."""
    if callable(mapping):
        if parts is None:
            raise ValueError("parts must name the parts when the mapping is a function")
        return mapping, checks.names("parts", parts)
    if not isinstance(mapping, Mapping):
        return _from_blocks(_blocks(mapping), parts)
    if parts is None:
        given = [part for part in mapping.values() if part is not None]
        parts = dict.fromkeys(_hashable("mapping", given))
    return mapping.get, checks.names("parts", parts)


def _from_blocks(blocks: list[list], parts) -> tuple[Callable, list]:
    """Return record -> part and the names of the parts, by default their numbers from 1 on."""
    given = range(1, len(blocks) + 1) if parts is None else parts
    names = checks.names("parts", given, len(blocks))
    part_of = {record: name for name, block in zip(names, blocks, strict=True) for record in block}
    return part_of.get, names


def _hashable(name: str, values: list) -> list:
    """Return values that can be records, or names of parts."""
    try:
        set(values)
    except TypeError:
        raise ValueError(f"{name} must consist of numbers, words or tuples, not {checks.shorten(values)}") from None
    return values


def _blocks(given, name: str = "mapping") -> list[list]:
    listed = list(given) if np.iterable(given) else [None]
    if not all(np.iterable(block) for block in listed):
        raise ValueError(f"{name} must be a dictionary, a list of blocks or a function, not {checks.shorten(given)}")
    blocks = [list(block) for block in listed]
    flat = [x for block in blocks for x in block]
    counted = Counter(_hashable(name, flat))
    for record, times in counted.items():
        if times > 1:
            raise ValueError(f"parts must not overlap, but {record!r} is in {times} of the blocks")
    return blocks
