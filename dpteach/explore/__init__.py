"""The explorers: pictures with controls, for lectures and for trying things out.

Each is made with its settings, `BudgetRace(eps=1, k=500)`, and shows itself as the last line of a notebook's cell.
They are loaded when asked for, so that one does not wait for all of them.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..tools import extras

_HOMES = {
    "BigWorld": "leakage.big_world",
    "BudgetRace": "basics.budget_race",
    "CensusTown": "leakage.census_town",
    "CompositionRegions": "testing.composition_regions",
    "ContributionPlanner": "experiment.contribution_planner",
    "DatabaseGraph": "granularity.database_graph",
    "Domination": "testing.domination",
    "Explorer": "base.explorer",
    "ImplicationMap": "granularity.implication_map",
    "Independence": "leakage.independence",
    "LeakDial": "leakage.leak_dial",
    "NoisePlanner": "basics.noise_planner",
    "PartitionBoard": "granularity.partition_board",
    "PriorKnowledge": "experiment.prior_knowledge",
    "PrivacyLoss": "basics.privacy_loss",
    "PrivacyRegion": "testing.privacy_region",
    "Switchboard": "granularity.switchboard",
    "TesterGame": "testing.tester_game",
    "TwoHypotheses": "experiment.two_hypotheses",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dpteach.explore' has no attribute {name!r}")
    with extras.told():
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
