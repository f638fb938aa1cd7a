// Makes a page live: theme, questions, explorers. Without it, everything can still be read.

import { Asked } from "./asked.js";
import { data, enliven, wake } from "./live.js";
import question from "./question.js";

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

/** The answer to a question, kept in this browser; that it was revealed is not kept. */
const answerOf = (name) => {
  const place = `dpteach-answer-${name}`;
  return {
    read: () => ({ choice: JSON.parse(localStorage.getItem(place) ?? "null") }),
    write: ({ choice }) => (choice === null ? localStorage.removeItem(place) : localStorage.setItem(place, JSON.stringify(choice))),
  };
};

function showWhatWaits(name) {
  for (const place of document.querySelectorAll(`.waiting[data-after="${CSS.escape(name)}"]`)) {
    const inner = place.querySelector("template").content;
    place.replaceWith(inner);
    enliven(document);
    typeset(document.getElementById("content"));
  }
}

for (const place of document.querySelectorAll("[data-question]")) {
  const name = place.dataset.question, model = new Asked(data.questions[name], answerOf(name));
  place.replaceChildren();
  question.render({ model, el: place });
  const follow = () => model.isAnswered && showWhatWaits(name);
  model.on("change:told", follow);
  addEventListener("load", follow);
}

// ------------------------------------------------------------------------------------------------------ explorers

const shown = enliven(document);
const spare = !navigator.connection?.saveData && shown > 0;
if (spare) addEventListener("load", () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(wake), 2500));
