"""Finite mechanisms: a channel on a class of databases, and the exact loss between all pairs of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from .. import checks
from ..annotations import Number, Numbers, Outcome
from ..channel import Channel, check_size
from ..curve import VACUOUS, Vacuous, WorstCase
from ..granularity.comparison import fibres
from ..granularity.databases import DatabaseClass
from ..granularity.extended import times
from ..granularity.kinds import Database, number_of_records
from ..granularity.space import NeighbourSpace, PrivacySpace, as_class, as_graph, as_space
from ..mechanisms import truncated_geometric
from ..numerics.rounding import log_fraction
from ..numerics.side import Error
from ..pair import Pair
from .measure import concentrated_loss, gaussian_loss, pure_loss
from .privacy import Approximate
from .promise import MetricPrivacy
from .scaling import MOST_STEPS, coins

MEASURES = {"pure": pure_loss, "zero-concentrated": concentrated_loss, "Gaussian": gaussian_loss}
SLACK = 1e-9  # how far a float loss may exceed a float promise and still count as kept


class FiniteMechanism(Channel):
    """A channel on a class: `laws` maps each database to {output: probability} (a function, a dictionary, a matrix).

    Exact if the probabilities are fractions. `M @ N` runs both independently, `M.adaptively(f)` lets the second depend
    on the first's output, `M.after(f, cls)` preprocesses, `M.then(kernel)` post-processes.

    >>> cls = DatabaseClass.multisets("a", at_most=1)
    >>> coin = FiniteMechanism(cls, [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
    >>> (coin @ coin).ratio("", "a")
    Fraction(4, 1)
    """

    def __init__(
        self,
        cls: DatabaseClass | Iterable[Any],
        laws: Callable[..., Any] | Mapping[Any, Any] | Iterable[Any],
        outputs: Iterable[Outcome] | None = None,
    ):
        self.cls = _not_empty(as_class(cls))
        listed = _one_for_each(self.cls, laws)
        if not all(isinstance(law, Mapping) for law in listed):
            listed = _named_outputs(self.cls, listed, outputs)
        super().__init__(dict(zip(self.cls, listed, strict=True)))

    def _like(self, laws: dict, error: Error) -> FiniteMechanism:
        """Return another mechanism, from what is known to be laws."""
        made = FiniteMechanism.__new__(FiniteMechanism)
        made.cls = self.cls if laws.keys() == self.laws.keys() else DatabaseClass(list(laws))
        made._set(laws, error)
        return made

    def __repr__(self) -> str:
        return f"<FiniteMechanism of {len(self.outputs)} outputs on {len(self.cls)} databases>"

    def _known(self, D: Database) -> Database:
        """Return a database in the form in which the class keeps it."""
        return self.cls.database(D)

    # ------------------------------------------------------------------------------------------------ constructors

    @classmethod
    def attaining(cls, space: PrivacySpace, ratio: Number | None = None) -> FiniteMechanism:
        """Return a mechanism whose loss is exactly the distance at all pairs at once, in units of log(ratio).

        Draw a database x0 uniformly and print (x0, 1) with probability ratio^-d(D, x0) / 2, else (x0, 0). The triangle
        inequality keeps all losses within d, and x0 = D' attains it. Exact for whole distances and an exact ratio; by
        default the ratio is e, and the losses are the distances.
        """
        if not as_space("space", space).is_metric:
            raise ValueError("space must satisfy the triangle inequality, else nothing attains it: take its closure()")
        _not_empty(space.cls)
        drawn = np.unique(np.argmax(space.matrix == 0, axis=1))  # one of those that have distance zero
        check_size("the space", 2 * len(drawn) * len(space))
        powers = _powers(space.matrix[:, drawn], ratio)
        share = Fraction(1, 2 * len(drawn)) if powers.dtype == object else 0.5 / len(drawn)
        outputs = [(space.databases[n], bit) for bit in (1, 0) for n in drawn]
        table = np.concatenate([powers * share, (2 - powers) * share], axis=1)
        return cls(space.cls, table, outputs)

    @classmethod
    def printing(
        cls, domain: DatabaseClass | Iterable[Any], f: Callable[..., Any] | Mapping[Any, Any] | None = None
    ) -> FiniteMechanism:
        """Return the mechanism without any noise that prints f(D), by default D itself."""
        ask = (lambda D: D) if f is None else checks.function("f", f)
        domain = as_class(domain, "domain")
        return cls(domain, lambda D: {checks.hashable("the values of f", ask(D)): Fraction(1)})

    @classmethod
    def noisy_count(
        cls, domain: DatabaseClass | Iterable[Any], count: Callable[..., Any] = number_of_records, ratio: Number = 2
    ) -> FiniteMechanism:
        """Return a count with geometric noise, cut off at the least and the largest possible count (Example IV.9).

        Counts one apart lose exactly log(ratio).
        """
        domain = _not_empty(as_class(domain, "domain"))
        ratio = _exact_ratio(ratio)
        ask = checks.function("count", count)
        values = [checks.count("count", ask(D)) for D in domain]
        low = min(values)
        high = max(values)
        check_size("the counts", len(domain) * (high - low + 1))
        laws = {value: truncated_geometric(value, low, high, ratio) for value in set(values)}
        return cls(domain, [laws[value] for value in values], range(low, high + 1))

    @classmethod
    def chain(cls, n: int, ratio: Number, delta: Number) -> FiniteMechanism:
        """Return n + 1 coins in a row, neighbours (log ratio, delta)-DP and the ends as different as that allows.

        The database is the number of steps 0, ..., n; see `group_delta`.
        """
        heads = coins(n, ratio, delta)
        return cls(range(len(heads)), [[p, 1 - p] for p in heads], ["heads", "tails"])

    @classmethod
    def random(cls, domain: DatabaseClass, outputs: int, rng: np.random.Generator, zeros: Any = 0.0) -> FiniteMechanism:
        """Return a mechanism of random exact laws; each output is impossible with probability `zeros`."""
        domain = as_class(domain, "domain")
        rng = checks.generator(rng)
        shape = (len(domain), checks.count("outputs", outputs, low=1))
        check_size("outputs", math.prod(shape))
        zeros = checks.scalar("zeros", zeros, low=0, high=1)
        weights = rng.integers(1, 20, size=shape)
        possible = rng.random(shape) >= zeros
        weights = weights * possible
        weights[weights.sum(axis=1) == 0, 0] = 1
        return cls(domain, [[Fraction(w, sum(row)) for w in row] for row in weights.tolist()])

    # -------------------------------------------------------------------------------------- what two databases lose

    def ratio(self, D: Database, D2: Database, delta: Number = 0) -> Number:
        """Return e^eps between two databases, exact for exact mechanisms."""
        return self.pair(D, D2).ratio(delta)

    def loss(self, D: Database, D2: Database, notion: str = "pure") -> float:
        """Return the eps ("pure"), rho ("zero-concentrated") or mu ("Gaussian") between two databases."""
        return _measure(notion)(self.pair(D, D2))

    # -------------------------------------------------------------------------------------------- all pairs at once

    def losses(self, notion: str = "pure") -> np.ndarray:
        """Return the loss between all pairs, as a matrix of floats in the order of the class; `ratios` are exact."""
        measure = _measure(notion)
        return self._for_all(lambda D, E: measure(self.pair(D, E)), float)

    @cached_property
    def ratios(self) -> np.ndarray:
        """The exact e^eps between all pairs, as a matrix (of fractions, if the mechanism is exact)."""
        return self._for_all(self._largest_ratio, object)

    def deltas(self, eps: Numbers | None = None, *, ratio: Numbers | None = None) -> np.ndarray:
        """Return the delta of all pairs, P = row against Q = column; eps (or e^eps) may be a matrix too."""
        if (eps is None) == (ratio is None):
            raise ValueError("deltas needs exactly one of eps and ratio")
        name = "eps" if ratio is None else "ratio"
        asked = self._as_matrix(name, eps if ratio is None else ratio)
        answers = np.zeros(asked.shape, dtype=object)
        for (i, j), at in np.ndenumerate(asked):
            pair = self.pair(self.cls.databases[i], self.cls.databases[j])
            answers[i, j] = _delta_forth(pair, name, at)
        return answers

    def _as_matrix(self, name: str, given) -> np.ndarray:
        """Return one number for every two databases."""
        size = len(self.cls)
        if checks.real(name, given, low=0).shape not in ((), (size, size)):
            raise ValueError(f"{name} must be a number or a matrix of {size} rows, not {checks.shorten(given)}")
        return np.broadcast_to(np.asarray(given, dtype=object), (size, size))

    def _for_all(self, ask: Callable[[Database, Database], float], dtype) -> np.ndarray:
        """Ask a symmetric question about every two databases, once for all that have the same laws."""
        first = {number: D for D, number in reversed(self._number.items())}
        answers = np.zeros((len(first), len(first)), dtype=dtype)
        for i in range(len(first)):
            for j in range(i + 1):
                answers[i, j] = answers[j, i] = ask(first[i], first[j])
        rows = [self._number[D] for D in self.cls]
        return answers[np.ix_(rows, rows)]

    def _largest_ratio(self, D: Database, E: Database):
        """Return the largest P/Q in either direction; floats find the candidates, which are then compared exactly."""
        i = self.cls.index[D]
        j = self.cls.index[E]
        possible = np.flatnonzero(np.isfinite(self._logs[i]) | np.isfinite(self._logs[j]))
        loss = np.abs(self._logs[i, possible] - self._logs[j, possible])
        if loss.max() == math.inf:
            return math.inf
        near = possible[loss >= loss.max() - SLACK]
        p = self.table[i, near]
        q = self.table[j, near]
        return max(*(p / q), *(q / p))

    @cached_property
    def table(self) -> np.ndarray:
        """All laws as a matrix of fractions or floats: a row for each database, a column for each output."""
        rows = [[law.get(y, Fraction(0)) for y in self.outputs] for law in self.laws.values()]
        return np.array(rows, dtype=object)

    @cached_property
    def _logs(self) -> np.ndarray:
        return np.vectorize(log_fraction, otypes=[float])(self.table)

    # --------------------------------------------------------------------------------------- neighbours and promises

    def worst(self, space: NeighbourSpace) -> WorstCase:
        """Return the pairs of all neighbours as one curve: `epsilon`, `delta`, `ratio`, or vacuous."""
        if as_graph("space", space).cls != self.cls:
            raise ValueError(f"space must be on the class of the mechanism, {self.cls!r}, not on {space.cls!r}")
        return WorstCase({(D, E): self.pair(D, E) for D, E in space.neighbouring_pairs})

    def level(self, space: NeighbourSpace, notion: str = "pure") -> float | Vacuous:
        """Return the eps, rho or mu that the mechanism really has for neighbours; vacuous if there are none."""
        measure = _measure(notion)
        pairs = self.worst(space)
        if pairs.vacuous:
            return VACUOUS
        different = {id(pair): pair for pair in pairs.comparisons.values()}
        return max(measure(pair) for pair in different.values())

    def keeps(self, promise: MetricPrivacy) -> bool:
        """Say whether the mechanism keeps a promise at all pairs."""
        return self.broken(promise) is None

    def broken(self, promise: MetricPrivacy) -> tuple[Database, Database] | None:
        """Return the pair of databases at which a promise is broken most, or None if it is kept."""
        if not isinstance(promise, MetricPrivacy) or promise.cls != self.cls:
            raise ValueError(
                f"promise must be one about {self.cls!r}, such as Pure(space, eps), not {checks.shorten(promise)}"
            )
        excess = self._excess(promise)
        i, j = np.unravel_index(int(np.argmax(excess)), excess.shape)
        if excess[i, j] <= SLACK:
            return None
        return self.cls.databases[i], self.cls.databases[j]

    def _excess(self, promise: MetricPrivacy) -> np.ndarray:
        """Return by how much the mechanism exceeds a promise, at every two databases."""
        if isinstance(promise, Approximate):
            return self.deltas(promise.matrix).astype(float) - promise.deltas
        promised = promise.matrix
        lost = self.losses(promise.notion)
        with np.errstate(invalid="ignore"):
            return np.where(np.isinf(promised), 0.0, lost - promised)

    # ------------------------------------------------------------------------------------------ making others of it

    def after(
        self, f: Callable[..., Any] | Mapping[Any, Any], databases: DatabaseClass | Iterable[Any]
    ) -> FiniteMechanism:
        """Return the mechanism D -> M(f(D)) on another class (preprocessing)."""
        cls = as_class(databases, "databases")
        made = super().after(f, cls.databases)
        made.cls = cls
        return made

    def depends_on(self, f: Callable[..., Any]) -> bool:
        """Say whether the law of the output is a function of f(D) (Definition IV.8)."""
        numbers: dict = {}
        for label, D in zip(fibres(f, self.cls), self.cls, strict=True):
            numbers.setdefault(label, set()).add(self._number[D])
        return all(len(laws) == 1 for laws in numbers.values())


# ------------------------------------------------------------------------------------------------------ one step each


def _not_empty(cls: DatabaseClass) -> DatabaseClass:
    if not len(cls):
        raise ValueError(f"a mechanism needs at least one database, not {cls!r}")
    return cls


def _exact_ratio(ratio) -> Fraction:
    checks.scalar("ratio", ratio, low=1, high=1e305)
    return checks.fraction(ratio)


def _one_for_each(cls: DatabaseClass, laws) -> list:
    """Return the laws in the order of the class."""
    if isinstance(laws, Mapping):
        given = {cls.database(D): law for D, law in laws.items()}
        for D in cls:
            if D not in given:
                raise ValueError(f"laws must have a law for {cls.label(D)} as well, not only for {len(laws)} others")
        return [given[D] for D in cls]
    if callable(laws):
        return [laws(D) for D in cls]
    listed = list(laws) if np.iterable(laws) else [laws]
    if len(listed) != len(cls):
        raise ValueError(f"laws must have one law for each of the {len(cls)} databases, not {len(listed)}")
    return listed


def _named_outputs(cls: DatabaseClass, rows: list, outputs: Iterable[Hashable] | None) -> list[dict]:
    """Return laws that were given as lists of probabilities, with the names of the outputs."""
    laws = [checks.law(f"the law on {cls.label(D)}", row).tolist() for D, row in zip(cls, rows, strict=True)]
    number = len(laws[0])
    if any(len(law) != number for law in laws):
        raise ValueError("laws must have the same number of outputs for every database")
    names = checks.names("outputs", range(number) if outputs is None else outputs, number)
    return [dict(zip(names, law, strict=True)) for law in laws]


def _powers(d: np.ndarray, ratio) -> np.ndarray:
    """Return ratio^-d, with 0 at infinity: fractions for whole distances and an exact ratio, else floats."""
    if ratio is None:
        return np.exp(-d)
    base = 1 / _exact_ratio(ratio)
    finite = d[np.isfinite(d)]
    if not checks.is_exact(ratio) or np.any(finite != np.floor(finite)):
        return np.exp(-times(math.log(ratio), d))
    if finite.max(initial=0.0) > MOST_STEPS:
        raise ValueError(f"space must have distances of at most {MOST_STEPS} for exact laws, not {finite.max():g}")
    known = {x: base ** int(x) for x in np.unique(finite).tolist()}
    known[math.inf] = Fraction(0)
    return np.array([[known[x] for x in row] for row in d.tolist()], dtype=object)


def _measure(notion: str) -> Callable[[Pair], float]:
    return MEASURES[checks.choice("notion", notion, tuple(MEASURES))]


def _delta_forth(pair: Pair, name: str, at):
    """Return the delta of P against Q at an eps or a ratio; infinity promises nothing, and nothing breaks it."""
    if at == math.inf:
        return Fraction(0)
    asked = {name: float(at) if name == "eps" else at}
    return pair.delta(direction="pq", **asked)
