"""Claims of Hartmann, Bindschaedler and West: Theorem 1, its proof in appendix B, and section VI.

A view's law is computed twice: by `dpteach.experiment`, and by running through all vectors, answers and adversaries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ... import Guarantee, Pair, Table, mechanisms, optimal
from ...experiment import (
    Hypothesis,
    both_databases,
    refine,
    view_law,
    view_pair,
)
from ...experiment.bits import show_bits
from ..entries import FALSE, HOLDS, MISPRINT, PROOF_GAP, claim, ensure
from ..reference import experiment as brute
from ..reference.basics import close, hockey_stick, hockey_stick_both
from ..reference.experiment import vectors
from .rounds import MIXED, MOVES, coins, curve, point, worst_rounds


def with_databases(tree: Mapping):
    """Return the same adversary with two databases, 0 and 1, and a mechanism of its own for every view."""
    run = {view: lambda x, table=table: dict(enumerate(table[x])) for view, table in tree.items()}
    rounds = max(map(len, tree)) + 1
    return lambda view: (0, 1, run[view]), [[m for view, m in run.items() if len(view) == i] for i in range(rounds)]


@claim("HBW-Thm-1", verdict=PROOF_GAP, where="Theorem 1", title="Privacy is hypothesis privacy for all pairs")
def privacy_for_all_hypotheses():
    r"""A sequence of mechanisms is $(\varepsilon,\delta)$-private if and only if it is
    $(\varepsilon,\delta)$-hypothesis private for all pairs of laws on bit vectors.

    True, for all adversaries together (see Definition 2). The printed proof flips bits one by one, which can fail;
    HBW-X-2 has a proof that does not. For three different mechanisms at their worst: of all 56 pairs of vectors,
    $\vec0$ and $\vec1$ are told apart best, and no random pair of laws does better.
    """
    tables, pairs = worst_rounds(MIXED)
    rng, rows = np.random.default_rng(9), []
    views = {b: brute.views(tables, b) for b in vectors(3)}
    laws = [[brute.random_hypothesis(rng, 3) for _ in "01"] for _ in range(12)]
    mixtures = [(curve(pairs, *both), brute.mixed_pair(tables, *both)) for both in laws]
    classic = curve(pairs, point("000"), point("111"))
    for ratio in (1, Fraction(3, 2), 2, 3, 5, 9):
        each = {(a, b): hockey_stick(views[a], views[b], ratio) for a, b in product(views, repeat=2) if a != b}
        drawn = [told.delta(ratio=ratio) for told, _ in mixtures]
        ensure(drawn == [hockey_stick_both(*by_hand, ratio) for _, by_hand in mixtures], "mixtures, by hand")
        ensure(
            classic.delta(ratio=ratio) == each[(0,) * 3, (1,) * 3] == max(each.values()), "the classic pair is worst"
        )
        ensure(max(drawn) <= max(each.values()), "no mixture is worse")
        single = max(d for (a, b), d in each.items() if sum(x != y for x, y in zip(a, b, strict=True)) == 1)
        rows.append((ratio, classic.delta(ratio=ratio), float(single), float(max(drawn))))
    known = ("229/400", "4067/8000", "1777/4000", "287/800", "259/1000", "29/200")
    ensure([row[1] for row in rows] == list(map(Fraction, known)), "229/400 and so on")
    adaptive = [brute.largest_excess(MOVES[:4], point("000"), point(b), 4) for b in ("111", "100", "110", "011")]
    ensure(adaptive == [Fraction(23, 64), 0, Fraction(5, 16), Fraction(5, 16)], "the best adaptive adversaries")
    return Table(
        rows, ["e^eps", "000 and 111", "worst pair with one different bit", "worst of 12 random pairs of laws"]
    )


@claim("HBW-X-2", verdict=HOLDS, where="Not in the paper; adds to Theorem 1", title="A proof of Theorem 1 in two lines")
def short_proof():
    r"""Given an adversary and two vectors, let another adversary submit in round $i$ the two databases that the vectors
    select. It sees in the classic experiment exactly what the first one sees under the two vectors, adaptively. Laws on
    vectors are averages over the product of the two laws, and averages keep an inequality.

    Where the bits agree it submits one database twice, which is allowed ("at most one record"). Random adaptive
    adversaries, all pairs of vectors: the laws are identical.
    """
    rng, rows = np.random.default_rng(10), []
    for k, answers, count in ((1, 3, 8), (2, 3, 6), (3, 2, 3)):
        checked, room = 0, Fraction(0)
        for _ in range(count):
            tree = brute.random_tree(rng, k, MIXED[:k], answers)
            adversary, classes = with_databases(tree)
            single = {b: brute.tree_law(tree, b) for b in vectors(k)}
            for a, b in product(single, repeat=2):
                chosen = both_databases(adversary, a, b)
                seen = [view_law(chosen, classes, bit) for bit in (0, 1)]
                ensure(seen == [{v: w for v, w in single[c].items() if w} for c in (a, b)], "the same law")
                checked += 1
            p0, p1 = (brute.random_hypothesis(rng, k) for _ in "01")
            pairwise = sum(w * v * excess_of_laws(single[a], single[b]) for a, w in p0.items() for b, v in p1.items())
            joint = hockey_stick(*brute.tree_pair(tree, p0, p1), 2)
            ensure(joint <= pairwise, "a mixture is at most the mean over the product")
            room = max(room, pairwise - joint)
        rows.append((k, count, checked, float(room)))
    return Table(rows, ["rounds", "adversaries", "identical pairs of laws", "most that averaging gives away"])


def excess_of_laws(one: Mapping, two: Mapping, ratio=2):
    """Return the hockey stick of two laws given as dictionaries."""
    return sum(max(w - ratio * two[view], 0) for view, w in one.items())


@claim(
    "HBW-Thm-1-sketch",
    verdict=PROOF_GAP,
    where="Section IV-A, proof sketch",
    title="Flipping bits and matching weights proves Theorem 1",
)
def sketch_of_the_proof():
    r"""The sketch: flip bits in which two vectors agree until all differ, apply the classic experiment to these, and
    match the weights of two laws by Algorithm 3.

    The flips would have to lower $\Pr(V^{\mathbf b_0}\in S)$ or raise $\Pr(V^{\mathbf b_1}\in S)$. For some sets $S$ no
    choice of flips does (see Appendix B), although the inequality that is to be proved holds for all of them. The
    matching is right, but any coupling does, for instance the product.
    """
    rows = []
    for k in (1, 2, 3):
        triples, no_case, no_flips, broken = count_flips(k)
        ensure(broken == 0, "the inequality itself holds for every set and every two vectors")
        rows.append((k, 2 ** (2**k), triples, no_case, no_flips, broken))
    ensure([row[3:5] for row in rows] == [(0, 0), (8, 8), (1584, 864)], "from two rounds on the flips may fail")
    coin, classes = mechanisms.randomized_response(ratio=3), [Guarantee(math.log(3))] * 2
    for a, b in product(vectors(2), repeat=2):  # the way around: an adversary that submits what the vectors select
        seen = view_pair(both_databases(lambda _: coin, a, b), classes, 0, 1)
        ensure(seen.ratio() == 3 ** sum(x != y for x, y in zip(a, b, strict=True)) <= 9, "the classic experiment")
    names = ["rounds", "sets S", "S with two vectors", "none of the cases", "no flips at all", "violations"]
    return Table(rows, names)


def count_flips(k: int, ratio: int = 3) -> tuple[int, int, int, int]:
    """Try the flips of Appendix B on every set of views and every two vectors, for randomized response.

    Return how many (S, b0, b1) with P0(S) <= P1(S) there are, for how many some agreeing bit is in none of the three
    cases, for how many no choice of flips is monotone, and how many violate P1(S) <= ratio^k P0(S).
    """
    every = vectors(k)
    likelihood = {b: [ratio ** sum(x == y for x, y in zip(b, view, strict=True)) for view in every] for b in every}
    counts = [0, 0, 0, 0]
    for chosen in product((0, 1), repeat=len(every)):
        P = {b: sum(w for w, c in zip(likelihood[b], chosen, strict=True) if c) for b in every}
        for b0, b1 in product(every, repeat=2):
            if b0 != b1 and P[b0] <= P[b1]:
                same = [i for i in range(k) if b0[i] == b1[i]]
                counts[0] += 1
                counts[1] += any(P[flip(b0, i)] > P[b0] and P[flip(b1, i)] <= P[b1] for i in same)
                counts[2] += not any(P[c0] <= P[b0] and P[b1] <= P[c1] for c0, c1 in all_flips(b0, b1, same))
                counts[3] += P[b1] > ratio**k * P[b0]
    return tuple(counts)


def flip(b: tuple, i: int) -> tuple:
    """Flip one bit."""
    return (*b[:i], 1 - b[i], *b[i + 1 :])


def all_flips(b0: tuple, b1: tuple, same: Sequence[int]):
    """Yield the complementary vectors that arise by flipping each agreeing bit in one of the two vectors."""
    for chosen in product((0, 1), repeat=len(same)):
        c0, c1 = b0, b1
        for i, second in zip(same, chosen, strict=True):
            c0, c1 = (c0, flip(c1, i)) if second else (flip(c0, i), c1)
        yield c0, c1


@claim("HBW-AppB-Cases", verdict=FALSE, where="Appendix B, three cases", title="Every agreeing bit can be flipped")
def three_cases():
    r"""For a set $S$ with $\Pr(V^{\mathbf b_0}\in S)\le\Pr(V^{\mathbf b_1}\in S)$ and any bit in which the vectors
    agree, flipping it in $\mathbf b_0$ is said to lower the first probability or keep it, or flipping it in $\mathbf
    b_1$ to raise the second.

    False for $S=\{y_1\ne y_2\}$, randomized response with $e^{\varepsilon}=3$, $\mathbf b_0=00$, $\mathbf b_1=01$: the
    flip takes the first from 3/8 up to 5/8 and the second from 5/8 down to 3/8. A product set $S=S_1\times\dots\times
    S_k$ with $\Pr(V^{\mathbf b_1}\in S)>0$ is in one of the cases if the adversary is *fixed*, that is, has chosen all
    databases and mechanisms beforehand, without coins. Otherwise it need not be: if the second pair is turned round
    after the answer 1, $S=\{0,1\}\times\{0\}$, or both pairs by a coin, $S=\{0\}\times\{0\}$, then $\mathbf b_0=01$,
    $\mathbf b_1=00$ is in none.
    """
    coin = mechanisms.randomized_response(ratio=3)
    swap = coin.reversed()
    differ = {b: law[0, 1] + law[1, 0] for b, law in two_rounds(lambda _: coin).items()}
    by_hand = {b: sum(brute.views(coins(3, 2), b)[1:3]) for b in vectors(2)}
    ensure(differ == by_hand, "the probabilities, by hand")
    ensure(list(differ.values()) == [Fraction(n, 8) for n in (3, 5, 5, 3)], "3/8 and 5/8")
    ensure(count_flips(2)[1] == 8, "eight such triples in two rounds")
    turned = {b: law[0, 0] + law[1, 0] for b, law in two_rounds(lambda v: swap if v == (1,) else coin).items()}
    ensure(turned == second_answer_is_0(), "the adaptive adversary, by hand")
    ensure(list(turned.values()) == [Fraction(n, 8) for n in (5, 3, 3, 5)], "5/8 and 3/8")
    tossed = {b: (both_are_0(coin, b) + both_are_0(swap, b)) / 2 for b in vectors(2)}
    ensure(list(tossed.values()) == [Fraction(n, 16) for n in (5, 3, 3, 5)], "5/16 and 3/16")
    ensure(not in_some_case(tossed, (0, 1), (0, 0), 0), "a coin decides the order: in none of the cases")
    rows = []
    for name, P, b0, b1 in (
        ("answers differ", differ, (0, 0), (0, 1)),
        ("second is 0, adaptive", turned, (0, 1), (0, 0)),
    ):
        ensure(P[b0] <= P[b1] and not in_some_case(P, b0, b1, 0), "in none of the cases")
        rows += [(name, show_bits(b), P[b], show_bits(flip(b, 0)), P[flip(b, 0)]) for b in (b0, b1)]
    check_fixed_adversaries()
    return Table(rows, ["S", "b", "P(S)", "first bit flipped", "P(S) then"])


def two_rounds(adversary) -> dict[tuple, dict]:
    """Return the law of the view of two rounds with e^eps = 3 under every vector."""
    return {b: view_law(adversary, [Guarantee(math.log(3))] * 2, b) for b in vectors(2)}


def both_are_0(pair: Pair, b: tuple) -> Fraction:
    """Return P(answers 0 and 0) if the same pair is submitted twice."""
    return math.prod((pair.p, pair.q)[bit][0] for bit in b)


def second_answer_is_0() -> dict[tuple, Fraction]:
    """Return P(second answer = 0) under every vector, if the second pair is turned round after the answer 1."""
    right, wrong = Fraction(3, 4), Fraction(1, 4)
    zero = {0: right, 1: wrong}  # how likely a round says 0, for either bit
    return {(a, b): zero[a] * zero[b] + zero[1 - a] * zero[1 - b] for a, b in vectors(2)}


def in_some_case(P: Mapping, b0: tuple, b1: tuple, i: int) -> bool:
    """Say whether flipping bit i is in one of the three cases of Appendix B, for given probabilities of S."""
    return P[flip(b0, i)] <= P[b0] or P[flip(b1, i)] > P[b1]


def check_fixed_adversaries() -> None:
    """Try product sets of fixed adversaries: every round has some chance of S_i for the bit 0 and for the bit 1.

    The one exception is a set that is impossible under both vectors, and there nothing is to be proved.
    """
    chances = [Fraction(n, 4) for n in range(5)]
    for rounds in product(product(chances, repeat=2), repeat=2):
        P = {b: math.prod(chance[bit] for chance, bit in zip(rounds, b, strict=True)) for b in vectors(2)}
        for a, b in product(P, repeat=2):
            b0, b1 = sorted((a, b), key=P.get)
            same = [i for i in (0, 1) if b0[i] == b1[i]]
            ensure(P[b1] == 0 or all(in_some_case(P, b0, b1, i) for i in same), "product sets, fixed adversary")


def boxes(k: int) -> list[tuple]:
    """List the product sets S_1 x ... x S_k of two answers a round, without empty ones."""
    return list(product(((0,), (1,), (0, 1)), repeat=k))


def in_box(box: tuple, b: tuple) -> Fraction:
    """Return the probability of a product set under a vector, for randomized response with e^eps = 3."""
    return math.prod(sum(Fraction(3 if y == x else 1, 4) for y in chosen) for chosen, x in zip(box, b, strict=True))


@claim(
    "HBW-AppB-Chain",
    verdict=MISPRINT,
    where="Appendix B, chain of inequalities",
    title="The flips give a chain of inequalities",
)
def chain_of_flips():
    r"""The flips are said to give the chains $\dots\le\Pr(V^{\mathbf b_0^0}\in S)\le\Pr(V^{\mathbf b_0^0}\in S)$ and
    $\Pr(V^{\mathbf b_0^0}\in S)\le\Pr(V^{\mathbf b_1^1}\in S)\le\dots$.

    The indices slipped: meant are $\dots\le\Pr(V^{\mathbf b_0^1}\in S)\le\Pr(V^{\mathbf b_0^0}\in S)$ and
    $\Pr(V^{\mathbf b_1^0}\in S)\le\Pr(V^{\mathbf b_1^1}\in S)\le\dots$. As printed the chain can hold where the one
    that is needed fails, for instance for $S=\{y_1\ne y_2\}$, whichever vector is flipped. For product sets and a fixed
    adversary the right chain can always be had, for another one not always (HBW-AppB-Cases).
    """
    coin, rows = mechanisms.randomized_response(ratio=3), []
    laws = {b: view_law(lambda _: coin, [[coin]] * 2, b) for b in vectors(2)}
    P = {b: law[0, 1] + law[1, 0] for b, law in laws.items()}
    ensure(all(P[b] == sum(brute.views(coins(3, 2), b)[1:3]) for b in P), "the probabilities, by hand")
    b0, b1 = (0, 0), (0, 1)
    for c0, c1 in all_flips(b0, b1, [0]):
        printed, needed = P[b0] <= P[b0] and P[b0] <= P[c1], P[c0] <= P[b0] and P[b1] <= P[c1]
        ensure(printed and not needed, "the printed chain holds, the right one does not")
        rows.append(
            (
                f"{show_bits(b0)}, {show_bits(b1)}",
                f"{show_bits(c0)}, {show_bits(c1)}",
                P[b0],
                P[c0],
                P[b1],
                P[c1],
                printed,
                needed,
            )
        )
    for box, a, b in product(boxes(2), vectors(2), vectors(2)):
        low, high = sorted((a, b), key=lambda v: in_box(box, v))
        same = [i for i in (0, 1) if low[i] == high[i]]
        ends = [in_box(box, c) for pair in all_flips(low, high, same) for c in pair]
        chains = zip(ends[::2], ends[1::2], strict=True)
        ensure(any(x <= in_box(box, low) and in_box(box, high) <= y for x, y in chains), "product sets have a chain")
    names = ["b0, b1", "flipped", "P(b0)", "P(b0) then", "P(b1)", "P(b1) then", "printed chain", "needed chain"]
    return Table(rows, names)


@claim(
    "HBW-AppB-Induction",
    verdict=HOLDS,
    where="Appendix B, induction",
    title="The inequality holds for the weights matched so far",
)
def adding_up_matched_weights():
    r"""After every step of Algorithm 3, $\sum w\Pr(V^{\mathbf b_0}\in S)\le e^{\varepsilon}\sum w\Pr(V^{\mathbf b_1}\in
    S)+\delta\sum w$ over the pairs matched so far.

    It holds because one $(\varepsilon,\delta)$ is good for every matched pair; with a different one for each pair, as
    in section V-B, the same sum is wrong. (In the printed base case $w_1\delta$ stands outside of its sum.) Tried on
    the worst set $S$ after every step, for random laws.
    """
    tables, pairs = worst_rounds(MIXED)
    views = {b: brute.views(tables, b) for b in vectors(3)}
    rng, rows, ratio = np.random.default_rng(12), [], Fraction(3, 2)
    delta = curve(pairs, point("000"), point("111")).delta(ratio=ratio)
    ensure(delta == hockey_stick_both(views[0, 0, 0], views[1, 1, 1], ratio), "the classic delta")
    for _ in range(6):
        p0, p1 = (brute.random_hypothesis(rng, 3) for _ in "01")
        matched = refine(Hypothesis.from_dict(p0), Hypothesis.from_dict(p1))
        sums, weight, room = [[0] * len(views[0, 0, 0]) for _ in "01"], Fraction(0), []
        for b0, b1, w in matched:
            weight += w
            for total, b in zip(sums, (b0, b1), strict=True):
                total[:] = [x + w * y for x, y in zip(total, views[b], strict=True)]
            room.append(delta * weight - hockey_stick(*sums, ratio))
        ensure(min(room) >= 0 and weight == 1, "the inequality after every step")
        ensure(sums == [*brute.mixed_pair(tables, p0, p1)], "and in the end all weight is matched")
        rows.append((len(p0), len(p1), len(matched), float(min(room)), float(room[-1])))
    return Table(rows, ["vectors of p0", "vectors of p1", "steps", "least room on the way", "room at the end"])


@claim(
    "HBW-AppB-Final",
    verdict=MISPRINT,
    where="Appendix B, last step",
    title="In the end one law is at most the other plus delta",
)
def lost_factor():
    r"""At the end of the proof stands $\sum_{T_0}w_0\Pr(V^{\mathbf b_0}\in S)\le\sum_{T_1}w_1\Pr(V^{\mathbf b_1}\in
    S)+\delta$.

    The factor $e^{\varepsilon}$ before the second sum is lost: one randomized response with $e^{\varepsilon}=3$ has
    $3/4\not\le1/4$, but $3/4=3\cdot1/4$. With the factor it holds for all sets of views and random laws.
    """
    rng, rows = np.random.default_rng(13), []
    for k in (1, 2, 3):
        tables, pairs = coins(3, k), [mechanisms.randomized_response(ratio=3)] * k
        for i in range(4):
            p0, p1 = (brute.random_hypothesis(rng, k) for _ in "01")
            p0, p1 = (p0, p1) if i else (point("0" * k), point("1" * k))
            told, laws = curve(pairs, p0, p1), brute.mixed_pair(tables, p0, p1)
            without, right = told.delta(ratio=1), told.delta(ratio=3**k)
            ensure(without == hockey_stick(*laws, 1) and right == hockey_stick_both(*laws, 3**k) == 0, "all sets")
            if i == 0:
                rows.append((k, *(laws[j][0] for j in (0, 1)), without, right))
    ensure(rows[0][1:] == (Fraction(3, 4), Fraction(1, 4), Fraction(1, 2), 0), "3/4 and 1/4")
    return Table(rows, ["rounds", "P(all 0) under 0", "P(all 0) under 1", "missing without factor", "with e^(k eps)"])


@claim("HBW-Sec6", verdict=HOLDS, where="Section VI", title="The classic experiment underestimates nothing")
def nothing_underestimated():
    r"""The worst case of the classic experiment is the worst case of the generalized one: the classic experiment does
    not underestimate the risk.

    The best adaptive adversary with eight $\ln3$-private moves, found by dynamic programming for every two vectors and
    for random laws: never better than for $\vec0$ and $\vec1$, where it reaches the optimal composition.
    """
    rng, rows, classic = np.random.default_rng(14), [], (point("00"), point("11"))
    laws = [tuple(brute.random_hypothesis(rng, 2) for _ in "01") for _ in range(4)]
    single = [({a: Fraction(1)}, {b: Fraction(1)}) for a, b in combinations(vectors(2), 2)]
    exact = optimal(Guarantee(math.log(3)), k=2)
    for ratio in (1, 2, 3, 5, 8):
        best = brute.largest_excess(MOVES, *classic, ratio)
        every = max(brute.largest_excess(MOVES, *pair, ratio) for pair in single)
        mixed = max(brute.largest_excess(MOVES, *pair, ratio) for pair in laws)
        ensure(best == every >= mixed and close(exact.delta(math.log(ratio)), float(best)), "no pair is worse")
        rows.append((ratio, best, every, float(mixed), exact.delta(math.log(ratio))))
    return Table(rows, ["e^eps", "classic", "any two vectors", "four random pairs of laws", "optimal composition"])


@claim(
    "HBW-X-1",
    verdict=HOLDS,
    where="Not in the paper; adds to Definition 3",
    title="The worst mechanism is the worst here too",
)
def worst_mechanism():
    r"""For given $(\varepsilon_i,\delta_i)$ and any two hypotheses, no adaptive adversary does better than to ask the
    worst mechanism of each guarantee, always the same.

    Every round can be simulated from one sample of the worst pair, whatever the bit. So the exact value needs no
    adversary. Random adversaries, and the best of all by dynamic programming.
    """
    rng, rows = np.random.default_rng(15), []
    tables, pairs = worst_rounds(MIXED)
    for _ in range(5):
        p0, p1 = (brute.random_hypothesis(rng, 3) for _ in "01")
        told = curve(pairs, p0, p1)
        trees = [brute.random_tree(rng, 3, MIXED, answers=2) for _ in range(5)]
        for ratio, order in product((1, 2, Fraction(3, 2)), (0, 1)):
            seen = [hockey_stick(*brute.tree_pair(t, *((p0, p1), (p1, p0))[order]), ratio) for t in trees]
            ensure(max(seen) <= told.delta(ratio=ratio, direction=("pq", "qp")[order]), "never better")
        ensure(told.delta(ratio=1) == hockey_stick(*brute.mixed_pair(tables, p0, p1), 1), "the value, by hand")
        rows.append(
            ("5 random ones", len(p0), len(p1), float(max(seen)), float(told.delta(ratio=ratio, direction="qp")))
        )
    for _ in range(3):
        p0, p1 = (brute.random_hypothesis(rng, 2, 2) for _ in "01")
        told = curve(mechanisms.randomized_response(ratio=3), p0, p1).delta(ratio=ratio, direction="qp")
        best = brute.largest_excess(MOVES, p1, p0, ratio)
        ensure(best == told, "the best of all adversaries with eight moves")
        rows.append(("best of 512", len(p0), len(p1), float(best), float(told)))
    return Table(rows, ["adversaries", "vectors of p0", "of p1", "their largest delta, e^eps = 3/2", "worst mechanism"])
