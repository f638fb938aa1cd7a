"""The curve: how much is lost, delta against eps. The one thing that everything in this library has.

A pair of distributions, a mechanism, an optimal composition, an experiment, a promise: each of them is
(eps, delta(eps))-private for every eps, and an adversary who knows that curve knows all there is to know. So whatever
draws, compares or composes curves takes any of them.

All curves say the same about rounding: what `delta` and `epsilon` return is never below the truth, and `bracket` says
how far above it can be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn, overload

import numpy as np

from . import checks
from .annotations import Answer, Array, Asked, Number
from .numerics.rounding import FUNCTION, UNIT, exp_up, next_float, outward

__all__ = [
    "BACK",
    "BOTH",
    "DIRECTIONS",
    "FORTH",
    "VACUOUS",
    "Curve",
    "TwoSided",
    "Vacuous",
    "WorstCase",
    "as_curve",
]

BOTH, FORTH, BACK = DIRECTIONS = ("both", "pq", "qp")
SAME_POINT = 1e-12  # how far points in floats may lie outside a region and still count as inside
BOUNDARY_POINTS = 257  # vertices drawn on the lower boundary of a curved region
TANGENTS = 1025  # promises (eps, delta(eps)) from which the region of a curve is cut out
LARGEST_TANGENT = 40.0  # a steeper one touches the region within e^-40 of its corner


class Vacuous:
    """What a promise about nothing answers: not a number, so that nobody takes it for perfect privacy."""

    def __repr__(self) -> str:
        return "vacuous"

    def __format__(self, spec: str) -> str:
        return "vacuous"

    def __reduce__(self) -> str:
        return "VACUOUS"

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("vacuous is no number: the promise is about no pair of neighbours, so it says nothing")

    __lt__ = __le__ = __gt__ = __ge__ = __float__ = __int__ = __bool__ = __abs__ = __neg__ = __pow__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __array__ = _refuse


VACUOUS = Vacuous()


class Curve(ABC):
    """Anything that has a smallest delta for every eps.

    A subclass says between which two numbers its delta and its epsilon lie, in `_delta_at` and `_epsilon_at`. The rest
    is derived here; where a subclass knows a closed form, it says so. A curve that is `exact` answers in fractions
    when e^eps is given as one: `delta(ratio=2)`.

    >>> from dpteach.mechanisms import laplace
    >>> curve = laplace(1.0)
    >>> round(curve.delta(0.5), 6), round(curve.epsilon(0.1), 6), round(curve.tradeoff(0.5), 6)
    (0.221199, 0.789279, 0.18394)
    """

    exact: bool = False
    vacuous: bool = False

    @abstractmethod
    def _delta_at(self, eps: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of the smallest delta at eps: never below the truth (+1), or never above it (-1)."""

    @abstractmethod
    def _epsilon_at(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of the smallest eps >= 0 at a delta below 1; infinity where there is none."""

    def _exact_delta(self, ratio: Fraction) -> Fraction:
        raise NotImplementedError

    def _exact_ratio(self, delta: Fraction) -> Fraction | float:
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------- the two questions

    @overload
    def delta(self, eps: Number) -> float: ...
    @overload
    def delta(self, eps: Array) -> np.ndarray: ...
    @overload
    def delta(self, *, ratio: Number) -> Number: ...
    def delta(self, eps: Any = None, *, ratio: Any = None) -> Answer:
        """Smallest delta at which this is (eps, delta)-private, rounded up.

        `ratio=` gives e^eps instead of eps; an exact curve then answers in fractions.
        """
        if self._asked_exactly(eps, ratio):
            return self._exact_delta(checks.ratio(ratio))
        least = _least_eps(eps, ratio)
        return VACUOUS if self.vacuous else checks.plain(self._delta_at(least, +1))

    @overload
    def epsilon(self, delta: Number = 0) -> float: ...
    @overload
    def epsilon(self, delta: Array) -> np.ndarray: ...
    def epsilon(self, delta: Any = 0) -> Answer:
        """Smallest eps >= 0 at which this is (eps, delta)-private, rounded up; inf if there is none."""
        delta = checks.delta(delta)
        return VACUOUS if self.vacuous else checks.plain(self._epsilon_end(delta, +1))

    def ratio(self, delta: Number = 0) -> Number:
        """Return e^epsilon(delta), in fractions for an exact curve and an exact delta, else rounded up."""
        checked = checks.delta(delta)
        if self.vacuous:
            return VACUOUS
        if self.exact and checks.is_exact(delta):
            return self._exact_ratio(checks.fraction(delta))
        with np.errstate(over="ignore"):
            return checks.plain(exp_up(self._epsilon_end(checked, +1)))

    @overload
    def bracket(self, *, eps: Number | None = None, delta: Number | None = None) -> tuple[float, float]: ...
    @overload
    def bracket(self, *, eps: Array | None = None, delta: Array | None = None) -> tuple[np.ndarray, np.ndarray]: ...
    def bracket(self, *, eps: Any = None, delta: Any = None) -> tuple[Answer, Answer]:
        """Return certified (lower, upper) ends of delta at `eps`, or of eps at `delta`."""
        if (delta is None) == (eps is None):
            raise ValueError("bracket needs exactly one of delta and eps")
        if delta is None:
            ask, asked = self._delta_at, checks.eps(eps)
        else:
            ask, asked = self._epsilon_end, checks.delta(delta)
        if self.vacuous:
            return VACUOUS, VACUOUS
        return checks.plain(ask(asked, -1)), checks.plain(ask(asked, +1))

    def _asked_exactly(self, eps, ratio) -> bool:
        """Say whether the question can be answered in fractions; refuse two questions at once."""
        if (eps is None) == (ratio is None):
            raise ValueError("delta needs exactly one of eps and ratio")
        return self.exact and not self.vacuous and ratio is not None and checks.is_exact(ratio)

    def _epsilon_end(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of epsilon: everything is (0, 1)-private, even what nobody knows how to compute."""
        return np.where(delta >= 1, 0.0, self._epsilon_at(delta, rounding))

    # ------------------------------------------------------------------------------- tests and their two errors

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of a test with type I error at most alpha, never above the truth.

        Every promise (eps, delta) cuts a corner off the square of errors (KOV, eq. 2): alpha e^eps + beta >= 1 - delta
        and alpha + beta e^eps >= 1 - delta.
        """
        alpha = checks.delta(alpha, "alpha")
        if self.vacuous:
            return VACUOUS
        ratios, kept = self._tangents
        steep = kept - ratios * alpha[..., None]
        flat = (kept - alpha[..., None]) / ratios
        highest = np.max(np.maximum(steep, flat), axis=-1, initial=0.0)
        return checks.plain(highest * (1 - 4 * UNIT))

    @cached_property
    def _tangents(self) -> tuple[np.ndarray, np.ndarray]:
        """e^eps, rounded up, and 1 - delta(eps), rounded down: from eps = 0 to where delta does not fall any further.

        In both lines e^eps is moved by more than the product that follows can lose, and what is left is one difference
        and one quotient.
        """
        largest = min(self.epsilon(self.delta(LARGEST_TANGENT)), LARGEST_TANGENT)
        eps = np.union1d(np.linspace(0.0, largest, TANGENTS), np.clip(self._corners, 0.0, largest))
        kept = next_float(1 - self._delta_at(eps, +1), -1)
        return exp_up(eps), kept

    @property
    def _corners(self) -> np.ndarray:
        """The eps at which the curve has a corner, as far as they are known: losses that have a probability."""
        return np.empty(0)

    def region(self) -> np.ndarray:
        """Return the vertices (type II, type I error) of the set of all tests' errors (KOV, eq. 3).

        The lower boundary comes first, from (0, 1) to (1, 0); then its mirror image, which negates each test.
        """
        if self.vacuous:
            return VACUOUS
        lower = self.lower_boundary
        return np.concatenate([lower, 1 - lower[1:-1]])

    @cached_property
    def lower_boundary(self) -> np.ndarray:
        """What a tester of P would choose from: points (type II, type I error), from (0, 1) to (1, 0)."""
        alarm = 0.5 * (1 + np.cos(np.linspace(0, np.pi, BOUNDARY_POINTS)))
        lower = np.stack([self.tradeoff(alarm), alarm], axis=1)
        lower[0] = 0.0, 1.0
        lower[-1] = 1.0, 0.0
        return lower

    def dominates(self, other: object) -> bool:
        """Say whether the other curve's error region lies inside this one's (KOV, Theorem 2.4).

        Exact for two exact pairs; otherwise points up to 1e-12 outside count as inside.
        """
        other = as_curve(other, "other")
        if self.vacuous or other.vacuous:
            raise ValueError("other and this curve must be about at least one pair each, but one of them is vacuous")
        lower = other.lower_boundary
        missed, alarm = lower.T
        if self.exact and lower.dtype == object:
            return all(self.tradeoff(x) <= y for x, y in zip(alarm, missed, strict=True))
        least = self.tradeoff(np.clip(alarm.astype(float), 0, 1))
        return bool(np.all(least <= missed.astype(float) + SAME_POINT))


def as_curve(thing: Any, name: str = "curve") -> Curve:
    """Return a curve: the thing itself, or the curve that it has, as a guarantee does.

    >>> from dpteach import Guarantee
    >>> as_curve(Guarantee(1)).epsilon(0)
    1.0
    """
    found = thing if isinstance(thing, Curve) else getattr(thing, "curve", None)
    if not isinstance(found, Curve):
        raise ValueError(f"{name} must be a Pair, a Guarantee or another curve, not {checks.shorten(thing)}")
    return found


# ------------------------------------------------------------------------------------ curves made of other curves


class TwoSided(Curve):
    """A curve with two directions: P against Q ("pq") and Q against P ("qp"); it loses the larger of the two."""

    @abstractmethod
    def side(self, direction: str) -> Curve:
        """Return the curve of one direction alone."""

    @property
    def _sides(self) -> list[Curve]:
        return [self.side(FORTH), self.side(BACK)]

    def _towards(self, direction: str) -> Curve:
        """Return the curve to ask: one side, or this one."""
        checks.choice("direction", direction, DIRECTIONS)
        return self if direction == BOTH else self.side(direction)

    @overload
    def delta(self, eps: Number, direction: str = BOTH) -> float: ...
    @overload
    def delta(self, eps: Array, direction: str = BOTH) -> np.ndarray: ...
    @overload
    def delta(self, *, ratio: Number, direction: str = BOTH) -> Number: ...
    def delta(self, eps: Any = None, direction: str = BOTH, *, ratio: Any = None) -> Answer:
        """Smallest delta at which P and Q are (eps, delta)-indistinguishable, rounded up: the hockey-stick divergence.

        delta(eps) = sum_y max(P(y) - e^eps Q(y), 0), the larger of the two directions (KOV, Theorem 2.1).
        `ratio=` gives e^eps instead of eps; with exact laws and an exact ratio the answer is a fraction.
        """
        return Curve.delta(self._towards(direction), eps, ratio=ratio)

    @overload
    def epsilon(self, delta: Number = 0, direction: str = BOTH) -> float: ...
    @overload
    def epsilon(self, delta: Array, direction: str = BOTH) -> np.ndarray: ...
    def epsilon(self, delta: Any = 0, direction: str = BOTH) -> Answer:
        """Smallest eps >= 0 at which P and Q are (eps, delta)-indistinguishable, rounded up; inf if there is none."""
        return Curve.epsilon(self._towards(direction), delta)

    def ratio(self, delta: Number = 0, direction: str = BOTH) -> Number:
        """Return e^epsilon(delta): the largest (P(E) - delta) / Q(E) over events E, at least 1.

        Exact for exact laws and an exact delta. The best events collect the largest likelihood ratios first.
        """
        return Curve.ratio(self._towards(direction), delta)

    @overload
    def bracket(
        self, *, eps: Number | None = None, delta: Number | None = None, direction: str = BOTH
    ) -> tuple[float, float]: ...
    @overload
    def bracket(
        self, *, eps: Array | None = None, delta: Array | None = None, direction: str = BOTH
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def bracket(self, *, eps: Any = None, delta: Any = None, direction: str = BOTH) -> tuple[Answer, Answer]:
        """Return certified (lower, upper) ends of delta at `eps`, or of eps at `delta`."""
        return Curve.bracket(self._towards(direction), eps=eps, delta=delta)

    def _delta_at(self, eps, rounding):
        return _largest(side._delta_at(eps, rounding) for side in self._sides)

    def _epsilon_at(self, delta, rounding):
        return _largest(side._epsilon_at(delta, rounding) for side in self._sides)

    def _exact_delta(self, ratio):
        return max(side._exact_delta(ratio) for side in self._sides)

    def _exact_ratio(self, delta):
        return max(side._exact_ratio(delta) for side in self._sides)


class WorstCase(Curve):
    """A family of curves under their names, of which an adversary may choose one.

    A mechanism has one pair for every two neighbours (and, in lecture 4, for every leaked value); its guarantee is that
    of the worst of them. Without any curve every promise holds, and says nothing: all answers are then `vacuous`.

    >>> from dpteach import Pair
    >>> WorstCase({"one": Pair([1, 0], [1, 0])}).delta(ratio=1)
    Fraction(0, 1)
    >>> WorstCase({}).delta(ratio=1)
    vacuous
    """

    def __init__(self, comparisons: Mapping[Hashable, Curve]):
        if not isinstance(comparisons, Mapping):
            raise ValueError(f"comparisons must map names to curves, not {checks.shorten(comparisons)}")
        self.comparisons = {name: as_curve(curve, "comparisons") for name, curve in comparisons.items()}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} over {len(self.comparisons)} pairs>"

    @property
    def vacuous(self) -> bool:
        """Whether there is nothing at all to compare."""
        return not self.comparisons

    @cached_property
    def _different(self) -> list[Curve]:
        """The curves, each once: one may stand under many names."""
        return list(dict.fromkeys(self.comparisons.values()))

    @property
    def exact(self) -> bool:
        """Whether all curves are exact."""
        return all(curve.exact for curve in self._different)

    def _delta_at(self, eps, rounding):
        return _largest(curve._delta_at(eps, rounding) for curve in self._different)

    def _epsilon_at(self, delta, rounding):
        return _largest(curve._epsilon_at(delta, rounding) for curve in self._different)

    def _exact_delta(self, ratio):
        return max(curve._exact_delta(ratio) for curve in self._different)

    def _exact_ratio(self, delta):
        return max(curve._exact_ratio(delta) for curve in self._different)

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of a test with type I error at most alpha, on whichever pair is easiest to test."""
        checks.delta(alpha, "alpha")
        if self.vacuous:
            return VACUOUS
        errors = [test.tradeoff(alpha) for curve in self._different for test in _both_ways(curve)]
        return min(errors) if np.ndim(alpha) == 0 else np.min(errors, axis=0)

    def worst(self, eps: Number | None = None, *, ratio: Number | None = None) -> tuple[Hashable, Curve]:
        """Return the name of the worst curve and the curve itself, turned so that P against Q shows delta(eps)."""
        if eps is not None:
            checks.scalar("eps", eps, low=0)
        if self.vacuous:
            raise ValueError("the worst pair needs at least one pair, but this promise is vacuous")
        answers = {curve: curve.delta(eps, ratio=ratio) for curve in self._different}
        name = max(self.comparisons, key=lambda known: answers[self.comparisons[known]])
        tests = _both_ways(self.comparisons[name])
        return name, max(tests, key=lambda test: _shown_forth(test, eps, ratio))


def _both_ways(curve: Curve) -> list[Curve]:
    """Return a pair and its reverse, which have the same promises but not the same tests."""
    return [curve, curve.reversed()] if hasattr(curve, "reversed") else [curve]


def _shown_forth(curve: Curve, eps, ratio):
    """Return the delta that P against Q shows."""
    side = curve.side(FORTH) if isinstance(curve, TwoSided) else curve
    return side.delta(eps, ratio=ratio)


# ------------------------------------------------------------------------------------------------ one step each


def _largest(answers: Iterable[np.ndarray]) -> np.ndarray:
    """Return the largest answer, entry by entry."""
    return np.max(list(answers), axis=0)


def _least_eps(eps, ratio) -> np.ndarray:
    """Return eps; of a ratio its logarithm, rounded down, because delta falls in eps."""
    if ratio is None:
        return checks.eps(eps)
    logarithm = np.log(checks.real("ratio", ratio, low=1))
    return outward(logarithm, -1, FUNCTION * UNIT * logarithm)
