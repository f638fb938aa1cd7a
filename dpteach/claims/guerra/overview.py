"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: the figure and the table."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np

from ... import Table
from ...granularity import (
    DatabaseClass,
    Granularity,
    Partition,
    bounded,
    unbounded,
)
from ...notions import (
    Pure,
    compose,
    implications,
)
from ..entries import MISPRINT, RECONSTRUCTED, claim, ensure
from ..reference import granularity as by_hand
from .spaces import INF, UP_TO_2


@claim("GMPS-Fig-1", verdict=RECONSTRUCTED, where="Figure 1", title="How the theorems follow from each other")
def implication_map():
    r"""The caption: an overview of the theorems, independent and adaptive, sequential and best bound, original and
    generalized, separate domains and common domain; an arrow says that a result directly implies the other.

    Only this caption is in the text that was checked, not the drawing: nothing here is for or against the printed
    arrows. The map of this kit is our reconstruction. Its 25 arrows were derived from the statements, and each is run
    here on a random world. With Theorem III.3 and Proposition IV.10, which are not about composition, everything
    follows from the adaptive composition theorem V.2; V.2 and V.5 are equivalent, and so are IV.1 and IV.11. From IV.6
    no arrow leads to IV.12, as long as the parts have the neighbours of $\mathcal G$: if only steps between sizes 1 and
    2 count, IV.12 promises 1, but the parts $\{\}$ and $\{a\}$ of the neighbours $\{b\}$ and $\{a,b\}$ are not
    neighbours, and IV.6 says nothing.
    """
    rng, rows, derived = np.random.default_rng(335), [], _arrows()
    ensure({(a.source, a.target) for a in implications.ARROWS} == derived and len(derived) == 25, "25 arrows")
    ensure(len(implications.NODES) == 16 == len({x for arrow in derived for x in arrow}), "16 theorems")
    for start in implications.NODES:
        reached = set(by_hand.walk({x: [b for a, b in derived if a == x] for x in implications.NODES}, start))
        ensure(implications.follows_from(start) == reached, "what can be reached")
        if start in ("V.2", "IV.1", "V.5", "IV.11", "IV.6", "II.8"):
            rows.append((start, implications.NODES[start].name, len(reached) - 1))
    ensure(implications.follows_from("V.2") == implications.follows_from("V.5") == set(implications.NODES), "the roots")
    ensure(implications.follows_from("IV.1") == implications.follows_from("IV.11"), "IV.1 and IV.11 are equivalent")
    for source, target in sorted(derived):
        done = implications.run(source, target, rng)
        ensure(done.holds, f"{source} implies {target}")
        lost = done.world.exponents() if len(done.world.space) <= 6 else done.given
        ensure(np.all(lost <= done.stated), f"no mechanism breaks {target}")
    ensure("IV.12" not in implications.follows_from("IV.6"), "no way from IV.6 to IV.12")
    steps = Granularity(lambda D, E: by_hand.added(D, E) and len(D) + len(E) == 3, "sizes 1 and 2")
    space, parts = steps.on(UP_TO_2), Partition.by_record(["a", "b"])
    ensure(parts.compatible(space) and parts.sensitivities(space) == [INF, INF], "compatible, but too sensitive")
    promises = [Pure(space, 1)] * 2
    ensure(compose(promises, parts, common_domain=True).level() == 1, "IV.12 promises 1")
    ensure(compose([Pure(s, 1) for s in parts.spaces(space)], parts, on=space).level() == INF, "IV.6 nothing")
    return Table(rows, ["theorem", "name", "implies so many others"])


def _arrows() -> set[tuple[str, str]]:
    """Return the arrows, derived from the statements."""
    general = "V.2>IV.1 V.2>V.3 V.2>V.4 V.2>V.5 V.5>V.2 IV.1>IV.3 IV.1>IV.6 IV.1>IV.11 IV.11>IV.1 V.5>IV.11"
    classic = "V.3>IV.3 V.3>II.7 V.3>II.5 II.7>II.6 IV.3>II.6 IV.6>II.8 V.4>IV.6 V.4>APC APC>II.8"
    common = "V.5>V.6 V.6>IV.12 V.6>V.4 IV.11>IV.12 IV.11>IV.13 IV.12>IV.6"
    return {tuple(arrow.split(">")) for arrow in " ".join((general, classic, common)).split()}


@claim("GMPS-Tab-I", verdict=MISPRINT, where="Table I", title="I_f is the set of the parts that are touched")
def set_or_number():
    r"""Table I defines $I_f(D,D')$ as the set of all $i$ with $f_i(D)\ne f_i(D')$.

    Sections IV-B and IV-C use the same letter for the number of its elements, Example VI.8 for the set. Read
    $\#I_f(D,D')$ where it is compared with a number.
    """
    cls, rows = DatabaseClass.multisets("abc", at_most=2), []
    blocks = ["a", "b", "c"]
    parts = Partition.by_record(blocks)
    number = parts.touched_matrix(cls)
    for D, E in product(cls, repeat=2):
        by_record = [n for n, x in enumerate(blocks, 1) if Counter(D)[x] != Counter(E)[x]]
        ensure(parts.touched(D, E) == by_record, "the set, record by record")
        ensure(number[cls.index[D], cls.index[E]] == len(by_record), "and its size")
    for notion, related, most in ((unbounded, by_hand.added, 1), (bounded, by_hand.replaced, 2)):
        told, pair = parts.most_touched(notion.on(cls))
        exact = max(len(parts.touched(*two)) for two in by_hand.related_pairs(cls.databases, related))
        ensure(told == exact == most == len(parts.touched(*pair)), "the largest number for neighbours")
        chosen = "{" + ", ".join(map(str, parts.touched(*pair))) + "}"
        rows.append((notion.name, " and ".join(map(cls.label, pair)), chosen, told))
    far = parts.touched("aa", "bc")
    rows.append(("none", "{a,a} and {b,c}", "{" + ", ".join(map(str, far)) + "}", len(far)))
    ensure(far == [1, 2, 3], "all three")
    return Table(rows, ["neighbours", "D and D'", "the set I_p", "the number"])
