r"""What the paper's recipe says (HBW, section V-B), and whether it is a guarantee.

Match the weight of `h0` with the weight of `h1`: triples (b0, b1, w). In each triple only the rounds in which b0 and b1
differ count; composing them gives (eps_i, delta_i). The recipe then reads

    e^eps = sum_i w_i e^eps_i,      delta = sum_i w_i delta_i.

It bounds a mixture by a *single* vector. It bounds a single vector by a mixture if no pair with a larger eps_i has a
smaller delta_i; else it can fail. With two composite hypotheses it can fail with the best matching (at k = 2 already).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ..guarantee import Guarantee
from ..numerics.rounding import FUNCTION, LOG_UNITS, TINY, UNIT, log_fraction, up
from .bits import Bits


class Matched(NamedTuple):
    """A pair of vectors, one from each hypothesis, and the weight that they share."""

    b0: Bits
    b1: Bits
    weight: Fraction


class Recipe:
    """What the recipe says, and whether it is a guarantee.

    `epsilon` and `delta` are the recipe's numbers. `valid` says in which directions they hold: "pq" bounds the first
    hypothesis by the second, "qp" the second by the first. `guarantee` refuses where one fails; `corrected` holds in
    both directions when one hypothesis is a single vector.
    """

    def __init__(
        self,
        weights: Iterable[Fraction],
        parts: list[Guarantee],
        point: int | None,
        matched: list[Matched] | None = None,
    ):
        """Make a recipe of weights w_i and guarantees (eps_i, delta_i); `point` says which hypothesis is one vector."""
        self.weights = list(weights)
        self.parts = parts
        self.point = point
        self.matched = matched
        self.epsilon = log_mean(self.weights, [part.epsilon for part in parts])
        self.delta = mean(self.weights, [part.delta for part in parts])

    @property
    def reverse(self) -> Guarantee:
        """The right bound of a single vector by a mixture.

        e^-eps = A = sum w_i e^-eps_i,  delta = sum w_i e^-eps_i delta_i / A.
        """
        eps = -log_mean(self.weights, [-part.epsilon for part in self.parts], rounding=-1)
        if eps == math.inf:
            return Guarantee(math.inf, max(part.delta for part in self.parts))
        shares = [
            _exp_up(eps - part.epsilon + log_fraction(weight), eps + part.epsilon)
            for weight, part in zip(self.weights, self.parts, strict=True)
        ]
        delta = mean(shares, [part.delta for part in self.parts])
        return Guarantee(eps, min(delta, 1.0))

    @property
    def ordered(self) -> bool:
        """Whether no part with a larger epsilon has a smaller delta."""
        deltas: dict[float, list[float]] = {}
        for part in sorted(self.parts, key=lambda part: part.epsilon):
            deltas.setdefault(part.epsilon, []).append(part.delta)
        return all(max(smaller) <= min(larger) for smaller, larger in pairwise(deltas.values()))

    @property
    def valid(self) -> dict[str, bool]:
        """In which directions the recipe's numbers are known to hold."""
        same = len({part.epsilon for part in self.parts}) == 1
        if self.point is None:
            return {"pq": same, "qp": same}
        of_point = self.ordered or same
        if self.point == 0:
            return {"pq": of_point, "qp": True}
        return {"pq": True, "qp": of_point}

    @property
    def reason(self) -> str:
        """Why the recipe holds or fails."""
        if all(self.valid.values()):
            return "it holds in both directions"
        if self.point is None:
            return "both hypotheses are composite, and for those the recipe can fail"
        return "a pair with a larger epsilon has a smaller delta, so it can fail for the vector by the mixture"

    @property
    def guarantee(self) -> Guarantee:
        """The recipe as a guarantee, where it is one."""
        if not all(self.valid.values()):
            raise ValueError(f"the recipe is no guarantee here: {self.reason}; use hypothesis_dp or coupling_bounds")
        return Guarantee(self.epsilon, min(self.delta, 1.0))

    @property
    def corrected(self) -> Guarantee:
        """The recipe's epsilon with a delta that holds in both directions, for a single vector and a mixture."""
        if self.point is None and not all(self.valid.values()):
            raise ValueError(
                "there is no correction for two composite hypotheses; use hypothesis_dp or coupling_bounds"
            )
        return Guarantee(self.epsilon, min(max(self.delta, self.reverse.delta), 1.0))

    def __iter__(self) -> Iterator[float]:
        return iter((self.epsilon, self.delta))

    def __repr__(self) -> str:
        word = "a guarantee" if all(self.valid.values()) else "NOT a guarantee"
        return f"Recipe(epsilon={self.epsilon:.10g}, delta={self.delta:.10g}), {word}: {self.reason}"


# ------------------------------------------------------------------------------------------------ weighted means


def mean(weights: Iterable[Fraction | float], values: Iterable[float]) -> float:
    """Return the sum of weight * value, rounded up."""
    parts = [(float(weight), float(value)) for weight, value in zip(weights, values, strict=True) if weight and value]
    underflow = 2 * TINY * len(parts)
    return up(math.fsum(weight * value for weight, value in parts) + underflow)


def log_mean(weights: Iterable[Fraction], values: Iterable[float], rounding: int = +1) -> float:
    """Return the log of the mean of e^x, rounded up (+1) or down (-1), for values x of one sign."""
    atoms = [(weight, float(x)) for weight, x in zip(weights, values, strict=True) if weight]
    if all(abs(x) < 1 for _, x in atoms):
        small = math.log1p(math.fsum(float(weight) * math.expm1(x) for weight, x in atoms))
        lost = 5 * FUNCTION * UNIT * abs(small)  # expm1 and three operations count up to 1.72 times; then log1p
        underflow = 2 * TINY * sum(x != 0 for _, x in atoms)
        return small + rounding * (lost + underflow)
    logs = [log_fraction(weight) + x for weight, x in atoms]
    largest = max(logs)
    if not math.isfinite(largest):
        return largest
    size = max(abs(log_fraction(weight)) + abs(x) for weight, x in atoms if math.isfinite(x))
    found = largest + math.log(math.fsum(math.exp(x - largest) for x in logs))
    error = UNIT * ((LOG_UNITS + 4) * (size + math.log(len(logs))) + 2 * FUNCTION)
    return found + rounding * error


def _exp_up(x: float, size: float) -> float:
    """Return e^x, rounded up, where x is a sum of a logarithm and of numbers of this size."""
    size = size + abs(x)
    return math.exp(x) * (1 + UNIT * ((LOG_UNITS + 4) * size + 2 * FUNCTION)) if x > -math.inf else 0.0
