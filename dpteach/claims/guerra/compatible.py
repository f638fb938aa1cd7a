"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: commuting and compatible partitions (section IV-C).

Budgets and losses are counted in units of log 2, so that likelihood ratios are powers of two and every loss is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    Granularity,
    Partition,
    PrivacySpace,
    bounded,
    symmetric_difference,
    unbounded,
)
from ...notions import Pure, compose
from ..entries import DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from ..reference import granularity as by_hand
from .extremes import (
    SAME,
    WORLDS,
    Compatible,
    budgeted,
    entries,
    exponent,
    extreme,
    extreme_steps,
    losses,
    part,
    parts_of,
    random_compatible,
    touched,
    values,
)


@claim("GMPS-Def-commute", verdict=DEFINITION, where="Section IV-C", title="A metric that commutes with a partition")
def commuting_metric():
    r"""A metric $d^*$ that makes sense for all databases commutes with $p$ if
    $\sum_id^*(p_i(D),p_i(D'))=d^*\bigl(\bigcup_ip_i(D),\bigcup_ip_i(D')\bigr)\le d^*(D,D')$ for all pairs.

    For the theorem only the outer inequality matters. The unions may lie outside the class, so $d^*$ must be defined
    there as well: $|D\triangle D'|$ is. Third row: a record of no part makes the inequality strict. Last row: halves
    of the sorted list, where one new record moves all later ones.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=3), []
    cases = [("a | b | c", parts_of("a", "b", "c"), "aab", "bc"), ("a | bc", parts_of("a", "bc"), "ab", "bbc")]
    cases += [("a | b", parts_of("a", "b"), "ab", "acc"), ("lower half | upper half", [lower, upper], "cc", "bcc")]
    for name, parts, D, E in cases:
        D, E, p = cls.database(D), cls.database(E), Partition(parts)
        sums = {(x, y): three_distances(parts, x, y) for x, y in product(cls, repeat=2)}
        commutes = all(a == b <= c for a, b, c in sums.values())
        ensure(commutes == p.commutes_with(symmetric_difference, on=cls), SAME)
        rows.append((name, cls.label(D), cls.label(E), *sums[D, E], commutes))
    ensure([row[-1] for row in rows] == [True, True, True, False], "three commute")
    ensure(rows[2][3:6] == (1, 1, 3) and rows[3][3:6] == (3, 1, 1), "strict, and broken")
    return Table(rows, ["partition", "D", "D'", "sum over parts", "of the unions", "of D and D'", "commutes"])


@claim(
    "GMPS-Text-commute",
    verdict=HOLDS,
    where="Section IV-C, Proposition A.4",
    title="With a commuting metric the largest level suffices",
)
def what_commuting_buys():
    r"""If $d^*$ commutes with $p$ and mechanism $i$ is $\varepsilon_id^*$-private on its part, the composition is
    $(\max_i\varepsilon_i)d^*$-private; and $|D\triangle D'|$ commutes with every splitting by record.

    All ways to assign three records to two parts or none, and mechanisms that lose exactly what they may. It takes a
    splitting by record: for the halves of the sorted list the symmetric difference does not commute, and two
    mechanisms with $\varepsilon=1$ lose 3 between neighbours, $\{c,c\}$ and $\{b,c,c\}$.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=2), []
    for owners in product((1, 2, None), repeat=3):
        p = Partition.by_record(dict(zip("abc", owners, strict=True)), parts=[1, 2])
        ensure(p.commutes_with(symmetric_difference, on=cls), "every splitting by record commutes")
    for blocks, eps in ((("a", "b", "c"), (1, 2, 3)), (("a", "bc"), (3, 1)), (("c", "b"), (1, 1))):
        promises = [
            Pure(PrivacySpace(values(part(b), cls), symmetric_difference), e) for b, e in zip(blocks, eps, strict=True)
        ]
        told = compose(promises, Partition.by_record(blocks), on=PrivacySpace(cls, symmetric_difference))
        exact = losses(
            by_hand.joint(*(extreme(cls, part(b), by_hand.apart, e) for b, e in zip(blocks, eps, strict=True)))
        )
        ensure(entries(told) == exact, "the exact loss")
        ratio = max(Fraction(exact[pair], by_hand.apart(*pair)) for pair in combinations(cls, 2))
        ensure(ratio == max(eps) == told.level(), "at most max eps_i at all pairs, and that much at some")
        rows.append((" | ".join(blocks), ", ".join(map(str, eps)), max(eps), ratio))
    cls = DatabaseClass.multisets("abc", at_most=3)
    told = compose(
        [Pure(PrivacySpace(values(f, cls), symmetric_difference)) for f in (lower, upper)], [lower, upper], on=cls
    )
    D, E = ("c", "c"), ("b", "c", "c")
    laws = by_hand.joint(*(extreme(cls, f, by_hand.apart) for f in (lower, upper)))
    ensure(exponent(by_hand.ratio(laws[D], laws[E])) == told.level(unbounded.on(cls)) == told.at(D, E) == 3, "halves")
    rows.append(("lower half | upper half", "1, 1", 1, 3))
    return Table(rows, ["partition", "eps of the parts", "max eps", "exact largest loss / d, all pairs"])


@claim(
    "GMPS-Def-compat",
    verdict=MISPRINT,
    where="Section IV-C",
    title="A partition is compatible if exactly one part changes",
    kind="definition",
)
def compatible_partitions():
    r"""A partition is $d^{\mathcal G}$-compatible if for neighbours there is at most one $j$ such that all parts but
    the $j$-th are equal, that is $I_p(D,D')=1$.

    Meant is: there is a $j$ such that, that is $I_p\le1$. Printed as an equality it excludes partitions with records
    of no part, which are allowed (second row: adding $c$ touches nothing). And "at most one $j$" says something else
    entirely: it is violated when nothing is touched, and it is true when two parts are (last row).
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=2), []
    for blocks, granularity, related in (
        (("a", "b", "c"), unbounded, by_hand.added),
        (("a", "b"), unbounded, by_hand.added),
        (("abc", ""), bounded, by_hand.replaced),
        (("a", "bc"), bounded, by_hand.replaced),
        (("a", "b", "c"), bounded, by_hand.replaced),
    ):
        neighbours = by_hand.related_pairs(cls.databases, related)
        counts = sorted({touched(blocks, D, E) for D, E in neighbours})
        others = [sum(touched(without(blocks, j), D, E) == 0 for j in range(len(blocks))) for D, E in neighbours]
        space, p = granularity.on(cls), Partition.by_record(blocks)
        ensure(p.compatible(space) == (max(counts) <= 1) and p.most_touched(space)[0] == max(counts), SAME)
        shown = " | ".join(b or "nothing" for b in blocks)
        told = (", ".join(map(str, counts)), p.compatible(space), counts == [1], max(others) <= 1)
        rows.append((shown, granularity.name, *told))
    ensure([row[3:] for row in rows][1] == (True, False, False), "compatible, though not as printed")
    ensure([row[3:] for row in rows][4] == (False, False, True), "incompatible, though the words say otherwise")
    columns = ["partition", "neighbours", "I_p takes the values", "I_p <= 1", "I_p = 1", "at most one such j"]
    return Table(rows, columns)


@claim("GMPS-Text-compat-eq", verdict=FALSE, where="Section IV-C", title="Compatible parts add up to the whole")
def compatible_parts_need_not_add_up():
    r"""If $p$ is compatible and all $\Delta p_i\le1$, then the distances of the parts sum up exactly:
    $\sum_id^{\mathcal G}_{\mathbb D_i}(p_i(D),p_i(D'))=d^{\mathcal G}_{\mathbb D}(D,D')$.

    Only $\le$ is true, and Theorem IV.6 needs no more. The sum is smaller if a record belongs to no part (first row);
    or, with all records in some part, if the class has gaps that force a detour: from $\{\}$ to $\{b,b\}$ the class of
    the second row has only the way over $\{a\}$, $\{a,b\}$ and $\{a,b,b\}$.
    """
    gaps = [tuple(x) for x in ("", "a", "ab", "abb", "bb")]
    cases = [([(), ("c",)], ("a", "b"), (), ("c",), 0, 1), (gaps, ("a", "b"), (), ("b", "b"), 2, 4)]
    rows = []
    for databases, blocks, D, E, parts, whole in cases:
        world = Compatible(databases, by_hand.added, blocks, unbounded)
        ensure(world.meets_both_conditions and world.sum_of_parts(D, E) == parts < whole == world.d[D, E], "smaller")
        told = compose([Pure(s) for s in world.partition.spaces(world.space)], world.partition, on=world.space)
        ensure((told.at(D, E), world.space.distance(D, E)) == (parts, whole), SAME)
        rows.append((f"{label(D)} and {label(E)}, in a class of {len(databases)}", 1, 1, 0))
    rng = np.random.default_rng(46)
    for kind in WORLDS:
        compared = Counter()
        for _ in range(40):
            world = random_compatible(rng, kind, size=3, keep=10)
            ensure(world.meets_both_conditions, "compatible, sensitivities at most 1")
            compared.update(np.sign(world.sum_of_parts(D, E) - world.d[D, E]) for D, E in world.finite_pairs)
        ensure(compared[1] == 0 < compared[-1] < compared[0], "never larger, sometimes smaller")
        rows.append((f"40 random classes, {kind}", compared.total(), compared[-1], compared[1]))
    return Table(rows, ["where", "finite pairs", "sum smaller than d", "sum larger than d"])


@claim("GMPS-Thm-IV.6", verdict=HOLDS, where="Theorem IV.6", title="Disjoint inputs cost the largest level")
def best_bound_for_disjoint_inputs():
    r"""If $p$ is $d^{\mathcal G}$-compatible with all $\Delta p_i\le1$, and mechanism $i$ is
    $\varepsilon_id^{\mathcal G}$-private on its parts, then the composition is
    $(\max_i\varepsilon_i)d^{\mathcal G}$-private.

    It holds at all pairs, not only for neighbours: go along a shortest path, of which each step touches one part. The
    metrics of the parts count steps among the parts; these may be disconnected, but not where $d$ is finite.
    Mechanisms as bad as allowed, in fractions.
    """
    rng, rows = np.random.default_rng(47), []
    for kind in WORLDS:
        pairs, gaps, largest = 0, 0, Fraction(0)
        for _ in range(15):
            world, eps = random_compatible(rng, kind), rng.integers(1, 4, 2).tolist()
            spaces = world.partition.spaces(world.space)
            told = compose(budgeted(spaces, eps), world.partition, on=world.space)
            exact = losses(by_hand.joint(*(world.on_part(i, e) for i, e in enumerate(eps))))
            ensure(entries(told) == exact and told.theorem() == "IV.6", "the library's sum is the exact loss")
            ensure(all(exact[pair] <= max(eps) * world.d[pair] for pair in world.finite_pairs), "max eps_i d")
            shares = [Fraction(exact[pair], max(eps) * world.d[pair]) for pair in world.finite_pairs]
            pairs, largest = pairs + len(shares), max([largest, *shares])
            gaps += sum(not s.is_connected for s in spaces)
        ensure(largest == 1, "attained")
        rows.append((kind, 15, gaps, pairs, largest))
    columns = ["random classes", "worlds", "disconnected parts", "finite pairs", "largest loss / (max eps_i d)"]
    return Table(rows, columns)


@claim(
    "GMPS-Text-dp-general", verdict=HOLDS, where="Section IV-C", title="The best bound needs sensitivities of at most 1"
)
def sensitivity_of_the_parts():
    r"""Besides compatibility the best bound needs $\Delta p_i\le1$.

    Without it the level is $\max_i\varepsilon_i\Delta p_i$. In the first rows a step adds or removes two copies of $a$,
    or one $b$, and the mechanisms protect single records: $\Delta p=(2,1)$. In the last row a single part is given
    $\{a\}$ or $\{\}$, which bounded privacy does not relate: $\Delta p_1=\infty$ and nothing is promised.
    """
    cls, rows = DatabaseClass(by_hand.multisets("ab", range(5)), "multisets"), []
    step = lambda D, E: by_hand.difference(D, E) in (Counter("aa"), Counter("b"))  # noqa: E731
    space, p = Granularity(step, "2a or b").on(cls), Partition.by_record(["a", "b"])
    spread = p.sensitivities(space, unbounded)
    ensure(p.compatible(space) and spread == [2, 1], "compatible, sensitivities 2 and 1")
    neighbours = by_hand.related_pairs(cls.databases, step)
    for eps, level in (((1, 3), 3), ((2, 3), 4)):
        told = compose(budgeted(p.spaces(space, unbounded), eps), p, on=space)
        laws = by_hand.joint(*(extreme_steps(cls, part(b), by_hand.added, e) for b, e in zip("ab", eps, strict=True)))
        exact = exponent(by_hand.worst(laws, neighbours))
        ensure(told.level() == exact == level == max(e * c for e, c in zip(eps, spread, strict=True)), "max eps Delta")
        rows.append(("2a or b", ", ".join(map(str, eps)), "2, 1", exact, told.level()))
    B, p = bounded.on(DatabaseClass(["a", "b"], "multisets")), Partition.by_record(["a"])
    ensure(p.compatible(B) and p.sensitivities(B) == [math.inf], "one part, infinite sensitivity")
    told = compose([Pure(s) for s in p.spaces(B)], p, on=B).level()
    laws = extreme_steps(B.cls, part("a"), by_hand.replaced)
    exact = exponent(by_hand.worst(laws, [(("a",), ("b",))]))
    ensure(told == exact == math.inf, "and no promise")
    rows.append(("bounded, on {a} and {b}", "1", "inf", exact, told))
    return Table(rows, ["neighbours", "eps_i", "sensitivities", "exact level", "max eps_i Delta p_i"])


@claim(
    "GMPS-Text-A.5",
    verdict=HOLDS,
    where="Section IV-C, Proposition A.5",
    title="Splitting by record is never compatible with replacing",
)
def never_compatible_with_replacing():
    r"""No splitting by record into $k>1$ blocks is compatible with bounded neighbours on the class of all multisets.

    Two of the blocks must be non-empty, which the text takes for granted. Replacing a record of one by a record of the
    other then touches both parts. All 81 ways to assign four records to two parts or none.
    """
    cls = DatabaseClass.multisets("abcd", at_most=2)
    B, neighbours = bounded.on(cls), by_hand.related_pairs(cls.databases, by_hand.replaced)
    found = Counter()
    for owners in product((1, 2, None), repeat=4):
        p = Partition.by_record(dict(zip("abcd", owners, strict=True)), parts=[1, 2])
        blocks = ["".join(x for x, owner in zip("abcd", owners, strict=True) if owner == i) for i in (1, 2)]
        most, used = max(touched(blocks, D, E) for D, E in neighbours), sum(map(bool, blocks))
        ensure(p.compatible(B) == (most <= 1) and p.most_touched(B)[0] == most == used, "I_p = non-empty blocks")
        found[used, most, p.compatible(B)] += 1
    rows = [(*key[:2], n, key[2]) for key, n in sorted(found.items())]
    ensure(rows == [(0, 0, 1, True), (1, 1, 30, True), (2, 2, 50, False)], "never with two non-empty blocks")
    return Table(rows, ["non-empty blocks", "most parts a replacement touches", "of 81 assignments", "compatible"])


@claim(
    "GMPS-Ex-IV.7",
    verdict=HOLDS,
    where="Example IV.7, Proposition A.6",
    title="Splitting by row number is compatible with changing a row",
)
def splitting_by_row_number():
    r"""In tables with numbered rows, a partition by the number alone is compatible with changing a row, with
    $\Delta p_i\le1$, on any class of such tables: the best bound is available for bounded privacy.

    Changing a row leaves its number alone. Deleting one does not: the later rows move up, and the same partition is
    incompatible with that (last row).
    """
    cls, rows = DatabaseClass.ordered("ab", at_most=3), []
    p = Partition.by_order([[1, 3], [2]])
    parts = [
        lambda D: tuple((n, x) for n, x in enumerate(D, 1) if n in (1, 3)),
        lambda D: tuple((2, x) for x in D[1:2]),
    ]
    ensure(all(p(D) == tuple(f(D) for f in parts) for D in cls), "rows 1 and 3, row 2")
    rng, classes = np.random.default_rng(48), [cls.databases]
    classes += [[cls.databases[n] for n in sorted(rng.choice(15, 9, replace=False))] for _ in range(12)]
    for databases in classes:
        B, neighbours = bounded.on(cls.only(databases)), by_hand.related_pairs(databases, by_hand.entry_changed)
        most = max((sum(f(D) != f(E) for f in parts) for D, E in neighbours), default=0)
        d = by_hand.steps(databases, by_hand.entry_changed)
        pieces = [by_hand.steps(values(f, databases), by_hand.entry_changed) for f in parts]
        ensure(p.compatible(B) and most <= 1 and max(p.sensitivities(B)) <= 1 and entries(B) == d, "any class")
        told = compose(budgeted(p.spaces(B), (2, 3)), p, on=B)
        exact = {(D, E): sum(e * x[f(D), f(E)] for e, x, f in zip((2, 3), pieces, parts, strict=True)) for D, E in d}
        ensure(entries(told) == exact and all(exact[pair] <= 3 * d[pair] for pair in d), "at most 3 d, at all pairs")
    whole = bounded.on(cls)
    level = compose(budgeted(p.spaces(whole), (2, 3)), p, on=whole).level()
    ensure(p.sensitivities(whole) == [1, 1] and level == 3, "the larger of 2 and 3")
    rows.append(("change a row", len(whole.edges), 1, p.compatible(whole), level))
    shorter = lambda D, E: any(D == E[:n] + E[n + 1 :] for n in range(len(E)))  # noqa: E731
    pairs = [(D, E) for D, E in product(cls, repeat=2) if shorter(D, E)]
    most = max(sum(f(D) != f(E) for f in parts) for D, E in pairs)
    U = unbounded.on(cls)
    ensure(
        most == p.most_touched(U)[0] == 2 and not p.compatible(U) and len(pairs) == len(U.edges), "deleting moves rows"
    )
    rows.append(("delete a row, the later ones move up", len(pairs), most, p.compatible(U), None))
    columns = ["step", "neighbouring pairs", "most parts touched", "compatible", "level for eps = 2, 3"]
    return Table(rows, columns)


def lower(D: tuple) -> tuple:
    """Return the lower half of the sorted records, the smaller one."""
    return D[: len(D) // 2]


def upper(D: tuple) -> tuple:
    """Return the upper half."""
    return D[len(D) // 2 :]


def without(blocks: Sequence, j: int) -> list:
    """Leave out the j-th block."""
    return [block for i, block in enumerate(blocks) if i != j]


def three_distances(parts: Sequence[Callable], D: tuple, E: tuple) -> tuple[int, int, int]:
    """Return the symmetric difference summed over the parts, of the sums of the parts, and of the databases."""
    unions = [[x for f in parts for x in f(C)] for C in (D, E)]
    return sum(by_hand.apart(f(D), f(E)) for f in parts), by_hand.apart(*unions), by_hand.apart(D, E)


def label(D: tuple) -> str:
    """Write a multiset."""
    return "{" + ",".join(D) + "}"
