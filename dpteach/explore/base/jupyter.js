// The explorer as a Jupyter widget: moves go to the kernel as messages, answers come as the widget's state.

// Jupyter would take the arrow keys away from a slider or list, to move between cells; so tell it not to.
function keepKey(event) {
  const mine = event.target.closest?.(".dpteach-explorer");
  const command = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
  if (mine) event.target.toggleAttribute("data-lm-suppress-shortcuts", !command);
}

function render({ model, el }) {
  const send = (settings) => model.send(settings);
  const view = mount(el, { state: { ...model.get("constant"), ...model.get("shown") }, send });
  const show = () => view.update(model.get("shown"));
  const isAlive = () => !el.classList.contains("jupyter-widgets-disconnected"); // so Jupyter marks a lost kernel
  const marks = new MutationObserver(() => view.alive(isAlive()));
  el.classList.add("dpteach-host");
  if (!isAlive()) view.alive(false);
  marks.observe(el, { attributes: true, attributeFilter: ["class"] });
  model.on("change:answers", show);
  window.addEventListener("keydown", keepKey, true);
  return () => {
    marks.disconnect();
    model.off("change:answers", show);
    window.removeEventListener("keydown", keepKey, true);
    view.destroy();
  };
}

export default { render };
