"""Claims of Ligett, Peale and Reingold: traps beside the paper, and slips of the pen."""

from __future__ import annotations

from fractions import Fraction

from ... import Guarantee, Table, composition
from ...curve import VACUOUS
from ...leakage import (
    bits,
    bounds,
    examples,
)
from ..entries import HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import leakage as by_hand
from ..reference.basics import close
from .worlds import BIT, HALF, SAME, agrees, detour, leaky, truthful_coin


@claim("LPR-Ext-traps", verdict=HOLDS, where="Beyond the paper", title="Four leaks that look harmless, and are not")
def four_traps():
    r"""Leaks do not add up; more or less leakage can be better or worse; mechanisms with one common leak need not
    compose; and a rare leaked value decides everything, while an exact one can cover everything up.

    The numbers are the least $\delta$ at $\varepsilon=0$ given the leak, and of output and leak released together. Only
    the second is a promise about the whole: print both, and the share of the leak that is compared.
    """
    rows = []
    for name, setting in traps().items():
        world = by_hand.world(*setting)
        mechanism = leaky(world)
        ensure(agrees(mechanism, world, (1,)), SAME)
        released = mechanism.released().delta(ratio=1)
        ensure(released == by_hand.delta(by_hand.joined(world), 1), "released together")
        rows.append((name, mechanism.delta(ratio=1), mechanism.coverage, released))
    ensure([row[1] for row in rows] == [0, 0, 1, 0, HALF, 0, 0, 1, 1, VACUOUS], "given the leak")
    ensure(rows[8][3] == Fraction(1, 1000) and rows[9][3] == 1, "1/1000, and all")
    return Table(rows, ["mechanism and leak", "delta given the leak", "share compared", "delta released together"])


def traps() -> dict[str, tuple]:
    """Return databases, coins, output and leak of each trap."""
    response = truthful_coin(3)
    half = by_hand.coin(HALF)
    keys = by_hand.together(half, half)
    rarely = by_hand.together(half, by_hand.coin(Fraction(1, 1000)))

    def answer(x, lie):
        return x ^ lie

    def first_key(x, key):
        return key[0]

    def second_key(x, key):
        return key[1]

    def both_keys(x, key):
        return key

    def sum_of_keys(x, key):
        return key[0] ^ key[1]

    def padded(x, key):
        return x ^ key[0]

    def padded_twice(x, key):
        return x ^ key[0] ^ key[1]

    def padded_and_second_key(x, key):
        return x ^ key[0], key[1]

    def key_or_nothing(x, key):
        return key[0] if key[1] else "-"

    def in_the_clear(x, _):
        return x

    def parity(x, _):
        return sum(x) % 2

    return {
        "bit split in two keys: one leaks": (BIT, keys, padded_twice, first_key),
        "the other leaks": (BIT, keys, padded_twice, second_key),
        "both leak": (BIT, keys, padded_twice, both_keys),
        "randomized response: leaks itself": (BIT, response, answer, answer),
        "leaks nothing": (BIT, response, answer),
        "x + r, the sum r + s of two keys leaks": (BIT, keys, padded, sum_of_keys),
        "s, the same leak": (BIT, keys, second_key, sum_of_keys),
        "x + r and s, the same leak": (BIT, keys, padded_and_second_key, sum_of_keys),
        "pad, key leaks once in 1000": (BIT, rarely, padded, key_or_nothing),
        "two bits in the clear, parity leaks": (bits(2), by_hand.evenly([0]), in_the_clear, parity),
    }


@claim("LPR-Errata-Refs", verdict=MISPRINT, where="Throughout", title="References and symbols, as printed")
def slips_of_the_pen():
    r"""References and symbols go astray in a dozen places.

    None affects the truth of what is meant. Where a number tells the printed version from the one that is meant, it is
    computed: Theorem 12 leaves $e^{\varepsilon}=3$ where Corollary 14 would give 4; a path between two people's
    databases can have length 3; the additive bound for two studies of $\varepsilon=1$ is 2, while the theorem quoted
    for it adds a slack and at $\delta'=10^{-6}$ gives more.
    """
    pad = examples.noisy_pad(Fraction(1, 4))
    kept, corollary = pad.reveal().ratio(), bounds.independence_bound(1, 0, pad.independence().ratio()).ratio
    ensure((kept, corollary) == (by_hand.ratio(by_hand.revealed(pad.joint)), 4), "3 and 4")
    additive, quoted = composition.basic(Guarantee(1), 2).epsilon, composition.advanced(Guarantee(1), 1e-6, 2).epsilon
    ensure(additive == 2 and close(quoted, reference.old_bound([(1, 2)], 1e-6)) and quoted > 2, "2, and more")
    steps = len(detour().group_paths("o")[(0, 0), (1, 1)]) - 1
    drift = (
        bounds.advanced_as_printed(Guarantee(0.01), 1.0, 1).epsilon,
        composition.advanced(Guarantee(0.01), 1.0, 1).epsilon,
    )
    ensure(steps == 3 and close(drift[0] / drift[1], 36.97, 1e-3), "a path of 3 steps; the drift is 37 times as large")
    rows = [
        ("Contributions", "Corollary 14 (publishing the leak)", "Theorem 12", f"{kept}, not {corollary}"),
        ("Sections 3.2 and 6.1", "Theorem 7", "Lemma 7", ""),
        ("Theorems 16 and 32", "e^(eps - 1)", "e^eps - 1", f"{drift[0] / drift[1]:.3g} times as large at eps = 0.01"),
        ("Section 6.2", "eps-DP studies", "(eps, delta)-DP studies, as in Theorem 17", ""),
        (
            "After Theorem 17",
            "additive bound, Theorem 32",
            "Theorem 27 and Corollary 28",
            f"{additive:g}, not {quoted:.3g}",
        ),
        ("Definition 20", "n for the length of a path", "another letter; n counts people", f"n = 2, length {steps}"),
        ("Definition 21", "P for the path", "another letter; P is the leak", ""),
        ("Definition 29", "V^b and V_b", "the same variable", ""),
        ("Theorem 31", "DP mechanism-function pairs", "all DP mechanisms; all pairs under bounded leakage", ""),
        ("Proof of Theorem 31", "query of A^DP, first mention", "query of A^bLDP", ""),
        ("Proof of Theorem 31", "Proposition 23 for the null case", "Definition 15", ""),
        ("Definition 34", "u: ... x R", "u: ... -> R", ""),
        ("Theorems 37 and 38", "u(M(...))", "u(x, M(...)) and u(x, M(...), o)", ""),
    ]
    return Table(rows, ["place", "printed", "meant", "the difference"])
