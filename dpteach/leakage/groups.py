"""Groups: databases several steps apart, and the paths along which group privacy holds (LPR, section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import cached_property
from typing import Any

from ..channel import next_to, shortest_paths
from .joint import JointLaws


class Groups(JointLaws):
    """The part of a leaky mechanism that knows who is whose neighbour."""

    @cached_property
    def _beside(self) -> dict[Hashable, list]:
        """The neighbours of each database."""
        return next_to(self.databases, self.neighbours)

    def are_neighbours(self, x0: Hashable, x1: Hashable) -> bool:
        """Say whether two databases are neighbours."""
        return self._known(x1) in self._beside[self._known(x0)]

    def distance(self, x0: Hashable, x1: Hashable) -> int | float:
        """Return the number of steps between neighbours from x0 to x1 (Definition 20); inf if there is no path."""
        start = self._known(x0)
        if start not in self._steps:
            paths = shortest_paths(start, self._beside)
            self._steps[start] = {x: len(path) - 1 for x, path in paths.items()}
        return self._steps[start].get(self._known(x1), math.inf)

    @cached_property
    def _steps(self) -> dict[Hashable, dict]:
        """The distances asked for so far, by where they start."""
        return {}

    def group_paths(self, o: Hashable = None) -> dict[Any, Any]:
        """Return the shortest non-zero paths for o (Definition 21): {(x, x'): (x, ..., x')}, every database leaks o.

        Theorem 22 holds along them, with the length of the path (`bounds.group_bound`), which may exceed the distance.
        """
        self._known_leak(o)
        inside = [x for x in self.databases if o in self.leak.laws[x]]
        beside = next_to(inside, self.neighbours)
        paths = {x: shortest_paths(x, beside) for x in inside}
        return {(x, y): path for x in inside for y, path in paths[x].items() if x != y}
