"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: the preliminaries (section II).

Everything is exact: mechanisms have fractions for probabilities, distances are whole numbers, and the loss is counted
in units of log 2. The second way walks from neighbour to neighbour and compares multisets record by record.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Table
from ...curve import VACUOUS
from ...granularity import (
    DatabaseClass,
    NeighbourSpace,
    Partition,
    bounded,
    symmetric_difference,
    times,
    unbounded,
)
from ...notions import (
    FiniteMechanism,
    Pure,
    compose,
    group_factor,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as by_hand
from ..reference.basics import close
from .spaces import HALF, INF, UP_TO_2, UP_TO_3, neighbours_of, restrict, same_laws


def response(cls: DatabaseClass, query: Callable, ratio: int = 2) -> FiniteMechanism:
    """Return randomized response to a yes-no query."""
    truth = Fraction(ratio, ratio + 1)
    return FiniteMechanism(cls, lambda D: {bool(query(D)): truth, not query(D): 1 - truth})


@claim("GMPS-Conv", verdict=DEFINITION, where="throughout", title="Conventions for infinity and for multisets")
def conventions():
    r"""Distances, levels and sensitivities are taken from $[0,\infty]$, and infinity means that nothing is promised.

    The text does not say so, but it needs: $c\cdot\infty=\infty$ for every $c\ge0$, also for $c=0$; $[d]_0=d$; the
    largest of no neighbours is 0 (which the library calls vacuous); the union of multisets takes the larger
    multiplicity. The mechanism that prints $|D|$ shows why: it is bounded 0-DP, yet it tells $\{a\}$ and $\{a,b\}$, at
    bounded distance $\infty$, apart. Read $0\cdot\infty=0$, and Theorem III.3 would say that it does not.
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
    ensure(group_factor(5, 0) == sum(1**n for n in range(5)), "[5]_0 as a sum of five ones")
    alone = bounded.on(DatabaseClass(["", "a"], "multisets"))
    levels = [Pure(alone, 7).at(*pair) for pair in product(alone.cls, repeat=2) if by_hand.replaced(*pair)]
    largest = max(levels, default=0.0)
    ensure(levels == [] and largest == 0, "no neighbours, level 0")
    ensure(Pure(alone, 7).level() is VACUOUS, "which is no privacy, but a promise about nothing")
    rows = [
        ("0 * inf", float(times(0, INF)), 0),
        ("[5]_0", group_factor(5, 0), "0 / 0"),
        ("level of 7 d^B without neighbours", largest, "undefined"),
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
        told = mechanism.worst(space).ratio()
        ensure(told == by_events, "the largest ratio of any event, in fractions")
        ensure(close(mechanism.level(space), math.log(by_events)), "its logarithm is the level")
        rows.append((outputs, 2**outputs, str(told), mechanism.level(space)))
    return Table(rows, ["outputs", "events", "smallest e^eps", "eps"])


@claim("GMPS-Prop-II.2", verdict=HOLDS, where="Proposition II.2", title="Groups cost epsilon times the distance")
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
        base = mechanism.worst(space).ratio()
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
    ensure(identity.level(unbounded.on(gap)) is VACUOUS and identity.ratio("", "ab") == INF, "with gaps it fails")
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


@claim("GMPS-Thm-II.5", verdict=HOLDS, where="Theorem II.5", title="T interactions cost T times epsilon")
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
        told, promised = adaptive.worst(space).ratio(), compose([Pure(space, 1)] * rounds, adaptive=True)
        ensure(told == by_hand.worst(exact, pairs) <= 2**rounds, "never beyond the bound")
        ensure(same.worst(space).ratio() == 2 ** promised.level() == 2**rounds, "attained")
        rows.append((rounds, 2**rounds, int(same.worst(space).ratio()), str(told), promised.theorem()))
    return Table(rows, ["T", "bound, e^eps = 2", "the same question", "questions by the answers", "general theorem"])


@claim("GMPS-Thm-II.6", verdict=CORRECTED, where="Theorem II.6", title="Independent mechanisms on the same data add up")
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
        told, singles = whole.worst(space).ratio(), [by_hand.worst(laws, pairs) for laws in drawn]
        ensure(told == by_hand.worst(by_hand.joint(*drawn), pairs) <= math.prod(singles), "at most the product")
        bound = compose([Pure(space, part.level(space)) for part in parts]).level()
        ensure(close(bound, math.log(math.prod(singles))), "the sum of the epsilons")
        rows.append((f"{k} random mechanisms", bound, math.log(told)))
    sharp = FiniteMechanism.attaining(space, 2)
    ensure((sharp @ sharp).worst(space).ratio() == 4, "attained: 2 times 2")
    rows.append(("2 that attain log 2", 2 * math.log(2), (sharp @ sharp).level(space)))
    bit = DatabaseClass.multisets("a", at_most=1)
    coin = FiniteMechanism(bit, lambda D: {((len(D) + c) % 2, c): HALF for c in (0, 1)})
    single = [coin.then(lambda y, i=i: y[i]) for i in (0, 1)]
    ensure([m.ratio("", "a") for m in (*single, coin)] == [1, 1, INF], "with a common coin all is lost")
    rows.append(("2 with a common coin, each 0-DP", 0.0, coin.level(unbounded.on(bit))))
    return Table(rows, ["mechanisms", "sum of the epsilons", "exact epsilon"])


@claim("GMPS-Thm-II.7", verdict=HOLDS, where="Theorem II.7", title="Adaptive mechanisms on the same data add up")
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
        told = whole.worst(space).ratio()
        ensure(told == by_hand.worst(exact, pairs) <= math.prod(levels), "at most the product")
        shares.append(math.log(told) / math.log(math.prod(levels)))
        rows.append((*(math.log(x) for x in levels), math.log(math.prod(levels)), math.log(told)))
    ensure(0.5 < max(shares) < 1, "the bound is approached")
    sharp = {y: FiniteMechanism.attaining(space, 2 + y) for y in (0, 1)}
    bit = response(UP_TO_2, lambda D: "a" in D)
    exact = bit.adaptively(lambda y: sharp[int(y)]).worst(space).ratio()
    ensure(exact == 2 * 3, "attained: 2 for the first, 3 for the worse of the two that may follow")
    rows = [*rows[:4], (math.log(2), math.log(3), math.log(6), math.log(exact))]
    return Table(rows, ["eps_1", "eps_2, worst prefix", "sum", "exact epsilon"])


@claim("GMPS-Thm-II.8", verdict=HOLDS, where="Theorem II.8", title="Mechanisms on disjoint data cost no more than one")
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
        ensure(whole.worst(space).ratio() == exact == 2 ** max(levels), "the largest, attained")
        ensure(composed.level() == max(levels) and composed.theorem() == "IV.6", "as the theorem says")
        names = ", ".join("{" + ",".join(block) + "}" for block in blocks)
        rows.append((names, ", ".join(map(str, levels)), composed.level(), math.log2(exact)))
    return Table(rows, ["blocks", "levels (log 2)", "bound", "exact level"])


@claim("GMPS-Ex-II.9", verdict=CORRECTED, where="Example II.9", title="Bounded privacy has no parallel composition")
def no_parallel_composition_for_bounded():
    r"""Printing the size, $\mathcal M^*(D)=|D|$, costs nothing for bounded neighbours. Printing the sizes of the parts,
    $D\mapsto(|D\cap\mathcal X_1|,\dots,|D\cap\mathcal X_k|)$, has no finite bounded $\varepsilon$.

    This is said of any disjoint $\mathcal X_i$, and the argument takes a record from each of two of them. One is
    enough, if it is neither empty nor all of $\mathcal X$; if there is none such, the composition stays private. Here
    all 27 ways to give three records to two blocks or to none are tried. Slips: $\mathcal M^*$ is bounded (not
    unbounded) DP; $x'\in D'_l$ (not $D'_j$); the last count is $|D_k|$ (not $|D_n|$).
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
        told = whole.worst(space).ratio()
        harmless = all(block in (set(), {"a", "b", "c"}) for block in blocks)
        ensure(told == by_hand.worst(counts, pairs) == (1 if harmless else INF), "harmless or all is lost")
        verdicts.append(harmless)
        if given in ((1, 2, 2), (1, 2, None), (1, None, None), (1, 1, 1)):
            names = ", ".join("{" + ",".join(sorted(block)) + "}" for block in blocks)
            rows.append((names, size.level(space), compose_sizes(space, parts).level(), whole.level(space)))
    ensure(sum(verdicts) == 3, "three of the 27 are harmless")
    return Table(rows, ["blocks", "level of each part", "level by Theorem IV.1", "exact level of the sizes"])


def compose_sizes(space: NeighbourSpace, parts: Partition):
    """Compose bounded 0-DP mechanisms on the parts of the databases."""
    return compose([Pure(s, 0) for s in parts.spaces(space)], parts, on=space)


@claim("GMPS-Foot-3", verdict=MISPRINT, where="Footnote 3", title="Other papers have two names for ISC and IPC")
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
        ensure((one @ two).worst(space).ratio() == 2 ** whole.level(), "the bound is attained")
        rows.append((name, "adaptive" if adaptive else "independent", "a part" if parallel else "the whole database"))
        rows[-1] += (classic, whole.theorem(), whole.level())
    ensure([row[4] for row in rows] == ["IV.3", "V.3", "IV.6", "V.4"], "the numbers of the general theorems")
    ensure([row[5] for row in rows] == [3, 3, 2, 2], "adaptivity costs nothing, seeing only a part saves")
    return Table(rows, ["setting", "mechanisms", "each sees", "classic", "general", "level of 1 and 2"])
