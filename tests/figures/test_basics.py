"""The figures of lecture 1 show the right numbers, computed here in another way, and describe themselves."""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import drawn
import numpy as np
import pytest
import scipy.stats
from matplotlib.path import Path

from dpteach import Guarantee, composition, optimal
from dpteach.figures import COLOURS, Picture
from dpteach.figures import basics as figures
from dpteach.mechanisms import laplace, randomized_response
from dpteach.numerics.walk import loss_walk

COINS = [randomized_response(ratio=ratio) for ratio in (2, 3, 4)]
DRAWN = {  # each figure, as small as it can be, with a number that its description must tell
    "laplace_loss": (dict(eps=0.5), "scale 2"),
    "stacked_losses": (dict(pairs=COINS), "3.17805"),
    "loss_landscape": (dict(draws=50), "50 outputs"),
    "worst_output": (dict(most=20), "9.53674 · 10⁻⁷"),
    "loss_walks": (dict(ks=(1, 3), draws=100), "k = 3: mean 1.10364"),
    "tails": (dict(k=20), "k = 20"),
    "drifts": ({}, "0.693147"),
    "who_wins": ({}, "ε = 2: never, never, 486.142"),
    "noise_growth": (dict(ks=(1, 100)), "k = 29.631"),
    "above_the_floor": (dict(ks=(1, 100)), "k = 100"),
}


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
    assert len(picture.numbers) >= 2


def test_all_figures_are_tested():
    home = figures.__name__
    made_here = {name for name, thing in vars(figures).items() if getattr(thing, "__module__", "") == home}
    assert {name for name in made_here if not name.startswith("_")} == set(DRAWN)


def test_laplace_loss_is_the_log_of_the_densities():
    assert figures.laplace_loss().numbers.column("y") == [4, 6, 6.5, 7, 10]
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
    assert numbers.column("loss") == ["2", "-2", "between"]
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
    for k, mean, sampled, std, largest, spike, _ in figures.loss_walks(0.7, (1, 2, 5, 40), draws=10000).numbers:
        assert mean == pytest.approx(k * (0.7 - 1 + math.exp(-0.7)), rel=1e-10)
        assert abs(sampled - mean) < 4 * std / 100
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


# ------------------------------------------------------------------------------------------- what stands where


IN_THE_LECTURE = {"tails", "above_the_floor"}  # here more is drawn than in the small figures, and elsewhere


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_legible(name):
    picture = getattr(figures, name)() if name in IN_THE_LECTURE else picture_of(name)
    assert drawn.faults(picture) == []


def test_laplace_loss_draws_densities_and_their_ratio():
    above, below = figures.laplace_loss(0.5).figure.axes
    y, p = drawn.line(above, "P: with Alice").T
    assert (y[0], y[-1]) == (1, 12)
    assert p == pytest.approx(0.25 * np.exp(-0.5 * np.abs(y - 7)), rel=1e-12)
    assert drawn.line(above, "Q: without Alice")[:, 1] == pytest.approx(0.25 * np.exp(-0.5 * np.abs(y - 6)), rel=1e-12)
    (loss,) = drawn.segments(below)
    assert loss[:, 1] == pytest.approx((np.abs(y - 6) - np.abs(y - 7)) / 2, abs=1e-12)
    assert drawn.levels(below) == [0.5, -0.5]
    for words, (x, level), (_, up) in drawn.notes(below):
        assert (x, level) == (1, {"+ε": 0.5, "−ε": -0.5}[words])
        assert up * level > 0  # beyond the line, seen from zero
    low, high = below.get_ylim()
    assert low < -0.5 and high > 0.5


def test_stacked_losses_say_what_was_reported():
    said = figures.stacked_losses(COINS, words=["yes", "no"]).numbers.column("output")
    digits = figures.stacked_losses(COINS).numbers.column("output")
    assert said == [name.replace("0", "yes").replace("1", "no") for name in digits]


def test_stacked_losses_pile_up_what_is_gained_and_what_is_lost():
    """The bars over an output reach up to the sum of its gains and down to that of its losses."""
    ax = drawn.only_panel(figures.stacked_losses(COINS))
    outputs = [(place, list(map(int, name.split()))) for place, name in drawn.ticks(ax.xaxis)]
    logs = [math.log(ratio) for ratio in (2, 3, 4)]
    totals = drawn.line(ax, "total")
    for place, bits in outputs:
        losses = [log if bit == 0 else -log for log, bit in zip(logs, bits, strict=True)]
        bars = [cell for cell in drawn.cells(ax) if cell[0] < place < cell[2]]
        assert max(top for *_, top in bars) == pytest.approx(sum(x for x in losses if x > 0), abs=1e-12)
        assert min(bottom for _, bottom, *_ in bars) == pytest.approx(sum(x for x in losses if x < 0), abs=1e-12)
        assert sum(top - bottom for _, bottom, _, top in bars) == pytest.approx(sum(logs))  # none hides another
        assert totals[int(place)] == pytest.approx([place, sum(losses)])
    assert list(totals[:, 1]) == sorted(totals[:, 1], reverse=True) and len(outputs) == 8
    assert drawn.levels(ax) == pytest.approx([math.log(24), -math.log(24)])
    ends = {words: (point, up > 0) for words, point, (_, up) in drawn.notes(ax)}
    assert ends["sum of the ε"] == ((7.5, pytest.approx(math.log(24))), True)
    assert ends["minus the sum"] == ((-0.5, pytest.approx(-math.log(24))), False)


def test_loss_landscape_is_flat_where_both_answers_are_far_out():
    picture = figures.loss_landscape(eps=2, draws=300, seed=3)
    ax, bar = picture.figure.axes
    points = np.random.default_rng(3).laplace(7, 1, (300, 2))
    triangles = drawn.line(ax, "largest loss")
    assert sorted(map(tuple, triangles)) == sorted((x, y) for x, y in points if x >= 7 and y >= 7)
    assert len(drawn.line(ax, "other outputs")) + len(triangles) == 300
    assert ax.get_xlim() == ax.get_ylim() == (0.5, 12.5)
    (edge,) = drawn.segments(ax)
    assert edge.tolist() == [[7, 12.5], [7, 7], [12.5, 7]]
    (bands,) = [one for one in ax.collections if hasattr(one, "levels")]
    assert bands.levels[[0, -1]] == pytest.approx([-2.1, 2.1]) and len(bands.levels) == 22
    for point, loss in {(10, 10): 2, (2, 2): -2, (10, 2): 0, (6.5, 10): 1, (6.25, 6.25): -1}.items():
        inside = [path.contains_point(point) for path in bands.get_paths()]
        band = inside.index(True)
        assert bands.levels[band] - 1e-9 <= loss <= bands.levels[band + 1] + 1e-9
    assert drawn.ticks(bar.yaxis)[0][0] == -2 and drawn.ticks(bar.yaxis)[-1][0] == 2


def test_worst_output_draws_powers():
    ax = drawn.only_panel(figures.worst_output(total=2, each=(1,), most=20))
    k = np.arange(1, 21)
    expected = {
        "Laplace noise, any ε": 2.0**-k,
        "coins, ε = 2 / k each": (1 / (1 + np.exp(-2 / k))) ** k,
        "coins, ε = 1 each": (1 / (1 + np.exp(-1.0))) ** k,
    }
    assert drawn.labels(ax) == list(expected)
    for label, heights in expected.items():
        assert drawn.line(ax, label) == pytest.approx(np.stack([k, heights], axis=1), rel=1e-12)
    assert ax.get_ylim()[0] < 2.0**-20 and ax.get_ylim()[1] > 1 and ax.get_xlim() == (1, 20)


def test_loss_walks_show_the_law_of_one_answer():
    """Loss 1 with probability 1/2, -1 with e^-1 / 2, in between with density e^((x - 1) / 2) / 4."""
    picture = figures.loss_walks(1, ks=(1, 3), draws=1000, seed=5)
    ax, other = picture.figure.axes[:2]
    (steps,) = [patch for patch in ax.patches if hasattr(patch, "get_data")]
    shares, edges, _ = steps.get_data()
    inner = np.clip(edges, -1, 1)
    expected = np.diff(np.exp((inner - 1) / 2) / 2)
    expected[0] += math.exp(-1) / 2
    expected[-1] += 1 / 2
    assert shares == pytest.approx(expected, rel=1e-9)
    assert edges == pytest.approx(np.linspace(-1.025, 1.025, 42))  # the spikes in the middle of their bins
    bars = drawn.cells(ax)
    sampled = loss_walk(1, 1).sample(np.random.default_rng(5), 1000)
    for left, bottom, right, top in bars:
        assert bottom == 0 and top == pytest.approx(np.mean((left < sampled) & (sampled < right)))
    assert sum(top for *_, top in bars) == pytest.approx(1)
    x, bell = drawn.line(other, "normal law").T
    mean, std = picture.numbers.rows[1][1], picture.numbers.rows[1][3]
    assert bell == pytest.approx(scipy.stats.norm.pdf(x, mean, std) * 6 / 40, rel=1e-9)
    assert [panel.get_title(loc="left") for panel in (ax, other)] == ["k = 1", "k = 3"]
    assert ax.get_xlim() == pytest.approx((-1.025, 1.025))


def test_tails_of_one_answer_are_those_of_the_closed_forms():
    ax = drawn.only_panel(figures.tails(1.5, k=1, deltas=(0.1, 0.01)))
    eps = np.linspace(0, 1.485, 100)
    coin = (math.exp(1.5) - np.exp(eps)) / (1 + math.exp(1.5))
    expected = [(1 - np.exp((eps - 1.5) / 2) / 2), 1 - np.exp((eps - 1.5) / 2), coin]
    for label, heights in zip(drawn.labels(ax), expected, strict=True):
        assert drawn.line(ax, label) == pytest.approx(np.stack([eps, heights], axis=1), rel=1e-9, abs=1e-12)
    assert drawn.levels(ax) == [0.01] and drawn.uprights(ax) == [1.5]
    ((_, (x, _), (left, _)),) = drawn.notes(ax)
    assert x == 1.5 and left < 0
    assert ax.get_xlim()[1] > 1.5 and ax.get_ylim()[0] < 0.01 and ax.get_ylim()[1] > 1


def test_drifts_meet_basic_composition_at_the_diamonds():
    ax = drawn.only_panel(figures.drifts(most=2.6))
    eps = np.linspace(0.01, 2.6, 300)
    expected = {
        "DRV: $e^ε - 1$": np.exp(eps) - 1,
        "concentrated: $ε/2$": eps / 2,
        "KOV: $\\tanh(ε/2)$": (np.exp(eps) - 1) / (np.exp(eps) + 1),
        "Laplace noise, exactly": 1 - (1 - np.exp(-eps)) / eps,
    }
    for label, heights in expected.items():
        assert drawn.line(ax, label) == pytest.approx(np.stack([eps, heights], axis=1), rel=1e-10)
    assert drawn.levels(ax) == [1] and ax.get_ylim() == (0, 2)
    assert drawn.markers(ax, color=COLOURS[1]) == [(math.log(2), 1)]
    assert drawn.markers(ax, color=COLOURS[2]) == [(2, 1)]
    for label, colour in zip(list(expected)[:2], COLOURS[1:], strict=False):
        (one,) = [one for one in ax.lines if one.get_label() == label]
        assert one.get_color() == colour


def test_the_map_is_coloured_by_the_smallest_bound():
    """In each coloured field the closed form takes the branch that is written there."""
    ax = drawn.only_panel(figures.who_wins(1e-3, most=1000))
    assert ax.get_xlim() == pytest.approx((0.003, 4)) and ax.get_ylim() == (1, 1000)
    third, second = (Path(area[0]) for area in drawn.areas(ax))
    branch_of = {"basic wins": "first", "KOV wins,\n2nd branch": "second", "KOV wins,\n3rd branch": "third"}
    winners = set()
    for eps, k in [*product((0.004, 0.02, 0.1, 0.3, 1, 2.5), (4, 30, 70, 400, 900))]:
        winner = composition.kov_closed_form(Guarantee(eps), 1e-3, k).branch.split(":")[0]
        drawn_as = "second" if second.contains_point((eps, k)) else "third"
        assert winner == (drawn_as if third.contains_point((eps, k)) else "first"), (eps, k)
        winners.add(winner)
    assert winners == {"first", "second", "third"}
    for words, eps, k in drawn.words(drawn.only_panel(figures.who_wins(1e-6))):
        assert composition.kov_closed_form(Guarantee(eps), 1e-6, k).branch.startswith(branch_of[words])
    for label, drift in (
        ("DRV", np.expm1),
        ("concentrated", lambda eps: eps / 2),
        ("KOV", lambda eps: np.tanh(eps / 2)),
    ):
        eps, k = drawn.line(ax, f"{label} pays above it").T
        gain = 1 - drift(eps)
        assert k[gain > 0] == pytest.approx(2 * math.log(1000) / gain[gain > 0] ** 2, rel=1e-9)
        assert np.isinf(k[gain <= 0]).all()


def test_noise_growth_draws_its_numbers():
    picture = figures.noise_growth(0.5, 1e-6, ks=(1, 10, 100))
    assert picture.alt.endswith(f"exact optimum {picture.numbers.column('exact optimum')[-1]:.6g}.")
    ax = drawn.only_panel(picture)
    for label in drawn.labels(ax):
        assert drawn.line(ax, label)[:, 1].tolist() == picture.numbers.column(label)
        assert drawn.line(ax, label)[:, 0].tolist() == [1, 10, 100]
    ((meet, scale),) = drawn.markers(ax)
    assert scale == pytest.approx(meet / 0.5) == pytest.approx(math.sqrt(meet * 2 * (math.log(10**6) + 0.5)) / 0.5)
    assert drawn.line(ax, "with the largest ρ")[2, 1] == pytest.approx(
        10 / math.sqrt(2) / (math.sqrt(math.log(10**6) + 0.5) - math.sqrt(math.log(10**6))), rel=1e-12
    )


def test_above_the_floor_draws_shares_of_the_optimum():
    picture = figures.above_the_floor(0.1, 1e-6, ks=(1, 10, 100))
    ax = drawn.only_panel(picture)
    floor = np.array(picture.numbers.column("exact optimum"))
    assert drawn.labels(ax) == picture.numbers.columns[2:]
    for label in drawn.labels(ax):
        heights = np.array(picture.numbers.column(label)) / floor
        assert drawn.line(ax, label) == pytest.approx(np.stack([[1, 10, 100], heights], axis=1))
    assert drawn.levels(ax) == [1] and ax.get_xlim() == (1, 100)
    ((_, _, height),) = drawn.words(ax)
    assert 0.8 < height < 1  # under the line that it names
