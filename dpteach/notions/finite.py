"""Finite mechanisms: a law of outputs for every database of a class, and the exact loss between all pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from .. import checks
from ..granularity.comparison import fibres
from ..granularity.databases import Database, DatabaseClass, as_map, value_of
from ..granularity.extended import times
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class, as_graph, as_space
from ..pair import Pair
from ..worst_case import WorstCase
from .composition import Composed
from .measure import concentrated_loss, gaussian_loss, pure_loss
from .privacy import Approximate, MetricPrivacy
from .scaling import MOST_STEPS, coins

MEASURES = {"pure": pure_loss, "zero-concentrated": concentrated_loss, "Gaussian": gaussian_loss}
SLACK = 1e-9  # how far a float loss may exceed a float promise and still count as kept
MOST_CELLS = 2**21

Law = Mapping[Hashable, Fraction | float]


class FiniteMechanism:
    """A mechanism on a class: `laws` maps each database to {output: probability} (a function, a dictionary, a matrix).

    Exact if the probabilities are fractions. `M @ N` runs both independently, `M.adaptively(f)` lets the second depend
    on the first's output, `M.after(f, cls)` preprocesses, `M.then(kernel)` post-processes.

    >>> cls = DatabaseClass.multisets("a", at_most=1)
    >>> coin = FiniteMechanism(cls, [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
    >>> (coin @ coin).ratio("", "a")
    Fraction(4, 1)
    """

    def __init__(self, cls: DatabaseClass | Iterable, laws: Callable | Mapping | Iterable, outputs=None):
        self.cls = as_class(cls)
        self.outputs, self.table = _tabulate(self.cls, laws, outputs)

    @classmethod
    def _of(cls, domain: DatabaseClass, outputs: list, table: np.ndarray) -> FiniteMechanism:
        made = cls.__new__(cls)
        made.cls, made.outputs, made.table = domain, outputs, table
        return made

    # ------------------------------------------------------------------------------------------------ constructors

    @classmethod
    def attaining(cls, space: PrivacySpace, ratio=None) -> FiniteMechanism:
        """Return a mechanism whose loss is exactly the distance at all pairs at once, in units of log(ratio).

        Draw a database x0 uniformly and print (x0, 1) with probability ratio^-d(D, x0) / 2, else (x0, 0). The triangle
        inequality keeps all losses within d, and x0 = D' attains it. Exact for whole distances and an exact ratio; by
        default the ratio is e, and the losses are the distances.
        """
        if not as_space("space", space).is_metric:
            raise ValueError("space must satisfy the triangle inequality, else nothing attains it: take its closure()")
        _not_empty(space.cls)
        drawn = np.unique(np.argmax(space.matrix == 0, axis=1))  # one of those that have distance zero
        _check_cells(2 * len(drawn) * len(space))
        powers = _powers(space.matrix[:, drawn], ratio)
        share = Fraction(1, 2 * len(drawn)) if powers.dtype == object else 0.5 / len(drawn)
        outputs = [(space.databases[n], bit) for bit in (1, 0) for n in drawn]
        return cls._of(space.cls, outputs, np.concatenate([powers * share, (2 - powers) * share], axis=1))

    @classmethod
    def printing(cls, domain: DatabaseClass | Iterable, f: Callable = lambda D: D) -> FiniteMechanism:
        """Return the mechanism without any noise that prints f(D), by default D itself."""
        return cls(domain, lambda D: {value_of(as_map(f), D): Fraction(1)})

    @classmethod
    def noisy_count(cls, domain: DatabaseClass | Iterable, count: Callable = len, ratio=2) -> FiniteMechanism:
        """Return a count with geometric noise, cut off at the least and the largest possible count (Example IV.9).

        Counts one apart lose exactly log(ratio).
        """
        domain, ratio = _not_empty(as_class(domain)), _exact_ratio(ratio)
        values = [checks.count("count", as_map(count, "count")(D)) for D in domain]
        low, high = min(values), max(values)
        _check_cells(len(domain) * (high - low + 1))
        laws = {value: _geometric(value, low, high, ratio) for value in set(values)}
        return cls(domain, [laws[value] for value in values], range(low, high + 1))

    @classmethod
    def chain(cls, n: int, ratio, delta) -> FiniteMechanism:
        """Return n + 1 coins in a row, neighbours (log ratio, delta)-DP and the ends as different as that allows.

        The database is the number of steps 0, ..., n; see `group_delta`.
        """
        heads = coins(n, ratio, delta)
        return cls(range(len(heads)), [[p, 1 - p] for p in heads], ["heads", "tails"])

    @classmethod
    def random(cls, domain: DatabaseClass, outputs: int, rng: np.random.Generator, zeros=0.0) -> FiniteMechanism:
        """Return a mechanism of random exact laws; each output is impossible with probability `zeros`."""
        domain, rng, outputs = as_class(domain), checks.generator(rng), checks.count("outputs", outputs, low=1)
        zeros = checks.scalar("zeros", zeros, low=0, high=1)
        weights = rng.integers(1, 20, size=(len(domain), outputs)) * (rng.random((len(domain), outputs)) >= zeros)
        weights[weights.sum(axis=1) == 0, 0] = 1
        return cls(domain, [[Fraction(int(w), int(row.sum())) for w in row] for row in weights])

    # --------------------------------------------------------------------------------------------------- what it loses

    def law(self, D: Database) -> dict:
        """Return the law of the output on a database."""
        row = self.table[self.cls.index[self.cls.database(D)]]
        return dict(zip(self.outputs, row.tolist(), strict=True))

    def pair(self, D: Database, D2: Database) -> Pair:
        """Return the pair of laws on two databases."""
        return self._pair(*(self.cls.index[self.cls.database(x)] for x in (D, D2)))

    def _pair(self, i: int, j: int) -> Pair:
        return Pair._of(self.table[i], self.table[j], names=self.outputs)

    def ratio(self, D: Database, D2: Database, delta=0):
        """Return e^eps between two databases, exact for exact mechanisms."""
        return self.pair(D, D2).ratio(delta)

    def loss(self, D: Database, D2: Database, notion: str = "pure") -> float:
        """Return the eps ("pure"), rho ("zero-concentrated") or mu ("Gaussian") between two databases."""
        return _measure(notion)(self.pair(D, D2))

    def losses(self, notion: str = "pure") -> np.ndarray:
        """Return the loss between all pairs, as a matrix of floats in the order of the class; `ratios` are exact."""
        floats, measure = self.table.astype(float), _measure(notion)
        return self._for_all(lambda i, j: measure(Pair._of(floats[i], floats[j], self._gain(i, j))), float)

    def _gain(self, i: int, j: int) -> np.ndarray:
        """Return log(P/Q), -inf where P = 0."""
        with np.errstate(invalid="ignore"):
            return np.where(np.isneginf(self._logs[i]), -np.inf, self._logs[i] - self._logs[j])

    @cached_property
    def _logs(self) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.table) if self.table.dtype != object else np.vectorize(_log, otypes=[float])(self.table)

    @cached_property
    def ratios(self) -> np.ndarray:
        """The exact e^eps between all pairs, as a matrix (of fractions, if the mechanism is exact)."""
        return self._for_all(lambda i, j: max(self._largest_ratio(i, j), self._largest_ratio(j, i)), object)

    def _largest_ratio(self, i: int, j: int):
        """Return the largest P/Q; floats find the candidates, which are then compared exactly."""
        gain = self._gain(i, j)
        if gain.max() == np.inf:
            return math.inf
        near = np.flatnonzero(gain >= gain.max() - SLACK)
        return max(p / q for p, q in set(zip(self.table[i, near].tolist(), self.table[j, near].tolist(), strict=True)))

    def deltas(self, eps=None, *, ratio=None) -> np.ndarray:
        """Return the delta of all pairs, P = row against Q = column; eps (or e^eps) may be a matrix too."""
        if (eps is None) == (ratio is None):
            raise ValueError("deltas needs exactly one of eps and ratio")
        name, given = ("eps", eps) if ratio is None else ("ratio", ratio)
        if checks.real(name, given, low=0).shape not in ((), (len(self.cls),) * 2):
            raise ValueError(
                f"{name} must be a number or a matrix of {len(self.cls)} rows, not {checks.shorten(given)}"
            )
        given = np.broadcast_to(np.asarray(given, dtype=object), (len(self.cls),) * 2)
        ask = (lambda e: {"eps": float(e)}) if ratio is None else (lambda e: {"ratio": e})
        answers = np.zeros((len(self.cls),) * 2, dtype=object)
        for i, j in product(range(len(self.cls)), repeat=2):
            answers[i, j] = _delta(self._pair(i, j), **ask(given[i, j]))
        return answers

    def _for_all(self, ask: Callable[[int, int], float], dtype) -> np.ndarray:
        answers = np.zeros((len(self.cls),) * 2, dtype=dtype)
        known: dict = {}
        for i in range(len(self.cls)):
            for j in range(i + 1):
                key = (id(self._rows[i]), id(self._rows[j]))
                if key not in known:
                    known[key] = ask(i, j)
                answers[i, j] = answers[j, i] = known[key]
        return answers

    @cached_property
    def _rows(self) -> list:
        """The laws, the same object where they are equal."""
        known: dict = {}
        return [known.setdefault(tuple(row.tolist()), row) for row in self.table]

    def worst_case(self, space: NeighbourSpace) -> WorstCase:
        """Return the pairs of all neighbours as one curve: `epsilon`, `delta`, `ratio`, or vacuous."""
        space = as_graph("space", space)
        if space.cls is not self.cls and space.cls != self.cls:
            raise ValueError(f"space must be on the class of the mechanism, {self.cls!r}, not on {space.cls!r}")
        return WorstCase({(self.cls.databases[i], self.cls.databases[j]): self._pair(i, j) for i, j in space.edges})

    def level(self, space: NeighbourSpace, notion: str = "pure"):
        """Return the eps, rho or mu that the mechanism really has for neighbours; vacuous if there are none."""
        return self.worst_case(space)._worst(_measure(notion))

    def keeps(self, promise: MetricPrivacy | Composed) -> bool:
        """Say whether the mechanism keeps a promise at all pairs."""
        return self.broken(promise) is None

    def broken(self, promise: MetricPrivacy | Composed) -> tuple[Database, Database] | None:
        """Return the pair of databases at which a promise is broken most, or None if it is kept."""
        promise = promise.promise if isinstance(promise, Composed) else promise
        if not isinstance(promise, MetricPrivacy) or (promise.cls is not self.cls and promise.cls != self.cls):
            raise ValueError(f"promise must be one about {self.cls!r}, such as Pure(space, eps), not {promise!r}")
        excess = self._excess(promise)
        i, j = np.unravel_index(int(np.argmax(excess)), excess.shape)
        return (self.cls.databases[i], self.cls.databases[j]) if excess[i, j] > SLACK else None

    def _excess(self, promise: MetricPrivacy) -> np.ndarray:
        if isinstance(promise, Approximate):
            return self.deltas(promise.matrix).astype(float) - promise.deltas
        promised, lost = promise.matrix, self.losses(promise.notion)
        with np.errstate(invalid="ignore"):
            return np.where(np.isinf(promised), 0.0, lost - promised)

    # ------------------------------------------------------------------------------------------ making others of it

    def __matmul__(self, other: FiniteMechanism) -> FiniteMechanism:
        """Run both independently and print both outputs."""
        if not isinstance(other, FiniteMechanism):
            return NotImplemented
        return self.adaptively(lambda _: other)

    def adaptively(self, second: Callable[[Hashable], FiniteMechanism]) -> FiniteMechanism:
        """Print y from this mechanism, then the output of second(y) on the same database (Definition V.1)."""
        follow = [as_map(second, "second")(y) for y in self.outputs]
        if not all(isinstance(m, FiniteMechanism) for m in follow):
            raise ValueError(f"second must return a FiniteMechanism for every output, not {checks.shorten(follow)}")
        if not all(m.cls is self.cls or m.cls == self.cls for m in follow):
            raise ValueError("both mechanisms must be on the same class; use M.after(f, cls) first")
        _check_cells(sum(len(m.outputs) for m in follow) * len(self.cls))
        outputs = [(y, z) for y, m in zip(self.outputs, follow, strict=True) for z in m.outputs]
        columns = [self.table[:, [n]] * m.table for n, m in enumerate(follow)]
        return FiniteMechanism._of(self.cls, outputs, np.concatenate(columns, axis=1))

    def after(self, f: Callable, cls: DatabaseClass | Iterable) -> FiniteMechanism:
        """Return the mechanism D -> M(f(D)) on another class (preprocessing)."""
        cls = as_class(cls)
        rows = [self.cls.index[self.cls.database(as_map(f)(D))] for D in cls]
        return FiniteMechanism._of(cls, self.outputs, self.table[rows])

    def then(self, kernel: Callable) -> FiniteMechanism:
        """Post-process: replace the output y by kernel(y), an output or a law {output: probability}."""
        laws = [_as_law(as_map(kernel, "kernel")(y)) for y in self.outputs]
        outputs, rows = _aligned(laws)
        matrix = _array([checks.law(f"kernel({y!r})", row) for y, row in zip(self.outputs, rows, strict=True)])
        exact = self.table.dtype == object and matrix.dtype == object
        table = self.table @ matrix if exact else self.table.astype(float) @ matrix.astype(float)
        return FiniteMechanism._of(self.cls, outputs, table)

    def depends_on(self, f: Callable) -> bool:
        """Say whether the law of the output is a function of f(D) (Definition IV.8)."""
        first: dict = {}
        rows = zip(fibres(f, self.cls), self.table, strict=True)
        return all(np.array_equal(first.setdefault(n, row), row) for n, row in rows)

    def __repr__(self) -> str:
        return f"<FiniteMechanism of {len(self.outputs)} outputs on {len(self.cls)} databases>"


# ------------------------------------------------------------------------------------------------------ one step each


def _as_law(value: Hashable | Law) -> Law:
    return value if isinstance(value, Mapping) else {value_of(lambda y: y, value): Fraction(1)}


def _not_empty(cls: DatabaseClass) -> DatabaseClass:
    if not len(cls):
        raise ValueError(f"a mechanism needs at least one database, not {cls!r}")
    return cls


def _check_cells(cells: int) -> None:
    if cells > MOST_CELLS:
        raise ValueError(f"the mechanism must have at most {MOST_CELLS} cells, not {cells}")


def _exact_ratio(ratio) -> Fraction:
    checks.scalar("ratio", ratio, low=1, high=1e305)
    return checks.fraction(ratio)


def _tabulate(cls: DatabaseClass, laws, outputs) -> tuple[list, np.ndarray]:
    """Return the outputs and the matrix of probabilities, one row for each database."""
    listed = _one_for_each(cls, laws)
    if len(listed) != len(cls):
        raise ValueError(f"laws must have one law for each of the {len(cls)} databases, not {len(listed)}")
    if listed and all(isinstance(law, Mapping) for law in listed):
        outputs, listed = _aligned(listed)
    rows = [checks.law(f"the law on {cls.label(D)}", law) for D, law in zip(cls, listed, strict=True)]
    if len({len(row) for row in rows}) != 1:
        raise ValueError("laws must have the same number of outputs for every database")
    return checks.names("outputs", range(len(rows[0])) if outputs is None else outputs, len(rows[0])), _array(rows)


def _one_for_each(cls: DatabaseClass, laws) -> list:
    """Return the laws in the order of the class."""
    if isinstance(laws, Mapping):
        given = {cls.database(D): law for D, law in laws.items()}
        if missing := [D for D in cls if D not in given]:
            raise ValueError(
                f"laws must have a law for {cls.label(missing[0])} as well, not only for {len(laws)} others"
            )
        return [given[D] for D in cls]
    return [laws(D) for D in cls] if callable(laws) else list(laws) if np.iterable(laws) else [laws]


def _aligned(laws: list[Mapping]) -> tuple[list, list[list]]:
    """Return the outputs of all laws, and the probabilities of each law in that order."""
    outputs = list(dict.fromkeys(y for law in laws for y in law))
    return outputs, [[law.get(y, 0) for y in outputs] for law in laws]


def _array(rows: Iterable[np.ndarray]) -> np.ndarray:
    """Return laws as one matrix: of fractions if all of them are exact, of floats otherwise."""
    rows = list(rows)
    return np.stack(rows) if all(row.dtype == object for row in rows) else np.stack([row.astype(float) for row in rows])


def _powers(d: np.ndarray, ratio) -> np.ndarray:
    """Return ratio^-d, with 0 at infinity: fractions for whole distances and an exact ratio, else floats."""
    if ratio is None:
        return np.exp(-d)
    base, finite = 1 / _exact_ratio(ratio), d[np.isfinite(d)]
    if not checks.is_exact(ratio) or np.any(finite != np.floor(finite)):
        return np.exp(-times(math.log(ratio), d))
    if finite.max(initial=0.0) > MOST_STEPS:
        raise ValueError(f"space must have distances of at most {MOST_STEPS} for exact laws, not {finite.max():g}")
    known = {x: Fraction(0) if x == math.inf else base ** int(x) for x in np.unique(d).tolist()}
    return np.array([[known[x] for x in row] for row in d.tolist()], dtype=object)


def _geometric(value: int, low: int, high: int, ratio: Fraction) -> list[Fraction]:
    """Return the law of value plus two-sided geometric noise, everything outside [low, high] moved to its end."""
    b = 1 / ratio
    inside = [(1 - b) / (1 + b) * b ** abs(n - value) for n in range(low, high + 1)]
    if low == high:
        return [Fraction(1)]
    inside[0], inside[-1] = b ** (value - low) / (1 + b), b ** (high - value) / (1 + b)
    return inside


def _measure(notion: str) -> Callable[[Pair], float]:
    return MEASURES[checks.choice("notion", notion, tuple(MEASURES))]


def _log(x: Fraction) -> float:
    """Return the logarithm of a fraction, which may be too small for a float."""
    return math.log(x.numerator) - math.log(x.denominator) if x else -math.inf


def _delta(pair: Pair, **at):
    if at.get("eps") == math.inf or at.get("ratio") == math.inf:
        return Fraction(0)
    return pair.delta(direction="pq", **at)
