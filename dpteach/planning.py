"""How much noise a release needs: the sources' recipes, and the least noise by search.

The recipes are the closed formulas of the sources, as printed or as corrected by the ledger of claims. `noise_scale`
searches for the least noise of all that one theorem, or the exact optimum, still allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from . import checks
from .composition import THEOREMS
from .guarantee import Guarantee
from .mechanisms import gaussian, geometric, laplace
from .numerics.search import first_true
from .optimum import optimal
from .table import Table

__all__ = [
    "METHODS",
    "NOISES",
    "classical_gaussian_variance",
    "cut_query_error",
    "gains_below",
    "gaussian_variance",
    "gaussian_variance_by_splitting",
    "laplace_scale",
    "largest_loss_probability",
    "largest_rho",
    "methods_for",
    "noise_scale",
    "noise_scales",
    "noise_variance",
    "pays_from",
    "per_answer",
    "privacy_log",
    "rho",
    "staircase_variance",
    "variance_query_error",
]

NOISES = ("laplace", "gaussian", "geometric")
METHODS = (*THEOREMS, "optimal", "exact")
SMALLEST_SCALE = math.exp(-200)
LARGEST_SCALE = math.exp(200)
STEP = math.exp(2)  # how much larger (or smaller) the next scale is that the search tries
DIGITS = 1e-12  # to which the least scale is found
SHARES = np.geomspace(1e-3, 0.99, 12)  # parts of delta that Gaussian answers may spend; the optimum is flat

# ---------------------------------------------------------------------------------------- the least noise, by search


def noise_scales(k: int, epsilon: float, delta: float, noise: str = "laplace", sensitivity: float = 1) -> Table:
    """Compare the noise that each theorem asks for: scale and standard deviation of one answer's noise."""
    rows = []
    for method in methods_for(noise):
        scale = noise_scale(k, epsilon, delta, noise, method, sensitivity)
        rows.append((method, scale, _standard_deviation(noise, scale)))
    return Table(rows, ["theorem", "scale", "standard deviation"])


def noise_scale(
    k: int, epsilon: float, delta: float, noise: str = "laplace", theorem: str = "optimal", sensitivity: float = 1
) -> float:
    """Return the least scale of noise under which k answers are (epsilon, delta)-DP according to a theorem.

    "optimal" composes the single answers' guarantees exactly. Geometric noise loses exactly that much (KOV, Theorem
    4.4), Laplace noise a little less; for Gaussian noise, whose own curve composes in closed form, there is "exact"
    as well. A scale is that of e^(-|x| / scale) for Laplace and geometric noise, the standard deviation for Gaussian
    noise, and inf where no amount of noise will do.

    >>> round(noise_scale(100, 1.0, 1e-6, "laplace", "basic"), 4)
    100.0
    >>> round(noise_scale(100, 1.0, 1e-6, "laplace", "optimal"), 4)
    41.6474
    """
    k = checks.count("k", k, low=1)
    epsilon = checks.positive("epsilon", epsilon)
    delta = checks.scalar("delta", delta, low=0, high=1)
    sensitivity = checks.positive("sensitivity", sensitivity)
    checks.choice("noise", noise, NOISES)
    checks.choice("theorem", theorem, methods_for(noise))
    if noise == "geometric":
        checks.count("sensitivity", sensitivity, low=1)
    if delta == 1:
        return 0.0  # a promise that allows everything
    if noise != "gaussian":
        return sensitivity * _least(lambda scale: _total(Guarantee(1 / scale), k, delta, theorem) <= epsilon)
    if delta == 0:
        return math.inf
    return sensitivity * _least(_gaussian_fits(k, epsilon, delta, theorem))


def methods_for(noise: str) -> tuple[str, ...]:
    """Return the theorems one can plan with; only Gaussian noise has a curve of its own that composes."""
    checks.choice("noise", noise, NOISES)
    return METHODS if noise == "gaussian" else METHODS[:-1]


def _gaussian_fits(k: int, epsilon: float, delta: float, theorem: str) -> Callable[[float], bool]:
    """Say of a standard deviation whether it is enough: k answers as one, or split delta between them."""

    def exact_fits(scale: float) -> bool:
        return (gaussian(scale=scale) ** k).delta(epsilon) <= delta

    def split_fits(scale: float) -> bool:
        deltas = SHARES * delta / k
        guarantees = map(Guarantee, gaussian(scale=scale).epsilon(deltas), deltas)
        return any(_total(guarantee, k, delta, theorem) <= epsilon for guarantee in guarantees)

    return exact_fits if theorem == "exact" else split_fits


def _total(guarantee: Guarantee, k: int, delta: float, theorem: str) -> float:
    """Return the total epsilon at delta of k equal guarantees."""
    if theorem in THEOREMS:
        return THEOREMS[theorem].at(guarantee, delta, k).epsilon
    return optimal(guarantee, k=k).epsilon(delta)


def _least(fits: Callable[[float], bool]) -> float:
    """Return the least scale that fits, to twelve digits, from above; inf if none does."""
    enough = 1.0
    while not fits(enough):
        enough *= STEP
        if enough > LARGEST_SCALE:
            return math.inf
    while enough > SMALLEST_SCALE and fits(enough / STEP):
        enough /= STEP
    return first_true(fits, enough / STEP, enough, rtol=DIGITS)


def _standard_deviation(noise: str, scale: float) -> float:
    """Return the standard deviation of a noise of that scale."""
    if scale in (0, math.inf):
        return scale
    if noise == "geometric":
        return math.sqrt(geometric(1 / scale).variance)
    mechanism = laplace if noise == "laplace" else gaussian
    return math.sqrt(mechanism(scale=scale).variance)


# ----------------------------------------------------------------- Kairouz, Oh and Viswanath, sections 4.1 and 4.2


def per_answer(k: int, epsilon: float, delta: float) -> Guarantee:
    """Split a budget (KOV, section 4 and Corollary 4.1): eps / (2 sqrt(k log(e + eps/delta))) and delta / (2k).

    >>> per_answer(100, 1.0, 1e-6)
    Guarantee(epsilon=0.01345198865, delta=5e-09)
    """
    k, epsilon, delta = _budget(k, epsilon, delta)
    share = epsilon / (2 * math.sqrt(k * _log_term(epsilon, delta)))
    return Guarantee(share, delta / (2 * k))


def noise_variance(k: int, epsilon: float, delta: float, sensitivity: float = 1) -> float:
    """Variance of one answer's Laplace or Gaussian noise, 8 k log(e + eps/delta) / eps^2 (KOV, Cor. 4.2, Thm 4.3).

    Proved for eps <= 0.9 with Laplace noise. With Gaussian noise it is printed for every eps, and false from 83.05 on.
    """
    k, epsilon, delta = _budget(k, epsilon, delta)
    sensitivity = checks.positive("sensitivity", sensitivity)
    return 8 * k * _log_term(epsilon, delta) * _square(sensitivity / epsilon)


def gaussian_variance(epsilon: float, delta: float, sensitivity: float = 1) -> float:
    """Variance of Gaussian noise for one (eps, delta)-DP answer, 2 log(2/delta) / eps^2 (KOV, 4.1; for eps <= 1)."""
    _, epsilon, delta = _budget(1, epsilon, delta)
    sensitivity = checks.positive("sensitivity", sensitivity)
    return 2 * (math.log(2) - math.log(delta)) * _square(sensitivity / epsilon)


def classical_gaussian_variance(k: int, epsilon: float, delta: float, sensitivity: float = 1) -> float:
    """Variance of one answer's Gaussian noise known before KOV, 2 k log(1.25/delta) / eps^2 (for eps <= 1)."""
    k, epsilon, delta = _budget(k, epsilon, delta)
    sensitivity = checks.positive("sensitivity", sensitivity)
    return 2 * k * (math.log(1.25) - math.log(delta)) * _square(sensitivity / epsilon)


def gaussian_variance_by_splitting(k: int, epsilon: float, delta: float, sensitivity: float = 1) -> float:
    """Variance of Gaussian noise by Corollary 4.1, 8 k log(4k/delta) log(e + eps/delta) / eps^2 (KOV, section 4.1)."""
    return gaussian_variance(*per_answer(k, epsilon, delta), sensitivity)


def staircase_variance(epsilon: float, sensitivity: float = 1) -> float:
    """Least variance of eps-DP noise, (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b) / (1 - b)^2 with b = e^-eps (KOV, 4.1)."""
    epsilon = checks.positive("epsilon", epsilon)
    sensitivity = checks.positive("sensitivity", sensitivity)
    b = math.exp(-epsilon)
    weight = math.cbrt(b * (1 + b) / 2) ** 2 + b
    return _square(sensitivity / math.expm1(-epsilon) * math.sqrt(weight))


def cut_query_error(
    k: int, epsilon: float, delta: float, size: int, eta: float, nu: float, improved: bool = True
) -> float:
    """Order of the additive error of k cut queries of `size` vertices (KOV, eq. 11; eq. 10 if not improved)."""
    log_queries, log_log = _query_logs(k, epsilon, delta, eta, nu)
    size = checks.count("size", size, low=1)
    spread = math.sqrt(privacy_log(epsilon, delta, improved) * log_queries)
    return size * spread / epsilon * log_log


def variance_query_error(k: int, epsilon: float, delta: float, eta: float, nu: float, improved: bool = True) -> float:
    """Order of the additive error of k variance queries of a matrix (KOV, section 4.2)."""
    log_queries, log_log = _query_logs(k, epsilon, delta, eta, nu)
    return privacy_log(epsilon, delta, improved) * log_queries / epsilon / epsilon / eta * log_log**2


def privacy_log(epsilon: float, delta: float, improved: bool = True) -> float:
    """Return the factor that KOV's theorem improves: log(e + eps/delta) in place of log(1/delta)."""
    _, epsilon, delta = _budget(1, epsilon, delta)
    improved = checks.truth("improved", improved)
    return _log_term(epsilon, delta) if improved else -math.log(delta)


def gains_below(delta: float) -> float:
    """Return the eps below which log(e + eps/delta) is smaller than log(1/delta): 1 - e delta."""
    delta = checks.positive("delta", checks.scalar("delta", delta, low=0, high=1))
    return 1 - math.e * delta


# --------------------------------------------------------------------------------------------- Steinke's post


def rho(epsilon: float, delta: float) -> float:
    """Return the post's rho = eps^2 / (4 log(1/delta) + 4 eps), for which rho + sqrt(4 rho log(1/delta)) <= eps."""
    _, epsilon, delta = _budget(1, epsilon, delta)
    return _square(_root_of_rho(epsilon, delta))


def largest_rho(epsilon: float, delta: float) -> float:
    """Return the largest rho with rho + sqrt(4 rho log(1/delta)) <= eps: (sqrt(log(1/delta) + eps) - sqrt(...))^2."""
    _, epsilon, delta = _budget(1, epsilon, delta)
    root = math.sqrt(-math.log(delta))
    return (epsilon / (math.sqrt(root**2 + epsilon) + root)) ** 2  # without the difference of two near numbers


def laplace_scale(k: int, epsilon: float, delta: float = 0, sensitivity: float = 1) -> float:
    """Scale of one answer's Laplace noise: by advanced composition sqrt(k / (2 rho)), by basic (delta = 0) k / eps.

    >>> round(laplace_scale(100, 1.0, 1e-6), 4)
    54.4344
    """
    k = checks.count("k", k, low=1)
    epsilon = checks.positive("epsilon", epsilon)
    delta = checks.scalar("delta", delta, low=0, high=1)
    sensitivity = checks.positive("sensitivity", sensitivity)
    if delta == 0:
        return sensitivity * k / epsilon
    root = _root_of_rho(epsilon, delta)
    return sensitivity * math.sqrt(k / 2) / root if root > 0 else math.inf


def largest_loss_probability(epsilon: float, k: int) -> float:
    """Largest probability, over all eps-DP mechanisms, that k answers all lose eps: (1 + e^-eps)^-k."""
    k = checks.count("k", k)
    epsilon = checks.positive("epsilon", epsilon)
    return math.exp(-k * math.log1p(math.exp(-epsilon)))


# ------------------------------------------------------------------------------------------- derived for this kit


def pays_from(theorem: str, epsilon: float, slack: float) -> float:
    """Number of eps-DP answers beyond which a theorem beats basic composition: 2 log(1/slack) / (1 - drift/eps)^2.

    The drift is what one answer loses on average: eps tanh(eps/2) in "kov_closed_form" (third branch), eps^2/2 in
    "concentrated", eps (e^eps - 1) in "advanced". Infinite if the drift is not below eps.
    """
    gains = {  # 1 - drift/eps
        "kov_closed_form": lambda e: 2 / (1 + math.exp(e)),
        "concentrated": lambda e: 1 - e / 2,
        "advanced": lambda e: 1 - math.expm1(e),
    }
    checks.choice("theorem", theorem, tuple(gains))
    _, epsilon, slack = _budget(1, epsilon, slack, "slack")
    gain = gains[theorem](min(epsilon, 700.0))
    return 2 * -math.log(slack) / gain / gain if gain > 0 else math.inf


# ------------------------------------------------------------------------------------------------ what they share


def _budget(k: int, epsilon: float, delta: float, name: str = "delta") -> tuple[int, float, float]:
    """Check a number of answers and a total of (epsilon, delta) with delta > 0."""
    k = checks.count("k", k, low=1)
    epsilon = checks.positive("epsilon", epsilon)
    delta = checks.positive(name, checks.scalar(name, delta, low=0, high=1))
    return k, epsilon, delta


def _square(x: float) -> float:
    """Return x^2, infinite where it is no float any more."""
    return x * x


def _root_of_rho(epsilon: float, delta: float) -> float:
    """Return the root of the post's rho, eps / (2 sqrt(log(1/delta) + eps)); eps^2 may be no float."""
    return epsilon / (2 * math.sqrt(epsilon - math.log(delta)))


def _log_term(epsilon: float, delta: float) -> float:
    """Return log(e + eps/delta)."""
    return math.log(math.e * delta + epsilon) - math.log(delta)  # eps/delta may overflow


def _query_logs(k: int, epsilon: float, delta: float, eta: float, nu: float) -> tuple[float, float]:
    """Return log(k/nu) and log(log(k/nu) / (eta^2 delta)), the factors that composition leaves alone."""
    k, _, delta = _budget(k, epsilon, delta)
    eta = checks.positive("eta", checks.scalar("eta", eta, low=0, high=1))
    nu = checks.positive("nu", checks.scalar("nu", nu, low=0, high=1))
    if nu == 1:
        raise ValueError("nu must be smaller than 1, not 1")
    log_queries = math.log(k) - math.log(nu)
    return log_queries, math.log(log_queries) - 2 * math.log(eta) - math.log(delta)
