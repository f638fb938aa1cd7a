"""The figures of the registry, against their formulas and by what they draw."""

import math

import numpy as np
import pytest

from dpteach import Guarantee, composition, optimal
from dpteach.data import ALICE, REPORT_CAP, counts, memberships, registry
from dpteach.figures.registry import averaging, caps, granularities, planned_scales, report, shares_in_report

SHOWN = ["in therapy, of any age", "in hospital, of any age"]


def test_the_average_of_noisy_answers():
    picture = averaging(1, eps=0.5, most=40, seed=3)
    (ax,) = picture.figure.axes
    (line,) = [line for line in ax.lines if line.get_label() == "average"]
    k, drawn = line.get_data()
    for n, average, deviation in picture.numbers.rows:
        assert drawn[n - 1] == pytest.approx(average)
        assert deviation == pytest.approx(math.sqrt(2) / 0.5 / math.sqrt(n))
    assert list(k) == list(range(1, 41))
    assert picture.numbers.rows == averaging(1, eps=0.5, most=40, seed=3).numbers.rows
    many = np.array([averaging(7, most=100, seed=seed).numbers.rows[-1][1] for seed in range(60)])
    assert abs(many.mean() - 7) < 4 * 0.1414 / math.sqrt(60)


def test_a_report_is_planned_with_each_theorem():
    scales = planned_scales(100, 1.0, 1e-6, ["basic", "advanced"])
    assert list(scales) == ["basic", "DRV", "exact optimum"]
    assert scales["basic"] == pytest.approx(100)
    assert composition.advanced(Guarantee(1 / scales["DRV"]), slack=1e-6, k=100).epsilon == pytest.approx(1)
    assert optimal(Guarantee(1 / scales["exact optimum"]), k=100).epsilon(1e-6) == pytest.approx(1)


def test_the_report_draws_counts_and_standard_deviations():
    answers = counts(registry())
    picture = report(answers, 1.0, 1e-6, ["basic"], SHOWN)
    (ax,) = picture.figure.axes
    for container, (_, scale, deviation) in zip(ax.containers, picture.numbers.rows, strict=True):
        assert list(container.lines[0].get_ydata()) == [answers[query] for query in SHOWN]
        (bars,) = container.lines[2]
        low, high = bars.get_segments()[0][:, 1]
        assert (high - low) / 2 == pytest.approx(deviation) == pytest.approx(math.sqrt(2) * scale)
    assert "141.421" in picture.alt


def test_the_noise_for_several_meanings_of_a_neighbour():
    given = {"a visit": (1, 1), "a person": (1, 53)}
    picture = granularities(given, ["people", "visits"], eps=0.5)
    (ax,) = picture.figure.axes
    assert picture.numbers.rows == [("a visit", 2, 2), ("a person", 2, 106)]
    for i, container in enumerate(ax.containers):
        ends = [bar.get_x() + bar.get_width() for bar in container]
        assert ends == [values[i] / 0.5 for values in given.values()]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(given)
    assert "a person: 2, 106" in picture.alt


def test_the_report_is_mostly_about_others():
    bits = memberships(registry())
    picture = shares_in_report(bits, ALICE, cap=20)
    (ax,) = picture.figure.axes
    heights = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in ax.patches}
    assert [heights[size] for size, _ in picture.numbers.rows] == [n for _, n in picture.numbers.rows]
    assert sum(n for _, n in picture.numbers.rows) == len(bits) and "Alice is in 4, the cap is 20" in picture.alt


def test_the_noise_of_four_caps():
    """Each scale keeps the promise for as many counts, and not with less noise."""
    picture = caps(memberships(registry()), REPORT_CAP, 1.0, 1e-6)
    assert picture.numbers.column("counts") == [16, 12, 20, 100]
    for _, cap, scale, newcomer in picture.numbers.rows:
        assert optimal(Guarantee(1 / scale), k=cap).epsilon(1e-6) == pytest.approx(1)
        assert (newcomer > 1.0001) == (cap < 20)
