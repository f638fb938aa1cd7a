"""Notions of privacy over a metric, and the general composition theorem (GMPS, sections IV to VII).

- `Pure`, `Approximate`, `ZeroConcentrated`, `Gaussian`: what is promised about every two databases of a space, and a
  curve for its neighbours.
- `compose`: all composition theorems as one mechanism; `explain()` names the theorem and the worst neighbours.
- `FiniteMechanism`: small mechanisms whose loss is computed exactly between all pairs of databases.
- `group_factor`, `group_delta`, `zcdp_epsilon`, `gdp_epsilon`: how promises grow with distance, and what they mean in
  terms of (eps, delta). `counts_table`: which notion to use for a release of counts.
- `implications`: the map of the theorems, each arrow of which runs. `worlds`: random small worlds to try them on.
"""

from . import implications, worlds
from .composition import Composition, compose
from .counts import counts_deviation, counts_epsilon, counts_table
from .finite import FiniteMechanism
from .measure import concentrated_loss, gaussian_loss, pure_loss
from .privacy import Approximate, Gaussian, Pure, ZeroConcentrated
from .promise import MetricPrivacy
from .scaling import (
    gdp_epsilon,
    group_delta,
    group_factor,
    pure_mu,
    pure_rho,
    vacuous_from,
    zcdp_delta,
    zcdp_epsilon,
)

__all__ = [
    "Approximate",
    "Composition",
    "FiniteMechanism",
    "Gaussian",
    "MetricPrivacy",
    "Pure",
    "ZeroConcentrated",
    "compose",
    "concentrated_loss",
    "counts_deviation",
    "counts_epsilon",
    "counts_table",
    "gaussian_loss",
    "gdp_epsilon",
    "group_delta",
    "group_factor",
    "implications",
    "pure_loss",
    "pure_mu",
    "pure_rho",
    "vacuous_from",
    "worlds",
    "zcdp_delta",
    "zcdp_epsilon",
]
