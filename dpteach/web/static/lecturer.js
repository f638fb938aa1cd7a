// The lecturer's window: this slide and the next one, notes, expected mistakes, and a clock. Keys work here too.

const name = location.search.slice(1);
const channel = new BroadcastChannel(`dpteach-${name}`);
const at = (id) => document.getElementById(id);
const KEYS = {
  ArrowRight: "next", ArrowDown: "next", PageDown: "next", " ": "next", n: "next", ArrowLeft: "prev", ArrowUp: "prev", PageUp: "prev",
  r: "reveal", b: "black", ".": "black", m: "contents",
};
const send = (order) => channel.postMessage({ order });

addEventListener("keydown", (event) => {
  const order = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!order || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  send(order);
});
for (const button of document.querySelectorAll("[data-order]")) button.addEventListener("click", () => send(button.dataset.order));

/** A slide, as large as its place. */
function mirror(place, html, whole) {
  place.innerHTML = html ? `<div class="reveal"><div class="slides">${html}</div></div>` : "<p>The end.</p>";
  const section = place.querySelector("section");
  if (!section) return;
  section.removeAttribute("hidden");
  section.inert = true;
  section.classList.add("present");
  if (whole) for (const step of section.querySelectorAll(".fragment")) step.classList.add("visible");
  place.style.setProperty("--scale", place.clientWidth / 1920);
}

let part = null;
channel.onmessage = ({ data }) => {
  if (data.kind !== "now") return;
  part = data.part;
  mirror(at("now"), data.now, false);
  mirror(at("next"), data.next, true);
  at("notes").innerHTML = data.notes || "<p>No notes to this slide.</p>";
  window.MathJax?.typesetPromise?.([at("notes")]);
  const steps = data.steps ? `, ${data.steps} more to show` : "";
  at("place").textContent = `${part.number}. ${part.name} · slide ${data.at + 1} of ${data.all}${steps}${data.black ? " · black" : ""}`;
  at("part-plan").textContent = part.minutes ? `${part.minutes} min` : "–";
  at("total-plan").textContent = `${data.parts.reduce((sum, one) => sum + one.minutes, 0)} min`;
  document.documentElement.dataset.at = data.id;
  show();
};

// ------------------------------------------------------------------------------------------------------- the clock

const KEPT = `dpteach-clock-${name}`;
const clock = { parts: {}, runs: false, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}"), runs: false };
const written = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function show() {
  const own = clock.parts[part?.number] ?? 0;
  at("part-time").textContent = written(own);
  at("total-time").textContent = written(Object.values(clock.parts).reduce((a, b) => a + b, 0));
  at("part-time").classList.toggle("late", Boolean(part?.minutes) && own > 60 * part.minutes);
  at("run").textContent = clock.runs ? "stop the clock" : "start the clock";
}

let since = performance.now();
setInterval(() => {
  const now = performance.now(), passed = (now - since) / 1000;
  since = now;
  if (!clock.runs || !part) return;
  clock.parts[part.number] = (clock.parts[part.number] ?? 0) + passed;
  localStorage.setItem(KEPT, JSON.stringify(clock));
  show();
}, 500);
at("run").addEventListener("click", () => { clock.runs = !clock.runs; at("run").blur(); show(); });
at("zero").addEventListener("click", () => { clock.parts = {}; localStorage.removeItem(KEPT); at("zero").blur(); show(); });
addEventListener("resize", () => document.querySelectorAll(".mirror").forEach((place) => place.style.setProperty("--scale", place.clientWidth / 1920)));

send("hello");
