"""Rényi divergences of finite orders, with their digits: where losses are tiny, and where powers are no floats."""

from __future__ import annotations

import numpy as np

SMALL_LOSS = 0.1  # times the order: below it a Rényi divergence is a power series of this many terms
SERIES_TERMS = 9
HALF_GONE = -0.5  # log1p keeps its digits from here on


def renyi(p: np.ndarray, q: np.ndarray, loss: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Return the divergences of orders alpha, log(1 + excess) / (alpha - 1), from both laws and the losses log(p/q)."""
    shared = (p > 0) & (q > 0) & np.isfinite(loss)
    only_p = float(p[~shared].sum())
    only_q = float(q[~shared].sum())
    p = p[shared].astype(float)
    q = q[shared].astype(float)
    loss = loss[shared]
    beyond = alpha - 1
    bends = bent(p, q, loss, beyond[:, None]).sum(axis=1) + only_q
    excess = beyond * bends - alpha * only_p
    with np.errstate(all="ignore"):
        plain = (excess > HALF_GONE) & (excess < np.inf)
        divergence = np.where(plain, np.log1p(excess), log_mean_power(p, loss, beyond)) / beyond
    divergence = np.where(beyond == 0, bends, divergence) + 0.0
    return np.where((alpha >= 1) & (only_p > 0), np.inf, divergence)


def bent(p: np.ndarray, q: np.ndarray, loss: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """Return p (e^(b L) - 1) / b + q - p for each outcome, b = beyond: what it adds to the divergence of order 1 + b.

    Over all outcomes q - p sums to zero, and what is left is nowhere negative. Where the loss L is small the terms of
    first order cancel; there the power series p (L^2 (b + 1) / 2! + L^3 (b^2 - 1) / 3! + ...) keeps the digits.
    """
    with np.errstate(all="ignore"):
        grown = np.where(beyond == 0, loss, np.expm1(beyond * loss) / beyond)
        change = np.where(np.abs(loss) < 1, p * np.expm1(-loss), q - p)
        plain = p * grown + change
    small = np.maximum(1.0, np.abs(beyond)) * np.abs(loss) < SMALL_LOSS
    little = np.where(small, loss, 0.0)
    power = little
    series = np.zeros_like(plain)
    for k in range(2, SERIES_TERMS + 2):
        power = power * little / k
        with np.errstate(over="ignore", invalid="ignore"):  # where the loss is not small, and this is not used
            series += power * (beyond ** (k - 1) + (-1) ** k)
    return np.where(small, p * series, plain)


def log_mean_power(p: np.ndarray, loss: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """Return log sum p e^(b L) for each b, also where the powers are no floats; -inf if there is no outcome."""
    powers = beyond[:, None] * loss
    top = powers.max(axis=1, initial=-np.inf)
    return top + np.log(np.exp(powers - top[:, None]) @ p)
