// Moves one control of an explorer, and its like in the usual way, and times the pictures that follow.

const LONGEST = 3000, HELD = 1000; // ms

/** The two outputs: the explorer, and the usual way. */
const outputs = () => [...document.querySelectorAll(".jp-Cell-outputArea")].slice(0, 2);

/** What is seen: the picture's source, or what it is drawn of. */
const seen = (output) => output.querySelector(".jp-OutputArea-output img")?.src ?? output.querySelector(".dpteach-picture > svg")?.innerHTML;

function ourInput(output, { name, label }) {
  const boxes = [...output.querySelectorAll(".dpteach-control")];
  const box = boxes.find((one) => one.querySelector("label, div")?.textContent.startsWith(label) || one.getAttribute("aria-label") === label);
  if (!box) return output.querySelector(`.dpteach-handle.dpteach-${name}`);
  return box.querySelector("input[type=range], select, input[type=checkbox]") ?? box.querySelector("button") ?? box.querySelector("input");
}

function usualInput(output, { place }) {
  const box = [...output.querySelectorAll(".widget-vbox > .widget-inline-hbox")][place];
  return box?.querySelector(".noUi-handle, select, input[type=checkbox], input[type=text]");
}

const isSlider = (input) => input.matches("input[type=range], .noUi-handle, [role=slider]");

/** One step along a slider, back from its end. */
function step(input) {
  const now = Number(input.getAttribute("aria-valuenow") ?? input.value), high = Number(input.getAttribute("aria-valuemax") ?? input.max);
  const low = Number(input.getAttribute("aria-valuemin") ?? input.min), reach = (high - low) / 1000;
  if (now >= high - reach) input.backwards = true;
  if (now <= low + reach) input.backwards = false;
  input.dispatchEvent(new KeyboardEvent("keydown", { key: input.backwards ? "ArrowDown" : "ArrowUp", bubbles: true, cancelable: true }));
}

function act(input, texts) {
  const change = () => ["input", "change"].forEach((kind) => input.dispatchEvent(new Event(kind, { bubbles: true })));
  if (isSlider(input)) return step(input);
  if (input.matches("select")) {
    input.selectedIndex = (input.selectedIndex + 1) % input.options.length;
    return change();
  }
  if (input.matches("button, input[type=checkbox]")) return input.click();
  input.value = texts.find((text) => text !== input.value);
  change();
}

/** Moves a control and returns after how many milliseconds a new picture stands; null if none came. */
function timed(output, find, texts) {
  const old = seen(output), input = find();
  return new Promise((resolve) => {
    const check = async () => {
      const now = seen(output);
      if (!now || now === old) return;
      stop();
      await output.querySelector(".jp-OutputArea-output img")?.decode().catch(() => null);
      requestAnimationFrame(() => resolve(performance.now() - start));
    };
    const observer = new MutationObserver(check), patience = setTimeout(() => { stop(); resolve(null); }, LONGEST);
    const stop = () => { observer.disconnect(); clearTimeout(patience); };
    observer.observe(output, { subtree: true, childList: true, attributes: true, characterData: true });
    const start = performance.now();
    act(input, texts);
  });
}

/** Holds a key down, a step in every frame, and returns how many pictures a second are seen. */
function held(output, find) {
  if (!isSlider(find())) return null;
  return new Promise((resolve) => {
    const start = performance.now();
    let pictures = 0, last = seen(output);
    const frame = () => {
      const now = seen(output);
      if (now && now !== last) [pictures, last] = [pictures + 1, now];
      if (performance.now() - start > HELD) return resolve((1000 * pictures) / (performance.now() - start));
      step(find());
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

const quiet = (ms) => new Promise((done) => setTimeout(done, ms));

/** Returns both ways to the settings at the start, at which every control does something. */
async function restored() {
  for (const output of outputs()) [...output.querySelectorAll("button")].find((button) => button.textContent === "reset").click();
  await quiet(2000);
}

window.dpteachRace = async (asked) => {
  await restored();
  const [ours, usual] = outputs(), finders = [() => ourInput(ours, asked), () => usualInput(usual, asked)];
  if (!finders.every((find) => find())) return null;
  const times = [[], []], pictures = [];
  for (let move = 0; move < asked.moves; move += 1) {
    for (const way of [0, 1]) times[way].push(await timed([ours, usual][way], finders[way], asked.texts));
  }
  for (const way of [0, 1]) {
    pictures.push(await held([ours, usual][way], finders[way]));
    await quiet(1500); // what is still under way would slow down the next one
  }
  return { times, held: pictures };
};
