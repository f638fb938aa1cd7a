"""Every theorem on bounded leakage against thousands of small random tables, and every plausible wrong variant refuted.

All numbers are exact fractions. A theorem is a function of a drawn case that says whether it holds there; `holds` wants
all of them, `refuted` wants at least one that fails.
"""

import random
from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement, product

import pytest
import truth

from dpteach.curve import VACUOUS
from dpteach.leakage import (
    LeakyMechanism,
    adaptive_delta,
    adaptive_experiment,
    asks_state,
    big_world,
    bits,
    bounds,
    exponential_mechanism_with_leak,
)

RATIOS = [F(1), F(3, 2), F(2), F(4)]
COUNT = 120


def holds(theorem, cases):
    """Say whether a theorem holds in all cases, at least a hundred of them."""
    answers = [theorem(*case) for case in cases]
    return all(answers) and len(answers) >= 100


def at_most(answer, bound):
    """Say whether a promise is kept; one about nothing always is."""
    return answer is VACUOUS or answer <= bound


def refuted(theorem, cases):
    """Say whether some case contradicts the theorem."""
    return any(not theorem(*case) for case in cases)


# Random tables


def law(rng, outcomes, zeros=True):
    """Draw a law with small whole weights."""
    weights = [rng.randint(0 if zeros else 1, 4) for _ in outcomes]
    if not any(weights):
        return law(rng, outcomes, zeros)
    return {y: F(w, sum(weights)) for y, w in zip(outcomes, weights, strict=True) if w}


def table(rng, databases, zeros=True):
    """Draw the joint laws of two or three leaked values and two or three outputs."""
    cells = list(product(range(rng.randint(2, 3)), "ab" if rng.random() < 0.6 else "abc"))
    return LeakyMechanism.from_joint({x: law(rng, cells, zeros) for x in databases})


def tables(seed, count=COUNT, databases=(0, 1), zeros=None):
    """Draw mechanisms that are not vacuous, each with a generator and two ratios for further choices."""
    rng = random.Random(seed)
    for _ in range(count):
        yield something(rng, databases, zeros), rng.choice(RATIOS), rng.choice(RATIOS), rng


def something(rng, databases=(0, 1), zeros=None):
    """Draw a mechanism about which bounded leakage says something."""
    mechanism = table(rng, databases, rng.random() < 0.5 if zeros is None else zeros)
    return something(rng, databases, zeros) if mechanism.vacuous else mechanism


def every_binary_table():
    """Yield all pairs of joint laws of a binary leak and output that four equally likely coins can make.

    There are 35 laws, so 630 pairs; their order does not matter.
    """
    cells = list(product((0, 1), "ab"))
    laws = [
        {cell: F(n, 4) for cell, n in zip(cells, counts, strict=True) if n}
        for counts in product(range(5), repeat=4)
        if sum(counts) == 4
    ]
    for one, two in combinations_with_replacement(laws, 2):
        yield LeakyMechanism.from_joint({0: one, 1: two})


def leak_of(m):
    return m.swapped().without_leak()


# bLDP and DP (section 3)


def theorem_4(m, a, b, rng):
    told = bounds.release_bound(a, m.delta(ratio=a), b, leak_of(m).delta(ratio=b))
    return m.without_leak().delta(ratio=told.ratio) <= m.released().delta(ratio=told.ratio) <= told.delta


def test_theorem_4_with_its_sharp_delta():
    assert holds(theorem_4, tables(1))
    every = list(every_binary_table())
    assert len(every) == 630
    assert all(m.vacuous or theorem_4(m, F(2), F(3, 2), None) for m in every)
    assert 400 < sum(not m.vacuous for m in every) < 630


def without_the_leak_s_epsilon(m, a, b, rng):
    return m.without_leak().delta(ratio=a) <= m.delta(ratio=a) + leak_of(m).delta(ratio=b)


def without_the_leak_s_delta(m, a, b, rng):
    return m.without_leak().delta(ratio=a * b) <= m.delta(ratio=a)


def the_larger_delta(m, a, b, rng):
    return m.released().delta(ratio=a * b) <= max(m.delta(ratio=a), leak_of(m).delta(ratio=b))


def dp_gives_bldp(m, a, b, rng):
    return m.delta(ratio=a) <= m.without_leak().delta(ratio=a)


def bldp_gives_dp(m, a, b, rng):
    return m.vacuous or m.without_leak().delta(ratio=a) <= m.delta(ratio=a)


WRONG_3 = [without_the_leak_s_epsilon, without_the_leak_s_delta, the_larger_delta, dp_gives_bldp, bldp_gives_dp]


@pytest.mark.parametrize("wrong", WRONG_3)
def test_what_section_3_does_not_say(wrong):
    assert refuted(wrong, tables(1, 600))


def independent(rng, databases):
    """Draw a mechanism that is perfectly independent of its leak."""
    leaks, laws = ({x: law(rng, range(3)) for x in databases} for _ in range(2))
    return LeakyMechanism.from_laws(databases, leaks, lambda x, o: laws[x])


def test_lemma_7_also_for_the_distance_scaled_notion():
    rng = random.Random(2)
    for _ in range(COUNT):
        m, a = independent(rng, bits(2)), rng.choice(RATIOS)
        plain = m.without_leak().delta(ratio=a)
        assert m.independence().perfect
        assert m.delta(ratio=a) <= plain
        assert m.scaled().delta(ratio=a) <= plain


def levels_of(m, a, b):
    return a, m.without_leak().delta(ratio=a), b, m.independence().delta(ratio=b)


def theorem_9(m, a, b, rng):
    told = bounds.independence_bound(*levels_of(m, a, b))
    return m.delta(ratio=told.ratio) <= bounds.independence_optimum(*levels_of(m, a, b)) <= told.delta


def worst_case_at_any_level(m, a, b, rng):
    at = rng.choice(RATIOS) * rng.choice(RATIOS)
    return m.delta(ratio=at) <= bounds.independence_optimum(*levels_of(m, a, b), at)


def one_epsilon_prime(m, a, b, rng):
    return m.delta(ratio=a * b) <= bounds.independence_bound(*levels_of(m, a, b)).delta


def half_of_delta_prime(m, a, b, rng):
    _, d, _, e = levels_of(m, a, b)
    return m.delta(ratio=a * b**2) <= a * b * e + b * d


def other_half_of_delta_prime(m, a, b, rng):
    _, d, _, e = levels_of(m, a, b)
    return m.delta(ratio=a * b**2) <= e + b * d


def test_theorem_9():
    assert holds(theorem_9, tables(3))
    assert holds(worst_case_at_any_level, tables(4))
    assert all(m.vacuous or theorem_9(m, F(3, 2), F(2), None) for m in every_binary_table())


@pytest.mark.parametrize("wrong", [one_epsilon_prime, half_of_delta_prime, other_half_of_delta_prime])
def test_theorem_9_needs_all_its_terms(wrong):
    assert refuted(wrong, tables(3, 500))


def test_pure_independence_is_symmetric():
    def symmetric(m, a, b, rng):
        return m.independence().ratio() == m.swapped().independence().ratio()

    def with_delta(m, a, b, rng):
        return m.independence().delta(ratio=a) == m.swapped().independence().delta(ratio=a)

    assert holds(symmetric, tables(5))
    assert refuted(with_delta, tables(5))


# Properties (section 4)


def kernels(rng, outputs):
    return {m: law(rng, "xyz") for m in outputs}


def test_post_processing():
    def theorem_11(m, a, b, rng):
        return m.then(kernels(rng, m.outputs)).delta(ratio=a) <= m.delta(ratio=a)

    def reading_the_leak(m, a, b, rng):
        both = m.reveal()
        return both.then(kernels(rng, both.outputs)).delta(ratio=a) <= m.delta(ratio=a)

    def different_on_every_database(m, a, b, rng):
        laws = {x: kernels(rng, m.outputs) for x in m.databases}
        shown = LeakyMechanism.from_joint(
            {x: {(o, (x, y)): w for (o, y), w in cells.items()} for x, cells in m.joint.items()}
        )
        return shown.then(lambda out: laws[out[0]][out[1]]).delta(ratio=a) <= m.delta(ratio=a)

    assert holds(theorem_11, tables(6))
    assert holds(reading_the_leak, tables(7))
    assert refuted(different_on_every_database, tables(6))


def test_a_coarser_leak_is_neither_better_nor_worse():
    def better(m, a, b, rng):
        return m.coarsen(lambda o: o // 2).delta(ratio=a) <= m.delta(ratio=a)

    def worse(m, a, b, rng):
        return m.coarsen(lambda o: o // 2).delta(ratio=a) >= m.delta(ratio=a)

    assert refuted(better, tables(8, zeros=True))
    assert refuted(worse, tables(8, zeros=True))


def test_revealing_the_leak():
    def theorem_12(m, a, b, rng):
        return m.reveal().delta(ratio=a) == m.delta(ratio=a) and m.reveal().coverage == m.coverage

    def as_plain_dp(m, a, b, rng):
        return m.released().delta(ratio=a) <= m.delta(ratio=a)

    def example_3(m, a, b, rng):
        return at_most(m.leaking_itself().delta(ratio=1), 0)

    assert holds(theorem_12, tables(9))
    assert holds(example_3, tables(9))
    assert refuted(as_plain_dp, tables(9, zeros=False))


def same_leak(rng, m):
    """Draw another mechanism with the same leak."""
    laws = {(x, o): law(rng, "ab") for x in m.databases for o in m.leaks}
    return LeakyMechanism.from_laws(m.databases, {x: m.leak_law(x) for x in m.databases}, lambda x, o: laws[x, o])


def test_convex_combinations():
    def lemma_10(m, a, b, rng):
        other, weights = same_leak(rng, m), list(law(rng, (0, 1), False).values())
        told = sum(w * part.delta(ratio=a) for w, part in zip(weights, (m, other), strict=True))
        return m.mixture(weights, other).delta(ratio=a) <= told

    def weights_of_the_leak(m, a, b, rng):
        other, weights = same_leak(rng, m), {o: list(law(rng, (0, 1), False).values()) for o in m.leaks}
        mixed = m.mixture(weights.get, other)
        return mixed.delta(ratio=a) <= max(m.delta(ratio=a), other.delta(ratio=a))

    def weights_of_the_database(m, a, b, rng):
        other, shares = same_leak(rng, m), {x: [*law(rng, (0, 1)).values(), F(0)] for x in m.databases}
        mixed = {x: m.mixture(shares[x][:2], other).joint[x] for x in m.databases}
        return LeakyMechanism.from_joint(mixed).delta(ratio=a) <= max(m.delta(ratio=a), other.delta(ratio=a))

    assert holds(lemma_10, tables(10))
    assert holds(weights_of_the_leak, tables(10))
    assert refuted(weights_of_the_database, tables(10))


def groups(seed, count):
    """Draw mechanisms on two bits; each database leaks one value, or sometimes another."""
    rng = random.Random(seed)
    for _ in range(count):
        leaks = {x: law(rng, (0, 1)) if rng.random() < 0.5 else rng.randint(0, 1) for x in bits(2)}
        laws = {(x, o): law(rng, "ab") for x in bits(2) for o in (0, 1)}
        m = LeakyMechanism.from_laws(bits(2), leaks, lambda x, o, laws=laws: laws[x, o])
        assert not m.scaled().vacuous  # four databases and two values
        yield m, rng.choice(RATIOS), rng.choice(RATIOS), rng


def along_paths(m, a, allowed):
    """Say whether group privacy holds for every leaked value and path; allowed(path, delta) is (ratio, delta)."""
    for o in m.leaks:
        told = m.given(o).delta(ratio=a)
        if told is VACUOUS:
            assert not m.group_paths(o)
        for (x, y), path in m.group_paths(o).items():
            ratio, delta = allowed(m, x, y, path, told)
            if m.conditioned(x, y, o).delta(ratio=ratio, direction="pq") > delta:
                return False
    return True


def theorem_22(m, a, b, rng):
    return along_paths(m, a, lambda m, x, y, path, d: bounds.group_bound(a, d, len(path) - 1))


def deltas_add_up(m, a, b, rng):
    return along_paths(m, a, lambda m, x, y, path, d: (a ** (len(path) - 1), (len(path) - 1) * d))


def by_the_distance(m, a, b, rng):
    return along_paths(m, a, lambda m, x, y, path, d: bounds.group_bound(a, d, m.distance(x, y)))


def row(seed, count):
    """Draw mechanisms on four databases in a row, with one leaked value."""
    rng = random.Random(seed)
    for _ in range(count):
        ends = sorted(rng.randint(0, 40) for _ in range(4))
        cells = {x: {(0, "a"): F(p, 40), (0, "b"): 1 - F(p, 40)} for x, p in enumerate(ends)}
        yield LeakyMechanism.from_joint(cells, lambda x, y: y == x + 1), rng.choice(RATIOS), F(1), rng


def detours(seed, count):
    """Draw mechanisms on the grid whose value 0 leaks only along a detour of three steps between (0,0) and (1,1)."""
    rng = random.Random(seed)
    for _ in range(count):
        ends = sorted(F(rng.randint(0, 20), 20) for _ in range(4))
        chance = dict(zip([(0, 0), (2, 0), (2, 1), (1, 1)], ends, strict=True))
        grid = list(product(range(3), repeat=2))
        m = LeakyMechanism.from_laws(
            grid,
            {x: int(x not in chance) for x in grid},
            lambda x, o, chance=chance: {1: chance.get(x, 0), 0: 1 - chance.get(x, 0)},
        )
        yield m, rng.choice(RATIOS), F(1), rng


def test_group_privacy():
    assert holds(theorem_22, groups(11, 120))
    assert holds(theorem_22, row(12, 150))
    assert holds(theorem_22, detours(13, 100))
    assert refuted(deltas_add_up, row(12, 150))
    assert refuted(by_the_distance, detours(13, 100))


def test_the_distance_scaled_notion_is_strictly_stronger():
    def stronger(m, a, b, rng):
        return at_most(m.delta(ratio=a), m.scaled().delta(ratio=a))

    def no_stronger(m, a, b, rng):
        return m.vacuous or m.scaled().delta(ratio=a) <= m.delta(ratio=a)

    def brute(m, a, b, rng):
        told = [F(0)]
        for (x, y), o in product(combinations(m.databases, 2), m.leaks):
            if m.can_share(x, y, o):
                d = sum(s != t for s, t in zip(x, y, strict=True))
                told.append(m.conditioned(x, y, o).delta(ratio=a**d) / sum(a**i for i in range(d)))
        return m.scaled().delta(ratio=a) == max(told)

    assert holds(stronger, groups(14, 120))
    assert holds(brute, groups(14, 120))
    assert refuted(no_stronger, groups(14, 120))


# Reduction and composition (section 4.4)


def test_the_reduction_mechanism():
    def propositions_23_and_24(m, a, b, rng):
        for x, y in m.neighbours:
            for o in m.leaks:
                reduced = m.reduction(x, y, o)
                if not m.can_share(x, y, o):
                    if reduced.delta(ratio=1) != 0 or reduced.outputs != ["null"]:
                        return False
                elif (reduced.law(x), reduced.law(y)) != (m.law(x, o), m.law(y, o)):
                    return False
                elif not reduced.delta(ratio=a) == m.conditioned(x, y, o).delta(ratio=a) <= m.delta(ratio=a):
                    return False
        return True

    def for_any_two_databases(m, a, b, rng):
        far = [(x, y, o) for x, y in combinations(m.databases, 2) for o in m.leaks if m.can_share(x, y, o)]
        return all(m.reduction(*name).delta(ratio=a) <= m.delta(ratio=a) for name in far)

    assert holds(propositions_23_and_24, tables(15, 100, bits(2)))
    assert refuted(for_any_two_databases, tables(15, 100, bits(2)))


def optimum(levels, at):
    """Return KOV's optimum at e^eps = `at` for the composition of (ratio, delta) promises, by enumeration."""
    return truth.hockey_stick(*truth.product_pair([truth.worst_pair(*level) for level in levels]), at)


def couples(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        one, two = something(rng), something(rng)
        a, b = rng.choice(RATIOS), rng.choice(RATIOS)
        yield one, two, (a, one.delta(ratio=a)), (b, two.delta(ratio=b))


def test_composition_with_fresh_coins():
    def theorem_26(one, two, first, second):
        both = one.compose(two)
        return all(both.delta(ratio=at) <= optimum([first, second], at) for at in (*RATIOS, first[0] * second[0]))

    def corollary_28(one, two, first, second):
        told = first[1] + second[1] - first[1] * second[1]
        return one.compose(two).delta(ratio=first[0] * second[0]) <= told <= first[1] + second[1]

    def the_larger_delta(one, two, first, second):
        return one.compose(two).delta(ratio=first[0] * second[0]) <= max(first[1], second[1])

    def the_larger_epsilon(one, two, first, second):
        return one.compose(two).delta(ratio=max(first[0], second[0])) <= first[1] + second[1]

    assert holds(theorem_26, couples(16, 100))
    assert holds(corollary_28, couples(16, 100))
    assert refuted(the_larger_delta, couples(16, 100))
    assert refuted(the_larger_epsilon, couples(16, 100))


def test_a_common_leak_does_not_compose():
    def refutable(m, a, b, rng):
        return m.delta(ratio=1) <= sum(m.then(lambda out, i=i: out[i]).delta(ratio=1) for i in (0, 1))

    rng, cells = random.Random(17), [(o, out) for o in (0, 1) for out in bits(2)]
    drawn = [LeakyMechanism.from_joint({x: law(rng, cells) for x in (0, 1)}) for _ in range(200)]
    assert refuted(refutable, ((m, 1, 1, rng) for m in drawn))


def adversaries(family):
    """Yield every adversary of two rounds that asks about neighbours and a value that both can leak."""
    asked = [(m, *pair, o) for m in family for x, y, o in m.comparisons for pair in ((x, y), (y, x))]
    for first in asked:
        answers = adaptive_experiment(lambda view, first=first: first, 1).outcomes
        for later in product(asked, repeat=len(answers)):
            replies = dict(zip(answers, later, strict=True))
            yield lambda view, first=first, replies=replies: replies[view] if view else first


def small_families(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        cells = {x: law(rng, [(0, "a"), (0, "b")]) for x in (0, 1)}, {x: law(rng, [(0, "a"), (0, "b")]) for x in (0, 1)}
        yield [LeakyMechanism.from_joint(table) for table in cells], rng.choice(RATIOS)


def test_the_best_adversary_among_all_of_two_rounds():
    for family, a in small_families(18, 25):
        every = [adaptive_experiment(adversary, 2).delta(ratio=a, direction="pq") for adversary in adversaries(family)]
        assert adaptive_delta(family, 2, ratio=a) == max(every)


def test_adaptive_composition_never_beats_the_optimum():
    rng = random.Random(19)
    for k, count in ((1, 60), (2, 60), (3, 15)):
        for _ in range(count):
            family = [something(rng) for _ in range(2)]
            a, at = rng.choice(RATIOS), rng.choice(RATIOS) ** k
            level = (a, max(m.delta(ratio=a) for m in family))
            assert adaptive_delta(family, k, ratio=at) <= optimum([level] * k, at)  # Theorem 31
    assert adaptive_delta(family, 1, ratio=2) == max(m.delta(ratio=2) for m in family)


def test_both_games_have_the_same_views():
    rng = random.Random(20)
    for _ in range(60):
        family = [table(rng, (0, 1)) for _ in range(2)]
        asked = [(m, 0, 1, o) for m in family for o in m.leaks]
        plan = {view: rng.choice(asked) for k in range(2) for view in product(("a", "b", "c", "null"), repeat=k)}
        reduced = {view: (m.reduction(x, y, o), x, y, None) for view, (m, x, y, o) in plan.items()}
        one, two = adaptive_experiment(plan.get, 2), adaptive_experiment(reduced.get, 2)
        assert one.outcomes == two.outcomes
        assert (one.p == two.p).all()
        assert (one.q == two.q).all()


# The exponential mechanism (appendix E)


def choices(seed, count, **how):
    """Draw exponential mechanisms with whole scores and random leaks, on three databases."""
    rng = random.Random(seed)
    for _ in range(count):
        scores = {(x, y, o): rng.randint(0, 3) for x, y, o in product(range(3), range(3), (0, 1))}
        leaks = {x: law(rng, (0, 1)) for x in range(3)}
        m = exponential_mechanism_with_leak(
            range(3), range(3), leaks, lambda x, y, o, scores=scores: scores[x, y, o], base=rng.choice((2, 3)), **how
        )
        yield (m,)


def theorem_36(m, factor=2):
    finite = [o for o in m.leaks if m.sensitivity[o] > 0]
    zero = [o for o in m.leaks if m.sensitivity[o] == 0]
    small = all(at_most(m.given(o).ratio(), m.base[o] ** (factor * m.sensitivity[o])) for o in finite)
    return small and all(at_most(m.given(o).ratio(), 1) for o in zero)


def test_the_exponential_mechanism():
    assert holds(theorem_36, choices(21, 100))
    assert holds(theorem_36, choices(22, 100, restricted=True))
    assert refuted(lambda m: theorem_36(m, factor=1), choices(22, 100, restricted=True))


def theorem_38(m, bound=lambda told, share: told):
    for x in m.databases:
        for o in m.leak_law(x):
            best = max(m.utility(x, y, o) for y in m.answers)
            share = F(len(m.answers), sum(m.utility(x, y, o) == best for y in m.answers))
            for score in range(best) if m.sensitivity[o] > 0 else ():
                if not m.tail(x, o, score) < bound(m.tail_bound(x, o, score), share):
                    return False
    return True


def test_the_tail():
    assert holds(theorem_38, choices(23, 100))
    assert refuted(lambda m: theorem_38(m, lambda told, share: told / share), choices(23, 100))


# The big world (section 6.2)


def worlds(seed, count):
    """Draw studies, participation laws and a leak: the count, a bound of it, the vector, or something random."""
    rng = random.Random(seed)
    for _ in range(count):
        studies = [asks_state(rng.choice((2, 3)))] * rng.choice((1, 2, 2, 2, 3))
        vectors = bits(len(studies))
        noise = {(x, v): law(rng, range(sum(v), len(studies) + 1)) for x in (0, 1) for v in vectors}
        leak = rng.choice([None, lambda x, v: v, lambda x, v: max(sum(v), 1), lambda x, v, noise=noise: noise[x, v]])
        yield (big_world(studies, {x: law(rng, vectors) for x in (0, 1)}, leak),)


def test_the_big_world():
    def theorem_17(world):
        told = [world.bounds(o) for o in world.leaks if world.can_share(0, 1, o)]
        return all(b["exact"] <= min(b["min(2t, k) eps"], b["t eps + eta"], b["2t eps"], b["k eps"]) for b in told)

    def only_t(world):
        a = world.one_study.ratio()
        return all(at_most(world.given(o).ratio(), a ** world.most_joined(o)) for o in world.leaks)

    def deltas_too(world):
        a = F(3, 2)
        d = world.one_study.delta(ratio=a)
        for o in world.leaks:
            m = min(2 * world.most_joined(o), len(world.studies))
            told = bounds.big_world_bound(a, d, world.most_joined(o), len(world.studies))
            least = min(optimum([(a, d)] * m, told.ratio), told.delta)
            if not at_most(world.given(o).delta(ratio=told.ratio), least):
                return False
        return True

    assert holds(theorem_17, worlds(24, 100))
    assert holds(deltas_too, worlds(25, 100))
    assert refuted(only_t, worlds(24, 100))


def test_equal_odds_ratios_and_an_exact_count_cost_t():
    rng = random.Random(26)
    for _ in range(40):
        k, rho = rng.randint(1, 3), F(rng.randint(1, 5), rng.randint(1, 5))
        odds = [F(rng.randint(1, 5), rng.randint(1, 5)) for _ in range(k)]
        laws = {}
        for x, factor in ((0, F(1)), (1, rho)):
            weights = {}
            for v in bits(k):
                weights[v] = F(1)
                for joins, o in zip(v, odds, strict=True):
                    weights[v] *= factor * o if joins else 1
            laws[x] = {v: w / sum(weights.values()) for v, w in weights.items()}
        world = big_world([asks_state(2)] * k, laws)
        for t in world.leaks:
            assert world.participation.given(t).ratio() == 1
            assert world.given(t).ratio() <= 2**t
