// Labs live in the book: the front end of JupyterLab, unchanged, and a host that answers in place of Python.
//
// Around the still picture of each lab stands <div class="living">, and in it its data, deflated, in base64. They name
// a host; `living.hosts[name](data, place)` makes the model that the front end asks for get, set, save_changes, on,
// off and send. The texts of the front ends are in living_modules.js, since a browser imports no module from a file.
const living = (() => {
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

  // What cannot be done here is said in one line under the lab, with the way to the real thing.
  function say(place, words) {
    const line = place.querySelector(".living-line");
    line.replaceChildren(words, " In JupyterLab all of it lives: ");
    const link = Object.assign(document.createElement("a"), { href: new URL("docs/online.html", BOOK), textContent: "three ways there" });
    line.append(link, ".");
  }

  // A lab that was recorded: its states, and which event leads from which to which. A control that was moved leads to
  // the state with its new value, or else to that of the first state with this value alone moved.
  function recorded(data, place) {
    const { on, off, tell } = listeners();
    const [first] = data.states;
    const named = new Map();
    for (const state of data.states) {
      const name = JSON.stringify(state.values);
      if (!named.has(name)) named.set(name, state);
    }
    const text = (number) => data.texts[number].map((line) => data.lines[line]).join("\n");
    let [now, moved, timer, told] = [first, {}, 0, false];

    function show(state) {
      now = state;
      tell(...Object.keys(first.values).map((name) => `change:${name}`), "change:frame", "change:page", "msg:custom");
    }

    const led = (event) => data.states[now.go[event] ?? data.anywhere[event]];

    function step(buttons) {
      const next = buttons.map((words) => led(`press ${words}`)).find((state) => state && state !== now);
      if (next) timer = setTimeout(() => step(buttons), data.pause * 1000);
      else stop();
      show(next ?? now);
    }

    function stop() {
      clearTimeout(timer);
      timer = 0;
    }

    // The state in which a control has another value, and whether others went back for it.
    function withValue(name, value) {
      const there = led(`set ${name} ${JSON.stringify(value)}`);
      if (there) return [there, false];
      const near = named.get(JSON.stringify({ ...now.values, ...data.past, [name]: value }));
      if (near) return [near, false];
      return [named.get(JSON.stringify({ ...first.values, [name]: value })), true];
    }

    function move(name, value) {
      const lives = [...new Set(data.states.map(({ values }) => values[name]))].filter((each) => withValue(name, each)[0]);
      const distance = (each) => (typeof each === "number" ? Math.abs(each - value) : each !== value);
      const nearest = lives.reduce((one, other) => (distance(other) < distance(one) ? other : one));
      const [state, back] = withValue(name, nearest);
      const label = `“${data.labels[name]}”`;
      if (nearest !== value && lives.length === 1) say(place, `Here in the book ${label} stays as it is.`);
      else if (nearest !== value) say(place, `Here in the book ${label} lives at ${lives.sort((one, other) => one - other).join(", ")}.`);
      else if (back && !told) {
        told = true;
        say(place, "Here in the book one control moves at a time: the others are back where the lesson has them.");
      }
      show(state);
    }

    function send(content) {
      const running = timer;
      stop();
      if (content.press === "Stop") return show(now);
      if (data.runs[content.press] && !running) return step(data.runs[content.press]);
      const fields = Object.values(content.fields ?? {}).join(" ");
      const typed = content.typed?.replace(/\s/g, "").replace("−", "-").toUpperCase();
      const event = content.press
        ? `press ${content.press}${fields && ` ${fields}`}`
        : typed === undefined ? `to ${content.to}` : `type ${content.to} ${typed}`;
      const next = led(event);
      if (next) {
        if (content.press in data.tells) {
          predicted.push(data.tells[content.press]);
          document.dispatchEvent(new Event("predicted"));
        }
      } else if (data.begins_again.includes(content.press)) {
        say(place, "Here in the book it begins again from what the lesson has.");
      } else if (!content.looked) {
        say(place, "Here in the book this lab is a recording, and that is not in it.");
      }
      show(next ?? (data.begins_again.includes(content.press) ? first : now));
    }

    if (data.counts) {
      const count = () => show(led(`to ${predicted.filter(Boolean).length} of ${predicted.length}`));
      document.addEventListener("predicted", count);
      count();
    }

    return {
      on, off, send,
      get: (name) => (name === "page" ? text(now.page) : name === "frame" ? text(timer ? now.playing : now.frame) : now.values[name]),
      set: (name, value) => (moved[name] = value),
      save_changes() {
        stop();
        for (const [name, value] of Object.entries(moved)) move(name, value);
        moved = {};
      },
    };
  }

  // --- life

  async function enliven(place) {
    const [still, script] = [place.firstElementChild, place.querySelector("script")];
    const data = await unpack(script.textContent);
    const { default: front } = await imported(data.module);
    const el = document.createElement("div");
    const line = Object.assign(document.createElement("p"), { className: "living-line" });
    line.setAttribute("role", "status");
    place.append(el, line);
    front.render({ model: hosts[data.host](data, place), el });
    el.prepend(...still.querySelectorAll(":scope > style"));
    if (data.style) el.prepend(Object.assign(document.createElement("style"), { textContent: data.style }));
    script.remove();
    still.remove();
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
