// The board of the game: the answers of the round, the buttons, the last verdict. The kernel deals and keeps the score.

const PATIENCE = 3000; // ms
const KEYS = { 0: 0, ArrowLeft: 0, 1: 1, ArrowRight: 1 };

function add(parent, name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function button(parent, text, key, act) {
  const node = add(parent, "button", key === undefined ? "" : "dpteach-guess", text);
  node.type = "button";
  if (key !== undefined) {
    node.setAttribute("aria-keyshortcuts", String(key));
    add(node, "kbd", "", String(key)).setAttribute("aria-hidden", "true");
  }
  node.addEventListener("click", act);
  return node;
}

function render({ model, el }) {
  const board = add(el, "div", "dpteach-game");
  board.tabIndex = 0;
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", "Guess with the keys 0 and 1, or left and right");
  board.setAttribute("data-lm-suppress-shortcuts", "true"); // to Jupyter, 0 0 means: restart the kernel
  const answers = add(board, "div", "dpteach-answers");
  const buttons = add(board, "div", "dpteach-buttons");
  const feedback = add(board, "div", "dpteach-feedback");
  feedback.setAttribute("role", "status");

  let waiting = 0;
  const ask = (message) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => (feedback.textContent = "No answer yet: the game needs a running kernel."), PATIENCE);
    model.send(message);
  };
  const guess = (bit) => ask({ do: "guess", bit, round: model.get("round") });
  button(buttons, "it was D0", 0, () => guess(0));
  button(buttons, "it was D1", 1, () => guess(1));
  button(buttons, `play the best test ${model.get("many")} times`, undefined, () => ask({ do: "best" }));
  button(buttons, "new game", undefined, () => ask({ do: "next" }));
  board.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) guess(KEYS[event.key]);
  });

  const draw = () => {
    clearTimeout(waiting);
    const outputs = model.get("outputs");
    answers.replaceChildren();
    add(answers, "span", "", `Round ${model.get("round")}, the answers:`);
    for (const bit of outputs) add(answers, "span", `dpteach-answer${bit ? " dpteach-one" : ""}`, String(bit));
    feedback.textContent = model.get("feedback");
    feedback.className = `dpteach-feedback dpteach-${model.get("verdict") || "open"}`;
  };
  model.on("change", draw);
  draw();
  return () => {
    clearTimeout(waiting);
    model.off("change", draw);
  };
}

export default { render };
