"""The general composition theorem: pull back, add up, take the level.

All composition theorems of GMPS are one mechanism. Each mechanism is given f_i(D) and promises d_i; *pull* its promise
back to D (or, if it is private on the common domain and only looks at f_i(D), take d_i^f_i); *add* the promises, pure
and approximate ones as they are, zero-concentrated and Gaussian ones in squares; and *take the level*, the worst pair
of neighbours. Which numbered theorem that is depends on the maps:

| | pure, independent | pure, adaptive | approximate | zero-concentrated | Gaussian |
|---|---|---|---|---|---|
| any maps | IV.1 | V.2 | VI.4 | VI.13 | VI.21 |
| any maps, common domain | IV.11 | V.5 | VI.7 | VI.14 | VI.22 |
| the whole database each | IV.3 | V.3 | VI.5 | VI.15 | VI.23 |
| a compatible partition, sensitivities at most 1 | IV.6 | V.4 | VI.6 | VI.16 | VI.26 |
| a compatible partition, common domain | IV.12 | V.6 | VI.7 | VI.14 | VI.22 |

Adaptivity costs nothing: the bounds are the same, and only the theorem's number changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .. import checks
from ..granularity.databases import DatabaseClass
from ..granularity.granularities import bounded
from ..granularity.partition import Maps, Partition
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class
from ..table import Table
from .privacy import MetricPrivacy

NOTIONS = ("pure", "approximate", "zero-concentrated", "Gaussian")
THEOREMS = {  # shape of the composition: pure independent, pure adaptive, and the other notions (always adaptive)
    "any maps": ("IV.1", "V.2", "VI.4", "VI.13", "VI.21"),
    "any maps, common domain": ("IV.11", "V.5", "VI.7", "VI.14", "VI.22"),
    "sequential": ("IV.3", "V.3", "VI.5", "VI.15", "VI.23"),
    "disjoint": ("IV.6", "V.4", "VI.6", "VI.16", "VI.26"),
    "disjoint, common domain": ("IV.12", "V.6", "VI.7", "VI.14", "VI.22"),
}
NAMES = {
    "any maps": "composition theorem",
    "any maps, common domain": "composition theorem for a common domain",
    "sequential": "generalized sequential composition",
    "disjoint": "best bound for disjoint inputs",
    "disjoint, common domain": "best bound for disjoint inputs, common domain",
}
PULLED = {
    "any maps": "d_i(f_i(D), f_i(D'))",
    "any maps, common domain": "d_i^f_i, what is left when only f_i(D) is looked at",
    "sequential": "nothing to do, each mechanism is given the whole database",
    "disjoint": "d_i(p_i(D), p_i(D')), and one step touches at most one part",
    "disjoint, common domain": "d_i^p_i, and one step touches at most one part",
}


def compose(
    guarantees: Iterable[MetricPrivacy],
    maps: Maps | Iterable[Callable] | None = None,
    *,
    on: PrivacySpace | DatabaseClass | None = None,
    adaptive: bool = False,
    common_domain: bool = False,
    closure: bool = True,
) -> Composed:
    """Return the promise of running all mechanisms and publishing all their outputs.

    Without `maps` every mechanism is given the whole database. With maps, mechanism i is given f_i(D): its promise is
    about the values of f_i, and `on` is the class (or space) of the databases D. With `common_domain` its promise is
    about D itself, and it looks at f_i(D) only; `closure=False` then takes the paper's d^f instead of its metric
    closure. In the adaptive case each promise must hold whatever the earlier mechanisms printed.
    """
    guarantees = _listed(guarantees)
    maps = maps if maps is None or isinstance(maps, Maps) else Maps(maps)
    if maps is not None and len(maps) != len(guarantees):
        raise ValueError(f"maps must have one map for each of the {len(guarantees)} guarantees, not {len(maps)}")
    space = _domain(guarantees, maps, on, common_domain)
    if maps is None:
        pulled = guarantees
    elif common_domain:
        pulled = [g.dependent_on(f, closure) for g, f in zip(guarantees, maps, strict=True)]
    else:
        pulled = [g.pull(f, space) for g, f in zip(guarantees, maps, strict=True)]
    return Composed(space, pulled, maps, adaptive, common_domain)


class Composed:
    """A promise made of several, which remembers the theorem.

    It answers like the promises it is made of: `at`, `matrix`, `level`, `worst_pair`, `guarantee`, `explain`. It can be
    composed further, pulled back, and made dependent.
    """

    def __init__(
        self, space: PrivacySpace, parts: Sequence[MetricPrivacy], maps: Maps | None, adaptive: bool, common: bool
    ):
        self.space, self.parts, self.maps = space, list(parts), maps
        self.adaptive, self.common_domain = adaptive, common
        self.promise = parts[0]._with(space, [term for part in parts for term in part.terms])

    def __getattr__(self, name: str):
        if name.startswith("__") or name == "promise":
            raise AttributeError(name)
        return getattr(self.promise, name)

    def shape(self, space: PrivacySpace | None = None) -> str:
        """Say which kind of composition this is, as seen by the neighbours of a space."""
        if self.maps is None:
            return "sequential"
        suffix = ", common domain" if self.common_domain else ""
        return ("disjoint" if self._is_best_bound(self.promise._against(space)) else "any maps") + suffix

    def _is_best_bound(self, space: PrivacySpace) -> bool:
        """Say whether the hypotheses of the best-bound theorems hold: compatible parts, sensitivities at most 1."""
        if not isinstance(self.maps, Partition) or not isinstance(space, NeighbourSpace):
            return False
        if not self.maps.compatible(space):
            return False
        i, j = space.edges.T
        steps = [term.distances[i, j].max(initial=0.0) for term in self.promise.terms]
        return max(steps, default=0.0) <= 1

    def theorem(self, space: PrivacySpace | None = None) -> str:
        """Return the theorem that gives the level for the neighbours of a space, as `IV.6`."""
        column = NOTIONS.index(self.promise.notion)
        return THEOREMS[self.shape(space)][column + 1 if column or self.adaptive else 0]

    def explain(self, space: PrivacySpace | None = None) -> Table:
        """Say how the promise came about, by which theorem, and which neighbours attain the level."""
        return self.promise._with(self.space, self.promise.terms, self._steps(space)).explain(space)

    def _steps(self, space: PrivacySpace | None) -> list[tuple[str, str]]:
        shape = self.shape(space)
        squares = " in squares" if self.promise.notion in ("zero-concentrated", "Gaussian") else ""
        steps = [
            ("theorem", f"{self.theorem(space)}, {NAMES[shape]}" + (", adaptive" if self.adaptive else "")),
            ("pull back", PULLED[shape]),
            ("add", f"{len(self.parts)} promises{squares}"),
        ]
        pure = self.promise.notion == "pure" and not self.adaptive
        corollary = ("which is", f"{'' if pure else 'as in '}Corollary IV.13: a change of one record touches two parts")
        return [*steps, corollary] if self._is_corollary(space) else steps

    def _is_corollary(self, space: PrivacySpace | None) -> bool:
        space = self.promise._against(space)
        two = isinstance(space, NeighbourSpace) and space.granularity is bounded and isinstance(self.maps, Partition)
        return two and self.common_domain and self.maps.most_touched(space)[0] == 2

    def __repr__(self) -> str:
        return f"<Composed: {self.promise!r} from {len(self.parts)} by Theorem {self.theorem()}>"


def _listed(guarantees) -> list[MetricPrivacy]:
    """Return the promises, if they are of one notion."""
    listed = list(guarantees) if np.iterable(guarantees) else [guarantees]
    listed = [g.promise if isinstance(g, Composed) else g for g in listed]
    if not listed or not all(isinstance(g, MetricPrivacy) for g in listed):
        raise ValueError(
            f"guarantees must be a list of promises such as Pure(space, eps), not {checks.shorten(guarantees)}"
        )
    if len({type(g) for g in listed}) > 1:
        kinds = sorted({g.notion for g in listed})
        raise ValueError(f"guarantees must be of one notion, not {' and '.join(kinds)}: convert them first")
    return listed


def _domain(guarantees: list, maps: Maps | None, on, common_domain: bool) -> PrivacySpace:
    """Return the space of the databases D."""
    if maps is not None and not common_domain:
        if on is None:
            raise ValueError("on must be the class of the databases that the maps are applied to, not None")
        return on if isinstance(on, PrivacySpace) else _flat(as_class(on))
    space = guarantees[0].space if on is None else on if isinstance(on, PrivacySpace) else _flat(as_class(on))
    for g in guarantees:
        if g.cls is not space.cls and g.cls != space.cls:
            raise ValueError(f"guarantees must be about the same databases, not about {space.cls!r} and {g.cls!r}")
    return space


def _flat(cls: DatabaseClass) -> PrivacySpace:
    """Return the class with the metric that tells all databases apart."""
    return PrivacySpace(cls, 1.0 - np.eye(len(cls.databases)))
