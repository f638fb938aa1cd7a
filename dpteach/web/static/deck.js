// The slides of a lecture: reveal.js turns them; questions, explorers, pen and the lecturer's window are ours.

import { Asked } from "./asked.js";
import { cut, fit, fitOrSplit, prepare } from "./fit.js";
import { data, enliven, root, server, tell, wake } from "./live.js";
import { pen as newPen } from "./pen.js";
import { printAll } from "./print.js";
import question from "./question.js";
import Reveal from "./reveal/dist/reveal.esm.js";

const SIZE = { width: 1920, height: 1080 };
const ONE_CLASS = 12 * 3600 * 1000; // ms after which a question is asked anew
const query = new URLSearchParams(location.search);
const slides = document.querySelector(".slides");
const facts = data.deck;
const sections = () => [...slides.querySelectorAll(":scope > section")];
const make = (name, className, parent, text) => {
  const node = Object.assign(document.createElement(name), { className });
  if (text !== undefined) node.textContent = text;
  parent?.append(node);
  return node;
};

// --------------------------------------------------------------------------------- what is kept when the window is left

const KEPT = `dpteach-deck-${facts.name}`;
const kept = { at: "", when: 0, answers: {}, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
if (Date.now() - kept.when > ONE_CLASS) kept.answers = {};
const keep = (change) => {
  Object.assign(kept, change, { when: Date.now() });
  if (!query.has("print")) localStorage.setItem(KEPT, JSON.stringify(kept));
};
server.token = query.get("token") ?? sessionStorage.getItem("dpteach-token") ?? "";
if (server.token) sessionStorage.setItem("dpteach-token", server.token);

// ------------------------------------------------------------------------------------------------------ questions

const asked = {};
const typeset = (node) => window.MathJax?.typesetPromise?.([node]);

function askAll() {
  for (const place of slides.querySelectorAll("[data-question]")) {
    const name = place.dataset.question;
    const memory = { read: () => (query.has("print") ? {} : kept.answers[name] ?? {}), write: (answer) => keep({ answers: { ...kept.answers, [name]: answer } }) };
    const model = (asked[name] = new Asked(data.questions[name], memory));
    place.replaceChildren();
    place.dataset.preventSwipe = "";
    question.render({ model, el: place });
    model.on("change:told", () => answered(name));
    new ResizeObserver(() => refit(place.closest("section"))).observe(place);
  }
}

/** Show what has waited for an answer; after a new start, everything waits again. */
async function answered(name) {
  for (const place of slides.querySelectorAll(`.waiting[data-after="${CSS.escape(name)}"]`)) {
    const section = place.closest("section"), inner = place.querySelector("template").content;
    if (!asked[name].isAnswered) continue;
    place.replaceWith(inner);
    prepare(section);
    delete section.dataset.waits;
    await typeset(section);
    section.dataset.changed = "";
  }
  if (Reveal.isReady()) enter(Reveal.getCurrentSlide());
}

/** The answer of the question on this slide, or of the one that this slide waits for. */
function reveal() {
  const { asks, waits } = Reveal.getCurrentSlide().dataset;
  asked[asks ?? waits]?.send({ do: "reveal" });
}

// --------------------------------------------------------------------------------------------------------- slides

const isShown = (section) => section.offsetWidth > 0;

function refit(section) {
  if (!isShown(section) || section.dataset.kind === "explorer") return;
  fit(section);
}

slides.addEventListener("click", (event) => { // from what waits to its question
  const waits = event.target.closest(".waiting a") && event.target.closest(".waiting").dataset.after;
  if (!waits) return;
  event.preventDefault();
  go(sections().find((section) => section.dataset.asks === waits));
});

/** Make a slide ready that is seen now. */
function enter(section) {
  if (!section) return;
  section.querySelectorAll(".explorer").forEach((place) => { place.dataset.preventSwipe = ""; });
  if (enlivenIn(section) || "changed" in section.dataset) refit(section);
  delete section.dataset.changed;
  footer(section);
  drawing.turn(idOf(section));
  keep({ at: idOf(section) });
  section.querySelector(".dpteach-ask")?.focus({ preventScroll: true });
  tellLecturer();
}

function enlivenIn(section) {
  const before = section.querySelectorAll("[data-explorer]").length;
  if (before) enliven(section, "slide");
  return before;
}

const idOf = (section) => `${section.dataset.slide}.${section.dataset.page ?? 0}`;
const partOf = (section) => facts.parts.find((part) => part.number === Number(section.dataset.part));

const foot = make("div", "foot");
function footer(section) {
  const part = partOf(section), all = sections(), name = part.number > 0 && part.number < 6 ? `${part.number}. ${part.name}` : part.name;
  foot.replaceChildren();
  make("span", "", foot, name);
  make("span", "", foot, `${all.indexOf(section) + 1} / ${all.length}`);
}

const titleOf = (section) => {
  if (section.dataset.asks) return `Question ${section.dataset.asks}`;
  const head = section.querySelector("h1, h2, h3")?.textContent;
  const explorer = section.querySelector(".dpteach-question, .still-question")?.textContent;
  return head ?? explorer ?? `${section.dataset.heading}, continued`;
};

// ---------------------------------------------------------------------------------------------- menus over the slides

const panels = {};

function panel(name, build) {
  const known = panels[name];
  if (known) return toggle(known);
  for (const other of Object.values(panels)) other.hidden = true;
  const node = (panels[name] = make("div", `panel ${name}`, document.body));
  node.setAttribute("role", "dialog");
  build(node);
  node.querySelector("button, textarea, a")?.focus();
}

function toggle(node) {
  const open = node.hidden;
  for (const other of Object.values(panels)) other.hidden = true;
  node.hidden = !open;
  if (open) node.querySelector("textarea, button")?.focus();
  else document.activeElement?.blur();
}

const close = () => {
  for (const node of Object.values(panels)) node.hidden = true;
  document.activeElement?.blur();
};

function contents() {
  panels.contents?.remove();
  delete panels.contents;
  panel("contents", (node) => {
    make("h2", "", node, "Go to");
    for (const part of facts.parts) {
      const own = sections().filter((section) => Number(section.dataset.part) === part.number);
      const box = make("div", "part", node);
      make("h3", "", box, part.number > 0 && part.number < 6 ? `${part.number}. ${part.name}` : part.name);
      for (const section of own) {
        const button = make("button", "", box, titleOf(section));
        button.addEventListener("click", () => { close(); go(section); });
      }
    }
    const anew = make("button", "anew", node, "Start the lecture anew: all questions unanswered");
    anew.addEventListener("click", () => { localStorage.removeItem(KEPT); localStorage.removeItem(`dpteach-clock-${facts.name}`); location.reload(); });
  });
}

const go = (section) => Reveal.slide(sections().indexOf(section));

const HELP = [
  ["→ ← space, PageUp PageDown, clicker, swipe", "further, back"],
  ["1 to 4", "choose in a question"],
  ["R", "show the answer of the question"],
  ["S", "the lecturer's window: next slide, notes, clock"],
  ["C", "show the code, hide it"],
  ["P, E", "pen on and off; wipe off what was drawn"],
  ["B", "black screen"],
  ["M", "go to a slide"],
  ["W", "what if: run some code (only with start.py present)"],
  ["F, Esc", "full screen; leave it, leave a slider"],
];

const help = () => panel("help", (node) => {
  make("h2", "", node, "Keys");
  const table = make("table", "", node);
  for (const [keys, what] of HELP) {
    const row = make("tr", "", table);
    make("th", "", row, keys);
    make("td", "", row, what);
  }
  make("button", "", node, "close").addEventListener("click", close);
});

// ------------------------------------------------------------------------------------------------------- what if

const whatIf = () => panel("what-if", (node) => {
  make("h2", "", node, "What if …");
  if (!server.token) return void make("p", "", node, "To run code during a lecture, start it with: python3 start.py present");
  const code = Object.assign(make("textarea", "", node), { rows: 4, spellcheck: false, placeholder: "optimal(Guarantee(0.1), k=50).epsilon(1e-6)" });
  code.setAttribute("aria-label", "Python code");
  const said = make("div", "said", node), run = make("button", "", null, "run (Ctrl+Enter)");
  code.after(run);
  const act = async () => {
    said.textContent = "…";
    const outputs = await tell("run", { code: code.value }).catch((error) => [{ kind: "text", value: error.message }]);
    said.replaceChildren();
    for (const { kind, value } of outputs) {
      if (kind === "image") make("img", "", said).src = value;
      else if (kind === "html") make("div", "shown", said).innerHTML = value;
      else make("pre", "", said, value);
    }
    if (!outputs.length) said.textContent = "Done; nothing to show.";
  };
  run.addEventListener("click", act);
  code.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) { event.preventDefault(); act(); }
    if (event.key === "Escape") close();
  });
});

// ------------------------------------------------------------------------------------------- the lecturer's window

const channel = new BroadcastChannel(`dpteach-${facts.name}`);

function tellLecturer() {
  const section = Reveal.getCurrentSlide(), next = sections()[sections().indexOf(section) + 1];
  channel.postMessage({
    kind: "now", id: idOf(section), at: sections().indexOf(section), all: sections().length, part: partOf(section), parts: facts.parts,
    steps: section.querySelectorAll(".fragment:not(.visible)").length, now: section.outerHTML, next: next?.outerHTML ?? "",
    notes: facts.notes[section.dataset.slide], black: Reveal.isPaused(), title: document.title, name: facts.name,
  });
}

const openLecturer = () => window.open(`${root}static/lecturer.html?${facts.name}`, "dpteach-lecturer", "popup,width=1400,height=860");

const ORDERS = { next: () => Reveal.next(), prev: () => Reveal.prev(), reveal, black: () => Reveal.togglePause(), hello: () => {}, contents };
channel.onmessage = ({ data: { order } }) => {
  if (!(order in ORDERS)) return;
  ORDERS[order]();
  tellLecturer();
};

// ------------------------------------------------------------------------------------------------------ the keys

const letter = (name) => name.charCodeAt(0);
const KEYS = {
  C: () => document.body.classList.toggle("show-code"), S: openLecturer, P: () => document.body.classList.toggle("drawing", drawing.toggle()),
  E: () => drawing.wipe(), M: contents, W: whatIf, R: reveal, N: () => Reveal.next(),
};
const TURN = { PageDown: () => Reveal.next(), PageUp: () => Reveal.prev() };

function listen() {
  addEventListener("keydown", (event) => { // a clicker turns the slide, wherever the focus is
    const open = Object.values(panels).some((node) => !node.hidden);
    if (event.key === "Escape" && (open || document.activeElement !== document.body)) {
      event.stopPropagation();
      return close();
    }
    if (event.key === "?") { event.stopPropagation(); return help(); }
    if (!(event.key in TURN) || open) return;
    event.preventDefault();
    event.stopPropagation();
    TURN[event.key]();
  }, true);
}

// -------------------------------------------------------------------------------------------------------- the start

const drawing = newPen(slides, SIZE);
slides.append(foot);

async function start() {
  await window.MathJax.startup.promise;
  sections().forEach(cut);
  askAll();
  await typeset(slides);
  sections().forEach((section) => { if (section.dataset.kind !== "explorer") fitOrSplit(section); });
  if (query.has("print")) return printAll({ slides, sections: sections(), asked, data, query, enliven, titleOf, partOf, typeset, tell });
  for (const name of Object.keys(asked)) await answered(name);
  document.body.classList.remove("preparing");
  const keyboard = Object.fromEntries(Object.entries(KEYS).map(([key, act]) => [letter(key), act]));
  await Reveal.initialize({
    ...SIZE, margin: 0, minScale: 0.05, maxScale: 8, center: false, display: "flex", controls: false, progress: true, hash: false,
    transition: "none", backgroundTransition: "none", help: false, keyboard, touch: true, viewDistance: 2,
  });
  Reveal.on("slidechanged", ({ currentSlide }) => enter(currentSlide));
  for (const event of ["fragmentshown", "fragmenthidden", "paused", "resumed"]) Reveal.on(event, tellLecturer);
  listen();
  const last = sections().find((section) => idOf(section) === kept.at);
  if (last) go(last);
  enter(Reveal.getCurrentSlide());
  if (!server.token) setTimeout(wake, 1500);
  document.documentElement.dataset.deck = "ready";
}

Object.assign(window, { Reveal });
start();
