"""The exponential mechanism with a leak (LPR, Definitions 33 to 35), and how often it answers badly (Theorem 38)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

from .. import checks
from ..annotations import Number
from ..channel import Law, Neighbours, as_law, check_size, joint_law, neighbour_pairs, normalized
from .mechanism import LeakyMechanism
from .tables import checked_databases, uniform_or_law

LARGEST_LOG = 700.0  # e^x is infinite soon after


class ExponentialMechanism(LeakyMechanism):
    """Answers y with probability proportional to e^(eps u(x, y, o) / (2 Delta(o))) where x leaks o.

    `sensitivity[o]` is Delta(o), `base[o]` is e^(eps / (2 Delta(o))). Where Delta(o) = 0 the answer is a best one,
    drawn uniformly: the limit, which tells nothing to a neighbour.
    """

    def __init__(
        self,
        leak_laws: Mapping[Hashable, Law],
        answers: list[Any],
        utility: Callable[..., Any],
        neighbours: list[Any],
        sensitivity: Mapping[Any, Any],
        base: Mapping[Any, Any],
        eps: float | None = None,
    ):
        self.utility = utility
        self.sensitivity = sensitivity
        self.base = base
        self.answers = answers
        self.eps = eps
        table = {x: self._cells(x, law) for x, law in leak_laws.items()}
        super().__init__(table, neighbours)

    def _cells(self, x: Hashable, leak_law: Law) -> dict:
        """Return the joint law at database x: the leaked value, and the answer given it."""
        return joint_law(leak_law, {o: self._answer_law(x, o) for o in leak_law})

    def _answer_law(self, x: Hashable, o: Hashable) -> dict:
        """Return the law of the answer (Definition 35)."""
        scores = self._scores(x, o)
        best = max(scores.values())
        return normalized({y: self._odds(o, score - best) for y, score in scores.items()})

    def _scores(self, x: Hashable, o: Hashable) -> dict:
        return {y: _score(self.utility, x, y, o) for y in self.answers}

    def _odds(self, o: Hashable, gap):
        """Return e^(eps gap / (2 Delta(o))) for a score that lies `gap` below the best one (a negative number)."""
        if self.sensitivity[o] == 0:
            return Fraction(gap == 0)
        if self.base[o] == math.inf:
            exponent = self.eps * gap / (2 * self.sensitivity[o])
            return math.exp(exponent)
        return self.base[o] ** gap

    def tail(self, x: Hashable, o: Hashable, score: Number) -> Number:
        """Return the exact probability that the answer scores at most `score`, given that x leaks o."""
        law = self.law(x, o)
        scores = self._scores(x, o)
        checks.scalar("score", score)
        bad = [weight for y, weight in law.items() if scores[y] <= score]
        return sum(bad, Fraction(0))

    def tail_bound(self, x: Hashable, o: Hashable, score: Number) -> Number:
        """Bound that probability by |S| / |S_opt| e^(-eps (opt - score) / (2 Delta(o))) (Theorem 38).

        Theorem 38 writes it as e^-t at the score `threshold(x, o, t)`. It needs Delta(o) > 0.
        """
        base = self._finite_base(o)
        scores = self._known_scores(x, o)
        checks.scalar("score", score)
        return _answers_to_best(scores) * _power(base, score - max(scores))

    def threshold(self, x: Hashable, o: Hashable, t: float) -> float:
        """Return the score opt - (2 Delta(o) / eps) (log(|S| / |S_opt|) + t) of Theorem 38."""
        base = self._finite_base(o)
        scores = self._known_scores(x, o)
        log_odds = math.log(_answers_to_best(scores))
        return max(scores) - (log_odds + checks.scalar("t", t)) / math.log(base)

    def _known_scores(self, x: Hashable, o: Hashable) -> list:
        """Return the scores of all answers at a database of the mechanism."""
        return list(self._scores(self._known(x), o).values())

    def _finite_base(self, o: Hashable):
        if self.sensitivity[self._known_leak(o)] == 0:
            raise ValueError(
                f"o must have a positive sensitivity for Theorem 38, not {checks.shorten(o)} with sensitivity 0"
            )
        return self.base[o]


def exponential_mechanism_with_leak(
    databases: Iterable[Hashable],
    outputs: Iterable[Hashable],
    leak: Callable[[Hashable], Hashable | Law],
    utility: Callable[[Hashable, Hashable, Hashable], float],
    eps: float | None = None,
    *,
    base: Any = None,
    restricted: bool = False,
    neighbours: Neighbours = None,
) -> ExponentialMechanism:
    """Return the exponential mechanism for the score utility(x, y, o), which is (eps, 0)-bLDP (Theorem 36).

    leak(x) is the leaked value, or its law. `base=` gives e^(eps / (2 Delta(o))), the same for every o, in place of
    eps: with whole scores everything is then exact, and the ratio given o is at most base^(2 Delta(o)).
    `restricted` measures Delta(o) only between neighbours that can both leak o, which suffices.
    """
    databases = checked_databases(databases)
    outputs = list(uniform_or_law("outputs", outputs))
    leak = checks.function("leak", leak)
    restricted = checks.truth("restricted", restricted)
    utility = checks.function("utility", utility)
    laws = {x: as_law("leak", leak(x)) for x in databases}
    leaks = list(dict.fromkeys(chain.from_iterable(laws.values())))
    pairs = neighbour_pairs(databases, neighbours)
    check_size("databases and leaks", len(pairs) * len(leaks))
    near = {o: _leaking(o, pairs, laws) if restricted else pairs for o in leaks}
    check_size("databases, outputs and leaks", len(outputs) * sum(map(len, near.values())))
    sensitivity = {o: _sensitivity(near[o], outputs, utility, o) for o in leaks}
    bases = {o: _base(eps, base, sensitivity[o]) for o in leaks}
    return ExponentialMechanism(laws, outputs, utility, pairs, sensitivity, bases, eps)


def _power(base: Fraction | float, exponent: float) -> Fraction | float:
    """Return base^exponent, infinite where it is no float any more."""
    log_power = exponent * math.log(base)
    if log_power > LARGEST_LOG:
        return math.inf
    return base**exponent if log_power > -LARGEST_LOG else 0.0


def _leaking(o: Hashable, pairs: list, laws: Mapping[Hashable, Law]) -> list:
    """Return the pairs of databases that can both leak o."""
    return [(x, y) for x, y in pairs if o in laws[x] and o in laws[y]]


def _answers_to_best(scores: list) -> Fraction:
    """Return |S| / |S_opt|: how many answers there are for each best one."""
    return Fraction(len(scores), scores.count(max(scores)))


def _sensitivity(pairs: list, outputs: list, utility: Callable, o: Hashable):
    """Return the largest change of a score between neighbours at the leaked value o (Definition 34)."""
    largest = 0
    for x, z in pairs:
        for y in outputs:
            change = _score(utility, x, y, o) - _score(utility, z, y, o)
            largest = max(largest, abs(change))
    return largest


def _score(utility: Callable, x: Hashable, y: Hashable, o: Hashable):
    """Return the score of an answer, a finite number."""
    score = utility(x, y, o)
    if not checks.is_number(score) or not abs(score) < math.inf:
        raise ValueError(f"utility must return finite numbers, not {checks.shorten(score)}")
    return score


def _base(eps, base, sensitivity):
    """Return e^(eps / (2 sensitivity)), infinite where the sensitivity is zero."""
    if (eps is None) == (base is None):
        raise ValueError("exponential_mechanism_with_leak needs exactly one of eps and base")
    if base is not None:
        base = _finite(base)
    elif sensitivity > 0:
        base = _exp(checks.positive("eps", eps) / (2 * sensitivity))
    else:
        checks.positive("eps", eps)
    return math.inf if sensitivity == 0 else base


def _finite(base) -> Fraction | float:
    """Return a base as it was given, more than 1 and finite."""
    if checks.scalar("base", base) <= 1:
        raise ValueError(f"base must be more than 1, not {base}")
    if base == math.inf:
        raise ValueError("base must be finite, not inf")
    return Fraction(base) if checks.is_exact(base) else float(base)


def _exp(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700 else math.inf  # too large for a float
