"""The sum over the number of ones, by Horner's rule: in whole numbers, and for likelihoods that stay near 1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arithmetic import LOGARITHMS, Arithmetic


class Line(NamedTuple):
    """The polynomial constant + slope z: the probabilities of the two answers of one round."""

    constant: object
    slope: object

    def scaled(self, scale: int) -> Line:
        """Return the line times a common denominator, in whole numbers."""
        return Line(int(self.constant * scale), int(self.slope * scale))

    def times(self, coefficients: np.ndarray) -> np.ndarray:
        """Return the coefficients of a polynomial times this line."""
        return np.append(coefficients * self.constant, 0) + np.append(0, coefficients * self.slope)


def polynomial(weights: list[int], u: Line, v: Line) -> np.ndarray:
    """Return the coefficients of sum_j w_j u^j v^(n-j), by Horner's rule: multiply by u, add the next power of v."""
    total = np.array([weights[-1]], dtype=object)
    power = np.array([1], dtype=object)
    for weight in weights[-2::-1]:
        power = v.times(power)
        total = u.times(total) + weight * power
    return total


class Likelihoods:
    """The same sums for many lists of weights at once, their coefficients divided by C(n, m) / 2^n.

    With r_m the coefficient of z^m so divided, multiplying a polynomial of degree i - 1 by 2u makes of them
    (1 - m/i) 2 u0 r_m + (m/i) 2 u1 r_(m-1).
    """

    def __init__(self, arithmetic: Arithmetic, u: Line, v: Line, k: int):
        """Prepare sums over up to k rounds; the lines are given in the arithmetic."""
        two = arithmetic.number(2)
        self.arithmetic = arithmetic
        self._constant = arithmetic.times(u.constant, two)
        self._slope = arithmetic.times(u.slope, two)
        self._constant_powers = self._powers(arithmetic.times(v.constant, two), k)
        self._slope_powers = self._powers(arithmetic.times(v.slope, two), k)

    def of(self, rows: list[np.ndarray]) -> list[np.ndarray]:
        """Return for each row w of n + 1 weights the divided coefficients of sum_j w_j u^j v^(n-j).

        All rows take their steps together, the longest first: after i steps only those with n >= i are left.
        """
        order = sorted(range(len(rows)), key=lambda row: -len(rows[row]))
        lengths = np.array([len(rows[row]) for row in order])
        weights = self._aligned([rows[row][::-1] for row in order])
        r = np.full(weights.shape, self.arithmetic.number(0), dtype=self.arithmetic.dtype)
        r[:, 0] = weights[:, 0]
        for i in range(1, weights.shape[1]):
            active = int(np.sum(lengths > i))
            self._step(r[:active, : i + 1], weights[:active, i], i)
        found = dict(zip(order, r, strict=True))
        return [found[row][: len(rows[row])] for row in range(len(rows))]

    def _aligned(self, rows: list[np.ndarray]) -> np.ndarray:
        """Return rows of different lengths as one array, with zeros at their ends."""
        longest = max(map(len, rows))
        aligned = np.full((len(rows), longest), self.arithmetic.number(0), dtype=self.arithmetic.dtype)
        for place, row in enumerate(rows):
            aligned[place, : len(row)] = row
        return aligned

    def _step(self, r: np.ndarray, weights: np.ndarray, i: int) -> None:
        """Multiply by u and add the weight times the i-th power of v, in place."""
        times = self.arithmetic.times
        plus = self.arithmetic.plus
        share = self._shares(i)  # m / i
        moved = times(times(share, self._slope)[1:], r[:, :-1])
        times(times(share[::-1], self._constant), r, out=r)
        plus(r[:, 1:], moved, out=r[:, 1:])
        plus(r, times(weights[:, None], self._power_of_v(i)), out=r)

    def _shares(self, i: int) -> np.ndarray:
        """Return 0/i, 1/i, ..., i/i."""
        shares = np.arange(i + 1) / i
        with np.errstate(divide="ignore"):
            return np.log(shares) if self.arithmetic is LOGARITHMS else shares

    def _power_of_v(self, i: int) -> np.ndarray:
        """Return the divided coefficients of (2v)^i: v0^i, v0^(i-1) v1, ..., v1^i, all times 2^i."""
        return self.arithmetic.times(self._constant_powers[i::-1], self._slope_powers[: i + 1])

    def _powers(self, base: float, k: int) -> np.ndarray:
        """Return base^0, ..., base^k."""
        if self.arithmetic is LOGARITHMS:
            return np.concatenate([[0.0], np.arange(1, k + 1) * base])
        return np.array([float(base) ** i for i in range(k + 1)])
