"""The game of adaptive composition (LPR, Algorithms 1 and 2): played by one adversary, and by the best of all."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction

from .. import checks
from ..pair import Pair
from ..worst_case import Vacuous, WorstCase
from .mechanism import NULL, LeakyMechanism, listed_mechanisms
from .tables import as_function

MOST_VIEWS = 2**15  # of an adversary, all rounds together


def adaptive_experiment(adversary: Callable[[tuple], tuple], k: int) -> Pair:
    """Play Algorithm 1 for k rounds: the pair of the adversary's views in experiments 0 and 1.

    adversary(view) sees the answers so far and returns a query (mechanism, x0, x1, o), x0 and x1 neighbours. With
    leak-free mechanisms (o = None) this is Algorithm 2, the game of plain DP.
    """
    ask, views = as_function("adversary", adversary), {(): (Fraction(1), Fraction(1))}
    for _ in range(checks.count("k", k)):
        rounds = {view: _answers(*_query(ask(view))) for view in views}
        _check_views(sum(map(len, rounds.values())))
        views = {
            (*view, answer): (views[view][0] * a, views[view][1] * b)
            for view, answers in rounds.items()
            for answer, a, b in answers
        }
    return Pair([p for p, _ in views.values()], [q for _, q in views.values()], views)


def _check_views(views: int) -> None:
    if views > MOST_VIEWS:
        raise ValueError(f"k rounds must lead to at most {MOST_VIEWS} views, not {views}")


def _query(given) -> tuple:
    """Return a query (mechanism, x0, x1, o); o may be left out."""
    if not isinstance(given, tuple) or len(given) not in (3, 4) or not isinstance(given[0], LeakyMechanism):
        raise ValueError(f"adversary must return a query (mechanism, x0, x1, o), not {checks.shorten(given)}")
    return given


def _answers(mechanism: LeakyMechanism, x0: Hashable, x1: Hashable, o: Hashable = None) -> list[tuple]:
    """Return the possible answers to a query, each with its probability on x0 and on x1."""
    if not mechanism.are_neighbours(x0, x1):
        raise ValueError(f"adversary must ask about two neighbours, not {x0!r} and {x1!r}")
    if not mechanism.can_share(x0, x1, o):
        return [(NULL, Fraction(1), Fraction(1))]
    pair = mechanism.conditioned(x0, x1, o)
    return list(zip(pair.outcomes, pair.p, pair.q, strict=True))


def adaptive_delta(family: LeakyMechanism | Iterable[LeakyMechanism], k: int, eps=None, *, ratio=None):
    """Return the largest delta(eps) that any adversary reaches in k rounds of Algorithm 1 with this family.

    Backward from the last round: with l = Q/P the likelihood ratio of the view, f_0(l) = max(1 - e^eps l, 0) and
    f_j(l) = max over queries of sum_m p(m) f_(j-1)(l q(m) / p(m)).
    """
    WorstCase({}).delta(eps, ratio=ratio)  # refuses a wrong question
    base = math.exp(checks.scalar("eps", eps, low=0, high=700)) if ratio is None else ratio
    queries, likelihoods = _queries(family), [{Fraction(1)}]
    if not queries:
        return Vacuous(0)
    for _ in range(checks.count("k", k)):
        likelihoods.append({x * q / p for x in likelihoods[-1] for query in queries for p, q in query})
        _check_views(sum(map(len, likelihoods)))
    best = {x: max(1 - base * x, 0) for x in likelihoods.pop()}
    for reached in reversed(likelihoods):
        best = {x: max(sum(p * best[x * q / p] for p, q in query) for query in queries) for x in reached}
    return best[1]


def _queries(family: LeakyMechanism | Iterable[LeakyMechanism]) -> set[tuple]:
    """Return the different queries of a family, as merged laws, in both directions; impossible answers left out."""
    one_way = [pair.merged() for m in listed_mechanisms("family", family) for pair in m.comparisons.values()]
    both_ways = (pair for merged in one_way for pair in (merged, merged.reversed()))
    return {tuple((p, q) for p, q in zip(pair.p, pair.q, strict=True) if p > 0) for pair in both_ways}
