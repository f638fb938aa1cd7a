// The privacy region R(eps, delta) of KOV, Figure 1, with three handles. It is computed here: no kernel is needed.

const SIDE = 480, LEFT = 92, TOP = 48, WIDTH = 660, HEIGHT = 604;
const px = (missed) => LEFT + SIDE * missed;
const py = (alarm) => TOP + SIDE * (1 - alarm);

// ------------------------------------------------------------------------------------------------- the mathematics

/** Where both errors are equal. */
const corner = (eps, delta) => (1 - delta) / (1 + Math.exp(eps));

/** The least missed detections of a test with so many false alarms. */
const tradeoff = (eps, delta, alarm) =>
  Math.max(0, 1 - delta - Math.exp(eps) * alarm, Math.exp(-eps) * (1 - delta - alarm));

/** At which rate more false alarms lower the missed detections. */
function exchangeRate(eps, delta, alarm) {
  if (alarm >= 1 - delta) return 0;
  return Math.exp(alarm < corner(eps, delta) ? eps : -eps);
}

/** The octagon: its lower boundary from (0, 1) to (1, 0), then its mirror image. */
function octagon(eps, delta) {
  const x = corner(eps, delta);
  return whole([[0, 1], [0, 1 - delta], [x, x], [1 - delta, 0], [1, 0]]);
}

const whole = (lower) => [...lower, ...lower.slice(1, -1).map(([a, b]) => [1 - a, 1 - b])];

/** The false alarms of the test on the boundary that lies in the direction of (1, 1) from or to a point. */
function alarmNear(eps, delta, missed, alarm) {
  const ahead = missed - alarm;
  let low = 0, high = 1; // missed - alarm falls along the boundary as false alarms grow
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (tradeoff(eps, delta, middle) - middle > ahead) low = middle;
    else high = middle;
  }
  return low;
}

/** The eps whose corner lies at this height of the diagonal. */
const epsAt = (height, delta) => Math.log(Math.max((1 - delta) / Math.max(height, 1e-9) - 1, 1));

const nearestOf = (grid, value) => grid.reduce((a, b) => (Math.abs(b - value) < Math.abs(a - value) ? b : a));

/** A number as one writes it by hand: six digits, 10⁻⁶, 3.2 · 10⁻⁹. */
function short(x) {
  const rounded = Number(x.toPrecision(6));
  if (rounded === 0 || Math.abs(rounded) >= 1e-4) return String(rounded);
  const [mantissa, exponent] = rounded.toExponential().split("e");
  const power = "10" + exponent.replace(/./g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
  return mantissa === "1" ? power : `${mantissa} · ${power}`;
}

const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** All numbers of a state, and the sentences that tell them. */
function regionNumbers(state, fixed) {
  const { eps, delta, alarm } = state;
  const n = { eps, delta, alarm, missed: tradeoff(eps, delta, alarm), corner: corner(eps, delta) };
  n.rate = exchangeRate(eps, delta, alarm);
  n.region = octagon(eps, delta);
  const told = { eps: short(eps), delta: short(delta) };
  for (const name of ["corner", "alarm", "missed", "rate"]) told[name] = n[name].toFixed(4);
  const parts = ["headline", "promise", "test", n.rate > 0 ? "saves" : "saves nothing"];
  const table = fixed.mechanisms.find((t) => t.strength === state.strength)?.mechanisms[state.mechanism];
  if (table) {
    n.mechanism = table;
    n.needs = table.needs[fixed.grids.eps.indexOf(eps)];
    Object.assign(told, { title: table.title, needs: short(n.needs) });
    parts.push(n.needs <= delta + fixed.tolerance ? "inside" : "outside");
  }
  const [sentence, ...more] = parts.map((part) => fill(fixed.words[part], told));
  return Object.assign(n, { sentence, more: more.join("\n") });
}

// ---------------------------------------------------------------------------------------------------- the elements

function svg(name, attributes, parent, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  put(node, attributes);
  if (text !== undefined) node.textContent = text;
  parent?.append(node);
  return node;
}

function put(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
}

const corners = (list) => list.map(([missed, alarm]) => `${px(missed).toFixed(2)},${py(alarm).toFixed(2)}`).join(" ");

function unitSquare(parent) {
  const lines = svg("g", { stroke: colour("0.88"), "stroke-width": 1 }, parent), labels = svg("g", {}, parent);
  for (const t of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    svg("line", { x1: px(t), x2: px(t), y1: py(0), y2: py(1) }, lines);
    svg("line", { x1: px(0), x2: px(1), y1: py(t), y2: py(t) }, lines);
    svg("text", { x: px(t), y: py(0) + 24, "text-anchor": "middle" }, labels, String(t));
    svg("text", { x: px(0) - 12, y: py(t) + 6, "text-anchor": "end" }, labels, String(t));
  }
  svg("text", { x: px(0.5), y: HEIGHT - 10, "text-anchor": "middle", class: "dpteach-big" }, labels, "missed detection");
  const turned = { transform: `translate(22 ${py(0.5)}) rotate(-90)`, "text-anchor": "middle", class: "dpteach-big" };
  svg("text", turned, labels, "false alarm");
}

/** A value in a coloured box on an axis. */
function pill(parent, colour, anchor) {
  const g = svg("g", { "aria-hidden": "true" }, parent);
  svg("rect", { x: anchor === "end" ? -78 : -38, y: -13, width: 76, height: 26, rx: 5, fill: colour }, g);
  const text = svg("text", { x: anchor === "end" ? -40 : 0, y: 6, "text-anchor": "middle", class: "dpteach-pill" }, g);
  return (x, y, words) => {
    g.setAttribute("transform", `translate(${x} ${y})`);
    text.textContent = words;
  };
}

/** A handle that can be dragged, or focused and moved with keys. */
function handle(parent, name, label, shape, paint, grid) {
  const g = svg("g", { class: `dpteach-handle dpteach-${name}`, role: "slider", tabindex: 0, "aria-label": label }, parent);
  put(g, { "aria-valuemin": grid[0], "aria-valuemax": grid[grid.length - 1] });
  svg("circle", { r: 24, fill: "transparent" }, g);
  svg("circle", { r: 18, class: "dpteach-ring" }, g);
  const look = { fill: colour(paint), stroke: colour("1"), "stroke-width": 2.5 };
  if (shape === "circle") svg("circle", { r: 12, ...look }, g);
  else svg("rect", { x: -14, y: -14, width: 28, height: 28, rx: 2, ...look }, g); // seen also under a circle
  const text = svg("text", { class: "dpteach-halo dpteach-big", x: 20, y: -14 }, g);
  return { g, text, move: (missed, alarm) => g.setAttribute("transform", `translate(${px(missed)} ${py(alarm)})`) };
}

// -------------------------------------------------------------------------------------------------------- the picture

const MOVED = ["eps", "delta", "alarm"];
const HINT = "Drag a handle, or reach it with Tab and use the arrow keys (with Shift: larger steps; Page keys: the largest).";

function regionPicture(frame, id, fixed) {
  const [blue, orange, green, dark] = fixed.colours.map((name) => name.toLowerCase());
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-labelledby": `${id}-question`, class: "dpteach-region" }, frame.picture);
  frame.picture.style.aspectRatio = `${WIDTH} / ${HEIGHT}`;
  unitSquare(picture);
  const region = svg("polygon", { class: "dpteach-octagon", fill: colour(blue), "fill-opacity": 0.14, stroke: colour(blue) }, picture);
  put(region, { "stroke-width": 3, "stroke-linejoin": "round" });
  const inner = svg("polygon", { class: "dpteach-inner", fill: colour(green), "fill-opacity": 0.14, stroke: colour(green) }, picture);
  put(inner, { "stroke-width": 3, "stroke-dasharray": "12 4 3 4" });
  svg("polyline", { points: corners([[0, 1], [1, 0]]), stroke: colour("0.4"), "stroke-dasharray": "2 4", "stroke-width": 2 }, picture);
  const key = svg("g", {}, picture);
  svg("line", { x1: px(0), x2: px(0) + 60, y1: 22, y2: 22, stroke: colour(green), "stroke-width": 3, "stroke-dasharray": "12 4 3 4" }, key);
  const keyText = svg("text", { x: px(0) + 70, y: 28 }, key);
  const guess = { transform: `translate(${px(0.82)} ${py(0.2)}) rotate(45)`, "text-anchor": "middle", class: "dpteach-halo" };
  svg("text", guess, picture, "blind guessing");
  const nowhere = svg("text", { x: px(0.03), y: py(0.03), class: "dpteach-halo" }, picture, "no test gets here");
  svg("polyline", { points: corners([[0, 1], [0, 0], [1, 0]]), fill: "none", stroke: colour("0"), "stroke-width": 1.5 }, picture);
  const guides = svg("polyline", { fill: "none", stroke: colour(orange), "stroke-width": 2, "stroke-dasharray": "7 5" }, picture);
  const pills = { alarm: pill(picture, dark, "end"), missed: pill(picture, dark, "middle") };
  const names = { alarm: "the test's false alarms", delta: "delta", eps: "epsilon" }; // the last one lies on top
  const handles = {};
  for (const name of ["alarm", "delta", "eps"]) {
    const [shape, paint] = name === "alarm" ? ["square", orange] : ["circle", blue];
    handles[name] = handle(picture, name, names[name], shape, paint, fixed.grids[name]);
  }
  return { picture, region, inner, key, keyText, nowhere, guides, pills, handles };
}

function drawRegion({ region, inner, key, keyText, nowhere, guides, pills, handles }, n) {
  region.setAttribute("points", corners(n.region));
  for (const node of [inner, key]) node.style.display = n.mechanism ? "" : "none";
  if (n.mechanism) {
    inner.setAttribute("points", corners(whole(n.mechanism.lower)));
    keyText.textContent = n.mechanism.title;
  }
  nowhere.style.display = n.corner > 0.1 ? "" : "none";
  guides.setAttribute("points", corners([[0, n.alarm], [n.missed, n.alarm], [n.missed, 0]]));
  pills.alarm(px(0) - 6, py(n.alarm), n.alarm.toFixed(4));
  pills.missed(px(n.missed), py(0) + 20, n.missed.toFixed(4));
  handles.eps.move(n.corner, n.corner);
  handles.delta.move(0, 1 - n.delta);
  handles.alarm.move(n.missed, n.alarm);
  handles.eps.text.textContent = `ε = ${short(n.eps)}`;
  handles.delta.text.textContent = `δ = ${short(n.delta)}`;
  handles.delta.text.setAttribute("y", n.delta < 0.1 ? 28 : -12); // below the upper edge
  const near = Math.hypot(n.corner, n.corner - 1 + n.delta) < 0.2; // the two words would collide
  put(handles.eps.text, near ? { x: 22, y: 14 } : { x: 20, y: -14 });
  for (const name of MOVED) handles[name].g.setAttribute("aria-valuenow", n[name]);
  handles.eps.g.setAttribute("aria-valuetext", `ε = ${short(n.eps)}`);
  handles.delta.g.setAttribute("aria-valuetext", `δ = ${short(n.delta)}`);
  handles.alarm.g.setAttribute("aria-valuetext", `false alarm ${n.alarm.toFixed(4)}, missed detection ${n.missed.toFixed(4)}`);
}

extras.region = {
  /** All that is shown at new settings; so moves need no kernel. */
  answer(state, settings) {
    const now = { ...state.settings, ...settings };
    delete now.reset;
    const { sentence, more } = regionNumbers(now, state.fixed);
    return { settings: now, sentence, more };
  },

  build(frame, { state: first, move, id }) {
    let state = first;
    const { fixed } = first, drawn = regionPicture(frame, id, fixed);
    html("div", { class: "dpteach-hint" }, frame.figure, HINT);

    /** The value of a handle that is dragged to a point. */
    const dragged = (name, missed, alarm) => {
      const { eps, delta } = state.settings;
      if (name === "eps") return epsAt((missed + alarm) / 2, delta);
      return name === "delta" ? 1 - alarm : alarmNear(eps, delta, missed, alarm);
    };
    const moveTo = (name, value) => {
      const grid = state.fixed.grids[name];
      move({ [name]: nearestOf(grid, clamp(value, grid[0], grid[grid.length - 1])) });
    };
    const pointer = (event) => {
      const box = drawn.picture.getBoundingClientRect(), scale = WIDTH / box.width;
      const missed = ((event.clientX - box.left) * scale - LEFT) / SIDE;
      const alarm = 1 - ((event.clientY - box.top) * scale - TOP) / SIDE;
      return [clamp(missed, 0, 1), clamp(alarm, 0, 1)];
    };
    const keys = (name, event) => {
      const [arrow, larger, page] = state.fixed.steps[name], step = event.shiftKey ? larger : arrow, now = state.settings[name];
      const right = name === "alarm" ? -step : step; // the test moves the way the key points
      const grid = state.fixed.grids[name];
      const to = {
        ArrowUp: now + step, ArrowDown: now - step, ArrowRight: now + right, ArrowLeft: now - right,
        PageUp: now + page, PageDown: now - page, Home: grid[0], End: grid[grid.length - 1],
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      moveTo(name, to);
    };
    for (const [name, { g }] of Object.entries(drawn.handles)) {
      g.addEventListener("keydown", (event) => keys(name, event));
      g.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        g.setPointerCapture(event.pointerId);
        g.focus({ preventScroll: true });
      });
      g.addEventListener("pointermove", (event) => {
        if (g.hasPointerCapture(event.pointerId)) moveTo(name, dragged(name, ...pointer(event)));
      });
    }
    const update = (now) => {
      state = now;
      drawRegion(drawn, regionNumbers(state.settings, state.fixed));
    };
    return { update, ratio: WIDTH / HEIGHT };
  },
};
