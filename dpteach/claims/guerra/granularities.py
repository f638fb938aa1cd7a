"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: granularity and metric (section III).

Everything is exact: mechanisms have fractions for probabilities, distances are whole numbers, and the loss is counted
in units of log 2. The second way walks from neighbour to neighbour and compares multisets record by record.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Table
from ...curve import VACUOUS
from ...granularity import (
    DatabaseClass,
    Granularity,
    PrivacySpace,
    bounded,
    edge,
    event_level,
    free_lunch,
    node,
    sensitivity,
    symmetric_difference,
    unbounded,
    user_level,
)
from ...notions import (
    FiniteMechanism,
    Pure,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as by_hand
from .spaces import INF, UP_TO_2, UP_TO_3, agrees, as_function, attains, graph, metric_space, neighbours_of, refused

DETOUR = DatabaseClass(["", "a", "ab", "abb", "bb"], "multisets")  # from {} to {b,b} only the long way round


@claim("GMPS-Def-III.1", verdict=DEFINITION, where="Definition III.1", title="Granularity")
def granularity():
    r"""A granularity $\mathcal G$ on a class of databases is a symmetric relation $\sim_{\mathcal G}$; $\mathcal M$ is
    $\mathcal G$ $\varepsilon$-DP if the inequality of differential privacy holds for all $D\sim_{\mathcal G}D'$.

    One-sided notions, in which only one of two databases is protected, are outside: such a relation is refused.
    """
    rng, rows = np.random.default_rng(311), []
    graphs = DatabaseClass.graphs(3)
    logs = DatabaseClass.user_logs(2, "xy", at_most=1)
    two_more = lambda D, E: abs(len(D) - len(E)) == 2  # noqa: E731
    known = [
        (unbounded, UP_TO_3, by_hand.added),
        (bounded, UP_TO_3, by_hand.replaced),
        (free_lunch, UP_TO_3, by_hand.anything),
        (edge, graphs, by_hand.added),
        (node, graphs, by_hand.rewired),
        (event_level, logs, by_hand.added),
        (user_level, logs, by_hand.one_user),
        (Granularity(two_more, "two more"), UP_TO_3, two_more),
    ]
    for notion, cls, related in known:
        space, pairs = notion.on(cls), by_hand.related_pairs(cls.databases, related)
        laws = by_hand.random_laws(rng, cls.databases, 2)
        exact = by_hand.worst(laws, pairs)
        ensure(neighbours_of(space) == set(map(frozenset, pairs)), "the neighbouring pairs")
        ensure(FiniteMechanism(cls, laws).worst(space).ratio() == exact, "the level of a random mechanism")
        rows.append((notion.name, cls.label(cls.databases[-1]), len(cls), len(pairs) // 2, math.log(exact)))
    ensure([row[3] for row in rows[:3]] == [12, 6, 45], "12, 6 and all 45 pairs")
    ensure(refused(lambda: Granularity(lambda D, E: len(D) < len(E)).on(UP_TO_3)), "a one-sided relation is refused")
    return Table(rows, ["granularity", "a database", "databases", "neighbouring pairs", "eps of a random mechanism"])


@claim(
    "GMPS-Text-canonical",
    verdict=HOLDS,
    where="Section III, after Definition III.1",
    title="The least number of steps is a metric",
)
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
    "GMPS-Text-dU",
    verdict=HOLDS,
    where="Section III, after Definition III.1",
    title="On all multisets the steps count the symmetric difference",
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
        ensure(agrees(space, walked) and mechanism.worst(space).ratio() == base, "steps and level")
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
        ("|D|: bounded level", size.level(space)),
        ("|D|: loss between {a} and {a,b}", math.log(size.ratio("a", "ab"))),
        ("|D|: promised there, 0 * inf", Pure(space, 0).at("a", "ab")),
    ]
    return Table(rows, ["what", "value"])


@claim(
    "GMPS-Text-noncanonical",
    verdict=HOLDS,
    where="Section III, after Theorem III.3",
    title="Not every metric is canonical",
)
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
            agrees(canonical, walked) and eps == by_hand.factor(as_function(space), as_function(canonical), range(3)),
            "the least eps",
        )
        ensure(any(eps * walked[pair] != d[pair] for pair in d), "never the metric itself")
        if len(pairs) not in seen:
            seen.add(len(pairs))
            rows.append((len(pairs), *(walked[pair] for pair in d), float(eps)))
    return Table(rows, ["neighbouring pairs", "d(0,1)", "d(1,2)", "d(0,2)", "least eps that covers 1, 1, 3/2"])


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
    ensure(sharp.worst(unbounded.on(DETOUR)).ratio() == 2 and sharp.ratio("", "bb") == 16, "16 at two records")
    identity = FiniteMechanism.printing(two)
    vacuous = identity.level(unbounded.on(two)) is VACUOUS
    ensure(vacuous and identity.ratio("", "aa") == INF, "the identity is 0-DP")
    rows.append(("{}, {a}, {a,b}, {a,b,b}, {b,b}", f"e^eps = 2, ratio {sharp.ratio('', 'bb')} at two records"))
    rows.append(("{}, {a,a}", f"identity: eps = 0, ratio {identity.ratio('', 'aa')} at two records"))
    return Table(rows, ["class", "what happens"])


@claim(
    "GMPS-Text-B-connected",
    verdict=HOLDS,
    where="Section III, after Example III.4",
    title="Bounded neighbours connect databases of one size",
)
@claim(
    "GMPS-Ex-III.4",
    verdict=HOLDS,
    where="Example III.4",
    title="A totally disconnected class makes every mechanism private",
)
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
            alone = len(parts) == len(cls)
            ensure(level is VACUOUS if alone else level == INF, "the identity")
            shown = "0, vacuous" if alone else level
            rows.append((name, notion.name, len(space.edges), len(parts), float(space.diameter), shown))
    ensure(
        [row[2:5] for row in rows] == [(0, 4, INF), (3, 1, 3), (12, 1, 6), (6, 4, INF)], "edges, components, diameter"
    )
    return Table(
        rows, ["databases", "granularity", "neighbouring pairs", "components", "diameter", "eps of the identity"]
    )
