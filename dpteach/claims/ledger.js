// The ledger becomes searchable: one module for JupyterLab, exported notebooks and the page of `claims --html`.
// Without it every row is there and every card opens; with it there are filters, and an id opens its card.
(() => {
  const FILTERS = { source: "Source", verdict: "Verdict", kind: "Kind", lecture: "Lecture" };
  const ALL = "";
  let made = 0; // so that labels of two ledgers on one page do not meet

  function add(parent, name, className = "", text = "") {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (text) node.textContent = text;
    parent.append(node);
    return node;
  }

  /** A control with its label above it. */
  function labelled(parent, name, label, control) {
    const box = add(parent, "div", `dpteach-filter dpteach-by-${name}`);
    const id = `dpteach-ledger-${made}-${name}`;
    add(box, "label", "", label).htmlFor = id;
    control.id = id;
    box.append(control);
    return control;
  }

  /** Keep JupyterLab's shortcuts away from what has the focus: "b" in a list of choices is no command. */
  function keepKeys(root) {
    const controls = root.querySelectorAll("button, input, select, summary, a");
    controls.forEach((control) => control.setAttribute("data-lm-suppress-shortcuts", "true"));
  }

  function wordsOf(input) {
    return input.value.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** All values of a filter, in the order in which they first appear; lectures by number. */
  function valuesOf(claims, name) {
    const values = [...new Set(claims.flatMap((claim) => claim.dataset[name].split("|")))].filter(Boolean);
    return name === "lecture" ? values.sort() : values;
  }

  function choice(claims, name, titles) {
    const select = document.createElement("select");
    add(select, "option", "", "all").value = ALL;
    for (const value of valuesOf(claims, name)) {
      add(select, "option", "", titles[value] ? `${value}: ${titles[value]}` : value).value = value;
    }
    return select;
  }

  /** Let the id be a button for the card, which is out of the way until it is asked for. */
  function openable(claim) {
    const name = claim.querySelector(".dpteach-id"), card = claim.querySelector(".dpteach-card");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name.textContent;
    button.title = "Open or close the card: evidence, where it is taught, what computes it";
    button.setAttribute("aria-controls", card.id);
    name.replaceChildren(button);
    const show = (open) => {
      card.hidden = !open;
      card.querySelector("details").open = open;
      button.setAttribute("aria-expanded", String(open));
    };
    button.addEventListener("click", () => show(card.hidden));
    card.querySelector("summary").addEventListener("click", (event) => {
      event.preventDefault();
      show(false);
      button.focus();
    });
    show(false);
    return show;
  }

  function enliven(root) {
    made += 1;
    root.classList.add("dpteach-live");
    const claims = [...root.querySelectorAll("tbody[data-words]")];
    const shows = new Map(claims.map((claim) => [claim.id, openable(claim)]));

    const form = document.createElement("form");
    form.setAttribute("role", "search");
    form.setAttribute("aria-label", "Search the claims");
    const words = labelled(form, "words", "Words", document.createElement("input"));
    words.type = "search";
    words.autocomplete = "off";
    words.spellcheck = false;
    const titles = JSON.parse(root.dataset.titles);
    const chosen = Object.entries(FILTERS).map(([name, label]) =>
      [name, labelled(form, name, label, choice(claims, name, titles))]);
    const clear = add(form, "button", "dpteach-clear", "Clear");
    clear.type = "button";
    const count = add(form, "p", "dpteach-count");
    count.setAttribute("role", "status");
    count.setAttribute("aria-live", "polite");

    const fits = (claim, sought) =>
      sought.every((word) => claim.dataset.words.includes(word)) &&
      chosen.every(([name, select]) => select.value === ALL || claim.dataset[name].split("|").includes(select.value));

    function filter() {
      const sought = wordsOf(words);
      const found = claims.filter((claim) => {
        claim.hidden = !fits(claim, sought);
        return !claim.hidden;
      });
      const none = found.length ? "" : ". Fewer words, or “all” in a filter, may help.";
      count.textContent = `${found.length} of ${claims.length} claims${none}`;
    }

    function showAll() {
      form.reset();
      filter();
    }

    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    clear.addEventListener("click", showAll);
    root.querySelector("table").before(form);
    keepKeys(root);
    filter();

    function follow() {
      const id = decodeURIComponent(location.hash.slice(1));
      if (!shows.has(id)) return;
      showAll();
      shows.get(id)(true);
      root.querySelector(`[id="${id}"]`).scrollIntoView();
    }
    addEventListener("hashchange", follow);
    follow();
  }

  document.querySelectorAll(".dpteach-ledger:not(.dpteach-live)").forEach(enliven);
})();
