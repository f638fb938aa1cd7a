"""The game of adaptive composition (LPR, Algorithms 1 and 2): played by one adversary, and by the best of all."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cached_property

import numpy as np

from .. import checks
from ..curve import Curve
from ..numerics.rounding import LARGEST_PLAIN, UNIT, float_to, log_fraction, outward
from ..numerics.search import SAME, inverse
from ..pair import Error, Pair, _array
from .making import NULL, listed_mechanisms
from .mechanism import LeakyMechanism
from .notions import LARGEST_EPS

MOST_VIEWS = 2**15  # of an adversary, all rounds together

Query = tuple[tuple[Fraction | float, Fraction | float], ...]  # for each answer its probability on x0 and on x1


def adaptive_experiment(adversary: Callable[[tuple], tuple], k: int) -> Pair:
    """Play Algorithm 1 for k rounds: the pair of the adversary's views in experiments 0 and 1.

    adversary(view) sees the answers so far and returns a query (mechanism, x0, x1, o), x0 and x1 neighbours. With
    leak-free mechanisms (o = None) this is Algorithm 2, the game of plain DP.
    """
    ask = checks.function("adversary", adversary)
    views: dict = {(): (Fraction(1), Fraction(1))}
    units = 0.0
    for _ in range(checks.count("k", k)):
        answers = {view: _answer(*_query(ask(view))) for view in views}
        _check_views(sum(map(len, answers.values())))
        units += 1 + max(pair.error.units for pair in answers.values())
        views = {(*view, y): both for view, pair in answers.items() for y, both in _continued(views[view], pair)}
    p = _array(p for p, _ in views.values())
    q = _array(q for _, q in views.values())
    exact = p.dtype == q.dtype == object
    return Pair._of(p, q, names=list(views), error=None if exact else Error(units))


def _continued(before: tuple, pair: Pair) -> list[tuple]:
    """Return each answer with the probabilities of the view that it leads to."""
    p, q = before
    return [(y, (p * a, q * b)) for y, a, b in zip(pair.outcomes, pair.p, pair.q, strict=True)]


def _check_views(views: int) -> None:
    if views > MOST_VIEWS:
        raise ValueError(f"k rounds must lead to at most {MOST_VIEWS} views, not {views}")


def _query(given) -> tuple:
    """Return a query (mechanism, x0, x1, o); o may be left out."""
    if not isinstance(given, tuple) or len(given) not in (3, 4) or not isinstance(given[0], LeakyMechanism):
        raise ValueError(f"adversary must return a query (mechanism, x0, x1, o), not {checks.shorten(given)}")
    return given


def _answer(mechanism: LeakyMechanism, x0: Hashable, x1: Hashable, o: Hashable = None) -> Pair:
    """Return the laws of the answer to a query on x0 and on x1."""
    if not mechanism.are_neighbours(x0, x1):
        raise ValueError(f"adversary must ask about two neighbours, not {x0!r} and {x1!r}")
    if not mechanism.can_share(x0, x1, o):
        return Pair([1], [1], [NULL])
    return mechanism.conditioned(x0, x1, o)


# ---------------------------------------------------------------------------------------------- the best adversary


class AdaptiveGame(Curve):
    """The best of all adversaries in k rounds of Algorithm 1 with a family of mechanisms: delta for every eps.

    All that an adversary needs to remember is l = Q/P, the likelihood ratio of the view. Backward from the last round:
    f_0(l) = max(1 - e^eps l, 0), and f_j(l) = max over queries of sum_m p(m) f_(j-1)(l q(m) / p(m)).
    """

    def __init__(self, family: LeakyMechanism | Iterable[LeakyMechanism], k: int):
        mechanisms = listed_mechanisms("family", family)
        self.k = checks.count("k", k)
        one_way = [pair.merged() for mechanism in mechanisms for pair in mechanism.comparisons.values()]
        self._pairs = one_way + [pair.reversed() for pair in one_way]
        self._queries = set(map(_possible_answers, self._pairs))

    @property
    def vacuous(self) -> bool:
        """Whether there is no query at all, because no neighbours share a leaked value."""
        return not self._queries

    @property
    def exact(self) -> bool:
        """Whether all answers have exact probabilities."""
        return all(pair.exact for pair in self._pairs)

    @cached_property
    def _likelihoods(self) -> list[set]:
        """The likelihood ratios that can be reached after 0, 1, ..., k rounds."""
        reached = [{Fraction(1)}]
        for _ in range(self.k):
            reached.append({x * q / p for x in reached[-1] for query in self._queries for p, q in query})
            _check_views(sum(map(len, reached)))
        return reached

    def best(self, ratio) -> tuple:
        """Return P(E) and Q(E) for the strategy and the event E with the largest P(E) - ratio Q(E)."""
        last, *earlier = reversed(self._likelihoods)
        events = {x: (1, x) if _excess((1, x), ratio) > 0 else (0, 0) for x in last}
        for reached in earlier:
            events = {x: max(self._outcomes(x, events), key=lambda event: _excess(event, ratio)) for x in reached}
        return events[1]

    def _outcomes(self, x, events: dict) -> list[tuple]:
        """Return P(E) and Q(E), relative to P of the view so far, for each query after a view of likelihood x."""
        return [_added((p, events[x * q / p]) for p, q in query) for query in self._queries]

    def _delta_at(self, eps, rounding):
        return np.vectorize(self._delta_end, otypes=[float])(eps, rounding)

    def _delta_end(self, eps: float, rounding: int) -> float:
        """Return an end of delta: the exact one at a ratio on the safe side of e^eps, if the game is exact."""
        shifted = eps - rounding * self._error.loss
        ratio = _ratio_end(shifted, -rounding)
        if self.exact:
            ratio = ratio if ratio == math.inf else Fraction(ratio)
            return float_to(Fraction(_excess(self.best(ratio), ratio)), rounding)
        with np.errstate(over="ignore"):
            p, q = self.best(ratio)
        lost = self._error.units * UNIT * (p + (ratio * q if q else 0))
        return float(np.clip(outward(np.float64(_excess((p, q), ratio)), rounding, lost), 0, 1))

    @cached_property
    def _error(self) -> Error:
        """What floats may have lost in all rounds: the errors of the queries, and those of one round's arithmetic."""
        if self.exact:
            return Error()
        answers = max(map(len, self._queries))
        units = max(pair.error.units for pair in self._pairs)
        loss = max(pair.error.loss for pair in self._pairs) + (2 * units + 4) * UNIT
        return Error(self.k * (units + answers + 3) + 4, self.k * loss)

    def _epsilon_at(self, delta, rounding):
        least = self._exact_eps if self.exact else self._searched_eps
        return np.vectorize(least, otypes=[float])(delta, rounding)

    def _exact_eps(self, delta: float, rounding: int) -> float:
        ratio = self._exact_ratio(Fraction(delta))
        if ratio == math.inf:
            return math.inf
        size = math.log(ratio.numerator) if ratio > LARGEST_PLAIN else 1.0  # two logarithms of this size are subtracted
        return float(outward(np.float64(log_fraction(ratio)), rounding, 4 * UNIT * size)) if ratio > 1 else 0.0

    def _searched_eps(self, delta: float, rounding: int) -> float:
        return inverse(self._delta_end, delta, (0.0, LARGEST_EPS), rounding, rtol=SAME)

    def _exact_delta(self, ratio):
        return Fraction(_excess(self.best(ratio), ratio))

    def _exact_ratio(self, delta):
        """Return the least ratio: Newton's steps along a convex function made of straight lines arrive exactly."""
        ratio = Fraction(1)
        while True:
            p, q = self.best(ratio)
            if _excess((p, q), ratio) <= delta:
                return ratio
            if q == 0:
                return math.inf
            ratio = (p - delta) / Fraction(q)


def adaptive_delta(family: LeakyMechanism | Iterable[LeakyMechanism], k: int, eps=None, *, ratio=None):
    """Return the largest delta(eps) that any adversary reaches in k rounds of Algorithm 1 with this family."""
    return AdaptiveGame(family, k).delta(eps, ratio=ratio)


def _possible_answers(pair: Pair) -> Query:
    """Return the probabilities on x0 and on x1 of the answers that are possible on x0."""
    return tuple((p, q) for p, q in zip(pair.p, pair.q, strict=True) if p > 0)


def _added(parts: Iterable[tuple]) -> tuple:
    """Return the sum of events (P, Q), each weighted by the probability of the answer that leads to it."""
    P = Q = 0
    for weight, (p, q) in parts:
        P += weight * p
        Q += weight * q
    return P, Q


def _excess(event: tuple, ratio):
    """Return P - ratio Q; what is impossible under Q counts in full, also for an infinite ratio."""
    p, q = event
    return p - ratio * q if q else p


def _ratio_end(eps: float, rounding: int) -> float:
    """Return an end of e^eps; beyond the floats the largest of them, or infinity."""
    if eps > LARGEST_EPS:
        return math.inf if rounding > 0 else math.exp(LARGEST_EPS)
    return float(outward(np.exp(eps), rounding)) if eps else 1.0
