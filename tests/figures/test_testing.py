"""The figures of lecture 2 show the right numbers: by hand, from the paper, or computed another way."""

import math
from fractions import Fraction
from itertools import combinations, product

import drawn
import numpy as np
import pytest
import scipy.stats
from matplotlib.colors import to_rgba

from dpteach import Guarantee, Pair, composition, figures, mechanisms, optimal
from dpteach.figures import testing as figs

TENTHS = [Fraction(n, 10) for n in (1, 2, 3, 4)]
REPORT = Pair(TENTHS, TENTHS[::-1], ["none", "few", "some", "many"])  # p: with Alice
LETTERS = Pair([0.3, 0.25, 0.2, 0.25], [0.2, 0.1, 0.1, 0.6], "ABCD")
COIN = mechanisms.randomized_response(ratio=3)
PICTURES = [
    lambda: figs.noisy_count(85, 84, 1, 84.5),
    lambda: figs.forbidden(Guarantee(1, 0.05), 0.1),
    lambda: figs.best_tests(LETTERS),
    lambda: figs.repairs(1, 0, 3, 5),
    lambda: figs.enough(Guarantee(0.1, 0.001), 30),
    lambda: figs.equal_errors({"one": COIN, "two": COIN**2}),
    lambda: figs.two_errors(REPORT, {"some", "many"}),
    lambda: figs.promise_region(Guarantee(math.log(3), 0.1)),
    lambda: figs.promise_region(Guarantee(math.log(3), 0.1), whole=True),
    lambda: figs.every_test(REPORT),
    lambda: figs.every_test(REPORT, coin=({"many"}, {"some", "many"})),
    lambda: figs.tangents(REPORT, [0, 1]),
    lambda: figs.simulation(COIN, mechanisms.randomized_response(ratio=2)),
    lambda: figs.simulation(COIN, REPORT),
    lambda: figs.growth_with_k(0.4),
    lambda: figs.three_theorems(Guarantee(0.1, 0.001), 30),
    lambda: figs.distance_to_truth(0.1, 1e-6, [1, 10, 100]),
    figs.gaussian_promise,
    figs.cut_query_gain,
]


@pytest.mark.parametrize("draw", PICTURES)
def test_every_picture_is_described_and_legible(draw):
    picture = draw()
    assert picture.png().startswith(b"\x89PNG")
    assert drawn.faults(picture) == []
    assert any(character.isdigit() for character in picture.alt)
    assert picture.numbers.columns


def test_errors_by_hand():
    assert figs.errors(REPORT, {"some", "many"}) == (Fraction(3, 10), Fraction(3, 10))
    assert figs.errors(REPORT, {"many"}) == (Fraction(6, 10), Fraction(1, 10))
    assert figs.errors(REPORT, ()) == (1, 0)
    assert figs.errors(REPORT, REPORT.outcomes) == (0, 1)


def test_turning_a_test_around_turns_its_errors_around():
    for reject in ({"none"}, {"few", "many"}, set()):
        missed, alarm = figs.errors(REPORT, reject)
        assert figs.errors(REPORT, set(REPORT.outcomes) - reject) == (1 - missed, 1 - alarm)


def test_a_miss_is_an_error_with_alice_and_a_false_alarm_one_without_her():
    assert figs.errors(LETTERS, "BC") == pytest.approx((0.55, 0.2))
    lower = figures.lower_boundary(LETTERS)
    assert lower == pytest.approx(np.array([(0, 1), (0.25, 0.4), (0.55, 0.2), (0.75, 0.1), (1, 0)]))


def test_a_noisy_count_errs_as_its_integrals_say():
    numbers = dict(figs.noisy_count(85, 84, eps=2, cut=84.75).numbers)
    x = np.linspace(40, 130, 900_001)
    middles = (x[1:] + x[:-1]) / 2
    with_alice, without = (np.exp(-2 * np.abs(middles - count)) * (x[1] - x[0]) for count in (85, 84))
    assert numbers["missed detection"] == pytest.approx(with_alice[middles < 84.75].sum(), abs=1e-6)
    assert numbers["false alarm"] == pytest.approx(without[middles > 84.75].sum(), abs=1e-6)


@pytest.mark.parametrize(("delta", "alarm"), [(0, 0.1), (0.1, 0.05), (0.2, 0.15)])
def test_what_a_promise_forbids_at_a_false_alarm(delta, alarm):
    promise = Guarantee(math.log(3), delta)
    least = figs.forbidden(promise, alarm).numbers.column("least missed detection")
    assert least == pytest.approx(sorted([1 - delta - 3 * alarm, (1 - delta - alarm) / 3]))
    assert least[-1] == pytest.approx(promise.curve.tradeoff(alarm))


def test_the_best_tests_are_the_corners():
    rows = list(figs.best_tests(LETTERS).numbers)
    assert [row[0] for row in rows] == ["B", "B, C", "B, C, A", "B, C, A, D"]
    corners = figures.lower_boundary(LETTERS)[::-1][1:]
    assert np.array([row[1:] for row in rows]) == pytest.approx(corners)


def test_repairs_by_hand():
    published, cleaned, rounded = figs.repairs(1, 0, 3, 5).numbers.column("error when both errors are equal")
    assert published == pytest.approx(0.25) and cleaned == pytest.approx(0.25)
    upper, lower = (Fraction(1, 12), Fraction(1, 36)), (Fraction(1, 108), Fraction(1, 36))  # P and Q of 3 or more, ...
    middle = 1 - upper[0] - lower[0], 1 - upper[1] - lower[1]  # of what becomes 0
    share = (1 - upper[0] - upper[1]) / sum(middle)  # on so much of it the test says with
    assert rounded == pytest.approx(float(upper[1] + share * middle[1]))


def test_equal_errors_are_told_in_the_title():
    picture = figs.equal_errors({"one": COIN, "three": COIN**3})
    assert picture.numbers.column("error when both errors are equal") == [0.25, 0.15625]
    assert picture.figure.axes[0].get_title("left") == "Equal errors: 0.25, 0.156"


def test_enough_says_what_the_optimum_says():
    told = figs.enough(Guarantee(0.1, 0.001), 30).numbers
    assert told.column("by") == ["basic", "exact optimum"]
    basic, exact = told.column(told.columns[1])
    assert basic == pytest.approx(3) and optimal(Guarantee(0.1, 0.001), k=30).delta(exact) == pytest.approx(0.03)


def test_all_tests_are_listed_once():
    table = figs.all_tests(REPORT)
    assert len(set(table.column("says D1 on"))) == len(table) == 16
    corners = {tuple(point) for point in REPORT.region()}
    assert corners <= {row[1:] for row in table}


def test_two_errors_tells_both():
    picture = figs.two_errors(REPORT, {"many"})
    assert picture.numbers.column("probability") == [Fraction(1, 10), Fraction(6, 10)]
    assert "false alarm 1/10" in picture.alt and "missed detection 3/5" in picture.alt


@pytest.mark.parametrize(
    ("eps", "delta", "corner", "ends"),
    [(1, 0.05, 0.25549435030149536, 0.51098870060299073), (math.log(3), 0.1, 0.225, 0.45)],
)
def test_promise_region(eps, delta, corner, ends):
    """The corner and the ends of the line of slope -1 are those of KOV's Figure 1."""
    promise = Guarantee(eps, delta)
    half, whole = (figs.promise_region(promise, whole).numbers.column("value") for whole in (False, True))
    assert whole == pytest.approx([corner, ends, 1 - ends, 8], rel=1e-12)
    assert half == pytest.approx([corner, ends, 1 - ends, 5], rel=1e-12)
    assert whole[2] == pytest.approx(promise.curve.delta(0), rel=1e-12)


def test_without_delta_the_octagon_is_a_quadrilateral():
    assert figs.promise_region(Guarantee(1, 0), whole=True).numbers.column("value")[3] == 4


def test_a_fair_coin_lies_halfway():
    picture = figs.every_test(REPORT, coin=({"many"}, {"some", "many"}))
    assert "9/20 and 1/5" in picture.alt
    assert REPORT.tradeoff(Fraction(1, 5)) == Fraction(9, 20)
    assert np.allclose(picture.numbers.rows, [(0, 1), (0.1, 0.6), (0.3, 0.3), (0.6, 0.1), (1, 0)])


def test_tangents_touch_the_region():
    """A line of slope -e^eps at height 1 - delta(eps) has no test below it, and touches one."""
    table = figs.tangents(REPORT, [0, math.log(2), math.log(3)]).numbers
    points = np.array([row[1:] for row in figs.all_tests(REPORT)], dtype=float)
    for _, slope, delta in table:
        assert min(points[:, 1] + slope * points[:, 0]) == pytest.approx(1 - delta, rel=1e-12)
    assert table.column("delta(eps)") == pytest.approx([0.4, 0.2, 0.1])


def test_simulation_finds_the_only_map():
    """From the coin 3 : 1 there is one map at most: T_0 = (3 P - Q) / 2 and T_1 = (3 Q - P) / 2."""
    law = [Fraction(n, 10) for n in (5, 3, 2)]
    table = figs.simulation(COIN, Pair(law, law[::-1], ["low", "middle", "high"])).numbers
    assert [list(row[1:]) for row in table] == [pytest.approx([0.65, 0.3, 0.05]), pytest.approx([0.05, 0.3, 0.65])]


def test_simulation_says_when_there_is_none():
    picture = figs.simulation(COIN, REPORT)
    assert len(picture.numbers) == 0 and "No map exists" in picture.alt


def test_growth_with_k():
    """Equal errors by enumeration of all answers; 1 - (1 - delta)^k is given away."""
    for delta, k, corners, error, lost in figs.growth_with_k(0.4).numbers:
        pair = mechanisms.randomized_response(0.4, delta)
        p, q = ([math.prod(y) for y in product(law, repeat=k)] for law in (pair.p, pair.q))
        assert error == pytest.approx(_equal_errors(p, q), rel=1e-9)
        assert lost == pytest.approx(1 - (1 - delta) ** k) and corners == k + 2 * (delta > 0)


def _equal_errors(p, q):
    """Largest x at which some line through the diagonal says that both errors are at least x."""
    ratios = np.exp(0.4 * np.arange(-5, 6))
    deltas = [sum(max(a - r * b, 0) for a, b in zip(p, q, strict=True)) for r in ratios]
    return max((1 - d) / (1 + r) for r, d in zip(ratios, deltas, strict=True))


def test_three_theorems_of_figure_3():
    picture = figs.three_theorems(Guarantee(0.1, 0.001), 30)
    told = picture.numbers.column("error when both are equal")
    assert told == pytest.approx([0.046003096982239777, 0.16526872859779967, 0.38137023566609269], rel=1e-7)
    assert "0.0460031" in picture.alt and "0.1652687" in picture.alt and "0.3813702" in picture.alt


def test_least_alarm_is_the_border_of_a_promise():
    promise, missed = Guarantee(1, 0.05), np.linspace(0, 1, 21)
    lower = figures.lower_boundary(promise)
    expected = np.interp(missed[1:], *lower[1:].T)  # at 0 the border is vertical
    assert figs.least_alarm([promise], missed)[1:] == pytest.approx(expected, abs=1e-12)
    both = figs.least_alarm([promise, Guarantee(2, 0)], missed)
    assert (both >= figs.least_alarm([promise], missed)).all()
    assert promise.equal_errors == pytest.approx(0.25549435030149536)


def test_distance_to_truth():
    table = figs.distance_to_truth(0.1, 1e-6, [1, 100]).numbers
    k, exact, basic, advanced, closed, sharper = table.rows[1]
    assert exact == pytest.approx(4.7745675881079865, rel=1e-12)
    assert exact * closed == pytest.approx(5.756105519335732) and exact * sharper == pytest.approx(5.406593199312651)
    assert (k, exact * basic) == (100, pytest.approx(10)) and advanced > closed > sharper > 1


def test_where_the_promise_of_theorem_43_breaks():
    table = figs.gaussian_promise((0.5, 0.1, 1e-5)).numbers
    assert table.column("true / promised at eps = 100")[1] == pytest.approx(2.16876863794631, rel=1e-11)
    for delta, share in zip((0.5, 0.1, 1e-5), table.column("true / promised at eps = 1"), strict=True):
        mu = 1 / math.sqrt(8 * math.log(math.e + 1 / delta))
        exact = scipy.stats.norm.cdf(mu / 2 - 1 / mu) - math.e * scipy.stats.norm.cdf(-mu / 2 - 1 / mu)
        assert share == pytest.approx(exact / delta, rel=1e-6)
    assert table.column("breaks from eps") == pytest.approx([83.046746324, 91.321892376, 169.262344140], rel=1e-9)
    assert figs.spent(100, 0.1) == pytest.approx(0.216876863794631, rel=1e-11)
    assert figs.spent(84, 0.5) == pytest.approx(0.524258390639415, rel=1e-11)


def test_gain_of_cut_queries():
    table = figs.cut_query_gain().numbers
    assert table.column("at eps = delta") == pytest.approx([0.4360207579860225, 0.308313234710015, 0.25173670199549475])
    for eps, delta in ((0.5, 1e-6), (2, 1e-6)):
        expected = math.sqrt(math.log(math.e + eps / delta) / math.log(1 / delta))
        assert figs.gain(eps, delta) == pytest.approx(expected, rel=1e-12)
    limit = table.column("gain below eps")[0]
    assert figs.gain(limit * 0.999, 1e-3) < 1 < figs.gain(limit * 1.001, 1e-3)


def test_the_exact_region_lies_inside_the_others():
    """Theorem 3.3 lies inside both others: its border is nowhere below theirs."""
    promise, missed = Guarantee(0.1, 0.001), np.linspace(0, 1, 101)
    exact = [float(optimal(promise, k=30).tradeoff(x)) for x in missed]  # the border is symmetric
    for family in ([composition.basic(promise, k=30)], [composition.advanced(promise, s, k=30) for s in (1e-6, 0.1)]):
        assert (figs.least_alarm(family, missed) <= np.array(exact) + 1e-12).all()


# ------------------------------------------------------------------------------------------- what stands where


def test_errors_are_hatched():
    """Blue bars are P, with Alice, orange ones Q; hatched are P where the test says D0, and Q where it says D1."""
    ax = drawn.only_panel(figs.two_errors(REPORT, {"many"}))
    for i, outcome in enumerate(REPORT.outcomes):
        (left,) = drawn.cells_at(ax, i - 0.2, 0.05)
        (right,) = drawn.cells_at(ax, i + 0.2, 0.05)
        assert (left.get_height(), right.get_height()) == (float(TENTHS[i]), float(TENTHS[::-1][i]))
        assert bool(left.get_hatch()) == (outcome != "many")
        assert bool(right.get_hatch()) == (outcome == "many")
        assert left.get_x() + left.get_width() < right.get_x()
        assert left.get_edgecolor() == to_rgba(figures.COLOURS[0])
        assert right.get_edgecolor() == to_rgba(figures.COLOURS[1])
    assert drawn.ticks(ax.xaxis) == [(i, f"{name}\nsay D{int(i == 3)}") for i, name in enumerate(REPORT.outcomes)]
    assert ax.get_ylim()[0] == 0 and ax.get_ylim()[1] > 0.4


@pytest.mark.parametrize("draw", PICTURES[7:15])
def test_every_region_lies_below_blind_guessing(draw):
    regions = [ax for ax in draw().figure.axes if ax.get_xlabel() == "missed detection"]
    for ax in regions:
        (blind,) = drawn.segments(ax, color="0.55")
        assert blind.tolist() == [[0, 1], [1, 0]]
        assert ax.get_xlim() == ax.get_ylim() == (-0.01, 1.01)
    assert regions


def test_a_set_that_can_be_read_only_once():
    told = figs.two_errors(REPORT, iter(["some", "many"]))
    assert "{some, many}: false alarm 3/10, missed detection 3/10" in told.alt


def test_the_octagon_has_its_corners_where_the_promise_says():
    """e^eps = 3 and delta = 1/10: both errors 0.9 / 4 at the corner, and the mirror images of all corners."""
    ax = drawn.only_panel(figs.promise_region(Guarantee(math.log(3), 0.1), whole=True))
    region, hatched = drawn.polygons(ax)
    below = [(0, 1), (0, 0.9), (0.225, 0.225), (0.9, 0), (1, 0)]
    octagon = sorted({*below, *((1 - x, 1 - y) for x, y in below)})
    assert np.array(sorted({tuple(corner) for corner in region.round(9)})) == pytest.approx(np.array(octagon))
    extra = [(0.1, 1), (0.775, 0.775), (1, 0.1), (1, 1)]
    assert np.array(sorted({tuple(corner) for corner in hatched.round(9)})) == pytest.approx(np.array(extra))
    marks = [(0, 0.9), (0.225, 0.225), (0.9, 0), (0, 0.45), (0.45, 0)]
    assert np.array(drawn.markers(ax)) == pytest.approx(np.array(marks))
    (slope,) = drawn.segments(ax, linestyle=":")
    assert slope == pytest.approx(np.array([(0, 0.45), (0.45, 0)]))
    points = {(words, point) for words, point, _ in drawn.notes(ax)}
    assert {words for words, _ in points} == {"1 − δ", "corner", "1 − TV"}
    assert dict((p, w) for w, p in points)[0.0, 0.9] == "1 − δ"
    directions = {point: np.sign(offset).tolist() for _, point, offset in drawn.notes(ax)}
    assert directions[0.0, 0.9] == [1, -1] and directions[0.9, 0.0] == [-1, 1]  # into the region
    outline = max(drawn.segments(ax, color=figures.COLOURS[0]), key=len)
    assert (outline[0] == outline[-1]).all() and len(outline) == 9


def test_the_lower_half_is_open():
    ax = drawn.only_panel(figs.promise_region(Guarantee(1, 0.05)))
    (border,) = drawn.segments(ax, color=figures.COLOURS[0])
    corner = 0.95 / (1 + math.e)
    assert border == pytest.approx(np.array([(0, 1), (0, 0.95), (corner, corner), (0.95, 0), (1, 0)]))
    assert len(drawn.polygons(ax)) == 1


def test_every_test_is_a_dot_and_a_coin_lies_between_two():
    ax = drawn.only_panel(figs.every_test(REPORT, coin=({"many"}, {"some", "many"})))
    dots = {tuple(dot) for dot in drawn.line(ax, "tests without a coin").round(9)}
    sets = [s for n in range(5) for s in combinations(range(4), n)]
    by_hand = {(sum(4 - i for i in range(4) if 3 - i not in s) / 10, sum(4 - i for i in s) / 10) for s in sets}
    assert {(round(x, 9), round(y, 9)) for x, y in by_hand} == dots
    best = [(0, 1), (0.1, 0.6), (0.3, 0.3), (0.6, 0.1), (1, 0)]
    assert drawn.line(ax, "the best tests") == pytest.approx(np.array(best))
    (region,) = drawn.polygons(ax)
    mirror = [(1 - x, 1 - y) for x, y in best]
    assert {tuple(corner) for corner in region.round(9)} == {(round(x, 9), round(y, 9)) for x, y in best + mirror}
    assert drawn.line(ax, "toss a coin between two").tolist() == [[0.6, 0.1], [0.3, 0.3]]
    assert np.array(drawn.markers(ax)) == pytest.approx(np.array([(0.45, 0.2)]))


def test_tangents_are_drawn_with_their_mirror_images():
    ax = drawn.only_panel(figs.tangents(REPORT, [0, math.log(2)]))
    flat = drawn.line(ax, "ε = 0: δ = 0.4")
    assert flat.sum(axis=1) == pytest.approx(0.6)
    steep = drawn.line(ax, "ε = 0.693: δ = 0.2")
    assert steep[:, 1] == pytest.approx(0.8 - 2 * steep[:, 0])
    (mirror,) = drawn.segments(ax, linestyle="-.")
    assert mirror == pytest.approx(steep[:, ::-1])
    for tangent in (flat, steep):
        assert tangent[0, 0] < 0 and tangent[1, 0] > 1  # they cross the whole picture
    border = next(one for one in drawn.segments(ax, linestyle="-") if len(one) == 5)
    assert border == pytest.approx(np.array([(0, 1), (0.1, 0.6), (0.3, 0.3), (0.6, 0.1), (1, 0)]))
    ((area,),) = drawn.areas(ax)
    assert {tuple(corner) for corner in border.round(9)} <= {tuple(corner) for corner in area.round(9)}


def test_simulation_draws_both_regions_and_the_map():
    left, right = figs.simulation(COIN, mechanisms.randomized_response(ratio=2)).figure.axes
    assert drawn.line(left, "source") == pytest.approx(np.array([(0, 1), (0.25, 0.25), (1, 0)]))
    assert drawn.line(left, "target") == pytest.approx(np.array([(0, 1), (1 / 3, 1 / 3), (1, 0)]))
    (image,) = right.images
    assert np.array(image.get_array()) == pytest.approx(np.array([[5 / 6, 1 / 6], [1 / 6, 5 / 6]]))
    assert {(float(words), x, y) for words, x, y in drawn.words(right)} == {
        (0.833, 0, 0),
        (0.167, 1, 0),
        (0.167, 0, 1),
        (0.833, 1, 1),
    }
    assert drawn.ticks(right.xaxis) == [(0, "says 0"), (1, "says 1")]
    assert drawn.ticks(right.yaxis) == [(0, "sees 0"), (1, "sees 1")]
    _, nothing = figs.simulation(COIN, REPORT).figure.axes
    assert not nothing.axison and "there is none" in drawn.words(nothing)[0][0]


def test_growth_with_k_draws_the_regions_of_all_answers():
    """The least sum of alarm and r times missed is that of min(p, r q), over all answers one by one."""
    panels = figs.growth_with_k(0.4, ks=(1, 3)).figure.axes
    for ax, delta in zip(panels, (0, 0.1), strict=True):
        assert ax.get_title(loc="left") == f"ε = 0.4, δ = {delta:g}"
        for k in (1, 3):
            pair = mechanisms.randomized_response(0.4, delta)
            p = np.array([math.prod(y) for y in product(pair.p, repeat=k)])
            q = np.array([math.prod(y) for y in product(pair.q, repeat=k)])
            border = drawn.line(ax, f"k = {k}")
            assert border[[0, -1]].tolist() == [[0, 1], [1, 0]]
            for missed, alarm in border[1:-1]:
                above = [alarm + r * missed - np.minimum(p, r * q).sum() for r in p[q > 0] / q[q > 0]]
                assert min(above) == pytest.approx(0, abs=1e-12)


def test_three_theorems_are_drawn_by_their_formulas():
    ax = drawn.only_panel(figs.three_theorems(Guarantee(0.1, 0.001), 30))
    missed, basic = drawn.line(ax, "basic (Theorem 3.1)").T
    eps, delta = 3.0, 0.03
    by_hand = np.maximum.reduce([1 - delta - np.exp(eps) * missed, np.exp(-eps) * (1 - delta - missed), 0 * missed])
    assert basic == pytest.approx(by_hand, abs=1e-12)
    _, advanced = drawn.line(ax, "DRV (Theorem 3.2)").T
    slacks = np.concatenate([np.geomspace(1e-12, 1e-3, 200), np.linspace(1e-3, 1, 1500)])[:, None]
    eps = 30 * 0.1 * np.expm1(0.1) + 0.1 * np.sqrt(60 * np.log(1 / slacks))
    delta = np.minimum(0.03 + slacks, 1)
    family = np.maximum(1 - delta - np.exp(eps) * missed, np.exp(-eps) * (1 - delta - missed))
    assert advanced == pytest.approx(np.maximum(family.max(axis=0), 0), abs=1e-9)
    exact = drawn.line(ax, "exact optimum (Theorem 3.3)")[1:]  # the border begins with a vertical piece
    assert exact[:, 1] == pytest.approx([float(optimal(Guarantee(0.1, 0.001), k=30).tradeoff(x)) for x in exact[:, 0]])
    dots = drawn.markers(ax)
    assert [x == y for x, y in dots] == [True] * 3
    assert [x for x, _ in dots] == pytest.approx([0.046003096982, 0.165268728598, 0.381370235666], rel=1e-7)
    assert [(words, point) for words, point, _ in drawn.notes(ax)] == [(f"{x:.4f}", (x, y)) for x, y in dots]


def test_distance_to_truth_draws_its_numbers():
    picture = figs.distance_to_truth(0.1, 1e-6, [1, 10, 100])
    ax = drawn.only_panel(picture)
    assert drawn.labels(ax) == ["basic", "DRV", "KOV", "sharper"]
    for label in drawn.labels(ax):
        assert drawn.line(ax, label).T.tolist() == [[1, 10, 100], picture.numbers.column(f"{label} / exact")]
    assert drawn.levels(ax) == [1] and ax.get_xlim() == (1, 100)
    ((words, x, y),) = drawn.words(ax)
    assert "Theorem 3.3" in words and x == 1 and 0.9 < y < 1


def test_gaussian_promise_is_drawn_by_the_normal_law():
    ax = drawn.only_panel(figs.gaussian_promise((0.1,)))
    eps, share = drawn.line(ax, "promised δ = 0.1").T
    mu = eps / np.sqrt(8 * np.log(np.e + eps / 0.1))
    log_tail = eps + scipy.stats.norm.logcdf(-mu / 2 - eps / mu)
    exact = scipy.stats.norm.cdf(mu / 2 - eps / mu) - np.exp(log_tail)
    assert share == pytest.approx(exact / 0.1, rel=1e-6)
    assert (eps[0], eps[-1]) == pytest.approx((5, 400))
    assert np.array(drawn.markers(ax)) == pytest.approx(np.array([(91.321892376, 1)]))
    assert drawn.levels(ax) == [1] and ax.get_xlim() == (5, 400)
    assert drawn.ticks(ax.xaxis) == [(x, str(x)) for x in (5, 10, 20, 50, 100, 200, 400)]
    (broken,) = [cell for cell in drawn.cells(ax)]
    assert broken[1] == 1 and broken[3] >= ax.get_ylim()[1]
    ((_, x, y),) = drawn.words(ax)
    assert 5 < x < 20 and 1 < y < 10


def test_cut_query_gain_is_drawn_by_its_closed_form():
    ax = drawn.only_panel(figs.cut_query_gain((1e-3, 1e-6)))
    for delta, label in ((1e-3, "δ = 0.001"), (1e-6, "δ = 1e-6")):
        eps, gain = drawn.line(ax, label).T
        assert (eps[0], eps[-1]) == pytest.approx((delta, 10))
        assert gain == pytest.approx(np.sqrt(np.log(np.e + eps / delta) / -np.log(delta)), rel=1e-12)
        assert (eps[0], gain[0]) in drawn.markers(ax)
    assert drawn.levels(ax) == [1]
