"""The explorers of lecture 5: their numbers against brute force, every corner of their controls, clicks and lists."""

import itertools
import math
import random
from collections import Counter, deque

import matplotlib
import mpmath
import numpy as np
import pytest
from exploring import assert_drawn_and_told, assert_nothing_kept_shows, move, words_on

from dpteach import explore
from dpteach.curve import VACUOUS
from dpteach.explore.base.paint import figure_of
from dpteach.explore.granularity.board import NAMES, STEPS, composed, read_board, read_eps
from dpteach.explore.granularity.small_classes import CLASSES
from dpteach.explore.granularity.switchboard import final
from dpteach.explore.granularity.theorem_map import FALSE, PLACES, RUNS, dot, ends_of, in_words, tried
from dpteach.granularity import PrivacySpace
from dpteach.notions import FiniteMechanism
from dpteach.notions.implications import ARROWS, NODES, run
from dpteach.notions.worlds import World, exponents

matplotlib.use("agg")
MINE = ["DatabaseGraph", "PartitionBoard", "Switchboard", "ImplicationMap"]
CLICKABLE = [name for name in MINE if name != "Switchboard"]


def state(name, *preset, **settings):
    numbers, words = getattr(explore, name)(*preset, **settings)._state()
    assert numbers is not None, words
    return numbers


def click(explorer, name):
    """Press a button of the picture, as the browser does."""
    assert name in [spot["name"] for spot in explorer.widget.shown["spots"]]
    return move(explorer, clicked=name)


# ------------------------------------------------------------------------------------------------------- all of them


def some_settings(name, rng):
    """Return the corners of an explorer's controls, and random settings between them."""
    if name == "DatabaseGraph":
        worlds = [(world, g) for world, small in CLASSES.items() for g in small.granularities]
        pairs = [(world, g, *rng.choices(CLASSES[world].names, k=2)) for world, g in rng.sample(worlds, 6)]
        return [dict(zip(("world", "granularity", "start", "goal"), pair, strict=True)) for pair in pairs]
    if name == "PartitionBoard":
        boards = ["1", "-", "- - - - -", "123456 1 2 3 4", "1 1 1 1 1", "12 21"]
        eps = ["0 0 0 0 0 0", "1 2 3 4 5 6", "99 99 99 99 99 99"]
        lists = dict(step=list(STEPS), common=[True, False], board=boards, eps=eps, change=["the worst step", "a"])
        return [{control: rng.choice(values) for control, values in lists.items()} for _ in range(8)]
    if name == "Switchboard":
        ends = itertools.product((1, 30), (1, 30), (0.2, 1000), (1e-12, 0.1))
        return [dict(zip(("k", "touched", "deviation", "delta"), s, strict=True)) for s in rng.sample(list(ends), 5)]
    return [dict(arrow=rng.choice(list(RUNS)), worlds=rng.choice([1, 3]), seed=rng.choice([0, 99])) for _ in range(4)]


@pytest.mark.parametrize("name", MINE)
def test_any_settings_are_drawn_and_told(name):
    explorer, rng = getattr(explore, name)(), random.Random(name)
    for settings in some_settings(name, rng):
        assert_drawn_and_told(explorer, settings)


@pytest.mark.parametrize("name", MINE)
def test_what_is_kept_between_drawings_never_shows(name):
    presets = list(getattr(explore, name).presets)
    assert_nothing_kept_shows(name, (presets[0], presets[-1], presets[len(presets) // 2], presets[1], presets[0]))


@pytest.mark.parametrize("name", CLICKABLE)
def test_spots_lie_on_the_picture_and_apart(name):
    explorer = getattr(explore, name)()
    assert explorer.state()["hint"]
    for preset in list(explorer.presets)[::3]:
        explorer.set(**explorer._full(explorer.presets[preset]))
        spots = explorer.shown()["spots"]
        assert len({spot["name"] for spot in spots}) == len(spots) > 1
        for spot in spots:
            assert 0 <= spot["left"] <= 1 - spot["width"] and 0 <= spot["top"] <= 1 - spot["height"]
        for one, other in itertools.combinations(spots, 2):
            x, y = (abs(one[side] - other[side]) for side in ("left", "top"))
            assert x > 0.5 * one["width"] or y > 0.5 * one["height"], (one, other)


@pytest.mark.parametrize("name", CLICKABLE)
def test_a_spot_lies_where_it_is_drawn(name):
    explorer = getattr(explore, name)()
    shown = explorer.shown()
    figure = figure_of(shown["sheet"])
    ax = figure.axes[0]
    drawn = np.concatenate([dots.get_offsets() for dots in ax.collections if len(dots.get_offsets()) == 1])
    drawn = ax.transData.transform(drawn) / figure.bbox.size
    for spot in shown["spots"]:
        middle = spot["left"] + spot["width"] / 2, 1 - spot["top"] - spot["height"] / 2
        assert np.abs(drawn - middle).max(axis=1).min() < 1e-3


# ---------------------------------------------------------------------------------------------------- database graph


def differ(one, other):
    """Return how many records must be removed and how many added, to make one multiset out of another."""
    a, b = Counter(one), Counter(other)
    return sum((a - b).values()), sum((b - a).values())


def are_neighbours(granularity, D, E):
    """Say in plain words whether two different databases are neighbours."""
    less, more = differ(D, E)
    is_table = isinstance(D, tuple) and "tables" in granularity[0]
    changed = [i for i, (x, y) in enumerate(zip(D, E, strict=False)) if x != y] if is_table else []
    users = {user for user, _ in differ_records(D, E)} if "logs" in granularity[0] else set()
    nodes = [set(e) for e in set(D) ^ set(E)] if "graphs" in granularity[0] else [set()]
    absent = lambda log: any(all(u != user for u, _ in log) for user in users)  # noqa: E731
    shorter, longer = sorted((D, E), key=len)
    rules = {
        "free lunch": True,
        "unbounded": any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))) if is_table
        else less + more == 1,
        "bounded": len(D) == len(E) and len(changed) == 1 if is_table else less == more == 1,
        "2-event": len(D) == len(E) and bool(changed) and max(changed) - min(changed) < 2,
        "edge": less + more == 1, "event level": less + more == 1,
        "node": bool(set.intersection(*nodes)),
        "user level": len(users) == 1,
        "user presence": len(users) == 1 and (absent(D) or absent(E)),
    }  # fmt: skip
    return rules[granularity[1]]


def differ_records(D, E):
    a, b = Counter(D), Counter(E)
    return [*(a - b), *(b - a)]


def steps_from(start, databases, joined):
    """Return the number of steps to each database, by going from neighbour to neighbour."""
    steps, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for D in databases:
            if D not in steps and joined(here, D):
                steps[D] = steps[here] + 1
                waiting.append(D)
    return steps


@pytest.mark.parametrize("world", CLASSES)
def test_distances_and_paths_against_walking(world):
    small, rng = CLASSES[world], random.Random(world)
    for granularity in small.granularities:
        joined = lambda D, E, g=granularity: are_neighbours((world, g), D, E)  # noqa: E731
        start = rng.choice(small.names)
        steps = steps_from(small.database(start), list(small.cls), joined)
        for goal in small.names:
            n = state("DatabaseGraph", world=world, granularity=granularity, start=start, goal=goal)
            assert n.distance == steps.get(small.database(goal), math.inf), (granularity, start, goal)
            path = [small.cls.databases[i] for i in n.path]
            assert len(path) == (n.distance + 1 if math.isfinite(n.distance) else 0)
            assert all(joined(D, E) for D, E in itertools.pairwise(path))


@pytest.mark.parametrize("world", CLASSES)
def test_classes_are_small_and_databases_stand_apart(world):
    small = CLASSES[world]
    assert len(small.cls) <= 24 and len(set(small.names)) == len(small.cls)
    apart = [np.abs(p - q).max() for p, q in itertools.combinations(small.places, 2)]
    assert min(apart) > 0.12 and small.places.min() == 0 and small.places.max() == 1


def test_the_presets_tell_the_lecture():
    told = {name: explore.DatabaseGraph(name) for name in explore.DatabaseGraph.presets}
    distances = [explorer._state()[0].distance for explorer in told.values()]
    assert distances == [4, math.inf, math.inf, 1, 3, 4, 1, 6, 2]
    fixed = told["fixed size: nothing is promised"].text
    assert "No two databases are neighbours" in fixed and "bounded 2, free lunch 1" in fixed
    assert "ε-DP promises 4ε" in explore.DatabaseGraph().text
    assert "promises nothing about them" in told["bounded: no way to other sizes"].text


def test_the_last_two_clicked_are_compared():
    explorer = explore.DatabaseGraph()
    assert explorer.widget
    click(explorer, "{}")
    click(explorer, "{a,b}")
    assert (explorer.settings["start"], explorer.settings["goal"]) == ("{}", "{a,b}")
    shown = explorer.widget.shown
    assert shown["settings"]["goal"] == "{a,b}" and shown["sentence"] == explorer.text.split("\n")[0]
    assert [spot["name"] for spot in shown["spots"] if spot["pressed"]] == ["{}", "{a,b}"]


def test_lists_follow_the_class():
    explorer = explore.DatabaseGraph(start="{}")
    assert explorer.shown()["options"]["granularity"] == ["unbounded", "bounded", "free lunch"]
    shown = move(explorer, world="graphs on 3 nodes")
    assert shown["options"]["granularity"] == ["edge", "node", "free lunch"] and len(shown["options"]["start"]) == 8
    assert (shown["settings"]["start"], shown["settings"]["goal"]) == ("{}", "{12,13,23}") and not shown["impossible"]
    explorer.reset()
    assert explorer.widget.shown["settings"] == explorer._first and explorer.settings["granularity"] == "unbounded"
    preset = explorer.state()["presets"]["user level: one step a user"]
    assert move(explorer, **preset)["settings"] == preset and preset["start"] == "Ann 0, Bob 0"


def test_what_does_not_exist_in_a_class_is_refused_in_code():
    with pytest.raises(ValueError, match="granularity in this class must be"):
        explore.DatabaseGraph(world="graphs on 3 nodes", granularity="bounded")
    with pytest.raises(ValueError, match="start in this class must be"):
        explore.DatabaseGraph().set(start="{12}")
    assert explore.DatabaseGraph(world="graphs on 3 nodes").settings["granularity"] == "edge"


# --------------------------------------------------------------------------------------------------- partition board


def price(step, labels, levels):
    """Return the final promise by looking at each record (or pair of records): the parts that see it add up."""
    seen = lambda *records: sum(levels[i - 1] for i in set().union(*records))  # noqa: E731
    if step == "change a record":  # of a single kind there is nothing to change it to
        return max((seen(*two) for two in itertools.combinations(labels, 2)), default=VACUOUS)
    return max(map(seen, labels), default=0)


@pytest.mark.parametrize("step", list(STEPS)[:3])
@pytest.mark.parametrize("seed", range(4))
def test_final_promise_against_adding_up(step, seed):
    rng = random.Random(seed)
    k, size = rng.randint(1, 5), rng.randint(1, 4)
    labels = [sorted(rng.sample(range(1, k + 1), rng.randint(0, min(k, 1 + seed)))) for _ in range(size)]
    board = " ".join("".join(map(str, parts)) or "-" for parts in labels)
    levels = [rng.randint(1, 9) for _ in range(k)]
    settings = dict(step=step, board=board, eps=" ".join(map(str, levels)))
    n = state("PartitionBoard", common=True, **settings)
    assert n.final == price(step, labels, levels)
    assert n.bounds == dict(sum=sum(levels), max=max(levels), pairs=sum(sorted(levels)[-2:]))
    if step != "change a record":  # there, promises about parts say nothing about parts of different sizes
        assert state("PartitionBoard", common=False, **settings).final == n.final


def test_a_board_without_neighbours_is_vacuous_and_never_private():
    for settings in (
        dict(step="change a record", board="1", eps="1"),
        dict(step="change a record", board="-", eps="0"),
    ):
        explorer = explore.PartitionBoard(**settings)
        n = explorer._state()[0]
        assert n.final is VACUOUS and n.loss is VACUOUS and n.pair is None
        assert "the final promise is vacuous" in explorer.text and "too small" not in explorer.text
        assert "ε = 0" not in explorer.text
        texts = list(itertools.chain(*words_on(explorer)))
        assert "vacuous" in texts and not any("✗" in text for text in texts)


def test_the_presets_of_the_board():
    n = {name: state("PartitionBoard", name) for name in explore.PartitionBoard.presets}
    finals = [values.final for values in n.values()]
    assert finals == [5, 3, math.inf, 3, 6, 2, 7, 1]
    assert [values.theorem for values in n.values()] == [
        "IV.11", "IV.6", "IV.1", "IV.1", "IV.3", "IV.6", "IV.1", "IV.12",
    ]  # fmt: skip
    assert [values.most for values in n.values()] == [2, 1, 2, 3, 3, 1, 2, 1]
    text = explore.PartitionBoard().text
    assert "(Corollary IV.13) the final promise is ε = 5 ln 2 = 3.46574" in text and "max 3 (too small)" in text
    assert "no ε at all" in explore.PartitionBoard("Example II.9: parallel fails").text


@pytest.mark.parametrize("preset", ["Corollary IV.13: the two largest", "parallel: add or remove a record"])
def test_mechanisms_attain_the_final_promise(preset):
    explorer = explore.PartitionBoard(preset)
    values = explorer._state()[0]
    made = composed(explorer.settings["step"], values.common, values.labels, values.levels)
    pulled = [PrivacySpace(made.space.cls, part.matrix) for part in made.origin.parts]
    alone = [FiniteMechanism.attaining(space, ratio=2) for space in pulled]
    loss = exponents(alone[0] @ alone[1] @ alone[2])
    assert loss[tuple(made.space.edges.T)].max() == values.final


def test_example_ii_9_has_no_epsilon():
    space = composed("change a record", False, read_board("1 2"), (0, 0)).space
    sizes = FiniteMechanism.printing(space.cls, len)
    assert sizes.level(space, "pure") == 0  # the size alone tells nothing under bounded neighbours
    both = FiniteMechanism.printing(space.cls, lambda D: (D.count("a"), D.count("b")))
    assert both.level(space, "pure") == math.inf


def test_a_click_puts_a_record_into_a_part_and_takes_it_out():
    explorer = explore.PartitionBoard()
    assert explorer.widget
    click(explorer, "record a, part 3")
    assert explorer.settings["board"] == "13 2 3" == explorer.widget.shown["settings"]["board"]
    click(explorer, "record b, part 2")
    assert explorer.settings["board"] == "13 - 3" and "b by none" in explorer.text
    explorer.set(step="change a row of a table")
    click(explorer, "row b, part 1")
    assert explorer.settings["board"] == "13 1 3"


def test_only_steps_of_records_on_the_board_are_offered():
    explorer = explore.PartitionBoard(board="1 2 3 1 2", change="d, e")
    assert explorer.widget.shown["options"]["change"][-1] == "d, e"
    shown = move(explorer, board="1 2 3")
    assert shown["settings"]["change"] == "the worst step" and not shown["impossible"]
    assert shown["options"]["change"] == ["the worst step", "a", "b", "c", "a, b", "a, c", "b, c"]
    assert "the step shown must be one of a, b, c, not of d" in explore.PartitionBoard(change="d").text


@pytest.mark.parametrize(("setting", "typed", "message"), [
    ("board", "1 x", "board must list the parts of 1 to 5 records"), ("board", "", "board must list"),
    ("board", "1 2 4", "the board must name parts that have an ε, 1 to 3, not 4"),
    ("board", "1 1 1 1 1 1", "board must list"), ("board", "10", "board must list"),
    ("eps", "1 -2 3", "eps must list 1 to 6 whole numbers below 100"),
    ("eps", "1", "1 to 1, not 3"),
])  # fmt: skip
def test_wrong_lines_are_messages(setting, typed, message):
    explorer = explore.PartitionBoard()
    assert explorer.widget
    shown = move(explorer, **{setting: typed})
    assert (
        shown["impossible"]
        and message in shown["sentence"]
        and shown["sheet"] == explore.PartitionBoard().shown()["sheet"]
    )
    click(explorer, "record a, part 2")  # the picture is of earlier settings; this must not fail
    explorer.reset()
    assert not explorer.widget.shown["impossible"]


def test_lines_are_read():
    assert read_board("1 23  -") == ({1}, {2, 3}, set()) and read_eps(" 1 20 ") == (1, 20)
    with pytest.raises(ValueError, match="board must list"):
        explore.PartitionBoard(board="abc")
    assert explore.PartitionBoard(board=" 1  2 ").settings["board"] == "1 2"


@pytest.mark.parametrize("change", ["a", "a, b"])
@pytest.mark.parametrize("step", STEPS)
def test_a_step_touches_the_parts_that_see_it(step, change):
    n = state("PartitionBoard", step=step, board="12 3 3", change=change)
    records = [NAMES.index(x) for x in change.split(", ")]
    if step != "add or remove a row":
        assert set(n.touched) == set().union(*(n.labels[y] for y in records))
    walked = {"add or remove a record": len(records), "change a row of a table": len(records)}
    assert n.distance == walked.get(step, n.distance)


# -------------------------------------------------------------------------------------------------------- switchboard


def gaussian_delta(mu, eps):
    with mpmath.workdps(30):
        mu, eps = mpmath.mpf(mu), mpmath.mpf(eps)
        return mpmath.ncdf(mu / 2 - eps / mu) - mpmath.exp(eps) * mpmath.ncdf(-mu / 2 - eps / mu)


def zcdp_delta(rho, eps):
    """Return delta of rho-zCDP at eps, as the least over a fine grid of orders."""
    a = 1 + np.geomspace(1e-3, 1e3, 400_001)
    return float(np.exp(((a - 1) * (a * rho - eps) + a * np.log1p(-1 / a) - np.log(a - 1)).min()))


@pytest.mark.parametrize("touched", [1, 2, 3, 6, 10])
def test_the_table_of_the_lecture(touched):
    told = state("Switchboard", touched=touched).by_route
    mu, rho = math.sqrt(touched) / 4, touched / 32
    assert told["pure"] == pytest.approx(touched * math.sqrt(2) / 4)
    assert gaussian_delta(mu, told["Gaussian"]) == pytest.approx(1e-5, rel=1e-7)
    assert gaussian_delta(0.25, told["approximate"] / touched) == pytest.approx(1e-5 / touched, rel=1e-7)
    assert zcdp_delta(rho, told["zero-concentrated"]) == pytest.approx(1e-5, rel=1e-6)
    assert told["zero-concentrated, classic"] == pytest.approx(rho + 2 * math.sqrt(rho * math.log(1e5)))


@pytest.mark.parametrize("settings", [(4, 1e-5), (20, 1e-6), (0.5, 1e-9), (100, 0.1)])
def test_where_gaussian_noise_begins_to_win(settings):
    n = state("Switchboard", k=12, deviation=settings[0], delta=settings[1])
    wins = [i for i in range(1, 13) if final("Gaussian", i, *settings) < final("pure", i, *settings)]
    assert n.crossing == min(wins, default=13) and wins == list(range(n.crossing, 13))
    assert n.best == min(n.by_route, key=n.by_route.get) and n.for_all["pure"] == pytest.approx(
        12 * math.sqrt(2) / settings[0]
    )


def test_more_touched_than_counts_are_all_of_them():
    n = state("Switchboard", k=4, touched=9)
    assert n.touched == 4 and n.by_route == n.for_all


# ----------------------------------------------------------------------------------------------------- implication map


@pytest.mark.parametrize("name", RUNS)
def test_every_arrow_runs(name):
    n = state("ImplicationMap", arrow=name, worlds=4, seed=3)
    assert n.refuted == (name in FALSE) and n.best
    assert all(given <= stated for stated, given in n.points) != n.refuted
    if not n.refuted:
        assert n.ran == 4 and n.best.stated == n.best.given  # each of these arrows loses nothing somewhere


def test_all_arrows_of_the_figure_are_there_and_all_theorems_have_a_place():
    assert [ends_of(name) for name in RUNS][:25] == [(a.source, a.target) for a in ARROWS]
    assert set(PLACES) == set(NODES) and set(ends_of("IV.6 ⇏ IV.12")) < set(PLACES)
    dots = np.array([dot(name) for name in RUNS])
    apart = [np.abs(p - q).max() for p, q in itertools.combinations(dots, 2)]
    assert min(apart) > 0.13


def test_a_run_is_the_librarys():
    n, rng = state("ImplicationMap", arrow="IV.11 ⇒ IV.13", worlds=3, seed=7), np.random.default_rng(7)
    runs = [run("IV.11", "IV.13", rng) for _ in range(3)]
    found = Counter()
    for one in runs:
        for i, j in itertools.combinations(range(len(one.stated)), 2):
            found[one.stated[i, j], one.given[i, j]] += 1
    words = explore.ImplicationMap(arrow="IV.11 ⇒ IV.13", worlds=3, seed=7).text
    assert n.points == found and f"at {sum(found.values())} pairs of databases" in words


@pytest.mark.parametrize("seed", range(3))
def test_counterexamples_are_true(seed):
    """What mechanisms really lose, by the closed form: the two parts (or all mechanisms) add up."""
    bounded, whole = (state("ImplicationMap", arrow=f"II.8 ⇏ {target}", seed=seed) for target in ("IV.13", "II.6"))
    for n, count in ((bounded, 2), (whole, 9)):
        levels = sorted(map(int, n.best.eps.split(", ")))
        assert n.best.given / n.best.stated == pytest.approx(sum(levels[-count:]) / levels[-1])
    silent = state("ImplicationMap", arrow="IV.6 ⇏ IV.12", seed=seed)
    assert silent.best.given == math.inf and "gives nothing at all" in explore.ImplicationMap(arrow="IV.6 ⇏ IV.12").text


def test_theorem_iv_12_is_true_where_iv_6_is_silent():
    one = FALSE["IV.6 ⇏ IV.12"](np.random.default_rng(0))
    common = World(one.world.space, one.world.maps, [one.world.space], one.world.eps, common_domain=True)
    assert common.composed().theorem() == "IV.12" and np.array_equal(common.composed().matrix, one.stated)
    assert np.array_equal(common.exponents(), one.stated)


@pytest.mark.parametrize("arrow", ["V.2 ⇒ IV.1", "II.8 ⇏ II.6", "IV.6 ⇒ II.8"])
def test_worlds_that_were_seen_before_are_the_same_again(arrow):
    rng, runs = np.random.default_rng(3), []
    while len(runs) < 4 and all(one.holds for one in runs):
        runs.append(RUNS[arrow](rng))
    tried(arrow, 2, 3)  # and then more of the same
    many = tried(arrow, 4, 3)
    above = [np.triu_indices(len(one.stated), 1) for one in runs]
    pairs = [
        (x, y) for one, at in zip(runs, above, strict=True) for x, y in zip(one.stated[at], one.given[at], strict=True)
    ]
    assert many.ran == len(runs) and many.points == Counter(pairs)
    shares = [(given / stated, stated) for stated, given in pairs if 0 < stated < math.inf]
    assert many.best.rank == max(shares)


def test_a_click_runs_an_arrow():
    explorer = explore.ImplicationMap()
    assert explorer.widget
    click(explorer, in_words("II.8 ⇏ II.6"))
    assert explorer.settings["arrow"] == "II.8 ⇏ II.6" and "Refuted in random world 1" in explorer.text
    click(explorer, in_words("V.4 ⇒ APC"))
    assert "never gives more than APC states" in explorer.text
    assert [spot["name"] for spot in explorer.widget.shown["spots"] if spot["pressed"]] == [
        "V.4 (adaptive best bound for disjoint inputs) implies APC (adaptive parallel composition)"
    ]  # fmt: skip
