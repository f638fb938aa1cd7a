"""Blocks: coins that are combined exactly, a few at a time, before they are rounded to a grid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .coins import LossLaw, coin_law
from .cumulants import Cumulants

LARGEST_BLOCK = 12  # coins
BLOCK = 2**LARGEST_BLOCK  # losses that one block may have
ALL_BLOCKS = 2**20  # losses that all blocks together may have
FEW = 4  # so many equal coins are taken for different ones
MIXED = 8  # so many of the first blocks are made of coins of all sizes, which leave few frequencies


@dataclass(frozen=True)
class Sheet:
    """Blocks with equally many losses, a row each: their losses, and the logarithms of their chances under P."""

    losses: np.ndarray
    log_p: np.ndarray

    @classmethod
    def of_laws(cls, laws: list[LossLaw]) -> Sheet:
        """Return laws with equally many losses as one sheet."""
        losses = np.array([law.losses for law in laws])
        log_p = np.array([law.log_probabilities for law in laws])
        return cls(losses, log_p)


class Blocks:
    """Coins, a few at a time combined exactly."""

    def __init__(self, coins: dict[float, int]):
        self.coins = coins
        self.cumulants = Cumulants(coins)
        single = [eps for eps, k in coins.items() if k <= FEW for _ in range(k)]
        equal = {eps: k for eps, k in coins.items() if k > FEW}
        most = max(2, min(BLOCK, ALL_BLOCKS // len(coins)))
        self.sheets = list(_sheets_of_single_coins(np.sort(single), most))
        self.sheets += _sheets_of_equal_coins(equal, most)
        self.number = sum(len(sheet.losses) for sheet in self.sheets)
        self.losses = sum(sheet.losses.size for sheet in self.sheets)


def _sheets_of_single_coins(eps: np.ndarray, most: int) -> Iterator[Sheet]:
    """Combine coins of similar size, `most` losses to a block; what is left over makes a sheet of its own."""
    size = min(most.bit_length() - 1, LARGEST_BLOCK)
    if size < LARGEST_BLOCK:
        mixed = np.linspace(0, len(eps) - 1, MIXED * LARGEST_BLOCK).astype(int)
        yield _all_signs(eps[mixed].reshape(LARGEST_BLOCK, MIXED).T)
        eps = np.delete(eps, mixed)
    left_over = len(eps) % size
    whole = eps[: len(eps) - left_over]
    if len(whole):
        yield _all_signs(whole.reshape(-1, size))
    if left_over:
        yield _all_signs(eps[None, len(whole) :])


def _all_signs(eps: np.ndarray) -> Sheet:
    """Return the sums of all signs of the coins in a row; P(loss) = e^((loss - sum eps) / 2) prod 1 / (1 + e^-eps)."""
    size = eps.shape[1]
    is_wrong = np.arange(2**size) >> np.arange(size)[:, None] & 1
    losses = eps @ (1.0 - 2.0 * is_wrong)
    largest = eps.sum(axis=1, keepdims=True)
    log_likeliest = -np.log1p(np.exp(-eps)).sum(axis=1, keepdims=True)
    return Sheet(losses, log_likeliest + (losses - largest) / 2)


def _sheets_of_equal_coins(equal: dict[float, int], most: int) -> Iterator[Sheet]:
    """Combine the laws of equal coins, and put those of the same size onto one sheet."""
    by_size = defaultdict(list)
    for block in _combined(equal, most):
        by_size[len(block.losses)].append(block)
    for laws in by_size.values():
        yield Sheet.of_laws(laws)


def _combined(equal: dict[float, int], most: int) -> list[LossLaw]:
    """Return laws of equal coins, neighbours in one law as long as it has at most `most` losses."""
    blocks: list[LossLaw] = []
    for eps, k in sorted(equal.items()):
        law = coin_law(eps, k)
        if blocks and len(blocks[-1].losses) * len(law.losses) <= most:
            blocks[-1] = blocks[-1] @ law
        else:
            blocks.append(law)
    return blocks
