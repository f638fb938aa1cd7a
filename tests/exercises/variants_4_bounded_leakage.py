"""Solutions of the exercises of lecture 4 as students write them: right ones get all points, wrong ones lose some."""
# ruff: noqa: E501 - one line a mistake is easier to read

ONE_CALL = {  # what the library gives: none of it earns a point
    "check_heap_ratio": {
        "a leaky mechanism": "def heap_ratio(left, false):\n    return LeakyMechanism.from_functions([0, 1], left, lambda x, r: x ^ (r in false)).ratio()",
        "a pair": "def heap_ratio(left, false):\n    lies = Fraction(sum(r in false for r in left), len(left))\n    return Pair([lies, 1 - lies], [1 - lies, lies]).ratio()",
    },
    "check_given_leak": {
        "the law given the leak": "def given_leak(table, x, o):\n    joint = {x: {(o, m): w for o, row in enumerate(rows) for m, w in enumerate(row)} for x, rows in enumerate(table)}\n    law = LeakyMechanism.from_joint(joint).law(x, o)\n    return [law.get(m, 0) for m in range(len(table[x][o]))]",
    },
    "check_leak_ratio": {
        "a leaky mechanism": "def leak_ratio(table):\n    joint = {x: {(o, m): w for o, row in enumerate(rows) for m, w in enumerate(row)} for x, rows in enumerate(table)}\n    world = LeakyMechanism.from_joint(joint)\n    return None if world.vacuous else world.ratio()",
        "pairs": "def leak_ratio(table):\n    pairs = []\n    for o in range(len(table[0])):\n        laws = [[w / sum(rows[o]) for w in rows[o]] for rows in table if any(rows[o])]\n        pairs += [Pair(p, q) for p in laws for q in laws] if len(laws) > 1 else []\n    return max([pair.ratio() for pair in pairs], default=None)",
    },
    "check_whole_release": {
        "the theorem": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return bounds.release_bound(ratio1, delta1, ratio2, delta2)",
        "the theorem under another name": "whole_release = bounds.release_bound",
        "the worst mechanism": "def whole_release(ratio1, delta1, ratio2, delta2):\n    world = examples.release_extremal(ratio1, delta1, ratio2, delta2)\n    return ratio1 * ratio2, world.released().delta(ratio=ratio1 * ratio2)",
    },
    "check_pads_delta": {
        "a power": "def pads_delta(k, flip, ratio):\n    return (Pair([1 - flip, flip], [flip, 1 - flip]) ** k).delta(ratio=ratio)",
        "the exact optimum of lecture 2": "from math import log\nfrom dpteach import Guarantee, optimal\ndef pads_delta(k, flip, ratio):\n    wrong = min(flip, 1 - flip)\n    return optimal(Guarantee(log((1 - wrong) / wrong)), k=k).delta(log(ratio))",
        "randomized response": "from dpteach.mechanisms import randomized_response as coin\ndef pads_delta(k, flip, ratio):\n    return (coin(ratio=max((1 - flip) / flip, flip / (1 - flip))) ** k).delta(ratio=ratio)",
    },
    "check_readings": {},  # a number that was typed has no history; no function looks for it
    "check_repaired": {
        "the big world": "def repaired(healthy, ill, ratio):\n    laws = {'healthy': {tuple(v): w for v, w in healthy}, 'ill': {tuple(v): w for v, w in ill}}\n    return big_world([asks_presence(ratio)] * len(healthy[0][0]), laws, leak=lambda x, v: None, data=laws).ratio()",
        "hypotheses of lecture 3": "from math import log\nfrom dpteach import Guarantee\nfrom dpteach.experiment import Hypothesis, hypothesis_dp\ndef repaired(healthy, ill, ratio):\n    laws = [Hypothesis.from_dict({''.join(map(str, v)): w for v, w in law}) for law in (healthy, ill)]\n    return hypothesis_dp(Guarantee(log(ratio)), *laws).ratio(0)",
    },
    "check_incomparable": {},
    "check_detour": {},
    "check_census": {},
}

RIGHT = {
    "check_heap_ratio": {
        "all reports of both bits": """
def heap_ratio(left, false):
    law = {x: [Fraction(sum(x ^ (r in false) == y for r in left), len(left)) for y in (0, 1)] for x in (0, 1)}
    ratios = [p / q if q else inf for x in (0, 1) for p, q in zip(law[x], law[1 - x]) if p]
    return max(ratios)
""",
        "floats": """
def heap_ratio(left, false):
    lies = len(set(left) & set(false))
    truths = len(left) - lies
    if lies == 0 or truths == 0:
        return float("inf")
    return max(truths / lies, lies / truths)
""",
    },
    "check_given_leak": {
        "an array of fractions": """
def given_leak(table, x, o):
    row = np.array(table[x][o], dtype=object)
    return row / row.sum()
""",
        "with numpy": """
def given_leak(table, x, o):
    row = np.array(table[x][o], dtype=float)
    return row / row.sum()
""",
    },
    "check_leak_ratio": {
        "largest over smallest of each column": """
def leak_ratio(table):
    found = []
    for rows in zip(*table):
        laws = [[Fraction(w) / Fraction(sum(row)) for w in row] for row in rows if sum(row)]
        if len(laws) > 1:
            found += [max(column) / min(column) if min(column) else inf for column in zip(*laws) if max(column)]
    return max(found) if found else None
""",
        "numpy, all pairs at once": """
def leak_ratio(table):
    weights, best = np.array(table, dtype=float), None
    for o in range(weights.shape[1]):
        rows = weights[:, o][weights[:, o].sum(axis=1) > 0]
        if len(rows) > 1:
            laws = rows / rows.sum(axis=1, keepdims=True)
            with np.errstate(all="ignore"):
                here = np.nanmax(laws[:, None] / laws[None])
            best = here if best is None else max(best, here)
    return best
""",
        "without dividing first, in floats": """
def leak_ratio(table):
    best = None
    for x in range(len(table)):
        for y in range(len(table)):
            if x == y:
                continue
            for o in range(len(table[x])):
                a, b = sum(table[x][o]), sum(table[y][o])
                if a == 0 or b == 0:
                    continue
                for p, q in zip(table[x][o], table[y][o]):
                    if p > 0:
                        ratio = float(p * b) / float(q * a) if q > 0 else np.inf
                        best = ratio if best is None else max(best, ratio)
    return best
""",
    },
    "check_whole_release": {
        "as the lecture writes it": """
def whole_release(ratio1, delta1, ratio2, delta2):
    return [ratio1 * ratio2, delta1 + delta2 - delta1 * delta2]
""",
        "first the leak, then the mechanism, as an array": """
def whole_release(ratio1, delta1, ratio2, delta2):
    return np.array([float(ratio1) * float(ratio2), float(delta2 + (1 - delta2) * delta1)])
""",
    },
    "check_pads_delta": {
        "convolution": """
def pads_delta(k, flip, ratio):
    p = q = np.array([1.0])
    f = float(flip)
    for _ in range(k):
        p, q = np.convolve(p, [1 - f, f]), np.convolve(q, [f, 1 - f])
    return np.maximum(p - float(ratio) * q, 0).sum()
""",
        "logarithms": """
from math import exp, lgamma, log

def pads_delta(k, flip, ratio):
    flip, total = float(flip), 0.0
    for j in range(k + 1):
        ways = exp(lgamma(k + 1) - lgamma(j + 1) - lgamma(k - j + 1))
        total += ways * max(0.0, (1 - flip) ** j * flip ** (k - j) - float(ratio) * flip**j * (1 - flip) ** (k - j))
    return total
""",
    },
    "check_readings": {
        "fractions, to the nearest 0.005": """
a6, limit6 = numbers_of_task_6(student_id)
really = Fraction(round(200 * (a6 - limit6) / (a6 - 1)), 200)
by_theorem = Fraction(round(200 * (sqrt((a6 + 1) ** 3 / (8 * limit6)) - 1) / (a6 - 1)), 200)
""",
        "by the formulas, rounded": """
a6, limit6 = numbers_of_task_6(student_id)
really = round((a6 - limit6) / (a6 - 1), 2)
by_theorem = round((sqrt((a6 + 1) ** 3 / (8 * limit6)) - 1) / (a6 - 1), 3)
""",
        "on a grid": """
a6, limit6 = numbers_of_task_6(student_id)
grid = [f / 256 for f in range(1, 128)]
worlds = [examples.sampled_study(ratio=a6, flip=f) for f in grid]
promised = [bounds.independence_bound(w.without_leak().ratio(), 0, w.independence().ratio()).ratio for w in worlds]
really = next(f for f, w in zip(grid, worlds) if w.ratio() <= limit6)
by_theorem = next(f for f, r in zip(grid, promised) if r <= limit6)
""",
    },
    "check_repaired": {
        "one study after the other, in a dictionary": """
bug = "B"

def repaired(healthy, ill, ratio):
    laws = []
    for world in (healthy, ill):
        law = {}
        for vector, weight in world:
            part = {(): Fraction(weight)}
            for joined in vector:
                p = Fraction(ratio, 1 + ratio) if joined else Fraction(1, 1 + ratio)
                part = {y + (a,): u * (p if a else 1 - p) for y, u in part.items() for a in (0, 1)}
            for y, u in part.items():
                law[y] = law.get(y, 0) + u
        laws.append(law)
    return max(max(laws[0][y] / laws[1][y], laws[1][y] / laws[0][y]) for y in laws[0])
""",
        "products of matrices, in floats": """
bug = " B "

def repaired(healthy, ill, ratio):
    one = {0: np.array([ratio, 1]) / (1 + ratio), 1: np.array([1, ratio]) / (1 + ratio)}
    laws = []
    for world in (healthy, ill):
        law = 0
        for vector, weight in world:
            joint = np.array([1.0])
            for v in vector:
                joint = np.kron(joint, one[v])
            law = law + float(weight) * joint
        laws.append(law)
    return max((laws[0] / laws[1]).max(), (laws[1] / laws[0]).max())
""",
    },
    "check_incomparable": {
        "a leak that is sometimes silent, and diagonals": """
c = numbers_of_task_8(student_id)
t, f = c / (c + 1), 1 / (c + 1)
dp_only = [[[t / 4, f / 4], [f / 4, t / 4], [1 / 4, 1 / 4]], [[f / 4, t / 4], [t / 4, f / 4], [1 / 4, 1 / 4]]]
bldp_only = [np.diag([t, f]), np.diag([f, t])]
""",
        "floats": """
c = numbers_of_task_8(student_id)
t, f = c / (c + 1), 1 / (c + 1)
dp_only = np.array([[[t, f], [f, t]], [[f, t], [t, f]]]) / 2
bldp_only = np.array([[[t, 0], [0, f]], [[f, 0], [0, t]]])
""",
        "only a rare key tells, and a leak with three values": """
c = numbers_of_task_8(student_id)
t, f, rare = Fraction(c, c + 1), Fraction(1, c + 1), Fraction(1, 100)
half = Fraction(1, 2)
dp_only = [[[rare * a, rare * (1 - a)], [rare * (1 - a), rare * a], [half - rare, half - rare]] for a in (t, f)]
bldp_only = [[[t / 2, 0], [t / 2, 0], [0, f]], [[f / 2, 0], [f / 2, 0], [0, t]]]
""",
        "three outputs": """
c = numbers_of_task_8(student_id)
s = Fraction(1, 2 * (c + 1))
dp_only = [[[c * s, s, 0], [s, c * s, 0]], [[s, c * s, 0], [c * s, s, 0]]]
rest = 1 - (c + 1) * Fraction(1, 50)
small = Fraction(1, 50)
bldp_only = [[[c * small, 0, 0], [0, small, 0], [0, 0, rest]], [[small, 0, 0], [0, c * small, 0], [0, 0, rest]]]
""",
    },
    "check_detour": {
        "a staircase": """
chances = [[1 / 2, 1 / 4, None], [None, 1 / 8, 1 / 16], [None, None, 1 / 32]]
""",
        "by the output 0, in an array": """
chances = np.full((3, 3), None)
for k, (i, j) in enumerate([(0, 0), (0, 2), (2, 2), (2, 1), (1, 1)]):
    chances[i, j] = 1 - Fraction(2, 3) / 2**k
""",
        "floats, the other way round": """
chances = [[0.02, None, None], [0.04, 0.08, None], [None, 0.16, 0.32]]
""",
        "another path": """
n = None
chances = [[n, Fraction(2, 5), Fraction(1, 5)], [Fraction(1, 40), n, n], [Fraction(1, 20), n, Fraction(1, 10)]]
""",
    },
    "check_census": {
        "where the derivative is zero": """
given_count, alone, weight = numbers_of_task_10(student_id)

def slope(r):
    return r * (r**2 + 1) / (r**2 - 1) ** 2

low, high = sqrt(alone), given_count
for _ in range(60):
    a = (low + high) / 2
    low, high = (a, high) if weight * slope(a) > slope(alone / a) else (low, a)
my_a, my_b = low, alone / low
""",
        "in steps of a tenth": """
given_count, alone, weight = numbers_of_task_10(student_id)
tenths = [n / 10 for n in range(11, 10 * given_count + 1) if 10 * alone <= given_count * n]
my_a = min(tenths, key=lambda a: total_error(a, alone / a, weight))
my_b = alone / my_a
""",
        "by steps": """
given_count, alone, weight = numbers_of_task_10(student_id)
plans = []
for hundredths in range(101, 100 * given_count + 1):
    a = Fraction(hundredths, 100)
    b = min(alone / a, given_count)
    if b > 1:
        plans.append((total_error(a, b, weight), a, b))
_, my_a, my_b = min(plans)
""",
        "scipy, a little inside": """
from scipy.optimize import minimize_scalar

given_count, alone, weight = numbers_of_task_10(student_id)
best = minimize_scalar(lambda a: total_error(a, alone / a, weight), bounds=(alone / given_count, given_count), method="bounded")
my_a = min(best.x, given_count) * 0.9999
my_b = alone / best.x * 0.9999
""",
    },
}

WRONG = {
    "check_heap_ratio": {
        "lies by truths": "def heap_ratio(left, false):\n    lies = len(set(left) & set(false))\n    return Fraction(lies, len(left) - lies) if lies < len(left) else inf",
        "the larger number": "def heap_ratio(left, false):\n    f = sum(r in false for r in left)\n    t = len(left) - f\n    return max(t, f) if t and f else inf",
        "the difference": "def heap_ratio(left, false):\n    f = sum(r in false for r in left)\n    t = len(left) - f\n    return abs(t - f) + 1 if t and f else inf",
        "whole numbers only": "def heap_ratio(left, false):\n    f = sum(r in false for r in left)\n    t = len(left) - f\n    return max(t, f) // min(t, f) if t and f else inf",
        "all lies are harmless": "def heap_ratio(left, false):\n    f = sum(r in false for r in left)\n    t = len(left) - f\n    return inf if not f else max(Fraction(t, f), Fraction(f, t) if t else 0)",
        "truths over lies": "def heap_ratio(left, false):\n    f = sum(r in false for r in left)\n    return Fraction(len(left) - f, f) if f else inf",
        "all the coins": "def heap_ratio(left, false):\n    return Fraction(8 - len(false), len(false))",
        "all false coins count": "def heap_ratio(left, false):\n    t = len([r for r in left if r not in false])\n    return max(Fraction(t, len(false)), Fraction(len(false), t)) if t else inf",
        "the probability of a lie": "def heap_ratio(left, false):\n    return Fraction(sum(r in false for r in left), len(left))",
        "one where nobody lies": "def heap_ratio(left, false):\n    f = sum(r in false for r in left)\n    t = len(left) - f\n    return max(t, f) / min(t, f) if t and f else 1",
    },
    "check_given_leak": {
        "divided by the other rows": "def given_leak(table, x, o):\n    return [w / (1 - sum(table[x][o])) for w in table[x][o]]",
        "the first database": "def given_leak(table, x, o):\n    return [w / sum(table[0][o]) for w in table[x][o]]",
        "not renormalised": "def given_leak(table, x, o):\n    return table[x][o]",
        "the leak given the output": "def given_leak(table, x, o):\n    return [w / sum(row[m] for row in table[x]) for m, w in enumerate(table[x][o])]",
        "the leak forgotten": "def given_leak(table, x, o):\n    return [sum(row[m] for row in table[x]) for m in range(len(table[x][o]))]",
        "times the leak": "def given_leak(table, x, o):\n    return [w * sum(table[x][o]) for w in table[x][o]]",
        "the largest instead of the sum": "def given_leak(table, x, o):\n    return [w / max(table[x][o]) for w in table[x][o]]",
    },
    "check_leak_ratio": {
        "only with the first database": """
def leak_ratio(table):
    ratios = []
    for i, one in enumerate(table):
        for j, other in enumerate(table):
            for row, beside in zip(one, other):
                if i != j and 0 in (i, j) and sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "only one after the other": """
def leak_ratio(table):
    ratios = []
    for i, one in enumerate(table):
        for j, other in enumerate(table):
            for row, beside in zip(one, other):
                if abs(i - j) == 1 and sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "the other order only": """
def leak_ratio(table):
    ratios = []
    for i, one in enumerate(table):
        for j, other in enumerate(table):
            for row, beside in zip(one, other):
                if i > j and sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "outputs of one database skipped": """
def leak_ratio(table):
    ratios = []
    for one in table:
        for other in table:
            for row, beside in zip(one, other):
                if one is not other and sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) for p, q in zip(row, beside) if p and q]
    return max(ratios, default=None)
""",
        "not renormalised": """
def leak_ratio(table):
    ratios = []
    for one in table:
        for other in table:
            for row, beside in zip(one, other):
                if one is not other and sum(row) and sum(beside):
                    ratios += [p / q if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "one order only": """
def leak_ratio(table):
    ratios = []
    for i, one in enumerate(table):
        for other in table[i + 1:]:
            for row, beside in zip(one, other):
                if sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "impossible values compared": """
def leak_ratio(table):
    ratios = []
    for one in table:
        for other in table:
            for row, beside in zip(one, other):
                if one is not other and sum(row):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "the leak forgotten": """
def leak_ratio(table):
    laws = [[sum(column) for column in zip(*rows)] for rows in table]
    return max(a / b if b else inf for p in laws for q in laws for a, b in zip(p, q) if a)
""",
        "first and last database": """
def leak_ratio(table):
    ratios = []
    for one, other in ((table[0], table[-1]), (table[-1], table[0])):
        for row, beside in zip(one, other):
            if sum(row) and sum(beside):
                ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=None)
""",
        "vacuous is perfect": """
def leak_ratio(table):
    ratios = []
    for one in table:
        for other in table:
            for row, beside in zip(one, other):
                if one is not other and sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return max(ratios, default=1)
""",
        "the logarithm": """
def leak_ratio(table):
    ratios = []
    for one in table:
        for other in table:
            for row, beside in zip(one, other):
                if one is not other and sum(row) and sum(beside):
                    ratios += [p * sum(beside) / (q * sum(row)) if q else inf for p, q in zip(row, beside) if p]
    return float(np.log(float(max(ratios)))) if ratios else None
""",
    },
    "check_whole_release": {
        "always the same": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return 8, 0.4",
        "the delta of the leak, blown up": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return ratio1 * ratio2, delta1 + ratio1 * delta2",
        "the sum": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return ratio1 * ratio2, delta1 + delta2",
        "the delta of M only": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return ratio1 * ratio2, delta1",
        "ratios added": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return ratio1 + ratio2, delta1 + delta2 - delta1 * delta2",
        "the larger of the two": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return max(ratio1, ratio2), max(delta1, delta2)",
        "the remark, two values": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return ratio1 * ratio2, delta1 + 3 * delta2",
        "both fail": "def whole_release(ratio1, delta1, ratio2, delta2):\n    return ratio1 * ratio2, delta1 * delta2",
    },
    "check_pads_delta": {
        "the chance of a wrong key": "def pads_delta(k, flip, ratio):\n    return 1 - (1 - flip) ** k",
        "the worst count only": "def pads_delta(k, flip, ratio):\n    return max(comb(k, j) * max(0, flip**j * (1 - flip) ** (k - j) - ratio * flip ** (k - j) * (1 - flip) ** j) for j in range(k + 1))",
        "one count forgotten": "def pads_delta(k, flip, ratio):\n    return sum(comb(k, j) * max(0, flip**j * (1 - flip) ** (k - j) - ratio * flip ** (k - j) * (1 - flip) ** j) for j in range(k))",
        "one pad times k": "def pads_delta(k, flip, ratio):\n    return k * max(0, 1 - flip - ratio * flip)",
        "only the best answers": "def pads_delta(k, flip, ratio):\n    return max(0, (1 - flip) ** k - ratio * flip**k)",
        "a line that is mostly right": "def pads_delta(k, flip, ratio):\n    return sum(max(0, comb(k, j) * ((1 - flip) ** (k - j) * flip**j - ratio * (1 - flip) ** j * flip ** (k - j))) for j in range(k // 2 + 1))",
        "no leak": "def pads_delta(k, flip, ratio):\n    return 0",
        "some pad fails": "def pads_delta(k, flip, ratio):\n    return 1 - (1 - max(0, 1 - flip - ratio * flip)) ** k",
        "without the binomial": "def pads_delta(k, flip, ratio):\n    return sum(max(0, (1 - flip) ** j * flip ** (k - j) - ratio * flip**j * (1 - flip) ** (k - j)) for j in range(k + 1))",
    },
    "check_readings": {
        "swapped": "a6, limit6 = numbers_of_task_6(student_id)\nby_theorem = (a6 - limit6) / (a6 - 1)\nreally = (sqrt((a6 + 1) ** 3 / (8 * limit6)) - 1) / (a6 - 1)",
        "rough": "really, by_theorem = 0.27, 0.41",
        "the upright axis": "really, by_theorem = 2.5, 4.1",
        "in percent": "really, by_theorem = 25, 39.4",
        "the exact curve only": "a6, limit6 = numbers_of_task_6(student_id)\nreally = (a6 - limit6) / (a6 - 1)\nby_theorem = 0.45",
    },
    "check_repaired": {
        "always the same": 'bug = "B"\n\ndef repaired(healthy, ill, ratio):\n    return Fraction(41, 9)',
        "only answers that are vectors": """
bug = "B"

def repaired(healthy, ill, ratio):
    def chance(law, y):
        return sum(w * Fraction(ratio) ** sum(a == b for a, b in zip(v, y)) for v, w in law)
    odds = [chance(healthy, y) / chance(ill, y) for y, _ in healthy + ill]
    return max(max(odds), 1 / min(odds))
""",
        "vectors equally likely": """
bug = "B"

def repaired(healthy, ill, ratio):
    def chance(law, y):
        return sum(Fraction(ratio) ** sum(a == b for a, b in zip(v, y)) for v, _ in law) / len(law)
    odds = [chance(healthy, y) / chance(ill, y) for y in product((0, 1), repeat=len(healthy[0][0]))]
    return max(max(odds), 1 / min(odds))
""",
        "nothing changed": 'bug = "B"\n\ndef repaired(healthy, ill, ratio):\n    return study_by_study(healthy, ill, ratio)',
        "the worst vectors": 'bug = "B"\n\ndef repaired(healthy, ill, ratio):\n    return max(ratio ** sum(a != b for a, b in zip(v, w)) for v, _ in healthy for w, _ in ill)',
        "the bound": 'bug = "B"\n\ndef repaired(healthy, ill, ratio):\n    t = max(sum(v) for v, _ in healthy + ill)\n    return ratio ** min(2 * t, len(healthy[0][0]))',
        "one way up only": """
bug = "B"

def repaired(healthy, ill, ratio):
    def chance(law, y):
        return sum(w * Fraction(ratio) ** sum(a == b for a, b in zip(v, y)) for v, w in law)
    return max(chance(healthy, y) / chance(ill, y) for y in product((0, 1), repeat=len(healthy[0][0])))
""",
        "the vectors are seen": """
bug = "B"

def repaired(healthy, ill, ratio):
    return max(ratio ** sum(a != b for a, b in zip(v, w)) for v, p in healthy for w, q in ill if p >= q)
""",
        "another reason": """
bug = "C"

def repaired(healthy, ill, ratio):
    def chance(law, y):
        return sum(w * Fraction(ratio) ** sum(a == b for a, b in zip(v, y)) for v, w in law)
    odds = [chance(healthy, y) / chance(ill, y) for y in product((0, 1), repeat=len(healthy[0][0]))]
    return max(max(odds), 1 / min(odds))
""",
        "given the count": """
bug = "B"

def repaired(healthy, ill, ratio):
    def chance(law, y, count):
        kept = [(v, w) for v, w in law if sum(v) == count]
        return sum(w * Fraction(ratio) ** sum(a == b for a, b in zip(v, y)) for v, w in kept) / sum(w for _, w in kept)
    counts = {sum(v) for v, _ in healthy} & {sum(v) for v, _ in ill}
    every = list(product((0, 1), repeat=len(healthy[0][0])))
    odds = [chance(healthy, y, count) / chance(ill, y, count) for count in counts for y in every]
    return max(max(odds), 1 / min(odds)) if odds else 1
""",
    },
    "check_incomparable": {
        "uniform": "q = Fraction(1, 4)\ndp_only = bldp_only = [[[q, q], [q, q]], [[q, q], [q, q]]]",
        "the pad, with the true key": "h = Fraction(1, 2)\ndp_only = [[[h, 0], [0, h]], [[0, h], [h, 0]]]\nbldp_only = [[[Fraction(5, 6), 0], [0, Fraction(1, 6)]], [[Fraction(1, 6), 0], [0, Fraction(5, 6)]]]",
        "vacuous": "t, f = Fraction(5, 12), Fraction(1, 12)\ndp_only = [[[t, f], [f, t]], [[f, t], [t, f]]]\nbldp_only = [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]",
        "wrong once in c": "c = numbers_of_task_8(student_id)\nt, f = Fraction(c - 1, 2 * c), Fraction(1, 2 * c)\ndp_only = [[[t, f], [f, t]], [[f, t], [t, f]]]\nbldp_only = [[[2 * t, 0], [0, 2 * f]], [[2 * f, 0], [0, 2 * t]]]",
        "the two exchanged": "t, f = Fraction(5, 12), Fraction(1, 12)\nbldp_only = [[[t, f], [f, t]], [[f, t], [t, f]]]\ndp_only = [[[2 * t, 0], [0, 2 * f]], [[2 * f, 0], [0, 2 * t]]]",
        "does not add up": "t, f = 5, 1\ndp_only = [[[t, f], [f, t]], [[f, t], [t, f]]]\nbldp_only = [[[t, 0], [0, f]], [[f, 0], [0, t]]]",
        "an independent leak": "t, f = Fraction(5, 12), Fraction(1, 12)\nq = Fraction(1, 4)\ndp_only = [[[q, q], [q, q]], [[q, q], [q, q]]]\nbldp_only = [[[t, f], [t, f]], [[f, t], [f, t]]]",
    },
    "check_detour": {
        "the detour of the lecture": "chances = [[0.4, None, None], [None, 0.05, None], [0.2, 0.1, None]]",
        "no path": "chances = [[0.9, None, None], [None, 0.01, None], [None, None, None]]",
        "a short cut": "chances = [[0.5, 0.25, 0.25], [None, 1 / 32, None], [None, 1 / 16, 1 / 8]]",
        "starting at one": "chances = [[1, None, 0.5], [None, 1 / 16, None], [None, 1 / 8, 0.25]]",
        "all can leak": "chances = [[0.4, 0.2, 0.2], [0.2, 0.1, 0.1], [0.2, 0.1, 0.1]]",
        "zero for impossible": "chances = [[0.5, 0, 0.25], [0, 1 / 32, 0], [0, 1 / 16, 1 / 8]]",
        "a weak long path": "chances = [[0.3, None, 0.17], [None, 0.03, None], [None, 0.05, 0.09]]",
    },
    "check_census": {
        "hardly any information": "my_a = my_b = 1.1",
        "whole numbers": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = min(range(2, given_count + 1), key=lambda a: total_error(a, alone / a, weight))\nmy_b = alone / my_a",
        "a rule of thumb": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = sqrt(alone * sqrt(weight))\nmy_b = alone / my_a",
        "as if the noise were Laplace's": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = alone ** (sqrt(weight) / (1 + sqrt(weight)))\nmy_b = alone / my_a",
        "the weight on the wrong count": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_b = min(np.linspace(alone / given_count, given_count, 1001), key=lambda a: total_error(a, alone / a, weight))\nmy_a = alone / my_b",
        "equal noise": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = my_b = sqrt(alone)",
        "the leak taken as a licence": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = my_b = given_count",
        "only the second promise": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a, my_b = alone / 1.5, 1.5",
        "both share the first promise": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = given_count / 1.5\nmy_b = 1.5",
        "epsilon instead of the ratio": "from math import log\n\ngiven_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = log(given_count)\nmy_b = log(alone / given_count)",
        "the least noise on A": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a, my_b = given_count, alone / given_count",
        "shared by weight": "given_count, alone, weight = numbers_of_task_10(student_id)\nmy_a = alone ** (weight / (1 + weight))\nmy_b = alone / my_a",
    },
}
