"""Gauss and Legendre's rule on [0, 1]: integrals of smooth functions, and the polynomial through their values."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre

UNITS = {4: (16, 16), 24: (200, 80), 48: (800, 250), 96: (3200, 1000)}  # see `Rule`
KERNEL = 16  # the largest value of the Peano kernel, over its integral


class Rule(NamedTuple):
    """The nodes, 1 - nodes, the weights, and what interpolation between the nodes needs.

    `units` bounds the relative errors of the weights, `between_units` the absolute ones of `between` (both are compared
    with 60 digits in the tests).
    """

    t: np.ndarray
    rest: np.ndarray
    weights: np.ndarray
    basis: np.ndarray
    units: int
    between_units: int

    def between(self, t: np.ndarray) -> np.ndarray:
        """Return the weights of the nodes in the polynomial through them, at other places t: a row for each place.

        They are w_i sum_j (2j + 1)/2 P_j(z_i) P_j(z).
        """
        values = legendre.legvander(2 * t - 1, len(self.t) - 1)
        return values @ self.basis


@cache
def rule_of(nodes: int) -> Rule:
    """Return the rule; the weights are 1 / sum_j (2j + 1)/2 P_j(z)^2, a sum of positive terms."""
    z, _ = legendre.leggauss(nodes)
    values = legendre.legvander(z, nodes - 1)
    scaled = values * (np.arange(nodes) + 0.5)
    weights = 1 / np.sum(scaled * values, axis=1)
    basis = scaled * weights[:, None]
    units, between_units = UNITS[nodes]
    return Rule((1 + z) / 2, (1 - z) / 2, weights / 2, basis.T, units, between_units)


def kernel(nodes: int) -> float:
    """Return a bound of the Peano kernel of the rule, whose integral is 1 / (C(2n, n)^2 (2n + 1)!)."""
    ways = math.comb(2 * nodes, nodes)
    return KERNEL / (ways**2 * math.factorial(2 * nodes + 1))


def monic(nodes: int) -> float:
    """Return the largest value in [0, 1] of the product of t - node, over n!."""
    ways = math.comb(2 * nodes, nodes)
    return 1 / (ways * math.factorial(nodes))
