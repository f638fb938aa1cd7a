r"""The paper's recipe for two hypotheses (HBW, section V-B), where it holds, and the bounds that always hold.

Match the weight of `h0` with the weight of `h1`: triples (b0, b1, w). In each triple only the rounds in which b0 and b1
differ count; composing them gives (eps_i, delta_i). The recipe then reads

    e^eps = sum_i w_i e^eps_i,      delta = sum_i w_i delta_i.

It bounds a mixture by a *single* vector. It bounds a single vector by a mixture only if no pair with a larger eps_i has
a smaller delta_i. With two composite hypotheses it is false, however good the matching (k = 2 suffices).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .. import checks
from ..composition import compose_by
from ..guarantee import Guarantee
from ..rounding import UNIT, up
from ..table import Table
from .exact import rounds_of
from .hypothesis import Bits, Hypothesis, as_bits, log_of

MOST_MATCHES = 40_000  # pairs of vectors; the transport problem has one variable for each
NARROW = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # the least the solver allows
ORDERS = ("first", "last")
MATCHINGS = ("best", *ORDERS)


class Matched(NamedTuple):
    """A pair of vectors, one from each hypothesis, and the weight that they share."""

    b0: Bits
    b1: Bits
    weight: Fraction


def refine(t0, t1, order: str = "first") -> list[Matched]:
    """Split the atoms of two laws into matched pairs of equal weight (HBW, Algorithm 3).

    `t0` and `t1` are hypotheses or lists of (vector, weight). The result is a list, not a set, and is exact: in floats
    the algorithm can run out of atoms on one side. `order` says which remaining atom is taken next on either side.
    """
    checks.choice("order", order, ORDERS)
    left, right = _atoms("t0", t0), _atoms("t1", t1)
    if len({len(b) for b, _ in (*left, *right)}) != 1:
        raise ValueError("the vectors of t0 and t1 must have one length, "
                         f"not {sorted({len(b) for b, _ in (*left, *right)})}")  # fmt: skip
    take = 0 if order == "first" else -1
    pairs = []
    while left and right:
        (b0, w0), (b1, w1) = left.pop(take), right.pop(take)
        w = min(w0, w1)
        pairs.append(Matched(b0, b1, w))
        for atoms, b, rest in ((left, b0, w0 - w), (right, b1, w1 - w)):
            if rest:  # an atom of weight zero would only produce empty pairs
                atoms.insert(0 if order == "first" else len(atoms), (b, rest))
    return pairs


def matching_bound(
    guarantees, h0: Hypothesis, h1: Hypothesis, matching="best", theorem: str = "basic", delta: float | None = None
) -> Recipe:
    """Apply the recipe to two hypotheses; the answer says whether it is a guarantee.

    `matching` is "best" (the transport problem: the least sum), "first" or "last" (Algorithm 3 in that order), or a
    list of (b0, b1, weight). Each matched pair is composed by basic composition, or by `theorem` at a total of `delta`.
    """
    rounds = rounds_of(guarantees, _same_length(h0, h1))
    matched = _matched(rounds, h0, h1, matching, theorem, delta)
    told = [_between(rounds, b0, b1, theorem, delta) for b0, b1, _ in matched]
    weights = [w for _, _, w in matched]
    return Recipe(weights, told, point=0 if h0.is_point else 1 if h1.is_point else None, matched=matched)


class Recipe:
    """What the recipe says, and whether it is a guarantee.

    `epsilon` and `delta` are the recipe's numbers. `valid` says in which directions they hold: "pq" bounds the first
    hypothesis by the second, "qp" the second by the first. `guarantee` refuses where one fails; `corrected` holds in
    both directions when one hypothesis is a single vector.
    """

    def __init__(self, weights, parts: list[Guarantee], point: int | None, matched: list[Matched] | None = None):
        self.weights, self.parts, self.point, self.matched = list(weights), parts, point, matched
        self.epsilon = _log_mean(self.weights, [float(g.epsilon) for g in parts])
        self.delta = up(math.fsum(float(w) * float(g.delta) for w, g in zip(self.weights, parts, strict=True)))

    @property
    def reverse(self) -> Guarantee:
        """The right bound of a single vector by a mixture.

        e^-eps = A = sum w_i e^-eps_i,  delta = sum w_i e^-eps_i delta_i / A.
        """
        eps = -_log_mean(self.weights, [-float(g.epsilon) for g in self.parts], rounding=-1)
        if eps == math.inf:
            return Guarantee(math.inf, max(g.delta for g in self.parts))
        parts = [
            (eps - float(g.epsilon) + log_of(w), float(g.delta)) for w, g in zip(self.weights, self.parts, strict=True)
        ]
        mean = math.fsum(math.exp(x) * (1 + 8 * UNIT * (eps - x)) * delta for x, delta in parts if x > -math.inf)
        return Guarantee(eps, min(up(mean), 1.0))

    @property
    def ordered(self) -> bool:
        """Whether no part with a larger epsilon has a smaller delta."""
        parts = sorted((float(g.epsilon), float(g.delta)) for g in self.parts)
        highest: dict[float, tuple[float, float]] = {}
        for eps, delta in parts:
            low, high = highest.get(eps, (delta, delta))
            highest[eps] = min(low, delta), max(high, delta)
        steps = list(highest.values())
        return all(high <= low for (_, high), (low, _) in pairwise(steps))

    @property
    def valid(self) -> dict[str, bool]:
        """In which directions the recipe's numbers are known to hold."""
        same = len({float(g.epsilon) for g in self.parts}) == 1
        if self.point is None:
            return {"pq": same, "qp": same}
        of_point = self.ordered or same
        return {"pq": of_point, "qp": True} if self.point == 0 else {"pq": True, "qp": of_point}

    @property
    def reason(self) -> str:
        """Why the recipe holds or fails."""
        if all(self.valid.values()):
            return "it holds in both directions"
        if self.point is None:
            return "both hypotheses are composite, and the recipe is false for those"
        return "a pair with a larger epsilon has a smaller delta, so a single vector is not bounded by the mixture"

    @property
    def guarantee(self) -> Guarantee:
        """The recipe as a guarantee, where it is one."""
        if not all(self.valid.values()):
            raise ValueError(f"the recipe is no guarantee here: {self.reason}; use hypothesis_dp or coupling_bounds")
        return Guarantee(self.epsilon, min(self.delta, 1.0))

    @property
    def corrected(self) -> Guarantee:
        """The recipe's epsilon with a delta that holds in both directions, for a single vector and a mixture."""
        if self.point is None and not all(self.valid.values()):
            raise ValueError(
                "there is no correction for two composite hypotheses; use hypothesis_dp or coupling_bounds"
            )
        return Guarantee(self.epsilon, min(max(self.delta, float(self.reverse.delta)), 1.0))

    def __iter__(self):
        return iter((self.epsilon, self.delta))

    def __repr__(self) -> str:
        word = "a guarantee" if all(self.valid.values()) else "NOT a guarantee"
        return f"Recipe(epsilon={self.epsilon:.10g}, delta={self.delta:.10g}), {word}: {self.reason}"


@dataclass(frozen=True)
class CouplingBounds:
    """Bounds that hold for any two hypotheses, in both directions.

    - bottleneck: the largest matched eps_i, made as small as a matching can make it.
    - conditional: in each direction the smaller of two bounds, the largest mean of e^eps_i given the vector on the
      right, and 1 / the smallest mean of e^-eps_i given the vector on the left.
    - product: the mean of e^eps over all pairs of vectors, drawn independently.
    """

    bottleneck: Guarantee
    conditional: Guarantee
    product: Guarantee

    def table(self) -> Table:
        """Return the bounds as a table."""
        rows = [
            (name, float(g.epsilon), math.exp(min(g.epsilon, 700)), float(g.delta)) for name, g in vars(self).items()
        ]
        return Table(rows, ["bound", "epsilon", "e^epsilon", "delta"])


def coupling_bounds(
    guarantees, h0: Hypothesis, h1: Hypothesis, theorem: str = "basic", delta: float | None = None
) -> CouplingBounds:
    """Return the bounds by matching that hold for any two hypotheses; the best matchings are linear programs."""
    rounds = rounds_of(guarantees, _same_length(h0, h1))
    grid = _Grid(rounds, h0, h1, theorem, delta)
    bottleneck = grid.bottleneck()
    if bottleneck.epsilon == math.inf:
        return CouplingBounds(bottleneck, bottleneck, grid.product())
    sides = ((side.arithmetic(), side.harmonic(), bottleneck) for side in (grid, grid.swapped()))
    one, two = (min(bounds, key=lambda g: (g.delta >= 1, *g)) for bounds in sides)
    return CouplingBounds(bottleneck, _weaker(one, two), grid.product())


class _Grid:
    """All pairs of vectors with their (eps, delta), and the couplings of the two laws."""

    def __init__(self, rounds, h0: Hypothesis, h1: Hypothesis, theorem: str, delta):
        self.p, self.q = ([Fraction(w) for w in h.law.values()] for h in (h0, h1))
        self.p, self.q = ([w / total for w in law] for law, total in ((self.p, sum(self.p)), (self.q, sum(self.q))))
        if len(self.p) * len(self.q) > MOST_MATCHES:
            raise ValueError(f"h0 and h1 must have at most {MOST_MATCHES} pairs of vectors for a matching; "
                             f"these have {len(self.p)} * {len(self.q)}")  # fmt: skip
        told = [[_between(rounds, a, b, theorem, delta) for b in h1.law] for a in h0.law]
        self.eps, self.delta = (np.array([[float(tuple(g)[i]) for g in row] for row in told]) for i in (0, 1))
        self.vectors = list(h0.law), list(h1.law)

    def swapped(self) -> _Grid:
        """Return the same grid seen from the second hypothesis."""
        other = object.__new__(_Grid)
        other.p, other.q, other.eps, other.delta = self.q, self.p, self.eps.T, self.delta.T
        other.vectors = self.vectors[::-1]
        return other

    def cheapest(self, cost: np.ndarray) -> np.ndarray:
        """Solve the transport problem; the answer is exact, because a vertex's support is a forest."""
        solved = _linear_program(self, cost)
        coupling = _on_forest(solved > 1e-10, self.p, self.q)
        return _as_coupling(solved, self.p, self.q) if coupling is None else coupling

    def best(self) -> np.ndarray:
        """Return the coupling with the least mean of e^eps."""
        return self.cheapest(self.scaled(+1))

    def scaled(self, sign: int) -> np.ndarray:
        """Return e^eps (+1) or e^-eps (-1), shifted and scaled to [0, 1]: the best coupling is the same.

        An infinite eps becomes one far above the others, for the sake of the solver.
        """
        low, high = (f(self.eps[np.isfinite(self.eps)], initial=e) for f, e in ((np.min, math.inf), (np.max, 0.0)))
        eps = np.minimum(self.eps, high + 10)
        if low >= high:
            return sign * (eps > high).astype(float)
        if sign > 0:
            return np.exp(eps - high) * (np.expm1(low - eps) / np.expm1(low - high))
        return np.exp(low - eps) * (np.expm1(eps - high) / np.expm1(low - high))

    def bottleneck(self) -> Guarantee:
        """Return the least eps such that pairs up to it can carry all the weight."""
        values = np.unique(self.eps)
        low, high = 0, len(values) - 1
        while low < high:
            middle = (low + high) // 2
            blocked = self.cheapest((self.eps > values[middle]).astype(float))[self.eps > values[middle]]
            low, high = (middle + 1, high) if sum(blocked) > 0 else (low, middle)
        coupling = self.cheapest((self.eps > values[low]).astype(float))
        return Guarantee(values[low], _mean(coupling, self.delta))

    def arithmetic(self) -> Guarantee:
        """Return the least max over b1 of the mean of e^eps given b1; delta is its mean."""
        coupling = _as_coupling(_min_max(self, self.scaled(+1)), self.p, self.q)
        means = [_log_mean(part / w, eps) for part, w, eps in zip(coupling.T, self.q, self.eps.T, strict=True)]
        return Guarantee(max(means), _mean(coupling, self.delta))

    def harmonic(self) -> Guarantee:
        """Return the least 1 / min over b0 of the mean of e^-eps given b0, with its delta."""
        coupling = _as_coupling(_min_max(self.swapped(), -self.scaled(-1).T).T, self.p, self.q)
        rows = zip(coupling, self.p, -self.eps, strict=True)
        eps = max(-_log_mean(part / w, values, rounding=-1) for part, w, values in rows)
        delta = _mean(coupling, np.exp(np.minimum(eps - self.eps, 700)) * self.delta) if eps < math.inf else 1.0
        return Guarantee(eps, min(up(delta * (1 + 4 * UNIT * eps)), 1.0) if delta else 0.0)

    def product(self) -> Guarantee:
        """Return the mean of e^eps over independent vectors, with the largest delta."""
        return Guarantee(_log_mean(np.multiply.outer(self.p, self.q).ravel(), self.eps.ravel()), np.max(self.delta))


# ---------------------------------------------------------------------------------------------- one step each


def _atoms(name: str, atoms) -> list[tuple[Bits, Fraction]]:
    """Return vectors with exact weights that sum to one; the same vector may come several times."""
    if isinstance(atoms, Hypothesis):
        listed = list(atoms.law.items())
    else:
        items = list(atoms) if np.iterable(atoms) else [None]
        if not all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
            raise ValueError(f"{name} must be a Hypothesis or a list of (vector, weight), not {checks.shorten(atoms)}")
        listed = [(as_bits(f"every vector of {name}", b), w) for b, w in items]
    weights = checks.law(f"the weights of {name}", [w for _, w in listed])
    exact = [Fraction(w) for w in weights]
    total = sum(exact)
    return [(b, w / total) for (b, _), w in zip(listed, exact, strict=True) if w]


def _same_length(h0: Hypothesis, h1: Hypothesis) -> int:
    for name, h in (("h0", h0), ("h1", h1)):
        if not isinstance(h, Hypothesis):
            raise ValueError(f"{name} must be a Hypothesis, such as Hypothesis.point('010'), not {checks.shorten(h)}")
    if h0.k != h1.k:
        raise ValueError(f"h1 must be about as many rounds as h0 ({h0.k}), not {h1.k}")
    return h0.k


def _between(rounds: list, b0: Bits, b1: Bits, theorem: str, delta) -> Guarantee:
    """Compose the rounds in which two vectors differ; the others do not help the adversary."""
    differ = [g for g, a, b in zip(rounds, b0, b1, strict=True) if a != b]
    return compose_by(theorem, differ, delta) if differ else Guarantee(0, 0)


def _matched(rounds: list, h0: Hypothesis, h1: Hypothesis, matching, theorem: str, delta) -> list[Matched]:
    if not isinstance(matching, str):
        return _given_matching(matching, h0, h1)
    if checks.choice("matching", matching, MATCHINGS) != "best":
        return refine(h0, h1, matching)
    if h0.counts is not None and h1.counts is not None and len(set(rounds)) == 1:
        h0, h1 = _nested(h0), _nested(h1)
        if theorem == "basic":
            return refine(h0, h1)
    grid = _Grid(rounds, h0, h1, theorem, delta)
    coupling = grid.best()
    pairs = [(a, b, coupling[i, j]) for i, a in enumerate(h0.law) for j, b in enumerate(h1.law)]
    return [Matched(a, b, w) for a, b, w in pairs if w]


def _nested(h: Hypothesis) -> Hypothesis:
    """Return a law of the number of ones on one vector of each kind, each inside the next.

    The price of a pair grows with the number of differing bits, which is at least |i - j| for i and j ones; so the
    cheapest matching puts one vector inside the other, and one pair stands for all of its kind. For basic composition
    the price grows ever faster, and the cheapest matching is the one in order.
    """
    return Hypothesis.from_dict({(1,) * j + (0,) * (h.k - j): w for j, w in enumerate(h.counts.tolist()) if w})


def _given_matching(matching: Iterable, h0: Hypothesis, h1: Hypothesis) -> list[Matched]:
    """Check that a matching has the two hypotheses as its margins."""
    try:
        listed = [Matched(as_bits("b0", a), as_bits("b1", b), Fraction(w)) for a, b, w in matching]
        if any(pair.weight < 0 for pair in listed):
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"matching must be one of {', '.join(map(repr, MATCHINGS))} or a list of (b0, b1, weight), "
            f"not {checks.shorten(matching)}"
        ) from None
    for side, (name, h) in enumerate((("h0", h0), ("h1", h1))):
        margin: dict = {}
        for pair in listed:
            margin[pair[side]] = margin.get(pair[side], 0) + pair.weight
        if any(abs(margin.get(b, 0) - h.law.get(b, 0)) > 1e-12 for b in {*margin, *h.law}):
            raise ValueError(f"matching must give every vector of {name} its weight, not {checks.shorten(matching)}")
    return listed


def _linear_program(grid: _Grid, cost: np.ndarray) -> np.ndarray:
    from scipy.optimize import linprog

    A, b = _margins(grid)
    return _solution(grid, linprog(cost.ravel(), A_eq=A, b_eq=b, method="highs-ds", options=NARROW))


def _solution(grid: _Grid, answer) -> np.ndarray:
    """Return the solver's coupling; the independent one where it gives up, because weights are too small for it."""
    n, m = len(grid.p), len(grid.q)
    return np.multiply.outer(grid.p, grid.q).astype(float) if answer.x is None else answer.x[: n * m].reshape(n, m)


def _min_max(grid: _Grid, cost: np.ndarray) -> np.ndarray:
    """Return the coupling that makes the largest conditional mean of the cost given a column smallest."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack, vstack

    A, b = _margins(grid)
    n, m = cost.shape
    rows = [csr_array((cost[:, j], (np.zeros(n, int), np.arange(n) * m + j)), shape=(1, n * m)) for j in range(m)]
    bound = hstack([vstack(rows), csr_array(-np.array([[float(w)] for w in grid.q]))])
    objective = np.append(np.zeros(n * m), 1.0)
    A = hstack([A, csr_array((A.shape[0], 1))])
    limits = [(0, None)] * (n * m) + [(None, None)]
    answer = linprog(
        objective, A_ub=bound, b_ub=np.zeros(m), A_eq=A, b_eq=b, bounds=limits, method="highs-ds", options=NARROW
    )
    return _solution(grid, answer)


def _margins(grid: _Grid):
    """Return the equations that make a matrix a coupling: its row and column sums."""
    from scipy.sparse import eye_array, kron, vstack

    n, m = len(grid.p), len(grid.q)
    A = vstack([kron(eye_array(n), np.ones((1, m))), kron(np.ones((1, n)), eye_array(m))]).tocsr()
    return A[:-1], np.array([float(w) for w in [*grid.p, *grid.q]])[:-1]  # the last equation follows from the others


def _on_forest(used: np.ndarray, p: list[Fraction], q: list[Fraction]) -> np.ndarray:
    """Return the exact coupling on a forest of pairs: a vertex with one neighbour left sends it all its weight.

    None if the pairs are no forest or carry no coupling, because weights were too small for the solver.
    """
    edges = {(i, j) for i, j in np.argwhere(used).tolist()}
    rows, columns = list(p), list(q)
    coupling = np.full(used.shape, Fraction(0), dtype=object)
    while edges:
        degree: dict = {}
        for i, j in edges:
            degree[0, i] = degree.get((0, i), 0) + 1
            degree[1, j] = degree.get((1, j), 0) + 1
        leaves = [(i, j) for i, j in edges if 1 in (degree[0, i], degree[1, j])]
        if not leaves:
            return None
        i, j = min(leaves)
        weight = rows[i] if degree[0, i] == 1 else columns[j]
        coupling[i, j], rows[i], columns[j] = weight, rows[i] - weight, columns[j] - weight
        edges.remove((i, j))
    return None if any(rows) or any(columns) or coupling.min() < 0 else coupling


def _as_coupling(matrix: np.ndarray, p: list[Fraction], q: list[Fraction]) -> np.ndarray:
    """Return an exact coupling next to a nearly feasible matrix: shrink what is too much, spread what is missing."""
    exact = np.array([[Fraction(max(x, 0.0)) for x in row] for row in matrix], dtype=object)
    for law, sums in ((p, exact.sum(axis=1)), (q, None)):
        if sums is None:
            sums = exact.sum(axis=0)
        shrink = np.array([min(Fraction(1), w / s) if s else Fraction(1) for w, s in zip(law, sums, strict=True)])
        exact = exact * (shrink[:, None] if law is p else shrink)
    rest_p, rest_q = np.array(p) - exact.sum(axis=1), np.array(q) - exact.sum(axis=0)
    missing = rest_p.sum()
    return exact + np.multiply.outer(rest_p, rest_q) / missing if missing else exact


def _mean(coupling: np.ndarray, values: np.ndarray) -> float:
    """Return the mean of values under a coupling, rounded up."""
    pairs = zip(coupling.ravel(), values.ravel(), strict=True)
    return min(up(math.fsum(float(w) * x for w, x in pairs if w)), math.inf)


def _weaker(one: Guarantee, two: Guarantee) -> Guarantee:
    """Return a guarantee that is weaker than both."""
    return Guarantee(max(one.epsilon, two.epsilon), max(one.delta, two.delta))


def _log_mean(weights: Iterable[Fraction], values: Iterable[float], rounding: int = +1) -> float:
    """Return the log of the mean of e^x, rounded up (+1) or down (-1), for values x of one sign."""
    atoms = [(w, float(x)) for w, x in zip(weights, values, strict=True) if w]
    if all(abs(x) < 1 for _, x in atoms):
        mean = math.log1p(math.fsum(float(w) * math.expm1(x) for w, x in atoms))
        return mean + rounding * 16 * UNIT * abs(mean)
    logs = [log_of(w) + x for w, x in atoms]
    largest = max(logs)
    if not math.isfinite(largest):
        return largest
    size = max(abs(log_of(w)) + abs(x) for w, x in atoms if math.isfinite(x))
    return largest + math.log(math.fsum(math.exp(x - largest) for x in logs)) + rounding * 16 * UNIT * size
