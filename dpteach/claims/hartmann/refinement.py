"""Claims of Hartmann, Bindschaedler and West: the notation of section V-A, Algorithm 3 and appendix A."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Guarantee, Table, composition, optimal
from ...experiment import (
    Hypothesis,
    contribution_bound,
    matching_bound,
    refine,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close
from ..reference.experiment import vectors


@claim("HBW-Def-4", verdict=DEFINITION, where="Definition 4", title="Compatible composition theorems")
def compatible_theorems():
    r"""A composition theorem is compatible with mechanisms if it may be applied to them in the classic experiment:
    Kairouz, Oh and Viswanath's optimal one to equal guarantees, Murtagh and Vadhan's to any.

    Two mechanisms with $\varepsilon=0.1$ and $1.9$: the formula for equal guarantees at their mean promises too much
    privacy, at the larger one it is safe but loose. Kairouz, Oh and Viswanath also have a bound for different
    guarantees, their equation 8.
    """
    parts, at = [Guarantee(0.1), Guarantee(1.9)], 1.0
    exact, by_hand = optimal(parts).delta(at), reference.mixed_delta([tuple(g) for g in parts], at)
    mean, largest = (optimal(Guarantee(eps), k=2).delta(at) for eps in (1.0, 1.9))
    ensure(close(exact, by_hand), "the optimum for different guarantees, over all answers")
    ensure(close(mean, reference.optimal_delta(1.0, 0, 2, at)), "the formula for equal ones")
    ensure(mean < exact <= largest, "not compatible: the mean says too little")
    slack = 0.05
    closed = composition.kov_closed_form(parts, slack)
    ensure(reference.mixed_delta([tuple(g) for g in parts], closed.epsilon) <= closed.delta, "equation 8 holds")
    word = dict(zip(*(composition.theorems(parts).column(c) for c in ("theorem", "applies")), strict=True))
    equal = composition.theorems(Guarantee(1), 2)
    ensure(set(equal.column("applies")) == {"yes, as printed"}, "all theorems are for equal pure guarantees")
    ensure(word["basic"] == "yes, as printed" != word["kov_closed_form"], "not all for different ones")
    rows = [
        ("different guarantees (Murtagh, Vadhan)", "yes", exact),
        ("equal ones, at the mean 1.0", "no", mean),
        ("equal ones, both at 1.9", "yes, but loose", largest),
    ]
    return Table(rows, ["optimal composition for", "compatible with 0.1 and 1.9", "delta at eps = 1"])


@claim(
    "HBW-Not-CompGuarantee",
    verdict=CORRECTED,
    where="Section V-A, notation",
    title="The worst composition is the largest epsilon at a fixed delta",
    kind="definition",
)
def worst_of_compositions():
    r"""$\mathrm{CompGuarantee}(M_1,\dots,M_k)$ is any valid guarantee of the composition; a maximum over compositions
    means: fix $\delta^*$, take the largest $\varepsilon$.

    Sound. But "the worst 365 guarantees", as section V-A1 says later, are not those that are worst one by one. With
    $A=(1,0)$ and $B=C=(0.85,0.08)$ at $\delta^*=0.2$ the worst single one is $A$, the worst two are $B$ and $C$; at
    $\delta^*=0.5$ they are $A$ and $B$. If the guarantees are ordered (all $\delta_i$ equal, say) the $m$ largest are
    worst; else every subset has to be tried that leaves out nothing larger than what it holds.
    """
    named, rows = {"A": (1.0, 0.0), "B": (0.85, 0.08), "C": (0.85, 0.08)}, []
    guarantees = [Guarantee(*part) for part in named.values()]
    for delta, m in ((0.2, 1), (0.2, 2), (0.5, 2)):
        chosen = ["".join(names) for names in combinations("ABC", m) if names != ("A", "C") and names != ("C",)]
        by_hand = {names: exact_epsilon([named[c] for c in names], delta) for names in chosen}
        worst = contribution_bound(guarantees, m)
        ensure(close(worst.epsilon(delta), max(by_hand.values()), 1e-9), "the worst subset")
        largest = max(by_hand, key=by_hand.get)
        ensure(sorted(map(tuple, worst.worst_set(delta))) == sorted(named[c] for c in largest), "the library names it")
        rows += [(delta, names, float(eps), names == largest) for names, eps in by_hand.items()]
    known = (0.68037874126412, 0.643978333621978, 1.5560610247161, 1.58155724908204, 0.020591866308088)
    ensure(all_close([row[2] for row in rows[:5]], known, 1e-11) and rows[5][2] == 0, "A, B, AB, BC, AB, BC")
    rng = np.random.default_rng(16)
    for ordered in (True, True, False, False):
        eps = sorted(rng.uniform(0.1, 1.5, 4).tolist())
        deltas = [0.01] * 4 if ordered else sorted(rng.uniform(0, 0.05, 4).tolist(), reverse=True)
        parts, at = list(zip(eps, deltas, strict=True)), 0.4
        every = {s: float(reference.mixed_delta(s, at)) for s in combinations(parts, 2)}
        told = contribution_bound([Guarantee(*part) for part in parts], 2)
        ensure(close(told.delta(at), max(every.values()), 1e-11), "all subsets, by hand")
        ensure(not ordered or max(every, key=every.get) == tuple(parts[2:]), "ordered: the two largest")
    return Table(rows, ["delta*", "mechanisms", "epsilon", "worst"])


def exact_epsilon(parts: Sequence[tuple], delta):
    """Return the optimal epsilon of a list of (eps, delta) at a total delta, by bisection over all answers."""
    return reference.inverse(lambda at: reference.mixed_delta(parts, at), delta, sum(e for e, _ in parts))


@claim("HBW-Alg-3", verdict=CORRECTED, where="Algorithm 3", title="Two laws become sets of atoms that match one by one")
def refining_two_laws():
    r"""Take an atom of each law; match the smaller of the two weights, and put the rest of the larger one back; repeat
    until the first law is used up. The results are two sets of atoms that match one by one.

    Right, with care. Equal atoms may come twice, so lists are needed (as sets they lose weight: 1/3 is left for $\vec0$
    against the uniform law on the other vectors, $k=2$). Equal weights put an atom of weight 0 back. Rounded numbers
    run out of atoms on one side in 617 of 1521 uniform cases; fractions stop after at most $|T_0|+|T_1|-1$ steps. And
    the result depends on the order.
    """
    rng, zeros, emitted, rows = np.random.default_rng(17), 0, 0, []
    for i in range(60):
        p0, p1 = (brute.random_hypothesis(rng, 3) for _ in "01")
        u0, u1, steps = brute.refine_as_printed(p0, p1, last=bool(i % 2))
        matched = refine(Hypothesis.from_dict(p0), Hypothesis.from_dict(p1), order=("first", "last")[i % 2])
        printed = [(b0, b1, w) for (b0, w), (b1, _) in zip(u0, u1, strict=True)]
        ensure([tuple(m) for m in matched] == [triple for triple in printed if triple[2]], "without empty pairs")
        ensure(len(matched) <= len(p0) + len(p1) - 1 and steps <= len(p0) + len(p1) - 1, "few steps")
        zeros, emitted = zeros + sum(w == 0 for _, w in u0), emitted + steps
    ensure(zeros > 0, "the printed algorithm emits empty pairs")
    rows.append(("empty pairs in 60 runs in fractions", f"{zeros} of {emitted}", 0))
    zero, nonzero = Hypothesis.point("00"), Hypothesis.nonzero(2)
    u0 = [(b0, w) for b0, _, w in refine(zero, nonzero)]
    weights = sum(w for _, w in set(u0)), sum(w for _, w in u0)
    ensure(weights == (Fraction(1, 3), 1), "as a set it has lost 2/3")
    rows.append(("weight of U0 as a set; as a list", *weights))
    crashes = float_crashes(39)
    ensure(len(crashes) == 617 and crashes[0] == (1, 3), "617 of 1521, the first with 1 and 3 atoms")
    ensure(sum(m.weight for m in refine(Hypothesis.point("00"), Hypothesis.uniform(["01", "10", "11"]))) == 1, "exact")
    rows.append(("runs out of atoms in floats; in fractions", f"{len(crashes)} of 1521", 0))
    both = Hypothesis.uniform(["0000", "1111"])
    crossed = [("0000", "1111", Fraction(1, 2)), ("1111", "0000", Fraction(1, 2))]
    recipe = [math.exp(matching_bound(Guarantee(math.log(3)), both, both, how).epsilon) for how in (crossed, "best")]
    ensure(all_close(recipe, (81, 1)), "from 1 to 3^4, for two equal laws")
    rows.append(("recipe of V-B on two equal laws, one order; another", *(round(r, 9) for r in recipe)))
    return Table(rows, ["what", "as printed", "corrected"])


def float_crashes(most: int) -> list[tuple[int, int]]:
    """Return for which numbers of equal atoms Algorithm 3 runs out of atoms in floats."""
    found = []
    for n0, n1 in product(range(1, most + 1), repeat=2):
        try:
            brute.refine_as_printed(dict.fromkeys(range(n0), 1 / n0), dict.fromkeys(range(n1), 1 / n1))
        except IndexError:
            found.append((n0, n1))
    return found


@claim("HBW-AppA", verdict=HOLDS, where="Appendix A", title="Matched atoms let inequalities be added up")
def purpose_of_the_refinement():
    r"""Inequalities between single vectors are to be added up to inequalities between laws. For that both laws are
    split into atoms of equal weights, one by one.

    So a matching is a coupling of the two laws: means under either law can be taken over the pairs. The product of the
    laws is one too, and suffices for Theorem 1; it has more pairs.
    """
    rng, rows = np.random.default_rng(18), []
    for k in (1, 2, 3, 4):
        p0, p1 = (brute.random_hypothesis(rng, k, 6) for _ in "01")
        matched = refine(list(p0.items()), list(p1.items()))
        for side, law in enumerate((p0, p1)):
            margin: Counter = Counter()
            for pair in matched:
                margin[pair[side]] += pair.weight
            ensure(dict(margin) == law, "every vector has its weight")
            value = {b: Fraction(int(rng.integers(100)), 7) for b in vectors(k)}
            mean = sum(pair.weight * value[pair[side]] for pair in matched)
            ensure(mean == sum(w * value[b] for b, w in law.items()), "means are kept")
        ensure(max(len(p0), len(p1)) <= len(matched) <= len(p0) + len(p1) - 1, "few pairs")
        rows.append((k, len(p0), len(p1), len(matched), len(p0) * len(p1)))
    return Table(rows, ["bits", "vectors of p0", "vectors of p1", "matched pairs", "pairs of the product"])
