"""The table prints the same everywhere."""

from fractions import Fraction

import numpy as np
import pytest

from dpteach import Guarantee, Table
from dpteach.table import show


def test_numbers_have_six_digits_and_stand_right():
    table = Table([("a", 1 / 3), ("bb", 12345678.9)], ["name", "value"])
    assert repr(table) == "name        value\n----  -----------\na        0.333333\nbb    1.23457e+07"


def test_the_last_bit_does_not_show():
    values = [0.1 + 0.2, 0.3]
    assert len({repr(Table([(value,)], ["x"])) for value in values}) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "1/3"),
        (10**6, "1000000"),
        (np.float64(0.5), "0.5"),
        (np.inf, "inf"),
        (True, "yes"),
        (None, ""),
        ("word", "word"),
        (Guarantee(1, 0).epsilon, "1"),
    ],
)
def test_a_cell(value, text):
    assert repr(Table([(value, "|")], ["x", "end"])).splitlines()[-1].split("|")[0].strip() == text


def test_html_is_escaped_and_has_all_cells():
    markup = Table([("<b>", 2.0)], ["a & b", "c"])._repr_html_()
    assert '<td style="text-align:left">&lt;b&gt;</td><td style="text-align:right">2</td>' in markup
    assert '<th style="text-align:left">a &amp; b</th>' in markup


def test_columns_by_name():
    table = Table([(1, "x"), (2, "y")], ["n", "word"])
    assert table.column("word") == ["x", "y"]
    assert len(table) == 2
    with pytest.raises(ValueError, match="name must be one of 'n', 'word', not 'm'"):
        table.column("m")


def test_a_ragged_row_is_refused():
    with pytest.raises(ValueError, match="rows must have 2 entries"):
        Table([(1,)], ["a", "b"])


def test_truth_values_of_numpy_are_words_too():
    assert Table([(np.True_, np.bool_(False))], ["a", "b"])._cells() == [["yes", "no"]]


@pytest.mark.parametrize("value", [np.int64(7), np.uint8(7), 7])
def test_whole_numbers_of_numpy_are_shown_as_numbers(value):
    assert show(value) == "7"
