"""Classes of databases that are small enough to be drawn: where each database stands, and what it is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from itertools import combinations

import numpy as np

from ..figures import arc, letters
from ..granularity import (
    DatabaseClass,
    Granularity,
    NeighbourSpace,
    bounded,
    edge,
    event_level,
    free_lunch,
    node,
    unbounded,
    user_level,
    user_presence,
    w_event,
)

Place = tuple[float, float]
NODES = {1: (0.0, 0.0), 2: (-1.0, 1.0), 3: (1.0, 1.0), 4: (-1.0, -1.0), 5: (1.0, -1.0)}  # of a graph inside a circle
TRIANGLE = {1: (-1.0, -0.7), 2: (1.0, -0.7), 3: (0.0, 1.0)}
USERS = ("Ann", "Bob")


class SmallClass:
    """A class with its granularities, and for each database a place, a short text and a longer name."""

    def __init__(
        self, cls: DatabaseClass, granularities: list[Granularity], place: Callable[[Hashable], Place],
        text: Callable[[Hashable], str] | None = None, name: Callable[[Hashable], str] | None = None,
        nodes: Mapping[int, Place] | None = None, ends: tuple[int, int] = (0, -1),
    ):  # fmt: skip
        self.cls, self.nodes = cls, nodes
        self.granularities = {g.name.replace("_", " "): g for g in [*granularities, free_lunch]}
        self.names = [(name or cls.label)(D) for D in cls]
        self.texts = [(text or letters)(D) for D in cls]
        self.places = _unit([place(D) for D in cls])
        self._arcs: dict[str, dict] = {}
        self.ends = tuple(self.names[i] for i in ends)

    @cached_property
    def spaces(self) -> dict[str, NeighbourSpace]:
        """The class under each of its granularities."""
        return {name: granularity.on(self.cls) for name, granularity in self.granularities.items()}

    def arcs(self, granularity: str) -> dict[tuple[int, int], np.ndarray]:
        """Return each edge as points: straight, or bent around the databases that stand in its way."""
        if granularity not in self._arcs:
            edges = self.spaces[granularity].edges.tolist()
            self._arcs[granularity] = {(i, j): arc(self.places, i, j) for i, j in edges}
        return self._arcs[granularity]

    def database(self, name: str) -> Hashable:
        """Return the database with this name."""
        return self.cls.databases[self.names.index(name)]


def _unit(places: list[Place]) -> np.ndarray:
    """Return the places stretched over the unit square."""
    places = np.array(places, dtype=float)
    low, high = places.min(axis=0), places.max(axis=0)
    return (places - low) / (high - low)


# --------------------------------------------------------------------------------------------------- where they stand


def _by_size(D: tuple) -> Place:
    return D.count("b") - D.count("a"), len(D)


def _in_triangle(D: tuple) -> Place:
    return D.count("c") - D.count("a"), D.count("b")


def _as_tree(D: tuple) -> Place:
    return (sum((1 if x == "b" else -1) / 2**n for n, x in enumerate(D, 1)), len(D))


def _in_cube(bits: list[int]) -> Place:
    return bits[0] + 0.42 * bits[2], bits[1] + 0.42 * bits[2]


def _table_in_cube(D: tuple) -> Place:
    return _in_cube([x == "b" for x in D])


def _graph_in_cube(D: frozenset) -> Place:
    return _in_cube([e in D for e in ((1, 2), (1, 3), (2, 3))])


def _by_edges(D: frozenset) -> Place:
    """Return rows of 1, 4, 6, 4, 1 graphs, in the order of their edges."""
    row = list(combinations((2, 3, 4, 5), len(D)))
    return row.index(tuple(sorted(v for _, v in D))) - (len(row) - 1) / 2, len(D)


def _by_user(D: tuple) -> Place:
    events = _events(D)
    return events[0], events[1]


def _events(D: tuple) -> list[int]:
    counted = Counter(user for user, _ in D)
    return [counted[user] for user in USERS]


def _log_name(D: tuple) -> str:
    return ", ".join(f"{user} {n}" for user, n in zip(USERS, _events(D), strict=True))


# ---------------------------------------------------------------------------------------------------------- the classes

_star = DatabaseClass.graphs(5).only(lambda D: all(u == 1 for u, _ in D))
CLASSES = {
    "multisets, at most 3 of a, b": SmallClass(
        DatabaseClass.multisets("ab", at_most=3), [unbounded, bounded], _by_size, ends=(3, 5)
    ),
    "multisets, exactly 2 of a, b, c": SmallClass(
        DatabaseClass.multisets("abc", exactly=2), [bounded, unbounded], _in_triangle
    ),
    "tables, at most 3 rows of a, b": SmallClass(
        DatabaseClass.ordered("ab", at_most=3), [unbounded, bounded], _as_tree, ends=(9, 11)
    ),
    "tables, exactly 3 rows of a, b": SmallClass(
        DatabaseClass.ordered("ab", exactly=3), [bounded, w_event(2), unbounded], _table_in_cube
    ),
    "graphs on 3 nodes": SmallClass(
        DatabaseClass.graphs(3), [edge, node], _graph_in_cube, text=lambda D: "", nodes=TRIANGLE
    ),
    "graphs inside a star of 4 rays": SmallClass(_star, [edge, node], _by_edges, text=lambda D: "", nodes=NODES),
    "logs of Ann and Bob, 3 events each": SmallClass(
        DatabaseClass.user_logs(USERS, "x", at_most=3), [event_level, user_level, user_presence], _by_user,
        text=lambda D: "{}|{}".format(*_events(D)), name=_log_name,
    ),
}  # fmt: skip
