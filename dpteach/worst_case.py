"""The worst case: a family of pairs of which an adversary may choose one, seen as one curve.

A mechanism has one pair for every two neighbours (and, in lecture 4, for every leaked value); its guarantee is that of
the worst of them.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cache

import numpy as np

from . import checks
from .pair import Pair

CERTAIN = Pair([1], [1])  # nothing to tell apart


class Vacuous(Fraction):
    """The answer of a promise about nothing: it compares like the number it stands for, and prints as `vacuous`."""

    def __str__(self) -> str:
        return "vacuous"

    def __repr__(self) -> str:
        return "vacuous"

    def __format__(self, spec: str) -> str:
        return "vacuous"

    def __reduce__(self):
        return Vacuous, (self.numerator, self.denominator)


class WorstCase:
    """Pairs under their names; `delta`, `epsilon`, `ratio` and `tradeoff` are those of the worst pair.

    Without any pair every promise holds, and says nothing: the answers then print as `vacuous` (arrays hold NaN).

    >>> WorstCase({"one": Pair([1, 0], [1, 0])}).delta(ratio=1)
    Fraction(0, 1)
    >>> WorstCase({}).delta(ratio=1)
    vacuous
    """

    def __init__(self, comparisons: Mapping[Hashable, Pair]):
        self.comparisons = dict(comparisons)

    @property
    def vacuous(self) -> bool:
        """Whether there is no pair at all to compare."""
        return not self.comparisons

    def __repr__(self) -> str:
        return f"<{type(self).__name__} over {len(self.comparisons)} pairs>"

    def delta(self, eps=None, *, ratio=None):
        """Smallest delta at which every pair is (eps, delta)-indistinguishable; `ratio=` gives e^eps instead."""
        return self._worst(lambda pair: pair.delta(eps, ratio=ratio))

    def epsilon(self, delta=0):
        """Smallest eps at which every pair is (eps, delta)-indistinguishable; inf if there is none."""
        return self._worst(lambda pair: pair.epsilon(delta))

    def ratio(self, delta=0):
        """Return e^epsilon(delta), exact for exact pairs."""
        return self._worst(lambda pair: pair.ratio(delta))

    def tradeoff(self, alpha):
        """Smallest type II error of a test with type I error at most alpha, on whichever pair is easiest to test."""
        if self.vacuous:
            return self._worst(lambda pair: pair.tradeoff(alpha))
        return -self._worst(lambda pair: -np.minimum(pair.tradeoff(alpha), pair.reversed().tradeoff(alpha)))

    def _worst(self, ask):
        """Return the largest answer, entry by entry."""
        harmless = ask(CERTAIN)  # also refuses a wrong question
        if self.vacuous:
            return Vacuous(Fraction(harmless)) if np.ndim(harmless) == 0 else np.full(np.shape(harmless), np.nan)
        different = {id(pair): pair for pair in self.comparisons.values()}  # one pair may stand under many names
        answers = [ask(pair) for pair in different.values()]
        return max(answers) if np.ndim(harmless) == 0 else np.max(answers, axis=0)

    def worst(self, eps=None, *, ratio=None) -> tuple[Hashable, Pair]:
        """Return the name of the worst pair and the pair itself, turned so that P against Q shows delta(eps)."""
        if eps is not None:
            checks.scalar("eps", eps, low=0)
        if self.vacuous:
            raise ValueError("the worst pair needs at least one pair, but this promise is vacuous")
        ask = cache(lambda pair: pair.delta(eps, ratio=ratio))
        name, pair = max(self.comparisons.items(), key=lambda named: ask(named[1]))
        turned = pair.delta(eps, "qp", ratio=ratio) > pair.delta(eps, "pq", ratio=ratio)
        return name, pair.reversed() if turned else pair


def best_event(pair: Pair, eps=None, *, ratio=None) -> list:
    """Return the outcomes with P(y) > e^eps Q(y): the event that shows delta(eps) (KOV, Theorem 2.1)."""
    if ratio is None:
        ratio = math.exp(min(eps, 700))  # beyond, only what is impossible under Q is looked at
    return [y for y, p, q in zip(pair.outcomes, pair.p, pair.q, strict=True) if p > (ratio * q if q else 0)]
