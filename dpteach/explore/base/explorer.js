// Shows an explorer: question, controls, picture, sentence. No library, no request.
//
//   const view = mount(element, { state, send, form, notes });   form "slide": a large picture, the controls in a row below
//   view.update(change);    what was answered to `send(settings)`, or what is new for another reason
//   view.alive(false);      nobody answers any more
//   view.destroy();
//
// `state` is what Python's Explorer.state() returns, a `change` what Explorer.answer(settings) returns.

const PATIENCE = 4000; // ms after which a reader is told that no answer has come
const PAUSE = 700; // ms without a move before a screen reader hears the new sentence
const LARGEST = 2; // pixels a point
const LEAST = 200; // pixels: a picture is never made lower to fit the window
const LEGIBLE = 24; // pixels: the smallest print on a slide
const SHORT = 190; // letters of a caption on a slide
const IN_NOTEBOOK = { // what a reader is told when nobody answers
  again: "This picture no longer moves: run this cell again.",
  busy: "No answer yet: the kernel is busy, or gone. If it stays so, run this cell again.",
};
const extras = {}; // what some explorers add: by name, a function that returns { update(state) }
let mounted = 0;

// ---------------------------------------------------------------------------------------------------- the elements

function html(name, attributes = {}, parent = null, text = undefined) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent?.append(node);
  return node;
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** A tag of the picture, as text: a picture is written anew as a whole. */
function tag(name, attributes, inside = "") {
  const written = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== "");
  return `<${name} ${written.map(([key, value]) => `${key}="${value}"`).join(" ")}>${inside}</${name}>`;
}

// ------------------------------------------------------------------------------------------------------- colours

/** A colour of the sheet as the theme wants it: greys go from ink to paper, and each colour has a dark sister. */
function colour(name) {
  if (name === "none") return "none";
  if (!name.startsWith("#")) {
    const paper = Number(name);
    if (paper === 0) return "var(--dp-ink)";
    return paper === 1 ? "var(--dp-paper)" : `color-mix(in srgb, var(--dp-paper) ${100 * paper}%, var(--dp-ink))`;
  }
  return `var(--dp-${name.slice(1, 7)}, ${name.slice(0, 7)})`;
}

const opacity = (name) => (/^#.{8}$/.test(name) ? (parseInt(name.slice(7), 16) / 255).toFixed(3) : undefined);

const filled = (name) => ({ fill: colour(name), "fill-opacity": opacity(name) });

function stroked(name, width, dash = []) {
  if (!width || name === "none") return {};
  return { stroke: colour(name), "stroke-width": width, "stroke-dasharray": dash.join(" ") };
}

// --------------------------------------------------------------------------------------------------------- words

const ruler = globalThis.document?.createElement("canvas").getContext("2d");

let leastSize = 0; // points: no print of the picture that is being painted is smaller

/** How wide some lines of text are. */
function widthOf(lines, asked, bold = false, mono = false) {
  const size = Math.max(asked, leastSize);
  ruler.font = `${bold ? "bold " : ""}${size}px ${mono ? "monospace" : "system-ui, sans-serif"}`;
  return Math.max(...lines.map((line) => ruler.measureText(line).width));
}

const LINE_HEIGHT = 1.2;
const RISE = { top: 0.82, center: 0.35, bottom: -0.22, baseline: 0 }; // of the baseline below the place, in letters
const ANCHOR = { left: "start", center: "middle", right: "end" };

/** Words at a place of the picture, of several lines and turned if need be. */
function words(text, x, y, { size: asked, color = "0", ha = "left", va = "baseline", turn = 0, bold = false, mono = false }) {
  const size = Math.max(asked, leastSize), lines = String(text).split("\n"), pitch = LINE_HEIGHT * size;
  const above = { top: 0, center: 0.5, bottom: 1, baseline: 1 }[va] * (lines.length - 1) * pitch;
  const first = y - above + RISE[va] * size;
  const spans = lines.map((line, i) => tag("tspan", { x: x.toFixed(2), y: (first + i * pitch).toFixed(2) }, escaped(line)));
  return tag("text", {
    "font-size": size, fill: colour(color), "text-anchor": ANCHOR[ha], "font-weight": bold ? "bold" : "",
    "font-family": mono ? "monospace" : "", transform: turn ? `rotate(${-turn} ${x.toFixed(2)} ${y.toFixed(2)})` : "",
  }, spans.join(""));
}

// ------------------------------------------------------------------------------------------------------ the sheet

/** Write a sheet as SVG; `id` tells the parts of this picture from those of others on the page. */
function paint(sheet, id, least = 0) {
  leastSize = least;
  const hatches = new Map();
  const inside = sheet.panels.map((panel, i) => paintPanel(panel, sheet.size[1], `${id}-${i}`, hatches)).join("");
  const patterns = [...hatches.entries()].map(([look, name]) => hatching(look, name)).join("");
  return `<defs>${patterns}</defs>${inside}`;
}

function paintPanel(panel, height, id, hatches) {
  const [left, bottom, across, up] = panel.box, low = height - bottom, top = low - up;
  const at = { left, low, top, right: left + across, across, up, id, hatches, height };
  at.x = scaled(panel.x, left, across);
  at.y = scaled(panel.y, low, -up);
  const clip = tag("clipPath", { id }, tag("rect", { x: left, y: top, width: across, height: up }));
  const parts = [clip];
  if (panel.shown) parts.push(paintAxis(panel.x, at, true), paintAxis(panel.y, at, false));
  if (panel.shown && panel.frame) {
    parts.push(tag("path", { d: `M${left},${top}V${low}H${at.right}`, fill: "none", ...stroked("0", 0.8) }));
  }
  if (panel.title) parts.push(words(panel.title, left, top - 6, { size: panel.titleSize }));
  parts.push(...panel.marks.map((mark) => painters[mark.kind](mark, at)));
  if (panel.key) parts.push(paintKey(panel.key, at));
  return tag("g", {}, parts.join(""));
}

function scaled({ lim, log }, start, length) {
  const place = log ? Math.log10 : (value) => value;
  const [low, high] = lim.map(place);
  return (value) => start + ((place(value) - low) / (high - low)) * length;
}

function paintAxis(axis, at, flat) {
  const parts = [], size = axis.size;
  const notch = (place, length) => (flat ? `M${at.x(place)},${at.low}v${length}` : `M${at.left},${at.y(place)}h${-length}`);
  const line = (place) => (flat ? `M${at.x(place)},${at.low}V${at.top}` : `M${at.left},${at.y(place)}H${at.right}`);
  const [low, high] = [...axis.lim].sort((a, b) => a - b), slack = 1e-9 * (high - low);
  const ticks = axis.ticks.filter(([place]) => place >= low - slack && place <= high + slack);
  if (axis.grid) parts.push(tag("path", { d: ticks.map(([place]) => line(place)).join(""), ...stroked("0.9", 0.8) }));
  if (axis.notch) parts.push(tag("path", { d: ticks.map(([place]) => notch(place, axis.notch)).join(""), ...stroked("0", 0.8) }));
  if (axis.small.length) parts.push(tag("path", { d: axis.small.map((place) => notch(place, 2)).join(""), ...stroked("0", 0.6) }));
  for (const [place, text] of ticks) {
    const look = { size, mono: axis.mono, ha: flat ? "center" : "right", va: flat ? "top" : "center" };
    parts.push(flat ? words(text, at.x(place), at.low + axis.notch + 3, look) : words(text, at.left - axis.notch - 3.5, at.y(place), look));
  }
  if (axis.label) parts.push(axisName(axis, ticks, at, flat));
  return parts.join("");
}

/** The name of an axis, just outside of its numbers. */
function axisName(axis, ticks, at, flat) {
  const texts = ticks.map(([, text]) => String(text).split("\n")), look = { size: axis.labelSize, ha: "center" };
  if (flat) {
    const lines = Math.max(1, ...texts.map((text) => text.length));
    const y = at.low + axis.notch + 3 + LINE_HEIGHT * axis.size * lines + 3;
    return words(axis.label, at.left + at.across / 2, Math.min(y, at.height - 1.1 * axis.labelSize), { ...look, va: "top" });
  }
  const room = Math.max(0, ...texts.map((text) => widthOf(text, axis.size, false, axis.mono)));
  const x = Math.max(at.left - axis.notch - 3.5 - room - 6, 0.9 * axis.labelSize);
  return words(axis.label, x, at.top + at.up / 2, { ...look, turn: 90 });
}

// ------------------------------------------------------------------------------------------------------- the marks

const clipped = (mark, at) => (mark.clip ? { "clip-path": `url(#${at.id})` } : {});

/** A way through points, with gaps where a number is missing. */
function way(mark, at) {
  let pen = "M", d = "";
  mark.x.forEach((x, i) => {
    if (x === null || mark.y[i] === null) return void (pen = "M");
    d += `${pen}${at.x(x).toFixed(2)},${at.y(mark.y[i]).toFixed(2)}`;
    pen = "L";
  });
  return d;
}

/** The outline of a marker of so large a diameter around a place. */
function outline(shape, x, y, size) {
  const r = size / 2, to = (...points) => `M${points.map(([a, b]) => `${(x + r * a).toFixed(2)},${(y + r * b).toFixed(2)}`).join("L")}Z`;
  if (shape === "s") return to([-1, -1], [1, -1], [1, 1], [-1, 1]);
  if (shape === "D") return to([-1.414, 0], [0, -1.414], [1.414, 0], [0, 1.414]);
  if (shape === "v") return to([-1, -1], [1, -1], [0, 1]);
  if (shape === "X") {
    return to([-0.5, -1], [0, -0.5], [0.5, -1], [1, -0.5], [0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5], [-0.5, 1], [-1, 0.5], [-0.5, 0], [-1, -0.5]);
  }
  return `M${(x - r).toFixed(2)},${y.toFixed(2)}a${r},${r} 0 1 0 ${size},0a${r},${r} 0 1 0 ${-size},0`;
}

function hatched(mark, at, d) {
  if (!mark.hatch) return "";
  const look = `${mark.hatch} ${mark.edge}`;
  if (!at.hatches.has(look)) at.hatches.set(look, `${at.id}-hatch-${at.hatches.size}`);
  return tag("path", { d, fill: `url(#${at.hatches.get(look)})`, ...clipped(mark, at) });
}

function hatching(look, id) {
  const [hatch, edge] = look.split(" "), step = 14 / hatch.length ** 0.7;
  const dots = tag("circle", { cx: step / 2, cy: step / 2, r: 1, ...filled(edge) });
  const up = `M0,${step}L${step},0M${-step / 4},${step / 4}L${step / 4},${-step / 4}M${0.75 * step},${1.25 * step}L${1.25 * step},${0.75 * step}`;
  const down = `M0,0L${step},${step}M${-step / 4},${0.75 * step}L${step / 4},${1.25 * step}M${0.75 * step},${-step / 4}L${1.25 * step},${step / 4}`;
  const lines = { "/": up, "\\": down, x: up + down }[hatch[0]];
  const drawn = lines ? tag("path", { d: lines, fill: "none", ...stroked(edge, 1) }) : dots;
  return tag("pattern", { id, width: step, height: step, patternUnits: "userSpaceOnUse" }, drawn);
}

function sideBox(mark, x, y) {
  const { box, size, bold, mono, ha, va } = mark, lines = mark.words.split("\n");
  const pad = box.relative ? box.relative * size : box.pad, height = LINE_HEIGHT * size * (lines.length - 1) + size;
  const width = widthOf(lines, size, bold, mono);
  const left = x - { left: 0, center: 0.5, right: 1 }[ha] * width;
  const top = { top: y, center: y - height / 2, bottom: y - height, baseline: y - height + 0.2 * size }[va];
  const place = { x: left - pad, y: top - pad, width: width + 2 * pad, height: height + 2 * pad, rx: box.round ? 0.3 * size : 0 };
  const turn = mark.turn ? { transform: `rotate(${-mark.turn} ${x} ${y})` } : {};
  return tag("rect", { ...place, ...filled(box.fill), ...stroked(box.edge, box.rim), ...turn });
}

const painters = {
  line: (mark, at) => tag("path", {
    d: way(mark, at), fill: "none", ...stroked(mark.color, mark.width, mark.dash), opacity: mark.alpha,
    "stroke-linejoin": "round", "stroke-linecap": mark.cap, ...clipped(mark, at),
  }),
  dots: (mark, at) => {
    const size = (i) => (Array.isArray(mark.size) ? mark.size[i % mark.size.length] : mark.size);
    const seen = mark.x.map((x, i) => (x === null || mark.y[i] === null ? "" : outline(mark.shape, at.x(x), at.y(mark.y[i]), size(i))));
    return tag("path", { d: seen.join(""), ...filled(mark.fill), ...stroked(mark.edge, mark.rim), ...clipped(mark, at) });
  },
  area: (mark, at) => {
    if (new Set(mark.y).size === 1 || new Set(mark.x).size === 1) return ""; // a bar without a height has no rim either
    const d = `${way(mark, at)}Z`;
    const face = tag("path", { d, ...filled(mark.fill), ...clipped(mark, at) });
    const rim = mark.rim ? tag("path", { d, fill: "none", ...stroked(mark.edge, mark.rim, mark.dash), ...clipped(mark, at) }) : "";
    return face + hatched(mark, at, d) + rim;
  },
  rule: (mark, at) => {
    if (mark.at === null) return "";
    const d = mark.upright ? `M${at.x(mark.at)},${at.low}v${-mark.to * at.up}` : `M${at.left},${at.y(mark.at)}H${at.right}`;
    return tag("path", { d, ...stroked(mark.color, mark.width, mark.dash), "clip-path": `url(#${at.id})` });
  },
  text: (mark, at) => {
    const inPanel = mark.of === "panel";
    const x = (inPanel ? at.left + mark.x * at.across : at.x(mark.x)) + mark.right;
    const y = (inPanel ? at.low - mark.y * at.up : at.y(mark.y)) - mark.up;
    return (mark.box ? sideBox(mark, x, y) : "") + words(mark.words, x, y, mark);
  },
  arrow: (mark, at) => {
    const [a, b] = [mark.start, mark.end].map(([x, y]) => [at.x(x), at.y(y)]);
    const dx = b[0] - a[0], dy = b[1] - a[1];
    const middle = [(a[0] + b[0]) / 2 - mark.bend * dy, (a[1] + b[1]) / 2 + mark.bend * dx];
    const apart = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
    const curve = Array.from({ length: 61 }, (_, i) => i / 60)
      .map((t) => [0, 1].map((k) => (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * middle[k] + t * t * b[k]))
      .filter((point) => apart(point, a) >= mark.gaps[0] && apart(point, b) >= mark.gaps[1]);
    const tip = curve.at(-1), back = curve.find((point) => apart(point, tip) <= 0.4 * mark.head) ?? curve[0];
    const long = apart(tip, back), [ux, uy] = [(tip[0] - back[0]) / long, (tip[1] - back[1]) / long], side = 0.2 * mark.head;
    const head = `M${tip}L${[back[0] - side * uy, back[1] + side * ux]}L${[back[0] + side * uy, back[1] - side * ux]}Z`;
    const shaft = `M${curve.map((point) => point.map((part) => part.toFixed(2)).join(",")).join("L")}`;
    return tag("path", { d: shaft, fill: "none", ...stroked(mark.color, mark.width, mark.dash) })
      + tag("path", { d: head, ...filled(mark.color), ...stroked(mark.color, mark.width) });
  },
};

// ------------------------------------------------------------------------------------------------------ the legend

/** The legend of a panel: columns of a sign and a name, in one corner of the panel or of a given point. */
function paintKey(key, at) {
  const size = Math.max(key.size, leastSize), sign = key.handle * size, gap = key.pad * size, pitch = 1.5 * size, border = key.border * size;
  const columns = split(key.entries, key.columns);
  const wide = columns.map((column) => sign + gap + Math.max(...column.map((entry) => widthOf([entry.words], size))));
  const width = wide.reduce((a, b) => a + b, 0) + (wide.length - 1) * key.gap * size + 2 * border;
  const height = Math.max(...columns.map((column) => column.length)) * pitch - 0.4 * size + 2 * border;
  const [left, top] = keyCorner(key, at, width, height);
  const parts = key.frame ? [tag("rect", { x: left, y: top, width, height, rx: 3, ...filled("1"), "fill-opacity": 0.85, ...stroked("0.8", 1) })] : [];
  let x = left + border;
  columns.forEach((column, i) => {
    column.forEach((entry, j) => {
      const y = top + border + 0.55 * size + j * pitch;
      parts.push(...entry.looks.map((look) => signOf(look, x, y, sign, size, at)));
      parts.push(words(entry.words, x + sign + gap, y, { size, va: "center" }));
    });
    x += wide[i] + key.gap * size;
  });
  return tag("g", {}, parts.join(""));
}

function keyCorner(key, at, width, height) {
  const [up, across] = key.loc.split(" "), outside = key.at !== null, pad = 0.5 * key.size;
  const [fromLeft, fromLow] = key.at ?? [{ left: 0, center: 0.5, right: 1 }[across], { lower: 0, center: 0.5, upper: 1 }[up]];
  const x = at.left + fromLeft * at.across, y = at.low - fromLow * at.up, push = outside ? 0 : pad;
  const left = { left: x + push, center: x - width / 2, right: x - width - push }[across];
  const top = { upper: y + push, center: y - height / 2, lower: y - height - push }[up];
  return [outside && across === "left" ? left + pad : left, outside && up === "lower" ? top - pad : top];
}

function split(entries, number) {
  const columns = [], least = Math.floor(entries.length / number), more = entries.length % number;
  for (let i = 0, start = 0; i < number; i++) {
    const size = least + (i < more ? 1 : 0);
    if (size) columns.push(entries.slice(start, start + size));
    start += size;
  }
  return columns;
}

function signOf(look, x, y, width, size, at) {
  if (look.kind === "dots") return tag("path", { d: outline(look.shape, x + width / 2, y, look.size), ...filled(look.fill), ...stroked(look.edge, look.rim) });
  if (look.kind !== "area") return tag("path", { d: `M${x},${y}h${width}`, ...stroked(look.color, look.width, look.dash) });
  const d = `M${x},${y - 0.35 * size}h${width}v${0.7 * size}h${-width}Z`;
  return tag("path", { d, ...filled(look.fill) }) + hatched(look, at, d) + (look.rim ? tag("path", { d, fill: "none", ...stroked(look.edge, look.rim) }) : "");
}

// --------------------------------------------------------------------------------------------------- the controls

/** What a slider runs over: values in order, each at a position of the track. */
function scaleOf(control, value) {
  if (control.values) {
    const known = control.values.includes(value), values = known ? control.values : [...control.values, value].sort((a, b) => a - b);
    const ratio = values.at(-1) / (values[0] || values[1]), log = values[0] >= 0 && ratio >= 100;
    return {
      end: values.length - 1, log, low: values[0], high: values.at(-1),
      at: (position) => values[position], position: (x) => values.indexOf(x), step: (x, by) => values[clamp(values.indexOf(x) + by, 0, values.length - 1)],
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

/** A number that somebody has typed: 0.5, 0,5, 1e-6, 10^-6, 10⁻⁶, 1/3. */
function typed(text) {
  const plain = text.trim().replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (power) => `^${[...power].map((c) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)]).join("")}`)
    .replace("−", "-").replace(/(\d),(\d)/, "$1.$2").replace(/\s/g, "");
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
  const field = html("input", { type: "text", inputmode: "decimal", class: "dpteach-number", autocomplete: "off", "aria-label": `${control.label}: type a number` }, node);
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
      for (const input of inputs()) why ? input.setAttribute("aria-describedby", reason.id) : input.removeAttribute("aria-describedby");
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
  return (state, alive) => { // a button that stays keeps the focus
    spots = state.spots ?? [];
    while (layer.children.length < spots.length) add();
    while (layer.children.length > spots.length) layer.lastChild.remove();
    spots.forEach(({ name, pressed, left, top, width, height }, i) => {
      const button = layer.children[i];
      Object.assign(button, { title: name, disabled: !alive });
      button.setAttribute("aria-label", name);
      button.setAttribute("aria-pressed", pressed);
      for (const [side, part] of Object.entries({ left, top, width, height })) button.style[side] = `${100 * part}%`;
    });
    walk(place);
  };
}

// ------------------------------------------------------------------------------------------------------ the explorer

/** The frame of an explorer: its places, still empty. */
function frameOf(element, state, id, form) {
  const root = html("div", { class: `dpteach-explorer${form ? ` dpteach-${form}` : ""}` }, element);
  const body = html("div", { class: "dpteach-body" }, root);
  html("div", { class: "dpteach-question", id: `${id}-question` }, body, state.question);
  const controls = html("div", { class: "dpteach-controls" }, body);
  const figure = html("figure", { class: "dpteach-figure", "aria-labelledby": `${id}-question` }, body);
  const above = html("div", { class: "dpteach-above" }, figure), picture = html("div", { class: "dpteach-picture" }, figure);
  const caption = html("figcaption", {}, figure), more = html("details", {}, figure);
  html("summary", {}, more, "all numbers");
  const numbers = html("p", {}, more), note = html("p", { class: "dpteach-note", hidden: "" }, figure);
  const heard = html("div", { class: "dpteach-heard", role: "status" }, root);
  return { root, body, controls, figure, above, picture, caption, more, numbers, note, heard };
}

function menuOf(state, id, move) {
  const node = html("div", { class: "dpteach-menu" }), names = Object.keys(state.presets);
  const box = html("div", { class: "dpteach-control" }), list = html("select", { id: `${id}-preset` });
  html("label", { for: list.id }, box, "preset");
  box.append(list);
  for (const name of [state.own, ...names]) html("option", { value: name }, list, name);
  if (names.length) node.append(box);
  const reset = html("button", { type: "button", title: "return to the settings at the start" }, node, "reset");
  list.addEventListener("change", () => { if (list.value in state.presets) move(state.presets[list.value]); });
  reset.addEventListener("click", () => move({ ...state.first, reset: true }));
  const isSet = (settings, preset) => Object.keys(preset).every((name) => settings[name] === preset[name]);
  const update = ({ settings, presets, own }, alive) => {
    list.value = names.find((name) => isSet(settings, presets[name])) ?? own;
    list.disabled = reset.disabled = !alive;
  };
  return { node, update };
}

/** The first clauses of a sentence, as many as a slide has room for. */
function shortened(sentence) {
  const clauses = sentence.split(/(?<=[.;:?!]) /);
  let short = clauses.shift();
  while (clauses.length && short.length + clauses[0].length < SHORT) short += ` ${clauses.shift()}`;
  return clauses.length ? short.replace(/[;:]$/, ".") : short;
}

/** The height in which a reader sees the explorer: that of the outermost part of the page that scrolls, or of the window. */
function viewHeight(element) {
  let height = window.innerHeight;
  for (let node = element.parentElement; node && node !== document.body; node = node.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(node).overflowY);
    if (scrolls && node.clientHeight > LEAST) height = Math.min(node.clientHeight, window.innerHeight);
  }
  return height;
}

export function mount(element, { state: first, send, form = "", notes = IN_NOTEBOOK }) {
  const id = `dpteach-${Date.now().toString(36)}-${(mounted += 1)}`, frame = frameOf(element, first, id, form);
  let state = first, alive = true, sent = null, next = null, patience = 0, pause = 0, ratio = 1, pitch = 1, told = first.sentence;

  // One move is under way at a time; of those that come meanwhile, the newest of each control is sent after it.
  const move = (settings) => {
    if (state.local) return follow(settings);
    if (sent) return void (next = { ...next, ...settings });
    sent = settings;
    clearTimeout(patience);
    patience = setTimeout(() => say(notes.busy), PATIENCE);
    send(settings);
  };
  const follow = (settings) => { // an explorer that is computed here
    update(extras[state.local].answer(state, settings));
    send(settings);
  };
  const say = (words) => {
    frame.note.textContent = words;
    frame.note.hidden = !words;
  };

  const controls = first.controls.filter((control) => control.kind in KINDS).map((control) => controlOf(control, `${id}-${control.name}`, move));
  const menu = menuOf(first, id, move);
  frame.controls.append(...controls.map((control) => control.node), menu.node);
  const extra = first.extra ? extras[first.extra].build(frame, { state, move, id }) : null;
  const svg = first.local ? null : document.createElementNS("http://www.w3.org/2000/svg", "svg");
  if (svg) {
    for (const [key, value] of Object.entries({ role: "img", "aria-labelledby": `${id}-question`, "aria-describedby": `${id}-caption` })) svg.setAttribute(key, value);
    frame.picture.append(svg);
  }
  frame.caption.id = `${id}-caption`;
  const spots = first.hint ? spotsOver(frame.picture, first.hint, move) : null;

  if (extra?.ratio) ratio = extra.ratio;
  const room = () => { // the height of its place, or of the window if the place is only as high as what is in it
    const { width } = frame.picture.style;
    frame.picture.style.width = "0";
    const own = element.clientHeight > frame.root.offsetHeight + LEAST;
    frame.picture.style.width = width;
    return own ? element.clientHeight : viewHeight(element) - 8;
  };
  const fitSlide = (again = 3) => { // a slide is scaled as a whole, so its own pixels count; and no print in it gets too small
    const rest = frame.root.offsetHeight - frame.picture.offsetHeight;
    const width = Math.round(Math.min(element.clientWidth, Math.max(LEAST, room() - rest) * ratio));
    const pixels = width / (state.sheet?.size[0] ?? width);
    frame.picture.style.width = `${width}px`;
    if (width === 0 || pixels === pitch) return;
    pitch = pixels;
    draw();
    if (again) fitSlide(again - 1); // what stands beside the picture may have been higher
  };
  const fit = () => { // the picture gets the height that the rest leaves
    if (form === "slide") return fitSlide();
    const column = frame.figure.getBoundingClientRect(), picture = frame.picture.getBoundingClientRect();
    const beside = frame.controls.getBoundingClientRect().top <= column.top + 1;
    const above = beside ? column.top - frame.root.getBoundingClientRect().top : frame.root.offsetHeight - column.height;
    const rest = column.height - picture.height - (frame.more.open ? frame.numbers.offsetHeight : 0);
    const height = Math.max(LEAST, viewHeight(element) - above - rest - 24);
    frame.picture.style.width = `min(100%, ${Math.round(Math.min(height * ratio, LARGEST * (state.sheet?.size[0] ?? 540)))}px)`;
  };
  const caption = (sentence) => { // on a slide as much as two lines hold; all of it for screen readers
    frame.caption.textContent = form === "slide" ? "" : sentence;
    if (form !== "slide") return;
    html("span", { "aria-hidden": "true" }, frame.caption, shortened(sentence));
    html("span", { class: "dpteach-heard" }, frame.caption, sentence);
  };
  const draw = () => {
    if (svg && state.sheet) {
      const [width, height] = state.sheet.size;
      ratio = width / height;
      frame.picture.style.aspectRatio = `${width} / ${height}`;
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.innerHTML = paint(state.sheet, id, form === "slide" ? LEGIBLE / pitch : 0);
    }
    frame.root.classList.toggle("dpteach-impossible", Boolean(state.impossible));
    caption(state.sentence);
    frame.numbers.textContent = state.more ?? "";
    frame.more.hidden = !state.more;
  };
  const show = () => {
    const shown = { ...state, settings: { ...state.settings, ...sent, ...next } }; // no control jumps back
    for (const control of controls) control.update(shown, alive);
    menu.update(shown, alive);
    spots?.(state, alive);
    extra?.update(state, alive);
  };
  const announce = () => { // only when the hand rests
    clearTimeout(pause);
    pause = setTimeout(() => { if (told !== state.sentence) frame.heard.textContent = told = state.sentence; }, PAUSE);
  };
  const update = (change) => {
    const drawn = change.sheet !== undefined && change.sheet !== state.sheet;
    state = { ...state, ...change };
    const left = next;
    sent = next = null;
    clearTimeout(patience);
    say(alive ? "" : notes.again);
    if (left && alive) move(left);
    if (drawn || change.sentence !== undefined) draw();
    show();
    announce();
  };

  const watcher = new ResizeObserver(fit);
  watcher.observe(element);
  watcher.observe(frame.controls);
  window.addEventListener("resize", fit);
  draw();
  show();
  fit();
  return {
    update,
    alive: (now) => {
      if (state.local && !now) return;
      alive = now;
      sent = next = null;
      clearTimeout(patience);
      say(alive ? "" : notes.again);
      show();
    },
    destroy: () => {
      clearTimeout(patience);
      clearTimeout(pause);
      watcher.disconnect();
      window.removeEventListener("resize", fit);
      extra?.destroy?.();
      frame.root.remove();
    },
  };
}
