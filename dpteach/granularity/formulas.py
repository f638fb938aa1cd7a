"""Closed forms of canonical metrics on complete classes, for classes with too many databases for shortest paths.

Each distance takes the class and two databases, each diameter the class. On other classes they are false: between {}
and {b,b} the class {}, {a}, {a,b}, {a,b,b}, {b,b} has four unbounded steps, although the symmetric difference is two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from .. import checks
from .databases import DatabaseClass
from .kinds import Database, as_two, members


@dataclass(frozen=True)
class ClosedForm:
    """A canonical metric as a formula; `largest` is the largest distance in a class of at least two databases."""

    distance: Callable[[DatabaseClass, Database, Database], float]
    largest: Callable[[DatabaseClass], float]

    def diameter(self, cls: DatabaseClass) -> float:
        """Return the largest distance: 0 if there is only one database."""
        return self.largest(cls) if cls.size > 1 else 0


def symmetric_difference(D: Iterable[Any], E: Iterable[Any]) -> int:
    """Return |D △ E|, the sum over records of the difference of multiplicities."""
    gone, new = _one_sided(D, E)
    return gone + new


def _one_sided(D: Iterable, E: Iterable) -> tuple[int, int]:
    """Return |D minus E| and |E minus D|."""
    one = Counter(checks.hashable("the records of a database", record) for record in members(D))
    two = Counter(checks.hashable("the records of a database", record) for record in members(E))
    return (one - two).total(), (two - one).total()


def rows_changed(D: Iterable[Any], E: Iterable[Any]) -> float:
    """Return in how many rows two tables of equal length differ; inf if their lengths differ."""
    before = members(D)
    after = members(E)
    if len(before) != len(after):
        return math.inf
    return sum(x != y for x, y in zip(before, after, strict=True))


def vertex_cover(edges: Iterable[tuple[Any, ...]]) -> int:
    """Return the least number of nodes that touch all edges: the steps that rewire them, node by node."""
    return _cover({as_two(edge, "edges") for edge in checks.listed("edges", edges)})


def _cover(edges: set[tuple]) -> int:
    """Return the least number of nodes that touch all edges, by trying both: a node, or all beside it."""
    if not edges:
        return 0
    degree = Counter(chain(*edges))
    leaves = [node for node, number in degree.items() if number == 1]
    if leaves:  # a leaf touches no edge that the node beside it does not
        (hub,) = _beside(edges, leaves[0])
        return 1 + _uncovered(edges, {hub})
    hub = max(degree, key=degree.__getitem__)
    with_hub = 1 + _uncovered(edges, {hub})
    if (hub, hub) in edges:
        return with_hub
    beside = _beside(edges, hub)
    without_hub = len(beside) + _uncovered(edges, beside)
    return min(with_hub, without_hub)


def _beside(edges: set, node: Hashable) -> set:
    return {v for e in edges if node in e for v in e} - {node}


def _uncovered(edges: set, nodes: set) -> int:
    """Return the least number of nodes that touch the edges which the given ones do not."""
    return _cover({e for e in edges if not nodes.intersection(e)})


def window_cover(places: Iterable[int], w: int) -> int:
    """Return the least number of windows of w consecutive places that cover the given ones, greedily from the left."""
    w = checks.count("w", w, low=1)
    steps = 0
    covered = -math.inf
    for place in sorted(checks.count("places", place) for place in checks.listed("places", places)):
        if place > covered:
            steps += 1
            covered = place + w - 1
    return steps


def longest_common_subsequence(D: tuple[Any, ...], E: tuple[Any, ...]) -> int:
    """Return how many rows two tables share in the same order."""
    row = np.zeros(len(E) + 1, dtype=int)
    for x in D:
        same = np.array([x == y for y in E], dtype=int)
        best = np.maximum(row[:-1] + same, row[1:])
        row = np.maximum.accumulate(np.concatenate([[0], best]))
    return int(row[-1])


# ------------------------------------------------------------------------------------------------ what one step costs


def _several_sizes(cls: DatabaseClass) -> bool:
    return len(cls.sizes) > 1


def _unless_fixed(distance: float, cls: DatabaseClass) -> float:
    """Add-or-remove steps lead nowhere if all databases have the same size (Example III.4)."""
    return distance if _several_sizes(cls) or distance == 0 else math.inf


def _records_changed(cls, D, E) -> float:
    return _unless_fixed(symmetric_difference(D, E), cls)


def _records_replaced(cls, D, E) -> float:
    return max(_one_sided(D, E)) if len(D) == len(E) else math.inf


def _rows_inserted(cls, D, E) -> float:
    return _unless_fixed(len(D) + len(E) - 2 * longest_common_subsequence(D, E), cls)


def _users(D) -> dict:
    logs: dict = {}
    for user, event in D:
        logs.setdefault(user, []).append(event)
    return logs


def _changed_users(one: dict, two: dict) -> list:
    return [user for user in {*one, *two} if one.get(user) != two.get(user)]


def _users_replaced(cls, D, E) -> int:
    return len(_changed_users(_users(D), _users(E)))


def _users_removed_and_added(cls, D, E) -> int:
    one = _users(D)
    two = _users(E)
    return sum((user in one) + (user in two) for user in _changed_users(one, two))


def _choices(cls: DatabaseClass) -> int:
    """Return 2 if there are two different records to choose from, else their number."""
    return min(len(cls.kind.records), 2)


def _add_remove_diameter(cls: DatabaseClass) -> float:
    return cls.sizes[-1] * _choices(cls) if _several_sizes(cls) else math.inf


def _replace_diameter(cls: DatabaseClass) -> float:
    return math.inf if _several_sizes(cls) else cls.sizes[-1]


def _log_shape(cls: DatabaseClass) -> tuple[int, int, int]:
    """Return the numbers of users, of kinds of events, and of events a user may have."""
    return len(cls.kind.users), len(cls.kind.events), cls.sizes[-1]


def _event_diameter(cls: DatabaseClass) -> int:
    users, events, cap = _log_shape(cls)
    return users * cap * min(events, 2)


def _user_diameter(cls: DatabaseClass) -> int:
    users, _, _ = _log_shape(cls)
    return users


def _presence_diameter(cls: DatabaseClass) -> int:
    users, events, cap = _log_shape(cls)
    return users * min(math.comb(events + cap, cap) - 1, 2)


def windows(w: int) -> ClosedForm:
    """Return the metric of changes within windows of w entries."""

    def distance(cls, D, E) -> float:
        if len(D) != len(E):
            return math.inf
        changed = [n for n, (x, y) in enumerate(zip(D, E, strict=True)) if x != y]
        return window_cover(changed, w)

    def largest(cls) -> float:
        rows = _replace_diameter(cls)
        return rows if rows == math.inf else math.ceil(rows / w)

    return ClosedForm(distance, largest)


ADD_REMOVE = ClosedForm(_records_changed, _add_remove_diameter)
REPLACE = ClosedForm(_records_replaced, _replace_diameter)
INSERT_DELETE = ClosedForm(_rows_inserted, _add_remove_diameter)
CHANGE_ROW = ClosedForm(lambda cls, D, E: rows_changed(D, E), _replace_diameter)
ONE_STEP = ClosedForm(lambda cls, D, E: int(D != E), lambda cls: 1)
EDGES = ClosedForm(lambda cls, D, E: len(D ^ E), lambda cls: len(cls.kind.records))
NODES = ClosedForm(lambda cls, D, E: vertex_cover(D ^ E), lambda cls: len(cls.kind.nodes) - 1)
EVENTS = ClosedForm(lambda cls, D, E: symmetric_difference(D, E), _event_diameter)
USERS = ClosedForm(_users_replaced, _user_diameter)
PRESENCE = ClosedForm(_users_removed_and_added, _presence_diameter)
