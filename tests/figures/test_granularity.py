"""The figures of lecture 5 show the right numbers, computed here in another way, and describe themselves."""

import math
from collections import Counter
from itertools import combinations, product

import mpmath
import pytest
import truth_granularity as truth

from dpteach.figures import Picture
from dpteach.figures import granularity as figures_granularity
from dpteach.granularity import DatabaseClass, Maps, Partition, bounded, edge, free_lunch, node, unbounded

WARDS = DatabaseClass.multisets("ab", at_most=3)
COUNTS = unbounded.on(DatabaseClass.multisets("a", at_most=8))
FLEET = ["12", "23", "3"]
SEEN = unbounded.on(DatabaseClass.multisets(FLEET, at_most=2))
STAR, MATCHING = [(1, 2), (1, 3), (1, 4), (1, 5)], [(1, 2), (3, 4)]
GRAPHS = [granularity.on(DatabaseClass.graphs(4)) for granularity in (edge, node)]


def bins(D):
    return len(D) // 3


DRAWN = {  # each figure, as small as it can be, with words that its description must tell
    "database_graphs": (
        dict(spaces={"B": bounded.on(WARDS), "FL": free_lunch.on(WARDS)}, start="a", goal="bb"),
        "{a} to {b,b}. B: 6 neighbouring pairs, no path; FL: 45 neighbouring pairs, 1 step.",
    ),
    "boards": (
        dict(families={"linked": (Maps.by_label("123"), SEEN)}, records=FLEET), "linked: {} → {12} touches 2 of 3",
    ),
    "streets": (
        dict(districts=[(0, 1), (10, 11)], hospitals=[0, 11], before=[0, 1, 10], after=[1, 10]),
        "district 1: 1 and 1; district 2: 0 and 0",
    ),
    "least_distances": (dict(space=COUNTS, f=bins, start=""), "d 8, d^f 4, closure 2"),
    "corollary_15": (dict(cls=WARDS, visible="ab"), "45 pairs: too large at 0, too small at 35"),
    "delta_growth": (dict(eps=1, delta=1e-5, at=(1, 13)), "13: 2.57474 and 0.911827. The bound reaches 1 at 12.0543"),
    "squares_and_sums": (dict(levels=(1, 1)), "add up to 2, at right angles to 1.41421"),
    "changed_edges": (dict(graphs={"star": ([], STAR)}, nodes=5), "star: 4 edges, 1 step of nodes"),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_drawn_and_described(name):
    settings, told = DRAWN[name]
    picture = getattr(figures_granularity, name)(**settings)
    assert isinstance(picture, Picture)
    assert told in picture.alt and picture.alt.endswith(".")
    assert picture.png().startswith(b"\x89PNG")
    assert len(picture.numbers) >= 1


def test_all_figures_are_tested():
    home = figures_granularity.__name__
    made_here = {name for name, thing in vars(figures_granularity).items() if getattr(thing, "__module__", "") == home}
    assert {name for name in made_here if not name.startswith("_")} == set(DRAWN)


RELATED = {
    unbounded: truth.is_unbounded,
    bounded: truth.is_bounded,
    free_lunch: lambda D, E: D != E,
}
CLASSES = [WARDS, DatabaseClass.multisets("abc", exactly=2), DatabaseClass(["", "a", "ab", "abb", "bb"], "multisets")]


@pytest.mark.parametrize("cls", CLASSES)
def test_graphs_have_the_edges_and_paths_of_a_search(cls):
    start, goal = cls.databases[0], cls.databases[-1]
    spaces = {g.name: g.on(cls) for g in RELATED}
    rows = figures_granularity.database_graphs(spaces, start, goal).numbers
    for (_, size, edges, _, steps), related in zip(rows, RELATED.values(), strict=True):
        assert size == len(cls) and edges == sum(related(*pair) for pair in combinations(cls, 2))
        assert steps == truth.steps(cls.databases, related)[start, goal]


@pytest.mark.parametrize("cls", [*CLASSES, DatabaseClass.ordered("ab", at_most=2)])
def test_no_two_databases_stand_in_the_same_place(cls):
    places = figures_granularity._places(cls)
    assert len({tuple(place) for place in places.round(9).tolist()}) == len(cls)
    assert places.min() >= 0 and places.max() <= 1


def test_boards_count_the_labels_that_one_step_touches():
    whole = Maps.by_label("123", of=lambda record: "123")
    apart_ = Partition.by_record([[record] for record in FLEET])
    families = {"all": (whole, SEEN), "linked": (Maps.by_label("123"), SEEN), "one": (apart_, SEEN)}
    numbers = figures_granularity.boards(families, FLEET).numbers
    assert numbers.column("parts touched") == [3, max(map(len, FLEET)), 1]
    assert numbers.column("of") == [3, 3, 3]


def test_streets_of_two_moves_and_of_an_empty_district():
    numbers = figures_granularity.streets([(0, 1, 2), (10, 11)], [0, 11], [0, 2, 10], [2, 2]).numbers
    assert numbers.rows == [(1, 2, 2), (2, 1, 1)]  # the only one of district 2 leaves: its hospital counts as nearest


def test_least_distances_by_trying_all_representatives():
    """From bin to bin it is one step; d^f starts afresh for every pair of bins."""
    for n, (_, told, d, raw, closure) in enumerate(figures_granularity.least_distances(COUNTS, bins, "").numbers):
        same = [m for m in range(9) if m // 3 == n // 3]
        assert told == str(n // 3) and d == n
        assert raw == min(abs(i - j) for i, j in product(range(3), same))
        assert closure == n // 3


@pytest.mark.parametrize(("records", "visible", "most"), [("abc", "ab", 3), ("ab", "a", 3), ("abc", "a", 3)])
def test_corollary_15_by_the_larger_difference(records, visible, most):
    """As long as records can hide, the distance is the larger of what leaves and what comes."""
    cls = DatabaseClass.multisets(records, at_most=most)
    counted = Counter()
    for D, E in combinations(cls, 2):
        A, B = (Counter(x for x in side if x in visible) for side in (D, E))
        steps = truth.difference(D, E) / 2 if len(D) == len(E) else math.inf
        counted[min(steps, truth.difference(A, B)), max((A - B).total(), (B - A).total())] += 1
    assert {(p, e): n for p, e, n in figures_granularity.corollary_15(cls, visible).numbers} == counted


def test_corollary_15_is_too_small_where_nothing_is_hidden():
    for printed, exact, _ in figures_granularity.corollary_15(WARDS, "ab").numbers:
        assert exact == math.inf or exact == printed
    assert sum(n for _, exact, n in figures_granularity.corollary_15(WARDS, "ab").numbers if exact == math.inf) == 35


@pytest.mark.parametrize(("eps", "delta"), [(1, 1e-5), (0.5, 1e-3)])
def test_delta_growth_against_long_numbers(eps, delta):
    """The bound is a geometric sum; the truth is a chain of coins, each as far from the last as allowed."""
    with mpmath.workdps(30):
        base, small, p, bound, n = mpmath.exp(eps), mpmath.mpf(delta), mpmath.mpf(0), mpmath.mpf(0), 0
        for steps, above, truth in figures_granularity.delta_growth(eps, delta, (1, 2, 5, 11, 12, 13, 14, 23)).numbers:
            while n < steps:
                p, bound, n = (
                    min(base * p + small, 1 - (1 - small - p) / base, mpmath.mpf(1)),
                    base * bound + small,
                    n + 1,
                )
            assert above == pytest.approx(float(bound), rel=1e-9)
            assert truth == pytest.approx(float(p), rel=1e-9) and truth <= above * (1 + 1e-12)


def test_squares_and_sums():
    assert figures_granularity.squares_and_sums((3, 4)).numbers.column("total") == [7, 5]


@pytest.mark.parametrize(
    ("D", "E"), [([], [(1, 2), (1, 3), (1, 4)]), ([], MATCHING), ([(1, 2)], [(1, 3), (2, 3)]), ([(1, 4)], MATCHING)]
)
def test_changed_edges_by_the_shortest_paths_of_the_graph_of_graphs(D, E):
    ((_, edges, nodes),) = figures_granularity.changed_edges({"it": (D, E)}, 4).numbers
    assert [edges, nodes] == [space.distance(D, E) for space in GRAPHS]
