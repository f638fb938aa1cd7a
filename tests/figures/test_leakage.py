"""The figures of lecture 4 show the right numbers, computed here in another way, and describe themselves."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import drawn
import mpmath
import numpy as np
import pytest

from dpteach import Pair
from dpteach.curve import VACUOUS
from dpteach.figures import COLOURS, Picture
from dpteach.figures import leakage as figures
from dpteach.leakage import LeakyMechanism, examples
from dpteach.mechanisms import randomized_response

QUARTER = Pair([Fraction(1, 4), Fraction(3, 4)], [0, 1], ["tells", "silent"])
THEOREM_9 = Fraction(3, 2), Fraction(1, 20), 2, Fraction(1, 40)
CHANCES = {(0, 0): Fraction(2, 5), (2, 0): Fraction(1, 5), (2, 1): Fraction(1, 10), (1, 1): Fraction(1, 20)}


def report(x, r):
    return x ^ (r in (0, 1))


LEAKS = {
    "nothing": lambda x, r: None,
    "whether r < 4": lambda x, r: r < 4,
    "r is 0, 2 or 3": lambda x, r: r in (0, 2, 3),
    "itself": report,
    "x": lambda x, r: x,
}


def walk():
    return LeakyMechanism.from_laws(
        list(product(range(3), repeat=2)),
        lambda x: "o" if x in CHANCES else "else",
        lambda x, o: examples.coin(CHANCES[x]) if o == "o" else 0,
    )


def absent():
    return LeakyMechanism.from_laws(
        [0, 1], lambda x: {5: Fraction(9, 10), 0: Fraction(1, 10)} if x else 0, lambda x, o: 0
    )


DRAWN = {  # each figure, as small as it can be, with words that its description must tell
    "coins_by_leak": (dict(mechanism=report, leaks=LEAKS, coins=range(8)), "whether r < 4: 1, ∞"),
    "cubes": (dict(mechanisms={"pad": examples.one_time_pad(3, 1)}, ratio=1), "pad: 8 hidden, 4 exposed, 0 not"),
    "shared_leaks": (dict(leaky=absent(), names={0: "healthy", 1: "ill"}), "ill: 1/10; on average: 11/20; worst: 1/10"),
    "detour": (dict(leaky=walk(), o="o", start=(0, 0), end=(1, 1)), "00 20 21 11, 3 steps for 2 entries"),
    "release_cost": (dict(ratio=2, delta=Fraction(1, 10), leak_ratio=3, leak_delta=Fraction(1, 5), copies=[1, 2]),
                     "4: 11/10 against 7/25"),
    "chain_of_four": (dict(zip(("ratio", "delta", "shared_ratio", "shared_delta"), THEOREM_9, strict=True)), "27/40"),
    "rectangles": (dict(pair=QUARTER), "best set (filled): 7/16"),
    "misprint": (dict(k=100, slack=1e-6, at=(0.1, 1)), "cross at 0.458675"),
    "xor_posteriors": (dict(people=(1, 2, 3), ratio=3), "n = 3: 1/2, 3/4, 27/28"),
    "who_joins": (dict(one=(1, 1, 0, 0), other=(0, 1, 1, 0), ratio=3), "may depend on her 3, e to the loss at most 27"),
}  # fmt: skip


@cache
def picture_of(name):
    """Return a figure as small as it can be."""
    return getattr(figures, name)(**DRAWN[name][0])


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_drawn_and_described(name):
    _, told = DRAWN[name]
    picture = picture_of(name)
    assert isinstance(picture, Picture)
    assert told in picture.alt and picture.alt.endswith(".")
    assert picture.png().startswith(b"\x89PNG")
    assert len(picture.numbers) >= 1


def test_all_figures_are_tested():
    home = figures.__name__
    made_here = {name for name, thing in vars(figures).items() if getattr(thing, "__module__", "") == home}
    assert {name for name in made_here if not name.startswith("_")} == set(DRAWN)


def test_boxes_hold_the_ratios_of_counted_coins():
    """Count the coins of each box: how often the output is 0, or 1, on either database."""
    numbers = figures.coins_by_leak(report, LEAKS, range(8)).numbers
    for name, boxes, worst in numbers:
        told = [
            _ratio_by_counting(LEAKS[name], o)
            for o in dict.fromkeys(LEAKS[name](x, r) for x in (0, 1) for r in range(8))
        ]
        assert sorted(boxes.split(", ")) == sorted(told)
        assert str(worst).replace("inf", "∞") in (max(told, key=_size), "vacuous")


def _ratio_by_counting(leak, o):
    left = [[report(x, r) for r in range(8) if leak(x, r) == o] for x in (0, 1)]
    if not all(left):
        return "vacuous"
    shares = [[Fraction(outputs.count(m), len(outputs)) for m in (0, 1)] for outputs in left]
    pairs = [(one[m], two[m]) for one, two in (shares, shares[::-1]) for m in (0, 1)]
    ratios = [math.inf if q == 0 else p / q for p, q in pairs if p > 0]
    return "∞" if max(ratios) == math.inf else str(max(ratios))


def _size(word):
    return {"∞": math.inf, "vacuous": -1}.get(word) or float(Fraction(word))


def test_an_edge_of_the_cube_is_exposed_where_its_key_bit_leaks():
    for leaked in range(4):
        (row,) = figures.cubes({"pad": examples.one_time_pad(3, leaked)}, 1).numbers
        assert row[1:] == (4 * (3 - leaked), 4 * leaked, 0, min(leaked, 1))
    (row,) = figures.cubes({"trap": examples.parity_trap(3)}, 3).numbers
    assert row[1:4] == (0, 0, 12) and str(row[4]) == "vacuous"


def test_hidden_is_what_the_ratio_allows():
    """Randomized response 3 : 1 is exposed below the ratio 3, and hidden from there on."""
    noisy = examples.parity_trap(3, ratio=3).without_leak()
    for ratio, hidden in ((2, 0), (3, 12)):
        (row,) = figures.cubes({"noisy": noisy}, ratio).numbers
        assert row[1:4] == (hidden, 12 - hidden, 0)


def test_the_detour_is_longer_than_the_distance():
    numbers = dict(figures.detour(walk(), "o", (0, 0), (1, 1)).numbers.rows)
    assert numbers == {
        "entries that differ": 2,
        "steps of the path": 3,
        "e^eps of one step": 2,
        "e^eps between the ends": 8,
    }
    one_step = dict(figures.detour(walk(), "o", (0, 0), (2, 0)).numbers.rows)
    assert one_step["steps of the path"] == 1 and one_step["e^eps between the ends"] == 2


def test_release_cost_does_not_depend_on_the_number_of_values():
    d, e = Fraction(1, 10), Fraction(1, 5)
    numbers = figures.release_cost(2, d, 3, e, copies=[1, 3]).numbers
    assert numbers.rows == [(n, d + (1 + n) * e, 1 - (1 - d) * (1 - e), Fraction(7, 25)) for n in (2, 6)]


def test_the_chain_uses_up_every_promise():
    a, d, b, e = THEOREM_9
    values = figures.chain_of_four(*THEOREM_9, start=0).numbers.column("probability of 1")
    assert values == [0, e, a * e + d, b * (a * e + d) + e]
    assert values[3] == (a * b + 1) * e + b * d == Fraction(1, 5)
    other = figures.chain_of_four(*THEOREM_9).numbers.column("probability of 1")
    assert other[3] - a * b**2 * other[0] == Fraction(1, 5)


@pytest.mark.parametrize(
    ("pair", "ratio"), [(QUARTER, 1), (randomized_response(ratio=3), 2), (randomized_response(ratio=3), 3)]
)
def test_rectangles_by_trying_all_sets(pair, ratio):
    cells = {
        (i, j): pair.p[i] * pair.p[j] - ratio * pair.q[i] * pair.q[j] for i, j in product(range(len(pair)), repeat=2)
    }
    sets = [s for n in range(len(cells) + 1) for s in combinations(cells, n)]
    sides = [s for n in range(len(pair) + 1) for s in combinations(range(len(pair)), n)]
    rectangle, best, library = figures.rectangles(pair, ratio).numbers.column("delta")
    assert best == library == max(sum(cells[c] for c in s) for s in sets)
    assert rectangle == max(sum(cells[c] for c in product(*two)) for two in product(sides, repeat=2))
    assert rectangle <= best


def test_rectangles_where_none_is_better_than_the_empty_one():
    picture = figures.rectangles(randomized_response(ratio=3), 9)
    assert picture.figure.axes[0].get_title(loc="left") == "Two answers: Pr on x − 9 · Pr on x'"
    numbers = picture.numbers
    assert numbers.column("delta") == [0, 0, 0]


def test_the_misprint_against_long_numbers():
    with mpmath.workdps(40):
        for eps, optimum, basic, printed, meant in figures.misprint(100, 1e-6, (0.1, 0.5, 1)).numbers:
            x, root = mpmath.mpf(eps), mpmath.sqrt(200 * mpmath.log(10**6))
            assert basic == pytest.approx(100 * eps, rel=1e-12)
            assert printed == pytest.approx(float(x * root + 100 * x * mpmath.exp(x - 1)), rel=1e-9)
            assert meant == pytest.approx(float(x * root + 100 * x * (mpmath.exp(x) - 1)), rel=1e-9)
            assert optimum == pytest.approx(float(_exact(x, 100, mpmath.mpf(10) ** -6)), rel=1e-6)
            assert optimum < min(printed, meant)
            assert (printed > meant) == (eps < 0.458675)


def _exact(eps, k, delta):
    """Return the total eps of k coins at delta, by bisection on the sum over the number of lies."""
    p = mpmath.exp(eps) / (1 + mpmath.exp(eps))

    def excess(total):
        terms = (
            mpmath.binomial(k, j) * (p ** (k - j) * (1 - p) ** j - mpmath.exp(total) * p**j * (1 - p) ** (k - j))
            for j in range(k + 1)
            if (k - 2 * j) * eps > total
        )
        return sum(terms) - delta

    low, high = mpmath.mpf(0), k * eps
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def test_beliefs_after_the_attack():
    """Alone the sums say nothing and the answers r : 1; together only x and its opposite are left, r^n : 1."""
    for ratio in (3, 5):
        for n, sums, answers, both in figures.xor_posteriors((1, 2, 3, 4), ratio).numbers:
            assert sums == Fraction(1, 2)
            assert answers == Fraction(ratio, ratio + 1)
            assert both == Fraction(ratio**n, ratio**n + 1)


def test_studies_joined_in_either_world():
    assert figures.who_joins((1, 1, 0), (0, 1, 1), 2).numbers.column("value") == [2, 3, 8]
    assert figures.who_joins((0, 0), (0, 0), 3).numbers.column("value") == [0, 0, 1]


def test_a_promise_about_nothing_is_drawn_and_told_as_vacuous():
    """The output in the clear, its value leaked: no two databases are compared, in no box."""
    picture = figures.coins_by_leak(lambda x, r: x, {"x": lambda x, r: x}, range(2))
    assert list(picture.numbers) == [("x", "vacuous, vacuous", VACUOUS)]
    (row,) = figures.cubes({"trap": examples.parity_trap(3)}, 3).numbers
    assert row[1] == 0 and row[4] is VACUOUS  # no edge counts as hidden


# ------------------------------------------------------------------------------------------- what stands where


TRAP = examples.parity_trap(3)
IN_THE_LECTURE = {
    "cubes": dict(mechanisms={"the parity leaks": TRAP, "nothing leaks": TRAP.without_leak()}, ratio=3),
    "release_cost": DRAWN["release_cost"][0] | dict(copies=[1, 2, 3, 5, 10]),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_legible(name):
    in_the_lecture = IN_THE_LECTURE.get(name)
    picture = getattr(figures, name)(**in_the_lecture) if in_the_lecture else picture_of(name)
    assert drawn.faults(picture) == []


def test_boxes_hold_the_outputs_of_their_coins():
    """Count the cells inside each box: above the outputs at 0, below those at 1."""
    picture = figures.coins_by_leak(report, LEAKS, range(8))
    for ax, (name, leak) in zip(picture.figure.axes, LEAKS.items(), strict=True):
        assert ax.get_title(loc="left") == f"leaks: {name}"
        assert drawn.ticks(ax.yaxis) == [(1.5, "x = 0"), (0.5, "x = 1")]
        values = sorted({leak(x, r) for x in (0, 1) for r in range(8)}, key=str)
        boxes = drawn.segments(ax)
        assert len(boxes) == len(values)
        found = []
        for box in boxes:
            (left, bottom), (right, top) = box.min(axis=0), box.max(axis=0)
            corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
            assert (bottom, top) == (0, 2) and [tuple(corner) for corner in box] == corners
            inside = [(text, y) for text, x, y in drawn.words(ax) if left < x < right and 0 < y < 2]
            rows = [sorted(int(text) for text, y in inside if y == height) for height in (1.5, 0.5)]
            assert right - left == pytest.approx(max(map(len, rows)))
            (ratio,) = [(text, x) for text, x, y in drawn.words(ax) if left < x < right and y < 0]
            assert ratio[1] == pytest.approx((left + right) / 2)
            found.append((ratio[0].removeprefix("$e^ε$ = "), rows))
        expected = [
            (_ratio_by_counting(leak, o), [sorted(report(x, r) for r in range(8) if leak(x, r) == o) for x in (0, 1)])
            for o in values
        ]
        assert sorted(found) == sorted(expected)
        for text, x, y in drawn.words(ax):
            if y > 0:
                (cell,) = drawn.cells_at(ax, x, y)
                left, bottom, right, top = (*cell.get_bbox().min, *cell.get_bbox().max)
                assert ((left + right) / 2, (bottom + top) / 2) == pytest.approx((x, y))
                assert bool(cell.get_hatch()) == (text == "1")
        lefts = sorted(box[:, 0].min() for box in boxes)
        rights = sorted(box[:, 0].max() for box in boxes)
        assert all(right < left for right, left in zip(rights, lefts[1:], strict=False))  # the boxes stand apart


def test_edges_of_the_cube_join_neighbours():
    """Every edge ends in the middle of two databases that differ in one bit; thick is what the key tells."""
    ax = drawn.only_panel(figures.cubes({"pad": examples.one_time_pad(3, 1)}, 1))
    database = {(x, y): text for text, x, y in drawn.words(ax)}
    assert len(database) == 8
    thin, thick = (drawn.segments(ax, color=COLOURS[i]) for i in (0, 1))
    assert (len(thin), len(thick)) == (8, 4)
    edges = [frozenset(database[tuple(end)] for end in points) for points in [*thin, *thick]]
    two = combinations(database.values(), 2)
    neighbours = {frozenset({a, b}) for a, b in two if sum(x != y for x, y in zip(a, b, strict=True)) == 1}
    assert set(edges) == neighbours and len(neighbours) == 12
    exposed = {tuple(x != y for x, y in zip(*edge, strict=True)) for edge in edges[8:]}
    assert len(exposed) == 1  # all in the direction of the bit whose key leaks
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    assert all((low < place).all() and (place < high).all() for place in map(np.array, database))
    vacuous = drawn.only_panel(figures.cubes({"trap": examples.parity_trap(3)}, 3))
    assert len(drawn.segments(vacuous, linestyle=":")) == 12


def test_the_detour_is_drawn_from_database_to_database():
    ax = drawn.only_panel(figures.detour(walk(), "o", (0, 0), (1, 1)))
    assert drawn.arrows(ax) == [((0, 0), (2, 0)), ((2, 0), (2, 1)), ((2, 1), (1, 1))]
    bends = [text.arrow_patch.get_connectionstyle().rad != 0 for text in ax.texts if text.get_text() == ""]
    assert bends == [True, False, False]  # around the database that it jumps over
    blue = {(x, y): text for text, x, y in drawn.framed(ax, COLOURS[0])}
    assert blue == {x: f"{x[0]}{x[1]}\n{chance}" for x, chance in CHANCES.items()}
    others = {(x, y): text for text, x, y in drawn.words(ax) if (x, y) not in blue}
    assert others == {x: f"{x[0]}{x[1]}" for x in product(range(3), repeat=2) if x not in CHANCES}
    assert [place for place, _ in drawn.ticks(ax.xaxis)] == [place for place, _ in drawn.ticks(ax.yaxis)] == [0, 1, 2]
    assert ax.get_xlim()[0] < 0 and ax.get_xlim()[1] > 2


def test_release_cost_draws_a_rising_and_two_level_lines():
    ax = drawn.only_panel(figures.release_cost(2, Fraction(1, 10), 3, Fraction(1, 5), copies=[1, 2, 5]))
    assert drawn.line(ax, "as the remark says") == pytest.approx(np.array([(2, 0.7), (4, 1.1), (10, 2.3)]))
    for label in ("δ₁ + δ₂ − δ₁δ₂", "exact"):
        assert drawn.line(ax, label) == pytest.approx(np.array([(2, 0.28), (4, 0.28), (10, 0.28)]))
    assert drawn.levels(ax) == [1]
    ((_, x, y),) = drawn.words(ax)
    assert x == 10 and 1 < y < 1.2
    assert [place for place, _ in drawn.ticks(ax.xaxis)] == [2, 4, 10]
    assert ax.get_xlim()[1] > 10 and ax.get_ylim()[1] > 2.3


def test_the_chain_is_drawn_with_its_promises():
    a, d, b, e = THEOREM_9
    ax = drawn.only_panel(figures.chain_of_four(*THEOREM_9, start=0))
    values = [0, e, a * e + d, b * (a * e + d) + e]
    heights = {(left + right) / 2: top for left, _, right, top in drawn.cells(ax)}
    assert heights == {i: pytest.approx(float(value)) for i, value in enumerate(values) if value}
    tops = {words: point for words, point, _ in drawn.notes(ax)}
    assert tops == {str(value): (i, pytest.approx(float(value))) for i, value in enumerate(values)}
    promises = [f"independence\n× {b} + {e}", f"DP\n× {a} + {d}", f"independence\n× {b} + {e}"]
    for i, ((start, end), (words, x, y)) in enumerate(zip(drawn.arrows(ax), drawn.words(ax), strict=True)):
        assert i < start[0] < end[0] < i + 1 and start[1] == end[1] > float(values[-1])
        assert words == promises[i] and x == i + 0.5 and y > start[1]
    assert [name for _, name in drawn.ticks(ax.xaxis)] == ["x', given o", "x'", "x", "x, given o"]


def test_the_frame_runs_around_the_best_rectangle():
    """Cells: the first answer downwards, the second to the right. Each side of the frame is drawn once."""
    ax = drawn.only_panel(figures.rectangles(QUARTER))
    values = {(x, y): text for text, x, y in drawn.words(ax)}
    assert values == {(0, 0): "1/16", (1, 0): "3/16", (0, -1): "3/16", (1, -1): "-7/16"}
    for (x, y), text in values.items():
        (cell,) = drawn.cells_at(ax, x, y)
        assert (cell.get_facecolor()[:3] == (1, 1, 1)) == text.startswith("-")
        assert tuple((cell.get_bbox().min + cell.get_bbox().max) / 2) == pytest.approx((x, y))
    sides = {frozenset(map(tuple, points)) for points in drawn.segments(ax)}
    corners = [(-0.5, 0.5), (0.5, 0.5), (1.5, 0.5), (1.5, -0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)]
    assert sides == {frozenset(side) for side in pairwise(corners)} and len(drawn.segments(ax)) == 6
    assert drawn.ticks(ax.xaxis) == [(0, "tells"), (1, "silent")]
    assert drawn.ticks(ax.yaxis) == [(0, "tells"), (-1, "silent")]


def test_a_frame_of_two_rows_has_no_lines_inside():
    """The first two of three outcomes speak for P, so the best rectangle has two rows and two columns."""
    tenths = [Fraction(n, 10) for n in (5, 4, 1)]
    pair = Pair(tenths, [Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)], ["a", "b", "c"])
    ax = drawn.only_panel(figures.rectangles(pair))
    sides = {frozenset(map(tuple, points)) for points in drawn.segments(ax)}
    around = [(-0.5, 0.5), (0.5, 0.5), (1.5, 0.5), (1.5, -0.5), (1.5, -1.5), (0.5, -1.5), (-0.5, -1.5), (-0.5, -0.5)]
    assert sides == {frozenset(side) for side in pairwise([*around, around[0]])}


def test_the_misprint_is_drawn_over_the_optimum():
    ax = drawn.only_panel(figures.misprint(100, 1e-6, (0.1, 1)))
    root = math.sqrt(200 * math.log(10**6))
    lines = {label: drawn.line(ax, label) for label in drawn.labels(ax)}
    basic = lines["basic: k ε"]
    eps = basic[:, 0]
    assert (eps[0], eps[-1]) == pytest.approx((0.1, 1))
    for label, drift in (("printed: e^(ε − 1)", np.exp(eps - 1)), ("intended: e^ε − 1", np.exp(eps) - 1)):
        assert lines[label][:, 1] / basic[:, 1] == pytest.approx(root / 100 + drift, rel=1e-9)
    exact = [float(_exact(mpmath.mpf(x), 100, mpmath.mpf(10) ** -6)) for x in (0.1, 1)]
    assert basic[[0, -1], 1] == pytest.approx([10 / exact[0], 100 / exact[1]], rel=1e-9)
    (crossing,) = drawn.uprights(ax)
    assert math.exp(crossing - 1) == pytest.approx(math.exp(crossing) - 1)
    assert drawn.levels(ax) == [1]
    ((words, (x, y), _),) = drawn.notes(ax)
    assert words.strip() == "equal at 0.459" and x == crossing and 0.8 < y < 1
    assert drawn.ticks(ax.xaxis) == [(0.1, "0.1"), (1, "1")]


def test_beliefs_are_drawn_and_written():
    ax = drawn.only_panel(figures.xor_posteriors((1, 2, 3), 3))
    n = np.array([1, 2, 3])
    expected = {"exact sums alone": 0.5 + 0 * n, "noisy answers alone": 0.75 + 0 * n, "both": 3.0**n / (3.0**n + 1)}
    for label, heights in expected.items():
        assert drawn.line(ax, label) == pytest.approx(np.stack([n, heights], axis=1))
    assert [(words, point) for words, point, _ in drawn.notes(ax)] == [
        ("3/4", (1, 0.75)),
        ("9/10", (2, 0.9)),
        ("27/28", (3, pytest.approx(27 / 28))),
    ]
    assert all(above > 0 for *_, (_, above) in drawn.notes(ax))


def test_studies_are_drawn_in_both_worlds():
    one, other = (1, 1, 0, 0), (0, 1, 1, 0)
    ax = drawn.only_panel(figures.who_joins(one, other, 3))
    words = {(x, y): text for text, x, y in drawn.words(ax)}
    for i, (a, b) in enumerate(zip(one, other, strict=True)):
        assert words[i + 0.5, 1.5] == str(a) and words[i + 0.5, 0.5] == str(b)
        assert words[i + 0.5, -0.4] == ("× 3" if a or b else "the same")
        assert bool(drawn.cells_at(ax, i + 0.5, 1.5)[0].get_hatch()) == bool(a)
        assert bool(drawn.cells_at(ax, i + 0.5, 0.5)[0].get_hatch()) == bool(b)
    assert drawn.ticks(ax.xaxis) == [(0.5, "1"), (1.5, "2"), (2.5, "3"), (3.5, "4")]
    assert drawn.ticks(ax.yaxis) == [(1.5, "her data: 0"), (0.5, "her data: 1")]
