"""The figures of lecture 1 show the right numbers, computed here in another way, and describe themselves."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpteach import Guarantee, composition, optimal
from dpteach.figures import Picture
from dpteach.figures import basics as figures
from dpteach.mechanisms import laplace, randomized_response

COINS = [randomized_response(ratio=ratio) for ratio in (2, 3, 4)]
DRAWN = {  # each figure, as small as it can be, with a number that its description must tell
    "laplace_loss": (dict(eps=0.5), "scale 2"),
    "stacked_losses": (dict(pairs=COINS), "3.17805"),
    "loss_landscape": (dict(draws=50), "50 outputs"),
    "worst_output": (dict(most=20), "9.53674e-07"),
    "loss_walks": (dict(ks=(1, 3), draws=100), "k = 3: mean 1.10364"),
    "tails": (dict(k=20), "k = 20"),
    "drifts": ({}, "0.693147"),
    "who_wins": ({}, "ε = 2: never, never, 486.142"),
    "noise_growth": (dict(ks=(1, 100)), "k = 29.631"),
    "above_the_floor": (dict(ks=(1, 100)), "k = 100"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_drawn_and_described(name):
    settings, told = DRAWN[name]
    picture = getattr(figures, name)(**settings)
    assert isinstance(picture, Picture)
    assert told in picture.alt and picture.alt.endswith(".")
    assert picture.png().startswith(b"\x89PNG")
    assert len(picture.numbers) >= 2


def test_all_figures_are_tested():
    home = figures.__name__
    made_here = {name for name, thing in vars(figures).items() if getattr(thing, "__module__", "") == home}
    assert {name for name in made_here if not name.startswith("_")} == set(DRAWN)


def test_laplace_loss_is_the_log_of_the_densities():
    for y, p, q, ratio, loss in figures.laplace_loss(0.5).numbers:
        assert p == pytest.approx(0.25 * math.exp(-abs(y - 7) / 2), rel=1e-14)
        assert q == pytest.approx(0.25 * math.exp(-abs(y - 6) / 2), rel=1e-14)
        assert ratio == pytest.approx(math.exp(loss), rel=1e-14)


def test_stacked_losses_are_those_of_the_product():
    """The logarithms add up to that of the exact product, whose largest ratio is 2 * 3 * 4."""
    whole = COINS[0] @ COINS[1] @ COINS[2]
    exact = {" ".join(map(str, _flat(y))): p / q for y, p, q in zip(whole.outcomes, whole.p, whole.q, strict=True)}
    numbers = figures.stacked_losses(COINS).numbers
    assert max(exact.values()) == Fraction(24)
    assert {row[0] for row in numbers} == set(exact)
    for output, *parts, total in numbers:
        assert sum(parts) == pytest.approx(total, rel=1e-14) == pytest.approx(math.log(exact[output]), rel=1e-12)


def _flat(outcome):
    return sum(map(_flat, outcome), ()) if isinstance(outcome, tuple) else (outcome,)


def test_loss_landscape_counts_plateaus():
    """Both noises positive: 1/4 under P; under Q the same event has e^-eps / 4. The shares of draws come close."""
    numbers = figures.loss_landscape(eps=2, draws=40000).numbers
    assert numbers.column("P") == pytest.approx([0.25, math.exp(-2) / 4, 0.75 - math.exp(-2) / 4], rel=1e-14)
    assert numbers.column("Q") == pytest.approx([math.exp(-2) / 4, 0.25, 0.75 - math.exp(-2) / 4], rel=1e-14)
    assert numbers.column("share of 40000 draws") == pytest.approx(numbers.column("P"), abs=0.01)


def test_worst_output_multiplies():
    numbers = figures.worst_output(total=1, each=(1, 10), most=100).numbers
    assert numbers.column("k") == [1, 2, 10, 30, 100]
    for k, by_laplace, by_share, by_one, by_ten in numbers:
        assert by_laplace == 2.0**-k
        assert by_share == pytest.approx(float(randomized_response(1 / k).p[0]) ** k, rel=1e-12)
        assert by_one == pytest.approx(float(randomized_response(1).p[0]) ** k, rel=1e-12)
        assert by_ten == pytest.approx(float(randomized_response(10).p[0]) ** k, rel=1e-12)
    assert by_ten == pytest.approx(0.99547039980127161, rel=1e-12)


def test_loss_walks_agree_with_their_draws():
    """Mean k (eps - 1 + e^-eps); the largest loss has probability 2^-k; draws agree within a few deviations."""
    for k, mean, drawn, std, largest, spike, _ in figures.loss_walks(0.7, (1, 2, 5, 40), draws=10000).numbers:
        assert mean == pytest.approx(k * (0.7 - 1 + math.exp(-0.7)), rel=1e-10)
        assert abs(drawn - mean) < 4 * std / 100
        assert (largest, spike) == pytest.approx((0.7 * k, 2.0**-k), rel=1e-10)


def test_tails_of_one_and_of_many_answers():
    """One answer: Laplace's own curve. Many: a smaller delta needs more, and the tail asks for more than delta."""
    by_tail, by_laplace, by_coins = figures.tails(1.5, k=1, deltas=(0.1,)).numbers.rows[0][1:]
    assert by_tail == pytest.approx(1.5, rel=1e-9)  # half of the outputs lose all of it
    assert by_laplace == pytest.approx(laplace(1.5).epsilon(0.1), rel=1e-9)
    assert by_coins == pytest.approx(randomized_response(1.5).epsilon(0.1), rel=1e-9)
    rows = figures.tails(1, k=100).numbers.rows
    assert rows[-1][3] == pytest.approx(0.39226394309347234, rel=1e-9)
    assert all(tail > coins > noise for _, tail, noise, coins in rows)
    assert np.all(np.diff([row[1:] for row in rows], axis=0) > 0)


def test_drifts_bound_what_is_lost_on_average():
    numbers = figures.drifts(at=(0.2, math.log(2), 2)).numbers
    for eps, drv, post, kov, coin, noise in numbers:
        assert kov == pytest.approx(coin, rel=1e-12)  # KOV's drift is what randomized response loses on average
        assert noise < kov < post < drv
        assert noise == pytest.approx((eps - 1 + math.exp(-eps)) / eps, rel=1e-12)
    assert numbers.column("DRV")[1] == pytest.approx(1, rel=1e-12)
    assert numbers.column("concentrated")[2] == 1


CROSSING = [("DRV", composition.advanced), ("concentrated", composition.concentrated)]


@pytest.mark.parametrize(("column", "theorem"), CROSSING)
def test_crossovers_are_where_the_theorems_cross(column, theorem):
    numbers = figures.who_wins(1e-6).numbers
    for eps, k in zip(numbers.column("ε"), numbers.column(column), strict=True):
        below, above = (1, 10**9) if k == "never" else (math.floor(k), math.ceil(k))
        assert theorem(Guarantee(eps), 1e-6, k=below).epsilon >= below * eps
        assert (theorem(Guarantee(eps), 1e-6, k=above).epsilon < above * eps) == (k != "never")


def test_the_edge_of_the_map_is_where_basic_composition_stops_winning():
    for k in (25, 100, 5000):
        eps = figures._last_win(k, 1e-6)
        assert composition.kov_closed_form(Guarantee(0.999 * eps), 1e-6, k=k).epsilon < 0.999 * eps * k
        assert composition.kov_closed_form(Guarantee(1.001 * eps), 1e-6, k=k).branch == "first: the sum"


def test_noise_growth_keeps_its_promise():
    """The scale called exact is just enough: with it the optimum meets the target, with a little less it does not."""
    numbers = figures.noise_growth(1, 1e-6, ks=(1, 100, 1000)).numbers
    for k, basic, recipe, larger_rho, exact, constant in numbers:
        assert basic == k
        assert exact <= basic and exact < larger_rho < recipe
        assert (
            optimal(Guarantee(1 / exact), k=k).epsilon(1e-6) <= 1 < optimal(Guarantee(1.001 / exact), k=k).epsilon(1e-6)
        )
        assert constant == pytest.approx(exact / math.sqrt(k), rel=1e-12)
    assert numbers.rows[1][2:5] == pytest.approx((54.43438354195678, 53.49980061976304, 41.64743874325148), rel=1e-9)


def test_nothing_lies_below_the_floor_but_the_mechanism_itself():
    numbers = figures.above_the_floor(0.1, 1e-6, ks=(1, 10, 100)).numbers
    for k, floor, *theorems, noise in numbers:
        assert floor == pytest.approx((randomized_response(0.1) ** k).epsilon(1e-6), rel=1e-9)
        assert noise < floor <= min(theorems)
    assert numbers.rows[-1][1] == pytest.approx(4.7745675881079865, rel=1e-9)
