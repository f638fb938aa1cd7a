r"""The privacy loss of k Laplace answers: a walk that starts as two spikes and ends as a bell.

One Laplace answer with parameter eps has privacy loss eps with probability 1/2, -eps with probability e^-eps / 2, and
otherwise a loss in between. So each answer is of one of two kinds:

- *clear*, with probability (1 + e^-eps) / 2: then its loss is that of randomized response;
- *middling*: then its loss is eps (2 U - 1) for some U in (0, 1) whose density is proportional to e^(eps U).

After k answers the loss is eps (2 x - k) with x = (clear answers for P) + (sum of the middling U). Given that m are
middling, x is a whole number plus a sum of m tilted uniform variables. Without the tilt that sum has the Irwin-Hall
density, a polynomial between any two whole numbers, with a recurrence of positive terms:

    h_m(x) = (x h_(m-1)(x) + (m - x) h_(m-1)(x - 1)) / (m - 1).

Nothing is subtracted in it. We follow it at the nodes of a Gauss rule in every *cell* (between two whole numbers), and
integrate. What `delta` and `epsilon` return is certified; these are the errors, all of them on the safe side:

1. Rounding. All terms are positive, so relative errors only add up: by at most 16 units a step of the recurrence, and
   as many a step in the chances of m middling answers; then a few hundred in the rule and the sums. See `_units`.
2. Underflow. What falls below 1e-290 is set to zero. It would have gone through the same recurrence, so what is lost by
   it does so too, cell by cell. See `_lost`.
3. The rule. With n nodes it is off by at most sup K times the integral of |F^(2n)| over the cell, where K, the Peano
   kernel, is at most 16 / (C(2n, n)^2 (2n + 1) (2n)!). The derivatives of h_m are differences of h_(m-r), so

       e^(eps x) |(e^(-eps x) f(x))^(r)| <= sum over m of f_m(x) eps^r C(k, m + r) / C(k, m),

   where f_m is the part of the density f with m middling answers: r of them have become clear. By Leibniz' rule and
   Vandermonde's identity the error is at most the sum over m of `rule[m]` P(loss > at, m middling) with

       rule[m] = 3 sup K eps^(2n) (k + 1) ... (k + 2n) / ((m + 1) ... (m + 2n)).

   Small m have large factors and small chances, so for any m: error <= rule[m] P(loss > at) + sum over smaller m of
   rule[m] P(m middling). The best m is taken. Nodes that are off by a unit count the same way, with r = 1.
4. Interpolation, in the one cell that `at` cuts. There the polynomial through the n nodes is off by the n-th derivative
   of f over n! C(2n, n), which is bounded in the same way; and in the cell [c, c + 1] h_m(x) <= h_m(c) + h_m(c + 1).

So the law is known to about twelve digits for every k, also far out in its tails; next to the largest loss k eps, where
what is left has a probability near 2^-k, the bracket becomes wide once k eps is in the hundreds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .. import checks
from ..curve import Curve
from .coins import binomials
from .quadrature import Rule, kernel, monic, rule_of
from .rounding import UNIT, Near, exact_product
from .search import inverse

__all__ = ["LossWalk", "loss_walk"]

MOST_ANSWERS = 2000  # the work grows with k^2; this many take a few seconds
LARGEST_EPS = 40  # beyond it the tilt e^(eps U) is too steep for the nodes below
LATTICE = 1e-12  # a loss that differs from a spike by rounding is meant to be the spike
FLUSH = 1e-290  # smaller densities are set to zero
NODES = (24, 48, 96)  # in a cell; the few are enough up to k eps = 100 or so
STEP = 32  # units, see `_units`
ONCE = 88
LEBESGUE = 20  # by so much interpolation may enlarge an error
STRETCH = 690.0  # `_lost` is kept times e^690, so that it does not underflow itself


class Integrals(NamedTuple):
    """For each cell the integrals of f, of f e^(-2 eps t), and of their difference, t from the cell's start."""

    mass: np.ndarray
    tilted: np.ndarray
    difference: np.ndarray


class Doubt(NamedTuple):
    """A bound for each m = 1, ..., k: `factor` times what has m or more middling answers, and what `smaller` m add."""

    factor: np.ndarray
    smaller: np.ndarray


def loss_walk(eps: float, k: int) -> LossWalk:
    """Return the law of the privacy loss after k answers with Laplace noise, each eps-DP.

    >>> walk = loss_walk(0.2, 5)
    >>> f"{walk.tail(0.5):.12g} {walk.delta(0.5):.12g}"
    '0.221737811415 0.0343907169863'
    """
    return LossWalk(eps, k)


class LossWalk(Curve):
    """The privacy loss log(P/Q) of k Laplace answers drawn from P: spikes (`atoms`) and a `density` between them.

    The answers are as bad as their sensitivity allows: each of the k true values differs by it, in the same direction.
    """

    def __init__(self, eps: float, k: int):
        self.eps = checks.positive("eps", eps)
        self.k = checks.count("k", k, low=1)
        checks.scalar("eps", eps, low=0, high=LARGEST_EPS)
        checks.scalar("k", k, low=1, high=MOST_ANSWERS)

    def __repr__(self) -> str:
        return f"loss_walk(eps={self.eps:g}, k={self.k})"

    # ------------------------------------------------------------------------------------------------- the law

    @cached_property
    def atoms(self) -> tuple[np.ndarray, np.ndarray]:
        """The spikes: losses -k eps, (2 - k) eps, ..., k eps and their probabilities, when all answers are clear."""
        count = np.arange(self.k + 1)
        losses = self.eps * (2 * count - self.k)
        share = np.array([ways / 2**self.k for ways in binomials(self.k)])
        against = np.exp(-self.eps * (self.k - count))
        return losses, share * against

    @property
    def _corners(self) -> np.ndarray:
        return self.atoms[0]

    @property
    def _spikes(self) -> np.ndarray:
        return self.atoms[1]

    def density(self, loss):
        """Density of the loss between the spikes."""
        x = self._position(checks.real("loss", loss))
        inside = (x >= 0) & (x < self.k)
        x = np.where(inside, x, 0.0)
        cell = np.floor(x).astype(int)
        density = self._value(cell, x - cell) / (2 * self.eps)
        return checks.plain(np.where(inside, density, 0.0))

    def tail(self, loss):
        """Probability under P that the privacy loss exceeds `loss`: a float close to the truth, not a bound of it."""
        loss = checks.real("loss", loss)
        return checks.plain(np.vectorize(self._tail_at, otypes=[float])(loss))

    @cached_property
    def mean(self) -> float:
        """Expected loss, k (eps - 1 + e^-eps)."""
        return self.k * self._moment(lambda loss: loss)

    @cached_property
    def std(self) -> float:
        """Standard deviation of the loss, sqrt(k) times that of one answer."""
        centre = self.mean / self.k
        variance = self._moment(lambda loss: (loss - centre) ** 2)
        return math.sqrt(self.k * variance)

    def bell(self, loss):
        """Normal density of equal mean and standard deviation, to which the density of many answers is close."""
        deviations = (checks.real("loss", loss) - self.mean) / self.std
        with np.errstate(over="ignore"):
            return checks.plain(np.exp(-(deviations**2) / 2) / (self.std * math.sqrt(2 * math.pi)))

    def _moment(self, power: Callable[[np.ndarray], np.ndarray]) -> float:
        """Return the expectation of power(loss) for one answer."""
        rule = rule_of(NODES[0])
        spikes = (power(self.eps) + self._fall * power(-self.eps)) / 2
        density = rule.weights * np.exp(-self.eps * rule.rest)
        losses = self.eps * (rule.t - rule.rest)
        between = np.sum(density * power(losses))
        return float(spikes + self.eps / 2 * between)

    def sample(self, rng: np.random.Generator, size=None):
        """Draw losses the honest way: add Laplace noise k times, and add up the losses.

        Clear answers are counted and middling ones summed, so that the spikes stay where they are.
        """
        checks.generator(rng)
        shape = () if size is None else checks.shape(size)
        clear = np.zeros(shape, dtype=int)
        middling = np.zeros(shape)
        for _ in range(self.k):
            noise = rng.laplace(scale=1 / self.eps, size=shape)
            is_middling = (-1 < noise) & (noise < 0)
            side = np.where(noise >= 0, 1, -1)
            clear += np.where(is_middling, 0, side)
            middling += np.where(is_middling, 2 * noise + 1, 0.0)
        return checks.plain(self.eps * (clear + middling))

    # ------------------------------------------------------------------------------------------ between the spikes

    @cached_property
    def _rule(self) -> Rule:
        """The rule with the fewest nodes that lose no digits anywhere, or else that with the most."""
        tried = NODES if self.k <= 500 else NODES[:2]  # the work grows with k^2
        for nodes in tried:
            worst = monic(nodes) * self._factors(nodes)[1] * math.exp(self.eps)
            if worst < 1e-14:
                break
        return rule_of(nodes)

    @property
    def _fall(self) -> float:
        """e^-eps."""
        return math.exp(-self.eps)

    @property
    def _lift(self) -> float:
        """eps / (1 - e^-eps), the largest density of a middling answer."""
        return -self.eps / math.expm1(-self.eps)

    @cached_property
    def _chances(self) -> np.ndarray:
        """Probabilities that m of the k answers are middling, from the likeliest m in both directions."""
        m = np.arange(1, self.k + 1)
        ratio = (self.k - m + 1) / m * math.tanh(self.eps / 2)  # of the chance of m to that of m - 1
        mode = int(np.sum(ratio >= 1))
        downward = np.cumprod(1 / ratio[:mode][::-1])
        upward = np.cumprod(ratio[mode:])
        weights = np.concatenate([downward[::-1], [1.0], upward])
        return weights / np.sum(weights)

    @cached_property
    def _cells(self) -> np.ndarray:
        """Density of x = (loss / eps + k) / 2 in each cell: first at the cell's start, then at the nodes.

        While the recurrence runs, densities are divided by e^(eps t), t from the cell's start.
        """
        t = np.concatenate([[0.0], self._rule.t])
        rest = np.concatenate([[1.0], self._rule.rest])
        cell = np.arange(self.k)[:, None]
        stay = self._fall * (cell + t)
        move = (cell + rest)[::-1]  # its last m rows are m - x for x one cell further
        middling = np.full((1, len(t)), self._lift * self._fall)  # density of the sum of m tilted uniforms
        total = self._chances[1] * middling
        for m in range(2, self.k + 1):
            grown = _stay_and_move(middling, stay[: m - 1], move[self.k - m + 1 :])
            middling = _flushed(self._lift / (m - 1) * grown)
            total = _flushed(self._one_clear_more(total) + self._chances[m] * middling)
        return total * np.exp(self.eps * t)

    def _one_clear_more(self, density: np.ndarray) -> np.ndarray:
        """Return the density of x after one clear answer more, which is for Q or for P."""
        for_q = self._fall / (1 + self._fall)
        for_p = 1 / (1 + self._fall)
        return _stay_and_move(density, for_q, for_p)

    @cached_property
    def _lost(self) -> np.ndarray:
        """What can be missing in each cell of `_cells` because it was set to zero: it follows the same recurrence.

        Irwin and Hall's density is at most x^(m-1) / (m - 1)!, so far from the bulk less than FLUSH is lost.
        """
        middling = np.zeros(1)
        total = np.zeros(1)
        for m in range(2, self.k + 1):
            cell = np.arange(m - 1)
            grown = _stay_and_move(middling, self._fall * (cell + 1), m - 1 - cell)
            lost = self._lift / (m - 1) * grown + self._flushed_at_most(m)
            middling = np.minimum(lost, 1e300)  # which is worth nothing
            total = self._one_clear_more(total) + self._chances[m] * middling + math.exp(STRETCH) * FLUSH
        return total * math.exp(self.eps - STRETCH)

    def _flushed_at_most(self, m: int) -> np.ndarray:
        """Return what is set to zero in step m, at most, in each cell and times e^STRETCH."""
        cell = np.arange(m)
        log_tilt = m * math.log(self._lift) - self.eps * (m - cell)
        log_density = log_tilt + (m - 1) * np.log(cell + 1) - math.lgamma(m)
        flushed = np.clip(log_density, -740 - STRETCH, math.log(FLUSH))
        return np.exp(flushed + STRETCH)

    def _value(self, cell, t):
        """Return the density of x at any place t in [0, 1] of a cell, by interpolation."""
        nodes = self._rule.between(t)
        values = np.sum(nodes * self._cells[cell, 1:], axis=-1)
        return np.maximum(values, 0.0).reshape(np.shape(t))

    def _position(self, loss):
        """Return x for a loss: 0 to k, a whole number at the spikes."""
        with np.errstate(over="ignore"):
            x = np.clip((loss / self.eps + self.k) / 2, -1, self.k + 1)
        whole = np.rint(x)
        return np.where(np.abs(x - whole) < LATTICE, whole, x)

    @cached_property
    def _integrals(self) -> Integrals:
        """The integrals over each cell, by the rule."""
        decay = 2 * self.eps * self._rule.t
        weighted = self._cells[:, 1:] * self._rule.weights
        tilted = weighted * np.exp(-decay)
        difference = weighted * -np.expm1(-decay)
        return Integrals(weighted.sum(axis=1), tilted.sum(axis=1), difference.sum(axis=1))

    @cached_property
    def _tails(self) -> np.ndarray:
        """P(loss at least that of a spike), for all spikes."""
        from_spike_on = np.append(self._integrals.mass, 0.0) + self._spikes
        return np.cumsum(from_spike_on[::-1])[::-1]

    def _tail_at(self, at: float) -> float:
        x = float(self._position(at))
        first = max(math.floor(x) + 1, 0)  # the first spike above
        if first > self.k:
            return 0.0
        above = 2 * self.eps * min(first - x, 1.0)
        part = self._part(first, above, np.ones_like)
        return min(float(self._tails[first]) + part.value, 1.0)

    # ------------------------------------------------------------------------------------------ the certified curve

    def _delta_at(self, eps, rounding):
        """E max(1 - e^(eps - loss), 0)."""
        return np.vectorize(lambda at: self._delta_end(at, rounding), otypes=[float])(eps)

    def _epsilon_at(self, delta, rounding):
        """Return an end of the inverse by search; only the largest loss makes delta 0."""
        largest = self._largest(rounding)
        found = inverse(self._delta_at, delta, (0.0, largest), rounding)
        return np.where(delta > 0, found, largest)

    def _largest(self, rounding: int) -> float:
        """Return k eps: exactly if that is a float, else rounded up or down."""
        high, low = exact_product(np.float64(self.k), self.eps)
        return math.nextafter(high, rounding * math.inf) if low * rounding > 0 else float(high)

    def _delta_end(self, at: float, rounding: int) -> float:
        above = self._above(at)
        first = int(np.sum(above <= 0))
        if first > self.k:
            return 0.0
        gain = _gain(above[first:])
        spikes = np.sum(self._spikes[first:] * gain)
        within_cells = self._integrals.difference[first:]
        cells = np.sum(within_cells + gain[:-1] * self._integrals.tilted[first:])
        part = self._part(first, above[first], _gain)
        value = float(spikes + cells + part.value)
        rounded = self._units * UNIT * value + self._node_error(first, value)
        error = rounded + part.error + self._rule_error(first) + self._flushed_mass(first)
        return min(max(value + rounding * error, 0.0), 1.0)

    def _above(self, at: float) -> np.ndarray:
        """Return how far the spikes lie above a loss; their sign is right even if it is a matter of rounding."""
        steps = 2.0 * np.arange(self.k + 1) - self.k
        high, low = exact_product(steps, self.eps)
        return (high - at) + low

    def _part(self, first: int, above: float, gain: Callable[[np.ndarray], np.ndarray]) -> Near:
        """Integrate gain(loss - at) from `at` to the first spike, `above` further, with a bound of the error."""
        if first == 0:
            return Near(0.0, 0.0)
        rule = self._rule
        length = above / (2 * self.eps)
        t = 1 - length * rule.rest
        values = self._cells[first - 1, 1:]
        nodes = rule.between(t)
        factor = length * rule.weights * gain(above * rule.t)
        density = np.maximum(nodes @ values, 0.0)
        rounding = self._units * (np.abs(nodes) @ values) + rule.between_units * np.sum(values)
        error = UNIT * rounding + self._between_error(first - 1)
        most = np.sum(rule.weights * (density + error))
        moved = 2 * UNIT * above * length * most  # the gain, by a node's error
        return Near(float(np.sum(factor * density)), float(np.sum(factor * error) + moved))

    @cached_property
    def _units(self) -> float:
        """Units of rounding in all sums of positive terms.

        A step of the recurrence: e^-eps and eps / (1 - e^-eps), a function each, and seven operations. A step of the
        chances: a tanh, a quotient, a product, an inverse, a product. Together fewer than STEP, and the rest is enough
        for the division by their sum. Then e^(eps t) and e^(-2 eps t): their exponents, which are rounded, and a
        function each. A gain: a function and its argument. Five products, two sums in pairs (of at most 96 and of 2000
        numbers) and three more: fewer than ONCE. The rule's own. The spikes' e^(-eps j): as many as the exponent.
        """
        spikes = min(self.eps * self.k, 750.0)
        return STEP * (self.k + 1) + ONCE + self._rule.units + 3 * self.eps + spikes

    def _factors(self, order: int) -> np.ndarray:
        """Return eps^r (k + 1) ... (k + r) / ((m + 1) ... (m + r)) for m = 0, ..., k and derivatives of order r."""
        m = np.arange(self.k + 1)
        log_ratio = _log_product(self.k, order) - _log_product(m, order)
        log_factor = order * math.log(self.eps) + log_ratio
        return np.exp(np.minimum(log_factor, 700.0))

    @cached_property
    def _rule_doubt(self) -> Doubt:
        """rule[m], and what smaller m add."""
        n = len(self._rule.t)
        return self._doubt(3 * kernel(n) * self._factors(2 * n))

    @cached_property
    def _node_doubt(self) -> Doubt:
        """The same for nodes that are off by a unit: the first derivative of f, twice as much to be safe."""
        return self._doubt(2 * UNIT * self._factors(1))

    @cached_property
    def _between_doubt(self) -> Doubt:
        """The same for interpolation."""
        n = len(self._rule.t)
        return self._doubt(monic(n) * self._factors(n))

    def _doubt(self, factor: np.ndarray) -> Doubt:
        chances = np.maximum(self._chances[1:], FLUSH)
        added_up = np.cumsum(factor[1:] * chances)
        return Doubt(factor[1:], np.concatenate([[0.0], added_up[:-1]]))

    def _rule_error(self, first: int) -> float:
        """Bound the error of the rule in all cells above a spike, and in the one below it.

        The tail is itself known up to this error, so where rule[m] <= 1/2 both terms are doubled.
        """
        doubt = self._rule_doubt
        tail = self._tails[max(first - 1, 0)]
        error = 2 * (doubt.factor * tail + doubt.smaller)
        return float(np.min(np.where(doubt.factor <= 0.5, error, 1.0)))

    def _node_error(self, first: int, value: float) -> float:
        """Bound what nodes that are off by a unit do to f, and to the gain 1 - e^(-2 eps t) in the cells above."""
        doubt = self._node_doubt
        of_density = np.min(doubt.factor * value + doubt.smaller)
        mass = np.sum(self._integrals.mass[first:])
        return float(of_density + 4 * UNIT * self.eps * mass)

    def _between_error(self, cell: int) -> float:
        """Bound the error of interpolation in `_cells`; no density of a sum exceeds that of one term, `lift`."""
        doubt = self._between_doubt
        end = self._cells[cell + 1, 0] if cell + 1 < self.k else 0.0
        most = math.exp(self.eps) * self._cells[cell, 0] + end
        return float(np.min(2 * doubt.factor * most + self._lift * doubt.smaller))

    def _flushed_mass(self, first: int) -> float:
        """Bound the mass, above a spike and in the cell below it, of what was set to zero."""
        lost = self._lost[max(first - 1, 0) :]
        return LEBESGUE * float(np.sum(lost)) + self.k * FLUSH


def _gain(above: np.ndarray) -> np.ndarray:
    """Return 1 - e^-x: what a loss that lies x above eps adds to delta, for each unit of probability."""
    return -np.expm1(-above)


def _log_product(m, order: int):
    """Return log((m + 1) ... (m + r))."""
    from scipy.special import gammaln

    return gammaln(m + order + 1.0) - gammaln(m + 1.0)


def _stay_and_move(values: np.ndarray, stay, move) -> np.ndarray:
    """Return the values of one cell more: what stays in a cell plus what moves one cell further."""
    moved = np.zeros((len(values) + 1, *values.shape[1:]))
    moved[:-1] = stay * values
    moved[1:] += move * values
    return moved


def _flushed(values: np.ndarray) -> np.ndarray:
    return np.where(values < FLUSH, 0.0, values)
