// Lets every slide fit its sheet of 1920 x 1080: smaller print down to a limit, and beyond it a further slide.

const SIZES = [56, 52, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30]; // px of the text; the smallest print on a slide is 0.8 of it, or 24
const BESIDE = 36; // px of the text beside a picture, which needs the place
const LEGIBLE = 24; // px of the smallest print in a picture
const LEAST_FORMULA = 29; // px of a formula that stands alone
const HIGHEST = 900; // px of a picture
const TEXT = "words"; // the class of what a notebook says in Markdown

/** Turn the cells of a slide into pieces that can go to another slide, each with the step at which it is shown. */
export function cut(section) {
  const content = document.createElement("div");
  content.className = "content";
  for (const block of [...section.children]) {
    const words = block.querySelector(`:scope > .${TEXT}`);
    const pieces = words ? [...words.children].flatMap(splitList) : [block];
    for (const piece of pieces) {
      piece.classList.add("piece");
      if (block.dataset.step) {
        piece.classList.add("fragment");
        piece.dataset.fragmentIndex = block.dataset.step;
      }
    }
    content.append(...pieces);
  }
  section.append(content);
  for (const block of section.querySelectorAll(":scope > .block")) block.remove();
  prepare(section);
  if (!content.querySelector(":scope > :is(h1, h2, h3)") && section.dataset.kind === "plain") addHeading(section, content);
}

/** Open the code, which the style sheet hides, and give each picture the height that its print needs. */
export function prepare(section) {
  for (const code of section.querySelectorAll("details.code")) code.open = true;
  for (const figure of section.querySelectorAll("figure[data-print]")) figure.style.minHeight = heightOf(figure);
  for (const place of section.querySelectorAll(".waiting")) { // what waits keeps its place
    const figure = place.querySelector("template").content.querySelector("figure[data-print]");
    if (figure) place.style.minHeight = heightOf(figure);
  }
}

/** The height at which the smallest print of a picture is legible. */
function heightOf(figure) {
  const height = Number(figure.dataset.size.split(" ")[1]);
  return `${Math.min(HIGHEST, (height * LEGIBLE) / figure.dataset.print)}px`;
}

/** A list goes to another slide item by item. */
function splitList(list) {
  if (!/^(OL|UL)$/.test(list.tagName)) return [list];
  const start = Number(list.getAttribute("start") ?? 1);
  return [...list.children].map((item, i) => {
    const one = list.cloneNode(false);
    if (list.tagName === "OL") one.setAttribute("start", start + i);
    one.append(item);
    return one;
  });
}

function addHeading(section, content) {
  const heading = document.createElement("p");
  heading.className = "kicker";
  heading.textContent = section.dataset.heading;
  if (section.dataset.heading) content.prepend(heading);
}

/** On a further slide the heading stands once more, with its formulas. */
function repeatHeading(content, from) {
  const heading = document.createElement("p");
  heading.className = "kicker";
  heading.innerHTML = from.querySelector(":scope > :is(h1, h2, h3, .kicker)")?.innerHTML ?? "";
  content.prepend(heading);
}

const contentOf = (section) => section.querySelector(":scope > .content");

export function fits(section) {
  const content = contentOf(section);
  const inside = content.scrollHeight <= content.clientHeight + 1 && content.scrollWidth <= content.clientWidth + 1;
  return inside && [...content.querySelectorAll('mjx-container[display="true"] > svg')].every(isLegible);
}

/** A wide formula is made smaller, but not too small; 1000 units of its drawing are the height of its letters. */
function isLegible(formula) {
  const { width } = formula.viewBox.baseVal;
  return !width || (1000 * formula.clientWidth) / width >= LEAST_FORMULA;
}

/** Choose the largest print with which all of a slide is seen; say whether there is one. */
export function fit(section) {
  const most = section.querySelector(".piece :is(figure, .waiting[style])") ? BESIDE : SIZES[0];
  for (const size of SIZES.filter((one) => one <= most)) {
    section.style.fontSize = `${size}px`;
    if (fits(section)) return true;
  }
  return false;
}

/** Let a slide fit, if need be as several slides, and return them. */
export function fitOrSplit(section) {
  if (fit(section)) return [section];
  const all = [section];
  while (!fit(all.at(-1))) {
    const rest = overflow(all.at(-1));
    if (!rest) break;
    all.push(rest);
  }
  balance(all);
  all.forEach((one, i) => { one.dataset.page = i; fit(one); });
  return all;
}

/** Move what does not fit at the smallest print to a new slide. */
function overflow(section) {
  const content = contentOf(section), pieces = [...content.children], bottom = content.getBoundingClientRect().top + content.clientHeight;
  const first = pieces.findIndex((piece, i) => i > 1 && piece.getBoundingClientRect().bottom > bottom + 1);
  if (first < 2) return null;
  const next = section.cloneNode(false), inner = content.cloneNode(false);
  next.append(inner);
  next.removeAttribute("style");
  section.after(next);
  inner.append(...pieces.slice(first));
  calm(inner);
  repeatHeading(inner, content);
  return next;
}

/** The first step of a slide needs no further click. */
function calm(content) {
  const [first] = content.children, step = first?.dataset.fragmentIndex;
  if (step === undefined) return;
  for (const piece of content.querySelectorAll(`:scope > [data-fragment-index="${step}"]`)) {
    piece.classList.remove("fragment");
    delete piece.dataset.fragmentIndex;
  }
}

/** Of two slides the second one gets about half, so that no line is left alone. */
function balance(sections) {
  for (let i = sections.length - 1; i > 0; i -= 1) {
    const [before, after] = [contentOf(sections[i - 1]), contentOf(sections[i])];
    const height = (content) => [...content.children].reduce((sum, piece) => sum + piece.offsetHeight, 0);
    for (;;) {
      const last = before.lastElementChild;
      if (before.children.length < 3 || height(after) + last.offsetHeight > height(before) - last.offsetHeight) break;
      after.querySelector(":scope > .kicker")?.after(last) ?? after.prepend(last);
      last.classList.remove("fragment");
    }
  }
}
