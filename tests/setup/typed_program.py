"""A user's program: what one typically does with each part of the library, in types that a strict checker believes.

`test_typed.py` runs it, and lets mypy read it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import dpteach
from dpteach import Guarantee, Pair, Table, claim, composition, ledger, mechanisms, optimal, planning, question
from dpteach.accountant import Event, Release, subsampled, times
from dpteach.annotations import Number
from dpteach.channel import Channel
from dpteach.composition import Composed
from dpteach.curve import Curve, WorstCase, as_curve
from dpteach.data import registry
from dpteach.experiment import Hypothesis, contribution_bound, hypothesis_dp, uniform_prior, view_pair
from dpteach.granularity import DatabaseClass, Granularity, Partition, bounded, sensitivity, unbounded
from dpteach.leakage import LeakyMechanism, Report, adaptive_delta, big_world, examples
from dpteach.notions import Approximate, FiniteMechanism, Gaussian, Pure, ZeroConcentrated, compose, group_factor


def curves() -> tuple[float, np.ndarray, Number]:
    """Ask a curve for a number, for an array, and in fractions."""
    pair = Pair([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)])
    product: Pair = (pair @ pair).merged()
    power: Pair = pair**3
    low, high = power.bracket(delta=1e-6)
    ends: tuple[float, float] = low, high
    assert ends[0] <= ends[1] and product.dominates(pair)
    one_way: float = product.epsilon(0.1, direction="pq")
    assert one_way >= 0 and len(power.lower_boundary) > 2
    beta: float = pair.tradeoff(0.25)
    betas: np.ndarray = pair.tradeoff(np.array([0.1, 0.2]))
    assert betas.shape == (2,) and beta <= 1
    return pair.epsilon(1e-6), pair.delta(np.array([0.0, 1.0])), pair.delta(ratio=2)


def further_pairs(rng: np.random.Generator) -> Pair:
    """Build pairs of pairs."""
    coin = mechanisms.randomized_response(ratio=3)
    mixed = Pair.mixture([0.5, 0.5], [coin, coin.reversed()])
    assert coin.renyi(2.0) > 0 and coin.total_variation() == Fraction(1, 2)
    outcomes = coin.sample(rng, size=3)
    assert len(outcomes) == 3 and mixed.given([0]).outcomes == [0]
    return coin.then([[1, 0], [0, 1]], outcomes=["yes", "no"])


def guarantees() -> Composed:
    """Compose guarantees by the theorems, and optimally."""
    each = Guarantee(0.1, 1e-9)
    eps, delta = each
    by_all: list[Composed] = [
        composition.basic(each, k=100),
        composition.advanced(each, slack=1e-6, k=100),
        composition.concentrated(each, slack=1e-6, k=100),
        composition.kov_closed_form([each] * 100, slack=1e-6),
        composition.sharper(each, slack=1e-6, k=100),
        composition.compose_by("optimal", each, delta=1e-6, k=100),
    ]
    table: Table = composition.theorems(each, k=3)
    assert len(table) == len(table.column("theorem")) and eps > delta
    exact: float = optimal(each, k=100).epsilon(1e-6)
    assert exact <= min(guarantee.epsilon for guarantee in by_all)
    return composition.best(each, delta=1e-6, k=100)


def noises(rng: np.random.Generator) -> float:
    """Plan noise, add it, and read its curve."""
    scale: float = planning.noise_scale(10, 1.0, 1e-6, "laplace", "optimal")
    added: list[mechanisms.Noise] = [
        mechanisms.laplace(scale=scale),
        mechanisms.gaussian(0.5),
        mechanisms.geometric(1.0),
        mechanisms.staircase(1.0),
    ]
    answers = [noise.sample(7, rng) for noise in added]
    assert len(answers) == 4 and all(noise.variance > 0 for noise in added)
    composed: mechanisms.gaussian = mechanisms.gaussian(0.5) ** 10
    chooser: Pair = mechanisms.exponential_mechanism([1.0, 0.0], [0.0, 0.5], 1.0)
    assert chooser.epsilon() <= 1.0 + 1e-9
    return composed.mu


def whole_release() -> Release:
    """Write down what was published."""
    sampled: Event = subsampled(mechanisms.laplace(1), rate=0.1)
    release = Release(Guarantee(0.1), mechanisms.gaussian(0.2), times(sampled, 5))
    eps: float = release.epsilon(1e-6)
    assert eps <= release.published(1e-6).epsilon and isinstance(release.table(1e-6), Table)
    return release


def experiments() -> float:
    """Test hypotheses about bit vectors."""
    hypothesis = Hypothesis.uniform(["01", "10"])
    curve: Curve = hypothesis_dp(Guarantee(1), Hypothesis.point("00"), hypothesis)
    assert contribution_bound(Guarantee(0.01), at_most=3, k=10).epsilon(1e-6) > 0
    assert uniform_prior(Guarantee(1), k=2) is not None and view_pair is not None
    return curve.epsilon(0)


def leaks() -> Report:
    """Leak something beside the answers."""
    pad: LeakyMechanism = examples.one_time_pad(1)
    assert adaptive_delta(pad, 1, 0.0) >= 0 and big_world is not None
    released: LeakyMechanism = pad.released()
    assert released.without_leak().delta(0.0) >= 0
    return pad.report(0.0)


def neighbours() -> Number:
    """Choose neighbours, and promise something about them."""
    databases = DatabaseClass.multisets("ab", at_most=2)
    kinds: list[Granularity] = [unbounded, bounded]
    spaces = [kind.on(databases) for kind in kinds]
    promises = [
        Pure(spaces[0], 1),
        Approximate(spaces[0], 1, 0.01),
        ZeroConcentrated(spaces[0], 1),
        Gaussian(spaces[0], 1),
    ]
    assert promises[0].delta(1.0) == 0 and compose(promises[:1]) is not None
    assert sensitivity(len, spaces[0], lambda x, y: abs(x - y)) == 1
    counts = FiniteMechanism.noisy_count(databases, ratio=2)
    assert Partition.by_record(["a", "b"])(("a", "b")) is not None and counts.loss("", "a") > 0
    return group_factor(3, ratio=2)


def further() -> str:
    """Everything else that has a front door."""
    channel = Channel({"x": {0: Fraction(1)}, "y": {0: Fraction(1, 2), 1: Fraction(1, 2)}})
    worst: WorstCase = channel.worst()
    assert as_curve(Guarantee(1)).epsilon() == 1.0 and worst.delta(0.0) == 0.5
    assert len(registry()) > 1000 and question("1.1") is not None and len(ledger(source="KOV").claims) > 0
    return f"{dpteach.__version__}: {claim('KOV-Thm-3.3')!r}"


def main() -> None:
    """Do all of it."""
    rng = np.random.default_rng(0)
    print(curves(), further_pairs(rng), guarantees(), noises(rng), whole_release())
    print(experiments(), leaks(), neighbours(), further())


if __name__ == "__main__":
    main()
