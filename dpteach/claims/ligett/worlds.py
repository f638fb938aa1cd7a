"""What the files on LPR share: coins, small mechanisms with a leak, and how they are compared with those by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from ... import mechanisms
from ...leakage import LeakyMechanism, bits, examples
from ..reference import leakage as by_hand

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
BIT, TWO_BITS, THREE_BITS = (0, 1), bits(2), bits(3)
EIGHT = by_hand.evenly(range(8))  # coins
RATIOS = (1, Fraction(3, 2), 3)  # values of e^eps
SAME = "the same, run through by hand"
leaky = LeakyMechanism.from_joint


def response(x: int, r: int) -> int:
    """Randomized response with e^eps = 3: of eight coins, two make it lie."""
    return x ^ (r in (0, 1))


def truthful_coin(ratio) -> list[tuple]:
    """Return a coin that shows 1, a lie, with odds 1 : ratio."""
    return by_hand.coin(Fraction(1, 1 + ratio))


def agrees(mechanism: LeakyMechanism, world: dict, ratios: Sequence = RATIOS) -> bool:
    """Say whether the library's delta is that of the enumeration; where that has nothing to compare, vacuous."""
    exact = [by_hand.delta(world, a) for a in ratios]
    return mechanism.vacuous if None in exact else [mechanism.delta(ratio=a) for a in ratios] == exact


def random_ratio(rng: np.random.Generator, most: int = 4) -> Fraction:
    """Draw a value of e^eps between 1 and `most`."""
    return 1 + (most - 1) * Fraction(int(rng.integers(31)), 30)


def at_most(small, large) -> bool:
    """Compare two deltas, of which the first may stand for nothing to compare."""
    return small is None or small <= large


DETOUR = {(0, 0): 8, (2, 0): 4, (2, 1): 2, (1, 1): 1}  # Pr[M = 1 | "o"] in twentieths, where "o" can leak
TERNARY = list(product(range(3), repeat=2))


def detour() -> LeakyMechanism:
    """Return a mechanism on two people with three values each; only four databases can leak "o"."""
    ones = lambda x, o: examples.coin(Fraction(DETOUR[x], 20)) if o == "o" else 0  # noqa: E731
    return LeakyMechanism.from_laws(TERNARY, lambda x: "o" if x in DETOUR else "other", ones)


def response_with(ratio, delta=0) -> LeakyMechanism:
    """Return the worst (log ratio, delta)-DP mechanism on one bit, without a leak."""
    pair = mechanisms.randomized_response(ratio=ratio, delta=delta)
    laws = [dict(zip(pair.outcomes, law, strict=True)) for law in (pair.p, pair.q)]
    return LeakyMechanism.from_laws(BIT, lambda x: None, lambda x, o: laws[x])
