// Shows an explorer: question, controls, picture, sentence. No library, no request. In the browser this file follows
// sheet.js and controls.js in one module (`script` in live.py), and what an explorer adds follows it.
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
const NARROW = 560; // pixels: on less, two panels stand over each other
const IN_NOTEBOOK = { // what a reader is told when nobody answers
  again: "This picture no longer moves: run this cell again.",
  busy: "No answer yet: the kernel is busy, or gone. If it stays so, run this cell again.",
};
const extras = {}; // what some explorers add: by name, { build(frame, …) } which returns { update(state) }
let mounted = 0;

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
  let narrow = false, spread = [1, 1]; // of the places to click on, where the panels are moved

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

  const controls = first.controls.map((control) => controlOf(control, `${id}-${control.name}`, move));
  const menu = menuOf(first, id, move);
  frame.controls.append(...controls.map((control) => control.node), menu.node);
  const extra = first.extra ? extras[first.extra].build(frame, { state, move, id }) : null;
  const svg = first.local ? null : document.createElementNS("http://www.w3.org/2000/svg", "svg");
  if (svg) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-labelledby", `${id}-question`);
    svg.setAttribute("aria-describedby", `${id}-caption`);
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
    if (narrow !== frame.root.clientWidth < NARROW) draw(), show();
    const column = frame.figure.getBoundingClientRect(), picture = frame.picture.getBoundingClientRect();
    const beside = frame.controls.getBoundingClientRect().top <= column.top + 1;
    const above = beside ? column.top - frame.root.getBoundingClientRect().top : frame.root.offsetHeight - column.height;
    const rest = column.height - picture.height - (frame.more.open ? frame.numbers.offsetHeight : 0);
    const height = Math.max(LEAST, viewHeight(element) - above - rest - 24);
    const largest = LARGEST * (state.sheet?.size[0] ?? 540);
    const width = narrow ? Math.max(height * ratio, 400) : Math.min(height * ratio, largest); // a narrow page scrolls
    frame.picture.style.width = `min(100%, ${Math.round(width)}px)`;
  };
  const caption = (sentence) => { // on a slide as much as two lines hold; all of it for screen readers
    frame.caption.textContent = form === "slide" ? "" : sentence;
    if (form !== "slide") return;
    html("span", { "aria-hidden": "true" }, frame.caption, shortened(sentence));
    html("span", { class: "dpteach-heard" }, frame.caption, sentence);
  };
  const draw = () => {
    if (svg && state.sheet) {
      narrow = form !== "slide" && frame.root.clientWidth < NARROW;
      const sheet = narrow && state.sheet.panels.length === 2 ? stacked(state.sheet) : state.sheet, [width, height] = sheet.size;
      spread = [state.sheet.size[0] / width, state.sheet.size[1] / height];
      ratio = width / height;
      frame.picture.style.aspectRatio = `${width} / ${height}`;
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.innerHTML = paint(sheet, id, form === "slide" ? LEGIBLE / pitch : 0);
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
    spots?.(state, alive, spread);
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
