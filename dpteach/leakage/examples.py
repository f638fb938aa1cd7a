"""The running examples of lecture 4: the pad, the parity trap, the extremal tables, the small town."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from .. import checks, mechanisms
from ..annotations import Number
from ..channel import check_size
from ..guarantee import likelier
from .bounds import independence_chain
from .mechanism import LeakyMechanism
from .tables import as_ratio, bits, product_law

__all__ = [
    "INVARIANTS",
    "census_town",
    "coin",
    "independence_extremal",
    "noisy_pad",
    "one_time_pad",
    "parity_trap",
    "release_extremal",
    "sampled_study",
    "secret_shares",
    "truncated_geometric",
    "truthful",
    "xor_attack",
]

FAIR = Fraction(1, 2)


def coin(bias: Number = FAIR) -> dict[Any, Any]:
    """Return the law of a coin that shows 1 with probability `bias`."""
    checks.scalar("bias", bias, low=0, high=1)
    return {0: 1 - bias, 1: bias}


def truthful(value: int, ratio: Number) -> dict[Any, Any]:
    """Return randomized response about one bit: the truth is `ratio` times as likely as the lie."""
    ratio = as_ratio(ratio)
    return coin((ratio if value else 1) / (1 + ratio))


def xor(x: Iterable[int], y: Iterable[int]) -> tuple[int, ...]:
    """Return the sum of two bit vectors modulo 2."""
    return tuple(a ^ b for a, b in zip(x, y, strict=True))


# ------------------------------------------------------------------------------------------------------- the pad


def one_time_pad(n: int, leaked: int = 0) -> LeakyMechanism:
    """The pad x xor r over n bits, of whose key r the first `leaked` bits are known (Example 5)."""
    checks.count("n", n, low=1)
    leaked = min(checks.count("leaked", leaked), n)

    def leak(x: tuple, key: tuple) -> tuple:
        return key[:leaked]

    return LeakyMechanism.from_functions(bits(n), bits(n), xor, leak)


def noisy_pad(flip: Number) -> LeakyMechanism:
    """The pad of one bit, whose key leaks through a channel that flips it with probability `flip`."""
    checks.scalar("flip", flip, low=0, high=1)

    def masked(x: int, r: tuple) -> int:
        key, _ = r
        return x ^ key

    def noisy_key(x: int, r: tuple) -> int:
        key, flipped = r
        return key ^ flipped

    return LeakyMechanism.from_functions([0, 1], product_law(coin(), coin(flip)), masked, noisy_key)


def secret_shares(shares: int, leaked: int, bias: Number = FAIR) -> LeakyMechanism:
    """One bit masked by all of `shares` coins, the first `leaked` of which are known."""
    check_size("shares", 2 ** min(checks.count("shares", shares, low=1), 64))
    coins = [coin(bias)] * int(shares)
    leaked = checks.count("leaked", leaked)

    def masked(x: int, r: tuple) -> int:
        return (x + sum(r)) % 2

    def leak(x: int, r: tuple) -> tuple:
        return r[:leaked]

    return LeakyMechanism.from_functions([0, 1], product_law(*coins), masked, leak)


# -------------------------------------------------------------------------------------------------- vacuous leaks


def noisy_bits(ratio: Number | None = None) -> Callable[..., dict[Any, Any]]:
    """Return the mechanism that prints every bit of x, by randomized response if a ratio is given."""

    def answer(x: tuple, o: Hashable) -> dict:
        if ratio is None:
            return {x: 1}
        return product_law(*(truthful(bit, ratio) for bit in x))

    return answer


def parity(x: tuple[Any, ...]) -> int:
    """Return the sum of all bits modulo 2."""
    return sum(x) % 2


def sums_of_neighbours(x: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return x1 + x2, x2 + x3, ... modulo 2."""
    return xor(x[:-1], x[1:])


def parity_trap(n: int, ratio: Number | None = None) -> LeakyMechanism:
    """n bits in the clear (or by randomized response), their parity leaked: vacuous (Example 18)."""
    return LeakyMechanism.from_laws(bits(n), parity, noisy_bits(ratio))


def xor_attack(n: int, ratio: Number = 3) -> LeakyMechanism:
    """Randomized response on every bit, the exact sums x1+x2, x2+x3, ... modulo 2 leaked: all answers ask one bit."""
    return LeakyMechanism.from_laws(bits(n), sums_of_neighbours, noisy_bits(ratio))


# ----------------------------------------------------------------------------------------------- extremal tables


def sampled_study(ratio: Number = 3, flip: Number = 0) -> LeakyMechanism:
    """Randomized response about one of two people, drawn by a coin that leaks (flipped with probability `flip`)."""
    checks.scalar("flip", flip, low=0, high=1)

    def response(x: tuple, r: tuple) -> int:
        person, _, lie = r
        return x[person] ^ lie

    def leak(x: tuple, r: tuple) -> int:
        person, flipped, _ = r
        return person ^ flipped

    coins = product_law(coin(), coin(flip), truthful(0, ratio))
    return LeakyMechanism.from_functions(bits(2), coins, response, leak)


def independence_extremal(
    ratio: Number,
    delta: Number,
    shared_ratio: Number,
    shared_delta: Number = 0,
    weight: Number = Fraction(1, 5),
    start: Number | None = None,
) -> LeakyMechanism:
    """A mechanism and a leak that attain Theorem 9: a rare leaked value "o" (probability `weight`) tells most.

    The four probabilities of output 1 are those of `bounds.independence_chain`.
    """
    if not 0 <= checks.scalar("weight", weight) < 1:
        raise ValueError(f"weight must lie in [0, 1), not {weight}")
    q_o, q, p, p_o = independence_chain(ratio, delta, shared_ratio, shared_delta, start)
    p_rest = (p - weight * p_o) / (1 - weight)
    q_rest = (q - weight * q_o) / (1 - weight)
    p_fits = _independent(p_rest, p, shared_ratio, shared_delta)
    q_fits = _independent(q_rest, q, shared_ratio, shared_delta)
    if not (p_fits and q_fits):
        raise ValueError(f"weight must be small enough for the rest of the leak to stay independent, not {weight}")
    chances = {(0, "o"): p_o, (1, "o"): q_o, (0, "rest"): p_rest, (1, "rest"): q_rest}
    leak = {"o": weight, "rest": 1 - weight}
    return LeakyMechanism.from_laws([0, 1], lambda x: leak, lambda x, o: coin(chances[x, o]))


def _independent(p, q, ratio, delta) -> bool:
    return 0 <= p <= likelier(q, ratio, delta) and q <= likelier(p, ratio, delta)


def release_extremal(
    ratio: Number, delta: Number, leak_ratio: Number, leak_delta: Number = 0, copies: int = 1
) -> LeakyMechanism:
    """A mechanism and a leak that attain Theorem 4 in its sharp form; `copies` splits its two common leaked values.

    With probability leak_delta the leak shows x and the output is 1 - x.
    """
    ratio = as_ratio(ratio)
    checks.scalar("delta", delta, low=0, high=1)
    checks.scalar("leak_delta", leak_delta, low=0, high=1)
    check_size("copies", 2 * checks.count("copies", copies, low=1))
    names = range(copies)
    base = (1 - delta) / (1 + ratio)
    ones = {(0, 1): likelier(base, ratio, delta), (1, 1): base, (0, 0): delta, (1, 0): Fraction(0)}

    def leak(x: int) -> dict:
        law = {}
        for side, weight in truthful(1 - x, leak_ratio).items():
            share = (1 - leak_delta) * weight / copies
            law |= {(side, name): share for name in names}
        law["shown", x] = leak_delta
        return law

    def answer(x: int, o: tuple) -> int | dict:
        return 1 - x if o[0] == "shown" else coin(ones[x, o[0]])

    return LeakyMechanism.from_laws([0, 1], leak, answer)


# ------------------------------------------------------------------------------------------------- the small town

INVARIANTS: dict[str, Callable[..., Any]] = {
    "people in A": lambda town: sum(block == "A" for block, _ in town),
    "flags": lambda town: sum(flag for _, flag in town),
    "flags in A": lambda town: sum(flag for block, flag in town if block == "A"),
    "flags in B": lambda town: sum(flag for block, flag in town if block == "B"),
}


def census_town(
    people: int = 2, ratio: Number = 3, invariants: Iterable[str] = ("people in A",), leak_ratio: Number | None = None
) -> LeakyMechanism:
    """A town of people in block A or B, each with a flag: noisy flag counts are released, the invariants leak.

    The two counts carry truncated geometric noise with e^eps = `ratio`. The invariants (names from `INVARIANTS`) leak
    exactly, or with noise of their own if `leak_ratio` is given.
    """
    names = [invariants] if isinstance(invariants, str) or not np.iterable(invariants) else invariants
    for name in names:
        checks.choice("invariants", name, tuple(INVARIANTS))
    counts = [INVARIANTS[name] for name in names]
    check_size("people", 4 ** min(checks.count("people", people, low=1), 64))
    towns = list(product(product("AB", (0, 1)), repeat=people))
    flags = [INVARIANTS["flags in A"], INVARIANTS["flags in B"]]

    def noisy(town: tuple, functions: list, ratio) -> dict:
        return product_law(*(truncated_geometric(count(town), people, ratio) for count in functions))

    def leak(town: tuple) -> tuple | dict:
        if leak_ratio is None:
            return tuple(count(town) for count in counts)
        return noisy(town, counts, leak_ratio)

    def release(town: tuple, o: tuple) -> dict:
        return noisy(town, flags, ratio)

    return LeakyMechanism.from_laws(towns, leak, release)


def truncated_geometric(value: int, top: int, ratio: Number) -> dict[Any, Any]:
    """Return the law of value + two-sided geometric noise, cut off at 0 and at `top`; e^eps = ratio."""
    top = checks.count("top", top, high=mechanisms.MOST_STEPS_LISTED - 1)
    return dict(enumerate(mechanisms.truncated_geometric(value, 0, top, ratio)))
