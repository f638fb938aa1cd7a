"""What an explorer shows in the browser: a picture and the sentence that reads it, replaced together."""

from __future__ import annotations

import anywidget
import traitlets

SCRIPT = """
// Jupyter would take the arrow keys away from a slider or list, to move between cells; so tell it not to.
function keepKey(event) {
  const mine = event.target.closest?.(".dpteach-explorer");
  const command = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
  if (mine) event.target.toggleAttribute("data-lm-suppress-shortcuts", !command);
}

function render({ model, el }) {
  const figure = document.createElement("figure");
  const picture = document.createElement("img");
  const sentence = document.createElement("figcaption");
  figure.className = "dpteach-view";
  sentence.setAttribute("role", "status");
  sentence.setAttribute("aria-live", "polite");
  figure.append(picture, sentence);
  el.append(figure);
  let url = "";
  const showPicture = () => {
    URL.revokeObjectURL(url);
    url = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    picture.src = url;
  };
  const showSentence = () => {
    picture.alt = model.get("question");
    sentence.textContent = model.get("sentence");
    figure.classList.toggle("dpteach-impossible", model.get("impossible"));
  };
  const events = { "change:png": showPicture, "change:sentence": showSentence, "change:impossible": showSentence };
  for (const [event, show] of Object.entries(events)) model.on(event, show);
  showPicture();
  showSentence();
  window.addEventListener("keydown", keepKey, true);
  return () => {
    window.removeEventListener("keydown", keepKey, true);
    for (const [event, show] of Object.entries(events)) model.off(event, show);
    URL.revokeObjectURL(url);
  };
}
export default { render };
"""

STYLE = """
.dpteach-explorer { --jp-widgets-font-size: 15px; }
.dpteach-view { margin: 0; max-width: 950px; }
.dpteach-view img { display: block; max-width: 100%; height: auto; }
.dpteach-view figcaption {
  color: var(--jp-ui-font-color1, inherit); font-size: 15px; line-height: 1.45;
  padding: 6px 10px; min-height: 3em; max-width: 805px;
}
.dpteach-impossible img { opacity: 0.3; }
.dpteach-impossible figcaption {
  background: #fdecc8; color: #5c2700; border-left: 6px solid #d55e00; font-weight: 600;
}
"""


class View(anywidget.AnyWidget):
    """A picture with a sentence under it; an impossible setting dims the one and marks the other."""

    _esm = SCRIPT
    _css = STYLE
    question = traitlets.Unicode().tag(sync=True)
    png = traitlets.Bytes().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)
    impossible = traitlets.Bool(False).tag(sync=True)
