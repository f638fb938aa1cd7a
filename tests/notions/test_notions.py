"""Promises over metrics, composition, finite mechanisms and conversions: literal numbers, each a second way."""

from fractions import Fraction as F
from itertools import combinations
from math import exp, inf, log, nextafter, sqrt, tanh

import numpy as np
import pytest
from mpmath import mp, mpf

from dpteach import Guarantee, Pair, mechanisms
from dpteach.curve import VACUOUS
from dpteach.granularity import (
    DatabaseClass,
    Granularity,
    Maps,
    Partition,
    PrivacySpace,
    bounded,
    edge,
    free_lunch,
    minimum_privacy,
    node,
    unbounded,
)
from dpteach.notions import (
    Approximate,
    FiniteMechanism,
    Gaussian,
    Pure,
    ZeroConcentrated,
    compose,
    concentrated_loss,
    counts_deviation,
    counts_epsilon,
    counts_table,
    gaussian_loss,
    gdp_epsilon,
    group_delta,
    group_factor,
    implications,
    pure_loss,
    pure_mu,
    pure_rho,
    vacuous_from,
    worlds,
    zcdp_epsilon,
)
from dpteach.notions.counts import ROUTES
from dpteach.notions.worlds import exponents

pytestmark = pytest.mark.filterwarnings("error")

AB = DatabaseClass.multisets("ab", at_most=3)
ABC = DatabaseClass.multisets("abc", at_most=2)
U, B = unbounded.on(ABC), bounded.on(ABC)
BLOCKS = Partition.by_record(["a", "b", "c"])
COUNT = unbounded.on(DatabaseClass.multisets("a", at_most=8))
COARSE = lambda D: len(D) // 3  # noqa: E731
LN2 = log(2)
mp.dps = 60


# ------------------------------------------------------------------------------------------------------ group scaling


def test_group_factor():
    assert group_factor(2, 1) == pytest.approx(1 + exp(1), rel=1e-14)
    assert group_factor(13, 1) == pytest.approx(257474, abs=0.5)
    assert [round(1e-5 * group_factor(d, 1), 6) for d in (12, 13)] == [0.947189, 2.574737]
    assert [group_factor(d, 0) for d in (0, 1, 5, inf)] == [0, 1, 5, inf]
    assert (
        group_factor(0, 3),
        group_factor(1, 3),
        group_factor(inf, 3),
        group_factor(2, inf),
        group_factor(1, inf),
    ) == (0, 1, inf, inf, 1)
    assert group_factor(2000, 1) == inf and np.array_equal(group_factor([1, inf], [0, 0]), [1, inf])


@pytest.mark.parametrize("eps", [1e-300, 1e-12, 1e-3, 0.5, 1, 7, 60])
@pytest.mark.parametrize("d", [0.25, 1, 2, 3.5, 10, 200])
def test_group_factor_is_rounded_up(d, eps):
    if eps * d > 700:
        return
    true = mp.expm1(mpf(eps) * mpf(d)) / mp.expm1(mpf(eps))
    told = mpf(group_factor(d, eps))
    assert told >= true and abs(told - true) <= 1e-13 * true * max(1, eps * d)


def test_group_factor_in_fractions():
    assert group_factor(3, ratio=2) == 7 and group_factor(0, ratio=F(3, 2)) == 0 and group_factor(4, ratio=1) == 4
    assert group_factor(5, ratio=F(3, 2)) == sum(F(3, 2) ** n for n in range(5))
    with pytest.raises(ValueError, match="exactly one of eps and ratio"):
        group_factor(2, 1, ratio=2)
    with pytest.raises(ValueError, match="d must be at most"):
        group_factor(10**5, ratio=2)


@pytest.mark.parametrize("delta", [1e-20, 1e-300, 5e-324, 0.3])
@pytest.mark.parametrize("ratio", [1.0, 1 + 2**-52, 1 + 1e-9, 1.5])
def test_small_deltas_of_a_group_are_not_rounded_away(delta, ratio):
    """1 - (1 - delta) / ratio has no digits of a small delta; what is told is never below the exact steps."""
    told = [group_delta(n, delta=delta, ratio=ratio) for n in (1, 2, 5)]
    exact = [group_delta(n, delta=F(delta), ratio=F(ratio)) for n in (1, 2, 5)]
    assert all(a >= b and a <= b * (1 + F(1, 10**13)) + F(5e-322) for a, b in zip(map(F, told), exact, strict=True))


def test_when_delta_explodes():
    assert vacuous_from(1, 1e-5) == pytest.approx(12.0543, abs=5e-5)
    assert vacuous_from(0, 1e-5) == pytest.approx(1e5)
    true = [group_delta(n, 1, 1e-5) for n in (11, 12, 13, 14, 22, 23)]
    assert [round(x, 4) for x in true[1:4]] == [0.7603, 0.9118, 0.9676]
    assert true[0] == pytest.approx(1e-5 * group_factor(11, 1)) and true[4] < 1 == true[5]
    assert group_delta(9, ratio=3, delta=F(1, 1000)) == F(26377, 27000)


def test_the_chain_of_coins_attains_group_privacy():
    ratio, delta = 3, F(1, 1000)
    chain = FiniteMechanism.chain(9, ratio, delta)
    for n in range(9):
        assert chain.pair(n, n + 1).delta(ratio=ratio) <= delta
    for i, j in combinations(range(7), 2):  # as long as delta [n - 1] <= (1 - delta) / (1 + ratio)
        assert chain.pair(j, i).delta(ratio=ratio ** (j - i), direction="pq") == delta * sum(
            ratio**t for t in range(j - i)
        )
    assert chain.pair(9, 0).delta(ratio=ratio**9) == F(26377, 27000) < delta * sum(ratio**t for t in range(9))


# -------------------------------------------------------------------------------------------- what finite pairs lose


def test_losses_of_randomized_response():
    for ratio in (2, 3, 10):
        pair = mechanisms.randomized_response(ratio=ratio)
        assert pure_loss(pair) == pytest.approx(log(ratio))
        assert concentrated_loss(pair) == pytest.approx(log(ratio) * tanh(log(ratio) / 2), rel=1e-12)
        assert concentrated_loss(pair) <= pure_rho(log(ratio))
        assert gaussian_loss(pair) == pytest.approx(pure_mu(log(ratio)), rel=1e-12)
    assert concentrated_loss(mechanisms.randomized_response(ratio=3)) == pytest.approx(0.54931, abs=5e-6)
    assert gaussian_loss(mechanisms.randomized_response(ratio=2)) == pytest.approx(0.861455, abs=5e-7)
    assert pure_mu(0.1) == pytest.approx(0.125309, abs=5e-7) and pure_mu(4.8114) == pytest.approx(4.8114, abs=1e-4)
    assert pure_mu(1e-9) / 1e-9 == pytest.approx(sqrt(mp.pi / 2)) and (pure_mu(0), pure_mu(inf)) == (0, inf)


def test_losses_at_the_extremes():
    same, apart = Pair([0.5, 0.5], [0.5, 0.5]), Pair([1, 0], [F(1, 2), F(1, 2)])
    assert [measure(same) for measure in (pure_loss, concentrated_loss, gaussian_loss)] == [0, 0, 0]
    assert [measure(apart) for measure in (pure_loss, concentrated_loss, gaussian_loss)] == [inf, inf, inf]


def test_concentrated_loss_by_a_fine_grid():
    rng = np.random.default_rng(1)
    for _ in range(20):
        p, q = (rng.dirichlet([1] * 4) for _ in range(2))
        alphas = 1 + np.geomspace(1e-3, 1e3, 4000)[:, None]
        grid = 0.0
        for a, b in ((p, q), (q, p)):
            grown = np.logaddexp.reduce(np.log(a) + (alphas - 1) * np.log(a / b), axis=1)
            grid = max(grid, np.sum(a * np.log(a / b)), np.max(grown / (alphas - 1)[:, 0] / alphas[:, 0]))
        assert grid * (1 - 1e-12) <= concentrated_loss(Pair(p, q)) <= grid * (1 + 1e-5)


def test_gaussian_loss_by_the_definition():
    rng = np.random.default_rng(2)
    alpha = np.linspace(0.001, 0.999, 999)
    for _ in range(20):
        pair = Pair(*(rng.dirichlet([1] * 4) for _ in range(2)))
        mu = gaussian_loss(pair)
        assert np.all(pair.tradeoff(alpha) >= mechanisms.gaussian_tradeoff(mu, alpha) - 1e-12)
        assert np.any(pair.region()[:5, 0] < mechanisms.gaussian_tradeoff(0.999 * mu, pair.region()[:5, 1]))
        assert mu == pytest.approx(gaussian_loss(pair.reversed()))


def test_gaussian_tradeoffs():
    assert (
        mechanisms.gaussian_tradeoff(5, 0) == 1
        and mechanisms.gaussian_tradeoff(50, 0.001) == 0
        and mechanisms.gaussian_tradeoff(inf, 0) == 0
    )
    assert np.array_equal(mechanisms.gaussian_tradeoff(inf, [0.0, 0.5]), [0, 0])
    assert mechanisms.gaussian_tradeoff(1, 0.3) == mechanisms.gaussian(1).tradeoff(0.3)


# -------------------------------------------------------------------------------------------------------- conversions


@pytest.mark.parametrize(
    "rho, delta", [(0.03125, 1e-5), (0.5, 1e-6), (5, 1e-3), (1e-4, 1e-9), (1e-8, 0.1), (100, 1e-12)]
)
def test_concentrated_privacy_in_terms_of_epsilon(rho, delta):
    def at(alpha):
        return mpf(rho) * alpha + mp.log(1 - 1 / alpha) - mp.log(alpha * mpf(delta)) / (alpha - 1)

    low, high = mp.log(mpf(10) ** -8), mp.log(mpf(10) ** 8)
    for _ in range(200):  # the function of log(alpha - 1) has one valley
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if at(1 + mp.exp(a)) < at(1 + mp.exp(b)) else (a, high)
    true, told = max(at(1 + mp.exp(low)), 0), zcdp_epsilon(rho, delta)
    assert true <= told <= true * (1 + mpf(10) ** -8) + mpf(10) ** -12
    assert gdp_epsilon(sqrt(2 * rho), delta) <= told <= zcdp_epsilon(rho, delta, "classic")
    classic = mpf(rho) + 2 * mp.sqrt(mpf(rho) * -mp.log(mpf(delta)))
    assert classic <= zcdp_epsilon(rho, delta, "classic") <= classic * (1 + mpf(10) ** -14)


def test_conversions_at_the_ends():
    assert [zcdp_epsilon(0, 1e-5), zcdp_epsilon(1, 1), zcdp_epsilon(1, 0), zcdp_epsilon(inf, 0.1)] == [0, 0, inf, inf]
    assert [gdp_epsilon(0, 1e-5), gdp_epsilon(1, 0), gdp_epsilon(inf, 0.1), gdp_epsilon(inf, 1)] == [0, inf, inf, 0]


def test_which_notion_for_counts():
    table = counts_table()
    want = {
        "pure": (0.3536, 0.7071, 1.0607, 2.1213, 3.5355),
        "Gaussian": (0.9263, 1.3565, 1.6980, 2.5017, 3.3414),
        "zero-concentrated": (1.0123, 1.4781, 1.8473, 2.7139, 3.6170),
        "zero-concentrated, classic": (1.2309, 1.7590, 2.1716, 3.1260, 4.1061),
        "approximate": (0.9263, 1.9369, 2.9771, 6.1931, 10.607),
    }
    for route, *values in table:
        assert values == pytest.approx(want[route], abs=6e-5, rel=4e-5)
    assert list(want) == list(ROUTES)
    deviations = {route: counts_deviation(route, 1, 1, 1e-5) for route in ROUTES[:3]}
    assert list(deviations.values()) == pytest.approx([sqrt(2), 3.731, 4.045], abs=6e-4)
    assert 1 / deviations["Gaussian"] == pytest.approx(0.268051, abs=1e-6)
    beats = [counts_deviation("Gaussian", n, 1, 1e-5) < counts_deviation("pure", n, 1, 1e-5) for n in range(1, 9)]
    assert beats.index(True) + 1 == 7
    assert counts_deviation("Gaussian", 3, 1, 0) == inf
    for route in ROUTES[:4]:
        assert counts_epsilon(route, 5, counts_deviation(route, 5, 1, 1e-5), 1e-5) <= 1 + 1e-12


# ------------------------------------------------------------------------------------------------------- the promises


def test_unbounded_implies_bounded_at_twice_the_price():
    assert Pure(U, 1).level(B) == 2 and Pure(B, 1).level(U) == inf
    assert Pure(free_lunch.on(ABC), 1).level(U) == 1
    mechanism = FiniteMechanism.attaining(U, ratio=2)
    assert mechanism.worst(B).ratio() == 4 and mechanism.worst(U).ratio() == 2


def test_where_there_are_no_neighbours_nothing_is_promised():
    fixed = unbounded.on(DatabaseClass.multisets("ab", exactly=3))
    told = Pure(fixed, 0).level()
    assert told is VACUOUS and str(told) == "vacuous"
    identity = FiniteMechanism.printing(fixed.cls)
    assert str(identity.level(fixed)) == "vacuous" and identity.level(bounded.on(fixed.cls)) == inf
    assert identity.keeps(Pure(fixed, 0)) and "vacuous" in repr(Pure(fixed, 0).explain())


@pytest.mark.parametrize("notion", [Pure, ZeroConcentrated, Gaussian])
def test_what_looks_the_same_loses_nothing_at_an_infinite_level(notion):
    """One mechanism prints its part exactly; who changes something else pays for the other one only (IV.1, IV.11)."""
    parts = Partition.by_record(["a", "b"])
    about_parts = [notion(s, level) for s, level in zip(parts.spaces(U), (inf, 1), strict=True)]
    about_all = [notion(U, inf), notion(U, 1)]
    for told in (compose(about_parts, parts, on=U), compose(about_all, parts, common_domain=True)):
        assert told.at("", "b") == told.at("a", "ab") == 1
        assert told.at("", "a") == told.at("b", "ab") == told.level() == inf


def test_zero_times_infinity():
    size = FiniteMechanism.printing(ABC, len)
    assert size.level(B) == 0 and size.ratio("a", "ab") == inf
    assert Pure(B, 0).at("a", "ab") == inf and size.keeps(Pure(B, 0))
    assert ZeroConcentrated(B, 0).at("a", "ab") == Gaussian(B, 0).at("a", "ab") == inf
    assert tuple(Approximate(B, 0, 0).at("a", "ab")) == (inf, 1)


def test_growth_with_distance():
    assert Pure(U, 1).at("aa", "bb") == 4
    assert ZeroConcentrated(U, 0.5).at("aa", "bb") == 8
    assert Gaussian(U, 0.5).at("aa", "bb") == 2
    eps, delta = Approximate(U, 1, 1e-5).at("", "ab")
    assert (eps, delta) == (2, pytest.approx(3.71828e-5, rel=1e-6))
    assert tuple(Approximate(U, 1, 0.5).at("", "ab")) == (2, 1)
    assert Pure(U, 1).at("a", "a") == 0


def test_levels_are_never_below_the_truth():
    third = compose([Pure(U, 0.1)] * 3).level()
    assert F(third) >= 3 * F(0.1) and F(nextafter(third, 0)) < 3 * F(0.1)
    assert compose([Pure(U, 1)] * 3).level() == 3
    mu = compose([Gaussian(U, m) for m in (0.1, 0.2, 0.3)]).level()
    square = sum(F(m) ** 2 for m in (0.1, 0.2, 0.3))
    assert F(mu) ** 2 >= square > F(nextafter(mu, 0)) ** 2
    assert compose([Gaussian(U, m) for m in (3, 4)]).level() == 5
    rho = compose([ZeroConcentrated(U, 0.1)] * 3).level()
    assert F(rho) >= 3 * F(0.1)
    delta = compose([Approximate(U, 0.1, 0.1)] * 3).level()
    assert F(delta.delta) >= 3 * F(0.1) and F(delta.epsilon) >= 3 * F(0.1)
    delta = Approximate(U, 0.3, 1e-7).at("aa", "bb").delta
    assert mpf(float(delta)) >= mpf(1e-7) * mp.expm1(4 * mpf(0.3)) / mp.expm1(mpf(0.3))


def test_guarantees_in_epsilon_and_delta():
    assert Pure(U, 1).guarantee(1e-5, B) == Guarantee(2, 0)
    assert Gaussian(U, 0.25).guarantee(1e-5) == Guarantee(gdp_epsilon(0.25, 1e-5), 1e-5)
    assert ZeroConcentrated(U, 0.03125).guarantee(1e-5).epsilon == pytest.approx(1.0123, abs=5e-5)
    assert ZeroConcentrated(U, 0.03125).guarantee(1e-5, conversion="classic").epsilon == pytest.approx(1.2309, abs=5e-5)
    assert Approximate(U, 1, 1e-5).guarantee() == Guarantee(1, 1e-5)
    assert Approximate(U, 1, 1e-5).guarantee(1e-3).epsilon == Guarantee(1, 1e-5).curve.epsilon(1e-3)
    assert Gaussian(U, 0.25).guarantee_at("aa", "bb", 1e-5).epsilon == gdp_epsilon(1, 1e-5)


def test_a_level_against_any_metric():
    line = PrivacySpace([0, 1, 5], lambda x, y: abs(x - y))
    squares = PrivacySpace([0, 1, 5], lambda x, y: abs(x * x - y * y))
    assert Pure(squares, 1).level(line) == 6 and Gaussian(squares, 1).level(line) == 6
    assert ZeroConcentrated(squares, 1).level(line) == 36
    assert "times the metric" in repr(Pure(squares, 1).explain(line))


def test_a_delta_of_ones_own():
    """Theorem VI.7: without the two constraints on f the printed delta would be 0, and the truth is 1/2."""
    cls = DatabaseClass.multisets("ab", at_most=1)
    space, half = unbounded.on(cls), F(1, 2)
    shout = FiniteMechanism(cls, lambda D: {"a": half, "-": half} if "a" in D else {"-": F(1)})
    promise = Approximate(space, LN2, lambda D, E: 0.5 if "a" in D and "a" not in E else 0.0)
    assert shout.keeps(promise) and shout.pair("a", "").delta(ratio=2, direction="pq") == half
    same = promise.dependent_on(lambda D: D)
    assert np.array_equal(same.deltas, promise.deltas) and shout.keeps(same)
    borrowed = Approximate(space, LN2, 0)  # the least delta among all pairs at distance 1
    assert shout.broken(borrowed) == (("a",), ())
    coarse = promise.dependent_on(lambda D: "a" in D)
    assert coarse.at("a", "b").delta == 0.5 and shout.keeps(coarse)


# --------------------------------------------------------------------------------------------------------- composition

NAMES = {  # (maps, common domain, space): pure independent, pure adaptive, approximate, zero-concentrated, Gaussian
    ("any", False): ("IV.1", "V.2", "VI.4", "VI.13", "VI.21"),
    ("any", True): ("IV.11", "V.5", "VI.7", "VI.14", "VI.22"),
    ("whole", False): ("IV.3", "V.3", "VI.5", "VI.15", "VI.23"),
    ("blocks", False): ("IV.6", "V.4", "VI.6", "VI.16", "VI.26"),
    ("blocks", True): ("IV.12", "V.6", "VI.7", "VI.14", "VI.22"),
}


@pytest.mark.parametrize("maps, common", NAMES)
def test_the_theorem_is_named(maps, common):
    family = {"any": Maps([len, lambda D: D[:1]]), "whole": None, "blocks": Partition.by_record(["a", "bc"])}[maps]
    made = [lambda s: Pure(s, 1), lambda s: Pure(s, 1), lambda s: Approximate(s, 1, 1e-5)]
    made += [lambda s: ZeroConcentrated(s, 1), lambda s: Gaussian(s, 1)]
    for column, (promise, want) in enumerate(zip(made, NAMES[maps, common], strict=True)):
        values = lambda i: PrivacySpace(family.image(i, ABC), lambda x, y: int(x != y))  # noqa: E731
        if maps == "whole" or common:
            spaces = [U, U]
        else:
            spaces = family.spaces(U) if maps == "blocks" else [values(0), values(1)]
        made_of = compose([promise(s) for s in spaces], family, on=U, common_domain=common, adaptive=column != 0)
        assert made_of.theorem(U) == want
        assert f"theorem      {want}, " in repr(made_of.explain(U))


def test_bounded_privacy_over_disjoint_records():
    g = compose([Pure(B, e) for e in (1, 2, 3)], BLOCKS, common_domain=True)
    assert (g.level(B), g.level(U), compose([Pure(B, e) for e in (1, 2, 3)]).level(B)) == (5, 3, 6)
    assert g.worst_neighbours(B) == (("b",), ("c",)) and "Corollary IV.13" in repr(g.explain(B))
    closed = [minimum_privacy(B, f).closure for f in BLOCKS]
    attaining = [FiniteMechanism.attaining(s, r) for s, r in zip(closed, (2, 4, 8), strict=True)]
    counting = [noisy_count(x, r) for x, r in zip("abc", (2, 4, 8), strict=True)]
    for one, two, three in (attaining, counting):
        both = one @ two @ three
        assert all(m.depends_on(f) for m, f in zip((one, two, three), BLOCKS, strict=True))
        assert (both.worst(B).ratio(), both.worst(U).ratio()) == (32, 8)
    assert np.array_equal(exponents(attaining[0] @ attaining[1] @ attaining[2]), g.matrix)
    assert np.array_equal(g.matrix, [[_pointwise(D, E, (1, 2, 3)) for E in ABC] for D in ABC])


def noisy_count(record, ratio):
    return FiniteMechanism.noisy_count(ABC, lambda D: D.count(record), ratio)


def _pointwise(D, E, eps):
    gone = [(max(D.count(x) - E.count(x), 0), max(E.count(x) - D.count(x), 0)) for x in "abc"]
    return sum(e * max(pair) for e, pair in zip(eps, gone, strict=True))


def test_the_other_notions_over_disjoint_records():
    assert compose([ZeroConcentrated(B, e) for e in (1, 2, 3)], BLOCKS, common_domain=True).level(B) == 5
    assert compose([Gaussian(B, e) for e in (1, 2, 3)], BLOCKS, common_domain=True).level(B) == pytest.approx(sqrt(13))
    two = compose([Approximate(B, 1, 1e-5)] * 3, BLOCKS, common_domain=True).level(B)
    assert tuple(two) == (2, pytest.approx(2e-5, rel=1e-15))


def test_districts():
    counts = [noisy_count(x, r) for x, r in zip("abc", (2, 4, 2), strict=True)]
    release = counts[0] @ counts[1] @ counts[2]
    assert release.ratio("a", "b") == 8 and release.ratio("a", "a") == 1
    wide = DatabaseClass.multisets(["a1", "a2", "b"], exactly=1)
    district = FiniteMechanism.noisy_count(wide, lambda D: sum(x[0] == "a" for x in D), 2)
    assert district.ratio(["a1"], ["a2"]) == 1 and district.ratio(["a1"], ["b"]) == 2
    assert [counts[0].worst(space).ratio() for space in (U, B)] == [2, 2]


def test_parallel_composition_fails_for_bounded_privacy():
    two = DatabaseClass.multisets("ab", at_most=2)
    split = Partition.by_record(["a", "b"])
    size = [FiniteMechanism.printing(split.image(i, two), len).after(split[i], two) for i in (0, 1)]
    assert (size[0] @ size[1]).level(bounded.on(two)) == inf
    spaces = split.spaces(bounded.on(two))
    assert compose([Pure(s, 0) for s in spaces], split, on=bounded.on(two)).level() == inf
    whole = Partition.by_record(["ab", ""])
    assert compose([Pure(s, 0) for s in whole.spaces(bounded.on(two))], whole, on=bounded.on(two)).level() == 0


def test_parallel_composition_for_unbounded_privacy():
    split = Partition.by_record(["a", "bc"])
    for eps, want in (((1, 1), 1), ((1, 3), 3), ((2, 1), 2)):
        g = compose([Pure(s, e) for s, e in zip(split.spaces(U), eps, strict=True)], split, on=U)
        assert g.level() == want and g.theorem() == "IV.6"
        one, two = (
            FiniteMechanism.attaining(s, 2**e).after(f, ABC)
            for s, e, f in zip(split.spaces(U), eps, split, strict=True)
        )
        assert (one @ two).worst(U).ratio() == 2**want


def test_sensitivities_multiply():
    """Theorem IV.6 with sensitivities (2, 1): the level is max eps_i times the sensitivity."""
    cls = DatabaseClass.multisets("ab", at_most=4).only(lambda D: D.count("a") % 2 == 0)

    def step(D, E):
        return (abs(D.count("a") - E.count("a")), abs(D.count("b") - E.count("b"))) in ((2, 0), (0, 1))

    space, split = Granularity(step, "2a-or-b").on(cls), Partition.by_record(["a", "b"])
    counts = DatabaseClass.multisets("a", at_most=4), DatabaseClass.multisets("b", at_most=4)
    assert split.compatible(space)
    for eps, want in (((1, 3), 3), ((2, 3), 4)):
        g = compose([Pure(unbounded.on(c), e) for c, e in zip(counts, eps, strict=True)], split, on=space)
        assert g.level() == want and g.theorem() == "IV.1"


def test_edges_and_nodes_together():
    graphs = DatabaseClass.graphs(3)
    E, N = edge.on(graphs), node.on(graphs)
    g = compose([Pure(E, 1), Pure(N, 2)])
    assert (g.level(E), g.at([], [(1, 2)])) == (3, 3)
    both = FiniteMechanism.attaining(E, 2) @ FiniteMechanism.attaining(N, 4)
    assert np.array_equal(exponents(both), g.matrix)


def test_coarse_counts_released_twice():
    ends = "", "a" * 8
    assert compose([ZeroConcentrated(COUNT, 1)] * 2).at(*ends) == 128
    assert compose([ZeroConcentrated(COUNT, 1)] * 2, [COARSE] * 2, common_domain=True, closure=False).at(*ends) == 32
    assert compose([ZeroConcentrated(COUNT, 1)] * 2, [COARSE] * 2, common_domain=True).at(*ends) == 8
    assert Gaussian(COUNT, 1).dependent_on(COARSE).at(*ends) == 2
    assert Gaussian(COUNT, 1).dependent_on(COARSE, closure=False).at(*ends) == 4
    best = FiniteMechanism.attaining(minimum_privacy(COUNT, COARSE).closure, 2)
    assert best.depends_on(COARSE) and best.worst(COUNT).ratio() == 2 and best.ratio(*ends) == 4


def test_two_parts_at_once_cost_less_than_the_theorem_off_neighbours():
    parts = BLOCKS.spaces(U)
    at = lambda notion: compose([notion(s) for s in parts], BLOCKS, on=U).at("", "ab")  # noqa: E731
    assert at(lambda s: Pure(s, 1)) == 2 and at(lambda s: ZeroConcentrated(s, 1)) == 2
    assert at(lambda s: Gaussian(s, 1)) == pytest.approx(sqrt(2))
    assert at(lambda s: Approximate(s, 1, 1e-5)).delta == pytest.approx(2e-5)
    assert Gaussian(U, 1).at("", "ab") == 2 and ZeroConcentrated(U, 1).at("", "ab") == 4


def test_hospitals_with_bounded_approximate_privacy():
    """Example VI.8 with twelve hospitals: {x1, x2} -> {y1, y2}, all label sets disjoint triples."""
    records = [frozenset(range(3 * n, 3 * n + 3)) for n in range(4)]
    cls = DatabaseClass.multisets(records, exactly=2)
    space, f = bounded.on(cls), Maps.by_label(range(12))
    ends = records[:2], records[2:]
    assert (space.distance(*ends), f.most_touched(space)[0]) == (2, 6)
    assert len(f.touched(cls.database(ends[0]), cls.database(ends[1]))) == 12
    g = compose([Approximate(space, 1, 1e-5)] * 12, f, common_domain=True)
    assert tuple(g.level()) == (6, pytest.approx(6e-5))
    assert tuple(g.at(*ends)) == (12, pytest.approx(12e-5))
    assert 6 * group_factor(2, 1) == pytest.approx(22.31, abs=5e-3)
    assert [6e-5 * group_factor(2, e) for e in (1, 6)] == pytest.approx([0.000223, 0.0243], rel=4e-3)


def test_gaussian_halves_do_not_commute():
    halves = Partition([lambda D: D[: len(D) // 2], lambda D: D[len(D) // 2 :]])
    space = unbounded.on(AB)
    sums = np.array(
        [[sqrt(sum(_difference(x, y) ** 2 for x, y in zip(halves(D), halves(E), strict=True))) for E in AB] for D in AB]
    )
    i, j = np.nonzero(np.triu(sums > space.matrix + 1e-9))
    assert len(i) == 3 and np.max(sums[i, j] / space.matrix[i, j]) == pytest.approx(sqrt(5))
    blocks = Partition.by_record(["a", "b"])
    g = compose([Gaussian(s, 1) for s in blocks.spaces(space)], blocks, on=space)
    strict = np.triu(g.matrix < space.matrix - 1e-9)
    assert np.all(g.matrix <= space.matrix) and strict.sum() == 25
    assert (
        compose([Gaussian(s, m) for s, m in zip(blocks.spaces(space), (1, 2), strict=True)], blocks, on=space).at(
            "", "a"
        )
        == 1
    )


def _difference(D, E):
    return sum(abs(D.count(x) - E.count(x)) for x in "ab")


def test_composing_compositions():
    once = compose([Pure(U, 1), Pure(U, 2)])
    assert compose([once, Pure(U, 3)]).level() == 6
    assert once.pull(lambda D: D, U).level() == 3


# ---------------------------------------------------------------------------------------------------- finite mechanisms


def test_the_mechanism_that_attains_a_metric_at_all_pairs():
    for space in (U, B, unbounded.on(AB.only(["", "a", "ab", "abb", "bb"]))):
        assert np.array_equal(exponents(FiniteMechanism.attaining(space, 2)), space.matrix)
    odd = PrivacySpace(["x", "y", "z"], [[0, 1, 1.5], [1, 0, 1], [1.5, 1, 0]])
    assert FiniteMechanism.attaining(odd).losses() == pytest.approx(odd.matrix)
    detour = unbounded.on(AB.only(["", "a", "ab", "abb", "bb"]))
    assert FiniteMechanism.attaining(detour, 2).ratio("", "bb") == 16
    with pytest.raises(ValueError, match="triangle inequality"):
        FiniteMechanism.attaining(minimum_privacy(COUNT, COARSE).raw, 2)


def test_losses_agree_with_the_exact_ratios():
    rng = np.random.default_rng(3)
    for zeros in (0.0, 0.3):
        mechanism = FiniteMechanism.random(DatabaseClass(range(5)), 4, rng, zeros)
        for i in range(5):
            for j in range(5):
                exact = mechanism.pair(i, j).ratio(0)
                assert mechanism.ratios[i, j] == exact
                assert mechanism.losses()[i, j] == pytest.approx(log(exact) if exact < inf else inf, abs=1e-14)
                assert mechanism.deltas(ratio=2)[i, j] == mechanism.pair(i, j).delta(ratio=2, direction="pq")


def test_shared_coins_break_independence():
    bit = DatabaseClass([0, 1])
    half = F(1, 2)
    masked = FiniteMechanism(bit, lambda x: {x: half, 1 - x: half})
    assert masked.ratio(0, 1) == 1 and (masked @ masked).ratio(0, 1) == 1
    shared = FiniteMechanism(bit, lambda x: {(x ^ c, c): half for c in (0, 1)})
    assert shared.ratio(0, 1) == inf
    assert [shared.then(lambda y, i=i: y[i]).ratio(0, 1) for i in (0, 1)] == [1, 1]


def test_the_second_of_two_adaptive_mechanisms_may_cost_more():
    bit = DatabaseClass([0, 1])
    first = FiniteMechanism(bit, [[F(1, 3), F(2, 3)], [F(2, 3), F(1, 3)]], ["s1", "s2"])
    risky = FiniteMechanism(bit, [[F(8, 15), F(7, 15)], [F(1, 15), F(14, 15)]])
    dull = FiniteMechanism(bit, [[F(1, 2), F(1, 2)]] * 2)
    both = first.adaptively(lambda s: risky if s == "s1" else dull)
    assert both.ratio(0, 1) == 4 and risky.ratio(0, 1) == 8
    assert both.then(lambda y: y[1]).ratio(0, 1) == F(46, 19)


def test_two_that_name_and_shame():
    delta = F(1, 100)
    shout = FiniteMechanism(DatabaseClass([0, 1]), lambda x: {f"it is {x}": delta, "-": 1 - delta})
    assert (shout @ shout).pair(0, 1).delta(ratio=1) == F(199, 10000) < F(1, 50)


def test_post_processing_and_pre_processing():
    mechanism = FiniteMechanism.attaining(U, 2)
    assert mechanism.then(lambda y: y[1]).worst(U).ratio() <= 2
    assert mechanism.then(lambda y: {0: F(1, 2), 1: F(1, 2)}).losses().max() == 0
    graph = DatabaseClass.multisets("xy", at_most=1)
    moved = mechanism.after(lambda D: tuple("a" for _ in D), graph)
    assert moved.ratio("x", "y") == 1 and moved.ratio("", "x") == 2


# -------------------------------------------------------------------------------------------------- the implication map


def test_the_implication_map():
    assert (len(implications.NODES), len(implications.ARROWS)) == (16, 25)
    assert implications.follows_from("V.2") == set(implications.NODES)
    assert implications.follows_from("V.5") == set(implications.NODES)
    arrows = {(a.source, a.target) for a in implications.ARROWS}
    assert len(arrows) == 25 and {("V.5", "V.2"), ("IV.11", "IV.1"), ("IV.12", "IV.6")} <= arrows
    assert ("IV.6", "IV.12") not in arrows and "IV.12" not in implications.follows_from("IV.6")
    assert len(implications.implications()) == 25


@pytest.mark.parametrize("arrow", implications.ARROWS, ids=lambda a: f"{a.source} to {a.target}")
def test_every_arrow_runs(arrow):
    rng = np.random.default_rng(5)
    runs = [implications.run(arrow.source, arrow.target, rng) for _ in range(4)]
    assert all(run.holds for run in runs)
    assert f"{arrow.source} gives" in repr(runs[0].table()) and "implied at all pairs" in repr(runs[0].table())


def test_an_arrow_that_is_missing():
    """IV.6 is silent where IV.12 speaks: B on {{a}, {b}}, one part {a}."""
    cls = DatabaseClass.multisets("ab", exactly=1)
    space, one = bounded.on(cls), Partition.by_record(["a"])
    assert one.compatible(space) and one.sensitivities(space) == [inf]
    answer = FiniteMechanism(cls, [[F(1, 3), F(2, 3)], [F(2, 3), F(1, 3)]])
    assert answer.depends_on(one[0]) and answer.worst(space).ratio() == 2
    g = compose([Pure(space, 1)], one, common_domain=True)
    assert g.level() == 1 and g.theorem() == "IV.12"
    assert compose([Pure(s, 1) for s in one.spaces(space)], one, on=space).level() == inf


BAD = {
    "no notion": (lambda: compose([3]), "guarantees must be a list of promises"),
    "nothing": (lambda: compose([]), "guarantees must be a list of promises"),
    "two notions": (lambda: compose([Pure(U, 1), Gaussian(U, 1)]), "of one notion"),
    "two classes": (lambda: compose([Pure(U, 1), Pure(unbounded.on(AB), 1)]), "same databases"),
    "too few maps": (lambda: compose([Pure(U, 1)] * 2, [len]), "maps must have one map"),
    "no domain": (lambda: compose([Pure(U, 1)], [len]), "on must be the class"),
    "eps": (lambda: Pure(U, -1), "eps must"),
    "rho": (lambda: ZeroConcentrated(U, float("nan")), "rho must"),
    "mu": (lambda: Gaussian(U, "1"), "mu must"),
    "delta": (lambda: Approximate(U, 1, 2), "delta must"),
    "delta of a wrong shape": (lambda: Approximate(U, 1, [[0.0]]), "delta must be a number or a matrix"),
    "not a space": (lambda: Pure(ABC, 1), "space must be a PrivacySpace"),
    "level of another class": (lambda: Pure(U, 1).level(unbounded.on(AB)), "space must be on the class"),
    "approximate without neighbours": (lambda: Approximate(2 * U, 1, 0.1).level(2 * U), "needs neighbours"),
    "worst neighbours of none": (lambda: Pure(U, 1).worst_neighbours(2 * U), "must have neighbours"),
    "conversion": (lambda: zcdp_epsilon(1, 0.1, "best"), "conversion must be one of"),
    "group factor": (lambda: group_factor(-1, 1), "d must"),
    "route": (lambda: counts_epsilon("magic", 1, 1, 0.1), "route must be one of"),
    "touched": (lambda: counts_epsilon("pure", 0, 1, 0.1), "touched must be"),
    "law": (lambda: FiniteMechanism(["x"], [[0.5, 0.6]]), "the law on x must sum to 1"),
    "too few laws": (lambda: FiniteMechanism(["x", "y"], [[1]]), "laws must have one law for each of the 2"),
    "missing law": (lambda: FiniteMechanism(["x", "y"], {"x": {0: 1}}), "laws must have a law for y"),
    "lengths": (lambda: FiniteMechanism(["x", "y"], [[1], [0.5, 0.5]]), "same number of outputs"),
    "notion": (lambda: FiniteMechanism(["x"], [[1]]).losses("approximate"), "notion must be one of"),
    "other class": (lambda: FiniteMechanism(["x"], [[1]]) @ FiniteMechanism(["y"], [[1]]), "databases of the first"),
    "level elsewhere": (lambda: FiniteMechanism(["x"], [[1]]).level(U), "space must be on the class"),
    "unknown database": (lambda: FiniteMechanism(["x"], [[1]]).law("z"), "database must belong"),
    "arrow": (lambda: implications.run("IV.6", "IV.12", np.random.default_rng(0)), "must be an arrow"),
    "rng": (lambda: worlds.general_world(0), "rng must be"),
}


@pytest.mark.parametrize("ask, message", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_sentence(ask, message):
    with pytest.raises(ValueError, match=message) as refused:
        ask()
    assert "\n" not in str(refused.value)


# ------------------------------------------------------------------------------------ extremes, and hasty input


def test_extreme_parameters_end_and_stay_sound():
    cls = DatabaseClass.multisets("ab", at_most=3)
    one, two = unbounded.on(cls), bounded.on(cls)
    for mu in (1e-310, 1e-200, 1e200):
        assert Gaussian(one, mu).level() == mu and Gaussian(one, mu).level(two) == 2 * mu
    assert Pure(one, inf).at("a", "a") == 0 and Pure(one, inf).at("a", "b") == inf
    assert group_factor(2, 800) == inf
    with mp.workdps(40):
        for d, eps in ((2, 400), (0.5, 800), (3, 1e-9), (40, 7)):
            assert 0 <= mpf(group_factor(d, eps)) * mp.expm1(mpf(eps)) / mp.expm1(mpf(eps) * d) - 1 < 1e-12
    assert 0 < Approximate(one, 400, 1e-300).level(two).delta < 1e-126
    assert vacuous_from(800, 0.1) == pytest.approx(1 + log(10) / 800) and vacuous_from(inf, 0.1) == 1


@pytest.mark.parametrize("eps", [1e-300, 1e-9, 0.3, 1, 50, 250, 299, 301, 700, 1e6])
@pytest.mark.parametrize("delta", [5e-324, 1e-290, 1e-5, 0.3, 1.0])
def test_where_the_bound_on_delta_reaches_one(eps, delta):
    with mp.workdps(400):
        true = mp.log1p(mp.expm1(mpf(eps)) / mpf(delta)) / mpf(eps)
        assert abs(vacuous_from(eps, delta) / true - 1) < 1e-13
    assert vacuous_from(50, 1e-290) == pytest.approx(14.354993539365)


def test_products_that_are_no_floats_are_rounded_up():
    space = PrivacySpace([0, 1], [[0, 0.7], [0.7, 0]])
    for value in (0.1, 0.3, 1.1):
        assert F(ZeroConcentrated(space, value).at(0, 1)) >= F(value) * F(0.7) ** 2
        assert F(ZeroConcentrated(space, value).level()) >= F(value)
        assert F(Pure(space, value).level()) >= F(value)
    steps = Granularity([(0, 1)]).on([0, 1])
    for d in range(2, 40):
        far = PrivacySpace([0, 1], [[0, d], [d, 0]])
        assert F(Approximate(far, 0, 0.01).level(steps).delta) >= d * F(0.01)


def test_the_nearest_databases_alone_lend_their_delta():
    d = np.array([[0, 1, 1 + 1e-13], [1, 0, 0], [1 + 1e-13, 0, 0]])
    promise = Approximate(PrivacySpace(range(3), d), 1, np.array([[0, 0.5, 0.1], [0.5, 0, 0], [0.1, 0, 0]]))
    assert promise.dependent_on(lambda D: D > 0).at(0, 1) == Guarantee(1, 0.5)


def test_long_chains_are_rounded_up():
    with mp.workdps(40):
        for n, eps, delta in ((300, 0.01, 1e-5), (1000, 1e-3, 1e-6), (50, 0.3, 1e-8)):
            p, base = mpf(0), mp.exp(mpf(eps))
            for _ in range(n):
                p = min(base * p + mpf(delta), 1 - (1 - mpf(delta) - p) / base)
            assert 0 <= group_delta(n, eps, delta) / p - 1 < 1e-11
    assert group_delta(80, ratio=np.int64(3), delta=F(1, 10**60)) == F(3**80 - 1, 2 * 10**60)


@pytest.mark.parametrize("eps", [1e-10, 1e-3, 0.999, 1, 3])
def test_small_losses_keep_their_digits(eps):
    with mp.workdps(40):
        mu = 2 * mp.sqrt(2) * mp.erfinv(mp.tanh(mpf(eps) / 2))
        assert 0 <= pure_mu(eps) / mu - 1 < 1e-14


@pytest.mark.parametrize("eps", [1e-9, 1e-6, 1e-4])
def test_the_concentration_of_almost_equal_laws(eps):
    p = F(1, 2) + F(eps) / 4
    pair = Pair([p, 1 - p], [1 - p, p])
    assert concentrated_loss(pair) == pytest.approx(eps * log(p / (1 - p)) / 2, rel=1e-6)


@pytest.mark.parametrize("rho, delta", [(0.1, 0.999), (30, 0.99999), (2, 1e-9), (1e-6, 0.3)])
def test_concentrated_conversion_near_delta_one(rho, delta):
    eps = zcdp_epsilon(rho, delta)
    with mp.workdps(40):
        grid = [mp.exp(mpf(n) / 200) for n in range(-2400, 2400)]
        least = min(mpf(rho) * (1 + b) + mp.log(b / (1 + b)) - (mp.log(mpf(delta)) + mp.log(1 + b)) / b for b in grid)
        assert eps >= least - 1e-4 * abs(least) and eps >= 0
        b = mpf(sqrt(-log(delta) / rho))
        for step in (mpf(1) / 2, 1, 2):
            bound = mpf(rho) * (1 + step * b) + mp.log(step * b / (1 + step * b))
            assert eps <= max(bound - (mp.log(mpf(delta)) + mp.log(1 + step * b)) / (step * b), 0) + 1e-13


def test_a_promise_without_neighbours_says_so():
    alone = free_lunch.on(["x"])
    for promise in (Pure(alone, 1), Approximate(alone, 1, 0.1), ZeroConcentrated(alone, 1), Gaussian(alone, 1)):
        assert "= vacuous" in repr(promise) and "= vacuous" in str(promise.explain())


def test_the_corollary_is_named_where_it_is_stated():
    space, parts = bounded.on(DatabaseClass.multisets("abc", at_most=2)), Partition.by_record("abc")
    pure = [Pure(space, n) for n in (1, 2, 3)]
    assert "  Corollary IV.13" in str(compose(pure, parts, common_domain=True).explain())
    assert "as in Corollary IV.13" in str(compose(pure, parts, common_domain=True, adaptive=True).explain())
    rho = [ZeroConcentrated(space, n) for n in (1, 2, 3)]
    assert "as in Corollary IV.13" in str(compose(rho, parts, common_domain=True).explain())


SMALL = DatabaseClass.multisets("ab", at_most=2)
EMPTY = free_lunch.on(DatabaseClass([]))
HASTY = {
    "a large class": (
        lambda: compose([Pure(unbounded.on(SMALL))], [len], on=DatabaseClass.multisets("ab", at_most=500)),
        "at most 3000 databases",
    ),
    "ratio below one": (lambda: FiniteMechanism.attaining(unbounded.on(SMALL), 0.5), "ratio must lie in"),
    "far apart": (lambda: FiniteMechanism.attaining(PrivacySpace([0, 1], [[0, 1e12], [1e12, 0]]), 2), "at most 10000"),
    "nobody": (lambda: FiniteMechanism.attaining(EMPTY), "at least one database"),
    "no ratio": (lambda: FiniteMechanism.noisy_count(SMALL, ratio="a"), "ratio must be a number"),
    "infinite ratio": (lambda: FiniteMechanism.noisy_count(SMALL, ratio=inf), "ratio must lie in"),
    "delta": (lambda: FiniteMechanism.chain(3, 2, F(3, 2)), "delta must lie in [0, 1]"),
    "a long chain": (lambda: group_delta(10**9, 1, 0), "n must be at most 10000"),
    "eps and ratio": (lambda: group_delta(3, 1, ratio=2), "exactly one of eps and ratio"),
    "large eps": (lambda: group_delta(3, 800, 0.1), "eps must lie in [0, 700]"),
    "outputs": (lambda: FiniteMechanism.random(SMALL, 0, np.random.default_rng(0)), "outputs must be"),
    "lists": (lambda: FiniteMechanism.printing(SMALL, list), "numbers, words or tuples"),
    "another class": (lambda: FiniteMechanism.printing(SMALL).keeps(Pure(free_lunch.on(["x"]))), "promise must be"),
    "no promise": (lambda: FiniteMechanism.printing(SMALL).keeps(5), "promise must be"),
    "no mechanism": (lambda: FiniteMechanism.printing(SMALL).adaptively(lambda y: 5), "databases of the first"),
    "no kernel": (lambda: FiniteMechanism.printing(SMALL).then(5), "kernel must be a function"),
    "no eps": (lambda: FiniteMechanism.printing(SMALL).deltas(), "exactly one of eps and ratio"),
    "wrong shape": (lambda: FiniteMechanism.printing(SMALL).deltas(np.ones((3, 3))), "a matrix of 6 rows"),
    "no map": (lambda: Pure(unbounded.on(SMALL)).pull(5, SMALL), "f must be a function"),
}


@pytest.mark.parametrize("name", HASTY)
def test_hasty_input_is_one_plain_sentence(name):
    call, words = HASTY[name]
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_count_that_is_always_the_same_needs_no_noise():
    constant = FiniteMechanism.noisy_count(SMALL, lambda D: 3, ratio=2)
    assert constant.outputs == [3]
    assert {constant.ratio(D, E) for D in SMALL for E in SMALL} == {1}
