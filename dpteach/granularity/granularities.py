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

import numpy as np

from .. import checks
from . import formulas, relations
from .databases import DatabaseClass, Graphs, Kind, Logs, Multisets, Rows, Tables
from .space import NeighbourSpace, as_class

Relation = Callable[[Hashable, Hashable], bool]


class Granularity:
    """A neighbour relation, to be used `on` a class of databases.

    One's own relation is a symmetric function of two databases, or a list of the neighbouring pairs.

    >>> bounded.on(DatabaseClass.multisets("ab", at_most=3)).distance("aab", "bbb")
    2
    """

    def __init__(self, relation: Relation | Iterable[tuple], name: str = "own"):
        if not callable(relation) and not np.iterable(relation):
            raise ValueError(f"relation must be a function or a list of pairs, not {checks.shorten(relation)}")
        self.relation, self.name = relation if callable(relation) else list(relation), str(name)

    def on(self, cls: DatabaseClass | Iterable) -> NeighbourSpace:
        """Return the privacy space: the class with the number of steps as its metric."""
        return NeighbourSpace(as_class(cls), self)

    def adjacency(self, cls: DatabaseClass) -> np.ndarray:
        """Return the matrix that says which databases of the class are neighbours."""
        table = np.zeros((len(cls), len(cls)), dtype=bool)
        if callable(self.relation):
            for i, D in enumerate(cls):
                table[i] = [bool(self.relation(D, E)) for E in cls]
            return _check_symmetric(_without_loops(table), cls)
        for D, E in map(_two, self.relation):
            i, j = cls.index[cls.database(D)], cls.index[cls.database(E)]
            table[i, j] = table[j, i] = True
        return _without_loops(table)

    def closed_form(self, cls: DatabaseClass) -> formulas.ClosedForm | None:
        """Return the metric as a formula, if the class is complete and one is known."""
        return None

    def __repr__(self) -> str:
        return f"<Granularity {self.name}>"


class Named(Granularity):
    """A granularity of the literature: for each kind of databases a relation, and a closed form where one is known."""

    def __init__(self, name: str, step: str, by_kind: dict[type[Kind], tuple]):
        self.name, self.step, self._by_kind = name, step, by_kind

    def _for(self, cls: DatabaseClass) -> tuple:
        found = next((self._by_kind[kind] for kind in type(cls.kind).__mro__ if kind in self._by_kind), None)
        if found is None:
            known = " and ".join(kind.__name__.lower() for kind in self._by_kind)
            raise ValueError(f"granularity must fit the databases: {self.name} is about {known}, not about {cls!r}")
        return found

    def adjacency(self, cls: DatabaseClass) -> np.ndarray:
        relation, _ = self._for(cls)
        return _without_loops(relation(cls))

    def closed_form(self, cls: DatabaseClass) -> formulas.ClosedForm | None:
        _, formula = self._for(cls)
        return formula if cls.complete else None


def _without_loops(table: np.ndarray) -> np.ndarray:
    table = np.array(table, dtype=bool)
    np.fill_diagonal(table, False)
    return table


def _check_symmetric(table: np.ndarray, cls: DatabaseClass) -> np.ndarray:
    if (table != table.T).any():
        D, E = (cls.label(cls.databases[n]) for n in np.argwhere(table & ~table.T)[0])
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
        Multisets: (relations.add_or_remove, formulas.ADD_REMOVE),
        Logs: (relations.add_or_remove, formulas.EVENTS),
        Graphs: (relations.add_or_remove, formulas.EDGES),
        Tables: (relations.delete_row, formulas.INSERT_DELETE),
        Rows: (relations.fill_or_clear, None),
    },
)
bounded = Named(
    "bounded",
    "change one record",
    {
        Multisets: (relations.replace, formulas.REPLACE),
        Logs: (relations.replace, None),
        Graphs: (relations.replace, None),
        Tables: (relations.change_entry, formulas.CHANGE_ROW),
    },
)
free_lunch = Named("free_lunch", "change everything", {Kind: (relations.all_others, formulas.ONE_STEP)})
edge = Named("edge", "add or remove one edge", {Graphs: (relations.add_or_remove, formulas.EDGES)})
node = Named("node", "rewire one node", {Graphs: (relations.rewire, formulas.NODES)})
event_level = Named(
    "event_level",
    "add or remove one event",
    {Logs: (relations.add_or_remove, formulas.EVENTS), Tables: (relations.change_entry, formulas.CHANGE_ROW)},
)
user_level = Named(
    "user_level",
    "replace all events of one user",
    {Logs: (relations.one_user, formulas.USERS), Tables: (relations.same_rows, None)},
)
user_presence = Named(
    "user_presence",
    "add or remove all events of one user",
    {Logs: (relations.user_comes_or_goes, formulas.PRESENCE)},
)
attribute = Named(
    "attribute",
    "change one attribute of one record",
    {Multisets: (relations.change_attribute, None), Tables: (relations.change_attribute, None)},
)


def w_event(w: int) -> Granularity:
    """Return the granularity of streams that protects any w consecutive entries."""
    w = checks.count("w", w, low=1)
    step = f"change entries within a window of {w}"
    return Named(f"{w}-event", step, {Tables: (relations.window(w), formulas.windows(w))})
