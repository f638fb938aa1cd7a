// What makes explorers live: a Python that answers, in this browser or on a server, and the explorers of the page.

import { mount } from "./explorer.js";

const unpackedOnce = () => {
  const text = document.getElementById("data")?.textContent;
  return text ? JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))) : {};
};

export const root = new URL(document.body.dataset.root, document.baseURI).href;
export const data = unpackedOnce(); // packed, so that no answer stands in the page's text
export const server = { token: "" }; // who presents a lecture has a Python of their own, which needs no loading

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

export async function wake() {
  if (python.worker || python.failed || server.token) return;
  python.since = performance.now();
  document.documentElement.dataset.python = "loading";
  try {
    python.worker = new Worker(`${root}static/worker.js`, { type: "module" });
  } catch (error) {
    return fail(error.message);
  }
  python.worker.onmessage = heard;
  python.worker.onerror = (event) => fail(event.message);
  const needs = data.python ?? (await (await fetch(`${root}static/python.json`)).json());
  python.worker.postMessage({ do: "start", root, ...needs });
}

const tellAsked = () => { document.documentElement.dataset.asked = String(python.waiting.size); }; // for whoever waits

function ask(request, then) {
  if (server.token) return void tell("answer", request).then(then, (error) => say(`Nobody answers any more (${error.message}): start present again.`));
  wake();
  if (python.failed) return;
  const id = (python.number += 1);
  python.waiting.set(id, then);
  tellAsked();
  python.worker.postMessage({ do: "answer", id, ...request });
}

/** Ask the program that presents the lecture. */
export async function tell(what, request) {
  const headers = { "Content-Type": "application/json", "X-Token": server.token };
  const answer = await fetch(`${root}${what}`, { method: "POST", headers, body: JSON.stringify(request) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// ------------------------------------------------------------------------------------------------------ explorers

const views = [];
const stored = {}; // by explorer: what it shows at its presets, computed when the site was built
const presetsOf = (name) => (stored[name] ??= server.token ? Promise.resolve({}) : fetch(`${root}static/explorers/${name}.json`).then((file) => (file.ok ? file.json() : {})).catch(() => ({})));

const isSet = (preset, settings) => Object.keys(preset).every((name) => preset[name] === settings[name]);

/** Put an explorer in its place; form "slide" is for slides. */
export function explorer(place, form = "") {
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
  return view;
}

/** Put all explorers of a part of the page in their places. */
export function enliven(where, form = "") {
  for (const place of where.querySelectorAll("[data-explorer]")) explorer(place, form);
  return views.length;
}
