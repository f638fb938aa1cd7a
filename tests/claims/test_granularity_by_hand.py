"""The corrected statements of GMPS, tried on small random worlds in fractions, without dpteach; then the library's.

Databases are numbered; a metric is a table of whole numbers and infinity, in units of log 2, and a mechanism that loses
exactly a metric exists for each of them, so statements about pure privacy are statements about metrics.
"""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import inf, log

import pytest

from dpteach.granularity import DatabaseClass, Partition, unbounded
from dpteach.notions import Approximate, compose, group_delta

SIZES = range(4)
ALL = [D for size in SIZES for D in combinations_with_replacement("abc", size)]


def times(factor, distance):
    """Multiply, with 0 * inf = inf."""
    return inf if inf in (factor, distance) else factor * distance


def closed(d):
    """Return the shortest paths of a table of distances."""
    d = [list(row) for row in d]
    for k, i, j in product(range(len(d)), repeat=3):
        d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return d


def steps(databases, near):
    """Return the numbers of steps between neighbours inside a class."""
    return closed([[0 if D == E else 1 if near(D, E) else inf for E in databases] for D in databases])


def random_metric(rng, size):
    """Return a random metric, with zeros and infinities."""
    d = [[0] * size for _ in range(size)]
    for i, j in combinations(range(size), 2):
        d[i][j] = d[j][i] = rng.choice((0, 1, 2, 3, inf))
    return closed(d)


def gone(D, E):
    """Count the records of D that are not in E."""
    return (Counter(D) - Counter(E)).total()


def replaced(D, E):
    """Say whether one record was replaced."""
    return gone(D, E) == gone(E, D) == 1


def added(D, E):
    """Say whether one record came or went."""
    return gone(D, E) + gone(E, D) == 1


def part(D, block):
    """Return the records of D that belong to a block."""
    return tuple(x for x in D if x in block)


def least(d, labels):
    """Return d^f for the values of f, and its closure."""
    fibres = {label: [i for i, own in enumerate(labels) if own == label] for label in labels}
    raw = [[min(d[i][j] for i in fibres[one] for j in fibres[other]) for other in labels] for one in labels]
    return raw, closed(raw)


def sensitivity(f, d1, d2):
    """Return the least c with d2 <= c d1 wherever d1 is finite (Definition III.5)."""
    pairs = [(d1[i][j], d2[f[i]][f[j]]) for i, j in product(range(len(d1)), repeat=2) if d1[i][j] < inf]
    if any(y == inf or x == 0 < y for x, y in pairs):
        return inf
    return max((Fraction(y, x) for x, y in pairs if y > 0), default=0)


def delta(p, q, ratio):
    """Return the largest P(S) - ratio Q(S)."""
    return sum(max(x - ratio * y, 0) for x, y in zip(p, q, strict=True))


@pytest.mark.parametrize("seed", range(300))
def test_proposition_iii_8_with_infinity_times_zero(seed):
    """The sensitivity of g after f is at most the product, with inf * 0 = inf; zero and infinite distances occur."""
    rng = random.Random(seed)
    d1, d2, d3 = (random_metric(rng, rng.randint(1, 4)) for _ in range(3))
    f = [rng.randrange(len(d2)) for _ in d1]
    g = [rng.randrange(len(d3)) for _ in d2]
    both = [g[x] for x in f]
    assert sensitivity(both, d1, d3) <= times(sensitivity(f, d1, d2), sensitivity(g, d2, d3))


@pytest.mark.parametrize("given", list(product((0, 1, None), repeat=3)))
def test_example_ii_9(given):
    """The sizes of the parts stay private if and only if no block is neither empty nor everything."""
    blocks = [{x for x, part in zip("abc", given, strict=True) if part == i} for i in (0, 1)]
    sizes = {D: [len(part(D, block)) for block in blocks] for D in ALL}
    private = all(sizes[D] == sizes[E] for D, E in combinations(ALL, 2) if replaced(D, E))
    assert private == all(block in (set(), set("abc")) for block in blocks)


@pytest.mark.parametrize("seed", range(80))
def test_corollary_iv_13_in_any_class(seed):
    """Replacing a record costs at most the two largest, also in classes with gaps and with empty blocks."""
    rng = random.Random(seed)
    cls = rng.sample(ALL, rng.randint(2, 9))
    blocks = rng.choice([("a", "b", "c"), ("a", "bc"), ("a", "b", ""), ("ab", "c", "")])
    eps = [rng.randint(0, 3) for _ in blocks]
    d = steps(cls, replaced)
    lost = [least(d, [part(D, block) for D in cls])[1] for block in blocks]
    for i, j in combinations(range(len(cls)), 2):
        if replaced(cls[i], cls[j]):
            assert sum(e * own[i][j] for e, own in zip(eps, lost, strict=True)) <= sum(sorted(eps)[-2:])


@pytest.mark.parametrize("blocks", [("a", "b", "c"), ("a", "bc"), ("b", "ac", "")])
def test_the_bonus_of_corollary_iv_13_needs_all_multisets(blocks):
    """Among all multisets a part at bounded distance d^p is one step away if a record comes; in a small class not."""
    d = steps(ALL, replaced)
    for block in blocks:
        raw, closure = least(d, [part(D, block) for D in ALL])
        for (i, D), (j, E) in product(enumerate(ALL), repeat=2):
            A, B = part(D, block), part(E, block)
            assert raw[i][j] == closure[i][j] == max(gone(A, B), gone(B, A))
    two = [(), ("a",)]
    assert least(steps(two, replaced), two)[1][0][1] == inf


@pytest.mark.parametrize("seed", range(120))
def test_closures_of_compatible_parts_stay_below_the_distance(seed):
    """The right form of equation (IV.1): closures of d^p add up to at most d, and images of neighbours give them."""
    rng = random.Random(seed)
    near = rng.choice((replaced, added))
    cls = rng.sample(ALL, rng.randint(2, 8))
    blocks = rng.choice([("ab",), ("a", "b", "c"), ("ac", "b")])
    labels = [[part(D, block) for D in cls] for block in blocks]
    edges = [(i, j) for i, j in product(range(len(cls)), repeat=2) if near(cls[i], cls[j])]
    edges = [(i, j) for i, j in edges if sum(own[i] != own[j] for own in labels) <= 1]  # so p is compatible
    d = steps(range(len(cls)), lambda i, j: (i, j) in edges)
    closures = [least(d, own)[1] for own in labels]
    for i, j in product(range(len(cls)), repeat=2):
        assert sum(closure[i][j] for closure in closures) <= d[i][j]
    for own, closure in zip(labels, closures, strict=True):
        values = list(dict.fromkeys(own))
        images = {(own[i], own[j]) for i, j in edges}
        among = steps(values, lambda A, B, images=images: (A, B) in images)
        assert all(
            closure[i][j] == among[values.index(own[i])][values.index(own[j])]
            for i, j in product(range(len(cls)), repeat=2)
        )


def random_law(rng):
    weights = [rng.randint(0, 5) + (i == 0) for i in range(2)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def random_shouts(rng, size=5):
    """Return two mechanisms, the second chosen by the first one's output, with their maps and the joint laws."""
    f, g = ([rng.randrange(3) for _ in range(size)] for _ in range(2))
    first = [random_law(rng) for _ in range(3)]
    second = [[random_law(rng) for _ in range(3)] for _ in range(2)]
    joint = [
        [first[f[D]][s] * second[s][g[D]][t] for s, t in product(range(2), repeat=2)] for D in range(size)
    ]  # what both print
    return [(f, [first]), (g, second)], joint


@pytest.mark.parametrize("seed", range(150))
def test_theorem_vi_7_as_corrected(seed):
    """The least delta among the nearest pairs with the right values of f is kept, by adaptive mechanisms too."""
    rng = random.Random(seed)
    rounds, joint = random_shouts(rng)
    pairs = list(product(range(5), repeat=2))
    eps, allowed = Counter(), Counter()
    for f, laws in rounds:
        d = [[x if x < inf else 4 for x in row] for row in random_metric(rng, 5)]
        own = {(D, E): max(delta(law[f[D]], law[f[E]], 2 ** d[D][E]) for law in laws) for D, E in pairs}
        for D, E in pairs:
            alike = [(d[x][y], own[x, y]) for x, y in pairs if (f[x], f[y]) == (f[D], f[E])]
            nearest = min(alike)
            eps[D, E] += nearest[0]
            allowed[D, E] += nearest[1]
    assert all(delta(joint[D], joint[E], 2 ** eps[D, E]) <= allowed[D, E] for D, E in pairs)


def test_closures_do_not_keep_delta():
    """Coins in bins of three keep 1/10 at d and at d^f, but not at the closure."""
    coins = [[p, 1 - p] for p in (Fraction((1, 8, 22)[n // 3], 60) for n in range(9))]
    d = [[abs(m - n) for n in range(9)] for m in range(9)]
    raw, closure = least(d, [n // 3 for n in range(9)])
    for m, n in product(range(9), repeat=2):
        assert delta(coins[m], coins[n], 2 ** raw[m][n]) <= Fraction(1, 10)
    assert (raw[8][0], closure[8][0]) == (4, 2) and delta(coins[8], coins[0], 4) == Fraction(3, 10)
    space = unbounded.on(DatabaseClass.multisets("a", at_most=8))
    told = Approximate(space, log(2), lambda D, E: 0.1).dependent_on(lambda D: len(D) // 3).at("", "a" * 8)
    assert told.epsilon == pytest.approx(4 * log(2)) and told.delta == 0.1


def test_groups_never_exceed_one():
    """The worst case of n steps needs the 1 in its minimum: without it, four steps would give 9/8."""
    ratio, small, heads = Fraction(2), Fraction(1, 4), Fraction(0)
    for n in range(1, 8):
        bare = min(ratio * heads + small, 1 - (1 - small - heads) / ratio)
        heads = min(bare, 1)
        assert group_delta(n, ratio=ratio, delta=small) == heads
        assert n != 4 or bare == Fraction(9, 8)


def test_two_incomparable_parts_promise_more_than_both_maxima():
    """Theorem VI.6: for neighbours (log 3, 0) and (0, 1/4) both give (log 2, 1/4), where the theorem says log 3."""
    coin = [Fraction(1, 4), Fraction(3, 4)], [Fraction(3, 4), Fraction(1, 4)]
    shout = [Fraction(1, 4), Fraction(3, 4)], [Fraction(0), Fraction(1)]
    assert delta(*coin, 3) == 0 and delta(*coin, 2) == delta(*shout, 1) == delta(*shout, 2) == Fraction(1, 4)
    space, halves = unbounded.on(DatabaseClass.multisets("ab", at_most=2)), Partition.by_record(["a", "b"])
    one, other = halves.spaces(space)
    told = compose([Approximate(one, log(3)), Approximate(other, 0, 0.25)], halves, on=space)
    assert told.theorem() == "VI.6" and tuple(told.level()) == (pytest.approx(log(3)), 0.25)
    assert told.epsilon(0.25) == pytest.approx(log(2))
