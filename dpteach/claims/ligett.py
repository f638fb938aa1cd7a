"""The claims of Ligett, Peale and Reingold on bounded leakage: the notion, its relation to DP, its properties.

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, product

import numpy as np

from .. import Table
from ..leakage import LeakyMechanism, bits, bounds, examples
from . import reference
from . import reference_leakage as by_hand
from .ledger import CORRECTED, DEFINITION, FALSE, HOLDS, claim, ensure
from .reference import close

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


def dp_suffices(world: dict, ratio) -> bool:
    """Say whether the DP delta of the output is enough for the world given its leak."""
    return at_most(by_hand.delta(world, ratio), leaky(world).without_leak().delta(ratio=ratio))


def at_most(small, large) -> bool:
    """Compare two deltas, of which the first may stand for nothing to compare."""
    return small is None or small <= large


# -------------------------------------------------------------------------------------------- section 2: the notion


@claim("LPR-Def-1", verdict=DEFINITION, where="Definition 1", title="Differential privacy")
def differential_privacy():
    r"""A mechanism reads a database and coins. It is $(\varepsilon,\delta)$-private if, for databases that differ in
    one person's data, every set of outputs is at most $e^{\varepsilon}$ times as likely on one as on the other, plus
    $\delta$.

    The coins may have any law. With $e^{\varepsilon}$ a fraction everything is exact: here randomized response, and
    random mechanisms on two bits, where databases that differ in both entries do not count as neighbours.
    """
    rng, eighth = np.random.default_rng(1), Fraction(1, 8)
    for _ in range(15):
        world = by_hand.plain(by_hand.random_world(rng, TWO_BITS, leaks=1, outputs=3))
        ensure(agrees(leaky(world), world, (random_ratio(rng), 1)), "two bits, all events tried")
        ensure(leaky(world).ratio(eighth) == by_hand.ratio(world, eighth), "the least e^eps at delta = 1/8")
    coin, world = LeakyMechanism.from_functions(BIT, range(8), response), by_hand.world(BIT, EIGHT, response)
    rows = [(a, coin.delta(ratio=a), by_hand.delta(world, a)) for a in (1, 2, Fraction(5, 2), 3)]
    ensure([row[1] for row in rows] == [HALF, Fraction(1, 4), eighth, 0], "1/2, 1/4, 1/8 and 0")
    ensure(all(told == exact for _, told, exact in rows), SAME)
    ensure(coin.ratio(eighth) == by_hand.ratio(world, eighth) == Fraction(5, 2), "5/2 at delta = 1/8")
    return Table(rows, ["e^eps", "least delta", "worst of all events"])


@claim("LPR-Def-2", verdict=DEFINITION, where="Definition 2", title="Bounded-leakage differential privacy")
def bounded_leakage():
    r"""A mechanism $M$ and a leakage function $P$ read the same database and the same coins. The pair is
    $(\varepsilon,\delta)$-private under bounded leakage (bLDP) if, for all neighbours and every value $o$ that both can
    leak, the outputs given $P=o$ are $(\varepsilon,\delta)$-indistinguishable.

    One mechanism, five leaks: the leak can cost everything or cover everything up. Three warnings. Neighbours that
    never leak the same value are not compared at all, so a promise can be vacuous. The worst value of $o$ decides,
    however rare it is. And the leak must take countably many values: a continuous one has probability zero everywhere.
    """
    leaks = {
        "nothing": lambda x, r: None,
        "r mod 2": lambda x, r: r % 2,
        "whether r < 4": lambda x, r: r < 4,
        "whether r is 0, 2 or 3": lambda x, r: r in (0, 2, 3),
        "the output": response,
    }
    rows = []
    for name, leak in leaks.items():
        mechanism = LeakyMechanism.from_functions(BIT, range(8), response, leak)
        world = by_hand.world(BIT, EIGHT, response, leak)
        ensure(agrees(mechanism, world) and mechanism.ratio() == by_hand.ratio(world), SAME)
        rows.append((name, mechanism.ratio(), mechanism.delta(ratio=3), mechanism.without_leak().ratio()))
    ensure([row[1] for row in rows] == [3, 3, math.inf, 4, 1], "3, 3, nothing left, 4 and 1")
    ensure({row[3] for row in rows} == {3}, "the same mechanism each time")
    rng = np.random.default_rng(2)
    for _ in range(25):
        world = by_hand.random_world(rng, TWO_BITS, leaks=4, outputs=2)
        ensure(agrees(leaky(world), world, (random_ratio(rng),)), "random worlds")
        near = [(x, y) for x, y in combinations(TWO_BITS, 2) if by_hand.apart(x, y) == 1]
        apart = [(x, y) for x, y in near if not by_hand.leaks(world[x]) & by_hand.leaks(world[y])]
        ensure(leaky(world).vacuous_pairs == apart, "who is not compared")
    return Table(rows, ["leak", "e^eps given the leak", "delta at e^eps = 3", "e^eps without"])


# --------------------------------------------------------------------------------- section 3: bounded leakage and DP


@claim("LPR-Prose-Weaker", verdict=FALSE, where="Section 3.1, opening", title="Is bounded leakage the weaker notion?")
def weaker_notion():
    r"""Bounded leakage is called clearly weaker than differential privacy, and a relaxation of it: a private mechanism
    would stay private given any leak.

    Neither notion implies the other. Randomized response that leaks its own output is perfect under bounded leakage and
    not under DP; a one-time pad that leaks its key is perfect under DP, and given the leak nothing is left of it, as
    Example 5 of the paper says itself. DP does imply bounded leakage if output and leak are independent (Lemma 7).
    """
    itself = LeakyMechanism.from_functions(BIT, range(8), response, response)
    pad = examples.one_time_pad(1, leaked=1)
    worlds = [
        by_hand.world(BIT, EIGHT, response, response),
        by_hand.world(bits(1), by_hand.evenly(BIT), lambda x, r: (x[0] ^ r,), lambda x, r: r),
    ]
    names, rows = ("randomized response that leaks its output", "one-time pad that leaks its key"), []
    for name, mechanism, world in zip(names, (itself, pad), worlds, strict=True):
        ensure(agrees(mechanism, world) and mechanism.ratio() == by_hand.ratio(world), SAME)
        ensure(mechanism.without_leak().ratio() == by_hand.ratio(by_hand.plain(world)), "and without the leak")
        rows.append((name, mechanism.without_leak().ratio(), mechanism.ratio()))
    ensure([row[1:] for row in rows] == [(3, 1), (1, math.inf)], "in opposite orders")
    ensure(pad.delta(ratio=10**9) == 1, "no e^eps helps the pad")
    rng = np.random.default_rng(3)
    for _ in range(20):
        world, a = by_hand.random_independent_world(rng, TWO_BITS, outputs=3), random_ratio(rng)
        ensure(dp_suffices(world, a), "independent: DP is enough")
    return Table(rows, ["mechanism and leak", "DP: e^eps", "given the leak: e^eps"])


@claim("LPR-Ex-3", verdict=CORRECTED, where="Example 3", title="A mechanism that leaks itself")
def mechanism_that_leaks_itself():
    r"""The pair $(M,M)$ satisfies bounded leakage perfectly whatever $M$ is, so bounded leakage says nothing about DP.
    This is said to hinge on the coins that the two share.

    Two corrections. The outputs must be countable, as Definition 2 asks of a leak. And coins are not needed: the
    identity has none, leaks itself, and is "perfect" because no neighbours leak the same value. For a randomized $M$
    with all outputs possible the remark is right: with an independent copy as the leak nothing is gained.
    """
    identity = lambda x, r: x  # noqa: E731
    copy = by_hand.together(truthful_coin(3), truthful_coin(3))
    worlds = {
        "the identity, itself": by_hand.world(BIT, by_hand.evenly([0]), identity, identity),
        "randomized response, itself": by_hand.world(BIT, EIGHT, response, response),
        "randomized response, a copy": by_hand.world(BIT, copy, lambda x, r: x ^ r[0], lambda x, r: x ^ r[1]),
    }
    rows = []
    for name, world in worlds.items():
        mechanism = leaky(world) if name.endswith("copy") else leaky(by_hand.plain(world)).leaking_itself()
        ensure(agrees(mechanism, world) and mechanism.vacuous == (by_hand.ratio(world) is None), SAME)
        rows.append((name, mechanism.ratio(), mechanism.coverage, mechanism.without_leak().ratio()))
    told = [(str(row[1]), row[-1]) for row in rows]
    ensure(told == [("vacuous", math.inf), ("1", 3), ("3", 3)], "vacuous, perfect, and as without a leak")
    rng = np.random.default_rng(4)
    for _ in range(20):
        itself = leaky(by_hand.random_world(rng, TWO_BITS, leaks=1, outputs=4)).leaking_itself()
        ensure(itself.vacuous or itself.ratio() == by_hand.ratio(itself.joint) == 1, "perfect or vacuous")
    return Table(rows, ["mechanism and leak", "given the leak: e^eps", "share compared", "DP: e^eps"])


@claim("LPR-Thm-4", verdict=HOLDS, where="Theorem 4", title="Bounded leakage with a private leak is DP")
def private_leak():
    r"""If $M$ is $(\varepsilon_1,\delta_1)$-private given $P$, and $P$ itself is $(\varepsilon_2,0)$-DP, then $M$ is
    $(\varepsilon_1+\varepsilon_2,\delta_1)$-DP.

    Even $M$ and $P$ published together are. Checked on random worlds, and on all pairs of joint laws of a binary output
    and a binary leak that three equally likely coins can make. The first row attains it.
    """
    ones = {0: {1: HALF, 0: TENTH}, 1: {1: Fraction(1, 5), 0: Fraction(0)}}  # Pr[M = 1 | o]
    tight = {
        x: {(o, m): Fraction(3 if x != o else 1, 4) * (p if m else 1 - p) for o, p in ones[x].items() for m in BIT}
        for x in BIT
    }
    rng, rows = np.random.default_rng(5), []
    for name, world in [("tight", tight), *(("random", by_hand.random_world(rng, BIT, 2, 3, 3)) for _ in range(5))]:
        rows.append((name, *release(leaky(world), world)))
    ensure(rows[0][1:] == (TENTH, 3, TENTH, TENTH), "equality for the first")
    ensure(release(examples.release_extremal(2, TENTH, 3), tight) == rows[0][1:], "and for the library's example")
    laws = [counts for counts in product(range(4), repeat=4) if sum(counts) == 3]
    for pair in combinations_with_replacement(laws, 2):
        world = {x: {(i // 2, i % 2): Fraction(n, 3) for i, n in enumerate(pair[x])} for x in BIT}
        if by_hand.leaks(world[0]) == by_hand.leaks(world[1]):
            release(leaky(world), world)
    return Table(rows, ["world", "delta given the leak, at 2", "e^eps of the leak", "DP delta of M", "of M and P"])


def release(mechanism: LeakyMechanism, world: dict, ratio=2) -> tuple:
    """Check Theorem 4 and return delta1, e^eps2, and the DP delta of M, and of M with P, at the sum of the epsilons."""
    delta, leak_ratio = mechanism.delta(ratio=ratio), mechanism.swapped().without_leak().ratio()
    ensure(agrees(mechanism, world, (ratio,)), SAME)
    ensure(leak_ratio == by_hand.ratio(by_hand.only_leak(world)), "the leak as a mechanism")
    told = bounds.release_bound(ratio, delta, leak_ratio)
    alone, both = (by_hand.delta(change(world), told.ratio) for change in (by_hand.plain, by_hand.joined))
    ensure(told.ratio == ratio * leak_ratio and alone <= both <= told.delta == delta, "Theorem 4")
    ensure(mechanism.released().delta(ratio=told.ratio) == both, "output and leak released together")
    return delta, leak_ratio, alone, both


@claim("LPR-Rem-4", verdict=HOLDS, where="Remark after Theorem 4", title="A leak with a delta of its own")
def leak_with_a_delta():
    r"""If the leak is only $(\varepsilon_2,\delta_2)$-DP, Theorem 4 still holds with an additional
    $(1+|O'|)\,\delta_2$, where $O'$ holds the leaked values that both databases can have.

    True, and needlessly weak: it is useless for leaks of many values. The number of values does not matter at all.
    Split every common value into copies, and the remark promises more than 1 while the truth stays at
    $\delta_1+\delta_2-\delta_1\delta_2$.
    """
    rng, rows = np.random.default_rng(6), []
    for copies in (1, 5, 50):
        mechanism = examples.release_extremal(2, TENTH, 3, Fraction(1, 5), copies)
        common = len(mechanism.shared_leaks(0, 1))
        sharp = bounds.release_bound(2, TENTH, 3, Fraction(1, 5))
        told = bounds.release_bound_as_printed(2, TENTH, 3, Fraction(1, 5), common)
        both = by_hand.delta(by_hand.joined(mechanism.joint), 6)
        ensure(by_hand.delta(mechanism.joint, 2) == TENTH, "delta1 given the leak")
        ensure(by_hand.delta(by_hand.only_leak(mechanism.joint), 3) == Fraction(1, 5), "delta2 of the leak")
        ensure(mechanism.released().delta(ratio=6) == both == sharp.delta, "the sharp form is attained")
        rows.append((common, told.delta, sharp.delta, both))
    ensure([row[1] for row in rows] == [Fraction(7, 10), Fraction(23, 10), Fraction(203, 10)], "the printed cost")
    ensure({row[3] for row in rows} == {Fraction(7, 25)}, "7/25, however many values")
    for _ in range(20):
        world, a, b = by_hand.random_world(rng, BIT, 3, 2), random_ratio(rng), random_ratio(rng)
        common = len(by_hand.leaks(world[0]) & by_hand.leaks(world[1]))
        d, e = leaky(world).delta(ratio=a), leaky(world).swapped().without_leak().delta(ratio=b)
        told = bounds.release_bound_as_printed(a, d, b, e, common)
        ensure(by_hand.delta(by_hand.joined(world), told.ratio) <= told.delta == d + (1 + common) * e, "the remark")
    return Table(rows, ["common leaked values", "delta by the remark", "sharp", "exact"])


@claim("LPR-Ext-thm4-delta", verdict=HOLDS, where="Beyond Theorem 4", title="Theorem 4 made sharp")
def theorem_4_made_sharp():
    r"""With an $(\varepsilon_2,\delta_2)$-DP leak, $M$ and $P$ together are
    $(\varepsilon_1+\varepsilon_2,\ \delta_1+\delta_2-\delta_1\delta_2)$-DP, and no less will do.

    Split the leak's law into the part below $e^{\varepsilon_2}$ times the other one and a rest of mass at most
    $\delta_2$; on the rest, anything may happen. This is the number to print beside a promise under bounded leakage: it
    says what the whole release costs.
    """
    rng, rows = np.random.default_rng(7), []
    for _ in range(25):
        world, a, b = by_hand.random_world(rng, BIT, 3, 2), random_ratio(rng), random_ratio(rng)
        mechanism = leaky(world)
        told = bounds.release_bound(a, mechanism.delta(ratio=a), b, mechanism.swapped().without_leak().delta(ratio=b))
        ensure(by_hand.delta(by_hand.joined(world), told.ratio) <= told.delta, "no random world exceeds it")
    cases = (2, TENTH, 3, Fraction(1, 5)), (1, HALF, 1, HALF), (3, 0, Fraction(3, 2), TENTH), (5, Fraction(1, 3), 2, 0)
    for a, d, b, e in cases:
        world = examples.release_extremal(a, d, b, e).joint
        ensure(by_hand.delta(world, a) == d and by_hand.delta(by_hand.only_leak(world), b) == e, "as promised")
        exact = by_hand.delta(by_hand.joined(world), a * b)
        ensure(exact == bounds.release_bound(a, d, b, e).delta == 1 - (1 - d) * (1 - e), "attained")
        rows.append((f"({a}, {d})", f"({b}, {e})", a * b, exact))
    often, hides = by_hand.coin(Fraction(99, 100)), lambda x, r: x if r else "?"
    mostly = by_hand.world(BIT, often, hides, hides)
    shown = leaky(mostly).released().delta(ratio=1)
    ensure(shown == by_hand.delta(by_hand.joined(mostly), 1), "a leak that is rarely hidden")
    ensure(shown == bounds.release_bound(1, 0, 1, shown).delta, "costs what it shows")
    rows.append(("(1, 0)", f"(1, {shown})", 1, shown))
    ensure(rows[0][3] == Fraction(7, 25) and shown == Fraction(99, 100), "7/25 and 99/100")
    return Table(rows, ["(e^eps1, delta1)", "(e^eps2, delta2)", "e^(eps1 + eps2)", "delta, attained"])


@claim("LPR-Ex-5", verdict=HOLDS, where="Example 5", title="The one-time pad with a leaked key")
def leaked_key():
    r"""The pad $M=x\oplus r$ with a uniform key $r$ is perfectly DP. If the key leaks, nothing remains: $\delta=1$ for
    every $\varepsilon$.

    One bit of the key is enough for $\delta=1$, since the worst pair of neighbours counts; how many pairs are exposed
    is a second question. With noise on the leaked key, flipped with probability $p$, there is a finite
    $e^{\varepsilon}=(1-p)/p$; and of a bit that is split into shares nothing is lost until the last one leaks.
    """
    keys, rows = by_hand.evenly(THREE_BITS), []
    leaks: dict = {f"{n} of 3 bits": (lambda x, r, n=n: r[:n]) for n in range(4)}
    for name, leak in {**leaks, "the parity of the key": lambda x, r: sum(r) % 2}.items():
        world = by_hand.world(THREE_BITS, keys, by_hand.masked, leak)
        mechanism = examples.one_time_pad(3, int(name[0])) if name[0].isdigit() else leaky(world)
        ensure(agrees(mechanism, world), SAME)
        exposed = sum(delta == 1 for delta in mechanism.by_neighbours(ratio=1).values())
        ensure(mechanism.without_leak().ratio() == by_hand.ratio(by_hand.plain(world)) == 1, "perfectly DP")
        rows.append((name, mechanism.delta(ratio=1), mechanism.delta(ratio=1000), f"{exposed} of 12"))
    ensure([row[1] for row in rows] == [row[2] for row in rows] == [0, 1, 1, 1, 1], "all or nothing")
    ensure([row[3] for row in rows] == [f"{n} of 12" for n in (0, 4, 8, 12, 12)], "the exposed neighbours")
    for p in (TENTH, Fraction(1, 4), HALF):
        coins = by_hand.together(by_hand.coin(HALF), by_hand.coin(p))
        world = by_hand.world(BIT, coins, lambda x, r: x ^ r[0], lambda x, r: r[0] ^ r[1])
        ensure(examples.noisy_pad(p).ratio() == by_hand.ratio(world) == (1 - p) / p, "a noisy key")
    lost = {
        HALF: [1, 1, 1, 1, math.inf],
        Fraction(1, 4): [Fraction(17, 15), Fraction(9, 7), Fraction(5, 3), 3, math.inf],
    }
    for bias, ratios in lost.items():
        coins = by_hand.together(*[by_hand.coin(bias)] * 4)
        shared = [by_hand.world(BIT, coins, lambda x, r: (x + sum(r)) % 2, lambda x, r, n=n: r[:n]) for n in range(5)]
        ensure([by_hand.ratio(world) for world in shared] == ratios, "four shares")
        ensure([examples.secret_shares(4, n, bias).ratio() for n in range(5)] == ratios, "the library's shares")
    return Table(rows, ["leaked", "delta at e^eps = 1", "delta at e^eps = 1000", "exposed neighbours"])


@claim("LPR-Ex-5-props", verdict=CORRECTED, where="After Example 5", title="Three properties behind the example")
def three_properties():
    r"""Three properties are made responsible for the failure of the pad: the leak tells about its coins; mechanism and
    leak share them; the output depends on the leak. Without any one of them, DP would imply bounded leakage.

    True if each is read for every fixed database: the leak is constant, or its coins are independent of the
    mechanism's, or output and leak are independent. Each is a case of Lemma 7. Read more loosely it fails, three times:
    a leak can be independent of its coins on average over the databases, coins can be different and still correlated,
    and on average output and leak of the pad itself are independent. Nor are the three together enough for a failure:
    the pad with a noisy key has them all and is private.
    """
    flip = by_hand.evenly(BIT)
    xor, key = (lambda x, r: x ^ r), (lambda x, r: r)
    worlds = {
        "the leak x + r is independent of r, on average": by_hand.world(BIT, flip, key, xor),
        "the leak reads other coins, r' = 1 - r": by_hand.world(BIT, flip, xor, lambda x, r: 1 - r),
        "output and key are independent, on average": by_hand.world(BIT, flip, xor, key),
    }
    rows = []
    for name, world in worlds.items():
        mechanism = leaky(world)
        ensure(agrees(mechanism, world), SAME)
        rows.append((name, mechanism.without_leak().ratio(), mechanism.delta(ratio=1), mechanism.delta(ratio=1000)))
    ensure(all(row[1:] == (1, 1, 1) for row in rows), "perfectly DP, and nothing left given the leak")
    average = [sum(world[x][o, m] for x in BIT) / 2 for world in worlds.values() for o, m in product(BIT, BIT)]
    ensure(set(average) == {Fraction(1, 4)}, "on average over the databases all is independent")
    noisy = examples.noisy_pad(Fraction(1, 4))
    ensure(not noisy.independence().perfect and noisy.ratio() == 3, "all three properties, and private")
    rng = np.random.default_rng(8)
    for _ in range(20):
        constant = by_hand.plain(by_hand.random_world(rng, TWO_BITS, 2, 3))
        for world in (constant, by_hand.random_independent_world(rng, TWO_BITS, 2, 3)):
            ensure(leaky(world).independence().perfect and by_hand.dependence(world, 1) == 0, "perfect independence")
            ensure(dp_suffices(world, 2), "DP is enough")
    return Table(rows, ["reading", "DP: e^eps", "given the leak: delta at e^eps = 1", "at e^eps = 1000"])


@claim("LPR-Def-6", verdict=DEFINITION, where="Definition 6", title="Perfect independence")
def perfect_independence():
    r"""Mechanism and leak are perfectly independent if, on every database, the output has the same law whichever value
    leaked.

    That is independence for each fixed database: the joint table is a product. "Uncorrelated", as the text glosses it,
    is not enough (the last row has correlation 0), nor are separate coins unless they are independent.
    """
    square = by_hand.world(BIT, by_hand.evenly([-1, 0, 1]), lambda x, r: r, lambda x, r: r * r)
    worlds = {
        "randomized response, r mod 2": by_hand.world(BIT, EIGHT, response, lambda x, r: r % 2),
        "randomized response, whether r < 4": by_hand.world(BIT, EIGHT, response, lambda x, r: r < 4),
        "one of -1, 0, 1, its square": square,
    }
    rows = []
    for name, world in worlds.items():
        independence = leaky(world).independence()
        ensure(independence.perfect == (product_gap(world) == 0), "a table of products")
        ensure(independence.delta(ratio=1) == by_hand.dependence(world, 1), SAME)
        rows.append((name, independence.perfect, product_gap(world), independence.delta(ratio=1)))
    ensure([row[1] for row in rows] == [True, False, False], "only the first")
    mean = [sum(w * f(o, m) for (o, m), w in square[0].items()) for f in (lambda o, m: o * m, lambda o, m: m)]
    ensure(mean == [0, 0], "the covariance is zero all the same")
    rng = np.random.default_rng(9)
    for draw in [by_hand.random_world, by_hand.random_independent_world] * 10:
        world = draw(rng, BIT, 2, 3)
        ensure(leaky(world).independence().perfect == (product_gap(world) == 0), "random worlds")
    return Table(rows, ["output, leak", "independent", "largest |Pr[o, m] - Pr[o] Pr[m]|", "delta' at eps' = 0"])


def product_gap(world: dict):
    """Return the largest difference between a cell and the product of its margins."""
    gaps = []
    for cells in world.values():
        first, second = by_hand.outputs({(m, o): w for (o, m), w in cells.items()}), by_hand.outputs(cells)
        gaps += [abs(cells.get((o, m), 0) - first[o] * second[m]) for o in first for m in second]
    return max(gaps)


@claim("LPR-Lem-7", verdict=HOLDS, where="Lemma 7", title="Independent leaks cost nothing")
def independent_leaks():
    r"""If $M$ is $(\varepsilon,\delta)$-DP and perfectly independent of the leak, it is $(\varepsilon,\delta)$-private
    given the leak.

    It may even gain: a leak that separates two databases takes them out of the comparison. The same conclusion holds
    for the stronger notion of Remark 19, where any two databases with a common leaked value are compared; this is the
    statement to use for a census. Twice the text calls it Theorem 7.
    """
    chance = {0: Fraction(0), 1: Fraction(1), 2: Fraction(3, 4)}  # of output 1
    blocks = {0: "A", 1: "B", 2: "B"}
    mechanism = LeakyMechanism.from_laws(blocks, blocks, lambda x, o: examples.coin(chance[x]))
    parted = {x: {(blocks[x], m): w for m, w in by_hand.coin(p)} for x, p in chance.items()}
    ensure(agrees(mechanism, parted) and mechanism.scaled().delta(ratio=1) == by_hand.scaled(parted, 1), SAME)
    deltas = [m.delta(ratio=1) for m in (mechanism.without_leak(), mechanism, mechanism.scaled())]
    rows = [("separates the worst pair", 1, *deltas)]
    ensure(rows[0][2:4] == (1, Fraction(1, 4)), "1 without the leak, 1/4 given it")
    rng = np.random.default_rng(10)
    for _ in range(12):
        world, a = by_hand.random_independent_world(rng, TWO_BITS, 2, 3), random_ratio(rng)
        dp, scaled = leaky(world).without_leak().delta(ratio=a), leaky(world).scaled().delta(ratio=a)
        ensure(dp == by_hand.delta(by_hand.plain(world), a) and scaled == (by_hand.scaled(world, a) or 0), SAME)
        ensure(at_most(by_hand.delta(world, a), dp) and scaled <= dp, "neither notion exceeds DP")
        rows.append(("random, independent", a, dp, leaky(world).delta(ratio=a), scaled))
    return Table(rows[:5], ["leak", "e^eps", "DP delta", "delta given the leak", "delta, distance-scaled"])


@claim("LPR-Def-8", verdict=DEFINITION, where="Definition 8", title="Partial independence")
def partial_independence():
    r"""Mechanism and leak are $(\varepsilon',\delta')$-independent if, on every database and for every leaked value,
    the output given that value and the output itself are $(\varepsilon',\delta')$-indistinguishable, in both orders.

    The example is a study of one person drawn from two, whose draw leaks. Although the text calls $M$ and $P$
    independent of one another, the notion is not symmetric if $\delta'>0$: if $M=1$ with probability 1/11, and then
    $P=1$, else $P$ is a fair coin, $M$ is $(0,1/11)$-independent of $P$, but $P$ only $(0,5/11)$-independent of $M$.
    """
    rows = []
    for flip in (Fraction(0), Fraction(1, 4), HALF):
        study = examples.sampled_study(3, flip)
        coins = by_hand.together(by_hand.coin(HALF), by_hand.coin(flip), truthful_coin(3))
        world = by_hand.world(TWO_BITS, coins, lambda x, r: x[r[0]] ^ r[2], lambda x, r: r[0] ^ r[1])
        independence = study.independence()
        ensure(agrees(study, world), SAME)
        for b in RATIOS:
            ensure(independence.delta(ratio=b) == by_hand.dependence(world, b), "the least delta'")
        dp, shared = study.without_leak().ratio(), independence.ratio()
        ensure(by_hand.dependence(world, shared) == 0, "the least e^eps'")
        rows.append((flip, dp, shared, study.ratio(), bounds.independence_bound(dp, 0, shared).ratio))
    ensure(rows[0][1:] == (2, 2, 3, 8) and rows[1][3] == Fraction(5, 2) and rows[2][2:] == (1, 2, 2), "3, 5/2 and 2")
    eleventh = {0: {(1, 1): Fraction(1, 11), (0, 0): Fraction(5, 11), (1, 0): Fraction(5, 11)}}
    turned = by_hand.changed(eleventh, lambda o, m: (m, o))
    told = leaky(eleventh).independence().delta(ratio=1), leaky(eleventh).swapped().independence().delta(ratio=1)
    ensure(told == (by_hand.dependence(eleventh, 1), by_hand.dependence(turned, 1)), "the two roles")
    ensure(told == (Fraction(1, 11), Fraction(5, 11)), "1/11 against 5/11")
    return Table(rows, ["noise on the draw", "DP: e^eps", "e^eps'", "e^eps given the leak", "Theorem 9"])


@claim("LPR-Thm-9", verdict=HOLDS, where="Theorem 9", title="Partial independence and DP")
def partial_independence_and_dp():
    r"""If $M$ is $(\varepsilon,\delta)$-DP and $(\varepsilon',\delta')$-independent of the leak, it is private given
    the leak with $\varepsilon+2\varepsilon'$ and $(e^{\varepsilon+\varepsilon'}+1)\,\delta'+e^{\varepsilon'}\delta$.

    Tight: the first rows attain it, with a leaked value that is rare enough. The one-bit pad is one of them: DP with
    $(0,0)$, $(0,1/2)$-independent, and $\delta=1$ given the key.
    """
    rng, rows = np.random.default_rng(11), []
    pure = ones_given(Fraction(1, 3), {0: (HALF, Fraction(1, 8)), 1: (Fraction(1, 12), Fraction(5, 24))})
    fifth = ones_given(Fraction(1, 5), {0: (Fraction(1, 5), Fraction(19, 320)), 1: (Fraction(0), Fraction(1, 32))})
    pad = by_hand.world(BIT, by_hand.evenly(BIT), lambda x, r: x ^ r, lambda x, r: r)
    known = (pure, Fraction(3, 2), 2), (fifth, Fraction(3, 2), 2), (pad, 1, 1)
    drawn = [
        (by_hand.random_world(rng, TWO_BITS, 2, 3, 30), random_ratio(rng, 2), random_ratio(rng, 2)) for _ in range(15)
    ]
    for world, a, b in [*known, *drawn]:
        d, e = leaky(world).without_leak().delta(ratio=a), leaky(world).independence().delta(ratio=b)
        ensure(d == by_hand.delta(by_hand.plain(world), a) and e == by_hand.dependence(world, b), SAME)
        told = bounds.independence_bound(a, d, b, e)
        exact = by_hand.delta(world, told.ratio)
        ensure(told == (a * b * b, (a * b + 1) * e + b * d) and exact <= told.delta, "Theorem 9")
        rows.append((a, d, b, e, told.ratio, told.delta, exact))
    ensure([row[6] for row in rows[:3]] == [row[5] for row in rows[:3]] == [0, Fraction(1, 5), 1], "attained")
    ensure(leaky(pure).ratio() == by_hand.ratio(pure) == 6, "and no smaller e^eps for the first")
    parameters = Fraction(3, 2), Fraction(1, 20), 2, Fraction(1, 40)
    ensure(examples.independence_extremal(*parameters, start=0).joint == fifth, "as the library builds it")
    return Table(rows[:6], ["e^eps", "delta", "e^eps'", "delta'", "e^(eps + 2 eps')", "delta of Theorem 9", "exact"])


def ones_given(weight: Fraction, chances: dict) -> dict:
    """Return the world where "o" leaks with this weight, and Pr[M = 1] given "o" and given "rest" are known."""
    shares = {"o": weight, "rest": 1 - weight}
    ones = {(x, o): p for x, ps in chances.items() for o, p in zip(shares, ps, strict=True)}
    cells = {
        x: {(o, m): w * (ones[x, o] if m else 1 - ones[x, o]) for o, w in shares.items() for m in BIT} for x in BIT
    }
    return {x: {cell: w for cell, w in law.items() if w} for x, law in cells.items()}


@claim("LPR-Ext-thm9", verdict=HOLDS, where="Beyond Theorem 9", title="The exact worst case of Theorem 9")
def worst_case_of_theorem_9():
    r"""The largest $\delta$ at $e^{\varepsilon}=A$ among all pairs that meet the two promises is
    $\max_s g'(g(g'(s)))-As$, with $g(s)=\min(1,\,as+d,\,1-(1-d-s)/a)$ for the promise $(\log a,d)$: the trade-offs of
    independence, DP and independence, one after the other.

    It is Theorem 9 itself exactly if $\delta'\le(1-\delta)/(1+e^{\varepsilon})$ and
    $e^{\varepsilon}\delta'+\delta\le(1-\delta')/(1+e^{\varepsilon'})$; beyond, less. The telling value must be rare:
    for a likely one the worst case is smaller. The second way tries all corners of the polytope of binary mechanisms.
    """
    half, some = Fraction(3, 2), []
    cases = (half, Fraction(1, 20), 2, Fraction(1, 40)), (2, Fraction(1, 5), 2, Fraction(1, 8)), (3, TENTH, half, TENTH)
    for a, d, b, e in cases:
        told, exact = bounds.independence_bound(a, d, b, e).delta, bounds.independence_optimum(a, d, b, e)
        tight = e <= (1 - d) / (1 + a) and a * e + d <= (1 - e) / (1 + b)
        ensure(exact <= told and (exact == told) == tight, "when Theorem 9 is the exact worst case")
        corners = by_hand.corner_optimum(1e-3, *map(float, (a, d, b, e)))
        ensure(close(corners, float(exact), 1e-9), "all corners, for a rare value")
        some.append((f"({a}, {d})", f"({b}, {e})", "rare", told, exact, corners))
    ensure(some[1][3:5] == (Fraction(41, 40), Fraction(63, 80)), "63/80 in place of 41/40")
    likely = ((1 / 3, 0.2), (0.5, 0.14375), (0.75, 0.084375), (0.9, 0.0591))
    for weight, expected in likely:
        told = bounds.independence_optimum_at(weight, *cases[0])
        corners = by_hand.corner_optimum(weight, *map(float, cases[0]))
        ensure(close(told, corners, 1e-9) and close(told, expected, 1e-3), "for a likely value")
        some.append((*some[0][:2], f"{weight:.3g}", some[0][3], told, corners))
    return Table(
        some, ["(e^eps, delta)", "(e^eps', delta')", "weight of the value", "Theorem 9", "exact", "all corners"]
    )


# ---------------------------------------------------------------------------------------------- section 4: properties


def with_common_leak(rng: np.random.Generator, number: int, outputs: int = 2) -> list[dict]:
    """Draw several worlds on two bits whose leak has the same law in all of them."""
    shares = {x: reference.random_law(rng, 2) for x in TWO_BITS}
    laws = [{(x, o): reference.random_law(rng, outputs) for x in TWO_BITS for o in BIT} for _ in range(number)]
    return [
        {x: {(o, m): shares[x][o] * w for o in BIT for m, w in enumerate(law[x, o])} for x in TWO_BITS} for law in laws
    ]


@claim("LPR-Lem-10", verdict=CORRECTED, where="Lemma 10", title="Mixing mechanisms")
def mixing_mechanisms():
    r"""Mechanisms that are $(\varepsilon,\delta)$-private given the same leak are mixed: $M=M_i$ with probability
    $a_i$. The mixture is $(\varepsilon,\delta)$-private given the leak.

    The selector needs coins of its own, and weights that do not depend on the database; that $M=M_i$ has probability
    $a_i$, as the proof asks, is not enough. Two perfect mechanisms, $x\oplus r$ and $x\oplus r\oplus1$, selected by $r$
    itself, print $x$. Two constants, with weights $(3/4,1/4)$ on one database and $(1/4,3/4)$ on the other, are
    randomized response. Corrected, with weights that may depend on the leaked value, $\delta=\sum_i a_i\delta_i$ is
    enough. The proof of Theorem 17 uses the lemma with weights that do depend on the database.
    """
    flip = by_hand.evenly(BIT)
    parts = [by_hand.world(BIT, flip, lambda x, r, i=i: x ^ r ^ i) for i in BIT]
    constants = [by_hand.world(BIT, flip, lambda x, r, i=i: i) for i in BIT]
    cases = {
        "selected by a fair coin": (parts, leaky(parts[0]).mixture([HALF, HALF], leaky(parts[1]))),
        "selected by their own coin": (parts, LeakyMechanism.from_functions(BIT, BIT, lambda x, r: x ^ r ^ r)),
        "weights by database": (
            constants,
            leaky({x: {(None, m): w for m, w in examples.truthful(x, 3).items()} for x in BIT}),
        ),
    }
    rows = []
    for name, (pieces, mixture) in cases.items():
        ensure(mixture.ratio() == by_hand.ratio(mixture.joint), SAME)
        rows.append((name, max(leaky(piece).ratio() for piece in pieces), mixture.ratio(), mixture.delta(ratio=1)))
    ensure([row[2] for row in rows] == [1, math.inf, 3] and {row[1] for row in rows} == {1}, "from perfect parts")
    rng = np.random.default_rng(12)
    for _ in range(15):
        worlds, weights, a = with_common_leak(rng, 3), [reference.random_law(rng, 3) for _ in BIT], random_ratio(rng)
        first, *others = map(leaky, worlds)
        mixed = first.mixture(lambda o, weights=weights: weights[o], others)
        mean = lambda values, o, weights=weights: sum(w * v for w, v in zip(weights[o], values, strict=True))  # noqa: E731
        by_coin = {x: {c: mean([world[x][c] for world in worlds], c[0]) for c in worlds[0][x]} for x in TWO_BITS}
        ensure(agrees(mixed, by_coin, (a,)), "mixed by hand")
        for o in mixed.leaks:
            parts = [world.given(o).delta(ratio=a) for world in (first, *others)]
            ensure(mixed.given(o).delta(ratio=a) <= mean(parts, o), "corrected")
    return Table(rows, ["how it is selected", "e^eps of the parts", "e^eps of the mixture", "delta at eps = 0"])


@claim("LPR-Thm-11", verdict=HOLDS, where="Theorem 11", title="Post-processing")
def post_processing():
    r"""Whatever is computed from the output of an $(\varepsilon,\delta)$-private mechanism is as private given the
    leak.

    Also with fresh coins, and if the processing reads the leaked value as well, as a census does that repairs its
    answers to fit the published totals. Not if it reads the mechanism's coins again. And processing the leak is
    something else: it can help and it can hurt.
    """
    rng = np.random.default_rng(13)
    for _ in range(15):
        world, kernel, a = by_hand.random_world(rng, TWO_BITS, 2, 3), reference.random_map(rng, 6, 2), random_ratio(rng)
        read = lambda m, o, kernel=kernel: dict(enumerate(kernel[3 * o + m]))  # noqa: E731
        for told, look in (
            (leaky(world).then(lambda m, read=read: read(m, 0)), lambda m, o: 0),
            (leaky(world).reveal().then(lambda mo, read=read: read(*mo)), lambda m, o: o),
        ):
            pushed = {
                x: {(o, n): sum(cells[o, m] * read(m, look(m, o))[n] for m in range(3)) for o in BIT for n in BIT}
                for x, cells in world.items()
            }
            ensure(agrees(told, pushed, (a,)), "processed by hand")
            ensure(at_most(by_hand.delta(pushed, a), leaky(world).delta(ratio=a)), "Theorem 11")
    pad, itself = examples.one_time_pad(1, leaked=1), LeakyMechanism.from_functions(BIT, range(8), response, response)
    again = LeakyMechanism.from_functions(BIT, BIT, lambda x, r: (x ^ r) ^ r)
    answer = leaky(by_hand.world(BIT, EIGHT, response))
    rows = [
        ("output: rounded to a constant", answer.ratio(), answer.then(lambda m: 0).ratio()),
        ("output: the coins of the pad read again", pad.without_leak().ratio(), again.ratio()),
        ("leak: the output, forgotten", itself.ratio(), itself.coarsen(lambda o: None).ratio()),
        ("leak: the key of the pad, forgotten", pad.ratio(), pad.coarsen(lambda o: None).ratio()),
    ]
    ensure([row[1:] for row in rows] == [(3, 1), (1, math.inf), (1, 3), (math.inf, 1)], "down, up, up and down")
    return Table(rows, ["what is processed", "e^eps before", "e^eps after"])


@claim("LPR-Thm-12", verdict=HOLDS, where="Theorem 12", title="Publishing the leak costs nothing, given the leak")
def publishing_the_leak():
    r"""If $M$ is $(\varepsilon,\delta)$-private given $P$, then so is $M$ together with $P$.

    The least $\delta$ is even the same at every $\varepsilon$. But the promise stays relative to the leak: as a release
    of its own, $M$ with $P$ can be much worse, as the last column says. What it costs is told by Theorem 4.
    """
    rng, rows = np.random.default_rng(14), []
    for _ in range(20):
        world = by_hand.random_world(rng, TWO_BITS, 3, 2)
        shown = by_hand.revealed(world)
        ensure(agrees(leaky(world).reveal(), shown) and agrees(leaky(world), shown), "the same delta everywhere")
    coins = by_hand.together(truthful_coin(3), truthful_coin(5))
    twice = by_hand.world(BIT, coins, lambda x, r: x ^ r[0], lambda x, r: x ^ r[1])
    worlds = {
        "randomized response, 5 : 1 about the same bit": twice,
        "randomized response, the bit itself": by_hand.world(BIT, EIGHT, response, lambda x, r: x),
        "pad, its key flipped in one of four": examples.noisy_pad(Fraction(1, 4)).joint,
    }
    for name, world in worlds.items():
        mechanism, joined = leaky(world), by_hand.joined(world)
        ensure(mechanism.released().ratio() == by_hand.ratio(joined), "both released")
        rows.append((name, mechanism.ratio(), mechanism.reveal().ratio(), mechanism.released().ratio()))
    ensure([row[3] for row in rows] == [15, math.inf, 3], "15, nothing left, 3")
    ensure([str(row[1]) for row in rows] == [str(row[2]) for row in rows] == ["3", "vacuous", "3"], "given the leak")
    return Table(rows, ["mechanism, leak", "e^eps given the leak", "with the leak published", "e^eps of the release"])


@claim("LPR-Cor-13", verdict=HOLDS, where="Corollary 13", title="Publishing an independent leak")
def publishing_an_independent_leak():
    r"""If $M$ is $(\varepsilon,\delta)$-DP and perfectly independent of $P$, then $M$ together with $P$ is
    $(\varepsilon,\delta)$-private given $P$.

    Lemma 7 and Theorem 12. As a release of its own, two independent answers about one bit cost the sum of their
    $\varepsilon$.
    """
    rows = []
    for a, b in ((3, 5), (2, 2), (Fraction(3, 2), 10)):
        coins = by_hand.together(truthful_coin(a), truthful_coin(b))
        world = by_hand.world(BIT, coins, lambda x, r: x ^ r[0], lambda x, r: x ^ r[1])
        answers = lambda x, o, a=a: examples.truthful(x, a)  # noqa: E731
        both = LeakyMechanism.from_laws(BIT, lambda x, b=b: examples.truthful(x, b), answers).reveal()
        shown = by_hand.revealed(world)
        ensure(agrees(both, shown) and both.ratio() == by_hand.ratio(shown) == a, "a given the leak")
        ensure(both.without_leak().ratio() == by_hand.ratio(by_hand.plain(shown)) == a * b, "the product as a release")
        rows.append((a, b, both.ratio(), both.without_leak().ratio()))
    rng = np.random.default_rng(15)
    for _ in range(15):
        world, a = by_hand.random_independent_world(rng, TWO_BITS, 2, 3), random_ratio(rng)
        told, exact = leaky(world).without_leak().delta(ratio=a), by_hand.delta(by_hand.revealed(world), a)
        ensure(at_most(exact, told), "random independent worlds")
    return Table(rows, ["e^eps of M", "e^eps of P", "M and P, given P", "M and P, as a release"])


@claim("LPR-Cor-14", verdict=HOLDS, where="Corollary 14", title="Publishing a partly independent leak")
def publishing_a_dependent_leak():
    r"""If $M$ is $(\varepsilon,\delta)$-DP and $(\varepsilon',\delta')$-independent of $P$, then $M$ together with $P$
    is private given $P$ with the numbers of Theorem 9.

    Theorem 9 and Theorem 12, and as tight as the former. The pad with a noisy key is DP with $\varepsilon=0$; flips
    with probability $p$ leave $e^{\varepsilon'}=1/(2p)$, so the bound is its square, and the truth $(1-p)/p$.
    """
    rows, rng = [], np.random.default_rng(16)
    for p in (TENTH, Fraction(1, 4), Fraction(2, 5), HALF):
        pad = examples.noisy_pad(p)
        shown = by_hand.revealed(pad.joint)
        shared = pad.independence().ratio()
        ensure(by_hand.dependence(pad.joint, shared) == 0 and shared == 1 / (2 * p), "the least e^eps'")
        told = bounds.independence_bound(pad.without_leak().ratio(), 0, shared)
        exact = by_hand.ratio(shown)
        ensure(pad.reveal().ratio() == exact == (1 - p) / p <= told.ratio == shared**2, "exact, and the corollary")
        rows.append((p, shared, told.ratio, exact))
    ensure(rows[1][1:] == (2, 4, 3), "2, 4 and 3")
    for _ in range(10):
        world, a, b = by_hand.random_world(rng, TWO_BITS, 2, 2, 20), random_ratio(rng, 2), random_ratio(rng, 2)
        d, e = leaky(world).without_leak().delta(ratio=a), leaky(world).independence().delta(ratio=b)
        told = bounds.independence_bound(a, d, b, e)
        shown = by_hand.revealed(world)
        ensure(by_hand.delta(shown, told.ratio) <= told.delta, "random worlds")
    return Table(rows, ["key flipped with probability", "e^eps'", "Corollary 14", "exact e^eps"])


# --------------------------------------------------------------------------------- groups (section 4.2, appendix B)


@claim("LPR-Ex-18", verdict=HOLDS, where="Example 18", title="The parity leak: a promise about nothing")
def parity_leak():
    r"""Neighbouring bit strings never have the same parity. If the parity leaks, every mechanism satisfies bounded
    leakage perfectly, and nothing follows for databases with the same parity.

    So a tool must say "vacuous" and not $\delta=0$. The identity, which hides nothing, becomes "perfect" by leaking a
    parity. (With three values per person neighbours can share the parity.) The stronger notion of Remark 19 is not
    deceived: two bits in the clear have $\delta=1/(1+e^{\varepsilon})$.
    """
    rows = []
    for n, ratio in ((2, None), (3, None), (2, 3), (3, 3)):
        trap = examples.parity_trap(n, ratio)
        coins = by_hand.together(*[truthful_coin(ratio) if ratio else by_hand.coin(0)] * n)
        world = by_hand.world(bits(n), coins, by_hand.masked, lambda x, r: sum(x) % 2)
        world = {x: {c: w for c, w in cells.items() if w} for x, cells in world.items()}
        ensure(trap.joint == world and by_hand.delta(world, 1) is None, "nothing to compare")
        report = trap.report(ratio=3)
        ensure(report.vacuous and str(report.delta) == "vacuous" and report.coverage == 0, "and the report says so")
        ensure(report.scaled == by_hand.scaled(world, 3), "at any distance")
        ensure(report.plain == by_hand.delta(by_hand.plain(world), 3), "without the leak")
        name = "bits in the clear" if ratio is None else "randomized response, 3 : 1"
        rows.append((name, n, report.delta, report.coverage, report.scaled, report.plain))
    clear, noisy = examples.parity_trap(2).scaled(), examples.parity_trap(2, 3).scaled()
    ensure(all(clear.delta(ratio=a) == Fraction(1, 1 + a) for a in (1, 2, 3, 99)), "1 / (1 + e^eps)")
    ensure(clear.epsilon() == math.inf and close(noisy.epsilon(), math.log(3)), "no epsilon, and log 3")
    three = LeakyMechanism.from_laws([0, 1, 2], lambda x: x % 2, lambda x, o: x)
    ensure(not three.vacuous and three.delta(ratio=1) == by_hand.delta(three.joint, 1) == 1, "0 and 2 share the parity")
    return Table(
        rows, ["mechanism", "n", "delta given the parity", "share compared", "distance-scaled, at 3", "DP, at 3"]
    )


@claim("LPR-Rem-19", verdict=CORRECTED, where="Remark 19", title="Noise on the leak, and a stronger notion")
def noise_and_a_stronger_notion():
    r"""A little noise on the leak, so that neighbours may always leak the same value, is said to guarantee that bounded
    leakage is not trivial. A definition that compares any two databases with a common leaked value, at distance $d$
    with $d\varepsilon$, is strictly stronger.

    The second is true. The first is not: what counts is how much of the leak is shared. A leak that shows the bit but
    for one case in a hundred, with a mechanism that prints the bit whenever the leak shows it, is perfect under bounded
    leakage, compares something, and has $\delta=0.99$ under DP. A leak that is itself $\varepsilon$-DP does suffice
    (Theorem 4).
    """

    def shows(hidden):
        leak, answer = (lambda x, r: "?" if r else x), (lambda x, r: 0 if r else x)
        return by_hand.world(BIT, by_hand.coin(hidden), answer, leak)

    rows = []
    for hidden in (Fraction(1, 100), TENTH, HALF, Fraction(1)):
        mechanism, world = leaky(shows(hidden)), shows(hidden)
        ensure(agrees(mechanism, world) and not mechanism.vacuous, SAME)
        bound = bounds.release_bound(1, 0, 1, mechanism.swapped().without_leak().delta(ratio=1)).delta
        plain = mechanism.without_leak().delta(ratio=1)
        ensure(plain == by_hand.delta(by_hand.plain(world), 1) == bound == 1 - hidden, "Theorem 4 made sharp")
        rows.append((hidden, mechanism.delta(ratio=1), mechanism.coverage, plain))
    ensure(rows[0][1:] == (0, Fraction(1, 100), Fraction(99, 100)), "perfect, and 99/100")
    ensure([row[2] for row in rows] == [row[0] for row in rows], "the share compared is what counts")
    rng = np.random.default_rng(17)
    for _ in range(15):
        world, a = by_hand.random_world(rng, TWO_BITS, 2, 2), random_ratio(rng)
        strong = leaky(world).scaled().delta(ratio=a)
        ensure(strong == by_hand.scaled(world, a) and at_most(by_hand.delta(world, a), strong), "the stronger notion")
    ensure(examples.parity_trap(2).vacuous and examples.parity_trap(2).scaled().delta(ratio=3) > 0, "strictly")
    return Table(rows, ["chance that the bit is hidden", "delta given the leak", "share compared", "DP delta"])


@claim("LPR-Def-20", verdict=DEFINITION, where="Definition 20", title="Paths between databases")
def paths_between_databases():
    r"""A path from one database to another is a sequence of databases, each a neighbour of the next.

    Its length is the number of steps; the paper calls it $n$, which elsewhere is the number of people. If every
    database is allowed, the shortest path has as many steps as there are entries that differ.
    """
    rows = []
    for n in (2, 3, 4):
        free = LeakyMechanism.from_laws(bits(n), lambda x: None, lambda x, o: 0)
        paths = free.group_paths()
        ensure(len(paths) == 2**n * (2**n - 1), "a path between any two")
        for (x, y), path in paths.items():
            steps = [by_hand.apart(a, b) for a, b in pairwise(path)]
            ensure((path[0], path[-1]) == (x, y) and set(steps) == {1}, "neighbour to neighbour")
            ensure(len(steps) == free.distance(x, y) == by_hand.apart(x, y), "as many steps as entries differ")
        longest = max(paths.values(), key=len)
        rows.append((n, len(paths), len(longest) - 1, in_short(*longest)))
    return Table(rows, ["people", "pairs of databases", "longest distance", "a shortest path"])


def in_short(*databases: tuple) -> str:
    """Return databases as text, 00 01 11."""
    return " ".join("".join(map(str, x)) for x in databases)


DETOUR = {(0, 0): 8, (2, 0): 4, (2, 1): 2, (1, 1): 1}  # Pr[M = 1 | "o"] in twentieths, where "o" can leak
TERNARY = list(product(range(3), repeat=2))


def detour() -> LeakyMechanism:
    """Return a mechanism on two people with three values each; only four databases can leak "o"."""
    ones = lambda x, o: examples.coin(Fraction(DETOUR[x], 20)) if o == "o" else 0  # noqa: E731
    return LeakyMechanism.from_laws(TERNARY, lambda x: "o" if x in DETOUR else "other", ones)


def steps_within(allowed: Sequence, start) -> dict:
    """Return the least number of steps from one database to others, all within a set: breadth first."""
    steps, waiting = {start: 0}, deque([start])
    while waiting:
        x = waiting.popleft()
        for y in allowed:
            if y not in steps and by_hand.apart(x, y) == 1:
                steps[y] = steps[x] + 1
                waiting.append(y)
    return steps


@claim("LPR-Def-21", verdict=DEFINITION, where="Definition 21", title="Non-zero paths")
def non_zero_paths():
    r"""A path is non-zero for a leaked value $o$ if every database on it can leak $o$.

    It may have to go round: where only 00, 20, 21 and 11 can leak $o$, the databases 00 and 11 differ in two entries,
    but the shortest non-zero path has three steps. The paper uses $P$ for the path and for the leak.
    """
    mechanism, rows = detour(), []
    paths = mechanism.group_paths("o")
    for x, y in combinations(DETOUR, 2):
        path = paths[x, y]
        ensure(set(path) <= set(DETOUR) and len(path) - 1 == steps_within([*DETOUR], x)[y], "inside, and shortest")
        rows.append((in_short(x), in_short(y), mechanism.distance(x, y), len(path) - 1, in_short(*path)))
    ensure([row[2:4] for row in rows if row[:2] == ("00", "11")] == [(2, 3)], "a detour")
    rng = np.random.default_rng(18)
    for _ in range(15):
        able = [x for x in TERNARY if rng.random() < 0.6] or TERNARY
        some = LeakyMechanism.from_laws(TERNARY, lambda x, able=able: int(x in able), lambda x, o: 0)
        found = {(x, y): len(path) - 1 for (x, y), path in some.group_paths(1).items()}
        by_steps = {(x, y): n for x in able for y, n in steps_within(able, x).items() if n}
        ensure(found == by_steps, "random sets of databases")
    return Table(rows, ["from", "to", "entries that differ", "steps", "shortest non-zero path"])


@claim("LPR-Thm-22", verdict=HOLDS, where="Theorem 22", title="Group privacy along a non-zero path")
def group_privacy():
    r"""If a path of length $k$ from $x$ to $x'$ is non-zero for $o$, then an $(\varepsilon,\delta)$-private mechanism
    is, given $o$, indistinguishable on $x$ and $x'$ with $k\varepsilon$ and
    $\delta\,(e^{k\varepsilon}-1)/(e^{\varepsilon}-1)$.

    $k$ is the length of the path, which can exceed the number of entries that differ. At $\varepsilon=0$ the quotient
    is 0/0; the sum $1+e^{\varepsilon}+\dots+e^{(k-1)\varepsilon}$ that it stands for is $k$. The ladder attains the
    $\delta$; the detour attains $e^{k\varepsilon}$, 8 and not 4.
    """
    chain = {(i,): Fraction(n, 40) for i, n in enumerate((7, 3, 1, 0))}
    near = list(pairwise(chain))
    ladder = LeakyMechanism.from_laws(chain, lambda x: None, lambda x, o: examples.coin(chain[x]), near)
    step = max(by_hand.excess(*laws, 2) for laws in coins_of(chain, near))
    ensure(ladder.delta(ratio=2) == step == Fraction(1, 40), SAME)
    rows = []
    for (x, y), path in ladder.group_paths().items():
        told = bounds.group_bound(2, step, len(path) - 1)
        exact = max(by_hand.excess(*laws, told.ratio) for laws in coins_of(chain, [(x, y)]))
        ensure(exact == ladder.conditioned(x, y).delta(ratio=told.ratio) <= told.delta, "Theorem 22")
        if x == (0,):
            rows.append(("ladder", ladder.distance(x, y), len(path) - 1, told.ratio, told.delta, exact))
    ensure([row[5] for row in rows] == [row[4] for row in rows] and rows[2][5] == Fraction(7, 40), "attained")
    round_about = detour()
    step, far = round_about.given("o").ratio(), round_about.conditioned((0, 0), (1, 1), "o")
    k = len(round_about.group_paths("o")[(0, 0), (1, 1)]) - 1
    exact = Fraction(DETOUR[0, 0], DETOUR[1, 1])
    ensure(step == 2 and far.ratio() == exact == bounds.group_bound(step, 0, k).ratio == 8, "eight, not four")
    rows.append(("detour", round_about.distance((0, 0), (1, 1)), k, Fraction(8), Fraction(0), far.delta(ratio=8)))
    ensure(bounds.group_bound(1, TENTH, 4) == (1, 4 * TENTH), "k delta at eps = 0")
    rng = np.random.default_rng(19)
    for _ in range(8):
        world, a = by_hand.random_world(rng, TERNARY[:6], 2, 2), random_ratio(rng, 2)
        mechanism, step = leaky(world), leaky(world).delta(ratio=a)
        for o in mechanism.leaks:
            for (x, y), path in mechanism.group_paths(o).items():
                told = bounds.group_bound(a, step, len(path) - 1)
                laws = by_hand.facing(world, x, y, o)
                ensure(by_hand.excess(*laws, told.ratio) <= told.delta, "random worlds")
    return Table(rows, ["mechanism", "distance", "steps", "e^(k eps)", "delta of Theorem 22", "exact delta"])


def coins_of(chances: dict, pairs: Sequence[tuple]) -> list[tuple[list, list]]:
    """Return the laws of two coins, in both orders, for pairs of databases whose chance of a 1 is known."""
    laws = {x: [1 - p, p] for x, p in chances.items()}
    return [(laws[x], laws[y]) for pair in pairs for x, y in (pair, pair[::-1])]
