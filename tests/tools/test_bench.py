"""The benchmark: its table, its truths and dpteach's errors. Nothing here depends on how fast the machine is."""

import json
import sys
from dataclasses import asdict

import numpy as np
import pytest
import truth

from dpteach.tools import bench

pytest.importorskip("mpmath", reason="the truth needs mpmath, which the test extra installs")
ONCE = bench.Pace(least=1, most=1, budget=0.0, patience=0.0, quick=True)  # the first go is the only one


@pytest.fixture(scope="module")
def alone():
    """A benchmark of dpteach alone, as on a machine without the other accountants."""
    alone = bench.Bench(ONCE)
    alone.libraries = [library for library in alone.libraries if library.name == "dpteach"]
    return alone


@pytest.mark.parametrize(("eps", "k"), bench.HOMOGENEOUS)
def test_equal_guarantees_are_exact_to_twelve_digits(alone, eps, k):
    ours, *others = alone.homogeneous(eps, k)
    assert ours.library == "dpteach"
    assert ours.turns == 1
    assert ours.ms > 0
    assert ours.eps_error <= 1e-12
    assert ours.delta_error <= (1e-12 if k <= 10**5 else 3e-12)  # rounded up: the more coins, the further
    assert [row.note for row in others] == ["not installed"] * 3


@pytest.mark.parametrize("what", ["epsilon", "delta"])
def test_many_questions_are_answered_exactly(alone, what):
    ours = alone.many_questions(what)[0]
    errors = {"epsilon": ours.eps_error, "delta": ours.delta_error}
    assert ours.questions == 10**5
    assert errors.pop(what) <= 1e-12
    assert list(errors.values()) == [None]


def test_the_bracket_of_different_guarantees_is_narrow_and_contains_the_truth(alone):
    ours = alone.heterogeneous()[0]
    low, high = alone.curves["dpteach"].bracket(delta=bench.DELTA)
    assert low <= 24.6528308588040 <= high
    assert high - low <= 1e-5
    assert ours.eps_error <= 1e-5 / 24
    assert "met, contains the truth" in ours.note


def test_longer_lists_have_narrow_brackets_and_say_who_was_not_run(alone):
    ours, *others = alone.longer_list(2000, 1000.0)
    low, high = alone.curves["dpteach"].bracket(delta=bench.DELTA)
    assert high - low <= bench.WIDTH and ours.turns == 1
    assert "target below 1000 s: met" in ours.note and "wide, relative" in ours.note
    assert [row.note for row in others] == ["not installed"] * 3
    epsilons = np.random.default_rng(0).uniform(0.01, 0.2, 2000) * (1000 / 2000) ** 0.5
    assert low <= bench.MixedTruth(alone.mp, epsilons.tolist()).epsilon(bench.DELTA) <= high


def test_the_release_is_that_of_the_accountant(alone):
    ours, *others = alone.release()
    low, high = alone.curves["dpteach"].bracket(delta=bench.DELTA)
    assert low <= alone.answers["dpteach"] == high <= low * (1 + 1e-5)
    assert "wide, relative" in ours.note and len(others) == 3


def test_the_truths_are_those_of_the_tests(alone):
    """bench has its own short truths, because tests are not installed with the library."""
    equal = bench.EqualTruth(alone.mp, 0.1, 100)
    assert abs(truth.mp.mpf(equal.epsilon(1e-6)) / truth.optimal_epsilon(0.1, 0, 100, 1e-6) - 1) < 1e-30
    assert abs(truth.mp.mpf(equal.delta(3)) / truth.optimal_delta(0.1, 0, 100, 3) - 1) < 1e-30
    epsilons = np.random.default_rng(1).uniform(0.05, 0.5, 200).tolist()
    mixed = bench.MixedTruth(alone.mp, epsilons)
    at = float(mixed.epsilon(1e-6))
    assert abs(truth.mp.mpf(mixed.delta(at)) / truth.contour_delta(epsilons, at) - 1) < 1e-15
    assert float(mixed.delta(at)) == pytest.approx(1e-6, rel=1e-12)
    assert truth.mp.dps == 60  # the benchmark leaves the shared precision alone


def test_import_is_light():
    seconds, loaded = bench.import_seconds("dpteach")
    assert seconds > 0
    assert loaded == []


def test_unwanted_modules_are_noticed():
    assert bench.import_seconds("matplotlib")[1] == ["matplotlib"]


def test_a_library_that_fails_or_is_missing_gets_a_row():
    def fail():
        raise RuntimeError("Too many points. Take fewer.")

    timings = bench.race({"dpteach": lambda: 1.0, "other": fail}, ONCE)
    rows = bench.rows_of("task", timings)
    assert [row.note for row in rows] == ["", "fails: Too many points"]
    assert rows[1].ms is None
    assert bench.table_of(rows).column("library") == ["dpteach", "other"]


def test_libraries_take_turns():
    log = []
    pace = bench.Pace(least=2, most=2, patience=9.0, turn=1e-9)
    timings = bench.race({name: lambda name=name: log.append(name) for name in "ab"}, pace)
    assert log == ["a", "b"] * 3  # a warm-up and two turns each
    assert [len(timing.seconds) for timing in timings.values()] == [2, 2]


def test_without_peers_and_mpmath_the_advice_is_plain(monkeypatch):
    for module in ("mpmath", "dp_accounting", "prv_accountant"):
        monkeypatch.setitem(sys.modules, module, None)
    poor = bench.Bench(ONCE)
    assert [library.name for library in poor.libraries] == ["dpteach"]
    told = " ".join(bench.advice(poor))
    assert "install mpmath" in told
    assert "--no-deps -r requirements-peers.txt" in told  # else pip would downgrade attrs
    ours = poor.homogeneous(0.1, 30)[0]
    assert (ours.eps_error, ours.note) == (None, "")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_main_prints_one_table(monkeypatch, capsys, options):
    rows = [bench.Measurement("k = 30", "dpteach", 5, 0.5, 1, 1.0, 1e-15, 1e-14)]
    monkeypatch.setattr(bench.Bench, "run", lambda self: rows)
    assert bench.main(["--quick", *options]) == 0
    told = capsys.readouterr().out
    if options:
        assert json.loads(told)["rows"] == [asdict(rows[0])]
    else:
        assert told.startswith("task")
        assert "slower: time for a question over dpteach's" in told
