"""Sheets: what is drawn is kept as plain values, and both ends of it, ticks and matplotlib, are right."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

from dpteach.explore.base.axes import one_panel, two_panels
from dpteach.explore.base.paint import figure_of, pixels
from dpteach.explore.base.sheet import Sheet
from dpteach.explore.base.ticks import log_ticks, power_of_ten, round_ticks, small_log_ticks, written


def panel():
    return Sheet((4, 3)).add(0.1, 0.1, 0.8, 0.8)


def drawn(draw):
    """Return a sheet after something was drawn on its panel, as the browser gets it."""
    sheet, ax = one_panel((4, 3), left=0.1, right=0.9, bottom=0.1, top=0.9)
    draw(ax)
    return json.loads(json.dumps(sheet.json(), allow_nan=False))


# ---------------------------------------------------------------------------------------------------------- ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "words"),
    [
        (0, 1, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 2, 8, ["0.00", "0.25", "0.50", "0.75", "1.00", "1.25", "1.50", "1.75", "2.00"]),
        (-3, 3, 6, ["−3", "−2", "−1", "0", "1", "2", "3"]),
        (7.5, -0.5, 4, ["0", "2", "4", "6"]),
        (0, 1500, 6, ["0", "250", "500", "750", "1000", "1250", "1500"]),
        (0, 3e-5, 3, ["0.00000", "0.00001", "0.00002", "0.00003"]),
    ],
)
def test_round_numbers_along_an_axis(low, high, most, words):
    ticks = round_ticks(low, high, most)
    assert [word for _, word in ticks] == words
    assert all(float(word.replace("−", "-")) == pytest.approx(place, abs=1e-12) for place, word in ticks)


@pytest.mark.parametrize("seed", range(40))
def test_ticks_are_few_and_inside_and_even(seed):
    rng = np.random.default_rng(seed)
    low, high = np.sort(rng.normal(size=2) * 10.0 ** rng.integers(-6, 6))
    most = int(rng.integers(1, 10))
    places = np.array([place for place, _ in round_ticks(low, high, most)])
    slack = 1e-6 * (high - low)
    assert len(places) <= most + 1 and np.all((places >= low - slack) & (places <= high + slack))
    if len(places) > 2:
        assert np.allclose(np.diff(places), places[1] - places[0])


def test_whole_numbers_where_only_they_make_sense():
    assert [word for _, word in round_ticks(0, 2.5, 9, whole=True)] == ["0", "1", "2"]
    assert [word for _, word in round_ticks(0, 30.5, 6, whole=True)] == ["0", "10", "20", "30"]


def test_powers_of_ten():
    assert [word for _, word in log_ticks(1, 1000)] == ["1", "10", "100", "1000"]
    assert [word for _, word in log_ticks(1e-12, 0.1)] == ["10⁻¹²", "10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"]
    assert [place for place, _ in log_ticks(2, 60)] == [2, 5, 10, 20, 50]
    assert small_log_ticks(1, 10) == [2, 3, 4, 5, 6, 7, 8, 9] and small_log_ticks(1e-12, 0.1) == []
    assert (power_of_ten(-6), power_of_ten(3, plain=True), power_of_ten(0)) == ("10⁻⁶", "1000", "1")
    assert written([0, 0.5, 1]) == ["0.0", "0.5", "1.0"]


# --------------------------------------------------------------------------------------------------------- sheets


def test_a_sheet_is_plain_values():
    def draw(ax):
        ax.plot(np.array([0, 1, np.nan]), np.array([0, np.inf, 2]), marker="o", label="line")
        ax.bar(np.arange(2), [1, 2], color=["black", "#0072B2"], hatch=["//", ""], edgecolor="white", label="bars")
        ax.fill_between([0, 1], [1, 2], color="0.5")
        ax.text(0.5, 0.5, "words", transform=ax.transAxes, bbox=dict(facecolor="white", pad=2))
        ax.arrow((0, 0), (1, 1), bend=0.2, gaps=(3, 4), color="black")
        ax.legend()

    (told,) = drawn(draw)["panels"]
    line = next(mark for mark in told["marks"] if mark["kind"] == "line")
    assert (line["x"], line["y"]) == ([0, 1, None], [0, None, 2])
    assert [entry["words"] for entry in told["key"]["entries"]] == ["line", "bars"]
    bars = [mark for mark in told["marks"] if mark["kind"] == "area"]
    assert [bar["fill"] for bar in bars] == ["0", "#0072b2", "0.5"] and [bar["hatch"] for bar in bars] == ["//", "", ""]


def test_marks_lie_over_each_other_as_in_matplotlib():
    ax = panel()
    ax.text(0, 0, "last")
    ax.plot([0, 1], [0, 1])
    ax.bar(0, 1)
    ax.axvline(0, zorder=0.5, color="black")
    assert [mark["kind"] for mark in ax.json()["marks"]] == ["rule", "area", "line", "text"]


def test_what_the_letters_of_a_plot_mean():
    ax = panel()
    ax.plot(0, 0, "D", ms=9, mfc="white", mew=2, color="#D55E00")
    ax.plot([0, 1], [0, 1], "--", color="black")
    dots, line = ax.json()["marks"]
    assert (dots["shape"], dots["size"], dots["fill"], dots["edge"], dots["rim"]) == ("D", 9, "1", "#d55e00", 2)
    assert line["color"] == "0" and line["dash"] == [pytest.approx(5.55), pytest.approx(2.4)]


def test_places_are_those_of_matplotlib():
    margins = dict(left=0.075, right=0.98, bottom=0.135, top=0.76, wspace=0.27)
    sheet, *panels = two_panels((9, 4.6), (1.25, 1), **margins)
    axes = Figure(figsize=(9, 4.6)).subplots(1, 2, width_ratios=(1.25, 1))
    axes[0].figure.subplots_adjust(**margins)
    across, up = sheet.points
    for made, ax in zip(panels, axes, strict=True):
        assert np.array(made.place()) / (across, up, across, up) == pytest.approx(ax.get_position().bounds)


@pytest.mark.parametrize("log", [False, True])
def test_equal_units_and_parts_of_a_panel(log):
    ax = panel()
    ax.set(xlim=(1, 100), ylim=(0, 1), xscale="log" if log else "linear")
    assert ax.parts_of(10, 0.25) == pytest.approx((0.5 if log else 1 / 11, 0.25))
    ax.set(xlim=(0, 1), xscale="linear", aspect="equal")
    left, bottom, width, height = ax.place()
    assert width == pytest.approx(height) == pytest.approx(0.8 * 3 * 72)
    assert left + width / 2 == pytest.approx(2 * 72) and bottom == pytest.approx(0.1 * 3 * 72)


# ------------------------------------------------------------------------------------------------ with matplotlib


def test_matplotlib_paints_the_same_numbers():
    def draw(ax):
        ax.plot([0, 1, 2], [3, 1, 2], color="#0072B2", linestyle="-.", linewidth=3)
        ax.barh([0, 1], [2, 1], height=0.5, left=1, color="#009E73")
        ax.text(1, 2, "here", rotation=90)
        ax.set(xlim=(0, 4), ylim=(3, 0), xlabel="x", ylabel="y", title="t")

    ax = figure_of(drawn(draw)).axes[0]
    (line,) = ax.lines
    assert line.get_xydata().tolist() == [[0, 3], [1, 1], [2, 2]] and line.get_linewidth() == 3
    assert ax.patches[0].get_xy()[:4].tolist() == [[1, -0.25], [3, -0.25], [3, 0.25], [1, 0.25]]
    assert [text.get_text() for text in ax.texts] == ["here"] and ax.texts[0].get_rotation() == 90
    assert ax.get_xlim() == (0, 4) and ax.get_ylim() == (3, 0)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title("left")) == ("x", "y", "t")


def test_matplotlib_writes_the_same_ticks():
    def draw(ax):
        ax.set(xlim=(1, 1000), xscale="log", ylim=(-0.5, 2.5))
        ax.set_yticks([0, 1, 2], ["a", "b", "c"])

    ax = figure_of(drawn(draw)).axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "10", "100", "1000"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]


def test_every_mark_leaves_ink():
    marks = {
        "line": lambda ax: ax.plot([0, 1], [0, 1]),
        "dots": lambda ax: ax.plot(0.5, 0.5, "X", ms=20),
        "area": lambda ax: ax.bar(0.5, 0.5, color="white", hatch="//", edgecolor="black"),
        "rule": lambda ax: ax.axhline(0.5, color="black", linewidth=3),
        "text": lambda ax: ax.annotate("words", (0.5, 0.5), (3, 3)),
        "arrow": lambda ax: ax.arrow((0.1, 0.1), (0.9, 0.9), color="black"),
    }
    empty = pixels(drawn(lambda ax: None))
    for name, draw in marks.items():
        assert not np.array_equal(pixels(drawn(draw)), empty), name
