"""Granularities a second time, straight from their definitions: plain loops over all pairs, without dpteach."""

from collections import Counter, deque
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import inf


def multisets(records, at_most):
    """Return all multisets up to a size, as sorted tuples."""
    return [D for n in range(at_most + 1) for D in combinations_with_replacement(records, n)]


def difference(D, E):
    """Return |D △ E| with the max-union of multisets: the sizes of the union minus the intersection."""
    D, E = Counter(D), Counter(E)
    return (D | E).total() - (D & E).total()


def is_unbounded(D, E):
    return difference(D, E) == 1


def is_bounded(D, E):
    return len(D) == len(E) and difference(D, E) == 2


def steps(databases, related):
    """Return {(D, E): length of a shortest path} by breadth-first search from every database."""
    distance = {}
    for start in databases:
        here = {start: 0}
        waiting = deque([start])
        while waiting:
            D = waiting.popleft()
            for E in databases:
                if E not in here and related(D, E):
                    here[E] = here[D] + 1
                    waiting.append(E)
        distance.update({(start, E): here.get(E, inf) for E in databases})
    return distance


def minimum_privacy(databases, distance, f):
    """Return d^f from its definition: the minimum over all databases with the same values."""
    return {
        (D, E): min(distance[a, b] for a in databases for b in databases if f(a) == f(D) and f(b) == f(E))
        for D in databases
        for E in databases
    }


def closure(databases, distance):
    """Return shortest paths by Floyd and Warshall, three loops."""
    best = dict(distance)
    for m, D, E in product(databases, repeat=3):
        best[D, E] = min(best[D, E], best[D, m] + best[m, E])
    return best


def rewiring(nodes, D, E):
    """Return the least number of nodes whose rewiring turns one graph into the other, by trying all sets of nodes."""
    changed = set(D) ^ set(E)
    for size in range(len(nodes) + 1):
        for chosen in combinations(nodes, size):
            if all(u in chosen or v in chosen for u, v in changed):
                return size
    return inf


def matching_steps(D, E, cost):
    """Return the least total cost of turning the records of D into those of E one to one, by all permutations."""
    return min(sum(cost(x, y) for x, y in zip(D, order, strict=True)) for order in permutations(E))


def log_ratio_exponent(p, q, base=2):
    """Return log_base of the largest P/Q, which must be a whole power of the base, or inf."""
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return inf
    ratio = max([Fraction(a) / b for a, b in zip(p, q, strict=True) if b > 0], default=Fraction(1))
    exponent = 0
    while base**exponent < ratio:
        exponent += 1
    assert base**exponent == ratio
    return exponent
