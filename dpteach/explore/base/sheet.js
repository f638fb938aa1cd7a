// Writes a sheet, as Python has recorded it, as SVG. No library, no request.

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

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

/** The same sheet with its two panels over each other, for narrow screens. */
function stacked(sheet) {
  const [width, height] = sheet.size, [one, two] = sheet.panels, { y } = two;
  const numbers = y.ticks.map(([, text]) => widthOf(String(text).split("\n"), y.size, false, y.mono));
  const room = two.shown ? Math.max(0, ...numbers) + (y.label ? 1.5 * y.labelSize : 0) + 14 : 0;
  const cut = two.box[0] - room, [left, low, across, up] = one.box;
  const key = one.key ? keyLayout(one.key, { left, low, across, up }) : { left: 0, width: 0 };
  const wide = Math.max(cut, width - cut, key.left + key.width);
  const moved = (panel, left, up) => ({ ...panel, box: [panel.box[0] + left, panel.box[1] + up, panel.box[2], panel.box[3]] });
  return { size: [wide, 2 * height], panels: [moved(one, 0, height), moved(two, -cut, 0)] };
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
  if (axis.small.length) {
    parts.push(tag("path", { d: axis.small.map((place) => notch(place, 2)).join(""), ...stroked("0", 0.6) }));
  }
  for (const [place, text] of ticks) {
    const look = { size, mono: axis.mono, ha: flat ? "center" : "right", va: flat ? "top" : "center" };
    const [x, y] = flat ? [at.x(place), at.low + axis.notch + 3] : [at.left - axis.notch - 3.5, at.y(place)];
    parts.push(words(text, x, y, look));
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
  const r = size / 2, at = ([a, b]) => `${(x + r * a).toFixed(2)},${(y + r * b).toFixed(2)}`;
  const to = (...points) => `M${points.map(at).join("L")}Z`;
  if (shape === "s") return to([-1, -1], [1, -1], [1, 1], [-1, 1]);
  if (shape === "D") return to([-1.414, 0], [0, -1.414], [1.414, 0], [0, 1.414]);
  if (shape === "v") return to([-1, -1], [1, -1], [0, 1]);
  if (shape === "X") {
    const quarter = [[-0.5, -1], [0, -0.5], [0.5, -1]], turned = ([a, b]) => [-b, a];
    const turns = [quarter];
    while (turns.length < 4) turns.push(turns.at(-1).map(turned));
    return to(...turns.flat());
  }
  return `M${(x - r).toFixed(2)},${y.toFixed(2)}a${r},${r} 0 1 0 ${size},0a${r},${r} 0 1 0 ${-size},0`;
}

function rimOf({ edge, rim, dash }, d, clip = {}) {
  return rim ? tag("path", { d, fill: "none", ...stroked(edge, rim, dash), ...clip }) : "";
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
  const line = (x0, y0, x1, y1) => `M${x0 * step},${y0 * step}L${x1 * step},${y1 * step}`;
  const up = line(0, 1, 1, 0) + line(-0.25, 0.25, 0.25, -0.25) + line(0.75, 1.25, 1.25, 0.75); // and the corners
  const down = line(0, 0, 1, 1) + line(-0.25, 0.75, 0.25, 1.25) + line(0.75, -0.25, 1.25, 0.25);
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
    const isDrawn = (i) => mark.x[i] !== null && mark.y[i] !== null;
    const one = (x, i) => (isDrawn(i) ? outline(mark.shape, at.x(x), at.y(mark.y[i]), size(i)) : "");
    return tag("path", { d: mark.x.map(one).join(""), ...filled(mark.fill), ...stroked(mark.edge, mark.rim), ...clipped(mark, at) });
  },
  area: (mark, at) => {
    if (new Set(mark.y).size === 1 || new Set(mark.x).size === 1) return ""; // a bar without a height has no rim either
    const d = `${way(mark, at)}Z`;
    const face = tag("path", { d, ...filled(mark.fill), ...clipped(mark, at) });
    return face + hatched(mark, at, d) + rimOf(mark, d, clipped(mark, at));
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

const KEY_PITCH = 1.5; // from one line of a legend to the next, in letters

/** Where the legend of a panel stands: columns of a sign and a name, in one corner of the panel or of a given point. */
function keyLayout(key, at) {
  const { size } = key, columns = split(key.entries, key.columns), before = (key.handle + key.pad) * size;
  const wide = columns.map((column) => before + Math.max(...column.map((entry) => widthOf([entry.words], size))));
  const width = wide.reduce((a, b) => a + b, 0) + ((wide.length - 1) * key.gap + 2 * key.border) * size;
  const height = (Math.max(...columns.map((column) => column.length)) * KEY_PITCH - 0.4 + 2 * key.border) * size;
  const [left, top] = keyCorner(key, at, width, height);
  return { columns, wide, width, height, left, top };
}

function paintKey(key, at) {
  const size = Math.max(key.size, leastSize), sign = key.handle * size, gap = key.pad * size, pitch = KEY_PITCH * size, border = key.border * size;
  const { columns, wide, width, height, left, top } = keyLayout(key, at);
  const look = { ...filled("1"), "fill-opacity": 0.85, ...stroked("0.8", 1) };
  const parts = key.frame ? [tag("rect", { x: left, y: top, width, height, rx: 3, ...look })] : [];
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
  if (look.kind === "dots") {
    const d = outline(look.shape, x + width / 2, y, look.size);
    return tag("path", { d, ...filled(look.fill), ...stroked(look.edge, look.rim) });
  }
  if (look.kind !== "area") return tag("path", { d: `M${x},${y}h${width}`, ...stroked(look.color, look.width, look.dash) });
  const d = `M${x},${y - 0.35 * size}h${width}v${0.7 * size}h${-width}Z`;
  return tag("path", { d, ...filled(look.fill) }) + hatched(look, at, d) + rimOf(look, d);
}
