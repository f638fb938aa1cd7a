"""The explorers of lecture 3: their numbers against brute force, every corner of their controls, the bit vectors."""

import itertools
import math
import random
from fractions import Fraction

import matplotlib
import mpmath
import numpy as np
import pytest
from exploring import assert_drawn_and_told, assert_nothing_kept_shows, corners_and_more, move, words_on

from dpteach import Guarantee, explore
from dpteach.experiment import Hypothesis, contribution_bound, matching_bound
from dpteach.explore.base.words import show
from dpteach.explore.experiment.bit_vectors import Vectors, fit
from dpteach.explore.experiment.two_hypotheses import BEST, WORST

matplotlib.use("agg")
NAMES = ["TwoHypotheses", "ContributionPlanner", "PriorKnowledge"]


def state(name, *preset, **settings):
    numbers, words = getattr(explore, name)(*preset, **settings)._state()
    assert numbers is not None, words
    return numbers


def all_vectors(k):
    return ["".join(bits) for bits in itertools.product("01", repeat=k)]


# --------------------------------------------------------------------------------------------------- all three


@pytest.mark.parametrize("name", NAMES)
def test_any_settings_are_drawn_and_told(name):
    explorer = getattr(explore, name)()
    for settings in corners_and_more(
        explorer, random.Random(name), ["0", "1", "00 11", "01 10", "000", "0101 1010 1111", " ".join(all_vectors(3))]
    ):
        assert_drawn_and_told(explorer, settings)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_between_drawings_never_shows(name):
    presets = list(getattr(explore, name).presets)
    assert_nothing_kept_shows(name, (presets[0], presets[-1], presets[len(presets) // 2], presets[1], presets[0]))


# ---------------------------------------------------------------------------------------------- two hypotheses


def exact_ratios(x, h0, h1):
    """Return both largest ratios of the views' probabilities, by listing all views in fractions."""
    k = len(h0[0])
    agree = {True: Fraction(x) / (1 + Fraction(x)), False: 1 / (1 + Fraction(x))}
    laws = [
        [
            sum(math.prod(agree[a == b] for a, b in zip(view, vector, strict=True)) for vector in h) / len(h)
            for view in all_vectors(k)
        ]
        for h in (h0, h1)
    ]
    return tuple(max(a / b for a, b in zip(p, q, strict=True)) for p, q in (laws, laws[::-1]))


def sums(x, h0, h1):
    """Return the least and the largest sum of the recipe over all matchings of two equally long lists."""
    price = {(a, b): Fraction(x) ** sum(i != j for i, j in zip(a, b, strict=True)) for a in h0 for b in h1}
    totals = [
        sum(price[pair] for pair in zip(h0, other, strict=True)) / len(h0) for other in itertools.permutations(h1)
    ]
    return min(totals), max(totals)


@pytest.mark.parametrize("seed", range(12))
def test_two_hypotheses_against_brute_force(seed):
    rng = random.Random(seed)
    k, size, x = rng.choice([2, 3, 4]), rng.randint(1, 4), rng.choice([1.5, 2, 5])
    h0, h1 = (sorted(rng.sample(all_vectors(k), size)) for _ in range(2))
    n = state("TwoHypotheses", ratio=x, h0=" ".join(h0), h1=h1)
    assert n.k == k and n.exact == exact_ratios(x, h0, h1)
    assert (n.recipe[BEST], n.recipe[WORST]) == sums(x, h0, h1)
    assert n.lies == {name: value < max(n.exact) for name, value in n.recipe.items()}
    assert n.eps == pytest.approx(math.log(max(n.exact)), abs=1e-12) and n.classic == pytest.approx(k * math.log(x))
    assert all(bound >= n.eps - 1e-11 for bound in n.bounds.values())


@pytest.mark.parametrize("seed", range(6))
def test_matchings_of_unequal_sets_are_those_of_the_library(seed):
    rng = random.Random(seed)
    h0, h1 = (tuple(sorted(rng.sample(all_vectors(4), rng.randint(1, 9)))) for _ in range(2))
    one, laws = Guarantee(math.log(3)), (Hypothesis.uniform(h0), Hypothesis.uniform(h1))
    told = state("TwoHypotheses", ratio=3, h0=list(h0), h1=list(h1))
    best = matching_bound(one, *laws).epsilon
    assert math.log(told.recipe[BEST]) == pytest.approx(best, abs=1e-12)
    worst = matching_bound(one, *laws, matching=told.matched[WORST]).epsilon  # checks the margins
    assert math.log(told.recipe[WORST]) == pytest.approx(worst, abs=1e-12)
    for order in ("first", "last"):
        assert best - 1e-12 <= matching_bound(one, *laws, matching=order).epsilon <= worst + 1e-12


def test_numbers_of_the_presets():
    two, practices, files, suite, order = map(state, ["TwoHypotheses"] * 5, explore.TwoHypotheses.presets)
    assert (two.exact, two.recipe[BEST], two.lies[BEST]) == ((Fraction(5, 2), 2), 2, True)
    assert (practices.recipe[BEST], max(practices.exact)) == (Fraction(187, 39), Fraction(696, 143))
    assert files.recipe[BEST] == files.recipe[WORST] == max(files.exact) == Fraction(4**4 - 1, 2**4 - 1)
    assert suite.eps == pytest.approx(suite.classic) and not any(suite.lies.values())
    assert (order.recipe, max(order.exact)) == ({BEST: 1, WORST: 81}, 1)
    assert "187/39 = 4.79487" in explore.TwoHypotheses("the practices: k = 5, k' = 2").text


def test_recipe_is_marked_by_hatch_and_word_where_it_is_too_small():
    def marks(**settings):
        explorer = explore.TwoHypotheses(**settings)
        _, bars = explorer.shown()["sheet"]["panels"]
        hatches = [mark["hatch"] for mark in bars["marks"] if mark["kind"] == "area"]
        return hatches.count("xxx"), sum("✗" in words for words in words_on(explorer)[1])

    assert marks() == (1, 1) and marks(h0="0000", h1="1111") == (0, 0)


def test_vectors_are_checked_and_fitted():
    control = Vectors("00 11")
    assert control.check("h0", ["11", (0, 1)]) == control.check("h0", "11 01 11") == "01 11"
    assert fit("00 11", 3) == ["000", "110"] and fit("0011 0010", 3) == ["001"]
    for bad in ("00 111", "", "000000", "0 2", 7, [[]]):
        with pytest.raises(ValueError, match="h0 must"):
            explore.TwoHypotheses(h0=bad)
    assert explore.TwoHypotheses(h0="0101").settings["k"] == 4
    assert explore.TwoHypotheses(h0="0101", k=2)._state()[0].sets["H0"] == ("01",)


def test_buttons_follow_the_number_of_rounds_and_an_empty_set_is_a_message():
    explorer = explore.TwoHypotheses()
    h0 = explorer.state()["controls"][2]
    assert (h0["kind"], h0["bits"], h0["label"]) == ("vectors", "k", "H0, all equally likely")
    move(explorer, k=3)
    assert "H0 is one of 000, 110" in explorer.text
    shown = move(explorer, h0="")
    assert shown["impossible"]
    assert shown["sentence"] == "Impossible settings: H0 must hold at least one vector; press a button."
    explorer.reset()
    assert explorer.settings["h0"] == "00 11" and not explorer.widget.shown["impossible"]
    shown = move(explorer, **explorer.state()["presets"]["the practices: k = 5, k' = 2"])
    assert shown["settings"]["k"] == 5 and len(shown["settings"]["h0"].split()) == 6


def test_fractions_are_shown_while_they_are_short():
    assert [show(Fraction(x)) for x in (3, Fraction(5, 2), Fraction(100001, 100003))] == ["3", "5/2 = 2.5", "0.99998"]


# ------------------------------------------------------------------------------------------- contribution planner


def delta_of_coins(eps, k, at):
    """Return delta at a total epsilon of k answers of randomized response, by adding up the binomial law."""
    with mpmath.workdps(40):
        x, at = mpmath.exp(mpmath.mpf(eps)), mpmath.exp(mpmath.mpf(at))
        terms = (mpmath.binomial(k, i) * (x ** (k - i) - at * x**i) / (1 + x) ** k for i in range(k + 1))
        return float(sum(term for term in terms if term > 0))


@pytest.mark.parametrize(("preset", "rounds"), [("365 nights", 365), ("which ones", 730), ("only one", 1)])
def test_the_cap_counts_rounds(preset, rounds):
    name = next(name for name in explore.ContributionPlanner.presets if preset in name)
    n = state("ContributionPlanner", name)
    assert n.rounds == rounds and n.epsilons["basic"] == pytest.approx([n.k * n.eps, rounds * n.eps])
    for k, eps in zip((n.k, rounds), n.epsilons["optimal"], strict=True):
        assert delta_of_coins(n.eps, k, eps) == pytest.approx(1e-6, rel=1e-4)


def test_the_hospitals_have_the_numbers_of_the_lecture():
    text = explore.ContributionPlanner().text
    assert "optimal: 1.36545 for all k, 0.790113 with the cap.\nadvanced: 1.76276 for all k, 1.04094 with" in text
    assert "loses at most ε = 0.7901; without the cap it would be 1.365." in text.splitlines()[0]
    bounded = state("ContributionPlanner", "hospitals: which ones?")
    assert bounded.epsilons["optimal"][1] == pytest.approx(1.15127351271121, rel=1e-9)
    assert bounded.epsilons["advanced"][1] == pytest.approx(1.49360019391121, rel=1e-9)
    assert state("ContributionPlanner", "restaurants: three meals a day").rounds == 1095


@pytest.mark.parametrize("settings", [
    dict(k=40, cap=7, careless=3), dict(k=40, cap=2, careless=10), dict(k=5, cap=9, careless=10),
    dict(k=300, cap=20, careless=1, neighbours="bounded: where is it?"), dict(k=40, cap=7, delta=1e-9, careless=4),
])  # fmt: skip
def test_the_worst_databases_are_those_that_the_library_finds(settings):
    n = state("ContributionPlanner", eps=0.05, total=1e-5, **settings)
    careless, cap = min(settings["careless"], n.k), min(settings["cap"], n.k)
    given = [Guarantee(0.05, n.delta)] * (n.k - careless) + [Guarantee(0.25, n.delta)] * careless
    bound = contribution_bound(given, cap, n.neighbours.split(":")[0])
    for theorem, (classic, capped) in n.epsilons.items():
        assert capped == bound.by(theorem, 1e-5).epsilon
        assert classic == bound.classic(theorem, 1e-5).epsilon
    assert n.parallel == math.inf if n.delta else n.parallel == pytest.approx(bound.rounds * 0.25)


def test_capped_curve_is_flat_after_the_cap_and_the_classic_one_grows():
    for compare, flat in zip(explore.ContributionPlanner.controls["neighbours"].options, (365, 730), strict=True):
        n = state("ContributionPlanner", neighbours=compare)
        classic, capped = np.array(n.classic), np.array(n.capped)
        assert flat in n.ks and np.all(np.diff(classic) > 0)
        assert np.array_equal(classic[n.ks <= flat], capped[n.ks <= flat]) and len(set(capped[n.ks >= flat])) == 1


def test_no_epsilon_is_said_in_words():
    text = explore.ContributionPlanner("releases that may fail").text
    assert "basic: no ε at this δ for all k, 3.65 with the cap" in text and "none, it needs δ = 0" in text
    assert explore.ContributionPlanner(delta=1e-4).text.count("no ε at this δ") == 6


# ------------------------------------------------------------------------------------------------ prior knowledge


def delta_of_belief(law, eps, at):
    """Return delta at a total epsilon between no ones and a law of their number, both ways, by listing all views."""
    k, agree = len(law) - 1, {True: 1 / (1 + math.exp(-eps)), False: 1 / (1 + math.exp(eps))}
    vectors = list(itertools.product((0, 1), repeat=k))
    weights = [law[sum(v)] / math.comb(k, sum(v)) for v in vectors]
    p, q = [], []
    for view in vectors:
        chances = [math.prod(agree[a == b] for a, b in zip(view, v, strict=True)) for v in vectors]
        p.append(chances[0])
        q.append(math.fsum(w * c for w, c in zip(weights, chances, strict=True)))
    excess = lambda a, b: math.fsum(max(x - math.exp(at) * y, 0) for x, y in zip(a, b, strict=True))  # noqa: E731
    return excess(q, p), excess(p, q)


@pytest.mark.parametrize(("rate", "mix"), [(0.5, 0), (0.5, 1), (0, 0), (1, 0), (0.1, 0.3), (0.8, 0.5)])
def test_beliefs_against_brute_force(rate, mix):
    n = state("PriorKnowledge", rate=rate, mix=mix, k=6, eps=0.5, delta=1e-3)
    chances = [math.comb(6, j) * rate**j * (1 - rate) ** (6 - j) for j in range(1, 7)] if rate else [1, 0, 0, 0, 0, 0]
    law = [0, *((1 - mix) * c / sum(chances) + mix / 6 for c in chances)]
    assert n.law == pytest.approx(law) and n.mean == pytest.approx(sum(j * w for j, w in enumerate(law)))
    for way, eps in enumerate(n.ways):
        assert delta_of_belief(law, 0.5, eps)[way] == pytest.approx(1e-3, rel=1e-6)
    assert n.epsilons["this belief"] == max(n.ways) and n.epsilons["exactly one"] <= n.epsilons["all databases"]


def test_the_uninformative_prior_of_the_paper():
    n = state("PriorKnowledge", "the paper's uninformative prior")
    assert n.epsilons["this belief"] == pytest.approx(n.epsilons["uninformative"], rel=1e-12)
    assert n.epsilons["this belief"] == pytest.approx(2.702290191520442, rel=1e-9)
    assert n.epsilons["all databases"] == pytest.approx(4.988481684987001, rel=1e-9)
    assert n.closed == pytest.approx(math.log(((1 + math.exp(0.5)) ** 10 - 1) / 1023), rel=1e-12)
    assert n.curves["uninformative"][0] == pytest.approx(n.closed, rel=1e-6)


def test_sure_of_all_databases_is_the_classic_experiment():
    n = state("PriorKnowledge", "all databases: the classic case", k=20, eps=0.2)
    assert n.curves["this belief"] == pytest.approx(n.curves["all databases"], rel=1e-9)
    one = state("PriorKnowledge", "exactly one database")
    assert np.array_equal(one.curves["this belief"], one.curves["exactly one"])
