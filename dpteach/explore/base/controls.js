// The controls of an explorer, and the buttons over its picture. Each shows a setting, and calls back when a reader moves it.

const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

function html(name, attributes = {}, parent = null, text = undefined) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent?.append(node);
  return node;
}

// --------------------------------------------------------------------------------------------------- the controls

/** What a slider runs over: values in order, each at a position of the track. */
function scaleOf(control, value) {
  if (control.values) {
    const known = control.values.includes(value);
    const values = known ? control.values : [...control.values, value].sort((a, b) => a - b);
    const ratio = values.at(-1) / (values[0] || values[1]), log = values[0] >= 0 && ratio >= 100;
    return {
      end: values.length - 1, log, low: values[0], high: values.at(-1),
      at: (position) => values[position], position: (x) => values.indexOf(x),
      step: (x, by) => values[clamp(values.indexOf(x) + by, 0, values.length - 1)],
      words: (x) => control.words[control.values.indexOf(x)] ?? shortNumber(x),
      snap: (x) => values.reduce((a, b) => (distance(b, x, log) < distance(a, x, log) ? b : a)),
    };
  }
  const { low, high, log } = control, end = log ? 1000 : high - low;
  const snap = (x) => clamp(Math.round(x), low, high);
  return {
    end, log, low, high, snap, words: String, step: (x, by) => clamp(x + by, low, high),
    at: (position) => snap(log ? low * (high / low) ** (position / end) : low + position),
    position: (x) => (log ? Math.round((end * Math.log(x / low)) / Math.log(high / low)) : x - low),
  };
}

const distance = (a, b, log) => (log && a > 0 && b > 0 ? Math.abs(Math.log(a / b)) : Math.abs(a - b));

const shortNumber = (x) => String(Number(x.toPrecision(6)));

const RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", LEVEL = "-0123456789";

/** A number that somebody has typed: 0.5, 0,5, 1e-6, 10^-6, 10⁻⁶, 1/3. */
function typed(text) {
  const lowered = (power) => `^${[...power].map((digit) => LEVEL[RAISED.indexOf(digit)]).join("")}`;
  const plain = text.replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, lowered).replace("−", "-").replace(/(\d),(\d)/, "$1.$2").replace(/\s/g, "");
  const power = plain.match(/^(?:([\d.]+)[·*×])?10\^(-?\d+)$/), share = plain.match(/^([\d.]+)\/([\d.]+)$/);
  if (power) return Number(power[1] ?? 1) * 10 ** Number(power[2]);
  if (share) return Number(share[1]) / Number(share[2]);
  return plain === "" ? NaN : Number(plain);
}

/** A value as it is read aloud. */
function spoken(text) {
  const small = text.match(/^(?:([\d.]+) · )?10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/);
  if (!small) return text;
  const power = [...small[2]].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).join("");
  return `${small[1] ? `${small[1]} times ` : ""}ten to the minus ${power}`;
}

const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 1, PageDown: -1 };

/** A track to drag along and a field to type into; both always show a value that is allowed. */
function slider(control, id, move) {
  const node = html("div", { class: "dpteach-control dpteach-slider" });
  html("label", { for: id }, node, control.label);
  const field = html("input", { type: "text", inputmode: "decimal", class: "dpteach-number", autocomplete: "off" }, node);
  field.setAttribute("aria-label", `${control.label}: type a number`);
  const track = html("input", { type: "range", id, min: 0, step: 1 }, node);
  let value, scale;
  const show = (to) => {
    value = to;
    scale = scaleOf(control, value);
    track.max = scale.end;
    track.value = scale.position(value);
    track.style.setProperty("--part", scale.end ? Number(track.value) / scale.end : 0);
    track.setAttribute("aria-valuetext", spoken(scale.words(value)));
    field.value = scale.words(value);
  };
  const go = (to) => {
    if (to === value) return;
    show(to);
    move({ [control.name]: to });
  };
  track.addEventListener("input", () => go(scale.at(Number(track.value))));
  track.addEventListener("keydown", (event) => {
    const ends = { Home: scale.low, End: scale.high }, by = KEYS[event.key];
    if ((by === undefined && !(event.key in ends)) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key in ends) return go(ends[event.key]);
    const coarse = event.shiftKey || event.key.startsWith("Page");
    go(coarse ? farther(scale, value, by) : scale.step(value, by));
  });
  field.addEventListener("focus", () => field.select());
  onEntered(field, () => {
    const asked = typed(field.value);
    if (Number.isNaN(asked) || field.value === scale.words(value)) return show(value);
    const to = scale.snap(asked);
    show(to);
    move({ [control.name]: to });
  });
  return { node, show, lock: (off) => { track.disabled = field.disabled = off; } };
}

/** Call back when a line is left, or Enter pressed. */
function onEntered(line, act) {
  line.addEventListener("change", act);
  line.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) act(); });
}

/** A tenth of the track ahead, and at least one step. */
function farther(scale, value, by) {
  const to = scale.at(clamp(scale.position(value) + by * Math.max(1, Math.round(scale.end / 10)), 0, scale.end));
  return to === value ? scale.step(value, by) : to;
}

function choice(control, id, move) {
  const node = html("div", { class: "dpteach-control" });
  html("label", { for: id }, node, control.label);
  const select = html("select", { id }, node);
  let offered = [];
  const offer = (options) => {
    if (options.join("\n") === offered.join("\n")) return;
    offered = options;
    select.replaceChildren(...options.map((option) => html("option", { value: option }, null, option)));
  };
  select.addEventListener("change", () => move({ [control.name]: select.value }));
  const show = (value, state) => {
    offer(state.options?.[control.name] ?? control.options);
    select.value = value;
  };
  return { node, show, lock: (off) => { select.disabled = off; } };
}

function toggle(control, id, move) {
  const node = html("div", { class: "dpteach-control dpteach-switch" });
  const box = html("input", { type: "checkbox", id }, node);
  html("label", { for: id }, node, control.label);
  box.addEventListener("change", () => move({ [control.name]: box.checked }));
  return { node, show: (value) => { box.checked = value; }, lock: (off) => { box.disabled = off; } };
}

function textLine(control, id, move) {
  const node = html("div", { class: "dpteach-control" });
  html("label", { for: id }, node, control.label);
  const line = html("input", { type: "text", id, autocomplete: "off", spellcheck: "false" }, node);
  let now = "";
  onEntered(line, () => { if (line.value !== now) move({ [control.name]: (now = line.value) }); });
  const show = (value) => { if (value !== now || document.activeElement !== line) line.value = value; now = value; };
  return { node, show, lock: (off) => { line.disabled = off; } };
}

/** A button for each bit vector. One stop of the Tab key for all; arrows walk from vector to vector. */
function vectors(control, id, move) {
  const node = html("div", { class: "dpteach-control dpteach-vectors", role: "group", "aria-label": control.label });
  const label = html("div", {}, node), grid = html("div", {}, node);
  let place = 0, chosen = new Set(), bits = 0;
  const ROW = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 };
  const walk = (to) => {
    place = clamp(to, 0, grid.children.length - 1);
    [...grid.children].forEach((button, i) => { button.tabIndex = i === place ? 0 : -1; });
  };
  const mark = () => {
    label.textContent = `${control.label}: ${chosen.size} of ${grid.children.length} vectors`;
    for (const button of grid.children) button.setAttribute("aria-pressed", chosen.has(button.textContent));
  };
  const press = (vector) => {
    if (!chosen.delete(vector)) chosen.add(vector);
    mark();
    move({ [control.name]: [...chosen].sort().join(" ") });
  };
  const build = () => {
    const all = Array.from({ length: 2 ** bits }, (_, i) => i.toString(2).padStart(bits, "0"));
    grid.replaceChildren(...all.map((vector, i) => {
      const button = html("button", { type: "button", "aria-label": `${vector}: ${[...vector].join(" ")}` }, null, vector);
      button.addEventListener("click", () => { walk(i); press(vector); });
      return button;
    }));
    walk(place);
  };
  const show = (value, state) => {
    const k = state.settings[control.bits];
    chosen = new Set(value.split(" ").filter(Boolean).map((vector) => vector.padEnd(k, "0").slice(0, k)));
    if (k !== bits) { bits = k; build(); }
    mark();
  };
  grid.addEventListener("keydown", (event) => {
    const ends = { Home: 0, End: grid.children.length - 1 };
    const to = event.key in ROW ? place + ROW[event.key] : ends[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    walk(to);
    grid.children[place].focus();
  });
  return { node, show, lock: (off) => { for (const button of grid.children) button.disabled = off; } };
}

const KINDS = { slider, choice, switch: toggle, text: textLine, vectors };

/** A control with the reason why it does nothing now, if so. */
function controlOf(control, id, move) {
  const made = KINDS[control.kind](control, id, move);
  const reason = html("div", { class: "dpteach-reason", id: `${id}-reason`, hidden: "" }, made.node);
  const inputs = () => made.node.querySelectorAll("input, select, button");
  return {
    ...made,
    update: (state, alive) => {
      const why = state.disabled?.[control.name] ?? "";
      made.show(state.settings[control.name], state);
      made.lock(Boolean(why) || !alive);
      made.node.classList.toggle("dpteach-off", Boolean(why));
      reason.textContent = why;
      reason.hidden = !why;
      for (const input of inputs()) {
        if (why) input.setAttribute("aria-describedby", reason.id);
        else input.removeAttribute("aria-describedby");
      }
    },
  };
}

// -------------------------------------------------------------------------------------- what can be clicked in a picture

// One stop of the Tab key for all buttons; an arrow key goes to the nearest one in its direction.
const AHEAD = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function spotsOver(picture, hint, move) {
  const layer = html("div", { class: "dpteach-spots", role: "group", "aria-label": hint }, picture);
  let place = 0, spots = [];
  const walk = (to) => {
    place = clamp(to, 0, layer.children.length - 1);
    [...layer.children].forEach((button, i) => { button.tabIndex = i === place ? 0 : -1; });
  };
  const add = () => {
    const button = html("button", { type: "button" }, layer), i = layer.children.length - 1;
    button.addEventListener("click", () => { walk(i); move({ clicked: spots[i].name }); });
  };
  const nearest = ([right, down]) => {
    const middle = (button) => [button.offsetLeft + button.offsetWidth / 2, button.offsetTop + button.offsetHeight / 2];
    const [x, y] = middle(layer.children[place]);
    let best = place, least = Infinity;
    [...layer.children].forEach((button, i) => {
      const [dx, dy] = [middle(button)[0] - x, middle(button)[1] - y];
      const along = dx * right + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along > 1 && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
    });
    return best;
  };
  layer.addEventListener("keydown", (event) => {
    if (!(event.key in AHEAD) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    walk(nearest(AHEAD[event.key]));
    layer.children[place].focus();
  });
  return (state, alive, [across, up]) => { // a button that stays keeps the focus
    spots = state.spots ?? [];
    while (layer.children.length < spots.length) add();
    while (layer.children.length > spots.length) layer.lastChild.remove();
    spots.forEach(({ name, pressed, left, top, width, height }, i) => {
      const button = layer.children[i];
      Object.assign(button, { title: name, disabled: !alive });
      button.setAttribute("aria-label", name);
      button.setAttribute("aria-pressed", pressed);
      const box = { left: across * left, top: up * top, width: across * width, height: up * height };
      for (const [side, part] of Object.entries(box)) button.style[side] = `${100 * part}%`;
    });
    walk(place);
  };
}
