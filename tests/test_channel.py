"""The channel against its definition: brute force over outputs, and exact fractions beside floats."""

import random
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import Pair
from dpteach.channel import MOST_CELLS, Channel, differ_in_one, neighbour_pairs, next_to, shortest_paths
from dpteach.curve import VACUOUS

DATABASES = [(0, 0), (0, 1), (1, 0), (1, 1)]


def random_law(rng, outputs="abc", zeros=0.3):
    weights = [0 if rng.random() < zeros else rng.randint(1, 9) for _ in outputs]
    weights[rng.randrange(len(outputs))] += 1
    return {y: Fraction(w, sum(weights)) for y, w in zip(outputs, weights, strict=True)}


def random_channel(rng, outputs="abc"):
    return Channel({D: random_law(rng, outputs) for D in DATABASES})


channels = st.integers(0, 10**6).map(lambda seed: random_channel(random.Random(seed)))


def excess(p, q, ratio):
    return sum(max(p.get(y, 0) - ratio * q.get(y, 0), 0) for y in {**p, **q})


def by_hand(laws, pairs, ratio):
    """Return the largest delta of two laws, in either direction."""
    both = [*pairs, *((E, D) for D, E in pairs)]
    return max(excess(laws[D], laws[E], ratio) for D, E in both)


def as_floats(channel):
    return Channel({D: {y: float(w) for y, w in law.items()} for D, law in channel.laws.items()})


# ------------------------------------------------------------------------------------------------ what it says


@given(channels, st.integers(1, 6))
def test_the_worst_case_is_the_largest_over_the_neighbours(channel, ratio):
    pairs = [(D, E) for D, E in combinations(DATABASES, 2) if sum(D) != sum(E) and sum(D) + sum(E) != 2]
    assert channel.worst().delta(ratio=ratio) == by_hand(channel.laws, pairs, ratio)
    everyone = list(combinations(DATABASES, 2))
    assert channel.worst(everyone).delta(ratio=ratio) == by_hand(channel.laws, everyone, ratio)


def test_without_neighbours_it_is_vacuous():
    assert random_channel(random.Random(1)).worst([]).delta(0) is VACUOUS
    assert random_channel(random.Random(1)).worst(lambda D, E: False).epsilon(0) is VACUOUS


def test_equal_laws_share_their_pairs():
    half = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    channel = Channel({0: half, 1: dict(reversed(half.items())), 2: {"a": 1}, 3: {"a": 1, "b": 0}})
    assert channel.pair(0, 2) is channel.pair(1, 3)
    assert len(channel.worst()._different) == 3  # of six
    assert channel.worst().ratio() == float("inf")


def test_pairs_keep_the_names_of_the_outputs():
    channel = Channel({0: {"a": Fraction(1, 2), "b": Fraction(1, 2)}, 1: {"b": 1}})
    pair = channel.pair(0, 1)
    assert isinstance(pair, Pair)
    assert dict(zip(pair.outcomes, pair.q, strict=True)) == {"a": 0, "b": 1}


# ------------------------------------------------------------------------------------------ making others of it


@given(channels, channels)
def test_the_product_shows_both_outputs(one, two):
    both = one @ two
    for D in DATABASES:
        expected = {(y, z): p * q for (y, p), (z, q) in product(one.law(D).items(), two.law(D).items())}
        assert both.law(D) == expected
        assert both.pair(DATABASES[0], D).ratio() == (one.pair(DATABASES[0], D) @ two.pair(DATABASES[0], D)).ratio()


@given(channels, channels, channels)
def test_the_second_may_depend_on_the_first_output(one, two, three):
    follow = {"a": two, "b": three, "c": two}
    both = one.adaptively(follow.get)
    for D in DATABASES:
        assert all(both.law(D)[y, z] == one.law(D)[y] * follow[y].law(D)[z] for y, z in both.law(D))
        assert sum(both.law(D).values()) == 1


@given(channels, st.integers(0, 99), st.integers(1, 6))
def test_post_processing_cannot_hurt(channel, seed, ratio):
    kernel = {y: random_law(random.Random(seed + ord(y)), "xy") for y in "abc"}
    processed = channel.then(kernel)
    for D in DATABASES:
        expected = {z: sum(p * kernel[y][z] for y, p in channel.law(D).items()) for z in "xy"}
        assert processed.law(D) == {z: p for z, p in expected.items() if p}
    assert processed.worst().delta(ratio=ratio) <= channel.worst().delta(ratio=ratio)
    assert channel.then(lambda y: y).laws == channel.laws


@given(channels)
def test_preprocessing_takes_the_law_of_the_image(channel):
    counts = channel.after(lambda n: (n // 2, n % 2), range(4))
    assert [counts.law(n) for n in range(4)] == [channel.law((n // 2, n % 2)) for n in range(4)]


@given(channels)
def test_given_an_event_only_databases_that_allow_it_are_left(channel):
    possible = [D for D in DATABASES if {"a", "b"} & channel.law(D).keys()]
    if not possible:
        with pytest.raises(ValueError, match="event must be possible on some database"):
            channel.given({"a", "b"})
        return
    inside = channel.given({"a", "b"})
    assert inside.databases == possible
    assert inside.laws == channel.given(lambda y: y != "c").laws
    for D in possible:
        law = channel.law(D)
        share = law.get("a", 0) + law.get("b", 0)
        assert inside.law(D) == {y: law[y] / share for y in law if y != "c"}


@settings(max_examples=30)
@given(channels, channels, st.integers(0, 99), st.floats(0, 3))
def test_floats_stay_on_the_safe_side_of_the_same_fractions(one, two, seed, eps):
    """Everything is made twice, of floats and of the fractions that these floats are."""
    kernel = {y: {z: float(w) for z, w in random_law(random.Random(seed + ord(y)), "xy").items()} for y in "abc"}
    floats = as_floats(one), as_floats(two), kernel
    laws = [{D: {y: Fraction(w) for y, w in law.items()} for D, law in given.items()} for given in _laws(*floats)]
    made = _made(*floats)
    for channel, exact in zip(made, _exactly(*laws), strict=True):
        for D, E in combinations(channel.databases, 2):
            low, high = channel.pair(D, E).bracket(eps=eps)
            truth = by_hand(exact, [(D, E)], _exp(eps))
            assert low <= min(truth, 1) <= high  # floats may sum to a little more than one


def _laws(one, two, kernel):
    return one.laws, two.laws, kernel


def _made(one, two, kernel):
    return [one @ two, one.then(kernel), (one @ two).given(lambda cell: cell[0] != "c" or cell[1] == "a")]


def _exactly(one, two, kernel):
    """Return the same three by exact arithmetic on laws that need not sum to one."""
    both = {D: {(y, z): p * q for (y, p), (z, q) in product(one[D].items(), two[D].items())} for D in one}
    replaced = {D: {z: sum(p * kernel[y].get(z, 0) for y, p in law.items()) for z in "xy"} for D, law in one.items()}
    event = {D: {c: w for c, w in law.items() if c[0] != "c" or c[1] == "a"} for D, law in both.items()}
    conditioned = {D: {c: w / sum(law.values()) for c, w in law.items()} for D, law in event.items() if law}
    return both, replaced, conditioned


def _exp(eps):
    """Return e^eps in a hundred digits, as a fraction."""
    import mpmath

    with mpmath.workdps(100):
        return Fraction(str(mpmath.exp(mpmath.mpf(eps))))


# ------------------------------------------------------------------------------------------------- neighbours


def test_neighbours_are_each_listed_once():
    assert neighbour_pairs([0, 1, 2], [(0, 1), (1, 0), [2, 1]]) == [(0, 1), (2, 1)]
    assert neighbour_pairs([0, 1, 2], lambda D, E: E == D + 1) == [(0, 1), (1, 2)]
    assert neighbour_pairs(DATABASES) == [(D, E) for D, E in combinations(DATABASES, 2) if differ_in_one(D, E)]


@given(st.integers(0, 10**6))
def test_breadth_first_finds_shortest_paths(seed):
    """Against distances by relaxing every edge until nothing changes."""
    rng = random.Random(seed)
    pairs = [pair for pair in combinations(range(7), 2) if rng.random() < 0.25]
    beside = next_to(range(7), pairs)
    steps = {D: 0 if D == 0 else 99 for D in range(7)}
    for _ in range(7):
        for D, E in pairs:
            steps[D], steps[E] = min(steps[D], steps[E] + 1), min(steps[E], steps[D] + 1)
    paths = shortest_paths(0, beside)
    assert {D: len(path) - 1 for D, path in paths.items()} == {D: n for D, n in steps.items() if n < 99}
    assert all(E in beside[D] for path in paths.values() for D, E in pairwise(path))


def test_a_path_may_have_to_stay_inside():
    ring = [(n, (n + 1) % 6) for n in range(6)]
    inside = next_to([0, 2, 3, 4, 5], ring)
    assert shortest_paths(0, inside)[2] == (0, 5, 4, 3, 2)


# ---------------------------------------------------------------------------------------- what may not be asked

COIN = Channel({0: {"a": Fraction(1, 2), "b": Fraction(1, 2)}, 1: {"a": 1}})
WIDE = Channel({0: dict.fromkeys(range(2**11), Fraction(1, 2**11))})
REFUSED = {
    "no laws": (lambda: Channel({}), "laws must map databases to"),
    "no law": (lambda: Channel({0: [1, 0]}), "laws must map databases to"),
    "no probabilities": (lambda: Channel({0: {"a": Fraction(1, 2)}}), r"laws\[0\] must sum to 1"),
    "an unknown database": (lambda: COIN.pair(0, 7), "database must be one of the 2 of the channel, not 7"),
    "an unhashable database": (lambda: COIN.law([]), "database must be one of the 2 of the channel"),
    "no kernel": (lambda: COIN.then(3), "kernel must be a function or a dictionary"),
    "half a kernel": (lambda: COIN.then({"a": 1}), "kernel must have a value for 'b'"),
    "a kernel of lists": (lambda: COIN.then(lambda y: [y]), "kernel must be numbers, words or tuples"),
    "an impossible event": (lambda: COIN.given({"z"}), "event must be possible on some database"),
    "nowhere": (lambda: COIN.after(lambda D: D + 5, [0, 1]), "database must be one of the 2"),
    "other databases": (lambda: COIN @ WIDE, "the second channel must be on the databases of the first"),
    "not a channel": (lambda: COIN.adaptively(lambda y: y), "the second channel must be on the databases"),
    "no neighbours": (lambda: COIN.worst([(0, 0)]), "neighbours must be pairs of two different databases"),
    "a large product": (
        lambda: WIDE @ WIDE,
        f"the product must make a table of at most {MOST_CELLS} cells, not 4194304",
    ),
}


@pytest.mark.parametrize("ask, sentence", REFUSED.values(), ids=REFUSED)
def test_what_may_not_be_asked_is_refused_in_a_sentence(ask, sentence):
    with pytest.raises(ValueError, match=sentence) as refused:
        ask()
    assert "\n" not in str(refused.value)


def test_only_channels_can_be_multiplied():
    with pytest.raises(ValueError, match="second channel must be on the databases of the first, not 3"):
        COIN @ 3
    with pytest.raises(ValueError, match="other must be a channel on the same databases, not 3"):
        3 @ COIN
