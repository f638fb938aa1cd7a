"""The game of adaptive composition (LPR, Algorithms 1 and 2): played by one adversary, and by the best of all."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from .. import checks
from ..annotations import Asked, Number
from ..curve import Curve
from ..numerics.rounding import LOG_UNITS, TINY, UNIT, exp_to, float_to, log_fraction, outward
from ..numerics.search import SAME, inverse
from ..numerics.side import Error
from ..pair import Pair, _array
from .making import NULL, listed_mechanisms
from .mechanism import LeakyMechanism
from .notions import LARGEST_EPS

MOST_VIEWS = 2**15  # of an adversary, all rounds together

Chance = Fraction | float
Query = tuple[tuple[Chance, Chance], ...]  # for each answer its probability on x0 and on x1


def adaptive_experiment(adversary: Callable[[tuple[Any, ...]], tuple[Any, ...]], k: int) -> Pair:
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
        views = _continued(views, answers)
    p = _array(p for p, _ in views.values())
    q = _array(q for _, q in views.values())
    exact = p.dtype == q.dtype == object
    underflow = TINY * k * len(views)
    return Pair._of(p, q, names=list(views), error=None if exact else Error(units, mass=underflow))


def _continued(views: dict, answers: dict[tuple, Pair]) -> dict:
    """Return the views after one round more, with their probabilities in both experiments."""
    longer = {}
    for view, (p, q) in views.items():
        pair = answers[view]
        for y, a, b in zip(pair.outcomes, pair.p, pair.q, strict=True):
            longer[*view, y] = p * a, q * b
    return longer


def _check_views(views: int) -> None:
    if views > MOST_VIEWS:
        raise ValueError(f"k rounds must lead to at most {MOST_VIEWS} views, not {views}")


def _query(given) -> tuple:
    """Return a query (mechanism, x0, x1, o); o may be left out."""
    is_query = isinstance(given, tuple) and len(given) in (3, 4)
    if not is_query or not isinstance(given[0], LeakyMechanism):
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


class Event(NamedTuple):
    """What an adversary bets on: its probabilities in experiments 0 and 1, relative to that of the view in 0."""

    P: Chance
    Q: Chance

    def excess(self, ratio: Chance) -> Chance:
        """Return P - ratio Q; what is impossible under Q counts in full, also for an infinite ratio."""
        return self.P - ratio * self.Q if self.Q else self.P

    def mirrored(self) -> Event:
        """Return the opposite event with the two experiments exchanged."""
        return Event(1 - self.Q, 1 - self.P)


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
        answers = set(chain.from_iterable(self._queries))
        for _ in range(self.k):
            reached.append({x * q / p for x in reached[-1] for p, q in answers})
            _check_views(sum(map(len, reached)))
        return reached

    def best(self, ratio: Number) -> Event:
        """Return P(E) and Q(E) for the strategy and the event E with the largest P(E) - ratio Q(E)."""
        if not checks.is_exact(ratio):
            ratio = checks.scalar("ratio", ratio, low=1)
        elif ratio < 1:
            raise ValueError(f"ratio must be at least 1, not {checks.written(ratio)}")
        return self._best(ratio)

    def _best(self, ratio) -> Event:
        last, *earlier = reversed(self._likelihoods)
        events = {x: _bet(x, ratio) for x in last}
        for reached in earlier:
            events = {x: self._best_query(x, events, ratio) for x in reached}
        return events[1]

    def _best_query(self, x: Chance, events: dict[Chance, Event], ratio) -> Event:
        """Return the best event that a query leads to, after a view of likelihood x."""
        after = [_added((p, events[x * q / p]) for p, q in query) for query in self._queries]
        return max(after, key=lambda event: event.excess(ratio))

    @cached_property
    def pair(self) -> Pair:
        """The worst pair of an exact game: whatever errors any adversary has, a test between its two laws has, too.

        delta is the largest of finitely many straight lines in e^eps, P(E) - e^eps Q(E). Two neighbouring lines meet in
        a corner, and below 1, where the two experiments change places, the events are the mirror image.
        """
        if not self.exact or self.vacuous:
            raise ValueError("a worst pair is known for games with queries, all of them exact, not for this one")
        surest = self._best(math.inf)
        widest = self._best(Fraction(1))
        widest = min(widest, widest.mirrored(), key=lambda event: event.Q)
        events = [Event(0, 0), surest, *self._between(surest, widest), widest]
        events += [event.mirrored() for event in reversed(events)]
        P = _array(event.P for event in events)
        Q = _array(event.Q for event in events)
        return Pair._of(np.diff(P), np.diff(Q)).merged()

    def _between(self, one: Event, two: Event) -> list[Event]:
        """Return the events that are best at ratios between those of two events."""
        if one.Q == two.Q:
            return []
        ratio = Fraction(two.P - one.P) / Fraction(two.Q - one.Q)  # where the two lines meet
        found = self._best(ratio)
        if found.excess(ratio) <= one.excess(ratio):
            return []
        return [*self._between(one, found), found, *self._between(found, two)]

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of any adversary with type I error at most alpha, in fractions for an exact game."""
        if self.vacuous or not self.exact:
            return super().tradeoff(alpha)
        return self.pair.tradeoff(alpha)

    def _delta_at(self, eps, rounding):
        return np.vectorize(self._delta_end, otypes=[float])(eps, rounding)

    def _delta_end(self, eps: float, rounding: int) -> float:
        """Return an end of delta: the exact one at a ratio on the safe side of e^eps, if the game is exact."""
        shifted = eps - rounding * self._error.loss
        ratio = _ratio_end(shifted, -rounding)
        if self.exact:
            ratio = ratio if ratio == math.inf else Fraction(ratio)
            return float_to(self._exact_delta(ratio), rounding)
        with np.errstate(over="ignore"):
            event = self._best(ratio)
        size = event.P + (ratio * event.Q if event.Q else 0)
        lost = self._error.units * UNIT * size + self._error.mass
        if ratio < math.inf:
            lost += ratio * self._error.mass
        return float(np.clip(outward(np.float64(event.excess(ratio)), rounding, lost), 0, 1))

    @cached_property
    def _error(self) -> Error:
        """What floats may have lost in all rounds: the errors of the queries, and those of one round's arithmetic."""
        if self.exact:
            return Error()
        answers = max(map(len, self._queries))
        units = max(pair.error.units for pair in self._pairs)
        loss = max(pair.error.loss for pair in self._pairs) + (2 * units + 4) * UNIT
        underflow = TINY * self.k * answers
        return Error(self.k * (units + answers + 3) + 4, self.k * loss, underflow)

    def _epsilon_at(self, delta, rounding):
        least = self._exact_eps if self.exact else self._searched_eps
        return np.vectorize(least, otypes=[float])(delta, rounding)

    def _exact_eps(self, delta: float, rounding: int) -> float:
        ratio = self._exact_ratio(Fraction(delta))
        if ratio in (1, math.inf):
            return math.log(ratio)
        logarithm = log_fraction(ratio)
        return float(outward(np.float64(logarithm), rounding, LOG_UNITS * UNIT * logarithm))

    def _searched_eps(self, delta: float, rounding: int) -> float:
        return inverse(self._delta_end, delta, (0.0, LARGEST_EPS), rounding, rtol=SAME)

    def _exact_delta(self, ratio):
        return Fraction(self._best(ratio).excess(ratio))

    def _exact_ratio(self, delta):
        """Return the least ratio: Newton's steps along a convex function made of straight lines arrive exactly."""
        ratio = Fraction(1)
        while True:
            event = self._best(ratio)
            if event.excess(ratio) <= delta:
                return ratio
            if event.Q == 0:
                return math.inf
            ratio = (event.P - delta) / Fraction(event.Q)


def adaptive_delta(
    family: LeakyMechanism | Iterable[LeakyMechanism], k: int, eps: Number | None = None, *, ratio: Number | None = None
) -> Number:
    """Return the largest delta(eps) that any adversary reaches in k rounds of Algorithm 1 with this family."""
    return AdaptiveGame(family, k).delta(eps, ratio=ratio)


def _possible_answers(pair: Pair) -> Query:
    """Return the probabilities on x0 and on x1 of the answers that are possible on x0."""
    return tuple((p, q) for p, q in zip(pair.p, pair.q, strict=True) if p > 0)


def _bet(x: Chance, ratio: Chance) -> Event:
    """Return the better of all and nothing, after the last answer, where the view has likelihood x."""
    everything = Event(1, x)
    return everything if everything.excess(ratio) > 0 else Event(0, 0)


def _added(parts: Iterable[tuple[Chance, Event]]) -> Event:
    """Return the sum of events, each weighted by the probability of the answer that leads to it."""
    P = 0
    Q = 0
    for weight, event in parts:
        P += weight * event.P
        Q += weight * event.Q
    return Event(P, Q)


def _ratio_end(eps: float, rounding: int) -> float:
    """Return an end of e^eps; beyond the floats the largest of them, or infinity."""
    if eps > LARGEST_EPS:
        return math.inf if rounding > 0 else math.exp(LARGEST_EPS)
    return float(exp_to(eps, rounding))
