"""Granularities: classes of databases, who is whose neighbour, and the metrics that follow.

A mechanism has one pair of distributions for *every two* databases. A granularity says which of them are neighbours;
the number of steps between neighbours is a metric on the class, and eps-DP is a promise of eps times this metric about
all the pairs (Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe, GMPS, section III).

- `DatabaseClass`: multisets, ordered tables, graphs, logs of users, or any list.
- `Granularity`: `unbounded`, `bounded`, `free_lunch`, `edge`, `node`, `event_level`, `user_level`, or one's own;
  `granularity.on(cls)` is a `PrivacySpace` with distances, neighbours and shortest paths.
- `dist`, `sensitivity`: comparing granularities, and what a map does to distances.
- `Partition`, `Maps`: which part of the database each mechanism is given.
- `minimum_privacy`: what remains of a metric when a mechanism looks at f(D) only.

Throughout, 0 * inf = inf: where nothing is promised, no part of nothing is promised either.
"""

from .comparison import MinimumPrivacy, dist, minimum_privacy, sensitivity
from .databases import DatabaseClass
from .extended import closure, times
from .formulas import rows_changed, symmetric_difference, vertex_cover, window_cover
from .granularities import (
    Granularity,
    attribute,
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
from .partition import Maps, Partition
from .space import NeighbourSpace, PrivacySpace

__all__ = [
    "DatabaseClass",
    "Granularity",
    "Maps",
    "MinimumPrivacy",
    "NeighbourSpace",
    "Partition",
    "PrivacySpace",
    "attribute",
    "bounded",
    "closure",
    "dist",
    "edge",
    "event_level",
    "free_lunch",
    "minimum_privacy",
    "node",
    "rows_changed",
    "sensitivity",
    "symmetric_difference",
    "times",
    "unbounded",
    "user_level",
    "user_presence",
    "vertex_cover",
    "w_event",
    "window_cover",
]
