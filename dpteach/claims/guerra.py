"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: neighbours, metrics and sensitivity.

Everything is exact: mechanisms have fractions for probabilities, distances are whole numbers, and the loss is counted
in units of log 2. The second way walks from neighbour to neighbour and compares multisets record by record.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

from .. import Table, mechanisms
from ..granularity import (
    DatabaseClass,
    Granularity,
    Maps,
    NeighbourSpace,
    Partition,
    PrivacySpace,
    attribute,
    bounded,
    dist,
    edge,
    event_level,
    free_lunch,
    minimum_privacy,
    node,
    sensitivity,
    symmetric_difference,
    times,
    unbounded,
    user_level,
    user_presence,
    vertex_cover,
    w_event,
    window_cover,
)
from ..notions import (
    Approximate,
    FiniteMechanism,
    Gaussian,
    Pure,
    ZeroConcentrated,
    bracket,
    compose,
    implications,
)
from . import reference
from . import reference_granularity as by_hand
from .ledger import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from .reference import all_close, close

INF, HALF = math.inf, Fraction(1, 2)
UP_TO_3 = DatabaseClass.multisets("ab", at_most=3)  # the ten databases of most examples
UP_TO_2 = DatabaseClass.multisets("ab", at_most=2)
DETOUR = DatabaseClass(["", "a", "ab", "abb", "bb"], "multisets")  # from {} to {b,b} only the long way round


def agrees(space: PrivacySpace, d: by_hand.Distances) -> bool:
    """Say whether all distances of a space are those found by hand."""
    listed = list(enumerate(space.databases))
    return all(space.matrix[i, j] == d[D, E] for (i, D), (j, E) in product(listed, repeat=2))


def same_laws(mechanism: FiniteMechanism, laws: by_hand.Laws) -> bool:
    """Say whether a mechanism has the laws found by hand (outputs that never occur do not count)."""
    possible = lambda law: {y: p for y, p in law.items() if p}  # noqa: E731
    return all(possible(mechanism.law(D)) == possible(laws[D]) for D in mechanism.cls)


def same_ratios(mechanism: FiniteMechanism, laws: by_hand.Laws) -> bool:
    """Say whether e^eps between all pairs of databases is that of the laws."""
    listed = list(enumerate(mechanism.cls))
    return all(mechanism.ratios[i, j] == by_hand.ratio(laws[D], laws[E]) for (i, D), (j, E) in combinations(listed, 2))


def attains(mechanism: FiniteMechanism, space: PrivacySpace, base: int = 2) -> bool:
    """Say whether e^eps = base^d at all pairs."""
    expected = [[by_hand.power(base, d) for d in row] for row in space.matrix.tolist()]
    return mechanism.ratios.tolist() == expected


def graph(pairs: Iterable[tuple[int, int]], size: int, name: str = "random") -> NeighbourSpace:
    """Return the databases 0, ..., size - 1 with the given neighbours."""
    return Granularity(pairs, name).on(range(size))


def metric_space(d: by_hand.Distances, size: int) -> PrivacySpace:
    """Return the databases 0, ..., size - 1 with the given distances."""
    return PrivacySpace(range(size), lambda x, y: d[x, y])


def neighbours_of(space: NeighbourSpace) -> set[frozenset]:
    """Return the neighbouring pairs of a space as sets of two."""
    return {frozenset(pair) for pair in space.neighbouring_pairs}


def restrict(D: Iterable, block: Iterable) -> tuple:
    """Return the records of a multiset that belong to a block."""
    return tuple(Counter({x: n for x, n in Counter(D).items() if x in block}).elements())


def response(cls: DatabaseClass, query: Callable, ratio: int = 2) -> FiniteMechanism:
    """Return randomized response to a yes-no query."""
    truth = Fraction(ratio, ratio + 1)
    return FiniteMechanism(cls, lambda D: {bool(query(D)): truth, not query(D): 1 - truth})


# ---------------------------------------------------------------------------------------- section II: preliminaries


@claim("GMPS-Conv", verdict=DEFINITION, where="throughout", title="Conventions for infinity and for multisets")
def conventions():
    r"""Distances, levels and sensitivities are taken from $[0,\infty]$, and infinity means that nothing is promised.

    The text does not say so, but it needs: $c\cdot\infty=\infty$ for every $c\ge0$, also for $c=0$; $[d]_0=d$; the
    largest of no neighbours is 0; the union of multisets takes the larger multiplicity. The mechanism that prints $|D|$
    shows why: it is bounded 0-DP, yet it tells $\{a\}$ and $\{a,b\}$, at bounded distance $\infty$, apart. Read
    $0\cdot\infty=0$, and Theorem III.3 would say that it does not.
    """
    space, size = bounded.on(UP_TO_2), FiniteMechanism.printing(UP_TO_2, len)
    walked = by_hand.steps(UP_TO_2.databases, by_hand.replaced)
    level, apart = size.level(space), walked[("a",), ("a", "b")]
    ensure(level == 0 and space.distance("a", "ab") == apart == INF, "bounded 0-DP, at infinite distance")
    ensure(size.ratio("a", "ab") == INF and size.keeps(Pure(space, 0)), "tells them apart, and keeps 0 d^B")
    ensure(float(times(0, INF)) == INF == Pure(space, 0).at("a", "ab"), "so 0 * inf is inf")
    D, E = Counter("aab"), Counter("abb")
    larger, added = ((D | E) - (D & E)).total(), ((D + E) - (D & E)).total()
    ensure(symmetric_difference("aab", "abb") == larger == 2 and added == 4, "the union with the larger multiplicity")
    ensure(bracket(5, 0) == sum(1**n for n in range(5)), "[5]_0 as a sum of five ones")
    alone = bounded.on(DatabaseClass(["", "a"], "multisets"))
    ensure(len(alone.edges) == 0 and Pure(alone, 7).level() == 0, "no neighbours, level 0")
    rows = [
        ("0 * inf", float(times(0, INF)), 0),
        ("[5]_0", bracket(5, 0), "0 / 0"),
        ("level of 7 d^B without neighbours", float(Pure(alone, 7).level()), "undefined"),
        ("difference of {a,a,b} and {a,b,b}", larger, added),
    ]
    return Table(rows, ["quantity", "convention", "otherwise"])


@claim("GMPS-Def-II.1", verdict=DEFINITION, where="Definition II.1", title="Differential privacy of multisets")
def privacy_of_multisets():
    r"""$\mathcal M$ is $\varepsilon$-DP if $P(\mathcal M(D)\in S)\le e^{\varepsilon}P(\mathcal M(D')\in S)$ for all
    events $S$ and all multisets with $|D\triangle D'|\le1$.

    The ten multisets over $\{a,b\}$ with at most three records have 12 pairs that differ in one record. Here all events
    of random mechanisms are run through.
    """
    rng, rows, space = np.random.default_rng(301), [], unbounded.on(UP_TO_3)
    pairs = [(D, E) for D, E in product(UP_TO_3, repeat=2) if by_hand.apart(D, E) <= 1]
    ensure(len(UP_TO_3) == 10 and len(pairs) == 10 + 2 * 12 and len(space.edges) == 12, "ten databases, 12 pairs")
    for outputs in (2, 3, 4, 5):
        mechanism = FiniteMechanism.random(UP_TO_3, outputs, rng)
        laws = [[list(mechanism.law(D).values()) for D in pair] for pair in pairs]
        by_events = max(reference.ratio_by_events(p, q, 0) for p, q in laws)
        told = mechanism.worst_case(space).ratio()
        ensure(told == by_events, "the largest ratio of any event, in fractions")
        ensure(close(mechanism.level(space), math.log(by_events)), "its logarithm is the level")
        rows.append((outputs, 2**outputs, str(told), float(mechanism.level(space))))
    return Table(rows, ["outputs", "events", "smallest e^eps", "eps"])


@claim("GMPS-Prop-II.2", verdict=HOLDS, where="Proposition II.2", title="Group privacy")
def group_privacy():
    r"""$\mathcal M$ is $\varepsilon$-DP if and only if $P(\mathcal M(D)\in S)\le
    e^{\varepsilon|D\triangle D'|}P(\mathcal M(D')\in S)$ for all $D$, $D'$ and $S$.

    It needs a class in which one record after the other can be removed and added. Some mechanism attains the bound at
    all pairs at once. Where the steps in between are missing it fails: with the sizes 0 and 2 only, printing the
    database is 0-DP for neighbours, of which there are none.
    """
    rng, space, rows = np.random.default_rng(302), unbounded.on(UP_TO_3), []
    apart = {(D, E): by_hand.apart(D, E) for D, E in product(UP_TO_3, repeat=2)}
    used = Counter()
    for _ in range(12):
        laws = by_hand.random_laws(rng, UP_TO_3.databases, 3)
        mechanism = FiniteMechanism(UP_TO_3, laws)
        base = mechanism.worst_case(space).ratio()
        ensure(base == by_hand.worst(laws, [pair for pair, n in apart.items() if n == 1]), "the level of neighbours")
        ensure(by_hand.keeps(laws, lambda D, E, b=base: b ** apart[D, E]), "at most its power everywhere")
        for pair, n in apart.items():
            share = math.log(by_hand.ratio(*map(laws.get, pair))) / math.log(base) / max(n, 1)
            used[n] = max(used[n], share)
    sharp = FiniteMechanism.attaining(space, 2)
    ensure(same_laws(sharp, by_hand.attaining(UP_TO_3.databases, apart, 2)), "the same mechanism, by hand")
    for n in range(1, 7):
        exact = {sharp.ratio(*pair) for pair, m in apart.items() if m == n}
        ensure(exact == {2**n}, "attained at every pair")
        rows.append((n, used[n], 2**n, int(*exact)))
    gap = UP_TO_3.only(lambda D: len(D) in (0, 2))
    identity = FiniteMechanism.printing(gap)
    ensure(identity.level(unbounded.on(gap)) == 0 and identity.ratio("", "ab") == INF, "with gaps it fails")
    return Table(rows, ["records apart, n", "largest share of eps n used, 12 random", "bound, e^eps = 2", "attained"])


@claim("GMPS-Def-II.3", verdict=DEFINITION, where="Definition II.3", title="Unbounded neighbours")
def unbounded_neighbours():
    r"""$D$ and $D'$ are unbounded neighbours if one arises from the other by adding or removing one record:
    $|D\triangle D'|=1$.

    Every multiset below the largest size can grow in $|\mathcal X|$ ways, so there are
    $|\mathcal X|\sum_{s<n}\binom{|\mathcal X|+s-1}{s}$ pairs among those with at most $n$ records.
    """
    rows = []
    for records, n in (("ab", 3), ("a", 5), ("abc", 3), ("abcd", 2)):
        space = unbounded.on(DatabaseClass.multisets(records, at_most=n))
        grown = {frozenset((D, tuple(sorted((*D, x))))) for D in by_hand.multisets(records, range(n)) for x in records}
        counted = len(records) * sum(math.comb(len(records) + s - 1, s) for s in range(n))
        ensure(neighbours_of(space) == grown and len(grown) == counted, "add one record to each")
        ensure(all(by_hand.added(*pair) for pair in grown), "they differ in one record")
        rows.append((records, n, len(space), len(space.edges), counted))
    ensure(rows[0][3] == 12, "12 pairs")
    return Table(rows, ["records", "at most", "databases", "neighbouring pairs", "by the formula"])


@claim("GMPS-Def-II.4", verdict=DEFINITION, where="Definition II.4", title="Bounded neighbours")
def bounded_neighbours():
    r"""$D$ and $D'$ are bounded neighbours if one arises from the other by changing one record: $|D|=|D'|$ and
    $|D\triangle D'|=2$.

    Such a pair is a common part with one of two different records added, so there are
    $\binom{|\mathcal X|}2\sum_{s<n}\binom{|\mathcal X|+s-1}{s}$ pairs. Both conditions are needed: $\{a\}$ and
    $\{a,b,b\}$ differ by two records as well.
    """
    rows = []
    for records, n in (("ab", 3), ("a", 5), ("abc", 3), ("abcd", 2)):
        space = bounded.on(DatabaseClass.multisets(records, at_most=n))
        common, two = by_hand.multisets(records, range(n)), list(combinations(records, 2))
        changed = {frozenset(tuple(sorted((*D, x))) for x in pair) for D in common for pair in two}
        ensure(neighbours_of(space) == changed and len(changed) == len(common) * len(two), "change one record")
        ensure(all(by_hand.replaced(*pair) for pair in changed), "of equal size, two records apart")
        rows.append((records, n, len(space), len(space.edges), len(common) * len(two)))
    space = bounded.on(UP_TO_3)
    ensure(rows[0][3] == 6 and space.are_neighbours("aab", "abb") and not space.are_neighbours("a", "abb"), "6 pairs")
    return Table(rows, ["records", "at most", "databases", "neighbouring pairs", "by the formula"])


@claim("GMPS-Thm-II.5", verdict=HOLDS, where="Theorem II.5", title="Sequential composition")
def sequential_composition():
    r"""$T$ adaptive interactions with an unbounded $\varepsilon$-DP mechanism are together unbounded
    $T\varepsilon$-DP.

    Each interaction tosses new coins. Asking the same question every time attains the bound; here also questions chosen
    by the answers so far.
    """
    space, rows = unbounded.on(UP_TO_2), []
    asks = {"a": response(UP_TO_2, lambda D: "a" in D), "b": response(UP_TO_2, lambda D: "b" in D)}
    laws = {name: {D: mechanism.law(D) for D in UP_TO_2} for name, mechanism in asks.items()}
    pairs, last = by_hand.related_pairs(UP_TO_2.databases, by_hand.added), lambda y: y[-1] if type(y) is tuple else y
    same = adaptive = asks["a"]
    exact = laws["a"]
    for rounds in range(1, 5):
        if rounds > 1:
            same = same @ asks["a"]
            adaptive = adaptive.adaptively(lambda y: asks["b" if last(y) else "a"])
            exact = by_hand.adaptive(exact, lambda y: laws["b" if last(y) else "a"])
        ensure(same_laws(adaptive, exact), "the same conversation, by hand")
        told, promised = adaptive.worst_case(space).ratio(), compose([Pure(space, 1)] * rounds, adaptive=True)
        ensure(told == by_hand.worst(exact, pairs) <= 2**rounds, "never beyond the bound")
        ensure(same.worst_case(space).ratio() == 2 ** promised.level() == 2**rounds, "attained")
        rows.append((rounds, 2**rounds, int(same.worst_case(space).ratio()), str(told), promised.theorem()))
    return Table(rows, ["T", "bound, e^eps = 2", "the same question", "questions by the answers", "general theorem"])


@claim("GMPS-Thm-II.6", verdict=CORRECTED, where="Theorem II.6", title="Independent sequential composition")
def independent_sequential_composition():
    r"""If each $\mathcal M_i$ is unbounded $\varepsilon_i$-DP, then $(\mathcal M_1(D),\dots,\mathcal M_k(D))$ is
    unbounded $\sum_i\varepsilon_i$-DP.

    The coins must be independent, which is not in the statement: a fair bit $c$, and the secret bit plus $c$, are both
    0-DP; published together they give the secret away. The domain of the composition is
    $\mathbb D_{\mathcal X}$, not a class $\mathbb D$.
    """
    rng, rows, space = np.random.default_rng(306), [], unbounded.on(UP_TO_2)
    pairs = by_hand.related_pairs(UP_TO_2.databases, by_hand.added)
    for k in (2, 2, 3, 3):
        drawn = [by_hand.random_laws(rng, UP_TO_2.databases, 3) for _ in range(k)]
        parts = [FiniteMechanism(UP_TO_2, laws) for laws in drawn]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole @ part
        told, singles = whole.worst_case(space).ratio(), [by_hand.worst(laws, pairs) for laws in drawn]
        ensure(told == by_hand.worst(by_hand.joint(*drawn), pairs) <= math.prod(singles), "at most the product")
        bound = compose([Pure(space, part.level(space)) for part in parts]).level()
        ensure(close(bound, math.log(math.prod(singles))), "the sum of the epsilons")
        rows.append((f"{k} random mechanisms", float(bound), math.log(told)))
    sharp = FiniteMechanism.attaining(space, 2)
    ensure((sharp @ sharp).worst_case(space).ratio() == 4, "attained: 2 times 2")
    rows.append(("2 that attain log 2", 2 * math.log(2), (sharp @ sharp).level(space)))
    bit = DatabaseClass.multisets("a", at_most=1)
    coin = FiniteMechanism(bit, lambda D: {((len(D) + c) % 2, c): HALF for c in (0, 1)})
    single = [coin.then(lambda y, i=i: y[i]) for i in (0, 1)]
    ensure([m.ratio("", "a") for m in (*single, coin)] == [1, 1, INF], "with a common coin all is lost")
    rows.append(("2 with a common coin, each 0-DP", 0.0, coin.level(unbounded.on(bit))))
    return Table(rows, ["mechanisms", "sum of the epsilons", "exact epsilon"])


@claim("GMPS-Thm-II.7", verdict=HOLDS, where="Theorem II.7", title="Adaptive sequential composition")
def adaptive_sequential_composition():
    r"""If $D\mapsto\mathcal M_i(t_1,\dots,t_{i-1},D)$ is unbounded $\varepsilon_i$-DP whatever was printed before, then
    publishing $t_1,\dots,t_k$ is unbounded $\sum_i\varepsilon_i$-DP.

    The level of a step is that of the worst prefix. Adaptivity costs nothing: the bound is that of Theorem II.6.
    """
    rng, rows, space = np.random.default_rng(307), [], unbounded.on(UP_TO_2)
    databases, shares = UP_TO_2.databases, []
    pairs = by_hand.related_pairs(databases, by_hand.added)
    for _ in range(30):
        first, *second = (by_hand.random_laws(rng, databases, 2) for _ in range(3))
        follow = [FiniteMechanism(UP_TO_2, laws) for laws in second]
        whole = FiniteMechanism(UP_TO_2, first).adaptively(lambda y, f=follow: f[y])
        exact = by_hand.adaptive(first, lambda y, s=second: s[y])
        ensure(same_laws(whole, exact), "every joint output, in fractions")
        levels = by_hand.worst(first, pairs), max(by_hand.worst(laws, pairs) for laws in second)
        told = whole.worst_case(space).ratio()
        ensure(told == by_hand.worst(exact, pairs) <= math.prod(levels), "at most the product")
        shares.append(math.log(told) / math.log(math.prod(levels)))
        rows.append((*(math.log(x) for x in levels), math.log(math.prod(levels)), math.log(told)))
    ensure(0.5 < max(shares) < 1, "the bound is approached")
    sharp = {y: FiniteMechanism.attaining(space, 2 + y) for y in (0, 1)}
    bit = response(UP_TO_2, lambda D: "a" in D)
    exact = bit.adaptively(lambda y: sharp[int(y)]).worst_case(space).ratio()
    ensure(exact == 2 * 3, "attained: 2 for the first, 3 for the worse of the two that may follow")
    rows = [*rows[:4], (math.log(2), math.log(3), math.log(6), math.log(exact))]
    return Table(rows, ["eps_1", "eps_2, worst prefix", "sum", "exact epsilon"])


@claim("GMPS-Thm-II.8", verdict=HOLDS, where="Theorem II.8", title="Parallel composition")
def parallel_composition():
    r"""Let $\mathcal X_i$ be disjoint sets of records and $\mathcal M_i$ unbounded $\varepsilon$-DP. Then
    $D\mapsto(\mathcal M_i(D\cap\mathcal X_i))_i$ is unbounded $\varepsilon$-DP.

    With different levels it is $\max_i\varepsilon_i$, and no less: mechanisms that lose as much as they may attain it.
    The mechanisms must be independent here, too.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=2), []
    space, pairs = unbounded.on(cls), by_hand.related_pairs(cls.databases, by_hand.added)
    for blocks, levels in ((("a", "bc"), (1, 1)), (("a", "bc"), (1, 3)), (("a", "bc"), (2, 1)), ("abc", (1, 2, 1))):
        parts, drawn = Partition.by_record(blocks), []
        spaces = parts.spaces(space)
        made = [FiniteMechanism.attaining(s, 2**e) for s, e in zip(spaces, levels, strict=True)]
        whole = made[0].after(parts[0], cls)
        for f, mechanism in zip(parts.functions[1:], made[1:], strict=True):
            whole = whole @ mechanism.after(f, cls)
        for block, e in zip(blocks, levels, strict=True):
            domain = by_hand.multisets(block, range(3))
            laws = by_hand.attaining(domain, {(D, E): by_hand.apart(D, E) for D in domain for E in domain}, 2**e)
            drawn.append(by_hand.after(laws, lambda D, block=block: restrict(D, block), cls.databases))
        exact = by_hand.worst(by_hand.joint(*drawn), pairs)
        composed = compose([Pure(s, e) for s, e in zip(spaces, levels, strict=True)], parts, on=space)
        ensure(whole.worst_case(space).ratio() == exact == 2 ** max(levels), "the largest, attained")
        ensure(composed.level() == max(levels) and composed.theorem() == "IV.6", "as the theorem says")
        names = ", ".join("{" + ",".join(block) + "}" for block in blocks)
        rows.append((names, ", ".join(map(str, levels)), composed.level(), math.log2(exact)))
    return Table(rows, ["blocks", "levels (log 2)", "bound", "exact level"])


@claim("GMPS-Ex-II.9", verdict=CORRECTED, where="Example II.9", title="No parallel composition for bounded privacy")
def no_parallel_composition_for_bounded():
    r"""Printing the size, $\mathcal M^*(D)=|D|$, costs nothing for bounded neighbours. Printing the sizes of the parts,
    $D\mapsto(|D\cap\mathcal X_1|,\dots,|D\cap\mathcal X_k|)$, has no finite bounded $\varepsilon$.

    This is said of any disjoint $\mathcal X_i$, but needs two that are not empty. Precisely, the composition
    stays private if and only if every $\mathcal X_i$ is empty or all of $\mathcal X$; here all 27 ways to give three
    records to two blocks or to none are tried. Slips: $\mathcal M^*$ is bounded (not unbounded) DP; $x'\in D'_l$ (not
    $D'_j$); the last count is $|D_k|$ (not $|D_n|$).
    """
    cls, rows, verdicts = DatabaseClass.multisets("abc", at_most=2), [], []
    space, size = bounded.on(cls), FiniteMechanism.printing(cls, len)
    pairs = by_hand.related_pairs(cls.databases, by_hand.replaced)
    ensure(size.level(space) == 0 and size.level(unbounded.on(cls)) == INF, "|D|: bounded 0-DP, not unbounded DP")
    for given in product((1, 2, None), repeat=3):
        parts = Partition.by_record(dict(zip("abc", given, strict=True)), parts=[1, 2])
        whole = size.after(parts[0], cls) @ size.after(parts[1], cls)
        blocks = [{x for x, part in zip("abc", given, strict=True) if part == i} for i in (1, 2)]
        counts = by_hand.printing(cls.databases, lambda D, b=blocks: tuple(len(restrict(D, x)) for x in b))
        told = whole.worst_case(space).ratio()
        harmless = all(block in (set(), {"a", "b", "c"}) for block in blocks)
        ensure(told == by_hand.worst(counts, pairs) == (1 if harmless else INF), "harmless or all is lost")
        verdicts.append(harmless)
        if given in ((1, 2, 2), (1, 2, None), (1, None, None), (1, 1, 1)):
            names = ", ".join("{" + ",".join(sorted(block)) + "}" for block in blocks)
            rows.append(
                (names, float(size.level(space)), float(compose_sizes(space, parts).level()), whole.level(space))
            )
    ensure(sum(verdicts) == 3, "three of the 27 are harmless")
    return Table(rows, ["blocks", "level of each part", "level by Theorem IV.1", "exact level of the sizes"])


def compose_sizes(space: NeighbourSpace, parts: Partition):
    """Compose bounded 0-DP mechanisms on the parts of the databases."""
    return compose([Pure(s, 0) for s in parts.spaces(space)], parts, on=space)


@claim("GMPS-Foot-3", verdict=MISPRINT, where="Footnote 3", title="Names of the four settings")
def names_of_the_four_settings():
    r"""Other papers are said to call ISC and IPC "independent and sequential" or "sequential and adaptive" composition.

    Almost certainly ISC and ASC are meant: the second pair of names is about adaptivity, while ISC and IPC differ in
    who sees which part of the database. The text alone cannot settle it. Below, the four settings and what they cost.
    """
    space, rows = unbounded.on(UP_TO_2), []
    parts = Partition.by_record(["a", "b"])
    for name, adaptive, parallel, classic in (
        ("ISC", False, False, "II.6"),
        ("ASC", True, False, "II.7"),
        ("IPC", False, True, "II.8"),
        ("APC", True, True, "none"),
    ):
        spaces, maps = (parts.spaces(space), parts) if parallel else ([space, space], None)
        whole = compose([Pure(s, e) for s, e in zip(spaces, (1, 2), strict=True)], maps, on=space, adaptive=adaptive)
        made = [FiniteMechanism.attaining(s, 2**e) for s, e in zip(spaces, (1, 2), strict=True)]
        one, two = (m.after(f, UP_TO_2) for m, f in zip(made, maps or [tuple, tuple], strict=True))
        ensure((one @ two).worst_case(space).ratio() == 2 ** whole.level(), "the bound is attained")
        rows.append((name, "adaptive" if adaptive else "independent", "a part" if parallel else "the whole database"))
        rows[-1] += (classic, whole.theorem(), whole.level())
    ensure([row[4] for row in rows] == ["IV.3", "V.3", "IV.6", "V.4"], "the numbers of the general theorems")
    ensure([row[5] for row in rows] == [3, 3, 2, 2], "adaptivity costs nothing, seeing only a part saves")
    return Table(rows, ["setting", "mechanisms", "each sees", "classic", "general", "level of 1 and 2"])


# --------------------------------------------------------------------------------- section III: granularity and metric


@claim("GMPS-Def-III.1", verdict=DEFINITION, where="Definition III.1", title="Granularity")
def granularity():
    r"""A granularity $\mathcal G$ on a class of databases is a symmetric relation $\sim_{\mathcal G}$; $\mathcal M$ is
    $\mathcal G$ $\varepsilon$-DP if the inequality of differential privacy holds for all $D\sim_{\mathcal G}D'$.

    One-sided notions, in which only one of two databases is protected, are outside: such a relation is refused.
    """
    rng, rows = np.random.default_rng(311), []
    graphs, logs = DatabaseClass.graphs(3), DatabaseClass.user_logs(2, "xy", at_most=1)
    known = [
        (unbounded, UP_TO_3, by_hand.added),
        (bounded, UP_TO_3, by_hand.replaced),
        (free_lunch, UP_TO_3, by_hand.anything),
        (edge, graphs, by_hand.added),
        (node, graphs, by_hand.rewired),
        (event_level, logs, by_hand.added),
        (user_level, logs, by_hand.one_user),
        (
            Granularity(lambda D, E: abs(len(D) - len(E)) == 2, "two more"),
            UP_TO_3,
            lambda D, E: abs(len(D) - len(E)) == 2,
        ),
    ]
    for notion, cls, related in known:
        space, pairs = notion.on(cls), by_hand.related_pairs(cls.databases, related)
        laws = by_hand.random_laws(rng, cls.databases, 2)
        exact = by_hand.worst(laws, pairs)
        ensure(neighbours_of(space) == set(map(frozenset, pairs)), "the neighbouring pairs")
        ensure(FiniteMechanism(cls, laws).worst_case(space).ratio() == exact, "the level of a random mechanism")
        rows.append((notion.name, cls.label(cls.databases[-1]), len(cls), len(pairs) // 2, math.log(exact)))
    ensure([row[3] for row in rows[:3]] == [12, 6, 45], "12, 6 and all 45 pairs")
    ensure(_refused(lambda: Granularity(lambda D, E: len(D) < len(E)).on(UP_TO_3)), "a one-sided relation is refused")
    return Table(rows, ["granularity", "a database", "databases", "neighbouring pairs", "eps of a random mechanism"])


def _refused(ask: Callable) -> bool:
    try:
        ask()
    except ValueError:
        return True
    return False


@claim("GMPS-Text-canonical", verdict=HOLDS, where="Section III, after Definition III.1", title="The canonical metric")
def canonical_metric():
    r"""The least number of steps between neighbours inside $\mathbb D$, $d^{\mathcal G}_{\mathbb D}(D,D')$, is a metric
    with values up to $\infty$; it is 1 if and only if $D\ne D'$ are neighbours.

    Among all multisets of at most $n$ records it is $|D\triangle D'|$ for unbounded neighbours, half of that for
    bounded ones of equal size, and $\infty$ across sizes.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=3), []
    databases = by_hand.multisets("abc", range(4))
    formulas = {
        unbounded: by_hand.apart,
        bounded: lambda D, E: by_hand.apart(D, E) / 2 if len(D) == len(E) else INF,
        free_lunch: lambda D, E: int(D != E),
    }
    relations = (by_hand.added, by_hand.replaced, by_hand.anything)
    for (notion, formula), related in zip(formulas.items(), relations, strict=True):
        space, walked = notion.on(cls), by_hand.steps(databases, related)
        ensure(agrees(space, walked), "shortest paths, walked by hand")
        ensure(all(walked[pair] == formula(*pair) for pair in walked), "the formula")
        ensure(by_hand.is_metric(walked, databases) and space.is_metric, "symmetric, and the triangle inequality")
        one = {frozenset(pair) for pair, steps in walked.items() if steps == 1}
        ensure(one == neighbours_of(space), "one step if and only if neighbours")
        path = space.shortest_path("aab", "bcc")
        ensure(len(path) == walked[("a", "a", "b"), ("b", "c", "c")] + 1, "a path of that length")
        rows.append((notion.name, space.diameter, len(space.components), " ".join(map(cls.label, path))))
    ensure(len(cls) == 20 and rows[0][1] == 6, "20 databases, diameter 6")
    return Table(rows, ["granularity", "diameter", "components", "a shortest path"])


@claim(
    "GMPS-Text-dU", verdict=HOLDS, where="Section III, after Definition III.1", title="Steps and symmetric difference"
)
def steps_and_symmetric_difference():
    r"""On the universe of all multisets the unbounded metric is the symmetric difference,
    $d^{\mathcal U}_{\mathbb D_{\mathcal X}}=d^{\triangle}$; on a part of it
    $d^{\mathcal U}_{\mathbb D}\ge d^{\triangle}$.

    In the class $\{\},\{a\},\{a,b\},\{a,b,b\},\{b,b\}$ four steps lead from $\{\}$ to $\{b,b\}$, although they differ
    in two records.
    """
    rng, rows = np.random.default_rng(313), []
    everything = DatabaseClass.multisets("abc", at_most=3)
    classes = {"all, at most 2 of a, b": UP_TO_2, "all, at most 3 of a, b, c": everything, "the detour": DETOUR}
    for size in (6, 10, 15):
        chosen = rng.choice(len(everything), size, replace=False)
        classes[f"{size} of the 20, at random"] = everything.only([everything.databases[n] for n in chosen])
    for name, cls in classes.items():
        space, walked = unbounded.on(cls), by_hand.steps(cls.databases, by_hand.added)
        ensure(agrees(space, walked), "shortest paths, walked by hand")
        pairs = list(combinations(cls, 2))
        ensure(all(by_hand.apart(*pair) == symmetric_difference(*pair) for pair in pairs), "the symmetric difference")
        more = [walked[pair] - by_hand.apart(*pair) for pair in pairs]
        ensure(min(more) >= 0 and (max(more) == 0) == name.startswith("all"), "never fewer steps; as many if complete")
        rows.append((name, len(pairs), sum(x > 0 for x in more), float(max(more))))
    space = unbounded.on(DETOUR)
    ensure(space.distance("", "bb") == 4 and symmetric_difference("", "bb") == 2, "four steps instead of two")
    ensure(space.shortest_path("", "bb") == DETOUR.databases, "through all five")
    return Table(rows, ["class", "pairs", "pairs with more steps than that", "largest excess"])


@claim("GMPS-Def-III.2", verdict=DEFINITION, where="Definition III.2", title="d-privacy")
def d_privacy():
    r"""For a metric $d$ on $\mathbb D$ (with values up to $\infty$), $\mathcal M$ is $d$-private if
    $P(\mathcal M(D)\in S)\le e^{d(D,D')}P(\mathcal M(D')\in S)$ for all $D$, $D'$ and $S$.

    Equivalently, the largest privacy loss is at most $d(D,D')$. At distance $\infty$ nothing is promised, so
    $e^{\infty}\cdot0$ counts as $\infty$.
    """
    rng, rows = np.random.default_rng(314), []
    for size in (3, 4, 5, 5):
        d = by_hand.random_metric(rng, size)
        space, laws = metric_space(d, size), by_hand.attaining(range(size), d, 2)
        mechanism = FiniteMechanism(range(size), laws)
        ensure(attains(mechanism, space), "e^eps = 2^d at every pair")
        for pair in combinations(range(size), 2):
            by_events = reference.ratio_by_events(*(list(laws[x].values()) for x in pair), 0)
            ensure(by_events == by_hand.power(2, d[pair]), "the largest ratio of any event")
        kept = [mechanism.keeps(Pure(space, share * math.log(2))) for share in (1, 0.999)]
        ensure(kept == [True, False], "private for log 2 times d, for nothing less")
        finite = sum(x < INF for pair, x in d.items() if pair[0] < pair[1])
        rows.append((size, finite, size * (size - 1) // 2 - finite, kept[0], kept[1]))
    return Table(rows, ["databases", "pairs at finite d", "at infinite d", "log 2 d-private", "0.999 log 2 d-private"])


@claim("GMPS-Thm-III.3", verdict=CORRECTED, where="Theorem III.3", title="Privacy for neighbours is a metric promise")
def neighbours_and_metric():
    r"""$\mathcal M$ is $\mathcal G$ $\varepsilon$-DP if and only if it is $\varepsilon d^{\mathcal G}$-private.

    For $\varepsilon=0$ this needs $0\cdot\infty=\infty$: $|D|$ is bounded 0-DP and tells sizes apart. Random
    mechanisms on random graphs of neighbours stay below $\varepsilon$ times the steps; others lose exactly that at all
    pairs, so no smaller promise follows from the neighbours.
    """
    rng, tightest = np.random.default_rng(315), 0.0
    for _ in range(40):
        pairs = by_hand.random_graph(rng, 6)
        space, walked = graph(pairs, 6), by_hand.steps(range(6), pairs)
        laws = by_hand.random_laws(rng, range(6), 3)
        mechanism, base = FiniteMechanism(range(6), laws), by_hand.worst(laws, pairs)
        ensure(agrees(space, walked) and mechanism.worst_case(space).ratio() == base, "steps and level")
        ensure(by_hand.keeps(laws, lambda D, E, b=base, d=walked: by_hand.power(b, d[D, E])), "private for eps d^G")
        ensure(mechanism.keeps(Pure(space, math.log(base))), "as the library says")
        ensure(not pairs or not mechanism.keeps(Pure(space, 0.999 * math.log(base))), "for no smaller eps")
        far = [math.log(by_hand.ratio(laws[D], laws[E])) / n for (D, E), n in walked.items() if 1 < n < INF]
        tightest = max(tightest, *(x / math.log(base) for x in far), 0.0)
    for _ in range(10):
        space = graph(by_hand.random_graph(rng, 6), 6)
        ensure(attains(FiniteMechanism.attaining(space, 2), space), "attained at all pairs")
    size, space = FiniteMechanism.printing(UP_TO_3, len), bounded.on(UP_TO_3)
    ensure(size.level(space) == 0 and size.ratio("a", "ab") == Pure(space, 0).at("a", "ab") == INF, "eps = 0")
    rows = [
        ("40 random mechanisms: largest share of eps d^G used beyond neighbours", tightest),
        ("10 mechanisms that attain it: share used at every pair", 1.0),
        ("|D|: bounded level", float(size.level(space))),
        ("|D|: loss between {a} and {a,b}", math.log(size.ratio("a", "ab"))),
        ("|D|: promised there, 0 * inf", Pure(space, 0).at("a", "ab")),
    ]
    return Table(rows, ["what", "value"])


@claim("GMPS-Text-noncanonical", verdict=HOLDS, where="Section III, after Theorem III.3", title="Other metrics")
def other_metrics():
    r"""Not every metric is the canonical metric of some granularity, not even up to a factor.

    Three points at distances $1,1,\tfrac32$: among the eight graphs on three points the finite distances are 1 and 2
    only. So the best promise $\varepsilon d^{\mathcal G}$ that covers this metric is larger somewhere.
    """
    rows, seen = [], set()
    d = {(0, 1): Fraction(1), (1, 2): Fraction(1), (0, 2): Fraction(3, 2)}
    space = PrivacySpace(range(3), lambda x, y: 0 if x == y else d[min(x, y), max(x, y)])
    twice = FiniteMechanism.attaining(PrivacySpace(range(3), 2 * space.matrix), 2)
    ensure(space.is_metric and attains(twice, 2 * space), "a metric, and the loss of some mechanism")
    for edges in product((False, True), repeat=3):
        pairs = [pair for pair, there in zip(d, edges, strict=True) if there]
        walked = by_hand.steps(range(3), pairs + [(j, i) for i, j in pairs])
        canonical = graph(pairs, 3)
        eps = sensitivity(None, canonical, space)
        ensure(
            agrees(canonical, walked) and eps == by_hand.factor(_of(space), _of(canonical), range(3)), "the least eps"
        )
        ensure(any(eps * walked[pair] != d[pair] for pair in d), "never the metric itself")
        if len(pairs) not in seen:
            seen.add(len(pairs))
            rows.append((len(pairs), *(walked[pair] for pair in d), float(eps)))
    return Table(rows, ["neighbouring pairs", "d(0,1)", "d(1,2)", "d(0,2)", "least eps that covers 1, 1, 3/2"])


def _of(space: PrivacySpace) -> Callable:
    return lambda x, y: space.matrix[x, y].item()


@claim("GMPS-Text-A.2", verdict=HOLDS, where="Section III, Remark A.2", title="A part of a class has its own metric")
def part_of_a_class():
    r"""For $\mathbb D'\subseteq\mathbb D$ the restriction of $d^{\mathcal G}_{\mathbb D}$ to $\mathbb D'$ need not be
    $d^{\mathcal G}_{\mathbb D'}$.

    It is never larger, and on most subclasses smaller somewhere. The theorems are about the subclass's own metric: in
    the class $\{\},\{a\},\{a,b\},\{a,b,b\},\{b,b\}$ a mechanism that is unbounded $\log2$-DP has the likelihood ratio
    16 between $\{\}$ and $\{b,b\}$, not $2^2$; on $\{\},\{a,a\}$ even the identity is unbounded 0-DP.
    """
    rng, rows = np.random.default_rng(317), []
    everything = DatabaseClass.multisets("abc", at_most=3)
    whole = unbounded.on(everything)
    for size in (4, 8, 12, 16):
        strict = 0
        for _ in range(15):
            part = everything.only([everything.databases[n] for n in rng.choice(20, size, replace=False)])
            own, walked = unbounded.on(part), by_hand.steps(part.databases, by_hand.added)
            kept = whole.restricted(part)
            ensure(
                agrees(own, walked) and agrees(kept, {p: by_hand.apart(*p) for p in walked}), "both metrics, by hand"
            )
            ensure(np.all(own.matrix >= kept.matrix), "never fewer steps")
            strict += bool(np.any(own.matrix > kept.matrix))
        rows.append((f"{size} of 20 databases, 15 times", f"{strict} have a larger metric"))
    ensure(sum(int(text.split()[0]) for _, text in rows) >= 50, "most of them do")
    sharp, two = FiniteMechanism.attaining(unbounded.on(DETOUR), 2), DatabaseClass(["", "aa"], "multisets")
    ensure(sharp.worst_case(unbounded.on(DETOUR)).ratio() == 2 and sharp.ratio("", "bb") == 16, "16 at two records")
    identity = FiniteMechanism.printing(two)
    ensure(identity.level(unbounded.on(two)) == 0 and identity.ratio("", "aa") == INF, "the identity is 0-DP")
    rows.append(("{}, {a}, {a,b}, {a,b,b}, {b,b}", f"e^eps = 2, ratio {sharp.ratio('', 'bb')} at two records"))
    rows.append(("{}, {a,a}", f"identity: eps = 0, ratio {identity.ratio('', 'aa')} at two records"))
    return Table(rows, ["class", "what happens"])


@claim(
    "GMPS-Text-B-connected", verdict=HOLDS, where="Section III, after Example III.4", title="Where bounded is connected"
)
@claim("GMPS-Ex-III.4", verdict=HOLDS, where="Example III.4", title="A totally disconnected privacy space")
def disconnected_space():
    r"""Among databases of one size $N$ there are no unbounded neighbours, so every mechanism is unbounded 0-DP, even
    the one that prints the database. Bounded neighbours connect this class; the class of all databases falls into one
    component for each size.

    So choose a class and a granularity that fit. Where the text says "reductio ad absurdum", read "vacuously".
    """
    rows, all_sizes = [], UP_TO_3
    for name, cls in (("size 3", UP_TO_3.only(lambda D: len(D) == 3)), ("sizes 0 to 3", all_sizes)):
        for notion, related in ((unbounded, by_hand.added), (bounded, by_hand.replaced)):
            space, walked = notion.on(cls), by_hand.steps(cls.databases, related)
            parts = {frozenset(E for E in cls if walked[D, E] < INF) for D in cls}
            ensure(agrees(space, walked) and set(map(frozenset, space.components)) == parts, "the components")
            level = FiniteMechanism.printing(cls).level(space)
            ensure(level == (0 if max(walked.values()) == INF and len(parts) == len(cls) else INF), "the identity")
            shown = "0, vacuous" if len(space.edges) == 0 else float(level)
            rows.append((name, notion.name, len(space.edges), len(parts), float(space.diameter), shown))
    ensure(
        [row[2:5] for row in rows] == [(0, 4, INF), (3, 1, 3), (12, 1, 6), (6, 4, INF)], "edges, components, diameter"
    )
    return Table(
        rows, ["databases", "granularity", "neighbouring pairs", "components", "diameter", "eps of the identity"]
    )


# ------------------------------------------------------------------------------- section III-A: comparing the metrics


@claim("GMPS-Text-order", verdict=HOLDS, where="Section III-A", title="A smaller metric protects more")
def smaller_metric_protects_more():
    r"""If $d_1\le d_2$ at all pairs, then every $d_1$-private mechanism is $d_2$-private.

    And conversely: a mechanism that loses exactly $d_1$ is $d_2$-private only if $d_1\le d_2$. Tried on random pairs of
    metrics, of which some are ordered and some are not.
    """
    rng, counts = np.random.default_rng(320), Counter()
    for n in range(60):
        one, two = by_hand.random_metric(rng, 4), by_hand.random_metric(rng, 4)
        if n % 2:  # every other time the first is made the smaller one
            one = by_hand.shortened({pair: min(one[pair], two[pair]) for pair in one}, range(4))
        ordered = all(one[pair] <= two[pair] for pair in one)
        laws = by_hand.attaining(range(4), one, 2)
        private = by_hand.keeps(laws, lambda D, E, d=two: by_hand.power(2, d[D, E]))
        told = FiniteMechanism.attaining(metric_space(one, 4), 2).keeps(Pure(metric_space(two, 4), math.log(2)))
        ensure(private == ordered == told, "private if and only if ordered")
        counts[ordered] += 1
    for _ in range(20):
        space = graph(by_hand.random_graph(rng, 5), 5)
        lunch = free_lunch.on(space.cls)
        ensure(np.all(lunch.matrix <= space.matrix), "free lunch is below every canonical metric")
        ensure(FiniteMechanism.attaining(lunch, 3).keeps(Pure(space, math.log(3))), "so it protects more")
    ensure(min(counts.values()) >= 15, "both cases occur")
    rows = [("d1 <= d2 everywhere", counts[True], "kept"), ("d1 > d2 somewhere", counts[False], "broken")]
    return Table([*rows, ("free lunch against a random granularity", 20, "kept")], ["metrics", "cases", "promise d2"])


@claim("GMPS-Text-dist", verdict=HOLDS, where="Section III-A, Proposition A.3", title="From one granularity to another")
def from_one_granularity_to_another():
    r"""If $k=\mathrm{dist}(\mathcal G_1,\mathcal G_2)=\max_{D\sim_{\mathcal G_2}D'}d^{\mathcal G_1}(D,D')$ is finite,
    then $d^{\mathcal G_1}\le k\,d^{\mathcal G_2}$, so $\mathcal G_1$ $\varepsilon$-DP implies $\mathcal G_2$
    $k\varepsilon$-DP.

    No smaller factor will do: mechanisms that lose exactly $\varepsilon d^{\mathcal G_1}$ have the $\mathcal G_2$ level
    $k\varepsilon$. Infinite factors occur as well.
    """
    rng, counts = np.random.default_rng(321), Counter()
    for _ in range(40):
        one, two = by_hand.random_graph(rng, 6, 0.5), by_hand.random_graph(rng, 6, 0.3)
        d1, d2 = by_hand.steps(range(6), one), by_hand.steps(range(6), two)
        k = max((d1[pair] for pair in two), default=0)
        first, second = graph(one, 6), graph(two, 6)
        ensure(dist(first.granularity, second.granularity, range(6)) == k, "the largest, by hand")
        ensure(k == INF or all(d1[pair] <= k * d2[pair] for pair in d1), "the inequality at all pairs")
        sharp = FiniteMechanism.attaining(first, 2)
        ensure(sharp.worst_case(second).ratio() == by_hand.power(2, k), "attained")
        ensure(Pure(first, 1).level(second) == k, "as the promise says")
        counts[k] += 1
    sharp = FiniteMechanism.attaining(unbounded.on(UP_TO_3), 2)
    ensure(sharp.worst_case(bounded.on(UP_TO_3)).ratio() == 4, "unbounded log 2 is bounded 2 log 2")
    rows = [(float(k), n, float(by_hand.power(2, k))) for k, n in sorted(counts.items())]
    return Table(rows, ["k", "pairs of random granularities", "e^eps' of a mechanism that attains e^eps = 2"])


@claim("GMPS-Text-dist-BU", verdict=HOLDS, where="Section III-A", title="Bounded privacy does not protect the size")
@claim("GMPS-Text-dist-UB", verdict=HOLDS, where="Section III-A", title="Unbounded implies bounded at twice the level")
def unbounded_against_bounded():
    r"""On all multisets $\mathrm{dist}(\mathcal U,\mathcal B)=2$, so unbounded $\varepsilon$-DP implies bounded
    $2\varepsilon$-DP, and $\mathrm{dist}(\mathcal B,\mathcal U)=\infty$.

    Both depend on the class: with one record there is nothing to change and the distance is 0; with a fixed size no
    unbounded step is left and $\mathrm{dist}(\mathcal U,\mathcal B)=\infty$.
    """
    rows = []
    classes = {
        "at most 3 of a, b": UP_TO_3,
        "at most 3 of a": DatabaseClass.multisets("a", at_most=3),
        "exactly 2 of a, b": DatabaseClass.multisets("ab", exactly=2),
        "at most 2 of a, b, c": DatabaseClass.multisets("abc", at_most=2),
    }
    relations = {unbounded: by_hand.added, bounded: by_hand.replaced, free_lunch: by_hand.anything}
    for name, cls in classes.items():
        walked = {notion: by_hand.steps(cls.databases, related) for notion, related in relations.items()}
        pairs = {notion: by_hand.related_pairs(cls.databases, related) for notion, related in relations.items()}
        row = []
        for one, two in ((unbounded, bounded), (bounded, unbounded), (free_lunch, unbounded), (unbounded, free_lunch)):
            told = dist(one, two, cls)
            ensure(told == max((walked[one][pair] for pair in pairs[two]), default=0), "by hand")
            row.append(told)
        rows.append((name, *map(float, row)))
    ensure([row[1:] for row in rows[:3]] == [(2, INF, 1, 6), (0, INF, 1, 3), (INF, 0, 0, INF)], "the values")
    for ratio in (2, Fraction(5, 4), 10):
        sharp = FiniteMechanism.attaining(unbounded.on(UP_TO_3), ratio)
        ensure(sharp.worst_case(bounded.on(UP_TO_3)).ratio() == ratio**2, "twice the level, attained")
    size = FiniteMechanism.printing(UP_TO_3, len)
    ensure(size.level(bounded.on(UP_TO_3)) == 0 and size.level(unbounded.on(UP_TO_3)) == INF, "|D| tells the size")
    return Table(rows, ["class", "dist(U, B)", "dist(B, U)", "dist(FL, U)", "dist(U, FL)"])


@claim("GMPS-Text-diam", verdict=FALSE, where="Section III-A", title="A bounded diameter")
def bounded_diameter():
    r"""If the diameter of $(\mathbb D,d_1)$ is finite, $d_1$ can be compared with every other metric on $\mathbb D$.

    Not with every one: the free-lunch metric has diameter 1, but on the points $1,\tfrac12,\tfrac13,\dots$ with
    $d_2=|x-y|$ the pair $\tfrac1n$ and $\tfrac1{n+1}$ needs the factor $n(n+1)$, so no factor serves them all. It is
    true for metrics that are at least 1 off the diagonal, such as canonical ones:
    $d_1\le\mathrm{diam}(d_1)\,d^{\mathcal G}$.
    """
    rng, rows = np.random.default_rng(325), []
    for n in (1, 10, 100):
        points = [Fraction(1, m) for m in range(1, n + 2)]
        line = PrivacySpace(points, lambda x, y: abs(x - y))
        lunch = free_lunch.on(points)
        told = sensitivity(None, line, lunch)
        exact = max(1 / abs(x - y) for x, y in combinations(points, 2))
        ensure(lunch.diameter == 1 and exact == n * (n + 1) and close(told, exact, 1e-9), "the factor n (n + 1)")
        rows.append((f"|x - y| on 1, ..., 1/{n + 1}", lunch.diameter, round(told)))
    ensure([row[2] for row in rows] == [2, 110, 10100], "2, 110, 10100")
    for n in range(60):
        d1 = {pair: min(x, 9) for pair, x in by_hand.random_metric(rng, 5).items()}
        one, pairs = metric_space(by_hand.shortened(d1, range(5)), 5), by_hand.random_graph(rng, 5)
        steps = by_hand.steps(range(5), pairs)
        ensure(all(one.distance(*pair) <= one.diameter * steps[pair] for pair in d1), "at most the diameter")
        factor = sensitivity(None, graph(pairs, 5), one)
        ensure(factor <= one.diameter, "the factor as well")
        rows += [("a random granularity", one.diameter, factor)] * (n < 3)
    return Table(rows, ["d2", "diameter of d1", "factor needed"])


@claim("GMPS-Text-FL", verdict=HOLDS, where="Section III-A", title="Free lunch")
def free_lunch_metric():
    r"""Where everybody is everybody's neighbour, any two different databases are one step apart: $d^{\mathcal{FL}}=1$.
    No canonical metric is smaller, so free-lunch DP is the strongest of all promises at the same $\varepsilon$.

    Databases of a single record with bounded neighbours are the same space: this is local privacy.
    """
    rng, rows, shares = np.random.default_rng(326), [], []
    for _ in range(20):
        pairs, laws = by_hand.random_graph(rng, 6), by_hand.random_laws(rng, range(6), 3)
        space, mechanism = graph(pairs, 6), FiniteMechanism(range(6), laws)
        lunch = free_lunch.on(range(6))
        ensure(agrees(lunch, {(x, y): int(x != y) for x, y in product(range(6), repeat=2)}), "one step to everywhere")
        ensure(np.all(lunch.matrix <= space.matrix), "below the canonical metric")
        most = max(by_hand.ratio(laws[x], laws[y]) for x, y in combinations(range(6), 2))
        told = mechanism.worst_case(lunch).ratio()
        ensure(told == most >= mechanism.worst_case(space).ratio(), "the largest level of all")
        ensure(dist(free_lunch, space.granularity, range(6)) == min(len(pairs), 1), "one step for one step")
        shares.append(math.log(mechanism.worst_case(space).ratio()) / math.log(told))
    rows.append(("random granularities", 20, f"{sum(x < 1 for x in shares)} have a smaller level than free lunch"))
    single = DatabaseClass.multisets("abcde", exactly=1)
    ensure(np.array_equal(bounded.on(single).matrix, free_lunch.on(single).matrix), "a single record")
    rows.append(("bounded, a single record", len(single), "the same metric as free lunch"))
    ensure(not np.array_equal(bounded.on(UP_TO_3).matrix, free_lunch.on(UP_TO_3).matrix), "not so with several")
    return Table(rows, ["granularity", "cases", "finding"])


# ------------------------------------------------------------------------------ section III-B: changing the space


def random_function(rng: np.random.Generator, size: int, values: int) -> Callable[[int], int]:
    """Draw a function from 0, ..., size - 1 to 0, ..., values - 1."""
    table = rng.integers(0, values, size).tolist()
    return lambda x: table[x]


def rounded_up(told: float, exact) -> bool:
    """Say whether a number is the least float that is not below the exact one."""
    return told == exact if exact in (0, INF) else math.nextafter(told, 0) < exact <= Fraction(told)


def pulled(d: by_hand.Distances, f: Callable) -> Callable:
    """Return the distance of the images under f."""
    return lambda x, y: d[f(x), f(y)]


@claim("GMPS-Def-III.5", verdict=DEFINITION, where="Definition III.5", title="Sensitivity")
def sensitivity_of_a_map():
    r"""The sensitivity $\Delta f$ of $f:(\mathbb D_1,d_1)\to(\mathbb D_2,d_2)$ is the smallest number in $[0,\infty]$
    with $d_2(f(D),f(D'))\le\Delta f\,d_1(D,D')$ wherever $d_1(D,D')<\infty$.

    It is infinite if $d_1=0<d_2$ or $d_1<d_2=\infty$ somewhere. What $f$ does to pairs at infinite distance does not
    count.
    """
    rng, seen = np.random.default_rng(327), Counter()
    for _ in range(100):
        d1, d2, f = by_hand.random_metric(rng, 4), by_hand.random_metric(rng, 3), random_function(rng, 4, 3)
        told = sensitivity(f, metric_space(d1, 4), metric_space(d2, 3))
        exact = by_hand.factor(pulled(d2, f), lambda x, y, d=d1: d[x, y], range(4))
        ensure(rounded_up(told, exact), "the largest quotient, in fractions")
        seen["infinite" if exact == INF else "zero" if exact == 0 else "between"] += 1
    ensure(min(seen[kind] for kind in ("infinite", "zero", "between")) >= 5, "all three kinds occur")
    size = sensitivity(len, unbounded.on(UP_TO_3), lambda n, m: abs(n - m))
    share = sensitivity(lambda D: D.count("a"), bounded.on(UP_TO_3), lambda n, m: abs(n - m))
    split = sensitivity(len, bounded.on(UP_TO_3), lambda n, m: abs(n - m))
    flat = PrivacySpace([0, 1], lambda x, y: 0)
    ensure((size, share, split) == (1, 1, 0), "counts")
    ensure(sensitivity(None, flat, free_lunch.on([0, 1])) == INF, "0 < d2 at distance 0")
    rows = [
        ("|D|, unbounded", float(size)),
        ("number of a, bounded", float(share)),
        ("|D|, bounded: different sizes are at infinite distance", float(split)),
        ("identity, from d1 = 0 to d2 = 1", INF),
        *((f"100 random maps: {kind}", f"{n} times") for kind, n in sorted(seen.items())),
    ]
    return Table(rows, ["map", "sensitivity"])


@claim("GMPS-Prop-III.6", verdict=CORRECTED, where="Proposition III.6", title="Preprocessing")
def preprocessing():
    r"""If $\Delta f<\infty$ and $\mathcal M$ is $d_2$-private, then $\mathcal M\circ f$ is $(\Delta f)d_1$-private.

    With $0\cdot\infty=\infty$ as always. Two databases at $d_1=\infty$ and $f=\mathrm{id}$ have $\Delta f=0$, since
    only finite distances count; read $0\cdot\infty=0$, and every private mechanism would have to ignore its input.
    """
    rng, counts = np.random.default_rng(328), Counter()
    for _ in range(80):
        d1, d2, f = by_hand.random_metric(rng, 4), by_hand.random_metric(rng, 3), random_function(rng, 4, 3)
        one, two = metric_space(d1, 4), metric_space(d2, 3)
        spread = sensitivity(f, one, two)
        if spread == INF:
            counts["infinite sensitivity"] += 1
            continue
        laws = by_hand.after(by_hand.attaining(range(3), d2, 2), f, range(4))
        mechanism = FiniteMechanism.attaining(two, 2).after(f, range(4))
        ensure(same_laws(mechanism, laws), "M after f, by hand")
        exact = by_hand.factor(pulled(d2, f), lambda x, y, d=d1: d[x, y], range(4))
        lost = {pair: math.log2(by_hand.ratio(*map(laws.get, pair))) for pair in d1}  # whole numbers
        ensure(all(lost[pair] <= exact * d for pair, d in d1.items() if d < INF), "private, in fractions")
        ensure(mechanism.keeps(Pure(one, spread * math.log(2))), "as the library says")
        ensure(spread == 0 or not mechanism.keeps(Pure(one, 0.999 * spread * math.log(2))), "and no smaller factor")
        wrong = any(d == INF and lost[pair] > 0 for pair, d in d1.items())
        counts["with 0 * inf = 0 it would be false" if spread == 0 and wrong else "true either way"] += 1
    ensure(counts["with 0 * inf = 0 it would be false"] >= 3, "the convention matters")
    apart = PrivacySpace([0, 1], lambda x, y: 0 if x == y else INF)
    lunch = free_lunch.on([0, 1])
    sharp = FiniteMechanism.attaining(lunch, 2).after(lambda D: D, apart.cls)
    ensure(sensitivity(None, apart, lunch) == 0 and sharp.ratio(0, 1) == 2, "sensitivity 0, ratio 2")
    ensure((0 * apart).distance(0, 1) == INF, "so 0 d1 must be inf")
    return Table(sorted(counts.items()), ["random spaces, maps and mechanisms", "cases"])


@claim(
    "GMPS-Text-sens-nb",
    verdict=HOLDS,
    where="Section III-B, after Proposition III.6",
    title="Sensitivity by neighbours",
)
def sensitivity_by_neighbours():
    r"""If the metrics are canonical, the sensitivity is the largest distance of the images of neighbours,
    $\Delta f=\max_{D\sim_{\mathcal G_1}D'}d_2(f(D),f(D'))$.

    Only $d_1$ has to be canonical; $d_2$ may be any metric. In infinite classes the maximum is a supremum. For other
    $d_1$ the nearest pairs do not decide: three points at distances 2, 2, 3, mapped to 0, 1, 2.
    """
    rng, seen = np.random.default_rng(329), Counter()
    for _ in range(100):
        pairs, d2, f = by_hand.random_graph(rng, 6, 0.3), by_hand.random_metric(rng, 4), random_function(rng, 6, 4)
        space, d1 = graph(pairs, 6), by_hand.steps(range(6), pairs)
        near = max((d2[f(x), f(y)] for x, y in pairs), default=0)
        everywhere = by_hand.factor(pulled(d2, f), lambda x, y, d=d1: d[x, y], range(6))
        told = sensitivity(f, space, metric_space(d2, 4))
        ensure(told == near == everywhere, "neighbours decide")
        ensure(sensitivity(f, PrivacySpace(range(6), space.matrix), metric_space(d2, 4)) == told, "as the metric says")
        seen["infinite" if near == INF else "zero" if near == 0 else "between"] += 1
    apart = {(0, 1): 2, (1, 2): 2, (0, 2): 3}
    line = PrivacySpace(range(3), lambda x, y: apart.get((min(x, y), max(x, y)), 0))
    told = sensitivity(None, line, lambda x, y: abs(x - y))
    nearest = max(Fraction(y - x, d) for (x, y), d in apart.items() if d == 2)
    ensure(line.is_metric and close(told, 2 / 3) and nearest == HALF, "the nearest pairs alone do not decide")
    rows = [("canonical", f"random, {kind}", f"{n} times the same") for kind, n in sorted(seen.items())]
    return Table([*rows, ("2, 2, 3", told, float(nearest))], ["d1", "sensitivity", "from the nearest pairs"])


@claim(
    "GMPS-Text-Delta-id",
    verdict=MISPRINT,
    where="Section III-B, after Proposition III.6",
    title="Sensitivity of the identity",
)
def sensitivity_of_the_identity():
    r"""For $f=\mathrm{id}$ from $(\mathbb D,d^{\mathcal G_1})$ to $(\mathbb D,d^{\mathcal G_2})$ the sensitivity is
    $\mathrm{dist}(\mathcal G_1,\mathcal G_2)$.

    The arguments are swapped: $\Delta\mathrm{id}=\max_{D\sim_{\mathcal G_1}D'}d^{\mathcal G_2}(D,D')
    =\mathrm{dist}(\mathcal G_2,\mathcal G_1)$. Not harmless: from unbounded to bounded the printed formula says 2, but
    the sensitivity is infinite.
    """
    rng, rows = np.random.default_rng(330), []
    relations = {unbounded: by_hand.added, bounded: by_hand.replaced, free_lunch: by_hand.anything}
    walked = {notion: by_hand.steps(UP_TO_3.databases, related) for notion, related in relations.items()}
    for one, two in ((bounded, unbounded), (unbounded, bounded), (unbounded, free_lunch), (free_lunch, unbounded)):
        told = sensitivity(None, one.on(UP_TO_3), two.on(UP_TO_3))
        exact = by_hand.factor(*(lambda D, E, d=walked[g]: d[D, E] for g in (two, one)), UP_TO_3.databases)
        ensure(told == exact == dist(two, one, UP_TO_3), "dist with the arguments swapped")
        ensure(told != dist(one, two, UP_TO_3), "not as printed")
        rows.append((one.name, two.name, float(told), float(dist(two, one, UP_TO_3)), float(dist(one, two, UP_TO_3))))
    ensure([row[2:] for row in rows[:2]] == [(2, 2, INF), (INF, INF, 2)], "2 and inf")
    for _ in range(30):
        one, two = graph(by_hand.random_graph(rng, 5), 5), graph(by_hand.random_graph(rng, 5), 5)
        exact = by_hand.factor(_of(two), _of(one), range(5))
        ensure(sensitivity(None, one, two) == exact == dist(two.granularity, one.granularity, range(5)), "at random")
    return Table(rows, ["G1", "G2", "sensitivity of id", "dist(G2, G1)", "dist(G1, G2), printed"])


@claim("GMPS-Rem-III.7", verdict=CORRECTED, where="Remark III.7", title="Preprocessing has no converse")
def preprocessing_has_no_converse():
    r"""$\mathcal M\circ f$ may be private although $\mathcal M$ is not. Take
    $\mathcal M(x)=x+\mathrm{Lap}(1/\varepsilon)$ and $f(x)=1/(1+e^x)$ on the real numbers: $\mathcal M\circ f$ is
    free-lunch $\varepsilon$-DP, but $\mathcal M$ is not free-lunch $\varepsilon'$-DP for any $\varepsilon'$.

    True, but the spaces are muddled: the Remark declares both to be free lunch, and then computes with $|f(x)-f(y)|$.
    The sensitivity of $f$ is 1 both ways (a supremum for $|f(x)-f(y)|$), that of the identity is 1 from free lunch to
    free lunch and infinite from free lunch to $|x-y|$. A constant $f$ is a simpler example.
    """
    eps, rows, squash = 0.5, [], lambda x: 1 / (1 + math.exp(x))
    distance, noise = (lambda x, y: abs(x - y)), mechanisms.laplace(eps)
    for reach in (1, 5, 30):
        points = [-reach, 0, reach]
        space = free_lunch.on(points)
        spread, identity = sensitivity(squash, space, distance), sensitivity(None, space, distance)
        ensure(spread == max(abs(squash(x) - squash(y)) for x, y in combinations(points, 2)) <= 1, "below 1")
        ensure(identity == 2 * reach and sensitivity(None, space, space) == 1, "the identity: 2 reach, and 1")
        losses = [_laplace_loss(noise.scale, f(-reach), f(reach)) for f in (squash, float)]
        told = [mechanisms.laplace(scale=noise.scale / shift).epsilon(0) for shift in (spread, identity)]
        ensure(all_close(losses, told, 1e-9) and all_close(told, (eps * spread, eps * identity), 1e-9), "the losses")
        ensure(told[0] <= eps * (1 + 1e-12) and told[1] > eps, "private after f, not before")
        rows.append((f"-{reach} and {reach}", float(spread), told[0], float(identity), told[1]))
    far = _laplace_loss(noise.scale, 0.0, 1e6)
    ensure(close(far, 1e6 * eps, 1e-9), "a million eps between 0 and a million")
    printing = FiniteMechanism.printing([0, 1, 2])
    constant = printing.after(lambda D: 0, [0, 1, 2])
    lunch = free_lunch.on([0, 1, 2])
    ensure(constant.level(lunch) == 0 and printing.level(lunch) == INF, "a constant map makes anything private")
    rows.append(("0 and 1000000", squash(0), eps * squash(0), 1e6, far))
    return Table(rows, ["x and y", "|f(x) - f(y)|", "loss of M after f", "|x - y|", "loss of M (eps = 0.5)"])


def _laplace_loss(scale: float, x: float, y: float) -> float:
    """Return the largest log-likelihood ratio of Laplace noise around x and y, at outputs in and around [x, y]."""
    outputs = np.linspace(min(x, y) - 1, max(x, y) + 1, 401)
    return float(np.max(np.abs(np.abs(outputs - x) - np.abs(outputs - y))) / scale)


@claim("GMPS-Prop-III.8", verdict=CORRECTED, where="Proposition III.8", title="Sensitivity of a composition")
def sensitivity_of_a_composition():
    r"""For $f:\mathbb D_1\to\mathbb D_2$ and $g:\mathbb D_2\to\mathbb D_3$, $\Delta(g\circ f)\le\Delta f\,\Delta g$.

    With $\infty\cdot0=\infty$. Otherwise false: the identity from $d_1=1$ over $d_2=\infty$ to $d_3=1$ has
    $\Delta f=\infty$, $\Delta g=0$ and $\Delta(g\circ f)=1$.
    """
    rng, counts, strict = np.random.default_rng(332), Counter(), 0
    for _ in range(150):
        metrics = [by_hand.random_metric(rng, size) for size in (4, 3, 3)]
        f, g = random_function(rng, 4, 3), random_function(rng, 3, 3)
        one, two, three = (metric_space(d, size) for d, size in zip(metrics, (4, 3, 3), strict=True))
        told = (
            sensitivity(f, one, two),
            sensitivity(g, two, three),
            sensitivity(lambda x, f=f, g=g: g(f(x)), one, three),
        )
        exact = by_hand.factor(
            pulled(metrics[2], lambda x, f=f, g=g: g(f(x))), lambda x, y, d=metrics[0]: d[x, y], range(4)
        )
        ensure(rounded_up(told[2], exact), "the sensitivity of the composition, in fractions")
        bound = INF if INF in told[:2] else told[0] * told[1]
        ensure(bound == float(times(*told[:2])) and told[2] <= bound * (1 + 1e-12), "at most the product")
        false = {0.0, INF} == set(map(float, told[:2])) and told[2] > 0
        counts["false with inf * 0 = 0" if false else "infinite bound" if bound == INF else "finite bound"] += 1
        strict += told[2] < bound < INF
    ensure(min(counts.values()) >= 3 and len(counts) == 3 and strict >= 3, "all cases occur")
    one, far = free_lunch.on([0, 1]), PrivacySpace([0, 1], lambda x, y: 0 if x == y else INF)
    example = sensitivity(None, one, far), sensitivity(None, far, one), sensitivity(None, one, one)
    ensure(example == (INF, 0, 1), "inf, 0 and 1")
    return Table([*sorted(counts.items()), ("of the finite ones, strict", strict)], ["random spaces and maps", "cases"])


# --------------------------------------------------------------------------------------- the figure and the table


@claim("GMPS-Fig-1", verdict=HOLDS, where="Figure 1", title="Which theorem implies which")
def implication_map():
    r"""A map of the composition theorems: independent or adaptive, for the whole database or disjoint parts, with
    separate domains or a common one; arrows show what follows from what.

    The arrows were derived afresh from the statements, 25 of them, and each is run here on a random world. Everything
    follows from the adaptive composition theorem V.2; V.2 and V.5 are equivalent, and so are IV.1 and IV.11. There is
    no way from IV.6 to IV.12: if only steps between sizes 1 and 2 count, IV.12 promises 1, but the parts $\{\}$ and
    $\{a\}$ of the neighbours $\{b\}$ and $\{a,b\}$ are not neighbours, and IV.6 says nothing.
    """
    rng, rows, derived = np.random.default_rng(335), [], _arrows()
    ensure({(a.source, a.target) for a in implications.ARROWS} == derived and len(derived) == 25, "25 arrows")
    ensure(len(implications.NODES) == 16 == len({x for arrow in derived for x in arrow}), "16 theorems")
    for start in implications.NODES:
        reached = set(by_hand.walk({x: [b for a, b in derived if a == x] for x in implications.NODES}, start))
        ensure(implications.follows_from(start) == reached, "what can be reached")
        if start in ("V.2", "IV.1", "V.5", "IV.11", "IV.6", "II.8"):
            rows.append((start, implications.NODES[start].name, len(reached) - 1))
    ensure(implications.follows_from("V.2") == implications.follows_from("V.5") == set(implications.NODES), "the roots")
    ensure(implications.follows_from("IV.1") == implications.follows_from("IV.11"), "IV.1 and IV.11 are equivalent")
    for source, target in sorted(derived):
        done = implications.run(source, target, rng)
        ensure(done.holds, f"{source} implies {target}")
        lost = done.world.exponents() if len(done.world.space) <= 6 else done.given
        ensure(np.all(lost <= done.stated), f"no mechanism breaks {target}")
    ensure("IV.12" not in implications.follows_from("IV.6"), "no way from IV.6 to IV.12")
    steps = Granularity(lambda D, E: by_hand.added(D, E) and len(D) + len(E) == 3, "sizes 1 and 2")
    space, parts = steps.on(UP_TO_2), Partition.by_record(["a", "b"])
    ensure(parts.compatible(space) and parts.sensitivities(space) == [INF, INF], "compatible, but too sensitive")
    promises = [Pure(space, 1)] * 2
    ensure(compose(promises, parts, common_domain=True).level() == 1, "IV.12 promises 1")
    ensure(compose([Pure(s, 1) for s in parts.spaces(space)], parts, on=space).level() == INF, "IV.6 nothing")
    return Table(rows, ["theorem", "name", "implies so many others"])


def _arrows() -> set[tuple[str, str]]:
    """Return the arrows, derived from the statements."""
    general = "V.2>IV.1 V.2>V.3 V.2>V.4 V.2>V.5 V.5>V.2 IV.1>IV.3 IV.1>IV.6 IV.1>IV.11 IV.11>IV.1 V.5>IV.11"
    classic = "V.3>IV.3 V.3>II.7 V.3>II.5 II.7>II.6 IV.3>II.6 IV.6>II.8 V.4>IV.6 V.4>APC APC>II.8"
    common = "V.5>V.6 V.6>IV.12 V.6>V.4 IV.11>IV.12 IV.11>IV.13 IV.12>IV.6"
    return {tuple(arrow.split(">")) for arrow in " ".join((general, classic, common)).split()}


@claim("GMPS-Tab-I", verdict=MISPRINT, where="Table I", title="A set or a number")
def set_or_number():
    r"""Table I defines $I_f(D,D')$ as the set of all $i$ with $f_i(D)\ne f_i(D')$.

    Sections IV-B and IV-C use the same letter for the number of its elements, Example VI.8 for the set. Read
    $\#I_f(D,D')$ where it is compared with a number.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=2), []
    blocks = ["a", "b", "c"]
    parts = Partition.by_record(blocks)
    number = parts.touched_matrix(cls)
    for D, E in product(cls, repeat=2):
        by_record = [n for n, x in enumerate(blocks, 1) if Counter(D)[x] != Counter(E)[x]]
        ensure(parts.touched(D, E) == by_record, "the set, record by record")
        ensure(number[cls.index[D], cls.index[E]] == len(by_record), "and its size")
    for notion, related, most in ((unbounded, by_hand.added, 1), (bounded, by_hand.replaced, 2)):
        told, pair = parts.most_touched(notion.on(cls))
        exact = max(len(parts.touched(*two)) for two in by_hand.related_pairs(cls.databases, related))
        ensure(told == exact == most == len(parts.touched(*pair)), "the largest number for neighbours")
        chosen = "{" + ", ".join(map(str, parts.touched(*pair))) + "}"
        rows.append((notion.name, " and ".join(map(cls.label, pair)), chosen, told))
    far = parts.touched("aa", "bc")
    rows.append(("none", "{a,a} and {b,c}", "{" + ", ".join(map(str, far)) + "}", len(far)))
    ensure(far == [1, 2, 3], "all three")
    return Table(rows, ["neighbours", "D and D'", "the set I_p", "the number"])


# ------------------------------------------------------------------------------------------- derived for this kit


@claim(
    "GMPS-X-realisation",
    verdict=HOLDS,
    where="Not in the paper; beside Definition III.2",
    title="Every metric is the loss of some mechanism",
)
def realisation():
    r"""Draw a database $x_0$ uniformly and print $(x_0,1)$ with probability $\tfrac12e^{-d(x,x_0)}$, else $(x_0,0)$.
    The largest privacy loss between $x$ and $y$ is exactly $d(x,y)$, at all pairs at once, for every metric $d$ (zero
    and infinite distances allowed).

    So statements about pure privacy become inequalities between metrics, and bounds can be shown to be sharp. No more
    is possible: the largest loss of any mechanism satisfies the triangle inequality.
    """
    rng, rows = np.random.default_rng(337), []
    for size in (2, 3, 5, 7):
        kinds = Counter()
        for _ in range(15):
            d = by_hand.random_metric(rng, size, 5)
            f = random_function(rng, size + 1, size)  # two databases with the same image are at distance 0
            both = {(x, y): d[f(x), f(y)] for x, y in product(range(size + 1), repeat=2)}
            space = metric_space(both, size + 1)
            made = FiniteMechanism.attaining(space, 3)
            ensure(same_ratios(made, by_hand.attaining(range(size + 1), both, 3)), "as the mechanism made by hand")
            ensure(attains(made, space, 3), "3^d at every pair, in fractions")
            kinds.update("zero" if x == 0 else "infinite" if x == INF else "between" for x in _upper(both))
        rows.append((size + 1, 15, kinds["zero"], kinds["between"], kinds["infinite"]))
    for _ in range(40):
        laws = by_hand.random_laws(rng, range(3), 3, zeros=0.2)
        r = by_hand.ratios(laws)
        ensure(all(r[x, z] <= r[x, y] * r[y, z] for x, y, z in product(range(3), repeat=3)), "ratios multiply at most")
    crooked = PrivacySpace(range(3), lambda x, y: abs(x - y) ** 2)
    ensure(not crooked.is_metric and _refused(lambda: FiniteMechanism.attaining(crooked, 2)), "1, 1, 4 is refused")
    return Table(rows, ["databases", "random metrics", "pairs at distance 0", "between", "at infinity"])


def _upper(d: by_hand.Distances) -> list:
    return [value for (x, y), value in d.items() if x < y]


@claim(
    "GMPS-X-closure",
    verdict=HOLDS,
    where="Not in the paper; beside Proposition IV.10",
    title="The metric closure of d^f",
)
def closure_of_minimum_privacy():
    r"""A $d$-private mechanism that depends on $f(D)$ only is private for the metric closure of $d^f$, the largest
    metric below it, and nothing better follows. The same holds for $\sqrt\rho$ and for $\mu$.

    The paper's $d^f$ is the least distance of databases with the same values of $f$; it need not satisfy the triangle
    inequality. For a count rounded down to multiples of three, 0 and 8 records are $d=8$, $d^f=4$ and in the closure 2
    apart. The closure is attained: for pure privacy at all pairs at once, for the others by Gaussian noise around the
    distance from one of the two databases.
    """
    rng, rows = np.random.default_rng(338), []
    for _ in range(15):
        d, f = by_hand.random_metric(rng, 6), random_function(rng, 6, 4)
        least = minimum_privacy(metric_space(d, 6), f)
        raw = by_hand.least_over_fibres(d, range(6), f)
        short = by_hand.shortened(raw, range(6))
        ensure(agrees(least.raw, raw) and agrees(least.closure, short), "d^f and its closure, by hand")
        sharp = FiniteMechanism.attaining(least.closure, 2)
        ensure(sharp.depends_on(f) and attains(sharp, least.closure), "attained by a mechanism that sees f(D) only")
        ensure(all(short[pair] <= d[pair] for pair in d), "which is d-private")
        for x, y, z in product(range(6), repeat=3):
            line = abs(short[x, y] - short[x, z]) if short[x, y] < INF > short[x, z] else 0
            ensure(line <= short[y, z], "the distance from x is a query of sensitivity 1")
        _keeps_closure(rng, f)
    counts = unbounded.on(DatabaseClass.multisets("a", at_most=8))
    least = minimum_privacy(counts, lambda D: len(D) // 3)
    for n in (2, 3, 6, 8):
        at = lambda space, n=n: space.distance("", "a" * n)  # noqa: E731
        rows.append((f"0 and {n} records", at(counts), at(least.raw), at(least.closure)))
        rows[-1] += tuple(
            notion(counts, 1).dependent_on(lambda D: len(D) // 3).at("", "a" * n)
            for notion in (ZeroConcentrated, Gaussian)
        )
    ensure(rows[-1][1:] == (8, 4, 2, 4, 2), "8, 4 and 2; rho = 2^2, mu = 2")
    return Table(rows, ["databases", "d", "d^f", "closure", "rho, closure", "mu, closure"])


def _keeps_closure(rng: np.random.Generator, f: Callable) -> None:
    """Draw a mechanism that sees f(D) only, promise at least what it loses, and let the closure of the promise hold."""
    laws = by_hand.random_laws(rng, range(4), 3)
    mechanism = FiniteMechanism(range(4), laws).after(f, range(6))
    for notion, root in ((Pure, 1), (ZeroConcentrated, 2), (Gaussian, 1)):
        lost = mechanism.losses(notion.notion) ** (1 / root)
        more = np.triu(rng.uniform(1, 3, (6, 6)), 1)
        promised = PrivacySpace(range(6), lost * (more + more.T) + (lost == 0) * (more + more.T))
        kept = notion(promised, 1).dependent_on(f)
        ensure(np.all(lost <= kept.matrix ** (1 / root) * (1 + 1e-9)), "the closure is kept")


@claim(
    "GMPS-X-bounded-analogues",
    verdict=HOLDS,
    where="Not in the paper; beside Corollary IV.13",
    title="Corollary IV.13 for the other notions",
)
def bounded_analogues():
    r"""Bounded privacy on a common domain, a partition by record, at least two parts: zero-concentrated mechanisms
    compose to $\max_{i\ne j}(\rho_i+\rho_j)$, Gaussian ones to $\max_{i\ne j}\sqrt{\mu_i^2+\mu_j^2}$, approximate ones
    to $(\varepsilon_i+\varepsilon_j,\delta_i+\delta_j)$ for all pairs.

    As for pure privacy, one changed record touches two parts. Levels 1, 2, 3 give 5, 5 and $\sqrt{13}$.
    """
    cls = DatabaseClass.multisets("abc", at_most=2)
    space, parts, rows = bounded.on(cls), Partition.by_record(["a", "b", "c"]), []
    walked, pairs = (
        by_hand.steps(cls.databases, by_hand.replaced),
        by_hand.related_pairs(cls.databases, by_hand.replaced),
    )
    least = [by_hand.least_over_fibres(walked, cls.databases, lambda D, x=x: restrict(D, x)) for x in "abc"]
    least = [by_hand.shortened(d, cls.databases) for d in least]
    for levels in ((1, 2, 3), (2, 2, 2), (5, 1, 1)):
        whole = [
            compose([n(space, e) for e in levels], parts, common_domain=True)
            for n in (Pure, ZeroConcentrated, Gaussian)
        ]
        told = [float(composed.level()) for composed in whole]
        used = [[sum(e * d[pair] ** n for e, d in zip(levels, least, strict=True)) for pair in pairs] for n in (1, 2)]
        squares = [sum((e * d[pair]) ** 2 for e, d in zip(levels, least, strict=True)) for pair in pairs]
        ensure(all_close(told, (*map(max, used), math.sqrt(max(squares)))), "neighbour by neighbour")
        two = list(combinations(levels, 2))
        ensure(told[:2] == [max(map(sum, two))] * 2, "the two largest")
        ensure(close(told[2], max(math.hypot(*pair) for pair in two)), "in squares")
        rows.append((", ".join(map(str, levels)), *told))
    ensure(rows[0][1:3] == (5, 5) and close(rows[0][3], 3.605551275463989), "5, 5, root of 13")
    sharp = [
        FiniteMechanism.attaining(minimum_privacy(space, f).closure, 2**e)
        for f, e in zip(parts, (1, 1, 1), strict=True)
    ]
    ensure((sharp[0] @ sharp[1] @ sharp[2]).worst_case(space).ratio() == 4, "attained: two of three")
    approximate = compose([Approximate(space, 1, 1e-5)] * 3, parts, common_domain=True).level()
    ensure(close(approximate.epsilon, 2) and close(approximate.delta, 2e-5), "(2, 2e-5)")
    given = [(1, 1e-5), (2, 1e-6), (3, 1e-7)]
    mixed = compose([Approximate(space, *pair) for pair in given], parts, common_domain=True)
    for i, j in combinations(range(3), 2):
        at = mixed.at("abc"[i], "abc"[j])
        ensure(close(at.epsilon, given[i][0] + given[j][0]), "the sum of the two epsilons")
        ensure(close(at.delta, given[i][1] + given[j][1]), "and of the two deltas")
    return Table(rows, ["levels", "pure", "zero-concentrated", "Gaussian"])


@claim(
    "GMPS-X-granularities",
    verdict=HOLDS,
    where="Not in the paper; beside Definition III.1",
    title="Graphs, users, streams and attributes",
)
def other_granularities():
    r"""Edges or nodes of graphs, events or users of logs, windows of streams, attributes of records: each has its
    canonical metric, and dist says what one costs in terms of the other.

    Rewiring nodes turns one graph into another in as many steps as a vertex cover of the changed edges has nodes;
    windows of $w$ entries cover the changed places of a stream greedily from the left. Splitting a graph into the edges
    inside blocks of nodes is compatible with both of its granularities; splitting by colours of edges is not compatible
    with nodes.
    """
    graphs, logs = DatabaseClass.graphs(4), DatabaseClass.user_logs(2, "xy", at_most=2)
    changed = by_hand.in_window(1)
    streams, people = (
        DatabaseClass.ordered("ab", exactly=6),
        DatabaseClass.multisets(list(product("ab", "xy")), at_most=2),
    )
    comparisons = [
        ("graphs on 4 nodes", graphs, (edge, by_hand.added), (node, by_hand.rewired), (3, 1, 6, 3)),
        ("logs, 2 events a user", logs, (event_level, by_hand.added), (user_level, by_hand.one_user), (4, 1, 8, 2)),
        (
            "logs, all or nothing",
            logs,
            (event_level, by_hand.added),
            (user_presence, by_hand.one_user_came),
            (2, 2, 8, 4),
        ),
        ("streams of 6", streams, (event_level, changed), (w_event(2), by_hand.in_window(2)), (2, 1, 6, 3)),
        ("streams of 6", streams, (event_level, changed), (user_level, by_hand.anything), (6, 1, 6, 1)),
        ("2 attributes", people, (attribute, by_hand.attribute_changed), (bounded, by_hand.replaced), (2, 1, INF, INF)),
    ]
    rows, walk = [], cache(lambda cls, related: by_hand.steps(cls.databases, related))
    for name, cls, (one, related), (two, other), expected in comparisons:
        first, second, d1, d2 = one.on(cls), two.on(cls), walk(cls, related), walk(cls, other)
        ensure(agrees(first, d1) and agrees(second, d2), "both metrics, walked by hand")
        exact = max(d1[p] for p in d2 if d2[p] == 1), max(d2[p] for p in d1 if d1[p] == 1)
        told = dist(one, two, cls), dist(two, one, cls)
        diameters = first.diameter, second.diameter
        ensure(told == exact and (*told, *diameters) == expected, "dist in both directions, and the diameters")
        rows.append((name, one.name, two.name, *map(float, (*told, *diameters))))
    edges, nodes, windows = edge.on(graphs), node.on(graphs), w_event(2).on(streams)
    for D, E in _some(graphs):
        ensure(nodes.distance(D, E) == _cover(D ^ E) == vertex_cover(D ^ E), "the vertex cover")
    for D, E in _some(streams):
        places = [n for n in range(6) if D[n] != E[n]]
        ensure(windows.distance(D, E) == _windows(places, 6, 2) == window_cover(places, 2), "the cover by windows")
    _check_parts(edges, nodes, logs)
    return Table(rows, ["databases", "G1", "G2", "dist(G1, G2)", "dist(G2, G1)", "diameter of G1", "of G2"])


def _some(cls: DatabaseClass) -> list[tuple]:
    """Return a few hundred pairs of databases."""
    return list(product(cls.databases, repeat=2))[::13]


def _cover(edges: frozenset) -> int:
    """Return the size of the smallest set of nodes that meets all edges, by trying all sets."""
    nodes = sorted({x for e in edges for x in e})
    sizes = range(len(nodes) + 1)
    return next(n for n in sizes for chosen in combinations(nodes, n) if all(set(e) & set(chosen) for e in edges))


def _windows(places: Sequence[int], length: int, w: int) -> int:
    """Return the least number of windows that cover some places of a stream, by trying all sets of windows."""
    covers = lambda starts: set(places) <= {n + m for n in starts for m in range(w)}  # noqa: E731
    return next(n for n in range(length) for some in combinations(range(length - w + 1), n) if covers(some))


def _check_parts(edges: NeighbourSpace, nodes: NeighbourSpace, logs: DatabaseClass) -> None:
    """Check which ways of splitting graphs and logs are compatible with which granularity."""
    blocks = Partition.by_node([[1, 2], [3, 4]])
    colours = Partition.by_record({(u, v): (u + v) % 2 for u, v in combinations(range(1, 5), 2)})
    egos = Maps([lambda D, v=v: frozenset(e for e in D if v in e) for v in range(1, 5)])
    most = [[parts.most_touched(space)[0] for space in (edges, nodes)] for parts in (blocks, colours, egos)]
    ensure(most == [[1, 1], [1, 2], [2, 4]], "blocks of nodes, colours, ego networks")
    ensure([blocks.sensitivities(space) for space in (edges, nodes)] == [[1, 1]] * 2, "blocks have sensitivity 1")
    by_value, by_user = (Partition.by_record(lambda x, i=i: x[i], parts) for i, parts in ((1, "xy"), (0, (1, 2))))
    ensure([p.compatible(user_level.on(logs)) for p in (by_value, by_user)] == [False, True], "split logs by user")


@claim(
    "GMPS-X-model", verdict=HOLDS, where="Not in the paper; beside Theorem IV.1", title="One model for all the theorems"
)
def one_model():
    r"""A granularity gives a metric by shortest paths, a metric with a level gives a promise about all pairs, and
    promises are pulled back, made dependent, added up and read off as a level for neighbours.

    The shortest paths of hundreds of databases agree with the closed form, and each step of the chain with the same
    step by hand.
    """
    large = DatabaseClass.multisets("abcd", at_most=6)
    counts = np.array([[D.count(x) for x in "abcd"] for D in large])
    apart = np.abs(counts[:, None, :] - counts[None, :, :]).sum(axis=2)
    ensure(len(large) == math.comb(10, 4) and np.array_equal(unbounded.on(large).matrix, apart), "210 databases")
    cls = DatabaseClass.multisets("abc", at_most=2)
    databases, rows = by_hand.multisets("abc", range(3)), []
    parts, levels = Partition.by_record(["a", "bc"]), (1, 3)
    for notion, related in ((unbounded, by_hand.added), (bounded, by_hand.replaced)):
        space, walked = notion.on(cls), by_hand.steps(databases, related)
        pairs = by_hand.related_pairs(databases, related)
        for common in (False, True):
            spaces = [space, space] if common else parts.spaces(space)
            whole = compose(
                [Pure(s, e) for s, e in zip(spaces, levels, strict=True)], parts, on=space, common_domain=common
            )
            metrics = [_part_metric(walked, databases, block, related, common) for block in ("a", "bc")]
            exact = {p: sum(e * d[p] for e, d in zip(levels, metrics, strict=True)) for p in walked}
            ensure(agrees(PrivacySpace(cls, whole.matrix), exact), "the promise at all pairs")
            ensure(whole.level() == max(exact[p] for p in pairs), "and the level for neighbours")
            setting = "common domain" if common else "own domains"
            rows.append((notion.name, setting, whole.theorem(), float(whole.level()), float(whole.matrix.max())))
    ensure([row[3] for row in rows] == [3, 3, INF, 4], "3, 3, inf and 4")
    return Table(rows, ["granularity", "mechanisms on", "theorem", "level of 1 and 3", "most at any pair"])


def _part_metric(walked: by_hand.Distances, databases: list, block: str, related: Callable, common: bool):
    """Return what a mechanism that is given the records of a block promises, by hand."""
    part = lambda D: restrict(D, block)  # noqa: E731
    if common:
        return by_hand.shortened(by_hand.least_over_fibres(walked, databases, part), databases)
    own = by_hand.steps(list(dict.fromkeys(map(part, databases))), related)
    return {(D, E): own[part(D), part(E)] for D, E in walked}
