"""Figures carry their numbers and their description, and leave matplotlib's state alone."""

import subprocess
import sys

import numpy as np
import pytest

from dpteach import Guarantee, Pair, optimal
from dpteach.figures import COLOURS, DASHES, lower_boundary, privacy_regions
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
