"""Any two laws: replace one coordinate of the vector after the other by the answer of its round, 2^k views."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ..numerics.rounding import LOG_UNITS
from ..pair import Pair
from .arithmetic import FLOATS, FRACTIONS, LOGADDEXP, LOGARITHMS, Arithmetic
from .columns import MOST_EXACT_VIEWS, MOST_VIEWS
from .hypothesis import MOST_VECTORS, Hypothesis
from .logarithms import LogLaws
from .rounds import Sequence
from .view_laws import ViewLaws

MOST_ROUNDS = 22  # for arbitrary laws, which need 2^k numbers
SAFE_LOG = -650.0  # products of probabilities above e^this keep all their digits


def all_views(rounds: Sequence, h0: Hypothesis, h1: Hypothesis) -> ViewLaws | None:
    """Return the laws of the view, if there are not too many views."""
    if h0.k > MOST_ROUNDS or max(h0.size, h1.size) > MOST_VECTORS:
        return None
    pairs = [mechanism.pair for mechanism in rounds.each]
    size = math.prod(map(len, pairs))
    if size > MOST_VIEWS:
        return None
    if h0.exact and h1.exact and rounds.exact and size <= MOST_EXACT_VIEWS:
        return _in_fractions(pairs, h0, h1)
    rarest = min(h0.log_least, h1.log_least) + sum(_log_least(pair) for pair in pairs)
    if rarest > SAFE_LOG:
        return _in_floats(pairs, h0, h1)
    return _in_logarithms(pairs, h0, h1, -rarest)


def _log_least(pair: Pair) -> float:
    """Return the logarithm of the least probability in a pair that is not zero."""
    logs = LogLaws.of(pair)
    return min(np.min(law, where=np.isfinite(law), initial=0.0) for law in (logs.p, logs.q))


def _in_fractions(pairs: list[Pair], h0: Hypothesis, h1: Hypothesis) -> ViewLaws:
    p = _answers(FRACTIONS, _tensor(FRACTIONS, h0), pairs)
    q = _answers(FRACTIONS, _tensor(FRACTIONS, h1), pairs)
    return ViewLaws.of_laws(p, q)


def _in_floats(pairs: list[Pair], h0: Hypothesis, h1: Hypothesis) -> ViewLaws:
    """All terms are positive, so relative errors add up.

    Each round has those of its pair, which becomes a float, of a product and of a sum. The weight of a vector may be a
    rounded share of a rounded sum.
    """
    p = _answers(FLOATS, _tensor(FLOATS, h0), pairs)
    q = _answers(FLOATS, _tensor(FLOATS, h1), pairs)
    units = sum(pair.error.units + 3 for pair in pairs) + 2
    return ViewLaws.of_laws(p, q, units, sum(pair.error.mass for pair in pairs))


def _in_logarithms(pairs: list[Pair], h0: Hypothesis, h1: Hypothesis, size: float) -> ViewLaws:
    """No logarithm exceeds `size`, so each product and each sum of a round is off by that many units at most."""
    p = _answers(LOGARITHMS, _tensor(LOGARITHMS, h0), pairs)
    q = _answers(LOGARITHMS, _tensor(LOGARITHMS, h1), pairs)
    logs = [LogLaws.of(pair) for pair in pairs]
    units = sum(law.units + 2 * size + LOGADDEXP for law in logs)
    units += LOG_UNITS * size + 2  # the weights
    return ViewLaws.of_logs(p, q, units, sum(law.mass for law in logs))


def _tensor(arithmetic: Arithmetic, h: Hypothesis) -> np.ndarray:
    """Return the law as an array with one axis of length 2 for each round."""
    if not h.is_listed:
        each = [Fraction(weight) / math.comb(h.k, ones) for ones, weight in enumerate(h.counts.tolist())]
        number_of_ones = sum(np.indices((2,) * h.k, dtype=np.int8, sparse=True))
        return arithmetic.array(each)[number_of_ones]
    tensor = np.full((2,) * h.k, arithmetic.number(0), dtype=arithmetic.dtype)
    for bits, weight in h.law.items():
        tensor[bits] = arithmetic.number(weight)
    return tensor


def _answers(arithmetic: Arithmetic, tensor: np.ndarray, pairs: list[Pair]) -> np.ndarray:
    """Return the law of the view: each axis of bits becomes an axis of answers.

    The first axis is replaced and becomes the last, so that after k steps the order is restored.
    """
    times = arithmetic.times
    for pair in pairs:
        p, q = arithmetic.laws_of(pair)
        zero, one = tensor
        answers = [arithmetic.plus(times(zero, p[y]), times(one, q[y])) for y in range(len(pair))]
        tensor = np.stack(answers, axis=-1)
    return tensor.ravel()
