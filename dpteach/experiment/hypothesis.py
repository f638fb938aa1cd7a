"""Hypotheses: what the adversary wants to tell apart, as laws on bit vectors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property

import numpy as np

from .. import checks

MOST_VECTORS = 2**22  # a hypothesis with more vectors than this is not listed vector by vector
MOST_EXACT_COUNTS = 1000  # for longer vectors the law of the number of ones is kept in floats

Bits = tuple[int, ...]


class Hypothesis:
    """A law on bit vectors of length `k`: where might the target person's record be?

    Whole numbers and fractions stay exact. Make one with `point`, `uniform`, `from_dict`, `by_count`, `between`,
    `at_least`, `fewer_than` or `nonzero`.

    >>> Hypothesis.uniform(["01", "10"])
    <Hypothesis on 2 vectors of 2 bits: 01 with 1/2, 10 with 1/2>
    """

    def __init__(self, k: int, *, law: dict[Bits, Fraction | float] | None = None, counts=None, between=None):
        self.k, self._law, self._counts = k, law, counts
        self._between = between  # (low, high): uniform on the vectors with that many ones

    # ------------------------------------------------------------------------------------------- how to make one

    @classmethod
    def point(cls, bits) -> Hypothesis:
        """Return the hypothesis that the vector is `bits`, such as "0110"."""
        vector = as_bits("bits", bits)
        return cls(len(vector), law={vector: Fraction(1)})

    @classmethod
    def uniform(cls, vectors: Iterable) -> Hypothesis:
        """Return the uniform law on the given vectors."""
        listed = _list("vectors", vectors)
        return cls.from_dict({bits: Fraction(1, len(listed)) for bits in _vectors("vectors", listed)})

    @classmethod
    def from_dict(cls, law: Mapping) -> Hypothesis:
        """Return the law that gives each vector its weight; vectors of weight zero are dropped."""
        if not isinstance(law, Mapping) or not law:
            raise ValueError(f"law must map bit vectors to weights, not {checks.shorten(law)}")
        weights = checks.law("the weights of law", law.values())
        vectors = _vectors("law", law)
        return cls(len(vectors[0]), law={b: w for b, w in zip(vectors, weights.tolist(), strict=True) if w})

    @classmethod
    def by_count(cls, k: int, weights) -> Hypothesis:
        """Return the law with `weights[j]` on j ones, all vectors with equally many ones being equally likely."""
        k, weights = checks.count("k", k, low=1), checks.law("weights", weights)
        if len(weights) != k + 1:
            raise ValueError(f"weights must have {k + 1} entries, for 0 to {k} ones, not {len(weights)}")
        return cls(k, counts=weights)

    @classmethod
    def between(cls, k: int, low: int, high: int) -> Hypothesis:
        """Return the uniform law on the vectors of length k with at least `low` and at most `high` ones."""
        k = checks.count("k", k, low=1)
        low, high = checks.count("low", low), checks.count("high", high)
        if not low <= high <= k:
            raise ValueError(f"low and high must obey 0 <= low <= high <= k = {k}, not {low} and {high}")
        if low == high and low in (0, k):
            return cls.point([int(low > 0)] * k)
        return cls(k, between=(low, high))

    @classmethod
    def at_least(cls, k: int, m: int) -> Hypothesis:
        """Return the uniform law on the vectors with at least m ones."""
        return cls.between(k, _at_most_k("m", m, k), k)

    @classmethod
    def fewer_than(cls, k: int, m: int) -> Hypothesis:
        """Return the uniform law on the vectors with fewer than m ones."""
        return cls.between(k, 0, _at_most_k("m", m, checks.count("k", k, low=1) + 1, low=1) - 1)

    @classmethod
    def nonzero(cls, k: int) -> Hypothesis:
        """Return the uniform law on all vectors but 00...0: in at least one database, nobody knows in which."""
        return cls.between(k, 1, k)

    # --------------------------------------------------------------------------------------------- what it knows

    @property
    def exact(self) -> bool:
        """Whether all weights are fractions."""
        weights = self._law.values() if self._law else self.counts
        return all(checks.is_exact(w) for w in weights)

    @property
    def size(self) -> int:
        """The number of vectors that are possible."""
        if self._law:
            return len(self._law)
        low, high = self._between or (0, self.k)
        possible = range(low, high + 1) if self._between else [j for j in range(self.k + 1) if self._counts[j]]
        return sum(math.comb(self.k, j) for j in possible)

    @cached_property
    def law(self) -> dict[Bits, Fraction | float]:
        """The weight of each possible vector."""
        if self._law:
            return self._law
        if self.k > 30 or self.size > MOST_VECTORS:
            raise ValueError(f"a law of all its vectors needs at most {MOST_VECTORS} of them; this one has more")
        vectors = itertools.product((0, 1), repeat=self.k)
        each = [w / math.comb(self.k, j) for j, w in enumerate(self.counts.tolist())]
        return {bits: each[sum(bits)] for bits in vectors if each[sum(bits)]}

    @cached_property
    def counts(self) -> np.ndarray | None:
        """The law of the number of ones, if all vectors with equally many ones are equally likely; else None."""
        if self._between:
            return _binomial_shares(self.k, *self._between)
        return self._counts if self._law is None else _counts_of(self.k, self._law)

    def log_counts(self) -> np.ndarray:
        """Return the logarithms of `counts`, also of weights too small for a float."""
        if self._between:
            chosen = _chosen(self.k, *self._between)
            total = math.log(sum(chosen))
            return np.array([math.log(c) - total if c else -math.inf for c in chosen])
        return np.array([log_of(w) for w in self.counts.tolist()])

    @property
    def log_least(self) -> float:
        """The logarithm of the least weight of a possible vector, or a little less."""
        if self._law:
            return log_of(min(self._law.values()))
        return min(w for w in self.log_counts() if w > -math.inf) - self.k * math.log(2)

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

    def mean_count(self):
        """Return the expected number of ones."""
        if self._law:
            return sum(weight * sum(bits) for bits, weight in self._law.items())
        return sum(weight * j for j, weight in enumerate(self.counts.tolist()))

    def sample(self, rng: np.random.Generator) -> Bits:
        """Draw a vector."""
        rng = checks.generator(rng)
        if self._law:
            weights = np.array([float(w) for w in self._law.values()])
            return list(self._law)[rng.choice(len(weights), p=weights / weights.sum())]
        weights = self.counts.astype(float)
        vector = np.zeros(self.k, dtype=int)
        vector[rng.permutation(self.k)[: rng.choice(self.k + 1, p=weights / weights.sum())]] = 1
        return tuple(vector.tolist())

    def __repr__(self) -> str:
        if self._between:
            low, high = self._between
            return f"<Hypothesis: uniform on the vectors of {self.k} bits with {low} to {high} ones>"
        if not self._law:
            return f"<Hypothesis by the number of ones among {self.k} bits>"
        many = f"{self.size} vector{'s' if self.size > 1 else ''} of {self.k} bits"
        if len(self._law) <= 6 and self.k <= 20:
            listed = (
                f"{show_bits(b)} with {w if checks.is_exact(w) else format(w, '.6g')}" for b, w in self._law.items()
            )
            return f"<Hypothesis on {many}: {', '.join(listed)}>"
        return f"<Hypothesis on {many}>"


# ------------------------------------------------------------------------------------------------- small helpers


def as_bits(name: str, bits) -> Bits:
    """Return a vector given as "0110" or as a list of zeros and ones as a tuple."""
    items = list(bits) if np.iterable(bits) else [None]
    if not items or not all(_is_bit(item, isinstance(bits, str)) for item in items):
        raise ValueError(f'{name} must be a vector of zeros and ones such as "0110", not {checks.shorten(bits)}')
    return tuple(int(item) for item in items)


def _is_bit(item, text: bool) -> bool:
    return item in ("0", "1") if text else checks.is_number(item) and item in (0, 1)


def show_bits(bits: Bits) -> str:
    """Return a vector as text, such as 0110."""
    return "".join(map(str, bits))


def _list(name: str, values) -> list:
    if not np.iterable(values) or isinstance(values, str):
        raise ValueError(f'{name} must be a list of bit vectors such as ["01", "10"], not {checks.shorten(values)}')
    return list(values)


def _vectors(name: str, values: Iterable) -> list[Bits]:
    """Return different vectors of equal length."""
    vectors = [as_bits(f"every vector of {name}", bits) for bits in values]
    if not vectors or len(set(map(len, vectors))) != 1:
        raise ValueError(f"the vectors of {name} must have one length, not {sorted(set(map(len, vectors)))}")
    checks.names(f"the vectors of {name}", [show_bits(bits) for bits in vectors])
    return vectors


def _at_most_k(name: str, m: int, k: int, low: int = 0) -> int:
    k, m = checks.count("k", k, low=1), checks.count(name, m, low=low)
    if m > k:
        raise ValueError(f"{name} must be at most {k} for vectors of this length, not {m}")
    return m


def binomials(k: int) -> list[int]:
    """Return the number of vectors with j ones for j = 0..k."""
    row = [1]
    for j in range(k):
        row.append(row[-1] * (k - j) // (j + 1))
    return row


def _chosen(k: int, low: int, high: int) -> list[int]:
    return [c if low <= j <= high else 0 for j, c in enumerate(binomials(k))]


def _binomial_shares(k: int, low: int, high: int) -> np.ndarray:
    chosen = _chosen(k, low, high)
    total = sum(chosen)
    if k <= MOST_EXACT_COUNTS:
        return np.array([Fraction(c, total) for c in chosen], dtype=object)
    return np.array([c / total for c in chosen])


def _counts_of(k: int, law: dict) -> np.ndarray | None:
    """Return the law of the number of ones if the law depends on nothing else."""
    groups: dict[int, list] = {}
    for bits, weight in law.items():
        groups.setdefault(sum(bits), []).append(weight)
    even = all(len(ws) == math.comb(k, j) and min(ws) == max(ws) for j, ws in groups.items())
    if not even:
        return None
    exact = all(checks.is_exact(w) for w in law.values())
    each = [groups.get(j, [Fraction(0)]) for j in range(k + 1)]
    return np.array([len(ws) * ws[0] for ws in each], dtype=object if exact else float)


def log_of(weight) -> float:
    """Return the logarithm of a float or a fraction, -inf for zero."""
    if not weight:
        return -math.inf
    if not checks.is_exact(weight):
        return math.log(weight)
    size = weight.numerator.bit_length() - weight.denominator.bit_length()
    if abs(size) < 1000:
        return math.log(weight.numerator / weight.denominator)
    return math.log(weight.numerator) - math.log(weight.denominator)


def log_ratios(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return log(p/q), for fractions also where p/q is no float; infinite where p or q is zero."""
    if p.dtype != object:
        with np.errstate(divide="ignore"):
            return np.log(p / q)
    return np.array([log_of(a / b) if b else math.inf for a, b in zip(p, q, strict=True)])
