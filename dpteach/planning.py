"""Noise planning: how much noise k answers need for a total of (epsilon, delta), according to each theorem."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from . import checks
from .composition import THEOREMS
from .guarantee import Guarantee
from .mechanisms import gaussian, geometric, laplace
from .optimal import optimal
from .table import Table

NOISES = ("laplace", "gaussian", "geometric")
METHODS = (*THEOREMS, "optimal", "exact")
MOST_LOG = 200.0  # scales from e^-200 to e^200 are tried
SHARES = np.geomspace(1e-3, 0.99, 12)  # parts of delta that Gaussian answers may spend; the optimum is flat


def noise_scales(k: int, epsilon: float, delta: float, noise: str = "laplace", sensitivity: float = 1) -> Table:
    """Compare the noise that each theorem asks for: scale and standard deviation of one answer's noise."""
    methods = METHODS if noise == "gaussian" else METHODS[:-1]
    scales = [(method, noise_scale(k, epsilon, delta, noise, method, sensitivity)) for method in methods]
    rows = [(method, scale, _deviation(noise, scale)) for method, scale in scales]
    return Table(rows, ["theorem", "scale", "standard deviation"])


def noise_scale(
    k: int, epsilon: float, delta: float, noise: str = "laplace", theorem: str = "optimal", sensitivity: float = 1
) -> float:
    """Return the least scale of noise under which k answers are (epsilon, delta)-DP according to a theorem.

    "optimal" composes the single answers' guarantees exactly. Geometric noise loses exactly that much (KOV, Theorem
    4.4), Laplace noise a little less; for Gaussian noise, whose own curve composes in closed form, there is "exact"
    as well. A scale is that of e^(-|x| / scale) for Laplace and geometric noise, the standard deviation for Gaussian
    noise, and inf where no amount of noise will do.
    """
    k, epsilon = checks.count("k", k, low=1), checks.positive("epsilon", epsilon)
    delta = checks.scalar("delta", delta, low=0, high=1)
    sensitivity = checks.positive("sensitivity", sensitivity)
    checks.choice("noise", noise, NOISES)
    checks.choice("theorem", theorem, METHODS if noise == "gaussian" else METHODS[:-1])
    if noise == "geometric":
        checks.count("sensitivity", sensitivity, low=1)
    if delta == 1:
        return 0.0  # a promise that allows everything
    if noise == "gaussian":
        return sensitivity * _least(_gaussian_fits(k, epsilon, delta, theorem)) if delta > 0 else math.inf
    return sensitivity * _least(lambda scale: _total(Guarantee(1 / scale), k, delta, theorem) <= epsilon)


def _gaussian_fits(k: int, epsilon: float, delta: float, theorem: str) -> Callable[[float], bool]:
    """Say of a standard deviation whether it is enough: k answers as one, or split delta between them."""
    if theorem == "exact":
        return lambda scale: (gaussian(scale=scale) ** k).delta(epsilon) <= delta

    def fits(scale: float) -> bool:
        deltas = SHARES * delta / k
        guarantees = map(Guarantee, gaussian(scale=scale).epsilon(deltas), deltas)
        return any(_total(guarantee, k, delta, theorem) <= epsilon for guarantee in guarantees)

    return fits


def _total(guarantee: Guarantee, k: int, delta: float, theorem: str) -> float:
    """Return the total epsilon at delta of k equal guarantees."""
    if theorem in THEOREMS:
        return float(THEOREMS[theorem].at(guarantee, delta, k).epsilon)
    return optimal(guarantee, k=k).epsilon(delta)


def _least(fits: Callable[[float], bool]) -> float:
    """Return the least scale that fits, to twelve digits, from above; inf if none does."""
    low, high = -2.0, 0.0
    while not fits(math.exp(high)):
        low, high = high, high + 2.0
        if high > MOST_LOG:
            return math.inf
    while low > -MOST_LOG and fits(math.exp(low)):
        low, high = low - 2.0, low
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(math.exp(middle)) else (middle, high)
    return math.exp(high)


def _deviation(noise: str, scale: float) -> float:
    """Return the standard deviation of a noise of that scale."""
    if not math.isfinite(scale):
        return scale
    made = (
        geometric(1 / scale) if noise == "geometric" else {"laplace": laplace, "gaussian": gaussian}[noise](scale=scale)
    )
    return math.sqrt(made.variance)
