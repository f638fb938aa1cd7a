"""What a promise over a metric is, before it is known of which notion.

A promise is a list of terms, one for each mechanism: a level, and the matrix of distances that it is scaled by. To
compose mechanisms is to put their terms together; what two databases, or the worst neighbours, lose follows from the
terms by the notion's own arithmetic.

A promise is a curve, too: that of two neighbours which lose as much as the promise allows them, were they alone.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import checks
from ..annotations import Answer, Asked
from ..curve import VACUOUS, Curve, Vacuous
from ..granularity.comparison import minimum_privacy
from ..granularity.databases import DatabaseClass
from ..granularity.extended import least_factor
from ..granularity.kinds import Database
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class, as_graph, as_space
from ..guarantee import Guarantee
from ..numerics.rounding import UNIT, float_to, float_up, outward
from ..table import Table, show
from .scaling import CONVERSIONS, OPTIMAL

if TYPE_CHECKING:
    from .composition import Composition

NEAR = 1e-9  # pairs whose float value is this close to the largest are compared exactly


@dataclass(frozen=True, eq=False)
class Term:
    """What one mechanism promises: its level (eps, rho or mu) at distance 1, and all distances.

    An approximate promise also has a delta at distance 1, or a matrix of deltas for every two databases.
    """

    level: float
    distances: np.ndarray
    delta: float = 0.0
    deltas: np.ndarray | None = None

    def picked(self, rows: np.ndarray) -> Term:
        """Return the term about other databases, which stand in these rows."""
        square = np.ix_(rows, rows)
        deltas = None if self.deltas is None else self.deltas[square]
        return Term(self.level, self.distances[square], self.delta, deltas)


def term_of(level: float, distances: np.ndarray) -> Term:
    """Return what a mechanism promises; an infinite level says nothing about two databases, but loses nothing on one.

    The metric says so, not the level: two databases that look the same to the mechanism are one to it.
    """
    if level < math.inf:
        return Term(level, distances)
    return Term(1.0, np.where(np.eye(len(distances), dtype=bool), 0.0, np.inf))


class MetricPrivacy(Curve):
    """A promise about every two databases of a class. See `Pure`, `Approximate`, `ZeroConcentrated`, `Gaussian`.

    As a curve it answers for the neighbours of its space; without neighbours all these answers are `vacuous`.
    """

    notion: str
    sign: str
    power: int = 1  # with which the level grows in the distance

    def __init__(self, space: PrivacySpace, terms: Sequence[Term], origin: Composition | None = None):
        self.space = as_space("space", space)
        self.terms = list(terms)
        self.origin = origin

    def _like(self, space: PrivacySpace, terms: Sequence[Term], origin: Composition | None = None) -> MetricPrivacy:
        """Return a promise of the same notion."""
        made = type(self).__new__(type(self))
        MetricPrivacy.__init__(made, space, terms, origin)
        return made

    @property
    def cls(self) -> DatabaseClass:
        """The class of databases."""
        return self.space.cls

    # ------------------------------------------------------------------------------- the arithmetic of each notion

    @abstractmethod
    def _cost(self, term: Term) -> np.ndarray:
        """Return what a term costs each pair of databases; costs of different terms add up."""

    @abstractmethod
    def _sum(self, distances: Sequence[float], rounding: int) -> float:
        """Return an end of the total at one pair, from the distance in each term."""

    @abstractmethod
    def _curve_of(self, edge: tuple[int, int], rounding: int) -> Curve:
        """Return the curve of what two databases may lose, from that end of their level."""

    @abstractmethod
    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        """Return the (eps, delta) that a level means."""

    def _total(self) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.sum([self._cost(term) for term in self.terms], axis=0)

    @property
    def matrix(self) -> np.ndarray:
        """What is promised about every two databases, in the order of the class (not rounded outward)."""
        return self._total()

    # ------------------------------------------------------------------------------------------- about two databases

    def at(self, D: Database, D2: Database) -> Answer:
        """Return what is promised about two databases: eps, (eps, delta), rho or mu, rounded up."""
        return self._at(self.space.position(D), self.space.position(D2))

    def _at(self, i: int, j: int):
        return self._level_at(i, j, +1)

    def _level_at(self, i: int, j: int, rounding: int) -> float:
        """Return an end of the level between two databases; a database is not distinguished from itself."""
        if i == j:
            return 0.0
        distances = [term.distances[i, j] for term in self.terms]
        return self._sum(distances, rounding)

    def guarantee_at(self, D: Database, D2: Database, delta: float = 0, conversion: str = OPTIMAL) -> Guarantee:
        """Return the (eps, delta)-indistinguishability of two databases, rounded up."""
        delta = checks.scalar("delta", delta, low=0, high=1)
        checks.choice("conversion", conversion, CONVERSIONS)
        return self._guarantee(self.at(D, D2), delta, conversion)

    # ----------------------------------------------------------------------------------------------- about neighbours

    def level(self, space: PrivacySpace | None = None) -> Answer:
        """Return the promise for neighbours of the space: the final eps, (eps, delta), rho or mu, rounded up.

        Without any neighbours the promise is vacuous. In a space without a granularity, the level is the least factor
        of its metric.
        """
        space = self._against(space)
        if not isinstance(space, NeighbourSpace):
            return self._factor(space)
        pair = self.worst_neighbours(space)
        return VACUOUS if pair is None else self.at(*pair)

    def worst_neighbours(self, space: PrivacySpace | None = None) -> tuple[Database, Database] | None:
        """Return the neighbours that lose most, which is where the level is attained; None if there are none."""
        space = as_graph("space", self._against(space))
        if not len(space.edges):
            return None
        i, j = self._worst_edge(space.edges)
        return space.databases[i], space.databases[j]

    def _worst_edge(self, edges: np.ndarray) -> tuple[int, int]:
        """Return the edge that costs most; floats find the candidates, which are then compared exactly."""
        cost = self._total()[tuple(edges.T)]
        candidates = self._kinds(edges[cost >= cost.max() * (1 - NEAR)])
        return max(candidates, key=lambda edge: self._level_at(*edge, +1))

    def _kinds(self, pairs: np.ndarray, *metrics: np.ndarray) -> list[tuple[int, int]]:
        """Return the first pair of each kind: the same distance in every term, and in the metrics."""
        i, j = pairs.T
        columns = [term.distances[i, j] for term in self.terms]
        columns += [matrix[i, j] for matrix in metrics]
        _, first = np.unique(np.stack(columns, axis=1), axis=0, return_index=True)
        return [tuple(pairs[n].tolist()) for n in sorted(first)]

    def _factor(self, space: PrivacySpace) -> float | Vacuous:
        """Return the least factor of the metric, to its power; floats find the candidates, exactly compared."""
        cost = self.matrix
        base = space.matrix**self.power
        if not np.isfinite(base[~np.eye(len(space), dtype=bool)]).any():
            return VACUOUS
        rough = least_factor(cost, base)
        if rough in (0, math.inf):
            return rough
        near = np.argwhere((cost > 0) & np.isfinite(base) & (cost >= rough * (1 - NEAR) * base))
        factors = [self._exact_factor(pair, space) for pair in self._kinds(near, space.matrix)]
        return float_up(max(factors))

    def _exact_factor(self, pair: tuple[int, int], space: PrivacySpace) -> Fraction:
        level = Fraction(self._level_at(*pair, +1))
        return level / Fraction(space.matrix[pair]) ** self.power

    def _against(self, space: PrivacySpace | None) -> PrivacySpace:
        """Return the space whose neighbours ask: by default the promise's own."""
        if space is None:
            return self.space
        if as_space("space", space).cls != self.cls:
            raise ValueError(f"space must be on the class of the promise, {self.cls!r}, not on {space.cls!r}")
        return space

    def guarantee(
        self, delta: float = 0, space: PrivacySpace | None = None, conversion: str = OPTIMAL
    ) -> Guarantee | Vacuous:
        """Return the (eps, delta)-DP that the promise gives to neighbours of the space, rounded up, or vacuous."""
        delta = checks.scalar("delta", delta, low=0, high=1)
        checks.choice("conversion", conversion, CONVERSIONS)
        level = self.level(space)
        return VACUOUS if level is VACUOUS else self._guarantee(level, delta, conversion)

    # ----------------------------------------------------------------------------------------------------- as a curve

    @property
    def vacuous(self) -> bool:
        """Whether the space has no neighbours at all."""
        return not len(as_graph("space", self.space).edges)

    def _worst_curve(self, rounding: int) -> Curve:
        """Return the curve of the worst neighbours, from that end of their level."""
        return self._curve_of(self._worst_edge(self.space.edges), rounding)

    @cached_property
    def _upper(self) -> Curve:
        return self._worst_curve(+1)

    @cached_property
    def _lower(self) -> Curve:
        return self._worst_curve(-1)

    def _end(self, rounding: int) -> Curve:
        return self._upper if rounding > 0 else self._lower

    def _delta_at(self, eps, rounding):
        return self._end(rounding)._delta_at(eps, rounding)

    def _epsilon_at(self, delta, rounding):
        return self._end(rounding)._epsilon_at(delta, rounding)

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of a test with type I error at most alpha that the promise allows."""
        checks.delta(alpha, "alpha")
        return VACUOUS if self.vacuous else self._upper.tradeoff(alpha)

    # ------------------------------------------------------------------------------------------- what follows from it

    def pull(self, f: Callable[..., Any], cls: DatabaseClass | PrivacySpace) -> MetricPrivacy:
        """Return the promise of M(f(D)) on another class: d(f(D), f(D')) (preprocessing, Proposition III.6)."""
        ask = checks.function("f", f)
        domain = cls.cls if isinstance(cls, PrivacySpace) else as_class(cls)
        rows = np.array([self.space.position(ask(D)) for D in domain], dtype=int)
        terms = [term.picked(rows) for term in self.terms]
        if isinstance(cls, PrivacySpace):
            return self._like(cls, terms)
        farthest = np.max([term.distances for term in terms], axis=0)  # a metric for a class that has none yet
        return self._like(PrivacySpace(domain, farthest), terms)

    def dependent_on(self, f: Callable[..., Any], closure: bool = True) -> MetricPrivacy:
        """Return the promise if the mechanism looks at f(D) only (Proposition IV.10), with the metric closure of d^f.

        `closure=False` is the paper's d^f itself, which is valid but may be larger. Several terms are added up before
        databases with the same f(D) are compared: each of them alone may be smallest at other databases.
        """
        closure = checks.truth("closure", closure)
        term = self.terms[0] if len(self.terms) == 1 else self._as_one_term()
        return self._like(self.space, [self._depending(term, f, closure)])

    def _as_one_term(self) -> Term:
        total = self._total()
        rounded = outward(total, +1, len(self.terms) * UNIT * total)
        return Term(1.0, self._metric(rounded))

    @staticmethod
    def _metric(total: np.ndarray) -> np.ndarray:
        """Return the metric whose cost is the total, at level 1."""
        return total

    def _depending(self, term: Term, f: Callable, closure: bool) -> Term:
        least = minimum_privacy(PrivacySpace(self.cls, term.distances), f)
        space = least.closure if closure else least.raw
        return Term(term.level, space.matrix, term.delta)

    # --------------------------------------------------------------------------------------------------- what is said

    def theorem(self, space: PrivacySpace | None = None) -> str:
        """Return the theorem that gives the level of a composition for the neighbours of a space, as `IV.6`."""
        if self.origin is None:
            raise ValueError("a theorem is needed for promises that were composed, not for a single one")
        return self.origin.theorem(self, self._against(space))

    def explain(self, space: PrivacySpace | None = None) -> Table:
        """Say how the promise came about, by which theorem, and which neighbours attain the level."""
        space = self._against(space)
        rows = [("notion", self.notion)]
        if self.origin is not None:
            rows += self.origin.steps(self, space)
        level = self._shown_level(space)
        if not isinstance(space, NeighbourSpace):
            rows.append(("level", f"{level} times the metric"))
            return Table(rows, ["step", "result"])
        pair = self.worst_neighbours(space)
        attained = "no neighbours: vacuous" if pair is None else " and ".join(map(self.cls.label, pair))
        rows.append(("neighbours", f"{space.granularity.name}, {len(space.edges)} pairs"))
        rows.append(("level", level))
        rows.append(("attained at", attained))
        return Table(rows, ["step", "result"])

    def _shown_level(self, space: PrivacySpace) -> str:
        level = self.level(space)
        return f"{self.sign} = {level if level is VACUOUS else self._shown(level)}"

    def _shown(self, level) -> str:
        return show(level)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} promise on {len(self.cls)} databases"
        if isinstance(self.space, NeighbourSpace):
            text += f", {self.space.granularity.name} {self._shown_level(self.space)}"
        if self.origin is not None:
            text += f", composed of {len(self.origin.parts)} by Theorem {self.theorem()}"
        return f"<{text}>"


# ------------------------------------------------------------------------------------------------------- one step each


def off_diagonal(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with a zero diagonal: a database is not distinguished from itself."""
    matrix = np.array(matrix)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def scaled_sum(levels: Sequence[float], distances: Sequence[float], rounding: int, power: int = 1) -> float:
    """Return sum level * distance^power, rounded up (+1) or down (-1) unless it is a float, with 0 * inf = inf."""
    if not np.isfinite([*levels, *distances]).all():
        return math.inf
    parts = [Fraction(level) * Fraction(d) ** power for level, d in zip(levels, distances, strict=True)]
    return float_to(sum(parts, Fraction(0)), rounding)


def root_of_squares(levels: Sequence[float], distances: Sequence[float], rounding: int) -> float:
    """Return sqrt(sum (level * distance)^2), rounded up (+1) or down (-1) unless it is a float."""
    if not np.isfinite([*levels, *distances]).all():
        return math.inf
    parts = [Fraction(level) * Fraction(d) for level, d in zip(levels, distances, strict=True)]
    square = sum((part**2 for part in parts), Fraction(0))
    above = _root_up(square)
    is_float = above < math.inf and Fraction(above) ** 2 == square
    return above if rounding > 0 or is_float else math.nextafter(above, 0.0)


def _root_up(square: Fraction) -> float:
    """Return the least float that is not below the root."""
    size = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scale = Fraction(2) ** (64 - size)  # so that the whole root has 64 digits, more than a float
    root = float_up(math.isqrt(int(square * scale**2)) / scale)
    while root < math.inf and Fraction(root) ** 2 < square:
        root = math.nextafter(root, math.inf)
    while root > 0 and Fraction(math.nextafter(root, 0.0)) ** 2 >= square:
        root = math.nextafter(root, 0.0)
    return root
