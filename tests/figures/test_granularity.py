"""The figures of lecture 5 show the right numbers, computed here in another way, and describe themselves."""

import math
from collections import Counter
from itertools import combinations, product

import drawn
import mpmath
import numpy as np
import pytest
import truth_granularity as truth
from matplotlib.colors import same_color

from dpteach.figures import COLOURS, Picture
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


# ------------------------------------------------------------------------------------------- what stands where


IN_THE_LECTURE = {"delta_growth": dict(eps=1, delta=1e-5, at=(1, 2), last=16)}


@pytest.mark.parametrize("name", DRAWN)
def test_words_are_legible(name):
    picture = getattr(figures_granularity, name)(**IN_THE_LECTURE.get(name, DRAWN[name][0]))
    assert drawn.covered_words(picture) == []
    assert drawn.crossed_words(picture) == []


@pytest.mark.parametrize("granularity", RELATED)
def test_graphs_join_neighbours_and_show_a_shortest_path(granularity):
    """Every edge ends in the middle of two neighbours; the thick ones lead from the start to the goal."""
    start, goal = "a", "bb"
    ax = drawn.only_panel(figures_granularity.database_graphs({"it": granularity.on(WARDS)}, start, goal))
    place = {"" if text == "∅" else text: (x, y) for text, x, y in drawn.words(ax)}
    assert set(place) == {"".join(D) for D in WARDS}
    database = {where: tuple(text) for text, where in place.items()}
    thin, thick = ([(tuple(way[0]), tuple(way[-1])) for way in one.get_segments()] for one in ax.collections)
    joined = {frozenset(database[end] for end in ends) for ends in thin}
    assert joined == {frozenset(pair) for pair in combinations(WARDS, 2) if RELATED[granularity](*pair)}
    assert len(thin) == len(joined)
    steps = truth.steps(WARDS.databases, RELATED[granularity])[tuple(start), tuple(goal)]
    assert len(thick) == (steps if math.isfinite(steps) else 0)
    ends = Counter(database[end] for edge in thick for end in edge)
    orange = {text for text, *_ in drawn.framed(ax, COLOURS[1])}
    blue = {tuple(text) for text, *_ in drawn.framed(ax, COLOURS[0])}
    assert orange == {start, goal}
    if thick:  # a path: its ends once, what lies between them twice
        assert {D for D, n in ends.items() if n == 1} == {tuple(start), tuple(goal)}
        assert blue - {("∅",)} | ({()} if ("∅",) in blue else set()) == {D for D, n in ends.items() if n == 2}


def test_databases_stand_in_rows_by_size_or_around_a_circle():
    rows = dict(zip(WARDS, figures_granularity._places(WARDS).tolist(), strict=True))
    assert all(y == pytest.approx(len(D) / 3) for D, (_, y) in rows.items())
    assert rows["a", "a"][0] - rows[()][0] == pytest.approx(rows[()][0] - rows["b", "b"][0])  # rows are centred
    assert rows["a", "b"][0] == pytest.approx(0.5)
    circle = figures_granularity._places(DatabaseClass.multisets("abc", exactly=2)) - 0.5
    assert np.hypot(*circle.T) == pytest.approx(0.46)
    assert np.hypot(*np.diff(circle, axis=0).T) == pytest.approx(0.46)  # a regular hexagon


def test_boards_fill_what_a_part_sees():
    picture = figures_granularity.boards({"linked": (Maps.by_label("123"), SEEN)}, FLEET)
    ax = drawn.only_panel(picture)
    filled = drawn.markers(ax, markerfacecolor=COLOURS[0])
    assert set(filled) == {(x, y) for x, part in enumerate("123") for y, record in enumerate(FLEET) if part in record}
    assert len(drawn.markers(ax)) == 9 and len(set(drawn.markers(ax))) == 9
    step = picture.numbers.rows[0][1]
    assert step == "{} → {12}"
    assert sorted((left + right) / 2 for left, _, right, _ in drawn.cells(ax)) == pytest.approx([0, 1])
    assert all(right - left < 1 for left, _, right, _ in drawn.cells(ax))
    assert drawn.ticks(ax.xaxis) == [(0, "1"), (1, "2"), (2, "3")]
    assert drawn.ticks(ax.yaxis) == [(0, "12"), (1, "23"), (2, "3")]
    low, high = ax.get_ylim()
    assert low > high  # the first record stands on top


def test_streets_show_where_ambulances_stand():
    ax = drawn.only_panel(figures_granularity.streets([(0, 1, 2), (10, 11)], [0, 11], [0, 2, 10], [2, 2]))
    filled = drawn.markers(ax, marker="s", markerfacecolor=COLOURS[0])
    empty = drawn.markers(ax, marker="s", markerfacecolor="white")
    assert set(filled) == {(0, 1), (10, 1), (2, 0)}
    assert set(empty) == {(2, 1), (2, 0.22)}
    assert set(drawn.markers(ax, marker="P")) == {(0, 0.5), (11, 0.5)}
    assert [(left, right) for left, _, right, _ in drawn.cells(ax)] == [(-0.4, 2.4), (9.6, 11.4)]
    assert [(words, x) for words, x, _ in drawn.words(ax)] == [("district 1", 1), ("district 2", 10.5)]
    assert drawn.ticks(ax.yaxis) == [(1, "before"), (0, "after")]
    assert [place for place, _ in drawn.ticks(ax.xaxis)] == [0, 1, 2, 10, 11]
    low, high = ax.get_ylim()
    assert low < 0 and all(1.3 < y < high for *_, y in drawn.words(ax))


def test_least_distances_are_drawn_over_the_databases():
    ax = drawn.only_panel(figures_granularity.least_distances(COUNTS, bins, ""))
    n = np.arange(9)
    raw = [min(abs(i - j) for i, j in product(range(3), range(m // 3 * 3, m // 3 * 3 + 3))) for m in n]
    for label, heights in (("d", n), ("$d^f$", raw), ("closure of $d^f$", n // 3)):
        assert drawn.line(ax, label).tolist() == np.stack([n, heights], axis=1).tolist()
    assert drawn.uprights(ax) == [2.5, 5.5]
    assert drawn.ticks(ax.xaxis) == [(m, "a" * m or "∅") for m in n]


def test_corollary_15_is_drawn_as_counted():
    picture = figures_granularity.corollary_15(WARDS, "ab")
    ax = drawn.only_panel(picture)
    finite = [d for row in picture.numbers for d in row[:2] if math.isfinite(d)]
    edge = max(finite) + 1
    numbers = {(min(p, edge), min(e, edge)): (n, p == e) for p, e, n in picture.numbers}
    assert {(x, y): int(text) for text, x, y in drawn.words(ax)} == {where: n for where, (n, _) in numbers.items()}
    sizes = {}
    for circle in ax.collections:
        ((x, y),) = circle.get_offsets()
        assert same_color(circle.get_facecolor()[0], "#D6E9F5" if numbers[x, y][1] else "#FBE3D3")
        sizes[numbers[x, y][0]] = circle.get_sizes()[0]
    assert [sizes[n] for n in sorted(sizes)] == sorted(sizes.values()) and len(ax.collections) == len(numbers)
    assert drawn.ticks(ax.xaxis) == drawn.ticks(ax.yaxis) == [*((i, str(i)) for i in range(int(edge))), (edge, "∞")]
    (diagonal,) = drawn.segments(ax)
    assert diagonal.tolist() == [[0, 0], [edge, edge]]


def test_delta_growth_is_drawn_by_its_recurrence():
    ax = drawn.only_panel(figures_granularity.delta_growth(1, 1e-5, at=(1, 5), last=14))
    bound, exact = [0.0], [0.0]
    for _ in range(14):
        bound.append(math.e * bound[-1] + 1e-5)
        exact.append(min(math.e * exact[-1] + 1e-5, 1 - (1 - 1e-5 - exact[-1]) / math.e, 1))
    n = np.arange(1, 15)
    assert drawn.line(ax, "bound $δ\\,[n]_ε$") == pytest.approx(np.stack([n, bound[1:]], axis=1), rel=1e-9)
    assert drawn.line(ax, "true worst case") == pytest.approx(np.stack([n, exact[1:]], axis=1), rel=1e-9)
    (limit,) = drawn.uprights(ax)
    assert 1e-5 * math.expm1(limit) / math.expm1(1) == pytest.approx(1)
    assert drawn.levels(ax) == [1]
    ((words, x, _),) = drawn.words(ax)
    assert words == f"n = {limit:.3f}" and limit - 1 < x < limit
    assert [place for place, _ in drawn.ticks(ax.xaxis)] == n.tolist()


def test_squares_and_sums_are_drawn_head_to_tail():
    ax = drawn.only_panel(figures_granularity.squares_and_sums((3, 4)))
    first, second, pure, more = drawn.arrows(ax)
    assert (first, second) == (((0, 0), (3, 0)), ((3, 0), (3, 4)))
    assert pure[0][0] == 0 and pure[1] == more[0] and (pure[1][0], more[1][0]) == (3, 7)
    assert pure[0][1] == more[1][1] < 0
    (root,) = drawn.segments(ax)
    assert root.tolist() == [[0, 0], [3, 4]]
    words = {text: (x, y) for text, x, y in drawn.words(ax)}
    assert words["7"][0] == 3.5 and words["7"][1] < pure[0][1]
    x, y = words["5"]
    assert y / x > 4 / 3  # left of the dashed line
    assert words["pure: levels add"][0] > 7 and words["pure: levels add"][1] == pure[0][1]
    assert words["Gaussian: squares add"][0] > 3 and words["Gaussian: squares add"][1] == 2


def test_changed_edges_are_drawn_between_their_nodes():
    before, after = [(1, 2), (4, 5)], [(1, 3), (2, 3), (4, 5)]
    ax = drawn.only_panel(figures_granularity.changed_edges({"it": (before, after)}, 5))
    node = {(x, y): int(text) for text, x, y in drawn.words(ax)}
    assert np.hypot(*np.array(list(node)).T) == pytest.approx(1) and sorted(node.values()) == [1, 2, 3, 4, 5]
    assert set(drawn.markers(ax)) == set(node)
    looks = {"come": dict(color=COLOURS[1], linestyle="-"), "go": dict(color=COLOURS[1], linestyle=":")}
    looks["stay"] = dict(color="0.6")
    edges = {
        name: {tuple(sorted(node[tuple(end)] for end in points)) for points in drawn.segments(ax, **look)}
        for name, look in looks.items()
    }
    assert edges == {"come": {(1, 3), (2, 3)}, "go": {(1, 2)}, "stay": {(4, 5)}}
    bold = {int(text.get_text()) for text in ax.texts if text.get_weight() == "bold"}
    assert bold == {node[place] for place in drawn.markers(ax, markeredgecolor=COLOURS[0])} and len(bold) == 2
    assert all(bold & set(edge) for edge in ((1, 2), (1, 3), (2, 3)))
