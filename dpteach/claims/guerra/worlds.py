"""What the files on GMPS, sections VI and VII, share: small worlds with two mechanisms, and losses by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from statistics import NormalDist

import numpy as np
from mpmath import mp

from ...granularity import (
    DatabaseClass,
    Granularity,
    Partition,
    PrivacySpace,
    unbounded,
)
from ...notions import (
    FiniteMechanism,
    MetricPrivacy,
    compose,
)
from ..entries import ensure
from ..reference import basics as reference
from ..reference import granularity as hand
from ..reference.basics import close
from ..reference.granularity import Distances, Laws

LOG2 = math.log(2)
NORMAL = NormalDist()
SMALL = Fraction(1, 10**5)


def matrix(values: dict, points: Sequence) -> np.ndarray:
    """Return a dictionary of pairs as a matrix of floats."""
    return np.array([[float(values[x, y]) for y in points] for x in points])


def same(values, expected) -> bool:
    """Say whether two arrays agree to nine digits."""
    return np.allclose(np.asarray(values, dtype=float), np.asarray(expected, dtype=float), rtol=1e-9, atol=1e-12)


def two(laws: Laws, D: Hashable, E: Hashable) -> tuple[list, list]:
    """Return the laws of two databases as lists of probabilities."""
    return [*laws[D].values()], [*laws[E].values()]


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


def root_of_squares(*several: Distances) -> Distances:
    """Return the square root of the sum of squares of distances."""
    return {pair: math.sqrt(sum(d[pair] ** 2 for d in several)) for pair in several[0]}


def kept_in_squares(promise: MetricPrivacy, world: World, told: Distances) -> Distances:
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


def log(ratio) -> float:
    """Return the logarithm, also of infinity."""
    return math.log(ratio) if ratio < math.inf else math.inf


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


def delta_of_two(mu1: float, mu2: float, eps: float) -> float:
    """Return delta(eps) of two Gaussian answers: the mean of the second's delta at what the first one leaves over."""
    x = np.arange(-12, 12, 0.1)
    left = eps - (mu1 * x + mu1**2 / 2)
    each = [float(reference.gaussian_delta(mu2, e)) for e in left]
    return float(np.exp(-(x**2) / 2) @ each) * 0.1 / math.sqrt(2 * math.pi)


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


LOSSES = {"zero-concentrated": root_rho, "Gaussian": least_mu}  # what satisfies the triangle inequality


def highest(f: Callable, low, high):
    """Return the largest value of a function that first rises and then falls, by narrowing an interval."""
    low, high = mp.mpf(low), mp.mpf(high)
    while high - low > 1e-7:  # the error of the value is of the order of the square
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (low, right) if f(left) >= f(right) else (left, high)
    return f((low + high) / 2)
