"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: bounded privacy, disjoint inputs (section IV).

Budgets and losses are counted in units of log 2, so that likelihood ratios are powers of two and every loss is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations, product
from operator import matmul

from ... import Table
from ...curve import VACUOUS
from ...granularity import (
    DatabaseClass,
    Partition,
    PrivacySpace,
    bounded,
    minimum_privacy,
    unbounded,
)
from ...notions import FiniteMechanism, Pure, compose
from ..entries import CORRECTED, FALSE, HOLDS, claim, ensure
from ..reference import granularity as by_hand
from ..reference.basics import close
from ..reference.granularity import Distances
from .extremes import SAME, entries, exponent, extreme_dependent, geometric_law, least_distances, losses, part


@claim(
    "GMPS-Cor-IV.13",
    verdict=CORRECTED,
    where="Corollary IV.13",
    title="Replacing a record costs the two largest levels",
)
def replacing_a_record():
    r"""For a splitting by record, independent mechanisms that are bounded $\varepsilon_i$-DP and $p_i$-dependent are
    together bounded $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$-DP.

    For $k=1$ the maximum is over nothing; it is $\varepsilon_1$. For $k=2$ nothing is gained over the sum. From three
    parts on it is a gain, and tight on the class of all multisets if the blocks are not empty. A bonus on that class:
    with two non-empty blocks the hypotheses make $\mathcal M_i$ unbounded $\varepsilon_i$-DP as well (let the added
    record come from another block and then be replaced), so the composition is unbounded $\max_i\varepsilon_i$-DP.
    In a smaller class the detour may be missing: of $\{\}$ and $\{a\}$ alone bounded privacy says nothing (last row).
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=2), []
    B, U, d = bounded.on(cls), unbounded.on(cls), by_hand.steps(cls.databases, by_hand.replaced)
    swaps, additions = (by_hand.related_pairs(cls.databases, r) for r in (by_hand.replaced, by_hand.added))
    for blocks, eps in (
        (("a", "b", "c"), (1, 2, 3)),
        (("a", "b", "c"), (3, 1, 1)),
        (("a", "bc"), (2, 3)),
        (("abc",), (2,)),
    ):
        p, parts = Partition.by_record(blocks), list(map(part, blocks))
        told = compose([Pure(B, e) for e in eps], p, common_domain=True)
        laws = by_hand.joint(*(extreme_dependent(cls, d, f, e) for f, e in zip(parts, eps, strict=True)))
        exact = [exponent(by_hand.worst(laws, pairs)) for pairs in (swaps, additions)]
        formula = max((x + y for x, y in combinations(eps, 2)), default=eps[0])
        ensure([told.level(B), told.level(U)] == exact and exact[0] == formula, "the two largest budgets")
        ensure(exact[1] == (max(eps) if len(eps) > 1 else math.inf), "adding a record touches one part")
        rows.append((" | ".join(blocks), ", ".join(map(str, eps)), *exact, sum(eps)))
    rows.append(("a | b, the class {}, {a}", "1, 1", *levels_of_two_databases(), 2))
    ensure(rows[-1][2:4] == (VACUOUS, math.inf), "no bonus without the detour")
    counts = [
        FiniteMechanism.noisy_count(cls, lambda D, x=x: D.count(x), 2**e) for x, e in zip("abc", (1, 2, 3), strict=True)
    ]
    together = reduce(matmul, counts)
    ensure(together.ratio("b", "c") == 32 and close(together.level(B), 5 * math.log(2)), "counts attain it, too")
    ensure(rows[0][2:] == (5, 3, 6), "5, not 6")
    return Table(rows, ["blocks", "eps_i", "exact level, replace", "exact level, add or remove", "sum of all"])


def levels_of_two_databases() -> list:
    """Return the levels of two bounded promises on disjoint parts, for replaced and for added records, on {}, {a}."""
    cls = DatabaseClass(["", "a"], "multisets", records="ab")
    told = compose([Pure(bounded.on(cls), 1)] * 2, Partition.by_record(["a", "b"]), common_domain=True)
    says_it = FiniteMechanism.printing(cls, len)  # looks at the a only, and has no bounded neighbours to hide from
    ensure(says_it.keeps(Pure(bounded.on(cls), 1)) and says_it.ratio("", "a") == math.inf, "all is told")
    return [told.level(space.on(cls)) for space in (bounded, unbounded)]


@claim(
    "GMPS-Text-IV.13-pointwise",
    verdict=HOLDS,
    where="After Corollary IV.13",
    title="At each pair the bound can be tighter",
)
def bound_at_each_pair():
    r"""At a given pair the best bound is $\sum_i\varepsilon_i\,(d^{\mathcal B})^{p_i}(D,D')$, which is tighter than
    $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)\,d^{\mathcal B}$.

    With $A_i=p_i(D)$ and $B_i=p_i(D')$ it is, among all multisets and with two non-empty blocks,
    $\sum_i\varepsilon_i\max(|A_i\setminus B_i|,|B_i\setminus A_i|)$: a metric, attained at all pairs at once, and
    finite even where sizes differ and $d^{\mathcal B}$ is infinite.
    """
    cls, blocks, eps = DatabaseClass.multisets("abc", at_most=2), ("a", "b", "c"), (1, 2, 3)
    B, d = bounded.on(cls), by_hand.steps(cls.databases, by_hand.replaced)
    told = compose([Pure(B, e) for e in eps], Partition.by_record(blocks), common_domain=True, closure=False)
    formula = {
        (D, E): sum(e * one_sided(part(b)(D), part(b)(E)) for b, e in zip(blocks, eps, strict=True))
        for D, E in product(cls, repeat=2)
    }
    exact = losses(by_hand.joint(*(extreme_dependent(cls, d, part(b), e) for b, e in zip(blocks, eps, strict=True))))
    ensure(entries(told) == formula == exact, "formula, fibres and exact losses agree at all pairs")
    ensure(by_hand.is_metric(formula, cls.databases) and max(formula.values()) < math.inf, "a finite metric")
    ensure(all(formula[pair] <= 5 * d[pair] for pair in formula), "below 5 d^B")
    rows = []
    for D, E in (("b", "c"), ("a", "b"), ("bb", "bc"), ("aa", "bc"), ("bb", "cc"), ("", "aa")):
        D, E = cls.database(D), cls.database(E)
        rows.append((cls.label(D), cls.label(E), 5 * d[D, E], told.at(D, E), exact[D, E]))
    return Table(rows, ["D", "D'", "5 d^B", "sum of eps_i d^p_i", "exact loss"])


@claim("GMPS-Ex-IV.14", verdict=CORRECTED, where="Example IV.14", title="Counts of k districts cost one or two levels")
def counts_of_districts():
    r"""Noisy counts $(\mathcal M_1,\dots,\mathcal M_n)$ of $k>2$ districts: replacing a record costs $\varepsilon_i$
    within district $i$ and $\varepsilon_i+\varepsilon_j$ across two, less than the sum of all budgets.

    The list ends with $\mathcal M_k$. For counts a replacement within a district costs nothing at all; other
    mechanisms that look at the district's records do lose $\varepsilon_i$ (third column). The comparison with
    $\sum_i\varepsilon_i$ is strict if the remaining budgets are positive.
    """
    blocks, eps = (("a", "A"), ("b", "B"), ("c", "C")), (1, 2, 1)
    cls, rows = DatabaseClass.multisets([x for block in blocks for x in block], at_most=2), []
    B, d = bounded.on(cls), by_hand.steps(cls.databases, by_hand.replaced)
    parts = list(map(part, blocks))
    told = compose([Pure(B, e) for e in eps], Partition.by_record(blocks), common_domain=True)
    counts = reduce(
        matmul,
        (FiniteMechanism.noisy_count(cls, lambda D, f=f: len(f(D)), 2**e) for f, e in zip(parts, eps, strict=True)),
    )
    others = [extreme_dependent(cls, d, f, e) for f, e in zip(parts, eps, strict=True)]
    for name, x, y in (
        ("within district 1", "a", "A"),
        ("within district 2", "b", "B"),
        ("from 1 to 2", "a", "b"),
        ("from 1 to 3", "a", "c"),
        ("from 2 to 3", "b", "C"),
    ):
        D, E = cls.database([x]), cls.database([y])
        laws = by_hand.joint(
            *({z: geometric_law(len(f(z)), 2, 2**e) for z in (D, E)} for f, e in zip(parts, eps, strict=True))
        )
        exact = exponent(by_hand.ratio(laws[D], laws[E]))
        worst = exponent(math.prod(by_hand.ratio(laws[D], laws[E]) for laws in others))
        ensure(counts.ratio(D, E) == 2**exact and told.at(D, E) == worst, SAME)
        rows.append((name, exact, worst, sum(eps)))
    ensure([row[1:3] for row in rows] == [(0, 1), (0, 2), (3, 3), (2, 2), (3, 3)], "free within, eps_i + eps_j across")
    ensure(told.level(B) == 3 and close(counts.level(B), 3 * math.log(2)), "the level")
    return Table(rows, ["replacement", "exact loss, counts", "exact loss, worst mechanisms", "sum of all budgets"])


@claim(
    "GMPS-Cor-IV.15",
    verdict=FALSE,
    where="Corollary IV.15",
    title="Who looks at some records only loses at most what changed there",
)
def looking_at_some_records():
    r"""A $d^{\mathcal B}$-private mechanism that depends on $f(D)=D\cap\mathcal Y$, where
    $\mathcal Y\subseteq\mathcal X$, is private* with $\min\{d^{\mathcal B}(D,D'),|f(D)\triangle f(D')|\}$.

    False for $\mathcal Y=\mathcal X$: printing $|D|$ is bounded 0-DP and tells all sizes apart, where the printed bound
    is finite. For a proper subset it is valid, but too large as soon as $\mathcal Y$ has two records. Right is
    $d^f=\max(|A\setminus B|,|B\setminus A|)$ with $A=f(D)$ and $B=f(D')$: $\{a\}$ and $\{b,c\}$ with
    $\mathcal Y=\{a,b\}$ are 1 apart, not 2. The printed minimum is then no metric either, and the conclusion names
    $d^{\mathcal B}$ where the new distance is meant. In a class with at most one record outside $\mathcal Y$ even
    $d^f(\{\},\{a,a\})$ is infinite, but its closure is still 2.
    """
    rows = []
    for X, Y, most in (("ab", "a", 4), ("abc", "ab", 4), ("abc", "a", 4), ("abcd", "ab", 3), ("abcd", "abc", 3)):
        cls, f = DatabaseClass.multisets(X, at_most=most), part(Y)
        d = by_hand.steps(cls.databases, by_hand.replaced)
        raw, printed = by_hand.least_over_fibres(d, cls.databases, f), printed_minimum(d, f)
        ensure(entries(minimum_privacy(bounded.on(cls), f).raw) == raw, SAME)
        ensure(all(raw[D, E] == one_sided(f(D), f(E)) <= printed[D, E] for D, E in raw), "the corrected value")
        loose = [pair for pair in combinations(cls, 2) if raw[pair] < printed[pair]]
        factor = max((Fraction(printed[pair], raw[pair]) for pair in loose), default=1)
        ensure(
            bool(loose) == (len(Y) > 1) == (not PrivacySpace(cls, lambda D, E, m=printed: m[D, E]).is_metric), "|Y| > 1"
        )
        rows.append((X, Y, most, math.comb(len(cls), 2), len(loose), factor, 0))
    ensure(
        [(row[3], row[4]) for row in rows] == [(105, 0), (595, 126), (595, 0), (595, 84), (595, 150)], "too large at"
    )
    cls = DatabaseClass.multisets("ab", at_most=3)
    d, size = by_hand.steps(cls.databases, by_hand.replaced), FiniteMechanism.printing(cls, len)
    ensure(size.keeps(Pure(bounded.on(cls), 0)) and size.depends_on(tuple), "bounded 0-DP, dependent on D")
    lost, printed = by_hand.ratios(by_hand.printing(cls.databases, len)), printed_minimum(d, tuple)
    broken = [pair for pair in combinations(cls, 2) if lost[pair] == math.inf > printed[pair]]
    ensure(len(broken) == 35 and printed[(), ("a",)] == 1 and size.ratio("", "a") == math.inf, "false for Y = X")
    rows.append(("ab", "ab", 3, 45, 0, None, len(broken)))
    capped = [D for D in by_hand.multisets("az", range(4)) if D.count("z") <= 1]
    raw, closed = least_distances(capped, by_hand.steps(capped, by_hand.replaced), part("a"))
    told = minimum_privacy(bounded.on(DatabaseClass(capped, "multisets")), part("a"))
    ensure((entries(told.raw), entries(told.closure)) == (raw, closed), SAME)
    ensure((raw[(), ("a", "a")], closed[(), ("a", "a")]) == (math.inf, 2), "a cap on the others")
    columns = [
        "universe",
        "Y",
        "size up to",
        "pairs",
        "printed value too large",
        "factor up to",
        "printed value too small",
    ]
    return Table(rows, columns)


def one_sided(A: tuple, B: tuple) -> int:
    """Return max(|A minus B|, |B minus A|)."""
    return max((Counter(x) - Counter(y)).total() for x, y in permutations((A, B)))


def printed_minimum(d: Distances, f: Callable) -> Distances:
    """Return the minimum in Corollary IV.15."""
    return {(D, E): min(d[D, E], by_hand.apart(f(D), f(E))) for D, E in d}
