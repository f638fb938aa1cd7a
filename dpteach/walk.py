r"""The privacy loss of k Laplace answers: a walk that starts as two spikes and ends as a bell.

One Laplace answer with parameter eps has privacy loss eps with probability 1/2, -eps with probability e^-eps / 2, and
otherwise a loss in between. So each answer is of one of two kinds:

- *clear*, with probability (1 + e^-eps) / 2: then its loss is that of randomized response;
- *middling*: then its loss is eps (2 U - 1) for some U in (0, 1) whose density is proportional to e^(eps U).

After k answers the loss is eps (2 x - k) with x = (clear answers for P) + (sum of the middling U). Given that m are
middling, x is a whole number plus a sum of m tilted uniform variables. Without the tilt that sum has the Irwin-Hall
density, a polynomial between any two whole numbers, with a recurrence of positive terms:

    h_m(x) = (x h_(m-1)(x) + (m - x) h_(m-1)(x - 1)) / (m - 1).

Nothing is subtracted in it, so the law is known to about twelve digits for every k, also far out in its tails; fewer
next to the largest loss k eps, and none at all in the last percent below it once k eps is in the hundreds, where what
is left has a probability near 2^-k. These are floats close to the truth, not bounds of it; `dpteach.optimal` bounds it
from above.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre

from . import checks

MOST_ANSWERS = 2000  # the work grows with k^2; this many take two seconds
LARGEST_EPS = 40  # beyond it the tilt e^(eps U) is too steep for the nodes below
LATTICE = 1e-12  # a loss that differs from a spike by rounding is meant to be the spike
Z, WEIGHTS = legendre.leggauss(24)  # integrates and interpolates between two spikes, exactly up to k = 24
T = (Z + 1) / 2  # the same nodes in [0, 1]


def loss_walk(eps: float, k: int) -> LossWalk:
    """Return the law of the privacy loss after k answers with Laplace noise, each eps-DP.

    >>> walk = loss_walk(0.2, 5)
    >>> f"{walk.tail(0.5):.12g} {walk.delta(0.5):.12g}"
    '0.221737811415 0.0343907169863'
    """
    return LossWalk(eps, k)


class LossWalk:
    """The privacy loss log(P/Q) of k Laplace answers drawn from P: spikes (`atoms`) and a `density` between them.

    The answers are as bad as their sensitivity allows: each of the k true values differs by it, in the same direction.
    """

    def __init__(self, eps: float, k: int):
        self.eps, self.k = checks.positive("eps", eps), checks.count("k", k, low=1)
        checks.scalar("eps", eps, low=0, high=LARGEST_EPS)
        checks.scalar("k", k, low=1, high=MOST_ANSWERS)

    def __repr__(self) -> str:
        return f"loss_walk(eps={self.eps:g}, k={self.k})"

    @cached_property
    def atoms(self) -> tuple[np.ndarray, np.ndarray]:
        """The spikes: losses -k eps, (2 - k) eps, ..., k eps and their probabilities, when all answers are clear."""
        count = np.arange(self.k + 1)
        log_ways = np.array([_log_comb(self.k, n) for n in count])
        return self.eps * (2 * count - self.k), np.exp(log_ways - self.k * math.log(2) - self.eps * (self.k - count))

    def density(self, loss):
        """Density of the loss between the spikes."""
        x = self._position(checks.real("loss", loss))
        inside = (x >= 0) & (x < self.k)
        x = np.where(inside, x, 0.0)
        cell = np.floor(x).astype(int)
        values = self._value(cell, x - cell) * np.exp(self.eps * (x - cell))
        return checks.plain(np.where(inside, values / (2 * self.eps), 0.0))

    def tail(self, loss):
        """Probability under P that the privacy loss exceeds `loss`."""
        return self._each(checks.real("loss", loss), np.ones_like)

    def delta(self, eps):
        """Smallest delta at which the k answers are (eps, delta)-DP: E max(1 - e^(eps - loss), 0)."""
        return self._each(checks.eps(eps), lambda above: -np.expm1(-above))

    def epsilon(self, delta):
        """Smallest eps at which the k answers are (eps, delta)-DP, by bisection."""
        return checks.plain(np.vectorize(self._epsilon, otypes=[float])(checks.delta(delta)))

    @cached_property
    def mean(self) -> float:
        """Expected loss, k (eps - 1 + e^-eps)."""
        return self.k * self._moment(lambda loss: loss)

    @cached_property
    def std(self) -> float:
        """Standard deviation of the loss, sqrt(k) times that of one answer."""
        centre = self.mean / self.k
        return math.sqrt(self.k * self._moment(lambda loss: (loss - centre) ** 2))

    def sample(self, rng: np.random.Generator, size=None):
        """Draw losses the honest way: add Laplace noise k times, and add up the losses."""
        checks.generator(rng)
        total = np.zeros(() if size is None else size)
        for _ in range(self.k):
            noise = rng.laplace(scale=1 / self.eps, size=size)
            total += self.eps * (np.abs(noise + 1) - np.abs(noise))
        return checks.plain(total)

    # ------------------------------------------------------------------------------------- between the spikes

    @cached_property
    def _cells(self) -> np.ndarray:
        """Density of x = (loss / eps + k) / 2 at the nodes of each unit interval, divided by e^(eps (x - floor x))."""
        fall, lift = math.exp(-self.eps), -self.eps / math.expm1(-self.eps)
        x = np.arange(self.k)[:, None] + T
        middling = np.zeros_like(x)  # density of the sum of m tilted uniforms
        middling[0] = lift * fall
        total = self._chance(1) * middling
        for m in range(2, self.k + 1):
            h, f, y = middling[:m], total[:m], x[:m]  # nothing lies beyond m yet
            h[:] = lift / (m - 1) * (fall * y * h + (m - y) * _from_below(h))
            f[:] = (fall * f + _from_below(f)) / (1 + fall) + self._chance(m) * h
        return total

    def _chance(self, m: int) -> float:
        """Probability that m of the k answers are middling."""
        middling = -math.expm1(-self.eps) / 2
        return math.exp(_log_comb(self.k, m) + m * math.log(middling) + (self.k - m) * math.log1p(-middling))

    @cached_property
    def _polynomials(self) -> np.ndarray:
        """Legendre coefficients of `_cells`, a column for each unit interval."""
        return np.linalg.solve(legendre.legvander(Z, len(Z) - 1), self._cells.T)

    def _position(self, loss):
        """Return x for a loss: 0 to k, a whole number at the spikes."""
        x = np.clip((loss / self.eps + self.k) / 2, -1, self.k + 1)
        return np.where(np.abs(x - np.rint(x)) < LATTICE, np.rint(x), x)

    def _value(self, cell, t):
        """Return `_cells` at any place t in [0, 1] of an interval."""
        return np.maximum(legendre.legval(2 * t - 1, self._polynomials[:, cell], tensor=False), 0.0)

    def _each(self, losses: np.ndarray, gain: Callable[[np.ndarray], np.ndarray]):
        return checks.plain(np.vectorize(lambda at: self._above(at, gain), otypes=[float])(losses))

    def _above(self, at: float, gain: Callable[[np.ndarray], np.ndarray]) -> float:
        """Return the expectation of gain(loss - at) over the losses above `at`."""
        x = min(float(self._position(at)), self.k)
        spikes, whole = math.floor(x) + 1, max(math.ceil(x), 0)
        losses, chances = self.atoms
        result = np.sum(chances[spikes:] * gain(losses[spikes:] - at))
        result += self._integral(np.arange(whole, self.k)[:, None], 0.0, self._cells[whole:], at, gain)
        if 0 <= x < whole:  # `at` lies between two spikes
            start = x - (whole - 1)
            values = self._value(whole - 1, start + (1 - start) * T)
            result += self._integral(whole - 1, start, values, at, gain)
        return min(float(result), 1.0)

    def _integral(self, cell, start: float, values: np.ndarray, at: float, gain) -> float:
        """Integrate gain(loss - at) over the end [start, 1] of intervals, given `_cells` at the nodes there."""
        t = start + (1 - start) * T
        gains = gain(self.eps * (2 * (cell + t) - self.k) - at)
        return float(np.sum(values * np.exp(self.eps * t) * gains * WEIGHTS)) * (1 - start) / 2

    def _epsilon(self, delta: float) -> float:
        low, high = 0.0, self.k * self.eps
        if delta == 0 or self.delta(0) <= delta:
            return high if delta == 0 else 0.0
        for _ in range(60):
            eps = (low + high) / 2
            low, high = (low, eps) if self.delta(eps) <= delta else (eps, high)
        return high

    def _moment(self, power: Callable[[np.ndarray], np.ndarray]) -> float:
        """Return the expectation of power(loss) for one answer."""
        spikes = (power(self.eps) + math.exp(-self.eps) * power(-self.eps)) / 2
        between = np.sum(WEIGHTS * np.exp(self.eps * (T - 1)) * power(self.eps * Z))
        return float(spikes + self.eps / 4 * between)


def _from_below(values: np.ndarray) -> np.ndarray:
    """Return the values one interval below."""
    return np.concatenate([np.zeros_like(values[:1]), values[:-1]])


def _log_comb(n: int, m: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1)
