// A question in the browser. It knows no answer: the kernel tells what a choice means, and the notebook remembers it.

const PATIENCE = 3000; // ms
const SCALE = 0.8; // of the place for bars, so that the words beside the longest one have room
const ROUNDS = ["before", "after"];
const NO_KERNEL = "No answer yet: the question needs a running kernel. Run its cell again.";
const NO_NUMBER = "Type one number, such as 0.25, 1/4 or 1e-6.";

function add(parent, name, className = "", attributes = {}) {
  const node = document.createElement(name);
  if (className) node.className = className;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.append(node);
  return node;
}

function button(parent, text, className, act) {
  const node = add(parent, "button", className, { type: "button" });
  node.textContent = text;
  node.addEventListener("click", act);
  return node;
}

// ------------------------------------------------------------------------------------------ what the notebook keeps

const NAME = "dpteach";

/** The notebook that is open in JupyterLab or Notebook 7; elsewhere there is none that could remember. */
const notebookOf = (model) => model.widget_manager?.context?.model;

const keptIn = (notebook) => notebook?.getMetadata?.(NAME)?.answers ?? {};

function keep(model) {
  const notebook = notebookOf(model), id = model.get("asked").id, kept = model.get("kept");
  if (!notebook?.setMetadata) return;
  const { [id]: before, ...others } = keptIn(notebook);
  const now = Object.keys(kept).length ? kept : undefined;
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const answers = now ? { ...others, [id]: now } : others;
  if (Object.keys(answers).length) notebook.setMetadata(NAME, { answers });
  else notebook.deleteMetadata(NAME);
}

/** Once for each question of a kernel: what was answered before the kernel started is not asked again. */
function initialize({ model }) {
  const before = keptIn(notebookOf(model))[model.get("asked").id];
  const isNew = Object.keys(model.get("kept")).length === 0;
  if (before && isNew) model.send({ do: "restore", kept: before });
  const follow = () => keep(model);
  model.on("change:kept", follow);
  if (!isNew) keep(model);
  return () => model.off("change:kept", follow);
}

// ------------------------------------------------------------------------------------------------------ formulas

function typeset(model, node) {
  const inLab = model.widget_manager?._rendermime?.latexTypesetter;
  if (inLab) inLab.typeset(node);
  else window.MathJax?.typesetPromise?.([node]);
}

/** Put HTML with formulas into a node, unless it is there already. */
function say(model, node, html) {
  if (node.dpteachSaid === html) return;
  node.dpteachSaid = html;
  node.innerHTML = html;
  if (html.includes("$")) requestAnimationFrame(() => typeset(model, node));
}

/** The number that somebody has typed, also as a fraction or with a decimal comma; NaN if it is none. */
function numberFrom(text) {
  const parts = text.trim().replace("−", "-").replace(",", ".").split("/");
  const numbers = parts.map((part) => (part.trim() === "" ? NaN : Number(part)));
  const value = numbers.length === 2 ? numbers[0] / numbers[1] : numbers.length === 1 ? numbers[0] : NaN;
  return Number.isFinite(value) ? value : NaN;
}

function numberField(box, unit, act) {
  const look = { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": "your number", placeholder: "number" };
  const input = add(box, "input", "dpteach-number", look);
  if (unit) add(box, "span").textContent = unit;
  button(box, "answer", "dpteach-small", () => act(numberFrom(input.value)));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    act(numberFrom(input.value));
  });
  return input;
}

// -------------------------------------------------------------------------------------------------------- hands

/** A table of hands, which the lecturer types, with a bar for each option before and after the discussion. */
function handsPanel(box, options, changed) {
  const table = add(box, "table", "dpteach-hands"), head = add(table, "tr");
  for (const title of ["", ...ROUNDS, "share of the hands"]) add(head, "th", "", { scope: "col" }).textContent = title;
  const rows = options.map((_, i) => {
    const row = add(table, "tr");
    add(row, "th", "", { scope: "row" }).textContent = String(i + 1);
    const inputs = ROUNDS.map((round) => {
      const label = `hands for option ${i + 1}, ${round} the discussion`;
      const input = add(add(row, "td"), "input", "", { type: "number", min: 0, step: 1, "aria-label": label });
      input.addEventListener("input", () => changed(round));
      return input;
    });
    const cell = add(row, "td", "dpteach-bars");
    return { inputs, bars: ROUNDS.map((round) => add(add(cell, "div", "dpteach-track"), "div", `dpteach-bar dpteach-${round}`)) };
  });
  const count = (input) => Math.max(0, Math.floor(Number(input.value) || 0));
  const counts = (round) => rows.map(({ inputs }) => count(inputs[ROUNDS.indexOf(round)]));
  const draw = () => {
    ROUNDS.forEach((round, r) => {
      const now = counts(round), total = now.reduce((a, b) => a + b, 0);
      rows.forEach(({ bars }, i) => {
        const share = total ? (100 * now[i]) / total : 0;
        bars[r].style.width = `${SCALE * share}%`;
        bars[r].parentNode.title = total ? `${round}: ${now[i]} of ${total}` : "";
        bars[r].dataset.share = total ? `${round} ${Math.round(share)}%` : "";
      });
    });
  };
  const put = (hands) => {
    ROUNDS.forEach((round, r) => rows.forEach(({ inputs }, i) => {
      const value = String(hands[round]?.[i] ?? "");
      if (document.activeElement !== inputs[r] && (hands[round] || inputs[r].value)) inputs[r].value = value;
    }));
    draw();
  };
  return { counts, draw, put };
}

// ------------------------------------------------------------------------------------------------------ the widget

let made = 0;

function render({ model, el }) {
  const asked = model.get("asked"), name = `dpteach-ask-${++made}`;
  const root = add(el, "div", "dpteach-ask", { role: "region", "aria-labelledby": `${name}-head ${name}-text`, tabindex: -1 });
  const head = add(root, "div", "dpteach-head", { id: `${name}-head` });
  head.textContent = `Question ${asked.id}`;
  const text = add(root, "div", "dpteach-text", { id: `${name}-text` });
  say(model, text, asked.text);

  let waiting = 0;
  const send = (message) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => say(model, response, NO_KERNEL), PATIENCE);
    model.send(message);
  };

  // the options, or the number to type
  const group = add(root, asked.options.length ? "ol" : "div", "dpteach-options", { "aria-labelledby": `${name}-text` });
  const choose = (given) => send({ do: "choose", given });
  const options = asked.options.map((option, i) => {
    const item = add(group, "li");
    const node = button(item, "", "dpteach-option", () => choose(i + 1));
    add(node, "kbd", "", { "aria-hidden": "true" }).textContent = String(i + 1);
    node.setAttribute("aria-keyshortcuts", String(i + 1));
    say(model, add(node, "span", "dpteach-words"), option);
    return { node, mark: add(node, "span", "dpteach-mark", { "aria-hidden": "true" }), remark: add(item, "div", "dpteach-remark") };
  });
  const input = options.length ? null : numberField(group, asked.unit, (given) => {
    if (Number.isNaN(given)) say(model, response, NO_NUMBER);
    else choose(given);
  });
  const said = add(root, "div", "dpteach-said", { role: "status", "aria-live": "polite" });
  const response = add(said, "div", "dpteach-response");
  const why = add(said, "div", "dpteach-why");

  // what a lecturer does
  const menu = add(root, "div", "dpteach-menu");
  const reveal = button(menu, "show the answer", "dpteach-small", () => model.get("told").revealed || send({ do: "reveal" }));
  const panel = options.length ? add(root, "div", "dpteach-panel", { hidden: "" }) : null;
  const hands = panel && handsPanel(panel, options, (round) => {
    hands.draw();
    model.send({ do: "count", before: null, after: null, [round]: hands.counts(round) });
  });
  const open = (is) => {
    panel.hidden = !is;
    count.setAttribute("aria-expanded", String(is));
  };
  const count = panel && button(menu, "count hands", "dpteach-small", () => open(panel.hidden));
  button(menu, "start over", "dpteach-small", () => send({ do: "reset" }));
  if (panel) open(false);
  if (options.length) add(menu, "span", "dpteach-hint").textContent = `click, or press 1 to ${options.length} here`;

  const keys = (event) => {
    const i = Number(event.key) - 1;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input") || !options[i]) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) options[i].node.click();
    options[i].node.focus();
  };
  root.addEventListener("keydown", keys);
  root.addEventListener("click", (event) => {
    if (!event.target.closest("button, input")) root.focus({ preventScroll: true });
  });
  // To Jupyter, 2 means: make this cell a heading. So it must not hear keys that are meant for the question.
  const keepKey = (event) => {
    const command = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (root.contains(event.target)) root.toggleAttribute("data-lm-suppress-shortcuts", !command);
  };
  window.addEventListener("keydown", keepKey, true);

  const draw = () => {
    clearTimeout(waiting);
    const told = model.get("told");
    options.forEach(({ node, mark, remark }, i) => {
      const chosen = told.choice === i + 1, right = told.answer === i + 1 || (chosen && told.right);
      node.setAttribute("aria-pressed", String(chosen));
      node.classList.toggle("dpteach-right", right);
      node.classList.toggle("dpteach-wrong", chosen && !right);
      mark.textContent = right ? "✓" : chosen ? "✗" : "";
      const verdict = right ? ", right" : chosen ? ", not right" : ""; // formulas and signs have no name of their own
      node.setAttribute("aria-label", `${i + 1}: ${asked.names[i]}${verdict}`);
      say(model, remark, told.remarks?.[i] ?? "");
    });
    if (input && (told.choice === null || !input.value)) input.value = told.choice ?? "";
    const verdict = told.choice === null ? "" : told.right ? "right" : "wrong";
    response.className = `dpteach-response ${verdict && `dpteach-said-${verdict}`}`;
    say(model, response, told.revealed && options.length ? "" : told.response ?? "");
    say(model, why, told.why ?? "");
    reveal.setAttribute("aria-disabled", String(told.revealed)); // not disabled, which would lose the focus
    if (hands) hands.put(told.hands);
    if (hands && Object.keys(told.hands).length) open(true);
  };
  model.on("change:told", draw);
  draw();
  return () => {
    clearTimeout(waiting);
    window.removeEventListener("keydown", keepKey, true);
    model.off("change:told", draw);
  };
}

export default { initialize, render };
