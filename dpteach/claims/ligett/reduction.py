"""Claims of Ligett, Peale and Reingold: the reduction to DP and composition (section 4.4, appendices B and C).

Everything is exact: coins are finite, and e^eps is a whole number or a fraction.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np

from ... import Guarantee, Table, composition
from ...leakage import LeakyMechanism, bits, examples
from ..entries import DEFINITION, HOLDS, PROOF_GAP, claim, ensure
from ..reference import basics as reference
from ..reference import leakage as by_hand
from ..reference.basics import close
from .worlds import BIT, HALF, SAME, TENTH, TWO_BITS, agrees, at_most, leaky, random_ratio, response_with, truthful_coin


@claim("LPR-Def-15", verdict=DEFINITION, where="Definition 15", title="The DP reduction mechanism")
def reduction_mechanism():
    r"""For a leaked value $o$ and two databases $x_0,x_1$, the reduction mechanism answers on $x_0$ as $M$ does on
    $x_0$ given $o$, and on every other database as $M$ does on $x_1$ given $o$. If $o$ is impossible on one of the two,
    it always answers "null".

    It turns a question about bounded leakage into one about DP. Conventions: $x_0\ne x_1$; for coins that are not
    uniform the conditional law is meant; and the "null" case needs coins of its own, since the printed set of coins is
    then empty.
    """
    pad, rows = examples.noisy_pad(Fraction(1, 4)), []
    for o, x0, x1 in ((0, 0, 1), (0, 1, 0), (1, 0, 1)):
        reduced = pad.reduction(x0, x1, o)
        for x in BIT:
            laws = reduced.law(x), by_hand.given(pad.joint[x], o)
            ensure(laws[0] == laws[1], "the conditional law, on x0 and on x1")
        rows.append(
            (f"noisy pad, o = {o}", f"{x0}, {x1}", *(law_in_words(reduced.law(x)) for x in BIT), reduced.ratio())
        )
    study = examples.sampled_study(3)
    for x in TWO_BITS:
        like = by_hand.given(study.joint[(0, 0) if x == (0, 0) else (0, 1)], 1)
        ensure(study.reduction((0, 0), (0, 1), 1).law(x) == like, "everywhere else as on x1")
    parity = examples.parity_trap(1).reduction((0,), (1,), 0)
    ensure({x: dict(cells) for x, cells in parity.joint.items()} == {x: {(None, "null"): 1} for x in bits(1)}, "null")
    rows.append(("parity leak, o = 0", "0, 1", *(law_in_words(parity.law(x)) for x in bits(1)), parity.ratio()))
    return Table(rows, ["pair, leaked value", "x0, x1", "answers on 0", "answers on 1", "e^eps"])


def law_in_words(law: dict) -> str:
    """Return a law as text."""
    return ", ".join(f"{m}: {law[m]}" for m in sorted(law, key=str))


@claim("LPR-Prop-23", verdict=HOLDS, where="Proposition 23", title="The reduction has the conditional laws")
def reduction_has_the_laws():
    r"""If both databases can leak $o$, the reduction mechanism has on $x_0$ and on $x_1$ exactly the law of $M$ given
    $P=o$.

    Immediate from the definition. The proof of Theorem 31 quotes it for the "null" case too, which is in Definition 15.
    """
    rng, seen, rows = np.random.default_rng(20), 0, []
    for _ in range(12):
        world = by_hand.random_world(rng, TWO_BITS, 3, 3)
        for (x0, x1), o in product(combinations(TWO_BITS, 2), range(3)):
            if not {o} <= by_hand.leaks(world[x0]) & by_hand.leaks(world[x1]):
                continue
            reduced, seen = leaky(world).reduction(x0, x1, o), seen + 1
            for x in (x0, x1):
                exact = {m: w for m, w in by_hand.given(world[x], o).items() if w}
                ensure(reduced.law(x) == exact, "the law given o")
    pad = examples.noisy_pad(Fraction(1, 4))
    for o, x in product(BIT, BIT):
        laws = pad.reduction(0, 1, o).law(x), by_hand.given(pad.joint[x], o)
        ensure(laws[0] == laws[1], "the noisy pad")
        rows.append((o, x, law_in_words(laws[0]), law_in_words(laws[1])))
    ensure(seen > 150 and rows[0][2] == "0: 3/4, 1: 1/4", "many comparisons")
    return Table(rows, ["o", "x", "reduction of the noisy pad", "the pad given o"])


@claim("LPR-Prop-24", verdict=HOLDS, where="Proposition 24", title="The reduction is DP")
def reduction_is_private():
    r"""If $M$ is $(\varepsilon,\delta)$-private given $P$ and $x_0,x_1$ are neighbours, the reduction mechanism is
    $(\varepsilon,\delta)$-DP, on all neighbouring databases.

    Its $\delta$ is that of the two laws: two databases other than $x_0$ have the same law, and $x_0$ against a
    neighbour is always the pair $(x_0,x_1)$. Definition 15 also allows databases that are no neighbours; then it can
    cost more.
    """
    rng, rows = np.random.default_rng(21), []
    for _ in range(12):
        world, a = by_hand.random_world(rng, TWO_BITS, 2, 3), random_ratio(rng)
        mechanism, found = leaky(world), []
        for x0, x1, o in mechanism.comparisons:
            p, q = by_hand.facing(world, x0, x1, o)
            found.append(mechanism.reduction(x0, x1, o).delta(ratio=a))
            ensure(found[-1] == max(by_hand.excess(p, q, a), by_hand.excess(q, p, a)), "the two laws, nothing else")
        ensure(max(found) == by_hand.delta(world, a) == mechanism.delta(ratio=a), "at most delta, and one attains it")
        rows.append((a, len(found), mechanism.delta(ratio=a), max(found)))
    answers = by_hand.world(TWO_BITS, by_hand.together(truthful_coin(3), truthful_coin(3)), by_hand.masked)
    ensure(leaky(answers).ratio() == by_hand.ratio(answers) == 3, "two answers, neighbours")
    far = leaky(answers).reduction((0, 0), (1, 1))
    ensure(far.ratio() == by_hand.ratio(far.joint) == 9, "nine for databases that differ twice")
    return Table(rows[:5], ["e^eps", "reductions", "delta given the leak", "largest DP delta of a reduction"])


@claim("LPR-Rem-25", verdict=HOLDS, where="Remark 25", title="DP composition follows from that of bounded leakage")
def leak_of_nothing():
    r"""In the other direction DP composition follows from composition under bounded leakage, by a simpler construction.

    None is printed; a constant leak does it. With it the two notions have the same numbers, so the best composition
    theorems of both coincide.
    """
    rng, rows = np.random.default_rng(22), []
    for _ in range(15):
        world, a = by_hand.random_world(rng, TWO_BITS, 3, 3), random_ratio(rng)
        told = leaky(world).without_leak()
        exact = by_hand.delta(by_hand.plain(world), a)
        ensure(told.delta(ratio=a) == exact and told.leaks == [None] and told.coverage == 1, "plain DP")
        rows.append((a, leaky(world).delta(ratio=a), told.delta(ratio=a), exact))
    ensure(all(row[1] != row[2] for row in rows), "the leak did matter")
    return Table(rows[:6], ["e^eps", "delta given the leak", "delta given a constant leak", "DP, all events"])


TELLS = {0: {"T": Fraction(1, 4), "-": Fraction(3, 4)}, 1: {"-": Fraction(1)}}  # a (0, 1/4)-DP mechanism


@claim("LPR-Thm-26", verdict=PROOF_GAP, where="Theorem 26", title="Every composition theorem carries over")
def composition_carries_over():
    r"""Whatever $(\varepsilon',\delta')$ holds for the composition of any mechanisms that are
    $(\varepsilon_i,\delta_i)$-DP holds for the composition of mechanisms that are $(\varepsilon_i,\delta_i)$-private
    given their leaks, with fresh coins for each and all leaks side by side.

    True. The proof says that it suffices to look at sets $S_1\times\dots\times S_k$; it does not, since the
    inequalities with $+\delta'$ do not add up over disjoint pieces: the table shows how much is missed. What the proof
    needs is only that the laws of the composed reductions and of the composition given the leak are equal, and these
    do extend from rectangles to all sets. Fresh coins are essential: $x\oplus r_1$ and $r_2$, with the one leak
    $r_1\oplus r_2$, are perfect each and tell everything together.
    """
    tells, rows = LeakyMechanism.from_laws(BIT, lambda x: None, lambda x, o: TELLS[x]), []
    for k in (1, 2, 3, 5, 10):
        exact = tells.compose([tells] * (k - 1)).delta(ratio=1) if k > 1 else tells.delta(ratio=1)
        ensure(exact == by_hand.optimum(1, Fraction(1, 4), k, 1) == 1 - Fraction(3, 4) ** k, "the best event: any T")
        rows.append((k, best_rectangle(k), exact))
    ensure([row[1] for row in rows] == [Fraction(1, 4)] * 5 and rows[1][2] == Fraction(7, 16), "1/4 against 7/16")
    rng = np.random.default_rng(23)
    for _ in range(10):
        worlds, a = [by_hand.random_world(rng, BIT, 2, 2) for _ in BIT], [random_ratio(rng) for _ in BIT]
        both, one = by_hand.side_by_side(*worlds), [leaky(world) for world in worlds]
        composed, at = one[0].compose(one[1]), a[0] * a[1]
        d = [m.delta(ratio=b) for m, b in zip(one, a, strict=True)]
        ensure(agrees(composed, both, (at,)), SAME)
        ensure(at_most(by_hand.delta(both, at), 1 - (1 - d[0]) * (1 - d[1])), "what holds for DP")
        for o in by_hand.leaks(both[0]) & by_hand.leaks(both[1]):
            parts = [m.reduction(0, 1, part) for m, part in zip(one, o, strict=True)]
            laws = [parts[0].compose(parts[1]).law(x) for x in BIT]
            exact = [{m: w for m, w in by_hand.given(both[x], o).items() if w} for x in BIT]
            ensure(laws == exact, "the laws are equal, on all sets")
    shared = by_hand.together(by_hand.coin(HALF), by_hand.coin(HALF))
    prints = [lambda x, r: x ^ r[0], lambda x, r: r[1], lambda x, r: (x ^ r[0], r[1])]
    told = [LeakyMechanism.from_functions(BIT, bits(2), f, lambda x, r: r[0] ^ r[1]) for f in prints]
    by_coins = [by_hand.world(BIT, shared, f, lambda x, r: r[0] ^ r[1]) for f in prints]
    ensure(all(map(agrees, told, by_coins)), SAME)
    ensure([m.delta(ratio=1) for m in told] == [0, 0, 1], "one common leak does not compose")
    return Table(rows, ["k", "best rectangle", "best event"])


def best_rectangle(k: int) -> Fraction:
    """Return the largest P(S) - Q(S) over S = S_1 x ... x S_k for k copies of a mechanism, all of them tried."""
    sides = reference.event_laws(*by_hand.aligned(TELLS[0], TELLS[1]))
    chosen = combinations_with_replacement(sides, k)
    return max(math.prod(p for p, _ in side) - math.prod(q for _, q in side) for side in chosen)


@claim("LPR-Thm-27", verdict=HOLDS, where="Theorem 27", title="Under DP epsilons and deltas add up")
def basic_composition():
    r"""Mechanisms that are $(\varepsilon_i,\delta_i)$-DP, with independent coins, are
    $(\sum\varepsilon_i,\sum\delta_i)$-DP together.

    A quoted theorem. The $\delta$ can be sharpened to $1-\prod(1-\delta_i)$, and that is attained.
    """
    rows, quarter = [], Fraction(1, 4)
    for parts in ([(1, quarter)] * 2, [(2, TENTH), (3, 0)], [(Fraction(3, 2), TENTH)] * 3, [(2, HALF), (5, quarter)]):
        worst = [response_with(a, d) for a, d in parts]
        whole, at = worst[0].compose(worst[1:]), math.prod(a for a, _ in parts)
        laws = reference.product_pair([reference.worst_pair(a, d) for a, d in parts])
        exact, sharp = whole.delta(ratio=at), 1 - math.prod(1 - d for _, d in parts)
        ensure(exact == reference.hockey_stick_both(*laws, at) == sharp, "the worst mechanisms attain the sharp form")
        basic = composition.basic([Guarantee(math.log(a), d) for a, d in parts])
        ensure(close(math.exp(basic.epsilon), at) and exact <= basic.delta, "basic composition")
        rows.append((", ".join(f"({a}, {d})" for a, d in parts), at, basic.delta, exact))
    ensure(rows[0][2:] == (0.5, Fraction(7, 16)), "7/16 and not 1/2")
    rng = np.random.default_rng(24)
    for _ in range(10):
        worlds, a = [by_hand.plain(by_hand.random_world(rng, BIT, 1, 3)) for _ in BIT], [random_ratio(rng) for _ in BIT]
        d = [leaky(world).delta(ratio=b) for world, b in zip(worlds, a, strict=True)]
        exact = by_hand.delta(by_hand.side_by_side(*worlds), a[0] * a[1])
        ensure(leaky(worlds[0]).compose(leaky(worlds[1])).delta(ratio=a[0] * a[1]) == exact, SAME)
        ensure(exact <= 1 - (1 - d[0]) * (1 - d[1]), "random mechanisms")
    return Table(
        rows, ["(e^eps, delta) of the parts", "product of e^eps", "sum of the deltas", "exact delta, at worst"]
    )


@claim("LPR-Cor-28", verdict=HOLDS, where="Corollary 28", title="Given the leaks epsilons and deltas add up")
def basic_composition_with_leaks():
    r"""Mechanisms that are $(\varepsilon_i,\delta_i)$-private given their leaks are, with fresh coins each,
    $(\sum\varepsilon_i,\sum\delta_i)$-private given all the leaks.

    Here too $1-\prod(1-\delta_i)$ is enough. It is about several leaks side by side, and not about several mechanisms
    with one common leak, as the proof of Lemma 39 uses it (see Theorem 26).
    """
    pad, rows = examples.noisy_pad(Fraction(1, 4)), []
    for k in (2, 3):
        whole, world = pad.compose([pad] * (k - 1)), by_hand.side_by_side(*[pad.joint] * k)
        ensure(whole.ratio() == by_hand.ratio(world) == 3**k, "k pads with noisy keys")
        rows.append((f"{k} noisy pads", 3**k, Fraction(0), by_hand.ratio(world), by_hand.delta(world, 3**k)))
    rng = np.random.default_rng(25)
    for _ in range(12):
        worlds, a = [by_hand.random_world(rng, BIT, 2, 2, 4) for _ in BIT], [random_ratio(rng, 2) for _ in BIT]
        both, at = by_hand.side_by_side(*worlds), a[0] * a[1]
        d = [leaky(world).delta(ratio=b) for world, b in zip(worlds, a, strict=True)]
        exact = by_hand.delta(both, at)
        ensure(leaky(worlds[0]).compose(leaky(worlds[1])).delta(ratio=at) == exact, SAME)
        ensure(exact <= d[0] + d[1] - d[0] * d[1] <= d[0] + d[1], "the corollary, and sharper")
        rows.append(("random", at, float(sum(d)), by_hand.ratio(both), float(exact)))
    return Table(rows[:7], ["pairs", "product of e^eps", "sum of the deltas", "exact e^eps", "exact delta there"])
