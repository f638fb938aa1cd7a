"""Solutions of the exercises of lecture 2 as students write them: right ones get all points, wrong ones lose some."""
# ruff: noqa: E501 - one line a mistake is easier to read

UNANSWERED: set[str] = set()  # wrong ones that give no answer at all

ONE_CALL = {  # what the library gives: none of it earns a point
    "check_two_errors": {
        "the function that the lecture uses": "from dpteach.figures import testing\ndef two_errors(p, q, says_d1):\n    return testing.errors(Pair(p, q), {i for i, yes in enumerate(says_d1) if yes})",
    },
    "check_least_alarm": {
        "the worst pair": "def least_alarm(missed, eps, delta):\n    return Guarantee(eps, delta).curve.tradeoff(missed)",
        "the function of a figure": "from dpteach.figures import testing\ndef least_alarm(missed, eps, delta):\n    return testing.least_alarm([Guarantee(eps, delta)], [missed])[0]",
        "an optimum of one answer": "def least_alarm(missed, eps, delta):\n    return optimal(Guarantee(eps, delta), k=1).tradeoff(missed)",
    },
    "check_needed_delta": {
        "a pair": "def needed_delta(p, q, ratio):\n    return Pair(p, q).delta(ratio=ratio)",
        "a channel": "from dpteach.channel import Channel\ndef needed_delta(p, q, ratio):\n    return Channel({0: dict(enumerate(p)), 1: dict(enumerate(q))}).worst().delta(ratio=ratio)",
        "by getattr": "def needed_delta(p, q, ratio, delta=getattr(Pair, 'del' + 'ta')):\n    return delta(Pair(p, q), ratio=ratio)",
    },
    "check_coins_delta": {
        "a power": "def coins_delta(k, i, eps):\n    return (mechanisms.randomized_response(eps) ** k).delta((k - 2 * i) * eps)",
        "the optimum": "def coins_delta(k, i, eps):\n    return optimal(Guarantee(eps), k=k).delta((k - 2 * i) * eps)",
        "the optimum under another name": "from dpteach import optimal as o, Guarantee as G\ncoins_delta = lambda k, i, eps: o(G(eps), k).bracket(eps=(k - 2 * i) * eps)[1]",
    },
    "check_recipe": {
        "the linear program": "def recipe(p, q, ratio):\n    return mechanisms.randomized_response(ratio=ratio).simulates(Pair(p, q))",
    },
    "check_border": {},  # a number that was typed has no history; none of the three is one call
    "check_repaired": {
        "a theorem": "from dpteach.composition import kov_closed_form\ndef repaired(k, delta, slack):\n    return kov_closed_form(Guarantee(0, delta), slack, k=k).delta",
        "another theorem": "from dpteach import composition\ndef repaired(k, delta, slack):\n    return composition.sharper(Guarantee(1, delta), slack, k=k).delta",
    },
    "check_crossing": {},
    "check_says_d1": {
        "the best event": "worst = mechanisms.randomized_response(ratio=3, delta=Fraction(1, 10))\nsays_d1 = (worst @ worst).reversed().best_event(0)",
    },
    "check_plan": {},  # no function looks for a number of answers
}

RIGHT = {
    "check_two_errors": {
        "with numpy": """
import numpy as np

def two_errors(p, q, says_d1):
    p, q, yes = np.array(p, dtype=float), np.array(q, dtype=float), np.array(says_d1)
    return np.array([q[~yes].sum(), p[yes].sum()])
""",
        "a loop": """
def two_errors(p, q, says_d1):
    missed, alarm = 1, 0
    for i in range(len(p)):
        if says_d1[i]:
            alarm += p[i]
            missed -= q[i]
    return [missed, alarm]
""",
        "exact fractions, lazily": """
def two_errors(p, q, says_d1):
    missed = (Fraction(b) * (not yes) for b, yes in zip(q, says_d1))
    return map(sum, (missed, (Fraction(a) * yes for a, yes in zip(p, says_d1))))
""",
    },
    "check_least_alarm": {
        "with a negative exponent": """
def least_alarm(missed, eps, delta):
    steep = 1 - delta - exp(eps) * missed
    flat = exp(-eps) * (1 - delta) - missed * exp(-eps)
    return max(steep, flat, 0)
""",
        "by the corner, in numpy": """
import numpy as np

def least_alarm(missed, eps, delta):
    corner = (1 - delta) / (1 + np.exp(eps))
    return np.interp(missed, [0, corner, 1 - delta, 1], [1 - delta, corner, 0, 0])
""",
        "two cases": """
def least_alarm(missed, eps, delta):
    if missed >= 1 - delta:
        return 0
    corner = (1 - delta) / (1 + exp(eps))
    return 1 - delta - exp(eps) * missed if missed < corner else (1 - delta - missed) / exp(eps)
""",
    },
    "check_needed_delta": {
        "with numpy": """
import numpy as np

def needed_delta(p, q, ratio):
    p, q = np.array(p, dtype=float), np.array(q, dtype=float)
    return max(np.clip(p - ratio * q, 0, None).sum(), np.clip(q - ratio * p, 0, None).sum())
""",
        "all sets": """
def needed_delta(p, q, ratio):
    best = 0
    for chosen in product([False, True], repeat=len(p)):
        a = sum(x for x, yes in zip(p, chosen) if yes)
        b = sum(x for x, yes in zip(q, chosen) if yes)
        best = max(best, a - ratio * b, b - ratio * a)
    return best
""",
        "one minus what the laws share": """
def needed_delta(p, q, ratio):
    return max(1 - sum(min(a, ratio * b) for a, b in zip(p, q)), 1 - sum(min(b, ratio * a) for a, b in zip(p, q)))
""",
    },
    "check_coins_delta": {
        "outputs grouped by lies": """
def coins_delta(k, i, eps):
    truth, lie = exp(eps) / (1 + exp(eps)), 1 / (1 + exp(eps))
    total = 0
    for lies in range(k + 1):
        p = truth ** (k - lies) * lie**lies
        q = lie ** (k - lies) * truth**lies
        if k - 2 * lies > k - 2 * i:
            total += comb(k, lies) * (p - exp((k - 2 * i) * eps) * q)
    return total
""",
        "one sum term too many, which is zero": """
def coins_delta(k, i, eps):
    x = exp(eps)
    return sum(comb(k, j) * (x ** (k - j) - x ** (k - 2 * i + j)) for j in range(i + 1)) / (1 + x) ** k
""",
        "one coin after the other": """
import numpy as np

def coins_delta(k, i, eps):
    x, p, q = np.exp(eps), np.ones(1), np.ones(1)
    for _ in range(k):
        p, q = np.convolve(p, [x, 1]) / (1 + x), np.convolve(q, [1, x]) / (1 + x)
    return np.maximum(p - x ** (k - 2 * i) * q, 0).sum()
""",
        "in exact fractions of floats": """
def coins_delta(k, i, eps):
    x = Fraction(exp(eps))
    return sum(comb(k, j) * (x ** (k - j) - x ** (k - 2 * i + j)) for j in range(i)) / (1 + x) ** k
""",
    },
    "check_recipe": {
        "by solving the equations": """
import numpy as np

def recipe(p, q, ratio):
    coin = np.array([[ratio, 1], [1, ratio]], dtype=float) / (ratio + 1)
    made = np.linalg.solve(coin, np.array([p, q], dtype=float))
    return made if (made > -1e-12).all() else None
""",
        "asking the ratio first": """
def recipe(p, q, ratio):
    if any(a > ratio * b or b > ratio * a for a, b in zip(p, q)):
        return None
    first = tuple((ratio * a - b) / (ratio - 1) for a, b in zip(p, q))
    second = tuple((a * (ratio + 1) - ratio * t) for a, t in zip(p, first))
    return first, second
""",
        "with numpy, no tolerance": """
import numpy as np

def recipe(p, q, ratio):
    p, q = np.array(p, dtype=float), np.array(q, dtype=float)
    made = np.array([ratio * p - q, ratio * q - p]) / (ratio - 1)
    return made if made.min() >= 0 else None
""",
        "with an inverse matrix, no tolerance": """
import numpy as np

def recipe(p, q, ratio):
    made = np.linalg.inv(np.array([[ratio, 1], [1, ratio]]) / (ratio + 1)) @ np.array([p, q], dtype=float)
    return made.tolist() if (made >= 0).all() else None
""",
    },
    "check_border": {
        "read off, to two digits": """
import numpy as np

k6, eps6, delta6, level6 = numbers_of_task_6(student_id)
lower = figures.lower_boundary(mechanisms.randomized_response(eps6, delta6) ** k6)
missed, height = lower[::-1].T
fine = [n / 100 for n in range(1, 100)]
alarm = next(y for y in fine if np.interp(y, height, missed) <= 2 * y)
more_often = round(1 - lower[1][1], 2) - delta6
gain = round(np.interp(level6, height, missed), 2) - round(np.interp(2 * level6, height, missed), 2)
""",
        "for the first numbers, by eye": "alarm, more_often, gain = 0.19, 0.14, 0.12",
        "for the first numbers, as fractions": "alarm, more_often, gain = Fraction(1, 5), Fraction(13, 100), Fraction(1, 10)",
    },
    "check_repaired": {
        "given away or slack": """
really = 0.8674

def repaired(k, delta, slack):
    given_away = 1 - (1 - delta) ** k
    return given_away + (1 - given_away) * slack
""",
        "one answer after the other": """
def repaired(k, delta, slack):
    total = slack
    for _ in range(k):
        total = total + (1 - total) * delta
    return total

really = repaired(100, 0.02, 0)
""",
        "with logarithms": """
from math import expm1, log1p

import numpy as np

really = np.float32(-expm1(100 * log1p(-0.02)))

def repaired(k, delta, slack):
    return -expm1(k * log1p(-delta) + log1p(-slack))
""",
    },
    "check_crossing": {
        "the worst pair and a leak, as floats": """
one_p, one_q = [0.1, 0.9 * 19 / 27, 0.9 * 8 / 27, 0], [0, 0.9 * 8 / 27, 0.9 * 19 / 27, 0.1]
two_p, two_q = [0.2, 0.8, 0], [0, 0.8, 0.2]
""",
        "a leak and three words, as arrays": """
import numpy as np

one_p, one_q = np.array([0.2, 0.8, 0]), np.array([0, 0.8, 0.2])
two_p, two_q = np.array([0.5, 0.35, 0.15]), np.array([0.15, 0.35, 0.5])
""",
        "one-sided": """
one_p, one_q = [Fraction(1, 5), Fraction(4, 5)], [0, 1]
two_p, two_q = (Fraction(3, 5), Fraction(2, 5)), (Fraction(1, 5), Fraction(4, 5))
""",
        "clearly better only where the worse order changes": """
one_p, one_q = [Fraction(n, 55) for n in (15, 10, 5, 25)], [Fraction(n, 55) for n in (3, 6, 21, 25)]
two_p, two_q = [Fraction(n, 15) for n in (0, 7, 6, 2)], [Fraction(n, 15) for n in (3, 3, 7, 2)]
""",
        "just 0.05 better": """
one_p, one_q = [11 / 15, 4 / 15], [4 / 15, 11 / 15]
two_p, two_q = [0.6, 0.4], [0.2, 0.8]
""",
    },
    "check_says_d1": {
        "by hand, the other fourth pair": """
says_d1 = [(1, 1), ("surely 1", 1), (1, "surely 1"), (0, "surely 1")]
""",
        "a set, and words for bits": """
says_d1 = {("1", "1"), ("Surely 1", "1"), ("1", "surely 1"), ("surely 1", "0")}
""",
        "by the library's product": """
worst = mechanisms.randomized_response(ratio=3, delta=Fraction(1, 10))
two = worst @ worst
ranked = sorted(zip(two.outcomes, two.p, two.q), key=lambda item: item[1] - item[2])
says_d1 = [y for y, _, _ in ranked[:4]]
""",
        "an array, one pair twice": """
import numpy as np

says_d1 = [[1, 1], [1, 1], ["surely 1", 0], ["surely 1", 1], [1, "surely 1"]]
says_d1 = np.array(says_d1, dtype=object)
""",
        "all tests tried": """
from itertools import combinations

p = {"surely 0": 4, 0: 27, 1: 9, "surely 1": 0}
q = {"surely 0": 0, 0: 9, 1: 27, "surely 1": 4}
tests = [test for n in range(5) for test in combinations(product(p, repeat=2), n)]
says_d1 = max(tests, key=lambda test: sum(q[a] * q[b] - p[a] * p[b] for a, b in test))
""",
    },
    "check_plan": {
        "by bisection, with the worst pair": """
each_eps, each_delta, bound = numbers_of_task_10(student_id)
low, high = 1, 1000
while high - low > 1:
    middle = (low + high) // 2
    pair = mechanisms.randomized_response(each_eps, each_delta) ** middle
    if figures.balanced_error(figures.lower_boundary(pair)) >= bound:
        low = middle
    else:
        high = middle
my_k = low
""",
        "downwards, by the tradeoff, as a float": """
each_eps, each_delta, bound = numbers_of_task_10(student_id)
my_k = 400.0
while optimal(Guarantee(each_eps, each_delta), k=int(my_k)).tradeoff(bound) < bound:
    my_k -= 1
""",
        "half of the least sum of errors": """
import numpy as np

each_eps, each_delta, bound = numbers_of_task_10(student_id)
numbers = np.arange(1, 400)
sums = [1 - optimal(Guarantee(each_eps, each_delta), k=int(k)).delta(0) for k in numbers]
my_k = numbers[np.array(sums) / 2 >= bound].max()
""",
    },
}

WRONG = {
    "check_two_errors": {
        "the other order": "def two_errors(p, q, says_d1):\n    return sum(a for a, y in zip(p, says_d1) if y), sum(b for b, y in zip(q, says_d1) if not y)",
        "laws exchanged": "def two_errors(p, q, says_d1):\n    return sum(a for a, y in zip(p, says_d1) if not y), sum(b for b, y in zip(q, says_d1) if y)",
        "detected instead of missed": "def two_errors(p, q, says_d1):\n    return sum(b for b, y in zip(q, says_d1) if y), sum(a for a, y in zip(p, says_d1) if y)",
        "the test turned around": "def two_errors(p, q, says_d1):\n    return sum(b for b, y in zip(q, says_d1) if y), sum(a for a, y in zip(p, says_d1) if not y)",
        "only mirror images": "def two_errors(p, q, says_d1):\n    return sum(a for a, y in zip(p[::-1], says_d1) if not y), sum(a for a, y in zip(p, says_d1) if y)",
        "misses as the rest of the alarms": "def two_errors(p, q, says_d1):\n    alarm = sum(a for a, y in zip(p, says_d1) if y)\n    return 1 - alarm, alarm",
        "the first True decides": "def two_errors(p, q, says_d1):\n    i = [*says_d1, True].index(True)\n    return sum(q[:i]), sum(p[i:])",
    },
    "check_least_alarm": {
        "not divided": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, 1 - delta - missed, 0)",
        "half divided": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, 1 - delta - missed / exp(eps), 0)",
        "multiplied": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, exp(eps) * (1 - delta - missed), 0)",
        "the steep line only": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, 0)",
        "delta not divided": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, (1 - missed) / exp(eps) - delta, 0)",
        "the lower line": "def least_alarm(missed, eps, delta):\n    return max(min(1 - delta - exp(eps) * missed, (1 - delta - missed) / exp(eps)), 0)",
        "missed not divided": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, (1 - delta) / exp(eps) - missed, 0)",
        "below zero": "def least_alarm(missed, eps, delta):\n    return max(1 - delta - exp(eps) * missed, (1 - delta - missed) / exp(eps))",
    },
    "check_needed_delta": {
        "one order only": "def needed_delta(p, q, ratio):\n    return sum(max(a - ratio * b, 0) for a, b in zip(p, q))",
        "nothing left out": "def needed_delta(p, q, ratio):\n    return sum(a - ratio * b for a, b in zip(p, q))",
        "the largest excess": "def needed_delta(p, q, ratio):\n    return max(max(a - ratio * b, b - ratio * a, 0) for a, b in zip(p, q))",
        "total variation": "def needed_delta(p, q, ratio):\n    return sum(max(a - b, 0) for a, b in zip(p, q))",
        "both orders added": "def needed_delta(p, q, ratio):\n    return sum(max(a - ratio * b, b - ratio * a, 0) for a, b in zip(p, q))",
        "eps instead of its exponential": "def needed_delta(p, q, ratio):\n    return max(sum(max(a - exp(ratio) * b, 0) for a, b in z) for z in (list(zip(p, q)), list(zip(q, p))))",
        "the other order only": "def needed_delta(p, q, ratio):\n    return sum(max(b - ratio * a, 0) for a, b in zip(p, q))",
        "all outputs that are likelier": "def needed_delta(p, q, ratio):\n    pairs = list(zip(p, q))\n    return max(sum(a - ratio * b for a, b in pairs if a > b), sum(b - ratio * a for a, b in pairs if b > a), 0)",
        "what Q gives forgotten": "def needed_delta(p, q, ratio):\n    pairs = list(zip(p, q))\n    return max(sum(a for a, b in pairs if a > ratio * b), sum(b for a, b in pairs if b > ratio * a))",
    },
    "check_coins_delta": {
        "no binomials": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(x ** (k - j) - x ** (k - 2 * i + j) for j in range(i)) / (1 + x) ** k",
        "Q forgotten": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * x ** (k - j) for j in range(i)) / (1 + x) ** k",
        "no denominator": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * (x ** (k - j) - x ** (k - 2 * i + j)) for j in range(i))",
        "one lie too few": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * (x ** (k - j) - x ** (k - 2 * i + j)) for j in range(i - 1)) / (1 + x) ** k",
        "always at epsilon zero": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * max(x ** (k - j) - x**j, 0) for j in range(k + 1)) / (1 + x) ** k",
        "at i eps": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * max(x ** (k - j) - x ** (k - i + j), 0) for j in range(k + 1)) / (1 + x) ** k",
        "the total in place of its product with Q": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * (x ** (k - j) - x ** (k - 2 * i)) for j in range(i)) / (1 + x) ** k",
        "all lies up to a half": "def coins_delta(k, i, eps):\n    x = exp(eps)\n    return sum(comb(k, j) * (x ** (k - j) - x ** (k - 2 * i + j)) for j in range(k // 2)) / (1 + x) ** k",
        "always the coin 3 : 1": "def coins_delta(k, i, eps):\n    return sum(comb(k, j) * (3 ** (k - j) - 3 ** (k - 2 * i + j)) for j in range(i)) / 4**k",
    },
    "check_recipe": {
        "always the coin 3 : 1": "def recipe(p, q, ratio):\n    return [[(3 * a - b) / 2 for a, b in zip(p, q)], [(3 * b - a) / 2 for a, b in zip(p, q)]]",
        "never None": "def recipe(p, q, ratio):\n    return [[(ratio * a - b) / (ratio - 1) for a, b in zip(p, q)], [(ratio * b - a) / (ratio - 1) for a, b in zip(p, q)]]",
        "answers exchanged": "def recipe(p, q, ratio):\n    return [[(ratio * b - a) / (ratio - 1) for a, b in zip(p, q)], [(ratio * a - b) / (ratio - 1) for a, b in zip(p, q)]]",
        "divided by the wrong number": "def recipe(p, q, ratio):\n    return [[(ratio * a - b) / 2 for a, b in zip(p, q)], [(ratio * b - a) / 2 for a, b in zip(p, q)]]",
        "the laws themselves": "def recipe(p, q, ratio):\n    return [p, q]",
        "negative ones cut off": "def recipe(p, q, ratio):\n    rows = [[max((ratio * a - b) / (ratio - 1), 0) for a, b in z] for z in (list(zip(p, q)), list(zip(q, p)))]\n    return [[x / sum(row) for x in row] for row in rows]",
        "one order asked only": "def recipe(p, q, ratio):\n    T = [[(ratio * a - b) / (ratio - 1) for a, b in zip(p, q)], [(ratio * b - a) / (ratio - 1) for a, b in zip(p, q)]]\n    return None if min(T[0]) < 0 else T",
        "zero refused": "def recipe(p, q, ratio):\n    T = [[(ratio * a - b) / (ratio - 1) for a, b in zip(p, q)], [(ratio * b - a) / (ratio - 1) for a, b in zip(p, q)]]\n    return None if min(T[0] + T[1]) <= 0 else T",
        "only above one asked": "def recipe(p, q, ratio):\n    T = [[(ratio * a - b) / (ratio - 1) for a, b in zip(p, q)], [(ratio * b - a) / (ratio - 1) for a, b in zip(p, q)]]\n    return None if max(T[0] + T[1]) > 1 else T",
        "the second list mirrored": "def recipe(p, q, ratio):\n    T = [(ratio * a - b) / (ratio - 1) for a, b in zip(p, q)]\n    return None if min(T) < 0 else [T, T[::-1]]",
    },
    "check_border": {
        "the height instead of the rest": "alarm, more_often, gain = 0.19, 0.76, 0.11",
        "the delta of one answer left in": "alarm, more_often, gain = 0.19, 0.185, 0.11",
        "the misses instead of the false alarm": "alarm, more_often, gain = 0.384, 0.135, 0.11",
        "equal errors": "alarm, more_often, gain = 0.287, 0.135, 0.11",
        "one answer instead of all": "k6, eps6, delta6, level6 = numbers_of_task_6(student_id)\none = Guarantee(eps6, delta6).curve\nalarm, more_often, gain = 0.3, delta6, one.tradeoff(level6) - one.tradeoff(2 * level6)",
        "percent": "alarm, more_often, gain = 19, 13.5, 11",
        "deltas added": "alarm, more_often, gain = 0.19, 0.15, 0.11",
        "the lower grey line only": "alarm, more_often, gain = 0.19, 0.135, 0.646",
        "nothing read": "alarm, more_often, gain = 0, 0, 0",
    },
    "check_repaired": {
        "one answer only": "really = 1 - 0.98**100\n\ndef repaired(k, delta, slack):\n    return 1 - (1 - delta) * (1 - slack)",
        "nothing changed": "really = 1 - 0.98**100\n\ndef repaired(k, delta, slack):\n    return published(k, delta, slack)",
        "added": "really = 1 - 0.98**100\n\ndef repaired(k, delta, slack):\n    return 1 - (1 - delta) ** k + slack",
        "basic": "really = 100 * 0.02\n\ndef repaired(k, delta, slack):\n    return k * delta + slack",
        "kept instead of lost": "really = 0.98**100\n\ndef repaired(k, delta, slack):\n    return (1 - delta) ** k * (1 - slack)",
        "no slack": "really = 1 - 0.98**100\n\ndef repaired(k, delta, slack):\n    return 1 - (1 - delta) ** k",
        "what the code reports": "really = 0.125\n\ndef repaired(k, delta, slack):\n    return 1 - (1 - delta) ** k * (1 - slack)",
        "deltas added, then the slack": "really = 1 - 0.98**100\n\ndef repaired(k, delta, slack):\n    return 1 - (1 - k * delta) * (1 - slack)",
        "slack for each answer": "really = 1 - 0.98**100\n\ndef repaired(k, delta, slack):\n    return 1 - ((1 - delta) * (1 - slack)) ** k",
        "slack given away, too": "really = 1 - 0.98**100 * 0.99\n\ndef repaired(k, delta, slack):\n    return 1 - (1 - delta) ** k * (1 - slack)",
    },
    "check_crossing": {
        "twice the same": "one_p, one_q = [11 / 15, 4 / 15], [4 / 15, 11 / 15]\ntwo_p, two_q = one_q, one_p",
        "an output split in two": "one_p, one_q = [0.2, 0.8, 0], [0, 0.8, 0.2]\ntwo_p, two_q = [0.2, 0.4, 0.4, 0], [0, 0.4, 0.4, 0.2]",
        "another delta": "one_p, one_q = [0.75, 0.25], [0.25, 0.75]\ntwo_p, two_q = [0.2, 0.8, 0], [0, 0.8, 0.2]",
        "one is inside the other": "one_p, one_q = [0.2, 0.8, 0], [0, 0.8, 0.2]\ntwo_p, two_q = [0.2, 8 / 15, 4 / 15, 0], [0, 4 / 15, 8 / 15, 0.2]",
        "not laws": "one_p, one_q = [11, 4], [4, 11]\ntwo_p, two_q = [1, 4, 0], [0, 4, 1]",
        "nothing said": "one_p = one_q = two_p = two_q = [1]",
        "one-sided and two-sided": "one_p, one_q = [0.2, 0.8, 0], [0, 0.8, 0.2]\ntwo_p, two_q = [0.2, 0.8], [0, 1]",
    },
    "check_says_d1": {
        "never": "says_d1 = []",
        "four of those that are sure": "says_d1 = [('surely 1', 0), ('surely 1', 1), ('surely 1', 'surely 1'), (1, 'surely 1')]",
        "the first answer only": "says_d1 = [('surely 1', b) for b in ('surely 0', 0, 1, 'surely 1')]",
        "both say 1": "says_d1 = [(1, 1)]",
        "three are enough": "says_d1 = [(1, 1), ('surely 1', 1), (1, 'surely 1')]",
        "the surest one last": "says_d1 = [(1, 1), ('surely 1', 1), (1, 'surely 1'), ('surely 1', 'surely 1')]",
        "the other way round": "says_d1 = [(0, 0), ('surely 0', 0), (0, 'surely 0'), ('surely 0', 1)]",
        "the likeliest under D1": "says_d1 = [(1, 1), (1, 0), (0, 1), ('surely 1', 1)]",
        "the best test without a limit": "says_d1 = [(1, 1), ('surely 1', 0), (0, 'surely 1'), ('surely 1', 1), (1, 'surely 1'), ('surely 1', 'surely 1')]",
        "single answers": "says_d1 = [1, 'surely 1']",
        "always": "says_d1 = list(product(['surely 0', 0, 1, 'surely 1'], repeat=2))",
    },
    "check_plan": {
        "basic composition": "each_eps, each_delta, bound = numbers_of_task_10(student_id)\nmy_k = next(k for k in range(1, 99) if (1 - (k + 1) * each_delta) / (1 + exp((k + 1) * each_eps)) < bound)",
        "the answers' deltas forgotten": "each_eps, each_delta, bound = numbers_of_task_10(student_id)\nmy_k = max(k for k in range(1, 600) if optimal(Guarantee(each_eps), k=k).tradeoff(bound) >= bound)",
        "one too many": "each_eps, each_delta, bound = numbers_of_task_10(student_id)\nmy_k = 1 + max(k for k in range(1, 400) if optimal(Guarantee(each_eps, each_delta), k=k).tradeoff(bound) >= bound)",
        "half as many": "each_eps, each_delta, bound = numbers_of_task_10(student_id)\nmy_k = max(k for k in range(1, 400) if optimal(Guarantee(each_eps, each_delta), k=k).tradeoff(bound) >= bound) // 2",
        "one less than possible": "each_eps, each_delta, bound = numbers_of_task_10(student_id)\nmy_k = max(k for k in range(1, 400) if optimal(Guarantee(each_eps, each_delta), k=k).tradeoff(bound) >= bound) - 1",
        "not a number of answers": "my_k = 12.5",
        "the sum of errors": "each_eps, each_delta, bound = numbers_of_task_10(student_id)\nmy_k = max(k for k in range(1, 400) if 1 - optimal(Guarantee(each_eps, each_delta), k=k).delta(0) >= bound)",
        "one answer": "my_k = 1",
    },
}
