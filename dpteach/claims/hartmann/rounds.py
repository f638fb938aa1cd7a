"""What the files on HBW share: rounds played by their worst pair, laws of bit vectors, and both by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from ... import Guarantee, Pair, mechanisms
from ...experiment import (
    Hypothesis,
    hypothesis_dp,
    run_experiment,
)
from ..entries import ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.experiment import bits

TENTH = Fraction(1, 10)
MOVES = [
    tuple([Fraction(x, 12), 1 - Fraction(x, 12)] for x in pair)
    for pair in ((9, 3), (3, 9), (6, 2), (2, 6), (6, 10), (10, 6), (6, 6), (8, 4))
]  # eight (ln 3, 0)-private tables with two answers; the first two are randomized response, either way round
MIXED = ((2, TENTH), (3, TENTH / 2), (Fraction(3, 2), 0))  # e^eps and delta of three different rounds


def coins(ratio, k: int) -> list:
    """Return k rounds of randomized response."""
    return [brute.worst_round(ratio)] * k


def worst_rounds(parts: Sequence[tuple]) -> tuple[list, list[Pair]]:
    """Return the worst table of each guarantee (e^eps, delta), by hand and from the library."""
    by_hand = [brute.worst_round(*part) for part in parts]
    return by_hand, [mechanisms.randomized_response(ratio=Fraction(r), delta=Fraction(d)) for r, d in parts]


def point(text: str) -> dict:
    """Return the hypothesis that holds one vector only."""
    return {bits(text): Fraction(1)}


def curve(rounds, law0: Mapping, law1: Mapping):
    """Ask the library how well two laws on vectors are told apart."""
    return hypothesis_dp(rounds, Hypothesis.from_dict(law0), Hypothesis.from_dict(law1))


def player(tree: Mapping):
    """Return the adversary of a decision tree, as the library wants it, and its mechanisms for every round."""
    pairs = {view: Pair(*table) for view, table in tree.items()}
    rounds = max(map(len, tree)) + 1
    return pairs.__getitem__, [[pair for view, pair in pairs.items() if len(view) == i] for i in range(rounds)]


def run_it_and_count(tree: Mapping, secret, runs: int = 1200) -> None:
    """Run the experiment many times, and compare the frequencies of the views with their probabilities."""
    adversary, classes = player(tree)
    vector = (secret,) * len(classes) if isinstance(secret, int) else bits(secret)
    rng, law = np.random.default_rng(2), brute.tree_law(tree, vector)
    seen = Counter(run_experiment(adversary, classes, secret, rng) for _ in range(runs))
    ensure(set(seen) <= set(law), "only possible views")
    ensure(all(abs(seen[v] / runs - w) < 2.5 / math.sqrt(runs) for v, w in law.items()), "five standard deviations")


def reference_ratio(p: Sequence, q: Sequence):
    """Return the largest likelihood ratio, either way round."""
    return max(max(a / b, b / a) for a, b in zip(p, q, strict=True))


def shares(k: int, possible: Sequence[int]) -> list[Fraction]:
    """Return the law of the number of ones when all vectors with so many ones are equally likely."""
    ways = [math.comb(k, j) if j in possible else 0 for j in range(k + 1)]
    return [Fraction(w, sum(ways)) for w in ways]


HALF = Fraction(1, 2)
HOSPITALS = (
    [Guarantee(0.02)] * 200 + [Guarantee(0.01)] * 300 + [Guarantee(0.005)] * 500
)  # a thousand different hospitals


def promises(parts: Iterable[tuple]) -> list[Guarantee]:
    """Return (e^eps, delta) one by one as guarantees."""
    return [Guarantee(math.log(x), float(d)) for x, d in parts]


def worst_pairs(parts: Iterable[tuple]) -> list[Pair]:
    """Return the exact worst pairs of the library for (e^eps, delta) one by one."""
    return [mechanisms.randomized_response(ratio=x, delta=d) for x, d in parts]


def exact_pair(parts: Iterable[tuple], law0: brute.Law, law1: brute.Law) -> tuple[list, list]:
    """Return the laws of all views under two laws on vectors, for the worst pairs of (e^eps, delta) one by one."""
    return brute.mixed_pair([table(x, d) for x, d in parts], law0, law1)


def table(ratio, delta=0) -> brute.Round:
    """Return the worst pair of (log ratio, delta): four answers, or two if delta is 0."""
    p, q = reference.worst_pair(ratio, delta)
    return (p, q) if delta else (p[1:3], q[1:3])


def somewhere_or_nowhere(parts: Sequence[tuple]) -> tuple[list, list]:
    """Return the laws of all views under the uniform law on all vectors but 00...0, and under 00...0."""
    everything = brute.vectors(len(parts))
    return exact_pair(parts, brute.uniform(everything[1:]), {everything[0]: Fraction(1)})


def random_parts(rng: np.random.Generator, k: int, most: int = 20) -> list[tuple]:
    """Draw k rounds (e^eps, delta), with delta up to `most` percent."""
    return [(1 + Fraction(int(rng.integers(1, 30)), 10), Fraction(int(rng.integers(most + 1)), 100)) for _ in range(k)]


def keeps(p: Sequence, q: Sequence, told: Guarantee) -> bool:
    """Say whether P(S) <= e^eps Q(S) + delta for all S, in fractions."""
    eps, delta = told
    return reference.hockey_stick(p, q, Fraction(math.exp(eps))) <= Fraction(delta) + Fraction(1, 10**15)


def distance(x: Sequence[int], y: Sequence[int]) -> int:
    """Return in how many records two multisets differ."""
    return sum(abs(a - b) for a, b in zip(x, y, strict=True))


def noisy_count(ratio, count: int, most: int) -> list[Fraction]:
    """Return the law of a count with geometric noise, clipped to 0..most: the two ends collect what lies beyond."""
    decay = Fraction(1, ratio)
    inner = [decay ** abs(y - count) * (1 - decay) / (1 + decay) for y in range(1, most)]
    first, last = (decay**n / (1 + decay) for n in (count, most - count))
    return [first, *inner, last]
