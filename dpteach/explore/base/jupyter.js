// The explorer as a Jupyter widget: moves go to the kernel as messages, answers come as the widget's state.

// Jupyter would take the arrow keys away from a slider or list, to move between cells; so tell it not to.
function keepKey(event) {
  const mine = event.target.closest?.(".dpteach-explorer");
  const command = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
  if (mine) event.target.toggleAttribute("data-lm-suppress-shortcuts", !command);
}

function render({ model, el }) {
  const send = (settings) => {
    try {
      model.send(settings);
    } catch { // the kernel was shut down
      view.alive(false);
    }
  };
  const view = mount(el, { state: { ...model.get("constant"), ...model.get("shown") }, send });
  const show = () => view.update(model.get("shown"));
  const look = async () => { // whether the kernel that made the widget still runs; a new one does not know it
    const { comm_live: isAlive } = await model.widget_manager.get_model(model.get("name"));
    view.alive(isAlive !== false);
  };
  el.classList.add("dpteach-host");
  look();
  model.on("comm_live_update", look);
  model.on("change:answers", show);
  window.addEventListener("keydown", keepKey, true);
  return () => {
    model.off("comm_live_update", look);
    model.off("change:answers", show);
    window.removeEventListener("keydown", keepKey, true);
    view.destroy();
  };
}

export default { render };
