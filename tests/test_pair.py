"""A pair of distributions against brute force over all events, in exact fractions, and its laws."""

from fractions import Fraction as F
from math import inf, isinf, log

import numpy as np
import pytest
import truth
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from dpteach import Pair

pytestmark = pytest.mark.filterwarnings("error")  # a warning would spoil a notebook

RR = ([F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)])
SKEW = ([F(1, 2), F(1, 3), F(1, 6), F(0)], [F(0), F(1, 4), F(1, 4), F(1, 2)])
EMPTY_OUTCOME = ([F(1, 2), F(0), F(1, 2)], [F(1, 3), F(0), F(2, 3)])
PAIRS = [RR, SKEW, EMPTY_OUTCOME, truth.worst_pair(F(2), F(1, 10)), ([F(1)], [F(1)])]
RATIOS = [F(1), F(3, 2), F(2), F(3), F(10)]


@st.composite
def laws(draw, size=None, top=8):
    """Draw one distribution with small integer weights, zeros included."""
    size = size or draw(st.integers(1, 5))
    weights = draw(st.lists(st.integers(0, top), min_size=size, max_size=size).filter(any))
    return [F(w, sum(weights)) for w in weights]


@st.composite
def pairs(draw, size=None):
    """Draw the two distributions of a pair."""
    p = draw(laws(size))
    return p, draw(laws(len(p)))


@st.composite
def channels(draw, rows):
    """Draw a row-stochastic matrix of fractions."""
    columns = draw(st.integers(1, 4))
    return [draw(laws(columns)) for _ in range(rows)]


def exact(array):
    """Return an array's entries as a list of fractions, failing on floats."""
    flat = list(np.asarray(array, dtype=object).ravel())
    assert all(isinstance(x, F | int) for x in flat)
    return flat


def floats(pair):
    """Return the same pair in floats."""
    return Pair([float(x) for x in pair[0]], [float(x) for x in pair[1]])


def random_pairs(seed, count, size=5):
    """Return float pairs from a seeded generator, some with zeros."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        p, q = rng.dirichlet(np.ones(size), 2)
        if rng.random() < 0.3:
            p[0], p[1] = 0, p[0] + p[1]
        if rng.random() < 0.3:
            q[2], q[3] = 0, q[2] + q[3]
        yield p, q


# delta, both directions


@given(pairs(), st.fractions(1, 20))
def test_delta_is_the_best_event(pair, ratio):
    ours = Pair(*pair)
    forth, back = truth.delta_by_events(*pair, ratio), truth.delta_by_events(*pair[::-1], ratio)
    assert ours.exact
    assert ours.delta(ratio=ratio, direction="pq") == forth
    assert ours.delta(ratio=ratio, direction="qp") == back
    assert ours.delta(ratio=ratio) == max(forth, back)
    assert isinstance(ours.delta(ratio=ratio), F | int)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("eps", [0, 0.1, log(2), 1.0, 3.0, 40.0, 800.0])
def test_float_delta(pair, eps):
    ours = floats(pair)
    ratio = mp.exp(mp.mpf(eps))
    forth = truth.hockey_stick([truth.quotient(x) for x in pair[0]], [truth.quotient(x) for x in pair[1]], ratio)
    assert not ours.exact
    assert float(ours.delta(eps, direction="pq")) == pytest.approx(float(forth), rel=1e-12, abs=1e-15)
    assert ours.delta(eps, "qp") == pytest.approx(ours.reversed().delta(eps, "pq"), rel=1e-12, abs=1e-15)


def test_delta_at_infinite_epsilon_is_the_mass_q_cannot_explain():
    pair = Pair(*SKEW)
    assert pair.delta(inf, "pq") == F(1, 2)
    assert pair.delta(inf, "qp") == F(1, 2)
    assert Pair(*RR).delta(inf) == 0


def test_delta_takes_arrays_and_scalars():
    pair = floats(RR)
    grid = np.array([[0.0, log(2)], [log(3), 5.0]])
    values = pair.delta(grid)
    assert values.shape == grid.shape
    assert values == pytest.approx(np.array([[0.5, 0.25], [0.0, 0.0]]), abs=1e-15)
    assert np.ndim(pair.delta(0.5)) == 0
    assert [pair.delta(e) for e in grid.ravel()] == pytest.approx(list(values.ravel()), abs=1e-15)
    assert pair.epsilon(np.array([0.5, 0.25, 0.0])) == pytest.approx([0, log(2), log(3)], abs=1e-12)


# epsilon and ratio, the inverse


@given(pairs(), st.fractions(0, 1))
def test_ratio_is_the_smallest_over_events(pair, delta):
    ours = Pair(*pair)
    forth, back = truth.ratio_by_events(*pair, delta), truth.ratio_by_events(*pair[::-1], delta)
    assert ours.ratio(delta, "pq") == forth
    assert ours.ratio(delta, "qp") == back
    assert ours.ratio(delta) == max(forth, back)
    assert float(ours.epsilon(delta)) == pytest.approx(log(max(forth, back)) if max(forth, back) < inf else inf)


@given(pairs(), st.fractions(0, 1))
def test_curve_and_inverse_round_trip(pair, delta):
    ours = Pair(*pair)
    ratio = ours.ratio(delta)
    if ratio == inf:
        assert ours.delta(inf) > delta
    else:
        assert ours.delta(ratio=ratio) <= delta
        assert ratio == 1 or ours.delta(ratio=ratio) == delta


def test_float_round_trip():
    for p, q in random_pairs(1, 100):
        pair = Pair(p, q)
        reachable = np.linspace(float(pair.delta(inf)), float(pair.delta(0)), 9)[1:-1]
        assert pair.delta(pair.epsilon(reachable)) == pytest.approx(reachable, rel=1e-12)


def test_epsilon_below_the_reachable_delta_is_infinite():
    pair = Pair(*SKEW)
    assert isinf(pair.epsilon(F(49, 100)))
    assert not isinf(pair.epsilon(F(1, 2)))
    assert floats(RR).epsilon(0) == pytest.approx(log(3), rel=1e-14)
    assert floats(RR).epsilon(0.5) == 0 and floats(RR).epsilon(1) == 0


# Trade-off and region


def hull_of_all_tests(p, q):
    """Return the sorted vertices of the hull of the errors (1 - Q(E), P(E)) of all 2^n tests, as floats."""
    points = [(1 - sum((q[i] for i in e), F(0)), sum((p[i] for i in e), F(0))) for e in truth.events(len(p))]
    return sorted((float(x), float(y)) for x, y in truth.convex_hull(points))


@pytest.mark.parametrize("pair", PAIRS)
def test_region_is_the_hull_of_all_tests(pair):
    hull = [pytest.approx(v) for v in hull_of_all_tests(*pair)]
    assert sorted(map(tuple, np.asarray(Pair(*pair).region(), dtype=float))) == hull


@given(pairs(4))
def test_region_of_random_pairs(pair):
    hull = [pytest.approx(v) for v in hull_of_all_tests(*pair)]
    assert sorted(map(tuple, np.asarray(Pair(*pair).region(), dtype=float))) == hull


@given(st.fractions(F(11, 10), 20), st.fractions(F(1, 50), F(1, 2)))
def test_region_in_floats_keeps_every_vertex(ratio, delta):
    pair = truth.worst_pair(ratio, delta)
    hull = np.array(hull_of_all_tests(*pair))
    ours = np.asarray(floats(pair).region(), dtype=float)
    assert ours.shape == hull.shape == (8, 2)
    assert all(np.abs(ours - vertex).max(axis=1).min() < 1e-12 for vertex in hull)


def test_region_goes_down_then_back_through_its_mirror_image():
    region = np.asarray(Pair(*truth.worst_pair(F(3), F(1, 10))).region(), dtype=float)
    expected = [(0, 1), (0, 0.9), (0.225, 0.225), (0.9, 0), (1, 0), (1, 0.1), (0.775, 0.775), (0.1, 1)]
    assert region == pytest.approx(np.array(expected))


@given(pairs(), st.fractions(0, 1))
def test_tradeoff_is_the_lower_boundary_of_the_region(pair, alpha):
    """By duality, beta(alpha) = max over ratios of 1 - delta(ratio) - ratio alpha, at likelihood ratios."""
    p, q = pair
    ours = Pair(p, q)
    slopes = [b / a for a, b in zip(p, q, strict=True) if a > 0] + [F(0)]
    expected = max(1 - truth.hockey_stick(q, p, s) - s * alpha for s in slopes)
    assert float(ours.tradeoff(alpha)) == pytest.approx(float(max(expected, 0)), abs=1e-14)


def test_tradeoff_of_randomized_response():
    alpha = np.array([0.0, 0.125, 0.25, 0.625, 1.0])
    assert floats(RR).tradeoff(alpha) == pytest.approx([1, 0.625, 0.25, 0.125, 0])
    assert np.ndim(floats(RR).tradeoff(0.3)) == 0


@pytest.mark.parametrize("k", range(1, 9))
def test_tradeoff_in_floats_sees_the_outcomes_p_excludes(k):
    """A test without false alarms accepts unless the outcome is impossible under P: it misses 0.9^k."""
    power = Pair([0.1, 0.6, 0.3, 0.0], [0.0, 0.3, 0.6, 0.1]) ** k
    assert float(power.tradeoff(0.0)) == pytest.approx(0.9**k, rel=1e-9)
    assert float(power.tradeoff(1.0)) == 0


# Divergences


@pytest.mark.parametrize("alpha", [0.25, 0.5, 1, 1.5, 2, 10, inf])
def test_renyi_from_its_definition(alpha):
    for p, q in ([0.75, 0.25], [0.25, 0.75]), ([0.5, 0.25, 0.25], [0.125, 0.375, 0.5]):
        assert float(Pair(p, q).renyi(alpha)) == pytest.approx(float(truth.renyi(p, q, alpha)), rel=1e-12)


@pytest.mark.parametrize(
    ("alpha", "forth", "back"),
    [(0.5, log(3 / 2), log(3 / 2)), (1, log(3 / 2), inf), (2, log(3 / 2), inf), (inf, log(3 / 2), inf)],
)
def test_renyi_with_a_zero(alpha, forth, back):
    """P = (0, 1), Q = (1/3, 2/3): every order sees only the outcome P can produce."""
    pair = Pair([0.0, 1.0], [1 / 3, 2 / 3])
    assert pair.renyi(alpha) == pytest.approx(forth)
    assert pair.reversed().renyi(alpha) == pytest.approx(back)


def test_renyi_is_finite_for_large_orders_and_infinite_for_disjoint_laws():
    pair = floats(RR)
    assert pair.renyi(1e4) == pytest.approx(float(truth.renyi([0.75, 0.25], [0.25, 0.75], 10**4)), rel=1e-12)
    disjoint = Pair([1.0, 0.0], [0.0, 1.0])
    assert [disjoint.renyi(a) for a in (0.5, 1, 2, inf)] == [inf] * 4


@given(pairs())
def test_total_variation_is_delta_at_zero(pair):
    ours = Pair(*pair)
    assert ours.total_variation() == sum(abs(a - b) for a, b in zip(*pair, strict=True)) / 2
    assert ours.total_variation() == ours.delta(ratio=1)


# Products


@given(pairs(3), pairs(2), st.fractions(1, 30))
def test_product_by_enumeration(one, two, ratio):
    both = Pair(*one) @ Pair(*two)
    p, q = truth.product_pair([one, two])
    assert exact(both.p) == p and exact(both.q) == q
    assert both.delta(ratio=ratio, direction="pq") == truth.hockey_stick(p, q, ratio)


def test_product_outcomes_are_tuples():
    both = Pair(*RR, outcomes=["yes", "no"]) @ Pair(*RR, outcomes=["a", "b"])
    assert [tuple(o) for o in both.outcomes] == [("yes", "a"), ("yes", "b"), ("no", "a"), ("no", "b")]


@given(pairs(2), pairs(3), pairs(2), st.fractions(1, 30))
def test_product_is_associative_and_commutative_up_to_relabelling(a, b, c, ratio):
    a, b, c = Pair(*a), Pair(*b), Pair(*c)
    left, right, turned = (a @ b) @ c, a @ (b @ c), c @ (b @ a)
    joint = [sorted(zip(exact(x.p), exact(x.q), strict=True)) for x in (left, right, turned)]
    assert joint[0] == joint[1] == joint[2]
    assert left.delta(ratio=ratio) == turned.delta(ratio=ratio)


@given(pairs(3), pairs(2))
def test_region_of_a_product_contains_the_regions(one, two):
    one, two = Pair(*one), Pair(*two)
    both = one @ two
    for alpha in [F(i, 12) for i in range(13)]:
        assert float(both.tradeoff(alpha)) <= min(float(one.tradeoff(alpha)), float(two.tradeoff(alpha))) + 1e-14
    assert both.dominates(one) and both.dominates(two)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("k", [0, 1, 2, 3, 4])
def test_power_is_the_product(pair, k):
    power = Pair(*pair) ** k
    p, q = truth.product_pair([pair] * k) if k else ([F(1)], [F(1)])
    assert power.exact
    for ratio in [*RATIOS, F(81)]:
        assert power.delta(ratio=ratio, direction="pq") == truth.hockey_stick(p, q, ratio)
        assert power.delta(ratio=ratio, direction="qp") == truth.hockey_stick(q, p, ratio)


def test_power_merges_equal_likelihood_ratios():
    assert len((Pair(*RR) ** 100).p) == 101
    assert len((floats(RR) ** 1000).p) == 1001
    assert len((Pair([0.6, 0.4], [0.4, 0.6]) ** 50).p) == 51


@pytest.mark.parametrize(("eps", "k"), [(0.1, 10), (0.1, 1000), (1.0, 50), (0.01, 2000)])
def test_power_of_randomized_response_against_theorem_33(eps, k):
    x = np.exp(eps)
    power = Pair([x / (1 + x), 1 / (1 + x)], [1 / (1 + x), x / (1 + x)]) ** k
    for at in np.array([0.0, 0.1, 0.37, 0.8]) * k * eps:
        expected = float(truth.optimal_delta(eps, 0, k, at))
        assert float(power.delta(at)) == pytest.approx(expected, rel=1e-9, abs=1e-14)


@given(pairs(), st.fractions(1, 20))
def test_merging_keeps_the_curve(pair, ratio):
    ours = Pair(*pair)
    merged = ours.merged()
    assert merged.delta(ratio=ratio, direction="pq") == ours.delta(ratio=ratio, direction="pq")
    ratios = [(a / (a + b)) for a, b in zip(exact(merged.p), exact(merged.q), strict=True)]
    assert len(ratios) == len(set(ratios))


@given(pairs(), st.integers(1, 3), st.fractions(1, 20))
def test_both_directions_agree_for_symmetric_pairs(pair, k, ratio):
    p, q = pair
    symmetric = Pair([x / 2 for x in p + q], [x / 2 for x in q + p])
    assert symmetric.delta(ratio=ratio, direction="pq") == symmetric.delta(ratio=ratio, direction="qp")
    worst = Pair(*truth.worst_pair(F(3), F(1, 7))) ** k
    assert worst.delta(ratio=ratio, direction="pq") == worst.delta(ratio=ratio, direction="qp")


def test_reversed_swaps_the_two_laws():
    pair = Pair(*SKEW).reversed()
    assert exact(pair.p) == SKEW[1] and exact(pair.q) == SKEW[0]


# Post-processing, mixtures, conditioning


@given(st.data())
def test_post_processing_never_increases_delta(data):
    p, q = data.draw(pairs())
    matrix = data.draw(channels(len(p)))
    before, after = Pair(p, q), Pair(p, q).then(matrix)
    columns = range(len(matrix[0]))
    assert exact(after.p) == [sum(p[i] * matrix[i][j] for i in range(len(p))) for j in columns]
    assert exact(after.q) == [sum(q[i] * matrix[i][j] for i in range(len(q))) for j in columns]
    for ratio in RATIOS:
        assert after.delta(ratio=ratio, direction="pq") <= before.delta(ratio=ratio, direction="pq")
    assert before.dominates(after)


@given(pairs(3), pairs(3), st.fractions(0, 1))
def test_a_mixture_averages_the_laws_and_hides_the_draw(one, two, weight):
    mixed = Pair.mixture([weight, 1 - weight], [Pair(*one), Pair(*two)])
    for ours, a, b in zip((mixed.p, mixed.q), one, two, strict=True):
        assert exact(ours) == [weight * x + (1 - weight) * y for x, y in zip(a, b, strict=True)]
    for ratio in RATIOS:  # joint convexity: hiding never hurts
        parts = (truth.hockey_stick(*one, ratio), truth.hockey_stick(*two, ratio))
        assert mixed.delta(ratio=ratio, direction="pq") <= weight * parts[0] + (1 - weight) * parts[1]


def test_a_mixture_joins_outcomes_by_name():
    one = Pair([F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)], outcomes=["a", "b"])
    two = Pair([F(1, 3), F(2, 3)], [F(1), F(0)], outcomes=["b", "c"])
    mixed = Pair.mixture([F(1, 2), F(1, 2)], [one, two])
    law = {o: (p, q) for o, p, q in zip(mixed.outcomes, mixed.p, mixed.q, strict=True)}
    assert law == {"a": (F(1, 4), F(1, 8)), "b": (F(5, 12), F(7, 8)), "c": (F(1, 3), F(0))}


def test_given_conditions_both_laws_on_an_event():
    pair = Pair([F(1, 2), F(1, 3), F(1, 6)], [F(1, 4), F(1, 4), F(1, 2)], outcomes=["a", "b", "c"])
    inside = pair.given(["a", "b"])
    assert exact(inside.p) == [F(3, 5), F(2, 5)]
    assert exact(inside.q) == [F(1, 2), F(1, 2)]
    assert list(inside.outcomes) == ["a", "b"]


def test_given_an_event_one_law_excludes_is_an_error():
    with pytest.raises(ValueError):
        Pair([F(1), F(0)], [F(1, 2), F(1, 2)], outcomes=["a", "b"]).given(["b"])


# Domination (Blackwell)


def is_dominated(one, two):
    """Say whether two's curve lies below one's everywhere, in fractions: check at all likelihood ratios."""
    for (p, q), (r, s) in ((one, two), (one[::-1], two[::-1])):
        ratios = [a / b for a, b in [*zip(p, q, strict=True), *zip(r, s, strict=True)] if b] + [F(0)]
        if any(truth.hockey_stick(r, s, x) > truth.hockey_stick(p, q, x) for x in ratios):
            return False
    return True


def test_simulates_iff_dominated_on_300_pairs():
    rng = np.random.default_rng(5)
    verdicts = []
    for _ in range(300):
        one = tuple([F(int(w), 24) for w in rng.multinomial(24, rng.dirichlet(np.ones(3)))] for _ in range(2))
        if rng.random() < 0.5:
            channel = [rng.multinomial(12, rng.dirichlet(np.ones(3))) for _ in range(3)]
            two = tuple([sum(x[i] * F(int(channel[i][j]), 12) for i in range(3)) for j in range(3)] for x in one)
        else:
            two = tuple([F(int(w), 24) for w in rng.multinomial(24, rng.dirichlet(np.ones(3)))] for _ in range(2))
        expected = is_dominated(one, two)
        verdicts.append(expected)
        matrix = Pair(*one).simulates(Pair(*two))
        assert Pair(*one).dominates(Pair(*two)) == expected
        assert (matrix is not None) == expected
        if expected:
            check_channel(matrix, one, two)
    assert 100 < sum(verdicts) < 250


def check_channel(matrix, one, two):
    """Check that the matrix is row-stochastic and carries pair one to pair two."""
    matrix = np.asarray(matrix, dtype=float)
    assert matrix.min() >= 0
    assert matrix.sum(axis=1) == pytest.approx(np.ones(len(matrix)))
    for law, image in zip(one, two, strict=True):
        assert np.array(law, dtype=float) @ matrix == pytest.approx(np.array(image, dtype=float), abs=1e-12)


def test_worst_pair_simulates_the_example_of_theorem_25():
    one = truth.worst_pair(F(3), F(1, 10))
    two = ([F(11, 20), F(1, 4), F(1, 5)], [F(1, 5), F(1, 4), F(11, 20)])
    check_channel(Pair(*one).simulates(Pair(*two)), one, two)
    assert Pair(*two).simulates(Pair(*one)) is None


def test_domination_in_floats_survives_rounding():
    rng = np.random.default_rng(6)
    for p, q in random_pairs(7, 50):
        channel = rng.dirichlet(np.ones(3), len(p))
        image = Pair(p, q).then(channel)
        check_channel(Pair(p, q).simulates(image), (p, q), (image.p, image.q))
        assert Pair(p, q).dominates(image)
    assert not floats(RR).dominates(Pair([0.8, 0.2], [0.2, 0.8]))
    assert floats(RR).simulates(Pair([0.8, 0.2], [0.2, 0.8])) is None


# Sampling and construction


@pytest.mark.parametrize(("hypothesis", "law"), [(0, [0.5, 0.3, 0.2, 0.0]), (1, [0.1, 0.2, 0.3, 0.4])])
def test_sample_frequencies(hypothesis, law):
    pair = Pair([0.5, 0.3, 0.2, 0.0], [0.1, 0.2, 0.3, 0.4], outcomes=["a", "b", "c", "d"])
    draws = list(pair.sample(np.random.default_rng(8), 20_000, hypothesis=hypothesis))
    for name, probability in zip("abcd", law, strict=True):
        assert draws.count(name) == pytest.approx(20_000 * probability, abs=5 * (20_000 * 0.25) ** 0.5)
        assert probability > 0 or name not in draws


def test_sample_without_size_is_one_outcome_and_seeded():
    pair = Pair(*RR, outcomes=["yes", "no"])
    assert pair.sample(np.random.default_rng(1)) in ("yes", "no")
    one, two = (list(pair.sample(np.random.default_rng(3), 20)) for _ in range(2))
    assert one == two


def test_exactness_is_a_property_of_the_input():
    assert Pair(*RR).exact
    assert not floats(RR).exact
    assert list(Pair(*RR).outcomes) == [0, 1]
    assert not (floats(RR) @ Pair(*RR)).exact


def test_large_products_of_many_outcomes_stay_normalised():
    power = Pair([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]) ** 60
    assert float(np.sum(power.p)) == pytest.approx(1, abs=1e-12)
    assert float(np.sum(power.q)) == pytest.approx(1, abs=1e-12)
    assert len(power.p) <= 3000


@pytest.mark.parametrize("alpha", [1 - 1e-9, 1 + 1e-9, 1 - 1e-6, 0.999, 0.5, 1.01])
@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([F(10**12 - 1, 10**12), F(1, 10**12), F(0)], [F(10**9 - 1, 10**9), F(0), F(1, 10**9)]),
        ([F(1, 2), F(1, 2), F(0)], [F(499, 1000), F(499, 1000), F(1, 500)]),
        ([F(1, 2), F(499, 1000), F(1, 1000)], [F(1, 2), F(1, 2), F(0)]),
        ([F(1, 2), F(1, 2)], [F(10**8 + 1, 2 * 10**8), F(10**8 - 1, 2 * 10**8)]),
    ],
)
def test_renyi_near_one_keeps_its_digits_where_the_supports_differ(p, q, alpha):
    if alpha > 1 and any(a and not b for a, b in zip(p, q, strict=True)):
        assert Pair(p, q).renyi(alpha) == inf
        return
    with mp.workdps(60):
        terms = [
            truth.quotient(a) ** mp.mpf(alpha) * truth.quotient(b) ** (1 - mp.mpf(alpha))
            for a, b in zip(p, q, strict=True)
            if a and b
        ]
        exact = mp.log(mp.fsum(terms)) / (mp.mpf(alpha) - 1)
    assert Pair(p, q).renyi(alpha) == pytest.approx(float(exact), rel=1e-7)
    assert floats((p, q)).renyi(alpha) == pytest.approx(float(exact), rel=1e-3)  # 1 - 1e-12 is itself rounded


def test_exact_powers_are_quick_or_refused():
    coin = Pair(*RR)
    assert len(coin**2000) == 2001
    for pair, k in ((coin, 10_000), (coin, 10**9), (Pair(*SKEW), 1000)):
        with pytest.raises(
            ValueError, match=r"^k must be smaller for an exact pair of \d outcomes, not \d+; use floats"
        ):
            pair**k


def test_two_ways_to_an_exact_power_agree():
    pair = Pair([F(1, 2), F(1, 3), F(1, 6)], [F(1, 6), F(1, 2), F(1, 3)])
    by_hand = Pair([1], [1])
    for _ in range(5):
        by_hand = (by_hand @ pair).merged()
    power = pair**5
    assert list(power.p) == list(by_hand.p) and list(power.q) == list(by_hand.q)


@pytest.mark.parametrize("steps", [1, 3, 7, 40, 199, 10**6])
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_losses_of_chances_that_underflow(steps, delta):
    """A kernel and a mixture make chances that a float holds with few digits, or not at all; fractions know better."""
    rare = 5e-324 * steps
    floats, exact = (Pair._of(*laws) for laws in (laws_of(float, rare), laws_of(F, rare)))
    kernel = [[0.3, 0.7], [0.0, 1.0]]
    exact_kernel = np.array([[F(x) for x in row] for row in kernel])
    told = floats.then(kernel), Pair.mixture([0.3, 0.7], [floats, floats])
    share = F(0.3) + F(0.7)
    true = Pair._of(exact.p @ exact_kernel, exact.q @ exact_kernel), Pair._of(share * exact.p, share * exact.q)
    with mp.workdps(60):
        for pair, truth_pair in zip(told, true, strict=True):
            low, high = pair.bracket(delta=delta, direction="pq")
            ratio = truth_pair.ratio(F(delta), "pq")
            assert low <= mp.log(mp.mpf(ratio.numerator) / ratio.denominator) <= high


def laws_of(number, rare):
    dtype = object if number is F else float
    return [np.array([number(x) for x in law], dtype=dtype) for law in ([0.5, 0.5], [rare, 1.0])]


def test_what_underflows_is_not_impossible():
    """Q becomes 0 in floats, but it is not: the largest loss is finite, and the lower end may not say otherwise."""
    pair = Pair([0.5, 0.5], [5e-324, 1.0]).then([[0.3, 0.7], [0.0, 1.0]])
    assert pair.q[0] == 0
    low, high = pair.bracket(delta=0.0)
    assert 700 < low <= mp.log(0.5) - mp.log(mp.mpf(5e-324)) <= high == inf
    low, high = pair.bracket(eps=700.0)
    assert low <= mp.mpf(0.15) - mp.exp(700) * mp.mpf(0.3) * mp.mpf(5e-324) <= high


def test_an_event_that_is_rare_makes_much_of_what_underflowed():
    coin = Pair([1e-200, 1.0], [1e-190, 1.0], ["rare", "often"])
    twice = coin @ coin
    given = twice.given({("rare", "rare"), ("rare", "often")})
    assert given.error.mass >= twice.error.mass / 1e-190


def test_fractions_stay_exact_through_every_operation():
    """What is made of fractions by kernels, mixtures and events has no rounding to account for."""
    pair = Pair([F(1, 3), F(1, 3), F(1, 3)], [F(1, 2), F(1, 2), F(0)], "abc")
    made = [pair.given("ac"[:1] + "b"), pair.then([[1, 0], [F(1, 2), F(1, 2)], [0, 1]]), Pair.mixture([1], [pair])]
    for one in made:
        assert one.exact and one.error.units == 1 and one.error.mass == 0
        low, high = one.bracket(eps=0.0)
        assert F(low) <= one.total_variation() <= F(high) <= F(low) + F(2, 2**53)


def test_every_rounding_of_a_new_pair_is_counted():
    """By hand: each product may be rounded once, and underflow; a quotient by a sum of n is rounded n times."""
    tiny = 5e-324
    three = Pair([0.5, 0.25, 0.25], [0.25, 0.5, 0.25])
    product = three @ three
    assert product.error.units >= 1 and product.error.mass >= 9 * tiny
    assert (product @ three).error.units >= 2 and (product @ three).error.mass >= (9 + 27) * tiny
    conditioned = three.given([0, 1])
    assert conditioned.error.units >= 2 and conditioned.error.mass >= 2 * tiny
    assert Pair.mixture([0.5, 0.5], [three, three]).error.units >= 2  # of each term: a product and a sum
    assert three.then([[0.5, 0.5]] * 3).error.units >= 3  # of each term: a product and two sums
