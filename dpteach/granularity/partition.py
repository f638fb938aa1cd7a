"""Maps and partitions: which part of the database each mechanism of a composition is given.

`Maps` is any family f_1, ..., f_k; `Partition` is a family whose parts never overlap, p_1(D) + ... + p_k(D) in D (as
multisets; a part may be missing, so the partition need not be exhaustive).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import numpy as np

from .. import checks
from .comparison import as_granularity, fibres, sensitivity
from .databases import Database, DatabaseClass, Kind, Rows, Tables, as_map, members, value_of
from .formulas import symmetric_difference
from .space import NeighbourSpace, PrivacySpace, as_class, as_graph


class Maps:
    """A family of maps f_1, ..., f_k of a database, with names.

    >>> halves = Maps([len, lambda D: D.count("a")])
    >>> halves.touched(("a",), ("b",))
    [2]
    """

    def __init__(self, functions: Iterable[Callable], names: Iterable | None = None):
        self.functions = list(functions) if np.iterable(functions) else [functions]
        for f in self.functions:
            as_map(f, "functions")
        given = range(1, len(self) + 1) if names is None else names
        self.names = checks.names("names", given, len(self))

    @classmethod
    def by_label(cls, labels: Iterable, of: Callable[[Hashable], Iterable] | None = None) -> Maps:
        """Return the maps f_i(D) = the records that carry label i (Example IV.5); a record may carry several.

        `of(record)` are the labels of a record; by default the record is the collection of its labels.
        """
        of, labels = of or (lambda record: record), list(labels)
        carry = [lambda D, label=label: _kept(D, lambda x: label in of(x)) for label in labels]
        return Maps(carry, labels)

    def __len__(self) -> int:
        return len(self.functions)

    def __iter__(self):
        return iter(self.functions)

    def __getitem__(self, i: int) -> Callable:
        return self.functions[i]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} maps>"

    def __call__(self, D: Database) -> tuple:
        """Return what the mechanisms are given: (f_1(D), ..., f_k(D))."""
        return tuple(f(D) for f in self.functions)

    def touched(self, D: Database, D2: Database) -> list:
        """Return the names of the maps that tell two databases apart: the set I_f(D, D')."""
        return [name for name, x, y in zip(self.names, self(D), self(D2), strict=True) if x != y]

    def touched_matrix(self, cls: DatabaseClass) -> np.ndarray:
        """Return the number of maps that tell every two databases apart, #I_f."""
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
        number = self.touched_matrix(space.cls)[tuple(edges.T)]
        i, j = edges[int(np.argmax(number))]
        return int(number.max()), (space.databases[i], space.databases[j])

    def compatible(self, space: NeighbourSpace) -> bool:
        """Say whether one step changes at most one part: I_p <= 1 on neighbours (d^G-compatibility)."""
        return self.most_touched(space)[0] <= 1

    def image(self, i: int, cls: DatabaseClass) -> DatabaseClass:
        """Return the class D_i of all values of the i-th map (counted from 0), of the same kind if possible."""
        if checks.count("i", i) >= len(self):
            raise ValueError(f"i must be one of the {len(self)} maps, counted from 0, not {i}")
        values = list(dict.fromkeys(value_of(self.functions[i], D) for D in cls))
        try:
            kind = self._kind(cls)
            return DatabaseClass._of(kind, [kind.read(v) for v in values])
        except (ValueError, TypeError):
            return DatabaseClass(values)

    def _kind(self, cls: DatabaseClass) -> Kind:
        return cls.kind

    def spaces(self, space: NeighbourSpace, granularity=None) -> list[NeighbourSpace]:
        """Return the spaces (D_i, d^G_i): the values of each map with the granularity's own steps among them."""
        granularity = as_graph("space", space).granularity if granularity is None else granularity
        granularity = as_granularity("granularity", granularity)
        return [granularity.on(self.image(i, space.cls)) for i in range(len(self))]

    def sensitivities(self, space: NeighbourSpace, granularity=None) -> list[int | float]:
        """Return how far each map spreads neighbours, from (D, d^G) to (D_i, d^G_i)."""
        into = self.spaces(space, granularity)
        return [sensitivity(f, space, target) for f, target in zip(self.functions, into, strict=True)]


class Partition(Maps):
    """Maps whose parts never overlap. Any functions will do; that they do not overlap is checked on the class.

    >>> Partition.by_record(["a", "bc"])(("a", "b", "b"))
    (('a',), ('b', 'b'))
    """

    @classmethod
    def by_record(cls, mapping: Mapping | Iterable | Callable, parts: Iterable | None = None) -> Partition:
        """Split by what a record is (Example IV.4): {record: part}, a list of blocks, or a function with its parts.

        Records of no part (None, or not mentioned) are seen by no mechanism.
        """
        part_of, names = _assignment(mapping, parts)
        return cls([lambda D, name=name: _kept(D, lambda x: part_of(x) == name) for name in names], names)

    @classmethod
    def by_order(cls, mapping: Mapping | Iterable | Callable, parts: Iterable | None = None) -> Partition:
        """Split a table by the number of the row alone, counted from 1 (Example IV.7)."""
        part_of, names = _assignment(mapping, parts)
        rows = lambda D, name: tuple((n, x) for n, x in enumerate(D, 1) if part_of(n) == name)  # noqa: E731
        return _ByOrder([lambda D, name=name: rows(D, name) for name in names], names)

    @classmethod
    def by_node(cls, blocks: Iterable) -> Partition:
        """Split a graph into the edges inside each block of nodes; edges between blocks belong to no part."""
        part_of, names = _assignment(blocks, None)
        inside = lambda e, name: {part_of(node) for node in e} == {name}  # noqa: E731
        return cls([lambda D, name=name: _kept(D, lambda e: inside(e, name)) for name in names], names)

    def check(self, cls: DatabaseClass) -> None:
        """Refuse parts that overlap, or that are not part of the database."""
        for D in cls:
            whole, parts = Counter(self._rows(D, cls)), Counter()
            for part in self(D):
                parts.update(members(part))
            if extra := parts - whole:
                raise ValueError(
                    f"parts must not overlap, but {next(iter(extra))!r} is in the parts of {cls.label(D)} "
                    f"{parts[next(iter(extra))]} times instead of at most {whole[next(iter(extra))]}"
                )

    def _rows(self, D: Database, cls: DatabaseClass) -> Iterable:
        return D

    def compatible(self, space: NeighbourSpace) -> bool:
        """Say whether one step changes at most one part: I_p <= 1 on neighbours (d^G-compatibility)."""
        self.check(as_graph("space", space).cls)
        return super().compatible(space)

    def union(self, D: Database) -> Database:
        """Return what all mechanisms together are given, the sum of the parts."""
        parts = self(D)
        return frozenset().union(*parts) if isinstance(D, frozenset) else tuple(x for part in parts for x in part)

    def commutes_with(self, metric: Callable | PrivacySpace = symmetric_difference, on=None) -> bool:
        """Say whether sum_i d(p_i(D), p_i(D')) = d(union, union') <= d(D, D') for all D, D' (section IV-C).

        `metric` is a function of two databases, to be tried on the class `on`, or a privacy space that contains the
        parts and their unions.
        """
        cls = metric.cls if on is None and isinstance(metric, PrivacySpace) else as_class(on)
        self.check(cls)
        d = metric.distance if isinstance(metric, PrivacySpace) else as_map(metric, "metric")
        return all(self._commutes_at(d, D, E) for D in cls for E in cls)

    def _commutes_at(self, d: Callable, D: Database, E: Database) -> bool:
        total = sum(d(x, y) for x, y in zip(self(D), self(E), strict=True))
        return total == d(self.union(D), self.union(E)) <= d(D, E)


class _ByOrder(Partition):
    """A partition of tables; its parts are numbered rows."""

    def _kind(self, cls: DatabaseClass) -> Kind:
        return Rows(cls.kind.records) if isinstance(cls.kind, Tables) else cls.kind

    def _rows(self, D: Database, cls: DatabaseClass) -> Iterable:
        return enumerate(D, 1)

    def union(self, D: Database) -> Database:
        return tuple(sorted(super().union(D), key=lambda row: row[0]))


# ------------------------------------------------------------------------------------------------------ one step each


def _kept(D: Database, wanted: Callable[[Hashable], bool]) -> Database:
    """Return the part of a database whose records are wanted, in the same form."""
    return (frozenset if isinstance(D, frozenset) else tuple)(x for x in D if wanted(x))


def _assignment(mapping, parts) -> tuple[Callable, Sequence]:
    """Return record -> part and the names of the parts, from a dictionary, a list of blocks, or a function."""
    if callable(mapping):
        if parts is None:
            raise ValueError("parts must name the parts when the mapping is a function")
        return mapping, checks.names("parts", parts)
    if not isinstance(mapping, Mapping):
        blocks = _blocks(mapping)
        parts = checks.names("parts", range(1, len(blocks) + 1) if parts is None else parts, len(blocks))
        mapping = {x: part for part, block in zip(parts, blocks, strict=True) for x in block}
    given = [part for part in mapping.values() if part is not None]
    names = dict.fromkeys(_hashable("mapping", given)) if parts is None else parts
    return mapping.get, checks.names("parts", names)


def _hashable(name: str, values: list) -> list:
    """Return values that can be records, or names of parts."""
    try:
        set(values)
    except TypeError:
        raise ValueError(f"{name} must consist of numbers, words or tuples, not {checks.shorten(values)}") from None
    return values


def _blocks(given) -> list[list]:
    if not np.iterable(given) or not all(np.iterable(block) for block in given):
        raise ValueError(f"mapping must be a dictionary, a list of blocks or a function, not {checks.shorten(given)}")
    blocks = [list(block) for block in given]
    flat = [x for block in blocks for x in block]
    counted = Counter(_hashable("mapping", flat))
    if twice := [x for x, n in counted.items() if n > 1]:
        raise ValueError(f"parts must not overlap, but {twice[0]!r} is in {counted[twice[0]]} of the blocks")
    return blocks
