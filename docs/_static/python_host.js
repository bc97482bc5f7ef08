// Python on a page of the book, even if the page was opened as a file and there is no network.
//
// A page that was opened as a file cannot fetch anything, and cannot start a worker from a file. So all that Python needs
// comes in one script, python.js, when a reader first presses a button; each file in it is compressed, in base64. The
// worker and the modules that it imports have `data:` addresses, the only kind that a browser accepts on such a page.
const python = (() => {
  const SECONDS = 5; // code is stopped after this time without a signal; the judge signals before each case
  const SUSPICIOUS = 1; // seconds without a signal after which a second Python starts, in case the first must be stopped
  const GIGABYTES = 4; // of memory that a machine must have for a second Python
  const BOOK = new URL("..", document.currentScript.src);
  const listeners = new Set(); // functions (share, words), called while Python starts
  let unpacked; // a promise of what a worker is given to start
  let current; // the worker that is used: { share, words, ready }, `ready` a promise of a worker in which Python runs
  let spare; // a second one
  let last = Promise.resolve(); // one job after the other
  let jobs = 0;

  // --- the files

  function script(path) {
    return new Promise((done, failed) => {
      const element = document.createElement("script");
      element.onload = done;
      element.onerror = () => failed(new Error(`${path} is missing`));
      element.src = new URL(path, BOOK);
      document.head.append(element);
    });
  }

  async function inflated(base64) {
    const packed = await fetch(`data:application/octet-stream;base64,${base64}`);
    const stream = packed.body.pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  function address(text) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : new Uint8Array(text);
    const letters = [];
    for (let place = 0; place < bytes.length; place += 0x8000) {
      letters.push(String.fromCharCode(...bytes.subarray(place, place + 0x8000)));
    }
    return `data:text/javascript;base64,${btoa(letters.join(""))}`;
  }

  async function unpack(tell) {
    tell(0.05, "Python is loading.");
    await script("_static/python.js");
    tell(0.3, "Python is unpacked.");
    const { files, lock, modules, worker } = window.PYTHON;
    delete window.PYTHON; // 8 MB of text
    const names = Object.keys(files);
    const contents = await Promise.all(names.map((name) => inflated(files[name])));
    const found = Object.fromEntries(names.map((name, place) => [name, contents[place]]));
    const given = {
      files: { "pyodide.asm.wasm": found["pyodide.asm.wasm"], "python_stdlib.zip": found["python_stdlib.zip"] },
      loader: address(found["pyodide.mjs"]),
      program: address(found["pyodide.asm.mjs"]),
      lock,
      modules,
    };
    return { worker: address(worker), given };
  }

  // --- workers

  const STAGES = { loaded: [0.6, "Python is starting."], started: [0.9, "The checks are loading."] };

  function begin() {
    const made = { share: 0, words: "" };
    const tell = (share, words) => {
      Object.assign(made, { share, words });
      if (made === current) listeners.forEach((listener) => listener(share, words));
    };
    made.ready = Promise.resolve().then(() => start(tell)); // once `current` or `spare` is this one
    made.ready.catch(() => {
      if (made === current) current = undefined;
      if (made === spare) spare = undefined;
      unpacked = undefined;
    });
    return made;
  }

  async function start(tell) {
    unpacked ??= unpack(tell);
    const { worker: program, given } = await unpacked;
    tell(0.5, "Python is starting.");
    const worker = new Worker(program, { type: "module" });
    await new Promise((done, failed) => {
      worker.onerror = (event) => {
        event.preventDefault();
        failed(new Error(event.message || "the browser starts no worker"));
      };
      worker.onmessage = ({ data }) => {
        if (data.ready) done();
        else if (data.stage) tell(...STAGES[data.stage]);
      };
      worker.postMessage({ start: given });
    });
    tell(1, "");
    return worker;
  }

  // Stop the worker in use; the second one takes its place, or a new one starts if there is none yet.
  function replace(worker) {
    worker.terminate();
    current = spare ?? begin();
    spare = undefined;
  }

  function prepareSpare() {
    if ((navigator.deviceMemory ?? 0) >= GIGABYTES) spare ??= begin();
  }

  // --- jobs

  // Returns { answer }; or { late: true, note, printed } if the code was stopped, with the last note that Python gave and
  // the beginning of what the code printed; or { broken: true } if Python itself broke down, as it does when a function calls itself for ever through C.
  async function work(call, given) {
    current ??= begin();
    const worker = await current.ready;
    const job = (jobs += 1);
    return new Promise((done) => {
      let note;
      let printed = "";
      let clock;
      let doubt;
      const end = (found) => {
        clearTimeout(clock);
        clearTimeout(doubt);
        if (!("answer" in found)) replace(worker);
        done(found);
      };
      const wait = () => {
        clearTimeout(clock);
        clearTimeout(doubt);
        clock = setTimeout(() => end({ late: true, note, printed }), SECONDS * 1000);
        doubt = setTimeout(prepareSpare, SUSPICIOUS * 1000);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end({ broken: true });
      };
      worker.onmessage = ({ data }) => {
        if (data.job !== job) return;
        if ("answer" in data) {
          end({ answer: data.answer });
        } else if ("printed" in data) {
          printed += data.printed; // no signal: a loop that prints may never end
        } else {
          note = data.note;
          wait();
        }
      };
      wait();
      worker.postMessage({ job, call, given });
    });
  }

  function ask(call, ...given) {
    const job = last.then(() => work(call, given));
    last = job.catch(() => {});
    return job;
  }

  // While Python starts, the listener hears how far it has got: a share from 0 to 1, and text. Returns a function that stops this.
  function listen(listener) {
    listeners.add(listener);
    if (current && current.share < 1) listener(current.share, current.words);
    return () => listeners.delete(listener);
  }

  return { SECONDS, ask, listen, script };
})();
