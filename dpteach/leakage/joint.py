"""Joint laws: what a mechanism prints and what it leaks, both made of the same coins.

On every database x there is one law of (leaked value, output), so the two together are a channel. Three more channels
follow from it: the leak alone, the output alone, and the output given the leak.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

from .. import checks
from ..annotations import Outcome
from ..channel import Channel, Law, normalized
from ..pair import Pair
from .tables import ANYTHING, uniform_or_law


class JointLaws:
    """A channel of (leaked value, output), with a list of neighbouring databases."""

    def _set(self, channel: Channel, neighbours: list[tuple[Any, ...]]) -> None:
        self.channel = channel
        self.neighbours = neighbours

    @property
    def joint(self) -> dict[Any, Any]:
        """The table itself: joint[x][o, m] is the probability that database x leaks o and prints m."""
        return self.channel.laws

    @property
    def databases(self) -> list[Any]:
        """The databases, in their order."""
        return self.channel.databases

    @cached_property
    def leaks(self) -> list[Any]:
        """All values that can leak."""
        return list(dict.fromkeys(map(leak_of, self.channel.outputs)))

    @cached_property
    def outputs(self) -> list[Any]:
        """All outputs that can be printed."""
        return list(dict.fromkeys(map(output_of, self.channel.outputs)))

    @property
    def exact(self) -> bool:
        """Whether all probabilities are whole numbers or fractions."""
        return self.channel.exact

    # --------------------------------------------------------------------------------- the channels that follow

    @cached_property
    def leak(self) -> Channel:
        """The leak alone."""
        return self.channel.then(leak_of)

    @cached_property
    def output(self) -> Channel:
        """The output alone."""
        return self.channel.then(output_of)

    @cached_property
    def given_leak(self) -> Channel:
        """The output given the leak: a law M(x) | P(x) = o for every pair (x, o) that is possible."""
        return self.channel.given_each(leak_of).then(output_of)

    # ------------------------------------------------------------------------------------------------ their laws

    def leak_law(self, x: Hashable) -> dict[Any, Any]:
        """Return the law of the leaked value at database x."""
        return self.leak.law(self._known(x))

    def law(self, x: Hashable, o: Hashable = ANYTHING) -> dict[Any, Any]:
        """Return the law of the output at database x, given the leaked value o if one is named."""
        if o is ANYTHING:
            return self.output.law(self._known(x))
        return self.given_leak.law(self._place(x, o))

    def shared_leaks(self, x0: Hashable, x1: Hashable) -> list[Any]:
        """Return the values that both databases can leak."""
        mine = self.leak.laws[self._known(x0)]
        other = self.leak.laws[self._known(x1)]
        return [o for o in mine if o in other]

    def can_share(self, x0: Hashable, x1: Hashable, o: Hashable) -> bool:
        """Say whether both databases can leak o."""
        return self._known_leak(o) in self.shared_leaks(x0, x1)

    def conditioned(self, x0: Hashable, x1: Hashable, o: Hashable = None) -> Pair:
        """Return the pair that an adversary faces who knows the leaked value: M(x0) | o against M(x1) | o."""
        return self.given_leak.pair(self._place(x0, o), self._place(x1, o))

    def posterior(
        self, leak: Outcome = ANYTHING, output: Outcome = ANYTHING, prior: Law | None = None
    ) -> dict[Any, Any]:
        """Return Pr[database | what was seen], by Bayes' rule from a prior (uniform, unless given)."""
        leak = checks.hashable("leak", leak)
        output = checks.hashable("output", output)
        prior = uniform_or_law("prior", self.databases if prior is None else prior)
        seen = {x: share * self._probability(self._known(x), leak, output) for x, share in prior.items()}
        if not sum(seen.values()) > 0:
            raise ValueError(
                f"leak and output must be possible together, not {checks.shorten(leak)} and {checks.shorten(output)}"
            )
        return normalized(seen)

    def _probability(self, x: Hashable, leak: Hashable, output: Hashable):
        total = 0
        for (o, m), weight in self.joint[x].items():
            if leak in (ANYTHING, o) and output in (ANYTHING, m):
                total += weight
        return total

    # --------------------------------------------------------------------------------------- what may be asked

    def _known(self, x: Hashable) -> Hashable:
        if not checks.is_among(x, self.joint):
            raise ValueError(f"x must be one of the {len(self.joint)} databases, not {checks.shorten(x)}")
        return x

    def _known_leak(self, o: Hashable) -> Hashable:
        if not checks.is_among(o, dict.fromkeys(self.leaks)):
            raise ValueError(
                f"o must be a value that can leak, one of {checks.shorten(self.leaks)}, not {checks.shorten(o)}"
            )
        return o

    def _place(self, x: Hashable, o: Hashable) -> tuple:
        """Return (x, o), if database x can leak o."""
        if self._known_leak(o) not in self.leak.laws[self._known(x)]:
            raise ValueError(f"o must be a value that database {checks.shorten(x)} can leak, not {checks.shorten(o)}")
        return x, o


def leak_of(cell: tuple[Any, ...]) -> Hashable:
    """Return the leaked value of a cell (leaked value, output)."""
    return cell[0]


def output_of(cell: tuple[Any, ...]) -> Hashable:
    """Return the output of a cell (leaked value, output)."""
    return cell[1]
