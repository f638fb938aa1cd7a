"""The figures of lecture 4 show the right numbers, computed here in another way, and describe themselves."""

import math
from fractions import Fraction
from itertools import combinations, product

import mpmath
import pytest

from dpteach import Pair
from dpteach.curve import VACUOUS
from dpteach.figures import Picture
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


DRAWN = {  # each figure, as small as it can be, with words that its description must tell
    "coins_by_leak": (dict(mechanism=report, leaks=LEAKS, coins=range(8)), "whether r < 4: 1, ∞"),
    "cubes": (dict(mechanisms={"pad": examples.one_time_pad(3, 1)}, ratio=1), "pad: 8 hidden, 4 exposed, 0 not"),
    "detour": (dict(leaky=walk(), o="o", start=(0, 0), end=(1, 1)), "00 20 21 11, 3 steps for 2 entries"),
    "release_cost": (dict(ratio=2, delta=Fraction(1, 10), leak_ratio=3, leak_delta=Fraction(1, 5), copies=[1, 2]),
                     "4: 11/10 against 7/25"),
    "chain_of_four": (dict(zip(("ratio", "delta", "shared_ratio", "shared_delta"), THEOREM_9, strict=True)), "27/40"),
    "rectangles": (dict(pair=QUARTER), "best set (filled): 7/16"),
    "misprint": (dict(k=100, slack=1e-6, at=(0.1, 1)), "cross at 0.458675"),
    "xor_posteriors": (dict(people=(1, 2, 3), ratio=3), "n = 3: 1/2, 3/4, 27/28"),
    "who_joins": (dict(one=(1, 1, 0, 0), other=(0, 1, 1, 0), ratio=3), "may depend on her 3, e^loss at most 27"),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_drawn_and_described(name):
    settings, told = DRAWN[name]
    picture = getattr(figures, name)(**settings)
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
    numbers = figures.rectangles(randomized_response(ratio=3), 9).numbers
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
