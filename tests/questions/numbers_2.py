"""The numbers in the questions of lecture 2, computed."""

import math
from fractions import Fraction
from itertools import combinations

import truth
from accounting import Account, account, root
from mpmath import mp

from dpteach import Guarantee, Pair, composition, optimal, planning
from dpteach.mechanisms import gaussian, laplace, randomized_response

THREE = Guarantee(math.log(3))


def coins(k):
    """Return the laws of k reports, true 3 times out of 4, with Alice and without her."""
    one = [law[1:3] for law in truth.worst_pair(Fraction(3))]
    return truth.product_pair([one] * k)


def equal_error(p, q):
    """Return the least error of tests, mixed by a coin, that err equally often on both sides: by the convex hull."""
    tests = [(sum(q[i] for i in e), 1 - sum(p[i] for i in e)) for e in truth.events(len(p))]
    border = truth.convex_hull(tests)
    crossed = [
        (a, b) for a, b in zip(border, border[1:] + border[:1], strict=True) if (a[0] - a[1]) * (b[0] - b[1]) <= 0
    ]
    return min(_crossing(a, b) for a, b in crossed)


def _crossing(a, b):
    """Return the height at which the segment from a to b meets the line of equal errors."""
    above, below = a[1] - a[0], b[0] - b[1]
    share = above / (above + below) if above + below else Fraction(0)
    return a[0] + share * (b[0] - a[0])


@account("2.1")
def missed():
    least = THREE.curve.tradeoff(0.1)
    by_lines = max(1 - 3 * 0.1, (1 - 0.1) / 3)
    return Account(
        given="1 3 10% two",
        facts={
            "70%": (least, by_lines),
            "0.3": (1 - least, 3 * 0.1),
            "0.1": (0.1, 10 / 100),
            "30%": (1 - least, 3 * 0.1),
        },
        slips={"3%": 0.1 / 3, "90%": 1 - 0.1},
        answer=0.7,
    )


@account("2.2")
def corner():
    promise = Guarantee(math.log(3), 0.1)
    least = root(lambda x: promise.curve.tradeoff(x) - x, 0, high=1)
    p, q = truth.worst_pair(Fraction(3), Fraction(1, 10))
    second = equal_error(p, q)
    assert second == Fraction(9, 10) / 4
    plain = equal_error(*coins(1))
    return Account(
        given="0.1 0 1 2 3 two",
        facts={
            "0.225": (least, second),
            "0.9/4": (second, (1 - Fraction(1, 10)) / (1 + 3)),
            "0.25": (root(lambda x: THREE.curve.tradeoff(x) - x, 0, high=1), plain),
            "quarter": ((0.25 - least) / 0.1, (plain - second) * 10),
        },
        slips={"0.45": (1 - 0.1) / 2, "0.15": 0.25 - 0.1},
        answer=second,
    )


@account("2.3")
def best_outputs():
    q = [Fraction(n, 100) for n in (20, 10, 10, 60)]
    p = [Fraction(n, 100) for n in (30, 25, 20, 25)]
    pair = Pair(p, q, "ABCD")
    allowed = [e for size in range(5) for e in combinations(range(4), size) if sum(q[i] for i in e) <= Fraction(1, 5)]
    best = max(allowed, key=lambda e: sum(p[i] for i in e))
    assert best == (1, 2)
    return Account(
        given="0.1 0.2 0.3 0.25 0.6 four five",
        facts={
            "0.45": (1 - pair.reversed().tradeoff(Fraction(1, 5)), sum(p[i] for i in best)),
            "2.5": (pair.ratio(), p[1] / q[1]),
            "2": (math.exp(pair.losses[2]), p[2] / q[2]),
            "1.5": (math.exp(pair.losses[0]), p[0] / q[0]),
            "half": (1 - q[1] / Fraction(1, 5), 0.1 / 0.2),
        },
    )


@account("2.4")
def repaired():
    return Account(given="0")


@account("2.5")
def coin_and_laplace():
    cut = mp.quad(lambda x: mp.log(3) / 2 * mp.exp(-mp.log(3) * x), [0.5, mp.inf])
    noise = laplace(math.log(3))
    assert math.isclose(noise.epsilon(), randomized_response(ratio=3).epsilon())
    return Account(
        given="1 2 3 4 two",
        facts={
            "0.289": (root(lambda x: noise.tradeoff(x) - x, 0, high=1), cut),
            "0.25": (randomized_response(ratio=3).q.min(), equal_error(*coins(1))),
        },
    )


@account("2.6")
def two_coins():
    pair = randomized_response(ratio=3) ** 2
    p, q = coins(2)
    basic = composition.basic(THREE, k=2).curve
    return Account(
        given="3 4 2 1 two half",
        facts={
            "0.25": (root(lambda x: float(pair.tradeoff(x)) - x, 0, high=1), equal_error(p, q)),
            "1/4": (equal_error(*coins(1)), equal_error(p, q)),
            "1/16": (pair.p.min(), min(p)),
            "6/16": (1 - pair.p.max() - pair.p.min(), sum(p) - max(p) - min(p)),
            "3/16": (Fraction(6, 16) / 2, sum(p[i] for i in (1, 2)) / 2),
            "9": (math.exp(composition.basic(THREE, k=2).epsilon), 3 * 3),
        },
        slips={
            "0.0625": 0.25**2,
            "0.1": root(lambda x: basic.tradeoff(x) - x, 0, high=1),
            "0.125": 0.25 / 2,
            "halves": 0.5,
        },
    )


@account("2.7")
def thirty_answers():
    one = Guarantee(0.1, 0.001)
    basic = composition.basic(one, k=30)
    certain = 1 - mp.mpf("0.999") ** 30
    return Account(
        given="0 0.1 0.001 30 thirty 1 0.999",
        facts={
            "3": (basic.epsilon, 30 * 0.1),
            "0.03": (basic.delta, 30 * 0.001),
            "1.59": (optimal(one, k=30).epsilon(0.03), truth.optimal_epsilon(0.1, 0.001, 30, 0.03)),
            "0.02957": (optimal(one, k=30).delta(3), certain),
            "0.00043": (0.03 - optimal(one, k=30).delta(3), mp.mpf("0.03") - certain),
        },
        slips={"0.55": math.sqrt(30) * 0.1},
        answer=1.5905,
    )


@account("2.8")
def gaussian_recipe():
    mu = 100 / mp.sqrt(8 * mp.log(mp.e + 1000))
    true = truth.gaussian_delta(mu, 100)
    noises = {k: gaussian(scale=math.sqrt(planning.noise_variance(k, 100, 0.1))) ** k for k in (1, 7, 1000)}
    assert all(math.isclose(noise.delta(100), true, rel_tol=1e-9) for noise in noises.values())
    assert true > 2 * 0.1  # more than twice
    small = gaussian(scale=math.sqrt(planning.noise_variance(1, 1, 0.1)))
    assert small.delta(1) < 0.1 / 10  # generous for small epsilon
    return Account(
        given="0 0.1 100 8 2 twice",
        facts={
            "0.217": (noises[1].delta(100), true),
            "13.4": (noises[1].mu, mu),
            "90.4": (noises[1].mu ** 2 / 2, mu**2 / 2),
        },
        answer=true,
    )


@account("2.s1")
def how_much_delta():
    least = root(lambda d: Guarantee(math.log(3), d).curve.tradeoff(0.04) - 0.04, 0, high=1)
    return Account(
        given="4% 0.04 0 1 3 two",
        facts={
            "0.84": (least, 1 - (3 * 0.04 + 0.04)),
            "0.25": (root(lambda x: THREE.curve.tradeoff(x) - x, 0, high=1), equal_error(*coins(1))),
            "0.12": (3 * 0.04, mp.mpf(12) / 100),
        },
        slips={"0.16": 3 * 0.04 + 0.04, "0.92": 1 - 0.04 - 0.04},
        answer=least,
    )


@account("2.s2")
def one_test():
    least = root(lambda e: Guarantee(e).curve.tradeoff(0.1) - 0.5, 0, high=5)
    by_lines = max(math.log(0.5 / 0.1), math.log(0.9 / 0.5))
    return Account(
        given="0 10% 50% 0.1 0.5 two",
        facts={
            "1.61": (least, by_lines),
            "5": (math.exp(least), (1 - 0.5) / 0.1),
            "0.5/0.1": (math.exp(least), math.exp(by_lines)),
        },
        slips={
            "0.59": math.log(1.8), "1.8": 0.9 / 0.5, "0.9/0.5": 1.8,
            "0.69": math.log(2), "2": 1 / 0.5, "1/0.5": 2,
            "2.20": math.log(9), "9": 0.9 / 0.1, "0.9/0.1": 9,
        },
        answer=math.log(5),
    )  # fmt: skip


@account("2.s3")
def hard_but_known():
    different = [Guarantee(0.01 + 0.0007 * math.sqrt(n)) for n in range(1, 101)]
    low, high = optimal(different).bracket(delta=1e-6)
    assert 0 < low <= high <= 1.00001 * low  # narrow
    above, below = (truth.contour_delta([one.epsilon for one in different], at) for at in (0.9999 * low, 1.0001 * high))
    assert below < 1e-6 < above  # and in the right place
    return Account(given="2 100 hundred 10^-6")


@account("2.s4")
def blackwell():
    return Account(given="two")


@account("2.s5")
def three_coins():
    pair = randomized_response(ratio=3) ** 3
    least = equal_error(*coins(3))
    basic = composition.basic(THREE, k=3).curve
    return Account(
        given="3 4 1 two three",
        facts={
            "0.156": (root(lambda x: float(pair.tradeoff(x)) - x, 0, high=1), least),
            "10/64": (pair.p[pair.losses < 0].sum(), least),
            "1/64": (pair.p.min(), min(coins(3)[0])),
            "3/64": (Fraction(3, 64), Fraction(3, 4) * Fraction(1, 4) ** 2),
            "0.25": (equal_error(*coins(1)), equal_error(*coins(2))),
            "27": (math.exp(composition.basic(THREE, k=3).epsilon), 3**3),
        },
        slips={"0.0156": 0.25**3, "0.0357": root(lambda x: basic.tradeoff(x) - x, 0, high=1)},
        answer=least,
    )
