"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: adaptive composition (section V).

Budgets and losses are counted in units of log 2, so that likelihood ratios are powers of two and every loss is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from mpmath import mp

from ... import Table
from ...curve import VACUOUS
from ...granularity import (
    DatabaseClass,
    Partition,
    edge,
    free_lunch,
    node,
    unbounded,
)
from ...notions import Approximate, FiniteMechanism, Gaussian, Pure, ZeroConcentrated, compose, group_factor
from ..entries import HOLDS, MISPRINT, PROOF_GAP, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as by_hand
from ..reference.basics import all_close, close
from ..reference.granularity import Distances, Laws
from .extremes import (
    SAME,
    WORLDS,
    add,
    budgeted,
    entries,
    exponent,
    extreme,
    extreme_dependent,
    extreme_steps,
    geometric_law,
    least_distances,
    part,
    random_compatible,
    random_maps,
    space_of,
    values,
)

# ------------------------------------------------------------------------------------------------ adaptive composition


@claim(
    "GMPS-Def-V.1",
    verdict=MISPRINT,
    where="Definition V.1",
    title="Adaptive composition hands on all earlier outputs",
)
def adaptive_composition_defined():
    r"""Mechanism $i$ is given the database and the outputs of the earlier ones, an element of
    $\overline{\mathcal R}_i=\mathcal R_1\times\dots\times\mathcal R_{i-1}$, where $\overline{\mathcal R}_1=\emptyset$;
    all outputs are published.

    The product of no sets is not empty: it has one element, the empty tuple. With the empty set the first mechanism
    would have no inputs. And the formula $\mathcal N_i(D)=\mathcal M_i(\mathcal N_1(D),\dots,D)$ must be read as the
    text below it says: with the outputs that were really printed, not with new draws. In the example the second
    mechanism repeats the first output (and a third, their sum): new draws would give the last column.
    """
    empty = list(product())
    ensure(
        empty == [()] and len(list(product(empty, "DE"))) == 2 > len(list(product([], "DE"))), "one element, not none"
    )
    cls, rows = DatabaseClass.multisets("a", at_most=1), []
    coin = FiniteMechanism.noisy_count(cls, len)
    same = lambda y: FiniteMechanism.printing(cls, lambda D: y)  # noqa: E731
    pair = coin.adaptively(same)
    triple = pair.adaptively(lambda yz: FiniteMechanism.printing(cls, lambda D: sum(yz)))
    law = geometric_law(1, 1)
    realised = {((y, y), 2 * y): p for y, p in law.items()}
    redrawn = by_hand.joint({"a": law}, {"a": law})["a"]
    ensure(positive(pair.law("a")) == {key[0]: p for key, p in realised.items()}, "two outputs")
    ensure(positive(triple.law("a")) == realised and positive((coin @ coin).law("a")) == redrawn, "three, and redrawn")
    for y, z in product((0, 1), repeat=2):
        rows.append((f"({y}, {z})", pair.law("a")[y, z] if (y, z) in pair.outputs else 0, redrawn[y, z]))
    rng = np.random.default_rng(58)
    for _ in range(10):
        first, (one, two) = by_hand.random_laws(rng, range(3), 2), (by_hand.random_laws(rng, range(3), 3) for _ in "12")
        second = {0: one, 1: two}
        made = FiniteMechanism(range(3), first).adaptively(lambda y, s=second: FiniteMechanism(range(3), s[y]))
        ensure(all(made.law(D) == law for D, law in by_hand.adaptive(first, second.get).items()), SAME)
    return Table(rows, ["first two outputs on {a}", "probability", "if the first output were drawn again"])


@claim(
    "GMPS-Thm-V.2",
    verdict=HOLDS,
    where="Theorem V.2",
    title="Adaptive composition adds the same distances as independent composition",
)
def adaptive_composition():
    r"""If mechanism $i$ is $d_i$-private about $f_i(D)$ whatever was printed before, then the adaptive composition is
    private with $\sum_id_i(f_i(D),f_i(D'))$, as in the independent case.

    Random maps and metrics; the first mechanism loses all it may, the second is for each output of the first one that
    loses all it may or a random post-processing of it. In fractions, at all pairs.
    """
    rng, rows = np.random.default_rng(59), []
    for k, worlds in ((2, 20), (3, 4)):
        found = Counter()
        for _ in range(worlds):
            maps, metrics = random_maps(rng, k), [by_hand.random_metric(rng, 3) for _ in range(k)]
            told = compose([Pure(space_of(range(3), d)) for d in metrics], maps, on=range(5), adaptive=True)
            laws = run_adaptively(rng, [extreme(range(5), f, d) for f, d in zip(maps, metrics, strict=True)])
            found.update(against(laws, entries(told)))
            pulled = [{(D, E): d[f(D), f(E)] for D, E in entries(told)} for f, d in zip(maps, metrics, strict=True)]
            ensure(entries(told) == add(pulled) and told.theorem() == "V.2", SAME)
        ensure(found["above"] == 0 < found["equal"], "never above the sum, often equal")
        rows.append((k, worlds, found.total(), *(found[word] for word in ("below", "equal", "above"))))
    return Table(rows, ["mechanisms", "random worlds", "finite pairs", "loss < sum of the d_i", "equal", "above"])


@claim("GMPS-Text-V-no-gain", verdict=HOLDS, where="After Theorem V.2", title="Adaptivity costs nothing")
def adaptivity_costs_nothing():
    r"""The bound of the adaptive theorem is that of the independent one, so nothing is gained by insisting on
    independent mechanisms.

    True of the worst case of pure privacy: a coin of ratio 2 is followed by one of three mechanisms, picked by its
    output in every possible way. None gets beyond $2\cdot2=4$, which two independent coins already reach.
    """
    databases, rows = [0, 1], []
    coin = {0: {0: Fraction(2, 3), 1: Fraction(1, 3)}, 1: {0: Fraction(1, 3), 1: Fraction(2, 3)}}
    weak = {0: {0: Fraction(4, 7), 1: Fraction(3, 7)}, 1: {0: Fraction(3, 7), 1: Fraction(4, 7)}}
    silent = {D: {0: Fraction(1)} for D in databases}
    choices = {"coin of ratio 2": coin, "coin of ratio 4/3": weak, "nothing": silent}
    ensure(all(by_hand.ratio(laws[0], laws[1]) <= 2 for laws in choices.values()), "all of them are log 2-DP")
    made = {name: FiniteMechanism(databases, laws) for name, laws in choices.items()}
    for one, two in product(choices, repeat=2):
        laws = by_hand.adaptive(coin, {0: choices[one], 1: choices[two]}.get)
        exact = by_hand.ratio(laws[0], laws[1])
        ensure(made["coin of ratio 2"].adaptively({0: made[one], 1: made[two]}.get).ratio(0, 1) == exact <= 4, SAME)
        rows.append((one, two, exact))
    both = FiniteMechanism(databases, coin) @ FiniteMechanism(databases, coin)
    space = free_lunch.on(databases)
    told = [compose([Pure(space)] * 2, adaptive=adaptive) for adaptive in (False, True)]
    ensure([(t.level(), t.theorem()) for t in told] == [(2, "IV.3"), (2, "V.3")], "the same bound, another number")
    ensure(both.ratio(0, 1) == max(row[2] for row in rows) == 4, "independent coins reach it")
    return Table(rows, ["after output 0", "after output 1", "exact e^eps, at most 4"])


@claim(
    "GMPS-Thm-V.3", verdict=MISPRINT, where="Theorem V.3", title="Different metrics on the same data add up adaptively"
)
def generalized_adaptive_sequential_composition():
    r"""Given privacy spaces $(\mathbb D_i,d_i)$ and mechanisms on $\mathbb D$ that are $d_i$-private whatever was
    printed before, the adaptive composition is $\sum_id_i$-private.

    There is only one class: the spaces are $(\mathbb D,d_i)$. The statement holds. The table is about graphs: first
    the edges are protected, then the nodes.
    """
    rng, found = np.random.default_rng(60), Counter()
    for _ in range(12):
        metrics = [by_hand.random_metric(rng, 5) for _ in range(2)]
        told = compose([Pure(space_of(range(5), d)) for d in metrics], adaptive=True)
        found.update(against(run_adaptively(rng, [by_hand.attaining(range(5), d, 2) for d in metrics]), entries(told)))
        ensure(told.theorem() == "V.3", "the theorem's number")
    ensure(found["above"] == 0 < found["equal"], "at most the sum, at all pairs")
    cls, graphs, rows = DatabaseClass.graphs(3), by_hand.graphs((1, 2, 3)), []
    told = compose([Pure(edge.on(cls)), Pure(node.on(cls))], adaptive=True)
    single = [by_hand.steps(graphs, related) for related in (by_hand.added, by_hand.rewired)]
    exact, empty = run_adaptively(rng, [by_hand.attaining(graphs, d, 2) for d in single]), frozenset()
    for D in (frozenset({(1, 2)}), frozenset({(1, 2), (1, 3)}), frozenset({(1, 2), (1, 3), (2, 3)})):
        bound = sum(d[empty, D] for d in single)
        ensure(told.at(empty, D) == bound and exact[empty, D] <= 2**bound, "graphs")
        rows.append((cls.label(D), *(d[empty, D] for d in single), told.at(empty, D), math.log2(exact[empty, D])))
    return Table(rows, ["edges that differ", "d^edge", "d^node", "sum", "exact loss of an adaptive release"])


@claim(
    "GMPS-Thm-V.4", verdict=HOLDS, where="Theorem V.4", title="Disjoint inputs cost the largest level, adaptively too"
)
def adaptive_best_bound():
    r"""Theorem IV.6 holds for adaptive composition: with a compatible partition, $\Delta p_i\le1$, and mechanisms that
    are $\varepsilon_id^{\mathcal G}$-private on their part whatever was printed before, the level is still
    $\max_i\varepsilon_i$.

    The second mechanism may depend on what the first printed about another part. That does not matter: between
    neighbours only one part differs.
    """
    return adaptive_disjoint(61, common_domain=False, theorem="V.4")


@claim(
    "GMPS-Thm-V.5",
    verdict=HOLDS,
    where="Theorem V.5",
    title="On a common domain the least distances add up, adaptively too",
)
def adaptive_composition_on_a_common_domain():
    r"""Theorem IV.11 holds for adaptive composition: mechanisms that are $d_i$-private and $f_i$-dependent whatever was
    printed before are together private* with $\sum_id_i^{f_i}$.

    With closures it is a metric, and never too small either. It says the same as Theorem V.2: an $f_i$-dependent
    mechanism is one about $f_i(D)$.
    """
    rng, rows = np.random.default_rng(62), []
    for k, worlds in ((2, 20), (3, 3)):
        found, saved = Counter(), 0
        for _ in range(worlds):
            maps, metrics = random_maps(rng, k), [by_hand.random_metric(rng, 5) for _ in range(k)]
            promises = [Pure(space_of(range(5), d)) for d in metrics]
            told, raw = (compose(promises, maps, common_domain=True, adaptive=True, closure=c) for c in (True, False))
            laws = [extreme_dependent(range(5), d, f) for d, f in zip(metrics, maps, strict=True)]
            found.update(against(run_adaptively(rng, laws), entries(told)))
            saved += int(np.sum(np.triu(told.matrix < raw.matrix)))
            least = [least_distances(range(5), d, f) for d, f in zip(metrics, maps, strict=True)]
            ensure([entries(raw), entries(told)] == [add([pair[n] for pair in least]) for n in (0, 1)], SAME)
            ensure(told.theorem() == "V.5" and np.all(told.matrix <= raw.matrix), "closures are nowhere larger")
        ensure(found["above"] == 0 < found["equal"], "never above the sum of closures, often equal")
        rows.append((k, worlds, found.total(), *(found[word] for word in ("below", "equal", "above")), saved))
    columns = [
        "mechanisms",
        "worlds",
        "finite pairs",
        "loss < sum of closures",
        "equal",
        "above",
        "closures < sum of d^f",
    ]
    return Table(rows, columns)


@claim(
    "GMPS-Thm-V.6",
    verdict=PROOF_GAP,
    where="Theorem V.6",
    title="On a common domain a compatible partition costs the largest level, adaptively too",
)
def adaptive_best_bound_on_a_common_domain():
    r"""Theorem IV.12 holds for adaptive composition: with a compatible partition, and mechanisms that are
    $\varepsilon_id^{\mathcal G}$-private on the common domain and $p_i$-dependent whatever was printed before, the
    level is still $\max_i\varepsilon_i$.

    True, with the gap of Theorem IV.12: equation (IV.1) does not follow from compatibility. Bound the neighbours
    first, then go along a path (Theorem III.3).
    """
    return adaptive_disjoint(63, common_domain=True, theorem="V.6")


@claim("GMPS-X-pointwise", verdict=HOLDS, where="Derived from Sections V and VI", title="Two steps in two parts")
def two_steps_in_two_parts():
    r"""Two mechanisms on disjoint parts, databases that differ by one step in each part: the best-bound theorems
    promise what two steps in one part would cost, the composition theorem at this pair may promise less.

    Pure privacy grows linearly, and for equal levels both agree here; with $\varepsilon=(1,3)$ it is 4 instead of 6.
    The other notions punish distance: $\delta$ by $[2]_\varepsilon$, $\rho$ by 4, $\mu$ by 2; one step in each of two
    parts, with equal levels, costs only twice, twice, and $\sqrt2$ times as much as one. The last column is what the
    worst mechanisms of each kind really lose there.
    """
    cls = DatabaseClass.multisets("ab", at_most=2)
    U = unbounded.on(cls)
    p = Partition.by_record(["a", "b"])
    D, E = (), ("a", "b")
    laws = by_hand.joint(*(extreme_steps(cls, part(x), by_hand.added) for x in "ab"))
    really = {
        Pure: exponent(by_hand.ratio(laws[D], laws[E])),
        Approximate: float(reference.mixed_delta([(1, 1e-5)] * 2, 2)),
        ZeroConcentrated: 2 * renyi_slope(1, 2),
        Gaussian: two_shifted_normals(),
    }
    given = {Pure: (1,), Approximate: (1, 1e-5), ZeroConcentrated: (1,), Gaussian: (1,)}
    level, at = {}, {}
    for kind, parameters in given.items():
        promise = compose([kind(space, *parameters) for space in p.spaces(U)], p, on=U, adaptive=True)
        level[kind] = promise.level(U)
        at[kind] = promise.at(D, E)
    ensure(U.distance(D, E) == by_hand.apart(D, E) == 2 and at[Approximate].epsilon == 2, "two steps")
    scaled = level[Approximate].delta * group_factor(2, 1)
    rows = [
        ("pure: eps", 2 * level[Pure], at[Pure], really[Pure]),
        ("approximate: delta", scaled, at[Approximate].delta, really[Approximate]),
        ("zero-concentrated: rho", 4 * level[ZeroConcentrated], at[ZeroConcentrated], really[ZeroConcentrated]),
        ("Gaussian: mu", 2 * level[Gaussian], at[Gaussian], really[Gaussian]),
    ]
    expected = [(2, 2), (3.718281828459045e-5, 2e-5), (4, 2), (2, math.sqrt(2))]
    ensure(all(all_close(row[1:3], pair) for row, pair in zip(rows, expected, strict=True)), "scaled and pointwise")
    ensure(all(row[3] <= row[2] * (1 + 1e-12) for row in rows), "what is promised at the pair is kept")
    ensure(close(really[Approximate], 1 - (1 - 1e-5) ** 2, 1e-9), "and attained")
    ensure(all_close((really[Pure], really[ZeroConcentrated], really[Gaussian]), (2, 2, 2**0.5)), "by all of them")
    uneven = compose([Pure(space, eps) for space, eps in zip(p.spaces(U), (1, 3), strict=True)], p, on=U, adaptive=True)
    laws = by_hand.joint(*(extreme_steps(cls, part(x), by_hand.added, eps) for x, eps in (("a", 1), ("b", 3))))
    lost = exponent(by_hand.ratio(laws[D], laws[E]))
    rows.insert(1, ("pure: eps = (1, 3)", 2 * uneven.level(U), uneven.at(D, E), lost))
    ensure(rows[1][1:] == (6, 4, 4), "unequal levels: 4, and attained")
    return Table(rows, ["notion", "best bound, two steps", "composition at this pair", "really lost"])


# ------------------------------------------------------------------------------------ second ways: losses, mechanisms


def positive(law: dict) -> dict:
    """Leave out impossible outputs."""
    return {y: p for y, p in law.items() if p > 0}


def renyi_slope(rho: float, order: float) -> float:
    """Integrate D_alpha / alpha of two normal laws that are rho-zCDP: of standard deviation 1, sqrt(2 rho) apart."""
    shift = mp.sqrt(2 * rho)
    tilted = mp.quad(lambda x: mp.npdf(x) ** order * mp.npdf(x, shift) ** (1 - order), [-15, -5, 0, 5, 15])
    return float(mp.log(tilted) / (order - 1) / order)


def two_shifted_normals() -> float:
    """Return the mu of two counts with normal noise that both move by one, from the total variation of the pair.

    The first law is the larger one where x + y < 1; the second coordinate is integrated in closed form.
    """
    gap = lambda x: mp.npdf(x) * mp.ncdf(1 - x) - mp.npdf(x, 1) * mp.ncdf(-x)  # noqa: E731
    return float(2 * mp.sqrt(2) * mp.erfinv(mp.quad(gap, [-12, -4, 0, 1, 5, 13])))


# ------------------------------------------------------------------------------------ second ways: adaptive composition


def processed(rng: np.random.Generator, laws: Laws) -> Laws:
    """Post-process at random into three outputs."""
    outputs = values(lambda y: y, [y for law in laws.values() for y in law])
    kernel = {y: reference.random_law(rng, 3) for y in outputs}
    return {D: {z: sum(p * kernel[y][z] for y, p in law.items()) for z in range(3)} for D, law in laws.items()}


def following(rng: np.random.Generator, laws: Laws, first: Laws) -> dict[Hashable, Laws]:
    """Choose the next mechanism for each output of the first one: as it is, or post-processed."""
    outputs = values(lambda y: y, [y for law in first.values() for y in law])
    return {y: laws if rng.random() < 0.5 else processed(rng, laws) for y in outputs}


def run_adaptively(rng: np.random.Generator, mechanisms: Sequence[Laws]) -> Distances:
    """Run mechanisms one after the other, each chosen by the outputs before it; return the exact likelihood ratios."""
    databases = list(mechanisms[0])
    laws, made = mechanisms[0], FiniteMechanism(databases, mechanisms[0])
    for others in mechanisms[1:]:
        choice = following(rng, others, laws)
        laws = by_hand.adaptive(laws, choice.get)
        made = made.adaptively({y: FiniteMechanism(databases, second) for y, second in choice.items()}.get)
    exact = {(D, E): by_hand.ratio(laws[D], laws[E]) for D, E in combinations(databases, 2)}
    ensure(all(made.ratio(*pair) == ratio for pair, ratio in exact.items()), SAME)
    return exact


def against(ratios: Distances, promised: Distances) -> Counter:
    """Count the pairs whose loss is below what is promised, equal to it, or above; infinite promises do not count."""
    bounds = {pair: by_hand.power(2, promised[pair]) for pair in ratios if promised[pair] < math.inf}
    return Counter("below" if ratios[p] < x else "equal" if ratios[p] == x else "above" for p, x in bounds.items())


def adaptive_disjoint(seed: int, common_domain: bool, theorem: str) -> Table:
    """Try the adaptive best-bound theorems on random classes."""
    rng, rows = np.random.default_rng(seed), []
    for kind in WORLDS:
        found = Counter()
        for _ in range(10):
            world, eps = random_compatible(rng, kind, keep=6), rng.integers(1, 3, 2).tolist()
            spaces = [world.space] * 2 if common_domain else world.partition.spaces(world.space)
            told = compose(
                budgeted(spaces, eps), world.partition, on=world.space, adaptive=True, common_domain=common_domain
            )
            level = told.level()
            ensure(told.theorem() == theorem and (level is VACUOUS or level <= max(eps)), "the theorem, and its level")
            laws = [(world.dependent if common_domain else world.on_part)(i, e) for i, e in enumerate(eps)]
            exact, bound = run_adaptively(rng, laws), {pair: max(eps) * world.d[pair] for pair in world.d}
            ensure(against(exact, entries(told))["above"] == 0, "the library's sum is never exceeded")
            found.update(against(exact, bound))
        ensure(found["above"] == 0 < found["equal"], "at most max eps_i d, at all pairs, and equal at some")
        rows.append((kind, 10, found.total(), *(found[word] for word in ("below", "equal", "above"))))
    return Table(rows, ["random classes", "worlds", "finite pairs", "loss < max eps_i d", "equal", "above"])
