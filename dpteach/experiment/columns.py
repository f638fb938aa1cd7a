"""Few vectors: all rounds with the same mechanism and the same column of bits are one k-fold composition.

Write the possible vectors below each other. Two rounds in which the mechanism and the column of bits agree play the
same part, so only the number of their answers of each kind matters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..numerics.rounding import FUNCTION, LOG_UNITS, log_fraction
from .arithmetic import LOGADDEXP
from .bits import Bits
from .hypothesis import Hypothesis, Weight
from .logarithms import LogLaws
from .rounds import Mechanism, Sequence
from .view_laws import ViewLaws

MOST_VIEWS = 2**22  # more views than this, times the number of vectors, are too many for a student's memory
MOST_EXACT_VIEWS = 2**14  # up to this many views are computed in fractions, where everything given is exact


@dataclass(frozen=True)
class Column:
    """Rounds in which the same mechanism answers for the same column of bits, one bit for each vector."""

    bits: Bits
    mechanism: Mechanism
    rounds: int

    @property
    def outcomes(self) -> int:
        """How many outcomes its composition has: numbers of the ordinary answers, and an open answer of either kind."""
        choices = self.mechanism.choices
        open_zero = bool(self.mechanism.opens_zero)
        open_one = bool(self.mechanism.opens_one)
        return math.comb(self.rounds + choices - 1, self.rounds) + open_zero + open_one


def few_vectors(rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> ViewLaws | None:
    """Return the laws of the view, if both hypotheses list their vectors and there are not too many views."""
    if not (h0.is_listed and h1.is_listed):
        return None
    vectors = list(dict.fromkeys([*h0.law, *h1.law]))
    columns = columns_of(rounds, vectors)
    size = math.prod(column.outcomes for column in columns)
    if size * len(vectors) > MOST_VIEWS:
        return None
    weights = [[h.law.get(vector, 0) for vector in vectors] for h in (h0, h1)]
    exact = h0.exact and h1.exact and rounds.exact and size <= MOST_EXACT_VIEWS
    return _in_fractions(columns, *weights) if exact else _in_logarithms(columns, *weights)


def columns_of(rounds: Sequence, vectors: list[Bits]) -> list[Column]:
    """Return the columns in which the vectors differ; a round in which all bits are equal tells nothing.

    For a guarantee the two bits play the same part, so a column and its complement are one.
    """
    counts: dict[tuple[Bits, Mechanism], int] = {}
    for bits, mechanism in zip(zip(*vectors, strict=True), rounds.each, strict=True):
        if len(set(bits)) == 1:
            continue
        if mechanism.is_guarantee and bits[0] == 1:
            bits = tuple(1 - bit for bit in bits)
        counts[bits, mechanism] = counts.get((bits, mechanism), 0) + 1
    return [Column(bits, mechanism, number) for (bits, mechanism), number in counts.items()]


# ---------------------------------------------------------------------------------------------- in fractions


def _in_fractions(columns: list[Column], weights0: list[Weight], weights1: list[Weight]) -> ViewLaws:
    """Multiply the laws of the columns under each vector, and average over the vectors."""
    laws = np.full((len(weights0), 1), Fraction(1), dtype=object)
    for column in columns:
        power = column.mechanism.pair**column.rounds
        factor = np.array([power.q if bit else power.p for bit in column.bits], dtype=object)
        laws = _outer(laws, factor, np.multiply)
    p = np.array(list(map(Fraction, weights0)), dtype=object) @ laws
    q = np.array(list(map(Fraction, weights1)), dtype=object) @ laws
    return ViewLaws.of_laws(p, q)


def _outer(laws: np.ndarray, factor: np.ndarray, times) -> np.ndarray:
    """Return for each vector, a row, all products of an entry of `laws` and one of `factor`."""
    return times(laws[:, :, None], factor[:, None, :]).reshape(len(laws), -1)


# -------------------------------------------------------------------------------------------- in logarithms


def _in_logarithms(columns: list[Column], weights0: list[Weight], weights1: list[Weight]) -> ViewLaws:
    """Do the same in logarithms, so that nothing underflows.

    A sum of logarithms is rounded once for every column, and once for the weight; each time its size, that of all
    logarithms together, is at stake. Then as many sums of the averages, by logaddexp.
    """
    logs = np.zeros((len(weights0), 1))
    units = 0.0
    mass = 0.0
    size = max(abs(log_fraction(weight)) for weight in (*weights0, *weights1) if weight)
    for column in columns:
        power = _log_power(column.mechanism, column.rounds)
        factor = np.array([power.under(bit) for bit in column.bits])
        logs = _outer(logs, factor, np.add)
        units += power.units
        mass += power.mass
        size += power.size
    units += (len(columns) + 1) * size
    units += LOG_UNITS * size + 1  # the weight's own logarithm
    units += len(logs) * (size + LOGADDEXP)
    return ViewLaws.of_logs(_mixture(logs, weights0), _mixture(logs, weights1), units, mass)


def _mixture(logs: np.ndarray, weights: list[Weight]) -> np.ndarray:
    """Return the logarithms of the average of the laws in the rows."""
    weighted = [law + log_fraction(weight) for law, weight in zip(logs, weights, strict=True) if weight]
    return np.logaddexp.reduce(weighted, axis=0)


def _log_power(mechanism: Mechanism, rounds: int) -> LogLaws:
    """Return the logarithms of both laws of the k-fold product, outcomes of equal likelihood ratio merged."""
    if mechanism.choices > 2:
        return LogLaws.of(mechanism.pair**rounds)
    each = LogLaws.of(mechanism.merged).only(mechanism.ordinary)
    ways = [math.log(math.comb(rounds, second)) for second in range(rounds + 1)]
    log_p = [*_binomial_logs(ways, each.p), _log_any(mechanism.opens_zero, rounds), -math.inf]
    log_q = [*_binomial_logs(ways, each.q), -math.inf, _log_any(mechanism.opens_one, rounds)]
    return LogLaws(np.array(log_p), np.array(log_q), _power_units(mechanism, each, rounds), rounds * each.mass)


def _power_units(mechanism: Mechanism, each: LogLaws, rounds: int) -> float:
    """Return the error of these logarithms: that of each round's, and of two products and three terms in a sum.

    log C(k, m) is at most k log 2. The probability that any of the k answers is open is as good as that of one.
    """
    size = rounds * (each.size + math.log(2))
    summed = rounds * each.units + (FUNCTION + 4) * size
    certain = mechanism.merged.error.certain_units + len(mechanism.merged)
    smallest = [log_fraction(open_) for open_ in (mechanism.opens_zero, mechanism.opens_one) if open_]
    opened = certain + 3 * FUNCTION + LOG_UNITS * max(map(abs, smallest), default=0.0)
    return max(summed, opened)


def _binomial_logs(ways: list[float], each: np.ndarray) -> list[float]:
    """Return the logarithms of C(k, m) a^(k-m) b^m for m = 0..k, where a and b are the probabilities of one round."""
    first, second = [*each.tolist(), -math.inf, -math.inf][:2]
    k = len(ways) - 1
    return [way + _times(k - m, first) + _times(m, second) for m, way in enumerate(ways)]


def _times(n: int, log: float) -> float:
    """Return n log, also for the impossible that happens zero times."""
    return n * log if n else 0.0


def _log_any(chance: float, rounds: int) -> float:
    """Return the logarithm of 1 - (1 - chance)^k, the probability that it happens in any of the rounds."""
    if not 0 < chance < 1:
        return log_fraction(chance)
    return math.log(-math.expm1(rounds * math.log1p(-chance)))
