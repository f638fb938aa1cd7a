"""The figures of lecture 3 show the right numbers, computed here in another way, and describe themselves."""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import drawn
import numpy as np
import pytest

from dpteach import Guarantee, Pair, optimal
from dpteach.experiment import Hypothesis, refine
from dpteach.figures import COLOURS, Picture
from dpteach.figures import experiment as figures
from dpteach.mechanisms import randomized_response

COIN = randomized_response(ratio=3)
NOWHERE, NONZERO = Hypothesis.point("00"), Hypothesis.nonzero(2)
SPLIT = Hypothesis.uniform(["00", "11"]), Hypothesis.uniform(["10", "11"])
STORY = {"all": (NOWHERE, Hypothesis.point("11")), "any": (NOWHERE, NONZERO), "one": SPLIT, "more": SPLIT[::-1]}
BOTH = Hypothesis.uniform(["0000", "1111"])
DRAWN = {  # each figure, as small as it can be, with a number that its description must tell
    "stories": (dict(hypotheses=STORY), "any: 1 against 3, 0 in neither"),
    "bayes_factors": (dict(pair=randomized_response(ratio=3, delta=Fraction(1, 10)), ratio=3), "surely 0: inf"),
    "bit_flips": (dict(pair=COIN, event=[(0, 1), (1, 0)], b0="00", b1="01"), "01: 5/8"),
    "all_vectors": (dict(rounds=[COIN] * 2, ratio=2), "2: 7/16"),
    "capped": (dict(guarantee=Guarantee(0.1), delta=1e-3, cap=3, at=(2, 40)), "parallel, unbounded: 0.3"),
    "who_fills_what": (dict(common=5, free=1, paid=4), "paying user or no user: 9"),
    "recipe_gap": (dict(cases={"split": SPLIT}, at=(2, 3)), "split: 1.25"),
    "matchings": (dict(named={"same": refine(BOTH, BOTH)}, ratio=3), "same: 1"),
    "one_direction": (dict(delta=Fraction(1, 10), at=(2, 20)), "exact 139/1890"),
    "ignorance": (dict(guarantee=Guarantee(0.3), delta=1e-3, at=(1, 6)), "somewhere: Corollary 7, δ = 0: 0.97704"),
    "somewhere": (dict(guarantee=Guarantee(0.3), delta=1e-3, at=(1, 6)), "closed form for δ = 0: 0.97704"),
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
    assert len(picture.numbers) >= 1


def test_all_figures_are_tested():
    home = figures.__name__
    made_here = {name for name, thing in vars(figures).items() if getattr(thing, "__module__", "") == home}
    assert {name for name in made_here if not name.startswith("_")} == set(DRAWN)


def test_stories_count_the_vectors():
    numbers = figures.stories(STORY).numbers
    assert [row[1:] for row in numbers] == [(1, 1, 2), (1, 3, 0), (2, 2, 1), (2, 2, 1)]


def test_bayes_factors_of_two_coins_by_hand():
    """Nowhere against one, the other or both: each probability is a product of 3/4 and 1/4."""
    pair = _two_coins(NOWHERE, NONZERO)
    numbers = figures.bayes_factors(pair, 5).numbers
    told = dict(zip(numbers.column("view"), numbers.column("Bayes factor"), strict=True))
    assert told == {"0 0": Fraction(27, 7), "0 1": Fraction(9, 13), "1 0": Fraction(9, 13), "1 1": Fraction(1, 5)}
    assert numbers.column("Bayes factor") == sorted(told.values(), reverse=True)


def _two_coins(h0, h1):
    views = list(product((0, 1), repeat=2))
    laws = [
        [sum(w * math.prod(Fraction(3 if y == b else 1, 4) for y, b in zip(v, bits, strict=True))
             for bits, w in h.law.items()) for v in views]
        for h in (h0, h1)
    ]  # fmt: skip
    return Pair(*laws, outcomes=views)


def test_bit_flips_add_up_the_event():
    numbers = figures.bit_flips(COIN, [(0, 1), (1, 0)], "00", "01").numbers
    assert dict(numbers.rows) == {
        "00": Fraction(3, 8),
        "01": Fraction(5, 8),
        "10": Fraction(5, 8),
        "11": Fraction(3, 8),
    }
    one_view = figures.bit_flips(COIN, [(0, 0)], "00", "01").numbers
    assert dict(one_view.rows)["01"] == Fraction(3, 16)


def test_all_vectors_are_products_of_the_rounds_that_differ():
    """The largest delta with d differing bits is that of the best d coins, listed one by one."""
    rounds = [randomized_response(ratio=ratio) for ratio in (2, 3, Fraction(3, 2))]
    numbers = figures.all_vectors(rounds, 2).numbers
    assert numbers.column("pairs of vectors") == [8, 24, 24, 8]
    assert numbers.column("largest delta")[0] == 0
    assert numbers.column("largest delta")[1] == max(r.delta(ratio=2) for r in rounds)
    assert numbers.column("largest delta")[2] == max(
        (a @ b).delta(ratio=2) for a in rounds for b in rounds if a is not b
    )
    assert numbers.column("largest delta")[3] == (rounds[0] @ rounds[1] @ rounds[2]).delta(ratio=2)


def test_capped_curves_stop_at_the_cap():
    numbers = figures.capped(Guarantee(0.1), 1e-3, 3, (2, 3, 5, 6, 40)).numbers
    exact = {k: optimal(Guarantee(0.1), k=k).epsilon(1e-3) for k in (2, 3, 5, 6, 40)}
    for k, classic, bounded, unbounded, parallel in numbers:
        assert classic == exact[k]
        assert bounded == exact[min(k, 6)] and unbounded == exact[min(k, 3)]
        assert parallel == pytest.approx(0.1 * min(k, 3), rel=1e-12)


def test_who_fills_what_counts_the_differing_columns():
    for common, free, paid in ((5, 1, 4), (0, 2, 3)):
        numbers = figures.who_fills_what(common, free, paid).numbers
        assert numbers.column("columns that differ") == [free + paid, common + free, common + paid]


def test_recipe_gap_is_that_of_the_closed_forms():
    """U{00, 11} or U{10, 11}: exact (x^2 + 1)/(x + 1), recipe (1 + x)/2. Practices, k = 5, k' = 2, x = 2."""
    practices = Hypothesis.fewer_than(5, 2), Hypothesis.at_least(5, 2)
    police = Hypothesis.point("00000"), Hypothesis.nonzero(5)
    numbers = figures.recipe_gap({"split": SPLIT, "practices": practices, "police": police}, (2, 3, 5)).numbers
    for x, split, _, exact in numbers:
        assert split == pytest.approx((x**2 + 1) / (x + 1) / ((1 + x) / 2), rel=1e-9)
        assert exact == pytest.approx(1, rel=1e-9)
    assert numbers.column("practices")[0] == pytest.approx(696 / 143 / (187 / 39), rel=1e-9)


def test_matchings_depend_on_the_order():
    other = Hypothesis.uniform(["1111", "0000"])
    numbers = figures.matchings({"same": refine(BOTH, BOTH), "other": refine(BOTH, other)}, 3).numbers
    assert numbers.rows == [("same", 2, 1), ("other", 2, 81)]


def test_one_direction_fails_from_seven_on():
    """Exact: P(y) - r Q(y) over all views, listed by hand; corrected: sum w e^-eps delta / sum w e^-eps."""
    for x, claimed, somewhere, nowhere, corrected in figures.one_direction(Fraction(1, 10), (2, 7, 8, 20)).numbers:
        assert claimed == pytest.approx(1 / 15, rel=1e-12) and somewhere == Fraction(1, 15)
        assert nowhere == _by_listing(Fraction(1, 10), x)
        assert (nowhere > Fraction(1, 15)) == (x > 7)
        first, second = 2 / 3 * 2 / (1 + x), 1 / 3 / x  # the weights times e^-eps; only the first has a delta
        assert corrected == pytest.approx(max(1 / 15, 0.1 * first / (first + second)), rel=1e-9)
        assert corrected >= nowhere


def _by_listing(delta, x):
    """Return delta of nowhere by somewhere at e^eps = (1 + 2x)/3: the first answer is open with probability delta."""
    first = [{"open 0": delta, "?": 1 - delta}, {"open 1": delta, "?": 1 - delta}]
    second = [{0: Fraction(x, x + 1), 1: Fraction(1, x + 1)}, {0: Fraction(1, x + 1), 1: Fraction(x, x + 1)}]
    law = lambda b: {(y, z): p * q for y, p in first[b[0]].items() for z, q in second[b[1]].items()}  # noqa: E731
    mixture = [law(b) for b in ((0, 1), (1, 0), (1, 1))]
    ratio = Fraction(1 + 2 * x, 3)
    return sum(max(p - ratio * sum(m.get(v, 0) for m in mixture) / 3, 0) for v, p in law((0, 0)).items())


def test_ignorance_lies_between_nothing_and_the_classic_value():
    for k, basic, classic, corollary, theorem, exact in figures.ignorance(Guarantee(0.3), 1e-3, (2, 6)).numbers:
        x = math.exp(0.3)
        assert basic == pytest.approx(0.3 * k, rel=1e-12)
        assert corollary == pytest.approx(math.log(((1 + x) ** k - 1) / (2**k - 1)), rel=1e-9)
        assert exact <= min(theorem, corollary) and theorem < classic < basic
        assert exact == pytest.approx(_uniform_by_listing(x, k, 1e-3), rel=1e-9)


def _uniform_by_listing(x, k, delta):
    """Return the larger of both directions' eps: the best (A - delta)/B over views sorted by likelihood ratio."""
    zero = [x ** (k - m) / (1 + x) ** k for m in range(k + 1)]
    rest = [(1 - p) / (2**k - 1) for p in zero]
    best = []
    for p, q, order in ((zero, rest, range(k + 1)), (rest, zero, range(k, -1, -1))):
        sums = [[sum(math.comb(k, m) * law[m] for m in list(order)[: n + 1]) for n in range(k + 1)] for law in (p, q)]
        best.append(max((a - delta) / b for a, b in zip(*sums, strict=True)))
    return math.log(max(best))


# ------------------------------------------------------------------------------------------- what stands where


IN_THE_LECTURE = {"capped": dict(guarantee=Guarantee(0.01), delta=1e-6, cap=365, at=(365, 730, 2000))}


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_is_legible(name):
    in_the_lecture = IN_THE_LECTURE.get(name)
    picture = getattr(figures, name)(**in_the_lecture) if in_the_lecture else picture_of(name)
    assert drawn.faults(picture) == []


def test_stories_frame_the_vectors_of_each_hypothesis():
    picture = figures.stories(STORY)
    assert drawn.labels(picture.figure.axes[1]) == ["first hypothesis", "second hypothesis"]
    for ax, (name, (h0, h1)) in zip(picture.figure.axes, STORY.items(), strict=True):
        assert ax.get_title(loc="left") == name
        places = {text: (x, y) for text, x, y in drawn.words(ax)}
        assert {text: x for text, (x, _) in places.items()} == {"00": 0, "01": 1, "10": 1, "11": 2}
        assert places["00"][1] == places["11"][1] == (places["01"][1] + places["10"][1]) / 2  # layers are centred
        assert places["01"][1] - places["10"][1] == 1
        blue = {text for text, *_ in drawn.framed(ax, COLOURS[0])}
        orange = {text for text, *_ in drawn.framed(ax, COLOURS[1])}
        assert blue == {"".join(map(str, bits)) for bits in h0.law}
        assert orange == {"".join(map(str, bits)) for bits in h1.law} - blue
        low, high = ax.get_ylim()
        assert all(low < y < high for _, y in places.values())


def test_bayes_factors_stand_on_one():
    """Bars begin at 1; arrows for 0 and infinity point beyond every bar and line."""
    ax = drawn.only_panel(figures.bayes_factors(randomized_response(ratio=3, delta=Fraction(1, 10)), 3))
    assert [name for _, name in drawn.ticks(ax.xaxis)] == ["surely 0", "0", "1", "surely 1"]
    assert [(bottom, top) for _, bottom, _, top in drawn.cells(ax)] == [(1, 3), (pytest.approx(1 / 3), 1)]
    assert [(left + right) / 2 for left, _, right, _ in drawn.cells(ax)] == pytest.approx([1, 2])
    (up, down) = drawn.arrows(ax)
    assert up[0] == (0, 1) and up[1][0] == 0 and up[1][1] > 3
    assert down[0] == (3, 1) and down[1][0] == 3 and down[1][1] < 1 / 3
    assert up[1][1] * down[1][1] == pytest.approx(1)
    assert drawn.levels(ax) == pytest.approx([3, 1 / 3, 1])
    for words, (x, end), (_, beside) in drawn.notes(ax):
        assert words == ["∞", "3", "1/3", "0"][int(x)]
        assert (end > 1) == (beside > 0)
        assert ax.get_ylim()[0] < end < ax.get_ylim()[1]


def test_bayes_factors_that_are_all_zero_or_infinite():
    picture = figures.bayes_factors(Pair([1, 0], [0, 1], ["yes", "no"]), 2)
    assert "yes: inf; no: 0" in picture.alt
    assert len(drawn.arrows(drawn.only_panel(picture))) == 2


def test_bit_flips_point_to_the_likelier_vector():
    ax = drawn.only_panel(figures.bit_flips(COIN, [(0, 1), (1, 0)], "00", "01"))
    assert sorted(drawn.arrows(ax)) == [
        ((0, 0), (0, 1)),
        ((0, 0), (1, 0)),
        ((1, 1), (0, 1)),
        ((1, 1), (1, 0)),
    ]
    words = {text.split("\n")[0]: (text, x, y) for text, x, y in drawn.words(ax)}
    assert words["10"] == ("10\nPr = 5/8", 1, 0)
    assert words["01"] == ("01\nPr = 5/8\n$b_1$", 0, 1)
    assert [text[:2] for text, *_ in drawn.framed(ax, COLOURS[0])] == ["00"]
    assert [text[:2] for text, *_ in drawn.framed(ax, COLOURS[1])] == ["01"]


def test_all_vectors_has_a_cell_for_every_two():
    rounds = [COIN, randomized_response(ratio=2)]
    ax = drawn.only_panel(figures.all_vectors(rounds, 2))
    (image,) = ax.images
    deltas = np.array(image.get_array())
    vectors = list(product((0, 1), repeat=2))
    for (i, a), (j, b) in product(enumerate(vectors), repeat=2):
        differing = [pair for pair, x, y in zip(rounds, a, b, strict=True) if x != y]
        both = {0: 0, 1: differing and differing[0].delta(ratio=2), 2: (rounds[0] @ rounds[1]).delta(ratio=2)}
        assert deltas[i, j] == pytest.approx(float(both[len(differing)]))
        (words,) = [text for text in ax.texts if text.get_position() == (j, i)]
        assert words.get_text() == f"{deltas[i, j]:.3g}"
        assert (words.get_weight() == "bold") == (deltas[i, j] == deltas.max())
    names = [(i, "".join(map(str, bits))) for i, bits in enumerate(vectors)]
    assert drawn.ticks(ax.xaxis) == drawn.ticks(ax.yaxis) == names


def test_capped_curves_bend_at_the_marked_lines():
    ax = drawn.only_panel(figures.capped(Guarantee(0.1), 1e-3, 3, (2, 40)))
    exact = {k: optimal(Guarantee(0.1), k=k).epsilon(1e-3) for k in range(1, 41)}
    counted = {"classic: all k count": 40, "bounded: 6 count": 6, "unbounded: 3 count": 3}
    for label, cap in counted.items():
        ks, heights = drawn.line(ax, label).T
        assert {1, 2, 3, 6, 40} <= set(ks) and list(ks) == sorted(set(ks))
        assert heights == pytest.approx([exact[min(int(k), cap)] for k in ks], rel=1e-12)
    ks, parallel = drawn.line(ax, "parallel, unbounded").T
    assert parallel == pytest.approx(0.1 * np.minimum(ks, 3))
    assert drawn.uprights(ax) == [3, 6]
    assert drawn.words(ax) == [(" k = 3", 3, 0), (" k = 6", 6, 0)]
    assert ax.get_xlim() == (0, 40) and ax.get_ylim()[0] == 0


def test_who_fills_what_has_a_cell_for_every_person_and_column():
    ax = drawn.only_panel(figures.who_fills_what(2, 1, 3))
    filled = {0: "111000", -1: "110111", -2: "000000"}
    for y, bits in filled.items():
        for x, bit in enumerate(bits, start=1):
            (cell,) = drawn.cells_at(ax, x, y)
            assert (cell.get_bbox().xmin + cell.get_bbox().xmax) / 2 == pytest.approx(x)
            assert (cell.get_bbox().ymin + cell.get_bbox().ymax) / 2 == pytest.approx(y)
            assert (cell.get_facecolor()[:3] == (1, 1, 1)) == (bit == "0")
            assert (bit, x, y) in drawn.words(ax)
    assert len(drawn.cells(ax)) == 18
    assert drawn.ticks(ax.yaxis) == [(0, "free user"), (-1, "paying user"), (-2, "no user")]
    assert drawn.uprights(ax) == [2.5, 3.5]
    names = {text: x for text, x, y in drawn.words(ax) if y > 0.4}
    assert names == {"common": 1.5, "free": 3, "paid": 5}


def test_recipe_gap_is_drawn_by_its_closed_form():
    ax = drawn.only_panel(figures.recipe_gap({"split": SPLIT}, (2, 3)))
    ratios, gaps = drawn.line(ax, "split").T
    assert gaps == pytest.approx((ratios**2 + 1) / (ratios + 1) / ((1 + ratios) / 2), rel=1e-9)
    assert ratios[0] < 1.05 and ratios[-1] == pytest.approx(3) and ax.get_xlim() == (1, 3)
    assert drawn.levels(ax) == [1]
    ((_, bottom, _, top),) = drawn.cells(ax)
    assert (bottom, top) == (1, ax.get_ylim()[1])
    ((_, x, y),) = drawn.words(ax)
    assert 1 < x < 1.5 and 1 < y < top


@pytest.mark.parametrize(
    "matched",
    [
        refine(BOTH, BOTH),
        refine(BOTH, Hypothesis.uniform(["1111", "0000"])),
        refine(Hypothesis.uniform(["00", "11"]), Hypothesis.uniform(["01", "10", "11"])),
    ],
)
def test_matchings_join_the_vectors_that_are_matched(matched):
    """Every line begins in the middle of the box of its first vector and ends in that of its second."""
    ax = drawn.only_panel(figures.matchings({"it": matched}, 3))
    left = {text: (x, y) for text, x, y in drawn.framed(ax, COLOURS[0])}
    right = {text: (x, y) for text, x, y in drawn.framed(ax, COLOURS[1])}
    assert {x for x, _ in left.values()} == {0} and {x for x, _ in right.values()} == {1}
    assert sorted(y for _, y in left.values()) == list(range(1 - len(left), 1))
    lines = drawn.segments(ax)
    tags = {(x, round(y, 9)): text for text, x, y in drawn.words(ax) if "·" in text}
    assert len(lines) == len(tags) == len(matched)
    for points, (b0, b1, weight) in zip(lines, matched, strict=True):
        start, end = left["".join(map(str, b0))], right["".join(map(str, b1))]
        assert points.tolist() == [list(start), list(end)]
        power = 3 ** sum(x != y for x, y in zip(b0, b1, strict=True))
        assert tags[0.3, round(start[1] + 0.3 * (end[1] - start[1]), 9)] == f"{weight} · {power}"
    low, high = ax.get_ylim()
    assert low < 1 - max(len(left), len(right)) and high > 0


def test_one_direction_hatches_where_the_claim_is_too_small():
    ax = drawn.only_panel(figures.one_direction(Fraction(1, 10), (2, 7, 20)))
    xs, claimed = drawn.line(ax, "claimed").T
    assert claimed == pytest.approx(1 / 15) and {2, 7, 20} <= set(xs)
    _, exact = drawn.line(ax, "exact: nowhere by somewhere").T
    assert exact == pytest.approx([float(_by_listing(Fraction(1, 10), Fraction(f"{x:.6g}"))) for x in xs])
    assert drawn.line(ax, "exact: somewhere by nowhere")[:, 1] == pytest.approx(1 / 15)
    ((hatched,),) = drawn.areas(ax)
    assert hatched[:, 0].min() >= 7 and hatched[:, 0].max() == 20
    assert hatched[:, 1].min() == pytest.approx(1 / 15) and hatched[:, 1].max() == pytest.approx(exact.max())
    assert drawn.ticks(ax.xaxis) == [(2, "2"), (7, "7"), (20, "20")] and ax.get_xlim() == (1, 20)
    assert ax.get_ylim()[0] == 0 and ax.get_ylim()[1] > drawn.line(ax, "corrected")[:, 1].max()


def test_ignorance_is_drawn_at_all_numbers_of_databases():
    ax = drawn.only_panel(figures.ignorance(Guarantee(0.3), 1e-3, (1, 6)))
    x = math.exp(0.3)
    for label in drawn.labels(ax):
        assert drawn.line(ax, label)[:, 0].tolist() == [1, 2, 3, 4, 5, 6]
    k = np.arange(1, 7)
    assert drawn.line(ax, "everywhere: basic")[:, 1] == pytest.approx(0.3 * k)
    corollary = np.log(((1 + x) ** k - 1) / (2.0**k - 1))
    assert drawn.line(ax, "somewhere: Corollary 7, δ = 0")[:, 1] == pytest.approx(corollary)
    exact = drawn.line(ax, "somewhere: exact")[:, 1]
    assert exact == pytest.approx([_uniform_by_listing(x, int(n), 1e-3) for n in k])
    assert ax.get_xlim() == (0, 6) and ax.get_ylim()[0] == 0


def test_somewhere_or_everywhere_by_sums():
    """The closed form by hand, the exact values by the sums over the number of ones in the view."""
    _, everywhere, closed, exact = figures.somewhere(Guarantee(0.3), 1e-3, at=(6,)).numbers.rows[0]
    x = math.exp(0.3)
    assert closed == pytest.approx(math.log(((1 + x) ** 6 - 1) / (2**6 - 1)))
    weights = [(math.comb(6, m), x ** (6 - m) / (1 + x) ** 6, x**m / (1 + x) ** 6) for m in range(7)]
    assert sum(n * max(one - math.exp(everywhere) * zero, 0) for n, zero, one in weights) == pytest.approx(1e-3)
    others = [(n, (1 - zero) / 63, zero) for n, zero, _ in weights]
    assert sum(n * max(other - math.exp(exact) * zero, 0) for n, other, zero in others) == pytest.approx(1e-3)
