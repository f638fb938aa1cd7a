"""The numbers in the questions of lecture 1, computed."""

import math
from fractions import Fraction

import numpy as np
import truth
from accounting import Account, account, root
from mpmath import mp

from dpteach import Guarantee, composition, optimal, planning
from dpteach.mechanisms import laplace, randomized_response


def density(x, at):
    """Return the density of Laplace noise of scale 1 around a true count."""
    return mp.exp(-abs(mp.mpf(x) - at)) / 2


@account("1.1")
def averaging():
    one = math.sqrt(laplace(scale=1).variance)
    integrated = mp.sqrt(mp.quad(lambda x: x**2 * density(x, 0), [-mp.inf, 0, mp.inf]))
    averages = np.random.default_rng(0).laplace(size=(20_000, 100)).mean(axis=1)
    assert (np.round(averages) == 0).mean() > 0.999  # rounding mostly gives the count
    return Account(
        given="1 2 100",
        facts={
            "1.41": (one, integrated),
            "0.14": (math.sqrt(laplace(scale=1).variance / 100), averages.std()),
            "10": (one / math.sqrt(laplace(scale=1).variance / 100), math.sqrt(100)),
        },
        slips={"0.014": one / 100, "14": math.sqrt(100) * one},
        answer=one / 10,
    )


@account("1.2")
def one_output():
    ratio = density(10, 7) / density(10, 6)
    assert mp.almosteq(density(100, 7) / density(100, 6), ratio)
    assert max(density(x, 7) / density(x, 6) for x in np.linspace(-5, 20, 101)) < math.e + 1e-12
    return Account(
        given="7 6 10 1 100 two",
        facts={
            "2.72": (math.exp(laplace(scale=1).epsilon()), ratio),
            "3": (10 - 7, mp.log(density(7, 7) / density(10, 7))),
            "4": (10 - 6, mp.log(density(6, 6) / density(10, 6))),
        },
        slips={"7/6": Fraction(7, 6), "1.17": 7 / 6, "20": mp.exp(3), "55": mp.exp(4)},
        answer=math.e,
    )


@account("1.3")
def three_coins():
    coins = [randomized_response(ratio=ratio) for ratio in (2, 3, 4)]
    p, q = truth.product_pair([truth.worst_pair(Fraction(ratio)) for ratio in (2, 3, 4)])
    largest = max(a / b for a, b in zip(p, q, strict=True) if b)
    return Account(
        given="2 3 4 three",
        facts={"24": ((coins[0] @ coins[1] @ coins[2]).ratio(), largest)},
        slips={"9": 2 + 3 + 4},
        answer=24,
    )


@account("1.4")
def adaptive():
    """Try all strategies: after either report of a first coin, ask for a coin, its mirror image, or an empty answer."""
    coin = truth.worst_pair(mp.e)
    questions = [coin, coin[::-1], ((0, 0.5, 0.5, 0), (0, 0.5, 0.5, 0))]
    ratios = [
        coin[0][i] / coin[1][i] * second[0][j] / second[1][j] for i in (1, 2) for second in questions for j in (1, 2)
    ]
    both = composition.basic(Guarantee(1), k=2).epsilon
    return Account(given="1 two", facts={"2": (both, mp.log(max(ratios)))})


@account("1.5")
def hundred_truths():
    one = 1 / (1 + mp.exp(-10))
    tall = mp.quad(lambda x: density(x, 1), [1, mp.inf])  # of Laplace noise, where the loss is largest
    return Account(
        given="100 10 1",
        facts={
            "1000": (composition.basic(Guarantee(10), k=100).epsilon, 100 * 10),
            "0.995": (planning.largest_loss_probability(10, 100), one**100),
            "0.99995": (randomized_response(10).p.max(), one),
            "half": (1 - laplace(scale=1).tradeoff(0.5 / math.e), tall),
            "halves": (1 - laplace(scale=1).tradeoff(0.5 / math.e), tall),
        },
        slips={"2": 1 / tall, "-100": -100, "-1000": -10 * 100, "0.0045": 1 - one**100},
        answer=one**100,
    )


@account("1.6")
def mean_loss():
    coin = randomized_response(0.1)
    mean = float(coin.p @ coin.losses)
    second = mp.mpf("0.1") * mp.tanh(mp.mpf("0.05"))
    assert coin.p.min() / coin.p.max() > 0.9  # lies are nearly as frequent
    return Account(
        given="0.1 1 2",
        facts={"0.005": (mean, second), "half": (mean / 0.1**2, second * 100)},
        slips={"0.01": 0.1**2, "0": 0.1 - 0.1},
        answer=mean,
    )


@account("1.7")
def tail_and_delta():
    pair = randomized_response(ratio=3) ** 2
    p, q = truth.product_pair([[law[1:3] for law in truth.worst_pair(Fraction(3))]] * 2)
    tail = sum(a for a, b in zip(p, q, strict=True) if a > 3 * b)
    there = sum(b for a, b in zip(p, q, strict=True) if a > 3 * b)
    assert math.isclose(pair.epsilon(), 2 * math.log(3))
    return Account(
        given="2 3 4 two",
        facts={
            "9/16": (pair.p.max(), tail),
            "1/16": (pair.q.min(), there),
            "3/16": (3 * pair.q.min(), 3 * there),
            "3/8": (pair.delta(ratio=3), truth.delta_by_events(p, q, 3)),
        },
        slips={"1/2": tail - there},
        answer=Fraction(3, 8),
    )


@account("1.8")
def advanced():
    five_hundred = [(1, 0, 500)]
    return Account(
        given="500 1 2 10^-5",
        facts={
            "966": (composition.advanced(Guarantee(1), 1e-5, k=500).epsilon, truth.advanced(five_hundred, 1e-5)),
            "859": (500 * math.expm1(1), truth.moments(five_hundred)[3]),
            "338": (
                composition.kov_closed_form(Guarantee(1), 1e-5, k=500).epsilon,
                truth.kov_members(five_hundred, 1e-5)[2],
            ),
            "312": (
                optimal(Guarantee(1), k=500).epsilon(1e-5),
                root(lambda e: truth.optimal_delta(1, 0, 500, e), 1e-5),
            ),
            "0.69": (math.log(2), root(lambda e: 1 - math.expm1(e), 0, high=5)),
        },
        slips={"107": mp.sqrt(2 * 500 * mp.log(10**5)), "22": math.sqrt(500)},
        answer=966.4,
    )


@account("1.s1")
def replacement():
    """Add the changes of all bars, for a histogram of three people in 30 bars."""

    def change(one, other):
        return int(abs(np.bincount(one, minlength=30) - np.bincount(other, minlength=30)).sum())

    removal = max(change([0, 5, x], [0, 5]) for x in range(30))
    replaced = max(change([0, 5, x], [0, 5, y]) for x in range(30) for y in range(30))
    return Account(
        given="30",
        facts={
            "1": (laplace(scale=1, sensitivity=removal).epsilon(), removal),
            "2": (laplace(scale=1, sensitivity=replaced).epsilon(), 2 * removal),
            "two": (laplace(scale=1, sensitivity=replaced).epsilon(), replaced),
        },
        slips={"0": sum([1, -1])},
        answer=2,
    )


@account("1.s2")
def ten_records():
    one = Guarantee(0, 0.1)
    silent = mp.mpf("0.9") ** 10
    return Account(
        given="10 ten 0.1 0.9 0",
        facts={
            "0.65": (optimal(one, k=10).delta(0), 1 - silent),
            "0.35": (1 - optimal(one, k=10).delta(0), silent),
            "1": (composition.basic(one, k=10).delta, 10 * 0.1),
        },
        slips={"twice": 2},
        answer=1 - silent,
    )


@account("1.s3")
def four_times_as_many():
    def least_scale(k):
        return 1 / root(lambda e: -truth.optimal_delta(e, 0, k, 1), -1e-6, high=0.1, steps=30)

    few, many = (planning.noise_scale(k, 1, 1e-6) for k in (100, 400))
    second_few, second_many = least_scale(100), least_scale(400)
    return Account(
        given="100 400 1 10^-6 four",
        facts={
            "42": (few, second_few),
            "84": (many, second_many),
            "twice": (many / few, second_many / second_few),
            "4": (
                composition.basic(Guarantee(1), k=400).epsilon / composition.basic(Guarantee(1), k=100).epsilon,
                400 / 100,
            ),
            "16": (laplace(scale=400).variance / laplace(scale=100).variance, 4**2),
        },
        slips={"167": 4 * few, "666": 16 * few},
        answer=many,
    )


@account("1.s4")
def from_how_many():
    bound = 2 * mp.log(10**6)
    cheaper = [k for k in range(1, 100) if math.sqrt(2 * k * math.log(1e6)) < k]
    return Account(
        given="1 2 10^-6 10^6",
        facts={
            "28": (min(cheaper), mp.ceil(bound)),
            "27.6": (planning.pays_from("advanced", 1e-9, 1e-6), bound),
            "13.8": (math.log(1e6), mp.log(10) * 6),
        },
        slips={"14": bound / 2, "5.3": mp.sqrt(bound)},
        answer=28,
    )


@account("1.s5")
def one_large():
    one, many = [Guarantee(1)], [Guarantee(0.05)] * 400
    full = 1 / (1 + mp.exp(-1))  # how often the one coin tells the truth

    def delta(e):
        shifted = [truth.optimal_delta(0.05, 0, 400, max(e + side, 0)) for side in (-1, 1)]
        return full * shifted[0] + (1 - full) * shifted[1]

    together = root(delta, 1e-6, high=10, steps=20)
    alone = optimal(many).epsilon(1e-6)
    return Account(
        given="400 0.05 10^-6",
        facts={
            "5.79": (optimal(one + many).epsilon(1e-6), together),
            "4.86": (alone, root(lambda e: truth.optimal_delta(0.05, 0, 400, e), 1e-6)),
            "1": (optimal(one).epsilon(1e-6), root(lambda e: truth.optimal_delta(1, 0, 1, e), 1e-6, high=2)),
            "0.73": (randomized_response(1).p.max(), full),
        },
        slips={
            "4.96": math.hypot(1, alone),
            "8.40": composition.kov_closed_form(one + many, 1e-6).epsilon,
        },
        answer=together,
    )
