"""The theorems on random small worlds, between all pairs of databases; and plausible wrong variants, all refuted.

A wrong variant is a bound. It is refuted by a mechanism that satisfies the hypotheses and loses more than the bound at
some pair of databases; the same search finds nothing against the theorem itself.
"""

from fractions import Fraction as F
from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pytest
import truth_granularity as truth

from dpteach import Pair, mechanisms
from dpteach.granularity import (
    DatabaseClass,
    Granularity,
    Maps,
    Partition,
    PrivacySpace,
    bounded,
    dist,
    free_lunch,
    minimum_privacy,
    sensitivity,
    symmetric_difference,
    unbounded,
)
from dpteach.notions import (
    Approximate,
    FiniteMechanism,
    Gaussian,
    Pure,
    ZeroConcentrated,
    compose,
    concentrated_loss,
    gaussian_loss,
    group_factor,
    pure_mu,
    worlds,
)
from dpteach.notions.worlds import (
    bounded_world,
    common_world,
    disjoint_world,
    exponents,
    general_world,
    random_kernel,
    random_maps,
    random_metric,
    random_space,
    sequential_world,
)

pytestmark = pytest.mark.filterwarnings("error")

LN2 = log(2)
DRAWS = {
    "IV.1": (general_world, 12),
    "IV.3": (sequential_world, 8),
    "IV.11": (common_world, 12),
    "IV.6": (disjoint_world, 6),
    "IV.12": (lambda rng: disjoint_world(rng, True), 6),
    "IV.13": (bounded_world, 2),
}
A_OR_AB = DatabaseClass.multisets("ab", at_most=3)
DETOUR = unbounded.on(A_OR_AB.only(["", "a", "ab", "abb", "bb"]))
PATH = DatabaseClass([("a1", "b1"), ("a2", "b1"), ("a2", "b2"), ("a3", "b2")], "multisets")
HALVES = Partition([lambda D: D[: len(D) // 2], lambda D: D[len(D) // 2 :]])


def rng():
    return np.random.default_rng(2024)


def drawn(draw, number, seed=0):
    source = np.random.default_rng(seed)
    return [draw(source) for _ in range(number)]


def private(space, source, ratio=2):
    """Return a random exact mechanism that is (log ratio) d-private: a post-processed extreme one."""
    return FiniteMechanism.attaining(space, ratio).then(random_kernel(source, 4))


# ------------------------------------------------------------------------------------------------- metrics and privacy


def test_neighbours_decide():
    """Theorem III.3: a mechanism's level for neighbours, times the canonical metric, bounds all pairs."""
    source = rng()
    for _ in range(30):
        space = random_space(source)
        mechanism = FiniteMechanism.random(space.cls, 3, source)
        level = mechanism.level(space)
        assert np.all(mechanism.losses() <= Pure(space, level).matrix + 1e-12)
        assert mechanism.keeps(Pure(space, level)) and (level == 0 or not mechanism.keeps(Pure(space, 0.99 * level)))


def test_every_metric_is_the_loss_of_some_mechanism():
    source = rng()
    for _ in range(30):
        space = random_metric(source, DatabaseClass(range(5)))
        table = FiniteMechanism.attaining(space, 2).table
        for i, j in product(range(5), repeat=2):
            assert truth.log_ratio_exponent(table[i], table[j]) == space.matrix[i, j]


def test_comparing_granularities():
    """Propositions A.3 and III.6: dist, sensitivity, and the free lunch below everything."""
    source = rng()
    for _ in range(40):
        one, two = random_space(source), random_space(source)
        k = dist(one.granularity, two.granularity, one.cls)
        assert k == sensitivity(None, two, one) == sensitivity(None, PrivacySpace(two.cls, two.matrix), one)
        if k < inf:
            assert np.all(one.matrix <= (k * two).matrix)
            assert FiniteMechanism.attaining(one, 2).keeps(Pure(two, k * LN2))
        assert np.all(free_lunch.on(one.cls).matrix <= one.matrix)


def test_preprocessing_and_sensitivity_of_compositions():
    source = rng()
    for _ in range(40):
        d1, d3 = random_metric(source, DatabaseClass(range(4))), random_metric(source, DatabaseClass(range(2)))
        f, g = (random_maps(source, DatabaseClass(range(n)), 1, values)[0] for n, values in ((4, 3), (3, 2)))
        d2 = random_metric(source, DatabaseClass(range(3)))
        steps = sensitivity(f, d1, d2), sensitivity(g, d2, d3)
        both = sensitivity(lambda x, f=f, g=g: g(f(x)), d1, d3)
        assert both <= (inf if inf in steps else steps[0] * steps[1])
        if steps[0] < inf:
            assert FiniteMechanism.attaining(d2, 2).after(f, d1.cls).keeps(Pure(d1, steps[0] * LN2))


def test_minimum_privacy_is_valid_and_its_closure_is_attained():
    """Proposition IV.10, and the repair: closures are valid for every f-dependent mechanism, and attained."""
    source = rng()
    for _ in range(25):
        space, f = random_space(source, 6), random_maps(source, DatabaseClass(range(6)), 1)[0]
        least = minimum_privacy(space, f)
        assert np.all(least.closure.matrix <= least.raw.matrix) and np.all(least.raw.matrix <= space.matrix)
        best = FiniteMechanism.attaining(least.closure, 2)
        assert best.depends_on(f) and best.keeps(Pure(space, LN2))
        assert np.array_equal(exponents(best), least.closure.matrix)
        any_law = FiniteMechanism.random(DatabaseClass(range(3)), 3, source).after(f, space.cls)
        level = any_law.level(space)
        assert np.all(any_law.losses() <= Pure(least.closure, float(level)).matrix + 1e-12)


# ----------------------------------------------------------------------------------------- pure composition, all pairs


@pytest.mark.parametrize("theorem", DRAWS)
def test_independent_composition_is_exactly_tight(theorem):
    draw, number = DRAWS[theorem]
    for world in drawn(draw, number):
        told, true = world.composed(), world.exponents()
        assert np.array_equal(told.matrix, true)
        if theorem in ("IV.6", "IV.12", "IV.13"):
            edges = tuple(world.space.edges.T)
            assert told.theorem() == {"IV.13": "IV.11"}.get(theorem, theorem)
            level = sum(sorted(world.eps)[-2:]) if theorem == "IV.13" else max(world.eps)
            assert told.level() == true[edges].max() <= level
            assert np.all(true <= Pure(world.space, level).matrix)


def adaptive(world, source):
    """Return a random adaptive composition whose mechanisms keep the world's promises whatever was printed before."""
    parts = [compose([g], [f], on=world.space, common_domain=world.common_domain) for g, f in mapped(world)]
    spaces = [PrivacySpace(world.space.cls, part.matrix) for part in parts]
    made = private(spaces[0], source)
    for space in spaces[1:]:
        made = made.adaptively(lambda _, space=space: private(space, source))
    return made


@pytest.mark.parametrize("theorem", ["V.2", "V.3", "V.5", "V.4", "V.6"])
def test_adaptive_composition(theorem):
    source = rng()
    draw, number = DRAWS[{"V.2": "IV.1", "V.3": "IV.3", "V.5": "IV.11", "V.4": "IV.6", "V.6": "IV.12"}[theorem]]
    for world in drawn(draw, max(number // 2, 3), 1):
        mechanism, told = adaptive(world, source), world.composed(adaptive=True)
        assert np.all(mechanism.losses() <= LN2 * told.matrix + 1e-12)
        if theorem in ("V.4", "V.6"):
            assert told.theorem() == theorem and mechanism.level(world.space) <= LN2 * max(world.eps) + 1e-12


# ------------------------------------------------------------------------------------------------- the other notions


def measured(mechanism, space, notion):
    """Return the level that a mechanism has on a space, as a promise."""
    level = float(mechanism.level(space, notion.notion))
    return notion(space, level)


@pytest.mark.parametrize("notion", [ZeroConcentrated, Gaussian])
def test_adding_in_squares(notion):
    """Theorems VI.12 to VI.16 and VI.20 to VI.26 on random adaptive mechanisms, all pairs."""
    source = rng()
    for _ in range(6):
        space = random_space(source, 4, 0.7)
        first = FiniteMechanism.random(space.cls, 2, source)
        follow = {y: FiniteMechanism.random(space.cls, 2, source) for y in first.outputs}
        level = max(float(m.level(space, notion.notion)) for m in follow.values())
        promise = measured(first, space, notion)
        assert first.keeps(promise)  # what holds for neighbours holds for all pairs
        told = compose([promise, notion(space, level)], adaptive=True)
        assert first.adaptively(follow.get).keeps(told)


@pytest.mark.parametrize("notion", [ZeroConcentrated, Gaussian])
def test_disjoint_parts_and_dependence_in_squares(notion):
    source, cls = rng(), DatabaseClass.multisets("ab", at_most=2)
    U, B, blocks = unbounded.on(cls), bounded.on(cls), Partition.by_record(["a", "b"])
    for _ in range(3):
        parts = [FiniteMechanism.random(blocks.image(i, cls), 2, source) for i in (0, 1)]
        promises = [measured(m, s, notion) for m, s in zip(parts, blocks.spaces(U), strict=True)]
        told = compose(promises, blocks, on=U, adaptive=True)
        both = parts[0].after(blocks[0], cls) @ parts[1].after(blocks[1], cls)
        assert both.keeps(told) and told.theorem() in ("VI.16", "VI.26")
        assert told.level() <= max(p.level() for p in promises) * (1 + 1e-12)
        common = [notion(B, float(m.after(f, cls).level(B, notion.notion))) for m, f in zip(parts, blocks, strict=True)]
        assert both.keeps(compose(common, blocks, common_domain=True))


def test_approximate_composition():
    """Theorems VI.3 to VI.7 on random adaptive mechanisms with impossible outputs, all pairs and both directions."""
    source = rng()
    for _ in range(8):
        space = random_space(source, 4, 0.7)
        first = FiniteMechanism.random(space.cls, 3, source, 0.2)
        follow = {y: FiniteMechanism.random(space.cls, 2, source, 0.2) for y in first.outputs}
        promises = []
        for made in ([first], list(follow.values())):
            delta = max(float(m.worst(space).delta(ratio=2)) for m in made)
            promises.append(Approximate(space, LN2, delta))
            assert all(m.keeps(promises[-1]) for m in made)
        assert first.adaptively(follow.get).keeps(compose(promises, adaptive=True))


def test_approximate_composition_on_parts_and_common_domains():
    source, cls = rng(), DatabaseClass.multisets("ab", at_most=2)
    U, B, blocks = unbounded.on(cls), bounded.on(cls), Partition.by_record(["a", "b"])
    for _ in range(4):
        parts = [FiniteMechanism.random(blocks.image(i, cls), 2, source, 0.2) for i in (0, 1)]
        here = [m.after(f, cls) for m, f in zip(parts, blocks, strict=True)]
        spaces = blocks.spaces(U)
        deltas = [float(m.worst(s).delta(ratio=2)) for m, s in zip(parts, spaces, strict=True)]
        promises = [Approximate(s, LN2, delta) for s, delta in zip(spaces, deltas, strict=True)]
        told = compose(promises, blocks, on=U)
        assert told.theorem() == "VI.6" and (here[0] @ here[1]).keeps(told)
        assert (here[0] @ here[1]).keeps(Approximate(U, LN2, max(deltas)))
        common = [Approximate(B, LN2, float(m.worst(B).delta(ratio=2))) for m in here]
        assert (here[0] @ here[1]).keeps(compose(common, blocks, common_domain=True))


def test_common_domain_with_deltas_of_ones_own():
    """Theorem VI.7 as corrected, on f-dependent mechanisms whose deltas are measured pair by pair."""
    source = rng()
    for _ in range(15):
        space, f = random_space(source, 5, 0.6), random_maps(source, DatabaseClass(range(5)), 1)[0]
        mechanism = FiniteMechanism.random(DatabaseClass(range(3)), 3, source, 0.2).after(f, space.cls)
        eps = np.where(np.isinf(space.matrix), 50.0, LN2 * space.matrix)
        promise = Approximate(space, LN2, mechanism.deltas(eps).astype(float))
        assert mechanism.keeps(promise) and mechanism.keeps(promise.dependent_on(f))


@pytest.mark.parametrize("notion", [Pure, ZeroConcentrated, Gaussian])
def test_a_composition_that_looks_at_some_of_the_data(notion):
    """Dependence is about the whole: the metrics are added before databases with equal f(D) are compared."""
    source, smaller = rng(), 0
    for _ in range(20):
        cls = DatabaseClass(range(5))
        one, two = (random_metric(source, cls) for _ in range(2))
        f = random_maps(source, cls, 1)[0]
        told = compose([notion(one, 1), notion(two, 1)]).dependent_on(f).matrix
        if notion is Pure:
            whole = (one + two).matrix
        else:
            whole = np.sqrt(one.matrix**2 + two.matrix**2)
        want = minimum_privacy(PrivacySpace(cls, whole), f).closure.matrix
        assert told == pytest.approx(want**2 if notion is ZeroConcentrated else want, rel=1e-14)
        apart = compose([notion(one, 1), notion(two, 1)], [f, f], common_domain=True).matrix
        smaller += np.any(apart < told * (1 - 1e-9))
    assert smaller  # adding afterwards would promise too much


def test_a_composed_approximate_promise_that_looks_at_some_of_the_data():
    source = rng()
    for _ in range(10):
        space, f = random_space(source, 5, 0.6), random_maps(source, DatabaseClass(range(5)), 1)[0]
        made = FiniteMechanism.random(DatabaseClass(range(3)), 3, source, 0.2).after(f, space.cls)
        delta = float(made.worst(space).delta(ratio=2))
        told = compose([Approximate(space, LN2 / 2, delta / 2)] * 2)
        assert made.keeps(Approximate(space, LN2, delta).dependent_on(f))
        if made.keeps(told):
            assert made.keeps(told.dependent_on(f))


def test_post_processing_hurts_no_notion():
    source = rng()
    for _ in range(10):
        space = random_space(source, 4, 0.7)
        mechanism = FiniteMechanism.random(space.cls, 4, source, 0.1)
        after = mechanism.then(random_kernel(source))
        for notion in ("pure", "zero-concentrated", "Gaussian"):
            assert np.all(after.losses(notion) <= mechanism.losses(notion) + 1e-9)
        for ratio in (1, 2):
            assert np.all(after.deltas(ratio=ratio) <= mechanism.deltas(ratio=ratio))


def test_losses_of_independent_mechanisms_add_up():
    """Theorem VII.2, stronger: D_inf adds up exactly, so each part costs at most the whole."""
    source = rng()
    for _ in range(10):
        one, two = (FiniteMechanism.random(DatabaseClass(range(3)), 3, source) for _ in range(2))
        for i, j in product(range(3), repeat=2):
            first, second = (max(a / b for a, b in zip(m.table[i], m.table[j], strict=True)) for m in (one, two))
            both = (one @ two).table
            assert first * second == max(a / b for a, b in zip(both[i], both[j], strict=True))


def test_triangle_inequalities_of_the_notions():
    source = rng()
    for _ in range(60):
        P, Q, R = (source.dirichlet([1] * 3) for _ in range(3))
        for measure in (lambda pair: sqrt(concentrated_loss(pair)), gaussian_loss):
            assert measure(Pair(P, R)) <= measure(Pair(P, Q)) + measure(Pair(Q, R)) + 1e-9
        for alpha, k in ((1.5, 2), (2, 2), (3, 1.2)):
            there = k * alpha / (k * alpha - 1) * Pair(P, Q).renyi((k * alpha - 1) / (k - 1))
            assert Pair(P, R).renyi(alpha) <= there + Pair(Q, R).renyi(k * alpha) + 1e-9


# ------------------------------------------------------------------------------------ wrong variants, and refutations


def beaten(draw, wrong, number=40):
    """Say whether some world's mechanisms lose more than a wrong bound at some pair of databases."""
    return any(np.any(world.exponents() > wrong(world)) for world in drawn(draw, number, 7))


def mapped(world):
    return zip(world.promises, world.maps, strict=True)


def pulled(world):
    return [compose([g], [f], on=world.space, common_domain=world.common_domain).matrix for g, f in mapped(world)]


def largest_touched(world):
    """max instead of sum over the touched parts."""
    return np.max([e * (m > 0) for e, m in zip(world.eps, pulled(world), strict=True)], axis=0) * world.space.matrix


def with_zero(c, d):
    """0 * inf = 0, as floats would have it after nan_to_num."""
    return np.zeros_like(d) if c == 0 else c * d


def lose(mechanism, D, E):
    return log(mechanism.ratio(D, E)) if mechanism.ratio(D, E) < inf else inf


def overlapping():
    """Parts that are not disjoint, p_1 = p_2 = id, and the bound max eps."""
    space = unbounded.on(A_OR_AB)
    both = FiniteMechanism.attaining(space, 2) @ FiniteMechanism.attaining(space, 2)
    return both.level(space) > LN2 + 1e-9


def ignoring_sensitivities():
    """Compatible, but a step moves part a by two: max eps_i without the sensitivities."""
    cls = A_OR_AB.only(lambda D: D.count("a") % 2 == 0)
    step = Granularity(
        lambda D, E: (abs(D.count("a") - E.count("a")), abs(D.count("b") - E.count("b"))) in ((2, 0), (0, 1))
    )
    count = FiniteMechanism.attaining(unbounded.on(DatabaseClass.multisets("a", at_most=3)), 2)
    split = Partition.by_record(["a", "b"])
    return split.compatible(step.on(cls)) and count.after(split[0], cls).level(step.on(cls)) > LN2 + 1e-9


def bounded_in_parallel():
    """Bounded parallel composition with max eps (Example II.9)."""
    cls = DatabaseClass.multisets("ab", at_most=2)
    split = Partition.by_record(["a", "b"])
    sizes = [FiniteMechanism.printing(split.image(i, cls), len) for i in (0, 1)]
    parts = split.spaces(bounded.on(cls))
    honest = all(m.keeps(Pure(s, 0)) for m, s in zip(sizes, parts, strict=True))  # of one kind none can change
    both = sizes[0].after(split[0], cls) @ sizes[1].after(split[1], cls)
    return honest and both.level(bounded.on(cls)) == inf


def gaussian_bins(shift=0.0, width=0.05, reach=6.0):
    """Return the law of a Gaussian around `shift` in small bins: nearly the Gaussian mechanism, but finite."""
    from scipy.special import ndtr

    edges = np.arange(-reach, reach + width, width) - shift
    return np.diff(np.concatenate([[0.0], ndtr(edges), [1.0]]))


def gaussian_mechanism(shifts):
    return FiniteMechanism(DatabaseClass(range(len(shifts))), [gaussian_bins(s) for s in shifts])


def swapped_dist():
    """B eps-DP implies U (dist(U, B) eps)-DP: the arguments of dist swapped."""
    space = bounded.on(A_OR_AB)
    return FiniteMechanism.attaining(space, 2).level(unbounded.on(A_OR_AB)) > dist(unbounded, bounded, A_OR_AB) * LN2


def restricted_metric():
    """The symmetric difference instead of the canonical metric of the subclass (Remark A.2)."""
    mechanism = FiniteMechanism.attaining(DETOUR, 2)
    return mechanism.level(DETOUR) < LN2 + 1e-9 and lose(mechanism, "", "bb") > 2 * LN2 + 1e-9


def zero_times_infinity():
    """0 * inf = 0 in Theorem III.3: |D| is bounded 0-DP."""
    space = bounded.on(A_OR_AB)
    size = FiniteMechanism.printing(A_OR_AB, len)
    return size.level(space) == 0 and np.any(size.losses() > with_zero(0, space.matrix))


def zero_times_infinity_in_sensitivities():
    """inf * 0 = 0 in Proposition III.8."""
    one, two, three = (PrivacySpace([0, 1], [[0, d], [d, 0]]) for d in (1, inf, 1))
    product_of = with_zero(sensitivity(None, two, three), np.array(inf))
    return sensitivity(None, one, three) > product_of


def equality_of_compatible_parts():
    """Compatibility and sensitivities at most 1 make the sum of the parts equal to d."""
    split = Partition.by_record(["a", "b"])
    total = sum(s.matrix_at([f(D) for D in DETOUR.databases]) for f, s in zip(split, split.spaces(DETOUR), strict=True))
    return split.compatible(DETOUR) and split.sensitivities(DETOUR) == [1, 1] and np.any(total != DETOUR.matrix)


def equation_of_minimum_privacies():
    """Compatibility gives sum_i d^p_i = d, equation (IV.1)."""
    space, split = bounded.on(PATH), Partition.by_record(lambda x: x[0], parts="ab")
    total = sum(minimum_privacy(space, f).raw.matrix for f in split)
    return split.compatible(space) and np.any(total > space.matrix)


def accurate_minimum():
    """d^f is the exact loss of some d-private, f-dependent mechanism: none exceeds the closure, which is smaller."""
    space, f = unbounded.on(DatabaseClass.multisets("a", at_most=8)), lambda D: len(D) // 3
    least = minimum_privacy(space, f)
    return not least.raw.is_metric and least.closure.distance("", "a" * 8) < least.raw.distance("", "a" * 8)


def looking_at_all_records():
    """Corollary IV.15 with Y = X: |D| loses infinity where the printed bound says 1."""
    size = FiniteMechanism.printing(A_OR_AB, len)
    printed = min(bounded.on(A_OR_AB).distance("", "a"), symmetric_difference("", "a"))
    return size.keeps(Pure(bounded.on(A_OR_AB), 0)) and lose(size, "", "a") > printed


def looking_at_some_records_of_a_capped_class():
    """Corollary IV.15 where the class caps the records outside Y."""
    cls = A_OR_AB.only(lambda D: D.count("b") <= 1)
    f = Partition.by_record(["a"])[0]
    printed = min(bounded.on(cls).distance("", "aa"), 2)
    return minimum_privacy(bounded.on(cls), f).raw.distance("", "aa") > printed


def chain(n=4, ratio=3, delta=F(1, 1000)):
    made = FiniteMechanism.chain(n, ratio, delta)
    return made.pair(n, 0).delta(ratio=ratio**n, direction="pq"), ratio, delta, n


def linear_delta():
    """(eps d, delta d) for groups."""
    true, _, delta, n = chain()
    return true > delta * n


def one_term_less():
    """delta [d - 1]_eps for groups."""
    true, ratio, delta, n = chain()
    return true > delta * sum(ratio**t for t in range(n - 1))


def largest_delta():
    """The largest delta instead of the sum (Theorem VI.4)."""
    shout = FiniteMechanism(DatabaseClass([0, 1]), lambda x: {x: F(1, 100), "-": F(99, 100)})
    return (shout @ shout).pair(0, 1).delta(ratio=1) > shout.pair(0, 1).delta(ratio=1)


def borrowed_delta():
    """Theorem VI.7 as printed: the least delta of any pair at that distance."""
    cls = DatabaseClass.multisets("ab", at_most=1)
    shout = FiniteMechanism(cls, lambda D: {"a": F(1, 2), "-": F(1, 2)} if "a" in D else {"-": F(1)})
    borrowed = min(shout.pair(D, E).delta(ratio=2, direction="pq") for D, E in (("a", ""), ("b", ""), ("", "a")))
    return shout.pair("a", "").delta(ratio=2, direction="pq") > borrowed


def concentrated_as_pure():
    """Theorem VI.12 read literally: rho-zCDP is rho d^2-private."""
    pair = mechanisms.randomized_response(ratio=3)
    return pair.epsilon(0) > concentrated_loss(pair)


def linear_rho():
    """rho d instead of rho d^2."""
    made = gaussian_mechanism([0, 0.5, 1])
    return made.loss(0, 2, "zero-concentrated") > 2 * made.loss(0, 1, "zero-concentrated") * 1.5


def largest_rho():
    """max rho instead of the sum."""
    coin = FiniteMechanism(DatabaseClass([0, 1]), [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]])
    return (coin @ coin).loss(0, 1, "zero-concentrated") > 1.5 * coin.loss(0, 1, "zero-concentrated")


def largest_mu():
    """max mu instead of the root of the sum of squares."""
    made = gaussian_mechanism([0, 1])
    return made.then(lambda y: y).loss(0, 1, "Gaussian") > 0.99 and _two_gaussians() > 1.2


def squares_without_root():
    """mu_1^2 + mu_2^2 instead of its root (the text after Theorem VI.21), at mu = 1/2."""
    return _two_gaussians(0.5) > 1.2 * (0.5**2 + 0.5**2)


def _two_gaussians(mu=1.0):
    p, q = (np.outer(gaussian_bins(s, 0.2), gaussian_bins(s, 0.2)).ravel() for s in (0.0, mu))
    keep = np.minimum(p, q) > 1e-12
    lost = 1 - p[keep].sum(), 1 - q[keep].sum()
    return gaussian_loss(Pair(np.append(p[keep], lost[0]), np.append(q[keep], lost[1])))


def pure_as_gaussian():
    """Theorem VI.23 read literally: mechanisms that are eps_i-DP compose to mu = root of the sum of eps_i^2."""
    four = mechanisms.randomized_response(0.1) ** 4
    return gaussian_loss(four) > sqrt(4 * 0.1**2) * 1.001 and pure_mu(0.1) > 0.1


def without_commuting():
    """Theorem VI.24 for parts that do not commute with the metric."""
    space = unbounded.on(A_OR_AB)
    parts = [unbounded.on(A_OR_AB), unbounded.on(A_OR_AB)]
    told = compose([Gaussian(s, 1) for s in parts], HALVES, on=space)
    return told.at("bb", "abb") > space.distance("bb", "abb") * 2


def equality_in_one_part():
    """Equality in (VI.2) whenever all but one part are unchanged."""
    split, space = Partition.by_record(["a", "b"]), unbounded.on(A_OR_AB)
    told = compose([Gaussian(s, m) for s, m in zip(split.spaces(space), (1, 2), strict=True)], split, on=space)
    return told.at("", "a") < 2 * space.distance("", "a")


def compatible_parts_gain_nothing():
    """Compatible parts make the Gaussian composition theorem no better than max mu d."""
    split, space = Partition.by_record(["a", "b"]), unbounded.on(A_OR_AB)
    told = compose([Gaussian(s, 1) for s in split.spaces(space)], split, on=space)
    return split.compatible(space) and told.at("", "ab") < space.distance("", "ab") * 0.8


def dependent_coins():
    """Independent composition without independence: two 0-DP mechanisms that share a coin."""
    joint = FiniteMechanism(DatabaseClass([0, 1]), lambda x: {(x ^ c, c): F(1, 2) for c in (0, 1)})
    return all(joint.then(lambda y, i=i: y[i]).ratio(0, 1) == 1 for i in (0, 1)) and joint.ratio(0, 1) == inf


def touched_times_distance():
    """Example VI.8's middle step: the sum over touched parts of d, bounded by 6 d."""
    records = [frozenset(range(3 * n, 3 * n + 3)) for n in range(4)]
    cls = DatabaseClass.multisets(records, exactly=2)
    space, f = bounded.on(cls), Maps.by_label(range(12))
    D, E = cls.database(records[:2]), cls.database(records[2:])
    return len(f.touched(D, E)) * space.distance(D, E) > 6 * space.distance(D, E)


def preprocessing_backwards():
    """M after f private, hence M private: f constant."""
    identity = FiniteMechanism.printing(DatabaseClass([0, 1]))
    return identity.after(lambda x: 0, [0, 1]).level(free_lunch.on([0, 1])) == 0 < identity.ratio(0, 1)


def second_part_within_the_whole():
    """The whole is log(4)-DP, hence M_2(s, .) is for every s."""
    bit = DatabaseClass([0, 1])
    first = FiniteMechanism(bit, [[F(1, 3), F(2, 3)], [F(2, 3), F(1, 3)]], ["s1", "s2"])
    risky, dull = [[F(8, 15), F(7, 15)], [F(1, 15), F(14, 15)]], [[F(1, 2), F(1, 2)]] * 2
    both = first.adaptively(lambda s: FiniteMechanism(bit, risky if s == "s1" else dull))
    return both.ratio(0, 1) == 4 < FiniteMechanism(bit, risky).ratio(0, 1)


def one_direction_of_delta():
    """A delta that depends on the direction, used the other way round (Definition VI.2)."""
    cls = DatabaseClass([0, 1])
    shout = FiniteMechanism(cls, [[F(1, 2), F(1, 2)], [F(0), F(1)]])
    delta = Approximate(free_lunch.on(cls), LN2, lambda x, y: 0.5 if (x, y) == (0, 1) else 0.0)
    turned = Approximate(free_lunch.on(cls), LN2, lambda x, y: 0.5 if (x, y) == (1, 0) else 0.0)
    return shout.keeps(delta) and not shout.keeps(turned)


def bounded_group_of_final_epsilon():
    """(6, 6 delta)-DP for neighbours and (6 d, 6 delta [d]_1) are the same: [d]_6 is far larger."""
    return 6e-5 * group_factor(2, 6) > 100 * 6e-5 * group_factor(2, 1)


WRONG = {
    "the largest instead of the sum": lambda: beaten(general_world, lambda w: np.max(pulled(w), axis=0)),
    "the largest of the sequential": lambda: beaten(sequential_world, lambda w: np.max(pulled(w), axis=0)),
    "the root of the sum of squares, pure": lambda: beaten(
        general_world, lambda w: np.sqrt(np.sum(np.square(pulled(w)), axis=0)) + 1e-9
    ),
    "the first mechanism only": lambda: beaten(general_world, lambda w: pulled(w)[0]),
    "the largest over touched parts, common domain": lambda: beaten(
        lambda rng: bounded_world(rng), lambda w: max(w.eps) * w.space.matrix, 3
    ),
    "the two smallest instead of the two largest": lambda: beaten(
        bounded_world, lambda w: sum(sorted(w.eps)[:2]) * w.space.matrix, 3
    ),
    "the largest touched eps": lambda: beaten(bounded_world, largest_touched, 3),
    "the smallest instead of the largest, disjoint": lambda: beaten(
        disjoint_world, lambda w: min(w.eps) * w.space.matrix, 10
    ),
    **{
        test.__name__.replace("_", " "): test
        for test in (
            overlapping, ignoring_sensitivities, bounded_in_parallel, swapped_dist, restricted_metric,
            zero_times_infinity, zero_times_infinity_in_sensitivities, equality_of_compatible_parts,
            equation_of_minimum_privacies, accurate_minimum, looking_at_all_records,
            looking_at_some_records_of_a_capped_class, linear_delta, one_term_less, largest_delta, borrowed_delta,
            concentrated_as_pure, linear_rho, largest_rho, largest_mu, squares_without_root, pure_as_gaussian,
            without_commuting, equality_in_one_part, compatible_parts_gain_nothing, dependent_coins,
            touched_times_distance, preprocessing_backwards, second_part_within_the_whole, one_direction_of_delta,
            bounded_group_of_final_epsilon,
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("refuted", WRONG.values(), ids=WRONG)
def test_wrong_variants_are_refuted(refuted):
    assert refuted()


@pytest.mark.parametrize("theorem", DRAWS)
def test_the_same_search_finds_nothing_against_the_theorems(theorem):
    draw, number = DRAWS[theorem]
    assert not beaten(draw, lambda w: w.composed().matrix, number)


def test_random_worlds_are_what_they_say():
    source = rng()
    assert worlds.classic_world(source, True).composed().theorem() == "IV.6"
    assert worlds.classic_world(source, False).composed().level() >= 2
    assert exp(Pure(DETOUR, LN2).at("", "bb")) == pytest.approx(16)
