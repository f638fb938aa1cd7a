"""Making further mechanisms: what post-processing, composition and another view of the leak turn one into."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from .. import checks
from ..channel import Channel, as_law, check_size, summed
from ..numerics.rounding import TINY
from ..numerics.side import Error
from .joint import JointLaws
from .tables import same_law

NULL = "null"  # what Definition 15 and Algorithm 1 answer where a leaked value is impossible


class Making(JointLaws):
    """The part of a leaky mechanism that makes further ones on the same databases."""

    def _made(self, channel: Channel):
        """Return the mechanism of another channel, with the same neighbours."""
        raise NotImplementedError

    def _relabel(self, rename: Callable[[Hashable, Hashable], tuple]):
        return self._made(self.channel.then(lambda cell: rename(*cell)))

    # ------------------------------------------------------------------------------------------- another leak

    def coarsen(self, leak_map: Callable[[Hashable], Hashable] | Mapping[Any, Any]) -> Self:
        """Leak only leak_map(o). Neither more nor less privacy follows: bLDP is not monotone in the leak."""
        rename = checks.function("leak_map", leak_map)
        return self._relabel(lambda o, m: (rename(o), m))

    def without_leak(self) -> Self:
        """Forget the leak: with a constant one, bLDP is plain DP (Remark 25)."""
        return self._relabel(lambda o, m: (None, m))

    def reveal(self) -> Self:
        """Append the leak to the output, M || P; bLDP stays as it is (Theorem 12)."""
        return self._relabel(lambda o, m: (o, (m, o)))

    def released(self) -> Self:
        """Release the leak with the output and condition on nothing: the plain DP of M || P."""
        return self._relabel(lambda o, m: (None, (m, o)))

    def swapped(self) -> Self:
        """Exchange the roles of output and leak; `.swapped().without_leak()` is the leak as a mechanism."""
        return self._relabel(lambda o, m: (m, o))

    def leaking_itself(self) -> Self:
        """Leak the output itself, (M, M): perfect bLDP whatever M is (Example 3)."""
        return self._relabel(lambda o, m: (m, m))

    # ----------------------------------------------------------------------------------------- another output

    def then(self, kernel: Callable[..., Any] | Mapping[Any, Any]) -> Self:
        """Post-process with fresh coins (Theorem 11): kernel(m) is the new output, or {output: probability}.

        A kernel that reads the leak as well is `.reveal().then(kernel)`. One that reads the coins r again is no
        post-processing, and cannot be written this way.
        """
        ask = checks.function("kernel", kernel)
        laws = {m: as_law("kernel", ask(m)) for m in self.outputs}
        kept = {}
        for o, m in self.channel.outputs:
            kept[o, m] = {(o, n): share for n, share in laws[m].items()}
        return self._made(self.channel._then(kept))

    def reduction(self, x0: Hashable, x1: Hashable, o: Hashable = None) -> Self:
        """Return the DP reduction mechanism (Definition 15): M(x0) | o at x0, M(x1) | o at every other database."""
        if not self.can_share(x0, x1, o):
            return self._made(Channel({x: {(None, NULL): 1} for x in self.databases}))
        reduced = self.given_leak.after(lambda x: (x0 if x == x0 else x1, o), self.databases)
        return self._made(reduced.then(lambda m: (None, m)))

    # -------------------------------------------------------------------------------------- several mechanisms

    def compose(self, others: Any) -> Self:
        """Run all with fresh coins each: outputs and leaks stand side by side in tuples (Theorem 26)."""
        family = self._family(others)
        sizes = [max(map(len, mechanism.joint.values())) for mechanism in family]
        check_size("others", len(self.databases) * math.prod(sizes))
        together = self.channel.then(_alone)
        for other in family[1:]:
            together = (together @ other.channel).then(_side_by_side)
        return self._made(together)

    def mixture(self, weights: Sequence[Any] | Callable[..., Any], others: Any) -> Self:
        """Run one of several mechanisms with the same leak, chosen by a coin of its own (Lemma 10).

        The weights are a list, or a function of the leaked value that returns one. They may depend neither on the
        database nor on the coins r, which the printed condition Pr[M = M_i] = a_i would allow, wrongly.
        """
        family = self._family(others)
        for other in family:
            self._check_same_leak(other)
        choose = weights if callable(weights) else lambda o: weights
        shares = {o: _shares(choose(o), len(family)) for o in self.leaks}
        laws = {x: summed(_mixed_cells(x, family, shares)) for x in self.databases}
        errors = [mechanism.channel.error for mechanism in family]
        units = max(error.units for error in errors) + len(family) + 1
        mass = sum(error.mass for error in errors) + TINY * len(family) * max(map(len, laws.values()))
        return self._made(Channel._of(laws, Error(units, mass=mass)))

    def _family(self, others) -> list[Making]:
        """Return this mechanism and the others, if all have the same databases and neighbours."""
        family = [self, *listed_mechanisms("others", others)]
        for other in family:
            if set(other.joint) != set(self.joint) or _edges(other) != _edges(self):
                raise ValueError(f"others must have the databases and neighbours of the first, not those of {other!r}")
        return family

    def _check_same_leak(self, other: Making) -> None:
        for x in self.databases:
            if not same_law(self.leak_law(x), other.leak_law(x)):
                raise ValueError(f"others must leak as the first mechanism does, not differently at database {x!r}")


def listed_mechanisms(name: str, given: Any) -> list[Making]:
    """Return one leaky mechanism or several as a list."""
    listed = [given] if isinstance(given, Making) or not np.iterable(given) else list(given)
    if not listed or not all(isinstance(mechanism, Making) for mechanism in listed):
        raise ValueError(f"{name} must be a LeakyMechanism or a list of them, not {checks.shorten(given)}")
    return listed


def _edges(mechanism: Making) -> set[frozenset]:
    return {frozenset(pair) for pair in mechanism.neighbours}


def _alone(cell: tuple) -> tuple:
    """Return a leaked value and an output, each in a tuple of its own."""
    leak, output = cell
    return (leak,), (output,)


def _side_by_side(cells: tuple) -> tuple:
    """Return the leaks so far and the next one in one tuple, the outputs in another."""
    (leaks, outputs), (leak, output) = cells
    return (*leaks, leak), (*outputs, output)


def _mixed_cells(x: Hashable, family: Sequence[Making], shares: Mapping) -> Iterable[tuple]:
    """Yield the cells of all mechanisms on a database, weighted by the shares that belong to the leaked value."""
    for i, mechanism in enumerate(family):
        for (o, m), weight in mechanism.joint[x].items():
            yield (o, m), weight * shares[o][i]


def _shares(weights, number: int) -> list[Fraction | float]:
    shares = checks.law("weights", weights)
    if len(shares) != number:
        raise ValueError(f"weights must have one entry for each of the {number} mechanisms, not {len(shares)}")
    return shares.tolist()
