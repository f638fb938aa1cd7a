// The handout: a page for each slide, every question without its answer, and all answers at the end.

import { cut, fit, fitOrSplit, prepare } from "./fit.js";

const page = (section, slides) => {
  slides.append(section);
  return section;
};

/** A page for the live question, which is going to be answered; its own page keeps a copy that is not. */
function answerPage(section) {
  const live = section.querySelector(".question"), made = section.cloneNode(true);
  live.replaceWith(live.cloneNode(true));
  made.querySelector(".question").replaceWith(live);
  return made;
}

/** What the lecturer knows of a slide. */
function notesPage(section, notes) {
  const made = document.createElement("section");
  Object.assign(made.dataset, { kind: "plain", heading: `Notes to: ${section.dataset.heading}`, slide: section.dataset.slide });
  made.innerHTML = `<div class="block"><div class="words">${notes}</div></div>`;
  cut(made);
  return made;
}

export async function printAll({ slides, sections, asked, data, query, enliven, titleOf, typeset, tell }) {
  document.documentElement.classList.add("print");
  const gated = sections.filter((section) => section.dataset.waits), seen = sections.filter((section) => !section.dataset.waits);
  const notes = query.get("print") === "notes" ? data.deck.notes : [];
  for (const section of gated) section.remove();
  const told = new Set();
  for (const section of seen) {
    page(section, slides);
    const number = section.dataset.slide, isLast = section.nextElementSibling?.dataset.slide !== number;
    if (notes[number] && !told.has(number) && isLast) {
      told.add(number);
      const made = page(notesPage(section, notes[number]), slides);
      await typeset(made);
      fitOrSplit(made);
    }
  }
  for (const section of seen.filter((one) => one.dataset.asks)) {
    const name = section.dataset.asks, answer = page(answerPage(section), slides);
    asked[name].send({ do: "reveal" });
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 30)); // formulas in answers are drawn a frame later
    await typeset(answer);
    fit(answer);
    for (const waits of gated.filter((one) => one.dataset.waits === name)) {
      page(waits, slides);
      for (const place of waits.querySelectorAll(".waiting")) place.replaceWith(place.querySelector("template").content);
      prepare(waits);
      await typeset(waits);
      if (waits.dataset.kind !== "explorer") fitOrSplit(waits);
    }
  }
  const all = [...slides.querySelectorAll(":scope > section")];
  for (const section of all) enliven(section, "slide");
  all.forEach((section, i) => {
    const foot = Object.assign(document.createElement("div"), { className: "foot" });
    foot.innerHTML = `<span></span><span>${i + 1} / ${all.length}</span>`;
    foot.firstChild.textContent = document.title.split(" · ")[0];
    section.append(foot);
  });
  for (const node of document.querySelectorAll(".pen, .slides > .foot")) node.remove();
  await Promise.all([...document.querySelectorAll("img:not(.hold)")].map((image) => image.decode().catch(() => {})));
  document.body.classList.remove("preparing");
  document.documentElement.dataset.deck = "ready";
  document.documentElement.dataset.pages = all.length;
  await tell("ready", { pages: all.length });
}
