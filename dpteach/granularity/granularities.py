"""Granularities: which databases are neighbours (Definition III.1). One step of each is one sentence.

| name | kind of databases | one step |
|---|---|---|
| `unbounded` | multisets, tables | add or remove one record (in a table: a row, and the later ones move) |
| `bounded` | multisets, tables | change one record |
| `free_lunch` | all | change everything |
| `edge`, `node` | graphs | add or remove one edge; rewire one node |
| `event_level` | logs, tables | add or remove one event of a log; change one entry of a stream |
| `user_level` | logs, tables | replace all events of one user; a stream is one user |
| `user_presence` | logs | add or remove all events of one user |
| `w_event(w)` | tables | change entries that lie in one window of w |
| `attribute` | multisets, tables | change one attribute of one record (a tuple) |
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from . import formulas, relations
from .databases import DatabaseClass
from .kinds import Graphs, Kind, Logs, Multisets, Rows, Tables
from .space import NeighbourSpace, as_class

Relation = Callable[[Hashable, Hashable], bool]


class Granularity:
    """A neighbour relation, to be used `on` a class of databases.

    One's own relation is a symmetric function of two databases, or a list of the neighbouring pairs.

    >>> bounded.on(DatabaseClass.multisets("ab", at_most=3)).distance("aab", "bbb")
    2
    """

    def __init__(self, relation: Relation | Iterable[tuple[Any, ...]], name: str = "own"):
        if not callable(relation) and not np.iterable(relation):
            raise ValueError(f"relation must be a function or a list of pairs, not {checks.shorten(relation)}")
        self.relation = relation if callable(relation) else list(relation)
        self.name = str(name)

    def on(self, cls: DatabaseClass | Iterable[Any]) -> NeighbourSpace:
        """Return the privacy space: the class with the number of steps as its metric."""
        return NeighbourSpace(as_class(cls), self)

    def adjacency(self, cls: DatabaseClass) -> np.ndarray:
        """Return the matrix that says which databases of the class are neighbours."""
        cls = as_class(cls)
        if callable(self.relation):
            table = [[bool(self.relation(D, E)) for E in cls] for D in cls]
            return _check_symmetric(_without_loops(table, cls), cls)
        table = np.zeros((len(cls), len(cls)), dtype=bool)
        for D, E in map(_two, self.relation):
            i = cls.index[cls.database(D)]
            j = cls.index[cls.database(E)]
            table[i, j] = True
            table[j, i] = True
        return _without_loops(table, cls)

    def closed_form(self, cls: DatabaseClass) -> formulas.ClosedForm | None:
        """Return the metric as a formula, if the class is complete and one is known."""
        return None

    def __repr__(self) -> str:
        return f"<Granularity {self.name}>"


@dataclass(frozen=True)
class Meaning:
    """What a granularity means for one kind of databases: who are neighbours, and the metric as a formula if known."""

    relation: Callable[[DatabaseClass], np.ndarray]
    formula: formulas.ClosedForm | None = None


class Named(Granularity):
    """A granularity of the literature: for each kind of databases a relation, and a closed form where one is known."""

    def __init__(self, name: str, step: str, by_kind: dict[type[Kind], Meaning]):
        self.name = name
        self.step = step
        self._by_kind = by_kind

    def _for(self, cls: DatabaseClass) -> Meaning:
        """Return the meaning for the kind of the class, or the kind that it specialises."""
        cls = as_class(cls)
        for kind in type(cls.kind).__mro__:
            if kind in self._by_kind:
                return self._by_kind[kind]
        known = " and ".join(kind.__name__.lower() for kind in self._by_kind)
        raise ValueError(f"granularity must fit the databases: {self.name} is about {known}, not about {cls!r}")

    def adjacency(self, cls: DatabaseClass) -> np.ndarray:
        return _without_loops(self._for(cls).relation(cls), cls)

    def closed_form(self, cls: DatabaseClass) -> formulas.ClosedForm | None:
        meaning = self._for(cls)
        return meaning.formula if cls.is_complete else None


def _without_loops(table: np.ndarray | list, cls: DatabaseClass) -> np.ndarray:
    """Return who is whose neighbour as a matrix in which nobody is his own."""
    matrix = np.array(table, dtype=bool).reshape(len(cls), len(cls))
    np.fill_diagonal(matrix, False)
    return matrix


def _check_symmetric(table: np.ndarray, cls: DatabaseClass) -> np.ndarray:
    if (table != table.T).any():
        i, j = np.argwhere(table & ~table.T)[0]
        D = cls.label(cls.databases[i])
        E = cls.label(cls.databases[j])
        raise ValueError(f"relation must be symmetric, but it relates {D} to {E} and not {E} to {D}")
    return table


def _two(pair) -> tuple:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"relation must hold pairs of databases, not {checks.shorten(pair)}")
    return tuple(pair)


# ------------------------------------------------------------------------------------------ the names of the lecture

unbounded = Named(
    "unbounded",
    "add or remove one record",
    {
        Multisets: Meaning(relations.add_or_remove, formulas.ADD_REMOVE),
        Logs: Meaning(relations.add_or_remove, formulas.EVENTS),
        Graphs: Meaning(relations.add_or_remove, formulas.EDGES),
        Tables: Meaning(relations.delete_row, formulas.INSERT_DELETE),
        Rows: Meaning(relations.fill_or_clear),
    },
)
bounded = Named(
    "bounded",
    "change one record",
    {
        Multisets: Meaning(relations.replace, formulas.REPLACE),
        Logs: Meaning(relations.replace),
        Graphs: Meaning(relations.replace),
        Tables: Meaning(relations.change_entry, formulas.CHANGE_ROW),
    },
)
free_lunch = Named("free_lunch", "change everything", {Kind: Meaning(relations.all_others, formulas.ONE_STEP)})
edge = Named("edge", "add or remove one edge", {Graphs: Meaning(relations.add_or_remove, formulas.EDGES)})
node = Named("node", "rewire one node", {Graphs: Meaning(relations.rewire, formulas.NODES)})
event_level = Named(
    "event_level",
    "add or remove one event",
    {
        Logs: Meaning(relations.add_or_remove, formulas.EVENTS),
        Tables: Meaning(relations.change_entry, formulas.CHANGE_ROW),
    },
)
user_level = Named(
    "user_level",
    "replace all events of one user",
    {Logs: Meaning(relations.one_user, formulas.USERS), Tables: Meaning(relations.same_rows)},
)
user_presence = Named(
    "user_presence",
    "add or remove all events of one user",
    {Logs: Meaning(relations.user_comes_or_goes, formulas.PRESENCE)},
)
attribute = Named(
    "attribute",
    "change one attribute of one record",
    {Multisets: Meaning(relations.change_attribute), Tables: Meaning(relations.change_attribute)},
)


def w_event(w: int) -> Granularity:
    """Return the granularity of streams that protects any w consecutive entries."""
    w = checks.count("w", w, low=1)
    step = f"change entries within a window of {w}"
    return Named(f"{w}-event", step, {Tables: Meaning(relations.window(w), formulas.windows(w))})
