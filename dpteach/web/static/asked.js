// A question on a page without a kernel: it knows what is said after each answer, and remembers answers.

/** What stands in for the kernel. `memory` has read() and write(state) with choice, revealed, hands. */
export class Asked {
  constructor(known, memory) {
    this.known = known;
    this.memory = memory;
    this.listeners = [];
    const { choice = null, revealed = false, hands = {} } = memory.read();
    Object.assign(this, { choice, revealed, hands });
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
    const { choice, revealed, hands } = this;
    this.memory.write({ choice, revealed, hands });
    for (const listener of this.listeners) listener();
  }
}
