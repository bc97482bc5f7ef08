// Python and the judge, in a worker that the page can stop: endless code does not block the page.
//
// The page sends { start } once, and then { job, call, given }: a function of coincourse/page/in_page.py, and its arguments.
// The worker sends { stage } while Python starts, { ready }, { note } with the verdict if the time ran out now, { printed }
// with what code that is run has printed since the last message, and { answer }.
let judge;

async function start({ files, loader, program, lock, modules }) {
  // Python fetches its files by address; all of them came with the message.
  self.fetch = async (address) => {
    const name = String(address).split("/").at(-1);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(files[name], { headers: { "content-type": type } });
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([import(loader), import(program)]);
  postMessage({ stage: "loaded" });
  const python = await loadPyodide({
    indexURL: "https://any.invalid/",
    createPyodideModule,
    lockFileContents: lock,
    stdout: () => {},
    stderr: () => {},
  });
  postMessage({ stage: "started" });
  for (const [path, text] of Object.entries(modules)) {
    const file = `/course/${path}`;
    python.FS.mkdirTree(file.slice(0, file.lastIndexOf("/")));
    python.FS.writeFile(file, text);
  }
  python.runPython("import sys; sys.path.insert(0, '/course')");
  judge = python.pyimport("coincourse.page.in_page");
  postMessage({ ready: true });
}

onmessage = async ({ data }) => {
  if (data.start) {
    await start(data.start);
    return;
  }
  const hearers = {
    check: (verdict) => postMessage({ job: data.job, note: verdict }),
    run: (printed) => postMessage({ job: data.job, printed }),
  };
  const hearer = hearers[data.call];
  const answer = judge[data.call](...data.given, ...(hearer ? [hearer] : []));
  postMessage({ job: data.job, answer });
};

// Tell the page about errors during start-up.
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason;
});
