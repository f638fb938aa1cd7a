"""Two notions beside bounded leakage: how far an output depends on the leak, and the stronger one of Remark 19."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from .. import checks
from ..curve import Curve, WorstCase
from ..notions.scaling import group_factor, group_factor_end
from ..numerics.rounding import exp_up, float_to, outward, up
from ..numerics.search import SAME, inverse
from ..pair import Pair

LARGEST_FLOAT = np.finfo(float).max
LARGEST_EPS = 709.0  # beyond, e^eps is no float


class Independence(WorstCase):
    """The output given the leak against the output itself, at every (x, o): Definitions 6 and 8 as a curve.

    `delta(eps')` is the smallest delta' at which output and leak are (eps', delta')-independent.
    """

    @property
    def perfect(self) -> bool:
        """Whether output and leak are independent at every database (Definition 6); floats may differ by rounding."""
        return self.ratio() == 1 if self.exact else self.delta(0) <= checks.SUM_TOLERANCE


class DistanceScaled(WorstCase):
    """The variant of Remark 19: databases at distance d that share a leaked value are compared as a group of d.

    It holds with (eps, delta) if each such pair is (d eps, delta [d]_eps)-indistinguishable, where
    [d]_eps = 1 + e^eps + ... + e^((d-1) eps), which is what group privacy (Theorem 22) would promise.
    """

    def __init__(self, comparisons: Mapping[tuple[Any, ...], Pair], distance: Callable[[Hashable, Hashable], float]):
        self.pairs = len(comparisons)
        by_distance: dict = {}
        for (x, y, o), pair in comparisons.items():
            by_distance.setdefault(distance(x, y), {})[x, y, o] = pair
        by_distance.pop(math.inf, None)  # no path connects these, so that nothing is said about them
        super().__init__({d: GroupCurve(WorstCase(pairs), d) for d, pairs in by_distance.items()})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} over {self.pairs} pairs>"


class GroupCurve(Curve):
    """What a curve of databases d steps apart says about one step: its delta at d eps, divided by [d]_eps."""

    def __init__(self, group: Curve, d: int):
        self.group = group
        self.d = d

    @property
    def exact(self) -> bool:
        """Whether the group's curve is exact."""
        return self.group.exact

    def _delta_at(self, eps, rounding):
        if self.d == 1:
            return self.group._delta_at(eps, rounding)
        with np.errstate(over="ignore"):
            steps = np.maximum(np.nextafter(self.d * eps, -rounding * np.inf), 0.0)  # delta falls: the less, the more
        factor = group_factor_end(np.float64(self.d), eps, -rounding)
        factor = np.minimum(factor, LARGEST_FLOAT) if rounding > 0 else factor
        return np.minimum(outward(self.group._delta_at(steps, rounding) / factor, rounding), 1.0)

    def _epsilon_at(self, delta, rounding):
        if self.d == 1:
            return self.group._epsilon_at(delta, rounding)
        return np.vectorize(self._least_eps, otypes=[float])(delta, rounding)

    def _least_eps(self, delta: float, rounding: int) -> float:
        """Return an end of eps at one delta: by a search, except at 0, where the loss is shared by the steps."""
        if delta == 0:
            together = float(self.group._epsilon_at(np.asarray(0.0), rounding))
            return together if together == math.inf else float(outward(np.float64(together / self.d), rounding))
        return inverse(self._end, delta, (0.0, self._enough(delta)), rounding, rtol=SAME)

    def _end(self, eps: float, rounding: int) -> float:
        return float(self._delta_at(np.asarray(eps), rounding))

    def _enough(self, delta: float) -> float:
        """Return an eps that is certainly enough: the group needs no more in all, or [d]_eps is at least 1/delta."""
        together = float(self.group._epsilon_at(np.asarray(delta), +1))
        grown = -math.log(delta) / (self.d - 1)
        return up(min(together / self.d, grown))

    def _exact_delta(self, ratio):
        together = self.group._exact_delta(ratio**self.d)
        return together / group_factor(self.d, ratio=ratio)

    def _exact_ratio(self, delta):
        """Return the least e^eps. For d > 1 it is a root, seldom a fraction: then the next float above it."""
        if self.d == 1:
            return self.group._exact_ratio(delta)
        eps = self._least_eps(float_to(delta, -1), +1)
        if eps == 0:
            return Fraction(1)
        return Fraction(float(exp_up(eps))) if eps < LARGEST_EPS else math.inf
