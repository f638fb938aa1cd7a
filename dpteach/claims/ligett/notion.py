"""Claims of Ligett, Peale and Reingold: the two definitions of privacy (section 2).

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np

from ... import Table
from ...leakage import LeakyMechanism
from ..entries import DEFINITION, claim, ensure
from ..reference import leakage as by_hand
from .worlds import BIT, EIGHT, HALF, SAME, TWO_BITS, agrees, leaky, random_ratio, response


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
