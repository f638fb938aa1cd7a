"""The rounds of the experiment: which guarantee, or which pair, answers in each of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cached_property

import numpy as np

from .. import checks
from ..annotations import Number
from ..guarantee import Guarantee
from ..numerics.rounding import total
from ..pair import Pair
from .logarithms import is_possible

Rounds = Guarantee | Pair | Iterable[Guarantee | Pair]


class Mechanism:
    """What answers in a round: a pair, the law of the answer under bit 0 and under bit 1.

    A guarantee stands for its worst pair. Mechanisms with the same laws are equal.
    """

    def __init__(self, given: Guarantee | Pair):
        self.given = given

    @cached_property
    def _key(self) -> Hashable:
        if isinstance(self.given, Guarantee):
            return self.given
        pair = self.given
        return tuple(pair.p), tuple(pair.q), tuple(pair.losses)  # two pairs that underflow differ in their losses

    def __eq__(self, other: object) -> bool:
        return self is other or self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def pair(self) -> Pair:
        """The laws of the answer."""
        return self.given.curve if self.is_guarantee else self.given

    @property
    def is_guarantee(self) -> bool:
        """Whether it is the worst pair of a guarantee, for which the two bits play the same part."""
        return isinstance(self.given, Guarantee)

    @property
    def is_pure(self) -> bool:
        """Whether it is a guarantee with delta = 0."""
        return self.is_guarantee and self.given.delta == 0

    @cached_property
    def merged(self) -> Pair:
        """The laws of the answer, answers of equal likelihood ratio being one."""
        return self.pair.merged()

    @cached_property
    def ordinary(self) -> np.ndarray:
        """Which of the merged answers both bits can give."""
        return np.isfinite(self.merged.losses) & is_possible(self.merged)

    @property
    def choices(self) -> int:
        """How many ordinary answers there are."""
        return int(self.ordinary.sum())

    @cached_property
    def opens_zero(self) -> Number:
        """The probability that bit 0 is shown openly, by an answer that bit 1 cannot give."""
        return sum(self.merged.p[np.isposinf(self.merged.losses)].tolist())

    @cached_property
    def opens_one(self) -> Number:
        """The probability that bit 1 is shown openly."""
        return sum(self.merged.q[np.isneginf(self.merged.losses)].tolist())


class Sequence:
    """The mechanisms of the k rounds, in their order."""

    def __init__(self, given: Rounds, k: int):
        self.k = k
        self.each = [Mechanism(given)] * k if isinstance(given, Guarantee | Pair) else _listed(given, k)

    @cached_property
    def kinds(self) -> Counter[Mechanism]:
        """The different mechanisms, and in how many rounds each of them answers."""
        by_identity = Counter(map(id, self.each))  # faster than to compare a million of them
        kinds: Counter[Mechanism] = Counter()
        for mechanism in {id(mechanism): mechanism for mechanism in self.each}.values():
            kinds[mechanism] += by_identity[id(mechanism)]
        return kinds

    @property
    def only(self) -> Mechanism | None:
        """The mechanism of all rounds, if it is the same in all of them."""
        return self.each[0] if len(self.kinds) == 1 else None

    @property
    def exact(self) -> bool:
        """Whether all probabilities are fractions."""
        return all(mechanism.pair.exact for mechanism in self.kinds)

    @property
    def are_guarantees(self) -> bool:
        """Whether every round has a guarantee."""
        return all(mechanism.is_guarantee for mechanism in self.kinds)

    @property
    def are_pure(self) -> bool:
        """Whether every round has a guarantee with delta = 0."""
        return all(mechanism.is_pure for mechanism in self.kinds)

    @property
    def largest_loss(self) -> float:
        """The sum of all epsilons, rounded up, for pure guarantees; else there is no bound."""
        if not self.are_pure:
            return math.inf
        return total([mechanism.given.epsilon for mechanism in self.kinds], list(self.kinds.values()), +1)

    @property
    def guarantees(self) -> list[Guarantee]:
        """The guarantees of the rounds, where there are only such."""
        return [mechanism.given for mechanism in self.each]


def _listed(given: Rounds, k: int) -> list[Mechanism]:
    """Return one mechanism for each round."""
    listed = list(given) if np.iterable(given) and not isinstance(given, str) else [given]
    for one in listed:
        if not isinstance(one, Guarantee | Pair):
            raise ValueError(f"guarantees must be Guarantees or Pairs, not {checks.shorten(one)}")
    if len(listed) != k:
        raise ValueError(f"guarantees must be one for all rounds or one for each of the {k} rounds, not {len(listed)}")
    made = {id(one): Mechanism(one) for one in listed}
    return [made[id(one)] for one in listed]
