"""The explorers' race: which controls are moved, where, and what the table says; tests/browser/test_lab.py runs it."""

import math

import pytest

from dpteach import explore
from dpteach.__main__ import main
from dpteach.tools import bench_explorers
from dpteach.tools.bench_explorers import NAMES, Measured, asked, races, summary, table, usable


@pytest.mark.parametrize("name", NAMES)
def test_every_control_is_moved_once_where_it_does_something(name):
    moved = []
    for preset, controls in races(name):
        explorer = getattr(explore, name)(preset)
        assert not set(controls) & set(explorer.idle(explorer.settings))
        moved += controls
    assert sorted(moved) == sorted(getattr(explore, name).controls)


def test_what_is_typed_can_be_read():
    for name in ("PartitionBoard", "TwoHypotheses"):
        explorer = getattr(explore, name)()
        for control in explorer.controls:
            for text in asked(explorer, control)["texts"]:
                explorer.set(**{control: text})
                assert explorer._state()[0] is not None, text


def test_moves_that_warm_up_or_change_nothing_do_not_count():
    assert usable([900, 800, 20, None, 30]) == [20, 30]
    assert math.isnan(*usable([900, 800, None]))


def test_table_and_summary():
    measured = [Measured("A", "x", 20, 100, 40, 3), Measured("B", "y", 40, 100)]
    assert table(measured).rows == [("A", "x", 20, 100, 5, 40, 3), ("B", "y", 40, 100, 2.5, None, None)]
    assert summary(measured).startswith("Least: B.y, 2.5 times faster than the usual way; median 3.8 times.")
    assert summary([*measured, Measured("C", "z", math.nan, 90)]) == summary(measured)
    assert summary(measured).endswith("Typical: 30 ms; a held key shows 40 pictures a second or more.")


def test_what_is_missing_is_said_in_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(bench_explorers.lab, "reason_to_skip", lambda: "Playwright is not installed")
    assert main(["bench-explorers"]) == 1
    assert capsys.readouterr().err == "bench-explorers drives a browser: Playwright is not installed.\n"
    with pytest.raises(SystemExit):
        main(["bench-explorers", "Nobody"])
    assert "not Nobody" in capsys.readouterr().err
