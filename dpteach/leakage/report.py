"""The report: the delta of a leaky mechanism with everything that must stand beside it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..pair import Pair
from ..table import Table, show


@dataclass(frozen=True)
class Witness:
    """What shows a delta: Pr[M(x) in outputs | leak] = p against Pr[M(x') in outputs | leak] = q."""

    x: Hashable
    neighbour: Hashable
    leak: Hashable
    outputs: tuple[Any, ...]
    p: Fraction | float
    q: Fraction | float

    @classmethod
    def of(cls, x: Hashable, neighbour: Hashable, leak: Hashable, pair: Pair, **at: Any) -> Witness:
        """Return the best event of a pair, P against Q."""
        event = pair.best_event(**at)
        p = dict(zip(pair.outcomes, pair.p, strict=True))
        q = dict(zip(pair.outcomes, pair.q, strict=True))
        return cls(
            x=x,
            neighbour=neighbour,
            leak=leak,
            outputs=tuple(event),
            p=sum((p[m] for m in event), Fraction(0)),
            q=sum((q[m] for m in event), Fraction(0)),
        )

    def __str__(self) -> str:
        if not self.outputs:
            return "no outputs: none is more likely than e^eps times its probability on a neighbour"
        outputs = ", ".join(map(str, self.outputs[:4])) + (", ..." if len(self.outputs) > 4 else "")
        leak = "" if self.leak is None else f", leak {self.leak}"
        odds = f"{show(self.p)} against {show(self.q)}"
        return f"databases {self.x} and {self.neighbour}{leak}, outputs {{{outputs}}}: {odds}"


@dataclass(frozen=True, repr=False)
class Report:
    """delta(eps) of a leaky mechanism, its witness and coverage, and the delta of the other notions."""

    at: str
    delta: Fraction | float
    witness: Witness | None
    coverage: Fraction | float
    worst_coverage: Fraction | float
    neighbours: int
    vacuous_pairs: tuple[Any, ...]
    scaled: Fraction | float
    plain: Fraction | float
    released: Fraction | float

    @property
    def vacuous(self) -> bool:
        """Whether no two neighbours share a leaked value, so that the definition says nothing at all."""
        return self.witness is None

    def table(self) -> Table:
        """Return the report as a table of questions and answers."""
        shown = "nothing: no neighbours can leak the same value" if self.witness is None else str(self.witness)
        rows = [
            ("bLDP: delta given the leak", show(self.delta)),
            ("shown by", shown),
            ("coverage: share of the leak that is compared, on average", show(self.coverage)),
            ("the same for the worst pair of neighbours", show(self.worst_coverage)),
            ("neighbours about whom it says nothing", f"{len(self.vacuous_pairs)} of {self.neighbours}"),
            ("distance-scaled (Remark 19): delta", show(self.scaled)),
            ("DP of the output alone: delta", show(self.plain)),
            ("DP of output and leak together: delta", show(self.released)),
        ]
        return Table(rows, [f"at {self.at}", "answer"])

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()
