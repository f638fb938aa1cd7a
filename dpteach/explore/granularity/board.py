"""The board of parts: what is typed about it, and the composition that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import ipywidgets

from ... import checks
from ...granularity import DatabaseClass, Maps, NeighbourSpace, Partition, bounded, unbounded
from ...notions import MetricPrivacy, Pure, compose
from ..base.controls import LAYOUT, STYLE

NAMES = "abcde"
MOST_PARTS = 6
DIGITS = set("123456789")
STEPS = {
    "add or remove a record": ("records", unbounded),
    "change a record": ("records", bounded),
    "change a row of a table": ("rows", bounded),
    "add or remove a row": ("rows", unbounded),
}


@dataclass(frozen=True)
class Words:
    """A line to type into, checked by a function."""

    value: str
    label: str
    read: Callable[[str], tuple]

    def check(self, name: str, value) -> str:
        """Return the line, with one space between its words."""
        self.read(value)
        return " ".join(str(value).split())

    def widget(self, name: str) -> ipywidgets.Text:
        """Return the widget, without a value yet."""
        return ipywidgets.Text(description=self.label, continuous_update=False, style=STYLE, layout=LAYOUT)

    def put(self, widget: ipywidgets.Text, value: str) -> None:
        """Write the line."""
        widget.value = value


def read_board(text: str) -> tuple[frozenset[int], ...]:
    """Return for each record the parts that see it, from a line such as "1 2 13 -"."""
    words = str(text).split()
    known = all(word == "-" or set(word) <= DIGITS for word in words)
    if not known or not 1 <= len(words) <= len(NAMES):
        raise ValueError(
            f"board must list the parts of 1 to {len(NAMES)} records, such as '1 2 13 -', not {checks.shorten(text)}"
        )
    return tuple(frozenset(map(int, word.replace("-", ""))) for word in words)


def read_eps(text: str) -> tuple[int, ...]:
    """Return the levels of the mechanisms, in units of log 2, from a line such as "1 2 3"."""
    words = str(text).split()
    known = all(word.isdecimal() and int(word) < 100 for word in words)
    if not known or not 1 <= len(words) <= MOST_PARTS:
        raise ValueError(
            f"eps must list 1 to {MOST_PARTS} whole numbers below 100, such as '1 2 3', not {checks.shorten(text)}"
        )
    return tuple(map(int, words))


# -------------------------------------------------------------------------------------------------- what it stands for


@lru_cache(maxsize=32)
def space_of(step: str, size: int) -> NeighbourSpace:
    """Return the databases: at most two records, or a table with this many rows (at most, if rows come and go)."""
    kind, granularity = STEPS[step]
    if kind == "records":
        return granularity.on(DatabaseClass.multisets(NAMES[:size], at_most=2))
    lengths = dict(exactly=size) if granularity is bounded else dict(at_most=size)
    return granularity.on(DatabaseClass.ordered("xy", **lengths))


@lru_cache(maxsize=256)
def composed(step: str, common: bool, labels: tuple[frozenset[int], ...], levels: tuple[int, ...]) -> MetricPrivacy:
    """Return the composition of the mechanisms, each of which is given the records of its part."""
    space = space_of(step, len(labels))
    kind, _ = STEPS[step]
    parts = range(1, len(levels) + 1)
    alone = [one_part(kind, labels, i) for i in parts]
    about = [space] * len(levels) if common else [part.spaces(space)[0] for part in alone]
    promises = [Pure(target, eps) for target, eps in zip(about, levels, strict=True)]
    return compose(promises, _family(kind, labels, alone, parts), on=space, common_domain=common)


def _family(kind: str, labels: tuple[frozenset[int], ...], alone: list[Partition], parts: range) -> Maps:
    """Return the maps of all mechanisms: a partition if no record is seen by two of them."""
    disjoint = all(len(seen) < 2 for seen in labels)
    if disjoint and kind == "rows":
        return Partition.by_order({y: max(seen) for y, seen in enumerate(labels, 1) if seen}, parts)
    functions = [part[0] for part in alone]
    return Partition(functions, parts) if disjoint else Maps(functions, parts)


def one_part(kind: str, labels: tuple[frozenset[int], ...], i: int) -> Partition:
    """Return the map to the i-th part alone."""
    seen = [y for y, parts in enumerate(labels) if i in parts]
    if kind == "rows":
        return Partition.by_order({y + 1: i for y in seen}, [i])
    return Partition.by_record({NAMES[y]: i for y in seen}, [i])


def shown_pair(kind: str, size: int, change: str) -> tuple:
    """Return two databases that differ in the records (or rows) named in a change."""
    names = change.split(", ")
    if kind == "rows":
        return ("x",) * size, tuple("y" if NAMES[y] in names else "x" for y in range(size))
    return ((), (names[0],)) if len(names) == 1 else ((names[0],), (names[1],))
