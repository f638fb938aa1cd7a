"""Classes, granularities, metrics and partitions: literal numbers, and everything a second time by plain loops."""

import pickle
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import dist as euclid
from math import inf

import numpy as np
import pytest
import truth_granularity as truth
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach.granularity import (
    DatabaseClass,
    Granularity,
    Maps,
    Partition,
    PrivacySpace,
    attribute,
    bounded,
    closure,
    dist,
    edge,
    event_level,
    formulas,
    free_lunch,
    minimum_privacy,
    node,
    rows_changed,
    sensitivity,
    symmetric_difference,
    times,
    unbounded,
    user_level,
    user_presence,
    vertex_cover,
    w_event,
    window_cover,
)
from dpteach.granularity.databases import MOST_DATABASES
from dpteach.granularity.space import _steps

pytestmark = pytest.mark.filterwarnings("error")

AB = DatabaseClass.multisets("ab", at_most=3)
ABC = DatabaseClass.multisets("abc", at_most=3)
GRAPHS = DatabaseClass.graphs(4)
LOGS = DatabaseClass.user_logs(2, "xy", at_most=2)
TABLES = DatabaseClass.ordered("ab", at_most=3)
STREAMS = DatabaseClass.ordered([0, 1], exactly=6)
DETOUR = AB.only(["", "a", "ab", "abb", "bb"])
ATTRIBUTES = DatabaseClass.multisets([(x, y) for x in "ab" for y in "cd"], exactly=2)


# ---------------------------------------------------------------------------------------------------------- classes


def test_sizes_of_the_classes():
    assert [len(c) for c in (AB, ABC, GRAPHS, LOGS, TABLES, STREAMS)] == [10, 20, 64, 36, 15, 64]
    assert len(DatabaseClass.multisets("ab", exactly=3)) == 4
    assert len(DatabaseClass.multisets(range(10), at_most=4)) == 1001
    assert AB.databases == truth.multisets("ab", 3)
    assert len(DatabaseClass.multisets("", at_most=3)) == 1


def test_a_database_is_read_in_any_form():
    assert AB.database("baa") == AB.database(["a", "b", "a"]) == AB.database({"a": 2, "b": 1}) == ("a", "a", "b")
    assert "aab" in AB and "abc" not in AB and "aaaa" not in AB
    assert LOGS.database({1: "xx", 2: "y"}) == ((1, "x"), (1, "x"), (2, "y"))
    assert GRAPHS.database([(2, 1)]) == frozenset({(1, 2)})
    assert [AB.label(AB.database(x)) for x in ("", "ba")] == ["{}", "{a,b}"]
    assert GRAPHS.label(GRAPHS.database([(3, 1), (1, 2)])) == "{12,13}"
    assert LOGS.label(((1, "x"),)) == "{1:x}" and TABLES.label(("b", "a")) == "(b,a)"


def test_a_class_too_large_to_be_listed_is_refused_in_one_sentence():
    huge = DatabaseClass.multisets(range(100), at_most=10)
    assert len(huge) == 46897636623981
    assert [1, 2] in huge and [100] not in huge
    with pytest.raises(ValueError, match=f"at most {MOST_DATABASES} databases"):
        _ = huge.databases
    with pytest.raises(ValueError, match=f"at most {MOST_DATABASES} databases"):
        unbounded.on(huge).neighbours([])
    with pytest.raises(ValueError, match=f"at most {MOST_DATABASES} databases"):
        Granularity(lambda D, E: D != E).on(huge)


def test_pickles():
    space = pickle.loads(pickle.dumps(PrivacySpace([1, 2], lambda x, y: abs(x - y))))
    assert space.distance(1, 2) == 1


# ------------------------------------------------------------------------------------------------ neighbours, metrics


def test_edges_and_components_of_the_first_example():
    U, B = unbounded.on(AB), bounded.on(AB)
    assert (len(U.edges), len(B.edges)) == (12, 6)
    assert (U.diameter, U.is_connected) == (6, True)
    assert (B.diameter, B.is_connected, len(B.components)) == (inf, False, 4)
    fixed = DatabaseClass.multisets("ab", exactly=3)
    assert len(unbounded.on(fixed).edges) == 0
    assert (bounded.on(fixed).diameter, bounded.on(fixed).is_connected) == (3, True)
    assert B.are_neighbours("aab", "abb") and not B.are_neighbours("a", "ab")


@pytest.mark.parametrize("cls", [AB, ABC, DETOUR], ids=["ab", "abc", "detour"])
@pytest.mark.parametrize("name", ["unbounded", "bounded"])
def test_canonical_metrics_by_breadth_first_search(cls, name):
    space = {"unbounded": unbounded, "bounded": bounded}[name].on(cls)
    related = {"unbounded": truth.is_unbounded, "bounded": truth.is_bounded}[name]
    want = truth.steps(cls.databases, related)
    assert all(space.distance(D, E) == want[D, E] for D in cls for E in cls)
    assert all(set(space.neighbours(D)) == {E for E in cls if related(D, E)} for D in cls)


def test_the_metric_is_the_symmetric_difference_on_the_full_class_only():
    U = unbounded.on(ABC)
    assert U.diameter == 6
    assert all(U.distance(D, E) == truth.difference(D, E) for D in ABC for E in ABC)
    assert unbounded.on(DETOUR).distance("", "bb") == 4 and symmetric_difference("", "bb") == 2
    assert U.restricted(ABC.only(["", "bb"])).distance("", "bb") == 2


def test_shortest_paths():
    space = unbounded.on(DETOUR)
    path = space.shortest_path("", "bb")
    assert [DETOUR.label(D) for D in path] == ["{}", "{a}", "{a,b}", "{a,b,b}", "{b,b}"]
    assert bounded.on(AB).shortest_path("a", "ab") == []
    assert space.shortest_path("a", "a") == [("a",)]
    for D, E in combinations(ABC.databases[::3], 2):
        path = unbounded.on(ABC).shortest_path(D, E)
        assert len(path) == 1 + truth.difference(D, E)
        assert all(truth.is_unbounded(x, y) for x, y in pairwise(path))


def test_graphs():
    E, N = edge.on(GRAPHS), node.on(GRAPHS)
    assert (E.diameter, N.diameter) == (6, 3)
    some = GRAPHS.databases[::5]
    assert all(N.distance(D, F) == truth.rewiring((1, 2, 3, 4), D, F) for D in some for F in some)
    assert all(E.distance(D, F) == len(D ^ F) for D in some for F in some)
    assert vertex_cover([(1, 2), (3, 4), (1, 3)]) == 2


def test_streams_and_windows():
    two = w_event(2).on(STREAMS)
    assert two.distance((0,) * 6, (1, 0, 0, 1, 1, 0)) == window_cover([0, 3, 4], 2) == 2
    for D, E in combinations(STREAMS.databases[::7], 2):
        assert two.distance(D, E) == window_cover([n for n in range(6) if D[n] != E[n]], 2)
        assert event_level.on(STREAMS).distance(D, E) == rows_changed(D, E)


def test_attributes_by_all_matchings():
    space, B = attribute.on(ATTRIBUTES), bounded.on(ATTRIBUTES)
    for D, E in combinations(ATTRIBUTES, 2):
        assert space.distance(D, E) == truth.matching_steps(D, E, rows_changed)
        assert B.distance(D, E) == truth.matching_steps(D, E, lambda x, y: int(x != y))


NAMED = [
    (unbounded, AB),
    (unbounded, DatabaseClass.multisets("a", at_most=3)),
    (unbounded, DatabaseClass.multisets("ab", exactly=2)),
    (unbounded, DatabaseClass.multisets("ab", exactly=0)),
    (bounded, AB),
    (bounded, DatabaseClass.multisets("abc", exactly=3)),
    (bounded, DatabaseClass.multisets("a", exactly=3)),
    (bounded, DatabaseClass.multisets("a", at_most=2)),
    (free_lunch, AB),
    (free_lunch, GRAPHS),
    (unbounded, TABLES),
    (unbounded, DatabaseClass.ordered("ab", exactly=2)),
    (bounded, TABLES),
    (bounded, STREAMS),
    (edge, GRAPHS),
    (node, GRAPHS),
    (node, DatabaseClass.graphs(1)),
    (unbounded, GRAPHS),
    (event_level, LOGS),
    (unbounded, LOGS),
    (user_level, LOGS),
    (user_presence, LOGS),
    (user_presence, DatabaseClass.user_logs(3, "x", at_most=1)),
    (user_level, DatabaseClass.user_logs(3, "x", at_most=0)),
    (event_level, DatabaseClass.user_logs(2, "x", at_most=3)),
    (event_level, STREAMS),
    (w_event(2), STREAMS),
    (w_event(4), STREAMS),
]


@pytest.mark.parametrize("granularity, cls", NAMED, ids=lambda x: getattr(x, "name", None) or repr(x))
def test_closed_forms_agree_with_shortest_paths(granularity, cls):
    space, formula = granularity.on(cls), granularity.closed_form(cls)
    want = np.array([[formula.distance(cls, D, E) for E in cls] for D in cls], dtype=float)
    assert np.array_equal(space.matrix, want)
    assert formula.diameter(cls) == space.diameter


def test_closed_forms_take_over_in_large_classes():
    huge = DatabaseClass.multisets(range(100), at_most=50)
    U = unbounded.on(huge)
    assert (U.distance([1, 2, 2], [2, 3, 4]), U.diameter, U.is_connected) == (4, 100, True)
    assert bounded.on(huge).distance([1, 2], [3, 4]) == 2
    assert bounded.on(huge).diameter == inf
    big = DatabaseClass.graphs(12)
    assert node.on(big).distance([(1, 2), (1, 3), (4, 5)], []) == 2
    assert node.on(big).diameter == 11 and big.size == 2**66 and "73786976294838206464" in repr(node.on(big))
    assert unbounded.on(DatabaseClass.ordered("ab", at_most=40)).distance("abba", "baab") == 4
    assert formulas.longest_common_subsequence(tuple("abba"), tuple("baab")) == 2
    assert [1] not in DatabaseClass.user_logs(9, "xyz", at_most=3)
    with pytest.raises(ValueError, match="database must"):
        U.distance([1], [100])


def test_dense_graphs_take_another_way_to_the_same_metric():
    for space in (node.on(GRAPHS), user_level.on(LOGS), bounded.on(AB), Granularity([]).on([1, 2, 3])):
        want = truth.steps(range(len(space)), lambda i, j, space=space: space.adjacency[i, j])
        assert all(_steps(space.adjacency)[i, j] == d for (i, j), d in want.items())
        assert all(space.matrix[i, j] == d for (i, j), d in want.items())


def test_the_largest_class_of_the_lecture_is_fast():
    space = unbounded.on(DatabaseClass.multisets(range(10), at_most=4))
    assert space.diameter == 8


def test_own_relations():
    pairs = [("", "aa"), ("", "b")]
    space = Granularity(pairs).on(AB)
    assert space.distance("b", "aa") == 2 and len(space.edges) == 2
    same_size = Granularity(lambda D, E: len(D) == len(E), "size").on(AB)
    assert same_size.distance("a", "b") == 1 and same_size.distance("", "a") == inf
    with pytest.raises(ValueError, match="relation must be symmetric, but it relates"):
        Granularity(lambda D, E: len(D) < len(E)).on(AB)


# ----------------------------------------------------------------------------------------------- comparing, sensitivity


def test_distances_between_granularities():
    assert dist(unbounded, bounded, AB) == 2
    assert dist(bounded, unbounded, AB) == inf
    assert dist(unbounded, bounded, DatabaseClass.multisets("ab", exactly=2)) == inf
    assert (dist(free_lunch, unbounded, AB), dist(unbounded, free_lunch, AB)) == (1, 6)
    assert (dist(edge, node, GRAPHS), dist(node, edge, GRAPHS)) == (3, 1)
    assert (dist(event_level, user_level, LOGS), dist(user_level, event_level, LOGS)) == (4, 1)
    assert dist(event_level, user_presence, LOGS) == 2
    assert (dist(event_level, w_event(2), STREAMS), dist(event_level, user_level, STREAMS)) == (2, 6)
    assert (dist(attribute, bounded, ATTRIBUTES), dist(bounded, attribute, ATTRIBUTES)) == (2, 1)


def test_sensitivity_of_the_identity_is_dist_with_swapped_arguments():
    U, B = unbounded.on(AB), bounded.on(AB)
    assert sensitivity(None, B, U) == 2 == dist(unbounded, bounded, AB)
    assert sensitivity(None, U, B) == inf == dist(bounded, unbounded, AB)


def test_sensitivity_of_a_map():
    U = unbounded.on(AB)
    assert sensitivity(len, U, lambda x, y: abs(x - y)) == 1
    assert sensitivity(len, bounded.on(AB), lambda x, y: abs(x - y)) == 0
    far = PrivacySpace([0, 1, 2, 3], lambda x, y: 3 * abs(x - y))
    assert sensitivity(len, U, far) == 3
    line = PrivacySpace([0, 1, 4], lambda x, y: abs(x - y))
    assert sensitivity(lambda x: x * x, line, lambda x, y: abs(x - y)) == 5


def test_sensitivity_with_infinity():
    one, two, three = (PrivacySpace([0, 1], [[0, d], [d, 0]]) for d in (1, inf, 1))
    assert sensitivity(None, one, two) == inf and sensitivity(None, two, three) == 0
    assert sensitivity(None, one, three) == 1 <= float(times(inf, 0)) == inf
    zero = PrivacySpace([0, 1], [[0, 0], [0, 0]])
    assert sensitivity(None, zero, one) == inf


def test_bounded_diameter_is_not_enough_to_compare():
    for n in (1, 10, 100):
        points = [1 / n, 1 / (n + 1)]
        one, two = PrivacySpace(points, lambda x, y: int(x != y)), PrivacySpace(points, lambda x, y: abs(x - y))
        assert sensitivity(None, two, one) == pytest.approx(n * (n + 1))


def test_scaling_with_zero_times_infinity():
    B = 0 * bounded.on(AB)
    assert B.distance("a", "ab") == inf and B.distance("a", "b") == 0 and B.distance("a", "a") == 0
    assert (unbounded.on(AB) + unbounded.on(AB)).distance("a", "b") == 4


# ---------------------------------------------------------------------------------------------------- maps, partitions


def test_record_partitions():
    U, B = unbounded.on(ABC), bounded.on(ABC)
    for blocks in (["a", "b", "c"], ["a", "bc"], ["a", "b"]):
        p = Partition.by_record(blocks)
        assert p.compatible(U) and not p.compatible(B) and p.most_touched(B)[0] == 2
        assert p.commutes_with(symmetric_difference, on=ABC) and p.commutes_with(U)
        assert p.sensitivities(U) == [1] * len(blocks)
    assert Partition.by_record(["abc", ""]).compatible(B)
    assert Partition.by_record(["a", "b", "c"]).touched_matrix(ABC).max() == 3
    assert Partition.by_record(["a", "b"]).touched((), ("c",)) == []
    assert Partition.by_record({"a": "left", "c": "right"})(("a", "b", "c")) == (("a",), ("c",))


def test_the_parts_of_bounded_neighbours_may_be_infinitely_far_apart():
    p = Partition.by_record(["a", "b", "c"])
    parts = p.spaces(bounded.on(ABC))
    assert sum(s.distance(x, y) for s, x, y in zip(parts, p(("a",)), p(("b",)), strict=True)) == inf
    assert p.sensitivities(bounded.on(ABC)) == [inf] * 3


def test_sorted_halves_do_not_commute():
    halves = Partition([lambda D: D[: len(D) // 2], lambda D: D[len(D) // 2 :]])
    assert not halves.commutes_with(symmetric_difference, on=ABC)
    ratio = lambda D, E: sum(map(truth.difference, halves(D), halves(E)))  # noqa: E731
    worst = max((ratio(D, E), D, E) for D in ABC for E in ABC if truth.is_unbounded(D, E))
    assert worst[0] == 3 and ratio(("c", "c"), ("b", "c", "c")) == 3


def test_ordered_partitions():
    p, B, U = Partition.by_order([[1, 3], [2]]), bounded.on(TABLES), unbounded.on(TABLES)
    assert p(("a", "b", "c")) == (((1, "a"), (3, "c")), ((2, "b"),))
    assert p.compatible(B) and p.sensitivities(B) == [1, 1]
    assert not p.compatible(U) and p.most_touched(U)[0] == 2
    total = sum(s.matrix_at([f(D) for D in TABLES]) for f, s in zip(p, p.spaces(B), strict=True))
    assert np.all(total <= B.matrix)


def test_partitions_of_graphs_and_logs():
    E, N = edge.on(GRAPHS), node.on(GRAPHS)
    blocks = Partition.by_node([[1, 2], [3, 4]])
    assert blocks.compatible(E) and blocks.compatible(N)
    assert blocks.sensitivities(E) == blocks.sensitivities(N) == [1, 1]
    colours = Partition.by_record(lambda e: sum(e) % 2, parts=[0, 1])
    assert colours.compatible(E) and not colours.compatible(N) and colours.most_touched(N)[0] == 2
    ego = Maps([lambda D, v=v: frozenset(e for e in D if v in e) for v in (1, 2, 3, 4)])
    assert (ego.most_touched(E)[0], ego.most_touched(N)[0]) == (2, 4)
    by_value = Partition.by_record(lambda record: record[1], parts="xy")
    by_user = Partition.by_record(lambda record: record[0], parts=[1, 2])
    assert not by_value.compatible(user_level.on(LOGS)) and by_user.compatible(user_level.on(LOGS))


def test_hospitals_three_instead_of_five():
    records = [frozenset(labels) for n in range(4) for labels in combinations(range(5), n)]
    cls = DatabaseClass.multisets(records, at_most=2)
    U, f = unbounded.on(cls), Maps.by_label(range(5))
    assert (len(records), len(cls)) == (26, 378)
    assert f.most_touched(U)[0] == 3
    total = sum(s.matrix_at([g(D) for D in cls]) for g, s in zip(f, f.spaces(U), strict=True))
    assert np.max(total[U.matrix > 0] / U.matrix[U.matrix > 0]) == 3
    printed = [frozenset(labels) for n in (3, 4, 5) for labels in combinations(range(5), n)]
    at_least = DatabaseClass.multisets(printed, at_most=1)
    assert f.most_touched(unbounded.on(at_least))[0] == 5


def test_ambulances():
    X = [[(0, 0), (1, 0)], [(10, 0), (11, 0)]]
    everything = DatabaseClass.multisets(X[0] + X[1], at_most=4)
    cls = everything.only(lambda D: all(any(x in D for x in block) for block in X))
    U = unbounded.on(cls)
    assert len(cls) * (len(cls) - 1) // 2 == 820
    p = Partition.by_record(X)
    nearest = [lambda D, i=i: min(p[i](D), key=lambda x: euclid(x, X[i][0])) for i in (0, 1)]
    total = sum(s.matrix_at([f(D) for D in cls]) for f, s in zip(p, p.spaces(U), strict=True))
    total += sum(PrivacySpace(X[i], euclid).matrix_at([nearest[i](D) for D in cls]) for i in (0, 1))
    i, j = U.edges.T
    assert total[i, j].max() == 2
    assert np.all(total <= U.matrix + np.minimum(2, U.matrix))
    farthest = lambda D, E: max(euclid(x, y) for x in D for y in E)  # noqa: E731
    assert farthest(((0, 0), (11, 0)), ((0, 0), (11, 0))) == 11
    assert all(farthest(D, E) > 1 for D in cls for E in cls)


# ----------------------------------------------------------------------------------------------------- minimum privacy


def test_coarse_counts():
    U = unbounded.on(DatabaseClass.multisets("a", at_most=8))
    least = minimum_privacy(U, lambda D: len(D) // 3)
    assert [s.distance("", "a" * 8) for s in (U, least.raw, least.closure)] == [8, 4, 2]
    assert not least.raw.is_metric and least.closure.is_metric
    for w in (2, 3, 4):
        U = unbounded.on(DatabaseClass.multisets("a", at_most=5 * w - 1))
        least = minimum_privacy(U, lambda D, w=w: len(D) // w)
        for j in range(1, 5):
            far = "a" * (j * w)
            assert least.raw.distance("", far) == (j - 1) * w + 1 and least.closure.distance("", far) == j


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=10, max_size=10), st.booleans())
def test_minimum_privacy_by_definition(values, is_bounded):
    space = (bounded if is_bounded else unbounded).on(AB)
    f = lambda D: values[AB.index[D]]  # noqa: E731
    want = truth.minimum_privacy(AB.databases, truth.steps(AB.databases, lambda D, E: space.are_neighbours(D, E)), f)
    least, closed = minimum_privacy(space, f), truth.closure(AB.databases, want)
    assert all(least.raw.distance(D, E) == want[D, E] for D in AB for E in AB)
    assert all(least.closure.distance(D, E) == closed[D, E] for D in AB for E in AB)


@pytest.mark.parametrize(
    "X, Y, N, pairs, loose",
    [("ab", "a", 4, 105, 0), ("abc", "ab", 4, 595, 126), ("abc", "a", 4, 595, 0), ("abcd", "ab", 3, 595, 84),
     ("abcd", "abc", 3, 595, 150)],
)  # fmt: skip
def test_bounded_privacy_that_looks_at_some_records(X, Y, N, pairs, loose):
    """Corollary IV.15: max(|A minus B|, |B minus A|) is exact; the printed minimum is looser at that many pairs."""
    cls = DatabaseClass.multisets(X, at_most=N)
    B, f = bounded.on(cls), Partition.by_record([Y])[0]
    true = minimum_privacy(B, f).raw.matrix
    counted = too_large = 0
    for i, j in combinations(range(len(cls)), 2):
        A, C = Counter(f(cls.databases[i])), Counter(f(cls.databases[j]))
        assert true[i, j] == max((A - C).total(), (C - A).total())
        counted += 1
        too_large += min(B.matrix[i, j], truth.difference(A, C)) > true[i, j]
    assert (counted, too_large) == (pairs, loose)


def test_compatible_parts_do_not_add_up_to_the_metric():
    """The text's equality fails both ways: {} -> {c} outside all parts, and a sum of d^p above d."""
    p = Partition.by_record(["a", "b"])
    assert sum(s.distance(x, y) for s, x, y in zip(p.spaces(unbounded.on(ABC)), p(()), p(("c",)), strict=True)) == 0
    U = unbounded.on(DETOUR)
    parts = p.spaces(U)
    assert p.compatible(U) and p.sensitivities(U) == [1, 1]
    assert (
        sum(s.distance(x, y) for s, x, y in zip(parts, p(()), p(("b", "b")), strict=True)) == 2 < U.distance("", "bb")
    )
    path = DatabaseClass([("a1", "b1"), ("a2", "b1"), ("a2", "b2"), ("a3", "b2")], "multisets")
    B = bounded.on(path)
    q = Partition.by_record(lambda x: x[0], parts="ab")
    ends = path.databases[0], path.databases[-1]
    raw = [minimum_privacy(B, f).raw.distance(*ends) for f in q]
    closed = [minimum_privacy(B, f).closure.distance(*ends) for f in q]
    assert q.compatible(B) and B.distance(*ends) == 3
    assert (sorted(raw), sum(closed)) == ([1, 3], 3)


# ---------------------------------------------------------------------------------------------------------- extended


def test_arithmetic_with_infinity():
    assert times(0, inf) == inf and times(inf, 0) == inf and times(2, 3) == 6
    assert np.array_equal(closure([[0, 4, 1], [4, 0, 1], [1, 1, 0]]), [[0, 2, 1], [2, 0, 1], [1, 1, 0]])
    zero = closure([[0, 0, 5], [0, 0, 1], [5, 1, 0]])
    assert np.array_equal(zero, [[0, 0, 1], [0, 0, 1], [1, 1, 0]])


BAD = {
    "records outside the universe": (lambda: AB.database("az"), "universe"),
    "distance outside the class": (lambda: unbounded.on(AB).distance("a", "aaaa"), "must belong to the class"),
    "record twice in the universe": (lambda: DatabaseClass.multisets("aa", at_most=1), "records must be"),
    "no size": (lambda: DatabaseClass.multisets("ab"), "at_most and exactly"),
    "two sizes": (lambda: DatabaseClass.multisets("ab", at_most=1, exactly=1), "at_most and exactly"),
    "negative size": (lambda: DatabaseClass.multisets("ab", at_most=-1), "at_most must be"),
    "databases twice": (lambda: DatabaseClass(["a", "a"]), "databases must name"),
    "kind": (lambda: DatabaseClass(["a"], kind="sets"), "kind must be one of"),
    "not a database": (lambda: AB.database(3), "database must be a list of records"),
    "multiplicity": (lambda: AB.database({"a": -1}), "multiplicity"),
    "edge on multisets": (lambda: edge.on(AB), "granularity must fit"),
    "attributes of words": (lambda: attribute.on(AB), "records must be tuples"),
    "not a class": (lambda: unbounded.on(3), "cls must be"),
    "not a relation": (lambda: Granularity(3), "relation must be"),
    "pairs of three": (lambda: Granularity([(1, 2, 3)]).on([1, 2, 3]), "relation must hold pairs"),
    "window": (lambda: w_event(0), "w must be"),
    "overlapping blocks": (lambda: Partition.by_record(["ab", "bc"]), "parts must not overlap"),
    "overlapping parts": (lambda: Partition([lambda D: D] * 2).compatible(unbounded.on(AB)), "parts must not overlap"),
    "function without parts": (lambda: Partition.by_record(len), "parts must name"),
    "not blocks": (lambda: Partition.by_record(3), "mapping must be"),
    "not functions": (lambda: Maps([3]), "functions must be"),
    "names": (lambda: Maps([len, len], names=["a"]), "names must name 2"),
    "metric of the wrong size": (lambda: PrivacySpace([1, 2], [[0]]), "metric must be a matrix of 2"),
    "asymmetric metric": (lambda: PrivacySpace([1, 2], [[0, 1], [2, 0]]), "metric must be symmetric"),
    "negative metric": (lambda: PrivacySpace([1, 2], [[0, -1], [-1, 0]]), "metric must hold"),
    "NaN": (lambda: PrivacySpace([1, 2], [[0, np.nan], [np.nan, 0]]), "metric must hold"),
    "diagonal": (lambda: PrivacySpace([1], [[1]]), "metric must be 0"),
    "words": (lambda: PrivacySpace([1], "x"), "metric must be"),
    "no neighbours": (lambda: Maps([len]).compatible(PrivacySpace([1], [[0]])), "space must have neighbours"),
    "not a space": (lambda: sensitivity(None, AB, AB), "space1 must be a PrivacySpace"),
    "not a granularity": (lambda: dist("U", unbounded, AB), "g1 must be a Granularity"),
    "other class": (lambda: unbounded.on(AB) + unbounded.on(ABC), "same class"),
    "factor": (lambda: -1 * unbounded.on(AB), "factor must"),
    "not a function": (lambda: minimum_privacy(unbounded.on(AB), 3), "f must be a function"),
}  # fmt: skip


@pytest.mark.parametrize("ask, message", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_sentence(ask, message):
    with pytest.raises(ValueError, match=message) as refused:
        ask()
    assert "\n" not in str(refused.value)


# ------------------------------------------------------------------------------- extreme classes, and hasty input


def test_classes_are_counted_in_closed_form():
    for records, n in (("", 0), ("", 3), ("a", 4), ("abc", 3)):
        for how in ("at_most", "exactly"):
            for make in (DatabaseClass.multisets, DatabaseClass.ordered):
                cls = make(records, **{how: n})
                assert cls.kind.number(cls.sizes) == len(cls.databases)
    assert DatabaseClass.multisets("ab", at_most=10**15).size == (10**15 + 2) * (10**15 + 1) // 2
    assert DatabaseClass.multisets("ab", exactly=2.0).databases == DatabaseClass.multisets("ab", exactly=2).databases
    assert repr(DatabaseClass.graphs(100)) == "<DatabaseClass of about 10^1490 graphs>"
    assert DatabaseClass.user_logs(3, range(20), 20).size > 10**30


def test_closed_forms_of_large_classes_answer_at_once():
    everyone = [(i, j) for i in range(1, 31) for j in range(i + 1, 31)]
    assert node.on(DatabaseClass.graphs(30)).distance([], everyone) == 29
    assert node.on(DatabaseClass.graphs(40)).distance([], [(i, i + 1) for i in range(1, 40)]) == 20
    assert w_event(2).on(DatabaseClass.ordered("ab", at_most=20)).diameter == inf
    assert vertex_cover([(0, 1), (1, 2), (2, 0)]) == 2 and vertex_cover([(1, 1)]) == 1


def test_many_neighbours_are_no_slower_than_few():
    space = bounded.on(DatabaseClass.multisets(range(40), at_most=2))
    assert space.edges.shape[0] > 30 * len(space) / 2  # the products of matrices
    for D, E in (((1,), (2,)), ((1, 1), (2, 2)), ((1, 2), (2, 3)), ((), (1,))):
        changed = max((Counter(D) - Counter(E)).total(), (Counter(E) - Counter(D)).total())
        assert space.distance(D, E) == (changed if len(D) == len(E) else inf)
    assert [len(part) for part in space.components] == [1, 40, 820]


def test_users_without_any_events():
    for users, events, cap in ((0, "ab", 1), (2, "", 1), (2, "ab", 0)):
        for granularity in (user_level, user_presence, event_level):
            assert granularity.on(DatabaseClass.user_logs(users, events, cap)).matrix.tolist() == [[0.0]]
    assert free_lunch.on(DatabaseClass([])).components == []


def test_lengths_of_paths_are_never_rounded_down():
    steps = np.full((11, 11), inf)
    np.fill_diagonal(steps, 0.0)
    for i, j in pairwise(range(11)):
        steps[i, j] = steps[j, i] = 0.7
    assert all(Fraction(closure(steps)[0, n]) >= n * Fraction(0.7) for n in range(11))
    assert closure(steps)[0, 10] == pytest.approx(7, abs=1e-13)
    assert closure(10 * steps)[0, 10] == 70  # whole numbers stay what they are


def test_blocks_take_the_names_of_the_parts():
    named = Partition.by_record(["a", "bc"], parts=["left", "right"])
    assert named(("a", "b", "b")) == (("a",), ("b", "b"))
    assert named.touched("a", "b") == ["left", "right"]


WORDS = DatabaseClass.multisets("ab", at_most=2)
HASTY = {
    "too many tables": (lambda: DatabaseClass.ordered("ab", at_most=10**6), "at most 2^10000 databases"),
    "too many graphs": (lambda: DatabaseClass.graphs(100_000), "nodes must be at most"),
    "too many logs": (lambda: DatabaseClass.user_logs(10**9, "ab", 1), "users must be at most"),
    "too long to count": (lambda: len(DatabaseClass.graphs(12)), "at most 3000 databases"),
    "copies": (lambda: WORDS.database({"a": 10**12}), "at most 1000000"),
    "lists": (lambda: minimum_privacy(unbounded.on(WORDS), list), "numbers, words or tuples"),
    "image": (lambda: Maps([list]).image(0, WORDS), "numbers, words or tuples"),
    "which map": (lambda: Maps([len]).image(3, WORDS), "one of the 1 maps"),
    "parts are numbers": (lambda: Partition([len]).check(WORDS), "a list of records"),
    "names of parts": (lambda: Partition.by_record(["a", "b"], parts=["x"]), "2 different"),
    "part": (lambda: Partition.by_record({"a": [1]}), "numbers, words or tuples"),
    "block": (lambda: Partition.by_record([[["u"]]]), "numbers, words or tuples"),
    "metric": (lambda: Partition.by_record(["a"]).commutes_with(5, on=WORDS), "metric must be a function"),
    "sensitivity": (lambda: sensitivity(5, unbounded.on(WORDS), unbounded.on(WORDS)), "f must be a function"),
    "negative": (lambda: sensitivity(len, unbounded.on(WORDS), lambda x, y: -1), "from 0 to infinity"),
    "rows": (lambda: DatabaseClass([5], kind="rows"), "lists of comparable records"),
    "row": (lambda: DatabaseClass([[("x", "a")]], kind="rows"), "the number of a row"),
    "edge of three": (lambda: DatabaseClass([[(1, 2, 3)]], kind="graphs"), "pairs such as"),
    "event": (lambda: DatabaseClass(["ab"], kind="logs"), "pairs such as"),
    "edge": (lambda: DatabaseClass.graphs(3).database([[[1], 2]]), "records of the universe"),
}


@pytest.mark.parametrize("name", HASTY)
def test_hasty_input_is_one_plain_sentence(name):
    call, words = HASTY[name]
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


# ------------------------------------------------------------------------------- spaces that are no metrics, and one


def test_sensitivity_into_a_space_that_is_no_metric_looks_at_all_pairs():
    """Distances 1, 1 and 3 along a path of two steps: 3 <= 1.5 * 2, although each step is only 1."""
    path = Granularity([(0, 1), (1, 2)]).on([0, 1, 2])
    crooked = PrivacySpace([0, 1, 2], [[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    assert not crooked.is_metric and sensitivity(None, path, crooked) == 1.5
    assert sensitivity(lambda D: D, path, crooked) == 1.5
    assert sensitivity(None, path, lambda x, y: abs(x - y) ** 2) == 2
    assert sensitivity(None, path, crooked.closure()) == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=10, max_size=10), st.integers(0, 2**32 - 1))
def test_sensitivity_by_its_definition(entries, seed):
    """The least c with d2 <= c d1 at all pairs with a finite d1, in fractions."""
    edges = np.argwhere(np.triu(np.random.default_rng(seed).random((5, 5)) < 0.4, 1)).tolist()
    start = Granularity([tuple(edge) for edge in edges]).on(range(5))
    matrix = np.zeros((5, 5))
    matrix[np.triu_indices(5, 1)] = entries
    matrix = np.where(start.adjacency, matrix, 4 * matrix)  # neighbours are nearer
    into = PrivacySpace(range(5), np.triu(matrix, 1) + np.triu(matrix, 1).T)
    pairs = [(i, j) for i in range(5) for j in range(i) if np.isfinite(start.matrix[i, j])]
    ratios = [Fraction(int(into.matrix[pair]), int(start.matrix[pair])) for pair in pairs]
    true = max(ratios, default=Fraction(0))
    found = sensitivity(None, start, into)
    assert Fraction(found) >= true and found == pytest.approx(float(true), rel=1e-15)


ONE_DATABASE = [
    (unbounded, DatabaseClass.multisets("a", exactly=5)),
    (bounded, DatabaseClass.multisets("a", exactly=5)),
    (unbounded, DatabaseClass.multisets("", at_most=4)),
    (unbounded, DatabaseClass.ordered("a", exactly=3)),
    (bounded, DatabaseClass.ordered("a", exactly=3)),
    (w_event(2), DatabaseClass.ordered("a", exactly=3)),
    (edge, DatabaseClass.graphs(1)),
    (node, DatabaseClass.graphs(1)),
    (free_lunch, DatabaseClass.multisets("a", exactly=5)),
    (event_level, DatabaseClass.user_logs(2, "", at_most=3)),
    (user_level, DatabaseClass.user_logs(2, "x", at_most=0)),
    (user_presence, DatabaseClass.user_logs(2, "x", at_most=0)),
]


@pytest.mark.parametrize("granularity, cls", ONE_DATABASE, ids=lambda x: getattr(x, "name", None) or repr(x))
def test_the_closed_form_of_one_database_has_no_width(granularity, cls):
    assert cls.size == 1
    assert granularity.closed_form(cls).diameter(cls) == granularity.on(cls).diameter == 0


def test_parts_of_tables_are_neighbours_if_one_has_one_numbered_row_more():
    """Tried one by one, on all parts of tables of two rows: an entry that changes its value is no single step."""
    rows = [[(1, x)] if x else [] for x in (None, "a", "b")]
    parts = [tuple(first + [(2, x) for _, x in second]) for first in rows for second in rows]
    space = unbounded.on(DatabaseClass(parts, kind="rows"))
    for D, E in product(parts, parts):
        one_more = len(set(D) ^ set(E)) == 1
        assert space.are_neighbours(D, E) == one_more
    assert space.distance([(1, "a")], [(1, "b")]) == 2
