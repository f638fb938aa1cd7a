"""Claims of Ligett, Peale and Reingold: paths between databases and groups (section 4.2, appendix B).

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np

from ... import Table
from ...leakage import LeakyMechanism, bits, bounds, examples
from ..entries import CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import leakage as by_hand
from ..reference.basics import close
from .worlds import (
    BIT,
    DETOUR,
    HALF,
    SAME,
    TENTH,
    TERNARY,
    TWO_BITS,
    agrees,
    at_most,
    detour,
    leaky,
    random_ratio,
    truthful_coin,
)


@claim(
    "LPR-Ex-18",
    verdict=HOLDS,
    where="Example 18",
    title="With a leaked parity everything is perfect, and groups are not private",
)
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


@claim(
    "LPR-Rem-19",
    verdict=CORRECTED,
    where="Remark 19",
    title="A little noise on the leak makes bounded leakage non-trivial",
)
def noise_and_a_stronger_notion():
    r"""A little noise on the leak, so that neighbours may always leak the same value, is said to guarantee that bounded
    leakage is not trivial. A definition that compares any two databases with a common leaked value, at distance $d$
    with $d\varepsilon$, is strictly stronger.

    The second is true. The first only in the sense that something is compared, so that not every mechanism passes; of
    privacy it guarantees nothing. A leak that shows the bit but for one case in a hundred, with a mechanism that prints
    the bit whenever the leak shows it, is perfect under bounded leakage and has $\delta=0.99$ under DP; a leaked bit
    that is flipped once in a hundred times, printed again, has $e^{\varepsilon}=99$, although all of it is compared.
    What counts is how private the leak is (Theorem 4).
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
        clear = by_hand.world(BIT, by_hand.coin(hidden), lambda x, r: x, lambda x, r: "?" if r else x)
        ensure(leaky(clear).delta(ratio=1) == by_hand.delta(clear, 1) == 1, "not every mechanism passes")
    ensure(rows[0][1:] == (0, Fraction(1, 100), Fraction(99, 100)), "perfect, and 99/100")
    ensure([row[2] for row in rows] == [row[0] for row in rows], "what is not hidden is not compared")
    flipped = leaky(by_hand.world(BIT, by_hand.coin(Fraction(1, 100)), lambda x, r: x ^ r)).leaking_itself()
    ensure((flipped.ratio(), flipped.worst_coverage) == (1, 1), "perfect, and all is compared")
    ensure(flipped.without_leak().ratio() == by_hand.ratio(by_hand.plain(flipped.joint)) == 99, "99 all the same")
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


@claim("LPR-Thm-22", verdict=HOLDS, where="Theorem 22", title="Groups are private along a non-zero path")
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
