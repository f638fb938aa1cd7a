"""Claims of Ligett, Peale and Reingold: bounded leakage against DP, and independence (section 3).

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np

from ... import Table
from ...leakage import LeakyMechanism, bits, bounds, examples
from ..entries import CORRECTED, DEFINITION, FALSE, HOLDS, claim, ensure
from ..reference import leakage as by_hand
from ..reference.basics import close
from .worlds import (
    BIT,
    EIGHT,
    HALF,
    RATIOS,
    SAME,
    TENTH,
    THREE_BITS,
    TWO_BITS,
    agrees,
    at_most,
    leaky,
    random_ratio,
    response,
    truthful_coin,
)


def dp_suffices(world: dict, ratio) -> bool:
    """Say whether the DP delta of the output is enough for the world given its leak."""
    return at_most(by_hand.delta(world, ratio), leaky(world).without_leak().delta(ratio=ratio))


@claim(
    "LPR-Prose-Weaker", verdict=FALSE, where="Section 3.1, opening", title="Bounded leakage is clearly weaker than DP"
)
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


@claim(
    "LPR-Ex-3", verdict=CORRECTED, where="Example 3", title="A mechanism that leaks itself is perfect, whatever it is"
)
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


@claim(
    "LPR-Rem-4",
    verdict=HOLDS,
    where="Remark after Theorem 4",
    title="A leak with a delta of its own costs it once more for each value",
)
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


@claim(
    "LPR-Ext-thm4-delta",
    verdict=HOLDS,
    where="Beyond Theorem 4",
    title="Output and leak together cost at most both deltas",
)
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


@claim("LPR-Ex-5", verdict=HOLDS, where="Example 5", title="The one-time pad is perfect, and lost once its key leaks")
def leaked_key():
    r"""The pad $M=x\oplus r$ with a uniform key $r$ is perfectly DP. If the key leaks, nothing remains: $\delta=1$ for
    every $\varepsilon$.

    One bit of the key is enough for $\delta=1$, since the worst pair of neighbours counts; how many pairs are exposed
    is a second question. With noise on the leaked key, flipped with probability $p$, there is a finite
    $e^{\varepsilon}=(1-p)/p$; and of a bit that is split into fair shares nothing is lost
    until the last one leaks.
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


@claim(
    "LPR-Ex-5-props",
    verdict=CORRECTED,
    where="After Example 5",
    title="Without any one of three properties DP carries over",
)
def three_properties():
    r"""Three properties are made responsible for the failure of the pad: the leak tells about its coins; mechanism and
    leak share them; the output depends on the leak. Without any one of them, DP would imply bounded leakage.

    True if each is read for every fixed database: the leak is constant, or its coins are independent of the
    mechanism's, or output and leak are independent. Each is a case of Lemma 7. Read more loosely it fails, three times:
    a leak can be independent of its coins on average over the databases, coins can be different and still correlated,
    and on average output and leak of the pad itself are independent. Nor are the three together enough for a failure:
    the pad with a noisy key has them all and keeps a finite $e^{\varepsilon}=3$.
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


@claim("LPR-Lem-7", verdict=HOLDS, where="Lemma 7", title="DP carries over if output and leak are independent")
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


@claim("LPR-Thm-9", verdict=HOLDS, where="Theorem 9", title="DP carries over if output and leak are partly independent")
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
    world: dict = {x: {} for x in BIT}
    for x in BIT:
        for (o, share), one in zip(shares.items(), chances[x], strict=True):
            cells = {(o, 0): share * (1 - one), (o, 1): share * one}
            world[x].update({cell: weight for cell, weight in cells.items() if weight})
    return world


@claim("LPR-Ext-thm9", verdict=HOLDS, where="Beyond Theorem 9", title="The exact worst case of Theorem 9")
def worst_case_of_theorem_9():
    r"""The largest $\delta$ at $e^{\varepsilon}=A$ among all pairs that meet the two promises is
    $\max_s g'(g(g'(s)))-As$, with $g(s)=\min(1,\,as+d,\,1-(1-d-s)/a)$ for the promise $(\log a,d)$: the trade-offs of
    independence, DP and independence, one after the other.

    It is Theorem 9 itself exactly if $(1+e^{\varepsilon})\,\delta'+\delta\le1$ and, where $\varepsilon'>0$,
    $e^{\varepsilon}\delta'+\delta\le(1-\delta')/(1+e^{\varepsilon'})$; beyond, less. The telling value must be rare:
    for a likely one the worst case can be smaller. The second way tries all corners of the polytope of binary
    mechanisms.
    """
    half, some = Fraction(3, 2), []
    cases = (half, Fraction(1, 20), 2, Fraction(1, 40)), (2, Fraction(1, 5), 2, Fraction(1, 8)), (3, TENTH, half, TENTH)
    cases = *cases, (1, 0, 1, HALF)  # the pad
    for a, d, b, e in cases:
        told, exact = worst_cases(a, d, b, e)
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
    ratios, deltas = (1, half, 3), (Fraction(0), TENTH, Fraction(1, 4), HALF, Fraction(3, 4))
    for parameters in product(ratios, deltas, ratios, deltas):
        worst_cases(*parameters)
    return Table(
        some, ["(e^eps, delta)", "(e^eps', delta')", "weight of the value", "Theorem 9", "exact", "all corners"]
    )


def worst_cases(a, d, b, e) -> tuple:
    """Return the delta of Theorem 9 and the exact worst case, and check when they are equal."""
    told, exact = bounds.independence_bound(a, d, b, e).delta, bounds.independence_optimum(a, d, b, e)
    tight = (1 + a) * e + d <= 1 and (b == 1 or a * e + d <= (1 - e) / Fraction(1 + b))
    ensure(exact <= told and (exact == told) == tight, "when Theorem 9 is the exact worst case")
    return told, exact
