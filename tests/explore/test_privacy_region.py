"""The privacy region: its numbers are the library's, its words are fixed, and it shows without a browser too."""

import json
import math

import numpy as np
import pytest
from exploring import assert_asks_nobody, move

from dpteach import Guarantee
from dpteach.explore.testing.privacy_region import MECHANISMS, PrivacyRegion, exchange_rate
from dpteach.mechanisms import gaussian, laplace, randomized_response

SETTINGS = [
    (0, 0, 0.5),
    (1, 0.05, 0.1),
    (1, 0.05, 0.6),
    (2, 0.1, 0.95),
    (math.log(3), 1e-6, 0.02),
    (4, 0.9, 0),
    (0, 0.9, 1),
]


def numbers(explorer: PrivacyRegion) -> dict:
    return explorer.numbers(**explorer.settings)


@pytest.mark.parametrize(("eps", "delta", "alarm"), SETTINGS)
def test_numbers_are_those_of_the_guarantee(eps, delta, alarm):
    found, guarantee = numbers(PrivacyRegion(eps=eps, delta=delta, alarm=alarm)), Guarantee(eps, delta)
    assert found["missed"] == guarantee.curve.tradeoff(alarm)
    assert np.array_equal(found["region"], guarantee.curve.region())
    assert found["corner"] == pytest.approx((1 - delta) / (1 + math.exp(eps)), rel=1e-12)


def test_region_is_the_octagon_of_figure_1():
    d, x = 0.05, 0.95 / (1 + math.e)
    octagon = [(0, 1), (0, 1 - d), (x, x), (1 - d, 0), (1, 0), (1, d), (1 - x, 1 - x), (d, 1)]
    assert np.allclose(numbers(PrivacyRegion(eps=1, delta=d))["region"], octagon, atol=1e-15)


@pytest.mark.parametrize(("eps", "delta", "alarm"), SETTINGS[:-1])
def test_exchange_rate_is_the_slope_of_the_boundary(eps, delta, alarm):
    corner = (1 - delta) / (1 + math.exp(eps))
    tradeoff = Guarantee(eps, delta).curve.tradeoff
    slope = (tradeoff(alarm) - tradeoff(alarm + 1e-6)) / 1e-6
    assert exchange_rate(eps, delta, alarm, corner) == pytest.approx(slope, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanism_needs_what_the_library_says(name):
    curve = {"a coin": randomized_response, "Laplace noise": laplace, "Gaussian noise": gaussian}[name](0.5)
    found = numbers(PrivacyRegion(eps=0.5, mechanism=name))
    assert found["needs"] == curve.delta(0.5)
    assert np.array_equal(found["boundary"], curve.region())


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("delta", [0, 0.05, 0.13])
def test_mechanism_keeps_the_promise_if_its_region_lies_inside(name, delta):
    explorer = PrivacyRegion(eps=1, delta=delta, mechanism=name)
    boundary = numbers(explorer)["boundary"]
    lower = boundary[boundary.sum(axis=1) <= 1]
    inside = all(missed >= Guarantee(1, delta).curve.tradeoff(alarm) - 1e-9 for missed, alarm in lower)
    assert ("keeps the promise" in explorer.text) == inside == ("breaks the promise" not in explorer.text)


def test_text():
    assert repr(PrivacyRegion(mechanism="Gaussian noise")) == (
        "Under the promise ε = 1 and δ = 0.05, a test with a false alarm rate of 0.1000 misses at least 0.6782.\n"
        "The promise keeps every test's two errors inside the blue region; at its corner both errors are 0.2555.\n"
        "The test at the square raises a false alarm with probability 0.1000 (it says D1 on D0) and misses with "
        "probability 0.6782 (it says D0 on D1); no test with as few false alarms misses less.\n"
        "From here on, more false alarms lower the misses at a rate of 2.7183 to 1.\n"
        "Gaussian noise of μ = 1 breaks the promise: at ε = 1 it needs δ = 0.126937, and its region sticks out."
    )
    assert "more false alarms gain nothing" in PrivacyRegion(alarm=0.97).text


def test_bundle_has_widget_picture_and_text():
    explorer = PrivacyRegion()
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == explorer.text
    assert data["image/png"] == PrivacyRegion().png() and data["image/png"].startswith(b"\x89PNG")
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.widget.model_id


@pytest.mark.parametrize("preset", PrivacyRegion.presets)
def test_presets_can_be_drawn(preset):
    assert PrivacyRegion(preset).png() != PrivacyRegion(eps=3.3).png()


def test_python_follows_the_browser_and_the_browser_python():
    explorer = PrivacyRegion()
    before = explorer.widget.answers
    move(explorer, eps=2.0, mechanism="Laplace noise")
    assert explorer.settings["eps"] == 2 and "Laplace noise of ε = 1 keeps" in explorer.text
    assert explorer.widget.answers == before  # the browser has drawn it already
    explorer.set(delta=0.2)
    assert explorer.widget.shown["settings"] == explorer.settings and explorer.settings["delta"] == 0.2
    explorer.reset()
    assert explorer.widget.shown["settings"]["eps"] == 1 and explorer.text == PrivacyRegion().text


def test_mechanism_is_as_strong_as_the_promise_unless_told_otherwise():
    assert PrivacyRegion(eps=2).settings["strength"] == 2
    assert PrivacyRegion(eps=0).settings["strength"] == 0.1
    assert PrivacyRegion(eps=2, strength=0.5).settings["strength"] == 0.5
    assert PrivacyRegion().settings["strength"] == 1


def test_browser_gets_every_value_it_may_need():
    explorer = PrivacyRegion(eps=math.log(3), delta=1e-6)
    explorer.set(eps=math.log(2))
    fixed = json.loads(json.dumps(explorer.state()["fixed"]))
    assert {math.log(3), math.log(2), 0, 4} <= set(fixed["grids"]["eps"]) and 1e-6 in fixed["grids"]["delta"]
    assert [table["strength"] for table in fixed["mechanisms"]] == [1, math.log(3)]
    needs = fixed["mechanisms"][0]["mechanisms"]["Gaussian noise"]["needs"]
    assert needs == gaussian(1).delta(np.array(fixed["grids"]["eps"])).tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (dict(eps=-1), "eps must lie in [0, 4], not -1"),
        (dict(delta=1), "delta must lie in [0, 0.9], not 1"),
        (dict(alarm=1.5), "alarm must lie in [0, 1], not 1.5"),
        (dict(mechanism="magic"), "mechanism must be one of"),
        (dict(preset="magic"), "preset must be one of"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError) as caught:
        PrivacyRegion(**settings)
    assert message in str(caught.value)


def test_script_asks_nobody():
    assert_asks_nobody(PrivacyRegion())
