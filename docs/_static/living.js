// Labs live in the book: the front end of JupyterLab, unchanged, and a host that answers in place of Python.
//
// Around the still picture of each lab stands <div class="living">, and in it its data, deflated, in base64. They name
// a host; `living.hosts[name](data, place)` makes the model that the front end asks for get, set, save_changes, on,
// off and send. The texts of the front ends are in living_modules.js, since a browser imports no module from a file.
const living = (() => {
  const WATCHED = 0.2; // seconds that a picture of a run can be seen, at least
  const BOOK = new URL("..", document.currentScript.src);
  const modules = {}; // the text of each front end, and later its promise
  const hosts = { recorded };
  const predicted = []; // whether each answer that was chosen first on this page was right

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
      off: (event, act) => (found[event] = found[event].filter((other) => other !== act)),
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

  // A lab that was recorded: its states, and which event leads from which to which. A control that is moved leads to
  // the state with its new value, or else to the first state with this value alone changed.
  function recorded(data, place) {
    const { on, off, tell } = listeners();
    const [first] = data.states;
    const named = new Map(); // the first state with these values
    for (const state of [...data.states].reverse()) named.set(JSON.stringify(state.values), state);
    let [now, moved, timer, last] = [first, {}, 0, ""]; // the last control that was moved

    const text = (number) => data.texts[number].map((line) => data.lines[line]).join("\n");
    const after = (event) => data.states[now.go[event] ?? data.anywhere[event]];

    function show(state) {
      now = state;
      tell(...Object.keys(first.values).map((name) => `change:${name}`), "change:frame", "change:page", "msg:custom");
    }

    // --- runs

    function stop() {
      clearTimeout(timer);
      timer = 0;
    }

    function run(buttons) {
      const next = buttons.map((words) => after(`press ${words}`)).find((state) => state && state !== now);
      timer = next && setTimeout(run, Math.max(data.pause, WATCHED) * 1000, buttons);
      show(next ?? now);
    }

    // --- controls

    const alone = (name, value) => named.get(JSON.stringify({ ...first.values, [name]: value }));
    const withValue = (name, value) =>
      after(`set ${name} ${JSON.stringify(value)}`) ??
      named.get(JSON.stringify({ ...now.values, ...data.past, [name]: value })) ??
      alone(name, value);

    function move(name, value) {
      const values = [...new Set(data.states.map((state) => state.values[name]))].filter((each) => withValue(name, each));
      const distance = (each) => (typeof each === "number" ? Math.abs(each - value) : Number(each !== value));
      const ahead = values.filter((each) => (each - now.values[name]) * (value - now.values[name]) > 0); // one key, one step
      const [nearest] = (ahead.length ? ahead : [...values]).sort((one, other) => distance(one) - distance(other));
      const [state, label] = [withValue(name, nearest), `“${data.labels[name]}”`];
      const stayed = Object.keys(first.values).every(
        (other) => other === name || other in data.past || state.values[other] === now.values[other],
      );
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
      if (content.press in data.runs && !running) return run(data.runs[content.press]);
      const next = after(nameOf(content));
      const again = data.begins_again.includes(content.press);
      if (!next && again) say(place, "In the book it begins again from what the lesson has.");
      else if (!next && content.typed)
        say(place, "In the book the cells are filled one after the other, with the answers that most people give.");
      else if (!next) say(place, "In the book this lab is a recording, and that is not in it.");
      if (next && content.press in data.tells) {
        predicted.push(data.tells[content.press]);
        document.dispatchEvent(new Event("predicted"));
      }
      show(next ?? (again ? first : now));
    }

    if (data.counts) {
      const count = () => show(after(`to ${predicted.filter(Boolean).length} of ${predicted.length}`));
      document.addEventListener("predicted", count);
      count();
    }

    return {
      on,
      off,
      send,
      get(name) {
        if (name === "page") return text(now.page);
        return name === "frame" ? text(timer ? now.playing : now.frame) : now.values[name];
      },
      set: (name, value) => (moved[name] = value),
      save_changes() {
        stop();
        Object.entries(moved).forEach(([name, value]) => move(name, value));
        moved = {};
      },
    };
  }

  // --- life

  async function enliven(place) {
    const data = await unpack(place.querySelector("script").textContent);
    const { default: front } = await imported(data.module);
    const [el, line] = [document.createElement("div"), document.createElement("p")];
    line.className = "living-line";
    line.setAttribute("role", "status");
    front.render({ model: hosts[data.host](data, place), el });
    el.prepend(...place.querySelectorAll(":scope > .coin-lab > style"));
    if (data.style) el.prepend(Object.assign(document.createElement("style"), { textContent: data.style }));
    place.replaceChildren(el, line);
  }

  function begin() {
    if (!window.DecompressionStream) return; // the still pictures stay
    const places = [...document.querySelectorAll(".living")];
    const watch = new IntersectionObserver((seen) => {
      for (const { target } of seen.filter(({ isIntersecting }) => isIntersecting)) {
        watch.unobserve(target);
        enliven(target);
      }
    }, { rootMargin: "100%" });
    if (places.length) enliven(places[0]);
    places.slice(1).forEach((place) => watch.observe(place));
  }

  document.addEventListener("DOMContentLoaded", begin);
  return { modules, hosts, listeners, say };
})();
