"""The numbers in the questions of lecture 4, computed: by the library, and straight from the definitions."""

import math
from fractions import Fraction
from itertools import product

from accounting import Account, account

from dpteach.leakage import LeakyMechanism, asks_presence, asks_state, big_world, bits, bounds, examples

HALF = Fraction(1, 2)


def studies(vector, ratio=3):
    """Return the law of the answers of studies that a person joins where the vector is 1."""
    low, high = Fraction(1, 1 + ratio), Fraction(ratio, 1 + ratio)
    answers = product((0, 1), repeat=len(vector))
    return {z: math.prod(high if a == b else low for a, b in zip(z, vector, strict=True)) for z in answers}


def largest(p, q):
    """Return the largest ratio of two laws, in either order."""
    return max(max(p[z] / q[z], q[z] / p[z]) for z in p)


def heap(left, false=(0, 1)):
    """Return e^eps of the report if the coin is one of `left`: true reports against false ones."""
    lies = sum(r in false for r in left)
    return Fraction(len(left) - lies, lies)


@account("4.1")
def five_studies():
    world = big_world([asks_presence(3)] * 5, lambda ill: (ill,) * 5, lambda ill, v: None)
    return Account(
        given="1 3 5 five",
        facts={"243": (world.ratio(), largest(studies((0,) * 5), studies((1,) * 5)))},
        slips={"15": 5 * 3},
        answer=243,
    )


@account("4.2")
def eight_coins():
    def report(x, r):
        return x ^ (r in (0, 1))

    world = LeakyMechanism.from_functions([0, 1], range(8), report, lambda x, r: r in (0, 2, 3))
    heaps = [heap([0, 2, 3]), heap([1, 4, 5, 6, 7])]
    assert heaps == [world.given(True).ratio(), world.given(False).ratio()]
    return Account(
        given="0 1 2 3 5 7 two three five eight",
        facts={
            "4": (world.ratio(), max(heaps)),
            "6/2": (world.without_leak().ratio(), heap(range(8))),
            "four": (4, sum(r not in (0, 1) for r in (1, 4, 5, 6, 7))),
            "six": (8 - 2, sum(r not in (0, 1) for r in range(8))),
        },
        slips={"6": Fraction(6, 1)},
        answer=4,
    )


@account("4.3")
def one_key_bit():
    world = examples.one_time_pad(3, leaked=1)
    exposed = [delta for delta in world.by_neighbours(ratio=1000).values() if delta > 0]
    assert len(exposed) * 3 == len(world.neighbours) and set(exposed) == {1}
    by_hand = max(first_bit_told(x, y) for x, y in world.neighbours)
    return Account(
        given="0 three",
        facts={"1": (world.delta(ratio=1000), by_hand)},
        slips={"1/3": Fraction(len(exposed), len(world.neighbours)), "1/2": HALF},
        answer=1,
    )


def first_bit_told(x, y):
    """Return how well the first bit tells two secrets apart if its key bit is 0."""
    return int(x[0] != y[0])


@account("4.4")
def the_bit_itself():
    for report in (lambda x, r: x ^ (r in (0, 1)), lambda x, r: x):
        world = LeakyMechanism.from_functions([0, 1], range(8), report, lambda x, r: x)
        assert world.vacuous and world.shared_leaks(0, 1) == [] and world.coverage == 0
    return Account(given="0 1 3 two 4.2")


@account("4.5")
def both_published():
    given = 2, Fraction(1, 10), 3, Fraction(1, 5)
    worst = examples.release_extremal(*given, copies=5)
    assert len(worst.shared_leaks(0, 1)) == 10
    exact = worst.released().delta(ratio=6)
    by_hand = sum(max(w - 6 * worst.joint[1].get(cell, 0), 0) for cell, w in worst.joint[0].items())
    assert exact == bounds.release_bound(*given).delta
    return Account(
        given="0.1 0.2 0.8 1 10 2 3 two ten",
        facts={
            "0.28": (exact, by_hand),
            "0.9": (1 - 0.1, Fraction(9, 10)),
            "6": (2 * 3, bounds.release_bound(*given).ratio),
        },
        slips={"0.3": 0.1 + 0.2, "2.3": bounds.release_bound_as_printed(*given, 10).delta},
        answer=exact,
    )


@account("4.6")
def one_common_leak():
    def given_the_leak(mechanism):
        return LeakyMechanism.from_functions([0, 1], bits(2), mechanism, lambda x, r: r[0] ^ r[1]).delta(ratio=1)

    alone = [given_the_leak(lambda x, r: x ^ r[0]), given_the_leak(lambda x, r: r[1])]
    together = given_the_leak(lambda x, r: (x ^ r[0], r[1]))
    seen = [{((x ^ a), b) for a, b in bits(2) if a == b} for x in (0, 1)]  # if the leak is 0
    assert alone == [0, 0]
    return Account(
        given="0 two",
        facts={"1": (together, int(not seen[0] & seen[1]))},
        slips={"1/2": HALF, "1/4": HALF**2},
        answer=1,
    )


@account("4.7")
def three_in_a_row():
    after = examples.xor_attack(3, 3).posterior(leak=(0, 0), output=(0, 0, 0))
    sure = sum(weight for x, weight in after.items() if x[0] == 0)
    odds = Fraction(3, 4) ** 3 / Fraction(1, 4) ** 3
    assert set(after) >= {(0, 0, 0), (1, 1, 1)} and [x for x, w in after.items() if w] == [(0, 0, 0), (1, 1, 1)]
    two = examples.xor_attack(2, 3).posterior(leak=(0,), output=(0, 0))[0, 0]
    one = examples.xor_attack(1, 3).posterior(output=(0,))[(0,)]
    return Account(
        given="0 000 1 111 3 4 two three",
        facts={"27/28": (sure, odds / (odds + 1)), "27": (sure / (1 - sure), odds), "3/4": (one, Fraction(3, 1 + 3))},
        slips={"9/10": two, "27/64": Fraction(3, 4) ** 3},
        answer=sure,
    )


@account("4.8")
def one_of_two():
    world = big_world([asks_presence(3)] * 2, {0: (1, 0), 1: (0, 1)})
    return Account(
        given="1 2 3 two",
        facts={"9": (world.given(1).ratio(), largest(studies((1, 0)), studies((0, 1))))},
        slips={"6": 3 + 3},
        answer=9,
    )


@account("4.s1")
def shares():
    told = examples.secret_shares(4, leaked=3).delta(ratio=1)
    heads = [sum((x + sum((0, 0, 1)) + last) % 2 for last in (0, 1)) for x in (0, 1)]
    assert examples.secret_shares(4, leaked=4).delta(ratio=1) == 1
    return Account(
        given="three four",
        facts={"0": (told, abs(heads[0] - heads[1]))},
        slips={"3/4": Fraction(3, 4), "1": 1, "1/4": Fraction(1, 4)},
        answer=0,
    )


@account("4.s2")
def exact_totals():
    totals = LeakyMechanism.from_laws(bits(3), sum, lambda x, o: x)
    assert totals.vacuous and totals.worst_coverage == 0
    return Account(given="0 two")


@account("4.s3")
def detour():
    chances = {(0, 0): Fraction(8, 20), (2, 0): Fraction(4, 20), (2, 1): Fraction(2, 20), (1, 1): Fraction(1, 20)}
    world = LeakyMechanism.from_laws(
        list(product(range(3), repeat=2)),
        lambda x: "o" if x in chances else "else",
        lambda x, o: examples.coin(chances[x]) if o == "o" else 0,
    )
    steps = len(world.group_paths("o")[(0, 0), (1, 1)]) - 1
    assert world.given("o").ratio() == 2
    return Account(
        given="00 01 10 11 20 21 2 two",
        facts={
            "8": (world.conditioned((0, 0), (1, 1), "o").ratio(), chances[0, 0] / chances[1, 1]),
            "three": (steps, len(chances) - 1),
        },
        slips={"4": 2**2, "16": 2**4},
        answer=2**steps,
    )


@account("4.s4")
def drawn_at_random():
    study = examples.sampled_study(3)
    drawn = {x: {m: Fraction(3 if m == x else 1, 4) for m in (0, 1)} for x in (0, 1)}
    mixed = {(x, y): {m: (drawn[x][m] + drawn[y][m]) / 2 for m in (0, 1)} for x, y in bits(2)}
    by_draw = max(largest(mixed[x, y], drawn[x]) for x, y in bits(2))
    assert (
        study.without_leak().ratio()
        == largest(mixed[0, 0], mixed[1, 0])
        == 2
        == study.independence().ratio()
        == by_draw
    )
    return Account(
        given="0 2 two twice",
        facts={"3": (study.ratio(), largest(drawn[0], drawn[1]))},
        slips={"4": 2 * 2, "8": bounds.independence_bound(2, 0, 2).ratio},
        answer=3,
    )


@account("4.s5")
def six_studies():
    worlds = {0: (1, 1, 0, 0, 0, 0), 1: (0, 0, 0, 0, 1, 1)}
    few = [v for v in bits(4) if sum(v) <= 2]  # four studies are enough: two in each world
    most = max(big_world([asks_state(5)] * 4, {0: v, 1: w}, lambda x, u: 2).ratio() for v in few for w in few)
    return Account(
        given="2 5 two six",
        facts={
            "625": (most, largest(studies(worlds[0], 5), studies(worlds[1], 5))),
            "4": (min(2 * 2, 6), sum(a != b for a, b in zip(*worlds.values(), strict=True))),
            "four": (min(2 * 2, 6), sum(a != b for a, b in zip(*worlds.values(), strict=True))),
        },
        slips={"25": 5**2, "15625": 5**6, "20": 4 * 5},
        answer=most,
    )
