"""Matching the weights of two hypotheses: the paper's Algorithm 3, the cheapest matching, and the recipe for each."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from .. import checks
from ..composition import THEOREMS, compose_by
from ..guarantee import Guarantee
from .bits import Bits, as_bits, differing
from .hypothesis import Hypothesis, check_two
from .recipe import Matched, Recipe
from .rounds import Rounds, Sequence
from .transport import Margins

ORDERS = ("first", "last")
MATCHINGS = ("best", *ORDERS)
SAME_WEIGHT = 1e-12  # by how much the margins of a given matching may differ from the hypotheses

Atom = tuple[Bits, Fraction]


def refine(t0: Any, t1: Any, order: str = "first") -> list[Matched]:
    """Split the atoms of two laws into matched pairs of equal weight (HBW, Algorithm 3).

    `t0` and `t1` are hypotheses or lists of (vector, weight). The result is a list, not a set, and is exact: in floats
    the algorithm can run out of atoms on one side. `order` says which remaining atom is taken next on either side.
    """
    checks.choice("order", order, ORDERS)
    left = _atoms("t0", t0)
    right = _atoms("t1", t1)
    lengths = sorted({len(bits) for bits, _ in (*left, *right)})
    if len(lengths) != 1:
        raise ValueError(f"the vectors of t0 and t1 must have one length, not {lengths}")
    next_first = slice(None, None, -1) if order == "first" else slice(None)
    return _refine(left[next_first], right[next_first])


def _refine(left: list[Atom], right: list[Atom]) -> list[Matched]:
    """Match the atoms of two lists, each time the last ones; what is left of an atom is the next one."""
    pairs = []
    while left and right:
        b0, w0 = left.pop()
        b1, w1 = right.pop()
        weight = min(w0, w1)
        pairs.append(Matched(b0, b1, weight))
        if w0 > weight:  # an atom of weight zero would only produce empty pairs
            left.append((b0, w0 - weight))
        if w1 > weight:
            right.append((b1, w1 - weight))
    return pairs


def _atoms(name: str, atoms) -> list[Atom]:
    """Return vectors with exact weights that sum to one; the same vector may come several times."""
    listed = list(atoms.law.items()) if isinstance(atoms, Hypothesis) else _listed_atoms(name, atoms)
    weights = checks.law(f"the weights of {name}", [weight for _, weight in listed])
    exact = [Fraction(weight) for weight in weights]
    total = sum(exact)
    return [(bits, weight / total) for (bits, _), weight in zip(listed, exact, strict=True) if weight]


def _listed_atoms(name: str, atoms) -> list[tuple]:
    items = list(atoms) if np.iterable(atoms) else [None]
    if not all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
        raise ValueError(f"{name} must be a Hypothesis or a list of (vector, weight), not {checks.shorten(atoms)}")
    return [(as_bits(f"every vector of {name}", bits), weight) for bits, weight in items]


# ------------------------------------------------------------------------------------------------------ the recipe


def matching_bound(
    guarantees: Rounds,
    h0: Hypothesis,
    h1: Hypothesis,
    matching: Any = "best",
    theorem: str = "basic",
    delta: float | None = None,
) -> Recipe:
    """Apply the recipe to two hypotheses; the answer says whether it is a guarantee.

    `matching` is "best" (the transport problem: the least sum), "first" or "last" (Algorithm 3 in that order), or a
    list of (b0, b1, weight). Each matched pair is composed by basic composition, or by `theorem` at a total of `delta`.
    """
    rounds = Sequence(guarantees, check_two(h0, h1))
    price = Price(rounds, theorem, delta)
    matched = _matched(price, h0, h1, matching)
    parts = [price.between(pair.b0, pair.b1) for pair in matched]
    weights = [pair.weight for pair in matched]
    return Recipe(weights, parts, _single_vector(h0, h1), matched)


def _single_vector(h0: Hypothesis, h1: Hypothesis) -> int | None:
    """Return which of the two hypotheses is a single vector; None if both are mixtures."""
    if h0.is_point:
        return 0
    return 1 if h1.is_point else None


class Price:
    """What it costs to match two vectors: the composition, by a theorem, of the rounds in which they differ."""

    def __init__(self, rounds: Sequence, theorem: str, delta: float | None):
        self.rounds = rounds
        self.theorem = checks.choice("theorem", theorem, (*THEOREMS, "optimal"))
        self.delta = delta

    def between(self, b0: Bits, b1: Bits) -> Guarantee:
        """Compose the rounds in which two vectors differ; the others do not help the adversary."""
        chosen = [self.rounds.each[i].given for i in differing(b0, b1)]
        return compose_by(self.theorem, chosen, self.delta) if chosen else Guarantee(0, 0)

    def table(self, h0: Hypothesis, h1: Hypothesis) -> list[list[Guarantee]]:
        """Return the price of every vector of h0 (a row) and every vector of h1."""
        return [[self.between(b0, b1) for b1 in h1.law] for b0 in h0.law]


def _matched(price: Price, h0: Hypothesis, h1: Hypothesis, matching) -> list[Matched]:
    """Return the matching that was asked for."""
    if not isinstance(matching, str):
        return _given_matching(matching, h0, h1)
    if checks.choice("matching", matching, MATCHINGS) != "best":
        return refine(h0, h1, matching)
    if h0.counts is not None and h1.counts is not None and price.rounds.only is not None:
        h0 = _nested(h0)
        h1 = _nested(h1)
        if price.theorem == "basic":
            return refine(h0, h1)
    margins = Margins.of(h0.law.values(), h1.law.values())
    eps = np.array([[guarantee.epsilon for guarantee in row] for row in price.table(h0, h1)])
    return on_vectors(margins.cheapest(scaled(eps)), h0, h1)


def on_vectors(coupling: np.ndarray, h0: Hypothesis, h1: Hypothesis) -> list[Matched]:
    """Return a coupling of two hypotheses as matched vectors."""
    cells = [Matched(b0, b1, coupling[i, j]) for i, b0 in enumerate(h0.law) for j, b1 in enumerate(h1.law)]
    return [pair for pair in cells if pair.weight]


def scaled(eps: np.ndarray, sign: int = +1) -> np.ndarray:
    """Return e^eps (+1) or e^-eps (-1), shifted and scaled to [0, 1]: the best coupling is the same.

    An infinite eps becomes one far above the others, for the sake of the solver.
    """
    finite = np.isfinite(eps)
    low = np.min(eps[finite], initial=np.inf)
    high = np.max(eps[finite], initial=0.0)
    eps = np.minimum(eps, high + 10)
    if low >= high:
        return sign * (eps > high).astype(float)
    if sign > 0:
        return np.exp(eps - high) * (np.expm1(low - eps) / np.expm1(low - high))
    return np.exp(low - eps) * (np.expm1(eps - high) / np.expm1(low - high))


def _nested(h: Hypothesis) -> Hypothesis:
    """Return a law of the number of ones on one vector of each kind, each inside the next.

    The price of a pair grows with the number of differing bits, which is at least |i - j| for i and j ones; so the
    cheapest matching puts one vector inside the other, and one pair stands for all of its kind. For basic composition
    the price grows ever faster, and the cheapest matching is the one in order.
    """
    law = {(1,) * ones + (0,) * (h.k - ones): weight for ones, weight in enumerate(h.counts.tolist()) if weight}
    return Hypothesis.from_dict(law)


def _given_matching(matching: Iterable, h0: Hypothesis, h1: Hypothesis) -> list[Matched]:
    """Check that a matching has the two hypotheses as its margins."""
    try:
        listed = [Matched(as_bits("b0", b0), as_bits("b1", b1), Fraction(weight)) for b0, b1, weight in matching]
        if any(pair.weight < 0 for pair in listed):
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"matching must be one of {', '.join(map(repr, MATCHINGS))} or a list of (b0, b1, weight), "
            f"not {checks.shorten(matching)}"
        ) from None
    margins = {"h0": (_margin(listed, 0), h0.law), "h1": (_margin(listed, 1), h1.law)}
    for name, (margin, law) in margins.items():
        if any(abs(margin.get(bits, 0) - law.get(bits, 0)) > SAME_WEIGHT for bits in {*margin, *law}):
            raise ValueError(f"matching must give every vector of {name} its weight, not {checks.shorten(matching)}")
    return listed


def _margin(matched: list[Matched], side: int) -> dict[Bits, Fraction]:
    """Return the weight that a matching gives to each vector of one side."""
    margin: dict[Bits, Fraction] = {}
    for pair in matched:
        margin[pair[side]] = margin.get(pair[side], Fraction(0)) + pair.weight
    return margin
