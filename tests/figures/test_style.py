"""Figures carry their numbers and their description, and leave matplotlib's state alone."""

import subprocess
import sys
from itertools import permutations

import drawn
import numpy as np
import pytest

from dpteach import Guarantee, Pair, Table, optimal
from dpteach.figures import COLOURS, DASHES, Picture, arc, axes, lower_boundary, privacy_regions
from dpteach.figures.style import draw_cell, last_row, lines_of, listing, note
from dpteach.mechanisms import gaussian, laplace


def test_equal_errors_of_known_regions():
    """A guarantee's corner is (1 - delta) / (1 + e^eps); a Gaussian's is Phi(-mu / 2)."""
    picture = privacy_regions(
        {"promise": Guarantee(np.log(3), 0.1), "normal": gaussian(1), "coin": Pair([1, 0], [0, 1])}
    )
    promise, normal, coin = picture.numbers.column("error when both errors are equal")
    assert promise == pytest.approx(0.225, rel=1e-12)
    assert normal == pytest.approx(0.3085375387, abs=1e-4)
    assert coin == 0


def test_the_description_tells_the_numbers():
    picture = privacy_regions({"k = 30": optimal(Guarantee(0.1, 0.001), k=30)})
    assert "k = 30: 0.38137" in picture.alt == repr(picture)
    data, metadata = picture._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == data["text/plain"] == picture.alt


def test_the_picture_is_the_same_every_time():
    assert privacy_regions({"a": laplace(1)}).png() == privacy_regions({"a": laplace(1)}).png()


def test_lower_boundary_goes_from_corner_to_corner():
    for curve in (Guarantee(1, 0.05), laplace(1), optimal(Guarantee(1, 0.1), k=3), Pair([1], [1])):
        lower = lower_boundary(curve)
        assert lower[0].tolist() == [0, 1]
        assert lower[-1].tolist() == [1, 0]
        assert (np.diff(lower[:, 0]) >= 0).all()
        assert (np.diff(lower[:, 1]) <= 0).all()


def test_no_two_lines_look_alike():
    assert len(set(COLOURS)) == len(COLOURS) == len(DASHES)


def test_the_core_needs_no_plotting_library():
    """Importing dpteach loads neither matplotlib nor the widgets."""
    code = "import sys, dpteach; print([m for m in ('matplotlib', 'ipywidgets', 'IPython') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


# ------------------------------------------------------------------------------------------- what stands where


def test_regions_are_drawn_from_corner_to_corner():
    curves = {"coin": Pair([0.75, 0.25], [0.25, 0.75]), "promise": Guarantee(np.log(3), 0.1)}
    picture = privacy_regions(curves, "Two regions")
    ax = drawn.only_panel(picture)
    assert drawn.line(ax, "coin") == pytest.approx(np.array([(0, 1), (0.25, 0.25), (1, 0)]))
    promise = [(0, 1), (0, 0.9), (0.225, 0.225), (0.9, 0), (1, 0)]
    assert drawn.line(ax, "promise") == pytest.approx(np.array(promise))
    (blind,) = drawn.segments(ax)
    assert blind.tolist() == [[0, 1], [1, 0]]
    ((words, x, y),) = drawn.words(ax)
    assert words == "blind guessing" and x + y > 1  # above its line
    assert ax.get_title(loc="left") == "Two regions"
    assert drawn.covered_words(picture) == drawn.crossed_words(picture) == []


SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.01)], dtype=float)


@pytest.mark.parametrize(("i", "j"), list(permutations(range(5), 2)))
def test_an_edge_begins_and_ends_at_its_places(i, j):
    """Straight, or bent around the place that lies close to the way from (0, 0) to (1, 0): by 0.11 of its length."""
    points = arc(SQUARE, i, j)
    assert points[0] == pytest.approx(SQUARE[i]) and points[-1] == pytest.approx(SQUARE[j])
    if {i, j} == {0, 1}:
        away = points[:, 1] if i < j else -points[:, 1]
        middle = np.abs(points[:, 0] - 0.5) < 0.05
        assert away.max() == pytest.approx(0.11, abs=1e-3) == away[middle].max()
        assert np.hypot(*(points - SQUARE[4]).T).min() > 0.05
    else:
        assert len(points) == 2


@pytest.mark.parametrize(
    ("other", "bent"),
    [((0.5, 0.029), True), ((0.5, 0.031), False), ((0.5, -0.029), True), ((-0.01, 0), False), ((1.01, 0), False)],
)
def test_only_what_lies_close_and_in_between_is_in_the_way(other, bent):
    places = np.array([(0, 0), (1, 0), other])
    assert (len(arc(places, 0, 1)) > 2) == bent
    turned = np.array([(0, 0), (0, 3), (-3 * other[1] / 3, 3 * other[0])])  # three times as long, as close
    assert (len(arc(turned, 0, 1)) > 2) == bent


def test_words_beside_a_point_and_cells_around_one():
    _, ax = axes("x", "y")
    note(ax, "here", (1, 2), (3, -4))
    draw_cell(ax, 5, 6, 2, 1)
    assert drawn.notes(ax) == [("here", (1, 2), (3, -4))]
    assert drawn.cells(ax) == [(4, 5.5, 6, 6.5)]


def test_lists_of_numbers():
    assert listing([("one", 1), ("half", 0.5)]) == "one: 1; half: 0.5"
    assert listing([("one", 1), ("half", 0.5)], between=", ", colon=" ") == "one 1, half 0.5"
    assert last_row(Table([(1, 2, 3), (4, 5, 6)], ["a", "b", "c"])) == [("b", 5), ("c", 6)]
    assert lines_of([{"a": 1, "b": 2}, {"a": 3, "b": 4}]) == {"a": [1, 3], "b": [2, 4]}


@pytest.mark.parametrize("at", [(0.5, 0.5), (0.99, 0.5)])
def test_words_on_words_on_lines_and_beyond_the_edge_are_noticed(at):
    """What the tests of all figures rely on."""
    figure, ax = axes("x", "y")
    ax.plot([0, 1], [0.2, 0.2])
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.text(*at, "first words", va="center").set_in_layout(False)
    ax.text(0.5, 0.5, "others", va="center")
    ax.text(0.5, 0.2, "crossed", va="center")
    picture = Picture(figure, "words")
    covered = [("first words", "others")] if at == (0.5, 0.5) else ["first words"]
    assert drawn.covered_words(picture) == covered
    assert drawn.crossed_words(picture) == ["crossed"]
