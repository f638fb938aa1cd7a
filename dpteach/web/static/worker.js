// Python in the browser, one for all explorers of a page. It is told where the files are and how large they are.
//
//   in:  { do: "start", root, packages, bytes }    { do: "answer", id, key, name, first, moved }
//   out: { kind: "progress", loaded, bytes }  { kind: "ready" }  { kind: "answer", id, change }  { kind: "failed", id, words }

let loaded = 0, bytes = 0, told = 0, python = null;

// Whoever fetches anything, the bytes are counted on their way.
const fetchPlain = self.fetch.bind(self);
self.fetch = async (...asked) => {
  const response = await fetchPlain(...asked);
  if (!response.ok || !response.body) return response;
  const count = new TransformStream({
    transform(chunk, next) {
      loaded += chunk.byteLength;
      if (loaded - told > 200000) postMessage({ kind: "progress", loaded: (told = loaded), bytes });
      next.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(count), { status, statusText, headers });
};

async function start(message) {
  bytes = message.bytes;
  const { loadPyodide } = await import(`${message.root}pyodide/pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: `${message.root}pyodide/`, packages: message.packages });
  const wheel = await (await fetch(`${message.root}pyodide/${message.wheel}`)).arrayBuffer();
  pyodide.unpackArchive(wheel, "wheel"); // not installed, so that what only notebooks need is not loaded
  const answer = pyodide.pyimport("dpteach.web.inside").answer;
  return { pyodide, answer };
}

/** Ask Python; what a formula needs of SciPy is loaded when it is first missed. */
async function ask({ key, name, first, moved }) {
  const { pyodide, answer } = await python;
  const once = () => JSON.parse(answer(key, name, JSON.stringify(first), JSON.stringify(moved)));
  try {
    return once();
  } catch (error) {
    if (!/No module named '?scipy/.test(error.message)) throw error;
    await pyodide.loadPackage("scipy");
    return once();
  }
}

const lastLine = (error) => String(error.message ?? error).trim().split("\n").pop();

self.onmessage = async ({ data }) => {
  try {
    if (data.do === "start") {
      python = start(data);
      await python;
      postMessage({ kind: "ready" });
    } else {
      postMessage({ kind: "answer", id: data.id, change: await ask(data) });
    }
  } catch (error) {
    postMessage({ kind: "failed", id: data.id, words: lastLine(error) });
  }
};
