"""Hypotheses: what the adversary wants to tell apart, as laws on bit vectors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from .. import checks
from ..annotations import Number
from ..numerics.coins import binomials
from ..numerics.rounding import log_fraction
from .bits import Bits, as_bits, different_vectors, show_bits

MOST_VECTORS = 2**22  # a hypothesis with more vectors than this is not listed vector by vector
MOST_BITS = 10**7  # of a single vector
MOST_EXACT_COUNTS = 1000  # for longer vectors the law of the number of ones is kept in floats
MOST_SHOWN = 6  # vectors in a printed hypothesis
LONGEST_SHOWN = 20  # bits

Weight = Fraction | float


class Hypothesis:
    """A law on bit vectors of length `k`: where might the target person's record be?

    Whole numbers and fractions stay exact. Make one with `point`, `uniform`, `from_dict`, `by_count`, `between`,
    `at_least`, `fewer_than` or `nonzero`.

    >>> Hypothesis.uniform(["01", "10"])
    <Hypothesis on 2 vectors of 2 bits: 01 with 1/2, 10 with 1/2>
    """

    def __init__(
        self,
        k: int,
        *,
        law: dict[Bits, Weight] | None = None,
        counts: np.ndarray | None = None,
        between: tuple[int, int] | None = None,
    ):
        """Make a law that was listed vector by vector, or by the number of ones, or uniform between two numbers."""
        self.k = k
        self._law = law
        self._counts = counts
        self._between = between

    # ------------------------------------------------------------------------------------------- how to make one

    @classmethod
    def point(cls, bits: Any) -> Hypothesis:
        """Return the hypothesis that the vector is `bits`, such as "0110"."""
        vector = as_bits("bits", bits)
        return cls(len(vector), law={vector: Fraction(1)})

    @classmethod
    def uniform(cls, vectors: Iterable[Any]) -> Hypothesis:
        """Return the uniform law on the given vectors."""
        if not np.iterable(vectors) or isinstance(vectors, str):
            raise ValueError(
                f'vectors must be a list of bit vectors such as ["01", "10"], not {checks.shorten(vectors)}'
            )
        listed = different_vectors("vectors", vectors)
        return cls(len(listed[0]), law=dict.fromkeys(listed, Fraction(1, len(listed))))

    @classmethod
    def from_dict(cls, law: Mapping[Any, Any]) -> Hypothesis:
        """Return the law that gives each vector its weight; vectors of weight zero are dropped."""
        if not isinstance(law, Mapping) or not law:
            raise ValueError(f"law must map bit vectors to weights, not {checks.shorten(law)}")
        weights = checks.law("the weights of law", law.values()).tolist()
        vectors = different_vectors("law", law)
        possible = {bits: weight for bits, weight in zip(vectors, weights, strict=True) if weight}
        return cls(len(vectors[0]), law=possible)

    @classmethod
    def by_count(cls, k: int, weights: Any) -> Hypothesis:
        """Return the law with `weights[j]` on j ones, all vectors with equally many ones being equally likely."""
        k = checks.count("k", k, low=1)
        weights = checks.law("weights", weights)
        if len(weights) != k + 1:
            raise ValueError(f"weights must have {k + 1} entries, for 0 to {k} ones, not {len(weights)}")
        return cls(k, counts=weights)

    @classmethod
    def between(cls, k: int, low: int, high: int) -> Hypothesis:
        """Return the uniform law on the vectors of length k with at least `low` and at most `high` ones."""
        k = checks.count("k", k, low=1)
        low = checks.count("low", low)
        high = checks.count("high", high)
        if not low <= high <= k:
            raise ValueError(f"low and high must obey 0 <= low <= high <= k = {k}, not {low} and {high}")
        if low == high and low in (0, k):
            checks.count("k", k, high=MOST_BITS)  # all of them are listed
            return cls.point([int(low > 0)] * k)
        return cls(k, between=(low, high))

    @classmethod
    def at_least(cls, k: int, m: int) -> Hypothesis:
        """Return the uniform law on the vectors with at least m ones."""
        k = checks.count("k", k, low=1)
        return cls.between(k, _at_most("m", m, k), k)

    @classmethod
    def fewer_than(cls, k: int, m: int) -> Hypothesis:
        """Return the uniform law on the vectors with fewer than m ones."""
        k = checks.count("k", k, low=1)
        return cls.between(k, 0, _at_most("m", m, k + 1, low=1) - 1)

    @classmethod
    def nonzero(cls, k: int) -> Hypothesis:
        """Return the uniform law on all vectors but 00...0: in at least one database, nobody knows in which."""
        return cls.between(k, 1, k)

    # --------------------------------------------------------------------------------------------- what it knows

    @property
    def exact(self) -> bool:
        """Whether all weights are fractions."""
        weights = self._law.values() if self._law else self.counts
        return all(checks.is_exact(weight) for weight in weights)

    @property
    def size(self) -> int:
        """The number of vectors that are possible."""
        if self._law:
            return len(self._law)
        return sum(math.comb(self.k, ones) for ones in self._possible_counts())

    def _possible_counts(self) -> Iterable[int]:
        """Return the numbers of ones that are possible, without computing their weights."""
        if self._between:
            low, high = self._between
            return range(low, high + 1)
        return np.flatnonzero(self._counts).tolist()

    @cached_property
    def law(self) -> dict[Bits, Weight]:
        """The weight of each possible vector."""
        if self._law:
            return self._law
        if self.k > 30 or self.size > MOST_VECTORS:
            raise ValueError(f"a law of all its vectors needs at most {MOST_VECTORS} of them; this one has more")
        each = [weight / math.comb(self.k, ones) for ones, weight in enumerate(self.counts.tolist())]
        vectors = itertools.product((0, 1), repeat=self.k)
        return {bits: each[sum(bits)] for bits in vectors if each[sum(bits)]}

    @cached_property
    def counts(self) -> np.ndarray | None:
        """The law of the number of ones, if all vectors with equally many ones are equally likely; else None."""
        if self._between:
            return _binomial_shares(self.k, *self._between)
        return self._counts if self._law is None else _counts_of(self.k, self._law)

    def has_same_counts(self, other: Hypothesis) -> bool:
        """Say whether the numbers of ones certainly have the same law: weights that were rounded do not decide it."""
        _check_hypothesis("other", other)
        if self._between or other._between:
            return self._between == other._between
        return np.array_equal(self.counts, other.counts)

    def log_counts(self) -> np.ndarray:
        """Return the logarithms of `counts`, also of weights too small for a float.

        They are right up to one unit and LOG_UNITS of the larger of their size and k.
        """
        if not self._between:
            return np.array([log_fraction(weight) for weight in self.counts.tolist()])
        chosen = _chosen(self.k, *self._between)
        log_total = math.log(sum(chosen))
        return np.array([math.log(number) - log_total if number else -math.inf for number in chosen])

    @property
    def log_least(self) -> float:
        """The logarithm of the least weight of a possible vector, or a little less."""
        if self._law:
            return log_fraction(min(self._law.values()))
        possible = [weight for weight in self.log_counts() if weight > -math.inf]
        return min(possible) - self.k * math.log(2)

    @property
    def is_listed(self) -> bool:
        """Whether its vectors were given one by one."""
        return self._law is not None

    @property
    def is_point(self) -> bool:
        """Whether it is a single vector."""
        return self._law is not None and len(self._law) == 1

    @property
    def vector(self) -> Bits:
        """The single vector of a point hypothesis."""
        if not self.is_point:
            raise ValueError(f"vector is for a hypothesis of a single vector, not {self}")
        return next(iter(self._law))

    @property
    def is_zero(self) -> bool:
        """Whether it says that the record is nowhere."""
        return self.is_point and not any(self.vector)

    @property
    def is_nonzero(self) -> bool:
        """Whether it was made as the uniform law on all vectors but 00...0."""
        return self._between == (1, self.k)

    def mean_count(self) -> Number:
        """Return the expected number of ones."""
        if self._law:
            return sum(weight * sum(bits) for bits, weight in self._law.items())
        return sum(weight * ones for ones, weight in enumerate(self.counts.tolist()))

    def sample(self, rng: np.random.Generator) -> Bits:
        """Draw a vector."""
        rng = checks.generator(rng)
        if self._law:
            vectors = list(self._law)
            return vectors[_draw(rng, list(self._law.values()))]
        order = rng.permutation(self.k)
        ones = _draw(rng, self.counts)
        vector = np.zeros(self.k, dtype=int)
        vector[order[:ones]] = 1
        return tuple(vector.tolist())

    def __repr__(self) -> str:
        if self._between:
            low, high = self._between
            return f"<Hypothesis: uniform on the vectors of {self.k} bits with {low} to {high} ones>"
        if not self._law:
            return f"<Hypothesis by the number of ones among {self.k} bits>"
        many = f"{self.size} vector{'s' if self.size > 1 else ''} of {self.k} bits"
        if len(self._law) > MOST_SHOWN or self.k > LONGEST_SHOWN:
            return f"<Hypothesis on {many}>"
        listed = [f"{show_bits(bits)} with {_show_weight(weight)}" for bits, weight in self._law.items()]
        return f"<Hypothesis on {many}: {', '.join(listed)}>"


def check_two(h0: Hypothesis, h1: Hypothesis) -> int:
    """Return the number of rounds that two hypotheses are about."""
    for name, h in (("h0", h0), ("h1", h1)):
        _check_hypothesis(name, h)
    if h0.k != h1.k:
        raise ValueError(f"h1 must be about as many rounds as h0 ({h0.k}), not {h1.k}")
    return h0.k


# ---------------------------------------------------------------------------------------------- one step each


def _check_hypothesis(name: str, h) -> None:
    if not isinstance(h, Hypothesis):
        raise ValueError(f"{name} must be a Hypothesis, such as Hypothesis.point('010'), not {checks.shorten(h)}")


def _at_most(name: str, value: int, most: int, low: int = 0) -> int:
    value = checks.count(name, value, low=low)
    if value > most:
        raise ValueError(f"{name} must be at most {most} for vectors of this length, not {value}")
    return value


def _draw(rng: np.random.Generator, weights) -> int:
    """Draw a place with the given weights."""
    weights = np.array(weights, dtype=float)
    return rng.choice(len(weights), p=weights / weights.sum())


def _show_weight(weight: Weight) -> str:
    return str(weight) if checks.is_exact(weight) else format(weight, ".6g")


def _chosen(k: int, low: int, high: int) -> list[int]:
    """Return the number of vectors with j ones for j = 0..k, those outside low..high left out."""
    return [number if low <= j <= high else 0 for j, number in enumerate(binomials(k))]


def _binomial_shares(k: int, low: int, high: int) -> np.ndarray:
    """Return the law of the number of ones of a vector drawn among those with low to high of them."""
    chosen = _chosen(k, low, high)
    total = sum(chosen)
    if k <= MOST_EXACT_COUNTS:
        return np.array([Fraction(number, total) for number in chosen], dtype=object)
    return np.array([number / total for number in chosen])


def _counts_of(k: int, law: dict[Bits, Weight]) -> np.ndarray | None:
    """Return the law of the number of ones if the law depends on nothing else."""
    groups: dict[int, list[Weight]] = {}
    for bits, weight in law.items():
        groups.setdefault(sum(bits), []).append(weight)
    if not all(_is_even(k, ones, weights) for ones, weights in groups.items()):
        return None
    counts = [Fraction(0)] * (k + 1)
    for ones, weights in groups.items():
        counts[ones] = len(weights) * weights[0]
    exact = all(checks.is_exact(weight) for weight in counts)
    return np.array(counts, dtype=object if exact else float)


def _is_even(k: int, ones: int, weights: list[Weight]) -> bool:
    """Say whether all vectors with this many ones are there, with the same weight."""
    return len(weights) == math.comb(k, ones) and min(weights) == max(weights)
