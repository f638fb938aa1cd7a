"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: partitions (section IV-B).

Budgets and losses are counted in units of log 2, so that likelihood ratios are powers of two and every loss is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    Maps,
    Partition,
    bounded,
    sensitivity,
    unbounded,
)
from ...notions import Pure, compose
from ..entries import CORRECTED, HOLDS, MISPRINT, claim, ensure
from ..reference import granularity as by_hand
from .extremes import (
    SAME,
    budgeted,
    entries,
    exponent,
    extreme_steps,
    part,
    random_maps,
    space_of,
    touched,
    values,
)


@claim(
    "GMPS-Def-partition",
    verdict=MISPRINT,
    where="Section IV-B",
    title="A partitioning function gives each mechanism a part",
    kind="definition",
)
def partitioning_function():
    r"""A $k$-partitioning function gives mechanism $i$ a part $p_i(D)\subseteq D$, where
    $p_i(D)\cap p_j(D)\ne\emptyset$ for $i\ne j$; some records may belong to no part.

    The sign is reversed: parts must be disjoint. As printed, giving everything to everybody would qualify, and that
    costs $2\varepsilon$. For multisets the best way to say it is $\sum_ip_i(D)\subseteq D$: then two parts may also
    share the copies of one record, as in the last row.
    """
    cls, rows = DatabaseClass.multisets("ab", at_most=3), []
    U, added = unbounded.on(cls), by_hand.added
    cases = [
        ("a | b", [part("a"), part("b")], True, 1),
        ("everything | everything", [tuple, tuple], False, 2),
        ("one copy of each | the other copies", [once, repeated], True, 1),
    ]
    for name, parts, allowed, level in cases:
        common = {bool(set(parts[0](D)) & set(parts[1](D))) for D in cls if D}
        within = all(Counter(parts[0](D)) + Counter(parts[1](D)) <= Counter(D) for D in cls)
        ensure(allowed == within == accepted(Partition(parts), cls), "the library accepts what fits into D")
        laws = by_hand.joint(*(extreme_steps(cls, f, added) for f in parts))
        exact = exponent(by_hand.worst(laws, by_hand.related_pairs(cls.databases, added)))
        told = compose([Pure(s) for s in Maps(parts).spaces(U)], Maps(parts), on=U).level()
        ensure(exact == told == level, "the level")
        rows.append((name, "sometimes" if len(common) > 1 else "always" if True in common else "never", within, exact))
    ensure([row[1] for row in rows] == ["never", "always", "sometimes"], "only the second is what is printed")
    columns = ["parts", "do they intersect?", "do they fit into D?", "exact level of two mechanisms with eps = 1"]
    return Table(rows, columns)


@claim("GMPS-Ex-IV.4", verdict=HOLDS, where="Example IV.4", title="Blocks of records split every database")
def splitting_by_record():
    r"""Blocks $\mathcal X_1,\dots,\mathcal X_k$ of the universe split every database: $p_i(D)$ keeps the records of
    block $i$, with their multiplicities.

    What happens to a record does not depend on the others. So adding one touches one part; replacing one may touch
    two, and then each part has changed its size, which bounded privacy of the parts does not cover.
    """
    cls = DatabaseClass.multisets("abcd", at_most=3)
    blocks = ("a", "b", "cd")
    U = unbounded.on(cls)
    p = Partition.by_record(blocks)
    for D, (block, f) in product(cls, zip(blocks, p, strict=True)):
        inside = [x for x in D if x in block]
        ensure(Counter(f(D)) == Counter(inside), "multiplicities")
    most = max(touched(blocks, D, E) for D, E in combinations(cls, 2))
    ensure(p.most_touched(U)[0] == 1, "one for neighbours")
    ensure(most == p.touched_matrix(cls).max() == 3, "else three")
    rows = []
    for D, E in (("ab", "abc"), ("aa", "aab"), ("ac", "ad"), ("a", "b"), ("aa", "ab"), ("", "abc")):
        D, E = cls.database(D), cls.database(E)
        ensure(len(p.touched(D, E)) == touched(blocks, D, E), SAME)
        rows.append([cls.label(D), cls.label(E), len(p.touched(D, E))])
        for notion, related in ((unbounded, by_hand.added), (bounded, by_hand.replaced)):
            promise = compose([Pure(space) for space in p.spaces(notion.on(cls))], p, on=U)
            walked = [by_hand.steps(values(f, cls), related)[f(D), f(E)] for f in p]
            ensure(promise.at(D, E) == sum(walked), SAME)
            rows[-1].append(sum(walked))
    ensure(rows[2][2:] == [1, 2, 1] and rows[3][2:] == [2, 2, math.inf], "within a block, and across")
    return Table(rows, ["D", "D'", "parts touched", "sum of unbounded steps", "sum of bounded steps"])


@claim(
    "GMPS-Text-Ip",
    verdict=CORRECTED,
    where="After Example IV.4",
    title="The parts that are touched times the sensitivity bound the loss",
)
def counting_touched_parts():
    r"""With $I_p(D,D')$ parts touched, the composition is private with
    $\sum_id_i(p_i(D),p_i(D'))\le I_p(D,D')\,(\max_i\Delta p_i)\,d_i(D,D')$.

    The index on the right is free, and $d_i$ lives on the parts: it must be $d(D,D')$, the metric with respect to
    which (and to $d_i$) the sensitivities are meant, and finite. Read with $i=1$ and sensitivities in steps the line
    fails at most pairs, as the last column shows. Right is
    $\sum_{i:\,p_i(D)\ne p_i(D')}\Delta p_i\,d(D,D')$ in between, and $\max_i\varepsilon_i$ for neighbours, of which
    only one part is touched.
    """
    cls = DatabaseClass.multisets("abc", at_most=3)
    blocks = ("a", "b", "c")
    eps = (1, 10, 3)
    U = unbounded.on(cls)
    p = Partition.by_record(blocks)
    spread = [sensitivity(f, U, e * s) for f, e, s in zip(p, eps, p.spaces(U), strict=True)]
    told = compose(budgeted(p.spaces(U), eps), p, on=U)
    ensure(spread == list(eps) and told.level() == 10, "the sensitivities are the budgets, the level the largest")
    literal = 0
    for (D, E), total in entries(told).items():
        steps = by_hand.apart(D, E)
        ensure(total == weighted(blocks, eps, D, E), SAME)
        ensure(total <= touched_budget(blocks, eps, D, E) * steps, "the sum over the touched parts")
        literal += total > touched(blocks, D, E) * steps
    ensure(len(entries(told)) == 400 and literal == 298, "the literal reading fails at 298 of 400 pairs")
    rng = np.random.default_rng(45)
    for _ in range(40):
        touched_parts_of_random_maps(rng)
    rows = []
    for D, E in (("", "b"), ("a", "b"), ("ab", "bc"), ("", "abc"), ("aaa", "bbb")):
        D, E = cls.database(D), cls.database(E)
        n, d = touched(blocks, D, E), by_hand.apart(D, E)
        exact = weighted(blocks, eps, D, E)
        middle = touched_budget(blocks, eps, D, E) * d
        rows.append((cls.label(D), cls.label(E), exact, middle, n * 10 * d, n * d))
    columns = ["D", "D'", "exact", "sum over touched parts", "I_p max d", "literally, with d_1"]
    return Table(rows, columns)


def touched_parts_of_random_maps(rng: np.random.Generator) -> None:
    """Try the corrected inequality on two maps of five points into three, with metrics of their own."""
    maps = random_maps(rng, 2)
    d, *parts = (by_hand.random_metric(rng, n) for n in (5, 3, 3))
    whole = space_of(range(5), d)
    spread = [sensitivity(f, whole, space_of(range(3), x)) for f, x in zip(maps, parts, strict=True)]
    for D, E in combinations(range(5), 2):
        moved = [c for f, c in zip(maps, spread, strict=True) if f(D) != f(E)]
        if moved and d[D, E] < math.inf:
            exact = sum(x[f(D), f(E)] for f, x in zip(maps, parts, strict=True))
            middle = sum(moved) * d[D, E]
            ensure(exact <= middle <= len(moved) * max(spread) * d[D, E], "any maps")


@claim(
    "GMPS-Ex-IV.5",
    verdict=MISPRINT,
    where="Example IV.5",
    title="At least three hospitals an ambulance cost three times, not k times",
)
def several_hospitals():
    r"""Every ambulance is assigned to at least three of $k>3$ hospitals, and each hospital gets a noisy count of its
    ambulances: $\sum_id^{\mathcal U}(f_i(D),f_i(D'))\le3d^{\mathcal U}(D,D')<k\,d^{\mathcal U}(D,D')$.

    It must say at most three, both times (the notation $[k]^{\le3}$ already does). With at least three, one ambulance
    may serve all hospitals, and the factor is $k$. The strict inequality is meant for $D\ne D'$. Between one part only
    and the whole database for everyone there is every step: at most $m$ labels cost $m\,d^{\mathcal U}$.
    """
    rows, k = [], 5
    for name, sizes in (
        ("at most 1", (0, 1)),
        ("at most 2", range(3)),
        ("at most 3", range(4)),
        ("at least 3", (3, 4, 5)),
    ):
        records = [labels for n in sizes for labels in combinations(range(k), n)]
        cls = DatabaseClass.multisets(records, at_most=2)
        U, f = unbounded.on(cls), Maps.by_label(range(k))
        told = compose([Pure(s) for s in f.spaces(U)], f, on=U)
        most, ratio = label_sums(records, cls)
        ensure(told.level() == ratio == f.most_touched(U)[0] == most == max(sizes), "the largest number of labels")
        rows.append((name, len(records), len(cls), most, ratio))
    ensure(rows[2] == ("at most 3", 26, 378, 3, 3) and rows[3][3:] == (5, 5), "three, and k = 5")
    columns = [
        "labels of a record",
        "records",
        "databases",
        "most parts one step touches",
        "largest sum / d^U, all pairs",
    ]
    return Table(rows, columns)


def once(D: tuple) -> tuple:
    """Return one copy of each record."""
    return tuple(sorted(set(D)))


def repeated(D: tuple) -> tuple:
    """Return the other copies."""
    return tuple((Counter(D) - Counter(set(D))).elements())


def touched_budget(blocks: Sequence, eps: Sequence[int], D: tuple, E: tuple) -> int:
    """Return the sum of eps_i over these blocks."""
    return sum(e for block, e in zip(blocks, eps, strict=True) if touched([block], D, E))


def weighted(blocks: Sequence, eps: Sequence[int], D: tuple, E: tuple) -> int:
    """Return the sum over the records that differ of the budgets of their blocks."""
    owner = {x: e for block, e in zip(blocks, eps, strict=True) for x in block}
    return sum(owner[x] * n for x, n in by_hand.difference(D, E).items())


def accepted(p: Partition, cls: DatabaseClass) -> bool:
    """Say whether the library takes the parts for a partition."""
    try:
        p.check(cls)
    except ValueError:
        return False
    return True


def label_sums(records: Sequence, cls: DatabaseClass) -> tuple[int, float]:
    """Return the most labels that one step touches, and the largest sum of label-wise changes over all changes."""
    counts = np.array([[D.count(x) for x in records] for D in cls])
    moved = np.abs(counts[:, None, :] - counts[None, :, :])
    total = moved.sum(axis=2)
    ratios = (moved @ np.array([len(x) for x in records]))[total > 0] / total[total > 0]
    one = np.argwhere((moved == 1) & (total == 1)[:, :, None])[:, 2]
    return max(len(records[n]) for n in np.unique(one)), float(ratios.max())
