"""Mechanisms: each one is its pair of output laws, or its exact privacy curve, and it can be run.

P is the law of the output on one database, Q on a neighbouring one whose true answer lies `sensitivity` further.
The samplers show what a student or a tester would see. They are not hardened against attacks on floating-point noise:
use them to teach, not to publish.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cache

import numpy as np

from . import checks
from .guarantee import worst_pair
from .pair import Pair
from .rounding import UNIT, outward

SMALL_MU = 0.5  # below this the two terms of the Gaussian curve nearly cancel
BOUNDARY_POINTS = 257  # vertices drawn on the lower boundary of a curved region


def randomized_response(eps=None, delta=0, *, ratio=None) -> Pair:
    """Answer a secret bit truthfully with odds e^eps : 1; with probability delta give it away openly.

    This is the worst of all (eps, delta)-DP pairs (KOV, section 3.2). `ratio` is e^eps; if it is a whole number or a
    fraction, and delta too, the pair is exact.
    """
    if (eps is None) == (ratio is None):
        raise ValueError("randomized_response needs exactly one of eps and ratio")
    checks.scalar("delta", delta, low=0, high=1)
    if ratio is not None and checks.is_exact(ratio) and checks.is_exact(delta):
        return _named(_exact_worst_pair(checks.ratio(ratio), Fraction(delta)))
    eps = checks.scalar("eps", eps, low=0) if ratio is None else np.log(checks.scalar("ratio", ratio, low=1))
    return _named(worst_pair(float(eps), float(delta)))


def _exact_worst_pair(ratio: Fraction, delta: Fraction) -> Pair:
    truth, lie = (1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)
    law = [delta, truth, lie, Fraction(0)] if delta else [truth, lie]
    return Pair(law, law[::-1])


def _named(pair: Pair) -> Pair:
    """Name the outcomes by the bit that is reported; an open answer is surely true."""
    pair.outcomes = [0, 1] if len(pair) == 2 else ["surely 0", 0, 1, "surely 1"]
    return pair


def exponential_mechanism(
    scores, neighbour_scores, eps, sensitivity=1, outcomes: Iterable[Hashable] | None = None
) -> Pair:
    """Choose outcome y with probability proportional to e^(eps score(y) / (2 sensitivity)), on both databases."""
    eps, sensitivity = checks.positive("eps", eps), checks.positive("sensitivity", sensitivity)
    u, v = checks.real("scores", scores), checks.real("neighbour_scores", neighbour_scores)
    if u.ndim != 1 or not len(u) or u.shape != v.shape or not np.isfinite([u, v]).all():
        raise ValueError(
            f"scores and neighbour_scores must be lists of equally many finite numbers, not {checks.shorten(scores)} "
            f"and {checks.shorten(neighbour_scores)}"
        )
    if np.max(np.abs(u - v)) > sensitivity * (1 + 1e-12):
        raise ValueError(f"scores must differ by at most sensitivity = {sensitivity:g}, not {np.max(np.abs(u - v)):g}")
    names = None if outcomes is None else checks.names("outcomes", outcomes, len(u))
    log_p, log_q = (_log_softmax(eps * x / (2 * sensitivity)) for x in (u, v))
    return Pair._of(np.exp(log_p), np.exp(log_q), log_p - log_q, names)


def _log_softmax(x: np.ndarray) -> np.ndarray:
    """Return log(e^x / sum e^x)."""
    from scipy.special import logsumexp

    return x - logsumexp(x)


# ------------------------------------------------------------------------------------------------ added noise


class Noise(ABC):
    """A mechanism that adds noise to a number: its privacy curve, its variance, and its sampler.

    The curves are exact up to rounding, and rounded up.
    """

    sensitivity: float
    error = 4 * UNIT  # how far off the curve's formula may be, relatively, times 10 - log(delta)

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the noise."""

    @abstractmethod
    def _draw(self, rng: np.random.Generator, size): ...

    @abstractmethod
    def _delta(self, eps: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def _epsilon(self, delta: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def tradeoff(self, alpha):
        """Smallest type II error of a test with type I error at most alpha."""

    def sample(self, value, rng: np.random.Generator, size=None):
        """Return the value with fresh noise added."""
        value, rng = checks.real("value", value), checks.generator(rng)
        try:
            return checks.plain(value + self._draw(rng, value.shape or None if size is None else size))
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"size must fit the shape {value.shape} of value, not {checks.shorten(size)}") from None

    def delta(self, eps):
        """Smallest delta at which the mechanism is (eps, delta)-DP."""
        delta = self._delta(checks.eps(eps))
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.nan_to_num(self.error * delta * (10 - np.log(delta)))  # e^-x is off by about x units
        return checks.plain(np.minimum(outward(delta, +1, error), 1.0))

    def epsilon(self, delta):
        """Smallest eps at which the mechanism is (eps, delta)-DP; inf if there is none."""
        delta = checks.delta(delta)
        eps = self._epsilon(delta)
        return checks.plain(np.where((delta > 0) & (eps < np.inf), outward(eps, +1, 10 * self.error * eps), eps))

    def region(self) -> np.ndarray:
        """Return points on the boundary of the error region: lower boundary first, then its mirror image."""
        alarm = np.concatenate([[1.0], 0.5 * (1 + np.cos(np.linspace(0, np.pi, BOUNDARY_POINTS)[1:-1])), [0.0]])
        lower = np.stack([self.tradeoff(alarm), alarm], axis=1)
        lower[0], lower[-1] = (0.0, 1.0), (1.0, 0.0)
        return np.concatenate([lower, 1 - lower[1:-1]])


class FiniteNoise(Noise):
    """Noise whose likelihood ratio takes finitely many values: a `pair` says everything."""

    pair: Pair

    @property
    def error(self) -> float:
        """Relative error of a sum over all outcomes."""
        return UNIT * (4 + len(self.pair))

    def _delta(self, eps):
        return np.asarray(self.pair.delta(eps))

    def _epsilon(self, delta):
        return np.asarray(self.pair.epsilon(delta))

    def tradeoff(self, alpha):
        """Smallest type II error of a test with type I error at most alpha."""
        return self.pair.tradeoff(alpha)

    def region(self) -> np.ndarray:
        """Return the vertices of the error region."""
        return self.pair.region()


class laplace(Noise):
    """Add Laplace noise of scale sensitivity / eps: pure eps-DP (Steinke's post; KOV, section 4.1)."""

    def __init__(self, eps=None, *, scale=None, sensitivity=1):
        self.sensitivity = checks.positive("sensitivity", sensitivity)
        self.scale = _one_of("laplace", eps, scale, lambda e: self.sensitivity / e)
        self.eps = float(np.nextafter(self.sensitivity / self.scale, np.inf)) if eps is None else float(eps)

    @property
    def variance(self) -> float:
        """Variance 2 scale^2."""
        return 2 * self.scale * self.scale

    def _draw(self, rng, size):
        return rng.laplace(scale=self.scale, size=size)

    def _delta(self, eps):
        """delta(e) = 1 - e^((e - eps) / 2) for e up to eps."""
        return -np.expm1(np.minimum(eps - self.eps, 0.0) / 2) + 0.0

    def _epsilon(self, delta):
        """Return the inverse, eps + 2 log(1 - delta), at least 0."""
        with np.errstate(divide="ignore"):
            return np.maximum(self.eps + 2 * np.log1p(-delta), 0.0)

    def tradeoff(self, alpha):
        """Three pieces: two lines of slopes -e^eps and -e^-eps, and a hyperbola between them."""
        alpha, small = checks.delta(alpha, "alpha"), np.exp(-self.eps)
        middle = small / (4 * np.clip(alpha, max(small / 2, 1e-300), 0.5))
        steep = 1 - np.minimum(alpha, small / 2) * np.exp(min(self.eps, 700.0))
        return checks.plain(np.select([alpha <= small / 2, alpha <= 0.5], [steep, middle], small * (1 - alpha)))


class gaussian(Noise):
    """Add normal noise of standard deviation `scale`: mu-Gaussian DP with mu = sensitivity / scale."""

    error = 1e-13  # its two terms nearly cancel

    def __init__(self, mu=None, *, scale=None, sensitivity=1):
        self.sensitivity = checks.positive("sensitivity", sensitivity)
        self.scale = _one_of("gaussian", mu, scale, lambda m: self.sensitivity / m, "mu")
        self.mu = checks.scalar("mu", self.sensitivity / self.scale, low=1e-100, high=1e100)

    @property
    def variance(self) -> float:
        """Variance scale^2."""
        return self.scale * self.scale

    def _draw(self, rng, size):
        return rng.normal(scale=self.scale, size=size)

    def __pow__(self, k: int) -> gaussian:
        """Compose k times: the mus add in squares, so the curve is that of sqrt(k) mu."""
        k = checks.count("k", k, low=1)
        return gaussian(self.mu * np.sqrt(k), sensitivity=self.sensitivity)

    def _delta(self, eps):
        """delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) (Balle and Wang)."""
        from scipy.special import log_ndtr

        x = np.where(eps < np.inf, eps, 0.0) / self.mu
        if self.mu < SMALL_MU:
            finite = _narrow_gaussian_delta(x, self.mu)
        else:
            log_p, log_q = log_ndtr(self.mu / 2 - x), x * self.mu + log_ndtr(-self.mu / 2 - x)
            finite = -np.exp(log_p) * np.expm1(np.minimum(log_q - log_p, 0.0))
        return np.where(eps < np.inf, finite, 0.0)

    def _epsilon(self, delta):
        """Return the smallest float eps with delta(eps) <= delta; the curve has no closed inverse."""
        low, high = np.zeros(delta.shape), np.full(delta.shape, self.mu**2 / 2 + 40 * self.mu)
        for _ in range(80):
            eps = (low + high) / 2
            enough = self.delta(eps) <= delta
            low, high = np.where(enough, low, eps), np.where(enough, eps, high)
        return np.select([delta == 0, self.delta(0) <= delta], [np.inf, 0.0], high)

    def tradeoff(self, alpha):
        """G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) (Dong, Roth and Su)."""
        from scipy.special import ndtr, ndtri

        return checks.plain(ndtr(-ndtri(checks.delta(alpha, "alpha")) - self.mu))


def _narrow_gaussian_delta(x: np.ndarray, mu: float) -> np.ndarray:
    """Return delta at eps = mu x for small mu, where the two terms of the formula nearly cancel.

    With Mills' ratio R(t) = Phi(-t) / phi(t), delta = phi(a) (R(a) - R(b)) for a, b = x -+ mu/2, and R' = t R - 1; the
    integral of 1 - t R over [a, b] has no cancellation.
    """
    from scipy.special import erfcx

    nodes, weights = _gauss_nodes()
    t = x[..., None] + mu / 2 * nodes
    slope = 1 - t * np.sqrt(np.pi / 2) * erfcx(t / np.sqrt(2))
    return mu / 2 * (slope @ weights) * np.exp(-((x - mu / 2) ** 2) / 2) / np.sqrt(2 * np.pi)


@cache
def _gauss_nodes() -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of Gauss and Legendre on [-1, 1]."""
    return np.polynomial.legendre.leggauss(12)


class geometric(FiniteNoise):
    """Add two-sided geometric noise to a whole number: P(n) proportional to e^(-eps |n| / sensitivity).

    For sensitivity 1 the pair is that of randomized response: nothing is lost, and nothing wasted (KOV, Theorem 4.4).
    """

    def __init__(self, eps=None, *, ratio=None, sensitivity=1):
        if (eps is None) == (ratio is None):
            raise ValueError("geometric needs exactly one of eps and ratio")
        self.sensitivity = checks.count("sensitivity", sensitivity, low=1)
        self.eps = checks.positive("eps", eps if ratio is None else np.log(checks.scalar("ratio", ratio, low=1)))
        exact = ratio is not None and checks.is_exact(ratio) and self.sensitivity == 1
        self.decay = 1 / Fraction(ratio) if exact else float(np.exp(-self.eps / self.sensitivity))
        self.pair = self._exact_pair() if exact else self._pair()

    def _exact_pair(self) -> Pair:
        law = [1 / (1 + self.decay), self.decay / (1 + self.decay)]
        return Pair(law, law[::-1], ["<= 0", ">= 1"])

    def _pair(self) -> Pair:
        """Outputs up to 0, then 1, 2, ..., then from `sensitivity` on: within each group the ratio is constant."""
        n, step = self.sensitivity, self.eps / self.sensitivity
        y = np.arange(1, n)
        p = np.concatenate([[1.0], -np.expm1(-step) * np.exp(-step * y), [np.exp(-self.eps)]]) / (1 + self.decay)
        loss = np.concatenate([[self.eps], step * (n - 2 * y), [-self.eps]])
        return Pair._of(p, p[::-1], loss, ["<= 0", *y.tolist(), f">= {n}"])

    @property
    def variance(self) -> float:
        """Variance 2 a / (1 - a)^2 with a = e^(-eps / sensitivity)."""
        step = self.eps / self.sensitivity
        return float(2 * np.exp(-step) / np.expm1(-step) ** 2)

    @property
    def scale(self) -> float:
        """Scale of the Laplace law that falls as fast, sensitivity / eps."""
        return self.sensitivity / self.eps

    def _draw(self, rng, size):
        success = -np.expm1(-self.eps / self.sensitivity)
        return rng.geometric(success, size) - rng.geometric(success, size)

    def sample(self, value, rng: np.random.Generator, size=None):
        """Return the whole number with fresh noise added."""
        whole = checks.real("value", value)
        if np.any(whole != np.rint(whole)) or np.any(np.abs(whole) > checks.MOST):
            raise ValueError(f"value must be a whole number up to {checks.MOST}, not {checks.shorten(value)}")
        return checks.plain(np.rint(super().sample(whole, rng, size)).astype(int))


class staircase(FiniteNoise):
    """Add staircase noise: of all eps-DP noises that of least variance (Geng and Viswanath).

    The density falls by e^-eps every `sensitivity`; each stair has a share `gamma` before its step.
    """

    def __init__(self, eps, *, gamma=None, sensitivity=1):
        self.eps = checks.scalar("eps", eps, low=1e-50, high=700)
        self.sensitivity = checks.positive("sensitivity", sensitivity)
        self.gamma = _best_gamma(self.eps) if gamma is None else checks.scalar("gamma", gamma, low=0, high=1)
        b = np.exp(-self.eps)
        self._height = -np.expm1(-self.eps) / (2 * self.sensitivity * (self.gamma + b * (1 - self.gamma)))
        self.pair = self._pair()

    def density(self, x):
        """Density of the noise."""
        stairs = np.abs(checks.real("x", x)) / self.sensitivity
        steps = np.floor(stairs) + (stairs - np.floor(stairs) >= self.gamma)
        return checks.plain(self._height * np.exp(-self.eps * steps))

    def _pair(self) -> Pair:
        """The loss is eps or -eps, and 0 on the stretch between the two centres where both densities agree."""
        share = abs(2 * self.gamma - 1) * (1.0 if self.gamma > 0.5 else np.exp(-self.eps))
        equal = share * self._height * self.sensitivity
        more, less = (1 - equal) / (1 + np.exp(-self.eps)), (1 - equal) / (1 + np.exp(self.eps))
        loss = np.array([self.eps, 0.0, -self.eps])
        return Pair._of(np.array([more, equal, less]), np.array([less, equal, more]), loss)

    @property
    def variance(self) -> float:
        """Variance, by summing the third moments of the stairs."""
        b, c, g = np.exp(-self.eps), -np.expm1(-self.eps), self.gamma
        sums = (1 / c, b / c**2, b * (1 + b) / c**3, b * (1 + 4 * b + b * b) / c**4)
        cubes = g**3 * sums[0] + 3 * g**2 * sums[1] + 3 * g * sums[2] + sums[3]  # sum of b^n (n + g)^3
        return float(2 / 3 * self._height * self.sensitivity**3 * c * cubes)

    def _draw(self, rng, size):
        b = np.exp(-self.eps)
        sign, stair, u = (
            rng.choice([-1, 1], size),
            rng.geometric(-np.expm1(-self.eps), size) - 1,
            rng.uniform(size=size),
        )
        upper = rng.uniform(size=size) < self.gamma / (self.gamma + (1 - self.gamma) * b)
        place = np.where(upper, self.gamma * u, self.gamma + (1 - self.gamma) * u)
        return sign * (stair + place) * self.sensitivity


def _best_gamma(eps: float) -> float:
    """Return the gamma of least variance, where the derivative of the sum of cubes vanishes."""
    b = np.exp(-eps)
    return float((np.cbrt(b * (1 + b) / 2) - b) / -np.expm1(-eps)) if eps > 1e-6 else 0.5


def _one_of(what: str, parameter, scale, to_scale, name: str = "eps") -> float:
    """Return the scale, given as such or through the privacy parameter."""
    if (parameter is None) == (scale is None):
        raise ValueError(f"{what} needs exactly one of {name} and scale")
    return checks.positive("scale", scale) if parameter is None else to_scale(checks.positive(name, parameter))
