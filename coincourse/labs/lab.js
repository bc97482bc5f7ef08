// One front end for all labs. It draws the controls that Python describes as the browser's own, shows the page that
// Python made, and reports what was moved, pressed, clicked and typed. It decides no rule of any game. Of its host it
// asks get, set, save_changes, on, off and send, so a page without a kernel can be one.
//
// What a page can say:
//   data-to="9,4,2"         clicked or pressed, Python hears these words; all with the same words light up together
//   data-group="grid"       one stop of the Tab key; arrow keys go from part to part by data-x and data-y (which grows upward)
//   data-now                where the focus goes when the part that had it is gone or disabled, or an answer was typed with
//                           Enter
//   data-peek="Point …"     here stands the aria-label of the part that is pointed at, or its <title>
//   data-ask="typed so far" a field lies over the part with the class "face"; Python hears what is typed, and the focus
//   data-after="800"        sent by itself after so many ms, as if it had been clicked
//   data-key="l"            clicked when this key is pressed on the page
//   class="coin"            lights up all coins to its right in the same line

const SILENCE = 5000; // ms without an answer before the page says so
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const NO_ANSWER = "Python does not answer. It may be busy, or was restarted: then run this cell again.";

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children);
  return made;
}

// Make `old` like `fresh`, part by part: what stays the same keeps its focus, and is not read out again.
function follow(old, fresh) {
  if (old.isEqualNode(fresh)) return; // the browser compares a thousand cells faster than a script
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  const typed = old.nodeName === "INPUT" && old.getAttribute("value") !== fresh.getAttribute("value");
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (typed) old.value = fresh.getAttribute("value");
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((node, index) => (before[index] ? follow(before[index], node) : old.append(node)));
  before.slice(after.length).forEach((node) => node.remove());
}

// A control as the browser has it, with its label before and its explanation after it.
function control({ name, kind, label, explanation, options, least, most, step, value, disabled, hidden }, own) {
  const id = `${own}-${name}`.replaceAll(" ", "-");
  const names = { id, "data-name": name, "aria-describedby": `${id}-words`, disabled };
  const type = { slider: "range", tick: "checkbox" }[kind] ?? kind;
  const [min, max, by] = options ? [0, options.length - 1, 1] : [least, most, step];
  const input =
    kind === "menu"
      ? element("select", names, ...options.map(([words]) => element("option", {}, words)))
      : element("input", { ...names, type, min, max, step: by, value });
  const readout = kind === "slider" ? [element("span", { class: "readout", "aria-hidden": "true" })] : [];
  const words = element("span", { id: `${id}-words`, class: "words" }, explanation);
  return element("div", { class: `control ${kind}`, hidden }, element("label", { for: id }, label), input, ...readout, words);
}

// Buttons side by side, with fields whose values they take along.
function row({ row: name, explanation, fields, buttons }, own) {
  const inputs = fields.map((field) => control({ ...field, name: `${name} ${field.name}` }, own));
  const pressed = buttons.map(({ words, tip, key, disabled, now }) => {
    const names = { type: "button", title: tip, "data-press": words, "data-key": key || undefined, "data-now": now };
    return element("button", { ...names, disabled }, words);
  });
  const title = name ? [element("strong", {}, name)] : [];
  const words = element("span", { class: "words" }, explanation);
  return element("div", { class: "row", role: "group", "aria-label": name || "Buttons" }, ...title, ...inputs, ...pressed, words);
}

function read(input, { kind, options, step }) {
  if (options) return options[input.selectedIndex ?? input.valueAsNumber][1];
  return kind === "tick" ? input.checked : step ? input.valueAsNumber : input.value;
}

function show(input, about, value) {
  const place = about.options?.findIndex(([, choice]) => choice === value) ?? value;
  if (about.kind === "menu") input.selectedIndex = place;
  else if (about.kind === "tick") input.checked = value;
  else if (input.value !== String(place)) input.value = place;
  inform(input, about);
}

// A slider says its value, to the eye and to a screen reader.
function inform(input, { kind, options, step }) {
  if (kind !== "slider") return;
  const words = options ? options[input.valueAsNumber][0] : step < 1 ? input.valueAsNumber.toFixed(2) : input.value;
  input.nextElementSibling.textContent = words;
  input.setAttribute("aria-valuetext", words);
}

function render({ model, el }) {
  const own = `lab-${Math.random().toString(36).slice(2)}`; // before the ids of this view
  const [title, goal] = [element("strong", {}), element("span", {})];
  const [above, below] = [element("div", { class: "controls" }), element("div", { class: "controls" })];
  const page = element("div", { class: "page", role: "group" });
  const silence = element("p", { class: "notice", role: "alert" });
  const program = element("pre", { tabindex: 0, "aria-label": "The code of this lab" });
  const code = element("details", {}, element("summary", {}, "Show the code"), program);
  const lab = element("div", { class: "coin-lab" }, element("p", {}, title, element("br", {}), goal));
  lab.append(above, silence, page, below, code);
  el.append(lab);
  let abouts = {}; // what Python says of each control, by name
  const stops = {}; // for each group of the page the place where the Tab key enters it
  let [silent, later, expecting] = [0, 0, false];

  // --- what is said to Python, and heard from there

  function heard() {
    clearTimeout(silent);
    if (silence.textContent) silence.textContent = "";
  }

  function send(content) {
    clearTimeout(silent);
    silent = setTimeout(() => (silence.textContent = NO_ANSWER), SILENCE);
    model.send(content);
  }

  // --- controls and buttons

  const inputs = () => [...lab.querySelectorAll("[data-name]")];

  function draw_controls() {
    const view = model.get("view");
    keep_focus();
    title.textContent = view.title;
    goal.textContent = view.goal;
    page.setAttribute("aria-label", view.title);
    for (const [holder, parts] of [[above, view.above], [below, view.below]]) {
      const fresh = holder.cloneNode(false);
      fresh.append(...parts.map((part) => ("row" in part ? row : control)(part, own)));
      follow(holder, fresh);
    }
    abouts = {};
    for (const part of [...view.above, ...view.below])
      for (const about of part.fields ?? [part]) abouts["row" in part ? `${part.row} ${about.name}` : about.name] = about;
    draw_values();
  }

  function draw_values() {
    for (const input of inputs()) {
      const about = abouts[input.dataset.name];
      if (about.value === undefined) show(input, about, model.get(about.name));
      else inform(input, about);
    }
  }

  function moved({ type, target }) {
    const about = abouts[target.dataset.name];
    const typed = ["number", "text"].includes(target.type); // counts when Enter is pressed or the field is left
    if (!about || typed !== (type === "change") || !target.reportValidity()) return; // the browser says what is possible
    inform(target, about);
    if (about.value !== undefined) return;
    model.set(about.name, read(target, about));
    model.save_changes();
  }

  lab.addEventListener("input", moved);
  lab.addEventListener("change", moved);
  lab.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-press]");
    if (!button) return;
    const fields = inputs().filter((input) => input.closest(".row") === button.parentNode);
    const values = fields.map((input) => [abouts[input.dataset.name].name, read(input, abouts[input.dataset.name])]);
    send({ press: button.dataset.press, fields: Object.fromEntries(values) });
  });

  // --- the page

  const spot = (node) => node?.closest?.("[data-to]");
  const groupOf = (node) => node.closest("[data-group]")?.dataset.group;
  const placeOf = (node) => `${node.dataset.x},${node.dataset.y}`;
  const inGroup = (root, group) => // not those of a group within it
    [...root.querySelectorAll(`[data-group="${group}"] [data-to]`)].filter((node) => groupOf(node) === group);
  const focusOf = (node) => node.querySelector("input") ?? node;

  // What is a still picture elsewhere can be reached, pressed and filled in here.
  function enliven(root) {
    for (const title of root.querySelectorAll("[data-to] > title")) {
      title.parentNode.setAttribute("aria-label", title.textContent); // a line of the page says it: no second bubble
      title.remove();
    }
    root.querySelectorAll("[data-ask]").forEach(giveField);
    for (const group of root.querySelectorAll("[data-group]")) {
      if (group.getAttribute("role") === "img") group.setAttribute("role", "group");
      const nodes = inGroup(root, group.dataset.group);
      const stop =
        nodes.find((node) => placeOf(node) === stops[group.dataset.group]) ||
        nodes.find((node) => "now" in node.dataset) || nodes[0];
      for (const node of nodes) {
        if ("ask" in node.dataset) continue; // has a field of its own
        if (node.nodeName !== "BUTTON") node.setAttribute("role", "button");
        node.setAttribute("tabindex", node === stop ? "0" : "-1");
      }
    }
  }

  // A part that is asked for becomes a real field, which every keyboard and screen reader knows.
  function giveField(node) {
    const face = node.querySelector(".face");
    const frame = document.createElementNS(face.namespaceURI, "foreignObject");
    for (const name of ["x", "y", "width", "height"]) frame.setAttribute(name, face.getAttribute(name));
    const names = { value: node.dataset.ask, autocomplete: "off", "aria-label": node.getAttribute("aria-label") };
    frame.append(element("input", { ...names, "aria-invalid": node.classList.contains("wrong") }));
    node.append(frame);
    for (const name of ["role", "aria-label"]) node.removeAttribute(name); // the field has them now
  }

  function commit(field) {
    if (!field.value.trim() || field.value === (field.sent ?? field.getAttribute("value"))) return false;
    field.sent = field.value;
    send({ to: spot(field).dataset.to, typed: field.value });
    return true;
  }

  function light(node) {
    for (const other of page.querySelectorAll("[data-to]"))
      other.classList.toggle("lit", Boolean(node) && other.dataset.to === node.dataset.to);
    for (const first of page.querySelectorAll(".coin.lit")) // taking a coin takes all to its right
      for (const coin of page.querySelectorAll(`.coin[data-y="${first.dataset.y}"]`))
        if (Number(coin.dataset.x) > Number(first.dataset.x)) coin.classList.add("lit");
    const peek = page.querySelector("[data-peek]");
    if (peek) peek.textContent = node ? focusOf(node).getAttribute("aria-label") || node.textContent : peek.dataset.peek;
  }

  const lightAgain = () => light(spot(page.querySelector(":focus-visible") ?? page.querySelector("[data-to]:hover")));

  // The next part of a group in a direction: in the nearest line, and there the nearest.
  function next(node, [right, up]) {
    const [x, y] = [Number(node.dataset.x), Number(node.dataset.y)];
    const far = (other) => {
      const [dx, dy] = [Number(other.dataset.x) - x, Number(other.dataset.y) - y];
      const ahead = right ? dx * right : dy * up;
      if (ahead <= 0 || (right && dy)) return Infinity;
      return ahead * 1000 + Math.abs(right ? 0 : dx - up / 4); // up leans to the right, down to the left
    };
    const others = inGroup(page, groupOf(node)).sort((one, other) => far(one) - far(other));
    return others.length && far(others[0]) < Infinity ? others[0] : null;
  }

  function go(node) {
    focusOf(node).focus();
    focusOf(node).select?.();
  }

  // The focus that was in the lab before it is drawn stays there, when the page and the buttons are drawn.
  function keep_focus() {
    if (!lab.contains(document.activeElement)) return;
    queueMicrotask(() => {
      const [active, now] = [document.activeElement, lab.querySelector("[data-now]")];
      if (now && (!lab.contains(active) || active.disabled)) go(now);
    });
  }

  // Where the focus is, there the Tab key comes back to its group.
  function enter(node) {
    if (!groupOf(node)) return;
    stops[groupOf(node)] = placeOf(node);
    for (const other of inGroup(page, groupOf(node)))
      if (focusOf(other) === other) other.setAttribute("tabindex", other === node ? "0" : "-1");
  }

  function draw() {
    heard();
    clearTimeout(later);
    const fresh = page.cloneNode(false);
    fresh.innerHTML = model.get("page");
    enliven(fresh);
    keep_focus();
    follow(page, fresh);
    for (const field of page.querySelectorAll("[data-ask] input")) if (field !== document.activeElement) delete field.sent;
    if (expecting && page.querySelector("[data-now]")) go(page.querySelector("[data-now]"));
    expecting = false;
    const here = page.contains(document.activeElement) && spot(document.activeElement);
    if (here) enter(here);
    lightAgain();
    const soon = page.querySelector("[data-after]"); // an answer that comes by itself, after so many milliseconds
    if (soon) later = setTimeout(() => send({ to: soon.dataset.to }), Number(soon.dataset.after));
  }

  page.addEventListener("click", (event) => {
    const node = spot(event.target);
    if (!node || node.getAttribute("aria-disabled") === "true") return;
    if ("ask" in node.dataset) return focusOf(node).focus();
    send({ to: node.dataset.to });
  });
  page.addEventListener("change", (event) => spot(event.target) && commit(event.target));
  page.addEventListener("focusin", (event) => {
    const node = spot(event.target);
    if (!node) return;
    enter(node);
    if ("ask" in node.dataset) send({ to: node.dataset.to, looked: true });
    light(node);
  });
  page.addEventListener("focusout", lightAgain);
  page.addEventListener("pointerover", (event) => light(spot(event.target)));
  page.addEventListener("pointerleave", lightAgain);

  // --- keys

  lab.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || ["Tab", "Escape"].includes(key)) return;
    if (event.shiftKey && key === "Enter") return;
    event.stopPropagation(); // the notebook has shortcuts of its own
    const node = page.contains(target) && spot(target);
    const typing = target.nodeName === "INPUT" && target.type !== "range" && target.type !== "checkbox";
    const pressed = [...lab.querySelectorAll("[data-key]")].find(
      (other) => other.dataset.key.toLowerCase() === key.toLowerCase() && !other.disabled,
    );
    const line = node && groupOf(node) && inGroup(page, groupOf(node)).filter((other) => other.dataset.y === node.dataset.y);
    if (node && groupOf(node) && key in STEPS) {
      const goal = next(node, STEPS[key]);
      if (goal) go(goal);
    } else if (line && !typing && (key === "Home" || key === "End")) {
      go(line.sort((one, other) => one.dataset.x - other.dataset.x).at(key === "Home" ? 0 : -1));
    } else if (node && typing && key === "Enter") {
      expecting = commit(target);
      target.select(); // what is typed before Python has answered belongs to the next field
    } else if (pressed && page.contains(target) && !(typing && /\w/.test(key))) {
      pressed.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else if (node && !typing && node.nodeName !== "BUTTON" && (key === "Enter" || key === " ")) {
      node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else return;
    event.preventDefault();
  });

  // --- life

  function draw_program() {
    program.textContent = model.get("program");
    code.hidden = !program.textContent;
  }

  const events = { "change:view": draw_controls, "change:page": draw, "change:program": draw_program, "msg:custom": heard };
  const { above: upper, below: lower } = model.get("view");
  for (const { name } of [...upper, ...lower]) if (name) events[`change:${name}`] = draw_values;
  for (const [event, act] of Object.entries(events)) model.on(event, act);
  draw_controls();
  draw();
  draw_program();
  return () => {
    heard();
    clearTimeout(later);
    for (const [event, act] of Object.entries(events)) model.off(event, act);
  };
}

export default { render };
