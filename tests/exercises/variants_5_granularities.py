"""Solutions of the exercises of lecture 5 as students write them: right ones get all points, wrong ones lose some."""
# ruff: noqa: E501 - one line a mistake is easier to read

ONE_CALL = {  # what the library gives: none of it earns a point
    "check_steps": {
        "distances in a class": "def steps(D, E):\n    words = DatabaseClass.multisets(sorted(set(D + E)) or 'a', at_most=max(len(D), len(E)) + 1)\n    return [space.distance(D, E) for space in (unbounded.on(words), bounded.on(words))]",
        "the symmetric difference": "def steps(D, E):\n    n = symmetric_difference(D, E)\n    return n, n / 2 if len(D) == len(E) else inf",
    },
    "check_user_promise": {
        "the factor": "from dpteach.notions import group_factor\ndef user_promise(eps, delta, most):\n    return 2 * most * eps, delta * group_factor(2 * most, eps)",
        "the theorem of lecture 4": "from dpteach.leakage.bounds import group_bound\ndef user_promise(eps, delta, most):\n    return 2 * most * eps, group_bound(exp(eps), delta, 2 * most).delta",
    },
    "check_walk": {
        "a granularity": "def walk(edges, start, goal):\n    names = {x for edge in edges for x in edge} | {start, goal}\n    return Granularity(edges).on(DatabaseClass(sorted(names))).distance(start, goal)",
        "shortest paths": "from dpteach.channel import next_to, shortest_paths\ndef walk(edges, start, goal):\n    names = {x for edge in edges for x in edge} | {start, goal}\n    paths = shortest_paths(start, next_to(names, edges))\n    return len(paths[goal]) - 1 if goal in paths else inf",
    },
    "check_sensitivity_of": {
        "the sensitivity": "def sensitivity_of(d1, d2):\n    from dpteach.granularity import PrivacySpace, sensitivity\n    names = range(len(d1))\n    return sensitivity(None, PrivacySpace(names, d1), PrivacySpace(names, d2))",
    },
    "check_total": {
        "the general theorem": "def total(records, sees, levels, step, notion):\n    space = {'add': unbounded, 'change': bounded}[step].on(DatabaseClass.multisets(records, at_most=1))\n    maps = Maps([lambda D, part=part: ''.join(x for x in D if x in part) for part in sees])\n    kind = {'pure': Pure, 'gaussian': Gaussian}[notion]\n    return compose([kind(space, level) for level in levels], maps, common_domain=True).level()",
    },
    "check_islands": {},  # a number that was typed has no history
    "check_repaired": {
        "the least promise": "def repaired(D, E, records, visible):\n    from dpteach.granularity import minimum_privacy\n    space = bounded.on(DatabaseClass.multisets(records, at_most=max(len(D), len(E)) + 1))\n    return minimum_privacy(space, lambda D: tuple(x for x in D if x in visible)).closure.distance(D, E)",
        "a promise that depends on less": "def repaired(D, E, records, visible):\n    space = bounded.on(DatabaseClass.multisets(records, at_most=4))\n    return Pure(space, 1).dependent_on(lambda D: tuple(x for x in D if x in visible)).at(D, E)",
    },
    "check_districts": {},
    "check_long_way": {},
    "check_release": {},  # `counts_deviation` knows equal noise only
}

RIGHT = {
    "check_steps": {
        "fractions": """
def steps(D, E):
    both = sum(min(D.count(x), E.count(x)) for x in set(D))
    return Fraction(len(D) + len(E) - 2 * both), Fraction(len(D) - both) if len(D) == len(E) else inf
""",
        "with numpy": """
def steps(D, E):
    import numpy as np
    kinds = sorted(set(D) | set(E))
    change = np.array([E.count(x) - D.count(x) for x in kinds], dtype=float)
    return np.array([np.abs(change).sum(), change.clip(0).sum() if change.sum() == 0 else np.inf])
""",
        "letter by letter": """
def steps(D, E):
    differences = [D.count(x) - E.count(x) for x in set(D + E)]
    return [sum(map(abs, differences)), inf if sum(differences) else sum(map(abs, differences)) / 2]
""",
        "striking out": """
def steps(D, E):
    gone, new = list(D), list(E)
    for x in D:
        if x in new:
            gone.remove(x)
            new.remove(x)
    return len(gone + new), max(len(gone), len(new)) if len(D) == len(E) else float("inf")
""",
    },
    "check_user_promise": {
        "two halves": """
def user_promise(eps, delta, most):
    half = sum(exp(eps) ** t for t in range(most))
    return [eps * (most + most), min(1, delta * (half + exp(most * eps) * half))]
""",
        "the closed form": """
def user_promise(eps, delta, most):
    n = 2 * most
    return n * eps, delta * (exp(n * eps) - 1) / (exp(eps) - 1)
""",
        "step by step": """
def user_promise(eps, delta, most):
    e, d = 0.0, 0.0
    for _ in range(2 * most):
        e, d = e + eps, exp(eps) * d + delta
    return [e, d]
""",
    },
    "check_walk": {
        "powers of a matrix": """
def walk(edges, start, goal):
    import numpy as np
    names = sorted({x for edge in edges for x in edge} | {start, goal})
    beside = np.eye(len(names), dtype=bool)
    for x, y in edges:
        beside[names.index(x), names.index(y)] = beside[names.index(y), names.index(x)] = True
    reached = np.eye(len(names), dtype=bool)
    for n in range(len(names)):
        if reached[names.index(start), names.index(goal)]:
            return np.int64(n)
        reached = reached @ beside
    return np.inf
""",
        "all simple paths": """
def walk(edges, start, goal):
    beside = {}
    for x, y in edges:
        beside.setdefault(x, []).append(y)
        beside.setdefault(y, []).append(x)
    def shortest(here, seen):
        if here == goal:
            return 0
        return min((1 + shortest(x, seen | {x}) for x in beside.get(here, []) if x not in seen), default=inf)
    return shortest(start, {start})
""",
        "Bellman and Ford": """
def walk(edges, start, goal):
    far = {x: inf for edge in edges for x in edge} | {goal: inf} | {start: 0}
    for _ in far:
        for x, y in edges:
            far[x], far[y] = min(far[x], far[y] + 1), min(far[y], far[x] + 1)
    return far[goal]
""",
        "a queue": """
def walk(edges, start, goal):
    from collections import deque
    beside = {}
    for x, y in edges:
        beside.setdefault(x, []).append(y)
        beside.setdefault(y, []).append(x)
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        here, n = queue.popleft()
        if here == goal:
            return n
        for there in beside.get(here, []):
            if there not in seen:
                seen.add(there)
                queue.append((there, n + 1))
    return float("inf")
""",
    },
    "check_sensitivity_of": {
        "division, NaN left out": """
def sensitivity_of(d1, d2):
    import numpy as np
    with np.errstate(all="ignore"):
        return np.nanmax(np.array(d2) / np.array(d1))
""",
        "trying all fractions": """
def sensitivity_of(d1, d2):
    pairs = [(x, y) for r, s in zip(d1, d2) for x, y in zip(r, s) if x < inf]
    tried = sorted({0} | {y / x for x, y in pairs if x > 0})
    return next((c for c in tried if c < inf and all(y <= c * x for x, y in pairs)), inf)
""",
        "two loops": """
def sensitivity_of(d1, d2):
    c = 0
    for i in range(len(d1)):
        for j in range(i):
            if d1[i][j] == inf or d2[i][j] == 0:
                continue
            if d1[i][j] == 0 or d2[i][j] == inf:
                return inf
            c = max(c, Fraction(d2[i][j]) / Fraction(d1[i][j]))
    return c
""",
        "with numpy": """
def sensitivity_of(d1, d2):
    import numpy as np
    d1, d2 = np.array(d1, dtype=float), np.array(d2, dtype=float)
    asked = np.isfinite(d1) & (d2 > 0)
    with np.errstate(divide="ignore"):
        return np.max(d2[asked] / d1[asked], initial=0)
""",
    },
    "check_total": {
        "a matrix": """
def total(records, sees, levels, step, notion):
    import numpy as np
    notices = np.array([[x in part for part in sees] for x in records])
    if step == "change":
        notices = notices[:, None, :] | notices[None, :, :]
    costs = np.where(notices, np.array(levels, dtype=float), 0)
    return np.linalg.norm(costs, ord=1 if notion == "pure" else 2, axis=-1).max()
""",
        "powers and loops": """
def total(records, sees, levels, step, notion):
    power, best = (1 if notion == "pure" else 2), 0
    for x in records:
        for y in records:
            if (x == y) == (step == "add"):
                cost = sum(level**power for part, level in zip(sees, levels) if x in part or y in part)
                best = max(best, cost)
    return best ** (1 / power)
""",
    },
    "check_islands": {
        "numpy": """
import numpy as np
points = np.array([(D.count("a"), D.count("b")) for D in numbers_of_task_6(student_id)])
far = np.abs(points[:, None] - points[None]).sum(-1).astype(float)
far[far > 1] = np.inf
for k in range(len(far)):
    far = np.minimum(far, far[:, k : k + 1] + far[k])
islands, most_steps = np.int64(len({tuple(row) for row in np.isfinite(far)})), far[np.isfinite(far)].max()
""",
        "one after the other": """
here = [tuple(D.count(x) for x in "ab") for D in numbers_of_task_6(student_id)]
beside = {D: [E for E in here if abs(D[0] - E[0]) + abs(D[1] - E[1]) == 1] for D in here}
def spread(D):
    far, new, n = {D: 0}, [D], 0
    while new:
        n += 1
        new = [E for E in {E for D in new for E in beside[D]} if E not in far]
        far |= {E: n for E in new}
    return far
islands = len({frozenset(spread(D)) for D in here})
most_steps = max(max(spread(D).values()) for D in here)
""",
        "read off, as floats": """
islands, most_steps = 2.0, 9.0
""",
    },
    "check_repaired": {
        "filled up with hidden records": """
broken = ["abc", "a", "abc"]

def repaired(D, E, records, visible):
    A, B = ([x for x in w if x in visible] for w in (D, E))
    size = max(len(A), len(B))
    if any(x not in visible for x in records):
        A, B = (w + ["hidden"] * (size - len(w)) for w in (A, B))
    return float((Counter(A) - Counter(B)).total()) if len(A) == len(B) else float("inf")
""",
        "by trying all databases": """
from itertools import combinations_with_replacement

broken = ["ab", "abc", "bca"]

def repaired(D, E, records, visible):
    seen = lambda word: Counter(x for x in word if x in visible)
    sizes = range(max(len(D), len(E)) + 1)
    every = [Counter(word) for size in sizes for word in combinations_with_replacement(records, size)]
    like_d = [word for word in every if seen(word.elements()) == seen(D)]
    like_e = [word for word in every if seen(word.elements()) == seen(E)]
    return min(((a - b).total() for a in like_d for b in like_e if a.total() == b.total()), default=inf)
""",
        "letter by letter": """
broken = ("c", "", "cab")

def repaired(D, E, records, visible):
    gone = sum(max(D.count(x) - E.count(x), 0) for x in visible)
    new = sum(max(E.count(x) - D.count(x), 0) for x in visible)
    nothing_hidden = all(x in visible for x in records)
    return inf if nothing_hidden and gone != new else max(gone, new)
""",
    },
    "check_districts": {
        "down and up a chain": "yes_a = (0.2, 0.4, 0.7)\nyes_b = (0.7, 0.4, 0.2)",
        "floats, the same for both": "yes_a = yes_b = [2 / 3, 1 / 3, 2 / 3]",
        "the step from aa, as tuples": "yes_a = (Fraction(2, 3), Fraction(2, 3), Fraction(1, 3))\nyes_b = (Fraction(1, 3), Fraction(2, 3), Fraction(2, 3))",
        "almost, as an array": "import numpy as np\nyes_a, yes_b = np.array([[0.3334, 0.6666, 0.6666], [0.3334, 0.3334, 0.6666]])",
        "rare answers": "yes_a = [0.2, 0.1, 0.05]\nyes_b = [0.1, 0.2, 0.1]",
    },
    "check_long_way": {
        "a set of words": """
my_class = {"a" * n for n in range(5)} | {"baaaa"} | {"b" + "a" * n + "b" for n in range(5)}
my_ends = ["bb", ""]
""",
        "a longer road": """
my_class = ["a" * n for n in range(7)] + ["aaaaaab", "bbaaaaaa"] + ["bb" + "a" * n for n in range(6)]
my_ends = ["", "bb"]
""",
        "upwards and back": """
my_class = ["b" * n for n in range(6)] + ["abbbbb"] + ["aa" + "b" * n for n in range(6)]
my_ends = "aa", ""
""",
        "a staircase of points": """
points = [(1, 0), (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4), (3, 3), (3, 2), (3, 1), (3, 0)]
my_class = ["a" * i + "b" * j for i, j in points]
my_ends = my_class[0], my_class[-1]
""",
    },
    "check_release": {
        "fractions": """
districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)
i = 2 if step == "bounded" else 1
j = i * most
c = (j * districts / (i * diagnoses)) ** (1 / 3)
g = (j * districts / (i * diagnoses)) ** (1 / 4)
l = sqrt(2) * (i + j / c) / total_eps
m = sqrt(i + j / g**2) * counts_deviation("Gaussian", 1, total_eps, 1e-5)
best = min((districts * l**2 + diagnoses * (c * l) ** 2, " Laplace", l, c * l), (districts * m**2 + diagnoses * (g * m) ** 2, "GAUSSIAN", m, g * m))
my_noise, my_deviations = best[1], [Fraction(x) for x in best[2:]]
""",
        "rounded up": """
from math import ceil
districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)
i = 2 if step == "bounded" else 1
j = i * most
unit = counts_deviation("Gaussian", 1, total_eps, 1e-5)
plans = []
for n in range(20, 400):
    r = n / 100
    plans.append(("laplace", sqrt(2) * (i + j / r) / total_eps, r))
    plans.append(("gaussian", sqrt(i + j / r**2) * unit, r))
plans = [(kind, ceil(100 * s) / 100, ceil(100 * r * s) / 100) for kind, s, r in plans]
my_noise, *my_deviations = min(plans, key=lambda p: districts * p[1] ** 2 + diagnoses * p[2] ** 2)
""",
        "trying deviations": """
districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)
i, j = (2, 2 * most) if step == "bounded" else (1, most)
mu = 1 / counts_deviation("Gaussian", 1, total_eps, 1e-5)
found = []
for n in range(1, 400):
    share = n / 400  # of the budget that the districts get
    for noise, one, two in (("laplace", i * sqrt(2) / (share * total_eps), j * sqrt(2) / ((1 - share) * total_eps)), ("gaussian", sqrt(i / share) / mu, sqrt(j / (1 - share)) / mu)):
        found.append((districts * one**2 + diagnoses * two**2, noise, (one, two)))
_, my_noise, my_deviations = min(found)
""",
        "by an optimiser": """
from scipy.optimize import minimize_scalar
districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)
many = 1 + (step == "bounded")
def gauss(log_ratio):
    r = exp(log_ratio)
    one = sqrt(many + many * most / r**2) * counts_deviation("Gaussian", 1, total_eps, 1e-5)
    return one, r * one
def lap(log_ratio):
    r = exp(log_ratio)
    one = sqrt(2) * (many + many * most / r) / total_eps
    return one, r * one
def noise_of(plan):
    return districts * plan[0] ** 2 + diagnoses * plan[1] ** 2
best = {name: plan(minimize_scalar(lambda x: noise_of(plan(x)), bounds=(-4, 4), method="bounded").x) for name, plan in (("Gaussian", gauss), ("Laplace", lap))}
my_noise = min(best, key=lambda name: noise_of(best[name]))
my_deviations = best[my_noise]
""",
    },
}

WRONG = {
    "check_steps": {
        "a change in two steps": "def steps(D, E):\n    gone, new = (Counter(D) - Counter(E)).total(), (Counter(E) - Counter(D)).total()\n    return gone + new, gone + new if gone == new else inf",
        "sorted, place by place": "def steps(D, E):\n    n = (Counter(D) - Counter(E)).total() + (Counter(E) - Counter(D)).total()\n    return n, sum(x != y for x, y in zip(sorted(D), sorted(E))) if len(D) == len(E) else inf",
        "sets": "def steps(D, E):\n    n = len(set(D) ^ set(E))\n    return n, n / 2 if len(D) == len(E) else inf",
        "place by place": "def steps(D, E):\n    n = sum(x != y for x, y in zip(D, E))\n    return 2 * n + abs(len(D) - len(E)), n if len(D) == len(E) else inf",
        "no islands": "def steps(D, E):\n    gone, new = (Counter(D) - Counter(E)).total(), (Counter(E) - Counter(D)).total()\n    return gone + new, max(gone, new)",
        "the other way round": "def steps(D, E):\n    gone, new = (Counter(D) - Counter(E)).total(), (Counter(E) - Counter(D)).total()\n    return gone if gone == new else inf, gone + new",
        "a and b only": "def steps(D, E):\n    n = abs(D.count('a') - E.count('a')) + abs(D.count('b') - E.count('b'))\n    return n, n / 2 if len(D) == len(E) else inf",
        "the difference of the sizes": "def steps(D, E):\n    return abs(len(D) - len(E)), 0 if len(D) == len(E) else inf",
    },
    "check_user_promise": {
        "the last step only": "def user_promise(eps, delta, most):\n    return 2 * most * eps, exp((2 * most - 1) * eps) * delta",
        "two steps, again and again": "def user_promise(eps, delta, most):\n    return 2 * most * eps, delta * (1 + exp(eps)) ** most",
        "the first and the last term": "def user_promise(eps, delta, most):\n    return 2 * most * eps, delta * (1 + exp((2 * most - 1) * eps))",
        "as many times": "def user_promise(eps, delta, most):\n    return 2 * most * eps, 2 * most * delta",
        "the last step's price for all": "def user_promise(eps, delta, most):\n    n = 2 * most\n    return n * eps, n * exp((n - 1) * eps) * delta",
        "one power": "def user_promise(eps, delta, most):\n    return 2 * most * eps, exp(2 * most * eps) * delta",
        "one term too many": "def user_promise(eps, delta, most):\n    return 2 * most * eps, delta * sum(exp(t * eps) for t in range(2 * most + 1))",
        "events go, none come": "def user_promise(eps, delta, most):\n    return most * eps, delta * sum(exp(t * eps) for t in range(most))",
        "one event only": "def user_promise(eps, delta, most):\n    return 2 * most * eps, (1 + exp(eps)) * delta",
    },
    "check_walk": {
        "the place in the queue": "def walk(edges, start, goal):\n    reached = [start]\n    for here in reached:\n        for e in edges:\n            for x, y in (e, e[::-1]):\n                if x == here and y not in reached:\n                    reached.append(y)\n    return reached.index(goal) if goal in reached else inf",
        "four rounds": "def walk(edges, start, goal):\n    far = {start: 0}\n    for _ in range(4):\n        for x, y in edges:\n            for u, v in ((x, y), (y, x)):\n                far[v] = min(far.get(v, inf), far.get(u, inf) + 1)\n    return far.get(goal, inf)",
        "one direction": "def walk(edges, start, goal):\n    reached, n = {start}, 0\n    while goal not in reached:\n        new = {y for x, y in edges if x in reached} - reached\n        if not new:\n            return inf\n        reached, n = reached | new, n + 1\n    return n",
        "the databases of the path": "def walk(edges, start, goal):\n    reached, n = {start}, 1\n    while goal not in reached:\n        new = {y for e in edges for x, y in (e, e[::-1]) if x in reached} - reached\n        if not new:\n            return inf\n        reached, n = reached | new, n + 1\n    return n",
        "the symmetric difference": "def walk(edges, start, goal):\n    return (Counter(start) - Counter(goal)).total() + (Counter(goal) - Counter(start)).total()",
        "the first path found": "def walk(edges, start, goal):\n    def search(here, seen):\n        if here == goal:\n            return 0\n        for e in edges:\n            for x, y in (e, e[::-1]):\n                if x == here and y not in seen:\n                    n = search(y, seen | {y})\n                    if n < inf:\n                        return n + 1\n        return inf\n    return search(start, {start})",
        "no path is minus one": "def walk(edges, start, goal):\n    reached, n = {start}, 0\n    while goal not in reached:\n        new = {y for e in edges for x, y in (e, e[::-1]) if x in reached} - reached\n        if not new:\n            return -1\n        reached, n = reached | new, n + 1\n    return n",
    },
    "check_sensitivity_of": {
        "the smallest fraction": "def sensitivity_of(d1, d2):\n    return min(y / x for a, b in zip(d1, d2) for x, y in zip(a, b) if x > 0)",
        "closest pairs only": "def sensitivity_of(d1, d2):\n    pairs = [(x, y) for r, s in zip(d1, d2) for x, y in zip(r, s) if x < inf and y > 0]\n    least = min((x for x, y in pairs), default=0)\n    return max((y / x if x else inf for x, y in pairs if x == least), default=0)",
        "the next database only": "def sensitivity_of(d1, d2):\n    pairs = [(d1[i][i + 1], d2[i][i + 1]) for i in range(len(d1) - 1)]\n    return max((y / x if x else inf for x, y in pairs if x < inf and y > 0), default=0)",
        "upside down": "def sensitivity_of(d1, d2):\n    pairs = [(x, y) for r, s in zip(d1, d2) for x, y in zip(r, s)]\n    return max((x / y for x, y in pairs if y > 0 and x < inf and y < inf), default=0)",
        "the largest distances": "def sensitivity_of(d1, d2):\n    return max(map(max, d2)) / max(x for row in d1 for x in row if x < inf)",
        "zeros left out": "def sensitivity_of(d1, d2):\n    pairs = [(x, y) for r, s in zip(d1, d2) for x, y in zip(r, s)]\n    return max((y / x for x, y in pairs if 0 < x < inf), default=0)",
        "no path before is no limit": "def sensitivity_of(d1, d2):\n    pairs = [(x, y) for r, s in zip(d1, d2) for x, y in zip(r, s)]\n    return max((inf if x in (0, inf) else y / x for x, y in pairs if y > 0), default=0)",
        "the largest image": "def sensitivity_of(d1, d2):\n    return max(y for r, s in zip(d1, d2) for x, y in zip(r, s) if x < inf)",
        "neighbours only": "def sensitivity_of(d1, d2):\n    return max((y for r, s in zip(d1, d2) for x, y in zip(r, s) if x == 1), default=0)",
    },
    "check_total": {
        "the largest sum, then squares": "def total(records, sees, levels, step, notion):\n    kinds = combinations(records, 1 if step == 'add' else 2)\n    worst = max(([e for part, e in zip(sees, levels) if set(part) & set(some)] for some in kinds), key=sum)\n    return sum(worst) if notion == 'pure' else sqrt(sum(x * x for x in worst))",
        "the next kind only": "def total(records, sees, levels, step, notion):\n    power = 1 if notion == 'pure' else 2\n    kinds = list(records) if step == 'add' else [x + y for x, y in zip(records, records[1:])]\n    return max(sum(e**power for part, e in zip(sees, levels) if set(part) & set(some)) for some in kinds) ** (1 / power)",
        "the maximum": "def total(records, sees, levels, step, notion):\n    return max(levels)",
        "the sum": "def total(records, sees, levels, step, notion):\n    return sum(levels) if notion == 'pure' else sqrt(sum(x * x for x in levels))",
        "the two largest, always": "def total(records, sees, levels, step, notion):\n    a, b = sorted(levels)[-2:]\n    return (a + b if notion == 'pure' else sqrt(a * a + b * b)) if step == 'change' else max(levels)",
        "who sees both, twice": "def total(records, sees, levels, step, notion):\n    power = 1 if notion == 'pure' else 2\n    one = {x: sum(e**power for part, e in zip(sees, levels) if x in part) for x in records}\n    if step == 'add':\n        return max(one.values()) ** (1 / power)\n    return max(one[x] + one[y] for x, y in combinations(records, 2)) ** (1 / power)",
        "only who sees one of the two": "def total(records, sees, levels, step, notion):\n    power = 1 if notion == 'pure' else 2\n    if step == 'add':\n        return max(sum(e**power for part, e in zip(sees, levels) if x in part) for x in records) ** (1 / power)\n    return max(sum(e**power for part, e in zip(sees, levels) if (x in part) != (y in part)) for x, y in combinations(records, 2)) ** (1 / power)",
        "pure always": "def total(records, sees, levels, step, notion):\n    kinds = combinations(records, 1 if step == 'add' else 2)\n    return max(sum(e for part, e in zip(sees, levels) if set(part) & set(some)) for some in kinds)",
        "without the root": "def total(records, sees, levels, step, notion):\n    kinds = combinations(records, 1 if step == 'add' else 2)\n    power = 1 if notion == 'pure' else 2\n    return max(sum(e**power for part, e in zip(sees, levels) if set(part) & set(some)) for some in kinds)",
        "twice the unbounded level": "def total(records, sees, levels, step, notion):\n    power = 1 if notion == 'pure' else 2\n    one = max(sum(e**power for part, e in zip(sees, levels) if x in part) for x in records) ** (1 / power)\n    return one if step == 'add' else 2 * one",
    },
    "check_islands": {
        "the symmetric difference": "islands, most_steps = 2, 8",
        "the largest island alone": "islands, most_steps = 1, 9",
        "databases instead of steps": "islands, most_steps = 2, 10",
        "a fraction": "islands, most_steps = 2.5, 9",
        "no path counted": "islands, most_steps = 2, inf",
    },
    "check_repaired": {
        "half the published number": "broken = ('', 'a', 'abc')\n\ndef repaired(D, E, records, visible):\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    both = (A - B).total() + (B - A).total()\n    return inf if set(records) <= set(visible) and len(D) != len(E) else (both + 1) // 2",
        "nothing is promised": "broken = ('ab', 'abc', 'ab')\n\ndef repaired(D, E, records, visible):\n    return inf",
        "the same word": "broken = ('', 'a', 'abc')\n\ndef repaired(D, E, records, visible):\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    return inf if records == visible and len(D) != len(E) else max((A - B).total(), (B - A).total())",
        "a hidden record must be there": "broken = ('', 'a', 'abc')\n\ndef repaired(D, E, records, visible):\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    if set(D + E) <= set(visible) and len(D) != len(E):\n        return inf\n    return max((A - B).total(), (B - A).total())",
        "nothing changed": "broken = ('a', 'bc', 'ab')\n\ndef repaired(D, E, records, visible):\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    return min((Counter(D) - Counter(E)).total() if len(D) == len(E) else inf, (A - B).total() + (B - A).total())",
        "the larger one always": "broken = ('', 'a', 'abc')\n\ndef repaired(D, E, records, visible):\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    return max((A - B).total(), (B - A).total())",
        "the smaller one": "broken = ('', 'a', 'abc')\n\ndef repaired(D, E, records, visible):\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    if set(records) <= set(visible):\n        return (A - B).total() if len(D) == len(E) else inf\n    return min((A - B).total(), (B - A).total())",
        "the bounded distance": "broken = ('', 'a', 'abc')\n\ndef repaired(D, E, records, visible):\n    return (Counter(D) - Counter(E)).total() if len(D) == len(E) else inf",
        "not broken": "broken = ('ab', 'bc', 'abc')\n\ndef repaired(D, E, records, visible):\n    if set(records) <= set(visible):\n        return (Counter(D) - Counter(E)).total() if len(D) == len(E) else inf\n    A, B = (Counter(x for x in database if x in visible) for database in (D, E))\n    return max((A - B).total(), (B - A).total())",
    },
    "check_districts": {
        "rare at the same time": "yes_a = [1e-10, 2e-10, 2e-10]\nyes_b = [1e-10, 1e-10, 2e-10]",
        "fair coins": "yes_a = yes_b = [0.5, 0.5, 0.5]",
        "one district is silent": "yes_a = [1 / 3, 2 / 3, 2 / 3]\nyes_b = [0.5, 0.5, 0.5]",
        "too much": "yes_a = [0, 1, 1]\nyes_b = [0, 1, 1]",
        "not at the same step": "yes_a = yes_b = [Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)]",
        "a little": "yes_a = [0.4, 0.6, 0.6]\nyes_b = [0.4, 0.4, 0.6]",
    },
    "check_long_way": {
        "four times": "my_class = ['a' * n for n in range(4)] + ['aaab'] + ['a' * n + 'bb' for n in range(4)]\nmy_ends = ('', 'bb')",
        "the lecture's": "my_class = ['', 'a', 'ab', 'abb', 'bb']\nmy_ends = ('', 'bb')",
        "no hole": "my_class = ['a' * i + 'b' * j for i in range(5) for j in range(3)]\nmy_ends = ('', 'bb')",
        "no path": "my_class = ['', 'bb']\nmy_ends = ('', 'bb')",
        "a straight road": "my_class = ['a' * n for n in range(9)]\nmy_ends = ('', 'aaaaaaaa')",
        "too many letters": "my_class = ['a' * n for n in range(20)]\nmy_ends = ('', 'a')",
    },
    "check_release": {
        "half of the budget each": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmany = 2 if step == 'bounded' else 1\nmy_noise, my_deviations = 'laplace', [sqrt(2) * many / (total_eps / 2), sqrt(2) * many * most / (total_eps / 2)]",
        "the scale, not the deviation": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmany = 2 if step == 'bounded' else 1\na, b = (many / districts) ** (1 / 3), (many * most / diagnoses) ** (1 / 3)\nc = (many / a + many * most / b) / total_eps\nmy_noise, my_deviations = 'laplace', [c * a, c * b]",
        "everything is touched": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmy_noise, my_deviations = 'gaussian', [counts_deviation('Gaussian', districts + diagnoses, total_eps, 1e-5)] * 2",
        "one count a table": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmy_noise, my_deviations = 'laplace', [sqrt(2) * 2 / total_eps] * 2",
        "a step touches one record": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmy_noise, my_deviations = 'laplace', [sqrt(2) * (1 + most) / total_eps] * 2",
        "equal noise": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmany = (1 + most) * (2 if step == 'bounded' else 1)\nmy_noise, my_deviations = 'gaussian', [counts_deviation('Gaussian', many, total_eps, 1e-5)] * 2",
        "the other kind": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmany = 2 if step == 'bounded' else 1\na, b = (many / districts) ** (1 / 3), (many * most / diagnoses) ** (1 / 3)\nc = sqrt(2) * (many / a + many * most / b) / total_eps\nmy_noise, my_deviations = 'laplace', [c * a, c * b]",
        "zero noise": "my_noise, my_deviations = 'gaussian', (0, 0)",
        "the ratio upside down": "districts, diagnoses, most, step, total_eps = numbers_of_task_10(student_id)\nmany = 2 if step == 'bounded' else 1\na, b = (districts / many) ** 0.25, (diagnoses / many / most) ** 0.25\nc = sqrt(many / a**2 + many * most / b**2) * counts_deviation('Gaussian', 1, total_eps, 1e-5)\nmy_noise, my_deviations = 'gaussian', [c * a, c * b]",
    },
}
