"""Solutions of the exercises of lecture 1 as students write them: right ones get all points, wrong ones lose some."""
# ruff: noqa: E501 - one line a mistake is easier to read

UNANSWERED = {"1e5"}  # mistakes that end in an exception

ONE_CALL = {  # what the library gives: none of it earns a point
    "check_loss": {},
    "check_some_failure": {
        "the exact optimum": "def some_failure(deltas):\n    return optimal([Guarantee(0, d) for d in deltas]).delta(0)",
        "a theorem": "from dpteach.composition import kov_closed_form\ndef some_failure(deltas):\n    return kov_closed_form([Guarantee(0, d) for d in deltas], 0).delta",
        "the part of the optimum that does it": "from dpteach.optimum import Failure\ndef some_failure(deltas):\n    return Failure([(Guarantee(0, d), 1) for d in deltas]).lost",
    },
    "check_output_ratio": {
        "a product of pairs": "from functools import reduce\nfrom operator import matmul\nfrom dpteach.mechanisms import randomized_response\ndef output_ratio(ratios, output):\n    pair = reduce(matmul, [randomized_response(ratio=r) for r in ratios])\n    i = int(''.join(map(str, output)), 2)\n    return pair.p[i] / pair.q[i]",
    },
    "check_mean_loss": {
        "a divergence": "from dpteach import mechanisms\ndef mean_loss(k, eps):\n    return k * mechanisms.randomized_response(eps).renyi(1)",
        "a divergence of all coins": "from dpteach import mechanisms as m\ndef mean_loss(k, eps):\n    return (m.randomized_response(eps) ** k).renyi(1)",
        "another notion": "import dpteach.notions\ndef mean_loss(k, eps):\n    return k * dpteach.notions.pure_rho(eps)",
    },
    "check_price": {
        "the exact optimum": "def price(k, eps, delta):\n    return optimal(Guarantee(eps), k=k).epsilon(delta)",
        "the best theorem": "from dpteach import composition\ndef price(k, eps, delta):\n    return composition.best(Guarantee(eps), delta, k=k).epsilon",
        "the theorems themselves": "import dpteach\ndef price(k, eps, delta):\n    c = getattr(dpteach, 'composition')\n    return min(c.basic(Guarantee(eps), k=k).epsilon, c.advanced(Guarantee(eps), delta, k=k).epsilon)",
        "by name": "from dpteach.composition import compose_by as f\ndef price(k, eps, delta):\n    return f('optimal', Guarantee(eps), delta, k=k).epsilon",
    },
    "check_crossing": {},  # `planning.pays_from` knows where basic composition is beaten, not by how much
    "check_repaired": {},  # no function counts answers
    "check_harmless": {},
    "check_dropped": {},
    "check_plan": {  # `planning` knows equal answers only
        "all counts alike": "from dpteach import planning\ndays, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = planning.noise_scale(days + weeks, total_eps, total_delta)",
        "a weekly count as two": "from dpteach import planning\ndays, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = planning.noise_scale(days + 2 * weeks, total_eps, total_delta)",
        "the days alone": "from dpteach import planning\ndays, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = planning.noise_scale(days, total_eps, total_delta)",
    },
}

RIGHT = {
    "check_loss": {
        "by the densities": """
def loss(y, with_ada, without, scale):
    p = exp(-abs(y - with_ada) / scale) / (2 * scale)
    q = exp(-abs(y - without) / scale) / (2 * scale)
    return log(p / q)
""",
        "with numpy, as an array": """
def loss(y, with_ada, without, scale):
    return np.array([np.abs(y - without) - np.abs(y - with_ada)]) / scale
""",
    },
    "check_some_failure": {
        "one after the other": """
def some_failure(deltas):
    failure = 0
    for delta in deltas:
        failure = failure + (1 - failure) * delta
    return failure
""",
        "by logarithms": """
def some_failure(deltas):
    return -np.expm1(np.sum(np.log1p(-np.asarray(deltas))))
""",
    },
    "check_output_ratio": {
        "floats in a loop": """
def output_ratio(ratios, output):
    result = 1.0
    for r, bit in zip(ratios, output):
        result *= 1 / r if bit else r
    return result
""",
        "both laws": """
def output_ratio(ratios, output):
    p = q = Fraction(1)
    for r, bit in zip(ratios, output):
        p *= Fraction(r, r + 1) if bit == 0 else Fraction(1, r + 1)
        q *= Fraction(1, r + 1) if bit == 0 else Fraction(r, r + 1)
    return p / q
""",
    },
    "check_mean_loss": {
        "by the two probabilities": """
def mean_loss(k, eps):
    p = exp(eps) / (1 + exp(eps))
    return k * (p * eps + (1 - p) * -eps)
""",
        "coin by coin": """
def mean_loss(k, eps):
    truth = 1 / (1 + np.exp(-eps))
    return np.sum([truth * eps, (truth - 1) * eps] * k)
""",
    },
    "check_price": {
        "a better theorem": """
def price(k, eps, delta):
    return min(k * eps, k * eps**2 / 2 + eps * sqrt(2 * k * log(1 / delta)))
""",
        "the drift of the coins": """
def price(k, eps, delta):
    return min(k * eps, k * eps * np.tanh(eps / 2) + eps * sqrt(2 * k * log(1 / delta)))
""",
        "exp instead of expm1": """
def price(k, eps, delta):
    drift = k * eps * (np.exp(eps) - 1)
    deviation = np.sqrt(2 * k * np.log(1 / delta)) * eps
    return np.minimum(drift + deviation, k * eps)
""",
    },
    "check_crossing": {
        "by the formula, rounded up": """
eps6, delta6 = numbers_of_task_6(student_id)
crossing = int(2 * log(1 / delta6) / (1.5 - exp(eps6)) ** 2) + 1
""",
        "with the theorem of the library, one too early": """
from dpteach.composition import advanced
eps6, delta6 = numbers_of_task_6(student_id)
crossing = next(k for k in range(1, 999) if advanced(Guarantee(eps6), delta6, k=k).epsilon <= k * eps6 / 2) - 1.0
""",
    },
    "check_repaired": {
        "downwards": """
really = 1e-4

def repaired(eps, total, delta=0.00001):
    k = published(eps, total)
    while optimal(Guarantee(eps), k=k).epsilon(delta) > total:
        k -= 1
    return k
""",
        "advanced composition, and a fraction": """
really = Fraction(1, 10_000)

def repaired(eps, total):
    k = 1
    while k * eps * (exp(eps) - 1) + eps * sqrt(2 * k * log(1 / Fraction(1, 100_000))) <= total:
        k += 1
    return k - 1
""",
        "another theorem, solved for k": """
really = 0.0001

def repaired(eps, total):
    root = sqrt(log(1e5))
    rho = (sqrt(root**2 + total) - root) ** 2
    return np.floor(2 * rho / eps**2)
""",
    },
    "check_harmless": {
        "floats, not quite certain": """
with_ada = [[0.48, 0.02], [0.02, 0.48]]
without = [[0.02, 0.48], [0.48, 0.02]]
""",
        "an unfair coin, as arrays": """
with_ada = np.array([[0.3, 0.0], [0.0, 0.7]])
without = np.array([[0.0, 0.3], [0.3, 0.4]])
""",
    },
    "check_dropped": {
        "a large eps": "my_k, my_eps, my_delta = 100, 5, 1e-3",
        "many answers": "my_k, my_eps, my_delta = np.int64(10_000), 0.5, 1e-6",
    },
    "check_plan": {
        "trying scales": """
days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)

def total(b):
    return optimal(days * [Guarantee(1 / b)] + weeks * [Guarantee(1 / (b / 2))]).epsilon(total_delta)

my_scale = (days + 2 * weeks) / total_eps
while total(0.98 * my_scale) <= total_eps:
    my_scale *= 0.98
""",
        "by bisection, counted": """
from collections import Counter
days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)
low, my_scale = 0.01, (days + 2 * weeks) / total_eps
for _ in range(30):
    middle = (low + my_scale) / 2
    if optimal(Counter({Guarantee(1 / middle): days, Guarantee(2 / middle): weeks})).epsilon(total_delta) <= total_eps:
        my_scale = middle
    else:
        low = middle
""",
        "as many daily counts as have the same squares": """
from dpteach import planning
days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)
my_scale = planning.noise_scale(days + 4 * weeks, total_eps, total_delta)
""",
    },
}

WRONG = {
    "check_loss": {
        "the other way round": "def loss(y, with_ada, without, scale):\n    return (abs(y - with_ada) - abs(y - without)) / scale",
        "times the scale": "def loss(y, with_ada, without, scale):\n    return (abs(y - without) - abs(y - with_ada)) * scale",
        "the ratio": "def loss(y, with_ada, without, scale):\n    return exp((abs(y - without) - abs(y - with_ada)) / scale)",
        "no scale": "def loss(y, with_ada, without, scale):\n    return abs(y - without) - abs(y - with_ada)",
        "counts one apart": "def loss(y, with_ada, without, scale):\n    return min(1, max(-1, abs(y - without) - abs(y - with_ada))) / scale",
        "no absolute values": "def loss(y, with_ada, without, scale):\n    return ((y - without) - (y - with_ada)) / scale",
    },
    "check_some_failure": {
        "the sum": "def some_failure(deltas):\n    return sum(deltas)",
        "the sum, at most one": "def some_failure(deltas):\n    return min(1, sum(deltas))",
        "all fail": "def some_failure(deltas):\n    return prod(deltas)",
        "the first delta only": "def some_failure(deltas):\n    return 1 - (1 - deltas[0]) ** len(deltas)",
    },
    "check_output_ratio": {
        "added": "def output_ratio(ratios, output):\n    return sum(r if bit == 0 else 1 / r for r, bit in zip(ratios, output))",
        "upside down": "def output_ratio(ratios, output):\n    return prod(Fraction(1, r) if bit == 0 else r for r, bit in zip(ratios, output))",
        "lies forgotten": "def output_ratio(ratios, output):\n    return prod(r for r, bit in zip(ratios, output) if bit == 0)",
        "the output ignored": "def output_ratio(ratios, output):\n    return prod(ratios)",
    },
    "check_mean_loss": {
        "small eps": "def mean_loss(k, eps):\n    return k * eps**2 / 2",
        "the drift of the theorem": "def mean_loss(k, eps):\n    return k * eps * expm1(eps)",
        "lies lose nothing": "def mean_loss(k, eps):\n    return k * eps * exp(eps) / (1 + exp(eps))",
        "one coin only": "def mean_loss(k, eps):\n    return eps * np.tanh(eps / 2)",
        "the root of k": "def mean_loss(k, eps):\n    return sqrt(k) * eps * np.tanh(eps / 2)",
    },
    "check_price": {
        "no drift": "def price(k, eps, delta):\n    return min(k * eps, eps * sqrt(2 * k * log(1 / delta)))",
        "logarithm to base ten": "def price(k, eps, delta):\n    return min(k * eps, k * eps * expm1(eps) + eps * sqrt(2 * k * np.log10(1 / delta)))",
        "no comparison": "def price(k, eps, delta):\n    return k * eps * expm1(eps) + eps * sqrt(2 * k * log(1 / delta))",
        "k outside the root": "def price(k, eps, delta):\n    return min(k * eps, k * eps * expm1(eps) + k * eps * sqrt(2 * log(1 / delta)))",
        "always basic": "def price(k, eps, delta):\n    return k * eps",
        "half of the root": "def price(k, eps, delta):\n    return min(k * eps, k * eps * expm1(eps) + eps * sqrt(k * log(1 / delta) / 2))",
        "the mean loss as the price": "def price(k, eps, delta):\n    return k * eps * np.tanh(eps / 2)",
    },
    "check_crossing": {
        "the end of the figure": "crossing = 300",
        "where basic composition is beaten": "crossing = 29",
        "the price instead of the number": "crossing = 7.4",
        "a rough guess": "crossing = 155",
        "three answers off": "crossing = 151",
        "not a number": "crossing = 'about thirty'",
    },
    "check_repaired": {
        "nothing changed": "really = 1e-4\n\ndef repaired(eps, total):\n    return published(eps, total)",
        "the wrong way": "really = 1e-6\n\ndef repaired(eps, total):\n    k = 0\n    while optimal(Guarantee(eps), k=k + 1).epsilon(1e-6) <= total:\n        k += 1\n    return k",
        "1e5": "really = 1e-4\n\ndef repaired(eps, total):\n    k = 0\n    while optimal(Guarantee(eps), k=k + 1).epsilon(1e5) <= total:\n        k += 1\n    return k",
        "another bug repaired": "really = 1e-5\n\ndef repaired(eps, total):\n    return published(eps, total) - 1",
        "basic composition": "really = 1e-4\n\ndef repaired(eps, total):\n    return round(total / eps)",
        "one answer too many": "really = 1e-4\n\ndef repaired(eps, total):\n    k = 1\n    while optimal(Guarantee(eps), k=k).epsilon(1e-5) <= total:\n        k += 1\n    return k",
    },
    "check_harmless": {
        "the first answer tells": "with_ada = [[1, 0], [0, 0]]\nwithout = [[0, 0], [0, 1]]",
        "independent answers": "with_ada = [[0.25, 0.25], [0.25, 0.25]]\nwithout = with_ada",
        "a little only": "with_ada = [[0.3, 0.2], [0.2, 0.3]]\nwithout = [[0.2, 0.3], [0.3, 0.2]]",
        "not a law": "with_ada = [[1, 0], [0, 1]]\nwithout = [[0, 1], [1, 0]]",
    },
    "check_dropped": {
        "few answers": "my_k, my_eps, my_delta = 10, 0.1, 1e-6",
        "not allowed": "my_k, my_eps, my_delta = 10, 50, 1e-6",
        "delta of one": "my_k, my_eps, my_delta = 1000, 1, 1",
        "half an answer": "my_k, my_eps, my_delta = 1000.5, 1, 1e-6",
    },
    "check_plan": {
        "basic composition": "days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = (days + 2 * weeks) / total_eps",
        "each answer gets everything": "days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = 1 / total_eps",
        "without the drift": "days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = sqrt(2 * (days + 4 * weeks) * log(1 / total_delta)) / total_eps / 1.5",
        "no noise": "my_scale = 0",
        "the recipe": "days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = sqrt((days + 4 * weeks) / (2 * total_eps**2 / (4 * log(1 / total_delta) + 4 * total_eps)))",
        "weekly counts with twice the noise": "days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = 100.0\nwhile optimal([Guarantee(1 / my_scale)] * days + [Guarantee(0.5 / my_scale)] * weeks).epsilon(total_delta) <= total_eps:\n    my_scale *= 0.99\nmy_scale /= 0.99",
        "all counts like the weekly ones": "days, weeks, total_eps, total_delta = numbers_of_task_10(student_id)\nmy_scale = (days + 2 * weeks) / total_eps\nwhile optimal(Guarantee(2 / my_scale), k=days + weeks).epsilon(total_delta) <= total_eps:\n    my_scale *= 0.99\nmy_scale /= 0.99",
    },
}
