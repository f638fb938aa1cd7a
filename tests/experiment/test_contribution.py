"""The hospitals and the columns: worst subsets by trying all of them."""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest
import truth

from dpteach import Guarantee, optimal
from dpteach.composition import THEOREMS, compose_by
from dpteach.experiment import Hypothesis, column_bound, contribution, contribution_bound, hypothesis_dp

NAMES = (*THEOREMS, "optimal")


def approx(value):
    """Equal up to the order of the additions."""
    return pytest.approx(value, rel=1e-13, abs=1e-15)


def random_guarantees(draw, n):
    return [Guarantee(draw.choice([0.1, 0.3, 0.5, 1.0]), draw.choice([0, 1e-3, 0.02, 0.1])) for _ in range(n)]


@pytest.mark.parametrize("seed", range(4))
def test_the_worst_subset_by_trying_all(seed):
    """Guarantees that are not ordered: the largest epsilons need not be the worst."""
    draw = random.Random(seed)
    for _ in range(6):
        rounds, m = random_guarantees(draw, draw.randint(2, 5)), draw.randint(1, 3)
        m = min(m, len(rounds))
        for neighbours, size in (("unbounded", m), ("bounded", min(2 * m, len(rounds)))):
            bound = contribution_bound(rounds, m, neighbours)
            subsets = list(itertools.combinations(rounds, size))
            assert bound.rounds == size and bound.tight
            for delta in (0.0, 0.05, 0.3):
                assert bound.epsilon(delta) == approx(max(optimal(list(s)).epsilon(delta) for s in subsets))
                for name in NAMES:
                    told = max(float(compose_by(name, list(s), delta).epsilon) for s in subsets)
                    assert bound.by(name, delta).epsilon == approx(told)
                assert optimal(bound.worst_set(delta)).epsilon(delta) == approx(bound.epsilon(delta))
            assert bound.delta(0.4) == approx(max(optimal(list(s)).delta(0.4) for s in subsets))
            basic = [compose_by("basic", list(s)) for s in subsets]
            assert bound.by("basic").epsilon == max(g.epsilon for g in basic)
            assert bound.by("basic").delta == max(g.delta for g in basic)


def test_it_bounds_what_the_experiment_shows():
    """Nowhere against any law on the vectors with at most m ones; "bounded": any two such laws."""
    draw = random.Random(9)
    rounds, m = [Guarantee(1.0), Guarantee(0.2, 0.1), Guarantee(0.5, 0.01), Guarantee(0.7)], 1
    possible = [b for b in itertools.product((0, 1), repeat=4) if sum(b) <= m]
    one, two = (contribution_bound(rounds, m, n) for n in ("unbounded", "bounded"))
    for _ in range(25):
        laws = []
        for _ in range(2):
            weights = [draw.random() for _ in possible]
            laws.append(Hypothesis.from_dict({b: w / sum(weights) for b, w in zip(possible, weights, strict=True)}))
        for eps in (0.0, 0.5, 1.0):
            somewhere = hypothesis_dp(rounds, Hypothesis.point("0000"), laws[0])
            assert somewhere.delta(eps) <= one.delta(eps) * (1 + 1e-12)
            assert hypothesis_dp(rounds, *laws).delta(eps) <= two.delta(eps) * (1 + 1e-12)


def test_top_m_is_wrong_for_unordered_guarantees():
    rounds = [Guarantee(1.0, 0.0), Guarantee(0.5, 0.2), Guarantee(0.1, 0.3)]
    bound = contribution_bound(rounds, 1)
    assert bound.worst_set(0.0) == [rounds[2]] or bound.epsilon(0.0) == math.inf
    assert bound.worst_set(0.5) == [rounds[0]] or bound.epsilon(0.5) == 0
    assert bound.worst_name(0.25) != bound.worst_name(0.31)


def test_candidates_that_look_alike_are_all_kept():
    """Epsilons that differ in the eighth digit have the same six-digit name."""
    a, b = Guarantee(0.12345671, 1e-6), Guarantee(0.1234567, 1.00000001e-6)
    bound = contribution_bound([a, b], 1)
    assert len(bound.sets) == 2
    for eps in (0.0, 0.1234567, 0.2):
        assert bound.delta(eps) == max(optimal(a).delta(eps), optimal(b).delta(eps))


def test_too_many_candidates_are_bounded_safely():
    draw = random.Random(4)
    rounds = [Guarantee(0.1 + 0.01 * i, 0.01 * (12 - i)) for i in range(12)]
    bound = contribution_bound(rounds, 6)
    assert not bound.tight
    for _ in range(60):
        subset = draw.sample(rounds, 6)
        assert bound.epsilon(0.6) >= optimal(subset).epsilon(0.6)
        assert bound.delta(0.5) >= optimal(subset).delta(0.5)


def test_the_hospitals():
    """HBW, section V-A: 365 of 1000 hospitals, 730 if neighbours are bounded."""
    for neighbours, n in (("unbounded", 365), ("bounded", 730)):
        bound = contribution_bound(Guarantee(0.01), 365, neighbours, k=1000)
        assert bound.rounds == n
        assert bound.epsilon(1e-6) == pytest.approx(float(truth.optimal_epsilon(0.01, 0, n, 1e-6)), rel=1e-12)
        assert bound.by("basic").epsilon == pytest.approx(n / 100)
        assert bound.by("advanced", 1e-6).epsilon == pytest.approx(float(truth.advanced([(0.01, 0, n)], 1e-6)))
        assert bound.parallel().epsilon == pytest.approx(n / 100)
        assert bound.classic("optimal", 1e-6).epsilon == optimal(Guarantee(0.01), k=1000).epsilon(1e-6)
    mixed = [Guarantee(0.02)] * 200 + [Guarantee(0.01)] * 300 + [Guarantee(0.005)] * 500
    bound = contribution_bound(mixed, 365)
    assert bound.epsilon(1e-6) == pytest.approx(1.33356322244362, rel=1e-6)
    assert bound.parallel().epsilon == pytest.approx(7.3) and bound.parallel(sharp=True).epsilon == pytest.approx(5.65)
    assert [row[0] for row in bound.table(1e-6).rows][-1] == "parallel"


def test_parallel_composition_is_for_pure_guarantees():
    with pytest.raises(ValueError, match="pure"):
        contribution_bound(Guarantee(0.1, 1e-9), 2, k=3).parallel()
    assert len(contribution_bound(Guarantee(0.1, 1e-9), 2, k=3).table(0.1).rows) == len(NAMES)


def test_columns_against_all_pairs_of_users():
    """Free, paying and no user as vectors over the queries: only where they differ counts."""
    common, free, paid = [Guarantee(0.5)], [Guarantee(0.3, 0.01), Guarantee(0.2)], [Guarantee(0.9, 0.001)]
    everything = [*common, *free, *paid]
    users = {"nobody": "0000", "free": "1110", "paying": "1001"}

    def exact(pairs, delta):
        return max(
            hypothesis_dp(everything, *(Hypothesis.point(users[u]) for u in two)).epsilon(delta) for two in pairs
        )

    nobody = [("nobody", "free"), ("nobody", "paying")]
    for delta in (0.02, 0.1):
        unbounded, bounded = (column_bound(common, free, paid, n) for n in ("unbounded", "bounded"))
        assert unbounded.epsilon(delta) == exact(nobody, delta)
        assert bounded.epsilon(delta) == exact([*nobody, ("free", "paying")], delta)
        known = column_bound(common, free, paid, "bounded", known_user=True)
        assert known.epsilon(delta) == exact([("free", "paying")], delta)
        assert unbounded.by("basic").epsilon == pytest.approx(1.4)
    assert np.allclose(bounded.epsilon(np.array([0.02, 0.1])), [bounded.epsilon(0.02), bounded.epsilon(0.1)])


def test_candidates_are_the_sets_that_leave_no_larger_guarantee_out():
    """Against all subsets, for guarantees of which some are larger than others in both numbers."""
    draw = random.Random(3)
    for _ in range(40):
        rounds, n = random_guarantees(draw, draw.randint(1, 7)), draw.randint(1, 4)
        n = min(n, len(rounds))
        found = [as_set(subset.elements()) for subset in contribution._candidates(Counter(rounds), n)]
        every = {as_set(chosen) for chosen in itertools.combinations(rounds, n)}
        kept = {chosen for chosen in every if not leaves_a_larger_one_out(rounds, list(chosen))}
        assert len(found) == len(kept) and set(found) == kept


def as_set(guarantees):
    return tuple(sorted(guarantees, key=tuple))


def leaves_a_larger_one_out(rounds, chosen):
    others = Counter(rounds) - Counter(chosen)
    return any(a != b and a.epsilon <= b.epsilon and a.delta <= b.delta for a in chosen for b in others)


def test_thousands_of_guarantees_that_are_not_ordered():
    """The tree of choices is as deep as the list is long; nobody walks it to its end."""
    rounds = [Guarantee(0.1 + 1e-4 * i, 1e-6 * (3000 - i)) for i in range(3000)]
    for at_most in (2, 1500, 2999):
        bound = contribution_bound(rounds, at_most)
        assert not bound.tight and bound.by("basic").epsilon >= sum(g.epsilon for g in rounds[:at_most])
        assert len(bound.worst_name(None, "basic")) < 500
    assert contribution_bound(rounds, 3000).tight
    two_kinds = contribution_bound(Counter({Guarantee(0.1, 1e-9): 10**6, Guarantee(0.2): 10**6}), 10**6)
    assert two_kinds.rounds == 10**6 and not two_kinds.tight
    ordered = contribution_bound([Guarantee(0.001 * i) for i in range(3000)], 1500)
    assert ordered.tight and ordered.parallel(sharp=True).epsilon >= sum(0.001 * i for i in range(1500, 3000))


def test_the_worst_set_is_a_curve():
    """Both ends, the trade-off and the region are those of the worst subset, whichever that is."""
    rounds = [Guarantee(1.0), Guarantee(0.5, 0.1), Guarantee(0.1, 0.3)]
    bound = contribution_bound(rounds, 2)
    curves = [optimal(list(pair)) for pair in itertools.combinations(rounds, 2)]
    for eps in (0.0, 0.4, 1.2):
        ends = [curve.bracket(eps=eps) for curve in curves]
        assert bound.bracket(eps=eps) == approx((max(low for low, _ in ends), max(high for _, high in ends)))
    for alpha in (0.0, 0.1, 0.5, 1.0):
        assert bound.tradeoff(alpha) == approx(min(curve.tradeoff(alpha) for curve in curves))
    assert all(bound.dominates(curve) for curve in curves)
    assert not any(curve.dominates(bound) for curve in curves)
    assert bound.worst(0.0)[1].delta(0.0) == bound.delta(0.0)
    assert bound.region().min() == 0 and bound.region().max() == 1


def best_adaptive(pairs, asks, ratio, p=1, q=1):
    """Return the most that an adversary gains who asks about the target in `asks` rounds, the next one by the answers.

    `pairs` lists the worst pairs of the rounds that are left, in any order that she likes.
    """
    best = max(p - ratio * q, 0)
    for i, pair in enumerate(pairs) if asks else ():
        others = pairs[:i] + pairs[i + 1 :]
        answers = [(a, b) for a, b in zip(*pair, strict=True) if a or b]
        best = max(best, sum(best_adaptive(others, asks - 1, ratio, p * a, q * b) for a, b in answers))
    return best


def test_guarantees_of_databases_may_be_asked_for_in_any_order():
    """The target's databases are a fixed set: no adaptive order gains more than their composition."""
    draw = random.Random(5)
    for _ in range(6):
        guarantees = random_guarantees(draw, 3)
        bound, at = contribution_bound(guarantees, 2), draw.uniform(0, 2)
        own = [
            best_adaptive([truth.worst_pair(math.exp(eps), delta) for eps, delta in chosen], 2, math.exp(at))
            for chosen in itertools.combinations(guarantees, 2)
        ]
        assert bound.delta(at) == approx(max(own))


def test_incomparable_guarantees_of_rounds_need_a_fixed_order():
    """Of (1, 0), (1, 0) and (0, 0.2) the second round is chosen by the first answer: 0.392 instead of 0.338."""
    guarantees = [Guarantee(1), Guarantee(1), Guarantee(0, 0.2)]
    pairs = [truth.worst_pair(math.exp(eps), delta) for eps, delta in guarantees]
    assert best_adaptive(pairs, 2, math.e) == pytest.approx(0.39162299642104, rel=1e-12)
    assert contribution_bound(guarantees, 2).delta(1) == pytest.approx(0.337834712147041, rel=1e-12)
    ordered = [Guarantee(1), Guarantee(1), Guarantee(1, 0.2)]
    pairs = [truth.worst_pair(math.exp(eps), delta) for eps, delta in ordered]
    assert best_adaptive(pairs, 2, math.e) == approx(contribution_bound(ordered, 2).delta(1))
