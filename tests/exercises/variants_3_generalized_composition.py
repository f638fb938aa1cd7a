"""Solutions of the exercises of lecture 3 as students write them: right ones get all points, wrong ones lose some."""
# ruff: noqa: E501 - one line a mistake is easier to read

UNANSWERED: set[str] = set()  # mistakes that end in an exception: none here

ONE_CALL = {  # what the library gives: none of it earns a point
    "check_bayes_factor": {
        "the probabilities of a pair": "from math import prod\ndef bayes_factor(view, b0, b1, x):\n    coin = mechanisms.randomized_response(ratio=Fraction(x))\n    laws = coin.p, coin.q\n    return prod(laws[int(a)][int(y)] / laws[int(b)][int(y)] for y, a, b in zip(view, b0, b1))",
    },
    "check_view_probability": {
        "the law of the view": "def view_probability(view, hypothesis, x):\n    from dpteach.experiment import view_law\n    coin = mechanisms.randomized_response(ratio=Fraction(x))\n    law = view_law(lambda seen: coin, [[coin]] * len(view), Hypothesis.from_dict(dict(hypothesis)))\n    return law[tuple(list(coin.outcomes)[int(y)] for y in view)]",
    },
    "check_largest_ratio": {
        "the exact curve": "def largest_ratio(p0, p1, x):\n    return hypothesis_dp(Guarantee(log(x)), *(Hypothesis.from_dict(dict(p)) for p in (p0, p1))).ratio(0)",
        "the exact curve, in exact numbers": "def largest_ratio(p0, p1, x):\n    import dpteach.experiment as e\n    return getattr(e, 'hypothesis_dp')(mechanisms.randomized_response(ratio=x), *map(e.Hypothesis.from_dict, map(dict, (p0, p1)))).ratio(0)",
    },
    "check_two_ratios": {
        "the exact curve": "def two_ratios(counts, x):\n    k = len(counts) - 1\n    curve = hypothesis_dp(mechanisms.randomized_response(ratio=Fraction(x)), Hypothesis.point([0] * k), Hypothesis.by_count(k, counts))\n    return [curve.ratio(0, 'qp'), curve.ratio(0, 'pq')]",
    },
    "check_price": {
        "the bound of the lecture": "def price(epsilons, at_most, neighbours):\n    return contribution_bound([Guarantee(e) for e in epsilons], at_most, neighbours).epsilon(0)",
        "basic composition of the worst set": "def price(epsilons, at_most, neighbours):\n    return contribution_bound([Guarantee(e) for e in epsilons], at_most, neighbours).by('basic').epsilon",
    },
    "check_from_here": {},  # a number that was typed has no history; no function looks for it
    "check_repaired": {
        "the bound of the lecture": "def repaired(guarantees, m, delta):\n    return contribution_bound(guarantees, at_most=m).epsilon(delta)",
        "its worst set": "def repaired(guarantees, m, delta):\n    return optimal(contribution_bound(guarantees, at_most=m).worst_set(delta)).epsilon(delta)",
    },
    "check_counterexample": {},
    "check_safe": {
        "the exact value": "def safe(matched, x):\n    p0, p1 = {}, {}\n    for b0, b1, w in matched:\n        p0[b0] = p0.get(b0, 0) + w\n        p1[b1] = p1.get(b1, 0) + w\n    return hypothesis_dp(Guarantee(log(x)), Hypothesis.from_dict(p0), Hypothesis.from_dict(p1)).ratio(0)",
    },
    "check_plan": {},  # `planning.noise_scale` knows the noise for one cap, not the best cap
}

RIGHT = {
    "check_bayes_factor": {
        "both probabilities": """
def bayes_factor(view, b0, b1, x):
    x = Fraction(x)
    p = q = Fraction(1)
    for y, a, b in zip(view, b0, b1):
        p *= x / (1 + x) if y == a else 1 / (1 + x)
        q *= x / (1 + x) if y == b else 1 / (1 + x)
    return p / q
""",
        "by counting, as a float": """
def bayes_factor(view, b0, b1, x):
    right = lambda bits: sum(y == b for y, b in zip(view, bits))
    return float(x) ** (right(b0) - right(b1))
""",
        "by logarithms": """
def bayes_factor(view, b0, b1, x):
    loss = sum(log(x) * ((y == a) - (y == b)) for y, a, b in zip(view, b0, b1))
    return exp(loss)
""",
    },
    "check_view_probability": {
        "answer by answer, recursively": """
def view_probability(view, hypothesis, x):
    if not view:
        return sum(weight for _, weight in hypothesis)
    right = Fraction(x) / (1 + Fraction(x))
    rest = [(v[1:], w * (right if v[0] == view[0] else 1 - right)) for v, w in hypothesis]
    return view_probability(view[1:], rest, x)
""",
        "answer by answer": """
def view_probability(view, hypothesis, x):
    total = 0
    for vector, weight in hypothesis:
        part = float(weight)
        for y, b in zip(view, vector):
            part *= x / (1 + x) if y == b else 1 / (1 + x)
        total += float(part)
    return total
""",
    },
    "check_largest_ratio": {
        "all views at once, with numpy": """
import numpy as np
def largest_ratio(p0, p1, x):
    coin = np.array([[float(x), 1], [1, float(x)]])
    def law(hypothesis):
        total = 0
        for vector, weight in hypothesis:
            views = np.ones(1)
            for bit in vector:
                views = np.kron(views, coin[int(bit)])
            total = total + float(weight) * views
        return total

    ratios = law(p0) / law(p1)
    return np.maximum(ratios, 1 / ratios).max()
""",
        "floats, without task 2": """
def largest_ratio(p0, p1, x):
    def chance(view, law):
        return sum(float(w) * float(x) ** sum(y == b for y, b in zip(view, v)) for v, w in law)

    factors = [chance(view, p0) / chance(view, p1) for view in product("01", repeat=len(p0[0][0]))]
    return max(max(factors), 1 / min(factors))
""",
    },
    "check_two_ratios": {
        "all numbers of ones in the view": """
from math import comb
def two_ratios(counts, x):
    x, k = float(x), len(counts) - 1
    def factor(t):  # of a view with t ones: i of the j ones meet an answer 1
        return sum(
            float(w) * comb(t, i) * comb(k - t, j - i) / comb(k, j) * x ** (2 * i - j)
            for j, w in enumerate(counts) for i in range(max(0, j - k + t), min(j, t) + 1)
        )

    factors = [factor(t) for t in range(k + 1)]
    return max(factors), 1 / min(factors)
""",
        "with numpy": """
import numpy as np
def two_ratios(counts, x):
    weights, j = np.array([float(c) for c in counts]), np.arange(len(counts))
    return np.array([weights @ float(x) ** j, 1 / (weights @ float(x) ** -j)])
""",
    },
    "check_price": {
        "fractions": """
def price(epsilons, at_most, neighbours):
    from heapq import nlargest
    return sum(nlargest({"unbounded": 1, "bounded": 2}[neighbours] * at_most, [Fraction(str(e)) for e in epsilons]))
""",
        "one at a time": """
def price(epsilons, at_most, neighbours):
    left, total = list(epsilons), 0.0
    for _ in range(at_most * (2 if neighbours == "bounded" else 1)):
        if left:
            total += max(left)
            left.remove(max(left))
    return total
""",
    },
    "check_from_here": {
        "by the formulas": """
eps6, delta6 = numbers_of_task_6(student_id)
k = 2
while log(((1 + exp(eps6)) ** k - 1) / (2**k - 1)) <= optimal(Guarantee(eps6), k=k).epsilon(delta6):
    k += 1
from_here = k
""",
        "read off, one too early, as a float": """
eps6, delta6 = numbers_of_task_6(student_id)
from_here = 1.0 * next(k for k in range(2, 999) if uniform_prior(Guarantee(eps6), k).corollary_7().epsilon > optimal(Guarantee(eps6), k=k).epsilon(delta6)) - 1
""",
    },
    "check_repaired": {
        "by bisection of the worst curve": """
databases = numbers_of_task_7(student_id)
my_delta = next(Fraction(i, 100) for i in range(1, 91) if shortcut(databases, 2, i / 100) < optimal(databases[1:]).epsilon(i / 100))

def repaired(guarantees, m, delta):
    curves = [optimal(list(chosen)) for chosen in combinations(guarantees, m)]
    low, high = 0.0, 30.0
    if max(curve.delta(0) for curve in curves) <= delta:
        return 0
    for _ in range(60):
        middle = (low + high) / 2
        if max(curve.delta(middle) for curve in curves) <= delta:
            high = middle
        else:
            low = middle
    return high
""",
        "a loop, and a delta of one's own": """
my_delta = 1.9 * numbers_of_task_7(student_id)[1].delta

def repaired(guarantees, m, delta):
    worst = 0
    for places in combinations(range(len(guarantees)), m):
        total = optimal([guarantees[i] for i in places]).epsilon(delta)
        if total > worst:
            worst = total
    return worst
""",
    },
    "check_counterexample": {
        "the smallest weight, as a fraction": """
my_p0 = {"000000": Fraction(1, 1000), "111111": Fraction(999, 1000)}
my_p1 = {"100000": Fraction(1, 1000), "111111": Fraction(999, 1000)}
my_x = 10
""",
        "two files, a dictionary": """
my_p0 = {"00": 0.1, "11": 0.9}
my_p1 = {"10": 0.1, "11": 0.9}
my_x = 10
""",
        "six files, lists of bits": """
my_p0 = [([0] * 6, 0.25), ([1] * 6, 0.75)]
my_p1 = [([1] + [0] * 5, 0.25), ([1] * 6, 0.75)]
my_x = 5.5
""",
        "three vectors each": """
my_p0 = [("0000", Fraction(1, 20)), ("1110", Fraction(1, 20)), ("1111", Fraction(9, 10))]
my_p1 = [("1000", Fraction(1, 20)), ("1111", Fraction(19, 20))]
my_x = Fraction(15, 2)
""",
    },
    "check_safe": {
        "the exact value": """
def safe(matched, x):
    def chance(view, side):
        return sum(pair[2] * Fraction(x) ** sum(y == b for y, b in zip(view, pair[side])) for pair in matched)

    factors = [chance(view, 0) / chance(view, 1) for view in product("01", repeat=len(matched[0][0]))]
    return max(max(factors), 1 / min(factors))
""",
        "the larger of both harmonic averages": """
def safe(matched, x):
    found = []
    for side in (0, 1):
        for vector in {pair[side] for pair in matched}:
            group = [pair for pair in matched if pair[side] == vector]
            found.append(sum(pair[2] for pair in group) / recipe(group, Fraction(1) / x))
    return max(found)
""",
        "the smaller of both conditional bounds": """
def safe(matched, x):
    largest = []
    for side in (0, 1):
        groups = [[pair for pair in matched if pair[side] == vector] for vector in {pair[side] for pair in matched}]
        largest.append(max(recipe(group, x) / sum(pair[2] for pair in group) for group in groups))
    return min(largest)
""",
        "grouped by the first vector": """
def safe(matched, x):
    averages = []
    for vector in {b0 for b0, _, _ in matched}:
        group = [(b1, w) for b0, b1, w in matched if b0 == vector]
        averages.append(sum(w * x ** differing(vector, b1) for b1, w in group) / sum(w for _, w in group))
    return max(averages)
""",
        "the larger of both conditional bounds": """
def safe(matched, x):
    found = []
    for side in (0, 1):
        for vector in {pair[side] for pair in matched}:
            group = [pair for pair in matched if pair[side] == vector]
            found.append(float(recipe(group, x)) / float(sum(pair[2] for pair in group)))
    return max(found)
""",
    },
    "check_plan": {
        "a scale of one decimal, as a fraction": """
survey, total_eps, total_delta = numbers_of_task_10(student_id)
scales = {cap: Fraction(int(10 * planning.noise_scale(cap, total_eps, total_delta)) + 1, 10) for cap in survey}
my_cap = min(scales, key=lambda cap: error(survey, cap, scales[cap]))
my_scale = scales[my_cap]
""",
        "by bisection, all caps in steps": """
survey, total_eps, total_delta = numbers_of_task_10(student_id)
best = None
for cap in range(10, 201, 10):
    low, high = 0.5, cap / total_eps
    for _ in range(20):
        middle = (low + high) / 2
        if contribution_bound(Guarantee(1 / middle), at_most=cap, k=200).epsilon(total_delta) <= total_eps:
            high = middle
        else:
            low = middle
    if best is None or error(survey, cap, high) < best:
        best, my_cap, my_scale = error(survey, cap, high), cap, high
""",
        "from the planner, a little more noise": """
survey, total_eps, total_delta = numbers_of_task_10(student_id)
errors = {cap: error(survey, cap, planning.noise_scale(cap, total_eps, total_delta)) for cap in survey}
my_cap = float(min(errors, key=errors.get))
my_scale = 1.01 * planning.noise_scale(int(my_cap), total_eps, total_delta)
""",
    },
}

WRONG = {
    "check_bayes_factor": {
        "the larger direction": "def bayes_factor(view, b0, b1, x):\n    p, q = (Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v in (b0, b1))\n    return max(p / q, q / p)",
        "the posterior": "def bayes_factor(view, b0, b1, x):\n    p, q = (Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v in (b0, b1))\n    return p / (p + q)",
        "an answer 0 always speaks for b0": "def bayes_factor(view, b0, b1, x):\n    f = Fraction(1)\n    for y, a, b in zip(view, b0, b1):\n        if a != b:\n            f *= Fraction(x) if y == '0' else 1 / Fraction(x)\n    return f",
        "upside down": "def bayes_factor(view, b0, b1, x):\n    right = lambda bits: sum(y == b for y, b in zip(view, bits))\n    return Fraction(x) ** (right(b1) - right(b0))",
        "all files count": "def bayes_factor(view, b0, b1, x):\n    f = Fraction(1)\n    for y, a in zip(view, b0):\n        f *= Fraction(x) if y == a else 1 / Fraction(x)\n    return f",
        "the loss": "def bayes_factor(view, b0, b1, x):\n    right = lambda bits: sum(y == b for y, b in zip(view, bits))\n    return (right(b0) - right(b1)) * log(x)",
        "always 3": "def bayes_factor(view, b0, b1, x):\n    right = lambda bits: sum(y == b for y, b in zip(view, bits))\n    return 3.0 ** (right(b0) - right(b1))",
        "the distance of the vectors": "def bayes_factor(view, b0, b1, x):\n    return Fraction(x) ** sum(a != b for a, b in zip(b0, b1))",
    },
    "check_view_probability": {
        "always two files": "def view_probability(view, hypothesis, x):\n    x = Fraction(x)\n    return sum(w * x ** sum(y == b for y, b in zip(view, v)) / (1 + x) ** 2 for v, w in hypothesis)",
        "each file on its own": "def view_probability(view, hypothesis, x):\n    x, p = Fraction(x), 1\n    for i, y in enumerate(view):\n        p *= sum(w * (x if v[i] == y else 1) / (1 + x) for v, w in hypothesis)\n    return p",
        "the number of the visible check": "def view_probability(view, hypothesis, x):\n    return Fraction(5, 16)",
        "no weights": "def view_probability(view, hypothesis, x):\n    x = Fraction(x)\n    return sum(x ** sum(y == b for y, b in zip(view, v)) / (1 + x) ** len(view) for v, w in hypothesis)",
        "equal weights": "def view_probability(view, hypothesis, x):\n    x = Fraction(x)\n    return sum(x ** sum(y == b for y, b in zip(view, v)) / (1 + x) ** len(view) for v, w in hypothesis) / len(hypothesis)",
        "odds": "def view_probability(view, hypothesis, x):\n    return sum(w * Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v, w in hypothesis)",
        "the likeliest vector": "def view_probability(view, hypothesis, x):\n    v, w = max(hypothesis, key=lambda item: item[1])\n    return Fraction(x) ** sum(y == b for y, b in zip(view, v)) / (1 + Fraction(x)) ** len(view)",
        "right and wrong exchanged": "def view_probability(view, hypothesis, x):\n    x = Fraction(x)\n    return sum(w * x ** sum(y != b for y, b in zip(view, v)) / (1 + x) ** len(view) for v, w in hypothesis)",
    },
    "check_largest_ratio": {
        "the product bound": "def largest_ratio(p0, p1, x):\n    return sum(w * u * Fraction(x) ** sum(a != b for a, b in zip(v, z)) for v, w in p0 for z, u in p1)",
        "equal weights": "def largest_ratio(p0, p1, x):\n    p = lambda view, law: Fraction(sum(x ** sum(y == b for y, b in zip(view, v)) for v, _ in law), len(law))\n    views = list(product('01', repeat=len(p0[0][0])))\n    return max(max(p(v, p0) / p(v, p1), p(v, p1) / p(v, p0)) for v in views)",
        "only views that are vectors": "def largest_ratio(p0, p1, x):\n    p = lambda view, law: sum(w * Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v, w in law)\n    return max(max(p(v, p0) / p(v, p1), p(v, p1) / p(v, p0)) for v, _ in p0 + p1)",
        "one direction": "def largest_ratio(p0, p1, x):\n    return max(view_p(v, p0, x) / view_p(v, p1, x) for v in product('01', repeat=len(p0[0][0])))\ndef view_p(view, law, x):\n    return sum(w * Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v, w in law)",
        "the other direction": "def largest_ratio(p0, p1, x):\n    return max(view_p(v, p1, x) / view_p(v, p0, x) for v in product('01', repeat=len(p0[0][0])))\ndef view_p(view, law, x):\n    return sum(w * Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v, w in law)",
        "the recipe": "def largest_ratio(p0, p1, x):\n    total, left = 0, [list(item) for item in p1]\n    for v, w in p0:\n        while w > 0:\n            part = min(w, left[0][1])\n            total += part * Fraction(x) ** sum(a != b for a, b in zip(v, left[0][0]))\n            w, left[0][1] = w - part, left[0][1] - part\n            left = [item for item in left if item[1]]\n    return total",
        "the worst two vectors": "def largest_ratio(p0, p1, x):\n    return max(Fraction(x) ** sum(a != b for a, b in zip(v, w)) for v, _ in p0 for w, _ in p1)",
        "epsilon": "def largest_ratio(p0, p1, x):\n    p = lambda view, law: sum(w * Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v, w in law)\n    return max(abs(log(p(v, p0) / p(v, p1))) for v in product('01', repeat=len(p0[0][0])))",
        "extreme views only": "def largest_ratio(p0, p1, x):\n    p = lambda view, law: sum(w * Fraction(x) ** sum(y == b for y, b in zip(view, v)) for v, w in law)\n    k = len(p0[0][0])\n    return max(max(p(v, p0) / p(v, p1), p(v, p1) / p(v, p0)) for v in ('0' * k, '1' * k))",
    },
    "check_two_ratios": {
        "what is left of x to the k": "def two_ratios(counts, x):\n    yes = sum(w * Fraction(x) ** j for j, w in enumerate(counts))\n    return yes, Fraction(x) ** (len(counts) - 1) / yes",
        "the largest number of files": "def two_ratios(counts, x):\n    most = max(j for j, w in enumerate(counts) if w)\n    return Fraction(x) ** most, Fraction(x) ** most",
        "the numbers of the visible check": "def two_ratios(counts, x):\n    return 5, Fraction(27, 7)",
        "exchanged": "def two_ratios(counts, x):\n    yes = sum(w * Fraction(x) ** j for j, w in enumerate(counts))\n    no = sum(w / Fraction(x) ** j for j, w in enumerate(counts))\n    return 1 / no, yes",
        "the same both ways": "def two_ratios(counts, x):\n    yes = sum(w * Fraction(x) ** j for j, w in enumerate(counts))\n    return yes, yes",
        "the mean number of files": "def two_ratios(counts, x):\n    mean = float(sum(w * j for j, w in enumerate(counts)))\n    return float(x) ** mean, float(x) ** mean",
        "not turned over": "def two_ratios(counts, x):\n    yes = sum(w * Fraction(x) ** j for j, w in enumerate(counts))\n    no = sum(w / Fraction(x) ** j for j, w in enumerate(counts))\n    return yes, no",
        "Corollary 7 whatever the belief": "def two_ratios(counts, x):\n    k, x = len(counts) - 1, Fraction(x)\n    return ((1 + x) ** k - 1) / (2**k - 1), x**k * (2**k - 1) / ((1 + x) ** k - x**k)",
    },
    "check_price": {
        "equal ones once only": "def price(epsilons, at_most, neighbours):\n    return sum(sorted(set(epsilons), reverse=True)[: at_most if neighbours == 'unbounded' else 2 * at_most])",
        "more places than there are": "def price(epsilons, at_most, neighbours):\n    n = at_most if neighbours == 'unbounded' else 2 * at_most\n    return sum(sorted(epsilons)[len(epsilons) - n :])",
        "one more place if bounded": "def price(epsilons, at_most, neighbours):\n    return sum(sorted(epsilons, reverse=True)[: at_most if neighbours == 'unbounded' else at_most + 1])",
        "the first ones": "def price(epsilons, at_most, neighbours):\n    return sum(epsilons[: at_most if neighbours == 'unbounded' else 2 * at_most])",
        "parallel composition": "def price(epsilons, at_most, neighbours):\n    return max(epsilons) * min(len(epsilons), at_most if neighbours == 'unbounded' else 2 * at_most)",
        "all of them": "def price(epsilons, at_most, neighbours):\n    return sum(epsilons)",
        "never twice": "def price(epsilons, at_most, neighbours):\n    return sum(sorted(epsilons)[-at_most:])",
        "twice the price": "def price(epsilons, at_most, neighbours):\n    return sum(sorted(epsilons)[-at_most:]) * (1 if neighbours == 'unbounded' else 2)",
        "the last ones of the list": "def price(epsilons, at_most, neighbours):\n    return sum(epsilons[-(at_most if neighbours == 'unbounded' else 2 * at_most) :])",
    },
    "check_from_here": {
        "three files off": "eps6, delta6 = numbers_of_task_6(student_id)\nfrom_here = 3 + next(k for k in range(2, 999) if uniform_prior(Guarantee(eps6), k).corollary_7().epsilon > optimal(Guarantee(eps6), k=k).epsilon(delta6))",
        "the start": "from_here = 1",
        "the end of the figure": "from_here = 150",
        "the price instead of the number": "from_here = 3.3",
        "a rough guess": "from_here = 60",
    },
    "check_repaired": {
        "one at a time": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    chosen, left = [], list(guarantees)\n    while len(chosen) < m:\n        worst = max(range(len(left)), key=lambda i: optimal([*chosen, left[i]]).epsilon(delta))\n        chosen.append(left.pop(worst))\n    return optimal(chosen).epsilon(delta)",
        "the largest eps with the largest delta": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    eps, deltas = (sorted(float(n) for n in numbers)[-m:] for numbers in zip(*((g.epsilon, g.delta) for g in guarantees)))\n    return optimal([Guarantee(e, d) for e, d in zip(eps, deltas)]).epsilon(delta)",
        "the same database twice": "from itertools import combinations_with_replacement\nmy_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    return max(optimal(list(c)).epsilon(delta) for c in combinations_with_replacement(guarantees, m))",
        "pairs whatever m": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    return max(optimal(list(c)).epsilon(delta) for c in combinations(guarantees, 2))",
        "the better of two orders": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    orders = [sorted(guarantees, key=lambda g: g.epsilon), sorted(guarantees, key=lambda g: g.delta)]\n    return max(optimal(order[-m:]).epsilon(delta) for order in orders)",
        "the delta of the lecture": "my_delta = 0.2\n\ndef repaired(guarantees, m, delta):\n    return max(optimal(list(c)).epsilon(delta) for c in combinations(guarantees, m))",
        "nothing changed": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    return shortcut(guarantees, m, delta)",
        "sorted by delta": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    chosen = sorted(guarantees, key=lambda g: g.delta)[-m:]\n    return optimal(chosen).epsilon(delta)",
        "sorted by what each loses alone": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    chosen = sorted(guarantees, key=lambda g: optimal([g]).epsilon(delta))[-m:]\n    return optimal(chosen).epsilon(delta)",
        "basic composition": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    return sum(sorted(g.epsilon for g in guarantees)[-m:])",
        "all databases": "my_delta = 0.08\n\ndef repaired(guarantees, m, delta):\n    return optimal(guarantees).epsilon(delta)",
        "a delta at which the shortcut is right": "my_delta = 0.5\n\ndef repaired(guarantees, m, delta):\n    return max(optimal(list(c)).epsilon(delta) for c in combinations(guarantees, m))",
    },
    "check_counterexample": {
        "hardly any weight, two files": "my_p0 = [('00', 0.001), ('11', 0.999)]\nmy_p1 = [('10', 0.001), ('11', 0.999)]\nmy_x = 10",
        "all pairs cost the same": "my_p0 = [('00', 0.5), ('01', 0.5)]\nmy_p1 = [('10', 0.5), ('11', 0.5)]\nmy_x = 10",
        "two equal hypotheses": "my_p0 = my_p1 = [('01', 0.5), ('10', 0.5)]\nmy_x = 3",
        "one side is a single vector": "my_p0 = [('00', 1)]\nmy_p1 = [('01', 0.5), ('11', 0.5)]\nmy_x = 3",
        "the example of the lecture": "my_p0 = [('00', 0.5), ('11', 0.5)]\nmy_p1 = [('10', 0.5), ('11', 0.5)]\nmy_x = 3",
        "the same with a large x": "my_p0 = [('00', 0.5), ('11', 0.5)]\nmy_p1 = [('10', 0.5), ('11', 0.5)]\nmy_x = 10",
        "all or nothing": "my_p0 = [('000', 1.0)]\nmy_p1 = [('111', 1.0)]\nmy_x = 10",
        "weights that do not add up": "my_p0 = [('00', 0.1), ('11', 0.1)]\nmy_p1 = [('10', 0.1), ('11', 0.1)]\nmy_x = 10",
        "an x that is not allowed": "my_p0 = [('00', 0.1), ('11', 0.9)]\nmy_p1 = [('10', 0.1), ('11', 0.9)]\nmy_x = 1000",
    },
    "check_safe": {
        "without the equal pairs": "def safe(matched, x):\n    other = [t for t in matched if t[0] != t[1]]\n    return recipe(other, x) / sum(t[2] for t in other)",
        "one direction only": "def safe(matched, x):\n    p = lambda view, side: sum(t[2] * Fraction(x) ** sum(y == b for y, b in zip(view, t[side])) for t in matched)\n    return max(p(v, 0) / p(v, 1) for v in product('01', repeat=len(matched[0][0])))",
        "groups without weights": "def safe(matched, x):\n    groups = {}\n    for a, b, _ in matched:\n        groups.setdefault(b, []).append(Fraction(x) ** differing(a, b))\n    return max(sum(g) / len(g) for g in groups.values())",
        "x to the mean number of bits": "def safe(matched, x):\n    groups = {}\n    for a, b, w in matched:\n        groups.setdefault(b, []).append((differing(a, b), w))\n    return float(x) ** float(max(sum(d * w for d, w in g) / sum(w for _, w in g) for g in groups.values()))",
        "the harmonic average, one side only": "def safe(matched, x):\n    groups = {}\n    for a, b, w in matched:\n        groups.setdefault(b, []).append((a, b, w))\n    return max(sum(t[2] for t in g) / recipe(g, 1 / Fraction(x)) for g in groups.values())",
        "the number of the example": "def safe(matched, x):\n    return Fraction(5, 2)",
        "the recipe itself": "def safe(matched, x):\n    return recipe(matched, x)",
        "the unweighted average": "def safe(matched, x):\n    return sum(Fraction(x) ** differing(a, b) for a, b, _ in matched) / len(matched)",
        "the largest factor": "def safe(matched, x):\n    return max(x ** differing(a, b) for a, b, _ in matched)",
        "all bits differ": "def safe(matched, x):\n    return x ** len(matched[0][0])",
        "the largest term": "def safe(matched, x):\n    return max(w * x ** differing(a, b) for a, b, w in matched)",
        "twenty-five per cent more": "def safe(matched, x):\n    return Fraction(5, 4) * recipe(matched, x)",
        "the average of the averages": "def safe(matched, x):\n    groups = {}\n    for a, b, w in matched:\n        groups.setdefault(b, []).append((a, b, w))\n    return sum(recipe(g, x) / sum(t[2] for t in g) for g in groups.values()) / len(groups)",
    },
    "check_plan": {
        "a sea of noise": "my_cap, my_scale = 1, 1e6",
        "one per cent less noise": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_cap, my_scale = 60, 0.99 * planning.noise_scale(60, total_eps, total_delta)",
        "advanced composition": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nscales = {m: planning.noise_scale(m, total_eps, total_delta, theorem='advanced') for m in survey}\nmy_cap = min(survey, key=lambda m: error(survey, m, scales[m]))\nmy_scale = scales[my_cap]",
        "simple composition, best cap": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_cap = min(survey, key=lambda m: error(survey, m, m / total_eps))\nmy_scale = my_cap / total_eps",
        "no cap": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_cap, my_scale = 200, planning.noise_scale(200, total_eps, total_delta)",
        "each number gets everything": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_cap, my_scale = 60, 1 / total_eps",
        "the cap of simple composition": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_cap = min(survey, key=lambda m: error(survey, m, m / total_eps))\nmy_scale = planning.noise_scale(my_cap, total_eps, total_delta)",
        "noise for the mean number of visits": "survey, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_cap, my_scale = 200, planning.noise_scale(4, total_eps, total_delta)",
        "half a branch": "my_cap, my_scale = 59.5, 40",
    },
}
