// Python in a page of the book, also where the page was opened as a file and there is no network.
//
// A page from a file may fetch nothing and start no worker from a file. So all that Python needs comes in one script,
// python.js, when somebody first presses a button; each file in it is deflated, in base64. The worker and the modules
// that it imports are `data:` addresses, the one kind that a browser takes from such a page.
const python = (() => {
  const SECONDS = 5; // after so many seconds without a sign an answer is ended; the judge gives one before each case
  const BOOK = new URL("..", document.currentScript.src);
  const hears = new Set(); // those who are told how far the start is: (share, words)
  let unpacked; // a promise of what the worker is given to start
  let started; // a promise of a worker in which Python has started
  let last = Promise.resolve(); // one job comes after the other
  let jobs = 0;

  function tell(share, words) {
    hears.forEach((hear) => hear(share, words));
  }

  // --- the files

  function script(path) {
    return new Promise((done, failed) => {
      const element = document.createElement("script");
      element.onload = done;
      element.onerror = () => failed(new Error(`${path} is not there`));
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

  async function unpack() {
    tell(0.05, "Python comes to this page.");
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

  // --- the worker

  const STAGES = { loaded: [0.6, "Python starts."], started: [0.9, "The checks are read."] };

  async function start() {
    unpacked ??= unpack();
    const { worker: program, given } = await unpacked;
    tell(0.5, "Python starts.");
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
    return worker;
  }

  function ready() {
    started ??= start().catch((error) => {
      started = undefined;
      unpacked = undefined;
      throw error;
    });
    return started;
  }

  // --- jobs

  // What Python answers; { late: true, note } where it was ended, with the last note that it gave; { broken: true } where
  // it broke down, which a function does that calls itself for ever through C.
  async function work(call, given) {
    const worker = await ready();
    tell(1, "");
    const job = (jobs += 1);
    return new Promise((done) => {
      let note;
      let clock;
      const end = (found) => {
        clearTimeout(clock);
        worker.terminate();
        started = undefined;
        ready().catch(() => {}); // the next answer need not wait for it
        done(found);
      };
      const wait = () => {
        clearTimeout(clock);
        clock = setTimeout(() => end({ late: true, note }), SECONDS * 1000);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end({ broken: true });
      };
      worker.onmessage = ({ data }) => {
        if (data.job !== job) return;
        if (data.note) {
          note = data.note;
          wait();
          return;
        }
        clearTimeout(clock);
        done({ answer: data.answer });
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

  return { SECONDS, ask, hears, script };
})();
