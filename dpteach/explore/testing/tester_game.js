// The board of the game: the answers of the round, the buttons, the last verdict, the score. Python deals and counts.

const GUESSES = { 0: 0, ArrowLeft: 0, 1: 1, ArrowRight: 1 };

extras.game = {
  build(frame, { state, move }) {
    const board = html("div", { class: "dpteach-game", tabindex: 0, role: "group" }, frame.above);
    board.setAttribute("aria-label", "Guess with the keys 0 and 1, or left and right");
    const answers = html("div", { class: "dpteach-answers" }, board), buttons = html("div", { class: "dpteach-buttons" }, board);
    const feedback = html("div", { class: "dpteach-feedback", role: "status" }, board);
    const score = html("div", { class: "dpteach-score" }, board);
    let round = 0;
    const guess = (bit) => move({ do: "guess", bit, round });
    const button = (text, act, key) => {
      const node = html("button", { type: "button", class: key === undefined ? "" : "dpteach-guess" }, buttons, text);
      if (key !== undefined) html("kbd", { "aria-hidden": "true" }, node, String(key)), node.setAttribute("aria-keyshortcuts", key);
      node.addEventListener("click", act);
    };
    button("it was D0", () => guess(0), 0);
    button("it was D1", () => guess(1), 1);
    button(`play the best test ${state.many} times`, () => move({ do: "best" }));
    button("new game", () => move({ do: "next" }));
    board.addEventListener("keydown", (event) => {
      if (!(event.key in GUESSES) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) guess(GUESSES[event.key]);
    });
    const update = ({ board: now }, alive) => {
      round = now.round;
      answers.replaceChildren(html("span", {}, null, `Round ${round}, the answers:`));
      for (const bit of now.outputs) html("span", { class: `dpteach-answer${bit ? " dpteach-one" : ""}` }, answers, String(bit));
      if (feedback.textContent !== now.feedback) feedback.textContent = now.feedback;
      feedback.className = `dpteach-feedback dpteach-${now.verdict || "open"}`;
      score.textContent = now.score;
      for (const node of buttons.children) node.disabled = !alive;
    };
    return { update };
  },
};
