"""A second way for the composition experiment: every bit vector, every view, every adversary, one by one.

A round is a table (law under bit 0, law under bit 1). A hypothesis is a dictionary from bit vectors to weights. An
adaptive adversary is a dictionary from views to tables. All of it in fractions, and without `dpteach.experiment`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp

from . import basics as reference
from .basics import DIGITS

Bits = tuple[int, ...]
Law = Mapping[Bits, Fraction]
Round = tuple[Sequence, Sequence]
Tree = Mapping[tuple, Round]


# ------------------------------------------------------------------------------------------------------ hypotheses


def vectors(k: int) -> list[Bits]:
    """List all bit vectors of length k."""
    return list(product((0, 1), repeat=k))


def bits(text: str) -> Bits:
    """Return a vector written as "0110"."""
    return tuple(map(int, text))


def uniform(chosen: Iterable[Bits]) -> dict[Bits, Fraction]:
    """Return the uniform law on some vectors."""
    chosen = list(chosen)
    return {b: Fraction(1, len(chosen)) for b in chosen}


def random_hypothesis(rng: np.random.Generator, k: int, atoms: int | None = None) -> dict[Bits, Fraction]:
    """Draw a law on the bit vectors of length k with at most so many atoms."""
    everything = vectors(k)
    atoms = int(rng.integers(1, len(everything) + 1)) if atoms is None else min(atoms, len(everything))
    chosen = sorted(rng.choice(len(everything), atoms, replace=False).tolist())
    weights = reference.random_law(rng, atoms)
    return {everything[i]: w for i, w in zip(chosen, weights, strict=True) if w}


# ---------------------------------------------------------------------------------------- rounds fixed in advance


def views(rounds: Sequence[Round], vector: Bits) -> list:
    """Return the probabilities of all tuples of answers under a vector."""
    return [math.prod(atoms) for atoms in product(*(table[b] for table, b in zip(rounds, vector, strict=True)))]


def mixed_views(rounds: Sequence[Round], law: Law) -> list:
    """Return the probabilities of all tuples of answers when the vector is drawn first."""
    listed = [(w, views(rounds, b)) for b, w in law.items()]
    return [sum(w * atoms[i] for w, atoms in listed) for i in range(len(listed[0][1]))]


def mixed_pair(rounds: Sequence[Round], law0: Law, law1: Law) -> tuple[list, list]:
    """Return the laws of the answers under two hypotheses."""
    return mixed_views(rounds, law0), mixed_views(rounds, law1)


@mp.workdps(DIGITS)
def least_ratio(p: Sequence, q: Sequence, delta=0):
    """Return the smallest ratio >= 1 with P(S) <= ratio Q(S) + delta for all S, inf if there is none.

    The best event at one ratio asks for a larger one, until none does (Dinkelbach); nothing is sorted.
    """
    ratio, rows = Fraction(1), list(zip(p, q, strict=True))
    while True:
        P, Q = (sum(column) for column in zip((0, 0), *((a, b) for a, b in rows if a > ratio * b), strict=True))
        if P - ratio * Q <= delta:
            return ratio
        larger = (P - delta) / Q if Q else math.inf
        if larger <= ratio or Q == 0:
            return larger
        ratio = larger


def least_ratio_both(p: Sequence, q: Sequence, delta=0):
    """Return the smallest ratio that does for both orders."""
    return max(least_ratio(p, q, delta), least_ratio(q, p, delta))


def worst_round(ratio, delta=0) -> Round:
    """Return the worst table of a guarantee (log ratio, delta), without answers that never come."""
    p, q = reference.worst_pair(Fraction(ratio), Fraction(delta))
    return (p, q) if delta else (p[1:3], q[1:3])


def random_round(rng: np.random.Generator, ratio, delta=0, answers: int = 3) -> Round:
    """Draw a table that is (log ratio, delta)-private: the worst pair, one answer in five replaced at random."""
    noise = reference.random_map(rng, 4, answers)
    keep = [[(4 * (j == i * answers // 4) + x) / 5 for j, x in enumerate(row)] for i, row in enumerate(noise)]
    p, q = (reference.push(law, keep) for law in reference.worst_pair(ratio, delta))
    return p, q


@mp.workdps(DIGITS)
def count_law(k: int, eps, weights: Sequence) -> list:
    """Return the law of the number of ones among k randomized responses when j of the bits are ones, j ~ weights.

    For each j the number is a sum of two binomials: true ones that show as ones, and zeros that do not.
    """
    right = 1 / (1 + mp.exp(-mp.mpf(eps)))
    law = [mp.mpf(0)] * (k + 1)
    for j, w in enumerate(weights):
        if w:
            ones, zeros = _binomial(j, right), _binomial(k - j, 1 - right)
            for a, b in product(range(j + 1), range(k - j + 1)):
                law[a + b] += mp.mpf(w.numerator) / w.denominator * ones[a] * zeros[b]
    return law


def _binomial(n: int, p) -> list:
    return [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]


# ------------------------------------------------------------------------------------------- adaptive adversaries


def histories(k: int, answers: int = 2) -> list[tuple]:
    """List all views that an adversary may have before its last move."""
    return [view for i in range(k) for view in product(range(answers), repeat=i)]


def trees(moves: Sequence[Round], k: int, answers: int = 2) -> Iterator[dict]:
    """Yield every deterministic adversary: one move for each view so far."""
    before = histories(k, answers)
    for chosen in product(moves, repeat=len(before)):
        yield dict(zip(before, chosen, strict=True))


def random_tree(rng: np.random.Generator, k: int, parts: Sequence[tuple], answers: int = 3) -> dict:
    """Draw an adaptive adversary; its move in round i is (log ratio, delta)-private for parts[i] = (ratio, delta)."""
    return {view: random_round(rng, *parts[len(view)], answers) for view in histories(k, answers)}


def tree_law(tree: Tree, vector: Bits) -> dict[tuple, Fraction]:
    """Return the probability of every view of an adversary under a vector, by recursion over the rounds."""
    if not vector:
        return {(): Fraction(1)}
    law = {}
    for view, weight in tree_law(tree, vector[:-1]).items():
        for answer, chance in enumerate(tree[view][vector[-1]]):
            law[(*view, answer)] = weight * chance
    return law


def tree_pair(tree: Tree, law0: Law, law1: Law) -> tuple[list, list]:
    """Return the laws of the view of an adversary under two hypotheses."""
    single = {b: tree_law(tree, b) for b in {*law0, *law1}}
    seen = next(iter(single.values()))
    p, q = ([sum(w * single[b][view] for b, w in law.items()) for view in seen] for law in (law0, law1))
    return p, q


def largest_excess(moves: Sequence[Round], law0: Law, law1: Law, ratio) -> Fraction:
    """Return the largest hockey stick that any adaptive adversary with these moves of two answers reaches.

    By dynamic programming over the rounds; what is remembered is the likelihood of the answers under each vector.
    Everything is a whole number until the end.
    """
    everything, k = list({**law0, **law1}), len(next(iter(law0)))
    scale = math.lcm(*(x.denominator for move in moves for law in move for x in law))
    moves = [[[int(x * scale) for x in law] for law in move] for move in moves]
    signs = [Fraction(law0.get(b, 0) - ratio * law1.get(b, 0)) for b in everything]
    unit = math.lcm(*(s.denominator for s in signs))
    signs = [int(s * unit) for s in signs]

    def best(i: int, likelihoods: list[int]) -> int:
        if i == k:
            return max(sum(s * x for s, x in zip(signs, likelihoods, strict=True)), 0)
        column = [b[i] for b in everything]
        after = [[[x * move[b][y] for b, x in zip(column, likelihoods, strict=True)] for y in (0, 1)] for move in moves]
        return max(sum(best(i + 1, later) for later in answers) for answers in after)

    return Fraction(best(0, [1] * len(everything)), scale**k * unit)


# ------------------------------------------------------------------------------------------- Algorithm 3, to the letter


def refine_as_printed(law0: Mapping, law1: Mapping, last: bool = False) -> tuple[list, list, int]:
    """Run Algorithm 3 as it stands, zero weights and all; return U0 and U1 as lists, and the number of iterations.

    `last` takes from the end of either list instead of its beginning; what is put back goes to the same place.
    Weights may be fractions or floats. An IndexError says that one side ran out of atoms.
    """
    t0, t1, u0, u1, at = list(law0.items()), list(law1.items()), [], [], -1 if last else 0
    while t0:
        (b0, w0), (b1, w1) = t0.pop(at), t1.pop(at)
        w = w0 if w0 <= w1 else w1
        u0.append((b0, w))
        u1.append((b1, w))
        side, rest = (t1, (b1, w1 - w0)) if w0 <= w1 else (t0, (b0, w0 - w1))
        side.insert(len(side) if last else 0, rest)
    return u0, u1, len(u0)
