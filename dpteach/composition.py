"""The composition theorems: guarantees in, one guarantee out.

Each function takes either one guarantee and `k`, or a list of guarantees, and returns a `Composed` guarantee, which
remembers the theorem. All of them are upper bounds; the smallest valid value of all is `dpteach.optimal`.

In the formulas mu^2 = sum eps_i^2, and `slack` is the probability that the theorem spends on top of the deltas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from . import checks
from .guarantee import Guarantee, as_groups
from .optimal import Failure, optimal
from .rounding import total
from .table import Table

Guarantees = Guarantee | Iterable[Guarantee]


class Composed(Guarantee):
    """A guarantee that remembers by which theorem, and by which branch of it, it was obtained."""

    def __init__(self, epsilon: float, delta: float, theorem: str, branch: str | None = None):
        super().__init__(epsilon, delta)
        self.theorem, self.branch = theorem, branch

    def __repr__(self) -> str:
        return f"{super().__repr__()} by {self.theorem}" + (f" ({self.branch})" if self.branch else "")


# ---------------------------------------------------------------------------------------------- the theorems


def basic(guarantees: Guarantees, k: int | None = None) -> Composed:
    """Basic composition (KOV, Theorem 3.1): the epsilons add up, and so do the deltas."""
    given = Given(guarantees, k)
    return Composed(given.sum_eps, given.sum_delta, "basic")


def advanced(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """Advanced composition of Dwork, Rothblum and Vadhan (KOV, Theorem 3.2 and eq. 4).

    eps = sum eps_i (e^eps_i - 1) + mu sqrt(2 log(1/slack)),  delta = slack + sum delta_i.
    """
    given = Given(guarantees, k)
    eps = given.drift(_expm1) + _deviation(given.mu, _log_inverse(slack))
    return Composed(eps, given.sum_delta_and(slack), "advanced")


def concentrated(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """Advanced composition through concentrated privacy (Steinke's post; Bun and Steinke).

    eps = mu^2 / 2 + mu sqrt(2 log(1/slack)),  delta = slack + sum delta_i (footnote 1).
    """
    given = Given(guarantees, k)
    eps = given.mu**2 / 2 + _deviation(given.mu, _log_inverse(slack))
    return Composed(eps, given.sum_delta_and(slack), "concentrated")


def kov_closed_form(guarantees: Guarantees, slack: float, k: int | None = None) -> Composed:
    """The closed form of Kairouz, Oh and Viswanath (KOV, Theorems 3.4 and 3.5, eq. 7 and 8).

    The smallest of sum eps_i and, with drift = sum eps_i tanh(eps_i / 2), of drift + mu sqrt(2 log(e + mu/slack)) and
    drift + mu sqrt(2 log(1/slack)); delta = 1 - (1 - slack) prod(1 - delta_i). `branch` says which one won.
    """
    given = Given(guarantees, k)
    drift, log_inverse = given.drift(_tanh_half), _log_inverse(slack)
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
    """
    given = Given(guarantees, k)
    _log_inverse(slack)
    eps = given.drift(_tanh_half) + _deviation_of_tail(given.mu, slack)
    branches = {"the sum": given.sum_eps, "drift + mu t": eps}
    branch = min(branches, key=branches.get)
    return Composed(branches[branch], given.failure_or(slack), "sharper", branch)


# ------------------------------------------------------------------------------------- choosing among them


@dataclass(frozen=True)
class Theorem:
    """A composition theorem: where it stands, what it assumes, and what it gives at a total delta."""

    name: str
    source: str
    hypotheses: str
    compose: Callable[..., Composed]
    needs_equal: bool = False
    needs_pure: bool = False
    extension: str = ""

    def at(self, guarantees: Guarantees, delta: float, k: int | None = None) -> Composed:
        """Return the theorem's guarantee at a total of `delta`; its epsilon is inf if the deltas use up more."""
        guarantees = listed(guarantees)
        given = Given(guarantees, k)
        delta = checks.scalar("delta", delta, low=0, high=1)
        if self.name == "basic":
            eps = given.sum_eps if given.sum_delta <= delta else math.inf
            return Composed(eps, delta, self.name)
        slack = given.slack_by_product(delta) if self.name in BY_PRODUCT else delta - given.sum_delta
        if slack < 0:
            return Composed(math.inf, delta, self.name)
        told = self.compose(guarantees, slack, k)
        return Composed(float(told.epsilon), delta, self.name, told.branch)

    def applies(self, guarantees: Guarantees, k: int | None = None) -> str:
        """Say whether the printed hypotheses hold, or why the formula may be used all the same."""
        given = Given(guarantees, k)
        fails = (self.needs_equal and given.distinct > 1) or (self.needs_pure and given.sum_delta > 0)
        return f"yes, {self.extension}" if fails else "yes, as printed"


THEOREMS = {
    theorem.name: theorem
    for theorem in (
        Theorem("basic", "KOV, Theorem 3.1", "none", basic),
        Theorem(
            "advanced", "Dwork, Rothblum and Vadhan; KOV, Theorem 3.2", "equal guarantees, slack > 0", advanced,
            needs_equal=True, extension="because KOV's eq. 8 is smaller and holds",
        ),
        Theorem(
            "concentrated", "Bun and Steinke; Steinke's post", "pure guarantees (delta_i = 0), slack > 0", concentrated,
            needs_pure=True, extension="by the post's footnote 1",
        ),
        Theorem(
            "kov_closed_form", "KOV, Theorem 3.4 (eq. 7)", "equal guarantees", kov_closed_form,
            needs_equal=True, extension="in the form of Theorem 3.5 (eq. 8)",
        ),
        Theorem("sharper", "this kit, by the proof of KOV's Theorem 3.5", "none", sharper),
    )
}  # fmt: skip
BY_PRODUCT = ("kov_closed_form", "sharper")  # their delta is 1 - (1 - slack) prod(1 - delta_i), not a sum


def theorems(guarantees: Guarantees | None = None, k: int | None = None) -> Table:
    """List the theorems with source and hypotheses and, for given guarantees, whether they apply."""
    rows = [(t.name, t.source, t.hypotheses) for t in THEOREMS.values()]
    columns = ["theorem", "source", "hypotheses"]
    if guarantees is None:
        return Table(rows, columns)
    guarantees = listed(guarantees)
    applies = [t.applies(guarantees, k) for t in THEOREMS.values()]
    return Table([(*row, word) for row, word in zip(rows, applies, strict=True)], [*columns, "applies"])


def best(
    guarantees: Guarantees, delta: float, k: int | None = None, among: Iterable[str] = tuple(THEOREMS)
) -> Composed:
    """Return the smallest of the theorems' guarantees at a total of `delta`; its `theorem` names the winner.

    The exact optimum, `dpteach.optimal`, is never larger.
    """
    guarantees, among = listed(guarantees), [among] if isinstance(among, str) else among
    if not among or not np.iterable(among):
        raise ValueError(f"among must be a list of theorems' names, not {checks.shorten(among)}")
    chosen = [THEOREMS[checks.choice("among", name, tuple(THEOREMS))] for name in among]
    return min((theorem.at(guarantees, delta, k) for theorem in chosen), key=lambda g: float(g.epsilon))


def compose_by(theorem: str, guarantees: Guarantees, delta: float | None = None, k: int | None = None) -> Composed:
    """Compose by one theorem, or by the "optimal" composition, at a total of `delta`.

    Basic composition needs no delta: it then adds up the deltas.
    """
    checks.choice("theorem", theorem, (*THEOREMS, "optimal"))
    if delta is None:
        if theorem != "basic":
            raise ValueError(f"delta must be given for theorem {theorem!r}; only basic composition needs none")
        return basic(guarantees, k)
    if theorem == "optimal":
        return Composed(optimal(guarantees, k).epsilon(checks.scalar("delta", delta, low=0, high=1)), delta, theorem)
    return THEOREMS[theorem].at(guarantees, delta, k)


# ------------------------------------------------------------------------------------------- what they share


def listed(guarantees: Guarantees):
    """Return guarantees that can be read more than once; anything else is left for `as_groups` to refuse."""
    return list(guarantees) if isinstance(guarantees, Iterator) else guarantees


class Given:
    """The sums that the theorems are made of."""

    def __init__(self, guarantees: Guarantees, k: int | None = None):
        groups = [(g, count) for g, count in as_groups(guarantees, k) if count]
        self.eps = [float(g.epsilon) for g, _ in groups]
        self.deltas = [float(g.delta) for g, _ in groups]
        self.counts = [count for _, count in groups]
        self.distinct = len(groups)
        self.sum_eps = total(self.eps, self.counts, +1)
        self.sum_delta = min(total(self.deltas, self.counts, +1), 1.0)
        scale = max(self.eps, default=0.0) or 1.0  # squares of tiny or huge epsilons would leave the floats
        squares = (count * (eps / scale) ** 2 for eps, count in zip(self.eps, self.counts, strict=True))
        self.mu = scale * math.sqrt(math.fsum(squares)) if scale < math.inf else math.inf

    def drift(self, per_step: Callable[[float], float]) -> float:
        """Return sum eps_i per_step(eps_i), the mean privacy loss or a bound of it."""
        steps = zip(self.eps, self.counts, strict=True)
        return math.fsum(count * eps * per_step(eps) for eps, count in steps if eps > 0)

    def sum_delta_and(self, slack: float) -> float:
        """Return slack + sum delta_i, rounded up; never more than 1, which is no promise at all."""
        return min(total([*self.deltas, slack], [*self.counts, 1], +1), 1.0)

    def failure_or(self, slack: float) -> float:
        """Return 1 - (1 - slack) prod(1 - delta_i), rounded up."""
        return float(self._failure.add(float(slack), +1)) if self.sum_delta > 0 else float(slack)

    def slack_by_product(self, delta: float) -> float:
        """Return the slack with which 1 - (1 - slack) prod(1 - delta_i) is delta; negative if there is none."""
        return float(self._failure.spare(delta, +1)) if delta >= self._failure.lost_end(+1) else -1.0

    @property
    def _failure(self) -> Failure:
        return Failure(list(zip(self.eps, self.deltas, self.counts, strict=True)))


def _log_inverse(slack: float) -> float:
    """Return log(1/slack)."""
    slack = checks.scalar("slack", slack, low=0, high=1)
    return -math.log(slack) if slack > 0 else math.inf


def _deviation(mu: float, log_inverse: float) -> float:
    """Return mu sqrt(2 log(1/slack)), how far the loss strays from its mean."""
    return mu * math.sqrt(2 * log_inverse) if 0 < mu < math.inf else mu


def _deviation_of_tail(mu: float, slack: float) -> float:
    """Return mu t for the t >= 0 with e^(-t^2/2) mu / (mu + t) = slack, rounded up."""
    if mu == 0 or slack >= 1:
        return 0.0
    if slack == 0 or mu == math.inf:
        return math.inf
    low, high = 0.0, math.sqrt(-2 * math.log(slack))
    for _ in range(60):
        t = (low + high) / 2
        too_small = math.log(mu / (mu + t)) - t**2 / 2 > math.log(slack)
        low, high = (t, high) if too_small else (low, t)
    return mu * high


def _expm1(eps: float) -> float:
    return math.expm1(eps) if eps < 700 else math.inf


def _tanh_half(eps: float) -> float:
    return math.tanh(eps / 2)
