// Makes a page live: theme, questions, explorers. Without it, everything can still be read.

import { mount } from "./explorer.js";
import question from "./question.js";

const root = new URL(document.body.dataset.root, document.baseURI).href;
const unpacked = (id) => {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))) : {};
};
const data = unpacked("data"); // packed, so that no answer stands in the page's text

// ------------------------------------------------------------------------------------------------------- the theme

const theme = document.getElementById("theme");
const setTheme = (name) => {
  document.documentElement.dataset.theme = name;
  theme.setAttribute("aria-pressed", String(name === "dark"));
};
setTheme(document.documentElement.dataset.theme);
theme.addEventListener("click", () => {
  const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("dpteach-theme", name);
  setTheme(name);
});

// ------------------------------------------------------------------------------------------------------ questions

const typeset = (node) => window.MathJax?.typesetPromise?.([node]);

/** What stands in for the kernel: it knows what is said after each answer, and remembers answers in this browser. */
class Asked {
  constructor(name, known) {
    this.known = known;
    this.place = `dpteach-answer-${name}`;
    this.hands = {};
    this.listeners = [];
    this.choice = JSON.parse(localStorage.getItem(this.place) ?? "null");
    this.revealed = false;
  }
  get isAnswered() { return this.revealed || this.choice !== null; }
  get told() {
    const found = this.choice === null ? this.known.unanswered : this.caseOf(this.choice);
    return { ...found[this.revealed ? "revealed" : "said"], choice: this.choice, hands: this.hands };
  }
  caseOf(given) { // of a number: the right one or a known slip, else whether it is too small or too large
    const { cases, within, asked } = this.known;
    if (asked.options.length) return cases[given - 1];
    const near = cases.find((one) => Math.abs(one.given - given) <= within * (1 + 1e-9));
    return near ?? cases[cases.length - (given > cases[0].given ? 1 : 2)];
  }
  get(name) { return { asked: this.known.asked, told: this.told, kept: {} }[name]; }
  on(_, listener) { this.listeners.push(listener); }
  off(_, listener) { this.listeners = this.listeners.filter((one) => one !== listener); }
  send(message) {
    if (message.do === "choose") this.choice = message.given;
    if (message.do === "reveal") this.revealed = true;
    if (message.do === "reset") [this.choice, this.revealed, this.hands] = [null, false, {}];
    if (message.do === "count") for (const round of ["before", "after"]) if (message[round]) this.hands[round] = message[round];
    if (this.choice === null) localStorage.removeItem(this.place);
    else localStorage.setItem(this.place, JSON.stringify(this.choice));
    for (const listener of this.listeners) listener();
  }
}

function showWhatWaits(name) {
  for (const place of document.querySelectorAll(`.waiting[data-after="${CSS.escape(name)}"]`)) {
    const inner = place.querySelector("template").content;
    place.replaceWith(inner);
    enliven(document);
    typeset(document.getElementById("content"));
  }
}

for (const place of document.querySelectorAll("[data-question]")) {
  const name = place.dataset.question, model = new Asked(name, data.questions[name]);
  place.replaceChildren();
  question.render({ model, el: place });
  const follow = () => model.isAnswered && showWhatWaits(name);
  model.on("change:told", follow);
  addEventListener("load", follow);
}

// --------------------------------------------------------------------------------------------------------- Python

const python = { worker: null, ready: false, failed: "", waiting: new Map(), since: 0, number: 0 };
const status = document.getElementById("python");
const NOTES = {
  again: "Python could not be started here, so this picture stays as it is.",
  busy: "Python is loading; the answer comes as soon as it is there.",
};

function say(words, share = null) {
  status.hidden = !words;
  status.textContent = words;
  if (share === null) return;
  const bar = document.createElement("progress");
  bar.setAttribute("aria-label", "Python is loading");
  [bar.max, bar.value] = [1, share];
  status.append(bar);
}

const MB = (bytes) => (bytes / 1e6).toFixed(1);

function heard({ data: message }) {
  const seconds = Math.round((performance.now() - python.since) / 1000);
  if (message.kind === "progress" && !python.ready) {
    const share = Math.min(1, message.loaded / message.bytes);
    say(share < 1 ? `Python is loading: ${MB(message.loaded)} of ${MB(message.bytes)} MB, ${seconds} s ` : `Python is starting, ${seconds} s `, share);
  }
  if (message.kind === "ready") {
    python.ready = true;
    document.documentElement.dataset.python = "ready";
    say("");
  }
  if (message.kind === "answer") {
    python.waiting.get(message.id)?.(message.change);
    python.waiting.delete(message.id);
    tellAsked();
  }
  if (message.kind === "failed") fail(message.words);
}

function fail(words) {
  python.failed = words || "it was blocked";
  python.worker?.terminate();
  document.documentElement.dataset.python = "failed";
  say(`Python could not be started in this browser (${python.failed}), so the pictures stay as they are; everything else works.`);
  for (const view of views) view.alive(false);
}

function wake() {
  if (python.worker || python.failed) return;
  python.since = performance.now();
  document.documentElement.dataset.python = "loading";
  try {
    python.worker = new Worker(`${root}static/worker.js`, { type: "module" });
  } catch (error) {
    return fail(error.message);
  }
  python.worker.onmessage = heard;
  python.worker.onerror = (event) => fail(event.message);
  python.worker.postMessage({ do: "start", root, ...data.python });
}

const tellAsked = () => { document.documentElement.dataset.asked = String(python.waiting.size); }; // for whoever waits

function ask(request, then) {
  wake();
  if (python.failed) return;
  const id = (python.number += 1);
  python.waiting.set(id, then);
  tellAsked();
  python.worker.postMessage({ do: "answer", id, ...request });
}

// ------------------------------------------------------------------------------------------------------ explorers

const views = [];
const stored = {}; // by explorer: what it shows at its presets, computed when the site was built
const presetsOf = (name) => (stored[name] ??= fetch(`${root}static/explorers/${name}.json`).then((file) => (file.ok ? file.json() : {})).catch(() => ({})));

const isSet = (preset, settings) => Object.keys(preset).every((name) => preset[name] === settings[name]);

function explorer(place, form = "") {
  const name = place.dataset.explorer, first = JSON.parse(place.dataset.settings), key = `${name}-${views.length}`;
  const state = data.explorers[place.dataset.state];
  place.removeAttribute("data-explorer");
  place.replaceChildren();
  let settings = state.settings;
  const send = async (moved) => {
    settings = { ...settings, ...moved };
    if (state.local) return;
    const preset = Object.keys(state.presets).find((one) => isSet(state.presets[one], settings));
    const known = preset && !python.ready && (await presetsOf(name))[preset];
    if (known) view.update(known);
    ask({ key, name, first, moved: settings }, (change) => {
      settings = change.settings;
      place.dpteachAnswers += 1;
      if (!known) view.update(change);
    });
  };
  const view = mount(place, { state, send, form, notes: NOTES });
  views.push(view);
  place.dpteachSettings = () => settings;
  place.dpteachAnswers = 0; // for whoever measures
  place.addEventListener("pointerenter", () => { presetsOf(name); wake(); }, { once: true });
  place.addEventListener("focusin", () => { presetsOf(name); wake(); }, { once: true });
}

function enliven(where) {
  for (const place of where.querySelectorAll("[data-explorer]")) explorer(place);
}

enliven(document);
const spare = !navigator.connection?.saveData && views.length > 0;
if (spare) addEventListener("load", () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(wake), 2500));
