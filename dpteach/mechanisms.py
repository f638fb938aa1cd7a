"""Mechanisms: each one is its pair of output laws, or its exact privacy curve, and it can be run.

P is the law of the output on one database, Q on a neighbouring one whose true answer lies `sensitivity` further.
The samplers show what a student or a tester would see. They are not hardened against attacks on floating-point noise:
use them to teach, not to publish.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from . import checks
from .annotations import Answer, Array, Asked, Number, Numbers, Size
from .curve import Curve
from .guarantee import worst_pair
from .numerics import normal
from .numerics.rounding import FUNCTION, PAIRWISE, TINY, UNIT, float_to, outward
from .numerics.search import inverse
from .numerics.side import Error
from .pair import Pair

__all__ = [
    "Noise",
    "exponential_mechanism",
    "gaussian",
    "gaussian_tradeoff",
    "geometric",
    "laplace",
    "randomized_response",
    "staircase",
    "truncated_geometric",
]

LARGEST_SCALE = 1e300  # noise of a larger scale may be infinite in floats
MOST_STEPS = 1e14  # noise that makes so many steps on average still stays within the whole numbers
MOST_OUTCOMES = 10**6  # a pair of more outcomes is not written down
MOST_STEPS_LISTED = 10**4  # a law of more outcomes, in exact powers, is not written down
LARGEST_CHOICE_EPS = 700.0  # beyond, the chances that decide the losses are no floats
LARGEST_EXPONENT = 745.0  # e^-x is no float beyond
SMALLEST_STEP = 1e-300  # below this floats lose their digits


# ------------------------------------------------------------------------------------- a choice among finitely many


def randomized_response(eps: Number | None = None, delta: Number = 0, *, ratio: Number | None = None) -> Pair:
    """Answer a secret bit truthfully with odds e^eps : 1; with probability delta give it away openly.

    This is the worst of all (eps, delta)-DP pairs (KOV, section 3.2). `ratio` is e^eps; if it is a whole number or a
    fraction, and delta too, the pair is exact.

    >>> randomized_response(ratio=3)
    Pair(p=[3/4, 1/4], q=[1/4, 3/4])
    """
    if (eps is None) == (ratio is None):
        raise ValueError("randomized_response needs exactly one of eps and ratio")
    checks.scalar("delta", delta, low=0, high=1)
    if ratio is not None and checks.is_exact(ratio) and checks.is_exact(delta):
        return _named(_exact_worst_pair(checks.ratio(ratio), Fraction(delta)))
    eps = checks.scalar("eps", eps, low=0) if ratio is None else np.log(checks.scalar("ratio", ratio, low=1))
    return _named(worst_pair(float(eps), float(delta)))


def _exact_worst_pair(ratio: Fraction, delta: Fraction) -> Pair:
    truth = (1 - delta) * ratio / (1 + ratio)
    lie = (1 - delta) / (1 + ratio)
    law = [delta, truth, lie, Fraction(0)] if delta else [truth, lie]
    return Pair(law, law[::-1])


def _named(pair: Pair) -> Pair:
    """Name the outcomes by the bit that is reported; an open answer is surely true."""
    pair.outcomes = [0, 1] if len(pair) == 2 else ["surely 0", 0, 1, "surely 1"]
    return pair


def exponential_mechanism(
    scores: Array,
    neighbour_scores: Array,
    eps: Number,
    sensitivity: Number = 1,
    outcomes: Iterable[Hashable] | None = None,
) -> Pair:
    """Choose outcome y with probability proportional to e^(eps score(y) / (2 sensitivity)), on both databases.

    >>> exponential_mechanism([3, 1], [2, 2], eps=1.0)
    Pair(p=[0.731059, 0.268941], q=[0.5, 0.5])
    """
    eps = checks.positive("eps", checks.scalar("eps", eps, low=0, high=LARGEST_CHOICE_EPS))
    sensitivity = checks.positive("sensitivity", sensitivity)
    scores, others = _scores(scores, neighbour_scores, sensitivity)
    names = None if outcomes is None else checks.names("outcomes", outcomes, len(scores))
    p = Shares.of(eps * (scores - scores.max()) / (2 * sensitivity))
    q = Shares.of(eps * (others - others.max()) / (2 * sensitivity))
    growth = eps * (scores - others) / (2 * sensitivity)
    loss = growth - q.log_mean_exp(growth)
    off = q.mean_units(growth) + np.log2(len(loss)) + PAIRWISE + 2 * FUNCTION + 18 * eps
    error = Error(units=max(p.largest_units, q.largest_units), loss=UNIT * off, mass=2 * TINY * len(loss))
    return Pair._of(p.chances, q.chances, loss, names, error)


class Shares(NamedTuple):
    """Chances in proportion to e^x, and the units of rounding in each of them."""

    chances: np.ndarray
    units: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray) -> Shares:
        """Return e^x / sum e^x for exponents x <= 0, which are off by a difference, a product and a quotient."""
        weights = np.exp(x)
        total = weights.sum()
        of_weights = FUNCTION + 3 * np.minimum(-x, LARGEST_EXPONENT)
        of_total = np.sum(weights * of_weights) / total + np.log2(len(x)) + PAIRWISE
        return cls(weights / total, of_weights + of_total + 1)

    @property
    def largest_units(self) -> float:
        """The units of rounding in the worst of them."""
        return float(np.max(self.units))

    def log_mean_exp(self, growth: np.ndarray) -> float:
        """Return the logarithm of the mean of e^growth, whatever its size."""
        top = growth.max()
        return top + np.log(np.sum(self.chances * np.exp(growth - top)))

    def mean_units(self, growth: np.ndarray) -> float:
        """Return the units of rounding that the chances bring into that mean."""
        weights = self.chances * np.exp(growth - growth.max())
        return float(np.sum(weights * self.units) / np.sum(weights))


def _scores(scores, neighbour_scores, sensitivity: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores on both databases as arrays, or say what is wrong with them."""
    u = checks.real("scores", scores)
    v = checks.real("neighbour_scores", neighbour_scores)
    if u.ndim != 1 or not len(u) or u.shape != v.shape or not np.isfinite([u, v]).all():
        raise ValueError(
            f"scores and neighbour_scores must be lists of equally many finite numbers, not {checks.shorten(scores)} "
            f"and {checks.shorten(neighbour_scores)}"
        )
    change = np.max(np.abs(u - v))
    if change > sensitivity * (1 + 1e-12):
        raise ValueError(f"scores must differ by at most sensitivity = {sensitivity:g}, not {change:g}")
    return u, v


def truncated_geometric(value: int, low: int, high: int, ratio: Number) -> list[Fraction]:
    """Return the law on low, ..., high of value + two-sided geometric noise, what lies outside moved to the two ends.

    The noise is n with probability proportional to ratio^-|n|, so e^eps = ratio; an exact ratio gives fractions. What
    is cut off costs no privacy, being post-processing.

    >>> truncated_geometric(0, 0, 2, 2)
    [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]
    """
    low = checks.count("low", low, low=-checks.MOST)
    high = checks.count("high", high, low=low)
    value = checks.count("value", value, low=low)
    if value > high:
        raise ValueError(f"value must be at most the top {high}, not {value}")
    if high - low >= MOST_STEPS_LISTED:
        raise ValueError(f"high must be less than low + {MOST_STEPS_LISTED}, not {high}")
    if low == high:
        return [Fraction(1)]
    decay = 1 / _finite_ratio(ratio)
    law = [(1 - decay) / (1 + decay) * decay ** abs(n - value) for n in range(low, high + 1)]
    law[0] = decay ** (value - low) / (1 + decay)
    law[-1] = decay ** (high - value) / (1 + decay)
    return law


def _finite_ratio(ratio) -> Fraction | float:
    """Return e^eps, at least 1 and finite: a fraction if it is exact, a float otherwise."""
    number = checks.positive("ratio", checks.scalar("ratio", ratio, low=1))
    return checks.fraction(ratio) if checks.is_exact(ratio) else number


# ------------------------------------------------------------------------------------------------ added noise


class Noise(Curve):
    """A mechanism that adds noise to a number: its privacy curve, its variance, and its sampler.

    `scale` is that of the noise. Where it has to be rounded, it is rounded up: more noise does no harm.
    """

    sensitivity: float
    scale: float

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the noise."""

    @abstractmethod
    def _draw(self, rng: np.random.Generator, size): ...

    def sample(self, value: Numbers, rng: np.random.Generator, size: Size | None = None) -> Answer:
        """Return the value with fresh noise added."""
        value = self._as_value(value)
        rng = checks.generator(rng)
        shape = _shape(value, size)
        if not self.scale <= self._largest_scale:
            raise ValueError(f"scale must be at most {self._largest_scale:g} to draw noise, not {self.scale:g}")
        return checks.plain(value + self._draw(rng, shape))

    def _as_value(self, value) -> np.ndarray:
        """Return what noise is added to."""
        return checks.real("value", value)

    @property
    def _largest_scale(self) -> float:
        """The scale up to which floats can hold what is drawn."""
        return LARGEST_SCALE


def _shape(value: np.ndarray, size) -> tuple[int, ...] | None:
    """Return the shape of what is drawn: that of the value, or `size`, which must have room for the value."""
    if size is None:
        return value.shape or None
    shape = checks.shape(size)
    try:
        fits = np.broadcast_shapes(value.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"size must fit the shape {value.shape} of value, not {checks.shorten(size)}")
    return shape


def _check_one_of(what: str, name: str, value, other: str, other_value) -> None:
    if (value is None) == (other_value is None):
        raise ValueError(f"{what} needs exactly one of {name} and {other}")


def _quotient(a: float, b: float, rounding: int) -> float:
    """Return a / b: exactly if that is a float, else the next float up (+1) or down (-1)."""
    return float_to(Fraction(a) / Fraction(b), rounding)


def _loss_of_scale(sensitivity: float, scale: float) -> tuple[float, float]:
    """Return sensitivity / scale, rounded down and up."""
    high = _quotient(sensitivity, scale, +1)
    if high == math.inf:
        raise ValueError(f"scale must be larger for a sensitivity of {sensitivity:g}, not {scale:g}")
    return max(_quotient(sensitivity, scale, -1), TINY), high


class laplace(Noise):
    """Add Laplace noise of scale sensitivity / eps: pure eps-DP (Steinke's post; KOV, section 4.1).

    >>> laplace(1.0).scale, round(laplace(1.0).delta(0.5), 6)
    (1.0, 0.221199)
    """

    def __init__(self, eps: Number | None = None, *, scale: Number | None = None, sensitivity: Number = 1):
        _check_one_of("laplace", "eps", eps, "scale", scale)
        self.sensitivity = checks.positive("sensitivity", sensitivity)
        if scale is None:
            self.eps = self._least_eps = checks.positive("eps", eps)
            self.scale = _quotient(self.sensitivity, self.eps, +1)
        else:
            self.scale = checks.positive("scale", scale)
            self._least_eps, self.eps = _loss_of_scale(self.sensitivity, self.scale)

    @property
    def variance(self) -> float:
        """Variance 2 scale^2."""
        return 2 * self.scale * self.scale

    def _draw(self, rng, size):
        return rng.laplace(scale=self.scale, size=size)

    def _delta_at(self, eps, rounding):
        """delta(e) = 1 - e^((e - eps) / 2) for e up to eps; off by the difference and a function."""
        own = self.eps if rounding > 0 else self._least_eps
        below = np.minimum(eps - own, 0.0)
        delta = -np.expm1(below / 2)
        end = outward(delta, rounding, FUNCTION * UNIT * delta)
        return np.where(below < 0, _positive(end, rounding), 0.0)

    def _epsilon_at(self, delta, rounding):
        """Return the inverse, eps + 2 log(1 - delta), at least 0; off by a function and a sum."""
        own = self.eps if rounding > 0 else self._least_eps
        fallen = 2 * np.log1p(-np.minimum(delta, 1 - UNIT))
        end = outward(own + fallen, rounding, FUNCTION * UNIT * np.abs(fallen))
        enough = delta >= self._delta_at(np.zeros(()), +1)
        return np.select([delta == 0, enough], [own, 0.0], end)

    def tradeoff(self, alpha: Asked) -> Asked:
        """Three pieces: two lines of slopes -e^eps and -e^-eps, and a hyperbola between them; never above the truth.

        log alpha is off by FUNCTION units of its size, its sum with eps by one, e^x of that by as many and FUNCTION.
        """
        alpha = checks.delta(alpha, "alpha")
        log_alpha = np.log(np.maximum(alpha, TINY))
        steep = 1 - np.exp(np.minimum(self.eps + log_alpha, 0.0))
        middle = np.exp(np.minimum(-self.eps - log_alpha, math.log(2))) / 4
        flat = np.exp(-self.eps) * (1 - alpha)
        pieces = np.select([log_alpha <= -self.eps - math.log(2), alpha <= 0.5], [steep, middle], flat)
        below = outward(pieces, -1, (FUNCTION + 2) * UNIT * (1 + self.eps - log_alpha) * pieces)
        return checks.plain(np.where(alpha == 0, 1.0, below))


def _positive(end: np.ndarray, rounding: int) -> np.ndarray:
    """Return an end of something positive: where it is too small for a float, the upper end is the smallest float."""
    return np.clip(end, TINY if rounding > 0 else 0.0, 1.0)


class gaussian(Noise):
    """Add normal noise of standard deviation `scale`: mu-Gaussian DP with mu = sensitivity / scale.

    >>> round(gaussian(scale=2.0).epsilon(1e-6), 6)
    2.254085
    >>> (gaussian(0.5) ** 4).mu
    1.0
    """

    def __init__(self, mu: Number | None = None, *, scale: Number | None = None, sensitivity: Number = 1):
        _check_one_of("gaussian", "mu", mu, "scale", scale)
        self.sensitivity = checks.positive("sensitivity", sensitivity)
        if scale is None:
            self.mu = self._least_mu = checks.positive("mu", mu)
            self.scale = _quotient(self.sensitivity, self.mu, +1)
        else:
            self.scale = checks.positive("scale", scale)
            self._least_mu, self.mu = _loss_of_scale(self.sensitivity, self.scale)

    @property
    def variance(self) -> float:
        """Variance scale^2."""
        return self.scale * self.scale

    def _draw(self, rng, size):
        return rng.normal(scale=self.scale, size=size)

    def __pow__(self, k: int) -> gaussian:
        """Compose k times: the mus add in squares, so the curve is that of sqrt(k) mu."""
        k = checks.count("k", k, low=1)
        composed = gaussian(_times_root(self.mu, k, +1), sensitivity=self.sensitivity)
        composed._least_mu = _times_root(self._least_mu, k, -1)
        return composed

    def _delta_at(self, eps, rounding):
        """delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) (Balle and Wang)."""
        mu = self.mu if rounding > 0 else self._least_mu
        return normal.gaussian_delta(mu, eps, rounding)

    def _epsilon_at(self, delta, rounding):
        """Return an end of the inverse by search; no eps makes delta 0."""
        largest = normal.largest_epsilon(self.mu)
        found = inverse(self._delta_at, np.maximum(delta, TINY), (0.0, largest), rounding)
        return np.where(delta > 0, found, np.inf)

    def tradeoff(self, alpha: Asked) -> Asked:
        """G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) (Dong, Roth and Su)."""
        return gaussian_tradeoff(self.mu, alpha)


def gaussian_tradeoff(mu: float, alpha: Asked) -> Asked:
    """Return G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu), never above the truth; G_inf = 0 everywhere.

    The smallest type II error at type I error alpha of a test between N(0, 1) and N(mu, 1) (Dong, Roth and Su).

    >>> round(gaussian_tradeoff(1.0, 0.05), 6)
    0.740489
    """
    mu = checks.scalar("mu", mu, low=0)
    alpha = checks.delta(alpha, "alpha")
    if mu == 0:
        return checks.plain(1 - alpha)
    return checks.plain(np.zeros_like(alpha) if mu == math.inf else normal.gaussian_tradeoff(mu, alpha))


def _times_root(mu: float, k: int, rounding: int) -> float:
    """Return mu sqrt(k): exactly if that is a float, else rounded up (+1) or down (-1)."""
    product = checks.positive("mu", mu * math.sqrt(k))
    while rounding * (Fraction(product) ** 2 - k * Fraction(mu) ** 2) < 0:
        product = math.nextafter(product, rounding * math.inf)
    return product


# ------------------------------------------------------------------------------ noise with finitely many likelihoods


class FiniteNoise(Noise):
    """Noise whose likelihood ratio takes finitely many values: a `pair` says everything."""

    eps: float
    pair: Pair

    @property
    def scale(self) -> float:
        """Scale of the Laplace law that falls as fast, sensitivity / eps."""
        return self.sensitivity / self.eps

    def _delta_at(self, eps, rounding):
        return self.pair._delta_at(eps, rounding)

    def _epsilon_at(self, delta, rounding):
        return self.pair._epsilon_at(delta, rounding)

    def _exact_delta(self, ratio):
        return self.pair._exact_delta(ratio)

    def _exact_ratio(self, delta):
        return self.pair._exact_ratio(delta)

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of a test with type I error at most alpha."""
        return self.pair.tradeoff(alpha)

    @cached_property
    def lower_boundary(self) -> np.ndarray:
        """The vertices of the lower boundary of the error region, those of the pair."""
        return self.pair.lower_boundary


class geometric(FiniteNoise):
    """Add two-sided geometric noise to a whole number: P(n) proportional to e^(-eps |n| / sensitivity).

    For sensitivity 1 the pair is that of randomized response: nothing is lost, and nothing wasted (KOV, Theorem 4.4).

    >>> geometric(ratio=2).delta(ratio=1)
    Fraction(1, 3)
    """

    def __init__(self, eps: Number | None = None, *, ratio: Number | None = None, sensitivity: Number = 1):
        _check_one_of("geometric", "eps", eps, "ratio", ratio)
        self.sensitivity = checks.count("sensitivity", sensitivity, low=1)
        if ratio is None:
            self.eps = self._least_eps = checks.positive("eps", eps)
        else:
            self._least_eps, self.eps = _log_ends(_finite_ratio(ratio))
        if self.eps / self.sensitivity < SMALLEST_STEP:
            raise ValueError(f"eps must be at least {SMALLEST_STEP:g} times the sensitivity, not {self.eps:g}")
        self.exact = checks.is_exact(ratio) and self.sensitivity == 1
        self.decay = 1 / Fraction(ratio) if self.exact else float(np.exp(-self.eps / self.sensitivity))

    @cached_property
    def pair(self) -> Pair:
        """Outputs up to 0, then 1, 2, ..., then from `sensitivity` on: within each group the ratio is constant."""
        if self.exact:
            law = [1 / (1 + self.decay), self.decay / (1 + self.decay)]
            return Pair(law, law[::-1], ["<= 0", ">= 1"])
        n = self.sensitivity
        if n >= MOST_OUTCOMES:
            raise ValueError(f"sensitivity must be below {MOST_OUTCOMES} for a pair of all outcomes, not {n}")
        step = self.eps / n
        between = np.arange(1, n)
        p = np.concatenate([[1.0], -np.expm1(-step) * np.exp(-step * between), [np.exp(-self.eps)]]) / (1 + self.decay)
        loss = np.concatenate([[self.eps], step * (n - 2 * between), [-self.eps]])
        units = 3 * FUNCTION + 4 + 2 * self.eps  # expm1, e^x whose exponent is off by two, three operations, 1 + a
        error = Error(units, loss=4 * UNIT * self.eps if n > 1 else 0.0, mass=2 * TINY * n)
        return Pair._of(p, p[::-1], loss, ["<= 0", *between.tolist(), f">= {n}"], error)

    def _delta_at(self, eps, rounding):
        """Return an end of P(E) - e^e Q(E) for the outputs E that are more than e^e times as likely under P.

        With a = e^(-eps / n), n the sensitivity, the outputs up to y have P = 1 - a^(y + 1) / (1 + a) and, mirrored,
        Q = a^(n - y) / (1 + a). The last one that counts has a loss of e + `rest`; so the difference is, without any
        cancellation,

            (1 - e^-rest + (a + e^-rest) (1 - a^y)) / (1 + a).

        Relative error: `gap` is off by one unit and `rest` by 4 units of gap, which counts e^(-gap / 2) times; as delta
        is at least 1 - e^(-gap / 2), the curve of Laplace noise, that is at most 8 units. Two functions that are
        multiplied, the argument of one, 1 + a with half a function, and five operations are fewer than 20.
        """
        if self.exact:
            return super()._delta_at(eps, rounding)
        own = self.eps if rounding > 0 else self._least_eps
        step = own / self.sensitivity
        gap = np.maximum(own - eps, 0.0)
        y = np.clip(np.ceil(gap / step / 2) - 1, 0, self.sensitivity - 1)
        rest = gap - 2 * (step * y)  # in this order nothing overflows
        a = math.exp(-step)
        excess = (-np.expm1(-rest) + (a + np.exp(-rest)) * -np.expm1(-step * y)) / (1 + a)
        end = outward(excess, rounding, 28 * UNIT * excess)
        return np.where(gap > 0, _positive(end, rounding), 0.0)

    def _epsilon_at(self, delta, rounding):
        """Return an end of the inverse by search, in [0, eps]."""
        if self.exact:
            return super()._epsilon_at(delta, rounding)
        own = self.eps if rounding > 0 else self._least_eps
        found = inverse(self._delta_at, delta, (0.0, own), rounding)
        return np.where(delta > 0, found, own)

    def tradeoff(self, alpha: Asked) -> Asked:
        """Smallest type II error of a test with type I error at most alpha."""
        return super().tradeoff(alpha) if self.sensitivity < MOST_OUTCOMES else Curve.tradeoff(self, alpha)

    @cached_property
    def lower_boundary(self) -> np.ndarray:
        """The vertices of the lower boundary, or points on it where there are too many."""
        known = self.pair if self.sensitivity < MOST_OUTCOMES else super(FiniteNoise, self)
        return known.lower_boundary

    @property
    def variance(self) -> float:
        """Variance 2 a / (1 - a)^2 with a = e^(-eps / sensitivity)."""
        step = self.eps / self.sensitivity
        spread = -1 / math.expm1(-step)
        return 2 * math.exp(-step) * spread * spread

    @property
    def _largest_scale(self) -> float:
        return MOST_STEPS

    def _draw(self, rng, size):
        success = -np.expm1(-self.eps / self.sensitivity)
        return rng.geometric(success, size) - rng.geometric(success, size)

    def _as_value(self, value) -> np.ndarray:
        """Return the whole numbers that noise is added to."""
        whole = checks.real("value", value)
        if np.any(whole != np.rint(whole)) or np.any(np.abs(whole) > checks.MOST):
            raise ValueError(f"value must be a whole number up to {checks.MOST}, not {checks.shorten(value)}")
        return whole.astype(int)


def _log_ends(ratio: Fraction | float) -> tuple[float, float]:
    """Return log(ratio), rounded down and up; ratio - 1 is taken exactly, so that ratios near 1 keep their digits."""
    beyond_one = float(Fraction(ratio) - 1)
    logarithm = checks.positive("eps", math.log1p(beyond_one))
    error = 2 * UNIT * logarithm  # a function and a rounded argument, of which `outward` has four units
    return float(outward(logarithm, -1, error)), float(outward(logarithm, +1, error))


class staircase(FiniteNoise):
    """Add staircase noise: of all eps-DP noises that of least variance (Geng and Viswanath).

    The density falls by e^-eps every `sensitivity`; each stair has a share `gamma` before its step.

    >>> round(staircase(1.0).variance, 4), laplace(1.0).variance
    (1.9181, 2.0)
    """

    def __init__(self, eps: Number, *, gamma: Number | None = None, sensitivity: Number = 1):
        self.eps = checks.scalar("eps", eps, low=1e-50, high=700)
        self.sensitivity = checks.positive("sensitivity", sensitivity)
        self.gamma = _best_gamma(self.eps) if gamma is None else checks.scalar("gamma", gamma, low=0, high=1)

    @property
    def _height(self) -> float:
        """The density before the first step, times the sensitivity."""
        fall = math.exp(-self.eps)
        return -math.expm1(-self.eps) / (2 * (self.gamma + fall * (1 - self.gamma)))

    def density(self, x: Asked) -> Asked:
        """Density of the noise."""
        stairs = np.abs(checks.real("x", x)) / self.sensitivity
        stairs = np.minimum(stairs, np.finfo(float).max)  # where there is no density left
        whole = np.floor(stairs)
        steps = whole + (stairs - whole >= self.gamma)
        return checks.plain(self._height / self.sensitivity * np.exp(-self.eps * steps))

    @cached_property
    def pair(self) -> Pair:
        """The loss is eps or -eps, and 0 on the stretch between the two centres where both densities agree.

        e^-eps and 1 - e^-eps bring two functions into `equal`, the former only once, and seven operations. It is below
        1/2, so that 1 - `equal` has one unit more. Then come a function, a sum and a quotient: fewer than 24 units.
        """
        share = abs(2 * self.gamma - 1) * (1.0 if self.gamma > 0.5 else math.exp(-self.eps))
        equal = share * self._height
        more = (1 - equal) / (1 + math.exp(-self.eps))
        less = (1 - equal) / (1 + math.exp(self.eps))
        p = np.array([more, equal, less])
        loss = np.array([self.eps, 0.0, -self.eps])
        return Pair._of(p, p[::-1], loss, error=Error(units=24))

    @property
    def variance(self) -> float:
        """Variance: twice the integral of x^2 over the stairs, on each of which it is a third of a difference of cubes.

        The n-th step, by a factor of 1 - b with b = e^-eps, is at n + gamma: the sum is that of b^n (n + gamma)^3.
        """
        b = math.exp(-self.eps)
        c = -math.expm1(-self.eps)
        sum_1 = 1 / c  # of b^n
        sum_n = b / c**2  # of n b^n
        sum_n2 = b * (1 + b) / c**3
        sum_n3 = b * (1 + 4 * b + b * b) / c**4
        g = self.gamma
        cubes = g**3 * sum_1 + 3 * g**2 * sum_n + 3 * g * sum_n2 + sum_n3
        return 2 / 3 * self._height * c * cubes * self.sensitivity * self.sensitivity

    @property
    def _largest_scale(self) -> float:
        return min(MOST_STEPS * self.sensitivity, LARGEST_SCALE)

    def _draw(self, rng, size):
        """Draw a side, a stair, and a place before or after its step."""
        side = rng.choice([-1, 1], size)
        stair = rng.geometric(-np.expm1(-self.eps), size) - 1
        share = rng.uniform(size=size)
        before = self.gamma / (self.gamma + (1 - self.gamma) * np.exp(-self.eps))
        is_before = rng.uniform(size=size) < before
        place = np.where(is_before, self.gamma * share, self.gamma + (1 - self.gamma) * share)
        return side * (stair + place) * self.sensitivity


def _best_gamma(eps: float) -> float:
    """Return the gamma of least variance, where the derivative of the sum of cubes vanishes."""
    if eps <= 1e-6:
        return 0.5
    b = math.exp(-eps)
    return float((np.cbrt(b * (1 + b) / 2) - b) / -np.expm1(-eps))
