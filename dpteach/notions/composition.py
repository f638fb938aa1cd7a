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

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from ..granularity.databases import DatabaseClass
from ..granularity.granularities import bounded
from ..granularity.partition import Maps, Partition
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class, as_space
from .promise import MetricPrivacy


@dataclass(frozen=True)
class Theorem:
    """A composition theorem: its name, how promises are pulled back, and its number for each notion."""

    name: str
    pulled: str
    pure: str
    pure_adaptive: str
    approximate: str
    zero_concentrated: str
    gaussian: str

    def number(self, notion: str, adaptive: bool) -> str:
        """Return the number in the paper; all theorems but those about pure privacy are adaptive anyway."""
        if notion == "pure":
            return self.pure_adaptive if adaptive else self.pure
        others = {
            "approximate": self.approximate,
            "zero-concentrated": self.zero_concentrated,
            "Gaussian": self.gaussian,
        }
        return others[notion]


ANY_MAPS = Theorem(
    name="composition theorem",
    pulled="d_i(f_i(D), f_i(D'))",
    pure="IV.1",
    pure_adaptive="V.2",
    approximate="VI.4",
    zero_concentrated="VI.13",
    gaussian="VI.21",
)
COMMON_DOMAIN = Theorem(
    name="composition theorem for a common domain",
    pulled="d_i^f_i, what is left when only f_i(D) is looked at",
    pure="IV.11",
    pure_adaptive="V.5",
    approximate="VI.7",
    zero_concentrated="VI.14",
    gaussian="VI.22",
)
SEQUENTIAL = Theorem(
    name="generalized sequential composition",
    pulled="nothing to do, each mechanism is given the whole database",
    pure="IV.3",
    pure_adaptive="V.3",
    approximate="VI.5",
    zero_concentrated="VI.15",
    gaussian="VI.23",
)
DISJOINT = Theorem(
    name="best bound for disjoint inputs",
    pulled="d_i(p_i(D), p_i(D')), and one step touches at most one part",
    pure="IV.6",
    pure_adaptive="V.4",
    approximate="VI.6",
    zero_concentrated="VI.16",
    gaussian="VI.26",
)
DISJOINT_COMMON_DOMAIN = Theorem(
    name="best bound for disjoint inputs, common domain",
    pulled="d_i^p_i, and one step touches at most one part",
    pure="IV.12",
    pure_adaptive="V.6",
    approximate="VI.7",
    zero_concentrated="VI.14",
    gaussian="VI.22",
)


@dataclass(frozen=True, eq=False)
class Composition:
    """How a promise was composed: from which promises about D, and what each mechanism is given."""

    parts: list[MetricPrivacy]
    maps: Maps | None
    adaptive: bool
    common_domain: bool

    def applied(self, promise: MetricPrivacy, space: PrivacySpace) -> Theorem:
        """Return the theorem that gives the level for the neighbours of a space."""
        as_space("space", space)
        _listed(promise)
        if self.maps is None:
            return SEQUENTIAL
        if self._is_best_bound(promise, space):
            return DISJOINT_COMMON_DOMAIN if self.common_domain else DISJOINT
        return COMMON_DOMAIN if self.common_domain else ANY_MAPS

    def _is_best_bound(self, promise: MetricPrivacy, space: PrivacySpace) -> bool:
        """Say whether the hypotheses of the best-bound theorems hold: compatible parts, sensitivities at most 1."""
        if not isinstance(self.maps, Partition) or not isinstance(space, NeighbourSpace):
            return False
        if not self.maps.compatible(space):
            return False
        i, j = space.edges.T
        return all(term.distances[i, j].max(initial=0.0) <= 1 for term in promise.terms)

    def theorem(self, promise: MetricPrivacy, space: PrivacySpace) -> str:
        """Return the number of the theorem, as `IV.6`."""
        return self.applied(promise, space).number(promise.notion, self.adaptive)

    def steps(self, promise: MetricPrivacy, space: PrivacySpace) -> list[tuple[str, str]]:
        """Say what was done, and by which theorem."""
        theorem = self.applied(promise, space)
        number = self.theorem(promise, space)
        adaptive = ", adaptive" if self.adaptive else ""
        squares = " in squares" if promise.notion in ("zero-concentrated", "Gaussian") else ""
        steps = [
            ("theorem", f"{number}, {theorem.name}{adaptive}"),
            ("pull back", theorem.pulled),
            ("add", f"{len(self.parts)} promises{squares}"),
        ]
        if self._is_corollary(space):
            stated = promise.notion == "pure" and not self.adaptive
            likeness = "" if stated else "as in "
            steps.append(("which is", f"{likeness}Corollary IV.13: a change of one record touches two parts"))
        return steps

    def _is_corollary(self, space: PrivacySpace) -> bool:
        """Say whether bounded neighbours compare mechanisms that look at disjoint parts of a common domain."""
        if not (self.common_domain and isinstance(self.maps, Partition)):
            return False
        if not (isinstance(space, NeighbourSpace) and space.granularity is bounded):
            return False
        most, _ = self.maps.most_touched(space)
        return most == 2


def compose(
    guarantees: Iterable[MetricPrivacy],
    maps: Maps | Iterable[Callable[..., Any]] | None = None,
    *,
    on: PrivacySpace | DatabaseClass | None = None,
    adaptive: bool = False,
    common_domain: bool = False,
    closure: bool = True,
) -> MetricPrivacy:
    """Return the promise of running all mechanisms and publishing all their outputs; it remembers the theorem.

    Without `maps` every mechanism is given the whole database. With maps, mechanism i is given f_i(D): its promise is
    about the values of f_i, and `on` is the class (or space) of the databases D. With `common_domain` its promise is
    about D itself, and it looks at f_i(D) only; `closure=False` then takes the paper's d^f instead of its metric
    closure. In the adaptive case each promise must hold whatever the earlier mechanisms printed.
    """
    guarantees = _listed(guarantees)
    adaptive = checks.truth("adaptive", adaptive)
    common_domain = checks.truth("common_domain", common_domain)
    closure = checks.truth("closure", closure)
    if maps is not None and not isinstance(maps, Maps):
        maps = Maps(maps)
    if maps is not None and len(maps) != len(guarantees):
        raise ValueError(f"maps must have one map for each of the {len(guarantees)} guarantees, not {len(maps)}")
    space = _domain(guarantees, maps, on, common_domain)
    if maps is None:
        parts = guarantees
    elif common_domain:
        parts = [promise.dependent_on(f, closure) for promise, f in zip(guarantees, maps, strict=True)]
    else:
        parts = [promise.pull(f, space) for promise, f in zip(guarantees, maps, strict=True)]
    terms = [term for part in parts for term in part.terms]
    origin = Composition(parts, maps, adaptive, common_domain)
    return parts[0]._like(space, terms, origin)


def _listed(guarantees) -> list[MetricPrivacy]:
    """Return the promises, if they are of one notion."""
    listed = list(guarantees) if np.iterable(guarantees) else [guarantees]
    if not listed or not all(isinstance(promise, MetricPrivacy) for promise in listed):
        raise ValueError(
            f"guarantees must be a list of promises such as Pure(space, eps), not {checks.shorten(guarantees)}"
        )
    kinds = sorted({promise.notion for promise in listed})
    if len(kinds) > 1:
        raise ValueError(f"guarantees must be of one notion, not {' and '.join(kinds)}: convert them first")
    return listed


def _domain(guarantees: list, maps: Maps | None, on, common_domain: bool) -> PrivacySpace:
    """Return the space of the databases D."""
    about_values = maps is not None and not common_domain
    if about_values and on is None:
        raise ValueError("on must be the class of the databases that the maps are applied to, not None")
    space = guarantees[0].space if on is None else _as_space(on)
    if about_values:
        return space
    for promise in guarantees:
        if promise.cls != space.cls:
            raise ValueError(
                f"guarantees must be about the same databases, not about {space.cls!r} and {promise.cls!r}"
            )
    return space


def _as_space(on: PrivacySpace | DatabaseClass | Iterable) -> PrivacySpace:
    """Return a space, or a class with the metric that tells all databases apart."""
    if isinstance(on, PrivacySpace):
        return on
    cls = as_class(on, "on")
    return PrivacySpace(cls, 1.0 - np.eye(len(cls.databases)))
