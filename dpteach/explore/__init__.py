"""The explorers: pictures with controls, for lectures and for trying things out.

Each is made with its settings, `BudgetRace(eps=1, k=500)`, and shows itself as the last line of a notebook's cell.
They are loaded when asked for, so that one does not wait for all of them.
"""

from __future__ import annotations

import importlib

_HOMES = {
    "BigWorld": "big_world",
    "BudgetRace": "budget_race",
    "CensusTown": "census_town",
    "CompositionRegions": "composition_regions",
    "ContributionPlanner": "contribution_planner",
    "DatabaseGraph": "database_graph",
    "Domination": "domination",
    "Explorer": "explorer",
    "ImplicationMap": "implication_map",
    "Independence": "independence",
    "LeakDial": "leak_dial",
    "NoisePlanner": "noise_planner",
    "PartitionBoard": "partition_board",
    "PriorKnowledge": "prior_knowledge",
    "PrivacyLoss": "privacy_loss",
    "PrivacyRegion": "privacy_region",
    "Switchboard": "switchboard",
    "TesterGame": "tester_game",
    "TwoHypotheses": "two_hypotheses",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module 'dpteach.explore' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
