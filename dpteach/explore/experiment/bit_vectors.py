"""A control for a set of bit vectors: one button for each of the 2^k vectors, pressed if it is in the set."""

from __future__ import annotations

from dataclasses import dataclass

import anywidget
import traitlets

from ... import checks
from ...experiment.hypothesis import as_bits, show_bits

MOST_BITS = 5  # 32 buttons are enough for a screen

SCRIPT = """
// One stop of the Tab key for the whole set; the arrow keys walk from vector to vector, space or Enter toggles.
const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 };

function render({ model, el }) {
  const group = document.createElement("div"), label = document.createElement("div");
  const grid = document.createElement("div");
  group.className = "dpteach-vectors";
  group.setAttribute("role", "group");
  group.append(label, grid);
  el.append(group);
  let place = 0;

  const vectors = () => {
    const k = model.get("k");
    return Array.from({ length: 2 ** k }, (_, i) => i.toString(2).padStart(k, "0"));
  };
  const chosen = () => {
    const k = model.get("k"), given = model.get("value").split(" ").filter(Boolean);
    return new Set(given.map((vector) => vector.padEnd(k, "0").slice(0, k)));
  };
  const toggle = (vector) => {
    const set = chosen();
    if (!set.delete(vector)) set.add(vector);
    model.set("value", [...set].sort().join(" "));
    model.save_changes();
  };
  const walk = (to) => {
    place = Math.max(0, Math.min(grid.children.length - 1, to));
    [...grid.children].forEach((button, i) => { button.tabIndex = i === place ? 0 : -1; });
  };
  const build = () => {
    grid.replaceChildren(...vectors().map((vector, i) => {
      const button = document.createElement("button");
      button.textContent = vector;
      button.setAttribute("aria-label", [...vector].join(" "));
      button.addEventListener("click", () => { walk(i); toggle(vector); });
      return button;
    }));
    walk(place);
    show();
  };
  const show = () => {
    const set = chosen();
    label.textContent = `${model.get("label")}: ${set.size} of ${grid.children.length} vectors`;
    group.setAttribute("aria-label", model.get("label"));
    for (const button of grid.children) button.setAttribute("aria-pressed", set.has(button.textContent));
  };
  grid.addEventListener("keydown", (event) => {
    const ends = { Home: 0, End: grid.children.length - 1 };
    const to = event.key in STEPS ? place + STEPS[event.key] : ends[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    walk(to);
    grid.children[place].focus();
  });
  model.on("change:k", build);
  model.on("change:value change:label", show);
  build();
  return () => { model.off("change:k", build); model.off("change:value change:label", show); };
}
export default { render };
"""

STYLE = """
.dpteach-vectors { width: 404px; margin: 2px 4px 6px 2px; font-size: 15px; }
.dpteach-vectors > div + div { display: grid; grid-template-columns: repeat(8, 48px); gap: 2px; margin-top: 3px; }
.dpteach-vectors button {
  font: 13px monospace; padding: 3px 0; cursor: pointer; border-radius: 3px; border: 1px solid #767676;
  background: var(--jp-layout-color1, white); color: var(--jp-ui-font-color1, black);
}
.dpteach-vectors button[aria-pressed="true"] {
  background: #0072b2; color: white; border-color: #00405f; font-weight: bold; text-decoration: underline;
}
.dpteach-vectors button:focus-visible { outline: 3px solid #d55e00; outline-offset: 1px; }
"""


class BitVectors(anywidget.AnyWidget):
    """Buttons for all vectors of k bits; `value` holds those that are pressed, such as "00 11".

    Vectors of another length are cut at k bits, or get zeros at their end, until a button is pressed.
    """

    _esm = SCRIPT
    _css = STYLE
    value = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    k = traitlets.Int(2).tag(sync=True)


@dataclass(frozen=True)
class Vectors:
    """A set of bit vectors of equal length, written as "00 11"."""

    value: str
    label: str = ""

    def check(self, name: str, value) -> str:
        """Return the vectors in order, whether they were given as text or as a list."""
        vectors = {show_bits(as_bits(f"every vector of {name}", item)) for item in _listed(value)}
        lengths = {len(vector) for vector in vectors}
        if len(lengths) != 1 or max(lengths) > MOST_BITS:
            raise ValueError(
                f"{name} must list vectors of equal length, of at most {MOST_BITS} bits, not {checks.shorten(value)}"
            )
        return " ".join(sorted(vectors))

    def widget(self, name: str) -> BitVectors:
        """Return the widget, without a value yet."""
        return BitVectors(label=self.label or name)

    def put(self, widget: BitVectors, value: str) -> None:
        """Press the buttons of a set."""
        widget.value = value


def _listed(value) -> list:
    """Return the vectors that were given: in a line, in a list, or one alone."""
    if isinstance(value, str):
        return value.split()
    return list(value) if isinstance(value, list | tuple) else [value]


def fit(vectors: str, k: int) -> list[str]:
    """Return the vectors cut at k bits, or with zeros at their end: no record in the rounds that are new."""
    return sorted({vector[:k].ljust(k, "0") for vector in vectors.split()})
