"""Classes of databases that are small enough to be drawn: where each database stands, and what it is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

import numpy as np

from ...figures.style import arc, letters
from ...granularity import (
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


@dataclass(frozen=True, eq=False)
class SmallClass:
    """A class with its granularities, and for each database a place, a short text and a longer name."""

    cls: DatabaseClass
    own: list[Granularity]
    place: Callable[[Hashable], Place]
    text: Callable[[Hashable], str] = letters
    name: Callable[[Hashable], str] | None = None
    nodes: Mapping[int, Place] | None = None
    compared: tuple[int, int] = (0, -1)  # the two databases with which an example begins

    @cached_property
    def granularities(self) -> dict[str, Granularity]:
        """The granularities that the class is shown under."""
        return {granularity.name.replace("_", " "): granularity for granularity in [*self.own, free_lunch]}

    @cached_property
    def names(self) -> list[str]:
        """The name of each database."""
        return list(map(self.name or self.cls.label, self.cls))

    @cached_property
    def texts(self) -> list[str]:
        """What is written into the circle of each database."""
        return list(map(self.text, self.cls))

    @cached_property
    def places(self) -> np.ndarray:
        """Where each database stands."""
        return _unit(list(map(self.place, self.cls)))

    @property
    def first(self) -> dict[str, str]:
        """The granularity and the two databases with which an example begins."""
        start, goal = self.compared
        return dict(granularity=next(iter(self.granularities)), start=self.names[start], goal=self.names[goal])

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """What can be chosen."""
        names = tuple(self.names)
        return dict(granularity=tuple(self.granularities), start=names, goal=names)

    @cached_property
    def spaces(self) -> dict[str, NeighbourSpace]:
        """The class under each of its granularities."""
        return {name: granularity.on(self.cls) for name, granularity in self.granularities.items()}

    @cache  # noqa: B019, the few classes live as long as the module
    def arcs(self, granularity: str) -> dict[tuple[int, int], np.ndarray]:
        """Return each edge as points: straight, or bent around the databases that stand in its way."""
        edges = self.spaces[granularity].edges.tolist()
        return {(i, j): arc(self.places, i, j) for i, j in edges}

    def database(self, name: str) -> Hashable:
        """Return the database with this name."""
        return self.cls.databases[self.names.index(name)]


def _unit(places: list[Place]) -> np.ndarray:
    """Return the places stretched over the unit square."""
    places = np.array(places, dtype=float)
    low = places.min(axis=0)
    return (places - low) / (places.max(axis=0) - low)


# --------------------------------------------------------------------------------------------------- where they stand


def _by_size(D: tuple) -> Place:
    return D.count("b") - D.count("a"), len(D)


def _in_triangle(D: tuple) -> Place:
    return D.count("c") - D.count("a"), D.count("b")


def _as_tree(D: tuple) -> Place:
    """Return the place in a tree that branches to the left for a, to the right for b, ever less."""
    turn = {"a": -1, "b": 1}
    return sum(turn[x] / 2**level for level, x in enumerate(D, 1)), len(D)


def _in_cube(bits: list[int]) -> Place:
    return bits[0] + 0.42 * bits[2], bits[1] + 0.42 * bits[2]


def _table_in_cube(D: tuple) -> Place:
    return _in_cube([x == "b" for x in D])


def _graph_in_cube(D: frozenset) -> Place:
    return _in_cube([e in D for e in ((1, 2), (1, 3), (2, 3))])


def _by_edges(D: frozenset) -> Place:
    """Return rows of 1, 4, 6, 4, 1 graphs, in the order of their edges."""
    row = list(combinations((2, 3, 4, 5), len(D)))
    rays = tuple(sorted(ray for _, ray in D))
    middle = (len(row) - 1) / 2
    return row.index(rays) - middle, len(D)


def _by_user(D: tuple) -> Place:
    events = _events(D)
    return events[0], events[1]


def _events(D: tuple) -> list[int]:
    counted = Counter(user for user, _ in D)
    return [counted[user] for user in USERS]


def _no_text(D: frozenset) -> str:
    return ""


def _log_text(D: tuple) -> str:
    return "|".join(map(str, _events(D)))


def _log_name(D: tuple) -> str:
    return ", ".join(f"{user} {n}" for user, n in zip(USERS, _events(D), strict=True))


# ---------------------------------------------------------------------------------------------------------- the classes

AT_MOST_3 = DatabaseClass.multisets("ab", at_most=3)
EXACTLY_2 = DatabaseClass.multisets("abc", exactly=2)
TABLES = DatabaseClass.ordered("ab", at_most=3)
TABLES_OF_3 = DatabaseClass.ordered("ab", exactly=3)
GRAPHS = DatabaseClass.graphs(3)
STARS = DatabaseClass.graphs(5).only(lambda D: all(u == 1 for u, _ in D))
LOGS = DatabaseClass.user_logs(USERS, "x", at_most=3)
BY_USER = [event_level, user_level, user_presence]

CLASSES = {
    "multisets, at most 3 of a, b": SmallClass(AT_MOST_3, [unbounded, bounded], _by_size, compared=(3, 5)),
    "multisets, exactly 2 of a, b, c": SmallClass(EXACTLY_2, [bounded, unbounded], _in_triangle),
    "tables, at most 3 rows of a, b": SmallClass(TABLES, [unbounded, bounded], _as_tree, compared=(9, 11)),
    "tables, exactly 3 rows of a, b": SmallClass(TABLES_OF_3, [bounded, w_event(2), unbounded], _table_in_cube),
    "graphs on 3 nodes": SmallClass(GRAPHS, [edge, node], _graph_in_cube, text=_no_text, nodes=TRIANGLE),
    "graphs inside a star of 4 rays": SmallClass(STARS, [edge, node], _by_edges, text=_no_text, nodes=NODES),
    "logs of Ann and Bob, 3 events each": SmallClass(LOGS, BY_USER, _by_user, text=_log_text, name=_log_name),
}
