"""The figures of lecture 2 show the right numbers: by hand, from the paper, or computed another way."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

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
    lambda: figs.promise_region(Guarantee(1, 0.05)),
    lambda: figs.promise_region(Guarantee(1, 0.05), whole=True),
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
def test_every_picture_is_described_and_can_be_drawn(draw):
    picture = draw()
    assert picture.png().startswith(b"\x89PNG")
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
