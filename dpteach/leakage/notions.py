"""Two notions beside bounded leakage: how far an output depends on the leak, and the stronger one of Remark 19."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction

import numpy as np

from .. import checks
from ..pair import Pair
from ..worst_case import Vacuous, WorstCase


class Independence(WorstCase):
    """The output given the leak against the output itself, at every (x, o): Definitions 6 and 8 as a curve.

    `delta(eps')` is the smallest delta' at which output and leak are (eps', delta')-independent.
    """

    @property
    def perfect(self) -> bool:
        """Whether output and leak are independent at every database (Definition 6); floats may differ by rounding."""
        exact = all(pair.exact for pair in self.comparisons.values())
        return self.ratio() == 1 if exact else self.delta(0) <= checks.SUM_TOLERANCE


class DistanceScaled:
    """The variant of Remark 19: databases at distance d that share a leaked value are compared as a group of d.

    It holds with (eps, delta) if each such pair is (d eps, delta (1 + e^eps + ... + e^((d-1) eps)))-indistinguishable,
    which is what group privacy (Theorem 22) would promise.
    """

    def __init__(self, comparisons: Mapping[tuple, Pair], distance: Callable[[Hashable, Hashable], float]):
        by_distance: dict = {}
        for (x, y, o), pair in comparisons.items():
            if (d := distance(x, y)) < math.inf:
                by_distance.setdefault(d, {})[x, y, o] = pair
        self.families = {d: WorstCase(pairs) for d, pairs in by_distance.items()}

    @property
    def vacuous(self) -> bool:
        """Whether no two databases share a leaked value."""
        return not self.families

    def __repr__(self) -> str:
        return f"<DistanceScaled over {sum(len(family.comparisons) for family in self.families.values())} pairs>"

    def delta(self, eps=None, *, ratio=None):
        """Smallest delta at which the scaled promise holds at eps (or at e^eps = ratio)."""
        harmless = WorstCase({}).delta(eps, ratio=ratio)  # refuses a wrong question
        if self.vacuous:
            return harmless
        exact = ratio is not None and checks.is_exact(ratio)
        loss = None if exact else np.asarray(eps if ratio is None else np.log(ratio), dtype=float)
        ask = (lambda f, d: f.delta(ratio=Fraction(ratio) ** d)) if exact else (lambda f, d: f.delta(d * loss))
        with np.errstate(over="ignore"):
            base = Fraction(ratio) if exact else np.exp(loss)
            return _largest([ask(f, d) / sum(base**i for i in range(d)) for d, f in self.families.items()])

    def epsilon(self):
        """Smallest eps at which the scaled promise holds with delta = 0: the largest loss per step."""
        return max((family.epsilon(0) / d for d, family in self.families.items()), default=Vacuous(0))


def _largest(answers: list):
    return checks.plain(np.max(answers, axis=0)) if isinstance(answers[0], np.ndarray) else max(answers)
