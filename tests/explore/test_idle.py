"""Controls that do nothing say so, and only those: settings drawn at random, each control moved, the pictures compared."""

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
    before = Seen(explorer)
    moved = False
    for value in values_of(explorer, name, rng):
        explorer.settings = fitted(explorer, settings | {name: value})
        moved = moved or (explorer._state()[0] is not None and Seen(explorer) != before)
        explorer.settings = dict(settings)
        if moved:
            break
    return moved


class Seen:
    """What is seen of an explorer: the words, and the picture, which is drawn only if the words are equal."""

    def __init__(self, explorer):
        self.explorer, self.settings = explorer, dict(explorer.settings)
        self.words = explorer.text

    def __eq__(self, other):
        return self.words == other.words and np.array_equal(self.picture(), other.picture())

    def picture(self):
        now, self.explorer.settings = self.explorer.settings, self.settings
        pixels = self.explorer._pixels(self.explorer._state()[0]).copy()
        self.explorer.settings = now
        return pixels


def fitted(explorer, settings):
    """Return settings that go together, as they do after a reader has moved a control."""
    return explorer._fitted(settings) if hasattr(explorer, "_fitted") else settings


@pytest.mark.parametrize("name", NAMES)
def test_a_control_is_said_to_be_idle_where_it_changes_nothing(name):
    explorer = getattr(explore, name)()
    rng = np.random.default_rng(7)
    for _ in range(SETTINGS):
        set_at_random(explorer, rng)
        explorer.settings = fitted(explorer, explorer.settings)
        if explorer._state()[0] is None:
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
