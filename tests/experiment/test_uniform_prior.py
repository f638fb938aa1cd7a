"""An adversary who knows little: Theorem 3 and its corollaries against the exact value; subsampling against pairs."""

import math
import random
from fractions import Fraction

import pytest
import truth_experiment as truth
from mpmath import mp

from dpteach import Guarantee, Pair
from dpteach.experiment import Hypothesis, hypothesis_dp, prior, subsampled, uniform_prior
from dpteach.experiment.prior import uniform_epsilon
from dpteach.mechanisms import randomized_response

THEOREMS = [("basic", None), ("optimal", 0.3), ("kov_closed_form", 0.2)]


def holds(curve, eps, delta, direction="both"):
    """Say whether (eps, delta) is at least the exact curve, up to the outward rounding of the latter."""
    return eps == math.inf or curve.delta(float(eps), direction) <= float(delta) * (1 + 1e-10) + 1e-12


def test_the_exact_value_is_that_of_the_definition():
    rounds = [Guarantee(0.4, 0.01), Guarantee(1.1), Guarantee(0.2, 0.1)]
    exact = uniform_prior(rounds).exact
    zero, others = {(0, 0, 0): 1}, truth.uniform(truth.vectors(3, {1, 2, 3}))
    others = {b: truth.as_mp(w) for b, w in others.items()}
    p, q = truth.hypothesis_pair([truth.kov(*g) for g in rounds], zero, others)
    for eps in (0.0, 0.5, 1.0):
        assert exact.delta(eps, "pq") == pytest.approx(float(truth.delta_at(p, q, mp.exp(eps))), rel=1e-11)
        assert exact.delta(eps, "qp") == pytest.approx(float(truth.delta_at(q, p, mp.exp(eps))), rel=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_bounds_hold_where_they_say_so(seed):
    draw = random.Random(seed)
    for _ in range(25):
        k = draw.randint(1, 5)
        rounds = [Guarantee(draw.choice([0, 0.3, 1, 3, 6]), draw.choice([0, 0, 0.01, 0.2])) for _ in range(k)]
        rounds = rounds if draw.random() < 0.7 else rounds[:1] * k
        known, (theorem, delta) = uniform_prior(rounds), draw.choice(THEOREMS)
        for recipe in (known.theorem_3(theorem, delta), known.corollary_6(theorem, delta)):
            for direction, valid in recipe.valid.items():
                assert holds(known.exact, *recipe, direction) or not valid
            assert recipe.valid["qp"] and holds(known.exact, *recipe.corrected)
        somewhere, nowhere = known.by_subsampling(theorem, delta)
        assert holds(known.exact, *somewhere, "qp") and holds(known.exact, *nowhere, "pq")
        if len(set(rounds)) == 1:
            assert holds(known.exact, *known.corollary_7())


def test_theorem_3_fails_in_one_direction():
    """k = 2 with (0, 1/10) and (log 20, 0): said 1/15, exact 139/1890, corrected 8/101."""
    known = uniform_prior([Guarantee(0, 0.1), Guarantee(math.log(20))])
    for recipe in (known.theorem_3(), known.corollary_6()):
        assert math.exp(recipe.epsilon) == pytest.approx(41 / 3) and recipe.delta == pytest.approx(1 / 15)
        assert known.exact.delta(recipe.epsilon, "pq") == pytest.approx(139 / 1890, rel=1e-9)
        assert known.exact.delta(recipe.epsilon, "qp") == pytest.approx(1 / 15, rel=1e-9)
        assert recipe.valid == {"pq": False, "qp": True}
        assert recipe.corrected.delta == pytest.approx(8 / 101)
        with pytest.raises(ValueError, match="no guarantee"):
            _ = recipe.guarantee


def test_corollary_7_is_tight_and_rounded_up():
    """Its epsilon is that of randomized response at the view 11...1; the delta is off by O(delta^2)."""
    for k in (1, 2, 3, 10, 40):
        for eps in (1e-12, 0.1, 1.0, 20.0):
            x = mp.exp(mp.mpf(eps))
            true = mp.log(((1 + x) ** k - 1) / (mp.mpf(2) ** k - 1))
            told = uniform_prior(Guarantee(eps), k=k).corollary_7()
            assert true <= told.epsilon <= true * (1 + 1e-13)
            if eps > 0.01:
                assert uniform_prior(Guarantee(eps), k=k).exact.epsilon(0, "qp") == pytest.approx(float(true), rel=1e-9)
    told = uniform_prior(Guarantee(0.5, 1e-4), k=10).corollary_7()
    assert tuple(told) == pytest.approx((2.810216238894993, 0.0005004887585532747), rel=1e-12)
    assert uniform_epsilon(math.inf, 3) == math.inf


def test_weights_are_those_of_the_first_round():
    weights = uniform_prior(Guarantee(1), k=5).weights
    for i, weight in enumerate(weights):
        first = [b for b in truth.vectors(5) if any(b) and b.index(1) == i]
        assert weight == Fraction(len(first), 31)


def test_by_subsampling_with_basic_composition_is_corollary_7():
    known = uniform_prior(Guarantee(0.7, 1e-3), k=6)
    somewhere, nowhere = known.by_subsampling()
    assert tuple(somewhere) == pytest.approx(tuple(known.corollary_7()), rel=1e-12)
    x = math.exp(0.7)
    assert nowhere.epsilon == pytest.approx(math.log(63 / ((1 + 1 / x) ** 6 - 1)), rel=1e-12)


def test_a_million_rounds(monkeypatch):
    """Equal guarantees are subsampled once; Theorem 3, which composes k times, refuses."""
    asked = []
    monkeypatch.setattr(prior, "subsampled", lambda g, **how: asked.append(g) or subsampled(g, **how))
    million = uniform_prior(Guarantee(0.1), k=10**6)
    assert asked == [Guarantee(0.1)] and million.corollary_7().epsilon == pytest.approx(51249.47950969, rel=1e-9)
    assert million.exact.epsilon(0) == pytest.approx(million.corollary_7().epsilon, rel=1e-9)
    for ask in (million.theorem_3, million.corollary_6, lambda: million.weights):
        with pytest.raises(ValueError, match=r"at most 2000 rounds, .*, not 1000000; use exact") as caught:
            ask()
        assert "\n" not in str(caught.value)


# ----------------------------------------------------------------------------------------------------- subsampling


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(1, 7), Fraction(9, 10), Fraction(0), Fraction(1)])
def test_subsampled_guarantees_are_tight(rate):
    """The worst pair, subsampled: the smallest epsilon at delta' is eps', in either direction."""
    for x, delta in ((3, Fraction(0.1)), (20, Fraction(1 / 3)), (2, Fraction(0))):
        p, q = truth.worst_pair(Fraction(x), delta)
        mixed = [(1 - rate) * a + rate * b for a, b in zip(p, q, strict=True)]
        guarantee = Guarantee(math.log(x), float(delta))
        for direction, (a, b) in {"qp": (mixed, p), "pq": (p, mixed)}.items():
            told = subsampled(guarantee, rate, direction)
            grown = 1 + rate * (x - 1) if direction == "qp" else 1 / (1 - rate + rate / x)
            lost = rate * delta if direction == "qp" else rate * delta * grown / x
            assert truth.ratio_at(a, b, lost) == grown and truth.delta_at(a, b, grown) == lost
            assert math.exp(told.epsilon) == pytest.approx(float(grown), rel=1e-13)
            assert told.delta >= lost or direction == "pq"  # which rounds the epsilon as well
            assert told.delta == pytest.approx(float(lost), rel=1e-13)
        assert subsampled(guarantee, rate) == subsampled(guarantee, rate, "qp")


def test_subsampled_epsilons_are_rounded_up():
    for eps in (1e-15, 0.2, 30.0, 40.0, 600.0, 668.0, 668.3, 670.0, 800.0):
        for rate in (1e-290, 3e-291, 0.3, 0.5, 1 - 2**-50):
            x, q = mp.exp(mp.mpf(eps)), mp.mpf(rate)
            up, down = mp.log1p(q * (x - 1)), -mp.log1p(-q * (1 - 1 / x))
            assert up <= subsampled(Guarantee(eps), rate).epsilon <= up * (1 + 1e-12) + 5e-324
            assert down <= subsampled(Guarantee(eps), rate, "pq").epsilon <= down * (1 + 1e-12) + 5e-324


def test_subsampled_pairs():
    pair = subsampled(randomized_response(ratio=3))
    assert pair.exact and list(pair.q) == [Fraction(1, 2), Fraction(1, 2)] and pair.ratio(0, "qp") == 2
    floats = subsampled(Pair([0.9, 0.1], [0.2, 0.8]), 0.25)
    assert list(floats.q) == pytest.approx([0.725, 0.275]) and floats.outcomes == [0, 1]


def test_the_uniform_law_on_all_vectors_is_subsampling():
    rounds = [randomized_response(ratio=r) for r in (2, 3, 5)]
    curve = hypothesis_dp(rounds, Hypothesis.point("000"), Hypothesis.at_least(3, 0))
    product = subsampled(rounds[0]) @ subsampled(rounds[1]) @ subsampled(rounds[2])
    for ratio in (1, Fraction(3, 2), 2):
        assert curve.delta(ratio=ratio, direction="pq") == product.delta(ratio=ratio, direction="pq")
        assert curve.delta(ratio=ratio, direction="qp") == product.delta(ratio=ratio, direction="qp")


@pytest.mark.parametrize("delta", [5e-324, 1.5e-323, 1e-310])
@pytest.mark.parametrize("rate", [Fraction(1, 2), 0.3, Fraction(1, 3), 0.999])
def test_the_smallest_deltas_do_not_vanish(delta, rate):
    for direction in ("qp", "pq"):
        told = subsampled(Guarantee(1.0, delta), rate, direction).delta
        assert (
            Fraction(told) >= Fraction(rate) * Fraction(delta) * (1 if direction == "qp" else Fraction(math.exp(-1)))
            and told > 0
        )
    assert subsampled(Guarantee(delta), rate).epsilon > 0 and subsampled(Guarantee(delta), rate, "pq").epsilon > 0
    for k in (1, 2, 5):
        prior = uniform_prior(Guarantee(1.0, delta), k=k)
        assert Fraction(prior.corollary_7().delta) >= k * Fraction(delta) * 2 ** (k - 1) / (2**k - 1)
        assert prior.theorem_3().delta > 0
