// Labs live in the book: the front end of JupyterLab, unchanged, and a host that answers in place of Python.
//
// Around the still picture of each lab stands <div class="living">, and in it its data, deflated, in base64. They name
// a host; `living.hosts[name](data, place)` makes the model that the front end asks for get, set, save_changes, on
// and send. The texts of the front ends are in living_modules.js, since a browser imports no module from a file.
const living = (() => {
  const WATCHED = 0.2; // seconds that a picture of a run can be seen, at least
  const RUNS = ["Run", "Play"]; // buttons that press others until "Stop"
  const FILM = { "press Next": 1, "press Back": -1, "press Start again": -Infinity }; // how far they move its slider
  const ENDS = "In the book this lab is a recording, which goes no further.";
  const BOOK = new URL("..", document.currentScript.src);
  const modules = {}; // the text of each front end, and later its promise
  const hosts = { recorded };
  const predicted = []; // whether each answer that was chosen first on this page was right
  const KEPT = `coinlib ${location.pathname}`; // where the browser keeps these answers

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  }

  function imported(name) {
    if (typeof modules[name] === "string") {
      const address = URL.createObjectURL(new Blob([modules[name]], { type: "text/javascript" }));
      modules[name] = import(address);
    }
    return modules[name];
  }

  // --- hosts

  // The half of a model that all hosts share: who listens to what.
  function listeners() {
    const found = {};
    return {
      on: (event, act) => (found[event] ??= []).push(act),
      tell: (...events) => events.forEach((event) => (found[event] ?? []).forEach((act) => act())),
    };
  }

  // What cannot be done here is said in one line under the lab, with the way to the real thing; no words: nothing to say.
  function say(place, words = "") {
    const line = place.querySelector(".living-line");
    line.replaceChildren(words);
    if (!words) return;
    const link = document.createElement("a");
    link.href = new URL("docs/living.html", BOOK);
    link.textContent = "how to open it";
    line.append(" In JupyterLab everything lives: ", link, ".");
  }

  // A lab that was recorded: its moments, which event leads from which to which, and the states in which each is seen. A
  // control that is moved leads to the same moment, seen in another way; or to the first state with its new value; or to
  // the first of all states with this value alone changed.
  function recorded(data, place) {
    const { on, tell } = listeners();
    const states = data.moments.flatMap((moment) => moment.states.map((state, way) => Object.assign(state, { moment, way })));
    const [first] = states;
    const named = new Map(); // the first state with these values
    for (const state of [...states].reverse()) named.set(JSON.stringify(state.values), state);
    const question = Object.keys(data.tells).join(); // a prediction, named by its answers
    let [now, moved, timer, last] = [first, {}, 0, ""]; // the last control that was moved

    const text = (number) => data.texts[number].map((line) => data.lines[line]).join("\n");
    const seenWith = (values) =>
      now.moment.states.find((state) => JSON.stringify(state.values) === JSON.stringify({ ...now.values, ...values }));

    function after(event) {
      if ("at" in first.values && event in FILM) return seenWith({ at: Math.max(0, now.values.at + FILM[event]) }) ?? now;
      return data.moments[now.moment.go[event] ?? data.anywhere[event]]?.states[now.way];
    }

    function show(state) {
      now = state;
      tell("change", "msg:custom");
    }

    // --- runs

    function stop() {
      clearTimeout(timer);
      timer = 0;
    }

    function run(events) {
      const leads = events.map(after);
      const next = leads.find((state) => state && state !== now);
      if (!next && !leads.includes(now)) say(place, ENDS);
      timer = next && setTimeout(run, Math.max(data.pause, WATCHED) * 1000, events);
      show(next ?? now);
    }

    // While it runs, its button stops it.
    const running = (frame) =>
      RUNS.reduce(
        (html, words) => html.replace(new RegExp(`data-press='${words}'([^>]*)>${words}<`), "data-press='Stop'$1>Stop<"),
        frame,
      );

    // --- controls

    const withValue = (name, value) =>
      seenWith({ [name]: value }) ??
      named.get(JSON.stringify({ ...now.values, [name]: value })) ??
      named.get(JSON.stringify({ ...first.values, [name]: value }));

    function move(name, value) {
      const values = [...new Set(states.map((state) => state.values[name]))].filter((each) => withValue(name, each));
      const distance = (each) => (typeof each === "number" ? Math.abs(each - value) : Number(each !== value));
      const ahead = values.filter((each) => (each - now.values[name]) * (value - now.values[name]) > 0); // one key, one step
      const [nearest] = (ahead.length ? ahead : [...values]).sort((one, other) => distance(one) - distance(other));
      const [state, label] = [withValue(name, nearest), `“${data.labels[name]}”`];
      const stayed = Object.keys(first.values).every((other) => other === name || state.values[other] === now.values[other]);
      if (nearest !== value && values.length === 1) say(place, `In the book ${label} stays as it is.`);
      else if (nearest !== value)
        say(place, `In the book ${label} lives at ${values.sort((one, other) => one - other).join(", ")}.`);
      else if (!stayed) say(place, "In the book one control moves at a time: the others went back to where the lesson has them.");
      else if (name !== last) say(place);
      last = name;
      show(state);
    }

    // --- what the front end sends

    function nameOf({ press, fields, to, typed }) {
      if (press) return ["press", press, ...Object.values(fields)].join(" ");
      const answer = typed?.replace(/\s/g, "").replace("−", "-").toUpperCase();
      return typed === undefined ? `to ${to}` : `type ${to} ${answer}`;
    }

    function send(content) {
      if (content.looked) return tell("msg:custom");
      const running = timer;
      stop();
      say(place);
      if (content.press === "Stop") return show(now);
      if (RUNS.includes(content.press) && !running) {
        now = after("to begin") ?? now;
        return run(data.runs);
      }
      if (content.press === "Begin again") return beginAgain();
      const next = after(nameOf(content));
      const again = content.press === "New game";
      if (!next && again) say(place, "In the book it begins again from what the lesson has.");
      else if (!next && content.typed)
        say(place, "In the book the cells are filled one after the other, with the answers that most people give.");
      else if (!next) say(place, ENDS);
      if (next && content.press in data.tells) {
        keep(question, content.press);
        predicted.push(data.tells[content.press]);
        document.dispatchEvent(new Event("predicted"));
      }
      show(next ?? (again ? first : now));
    }

    function count() { // which only the score of a page does
      const score = after(`to ${predicted.filter(Boolean).length} of ${predicted.length}`);
      if (score) show(score);
    }
    document.addEventListener("predicted", count);
    count();
    function remember() { // what was predicted on an earlier day
      const before = kept()[question];
      if (before in data.tells) send({ press: before, fields: {} });
    }

    return {
      on,
      send,
      remember,
      get(name) {
        if (name === "page") return text(now.page);
        if (name !== "frame") return now.values[name];
        return timer ? running(text(now.frame)) : text(now.frame);
      },
      set: (name, value) => (moved[name] = value),
      save_changes() {
        stop();
        Object.entries(moved).forEach(([name, value]) => move(name, value));
        moved = {};
      },
    };
  }

  // --- from one day to the next

  // Of each prediction on this page the answer that was chosen first; nothing, where the browser keeps nothing.
  function kept() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  function keep(question, answer) {
    try {
      localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [question]: answer }));
    } catch {} // a private window
  }

  function beginAgain() {
    try {
      localStorage.removeItem(KEPT);
    } catch {}
    document.dispatchEvent(new Event("forgotten"));
    location.reload();
  }

  // --- life

  async function enliven(place) {
    const data = await unpack(place.querySelector("script").textContent);
    const { default: front } = await imported(data.module);
    const [el, line] = [document.createElement("div"), document.createElement("p")];
    line.className = "living-line";
    line.setAttribute("role", "status");
    const model = hosts[data.host](data, place);
    front.render({ model, el });
    el.prepend(...place.querySelectorAll(":scope > .coin-lab > style"));
    if (data.style) el.prepend(Object.assign(document.createElement("style"), { textContent: data.style }));
    place.classList.toggle("living-asks", Object.keys(data.tells ?? {}).length > 0); // its buttons are answers
    place.replaceChildren(el, line);
    place.classList.add("alive");
    model.remember?.();
  }

  async function begin() {
    if (!window.DecompressionStream) return; // the still pictures stay
    for (const place of document.querySelectorAll(".living")) await enliven(place);
  }

  document.addEventListener("DOMContentLoaded", begin);
  return { modules, hosts, listeners, say };
})();
