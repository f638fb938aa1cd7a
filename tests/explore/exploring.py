"""What every explorer must do, whatever its controls are: the tests of each lecture's explorers ask for it here."""

import json
import re

from dpteach import explore
from dpteach.explore.base.controls import Choice, IntSlider, Slider

TYPED = {  # what may be written into the lines and sets of vectors
    "board": ["1 2 3", "12 3 -", "1 1 2 3 -", "- 2", "123 123 123"],
    "eps": ["1 2 3", "0 0 0", "2 1 1 4"],
    "h0": ["00 11", "000", "0000 1111"],
    "h1": ["10 11", "010 111", "0110"],
}


def possible(control, others=(False, True)):
    """Return the ends of a control and values between; `others` are those of a control that is no slider or list."""
    if isinstance(control, Slider):
        return [control.grid[0], control.grid[-1], *control.grid[1:-1]]
    if isinstance(control, IntSlider):
        return [control.low, control.high, *range(control.low, control.high)]
    return list(control.options) if isinstance(control, Choice) else list(others)


def corners_and_more(explorer, rng, others=(False, True), number=6):
    """Return settings: two corners, and some drawn at random."""
    values = {name: possible(control, others) for name, control in explorer.controls.items()}
    corners = [{name: v[i] for name, v in values.items()} for i in (0, 1)]
    return corners + [{name: rng.choice(v) for name, v in values.items()} for _ in range(number)]


def assert_drawn_and_told(explorer, settings):
    """Set the controls: a picture appears, and whole sentences without a number that is none."""
    explorer.set(**settings)
    numbers, words = explorer._state()
    assert numbers is not None and words.endswith("."), (settings, words)
    assert not {"nan", "inf", "None"} & set(re.findall(r"\w+", words)), (settings, words)
    sheet = explorer.sheet(numbers).json()
    assert all(panel["marks"] for panel in sheet["panels"]), settings
    assert "NaN" not in json.dumps(explorer.state()) and "Infinity" not in json.dumps(explorer.state())


def assert_nothing_kept_shows(name, presets):
    """Go through presets: each looks as if it were drawn first."""
    explorer = getattr(explore, name)()
    for preset in presets:
        explorer.set(**explorer._full(explorer.presets[preset]))
        fresh = getattr(explore, name)(preset)
        assert explorer.shown() == fresh.shown(), preset


def move(explorer, **settings):
    """Move controls as the browser does, and return what it is shown then."""
    explorer.widget._handle_custom_msg(settings, [])
    return explorer.widget.shown


def words_on(explorer):
    """Return the words that are written in each panel."""
    numbers, _ = explorer._state()
    panels = explorer.sheet(numbers).json()["panels"]
    return [[mark["words"] for mark in panel["marks"] if mark["kind"] == "text"] for panel in panels]


def assert_asks_nobody(explorer):
    """Make sure that what runs in the browser reaches nobody outside."""
    script = explorer.widget._esm.replace("http://www.w3.org/2000/svg", "")  # a name, not an address
    assert not any(word in script for word in ("http", "//cdn", "import ", "import(", "fetch("))
    assert "url(" not in explorer.widget._css and "@import" not in explorer.widget._css


def choices(explorer, name):
    """Return all values of a control, or some if there is no end of them."""
    control = explorer.controls[name]
    return TYPED[name] if name in TYPED and not isinstance(control, Slider) else possible(control)


def set_at_random(explorer, rng):
    """Move all controls to places drawn at random, often to an end."""
    drawn = {}
    for name in explorer.controls:
        values = choices(explorer, name)
        drawn[name] = plain(rng.choice(values if rng.random() < 0.6 else values[:2]))
    if type(explorer).__name__ == "DatabaseGraph":  # whose other lists follow the class
        drawn = {"world": drawn["world"]}
    explorer.set(**drawn)


def plain(value):
    """Return a value that NumPy has drawn as Python has it."""
    return value.item() if hasattr(value, "item") else value
