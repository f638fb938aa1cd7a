"""Privacy spaces: a class of databases with a metric, and the graph of neighbours that a granularity draws in it.

The canonical metric of a granularity counts steps between neighbours *inside the class*; it is infinite where no path
leads (Theorem III.3: eps-DP for neighbours is the promise eps times this metric for all pairs).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import checks
from ..annotations import Outcome
from .databases import DatabaseClass
from .extended import as_matrix, closure, satisfies_triangle, times, whole
from .kinds import Database

if TYPE_CHECKING:
    from .granularities import Granularity


MANY_NEIGHBOURS = 30  # on average; then products of matrices are faster than paths, one start after the other


def as_class(cls, name: str = "cls") -> DatabaseClass:
    """Return a database class, given as such or as a list of databases."""
    if isinstance(cls, DatabaseClass):
        return cls
    if not np.iterable(cls) or isinstance(cls, str):
        raise ValueError(f"{name} must be a DatabaseClass or a list of databases, not {checks.shorten(cls)}")
    return DatabaseClass(cls)


class PrivacySpace:
    """A class of databases with a metric: a function of two databases, or the matrix of all distances.

    Distances may be infinite, and zero between different databases. `2 * space` stretches the metric, with
    0 * inf = inf; `space + other` adds two metrics on the same class.

    >>> PrivacySpace([0, 3, 10], lambda x, y: abs(x - y)).diameter
    10
    """

    granularity: Granularity | None = None

    def __init__(self, cls: DatabaseClass | Iterable[Any], metric: Callable[..., Any] | np.ndarray):
        self.cls = as_class(cls)
        if callable(metric):
            metric = [[metric(D, E) for E in self.cls] for D in self.cls]
        self.matrix = as_matrix(metric, len(self.cls))

    @property
    def databases(self) -> list[Database]:
        """The databases, in the order of the matrix."""
        return self.cls.databases

    def __len__(self) -> int:
        return len(self.cls)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} on {self.cls.size} databases>"

    def position(self, D: Outcome) -> int:
        """Return the row of the matrix that belongs to a database."""
        D = self.cls.database(D)
        return self.cls.index[D]

    def distance(self, D: Outcome, D2: Outcome) -> int | float:
        """Return the distance of two databases; inf if nothing is promised about them."""
        return whole(self.matrix[self.position(D), self.position(D2)])

    @property
    def is_connected(self) -> bool:
        """Whether all distances are finite."""
        return self.diameter < math.inf

    @property
    def diameter(self) -> int | float:
        """The largest distance."""
        return whole(self.matrix.max(initial=0.0))

    @property
    def components(self) -> list[list[Database]]:
        """The classes of databases that finite distances lead to from each other."""
        if not len(self):
            return []
        parts = _components(np.isfinite(self.matrix))
        return [[self.databases[i] for i in part] for part in parts]

    @property
    def is_metric(self) -> bool:
        """Whether the triangle inequality holds (d^f need not satisfy it, footnote 7)."""
        return satisfies_triangle(self.matrix)

    def closure(self) -> PrivacySpace:
        """Return the largest metric that is nowhere above this one: shortest paths."""
        return PrivacySpace(self.cls, closure(self.matrix))

    def restricted(self, cls: DatabaseClass | Iterable[Any]) -> PrivacySpace:
        """Keep the distances, on a part of the class; its own canonical metric may be larger (Remark A.2)."""
        part = cls if isinstance(cls, DatabaseClass) else self.cls.only(checks.listed("cls", cls))
        chosen = [self.position(D) for D in part]
        return PrivacySpace(part, self.matrix[np.ix_(chosen, chosen)])

    def pull(self, f: Callable[..., Any], cls: DatabaseClass | Iterable[Any]) -> PrivacySpace:
        """Return the metric d(f(D), f(D')) on the databases that f maps into this class."""
        cls = as_class(cls)
        values = list(map(checks.function("f", f), cls))
        return PrivacySpace(cls, self.matrix_at(values))

    def matrix_at(self, databases: list[Any]) -> np.ndarray:
        """Return the distances of a list of databases of the class, which may repeat."""
        chosen = np.array([self.position(D) for D in checks.listed("databases", databases)], dtype=int)
        return self.matrix[np.ix_(chosen, chosen)]

    def __rmul__(self, factor: float) -> PrivacySpace:
        """Stretch the metric, with 0 * inf = inf."""
        stretched = times(checks.scalar("factor", factor, low=0), self.matrix)
        np.fill_diagonal(stretched, 0.0)
        return PrivacySpace(self.cls, stretched)

    def __add__(self, other: PrivacySpace) -> PrivacySpace:
        """Add two metrics on the same class."""
        as_space("other", other)
        if self.cls != other.cls:
            raise ValueError(f"both spaces must be on the same class, not on {self.cls!r} and {other.cls!r}")
        return PrivacySpace(self.cls, self.matrix + other.matrix)


class NeighbourSpace(PrivacySpace):
    """The graph of databases: a class with a granularity, and the number of steps as its metric."""

    def __init__(self, cls: DatabaseClass, granularity: Granularity):
        self.cls = cls
        self.granularity = granularity
        self._formula = granularity.closed_form(cls)
        if self._formula is None or self._is_small:
            _ = self.adjacency  # refuses a class that is too large, or a relation that is not symmetric

    @property
    def _is_small(self) -> bool:
        return self.cls.is_listed

    def __repr__(self) -> str:
        return f"<NeighbourSpace {self.granularity.name} on {self.cls.size} databases>"

    @cached_property
    def adjacency(self) -> np.ndarray:
        """The matrix that says which databases are neighbours."""
        _ = self.cls.databases  # refuses a class that is too large
        return self.granularity.adjacency(self.cls)

    @cached_property
    def edges(self) -> np.ndarray:
        """The neighbouring pairs as positions (i, j) with i < j, one a row."""
        return np.argwhere(np.triu(self.adjacency))

    @property
    def neighbouring_pairs(self) -> list[tuple[Database, Database]]:
        """The neighbouring pairs of databases, each once."""
        return [(self.databases[i], self.databases[j]) for i, j in self.edges]

    @cached_property
    def matrix(self) -> np.ndarray:
        """The canonical metric: lengths of shortest paths (Proposition A.1)."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import shortest_path

        if not len(self):
            return np.zeros((0, 0))
        if self.adjacency.sum() > MANY_NEIGHBOURS * len(self):
            return _steps(self.adjacency)
        return shortest_path(csr_array(self.adjacency), method="D", unweighted=True, directed=False)

    def distance(self, D: Outcome, D2: Outcome) -> int | float:
        """Return the number of steps between two databases; inf if no path leads from one to the other."""
        if self._is_small:
            return super().distance(D, D2)
        one = self.cls.database(D)
        two = self.cls.database(D2)
        return whole(self._formula.distance(self.cls, one, two))

    @property
    def diameter(self) -> int | float:
        """The largest distance."""
        return super().diameter if self._is_small else whole(self._formula.diameter(self.cls))

    def neighbours(self, D: Outcome) -> list[Database]:
        """Return the databases one step away."""
        row = self.adjacency[self.position(D)]
        return [self.databases[j] for j in np.flatnonzero(row)]

    def are_neighbours(self, D: Outcome, D2: Outcome) -> bool:
        """Say whether two databases are one step apart."""
        return self.distance(D, D2) == 1

    def shortest_path(self, D: Outcome, D2: Outcome) -> list[Database]:
        """Return a shortest path, from D to D2, always the same one; an empty list if there is none."""
        here = self.position(D)
        steps_left = self.matrix[:, self.position(D2)]
        if np.isinf(steps_left[here]):
            return []
        path = [here]
        while steps_left[here] > 0:
            closer = self.adjacency[here] & (steps_left == steps_left[here] - 1)
            here = int(np.argmax(closer))
            path.append(here)
        return [self.databases[i] for i in path]


def _steps(adjacency: np.ndarray) -> np.ndarray:
    """Return the lengths of shortest paths in a graph with many edges: who is reached within 1, 2, 3, ... steps."""
    distance = np.full(adjacency.shape, np.inf)
    for part in _components(adjacency):
        square = np.ix_(part, part)
        distance[square] = _connected_steps(adjacency[square])
    return distance


def _connected_steps(adjacency: np.ndarray) -> np.ndarray:
    """Return the lengths of shortest paths in a connected graph."""
    distance = np.where(adjacency, 1.0, np.inf)
    np.fill_diagonal(distance, 0.0)
    step = adjacency.astype(np.float32)
    newest = adjacency
    steps = 1
    while np.isinf(distance).any():
        reached = newest.astype(np.float32) @ step > 0
        newest = reached & np.isinf(distance)
        steps += 1
        distance[newest] = steps
    return distance


def _components(adjacency: np.ndarray) -> list[np.ndarray]:
    """Return the nodes of each component of a graph."""
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(adjacency, directed=False)
    return [np.flatnonzero(labels == i) for i in range(number)]


def as_space(name: str, given: Any) -> PrivacySpace:
    """Return a privacy space, or say that one is needed."""
    if not isinstance(given, PrivacySpace):
        raise ValueError(f"{name} must be a PrivacySpace such as unbounded.on(cls), not {checks.shorten(given)}")
    return given


def as_graph(name: str, given: Any) -> NeighbourSpace:
    """Return a privacy space with neighbours, or say that one is needed."""
    if not isinstance(given, NeighbourSpace):
        raise ValueError(f"{name} must have neighbours, such as unbounded.on(cls), not {checks.shorten(given)}")
    return given
