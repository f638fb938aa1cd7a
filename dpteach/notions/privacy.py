"""Four notions of privacy over a metric: pure, approximate, zero-concentrated and Gaussian d-privacy.

A promise is a list of terms, one for each mechanism: parameters and the matrix of distances they are scaled by. To
compose mechanisms is to put their terms together; what a pair of databases, or the worst pair of neighbours, loses
follows from the terms by the notion's own arithmetic.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .. import checks
from ..granularity.comparison import minimum_privacy
from ..granularity.databases import Database, DatabaseClass, as_map
from ..granularity.extended import least_factor, times
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class, as_space
from ..guarantee import Guarantee
from ..rounding import UNIT, exact_product, float_up, outward
from ..table import Table, show
from ..worst_case import Vacuous
from .scaling import CONVERSIONS, bracket, gdp_epsilon, zcdp_epsilon

NEAR = 1e-9  # pairs whose float value is this close to the largest are compared exactly


@dataclass(frozen=True, eq=False)
class Term:
    """What one mechanism promises: parameters, the distances they belong to, and (approximate only) a delta matrix."""

    parameters: tuple[float, ...]
    distances: np.ndarray
    extra: np.ndarray | None = None


class MetricPrivacy(ABC):
    """A promise about every two databases of a class. See `Pure`, `Approximate`, `ZeroConcentrated`, `Gaussian`."""

    notion: str
    sign: str
    power: int = 1  # with which the level grows in the distance

    def __init__(self, space: PrivacySpace, terms: Sequence[Term], how: Sequence[tuple[str, str]] = ()):
        self.space, self.terms, self.how = as_space("space", space), list(terms), list(how)

    @property
    def cls(self) -> DatabaseClass:
        """The class of databases."""
        return self.space.cls

    def _with(self, space: PrivacySpace, terms: Sequence[Term], how=()) -> MetricPrivacy:
        made = type(self).__new__(type(self))
        MetricPrivacy.__init__(made, space, terms, how)
        return made

    # ------------------------------------------------------------------------------- the arithmetic of each notion

    @abstractmethod
    def _cost(self, term: Term) -> np.ndarray:
        """Return what a term costs each pair of databases; costs of different terms add up."""

    @abstractmethod
    def _exactly(self, distances: Sequence[float]) -> float:
        """Return the total at one pair, rounded up, from the distance in each term."""

    def _total(self) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.sum([self._cost(term) for term in self.terms], axis=0)

    @property
    def matrix(self) -> np.ndarray:
        """What is promised about every two databases, in the order of the class (not rounded outward)."""
        return self._total()

    # ------------------------------------------------------------------------------------------------ what it says

    def at(self, D: Database, D2: Database):
        """Return what is promised about two databases: eps, (eps, delta), rho or mu, rounded up."""
        return self._at(self.space.position(D), self.space.position(D2))

    def _at(self, i: int, j: int):
        return self._exactly([term.distances[i, j] for term in self.terms]) if i != j else 0.0

    def level(self, space: PrivacySpace | None = None):
        """Return the promise for neighbours of the space: the final eps, (eps, delta), rho or mu, rounded up.

        Without any neighbours the promise is vacuous. In a space without a granularity, the level is the least factor
        of its metric.
        """
        space = self._against(space)
        if not isinstance(space, NeighbourSpace):
            return self._factor(space)
        pair = self.worst_pair(space)
        return Vacuous(0) if pair is None else self.at(*pair)

    def worst_pair(self, space: PrivacySpace | None = None) -> tuple[Database, Database] | None:
        """Return the neighbours that lose most, which is where the level is attained; None if there are none."""
        space = self._against(space)
        if not isinstance(space, NeighbourSpace):
            raise ValueError("the worst pair needs neighbours, such as those of unbounded.on(cls)")
        if not len(space.edges):
            return None
        i, j = max(self._candidates(space.edges), key=lambda edge: self._at(*edge))
        return space.databases[i], space.databases[j]

    def _candidates(self, edges: np.ndarray) -> list:
        """Return the first edge of each kind (same distance in every term) that may cost most."""
        cost = self._total()[tuple(edges.T)]
        return self._kinds(edges[cost >= cost.max() * (1 - NEAR)])

    def _kinds(self, pairs: np.ndarray, *metrics: np.ndarray) -> list:
        """Return the first pair of each kind: the same distance in every term, and in the metrics."""
        kinds = [matrix[tuple(pairs.T)] for matrix in (*(term.distances for term in self.terms), *metrics)]
        _, first = np.unique(np.stack(kinds, axis=1), axis=0, return_index=True)
        return [tuple(map(int, pairs[n])) for n in sorted(first)]

    def _factor(self, space: PrivacySpace) -> float:
        """Return the least factor of the metric, to its power; floats find the candidates, exactly compared."""
        cost, base = self.matrix, space.matrix**self.power
        rough = least_factor(cost, base)
        if rough in (0, math.inf):
            return rough
        near = np.argwhere((cost > 0) & np.isfinite(base) & (cost >= rough * (1 - NEAR) * base))
        kinds = self._kinds(near, space.matrix)
        return float_up(max(Fraction(self._at(*ij)) / Fraction(space.matrix[ij]) ** self.power for ij in kinds))

    def _against(self, space: PrivacySpace | None) -> PrivacySpace:
        space = self.space if space is None else as_space("space", space)
        if space.cls is not self.cls and space.cls != self.cls:
            raise ValueError(f"space must be on the class of the promise, {self.cls!r}, not on {space.cls!r}")
        return space

    @abstractmethod
    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee: ...

    def guarantee(self, delta: float = 0, space: PrivacySpace | None = None, conversion: str = "optimal") -> Guarantee:
        """Return the (eps, delta)-DP that the promise gives to neighbours of the space, rounded up."""
        delta = checks.scalar("delta", delta, low=0, high=1)
        return self._guarantee(self.level(space), delta, checks.choice("conversion", conversion, CONVERSIONS))

    def guarantee_at(self, D: Database, D2: Database, delta: float = 0, conversion: str = "optimal") -> Guarantee:
        """Return the (eps, delta)-indistinguishability of two databases, rounded up."""
        delta = checks.scalar("delta", delta, low=0, high=1)
        return self._guarantee(self.at(D, D2), delta, checks.choice("conversion", conversion, CONVERSIONS))

    # ------------------------------------------------------------------------------------------- what follows from it

    def pull(self, f: Callable, cls: DatabaseClass | PrivacySpace) -> MetricPrivacy:
        """Return the promise of M(f(D)) on another class: d(f(D), f(D')) (preprocessing, Proposition III.6)."""
        space = cls if isinstance(cls, PrivacySpace) else None
        cls = space.cls if space is not None else as_class(cls)
        rows = np.array([self.space.position(as_map(f)(D)) for D in cls], dtype=int)
        terms = [self._picked(term, rows) for term in self.terms]
        return self._with(space or PrivacySpace(cls, self._metric_of(terms)), terms)

    @staticmethod
    def _picked(term: Term, rows: np.ndarray) -> Term:
        pick = lambda matrix: None if matrix is None else matrix[np.ix_(rows, rows)]  # noqa: E731
        return Term(term.parameters, pick(term.distances), pick(term.extra))

    def _metric_of(self, terms: Sequence[Term]) -> np.ndarray:
        """Return a metric for a class that has none yet: the largest distance of any term."""
        return np.max([term.distances for term in terms], axis=0)

    def dependent_on(self, f: Callable, closure: bool = True) -> MetricPrivacy:
        """Return the promise if the mechanism looks at f(D) only (Proposition IV.10), with the metric closure of d^f.

        `closure=False` is the paper's d^f itself, which is valid but may be larger. Several terms are added up before
        databases with the same f(D) are compared: each of them alone may be smallest at other databases.
        """
        term = self.terms[0] if len(self.terms) == 1 else self._as_one_term()
        return self._with(self.space, [self._depending(term, f, closure)])

    def _as_one_term(self) -> Term:
        return Term((1.0,), self._metric(outward(self._total(), +1, len(self.terms) * UNIT * self._total())))

    @staticmethod
    def _metric(total: np.ndarray) -> np.ndarray:
        """Return the metric whose cost is the total, at parameter 1."""
        return total

    def _depending(self, term: Term, f: Callable, closure: bool) -> Term:
        least = minimum_privacy(PrivacySpace(self.cls, term.distances), f)
        return Term(term.parameters, (least.closure if closure else least.raw).matrix)

    def explain(self, space: PrivacySpace | None = None) -> Table:
        """Say how the promise came about, by which theorem, and which neighbours attain the level."""
        space = self._against(space)
        level = self._shown_level(space)
        rows = [("notion", self.notion), *self.how]
        if not isinstance(space, NeighbourSpace):
            return Table([*rows, ("level", f"{level} times the metric")], ["step", "result"])
        pair = self.worst_pair(space)
        attained = "no neighbours: vacuous" if pair is None else " and ".join(map(self.cls.label, pair))
        rows.append(("neighbours", f"{space.granularity.name}, {len(space.edges)} pairs"))
        return Table([*rows, ("level", level), ("attained at", attained)], ["step", "result"])

    def _shown_level(self, space: PrivacySpace) -> str:
        vacuous = isinstance(space, NeighbourSpace) and not len(space.edges)
        return f"{self.sign} = {'vacuous' if vacuous else self._shown(self.level(space))}"

    def _shown(self, level) -> str:
        return show(level)

    def __repr__(self) -> str:
        given = self.space if isinstance(self.space, NeighbourSpace) else None
        level = "" if given is None else f", {given.granularity.name} {self._shown_level(given)}"
        return f"<{type(self).__name__} promise on {len(self.cls)} databases{level}>"


# ---------------------------------------------------------------------------------------------------- the four notions


class Pure(MetricPrivacy):
    """eps d-privacy: the privacy loss between D and D' is at most eps d(D, D') (Definition III.2, Theorem III.3).

    >>> from dpteach.granularity import DatabaseClass, bounded, unbounded
    >>> cls = DatabaseClass.multisets("ab", at_most=3)
    >>> Pure(unbounded.on(cls), 1).level(bounded.on(cls))
    2.0
    """

    notion, sign = "pure", "eps"

    def __init__(self, space: PrivacySpace, eps: float = 1):
        super().__init__(space, [Term((checks.scalar("eps", eps, low=0),), as_space("space", space).matrix)])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.parameters[0], term.distances))

    def _exactly(self, distances: Sequence[float]) -> float:
        return sum_up([term.parameters[0] for term in self.terms], distances)

    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        return Guarantee(level, 0)


class ZeroConcentrated(MetricPrivacy):
    """rho d^2-zCprivacy: the Rényi divergence of order alpha is at most rho d(D, D')^2 alpha (Definition VI.11)."""

    notion, sign, power = "zero-concentrated", "rho", 2

    def __init__(self, space: PrivacySpace, rho: float):
        super().__init__(space, [Term((checks.scalar("rho", rho, low=0),), as_space("space", space).matrix)])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.parameters[0], term.distances**2))

    def _exactly(self, distances: Sequence[float]) -> float:
        return sum_up([term.parameters[0] for term in self.terms], distances, power=2)

    @staticmethod
    def _metric(total: np.ndarray) -> np.ndarray:
        return outward(np.sqrt(total), +1)

    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        return Guarantee(zcdp_epsilon(float(level), delta, conversion), delta)


class Gaussian(MetricPrivacy):
    """mu d-Gprivacy: D and D' are as hard to tell apart as N(0, 1) and N(mu d(D, D'), 1) (Definition VI.19)."""

    notion, sign = "Gaussian", "mu"

    def __init__(self, space: PrivacySpace, mu: float):
        super().__init__(space, [Term((checks.scalar("mu", mu, low=0),), as_space("space", space).matrix)])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.parameters[0], term.distances) ** 2)

    @staticmethod
    def _metric(total: np.ndarray) -> np.ndarray:
        return outward(np.sqrt(total), +1)

    @property
    def matrix(self) -> np.ndarray:
        """The mu of every two databases."""
        return np.sqrt(self._total())

    def _exactly(self, distances: Sequence[float]) -> float:
        parameters = [term.parameters[0] for term in self.terms]
        if not np.isfinite([*parameters, *distances]).all():
            return math.inf
        return root_up([Fraction(mu) * Fraction(d) for mu, d in zip(parameters, distances, strict=True)])

    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        return Guarantee(gdp_epsilon(float(level), delta), delta)


class Approximate(MetricPrivacy):
    """(eps d, delta [d]_eps)-privacy: what (eps, delta)-DP for neighbours promises to all pairs (Theorem VI.3).

    `delta` may also be a matrix, or a function of two databases, not necessarily symmetric (Definition VI.2).
    """

    notion, sign = "approximate", "(eps, delta)"

    def __init__(self, space: PrivacySpace, eps: float, delta=0):
        eps, d = checks.scalar("eps", eps, low=0), as_space("space", space).matrix
        if callable(delta):
            delta = [[delta(D, E) for E in space.databases] for D in space.databases]
        given = checks.real("delta", delta, low=0)
        if given.ndim and given.shape != d.shape:
            raise ValueError(f"delta must be a number or a matrix of shape {d.shape}, not of shape {given.shape}")
        term = Term((eps,), d, given) if given.ndim else Term((eps, float(checks.delta(delta))), d)
        super().__init__(space, [term])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.parameters[0], term.distances))

    @staticmethod
    def _delta_of(term: Term) -> np.ndarray:
        if term.extra is not None:
            return term.extra
        growth = bracket(term.distances, term.parameters[0])
        delta = times(term.parameters[1], growth)
        with np.errstate(over="ignore", invalid="ignore"):
            _, lost = exact_product(growth, term.parameters[1])
        return off_diagonal(np.where(lost > 0, np.nextafter(delta, np.inf), delta))

    @property
    def deltas(self) -> np.ndarray:
        """The delta of every two databases, in the order of the class; from 1 on it promises nothing."""
        return np.sum([self._delta_of(term) for term in self.terms], axis=0)

    def _exactly(self, distances: Sequence[float]) -> float:
        return sum_up([term.parameters[0] for term in self.terms], distances)

    def _as_one_term(self) -> Term:
        deltas = outward(self.deltas, +1, len(self.terms) * UNIT * self.deltas)
        return Term((1.0,), super()._as_one_term().distances, deltas)

    def at(self, D: Database, D2: Database) -> Guarantee:
        """Return what is promised about two databases, in both directions, rounded up; a delta above 1 counts as 1."""
        i, j = self.space.position(D), self.space.position(D2)
        delta = 0.0 if i == j else self._largest_delta(np.array([[i, j]]))
        return Guarantee(self._at(i, j), min(delta, 1.0))

    def level(self, space: PrivacySpace | None = None) -> Guarantee:
        """Return the (eps, delta) for neighbours: the largest eps and the largest delta of any pair of them."""
        space = self._against(space)
        if not isinstance(space, NeighbourSpace):
            raise ValueError("the level of an approximate promise needs neighbours, such as those of unbounded.on(cls)")
        pair = self.worst_pair(space)
        if pair is None:
            return Guarantee(0, 0)
        return Guarantee(self.at(*pair).epsilon, min(self._largest_delta(space.edges), 1.0))

    def _largest_delta(self, edges: np.ndarray) -> float:
        both = np.concatenate([edges, edges[:, ::-1]])
        each = np.stack([self._delta_of(term)[tuple(both.T)] for term in self.terms], axis=1)
        near = each[each.sum(axis=1) >= each.sum(axis=1).max() * (1 - NEAR)]
        return max(sum_up(row, [1.0] * len(row)) for row in np.unique(near, axis=0))

    def _guarantee(self, level: Guarantee, delta: float, conversion: str) -> Guarantee:
        return level if delta == 0 else Guarantee(level.epsilon(delta), delta)

    def _depending(self, term: Term, f: Callable, closure: bool) -> Term:
        """As for the others if delta grows with the distance; else the least delta among the nearest (Theorem VI.7)."""
        if term.extra is None:
            return super()._depending(term, f, closure)
        least = minimum_privacy(PrivacySpace(self.cls, term.distances), f)
        candidates = np.where(term.distances <= least.raw.matrix, term.extra, np.inf)
        labels = least.labels
        cheapest = np.full(least.between.shape, np.inf)
        np.minimum.at(cheapest, (labels[:, None], labels[None, :]), candidates)
        return Term(term.parameters, least.raw.matrix, cheapest[np.ix_(labels, labels)])

    def _shown(self, level: Guarantee) -> str:
        return f"({show(float(level.epsilon))}, {show(float(level.delta))})"


# ------------------------------------------------------------------------------------------------------- one step each


def off_diagonal(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with a zero diagonal: a database is not distinguished from itself."""
    matrix = np.array(matrix)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def sum_up(parameters: Sequence[float], distances: Sequence[float], power: int = 1) -> float:
    """Return sum parameter * distance^power, rounded up unless it is a float, with 0 * inf = inf."""
    if not np.isfinite([*parameters, *distances]).all():
        return math.inf
    terms = (Fraction(a) * Fraction(d) ** power for a, d in zip(parameters, distances, strict=True))
    return float_up(sum(terms, Fraction(0)))


def root_up(parts: Sequence[Fraction]) -> float:
    """Return sqrt(sum part^2), rounded up unless it is a float."""
    square = sum((part**2 for part in parts), Fraction(0))
    size = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scale = Fraction(2) ** (64 - size)  # so that the whole root has 64 digits, more than a float
    root = float_up(math.isqrt(int(square * scale**2)) / scale)
    while root < math.inf and Fraction(root) ** 2 < square:
        root = math.nextafter(root, math.inf)
    while root > 0 and Fraction(math.nextafter(root, 0.0)) ** 2 >= square:
        root = math.nextafter(root, 0.0)
    return root
