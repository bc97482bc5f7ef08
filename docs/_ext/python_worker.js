// Python and the judge, in a worker that the page can end: no answer keeps the page waiting for ever.
//
// The page sends { start } once, and then { job, call, given }: which function of the judge to call, and with what. Back
// come { stage } while Python starts, { ready }, { note } for what holds if the time runs out now, and { answer }.
let judge;

async function start({ files, loader, program, lock, modules }) {
  // Python asks for its files by address; all of them came with the message.
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
  const note = (verdict) => postMessage({ job: data.job, note: verdict });
  const answer = data.call === "check" ? judge.check(...data.given, note) : judge[data.call](...data.given);
  postMessage({ job: data.job, answer });
};

// What fails while it starts, fails in the page.
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason;
});
