"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: composing approximate privacy (section VI-A).

Every theorem is tried on small worlds in which everything can be computed at all pairs of databases: by
`dpteach.granularity` and `dpteach.notions`, and a second time from the definitions (all events, all orders, all paths).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    Maps,
    PrivacySpace,
    bounded,
    unbounded,
)
from ...notions import (
    Approximate,
    FiniteMechanism,
    MetricPrivacy,
    compose,
    group_factor,
    implications,
    worlds,
)
from ..entries import CORRECTED, FALSE, HOLDS, MISPRINT, claim, ensure
from ..reference import granularity as hand
from ..reference.basics import all_close, close, delta_by_events
from ..reference.granularity import Distances, Laws
from .spaces import refused
from .worlds import LOG2, PARTS, RECORDS, SMALL, World, disjoint_world, matrix, pulled, random_world, same, two


def plus(d: dict, other: dict) -> dict:
    """Add two dictionaries, pair by pair."""
    return {pair: d[pair] + other[pair] for pair in d}


@claim("GMPS-Thm-VI.4", verdict=MISPRINT, where="Theorem VI.4", title="Adaptive composition adds distances and deltas")
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


def kept_exactly(promise: MetricPrivacy, world: World, d: Distances, deltas: dict) -> tuple:
    """Compare the exact deltas at 2^d with the promised ones, at all ordered pairs; return the tightest."""
    points, exact = world.databases, excess([world.laws()], d)
    ratios = np.array([[hand.power(2, d[D, E]) for E in points] for D in points], dtype=object)
    ensure(same(world.mechanism().deltas(ratio=ratios), matrix(exact, points)), "the library's deltas")
    ensure(same(promise.matrix, LOG2 * matrix(d, points)), "the distances, a second time")
    ensure(same(promise.deltas, matrix(deltas, points)), "the deltas, a second time")
    ensure(all(exact[pair] <= deltas[pair] for pair in exact), "kept, exactly, in both orders")
    pair = max(exact, key=lambda pair: exact[pair] / deltas[pair] if deltas[pair] else 0)
    return "{} and {}".format(*pair), float(exact[pair]), float(deltas[pair])


@claim(
    "GMPS-Text-derive-all", verdict=CORRECTED, where="After Theorem VI.4", title="All results follow from Theorem VI.4"
)
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


@claim(
    "GMPS-Thm-VI.5", verdict=MISPRINT, where="Theorem VI.5", title="Sequential composition adds distances and deltas"
)
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


@claim("GMPS-Thm-VI.6", verdict=HOLDS, where="Theorem VI.6", title="Disjoint inputs cost the largest epsilon and delta")
def approximate_best_bound():
    r"""A compatible partition with sensitivities at most 1: if part $i$ is treated
    $(\varepsilon_i,\delta_i)$-privately, then the whole is $(\varepsilon d,\delta[d]_\varepsilon)$-private with
    $\varepsilon=\max\varepsilon_i$ and $\delta=\max\delta_i$.

    For neighbours nothing better can be said if one part has both the largest $\varepsilon$ and the largest $\delta$.
    Else it can: parts of $(\ln3,0)$ and $(0,\frac14)$ are together $(\ln2,\frac14)$-private for neighbours, since one
    part changes and either promise implies that. For other pairs Theorem VI.4, applied to each part, may be better: two
    steps in two parts cost $2\delta$ and not $\delta[2]_\varepsilon$, and a mechanism that shouts has
    $2\delta-\delta^2$.
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
    quarter, (one, other) = Fraction(1, 4), PARTS.spaces(space)
    mixed = compose([Approximate(one, math.log(3)), Approximate(other, 0, 0.25)], PARTS, on=space, adaptive=True)
    coin = [quarter, 1 - quarter], [1 - quarter, quarter]
    ensure(delta_by_events(*coin, 3) == 0 and delta_by_events(*coin, 2) == quarter, "(log 3, 0) implies (log 2, 1/4)")
    ensure(close(mixed.epsilon(0.25), LOG2) and close(mixed.level().epsilon, math.log(3)), "so the curve says more")
    theorem, pointwise = Approximate(space, 1, 1e-5).at("", "ab"), parts.at("", "ab")
    shout = {True: {"loud": SMALL, "quiet": 1 - SMALL}, False: {"quiet": Fraction(1)}}
    one, other = (FiniteMechanism(RECORDS, lambda D, x=x: shout[x in D]) for x in "ab")
    exact = (one @ other).pair("ab", "").delta(ratio=8)
    ensure(exact == 2 * SMALL - SMALL**2, "1.99999e-5")
    ensure(close(theorem.delta, float(SMALL) * (1 + math.e)) and close(pointwise.delta, 2e-5), "3.718e-5 and 2e-5")
    rows = [
        ("Theorem VI.6, two steps", theorem.epsilon, theorem.delta),
        ("Theorem VI.4, one step in each part", pointwise.epsilon, pointwise.delta),
        ("a mechanism that shouts, exactly", 2.0, float(exact)),
    ]
    return Table(rows, ["{} and {a,b}, each part (1, 1e-5)", "epsilon", "delta"])


def delta_of_steps(several: Sequence[Laws], ratio: Fraction) -> Fraction:
    """Return the least delta of several mechanisms for one record more or less."""
    near = [pair for pair in product(several[0], repeat=2) if hand.added(*pair)]
    return max(delta_by_events(*two(laws, *pair), ratio) for laws in several for pair in near)


@claim(
    "GMPS-Thm-VI.7",
    verdict=FALSE,
    where="Theorem VI.7",
    title="On a common domain the least distances and deltas add up",
)
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


@claim("GMPS-Ex-VI.8", verdict=CORRECTED, where="Example VI.8", title="Hospitals that share ambulances cost six times")
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
        rows.append((name, steps[pair], touched[pair], touched[pair] * steps[pair], 6 * steps[pair], at.epsilon))
    ensure(rows[0][1:] == (2, 12, 24, 12, 12), "24 > 12 = 6 d, and the sum of d^f is 12")
    promise = far[0]
    level = promise.level(bounded.on(promise.cls))
    ensure(close(level.epsilon, 6) and close(level.delta, 6e-5), "bounded (6, 6e-5)-DP")
    twice = promise.at(triples[:2], triples[2:])
    ensure(close(twice.delta, 12e-5) and twice.delta < 6e-5 * group_factor(2, 1), "12 delta_0 against 22.31 delta_0")
    scaled = [6e-5 * group_factor(2, eps) for eps in (1, 6)]
    ensure(all_close(scaled, (0.000223, 0.0243), 2e-3), "0.000223 and 0.0243")
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
        ensure(told[pair] <= 6 * d and deltas[pair] <= 6e-5 * group_factor(d, 1) * (1 + 1e-12), "6 d and 6 delta [d]")
    touched = {(D, E): len(maps.touched(D, E)) for D, E in steps}
    return promise, touched, steps, told
