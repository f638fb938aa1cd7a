"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: approximate, concentrated and Gaussian privacy.

Every theorem is tried on small worlds in which everything can be computed at all pairs of databases: by
`dpteach.granularity` and `dpteach.notions`, and a second time from the definitions (all events, all orders, all paths).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from statistics import NormalDist

import numpy as np
from mpmath import mp

from .. import Pair, Table, mechanisms
from ..granularity import (
    DatabaseClass,
    Granularity,
    Maps,
    Partition,
    PrivacySpace,
    bounded,
    free_lunch,
    symmetric_difference,
    unbounded,
)
from ..notions import (
    Approximate,
    Composed,
    FiniteMechanism,
    Gaussian,
    MetricPrivacy,
    Pure,
    ZeroConcentrated,
    bracket,
    compose,
    concentrated_loss,
    counts_deviation,
    counts_epsilon,
    gaussian_loss,
    gaussian_tradeoff,
    group_delta,
    implications,
    pure_loss,
    pure_mu,
    pure_rho,
    vacuous_from,
    worlds,
)
from . import reference
from . import reference_granularity as hand
from .ledger import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from .reference import all_close, close, delta_by_events
from .reference_granularity import Distances, Laws

LOG2 = math.log(2)
NORMAL = NormalDist()
COIN = mechanisms.randomized_response(ratio=3)
SMALL = Fraction(1, 10**5)


def show(D: Iterable) -> str:
    """Return a multiset as text."""
    return "{" + ",".join(map(str, D)) + "}"


def matrix(values: dict, points: Sequence) -> np.ndarray:
    """Return a dictionary of pairs as a matrix of floats."""
    return np.array([[float(values[x, y]) for y in points] for x in points])


def same(values, expected) -> bool:
    """Say whether two arrays agree to nine digits."""
    return np.allclose(np.asarray(values, dtype=float), np.asarray(expected, dtype=float), rtol=1e-9, atol=1e-12)


def two(laws: Laws, D: Hashable, E: Hashable) -> tuple[list, list]:
    """Return the laws of two databases as lists of probabilities."""
    return [*laws[D].values()], [*laws[E].values()]


# -------------------------------------------------------------------------------- small worlds with two mechanisms


@dataclass(frozen=True)
class World:
    """The first mechanism is given f_1(D); the second, one for each output of the first, is given f_2(D)."""

    databases: Sequence
    maps: Sequence[Callable]
    first: Laws
    second: Sequence[Laws]

    @property
    def rounds(self) -> list[Sequence[Laws]]:
        """The mechanisms that can be asked in each round."""
        return [[self.first], self.second]

    def laws(self) -> Laws:
        """Return the joint laws of both outputs, by hand."""
        first = hand.after(self.first, self.maps[0], self.databases)
        second = [hand.after(laws, self.maps[1], self.databases) for laws in self.second]
        return hand.adaptive(first, second.__getitem__)

    def mechanism(self) -> FiniteMechanism:
        """Return the composition as the library makes it."""
        first, *second = (FiniteMechanism(list(laws), laws) for laws in (self.first, *self.second))
        follow = [laws.after(self.maps[1], self.databases) for laws in second]
        return first.after(self.maps[0], self.databases).adaptively(follow.__getitem__)


def random_world(rng: np.random.Generator, whole: bool = False, zeros: float = 0.0) -> World:
    """Draw four databases, two maps to three values (or the whole database), and mechanisms with two outputs."""
    maps = [dict(enumerate(range(4) if whole else rng.integers(0, 3, 4).tolist())).__getitem__ for _ in "12"]
    first, *second = (hand.random_laws(rng, range(4 if whole else 3), 2, zeros) for _ in range(3))
    return World(range(4), maps, first, second)


def disjoint_world(rng: np.random.Generator, zeros: float = 0.0) -> World:
    """Draw mechanisms for the a's and for the b's of a multiset of at most three records."""
    maps = [lambda D, x=x: tuple(y for y in D if y == x) for x in "ab"]
    first = hand.random_laws(rng, [("a",) * n for n in range(4)], 2, zeros)
    second = [hand.random_laws(rng, [("b",) * n for n in range(4)], 2, zeros) for _ in range(2)]
    return World(RECORDS.databases, maps, first, second)


RECORDS = DatabaseClass.multisets("ab", at_most=3)
PARTS = Partition.by_record(["a", "b"])


def losses(several: Sequence[Laws], loss: Callable) -> Distances:
    """Return the largest loss that any of several mechanisms has, between every two inputs."""
    found = {(x, x): 0.0 for x in several[0]}
    for x, y in combinations(several[0], 2):
        found[x, y] = found[y, x] = max(loss(*two(laws, x, y)) for laws in several)
    return found


def pulled(d: Distances, f: Callable, databases: Sequence) -> Distances:
    """Return d(f(D), f(D'))."""
    return {(D, E): d[f(D), f(E)] for D, E in product(databases, repeat=2)}


def plus(d: dict, other: dict) -> dict:
    """Add two dictionaries, pair by pair."""
    return {pair: d[pair] + other[pair] for pair in d}


def root_of_squares(*several: Distances) -> Distances:
    """Return the square root of the sum of squares of distances."""
    return {pair: math.sqrt(sum(d[pair] ** 2 for d in several)) for pair in several[0]}


def kept_in_squares(promise: MetricPrivacy | Composed, world: World, told: Distances) -> Distances:
    """Compare what a world loses with what is promised, at all pairs; return the exact losses.

    Zero-concentrated losses are compared as sqrt(rho), which is a metric like mu.
    """
    root = np.sqrt if promise.notion == "zero-concentrated" else np.asarray
    exact = losses([world.laws()], LOSSES[promise.notion])
    ensure(same(root(world.mechanism().losses(promise.notion)), matrix(exact, world.databases)), "the exact losses")
    ensure(same(root(promise.matrix), matrix(told, world.databases)), "the promise, a second time")
    ensure(all(exact[pair] <= told[pair] * (1 + 1e-9) for pair in told), "kept at all pairs")
    return exact


def tightest(exact: Distances, parts: Sequence[Distances], power: int) -> list[tuple]:
    """Return the pair that comes closest to its promise, of those (if any) that both mechanisms tell apart."""
    told = root_of_squares(*parts)
    apart = [pair for pair in told if all(0 < d[pair] < math.inf for d in parts)]
    best = sorted(apart, key=lambda pair: exact[pair] / told[pair])[-1:]
    return [("{} and {}".format(*pair), exact[pair] ** power, told[pair] ** power) for pair in best]


POWERS = {"zero-concentrated": 2, "Gaussian": 1}  # the parameter as a power of what satisfies the triangle inequality


def squares_in_worlds(theorem: str, notion: type[MetricPrivacy], seed: int, whole: bool = False) -> list[tuple]:
    """Try a composition theorem whose promises add in squares on random adaptive worlds; return the tightest pairs."""
    rng, rows, loss = np.random.default_rng(seed), [], LOSSES[notion.notion]
    for _ in range(12):
        world, promises, told = random_world(rng, whole), [], []
        for laws, f in zip(world.rounds, world.maps, strict=True):
            d, values = losses(laws, loss), list(laws[0])
            promises.append(notion(PrivacySpace(values, matrix(d, values)), 1))
            told.append(pulled(d, f, world.databases))
        promise = compose(promises, None if whole else world.maps, on=world.databases, adaptive=True)
        ensure(promise.theorem() == theorem, "which theorem")
        exact = kept_in_squares(promise, world, root_of_squares(*told))
        ensure(PrivacySpace(range(4), matrix(root_of_squares(*told), range(4))).is_metric, "again a metric")
        rows += tightest(exact, told, POWERS[notion.notion])
    return rows


def common_squares_in_worlds(theorem: str, notion: type[MetricPrivacy], seed: int) -> list[tuple]:
    """The same for mechanisms that look at f_i(D) only, with promises about D that leave something over."""
    rng, rows, loss = np.random.default_rng(seed), [], LOSSES[notion.notion]
    for _ in range(12):
        world, promises, raw = random_world(rng), [], []
        for laws, f in zip(world.rounds, world.maps, strict=True):
            d, extra = pulled(losses(laws, loss), f, range(4)), hand.random_metric(rng, 4)
            d = {pair: d[pair] + extra[pair] / 4 for pair in d}
            promises.append(notion(PrivacySpace(range(4), matrix(d, range(4))), 1))
            raw.append(hand.least_over_fibres(d, range(4), f))
        for closed, each in ((False, raw), (True, [hand.shortened(d, range(4)) for d in raw])):
            promise = compose(promises, world.maps, common_domain=True, adaptive=True, closure=closed)
            ensure(promise.theorem() == theorem, "which theorem")
            exact = kept_in_squares(promise, world, root_of_squares(*each))
        rows += tightest(exact, each, POWERS[notion.notion])
    return rows


def squares_of_parts(theorem: str, notion: type[MetricPrivacy], seed: int) -> list[tuple]:
    """Try the best bound for disjoint inputs on random adaptive mechanisms, at all 45 pairs of databases.

    Return the levels of the two parts, and for {} and {a,b}: the exact loss, the promise for this pair, the theorem's.
    """
    rng, rows, power = np.random.default_rng(seed), [], POWERS[notion.notion]
    space, steps = unbounded.on(RECORDS), hand.steps(RECORDS.databases, hand.added)
    for _ in range(6):
        world, levels, told = disjoint_world(rng), [], []
        for laws, f in zip(world.rounds, world.maps, strict=True):
            d = losses(laws, LOSSES[notion.notion])
            levels.append(max(d[x, y] for x, y in d if abs(len(x) - len(y)) == 1))
            told.append({(D, E): levels[-1] * abs(len(f(D)) - len(f(E))) for D, E in steps})
        promises = [notion(part, level**power) for part, level in zip(PARTS.spaces(space), levels, strict=True)]
        promise, pointwise = compose(promises, PARTS, on=space, adaptive=True), root_of_squares(*told)
        exact = kept_in_squares(promise, world, pointwise)
        ensure(close(promise.level(), max(levels) ** power, 1e-9), "the larger of the two levels")
        best = {pair: max(levels) * d for pair, d in steps.items()}
        ensure(all(pointwise[pair] <= best[pair] * (1 + 1e-12) for pair in best), "steps times the level")
        pair = (), ("a", "b")
        rows.append([x**power for x in (*levels, exact[pair], pointwise[pair], best[pair])])
    ensure(promise.theorem() == theorem and PARTS.sensitivities(space) == [1, 1], "the best bound")
    return rows


# ----------------------------------------------------------------------------------------- section VI-A: approximate


@claim("GMPS-Def-VI.1", verdict=DEFINITION, where="Definition VI.1", title="Approximate privacy for any neighbours")
def approximate_privacy():
    r"""$\mathcal M$ is $\mathcal G$ $(\varepsilon,\delta)$-DP if $P(\mathcal M(D)\in S)\le e^{\varepsilon}P(\mathcal
    M(D')\in S)+\delta$ for all events $S$ and all $\mathcal G$-neighbours, in both orders.

    The databases are those of the class on which neighbours are defined (the definition names all multisets instead).
    From $\delta=1$ on nothing is promised: printing $D$ itself needs exactly that.
    """
    rng, rows = np.random.default_rng(1), []
    laws = hand.random_laws(rng, RECORDS.databases, 3, zeros=0.1)
    noisy, loud = FiniteMechanism(RECORDS, laws), FiniteMechanism.printing(RECORDS)
    for granularity, related in ((unbounded, hand.added), (bounded, hand.replaced), (free_lunch, hand.anything)):
        pairs, worst = hand.related_pairs(RECORDS.databases, related), noisy.worst_case(granularity.on(RECORDS))
        told = [worst.delta(ratio=ratio) for ratio in (1, 2, 8)]
        exact = [max(delta_by_events(*two(laws, *pair), ratio) for pair in pairs) for ratio in (1, 2, 8)]
        ensure(told == exact, "the worst event of the worst neighbours")
        raw = loud.worst_case(granularity.on(RECORDS)).delta(ratio=10**9)
        ensure(raw == 1, "printing D has delta = 1 at any eps")
        rows.append((granularity.name, len(pairs) // 2, *map(float, told), raw))
    ensure([row[1] for row in rows] == [12, 6, 45], "12, 6 and 45 pairs")
    return Table(rows, ["neighbours", "pairs", "delta at e^eps = 1", "at 2", "at 8", "printing D, at 1e9"])


@claim("GMPS-Def-VI.2", verdict=DEFINITION, where="Definition VI.2", title="Approximate privacy over a metric")
def approximate_privacy_over_a_metric():
    r"""$(d,\delta)$-privacy: $P(\mathcal M(D)\in S)\le e^{d(D,D')}P(\mathcal M(D')\in S)+\delta(D,D')$ for all pairs of
    databases, where $\delta$ is any function of the pair; with $\delta=0$ it is $d$-privacy.

    $\delta$ need not be symmetric: a record that is shouted out with some probability is seen in one order only. Each
    of the least $\delta(D,D')$ is needed: a promise of less is broken at that pair.
    """
    databases, shout = ["none", "one", "two"], Fraction(1, 10)
    laws = {D: {"quiet": (1 - shout) ** n, "loud": 1 - (1 - shout) ** n} for n, D in enumerate(databases)}
    space, mechanism = PrivacySpace(databases, lambda D, E: float(D != E)), FiniteMechanism(databases, laws)
    exact = {(D, E): delta_by_events(*two(laws, D, E), 2 if D != E else 1) for D, E in product(databases, repeat=2)}
    least, rows = matrix(exact, databases), []
    ensure(mechanism.keeps(Approximate(space, LOG2, least)), "the least deltas are kept")
    ensure(same(mechanism.deltas(ratio=2 ** space.matrix.astype(int)), least), "the library finds them")
    for D, E in product(databases, repeat=2):
        i, j = databases.index(D), databases.index(E)
        less = np.where((np.arange(3)[:, None] == i) & (np.arange(3) == j), least * 0.99, least)
        broken = mechanism.broken(Approximate(space, LOG2, less))
        ensure(broken == ((D, E) if exact[D, E] else None), "less is broken at this pair")
        rows += [(D, E, exact[D, E], exact[E, D])] if D < E else []
    ensure(exact["two", "none"] == Fraction(19, 100) and exact["none", "two"] == 0, "19/100 and 0")
    steps = unbounded.on(DatabaseClass.multisets("ab", at_most=1))
    pure = FiniteMechanism.attaining(steps, ratio=2)
    ensure(pure.keeps(Approximate(steps, LOG2, 0)), "delta = 0 is d-privacy")
    ensure(not pure.keeps(Approximate(steps, 0.99 * LOG2, 0)), "and as strict")
    return Table(rows, ["D", "D'", "delta(D, D')", "delta(D', D)"])


@claim("GMPS-Def-bracket", verdict=DEFINITION, where="Section VI-A", title="How delta grows with the distance")
def how_delta_grows():
    r"""$[d]_\varepsilon=(e^{\varepsilon d}-1)/(e^{\varepsilon}-1)$, which for whole distances is the sum
    $1+e^{\varepsilon}+\dots+e^{(d-1)\varepsilon}$.

    At $\varepsilon=0$ the formula is $0/0$; the sum says $[d]_0=d$, and so does the limit. It is convex:
    $[a]_\varepsilon+[b]_\varepsilon\le[a+b]_\varepsilon=[a]_\varepsilon+e^{\varepsilon a}[b]_\varepsilon$.
    """
    rows = []
    for eps in (0.0, 1e-9, 0.1, 1.0):
        sums = [mp.fsum(mp.exp(mp.mpf(eps) * t) for t in range(d)) for d in (1, 2, 5, 13)]
        told = bracket(np.array([1, 2, 5, 13]), eps)
        ensure(all_close(told, sums, 1e-13), "the sum")
        ensure(all(t >= s for t, s in zip(told, sums, strict=True)), "rounded up")
        for a, b in product((1, 2, 5), repeat=2):
            whole = bracket(a, eps) + math.exp(eps * a) * bracket(b, eps)
            ensure(close(bracket(a + b, eps), whole) and bracket(a, eps) + bracket(b, eps) <= whole, "convex")
        rows.append((eps, *map(float, told)))
    ensure(close(rows[3][2], 1 + math.e) and close(rows[3][4], 257474, 1e-5), "3.71828 and 257474")
    half = mp.expm1(mp.mpf(1) / 2) / mp.expm1(1)
    ensure(close(bracket(0.5, 1), half) and bracket(math.inf, 0) == math.inf, "any distance")
    return Table(rows, ["eps", "d = 1", "d = 2", "d = 5", "d = 13"])


@claim("GMPS-Thm-VI.3", verdict=CORRECTED, where="Theorem VI.3", title="Approximate privacy of groups")
def approximate_group_privacy():
    r"""$\mathcal G$ $(\varepsilon,\delta)$-DP for neighbours is the same as $(\varepsilon
    d^{\mathcal G},\,\delta[d^{\mathcal G}]_\varepsilon)$-privacy for all pairs.

    With $[d]_0=d$ and $0\cdot\infty=\infty$. A chain of coins attains $\delta[n]_\varepsilon$ as long as that is small;
    beyond, the exact worst case comes from $F(p)=\min(e^{\varepsilon}p+\delta,\;1-e^{-\varepsilon}(1-\delta-p))$,
    applied $n$ times to 0, and a linear program over all coins finds the same.
    """
    rows, ratio, delta = [], Fraction(3), Fraction(1, 1000)
    for n in (1, 2, 4, 6, 7, 8, 9):
        promised, exact = delta * sum(ratio**t for t in range(n)), group_delta(n, ratio=ratio, delta=delta)
        chain = FiniteMechanism.chain(n, ratio, delta)
        coins = [[p, 1 - p] for p in (chain.law(step)["heads"] for step in range(n + 1))]
        ensure(all(reference.is_private(*steps, ratio, delta) for steps in pairwise(coins)), "one step")
        ensure(delta_by_events(coins[n], coins[0], ratio**n) == exact, "the ends")
        ensure(close(worst_coins(n, float(ratio), float(delta)), exact, 1e-6), "the linear program")
        ensure(exact <= promised and (exact == promised) == (n <= 6), "attained up to n = 6")
        rows.append((n, promised, exact, float(exact)))
    ensure(rows[-1][2] == Fraction(26377, 27000), "26377/27000")
    groups_in_random_spaces()
    line = Granularity([(n, n + 1) for n in range(5)]).on(range(6))
    even = FiniteMechanism.chain(5, Fraction(1), Fraction(1, 10)).deltas(ratio=1)
    ensure(same(even, Approximate(line, 0, 0.1).deltas) and even[5, 0] == Fraction(1, 2), "[d]_0 = d")
    sizes, cls = FiniteMechanism.printing(RECORDS, len), bounded.on(RECORDS)
    ensure(sizes.worst_case(cls).delta(ratio=1) == 0 and sizes.keeps(Approximate(cls, 0, 0)), "0 * inf = inf")
    return Table(rows, ["steps n", "delta [n], e^eps = 3, delta = 1/1000", "exact worst case", "as a float"])


def groups_in_random_spaces() -> None:
    """Try the theorem on random mechanisms with random neighbours, at all pairs."""
    rng, ratio = np.random.default_rng(2), Fraction(3, 2)
    for _ in range(12):
        edges, laws = hand.random_graph(rng, 5), hand.random_laws(rng, range(5), 3, 0.2)
        steps = hand.steps(range(5), edges)
        delta = max((delta_by_events(*two(laws, D, E), ratio) for D, E in edges), default=Fraction(0))
        promise = Approximate(Granularity(edges).on(range(5)), math.log(ratio), float(delta))
        ensure(FiniteMechanism(range(5), laws).keeps(promise), "kept at all pairs")
        for D, E in product(range(5), repeat=2):
            if steps[D, E] < math.inf:
                told = delta * sum(ratio**t for t in range(steps[D, E]))
                ensure(same(promise.deltas[D, E], told), "delta [d]")
                ensure(delta_by_events(*two(laws, D, E), ratio ** steps[D, E]) <= told, "kept, exactly")


def worst_coins(n: int, ratio: float, delta: float) -> float:
    """Return the largest p_n - ratio^n p_0 of coins p_0, ..., p_n with private steps, by a linear program."""
    from scipy.optimize import linprog

    rows, ends = [], []
    for i, j in [(i, i + 1) for i in range(n)] + [(i + 1, i) for i in range(n)]:
        heads = np.eye(n + 1)[i] - ratio * np.eye(n + 1)[j]
        rows, ends = [*rows, heads, -heads], [*ends, delta, delta - 1 + ratio]
    goal = ratio**n * np.eye(n + 1)[0] - np.eye(n + 1)[n]
    return -linprog(goal, A_ub=np.array(rows), b_ub=ends, bounds=(0, 1), method="highs").fun


@claim("GMPS-Text-d13", verdict=HOLDS, where="After Theorem VI.3", title="Nothing left at thirteen steps")
def nothing_left_at_thirteen():
    r"""For $\varepsilon=1$ and $\delta=10^{-5}$ the promise $\delta[d]_\varepsilon$ exceeds 1 from distance 13 on.

    The exact point is $\log(10^5(e-1)+1)=12.0543$. That the promise says nothing does not mean that nothing is left:
    the worst mechanism has $\delta=0.9118$ at thirteen steps, and reaches 1 at 23.
    """
    rows, p = [], mp.mpf(0)
    promised = Approximate(Granularity([(n, n + 1) for n in range(24)]).on(range(25)), 1, 1e-5).deltas[0]
    for d in range(1, 25):
        p = min(mp.e * p + mp.mpf(SMALL), 1 - (1 - mp.mpf(SMALL) - p) / mp.e, mp.one)
        exact = float(SMALL) * mp.fsum(mp.exp(t) for t in range(d))
        ensure(close(promised[d], exact) and (exact > 1) == (d >= 13), "above 1 from 13 on")
        ensure(close(group_delta(d, 1, 1e-5), p, 1e-11) and (p == 1) == (d >= 23), "the worst case")
        rows += [(d, float(promised[d]), float(p))] if d in (1, 2, 5, 10, 11, 12, 13, 14, 23) else []
    ensure(all_close([row[1] for row in rows[5:7]], (0.947189, 2.57474), 1e-5), "0.947189 and 2.57474")
    ensure(all_close([row[2] for row in rows[5:8]], (0.7603, 0.9118, 0.9676), 1e-4), "0.7603, 0.9118, 0.9676")
    start = vacuous_from(1, 1e-5)
    ensure(close(start, mp.log(mp.mpf(10) ** 5 * mp.expm1(1) + 1)) and close(start, 12.0543, 1e-5), "12.0543")
    return Table(rows, ["steps", "promised delta", "worst mechanism"])


@claim("GMPS-Text-more-than-13", verdict=MISPRINT, where="After Theorem VI.3, conclusion", title="Thirteen or more")
def thirteen_or_more():
    r"""The conclusion drawn from this: two databases may be told apart once more than thirteen records have changed.

    It should read thirteen or more: with 13 changed records the promised $\delta$ is already 2.57. With 12 it is still
    below 1.
    """
    space, rows = unbounded.on(DatabaseClass.multisets("a", at_most=14)), []
    promise = Approximate(space, 1, 1e-5)
    for changed in (12, 13, 14):
        D, position = ("a",) * changed, space.position("a" * changed)
        steps, told = hand.apart((), D), promise.deltas[0, position]
        exact = 1e-5 * math.fsum(math.exp(t) for t in range(steps))
        ensure(close(told, exact) and promise.at((), D).delta == min(told, 1), "the promise")
        rows.append((changed, float(told), bool(told < 1), "more than thirteen" if changed > 13 else "not more"))
    ensure([row[2] for row in rows] == [True, False, False], "thirteen is the first")
    return Table(rows, ["changed records", "promised delta", "still a promise", "in the paper's words"])


@claim("GMPS-Thm-VI.4", verdict=MISPRINT, where="Theorem VI.4", title="Approximate adaptive composition")
def approximate_adaptive_composition():
    r"""If mechanism $i$ is $(d_i,\delta_i)$-private whatever was printed before, and is given $f_i(D)$, then all
    together are $\big(\sum_id_i(f_i(D),f_i(D')),\,\sum_i\delta_i(f_i(D),f_i(D'))\big)$-private.

    The theorem holds, and for each order of $D$ and $D'$ separately; but $d_i$ and $\delta_i$ must live on the values
    of $f_i$, and not (as printed) on $\mathbb D$, where $f_i(D)$ need not occur. Two mechanisms that shout with
    probability 1/100 come close to the sum 1/50: they have 199/10000.
    """
    rows = deltas_in_worlds("VI.4", 3, whole=False)
    ensure(refused(lambda: compose([Approximate(unbounded.on(RECORDS), 1, 0.01)], [len], on=RECORDS)), "len(D) is no D")
    single, shout = DatabaseClass.multisets("a", at_most=1), Fraction(1, 100)
    one = FiniteMechanism(single, {"": {"quiet": 1}, "a": {"quiet": 1 - shout, "loud": shout}})
    both = (one @ one).pair("a", "").delta(ratio=1)
    ensure(both == 1 - (1 - shout) ** 2 == Fraction(199, 10000), "199/10000")
    told = compose([Approximate(unbounded.on(single), 0, 0.01)] * 2, adaptive=True)
    ensure(told.at("", "a").delta >= both and close(told.at("", "a").delta, 0.02), "1/50")
    rows.append(("two that shout", "{a} and {}", float(both), 0.02))
    return Table(rows, ["world", "pair with least left over", "exact delta", "sum of the deltas"])


def refused(ask: Callable) -> bool:
    """Say whether the library refuses a question."""
    try:
        ask()
    except ValueError:
        return True
    return False


def deltas_in_worlds(theorem: str, seed: int, whole: bool) -> list[tuple]:
    """Try the approximate theorem on random adaptive worlds, exactly; return where the least is left over."""
    rng, rows = np.random.default_rng(seed), []
    for n in range(1, 25):
        world, promises, distances, deltas = random_world(rng, whole, zeros=0.15), [], [], []
        for laws, f in zip(world.rounds, world.maps, strict=True):
            values = list(laws[0])
            d = hand.random_metric(rng, len(values))
            delta = excess(laws, d)
            promises.append(Approximate(PrivacySpace(values, matrix(d, values)), LOG2, matrix(delta, values)))
            distances.append(pulled(d, f, range(4)))
            deltas.append(pulled(delta, f, range(4)))
        promise = compose(promises, None if whole else world.maps, on=range(4), adaptive=True)
        ensure(promise.theorem() == theorem, "which theorem")
        row = kept_exactly(promise, world, plus(*distances), plus(*deltas))
        rows += [(f"random world {n}", *row)] if 0 < row[1] < row[2] and len(rows) < 5 else []
    return rows


def excess(several: Sequence[Laws], d: Distances) -> dict:
    """Return the least delta at e^eps = 2^d that all of several mechanisms have, for ordered pairs; 0 where d = inf."""
    at = lambda pair: max(delta_by_events(*two(laws, *pair), 2 ** int(d[pair])) for laws in several)  # noqa: E731
    return {pair: at(pair) if d[pair] < math.inf else 0 for pair in product(several[0], repeat=2)}


def kept_exactly(promise: Composed, world: World, d: Distances, deltas: dict) -> tuple:
    """Compare the exact deltas at 2^d with the promised ones, at all ordered pairs; return the tightest."""
    points, exact = world.databases, excess([world.laws()], d)
    ratios = np.array([[hand.power(2, d[D, E]) for E in points] for D in points], dtype=object)
    ensure(same(world.mechanism().deltas(ratio=ratios), matrix(exact, points)), "the library's deltas")
    ensure(same(promise.matrix, LOG2 * matrix(d, points)), "the distances, a second time")
    ensure(same(promise.deltas, matrix(deltas, points)), "the deltas, a second time")
    ensure(all(exact[pair] <= deltas[pair] for pair in exact), "kept, exactly, in both orders")
    pair = max(exact, key=lambda pair: exact[pair] / deltas[pair] if deltas[pair] else 0)
    return "{} and {}".format(*pair), float(exact[pair]), float(deltas[pair])


@claim("GMPS-Text-derive-all", verdict=CORRECTED, where="After Theorem VI.4", title="Everything from one theorem")
def everything_from_one_theorem():
    r"""From Theorem VI.4 all results before it are said to follow.

    With $\delta=0$ it is the adaptive theorem V.2, and from that follow the other composition theorems; but not from it
    alone. The best bounds also need Theorem III.3 (from neighbours to all pairs), and those for a common domain need
    Proposition IV.10 ($d^f$): these are not statements about composition and have their own proofs.
    """
    rng = np.random.default_rng(4)
    for _ in range(10):
        world = worlds.general_world(rng)
        promises = [Approximate(space, eps) for space, eps in zip(world.spaces, world.eps, strict=True)]
        zero = compose(promises, world.maps, on=world.space)
        told, finite = world.composed().matrix, np.isfinite(world.composed().matrix)
        ensure(same(zero.matrix, told) and not zero.deltas[finite].any(), "delta = 0 is the pure theorem")
    for arrow in implications.ARROWS:
        ensure(implications.run(arrow.source, arrow.target, rng).holds, f"{arrow.source} implies {arrow.target}")
    neighbours, dependent = {"IV.6", "V.4", "IV.12", "V.6", "IV.13"}, {"IV.11", "V.5"}
    inputs = {
        "Theorem VI.4 alone": neighbours | dependent,
        "and Theorem III.3": dependent,
        "and Proposition IV.10 instead": neighbours,
        "and both": set(),
    }
    rows = []
    for name, without in inputs.items():
        arrows = [(a.source, a.target) for a in implications.ARROWS if a.target not in without]
        reached = reached_from("V.2", arrows)
        rows.append((name, len(reached), ", ".join(sorted(set(implications.NODES) - reached)) or "none"))
    ensure([row[1] for row in rows] == [7, 11, 9, 16], "all 16 with both")
    ensure(implications.follows_from("V.2") == set(implications.NODES), "the library's map says the same")
    return Table(rows, ["given", "theorems that follow", "missing"])


def reached_from(start: str, arrows: Sequence[tuple]) -> set:
    """Return what can be reached, by adding targets until nothing changes."""
    reached = {start}
    while new := {target for source, target in arrows if source in reached} - reached:
        reached |= new
    return reached


@claim("GMPS-Thm-VI.5", verdict=MISPRINT, where="Theorem VI.5", title="Approximate sequential composition")
def approximate_sequential_composition():
    r"""If every mechanism is given the whole database and is $(d_i,\delta_i)$-private whatever was printed before, the
    composition is $(\sum d_i,\sum\delta_i)$-private.

    The hypothesis is printed for $\mathcal M_k$ in place of $\mathcal M_i$. Asking it of the last mechanism only is not
    enough: a first one that prints $D$, followed by one that says nothing, has $\delta=1$.
    """
    rows = deltas_in_worlds("VI.5", 5, whole=True)
    cls = DatabaseClass.multisets("a", at_most=1)
    literal = FiniteMechanism.printing(cls) @ FiniteMechanism.printing(cls, lambda D: "nothing")
    ensure(literal.pair("", "a").delta(ratio=10**6) == 1, "as printed: delta = 1 at any eps")
    ensure(not literal.keeps(compose([Approximate(unbounded.on(cls), 1, 0.01)] * 2)), "the promise is broken")
    rows.append(("as printed", "{} and {a}", 1.0, 0.02))
    return Table(rows, ["world", "pair with least left over", "exact delta", "sum of the deltas"])


@claim("GMPS-Thm-VI.6", verdict=HOLDS, where="Theorem VI.6", title="Approximate best bound for disjoint inputs")
def approximate_best_bound():
    r"""A compatible partition with sensitivities at most 1: if part $i$ is treated
    $(\varepsilon_i,\delta_i)$-privately, then the whole is $(\varepsilon d,\delta[d]_\varepsilon)$-private with
    $\varepsilon=\max\varepsilon_i$ and $\delta=\max\delta_i$.

    For neighbours nothing better can be said. For other pairs Theorem VI.4, applied to each part, is better: two steps
    in two parts cost $2\delta$ and not $\delta[2]_\varepsilon$, and a mechanism that shouts has $2\delta-\delta^2$.
    """
    rng, ratios = np.random.default_rng(6), (Fraction(2), Fraction(3, 2))
    space, steps = unbounded.on(RECORDS), hand.steps(RECORDS.databases, hand.added)
    for _ in range(8):
        world = disjoint_world(rng, zeros=0.15)
        delta, laws = max(map(delta_of_steps, world.rounds, ratios)), world.laws()
        ensure(world.mechanism().keeps(Approximate(space, LOG2, float(delta))), "kept at all 45 pairs")
        for pair, d in steps.items():
            promised = delta * sum(Fraction(2) ** t for t in range(d))
            ensure(delta_by_events(*two(laws, *pair), 2**d) <= promised, "exactly")
    parts = compose([Approximate(part, 1, 1e-5) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    ensure(parts.theorem() == "VI.6" and tuple(parts.level()) == (1, 1e-5), "the level is that of one part")
    theorem, pointwise = Approximate(space, 1, 1e-5).at("", "ab"), parts.at("", "ab")
    shout = {True: {"loud": SMALL, "quiet": 1 - SMALL}, False: {"quiet": Fraction(1)}}
    one, other = (FiniteMechanism(RECORDS, lambda D, x=x: shout[x in D]) for x in "ab")
    exact = (one @ other).pair("ab", "").delta(ratio=8)
    ensure(exact == 2 * SMALL - SMALL**2, "1.99999e-5")
    ensure(close(theorem.delta, float(SMALL) * (1 + math.e)) and close(pointwise.delta, 2e-5), "3.718e-5 and 2e-5")
    rows = [
        ("Theorem VI.6, two steps", float(theorem.epsilon), float(theorem.delta)),
        ("Theorem VI.4, one step in each part", float(pointwise.epsilon), float(pointwise.delta)),
        ("a mechanism that shouts, exactly", 2.0, float(exact)),
    ]
    return Table(rows, ["{} and {a,b}, each part (1, 1e-5)", "epsilon", "delta"])


def delta_of_steps(several: Sequence[Laws], ratio: Fraction) -> Fraction:
    """Return the least delta of several mechanisms for one record more or less."""
    near = [pair for pair in product(several[0], repeat=2) if hand.added(*pair)]
    return max(delta_by_events(*two(laws, *pair), ratio) for laws in several for pair in near)


@claim("GMPS-Thm-VI.7", verdict=FALSE, where="Theorem VI.7", title="Approximate composition for a common domain")
def approximate_common_domain():
    r"""If mechanism $i$ is $(d_i,\delta_i)$-private on $\mathbb D$ and looks at $f_i(D)$ only, the composition is said
    to be $(\sum d_i^{f_i},\sum\delta_i^{f_i})$-private, where $\delta_i^{f}(D,D')$ is the least $\delta_i$ of all pairs
    at the distance $d_i^{f}(D,D')$.

    False: it borrows $\delta$ from unrelated pairs. A mechanism that shouts "a" with probability 1/2 gets
    $\delta^f(\{a\},\emptyset)=0$ from the pair $\{b\},\emptyset$. Right: only pairs with the same values of $f$ as $D$
    and $D'$ may be taken; if $\delta_i$ is a function of $d_i$, both are the same. This holds for adaptive
    mechanisms too, although the conclusion is printed for independent ones.
    """
    half, cls = Fraction(1, 2), DatabaseClass.multisets("ab", at_most=1)
    laws = {D: {"quiet": 1 - half * ("a" in D), "a!": half * ("a" in D)} for D in cls}
    d = hand.steps(cls.databases, hand.added)
    delta, pair = excess([laws], d), (("a",), ())
    printed = min(delta[other] for other in delta if d[other] == d[pair])
    ensure(delta[pair] == half and printed == 0, "borrowed from another pair")
    promise = Approximate(unbounded.on(cls), LOG2, matrix(delta, cls.databases)).dependent_on(lambda D: D)
    ensure(same(promise.deltas, matrix(delta, cls.databases)), "corrected: nothing to gain for f = id")
    ensure(FiniteMechanism(cls, laws).keeps(promise), "which is kept")
    rows = [("shouts a: {a} and {}", float(half), float(printed), float(promise.deltas[1, 0]))]
    rng, broken = np.random.default_rng(7), 0
    for n in range(1, 31):
        row, fails = common_domain_deltas(rng)
        broken += fails
        rows += [(f"random world {n}: {row[0]}", *row[1:])] if fails and len(rows) < 6 else []
    ensure(broken > 0, "the printed form fails in random worlds too")
    return Table(rows, ["pair", "exact delta", "as printed", "corrected"])


def common_domain_deltas(rng: np.random.Generator) -> tuple[tuple, bool]:
    """Check the corrected theorem in one random world; return a row, and whether the printed form fails."""
    world, promises, distances, deltas, printed = random_world(rng, zeros=0.15), [], [], [], []
    for laws, f in zip(world.rounds, world.maps, strict=True):
        d, extra = hand.random_metric(rng, 4), hand.random_metric(rng, 4, largest=2)
        delta = excess([hand.after(one, f, range(4)) for one in laws], d)
        delta = {pair: x + Fraction(1, 20) * (extra[pair] == 1) for pair, x in delta.items()}
        promises.append(Approximate(PrivacySpace(range(4), matrix(d, range(4))), LOG2, matrix(delta, range(4))))
        distances.append(hand.least_over_fibres(d, range(4), f))
        deltas.append(least_deltas(delta, d, distances[-1], f))
        printed.append(least_deltas(delta, d, distances[-1], lambda D: "anything"))
    promise = compose(promises, world.maps, common_domain=True, adaptive=True)
    ensure(promise.theorem() == "VI.7", "which theorem")
    kept_exactly(promise, world, plus(*distances), plus(*deltas))
    exact, right, wrong = excess([world.laws()], plus(*distances)), plus(*deltas), plus(*printed)
    pair = max(exact, key=lambda pair: exact[pair] - wrong[pair])
    return ("{} and {}".format(*pair), *(float(x[pair]) for x in (exact, wrong, right))), exact[pair] > wrong[pair]


def least_deltas(delta: dict, d: Distances, least: Distances, f: Callable) -> dict:
    """Return the least delta among the pairs with the same values of f that are at the least distance."""
    fits = lambda D, E, A, B: (f(A), f(B), d[A, B]) == (f(D), f(E), least[D, E])  # noqa: E731
    return {pair: min(x for other, x in delta.items() if fits(*pair, *other)) for pair in delta}


@claim("GMPS-Ex-VI.8", verdict=CORRECTED, where="Example VI.8", title="Hospitals that share ambulances")
def hospitals_that_share_ambulances():
    r"""Each ambulance belongs to at most three of $k$ hospitals, and each hospital publishes a bounded
    $(1,10^{-5})$-DP count. One changed ambulance touches at most six counts; so all counts together are
    $(6d,\,6\cdot10^{-5}[d]_1)$-private, that is bounded $(6,6\cdot10^{-5})$-DP.

    The conclusion holds, the chain that leads to it does not: two changed ambulances can touch twelve counts, and then
    $\sum_{i\in I}d=24$ is not at most $6d=12$. Right: $\sum_id^{f_i}=12$. And the last step cannot be reversed:
    bounded $(6,6\cdot10^{-5})$-DP promises only $6\cdot10^{-5}[d]_6$ at distance $d$.
    """
    triples = [frozenset(range(n, n + 3)) for n in range(0, 12, 3)]
    far = shared_hospitals(triples, 12, exactly=2)
    mixed = shared_hospitals([*map(frozenset, ((0, 1, 2), (2, 3, 4), (1,), ()))], 5, exactly=3)
    rows = []
    for name, (promise, touched, steps, told) in (("k = 12, disjoint labels", far), ("k = 5, shared labels", mixed)):
        pair = max(steps, key=lambda pair: (steps[pair] == 2) * touched[pair])
        at = promise.at(*pair)
        ensure(close(at.epsilon, told[pair]), "the sum of d^f, a second time")
        rows.append((name, steps[pair], touched[pair], touched[pair] * steps[pair], 6 * steps[pair], float(at.epsilon)))
    ensure(rows[0][1:] == (2, 12, 24, 12, 12), "24 > 12 = 6 d, and the sum of d^f is 12")
    promise = far[0]
    level = promise.level(bounded.on(promise.cls))
    ensure(close(level.epsilon, 6) and close(level.delta, 6e-5), "bounded (6, 6e-5)-DP")
    twice = promise.at(triples[:2], triples[2:])
    ensure(close(twice.delta, 12e-5) and twice.delta < 6e-5 * bracket(2, 1), "12 delta_0 against 22.31 delta_0")
    ensure(all_close((6e-5 * bracket(2, 1), 6e-5 * bracket(2, 6)), (0.000223, 0.0243), 2e-3), "0.000223 and 0.0243")
    return Table(rows, ["hospitals", "changed d", "counts touched", "printed sum", "6 d", "sum of d^f"])


def shared_hospitals(records: list[frozenset], k: int, exactly: int) -> tuple:
    """Compare the promise of all counts with 6 d and 6 delta [d] at all pairs; return promise, I, d and sum of d^f."""
    cls, maps = DatabaseClass.multisets(records, exactly=exactly), Maps.by_label(range(k))
    promise = compose([Approximate(bounded.on(cls), 1, 1e-5)] * k, maps, common_domain=True)
    steps = hand.steps(cls.databases, hand.replaced)
    told, deltas = dict.fromkeys(steps, 0), dict.fromkeys(steps, 0.0)
    for label in range(k):
        seen = lambda D, label=label: tuple(x for x in D if label in x)  # noqa: E731
        closed = hand.shortened(hand.least_over_fibres(steps, cls.databases, seen), cls.databases)
        told = plus(told, closed)
        deltas = plus(deltas, {pair: 1e-5 * sum(math.exp(t) for t in range(d)) for pair, d in closed.items()})
    ensure(same(promise.matrix, matrix(told, cls.databases)), "the sum of d^f")
    ensure(same(promise.deltas, matrix(deltas, cls.databases)), "the sum of the deltas")
    for pair, d in steps.items():
        ensure(told[pair] <= 6 * d and deltas[pair] <= 6e-5 * bracket(d, 1) * (1 + 1e-12), "6 d and 6 delta [d]")
    touched = {(D, E): len(maps.touched(D, E)) for D, E in steps}
    return promise, touched, steps, told


# ----------------------------------------------------------------------------------- section VI-B: zero-concentrated


@claim("GMPS-Def-VI.9", verdict=DEFINITION, where="Definition VI.9", title="The Rényi divergence")
def renyi_divergence():
    r"""$D_\alpha(P\|Q)=\frac1{\alpha-1}\ln\sum_yP(y)^\alpha Q(y)^{1-\alpha}$ for $\alpha>1$; its limit $D_\infty$ is
    the logarithm of the largest $P(S)/Q(S)$ over all events $S$.

    It grows with $\alpha$. At $\alpha=1$ the limit is the Kullback-Leibler divergence.
    """
    p, q = [Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2)] * 2
    rng = np.random.default_rng(8)
    for a, b in [(p, q), (q, p)] + [tuple(reference.random_law(rng, 4) for _ in "pq") for _ in range(20)]:
        pair, orders = Pair(a, b), (1, 1.5, 2, 10, 100, 1000)
        told, largest = pair.renyi(np.array(orders)), reference.ratio_by_events(a, b, 0)
        ensure(same(told, [renyi(a, b, alpha) for alpha in orders]), "with mpmath")
        ensure(np.all(told[1:] >= told[:-1] * (1 - 1e-12)), "it grows")
        ensure(same(pair.renyi(math.inf), log(largest)), "over all events")
    forth, back = Pair(p, q), Pair(q, p)
    rows = [(float(alpha), forth.renyi(alpha), back.renyi(alpha)) for alpha in (1, 2, 10, 100, 1000, math.inf)]
    ensure(all_close([row[1] for row in rows[2:]], (0.5761, 0.5867, 0.5877, 0.5878), 2e-4), "0.5761 to 0.5878")
    return Table(rows, ["alpha", "P = (0.9, 0.1), Q = (0.5, 0.5)", "Q against P"])


@claim("GMPS-Text-weak-triangle", verdict=CORRECTED, where="After Definition VI.9", title="A weak triangle inequality")
def weak_triangle_inequality():
    r"""Rényi divergences are not symmetric and violate the triangle inequality, but for all $\alpha,k\ge1$:
    $D_\alpha(P\|R)\le\frac{k\alpha}{k\alpha-1}D_{\frac{k\alpha-1}{k-1}}(P\|Q)+D_{k\alpha}(Q\|R)$.

    Right for $\alpha,k>1$, and also if one of them is 1 (for $k=1$ the first order is $\infty$). For $\alpha=k=1$ the
    right side is not defined: the factor is $1/0$.
    """
    nine, even, one = [Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2)] * 2, [Fraction(1, 10), Fraction(9, 10)]
    rng, rows = np.random.default_rng(9), []
    for _ in range(60):
        laws = [[x / 2 + Fraction(1, 8) for x in reference.random_law(rng, 4)] for _ in "PQR"]
        alpha, k = 1 + rng.exponential() * (rng.random() < 0.9), 1 + rng.exponential()
        left, right = weak_triangle(laws, alpha, k)
        ensure(left <= right * (1 + 1e-12), "the weak inequality")
    for alpha, k in ((2, 2), (2, 1.2), (2, 1), (1, 2), (10, 3)):
        left, right = weak_triangle((nine, even, one), alpha, k)
        plain = Pair(nine, even).renyi(alpha) + Pair(even, one).renyi(alpha)
        ensure(left <= right, "also where one of them is 1")
        rows.append((float(alpha), float(k), left, plain, right))
    ensure(all_close(rows[0][2:4], (2.0932, 1.5163), 1e-4), "2.0932 > 1.5163: no triangle inequality")
    forth, back = Pair(nine, even).renyi(2), Pair(even, nine).renyi(2)
    ensure(all_close((forth, back), (0.4947, 1.0217), 1e-4), "0.4947 against 1.0217: not symmetric")
    return Table(rows, ["alpha", "k", "D(P||R)", "D(P||Q) + D(Q||R), order alpha", "weak inequality"])


def weak_triangle(laws: Sequence, alpha: float, k: float) -> tuple[float, float]:
    """Return both sides of the weak triangle inequality, checked with mpmath."""
    p, q, r = laws
    order = (k * alpha - 1) / (k - 1) if k > 1 else math.inf
    sides = []
    for d in (renyi, lambda a, b, at: Pair(a, b).renyi(at)):
        sides.append((d(p, r, alpha), k * alpha / (k * alpha - 1) * d(p, q, order) + d(q, r, k * alpha)))
    ensure(same(*sides), "both sides, a second time")
    return sides[1]


@claim("GMPS-Text-Dinf", verdict=HOLDS, where="Before Definition VI.10", title="Pure privacy as a Rényi divergence")
def pure_privacy_as_a_divergence():
    r"""$\mathcal M$ is $d$-private if and only if $D_\infty(\mathcal M(D)\|\mathcal M(D'))\le d(D,D')$ for all $D,D'$.

    "All" includes both orders, and they differ. So the least $d$ is the larger of the two.
    """
    rng, rows = np.random.default_rng(10), []
    for n in range(1, 9):
        laws = hand.random_laws(rng, range(4), 3, zeros=0.1 * (n > 4))
        mechanism, least = FiniteMechanism(range(4), laws), {}
        for D, E in product(range(4), repeat=2):
            p, q = two(laws, D, E)
            forth, back = mechanism.pair(D, E).renyi(math.inf), mechanism.pair(E, D).renyi(math.inf)
            least[D, E] = max(log(reference.ratio_by_events(p, q, 0)), log(reference.ratio_by_events(q, p, 0)))
            ensure(same(max(forth, back), least[D, E]), "over all events, in both orders")
        d = matrix(least, range(4))
        ensure(same(mechanism.losses(), d), "the library's losses")
        ensure(mechanism.keeps(Pure(PrivacySpace(range(4), d), 1)), "the least d is kept")
        i, j = np.unravel_index(np.argmax(np.where(np.isinf(d), 0, d)), d.shape)
        less = np.where(np.isin(np.arange(16).reshape(4, 4), [4 * i + j, 4 * j + i]), d - 1e-6, d)
        ensure(mechanism.broken(Pure(PrivacySpace(range(4), less), 1)) in ((i, j), (j, i)), "less is broken there")
        pair = mechanism.pair(int(i), int(j))
        rows.append((n, f"{i} and {j}", pair.renyi(math.inf), pair.reversed().renyi(math.inf), float(d[i, j])))
    return Table(rows, ["mechanism", "D and D'", "D_inf forth", "D_inf back", "least d"])


def log(ratio) -> float:
    """Return the logarithm, also of infinity."""
    return math.log(ratio) if ratio < math.inf else math.inf


@claim("GMPS-Def-VI.10", verdict=DEFINITION, where="Definition VI.10", title="Zero-concentrated privacy")
def zero_concentrated_privacy():
    r"""$\mathcal M$ is $\mathcal G$ $\rho$-zCDP if $D_\alpha(\mathcal M(D)\|\mathcal M(D'))\le\rho\alpha$ for all
    neighbours and all $\alpha>1$.

    For randomized response the worst order is $\alpha\to1$, so that $\rho=\varepsilon\tanh(\varepsilon/2)$; for
    $e^{\varepsilon}=3$ that is 0.54931. Gaussian noise has $D_\alpha=\alpha\mu^2/2$ at every order.
    """
    rho, rows = concentrated_loss(COIN), []
    for alpha in (1, 1.01, 2, 5, 50):
        coin, noise = renyi([*COIN.p], [*COIN.q], alpha), gaussian_renyi(1, alpha)
        ensure(coin <= rho * alpha * (1 + 1e-12) and close(noise, alpha / 2, 1e-9), "at most rho alpha")
        rows.append((float(alpha), float(coin), float(coin / alpha), noise / alpha))
    exact = mp.log(3) * mp.tanh(mp.log(3) / 2)
    ensure(close(rho, exact) and close(rho, 0.54931, 1e-5) and close(pure_rho(math.log(3)), exact), "0.54931")
    ensure(close(rows[0][2], rho) and rows[1][2] < rho, "the supremum is the limit at 1")
    rng = np.random.default_rng(11)
    for _ in range(20):
        laws, edges = hand.random_laws(rng, range(4), 3), hand.random_graph(rng, 4, 0.6)
        told = FiniteMechanism(range(4), laws).level(Granularity(edges).on(range(4)), "zero-concentrated")
        ensure(same(told, max((least_rho(*two(laws, *pair)) for pair in edges), default=0)), "the worst neighbours")
    return Table(rows, ["alpha", "D_alpha, randomized response", "per alpha", "Gaussian noise (mu = 1), per alpha"])


def gaussian_renyi(mu: float, alpha: float) -> float:
    """Return the Rényi divergence of N(0, 1) against N(mu, 1), by summing densities on a fine grid; order 1 is KL."""
    x = (1 - alpha) * mu + np.arange(-12, 12, 0.01)
    log_p, log_q = -(x**2) / 2, -((x - mu) ** 2) / 2  # up to the same constant
    if alpha == 1:
        return float(np.exp(log_p) @ (log_p - log_q) / np.exp(log_p).sum())
    powers = alpha * log_p + (1 - alpha) * log_q
    total = np.exp(powers - powers.max()).sum() * 0.01 / math.sqrt(2 * math.pi)
    return (math.log(total) + float(powers.max())) / (alpha - 1)


@claim("GMPS-Text-zCDP-group", verdict=HOLDS, where="Before Definition VI.11", title="Quadratic group privacy")
def quadratic_group_privacy():
    r"""$\rho$ grows with the square of the distance: $n$ steps of $\rho$-zCDP make $n^2\rho$, and Gaussian noise needs
    that.

    In other words, $\sqrt\rho$ satisfies the triangle inequality. A geometric count stays below: far away it loses
    about $\varepsilon$ a step, and no square.
    """
    rng = np.random.default_rng(12)
    for _ in range(60):
        laws = [reference.random_law(rng, 3, 30) for _ in "PQR"]
        pq, pr, qr = (math.sqrt(concentrated_loss(Pair(*pair))) for pair in combinations(laws, 2))
        ensure(same((pq, pr, qr), [root_rho(*pair) for pair in combinations(laws, 2)]), "a second time")
        ensure(pr <= (pq + qr) * (1 + 1e-9), "the triangle inequality")
    count, rows = FiniteMechanism.noisy_count(DatabaseClass.multisets("a", at_most=8), ratio=2), []
    for n in (1, 2, 3, 4, 8):
        told, law = count.loss("", "a" * n, "zero-concentrated"), count.pair("", "a" * n)
        ensure(same(told, least_rho([*law.p], [*law.q])), "rho, a second time")
        ensure(n == 1 or told <= n**2 * rows[0][1], "at most n^2 rho")
        ensure(count.ratio("", "a" * n) == 2**n, "pure privacy: log 2 a step")
        noise = gaussian_renyi(n, 1.5) / 1.5
        ensure(close(noise, n * n / 2, 1e-9), "n^2 rho for Gaussian noise")
        rows.append((n, told, n**2 * (rows[0][1] if rows else told), noise, n**2 / 2))
    shares = [row[1] / row[2] for row in rows]
    ensure(shares == sorted(shares, reverse=True) and shares[-1] < 0.5, "the count needs less and less of it")
    return Table(rows, ["steps n", "rho of a geometric count", "n^2 rho", "rho of Gaussian noise", "n^2 / 2"])


@claim("GMPS-Def-VI.11", verdict=DEFINITION, where="Definition VI.11", title="Zero-concentrated privacy over a metric")
def zero_concentrated_over_a_metric():
    r"""$d^2$-zCprivacy: $D_\alpha(\mathcal M(D)\|\mathcal M(D'))\le d(D,D')^2\alpha$ for all databases and all
    $\alpha>1$, where $d$ is a metric.

    The least such $d$ is $\sqrt\rho$ between the two databases, which is a metric indeed; a promise of less is broken.
    Infinite distances promise nothing.
    """
    rows = over_a_metric(ZeroConcentrated, 13)
    return Table(rows, ["mechanism", "D and D'", "rho between them", "d = sqrt(rho)", "pairs at distance inf"])


def over_a_metric(notion: type[MetricPrivacy], seed: int) -> list[tuple]:
    """Show that the least d of random mechanisms is a metric, is kept, and cannot be less; return the largest."""
    rng, rows, power = np.random.default_rng(seed), [], POWERS[notion.notion]
    for n in range(1, 7):
        laws = hand.random_laws(rng, range(4), 3, zeros=0.08 * (n > 4))
        mechanism, d = FiniteMechanism(range(4), laws), losses([laws], LOSSES[notion.notion])
        table = matrix(d, range(4))
        ensure(same(mechanism.losses(notion.notion), table**power), "the losses, a second time")
        shortest = all(d[x, z] <= (d[x, y] + d[y, z]) * (1 + 1e-9) for x, y, z in permutations(range(4), 3))
        ensure(shortest and PrivacySpace(range(4), table).is_metric, "the triangle inequality")
        ensure(mechanism.keeps(notion(PrivacySpace(range(4), table), 1)), "kept")
        D, E = max((pair for pair in d if d[pair] < math.inf), key=d.get)
        less = {**d, (D, E): 0.999 * d[D, E], (E, D): 0.999 * d[D, E]}
        promise = notion(PrivacySpace(range(4), matrix(less, range(4))), 1)
        ensure(mechanism.broken(promise) in ((D, E), (E, D)), "less is broken there")
        rows.append((n, f"{D} and {E}", d[D, E] ** power, d[D, E], sum(x == math.inf for x in d.values()) // 2))
    return rows


@claim("GMPS-Thm-VI.12", verdict=MISPRINT, where="Theorem VI.12", title="Zero-concentrated privacy of groups")
def zero_concentrated_groups():
    r"""$\mathcal G$ $\rho$-zCDP for neighbours is said to be the same as $\rho(d^{\mathcal G})^2$-privacy.

    It must say zCprivacy. Read literally, as pure privacy, one direction fails: randomized response with
    $e^{\varepsilon}=3$ has $\rho=0.549$ but loses $\ln3=1.099$, and Gaussian noise is not purely private at all.
    """
    cls = DatabaseClass.multisets("a", at_most=1)
    coin = FiniteMechanism(cls, [[*COIN.p], [*COIN.q]])
    rho, loss = coin.level(unbounded.on(cls), "zero-concentrated"), coin.level(unbounded.on(cls))
    ensure(close(rho, 0.54931, 1e-5) and close(loss, math.log(3)) and rho < loss, "0.549 < 1.099")
    ensure(close(rho, least_rho([*COIN.p], [*COIN.q]), 1e-9), "rho, a second time")
    ensure(not coin.keeps(Pure(unbounded.on(cls), rho)) and coin.keeps(ZeroConcentrated(unbounded.on(cls), rho)), "zC")
    ensure(mechanisms.gaussian(1).epsilon(0) == math.inf, "Gaussian noise has no eps at delta = 0")
    rows = [("randomized response", "one step", rho, rho, loss)]
    rows += [(f"random {n}", *row) for n, row in enumerate(groups_of(ZeroConcentrated, 14), 1)]
    return Table(rows, ["mechanism", "pair", "exact rho", "rho d^2", "pure loss"])


def groups_of(notion: type[MetricPrivacy], seed: int) -> list[tuple]:
    """Check that a level for neighbours holds at all pairs of random spaces; return a pair several steps apart."""
    rng, rows, power = np.random.default_rng(seed), [], POWERS[notion.notion]
    while len(rows) < 5:
        edges, laws = hand.random_graph(rng, 6, 0.3), hand.random_laws(rng, range(6), 3)
        steps, d = hand.steps(range(6), edges), losses([laws], LOSSES[notion.notion])
        level = max((d[pair] for pair in edges), default=0.0)
        space, mechanism = Granularity(edges).on(range(6)), FiniteMechanism(range(6), laws)
        ensure(same(mechanism.level(space, notion.notion), level**power), "the level of the neighbours")
        promise = notion(space, level**power)
        far = {pair: level * n for pair, n in steps.items() if n < math.inf}
        ensure(all(same(promise.matrix[pair], x**power) for pair, x in far.items()), "the promise")
        ensure(all(d[pair] <= x * (1 + 1e-9) for pair, x in far.items()), "kept at all pairs")
        ensure(mechanism.keeps(promise) and not mechanism.keeps(notion(space, 0.99 * level**power)), "and no less")
        pairs = [pair for pair in far if steps[pair] == 2]
        for pair in sorted(pairs, key=d.get)[-1:]:
            loss = hand.ratio(laws[pair[0]], laws[pair[1]])
            rows.append(("two steps", d[pair] ** power, far[pair] ** power, math.log(loss)))
    return rows


@claim("GMPS-Thm-VI.13", verdict=HOLDS, where="Theorem VI.13", title="Zero-concentrated adaptive composition")
def zero_concentrated_composition():
    r"""If mechanism $i$ is $d_i^2$-zCprivate whatever was printed before, and is given $f_i(D)$, all together are
    $d^2$-zCprivate with $d^2(D,D')=\sum_id_i^2(f_i(D),f_i(D'))$.

    So $d$ is the Euclidean norm of the distances, and again a metric. In each world the promises are as small as the
    mechanisms allow.
    """
    rows = squares_in_worlds("VI.13", ZeroConcentrated, 15)
    ensure(max(row[1] / row[2] for row in rows) > 0.9, "sometimes nearly attained")
    return Table(rows[:8], ["D and D'", "exact rho", "sum of squares"])


@claim("GMPS-Thm-VI.14", verdict=MISPRINT, where="Theorem VI.14", title="Zero-concentrated, common domain")
def zero_concentrated_common_domain():
    r"""For mechanisms that are $d_i^2$-zCprivate on $\mathbb D$ and look at $f_i(D)$ only, the composition is said to
    be $\sum_id_i^2$-zCprivate.

    The superscript is missing: $\sum_i(d_i^{f_i})^2$ is meant. As printed it is true, but that is Theorem VI.15, and
    the functions play no role. A coarse count $\lfloor|D|/3\rfloor$, released twice, between 0 and 8 records: 128 as
    printed, 32 with $d^f$, and 8 with its metric closure.
    """
    common_squares_in_worlds("VI.14", ZeroConcentrated, 16)
    space, coarse = unbounded.on(DatabaseClass.multisets("a", at_most=8)), lambda D: len(D) // 3
    steps, ends = hand.steps(space.databases, hand.added), ((), ("a",) * 8)
    raw = hand.least_over_fibres(steps, space.databases, coarse)
    promises, rows = [ZeroConcentrated(space, 1)] * 2, []
    for name, by_hand, told in (
        ("as printed", steps, compose(promises)),
        ("with d^f", raw, compose(promises, [coarse] * 2, common_domain=True, closure=False)),
        ("with its closure", hand.shortened(raw, space.databases), compose(promises, [coarse] * 2, common_domain=True)),
    ):
        ensure(told.at(*ends) == 2 * by_hand[ends] ** 2, "twice the square")
        rows.append((name, by_hand[ends], float(told.at(*ends))))
    ensure([row[2] for row in rows] == [128, 32, 8], "128, 32, 8")
    exact = 2 * gaussian_renyi(2 * math.sqrt(2), 1.5) / 1.5  # twice a count that moves by 2, with noise sqrt(1/2)
    ensure(close(exact, 8, 1e-9), "Gaussian noise attains 8")
    rows.append(("Gaussian noise, exactly", 2, exact))
    return Table(rows, ["0 and 8 records", "d", "rho of two releases"])


@claim("GMPS-Thm-VI.15", verdict=HOLDS, where="Theorem VI.15", title="Zero-concentrated sequential composition")
def zero_concentrated_sequential():
    r"""If every mechanism is given the whole database and is $d_i^2$-zCprivate whatever was printed before, the
    composition is $\sum_id_i^2$-zCprivate.

    With $d_i^2=\rho_id^2$ the parameters add up, for any granularity.
    """
    rows = squares_in_worlds("VI.15", ZeroConcentrated, 17, whole=True)
    for granularity in (unbounded, bounded, free_lunch):
        space = granularity.on(RECORDS)
        told = compose([ZeroConcentrated(space, rho) for rho in (0.5, 0.25, 2)], adaptive=True)
        ensure(told.level() == 2.75 and told.theorem() == "VI.15", "0.5 + 0.25 + 2")
    return Table(rows[:8], ["D and D'", "exact rho", "sum of squares"])


@claim("GMPS-Text-VI.15-di", verdict=MISPRINT, where="After Theorem VI.15", title="A square too many")
def a_square_too_many():
    r"""To recover the known bound $\sum\rho_i$, the metrics are chosen as $d_i=\rho_i(d^{\mathcal U})^2$.

    The square is on the wrong side: $d_i^2=\rho_i(d^{\mathcal U})^2$, so $d_i=\sqrt{\rho_i}\,d^{\mathcal U}$. As
    printed, $d_i$ is not a metric, and $\sum d_i^2=\sum\rho_i^2$ for neighbours is too small: two randomized responses
    with $e^{\varepsilon}=3$ have exactly $2\rho=1.0986$, not $2\rho^2=0.6035$.
    """
    rho, rows = least_rho([*COIN.p], [*COIN.q]), []
    space = unbounded.on(DatabaseClass.multisets("a", at_most=2))
    ensure(not PrivacySpace(space.cls, rho * space.matrix**2).is_metric, "as printed, no metric")
    ensure(PrivacySpace(space.cls, math.sqrt(rho) * space.matrix).is_metric, "a metric")
    for k in (1, 2, 3, 4):
        pair = COIN**k
        exact = least_rho(*reference.product_pair([([*COIN.p], [*COIN.q])] * k))
        told = compose([ZeroConcentrated(space, rho)] * k).at("", "a")
        ensure(close(concentrated_loss(pair), exact, 1e-9) and close(told, exact, 1e-9), "exactly k rho")
        ensure(k * rho**2 < exact, "as printed, too small")
        rows.append((k, exact, told, k * rho**2))
    ensure(close(rows[1][1], math.log(3), 1e-9) and close(rows[1][3], 0.6035, 1e-4), "1.0986 and 0.6035")
    return Table(rows, ["k", "exact rho of k coins", "sum of rho", "as printed, sum of rho^2"])


@claim("GMPS-Thm-VI.16", verdict=HOLDS, where="Theorem VI.16", title="Zero-concentrated best bound")
def zero_concentrated_best_bound():
    r"""A compatible partition with sensitivities at most 1: parts that are treated $\rho_i$-zCprivately make the whole
    $\rho\,d^2$-zCprivate, with $\rho=\max\rho_i$.

    For neighbours nothing better can be said. For two steps in two parts, Theorem VI.13 promises
    $\rho_1+\rho_2\le2\rho$ instead of $4\rho$: the gain that the paper shows for Gaussian privacy is there for this
    notion too.
    """
    rows = squares_of_parts("VI.16", ZeroConcentrated, 18)
    space = unbounded.on(RECORDS)
    told = compose([ZeroConcentrated(part, 0.5) for part in PARTS.spaces(space)], PARTS, on=space)
    ensure(told.theorem() == "VI.16" and told.level() == 0.5, "the level is that of one part")
    ensure((told.at("", "ab"), ZeroConcentrated(space, 0.5).at("", "ab")) == (1, 2), "2 rho against 4 rho")
    return Table(rows, ["rho of the a's", "rho of the b's", "exact, {} and {a,b}", "by parts", "max rho d^2"])


# -------------------------------------------------------------------------------------------- section VI-C: Gaussian


@claim("GMPS-Def-VI.17", verdict=DEFINITION, where="Definition VI.17", title="The trade-off function")
def trade_off_function():
    r"""$T(P,Q)(\alpha)$ is the least type II error $1-\mathbb E_Q\phi$ of all rejection rules $0\le\phi\le1$ whose
    type I error $\mathbb E_P\phi$ is at most $\alpha$.

    Rules may toss coins. Mixing two events is enough: the trade-off is the lower boundary of what all events achieve,
    with straight lines between them. For $P=(2/3,1/3)$, $Q=(1/3,2/3)$ its corners are $(0,1)$, $(1/3,1/3)$, $(1,0)$.
    """
    third = Fraction(1, 3)
    rng, rows = np.random.default_rng(19), []
    laws = [tuple(reference.random_law(rng, 4) for _ in "PQ") for _ in range(8)]
    for n, (p, q) in enumerate([([2 * third, third], [third, 2 * third]), *laws]):
        for alpha in (Fraction(0), third / 2, third, 2 * third, Fraction(1)):
            told, exact = Pair(p, q).tradeoff(alpha), least_type_two_error(p, q, alpha)
            ensure(told == exact, "over all pairs of events, exactly")
            rows += [(alpha, told, exact, gaussian_tradeoff(pure_mu(LOG2), float(alpha)))] if n == 0 else []
    ensure([row[1] for row in rows] == [1, 2 * third, third, third / 2, 0], "the corners and the lines between them")
    return Table(rows, ["alpha", "T(P, Q)", "all mixtures of two events", "Gaussian with mu = 0.861455"])


def least_type_two_error(p: Sequence, q: Sequence, alpha: Fraction) -> Fraction:
    """Return the least type II error at type I error alpha, over all mixtures of two events."""
    tests = [(a, 1 - b) for a, b in reference.event_laws(p, q)]
    low, high = [t for t in tests if t[0] <= alpha], [t for t in tests if t[0] > alpha]
    mixed = [y + (alpha - x) / (v - x) * (w - y) for (x, y), (v, w) in product(low, high)]
    return min([y for _, y in low] + mixed)


@claim("GMPS-Def-VI.18", verdict=DEFINITION, where="Definition VI.18", title="Gaussian privacy")
def gaussian_privacy():
    r"""$\mathcal M$ is $\mathcal G$ $\mu$-GDP if $T(\mathcal M(D),\mathcal M(D'))\ge G_\mu$ for all neighbours, where
    $G_\mu$ is the trade-off between $\mathcal N(0,1)$ and $\mathcal N(\mu,1)$.

    The trade-off of a finite mechanism is made of straight lines and $G_\mu$ is convex, so the corners decide:
    $\mu=\max\Phi^{-1}(1-\alpha)-\Phi^{-1}(\beta)$. Randomized response with odds 2 to 1 has $\mu=0.861455$.
    """
    rng, rows = np.random.default_rng(20), []
    for n in range(1, 8):
        laws, edges = hand.random_laws(rng, range(4), 3), [(0, 1), (1, 0), (1, 2), (2, 1)]
        mechanism, space = FiniteMechanism(range(4), laws), Granularity(edges).on(range(4))
        told, exact = mechanism.level(space, "Gaussian"), max(least_mu(*two(laws, *pair)) for pair in edges)
        ensure(close(told, exact, 1e-9), "over all events")
        gaps = [min(gap_of(mechanism.pair(*pair), mu) for pair in edges) for mu in (told, 0.97 * told)]
        ensure(gaps[0] >= -1e-12 and gaps[1] < 0, "nowhere below G_mu, but below that of a smaller mu")
        rows.append((f"random {n}", told, max(gaps[0], 0.0), gaps[1]))
    coin = mechanisms.randomized_response(ratio=2)
    told = gaussian_loss(coin)
    ensure(close(told, 2 * mp.sqrt(2) * mp.erfinv(2 * mp.mpf(2) / 3 - 1)) and close(told, 0.861455, 1e-6), "0.861455")
    ensure(close(pure_mu(LOG2), told), "the worst of all ln(2)-DP mechanisms")
    rows.insert(0, ("randomized response", told, *(gap_of(coin, told * x) for x in (1, 0.97))))
    return Table(rows, ["mechanism", "mu", "least T - G_mu", "with 0.97 mu"])


def gap_of(pair: Pair, mu: float) -> float:
    """Return by how much a trade-off stays above G_mu, at 999 values of alpha."""
    alphas = np.linspace(0.001, 0.999, 999)
    return float(np.min(pair.tradeoff(alphas) - gaussian_tradeoff(mu, alphas)))


@claim("GMPS-Text-Gmu", verdict=HOLDS, where="After Definition VI.18", title="The Gaussian trade-off")
def gaussian_trade_off():
    r"""$G_\mu(\alpha)=\Phi(\Phi^{-1}(1-\alpha)-\mu)$, and it decreases with $\mu$.

    The best test of the mean of a normal law is a threshold. A second way, without any test: the trade-off is the
    largest of the lines $1-\delta(\varepsilon)-e^{\varepsilon}\alpha$, with the $\delta(\varepsilon)$ of Gaussian
    noise.
    """
    rows = []
    for alpha in (0.01, 0.05, 0.3, 0.7):
        told = [gaussian_tradeoff(mu, alpha) for mu in (0.5, 1, 2)]
        ensure(same(told, [tradeoff_by_lines(mu, alpha) for mu in (0.5, 1, 2)]), "the highest line")
        ensure(same(told, [mechanisms.gaussian(mu).tradeoff(alpha) for mu in (0.5, 1, 2)]), "the Gaussian mechanism's")
        ensure(told == sorted(told, reverse=True), "decreasing")
        rows.append((alpha, *told))
    grid = [gaussian_tradeoff(mu, np.linspace(0, 1, 201)) for mu in (0, 0.1, 0.5, 1, 2, 4, 8)]
    ensure(all(np.all(low <= high) for high, low in pairwise(grid)), "at every alpha")
    return Table(rows, ["alpha", "mu = 0.5", "mu = 1", "mu = 2"])


def tradeoff_by_lines(mu: float, alpha: float) -> float:
    """Return the largest 1 - delta(eps) - e^eps alpha; it is concave in e^eps."""
    return float(highest(lambda eps: 1 - reference.gaussian_delta(mu, eps) - mp.exp(eps) * mp.mpf(alpha), -12, 12))


@claim("GMPS-Def-VI.19", verdict=DEFINITION, where="Definition VI.19", title="Gaussian privacy over a metric")
def gaussian_privacy_over_a_metric():
    r"""$d$-Gprivacy: $T(\mathcal M(D),\mathcal M(D'))\ge G_{d(D,D')}$ for all databases, where $d$ is a metric and
    $G_\infty=0$.

    The least such $d$ is the $\mu$ between the two databases, which is a metric indeed; a promise of less is broken.
    """
    rows = [(*row[:3], row[4]) for row in over_a_metric(Gaussian, 21)]
    return Table(rows, ["mechanism", "D and D'", "least d = mu between them", "pairs at distance inf"])


@claim(
    "GMPS-Text-Ginf", verdict=MISPRINT, where="Definition VI.19, limit", title="The limit of the Gaussian trade-offs"
)
def limit_of_trade_offs():
    r"""$G_\infty$ is introduced as the limit of $G_\mu$, which is said to be 0.

    Not at $\alpha=0$: $G_\mu(0)=1$ for every finite $\mu$. With the limit, a distance $\infty$ would still forbid
    outputs that only one of two databases can have, such as $D$ itself. $G_\infty=0$ has to be set.
    """
    rows = []
    for mu in (1, 5, 50, math.inf):
        told = [gaussian_tradeoff(mu, alpha) for alpha in (0, 1e-3, 0.5, 1)]
        for alpha, value in zip((1e-3, 0.5), told[1:3], strict=True):
            exact = mp.ncdf(mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(alpha)) - mu) if mu < math.inf else 0
            ensure(abs(value - exact) <= 1e-12 * exact + 1e-300, "with mpmath")
        ensure(told[0] == (1 if mu < math.inf else 0), "1 at alpha = 0, except for mu = inf")
        rows.append((float(mu), *map(float, told)))
    ensure(rows[1][1] == 1 and rows[2][2] < 1e-300, "G_5(0) = 1, G_50(0.001) = 0")
    loud = FiniteMechanism.printing(RECORDS)
    ensure(loud.pair("", "a").tradeoff(0) == 0 and gaussian_loss(loud.pair("", "a")) == math.inf, "printing D")
    nothing = PrivacySpace(RECORDS, np.where(np.eye(len(RECORDS)), 0, np.inf))
    ensure(loud.keeps(Gaussian(nothing, 1)), "distance inf allows everything")
    return Table(rows, ["mu", "G(0)", "G(0.001)", "G(0.5)", "G(1)"])


@claim("GMPS-Thm-VI.20", verdict=HOLDS, where="Theorem VI.20", title="Gaussian privacy of groups")
def gaussian_groups():
    r"""$\mathcal G$ $\mu$-GDP for neighbours is the same as $\mu d^{\mathcal G}$-Gprivacy for all pairs.

    Because $\mu$ is symmetric and satisfies the triangle inequality. Gaussian noise attains it: $n$ steps shift the
    mean by $n$.
    """
    rng = np.random.default_rng(22)
    for _ in range(60):
        laws = [reference.random_law(rng, 3, 30) for _ in "PQR"]
        pairs = list(combinations(laws, 2))
        pq, pr, qr = (gaussian_loss(Pair(*pair)) for pair in pairs)
        ensure(same((pq, pr, qr), [least_mu(*pair) for pair in pairs]), "over all events")
        ensure(same((pq, pr, qr), [gaussian_loss(Pair(*pair).reversed()) for pair in pairs]), "symmetric")
        ensure(pr <= (pq + qr) * (1 + 1e-12), "the triangle inequality")
    rows = [(f"random {n}", *row[:3]) for n, row in enumerate(groups_of(Gaussian, 23), 1)]
    space = unbounded.on(DatabaseClass.multisets("a", at_most=3))
    told = Gaussian(space, 0.5).at("", "aaa")
    ensure(told == 1.5 and same(tradeoff_by_lines(1.5, 0.1), gaussian_tradeoff(told, 0.1)), "three steps of 0.5")
    rows.append(("Gaussian noise, mu = 0.5", "three steps", 1.5, told))
    return Table(rows, ["mechanism", "pair", "exact mu", "mu d"])


@claim("GMPS-Thm-VI.21", verdict=HOLDS, where="Theorem VI.21", title="Gaussian adaptive composition")
def gaussian_composition():
    r"""If mechanism $i$ is $d_i$-Gprivate whatever was printed before, and is given $f_i(D)$, all together are
    $d$-Gprivate with $d(D,D')=\sqrt{\sum_id_i(f_i(D),f_i(D'))^2}$.

    The text calls it the sum of the squares; it is the root of that, the Euclidean norm. Gaussian noise attains it, and
    finite mechanisms stay below.
    """
    rows = [(f"random {n}", *row) for n, row in enumerate(squares_in_worlds("VI.21", Gaussian, 24)[:6], 1)]
    for one, other in ((0.5, 1.0), (1.0, 1.0)):
        space = unbounded.on(DatabaseClass.multisets("a", at_most=1))
        told = compose([Gaussian(space, one), Gaussian(space, other)], adaptive=True).at("", "a")
        ensure(close(told, mp.sqrt(one**2 + other**2)), "the Euclidean norm")
        for eps in (0.1, 0.7, 2.0):
            ensure(close(delta_of_two(one, other, eps), reference.gaussian_delta(told, eps), 1e-9), "attained")
        rows.append((f"Gaussian noise, {one:g} and {other:g}", "one step", math.hypot(one, other), told))
    return Table(rows, ["mechanism", "D and D'", "exact mu", "root of the sum of squares"])


def delta_of_two(mu1: float, mu2: float, eps: float) -> float:
    """Return delta(eps) of two Gaussian answers: the mean of the second's delta at what the first one leaves over."""
    x = np.arange(-12, 12, 0.1)
    left = eps - (mu1 * x + mu1**2 / 2)
    each = [float(reference.gaussian_delta(mu2, e)) for e in left]
    return float(np.exp(-(x**2) / 2) @ each) * 0.1 / math.sqrt(2 * math.pi)


@claim("GMPS-Thm-VI.22", verdict=HOLDS, where="Theorem VI.22", title="Gaussian, common domain")
def gaussian_common_domain():
    r"""For mechanisms that are $d_i$-Gprivate on $\mathbb D$ and look at $f_i(D)$ only, the composition is
    $\sqrt{\sum_i(d_i^{f_i})^2}$-Gprivate.

    The metric closure of $d_i^{f_i}$ is better still: for a coarse count $\lfloor|D|/3\rfloor$ with Gaussian noise,
    between 0 and 8 records, $d^f=4$, the closure is 2, and that is exact.
    """
    rows = [(f"random {n}", *row) for n, row in enumerate(common_squares_in_worlds("VI.22", Gaussian, 25)[:4], 1)]
    space, coarse = unbounded.on(DatabaseClass.multisets("a", at_most=8)), lambda D: len(D) // 3
    ends, steps = ((), ("a",) * 8), hand.steps(space.databases, hand.added)
    raw = hand.least_over_fibres(steps, space.databases, coarse)
    told = [compose([Gaussian(space, 1)], [coarse], common_domain=True, closure=c).at(*ends) for c in (False, True)]
    ensure(told == [raw[ends], hand.shortened(raw, space.databases)[ends]] == [4, 2], "4 and 2")
    exact = coarse(ends[1]) - coarse(ends[0])  # the shift of the mean, in standard deviations
    rows += [
        ("coarse count, d^f", "0 and 8 records", float(exact), told[0]),
        ("closure", "0 and 8 records", float(exact), told[1]),
    ]
    return Table(rows, ["mechanism", "D and D'", "exact mu", "promised"])


@claim("GMPS-Thm-VI.23", verdict=MISPRINT, where="Theorem VI.23", title="Gaussian sequential composition")
def gaussian_sequential():
    r"""If every mechanism satisfies $d_i$-DP whatever was printed before, the composition is said to be
    $\sqrt{d_1^2+\dots+d_k^2}$-Gprivate.

    It must say $d_i$-Gprivacy, and all on the same class. Pure privacy is not enough: randomized response with
    $\varepsilon=0.1$ has $\mu=0.1253$ (for small $\varepsilon$ the ratio tends to $\sqrt{\pi/2}$), and four of them
    have $0.2118>0.2$. Only from $\varepsilon=4.8114$ on is $\mu\le\varepsilon$.
    """
    squares_in_worlds("VI.23", Gaussian, 26, whole=True)
    rows = []
    for eps, k in ((1e-3, 1), (0.1, 1), (0.1, 4), (1.0, 1), (1.0, 4), (4.8, 1), (4.82, 1)):
        law = [1 / (1 + math.exp(-eps)), 1 / (1 + math.exp(eps))]
        exact = least_mu(*merged_coins(law, k))
        ensure(close(gaussian_loss(mechanisms.randomized_response(eps) ** k), exact, 1e-9), "over all events")
        ensure(k > 1 or close(pure_mu(eps), exact, 1e-9), "the worst eps-DP mechanism")
        rows.append((eps, k, exact, math.sqrt(k) * eps, bool(exact <= math.sqrt(k) * eps)))
    ensure(close(rows[0][2] / 1e-3, math.sqrt(math.pi / 2), 1e-6) and close(rows[1][2], 0.125309, 1e-5), "0.125309")
    ensure(close(rows[2][2], 0.21181, 1e-4) and [row[4] for row in rows] == [False] * 6 + [True], "broken up to 4.8")
    start = mp.findroot(lambda e: 2 * mp.sqrt(2) * mp.erfinv(2 / (1 + mp.exp(-e)) - 1) - e, 4.8)
    ensure(close(start, 4.8114, 1e-5), "4.8114")
    space = unbounded.on(RECORDS)
    told = compose([Gaussian(space, mu) for mu in (1, 2, 2)], adaptive=True)
    ensure(told.level() == 3 and told.theorem() == "VI.23", "the root of 1 + 4 + 4")
    return Table(rows, ["eps", "k", "exact mu of k coins", "sqrt(k) eps, as printed", "enough"])


def merged_coins(law: Sequence, k: int) -> tuple[list, list]:
    """Return the law of the number of wrong answers of k coins, under both hypotheses."""
    p = [math.comb(k, i) * law[0] ** (k - i) * law[1] ** i for i in range(k + 1)]
    return p, p[::-1]


@claim("GMPS-Thm-VI.24", verdict=HOLDS, where="Theorem VI.24", title="Gaussian bound for commuting metrics")
def gaussian_commuting():
    r"""If $d^*$ commutes with the partition $p$, and part $i$ is treated $\mu_id^*$-Gprivately, the whole is
    $\tilde d$-Gprivate with $\tilde d=\sqrt{\sum_i(\mu_id^*(p_i(D),p_i(D')))^2}\le\max\mu_i\,d^*(D,D')$.

    "Whatever was printed before" is missing. All that is used of commuting is $\sqrt{\sum_id_i^2}\le d^*$. It is not
    always so: cut sorted multisets into two halves, and one record can change both.
    """
    space, rows = unbounded.on(RECORDS), []
    parts = compose([Gaussian(part, 1) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    halves = Partition([lambda D: D[: len(D) // 2], lambda D: D[len(D) // 2 :]])
    both = compose([Gaussian(space, 1)] * 2, halves, on=space, adaptive=True)
    for name, p, promise in (("by record", PARTS, parts), ("sorted halves", halves, both)):
        told = {
            (D, E): math.sqrt(sum(hand.apart(x, y) ** 2 for x, y in zip(p(D), p(E), strict=True)))
            for D, E in product(RECORDS, repeat=2)
        }
        ensure(same(promise.matrix, matrix(told, RECORDS.databases)), "the norm of the distances, a second time")
        gaps = {pair: told[pair] / hand.apart(*pair) for pair in combinations(RECORDS, 2)}
        commutes = all(sum(map(hand.apart, p(D), p(E))) <= hand.apart(D, E) for D, E in combinations(RECORDS, 2))
        ensure(p.commutes_with(symmetric_difference, on=RECORDS) == commutes, "commuting")
        worst = max(gaps, key=gaps.get)
        counts = [sum(x < 1 - 1e-12 for x in gaps.values()), sum(x > 1 + 1e-12 for x in gaps.values())]
        rows.append((name, commutes, len(gaps), *counts, gaps[worst], " and ".join(map(show, worst))))
    ensure(rows[0][1:6] == (True, 45, 25, 0, 1) and rows[1][1:3] == (False, 45), "strict on 25 of 45 pairs")
    ensure(rows[1][4] == 3 and close(rows[1][5], math.sqrt(5)), "3 violations, the worst sqrt(5)")
    uneven = [Gaussian(part, mu) for part, mu in zip(PARTS.spaces(space), (0.5, 2), strict=True)]
    ensure(np.all(compose(uneven, PARTS, on=space).matrix <= 2 * space.matrix), "unequal levels: the larger one counts")
    columns = ["partition", "commutes", "pairs", "strictly below d*", "above d*", "largest ratio", "at"]
    return Table(rows, columns)


@claim("GMPS-Text-VI.24-eq", verdict=FALSE, where="After Theorem VI.24", title="When the bound is attained")
def when_the_bound_is_attained():
    r"""In $\tilde d\le\max\mu_i\,d^*$ equality is said to hold whenever all parts but one are unchanged.

    False: with $\mu=(1,2)$, adding an $a$ costs 1, not 2. The changed part must also have the largest $\mu$, and
    contain all that changed, $d^*(p_j(D),p_j(D'))=d^*(D,D')$: records may belong to no part.
    """
    cls = DatabaseClass.multisets("abc", at_most=2)
    space, parts, mu = unbounded.on(cls), Partition.by_record(["a", "b"]), (1, 2)  # c belongs to no part
    promise = compose([Gaussian(part, m) for part, m in zip(parts.spaces(space), mu, strict=True)], parts, on=space)
    rows, counted = [], [0, 0]
    for D, E in combinations(cls, 2):
        each = [hand.apart(x, y) for x, y in zip(parts(D), parts(E), strict=True)]
        if sum(d > 0 for d in each) == 1:
            j, told, bound = int(each[0] == 0), promise.at(D, E), 2 * hand.apart(D, E)
            ensure(close(told, mu[j] * max(each)), "one part decides")
            equal = mu[j] == 2 and each[j] == hand.apart(D, E)
            ensure((told == bound) == equal, "equality exactly under the two conditions")
            counted[equal] += 1
            if (D, E) in (((), ("a",)), ((), ("b",)), ((), ("b", "c")), ((), ("b", "b"))):
                rows.append((f"{show(D)} and {show(E)}", j + 1, told, float(bound), bool(equal)))
    ensure(rows[0][2:4] == (1, 2) and counted == [21, 5], "1 < 2; equality at 5 of 26 such pairs")
    return Table(rows, ["pair, mu = (1, 2)", "changed part", "d~", "max mu d*", "equality"])


@claim("GMPS-Ex-VI.25", verdict=CORRECTED, where="Example VI.25", title="The root of two instead of two")
def root_of_two():
    r"""If $D'$ has one record more in each of two parts, then $\tilde d(D,D')=\sqrt2$, while the symmetric difference
    is 2.

    The composed mechanism must be $(\mathcal M_i\circ p_i)_i$, which is given the parts; $(\mathcal M_i)_i$ is printed.
    Gaussian noise on the two counts attains $\sqrt2$.
    """
    space, rows = unbounded.on(RECORDS), []
    promise = compose([Gaussian(part, 1) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    for D, E in (((), ("a", "b")), ((), ("a", "a")), (("a",), ("b",)), ((), ("a", "a", "b"))):
        shift = [E.count(x) - D.count(x) for x in "ab"]  # of the two counts, each with noise of deviation 1
        told, exact = promise.at(D, E), math.hypot(*shift)
        ensure(close(told, exact) and told <= hand.apart(D, E), "the length of the shift")
        rows.append((f"{show(D)} and {show(E)}", told, hand.apart(D, E)))
    for eps in (0.2, 1.0):
        ensure(close(delta_of_two(1, 1, eps), reference.gaussian_delta(mp.sqrt(2), eps), 1e-9), "two counts, exactly")
    ensure(close(rows[0][1], math.sqrt(2)) and rows[0][2] == 2, "sqrt(2) < 2")
    return Table(rows, ["D and D'", "d~", "symmetric difference"])


@claim("GMPS-Text-VI.C-compat", verdict=FALSE, where="Before Theorem VI.26", title="Compatible, and yet a gain")
def compatible_and_yet_a_gain():
    r"""A compatible partition is said to leave all parts but one unchanged, so that the composition theorem cannot be
    better than $\max\mu_i\,d^{\mathcal G}$.

    True for neighbours only. Splitting by record is compatible with unbounded neighbours, whose metric is the symmetric
    difference: the pair of the example before, $\emptyset$ and $\{a,b\}$, has $\sqrt2<2$.
    """
    space, rows = unbounded.on(RECORDS), []
    steps = hand.steps(RECORDS.databases, hand.added)
    ensure(PARTS.compatible(space) and PARTS.sensitivities(space) == [1, 1], "compatible, sensitivities 1")
    ensure(not PARTS.compatible(bounded.on(RECORDS)), "but not with bounded neighbours")
    promise = compose([Gaussian(part, 1) for part in PARTS.spaces(space)], PARTS, on=space, adaptive=True)
    touched = {(D, E): sum(D.count(x) != E.count(x) for x in "ab") for D, E in combinations(RECORDS, 2)}
    for distance in (1, 2, 3):
        pairs = [pair for pair in touched if steps[pair] == distance]
        gains = [pair for pair in pairs if promise.at(*pair) < distance]
        ensure(all((touched[pair] == 2) == (pair in gains) for pair in pairs), "a gain where two parts change")
        least = min(pairs, key=lambda pair: promise.at(*pair))
        rows.append((distance, len(pairs), sum(touched[pair] > 1 for pair in pairs), len(gains), promise.at(*least)))
    ensure(rows[0][2:4] == (0, 0) and rows[1][2] > 0 and close(rows[1][4], math.sqrt(2)), "sqrt(2) < 2")
    return Table(rows, ["d", "pairs", "with two changed parts", "with a gain", "least by Theorem VI.21"])


@claim("GMPS-Thm-VI.26", verdict=HOLDS, where="Theorem VI.26", title="Gaussian best bound for disjoint inputs")
def gaussian_best_bound():
    r"""A compatible partition with sensitivities at most 1: parts that are treated $\mu_i$-Gprivately make the whole
    $\mu\,d$-Gprivate, with $\mu=\max\mu_i$.

    It follows from one step at a time (Theorem VI.20); the reason given before it does not hold. For two steps in two
    parts, Theorem VI.21 promises less.
    """
    rows = squares_of_parts("VI.26", Gaussian, 27)
    return Table(rows, ["mu of the a's", "mu of the b's", "exact, {} and {a,b}", "by parts", "max mu d"])


# ------------------------------------------------------------------------ section VII: post-processing and the reverse


@claim("GMPS-Thm-VII.1", verdict=HOLDS, where="Theorem VII.1", title="Post-processing")
def post_processing():
    r"""Whatever is done with the output, by whatever coins: pure, approximate, zero-concentrated and Gaussian privacy
    over a metric all remain.

    Between any two databases the loss can only shrink. Every fifth of the random kernels is a function without coins.
    """
    rng, rows, kept = np.random.default_rng(28), [], {name: [] for name in MEASURES}
    for n in range(60):
        laws = hand.random_laws(rng, range(2), 4, zeros=0.1 * (n % 2))
        kernel = random_kernel(rng, 4, 3, coins=n % 5 > 0)
        after = [reference.push([*laws[D].values()], kernel) for D in range(2)]
        before = FiniteMechanism(range(2), laws)
        made = before.then(lambda y, kernel=kernel: dict(enumerate(kernel[y])))
        ensure([list(made.law(D).values()) for D in range(2)] == after, "the law of what is done with the output")
        for name, (by_hand, told) in MEASURES.items():
            kept[name].append((by_hand(*two(laws, 0, 1)), by_hand(*after)))
            ensure(same([told(m.pair(0, 1)) for m in (before, made)], kept[name][-1]), f"{name}, a second time")
    for name, pairs in kept.items():
        slack = 1e-9 if name in POWERS else 0
        ensure(all(y <= x * (1 + slack) for x, y in pairs), "never larger")
        shares = [float(y / x) for x, y in pairs if 0 < x < math.inf]
        rows.append((name, len(pairs), max(shares), sum(shares) / len(shares)))
    return Table(rows, ["privacy", "kernels", "largest share of the loss that is left", "on average"])


def random_kernel(rng: np.random.Generator, n: int, m: int, coins: bool) -> list[list[Fraction]]:
    """Draw what is done with each of n outputs: a law on m, or one of them."""
    if coins:
        return reference.random_map(rng, n, m)
    return [[Fraction(int(x == y)) for x in range(m)] for y in rng.integers(0, m, n)]


@claim("GMPS-Thm-VII.2", verdict=HOLDS, where="Theorem VII.2", title="From the whole to the parts")
def from_the_whole_to_the_parts():
    r"""If independent mechanisms together satisfy a notion that survives post-processing, then each of them does.

    Forgetting the other outputs is post-processing; independence is not needed for that. It gives much more: the
    largest losses add up exactly, $\sum_iD_\infty(\mathcal M_i)=D_\infty(\mathcal M)\le d$, and so do all $D_\alpha$.
    """
    rng, rows = np.random.default_rng(29), []
    for n in range(1, 31):
        parts = [hand.random_laws(rng, range(2), 3) for _ in range(3)]
        whole = hand.joint(*parts)
        one, *others = (FiniteMechanism(range(2), laws) for laws in parts)
        pair, exact = (one @ others[0] @ others[1]).pair(0, 1), two(whole, 0, 1)
        forth = [reference.ratio_by_events(*two(laws, 0, 1), 0) for laws in parts]
        largest = max(a / b for a, b in zip(*exact, strict=True))
        ensure(math.prod(forth) == largest, "the largest ratios multiply, exactly")
        each = [hand.ratio(laws[0], laws[1]) for laws in parts]
        ensure(pair.ratio() == hand.ratio(whole[0], whole[1]) >= max(each), "pure")
        for alpha in (1, 1.5, 4, math.inf):
            each = [renyi(*two(laws, 0, 1), alpha) for laws in parts]
            ensure(same(pair.renyi(alpha), float(sum(each))), "Rényi divergences add up")
        for loss, told in ((least_rho, concentrated_loss), (least_mu, gaussian_loss)):
            ensure(max(loss(*two(laws, 0, 1)) for laws in parts) <= told(pair) * (1 + 1e-9), "each at most the whole")
        deltas = [delta_by_events(*two(laws, 0, 1), 2) for laws in parts]
        ensure(max(deltas) <= pair.delta(ratio=2, direction="pq"), "approximate")
        rows += [(*map(math.log, forth), math.log(largest), pair.renyi(math.inf))] if n <= 6 else []
    return Table(rows, ["D_inf of M_1", "of M_2", "of M_3", "sum", "of all three"])


@claim("GMPS-Thm-VII.3", verdict=MISPRINT, where="Theorem VII.3", title="From an adaptive whole to its outputs")
def from_an_adaptive_whole():
    r"""If an adaptive composition satisfies a notion that survives post-processing, then so does each output
    $\mathcal N_i(D)$ by itself.

    Right. But the earlier outputs are printed in the reverse order, $\mathcal M_i(\mathcal N_{i-1},\dots,\mathcal
    N_1,D)$; Definition V.1 hands over the first output first, and from three mechanisms on that makes a difference.
    """
    joint, _ = expensive_second(Fraction(1, 2))
    second = joint.then(lambda y: y[1])
    ensure(joint.ratio(0, 1) == 4 and second.ratio(0, 1) == Fraction(46, 19), "46/19 <= 4")
    rows = [("example, second output", float(joint.loss(0, 1)), float(second.loss(0, 1)))]
    rng = np.random.default_rng(30)
    for n in range(6):
        world, third = random_world(rng, whole=True), [hand.random_laws(rng, range(4), 2) for _ in range(2)]
        laws = hand.adaptive(world.laws(), lambda y, third=third: third[y[0]])
        mechanism = FiniteMechanism(range(4), laws)
        for i, pick in enumerate((lambda y: y[0][0], lambda y: y[0][1], lambda y: y[1]), 1):
            alone, told = marginal(laws, pick), mechanism.then(pick)
            ensure(all(told.law(D) == alone[D] for D in range(4)), "the law of one output")
            for pair in combinations(range(4), 2):
                for name, (by_hand, _) in MEASURES.items():
                    ensure(by_hand(*two(alone, *pair)) <= by_hand(*two(laws, *pair)) * (1 + 1e-9), name)
            rows += [(f"random, output {i}", mechanism.loss(0, 1), told.loss(0, 1))] if n == 0 else []
    both = FiniteMechanism.printing(range(2)) @ FiniteMechanism.printing(range(2), lambda D: 1 - D)
    for n in (0, 1):  # the third repeats its first argument: the first output, or, in the printed order, the second
        third = both.adaptively(lambda y, n=n: FiniteMechanism.printing(range(2), lambda D: y[n])).then(lambda y: y[1])
        ensure([third.law(D)[1] for D in (0, 1)] == [n, 1 - n], "D itself, or 1 - D")
    return Table(rows, ["mechanism", "eps of the whole", "eps of one output"])


def marginal(laws: Laws, pick: Callable) -> Laws:
    """Return the laws of a function of the output."""
    made: Laws = {D: {} for D in laws}
    for D, law in laws.items():
        for y, p in law.items():
            made[D][pick(y)] = made[D].get(pick(y), 0) + p
    return made


def expensive_second(ratio: Fraction, more: Fraction = Fraction(0)) -> tuple[FiniteMechanism, FiniteMechanism]:
    """Return an adaptive composition that is exactly ln(4)-private, and its second mechanism after the output 0.

    The first prints 0 with a likelihood ratio of `ratio` > 1/4; the second then makes up for it, as often as 4 allows.
    """
    zero, likely = Fraction(2, 3), 4 * (4 * ratio - 1) / (15 * ratio) + more
    first = FiniteMechanism(range(2), [[zero * ratio, 1 - zero * ratio], [zero, 1 - zero]])
    after = FiniteMechanism(range(2), [[likely, 1 - likely], [likely * ratio / 4, 1 - likely * ratio / 4]])
    fair = FiniteMechanism(range(2), [[Fraction(1, 2)] * 2] * 2)
    return first.adaptively([after, fair].__getitem__), after


@claim("GMPS-Text-VII.3-converse", verdict=HOLDS, where="After Theorem VII.3", title="What the parts may cost")
def what_the_parts_may_cost():
    r"""If an adaptive composition is private, it does not follow that $\mathcal M_i(\bar s,\cdot)$ is, for all earlier
    outputs $\bar s$.

    A composition that is exactly $\ln4$-private can contain a second mechanism that costs anything below $2\ln4$: the
    first leans the other way, and the second makes up for it. After an output of probability zero it may cost anything.
    """
    rows = []
    for ratio in (Fraction(1, 2), Fraction(3, 10), Fraction(13, 50), Fraction(251, 1000)):
        whole, after = expensive_second(ratio)
        laws, alone = ({D: m.law(D) for D in (0, 1)} for m in (whole, after))
        ensure(whole.ratio(0, 1) == hand.ratio(laws[0], laws[1]) == 4, "exactly ln(4)")
        ensure(after.ratio(0, 1) == hand.ratio(alone[0], alone[1]) == 4 / ratio < 16, "4 / ratio, below 16")
        ensure(expensive_second(ratio, Fraction(1, 1000))[0].ratio(0, 1) > 4, "as often as 4 allows")
        rows.append((ratio, whole.ratio(0, 1), after.ratio(0, 1), after.loss(0, 1) / math.log(4)))
    ensure([row[2] for row in rows[:3]] == [8, Fraction(40, 3), Fraction(200, 13)], "8, 40/3, 200/13")
    always, loud = FiniteMechanism(range(2), [[Fraction(1), Fraction(0)]] * 2), FiniteMechanism.printing(range(2))
    never = always.adaptively([expensive_second(Fraction(1, 2))[0], loud].__getitem__)
    ensure(never.ratio(0, 1) == 4 and loud.ratio(0, 1) == math.inf, "after what never happens")
    rows.append(("never printed", never.ratio(0, 1), math.inf, math.inf))
    return Table(rows, ["ratio of the first output", "e^eps, whole", "e^eps, second after it", "in units of ln 4"])


# ------------------------------------------------------------------------------------------------- beyond the paper


@claim("GMPS-X-notions", verdict=HOLDS, where="lecture 5", title="Which notion for a release of counts")
def which_notion_for_counts():
    r"""One step moves $I$ counts by 1 each. Laplace noise costs $I\varepsilon$; for Gaussian noise, approximate privacy
    adds to $(I\varepsilon,I\delta)$, zero-concentrated privacy to $I\rho$, and Gaussian privacy to $\sqrt I\mu$.

    The table has the final $\varepsilon$ at $\delta=10^{-5}$, with noise of standard deviation 4 on each count.
    Gaussian privacy is exact for Gaussian noise, so it is never above the others. For a final $(1,10^{-5})$ Laplace
    noise needs a deviation of $1.414\,I$, Gaussian noise $3.731\sqrt I$: less from $I=7$ on.
    """
    rows = []
    for route, exact in ROUTES.items():
        told = [counts_epsilon(route, n, 4, 1e-5) for n in (1, 2, 3, 6, 10)]
        ensure(all_close(told, [exact(n) for n in (1, 2, 3, 6, 10)], 1e-9), f"{route}, with mpmath")
        rows.append((route, *told))
    known = [
        (0.3536, 0.7071, 1.0607, 2.1213, 3.5355),
        (0.9263, 1.3565, 1.6980, 2.5017, 3.3414),
        (1.0123, 1.4781, 1.8473, 2.7139, 3.6170),
        (1.2309, 1.7590, 2.1716, 3.1260, 4.1061),
        (0.9263, 1.9369, 2.9771, 6.1931, 10.607),
    ]
    ensure(all(all_close(row[1:], line, 2e-4) for row, line in zip(rows, known, strict=True)), "the table")
    best, *others = (row[1:] for row in rows[1:])
    ensure(all(np.all(np.array(best) <= np.array(other) * (1 + 1e-12)) for other in others), "Gaussian is the least")
    ensure(close(delta_of_two(0.25, 0.25, rows[1][2]), 1e-5, 1e-6), "two counts, exactly")
    least = {route: [counts_deviation(route, n, 1, 1e-5) for n in range(1, 11)] for route in ("pure", "Gaussian")}
    mu = reference.inverse(lambda x: 1e-5 - reference.gaussian_delta(x, 1) if x else 1, 0, 1)
    ensure(close(mu, 0.268051, 1e-5), "mu = 0.268051 gives (1, 1e-5)")
    for n in range(1, 11):
        needs = math.sqrt(2) * n, math.sqrt(n) / mu
        ensure(all_close([told[n - 1] for told in least.values()], needs, 1e-9), "1.414 I and 3.731 sqrt(I)")
        ensure((needs[1] < needs[0]) == (n >= 7), "from 7 on")
    ensure(close(counts_deviation("zero-concentrated", 4, 1, 1e-5), 2 * 4.045, 1e-4), "4.045 sqrt(I)")
    return Table(rows, ["privacy", *(f"I = {n}" for n in (1, 2, 3, 6, 10))])


# -------------------------------------------------------------------------------------------- losses, a second time


def renyi(p: Sequence, q: Sequence, alpha):
    """Return the Rényi divergence with mpmath's digits; order 1 is Kullback-Leibler, infinity the largest loss."""
    pairs = [(mp.mpf(float(a)), mp.mpf(float(b))) for a, b in zip(p, q, strict=True) if a > 0]
    if any(b == 0 for _, b in pairs):
        return mp.inf
    if alpha == 1:
        return mp.fsum(a * mp.log(a / b) for a, b in pairs)
    if alpha == math.inf:
        return max(mp.log(a / b) for a, b in pairs)
    return mp.log(mp.fsum(a**alpha * b ** (1 - alpha) for a, b in pairs)) / (alpha - 1)


def least_rho(p: Sequence, q: Sequence) -> float:
    """Return the largest D_alpha / alpha over a fine grid of orders, finer around the best one, in both directions."""
    p, q = np.array(p, dtype=float), np.array(q, dtype=float)
    if np.any((p == 0) != (q == 0)):
        return math.inf
    return max(_largest_slope(a[a > 0], b[a > 0]) for a, b in ((p, q), (q, p)))


def _largest_slope(p: np.ndarray, q: np.ndarray) -> float:
    """Return the largest D_alpha / alpha of laws without zeros."""
    slope = lambda x: np.log1p(np.expm1(np.outer(x, np.log(p / q))) @ p) / x / (1 + x)  # noqa: E731
    beyond = np.geomspace(1e-3, 60, 1200)
    best = beyond[int(np.argmax(slope(beyond)))]
    near = slope(best * np.geomspace(0.98, 1.02, 800))
    return max(float(p @ np.log(p / q)), float(near.max()), 0.0)


def root_rho(p: Sequence, q: Sequence) -> float:
    """Return sqrt(rho)."""
    return math.sqrt(least_rho(p, q))


def least_mu(p: Sequence, q: Sequence) -> float:
    """Return the largest Phi^-1(1 - alpha) - Phi^-1(beta) over all tests, that is over all events."""
    largest = 0.0
    for a, b in reference.event_laws(p, q):
        if (a == 0) != (b == 0) or (a == 1) != (b == 1):
            return math.inf
        if 0 < a < 1:
            largest = max(largest, NORMAL.inv_cdf(1 - float(a)) - NORMAL.inv_cdf(1 - float(b)))
    return largest


def largest_loss(p: Sequence, q: Sequence) -> float:
    """Return the largest privacy loss in either direction."""
    return log(hand.ratio(dict(enumerate(p)), dict(enumerate(q))))


LOSSES = {"zero-concentrated": root_rho, "Gaussian": least_mu}  # what satisfies the triangle inequality
MEASURES = {  # what two laws lose, by hand and by the library
    "pure": (largest_loss, pure_loss),
    "approximate, e^eps = 2": (lambda p, q: reference.hockey_stick_both(p, q, 2), lambda pair: pair.delta(ratio=2)),
    "zero-concentrated": (least_rho, concentrated_loss),
    "Gaussian": (least_mu, gaussian_loss),
}


@mp.workdps(20)
def gaussian_epsilon(mu, delta):
    """Return the least eps of Gaussian noise at delta, by bisection."""
    return reference.inverse(lambda eps: reference.gaussian_delta(mu, eps), delta, 40)


@mp.workdps(20)
def renyi_epsilon(rho, delta):
    """Return the least rho alpha + log(1 - 1/alpha) - log(alpha delta) / (alpha - 1), over log(alpha - 1)."""
    rho, delta = mp.mpf(rho), mp.mpf(delta)

    def minus(x):
        alpha = 1 + mp.exp(x)
        return mp.log(alpha * delta) / (alpha - 1) - mp.log(1 - 1 / alpha) - rho * alpha

    return -highest(minus, -4, 8)


def highest(f: Callable, low, high):
    """Return the largest value of a function that first rises and then falls, by narrowing an interval."""
    low, high = mp.mpf(low), mp.mpf(high)
    while high - low > 1e-7:  # the error of the value is of the order of the square
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (low, right) if f(left) >= f(right) else (left, high)
    return f((low + high) / 2)


ROUTES = {  # the final eps at delta = 1e-5 with noise of deviation 4 on each of n counts
    "pure": lambda n: n * mp.sqrt(2) / 4,
    "Gaussian": lambda n: gaussian_epsilon(mp.sqrt(n) / 4, SMALL),
    "zero-concentrated": lambda n: renyi_epsilon(mp.mpf(n) / 32, SMALL),
    "zero-concentrated, classic": lambda n: mp.mpf(n) / 32 + mp.sqrt(4 * mp.mpf(n) / 32 * mp.log(10**5)),
    "approximate": lambda n: n * gaussian_epsilon(mp.mpf(1) / 4, SMALL / n),
}
