r"""The accountant: what did a whole release cost? Write down what was published; it says what everything lost together.

A release is a list of events. An event is a mechanism of `dpteach.mechanisms`, a `Guarantee`, or a `Pair` (the law of
the answer without the person's record, and the law with it); `times(event, k)` is the same k times, with fresh noise,
and `subsampled(event, rate)` uses each record with probability `rate` only.

>>> release = Release(laplace(0.5), times(gaussian(0.1), 30), times(subsampled(laplace(1), 0.01), 200))
>>> f"{release.epsilon(1e-6):.4f}"
'2.9931'

What is computed holds for adaptive releases too: each event is a post-processing of its worst pair, whatever was seen
before. **Neighbours** differ by one person's record, added or removed: P is the law without the record, Q the law with
it, and the curve is the larger of both directions. Where records are replaced, `subsampled` does not apply; everything
else does, if sensitivities (and guarantees) are meant for replaced records.

Exact where the house has a closed form (one kind of noise, guarantees only, small tables), and otherwise a certified
bracket: `release.method` says which, and `release.bracket` how narrow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from operator import matmul
from typing import TYPE_CHECKING

import numpy as np

from . import checks
from .composition import CONCENTRATED, Composed, best
from .curve import Curve
from .experiment.sampling import subsampled as subsampled_guarantee
from .guarantee import Guarantee
from .mechanisms import FiniteNoise, gaussian, geometric, laplace, randomized_response, staircase
from .numerics.laws import LARGEST_GAUSSIAN, LARGEST_LAPLACE, TwoLaws, of_gaussian, of_laplace, of_pair
from .numerics.release_grid import Part, ReleaseBracket
from .numerics.rounding import exp_up, float_to, next_float, up
from .numerics.side import Error
from .numerics.walk import LARGEST_EPS, MOST_ANSWERS, loss_walk
from .optimum import Failure, optimal
from .pair import Pair
from .table import Table

if TYPE_CHECKING:
    from .figures import Picture

__all__ = [
    "Event", "Guarantee", "Release", "gaussian", "geometric", "laplace", "randomized_response", "staircase",
    "subsampled", "times",
]  # fmt: skip

MOST_OUTCOMES = 2**12  # of a product of finite pairs that is written down
MOST_EXACT = 64  # answers that are multiplied in fractions: their digits grow
RTOL = 1e-5  # how narrow brackets are
Mechanism = Guarantee | Pair | laplace | gaussian | FiniteNoise


# ------------------------------------------------------------------------------------------- the language of events


@dataclass(frozen=True)
class Event:
    """One mechanism, the rate at which it uses a record, and how often it was run with fresh randomness."""

    mechanism: Mechanism
    rate: Fraction | float = Fraction(1)
    count: int = 1

    @property
    def pair(self) -> Pair | None:
        """The worst pair (without, with the record) where it is finite, the rate included; else None."""
        found = _finite_pair(self.mechanism)
        return found if found is None or self.rate == 1 else _mixed(found, self.rate)

    @property
    def name(self) -> str:
        """What was done, in a few words."""
        mechanism = self.mechanism
        sampled = "" if self.rate == 1 else f", at rate {float(self.rate):.6g}"
        if isinstance(mechanism, Guarantee | Pair):
            return f"{mechanism!r}{sampled}"
        size = f"mu={mechanism.mu:.6g}" if isinstance(mechanism, gaussian) else f"eps={mechanism.eps:.6g}"
        return f"{type(mechanism).__name__}({size}){sampled}"


def as_event(thing: Event | Mechanism) -> Event:
    """Return an event; a mechanism alone is one that was run once."""
    if isinstance(thing, Event):
        return thing
    if not isinstance(thing, Mechanism):
        raise ValueError(
            "an event must be a Guarantee, a Pair, Laplace, Gaussian, geometric or staircase noise, or one of these "
            f"subsampled or several times, not {checks.shorten(thing)}"
        )
    return Event(thing)


def times(event: Event | Mechanism, k: int) -> Event:
    """Return the event run k times, each time with fresh randomness.

    >>> times(laplace(0.1), 20).count
    20
    """
    event = as_event(event)
    return replace(event, count=checks.count("k", event.count * checks.count("k", k)))


def subsampled(event: Event | Mechanism, rate: Fraction | float) -> Event:
    """Return the event on a random part of the records: each is used with probability `rate`, and nobody learns which.

    The pair (P, Q) becomes (P, (1 - rate) P + rate Q), as in lecture 3 (`dpteach.experiment.subsampled`). This is for
    neighbours with one record more or less. Twice subsampled is subsampled at the product of the rates.

    >>> from dpteach.experiment import subsampled as of_lecture_3
    >>> of_lecture_3(Guarantee(1), 0.1)
    Guarantee(epsilon=0.1585650787, delta=0)
    >>> round(Release(subsampled(Guarantee(1), 0.1)).epsilon(0), 9)
    0.158565079
    """
    event = as_event(event)
    checks.scalar("rate", rate, low=0, high=1)
    if event.count != 1:
        raise ValueError(
            "subsampled needs a single answer: write times(subsampled(event, rate), k) for a new sample each time; "
            f"{event.count} answers from one sample are no product of pairs, and cannot be certified here"
        )
    given = checks.fraction(rate) if checks.is_exact(rate) else float(rate)
    return replace(event, rate=given if event.rate == 1 else Fraction(event.rate) * Fraction(given))


def _finite_pair(mechanism: Mechanism) -> Pair | None:
    """Return the worst pair of a mechanism with finitely many likelihoods."""
    if isinstance(mechanism, Pair):
        return mechanism
    if isinstance(mechanism, Guarantee):
        return mechanism.curve
    return mechanism.pair if isinstance(mechanism, FiniteNoise) else None


def _mixed(pair: Pair, rate: Fraction | float) -> Pair:
    """Return the pair (P, (1 - rate) P + rate Q), with the errors of its floats."""
    error = Error(pair.error.units, mass=pair.error.mass)
    without = Pair._of(pair.p, pair.p, names=pair.outcomes, error=error)
    return Pair.mixture([1 - rate, rate], [without, pair])


# ------------------------------------------------------------------------------------------------------ the release


class Release(Curve):
    """Everything that was published, as one curve: `delta(eps)`, `epsilon(delta)`, and certified brackets of both.

    `rtol` is how narrow brackets should be where there is no closed form.

    >>> Release(times(gaussian(0.1), 100)).method
    'closed form: Gaussian noise adds up in squares'
    """

    def __init__(self, *events: Event | Mechanism, rtol: float = RTOL):
        self.events = [as_event(event) for event in events]
        self.rtol = checks.positive("rtol", rtol)
        self._known = [event for event in self.events if event.count > 0 and event.rate > 0]

    def __repr__(self) -> str:
        return f"<Release of {sum(event.count for event in self.events)} answers>"

    @cached_property
    def _way(self) -> tuple[str, Curve]:
        """How the curve is computed, and the curve: the first of the ways that applies."""
        ways = (_all_gaussian, _all_promises, _all_laplace, _small_product)
        found = next((way for way in (make(self._known) for make in ways) if way), None)
        return found or ("certified bracket on a grid", ReleaseCurve(self._known, self.rtol))

    @property
    def method(self) -> str:
        """How the curve is computed."""
        return self._way[0]

    @property
    def curve(self) -> Curve:
        """The curve that answers."""
        return self._way[1]

    @property
    def reached(self) -> bool:
        """Whether all brackets so far were as narrow as was asked for; those that were not hold all the same."""
        return bool(getattr(self.curve, "reached", True))

    @property
    def exact(self) -> bool:
        """Whether it answers in fractions."""
        return self.curve.exact

    def _delta_at(self, eps, rounding):
        return self.curve._delta_at(eps, rounding)

    def _epsilon_at(self, delta, rounding):
        return self.curve._epsilon_at(delta, rounding)

    def _exact_delta(self, ratio):
        return self.curve._exact_delta(ratio)

    def _exact_ratio(self, delta):
        return self.curve._exact_ratio(delta)

    @property
    def _tangents(self) -> tuple[np.ndarray, np.ndarray]:
        return self.curve._tangents

    def published(self, delta: float) -> Composed:
        """Return the smallest guarantee at `delta` that the published theorems give for this release.

        Gaussian noise enters them in two ways, and the smaller result counts: with half of delta, shared equally, for
        its own exact curve (Balle and Wang); and by concentrated privacy, where noise of mu counts as much as a pure
        guarantee of epsilon = mu (Bun and Steinke). Subsampled guarantees are those of lecture 3.
        """
        delta = checks.scalar("delta", delta, low=0, high=1)
        normal = sum(event.count for event in self._known if isinstance(event.mechanism, gaussian))
        share = delta / (2 * normal) if normal else 0.0
        found = [best(_repeated(self._known, lambda event: _guarantee(event, share)), delta)]
        if normal and all(event.rate == 1 for event in self._known if isinstance(event.mechanism, gaussian)):
            found.append(CONCENTRATED.at(_repeated(self._known, _concentrated), delta))
        return min(found, key=lambda guarantee: guarantee.epsilon)

    def table(self, delta: float) -> Table:
        """Return what each event loses alone, what all lose together, and what the theorems say, at one delta."""
        rows = [(event.name, event.count, Release(event, rtol=self.rtol).epsilon(delta)) for event in self.events]
        number = sum(event.count for event in self.events)
        theorem = self.published(delta)
        together = [("together", number, self.epsilon(delta)), (f"by {theorem.theorem}", number, theorem.epsilon)]
        return Table([*rows, *together], ["event", "times", "epsilon"])

    def plot(self, delta: float = 1e-6) -> Picture:
        """Draw delta against eps, with the best published bound at `delta`; return the picture (needs dpteach[lab])."""
        from .figures.accountant import release_curve

        return release_curve(self, delta)


def _repeated(events: Iterable[Event], guarantee_of: Callable[[Event], Guarantee]) -> Counter[Guarantee]:
    """Return the guarantee of each event, as often as it was run."""
    often: Counter[Guarantee] = Counter()
    for event in events:
        often[guarantee_of(event)] += event.count
    return often


def _guarantee(event: Event, share: float) -> Guarantee:
    """Return what is promised of one answer; for Gaussian noise at a delta of `share`."""
    mechanism = event.mechanism
    if isinstance(mechanism, gaussian):
        promise = Guarantee(mechanism.epsilon(share), share)
    elif isinstance(mechanism, Pair):
        promise = Guarantee(mechanism.epsilon(mechanism.delta(math.inf)), mechanism.delta(math.inf))
    else:
        promise = mechanism if isinstance(mechanism, Guarantee) else Guarantee(mechanism.eps)
    return promise if event.rate == 1 else subsampled_guarantee(promise, event.rate)


def _concentrated(event: Event) -> Guarantee:
    """Return the guarantee that is as concentrated: rho = mu^2 / 2 for Gaussian noise, as for epsilon = mu."""
    return Guarantee(event.mechanism.mu) if isinstance(event.mechanism, gaussian) else _guarantee(event, 0.0)


# ------------------------------------------------------------------------------------- where there is a closed form


def _all_gaussian(events: list[Event]) -> tuple[str, Curve] | None:
    """Gaussian noise alone: mu^2 is the sum of all mu_i^2 (Dong, Roth and Su), rounded up and down."""
    noises = [event.mechanism for event in events]
    if not events or not all(isinstance(noise, gaussian) for noise in noises) or any(e.rate != 1 for e in events):
        return None
    if len(events) == 1:
        return "closed form: Gaussian noise adds up in squares", noises[0] ** events[0].count
    parts = [noise**event.count for noise, event in zip(noises, events, strict=True)]
    together = gaussian(up(math.hypot(*(part.mu for part in parts))))
    together._least_mu = math.hypot(*(part._least_mu for part in parts)) * (1 - 1e-14)
    return "closed form: Gaussian noise adds up in squares", together


def _all_promises(events: list[Event]) -> tuple[str, Curve] | None:
    """Guarantees alone, and geometric noise of sensitivity 1, which is their worst case: the optimum (KOV)."""
    if not all(_is_promise(event) for event in events):
        return None
    promises = _repeated(events, lambda event: _guarantee(event, 0.0))
    return "the optimal composition of guarantees", optimal(promises)


def _is_promise(event: Event) -> bool:
    noise = event.mechanism
    is_coin = isinstance(noise, geometric) and noise.sensitivity == 1
    return event.rate == 1 and (isinstance(noise, Guarantee) or is_coin)


def _all_laplace(events: list[Event]) -> tuple[str, Curve] | None:
    """Laplace noise of one size: the walk of its losses."""
    sizes = {event.mechanism.eps for event in events if isinstance(event.mechanism, laplace) and event.rate == 1}
    one_size = len(sizes) == 1 and all(isinstance(e.mechanism, laplace) and e.rate == 1 for e in events)
    if not one_size or any(e.mechanism._least_eps != e.mechanism.eps for e in events):
        return None
    [eps], k = sizes, sum(event.count for event in events)
    if k == 1:
        return "closed form: one Laplace answer", events[0].mechanism
    if k > MOST_ANSWERS or eps > LARGEST_EPS:
        return None
    return "exact: the walk of Laplace losses", loss_walk(eps, k)


def _small_product(events: list[Event]) -> tuple[str, Curve] | None:
    """A product of finite pairs, written down if it has few outcomes; in fractions if all of them are."""
    pairs = [event.pair for event in events if _is_small(event)]
    if len(pairs) < len(events):
        return None
    ways = [math.comb(event.count + len(pair) - 1, len(pair) - 1) for event, pair in zip(events, pairs, strict=True)]
    if math.prod(ways) > MOST_OUTCOMES:
        return None
    if sum(event.count for event in events) > MOST_EXACT:
        pairs = [Pair._of(pair.p.astype(float), pair.q.astype(float), pair.losses, error=pair.error) for pair in pairs]
    powers = [pair**event.count for event, pair in zip(events, pairs, strict=True)]
    return "exact: the product of finite pairs", reduce(matmul, powers)


def _is_small(event: Event) -> bool:
    """Say whether the pair has few outcomes; noise on a coarse scale is not written down to find out."""
    if isinstance(event.mechanism, geometric) and event.mechanism.sensitivity > MOST_OUTCOMES:
        return False
    found = _finite_pair(event.mechanism)
    return found is not None and len(found) <= MOST_OUTCOMES


# ------------------------------------------------------------------------------------------- the certified bracket


class ReleaseCurve(Curve):
    """The curve of events of all kinds: both directions, each a `ReleaseBracket` and the chance of open failure."""

    def __init__(self, events: list[Event], rtol: float):
        forth = [Part(_laws(event, +1), _laws(event, -1), event.count) for event in events]
        self._ways = [OneWay(forth, rtol)]
        if not all(_is_symmetric(event) for event in events):
            self._ways.append(OneWay([part.reversed for part in forth], rtol))

    @property
    def reached(self) -> bool:
        """Whether all brackets so far were as narrow as was asked for; those that were not hold all the same."""
        return all(way.reached for way in self._ways)

    def _delta_at(self, eps, rounding):
        return np.max([way.delta(eps, rounding) for way in self._ways], axis=0)

    def _epsilon_at(self, delta, rounding):
        return np.max([way.epsilon(delta, rounding) for way in self._ways], axis=0)

    @cached_property
    def _tangents(self) -> tuple[np.ndarray, np.ndarray]:
        """e^eps, rounded up, and 1 - delta(eps), rounded down, from one grid for all of them."""
        largest = min(40.0, max(way.largest for way in self._ways))
        eps = np.linspace(0.0, largest, 1025)
        delta = np.max([way.quick_delta(eps) for way in self._ways], axis=0)
        return exp_up(eps), next_float(1 - delta, -1)


class OneWay:
    """One direction, P against Q: what gives the secret away, and the finite losses."""

    def __init__(self, parts: list[Part], rtol: float):
        self._lost_above = Failure([(Guarantee(0, part.above.only_p), part.count) for part in parts])
        self._lost_below = Failure([(Guarantee(0, part.below.only_p), part.count) for part in parts])
        nothing_finite = any(not len(part.above.losses) for part in parts)
        no_loss = all(part.above.size == 0 for part in parts)
        self._finite = None if nothing_finite or no_loss else ReleaseBracket(parts, rtol)

    @property
    def reached(self) -> bool:
        """Whether all brackets were as narrow as was asked for."""
        return self._finite is None or self._finite.reached

    @property
    def largest(self) -> float:
        """The largest finite loss."""
        return 0.0 if self._finite is None else self._finite.all.largest

    def _lost(self, rounding: int) -> float:
        failure = self._lost_above if rounding > 0 else self._lost_below
        return failure.lost_end(rounding)

    def delta(self, eps: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of delta at eps: what is lost for certain, and the finite losses above eps."""
        finite = np.zeros(np.shape(eps)) if self._finite is None else self._finite.delta(eps, rounding)
        return self._with_lost(finite, rounding)

    def quick_delta(self, eps: np.ndarray) -> np.ndarray:
        """Return upper ends of delta for many eps, not as narrow."""
        finite = np.zeros(np.shape(eps)) if self._finite is None else self._finite.quick_delta(eps)
        return self._with_lost(finite, +1)

    def _with_lost(self, finite: np.ndarray, rounding: int) -> np.ndarray:
        lost = max(self._lost(rounding), 0.0)
        both = next_float(lost + finite, rounding) if lost > 0 else finite
        return np.clip(both, 0.0, 1.0)

    def epsilon(self, delta: np.ndarray, rounding: int) -> np.ndarray:
        """Return an end of the smallest eps at delta; infinity if what is lost for certain is more than that."""
        lost = max(self._lost(rounding), 0.0)
        spare = delta - lost if lost == 0 else np.maximum(next_float(np.maximum(delta - lost, 0.0), -rounding), 0.0)
        finite = np.zeros(np.shape(delta)) if self._finite is None else self._finite.epsilon(spare, rounding)
        return np.where(delta < lost, np.inf, finite)


def _laws(event: Event, rounding: int) -> TwoLaws:
    """Return the laws of one answer, that lose a little more (+1) or a little less (-1) than the truth."""
    noise = event.mechanism
    rate = float_to(Fraction(event.rate), rounding)
    if isinstance(noise, laplace):
        _check_size("eps", noise.eps, LARGEST_LAPLACE)
        laws = of_laplace(noise.eps if rounding > 0 else noise._least_eps, rounding)
    elif isinstance(noise, gaussian):
        _check_size("mu", noise.mu, LARGEST_GAUSSIAN)
        laws = of_gaussian(noise.mu if rounding > 0 else noise._least_mu, rounding)
    else:
        laws = of_pair(_finite_pair(noise), rounding)
    return laws.sampled(rate)


def _check_size(name: str, value: float, most: float) -> None:
    if value > most:
        raise ValueError(f"{name} must be at most {most:g} in a release with other events, not {value:g}")


def _is_symmetric(event: Event) -> bool:
    """Say whether both directions lose the same: all noise does, and every guarantee."""
    return event.rate == 1 and not isinstance(event.mechanism, Pair)
