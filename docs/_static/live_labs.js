// Live labs in the book: the front end of JupyterLab, unchanged, and a host that answers instead of Python.
//
// Each lab has a <div class="live-lab"> with its still picture and its data, compressed, in base64. The data name a host;
// `liveLabs.hosts[name](data, place)` makes the model that the front end calls: get, set, save_changes, on and send. The
// front ends come as text in lab_front_ends.js, because a browser does not import a module from a file. A diagram of the
// whole way from a notebook to an answer is in docs/living.md.
const liveLabs = (() => {
  const WATCHED = 0.2; // the minimum number of seconds that each picture of a run is shown
  const RUN_BUTTONS = ["Run", "Play"]; // they press other buttons until "Stop"
  const FILM = { "press Next": 1, "press Back": -1, "press Start again": -Infinity }; // how far they move its slider
  const OTHERS_STAY = "In the book, with the other controls as they are,";
  const ENDS = "In the book this lab is a recording, and the recording ends here.";
  const FORGETS =
    "This forgets your choices on this page, and which exercises are right. What you wrote stays. " +
    "To do it, press “Begin again” once more.";
  const BOOK = new URL("..", document.currentScript.src);
  const modules = {}; // the text of each front end, and later its promise
  const hosts = { recorded };
  const predicted = []; // for each prediction made on this page, whether it has a ★ and whether the first choice was right
  const CHOICES = `coinlib choices ${location.pathname.split("/").at(-1)}`; // where the browser saves these choices
  const chosen = {}; // the choices since the page was opened

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

  // The part of a model that all hosts share: who listens to what.
  function listeners() {
    const found = {};
    return {
      on: (event, act) => (found[event] ??= []).push(act),
      tell: (...events) => events.forEach((event) => (found[event] ?? []).forEach((act) => act())),
    };
  }

  // A note under the lab.
  function say(place, words = "") {
    place.querySelector(".live-lab-note").replaceChildren(words);
  }

  // A note that says what cannot be done here, and where it can.
  function sayLimit(place, words) {
    const link = document.createElement("a");
    link.href = new URL("docs/online.html#in-jupyterlab", BOOK);
    link.textContent = "how to open it";
    place.querySelector(".live-lab-note").replaceChildren(words, " JupyterLab has no such limit: ", link, ".");
  }

  // The host of a recorded lab (coincourse/labs/book/record_lab.py): its moments, the moment that each event leads
  // to, and the states of each moment, which differ only in how they look. Moving a control leads to another state of
  // the same moment; or to the first state with its new value; or to the lesson's state with only this value changed.
  function recorded(data, place) {
    const { on, tell } = listeners();
    const states = data.moments.flatMap((moment) => moment.states.map((state, way) => Object.assign(state, { moment, way })));
    const [first] = states;
    const named = new Map(); // the first state with these values
    for (const state of [...states].reverse()) named.set(JSON.stringify(state.values), state);
    const question = (data.starred ? "★ " : "") + Object.keys(data.right_answers).join(); // of a prediction, named by its answers
    let [now, moved, timer, last] = [first, {}, 0, ""]; // `last` is the control that was moved last
    let wentBack = ""; // what to say of the controls that it has set back
    let asked = false; // whether the next "Begin again" is a confirmation
    let isOpen = true; // until a choice is made

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
      if (!next && !leads.includes(now)) sayLimit(place, ENDS);
      timer = next && setTimeout(run, Math.max(data.pause, WATCHED) * 1000, events);
      show(next ?? now);
    }

    // During a run its button stops it.
    const running = (frame) =>
      RUN_BUTTONS.reduce(
        (html, words) => html.replace(new RegExp(`data-press='${words}'([^>]*)>${words}<`), "data-press='Stop'$1>Stop<"),
        frame,
      );

    // --- controls

    const keepingOthers = (name, value) =>
      seenWith({ [name]: value }) ?? named.get(JSON.stringify({ ...now.values, [name]: value }));
    const withValue = (name, value) => keepingOthers(name, value) ?? named.get(JSON.stringify({ ...first.values, [name]: value }));

    const inWords = (value) => ({ true: "on", false: "off" })[value] ?? value;

    // A control has only the values with which the others can stay, if there are several.
    function move(name, value) {
      const all = [...new Set(states.map((state) => state.values[name]))].filter((each) => withValue(name, each));
      const keeping = all.filter((each) => keepingOthers(name, each));
      const values = keeping.length > 1 ? keeping : all;
      const distance = (each) => (Number.isNaN(each - value) ? Number(each !== value) : Math.abs(each - value));
      const ahead = values.filter((each) => (each - now.values[name]) * (value - now.values[name]) > 0); // one key, one step
      const [nearest] = (ahead.length ? ahead : [...values]).sort((one, other) => distance(one) - distance(other));
      const [state, label] = [withValue(name, nearest), `“${data.labels[name]}”`];
      const isBack = (other) => other !== name && state.values[other] !== now.values[other];
      const back = Object.keys(first.values).filter(isBack).map((other) => `“${data.labels[other]}” went back to ${inWords(state.values[other])}`);
      if (back.length) wentBack = `${back.join(", and ")}: in the book only some settings go together.`;
      else if (name !== last) wentBack = "";
      let stops = "";
      if (nearest !== value && values.length === 1) stops = `In the book ${label} cannot be changed.`;
      else if (nearest !== value)
        stops = `${values.length < all.length ? OTHERS_STAY : "In the book"} ${label} has only these values: ${values.sort((one, other) => one - other).join(", ")}.`;
      if (wentBack || stops) sayLimit(place, `${wentBack} ${stops}`.trim());
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
      if (RUN_BUTTONS.includes(content.press) && !running) {
        now = after("to begin") ?? now;
        return run(data.runs);
      }
      if (content.press === "Begin again") {
        if (asked) return forget();
        asked = true;
        return say(place, FORGETS);
      }
      asked = false;
      const next = after(nameOf(content));
      const isNewGame = content.press === "New game";
      if (!next && isNewGame) sayLimit(place, "In the book this lab starts again as it is in the lesson.");
      else if (!next && content.typed)
        sayLimit(place, "In the book the cells are filled in order, and only common answers are recorded.");
      else if (!next) sayLimit(place, ENDS);
      if (next && content.press in data.right_answers) {
        isOpen = false;
        saveChoice(question, content.press);
        predicted.push({ starred: data.starred, right: data.right_answers[content.press] });
        document.dispatchEvent(new Event("predicted"));
      }
      show(next ?? (isNewGame ? first : now));
    }

    // Only the score of a page has such events.
    function count() {
      const share = (made) => `${made.filter(({ right }) => right).length} of ${made.length}`;
      const [main, starred] = [false, true].map((kind) => share(predicted.filter((each) => each.starred === kind)));
      const score = after(`to ${main}, ${starred}`);
      if (score) show(score);
    }
    document.addEventListener("predicted", count);
    count();

    // Repeat the choice that was made on an earlier day, or that came from a file.
    function repeat(choices) {
      const choice = choices[question];
      if (isOpen && choice in data.right_answers) send({ press: choice, fields: {} });
    }
    document.addEventListener("choices", ({ detail }) => repeat(detail));

    return {
      on,
      send,
      repeat,
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

  // The first choice in each prediction of this page, by question.
  function choices() {
    try {
      return { ...JSON.parse(localStorage.getItem(CHOICES)), ...chosen };
    } catch {
      return chosen; // the browser does not save anything
    }
  }

  function saveChoice(question, answer) {
    chosen[question] = answer;
    try {
      localStorage.setItem(CHOICES, JSON.stringify(choices()));
    } catch {} // the browser does not save anything
  }

  // Repeat the choices that a file holds, where none was made yet. Returns how many these are.
  function addChoices(found) {
    const before = predicted.length;
    document.dispatchEvent(new CustomEvent("choices", { detail: found }));
    return predicted.length - before;
  }

  function deleteChoices() {
    try {
      localStorage.removeItem(CHOICES);
    } catch {} // nothing was saved
  }

  function forget() {
    deleteChoices();
    document.dispatchEvent(new Event("forgotten")); // python_page.js forgets which exercises are right
    location.reload();
  }

  document.addEventListener("forget", deleteChoices); // "Empty this page"

  // --- from still pictures to labs

  async function bringToLife(place) {
    const data = await unpack(place.querySelector("script").textContent);
    const { default: front } = await imported(data.module);
    const [el, note] = [document.createElement("div"), document.createElement("p")];
    note.className = "live-lab-note";
    note.setAttribute("role", "status");
    const model = hosts[data.host](data, place);
    front.render({ model, el });
    el.prepend(...place.querySelectorAll(":scope > .coin-lab > style"));
    if (data.style) el.prepend(Object.assign(document.createElement("style"), { textContent: data.style }));
    place.classList.toggle("live-lab-asks", Object.keys(data.right_answers ?? {}).length > 0); // its buttons are answers
    place.replaceChildren(el, note);
    place.classList.add("alive");
    model.repeat?.(choices());
  }

  async function begin() {
    if (!window.DecompressionStream) return; // the still pictures stay
    for (const place of document.querySelectorAll(".live-lab")) await bringToLife(place);
  }

  document.addEventListener("DOMContentLoaded", begin);
  return { modules, hosts, listeners, say, sayLimit, choices, addChoices };
})();
