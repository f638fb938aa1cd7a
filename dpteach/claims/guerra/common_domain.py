"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: a common domain (section IV).

Budgets and losses are counted in units of log 2, so that likelihood ratios are powers of two and every loss is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np

from ... import Table, mechanisms
from ...granularity import (
    DatabaseClass,
    Granularity,
    Partition,
    PrivacySpace,
    bounded,
    minimum_privacy,
    sensitivity,
    unbounded,
)
from ...notions import Approximate, FiniteMechanism, Pure, compose, implications
from ..entries import CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, PROOF_GAP, claim, ensure
from ..reference import granularity as by_hand
from ..reference.basics import all_close, close, delta_by_events
from ..reference.granularity import Distances
from .extremes import (
    SAME,
    WORLDS,
    Compatible,
    add,
    entries,
    exponent,
    extreme_dependent,
    geometric_law,
    least_distances,
    losses,
    part,
    random_compatible,
    random_maps,
    space_of,
)


@claim("GMPS-Def-IV.8", verdict=DEFINITION, where="Definition IV.8", title="Dependency on a map")
def dependency_on_a_map():
    r"""A mechanism is $f$-dependent if it is some mechanism $\mathcal M^*$ after $f$: it needs to see $f(D)$ only.

    Equivalently, its law is the same on all databases with the same $f(D)$. It may still be given all of $D$, and be
    private with respect to all of $D$; that is the point of the common domain.
    """
    cls, rows = DatabaseClass.multisets("ab", at_most=2), []
    B = bounded.on(cls)
    only_a = part("a")
    tried = {
        "noisy count of the a's": FiniteMechanism.noisy_count(cls, lambda D: D.count("a")),
        "the size": FiniteMechanism.printing(cls, len),
        "a constant": FiniteMechanism.printing(cls, lambda D: 0),
        "as bad as bounded 1-DP allows": FiniteMechanism.attaining(B, 2),
    }
    for name, mechanism in tried.items():
        told = []
        for f in (only_a, len, tuple):
            star = {f(D): mechanism.law(D) for D in reversed(cls.databases)}  # the only candidate for M*
            told.append(all(star[f(D)] == mechanism.law(D) for D in cls))
            ensure(mechanism.depends_on(f) == told[-1], SAME)
        rows.append((name, *told))
    ensure([row[1:] for row in rows] == [(1, 0, 1), (0, 1, 1), (1, 1, 1), (0, 0, 1)], "who needs to see what")
    rng = np.random.default_rng(49)
    for _ in range(20):
        (f,) = random_maps(rng, 1)
        composed = FiniteMechanism(range(3), by_hand.random_laws(rng, range(3), 4)).after(f, range(5))
        ensure(composed.depends_on(f), "whatever comes after f depends on f")
        other = FiniteMechanism(range(5), by_hand.random_laws(rng, range(5), 4))
        ensure(not other.depends_on(f), "five different laws are no function of three values")
    return Table(rows, ["mechanism", "needs the a's only", "the size only", "all of D"])


@claim(
    "GMPS-Ex-IV.9",
    verdict=MISPRINT,
    where="Example IV.9",
    title="A count with Laplace noise is a whole number that depends on its district",
)
def district_counts():
    r"""The mechanism that prints the number of records of district $i$ plus Laplace noise, a value in $\mathbb N$,
    looks at $p_i(D)$ only, although "$\mathcal M$" is given all of $D$.

    Laplace noise is real, so the range is $\mathbb R$; for whole numbers take geometric noise, as here (cut off at the
    smallest and largest count). And it is $\mathcal M_i$ that is given $D$. With $\varepsilon=\log2$ it is
    $\varepsilon$-DP both for adding and for replacing a record, since a replacement, too, moves the count by one.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=3), []
    for block in ("a", "bc"):
        inside = part(block)
        counted = FiniteMechanism.noisy_count(cls, lambda D, f=inside: len(f(D)))
        laws = {D: geometric_law(len(inside(D)), 3) for D in cls}
        ensure(all(counted.law(D) == laws[D] for D in cls), "the law, from the distribution function of the noise")
        ensure(counted.depends_on(inside), "a function of the district")
        exact = [
            by_hand.worst(laws, by_hand.related_pairs(cls.databases, r)) for r in (by_hand.added, by_hand.replaced)
        ]
        told = [counted.level(g.on(cls)) for g in (unbounded, bounded)]
        ensure(exact == [2, 2] and all_close(map(float, told), [math.log(2)] * 2), "log 2 for both")
        rows.append((f"geometric, district {block}", *exact, 1.0))
    noise = mechanisms.laplace(math.log(2))
    drawn = noise.sample(2.0, np.random.default_rng(1), 1000)
    whole = float(np.mean(drawn == np.round(drawn)))
    ensure(whole == 0 and close(noise.epsilon(0), math.log(2)), "Laplace noise is never whole")
    rows.append(("Laplace", *[math.exp(noise.epsilon(0))] * 2, whole))
    return Table(rows, ["noise", "e^eps, add or remove", "e^eps, replace", "share of whole outputs"])


@claim(
    "GMPS-Prop-IV.10",
    verdict=HOLDS,
    where="Proposition IV.10",
    title="A mechanism loses at most the least distance with the same values",
)
def least_privacy():
    r"""A $d$-private mechanism that depends on $f$ loses at most $d^f(D,D')$ between $D$ and $D'$: the least distance
    between any two databases with the same values of $f$.

    Its law on $D$ is that on any $\tilde D$ with $f(\tilde D)=f(D)$, so the closest such pair decides. (In infinite
    classes the minimum is an infimum.) Random mechanisms and maps; the metric is what the mechanism loses, rounded up,
    plus a random one. The pairs with the largest gains are shown.
    """
    rng, rows = np.random.default_rng(50), []
    for _ in range(40):
        f, d, ratios = dependent_world(rng)
        raw, _ = least_distances(range(5), d, f)
        ensure(entries(minimum_privacy(space_of(range(5), d), f).raw) == raw, SAME)
        ensure(entries(Pure(space_of(range(5), d)).dependent_on(f, closure=False)) == raw, SAME)
        ensure(all(ratios[pair] <= by_hand.power(2, raw[pair]) for pair in d), "at most d^f at all pairs")
        finite = [pair for pair in combinations(range(5), 2) if d[pair] < math.inf and f(pair[0]) != f(pair[1])]
        rows += [
            (d[p], raw[p], math.log2(ratios[p])) for p in finite if d[p] - raw[p] == max(d[q] - raw[q] for q in finite)
        ]
    rows.sort(key=lambda row: row[1] - row[0])
    ensure(rows[0][1] < rows[0][0], "often smaller than d")
    return Table(rows[:6], ["d", "d^f", "exact loss"])


@claim("GMPS-Text-min-accurate", verdict=FALSE, where="After Proposition IV.10", title="Minimum privacy is accurate")
def minimum_privacy_is_no_minimum():
    r"""Although $d^f$ need not be a metric, it gives an accurate value of how far apart the outputs on two databases
    can be.

    It is valid but may be far from accurate. The losses of a mechanism satisfy the triangle inequality, so its best
    guarantee is the metric closure of $d^f$: shortest paths that may jump within a fibre of $f$ for free. The closure
    is attained by an $f$-dependent, $d$-private mechanism, so it cannot be improved. With counts rounded down to
    multiples of $w$, bins $0$ and $j$ have $d^f=(j-1)w+1$ and closure $j$. Taking closures makes the "private*" of
    pure, zero-concentrated and Gaussian privacy honest $d$-privacy. Not that of Theorem VI.7: along a path the
    $\delta$ grow as well. Coins with heads of $\frac1{60},\frac8{60},\frac{22}{60}$ in bins of three keep
    $(d,\frac1{10})$ with $d$ in steps of $\ln2$, but not $(2\ln2,\frac1{10})$ from bin 0 to bin 2.
    """
    rows = []
    for w, j in ((1, 3), (2, 3), (3, 2), (4, 2), (5, 2)):
        databases, f = range(w * (j + 1)), lambda n, w=w: n // w
        cls = DatabaseClass.multisets("a", at_most=len(databases) - 1)
        d = {(m, n): abs(m - n) for m, n in product(databases, repeat=2)}
        raw, closed = least_distances(databases, d, f)
        least = minimum_privacy(unbounded.on(cls), lambda D, w=w: len(D) // w)
        ensure(as_counts(least.raw) == raw and as_counts(least.closure) == closed, SAME)
        laws = extreme_dependent(databases, d, f)
        ensure(by_hand.worst(laws, [(n, n + 1) for n in databases[:-1]]) == 2, "the mechanism is unbounded log 2-DP")
        ensure(all(laws[n] == laws[f(n) * w] for n in databases), "and f-dependent")
        exact, ends = losses(laws), (0, databases[-1])
        ensure(exact == closed and (raw[ends], closed[ends]) == ((j - 1) * w + 1, j), "it attains the closure")
        rows.append((w, j, d[ends], raw[ends], closed[ends], exact[ends]))
    ensure(rows[2][2:] == (8, 4, 2, 2), "floor(|D| / 3) at sizes 0 and 8")
    rng = np.random.default_rng(51)
    for _ in range(30):
        f, d, ratios = dependent_world(rng)
        _, closed = least_distances(range(5), d, f)
        ensure(all(ratios[pair] <= by_hand.power(2, closed[pair]) for pair in d), "no mechanism loses more")
        ensure(losses(extreme_dependent(range(5), d, f)) == closed, "one loses as much")
        ensure(entries(Pure(space_of(range(5), d)).dependent_on(f)) == closed, SAME)
    closures_need_more_delta()
    return Table(rows, ["bin width", "bin of D'", "d", "d^f", "closure", "exact loss of the worst mechanism"])


def closures_need_more_delta() -> None:
    """Show coins in bins of three that are (d, 1/10)-private at all pairs, but not for the closure of d^f."""
    heads = [Fraction((1, 8, 22)[n // 3], 60) for n in range(9)]
    coins = [[p, 1 - p] for p in heads]
    for m, n in product(range(9), repeat=2):
        ensure(delta_by_events(coins[m], coins[n], 2 ** abs(m - n)) <= Fraction(1, 10), "steps of log 2, and 1/10")
    ensure(delta_by_events(coins[8], coins[0], 4) == Fraction(3, 10), "from bin to bin it is 1/10 + 2/10")
    sizes = unbounded.on(DatabaseClass.multisets("a", at_most=8))
    told = Approximate(sizes, math.log(2), lambda D, E: 0.1).dependent_on(lambda D: len(D) // 3)
    ensure(close(told.at("", "a" * 8).epsilon, 4 * math.log(2)), "the library takes d^f there, not the closure")


@claim("GMPS-Foot-7", verdict=HOLDS, where="Footnote 7", title="The triangle inequality may fail")
def triangle_inequality_may_fail():
    r"""In general $d^f$ does not satisfy the triangle inequality.

    It is symmetric and zero within a fibre. But with $f(D)=\lfloor|D|/3\rfloor$ neighbouring bins are one step apart
    (size 2 and size 3, size 5 and size 6), while from bin 0 to bin 2 it takes four.
    """
    databases, f = range(9), lambda n: n // 3
    d = {(m, n): abs(m - n) for m, n in product(databases, repeat=2)}
    raw, closed = least_distances(databases, d, f)
    least = minimum_privacy(unbounded.on(DatabaseClass.multisets("a", at_most=8)), lambda D: len(D) // 3)
    ensure(as_counts(least.raw) == raw and as_counts(least.closure) == closed, SAME)
    ensure(not least.raw.is_metric and not by_hand.is_metric(raw, databases), "d^f is no metric")
    ensure(least.closure.is_metric and by_hand.is_metric(closed, databases), "its closure is one")
    rows = [(f"{x} and {y}", raw[3 * x, 3 * y], closed[3 * x, 3 * y]) for x, y in ((0, 0), (0, 1), (1, 2), (0, 2))]
    ensure([row[1] for row in rows] == [0, 1, 1, 4], "4 > 1 + 1")
    return Table(rows, ["bins", "d^f", "closure"])


@claim("GMPS-Thm-IV.11", verdict=HOLDS, where="Theorem IV.11", title="On a common domain the least distances add up")
def composition_on_a_common_domain():
    r"""Independent mechanisms on the same databases, $d_i$-private and $f_i$-dependent, are together private* with
    $\sum_id_i^{f_i}$, which is at most the sum of the $d_i(D,D')$ over those $i$ with $f_i(D)\ne f_i(D')$.

    With closures in place of the $d_i^{f_i}$ it is a metric, and the exact optimum: mechanisms exist that lose
    precisely that much at all pairs. Totals over all pairs of random worlds with finite distances.
    """
    rng, rows = np.random.default_rng(52), []
    for k, worlds in ((1, 20), (2, 25), (3, 6)):
        totals = np.zeros(4, dtype=int)
        for _ in range(worlds):
            maps, metrics = random_maps(rng, k), [by_hand.random_metric(rng, 5) for _ in range(k)]
            both = list(zip(metrics, maps, strict=True))
            raw, closed = (add([least_distances(range(5), d, f)[n] for d, f in both]) for n in (0, 1))
            rough = {(D, E): sum(d[D, E] for d, f in both if f(D) != f(E)) for D, E in raw}
            promises = [Pure(space_of(range(5), d)) for d in metrics]
            told = [compose(promises, maps, common_domain=True, closure=c) for c in (False, True)]
            exact = losses(by_hand.joint(*(extreme_dependent(range(5), d, f) for d, f in both)))
            ensure([entries(t) for t in told] == [raw, closed], SAME)
            ensure(exact == closed and all(closed[p] <= raw[p] <= rough[p] for p in raw), "exact <= sum d^f <= touched")
            finite = [p for p in combinations(range(5), 2) if sum(d[p] for d in metrics) < math.inf]
            totals += [sum(m[p] for p in finite) for m in (add(metrics), rough, raw, exact)]
        rows.append((k, worlds, *totals.tolist()))
    ensure(all(a >= b >= c >= e for _, _, a, b, c, e in rows) and rows[1][4] > rows[1][5], "closures gain")
    columns = [
        "mechanisms",
        "worlds",
        "sum of d_i",
        "over touched maps",
        "sum of d_i^f_i",
        "exact, and sum of closures",
    ]
    return Table(rows, columns)


@claim(
    "GMPS-Text-IV.11-level",
    verdict=HOLDS,
    where="After Theorem IV.11",
    title="On a common domain the level is the largest sum that one step touches",
)
def level_on_a_common_domain():
    r"""For a granularity: if mechanism $i$ is $\varepsilon_i$-DP and $f_i$-dependent, the composition is
    $\varepsilon$-DP, where $\varepsilon$ is the largest sum of the $\varepsilon_i$ over the maps that one step touches.

    This is optimal for given $\varepsilon_i$: the worst mechanisms attain it in every random graph of neighbours.
    """
    rng, rows = np.random.default_rng(53), []
    for k in (1, 2, 2, 2, 3, 3):
        path = list(pairwise(rng.permutation(5).tolist()))
        edges = by_hand.random_graph(rng, 5, 0.15) + path + [(E, D) for D, E in path]
        maps, eps, d = random_maps(rng, k, 2), rng.integers(1, 4, k).tolist(), by_hand.steps(range(5), edges)
        space = Granularity(edges, "random").on(range(5))
        told = compose([Pure(space, e) for e in eps], maps, common_domain=True).level()
        formula = max(sum(e for e, f in zip(eps, maps, strict=True) if f(D) != f(E)) for D, E in edges)
        laws = by_hand.joint(*(extreme_dependent(range(5), d, f, e) for e, f in zip(eps, maps, strict=True)))
        exact = exponent(by_hand.worst(laws, edges))
        ensure(told == formula == exact <= sum(eps), "the largest touched sum is attained")
        rows.append((", ".join(map(str, eps)), len(space.edges), exact, told, sum(eps)))
    ensure(any(exact < total for *_, exact, _, total in rows), "below the sum in some worlds")
    return Table(rows, ["eps_i", "neighbouring pairs", "exact level", "largest touched sum", "sum of all"])


PATH = [("a", "x"), ("b", "x"), ("b", "y"), ("c", "y")]  # four databases, each one replacement from the next


@claim("GMPS-Eq-IV.1", verdict=FALSE, where="Equation (IV.1)", title="Compatibility gives equation (IV.1)")
def compatibility_does_not_give_the_equation():
    r"""For the canonical metric $d$ of a granularity, a compatible partition is sufficient for
    $\sum_id^{p_i}(D,D')=d(D,D')$ at all pairs.

    Not so, in both directions. The sum is smaller if a record belongs to no part. And it may be larger, because
    $d^{p_i}$ is no metric: of four databases $\{a,x\},\{b,x\},\{b,y\},\{c,y\}$ the ends are 3 replacements apart, but
    the parts $abc$ and $xyz$ have $d^{p}=3$ and $1$. Right is that the closures satisfy
    $\sum_i\overline{d^{p_i}}\le d$ (here $2+1$).
    """
    world, rows = Compatible(PATH, by_hand.replaced, ("abc", "xyz"), bounded), []
    D, E = PATH[0], PATH[-1]
    least = [minimum_privacy(world.space, f) for f in world.partition]
    ensure(
        [x.raw.distance(D, E) for x in least] == [3, 1] and [x.closure.distance(D, E) for x in least] == [2, 1], "ends"
    )
    rows.append(("the path of four databases, its ends", 1, *signs([world], [(D, E)])))
    ensure(rows[0][2:] == (0, 1, 0) and world.d[D, E] == 3 and world.compatible, "4 > 3, although compatible")
    world = Compatible([(), ("c",)], by_hand.added, ("a", "b"), unbounded)
    rows.append(("{} and {c}, parts a | b", 1, *signs([world], [((), ("c",))])))
    ensure(rows[1][2:] == (1, 0, 0) and world.compatible, "0 < 1")
    rng = np.random.default_rng(54)
    for kind in WORLDS:
        worlds = [random_compatible(rng, kind, keep=5) for _ in range(40)]
        for world in worlds:
            promises = [Pure(world.space)] * 2
            told = [compose(promises, world.partition, common_domain=True, closure=c) for c in (False, True)]
            ensure(tuple(map(entries, told)) == world.dependent_sums and world.compatible, SAME)
        rows.append((f"40 random classes, {kind}", sum(len(w.finite_pairs) for w in worlds), *signs(worlds)))
    ensure(rows[2][2] > 0 < rows[3][3] and all(row[4] == 0 for row in rows), "both ways; closures never above d")
    return Table(rows, ["where", "finite pairs", "sum of d^p < d", "sum of d^p > d", "sum of closures > d"])


@claim(
    "GMPS-Thm-IV.12",
    verdict=PROOF_GAP,
    where="Theorem IV.12",
    title="On a common domain a compatible partition costs the largest level",
)
def best_bound_on_a_common_domain():
    r"""If $p$ is $d^{\mathcal G}$-compatible, and independent mechanisms are $\varepsilon_id^{\mathcal G}$-private on
    the common domain and $p_i$-dependent, then the composition is $(\max_i\varepsilon_i)d^{\mathcal G}$-private.

    True; but the announced way over equation (IV.1) is closed, since compatibility does not imply it. (The proof
    itself is in the paper's long version, which was not checked.) On the four
    databases of the first row Theorem IV.11 with $d^{p_i}$ allows 4, the theorem 3. Right: neighbours differ in one
    part only and lose at most $\max_i\varepsilon_i$; then Theorem III.3 (or closures). No condition on sensitivities is
    needed.
    """
    rng, rows = np.random.default_rng(55), []
    path = Compatible(PATH, by_hand.replaced, ("abc", "xyz"), bounded)
    cases = [("the path of four databases", [(path, [1, 1])])]
    for kind in WORLDS:
        drawn = [(random_compatible(rng, kind, keep=5), rng.integers(1, 4, 2).tolist()) for _ in range(20)]
        cases.append((f"20 random classes, {kind}", drawn))
    for name, worlds in cases:
        shares, beyond, pairs = [], 0, 0
        for world, eps in worlds:
            promises = [Pure(world.space, e) for e in eps]
            told = compose(promises, world.partition, common_domain=True)
            exact = losses(by_hand.joint(*(world.dependent(i, e) for i, e in enumerate(eps))))
            ensure(entries(told) == exact and told.theorem() == "IV.12", "the library's sum is the exact loss")
            allowed = {pair: max(eps) * world.d[pair] for pair in world.finite_pairs}
            rough = entries(compose(promises, world.partition, common_domain=True, closure=False))
            shares += [Fraction(exact[pair], allowed[pair]) for pair in allowed]
            beyond, pairs = beyond + sum(rough[pair] > allowed[pair] for pair in allowed), pairs + len(allowed)
        ensure(max(shares) == 1, "max eps_i d is kept at all pairs, and attained")
        rows.append((name, pairs, max(shares), beyond))
    ensure(rows[0][1:] == (6, 1, 1) and rows[2][3] > 0, "there Theorem IV.11 alone, without closures, is not enough")
    return Table(rows, ["where", "finite pairs", "largest loss / (max eps_i d)", "pairs where IV.11 alone allows more"])


@claim("GMPS-Text-IV.12-from-IV.6", verdict=CORRECTED, where="After Theorem IV.12", title="IV.12 follows from IV.6")
def which_implies_which():
    r"""Theorem IV.12 needs no $\Delta p_i\le1$, and is therefore a consequence of preprocessing applied to Theorem
    IV.6.

    Preprocessing goes the other way: it turns what IV.6 assumes (mechanisms private on the parts, $\Delta p_i\le1$)
    into what IV.12 assumes (private on the common domain, dependent on the part), so IV.12 implies IV.6. With the same
    $\mathcal G$ on the parts IV.12 says more: for bounded neighbours $\{a\}$ and $\{b\}$ and the one part $\{a\}$ the
    sensitivity is infinite and IV.6 is silent, while IV.12 covers a coin of ratio 2 that tells whether $a$ is there.
    But give the parts neighbours of their own, the images of neighbours: then $\Delta p_i\le1$, every $\mathcal M_i$ of
    IV.12 is private for them, and IV.6 does give IV.12.
    """
    B, p = bounded.on(DatabaseClass(["a", "b"], "multisets")), Partition.by_record(["a"])
    third = Fraction(1, 3)
    coin = FiniteMechanism(B.cls, lambda D: {"yes": third * (1 + len(p[0](D))), "no": third * (2 - len(p[0](D)))})
    ensure(
        p.compatible(B) and p.sensitivities(B) == [math.inf] and coin.depends_on(p[0]), "the hypotheses of IV.12 only"
    )
    ensure(by_hand.ratio(coin.law("a"), coin.law("b")) == coin.ratio("a", "b") == 2, "the coin is bounded log 2-DP")
    parts = compose([Pure(s) for s in p.spaces(B)], p, on=B)
    common = compose([Pure(B)], p, common_domain=True)
    ensure((parts.level(), common.level(), common.theorem()) == (math.inf, 1, "IV.12"), "silent, and 1")
    rows = [("{a} and {b}, the one part {a}", 1, 0, 1)]
    rng = np.random.default_rng(56)
    for kind in WORLDS:
        worlds = [random_compatible(rng, kind) for _ in range(8)]
        first = [world for world in worlds if world.meets_both_conditions]
        rows.append((f"8 random classes, {kind}", len(worlds), len(first), sum(map(private_when_preprocessed, first))))
    ensure([row[1:] for row in rows] == [(1, 0, 1), (8, 8, 8), (8, 8, 8)], "what IV.6 assumes is never more")
    ensure(implications.run("IV.12", "IV.6", np.random.default_rng(1)).holds, "the arrow of the map")
    ensure("IV.12" not in implications.follows_from("IV.6"), "and none back, with the same neighbours")
    own = Granularity([((), ("a",))], "images of neighbours").on(p.image(0, B.cls))
    ensure(sensitivity(p[0], B, own) == 1, "with neighbours of their own the parts are near")
    ensure(compose([Pure(own)], p, on=B).level() == 1, "and IV.6 promises what IV.12 does")
    for _ in range(40):
        images_of_neighbours_give_the_same(random_compatible(rng, WORLDS[1], keep=5))
    return Table(rows, ["where", "worlds", "IV.6 can be applied", "IV.12 can be applied"])


def as_counts(space: PrivacySpace) -> Distances:
    """Return the same for databases of equal records, named by their size."""
    return {(len(D), len(E)): x for (D, E), x in entries(space).items()}


def dependent_world(rng: np.random.Generator) -> tuple[Callable, Distances, Distances]:
    """Draw f, a mechanism that depends on f(D) and a metric d for which it is private; return f, d and the ratios."""
    f, extra = (
        dict(enumerate(rng.permutation([0, 1, 2, *rng.integers(0, 3, 2)]).tolist())).get,
        by_hand.random_metric(rng, 5),
    )
    ratios = by_hand.ratios(by_hand.after(by_hand.random_laws(rng, range(3), 3), f, range(5)))
    return f, {pair: (math.ceil(r) - 1).bit_length() + extra[pair] for pair, r in ratios.items()}, ratios


def images_of_neighbours_give_the_same(world: Compatible) -> None:
    """Check that mechanisms of IV.12 are private on parts whose neighbours are the images of neighbours."""
    for i, f in enumerate(world.parts):
        images = {f(D) for D in world.databases}
        edges = {(f(D), f(E)) for (D, E), steps in world.d.items() if steps == 1 and f(D) != f(E)}
        own, lost = by_hand.steps(images, edges), losses(world.dependent(i, 1))
        ensure(all(own[f(D), f(E)] <= 1 for (D, E), steps in world.d.items() if steps == 1), "sensitivity 1")
        ensure(all(lost[D, E] == own[f(D), f(E)] for D, E in lost), "private for the parts' own metric, exactly")


def private_when_preprocessed(world: Compatible) -> bool:
    """Say whether the worst mechanisms on the parts, after p_i, are d-private on the class and p_i-dependent."""
    after = [(losses(world.on_part(i, 1)), f) for i, f in enumerate(world.parts)]
    private = all(lost[pair] <= world.d[pair] for lost, _ in after for pair in world.d)
    return private and all(lost[D, E] == 0 for lost, f in after for D, E in lost if f(D) == f(E))


def signs(worlds: Sequence[Compatible], pairs: Sequence | None = None) -> tuple[int, int, int]:
    """Count the pairs where the sum of d^p is below d, where it is above, and where that of the closures is above."""
    found = [0, 0, 0]
    for world in worlds:
        raw, closed = world.dependent_sums
        for pair in world.finite_pairs if pairs is None else pairs:
            found[0] += raw[pair] < world.d[pair]
            found[1] += raw[pair] > world.d[pair]
            found[2] += closed[pair] > world.d[pair]
    return tuple(found)
