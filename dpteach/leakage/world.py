"""The big world (LPR, Theorem 17): what k studies tell about one person who joins some of them.

Whether she joins may depend on her data; what leaks is something about her participation, such as how many studies she
joined. The other people are the same in both worlds, so that a study is a law for each state of this one person: her
data, or `ABSENT`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np

from .. import checks
from ..annotations import Number
from ..channel import Channel, Law, as_law, as_pair, check_size, summed
from ..curve import VACUOUS, WorstCase
from ..mechanisms import randomized_response
from ..numerics.rounding import TINY
from ..numerics.side import Error
from ..table import Table
from .mechanism import LeakyMechanism
from .tables import as_ratio, product_law

ABSENT = "absent"
BOUNDS = ("exact", "t eps + eta", "min(2t, k) eps", "2t eps", "k eps")
Study = Callable[[Hashable], Law | Hashable]


class BigWorld(LeakyMechanism):
    """The outputs of all studies, given what leaked about one person's participation; databases are her data.

    `participation` is the same world with her participation vector as the output.
    """

    def __init__(self, studies: list[Study], participation: LeakyMechanism):
        self.studies = studies
        self.participation = participation
        channel = participation.channel
        answers = {x: {v: self._answers(x, v) for _, v in cells} for x, cells in channel.laws.items()}
        check_size("studies and participation", sum(_number_of_answers(laws) for laws in answers.values()))
        laws = {x: summed(_answered(cells, answers[x])) for x, cells in channel.laws.items()}
        joined = max(map(len, channel.laws.values()))
        underflow = TINY * (len(studies) + 1) * max(_number_of_answers(laws) for laws in answers.values())
        error = Error(channel.error.units + len(studies) + joined + 2, mass=channel.error.mass + underflow)
        self._set(Channel._of(laws, error), participation.neighbours)

    def _answers(self, x: Hashable, v: tuple) -> dict:
        """Return the law of all studies' outputs for a person with data x who joins where v is 1."""
        laws = []
        for study, joins in zip(self.studies, v, strict=True):
            state = x if joins else ABSENT
            laws.append(as_law("study", study(state)))
        return product_law(*laws)

    @cached_property
    def one_study(self) -> WorstCase:
        """What one study alone tells apart: her data, and her absence. Its ratio is the e^eps of the bounds."""
        states = [ABSENT, *self.databases]
        pairs = {}
        for j, study in enumerate(self.studies):
            laws = {state: as_law("study", study(state)) for state in states}
            for s, z in combinations(states, 2):
                pairs[j, s, z] = as_pair(laws[s], laws[z])
        return WorstCase(pairs)

    def most_joined(self, o: Hashable) -> int:
        """Return t, the largest number of studies that she may have joined if o leaked."""
        self._known_leak(o)
        possible = chain.from_iterable(self.participation.joint.values())
        return max(sum(v) for leaked, v in possible if leaked == o)

    def bounds(self, o: Hashable) -> dict[Any, Any]:
        """Return the exact e^loss given o, and its bounds for pure studies (Theorem 17 and its sharper forms).

        With e^eps = a: a^(2t) as printed, a^min(2t, k), a^k for studies without a leak, and a^t e^eta, where e^eta is
        the largest ratio of the participation laws given o. If only one value of her data can leak o, all that is
        said given o is vacuous.
        """
        a = self.one_study.ratio() if self.studies else 1
        t = self.most_joined(o)
        k = len(self.studies)
        eta = self.participation.given(o).ratio()
        if eta is VACUOUS:
            return dict.fromkeys(BOUNDS, VACUOUS) | {"k eps": a**k}
        charged = a**t * eta, a ** min(2 * t, k), a ** (2 * t), a**k
        return dict(zip(BOUNDS, (self.given(o).ratio(), *charged), strict=True))

    def table(self) -> Table:
        """Return e^loss and its bounds for every leaked value."""
        bounds = {o: self.bounds(o) for o in self.leaks}
        rows = [(str(o), self.most_joined(o), *row.values()) for o, row in bounds.items()]
        return Table(rows, ["leaked", "t", *bounds[self.leaks[0]]])


def big_world(
    studies: Sequence[Study],
    participation: Callable[[Hashable], Law | tuple[Any, ...]],
    leak: Callable[[Hashable, tuple[Any, ...]], Hashable | Law] | None = None,
    data: Iterable[Hashable] = (0, 1),
) -> BigWorld:
    """Tabulate k studies, joined according to participation(x), a law on 0-1 vectors, with leak(x, v) known.

    Each study is a function of the person's state (her data x, or `ABSENT`) that returns its output's law. Left out,
    the leak is the exact number of studies joined (Lemma 39).
    """
    studies = [checks.function("study", study) for study in _listed(studies)]
    data = checks.names("data", data)
    if not data:
        raise ValueError("data must not be empty")
    participation = checks.function("participation", participation)
    leak = checks.function("leak", _how_many if leak is None else leak)
    laws = {}
    for x in data:
        vectors = as_law("participation", participation(x))
        laws[x] = _joining(x, vectors, leak, len(studies))
    underflow = TINY * max(map(len, laws.values()))
    channel = Channel._of(laws, Error(units=3, mass=underflow))
    return BigWorld(studies, LeakyMechanism._of(channel, list(combinations(data, 2))))


def _joining(x: Hashable, vectors: Law, leak: Callable, k: int) -> dict:
    """Return the law of what leaks and which studies she joins."""
    cells = {}
    for v, weight in vectors.items():
        _check_vector(v, k)
        for o, share in as_law("leak", leak(x, v)).items():
            cells[o, v] = weight * share
    return cells


def _check_vector(v: Hashable, k: int) -> None:
    has_k_entries = isinstance(v, tuple) and len(v) == k
    if not has_k_entries or not all(checks.is_number(joined) and joined in (0, 1) for joined in v):
        raise ValueError(f"participation must give tuples of {k} zeros and ones, not {checks.shorten(v)}")


def _number_of_answers(laws: dict) -> int:
    return sum(map(len, laws.values()))


def _answered(cells: Law, answers: dict) -> Iterable[tuple]:
    """Yield what leaks and all studies' outputs, whatever she joined."""
    for (o, v), weight in cells.items():
        for outputs, share in answers[v].items():
            yield (o, outputs), weight * share


def _how_many(x: Hashable, v: tuple) -> int:
    return sum(v)


def _listed(studies) -> list:
    return list(studies) if np.iterable(studies) else [studies]


# ------------------------------------------------------------------------------------------------ kinds of studies


def asks_presence(ratio: Number, delta: Number = 0) -> Study:
    """Return a study that only tells, by randomized response, whether the person is there."""
    pair = randomized_response(ratio=ratio, delta=delta)
    away = dict(zip(pair.outcomes, pair.p, strict=True))
    there = dict(zip(pair.outcomes, pair.q, strict=True))
    return lambda state: away if state == ABSENT else there


def asks_data(ratio: Number) -> Study:
    """Return a study that tells a person's bit by randomized response, and flips a fair coin if she is absent."""
    pair = randomized_response(ratio=ratio)
    chances = {0: pair.p, 1: pair.q, ABSENT: [Fraction(1, 2), Fraction(1, 2)]}
    ask = checks.function("the study", chances)
    return lambda state: dict(zip(pair.outcomes, ask(state), strict=True))


def asks_state(ratio: Number, states: Sequence[Hashable] = (ABSENT, 0, 1)) -> Study:
    """Return the worst study of its kind: the true state is `ratio` times as likely an output as any other one."""
    ratio = as_ratio(ratio)
    states = checks.names("states", states)
    total = ratio + len(states) - 1
    return lambda state: {s: (ratio if s == state else 1) / total for s in states}
