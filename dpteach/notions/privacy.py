"""Four notions of privacy over a metric: pure, approximate, zero-concentrated and Gaussian d-privacy.

Each says how its level grows with the distance, how levels of several mechanisms add up, and which curve belongs to a
level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .. import checks
from ..annotations import Number
from ..curve import VACUOUS, Curve, Vacuous, WorstCase
from ..granularity.comparison import minimum_privacy
from ..granularity.extended import times
from ..granularity.space import NeighbourSpace, PrivacySpace, as_graph, as_space
from ..guarantee import Guarantee
from ..mechanisms import gaussian
from ..numerics.rounding import UNIT, exact_product, outward
from ..pair import Pair
from ..table import show
from .promise import NEAR, MetricPrivacy, Term, off_diagonal, root_of_squares, scaled_sum, term_of
from .scaling import gdp_epsilon, group_factor_end, zcdp_delta, zcdp_epsilon

NOTHING_LOST = Pair([1.0], [1.0])
ALL_LOST = Pair([1.0, 0.0], [0.0, 1.0])


class Pure(MetricPrivacy):
    """eps d-privacy: the privacy loss between D and D' is at most eps d(D, D') (Definition III.2, Theorem III.3).

    >>> from dpteach.granularity import DatabaseClass, bounded, unbounded
    >>> cls = DatabaseClass.multisets("ab", at_most=3)
    >>> Pure(unbounded.on(cls), 1).level(bounded.on(cls))
    2.0
    """

    notion = "pure"
    sign = "eps"

    def __init__(self, space: PrivacySpace, eps: float = 1):
        eps = checks.scalar("eps", eps, low=0)
        super().__init__(space, [term_of(eps, as_space("space", space).matrix)])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.level, term.distances))

    def _sum(self, distances: Sequence[float], rounding: int) -> float:
        return scaled_sum([term.level for term in self.terms], distances, rounding)

    def _curve_of(self, edge: tuple[int, int], rounding: int) -> Curve:
        """Return the curve of randomized response, which loses eps."""
        return Guarantee(self._level_at(*edge, rounding)).curve

    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        return Guarantee(level, 0)


class ZeroConcentrated(MetricPrivacy):
    """rho d^2-zCprivacy: the Rényi divergence of order alpha is at most rho d(D, D')^2 alpha (Definition VI.11)."""

    notion = "zero-concentrated"
    sign = "rho"
    power = 2

    def __init__(self, space: PrivacySpace, rho: float):
        rho = checks.scalar("rho", rho, low=0)
        super().__init__(space, [term_of(rho, as_space("space", space).matrix)])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.level, term.distances**2))

    def _sum(self, distances: Sequence[float], rounding: int) -> float:
        return scaled_sum([term.level for term in self.terms], distances, rounding, power=2)

    @staticmethod
    def _metric(total: np.ndarray) -> np.ndarray:
        return outward(np.sqrt(total), +1)

    def _curve_of(self, edge: tuple[int, int], rounding: int) -> Curve:
        return ConcentratedCurve(self._level_at(*edge, rounding))

    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        return Guarantee(zcdp_epsilon(float(level), delta, conversion), delta)


class ConcentratedCurve(Curve):
    """The largest delta among all pairs that are rho-zero-concentrated, at every eps.

    Nobody knows it exactly. It is at most what Rényi divergences of all orders give (`zcdp_epsilon`), and at least
    that of the Gaussian pair with mu = sqrt(2 rho), which is rho-zero-concentrated.
    """

    def __init__(self, rho: float):
        self.rho = rho
        mu = math.inf if rho == math.inf else float(outward(np.float64(2 * math.sqrt(rho / 2)), -1))
        self._attained = gaussian_curve(mu)

    def _delta_at(self, eps, rounding):
        if rounding < 0:
            return self._attained._delta_at(eps, -1)
        return np.vectorize(lambda x: zcdp_delta(self.rho, x), otypes=[float])(eps)

    def _epsilon_at(self, delta, rounding):
        if rounding < 0:
            return self._attained._epsilon_at(delta, -1)
        return np.vectorize(lambda x: zcdp_epsilon(self.rho, x), otypes=[float])(delta)


class Gaussian(MetricPrivacy):
    """mu d-Gprivacy: D and D' are as hard to tell apart as N(0, 1) and N(mu d(D, D'), 1) (Definition VI.19)."""

    notion = "Gaussian"
    sign = "mu"

    def __init__(self, space: PrivacySpace, mu: float):
        mu = checks.scalar("mu", mu, low=0)
        super().__init__(space, [term_of(mu, as_space("space", space).matrix)])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.level, term.distances) ** 2)

    def _sum(self, distances: Sequence[float], rounding: int) -> float:
        return root_of_squares([term.level for term in self.terms], distances, rounding)

    @staticmethod
    def _metric(total: np.ndarray) -> np.ndarray:
        return outward(np.sqrt(total), +1)

    @property
    def matrix(self) -> np.ndarray:
        """The mu of every two databases."""
        return np.sqrt(self._total())

    def _curve_of(self, edge: tuple[int, int], rounding: int) -> Curve:
        return gaussian_curve(self._level_at(*edge, rounding))

    def _guarantee(self, level, delta: float, conversion: str) -> Guarantee:
        return Guarantee(gdp_epsilon(float(level), delta), delta)


def gaussian_curve(mu: float) -> Curve:
    """Return the curve of N(0, 1) against N(mu, 1), where mu may be 0 or infinite."""
    if mu == 0:
        return NOTHING_LOST
    return gaussian(mu) if mu < math.inf else ALL_LOST


class Approximate(MetricPrivacy):
    """(eps d, delta [d]_eps)-privacy: what (eps, delta)-DP for neighbours promises to all pairs (Theorem VI.3).

    `delta` may also be a matrix, or a function of two databases, not necessarily symmetric (Definition VI.2).
    """

    notion = "approximate"
    sign = "(eps, delta)"

    def __init__(self, space: PrivacySpace, eps: float, delta: Number = 0):
        eps = checks.scalar("eps", eps, low=0)
        distances = as_space("space", space).matrix
        if callable(delta):
            delta = [[delta(D, E) for E in space.databases] for D in space.databases]
        given = checks.real("delta", delta, low=0)
        if given.ndim == 0:
            term = Term(eps, distances, delta=float(checks.delta(delta)))
        elif given.shape == distances.shape:
            term = Term(eps, distances, deltas=given)
        else:
            raise ValueError(
                f"delta must be a number or a matrix of shape {distances.shape}, not of shape {given.shape}"
            )
        super().__init__(space, [term])

    def _cost(self, term: Term) -> np.ndarray:
        return off_diagonal(times(term.level, term.distances))

    def _sum(self, distances: Sequence[float], rounding: int) -> float:
        return scaled_sum([term.level for term in self.terms], distances, rounding)

    # ---------------------------------------------------------------------------------------------------- its deltas

    @property
    def deltas(self) -> np.ndarray:
        """The delta of every two databases, in the order of the class; from 1 on it promises nothing."""
        return np.sum([_term_deltas(term, +1) for term in self.terms], axis=0)

    def _deltas_at(self, pairs: np.ndarray, rounding: int) -> np.ndarray:
        """Return the delta of each term at each pair: a row for each pair."""
        i, j = pairs.T
        return np.stack([_term_deltas(term, rounding)[i, j] for term in self.terms], axis=1)

    def _largest_delta(self, edges: np.ndarray) -> float:
        """Return the largest delta of these pairs in either direction, rounded up; above 1 it counts as 1."""
        both_ways = np.concatenate([edges, edges[:, ::-1]])
        each = self._deltas_at(both_ways, +1)
        rough = each.sum(axis=1)
        near = np.unique(each[rough >= rough.max() * (1 - NEAR)], axis=0)
        ones = [1.0] * len(self.terms)
        largest = max(scaled_sum(row, ones, +1) for row in near)
        return min(largest, 1.0)

    def _least_delta(self, edge: tuple[int, int]) -> float:
        """Return the smaller delta of the two directions, rounded down."""
        i, j = edge
        both_ways = self._deltas_at(np.array([[i, j], [j, i]]), -1)
        ones = [1.0] * len(self.terms)
        least = min(scaled_sum(row, ones, -1) for row in both_ways)
        return min(least, 1.0)

    # -------------------------------------------------------------------------------------------------- what it says

    def _at(self, i: int, j: int) -> Guarantee:
        """Return what is promised about two databases, in both directions, rounded up; a delta above 1 counts as 1."""
        if i == j:
            return Guarantee(0, 0)
        return Guarantee(self._level_at(i, j, +1), self._largest_delta(np.array([[i, j]])))

    def level(self, space: PrivacySpace | None = None) -> Guarantee | Vacuous:
        """Return the (eps, delta) for neighbours: the largest eps and the largest delta of any pair of them."""
        space = self._against(space)
        if not isinstance(space, NeighbourSpace):
            raise ValueError("the level of an approximate promise needs neighbours, such as those of unbounded.on(cls)")
        pair = self.worst_neighbours(space)
        if pair is None:
            return VACUOUS
        return Guarantee(self.at(*pair).epsilon, self._largest_delta(space.edges))

    def _worst_curve(self, rounding: int) -> Curve:
        """Return the worst case over all kinds of neighbours: one may have the largest eps, another the delta."""
        edges = as_graph("space", self.space).edges
        both_ways = np.concatenate([self._deltas_at(edges, +1), self._deltas_at(edges[:, ::-1], +1)], axis=1)
        eps = self._total()[tuple(edges.T)]
        _, first = np.unique(np.column_stack([eps, both_ways]), axis=0, return_index=True)
        kinds = [tuple(edges[n].tolist()) for n in sorted(first)]
        return WorstCase({edge: self._curve_of(edge, rounding) for edge in kinds})

    def _curve_of(self, edge: tuple[int, int], rounding: int) -> Curve:
        """Return the curve of randomized response that fails openly with probability delta."""
        if rounding > 0:
            return self._at(*edge).curve
        return Guarantee(self._level_at(*edge, -1), self._least_delta(edge)).curve

    def _guarantee(self, level: Guarantee, delta: float, conversion: str) -> Guarantee:
        return level if delta == 0 else Guarantee(level.curve.epsilon(delta), delta)

    def _shown(self, level: Guarantee) -> str:
        return f"({show(level.epsilon)}, {show(level.delta)})"

    # --------------------------------------------------------------------------------------------- what follows from it

    def _as_one_term(self) -> Term:
        deltas = outward(self.deltas, +1, len(self.terms) * UNIT * self.deltas)
        return Term(1.0, super()._as_one_term().distances, deltas=deltas)

    def _depending(self, term: Term, f: Callable, closure: bool) -> Term:
        """As for the others if delta grows with the distance; else the least delta among the nearest (Theorem VI.7)."""
        if term.deltas is None:
            return super()._depending(term, f, closure)
        least = minimum_privacy(PrivacySpace(self.cls, term.distances), f)
        nearest = term.distances <= least.raw.matrix
        candidates = np.where(nearest, term.deltas, np.inf)
        labels = least.labels
        cheapest = np.full(least.between.shape, np.inf)
        np.minimum.at(cheapest, (labels[:, None], labels[None, :]), candidates)
        return Term(term.level, least.raw.matrix, deltas=cheapest[np.ix_(labels, labels)])


def _term_deltas(term: Term, rounding: int) -> np.ndarray:
    """Return an end of what a term adds to the delta of every two databases: its own matrix, or delta [d]_eps."""
    if term.deltas is not None:
        return term.deltas
    growth = group_factor_end(term.distances, np.float64(term.level), rounding)
    delta = times(term.delta, growth)
    with np.errstate(over="ignore", invalid="ignore"):
        _, lost = exact_product(growth, term.delta)
    moved = np.where(lost * rounding > 0, np.nextafter(delta, rounding * np.inf), delta)
    return off_diagonal(moved)
