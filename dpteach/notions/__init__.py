"""Notions of privacy over a metric, and the general composition theorem (GMPS, sections IV to VII).

- `Pure`, `Approximate`, `ZeroConcentrated`, `Gaussian`: what is promised about every two databases of a space.
- `compose`: all composition theorems as one mechanism; `explain()` names the theorem and the worst neighbours.
- `FiniteMechanism`: small mechanisms whose loss is computed exactly between all pairs of databases.
- `bracket`, `group_delta`, `zcdp_epsilon`, `gdp_epsilon`: how promises grow with distance, and what they mean in
  terms of (eps, delta). `counts_table`: which notion to use for a release of counts.
- `implications`: the map of the theorems, each arrow of which runs. `worlds`: random small worlds to try them on.
"""

from . import implications, worlds
from .composition import THEOREMS, Composed, compose
from .counts import counts_deviation, counts_epsilon, counts_table
from .finite import FiniteMechanism
from .measure import concentrated_loss, gaussian_loss, pure_loss
from .privacy import Approximate, Gaussian, MetricPrivacy, Pure, ZeroConcentrated
from .scaling import (
    bracket,
    gaussian_tradeoff,
    gdp_epsilon,
    group_delta,
    pure_mu,
    pure_rho,
    vacuous_from,
    zcdp_epsilon,
)

__all__ = [
    "THEOREMS",
    "Approximate",
    "Composed",
    "FiniteMechanism",
    "Gaussian",
    "MetricPrivacy",
    "Pure",
    "ZeroConcentrated",
    "bracket",
    "compose",
    "concentrated_loss",
    "counts_deviation",
    "counts_epsilon",
    "counts_table",
    "gaussian_loss",
    "gaussian_tradeoff",
    "gdp_epsilon",
    "group_delta",
    "implications",
    "pure_loss",
    "pure_mu",
    "pure_rho",
    "vacuous_from",
    "worlds",
    "zcdp_epsilon",
]
