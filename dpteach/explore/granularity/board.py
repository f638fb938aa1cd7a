"""The board of parts: how it is typed, and the composition that it stands for."""

from __future__ import annotations

from functools import lru_cache

from ... import checks
from ...granularity import DatabaseClass, Maps, NeighbourSpace, Partition, bounded, unbounded
from ...notions import MetricPrivacy, Pure, compose

Labels = tuple[frozenset[int], ...]  # for each record the parts that see it

NAMES = "abcde"
MOST_PARTS = 6
DIGITS = set("123456789")
ADD_RECORD = "add or remove a record"
CHANGE_RECORD = "change a record"
CHANGE_ROW = "change a row of a table"
ADD_ROW = "add or remove a row"
STEPS = {
    ADD_RECORD: ("records", unbounded),
    CHANGE_RECORD: ("records", bounded),
    CHANGE_ROW: ("rows", bounded),
    ADD_ROW: ("rows", unbounded),
}


def read_board(text: str) -> Labels:
    """Return for each record the parts that see it, from a line such as "1 2 13 -"."""
    words = str(text).split()
    known = all(word == "-" or set(word) <= DIGITS for word in words)
    if not known or not 1 <= len(words) <= len(NAMES):
        raise ValueError(
            f"board must list the parts of 1 to {len(NAMES)} records, such as '1 2 13 -', not {checks.shorten(text)}"
        )
    return tuple(frozenset(int(digit) for digit in word if digit != "-") for word in words)


def write_board(labels: list[set[int]]) -> str:
    """Return the line that `read_board` reads as these parts."""
    words = ["".join(map(str, sorted(parts))) for parts in labels]
    return " ".join(word or "-" for word in words)


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
def composed(step: str, common: bool, labels: Labels, levels: tuple[int, ...]) -> MetricPrivacy:
    """Return the composition of the mechanisms, each of which is given the records of its part."""
    kind, _ = STEPS[step]
    space = space_of(step, len(labels))
    maps = [one_part(kind, labels, part) for part in parts_of(levels)]
    promises = []
    for alone, eps in zip(maps, levels, strict=True):
        (part,) = alone.spaces(space)
        promises.append(Pure(space if common else part, eps))
    family = all_parts(kind, labels, levels)
    return compose(promises, family, on=space, common_domain=common)


def parts_of(levels: tuple[int, ...]) -> range:
    """Return the numbers of the parts, one for each mechanism."""
    return range(1, len(levels) + 1)


def all_parts(kind: str, labels: Labels, levels: tuple[int, ...]) -> Maps:
    """Return the maps of all mechanisms: a partition if no record is seen by two of them."""
    parts = parts_of(levels)
    is_partition = all(len(seen) < 2 for seen in labels)
    if is_partition and kind == "rows":
        return Partition.by_order({y: max(seen) for y, seen in enumerate(labels, 1) if seen}, parts)
    functions = [one_part(kind, labels, part)[0] for part in parts]
    return Partition(functions, parts) if is_partition else Maps(functions, parts)


def one_part(kind: str, labels: Labels, part: int) -> Partition:
    """Return the map to one part alone."""
    seen = [y for y, parts in enumerate(labels) if part in parts]
    if kind == "rows":
        return Partition.by_order({y + 1: part for y in seen}, [part])
    return Partition.by_record({NAMES[y]: part for y in seen}, [part])


def shown_pair(kind: str, size: int, change: str) -> tuple:
    """Return two databases that differ in the records (or rows) named in a change."""
    names = change.split(", ")
    if kind == "rows":
        return ("x",) * size, tuple("y" if name in names else "x" for name in NAMES[:size])
    if len(names) == 1:
        return (), (names[0],)
    return (names[0],), (names[1],)
