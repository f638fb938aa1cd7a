"""The composition theorems: guarantees in, one guarantee out.

Each function takes either one guarantee and `k`, or a list of guarantees, and returns a `Composed` guarantee, which
remembers the theorem. All of them are upper bounds; the smallest valid value of all is `dpteach.optimal`.

In the formulas mu^2 = sum eps_i^2, and `slack` is the probability that the theorem spends on top of the deltas.
What a theorem returns is never below the exact value of its formula: each part of a formula is rounded up by more than
the sum of two parts can lose (`dpteach/numerics/README.md`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from . import checks
from .guarantee import Guarantee, as_groups
from .numerics.rounding import OTHER_FUNCTION, TINY, UNIT, total, up
from .numerics.search import first_true
from .optimum import Failure, optimal
from .table import Table

__all__ = [
    "THEOREMS",
    "Composed",
    "Theorem",
    "advanced",
    "basic",
    "best",
    "compose_by",
    "concentrated",
    "kov_closed_form",
    "sharper",
    "theorems",
]

Guarantees = Guarantee | Iterable[Guarantee]
TAIL = 2 * OTHER_FUNCTION * UNIT  # relative error of the comparison in `_deviation_of_tail`


class Composed(Guarantee):
    """A guarantee that remembers by which theorem, and by which branch of it, it was obtained."""

    def __init__(self, epsilon: float, delta: float, theorem: str, branch: str | None = None):
        super().__init__(epsilon, delta)
        self.theorem = theorem
        self.branch = branch

    def __repr__(self) -> str:
        branch = f" ({self.branch})" if self.branch else ""
        return f"{super().__repr__()} by {self.theorem}{branch}"


# ---------------------------------------------------------------------------------------------- the theorems


def basic(guarantees: Guarantees, k: int | None = None) -> Composed:
    """Basic composition (KOV, Theorem 3.1): the epsilons add up, and so do the deltas.

    >>> basic(Guarantee(0.1, 1e-8), k=10)
    Guarantee(epsilon=1, delta=1e-07) by basic
    """
    given = Given(guarantees, k)
    return Composed(given.sum_eps, given.sum_delta, "basic")


def advanced(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """Advanced composition of Dwork, Rothblum and Vadhan (KOV, Theorem 3.2 and eq. 4).

    eps = sum eps_i (e^eps_i - 1) + mu sqrt(2 log(1/slack)),  delta = slack + sum delta_i.

    >>> advanced(Guarantee(0.1), slack=1e-6, k=100)
    Guarantee(epsilon=6.308230951, delta=1e-06) by advanced
    """
    given = Given(guarantees, k)
    eps = given.drift(_expm1) + _deviation(given.mu, _log_inverse(slack))
    return Composed(eps, given.sum_delta_and(slack), "advanced")


def concentrated(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """Advanced composition through concentrated privacy (Steinke's post; Bun and Steinke).

    eps = mu^2 / 2 + mu sqrt(2 log(1/slack)),  delta = slack + sum delta_i (footnote 1).

    >>> concentrated(Guarantee(0.1), slack=1e-6, k=100)
    Guarantee(epsilon=5.75652177, delta=1e-06) by concentrated
    """
    given = Given(guarantees, k)
    eps = given.mu**2 / 2 + _deviation(given.mu, _log_inverse(slack))
    return Composed(eps, given.sum_delta_and(slack), "concentrated")


def kov_closed_form(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """The closed form of Kairouz, Oh and Viswanath (KOV, Theorems 3.4 and 3.5, eq. 7 and 8).

    The smallest of sum eps_i and, with drift = sum eps_i tanh(eps_i / 2), of drift + mu sqrt(2 log(e + mu/slack)) and
    drift + mu sqrt(2 log(1/slack)); delta = 1 - (1 - slack) prod(1 - delta_i). `branch` says which one won.

    >>> kov_closed_form([Guarantee(0.1), Guarantee(0.2)], slack=1e-6)
    Guarantee(epsilon=0.3, delta=1e-06) by kov_closed_form (first: the sum)
    """
    given = Given(guarantees, k)
    drift = given.drift(_tanh_half)
    slack = checks.scalar("slack", slack, low=0, high=1)
    log_inverse = _log_inverse(slack)
    log_second = math.log(math.e + given.mu / slack) if slack > 0 else math.inf
    branches = {
        "first: the sum": given.sum_eps,
        "second: log(e + mu/slack)": drift + _deviation(given.mu, log_second),
        "third: log(1/slack)": drift + _deviation(given.mu, log_inverse),
    }
    branch = min(branches, key=branches.get)
    return Composed(branches[branch], given.failure_or(slack), "kov_closed_form", branch)


def sharper(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """A sharper closed form by the same proof: the smaller of sum eps_i and drift + mu t.

    t >= 0 solves e^(-t^2/2) mu / (mu + t) = slack; drift and delta are those of KOV's Theorem 3.5. Why: the loss
    exceeds drift + s with probability at most e^(-s^2 / (2 mu^2)) (Hoeffding), and delta(eps) is the integral of
    e^-u P(loss > eps + u) over u > 0.

    >>> sharper(Guarantee(0.1), slack=1e-6, k=100)
    Guarantee(epsilon=5.406593199, delta=1e-06) by sharper (drift + mu t)
    """
    given = Given(guarantees, k)
    eps = given.drift(_tanh_half) + _deviation_of_tail(given.mu, _log_inverse(slack))
    branches = {"the sum": given.sum_eps, "drift + mu t": eps}
    branch = min(branches, key=branches.get)
    return Composed(branches[branch], given.failure_or(slack), "sharper", branch)


# ------------------------------------------------------------- what one answer loses on average, over its eps


def _expm1(eps: float) -> float:
    return math.expm1(eps) if eps < 700 else math.inf


def _half(eps: float) -> float:
    return eps / 2


def _tanh_half(eps: float) -> float:
    return math.tanh(eps / 2)


# ------------------------------------------------------------------------------------- choosing among them


@dataclass(frozen=True)
class Theorem:
    """A composition theorem: where it stands, what it assumes, how it is shown, and what it gives at a total delta.

    `label` names it wherever it is shown, and `line` is the number of its line in a picture.
    `drift` is what one answer loses on average by its formula, as a share of the answer's eps.
    """

    name: str
    label: str
    line: int
    source: str
    number: str
    hypotheses: str
    formula: Callable[..., Composed]
    needs_equal: bool = False
    needs_pure: bool = False
    extension: str = ""
    by_product: bool = False  # is its delta 1 - (1 - slack) prod(1 - delta_i), or the sum?
    drift: Callable[[float], float] | None = None
    drift_formula: str = ""

    def at(self, guarantees: Guarantees, delta: float, k: int | None = None) -> Composed:
        """Return the theorem's guarantee at a total of `delta`; its epsilon is inf if the deltas use up more."""
        guarantees = listed(guarantees)
        given = Given(guarantees, k)
        delta = checks.scalar("delta", delta, low=0, high=1)
        slack = given.slack_by_product(delta) if self.by_product else given.slack_by_sum(delta)
        if slack < 0:
            return Composed(math.inf, delta, self.name)
        if self.name == "basic":  # which has no use for a slack
            return Composed(given.sum_eps, delta, self.name)
        composed = self.formula(guarantees, slack, k)
        return Composed(composed.epsilon, delta, self.name, composed.branch)

    def applies(self, guarantees: Guarantees, k: int | None = None) -> str:
        """Say whether the printed hypotheses hold, or why the formula may be used all the same."""
        given = Given(guarantees, k)
        not_equal = self.needs_equal and given.distinct > 1
        not_pure = self.needs_pure and given.sum_delta > 0
        return f"yes, {self.extension}" if not_equal or not_pure else "yes, as printed"


BASIC = Theorem(
    name="basic", label="basic", line=0,
    source="KOV, Theorem 3.1", number="Theorem 3.1",
    hypotheses="none", formula=basic,
)  # fmt: skip
ADVANCED = Theorem(
    name="advanced", label="DRV", line=1,
    source="Dwork, Rothblum and Vadhan; KOV, Theorem 3.2", number="Theorem 3.2",
    hypotheses="equal guarantees, slack > 0", formula=advanced,
    needs_equal=True, extension="because KOV's eq. 8 is smaller and holds",
    drift=_expm1, drift_formula="$e^ε - 1$",
)  # fmt: skip
CONCENTRATED = Theorem(
    name="concentrated", label="concentrated", line=2,
    source="Bun and Steinke; Steinke's post", number="",
    hypotheses="pure guarantees (delta_i = 0), slack > 0", formula=concentrated,
    needs_pure=True, extension="by the post's footnote 1",
    drift=_half, drift_formula="$ε/2$",
)  # fmt: skip
KOV_CLOSED_FORM = Theorem(
    name="kov_closed_form", label="KOV", line=3,
    source="KOV, Theorem 3.4 (eq. 7)", number="Theorem 3.4",
    hypotheses="equal guarantees", formula=kov_closed_form,
    needs_equal=True, extension="in the form of Theorem 3.5 (eq. 8)", by_product=True,
    drift=_tanh_half, drift_formula=r"$\tanh(ε/2)$",
)  # fmt: skip
SHARPER = Theorem(
    name="sharper", label="sharper", line=6,
    source="this kit, by the proof of KOV's Theorem 3.5", number="",
    hypotheses="none", formula=sharper, by_product=True,
    drift=_tanh_half, drift_formula=r"$\tanh(ε/2)$",
)  # fmt: skip
THEOREMS = {theorem.name: theorem for theorem in (BASIC, ADVANCED, CONCENTRATED, KOV_CLOSED_FORM, SHARPER)}


def theorems(guarantees: Guarantees | None = None, k: int | None = None) -> Table:
    """List the theorems with source and hypotheses and, for given guarantees, whether they apply."""
    columns = ["theorem", "source", "hypotheses"]
    rows = [(theorem.name, theorem.source, theorem.hypotheses) for theorem in THEOREMS.values()]
    if guarantees is None:
        return Table(rows, columns)
    guarantees = listed(guarantees)
    applies = [theorem.applies(guarantees, k) for theorem in THEOREMS.values()]
    rows = [(*row, word) for row, word in zip(rows, applies, strict=True)]
    return Table(rows, [*columns, "applies"])


def best(
    guarantees: Guarantees, delta: float, k: int | None = None, among: Iterable[str] = tuple(THEOREMS)
) -> Composed:
    """Return the smallest of the theorems' guarantees at a total of `delta`; its `theorem` names the winner.

    The exact optimum, `dpteach.optimal`, is never larger.

    >>> best(Guarantee(0.1), delta=1e-6, k=100)
    Guarantee(epsilon=5.406593199, delta=1e-06) by sharper (drift + mu t)
    """
    guarantees = listed(guarantees)
    among = [among] if isinstance(among, str) or not np.iterable(among) else list(among)
    if not among:
        raise ValueError("among must be a list of theorems' names, not empty")
    chosen = [THEOREMS[checks.choice("among", name, tuple(THEOREMS))] for name in among]
    composed = [theorem.at(guarantees, delta, k) for theorem in chosen]
    return min(composed, key=lambda guarantee: guarantee.epsilon)


def compose_by(theorem: str, guarantees: Guarantees, delta: float | None = None, k: int | None = None) -> Composed:
    """Compose by one theorem, or by the "optimal" composition, at a total of `delta`.

    Basic composition needs no delta: it then adds up the deltas.

    >>> compose_by("optimal", Guarantee(0.1), delta=1e-6, k=100)
    Guarantee(epsilon=4.774567588, delta=1e-06) by optimal
    """
    checks.choice("theorem", theorem, (*THEOREMS, "optimal"))
    if delta is None:
        if theorem != "basic":
            raise ValueError(f"delta must be given for theorem {theorem!r}; only basic composition needs none")
        return basic(guarantees, k)
    if theorem == "optimal":
        delta = checks.scalar("delta", delta, low=0, high=1)
        return Composed(optimal(guarantees, k).epsilon(delta), delta, theorem)
    return THEOREMS[theorem].at(guarantees, delta, k)


# ------------------------------------------------------------------------------------------- what they share


def listed(guarantees: Guarantees) -> Guarantees:
    """Return guarantees that can be read more than once; anything else is left for `as_groups` to refuse."""
    return list(guarantees) if isinstance(guarantees, Iterator) else guarantees


class Given:
    """The sums that the theorems are made of, none of them below its exact value."""

    def __init__(self, guarantees: Guarantees, k: int | None = None):
        groups = [(guarantee, count) for guarantee, count in as_groups(guarantees, k) if count]
        self.groups = groups
        self.eps = [guarantee.epsilon for guarantee, _ in groups]
        self.deltas = [guarantee.delta for guarantee, _ in groups]
        self.counts = [count for _, count in groups]
        self.distinct = len(groups)
        self.sum_eps = total(self.eps, self.counts, +1)
        self.sum_delta = min(total(self.deltas, self.counts, +1), 1.0)
        self.mu = self._root_of_squares()

    def _root_of_squares(self) -> float:
        """Return mu = sqrt(sum eps_i^2)."""
        scale = max(self.eps, default=0.0)  # squares of tiny or huge epsilons would leave the floats
        if scale in (0.0, math.inf):
            return scale
        squares = (count * (eps / scale) ** 2 for eps, count in zip(self.eps, self.counts, strict=True))
        return up(scale * math.sqrt(math.fsum(squares)))

    def drift(self, per_step: Callable[[float], float]) -> float:
        """Return sum eps_i per_step(eps_i), the mean privacy loss or a bound of it."""
        steps = [(eps, count) for eps, count in zip(self.eps, self.counts, strict=True) if eps > 0]
        underflow = TINY * len(steps)
        return up(math.fsum(count * eps * per_step(eps) for eps, count in steps) + underflow)

    def sum_delta_and(self, slack: float) -> float:
        """Return slack + sum delta_i, rounded up; never more than 1, which is no promise at all."""
        return min(total([*self.deltas, slack], [*self.counts, 1], +1), 1.0)

    def slack_by_sum(self, delta: float) -> float:
        """Return the slack with which slack + sum delta_i is delta, rounded down; negative if there is none."""
        spent = [-delta_i for delta_i in self.deltas]
        return total([delta, *spent], [1, *self.counts], -1)

    def failure_or(self, slack: float) -> float:
        """Return 1 - (1 - slack) prod(1 - delta_i), rounded up."""
        return float(self._failure.add(float(slack), +1)) if self.sum_delta > 0 else float(slack)

    def slack_by_product(self, delta: float) -> float:
        """Return the slack with which 1 - (1 - slack) prod(1 - delta_i) is delta, rounded down, or a negative one."""
        if self.sum_delta == 0:
            return delta
        return float(self._failure.spare(delta, +1)) if delta >= self._failure.lost_end(+1) else -1.0

    @property
    def _failure(self) -> Failure:
        return Failure(self.groups)


def _log_inverse(slack: float) -> float:
    """Return log(1/slack)."""
    slack = checks.scalar("slack", slack, low=0, high=1)
    return -math.log(slack) if slack > 0 else math.inf


def _deviation(mu: float, log_inverse: float) -> float:
    """Return mu sqrt(2 log(1/slack)), how far the loss strays from its mean, rounded up."""
    if mu in (0, math.inf):
        return mu
    underflow = TINY  # which mu^2 may be smaller than
    return up(mu * math.sqrt(2 * log_inverse) + underflow)


def _deviation_of_tail(mu: float, log_inverse: float) -> float:
    """Return mu t for the t >= 0 with e^(-t^2/2) mu / (mu + t) = slack, rounded up."""
    if mu == 0 or log_inverse == 0:
        return 0.0
    if math.inf in (mu, log_inverse):
        return math.inf

    def enough(t: float) -> bool:
        return (t**2 / 2 + math.log1p(t / mu)) * (1 - TAIL) >= log_inverse

    t = first_true(enough, 0.0, up(math.sqrt(2 * log_inverse)))
    return up(mu * t)
