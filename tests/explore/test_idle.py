"""Controls that do nothing say so, and only those: each is moved, at settings drawn at random."""

import json

import numpy as np
import pytest
from exploring import choices, plain, set_at_random

from dpteach import explore
from dpteach.explore.granularity.small_classes import CLASSES

NAMES = [name for name in explore.__all__ if name != "Explorer"]
SETTINGS = 12
FEW = 7  # values of a control that are tried
BY_CHANCE = {  # what may change nothing although it could: there is nothing to see at some settings
    "LeakDial": {"what", "flip", "bias", "j"},  # no delta is above 0 at a large factor
    "BigWorld": {"rule", "q", "leak"},  # nobody joins, or nothing is compared
}


def values_of(explorer, name, rng):
    """Return some values of a control, among them its ends."""
    values = choices(explorer, name)
    if type(explorer).__name__ == "DatabaseGraph" and name != "world":
        values = list(CLASSES[explorer.settings["world"]].options[name])
    if len(values) > FEW:
        values = [*values[:2], *(plain(value) for value in rng.choice(values, FEW - 2))]
    return values


def moves(explorer, name, rng):
    """Say whether moving a control changes anything that is seen."""
    settings = dict(explorer.settings)
    before = seen(explorer)
    moved = False
    for value in values_of(explorer, name, rng):
        explorer.settings = explorer._fitted(settings | {name: value})
        moved = seen(explorer) not in (None, before)
        if moved:
            break
    explorer.settings = settings
    return moved


def seen(explorer):
    """Return words and picture; None if the settings are impossible."""
    numbers, words = explorer._state()
    return None if numbers is None else (words, json.dumps(explorer.sheet(numbers).json()))


@pytest.mark.parametrize("name", NAMES)
def test_a_control_is_said_to_be_idle_where_it_changes_nothing(name):
    explorer = getattr(explore, name)()
    rng = np.random.default_rng(7)
    for _ in range(SETTINGS):
        set_at_random(explorer, rng)
        explorer.settings = explorer._fitted(explorer.settings)
        if seen(explorer) is None:
            continue
        idle = explorer.idle(explorer.settings)
        inert = {control for control in explorer.controls if not moves(explorer, control, rng)}
        assert set(idle) <= inert, (explorer.settings, idle)
        assert inert - set(idle) <= BY_CHANCE.get(name, set()), (explorer.settings, inert, idle)
        assert all(0 < len(reason) <= 45 for reason in idle.values())


def test_what_the_presets_leave_idle():
    told = {name: getattr(explore, name)().idle(getattr(explore, name)().settings) for name in NAMES}
    assert {name: set(idle) for name, idle in told.items() if idle} == {
        "Domination": {"delta_b"}, "Independence": {"flip"}, "PrivacyRegion": {"strength"},
    }  # fmt: skip
