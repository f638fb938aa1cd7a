"""Explorers: their numbers are the library's, and the base does what it promises, all without a browser."""

import gc
import inspect
import json
import math
import re
import subprocess
import sys
import tracemalloc
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import ClassVar

import ipywidgets
import matplotlib
import nbformat
import numpy as np
import pytest
from exploring import assert_nothing_kept_shows, move
from mpmath import mp
from PIL import Image

from dpteach import Guarantee, composition, explore, optimal
from dpteach.explore.base import controls
from dpteach.explore.base.explorer import WIDGET, Explorer
from dpteach.explore.base.paint import figure_of
from dpteach.explore.testing import composition_regions
from dpteach.mechanisms import geometric, laplace
from dpteach.numerics.walk import loss_walk
from dpteach.planning import noise_scale

matplotlib.use("agg")
NAMES = [name for name in explore.__all__ if name != "Explorer"]
MINE = ["BudgetRace", "CompositionRegions", "Domination", "NoisePlanner", "PrivacyLoss"]


def make(name, *preset, **settings):
    return getattr(explore, name)(*preset, **settings)


def state(name, *preset, **settings):
    numbers, words = make(name, *preset, **settings)._state()
    assert numbers is not None, words
    return numbers


class Toy(Explorer):
    """How large is <the root>?"""

    controls: ClassVar = dict(
        x=controls.slider(-2, 10, 4, 0.5, "number x"),
        n=controls.int_slider(1, 9, 2),
        word=controls.choice(("root", "half")),
        loud=controls.switch(False),
    )
    presets: ClassVar = {"nine": dict(x=9), "odd": dict(x=2.25, n=3)}

    def numbers(self, x, n, word, loud):
        if x < 0:
            raise ValueError(f"x must be at least 0, not {x:g}")
        return dict(x=x, n=n, y=x ** (1 / n) if word == "root" else x / 2, end="!" if loud else ".")

    def draw(self, ax, n):
        ax.plot([0, n.x], [0, n.y], label="line")
        ax.set(xlim=(0, 10), ylim=(0, 5))
        ax.legend(loc="upper left")

    def caption(self, n):
        return f"At x = {n.x:g} and n = {n.n} the answer is {n.y:.6g}{n.end}"


# ------------------------------------------------------------------------------------------------- every explorer


def test_the_explorer_of_the_guide_works():
    guide = Path(explore.__file__).with_name("README.md").read_text(encoding="utf-8")
    code = guide.split("```python\n")[1].split("```")[0]
    made = {"__name__": "guide"}
    exec(compile(code, "README.md", "exec"), made)
    explorer = made["Sum"]("a careless year")
    assert explorer.text == "After 52 releases of ε = 1 each, basic composition charges ε = 52."
    assert made["Sum"](eps=2, k=100).text == "Impossible settings: the total must be at most 150, not 200."
    assert explorer.shown()["sheet"]["panels"][0]["marks"] and explorer.widget


def test_the_guide_names_what_the_base_has():
    guide = Path(explore.__file__).with_name("README.md").read_text(encoding="utf-8")
    base = Path(explore.__file__).parent / "base"
    files = {path.name for path in base.iterdir() if path.suffix in (".py", ".js", ".css")} - {"__init__.py"}
    assert all(f"`{name}`" in guide for name in files)
    made = [thing for thing in vars(controls).values() if inspect.isfunction(thing)]
    makers = {thing.__name__ for thing in made if thing.__module__ == controls.__name__ and thing.__name__[0] != "_"}
    assert {"slider", "text_line"} <= makers and all(f"`{name}`" in guide for name in makers)


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_is_possible_and_says_the_same_twice(name):
    for preset in (None, *getattr(explore, name).presets):
        one, two = make(name, preset), make(name, preset)
        assert one._state()[0] is not None, one.text
        assert one.text == two.text == repr(one)
        assert one.text.endswith(".") and "nan" not in one.text.split()


@pytest.mark.parametrize("name", NAMES)
def test_question_and_labels_are_there(name):
    explorer = make(name)
    assert explorer.question.endswith("?")
    assert all(control.label for control in explorer.controls.values())
    assert set().union(*explorer.presets.values()) <= set(explorer.controls)


@pytest.mark.parametrize("name", NAMES)
def test_display_is_live_picture_and_text(name):
    explorer = make(name)
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {WIDGET, "image/png", "text/plain"}
    assert data[WIDGET]["model_id"] == explorer.widget.model_id
    assert data["text/plain"] == explorer.text == metadata["image/png"]["alt"]
    picture = np.asarray(Image.open(BytesIO(data["image/png"])).convert("L"))
    assert picture.shape[1] >= 600 and picture.std() > 5


@pytest.mark.parametrize("name", MINE)
def test_what_was_shown_before_never_shows(name):
    assert_nothing_kept_shows(name, [*getattr(explore, name).presets, *reversed(getattr(explore, name).presets)])


@pytest.mark.parametrize("name", MINE)
def test_moving_leaves_nothing_behind(name):
    explorer = make(name)
    control = explorer.state()["controls"][0]["name"]
    move(explorer, **{control: explorer.settings[control]})
    before = len(ipywidgets.widgets.widget._instances)
    tracemalloc.start()
    move(explorer, **{control: explorer.settings[control]})
    gc.collect()
    start = tracemalloc.get_traced_memory()[0]
    for _ in range(5):
        move(explorer, **{control: explorer.settings[control]})
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - start
    tracemalloc.stop()
    assert len(ipywidgets.widgets.widget._instances) == before and grown < 120_000


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_is_small_enough_to_be_sent_at_every_move(name):
    explorer = make(name)
    for preset in (None, *explorer.presets):
        shown = make(name, preset).shown()
        assert len(json.dumps(shown.get("sheet", {}))) < 60_000, preset


@pytest.mark.parametrize("name", NAMES)
def test_the_browser_s_own_settings_lead_where_python_s_do(name):
    explorer = make(name)
    for preset, settings in explorer.state()["presets"].items():
        shown = json.loads(json.dumps(explorer.answer(json.loads(json.dumps(settings)))))
        assert shown["settings"] == settings, preset
        assert explorer.text == make(name, preset).text and not shown["impossible"]


def test_explorers_work_without_jupyter_and_matplotlib():
    code = """
import sys
for name in ("matplotlib", "ipywidgets", "anywidget", "traitlets", "PIL"):
    sys.modules[name] = None  # an import of it fails
from dpteach import explore
for name in explore.__all__[:]:
    if name != "Explorer":
        explorer = getattr(explore, name)()
        assert explorer.state()["question"] and not explorer.answer(explorer.state()["first"])["impossible"]
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


# ----------------------------------------------------------------------------------------------- the single ones


@pytest.mark.parametrize(("eps", "slack", "k"), [(0.1, 1e-6, 100), (1, 1e-5, 500), (0.5, 1e-9, 3), (2, 1e-12, 1000)])
def test_budget_race_has_the_library_s_totals(eps, slack, k):
    g, total = Guarantee(eps), state("BudgetRace", eps=eps, slack=slack, k=k).total
    assert total["basic"] == composition.basic(g, k=k).epsilon
    assert total["DRV"] == composition.advanced(g, slack, k=k).epsilon
    assert total["concentrated"] == composition.concentrated(g, slack, k=k).epsilon
    assert total["KOV"] == composition.kov_closed_form(g, slack, k=k).epsilon
    assert total["sharper"] == composition.sharper(g, slack, k=k).epsilon
    assert total["exact optimum"] == optimal(g, k=k).epsilon(slack) == min(total.values())


@pytest.mark.parametrize(("eps", "slack"), [(0.1, 1e-6), (0.5, 1e-2), (0.68, 1e-6), (1.5, 1e-12)])
def test_crossovers_are_where_the_theorems_overtake(eps, slack):
    g = Guarantee(eps)
    for name, k in state("BudgetRace", eps=eps, slack=slack).crossovers.items():
        theorem = next(theorem.formula for theorem in composition.THEOREMS.values() if theorem.label == name)
        if k is None:
            assert name == "DRV" and eps >= math.log(2)
            continue
        assert theorem(g, slack, k=k).epsilon < k * eps
        assert k == 1 or theorem(g, slack, k=k - 1).epsilon >= (k - 1) * eps


def test_the_textbook_mistake():
    explorer = make("BudgetRace", "the textbook mistake")
    assert "basic 500, DRV 966.439, concentrated 357.298" in explorer.text
    assert "DRV never" in explorer.text and "from k = 93 on" in explorer.text


def test_figure_3_of_kov():
    errors = state("CompositionRegions", "KOV, Figure 3").errors
    assert errors["basic (Thm 3.1)"] == pytest.approx(0.0460031, abs=5e-8)
    assert errors["DRV (Thm 3.2)"] == pytest.approx(0.1652687, abs=5e-8)
    assert errors["exact (Thm 3.3)"] == pytest.approx(0.3813702, abs=5e-8)


@pytest.mark.parametrize("side", ["left", "right"])
def test_figure_2_of_kov_has_nested_regions_and_says_what_is_ours(side):
    explorer = make("CompositionRegions", f"KOV, Figure 2 ({side})")
    numbers, words = explorer._state()
    assert list(numbers.errors) == [f"k = {k}" for k in range(1, 6)]
    assert "does not print its parameters" in words
    for k, error in enumerate(numbers.errors.values(), start=1):
        region = optimal(Guarantee(numbers.eps, numbers.delta), k=k)
        assert region.tradeoff(error) == pytest.approx(error, rel=1e-9)
    assert np.all(np.diff(list(numbers.errors.values())) < 1e-12)


def test_regions_of_the_theorems_contain_the_exact_one():
    numbers = state("CompositionRegions", eps=0.3, delta=0.01, k=20)
    exact, alarms = optimal(Guarantee(0.3, 0.01), k=20), np.linspace(0, 1, 101)
    for boundary, *_ in numbers.curves.values():
        missed, alarm = boundary[::-1].T if boundary[0, 1] > boundary[-1, 1] else boundary.T
        assert np.all(np.interp(alarms, alarm, missed) <= exact.tradeoff(alarms) + 1e-12)


@pytest.mark.parametrize("noise", ["Laplace", "geometric"])
def test_noise_planner_has_the_library_s_scales(noise):
    found = state("NoisePlanner", eps=2, delta=1e-6, k=50, noise=noise).deviations
    scale = noise_scale(50, 2, 1e-6, noise.lower(), "optimal")
    made = laplace(scale=scale) if noise == "Laplace" else geometric(1 / scale)
    assert found["exact optimum"] == math.sqrt(made.variance)
    assert found["Gaussian noise, exact"] == noise_scale(50, 2, 1e-6, "gaussian", "exact")
    theorems = [value for name, value in found.items() if "Gaussian" not in name]
    assert theorems == sorted(theorems, reverse=True)


def test_noise_planner_says_what_cannot_be_had_without_delta():
    assert make("NoisePlanner", delta=0).text.count("impossible without δ") == 3


@pytest.mark.parametrize(("eps", "k"), [(0.5, 1), (0.5, 2), (0.5, 5), (0.05, 200), (2, 37), (2, 200), (0.2, 100)])
def test_privacy_loss_bins_hold_the_whole_law(eps, k):
    numbers, walk = state("PrivacyLoss", eps=eps, k=k), loss_walk(eps, k)
    assert 0.999 < numbers.exact.sum() < 1 + 1e-9
    spikes, chances = walk.atoms
    seen = spikes[(chances > 1e-6) & (spikes > numbers.edges[0]) & (spikes < numbers.edges[-1])]
    gap = np.min(np.abs(seen[:, None] - numbers.edges)) if len(seen) else 1.0
    assert gap > 0.05 * (numbers.edges[1] - numbers.edges[0])  # no spike on an edge
    assert len(numbers.edges) <= 130


def test_privacy_loss_samples_agree_with_the_law():
    numbers, walk = state("PrivacyLoss", eps=0.5, k=5, at=1), loss_walk(0.5, 5)
    assert (numbers.tail, numbers.delta) == (walk.tail(1), walk.delta(1))
    assert numbers.seen == pytest.approx(numbers.tail, abs=0.03)
    assert np.abs(numbers.sampled - numbers.exact).max() < 0.03
    assert make("PrivacyLoss", seed=1).text != make("PrivacyLoss").text


@pytest.mark.parametrize("preset", explore.Domination.presets)
def test_domination_shows_a_matrix_that_works(preset):
    explorer = make("Domination", preset)
    n, s = explorer._state()[0], explorer.settings
    module = sys.modules[type(explorer).__module__]
    a = module.make(s["first"], s["eps_a"], s["delta_a"])
    b = module.make(s["second"], s["eps_b"], s["delta_b"])
    assert (n.matrix is not None) == a.dominates(b) and n.back == b.dominates(a)
    if n.matrix is None:
        alarm, missed, needed = n.witness
        assert b.tradeoff(alarm) <= missed + 1e-12 < needed and "A can imitate B" not in explorer.text
    else:
        assert np.allclose(a.p @ n.matrix, b.p, atol=1e-9) and np.allclose(a.q @ n.matrix, b.q, atol=1e-9)


def test_domination_knows_noise_that_has_no_delta():
    explorer = make("Domination", delta_b=0.1)
    assert explorer.text == make("Domination").text and "staircase noise (ε = 1, δ = 0)" in explorer.text
    assert explorer.idle(explorer.settings) == {"delta_b": "this noise never fails"}


# ------------------------------------------------------------------------------------------------------ the base


def test_settings_are_checked_in_plain_words():
    for bad, words in [
        (dict(x=11), r"x must lie in \[-2, 10\], not 11"),
        (dict(n=2.5), "n must be a whole number"),
        (dict(n=10), r"n must lie in \[1, 9\], not 10"),
        (dict(word="third"), "word must be one of 'root', 'half', not 'third'"),
        (dict(loud=1), "loud must be True or False, not 1"),
        (dict(y=1), "settings must be among x, n, word, loud, not y"),
        (dict(preset="ten"), "preset must be one of 'nine', 'odd', not 'ten'"),
    ]:
        with pytest.raises(ValueError, match=words):
            Toy(**bad)
    with pytest.raises(ValueError, match="n must"):
        Toy().set(n=0)


def test_impossible_settings_are_a_message_and_keep_the_picture():
    toy = Toy()
    before = toy.widget.shown["sheet"]
    shown = move(toy, x=-1)
    assert shown["impossible"] and shown["sheet"] == before
    assert shown["sentence"] == toy.text == "Impossible settings: x must be at least 0, not -1."
    shown = move(toy, x=1)
    assert not shown["impossible"] and shown["sheet"] != before
    assert Toy(x=-1)._repr_mimebundle_()[0]["text/plain"].startswith("Impossible settings")
    assert "sheet" not in Toy(x=-1).shown()


def test_controls_presets_and_reset_move_together():
    toy = Toy(n=3)
    shown = move(toy, **toy.state()["presets"]["nine"])
    assert toy.settings == shown["settings"] == dict(x=9, n=2, word="root", loud=False)
    assert shown["sentence"] == toy.text == "At x = 9 and n = 2 the answer is 3."
    assert move(toy, loud=True)["sentence"].endswith("!")
    toy.reset()
    assert toy.settings["n"] == 3 and toy.widget.shown["settings"] == toy._first == toy.state()["first"]
    toy.set(x=2.125)  # not one of the slider's own values
    assert toy.widget.shown["settings"]["x"] == 2.125 and "x = 2.125" in toy.widget.shown["sentence"]
    assert Toy("odd", n=1).text == "At x = 2.25 and n = 1 the answer is 2.25."


def test_what_a_browser_sends_is_made_to_fit():
    toy = Toy()
    shown = toy.answer(dict(x=99, n=2.7, word="third", loud=0, other=1))
    assert shown["settings"] == dict(x=10, n=3, word="root", loud=False)


def test_the_first_line_of_a_caption_is_the_sentence(monkeypatch):
    monkeypatch.setattr(Toy, "caption", lambda self, n: f"It is {n.y:g}.\nAll: x {n.x:g},\nn {n.n}.")
    shown = Toy().shown()
    assert (shown["sentence"], shown["more"]) == ("It is 2.", "All: x 4,\nn 2.")
    assert Toy().text == "It is 2.\nAll: x 4,\nn 2."


def test_controls_that_do_nothing_are_disabled_with_the_reason(monkeypatch):
    assert Toy().shown()["disabled"] == {}
    monkeypatch.setattr(Toy, "idle", lambda self, now: dict(n="only roots") if now["word"] == "half" else {})
    assert Toy(word="half").shown()["disabled"] == dict(n="only roots")


def test_one_redraw_for_a_preset(monkeypatch):
    toy, calls = Toy(), []
    settings = toy.widget.constant["presets"]["odd"]
    monkeypatch.setattr(Toy, "draw", lambda self, ax, n: calls.append(n.x))
    move(toy, **settings)
    assert calls == [2.25]


def test_picture_and_sentence_travel_in_one_message(monkeypatch):
    toy, sent = Toy(), []
    assert toy.widget
    monkeypatch.setattr(type(toy.widget), "send_state", lambda self, key=None: sent.append(set(key)))
    move(toy, x=5.0)
    assert sent == [{"shown", "answers"}]


def test_round_values_of_sliders():
    assert controls.log_slider(1e-6, 1e-3, 1e-5, steps=1).grid == (1e-6, 1e-5, 1e-4, 1e-3)
    assert controls.log_slider(0.1, 2, 1, steps=3).grid == (0.1, 0.2, 0.5, 1, 2)
    assert controls.slider(0, 1, 0.3, 0.1).grid == tuple(i / 10 for i in range(11))
    assert controls.pick((0, 0.1), 0.05).grid == (0, 0.05, 0.1)


def test_static_page_shows_the_picture_with_its_caption():
    from nbconvert import HTMLExporter

    data, metadata = Toy()._repr_mimebundle_()
    data["image/png"] = b64encode(data["image/png"]).decode()
    output = nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)
    cell = nbformat.v4.new_code_cell("Toy()", outputs=[output], execution_count=1)
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert 'alt="At x = 4 and n = 2 the answer is 2."' in page and "data:image/png;base64," in page
    height = Image.open(BytesIO(Toy().png())).size[1]
    assert height > figure_of(Toy().shown()["sheet"]).bbox.height  # the caption is written under the picture


def test_library_does_not_load_what_only_explorers_need():
    code = "import sys, dpteach, dpteach.explore; print(*{'matplotlib', 'ipywidgets', 'anywidget'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_unknown_explorer():
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        explore.Nothing  # noqa: B018
    assert dir(explore) == explore.__all__


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("k", [30, 100])
@pytest.mark.parametrize("delta", [0, 1e-9, 0.01])
def test_regions_of_many_strong_releases_are_finite(k, delta):
    errors = state("CompositionRegions", eps=3, delta=delta, k=k).errors
    assert errors["DRV (Thm 3.2)"] == 0  # at most e^-1700, which is no float
    assert errors["basic (Thm 3.1)"] == pytest.approx((1 - k * delta) / (1 + math.exp(3 * k)), rel=1e-9)
    assert errors["KOV (Thm 3.4)"] == pytest.approx(best_by_equation_7(3, delta, k), rel=1e-4)
    curves = composition_regions.by_theorem(3.0, float(delta), k)
    assert all(np.isfinite(curve.boundary).all() for curve in curves.values())
    assert errors["exact (Thm 3.3)"] == max(errors.values())
    assert curves["DRV (Thm 3.2)"].boundary[0, 0] == pytest.approx(1 - k * delta, abs=1e-8)  # without alarms


@pytest.mark.parametrize(("delta", "k"), [(0, 30), (0.001, 30), (0.001, 100)])
def test_an_error_that_is_no_float_is_told_by_its_logarithm(delta, k):
    words = make("CompositionRegions", eps=3, delta=delta, k=k).text
    told = re.search(r"DRV \(Thm 3\.2\): ([\d.]+) · 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", words)
    exponent = int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in told[2]))
    with mp.workdps(60):
        slacks = [mp.mpf(10) ** -9 * mp.power(mp.mpf(9) * 10**8, mp.mpf(i) / 20_000) for i in range(20_001)]
        best = max(equal_errors_by_equation_4(mp.mpf(3), mp.mpf(str(delta)), k, slack) for slack in slacks)
        assert mp.mpf(told[1]) * mp.mpf(10) ** -exponent == pytest.approx(best, rel=1e-4)


def equal_errors_by_equation_4(eps, delta, k, slack):
    """Return both errors' bound by advanced composition, in mpmath."""
    total = k * eps * mp.expm1(eps) + eps * mp.sqrt(2 * k * mp.log(1 / slack))
    return (1 - slack - k * delta) / (1 + mp.exp(total))


def best_by_equation_7(eps, delta, k):
    """Return the largest error that KOV's closed form leaves to both sides at once, over the slacks that are drawn."""
    drift, mu = k * eps * math.tanh(eps / 2), eps * math.sqrt(k)
    best = 0
    for slack in np.geomspace(1e-9, 0.9, 40_000).tolist():
        spread = mu * math.sqrt(2 * min(math.log(math.e + mu / slack), math.log(1 / slack)))
        total = min(k * eps, drift + spread)
        best = max(best, (1 - slack) * (1 - delta) ** k / (1 + math.exp(total)))
    return best
